//! What stands beside a heightmap: `NAME.terrain.json`.

use crate::error::{Error, Result};
use crate::files;
use serde_json::Value;
use std::path::Path;

/// What the grey values of a heightmap mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Sidecar {
    /// The name of the file.
    pub name: String,
    /// Side of a cell in metres.
    pub cell_m: f64,
    /// Height of white above black in metres.
    pub height_scale_m: f64,
    /// Height of the sea above black in metres.
    pub sea_level_m: f64,
}

impl Sidecar {
    /// Reads the file beside a heightmap, if there is one.
    pub fn beside(path: &Path) -> Result<Option<Self>> {
        let file = path.with_extension("terrain.json");
        if !files::is_file(&file) {
            return Ok(None);
        }
        let bad = |what: String| Error::Invalid(format!("{}: {what}; make it again", file.display()));
        let text = files::read_to_string(&file).map_err(|e| Error::io(&file, e))?;
        let json: Value = serde_json::from_str(&text)
            .map_err(|e| bad(format!("is not valid JSON at line {}, column {}", e.line(), e.column())))?;
        let number = |key: &str| {
            let found = json[key].as_f64().filter(|v| v.is_finite());
            found.ok_or_else(|| bad(format!("{key} is not a number")))
        };
        Ok(Some(Self {
            name: file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
            cell_m: number("metres_per_pixel")?,
            height_scale_m: number("height_scale_m")?,
            sea_level_m: number("sea_level_m")?,
        }))
    }

    /// A grey value from 0 to 1 in metres above the sea.
    pub fn metres(&self, grey: f32) -> f32 {
        (f64::from(grey) * self.height_scale_m - self.sea_level_m) as f32
    }
}
