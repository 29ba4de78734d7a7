//! Courses for orienteers: controls on what a runner can find, legs of varied length, and how long they take.
//!
//! [`Map::plan_course`] places the controls, [`Map::course_of`] takes them from a list. Sites are in `sites`; the rules of a course
//! are the constants below. Reach: the window of the map.

use super::given::{Given, field};
use super::map::Map;
use super::placed::Place;
use super::runner::{Leg, Way};
use super::sites::{Site, distance};
use crate::catalogue::{Feature, FeatureSet};
use crate::error::{Error, Result};
use crate::world::runner::{self, Cell, Footing, Going};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use weald_core::{Ctx, Seed, par};

/// Controls are so far apart at least.
pub const APART_M: f64 = 60.0;
/// Controls of a list that are closer than this are pointed out.
const TOO_CLOSE_M: f64 = 30.0;
/// Distance of controls from the edge of the map.
pub const EDGE_M: i64 = 40;
/// Legs are so long at least and at most, as a share of their mean: 200 and 900 m where it is 555 m.
pub const LEG_SHARES: (f64, f64) = (0.36, 1.62);
/// Cosine of the least angle between two legs, 30 degrees; a smaller one is a dog-leg, on which runners meet.
const DOG_LEG: f64 = 0.866_025_403_784_438_6;
/// Cosine of the angle below which an angle between two legs counts as worse: 60 degrees.
const SHARP: f64 = 0.5;
/// By how much the length may miss the one that was asked for, and by how much if the ground does not allow better.
const TOLERANCE: (f64, f64) = (0.03, 0.1);
/// Ways to begin, each with its own order of short and long legs.
const ATTEMPTS: usize = 12;
/// Beginnings of courses that are kept from control to control, how many of them may stand at the same control, and how many each
/// is continued by.
const KEPT: usize = 48;
const SAME_LAST: usize = 4;
const CHILDREN: usize = 6;
/// A leg should not lead past another control or the start more closely than this: two circles at 1:10 000.
const PAST_M: f64 = 75.0;
/// Distance between the places of a leg at which water is looked for.
const LOOK_M: f64 = 20.0;
/// The first code that controls are given.
const FIRST_CODE: u32 = 31;
/// Metres around the ends of a leg within which its fastest route is searched for.
pub const LEG_MARGIN_M: i64 = 200;
/// Most controls of a course.
pub const MOST_CONTROLS: usize = 60;

/// What a course should be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CourseWish {
    /// Number of controls, without start and finish.
    pub controls: usize,
    /// Length along straight legs, in metres.
    pub length_m: f64,
}

impl CourseWish {
    /// The longest leg in metres.
    pub fn longest_leg_m(&self) -> f64 {
        self.mean() * LEG_SHARES.1
    }

    fn mean(&self) -> f64 {
        self.length_m / (self.controls + 1) as f64
    }

    /// Fails for courses that cannot be on any ground.
    fn validate(&self) -> Result<()> {
        let Self { controls, length_m } = *self;
        if !(1..=MOST_CONTROLS).contains(&controls) {
            let message = format!("a course has 1 to {MOST_CONTROLS} controls");
            return Err(Error::Invalid(format!("--controls {controls}: {message}")));
        }
        if self.mean() * LEG_SHARES.0 < APART_M {
            let least = APART_M / LEG_SHARES.0;
            let (legs, km) = (controls + 1, (least * (controls + 1) as f64 / 100.0 - 1e-9).ceil() / 10.0);
            return Err(Error::Invalid(format!(
                "{legs} legs on {length_m:.0} m are too short: a leg takes {least:.0} m on average, because controls must be {APART_M} m \
                 apart; give --length {km}km or more, or fewer --controls"
            )));
        }
        Ok(())
    }
}

/// A place of a course: a start, a control or a finish, with its description by the columns of the international orienteering
/// federation (International Specification for Control Descriptions, 2018), in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    /// Metres east and north.
    pub place: Place,
    /// The code, column B; 0 at start and finish.
    pub code: u32,
    /// Which of several like features, column C; mostly empty.
    pub which: String,
    /// The feature, column D.
    pub feature: String,
    /// The second feature where two meet, column E; mostly empty.
    pub second: String,
    /// How two features meet, or that a line bends, column F; mostly empty.
    pub combination: String,
    /// Which part of it, column G; may be empty.
    pub part: String,
}

impl Post {
    /// A place without a code and a description.
    fn new(place: Place) -> Self {
        let none = String::new;
        Self {
            place,
            code: 0,
            which: none(),
            feature: none(),
            second: none(),
            combination: none(),
            part: none(),
        }
    }

    /// A control, a start or a finish at a site, to which the runner comes from a place.
    fn at_site(site: &Site, place: Place, from: Place) -> Self {
        let (feature, second, combination) =
            (site.kind.feature(), site.kind.second(), site.kind.combination());
        Self {
            feature: feature.into(),
            second: second.into(),
            combination: combination.into(),
            part: site.part(from, place),
            ..Self::new(place)
        }
    }

