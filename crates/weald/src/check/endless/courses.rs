//! Where roads go: the course of a road of the original world, and how roads end.

use super::formula;
use super::names::CONE;
use super::roads::{BRIDGE_LENGTH, EPS, LONGEST, blur, distance, spot, tell, told_start, turn, wet};
use super::surface::within;
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;
use std::f64::consts::TAU;
use weald_core::math;

/// The length of a step.
pub(super) const STEP: f64 = 10.0;
/// How far a step may turn from the one before.
pub(super) const TURN: f64 = 0.09;

type Point = (f64, f64);

/// How many branches start at a cone, and the bearing of one of them, from north over east.
fn first_bearing(x: i64, y: i64, branch: i64) -> (i64, f64) {
    let byte = formula::road_bits(x, y) & 255;
    let count = match byte & 3 {
        0 => 3,
        n => n + 1,
    };
    (count, branch as f64 * TAU / count as f64 + 0.01 * byte as f64)
}

fn ahead(p: Point, bearing: f64, far: f64) -> Point {
    (p.0 + far * math::sin(bearing), p.1 + far * math::cos(bearing))
}

/// Change of height over a step.
fn change(w: &Window, p: Point, bearing: f64) -> f64 {
    let (q, f) = (ahead(p, bearing, STEP), w.original());
    (f.ground_between(q.0, q.1) - f.ground_between(p.0, p.1)).abs()
}

/// The bearing of the next step on dry land.
fn choose(w: &Window, p: Point, bearing: f64) -> f64 {
    let all = [bearing, bearing - TURN, bearing + TURN];
    let least = |a: f64, b: f64| if change(w, p, b) < change(w, p, a) { b } else { a };
    all.into_iter().reduce(least).unwrap_or(bearing)
}

/// Steps over water from `p`, which is dry, in a straight line to the next dry point, if a bridge can span it.
fn over_water(w: &Window, p: Point, bearing: f64) -> Option<Vec<Point>> {
    let mut line = Vec::new();
    let mut here = p;
    if !w.p.bridges {
        // Every quarter of the step must be dry.
        let dry = (1..=4).all(|k| wet(w, ahead(p, bearing, STEP * f64::from(k) / 4.0)) == Some(false));
        return dry.then(|| vec![ahead(p, bearing, STEP)]);
    }
    for _ in 0..(BRIDGE_LENGTH / STEP) as usize {
        here = ahead(here, bearing, STEP);
        line.push(here);
        if wet(w, here) == Some(false) {
            return Some(line);
        }
    }
    None
}

/// The most steps of a bridge.
const BRIDGE_STEPS: usize = 6;

/// Whether a point is in a town; None if that cannot be told.
pub(super) fn town(w: &Window, p: Point) -> Option<bool> {
    w.formula.as_ref().map(|f| f.town_between(p.0, p.1))
}

/// The course of a branch, if no other road ended it.
fn course(w: &Window, (x, y): (i64, i64), branch: i64) -> Vec<Point> {
    let mut bearing = first_bearing(x, y, branch).1;
    let mut line = vec![(x as f64, y as f64)];
    let mut here = line[0];
    while line.len() < LONGEST {
        bearing = choose(w, here, bearing);
        let Some(steps) = over_water(w, here, bearing) else { break };
        line.extend(steps);
        here = line[line.len() - 1];
        if town(w, here) != Some(false) {
            break;
        }
    }
    line
}

/// Every step has the bearing of the document.
pub(super) fn original(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for s in w.shapes("roads") {
        let (Some((x, y)), Some(branch)) = (s.start(), s.whole("branch")) else { continue };
        let (count, mut bearing) = first_bearing(x, y, branch);
        rule.check((0..count).contains(&branch), spot(w, s.points[0]), || {
            format!("{} is one of {count}", tell(s))
        });
        for i in 1..s.points.len() {
            let (p, q) = (s.points[i - 1], s.points[i]);
            if distance(p, q) < 1e-3 {
                continue;
            }
            let angle = turn(ahead(p, bearing, -STEP), p, q);
            let straight = wet(w, p) == Some(true);
            // A turn to the left makes the bearing smaller.
            let taken =
                [0.0, -TURN, TURN].into_iter().find(|t| (angle + t).abs() < 1e-5 + blur(p) / distance(p, q));
            let least = change(w, p, choose(w, p, bearing)) + 1e-9;
            let good =
                taken.is_some_and(|t| if straight { t == 0.0 } else { change(w, p, bearing + t) <= least });
            rule.check(good, spot(w, p), || {
                format!("{} turns by {} at {p:?}, against the rule", tell(s), -angle)
            });
            bearing += taken.unwrap_or(0.0);
        }
    }
    complete(w, rule);
    Ok(())
}

/// Every cone of the window has all its branches that get further than a step.
fn complete(w: &Window, rule: &mut RuleResult) {
    let roads = w.shapes("roads");
    w.each(|i, x, y| {
        if !w.p.roads
            || w.feature(x, y) != Some(CONE)
            || !formula::has_bits(x, y)
            || w.placed.things.contains_key(&(x, y))
        {
            return;
        }
        for branch in 0..first_bearing(x, y, 0).0 {
            let there = roads.iter().any(|s| s.start() == Some((x, y)) && s.whole("branch") == Some(branch));
            let wanted = there || course(w, (x, y), branch).len() > 1;
            rule.check(there == wanted, Some(w.cell(i)), || {
                format!("branch {branch} from the cone at {x},{y} is missing")
            });
        }
    });
}

/// Every road ends as it says.
pub(super) fn end(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for s in w.shapes("roads") {
        let count = s.points.len();
        if count < 2 {
            continue;
        }
        let (before, last) = (s.points[count - 2], s.points[count - 1]);
        let bearing = math::atan2(last.0 - before.0, last.1 - before.1);
        let good = match s.word("end") {
            // A bridge that would make it longer than it may be is not begun.
            "length" if w.formula.is_none() => count + BRIDGE_STEPS > LONGEST,
            "length" => {
                let next = choose(w, last, bearing);
                count + over_water(w, last, next).map_or(0, |steps| steps.len()) > LONGEST
            }
            "town" => town(w, last) != Some(false),
            "lake" if w.formula.is_none() => wet(w, last) != Some(true),
            "lake" => {
                let next = choose(w, last, bearing);
                let dry = wet(w, last) == Some(false) && town(w, last) != Some(true);
                let shore = !w.p.bridges || wet(w, ahead(last, next, STEP)) == Some(true);
                dry && shore && over_water(w, last, next).is_none()
            }
            // All roads that come into the window are in the file.
            "road" if spot(w, last).is_none() => true,
            "road" => w
                .shapes("roads")
                .iter()
                .filter(|other| told_start(other) != told_start(s))
                .any(|other| other.points.windows(2).any(|p| within(last, p[0], p[1], EPS + blur(last)))),
            _ => false,
        };
        rule.check(good, spot(w, last), || {
            format!("{} ends at {last:?}, which is no \"{}\"", tell(s), s.word("end"))
        });
    }
    Ok(())
}
