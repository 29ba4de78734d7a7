//! The output folder: layers, lines, points, picture, recipe and manifest.

use super::debug::{self, Keeper};
use super::geojson::{self, Geometry};
use super::stage::{Existing, Form, Stage};
use super::{Sink, png};
use crate::check;
use crate::error::{Error, Result};
use crate::layer::{Catalogue, Data, FeatureSet, Kind, Layer};
use crate::npy;
use crate::recipe::{Comments, Recipe};
use crate::world::{Made, OwnFile};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use weald_core::{Cancelled, Ctx, par};

/// Which layers are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Every one.
    All,
    /// Those named.
    Named(Vec<String>),
}

impl Choice {
    /// None at all.
    pub fn none() -> Self {
        Choice::Named(Vec::new())
    }

    /// Whether `name` is meant.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Choice::All => true,
            Choice::Named(names) => names.iter().any(|n| n == name),
        }
    }

    /// An error for a name that is not among `known`.
    pub fn check<'n>(&self, what: &str, known: impl Iterator<Item = &'n str>) -> Result<()> {
        let known: Vec<&str> = known.collect();
        let Choice::Named(names) = self else { return Ok(()) };
        match names.iter().find(|n| !known.contains(&n.as_str())) {
            None => Ok(()),
            Some(n) if known.is_empty() => {
                Err(Error::Invalid(format!("{what} {n}: this world has none; leave {what} out")))
            }
            Some(n) => Err(Error::Invalid(format!(
                "{what} {n}: there is none of that name; use {}",
                known.join(", ")
            ))),
        }
    }
}

/// Whether a folder is checked before it appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Not now; `weald check` can do it later.
    Skip,
    /// By the independent checker; the manifest tells the rules and how often each was tried.
    Run,
}

/// Gives the names of the stages that have ended, in order, and how many seconds each took.
pub type StageSeconds<'a> = dyn Fn() -> Vec<(&'static str, f64)> + Sync + 'a;

/// What goes into the folder.
pub struct FolderPlan<'a> {
    /// Layers as .npy.
    pub layers: Choice,
    /// Layers as PNG too.
    pub images: Choice,
    /// The world's own files.
    pub files: Vec<OwnFile>,
    /// Additions to the world's own files.
    pub extras: Vec<String>,
    /// Whether the finished folder is checked before it appears.
    pub check: Check,
    /// Pictures of every layer and of what this has kept.
    pub debug: Option<&'a Keeper<'a>>,
    /// Tells how long each stage took so far, for the manifest. The library itself looks at no clock.
    pub seconds: Option<&'a StageSeconds<'a>>,
}

/// Writes the folder. It appears whole or not at all.
pub fn write(
    target: &Path,
    existing: Existing,
    recipe: &Recipe,
    made: &dyn Made,
    plan: &FolderPlan,
    ctx: &Ctx,
) -> Result<()> {
    let stage = Stage::new(target, Form::Folder, existing)?;
    let (dir, catalogue) = (stage.path(), made.catalogue());
    let layers = ctx.stage("write layers", |c| {
        write_maps(dir, &catalogue, recipe, made)?;
        write_layers(dir, &catalogue, plan, c)
    })?;
    let unit = recipe.world.length_unit();
    let lines = write_features(dir, &catalogue.lines, (Geometry::Lines, unit), ctx)?;
    let points = write_features(dir, &catalogue.points, (Geometry::Points, unit), ctx)?;
    for file in &plan.files {
        ctx.stage(file.name, |c| {
            let mut out = Sink::create(dir.join(file.name))?;
            made.write_own(file, &plan.extras, &mut out, c)?;
            out.finish()
        })?;
    }
    ctx.stage("map", |c| {
        let image = made.picture(&catalogue, c)?;
        let mut out = Sink::create(dir.join("map.png"))?;
        out.with(|w| image.write_png(w))?;
        out.finish()
    })?;
    if let Some(keeper) = plan.debug {
        let title = format!("{} {}", recipe.world.name(), recipe.seed);
        ctx.stage("pictures", |c| debug::write(dir, &title, &catalogue, keeper, c))?;
    }
    write_text(&dir.join("recipe.toml"), &folder_recipe(recipe).to_toml(Comments::Meaning))?;
    let files = std::iter::once(("map.png", "the picture of the map"))
        .chain(plan.files.iter().map(|f| (f.name, f.about)))
        .map(|(file, about)| json!({"file": file, "about": about}))
        .collect();
    let mut manifest = manifest(recipe, &catalogue, files, layers, [lines, points]);
    let path = dir.join("manifest.json");
    let keep = |m: &Value| std::fs::write(&path, format!("{m:#}\n")).map_err(|e| Error::io(&path, e));
    if plan.check == Check::Run {
        keep(&manifest)?;
        manifest["checks"] = ctx.stage("check", |_| checks(dir))?;
    }
    if let Some(seconds) = plan.seconds {
        manifest["seconds"] = stage_seconds(seconds());
    }
    keep(&manifest)?;
    ctx.checkpoint()?;
    stage.commit()
}

