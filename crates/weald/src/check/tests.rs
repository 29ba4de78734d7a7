//! Whole folders and files, good ones and broken ones.

use super::forest::tests::sample::Sample;
use super::layer_files::View;
use super::*;
use crate::npy;
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;
use weald_core::AnyGrid;

/// Writes a good folder: layers, manifest, recipe and tiles.
fn folder_of(sample: &Sample) -> TempDir {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("layers")).unwrap();
    let mut layers = Vec::new();
    for (name, array) in sample.layers() {
        let view = View::of(&array);
        write_layer(dir.path(), name, &array);
        layers.push(json!({
            "name": name, "file": format!("layers/{name}.npy"), "dtype": view.dtype,
            "unit": "", "about": "",
            "min": view.min, "max": view.max, "sha256": view.sha256,
        }));
    }
    let envelope = sample.envelope();
    let manifest = json!({
        "weald": "0.1.0", "world": "forest", "seed": sample.seed.to_string(),
        "frame": {"width": envelope["meta"]["width"], "height": envelope["meta"]["height"], "cell_m": 1.0,
            "origin": [0, 0]},
        "layers": layers, "lines": [], "points": [], "stats": {}, "checks": {},
    });
    fs::write(dir.path().join("manifest.json"), manifest.to_string()).unwrap();
    fs::write(dir.path().join("tiles.json"), envelope.to_string()).unwrap();
    let mut recipe = toml::Table::new();
    recipe.insert("kind".into(), "forest".into());
    recipe.insert("params".into(), toml::Value::try_from(&sample.params).unwrap());
    fs::write(dir.path().join("recipe.toml"), recipe.to_string()).unwrap();
    dir
}

fn write_layer(dir: &Path, name: &str, array: &AnyGrid) {
    let mut file = Vec::new();
    npy::write(&mut file, &array.cells()).unwrap();
    fs::write(dir.join(format!("layers/{name}.npy")), file).unwrap();
}

fn edit(dir: &TempDir, name: &str, change: impl FnOnce(&mut Value)) {
    let file = dir.path().join(name);
    let mut value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    change(&mut value);
    fs::write(file, value.to_string()).unwrap();
}

fn failing(dir: &TempDir) -> Vec<&'static str> {
    let report = path(dir.path()).unwrap();
    report.rules.iter().filter(|r| r.violations > 0).map(|r| r.rule).collect()
}

#[test]
fn a_good_folder_passes_with_and_without_its_tiles() {
    let dir = folder_of(&Sample::authored());
    let report = path(dir.path()).unwrap();
    assert!(report.ok() && report.notes.is_empty(), "{report}");
    assert!(report.rules.iter().any(|r| r.rule == "tiles-match-layers" && r.checked > 5000), "{report}");
    assert_eq!(path(&dir.path().join("manifest.json")).unwrap(), report);
    assert!(path(&dir.path().join("tiles.json")).unwrap().ok());
    fs::remove_file(dir.path().join("tiles.json")).unwrap();
    let report = path(dir.path()).unwrap();
    assert!(report.ok() && report.notes.is_empty(), "{report}");
    assert!(report.rules.iter().any(|r| r.rule == "passability"));
    assert!(report.rules.iter().all(|r| r.rule != "dominant"), "only tiles tell the species");
    // Without the recipe the defaults are assumed, which this map does not have.
    fs::remove_file(dir.path().join("recipe.toml")).unwrap();
    let report = path(dir.path()).unwrap();
    assert!(!report.ok() && report.notes[0].contains("Appendix A"), "{report}");
}

#[test]
fn a_folder_with_some_layers_is_checked_as_far_as_they_go() {
    let dir = folder_of(&Sample::authored());
    fs::remove_file(dir.path().join("tiles.json")).unwrap();
    edit(&dir, "manifest.json", |m| {
        let kept = ["height", "slope", "flow_direction", "moisture"];
        m["layers"].as_array_mut().unwrap().retain(|l| kept.contains(&l["name"].as_str().unwrap()));
    });
    let report = path(dir.path()).unwrap();
    assert!(report.ok(), "{report}");
    let names: Vec<_> = report.rules.iter().map(|r| r.rule).collect();
    let rules =
        ["sources-agree", "numbers-in-range", "slope", "flow-downhill", "flow-tie-break", "flow-acyclic"];
    assert_eq!(names[3..], rules);
    assert_eq!(report.notes, ["moisture was not checked: flow_accumulation_log, water_class is missing"]);
}

