//! Whole folders and files, good ones and broken ones.

pub(in crate::check) mod folder;
mod imports;

use super::forest::tests::sample::Sample;
use super::*;
use folder::HandMade;
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

/// Writes a good folder: layers, manifest, recipe and tiles.
fn folder_of(sample: &Sample) -> TempDir {
    let envelope = sample.envelope();
    let frame =
        json!({"width": envelope["meta"]["width"], "height": envelope["meta"]["height"], "cell_m": 1.0});
    let manifest = json!({"seed": sample.seed.to_string(), "frame": frame});
    let mut folder = HandMade::new("forest", &manifest);
    for (name, array) in sample.layers() {
        folder.layer(name, "", &array);
    }
    folder.unlisted("tiles.json", envelope.to_string().as_bytes());
    let mut recipe = toml::Table::new();
    recipe.insert("kind".into(), "forest".into());
    recipe.insert("params".into(), toml::Value::try_from(&sample.params).unwrap());
    folder.unlisted("recipe.toml", recipe.to_string().as_bytes());
    folder.finish()
}

fn edit(dir: &TempDir, name: &str, change: impl FnOnce(&mut Value)) {
    folder::edit(&dir.path().join(name), change);
}

fn failing(dir: &TempDir) -> Vec<&'static str> {
    folder::failing(&path(dir.path()).unwrap())
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
    assert_eq!(report.notes[1], "recipe.toml is missing, so the folder cannot be made again");
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

#[test]
fn the_rules_of_every_world_are_listed_once_with_what_they_ask_for() {
    assert_eq!(
        worlds().collect::<Vec<_>>(),
        ["forest", "endless", "city", "island", "planet", "galaxy", "realm"]
    );
    assert!(rules("moon").is_none());
    for world in worlds() {
        let rules = rules(world).unwrap();
        assert_eq!(rules[0].name, "layer-file");
        let mut names: Vec<_> = rules.iter().map(|r| r.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|p| p[0] != p[1]), "{world} has a rule twice: {names:?}");
        assert!(rules.iter().all(|r| r.about.len() > 10), "{world}");
    }
}

#[test]
fn the_rules_that_run_on_a_folder_are_those_that_are_listed() {
    let report = path(folder_of(&Sample::authored()).path()).unwrap();
    let listed: Vec<_> = rules("forest").unwrap().iter().map(|r| r.name).collect();
    let run: Vec<_> = report.rules.iter().map(|r| r.rule).collect();
    let without_lines: Vec<_> = listed.into_iter().filter(|r| *r != "trail-lines").collect();
    assert_eq!(run, without_lines);
}

#[test]
fn parameters_that_a_world_does_not_know_are_refused() {
    for (params, message) in [
        (json!({"grid": {"playable_inset": -1}}), "params.grid.playable_inset = -1: must be a whole number"),
        (json!({"hydrology": {"tie_ebs": 0.1}}), "params.hydrology.tie_ebs: no such parameter"),
    ] {
        let dir = folder_of(&Sample::authored());
        edit(&dir, "manifest.json", |m| m["params"] = params);
        let said = path(dir.path()).unwrap_err().to_string();
        assert!(said.contains(message) && said.contains("manifest.json"), "{said}");
    }
}
