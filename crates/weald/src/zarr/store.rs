//! Stores: made once, written tile by tile, read in windows.

use super::cell::{Cell, Dtype, typed};
use super::metadata::{LayerHead, Place, Reduction, multiscales};
use super::plan::Plan;
use super::{Codec, folder, write_axis, write_group, write_json};
use crate::atomic::{AtomicOutput, Existing, Form};
use crate::error::{Error, Result, not_json};
use crate::files;
use crate::georeference::CrsUnit;
use crate::memory;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use weald_core::tiled::Window;
use weald_core::{AnyGrid, Cells, Ctx, Grid};

/// The longest side of a map, and of a tile.
const LONGEST: usize = 1 << 30;
const LONGEST_TILE: usize = 1 << 15;
/// Sides of the chunks of tiles.
const CHUNKS: std::ops::RangeInclusive<usize> = 32..=256;
/// Centres in a chunk of an axis.
const AXIS: usize = 1 << 16;
/// Bytes of a window for which free memory is looked up.
const LARGE: u64 = 1 << 28;
/// Names that no layer can have, because groups have arrays and folders of these names.
const TAKEN: [&str; 4] = ["x", "y", "c", "overviews"];
/// The attributes of a store that it writes itself.
const OWN: [&str; 6] = ["title", "Conventions", "weald", "axes", "multiscales", "zarr_conventions"];

/// What a store is.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// One line for people.
    pub title: String,
    /// Columns and rows of the map.
    pub shape: (usize, usize),
    /// Side of a tile in cells. A tile of at most 256 is one chunk; the chunks of a larger one have the largest side from 32 to 256 that divides
    /// it. For stores that no [`Store::create`] made, the longer side of the files of the first layer.
    pub tile: usize,
    /// Its layers.
    pub layers: Vec<LayerHead>,
    /// More attributes of the group, such as the seed and the recipe.
    pub attributes: Map<String, Value>,
    /// Where the map lies.
    pub place: Place,
}

impl Head {
    /// Side of the chunks of a tile. Fails for tiles that have no good chunks and names the nearest sides that have.
    pub fn chunk(&self) -> Result<usize> {
        let good = |tile: usize| match tile {
            0 => None,
            _ if tile <= *CHUNKS.end() => Some(tile),
            _ if tile <= LONGEST_TILE => CHUNKS.rev().find(|&side| tile.is_multiple_of(side)),
            _ => None,
        };
        good(self.tile).ok_or_else(|| {
            let below = (1..self.tile.min(LONGEST_TILE + 1)).rev().find(|&tile| good(tile).is_some());
            let above = (self.tile + 1..=LONGEST_TILE).find(|&tile| good(tile).is_some());
            let near: Vec<String> = [below, above].iter().flatten().map(usize::to_string).collect();
            let (least, most) = (CHUNKS.start(), CHUNKS.end());
            Error::Invalid(format!(
                "tiles of {} cells a side have no chunks: a side must be at most {most}, or have a divisor from {least} to {most} and be \
                 at most {LONGEST_TILE}; take {}",
                self.tile,
                near.join(" or ")
            ))
        })
    }

    /// Columns and rows of a level.
    fn shape_of(&self, level: usize) -> (usize, usize) {
        let side = |n: usize| n.div_ceil(1 << level);
        (side(self.shape.0), side(self.shape.1))
    }

    /// The number of levels.
    fn levels(&self) -> usize {
        let fits = |level: &usize| {
            let (width, height) = self.shape_of(*level);
            width.max(height) <= self.tile
        };
        (0..).find(fits).unwrap_or_default() + 1
    }

    /// How the arrays of a level are cut.
    fn plan(&self, level: usize, layer: &LayerHead) -> Result<Plan> {
        let ((width, height), chunk) = (self.shape_of(level), self.chunk()?);
        Ok(Plan {
            shape: [height, width],
            file: [self.tile; 2],
            chunk: Some([chunk; 2]),
            codec: Codec::blosc(layer.dtype),
            fill: 0.0,
        })
    }

    /// The groups of plans of all levels.
    fn plans(&self) -> Result<Vec<Vec<Plan>>> {
        (0..self.levels()).map(|level| self.layers.iter().map(|l| self.plan(level, l)).collect()).collect()
    }

