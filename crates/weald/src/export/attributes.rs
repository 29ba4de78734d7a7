//! What a map and its coordinates are, as attributes: for Zarr stores, and for shells that hand out arrays with labels. Those of layers are
//! [`crate::zarr::layer_attributes`].

use super::target::Source;
use crate::zarr::Place;
use serde_json::{Value, json};

/// The centres of the columns or of the rows of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// In the order of the columns or rows.
    pub centres: Vec<f64>,
    /// Name, unit and direction.
    pub attributes: Value,
}

/// x and y of a map of `shape` = (columns, rows) cells. x grows eastwards; y is a northing and falls from row to row.
pub fn axes(source: &Source, shape: (usize, usize)) -> [Axis; 2] {
    let place = place(source);
    let axis = |name: &str, count: usize| Axis {
        centres: (0..count).map(|i| place.centre(name, i)).collect(),
        attributes: place.axis(name),
    };
    [axis("x", shape.0), axis("y", shape.1)]
}

/// Where the map lies; the coordinates of worlds without ground are plain numbers.
pub(super) fn place(source: &Source) -> Place {
    let plain = source.catalogue.georeference.is_none() && source.exports.ground.is_none();
    let place = Place::from(source.place());
    Place { unit: place.unit.filter(|_| !plain), ..place }
}

/// What a map of `shape` = (columns, rows) cells is: where it comes from and where it lies.
pub fn map(source: &Source, shape: (usize, usize)) -> Value {
    let mut out = json!({
        "title": format!("{} {}", source.catalogue.world, source.catalogue.seed),
        "Conventions": "CF-1.11",
        "weald": {"origin": source.origin},
        "seed": source.catalogue.seed,
        "axes": format!("x grows eastwards, y northwards and falls from row to row, in {}", source.unit()),
    });
    if let Value::Object(out) = &mut out {
        out.extend(place(source).attributes(shape));
    }
    out
}
