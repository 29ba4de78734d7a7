//! Rivers: from a source strictly down to the sea, into a larger one, or off the map.

use super::Rule;
use super::land::Island;
use crate::check::RuleResult;
use crate::check::rivers::YEAR_S;
use crate::check::shapes::Shape;
use crate::error::Result;
use serde_json::Value;
use std::cmp::Reverse;

/// How far an area, a discharge or a width may be off, as a share and in its unit.
const SLACK: f64 = 1e-6;
/// Metres of width at a discharge of 1 m³/s.
const WIDTH_M: f64 = 4.0;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "river-cells",
        about: "the cells of a river in river_id are neighbours on land in the order of their flow accumulation; its line has a vertex \
                for each and for the cell it ends in, at most one and a half cells from it, and both ends are cell centres",
        needs: &["rivers.geojson", "land", "river_id", "flow_accumulation"],
        run: cells,
    },
    Rule {
        name: "river-falls",
        about: "each point of a river is strictly lower than the one before",
        needs: &["rivers.geojson", "land", "height", "river_id", "flow_accumulation"],
        run: falls,
    },
    Rule {
        name: "river-flow",
        about: "the water of each of a river's cells goes to the next one, and off the map where the river does",
        needs: &["rivers.geojson", "land", "flow_direction", "river_id", "flow_accumulation"],
        run: flow,
    },
    Rule {
        name: "river-mouth",
        about: "a river ends in a cell of its parent, or in the sea or on the border if it has none",
        needs: &["rivers.geojson", "land", "river_id", "flow_accumulation"],
        run: mouth,
    },
    Rule {
        name: "river-crossing",
        about: "no river crosses another or itself between four cells",
        needs: &["rivers.geojson", "land", "river_id", "flow_accumulation"],
        run: uncrossed,
    },
    Rule {
        name: "river-numbers",
        about: "rivers are numbered from 0 by flow_accumulation at their last cell on land, largest first, then by that cell",
        needs: &["rivers.geojson", "land", "flow_accumulation", "river_id"],
        run: numbers,
    },
    Rule {
        name: "river-parents",
        about: "a river comes before those that end in it",
        needs: &["rivers.geojson", "land", "river_id", "flow_accumulation"],
        run: parents,
    },
    Rule {
        name: "river-strahler",
        about: "order is 1 from the source, the highest that comes in where rivers meet, and 1 more if two have it",
        needs: &["rivers.geojson", "land", "river_id", "flow_accumulation"],
        run: strahler,
    },
    Rule {
        name: "river-shreve",
        about: "magnitude is the number of sources above",
        needs: &["rivers.geojson", "land", "river_id", "flow_accumulation"],
        run: shreve,
    },
    Rule {
        name: "river-order-layer",
        about: "river_order is the order of the river in each cell, and 0 elsewhere",
        needs: &["river_order", "rivers.geojson", "land", "river_id", "flow_accumulation"],
        run: layer,
    },
    Rule {
        name: "river-figures",
        about: "length_m, area_km2, discharge_m3_s, width_m and basin fit the course, flow_accumulation and rivers.runoff_mm",
        needs: &["rivers.geojson", "land", "flow_accumulation", "basin", "river_id"],
        run: figures,
    },
];

fn cells(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let many = island.shapes("rivers").len();
    for (i, &id) in island.wholes("river_id").cells().iter().enumerate() {
        rule.check(id as usize <= many, island.at(i), || {
            format!("river {id}, but rivers.geojson holds {many}")
        });
    }
    for (k, shape, course) in island.rivers().each() {
        rule.check(!course.own().is_empty(), None, || format!("river {k} has no cell of its own on land"));
        for pair in course.all().windows(2) {
            rule.check(island.next_to(pair[0], pair[1]), island.at(pair[0]), || {
                format!("river {k} leaps from here to {:?}", island.at(pair[1]))
            });
        }
        for &i in course.own() {
            rule.check(island.is_land(i), island.at(i), || format!("river {k} goes on through the sea"));
        }
        let (line, cells) = (shape.positions(), course.all());
        rule.check(line.len() > 1 && line.len() == cells.len(), None, || {
            format!("river {k} has {} vertices and {} cells", line.len(), cells.len())
        });
        for (v, (&p, &i)) in line.iter().zip(cells).enumerate() {
            let far = distance(p, island.centre(i));
            let most = if v == 0 || v + 1 == line.len() { 1e-3 } else { 1.5 };
            rule.check(far <= most * island.cell_m, island.at(i), || {
                format!("vertex {v} of river {k} is {far} m from its cell")
            });
        }
    }
    Ok(())
}

