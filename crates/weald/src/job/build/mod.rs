//! Maps larger than memory: a world in tiles, written into a Zarr store.
//!
//! A build goes through the passes of its world ([`crate::world::parts`]), tile by tile, and keeps what every tile has become in
//! the store. It can be stopped at any moment, even by a crash, and goes on where it was: a tile is done when its
//! summary is there, which is written last and whole or not at all. Several threads, processes or machines may
//! share the tiles of a pass, as long as they see the same folder.
//!
//! ```text
//! world.zarr/
//! ├─ zarr.json, LAYER/        the map, as ordinary arrays; recipe and notes are attributes of the group
//! ├─ overviews/1/, 2/, …      the same at half the cells along a side, a quarter, …
//! └─ .weald/                  what is needed to go on, and what stays when the build is finished:
//!    ├─ recipe.toml           makes the same map as a whole
//!    └─ figures.json          figures and notes
//! ```

mod keep;
mod run;

pub use run::Workers;

use super::{InParts, Job};
use crate::atomic;
use crate::catalogue::LayerSpec;
use crate::error::{Error, Result};
use crate::export::target::plane_place;
use crate::memory::{self, readable};
use crate::recipe::{Comments, Recipe};
use crate::world::parts::Parts;
use crate::zarr::{Dtype, Head, LayerHead, Place, Store};
use keep::Kept;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use weald_core::Ctx;

/// How the build file is written; another one is refused.
const VERSION: u64 = 1;

/// The folder of what is needed to go on.
const PRIVATE: &str = ".weald";
/// What is built, in [`PRIVATE`].
const BUILD: &str = "build.json";
/// Figures and notes of a finished build, in [`PRIVATE`].
const FIGURES: &str = "figures.json";

/// Side of a tile if none is asked for, and the least one that is tried when memory is scarce.
const TILE: usize = 4096;
const LEAST_TILE: usize = 256;

/// What to build, besides the recipe.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wish {
    /// Side of a tile in cells; by default the largest power of two up to 4096 that fits into memory.
    pub tile: Option<usize>,
    /// Bytes of memory that may be used; by default three quarters of what is free.
    pub memory: Option<u64>,
    /// Names of the layers to keep; by default all.
    pub layers: Option<Vec<String>>,
}

impl Wish {
    fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(|| memory::available().map_or(u64::MAX, |free| free / 4 * 3))
    }
}

/// A map that is being built.
pub struct Build {
    path: PathBuf,
    recipe: Recipe,
    parts: Box<dyn Parts>,
    notes: Vec<String>,
    kept: Kept,
}

impl Build {
    /// Begins a build at `path`, or goes on with one that is there if it is of the same recipe, tiles and layers. Fails if the tiles do not
    /// fit into memory or the layers onto the disk.
    pub fn start(job: &Job, path: &Path, wish: &Wish) -> Result<Self> {
        if path.join(PRIVATE).join(BUILD).is_file() {
            let build = Self::open(path)?;
            build.same(job, wish)?;
            return Ok(build);
        }
        let InParts { recipe, parts, notes } = sized(job, wish)?;
        let layers = chosen(parts.as_ref(), wish.layers.as_deref())?;
        fits_disk(path, parts.as_ref(), &layers)?;
        let build = json!({
            "version": VERSION, "weald": env!("CARGO_PKG_VERSION"), "world": recipe.world.info().name,
            "recipe": recipe.to_toml(Comments::Meaning), "tile": parts.tiles().side,
            "layers": layers.iter().map(|l| l.name).collect::<Vec<_>>(), "notes": notes,
        });
        // A group without arrays, so that readers of the store do not wonder about the folder.
        let group = json!({"zarr_format": 3, "node_type": "group"});
        let store = Store::create_with(path, &head(&recipe, parts.as_ref(), &layers, &notes), |folder| {
            let private = folder.join(PRIVATE);
            let write = |file: &Path, text: String| fs::write(file, text).map_err(|e| Error::io(file, e));
            fs::create_dir(&private).map_err(|e| Error::io(&private, e))?;
            write(&private.join("zarr.json"), format!("{group:#}\n"))?;
            write(&private.join(BUILD), format!("{build:#}\n"))?;
            write(&private.join("recipe.toml"), recipe.to_toml(Comments::Meaning))
        })?;
        let kept = Kept::new(path, store, parts.as_ref())?;
        Ok(Self { path: path.into(), recipe, parts, notes, kept })
    }

