//! The layers, points and figures of the planet.

use super::classes::{FEATURES, TERRAINS, name};
use super::sphere::{FACES, Vector, lat_lon, solid_angles};
use super::world::INFO;
use super::{Planet, Thing};
use crate::catalogue::{Catalogue, Class, Feature, FeatureSet, Field, LayerOf, Palette};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use weald_core::{Frame, stats};

/// The six faces of each quantity.
const fn height<const F: usize>() -> Field<Planet> {
    Field::F32(|p| &p.height[F])
}
const fn depth<const F: usize>() -> Field<Planet> {
    Field::F32(|p| &p.depth[F])
}
const fn terrain<const F: usize>() -> Field<Planet> {
    Field::U8(|p| &p.terrain[F])
}
const fn feature<const F: usize>() -> Field<Planet> {
    Field::U8(|p| &p.feature[F])
}

const fn height_layer(name: &'static str, field: Field<Planet>) -> LayerOf<Planet> {
    let about = "Height of the ground, or of the water above it";
    LayerOf::measure(name, "height units", about, field).coloured(Palette::Elevation)
}

const fn depth_layer(name: &'static str, field: Field<Planet>) -> LayerOf<Planet> {
    LayerOf::measure(name, "height units", "Depth of the water, 0 on land", field).coloured(Palette::Moisture)
}

const fn terrain_layer(name: &'static str, field: Field<Planet>) -> LayerOf<Planet> {
    LayerOf::classes(name, "Terrain: what covers the ground", TERRAINS, field)
}

const fn feature_layer(name: &'static str, field: Field<Planet>) -> LayerOf<Planet> {
    LayerOf::classes(name, "Point feature in the cell, the one nearest to its centre", FEATURES, field)
}

/// The layers, six faces of each quantity.
pub(super) const LAYERS: &[LayerOf<Planet>] = &[
    height_layer("height_px", height::<0>()),
    height_layer("height_nx", height::<1>()),
    height_layer("height_py", height::<2>()),
    height_layer("height_ny", height::<3>()),
    height_layer("height_pz", height::<4>()),
    height_layer("height_nz", height::<5>()),
    depth_layer("depth_px", depth::<0>()),
    depth_layer("depth_nx", depth::<1>()),
    depth_layer("depth_py", depth::<2>()),
    depth_layer("depth_ny", depth::<3>()),
    depth_layer("depth_pz", depth::<4>()),
    depth_layer("depth_nz", depth::<5>()),
    terrain_layer("terrain_px", terrain::<0>()),
    terrain_layer("terrain_nx", terrain::<1>()),
    terrain_layer("terrain_py", terrain::<2>()),
    terrain_layer("terrain_ny", terrain::<3>()),
    terrain_layer("terrain_pz", terrain::<4>()),
    terrain_layer("terrain_nz", terrain::<5>()),
    feature_layer("feature_px", feature::<0>()),
    feature_layer("feature_nx", feature::<1>()),
    feature_layer("feature_py", feature::<2>()),
    feature_layer("feature_ny", feature::<3>()),
    feature_layer("feature_pz", feature::<4>()),
    feature_layer("feature_nz", feature::<5>()),
];

impl Planet {
    /// Cells along a side of a face.
    pub fn side(&self) -> usize {
        self.height[0].width()
    }

    /// Six faces of each layer, features as points, figures, and the planet as a function of place.
    pub fn into_catalogue(self) -> Catalogue {
        let planet = Arc::new(self);
        let side = planet.side();
        let cell_m = planet.params.radius_m * std::f64::consts::FRAC_PI_2 / side as f64;
        Catalogue {
            seed: planet.seed.0,
            params: serde_json::to_value(&planet.params).expect("parameters are plain data"),
            layers: LayerOf::layers(LAYERS, &planet),
            points: vec![planet.feature_points()],
            figures: planet.figures(),
            sampler: Some(planet.ground.clone()),
            ..Catalogue::new(INFO.name, INFO.length_unit, Frame::new(side, side, cell_m))
        }
    }

    fn feature_points(&self) -> FeatureSet {
        let side = self.side();
        let about = "Point features: coordinates in cells of the face; x, y, z in metres from the centre of the planet; latitude \
                     and longitude in degrees";
        let version = |&place: &Vector| {
            let at = self.ground.crossing(place).expect("a feature stands at a crossing");
            self.ground.version(&at)
        };
        let point = |(id, thing): (usize, &Thing)| {
            let (lat, lon) = lat_lon(thing.place);
            let properties = [
                ("kind", name(FEATURES, thing.kind).into()),
                ("face", FACES[thing.face].name.into()),
                ("x", thing.place[0].into()),
                ("y", thing.place[1].into()),
                ("z", thing.place[2].into()),
                ("lat", lat.into()),
                ("lon", lon.into()),
                ("version", version(&thing.place).into()),
            ];
            Feature::new(id as u32, vec![FACES[thing.face].cell(thing.place, side)], properties)
        };
        FeatureSet::new("features", about, self.features.iter().enumerate().map(point).collect())
    }

    /// Share of the sphere of each kind of ground, by solid angle, in the order of [`TERRAINS`].
    pub fn shares(&self) -> Vec<(&'static Class, f64)> {
        let angles = solid_angles(self.side());
        let mut sums = [0.0f64; 256];
        for face in &self.terrain {
            for (&kind, angle) in face.cells().iter().zip(&angles) {
                sums[kind as usize] += angle;
            }
        }
        let whole = 4.0 * std::f64::consts::PI;
        TERRAINS.iter().map(|class| (class, sums[class.value as usize] / whole)).collect()
    }

    fn figures(&self) -> Map<String, Value> {
        let mut counts = [0u64; 256];
        self.features.iter().for_each(|f| counts[f.kind as usize] += 1);
        let by_kind: Map<String, Value> =
            FEATURES[1..].iter().map(|c| (c.name.to_owned(), counts[c.value as usize].into())).collect();
        let shares: Map<String, Value> =
            self.shares().into_iter().map(|(c, share)| (c.name.to_owned(), json!(share))).collect();
        let cells: u64 = self.feature.iter().map(|f| f.len() as u64 - stats::histogram(f)[0]).sum();
        let mut out = Map::new();
        out.insert("radius_m".into(), self.params.radius_m.into());
        out.insert("terrain_share".into(), shares.into());
        out.insert("features".into(), self.features.len().into());
        out.insert("features_by_kind".into(), by_kind.into());
        out.insert("cells_with_feature".into(), cells.into());
        out
    }
}
