//! A job: a recipe, the maps it names, and the world that is made from them. Every shell uses it.
//!
//! ```
//! use weald::{Job, core::Ctx};
//! let output = Job::new("island")?.seed(7).size(128).set("rivers.spring_area", 400)?.run(&Ctx::default())?;
//! let height = output.catalogue.floats("height")?;
//! assert_eq!((height.width(), output.catalogue.layers.len()), (128, 10));
//! # Ok::<(), weald::Error>(())
//! ```

#[cfg(all(feature = "export", feature = "recipe", not(target_family = "wasm")))]
pub mod build;
#[cfg(all(feature = "export", feature = "render"))]
mod course;
#[cfg(all(feature = "export", feature = "render"))]
pub mod debug;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "export")]
pub mod folder;
#[cfg(all(feature = "export", feature = "render"))]
pub mod frames;
#[cfg(feature = "export")]
pub mod hashes;
#[cfg(feature = "recipe")]
mod open;
mod parts;
#[cfg(feature = "render")]
pub mod sheet;

#[cfg(feature = "render")]
pub mod tiles;
#[cfg(feature = "render")]
pub mod walk;

#[cfg(feature = "recipe")]
pub use open::open;
pub use parts::InParts;

use crate::catalogue::explain::Explanation;
use crate::catalogue::{Catalogue, Sampler};
use crate::error::{Error, Result, not_json};
use crate::georeference::GeoReference;
use crate::recipe::{Crop, Recipe};
use crate::sink::Sink;
#[cfg(feature = "render")]
use crate::style::DrawOptions;
use crate::world::{self, At, Content, FileSpec, Inputs, MapValues, Phases, Plan, WindowPlace, World};
use crate::{files, memory};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use weald_core::resample::{Values, resampled};
use weald_core::{Ctx, Grid, Seed};

/// Columns and rows of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub usize, pub usize);

impl From<usize> for Size {
    fn from(side: usize) -> Self {
        Size(side, side)
    }
}

impl From<(usize, usize)> for Size {
    fn from((width, height): (usize, usize)) -> Self {
        Size(width, height)
    }
}

/// The parameter that holds the time of a world that changes.
const TIME: &str = "time";

/// Maps by name.
pub type Maps = BTreeMap<String, Arc<Grid<f32>>>;

/// A world to be made.
#[derive(Clone)]
pub struct Job {
    recipe: Recipe,
    maps: Maps,
    /// Maps as the bytes of NumPy files, by name.
    arrays: BTreeMap<String, Arc<[u8]>>,
    with: Vec<String>,
    /// Side of a cell of the height map, if it is not that of its file, and who says so.
    cell_m: Option<(f64, String)>,
}

impl Job {
    /// A world with its defaults.
    pub fn new(world: &str) -> Result<Self> {
        Ok(Self::of(Recipe::new(find_world(world)?)))
    }

    /// A job for a recipe.
    pub fn of(recipe: Recipe) -> Self {
        Self { recipe, maps: Maps::new(), arrays: BTreeMap::new(), with: Vec::new(), cell_m: None }
    }

    /// The recipe so far.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The recipe, mutable.
    pub fn recipe_mut(&mut self) -> &mut Recipe {
        &mut self.recipe
    }

