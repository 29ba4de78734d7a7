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

use super::attributes;
use super::sidecar::Sidecar;
use super::target::{Delivered, Form, Needs, Source, Target};
use crate::error::{Error, Result};
use crate::files;
use crate::zarr::{Codec, Dtype, Plan, folder, layer_attributes, write_axis, write_group, write_json};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use weald_core::{Cells, Ctx};

/// Side of a chunk, and the longest side of a shard, a multiple of it.
const CHUNK: usize = 256;
const SHARD: usize = 1024;

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
    let georeference = source.place();
    let place = attributes::place(source);
    for (k, layer) in layers.iter().enumerate() {
        let (cells, at) = (layer.cells(), path.join(layer.name));
        folder(&at)?;
        let plan = plan(&cells)?;
        write_json(&at, &plan.json(layer_attributes(layer)))?;
        write_layer(&plan, &cells, &at, &ctx.quiet())?;
        ctx.tick(k + 1, layers.len());
    }
    let codec = Codec::gzip(Dtype::Float64);
    write_axis(path, "x", &place, (shape.0, shape.0), codec)?;
    write_axis(path, "y", &place, (shape.1, shape.1), codec)?;
    let arrays: Vec<&str> = layers.iter().map(|l| l.name).chain(["x", "y"]).collect();
    let mut about = attributes::map(source, shape);
    about["weald"]["arrays"] = json!(arrays);
    write_group(path, about)?;
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
        more: [("place".into(), georeference.to_json())].into_iter().collect(),
        ..Sidecar::default()
    };
    Ok(Delivered { files: Vec::new(), numbers, sidecar })
}

/// How a layer is cut: shards of whole chunks, or one chunk if it has no more cells.
fn plan(cells: &Cells) -> Result<Plan> {
    let ((width, height), name) = (cells.shape(), cells.dtype());
    let dtype = Dtype::of(name).ok_or_else(|| Error::Internal(format!("cells of {name} have no array")))?;
    let (codec, fill) = (Codec::gzip(dtype), 0.0);
    let shape = [height, width];
    if width <= CHUNK && height <= CHUNK {
        return Ok(Plan { shape, file: shape, chunk: None, codec, fill });
    }
    let file = shape.map(|side| side.next_multiple_of(CHUNK).min(SHARD));
    Ok(Plan { shape, file, chunk: Some([CHUNK, CHUNK]), codec, fill })
}

/// Writes the files of a layer below the folder `at`.
fn write_layer(plan: &Plan, cells: &Cells, at: &Path, ctx: &Ctx) -> Result<()> {
    folder(&at.join("c"))?;
    let (across, down) = plan.files();
    for y in 0..down {
        folder(&at.join("c").join(y.to_string()))?;
        for x in 0..across {
            let path = Plan::path(at, (x, y));
            let mut file = files::File::create(&path).map_err(|e| Error::io(&path, e))?;
            plan.pack(cells, (x * plan.file[1], y * plan.file[0]), (&path, &mut file), ctx)?;
            file.flush().map_err(|e| Error::io(&path, e))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use weald_core::Grid;

    #[test]
    fn small_maps_are_one_chunk_and_large_ones_have_shards_of_whole_chunks() {
        let plan = |width, height| plan(&Cells::U8(&Grid::filled(width, height, 0))).unwrap();
        assert_eq!((plan(256, 100).file, plan(256, 100).chunk), ([100, 256], None));
        assert_eq!((plan(300, 100).file, plan(300, 100).chunk), ([256, 512], Some([256, 256])));
        assert_eq!(plan(5000, 1025).file, [1024, 1024]);
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
