//! Sight, orientation, costs, passability, cliffs and what one can follow (chapters 11 to 13).

use super::Rule;
use super::compare::{below, flags, formula, known, reaches, reaches_about};
use super::names::{COMPASS, FollowName, LAKE, MARSH, OPEN_BOG, PassName, RIDGE, STREAM, name_of};
use super::world::World;
use crate::check::RuleResult;
use crate::error::Result;
use weald_core::{Dir8, math};

/// The rules of chapters 11 to 13.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "visibility",
        about: "baseMeters follows from density, obstruction and elevation (11)",
        needs: &["visibility_m", "tree_density", "obstruction", "height"],
        run: visibility,
    },
    Rule {
        name: "orientation",
        about: "orientationReliability follows from density, obstruction, moisture and landform (12)",
        needs: &["orientation_reliability", "tree_density", "obstruction", "moisture", "landform"],
        run: orientation,
    },
    Rule {
        name: "move-cost",
        about: "moveCost is the product of its multipliers, the trail's last (13.1)",
        needs: &["move_cost", "obstruction", "moisture", "water_class", "biome", "trail"],
        run: move_cost,
    },
    Rule {
        name: "passability",
        about: "each direction is passable, difficult or blocked as edge, lakes, bog and steps ask (13.2)",
        needs: &["passability", "height", "water_class", "moisture", "slope"],
        run: passability,
    },
    Rule {
        name: "cliffs",
        about: "cliffs stand where the step up and the slope are steep enough (13.2)",
        needs: &["cliff_edge", "height", "slope"],
        run: cliffs,
    },
    Rule {
        name: "followable",
        about: "followable lists stream, ridge, game_trail and shore where they are (13.3)",
        needs: &["followable", "water_class", "landform", "trail"],
        run: followable,
    },
];

fn visibility(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.visibility);
    formula(w, rule, &t.visibility_m, 1e-5, |i| {
        let (density, obstruction) = (t.tree_density[i] as f64, t.obstruction[i] as f64);
        let bonus = p.elevation_bonus * (t.height[i] as f64 - 0.5);
        let seen = p.base - p.density_penalty * density - p.obstruction_penalty * obstruction + bonus;
        seen.min(p.max_meters).max(p.min_meters)
    });
    Ok(())
}

fn orientation(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.orientation);
    formula(w, rule, &t.orientation_reliability, 1e-5, |i| {
        let wet = math::clamp01((t.moisture[i] as f64 - p.wetness_start) / p.wetness_range);
        let mut value = 1.0 - p.density_weight * t.tree_density[i] as f64;
        value -= p.obstruction_weight * t.obstruction[i] as f64;
        value -= p.wetness_weight * wet;
        value += if t.landform[i] == RIDGE { p.ridge_bonus } else { 0.0 };
        value.min(p.max).max(p.min)
    });
    Ok(())
}

fn move_cost(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.movement);
    formula(w, rule, &t.move_cost, 1e-5, |i| {
        let mut cost = math::lerp(1.0, p.move_cost_obstruction_max, t.obstruction[i] as f64);
        cost *= math::lerp(1.0, p.move_cost_moisture_max, t.moisture[i] as f64);
        cost *= if t.water_class[i] == MARSH { p.marsh_move_cost_multiplier } else { 1.0 };
        cost *= if t.biome[i] == OPEN_BOG { p.open_bog_move_cost_multiplier } else { 1.0 };
        cost * if w.trail[i] { w.p.game_trails.game_trail_move_cost_multiplier } else { 1.0 }
    });
    Ok(())
}

/// The classes that a step from `i` to `n` may have: the required one, and another if rounding may decide.
fn step_class(w: &World, i: usize, n: Option<usize>) -> (u16, u16) {
    const PASSABLE: u16 = 0;
    const DIFFICULT: u16 = 1;
    const BLOCKED: u16 = 2;
    let t = &w.t;
    let Some(n) = n.filter(|&n| w.playable(n)) else {
        return (BLOCKED, BLOCKED);
    };
    if t.water_class[i] == LAKE || t.water_class[n] == LAKE {
        return (BLOCKED, BLOCKED);
    }
    if reaches(t.moisture[i], 0.90) && below(t.slope[i], 0.03) {
        return (DIFFICULT, DIFFICULT);
    }
    let dh = t.height[n] as f64 - t.height[i] as f64;
    let (block, difficult) = (w.p.movement.steep_block_delta, w.p.movement.steep_difficult_delta);
    let class = |block: bool, difficult: bool| match (block, difficult) {
        (true, _) => BLOCKED,
        (_, true) => DIFFICULT,
        _ => PASSABLE,
    };
    let (b, d) = (reaches_about(dh, block), reaches_about(dh, difficult));
    (class(b.0, d.0), class(b.1, d.1))
}

fn passability(w: &World, rule: &mut RuleResult) -> Result<()> {
    for (i, &codes) in w.t.passability.iter().enumerate() {
        let neighbours = w.neighbours(i);
        for d in COMPASS {
            let found = codes >> (2 * d.0) & 3;
            let (a, b) = step_class(w, i, neighbours[d.0 as usize]);
            rule.check(found == a || found == b, Some(w.place(i)), || {
                let name = |c: u16| name_of::<PassName>(c as u8);
                format!("{} is {}, not {}", Dir8::NAMES[d.0 as usize], name(found), name(a))
            });
        }
    }
    Ok(())
}

fn cliffs(w: &World, rule: &mut RuleResult) -> Result<()> {
    let p = &w.p.movement;
    for (i, &found) in w.t.cliff_edge.iter().enumerate() {
        let steep = reaches(w.t.slope[i], p.cliff_slope_min);
        let mut asked = [(false, false); 8];
        w.around(i, |d, n| {
            let dh = w.t.height[n] as f64 - w.t.height[i] as f64;
            let (surely, maybe) = reaches_about(dh, p.steep_block_delta);
            asked[d.0 as usize] = (surely && steep, maybe && steep);
        });
        for d in COMPASS {
            let set = found >> d.0 & 1 == 1;
            let (surely, maybe) = asked[d.0 as usize];
            rule.check((set || !surely) && (maybe || !set), Some(w.place(i)), || {
                let name = Dir8::NAMES[d.0 as usize];
                if set {
                    format!("a cliff {name} where none is")
                } else {
                    format!("no cliff {name} where one is")
                }
            });
        }
    }
    Ok(())
}

fn followable(w: &World, rule: &mut RuleResult) -> Result<()> {
    let t = &w.t;
    for (i, &found) in t.followable.iter().enumerate() {
        let mut shore = false;
        w.around(i, |_, n| shore |= t.water_class[n] == LAKE);
        shore &= t.water_class[i] != LAKE;
        let set = [t.water_class[i] == STREAM, t.landform[i] == RIDGE, w.trail[i], shore];
        flags::<FollowName>(w, rule, i, found, &set.map(known));
    }
    Ok(())
}
