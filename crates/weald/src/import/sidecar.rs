//! What stands beside a heightmap: `NAME.terrain.json`.

use crate::error::{Error, Result, not_json};
use crate::files;
use serde_json::Value;
use std::path::Path;

/// What the numbers of a heightmap mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Sidecar {
    /// The name of the file.
    pub name: String,
    /// Columns and rows, if it says them.
    pub size: Option<(usize, usize)>,
    /// Distance of neighbouring samples in metres, from column to column and from row to row.
    pub cell_m: (f64, f64),
    /// Metres from black to white, and height of the sea above black; none if the numbers are metres or have no one scale.
    pub range_m: Option<(f64, f64)>,
    /// Whether the first row is the southernmost one.
    pub south_first: bool,
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
        let json: Value = serde_json::from_str(&text).map_err(|e| bad(not_json(&e)))?;
        let missing = |key: &str| bad(format!("{key} is not a number"));
        // No land is larger or higher than a star.
        let number = |key: &str| match &json[key] {
            Value::Null => Ok(None),
            v => v.as_f64().filter(|v| v.abs() < 1e12).map(Some).ok_or_else(|| missing(key)),
        };
        let above_0 = |key: &str| match number(key)? {
            Some(v) if v <= 0.0 => Err(bad(format!("{key} is {v}, not above 0"))),
            found => Ok(found),
        };
        let x = above_0("metres_per_pixel")?.ok_or_else(|| missing("metres_per_pixel"))?;
        let y = above_0("metres_per_pixel_y")?.unwrap_or(x);
        let range_m = match (above_0("height_scale_m")?, number("sea_level_m")?) {
            (Some(scale), Some(sea)) => Some((scale, sea)),
            (None, None) => None,
            (Some(_), None) => return Err(missing("sea_level_m")),
            (None, Some(_)) => return Err(missing("height_scale_m")),
        };
        let side = |key: &str| json[key].as_u64().and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0);
        Ok(Some(Self {
            name: file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
            size: side("width").zip(side("height")),
            cell_m: (x, y),
            range_m,
            south_first: json["row_order"] == "south first",
        }))
    }
}
