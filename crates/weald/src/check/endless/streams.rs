//! Streams: from a pond down to a lake or a depression.

use super::Rule;
use super::lines::{Shape, whole};
use super::names::WATERHOLE;
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;
use std::collections::BTreeSet;

/// A stream is shown from this number of points on.
const SHOWN: usize = 11;
/// How far to each side the next point is looked for.
const REACH: i64 = 5;
/// How far from its pond a stream goes.
const LIMIT: i64 = 512;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "stream-start",
        about: "a stream starts at a pond, one for each, and has more than ten points",
        needs: &["streams.geojson"],
        run: start,
    },
    Rule {
        name: "stream-down",
        about: "each step of a stream stays in the square of 11 by 11 and goes strictly down, to no lake before its end",
        needs: &["streams.geojson"],
        run: down,
    },
    Rule {
        name: "stream-lowest",
        about: "each step of a stream goes to the lowest point of the square",
        needs: &["streams.geojson"],
        run: lowest,
    },
    Rule {
        name: "stream-end",
        about: "a stream ends as it says: in a lake, in a depression with nothing lower around, or 512 m from its pond",
        needs: &["streams.geojson"],
        run: end,
    },
    Rule {
        name: "stream-complete",
        about: "every pond whose stream is long enough and comes to the window has its stream, if the parameter streams is true",
        needs: &["streams.geojson"],
        run: complete,
    },
];

/// The points of a stream as whole places; None if one is not.
fn places(s: &Shape) -> Option<Vec<(i64, i64)>> {
    s.points.iter().map(|&p| whole(p)).collect()
}

fn tell(s: &Shape) -> String {
    format!("the stream from {}", super::roads::first(s))
}

/// The lowest height of the square around a place. None if a part of it is not known.
fn floor_around(w: &Window, x: i64, y: i64) -> Option<f64> {
    let mut least = f64::INFINITY;
    for dy in -REACH..=REACH {
        for dx in -REACH..=REACH {
            least = least.min(w.ground(x + dx, y + dy)?);
        }
    }
    Some(least)
}

fn start(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let mut seen = BTreeSet::new();
    for s in w.shapes("streams") {
        let at = s.start();
        let told = s.whole("pond_x").zip(s.whole("pond_y"));
        let place = at.and_then(|p| w.column_row(p));
        rule.check(at.is_some() && at == told, place, || format!("{} says its pond is at {told:?}", tell(s)));
        let Some((x, y)) = at else { continue };
        rule.check(seen.insert((x, y)), place, || format!("{} is there twice", tell(s)));
        rule.check(s.points.len() >= SHOWN, place, || format!("{} has {} points", tell(s), s.points.len()));
        if let Some(feature) = w.feature(x, y) {
            rule.check(feature == WATERHOLE, place, || format!("{} starts at no pond", tell(s)));
        }
    }
    Ok(())
}

fn down(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for s in w.shapes("streams") {
        let Some(points) = places(s) else {
            rule.check(false, None, || format!("{} leaves the whole places", tell(s)));
            continue;
        };
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let near = (x1 - x0).abs() <= REACH && (y1 - y0).abs() <= REACH;
            rule.check(near, w.column_row(pair[0]), || {
                format!("{} leaps from {x0},{y0} to {x1},{y1}", tell(s))
            });
            let Some(h0) = w.ground(x0, y0) else { continue };
            rule.check(h0 >= w.p.lake_level - w.slack(), w.column_row(pair[0]), || {
                format!("{} continues in the lake at {x0},{y0}", tell(s))
            });
            let Some(h1) = w.ground(x1, y1) else { continue };
            rule.check(h1 < h0 + w.slack(), w.column_row(pair[1]), || {
                format!("{} goes up from {h0} to {h1} at {x1},{y1}", tell(s))
            });
        }
    }
    Ok(())
}

fn lowest(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for s in w.shapes("streams") {
        for pair in places(s).unwrap_or_default().windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let (Some(least), Some(h)) = (floor_around(w, x0, y0), w.ground(x1, y1)) else { continue };
            rule.check((h - least).abs() <= w.slack(), w.column_row(pair[1]), || {
                format!("{} goes to {h} at {x1},{y1}, though there is {least} around {x0},{y0}", tell(s))
            });
        }
    }
    Ok(())
}

fn end(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for s in w.shapes("streams") {
        let Some(points) = places(s) else { continue };
        let (Some(&(px, py)), Some(&(x, y))) = (points.first(), points.last()) else { continue };
        let (said, place) = (s.word("end"), w.column_row((x, y)));
        let inside = |&(x, y): &(i64, i64)| (x - px).abs() <= LIMIT && (y - py).abs() <= LIMIT;
        rule.check(points.iter().all(inside), place, || format!("{} goes further than 512 m", tell(s)));
        let (here, around) = (w.ground(x, y), floor_around(w, x, y));
        let in_lake = here.map(|h| h < w.p.lake_level + w.slack());
        let hollow = here.zip(around).map(|(h, least)| least >= h - w.slack());
        let good = match said {
            "lake" => in_lake.unwrap_or(true),
            "hollow" => hollow.unwrap_or(true) && !here.is_some_and(|h| h < w.p.lake_level - w.slack()),
            "limit" => {
                let (dx, dy) = ((x - px).abs() + REACH, (y - py).abs() + REACH);
                dx * dx + dy * dy > LIMIT * LIMIT && hollow != Some(true)
            }
            _ => false,
        };
        rule.check(good, place, || format!("{} ends at {x},{y}, which is no \"{said}\"", tell(s)));
    }
    Ok(())
}

/// Follows the water from a pond. None as soon as something is not known, or two lowest points are as low.
fn follow(w: &Window, x: i64, y: i64) -> Option<Vec<(i64, i64)>> {
    let mut line = vec![(x, y)];
    let (mut x, mut y, mut h) = (x, y, w.ground(x, y)?);
    while h >= w.p.lake_level {
        let (mut best, mut even) = ((h, x, y), false);
        for dy in -REACH..=REACH {
            for dx in -REACH..=REACH {
                let here = w.ground(x + dx, y + dy)?;
                even = here == best.0 || (even && here > best.0);
                if here < best.0 {
                    best = (here, x + dx, y + dy);
                }
            }
        }
        let far = (best.1 - line[0].0).abs().max((best.2 - line[0].1).abs()) > LIMIT;
        if best.0 >= h || far {
            break;
        }
        if even {
            return None;
        }
        (h, x, y) = best;
        line.push((x, y));
    }
    Some(line)
}

fn complete(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let there: BTreeSet<_> = w.shapes("streams").iter().filter_map(Shape::start).collect();
    if !w.p.streams || w.p.bleak {
        rule.check(there.is_empty(), None, || {
            format!("{} streams although the parameter streams is false", there.len())
        });
        return Ok(());
    }
    let margin = if w.formula.is_some() { LIMIT } else { 0 };
    let (x0, y0) = (w.p.at.x, w.p.at.y);
    for y in y0 - w.rows as i64 + 1 - margin..=y0 + margin {
        for x in x0 - margin..x0 + w.columns as i64 + margin {
            if w.feature(x, y) != Some(WATERHOLE) {
                continue;
            }
            let Some(line) = follow(w, x, y) else { continue };
            let shown = line.len() >= SHOWN;
            let comes = line.iter().any(|&(x, y)| w.index(x, y).is_some());
            let found = there.contains(&(x, y));
            rule.check(found || !(shown && comes), w.column_row((x, y)), || {
                format!("the pond at {x},{y} has no stream, though water runs {} points", line.len())
            });
        }
    }
    Ok(())
}