    /// Opens a build, finished or not.
    pub fn open(path: &Path) -> Result<Self> {
        let file = path.join(PRIVATE).join(BUILD);
        let text = super::read_text(&file)?;
        let damaged =
            || Error::Invalid(format!("{}: is damaged; remove the store and build it again", file.display()));
        let build: Value = serde_json::from_str(&text).map_err(|_| damaged())?;
        if build["version"].as_u64() != Some(VERSION) {
            let message =
                "was begun by another version of Weald; finish it with that one, or remove the store";
            return Err(Error::Invalid(format!("{}: {message}", file.display())));
        }
        let text = |key: &str| build[key].as_str().ok_or_else(damaged);
        let mut recipe = Recipe::new(super::find_world(text("world")?)?);
        recipe.merge_toml(text("recipe")?, &file)?;
        let job = Job::of(recipe);
        let tile = build["tile"].as_u64().filter(|&t| t > 0 && t <= 1 << 15).ok_or_else(damaged)?;
        let InParts { recipe, parts, .. } = job.in_parts(tile as usize)?;
        let notes = build["notes"].as_array().ok_or_else(damaged)?;
        let notes = notes.iter().filter_map(|n| n.as_str().map(str::to_owned)).collect();
        let kept = Kept::new(path, Store::open(path)?, parts.as_ref())?;
        Ok(Self { path: path.into(), recipe, parts, notes, kept })
    }

    /// Whether there is a build at `path`, finished or not.
    pub fn is_at(path: &Path) -> bool {
        path.join(PRIVATE).join(BUILD).is_file()
    }

    /// Fails unless a job would build the same.
    fn same(&self, job: &Job, wish: &Wish) -> Result<()> {
        let tile = self.parts.tiles().side;
        let other = |what: &str| {
            let message = "go on with the same options, choose another name, or replace it with --force";
            Err(Error::Invalid(format!("{}: is a build of another {what}; {message}", self.path.display())))
        };
        if wish.tile.is_some_and(|t| t != tile) {
            return other(&format!("tile, {tile}"));
        }
        let InParts { recipe, parts, .. } = job.in_parts(tile)?;
        if recipe.to_toml(Comments::Meaning) != self.recipe.to_toml(Comments::Meaning) {
            return other("recipe (.weald/recipe.toml in it)");
        }
        let layers = chosen(parts.as_ref(), wish.layers.as_deref())?;
        if wish.layers.is_some() && !layers.iter().map(|l| l.name).eq(self.kept.layers()) {
            return other("choice of layers");
        }
        Ok(())
    }

    /// The recipe of the same map as a whole.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// What is different from the recipe that was given, one line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The world, cut into tiles.
    pub fn parts(&self) -> &dyn Parts {
        self.parts.as_ref()
    }

    /// The map.
    pub fn store(&self) -> &Store {
        self.kept.store()
    }

    /// Whether everything is done.
    pub fn is_finished(&self) -> bool {
        self.path.join(PRIVATE).join(FIGURES).is_file()
    }

    /// The tiles of a pass that are still to be done.
    pub fn open_tiles(&self, pass: usize) -> Result<Vec<usize>> {
        let mut open = Vec::new();
        for k in 0..self.parts.tiles().count() {
            if !self.kept.is_done(pass, k) {
                open.push(k);
            }
        }
        Ok(open)
    }

    /// Bytes of memory that one tile takes while it is made, at most.
    pub fn bytes_per_tile(&self) -> u64 {
        bytes_per_tile(self.parts.as_ref())
    }

    /// Whether the tiles of a pass are done and merged.
    pub fn is_merged(&self, pass: usize) -> Result<bool> {
        Ok(self.kept.figures(pass)?.is_some())
    }

