//! What arrays and groups say of themselves: layers, axes, and where the map lies.

use super::cell::Dtype;
use crate::catalogue::{Class, DIRECTIONS, Kind, LayerSpec, Rgb};
use crate::georeference::{CrsUnit, GeoReference};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// One value of a layer of classes, or one bit of a layer of flags: [`Class`] with a name of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassHead {
    /// The value, or the mask of the bit.
    pub value: u32,
    /// Its name.
    pub name: String,
    /// Its colour in pictures, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Rgb>,
}

impl From<&Class> for ClassHead {
    fn from(class: &Class) -> Self {
        Self { value: class.value, name: class.name.into(), colour: Some(class.colour) }
    }
}

/// How to read the numbers of a layer: [`Kind`] with names of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KindHead {
    /// A quantity on a scale.
    Measure,
    /// One class per cell.
    Classes(Vec<ClassHead>),
    /// A set of flags per cell: the sum of the masks.
    Flags(Vec<ClassHead>),
    /// One code per cell for each of the eight steps to its neighbours, as in [`Kind::Steps`].
    Steps(Vec<ClassHead>),
}

impl From<Kind> for KindHead {
    fn from(kind: Kind) -> Self {
        let heads = |classes: &[Class]| classes.iter().map(ClassHead::from).collect();
        match kind {
            Kind::Measure => KindHead::Measure,
            Kind::Classes(classes) => KindHead::Classes(heads(classes)),
            Kind::Flags(classes) => KindHead::Flags(heads(classes)),
            Kind::Steps(classes) => KindHead::Steps(heads(classes)),
        }
    }
}

/// What a cell of an overview is, of the two by two cells below it; fewer at odd edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reduction {
    /// Their mean, summed row by row in 64-bit floats. Integers are rounded.
    Mean,
    /// The largest of them.
    Maximum,
    /// The north-western one.
    First,
    /// The most frequent one; of several, the lowest.
    Mode,
    /// Every bit that one of them has.
    Union,
}

impl Reduction {
    /// That of a layer, if nobody says otherwise: the mean of measures in floats, the maximum of whole numbers with a unit (such as counts
    /// of cells), the first cell of whole numbers without one (such as numbers of lakes), of directions and of steps, the most frequent
    /// class, and all flags.
    fn of(spec: &LayerSpec) -> Self {
        match spec.kind {
            Kind::Measure if spec.dtype.starts_with("float") => Reduction::Mean,
            Kind::Measure if spec.unit.is_empty() => Reduction::First,
            Kind::Measure => Reduction::Maximum,
            Kind::Classes(DIRECTIONS) | Kind::Steps(_) => Reduction::First,
            Kind::Classes(_) => Reduction::Mode,
            Kind::Flags(_) => Reduction::Union,
        }
    }
}

/// What a layer of a store is: [`LayerSpec`] with names of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerHead {
    /// In snake_case; also the name of its array.
    pub name: String,
    /// Type of the cells.
    pub dtype: Dtype,
    /// Unit of the values, `""` if they have none.
    pub unit: String,
    /// What it is, in one sentence without a full stop.
    pub about: String,
    /// How to read the values.
    pub kind: KindHead,
    /// What the cells of overviews are.
    pub reduction: Reduction,
}

impl From<&LayerSpec> for LayerHead {
    /// # Panics
    /// If the layer has no type of cells.
    fn from(spec: &LayerSpec) -> Self {
        Self {
            name: spec.name.into(),
            dtype: Dtype::of(spec.dtype).expect("a layer has a type of cells"),
            unit: spec.unit.into(),
            about: spec.about.into(),
            kind: spec.kind.into(),
            reduction: Reduction::of(spec),
        }
    }
}

/// What the numbers of a layer mean, as attributes of its array (CF conventions 1.11, §3.1, §3.2 and §3.5): `long_name`, `units`, and for classes
/// and flags `flag_values` or `flag_masks` and `flag_meanings`.
pub fn layer_attributes(spec: &LayerSpec) -> Value {
    LayerHead::from(spec).attributes()
}

