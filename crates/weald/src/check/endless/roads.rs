//! Roads from cones, their bridges, and roads drawn by hand. What they are like is here, where they go in `courses`.

use super::Rule;
use super::courses::{self, STEP, TURN};
use super::lines::Shape;
use super::names::CONE;
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;
use std::collections::BTreeSet;

/// The greatest number of points.
pub(super) const LONGEST: usize = 100;
/// The longest bridge.
pub(super) const BRIDGE_LENGTH: f64 = 60.0;
/// How exactly places are compared.
pub(super) const EPS: f64 = 1e-6;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "road-start",
        about: "roads start at cones, each branch once, and only if the parameter roads is true",
        needs: &["roads.geojson"],
        run: start,
    },
    Rule {
        name: "road-shape",
        about: "a road has up to 100 points 10 m apart, the last may be nearer, and turns by at most 0.09",
        needs: &["roads.geojson"],
        run: shape,
    },
    Rule {
        name: "original-road",
        about: "seed 0: a road takes the bearing with the least change of height, from the one its cone gives; straight over water",
        needs: &["roads.geojson", "formula"],
        run: courses::original,
    },
    Rule {
        name: "road-end",
        about: "a road ends as it says: at a road, before a lake, in a town or after 100 points",
        needs: &["roads.geojson"],
        run: courses::end,
    },
    Rule {
        name: "bridge",
        about: "roads cross water only on bridges, which are parts of a road of at most 60 m; none where the parameter bridges is false",
        needs: &["bridges.geojson", "roads.geojson"],
        run: bridge,
    },
    Rule {
        name: "drawn-roads",
        about: "roads drawn by hand are those that were placed",
        needs: &["drawn_roads.geojson"],
        run: drawn,
    },
];

/// Where a road says it starts.
pub(super) fn told_start(s: &Shape) -> Option<(i64, i64)> {
    s.whole("start_x").zip(s.whole("start_y"))
}

/// Which road it is.
pub(super) fn first(s: &Shape) -> String {
    s.points.first().map_or("nowhere".to_owned(), |p| format!("{},{}", p.0, p.1))
}

/// A road, for messages.
pub(super) fn tell(s: &Shape) -> String {
    let branch = s.whole("branch").map_or_else(String::new, |b| format!(", branch {b}"));
    format!("the road from {}{branch}", first(s))
}

/// The angle between two steps, and the length of the second.
pub(super) fn turn(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    let (ux, uy, vx, vy) = (b.0 - a.0, b.1 - a.1, c.0 - b.0, c.1 - b.1);
    weald_core::math::atan2(ux * vy - uy * vx, ux * vx + uy * vy)
}

/// How far two points are apart.
pub(super) fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    (dx * dx + dy * dy).sqrt()
}

/// How exactly a point can be told so far out.
pub(super) fn blur(p: (f64, f64)) -> f64 {
    8.0 * f64::EPSILON * p.0.abs().max(p.1.abs())
}

/// The column and row of a point.
pub(super) fn spot(w: &Window, p: (f64, f64)) -> Option<(usize, usize)> {
    w.column_row((p.0.round() as i64, p.1.round() as i64))
}

/// What holds for all four whole places around a point: Some(true), for none: Some(false), else None.
fn corners(p: (f64, f64), test: impl Fn(i64, i64) -> Option<bool>) -> Option<bool> {
    let (x, y) = (p.0.floor() as i64, p.1.floor() as i64);
    let all = [test(x, y)?, test(x + 1, y)?, test(x, y + 1)?, test(x + 1, y + 1)?];
    all.iter().all(|&v| v == all[0]).then_some(all[0])
}

/// Whether a point lies in water; None if that cannot be told.
pub(super) fn wet(w: &Window, p: (f64, f64)) -> Option<bool> {
    match &w.formula {
        Some(formula) => Some(formula.ground_between(p.0, p.1) < w.p.lake_level),
        None => corners(p, |x, y| Some(w.ground(x, y)? < w.p.lake_level)),
    }
}

