//! Reads an output folder back.

use super::{Maps, Output, find_world};
use crate::catalogue::{Catalogue, Feature, FeatureSet, Layer, LayerSpec};
use crate::error::{Error, Result, not_json};
use crate::files::{self, File};
use crate::import;
use crate::npy;
use crate::recipe::Recipe;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Component, Path};
use std::sync::Arc;
use weald_core::{AnyGrid, Frame, Seed};

/// Reads the folder of a world: its recipe, layers, lines, points and figures. What was not written is missing.
pub fn open(dir: &Path) -> Result<Output> {
    let file = dir.join("manifest.json");
    let bad = |what: &str| Error::Invalid(format!("{}: {what}; make the folder again", file.display()));
    if !files::is_file(&file) {
        let message = "not a folder that `weald generate` made: it has no manifest.json";
        return Err(Error::io(dir, std::io::Error::new(std::io::ErrorKind::NotFound, message)));
    }
    let text = super::read_text(&file)?;
    let manifest: Value = serde_json::from_str(&text).map_err(|e| bad(&not_json(&e)))?;
    let world = find_world(manifest["world"].as_str().ok_or_else(|| bad("there is no world in it"))?)?;
    let mut recipe = Recipe::new(world);
    let toml = dir.join("recipe.toml");
    recipe.merge_toml(&super::read_text(&toml)?, &toml)?;
    if manifest["seed"] != recipe.seed {
        return Err(bad(&format!("its seed is {}, that of recipe.toml {}", manifest["seed"], recipe.seed)));
    }
    let number =
        |name: &str| manifest["frame"][name].as_f64().ok_or_else(|| bad(&format!("no frame.{name}")));
    let origin = |k: usize| manifest["frame"]["origin"][k].as_f64().unwrap_or(0.0);
    let frame = Frame {
        origin: (origin(0), origin(1)),
        ..Frame::new(number("width")? as usize, number("height")? as usize, number("cell_m")?)
    };
    let side = |v: f64| v.fract() == 0.0 && (1.0..=1e6).contains(&v);
    if !side(number("width")?) || !side(number("height")?) || frame.cell_m <= 0.0 || !frame.cell_m.is_finite()
    {
        return Err(bad("its frame is not that of a map"));
    }
    let mut catalogue = Catalogue::new(world.info().name, world.info().length_unit, frame);
    catalogue.seed = recipe.seed;
    catalogue.params = manifest["params"].clone();
    catalogue.figures = manifest["stats"].as_object().cloned().unwrap_or_default();
    catalogue.layers = layers(dir, &manifest, &world.layers(), (frame.width, frame.height))?;
    catalogue.lines = sets(dir, &manifest["lines"])?;
    catalogue.points = sets(dir, &manifest["points"])?;
    catalogue.polygons = sets(dir, &manifest["polygons"])?;
    catalogue.sampler = world.plan(&recipe.params)?.sampler(Seed(recipe.seed))?;
    let mut maps = Maps::new();
    for (name, path) in &recipe.maps {
        maps.insert(name.clone(), Arc::new(import::map(path)?));
    }
    catalogue.georeference = recipe.georeference;
    catalogue.heights_m = recipe.heights_m;
    Ok(Output { recipe, catalogue, maps, readings: BTreeMap::new() })
}

/// The layers that the manifest lists and whose files exist, in the order of the world.
fn layers(dir: &Path, manifest: &Value, specs: &[LayerSpec], shape: (usize, usize)) -> Result<Vec<Layer>> {
    let listed: Vec<&Value> = manifest["layers"].as_array().into_iter().flatten().collect();
    let mut out = Vec::new();
    for spec in specs {
        let Some(entry) = listed.iter().find(|l| l["name"] == spec.name) else { continue };
        let Some(file) = entry["file"].as_str() else { continue };
        let path = dir.join(file);
        let bad = |what: &str| Error::Invalid(format!("{}: {what}; make the folder again", path.display()));
        if !Path::new(file).components().all(|c| matches!(c, Component::Normal(_))) {
            return Err(bad("it lies outside the folder"));
        }
        let input = File::open(&path).map_err(|e| Error::io(&path, e))?;
        let grid: AnyGrid = npy::read(&mut BufReader::new(input)).map_err(|e| bad(&e.to_string()))?;
        let (cells, (low, high)) = (grid.cells(), grid.cells().min_max());
        if (cells.dtype(), cells.shape()) != (spec.dtype, shape) {
            let (w, h) = cells.shape();
            return Err(bad(&format!(
                "it holds {} {w}x{h}, not {} {}x{}",
                cells.dtype(),
                spec.dtype,
                shape.0,
                shape.1
            )));
        }
        if !low.is_finite() || !high.is_finite() {
            return Err(bad("it holds values that are not finite"));
        }
        out.push(Layer::new(*spec, grid));
    }
    Ok(out)
}

/// The lines, points or polygons that the manifest lists.
fn sets(dir: &Path, list: &Value) -> Result<Vec<FeatureSet>> {
    list.as_array().into_iter().flatten().map(|entry| set(dir, entry)).collect()
}

fn set(dir: &Path, entry: &Value) -> Result<FeatureSet> {
    let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let path = dir.join(text("file"));
    let bad = |what: &str| Error::Invalid(format!("{}: {what}; make the folder again", path.display()));
    let json = files::read_to_string(&path).map_err(|e| Error::io(&path, e))?;
    let root: Value = serde_json::from_str(&json).map_err(|e| bad(&not_json(&e)))?;
    let features = root["features"].as_array().ok_or_else(|| bad("there are no features in it"))?;
    let feature = |(i, f): (usize, &Value)| {
        let at = &f["geometry"]["coordinates"];
        let point = |p: &Value| Some((p[0].as_f64()?, p[1].as_f64()?));
        let ring = |list: &Value| -> Option<Vec<(f64, f64)>> { list.as_array()?.iter().map(point).collect() };
        let mut rings: Vec<Vec<(f64, f64)>> = match f["geometry"]["type"].as_str() {
            Some("Point") => vec![vec![point(at)?]],
            Some("Polygon") => at.as_array()?.iter().map(ring).collect::<Option<_>>()?,
            _ => vec![ring(at)?],
        };
        let points = if rings.is_empty() { return None } else { rings.remove(0) };
        let properties = f["properties"].as_object().cloned().unwrap_or_default();
        Some(Feature {
            id: f["id"].as_u64().unwrap_or(i as u64) as u32,
            points,
            holes: rings,
            properties: properties.into_iter().map(|(name, value)| (name.into(), value)).collect(),
        })
    };
    let features = features.iter().enumerate().map(feature).collect::<Option<Vec<_>>>();
    let features = features.ok_or_else(|| bad("a feature has no coordinates"))?;
    Ok(FeatureSet { name: text("name").into(), about: text("about").into(), features })
}
