//! The output folder: layers, lines, points, polygons, picture, recipe and manifest.

use super::Output;
use super::export::entry;
use crate::catalogue::{Catalogue, FeatureSet, Kind, Layer};
use crate::error::{Error, Result};
use crate::export::atomic::{AtomicOutput, Existing, Form};
use crate::export::geojson::{self, Geometry};
use crate::export::png;
use crate::export::target::{Delivered, ExportOptions, Target};
use crate::files;
use crate::npy::{self, hex};
use crate::reading::ReadOptions;
use crate::recipe::{Comments, Recipe};
use crate::sink::Sink;
use crate::world::{FileOption, FileSpec, WorldInfo};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use weald_core::{Cells, Ctx, par};

/// Which layers or files are meant.
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

    /// `all`, `none`, or names with commas between.
    pub fn parse(text: &str) -> Self {
        match text {
            "all" => Choice::All,
            "none" | "" => Choice::none(),
            names => Choice::Named(names.split(',').map(|n| n.trim().to_owned()).collect()),
        }
    }

    /// Whether `name` is meant.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Choice::All => true,
            Choice::Named(names) => names.iter().any(|n| n == name),
        }
    }

    /// Fails if a name is not among `known`.
    pub fn validate<'n>(&self, what: &str, known: impl Iterator<Item = &'n str>) -> Result<()> {
        let known: Vec<&str> = known.collect();
        let Choice::Named(names) = self else { return Ok(()) };
        match names.iter().find(|n| !known.contains(&n.as_str())) {
            None => Ok(()),
            Some(n) if known.is_empty() => {
                Err(Error::Invalid(format!("{what} {n}: this world has none; leave {what} out")))
            }
            Some(n) => Err(Error::Invalid(format!("{what} {n}: no such name; use {}", known.join(", ")))),
        }
    }
}

/// Which files of a world are written, with which options, and which optional results they need.
#[derive(Clone, Debug, Default)]
pub struct FileChoice {
    /// The files.
    pub files: Vec<&'static FileSpec>,
    /// What is added to them.
    pub options: Vec<String>,
    /// Optional results that must be made.
    pub requests: Vec<String>,
}

impl FileChoice {
    /// Names that can be given with `--with`: options of files, and optional results.
    pub fn names(info: &WorldInfo) -> Vec<&'static str> {
        let mut names: Vec<&str> = info.options.iter().map(|o| o.name).collect();
        for request in info.files.iter().filter_map(|f| f.needs) {
            if !names.contains(&request) {
                names.push(request);
            }
        }
        names
    }

    /// The files that `files` names (the default ones if it is `None`), and those of the optional results in `with`. An option that
    /// comes with an optional result is added.
    pub fn new(info: &'static WorldInfo, files: Option<&Choice>, with: &[String]) -> Result<Self> {
        if let Some(files) = files {
            files.validate("--files", info.files.iter().map(|f| f.name))?;
        }
        Choice::Named(with.to_vec()).validate("--with", Self::names(info).into_iter())?;
        let asked = |name: &str| with.iter().any(|w| w == name);
        let chosen =
            |f: &&FileSpec| files.map_or(f.by_default, |c| c.has(f.name)) || f.needs.is_some_and(asked);
        let files: Vec<&FileSpec> = info.files.iter().filter(chosen).collect();
        let wanted = info.options.iter().filter(|o| asked(o.name)).filter_map(|o| o.comes_with);
        let needed = files.iter().filter_map(|f| f.needs).chain(wanted);
        let mut requests: Vec<String> = needed.map(str::to_owned).collect();
        requests.dedup();
        let option = |o: &&FileOption| {
            asked(o.name) || o.comes_with.is_some_and(|r| requests.iter().any(|have| have == r))
        };
        let options = info.options.iter().filter(option).map(|o| o.name.to_owned()).collect();
        Ok(Self { files, options, requests })
    }
}

/// Returns the names of the stages that have ended, in order, and how many seconds each took.
pub type StageSeconds<'a> = dyn Fn() -> Vec<(&'static str, f64)> + Sync + 'a;

