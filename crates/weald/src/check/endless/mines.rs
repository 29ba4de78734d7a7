//! The mines below the ground.

use super::Rule;
use super::features;
use super::formula;
use super::lines;
use super::names::MINES;
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Side of a mine cell.
const CELL: i64 = 16;
const ROCK: u8 = 0;
const OPEN: u8 = 1;
const BELOW_SHAFT: u8 = 2;
const TUNNEL: u8 = 3;
/// Cells of rock that a tunnel goes through at most.
const TUNNEL_CELLS: usize = 4;
/// Distance over which the slope at a mouth is taken.
const SLOPE_OVER: i64 = 10;
/// The four directions by bearing: east, west, north, south.
const BEARINGS: [(i64, (i64, i64)); 4] = [(90, (1, 0)), (270, (-1, 0)), (0, (0, 1)), (180, (0, -1))];

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "mine-cells",
        about: "mines are the same all over a cell of 16 m",
        needs: &["mine_1"],
        run: cells,
    },
    Rule {
        name: "mine-shafts",
        about: "a cell lies below a shaft exactly where a shaft above reaches its level",
        needs: &["mine_1", "features.geojson"],
        run: shafts,
    },
    Rule {
        name: "original-mines",
        about: "seed 0: cells are rock or open as the rule of the settings says",
        needs: &["mine_1", "formula"],
        run: original,
    },
    Rule {
        name: "cave-mouth",
        about: "a cave mouth has the direction of its tunnel, a shaft has none; seed 0: it is where the ground is steep, and the tunnel leads away from the steepest descent",
        needs: &["features.geojson"],
        run: mouths,
    },
    Rule {
        name: "tunnel",
        about: "behind every cave mouth is a tunnel, straight from cell to cell through at most four of rock; what it goes through is open, and no other cell is a tunnel",
        needs: &["mine_1", "features.geojson", "tunnels.geojson"],
        run: tunnels,
    },
];

/// The centre of the mine cell of a place, on one axis.
fn centre(v: i64) -> i64 {
    CELL * (v + CELL / 2).div_euclid(CELL)
}

/// The levels with their layers.
fn levels(w: &Window) -> Vec<(u8, &[u8])> {
    let layer = |z: u8| (z, w.codes(&format!("mine_{z}")));
    (1..=w.p.mines.levels).map(layer).filter(|(_, l)| !l.is_empty()).collect()
}

fn name(code: u8) -> &'static str {
    MINES.get(usize::from(code)).unwrap_or(&"an unknown code")
}

fn cells(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for (z, layer) in levels(w) {
        w.each(|i, x, y| {
            // The first cell of the window in the same mine cell.
            let (cx, cy) = ((centre(x) - 8).max(w.p.at.x), (centre(y) + 7).min(w.p.at.y));
            let first = w.index(cx, cy).unwrap_or(i);
            let good = layer[i] == layer[first] && layer[i] <= TUNNEL;
            rule.check(good, Some(w.cell(i)), || {
                format!("level {z}: {} at {x},{y} and {} at {cx},{cy}", name(layer[i]), name(layer[first]))
            });
        });
    }
    Ok(())
}

/// How deep the shafts go, by mine cell.
fn depths(w: &Window) -> BTreeMap<(i64, i64), u8> {
    let mut deepest: BTreeMap<(i64, i64), u8> = BTreeMap::new();
    for ((x, y), levels) in features::shafts(w, CELL) {
        let cell = deepest.entry((centre(x), centre(y))).or_default();
        *cell = (*cell).max(levels);
    }
    deepest
}

/// Whether the whole mine cell is in the window.
fn whole(w: &Window, cx: i64, cy: i64) -> bool {
    w.index(cx - 8, cy - 8).is_some() && w.index(cx + 7, cy + 7).is_some()
}

fn shafts(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let deepest = depths(w);
    for (z, layer) in levels(w) {
        w.each(|i, x, y| {
            let cell = (centre(x), centre(y));
            let below = deepest.get(&cell).is_some_and(|&d| d >= z);
            let known = below || w.formula.is_some() || whole(w, cell.0, cell.1);
            let good = (layer[i] == BELOW_SHAFT) == below || !known;
            rule.check(good, Some(w.cell(i)), || {
                let shaft = if below { "a shaft" } else { "no shaft" };
                format!("level {z}: {} at {x},{y} with {shaft} above", name(layer[i]))
            });
        });
    }
    Ok(())
}

