//! Writes results in the formats of other programs.

use super::Output;
use crate::error::{Error, Result};
use crate::export::atomic::{AtomicOutput, Existing, Form as Shape};
use crate::export::attributes::{self, Axis};
use crate::export::target::{Delivered, ExportOptions, Form, Picture, Source, TARGETS, Target};
use crate::npy::{self, hex};
use crate::recipe::Comments;
use crate::sink::Sink;
use crate::world::{MapValues, WORLDS, WorldInfo};
use crate::zarr::layer_attributes;
use crate::{files, memory};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::Path;
use weald_core::{Cells, Ctx};

/// Coordinates and attributes of the layers of a map, as the target `zarr` writes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    /// The centres of the columns.
    pub x: Axis,
    /// The centres of the rows.
    pub y: Axis,
    /// Name and attributes of every layer.
    pub layers: Vec<(&'static str, Value)>,
    /// Attributes of the whole map.
    pub map: Value,
}

/// About how much memory a target takes for a cell of the map, besides the map itself.
const BYTES_PER_CELL: u64 = 24;

/// The targets with those names, each once. A target that the world does not have is an error that says which worlds have it.
pub fn targets(info: &'static WorldInfo, names: &[String], option: &str) -> Result<Vec<&'static Target>> {
    let mut out: Vec<&Target> = Vec::new();
    for name in names {
        let Some(target) = Target::find(name) else {
            let known: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
            let message = format!("{option} {name}: there is no such target; use {}", known.join(", "));
            return Err(Error::Invalid(message));
        };
        validate(target, info).map_err(|e| Error::Invalid(format!("{option} {e}")))?;
        if out.iter().all(|t| t.name != target.name) {
            out.push(target);
        }
    }
    Ok(out)
}

/// Fails if a world does not have what a target needs; says which worlds do.
pub fn validate(target: &Target, info: &WorldInfo) -> Result<()> {
    if target.fits(&info.exports) {
        return Ok(());
    }
    let worlds: Vec<&str> =
        WORLDS.iter().map(|w| w.info()).filter(|i| target.fits(&i.exports)).map(|i| i.name).collect();
    Err(Error::Invalid(format!(
        "{}: the world {} has no {}, which this target needs; it is for {}",
        target.name,
        info.name,
        target.needs.name(),
        worlds.join(", ")
    )))
}

impl Output {
    /// Writes targets into a new folder, which appears whole or not at all: one target directly into it, several into folders of their
    /// names.
    pub fn save_exports(
        &self,
        folder: &Path,
        existing: Existing,
        targets: &[&'static Target],
        options: &ExportOptions,
        ctx: &Ctx,
    ) -> Result<Vec<Delivered>> {
        let staged = AtomicOutput::new(folder, Shape::Folder, existing)?;
        let mut all = Vec::new();
        let mut entries: Vec<Value> = Vec::new();
        for target in targets {
            let below = if targets.len() == 1 { String::new() } else { format!("{}/", target.name) };
            let delivered = self.export_into(&staged.path().join(&below), target, options, ctx)?;
            entries.extend(delivered.files.iter().map(|f| entry(&below, f)));
            all.push(delivered);
        }
        let manifest = json!({"weald": env!("CARGO_PKG_VERSION"), "targets": names(targets), "origin": self.origin(), "files": entries});
        let path = staged.path().join("manifest.json");
        files::write(&path, format!("{manifest:#}\n")).map_err(|e| Error::io(&path, e))?;
        ctx.checkpoint()?;
        staged.commit()?;
        Ok(all)
    }

    /// Writes the file or store of a target alone, which appears whole or not at all; beside heights as whole numbers also the sidecar.
    pub fn save_alone(
        &self,
        path: &Path,
        existing: Existing,
        target: &'static Target,
        options: &ExportOptions,
        ctx: &Ctx,
    ) -> Result<Delivered> {
        let shape = if matches!(target.form, Form::Store(..)) { Shape::Folder } else { Shape::File };
        let staged = AtomicOutput::new(path, shape, existing)?;
        let write = |source: &Source, c: &Ctx| target.write_alone(source, staged.path(), c);
        let mut beside = None;
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let named = name(path);
        let mut delivered = ctx.stage("export", |c| {
            self.with_source(target, options, |source| {
                let mut delivered = write(source, c)?;
                delivered.sidecar.files = vec![named.clone()];
                beside = Some(delivered.sidecar.to_json(target.name, source, &delivered.numbers));
                Ok(delivered)
            })
        })?;
        delivered.files.insert(0, (named, target.about.to_owned()));
        let Some(file) = target.sidecar_beside(path) else {
            ctx.checkpoint()?;
            staged.commit()?;
            return Ok(delivered);
        };
        let json = beside.unwrap_or_default();
        let sidecar = AtomicOutput::new(&file, Shape::File, existing)?;
        files::write(sidecar.path(), format!("{json:#}\n")).map_err(|e| Error::io(&file, e))?;
        delivered.numbers.push(format!("{} beside it says what its values mean", file.display()));
        delivered.files.push((name(&file), "what its values mean".to_owned()));
        ctx.checkpoint()?;
        staged.commit()?;
        sidecar.commit()?;
        Ok(delivered)
    }

    /// Writes the heights of a world with ground as .npy: metres above the sea, or from 0 to 1 in a world whose heights run so. Returns which.
    pub fn write_heights(&self, out: &mut Sink, ctx: &Ctx) -> Result<&'static str> {
        let info = self.recipe.world.info();
        let none = || Error::Invalid(format!("the world {} has no heights above a plane", info.name));
        let ground = info.exports.ground.ok_or_else(none)?;
        if info.maps.iter().any(|map| matches!(map.values, MapValues::ScaledHeights)) {
            self.write_named(&format!("layers/{}.npy", ground.height), out, ctx)?;
            return Ok("heights from 0 to 1");
        }
        let options = ExportOptions::default();
        let heights = self.source(&options, &|_, _| Ok(Vec::new())).heights(ctx)?;
        out.with(|w| npy::write(w, &Cells::F32(&heights.height)))?;
        Ok("heights in metres above the sea")
    }

    /// What a program needs that keeps the layers as arrays with labels: their coordinates, and what they mean. Fails if there are no layers.
    pub fn labels(&self) -> Result<Labels> {
        let first = self.catalogue.layers.first();
        let missing = || Error::Invalid("there are no layers; make the world with --layers all".into());
        let shape = first.map(|layer| layer.cells().shape()).ok_or_else(missing)?;
        let options = ExportOptions::default();
        let source = self.source(&options, &|_, _| Ok(Vec::new()));
        let [x, y] = attributes::axes(&source, shape);
        let layers = self.catalogue.layers.iter().map(|l| (l.name, layer_attributes(l))).collect();
        Ok(Labels { x, y, layers, map: attributes::map(&source, shape) })
    }

    /// Writes the files of a target into `dir`, which is made if it is not there.
    pub(super) fn export_into(
        &self,
        dir: &Path,
        target: &'static Target,
        options: &ExportOptions,
        ctx: &Ctx,
    ) -> Result<Delivered> {
        if !files::is_dir(dir).is_ok_and(|folder| folder) {
            files::create_dir(dir).map_err(|e| Error::io(dir, e))?;
        }
        ctx.stage("export", |c| self.with_source(target, options, |source| target.write(source, dir, c)))
    }

    /// Calls `write` with what exports are made from.
    fn with_source<T>(
        &self,
        target: &Target,
        options: &ExportOptions,
        write: impl FnOnce(&Source) -> Result<T>,
    ) -> Result<T> {
        let info = self.recipe.world.info();
        validate(target, info)?;
        let (width, height) = (self.catalogue.frame.width as u64, self.catalogue.frame.height as u64);
        let what = format!("the target {}: {width}x{height} cells", target.name);
        memory::check(BYTES_PER_CELL * width * height, &what, "export a smaller map")?;
        let picture = |most: usize, ctx: &Ctx| self.texture(most, ctx);
        write(&self.source(options, &picture))
    }

    /// What exports are made from.
    fn source<'a>(&'a self, options: &'a ExportOptions, picture: &'a Picture<'a>) -> Source<'a> {
        let info = self.recipe.world.info();
        let (catalogue, exports, origin) = (&self.catalogue, &info.exports, self.origin());
        Source { catalogue, exports, options, stem: info.name, picture, origin }
    }

    /// The map without a frame as PNG, with at most `most` pixels along a side.
    #[cfg(feature = "render")]
    fn texture(&self, most: usize, ctx: &Ctx) -> Result<Vec<u8>> {
        let options = crate::style::DrawOptions { px: Some(most), ..Default::default() };
        let picture = self.draw_bare(&options, &ctx.quiet())?;
        let mut png = Vec::new();
        picture.write_png(&mut png).map_err(|e| Error::io("texture.png", e))?;
        Ok(png)
    }

    #[cfg(not(feature = "render"))]
    fn texture(&self, _: usize, _: &Ctx) -> Result<Vec<u8>> {
        Err(Error::Invalid("this build draws no pictures; build it with the feature `render`".into()))
    }

    /// Where the map comes from.
    fn origin(&self) -> Value {
        let recipe = super::folder::folder_recipe(&self.recipe).to_toml(Comments::Meaning);
        json!({
            "weald": env!("CARGO_PKG_VERSION"), "world": self.catalogue.world, "seed": self.catalogue.seed,
            "width": self.catalogue.frame.width, "height": self.catalogue.frame.height,
            "recipe_sha256": hex(&Sha256::digest(recipe)),
        })
    }
}

fn names(targets: &[&Target]) -> Vec<&'static str> {
    targets.iter().map(|t| t.name).collect()
}

/// A file of a target for the manifest.
pub(super) fn entry(below: &str, (file, about): &(String, String)) -> Value {
    json!({"file": format!("{below}{file}"), "about": about})
}
