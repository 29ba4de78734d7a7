//! The surface: terrain with marshes, streams, roads, bridges and buildings on it, in this order.

use super::Rule;
use super::lines::Shape;
use super::names::{BRIDGE, BUILDING, LAKE, MARSH, NONE, PATH, ROAD, STREAM, TERRAINS, TOWN};
use super::settings::ROAD_HALF;
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;

/// Half the width of a stream.
const STREAM_HALF: f64 = 1.5;
/// Half the side of a marsh, without the centre.
const MARSH_HALF: i64 = 4;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[Rule {
    name: "surface",
    about: "the surface is the terrain with marshes, streams, roads, bridges and buildings drawn on it",
    needs: &["surface", "terrain", "height", "streams.geojson", "roads.geojson", "buildings.geojson"],
    run: surface,
}];

/// Whether `p` is at most `half` from the line between `a` and `b`, without a division.
pub(super) fn within(p: (f64, f64), a: (f64, f64), b: (f64, f64), half: f64) -> bool {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (px, py) = (p.0 - a.0, p.1 - a.1);
    let (length2, dot) = (dx * dx + dy * dy, px * dx + py * dy);
    if dot <= 0.0 {
        return px * px + py * py <= half * half;
    }
    if dot >= length2 {
        let (qx, qy) = (p.0 - b.0, p.1 - b.1);
        return qx * qx + qy * qy <= half * half;
    }
    let cross = px * dy - py * dx;
    cross * cross <= half * half * length2
}

/// Calls `visit` for the cells that the line covers, some of them more than once.
fn along(w: &Window, line: &[(f64, f64)], half: f64, mut visit: impl FnMut(usize)) {
    for pair in line.windows(2).filter(|p| p[0] != p[1]) {
        let (a, b) = (pair[0], pair[1]);
        let range = |u: f64, v: f64| ((u.min(v) - half).ceil() as i64, (u.max(v) + half).floor() as i64);
        let ((x0, x1), (y0, y1)) = (range(a.0, b.0), range(a.1, b.1));
        let west = w.p.at.x;
        let south = w.p.at.y - w.rows as i64 + 1;
        for y in y0.max(south)..=y1.min(w.p.at.y) {
            for x in x0.max(west)..=x1.min(west + w.columns as i64 - 1) {
                if within((x as f64, y as f64), a, b, half) {
                    w.index(x, y).into_iter().for_each(&mut visit);
                }
            }
        }
    }
}

/// Calls `visit` for the cells of the window in a square.
pub(super) fn square(w: &Window, (x, y): (i64, i64), from: i64, to: i64, mut visit: impl FnMut(usize)) {
    for dy in from..=to {
        for dx in from..=to {
            w.index(x + dx, y + dy).into_iter().for_each(&mut visit);
        }
    }
}

/// How far the generator's and the checker's arithmetic may differ at the edge of a line.
const EDGE: f64 = 1e-6;

/// The surface by rule, with lines that are wider by `more`.
fn expected(w: &Window, more: f64) -> Vec<u8> {
    let mut wanted = w.codes("terrain").to_vec();
    let wet = |cell: &mut u8, code| {
        if !matches!(*cell, TOWN | ROAD | LAKE) {
            *cell = code;
        }
    };
    let streams = w.shapes("streams");
    for s in streams.iter().filter(|s| s.word("end") == "hollow") {
        let last = s.points.last().map(|&(x, y)| (x as i64, y as i64));
        last.into_iter().for_each(|end| {
            square(w, end, -MARSH_HALF, MARSH_HALF, |i| wet(&mut wanted[i], MARSH));
        });
    }
    streams.iter().for_each(|s| along(w, &s.points, STREAM_HALF + more, |i| wet(&mut wanted[i], STREAM)));
    let (height, terrain, surface) = (w.floats("height"), w.codes("terrain"), w.codes("surface"));
    for (i, cell) in wanted.iter_mut().enumerate() {
        let (x, y) = w.place(i);
        // A road that was drawn is a part of the terrain, even over water, and goes on below what was placed on it.
        let below = || !w.p.bleak && terrain[i] != PATH && w.placed.thing(x, y).is_some_and(|t| t != NONE);
        if *cell != ROAD && !(below() && w.placed.covered(x, y)) {
            continue;
        }
        *cell = match &w.formula {
            Some(f) if f.ground(x, y) < w.p.lake_level => BRIDGE,
            Some(_) => ROAD,
            // By layers alone, ground at the lake level looks like water below a road.
            None if height[i] == w.p.lake_level as f32 && surface[i] == ROAD => ROAD,
            None if height[i] == w.p.lake_level as f32 => BRIDGE,
            None => ROAD,
        };
    }
    for road in w.shapes("roads") {
        along(w, &road.points, ROAD_HALF + more, |i| {
            wanted[i] = match wanted[i] {
                TOWN => TOWN,
                LAKE if !w.p.bridges => LAKE,
                LAKE | BRIDGE => BRIDGE,
                _ => ROAD,
            }
        });
    }
    for place in w.shapes("buildings").iter().filter_map(Shape::start) {
        square(w, place, -6, 5, |i| wanted[i] = BUILDING);
    }
    wanted
}

fn surface(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (narrow, wide) = (expected(w, -EDGE), expected(w, EDGE));
    let surface = w.codes("surface");
    w.each(|i, x, y| {
        rule.check(surface[i] == narrow[i] || surface[i] == wide[i], Some(w.cell(i)), || {
            let name = |code: u8| TERRAINS.get(usize::from(code)).unwrap_or(&"an unknown code");
            format!("{} at {x},{y} instead of {}", name(surface[i]), name(wide[i]))
        });
    });
    Ok(())
}
