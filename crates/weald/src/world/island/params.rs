//! The parameters of the island world. Those in the document's tables keep its names.

use crate::params::{Params, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All parameters of the island world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct IslandParams {
    /// The map as a whole.
    pub map: Map,
    /// Shape: where land is.
    pub shape: Shape,
    /// Elevation of the land before rivers.
    pub elevation: Elevation,
    /// The sea floor.
    pub sea: Sea,
    /// Rivers: where they begin and how they run.
    pub rivers: Rivers,
    /// Valleys that rivers cut.
    pub valleys: Valleys,
    /// Noise that is added to the finished heights.
    pub noise: Noise,
    /// Harbours.
    pub harbours: Harbours,
}

/// The map as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Map {
    /// Side of a cell.
    #[schemars(range(min = 0.1, max = 10000), extend("x-unit" = "m"))]
    pub cell_m: f64,
    /// Grey value up to which an authored heightmap is sea, from 0 for black to 1 for white.
    #[schemars(range(min = 0, max = 0.99))]
    pub sea_grey: f64,
}

impl Default for Map {
    fn default() -> Self {
        Self { cell_m: 10.0, sea_grey: 0.0 }
    }
}

/// Shape: where land is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Shape {
    /// Share of the map that is land, exact to one cell.
    #[schemars(range(min = 0, max = 1))]
    pub land_fraction: f64,
    /// Frequency of the noise that shapes the coast.
    #[schemars(range(min = 0.0005, max = 0.1), extend("x-unit" = "1/cell"))]
    pub island_noise_scale: f64,
    /// Octaves of that noise. More octaves make the coast more ragged.
    #[schemars(range(min = 1, max = 8))]
    pub island_noise_octaves: u32,
    /// How much less likely land becomes from the centre of the map to its edge. 0 scatters islands everywhere.
    #[schemars(range(min = 0, max = 5))]
    pub centre_fall: f64,
    /// Where land gathers: at the centre, or along a ring.
    pub form: Form,
    /// Radius of the ring, as a share of half the size of the map.
    #[schemars(range(min = 0.1, max = 0.9))]
    pub ring_radius: f64,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            land_fraction: 0.45,
            island_noise_scale: 0.006,
            island_noise_octaves: 4,
            centre_fall: 0.7,
            form: Form::Centre,
            ring_radius: 0.6,
        }
    }
}

/// Where land gathers: at the centre, or along a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The centre of the map.
    Centre,
    /// A ring around the centre, with a lagoon inside.
    Ring,
}

/// Elevation of the land before rivers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Elevation {
    /// Height of the place farthest from the coast.
    #[schemars(range(min = 1, max = 9000), extend("x-unit" = "m"))]
    pub peak_elevation: f64,
    /// Least height of a peak at which a river begins. If no peak is that high, a river begins at the highest place.
    #[schemars(range(min = 0, max = 9000), extend("x-unit" = "m"))]
    pub min_peak_elevation: f64,
    /// Whether the height is scaled for each island by itself, with lower peaks on smaller islands, instead of for the whole map.
    /// Smaller islands are then steeper.
    pub per_island: bool,
    /// How much the cost of the ground varies in the cost distance from the coast, which makes ridges and valleys. 0 uses the plain
    /// distance.
    #[schemars(range(min = 0, max = 1))]
    pub roughness: f64,
    /// Frequency of that variation.
    #[schemars(range(min = 0.001, max = 0.2), extend("x-unit" = "1/cell"))]
    pub roughness_scale: f64,
}

impl Default for Elevation {
    fn default() -> Self {
        Self {
            peak_elevation: 300.0,
            min_peak_elevation: 50.0,
            per_island: false,
            roughness: 1.0,
            roughness_scale: 0.011,
        }
    }
}

/// The sea floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sea {
    /// Depth at the coast.
    #[schemars(range(min = 0.1, max = 1000), extend("x-unit" = "m"))]
    pub shore_depth_m: f64,
    /// How much deeper the sea gets with every cell from the coast.
    #[schemars(range(min = 0, max = 100), extend("x-unit" = "m"))]
    pub slope_m: f64,
    /// Distance from the coast beyond which the sea gets no deeper.
    #[schemars(range(min = 0, max = 4096), extend("x-unit" = "cells"))]
    pub shelf_cells: f64,
}

impl Default for Sea {
    fn default() -> Self {
        Self { shore_depth_m: 5.0, slope_m: 0.3, shelf_cells: 50.0 }
    }
}