impl LayerHead {
    /// The attributes, as [`layer_attributes`] has them.
    pub(super) fn attributes(&self) -> Value {
        let mut out = Map::new();
        out.insert("long_name".into(), self.about.as_str().into());
        if !self.unit.is_empty() {
            out.insert("units".into(), self.unit.as_str().into());
        }
        let (values, meanings, classes) = match &self.kind {
            KindHead::Measure => return out.into(),
            KindHead::Classes(classes) => ("flag_values", "flag_meanings", classes),
            KindHead::Flags(classes) => ("flag_masks", "flag_meanings", classes),
            KindHead::Steps(classes) => {
                let codes = "bits 2d and 2d + 1 are the code of the step in direction d, from east clockwise";
                out.insert("comment".into(), codes.into());
                ("step_codes", "step_meanings", classes)
            }
        };
        // A mask of 0 would be set in no cell.
        let told = |c: &&ClassHead| c.value > 0 || !matches!(self.kind, KindHead::Flags(_));
        let classes: Vec<&ClassHead> = classes.iter().filter(told).collect();
        let typed =
            |c: &&ClassHead| if self.dtype.is_float() { json!(f64::from(c.value)) } else { json!(c.value) };
        if !classes.is_empty() {
            out.insert(values.into(), classes.iter().map(typed).collect());
            let words: Vec<String> = classes.iter().map(|c| word(c)).collect();
            out.insert(meanings.into(), words.join(" ").into());
        }
        out.into()
    }

    /// The layer of an array that no store of ours made, from the attributes of the conventions.
    pub(super) fn of_attributes(name: &str, dtype: Dtype, attributes: &Value) -> Self {
        let text = |key: &str| attributes[key].as_str().unwrap_or_default().to_owned();
        let classes = |values: &str, meanings: &str| -> Option<Vec<ClassHead>> {
            let values = attributes[values].as_array()?.iter();
            let class = |(value, name): (&Value, &str)| {
                let value =
                    value.as_f64().filter(|value| value.fract() == 0.0 && (0.0..=4e9).contains(value))?;
                Some(ClassHead { value: value as u32, name: name.into(), colour: None })
            };
            values.zip(attributes[meanings].as_str()?.split(' ')).map(class).collect()
        };
        let (kind, reduction) = if let Some(flags) = classes("flag_masks", "flag_meanings") {
            (KindHead::Flags(flags), Reduction::Union)
        } else if let Some(steps) = classes("step_codes", "step_meanings") {
            (KindHead::Steps(steps), Reduction::First)
        } else if let Some(found) = classes("flag_values", "flag_meanings") {
            (KindHead::Classes(found), Reduction::Mode)
        } else {
            (KindHead::Measure, if dtype.is_float() { Reduction::Mean } else { Reduction::First })
        };
        Self { name: name.into(), dtype, unit: text("units"), about: text("long_name"), kind, reduction }
    }
}

/// The name of a class as one word of the signs that meanings may have; `class_` and its value for one without a name.
fn word(class: &ClassHead) -> String {
    let sign = |c: char| if c.is_ascii_alphanumeric() || "_.+@-".contains(c) { c } else { '_' };
    match class.name.trim() {
        "" => format!("class_{}", class.value),
        name => name.chars().map(sign).collect(),
    }
}

/// Where a map lies: the north-west corner of its first cell, and the steps from cell to cell. x grows eastwards; y is a northing and falls
/// from row to row.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Easting or longitude of the western edge.
    pub west: f64,
    /// Northing or latitude of the northern edge.
    pub north: f64,
    /// From a column to the next one, and from a row to the next one; both above 0.
    pub step: (f64, f64),
    /// Unit of the coordinates; none if they are plain numbers, such as cells.
    pub unit: Option<CrsUnit>,
    /// The EPSG code of the coordinate reference system, if there is one.
    pub epsg: Option<u32>,
}

impl From<GeoReference> for Place {
    fn from(place: GeoReference) -> Self {
        let GeoReference { epsg, unit, west, north, step } = place;
        Self { west, north, step, unit: Some(unit), epsg }
    }
}

impl Place {
    /// The place of a map in cells from its corner.
    pub fn cells() -> Self {
        Self { west: 0.0, north: 0.0, step: (1.0, 1.0), unit: None, epsg: None }
    }

    /// The place of the same map in cells that are `factor` times as wide and high.
    pub(super) fn coarser(&self, factor: f64) -> Self {
        Self { step: (self.step.0 * factor, self.step.1 * factor), ..self.clone() }
    }

