//! Zones, slopes and classes of buildable land.

use super::Rule;
use super::land::City;
use crate::check::RuleResult;
use crate::error::Result;
use std::ops::RangeInclusive;
use weald_core::Grid;

/// The largest slope of buildable land.
const BUILDABLE: f32 = 0.05;
/// The largest slope of nearly buildable land.
const NEAR: f32 = 0.10;

/// The class of cells under water.
pub(super) const WATER: u8 = 3;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule { name: "zones", about: "the potential of the zones lies in 0 to 1", needs: &["zones"], run: zones },
    Rule {
        name: "zone-coverage",
        about: "the potential is above 0.5 on zones.coverage of the map, to one cell, if zones.curve is power; \
                a potential that is the same everywhere divides nothing",
        needs: &["zones"],
        run: coverage,
    },
    Rule {
        name: "slope",
        about: "the slope is that of height by central differences, one-sided at the border, bit for bit",
        needs: &["slope", "height"],
        run: slope,
    },
    Rule {
        name: "buildable",
        about: "a dry cell is buildable (2) up to a slope of 0.05, near (1) up to 0.10, else not (0)",
        needs: &["buildable", "slope"],
        run: buildable,
    },
    Rule {
        name: "shares",
        about: "stats.coverage, buildable and near are the shares of the layers",
        needs: &["buildable", "zones"],
        run: shares,
    },
    Rule {
        name: "slope-figures",
        about: "stats.slopes are the mean, the quantiles and the largest of the slopes, relief_m that of the height",
        needs: &["slope", "height"],
        run: slope_figures,
    },
    Rule {
        name: "buildable-before",
        about: "stats.buildable_after_ridges is the share of height_before; 0.40 to 0.45 where 0.405 to 0.43 was requested and \
                the map has 512 to 4096 columns",
        needs: &["height_before"],
        run: before,
    },
    Rule {
        name: "goal",
        about: "the share of dry and buildable cells is goal.buildable_share to 0.01, unless that is 0, and stats.goal says so",
        needs: &["buildable"],
        run: goal,
    },
];

/// Rise over run at a cell: sqrt(Hx² + Hy²) / (2 c), with the differences between the neighbours on both sides, and at the border
/// twice the difference to the one that is there.
fn rise(height: &Grid<f32>, i: usize, cell_m: f64) -> f32 {
    let (w, h) = (height.width(), height.height());
    let (x, y) = (i % w, i / w);
    let at = |x: usize, y: usize| f64::from(height[(x, y)]);
    let missing = |i: usize, n: usize| if i == 0 || i + 1 == n { 2.0 } else { 1.0 };
    let hx = missing(x, w) * (at((x + 1).min(w - 1), y) - at(x.saturating_sub(1), y));
    let hy = missing(y, h) * (at(x, (y + 1).min(h - 1)) - at(x, y.saturating_sub(1)));
    ((hx * hx + hy * hy).sqrt() / (2.0 * cell_m)) as f32
}

fn share(yes: usize, city: &City) -> f64 {
    yes as f64 / city.cells() as f64
}

fn zones(city: &City, rule: &mut RuleResult) -> Result<()> {
    for (i, &p) in city.floats("zones").cells().iter().enumerate() {
        rule.check((0.0..=1.0).contains(&p), city.at(i), || format!("the potential is {p}"));
    }
    Ok(())
}

/// The share of the map whose potential is above one half.
fn covered(city: &City) -> f64 {
    share(city.floats("zones").cells().iter().filter(|&&p| p > 0.5).count(), city)
}

fn coverage(city: &City, rule: &mut RuleResult) -> Result<()> {
    let zones = city.floats("zones").cells();
    if city.value("params.zones.curve") != "power" || zones.iter().all(|p| *p == zones[0]) {
        return Ok(());
    }
    let (found, asked) = (covered(city), city.param("zones.coverage")?);
    rule.check((found - asked).abs() <= 1.0 / city.cells() as f64 + 1e-12, None, || {
        format!("the potential is above 0.5 on {found} of the map, requested was {asked}")
    });
    Ok(())
}

fn slope(city: &City, rule: &mut RuleResult) -> Result<()> {
    let height = city.floats("height");
    for (i, &found) in city.floats("slope").cells().iter().enumerate() {
        let wanted = rise(height, i, city.cell_m);
        rule.check(found.to_bits() == wanted.to_bits(), city.at(i), || {
            format!("the slope is {found}, that of the height {wanted}")
        });
    }
    Ok(())
}

