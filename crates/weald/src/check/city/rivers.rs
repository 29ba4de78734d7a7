//! Rivers: from their source over neighbouring cells down to the border, to the sea or into a larger one.

use super::Rule;
use super::land::{City, LEVEL_M};
use crate::check::RuleResult;
use crate::check::rivers::{Course, YEAR_S};
use crate::check::shapes::Shape;
use crate::error::Result;
use serde_json::Value;

/// How many of the largest rivers are followed to the border or the sea.
const GREAT: usize = 5;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "river-order",
        about: "rivers are numbered from 0 by the drainage area at their mouth, largest first",
        needs: &["rivers.geojson"],
        run: order,
    },
    Rule {
        name: "river-cells",
        about: "a river goes through the centres of neighbouring cells and has a level for each",
        needs: &["rivers.geojson"],
        run: cells,
    },
    Rule {
        name: "river-grows",
        about: "the flow accumulation grows with every step of a river",
        needs: &["rivers.geojson", "flow_accumulation"],
        run: grows,
    },
    Rule {
        name: "river-falls",
        about: "the level of a river never rises",
        needs: &["rivers.geojson"],
        run: falls,
    },
    Rule {
        name: "river-level",
        about: "the level of a river is that of the ground with its depressions full, to 1 mm",
        needs: &["rivers.geojson", "height"],
        run: level,
    },
    Rule {
        name: "river-mouth",
        about: "a river ends in a cell of its parent, or on the border or in the sea if it has none",
        needs: &["rivers.geojson", "height"],
        run: mouth,
    },
    Rule {
        name: "river-apart",
        about: "no cell belongs to two rivers",
        needs: &["rivers.geojson"],
        run: apart,
    },
    Rule {
        name: "river-crossing",
        about: "no river crosses another or itself between four cells",
        needs: &["rivers.geojson"],
        run: uncrossed,
    },
    Rule {
        name: "river-figures",
        about: "area_km2, discharge_m3_s, length_m and width_m of a river fit its course, flow_accumulation and water.runoff_mm",
        needs: &["rivers.geojson", "flow_accumulation"],
        run: figures,
    },
    Rule {
        name: "river-complete",
        about: "every cell that drains more than water.river_area_km2 lies on a river; one of a single cell may be missing",
        needs: &["rivers.geojson", "flow_accumulation", "height"],
        run: complete,
    },
    Rule {
        name: "great-rivers",
        about: "the five largest rivers reach the border or the sea without a gap and never climb",
        needs: &["rivers.geojson", "height"],
        run: great,
    },
];

/// The stated levels; NaN where there is no number.
fn levels(shape: &Shape) -> Vec<f64> {
    let list = shape.about.get("level_m").and_then(Value::as_array);
    list.into_iter().flatten().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect()
}

fn order(city: &City, rule: &mut RuleResult) -> Result<()> {
    let mut last = f64::INFINITY;
    for (k, shape, _) in city.rivers().each() {
        rule.check(shape.id == k, None, || format!("river {k} of the file has the id {}", shape.id));
        let area = shape.number("area_km2");
        rule.check(area <= last, None, || format!("river {k} drains {area} km2, the one before {last}"));
        last = area;
    }
    Ok(())
}

fn cells(city: &City, rule: &mut RuleResult) -> Result<()> {
    city.rivers().steps(rule);
    for (k, shape, _) in city.rivers().each() {
        let (vertices, levels) = (shape.positions().len(), levels(shape).len());
        rule.check(vertices > 0 && vertices == levels, None, || {
            format!("river {k} has {vertices} vertices and {levels} levels")
        });
    }
    Ok(())
}

fn grows(city: &City, rule: &mut RuleResult) -> Result<()> {
    let area = city.wholes("flow_accumulation").cells();
    for (k, _, course) in city.rivers().each() {
        for pair in course.all().windows(2) {
            let (from, to) = (area[pair[0]], area[pair[1]]);
            rule.check(to > from, city.at(pair[1]), || format!("river {k}: {from} cells drain to {to}"));
        }
    }
    Ok(())
}

fn falls(city: &City, rule: &mut RuleResult) -> Result<()> {
    for (k, shape, _) in city.rivers().each() {
        for (at, pair) in levels(shape).windows(2).enumerate() {
            rule.check(pair[1] <= pair[0], None, || {
                format!("river {k} rises from {} m to {} m after vertex {at}", pair[0], pair[1])
            });
        }
    }
    Ok(())
}

fn level(city: &City, rule: &mut RuleResult) -> Result<()> {
    let level = city.level().cells();
    for (k, shape, course) in city.rivers().each() {
        for (&i, stated) in course.all().iter().zip(levels(shape)) {
            rule.check((f64::from(level[i]) - stated).abs() <= LEVEL_M, city.at(i), || {
                format!("river {k} is at {stated} m, the filled ground at {} m", level[i])
            });
        }
    }
    Ok(())
}

