//! What a galaxy shows to the outside.

use super::Galaxy;
use super::stars::Star;
use crate::layer::{Catalogue, Data, Feature, FeatureSet, Kind, Layer};
use serde_json::Value;
use weald_core::Frame;

/// Metres in a light year: the distance of light in 365.25 days.
const LIGHT_YEAR_M: f64 = 9_460_730_472_580_800.0;

/// Names of the layers, in order.
pub(super) const LAYERS: [&str; 5] = ["nebula", "nebula_near", "nebula_middle", "nebula_far", "stars"];

impl Galaxy {
    /// Gas and stars by column, stars as points, and the answers of [`Galaxy::summary`].
    pub fn catalogue(&self) -> Catalogue<'_> {
        let gas = |name, about, grid| Layer {
            name,
            unit: "density ly",
            about,
            data: Data::F32(grid),
            kind: Kind::Measure,
        };
        let [near, middle, far] = &self.gas;
        let layers = vec![
            gas(LAYERS[0], "Gas along the column of space behind the cell", &self.nebula),
            gas(LAYERS[1], "Gas in the nearest third of the depth", near),
            gas(LAYERS[2], "Gas in the middle third of the depth", middle),
            gas(LAYERS[3], "Gas in the furthest third of the depth", far),
            Layer {
                name: LAYERS[4],
                unit: "stars",
                about: "Stars in the column of space behind the cell",
                data: Data::U16(&self.count),
                kind: Kind::Measure,
            },
        ];
        let about = "Stars: coordinates in cells; x, y, z in light years from the viewer";
        let point = |(id, star): (usize, &Star)| {
            let [x, y, z] = star.place;
            let at = ((x - self.corner[0]) as f64 + 0.5, (y - self.corner[1]) as f64 + 0.5);
            let properties = vec![
                ("x", x.into()),
                ("y", y.into()),
                ("z", z.into()),
                ("magnitude", self.magnitude(star).into()),
                ("planets", star.planets.into()),
                ("colour", star.colour.into()),
            ];
            Feature { id: id as u32, points: vec![at], properties }
        };
        let features = self.stars.iter().enumerate().map(point).collect();
        let (width, height) = (self.nebula.width(), self.nebula.height());
        let origin = (self.corner[0] as f64 * LIGHT_YEAR_M, self.corner[1] as f64 * LIGHT_YEAR_M);
        let Value::Object(stats) = self.summary().to_json() else { unreachable!("a summary is an object") };
        Catalogue {
            frame: Frame { origin, ..Frame::new(width, height, LIGHT_YEAR_M) },
            layers,
            lines: Vec::new(),
            points: vec![FeatureSet { name: "stars", about, features }],
            stats,
        }
    }
}
