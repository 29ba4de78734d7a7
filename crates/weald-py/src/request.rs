//! What Python asks for: a world with its recipe, seed, size, parameters and maps, with the same meaning as the options of the command
//! line.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use weald::reading::{Crop, FillNodata, ReadOptions};
use weald::recipe::{parse_seed, parse_size};
use weald::{Error, Job, Result};

/// Bytes of NumPy files by the names of maps.
pub(crate) type Arrays = BTreeMap<String, Vec<u8>>;

/// A request, as JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// Name of the world.
    world: String,
    /// A recipe: a file, or the name of one that comes with the program.
    #[serde(default)]
    recipe: Option<String>,
    /// A recipe itself, in TOML.
    #[serde(default)]
    recipe_text: Option<String>,
    /// The seed in digits.
    #[serde(default)]
    seed: Option<String>,
    /// Columns and rows, such as `800x600`.
    #[serde(default)]
    size: Option<String>,
    /// The place of the window.
    #[serde(default)]
    at: Option<Vec<f64>>,
    /// Parameters: nested, or by dotted path.
    #[serde(default)]
    params: Map<String, Value>,
    /// Parameters that are read from files, by path.
    #[serde(default)]
    param_files: BTreeMap<String, PathBuf>,
    /// Optional results to make.
    #[serde(default)]
    pub(crate) with: Vec<String>,
    /// Whether the world is made from maps of the user's own.
    #[serde(default)]
    derive: bool,
    /// Maps in files, by name.
    #[serde(default)]
    maps: BTreeMap<String, PathBuf>,
    /// Side of a cell of the map in metres.
    #[serde(default)]
    cell_m: Option<f64>,
    /// How the maps are read.
    #[serde(default)]
    reading: Reading,
}

/// How maps are read, as JSON.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Reading {
    crop: Option<Vec<u64>>,
    sea_level: Option<f32>,
    fill_nodata: Option<String>,
    nodata: Option<f64>,
    raw_size: Option<String>,
}

impl Reading {
    /// The options of the library, over those that a recipe gives.
    pub(crate) fn over(&self, below: ReadOptions) -> Result<ReadOptions> {
        let wrong =
            |name: &str, value: &str, must: String| Error::Invalid(format!("{name} = {value}: {must}"));
        let crop = self.crop.as_ref().map(|numbers| {
            let must =
                "must be the first column, the first row, and a width and height of at least 1".to_owned();
            Crop::of(numbers).ok_or_else(|| wrong("crop", &format!("{numbers:?}"), must))
        });
        let fill = self.fill_nodata.as_ref();
        let fill = fill.map(|text| FillNodata::parse(text).map_err(|e| wrong("fill_nodata", text, e)));
        let raw = self.raw_size.as_ref();
        let raw = raw.map(|text| parse_size(text).map_err(|e| wrong("raw_size", text, e)));
        Ok(ReadOptions {
            raw_size: raw.transpose()?.or(below.raw_size),
            nodata: self.nodata.map(|v| v as f32).or(below.nodata),
            crop: crop.transpose()?.or(below.crop),
            fill: fill.transpose()?.unwrap_or(below.fill),
            sea_level: self.sea_level.or(below.sea_level),
            sidecar: below.sidecar,
        })
    }
}

/// Reads JSON that the Python half wrote.
pub(crate) fn read<'j, T: Deserialize<'j>>(json: &'j str) -> Result<T> {
    serde_json::from_str(json).map_err(|e| Error::Invalid(format!("the arguments are not valid: {e}")))
}

impl Request {
    /// The job.
    pub(crate) fn job(&self, arrays: Arrays) -> Result<Job> {
        let mut job = Job::new(&self.world)?;
        if let Some(name) = &self.recipe {
            job.merge_recipe(Path::new(name))?;
        }
        if let Some(text) = &self.recipe_text {
            job.recipe_mut().merge_toml(text, Path::new("recipe"))?;
        }
        if let Some(seed) = &self.seed {
            let seed = parse_seed(seed).map_err(|e| Error::Invalid(format!("seed = {seed}: {e}")))?;
            job.recipe_mut().set_seed(seed, "seed");
        }
        if let Some(size) = &self.size {
            let size = parse_size(size).map_err(|e| Error::Invalid(format!("size = {size}: {e}")))?;
            job = job.size_from(size, "size");
        }
        job.recipe_mut().params.merge(&self.params, "params", &|_| None);
        for (param, file) in &self.param_files {
            job.set_from_file(param, file)?;
        }
        if let Some(at) = &self.at {
            job.set_window(at, "at")?;
        }
        self.set_maps(&mut job, arrays)?;
        Ok(job)
    }

    /// Puts the maps into a job, and how they are read.
    fn set_maps(&self, job: &mut Job, arrays: Arrays) -> Result<()> {
        let info = job.recipe().world.info();
        if !self.derive {
            return Ok(());
        }
        let Some(first) = info.maps.first() else {
            let name = info.name;
            return Err(Error::Invalid(format!(
                "{name}: this world takes no maps of your own; use generate"
            )));
        };
        for (name, file) in &self.maps {
            let name = job.recipe().map_name(name)?;
            job.recipe_mut().set_map(name, file.clone(), name);
        }
        for (name, bytes) in arrays {
            job.set_npy(&name, bytes, &name)?;
        }
        if !job.recipe().maps.contains_key(first.name) {
            let message =
                format!("derive needs the map {} (or maps.{} in a recipe)", first.alias, first.name);
            return Err(Error::Invalid(message));
        }
        let reading = self.reading.over(job.recipe().reading)?;
        if let Some(crop) = reading.crop {
            job.recipe_mut().set_crop(crop, "crop");
        }
        let reading = ReadOptions { crop: None, ..reading };
        if reading != job.recipe().reading {
            job.recipe_mut().set_reading(reading, "the options of derive");
        }
        if let Some(cell_m) = self.cell_m {
            if !(cell_m > 0.0 && cell_m.is_finite()) {
                let message = "must be a number of metres above 0, such as 30";
                return Err(Error::Invalid(format!("cell_m = {cell_m}: {message}")));
            }
            job.set_cell_m(cell_m, "cell_m")?;
        }
        if self.size.is_some() && job.recipe().world.resamples_maps() {
            job.recipe_mut().set_resample(true, "size");
        }
        Ok(())
    }
}
