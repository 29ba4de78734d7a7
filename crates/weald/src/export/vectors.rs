//! Lines, points and polygons as GeoJSON with x east and y north.
//!
//! RFC 7946 wants longitude and latitude on WGS 84. Maps in degrees, in a zone of UTM or in the projection of web maps are written so. The others
//! have plane coordinates, which the foreign member `terrain` says: local metres, or those of their reference system, whose code is the
//! member `crs` as GeoJSON had it before that standard, which GDAL and QGIS still read. Outer rings go against the clock and holes with it.
//! Lines without length and polygons without area are left out. Degrees lie between −180 and 180, and what crosses that meridian is cut
//! there (RFC 7946, §3.1.9).

use super::antimeridian;
use super::geojson::{Geometry, sets};
use super::placement::{P, Placement, Wgs84, has_length, left_out_note, polygon};
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

    /// Whether the coordinates are longitude and latitude.
    fn is_degrees(&self) -> bool {
        self.wgs84.is_some() || self.placement.is_geographic()
    }

    /// The coordinates of a place.
    fn at(&self, p: P) -> P {
        let p = self.placement.at(p);
        self.rounded(self.wgs84.map_or(p, |wgs84| wgs84.longitude_latitude(p)))
    }

    /// Degrees with eight decimals, which are a millimetre, or lengths with two.
    fn rounded(&self, p: P) -> P {
        let steps = if self.is_degrees() { 1e8 } else { 100.0 };
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

    /// The geometry of a feature as GeoJSON; nothing if it has no length or no area.
    fn geometry(&self, feature: &Feature, geometry: Geometry) -> Option<Value> {
        let placed = |points: &[P]| points.iter().map(|&p| self.at(p)).collect::<Vec<P>>();
        let pair = |p: P| -> [f64; 2] { self.rounded(p).into() };
        let list = |points: Vec<P>| points.into_iter().map(pair).collect::<Vec<[f64; 2]>>();
        // One part is a geometry of its own, and several are those of a geometry of many.
        let made = |kind: &str, mut parts: Vec<Value>| match parts.len() {
            0 => None,
            1 => Some(json!({"type": kind, "coordinates": parts.remove(0)})),
            _ => Some(json!({"type": format!("Multi{kind}"), "coordinates": parts})),
        };
        match geometry {
            Geometry::Points => Some(match feature.points.first() {
                Some(&p) if self.is_degrees() => {
                    json!({"type": "Point", "coordinates": pair(antimeridian::point(self.at(p)))})
                }
                Some(&p) => json!({"type": "Point", "coordinates": pair(self.at(p))}),
                None => Value::Null,
            }),
            Geometry::Lines => {
                let points = placed(&feature.points);
                if !has_length(&points) {
                    return None;
                }
                let parts = if self.is_degrees() { antimeridian::line(&points) } else { vec![points] };
                made("LineString", parts.into_iter().map(|part| json!(list(part))).collect())
            }
            Geometry::Polygons => {
                let mut rings = vec![placed(&feature.points)];
                rings.extend(feature.holes.iter().map(|hole| placed(hole)));
                let rings = polygon(rings);
                if rings.is_empty() {
                    return None;
                }
                let parts = if self.is_degrees() { antimeridian::polygon(rings) } else { vec![rings] };
                let lists = |rings: Vec<Vec<P>>| rings.into_iter().map(list).collect::<Vec<_>>();
                made("Polygon", parts.into_iter().map(|part| json!(lists(part))).collect())
            }
        }
    }

    /// A feature as GeoJSON; nothing if it has no length or no area.
    fn feature(&self, feature: &Feature, geometry: Geometry) -> Option<Value> {
        let geometry = self.geometry(feature, geometry)?;
        let properties: Map<String, Value> =
            feature.properties.iter().map(|(k, v)| (k.clone().into_owned(), v.clone())).collect();
        Some(json!({"type": "Feature", "id": feature.id, "properties": properties, "geometry": geometry}))
    }

    /// Writes a set as a feature collection, one feature a line, and says how many were left out.
    fn write(&self, out: &mut Sink, set: &FeatureSet, geometry: Geometry, ctx: &Ctx) -> Result<usize> {
        let mut head = json!({"type": "FeatureCollection", "name": set.name, "terrain": self.terrain()});
        if let (None, Some(code)) = (self.wgs84, self.placement.epsg()) {
            head["crs"] =
                json!({"type": "name", "properties": {"name": format!("urn:ogc:def:crs:EPSG::{code}")}});
        }
        let head = head.to_string();
        out.write(format!("{},\"features\":[", &head[..head.len() - 1]).as_bytes())?;
        const WAVE: usize = 4096;
        let mut written = 0;
        for first in (0..set.features.len()).step_by(WAVE) {
            let count = WAVE.min(set.features.len() - first);
            let made = par::map(count, &ctx.quiet(), |i| {
                self.feature(&set.features[first + i], geometry).map(|feature| feature.to_string())
            })?;
            for feature in made.into_iter().flatten() {
                let comma = if written > 0 { "," } else { "" };
                out.write(format!("{comma}\n{feature}").as_bytes())?;
                written += 1;
            }
        }
        out.write(b"\n]}\n")?;
        Ok(set.features.len() - written)
    }
}