/// Checks a finished folder and returns the rules that were tried. A broken rule is an error.
pub type Verify<'a> = dyn Fn(&Path) -> Result<Value> + Sync + 'a;

/// What goes into the folder.
pub struct FolderPlan<'a> {
    /// Layers as .npy.
    pub layers: Choice,
    /// Layers as PNG too.
    pub images: Choice,
    /// The files that only this world has.
    pub files: Vec<&'static FileSpec>,
    /// What is added to those files.
    pub options: Vec<String>,
    /// Formats of other programs to write as well, each into a folder of its name.
    pub exports: Vec<&'static Target>,
    /// How they are written.
    pub export_options: ExportOptions,
    /// Checks the finished folder before it appears.
    pub verify: Option<&'a Verify<'a>>,
    /// Pictures of every layer and of the kept intermediates.
    #[cfg(feature = "render")]
    pub debug: Option<&'a super::debug::Keeper<'a>>,
    /// How long each stage took so far, for the manifest. The library itself reads no clock.
    pub seconds: Option<&'a StageSeconds<'a>>,
}

impl FolderPlan<'_> {
    /// Every layer, and the files that the world writes by default.
    pub fn new(files: &'static [FileSpec]) -> Self {
        Self {
            layers: Choice::All,
            images: Choice::none(),
            files: files.iter().filter(|f| f.by_default).collect(),
            options: Vec::new(),
            exports: Vec::new(),
            export_options: ExportOptions::default(),
            verify: None,
            #[cfg(feature = "render")]
            debug: None,
            seconds: None,
        }
    }
}

impl Output {
    /// Writes the folder. It appears whole or not at all. Returns what was written for other programs, in the order of the plan.
    pub fn save(
        &self,
        target: &Path,
        existing: Existing,
        plan: &FolderPlan,
        ctx: &Ctx,
    ) -> Result<Vec<Delivered>> {
        let output = AtomicOutput::new(target, Form::Folder, existing)?;
        let delivered = self.write_folder(output.path(), plan, ctx)?;
        ctx.checkpoint()?;
        output.commit()?;
        Ok(delivered)
    }

    /// Writes the files of the folder into `dir`, which is empty, and returns as [`Output::save`].
    pub fn write_folder(&self, dir: &Path, plan: &FolderPlan, ctx: &Ctx) -> Result<Vec<Delivered>> {
        let catalogue = &self.catalogue;
        let layers = ctx.stage("write layers", |c| {
            self.write_maps(dir)?;
            write_layers(dir, catalogue, plan, c)
        })?;
        let lines = write_features(dir, catalogue, Geometry::Lines, ctx)?;
        let points = write_features(dir, catalogue, Geometry::Points, ctx)?;
        let polygons = write_features(dir, catalogue, Geometry::Polygons, ctx)?;
        for file in &plan.files {
            ctx.stage(file.name, |c| {
                let mut out = Sink::create(dir.join(file.name))?;
                self.write_file(file, &plan.options, &mut out, c)?;
                out.finish()
            })?;
        }
        let mut files: Vec<Value> = Vec::new();
        #[cfg(feature = "render")]
        {
            self.write_pictures(dir, plan, ctx)?;
            files.push(json!({"file": "map.png", "about": "the picture of the map"}));
        }
        files.extend(plan.files.iter().map(|f| json!({"file": f.name, "about": f.about})));
        let mut delivered = Vec::new();
        for target in &plan.exports {
            let made = self.export_into(&dir.join(target.name), target, &plan.export_options, ctx)?;
            files.extend(made.files.iter().map(|file| entry(&format!("{}/", target.name), file)));
            delivered.push(made);
        }
        write_text(&dir.join("recipe.toml"), &folder_recipe(&self.recipe).to_toml(Comments::Meaning))?;
        write_manifest(dir, manifest(catalogue, files, layers, [lines, points, polygons]), plan, ctx)?;
        Ok(delivered)
    }

