//! Lines and points as GeoJSON in the plane of the map: x east, y south, in the frame's units.
//!
//! RFC 7946 means longitude and latitude; the foreign member `terrain` says that these are not.

use crate::layer::FeatureSet;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// What the features of a set are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Geometry {
    /// One position each.
    Points,
    /// Positions in order; a line of one position is written twice, as the format asks for two.
    Lines,
}

/// Writes a feature collection, one feature a line; `unit` is that of the coordinates.
pub fn write(out: &mut dyn Write, set: &FeatureSet, geometry: Geometry, unit: &str) -> io::Result<()> {
    let terrain = json!({"units": unit, "crs": "local", "x": "east", "y": "south"});
    write!(
        out,
        "{{\"type\":\"FeatureCollection\",\"name\":\"{}\",\"terrain\":{terrain},\"features\":[",
        set.name
    )?;
    for (i, feature) in set.features.iter().enumerate() {
        let mut at: Vec<[f64; 2]> = feature.points.iter().map(|&(x, y)| [x, y]).collect();
        let geometry = match geometry {
            Geometry::Points => json!({"type": "Point", "coordinates": at.first()}),
            Geometry::Lines => {
                if let [only] = at[..] {
                    at.push(only);
                }
                json!({"type": "LineString", "coordinates": at})
            }
        };
        let properties: Map<String, Value> =
            feature.properties.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
        let record =
            json!({"type": "Feature", "id": feature.id, "properties": properties, "geometry": geometry});
        write!(out, "{}\n{record}", if i > 0 { "," } else { "" })?;
    }
    out.write_all(b"\n]}\n")
}

/// JSON schema of a collection of points, all of which have these properties and no other.
pub fn points_schema(title: &str, properties: Value) -> Value {
    let names: Vec<&String> = properties.as_object().into_iter().flat_map(Map::keys).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "required": ["type", "features"],
        "properties": {
            "type": {"const": "FeatureCollection"},
            "features": {"type": "array", "items": {
                "type": "object",
                "required": ["type", "id", "properties", "geometry"],
                "properties": {
                    "type": {"const": "Feature"},
                    "id": {"type": "integer", "minimum": 0},
                    "properties": {
                        "type": "object",
                        "required": names,
                        "additionalProperties": false,
                        "properties": properties,
                    },
                    "geometry": {"type": "object", "required": ["type", "coordinates"], "properties": {
                        "type": {"const": "Point"},
                        "coordinates": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
                    }},
                },
            }},
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::Feature;

    #[test]
    fn lines_and_points_are_valid_collections() {
        let feature = |id, points: &[(f64, f64)]| Feature {
            id,
            points: points.to_vec(),
            properties: vec![("a", 1.into())],
        };
        let features = vec![feature(0, &[(0.5, 1.5), (1.5, 2.5)]), feature(1, &[(3.5, 3.5)])];
        let set = FeatureSet { name: "trails", about: "", features };
        let read = |geometry| -> Value {
            let mut out = Vec::new();
            write(&mut out, &set, geometry, "m").unwrap();
            serde_json::from_slice(&out).unwrap()
        };
        let lines = read(Geometry::Lines);
        assert_eq!(lines["features"][0]["geometry"]["coordinates"], json!([[0.5, 1.5], [1.5, 2.5]]));
        assert_eq!(lines["features"][1]["geometry"]["coordinates"].as_array().unwrap().len(), 2);
        assert_eq!(
            read(Geometry::Points)["features"][1]["geometry"],
            json!({"type": "Point", "coordinates": [3.5, 3.5]})
        );
    }
}
