//! The rules of the city builder's land, run on what a folder holds.
//!
//! Slopes, classes, shares, books and the level of standing water are computed again from the layers; rivers, lakes
//! and pictures are held against that. Directions of flow on level water are a choice of the maker, so no area is
//! compared cell by cell: it must go on downhill, gather no more than lies above, and leave over the border or into the
//! sea, which is every cell with a height below 0 m.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `shapes`, `fill`, `land` | lines and points, the level of standing water, all of it with the layers |
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
mod shapes;
mod sources;
#[cfg(test)]
mod tests;

use super::layer_files::LayerFiles;
use super::{Report, RuleResult};
use crate::check::folder::{self, Manifest};
use crate::error::{Error, Result};
use land::City;
use serde_json::Value;
use std::path::Path;

/// One rule.
struct Rule {
    name: &'static str,
    about: &'static str,
    /// The layers and files it needs. Without the first, which it is about, there is nothing to say.
    needs: &'static [&'static str],
    run: fn(&City, &mut RuleResult) -> Result<()>,
}

/// The rules, in order.
const RULES: [&[Rule]; 8] = [
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
    let bad = |e: &dyn std::fmt::Display| Error::Invalid(format!("{}: {e}", file.display()));
    let mut report = Report::default();
    if !manifest.params.as_ref().is_some_and(Value::is_object) {
        return Err(bad(&"there are no params; make the folder again"));
    }
    let whole: Value = serde_json::from_str(text).map_err(|e| bad(&e))?;
    let mut city = City::new(dir, (manifest.frame.width, manifest.frame.height), whole)?;
    let mut files = LayerFiles::new();
    for layer in &manifest.layers {
        let Some(array) = files.read(dir, &manifest.frame, layer)? else { continue };
        if !city.set_layer(&layer.name, array) {
            report.notes.push(format!("layer {} ({}) has no rules of its own", layer.name, layer.dtype));
        }
    }
    report.rules.extend(files.into_rules());
    report.rules.push(crate::check::sources::agree(dir, manifest, &[])?);
    if folder::go_on(manifest, &mut report)? {
        run(&city, &mut report)?;
    }
    Ok(report)
}

/// Runs every rule whose layers and files are there.
fn run(city: &City, report: &mut Report) -> Result<()> {
    for rule in RULES.into_iter().flatten() {
        let missing: Vec<&str> = rule.needs.iter().copied().filter(|n| !city.has(n)).collect();
        if missing.is_empty() {
            let mut result = RuleResult::new(rule.name, rule.about);
            (rule.run)(city, &mut result)?;
            report.rules.push(result);
        } else if city.has(rule.needs[0]) {
            report.notes.push(format!("{} was not checked: {} is missing", rule.name, missing.join(", ")));
        }
    }
    Ok(())
}
