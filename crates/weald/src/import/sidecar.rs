//! What stands beside a heightmap: `NAME.terrain.json`, also that of `NAME_height.exr` or of the tile `NAME_0_1.raw`.

use crate::error::{Error, Result, not_json};
use crate::files;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What the numbers of a heightmap mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Sidecar {
    /// The name of the file.
    pub name: String,
    /// Columns and rows, if it says them.
    pub size: Option<(usize, usize)>,
    /// Distance of neighbouring samples in metres, from column to column and from row to row.
    pub cell_m: (f64, f64),
    /// Metres of grey values; none if the numbers are metres or have no scale.
    pub scale: Option<Scale>,
    /// Whether the first row is the southernmost one.
    pub south_first: bool,
}

/// Metres above the sea of grey values from 0 to 1: straight from knot to knot, and as the outermost ones beyond them.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// Grey and metres, at least two, by ascending grey.
    knots: Vec<(f64, f64)>,
}

impl Scale {
    /// The metres of a grey value.
    pub fn metres(&self, grey: f64) -> f64 {
        let last = self.knots.len() - 2;
        let k = self.knots[1..=last].iter().take_while(|(at, _)| *at < grey).count();
        let ((x0, y0), (x1, y1)) = (self.knots[k], self.knots[k + 1]);
        y0 + (grey - x0) / (x1 - x0) * (y1 - y0)
    }

    /// The knots that a file lists: `[[grey, metres], …]`.
    fn of(value: &Value) -> Option<Self> {
        let knot = |pair: &Value| Some((pair[0].as_f64()?, pair[1].as_f64().filter(|m| m.abs() < 1e12)?));
        let knots: Vec<(f64, f64)> = value.as_array()?.iter().map(knot).collect::<Option<_>>()?;
        let rising = knots.is_sorted_by(|a, b| a.0 < b.0);
        (knots.len() >= 2 && rising).then_some(Self { knots })
    }
}

impl Sidecar {
    /// Reads the file beside a heightmap, if there is one.
    pub fn beside(path: &Path) -> Result<Option<Self>> {
        for file in candidates(path) {
            if let Some(json) = read(&file, path)? {
                return Self::of(&file, &json).map(Some);
            }
        }
        Ok(None)
    }

    /// What a file says.
    fn of(file: &Path, json: &Value) -> Result<Self> {
        let bad = |what: String| bad(file, &what);
        let missing = |key: &str| bad(format!("{key} is not a number"));
        // No land is larger or higher than a star.
        let number = |key: &str| match &json[key] {
            Value::Null => Ok(None),
            v => v.as_f64().filter(|v| v.abs() < 1e12).map(Some).ok_or_else(|| missing(key)),
        };
        // Nor finer than an atom.
        let above_0 = |key: &str| match number(key)? {
            Some(v) if v < 1e-9 => Err(bad(format!("{key} is {v}, not above 0"))),
            found => Ok(found),
        };
        let x = above_0("metres_per_pixel")?.ok_or_else(|| missing("metres_per_pixel"))?;
        let y = above_0("metres_per_pixel_y")?.unwrap_or(x);
        let knots = &json["height_knots_m"];
        let scale = match (above_0("height_scale_m")?, number("sea_level_m")?) {
            _ if !knots.is_null() => Some(Scale::of(knots).ok_or_else(|| {
                bad("height_knots_m is not a list of two and more [grey, metres] by ascending grey".into())
            })?),
            (Some(scale), Some(sea)) => Some(Scale { knots: vec![(0.0, -sea), (1.0, scale - sea)] }),
            (None, None) => None,
            (Some(_), None) => return Err(missing("sea_level_m")),
            (None, Some(_)) => return Err(missing("height_scale_m")),
        };
        let side = |key: &str| json[key].as_u64().and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0);
        Ok(Self {
            name: file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
            size: side("width").zip(side("height")),
            cell_m: (x, y),
            scale,
            south_first: json["row_order"] == "south first",
        })
    }
}

/// The files that may tell of a heightmap: that of its name, then those of its name without what follows an underscore.
fn candidates(path: &Path) -> Vec<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let shorter = stem.rmatch_indices('_').map(|(end, _)| &stem[..end]);
    let names = std::iter::once(stem.as_str()).chain(shorter).filter(|name| !name.is_empty());
    names.map(|name| path.with_file_name(format!("{name}.terrain.json"))).collect()
}

/// The content of a file that tells of a heightmap: one that lists it, or one of its very name that lists nothing.
fn read(file: &Path, path: &Path) -> Result<Option<Value>> {
    if !files::is_file(file) {
        return Ok(None);
    }
    let text = files::read_to_string(file).map_err(|e| Error::io(file, e))?;
    let json: Value = serde_json::from_str(&text).map_err(|e| bad(file, &not_json(&e)))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let tells = match json["files"].as_array() {
        Some(listed) => listed.iter().any(|f| f.as_str() == Some(&*name)),
        None => file == path.with_extension("terrain.json"),
    };
    Ok(tells.then_some(json))
}

fn bad(file: &Path, what: &str) -> Error {
    Error::Invalid(format!("{}: {what}; make it again", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_file_tells_of_the_heightmaps_that_it_lists() {
        let dir = tempfile::tempdir().unwrap();
        let write =
            |name: &str, content: Value| files::write(dir.path().join(name), content.to_string()).unwrap();
        let name = |file: &str| Sidecar::beside(&dir.path().join(file)).unwrap().map(|s| s.name);
        let listed = ["wood.raw", "wood_0_1.raw", "wood_height.exr"];
        write(
            "wood.terrain.json",
            json!({"files": listed, "metres_per_pixel": 2.5, "row_order": "south first"}),
        );
        for file in listed {
            assert_eq!(name(file).as_deref(), Some("wood.terrain.json"), "{file}");
        }
        let tile = Sidecar::beside(&dir.path().join("wood_0_1.raw")).unwrap().unwrap();
        assert!(tile.south_first && tile.cell_m == (2.5, 2.5));
        // Those of other exports that lie in the same folder.
        for file in ["wood.exr", "wood_1_1.raw", "woods.raw", "_.raw"] {
            assert_eq!(name(file), None, "{file}");
        }
        // One that lists nothing tells of its very name.
        write("sea.terrain.json", json!({"metres_per_pixel": 1.0}));
        assert_eq!(name("sea.png").as_deref(), Some("sea.terrain.json"));
        assert_eq!(name("sea_0_0.png"), None);
    }
}