/// Distance between two places.
fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
    (dx * dx + dy * dy).sqrt()
}

fn falls(island: &Island, rule: &mut RuleResult) -> Result<()> {
    island.rivers().fall(island.floats("height").cells(), rule);
    Ok(())
}

fn flow(island: &Island, rule: &mut RuleResult) -> Result<()> {
    for (k, _, course) in island.rivers().each() {
        for (at, &i) in course.own().iter().enumerate() {
            let (next, goes) = (course.all().get(at + 1).copied(), island.below(i));
            rule.check(goes == next, island.at(i), || {
                let name = |n: Option<usize>| {
                    n.and_then(|n| island.at(n)).map_or("nowhere".into(), |p| format!("{p:?}"))
                };
                format!("river {k} goes to {}, the water to {}", name(next), name(goes))
            });
        }
    }
    Ok(())
}

fn mouth(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let ends = |i: usize| !island.is_land(i) || island.on_border(i);
    island.rivers().mouths(island.owners(), ends, rule);
    Ok(())
}

fn uncrossed(island: &Island, rule: &mut RuleResult) -> Result<()> {
    island.rivers().uncrossed(rule);
    Ok(())
}

fn numbers(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let area = island.wholes("flow_accumulation").cells();
    let mut before = None;
    for (k, shape, course) in island.rivers().each() {
        rule.check(shape.id == k, None, || format!("river {k} of the file has the id {}", shape.id));
        let Some(&i) = course.own().last() else { continue };
        let key = (Reverse(area[i]), i);
        rule.check(before.is_none_or(|b| b < key), island.at(i), || {
            format!("river {k}, through which {} cells drain here, stands after a smaller one", area[i])
        });
        before = Some(key);
    }
    Ok(())
}

fn parents(island: &Island, rule: &mut RuleResult) -> Result<()> {
    for (k, shape, course) in island.rivers().each() {
        let stated = shape.about.get("parent");
        let good = stated.is_some() && course.parent.is_none_or(|p| p < k);
        rule.check(good, course.all().first().and_then(|&i| island.at(i)), || {
            format!("the parent of river {k} is {}", stated.unwrap_or(&Value::Null))
        });
    }
    Ok(())
}

fn strahler(island: &Island, rule: &mut RuleResult) -> Result<()> {
    stated(island, "order", |i| u32::from(island.network().order[i]), rule);
    Ok(())
}

fn shreve(island: &Island, rule: &mut RuleResult) -> Result<()> {
    stated(island, "magnitude", |i| island.network().magnitude[i], rule);
    Ok(())
}

/// Compares a property of each river with what belongs to its last cell on land.
fn stated(island: &Island, key: &str, wanted: impl Fn(usize) -> u32, rule: &mut RuleResult) {
    for (k, shape, course) in island.rivers().each() {
        let Some(&i) = course.own().last() else { continue };
        let (found, wanted) = (shape.number(key), wanted(i));
        rule.check(found == f64::from(wanted), island.at(i), || {
            format!("{key} of river {k} is {found}, not {wanted}")
        });
    }
}

fn layer(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let wanted = &island.network().order;
    for (i, &found) in island.bytes("river_order").cells().iter().enumerate() {
        rule.check(found == wanted[i], island.at(i), || format!("river_order is {found}, not {}", wanted[i]));
    }
    Ok(())
}

fn figures(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let (area, basin) = (island.wholes("flow_accumulation").cells(), island.wholes("basin").cells());
    let runoff_m = island.param("rivers.runoff_mm")? / 1000.0;
    for (k, shape, course) in island.rivers().each() {
        let Some(&i) = course.own().last() else { continue };
        let m2 = f64::from(area[i]) * island.cell_m2();
        let discharge = m2 * runoff_m / YEAR_S;
        let length = length_m(shape);
        for (key, wanted, slack) in [
            ("length_m", length, 1e-3),
            ("area_km2", m2 / 1e6, SLACK + SLACK * m2 / 1e6),
            ("discharge_m3_s", discharge, SLACK + SLACK * discharge),
            ("width_m", WIDTH_M * discharge.sqrt(), SLACK + SLACK * WIDTH_M * discharge.sqrt()),
            ("basin", f64::from(basin[i]), 0.0),
        ] {
            let found = shape.number(key);
            rule.check((found - wanted).abs() <= slack, island.at(i), || {
                format!("{key} of river {k} is {found}, not {wanted}")
            });
        }
    }
    Ok(())
}

/// Length of a line in metres.
pub(super) fn length_m(shape: &Shape) -> f64 {
    shape.positions().windows(2).fold(0.0, |sum, p| sum + distance(p[0], p[1]))
}