    /// Sets the seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.recipe.set_seed(seed, "the program");
        self
    }

    /// Sets the size: one number for a square, or (width, height).
    pub fn size(self, size: impl Into<Size>) -> Self {
        self.size_from(size, "the program")
    }

    /// Sets the size and says where it comes from.
    pub fn size_from(mut self, size: impl Into<Size>, source: &str) -> Self {
        let Size(width, height) = size.into();
        self.recipe.set_size((width, height), source);
        self
    }

    /// Sets one parameter. The error holds its path, range and value ([`Error::Params`]).
    pub fn set(mut self, path: &str, value: impl Into<Value>) -> Result<Self> {
        self.recipe.params.set(path, value.into(), "the program");
        self.recipe.params.validate()?;
        Ok(self)
    }

    /// Uses a map of one's own.
    pub fn map(mut self, name: &str, map: Grid<f32>) -> Result<Self> {
        let name = self.recipe.map_name(name)?;
        self.recipe.set_map(name, format!("maps/{name}.npy").into(), "the program");
        self.maps.insert(name.into(), Arc::new(map));
        Ok(self)
    }

    /// Uses a map of one's own, given as the bytes of a NumPy file. It is read as the file would be, which [`Job::map`] does not do: numbers of
    /// any type, cells without data, sea level and range.
    pub fn set_npy(&mut self, name: &str, bytes: Vec<u8>, source: &str) -> Result<()> {
        let name = self.recipe.map_name(name)?;
        self.recipe.set_map(name, format!("maps/{name}.npy").into(), source);
        self.arrays.insert(name.into(), bytes.into());
        Ok(())
    }

    /// Uses only a part of the maps: a column, a row, and a width and height in their cells.
    pub fn crop(mut self, crop: Crop) -> Self {
        self.recipe.set_crop(crop, "the program");
        self
    }

    /// Resamples maps of another size than the world, which are refused otherwise ([`weald_core::resample`]).
    pub fn resample(mut self) -> Self {
        self.recipe.set_resample(true, "the program");
        self
    }

    /// Requests an optional result, such as `worldmap`.
    pub fn with(mut self, name: &str) -> Self {
        self.with.push(name.into());
        self
    }

    /// Reads the recipe called `name`: a TOML file, one that comes with the program, or `-` for standard input. The size in a
    /// file counts as written by the user; that of a recipe of the program is a default, which a map replaces.
    #[cfg(feature = "recipe")]
    pub fn merge_recipe(&mut self, name: &Path) -> Result<()> {
        let text = name.to_string_lossy();
        if !files::is_file(name) && name.extension().is_none() && text != "-" {
            let Some((_, built_in)) = world::find_recipe(&text) else {
                let names = world::WORLDS.iter().flat_map(|w| w.info().recipes).map(|r| r.name);
                let message = format!("no such file, and no recipe of that name; {}", nearest(&text, names));
                return Err(Error::Invalid(format!("{text}: {message}")));
            };
            self.recipe.merge_toml(built_in.toml, Path::new(&format!("{text} (built in)")))?;
            self.recipe.size_as_default();
            return Ok(());
        }
        self.recipe.merge_toml(&read_text(name)?, name)
    }

    /// Reads a JSON file of parameters, or standard input for `-`.
    pub fn merge_params(&mut self, path: &Path) -> Result<()> {
        self.recipe.merge_json(&read_text(path)?, path)
    }

    /// Says how large a cell of the height map is, whatever its file says. Fails in a world whose cells have no size.
    pub fn set_cell_m(&mut self, cell_m: f64, source: &str) -> Result<()> {
        let first = self.recipe.world.info().maps.first();
        let Some(MapValues::Heights(_)) = first.map(|m| m.values) else {
            let name = self.recipe.world.info().name;
            let message = format!("the cells of the world {name} have no size; leave {source} out");
            return Err(Error::Invalid(format!("{source}: {message}")));
        };
        self.cell_m = Some((cell_m, source.to_owned()));
        Ok(())
    }

    /// Sets the place of the window from the numbers that a user gave: two whole numbers, or three in a world with depth.
    pub fn set_window(&mut self, at: &[f64], source: &str) -> Result<()> {
        let whole: Option<Vec<i64>> = at.iter().map(|v| (v.fract() == 0.0).then_some(*v as i64)).collect();
        match whole.as_deref() {
            Some(&[x, y]) => self.set_place((x, y), source),
            Some(&[x, y, z]) => {
                self.set_place((x, y), source)?;
                self.set_depth(z, source)
            }
            _ => {
                let given = at.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
                let must = "must be two whole numbers, such as -3000,500, or three in a world with depth";
                Err(Error::Invalid(format!("{source} {given}: {must}")))
            }
        }
    }

    /// Sets the place of the window.
    pub fn set_place(&mut self, place: (i64, i64), source: &str) -> Result<()> {
        let info = self.recipe.world.info();
        let Some(At::Window(at)) = info.at else {
            return Err(Error::Invalid(format!(
                "{source}: the world {} has no window to place; leave {source} out",
                info.name
            )));
        };
        for (path, value) in at.params.into_iter().zip([place.0, place.1]) {
            self.recipe.params.set(path, value.into(), source);
        }
        Ok(())
    }

    /// Sets the third coordinate of the place of the window, in a world that has one ([`WindowPlace::depth`]).
    pub fn set_depth(&mut self, depth: i64, source: &str) -> Result<()> {
        let info = self.recipe.world.info();
        let Some(At::Window(WindowPlace { depth: Some(path), .. })) = info.at else {
            let message = format!("a place of the world {} has two coordinates, such as 100,-200", info.name);
            return Err(Error::Invalid(format!("{source}: {message}")));
        };
        self.recipe.params.set(path, depth.into(), source);
        Ok(())
    }

    /// Reads a text file of placed things, or standard input for `-`.
    pub fn merge_placed(&mut self, path: &Path) -> Result<()> {
        let info = self.recipe.world.info();
        let param = info.placed.ok_or_else(|| {
            let message = format!("--placed: nothing can be placed in the world {}", info.name);
            Error::Invalid(message)
        })?;
        let value = self.recipe.world.param_from_text(param, &read_text(path)?);
        let value = value.map_err(|e| Error::Invalid(format!("{}: {e}", path.display())))?;
        self.recipe.params.set(param, value, "--placed");
        Ok(())
    }

    /// Sets a parameter that is a text from a file. A `.json` file holds the text, or its lines as a list; a `.png` picture is for parameters that
    /// are drawn, such as a template of biomes.
    pub fn set_from_file(&mut self, param: &str, file: &Path) -> Result<()> {
        let invalid = |what: String| Error::Invalid(format!("{}: {what}", file.display()));
        let ending = file.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        let world = self.recipe.world;
        let value = match ending.as_str() {
            #[cfg(feature = "import")]
            "png" => world.param_from_picture(param, &crate::import::colours(file)?).map_err(invalid)?,
            "json" => {
                let value = serde_json::from_str(&read_text(file)?).map_err(|e| invalid(not_json(&e)))?;
                let must = "must be a string, or a list of strings, one for each line";
                json_text(&value).ok_or_else(|| invalid(must.into()))?
            }
            _ => {
                let text = read_text(file).map_err(|e| match e {
                    Error::Invalid(what) => Error::Invalid(format!("{what}; pictures must be .png files")),
                    other => other,
                })?;
                world.param_from_text(param, &text).map_err(invalid)?
            }
        };
        self.recipe.params.set(param, value, &file.display().to_string());
        Ok(())
    }

    /// The same world at another time: with that value of its parameter `time`. Fails in a world that does not change.
    pub fn at_time(&self, time: f64) -> Result<Self> {
        let mut job = self.clone();
        if job.recipe.params.value(TIME).is_none() {
            let changing = world::WORLDS.iter().filter(|w| w.params().value(TIME).is_some());
            let names: Vec<&str> = changing.map(|w| w.info().name).collect();
            let name = job.recipe.world.info().name;
            let message = format!("the world {name} does not change in time; use {}", names.join(", "));
            return Err(Error::Invalid(message));
        }
        let value = if time.fract() == 0.0 { Value::from(time as i64) } else { Value::from(time) };
        job.recipe.params.set(TIME, value, "--frames");
        job.recipe.params.validate()?;
        Ok(job)
    }

    /// Makes the world.
    pub fn run(&self, ctx: &Ctx) -> Result<Output> {
        self.run_from(&mut Phases::once(), ctx)
    }

    /// Makes the world, continuing from the phases that did not change.
    pub fn run_from(&self, phases: &mut Phases, ctx: &Ctx) -> Result<Output> {
        let ready = self.ready()?;
        ready.check_memory()?;
        ready.run(phases, ctx)
    }

    /// Validates the parameters, reads and crops the maps and settles the size: a side that nobody wrote down is that of the first
    /// map.
    pub fn ready(&self) -> Result<Ready> {
        self.recipe.world.plan(&self.recipe.params)?;
        self.recipe.validate_maps()?;
        let mut recipe = self.recipe.clone();
        let (mut maps, mut sources, mut readings) = (self.maps.clone(), BTreeMap::new(), BTreeMap::new());
        for (name, map) in &mut maps {
            let (width, height) = map.shape();
            let mut source = format!("a grid of {width}x{height} cells");
            if let Some(crop) = recipe.crop {
                *map = Arc::new(crop.cut(alias(&recipe, name), map)?);
                source += &format!(", {crop}");
            }
            sources.insert(name.clone(), source);
        }
        let first = recipe.world.info().maps.first().map_or("", |map| map.name);
        // The first map decides how large the others have to be.
        let mut files: Vec<(String, PathBuf)> = recipe.maps.clone().into_iter().collect();
        files.retain(|(name, _)| !self.maps.contains_key(name));
        files.sort_by_key(|(name, _)| name != first);
        let (mut cell, mut squared) = (None, None);
        for (name, path) in files {
            let file = match self.arrays.get(&name) {
                Some(bytes) => MapFile::Array(bytes),
                None => MapFile::Path(&path),
            };
            let read = read_map(&mut recipe, &name, file, self.cell_m.is_some(), squared)?;
            if name == first {
                (cell, squared) = (read.cell_m.map(|cell| (cell, read.file)), read.squared);
            }
            sources.insert(name.clone(), read.source);
            readings.insert(name.clone(), read.json);
            maps.insert(name, Arc::new(read.map));
        }
        if let Some((width, height)) = maps.get(first).map(|map| map.shape()) {
            if let Some((asked, option)) = &self.cell_m {
                let by_place = recipe.georeference.map(|place| place.cell_m(height));
                let other = |own: f64| (own / asked - 1.0).abs() > 1e-3;
                if by_place.is_some_and(|(x, y)| other(x) || other(y)) {
                    recipe.georeference = None;
                    let note = format!(", whose place on the Earth is left out, as {option} is not its cell");
                    sources.entry(first.to_owned()).or_default().push_str(&note);
                }
                cell = self.cell_m.clone();
            }
            recipe.take_size_of_map((width, height));
            let size = recipe.size;
            if recipe.resample {
                for (name, map) in &mut maps {
                    let Some(part) = in_proportion(map.shape(), size) else { continue };
                    *map = Arc::new(part.cut(alias(&recipe, name), map)?);
                    let note = format!(", {part} for the proportions of the world");
                    sources.entry(name.clone()).or_default().push_str(&note);
                    if name == first {
                        recipe.georeference = recipe.georeference.map(|place| place.part(part.x, part.y));
                    }
                }
            }
            let from = maps.get(first).map_or(size, |map| map.shape());
            let (cell, file) = cell.map_or((None, String::new()), |(cell, file)| (Some(cell), file));
            recipe.keep_extent(from.0, cell, &file);
            recipe.georeference = recipe.georeference.map(|place| place.resampled(from, size));
        }
        let plan = recipe.world.plan(&recipe.params)?;
        Ok(Ready { plan, recipe, maps, sources, readings, with: self.with.clone() })
    }

    /// The world as a function of place. Fails if it is none.
    pub fn place_sampler(&self) -> Result<Arc<dyn Sampler>> {
        let name = self.recipe.world.info().name;
        self.sampler()?.ok_or_else(|| {
            let message = format!("this world cannot be sampled; make it with `weald generate {name}`");
            Error::Invalid(format!("{name}: {message}, or sample endless or planet"))
        })
    }

    /// The world as a function of place, if it is one.
    pub fn sampler(&self) -> Result<Option<Arc<dyn Sampler>>> {
        self.recipe.world.plan(&self.recipe.params)?.sampler(Seed(self.recipe.seed))
    }
}

