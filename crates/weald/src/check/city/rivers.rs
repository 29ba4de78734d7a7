//! Rivers: from their source over neighbouring cells down to the border, to the sea or into a larger one.

use super::Rule;
use super::ground::WATER;
use super::land::{City, LEVEL_M};
use crate::check::RuleResult;
use crate::check::rivers::{Course, YEAR_S};
use crate::check::shapes::Shape;
use crate::error::Result;
use serde_json::Value;
use weald_core::math;

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
        about: "the cells of a river in river_id are neighbours in the order of their flow accumulation, and its line has a vertex, a \
                level and a width for each, at most one and a half cells from it; both ends are cell centres",
        needs: &["rivers.geojson", "river_id", "flow_accumulation"],
        run: cells,
    },
    Rule {
        name: "river-grows",
        about: "the flow accumulation grows with every step of a river",
        needs: &["rivers.geojson", "river_id", "flow_accumulation"],
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
        needs: &["rivers.geojson", "river_id", "flow_accumulation", "height"],
        run: level,
    },
    Rule {
        name: "river-mouth",
        about: "a river ends in a cell of its parent, or on the border or in the sea if it has none",
        needs: &["rivers.geojson", "river_id", "flow_accumulation", "height"],
        run: mouth,
    },
    Rule {
        name: "river-crossing",
        about: "no river crosses another or itself between four cells",
        needs: &["rivers.geojson", "river_id", "flow_accumulation"],
        run: uncrossed,
    },
    Rule {
        name: "river-figures",
        about: "area_km2 is that of flow_accumulation with inflow_km2; discharge_m3_s is that of water.runoff_mm, width_m 4 times its \
                root, depth_m 0.35 times its power of 0.4, and length_m that of the line",
        needs: &["rivers.geojson", "river_id", "flow_accumulation"],
        run: figures,
    },
    Rule {
        name: "river-inflow",
        about: "inflow_km2 of a river is that of the inflows that lead to it and of its tributaries",
        needs: &["rivers.geojson", "water_sources.geojson"],
        run: inflow,
    },
    Rule {
        name: "river-bed",
        about: "a river four cells wide or more has a bed of that width: four fifths of the cells within half of it are under its water",
        needs: &["rivers.geojson", "river_id", "flow_accumulation", "height", "lake_id"],
        run: bed,
    },
    Rule {
        name: "water",
        about: "a cell is water (3) in the sea, in a lake, in the channel of a river, and within half its width where it is no \
                higher than the bed and the depth there; no other cell is",
        needs: &["rivers.geojson", "river_id", "flow_accumulation", "height", "lake_id", "buildable"],
        run: water,
    },
    Rule {
        name: "river-complete",
        about: "every cell that drains more than water.river_area_km2 lies on a river; one of a single cell may be missing",
        needs: &["rivers.geojson", "river_id", "flow_accumulation", "height"],
        run: complete,
    },
    Rule {
        name: "great-rivers",
        about: "the five largest rivers reach the border or the sea without a gap and never climb",
        needs: &["rivers.geojson", "river_id", "flow_accumulation", "height"],
        run: great,
    },
];

/// The numbers of a property that is a list; NaN where there is no number.
fn list(shape: &Shape, name: &str) -> Vec<f64> {
    let list = shape.about.get(name).and_then(Value::as_array);
    list.into_iter().flatten().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect()
}

/// The stated levels.
fn levels(shape: &Shape) -> Vec<f64> {
    list(shape, "level_m")
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
    let many = city.shapes("rivers").len();
    for (i, &id) in city.wholes("river_id").cells().iter().enumerate() {
        rule.check(id as usize <= many, city.at(i), || format!("river {id}, but rivers.geojson holds {many}"));
    }
    for (k, shape, course) in city.rivers().each() {
        for pair in course.all().windows(2) {
            rule.check(city.next_to(pair[0], pair[1]), city.at(pair[0]), || {
                format!("river {k} leaps from here to {:?}", city.at(pair[1]))
            });
        }
        let (line, cells) = (shape.positions(), course.all());
        let counts = [line.len(), cells.len(), levels(shape).len(), list(shape, "widths_m").len()];
        rule.check(counts[0] > 1 && counts == [counts[0]; 4], None, || {
            format!("river {k} has {} vertices, {} cells, {} levels and {} widths", counts[0], counts[1], counts[2], counts[3])
        });
        for (v, (&p, &i)) in line.iter().zip(cells).enumerate() {
            let far = distance(p, city.centre(i));
            let most = if v == 0 || v + 1 == line.len() { 1e-3 } else { 1.5 };
            rule.check(far <= most * city.cell_m, city.at(i), || {
                format!("vertex {v} of river {k} is {far} m from its cell")
            });
        }
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
        let inflow = shape.number("inflow_km2");
        let km2 = |i: usize| f64::from(area[i]) * city.cell_m2() / 1e6 + inflow;
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
        let (width, depth) = (shape.number("width_m"), shape.number("depth_m"));
        let (wide, deep) = (4.0 * wanted.sqrt(), depth_of(wanted));
        rule.check((width - wide).abs() <= 1e-3 * wide && (depth - deep).abs() <= 1e-3 * deep, place, || {
            format!("river {k} is {width} m wide and {depth} m deep, its discharge gives {wide} m and {deep} m")
        });
        let widths = list(shape, "widths_m");
        let grows = widths.windows(2).all(|w| w[0] <= w[1] + 1e-3);
        let ends = widths.last().is_some_and(|w| (w - width).abs() <= 2e-3 + 1e-4 * width);
        rule.check(grows && ends, place, || format!("widths_m of river {k} do not grow up to {width} m"));
    }
    Ok(())
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    (dx * dx + dy * dy).sqrt()
}

