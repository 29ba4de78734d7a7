//! Where the controls of a course can stand: what a runner can find on the map and on the ground.

use super::kinds::{Feature, Terrain};
use super::map::Map;
use super::placed::Place;
use super::roads::RoadEnd;
use super::streams::StreamEnd;
use super::wood::BUILDING_HALF_M;
use crate::world::runner::{Footing, Going};
use std::collections::BTreeSet;
use weald_core::{Ctx, math, par};

/// Names of the eight directions of the compass, clockwise from north.
const COMPASS: [&str; 8] =
    ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/// Like features that are closer to each other than this can be within one control circle, whose radius is 37.5 m at 1:10 000; then
/// column C must say which of them is meant.
const TWINS_M: i64 = 40;
/// How far the middle one of several like features is from their mean at most.
const MIDDLE_M: f64 = 5.0;
/// Distance between the places at which the shape of the ground is examined.
const GRID_M: i64 = 10;
/// How far to both sides a spur or a re-entrant is measured, and how far around a hill or a depression.
const ACROSS_M: f64 = 30.0;
/// What a spur or a re-entrant must differ from the ground on both sides, and a hill or a depression from that around it, in
/// height units: 3 m.
const SHAPE: f64 = 12.0;
/// Slope from which on a spur and a re-entrant have a direction, in height units per metre.
const LEAST_SLOPE: f64 = 0.2;
/// Places examined at a distance of [`GRID_M`] within which the clearest shape is kept.
const NEAREST: i64 = 5;
/// Points on both sides of a bend of a stream (20 m), and cosine of 50 degrees, which it turns at least.
const STREAM_BEND: (usize, f64) = (4, 0.643);
/// The same for roads, which turn slowly: 60 m and 28 degrees.
const ROAD_BEND: (usize, f64) = (6, 0.883);
/// Distance between starts on open ground.
const START_GRID_M: i64 = 40;

/// What a control stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Boulder,
    Knoll,
    MineShaft,
    Cave,
    Waterhole,
    Rootstock,
    ManMade,
    PhoneBox,
    Building,
    RoadJunction,
    RoadBend,
    RoadEnd,
    StreamBend,
    StreamEnd,
    Marsh,
    Hill,
    Depression,
    Spur,
    Reentrant,
    Road,
    Path,
    Paved,
    OpenLand,
    Wood,
}

impl Kind {
    /// The feature, as column D of a control description says it.
    pub(super) fn feature(self) -> &'static str {
        match self {
            Kind::Boulder => "boulder",
            Kind::Knoll => "knoll",
            Kind::MineShaft => "mine shaft",
            Kind::Cave => "cave",
            Kind::Waterhole => "waterhole",
            Kind::Rootstock => "rootstock",
            Kind::ManMade => "man-made object",
            Kind::PhoneBox => "phone box",
            Kind::Building => "building",
            Kind::RoadJunction | Kind::RoadBend | Kind::RoadEnd | Kind::Road => "road",
            Kind::StreamBend | Kind::StreamEnd => "stream",
            Kind::Marsh => "marsh",
            Kind::Hill => "hill",
            Kind::Depression => "depression",
            Kind::Spur => "spur",
            Kind::Reentrant => "re-entrant",
            Kind::Path => "path",
            Kind::Paved => "paved area",
            Kind::OpenLand => "open land",
            Kind::Wood => "wood",
        }
    }

    /// The second feature where two meet, as column E says it.
    pub(super) fn second(self) -> &'static str {
        if self == Kind::RoadJunction { "road" } else { "" }
    }

    /// How two features meet, or that a line bends, as column F says it.
    pub(super) fn combination(self) -> &'static str {
        match self {
            Kind::RoadJunction => "junction",
            Kind::RoadBend | Kind::StreamBend => "bend",
            _ => "",
        }
    }

    /// How good a control it makes, 0 to 1: what is small and clear is best.
    pub(super) fn worth(self) -> f64 {
        match self {
            Kind::Building | Kind::RoadBend => 0.3,
            Kind::RoadJunction | Kind::RoadEnd | Kind::Marsh | Kind::StreamEnd => 0.7,
            Kind::Spur | Kind::Reentrant | Kind::StreamBend | Kind::Depression => 0.8,
            Kind::Road | Kind::Path | Kind::Paved | Kind::OpenLand | Kind::Wood => 0.0,
            _ => 1.0,
        }
    }

    /// What the control stands at, as column G says it after a direction: the side of a feature that rises above the ground, the edge
    /// of one that goes down from it; `None` where the feature has neither.
    fn flank(self) -> Option<&'static str> {
        match self {
            Kind::Boulder | Kind::Knoll | Kind::Rootstock | Kind::ManMade | Kind::PhoneBox => Some("side"),
            Kind::MineShaft | Kind::Waterhole => Some("edge"),
            _ => None,
        }
    }
}