    /// Fails for what no store can be.
    fn validate(&self) -> Result<()> {
        let invalid = |what: String| Err(Error::Invalid(what));
        self.chunk()?;
        let (width, height) = self.shape;
        if !(1..=LONGEST).contains(&width) || !(1..=LONGEST).contains(&height) {
            return invalid(format!("a store of {width}x{height} cells: sides must be from 1 to {LONGEST}"));
        }
        let Place { west, north, step, .. } = &self.place;
        if ![*west, *north, step.0, step.1].iter().all(|v| v.is_finite()) || step.0 <= 0.0 || step.1 <= 0.0 {
            return invalid(format!(
                "a map with its corner at {west}, {north} and steps of {step:?} lies nowhere"
            ));
        }
        if self.layers.is_empty() {
            return invalid("a store needs a layer".into());
        }
        for (k, LayerHead { name, dtype, reduction, .. }) in self.layers.iter().enumerate() {
            let sign = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
            if name.is_empty()
                || name.starts_with("__")
                || !name.chars().all(sign)
                || TAKEN.contains(&name.as_str())
            {
                return invalid(format!(
                    "a layer of a store cannot be called {name:?}; use letters, digits, _ and -"
                ));
            }
            if self.layers[..k].iter().any(|other| other.name == *name) {
                return invalid(format!("two layers are called {name:?}"));
            }
            if *reduction == Reduction::Union && dtype.is_float() {
                return invalid(format!("layer {name}: cells of {} have no bits to unite", dtype.name()));
            }
        }
        let own = |key: &&String| {
            OWN.contains(&key.as_str()) || key.starts_with("spatial:") || key.starts_with("proj:")
        };
        match self.attributes.keys().find(own) {
            Some(key) => invalid(format!("the store writes the attribute {key:?} itself; take another name")),
            None => Ok(()),
        }
    }

    /// The attributes of the group of a level.
    fn group(&self, level: usize) -> Value {
        let mut out = Map::new();
        let title = if level == 0 { self.title.clone() } else { format!("{}, level {level}", self.title) };
        out.insert("title".into(), title.into());
        out.insert("Conventions".into(), "CF-1.11".into());
        let place = self.place.coarser((1u64 << level) as f64);
        if level == 0 {
            let arrays: Vec<&str> = self.layers.iter().map(|l| l.name.as_str()).chain(["x", "y"]).collect();
            out.insert("weald".into(), json!({"store": Mark::of(self), "arrays": arrays}));
            out.extend(self.attributes.clone());
        }
        let unit = self.place.unit.map_or("cells", CrsUnit::plural);
        let axes = format!("x grows eastwards, y northwards and falls from row to row, in {unit}");
        out.insert("axes".into(), axes.into());
        out.extend(place.attributes(self.shape_of(level)));
        if level == 0 {
            let (layout, convention) = multiscales(self.levels());
            out.insert("multiscales".into(), layout);
            if let Some(Value::Array(conventions)) = out.get_mut("zarr_conventions") {
                conventions.push(convention);
            }
        }
        out.into()
    }
}

/// What the attribute `weald` of a store says of it.
#[derive(Serialize, Deserialize)]
struct Mark {
    version: u32,
    shape: (usize, usize),
    tile: usize,
    west: f64,
    north: f64,
    step: (f64, f64),
    unit: Option<String>,
    epsg: Option<u32>,
}

/// The version of stores that this program makes.
const VERSION: u32 = 1;

impl Mark {
    fn of(head: &Head) -> Self {
        let Place { west, north, step, unit, epsg } = head.place;
        let unit = unit.map(|unit| unit.name().to_owned());
        Self { version: VERSION, shape: head.shape, tile: head.tile, west, north, step, unit, epsg }
    }

    fn place(&self) -> std::result::Result<Place, String> {
        let unit =
            self.unit.as_deref().map(|name| CrsUnit::of(name).ok_or(format!("there is no unit {name:?}")));
        Ok(Place {
            west: self.west,
            north: self.north,
            step: self.step,
            unit: unit.transpose()?,
            epsg: self.epsg,
        })
    }
}

/// A store on a disk. It may be shared between threads, and opened by several processes.
#[derive(Clone, Debug)]
pub struct Store {
    path: PathBuf,
    head: Head,
    /// For each level, how the array of each layer is cut.
    plans: Vec<Vec<Plan>>,
    /// Whether [`Store::create`] made it, so that it can be written.
    ours: bool,
}