fn original(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let sin_cos = w.p.mines.rule == "sin_cos";
    for (z, layer) in levels(w) {
        let mut known: BTreeMap<(i64, i64), u8> = BTreeMap::new();
        w.each(|i, x, y| {
            if layer[i] == BELOW_SHAFT {
                return;
            }
            let (cx, cy) = (centre(x), centre(y));
            let wanted = *known.entry((cx, cy)).or_insert_with(|| {
                let open = formula::mine_share(cx, cy, z, sin_cos) > w.p.mines.threshold;
                if open { OPEN } else { ROCK }
            });
            // A tunnel goes through rock of the uppermost level.
            let found = if layer[i] == TUNNEL && z == 1 { ROCK } else { layer[i] };
            rule.check(found == wanted, Some(w.cell(i)), || {
                format!("level {z}: {} at {x},{y} instead of {}", name(layer[i]), name(wanted))
            });
        });
    }
    Ok(())
}

/// Bearing of the tunnel of a cave mouth at a place, by the formula; None for a shaft.
fn tunnel_bearing(w: &Window, x: i64, y: i64) -> Option<i64> {
    let formula = w.original();
    let here = formula.ground(x, y);
    let fall = |(dx, dy): (i64, i64)| {
        (here - formula.ground(x + SLOPE_OVER * dx, y + SLOPE_OVER * dy)) / SLOPE_OVER as f64
    };
    let first = (0.0, BEARINGS[0].0);
    let (slope, bearing) =
        BEARINGS.iter().fold(
            first,
            |steepest, &(bearing, step)| {
                if fall(step) > steepest.0 { (fall(step), bearing) } else { steepest }
            },
        );
    (slope >= w.p.mines.cave_slope).then_some((bearing + 180) % 360)
}

fn mouths(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for s in w.shapes("features") {
        let Some((x, y)) = s.start() else { continue };
        let mouth = s.about.get("cave_mouth").and_then(Value::as_bool).unwrap_or(false);
        let told = s.whole("direction");
        let good = match w.formula {
            Some(_) if s.word("kind") == "mine" => told == tunnel_bearing(w, x, y),
            _ => told.is_none_or(|told| BEARINGS.iter().any(|b| b.0 == told)),
        };
        rule.check(good && mouth == told.is_some(), w.column_row((x, y)), || {
            format!("{} at {x},{y} has a tunnel to {told:?} degrees", s.word("kind"))
        });
    }
    Ok(())
}

fn tunnels(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let layer = w.codes("mine_1");
    let code = |(x, y): (i64, i64)| w.index(x, y).map(|i| layer[i]);
    // A cell that is only partly in the window is known by any of its places.
    let cell_code = |(cx, cy): (i64, i64)| {
        let places = (-8..8).flat_map(|dy| (-8..8).map(move |dx| (cx + dx, cy + dy)));
        places.into_iter().find_map(code)
    };
    let (mut known, mut mouths) = (BTreeSet::new(), BTreeMap::new());
    for s in w.shapes("tunnels") {
        let points: Option<Vec<(i64, i64)>> = s.points.iter().map(|&p| lines::whole(p)).collect();
        let (Some(points), Some(bearing)) = (points, s.whole("direction")) else {
            rule.check(false, None, || format!("the tunnel from {:?} has no whole places", s.points.first()));
            continue;
        };
        let (mouth, cells) = (points[0], &points[1..]);
        mouths.insert(mouth, bearing);
        let step = BEARINGS.iter().find(|b| b.0 == bearing).map_or((0, 0), |b| b.1);
        let first = (centre(mouth.0), centre(mouth.1));
        let straight = (1..)
            .zip(cells)
            .all(|(k, &cell)| cell == (first.0 + k * step.0 * CELL, first.1 + k * step.1 * CELL));
        let joins = s.about.get("joins").and_then(Value::as_bool).unwrap_or(false);
        let rock = &cells[..cells.len() - usize::from(joins && !cells.is_empty())];
        let long = if joins { rock.len() <= TUNNEL_CELLS } else { rock.len() == TUNNEL_CELLS };
        let open = rock.iter().all(|&c| cell_code(c).is_none_or(|code| matches!(code, TUNNEL | BELOW_SHAFT)));
        let end = cells
            .last()
            .filter(|_| joins)
            .is_none_or(|&c| cell_code(c).is_none_or(|code| matches!(code, OPEN | BELOW_SHAFT)));
        rule.check(straight && long && open && end, w.column_row(mouth), || {
            format!("the tunnel from {mouth:?} to {bearing} degrees is not straight, open and as long as it may be")
        });
        known.extend(rock.iter().copied());
    }
    w.each(|i, x, y| {
        let good = layer[i] != TUNNEL || known.contains(&(centre(x), centre(y)));
        rule.check(good, Some(w.cell(i)), || format!("a tunnel at {x},{y} that no cave mouth has"));
    });
    for s in w.shapes("features") {
        let (Some(at), Some(bearing)) = (s.start(), s.whole("direction")) else { continue };
        rule.check(mouths.get(&at) == Some(&bearing), w.column_row(at), || {
            format!("the cave mouth at {at:?} has no tunnel to {bearing} degrees")
        });
    }
    Ok(())
}