/// A place where a control, a start or a finish can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Site {
    pub(super) place: Place,
    pub(super) kind: Kind,
    /// A corner of a building, as a direction of the compass.
    corner: Option<usize>,
}

impl Site {
    fn new(place: Place, kind: Kind) -> Self {
        Self { place, kind, corner: None }
    }

    /// Which part of the feature it is, as column G says it. Where a feature has sides or an edge, that on which the control stands;
    /// a control at the very place of the feature stands away from where the runner comes from, so that it is not seen from afar.
    pub(super) fn part(&self, from: Place, control: Place) -> String {
        let ends = if control == self.place { (from, self.place) } else { (self.place, control) };
        let towards = direction(ends.0, ends.1);
        match (self.kind, self.corner) {
            (_, Some(corner)) => format!("{} corner, outside", COMPASS[corner]),
            (Kind::RoadEnd | Kind::StreamEnd, _) => "end".into(),
            (Kind::Hill, _) => "top".into(),
            (kind, _) => kind.flank().map_or(String::new(), |flank| format!("{towards} {flank}")),
        }
    }

    /// Which of several like features in one control circle it is, as column C says it; empty if it is the only one.
    pub(super) fn which(&self, sites: &[Self]) -> String {
        let mut like: Vec<&Self> = sites.iter().filter(|s| self.is_twin(s)).collect();
        if like.is_empty() {
            return String::new();
        }
        like.push(self);
        let mean = |of: fn(&Self) -> i64| like.iter().map(|s| of(s)).sum::<i64>() as f64 / like.len() as f64;
        let (dx, dy) = (self.place.0 as f64 - mean(|s| s.place.0), self.place.1 as f64 - mean(|s| s.place.1));
        let middle = like.len() > 2 && (dx * dx + dy * dy).sqrt() <= MIDDLE_M;
        if middle { "middle".into() } else { format!("{}ern", compass(dx, dy)) }
    }

    /// Whether another site has the same description and can be in the same control circle.
    fn is_twin(&self, other: &Self) -> bool {
        (self.kind, self.corner) == (other.kind, other.corner)
            && self.place != other.place
            && distance(self.place, other.place) < TWINS_M as f64
    }
}

/// The direction of the compass from one place to another.
pub(super) fn direction(from: Place, to: Place) -> &'static str {
    compass((to.0 - from.0) as f64, (to.1 - from.1) as f64)
}

/// The direction of the compass of a step to the east and to the north.
fn compass(dx: f64, dy: f64) -> &'static str {
    let eighth = (math::atan2(dx, dy).to_degrees() / 45.0).round() as i64;
    COMPASS[eighth.rem_euclid(8) as usize]
}

/// Distance between two places in metres.
pub(super) fn distance(a: Place, b: Place) -> f64 {
    let (dx, dy) = ((a.0 - b.0) as f64, (a.1 - b.1) as f64);
    (dx * dx + dy * dy).sqrt()
}

/// The kind of site that a point feature is; cones and rockets can be moved and are none.
fn kind_of(map: &Map, feature: Feature, place: Place) -> Option<Kind> {
    Some(match feature {
        Feature::Boulder => Kind::Boulder,
        Feature::Knoll => Kind::Knoll,
        Feature::Mine if map.world.shaft(place).mouth.is_some() => Kind::Cave,
        Feature::Mine => Kind::MineShaft,
        Feature::Waterhole => Kind::Waterhole,
        Feature::Root => Kind::Rootstock,
        Feature::X => Kind::ManMade,
        Feature::T => Kind::PhoneBox,
        Feature::None | Feature::Cone | Feature::Rocket | Feature::Building => return None,
    })
}

/// Indices in a line of points where it turns most: at least by the angle of which `cosine` is the cosine, between the directions
/// `step` points back and `step` points ahead.
fn bends(points: &[(f64, f64)], (step, cosine): (usize, f64)) -> Vec<usize> {
    let turn = |i: usize| {
        let (a, b, c) = (points[i - step], points[i], points[i + step]);
        let (u, v) = ((b.0 - a.0, b.1 - a.1), (c.0 - b.0, c.1 - b.1));
        let long = ((u.0 * u.0 + u.1 * u.1) * (v.0 * v.0 + v.1 * v.1)).sqrt();
        if long > 0.0 { (u.0 * v.0 + u.1 * v.1) / long } else { 1.0 }
    };
    let last = points.len().saturating_sub(step);
    let turns: Vec<f64> = (step..last).map(turn).collect();
    let sharpest = |k: usize| {
        let near = k.saturating_sub(step)..(k + step + 1).min(turns.len());
        near.into_iter().all(|j| turns[j] > turns[k] || (turns[j] == turns[k] && j >= k))
    };
    (0..turns.len()).filter(|&k| turns[k] <= cosine && sharpest(k)).map(|k| k + step).collect()
}