/// The part in the middle of a map that has the proportions of a world of that size; none if the map has them to within 1 %.
fn in_proportion((w, h): (usize, usize), (width, height): (usize, usize)) -> Option<Crop> {
    let ratio = (w as f64 / width as f64) / (h as f64 / height as f64);
    let along = |side: usize, of: usize, by: usize| (side * of + by / 2) / by;
    let (wide, high) = (along(h, width, height).clamp(1, w), along(w, height, width).clamp(1, h));
    let part = Crop { x: (w - wide) / 2, y: (h - high) / 2, width: wide, height: high };
    ((ratio - 1.0).abs() > 0.01).then_some(part)
}

/// The size of a map in its file, and with square cells.
type Squared = ((usize, usize), (usize, usize));

/// What a map is read from.
#[derive(Clone, Copy)]
enum MapFile<'a> {
    /// A file.
    Path(&'a Path),
    /// The bytes of a NumPy file.
    Array(&'a [u8]),
}

/// A map from a file, as its world takes it.
struct ReadMap {
    map: Grid<f32>,
    /// The name of the file.
    file: String,
    /// How it was read, in words and for machines.
    source: String,
    json: Value,
    /// Side of a cell, if the file says so.
    cell_m: Option<f64>,
    /// Its size before and after its cells were made square.
    squared: Option<Squared>,
}

/// Reads the map called `name` as its world takes it: cropped, with square cells, and heights above the sea or from 0 to 1. What the file of
/// the first map says of place and sea goes into the recipe. A map without cells of its own is resampled as the first one was, which is
/// `squared`. If the side of a cell is given, cells are squares of that side, whatever the file says.
#[cfg(feature = "import")]
fn read_map(
    recipe: &mut Recipe,
    name: &str,
    from: MapFile,
    cell_given: bool,
    squared: Option<Squared>,
) -> Result<ReadMap> {
    use crate::import::{self, Numbers, UseSidecar};
    use crate::world::GreySea;
    let info = recipe.world.info();
    let input = info.maps.iter().find(|m| m.name == name);
    let values = input.map_or(MapValues::Shares, |m| m.values);
    let mut options = recipe.reading;
    options.crop = recipe.crop;
    // The size is that of the maps which do not say theirs, and not of those beside them.
    let raw = |path: &Path| {
        path.extension().is_some_and(|e| e.eq_ignore_ascii_case("raw") || e.eq_ignore_ascii_case("r16"))
    };
    let is_raw = matches!(from, MapFile::Path(path) if raw(path));
    if !is_raw && recipe.maps.values().any(|path| raw(path)) {
        options.raw_size = None;
    }
    options.sidecar = match values {
        MapValues::Heights(terms) if terms.grey.iter().all(|path| recipe.params.origin(path).is_none()) => {
            UseSidecar::Yes
        }
        _ => UseSidecar::No,
    };
    let what = format!("the map {}", input.map_or(name, |m| m.alias));
    let mut read = match from {
        MapFile::Path(path) => import::read(path, &options)?,
        MapFile::Array(bytes) => import::read_npy(&what, bytes, &options)?,
    };
    let (file, what) = match from {
        MapFile::Path(path) => {
            let file = path.file_name().map_or_else(|| path.to_string_lossy(), |n| n.to_string_lossy());
            // It may stand in a comment.
            (file.replace(char::is_control, " "), path.display().to_string())
        }
        MapFile::Array(_) => ("an array".to_owned(), what),
    };
    if let (MapValues::Shares, Numbers::Metres) = (values, read.numbers) {
        read.grey_from_bytes();
    }
    in_range(&read, values, recipe.reading.sea_level.unwrap_or(0.0))
        .map_err(|wrong| Error::Invalid(format!("{what}: {wrong}")))?;
    let (mut source, told, shape) =
        (format!("{file} ({})", read.summary()), read.notes.len(), read.map.shape());
    let mut read = match squared.filter(|(before, _)| read.cell_m.is_none() && *before == shape) {
        Some((_, after)) => read.resampled(after, &Ctx::default())?,
        None if cell_given => read,
        None => read.squared(&Ctx::default())?,
    };
    read.notes[told..].iter().for_each(|note| source += &format!(", {note}"));
    let mut json = read.to_json();
    let squared = Some((shape, read.map.shape())).filter(|(before, after)| before != after);
    let (low, high) = read.range();
    let metres = read.numbers == Numbers::Metres;
    let shares = low >= 0.0 && high <= 1.0;
    match (values, recipe.reading.sea_level) {
        (MapValues::Heights(terms), sea) if shares && !metres => {
            let white = |white| recipe.params.value(white).and_then(Value::as_f64).unwrap_or(1.0);
            let (path, scale) = match terms.sea {
                GreySea::Share(path) => (path, 1.0),
                GreySea::Metres(path, by) => (path, white(by)),
            };
            if let Some(sea) = sea {
                recipe.params.set(path, (f64::from(sea) * scale).into(), "--sea-level");
            }
            json["sea_level"] = recipe.params.value(path).and_then(Value::as_f64).map(|v| v / scale).into();
        }
        (MapValues::Heights(_), sea) => {
            let sea = sea.unwrap_or(0.0);
            read.map.cells_mut().iter_mut().for_each(|v| *v -= sea);
            source += &format!(", the sea at {sea} m");
            json["sea_level"] = sea.into();
            let (low, high) = read.range();
            recipe.in_metres = low >= 0.0 && high <= 1.0;
        }
        (_, Some(_)) => {
            let message = format!("the heights of the world {} know no sea level; leave it out", info.name);
            return Err(Error::Invalid(format!("--sea-level: {message}")));
        }
        (MapValues::ScaledHeights, None) if metres => {
            let span = if high > low { f64::from(high) - f64::from(low) } else { 1.0 };
            let share = |v: f32| ((f64::from(v) - f64::from(low)) / span) as f32;
            read.map.cells_mut().iter_mut().for_each(|v| *v = share(*v));
            source += &format!(", metres from {low} to {high} scaled to 0 to 1");
            recipe.heights_m = Some((f64::from(low), f64::from(low) + span));
        }
        _ => {}
    }
    if info.maps.first().is_some_and(|first| first.name == name) {
        // What the recipe says is about the whole map.
        let by_recipe = |place: GeoReference| recipe.crop.map_or(place, |crop| place.part(crop.x, crop.y));
        recipe.georeference = read.place.or(recipe.georeference.map(by_recipe));
    }
    Ok(ReadMap { map: read.map, file, source, json, cell_m: read.cell_m.map(|c| c.0), squared })
}

/// Fails for a number that the world does not take, with its place in the file and what to do. The usual cause is a number that means no data
/// without the file saying so.
#[cfg(feature = "import")]
fn in_range(read: &crate::import::Imported, values: MapValues, sea: f32) -> std::result::Result<(), String> {
    use crate::import::Numbers;
    let ((low, high), metres) = (read.range(), read.numbers == Numbers::Metres);
    let (least, most, unit) = match values {
        MapValues::Heights(_) if low >= 0.0 && high <= 1.0 => return Ok(()),
        MapValues::Heights(terms) => (terms.range_m.0 + sea, terms.range_m.1 + sea, " m"),
        MapValues::ScaledHeights if metres => return Ok(()),
        MapValues::ScaledHeights | MapValues::Shares => (0.0, 1.0, ""),
    };
    let Some(i) = read.map.cells().iter().position(|v| !(least..=most).contains(v)) else { return Ok(()) };
    let (v, at) = (read.map.cells()[i], read.crop.map_or((0, 0), |crop| (crop.x, crop.y)));
    let (x, y) = (at.0 + i % read.map.width(), at.1 + i / read.map.width());
    let other = match values {
        MapValues::ScaledHeights => {
            "; heights in metres are scaled if the file says that they are metres: give them as a GeoTIFF or as whole numbers"
        }
        _ => "",
    };
    Err(format!(
        "x={x}, y={y} is {v}: must be between {least} and {most}{unit}; if this number means no data, add --nodata {v}{other}"
    ))
}

#[cfg(not(feature = "import"))]
fn read_map(_: &mut Recipe, name: &str, from: MapFile, _: bool, _: Option<Squared>) -> Result<ReadMap> {
    let message =
        "this build cannot read map files; give the map as a grid, or build with the feature `import`";
    let what = match from {
        MapFile::Path(path) => path.display().to_string(),
        MapFile::Array(bytes) => format!("{name}, {} bytes", bytes.len()),
    };
    Err(Error::Invalid(format!("{what}: {message}")))
}

/// A job whose parameters are valid and whose maps are read.
pub struct Ready {
    plan: Box<dyn Plan>,
    recipe: Recipe,
    maps: Maps,
    /// How the maps were read, in words.
    sources: BTreeMap<String, String>,
    /// The same for machines, of the maps that were files.
    readings: BTreeMap<String, Value>,
    with: Vec<String>,
}

impl Ready {
    /// Fails if a map has another size than the world and is not to be resampled, as making the world does.
    pub fn check_sizes(&self) -> Result<()> {
        if self.recipe.resample {
            return Ok(());
        }
        let (width, height) = self.recipe.size;
        let other = |(name, map): (&String, &Arc<Grid<f32>>)| {
            let size = (map.width(), map.height());
            (size != (width, height)).then(|| (name.clone(), size))
        };
        match self.maps.iter().find_map(other) {
            None => Ok(()),
            Some((name, (w, h))) => Err(Error::Shape(format!(
                "map {name} is {w}x{h} but the world is {width}x{height}; give all maps one size, and leave the size of the world \
                 out to take that of the maps"
            ))),
        }
    }

    /// The recipe with the size that will be made.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Fails if the world needs more memory than there is.
    pub fn check_memory(&self) -> Result<()> {
        self.plan.check_size(self.recipe.size)?;
        let (w, h) = self.recipe.size;
        memory::check(self.bytes_needed(), &format!("size = {w}x{h}"), "make the map smaller")
    }

    /// About how much memory it takes, at most, to make, draw and write the world.
    pub fn bytes_needed(&self) -> u64 {
        self.plan.bytes_needed(self.recipe.size)
    }

    /// Makes the world.
    pub fn run(self, phases: &mut Phases, ctx: &Ctx) -> Result<Output> {
        let Ready { plan, mut recipe, mut maps, mut sources, readings, with } = self;
        if recipe.resample {
            resample(&mut maps, recipe.size, &mut sources, ctx)?;
        }
        let (seed, in_metres) = (Seed(recipe.seed), recipe.in_metres);
        let inputs = Inputs { seed, size: recipe.size, maps: maps.clone(), in_metres, with };
        let mut catalogue = plan.make(inputs, phases, ctx)?;
        for (name, source) in &sources {
            let reading = plan.reads_map(name, &maps[name], in_metres);
            catalogue.notes.push(reading_note(&recipe, (name, source), &reading, &catalogue));
        }
        catalogue.georeference = recipe.georeference;
        catalogue.heights_m = recipe.heights_m;
        recipe.map_sources = sources;
        Ok(Output { recipe, catalogue, maps, readings })
    }
}

/// Resamples the maps that have another size, and says so in their sources.
fn resample(
    maps: &mut Maps,
    (width, height): (usize, usize),
    sources: &mut BTreeMap<String, String>,
    ctx: &Ctx,
) -> Result<()> {
    for (name, map) in maps {
        if map.shape() == (width, height) {
            continue;
        }
        let new = ctx.stage("resample", |c| resampled(map, (width, height), Values::of(map), c))?;
        *map = Arc::new(new);
        let text = format!(", resampled to {width}x{height}");
        sources.entry(name.clone()).or_default().push_str(&text);
    }
    Ok(())
}

/// The name of a map that people use.
fn alias<'n>(recipe: &Recipe, name: &'n str) -> &'n str {
    recipe.world.info().maps.iter().find(|m| m.name == name).map_or(name, |m| m.alias)
}

