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
//! | `layers` | the layers of a folder |
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

pub(super) use layers::{folder_with_tiles, layers_alone};
pub(super) use lines::trail_lines;
pub(super) use tiles::Tiles;

use super::{Report, RuleResult};
use crate::error::Result;
use params::Settings;
use std::io::Read;
use std::path::Path;
use world::World;

/// One rule of the document.
struct Rule {
    name: &'static str,
    about: &'static str,
    /// The arrays it needs. Without the first, which it is about, there is nothing to say.
    needs: &'static [&'static str],
    run: fn(&World, &mut RuleResult) -> Result<()>,
}

/// The rules, in the order of the document.
const RULES: [&[Rule]; 7] =
    [ranges::RULES, land::RULES, flow::RULES, water::RULES, cover::RULES, trails::RULES, navigation::RULES];

/// Checks a file of tiles.
pub(super) fn envelope(input: &mut dyn Read, path: &Path) -> Result<Report> {
    let mut report = Report::default();
    if let Some((tiles, settings)) = read::tiles(input, path, &mut report)? {
        run(tiles, settings, &mut report)?;
    }
    Ok(report)
}

/// Runs every rule whose arrays are known.
fn run(tiles: Tiles, settings: Settings, report: &mut Report) -> Result<()> {
    let w = World::new(tiles, settings.params, settings.seed);
    for rule in RULES.into_iter().flatten() {
        let missing: Vec<&str> = rule.needs.iter().copied().filter(|n| !w.has(n)).collect();
        if missing.is_empty() {
            let mut result = RuleResult::new(rule.name, rule.about);
            (rule.run)(&w, &mut result)?;
            report.rules.push(result);
        } else if w.has(rule.needs[0]) && missing != ["seed"] {
            report.notes.push(format!("{} was not checked: {} is missing", rule.name, missing.join(", ")));
        }
    }
    Ok(())
}
