//! The parameters of the city world.

use crate::params::{Params, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use weald_core::erosion::{Emphasis, Heading};
use weald_core::line::Point;

/// All parameters of the city world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CityParams {
    /// The map as a whole.
    pub map: Map,
    /// Zones: how buildable the land is meant to be (the potential P).
    pub zones: Zones,
    /// The rolling terrain.
    pub terrain: Terrain,
    /// Mountain ridges, where the land is not meant for building.
    pub ridges: Ridges,
    /// The sea.
    pub sea: Sea,
    /// Rivers that come from outside the map.
    pub rivers: Rivers,
    /// Erosion: uplift and streams that shape the land, then droplets.
    pub erosion: Erosion,
    /// The goal: what is asked of the finished map.
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
    /// Height scale: the height of white in heightmap.png above black. Type this number into the game.
    #[schemars(range(min = 200, max = 10000), extend("x-unit" = "m"))]
    pub height_scale_m: f64,
    /// Sea level in the game: the height of the sea above black in heightmap.png.
    #[schemars(range(min = 0, max = 5000), extend("x-unit" = "m"))]
    pub sea_level_m: f64,
    /// Height of the lowest ground above the sea, before erosion and after it; only river beds are lower. At 0 or lower, part of the map
    /// is sea. Not used if `sea.side` names a side.
    #[schemars(range(min = -500, max = 2000), extend("x-unit" = "m"))]
    pub lowest_m: f64,
}

impl Default for Map {
    fn default() -> Self {
        Self { size_m: 14336.0, height_scale_m: 4096.0, sea_level_m: 511.7, lowest_m: 10.0 }
    }
}

/// Zones: how buildable the land is meant to be (the potential P).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Zones {
    /// Wavelength of the zones: about how far apart they are.
    #[schemars(range(min = 5000, max = 8000), extend("x-unit" = "m"))]
    pub wavelength_m: f64,
    /// Octaves of the noise.
    #[schemars(range(min = 2, max = 3))]
    pub octaves: u32,
    /// Coverage: share of the map whose potential is above 0.5.
    #[schemars(range(min = 0.6, max = 0.8))]
    pub coverage: f64,
    /// How the noise is turned into the potential.
    pub curve: Curve,
    /// Foothills: how gradually mountains rise from the plains.
    #[schemars(range(min = 0.02, max = 2))]
    pub foothills: f64,
}

impl Default for Zones {
    fn default() -> Self {
        Self { wavelength_m: 6500.0, octaves: 2, coverage: 0.7, curve: Curve::Power, foothills: 0.12 }
    }
}

/// How noise is turned into the potential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Curve {
    /// Stretched to 0 to 1 and raised to the power that gives exactly the requested coverage.
    Power,
    /// Stretched to 0 to 1; the coverage is whatever results.
    Linear,
}

/// The rolling terrain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Terrain {
    /// Wavelength of the largest hills.
    #[schemars(range(min = 500, max = 20000), extend("x-unit" = "m"))]
    pub wavelength_m: f64,
    /// Octaves of the noise.
    #[schemars(range(min = 1, max = 10))]
    pub octaves: u32,
    /// Persistence: amplitude of each octave relative to the one before.
    #[schemars(range(min = 0.2, max = 0.8))]
    pub persistence: f64,
    /// Lacunarity: frequency of each octave relative to the one before.
    #[schemars(range(min = 1.5, max = 3))]
    pub lacunarity: f64,
    /// Factor of the amplitude where the potential is 1.
    #[schemars(range(min = 0.2, max = 0.4))]
    pub amplitude_min: f64,
    /// Factor of the amplitude where the potential is 0.
    #[schemars(range(min = 0.8, max = 1.2))]
    pub amplitude_max: f64,
    /// Share of the map that is buildable before erosion, ridges included; the amplitude is solved for it. 0 uses `amplitude_m`.
    #[schemars(range(min = 0, max = 0.9))]
    pub buildable_share: f64,
    /// The amplitude, if `buildable_share` is 0.
    #[schemars(range(min = 1, max = 3000), extend("x-unit" = "m"))]
    pub amplitude_m: f64,
    /// Whether the heights are stretched to the whole height scale.
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
    /// Heights stay as they are.
    None,
    /// Before erosion, heights span the whole height scale.
    Full,
}