/// How a map was read: "map height: dem.npy (int16), 64x48 cells; read as metres from -3 to 812; a cell is 10 m; map.sea_grey = 0".
fn reading_note(
    recipe: &Recipe,
    (name, source): (&str, &str),
    reading: &str,
    catalogue: &Catalogue,
) -> String {
    let alias = alias(recipe, name);
    let settings: String = recipe
        .params
        .leaves()
        .iter()
        .filter(|leaf| leaf.path.starts_with("map."))
        .filter_map(|leaf| {
            Some((&leaf.path, recipe.params.value(&leaf.path)?, leaf.schema["x-unit"].as_str()))
        })
        .map(|(path, value, unit)| {
            format!("; {path} = {value}{}", unit.map_or(String::new(), |u| format!(" {u}")))
        })
        .collect();
    let cell = match catalogue.length_unit {
        "m" => format!("; a cell is {} m", catalogue.frame.cell_m),
        _ => String::new(),
    };
    format!("map {alias}: {source}; read as {reading}{cell}{settings}")
}

/// A world that was made, or read from its folder.
#[derive(Clone)]
pub struct Output {
    /// The recipe it was made with.
    pub recipe: Recipe,
    /// The result.
    pub catalogue: Catalogue,
    /// The maps that were given.
    pub maps: Maps,
    /// How the files of the maps were read, for machines.
    pub readings: BTreeMap<String, Value>,
}