    /// The attributes of the axis `x` or `y` (CF conventions 1.11, §4).
    pub(crate) fn axis(&self, name: &str) -> Value {
        let degrees = self.unit == Some(CrsUnit::Degree);
        let (long_name, standard, axis) = match (name, degrees) {
            ("x", true) => ("longitude of the centres of the columns", "longitude", "X"),
            ("x", false) => ("easting of the centres of the columns", "projection_x_coordinate", "X"),
            (_, true) => ("latitude of the centres of the rows", "latitude", "Y"),
            (_, false) => ("northing of the centres of the rows", "projection_y_coordinate", "Y"),
        };
        json!({
            "long_name": long_name, "standard_name": standard, "axis": axis, "units": units(self.unit, name),
        })
    }

    /// The centre of a column or row.
    pub(crate) fn centre(&self, name: &str, i: usize) -> f64 {
        let (edge, step) = if name == "x" { (self.west, self.step.0) } else { (self.north, -self.step.1) };
        edge + (i as f64 + 0.5) * step
    }

    /// The attributes of a group whose arrays have so many columns and rows, by the conventions
    /// [`spatial`](https://github.com/zarr-conventions/spatial) and [`proj`](https://github.com/zarr-conventions/proj).
    pub(crate) fn attributes(&self, (width, height): (usize, usize)) -> Map<String, Value> {
        let (dx, dy) = self.step;
        let (south, east) = (self.north - height as f64 * dy, self.west + width as f64 * dx);
        let spatial =
            convention("spatial", "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "Spatial coordinate information");
        let mut conventions = vec![spatial];
        if self.epsg.is_some() {
            let about = "Coordinate reference system information for geospatial data";
            conventions.push(convention("proj", "f17cb550-5864-4468-aeb7-f3180cfb622f", about));
        }
        let mut out: Map<String, Value> = [
            ("spatial:dimensions", json!(["y", "x"])),
            ("spatial:registration", json!("pixel")),
            ("spatial:shape", json!([height, width])),
            ("spatial:bbox", json!([self.west, south, east, self.north])),
            ("spatial:transform_type", json!("affine")),
            ("spatial:transform", json!([dx, 0.0, self.west, 0.0, -dy, self.north])),
            ("zarr_conventions", conventions.into()),
        ]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect();
        if let Some(code) = self.epsg {
            out.insert("proj:code".into(), format!("EPSG:{code}").into());
        }
        out
    }

    /// The place that the attributes of a group and the unit of its axes tell; in cells from the corner if they tell none.
    pub(super) fn of_attributes(group: &Value, axis: &Value) -> Self {
        let numbers: Option<Vec<f64>> =
            group["spatial:transform"].as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
        let unit = [CrsUnit::Metre, CrsUnit::Foot, CrsUnit::UsFoot, CrsUnit::Degree]
            .into_iter()
            .find(|&unit| axis["units"] == units(Some(unit), "x"));
        let code = group["proj:code"].as_str().and_then(|code| code.strip_prefix("EPSG:")?.parse().ok());
        match numbers.as_deref() {
            Some(&[dx, 0.0, west, 0.0, dy, north]) if dx > 0.0 && dy < 0.0 => {
                Self { west, north, step: (dx, -dy), unit, epsg: code }
            }
            _ => Self { epsg: code, unit, ..Self::cells() },
        }
    }
}

/// The unit of an axis, as UDUNITS writes it.
fn units(unit: Option<CrsUnit>, name: &str) -> &'static str {
    match (unit, name) {
        (None, _) => "1",
        (Some(CrsUnit::Metre), _) => "m",
        (Some(CrsUnit::Foot), _) => "foot",
        (Some(CrsUnit::UsFoot), _) => "US_survey_foot",
        (Some(CrsUnit::Degree), "x") => "degrees_east",
        (Some(CrsUnit::Degree), _) => "degrees_north",
    }
}

/// The entry of a convention in `zarr_conventions`.
fn convention(name: &str, uuid: &str, about: &str) -> Value {
    json!({
        "name": name, "uuid": uuid, "description": about,
        "schema_url": format!("https://raw.githubusercontent.com/zarr-conventions/{name}/refs/tags/v0.1/schema.json"),
        "spec_url": format!("https://github.com/zarr-conventions/{name}/blob/v0.1/README.md"),
    })
}

