//! All layers as a Zarr store, version 3: a folder that xarray and other array programs open as one thing.
//!
//! Format: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html>, with the codecs `bytes`, `gzip`, `crc32c` and
//! `sharding_indexed`.
//!
//! - The group holds an array for each layer, with the dimensions `y` and `x`, and one for each of these with the centres of the cells.
//!   x grows eastwards; y is a northing and falls from row to row, as in the GeoTIFF file of the same map.
//! - A layer is cut into shards of at most 1024 by 1024 cells, a file each, and a shard into chunks of 256 by 256, the unit of reading. A
//!   map that fits into one chunk has no shards.
//! - Units, classes and flags are attributes as the CF conventions (1.11, §3.1 and §3.5) name them; the place is told by the conventions
//!   [`spatial`](https://github.com/zarr-conventions/spatial) and [`proj`](https://github.com/zarr-conventions/proj).

mod chunk;

use super::sidecar::Sidecar;
use super::target::{Delivered, Form, Needs, Source, Target};
use crate::catalogue::{Class, Kind, LayerSpec};
use crate::error::{Error, Result};
use crate::files;
use crate::georeference::{CrsUnit, GeoReference};
use chunk::{Codec, Plan, gzipped};
use serde_json::{Map, Value, json};
use std::path::Path;
use weald_core::Ctx;

/// The target `zarr`.
pub static TARGET: Target = Target {
    name: "zarr",
    about: "every layer as an array with named dimensions, in compressed chunks",
    files: "NAME.zarr",
    readers: "xarray, zarr-python, GDAL, zarrita and other array programs",
    needs: Needs::Nothing,
    takes: &[],
    validate: None,
    form: Form::Store("zarr", export),
};

/// Writes every layer of a world.
fn export(source: &Source, path: &Path, ctx: &Ctx) -> Result<Delivered> {
    let layers = &source.catalogue.layers;
    let Some(shape) = layers.first().map(|l| l.cells().shape()) else {
        return Err(Error::Invalid("there are no layers; make the world with --layers all".into()));
    };
    folder(path)?;
    let place = source.place();
    for (k, layer) in layers.iter().enumerate() {
        let cells = layer.cells();
        let at = path.join(layer.name);
        folder(&at)?;
        let plan = Plan::of(cells.shape(), Codec::of(cells.dtype()));
        write_json(&at, &array(&plan, cells.dtype(), &["y", "x"], layer_attributes(layer)))?;
        plan.write(&cells, &at, &ctx.quiet())?;
        ctx.tick(k + 1, layers.len());
    }
    axis(path, "x", (shape.0, place.west, place.step.0), source)?;
    axis(path, "y", (shape.1, place.north, -place.step.1), source)?;
    let arrays: Vec<&str> = layers.iter().map(|l| l.name).chain(["x", "y"]).collect();
    let attributes = group_attributes(source, &place, shape, &arrays);
    write_json(path, &json!({"zarr_format": 3, "node_type": "group", "attributes": attributes}))?;
    let mut numbers = vec![
        format!(
            "{} arrays of {}x{} cells; xarray.open_zarr(PATH, consolidated=False)",
            layers.len(),
            shape.0,
            shape.1
        ),
        format!("x grows eastwards and y northwards, in {}", source.unit()),
    ];
    numbers.extend(source.note());
    let sidecar = Sidecar {
        size: Some(shape),
        more: [("place".into(), place.to_json())].into_iter().collect(),
        ..Sidecar::default()
    };
    Ok(Delivered { files: Vec::new(), numbers, sidecar })
}

/// Makes a folder if it is not there.
fn folder(path: &Path) -> Result<()> {
    if files::is_dir(path).is_ok_and(|there| there) {
        return Ok(());
    }
    files::create_dir(path).map_err(|e| Error::io(path, e))
}

/// Writes what a group or an array is.
fn write_json(folder: &Path, json: &Value) -> Result<()> {
    let path = folder.join("zarr.json");
    files::write(&path, format!("{json:#}\n")).map_err(|e| Error::io(&path, e))
}

/// What an array is.
fn array(plan: &Plan, dtype: &str, dimensions: &[&str], attributes: Value) -> Value {
    let fill = if dtype.starts_with("float") { json!(0.0) } else { json!(0) };
    json!({
        "zarr_format": 3, "node_type": "array", "shape": plan.shape(), "data_type": dtype,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": plan.file_shape()}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill, "codecs": plan.codecs(), "dimension_names": dimensions, "attributes": attributes,
    })
}

/// The centres of the columns or rows: how many there are, the edge of the first one and the step to the next one.
fn axis(path: &Path, name: &str, (count, edge, step): (usize, f64, f64), source: &Source) -> Result<()> {
    let at = path.join(name);
    folder(&at)?;
    let degrees = source.place().unit == CrsUnit::Degree;
    let (long_name, standard, axis) = match (name, degrees) {
        ("x", true) => ("longitude of the centres of the columns", "longitude", "X"),
        ("x", false) => ("easting of the centres of the columns", "projection_x_coordinate", "X"),
        (_, true) => ("latitude of the centres of the rows", "latitude", "Y"),
        (_, false) => ("northing of the centres of the rows", "projection_y_coordinate", "Y"),
    };
    let attributes = json!({
        "long_name": long_name, "standard_name": standard, "axis": axis, "units": axis_units(source, name),
    });
    let plan = Plan::line(count);
    write_json(&at, &array(&plan, "float64", &[name], attributes))?;
    let centres: Vec<u8> = (0..count).flat_map(|i| (edge + (i as f64 + 0.5) * step).to_le_bytes()).collect();
    let chunks = at.join("c");
    folder(&chunks)?;
    let file = chunks.join("0");
    files::write(&file, gzipped(&centres)).map_err(|e| Error::io(&file, e))
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
fn layer_attributes(spec: &LayerSpec) -> Value {
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

/// What the whole store is: where it comes from and where it lies.
fn group_attributes(source: &Source, place: &GeoReference, shape: (usize, usize), arrays: &[&str]) -> Value {
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
        "weald": {"origin": source.origin, "arrays": arrays},
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
        let class = |value, name| Class { value, name, colour: [0; 3] };
        let names = ["bare rock", "sand/gravel", "", " \u{e9}t\u{e9} ", "n.a.+@-_"];
        let words: Vec<String> =
            names.iter().zip(3..).map(|(name, value)| word(&class(value, name))).collect();
        assert_eq!(words, ["bare_rock", "sand_gravel", "class_5", "_t_", "n.a.+@-_"]);
        let spec =
            LayerSpec { kind: Kind::Classes(NO_YES), ..LayerSpec::measure("a", "float32", "", "what it is") };
        assert_eq!(layer_attributes(&spec)["flag_values"].to_string(), "[0.0,1.0]");
    }

    #[test]
    fn every_layer_of_every_world_has_as_many_meanings_as_values() {
        for layer in crate::world::WORLDS.iter().flat_map(|world| world.layers()) {
            let told = layer_attributes(&layer);
            for (values, meanings) in [
                ("flag_values", "flag_meanings"),
                ("flag_masks", "flag_meanings"),
                ("step_codes", "step_meanings"),
            ] {
                let Some(values) = told.get(values) else { continue };
                let words =
                    told[meanings].as_str().unwrap().split(' ').filter(|word| !word.is_empty()).count();
                assert_eq!(words, values.as_array().unwrap().len(), "{}", layer.name);
            }
        }
    }
}