impl Store {
    /// Makes a store without tiles. Its folder appears when all metadata is in it. Fails if something is there already, and for a head that
    /// no store can have.
    pub fn create(path: &Path, head: &Head) -> Result<Store> {
        Self::create_with(path, head, |_| Ok(()))
    }

    /// [`Store::create`] with more files, which `more` writes into the folder before it appears under its name.
    pub fn create_with(path: &Path, head: &Head, more: impl FnOnce(&Path) -> Result<()>) -> Result<Store> {
        head.validate()?;
        if files::is_file(&path.join("zarr.json")) {
            let there = "is a Zarr store already; open it to go on, or choose another name";
            return Err(Error::io(path, std::io::Error::new(ErrorKind::AlreadyExists, there)));
        }
        let output = AtomicOutput::new(path, Form::Folder, Existing::Keep)?;
        let plans = head.plans()?;
        let at = output.path();
        if plans.len() > 1 {
            folder(&at.join("overviews"))?;
            let about = json!({"title": format!("{}, overviews", head.title)});
            write_group(&at.join("overviews"), about)?;
        }
        for (level, plans) in plans.iter().enumerate() {
            let group = group(at, level);
            folder(&group)?;
            for (layer, plan) in head.layers.iter().zip(plans) {
                let array = group.join(&layer.name);
                folder(&array)?;
                let mut attributes = layer.attributes();
                attributes["weald"] = json!(layer);
                write_json(&array, &plan.json(attributes))?;
            }
            let (width, height) = head.shape_of(level);
            let place = head.place.coarser((1u64 << level) as f64);
            for (name, count) in [("x", width), ("y", height)] {
                write_axis(&group, name, &place, (count, count.min(AXIS)), Codec::blosc(Dtype::Float64))?;
            }
            write_group(&group, head.group(level))?;
        }
        more(at)?;
        output.commit()?;
        Ok(Store { path: path.to_path_buf(), head: head.clone(), plans, ours: true })
    }

    /// Opens a store: one of [`Store::create`], one that was exported, or any group of Zarr version 3 whose arrays of two dimensions have the same
    /// shape, a type of [`Dtype`], and no other codecs than `sharding_indexed`, `bytes`, `gzip`, `blosc` with LZ4, and `crc32c`. Only the first can
    /// be written and have overviews.
    pub fn open(path: &Path) -> Result<Store> {
        let file = path.join("zarr.json");
        if !files::is_file(&file) {
            let missing = "there is no Zarr store of version 3 here; create it first, or look at the path";
            return Err(Error::io(path, std::io::Error::new(ErrorKind::NotFound, missing)));
        }
        let json = read_json(&file)?;
        if json["zarr_format"] != 3 || json["node_type"] != "group" {
            return Err(refused(&file, "is not a group of Zarr version 3"));
        }
        let attributes = &json["attributes"];
        match attributes["weald"].get("store") {
            Some(mark) => Self::open_ours(path, attributes, mark),
            None => Self::open_other(path, attributes),
        }
    }

    /// Opens a store of [`Store::create`], whose metadata must be as it was written.
    fn open_ours(path: &Path, attributes: &Value, mark: &Value) -> Result<Store> {
        let file = path.join("zarr.json");
        let broken = |what: &str| refused(&file, what);
        let mark: Mark =
            serde_json::from_value(mark.clone()).map_err(|e| broken(&format!("weald.store: {e}")))?;
        if mark.version != VERSION {
            let newer = format!(
                "is a store of version {} and this program reads {VERSION}; update Weald",
                mark.version
            );
            return Err(broken(&newer));
        }
        let own = |key: &str| OWN.contains(&key) || key.starts_with("spatial:") || key.starts_with("proj:");
        let mut layers = Vec::new();
        for name in names(attributes).unwrap_or_default() {
            let file = path.join(name).join("zarr.json");
            let layer = read_json(&file)?["attributes"]["weald"].clone();
            let layer: LayerHead =
                serde_json::from_value(layer).map_err(|e| refused(&file, &format!("weald: {e}")))?;
            if layer.name != name {
                return Err(refused(&file, &format!("tells of layer {:?}", layer.name)));
            }
            layers.push(layer);
        }
        let more = attributes.as_object().into_iter().flatten().filter(|(key, _)| !own(key));
        let head = Head {
            title: attributes["title"].as_str().unwrap_or_default().to_owned(),
            shape: mark.shape,
            tile: mark.tile,
            layers,
            attributes: more.map(|(key, value)| (key.clone(), value.clone())).collect(),
            place: mark.place().map_err(|what| broken(&what))?,
        };
        head.validate().map_err(|e| broken(&e.to_string()))?;
        let plans = head.plans()?;
        for (level, plans) in plans.iter().enumerate() {
            for (layer, plan) in head.layers.iter().zip(plans) {
                let file = group(path, level).join(&layer.name).join("zarr.json");
                let found = Plan::parse(&read_json(&file)?).map_err(|what| refused(&file, &what))?;
                if found != *plan {
                    return Err(refused(&file, "does not fit the size, tiles and types that the store has"));
                }
            }
        }
        Ok(Store { path: path.to_path_buf(), head, plans, ours: true })
    }