fn start(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let mut seen = BTreeSet::new();
    let roads = w.shapes("roads");
    rule.check(w.p.roads || roads.is_empty(), None, || {
        format!("{} roads although the parameter roads is false", roads.len())
    });
    for s in roads {
        let at = s.start();
        let place = at.and_then(|p| w.column_row(p));
        rule.check(at.is_some() && at == told_start(s), place, || {
            format!("{} says it starts at {:?}", tell(s), told_start(s))
        });
        let Some((x, y)) = at else { continue };
        rule.check(seen.insert((x, y, s.whole("branch"))), place, || format!("{} is there twice", tell(s)));
        // What was placed there may hide the cone.
        let hidden = w.placed.things.contains_key(&(x, y)) || w.placed.covered(x, y);
        if let Some(feature) = w.feature(x, y).filter(|_| !hidden) {
            rule.check(feature == CONE, place, || format!("{} starts at no cone", tell(s)));
        }
    }
    Ok(())
}

fn shape(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for s in w.shapes("roads") {
        let p = &s.points;
        let count = p.len();
        let first = p.first().and_then(|&p| spot(w, p));
        rule.check((2..=LONGEST).contains(&count), first, || format!("{} has {count} points", tell(s)));
        for i in 1..count {
            let length = distance(p[i - 1], p[i]);
            let blur = blur(p[i]);
            let good =
                (length - STEP).abs() < EPS + blur || (i + 1 == count && length > 0.0 && length < STEP);
            rule.check(good, spot(w, p[i]), || format!("{} has a step of {length} m", tell(s)));
            if i >= 2 && length > 1e-3 {
                let angle = turn(p[i - 2], p[i - 1], p[i]).abs();
                let slack = EPS + blur / length;
                let good = angle < slack || (angle - TURN).abs() < slack;
                rule.check(good, spot(w, p[i]), || format!("{} turns by {angle}", tell(s)));
            }
        }
    }
    Ok(())
}

/// Whether something was placed at the point, which may be in a lake.
fn placed(w: &Window, p: (f64, f64)) -> bool {
    w.placed.things.keys().any(|&(x, y)| (x as f64, y as f64) == p)
}

fn bridge(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let bridges = w.shapes("bridges");
    rule.check(w.p.bridges || bridges.is_empty(), None, || {
        format!("{} bridges although the parameter bridges is false", bridges.len())
    });
    for b in bridges {
        let (Some(&first), Some(&last)) = (b.points.first(), b.points.last()) else { continue };
        let place = spot(w, first);
        let part = |s: &Shape| {
            told_start(s) == told_start(b) && s.points.windows(b.points.len()).any(|p| p == b.points)
        };
        rule.check(w.shapes("roads").iter().any(part), place, || {
            format!("the bridge from {first:?} is no part of a road")
        });
        let span: f64 = b.points.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
        rule.check(span <= BRIDGE_LENGTH + EPS + 8.0 * blur(first), place, || {
            format!("the bridge from {first:?} spans {span} m")
        });
        for pair in b.points.windows(2) {
            let land = pair.iter().all(|&p| wet(w, p) == Some(false));
            rule.check(!land, spot(w, pair[0]), || {
                format!("the bridge from {first:?} goes over land at {:?}", pair[0])
            });
        }
        let dry = [first, last].iter().all(|&p| wet(w, p) != Some(true) || placed(w, p));
        rule.check(dry, place, || format!("the bridge from {first:?} does not lead to dry land"));
    }
    for s in w.shapes("roads") {
        for &p in &s.points {
            let Some(place) = spot(w, p) else { continue };
            let carried = || bridges.iter().any(|b| told_start(b) == told_start(s) && b.points.contains(&p));
            rule.check(wet(w, p) != Some(true) || carried() || placed(w, p), Some(place), || {
                format!("{} goes through water at {p:?}", tell(s))
            });
            let town = courses::town(w, p) == Some(true);
            rule.check(!town || s.points.last() == Some(&p), Some(place), || {
                format!("{} continues in the town at {p:?}", tell(s))
            });
        }
    }
    Ok(())
}

fn drawn(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let shapes = w.shapes("drawn_roads");
    for s in shapes {
        rule.check(w.placed.roads.contains(&s.points), None, || format!("{} was not drawn", tell(s)));
    }
    for road in &w.placed.roads {
        let comes = road.iter().any(|&p| spot(w, p).is_some());
        rule.check(!comes || shapes.iter().any(|s| s.points == *road), None, || {
            format!("the road drawn from {:?} is missing", road[0])
        });
    }
    Ok(())
}
