//! Lakes: standing water that is deep and wide enough.

use super::Rule;
use super::land::{City, LEVEL_M};
use crate::check::RuleResult;
use crate::error::Result;
use weald_core::{Ctx, label};

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "lake-numbers",
        about: "points and lakes of the layer have the same numbers, from 0 in the file and from 1 in the layer",
        needs: &["lake_id", "lakes.geojson"],
        run: numbers,
    },
    Rule {
        name: "lake-water",
        about: "the ground of a lake lies below the level of standing water, which in the sea is the ground itself",
        needs: &["lake_id", "height"],
        run: water,
    },
    Rule {
        name: "lake-level",
        about: "a lake has one level, that of its point to 1 mm",
        needs: &["lake_id", "lakes.geojson", "height"],
        run: level,
    },
    Rule {
        name: "lake-outlet",
        about: "the point of a lake is one of its cells, next to lower water or ground outside",
        needs: &["lake_id", "lakes.geojson", "height"],
        run: outlet,
    },
    Rule {
        name: "lake-whole",
        about: "all cells of one body of standing water belong to the same lake",
        needs: &["lake_id", "height"],
        run: whole,
    },
    Rule {
        name: "lake-complete",
        about: "standing water at least as deep and large as water.lake_min_depth_m and lake_min_area_m2 is a lake, smaller is not",
        needs: &["lake_id", "height"],
        run: complete,
    },
    Rule {
        name: "lake-figures",
        about: "area, volume and greatest depth of a lake are those of its cells, stats.lakes.share that of all lakes",
        needs: &["lake_id", "lakes.geojson", "height"],
        run: figures,
    },
];

/// The size of a body of standing water.
#[derive(Clone, Default)]
struct Water {
    /// Its cells.
    cells: u64,
    /// Sum of the depths, in metres.
    depths: f64,
    /// Greatest depth in metres.
    deepest: f64,
    /// A cell of it.
    first: usize,
    /// Cells that belong to a lake.
    in_lake: u64,
}

/// The bodies of standing water of a layer of numbers from 1; 0 is land.
fn measure(city: &City, label: &[u32], count: usize) -> Vec<Water> {
    let (level, height) = (city.level().cells(), city.floats("height").cells());
    let lake = city.wholes("lake_id").cells();
    let mut out = vec![Water::default(); count];
    for (i, &l) in label.iter().enumerate().filter(|(_, l)| **l > 0 && **l as usize <= count) {
        let water = &mut out[l as usize - 1];
        let depth = f64::from(level[i]) - f64::from(height[i]);
        if water.cells == 0 {
            water.first = i;
        }
        water.cells += 1;
        water.depths += depth;
        water.deepest = water.deepest.max(depth);
        water.in_lake += u64::from(lake[i] > 0);
    }
    out
}

fn numbers(city: &City, rule: &mut RuleResult) -> Result<()> {
    let points = city.shapes("lakes");
    let mut there = vec![false; points.len()];
    for (i, &l) in city.wholes("lake_id").cells().iter().enumerate().filter(|(_, l)| **l > 0) {
        let known = (l as usize) <= points.len();
        rule.check(known, city.at(i), || format!("lake {l}, but lakes.geojson holds {}", points.len()));
        if known {
            there[l as usize - 1] = true;
        }
    }
    for (k, point) in points.iter().enumerate() {
        rule.check(point.id == k, None, || format!("point {k} of lakes.geojson has the id {}", point.id));
        rule.check(there[k], None, || format!("lake {k} has no cell"));
    }
    Ok(())
}

fn water(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (level, height) = (city.level().cells(), city.floats("height").cells());
    for (i, _) in city.wholes("lake_id").cells().iter().enumerate().filter(|(_, l)| **l > 0) {
        rule.check(level[i] > height[i], city.at(i), || {
            let what = if city.in_sea(i) { "it lies in the sea: " } else { "" };
            format!("{what}the ground is at {} m, standing water at {} m", height[i], level[i])
        });
    }
    Ok(())
}

