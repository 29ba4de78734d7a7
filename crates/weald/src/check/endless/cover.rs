//! Trees, snow and a runner's speed.

use super::Rule;
use super::formula;
use super::names::{BUILDING, KNOLL, LAKE, MARSH, MINE, MOOR, MUD, STREAM, THICKET, WATERHOLE, WOOD, X};
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;

/// How far trees keep from things.
const CLEAR: i64 = 4;
/// How far ahead the slope is measured.
const AHEAD: i64 = 10;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "tree-place",
        about: "trees stand on odd x and y in wood and thicket, and on every such place but near things",
        needs: &["tree", "surface", "feature"],
        run: tree_place,
    },
    Rule {
        name: "tree-kind",
        about: "there are eight kinds of trees in wood and four in thicket",
        needs: &["tree", "surface"],
        run: tree_kind,
    },
    Rule {
        name: "original-tree",
        about: "seed 0: the kind of a tree is given by the bits of its place",
        needs: &["tree", "surface", "formula"],
        run: original_tree,
    },
    Rule {
        name: "snow",
        about: "snow lies exactly where the ground is at least as high as the snow line and there is no lake",
        needs: &["snow", "height", "terrain"],
        run: snow,
    },
    Rule {
        name: "speed",
        about: "the speed is that of the surface",
        needs: &["speed", "surface"],
        run: speed,
    },
    Rule {
        name: "speed-north",
        about: "to the north the speed is that of the surface times that of the slope over 10 m",
        needs: &["speed_north", "surface", "height", "depth"],
        run: |w, rule| ahead(w, rule, "speed_north", (0, 1)),
    },
    Rule {
        name: "speed-east",
        about: "to the east the speed is that of the surface times that of the slope over 10 m",
        needs: &["speed_east", "surface", "height", "depth"],
        run: |w, rule| ahead(w, rule, "speed_east", (1, 0)),
    },
    Rule {
        name: "speed-south",
        about: "to the south the speed is that of the surface times that of the slope over 10 m",
        needs: &["speed_south", "surface", "height", "depth"],
        run: |w, rule| ahead(w, rule, "speed_south", (0, -1)),
    },
    Rule {
        name: "speed-west",
        about: "to the west the speed is that of the surface times that of the slope over 10 m",
        needs: &["speed_west", "surface", "height", "depth"],
        run: |w, rule| ahead(w, rule, "speed_west", (-1, 0)),
    },
];

/// For every cell: whether a thing that trees keep away from is near. The things around the window are known by
/// formula alone.
fn near_things(w: &Window) -> Vec<bool> {
    let mut near = vec![false; w.columns * w.rows];
    let margin = if w.formula.is_some() { CLEAR } else { 0 };
    for y in w.p.at.y - w.rows as i64 + 1 - margin..=w.p.at.y + margin {
        for x in w.p.at.x - margin..w.p.at.x + w.columns as i64 + margin {
            if !matches!(w.feature(x, y), Some(KNOLL | MINE | WATERHOLE | X)) {
                continue;
            }
            for dy in -CLEAR..=CLEAR {
                for dx in -CLEAR..=CLEAR {
                    if dx * dx + dy * dy <= CLEAR * CLEAR {
                        w.index(x + dx, y + dy).into_iter().for_each(|i| near[i] = true);
                    }
                }
            }
        }
    }
    near
}

fn tree_place(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (tree, surface, near) = (w.codes("tree"), w.codes("surface"), near_things(w));
    w.each(|i, x, y| {
        let possible = x & 1 == 1 && y & 1 == 1 && matches!(surface[i], WOOD | THICKET);
        let (c, r) = w.cell(i);
        let edge = (c.min(r).min(w.columns - 1 - c).min(w.rows - 1 - r) as i64) < CLEAR;
        // Near the edge a thing beyond it may keep a tree away.
        let known = w.formula.is_some() || !edge;
        let good = if tree[i] > 0 { possible && !near[i] } else { !possible || near[i] || !known };
        rule.check(good, Some((c, r)), || match tree[i] {
            0 => format!("there is no tree at {x},{y}, though nothing keeps it away"),
            _ => format!("a tree at {x},{y}, where none can stand"),
        });
    });
    Ok(())
}

