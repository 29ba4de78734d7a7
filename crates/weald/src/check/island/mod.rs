//! The rules of islands in the sea, run on what a folder holds.
//!
//! Coast, distances, depths, areas of drainage, basins, moisture, orders and figures are computed again from `land`,
//! `height`, `flow` and the rivers' lines, and the rest is held against that. Which way water goes and where rivers
//! begin is a choice of the maker: it must go strictly down and end in the sea, or off the map over the border, outside
//! of which is sea.
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

use super::Report;
use super::folder::Manifest;
use super::map;
use crate::error::Result;
use land::Island;
use std::path::Path;

type Rule = map::Rule<Island>;

/// The rules, in order.
const RULES: &[&[Rule]] =
    &[files::RULES, ground::RULES, flow::RULES, rivers::RULES, places::RULES, terrain::RULES, figures::RULES];

/// Checks a folder of the island world.
pub(super) fn folder(dir: &Path, manifest: &Manifest, text: &str, file: &Path) -> Result<Report> {
    map::folder::<Island>(dir, manifest, text, file)
}
