//! The parameters of the planet.

use crate::params::{Params, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All parameters of the planet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlanetParams {
    /// Radius of the sphere.
    #[schemars(range(min = 100.0, max = 8000.0), extend("x-unit" = "m"))]
    pub radius_m: f64,
    /// Lake level: ground below this is water. The document's 204 gives lakes, the default an ocean.
    #[schemars(range(min = 0.0, max = 700.0), extend("x-unit" = "height units"))]
    pub lake_level: f64,
}

impl Default for PlanetParams {
    fn default() -> Self {
        Self { radius_m: 1600.0, lake_level: 290.0 }
    }
}

impl Params for PlanetParams {
    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }
}
