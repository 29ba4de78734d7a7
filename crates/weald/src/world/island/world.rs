//! The island as one of the worlds.

use super::params::IslandParams;
use super::{Authored, Island, generate, style, terrain};
use crate::error::Result;
use crate::export::Sink;
use crate::layer::Catalogue;
use crate::params::ParamTree;
use crate::recipe::Recipe;
use crate::render::{self, Image};
use crate::world::{Made, OwnFile, World};
use serde_json::Value;
use std::collections::BTreeMap;
use weald_core::{Ctx, Grid, Seed};

/// The island.
pub struct IslandWorld;

/// Bytes a cell takes in memory at the most while a map is made, drawn and written.
const BYTES_PER_CELL: u64 = 90;

impl World for IslandWorld {
    fn name(&self) -> &'static str {
        "island"
    }

    fn about(&self) -> &'static str {
        "Islands with rivers that have an order, a basin and a valley, and all of whose land drains to the sea."
    }

    fn default_size(&self) -> (usize, usize) {
        (1024, 1024)
    }

    fn length_unit(&self) -> &'static str {
        "m"
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<IslandParams>()
    }

    fn map_names(&self) -> &'static [(&'static str, &'static str)] {
        &[("h", "land (0 and 1) or heights")]
    }

    fn check(&self, params: &ParamTree) -> Result<()> {
        params.finish::<IslandParams>().map(drop)
    }

    fn bytes_needed(&self, recipe: &Recipe) -> u64 {
        recipe.cells().saturating_mul(BYTES_PER_CELL)
    }

    fn own_files(&self) -> &'static [OwnFile] {
        const TERRAIN: &str = "heights, flow, moisture and rivers as TerrainData";
        &[OwnFile { name: "terrain.json", about: TERRAIN, by_default: true }]
    }

    fn layer_names(&self) -> Vec<&'static str> {
        super::catalogue::LAYERS.to_vec()
    }

    fn output_schema(&self) -> Value {
        terrain::schema()
    }

    fn make(
        &self,
        recipe: &Recipe,
        mut maps: BTreeMap<String, Grid<f32>>,
        ctx: &Ctx,
    ) -> Result<Box<dyn Made>> {
        let params: IslandParams = recipe.params.finish()?;
        let map = maps.remove("h");
        let authored = map.clone().map(|map| authored(map, &params));
        let island = generate(recipe.size, authored, Seed(recipe.seed), &params, ctx)?;
        Ok(Box::new(MadeIsland { island, map }))
    }
}

/// A map of nothing but 0 and 1 says where land is. Other values within 0 to 1 are grey, whose white is the peak elevation;
/// what goes beyond is in metres already.
fn authored(mut map: Grid<f32>, p: &IslandParams) -> Authored {
    if map.cells().iter().all(|&v| v == 0.0 || v == 1.0) {
        let land = map.cells().iter().map(|&v| v as u8).collect();
        return Authored::Land(Grid::from_vec(map.width(), map.height(), land));
    }
    if map.cells().iter().all(|v| (0.0..=1.0).contains(v)) {
        let (sea, peak) = (p.map.sea_grey, p.elevation.peak_elevation);
        let metres = |v: f32| ((v as f64 - sea) / (1.0 - sea) * peak) as f32;
        // Grey tells no depth, so the sea gets its own floor.
        map.cells_mut().iter_mut().for_each(|v| *v = metres(*v).max(0.0));
    }
    Authored::Height(map)
}

/// An island and the map it was made from.
struct MadeIsland {
    island: Island,
    map: Option<Grid<f32>>,
}

impl Made for MadeIsland {
    fn catalogue(&self) -> Catalogue<'_> {
        self.island.catalogue()
    }

    fn map(&self, name: &str) -> Option<&Grid<f32>> {
        self.map.as_ref().filter(|_| name == "h")
    }

    fn picture(&self, catalogue: &Catalogue, ctx: &Ctx) -> Result<Image> {
        render::map(catalogue, &style::map_style(&self.island), ctx)
    }

    fn write_own(&self, _: &OwnFile, _: &[String], out: &mut Sink, ctx: &Ctx) -> Result<()> {
        self.island.write_terrain(out, ctx)
    }
}
