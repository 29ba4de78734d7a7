//! Folders of the endless world, good ones and broken ones.

mod broken;
mod good;
mod made;

use crate::check::layer_files::View;
use crate::check::tests::folder;
use crate::check::{Report, path};
use crate::npy;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use weald_core::AnyGrid;

/// A folder that can be broken and mended again.
struct Sample {
    dir: TempDir,
    /// What was overwritten.
    kept: BTreeMap<PathBuf, Vec<u8>>,
}

impl Sample {
    /// Makes a folder with `path=value` settings.
    fn new(seed: u64, at: (i64, i64), size: (usize, usize), settings: &[&str]) -> Self {
        Self { dir: made::folder(seed, at, size, settings), kept: BTreeMap::new() }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join("w").join(name)
    }

    fn check(&self) -> Report {
        path(&self.dir.path().join("w")).unwrap()
    }

    /// The rules that are broken.
    fn failing(&self) -> Vec<&'static str> {
        folder::failing(&self.check())
    }

    fn write(&mut self, name: &str, bytes: &[u8]) {
        let file = self.file(name);
        let old = fs::read(&file).unwrap();
        self.kept.entry(file.clone()).or_insert(old);
        fs::write(file, bytes).unwrap();
    }

    /// Puts everything back.
    fn mend(&mut self) {
        for (file, bytes) in std::mem::take(&mut self.kept) {
            fs::write(file, bytes).unwrap();
        }
    }

    /// Changes a JSON file.
    fn json(&mut self, name: &str, change: impl FnOnce(&mut Value)) {
        let mut value = serde_json::from_str(&fs::read_to_string(self.file(name)).unwrap()).unwrap();
        change(&mut value);
        self.write(name, value.to_string().as_bytes());
    }

    /// Changes the lines or points of a file.
    fn shapes(&mut self, name: &str, change: impl FnOnce(&mut Vec<Value>)) {
        self.json(&format!("{name}.geojson"), |v| change(v["features"].as_array_mut().unwrap()));
    }

    fn read(&self, name: &str) -> AnyGrid {
        npy::read(&mut fs::File::open(self.file(&format!("layers/{name}.npy"))).unwrap()).unwrap()
    }

    fn codes(&self, name: &str) -> Vec<u8> {
        let AnyGrid::U8(grid) = self.read(name) else { panic!("{name} has no codes") };
        grid.into_vec()
    }

    fn floats(&self, name: &str) -> Vec<f32> {
        let AnyGrid::F32(grid) = self.read(name) else { panic!("{name} has no numbers") };
        grid.into_vec()
    }

    /// Changes one cell of a layer, and what the manifest says of it.
    fn cell(&mut self, name: &str, i: usize, value: f64) {
        let mut array = self.read(name);
        match &mut array {
            AnyGrid::U8(g) => g.cells_mut()[i] = value as u8,
            AnyGrid::F32(g) => g.cells_mut()[i] = value as f32,
            _ => panic!("no such layer"),
        }
        let mut bytes = Vec::new();
        npy::write(&mut bytes, &array.cells()).unwrap();
        self.write(&format!("layers/{name}.npy"), &bytes);
        let view = View::of(&array);
        self.json("manifest.json", |m| {
            let layers = m["layers"].as_array_mut().unwrap();
            let layer = layers.iter_mut().find(|l| l["name"] == name).unwrap();
            (layer["min"], layer["max"]) = (view.min.into(), view.max.into());
            layer["sha256"] = view.sha256.into();
        });
    }
}
