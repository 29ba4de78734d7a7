//! The layers, points and figures of the galaxy.

use super::Galaxy;
use super::stars::Star;
use super::world::INFO;
use crate::catalogue::Field::{F32, U16};
use crate::catalogue::{Catalogue, Feature, FeatureSet, LayerOf};
use serde_json::Value;
use std::sync::Arc;
use weald_core::Frame;

/// Metres in a light year: the distance of light in 365.25 days.
const LIGHT_YEAR_M: f64 = 9_460_730_472_580_800.0;

const GAS: &str = "density ly";

type L = LayerOf<Galaxy>;

/// The layers, in order.
pub(super) const LAYERS: &[L] = &[
    L::measure("nebula", GAS, "Gas along the column of space behind the cell", F32(|g| &g.nebula)),
    L::measure("nebula_near", GAS, "Gas in the nearest third of the depth", F32(|g| &g.gas[0])),
    L::measure("nebula_middle", GAS, "Gas in the middle third of the depth", F32(|g| &g.gas[1])),
    L::measure("nebula_far", GAS, "Gas in the furthest third of the depth", F32(|g| &g.gas[2])),
    L::measure("stars", "stars", "Stars in the column of space behind the cell", U16(|g| &g.count)),
];

impl Galaxy {
    /// Gas and stars by column, stars as points, and the answers of [`Galaxy::summary`].
    pub fn into_catalogue(self) -> Catalogue {
        let galaxy = Arc::new(self);
        let (width, height) = (galaxy.nebula.width(), galaxy.nebula.height());
        let origin = (galaxy.corner[0] as f64 * LIGHT_YEAR_M, galaxy.corner[1] as f64 * LIGHT_YEAR_M);
        let frame = Frame { origin, ..Frame::new(width, height, LIGHT_YEAR_M) };
        let Value::Object(figures) = galaxy.summary().to_json() else {
            unreachable!("a summary is an object")
        };
        Catalogue {
            seed: galaxy.seed.0,
            params: serde_json::to_value(&galaxy.params).expect("parameters are plain data"),
            layers: LayerOf::layers(LAYERS, &galaxy),
            points: vec![galaxy.star_points()],
            figures,
            ..Catalogue::new(INFO.name, INFO.length_unit, frame)
        }
    }

    fn star_points(&self) -> FeatureSet {
        let about = "Stars: coordinates in cells; x, y, z in light years";
        let point = |(id, star): (usize, &Star)| {
            let [x, y, z] = star.place;
            let at = ((x - self.corner[0]) as f64 + 0.5, (y - self.corner[1]) as f64 + 0.5);
            let properties = [
                ("x", x.into()),
                ("y", y.into()),
                ("z", z.into()),
                ("magnitude", self.magnitude(star).into()),
                ("planets", star.planets.into()),
                ("colour", star.colour.into()),
            ];
            Feature::new(id as u32, vec![at], properties)
        };
        FeatureSet::new("stars", about, self.stars.iter().enumerate().map(point).collect())
    }
}
