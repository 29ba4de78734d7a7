//! The forest as one of the worlds.

use super::style;
use super::tiles::{self, Cliffs, Layout};
use super::{Authored, BYTES_PER_SEED, BYTES_PER_SQUARE, BYTES_PER_TILE, Forest, ForestParams, generate};
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

/// The forest.
pub struct ForestWorld;

impl World for ForestWorld {
    fn name(&self) -> &'static str {
        "forest"
    }

    fn about(&self) -> &'static str {
        "A tile grid with water, biomes, trails and passability: one record per tile."
    }

    fn default_size(&self) -> (usize, usize) {
        (256, 256)
    }

    fn length_unit(&self) -> &'static str {
        "tiles"
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<ForestParams>()
    }

    fn map_names(&self) -> &'static [(&'static str, &'static str)] {
        &[("h", "elevation"), ("r", "roughness"), ("v", "vegetation variance")]
    }

    fn check(&self, params: &ParamTree) -> Result<()> {
        params.finish::<ForestParams>().map(drop)
    }

    fn bytes_needed(&self, recipe: &Recipe) -> u64 {
        let (width, height) = (recipe.size.0 as u64, recipe.size.1 as u64);
        // The ground of the trails comes in squares, which a narrow map fills badly.
        let squares = width.next_multiple_of(32).saturating_mul(height.next_multiple_of(32));
        let tiles = width.saturating_mul(height);
        let per_seed =
            recipe.params.value("game_trails.seed_tiles_per_trail").and_then(Value::as_u64).unwrap_or(1);
        let seeds = tiles / per_seed.max(1);
        [(tiles, BYTES_PER_TILE), (squares, BYTES_PER_SQUARE), (seeds, BYTES_PER_SEED)]
            .iter()
            .fold(0u64, |sum, (count, bytes)| sum.saturating_add(count.saturating_mul(*bytes)))
    }

    fn own_files(&self) -> &'static [OwnFile] {
        &[
            OwnFile { name: "tiles.json", about: "the tile envelope, one record per tile", by_default: true },
            OwnFile { name: "tiles.ndjson", about: "the same records, one a line", by_default: false },
        ]
    }

    fn extras(&self) -> &'static [(&'static str, &'static str)] {
        &[("cliffs", "navigation.cliffs: directions in which a step climbs a cliff")]
    }

    fn layer_names(&self) -> Vec<&'static str> {
        let params = ForestParams::default();
        let smallest = generate((1, 1), Authored::default(), Seed(0), &params, &Ctx::default());
        smallest.map(|f| f.catalogue().layers.iter().map(|l| l.name).collect()).unwrap_or_default()
    }

    fn output_schema(&self) -> Value {
        serde_json::from_str(tiles::SCHEMA).expect("the schema is JSON")
    }

    fn make(
        &self,
        recipe: &Recipe,
        mut maps: BTreeMap<String, Grid<f32>>,
        ctx: &Ctx,
    ) -> Result<Box<dyn Made>> {
        let params: ForestParams = recipe.params.finish()?;
        let authored = Authored {
            height: maps.remove("h"),
            roughness: maps.remove("r"),
            vegetation_variance: maps.remove("v"),
        };
        Ok(Box::new(generate(recipe.size, authored, Seed(recipe.seed), &params, ctx)?))
    }
}

impl Made for Forest {
    fn catalogue(&self) -> Catalogue<'_> {
        Forest::catalogue(self)
    }

    fn picture(&self, catalogue: &Catalogue, ctx: &Ctx) -> Result<Image> {
        render::map(catalogue, &style::map_style(self), ctx)
    }

    fn write_own(&self, file: &OwnFile, extras: &[String], out: &mut Sink, ctx: &Ctx) -> Result<()> {
        let layout = if file.name == "tiles.json" { Layout::Json } else { Layout::Ndjson };
        let cliffs = if extras.iter().any(|e| e == "cliffs") { Cliffs::Include } else { Cliffs::Omit };
        tiles::write(self, layout, cliffs, out, ctx)
    }
}
