//! The parameters of the planet.

use crate::params::{Params, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All parameters of the planet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlanetParams {
    /// Radius of the sphere on which heights are read.
    #[schemars(range(min = 100.0, max = 8000.0), extend("x-unit" = "m"))]
    pub radius_m: f64,
    /// Ground below this is water. The document's 204 leaves lakes, the default an ocean.
    #[schemars(range(min = 0.0, max = 700.0), extend("x-unit" = "height"))]
    pub lake_level: f64,
    /// Ground above this is white in the pictures. No layer depends on it.
    #[schemars(range(min = 0.0, max = 1000.0), extend("x-unit" = "height"))]
    pub snow_line: f64,
    /// Width of equirectangular.png; the globe of orthographic.png is half as wide. No layer depends on it.
    #[schemars(range(min = 64, max = 8192), extend("x-unit" = "pixels"))]
    pub picture_px: u32,
}

impl Default for PlanetParams {
    fn default() -> Self {
        Self { radius_m: 1600.0, lake_level: 290.0, snow_line: 450.0, picture_px: 2048 }
    }
}

impl Params for PlanetParams {
    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }
}
