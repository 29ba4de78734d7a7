//! What stands beside a heightmap: `NAME.terrain.json`, also that of `NAME_height.exr` or of the tile `NAME_0_1.raw`.

use super::{name_of, text_beside};
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
    fn of(value: &Value) -> std::result::Result<Self, String> {
        let rule = "a list of two and more [grey, metres] by ascending grey from 0 to 1";
        let wrong = || format!("height_knots_m is not {rule}");
        let mut knots: Vec<(f64, f64)> = Vec::new();
        for pair in value.as_array().ok_or_else(wrong)? {
            let knot = pair[0].as_f64().zip(pair[1].as_f64()).ok_or_else(wrong)?;
            // Two knots at one grey would be a wall.
            let rises = knots.last().is_none_or(|before| knot.0 - before.0 >= 1e-9);
            if !rises || !(0.0..=1.0).contains(&knot.0) || knot.1.abs() > MOST_M {
                return Err(format!(
                    "{}: its knot {pair} is none of these, or higher than {MOST_M} m",
                    wrong()
                ));
            }
            knots.push(knot);
        }
        if knots.len() < 2 { Err(wrong()) } else { Ok(Self { knots }) }
    }
}

/// Metres of the largest cell and the greatest height: no land is larger than the Earth.
const MOST_M: f64 = 1e7;

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
        let missing = |key: &str| bad(format!("it has no {key}"));
        let number = |key: &str, least: f64| match &json[key] {
            Value::Null => Ok(None),
            value => value.as_f64().filter(|v| (least..=MOST_M).contains(v)).map(Some).ok_or_else(|| {
                let value: String = value.to_string().chars().take(40).collect();
                bad(format!("{key} is {value}, not a number from {least} to {MOST_M}"))
            }),
        };
        // No cell is smaller than dust.
        let x = number("metres_per_pixel", 1e-6)?.ok_or_else(|| missing("metres_per_pixel"))?;
        let y = number("metres_per_pixel_y", 1e-6)?.unwrap_or(x);
        let knots = &json["height_knots_m"];
        let scale = match (number("height_scale_m", 1e-9)?, number("sea_level_m", -MOST_M)?) {
            _ if !knots.is_null() => Some(Scale::of(knots).map_err(bad)?),
            (Some(scale), Some(sea)) => Some(Scale { knots: vec![(0.0, -sea), (1.0, scale - sea)] }),
            (None, None) => None,
            (Some(_), None) => return Err(missing("sea_level_m")),
            (None, Some(_)) => return Err(missing("height_scale_m")),
        };
        let side = |key: &str| match &json[key] {
            Value::Null => Ok(None),
            value => {
                let side = value.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0);
                side.map(Some).ok_or_else(|| bad(format!("{key} is not a whole number above 0")))
            }
        };
        Ok(Self {
            name: name_of(file),
            size: side("width")?.zip(side("height")?),
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
    let text = text_beside(file)?;
    let json: Value = serde_json::from_str(&text).map_err(|e| match field_at(&text, &e) {
        Some(field) => bad(file, &format!("{field} is no finite number; it {}", not_json(&e))),
        None => bad(file, &not_json(&e)),
    })?;
    let name = name_of(path);
    let tells = match json["files"].as_array() {
        Some(listed) => listed.iter().any(|f| f.as_str() == Some(&name)),
        None => file == path.with_extension("terrain.json"),
    };
    Ok(tells.then_some(json))
}

/// The field whose value is what a text fails at, if that value is one that programs write for infinity and what is no number, or is too large.
fn field_at<'a>(text: &'a str, e: &serde_json::Error) -> Option<&'a str> {
    let begin = text.split_inclusive('\n').take(e.line().checked_sub(1)?).map(str::len).sum::<usize>();
    let is_end = |c: char| c.is_whitespace() || "[]{},:".contains(c);
    let before = text.get(..(begin + e.column()).min(text.len()))?.trim_end_matches(is_end);
    let at = before.len() - before.rsplit(is_end).next()?.len();
    let value = text[at..].split(is_end).next()?.trim_start_matches('-').to_ascii_lowercase();
    let known = ["nan", "inf", "infinity"].contains(&value.as_str());
    let too_large =
        value.starts_with(|c: char| c.is_ascii_digit()) && value.parse().is_ok_and(f64::is_infinite);
    let (field, _) = text[..at].rsplit_once("\":").filter(|(_, between)| !between.contains('"'))?;
    (known || too_large).then(|| field.rsplit('"').next()).flatten()
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
