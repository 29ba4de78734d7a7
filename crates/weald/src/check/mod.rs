//! Does an output keep the rules of its world? Nothing here knows how a world is made: the rules are those of
//! the documents, and everything is read back from the files.

mod forest;

use crate::error::{Error, Result};
use crate::export::npy::{self, Array};
use crate::layer::Data;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use weald_core::Grid;

/// How many violations a rule keeps for the report; the others are only counted.
const KEPT: usize = 5;

/// One place where a rule is broken.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// Name of the rule.
    pub rule: &'static str,
    /// Column and row, if it is about one cell.
    pub place: Option<(usize, usize)>,
    /// What was found and what the rule asks for.
    pub message: String,
}

/// What became of one rule.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleResult {
    /// Name, in kebab-case.
    pub rule: &'static str,
    /// What it asks for, in one line.
    pub about: &'static str,
    /// How many things were looked at.
    pub checked: u64,
    /// How many of them break the rule.
    pub violations: u64,
    /// The first violations, at most five.
    pub first: Vec<Violation>,
}

impl RuleResult {
    /// A rule that has not looked at anything yet.
    fn new(rule: &'static str, about: &'static str) -> Self {
        Self { rule, about, checked: 0, violations: 0, first: Vec::new() }
    }

    /// Counts one more thing that was looked at, and a violation unless it is `good`.
    fn check(&mut self, good: bool, place: Option<(usize, usize)>, message: impl FnOnce() -> String) {
        self.checked += 1;
        if !good {
            self.violations += 1;
            if self.first.len() < KEPT {
                self.first.push(Violation { rule: self.rule, place, message: message() });
            }
        }
    }
}

/// All rules that were run, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// One entry per rule.
    pub rules: Vec<RuleResult>,
    /// What was assumed, and what could not be checked.
    pub notes: Vec<String>,
}

impl Report {
    /// Whether no rule is broken.
    pub fn ok(&self) -> bool {
        self.rules.iter().all(|r| r.violations == 0)
    }

