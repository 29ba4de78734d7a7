//! For every rule a folder that breaks it, and nothing else that could be kept.

use super::naive::{cell, centre};
use super::{Sample, point};
use crate::check::island::RULES;
use serde_json::{Value, json};
use std::collections::BTreeSet;

type Break = (&'static [&'static str], fn(&mut Sample));

fn twice(v: &mut Value) {
    *v = (v.as_f64().unwrap() * 2.0).into();
}

/// The properties of the river that begins at a place.
fn about(s: &mut Sample, (x, y): (usize, usize)) -> &mut Value {
    let k = s.from(x, y);
    &mut s.rivers[k]["properties"]
}

/// The positions of the river that begins at a place.
fn line(s: &mut Sample, (x, y): (usize, usize)) -> &mut Vec<Value> {
    let k = s.from(x, y);
    s.rivers[k]["geometry"]["coordinates"].as_array_mut().unwrap()
}

const FILES: &[Break] = &[
    (&["island-frame"], |s| s.frame["origin"][1] = 1.into()),
    (&["island-frame"], |s| s.params["map"]["cell_m"] = 12.into()),
    (&["island-layers"], |s| s.layers[1].1 = "m"),
    (&["island-layers"], |s| s.layers.swap(3, 4)),
    (&["line-files"], |s| s.manifest = |m| m["points"][1]["count"] = 99.into()),
    (&["line-files"], |s| s.manifest = |m| m["files"][0]["file"] = "none.json".into()),
    (&["layer-range", "numbers", "shore-distance", "moisture"], |s| {
        s.floats("shore_distance")[cell(1, 1)] = f32::NAN
    }),
    (&["numbers"], |s| s.floats("shore_distance")[cell(1, 1)] = -0.0),
    (&["cover-classes"], |s| s.bytes("cover")[5] = 1),
    (&["cover-classes"], |s| s.manifest = |m| m["layers"][9]["classes"] = Value::Null),
];

const GROUND: &[Break] = &[
    (&["land-values"], |s| s.bytes("land")[cell(4, 6)] = 2),
    (&["land-share"], |s| s.params["shape"]["land_fraction"] = (131.0 / 216.0).into()),
    (
        &[
            "land-share",
            "sea-whole",
            "shore-distance",
            "land-above-sea",
            "sea-depth",
            "flow-directions",
            "flow-accumulation",
            "basins",
            "moisture",
            "land-figures",
            "river-stats",
            "basin-figures",
        ],
        |s| s.bytes("land")[cell(4, 8)] = 0,
    ),
    (
        &[
            "land-share",
            "border-sea",
            "shore-distance",
            "land-above-sea",
            "flow-accumulation",
            "basins",
            "moisture",
            "land-figures",
            "river-stats",
            "basin-figures",
        ],
        |s| s.bytes("land")[cell(0, 5)] = 1,
    ),
    (&["shore-distance", "sea-depth"], |s| s.floats("shore_distance")[cell(14, 8)] *= 1.01),
    (&["land-above-sea", "moisture", "terrain-grids"], |s| {
        // Beside the sea a cell may lie at the level of it.
        s.floats("height")[cell(16, 4)] = 0.0;
    }),
    (&["sea-depth", "terrain-grids"], |s| s.floats("height")[0] -= 0.01),
    (&["sea-depth"], |s| s.params["sea"]["shelf_cells"] = 2.into()),
];

const FLOW: &[Break] = &[
    (&["land-drains", "flow-downhill", "moisture", "terrain-grids"], |s| {
        s.floats("height")[cell(3, 8)] = 20.0
    }),
    (&["flow-directions"], |s| s.bytes("flow_direction")[0] = 3),
    (&["flow-directions"], |s| s.bytes("flow_direction")[cell(17, 11)] = 8),
    (&["flow-downhill", "flow-accumulation"], |s| s.bytes("flow_direction")[cell(3, 9)] = 6),
    (&["flow-downhill", "flow-ends", "flow-accumulation", "basins", "basin-figures"], |s| {
        s.bytes("flow_direction")[cell(16, 4)] = 6;
        s.bytes("flow_direction")[cell(16, 3)] = 2;
    }),
    (&["flow-accumulation", "terrain-grids"], |s| s.wholes("flow_accumulation")[cell(15, 3)] += 1),
    (&["basins"], |s| {
        let (a, b) = (cell(1, 1), cell(2, 1));
        s.wholes("basin").swap(a, b);
    }),
    (&["moisture", "terrain-grids"], |s| s.floats("moisture")[cell(5, 6)] += 2e-4),
    (&["moisture", "terrain-grids"], |s| s.floats("moisture")[0] = 0.9),
];