impl Output {
    /// Draws a view of it.
    #[cfg(feature = "render")]
    pub fn draw(&self, options: &DrawOptions, ctx: &Ctx) -> Result<crate::render::Picture> {
        crate::render::draw(&self.catalogue, self.style(options)?, options.px, ctx)
    }

    /// Draws a view of it without the sheet around the map ([`crate::render::draw_bare`]).
    #[cfg(feature = "render")]
    pub fn draw_bare(&self, options: &DrawOptions, ctx: &Ctx) -> Result<crate::render::Picture> {
        crate::render::draw_bare(&self.catalogue, self.style(options)?, options.px, ctx)
    }

    /// What the places of a bare view are ([`crate::render::places`]).
    #[cfg(feature = "render")]
    pub fn places(&self, options: &DrawOptions) -> Result<crate::render::Places> {
        Ok(crate::render::places(&self.style(options)?))
    }

    /// The legend of a view, as data ([`crate::render::legend_of`]).
    #[cfg(feature = "render")]
    pub fn legend(&self, options: &DrawOptions, ctx: &Ctx) -> Result<Vec<crate::render::LegendPart>> {
        crate::render::legend_of(&self.catalogue, self.style(options)?, options.px, ctx)
    }

    /// The style of a view. Fails if the view needs a layer that is missing.
    #[cfg(feature = "render")]
    fn style(&self, options: &DrawOptions) -> Result<crate::style::Style> {
        let view = options.choose(self.recipe.world.info().views)?;
        let settings = options.settings(view)?;
        let missing: Vec<&str> =
            view.layers.iter().copied().filter(|name| self.catalogue.layer(name).is_none()).collect();
        if !missing.is_empty() {
            return Err(Error::Invalid(format!(
                "the view {} needs the layers {}, which are missing; make the world again with --layers all, or with \
                 --layers {}",
                view.name,
                missing.join(", "),
                view.layers.join(",")
            )));
        }
        Ok((view.style)(&self.catalogue, &settings))
    }

