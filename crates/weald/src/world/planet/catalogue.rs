//! What a planet shows to the outside.

use super::classes::{FEATURES, TERRAINS, name};
use super::sphere::{FACES, solid_angles};
use super::{Planet, Thing};
use crate::layer::{Catalogue, Class, Data, Feature, FeatureSet, Kind, Layer};
use serde_json::{Map, Value, json};
use weald_core::{Frame, stats};

/// Names of the layers of one quantity, by face.
type Names = [&'static str; 6];
const HEIGHT: Names = ["height_px", "height_nx", "height_py", "height_ny", "height_pz", "height_nz"];
const DEPTH: Names = ["depth_px", "depth_nx", "depth_py", "depth_ny", "depth_pz", "depth_nz"];
const TERRAIN: Names = ["terrain_px", "terrain_nx", "terrain_py", "terrain_ny", "terrain_pz", "terrain_nz"];
const FEATURE: Names = ["feature_px", "feature_nx", "feature_py", "feature_ny", "feature_pz", "feature_nz"];

/// Names of all layers, in order.
pub(super) fn layer_names() -> Vec<&'static str> {
    [HEIGHT, DEPTH, TERRAIN, FEATURE].into_iter().flatten().collect()
}

impl Planet {
    /// Cells along a side of a face.
    pub fn side(&self) -> usize {
        self.height[0].width()
    }

    /// Six faces of each layer, features as points, and figures.
    pub fn catalogue(&self) -> Catalogue<'_> {
        let mut layers = Vec::new();
        for (names, about, grids) in [
            (HEIGHT, "Height of the ground, or of the water above it", &self.height),
            (DEPTH, "Depth of the water, 0 on land", &self.depth),
        ] {
            for (name, grid) in names.into_iter().zip(grids) {
                layers.push(Layer {
                    name,
                    unit: "height",
                    about,
                    data: Data::F32(grid),
                    kind: Kind::Measure,
                });
            }
        }
        for (names, about, grids, table) in [
            (TERRAIN, "Kind of ground", &self.terrain, TERRAINS),
            (FEATURE, "Feature in the cell, the one nearest to its middle", &self.feature, FEATURES),
        ] {
            for (name, grid) in names.into_iter().zip(grids) {
                layers.push(Layer {
                    name,
                    unit: "",
                    about,
                    data: Data::U8(grid),
                    kind: Kind::Classes(table),
                });
            }
        }
        let side = self.side();
        let cell_m = self.params.radius_m * std::f64::consts::FRAC_PI_2 / side as f64;
        let about = "Point features: coordinates in cells of the face; x, y, z in metres from the middle of the planet";
        let point = |(id, thing): (usize, &Thing)| Feature {
            id: id as u32,
            points: vec![FACES[thing.face].cell(thing.place, side)],
            properties: vec![
                ("kind", name(FEATURES, thing.kind).into()),
                ("face", FACES[thing.face].name.into()),
                ("x", thing.place[0].into()),
                ("y", thing.place[1].into()),
                ("z", thing.place[2].into()),
            ],
        };
        let features = self.features.iter().enumerate().map(point).collect();
        Catalogue {
            frame: Frame::new(side, side, cell_m),
            layers,
            lines: Vec::new(),
            points: vec![FeatureSet { name: "features", about, features }],
            stats: self.stats(),
        }
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

    fn stats(&self) -> Map<String, Value> {
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
