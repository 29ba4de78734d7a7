//! Lines, points and polygons as GeoJSON in the plane of the map: x east, y south, in the frame's units.
//!
//! RFC 7946 expects longitude and latitude; the foreign member `terrain` says that these are plane coordinates.

use crate::catalogue::{Catalogue, FeatureSet};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// What the features of a set are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Geometry {
    /// One position each.
    Points,
    /// Positions in order; a line of one position is written with that position twice, as the format needs two.
    Lines,
    /// An outer ring and inner rings, all closed.
    Polygons,
}

/// Lines, points and polygons of a catalogue, in this order, each with what its features are.
pub fn sets(catalogue: &Catalogue) -> impl Iterator<Item = (&FeatureSet, Geometry)> {
    let lines = catalogue.lines.iter().map(|set| (set, Geometry::Lines));
    let points = catalogue.points.iter().map(|set| (set, Geometry::Points));
    let polygons = catalogue.polygons.iter().map(|set| (set, Geometry::Polygons));
    lines.chain(points).chain(polygons)
}

/// Writes a feature collection, one feature per line; `unit` is that of the coordinates.
pub fn write(out: &mut dyn Write, set: &FeatureSet, geometry: Geometry, unit: &str) -> io::Result<()> {
    let terrain = json!({"units": unit, "crs": "local", "x": "east", "y": "south"});
    write!(
        out,
        "{{\"type\":\"FeatureCollection\",\"name\":\"{}\",\"terrain\":{terrain},\"features\":[",
        set.name
    )?;
    for (i, feature) in set.features.iter().enumerate() {
        let ring = |points: &[(f64, f64)]| points.iter().map(|&(x, y)| [x, y]).collect::<Vec<[f64; 2]>>();
        let mut at = ring(&feature.points);
        let geometry = match geometry {
            Geometry::Points => json!({"type": "Point", "coordinates": at.first()}),
            Geometry::Lines => {
                if let [only] = at[..] {
                    at.push(only);
                }
                json!({"type": "LineString", "coordinates": at})
            }
            Geometry::Polygons => {
                let mut rings = vec![at];
                rings.extend(feature.holes.iter().map(|hole| ring(hole)));
                json!({"type": "Polygon", "coordinates": rings})
            }
        };
        let properties: Map<String, Value> =
            feature.properties.iter().map(|(k, v)| (k.clone().into_owned(), v.clone())).collect();
        let record =
            json!({"type": "Feature", "id": feature.id, "properties": properties, "geometry": geometry});
        write!(out, "{}\n{record}", if i > 0 { "," } else { "" })?;
    }
    out.write_all(b"\n]}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Feature;

    #[test]
    fn lines_and_points_are_valid_collections() {
        let feature = |id, points: &[(f64, f64)]| Feature::new(id, points.to_vec(), [("a", 1.into())]);
        let features = vec![feature(0, &[(0.5, 1.5), (1.5, 2.5)]), feature(1, &[(3.5, 3.5)])];
        let set = FeatureSet::new("trails", "", features);
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
