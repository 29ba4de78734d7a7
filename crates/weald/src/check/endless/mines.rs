//! The mines below the ground.

use super::Rule;
use super::features;
use super::formula;
use super::names::MINES;
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;
use std::collections::BTreeMap;

/// Side of a mine cell.
const CELL: i64 = 16;
const ROCK: u8 = 0;
const OPEN: u8 = 1;
const BELOW_SHAFT: u8 = 2;

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
            let good = layer[i] == layer[first] && layer[i] <= BELOW_SHAFT;
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
            rule.check(layer[i] == wanted, Some(w.cell(i)), || {
                format!("level {z}: {} at {x},{y} instead of {}", name(layer[i]), name(wanted))
            });
        });
    }
    Ok(())
}