const RIVERS: &[Break] = &[
    (&["river-cells", "river-figures", "river-stats"], |s| line(s, (2, 4))[1][0] = 60.0.into()),
    (&["river-cells"], |s| drop(line(s, (6, 2)).remove(3))),
    (
        &["river-cells", "river-flow", "river-figures", "terrain-rivers", "river-stats"],
        // On through the sea.
        |s| line(s, (6, 2)).push(centre(cell(7, 11))),
    ),
    (&["flow-downhill", "moisture", "river-falls", "terrain-grids"], |s| {
        s.floats("height")[cell(3, 4)] = s.truth.height[cell(2, 4)];
    }),
    (&["flow-accumulation", "river-flow"], |s| s.bytes("flow_direction")[cell(9, 6)] = 3),
    (&["river-flow", "river-mouth", "river-figures", "terrain-rivers", "river-stats"], |s| {
        line(s, (6, 2)).pop();
    }),
    (&["river-mouth", "terrain-rivers"], |s| {
        let other = s.from(11, 7);
        about(s, (2, 4))["parent"] = other.into();
    }),
    (&["river-cells", "river-numbers", "river-sources", "terrain-rivers", "river-stats"], |s| {
        s.rivers.push(s.rivers[5].clone())
    }),
    (
        &[
            "flow-accumulation",
            "river-flow",
            "river-mouth",
            "river-crossing",
            "river-strahler",
            "river-shreve",
            "river-order-layer",
            "terrain-grids",
            "terrain-rivers",
            "river-stats",
        ],
        |s| {
            // Over the step of the river that begins beside it.
            let (id, gone) = (s.from(2, 4) as u32 + 1, s.truth.rivers[s.from(2, 4)].cells[2]);
            s.wholes("river_id")[gone] = 0;
            s.wholes("river_id")[cell(4, 5)] = id;
            s.wholes("flow_accumulation")[cell(4, 5)] = s.truth.area[gone];
        },
    ),
    (&["river-numbers"], |s| s.rivers[2]["id"] = 7.into()),
    (
        &["river-cells", "river-falls", "river-flow", "river-numbers", "river-figures", "terrain-rivers"],
        |s| s.rivers.swap(3, 4),
    ),
    (&["river-parents"], |s| drop(about(s, (6, 2)).as_object_mut().unwrap().remove("parent"))),
    (&["river-strahler", "terrain-rivers"], |s| about(s, (6, 2))["order"] = 2.into()),
    (&["river-shreve"], |s| about(s, (6, 2))["magnitude"] = 5.into()),
    (&["river-order-layer"], |s| s.bytes("river_order")[cell(6, 5)] = 3),
    (&["river-order-layer"], |s| s.bytes("river_order")[cell(5, 8)] = 1),
    (&["river-figures"], |s| twice(&mut about(s, (2, 5))["length_m"])),
    (&["river-figures"], |s| twice(&mut about(s, (2, 5))["area_km2"])),
    (&["river-figures"], |s| twice(&mut about(s, (2, 5))["discharge_m3_s"])),
    (&["river-figures"], |s| twice(&mut about(s, (2, 5))["width_m"])),
    (&["river-figures"], |s| about(s, (2, 5))["basin"] = 2.into()),
    (&["river-figures"], |s| s.params["rivers"]["runoff_mm"] = 700.into()),
];

