//! Does an output keep the rules of its world? Nothing here knows how a world is made: the rules are those of
//! the documents, and everything is read back from the files.

mod city;
mod endless;
mod folder;
mod forest;
mod galaxy;
mod heightmap;
mod island;
mod layer_files;
mod map;
mod planet;
mod report;
mod rivers;
mod shapes;
mod sources;
#[cfg(test)]
mod tests;

pub use heightmap::heightmap;
pub use report::{Report, RuleResult, Violation};

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

/// Checks what lies at `path`: a folder with its `manifest.json`, a `.json` or `.ndjson` file of forest
/// tiles, or `-` for such a file on the standard input.
pub fn path(path: &Path) -> Result<Report> {
    if path == Path::new("-") {
        return forest::envelope(&mut io::stdin().lock(), path);
    }
    let meta = std::fs::metadata(path).map_err(|e| Error::io(path, e))?;
    if meta.is_dir() {
        return folder::check(path);
    }
    if path.file_name().is_some_and(|n| n == "manifest.json") {
        return folder::check(path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")));
    }
    match path.extension().and_then(|e| e.to_str()) {
        Some("json" | "ndjson") => forest::envelope(&mut open(path)?, path),
        _ => Err(Error::Invalid(format!(
            "{}: nothing to check here; give a folder with manifest.json, a .json or .ndjson file of \
             tiles, or - for the standard input",
            path.display()
        ))),
    }
}

/// A file to be read in large pieces.
fn open(path: &Path) -> Result<BufReader<File>> {
    Ok(BufReader::with_capacity(1 << 20, File::open(path).map_err(|e| Error::io(path, e))?))
}