    /// Which one, combination and part in words.
    pub fn detail(&self) -> String {
        let with = if self.second.is_empty() || self.second == self.feature {
            self.combination.clone()
        } else {
            format!("{} with {}", self.combination, self.second)
        };
        let parts = [self.which.as_str(), with.as_str(), self.part.as_str()];
        parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

/// A course with its legs.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Start, controls and finish, in this order.
    pub posts: Vec<Post>,
    /// The legs between them, one less.
    pub legs: Vec<Leg>,
    /// What a planner should know of it.
    pub notes: Vec<String>,
}

/// Part of a map on which a leg is searched for.
struct Around<'a> {
    map: &'a Map,
    shape: Cell,
    first: Cell,
}

impl Around<'_> {
    fn cell(&self, (column, row): Cell) -> Cell {
        (column + self.first.0, row + self.first.1)
    }
}

impl Going for Around<'_> {
    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    fn full_speed_m_s(&self) -> f64 {
        self.map.full_speed_m_s()
    }

    fn footing(&self, cell: Cell) -> Footing {
        self.map.footing(self.cell(cell))
    }

    fn height(&self, cell: Cell, ahead: (f64, f64)) -> f64 {
        self.map.height(self.cell(cell), ahead)
    }
}

impl Map {
    /// A course on this map as was wished, the same for the same seed, window and wish.
    ///
    /// Beginnings of courses grow by one control at a time, and the best of them are kept: those whose legs have the lengths that were
    /// drawn for them, whose controls are clear and differ in kind, and whose legs neither cross each other nor lead through
    /// lakes. Fails if the window has no such course; the message says what to change.
    pub fn plan_course(&self, wish: &CourseWish, ctx: &Ctx) -> Result<Course> {
        wish.validate()?;
        let planner = Planner::new(self, *wish, ctx)?;
        let attempts = par::map(ATTEMPTS, ctx, |attempt| planner.attempt(attempt))?;
        let mut best: Option<Plan> = None;
        for plan in attempts.into_iter().flatten() {
            if best.as_ref().is_none_or(|b| plan.score > b.score) {
                best = Some(plan);
            }
        }
        let Some(plan) = best else { return Err(planner.refusal()) };
        let mut course = Course { posts: planner.posts(&plan), legs: Vec::new(), notes: Vec::new() };
        if (plan.length - wish.length_m).abs() > TOLERANCE.0 * wish.length_m {
            course.notes.push(format!(
                "the course is {:.0} m long and not {:.0} m: the features of the window allow nothing closer",
                plan.length, wish.length_m
            ));
        }
        self.run(&mut course, ctx)?;
        Ok(course)
    }

    /// The course along places that were given, start and finish included.
    pub fn course_of(&self, given: &[Given], ctx: &Ctx) -> Result<Course> {
        let sites = self.all_sites(ctx)?;
        let mut posts = Vec::new();
        let last = given.len().saturating_sub(1);
        for (i, g) in given.iter().enumerate() {
            let name = if i == 0 {
                "the start".into()
            } else if i == last {
                "the finish".into()
            } else {
                format!("control {i}")
            };
            let (x, y) = g.place;
            if self.window.cell(g.place).is_none() {
                let message = "is outside the map; move --at or give a larger --size, or leave both out";
                return Err(Error::Invalid(format!("{name} at {x},{y} {message}")));
            }
            if !self.can_stand(g.place) {
                return Err(Error::Invalid(format!("{name} at {x},{y} is in a lake or a building; move it")));
            }
            let before = if i > 0 { given[i - 1].place } else { given[last.min(1)].place };
            posts.push(match &g.description {
                Some(words) => {
                    let [which, second, combination, part] = g.details.clone();
                    Post { which, feature: words.clone(), second, combination, part, ..Post::new(g.place) }
                }
                None => self.described(g.place, before, &sites),
            });
        }
        let controls = given.get(1..last).unwrap_or_default();
        for (post, code) in posts.iter_mut().skip(1).zip(codes_of(controls)) {
            post.code = code;
        }
        let mut course = Course { notes: concerns(&posts), posts, legs: Vec::new() };
        self.run(&mut course, ctx)?;
        Ok(course)
    }

    /// What is at a place: the nearest feature within 10 m, or what covers the ground.
    fn described(&self, place: Place, before: Place, sites: &[Site]) -> Post {
        let near = sites.iter().filter(|s| distance(s.place, place) <= 10.0);
        let mut found: Option<&Site> = None;
        for site in near {
            let closer = |f: &Site| distance(site.place, place) < distance(f.place, place);
            if found.is_none_or(closer) {
                found = Some(site);
            }
        }
        match found {
            Some(site) => Post { which: site.which(sites), ..Post::at_site(site, place, before) },
            None => {
                let ground = self.surface_at(place).map_or("", |t| t.name());
                let words = if ground == "z" { "barren ground" } else { ground };
                Post { feature: words.into(), ..Post::new(place) }
            }
        }
    }

    /// Runs the legs of a course.
    fn run(&self, course: &mut Course, ctx: &Ctx) -> Result<()> {
        for ends in course.posts.windows(2) {
            course.legs.push(self.leg_around(ends[0].place, ends[1].place, ctx)?);
        }
        Ok(())
    }

