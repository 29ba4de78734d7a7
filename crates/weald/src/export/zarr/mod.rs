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

use super::attributes::{self, Axis};
use super::sidecar::Sidecar;
use super::target::{Delivered, Form, Needs, Source, Target};
use crate::error::{Error, Result};
use crate::files;
use chunk::{Codec, Plan, gzipped};
use serde_json::{Value, json};
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
        write_json(&at, &array(&plan, cells.dtype(), &["y", "x"], attributes::layer(layer)))?;
        plan.write(&cells, &at, &ctx.quiet())?;
        ctx.tick(k + 1, layers.len());
    }
    let [x, y] = attributes::axes(source, shape);
    write_axis(path, "x", &x)?;
    write_axis(path, "y", &y)?;
    let arrays: Vec<&str> = layers.iter().map(|l| l.name).chain(["x", "y"]).collect();
    let mut about = attributes::map(source, shape);
    about["weald"] = json!({"origin": source.origin, "arrays": arrays});
    write_json(path, &json!({"zarr_format": 3, "node_type": "group", "attributes": about}))?;
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

/// The centres of the columns or rows.
fn write_axis(path: &Path, name: &str, axis: &Axis) -> Result<()> {
    let at = path.join(name);
    folder(&at)?;
    let plan = Plan::line(axis.centres.len());
    write_json(&at, &array(&plan, "float64", &[name], axis.attributes.clone()))?;
    let centres: Vec<u8> = axis.centres.iter().flat_map(|centre| centre.to_le_bytes()).collect();
    let chunks = at.join("c");
    folder(&chunks)?;
    let file = chunks.join("0");
    files::write(&file, gzipped(&centres)).map_err(|e| Error::io(&file, e))
}
