//! The planet as one of the worlds.

use super::catalogue::LAYERS;
use super::ground::Ground;
use super::parts::PlanetParts;
use super::{Placed, PlanetParams, make, style};
use crate::catalogue::{Catalogue, LayerOf, LayerSpec, Sampler};
use crate::error::{Error, Result};
use crate::params::ParamTree;
use crate::style::Scene;
use crate::style::exports::Exports;
use crate::world::parts::Parts;
use crate::world::{
    At, Case, Content, FileSpec, GalleryPicture, InTiles, Inputs, PhaseInfo, Phases, PicturePlace, Plan,
    World, WorldInfo, points_schema, recipes,
};
use serde_json::{Value, json};
use std::sync::Arc;
use weald_core::tiled::Tiles;
use weald_core::{Ctx, Seed};

/// The planet.
pub struct PlanetWorld;

/// Bytes per cell of a face: 4 + 4 + 1 + 1 in six grids, and its solid angle.
pub(super) const BYTES_PER_CELL: u64 = 6 * 10 + 16;
/// Bytes for each square metre of radius², for features in memory, as points and as text: there is a feature on at most one
/// in 4000 of 9·r² crossings, and each takes about 800 bytes.
const FEATURE_BYTES: f64 = 9.0 * 800.0 / 4000.0;
/// Bytes of the pictures, of which one is drawn at a time: the largest is a globe of 8192 pixels, and its file. The largest map
/// around a place takes less.
const PICTURE_BYTES: u64 = (64 << 20) + 2 * 3 * 8192 * 8192;

/// What the planet declares.
pub(super) static INFO: WorldInfo = WorldInfo {
    name: "planet",
    about: "A sphere of ground, sea and features without poles or seams, as the six faces of a cube.",
    default_seed: 0,
    default_size: (256, 256),
    fixed_extent: true,
    length_unit: "m",
    maps: &[],
    at: Some(At::Picture(PicturePlace {
        settings: ["latitude", "longitude"],
        about: "the centre of the pictures, latitude and longitude in degrees, north and east positive",
        map: ("local", "radius"),
    })),
    placed: Some("placed"),
    files: &[
        FileSpec {
            name: "equirectangular.png",
            about: "the equirectangular map of all longitudes and latitudes, north up",
            by_default: true,
            needs: None,
            content: Content::View("equirectangular"),
        },
        FileSpec {
            name: "orthographic.png",
            about: "the globe, seen from far above 20\u{b0} north, 30\u{b0} east or the place of --at",
            by_default: true,
            needs: None,
            content: Content::View("orthographic"),
        },
    ],
    options: &[],
    exports: Exports::NONE,
    views: style::VIEWS,
    explain: super::explain::EXPLAIN,
    tiles: None,
    scene: Scene::Globe { view: "equirectangular", sea_level: "lake_level" },
    key_layers: &[],
    phases: &[
        PhaseInfo {
            name: "features",
            about: "Features on the sphere",
            params: &["radius_m", "lake_level", "placed"],
        },
        PhaseInfo { name: "faces", about: "Height, depth and terrain of the six faces", params: &[] },
    ],
    recipes: recipes!["planet"],
    goldens: &[Case::new(0, 64, 64), Case::new(42, 33, 33)],
    benches: &[Case::new(0, 256, 256)],
    gallery: &[GalleryPicture::map("planet-0.png", "generate planet")],
};

impl World for PlanetWorld {
    fn info(&self) -> &'static WorldInfo {
        &INFO
    }

    fn layers(&self) -> Vec<LayerSpec> {
        LayerOf::specs(LAYERS)
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<PlanetParams>()
    }

    fn plan(&self, params: &ParamTree) -> Result<Box<dyn Plan>> {
        Ok(Box::new(params.finish::<PlanetParams>()?))
    }

    fn in_tiles(&self) -> Option<&'static InTiles> {
        Some(&InTiles { settings: &[] })
    }

    /// Of features.geojson: the pictures have none.
    fn output_schema(&self) -> Value {
        let number = json!({"type": "number"});
        let kinds: Vec<&str> = super::classes::FEATURES[1..].iter().map(|c| c.name).collect();
        let faces: Vec<&str> = super::sphere::FACES.iter().map(|f| f.name).collect();
        points_schema(
            "features.geojson of a planet",
            json!({
                "kind": {"enum": kinds}, "face": {"enum": faces},
                "version": {"type": "integer", "minimum": 0, "maximum": 3},
                "x": number, "y": number, "z": number,
                "lat": {"type": "number", "minimum": -90, "maximum": 90},
                "lon": {"type": "number", "minimum": -180, "maximum": 180},
            }),
        )
    }

    fn param_from_text(&self, _path: &str, text: &str) -> std::result::Result<Value, String> {
        Ok(Placed::parse(text)?.to_text().trim_end().into())
    }
}

/// A face has as many columns as rows.
pub(super) fn validate_face((width, height): (usize, usize)) -> Result<()> {
    if width == height {
        return Ok(());
    }
    let message = "a face of the cube is a square; give both sides the same length, such as --size";
    Err(Error::Invalid(format!("size = {width}x{height}: {message} {0}x{0}", width.max(height))))
}

impl Plan for PlanetParams {
    fn bytes_needed(&self, (width, height): (usize, usize)) -> u64 {
        let cells = (width as u64).saturating_mul(height as u64);
        let features = (self.radius_m * self.radius_m * FEATURE_BYTES) as u64;
        cells.saturating_mul(BYTES_PER_CELL).saturating_add(features).saturating_add(PICTURE_BYTES)
    }

    fn make(&self, inputs: Inputs, phases: &mut Phases, ctx: &Ctx) -> Result<Catalogue> {
        validate_face(inputs.size)?;
        Ok(make(inputs.size.0, inputs.seed, self, phases, ctx)?.into_catalogue())
    }

    fn parts(&self, seed: Seed, tiles: Tiles) -> Result<Option<Box<dyn Parts>>> {
        Ok(Some(Box::new(PlanetParts::new(self, seed, tiles)?)))
    }

    fn sampler(&self, seed: Seed) -> Result<Option<Arc<dyn Sampler>>> {
        Ok(Some(Arc::new(Ground::of(seed, self).map_err(Error::Invalid)?)))
    }
}