    /// Why a cell is what it is: its column and row. Fails if it lies outside the map. A planet's six faces stand side by side, in the
    /// order of their layers.
    ///
    /// ```
    /// use weald::{Job, core::Ctx};
    /// let output = Job::new("forest")?.size(32).run(&Ctx::default())?;
    /// let told = output.explain((12, 20))?;
    /// assert!(told.reason("biome").is_some_and(|reason| reason.sentence.starts_with("The biome is")));
    /// # Ok::<(), weald::Error>(())
    /// ```
    pub fn explain(&self, cell: (usize, usize)) -> Result<Explanation> {
        self.recipe.world.info().explain.at(&self.catalogue, cell)
    }

    /// [`Output::explain`] of a place in the world's own coordinates: column and row, but of endless metres east and north, and of planet
    /// latitude and longitude.
    pub fn explain_at(&self, place: &[f64]) -> Result<Explanation> {
        let explain = &self.recipe.world.info().explain;
        explain.at(&self.catalogue, (explain.locate)(&self.catalogue, place)?)
    }

    /// Writes one of the files that only this world has, with the named options.
    pub fn write_file(&self, file: &FileSpec, options: &[String], out: &mut Sink, ctx: &Ctx) -> Result<()> {
        match file.content {
            Content::Text(write) => write(&self.catalogue, options, out, ctx),
            #[cfg(feature = "export")]
            Content::Grey16(of) => {
                let values = of(&self.catalogue, options, ctx)?;
                out.with(|w| crate::export::png::write_grey16(w, &values))
            }
            #[cfg(feature = "render")]
            Content::View(view) => {
                let draw = self.recipe.draw.for_view(view, self.recipe.world.info().views);
                let picture = self.draw(&draw, ctx)?;
                out.with(|w| picture.write_png(w))
            }
            #[allow(unreachable_patterns)]
            _ => Err(Error::Invalid(format!(
                "{}: this build cannot write pictures; build with the features `export` and `render`",
                file.name
            ))),
        }
    }
}

