//! The city as one of the worlds.

use super::params::CityParams;
use super::{City, generate, style};
use crate::error::{Error, Result};
use crate::export::Sink;
use crate::export::heightmap::{self, Scale};
use crate::layer::Catalogue;
use crate::params::ParamTree;
use crate::recipe::Recipe;
use crate::render::{self, Image};
use crate::world::{Made, OwnFile, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use weald_core::{Ctx, Grid, Seed};

/// The city.
pub struct CityWorld;

/// Bytes a cell takes in memory at the most while a map is made, drawn and written.
const BYTES_PER_CELL: u64 = 90;

/// The side in cells that the game takes.
const GAME: usize = 4096;

impl World for CityWorld {
    fn name(&self) -> &'static str {
        "city"
    }

    fn about(&self) -> &'static str {
        "A heightmap for city builders: eroded land with a share of buildable ground that you ask for."
    }

    fn default_size(&self) -> (usize, usize) {
        (1024, 1024)
    }

    fn length_unit(&self) -> &'static str {
        "m"
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<CityParams>()
    }

    fn map_names(&self) -> &'static [(&'static str, &'static str)] {
        &[("h", "heights")]
    }

    fn check(&self, params: &ParamTree) -> Result<()> {
        params.finish::<CityParams>().map(drop)
    }

    fn bytes_needed(&self, recipe: &Recipe) -> u64 {
        let cells = (recipe.size.0 as u64).saturating_mul(recipe.size.1 as u64);
        cells.saturating_mul(BYTES_PER_CELL)
    }

    fn own_files(&self) -> &'static [OwnFile] {
        const fn file(name: &'static str, about: &'static str, by_default: bool) -> OwnFile {
            OwnFile { name, about, by_default }
        }
        const FILES: &[OwnFile] = &[
            file("heightmap.png", "heights as 16-bit grey, for the game", true),
            file("heightmap.terrain.json", "what the grey of heightmap.png means", true),
            file("worldmap.png", "the land around, four times as wide, as 16-bit grey", false),
            file("worldmap.terrain.json", "what the grey of worldmap.png means", false),
        ];
        FILES
    }

    fn layer_names(&self) -> Vec<&'static str> {
        super::catalogue::LAYERS.to_vec()
    }

    fn output_schema(&self) -> Value {
        heightmap::sidecar_schema()
    }

    fn make(
        &self,
        recipe: &Recipe,
        mut maps: BTreeMap<String, Grid<f32>>,
        ctx: &Ctx,
    ) -> Result<Box<dyn Made>> {
        let params: CityParams = recipe.params.finish()?;
        let authored = maps.remove("h").map(|map| in_metres(map, &params));
        Ok(Box::new(generate(recipe.size, authored, Seed(recipe.seed), &params, ctx)?))
    }
}

/// Grey values, which are 0 to 1, become metres above the sea; what goes beyond is in metres already.
fn in_metres(mut map: Grid<f32>, p: &CityParams) -> Grid<f32> {
    if map.cells().iter().all(|v| (0.0..=1.0).contains(v)) {
        let (scale, sea) = (p.map.height_scale_m, p.map.sea_level_m);
        map.cells_mut().iter_mut().for_each(|v| *v = (*v as f64 * scale - sea) as f32);
    }
    map
}

impl City {
    /// How heights become grey.
    fn scale(&self) -> Scale {
        let map = &self.params.map;
        Scale { sea_level_m: map.sea_level_m, height_scale_m: map.height_scale_m }
    }

    /// The playable map and the map of the land around it, both without a step between them.
    fn world_map(&self, ctx: &Ctx) -> Result<(Grid<f32>, Grid<f32>)> {
        let around = self.surroundings(ctx)?;
        heightmap::world_map(&self.eroded.height, &around, ctx)
    }
}

impl Made for City {
    fn catalogue(&self) -> Catalogue<'_> {
        City::catalogue(self)
    }

    fn picture(&self, catalogue: &Catalogue, ctx: &Ctx) -> Result<Image> {
        render::map(catalogue, &style::map_style(self), ctx)
    }

    fn write_own(&self, file: &OwnFile, extras: &[String], out: &mut Sink, ctx: &Ctx) -> Result<()> {
        let _ = (extras, out, ctx, json!(null), GAME);
        Err(Error::Internal(format!("{} is not written yet", file.name)))
    }
}
