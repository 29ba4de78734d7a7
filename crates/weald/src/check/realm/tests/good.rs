//! Folders without a fault, and what cannot be checked.

use super::naive::{CELL_M, Plan, tile};
use super::{Sample, bytes};
use crate::check::Report;
use crate::check::realm::RULES;
use crate::check::tests::folder::HandMade;
use proptest::prelude::*;
use serde_json::{Value, json};
use weald_core::{AnyGrid, Grid};

#[test]
fn a_good_folder_keeps_every_rule() {
    let report = Sample::new().check();
    assert!(report.ok() && report.notes.is_empty(), "{report}");
    for rule in RULES.iter().copied().flatten() {
        let done = report.rules.iter().find(|r| r.rule == rule.name).unwrap();
        assert!(done.checked > 0, "{} looked at nothing", rule.name);
    }
}

#[test]
fn polygons_need_vertices_only_where_they_turn() {
    let mut sample = Sample::new();
    for polygon in &mut sample.biomes {
        for ring in polygon["geometry"]["coordinates"].as_array_mut().unwrap() {
            let ring = ring.as_array_mut().unwrap();
            let turns = |p: &[Value]| p[0][0] != p[2][0] && p[0][1] != p[2][1];
            let mut kept = vec![ring[0].clone()];
            kept.extend(ring.windows(3).filter(|p| turns(p)).map(|p| p[1].clone()));
            kept.push(ring[0].clone());
            assert!(kept.len() < ring.len());
            *ring = kept;
        }
    }
    let report = sample.check();
    assert!(report.ok(), "{report}");
}

#[test]
fn around_settlements_the_rules_for_lines_are_off() {
    let mut plan = Plan::new();
    // A second road beside the railroad, from the capital to the end of its zone and back.
    plan.roads.push(super::naive::way(&[(13, 29), (15, 29), (15, 30), (12, 30)], (1, 1)));
    let report = Sample::of(&plan).check();
    assert!(report.ok(), "{report}");
    // One tile farther the rules hold.
    plan.roads.last_mut().unwrap().tiles = super::naive::path(&[(13, 29), (16, 29), (16, 30), (12, 30)]);
    assert_eq!(Sample::of(&plan).failing(), ["parallel", "rail-setback"]);
}

#[test]
fn one_settlement_may_be_left_out_if_it_says_why() {
    let mut plan = Plan::new();
    plan.roads.remove(1);
    plan.places[2].road = false;
    let report = Sample::of(&plan).check();
    assert!(report.ok(), "{report}");
}

#[test]
fn messages_name_places_kinds_and_directions() {
    let mut plan = Plan::new();
    plan.roads[4].tiles = super::naive::path(&[(36, 29), (44, 29)]);
    let report = Sample::of(&plan).check();
    let rule = report.rules.iter().find(|r| r.rule == "parallel").unwrap();
    assert_eq!(rule.first[0].place, Some((37, 29)));
    let message = "road at (37, 29) going E-W runs beside the railroad at (38, 28) going E-W";
    assert!(rule.first.iter().any(|v| v.message == message), "{:?}", rule.first);
}

#[test]
fn rules_whose_layers_or_files_are_missing_are_noted() {
    let mut sample = Sample::new();
    sample.layers.retain(|l| l.0 != "height");
    sample.without = &["roads", "biomes.geojson", "violations.csv"];
    let report = sample.check();
    assert!(report.ok(), "{report}");
    for note in [
        "road-links was not checked: roads.geojson is missing",
        "biome-polygons was not checked: biomes.geojson is missing",
        "violations was not checked: violations.csv is missing",
    ] {
        assert!(report.notes.iter().any(|n| n == note), "{note}\n{report}");
    }
    assert!(report.rules.iter().any(|r| r.rule == "river-ends"));
    assert!(report.rules.iter().all(|r| r.rule != "river-falls" && r.rule != "heights"));
}

