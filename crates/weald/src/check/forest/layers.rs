//! Folders of the forest: layers beside tiles, or alone.

use super::params::Settings;
use super::tiles::Tiles;
use super::{lines, read, run};
use crate::check::folder::Folder;
use crate::check::{Report, RuleInfo, open, sources};
use crate::error::{Error, Result};
use crate::files;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The rule that compares both.
pub(super) const RULE: RuleInfo =
    RuleInfo { name: "tiles-match-layers", about: "each value of a tile equals that of the layer" };

/// Checks a folder of the forest world.
pub(super) fn folder(mut folder: Folder, report: &mut Report) -> Result<()> {
    let files = ["tiles.json", "tiles.ndjson"].map(|n| folder.dir.join(n));
    let files: Vec<PathBuf> = files.into_iter().filter(|p| files::is_file(p)).collect();
    report.absorb(Report { rules: vec![sources::tiles(&folder, &files)?], ..Report::default() });
    let mut tiles = Tiles::default();
    (tiles.columns, tiles.rows) = folder.size();
    folder.take_layers(report, |name, array| tiles.set_layer(name, array));
    report.rules.extend(lines::trail_lines(&folder, &tiles)?);
    for file in &files {
        let mut of_file = Report::default();
        with_tiles(&mut open(file)?, file, tiles.clone(), &mut of_file)?;
        report.absorb(of_file);
    }
    if files.is_empty() {
        if folder.typed.layers.iter().all(|l| l.file.is_none()) {
            let message = "holds neither layers nor tiles, so there is nothing to check";
            return Err(Error::Invalid(format!("{}: {message}", folder.dir.display())));
        }
        let settings = settings(&folder, report)?;
        run(tiles, settings, report)?;
    }
    Ok(())
}

/// What the map was made with, by the manifest, else by the recipe.
fn settings(folder: &Folder, report: &mut Report) -> Result<Settings> {
    let stated = folder.typed.params.as_ref().map(|p| (p, folder.file()));
    let recipe = || folder.recipe.as_ref()?.get("params").map(|p| (p, folder.dir.join("recipe.toml")));
    let params: Option<(&Value, PathBuf)> = stated.or_else(recipe);
    let params = params.as_ref().map(|(value, from)| (*value, from.as_path()));
    let missing = ["there are no params", "there is no seed"];
    Settings::read(params, folder.typed.seed.as_ref(), missing, report)
}

/// Checks the tiles of a folder, and that they agree with its layers.
fn with_tiles(input: &mut dyn Read, path: &Path, layers: Tiles, report: &mut Report) -> Result<()> {
    let Some((mut tiles, settings)) = read::tiles(input, path, report)? else {
        return Ok(());
    };
    let mut rule = RULE.result();
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