const PLACES: &[Break] = &[
    (&["harbours"], |s| s.harbours[0]["geometry"]["coordinates"] = centre(cell(11, 6))),
    (&["harbours"], |s| s.harbours[0]["properties"]["shelter"] = 1.5.into()),
    (&["harbour-depth"], |s| s.harbours[0]["properties"]["depth_m"] = 5.6.into()),
    (&["harbour-river"], |s| s.harbours[0]["properties"]["river"] = 99.into()),
    (&["harbour-river"], |s| s.harbours[0]["properties"]["river"] = s.from(2, 4).into()),
    (&["peaks"], |s| s.peaks[0]["properties"]["height_m"] = 1.0.into()),
    (&["peaks"], |s| s.peaks.push(point(6, cell(0, 0), json!({"height_m": 1.0})))),
    (&["peaks"], |s| s.peaks.push(s.peaks[2].clone())),
    (&["river-sources"], |s| drop(s.peaks.pop())),
    (&["source-spacing"], |s| s.params["rivers"]["river_spacing"] = 2.into()),
    (&["source-spacing"], |s| s.params["elevation"]["min_peak_elevation"] = 300.into()),
];

const TERRAIN: &[Break] = &[
    (&["terrain-grids"], |s| {
        let v = &mut s.terrain.as_mut().unwrap()["height"][4][5];
        *v = (v.as_f64().unwrap() as f32).next_up().into();
    }),
    (&["terrain-grids"], |s| s.terrain.as_mut().unwrap()["flowAccumulation"][4][5] = 1000.into()),
    (&["terrain-grids"], |s| twice(&mut s.terrain.as_mut().unwrap()["moisture"][4][5])),
    (&["terrain-grids"], |s| {
        s.terrain.as_mut().unwrap()["moisture"].as_array_mut().unwrap().pop();
    }),
    (&["terrain-rivers"], |s| s.terrain.as_mut().unwrap()["rivers"][0]["id"] = "r1".into()),
    (&["terrain-rivers"], |s| s.terrain.as_mut().unwrap()["rivers"][0]["strahler"] = 1.into()),
    (&["terrain-rivers"], |s| s.terrain.as_mut().unwrap()["rivers"][0]["points"][2]["x"] = 7.into()),
    (&["terrain-rivers"], |s| {
        let rivers = s.terrain.as_mut().unwrap()["rivers"].as_array_mut().unwrap();
        let tributary = rivers[0]["tributaries"].as_array_mut().unwrap().pop().unwrap();
        rivers.push(tributary);
    }),
];

const FIGURES: &[Break] = &[
    (&["land-figures"], |s| twice(&mut s.stats["land_share"])),
    (&["land-figures"], |s| s.stats["coast_cells"] = 3.into()),
    (&["land-figures"], |s| s.stats["islands"] = 1.into()),
    (&["height-figures"], |s| twice(&mut s.stats["highest_m"])),
    (&["height-figures"], |s| s.stats["raised"]["share"] = 1.5.into()),
    (&["height-figures"], |s| s.stats["raised"]["most_m"] = 0.into()),
    (&["river-stats"], |s| s.stats["rivers"]["count"] = 5.into()),
    (&["river-stats"], |s| s.stats["rivers"]["orders"] = json!([4, 1, 1])),
    (&["river-stats"], |s| twice(&mut s.stats["rivers"]["length_km"])),
    (&["river-stats"], |s| twice(&mut s.stats["drainage_density_km_per_km2"])),
    (&["basin-figures"], |s| s.stats["basins"] = 1.into()),
    (&["basin-figures"], |s| s.stats["largest_basin_share"] = 0.9.into()),
];

const ALL: [&[Break]; 7] = [FILES, GROUND, FLOW, RIVERS, PLACES, TERRAIN, FIGURES];

#[test]
fn what_is_broken_is_found_and_nothing_else() {
    let good = Sample::new();
    let mut wrong = String::new();
    for (rules, change) in ALL.into_iter().flatten() {
        let mut sample = good.clone();
        change(&mut sample);
        if sample.failing() != *rules {
            wrong += &format!("\n{rules:?} were meant, found were\n{}", sample.faults());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_rule_has_a_folder_that_breaks_it() {
    let broken: BTreeSet<_> = ALL.into_iter().flatten().flat_map(|b| b.0).copied().collect();
    let mut rules: BTreeSet<_> = RULES.iter().copied().flatten().map(|r| r.name).collect();
    // Of the rules about files that all worlds share, one breaks with a layer that holds NaN.
    rules.insert("layer-range");
    assert_eq!(broken, rules);
}
