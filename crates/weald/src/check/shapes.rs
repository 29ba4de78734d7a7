//! The lines and points of a folder: x east, y south, in the units of the manifest.

use super::folder;
use crate::error::{Error, Result};
use crate::files;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// Lines and points by the names of their files, without the ending.
pub(super) type Shapes = BTreeMap<&'static str, Vec<Shape>>;

/// A line or a point with its properties.
#[derive(Deserialize)]
pub(super) struct Shape {
    /// Its number.
    #[serde(default)]
    pub(super) id: Value,
    /// Its properties.
    #[serde(default, rename = "properties")]
    pub(super) about: Map<String, Value>,
    geometry: Geometry,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "coordinates")]
enum Geometry {
    Point([f64; 2]),
    LineString(Vec<[f64; 2]>),
}

#[derive(Deserialize)]
struct Collection {
    features: Vec<Shape>,
}

impl Shape {
    /// A number among the properties; NaN, which no comparison accepts, if there is none.
    pub(super) fn number(&self, key: &str) -> f64 {
        self.about.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN)
    }

    /// A whole number among the properties.
    pub(super) fn whole(&self, key: &str) -> Option<i64> {
        self.about.get(key)?.as_i64()
    }

    /// A word among the properties, empty if there is none.
    pub(super) fn word(&self, key: &str) -> &str {
        self.about.get(key).and_then(Value::as_str).unwrap_or("")
    }

    /// The coordinates as they stand in the file.
    pub(super) fn coordinates(&self) -> &[[f64; 2]] {
        match &self.geometry {
            Geometry::Point(at) => std::slice::from_ref(at),
            Geometry::LineString(line) => line,
        }
    }

    /// Its positions. A line of one position has it twice in the file, because the format asks for two.
    pub(super) fn positions(&self) -> &[[f64; 2]] {
        match self.coordinates() {
            [a, b] if a == b => &self.coordinates()[..1],
            all => all,
        }
    }
}

/// Reads a file of lines or points. None if there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<Vec<Shape>>> {
    if !files::is_file(path) {
        return Ok(None);
    }
    let all: Collection = serde_json::from_str(&folder::text(path)?)
        .map_err(|e| Error::Invalid(format!("{}: {e}; make the folder again", path.display())))?;
    Ok(Some(all.features))
}
