//! Islands in the sky, and caverns.

use super::Rule;
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "sky-islands",
        about: "there is an island just where the ground is above the level: its top is the ground, its underside not above the level",
        needs: &["sky_top", "sky_underside", "height", "depth"],
        run: islands,
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
        let none = t == 0.0 && u == 0.0;
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

fn caverns(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (floor, roof) = (w.floats("cavern_floor"), w.floats("cavern_roof"));
    w.each(|i, _, _| {
        rule.check(floor[i].is_finite() && roof[i].is_finite(), Some(w.cell(i)), || {
            format!("the floor is {} and the roof {}", floor[i], roof[i])
        });
    });
    Ok(())
}
