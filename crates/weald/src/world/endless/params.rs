//! The parameters of the endless world.

use super::placed::Placed;
use crate::params::{Params, Problem};
use crate::world::relf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far from the origin the world is defined, in metres.
pub const REACH_M: i64 = 1_000_000_000;

/// All parameters of the endless world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EndlessParams {
    /// Lake level: height of the water. Below 204 drained lake beds are mud; above it there is more water and land becomes islands.
    #[schemars(range(min = 0, max = 700), extend("x-unit" = "height units"))]
    pub lake_level: f64,
    /// Paths: paving where the ground is as high as the ground 4000 m east and 2000 m north of it.
    pub paths: bool,
    /// Streams from ponds, with a marsh where a stream ends in a depression.
    pub streams: bool,
    /// Roads that start at cones and follow the contours.
    pub roads: bool,
    /// Bridges: roads cross up to 60 m of water. Without them a road ends at the shore, and no building of a town stands over water.
    pub bridges: bool,
    /// Wood everywhere: no town, grass, moor or thicket.
    pub wood_only: bool,
    /// Barren ground only, without water, plants or features.
    pub bleak: bool,
    /// Time: the ground changes slowly with it. Any real number; 0 is the original ground.
    #[schemars(range(min = -1000000000.0, max = 1000000000.0))]
    pub time: f64,
    /// Rate of evolution: ticks per unit of time. A tick moves the waves of the ground by 1/128 to 4/128 of a step of
    /// their profile. The ground is that of the nearest 1/128 of a tick.
    #[schemars(range(min = -1000.0, max = 1000.0), extend("x-unit" = "ticks"))]
    pub time_rate: f64,
    /// Snow line: height from which snow lies. The highest ground is below 690, so 1000 means no snow.
    #[schemars(range(min = 0, max = 1000), extend("x-unit" = "height units"))]
    pub snow_line: f64,
    /// Placed things, one per line or separated by semicolons; the last one counts at its place: "cone 12 -40", "none 3 4",
    /// "road 0 0 100 50 200 50".
    pub placed: String,
    /// Place of the window: its north-west cell.
    pub at: At,
    /// The mines below the ground.
    pub mines: Mines,
    /// The caverns below the mines.
    pub caverns: Caverns,
    /// The islands in the sky.
    pub sky: Sky,
    /// The runner.
    pub runner: Runner,
}

impl Default for EndlessParams {
    fn default() -> Self {
        Self {
            lake_level: relf::LAKE_HEIGHT,
            paths: false,
            streams: true,
            roads: true,
            bridges: true,
            wood_only: false,
            bleak: false,
            time: 0.0,
            time_rate: 1.0,
            snow_line: 1000.0,
            placed: String::new(),
            at: At::default(),
            mines: Mines::default(),
            caverns: Caverns::default(),
            sky: Sky::default(),
            runner: Runner::default(),
        }
    }
}

/// Place of the window: its north-west cell, in the document's coordinates, x east and y north.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct At {
    /// Metres east of the origin.
    #[schemars(range(min = -1000000000, max = 1000000000), extend("x-unit" = "m"))]
    pub x: i64,
    /// Metres north of the origin.
    #[schemars(range(min = -1000000000, max = 1000000000), extend("x-unit" = "m"))]
    pub y: i64,
}

/// The mines below the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Mines {
    /// Number of levels.
    #[schemars(range(min = 1, max = 8))]
    pub levels: u32,
    /// Share of the cells that are rock. A higher share is less connected.
    #[schemars(range(min = 0, max = 1))]
    pub threshold: f64,
    /// Rule that decides which cells are open.
    pub rule: MineRule,
    /// Slope over 10 m from which a shaft is a cave mouth.
    #[schemars(range(min = 0, max = 10), extend("x-unit" = "height units/m"))]
    pub cave_slope: f64,
}

impl Default for Mines {
    fn default() -> Self {
        Self { levels: 1, threshold: 0.4, rule: MineRule::Product, cave_slope: 1.5 }
    }
}

/// Rule that decides which cells of a mine are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MineRule {
    /// By x·y, as in The Forest: regular.
    #[default]
    Product,
    /// By sin x · cos y, as in My Terrain: less regular.
    SinCos,
}

/// The caverns below the mines: floor and roof are two copies of the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Caverns {
    /// How many times finer the caverns are than the hills above ground.
    #[schemars(range(min = 1, max = 16))]
    pub finer: u32,
    /// Relief of floor and roof as a share of that of the hills.
    #[schemars(range(min = 0, max = 4))]
    pub relief: f64,
    /// How far the mean roof lies above the mean floor. A higher value is more open.
    #[schemars(range(min = -1000, max = 1000), extend("x-unit" = "height units"))]
    pub rise: f64,
}

impl Default for Caverns {
    fn default() -> Self {
        Self { finer: 4, relief: 0.25, rise: -4.0 }
    }
}

/// The islands in the sky.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sky {
    /// Height of their shores.
    #[schemars(range(min = 0, max = 700), extend("x-unit" = "height units"))]
    pub level: f64,
    /// Depth of the underside below the shore, as a share of the height above it.
    #[schemars(range(min = 0, max = 10))]
    pub keel: f64,
}

impl Default for Sky {
    fn default() -> Self {
        Self { level: 340.0, keel: 1.6 }
    }
}

/// The runner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Runner {
    /// Speed on level, open ground.
    #[schemars(range(min = 0.1, max = 20), extend("x-unit" = "m/s"))]
    pub speed_m_s: f64,
}

impl Default for Runner {
    fn default() -> Self {
        Self { speed_m_s: 4.0 }
    }
}

impl Params for EndlessParams {
    const ALIASES: &'static [(&'static str, &'static str)] = &[("at_x", "at.x"), ("at_y", "at.y")];

    fn problems(&self) -> Vec<Problem> {
        let placed = Placed::parse(&self.placed).err();
        let of = |must: String| {
            Problem::new("placed", self.placed.clone(), format!("must be a list of placed things: {must}"))
        };
        let ticks = self.time * self.time_rate;
        let far = (ticks.abs() > REACH_M as f64).then(|| {
            let must = format!(
                "times time_rate = {} must be between -{REACH_M} and {REACH_M} ticks",
                self.time_rate
            );
            Problem::new("time", self.time, must)
        });
        placed.into_iter().map(of).chain(far).collect()
    }
}