/// The world of that name, or the nearest one as a suggestion.
pub fn find_world(name: &str) -> Result<&'static dyn World> {
    world::find(name).ok_or_else(|| {
        let names = world::WORLDS.iter().map(|w| w.info().name);
        Error::Invalid(format!("{name}: no such world; {}", nearest(name, names)))
    })
}

/// "did you mean …?", or the list of all names.
fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.collect();
    let near = known.iter().map(|n| (strsim::jaro_winkler(n, name), n)).filter(|(near, _)| *near > 0.8);
    match near.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((_, n)) => format!("did you mean {n}?"),
        None => format!("use one of {}", known.join(", ")),
    }
}

/// A text, or the lines of one.
fn json_text(value: &Value) -> Option<Value> {
    match value {
        Value::String(_) => Some(value.clone()),
        Value::Array(lines) => {
            Some(lines.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?.join("\n").into())
        }
        _ => None,
    }
}

/// The text of a file, or of standard input for `-`.
pub fn read_text(path: &Path) -> Result<String> {
    let text = if path.as_os_str() == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        files::read_to_string(path)
    };
    let text = text.map_err(|e| match e.kind() {
        std::io::ErrorKind::InvalidData => Error::Invalid(format!("{}: is not UTF-8 text", path.display())),
        _ => Error::io(path, e),
    })?;
    // Some editors begin a file with a byte order mark.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
