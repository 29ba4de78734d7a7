//! The island as one of the worlds.

use super::catalogue::LAYERS;
use super::params::IslandParams;
use super::{Authored, DRAWN_M, SIDES, make, style, terrain};
use crate::catalogue::explain::Explain;
use crate::catalogue::{Catalogue, LayerOf, LayerSpec};
use crate::error::Result;
use crate::params::ParamTree;
use crate::reading::is_mask;
use crate::style::Scene;
use crate::style::exports::Exports;
use crate::world::{
    Case, Content, FileSpec, GalleryPicture, GreySea, HeightTerms, Inputs, MapExtent, MapInput, MapValues,
    PhaseInfo, Phases, Plan, World, WorldInfo, map_values, recipes, validate_sides,
};
use serde_json::Value;
use weald_core::{Ctx, Grid};

/// The island.
pub struct IslandWorld;

/// Bytes of memory per cell, at most, while a map is made, drawn and written.
const BYTES_PER_CELL: u64 = 110;

/// The island whose steps are shown in the documentation.
const STEPS: &str = "debug island --seed 5 --size 384";

const fn step(name: &'static str, file: &'static str) -> GalleryPicture {
    GalleryPicture { name, file, args: STEPS }
}

/// What the island declares.
pub(super) static INFO: WorldInfo = WorldInfo {
    name: "island",
    about: "Islands whose land all drains to the sea, with rivers that have an order, a basin and a valley.",
    default_seed: 1,
    default_size: (1024, 1024),
    fixed_extent: false,
    length_unit: "m",
    maps: &[MapInput {
        name: "h",
        alias: "height",
        about: "a land mask of 0 and 1, grey heights, or metres above the sea",
        values: MapValues::Heights(HeightTerms {
            extent: MapExtent::Cell("map.cell_m"),
            sea: GreySea::Share("map.sea_grey"),
            range_m: (*DRAWN_M.start(), *DRAWN_M.end()),
            grey: &["map.sea_grey", "elevation.peak_elevation"],
        }),
    }],
    at: None,
    placed: None,
    files: &[FileSpec {
        name: "terrain.json",
        about: "heights, flow accumulation, moisture and rivers as the document's TerrainData",
        by_default: true,
        needs: None,
        content: Content::Text(terrain::write),
    }],
    options: &[],
    exports: Exports {
        ground: Some(super::chart::GROUND),
        chart: Some(super::chart::chart_style),
        ..Exports::NONE
    },
    views: style::VIEWS,
    explain: Explain::of_cells(super::explain::explain),
    tiles: None,
    scene: Scene::Relief,
    key_layers: &["height", "cover"],
    phases: &[
        PhaseInfo {
            name: "coast",
            about: "Land, coast, distances and heights before rivers",
            params: &["map", "shape", "elevation", "sea"],
        },
        PhaseInfo {
            name: "rivers",
            about: "Peaks, rivers, valleys, noise and ground that drains",
            params: &["rivers", "valleys", "noise"],
        },
        PhaseInfo { name: "cover", about: "Moisture, cover and harbours", params: &["harbours"] },
    ],
    recipes: recipes!["island", "archipelago", "atoll", "continent", "island-literal"],
    goldens: &[
        Case::new(1, 128, 128),
        Case::new(42, 200, 150),
        Case::new(7, 256, 256),
        Case::new(u64::MAX, 61, 240),
    ],
    benches: &[Case::new(7, 1024, 1024), Case::new(7, 2048, 2048)],
    gallery: &[
        GalleryPicture::map("island-7.png", "generate island --seed 7"),
        GalleryPicture::map("archipelago-3.png", "generate island --recipe archipelago --seed 3 --size 768"),
        GalleryPicture::map("atoll-3.png", "generate island --recipe atoll --seed 3 --size 768"),
        GalleryPicture::map("continent-3.png", "generate island --recipe continent --seed 3 --size 768"),
        GalleryPicture::map(
            "island-literal-3.png",
            "generate island --recipe island-literal --seed 3 --size 768",
        ),
        step("island-step-1.png", "debug/likelihood.png"),
        step("island-step-1-land.png", "debug/land.png"),
        step("island-step-2.png", "debug/shoreline.png"),
        step("island-step-3.png", "debug/shore_distance.png"),
        step("island-step-4.png", "debug/height_hills.png"),
        step("island-step-6.png", "debug/river_order.png"),
        step("island-step-7.png", "debug/height_carved.png"),
        step("island-step-8.png", "debug/height.png"),
        step("island-step-9.png", "debug/flow_accumulation.png"),
        step("island-step-9-moisture.png", "debug/moisture.png"),
    ],
};