/// Mountain ridges, where the land is not meant for building.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Ridges {
    /// Wavelength of the ridges: about how far apart they are.
    #[schemars(range(min = 300, max = 20000), extend("x-unit" = "m"))]
    pub wavelength_m: f64,
    /// Octaves of the noise.
    #[schemars(range(min = 4, max = 6))]
    pub octaves: u32,
    /// Height of the crests relative to the amplitude of the terrain.
    #[schemars(range(min = 0, max = 5))]
    pub strength: f64,
    /// Ridges begin where 1 − potential is above this.
    #[schemars(range(min = 0, max = 1))]
    pub blend_from: f64,
    /// Ridges have their full height where 1 − potential is above this.
    #[schemars(range(min = 0, max = 1))]
    pub blend_to: f64,
    /// What the folds of the ridge noise become.
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

/// The sea.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sea {
    /// The side of the map where the sea lies.
    pub side: Side,
    /// Share of the map that is sea, if `side` names one.
    #[schemars(range(min = 0.02, max = 0.6))]
    pub share: f64,
}

impl Default for Sea {
    fn default() -> Self {
        Self { side: Side::None, share: 0.2 }
    }
}

/// A side of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// No side.
    None,
    /// The western side.
    West,
    /// The northern side.
    North,
    /// The eastern side.
    East,
    /// The southern side.
    South,
}

impl Side {
    /// Whether a cell of a map with that many columns and rows lies on this side.
    pub(super) fn touches(self, (x, y): (usize, usize), (columns, rows): (usize, usize)) -> bool {
        match self {
            Self::None => false,
            Self::West => x == 0,
            Self::North => y == 0,
            Self::East => x + 1 == columns,
            Self::South => y + 1 == rows,
        }
    }

    /// Distance of a place from this side of the rectangle between two corners, in metres; 0 for no side.
    pub(super) fn distance(self, (x, y): Point, (low, high): (Point, Point)) -> f64 {
        match self {
            Self::None => 0.0,
            Self::West => x - low.0,
            Self::North => y - low.1,
            Self::East => high.0 - x,
            Self::South => high.1 - y,
        }
    }
}

/// Rivers that come from outside the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rivers {
    /// The water that enters the map.
    pub inflow: Inflow,
    /// Whether the largest river is led through the middle of the map.
    pub through: bool,
}

impl Default for Rivers {
    fn default() -> Self {
        Self { inflow: Inflow::Small, through: false }
    }
}

/// The water that enters the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Inflow {
    /// None: every river begins on the map.
    None,
    /// What the region around the map gathers, which is four times as wide.
    Small,
    /// A river of 30,000 square kilometres of catchment, about 85 m wide, crosses the map.
    Large,
}

/// Erosion: uplift and streams that shape the land, then droplets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Erosion {
    /// Age of the land: 0 is the land of zones, terrain and ridges, 1 is land that uplift and streams have shaped for 1.7
    /// million years.
    #[schemars(range(min = 0, max = 1))]
    pub age: f64,
    /// Uplift of the mountains per year. Used only if there is no goal; otherwise it is solved for.
    #[schemars(range(min = 0.01, max = 20), extend("x-unit" = "mm"))]
    pub uplift_mm: f64,
    /// Variation of the rock: how much its erodibility differs from place to place.
    #[schemars(range(min = 0, max = 2))]
    pub rock_variation: f64,
    /// The steepest slope of land that streams shape. A change of relief for the goal multiplies it; river banks may be steeper.
    #[schemars(range(min = 0.2, max = 2), extend("x-unit" = "rise/run"))]
    pub slope_limit: f64,
    /// Diffusivity of soil creep, which rounds hills.
    #[schemars(range(min = 0, max = 0.1), extend("x-unit" = "m\u{b2}/year"))]
    pub creep_m2_per_year: f64,
    /// Number of droplets on maps of at least 1024 by 1024 cells; smaller maps get proportionally fewer. 0 turns droplets off.
    #[schemars(range(min = 0, max = 200000))]
    pub droplets: u32,
    /// Inertia: share of a droplet's previous direction in its new one.
    #[schemars(range(min = 0.05, max = 0.3))]
    pub inertia: f64,
    /// Erosion rate: share of its free capacity that a droplet erodes in a step.
    #[schemars(range(min = 0.3, max = 0.8))]
    pub erosion_rate: f64,
    /// Deposition rate: share of its excess load that a droplet deposits in a step.
    #[schemars(range(min = 0.1, max = 0.5))]
    pub deposition_rate: f64,
    /// Evaporation rate: share of its water that a droplet loses in a step.
    #[schemars(range(min = 0.01, max = 0.05))]
    pub evaporation_rate: f64,
    /// Sediment capacity: load that a droplet can carry, per slope, speed and water.
    #[schemars(range(min = 2, max = 6))]
    pub sediment_capacity: f64,
    /// Slope below which a droplet stops.
    #[schemars(range(min = 0.0001, max = 0.001), extend("x-unit" = "rise/run"))]
    pub min_slope: f64,
    /// Radius of the brush with which droplets erode and deposit.
    #[schemars(range(min = 3, max = 5), extend("x-unit" = "cells"))]
    pub brush_radius: u32,
    /// Maximum number of steps of a droplet.
    #[schemars(range(min = 10, max = 5000))]
    pub max_steps: u32,
    /// Number of droplets that run over the same heights before the heights are updated.
    #[schemars(range(min = 1, max = 65536))]
    pub batch: u32,
    /// Which way droplets run: downhill or uphill.
    pub heading: Run,
    /// Where droplets erode most and where they deposit most.
    pub emphasis: Carve,
}

