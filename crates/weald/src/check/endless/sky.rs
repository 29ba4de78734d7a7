//! Islands in the sky, and caverns.

use super::Rule;
use super::names::SKY;
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "sky-islands",
        about: "there is an island just where the ground is above the level: its top is the ground, its underside not above the level; elsewhere both are the level",
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
        name: "caverns-open",
        about: "a cavern is open just where its roof is above its floor",
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
        let island = near(t, f64::from(ground as f32)) && u <= f64::from(level as f32);
        let none = t == f64::from(level as f32) && u == t;
        let undecided = w.slack() > 0.0 && near(ground, level);
        let good = if undecided {
            island || none
        } else if ground > level {
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