/// Rivers: where they begin and how they run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rivers {
    /// Least distance between peaks at which rivers begin.
    #[schemars(range(min = 1, max = 4096), extend("x-unit" = "cells"))]
    pub river_spacing: f64,
    /// How much rivers meander. 0 follows the steepest descent.
    #[schemars(range(min = 0, max = 1))]
    pub river_meander_strength: f64,
    /// Flow accumulation at which a spring rises. 0 lets rivers begin at peaks only.
    #[schemars(range(min = 0, max = 10000000), extend("x-unit" = "cells"))]
    pub spring_area: u32,
    /// Runoff per year.
    #[schemars(range(min = 1, max = 5000), extend("x-unit" = "mm"))]
    pub runoff_mm: f64,
}

impl Default for Rivers {
    fn default() -> Self {
        Self { river_spacing: 80.0, river_meander_strength: 0.3, spring_area: 800, runoff_mm: 800.0 }
    }
}

/// Valleys that rivers cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Valleys {
    /// Width of a valley before the part that grows with the order of the river.
    #[schemars(range(min = 0, max = 200), extend("x-unit" = "cells"))]
    pub width_cells: f64,
    /// Width that each stream order adds.
    #[schemars(range(min = 0, max = 100), extend("x-unit" = "cells"))]
    pub width_per_order_cells: f64,
    /// Depth of a valley before the part that grows with the order of the river.
    #[schemars(range(min = 0, max = 200), extend("x-unit" = "m"))]
    pub depth_m: f64,
    /// Depth that each stream order adds.
    #[schemars(range(min = 0, max = 100), extend("x-unit" = "m"))]
    pub depth_per_order_m: f64,
}

impl Default for Valleys {
    fn default() -> Self {
        Self { width_cells: 5.0, width_per_order_cells: 10.0, depth_m: 5.0, depth_per_order_m: 3.0 }
    }
}

/// Noise that is added to the finished heights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Noise {
    /// Frequency of the first octave.
    #[schemars(range(min = 0.0001, max = 0.5), extend("x-unit" = "1/cell"))]
    pub noise_scale: f64,
    /// Amplitude of the noise as a share of the height.
    #[schemars(range(min = 0, max = 0.8))]
    pub noise_amplitude: f64,
    /// Number of octaves.
    #[schemars(range(min = 1, max = 10))]
    pub noise_octaves: u32,
    /// Share of the noise that is left near a river.
    #[schemars(range(min = 0, max = 1))]
    pub near_river: f64,
    /// Distance from a river within which that share applies.
    #[schemars(range(min = 0, max = 200), extend("x-unit" = "cells"))]
    pub near_cells: f64,
    /// Further distance over which the noise grows to its full amplitude. 0 is a step.
    #[schemars(range(min = 0, max = 200), extend("x-unit" = "cells"))]
    pub blend_cells: f64,
}

impl Default for Noise {
    fn default() -> Self {
        Self {
            noise_scale: 0.005,
            noise_amplitude: 0.15,
            noise_octaves: 6,
            near_river: 0.3,
            near_cells: 10.0,
            blend_cells: 20.0,
        }
    }
}

/// Harbours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Harbours {
    /// Least distance between harbours.
    #[schemars(range(min = 1, max = 4096), extend("x-unit" = "cells"))]
    pub harbour_spacing: f64,
    /// Least shelter of a harbour: the share of the horizon that is closed by land, where near land counts more.
    #[schemars(range(min = 0, max = 1))]
    pub min_shelter: f64,
}

impl Default for Harbours {
    fn default() -> Self {
        Self { harbour_spacing: 80.0, min_shelter: 0.55 }
    }
}

impl Params for IslandParams {
    /// The document's tables have no groups, so its names are accepted without them too.
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("land_fraction", "shape.land_fraction"),
        ("island_noise_scale", "shape.island_noise_scale"),
        ("island_noise_octaves", "shape.island_noise_octaves"),
        ("peak_elevation", "elevation.peak_elevation"),
        ("min_peak_elevation", "elevation.min_peak_elevation"),
        ("river_spacing", "rivers.river_spacing"),
        ("river_meander_strength", "rivers.river_meander_strength"),
        ("noise_scale", "noise.noise_scale"),
        ("noise_amplitude", "noise.noise_amplitude"),
    ];

    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }
}
