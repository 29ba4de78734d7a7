//! What the page asks for: a world with its recipe, seed, size, parameters and maps.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use weald::job::hashes::promised_files;
use weald::recipe::parse_seed;
use weald::style::DrawOptions;
use weald::{Error, Job, Result};

/// A request, as JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// Name of the world.
    world: String,
    /// Name of a recipe, or the name of a file that was put there; empty for the defaults.
    #[serde(default)]
    recipe: String,
    /// The seed in digits, because JavaScript has no numbers of 64 bits.
    #[serde(default)]
    seed: Option<String>,
    /// Columns and rows.
    #[serde(default)]
    size: Option<(usize, usize)>,
    /// Parameters by dotted path.
    #[serde(default)]
    params: BTreeMap<String, Value>,
    /// Maps by name: files that were put there.
    #[serde(default)]
    maps: BTreeMap<String, String>,
    /// Optional results to make; `promised` stands for all that a promised file needs.
    #[serde(default)]
    with: Vec<String>,
    /// Whether maps of another size are resampled.
    #[serde(default)]
    resample: bool,
    /// The view to draw.
    #[serde(default)]
    view: Option<String>,
    /// Settings of the view.
    #[serde(default)]
    settings: BTreeMap<String, f64>,
}

impl Request {
    pub(crate) fn read(json: &str) -> Result<Self> {
        serde_json::from_str(json)
            .map_err(|e| Error::Invalid(format!("the request of the page is not valid: {e}")))
    }

    /// The job, with the same meaning as the options of the command line.
    pub(crate) fn job(&self) -> Result<Job> {
        let mut job = Job::new(&self.world)?;
        if !self.recipe.is_empty() {
            job.merge_recipe(Path::new(&self.recipe))?;
        }
        let recipe = job.recipe_mut();
        if let Some(seed) = &self.seed {
            let seed = parse_seed(seed).map_err(|e| Error::Invalid(format!("seed = {seed}: {e}")))?;
            recipe.set_seed(seed, "the page");
        }
        if let Some(size) = self.size {
            recipe.set_size(size, "the page");
        }
        for (path, value) in &self.params {
            recipe.params.set(path, value.clone(), "the page");
        }
        for (name, file) in &self.maps {
            let name = recipe.map_name(name)?;
            recipe.set_map(name, file.into(), "the page");
        }
        if self.resample && !self.maps.is_empty() {
            recipe.set_resample(true, "the page");
        }
        recipe.draw = self.draw(None);
        let info = job.recipe().world.info();
        for name in &self.with {
            job = match name.as_str() {
                "promised" => promised_files(info).filter_map(|f| f.needs).fold(job, Job::with),
                name => job.with(name),
            };
        }
        Ok(job)
    }

    /// The options of drawing.
    pub(crate) fn draw(&self, px: Option<usize>) -> DrawOptions {
        DrawOptions { view: self.view.clone(), px, settings: self.settings.clone() }
    }
}

/// Options of a picture, as JSON.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Look {
    view: Option<String>,
    px: Option<usize>,
    settings: BTreeMap<String, f64>,
}

impl Look {
    pub(crate) fn read(json: &str) -> Result<DrawOptions> {
        let look: Look = serde_json::from_str(json)
            .map_err(|e| Error::Invalid(format!("the request of the page is not valid: {e}")))?;
        Ok(DrawOptions { view: look.view, px: look.px, settings: look.settings })
    }
}
