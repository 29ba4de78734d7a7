//! The layers of a folder: beside its tiles, or alone.

use super::params::Settings;
use super::tiles::Tiles;
use super::{read, run};
use crate::check::{Report, RuleResult};
use crate::error::Result;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Checks the tiles of a folder, and that they agree with its layers.
pub(in crate::check) fn folder_with_tiles(
    input: &mut dyn Read,
    path: &Path,
    layers: Tiles,
    report: &mut Report,
) -> Result<()> {
    let Some((mut tiles, settings)) = read::tiles(input, path, report)? else {
        return Ok(());
    };
    let mut rule = RuleResult::new("tiles-match-layers", "each value of a tile equals that of the layer");
    let same = (tiles.columns, tiles.rows) == (layers.columns, layers.rows);
    rule.check(same, None, || {
        let (w, h) = (tiles.columns, tiles.rows);
        format!("the tiles are {w}x{h}, the layers {}x{}", layers.columns, layers.rows)
    });
    if same {
        tiles.compare(&layers, &mut rule);
        // What only layers hold makes some rules exact and others possible.
        tiles.roughness = layers.roughness;
        tiles.vegetation_variance = layers.vegetation_variance;
        tiles.lake_mask = layers.lake_mask;
        tiles.stream_mask = layers.stream_mask;
        tiles.lake_id = layers.lake_id;
        tiles.water_distance = layers.water_distance;
        tiles.game_trail = layers.game_trail;
        if tiles.game_trail_id.is_empty() {
            tiles.game_trail_id = layers.game_trail_id;
        }
        if tiles.cliff_edge.is_empty() {
            tiles.cliff_edge = layers.cliff_edge;
        }
    }
    report.rules.push(rule);
    run(tiles, settings, report)
}

/// Checks the layers of a folder without tiles. `params` come with the file in which they stand.
pub(in crate::check) fn layers_alone(
    layers: Tiles,
    seed: Option<&Value>,
    params: Option<(Value, PathBuf)>,
    report: &mut Report,
) -> Result<()> {
    let params = params.as_ref().map(|(value, from)| (value, from.as_path()));
    let settings = Settings::read(params, seed, ["there are no params", "there is no seed"], report)?;
    run(layers, settings, report)
}