impl Map {
    /// The surface at a place, if it is within the window.
    pub(super) fn surface_at(&self, place: Place) -> Option<Terrain> {
        Terrain::of_code(self.surface[self.window.cell(place)?])
    }

    /// Whether a runner can stand at a place: not in a building, not in a lake and not outside the window.
    pub(super) fn can_stand(&self, place: Place) -> bool {
        let dry = |cell| self.survey.depth[cell] == 0.0 || self.surface[cell] == Terrain::Bridge as u8;
        self.window.cell(place).is_some_and(|cell| dry(cell) && self.footing(cell) != Footing::Closed)
    }

    /// Everything in the window that a control can be described by, by kind.
    pub(super) fn all_sites(&self, ctx: &Ctx) -> weald_core::Result<Vec<Site>> {
        let mut sites = self.point_sites();
        sites.extend(self.corner_sites());
        sites.extend(self.road_sites());
        sites.extend(self.stream_sites());
        sites.extend(self.shape_sites(ctx)?);
        // Roads that meet each bring the place where they do.
        let mut seen = BTreeSet::new();
        sites.retain(|s| seen.insert((s.place, s.kind, s.corner)));
        Ok(sites)
    }

    /// Everything in the window at which a control can stand, by kind: not in lakes and buildings, and no two like features within one
    /// control circle.
    pub(super) fn control_sites(&self, ctx: &Ctx) -> weald_core::Result<Vec<Site>> {
        let sites = self.all_sites(ctx)?;
        let found = sites.iter().zip(alone(&sites)).filter(|(s, alone)| *alone && self.can_stand(s.place));
        Ok(found.map(|(site, _)| *site).collect())
    }

    /// Places where a course can start or end: on roads, paths, paved and open ground; in a world that has none of them, wherever
    /// one can run.
    pub(super) fn start_sites(&self) -> Vec<Site> {
        let of = |place: Place| {
            let kind = match self.surface_at(place)? {
                Terrain::Road => Kind::Road,
                Terrain::Path => Kind::Path,
                Terrain::Town => Kind::Paved,
                Terrain::Grass => Kind::OpenLand,
                Terrain::Wood | Terrain::Moor | Terrain::Z => Kind::Wood,
                _ => return None,
            };
            (self.can_stand(place)).then_some(Site::new(place, kind))
        };
        let [west, east, south, north] = self.window.bounds();
        let along = |a: i64, b: i64| {
            (a.div_euclid(START_GRID_M)..=b.div_euclid(START_GRID_M)).map(|k| k * START_GRID_M)
        };
        let mut all: Vec<Site> = Vec::new();
        for road in &self.roads {
            let places = road.points.iter().step_by(3).map(|p| on(road.start, *p));
            all.extend(places.filter_map(of).filter(|s| s.kind == Kind::Road));
        }
        for y in along(south, north) {
            all.extend(along(west, east).filter_map(|x| of((x, y))));
        }
        if all.iter().any(|s| s.kind != Kind::Wood) {
            all.retain(|s| s.kind != Kind::Wood);
        }
        all
    }

    fn point_sites(&self) -> Vec<Site> {
        let width = self.window.width;
        let found = self.survey.feature.cells().iter().enumerate().filter(|(_, code)| **code != 0);
        found
            .filter_map(|(i, &code)| {
                let place = self.window.place(i % width, i / width);
                Some(Site::new(place, kind_of(self, Feature::of_code(code)?, place)?))
            })
            .collect()
    }

    /// Outer corners of buildings, where no other building is near.
    fn corner_sites(&self) -> Vec<Site> {
        let out = BUILDING_HALF_M + 1;
        let mut sites = Vec::new();
        for building in &self.buildings {
            let (x, y) = building.place;
            for (corner, (dx, dy)) in [(1, (1, 1)), (3, (1, -1)), (5, (-1, -1)), (7, (-1, 1))] {
                let place = (x + dx * out, y + dy * out);
                let near = |b: &&super::wood::Building| {
                    (b.place.0 - place.0).abs() <= 2 * out && (b.place.1 - place.1).abs() <= 2 * out
                };
                if self.buildings.iter().filter(near).count() == 1 {
                    sites.push(Site { place, kind: Kind::Building, corner: Some(corner) });
                }
            }
        }
        sites
    }

