//! The lines and points of a folder, in the document's coordinates: x east, y north.

use crate::error::{Error, Result};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;

/// A line or a point with what is said about it.
pub(super) struct Shape {
    /// Its points; one for a point.
    pub(super) points: Vec<(f64, f64)>,
    /// What is said about it.
    pub(super) about: Map<String, Value>,
}

impl Shape {
    /// A whole number among the properties.
    pub(super) fn whole(&self, key: &str) -> Option<i64> {
        self.about.get(key)?.as_i64()
    }

    /// A word among the properties, empty if there is none.
    pub(super) fn word(&self, key: &str) -> &str {
        self.about.get(key).and_then(Value::as_str).unwrap_or("")
    }

    /// The first point, if it is a whole place.
    pub(super) fn start(&self) -> Option<(i64, i64)> {
        whole(*self.points.first()?)
    }
}

/// The place as whole numbers, if it is one.
pub(super) fn whole((x, y): (f64, f64)) -> Option<(i64, i64)> {
    (x.fract() == 0.0 && y.fract() == 0.0).then_some((x as i64, y as i64))
}

#[derive(Deserialize)]
struct Collection {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    #[serde(default)]
    properties: Map<String, Value>,
    geometry: Geometry,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "coordinates")]
enum Geometry {
    Point((f64, f64)),
    LineString(Vec<(f64, f64)>),
}

/// Reads a file of lines or points. None if there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<Vec<Shape>>> {
    if !path.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, e))?;
    let all: Collection = serde_json::from_str(&text)
        .map_err(|e| Error::Invalid(format!("{}: {e}; make the folder again", path.display())))?;
    // In the files y runs south.
    let north = |p: Vec<(f64, f64)>| p.into_iter().map(|(x, y)| (x, 0.0 - y)).collect();
    let shape = |f: Feature| Shape {
        points: north(match f.geometry {
            Geometry::Point(p) => vec![p],
            Geometry::LineString(l) => l,
        }),
        about: f.properties,
    };
    Ok(Some(all.features.into_iter().map(shape).collect()))
}
