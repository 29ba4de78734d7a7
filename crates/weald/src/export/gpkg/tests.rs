//! Tests of the tables and geometries; those of the file format are beside its writer.

use super::*;
use crate::catalogue::Feature;
use crate::georeference::{CrsUnit, GeoReference};
use weald_core::Frame;

fn placement() -> Placement {
    placed(None)
}

fn placed(georeference: Option<GeoReference>) -> Placement {
    use crate::catalogue::Catalogue;
    use crate::export::target::ExportOptions;
    use crate::style::exports::Exports;
    let mut catalogue = Catalogue::new("test", "m", Frame::new(8, 8, 2.0));
    catalogue.georeference = georeference;
    let picture = |_: usize, _: &Ctx| Ok(Vec::new());
    Placement::of(&Source {
        catalogue: &catalogue,
        exports: &Exports::NONE,
        options: &ExportOptions::default(),
        stem: "test",
        picture: &picture,
        origin: Value::Null,
    })
}

#[test]
fn columns_have_the_type_that_holds_all_their_values() {
    let feature = |id, properties: Vec<(&'static str, Value)>| Feature::new(id, vec![(1.0, 2.0)], properties);
    let all = vec![
        feature(
            0,
            vec![("a", json!(1)), ("b", json!(1)), ("c", json!(true)), ("d", json!("x")), ("Fid", json!(4))],
        ),
        feature(
            1,
            vec![
                ("a", json!(2)),
                ("b", json!(0.5)),
                ("c", json!(null)),
                ("d", json!([1, 2])),
                ("e", json!(null)),
            ],
        ),
    ];
    let set = FeatureSet::new("things", "", all);
    let table = features(&set, Geometry::Points, &placement(), &Ctx::default()).unwrap();
    let columns: Vec<(&str, Type)> =
        table.columns.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
    assert_eq!(
        columns,
        [
            ("id", Type::Integer),
            ("a", Type::Integer),
            ("b", Type::Real),
            ("c", Type::Boolean),
            ("d", Type::Text),
            ("Fid_", Type::Integer),
            ("e", Type::Text),
        ]
    );
    assert_eq!(table.rows.len(), 2);
    assert!(table.rows[1].ends_with(b"[1,2]"), "lists are written as JSON");
}

#[test]
fn a_measure_is_real_even_if_a_map_has_whole_numbers_only() {
    let typed = |value: Value| {
        let set = FeatureSet::new("things", "", vec![Feature::new(0, vec![(1.0, 2.0)], [("a", value)])]);
        features(&set, Geometry::Points, &placement(), &Ctx::default()).unwrap().columns[1].1
    };
    assert_eq!([typed(json!(2.0)), typed(json!(-0.0)), typed(json!(2.5))], [Type::Real; 3]);
    // As in a map that was read from a folder.
    assert_eq!(typed(serde_json::from_str(&json!(2.0).to_string()).unwrap()), Type::Real);
    assert_eq!(typed(json!(2)), Type::Integer);
}

#[test]
fn north_is_up_and_outer_rings_go_against_the_clock() {
    let ring = vec![(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0), (0.0, 0.0)];
    let set = FeatureSet::new("areas", "", vec![Feature::new(0, ring, [])]);
    let table = features(&set, Geometry::Polygons, &placement(), &Ctx::default()).unwrap();
    assert_eq!(table.extent, Some(Extent { west: 0.0, south: -2.0, east: 4.0, north: 0.0 }));
    let bytes = &table.rows[0];
    let at = bytes.windows(2).position(|w| w == b"GP").unwrap();
    let number = |i: usize| f64::from_le_bytes(bytes[at + i..at + i + 8].try_into().unwrap());
    assert_eq!([8, 16, 24, 32].map(number), [0.0, 4.0, -2.0, 0.0]);
    // Byte order, type, rings and points take 13 bytes after the header of 40.
    let points: Vec<P> = (0..5).map(|i| (number(53 + 16 * i), number(61 + 16 * i))).collect();
    assert_eq!(points, [(0.0, 0.0), (0.0, -2.0), (4.0, -2.0), (4.0, 0.0), (0.0, 0.0)]);
}

#[test]
fn lines_without_length_and_polygons_without_area_have_no_row() {
    let feature = |id, points: &[P]| Feature::new(id, points.to_vec(), []);
    let rows = |features: Vec<Feature>, geometry| {
        let set = FeatureSet::new("things", "", features);
        super::features(&set, geometry, &placement(), &Ctx::default()).unwrap().rows.len()
    };
    let lines = vec![
        feature(0, &[(1.0, 1.0), (1.0, 1.0)]),
        feature(1, &[(1.0, 1.0), (2.0, 1.0)]),
        feature(2, &[(1.0, 1.0)]),
    ];
    assert_eq!(rows(lines, Geometry::Lines), 1);
    let flat = feature(0, &[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (1.0, 1.0)]);
    let wide = feature(1, &[(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 0.0)]);
    assert_eq!(rows(vec![flat, wide], Geometry::Polygons), 1);
}

#[test]
fn the_reference_system_is_that_of_the_map_or_undefined() {
    let place = |epsg, unit| GeoReference { epsg, unit, west: 500_000.0, north: 4e6, step: (10.0, 10.0) };
    assert_eq!(srs_id(&placement()), -1);
    assert_eq!(srs_id(&placed(Some(place(None, CrsUnit::Metre)))), -1);
    assert_eq!(srs_id(&placed(Some(place(None, CrsUnit::Degree)))), 0);
    let utm = placed(Some(place(Some(32617), CrsUnit::Metre)));
    assert_eq!(srs_id(&utm), 32617);
    let systems = reference_systems(&utm);
    let ids: Vec<i64> = systems.rows.iter().map(|row| row.0).collect();
    assert_eq!(ids, [-1, 0, 4326, 32617]);
    assert!(utm_wkt(32617, 17, 0).contains("\"central_meridian\",-81"));
    assert_eq!(utm.at((2.0, 4.0)), (500_010.0, 4e6 - 20.0));
}
