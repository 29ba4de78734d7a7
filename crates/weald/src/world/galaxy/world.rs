//! The galaxy as one of the worlds.

use super::catalogue::LAYERS;
use super::{GalaxyParams, make, stars, style};
use crate::catalogue::explain::Explain;
use crate::catalogue::{Catalogue, LayerOf, LayerSpec};
use crate::error::Result;
use crate::params::ParamTree;
use crate::sink::Sink;
use crate::style::Scene;
use crate::style::exports::Exports;
use crate::world::{
    At, Case, Content, FileSpec, GalleryPicture, Inputs, PhaseInfo, Phases, Plan, WindowPlace, World,
    WorldInfo, points_schema, recipes,
};
use serde_json::{Value, json};
use weald_core::Ctx;

/// The galaxy.
pub struct GalaxyWorld;

/// Bytes per column of space: four grids of gas and one of counts, sums while they are made; and a pixel of a large
/// picture as light, canvas and bytes.
const BYTES_PER_COLUMN: u64 = 18 + 12 + 22;
/// Bytes per star in memory, as a point and as text.
const BYTES_PER_STAR: f64 = 1000.0;
/// The pixels of a picture of usual size, the sheet's edges and the program.
const BYTES: u64 = 96 << 20;

/// What the galaxy declares.
pub(super) static INFO: WorldInfo = WorldInfo {
    name: "galaxy",
    about: "A block of space with nebulae and stars, every cubic light year a function of its place.",
    default_seed: 0,
    default_size: (800, 600),
    fixed_extent: false,
    length_unit: "ly",
    maps: &[],
    at: Some(At::Window(WindowPlace {
        params: ["at.x", "at.y"],
        depth: Some("at.z"),
        about: "the viewer, in front of the centre of the block, in light years",
    })),
    placed: None,
    files: &[FileSpec {
        name: "stars.csv",
        about: "every star: x, y, z, magnitude, planets, colour",
        by_default: true,
        needs: None,
        content: Content::Text(write_stars),
    }],
    options: &[],
    exports: Exports::NONE,
    views: style::VIEWS,
    explain: Explain::of_cells(super::explain::explain),
    tiles: None,
    scene: Scene::Space { points: "stars", gas: &["nebula_near", "nebula_middle", "nebula_far"] },
    key_layers: &["nebula", "stars"],
    phases: &[PhaseInfo { name: "scan", about: "Stars and gas", params: &["depth_ly", "at", "nebula"] }],
    recipes: recipes!["galaxy"],
    goldens: &[Case::new(0, 160, 120), Case::new(42, 97, 61), Case::new(u64::MAX, 33, 200)],
    benches: &[Case::new(1, 800, 600)],
    gallery: &[GalleryPicture::map("galaxy-1.png", "generate galaxy --seed 1")],
};

impl World for GalaxyWorld {
    fn info(&self) -> &'static WorldInfo {
        &INFO
    }

    fn layers(&self) -> Vec<LayerSpec> {
        LayerOf::specs(LAYERS)
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<GalaxyParams>()
    }

    fn plan(&self, params: &ParamTree) -> Result<Box<dyn Plan>> {
        Ok(Box::new(params.finish::<GalaxyParams>()?))
    }

    /// Of stars.geojson: stars.csv has the same columns.
    fn output_schema(&self) -> Value {
        let (whole, bits) =
            (json!({"type": "integer"}), json!({"type": "integer", "minimum": 0, "maximum": 15}));
        points_schema(
            "stars.geojson of a galaxy",
            json!({
                "x": whole, "y": whole, "z": whole, "magnitude": {"type": "number"},
                "planets": bits, "colour": bits,
            }),
        )
    }
}

impl Plan for GalaxyParams {
    fn bytes_needed(&self, (width, height): (usize, usize)) -> u64 {
        let columns = (width as u64).saturating_mul(height as u64);
        let stars = columns as f64 * self.depth_ly as f64 * stars::CHANCE * BYTES_PER_STAR;
        columns.saturating_mul(BYTES_PER_COLUMN).saturating_add(stars as u64).saturating_add(BYTES)
    }

    fn make(&self, inputs: Inputs, phases: &mut Phases, ctx: &Ctx) -> Result<Catalogue> {
        Ok(make(inputs.size, inputs.seed, self, phases, ctx)?.into_catalogue())
    }
}

/// Every star, one per line.
fn write_stars(catalogue: &Catalogue, _: &[String], out: &mut Sink, _: &Ctx) -> Result<()> {
    let stars = catalogue.point_set("stars");
    out.with(|w| {
        writeln!(w, "x,y,z,magnitude,planets,colour")?;
        stars.iter().flat_map(|set| &set.features).try_for_each(|star| {
            let value = |name: &str| star.property(name).cloned().unwrap_or_default();
            let magnitude = value("magnitude").as_f64().unwrap_or(0.0);
            let (x, y, z) = (value("x"), value("y"), value("z"));
            writeln!(w, "{x},{y},{z},{magnitude},{},{}", value("planets"), value("colour"))
        })
    })
}
