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

use super::{Report, RuleResult};
use crate::check::folder::{self, Manifest};
use crate::check::layer_files::LayerFiles;
use crate::check::sources;
use crate::error::{Error, Result};
use serde_json::Value;
use std::path::Path;
use window::Window;

/// One rule.
struct Rule {
    name: &'static str,
    about: &'static str,
    /// The layers and files it needs, and `formula` for the original world. Without the first, which it is
    /// about, there is nothing to say.
    needs: &'static [&'static str],
    run: fn(&Window, &mut RuleResult) -> Result<()>,
}

/// The rules, in order.
const RULES: [&[Rule]; 10] = [
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

/// Checks a folder of the endless world.
pub(super) fn folder(dir: &Path, manifest: &Manifest, text: &str, file: &Path) -> Result<Report> {
    let bad = |e: &dyn std::fmt::Display| Error::Invalid(format!("{}: {e}", file.display()));
    let mut report = Report::default();
    let params = manifest.params.clone().ok_or_else(|| bad(&"there are no params; make the folder again"))?;
    let params = serde_json::from_value(params).map_err(|e| bad(&format!("params: {e}")))?;
    let seed = manifest.seed.as_ref().and_then(|v| v.as_u64().or_else(|| v.as_str()?.parse().ok()));
    let size = (manifest.frame.width, manifest.frame.height);
    let whole: Value = serde_json::from_str(text).map_err(|e| bad(&e))?;
    let mut w = Window::new(dir, size, seed, params, whole)?;
    let mut files = LayerFiles::new();
    for layer in &manifest.layers {
        let Some(array) = files.read(dir, &manifest.frame, layer)? else { continue };
        if !w.set_layer(&layer.name, array) {
            report.notes.push(format!("layer {} ({}) has no rules of its own", layer.name, layer.dtype));
        }
    }
    report.rules.extend(files.into_rules());
    report.rules.push(sources::agree(dir, manifest, &[])?);
    if w.formula.is_none() {
        let note =
            "only seed 0 has a formula: for this seed the layers, lines and points were compared alone";
        report.notes.push(note.into());
    }
    if folder::go_on(manifest, &mut report)? {
        run(&w, &mut report)?;
    }
    Ok(report)
}

/// Runs every rule whose layers and files are known.
fn run(w: &Window, report: &mut Report) -> Result<()> {
    for rule in RULES.into_iter().flatten() {
        let missing: Vec<&str> = rule.needs.iter().copied().filter(|n| !w.has(n)).collect();
        if missing.is_empty() {
            let mut result = RuleResult::new(rule.name, rule.about);
            (rule.run)(w, &mut result)?;
            report.rules.push(result);
        } else if w.has(rule.needs[0]) && !missing.contains(&"formula") {
            report.notes.push(format!("{} was not checked: {} is missing", rule.name, missing.join(", ")));
        }
    }
    Ok(())
}
