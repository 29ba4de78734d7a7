//! The rules of forest-terrain-v1, run on what a file or a folder holds.
//!
//! Values are 32-bit floats and thresholds are rounded to 32 bits before they are compared, so a class can be
//! checked exactly against the values beside it. Where a rule compares a sum or a difference, both answers
//! are accepted within the rounding of one 32-bit operation. Two base maps are not part of a tile: roughness
//! is recovered from the obstruction and vegetation variance from the tree density, as intervals.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `read`, `record`, `names` | files of tiles, the record of a tile, the names of its classes |
//! | `layers`, `lines` | the layers and the lines of a folder |
//! | `params`, `tiles`, `world` | parameters, arrays, and both together with the ways around a map |
//! | `compare` | comparisons that allow for rounding |
//! | `ranges`, `land`, `flow`, `water`, `cover`, `trails`, `navigation` | the rules, by chapter |
//! | `routes` | between which tiles trails must run and what that costs |

mod compare;
mod cover;
mod flow;
mod land;
mod layers;
mod lines;
mod names;
mod navigation;
mod params;
mod ranges;
mod read;
mod record;
mod routes;
#[cfg(test)]
pub(super) mod tests;
mod tiles;
mod trails;
mod water;
mod world;

use super::params::{Param, above, below, number, whole, word};
use super::{Checker, Report, RuleInfo, rule};
use crate::error::Result;
use params::Settings;
use std::io::Read;
use std::path::Path;
use tiles::Tiles;
use world::World;

type Rule = rule::Rule<World>;

/// The rules, in the order of the document.
const RULES: &[&[Rule]] =
    &[ranges::RULES, land::RULES, flow::RULES, water::RULES, cover::RULES, trails::RULES, navigation::RULES];

/// The checker of this world.
pub(super) const CHECKER: Checker = Checker {
    name: "forest",
    folder: layers::folder,
    rules: all_rules,
    params: PARAMS,
    file: Some(envelope),
};

