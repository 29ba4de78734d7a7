//! The rules of tile maps with biomes, rivers, railroads, roads and settlements, run on what a folder holds.
//!
//! Borders, distances, regions, networks and polygons are computed again from the layers and compared with the files. The
//! generator is free to choose where borders and lines go: a border must wander, lower lines must keep away from higher ones or
//! cross them straight and at a right angle, and every line must lead somewhere. Around settlements the rules for lines are off.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `codes`, `tiles`, `lines` | the class tables; the layers with what follows from them; the lines as tiles |
//! | `files`, `borders`, `ground`, `links`, `beside`, `places`, `joined`, `rivers`, `ways`, `points`, `polygons` | the rules |

mod beside;
mod borders;
mod codes;
mod files;
mod ground;
mod joined;
mod lines;
mod links;
mod places;
mod points;
mod polygons;
mod rivers;
#[cfg(test)]
mod tests;
mod tiles;
mod ways;

use super::params::{Param, number, text, whole, word};
use super::{Checker, map, rule};
use tiles::Realm;

type Rule = rule::Rule<Realm>;

/// The rules, in order.
const RULES: &[&[Rule]] = &[
    files::RULES,
    borders::RULES,
    ground::RULES,
    links::RULES,
    beside::RULES,
    places::RULES,
    joined::RULES,
    rivers::RULES,
    ways::RULES,
    points::RULES,
    polygons::RULES,
];

/// The checker of this world.
pub(super) const CHECKER: Checker = Checker {
    name: "realm",
    folder: map::folder::<Realm>,
    rules: rule::list::<Realm>,
    params: PARAMS,
    file: None,
};

/// The parameters that a manifest may hold.
const PARAMS: &[Param] = &[
    number("map.cell_m", 10.0, 100_000.0),
    number("land.share", 0.05, 0.95),
    number("land.wavelength", 0.1, 2.0),
    word("land.north", BEYOND),
    word("land.east", BEYOND),
    word("land.south", BEYOND),
    word("land.west", BEYOND),
    whole("coast.features", 0, 12),
    number("coast.peninsulas", 0.0, 1.0),
    whole("coast.islands", 0, 40),
    number("elevation.peak_m", 100.0, 9000.0),
    number("elevation.ranges", 0.0, 1.0),
    number("elevation.roughness", 0.0, 1.0),
    number("climate.north_c", -30.0, 40.0),
    number("climate.south_c", -30.0, 40.0),
    number("climate.lapse_c_per_km", 0.0, 12.0),
    number("climate.wind_deg", 0.0, 360.0),
    number("climate.rain_reach_tiles", 5.0, 5000.0),
    number("biomes.mountain_share", 0.0, 0.5),
    number("biomes.wetland_share", 0.0, 0.3),
    text("biomes.template"),
    number("borders.base_tiles", 16.0, 512.0),
    number("borders.frequency", 4.0, 8.0),
    number("borders.displacement_tiles", 1.0, 3.0),
    whole("borders.octaves", 2, 3),
    number("borders.coast_frequency", 2.0, 4.0),
    number("borders.coast_displacement_tiles", 2.0, 5.0),
    whole("borders.coast_octaves", 3, 4),
    whole("rivers.source_tiles", 40, 10_000),
    number("rivers.meander_tiles", 0.0, 3.0),
    whole("rivers.lakes", 0, 60),
    number("settlements.density", 0.0, 40.0),
    whole("settlements.spacing_tiles", 8, 60),
    whole("railroads.tiers", 0, 3),
    whole("railroads.branch_tiles", 0, 200),
    number("railroads.bridge_cost", 1.0, 200.0),
    number("railroads.winding", 0.0, 1.0),
    number("roads.bridge_cost", 1.0, 200.0),
    number("roads.crossing_cost", 1.0, 200.0),
    whole("roads.river_setback_tiles", 3, 5),
    whole("roads.rail_setback_tiles", 2, 4),
    number("roads.setback_cost", 0.0, 20.0),
    number("roads.detour", 1.0, 10.0),
    number("roads.winding", 0.0, 1.0),
    word("names.culture", &["any", "northern", "southern", "eastern"]),
    text("names.settlements"),
    text("names.rivers"),
    text("names.ranges"),
    text("names.lakes"),
    text("names.seas"),
];

/// What lies beyond a side of the map.
const BEYOND: &[&str] = &["ocean", "land"];