/// Depth of a river by its discharge in cubic metres a second.
fn depth_of(discharge: f64) -> f64 {
    0.35 * math::pow(discharge, 0.4)
}

fn inflow(city: &City, rule: &mut RuleResult) -> Result<()> {
    let mut own = vec![0.0; city.shapes("rivers").len()];
    for (n, source) in city.shapes("water_sources").iter().enumerate().filter(|(_, s)| s.word("kind") == "inflow") {
        let river = source.number("river");
        let known = river >= 0.0 && river < own.len() as f64;
        rule.check(known, None, || format!("source {n} leads to river {river}, which is not there"));
        if known {
            own[river as usize] += source.number("area_km2");
        }
    }
    for k in (0..own.len()).rev() {
        let shape = &city.shapes("rivers")[k];
        let (stated, found) = (shape.number("inflow_km2"), own[k]);
        rule.check((stated - found).abs() <= 1e-6 + 1e-6 * found, None, || {
            format!("inflow_km2 of river {k} is {stated}, its inflows bring {found}")
        });
        if let Some(parent) = shape.about.get("parent").and_then(Value::as_u64).filter(|&p| (p as usize) < k) {
            own[parent as usize] += found;
        }
    }
    Ok(())
}

/// The cells within `radius` cells of a cell.
fn disc(city: &City, i: usize, radius: f64) -> Vec<(usize, f64)> {
    let (x, y, r) = ((i % city.width) as i64, (i / city.width) as i64, radius.ceil() as i64);
    let mut out = Vec::new();
    for (dx, dy) in (-r..=r).flat_map(|dy| (-r..=r).map(move |dx| (dx, dy))) {
        let (nx, ny) = (x + dx, y + dy);
        let far = ((dx * dx + dy * dy) as f64).sqrt();
        if far <= radius && nx >= 0 && ny >= 0 && nx < city.width as i64 && ny < city.height as i64 {
            out.push(((ny * city.width as i64 + nx) as usize, far));
        }
    }
    out
}

fn bed(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (height, lake) = (city.floats("height").cells(), city.wholes("lake_id").cells());
    for (k, shape, course) in city.rivers().each() {
        let (mut under, mut all) = (0usize, 0usize);
        for (&i, width) in course.own().iter().zip(list(shape, "widths_m")) {
            if width < 4.0 * city.cell_m || lake[i] > 0 || city.in_sea(i) {
                continue;
            }
            let top = f64::from(height[i]) + depth_of((width / 4.0) * (width / 4.0));
            let near = disc(city, i, width / 2.0 / city.cell_m);
            all += near.len();
            under += near.iter().filter(|(n, _)| f64::from(height[*n]) <= top + LEVEL_M).count();
        }
        let good = all == 0 || under as f64 >= 0.8 * all as f64;
        rule.check(good, course.all().first().and_then(|&i| city.at(i)), || {
            format!("only {under} of {all} cells within half the width of river {k} are under its water")
        });
    }
    Ok(())
}

fn water(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (height, lake) = (city.floats("height").cells(), city.wholes("lake_id").cells());
    // 2 for cells that must be water, 1 for those that may be: at the edge rounding decides.
    let mut wet: Vec<u8> = (0..city.cells()).map(|i| if city.in_sea(i) || lake[i] > 0 { 2 } else { 0 }).collect();
    for (_, shape, course) in city.rivers().each() {
        for (&i, width) in course.own().iter().zip(list(shape, "widths_m")) {
            wet[i] = 2;
            let (reach, slack) = (width / 2.0 / city.cell_m, 2e-3);
            let top = f64::from(height[i]) + depth_of((width / 4.0) * (width / 4.0));
            for (n, far) in disc(city, i, reach + slack) {
                let (h, sure) = (f64::from(height[n]), far <= reach - slack);
                if h <= top - LEVEL_M && sure {
                    wet[n] = 2;
                } else if h <= top + LEVEL_M {
                    wet[n] = wet[n].max(1);
                }
            }
        }
    }
    for (i, &class) in city.classes().cells().iter().enumerate() {
        let good = if class == WATER { wet[i] > 0 } else { wet[i] < 2 };
        rule.check(good, city.at(i), || {
            let is = if wet[i] > 0 { "under water" } else { "dry" };
            format!("class {class}, but the cell is {is}")
        });
    }
    Ok(())
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