    /// The tiles of an overview that are still to be made, row by row. Those of the level below must be there.
    pub fn open_overviews(&self, level: usize) -> Result<Vec<usize>> {
        let (across, down) = self.store().tiles(level)?;
        let mut open = Vec::new();
        for k in 0..across * down {
            let mut done = true;
            for layer in self.kept.layers() {
                done = done && self.store().has(level, layer, (k % across, k / across))?;
            }
            if !done {
                open.push(k);
            }
        }
        Ok(open)
    }

    /// Makes tile `k` of an overview.
    pub fn overview(&self, level: usize, k: usize, ctx: &Ctx) -> Result<()> {
        let across = self.store().tiles(level)?.0;
        self.store().overview(level, (k % across, k / across), ctx)
    }

    /// Writes what is known at the end, and removes what was needed to go on. All passes must be merged, and all overviews made.
    pub fn finish(&self) -> Result<()> {
        let mut known = Map::new();
        for pass in 0..self.parts.passes().len() {
            let missing = || Error::Internal(format!("pass {pass} is not merged"));
            known.extend(self.kept.figures(pass)?.ok_or_else(missing)?);
        }
        let tiles = self.parts.tiles();
        let layers: Vec<&str> = self.kept.layers().collect();
        let figures = json!({
            "weald": env!("CARGO_PKG_VERSION"), "world": self.recipe.world.info().name, "seed": self.recipe.seed,
            "size": [tiles.width, tiles.height], "tile": tiles.side, "layers": layers, "figures": known, "notes": self.notes,
        });
        atomic::write(&self.path.join(PRIVATE).join(FIGURES), format!("{figures:#}\n").as_bytes())?;
        self.kept.clear()
    }
}

/// Memory for a tile: its cells, and those around it, which are few.
fn bytes_per_tile(parts: &dyn Parts) -> u64 {
    let tiles = parts.tiles();
    let side = (tiles.side.min(tiles.width.max(tiles.height)) as u64).saturating_add(64);
    side.saturating_mul(side).saturating_mul(parts.bytes_per_cell())
}

/// The job in tiles that fit into memory.
fn sized(job: &Job, wish: &Wish) -> Result<InParts> {
    let memory = wish.memory();
    let asked = wish.tile.unwrap_or(TILE);
    let mut side = asked;
    loop {
        let in_parts = job.in_parts(side)?;
        let needed = bytes_per_tile(in_parts.parts.as_ref());
        if needed <= memory {
            return Ok(in_parts);
        }
        if wish.tile.is_some() || side <= LEAST_TILE {
            let remedy = if side > LEAST_TILE {
                "use smaller tiles, or give it more with --memory"
            } else {
                "give it more with --memory"
            };
            return Err(Error::Invalid(format!(
                "a tile of {side}x{side} cells needs {} of memory but only {} may be used; {remedy}",
                readable(needed),
                readable(memory)
            )));
        }
        side /= 2;
    }
}

/// The layers to keep.
fn chosen(parts: &dyn Parts, names: Option<&[String]>) -> Result<Vec<LayerSpec>> {
    let mut layers = parts.layers();
    let Some(names) = names else { return Ok(layers) };
    for name in names {
        if !layers.iter().any(|l| l.name == name) {
            let all: Vec<&str> = layers.iter().map(|l| l.name).collect();
            return Err(Error::Invalid(format!(
                "there is no layer {name} in tiles; the layers are {}",
                all.join(", ")
            )));
        }
    }
    layers.retain(|l| names.iter().any(|n| n == l.name));
    if layers.is_empty() {
        return Err(Error::Invalid("there is nothing to build; choose at least one layer".into()));
    }
    Ok(layers)
}