    /// A leg, with a fastest route within [`LEG_MARGIN_M`] around its ends.
    fn leg_around(&self, from: Place, to: Place, ctx: &Ctx) -> Result<Leg> {
        let margin = LEG_MARGIN_M as usize;
        let cell = |place: Place| {
            let outside = || Error::Internal(format!("the leg at {},{} leaves the map", place.0, place.1));
            self.window.cell(place).ok_or_else(outside)
        };
        let (a, b) = (cell(from)?, cell(to)?);
        let range = |a: usize, b: usize, end: usize| {
            (a.min(b).saturating_sub(margin), (a.max(b) + margin + 1).min(end))
        };
        let ((left, right), (top, bottom)) =
            (range(a.0, b.0, self.window.width), range(a.1, b.1, self.window.height));
        let part = Around { map: self, shape: (right - left, bottom - top), first: (left, top) };
        let leg = runner::leg(&part, (a.0 - left, a.1 - top), (b.0 - left, b.1 - top), ctx)?;
        Ok(leg.map(|(column, row)| self.window.place(column + left, row + top)))
    }
}

/// Codes for controls in their order: from 31 on, without those that read as another code upside down, such as 66, 68, 86, 89, 98
/// and 99.
fn codes() -> impl Iterator<Item = u32> {
    (FIRST_CODE..).filter(|&code| upside_down(code).is_none_or(|other| other == code || other < FIRST_CODE))
}

/// What a code reads as upside down, if it is a number then too. One that begins with 0 is not a code.
fn upside_down(code: u32) -> Option<u32> {
    let (mut rest, mut turned) = (code, 0u32);
    if code.is_multiple_of(10) {
        return None;
    }
    while rest > 0 {
        let digit = match rest % 10 {
            0 => 0,
            1 => 1,
            6 => 9,
            8 => 8,
            9 => 6,
            _ => return None,
        };
        turned = turned.checked_mul(10)?.checked_add(digit)?;
        rest /= 10;
    }
    Some(turned)
}

/// The codes of controls that were given: their own, that of the same place where it has one, or the next of [`codes`] that no
/// control has.
fn codes_of(given: &[Given]) -> Vec<u32> {
    let own = |g: &Given| g.code.filter(|&code| code > 0);
    let taken: BTreeSet<u32> = given.iter().filter_map(own).collect();
    let mut at: BTreeMap<Place, u32> = BTreeMap::new();
    for g in given {
        if let Some(code) = own(g) {
            at.entry(g.place).or_insert(code);
        }
    }
    let mut free = codes().filter(|code| !taken.contains(code));
    let code =
        |g: &Given| own(g).unwrap_or_else(|| *at.entry(g.place).or_insert_with(|| free.next().unwrap_or(0)));
    given.iter().map(code).collect()
}

/// What a planner should know of controls that were given.
fn concerns(posts: &[Post]) -> Vec<String> {
    let name = |i: usize| match i {
        0 => "the start".to_owned(),
        i if i + 1 == posts.len() => "the finish".to_owned(),
        i => format!("control {i}"),
    };
    let mut notes = Vec::new();
    for i in 1..posts.len().saturating_sub(1) {
        for j in i + 1..posts.len() - 1 {
            let (same_place, same_code) = (posts[i].place == posts[j].place, posts[i].code == posts[j].code);
            if same_place != same_code {
                let (code, other) = (posts[i].code, posts[j].code);
                let what = if same_code {
                    format!("have the same code {code} at different places; give each place its own code")
                } else {
                    format!(
                        "are at the same place with the codes {code} and {other}; give the place one code"
                    )
                };
                notes.push(format!("{} and {} {what}", name(i), name(j)));
            }
            // A course may come to a place twice.
            if same_place && j > i + 1 {
                continue;
            }
            let apart = distance(posts[i].place, posts[j].place);
            let alike = posts[i].feature == posts[j].feature;
            let least = if alike { APART_M } else { TOO_CLOSE_M };
            if apart < least {
                let kind = if alike { "controls at features of one kind" } else { "controls" };
                notes.push(format!(
                    "{} and {} are {apart:.0} m apart; {kind} should be {least} m apart",
                    name(i),
                    name(j)
                ));
            }
        }
        let (a, b, c) = (posts[i - 1].place, posts[i].place, posts[i + 1].place);
        if cosine(a, b, c) > DOG_LEG {
            notes.push(format!(
                "the legs to and from {} make a dog-leg, an angle of less than 30 degrees",
                name(i)
            ));
        }
    }
    notes
}

/// Cosine of the angle at `b` between the directions to `a` and to `c`.
fn cosine(a: Place, b: Place, c: Place) -> f64 {
    let (u, v) = ((a.0 - b.0, a.1 - b.1), (c.0 - b.0, c.1 - b.1));
    let dot = (u.0 * v.0 + u.1 * v.1) as f64;
    dot / (distance(a, b) * distance(b, c)).max(1.0)
}

