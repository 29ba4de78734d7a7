//! The realm as one of the worlds.

use super::catalogue::{LAYERS, write_violations};
use super::params::RealmParams;
use super::tiles::TILES;
use super::{SIDES, make, style};
use crate::catalogue::explain::Explain;
use crate::catalogue::{Catalogue, LayerOf, LayerSpec, Rgb};
use crate::error::Result;
use crate::params::ParamTree;
use crate::style::Scene;
use crate::style::exports::Exports;
use crate::world::{
    Case, Content, FileSpec, GalleryPicture, Inputs, PhaseInfo, Phases, Plan, World, WorldInfo,
    points_schema, recipes, validate_sides,
};
use serde_json::{Value, json};
use weald_core::{Ctx, Grid};

/// The realm.
pub struct RealmWorld;

/// Bytes of memory per tile, at most, while a map is made, drawn and written.
const BYTES_PER_TILE: u64 = 400;

/// What the realm declares.
pub(super) static INFO: WorldInfo = WorldInfo {
    name: "realm",
    about: "A world map of biomes with organic borders, settlements, and rivers, railroads and roads that obey rules.",
    default_seed: 1,
    default_size: (256, 256),
    fixed_extent: false,
    length_unit: "m",
    maps: &[],
    at: None,
    placed: None,
    files: &[
        FileSpec {
            name: "map_clean.png",
            about: "the picture of the map without names",
            by_default: true,
            needs: None,
            content: Content::View("clean"),
        },
        FileSpec {
            name: "violations.csv",
            about: "broken rules, one per line; only the header if there are none",
            by_default: true,
            needs: None,
            content: Content::Text(write_violations),
        },
    ],
    options: &[],
    exports: Exports {
        ground: Some(super::chart::GROUND),
        chart: Some(super::chart::chart_style),
        tiles: Some(&TILES),
        ..Exports::NONE
    },
    views: style::VIEWS,
    explain: Explain::of_cells(super::explain::explain),
    tiles: None,
    scene: Scene::Relief,
    key_layers: &["biome", "height", "water"],
    phases: &[
        PhaseInfo {
            name: "land",
            about: "Land and ocean, coasts and heights",
            params: &["map", "land", "coast", "elevation", "borders", "biomes.template"],
        },
        PhaseInfo {
            name: "cover",
            about: "Climate, biomes, lakes and borders",
            params: &["climate", "biomes", "rivers.lakes"],
        },
        PhaseInfo { name: "rivers", about: "Rivers, oxbow lakes and transitions", params: &["rivers"] },
        PhaseInfo {
            name: "people",
            about: "Settlements, railroads, roads and crossings",
            params: &["settlements", "railroads", "roads", "names"],
        },
    ],
    recipes: recipes!["realm", "realm-coast", "realm-heartland", "realm-template"],
    goldens: &[
        Case::new(1, 128, 128),
        Case::new(42, 160, 96),
        Case::new(7, 256, 256),
        Case::new(u64::MAX, 61, 200),
    ],
    benches: &[Case::new(7, 256, 256), Case::new(7, 1024, 1024)],
    gallery: &[
        GalleryPicture::map("realm-7.png", "generate realm --seed 7"),
        GalleryPicture::map("realm-coast-3.png", "generate realm --recipe realm-coast --seed 3"),
        GalleryPicture::map("realm-heartland-3.png", "generate realm --recipe realm-heartland --seed 3"),
        GalleryPicture::map("realm-template-3.png", "generate realm --recipe realm-template --seed 3"),
    ],
};

impl World for RealmWorld {
    fn param_from_picture(&self, path: &str, picture: &Grid<Rgb>) -> std::result::Result<Value, String> {
        match path {
            "biomes.template" => Ok(super::template::from_picture(picture)?.into()),
            _ => Err(format!("{path} cannot be read from a picture; only biomes.template can")),
        }
    }

    fn info(&self) -> &'static WorldInfo {
        &INFO
    }

    fn layers(&self) -> Vec<LayerSpec> {
        LayerOf::specs(LAYERS)
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<RealmParams>()
    }

    fn plan(&self, params: &ParamTree) -> Result<Box<dyn Plan>> {
        Ok(Box::new(params.finish::<RealmParams>()?))
    }

    fn output_schema(&self) -> Value {
        points_schema(
            "Settlements of a realm",
            json!({
                "name": {"type": "string", "minLength": 1},
                "tier": {"type": "integer", "minimum": 1, "maximum": 5},
                "kind": {"enum": super::settlements::KINDS},
                "radius": {"type": "integer", "minimum": 0, "maximum": 3},
                "population": {"type": "integer", "minimum": 0},
                "biome": {"type": "string"},
                "harbour": {"type": "boolean"},
                "landmass": {"type": "integer", "minimum": 1},
                "road": {"type": "boolean"},
                "rail": {"type": "boolean"},
                "road_reason": {"type": ["string", "null"]},
                "rail_reason": {"type": ["string", "null"]},
            }),
        )
    }
}

impl Plan for RealmParams {
    fn check_size(&self, size: (usize, usize)) -> Result<()> {
        validate_sides(size, &SIDES, None)
    }

    fn bytes_needed(&self, (width, height): (usize, usize)) -> u64 {
        (width as u64).saturating_mul(height as u64).saturating_mul(BYTES_PER_TILE)
    }

    fn make(&self, inputs: Inputs, phases: &mut Phases, ctx: &Ctx) -> Result<Catalogue> {
        Ok(make(inputs.size, (inputs.seed, self), phases, ctx)?.into_catalogue())
    }
}
