//! The rules of the endless world, run on what a folder holds.
//!
//! Seed 0 is the document's own world: there every place is computed again from the document, in the window and
//! around it. Other seeds have profiles of their own: there the layers, lines and points must fit together, as far
//! as the window shows. Heights at whole places are multiples of 1/128 in seed 0, so they are compared exactly.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `formula`, `names` | the original world by formula, the names of the classes |
//! | `settings`, `lines`, `window` | parameters, lines and points, and all of it with the layers |
//! | `ground`, `features`, `streams`, `roads`, `courses`, `surface`, `cover`, `towns`, `mines`, `sky`, `files` | the rules |

mod courses;
mod cover;
mod features;
mod files;
mod formula;
mod ground;
mod lines;
mod mines;
mod names;
mod roads;
mod settings;
mod sky;
mod streams;
mod surface;
#[cfg(test)]
mod tests;
mod towns;
mod window;

use super::folder::{self, Folder};
use super::params::{Param, flag, number, text, whole, word};
use super::{Checker, Report, rule};
use crate::error::Result;
use window::Window;

type Rule = rule::Rule<Window>;

/// The rules, in order.
const RULES: &[&[Rule]] = &[
    files::RULES,
    ground::RULES,
    features::RULES,
    streams::RULES,
    roads::RULES,
    surface::RULES,
    towns::RULES,
    cover::RULES,
    mines::RULES,
    sky::RULES,
];

/// The checker of this world.
pub(super) const CHECKER: Checker =
    Checker { name: "endless", folder: check, rules: rule::list::<Window>, params: PARAMS, file: None };

/// The parameters that a manifest may hold.
const PARAMS: &[Param] = &[
    number("lake_level", 0.0, 700.0),
    flag("paths"),
    flag("streams"),
    flag("roads"),
    flag("bridges"),
    flag("wood_only"),
    flag("bleak"),
    number("time", -1e9, 1e9),
    number("time_rate", -1000.0, 1000.0),
    number("snow_line", 0.0, 1000.0),
    text("placed"),
    whole("at.x", -1_000_000_000, 1_000_000_000),
    whole("at.y", -1_000_000_000, 1_000_000_000),
    whole("mines.levels", 1, 8),
    number("mines.threshold", 0.0, 1.0),
    word("mines.rule", &["product", "sin_cos"]),
    number("mines.cave_slope", 0.0, 10.0),
    whole("caverns.finer", 1, 16),
    number("caverns.relief", 0.0, 4.0),
    number("caverns.rise", -1000.0, 1000.0),
    number("sky.level", 0.0, 700.0),
    number("sky.keel", 0.0, 10.0),
    number("runner.speed_m_s", 0.1, 20.0),
];

/// Checks a folder of the endless world.
fn check(folder: Folder, report: &mut Report) -> Result<()> {
    let w = Window::new(folder, report)?;
    if w.formula.is_none() {
        let note =
            "only seed 0 has a formula: for this seed the layers, lines and points were compared alone";
        report.notes.push(note.into());
    }
    if folder::layers_fit(report) {
        rule::run(&w, report)?;
    }
    Ok(())
}
