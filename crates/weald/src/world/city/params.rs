//! The parameters of the city world.

use crate::params::{Params, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weald_core::erosion::{Emphasis, Heading};

/// All parameters of the city world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CityParams {
    /// The map as a whole.
    pub map: Map,
    /// Where building should be easy.
    pub zones: Zones,
    /// The rolling ground.
    pub terrain: Terrain,
    /// Ranges where building is not meant.
    pub ridges: Ridges,
    /// Streams, droplets and creep.
    pub erosion: Erosion,
    /// What is asked of the result.
    pub goal: Goal,
    /// Rivers and lakes.
    pub water: Water,
}

/// The map as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Map {
    /// Width of the map.
    #[schemars(range(min = 1000, max = 114688), extend("x-unit" = "m"))]
    pub size_m: f64,
    /// Height that the white of heightmap.png means; a number to type into the game.
    #[schemars(range(min = 200, max = 10000), extend("x-unit" = "m"))]
    pub height_scale_m: f64,
    /// Height of the sea in the game, above the black of heightmap.png.
    #[schemars(range(min = 0, max = 5000), extend("x-unit" = "m"))]
    pub sea_level_m: f64,
    /// Height of the lowest ground before erosion, above the sea. Below 0 the sea comes in.
    #[schemars(range(min = -500, max = 2000), extend("x-unit" = "m"))]
    pub lowest_m: f64,
}

impl Default for Map {
    fn default() -> Self {
        Self { size_m: 14336.0, height_scale_m: 4096.0, sea_level_m: 511.7, lowest_m: 10.0 }
    }
}

/// Where building should be easy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Zones {
    /// Size of the zones.
    #[schemars(range(min = 5000, max = 8000), extend("x-unit" = "m"))]
    pub wavelength_m: f64,
    /// Octaves of their noise.
    #[schemars(range(min = 2, max = 3))]
    pub octaves: u32,
    /// Share of the map whose potential is above 0.5.
    #[schemars(range(min = 0.6, max = 0.8))]
    pub coverage: f64,
    /// How the noise becomes the potential.
    pub curve: Curve,
}

impl Default for Zones {
    fn default() -> Self {
        Self { wavelength_m: 6500.0, octaves: 2, coverage: 0.7, curve: Curve::Power }
    }
}

/// How noise becomes the potential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Curve {
    /// Stretched to 0 to 1 and raised to the power that gives the asked coverage exactly.
    Power,
    /// Stretched to 0 to 1; the coverage is what comes out.
    Linear,
}

/// The rolling ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Terrain {
    /// Size of the largest hills.
    #[schemars(range(min = 500, max = 20000), extend("x-unit" = "m"))]
    pub wavelength_m: f64,
    /// Octaves of their noise.
    #[schemars(range(min = 1, max = 10))]
    pub octaves: u32,
    /// Weight of each octave in that of the one before.
    #[schemars(range(min = 0.2, max = 0.8))]
    pub persistence: f64,
    /// Frequency of each octave in that of the one before.
    #[schemars(range(min = 1.5, max = 3))]
    pub lacunarity: f64,
    /// Part of the amplitude where the potential is 1.
    #[schemars(range(min = 0.2, max = 0.4))]
    pub amplitude_min: f64,
    /// Part of the amplitude where the potential is 0.
    #[schemars(range(min = 0.8, max = 1.2))]
    pub amplitude_max: f64,
    /// Share of the map to be buildable before erosion, with ridges; the amplitude is found for it. 0 takes `amplitude_m`.
    #[schemars(range(min = 0, max = 0.9))]
    pub buildable_share: f64,
    /// The amplitude, if it is not to be found.
    #[schemars(range(min = 1, max = 3000), extend("x-unit" = "m"))]
    pub amplitude_m: f64,
    /// Whether the heights are stretched to the whole of the height scale.
    pub stretch: Stretch,
}

impl Default for Terrain {
    fn default() -> Self {
        Self {
            wavelength_m: 4000.0,
            octaves: 6,
            persistence: 0.5,
            lacunarity: 2.0,
            amplitude_min: 0.3,
            amplitude_max: 1.0,
            buildable_share: 0.41,
            amplitude_m: 300.0,
            stretch: Stretch::None,
        }
    }
}

/// Whether heights are stretched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stretch {
    /// They stay as they are.
    None,
    /// From the lowest to the highest they take up the whole height scale before erosion.
    Full,
}

/// Ranges where building is not meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Ridges {
    /// Distance between ranges.
    #[schemars(range(min = 300, max = 20000), extend("x-unit" = "m"))]
    pub wavelength_m: f64,
    /// Octaves of their noise.
    #[schemars(range(min = 4, max = 6))]
    pub octaves: u32,
    /// Height of the crests in that of the terrain's amplitude.
    #[schemars(range(min = 0, max = 5))]
    pub strength: f64,
    /// 1 − potential at which ridges begin.
    #[schemars(range(min = 0, max = 1))]
    pub blend_from: f64,
    /// 1 − potential from which they are whole.
    #[schemars(range(min = 0, max = 1))]
    pub blend_to: f64,
    /// What the folds of the noise become.
    pub crest: Fold,
}

impl Default for Ridges {
    fn default() -> Self {
        Self {
            wavelength_m: 2500.0,
            octaves: 5,
            strength: 1.0,
            blend_from: 0.6,
            blend_to: 0.8,
            crest: Fold::Sharp,
        }
    }
}

/// What the folds of ridge noise become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fold {
    /// Sharp crests: 1 − |2n − 1|.
    Sharp,
    /// Sharp valleys: |2n − 1|.
    Hollow,
}