impl Default for Erosion {
    fn default() -> Self {
        Self {
            age: 1.0,
            uplift_mm: 2.0,
            rock_variation: 0.5,
            slope_limit: 0.6,
            creep_m2_per_year: 0.005,
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
        }
    }
}

/// Which way droplets run: downhill or uphill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Run {
    /// Downhill, as water does.
    Downhill,
    /// Uphill, as the document's formula says.
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

/// Where droplets erode most and where they deposit most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Carve {
    /// Erode more on hills and deposit more on plains.
    Hills,
    /// Erode more on plains, as the document's pseudocode does.
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

/// The goal: what is asked of the finished map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Goal {
    /// Share of the finished map that is dry and has a slope of at most 5 %. 0 is no goal.
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
    /// Drained area at which a river begins.
    #[schemars(range(min = 0.01, max = 100), extend("x-unit" = "km\u{b2}"))]
    pub river_area_km2: f64,
    /// Runoff per year.
    #[schemars(range(min = 1, max = 5000), extend("x-unit" = "mm"))]
    pub runoff_mm: f64,
    /// Least depth of a lake at its deepest point.
    #[schemars(range(min = 0.01, max = 100), extend("x-unit" = "m"))]
    pub lake_min_depth_m: f64,
    /// Least area of a lake.
    #[schemars(range(min = 0, max = 10000000), extend("x-unit" = "m\u{b2}"))]
    pub lake_min_area_m2: f64,
}

impl Default for Water {
    fn default() -> Self {
        Self { river_area_km2: 0.5, runoff_mm: 473.0, lake_min_depth_m: 0.5, lake_min_area_m2: 5000.0 }
    }
}

impl Params for CityParams {
    /// The document's names and symbols. Its `octaves` are those of the terrain in one table and of the zones in another.
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("map_size_meters", "map.size_m"),
        ("target_coverage", "zones.coverage"),
        ("coverage", "zones.coverage"),
        ("zone_wavelength", "zones.wavelength_m"),
        ("wavelength", "zones.wavelength_m"),
        ("zone_octaves", "zones.octaves"),
        ("O_zone", "zones.octaves"),
        ("A_min", "terrain.amplitude_min"),
        ("A_max", "terrain.amplitude_max"),
        ("O_terrain", "terrain.octaves"),
        ("p_terrain", "terrain.persistence"),
        ("l_terrain", "terrain.lacunarity"),
        ("octaves", "zones.octaves"),
        ("octaves", "terrain.octaves"),
        ("octaves", "ridges.octaves"),
        ("ridge_octaves", "ridges.octaves"),
        ("O_ridge", "ridges.octaves"),
        ("num_particles", "erosion.droplets"),
        ("particles", "erosion.droplets"),
        ("N_p", "erosion.droplets"),
        ("inertia", "erosion.inertia"),
        ("I", "erosion.inertia"),
        ("erosion_rate", "erosion.erosion_rate"),
        ("K_e", "erosion.erosion_rate"),
        ("deposition_rate", "erosion.deposition_rate"),
        ("K_d", "erosion.deposition_rate"),
        ("evaporation_rate", "erosion.evaporation_rate"),
        ("K_ev", "erosion.evaporation_rate"),
        ("sediment_capacity", "erosion.sediment_capacity"),
        ("K_s", "erosion.sediment_capacity"),
        ("min_slope", "erosion.min_slope"),
        ("s_min", "erosion.min_slope"),
        ("brush_radius", "erosion.brush_radius"),
        ("r_b", "erosion.brush_radius"),
        ("max_steps", "erosion.max_steps"),
    ];

    fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.ridges.blend_to <= self.ridges.blend_from {
            let message = format!("must be above ridges.blend_from ({})", self.ridges.blend_from);
            problems.push(Problem::new("ridges.blend_to", self.ridges.blend_to, message));
        }
        problems
    }
}
