//! The endless world as one of the worlds.

use super::catalogue::MINE_LAYERS;
use super::map::{Map, generate};
use super::params::EndlessParams;
use super::place::Endless;
use super::window::Window;
use super::{FEATURES, TERRAINS, style};
use crate::error::Result;
use crate::export::Sink;
use crate::layer::Catalogue;
use crate::params::ParamTree;
use crate::recipe::Recipe;
use crate::render::Image;
use crate::world::{Made, OwnFile, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use weald_core::{Ctx, Grid, Seed};

/// The endless world.
pub struct EndlessWorld;

/// Bytes a cell takes in memory at the most while a map is made, drawn and written.
const BYTES_PER_CELL: u64 = 160;

impl World for EndlessWorld {
    fn name(&self) -> &'static str {
        "endless"
    }

    fn about(&self) -> &'static str {
        "A plane without edges, a pure function of place: hills, lakes, woods, towns, streams, roads and mines."
    }

    fn default_seed(&self) -> u64 {
        0
    }

    fn default_size(&self) -> (usize, usize) {
        (800, 600)
    }

    fn length_unit(&self) -> &'static str {
        "m"
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<EndlessParams>()
    }

    fn check(&self, params: &ParamTree) -> Result<()> {
        params.finish::<EndlessParams>().map(drop)
    }

    fn bytes_needed(&self, recipe: &Recipe) -> u64 {
        let levels = recipe.params.value("mines.levels").and_then(Value::as_u64).unwrap_or(1);
        recipe.cells().saturating_mul(BYTES_PER_CELL + levels)
    }

    fn own_files(&self) -> &'static [OwnFile] {
        &[OwnFile { name: "trees.csv", about: "every tree: x, y, kind, exact x and y", by_default: false }]
    }

    fn layer_names(&self) -> Vec<&'static str> {
        let window = Window { west: 0, north: 0, width: 1, height: 1 };
        let world =
            Endless::new(Seed(0), &EndlessParams { streams: false, roads: false, ..Default::default() });
        let map = world.and_then(|world| generate(&world, window, &Ctx::default()));
        let names = map.map(|m| m.catalogue().layers.iter().map(|l| l.name).collect::<Vec<_>>());
        names.into_iter().flatten().chain(MINE_LAYERS.into_iter().skip(1)).collect()
    }

    fn output_schema(&self) -> Value {
        let names = |table: &[crate::layer::Class]| table.iter().map(|c| c.name).collect::<Vec<_>>();
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A place of the endless world, as `weald sample endless --json` prints it",
            "type": "object",
            "required": ["x", "y", "height", "depth", "terrain", "feature", "code"],
            "properties": {
                "x": {"type": "number", "description": "Metres east."},
                "y": {"type": "number", "description": "Metres north."},
                "height": {"type": "number", "description": "Height of the ground, or of the water."},
                "depth": {"type": "number", "minimum": 0, "description": "Depth of the water."},
                "terrain": {"enum": names(TERRAINS)},
                "feature": {"enum": names(FEATURES)},
                "code": {"type": "string", "pattern": "^([A-Z]{2})?$"},
            },
        })
    }

    fn make(&self, recipe: &Recipe, _maps: BTreeMap<String, Grid<f32>>, ctx: &Ctx) -> Result<Box<dyn Made>> {
        let params: EndlessParams = recipe.params.finish()?;
        let (width, height) = recipe.size;
        let window = Window { west: params.at.x, north: params.at.y, width, height };
        Ok(Box::new(generate(&Endless::new(Seed(recipe.seed), &params)?, window, ctx)?))
    }
}

impl Made for Map {
    fn catalogue(&self) -> Catalogue<'_> {
        Map::catalogue(self)
    }

    fn picture(&self, catalogue: &Catalogue, ctx: &Ctx) -> Result<Image> {
        style::draw(self, catalogue, ctx)
    }

    fn write_own(&self, _file: &OwnFile, _extras: &[String], out: &mut Sink, ctx: &Ctx) -> Result<()> {
        out.write(b"x,y,kind,tree_x,tree_y\n")?;
        for (i, tree) in self.trees().enumerate() {
            if i % 4096 == 0 {
                ctx.checkpoint()?;
            }
            let ((x, y), offset) = (tree.place, tree.offset);
            let line = format!("{x},{y},{},{:?},{:?}\n", tree.kind, x as f64 + offset, y as f64 + offset);
            out.write(line.as_bytes())?;
        }
        Ok(())
    }
}