    /// Opens a store that others have made.
    fn open_other(path: &Path, attributes: &Value) -> Result<Store> {
        let listed = match names(attributes) {
            Some(names) => names.into_iter().map(str::to_owned).collect(),
            None => arrays(path)?,
        };
        let (mut layers, mut plans) = (Vec::new(), Vec::<Plan>::new());
        for name in listed {
            let file = path.join(&name).join("zarr.json");
            let json = read_json(&file)?;
            if json["node_type"] != "array" || json["shape"].as_array().is_none_or(|shape| shape.len() != 2) {
                continue;
            }
            let plan = Plan::parse(&json).map_err(|what| refused(&file, &what))?;
            if plans.first().is_some_and(|first| first.shape != plan.shape) {
                let what =
                    format!("has the shape {:?}, and the arrays before it {:?}", plan.shape, plans[0].shape);
                return Err(refused(&file, &what));
            }
            layers.push(LayerHead::of_attributes(&name, plan.codec.dtype, &json["attributes"]));
            plans.push(plan);
        }
        let Some(first) = plans.first() else {
            return Err(refused(&path.join("zarr.json"), "is a group without arrays of two dimensions"));
        };
        let axis = path.join("x").join("zarr.json");
        let axis = if files::is_file(&axis) { read_json(&axis)? } else { Value::Null };
        let head = Head {
            title: attributes["title"].as_str().unwrap_or_default().to_owned(),
            shape: (first.shape[1], first.shape[0]),
            tile: first.file[0].max(first.file[1]),
            layers,
            attributes: attributes.as_object().cloned().unwrap_or_default(),
            place: Place::of_attributes(attributes, &axis["attributes"]),
        };
        Ok(Store { path: path.to_path_buf(), head, plans: vec![plans], ours: false })
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The number of levels: 1 for the map alone. The last one fits into one tile.
    pub fn levels(&self) -> usize {
        self.plans.len()
    }

    /// Columns and rows of a level.
    pub fn shape(&self, level: usize) -> Result<(usize, usize)> {
        let plan = &self.level(level)?[0];
        Ok((plan.shape[1], plan.shape[0]))
    }

    /// The number of tiles of a level, across and down.
    pub fn tiles(&self, level: usize) -> Result<(usize, usize)> {
        Ok(self.level(level)?[0].files())
    }

    /// The cells of a level that a tile has; fewer than its sides at the edges of the map.
    pub fn tile_window(&self, level: usize, tile: (usize, usize)) -> Result<Window> {
        window(&self.level(level)?[0], tile).ok_or_else(|| {
            let (across, down) = self.level(level).map_or((0, 0), |plans| plans[0].files());
            let (x, y) = tile;
            Error::Invalid(format!(
                "there is no tile ({x}, {y}): level {level} has {across} across and {down} down"
            ))
        })
    }

    /// A layer by its name.
    pub fn layer(&self, name: &str) -> Result<&LayerHead> {
        self.head.layers.iter().find(|layer| layer.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.head.layers.iter().map(|layer| layer.name.as_str()).collect();
            Error::Invalid(format!(
                "{}: there is no layer {name:?} among {}",
                self.path.display(),
                known.join(", ")
            ))
        })
    }

    /// Whether a tile is there. It is there as soon as it is whole.
    pub fn has(&self, level: usize, layer: &str, tile: (usize, usize)) -> Result<bool> {
        self.tile_window(level, tile)?;
        Ok(files::is_file(&self.file(level, layer, tile)?))
    }

