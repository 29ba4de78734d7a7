//! The rules of a galaxy, run on what a folder holds: its table of stars, its layers and its points.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `space` | the block of space, the table of stars, and the test for stars |
//! | `stars`, `gas` | the rules |

mod gas;
mod space;
mod stars;
#[cfg(test)]
mod tests;

use super::folder::Folder;
use super::params::{Param, number, whole};
use super::{Checker, Report, map, rule};
use crate::error::Result;
use crate::files;
use space::Galaxy;

type Rule = rule::Rule<Galaxy>;

/// The rules, in order.
const RULES: &[&[Rule]] = &[stars::RULES, gas::RULES];

/// The checker of this world.
pub(super) const CHECKER: Checker =
    Checker { name: "galaxy", folder: check, rules: rule::list::<Galaxy>, params: PARAMS, file: None };

/// The parameters that a manifest may hold.
const PARAMS: &[Param] = &[
    whole("depth_ly", 1, 10_000),
    whole("at.x", -1_000_000_000, 1_000_000_000),
    whole("at.y", -1_000_000_000, 1_000_000_000),
    whole("at.z", -1_000_000_000, 1_000_000_000),
    whole("nebula.threshold", 0, 700),
    whole("nebula.fineness", 1, 16),
    number("stars.min_magnitude", -30.0, 30.0),
    number("stars.magnitude_range", 0.0, 60.0),
    number("stars.visible_below", -30.0, 100.0),
];

/// Checks a folder of the galaxy world.
fn check(folder: Folder, report: &mut Report) -> Result<()> {
    if !files::is_file(&folder.dir.join(space::TABLE)) {
        report.notes.push("the rules of the stars were not checked: there is no stars.csv".into());
    }
    map::folder::<Galaxy>(folder, report)
}