    fn road_sites(&self) -> Vec<Site> {
        let mut sites = Vec::new();
        for (i, road) in self.roads.iter().enumerate() {
            let place = |k: usize| on(road.start, road.points[k]);
            let last = road.points.len() - 1;
            match road.end {
                RoadEnd::Road => sites.push(Site::new(place(last), Kind::RoadJunction)),
                RoadEnd::Length => sites.push(Site::new(place(last), Kind::RoadEnd)),
                RoadEnd::Lake | RoadEnd::Town => {}
            }
            let branches = self.roads.iter().filter(|r| r.start == road.start).count();
            let first = self.roads[..i].iter().all(|r| r.start != road.start);
            if first && branches >= 3 {
                sites.push(Site::new(road.start, Kind::RoadJunction));
            }
            let bends = bends(&road.points, ROAD_BEND).into_iter();
            sites.extend(bends.map(|k| Site::new(place(k), Kind::RoadBend)));
        }
        // In a town and on a shore there is no road to see.
        sites.retain(|s| matches!(self.surface_at(s.place), Some(Terrain::Road)));
        sites
    }

    fn stream_sites(&self) -> Vec<Site> {
        let mut sites = Vec::new();
        for stream in &self.streams {
            let points: Vec<(f64, f64)> = stream.points.iter().map(|p| (p.0 as f64, p.1 as f64)).collect();
            let bends = bends(&points, STREAM_BEND).into_iter().map(|k| stream.points[k]);
            let bends = bends.filter(|&p| self.surface_at(p) == Some(Terrain::Stream));
            sites.extend(bends.map(|place| Site::new(place, Kind::StreamBend)));
            let shown = |p: &&Place| self.surface_at(**p) == Some(Terrain::Stream);
            match stream.end {
                StreamEnd::Lake => {
                    let last = stream.points.iter().rev().take(4).find(shown);
                    sites.extend(last.map(|&place| Site::new(place, Kind::StreamEnd)));
                }
                StreamEnd::Hollow => {
                    let last = stream.points[stream.points.len() - 1];
                    let wet = matches!(self.surface_at(last), Some(Terrain::Marsh | Terrain::Stream));
                    sites.extend(wet.then_some(Site::new(last, Kind::Marsh)));
                }
                StreamEnd::Limit => {}
            }
        }
        sites
    }

    /// Hills, depressions, spurs and re-entrants, from the heights alone.
    fn shape_sites(&self, ctx: &Ctx) -> weald_core::Result<Vec<Site>> {
        let [west, east, south, north] = self.window.bounds();
        let (first, last) = (west.div_euclid(GRID_M) + 1, east.div_euclid(GRID_M));
        let (top, bottom) = (north.div_euclid(GRID_M), south.div_euclid(GRID_M) + 1);
        let (width, height) = ((last - first + 1).max(0) as usize, (top - bottom + 1).max(0) as usize);
        let place = |c: usize, r: usize| ((first + c as i64) * GRID_M, (top - r as i64) * GRID_M);
        let found = par::fill(width, height, ctx, |r, row: &mut [Option<(Kind, f64)>]| {
            for (c, out) in row.iter_mut().enumerate() {
                *out = self.shape(place(c, r));
            }
        })?;
        let mut sites = Vec::new();
        for (i, shape) in found.cells().iter().enumerate() {
            let Some((kind, clear)) = *shape else { continue };
            let (c, r) = (i % width, i / width);
            let rows = r.saturating_sub(NEAREST as usize)..(r + NEAREST as usize + 1).min(height);
            let clearest = rows.into_iter().all(|y| {
                let columns = c.saturating_sub(NEAREST as usize)..(c + NEAREST as usize + 1).min(width);
                columns.into_iter().all(|x| match found[(x, y)] {
                    Some((k, other)) if k == kind => other < clear || (other == clear && (y, x) >= (r, c)),
                    _ => true,
                })
            });
            if clearest {
                sites.push(Site::new(place(c, r), kind));
            }
        }
        Ok(sites)
    }