/// Distance of a place from a leg in metres.
fn from_leg(p: Place, (a, b): (Place, Place)) -> f64 {
    let (u, v) = ((b.0 - a.0, b.1 - a.1), (p.0 - a.0, p.1 - a.1));
    let square = (u.0 * u.0 + u.1 * u.1) as f64;
    let t = if square > 0.0 { ((u.0 * v.0 + u.1 * v.1) as f64 / square).clamp(0.0, 1.0) } else { 0.0 };
    let (dx, dy) = (v.0 as f64 - u.0 as f64 * t, v.1 as f64 - u.1 as f64 * t);
    (dx * dx + dy * dy).sqrt()
}

/// Whether two legs cross.
fn cross(a: (Place, Place), b: (Place, Place)) -> bool {
    let side =
        |(p, q): (Place, Place), r: Place| ((q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)).signum();
    side(a, b.0) * side(a, b.1) < 0 && side(b, a.0) * side(b, a.1) < 0
}

/// The beginning of a course, or a whole one.
#[derive(Clone, Debug)]
struct Plan {
    /// The start.
    start: usize,
    /// The controls.
    controls: Vec<usize>,
    /// The finish, at the end.
    finish: Option<usize>,
    length: f64,
    score: f64,
}

/// Where controls, starts and finishes of a course can be.
struct Planner<'a> {
    map: &'a Map,
    wish: CourseWish,
    sites: Vec<Site>,
    starts: Vec<Site>,
    seed: Seed,
}

impl<'a> Planner<'a> {
    fn new(map: &'a Map, wish: CourseWish, ctx: &Ctx) -> Result<Self> {
        let edge = EDGE_M.min(map.window.width.min(map.window.height) as i64 / 8);
        let [west, east, south, north] = map.window.bounds();
        let inner = |s: &Site| {
            let (x, y) = s.place;
            (west + edge..=east - edge).contains(&x) && (south + edge..=north - edge).contains(&y)
        };
        let sites: Vec<Site> = map.control_sites(ctx)?.into_iter().filter(inner).collect();
        let starts: Vec<Site> = map.start_sites().into_iter().filter(inner).collect();
        let seed = map.world.seed().of("course");
        Ok(Self { map, wish, sites, starts, seed: Seed(seed.at(map.window.west, map.window.north)) })
    }

    /// Why there is no course, and what to change.
    fn refusal(&self) -> Error {
        let (w, h) = (self.map.window.width, self.map.window.height);
        let CourseWish { controls, length_m } = self.wish;
        let (low, high) = (self.wish.mean() * LEG_SHARES.0, self.wish.mean() * LEG_SHARES.1);
        let cause = if self.starts.is_empty() {
            "it has no dry ground for a start".to_owned()
        } else if self.sites.len() < controls {
            format!("it has only {} features for controls", self.sites.len())
        } else {
            format!(
                "its {} features allow no legs of {low:.0} to {high:.0} m without dog-legs",
                self.sites.len()
            )
        };
        Error::Shape(format!(
            "a course of {length_m:.0} m with {controls} controls does not fit the window of {w}x{h} m: {cause}; give a larger --size, \
             another place with --at, a shorter --length, or another number of --controls"
        ))
    }

    /// Lengths of the legs as shares of what is left to run, drawn for an attempt.
    fn shares(&self, attempt: usize) -> Vec<f64> {
        let seed = self.seed.of("legs");
        (0..=self.wish.controls).map(|leg| 0.5 + seed.unit_at(attempt as i64, leg as i64)).collect()
    }

    /// The best course of an attempt.
    fn attempt(&self, attempt: usize) -> Option<Plan> {
        let shares = self.shares(attempt);
        let draw = self.seed.of("site");
        let mut plans: Vec<Plan> = Vec::new();
        for k in 0..KEPT.min(self.starts.len()) {
            let pick = self.seed.of("start").at(attempt as i64, k as i64) % self.starts.len() as u64;
            plans.push(Plan {
                start: pick as usize,
                controls: Vec::new(),
                finish: None,
                length: 0.0,
                score: 0.0,
            });
        }
        for leg in 0..self.wish.controls {
            let left: f64 = shares[leg..].iter().sum();
            let mut next: Vec<Plan> = Vec::new();
            for plan in &plans {
                let target = (self.wish.length_m - plan.length) * shares[leg] / left;
                let mut children: Vec<Plan> = Vec::new();
                for i in 0..self.sites.len() {
                    let Some((length, mut score)) = self.step(plan, self.sites[i], target) else { continue };
                    let luck = draw.unit_at(attempt as i64, (leg * self.sites.len() + i) as i64);
                    score += 0.2 * luck + self.variety(plan, i);
                    let mut controls = plan.controls.clone();
                    controls.push(i);
                    children.push(Plan {
                        controls,
                        length: plan.length + length,
                        score: plan.score + score,
                        ..*plan
                    });
                }
                best_of(&mut children, CHILDREN);
                next.extend(children);
            }
            next.sort_by(order);
            let mut kept: Vec<Plan> = Vec::new();
            for plan in next {
                let same = kept.iter().filter(|k| k.controls.last() == plan.controls.last()).count();
                if same < SAME_LAST && kept.len() < KEPT {
                    kept.push(plan);
                }
            }
            plans = kept;
        }
        plans.iter().filter_map(|plan| self.finished(plan)).max_by(|a, b| order(b, a))
    }

