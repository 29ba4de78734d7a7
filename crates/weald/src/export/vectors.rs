//! Lines, points and polygons as GeoJSON with x east and y north.
//!
//! RFC 7946 wants longitude and latitude on WGS 84. Maps in degrees, in a zone of UTM or in the projection of web maps are written so. The others
//! have plane coordinates, which the foreign member `terrain` says: local metres, or those of their reference system, whose code is the
//! member `crs` as GeoJSON had it before that standard, which GDAL and QGIS still read. Outer rings go against the clock and holes with it.

use super::geojson::{Geometry, sets};
use super::placement::{P, Placement, Wgs84, polygon};
use super::sidecar::Sidecar;
use super::target::{Delivered, Form, Needs, Source, Target};
use crate::catalogue::{Feature, FeatureSet};
use crate::error::Result;
use crate::sink::Sink;
use serde_json::{Map, Value, json};
use std::path::Path;
use weald_core::{Ctx, par};

/// The target `geojson`.
pub static TARGET: Target = Target {
    name: "geojson",
    about: "lines, points and polygons with y north; longitude and latitude where the map lies on the Earth",
    files: "SET.geojson for each set",
    readers: "QGIS, GDAL, web maps and most programs with maps",
    needs: Needs::Nothing,
    takes: &[],
    validate: None,
    form: Form::Folder(export),
};

/// What the coordinates are.
struct Coordinates {
    placement: Placement,
    wgs84: Option<Wgs84>,
}

impl Coordinates {
    fn of(source: &Source) -> Self {
        let placement = Placement::of(source);
        let wgs84 = placement.epsg().and_then(Wgs84::of);
        Self { placement, wgs84 }
    }

    /// The coordinates of a place: degrees with eight decimals, which are a millimetre, or lengths with two.
    fn at(&self, p: P) -> P {
        let p = self.placement.at(p);
        let (p, steps) = match self.wgs84 {
            Some(wgs84) => (wgs84.longitude_latitude(p), 1e8),
            None if self.placement.is_geographic() => (p, 1e8),
            None => (p, 100.0),
        };
        // Adding 0 turns −0 into 0.
        let rounded = |v: f64| (v * steps).round() / steps + 0.0;
        (rounded(p.0), rounded(p.1))
    }

    /// What the foreign member says.
    fn terrain(&self) -> Value {
        match (self.wgs84, self.placement.georeference) {
            (Some(_), _) => json!({"units": "degree", "crs": "WGS 84", "x": "east", "y": "north"}),
            (None, Some(_)) => {
                let crs = self.placement.epsg().map_or("unknown".to_owned(), |code| format!("EPSG:{code}"));
                json!({"units": self.placement.unit(), "crs": crs, "x": "east", "y": "north"})
            }
            (None, None) => {
                json!({"units": self.placement.unit(), "crs": "local", "x": "east", "y": "north"})
            }
        }
    }

    /// A feature as GeoJSON.
    fn feature(&self, feature: &Feature, geometry: Geometry) -> Value {
        let line = |points: &[P]| points.iter().map(|&p| self.at(p)).collect::<Vec<P>>();
        let list = |points: Vec<P>| points.into_iter().map(|(x, y)| [x, y]).collect::<Vec<[f64; 2]>>();
        let geometry = match geometry {
            Geometry::Points => match feature.points.first() {
                Some(&p) => {
                    let (x, y) = self.at(p);
                    json!({"type": "Point", "coordinates": [x, y]})
                }
                None => Value::Null,
            },
            Geometry::Lines => {
                let mut points = line(&feature.points);
                if let [only] = points[..] {
                    points.push(only);
                }
                json!({"type": "LineString", "coordinates": list(points)})
            }
            Geometry::Polygons => {
                let mut rings = vec![line(&feature.points)];
                rings.extend(feature.holes.iter().map(|hole| line(hole)));
                let rings: Vec<Vec<[f64; 2]>> = polygon(rings).into_iter().map(list).collect();
                json!({"type": "Polygon", "coordinates": rings})
            }
        };
        let properties: Map<String, Value> =
            feature.properties.iter().map(|(k, v)| (k.clone().into_owned(), v.clone())).collect();
        json!({"type": "Feature", "id": feature.id, "properties": properties, "geometry": geometry})
    }

    /// Writes a set as a feature collection, one feature a line.
    fn write(&self, out: &mut Sink, set: &FeatureSet, geometry: Geometry, ctx: &Ctx) -> Result<()> {
        let mut head = json!({"type": "FeatureCollection", "name": set.name, "terrain": self.terrain()});
        if let (None, Some(code)) = (self.wgs84, self.placement.epsg()) {
            head["crs"] =
                json!({"type": "name", "properties": {"name": format!("urn:ogc:def:crs:EPSG::{code}")}});
        }
        let head = head.to_string();
        out.write(format!("{},\"features\":[", &head[..head.len() - 1]).as_bytes())?;
        const WAVE: usize = 4096;
        for first in (0..set.features.len()).step_by(WAVE) {
            let count = WAVE.min(set.features.len() - first);
            let lines = par::map(count, &ctx.quiet(), |i| {
                let comma = if first + i > 0 { "," } else { "" };
                format!("{comma}\n{}", self.feature(&set.features[first + i], geometry))
            })?;
            out.write(lines.concat().as_bytes())?;
        }
        out.write(b"\n]}\n")
    }
}

