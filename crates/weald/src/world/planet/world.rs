//! The planet as one of the worlds.

use super::{Planet, PlanetParams, catalogue, generate, picture};
use crate::error::{Error, Result};
use crate::export::{Sink, geojson};
use crate::layer::Catalogue;
use crate::params::ParamTree;
use crate::recipe::Recipe;
use crate::render::Image;
use crate::world::{Made, OwnFile, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use weald_core::{Ctx, Grid, Seed};

/// The planet.
pub struct PlanetWorld;

const FILES: &[OwnFile] = &[
    OwnFile {
        name: "equirectangular.png",
        about: "all longitudes and latitudes, north up, longitude 0 in the middle",
        by_default: true,
    },
    OwnFile {
        name: "orthographic.png",
        about: "the globe from above 20\u{b0} north, 30\u{b0} east",
        by_default: true,
    },
];

/// Bytes a cell of a face takes: 4 + 4 + 1 + 1 in six grids, and its solid angle.
const BYTES_PER_CELL: u64 = 6 * 10 + 16;
/// Bytes for each square metre of radius², for features in memory, as points and as text: there is a feature on at most one
/// in 4000 of 9·r² crossings, and each takes about 800 bytes.
const FEATURE_BYTES: f64 = 9.0 * 800.0 / 4000.0;
/// Bytes of the sheet: a canvas and its picture, and two globes.
const SHEET_BYTES: u64 = 64 << 20;

impl World for PlanetWorld {
    fn name(&self) -> &'static str {
        "planet"
    }

    fn about(&self) -> &'static str {
        "A sphere of ground, sea and features without poles or seams, as the six faces of a cube."
    }

    fn default_seed(&self) -> u64 {
        0
    }

    fn default_size(&self) -> (usize, usize) {
        (256, 256)
    }

    fn length_unit(&self) -> &'static str {
        "m"
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<PlanetParams>()
    }

    fn check(&self, params: &ParamTree) -> Result<()> {
        params.finish::<PlanetParams>().map(drop)
    }

    fn bytes_needed(&self, recipe: &Recipe) -> u64 {
        let value = |path: &str| recipe.params.value(path).and_then(Value::as_f64).unwrap_or(0.0);
        let (radius, picture) = (value("radius_m"), value("picture_px"));
        // Half as high as wide, three bytes a pixel, the picture and its file.
        let rest = (radius * radius * FEATURE_BYTES + picture * picture / 2.0 * 6.0) as u64;
        recipe.cells().saturating_mul(BYTES_PER_CELL).saturating_add(rest).saturating_add(SHEET_BYTES)
    }

    fn own_files(&self) -> &'static [OwnFile] {
        FILES
    }

    fn layer_names(&self) -> Vec<&'static str> {
        catalogue::layer_names()
    }

    /// Of features.geojson: the pictures have none.
    fn output_schema(&self) -> Value {
        let number = json!({"type": "number"});
        let kinds: Vec<&str> = super::classes::FEATURES[1..].iter().map(|c| c.name).collect();
        let faces: Vec<&str> = super::sphere::FACES.iter().map(|f| f.name).collect();
        geojson::points_schema(
            "features.geojson of a planet",
            json!({
                "kind": {"enum": kinds}, "face": {"enum": faces},
                "x": number, "y": number, "z": number,
            }),
        )
    }

    fn make(&self, recipe: &Recipe, _: BTreeMap<String, Grid<f32>>, ctx: &Ctx) -> Result<Box<dyn Made>> {
        let (width, height) = recipe.size;
        if width != height {
            let message = "a face of the cube is square; give both sides the same length, such as --size";
            return Err(Error::Invalid(format!(
                "size = {width}x{height}: {message} {0}x{0}",
                width.max(height)
            )));
        }
        let params: PlanetParams = recipe.params.finish()?;
        Ok(Box::new(generate(width, Seed(recipe.seed), &params, ctx)?))
    }
}

impl Made for Planet {
    fn catalogue(&self) -> Catalogue<'_> {
        Planet::catalogue(self)
    }

    fn picture(&self, _: &Catalogue, ctx: &Ctx) -> Result<Image> {
        picture::sheet(self, ctx)
    }

    fn write_own(&self, file: &OwnFile, _: &[String], out: &mut Sink, ctx: &Ctx) -> Result<()> {
        let image = match file.name {
            "equirectangular.png" => picture::equirectangular(self, ctx)?,
            _ => picture::orthographic(self, ctx)?,
        };
        out.with(|w| image.write_png(w))
    }
}