impl World for IslandWorld {
    fn info(&self) -> &'static WorldInfo {
        &INFO
    }

    fn layers(&self) -> Vec<LayerSpec> {
        LayerOf::specs(LAYERS)
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<IslandParams>()
    }

    fn plan(&self, params: &ParamTree) -> Result<Box<dyn Plan>> {
        Ok(Box::new(params.finish::<IslandParams>()?))
    }

    fn output_schema(&self) -> Value {
        terrain::schema()
    }
}

impl Plan for IslandParams {
    fn check_size(&self, size: (usize, usize)) -> Result<()> {
        validate_sides(size, &SIDES, None)
    }

    fn bytes_needed(&self, (width, height): (usize, usize)) -> u64 {
        (width as u64).saturating_mul(height as u64).saturating_mul(BYTES_PER_CELL)
    }

    fn make(&self, mut inputs: Inputs, phases: &mut Phases, ctx: &Ctx) -> Result<Catalogue> {
        let authored = inputs.take_map("h").map(|map| authored(map, inputs.in_metres, self));
        Ok(make(inputs.size, authored, (inputs.seed, self), phases, ctx)?.into_catalogue())
    }

    fn reads_map(&self, _name: &str, map: &Grid<f32>, in_metres: bool) -> String {
        match Values::of(map, in_metres) {
            Values::Mask => "a land mask, below 0.5 for sea and above for land".into(),
            Values::Grey => {
                let peak = self.elevation.peak_elevation;
                format!("{}, with white at elevation.peak_elevation = {peak} m", map_values(map, in_metres))
            }
            Values::Metres => map_values(map, in_metres),
        }
    }
}

/// A map of 0 and 1, also with blurred edges, is a land mask. Other values between 0 and 1 are grey, with white at the peak elevation; other
/// maps are in metres already.
fn authored(mut map: Grid<f32>, in_metres: bool, p: &IslandParams) -> Authored {
    match Values::of(&map, in_metres) {
        Values::Mask => {
            let land = map.cells().iter().map(|&v| u8::from(v >= 0.5)).collect();
            return Authored::Land(Grid::from_vec(map.width(), map.height(), land));
        }
        Values::Grey => {
            let (sea, peak) = (p.map.sea_grey, p.elevation.peak_elevation);
            let metres = |v: f32| ((v as f64 - sea) / (1.0 - sea) * peak) as f32;
            // Grey values give no depth, so the sea floor is generated.
            map.cells_mut().iter_mut().for_each(|v| *v = metres(*v).max(0.0));
        }
        Values::Metres => {}
    }
    Authored::Height(map)
}

/// What the numbers of a map mean.
enum Values {
    /// 0 for the sea and 1 for land; edges may be blurred.
    Mask,
    /// Grey from 0 to 1.
    Grey,
    /// Metres above the sea.
    Metres,
}

impl Values {
    /// What they mean if they are not said to be metres.
    fn of(map: &Grid<f32>, in_metres: bool) -> Self {
        if in_metres || !map.cells().iter().all(|v| (0.0..=1.0).contains(v)) {
            return Self::Metres;
        }
        if is_mask(map, 1.0) { Self::Mask } else { Self::Grey }
    }
}
