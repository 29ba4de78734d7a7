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
    /// Octaves of that noise. More octaves give the coast finer detail; 8 reach down to single cells.
    #[schemars(range(min = 1, max = 12))]
    pub island_noise_octaves: u32,
    /// Weight of an octave relative to the one before. More makes the coast more ragged.
    #[schemars(range(min = 0.1, max = 0.9))]
    pub island_noise_persistence: f64,
    /// Least number of cells of an islet. Smaller ones are left out where that is possible, and other land takes their place.
    #[schemars(range(min = 1, max = 100000), extend("x-unit" = "cells"))]
    pub least_islet: u32,
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
            island_noise_octaves: 8,
            island_noise_persistence: 0.6,
            least_islet: 30,
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
    /// Height of the highest peak, before noise.
    #[schemars(range(min = 1, max = 9000), extend("x-unit" = "m"))]
    pub peak_elevation: f64,
    /// Least height at which a river begins. If no source is that high, a river begins at the highest place.
    #[schemars(range(min = 0, max = 9000), extend("x-unit" = "m"))]
    pub min_peak_elevation: f64,
    /// Whether the height is scaled for each island by itself, with lower peaks on smaller islands, instead of for the whole map.
    /// Smaller islands are then steeper.
    pub per_island: bool,
    /// What makes the heights: uplift and streams, or the distance from the coast alone.
    pub relief: Relief,
    /// How much rock differs from place to place in how easily streams carve it. 0 is the same rock everywhere, with straighter
    /// rivers.
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
            relief: Relief::Shaped,
            roughness: 1.0,
            roughness_scale: 0.011,
        }
    }
}

/// What makes the heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Relief {
    /// Uplift by the distance from the coast, and streams that carve the land while it rises.
    Shaped,
    /// The distance from the coast alone: the smooth dome of the document.
    Distance,
}

/// The sea floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sea {
    /// Depth at the coast.
    #[schemars(range(min = 0.1, max = 1000), extend("x-unit" = "m"))]
    pub shore_depth_m: f64,
    /// How much deeper the shelf gets with every cell from the coast.
    #[schemars(range(min = 0, max = 100), extend("x-unit" = "m"))]
    pub slope_m: f64,
    /// Width of the shelf, from the coast to where the continental slope begins.
    #[schemars(range(min = 0, max = 4096), extend("x-unit" = "cells"))]
    pub shelf_cells: f64,
    /// How much deeper the plain of the deep sea is than the edge of the shelf. 0 keeps the depth of that edge.
    #[schemars(range(min = 0, max = 6000), extend("x-unit" = "m"))]
    pub plain_depth_m: f64,
    /// How much noise shifts the shelf and the slope to and fro, as a share of the distance from the coast.
    #[schemars(range(min = 0, max = 0.9))]
    pub wander: f64,
    /// How the distance from the coast is measured.
    pub distance: Distance,
}

impl Default for Sea {
    fn default() -> Self {
        Self {
            shore_depth_m: 2.0,
            slope_m: 0.3,
            shelf_cells: 50.0,
            plain_depth_m: 120.0,
            wander: 0.5,
            distance: Distance::Euclidean,
        }
    }
}

/// How a distance is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Distance {
    /// In a straight line.
    Euclidean,
    /// In steps of 1 and the square root of 2 from cell to cell: lines of equal depth are octagons.
    Steps,
}

/// Rivers: where they begin and how they run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rivers {
    /// Least distance between sources, both peaks and springs.
    #[schemars(range(min = 1, max = 4096), extend("x-unit" = "cells"))]
    pub river_spacing: f64,
    /// How much rivers meander: on gentle ground, and above 0.3 on steeper ground too. 0 leaves them as straight as the land does.
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
        Self { width_cells: 5.0, width_per_order_cells: 10.0, depth_m: 1.0, depth_per_order_m: 1.0 }
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
            noise_scale: 0.06,
            noise_amplitude: 0.03,
            noise_octaves: 4,
            near_river: 0.0,
            near_cells: 1.0,
            blend_cells: 10.0,
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
