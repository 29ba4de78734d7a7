//! The one reader of folders made by `weald generate`: manifest, recipe, layers, lines and points.

use super::layer_files::LayerFiles;
use super::shapes::{self, Shapes};
use super::{CHECKERS, Report, frames, params, sources};
use crate::error::{Error, Result};
use crate::files;
use serde::Deserialize;
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};
use weald_core::AnyGrid;

/// A folder as it was read.
pub(super) struct Folder {
    /// Where it is.
    pub(super) dir: PathBuf,
    /// What all worlds need of the manifest, with its types.
    pub(super) typed: Manifest,
    /// The whole manifest.
    pub(super) manifest: Value,
    /// The recipe, if there is one.
    pub(super) recipe: Option<Value>,
    /// The layers that could be read, each with its entry in the manifest, in that order.
    layers: Vec<(ManifestLayer, AnyGrid)>,
}

/// What all worlds need of `manifest.json`.
#[derive(Deserialize)]
pub(super) struct Manifest {
    /// The world.
    pub(super) world: String,
    /// The seed, as a number or as text.
    #[serde(default)]
    pub(super) seed: Option<Value>,
    /// The size.
    pub(super) frame: ManifestFrame,
    /// The layers.
    #[serde(default)]
    pub(super) layers: Vec<ManifestLayer>,
    /// The parameters.
    #[serde(default)]
    pub(super) params: Option<Value>,
}

/// The size of the map.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct ManifestFrame {
    /// Columns.
    pub(super) width: usize,
    /// Rows.
    pub(super) height: usize,
}

/// What the manifest states about a layer.
#[derive(Clone, Deserialize)]
pub(super) struct ManifestLayer {
    /// Its name.
    pub(super) name: String,
    /// Its file within the folder. None if there is only a picture of it.
    pub(super) file: Option<String>,
    /// The type of its cells.
    pub(super) dtype: String,
    /// The least value.
    #[serde(default)]
    pub(super) min: Option<f64>,
    /// The greatest value.
    #[serde(default)]
    pub(super) max: Option<f64>,
    /// The hash of its data.
    #[serde(default)]
    pub(super) sha256: Option<String>,
}

/// Reads a small text file whole.
pub(super) fn text(path: &Path) -> Result<String> {
    files::read_to_string(path).map_err(|e| Error::io(path, e))
}

/// The seed, written as a number or as text.
pub(super) fn seed(value: Option<&Value>) -> Option<u64> {
    value.and_then(|v| v.as_u64().or_else(|| v.as_str()?.parse().ok()))
}

/// Checks a folder: its parameters, its layers against the manifest, then the rules of its world.
pub(super) fn check(dir: &Path) -> Result<Report> {
    let mut folder = Folder::open(dir)?;
    let Some(checker) = CHECKERS.iter().find(|c| c.name == folder.typed.world) else {
        return Err(
            folder.bad(&format!("world = {:?}: this program has no rules for it", folder.typed.world))
        );
    };
    if let Some(Value::Object(values)) = &folder.typed.params {
        params::check(values, checker.params, &folder.file())?;
    }
    let mut report = Report::default();
    folder.read_layers(&mut report)?;
    report.rules.push(sources::recipe(&folder));
    let (remade, series) = (folder.recipe.is_some(), frames::check(&folder));
    let pictures_only = series.is_some() && folder.layers.is_empty();
    report.rules.extend(series);
    if pictures_only {
        report.notes.push(
            "this is a series of pictures without layers, so the rules of its world were not tried".into(),
        );
    } else {
        (checker.folder)(folder, &mut report)?;
    }
    if !remade {
        report.notes.push("recipe.toml is missing, so the folder cannot be made again".into());
    }
    Ok(report)
}

impl Folder {
    /// Reads the manifest and the recipe.
    fn open(dir: &Path) -> Result<Self> {
        let file = dir.join("manifest.json");
        if !files::is_file(&file) {
            return Err(Error::Invalid(format!(
                "{}: there is no manifest.json, so this is not a folder made by `weald generate`; to check tiles \
                 alone, name their .json file",
                dir.display()
            )));
        }
        let bad = |e: serde_json::Error| {
            Error::Invalid(format!("{}: {e}; make the folder again, or correct the file", file.display()))
        };
        let manifest: Value = serde_json::from_str(&text(&file)?).map_err(bad)?;
        let typed = Manifest::deserialize(&manifest).map_err(bad)?;
        let recipe = read_recipe(&dir.join("recipe.toml"))?;
        Ok(Self { dir: dir.to_path_buf(), typed, manifest, recipe, layers: Vec::new() })
    }

    /// Reads the layers and checks their files against the manifest.
    fn read_layers(&mut self, report: &mut Report) -> Result<()> {
        let mut files = LayerFiles::new();
        for layer in &self.typed.layers {
            if let Some(array) = files.read(&self.dir, &self.typed.frame, layer)? {
                self.layers.push((layer.clone(), array));
            }
        }
        report.rules.extend(files.into_rules());
        Ok(())
    }

    /// The manifest's file.
    pub(super) fn file(&self) -> PathBuf {
        self.dir.join("manifest.json")
    }

    /// An error about the manifest.
    pub(super) fn bad(&self, what: &dyn fmt::Display) -> Error {
        Error::Invalid(format!("{}: {what}", self.file().display()))
    }

    /// The parameters, which must be there.
    pub(super) fn params(&self) -> Result<&Value> {
        let params = self.typed.params.as_ref().filter(|p| p.is_object());
        params.ok_or_else(|| self.bad(&"there are no params; make the folder again"))
    }

    /// The seed.
    pub(super) fn seed(&self) -> Option<u64> {
        seed(self.typed.seed.as_ref())
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.typed.frame.width, self.typed.frame.height)
    }

    /// Hands each layer to `take`, once. Those that it does not know, for which it gives false, are noted.
    pub(super) fn take_layers(&mut self, report: &mut Report, mut take: impl FnMut(&str, AnyGrid) -> bool) {
        for (layer, array) in std::mem::take(&mut self.layers) {
            if !take(&layer.name, array) {
                report.notes.push(format!("layer {} ({}) has no rules of its own", layer.name, layer.dtype));
            }
        }
    }

    /// The lines and points of these files, as far as they are there.
    pub(super) fn shapes(&self, names: &[&'static str]) -> Result<Shapes> {
        let mut all = Shapes::new();
        for &name in names {
            if let Some(list) = shapes::read(&self.dir.join(format!("{name}.geojson")))? {
                all.insert(name, list);
            }
        }
        Ok(all)
    }
}

/// Whether the layers have the types and shapes of the manifest, without which the rules of a world make no sense. Notes
/// it if they do not.
pub(super) fn layers_fit(report: &mut Report) -> bool {
    let fit = report.rules.iter().all(|r| r.rule != "layer-file" || r.violations == 0);
    if !fit {
        report.notes.push("the other rules were not tried, because the files do not fit the manifest".into());
    }
    fit
}

/// The recipe as JSON, if there is one.
fn read_recipe(file: &Path) -> Result<Option<Value>> {
    if !files::is_file(file) {
        return Ok(None);
    }
    let bad = |e: &dyn fmt::Display| Error::Invalid(format!("{}: {e}", file.display()));
    let table: toml::Table = text(file)?.parse().map_err(|e| bad(&e))?;
    serde_json::to_value(table).map(Some).map_err(|e| bad(&e))
}
