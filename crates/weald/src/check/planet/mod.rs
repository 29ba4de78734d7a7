//! The rules of a planet, run on what a folder holds.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `faces` | the six faces of the cube, laid out a second time from the documentation, and their layers |
//! | `ground`, `features` | the rules |

mod faces;
mod features;
mod ground;
#[cfg(test)]
mod tests;

use super::folder::Folder;
use super::params::{Param, number, text};
use super::{Checker, Report, map, rule};
use crate::error::Result;
use faces::Planet;

type Rule = rule::Rule<Planet>;

/// The rules, in order.
const RULES: &[&[Rule]] = &[ground::RULES, features::RULES];

/// The checker of this world.
pub(super) const CHECKER: Checker =
    Checker { name: "planet", folder: check, rules: rule::list::<Planet>, params: PARAMS, file: None };

/// The parameters that a manifest may hold.
const PARAMS: &[Param] =
    &[number("radius_m", 100.0, 8000.0), number("lake_level", 0.0, 700.0), text("placed")];

/// Checks a folder of the planet world.
fn check(folder: Folder, report: &mut Report) -> Result<()> {
    let layers = folder.typed.layers.iter().filter(|l| l.file.is_some());
    if layers.count() < <Planet as map::MapWorld>::LAYERS.len() {
        report.notes.push("some of the 24 layers are missing: rules that need them were not checked".into());
    }
    map::folder::<Planet>(folder, report)
}