/// The parameters that a manifest may hold.
const PARAMS: &[Param] = &[
    whole("grid.playable_inset", 0, 1_000_000),
    word("elevation.source", &["noise", "shaped"]),
    number("elevation.lakes", 0.0, 1.0),
    whole("height_noise.octaves", 1, 16),
    above("height_noise.base_frequency", 0.0, 64.0),
    number("height_noise.lacunarity", 1.0, 8.0),
    number("height_noise.persistence", 0.0, 2.0),
    whole("roughness_noise.octaves", 1, 16),
    above("roughness_noise.base_frequency", 0.0, 64.0),
    number("roughness_noise.lacunarity", 1.0, 8.0),
    number("roughness_noise.persistence", 0.0, 2.0),
    whole("veg_variance_noise.octaves", 1, 16),
    above("veg_variance_noise.base_frequency", 0.0, 64.0),
    number("veg_variance_noise.lacunarity", 1.0, 8.0),
    number("veg_variance_noise.persistence", 0.0, 2.0),
    number("veg_variance_noise.strength", 0.0, 2.0),
    number("landform.eps", 0.0, 1.0),
    number("landform.flat_slope_threshold", 0.0, 1.0),
    number("hydrology.min_drop_threshold", 0.0, 1.0),
    number("hydrology.tie_eps", 0.0, 0.1),
    number("hydrology.stream_accum_threshold", 0.0, 2.0),
    number("hydrology.stream_min_slope_threshold", 0.0, 2.0),
    number("hydrology.lake_flat_slope_threshold", 0.0, 2.0),
    number("hydrology.lake_accum_threshold", 0.0, 2.0),
    below("hydrology.moisture_accum_start", 0.0, 1.0),
    above("hydrology.flatness_threshold", 0.0, 2.0),
    whole("hydrology.water_prox_max_dist", 1, 65_535),
    number("hydrology.weights.accum", 0.0, 10.0),
    number("hydrology.weights.flat", 0.0, 10.0),
    number("hydrology.weights.prox", 0.0, 10.0),
    number("hydrology.marsh_moisture_threshold", 0.0, 2.0),
    number("hydrology.marsh_slope_threshold", 0.0, 2.0),
    number("ground.peat_moisture_threshold", 0.0, 2.0),
    number("ground.standing_water_moisture_threshold", 0.0, 2.0),
    number("ground.standing_water_slope_max", 0.0, 2.0),
    number("ground.lichen_moisture_max", -1.0, 1.0),
    number("ground.exposed_sand_moisture_max", -1.0, 1.0),
    number("ground.bedrock_height_min", 0.0, 2.0),
    number("ground.bedrock_roughness_min", 0.0, 2.0),
    number("roughness_features.obstruction_moisture_mix", 0.0, 1.0),
    number("roughness_features.windthrow_threshold", 0.0, 2.0),
    number("roughness_features.fallen_log_threshold", 0.0, 2.0),
    number("roughness_features.root_tangle_moisture_threshold", 0.0, 2.0),
    number("roughness_features.boulder_height_min", 0.0, 2.0),
    number("roughness_features.boulder_roughness_min", 0.0, 2.0),
    number("movement.steep_block_delta", 0.0, 2.0),
    number("movement.steep_difficult_delta", 0.0, 2.0),
    number("movement.cliff_slope_min", 0.0, 2.0),
    above("movement.move_cost_obstruction_max", 0.0, 100.0),
    above("movement.move_cost_moisture_max", 0.0, 100.0),
    above("movement.marsh_move_cost_multiplier", 0.0, 100.0),
    above("movement.open_bog_move_cost_multiplier", 0.0, 100.0),
    number("visibility.base", 0.0, 100_000.0),
    number("visibility.density_penalty", 0.0, 100_000.0),
    number("visibility.obstruction_penalty", 0.0, 100_000.0),
    number("visibility.elevation_bonus", -100_000.0, 100_000.0),
    number("visibility.min_meters", 0.0, 100_000.0),
    number("visibility.max_meters", 0.0, 100_000.0),
    number("orientation.min", 0.0, 1.0),
    number("orientation.max", 0.0, 1.0),
    number("orientation.density_weight", 0.0, 10.0),
    number("orientation.obstruction_weight", 0.0, 10.0),
    number("orientation.wetness_weight", 0.0, 10.0),
    number("orientation.wetness_start", 0.0, 1.0),
    above("orientation.wetness_range", 0.0, 10.0),
    number("orientation.ridge_bonus", -1.0, 1.0),
    above("game_trails.diag_weight", 0.0, 10.0),
    above("game_trails.inf", 0.0, 1e30),
    number("game_trails.w_slope", 0.0, 1_000_000.0),
    above("game_trails.slope_scale", 0.0, 10.0),
    number("game_trails.w_moist", 0.0, 1_000_000.0),
    below("game_trails.moist_start", 0.0, 1.0),
    number("game_trails.w_obs", 0.0, 1_000_000.0),
    below("game_trails.w_ridge", 0.0, 1.0),
    below("game_trails.w_stream_prox", 0.0, 1.0),
    whole("game_trails.stream_prox_max_dist", 1, 65_535),
    number("game_trails.w_cross", 0.0, 1_000_000.0),
    number("game_trails.w_marsh", 0.0, 1_000_000.0),
    whole("game_trails.water_seed_max_dist", 1, 65_535),
    whole("game_trails.seed_tiles_per_trail", 0, 1_000_000_000),
    number("game_trails.stream_endpoint_accum_threshold", 0.0, 2.0),
    number("game_trails.ridge_endpoint_max_slope", 0.0, 2.0),
    above("game_trails.game_trail_move_cost_multiplier", 0.0, 100.0),
];

/// The rules about lines and files of tiles, then those about the map.
fn all_rules() -> Vec<RuleInfo> {
    let files = [lines::RULE].into_iter().chain(read::RULES).chain(record::RULES).chain([layers::RULE]);
    files.chain(rule::list::<World>()).collect()
}

/// Checks a file of tiles.
fn envelope(input: &mut dyn Read, path: &Path) -> Result<Report> {
    let mut report = Report::default();
    if let Some((tiles, settings)) = read::tiles(input, path, &mut report)? {
        run(tiles, settings, &mut report)?;
    }
    Ok(report)
}

/// Runs every rule whose arrays are known.
fn run(tiles: Tiles, settings: Settings, report: &mut Report) -> Result<()> {
    rule::run(&World::new(tiles, settings.params, settings.seed), report)
}