    /// Writes one file of the folder, by its name there: `map.png`, `recipe.toml`, `NAME.geojson`, `layers/NAME.npy`, `layers/NAME.png`, or a
    /// file of the world's own. Byte for byte the file that [`Output::save`] writes.
    pub fn write_named(&self, name: &str, out: &mut Sink, ctx: &Ctx) -> Result<()> {
        let (info, catalogue) = (self.recipe.world.info(), &self.catalogue);
        if let Some(file) = info.file(name) {
            return self.write_file(file, &[], out, ctx);
        }
        let layer = |ending: &str| catalogue.layer(name.strip_prefix("layers/")?.strip_suffix(ending)?);
        if let Some(layer) = layer(".npy") {
            return out.with(|w| npy::write(w, &layer.cells()));
        }
        if let Some(layer) = layer(".png") {
            return out.with(|w| png::write(w, layer, layer.cells().min_max()).map(drop));
        }
        let set = name.strip_suffix(".geojson");
        if let Some((set, geometry)) = geojson::sets(catalogue).find(|(s, _)| Some(&*s.name) == set) {
            return out.with(|w| geojson::write(w, set, geometry, info.length_unit));
        }
        match name {
            #[cfg(feature = "render")]
            "map.png" => {
                let picture = self.draw(&self.recipe.draw, ctx)?;
                out.with(|w| picture.write_png(w))
            }
            "recipe.toml" => out.write(folder_recipe(&self.recipe).to_toml(Comments::Meaning).as_bytes()),
            _ => Err(Error::Invalid(format!("{name}: the folder of this world has no such file"))),
        }
    }

    /// The map, and pictures of every layer if they are wanted.
    #[cfg(feature = "render")]
    fn write_pictures(&self, dir: &Path, plan: &FolderPlan, ctx: &Ctx) -> Result<()> {
        ctx.stage("map", |c| {
            let picture = self.draw(&self.recipe.draw, c)?;
            let mut out = Sink::create(dir.join("map.png"))?;
            out.with(|w| picture.write_png(w))?;
            out.finish()
        })?;
        let Some(keeper) = plan.debug else { return Ok(()) };
        let title = format!("{} {}", self.recipe.world.info().name, self.recipe.seed);
        ctx.stage("pictures", |c| super::debug::write(dir, &title, &self.catalogue, keeper, c))
    }

    /// Writes the maps as they were given, but cropped and resampled.
    fn write_maps(&self, dir: &Path) -> Result<()> {
        if self.maps.is_empty() {
            return Ok(());
        }
        make_dir(dir.join("maps"))?;
        for (name, map) in &self.maps {
            let mut out = Sink::create(dir.join(format!("maps/{name}.npy")))?;
            out.with(|w| npy::write(w, &Cells::F32(map)))?;
            out.finish()?;
        }
        Ok(())
    }
}