/// Bytes of the layers and their overviews, before compression, and of what passes hand on.
fn bytes_on_disk(parts: &dyn Parts, layers: &[LayerSpec]) -> u64 {
    let tiles = parts.tiles();
    let cells = (tiles.width as u64).saturating_mul(tiles.height as u64);
    let bytes = |spec: &LayerSpec| Dtype::of(spec.dtype).map_or(8, |d| d.bytes() as u64);
    let kept: u64 = layers.iter().map(bytes).sum();
    let handed: u64 = keep::handed_on(parts, layers).iter().map(bytes).sum();
    // Every overview has a quarter of the cells of the one before.
    cells.saturating_mul(4 * kept + 3 * handed) / 3
}

/// Fails if the build needs more than is free on the disk.
fn fits_disk(path: &Path, parts: &dyn Parts, layers: &[LayerSpec]) -> Result<()> {
    let (tiles, needed) = (parts.tiles(), bytes_on_disk(parts, layers));
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match free_on_disk(parent) {
        Some(free) if needed > free => Err(Error::Invalid(format!(
            "{}: {}x{} cells of {} layers need up to {} on the disk but only {} are free; keep fewer with --layers, or use another disk",
            path.display(),
            tiles.width,
            tiles.height,
            layers.len(),
            readable(needed),
            readable(free)
        ))),
        _ => Ok(()),
    }
}

/// Bytes that are free on the disk of a folder, if the system can tell.
fn free_on_disk(folder: &Path) -> Option<u64> {
    #[cfg(target_os = "linux")]
    return rustix::fs::statvfs(folder).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    #[cfg(not(target_os = "linux"))]
    {
        let _ = folder;
        None
    }
}

/// What the store says of itself.
fn head(recipe: &Recipe, parts: &dyn Parts, layers: &[LayerSpec], notes: &[String]) -> Head {
    let (tiles, info) = (parts.tiles(), recipe.world.info());
    let mut attributes = Map::new();
    attributes.insert("seed".into(), recipe.seed.into());
    attributes.insert("recipe".into(), recipe.to_toml(Comments::Meaning).into());
    attributes.insert("notes".into(), notes.into());
    let place = match info.exports.ground {
        Some(_) => Place::from(plane_place(&parts.frame(), &info.exports)),
        None => Place::cells(),
    };
    Head {
        title: format!("{} {}", info.name, recipe.seed),
        shape: tiles.shape(),
        tile: tiles.side,
        layers: layers.iter().map(LayerHead::from).collect(),
        attributes,
        place,
    }
}

/// What a build would do, in numbers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Side of a tile in cells.
    pub tile: usize,
    /// Number of tiles.
    pub tiles: usize,
    /// Names of the passes, the overviews not counted.
    pub passes: Vec<&'static str>,
    /// Names of the layers that are kept.
    pub layers: Vec<&'static str>,
    /// Bytes of memory for one tile, at most.
    pub bytes_per_tile: u64,
    /// Bytes on the disk while it is built, before compression.
    pub bytes_on_disk: u64,
    /// What is different from the recipe, one line each.
    pub notes: Vec<String>,
}

impl Build {
    /// What there would be to do, in numbers.
    pub fn estimate(job: &Job, wish: &Wish) -> Result<Estimate> {
        let InParts { parts, notes, .. } = sized(job, wish)?;
        let layers = chosen(parts.as_ref(), wish.layers.as_deref())?;
        Ok(Estimate {
            tile: parts.tiles().side,
            tiles: parts.tiles().count(),
            passes: parts.passes().iter().map(|p| p.name).collect(),
            bytes_per_tile: bytes_per_tile(parts.as_ref()),
            bytes_on_disk: bytes_on_disk(parts.as_ref(), &layers),
            layers: layers.iter().map(|l| l.name).collect(),
            notes,
        })
    }

    /// Makes tile `k` of a pass. The passes before must be merged.
    pub fn tile(&self, pass: usize, k: usize, ctx: &Ctx) -> Result<()> {
        crate::world::parts::make_tile(self.parts(), &self.kept, pass, k, ctx)
    }

    /// Merges a pass whose tiles are all done.
    pub fn merge(&self, pass: usize, ctx: &Ctx) -> Result<()> {
        crate::world::parts::merge_pass(self.parts(), &self.kept, pass, ctx)
    }
}
