//! Folders without a fault, and what cannot be checked.

use super::naive::{SIDE, around, on_border};
use super::{Sample, cell_of};
use crate::check::city::RULES;
use serde_json::Value;

#[test]
fn a_good_folder_keeps_every_rule() {
    let sample = Sample::new();
    assert!(sample.rivers.len() >= 3 && sample.lakes.len() == 1, "the sample shows rivers and a lake");
    assert!(sample.rivers.iter().any(|r| !r["properties"]["parent"].is_null()), "one has a parent");
    let report = sample.check();
    assert!(report.ok() && report.notes.is_empty(), "{report}");
    for rule in RULES.iter().copied().flatten() {
        let done = report.rules.iter().find(|r| r.rule == rule.name).unwrap();
        assert!(done.checked > 0, "{} looked at nothing", rule.name);
    }
    let alone = Sample { worldmap: None, ..sample };
    let report = alone.check();
    assert!(report.ok(), "{report}");
    // Beside a world map the rim, which is wider than this map, is not compared.
    assert!(report.rules.iter().find(|r| r.rule == "heightmap").unwrap().checked > 4096);
    assert!(report.rules.iter().all(|r| !r.rule.starts_with("worldmap")));
}

#[test]
fn a_good_folder_by_the_sea_keeps_every_rule() {
    let mut sample = Sample::by_the_sea();
    let height = sample.floats("height").to_vec();
    let sea = |i: usize| height[i] < 0.0;
    assert!((0..height.len()).any(|i| sea(i) && on_border(i)), "the sea comes in over the border");
    assert!((0..height.len()).any(|i| sea(i) && around(i).iter().all(|n| !on_border(n.0))), "some is inside");
    let ends = |r: &Value| r["geometry"]["coordinates"].as_array().unwrap().last().unwrap().clone();
    let end = |r: &Value| cell_of(&serde_json::json!({"geometry": {"coordinates": ends(r)}}));
    assert!(sample.rivers.iter().any(|r| sea(end(r)) && !on_border(end(r))), "a river ends in it");
    assert_eq!(sample.lakes.len(), 1, "the lake is still there");
    let report = sample.check();
    assert!(report.ok() && report.notes.is_empty(), "{report}");
}

#[test]
fn rules_whose_layers_are_missing_are_noted() {
    let mut sample = Sample::new();
    sample.layers.retain(|l| l.0 != "height");
    let report = sample.check();
    assert!(report.ok(), "{report}");
    assert!(report.notes.iter().any(|n| n == "slope was not checked: height is missing"), "{report}");
    assert!(report.notes.iter().any(|n| n == "lake-water was not checked: height is missing"), "{report}");
}

#[test]
fn a_linear_curve_promises_no_coverage_and_no_goal_no_share() {
    let mut sample = Sample::new();
    sample.params["zones"] = serde_json::json!({"coverage": 0.75, "curve": "linear"});
    sample.params["goal"]["buildable_share"] = 0.0.into();
    assert_eq!(sample.failing(), ["goal"], "the figures still tell of a goal");
    sample.stats["goal"] = Value::Null;
    assert!(sample.check().ok(), "{}", sample.check());
}

#[test]
fn level_land_has_one_potential_and_no_coverage() {
    let mut sample = Sample::new();
    sample.floats("zones").fill(0.5);
    sample.stats["coverage"] = 0.0.into();
    assert!(sample.check().ok(), "{}", sample.check());
    sample.floats("zones")[0] = 0.6;
    sample.stats["coverage"] = (1.0 / 4096.0).into();
    assert_eq!(sample.failing(), ["zone-coverage"]);
}

#[test]
fn the_world_map_may_go_beyond_pixels_that_are_cut_off() {
    let mut sample = Sample::new();
    sample.heightmap[28 * SIDE + 28] = u16::MAX;
    let mean = |s: &Sample| {
        (0..16).map(|k| f64::from(s.heightmap[(28 + k / 4) * SIDE + 28 + k % 4])).sum::<f64>() / 16.0
    };
    let value = mean(&sample) as u16;
    for (by, good) in [(-50, false), (0, true), (50, true)] {
        sample.worldmap.as_mut().unwrap()[31 * SIDE + 31] = value.checked_add_signed(by).unwrap();
        assert_eq!(!sample.failing().contains(&"worldmap"), good, "{by}");
    }
}

#[test]
fn a_manifest_without_what_the_rules_need_is_refused() {
    for (change, told) in [
        ((|m| drop(m.as_object_mut().unwrap().remove("params"))) as fn(&mut Value), "no params"),
        (|m| m["frame"]["cell_m"] = 0.into(), "cell_m"),
    ] {
        let sample = Sample { manifest: change, ..Sample::new() };
        let message = sample.try_check().unwrap_err().to_string();
        assert!(message.contains(told), "{message}");
    }
}