#[test]
fn files_that_cannot_be_read_are_refused() {
    for (change, told) in [
        ((|m| drop(m.as_object_mut().unwrap().remove("params"))) as fn(&mut Value), "no params"),
        (|m| m["frame"]["cell_m"] = 0.into(), "cell_m"),
        (|m| drop(m["params"].as_object_mut().unwrap().remove("map")), "params.map.cell_m"),
        (|m| m["params"]["map"]["hills"] = 3.into(), "params.map.hills"),
    ] {
        let message = Sample { manifest: change, ..Sample::new() }.try_check().unwrap_err().to_string();
        assert!(message.contains(told), "{message}");
    }
    let mut sample = Sample::new();
    sample.biomes[0]["geometry"]["type"] = "Point".into();
    let message = sample.try_check().unwrap_err().to_string();
    assert!(message.contains("biomes.geojson") && message.contains("make the folder again"), "{message}");
    let mut sample = Sample::new();
    *sample.layer("biome") = AnyGrid::U8(Grid::filled(3, 2, 4));
    assert_eq!(sample.failing(), ["layer-file"]);
}

/// Checks a small map with all layers and without lines, points or polygons.
fn small(w: usize, h: usize) -> Report {
    let frame = json!({"width": w, "height": h, "cell_m": CELL_M, "origin": [0.0, 0.0], "unit": "m"});
    let manifest = json!({"seed": 7, "frame": frame, "params": {"map": {"cell_m": CELL_M}}, "stats": {}});
    let mut folder = HandMade::new("realm", &manifest);
    for (name, unit, array) in Sample::new().layers {
        let array = match array {
            AnyGrid::F32(_) => AnyGrid::F32(Grid::filled(w, h, 0.5)),
            AnyGrid::U16(_) => AnyGrid::U16(Grid::filled(w, h, 0)),
            _ => AnyGrid::U8(Grid::filled(w, h, if name == "biome" { 4 } else { 0 })),
        };
        folder.layer(name, unit, &array);
    }
    folder.check().unwrap()
}

#[test]
fn the_smallest_maps_can_be_checked() {
    for (w, h) in [(1, 1), (1, 7), (7, 1), (2, 2)] {
        let report = small(w, h);
        assert_eq!(report.ok(), w * h >= 4, "{report}");
    }
}

/// A value that a file should not hold there.
fn odd(k: usize) -> Value {
    let all =
        [json!(null), json!(-1), json!(1e300), json!("x"), json!([]), json!(70_000), json!(true), json!({})];
    all[k % all.len()].clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_folder_makes_the_checker_panic(
        cells in prop::collection::vec((0usize..12, any::<usize>(), any::<u8>()), 0..60),
        values in prop::collection::vec((0usize..6, any::<usize>(), any::<usize>(), any::<usize>()), 0..6),
    ) {
        let mut sample = Sample::new();
        for (layer, i, v) in cells {
            match &mut sample.layers[layer].2 {
                AnyGrid::U8(g) => { let n = g.cells().len(); g.cells_mut()[i % n] = v }
                AnyGrid::U16(g) => { let n = g.cells().len(); g.cells_mut()[i % n] = u16::from(v) * 257 }
                AnyGrid::F32(g) => { let n = g.cells().len(); g.cells_mut()[i % n] = f32::from(v) - 9.0 }
                _ => {}
            }
        }
        for (list, k, key, value) in values {
            let lists = [
                &mut sample.rivers, &mut sample.railroads, &mut sample.roads, &mut sample.settlements,
                &mut sample.crossings, &mut sample.biomes,
            ];
            let features = lists.into_iter().nth(list).unwrap();
            let k = k % features.len();
            let about = features[k]["properties"].as_object_mut().unwrap();
            let name = about.keys().nth(key % about.len()).unwrap().clone();
            about[&name] = odd(value);
            if value % 3 == 0 {
                features[k]["id"] = odd(value / 3);
            }
            if value % 7 == 0 {
                features[k]["geometry"]["coordinates"][0] = json!([value as f64 * 1e3, -5.0]);
            }
        }
        // A file of the wrong form is an error, everything else a report.
        drop(sample.try_check());
    }
}

#[test]
fn a_map_all_of_one_line_and_class_can_be_checked() {
    let mut sample = Sample::new();
    for name in ["river_dirs", "rail_dirs", "road_dirs", "crossing", "transition"] {
        *sample.layer(name) = bytes(vec![255; super::W * super::H]);
    }
    sample.ids().fill(3);
    let failing = sample.failing();
    assert!(["links", "crossing-type", "footprints", "road-links"].iter().all(|r| failing.contains(r)));
    sample.ids()[tile(1, 1)] = 2;
    sample.rivers.clear();
    assert!(sample.failing().contains(&"footprints-apart"));
}