fn buildable(city: &City, rule: &mut RuleResult) -> Result<()> {
    let slopes = city.floats("slope").cells();
    for (i, &class) in city.classes().cells().iter().enumerate().filter(|(_, class)| **class != WATER) {
        let s = slopes[i];
        let by = |one: bool, two: bool| u8::from(one) + u8::from(two);
        // A limit as f32 is not quite the limit as f64: at that one slope either class will do.
        let narrow = by(s <= NEAR, s <= BUILDABLE);
        let wide = by(f64::from(s) <= 0.10, f64::from(s) <= 0.05);
        rule.check(class == narrow || class == wide, city.at(i), || {
            format!("class {class} at a slope of {s}, which is class {narrow}")
        });
    }
    Ok(())
}

fn shares(city: &City, rule: &mut RuleResult) -> Result<()> {
    let of = |class: u8| share(city.classes().cells().iter().filter(|&&c| c == class).count(), city);
    city.same(rule, "coverage", covered(city), 1e-9);
    city.same(rule, "buildable_after_erosion", of(2), 1e-9);
    city.same(rule, "near", of(1), 1e-9);
    Ok(())
}

fn slope_figures(city: &City, rule: &mut RuleResult) -> Result<()> {
    let slopes = city.floats("slope").cells();
    let mean = slopes.iter().fold(0.0, |sum, &s| sum + f64::from(s)) / slopes.len() as f64;
    let steepest = f64::from(slopes.iter().fold(0.0, |a: f32, &s| a.max(s)));
    city.same(rule, "slopes.mean", mean, 1e-5 * mean);
    city.same(rule, "slopes.steepest", steepest, 1e-5 * steepest);
    for (path, part) in [("slopes.median", 0.5), ("slopes.p90", 0.9), ("slopes.p99", 0.99)] {
        // Which of two neighbouring ranks is meant does not matter here, nor does the last digit.
        let (stated, slack) = (city.stat(path), 1e-3 + 1.0 / slopes.len() as f64);
        let below = slopes.iter().filter(|&&s| f64::from(s) < stated * (1.0 - 1e-6)).count();
        let up_to = slopes.iter().filter(|&&s| f64::from(s) <= stated * (1.0 + 1e-6)).count();
        let good = share(below, city) <= part + slack && share(up_to, city) >= part - slack;
        rule.check(good, None, || {
            format!("{path} is {stated}, but {} of the slopes are below it", share(below, city))
        });
    }
    let heights = city.floats("height").cells();
    let ends = |(a, b): (f64, f64), &h: &f32| (a.min(f64::from(h)), b.max(f64::from(h)));
    let (low, high) = heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), ends);
    city.same(rule, "relief_m", high - low, 1e-2);
    Ok(())
}

fn before(city: &City, rule: &mut RuleResult) -> Result<()> {
    let height = city.floats("height_before");
    let flat = (0..city.cells()).filter(|&i| rise(height, i, city.cell_m) <= BUILDABLE).count();
    city.same(rule, "buildable_after_ridges", share(flat, city), 1e-6 + 1.0 / city.cells() as f64);
    let asked = (!city.derived()).then(|| city.param("terrain.buildable_share")).transpose()?;
    let (stated, band) = (city.stat("buildable_after_ridges"), promised(asked, city.width));
    rule.check(band.contains(&stated), None, || format!("{stated} is buildable, not {band:?}"));
    Ok(())
}

/// The shares that may be buildable before erosion if `asked` was requested; None if the land was given. The amplitude is
/// found at one resolution: much larger cells hide slopes, so nothing is promised for them.
fn promised(asked: Option<f64>, width: usize) -> RangeInclusive<f64> {
    let near = asked.is_some_and(|share| (0.405..=0.43).contains(&share));
    if near && (512..=4096).contains(&width) { 0.40..=0.45 } else { 0.0..=1.0 }
}

fn goal(city: &City, rule: &mut RuleResult) -> Result<()> {
    let asked = city.param("goal.buildable_share")?;
    if asked == 0.0 {
        let stated = city.value("stats.goal");
        rule.check(stated.is_null(), None, || format!("there was no goal, the manifest says {stated}"));
        return Ok(());
    }
    let found = share(city.classes().cells().iter().filter(|&&c| c == 2).count(), city);
    rule.check((found - asked).abs() <= 0.01 + 1e-12, None, || {
        format!("{found} of the map is buildable, requested was {asked}")
    });
    city.same(rule, "goal.asked", asked, 1e-9);
    city.same(rule, "goal.reached", found, 1e-9);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_before_erosion_is_promised_to_made_land_of_the_usual_resolutions() {
        for width in [512, 1024, 4096] {
            assert_eq!(promised(Some(0.41), width), 0.40..=0.45);
        }
        for (asked, width) in [(Some(0.41), 511), (Some(0.41), 4097), (Some(0.6), 1024), (None, 1024)] {
            assert_eq!(promised(asked, width), 0.0..=1.0);
        }
    }
}