fn tree_kind(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (tree, surface) = (w.codes("tree"), w.codes("surface"));
    w.each(|i, x, y| {
        let kinds = if surface[i] == THICKET { 4 } else { 8 };
        rule.check(tree[i] <= kinds, Some(w.cell(i)), || {
            format!("a tree of kind {} at {x},{y}, where there are {kinds}", tree[i] - 1)
        });
    });
    Ok(())
}

fn original_tree(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (tree, surface) = (w.codes("tree"), w.codes("surface"));
    w.each(|i, x, y| {
        if tree[i] == 0 {
            return;
        }
        let mask = if surface[i] == THICKET { 3 } else { 7 };
        let kind = (formula::tree_bits(x, y) & mask) as u8;
        rule.check(tree[i] - 1 == kind, Some(w.cell(i)), || {
            format!("a tree of kind {} at {x},{y} instead of {kind}", tree[i] - 1)
        });
    });
    Ok(())
}

fn snow(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (snow, height, terrain) = (w.codes("snow"), w.floats("height"), w.codes("terrain"));
    let line = w.p.snow_line as f32;
    w.each(|i, x, y| {
        let wanted = u8::from(height[i] >= line && terrain[i] != LAKE);
        rule.check(snow[i] == wanted, Some(w.cell(i)), || {
            format!("{} at {x},{y}, at a height of {} and a snow line of {line}", snow[i], height[i])
        });
    });
    Ok(())
}

/// The share of speed on a surface.
fn share(surface: u8) -> f32 {
    match surface {
        MOOR | STREAM => 0.5,
        THICKET | MARSH | MUD | LAKE => 0.2,
        BUILDING => 0.0,
        _ => 1.0,
    }
}

/// The share of speed on a slope that goes up so much over 10 m.
fn slope(up: f64) -> f32 {
    match up {
        _ if up > 30.0 => 0.1,
        _ if up > 20.0 => 0.2,
        _ if up > 10.0 => 0.5,
        _ if up < -30.0 => 0.2,
        _ if up < -20.0 => 0.5,
        _ if up < -10.0 => 1.2,
        _ => 1.0,
    }
}

fn speed(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (speed, surface) = (w.floats("speed"), w.codes("surface"));
    w.each(|i, x, y| {
        let wanted = share(surface[i]);
        rule.check(speed[i] == wanted, Some(w.cell(i)), || {
            format!("{} at {x},{y} instead of {wanted}", speed[i])
        });
    });
    Ok(())
}

fn ahead(w: &Window, rule: &mut RuleResult, name: &str, (dx, dy): (i64, i64)) -> Result<()> {
    let (speed, surface) = (w.floats(name), w.codes("surface"));
    w.each(|i, x, y| {
        let (Some(here), Some(there)) = (w.ground(x, y), w.ground(x + AHEAD * dx, y + AHEAD * dy)) else {
            return;
        };
        // A runner crosses on bridges and swims on the water.
        let level = if w.p.bleak { 0.0 } else { w.p.lake_level };
        let up = there.max(level) - here.max(level);
        // By layers alone, a slope at a limit may count to either side of it.
        let near = |v: f64| (speed[i] - share(surface[i]) * slope(v)).abs() < 1e-6;
        let good = near(up) || near(up - w.slack()) || near(up + w.slack());
        rule.check(good, Some(w.cell(i)), || {
            let wanted = share(surface[i]) * slope(up);
            format!("{} at {x},{y} where it goes up by {up}, instead of {wanted}", speed[i])
        });
    });
    Ok(())
}
