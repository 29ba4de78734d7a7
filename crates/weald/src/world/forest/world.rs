//! The forest as one of the worlds.

use super::catalogue::LAYERS;
use super::parts::ForestParts;
use super::tiles::{self, Cliffs, Layout};
use super::{Authored, BYTES_PER_SEED, BYTES_PER_SQUARE, BYTES_PER_TILE, ForestParams, make, style};
use crate::catalogue::explain::Explain;
use crate::catalogue::{Catalogue, LayerOf, LayerSpec};
use crate::error::Result;
use crate::params::ParamTree;
use crate::sink::Sink;
use crate::style::Scene;
use crate::style::exports::Exports;
use crate::world::parts::Parts;
use crate::world::{
    Case, Content, FileOption, FileSpec, GalleryPicture, InTiles, Inputs, MapInput, MapValues, PhaseInfo,
    Phases, Plan, World, WorldInfo, recipes,
};
use serde_json::Value;
use weald_core::tiled::Tiles;
use weald_core::{Ctx, Grid, Seed};

/// The forest.
pub struct ForestWorld;

/// What the forest declares.
pub(super) static INFO: WorldInfo = WorldInfo {
    name: "forest",
    about: "A tile grid with water, biomes, trails and passability: one record per tile.",
    default_seed: 1,
    default_size: (256, 256),
    fixed_extent: false,
    length_unit: "tiles",
    maps: &[
        MapInput {
            name: "h",
            alias: "height",
            about: "elevation, 0 to 1, or metres, which are scaled to it",
            values: MapValues::ScaledHeights,
        },
        MapInput { name: "r", alias: "roughness", about: "roughness, 0 to 1", values: MapValues::Shares },
        MapInput {
            name: "v",
            alias: "vegetation_variance",
            about: "vegetation variance, 0 to 1",
            values: MapValues::Shares,
        },
    ],
    at: None,
    placed: None,
    files: &[
        FileSpec {
            name: "tiles.json",
            about: "the tile envelope, one record per tile",
            by_default: true,
            needs: None,
            content: Content::Text(|c, with, out, ctx| write(c, Layout::Json, with, out, ctx)),
        },
        FileSpec {
            name: "tiles.ndjson",
            about: "the same records, one per line",
            by_default: false,
            needs: None,
            content: Content::Text(|c, with, out, ctx| write(c, Layout::Ndjson, with, out, ctx)),
        },
    ],
    options: &[FileOption {
        name: "cliffs",
        about: "navigation.cliffs: directions in which a step climbs a cliff",
        comes_with: None,
    }],
    exports: Exports {
        ground: Some(super::chart::GROUND),
        chart: Some(super::chart::chart_style),
        ..Exports::NONE
    },
    views: style::VIEWS,
    explain: Explain::of_cells(super::explain::explain),
    tiles: None,
    scene: Scene::Relief,
    key_layers: &["height", "biome", "water_class", "landform"],
    phases: &[
        PhaseInfo {
            name: "land",
            about: "Base maps, slope, aspect and landforms",
            params: &["elevation", "height_noise", "roughness_noise", "veg_variance_noise", "landform"],
        },
        PhaseInfo { name: "water", about: "Flow, lakes, streams, moisture", params: &["hydrology"] },
        PhaseInfo {
            name: "cover",
            about: "Biomes, vegetation, soil, surface and obstruction",
            params: &["veg_variance_noise", "ground", "roughness_features"],
        },
        PhaseInfo { name: "trails", about: "Game trails", params: &["grid", "game_trails", "hydrology"] },
        PhaseInfo {
            name: "navigation",
            about: "Visibility, move cost, passability",
            params: &["grid", "movement", "visibility", "orientation", "game_trails"],
        },
    ],
    recipes: recipes!["forest", "forest-rugged", "forest-wild"],
    goldens: &[
        Case::new(1, 64, 64),
        Case::new(42, 97, 61),
        Case::new(42, 256, 256),
        Case::new(u64::MAX, 33, 200),
    ],
    benches: &[Case::new(42, 1024, 1024), Case::new(42, 2048, 2048)],
    gallery: &[
        GalleryPicture::map("forest-42.png", "generate forest --seed 42 --size 256x256"),
        GalleryPicture::map("forest-rugged-7.png", "generate forest --recipe forest-rugged --seed 7"),
        GalleryPicture::map("forest-wild-1.png", "generate forest --recipe forest-wild --seed 1"),
    ],
};

fn write(catalogue: &Catalogue, layout: Layout, with: &[String], out: &mut Sink, ctx: &Ctx) -> Result<()> {
    let cliffs = if with.iter().any(|w| w == "cliffs") { Cliffs::Include } else { Cliffs::Omit };
    tiles::write(catalogue, layout, cliffs, out, ctx)
}

impl World for ForestWorld {
    fn info(&self) -> &'static WorldInfo {
        &INFO
    }

    fn layers(&self) -> Vec<LayerSpec> {
        LayerOf::specs(LAYERS)
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<ForestParams>()
    }

    /// The document's maps have the size of the world.
    fn resamples_maps(&self) -> bool {
        false
    }

    fn plan(&self, params: &ParamTree) -> Result<Box<dyn Plan>> {
        Ok(Box::new(params.finish::<ForestParams>()?))
    }

    fn in_tiles(&self) -> Option<&'static InTiles> {
        const WHY: &str = "game trails cross the whole map and are left out";
        Some(&InTiles { settings: &[("game_trails.seed_tiles_per_trail", 0, WHY)] })
    }

    fn output_schema(&self) -> Value {
        serde_json::from_str(tiles::SCHEMA).expect("the schema is JSON")
    }
}

impl Plan for ForestParams {
    fn bytes_needed(&self, (width, height): (usize, usize)) -> u64 {
        let (width, height) = (width as u64, height as u64);
        // Trails are searched in squares of tiles, which a narrow map fills badly.
        let squares = width.next_multiple_of(32).saturating_mul(height.next_multiple_of(32));
        let tiles = width.saturating_mul(height);
        let seeds = tiles.checked_div(self.game_trails.seed_tiles_per_trail.into()).unwrap_or(0);
        [(tiles, BYTES_PER_TILE), (squares, BYTES_PER_SQUARE), (seeds, BYTES_PER_SEED)]
            .iter()
            .fold(0u64, |sum, (count, bytes)| sum.saturating_add(count.saturating_mul(*bytes)))
    }

    fn make(&self, mut inputs: Inputs, phases: &mut Phases, ctx: &Ctx) -> Result<Catalogue> {
        let authored = Authored {
            height: inputs.take_map("h"),
            roughness: inputs.take_map("r"),
            vegetation_variance: inputs.take_map("v"),
        };
        Ok(make(inputs.size, authored, (inputs.seed, self), phases, ctx)?.into_catalogue())
    }

    fn parts(&self, seed: Seed, tiles: Tiles) -> Result<Option<Box<dyn Parts>>> {
        Ok(Some(Box::new(ForestParts::new(self, seed, tiles)?)))
    }

    fn reads_map(&self, _name: &str, _map: &Grid<f32>, _in_metres: bool) -> String {
        "values from 0 to 1".into()
    }
}