/// Seconds by stage, to the millisecond, in the order in which they first ran; stages of one name are summed.
fn stage_seconds(stages: Vec<(&'static str, f64)>) -> Value {
    let mut sums: Vec<(&'static str, f64)> = Vec::new();
    for (stage, took) in stages {
        match sums.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, sum)) => *sum += took,
            None => sums.push((stage, took)),
        }
    }
    let entry = |(stage, took): (&str, f64)| (stage.to_owned(), json!((took * 1e3).round() / 1e3));
    Value::Object(sums.into_iter().map(entry).collect())
}

/// Runs the checker over the folder and gives the rules it tried. A violation is a fault of the engine.
fn checks(dir: &Path) -> Result<Value> {
    let report = check::path(dir)?;
    if !report.ok() {
        return Err(Error::Internal(format!("the result breaks rules of its own world\n{report}")));
    }
    Ok(report.rules.iter().map(|r| json!({"rule": r.rule, "about": r.about, "checked": r.checked})).collect())
}

fn write_text(path: &Path, text: &str) -> Result<()> {
    let mut out = Sink::create(path)?;
    out.write(text.as_bytes())?;
    out.finish()
}

/// Name of the layer that holds the authored map `name`: the first layers of a world are its base maps, in the order of
/// its map names.
fn layer_of_map(recipe: &Recipe, catalogue: &Catalogue, name: &str) -> Option<&'static str> {
    let i = recipe.world.map_names().iter().position(|m| m.0 == name)?;
    catalogue.layers.get(i).map(|l| l.name)
}

/// The recipe as it stands in the folder: authored maps are taken from beside it.
fn folder_recipe(recipe: &Recipe) -> Recipe {
    let mut out = recipe.clone();
    for (name, path) in out.maps.iter_mut() {
        *path = PathBuf::from(format!("maps/{name}.npy"));
    }
    out
}

fn make_dir(path: PathBuf) -> Result<()> {
    std::fs::create_dir(&path).map_err(|e| Error::io(path, e))
}

/// Writes the authored maps: as the world keeps them, else the layers that hold them.
fn write_maps(dir: &Path, catalogue: &Catalogue, recipe: &Recipe, made: &dyn Made) -> Result<()> {
    if recipe.maps.is_empty() {
        return Ok(());
    }
    make_dir(dir.join("maps"))?;
    for name in recipe.maps.keys() {
        let layer = || layer_of_map(recipe, catalogue, name).and_then(|l| catalogue.layer(l));
        let data = made.map(name).map(Data::F32).or_else(|| layer().map(|l| l.data));
        let data = data.ok_or_else(|| Error::Internal(format!("no layer holds the map {name}")))?;
        let mut out = Sink::create(dir.join(format!("maps/{name}.npy")))?;
        out.with(|w| npy::write(w, &data))?;
        out.finish()?;
    }
    Ok(())
}

/// Writes the chosen layers, several at a time, and describes them.
fn write_layers(dir: &Path, catalogue: &Catalogue, plan: &FolderPlan, ctx: &Ctx) -> Result<Vec<Value>> {
    plan.layers.check("layer", catalogue.layers.iter().map(|l| l.name))?;
    plan.images.check("layer", catalogue.layers.iter().map(|l| l.name))?;
    make_dir(dir.join("layers"))?;
    let chosen: Vec<&Layer> =
        catalogue.layers.iter().filter(|l| plan.layers.has(l.name) || plan.images.has(l.name)).collect();
    let described = par::map_with(chosen.len(), ctx, || (), |(), i| write_layer(dir, chosen[i], plan, ctx))?;
    described.into_iter().collect()
}