    /// The report for machines.
    pub fn to_json(&self) -> Value {
        let violation = |v: &Violation| json!({"place": v.place.map(|(x, y)| [x, y]), "message": v.message});
        let rule = |r: &RuleResult| {
            json!({
                "rule": r.rule,
                "about": r.about,
                "checked": r.checked,
                "violations": r.violations,
                "first": r.first.iter().map(violation).collect::<Vec<_>>(),
            })
        };
        json!({
            "ok": self.ok(),
            "rules": self.rules.iter().map(rule).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for r in &self.rules {
            if r.violations == 0 {
                writeln!(f, "ok   {:<22} {} checked", r.rule, r.checked)?;
                continue;
            }
            write!(f, "FAIL {:<22} {} of {}", r.rule, r.violations, r.checked)?;
            if let Some(v) = r.first.first() {
                match v.place {
                    Some((x, y)) => write!(f, ": ({x},{y}): {}", v.message)?,
                    None => write!(f, ": {}", v.message)?,
                }
            }
            writeln!(f)?;
        }
        self.notes.iter().try_for_each(|n| writeln!(f, "note: {n}"))
    }
}

/// Checks what lies at `path`: a folder with its `manifest.json`, a `.json` or `.ndjson` file of forest
/// tiles, or `-` for such a file on the standard input.
pub fn path(path: &Path) -> Result<Report> {
    if path == Path::new("-") {
        return forest::envelope(&mut io::stdin().lock(), path);
    }
    let meta = std::fs::metadata(path).map_err(|e| Error::io(path, e))?;
    if meta.is_dir() {
        return folder(path);
    }
    if path.file_name().is_some_and(|n| n == "manifest.json") {
        return folder(path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")));
    }
    match path.extension().and_then(|e| e.to_str()) {
        Some("json" | "ndjson") => forest::envelope(&mut open(path)?, path),
        _ => Err(Error::Invalid(format!(
            "{}: nothing to check here; give a folder with manifest.json, a .json or .ndjson file of \
             tiles, or - for the standard input",
            path.display()
        ))),
    }
}

/// A file to be read in large pieces.
fn open(path: &Path) -> Result<BufReader<File>> {
    Ok(BufReader::with_capacity(1 << 20, File::open(path).map_err(|e| Error::io(path, e))?))
}

/// What the checks need of `manifest.json`.
#[derive(Deserialize)]
struct Manifest {
    world: String,
    #[serde(default)]
    seed: Option<Value>,
    frame: ManifestFrame,
    #[serde(default)]
    layers: Vec<ManifestLayer>,
    #[serde(default)]
    params: Option<Value>,
}

#[derive(Deserialize)]
struct ManifestFrame {
    width: usize,
    height: usize,
}

#[derive(Deserialize)]
struct ManifestLayer {
    name: String,
    /// None if there is only a picture of it.
    file: Option<String>,
    dtype: String,
    #[serde(default)]
    min: Option<f64>,
    #[serde(default)]
    max: Option<f64>,
    #[serde(default)]
    sha256: Option<String>,
}

/// Reads a small text file whole.
fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|e| Error::io(path, e))
}

/// Checks a folder: its layers against the manifest, then the rules of its world.
fn folder(dir: &Path) -> Result<Report> {
    let file = dir.join("manifest.json");
    if !file.exists() {
        return Err(Error::Invalid(format!(
            "{}: there is no manifest.json, so this is not a folder made by `weald generate`; to \
             check tiles alone, name their .json file",
            dir.display()
        )));
    }
    let manifest: Manifest = serde_json::from_str(&text(&file)?)
        .map_err(|e| Error::Invalid(format!("{}: {e}; make the folder again, or mend it", file.display())))?;
    let mut report = Report::default();
    let mut files = LayerFiles::new();
    let mut tiles = forest::Tiles::default();
    for layer in &manifest.layers {
        let Some(array) = files.read(dir, &manifest.frame, layer)? else {
            continue;
        };
        if manifest.world == "forest" && !tiles.set_layer(&layer.name, array) {
            report.notes.push(format!("layer {} ({}) has no rules of its own", layer.name, layer.dtype));
        }
    }
    report.rules.extend(files.into_rules());
    if manifest.world != "forest" {
        report.notes.push(format!(
            "there are no rules for the world {} yet: only its files were checked",
            manifest.world
        ));
        return Ok(report);
    }
    (tiles.columns, tiles.rows) = (manifest.frame.width, manifest.frame.height);
    let tile_file = ["tiles.json", "tiles.ndjson"].map(|n| dir.join(n)).into_iter().find(|p| p.exists());
    if let Some(file) = tile_file {
        forest::folder_with_tiles(&mut open(&file)?, &file, tiles, &mut report)?;
    } else {
        let params = match manifest.params {
            Some(params) => Some((params, file)),
            None => recipe_params(&dir.join("recipe.toml"))?,
        };
        forest::layers_alone(tiles, manifest.seed.as_ref(), params, &mut report)?;
    }
    Ok(report)
}

/// The `[params]` of a recipe, if there is one, and where they stand.
fn recipe_params(file: &Path) -> Result<Option<(Value, PathBuf)>> {
    if !file.exists() {
        return Ok(None);
    }
    let bad = |e: &dyn fmt::Display| Error::Invalid(format!("{}: {e}", file.display()));
    let table: toml::Table = text(file)?.parse().map_err(|e| bad(&e))?;
    let Some(params) = table.get("params") else {
        return Ok(None);
    };
    let params = serde_json::to_value(params).map_err(|e| bad(&e))?;
    Ok(Some((params, file.to_path_buf())))
}

/// The rules about the files of the layers.
struct LayerFiles {
    shape: RuleResult,
    hash: RuleResult,
    range: RuleResult,
}

impl LayerFiles {
    fn new() -> Self {
        Self {
            shape: RuleResult::new(
                "layer-file",
                "each layer's file is there, with the type and shape of the manifest",
            ),
            hash: RuleResult::new("layer-hash", "each layer's data have the SHA-256 of the manifest"),
            range: RuleResult::new(
                "layer-range",
                "each layer's least and greatest value are those of the manifest",
            ),
        }
    }

    fn into_rules(self) -> [RuleResult; 3] {
        [self.shape, self.hash, self.range]
    }

