//! Where a map lies by the files beside it: a world file such as `NAME.tfw`, and `NAME.prj`.

use super::wkt::System;
use crate::error::{Error, Result};
use crate::files;
use std::path::Path;

/// The coordinate system by the file `NAME.prj` that programs write beside a map, as well-known text, if there is one that says it. Names
/// in it may be in any encoding.
pub(super) fn system_beside(path: &Path) -> Result<Option<System>> {
    let file = path.with_extension("prj");
    if !files::is_file(&file) {
        return Ok(None);
    }
    let bytes = super::bytes_beside(&file)?;
    System::of(&String::from_utf8_lossy(&bytes), &super::name_of(&file))
}

/// A world file: six numbers in as many lines that make coordinates of columns and rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WorldFile {
    /// Easting from column to column and from row to row, that of the centre of the first pixel, and the same for northings.
    pub(super) matrix: [f64; 6],
    pub(super) system: Option<System>,
}

impl WorldFile {
    /// The world file of a TIFF file, if there is one: `NAME.tfw`, `NAME.tifw` or `NAME.wld`.
    pub(super) fn beside(path: &Path) -> Result<Option<Self>> {
        let name = |ending: &&str| path.with_extension(ending);
        let Some(file) = ["tfw", "tifw", "wld"].iter().map(name).find(|file| files::is_file(file)) else {
            return Ok(None);
        };
        let text = super::text_beside(&file)?;
        let number = |n: &str| n.parse().ok().filter(|v: &f64| v.is_finite());
        let numbers: Vec<f64> = text.split_whitespace().filter_map(number).collect();
        let &[a, d, b, e, c, f] = &numbers[..] else {
            return Err(Error::Invalid(format!(
                "{} beside it is no world file of six numbers; remove it, or make it again with gdal_translate -co TFW=YES",
                super::name_of(&file)
            )));
        };
        Ok(Some(Self { matrix: [a, b, c, d, e, f], system: system_beside(path)? }))
    }
}
