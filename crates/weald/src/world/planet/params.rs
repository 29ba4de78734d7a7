//! The parameters of the planet.

use super::ground::Ground;
use super::placed::Placed;
use crate::params::{Params, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weald_core::Seed;

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
    /// Placed things, one per line or separated by semicolons, with latitude and longitude; the last one counts at its place:
    /// "cone 52.5 13.4", "none 10 -20".
    pub placed: String,
}

impl Default for PlanetParams {
    fn default() -> Self {
        Self { radius_m: 1600.0, lake_level: 290.0, placed: String::new() }
    }
}

impl Params for PlanetParams {
    fn problems(&self) -> Vec<Problem> {
        let wrong = Placed::parse(&self.placed).err().or_else(|| Ground::of(Seed(0), self).err());
        let of = |must: String| {
            Problem::new("placed", self.placed.clone(), format!("must be a list of placed things: {must}"))
        };
        wrong.into_iter().map(of).collect()
    }
}