    /// The course with the best finish.
    fn finished(&self, plan: &Plan) -> Option<Plan> {
        let target = self.wish.length_m - plan.length;
        let mut best: Option<Plan> = None;
        for (i, site) in self.starts.iter().enumerate() {
            let total = plan.length + distance(self.at(plan, plan.controls.len()), site.place);
            let miss = (total - self.wish.length_m).abs() / self.wish.length_m;
            if miss > TOLERANCE.1 {
                continue;
            }
            let Some((length, score)) = self.step(plan, *site, target) else { continue };
            // A course that misses its length is worse than any that does not.
            let far = if miss > TOLERANCE.0 { 100.0 } else { 0.0 };
            let score = plan.score + score - 10.0 * miss - far;
            if best.as_ref().is_none_or(|b| score > b.score) {
                let controls = plan.controls.clone();
                best = Some(Plan { controls, finish: Some(i), length: plan.length + length, score, ..*plan });
            }
        }
        best
    }

    /// The place at a number: the start at 0, then the controls.
    fn at(&self, plan: &Plan, number: usize) -> Place {
        match number {
            0 => self.starts[plan.start].place,
            n => self.sites[plan.controls[n - 1]].place,
        }
    }

    /// Length and score of the leg that goes on from a plan to a site, if there may be one.
    fn step(&self, plan: &Plan, site: Site, target: f64) -> Option<(f64, f64)> {
        let (number, to) = (plan.controls.len(), site.place);
        let here = self.at(plan, number);
        let (length, mean) = (distance(here, to), self.wish.mean());
        if !(mean * LEG_SHARES.0..=mean * LEG_SHARES.1).contains(&length) {
            return None;
        }
        let left = self.wish.controls - number;
        let rest = (self.wish.length_m - plan.length - length) / mean;
        if rest < left as f64 * LEG_SHARES.0
            || rest > left as f64 * LEG_SHARES.1 + TOLERANCE.1 * (number + 1) as f64
        {
            return None;
        }
        let mut score = -2.0 * (length - target).abs() / mean;
        if number > 0 {
            let angle = cosine(self.at(plan, number - 1), here, to);
            if angle > DOG_LEG {
                return None;
            }
            score -= if angle > SHARP { 0.4 } else { 0.0 };
        }
        // The finish may be near the start, a control may not.
        let last = number == self.wish.controls;
        for n in usize::from(last)..=number {
            if distance(self.at(plan, n), to) < APART_M {
                return None;
            }
        }
        for n in 0..number {
            let old = (self.at(plan, n), self.at(plan, n + 1));
            score -= if n + 1 < number && cross(old, (here, to)) { 0.4 } else { 0.0 };
            // A leg that leads past another control is hard to read.
            let near = from_leg(old.0, (here, to)).min(from_leg(to, old));
            score -= if near < PAST_M { 0.5 } else { 0.0 };
        }
        Some((length, score - 1.5 * self.wet(here, to, length)))
    }

    /// Worth of a control, less if the course has some of its kind.
    fn variety(&self, plan: &Plan, site: usize) -> f64 {
        let kind = self.sites[site].kind;
        let same = plan.controls.iter().filter(|&&c| self.sites[c].kind == kind).count();
        let again = plan.controls.last().is_some_and(|&c| self.sites[c].kind == kind);
        0.8 * kind.worth() - 0.15 * same as f64 - if again { 0.25 } else { 0.0 }
    }

    /// Share of a leg that lies in lakes and buildings.
    fn wet(&self, a: Place, b: Place, length: f64) -> f64 {
        let parts = (length / LOOK_M).ceil().max(1.0);
        let inside = (0..parts as i64).filter(|&k| {
            let t = (k as f64 + 0.5) / parts;
            let along = |a: i64, b: i64| a + ((b - a) as f64 * t).round() as i64;
            !self.map.can_stand((along(a.0, b.0), along(a.1, b.1)))
        });
        inside.count() as f64 / parts
    }

    /// Start, controls and finish of a whole plan, with codes and descriptions.
    fn posts(&self, plan: &Plan) -> Vec<Post> {
        let post =
            |site: &Site, code: u32, before: Place| Post { code, ..Post::at_site(site, site.place, before) };
        let first = &self.starts[plan.start];
        let mut posts = vec![post(first, 0, first.place)];
        for ((n, &control), code) in plan.controls.iter().enumerate().zip(codes()) {
            posts.push(post(&self.sites[control], code, self.at(plan, n)));
        }
        let before = self.at(plan, plan.controls.len());
        posts.extend(plan.finish.map(|finish| post(&self.starts[finish], 0, before)));
        posts
    }
}

/// The best first; where two are as good, by their controls.
fn order(a: &Plan, b: &Plan) -> std::cmp::Ordering {
    b.score
        .total_cmp(&a.score)
        .then_with(|| (a.start, &a.controls, a.finish).cmp(&(b.start, &b.controls, b.finish)))
}