fn level(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (level, points) = (city.level().cells(), city.shapes("lakes"));
    let mut first = vec![None; points.len()];
    for (i, &l) in city.wholes("lake_id").cells().iter().enumerate() {
        let Some(k) = (l as usize).checked_sub(1).filter(|k| *k < points.len()) else { continue };
        let one = *first[k].get_or_insert(level[i]);
        let stated = points[k].number("level_m");
        let good = level[i] == one && (f64::from(one) - stated).abs() <= LEVEL_M;
        rule.check(good, city.at(i), || {
            format!(
                "water stands at {} m, in the first cell of lake {k} at {one} m, its point says {stated}",
                level[i]
            )
        });
    }
    Ok(())
}

fn outlet(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (level, lake) = (city.level().cells(), city.wholes("lake_id").cells());
    for (k, point) in city.shapes("lakes").iter().enumerate() {
        let at = point.positions().first().and_then(|&p| city.cell(p));
        let inside = at.filter(|&i| lake[i] as usize == k + 1);
        rule.check(inside.is_some(), at.and_then(|i| city.at(i)), || {
            format!("the point of lake {k} is at {:?}, which is no cell centre of it", point.positions())
        });
        let Some(i) = inside else { continue };
        let mut leaves = false;
        city.around(i, |n| leaves |= lake[n] != lake[i] && level[n] <= level[i]);
        rule.check(leaves, city.at(i), || format!("no water leaves lake {k} here, at {} m", level[i]));
    }
    Ok(())
}

fn whole(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (level, height) = (city.level().cells(), city.floats("height").cells());
    let lake = city.wholes("lake_id").cells();
    for i in (0..lake.len()).filter(|&i| lake[i] > 0) {
        let mut other = None;
        city.around(i, |n| {
            let wet = f64::from(level[n]) - f64::from(height[n]) > 2.0 * LEVEL_M;
            if wet && lake[n] != lake[i] {
                other = Some(n);
            }
        });
        rule.check(other.is_none(), city.at(i), || {
            let n = other.unwrap_or(i);
            format!("lake {}, but at {:?} in the same water it is lake {}", lake[i], city.at(n), lake[n])
        });
    }
    Ok(())
}

fn complete(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (level, height) = (city.level().cells(), city.floats("height").cells());
    let wet = |i: usize| level[i] > height[i];
    let (label, count) = label::regions(city.width, city.height, &Ctx::default(), wet)?;
    let (depth, area) = (city.param("water.lake_min_depth_m")?, city.param("water.lake_min_area_m2")?);
    for water in measure(city, label.cells(), count as usize) {
        let found = water.cells as f64 * city.cell_m2();
        // Near a limit rounding decides.
        let certain = water.deepest > depth + LEVEL_M && found > area * (1.0 + 1e-6);
        let never = water.deepest < depth - LEVEL_M || found < area * (1.0 - 1e-6);
        let good = if water.in_lake > 0 { !never } else { !certain };
        rule.check(good, city.at(water.first), || {
            let is = if water.in_lake > 0 { "a" } else { "no" };
            format!("standing water {} m deep and {found} m2 large is {is} lake", water.deepest)
        });
    }
    Ok(())
}

fn figures(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (lake, points) = (city.wholes("lake_id").cells(), city.shapes("lakes"));
    for (k, water) in measure(city, lake, points.len()).into_iter().enumerate() {
        let (area, volume) = (water.cells as f64 * city.cell_m2(), water.depths * city.cell_m2());
        for (key, found, slack) in [
            ("area_m2", area, 1.0 + 1e-4 * area),
            ("volume_m3", volume, 1.0 + LEVEL_M * area),
            ("depth_m", water.deepest, 2.0 * LEVEL_M),
        ] {
            let stated = points[k].number(key);
            rule.check((stated - found).abs() <= slack, city.at(water.first), || {
                format!("{key} of lake {k} is {found}, its point says {stated}")
            });
        }
    }
    let all = lake.iter().filter(|l| **l > 0).count();
    city.same(rule, "lakes.share", all as f64 / city.cells() as f64, 1e-9);
    Ok(())
}