fn mouth(city: &City, rule: &mut RuleResult) -> Result<()> {
    city.rivers().mouths(city.owners(), |i| city.may_end(i), rule);
    Ok(())
}

fn apart(city: &City, rule: &mut RuleResult) -> Result<()> {
    city.rivers().apart(rule);
    Ok(())
}

fn uncrossed(city: &City, rule: &mut RuleResult) -> Result<()> {
    city.rivers().uncrossed(rule);
    Ok(())
}

fn figures(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (area, runoff_m) =
        (city.wholes("flow_accumulation").cells(), city.param("water.runoff_mm")? / 1000.0);
    for (k, shape, course) in city.rivers().each() {
        let place = course.all().first().and_then(|&i| city.at(i));
        let stated = shape.number("area_km2");
        let km2 = |i: usize| f64::from(area[i]) * city.cell_m2() / 1e6;
        // Whether the mouth is the meeting with the parent or the cell before it is left open.
        let mut near = course.all().iter().rev().take(2).map(|&i| km2(i));
        let fits = |v: f64| (v - stated).abs() <= 5e-4 + 1e-4 * v;
        rule.check(course.cells.is_none() || near.any(fits), place, || {
            let ends: Vec<f64> = course.all().iter().rev().take(2).map(|&i| km2(i)).collect();
            format!("area_km2 of river {k} is {stated}, the drainage area at its mouth is {ends:?} (last cell first)")
        });
        let (flow, wanted) = (shape.number("discharge_m3_s"), stated * 1e6 * runoff_m / YEAR_S);
        rule.check((flow - wanted).abs() <= 6e-4 + 1e-3 * wanted, place, || {
            format!("discharge_m3_s of river {k} is {flow}, {stated} km2 give {wanted}")
        });
        let steps: Vec<f64> = shape.positions().windows(2).map(|p| distance(p[0], p[1])).collect();
        let (length, long) = (shape.number("length_m"), steps.iter().fold(0.0, |a, b| a + b));
        let short = long - steps.last().copied().unwrap_or(0.0);
        let fits = |v: f64| (v - length).abs() <= 0.1 + 1e-4 * v;
        rule.check(fits(long) || fits(short), place, || {
            format!("length_m of river {k} is {length}, its line measures {long}")
        });
        let width = shape.number("width_m");
        rule.check(width > 0.0 && width.is_finite(), place, || format!("width_m of river {k} is {width}"));
    }
    Ok(())
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    (dx * dx + dy * dy).sqrt()
}

/// A river of a single cell may be missing. Then no other flows into that cell: what drains through it can come from
/// neighbours that are no rivers. And the cell it flows to lies on a river, which has two cells at least.
fn complete(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (area, owners, level) =
        (city.wholes("flow_accumulation").cells(), city.owners(), city.level().cells());
    let least = city.param("water.river_area_km2")? * 1e6 / city.cell_m2() * (1.0 + 1e-9);
    for i in (0..area.len()).filter(|&i| f64::from(area[i]) > least) {
        let (mut small, mut meets) = (1u64, city.may_end(i));
        city.around(i, |n| {
            let rises = f64::from(level[n]) - f64::from(level[i]);
            if f64::from(area[n]) <= least && rises >= -LEVEL_M {
                small += u64::from(area[n]);
            }
            meets |= owners[n] > 0 && area[n] > area[i] && rises <= LEVEL_M;
        });
        let alone = small >= u64::from(area[i]) && meets;
        rule.check(owners[i] > 0 || alone, city.at(i), || {
            format!("{} cells drain through it, above {least:.1}, and no river passes", area[i])
        });
    }
    Ok(())
}

fn great(city: &City, rule: &mut RuleResult) -> Result<()> {
    let level = city.level().cells();
    for (k, course) in city.courses().iter().enumerate().take(GREAT) {
        let way = to_end(city, course);
        let ends = way.last().is_some_and(|&i| city.may_end(i));
        rule.check(ends, way.last().and_then(|&i| city.at(i)), || {
            format!("river {k} reaches neither the border nor the sea")
        });
        for pair in way.windows(2) {
            let (from, to) = (level[pair[0]], level[pair[1]]);
            rule.check(to <= from && city.next_to(pair[0], pair[1]), city.at(pair[0]), || {
                format!("river {k} goes from {from} m here to {to} m at {:?}", city.at(pair[1]))
            });
        }
    }
    Ok(())
}

/// The cells of a river and of those it ends in, down to the border or the sea.
fn to_end(city: &City, course: &Course) -> Vec<usize> {
    let mut way = course.all().to_vec();
    let mut parent = course.parent;
    for _ in city.courses() {
        let Some(next) = parent.and_then(|p| city.courses().get(p)) else { break };
        let meets = way.last().and_then(|&end| next.all().iter().position(|&i| i == end));
        let Some(at) = meets else { break };
        way.extend(&next.all()[at + 1..]);
        parent = next.parent;
    }
    way
}
