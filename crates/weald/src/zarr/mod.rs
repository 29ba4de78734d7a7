//! Zarr stores, version 3: the metadata and codecs of exports, and stores of maps that are larger than memory.
//!
//! Format: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html>.
//!
//! - A [`Store`] is a group. It holds an array for each layer with the dimensions `y` and `x`, which are arrays of 64-bit floats beside it: the
//!   centres of the rows and columns. x grows eastwards; y is a northing and falls from row to row.
//! - A tile is a shard (codec `sharding_indexed`) and a file: `LAYER/c/TY/TX`. It is written under a temporary name beside its place and
//!   renamed, so that any number of processes write any tiles in any order without asking each other, and one that is killed leaves no
//!   half of a tile. Tiles beyond the edges of the map are filled with 0; chunks that have no cell of the map are left out.
//! - A tile of at most 256 cells a side is one chunk. The chunks of a larger one have the largest side from 32 to 256 that divides it.
//! - A chunk has the codecs `bytes` (the lowest byte first), `blosc` (LZ4 after sorting the bytes of the numbers) and `crc32c`. Blosc and LZ4 are
//!   our own code: the same cells are the same bytes on every machine and for any number of threads.
//! - Level 0 is the map, in the group itself. Level k has cells of 2^k by 2^k of the map's, sides that are rounded up, and stands in the group
//!   `overviews/k`; the last level fits into one tile. [`Reduction`] says what a cell of an overview is.
//! - Attributes follow the CF conventions and the conventions `spatial`, `proj` and `multiscales`. What they cannot say is in the
//!   attribute `weald`. Nothing below `.weald/` is read or written here; that folder should have a `zarr.json` of an empty group,
//!   or zarr-python warns of it.

mod blosc;
mod cell;
mod checksum;
mod codec;
mod lz4;
mod metadata;
mod overview;
mod plan;
mod store;

#[cfg(test)]
mod tests;

pub use cell::Dtype;
pub(crate) use codec::Codec;
pub use metadata::{ClassHead, KindHead, LayerHead, Place, Reduction, layer_attributes};
pub(crate) use plan::Plan;
pub use store::{Head, Store};
pub use weald_core::tiled::Window;

use crate::error::{Error, Result};
use crate::files;
use serde_json::{Value, json};
use std::path::Path;

/// Makes a folder if it is not there.
pub(crate) fn folder(path: &Path) -> Result<()> {
    if files::is_dir(path).is_ok_and(|there| there) {
        return Ok(());
    }
    files::create_dir(path).map_err(|e| Error::io(path, e))
}

/// Writes what a group or an array is.
pub(crate) fn write_json(folder: &Path, json: &Value) -> Result<()> {
    let path = folder.join("zarr.json");
    files::write(&path, format!("{json:#}\n")).map_err(|e| Error::io(&path, e))
}

/// Writes what a group is.
pub(crate) fn write_group(folder: &Path, attributes: Value) -> Result<()> {
    write_json(folder, &json!({"zarr_format": 3, "node_type": "group", "attributes": attributes}))
}

/// Writes the axis `x` or `y` of a group: the centres of its columns or rows, in chunks of so many.
pub(crate) fn write_axis(
    group: &Path,
    name: &str,
    place: &Place,
    (count, chunk): (usize, usize),
    codec: Codec,
) -> Result<()> {
    let at = group.join(name);
    folder(&at)?;
    let json = plan::array((&[count], &[chunk]), codec.dtype, codec.json(), &[name], place.axis(name));
    write_json(&at, &json)?;
    let chunks = at.join("c");
    folder(&chunks)?;
    for first in (0..count).step_by(chunk) {
        let centre = |i: usize| if i < count { place.centre(name, i) } else { 0.0 };
        let bytes: Vec<u8> = (first..first + chunk).flat_map(|i| centre(i).to_le_bytes()).collect();
        let file = chunks.join((first / chunk).to_string());
        files::write(&file, codec.encode(bytes)).map_err(|e| Error::io(&file, e))?;
    }
    Ok(())
}
