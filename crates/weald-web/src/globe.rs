//! Places of worlds that are functions of place.

use serde_json::{Map, Value};
use weald::catalogue::Sampler;
use weald::{Error, Output, Result};

/// The answer about one place: an object with the columns of the world.
pub(crate) fn sampled(sampler: &dyn Sampler, place: &[f64]) -> Result<Value> {
    let answer = sampler.at(sampler.place(place)?)?;
    let columns = sampler.columns().iter().zip(answer);
    let pair = |(column, datum): (&weald::catalogue::Column, weald::catalogue::Datum)| {
        (column.name.to_owned(), serde_json::json!({"value": Value::from(datum), "unit": column.unit}))
    };
    Ok(Value::Object(columns.map(pair).collect::<Map<_, _>>()))
}

/// Heights above the sea on a lattice of latitudes and longitudes, rows from the north, columns from 180° west; 0 at sea.
pub(crate) fn heights(output: &Output, columns: usize, rows: usize) -> Result<Vec<f32>> {
    let sampler = output.catalogue.sampler.as_ref();
    let sampler = sampler.ok_or_else(|| Error::Invalid("this world is no planet".into()))?;
    let level = output.catalogue.number("sea_level");
    let mut out = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        let lat = 90.0 - 180.0 * row as f64 / (rows - 1).max(1) as f64;
        for column in 0..columns {
            let lon = -180.0 + 360.0 * column as f64 / (columns - 1).max(1) as f64;
            let height = sampler.height(sampler.place(&[lat, lon])?);
            out.push((height - level).max(0.0) as f32);
        }
    }
    Ok(out)
}
