//! Places of worlds that are functions of place.

use serde_json::{Map, Value};
use weald::Result;
use weald::catalogue::Sampler;

/// The answer about one place: an object with the columns of the world.
pub(crate) fn sampled(sampler: &dyn Sampler, place: &[f64]) -> Result<Value> {
    let answer = sampler.at(sampler.place(place)?)?;
    let columns = sampler.columns().iter().zip(answer);
    let pair = |(column, datum): (&weald::catalogue::Column, weald::catalogue::Datum)| {
        (column.name.to_owned(), serde_json::json!({"value": Value::from(datum), "unit": column.unit}))
    };
    Ok(Value::Object(columns.map(pair).collect::<Map<_, _>>()))
}