fn export(source: &Source, dir: &Path, ctx: &Ctx) -> Result<Delivered> {
    let coordinates = Coordinates::of(source);
    let mut files = Vec::new();
    for (set, geometry) in sets(source.catalogue) {
        let name = format!("{}.geojson", set.name);
        let mut out = Sink::open(dir.join(&name))?;
        coordinates.write(&mut out, set, geometry, ctx)?;
        out.finish()?;
        files.push((name, set.about.clone().into_owned()));
    }
    let placement = &coordinates.placement;
    let mut numbers = vec![match (coordinates.wgs84, placement.georeference, placement.epsg()) {
        (Some(_), ..) => "coordinates are longitude and latitude on WGS 84".to_owned(),
        (None, Some(_), Some(code)) => format!(
            "coordinates are those of EPSG:{code}, in {}; programs that ignore the member crs take GeoJSON for WGS 84, so set that system there",
            placement.unit()
        ),
        (None, Some(_), None) => format!(
            "coordinates are those of the map that was read, in {}; programs take GeoJSON for WGS 84, so set the system there",
            placement.unit()
        ),
        (None, None, _) => format!(
            "coordinates are local, in {}: x east, y north; programs take GeoJSON for WGS 84, so set a local system there",
            placement.unit()
        ),
    }];
    numbers.extend(source.note());
    let more = json!({"coordinates": coordinates.terrain()});
    let sidecar = Sidecar { more: more.as_object().cloned().unwrap_or_default(), ..Sidecar::default() };
    Ok(Delivered { files, numbers, sidecar })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use crate::export::target::ExportOptions;
    use crate::georeference::{CrsUnit, GeoReference};
    use crate::style::exports::{Exports, GroundSpec};
    use weald_core::Frame;

    const GROUND: GroundSpec = GroundSpec {
        height: "height",
        metres_per_height: 1.0,
        metres_per_unit: 1.0,
        cover: "cover",
        water: &[],
        length_note: "",
        height_note: "",
    };

    fn read(georeference: Option<GeoReference>) -> Value {
        let mut catalogue = Catalogue::new("test", "m", Frame::new(10, 10, 1.0));
        catalogue.georeference = georeference;
        let ring = vec![(0.0, 0.0), (4.0, 0.0), (4.0, 2.006), (0.0, 0.0)];
        let mut polygon = Feature::new(0, ring.clone(), [("a", json!(1))]);
        polygon.holes.push(ring);
        let set = FeatureSet::new("areas", "", vec![polygon]);
        let picture = |_: usize, _: &Ctx| Ok(Vec::new());
        let source = Source {
            catalogue: &catalogue,
            exports: &Exports { ground: Some(GROUND), ..Exports::NONE },
            options: &ExportOptions::default(),
            stem: "test",
            picture: &picture,
            origin: Value::Null,
        };
        let mut bytes = Vec::new();
        let mut sink = Sink::new("areas.geojson", &mut bytes);
        Coordinates::of(&source).write(&mut sink, &set, Geometry::Polygons, &Ctx::default()).unwrap();
        drop(sink);
        serde_json::from_slice(&bytes).unwrap()
    }

    #[test]
    fn local_coordinates_are_metres_with_y_north_in_centimetres_and_rings_obey_the_right_hand_rule() {
        let made = read(None);
        assert_eq!(made["terrain"], json!({"units": "metres", "crs": "local", "x": "east", "y": "north"}));
        let rings = &made["features"][0]["geometry"]["coordinates"];
        assert_eq!(rings[0], json!([[0.0, 0.0], [4.0, -2.01], [4.0, 0.0], [0.0, 0.0]]));
        assert_eq!(rings[1], json!([[0.0, 0.0], [4.0, 0.0], [4.0, -2.01], [0.0, 0.0]]));
        assert!(made.get("crs").is_none());
    }

    #[test]
    fn known_systems_become_longitude_and_latitude_and_others_say_their_code() {
        let place = |epsg, unit, west, north, step| {
            read(Some(GeoReference { epsg: Some(epsg), unit, west, north, step: (step, step) }))
        };
        let first = |made: &Value| made["features"][0]["geometry"]["coordinates"][0][0].clone();
        let utm = place(32617, CrsUnit::Metre, 712_345.1, 4_012_345.9, 30.0);
        assert_eq!(first(&utm), json!([-78.63719338, 36.23268489]));
        assert_eq!(utm["terrain"]["crs"], "WGS 84");
        let degrees = place(4326, CrsUnit::Degree, 7.123_456_789_9, 46.0, 0.001);
        assert_eq!(first(&degrees), json!([7.12345679, 46.0]));
        let swiss = place(2056, CrsUnit::Metre, 2_600_000.126, 1_200_000.0, 10.0);
        assert_eq!(first(&swiss), json!([2_600_000.13, 1_200_000.0]));
        assert_eq!(swiss["crs"]["properties"]["name"], "urn:ogc:def:crs:EPSG::2056");
    }
}
