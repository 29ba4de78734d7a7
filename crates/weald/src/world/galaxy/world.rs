//! The galaxy as one of the worlds.

use super::{Galaxy, GalaxyParams, catalogue, generate, picture, stars};
use crate::error::Result;
use crate::export::{Sink, geojson};
use crate::layer::Catalogue;
use crate::params::ParamTree;
use crate::recipe::Recipe;
use crate::render::Image;
use crate::world::{Made, OwnFile, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use weald_core::{Ctx, Grid, Seed};

/// The galaxy.
pub struct GalaxyWorld;

const FILES: &[OwnFile] =
    &[OwnFile { name: "stars.csv", about: "every star: x,y,z,magnitude,planets,colour", by_default: true }];

/// Bytes a column of space takes: four grids of gas and one of counts, sums while they are made; and a pixel of a large
/// picture as light, canvas and bytes.
const BYTES_PER_COLUMN: u64 = 18 + 12 + 22;
/// Bytes a star takes in memory, as a point and as text.
const BYTES_PER_STAR: f64 = 1000.0;
/// The pixels of a picture of usual size, the sheet's edges and the program.
const BYTES: u64 = 96 << 20;

impl World for GalaxyWorld {
    fn name(&self) -> &'static str {
        "galaxy"
    }

    fn about(&self) -> &'static str {
        "A block of space with nebulae and stars, every cubic light year a function of its place."
    }

    fn default_size(&self) -> (usize, usize) {
        (800, 600)
    }

    fn length_unit(&self) -> &'static str {
        "ly"
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<GalaxyParams>()
    }

    fn check(&self, params: &ParamTree) -> Result<()> {
        params.finish::<GalaxyParams>().map(drop)
    }

    fn bytes_needed(&self, recipe: &Recipe) -> u64 {
        let depth = recipe.params.value("depth_ly").and_then(Value::as_f64).unwrap_or(0.0);
        let columns = recipe.cells();
        let stars = columns as f64 * depth * stars::CHANCE * BYTES_PER_STAR;
        columns.saturating_mul(BYTES_PER_COLUMN).saturating_add(stars as u64).saturating_add(BYTES)
    }

    fn own_files(&self) -> &'static [OwnFile] {
        FILES
    }

    fn layer_names(&self) -> Vec<&'static str> {
        catalogue::LAYERS.to_vec()
    }

    /// Of stars.geojson: stars.csv has the same columns.
    fn output_schema(&self) -> Value {
        let (whole, bits) =
            (json!({"type": "integer"}), json!({"type": "integer", "minimum": 0, "maximum": 15}));
        geojson::points_schema(
            "stars.geojson of a galaxy",
            json!({
                "x": whole, "y": whole, "z": whole, "magnitude": {"type": "number"},
                "planets": bits, "colour": bits,
            }),
        )
    }

    fn make(&self, recipe: &Recipe, _: BTreeMap<String, Grid<f32>>, ctx: &Ctx) -> Result<Box<dyn Made>> {
        let params: GalaxyParams = recipe.params.finish()?;
        Ok(Box::new(generate(recipe.size, Seed(recipe.seed), &params, ctx)?))
    }
}

impl Made for Galaxy {
    fn catalogue(&self) -> Catalogue<'_> {
        Galaxy::catalogue(self)
    }

    fn picture(&self, _: &Catalogue, ctx: &Ctx) -> Result<Image> {
        picture::sheet(self, ctx)
    }

    fn write_own(&self, _: &OwnFile, _: &[String], out: &mut Sink, _: &Ctx) -> Result<()> {
        out.with(|w| {
            writeln!(w, "x,y,z,magnitude,planets,colour")?;
            self.stars.iter().try_for_each(|s| {
                let [x, y, z] = s.place;
                writeln!(w, "{x},{y},{z},{},{},{}", self.magnitude(s), s.planets, s.colour)
            })
        })
    }
}
