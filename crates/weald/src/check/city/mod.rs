//! The rules of the city builder's land, run on what a folder holds.
//!
//! Slopes, classes, shares, the mass balance and the level of standing water are computed again from the layers, and
//! rivers, lakes and pictures are compared with them. The generator is free to choose directions of flow on level water,
//! so flow accumulation is not compared cell by cell: it must grow downhill, count no more cells than lie above, and leave
//! over the border or into the sea, which is every cell with a height of 0 m or less.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `land` | the layers, lines and points, with the level of standing water |
//! | `files`, `ground`, `erosion`, `flow`, `lakes`, `rivers`, `sea`, `sources`, `pictures` | the rules |

mod erosion;
mod files;
mod flow;
mod ground;
mod lakes;
mod land;
mod pictures;
mod rivers;
mod sea;
mod sources;
#[cfg(test)]
mod tests;

use super::params::{Param, flag, number, whole, word};
use super::{Checker, map, rule};
use land::City;

type Rule = rule::Rule<City>;

/// The rules, in order.
const RULES: &[&[Rule]] = &[
    files::RULES,
    ground::RULES,
    erosion::RULES,
    flow::RULES,
    lakes::RULES,
    rivers::RULES,
    sea::RULES,
    sources::RULES,
    pictures::RULES,
];

/// The checker of this world.
pub(super) const CHECKER: Checker = Checker {
    name: "city",
    folder: map::folder::<City>,
    rules: rule::list::<City>,
    params: PARAMS,
    file: None,
};

/// The parameters that a manifest may hold.
const PARAMS: &[Param] = &[
    number("map.size_m", 1000.0, 114_688.0),
    number("map.height_scale_m", 200.0, 10_000.0),
    number("map.sea_level_m", 0.0, 5000.0),
    number("map.lowest_m", -500.0, 2000.0),
    number("zones.wavelength_m", 5000.0, 8000.0),
    whole("zones.octaves", 2, 3),
    number("zones.coverage", 0.6, 0.8),
    word("zones.curve", &["power", "linear"]),
    number("zones.foothills", 0.02, 2.0),
    number("terrain.wavelength_m", 500.0, 20_000.0),
    whole("terrain.octaves", 1, 10),
    number("terrain.persistence", 0.2, 0.8),
    number("terrain.lacunarity", 1.5, 3.0),
    number("terrain.amplitude_min", 0.2, 0.4),
    number("terrain.amplitude_max", 0.8, 1.2),
    number("terrain.buildable_share", 0.0, 0.9),
    number("terrain.amplitude_m", 1.0, 3000.0),
    word("terrain.stretch", &["none", "full"]),
    number("ridges.wavelength_m", 300.0, 20_000.0),
    whole("ridges.octaves", 4, 6),
    number("ridges.strength", 0.0, 5.0),
    number("ridges.blend_from", 0.0, 1.0),
    number("ridges.blend_to", 0.0, 1.0),
    word("ridges.crest", &["sharp", "hollow"]),
    word("sea.side", &["none", "west", "north", "east", "south"]),
    number("sea.share", 0.02, 0.6),
    word("rivers.inflow", &["none", "small", "large"]),
    flag("rivers.through"),
    number("erosion.age", 0.0, 1.0),
    number("erosion.uplift_mm", 0.01, 20.0),
    number("erosion.rock_variation", 0.0, 2.0),
    number("erosion.slope_limit", 0.2, 2.0),
    number("erosion.creep_m2_per_year", 0.0, 0.1),
    whole("erosion.droplets", 0, 200_000),
    number("erosion.inertia", 0.05, 0.3),
    number("erosion.erosion_rate", 0.3, 0.8),
    number("erosion.deposition_rate", 0.1, 0.5),
    number("erosion.evaporation_rate", 0.01, 0.05),
    number("erosion.sediment_capacity", 2.0, 6.0),
    number("erosion.min_slope", 0.0001, 0.001),
    whole("erosion.brush_radius", 3, 5),
    whole("erosion.max_steps", 10, 5000),
    whole("erosion.batch", 1, 65_536),
    word("erosion.heading", &["downhill", "uphill"]),
    word("erosion.emphasis", &["hills", "plains"]),
    number("goal.buildable_share", 0.0, 0.95),
    number("water.river_area_km2", 0.01, 100.0),
    number("water.runoff_mm", 1.0, 5000.0),
    number("water.lake_min_depth_m", 0.01, 100.0),
    number("water.lake_min_area_m2", 0.0, 10_000_000.0),
];
