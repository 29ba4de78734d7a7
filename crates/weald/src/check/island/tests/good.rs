//! Folders without a fault, and what cannot be checked.

use super::naive::{H, W, cell};
use super::{Sample, bytes};
use crate::check::island::RULES;
use serde_json::{Value, json};

#[test]
fn a_good_folder_keeps_every_rule() {
    let sample = Sample::new();
    assert_eq!(sample.truth.order[cell(6, 10)], 3, "two rivers of order 2 meet");
    assert_eq!(sample.truth.magnitude[cell(6, 10)], 6);
    let report = sample.check();
    assert!(report.ok() && report.notes.is_empty(), "{report}");
    for rule in RULES.iter().copied().flatten() {
        let done = report.rules.iter().find(|r| r.rule == rule.name).unwrap();
        assert!(done.checked > 0, "{} looked at nothing", rule.name);
    }
}

#[test]
fn a_map_that_was_given_may_have_land_at_the_border_and_rivers_that_leave_there() {
    let sample = Sample::given();
    let river = &sample.truth.rivers[0];
    assert!(river.own == river.cells.len() && *river.cells.last().unwrap() == cell(6, H - 1));
    let report = sample.check();
    assert!(report.ok() && report.notes.is_empty(), "{report}");
    let looked = |name: &str| report.rules.iter().find(|r| r.rule == name).unwrap().checked;
    assert_eq!(["land-share", "sea-whole", "border-sea"].map(looked), [0, 0, 0]);
}

#[test]
fn land_too_large_for_the_inside_may_reach_the_border() {
    let sample = Sample { given: None, ..Sample::given() };
    assert_eq!(sample.failing(), ["border-sea"]);
    let mut crowded = sample;
    crowded.params["shape"]["land_fraction"] = 0.9.into();
    assert_eq!(crowded.failing(), ["land-share"], "the land is less than that, but may lie where it likes");
}

#[test]
fn far_from_rivers_the_area_of_drainage_moistens() {
    let mut sample = Sample::dry();
    let report = sample.check();
    assert!(report.ok() && report.notes.is_empty(), "{report}");
    // As if a river were near.
    sample.floats("moisture")[cell(5, 6)] += 0.8 / 3.0;
    assert_eq!(sample.failing(), ["moisture", "terrain-grids"]);
}

#[test]
fn a_map_without_land_keeps_every_rule() {
    let mut sample = Sample::new();
    let cells = W * H;
    for name in ["land", "river_order", "cover"] {
        *sample.layer(name) = bytes(vec![0; cells]);
    }
    sample.bytes("flow_direction").fill(255);
    sample.wholes("flow_accumulation").fill(0);
    sample.wholes("basin").fill(0);
    sample.wholes("river_id").fill(0);
    sample.floats("moisture").fill(1.0);
    sample.floats("shore_distance").fill((W + H) as f32);
    sample.floats("height").fill(-5.0 - 0.3 * 4.0);
    (sample.rivers, sample.harbours, sample.peaks, sample.terrain) = Default::default();
    sample.params["shape"]["land_fraction"] = 0.0.into();
    sample.stats = json!({
        "land_share": 0.0, "coast_cells": 0, "islands": 0, "highest_m": null, "basins": 0,
        "rivers": {"count": 0, "orders": [], "length_km": 0.0}, "largest_basin_share": 0.0,
        "drainage_density_km_per_km2": 0.0, "raised": {"share": 0.0, "most_m": 0.0},
    });
    let report = sample.check();
    assert!(report.ok(), "{report}");
    assert_eq!(report.notes, ["terrain-grids was not checked: terrain.json is missing"]);
    sample.floats("shore_distance")[0] = 1.0;
    assert!(sample.failing().contains(&"shore-distance"));
}

#[test]
fn rules_whose_layers_are_missing_are_noted() {
    let mut sample = Sample::new();
    sample.layers.retain(|l| l.0 != "flow_direction");
    let report = sample.check();
    assert!(report.ok(), "{report}");
    for rule in ["flow-accumulation", "basins", "river-flow", "basin-figures"] {
        let note = format!("{rule} was not checked: flow_direction is missing");
        assert!(report.notes.contains(&note), "{note}\n{report}");
    }
    assert!(report.rules.iter().any(|r| r.rule == "river-falls"));
}

#[test]
fn a_manifest_without_what_the_rules_need_is_refused() {
    for (change, told) in [
        ((|m| drop(m.as_object_mut().unwrap().remove("params"))) as fn(&mut Value), "no params"),
        (|m| m["frame"]["cell_m"] = 0.into(), "cell_m"),
        (|m| drop(m["params"].as_object_mut().unwrap().remove("sea")), "params.sea.shore_depth_m"),
    ] {
        let sample = Sample { manifest: change, ..Sample::new() };
        let message = sample.try_check().unwrap_err().to_string();
        assert!(message.contains(told), "{message}");
    }
    let mut sample = Sample::new();
    sample.terrain = Some(json!({"height": []}));
    let message = sample.try_check().unwrap_err().to_string();
    assert!(message.contains("terrain.json") && message.contains("make the folder again"), "{message}");
}