    /// Writes or replaces a tile. It has the shape of [`Store::tile_window`]. Others see the tile that was there before, or none, until the new
    /// one is whole.
    pub fn write(
        &self,
        level: usize,
        layer: &str,
        tile: (usize, usize),
        cells: &Cells,
        ctx: &Ctx,
    ) -> Result<()> {
        let (window, dtype) = (self.tile_window(level, tile)?, self.layer(layer)?.dtype);
        if !self.ours {
            let what = "was not made by Store::create, and is only read; create a store and copy its tiles";
            return Err(Error::Invalid(format!("{}: {what}", self.path.display())));
        }
        let (shape, (tx, ty)) = (cells.shape(), tile);
        if shape != (window.width, window.height) {
            return Err(Error::Shape(format!(
                "tile ({tx}, {ty}) of level {level} has {}x{} cells and not {}x{}",
                window.width, window.height, shape.0, shape.1
            )));
        }
        if cells.dtype() != dtype.name() {
            let (is, given) = (dtype.name(), cells.dtype());
            return Err(Error::Invalid(format!("layer {layer} has cells of {is} and not of {given}")));
        }
        let file = self.file(level, layer, tile)?;
        if let Some(row) = file.parent() {
            fs::create_dir_all(row).map_err(|e| Error::io(row, e))?;
        }
        let output = AtomicOutput::new(&file, Form::File, Existing::Replace)?;
        let mut out = fs::File::create(output.path()).map_err(|e| Error::io(&file, e))?;
        self.plan(level, layer)?.pack(cells, (0, 0), (&file, &mut out), ctx)?;
        output.commit()
    }

    /// The cells of a window of a level. Only the chunks that it touches are read. Fails if a tile of it is not there. Directions are
    /// read as bytes.
    pub fn read(&self, level: usize, layer: &str, window: Window, ctx: &Ctx) -> Result<AnyGrid> {
        let dtype = self.layer(layer)?.dtype;
        self.room(window, dtype)?;
        Ok(typed!(dtype, T => {
            let mut out = Grid::filled(window.width, window.height, T::default());
            self.read_into(level, layer, window, &mut out, ctx)?;
            out.into()
        }))
    }

    /// The cells of a window as far as they are there, and the tiles that are not, whose cells have the fill value of the array: 0, unless
    /// others made the store.
    pub fn read_there(
        &self,
        level: usize,
        layer: &str,
        window: Window,
        ctx: &Ctx,
    ) -> Result<(AnyGrid, Vec<(usize, usize)>)> {
        let (dtype, fill) = (self.layer(layer)?.dtype, self.plan(level, layer)?.fill);
        self.room(window, dtype)?;
        let mut missing = Vec::new();
        let grid: AnyGrid = typed!(dtype, T => {
            let mut out = Grid::filled(window.width, window.height, T::of(fill));
            self.visit(level, layer, window, &mut out, ctx, |tile, _| {
                missing.push(tile);
                Ok(())
            })?;
            out.into()
        });
        Ok((grid, missing))
    }

    /// Copies the cells of a window to `out`, which has its shape and the type of the layer.
    pub(super) fn read_into<T: Cell>(
        &self,
        level: usize,
        layer: &str,
        window: Window,
        out: &mut Grid<T>,
        ctx: &Ctx,
    ) -> Result<()> {
        self.visit(level, layer, window, out, ctx, |(x, y), file| {
            let what =
                format!("tile ({x}, {y}) of layer {layer} at level {level} is not there yet; write it first");
            Err(Error::io(file, std::io::Error::new(ErrorKind::NotFound, what)))
        })
    }

    /// Reads the files of a window one after the other; tells of those that are not there.
    fn visit<T: Cell>(
        &self,
        level: usize,
        layer: &str,
        all: Window,
        out: &mut Grid<T>,
        ctx: &Ctx,
        mut missing: impl FnMut((usize, usize), &Path) -> Result<()>,
    ) -> Result<()> {
        let plan = self.plan(level, layer)?;
        let (columns, rows) = self.shape(level)?;
        let inside =
            |from: usize, length: usize, end: usize| from.checked_add(length).is_some_and(|last| last <= end);
        if !inside(all.x, all.width, columns) || !inside(all.y, all.height, rows) {
            let Window { x, y, width, height } = all;
            return Err(Error::Shape(format!(
                "a window of {width}x{height} cells at ({x}, {y}) is not inside level {level} of {columns}x{rows}"
            )));
        }
        if all.width == 0 || all.height == 0 {
            return Ok(());
        }
        let [high, wide] = plan.file;
        let tiles = |from: usize, length: usize, side: usize| from / side..(from + length).div_ceil(side);
        for ty in tiles(all.y, all.height, high) {
            for tx in tiles(all.x, all.width, wide) {
                ctx.checkpoint()?;
                let tile = window(plan, (tx, ty));
                let Some(part) = tile.and_then(|tile| tile.common(&all)) else { continue };
                let inner = Window { x: part.x - tx * wide, y: part.y - ty * high, ..part };
                let file = self.file(level, layer, (tx, ty))?;
                let to = (part.x - all.x, part.y - all.y);
                if !plan.unpack(&file, inner, (&mut *out, to), &ctx.quiet())? {
                    missing((tx, ty), &file)?;
                }
            }
        }
        Ok(())
    }

