//! Folders made by hand: layers, lines and points, a recipe and the manifest that lists them.

use crate::check::layer_files::View;
use crate::check::{Report, path};
use crate::error::Result;
use crate::npy;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use weald_core::AnyGrid;

/// A folder that is being written.
pub(in crate::check) struct HandMade {
    dir: TempDir,
    /// The manifest, whose lists grow with the files.
    pub(in crate::check) manifest: Value,
}

impl HandMade {
    /// A folder of a world with a recipe and nothing else. `manifest` holds seed, frame, params and stats.
    pub(in crate::check) fn new(world: &str, manifest: &Value) -> Self {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("layers")).unwrap();
        fs::write(dir.path().join("recipe.toml"), format!("kind = \"{world}\"\n")).unwrap();
        let mut manifest = manifest.clone();
        manifest["world"] = world.into();
        for list in ["layers", "lines", "points", "files"] {
            manifest[list] = json!([]);
        }
        Self { dir, manifest }
    }

    /// A path in the folder.
    pub(in crate::check) fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn list(&mut self, list: &str, entry: Value) -> &mut Value {
        let entries = self.manifest[list].as_array_mut().unwrap();
        entries.push(entry);
        entries.last_mut().unwrap()
    }

    /// Writes a layer and gives its entry in the manifest.
    pub(in crate::check) fn layer(&mut self, name: &str, unit: &str, array: &AnyGrid) -> &mut Value {
        let file = format!("layers/{name}.npy");
        write_npy(&self.file(&file), array);
        let view = View::of(array);
        let entry = json!({
            "name": name, "file": file, "dtype": view.dtype, "unit": unit, "about": "",
            "min": view.min, "max": view.max, "sha256": view.sha256,
        });
        self.list("layers", entry)
    }

    /// Writes lines or points; `list` says which.
    pub(in crate::check) fn shapes(&mut self, list: &str, name: &str, features: &[Value]) {
        let file = format!("{name}.geojson");
        let all = json!({"type": "FeatureCollection", "features": features});
        fs::write(self.file(&file), all.to_string()).unwrap();
        self.list(list, json!({"name": name, "file": file, "count": features.len()}));
    }

    /// Writes a file that the manifest lists.
    pub(in crate::check) fn listed(&mut self, name: &str, bytes: &[u8]) {
        self.unlisted(name, bytes);
        self.list("files", json!({"file": name}));
    }

    /// Writes a file of which the manifest says nothing.
    pub(in crate::check) fn unlisted(&self, name: &str, bytes: &[u8]) {
        fs::write(self.file(name), bytes).unwrap();
    }

    /// Writes the manifest.
    pub(in crate::check) fn finish(self) -> TempDir {
        fs::write(self.file("manifest.json"), self.manifest.to_string()).unwrap();
        self.dir
    }

    /// Writes the manifest and checks the folder.
    pub(in crate::check) fn check(self) -> Result<Report> {
        path(self.finish().path())
    }
}

/// A point feature.
pub(in crate::check) fn point(id: usize, at: Value, properties: Value) -> Value {
    let geometry = json!({"type": "Point", "coordinates": at});
    json!({"type": "Feature", "id": id, "properties": properties, "geometry": geometry})
}

/// Writes an array as a .npy file.
pub(in crate::check) fn write_npy(file: &Path, array: &AnyGrid) {
    let mut bytes = Vec::new();
    npy::write(&mut bytes, &array.cells()).unwrap();
    fs::write(file, bytes).unwrap();
}

/// Changes a JSON file.
pub(in crate::check) fn edit(file: &Path, change: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    change(&mut value);
    fs::write(file, value.to_string()).unwrap();
}

/// The rules that are broken.
pub(in crate::check) fn failing(report: &Report) -> Vec<&'static str> {
    report.rules.iter().filter(|r| r.violations > 0).map(|r| r.rule).collect()
}

/// The lines of a report that tell of a fault.
pub(in crate::check) fn faults(report: &Report) -> String {
    let report = report.to_string();
    report.lines().filter(|l| l.starts_with("FAIL")).collect::<Vec<_>>().join("\n")
}