    /// Reads one layer and checks its file. None if there is nothing that further rules could use.
    fn read(&mut self, dir: &Path, frame: &ManifestFrame, layer: &ManifestLayer) -> Result<Option<Array>> {
        let name = &layer.name;
        let Some(file) = &layer.file else { return Ok(None) };
        let relative = Path::new(file);
        let inside = relative.components().all(|c| matches!(c, Component::Normal(_)));
        let path = dir.join(relative);
        if !inside || !path.is_file() {
            self.shape.check(false, None, || format!("{name}: there is no file {file} in the folder"));
            return Ok(None);
        }
        let mut input = open(&path)?;
        let array = npy::read(&mut input)
            .map_err(|e| Error::Invalid(format!("{}: {e}; make the folder again", path.display())))?;
        let mut rest = [0u8; 1];
        let longer = input.read(&mut rest).map_err(|e| Error::io(&path, e))? > 0;
        let view = View::of(&array);
        let good = view.dtype == dtype(&layer.dtype) && view.shape == (frame.width, frame.height) && !longer;
        self.shape.check(good, None, || {
            let (w, h) = view.shape;
            let (dt, fw, fh) = (&layer.dtype, frame.width, frame.height);
            let after = if longer { " and more after it" } else { "" };
            format!("{name}: the file holds {} {w}x{h}{after}, the manifest says {dt} {fw}x{fh}", view.dtype)
        });
        self.hash.check(layer.sha256.as_deref() == Some(view.sha256.as_str()), None, || {
            let stated = layer.sha256.as_deref().unwrap_or("nothing");
            format!("{name}: the data have SHA-256 {}, the manifest says {stated}", view.sha256)
        });
        let same = |stated: Option<f64>, found: f64| match (&array, stated) {
            (Array::F32(_), Some(v)) => v as f32 == found as f32,
            (_, stated) => stated == Some(found),
        };
        self.range.check(same(layer.min, view.min) && same(layer.max, view.max), None, || {
            let (min, max) = (layer.min.unwrap_or(f64::NAN), layer.max.unwrap_or(f64::NAN));
            format!(
                "{name}: the values run from {} to {}, the manifest says {min} to {max}",
                view.min, view.max
            )
        });
        Ok(good.then_some(array))
    }
}

/// One name for each type, whether it is written as NumPy or as Rust does.
fn dtype(name: &str) -> &str {
    match name {
        "f32" => "float32",
        "f64" => "float64",
        "u8" => "uint8",
        "u16" => "uint16",
        "u32" => "uint32",
        "i32" => "int32",
        other => other,
    }
}

/// What the manifest states about an array, measured.
struct View {
    dtype: &'static str,
    shape: (usize, usize),
    sha256: String,
    min: f64,
    max: f64,
}

impl View {
    fn of(array: &Array) -> Self {
        fn ends<T: Copy>(g: &Grid<T>, number: impl Fn(T) -> f64) -> (f64, f64) {
            let cells = g.cells().iter().map(|&v| number(v));
            cells.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)))
        }
        let mut hash = Sha256::new();
        let mut feed = |data: Data| {
            npy::bytes(&data, |b| {
                hash.update(b);
                Ok(())
            })
            .expect("a hash takes all bytes");
            (data.dtype(), data.shape())
        };
        let ((dtype, shape), (min, max)) = match array {
            Array::F32(g) => (feed(Data::F32(g)), ends(g, f64::from)),
            Array::U8(g) => (feed(Data::U8(g)), ends(g, f64::from)),
            Array::U16(g) => (feed(Data::U16(g)), ends(g, f64::from)),
            Array::U32(g) => (feed(Data::U32(g)), ends(g, f64::from)),
            Array::I32(g) => (feed(Data::I32(g)), ends(g, f64::from)),
            Array::F64(g) => {
                g.cells().iter().for_each(|v| hash.update(v.to_le_bytes()));
                (("float64", (g.width(), g.height())), ends(g, |v| v))
            }
        };
        let sha256 = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
        Self { dtype, shape, sha256, min, max }
    }
}

#[cfg(test)]
mod tests {
    use super::forest::sample::Sample;
    use super::*;
    use std::fs;
    use tempfile::TempDir;

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

    fn write_layer(dir: &Path, name: &str, array: &Array) {
        let data = match array {
            Array::F32(g) => Data::F32(g),
            Array::U8(g) => Data::U8(g),
            Array::U16(g) => Data::U16(g),
            Array::U32(g) => Data::U32(g),
            Array::I32(g) => Data::I32(g),
            Array::F64(_) => panic!("no layer has 64 bits"),
        };
        let mut file = Vec::new();
        npy::write(&mut file, &data).unwrap();
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
            let kept = ["height", "slope_mag", "flow_dir", "moisture"];
            m["layers"].as_array_mut().unwrap().retain(|l| kept.contains(&l["name"].as_str().unwrap()));
        });
        let report = path(dir.path()).unwrap();
        assert!(report.ok(), "{report}");
        let names: Vec<_> = report.rules.iter().map(|r| r.rule).collect();
        assert_eq!(
            names[3..],
            ["numbers-in-range", "slope", "flow-downhill", "flow-tie-break", "flow-acyclic"]
        );
        assert_eq!(report.notes, ["moisture was not checked: flow_accum_n, water_class is missing"]);
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
        assert_eq!(failing(&dir), ["layer-file", "tiles-match-layers"]);
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
    fn other_worlds_have_their_files_checked() {
        let dir = folder_of(&Sample::authored());
        edit(&dir, "manifest.json", |m| m["world"] = "city".into());
        let report = path(dir.path()).unwrap();
        assert_eq!(report.rules.len(), 3);
        assert!(report.notes[0].contains("city"));
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
    fn a_report_has_a_line_per_rule_and_keeps_five_violations() {
        let mut rule = RuleResult::new("flow-downhill", "water goes down");
        (0..9).for_each(|i| rule.check(i < 2, Some((i, 5)), || format!("up {i}")));
        let good = RuleResult { checked: 4, ..RuleResult::new("slope", "steep") };
        let report = Report { rules: vec![good, rule], notes: vec!["no seed".into()] };
        assert!(!report.ok());
        let lines = "ok   slope                  4 checked\n\
                     FAIL flow-downhill          7 of 9: (2,5): up 2\n\
                     note: no seed\n";
        assert_eq!(report.to_string(), lines);
        let json = report.to_json();
        assert_eq!(json["ok"], false);
        assert_eq!(json["rules"][1]["violations"], 7);
        assert_eq!(json["rules"][1]["first"].as_array().unwrap().len(), 5);
        assert_eq!(json["rules"][1]["first"][0], json!({"place": [2, 5], "message": "up 2"}));
    }
}