fn write_layer(dir: &Path, layer: &Layer, plan: &FolderPlan, ctx: &Ctx) -> Result<Value> {
    let (min, max, sha256) = summary(layer, ctx)?;
    let whole = !matches!(layer.data, Data::F32(_));
    let number = |v: f64| if whole { json!(v as i64) } else { json!(v) };
    let mut entry = json!({
        "name": layer.name, "file": null, "dtype": layer.data.dtype(), "unit": layer.unit, "about": layer.about,
        "min": number(min), "max": number(max), "sha256": sha256,
    });
    let table = match layer.kind {
        Kind::Measure => None,
        Kind::Classes(table) => Some(("classes", table)),
        Kind::Flags(table) => Some(("flags", table)),
    };
    if let Some((key, table)) = table {
        let rows = table.iter().map(|c| json!({"value": c.value, "name": c.name, "colour": hex(&c.colour)}));
        entry[key] = rows.collect();
    }
    if plan.layers.has(layer.name) {
        let file = format!("layers/{}.npy", layer.name);
        let mut out = Sink::create(dir.join(&file))?;
        out.with(|w| npy::write(w, &layer.data))?;
        out.finish()?;
        entry["file"] = file.into();
    }
    if plan.images.has(layer.name) {
        let file = format!("layers/{}.png", layer.name);
        let mut out = Sink::create(dir.join(&file))?;
        let mut scale = None;
        out.with(|w| {
            scale = png::write(w, layer, (min, max))?;
            Ok(())
        })?;
        out.finish()?;
        entry["image"] = match scale {
            Some((low, high)) => json!({"file": file, "value_at_0": low, "value_at_65535": high}),
            None => json!({"file": file, "index": "class value"}),
        };
    }
    Ok(entry)
}

/// Smallest and largest value, and the SHA-256 of the little-endian cells.
pub fn summary(layer: &Layer, ctx: &Ctx) -> std::result::Result<(f64, f64, String), Cancelled> {
    ctx.checkpoint()?;
    let (min, max) = layer.data.min_max();
    let mut hash = Sha256::new();
    npy::bytes(&layer.data, |bytes| {
        hash.update(bytes);
        Ok(())
    })
    .expect("hashing does not fail");
    Ok((min, max, hex(&hash.finalize())))
}

/// Two small hexadecimal digits a byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn write_features(
    dir: &Path,
    sets: &[FeatureSet],
    (geometry, unit): (Geometry, &str),
    ctx: &Ctx,
) -> Result<Vec<Value>> {
    sets.iter()
        .map(|set| {
            ctx.checkpoint()?;
            let file = format!("{}.geojson", set.name);
            let mut out = Sink::create(dir.join(&file))?;
            out.with(|w| geojson::write(w, set, geometry, unit))?;
            out.finish()?;
            Ok(json!({"name": set.name, "file": file, "about": set.about, "count": set.features.len()}))
        })
        .collect()
}

fn manifest(
    recipe: &Recipe,
    catalogue: &Catalogue,
    files: Vec<Value>,
    layers: Vec<Value>,
    [lines, points]: [Vec<Value>; 2],
) -> Value {
    let frame = &catalogue.frame;
    let mut out = Map::new();
    out.insert("weald".into(), env!("CARGO_PKG_VERSION").into());
    out.insert("world".into(), recipe.world.name().into());
    out.insert("seed".into(), recipe.seed.into());
    out.insert(
        "frame".into(),
        json!({
            "width": frame.width, "height": frame.height, "cell_m": frame.cell_m,
            "origin": [frame.origin.0, frame.origin.1], "unit": recipe.world.length_unit(),
        }),
    );
    out.insert("params".into(), recipe.params.values().clone());
    out.insert("files".into(), files.into());
    out.insert("layers".into(), layers.into());
    out.insert("lines".into(), lines.into());
    out.insert("points".into(), points.into());
    out.insert("stats".into(), Value::Object(catalogue.stats.clone()));
    out.insert("checks".into(), json!([]));
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_stand_in_the_order_in_which_they_first_ran_and_equal_names_are_summed() {
        let seconds = stage_seconds(vec![("terrain", 0.25), ("erosion", 1.0004), ("terrain", 0.5)]);
        assert_eq!(seconds.to_string(), r#"{"terrain":0.75,"erosion":1.0}"#);
    }
}
