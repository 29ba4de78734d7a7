//! What was eroded and deposited.

use super::Rule;
use super::land::City;
use crate::check::RuleResult;
use crate::error::Result;
use weald_core::Grid;

/// A spike or a pit stands out by more than this part of a cell's side.
const STANDS_OUT: f64 = 0.02;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "erosion-signs",
        about: "uplift, eroded and deposited are not below 0",
        needs: &["uplift", "eroded", "deposited"],
        run: signs,
    },
    Rule {
        name: "erosion-height",
        about: "height = height_before + uplift - eroded + deposited, to 1 mm and a millionth of the uplift",
        needs: &["uplift", "eroded", "deposited", "height", "height_before"],
        run: balance,
    },
    Rule {
        name: "mass",
        about: "what was eroded was deposited or exported, and the layers hold what stats.mass_balance says",
        needs: &["uplift", "eroded", "deposited"],
        run: mass,
    },
    Rule {
        name: "spikes-pits",
        about: "erosion leaves no cell that stands above or below all its neighbours by more than 2 % of a cell",
        needs: &["height", "height_before"],
        run: spikes_pits,
    },
];

fn signs(city: &City, rule: &mut RuleResult) -> Result<()> {
    for name in ["uplift", "eroded", "deposited"] {
        for (i, &v) in city.floats(name).cells().iter().enumerate() {
            rule.check(v >= 0.0, city.at(i), || format!("{name} is {v} m"));
        }
    }
    Ok(())
}

fn balance(city: &City, rule: &mut RuleResult) -> Result<()> {
    let [before, uplift, eroded, deposited, height] =
        ["height_before", "uplift", "eroded", "deposited", "height"].map(|name| city.floats(name).cells());
    for i in 0..city.cells() {
        let raised = f64::from(before[i]) + f64::from(uplift[i]);
        let wanted = raised - f64::from(eroded[i]) + f64::from(deposited[i]);
        let found = f64::from(height[i]);
        rule.check((found - wanted).abs() <= 1e-3 + 1e-6 * f64::from(uplift[i]), city.at(i), || {
            format!(
                "the height is {found} m, before erosion with what was raised, eroded and deposited it is {wanted} m"
            )
        });
    }
    Ok(())
}

fn mass(city: &City, rule: &mut RuleResult) -> Result<()> {
    let [eroded, deposited, exported] =
        ["eroded", "deposited", "exported"].map(|k| city.stat(&format!("mass_balance.{k}_m3")));
    rule.check((eroded - deposited - exported).abs() <= 1e-6 * eroded.abs(), None, || {
        format!("{eroded} m3 were eroded, but {deposited} deposited and {exported} exported")
    });
    rule.check(exported >= -1e-6 * eroded.abs(), None, || format!("{exported} m3 were exported"));
    for name in ["uplift", "eroded", "deposited"] {
        let sum = city.floats(name).cells().iter().fold(0.0, |sum, &v| sum + f64::from(v));
        let volume = sum * city.cell_m2();
        city.same(rule, &format!("mass_balance.{name}_m3"), volume, 1e-5 * volume.abs());
    }
    Ok(())
}

/// By how much a cell stands above its highest neighbour, or below its lowest.
fn excess(city: &City, ground: &Grid<f32>, i: usize) -> (f64, f64) {
    let here = f64::from(ground.cells()[i]);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    city.around(i, |n| {
        let there = f64::from(ground.cells()[n]);
        (low, high) = (low.min(there), high.max(there));
    });
    (here - high, low - here)
}

fn spikes_pits(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (after, before) = (city.floats("height"), city.floats("height_before"));
    let limit = STANDS_OUT * city.cell_m;
    let (mut spikes, mut pits) = (0u64, 0u64);
    for i in (0..city.cells()).filter(|&i| !city.on_border(i)) {
        let (above, below) = excess(city, after, i);
        let mut look = |by: f64, was: fn((f64, f64)) -> f64, count: &mut u64, what: &str| {
            // What stood out as much before erosion is no work of it; a millimetre is rounding.
            let new = by > limit && was(excess(city, before, i)) < by - 1e-3;
            *count += u64::from(new);
            rule.check(!new, city.at(i), || format!("a {what} of {by} m, above {limit} m"));
        };
        look(above, |e| e.0, &mut spikes, "spike");
        look(below, |e| e.1, &mut pits, "pit");
    }
    city.same(rule, "spikes", spikes as f64, 0.0);
    city.same(rule, "pits", pits as f64, 0.0);
    Ok(())
}