    fn level(&self, level: usize) -> Result<&[Plan]> {
        let missing =
            || Error::Invalid(format!("there is no level {level}; the last one is {}", self.levels() - 1));
        self.plans.get(level).map(Vec::as_slice).ok_or_else(missing)
    }

    fn plan(&self, level: usize, layer: &str) -> Result<&Plan> {
        let name = &self.layer(layer)?.name;
        let mut both = self.head.layers.iter().zip(self.level(level)?);
        both.find(|(layer, _)| layer.name == *name)
            .map(|(_, plan)| plan)
            .ok_or_else(|| Error::Internal(format!("layer {name} has no plan at level {level}")))
    }

    /// The file of a tile.
    fn file(&self, level: usize, layer: &str, tile: (usize, usize)) -> Result<PathBuf> {
        self.layer(layer)?;
        Ok(Plan::path(&group(&self.path, level).join(layer), tile))
    }

    /// Fails if a window does not fit into memory.
    fn room(&self, window: Window, dtype: Dtype) -> Result<()> {
        let Window { width, height, .. } = window;
        let bytes = (width as u64).saturating_mul(height as u64).saturating_mul(dtype.bytes() as u64);
        if bytes < LARGE {
            return Ok(());
        }
        let (what, remedy) =
            (format!("a window of {width}x{height} cells"), "read smaller windows, or an overview");
        memory::check(bytes, &what, remedy)?;
        // Where nobody can tell how much is free, the allocator says what it would never give.
        let all = usize::try_from(bytes).ok().filter(|&all| Vec::<u8>::new().try_reserve_exact(all).is_ok());
        all.map(drop)
            .ok_or_else(|| Error::Invalid(format!("{what}: needs {bytes} bytes of memory; {remedy}")))
    }
}

/// The folder of a level.
fn group(store: &Path, level: usize) -> PathBuf {
    if level == 0 { store.to_path_buf() } else { store.join("overviews").join(level.to_string()) }
}

/// The cells of a file.
fn window(plan: &Plan, (x, y): (usize, usize)) -> Option<Window> {
    let run = |k: usize, side: usize, end: usize| {
        let first = k.checked_mul(side).filter(|&first| first < end)?;
        Some((first, side.min(end - first)))
    };
    let (x, width) = run(x, plan.file[1], plan.shape[1])?;
    let (y, height) = run(y, plan.file[0], plan.shape[0])?;
    Some(Window { x, y, width, height })
}

/// The error of metadata that is not read.
fn refused(file: &Path, what: &str) -> Error {
    Error::Invalid(format!("{}: {what}", file.display()))
}

fn read_json(file: &Path) -> Result<Value> {
    let text = files::read_to_string(file).map_err(|e| Error::io(file, e))?;
    serde_json::from_str(&text).map_err(|e| refused(file, &not_json(&e)))
}

/// The layers that a store of ours lists. Names that are paths are left out.
fn names(attributes: &Value) -> Option<Vec<&str>> {
    let listed = attributes["weald"]["arrays"].as_array()?.iter().filter_map(Value::as_str);
    Some(listed.filter(|name| !["x", "y"].contains(name) && !name.contains(['/', '\\', '.'])).collect())
}

/// The folders with metadata in a group, by name.
fn arrays(group: &Path) -> Result<Vec<String>> {
    let mut out = Vec::new();
    for entry in fs::read_dir(group).map_err(|e| Error::io(group, e))? {
        let entry = entry.map_err(|e| Error::io(group, e))?;
        let name = entry.file_name().to_str().map(str::to_owned);
        out.extend(name.filter(|_| files::is_file(&entry.path().join("zarr.json"))));
    }
    out.sort();
    Ok(out)
}