/// Writes the manifest, with what the checker says of the folder and with the seconds of the stages if they are wanted.
pub(super) fn write_manifest(dir: &Path, mut manifest: Value, plan: &FolderPlan, ctx: &Ctx) -> Result<()> {
    let path = dir.join("manifest.json");
    let keep = |m: &Value| files::write(&path, format!("{m:#}\n")).map_err(|e| Error::io(&path, e));
    if let Some(verify) = plan.verify {
        keep(&manifest)?;
        manifest["checks"] = ctx.stage("check", |_| verify(dir))?;
    }
    if let Some(seconds) = plan.seconds {
        manifest["seconds"] = stage_seconds(seconds());
    }
    keep(&manifest)
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

pub(super) fn write_text(path: &Path, text: &str) -> Result<()> {
    let mut out = Sink::create(path)?;
    out.write(text.as_bytes())?;
    out.finish()
}

/// The recipe as it is written into the folder: its maps are in `maps/` beside it, cropped and resampled already.
pub(super) fn folder_recipe(recipe: &Recipe) -> Recipe {
    let mut out = recipe.clone();
    (out.crop, out.resample, out.reading) = (None, false, ReadOptions::default());
    for (name, path) in out.maps.iter_mut() {
        *path = PathBuf::from(format!("maps/{name}.npy"));
    }
    out
}

pub(super) fn make_dir(path: PathBuf) -> Result<()> {
    files::create_dir(&path).map_err(|e| Error::io(path, e))
}

/// Writes the chosen layers in parallel, and describes them for the manifest.
pub(super) fn write_layers(
    dir: &Path,
    catalogue: &Catalogue,
    plan: &FolderPlan,
    ctx: &Ctx,
) -> Result<Vec<Value>> {
    plan.layers.validate("layer", catalogue.layers.iter().map(|l| l.name))?;
    plan.images.validate("layer", catalogue.layers.iter().map(|l| l.name))?;
    make_dir(dir.join("layers"))?;
    let chosen: Vec<&Layer> =
        catalogue.layers.iter().filter(|l| plan.layers.has(l.name) || plan.images.has(l.name)).collect();
    let described = par::map_with(chosen.len(), ctx, || (), |(), i| write_layer(dir, chosen[i], plan, ctx))?;
    described.into_iter().collect()
}

fn write_layer(dir: &Path, layer: &Layer, plan: &FolderPlan, ctx: &Ctx) -> Result<Value> {
    ctx.checkpoint()?;
    let cells = layer.cells();
    let (min, max) = cells.min_max();
    let number = |v: f64| if cells.is_float() { json!(v) } else { json!(v as i64) };
    let mut entry = json!({
        "name": layer.name, "file": null, "dtype": cells.dtype(), "unit": layer.unit, "about": layer.about,
        "min": number(min), "max": number(max), "sha256": npy::sha256(&cells),
    });
    let table = match layer.kind {
        Kind::Measure => None,
        Kind::Classes(table) => Some(("classes", table)),
        Kind::Flags(table) => Some(("flags", table)),
        Kind::Steps(table) => Some(("steps", table)),
    };
    if let Some((key, table)) = table {
        let rows = table.iter().map(|c| json!({"value": c.value, "name": c.name, "colour": hex(&c.colour)}));
        entry[key] = rows.collect();
    }
    if plan.layers.has(layer.name) {
        let file = format!("layers/{}.npy", layer.name);
        let mut out = Sink::create(dir.join(&file))?;
        out.with(|w| npy::write(w, &cells))?;
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

pub(super) fn write_features(
    dir: &Path,
    catalogue: &Catalogue,
    geometry: Geometry,
    ctx: &Ctx,
) -> Result<Vec<Value>> {
    let sets = match geometry {
        Geometry::Lines => &catalogue.lines,
        Geometry::Points => &catalogue.points,
        Geometry::Polygons => &catalogue.polygons,
    };
    let write = |set: &FeatureSet| {
        ctx.checkpoint()?;
        let file = format!("{}.geojson", set.name);
        let mut out = Sink::create(dir.join(&file))?;
        out.with(|w| geojson::write(w, set, geometry, catalogue.length_unit))?;
        out.finish()?;
        Ok(json!({"name": set.name, "file": file, "about": set.about, "count": set.features.len()}))
    };
    sets.iter().map(write).collect()
}

/// What `manifest.json` says of a folder.
pub(super) fn manifest(
    catalogue: &Catalogue,
    files: Vec<Value>,
    layers: Vec<Value>,
    [lines, points, polygons]: [Vec<Value>; 3],
) -> Value {
    let frame = &catalogue.frame;
    let mut out = Map::new();
    out.insert("weald".into(), env!("CARGO_PKG_VERSION").into());
    out.insert("world".into(), catalogue.world.into());
    out.insert("seed".into(), catalogue.seed.into());
    out.insert(
        "frame".into(),
        json!({
            "width": frame.width, "height": frame.height, "cell_m": frame.cell_m,
            "origin": [frame.origin.0, frame.origin.1], "unit": catalogue.length_unit,
        }),
    );
    if let Some(place) = catalogue.georeference {
        out.insert("georeference".into(), place.to_json());
    }
    if let Some((low, high)) = catalogue.heights_m {
        out.insert("heights_m".into(), json!([low, high]));
    }
    out.insert("params".into(), catalogue.params.clone());
    out.insert("files".into(), files.into());
    out.insert("layers".into(), layers.into());
    out.insert("lines".into(), lines.into());
    out.insert("points".into(), points.into());
    if !polygons.is_empty() {
        out.insert("polygons".into(), polygons.into());
    }
    out.insert("stats".into(), Value::Object(catalogue.figures.clone()));
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
