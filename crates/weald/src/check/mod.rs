//! Does an output keep the rules of its world? Nothing here knows how a world is made: the rules are those of
//! the documents, and everything is read back from the files.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `report`, `rule` | what a check found; a rule and the runner of rules |
//! | `folder`, `layer_files`, `shapes`, `sources`, `params`, `frames` | the reader of folders, and the rules about files that all worlds share |
//! | `map`, `rivers`, `fill`, `relf` | what several worlds need: maps, rivers, depression filling, the original profile |
//! | `forest`, `endless`, `city`, `island`, `planet`, `galaxy`, `realm` | the rules of each world |
//! | `heightmap` | heightmaps made elsewhere |
//!
//! To add a world, add its folder with a `Checker` and one line in `CHECKERS`.

mod city;
mod endless;
mod fill;
mod folder;
mod forest;
mod frames;
mod galaxy;
mod heightmap;
mod island;
mod layer_files;
mod map;
mod params;
mod planet;
mod realm;
mod relf;
mod report;
mod rivers;
mod rule;
mod shapes;
mod sources;
#[cfg(test)]
mod tests;

pub use heightmap::heightmap;
pub use report::{Report, RuleResult, Violation};
pub use rule::RuleInfo;

use crate::error::{Error, Result};
use crate::files::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The checker of one world.
pub(crate) struct Checker {
    /// The world's name, as in the manifest.
    name: &'static str,
    /// Checks what a folder holds.
    folder: fn(folder::Folder, &mut Report) -> Result<()>,
    /// The rules of the world, in order.
    rules: fn() -> Vec<RuleInfo>,
    /// The parameters that a manifest may hold.
    params: &'static [params::Param],
    /// Checks a single file, for worlds that also write one.
    file: Option<CheckFile>,
}

/// Checks a single file, which is read from `input` and named in messages by its path.
type CheckFile = fn(input: &mut dyn Read, path: &Path) -> Result<Report>;

/// The checkers, one per world.
pub(crate) static CHECKERS: &[Checker] = &[
    forest::CHECKER,
    endless::CHECKER,
    city::CHECKER,
    island::CHECKER,
    planet::CHECKER,
    galaxy::CHECKER,
    realm::CHECKER,
];

/// The names of the worlds that have rules.
pub fn worlds() -> impl Iterator<Item = &'static str> {
    CHECKERS.iter().map(|c| c.name)
}

/// The rules that a folder of this world is checked against, in order: those about its files, which all worlds share, then
/// its own. None if there is no such world.
pub fn rules(world: &str) -> Option<Vec<RuleInfo>> {
    let checker = CHECKERS.iter().find(|c| c.name == world)?;
    let mut rules = layer_files::RULES.to_vec();
    rules.push(sources::RULE);
    // Only a world that changes in time has frames.
    if checker.params.iter().any(|p| p.path() == "time") {
        rules.push(frames::RULE);
    }
    rules.extend((checker.rules)());
    Some(rules)
}

/// Checks what lies at `path`: a folder with its `manifest.json`, a `.json` or `.ndjson` file of tiles, or `-` for such a
/// file on the standard input.
pub fn path(path: &Path) -> Result<Report> {
    if path == Path::new("-") {
        return file(&mut io::stdin().lock(), path);
    }
    if files::is_dir(path).map_err(|e| Error::io(path, e))? {
        return folder::check(path);
    }
    if path.file_name().is_some_and(|n| n == "manifest.json") {
        return folder::check(path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")));
    }
    match path.extension().and_then(|e| e.to_str()) {
        Some("json" | "ndjson") => file(&mut open(path)?, path),
        _ => Err(Error::Invalid(format!(
            "{}: nothing to check here; give a folder with manifest.json, a .json or .ndjson file of \
             tiles, or - for the standard input",
            path.display()
        ))),
    }
}

/// Checks a single file with the checker that reads files.
fn file(input: &mut dyn Read, path: &Path) -> Result<Report> {
    let read = CHECKERS.iter().find_map(|c| c.file).expect("tiles have a checker");
    read(input, path)
}

/// A file to be read in large pieces.
fn open(path: &Path) -> Result<BufReader<File>> {
    Ok(BufReader::with_capacity(1 << 20, File::open(path).map_err(|e| Error::io(path, e))?))
}