    /// The shape of the ground at a place, and how clear it is in height units.
    fn shape(&self, (x, y): Place) -> Option<(Kind, f64)> {
        let level = self.world.water_level();
        let (x, y) = (x as f64, y as f64);
        let ground = |dx: f64, dy: f64| self.world.ground_height(x + dx, y + dy).max(level);
        let here = ground(0.0, 0.0);
        if here <= level {
            return None;
        }
        let (e, n) = (
            (ground(10.0, 0.0) - ground(-10.0, 0.0)) / 20.0,
            (ground(0.0, 10.0) - ground(0.0, -10.0)) / 20.0,
        );
        let slope = (e * e + n * n).sqrt();
        if slope >= LEAST_SLOPE {
            let (ax, ay) = (-n / slope * ACROSS_M, e / slope * ACROSS_M);
            let sides = [ground(ax, ay) - here, ground(-ax, -ay) - here];
            let (low, high) = (sides[0].min(sides[1]), sides[0].max(sides[1]));
            return match () {
                () if low >= SHAPE => Some((Kind::Reentrant, low)),
                () if high <= -SHAPE => Some((Kind::Spur, -high)),
                () => None,
            };
        }
        let d = ACROSS_M / std::f64::consts::SQRT_2;
        let around = [
            (ACROSS_M, 0.0),
            (d, d),
            (0.0, ACROSS_M),
            (-d, d),
            (-ACROSS_M, 0.0),
            (-d, -d),
            (0.0, -ACROSS_M),
            (d, -d),
        ];
        let rise = around.map(|(dx, dy)| ground(dx, dy) - here);
        let (low, high) =
            rise.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
        match () {
            () if high <= -SHAPE => Some((Kind::Hill, -high)),
            () if low >= SHAPE => Some((Kind::Depression, low)),
            () => None,
        }
    }
}

/// Which sites have no twin.
fn alone(sites: &[Site]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..sites.len()).collect();
    order.sort_by_key(|&i| (sites[i].place.1, i));
    let mut alone = vec![true; sites.len()];
    for (k, &i) in order.iter().enumerate() {
        for &j in &order[k + 1..] {
            if sites[j].place.1 - sites[i].place.1 >= TWINS_M {
                break;
            }
            if sites[i].is_twin(&sites[j]) {
                (alone[i], alone[j]) = (false, false);
            }
        }
    }
    alone
}

/// The whole place at an offset east and north of another.
fn on((x, y): Place, (dx, dy): (f64, f64)) -> Place {
    (x + dx.round() as i64, y + dy.round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_bends_where_it_turns_most_and_nowhere_else() {
        let corner: Vec<(f64, f64)> =
            (0..10).map(|k| (k as f64 * 5.0, 0.0)).chain((1..10).map(|k| (45.0, k as f64 * 5.0))).collect();
        assert_eq!(bends(&corner, STREAM_BEND), [9]);
        let straight: Vec<(f64, f64)> = (0..20).map(|k| (k as f64 * 5.0, k as f64)).collect();
        assert!(bends(&straight, STREAM_BEND).is_empty());
        assert!(bends(&corner[..5], STREAM_BEND).is_empty());
    }

    #[test]
    fn directions_are_those_of_a_map_with_north_up() {
        let names = [(0, 5), (5, 5), (5, 0), (5, -5), (0, -5), (-5, -5), (-5, 0), (-5, 5)];
        assert_eq!(names.map(|to| direction((0, 0), to)), COMPASS);
    }

    #[test]
    fn what_stands_above_the_ground_has_sides_and_a_hollow_has_an_edge() {
        let part = |kind| Site::new((0, 0), kind).part((0, -100), (0, 0));
        let raised = [Kind::Boulder, Kind::Knoll, Kind::Rootstock, Kind::ManMade, Kind::PhoneBox];
        assert!(raised.iter().all(|&kind| part(kind) == "north side"));
        assert_eq!([Kind::MineShaft, Kind::Waterhole].map(part), ["north edge"; 2]);
        assert_eq!([Kind::Cave, Kind::Depression, Kind::Reentrant, Kind::RoadBend].map(part), [""; 4]);
        assert_eq!(Site::new((0, 0), Kind::Boulder).part((0, -100), (3, 0)), "east side");
    }

    #[test]
    fn like_features_within_one_control_circle_are_no_sites_and_are_told_apart() {
        let at = |x, kind| Site::new((x, 0), kind);
        let sites = [
            at(0, Kind::Boulder),
            at(37, Kind::Boulder),
            at(37, Kind::Knoll),
            at(77, Kind::Boulder),
            at(200, Kind::RoadJunction),
            at(220, Kind::RoadBend),
            at(230, Kind::RoadEnd),
        ];
        assert_eq!(alone(&sites), [false, false, true, true, true, true, true]);
        assert_eq!([0, 1, 3, 4].map(|i| sites[i].which(&sites)), ["western", "eastern", "", ""]);
        let row = [at(0, Kind::Knoll), at(20, Kind::Knoll), at(39, Kind::Knoll)];
        assert_eq!([0, 1, 2].map(|i| row[i].which(&row)), ["western", "middle", "eastern"]);
    }
}
