//! What the numbers of layers and coordinates mean, as the CF conventions (1.11) name it: for Zarr stores, and for shells that hand out
//! arrays with labels.
//!
//! Where a map lies is told by the conventions [`spatial`](https://github.com/zarr-conventions/spatial) and
//! [`proj`](https://github.com/zarr-conventions/proj).

use super::target::Source;
use crate::catalogue::{Class, Kind, LayerSpec};
use crate::georeference::CrsUnit;
use serde_json::{Map, Value, json};

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
    let place = source.place();
    let degrees = place.unit == CrsUnit::Degree;
    let axis = |name: &str, count: usize, edge: f64, step: f64| {
        let (long_name, standard, axis) = match (name, degrees) {
            ("x", true) => ("longitude of the centres of the columns", "longitude", "X"),
            ("x", false) => ("easting of the centres of the columns", "projection_x_coordinate", "X"),
            (_, true) => ("latitude of the centres of the rows", "latitude", "Y"),
            (_, false) => ("northing of the centres of the rows", "projection_y_coordinate", "Y"),
        };
        let attributes = json!({
            "long_name": long_name, "standard_name": standard, "axis": axis, "units": axis_units(source, name),
        });
        Axis { centres: (0..count).map(|i| edge + (i as f64 + 0.5) * step).collect(), attributes }
    };
    [axis("x", shape.0, place.west, place.step.0), axis("y", shape.1, place.north, -place.step.1)]
}

/// The unit of the coordinates, as UDUNITS writes it.
fn axis_units(source: &Source, name: &str) -> &'static str {
    if source.catalogue.georeference.is_none() && source.exports.ground.is_none() {
        return "1";
    }
    match (source.place().unit, name) {
        (CrsUnit::Metre, _) => "m",
        (CrsUnit::Foot, _) => "foot",
        (CrsUnit::UsFoot, _) => "US_survey_foot",
        (CrsUnit::Degree, "x") => "degrees_east",
        (CrsUnit::Degree, _) => "degrees_north",
    }
}

/// What the numbers of a layer mean (CF conventions 1.11, §3.1, §3.2 and §3.5).
pub fn layer(spec: &LayerSpec) -> Value {
    let mut out = Map::new();
    out.insert("long_name".into(), spec.about.into());
    if !spec.unit.is_empty() {
        out.insert("units".into(), spec.unit.into());
    }
    let (values, meanings, classes) = match spec.kind {
        Kind::Measure => return out.into(),
        Kind::Classes(classes) => ("flag_values", "flag_meanings", classes),
        Kind::Flags(classes) => ("flag_masks", "flag_meanings", classes),
        Kind::Steps(classes) => {
            let codes = "bits 2d and 2d + 1 are the code of the step in direction d, from east clockwise";
            out.insert("comment".into(), codes.into());
            ("step_codes", "step_meanings", classes)
        }
    };
    // A mask of 0 would be set in no cell.
    let told = |c: &&Class| c.value > 0 || !matches!(spec.kind, Kind::Flags(_));
    let classes: Vec<&Class> = classes.iter().filter(told).collect();
    let typed =
        |c: &&Class| if spec.dtype.starts_with("float") { json!(f64::from(c.value)) } else { json!(c.value) };
    if !classes.is_empty() {
        out.insert(values.into(), classes.iter().map(typed).collect());
        out.insert(meanings.into(), classes.iter().map(|c| word(c)).collect::<Vec<_>>().join(" ").into());
    }
    out.into()
}

/// The name of a class as one word of the signs that meanings may have; `class_` and its value for one without a name.
fn word(class: &Class) -> String {
    let sign = |c: char| if c.is_ascii_alphanumeric() || "_.+@-".contains(c) { c } else { '_' };
    match class.name.trim() {
        "" => format!("class_{}", class.value),
        name => name.chars().map(sign).collect(),
    }
}

