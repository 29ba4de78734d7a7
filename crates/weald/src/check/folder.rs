//! A folder made by `weald generate`: its manifest, its layers and its tiles.

use super::layer_files::LayerFiles;
use super::{Report, city, endless, forest, galaxy, island, open, planet, sources};
use crate::error::{Error, Result};
use crate::world;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use weald_core::AnyGrid;

/// What the checks need of `manifest.json`.
#[derive(Deserialize)]
pub(super) struct Manifest {
    /// The world.
    pub(super) world: String,
    /// The seed.
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
    /// Figures about the whole.
    #[serde(default)]
    pub(super) stats: Value,
}

/// The size of the map.
#[derive(Deserialize)]
pub(super) struct ManifestFrame {
    /// Columns.
    pub(super) width: usize,
    /// Rows.
    pub(super) height: usize,
}

/// What the manifest states about a layer.
#[derive(Deserialize)]
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
    std::fs::read_to_string(path).map_err(|e| Error::io(path, e))
}

/// Checks a folder: its layers against the manifest, then the rules of its world.
pub(super) fn check(dir: &Path) -> Result<Report> {
    let file = dir.join("manifest.json");
    if !file.exists() {
        return Err(Error::Invalid(format!(
            "{}: there is no manifest.json, so this is not a folder made by `weald generate`; to \
             check tiles alone, name their .json file",
            dir.display()
        )));
    }
    let whole = text(&file)?;
    let manifest: Manifest = serde_json::from_str(&whole)
        .map_err(|e| Error::Invalid(format!("{}: {e}; make the folder again, or mend it", file.display())))?;
    match manifest.world.as_str() {
        "forest" => forest_folder(dir, manifest, file),
        "endless" => endless::folder(dir, &manifest, &whole, &file),
        "city" => city::folder(dir, &manifest, &whole, &file),
        "island" => island::folder(dir, &manifest, &whole, &file),
        "planet" => plain_folder(dir, &manifest, planet::rules),
        "galaxy" => plain_folder(dir, &manifest, galaxy::rules),
        other => {
            let message = format!("world = \"{other}\": this program has no rules for it");
            Err(Error::Invalid(format!("{}: {message}", file.display())))
        }
    }
}

/// The arrays of a folder by the names of their layers.
pub(super) type Arrays = BTreeMap<String, AnyGrid>;

/// A folder whose rules need only its manifest, its layers and the files beside them.
fn plain_folder(
    dir: &Path,
    manifest: &Manifest,
    rules: fn(&Path, &Manifest, &Arrays, &mut Report) -> Result<()>,
) -> Result<Report> {
    let (mut report, mut files) = (Report::default(), LayerFiles::new());
    let mut arrays = Arrays::new();
    for layer in &manifest.layers {
        if let Some(array) = files.read(dir, &manifest.frame, layer)? {
            arrays.insert(layer.name.clone(), array);
        }
    }
    report.rules.extend(files.into_rules());
    report.rules.push(sources::agree(dir, manifest, &[])?);
    if go_on(manifest, &mut report)? {
        rules(dir, manifest, &arrays, &mut report)?;
    }
    Ok(report)
}

/// Whether the rules of a world make sense: its parameters are in their ranges, and the layers are of the size that
/// the manifest says.
pub(super) fn go_on(manifest: &Manifest, report: &mut Report) -> Result<bool> {
    if let (Some(world), Some(Value::Object(params))) = (world::find(&manifest.world), &manifest.params) {
        let mut tree = world.params();
        tree.merge(params, "manifest.json", &|_| None);
        tree.validate()?;
    }
    let ok = report.rules.iter().all(|r| r.rule != "layer-file" || r.violations == 0);
    if !ok {
        report.notes.push("the other rules were not tried, because the files do not fit the manifest".into());
    }
    Ok(ok)
}

fn forest_folder(dir: &Path, manifest: Manifest, file: PathBuf) -> Result<Report> {
    let mut report = Report::default();
    let mut files = LayerFiles::new();
    let mut tiles = forest::Tiles::default();
    for layer in &manifest.layers {
        let Some(array) = files.read(dir, &manifest.frame, layer)? else {
            continue;
        };
        if !tiles.set_layer(&layer.name, array) {
            report.notes.push(format!("layer {} ({}) has no rules of its own", layer.name, layer.dtype));
        }
    }
    report.rules.extend(files.into_rules());
    (tiles.columns, tiles.rows) = (manifest.frame.width, manifest.frame.height);
    let tile_files = ["tiles.json", "tiles.ndjson"].map(|n| dir.join(n)).into_iter().filter(|p| p.exists());
    let tile_files: Vec<PathBuf> = tile_files.collect();
    report.rules.push(sources::agree(dir, &manifest, &tile_files)?);
    report.rules.extend(forest::trail_lines(dir, &tiles)?);
    for file in &tile_files {
        let mut of_file = Report::default();
        forest::folder_with_tiles(&mut open(file)?, file, tiles.clone(), &mut of_file)?;
        report.absorb(of_file);
    }
    if tile_files.is_empty() {
        if manifest.layers.iter().all(|l| l.file.is_none()) {
            let message = "holds neither layers nor tiles, so there is nothing to check";
            return Err(Error::Invalid(format!("{}: {message}", dir.display())));
        }
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

/// The properties and the position of each feature of a GeoJSON file.
pub(super) fn points(path: &Path) -> Result<Vec<(Value, [f64; 2])>> {
    let bad = |what: &str| Error::Invalid(format!("{}: {what}; make the folder again", path.display()));
    let root: Value = serde_json::from_str(&text(path)?).map_err(|e| bad(&e.to_string()))?;
    let features = root["features"].as_array().ok_or_else(|| bad("there is no list of features"))?;
    let point = |f: &Value| {
        let at = &f["geometry"]["coordinates"];
        Some((f["properties"].clone(), [at[0].as_f64()?, at[1].as_f64()?]))
    };
    features.iter().map(point).collect::<Option<_>>().ok_or_else(|| bad("a feature has no position"))
}

/// A number among the parameters of a manifest.
pub(super) fn parameter(manifest: &Manifest, path: &str) -> Result<f64> {
    let keys = path.split('.');
    let value = keys.fold(manifest.params.as_ref(), |v, key| v.and_then(|v| v.get(key)));
    value.and_then(Value::as_f64).ok_or_else(|| {
        Error::Invalid(format!("manifest.json: params.{path} is missing or no number; make the folder again"))
    })
}

/// The seed of a manifest.
pub(super) fn seed(manifest: &Manifest) -> Result<u64> {
    let seed = manifest.seed.as_ref().and_then(|s| s.as_u64().or_else(|| s.as_str()?.parse().ok()));
    seed.ok_or_else(|| Error::Invalid("manifest.json: there is no seed; make the folder again".into()))
}
