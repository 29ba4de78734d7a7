//! The rules of islands in the sea, run on what a folder holds.
//!
//! Coast, distances, depths, flow accumulation, basins, moisture, orders and figures are computed again from `land`,
//! `height`, `flow_direction` and the rivers' lines, and the layers and files are compared with them. The generator is free
//! to choose which way water goes and where rivers begin: water must go strictly down and end in the sea, or leave the map
//! over the border, outside of which is sea.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `land` | the layers, lines and points, with what follows from them |
//! | `files`, `ground`, `flow`, `rivers`, `places`, `terrain`, `figures` | the rules |

mod figures;
mod files;
mod flow;
mod ground;
mod land;
mod places;
mod rivers;
mod terrain;
#[cfg(test)]
mod tests;

use super::params::{Param, flag, number, whole, word};
use super::{Checker, map, rule};
use land::Island;

type Rule = rule::Rule<Island>;

/// The rules, in order.
const RULES: &[&[Rule]] =
    &[files::RULES, ground::RULES, flow::RULES, rivers::RULES, places::RULES, terrain::RULES, figures::RULES];

/// The checker of this world.
pub(super) const CHECKER: Checker = Checker {
    name: "island",
    folder: map::folder::<Island>,
    rules: rule::list::<Island>,
    params: PARAMS,
    file: None,
};

/// The parameters that a manifest may hold.
const PARAMS: &[Param] = &[
    number("map.cell_m", 0.1, 10_000.0),
    number("map.sea_grey", 0.0, 0.99),
    number("shape.land_fraction", 0.0, 1.0),
    number("shape.island_noise_scale", 0.0005, 0.1),
    whole("shape.island_noise_octaves", 1, 12),
    number("shape.island_noise_persistence", 0.1, 0.9),
    whole("shape.least_islet", 1, 100_000),
    number("shape.centre_fall", 0.0, 5.0),
    word("shape.form", &["centre", "ring"]),
    number("shape.ring_radius", 0.1, 0.9),
    number("elevation.peak_elevation", 1.0, 9000.0),
    number("elevation.min_peak_elevation", 0.0, 9000.0),
    flag("elevation.per_island"),
    word("elevation.relief", &["shaped", "distance"]),
    number("elevation.roughness", 0.0, 1.0),
    number("elevation.roughness_scale", 0.001, 0.2),
    number("sea.shore_depth_m", 0.1, 1000.0),
    number("sea.slope_m", 0.0, 100.0),
    number("sea.shelf_cells", 0.0, 4096.0),
    number("sea.plain_depth_m", 0.0, 6000.0),
    number("sea.wander", 0.0, 0.9),
    word("sea.distance", &["euclidean", "steps"]),
    number("rivers.river_spacing", 1.0, 4096.0),
    number("rivers.river_meander_strength", 0.0, 1.0),
    whole("rivers.spring_area", 0, 10_000_000),
    number("rivers.runoff_mm", 1.0, 5000.0),
    number("valleys.width_cells", 0.0, 200.0),
    number("valleys.width_per_order_cells", 0.0, 100.0),
    number("valleys.depth_m", 0.0, 200.0),
    number("valleys.depth_per_order_m", 0.0, 100.0),
    number("noise.noise_scale", 0.0001, 0.5),
    number("noise.noise_amplitude", 0.0, 0.8),
    whole("noise.noise_octaves", 1, 10),
    number("noise.near_river", 0.0, 1.0),
    number("noise.near_cells", 0.0, 200.0),
    number("noise.blend_cells", 0.0, 200.0),
    number("harbours.harbour_spacing", 1.0, 4096.0),
    number("harbours.min_shelter", 0.0, 1.0),
];