/// Keeps the best.
fn best_of(plans: &mut Vec<Plan>, most: usize) {
    if plans.len() > most {
        plans.select_nth_unstable_by(most - 1, order);
        plans.truncate(most);
    }
}

/// A time in minutes and seconds: 4:07.
pub(super) fn minutes(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    format!("{}:{:02}", whole / 60, whole % 60)
}

impl Course {
    /// Length along the straight legs, in metres.
    pub fn length_m(&self) -> f64 {
        self.legs.iter().map(|leg| leg.direct.length_m).sum()
    }

    /// Climb along the fastest routes, in metres; `None` if a leg has no route.
    pub fn climb_m(&self) -> Option<f64> {
        self.legs.iter().map(|leg| Some(leg.best.as_ref()?.climb_m)).sum()
    }

    /// Time on the fastest routes, in seconds; `None` if a leg has no route.
    pub fn seconds(&self) -> Option<f64> {
        self.legs.iter().map(|leg| leg.best.as_ref()?.seconds).sum()
    }

    /// "start", "control" or "finish".
    fn kind(&self, number: usize) -> &'static str {
        match number {
            0 => "start",
            n if n + 1 == self.posts.len() => "finish",
            _ => "control",
        }
    }

    /// The course as points on a map, for pictures and vector maps: start, controls and finish with their descriptions.
    pub fn points(&self) -> FeatureSet {
        let point = |(i, post): (usize, &Post)| {
            let mut properties: Vec<(&'static str, Value)> = vec![
                ("kind", self.kind(i).into()),
                ("x", post.place.0.into()),
                ("y", post.place.1.into()),
                ("feature", post.feature.clone().into()),
                ("detail", post.detail().into()),
            ];
            if post.code > 0 {
                properties.push(("code", post.code.into()));
            }
            if i == 0 {
                properties.push(("length_m", self.length_m().round().into()));
                properties.extend(self.climb_m().map(|m| ("climb_m", m.round().into())));
            }
            Feature::new(i as u32, vec![super::catalogue::at(post.place)], properties)
        };
        let features = self.posts.iter().enumerate().map(point).collect();
        FeatureSet::new(
            "course",
            "Start, controls and finish of the course; x and y of the properties have y north",
            features,
        )
    }

    /// The course for machines. Lengths and climbs are in metres, times in seconds, places in metres east and north.
    pub fn to_json(&self) -> Value {
        let way = |w: &Way| json!({"length_m": w.length_m, "climb_m": w.climb_m, "seconds": w.seconds});
        let post = |(i, p): (usize, &Post)| {
            let code = (p.code > 0).then_some(p.code);
            json!({"kind": self.kind(i), "number": (p.code > 0).then_some(i), "code": code, "x": p.place.0, "y": p.place.1,
                "which": p.which, "feature": p.feature, "second": p.second, "combination": p.combination, "part": p.part,
                "iof": {"B": code, "C": p.which, "D": p.feature, "E": p.second, "F": p.combination, "G": p.part}})
        };
        let leg = |(i, l): (usize, &Leg)| {
            json!({"leg": i + 1, "straight": way(&l.direct), "fastest": l.best.as_ref().map(way),
                "route": l.best.as_ref().map(|w| w.places.iter().map(|p| json!([p.0, p.1])).collect::<Vec<_>>())})
        };
        json!({
            "length_m": self.length_m(), "climb_m": self.climb_m(), "seconds": self.seconds(),
            "posts": self.posts.iter().enumerate().map(post).collect::<Vec<_>>(),
            "legs": self.legs.iter().enumerate().map(leg).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }

    /// The course as a table in CSV, a row for each place with the leg that leads to it. The file can be given as a list of controls
    /// again.
    pub fn to_csv(&self) -> String {
        let mut out = String::from(
            "x,y,code,kind,number,which,feature,second,combination,part,straight_m,straight_climb_m,straight_s,fastest_m,fastest_climb_m,fastest_s\n",
        );
        for (i, p) in self.posts.iter().enumerate() {
            let code = if p.code > 0 { p.code.to_string() } else { String::new() };
            let number = if p.code > 0 { i.to_string() } else { String::new() };
            let [which, feature, second, combination, part] =
                [&p.which, &p.feature, &p.second, &p.combination, &p.part].map(|words| field(words));
            let (x, y) = p.place;
            let kind = self.kind(i);
            let _ =
                write!(out, "{x},{y},{code},{kind},{number},{which},{feature},{second},{combination},{part}");
            let leg = i.checked_sub(1).and_then(|i| self.legs.get(i));
            for way in [leg.map(|l| &l.direct), leg.and_then(|l| l.best.as_ref())] {
                let _ = match way {
                    Some(w) => write!(
                        out,
                        ",{:.1},{:.1},{}",
                        w.length_m,
                        w.climb_m,
                        w.seconds.map_or(String::new(), |s| format!("{s:.1}"))
                    ),
                    None => write!(out, ",,,"),
                };
            }
            out.push('\n');
        }
        out
    }

    /// The course as a table to read: control descriptions, and each leg in metres and minutes.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let controls = self.posts.len().saturating_sub(2);
        let s = if controls == 1 { "" } else { "s" };
        let _ = write!(out, "{controls} control{s}, {:.0} m along straight legs", self.length_m());
        let _ = match (self.climb_m(), self.seconds()) {
            (Some(climb), Some(seconds)) => {
                writeln!(out, "; the fastest routes climb {climb:.0} m and take {} min", minutes(seconds))
            }
            _ => writeln!(out, "; there is a leg without a route"),
        };
        let wide = |of: &dyn Fn(&Post) -> String| {
            self.posts.iter().map(|p| of(p).chars().count()).max().unwrap_or(0)
        };
        let (feature, detail) = (wide(&|p| p.feature.clone()).max(7), wide(&Post::detail).max(4));
        let _ = writeln!(
            out,
            "\n{:>6} {:>4} {:>9} {:>9}  {:feature$}  {:detail$}  {:>22}  {:>22}",
            "no", "code", "x m", "y m", "feature", "part", "straight", "fastest"
        );
        for (i, p) in self.posts.iter().enumerate() {
            let number = if p.code > 0 { i.to_string() } else { self.kind(i).to_owned() };
            let code = if p.code > 0 { p.code.to_string() } else { String::new() };
            let way = |w: Option<&Way>| match w {
                Some(w) => {
                    let time = w.seconds.map_or("-".into(), |s| format!("{} min", minutes(s)));
                    format!("{:.0} m \u{2191}{:.0} m {time:>9}", w.length_m, w.climb_m)
                }
                None => "none".into(),
            };
            let leg = i.checked_sub(1).and_then(|i| self.legs.get(i));
            let [straight, fastest] = match leg {
                Some(leg) => [way(Some(&leg.direct)), way(leg.best.as_ref())],
                None => [String::new(), String::new()],
            };
            let line = format!(
                "{number:>6} {code:>4} {:>9} {:>9}  {:feature$}  {:detail$}  {straight:>22}  {fastest:>22}",
                p.place.0,
                p.place.1,
                p.feature,
                p.detail()
            );
            let _ = writeln!(out, "{}", line.trim_end());
        }
        for note in &self.notes {
            let _ = writeln!(out, "note: {note}");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::map::generate;
    use super::super::place::Endless;
    use super::super::window::Window;
    use super::*;
    use crate::world::endless::EndlessParams;

    fn map(seed: u64, (west, north): Place, side: usize) -> Map {
        let world = Endless::new(Seed(seed), &EndlessParams::default()).unwrap();
        generate(&world, Window { west, north, width: side, height: side }, &Ctx::default()).unwrap()
    }

    #[test]
    fn a_course_keeps_its_rules_on_every_ground() {
        for (seed, at) in [(0, (0, 0)), (0, (-3000, 500)), (7, (20_000, -900)), (3, (100, 8000))] {
            let map = map(seed, at, 700);
            let wish = CourseWish { controls: 5, length_m: 2000.0 };
            let course = map.plan_course(&wish, &Ctx::default()).unwrap();
            let posts = &course.posts;
            assert_eq!((posts.len(), course.legs.len()), (7, 6));
            let length = course.length_m();
            assert!((length - 2000.0).abs() <= 60.0, "seed {seed}: {length} m");
            for (i, p) in posts.iter().enumerate() {
                assert!(map.can_stand(p.place) && !p.feature.is_empty(), "seed {seed}: {p:?}");
                let inner = i > 0 && i < 6;
                assert_eq!(p.code, if inner { 30 + i as u32 } else { 0 });
                for q in posts[1..6].iter().filter(|q| inner && q.place != p.place) {
                    assert!(distance(p.place, q.place) >= APART_M, "seed {seed}: {p:?} {q:?}");
                }
                if inner {
                    let angle = cosine(posts[i - 1].place, p.place, posts[i + 1].place);
                    assert!(angle <= DOG_LEG, "seed {seed}: a dog-leg at control {i}");
                }
            }
            for ends in posts.windows(2) {
                let leg = distance(ends[0].place, ends[1].place) / wish.mean();
                assert!((LEG_SHARES.0..=LEG_SHARES.1).contains(&leg), "seed {seed}: {leg}");
            }
            let ground = |p: Place| map.surface_at(p).unwrap().name();
            for end in [posts[0].place, posts[6].place] {
                assert!(["road", "path", "grass", "town"].contains(&ground(end)), "{}", ground(end));
            }
            for leg in &course.legs {
                let (straight, best) = (leg.direct.seconds, leg.best.as_ref().unwrap().seconds.unwrap());
                assert!(straight.is_none_or(|s| best <= s));
            }
        }
    }

    #[test]
    fn controls_stand_on_what_the_map_shows() {
        let map = map(0, (0, 0), 700);
        let course = map.plan_course(&CourseWish { controls: 6, length_m: 2400.0 }, &Ctx::default()).unwrap();
        for p in &course.posts[1..7] {
            let feature = map.survey.feature[map.window.cell(p.place).unwrap()];
            let expected = match p.feature.as_str() {
                "boulder" => 2,
                "rootstock" => 3,
                "waterhole" => 4,
                "knoll" => 5,
                "man-made object" => 6,
                "mine shaft" | "cave" => 1,
                "building" | "road" | "stream" | "marsh" | "hill" | "depression" | "spur" | "re-entrant" => {
                    continue;
                }
                other => panic!("{other}"),
            };
            assert_eq!(feature, expected, "{p:?}");
        }
    }

    #[test]
    fn a_course_that_does_not_fit_is_refused_with_what_to_change() {
        let map = map(0, (0, 0), 200);
        let refused = |controls, length_m| {
            map.plan_course(&CourseWish { controls, length_m }, &Ctx::default()).unwrap_err().to_string()
        };
        assert!(refused(8, 5000.0).contains("larger --size"));
        assert!(refused(8, 500.0).contains("--length 1.5km"));
        assert!(refused(0, 500.0).contains("1 to 60 controls"));
    }

    #[test]
    fn codes_that_read_as_another_code_upside_down_are_left_out() {
        let first: Vec<u32> = codes().take(70).collect();
        assert_eq!(first[0], 31);
        let left_out: Vec<u32> = (31..=99).filter(|code| !first.contains(code)).collect();
        assert_eq!(left_out, [66, 68, 86, 89, 98, 99]);
        assert_eq!([606, 901, 108, 69].map(upside_down), [Some(909), Some(106), Some(801), Some(69)]);
    }

    #[test]
    fn every_place_has_a_code_of_its_own_unless_it_was_given_another() {
        let given = |x, code| Given { place: (x, 0), code, ..Given::default() };
        let list = [
            given(0, None),
            given(100, Some(32)),
            given(200, None),
            given(0, None),
            given(300, Some(31)),
            given(100, None),
        ];
        assert_eq!(codes_of(&list), [33, 32, 34, 33, 31, 32]);
        let posts = |codes: [(i64, u32); 4]| {
            codes.map(|(x, code)| Post { code, feature: code.to_string(), ..Post::new((x, x * x)) })
        };
        assert!(concerns(&posts([(0, 0), (10, 31), (20, 32), (30, 0)])).is_empty());
        let notes = concerns(&posts([(0, 0), (10, 31), (20, 31), (30, 0)]));
        assert!(notes.len() == 1 && notes[0].contains("same code 31"), "{notes:?}");
        let notes = concerns(&posts([(0, 0), (10, 31), (10, 32), (30, 0)]));
        assert!(notes[0].contains("same place with the codes 31 and 32"), "{notes:?}");
    }

    #[test]
    fn a_junction_has_both_its_roads_and_a_bend_is_in_column_f() {
        let map = map(0, (-750, 750), 1500);
        let ctx = Ctx::default();
        let sites = map.control_sites(&ctx).unwrap();
        let columns = |wanted: &str| {
            let site = sites.iter().find(|s| s.kind.combination() == wanted).unwrap();
            let given = vec![Given { place: site.place, ..Given::default() }; 3];
            map.course_of(&given, &ctx).unwrap().to_json()["posts"][1]["iof"].clone()
        };
        let (junction, bend) = (columns("junction"), columns("bend"));
        assert_eq!([&junction["D"], &junction["E"], &junction["F"]], ["road", "road", "junction"]);
        assert_eq!([&bend["E"], &bend["F"], &bend["G"], &bend["C"]], ["", "bend", "", ""]);
    }

    #[test]
    fn a_table_of_a_course_is_read_as_its_controls_again() {
        let map = map(0, (0, 0), 500);
        let given = Given::read("60,-60\n300,-80\n310,-90\n70,-70\n", "c.csv").unwrap();
        let course = map.course_of(&given, &Ctx::default()).unwrap();
        assert!(course.notes.len() == 1 && course.notes[0].contains("14 m apart"), "{:?}", course.notes);
        let back = Given::read("60,-60\n300,-80\n70,-75\n", "c.csv").unwrap();
        let notes = map.course_of(&back, &Ctx::default()).unwrap().notes;
        assert!(notes.len() == 1 && notes[0].contains("dog-leg"), "{notes:?}");
        let list = "60,-60\n300,-80,45,\"knoll, \"\"big\"\"; top\"\n310,-90\n70,-70\n";
        let named = map.course_of(&Given::read(list, "c.csv").unwrap(), &Ctx::default()).unwrap();
        assert_eq!((named.posts[1].code, named.posts[1].feature.as_str()), (45, "knoll, \"big\"; top"));
        let planned = map.plan_course(&CourseWish { controls: 3, length_m: 900.0 }, &Ctx::default()).unwrap();
        for course in [course, named, planned] {
            let again = Given::read(&course.to_csv(), "course.csv").unwrap();
            assert_eq!(map.course_of(&again, &Ctx::default()).unwrap().posts, course.posts);
        }
        let lake = (0..250_000).map(|i| (i % 500, i / 500)).find(|&c| map.survey.depth[c] > 0.0);
        if let Some(cell) = lake {
            let wet =
                vec![given[0].clone(), Given { place: map.window.place(cell.0, cell.1), ..Given::default() }];
            assert!(map.course_of(&wet, &Ctx::default()).unwrap_err().to_string().contains("lake"));
        }
    }
}