/// Streams, droplets and creep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Erosion {
    /// Droplets on each level of resolution from 512 by 512 cells on, fewer in proportion below. 0 is no droplets.
    #[schemars(range(min = 0, max = 200000))]
    pub droplets: u32,
    /// Share of the old direction in a droplet's new one.
    #[schemars(range(min = 0.05, max = 0.3))]
    pub inertia: f64,
    /// Share of its free capacity that a droplet takes up in a step.
    #[schemars(range(min = 0.3, max = 0.8))]
    pub erosion_rate: f64,
    /// Share of its surplus that a droplet lays down in a step.
    #[schemars(range(min = 0.1, max = 0.5))]
    pub deposition_rate: f64,
    /// Share of its water that a droplet loses in a step.
    #[schemars(range(min = 0.01, max = 0.05))]
    pub evaporation_rate: f64,
    /// Load that a droplet can carry, per slope, speed and water.
    #[schemars(range(min = 2, max = 6))]
    pub sediment_capacity: f64,
    /// Slope below which a droplet stops.
    #[schemars(range(min = 0.0001, max = 0.001), extend("x-unit" = "rise/run"))]
    pub min_slope: f64,
    /// Radius of the brush by which droplets change the ground.
    #[schemars(range(min = 3, max = 5), extend("x-unit" = "cells"))]
    pub brush_radius: u32,
    /// Steps a droplet makes at the most.
    #[schemars(range(min = 10, max = 5000))]
    pub max_steps: u32,
    /// Droplets that run at once over the same heights.
    #[schemars(range(min = 1, max = 65536))]
    pub batch: u32,
    /// Which way droplets run.
    pub heading: Run,
    /// Where droplets take and where they lay down.
    pub emphasis: Carve,
    /// Whether coarse levels come first, down to cells of about 28 m.
    pub levels: Levels,
    /// How often streams drain and cut the land. 0 is no streams.
    #[schemars(range(min = 0, max = 50))]
    pub stream_passes: u32,
    /// How strongly they cut: the length over which a stream that drains 1 km² halves the height above its next cell.
    #[schemars(range(min = 1, max = 1000), extend("x-unit" = "m"))]
    pub stream_rate_m: f64,
    /// How much more streams cut that drain more: the exponent of the area, and the concavity of valleys.
    #[schemars(range(min = 0.3, max = 0.7))]
    pub stream_exponent: f64,
    /// How long the ground creeps, if no goal decides it.
    #[schemars(range(min = 0, max = 500))]
    pub creep: f64,
}

impl Default for Erosion {
    fn default() -> Self {
        Self {
            droplets: 100_000,
            inertia: 0.1,
            erosion_rate: 0.5,
            deposition_rate: 0.3,
            evaporation_rate: 0.02,
            sediment_capacity: 4.0,
            min_slope: 0.0005,
            brush_radius: 3,
            max_steps: 1000,
            batch: 1024,
            heading: Run::Downhill,
            emphasis: Carve::Hills,
            levels: Levels::Many,
            stream_passes: 24,
            stream_rate_m: 84.0,
            stream_exponent: 0.5,
            creep: 6.0,
        }
    }
}

/// Which way droplets run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Run {
    /// Down, as water does.
    Downhill,
    /// Up, as the document's formula makes them.
    Uphill,
}

impl From<Run> for Heading {
    fn from(run: Run) -> Self {
        match run {
            Run::Downhill => Heading::Downhill,
            Run::Uphill => Heading::Uphill,
        }
    }
}

/// Where droplets take and where they lay down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Carve {
    /// They take more from hills and lay down more on plains.
    Hills,
    /// They take more from plains, as the document's pseudocode has it.
    Plains,
}

impl From<Carve> for Emphasis {
    fn from(carve: Carve) -> Self {
        match carve {
            Carve::Hills => Emphasis::Hills,
            Carve::Plains => Emphasis::Plains,
        }
    }
}

/// Levels of resolution on which the land is eroded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Levels {
    /// From cells of about 28 m to those of the map: the same land at every resolution.
    Many,
    /// Only that of the map.
    One,
}

/// What is asked of the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Goal {
    /// Share of the map to be buildable in the end. 0 asks for nothing.
    #[schemars(range(min = 0, max = 0.95))]
    pub buildable_share: f64,
}

impl Default for Goal {
    fn default() -> Self {
        Self { buildable_share: 0.6 }
    }
}

/// Rivers and lakes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Water {
    /// Land that must drain through a place for a river to begin.
    #[schemars(range(min = 0.01, max = 100), extend("x-unit" = "km\u{b2}"))]
    pub river_area_km2: f64,
    /// Water that runs off in a year.
    #[schemars(range(min = 1, max = 5000), extend("x-unit" = "mm"))]
    pub runoff_mm: f64,
    /// Depth that a lake must have somewhere.
    #[schemars(range(min = 0.01, max = 100), extend("x-unit" = "m"))]
    pub lake_min_depth_m: f64,
    /// Area that a lake must have.
    #[schemars(range(min = 0, max = 10000000), extend("x-unit" = "m\u{b2}"))]
    pub lake_min_area_m2: f64,
}

impl Default for Water {
    fn default() -> Self {
        Self { river_area_km2: 0.5, runoff_mm: 500.0, lake_min_depth_m: 0.5, lake_min_area_m2: 5000.0 }
    }
}

impl Params for CityParams {
    fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.ridges.blend_to <= self.ridges.blend_from {
            let message = format!("must be above ridges.blend_from ({})", self.ridges.blend_from);
            problems.push(Problem::new("ridges.blend_to", self.ridges.blend_to, message));
        }
        problems
    }
}
