//! The lines and points of a folder, in the document's coordinates: x east, y north.

use crate::check::shapes;
use serde_json::{Map, Value};

/// A line or a point with its properties.
pub(super) struct Shape {
    /// Its points; one for a point.
    pub(super) points: Vec<(f64, f64)>,
    /// Its properties.
    pub(super) about: Map<String, Value>,
}

impl Shape {
    /// The shape of a file, in which y runs south.
    pub(super) fn of(shape: &shapes::Shape) -> Self {
        let north = |&[x, y]: &[f64; 2]| (x, 0.0 - y);
        Self { points: shape.coordinates().iter().map(north).collect(), about: shape.about.clone() }
    }

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