#[test]
fn files_that_differ_from_the_manifest_are_found() {
    let layer = |m: &mut Value, key: &str, value: Value| m["layers"][0][key] = value;
    for (change, rule) in [
        ((|m| m["layers"][0]["dtype"] = "uint8".into()) as fn(&mut Value), "layer-file"),
        (|m| m["layers"][0]["file"] = "layers/none.npy".into(), "layer-file"),
        (|m| m["layers"][0]["file"] = "../height.npy".into(), "layer-file"),
        (|m| m["layers"][0]["sha256"] = "00".into(), "layer-hash"),
        (|m| drop(m["layers"][0].as_object_mut().unwrap().remove("sha256")), "layer-hash"),
        (|m| m["layers"][0]["min"] = 0.0.into(), "layer-range"),
        (|m| m["layers"][0]["max"] = Value::Null, "layer-range"),
    ] {
        let dir = folder_of(&Sample::authored());
        edit(&dir, "manifest.json", change);
        assert_eq!(failing(&dir), [rule]);
    }
    let dir = folder_of(&Sample::authored());
    edit(&dir, "manifest.json", |m| layer(m, "dtype", "f32".into()));
    assert!(failing(&dir).is_empty(), "a type may be named as in Rust");
    edit(&dir, "manifest.json", |m| layer(m, "file", Value::Null));
    assert!(failing(&dir).is_empty(), "a layer may have only a picture");
    edit(&dir, "manifest.json", |m| m["frame"]["width"] = 15.into());
    assert_eq!(failing(&dir), ["layer-file", "sources-agree", "tiles-match-layers"]);
}

#[test]
fn a_layer_that_was_changed_is_found() {
    let sample = Sample::authored();
    let dir = folder_of(&sample);
    let mut bytes = fs::read(dir.path().join("layers/biome.npy")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(dir.path().join("layers/biome.npy"), &bytes).unwrap();
    let found = failing(&dir);
    assert_eq!(found, ["layer-hash", "tiles-match-layers"]);
    bytes.push(0);
    fs::write(dir.path().join("layers/biome.npy"), &bytes).unwrap();
    assert!(failing(&dir).starts_with(&["layer-file"]), "bytes after the data");
    fs::write(dir.path().join("layers/biome.npy"), &bytes[..bytes.len() - 9]).unwrap();
    let message = path(dir.path()).unwrap_err().to_string();
    assert!(message.contains("biome.npy") && message.contains("make the folder again"), "{message}");
}

#[test]
fn tiles_that_differ_from_the_layers_are_found() {
    let dir = folder_of(&Sample::authored());
    edit(&dir, "tiles.json", |e| {
        let tile = &mut e["tiles"][30]["visibility"]["baseMeters"];
        *tile = (tile.as_f64().unwrap() as f32).next_up().into();
    });
    assert_eq!(failing(&dir), ["tiles-match-layers"]);
}

#[test]
fn a_world_without_rules_is_refused() {
    let dir = folder_of(&Sample::authored());
    edit(&dir, "manifest.json", |m| m["world"] = "moon".into());
    assert!(path(dir.path()).unwrap_err().to_string().contains("no rules for it"));
}

#[test]
fn what_cannot_be_checked_says_what_to_give_instead() {
    let dir = TempDir::new().unwrap();
    let message = |p: &Path| path(p).unwrap_err().to_string();
    assert!(message(dir.path()).contains("no manifest.json"));
    assert!(matches!(path(&dir.path().join("none.json")), Err(Error::Io { .. })));
    let text = dir.path().join("notes.txt");
    fs::write(&text, "").unwrap();
    assert!(message(&text).contains("give a folder"));
    fs::write(dir.path().join("manifest.json"), "{}").unwrap();
    assert!(message(dir.path()).contains("missing field"));
}
