//! The rules of the city builder's land, run on what a folder holds.
//!
//! Slopes, classes, shares, books and the level of standing water are computed again from the layers; rivers, lakes
//! and pictures are held against that. Directions of flow on level water are a choice of the maker, so no area is
//! compared cell by cell: it must go on downhill, gather no more than lies above, and leave over the border or into the
//! sea, which is every cell with a height below 0 m.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `fill`, `land` | the level of standing water, and that with the layers, lines and points |
//! | `files`, `ground`, `erosion`, `flow`, `lakes`, `rivers`, `sources`, `pictures` | the rules |

mod erosion;
mod files;
mod fill;
mod flow;
mod ground;
mod lakes;
mod land;
mod pictures;
mod rivers;
mod sources;
#[cfg(test)]
mod tests;

use super::Report;
use super::folder::Manifest;
use super::map;
use crate::error::Result;
use land::City;
use std::path::Path;

type Rule = map::Rule<City>;

/// The rules, in order.
const RULES: &[&[Rule]] = &[
    files::RULES,
    ground::RULES,
    erosion::RULES,
    flow::RULES,
    lakes::RULES,
    rivers::RULES,
    sources::RULES,
    pictures::RULES,
];

/// Checks a folder of the city world.
pub(super) fn folder(dir: &Path, manifest: &Manifest, text: &str, file: &Path) -> Result<Report> {
    map::folder::<City>(dir, manifest, text, file)
}