/// The attribute `multiscales` of a group with so many levels, and the entry of the convention
/// [`multiscales`](https://github.com/zarr-conventions/multiscales). Level 0 is the group itself.
pub(super) fn multiscales(levels: usize) -> (Value, Value) {
    let layout = |level: usize| match level {
        0 => json!({"asset": ".", "transform": {"scale": [1.0, 1.0], "translation": [0.0, 0.0]}}),
        _ => {
            let from = if level == 1 { ".".to_owned() } else { format!("overviews/{}", level - 1) };
            json!({
                "asset": format!("overviews/{level}"), "derived_from": from,
                "transform": {"scale": [2.0, 2.0], "translation": [0.0, 0.0]},
            })
        }
    };
    let layout: Vec<Value> = (0..levels).map(layout).collect();
    let about = "Multiscale layout of zarr datasets";
    let entry = convention("multiscales", "d35379db-88df-4056-af3a-620245f8e347", about);
    (json!({"layout": layout}), entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::NO_YES;

    #[test]
    fn classes_and_flags_are_told_as_the_cf_conventions_name_them() {
        let spec = LayerSpec::measure("a", "uint8", "", "what it is");
        assert_eq!(layer_attributes(&spec), json!({"long_name": "what it is"}));
        let of = |kind| layer_attributes(&LayerSpec { kind, unit: "m", ..spec });
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
        let class = |value, name: &str| ClassHead { value, name: name.into(), colour: None };
        let names = ["bare rock", "sand/gravel", "", " \u{e9}t\u{e9} ", "n.a.+@-_"];
        let words: Vec<String> =
            names.iter().zip(3..).map(|(name, value)| word(&class(value, name))).collect();
        assert_eq!(words, ["bare_rock", "sand_gravel", "class_5", "_t_", "n.a.+@-_"]);
        let spec =
            LayerSpec { kind: Kind::Classes(NO_YES), ..LayerSpec::measure("a", "float32", "", "what it is") };
        assert_eq!(layer_attributes(&spec)["flag_values"].to_string(), "[0.0,1.0]");
    }

    #[test]
    fn overviews_of_a_layer_follow_from_its_kind_type_and_unit() {
        let of = |dtype, unit, kind| {
            Reduction::of(&LayerSpec { kind, ..LayerSpec::measure("a", dtype, unit, "what it is") })
        };
        assert_eq!(of("float32", "", Kind::Measure), Reduction::Mean);
        assert_eq!(of("uint32", "cells", Kind::Measure), Reduction::Maximum);
        assert_eq!(of("uint32", "", Kind::Measure), Reduction::First);
        assert_eq!(of("uint8", "", Kind::Classes(NO_YES)), Reduction::Mode);
        assert_eq!(of("uint8", "", Kind::Classes(DIRECTIONS)), Reduction::First);
        assert_eq!(of("uint8", "", Kind::Flags(NO_YES)), Reduction::Union);
        assert_eq!(of("uint16", "", Kind::Steps(NO_YES)), Reduction::First);
    }

    #[test]
    fn layers_and_places_come_back_from_the_attributes_of_the_conventions() {
        for kind in [Kind::Measure, Kind::Classes(NO_YES), Kind::Steps(NO_YES)] {
            let spec = LayerSpec { kind, ..LayerSpec::measure("a", "uint16", "", "what it is") };
            let head = LayerHead::from(&spec);
            let mut back = LayerHead::of_attributes("a", Dtype::Uint16, &head.attributes());
            if let KindHead::Classes(classes) | KindHead::Steps(classes) = &mut back.kind {
                classes.iter_mut().zip(NO_YES).for_each(|(class, known)| class.colour = Some(known.colour));
            }
            assert_eq!(back, head);
        }
        let place =
            Place { west: 3.0, north: -7.0, step: (2.0, 0.5), unit: Some(CrsUnit::Foot), epsg: Some(2263) };
        let group = Value::from(place.attributes((10, 20)));
        assert_eq!(Place::of_attributes(&group, &place.axis("x")), place);
        assert_eq!(Place::of_attributes(&Value::Null, &Value::Null), Place::cells());
        assert_eq!((place.centre("x", 0), place.centre("y", 1)), (4.0, -7.75));
    }
}
