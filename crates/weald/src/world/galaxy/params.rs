//! The parameters of the galaxy.

use crate::params::{Params, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All parameters of the galaxy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GalaxyParams {
    /// Depth of the block along z.
    #[schemars(range(min = 1, max = 10000), extend("x-unit" = "ly"))]
    pub depth_ly: u32,
    /// Where the viewer is.
    pub at: At,
    /// Nebulae.
    pub nebula: Nebula,
    /// Stars.
    pub stars: Stars,
}

impl Default for GalaxyParams {
    fn default() -> Self {
        Self { depth_ly: 300, at: At::default(), nebula: Nebula::default(), stars: Stars::default() }
    }
}

/// Where the viewer is, who looks along z. The block begins one light year in front of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct At {
    /// x of the viewer, and of the centre column; the first column is half the width to its left.
    #[schemars(range(min = -1000000000, max = 1000000000), extend("x-unit" = "ly"))]
    pub x: i64,
    /// y of the viewer, and of the centre row; the first row is half the height above it.
    #[schemars(range(min = -1000000000, max = 1000000000), extend("x-unit" = "ly"))]
    pub y: i64,
    /// z of the viewer; the nearest layer of the block is one further.
    #[schemars(range(min = -1000000000, max = 1000000000), extend("x-unit" = "ly"))]
    pub z: i64,
}

/// Nebulae: gas where the sum of five profiles is above the threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Nebula {
    /// Threshold of the gas: its density is the sum of the profiles minus this, and at least 0. Above 690 there is no gas.
    #[schemars(range(min = 0, max = 700))]
    pub threshold: u32,
    /// How many times finer the clouds are than the document's hills, whose profile is about 1000 m long.
    #[schemars(range(min = 1, max = 16))]
    pub fineness: u32,
}

impl Default for Nebula {
    fn default() -> Self {
        Self { threshold: 370, fineness: 3 }
    }
}

/// Stars.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Stars {
    /// Least magnitude: a star has this magnitude plus one to seven sevenths of the range.
    #[schemars(range(min = -30.0, max = 30.0), extend("x-unit" = "mag"))]
    pub min_magnitude: f64,
    /// Range of magnitudes. The smaller the magnitude, the brighter the star.
    #[schemars(range(min = 0.0, max = 60.0), extend("x-unit" = "mag"))]
    pub magnitude_range: f64,
    /// Magnitude below which a star is visible.
    #[schemars(range(min = -30.0, max = 100.0), extend("x-unit" = "mag"))]
    pub visible_below: f64,
}

impl Default for Stars {
    fn default() -> Self {
        Self { min_magnitude: -1.0, magnitude_range: 7.0, visible_below: 6.0 }
    }
}

impl Params for GalaxyParams {
    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }
}