/// What a map of `shape` = (columns, rows) cells is: where it comes from and where it lies.
pub fn map(source: &Source, shape: (usize, usize)) -> Value {
    let place = source.place();
    let convention = |name: &str, uuid: &str, about: &str| {
        json!({
            "name": name, "uuid": uuid, "description": about,
            "schema_url": format!("https://raw.githubusercontent.com/zarr-conventions/{name}/refs/tags/v0.1/schema.json"),
            "spec_url": format!("https://github.com/zarr-conventions/{name}/blob/v0.1/README.md"),
        })
    };
    let spatial =
        convention("spatial", "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "Spatial coordinate information");
    let (dx, dy) = place.step;
    let (south, east) = (place.north - shape.1 as f64 * dy, place.west + shape.0 as f64 * dx);
    let mut out = json!({
        "title": format!("{} {}", source.catalogue.world, source.catalogue.seed),
        "Conventions": "CF-1.11",
        "weald": {"origin": source.origin},
        "seed": source.catalogue.seed,
        "axes": format!("x grows eastwards, y northwards and falls from row to row, in {}", source.unit()),
        "spatial:dimensions": ["y", "x"],
        "spatial:registration": "pixel",
        "spatial:shape": [shape.1, shape.0],
        "spatial:bbox": [place.west, south, east, place.north],
        "spatial:transform_type": "affine",
        "spatial:transform": [dx, 0.0, place.west, 0.0, -dy, place.north],
        "zarr_conventions": [spatial],
    });
    if let Some(code) = place.epsg {
        let about = "Coordinate reference system information for geospatial data";
        let proj = convention("proj", "f17cb550-5864-4468-aeb7-f3180cfb622f", about);
        out["zarr_conventions"] = json!([spatial, proj]);
        out["proj:code"] = format!("EPSG:{code}").into();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{DIRECTIONS, NO_YES};

    #[test]
    fn classes_and_flags_are_told_as_the_cf_conventions_name_them() {
        let spec = LayerSpec::measure("a", "uint8", "", "what it is");
        assert_eq!(layer(&spec), json!({"long_name": "what it is"}));
        let of = |kind| layer(&LayerSpec { kind, unit: "m", ..spec });
        let classes = of(Kind::Classes(DIRECTIONS));
        assert_eq!((&classes["units"], &classes["flag_values"][8]), (&json!("m"), &json!(255)));
        assert_eq!(classes["flag_meanings"], "E SE S SW W NW N NE none");
        let flags = of(Kind::Flags(NO_YES));
        assert_eq!((&flags["flag_masks"], &flags["flag_meanings"]), (&json!([1]), &json!("yes")));
        // Meanings without values or masks are not allowed.
        let steps = of(Kind::Steps(NO_YES));
        assert_eq!((&steps["step_codes"], &steps["step_meanings"]), (&json!([0, 1]), &json!("no yes")));
        assert!(steps.get("flag_meanings").is_none());
    }

    #[test]
    fn meanings_are_words_without_other_signs_and_values_have_the_type_of_the_layer() {
        let class = |value, name| Class { value, name, colour: [0; 3] };
        let names = ["bare rock", "sand/gravel", "", " \u{e9}t\u{e9} ", "n.a.+@-_"];
        let words: Vec<String> =
            names.iter().zip(3..).map(|(name, value)| word(&class(value, name))).collect();
        assert_eq!(words, ["bare_rock", "sand_gravel", "class_5", "_t_", "n.a.+@-_"]);
        let spec =
            LayerSpec { kind: Kind::Classes(NO_YES), ..LayerSpec::measure("a", "float32", "", "what it is") };
        assert_eq!(layer(&spec)["flag_values"].to_string(), "[0.0,1.0]");
    }

    #[test]
    fn every_layer_of_every_world_has_as_many_meanings_as_values() {
        for spec in crate::world::WORLDS.iter().flat_map(|world| world.layers()) {
            let told = layer(&spec);
            for (values, meanings) in [
                ("flag_values", "flag_meanings"),
                ("flag_masks", "flag_meanings"),
                ("step_codes", "step_meanings"),
            ] {
                let Some(values) = told.get(values) else { continue };
                let words =
                    told[meanings].as_str().unwrap().split(' ').filter(|word| !word.is_empty()).count();
                assert_eq!(words, values.as_array().unwrap().len(), "{}", spec.name);
            }
        }
    }
}