fn export(source: &Source, dir: &Path, ctx: &Ctx) -> Result<Delivered> {
    let coordinates = Coordinates::of(source);
    let (mut files, mut left_out) = (Vec::new(), 0);
    for (set, geometry) in sets(source.catalogue) {
        let name = format!("{}.geojson", set.name);
        let mut out = Sink::open(dir.join(&name))?;
        left_out += coordinates.write(&mut out, set, geometry, ctx)?;
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
    numbers.extend(left_out_note(left_out));
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
        let ring = vec![(0.0, 0.0), (4.0, 0.0), (4.0, 2.006), (0.0, 0.0)];
        let mut polygon = Feature::new(0, ring.clone(), [("a", json!(1))]);
        polygon.holes.push(ring);
        written(georeference, vec![polygon], Geometry::Polygons)
    }

    fn written(georeference: Option<GeoReference>, features: Vec<Feature>, geometry: Geometry) -> Value {
        let mut catalogue = Catalogue::new("test", "m", Frame::new(10, 10, 1.0));
        catalogue.georeference = georeference;
        let set = FeatureSet::new("areas", "", features);
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
        Coordinates::of(&source).write(&mut sink, &set, geometry, &Ctx::default()).unwrap();
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
    fn lines_without_length_and_polygons_without_area_are_left_out() {
        let feature = |id, points: &[P]| Feature::new(id, points.to_vec(), [("a", json!(1))]);
        let ids = |features: Vec<Feature>, geometry| -> Vec<u64> {
            let made = written(None, features, geometry);
            made["features"].as_array().unwrap().iter().map(|f| f["id"].as_u64().unwrap()).collect()
        };
        let lines = vec![
            feature(0, &[(1.0, 1.0), (1.0, 1.0)]),
            feature(1, &[(1.0, 1.0), (2.0, 1.0)]),
            feature(2, &[(1.0, 1.0)]),
            feature(3, &[(1.0, 1.0), (1.001, 1.0)]),
            feature(4, &[(1.0, 1.0), (2.0, 1.0), (1.0, 1.0)]),
        ];
        assert_eq!(ids(lines, Geometry::Lines), [1, 4]);
        let areas = vec![
            feature(0, &[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (1.0, 1.0)]),
            feature(1, &[(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 0.0)]),
            feature(2, &[]),
        ];
        assert_eq!(ids(areas, Geometry::Polygons), [1]);
    }

    #[test]
    fn what_crosses_the_meridian_of_180_degrees_is_cut_there() {
        let degrees = GeoReference {
            epsg: Some(4326),
            unit: CrsUnit::Degree,
            west: 179.0,
            north: 10.0,
            step: (1.0, 1.0),
        };
        let geometry = |place, points: &[P], geometry| {
            let feature = Feature::new(0, points.to_vec(), [("a", json!(1))]);
            written(Some(place), vec![feature], geometry)["features"][0]["geometry"].clone()
        };
        let line = geometry(degrees, &[(0.0, 0.0), (2.0, 2.0)], Geometry::Lines);
        assert_eq!(line["type"], "MultiLineString");
        assert_eq!(
            line["coordinates"],
            json!([[[179.0, 10.0], [180.0, 9.0]], [[-180.0, 9.0], [-179.0, 8.0]]])
        );
        let area = geometry(degrees, &[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 0.0)], Geometry::Polygons);
        assert_eq!(area["type"], "MultiPolygon");
        assert_eq!(area["coordinates"].as_array().unwrap().len(), 2);
        assert_eq!(geometry(degrees, &[(4.0, 0.0)], Geometry::Points)["coordinates"], json!([-177.0, 10.0]));
        // Zone 1 of UTM reaches over it in the west, and zone 60 in the east.
        for (epsg, west) in [(32601, 160_000.0), (32660, 820_000.0)] {
            let unit = CrsUnit::Metre;
            let place =
                GeoReference { epsg: Some(epsg), unit, west, north: 100_000.0, step: (2000.0, 2000.0) };
            let line = geometry(place, &[(0.0, 0.0), (9.0, 9.0)], Geometry::Lines);
            assert_eq!(line["type"], "MultiLineString", "{epsg}");
            let parts = line["coordinates"].as_array().unwrap();
            let first = |part: &Value| part[0][0].as_f64().unwrap();
            assert!(parts.iter().all(|part| first(part).abs() <= 180.0) && parts.len() == 2, "{parts:?}");
        }
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
