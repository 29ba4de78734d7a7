//! Islands in the sky, and caverns.

use super::Rule;
use super::names::{BRIDGE, BUILDING, HOUSE, NONE, ROAD, SKY};
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "sky-islands",
        about: "there is an island exactly where the ground is not below the level: its top is the ground, its underside below the level; elsewhere both are the level",
        needs: &["sky_top", "sky_underside", "height", "depth"],
        run: islands,
    },
    Rule {
        name: "sky-terrain",
        about: "the terrain of an island in the sky is that of the ground; elsewhere is sky",
        needs: &["sky_terrain", "sky_top", "sky_underside", "terrain"],
        run: sky_terrain,
    },
    Rule {
        name: "sky-ground",
        about: "where the islands begin at the lake level and there are no bridges, no road, building, tree or feature is where there is no ground",
        needs: &["sky_top", "sky_underside", "surface", "tree", "feature"],
        run: sky_ground,
    },
    Rule {
        name: "original-sky",
        about: "seed 0: an underside hangs below the level by 1/128 + keel·(ground − level)·k/mean, with k a finer copy of the ground",
        needs: &["sky_underside", "height", "formula"],
        run: original_sky,
    },
    Rule {
        name: "original-caverns",
        about: "seed 0: floor and roof are two copies of the ground, shifted, finer and lower",
        needs: &["cavern_floor", "cavern_roof", "formula"],
        run: original_caverns,
    },
    Rule {
        name: "caverns-open",
        about: "a cavern is open exactly where its roof is above its floor",
        needs: &["cavern", "cavern_floor", "cavern_roof"],
        run: caverns_open,
    },
    Rule {
        name: "caverns-finite",
        about: "floor and roof of the caverns are numbers",
        needs: &["cavern_floor", "cavern_roof"],
        run: caverns,
    },
];

fn islands(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (top, under) = (w.floats("sky_top"), w.floats("sky_underside"));
    let level = w.p.sky.level;
    w.each(|i, x, y| {
        let Some(ground) = w.ground(x, y) else { return };
        let (t, u) = (f64::from(top[i]), f64::from(under[i]));
        let near = |a: f64, b: f64| (a - b).abs() <= w.slack();
        let island = near(t, f64::from(ground as f32)) && u < f64::from(level as f32);
        let none = t == f64::from(level as f32) && u == t;
        let undecided = w.slack() > 0.0 && near(ground, level);
        let good = if undecided {
            island || none
        } else if ground >= level {
            island
        } else {
            none
        };
        rule.check(good, Some(w.cell(i)), || {
            format!("ground {ground}, level {level}: the top is {t} and the underside {u}")
        });
    });
    Ok(())
}

fn sky_terrain(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (top, under) = (w.floats("sky_top"), w.floats("sky_underside"));
    let (found, ground) = (w.codes("sky_terrain"), w.codes("terrain"));
    w.each(|i, _, _| {
        let wanted = if top[i] > under[i] { ground[i] } else { SKY };
        rule.check(found[i] == wanted, Some(w.cell(i)), || {
            format!("the terrain in the sky is {}, not {wanted}", found[i])
        });
    });
    Ok(())
}

fn sky_ground(w: &Window, rule: &mut RuleResult) -> Result<()> {
    if w.p.bridges || w.p.bleak || w.p.lake_level < w.p.sky.level {
        return Ok(());
    }
    let (top, under) = (w.floats("sky_top"), w.floats("sky_underside"));
    let (surface, tree, feature) = (w.codes("surface"), w.codes("tree"), w.codes("feature"));
    w.each(|i, x, y| {
        // What was placed is where the user wants it.
        let built =
            || w.placed.things.iter().any(|(p, &t)| t == HOUSE && (x - p.0).abs().max((y - p.1).abs()) <= 6);
        let placed = w.placed.thing(x, y).is_some() || w.placed.covered(x, y) || built();
        if top[i] > under[i] || placed {
            return;
        }
        let empty = !matches!(surface[i], ROAD | BRIDGE | BUILDING) && tree[i] == 0 && feature[i] == NONE;
        rule.check(empty, Some(w.cell(i)), || format!("something stands at {x},{y}, where there is sky"));
    });
    Ok(())
}

/// The mean height of the ground, 5 times that of the profile.
const MEAN: f64 = 298.65;

fn original_sky(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (Some(formula), under) = (&w.formula, w.floats("sky_underside")) else { return Ok(()) };
    let sky = &w.p.sky;
    w.each(|i, x, y| {
        let above = formula.ground(x, y) - sky.level;
        if above >= 0.0 {
            let copy = formula.ground(3 * x + 5200, 3 * y + 7700);
            let wanted = sky.level - 1.0 / 128.0 - sky.keel * above * copy / MEAN;
            rule.check((f64::from(under[i]) - wanted).abs() < 1e-3, Some(w.cell(i)), || {
                format!("the underside is at {}, not at {wanted}", under[i])
            });
        }
    });
    Ok(())
}

fn original_caverns(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (floor, roof) = (w.floats("cavern_floor"), w.floats("cavern_roof"));
    let (Some(formula), c) = (&w.formula, &w.p.caverns) else { return Ok(()) };
    w.each(|i, x, y| {
        let copy = |dx: i64, dy: i64| {
            -200.0 + c.relief * (formula.ground(c.finer * x + dx, c.finer * y + dy) - MEAN)
        };
        let wanted = (copy(1700, -900), copy(-2300, 4100) + c.rise);
        let near = |a: f32, b: f64| (f64::from(a) - b).abs() < 1e-3;
        rule.check(near(floor[i], wanted.0) && near(roof[i], wanted.1), Some(w.cell(i)), || {
            format!("floor {} and roof {}, not {wanted:?}", floor[i], roof[i])
        });
    });
    Ok(())
}

fn caverns_open(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (floor, roof) = (w.floats("cavern_floor"), w.floats("cavern_roof"));
    let found = w.codes("cavern");
    w.each(|i, _, _| {
        let open = u8::from(roof[i] > floor[i]);
        rule.check(found[i] == open, Some(w.cell(i)), || {
            format!("the cavern is {}, with floor {} and roof {}", found[i], floor[i], roof[i])
        });
    });
    Ok(())
}

fn caverns(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (floor, roof) = (w.floats("cavern_floor"), w.floats("cavern_roof"));
    w.each(|i, _, _| {
        rule.check(floor[i].is_finite() && roof[i].is_finite(), Some(w.cell(i)), || {
            format!("the floor is {} and the roof {}", floor[i], roof[i])
        });
    });
    Ok(())
}
