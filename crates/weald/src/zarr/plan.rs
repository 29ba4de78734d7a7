//! How an array of rows and columns is cut into files and chunks, and how these are written and read.
//!
//! A file with several chunks has one after the other, then for each of them where it is and how long (64-bit numbers; the largest ones for a
//! chunk that is left out), and a checksum of these.

use super::Window;
use super::cell::{self, Cell, Dtype};
use super::checksum::crc32c;
use super::codec::Codec;
use crate::error::{Error, Result};
use crate::files::File;
use serde_json::{Value, json};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use weald_core::{Cells, Ctx, Grid, par};

/// The longest side of an array, a file or a chunk.
const LONGEST: u64 = 1 << 31;

/// Bytes of an entry of the index: where a chunk is, and how long.
const ENTRY: usize = 16;

/// How an array is cut into files and chunks. Sides are rows and columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    /// Sides of the array.
    pub(crate) shape: [usize; 2],
    /// Sides of what a file holds.
    pub(crate) file: [usize; 2],
    /// Sides of the chunks of a file; none if the file is a chunk itself.
    pub(crate) chunk: Option<[usize; 2]>,
    /// The codecs of a chunk.
    pub(crate) codec: Codec,
    /// The value of cells that no chunk has.
    pub(crate) fill: f64,
}

/// What an array is.
pub(crate) fn array(
    (shape, file): (&[usize], &[usize]),
    dtype: Dtype,
    codecs: Value,
    dimensions: &[&str],
    attributes: Value,
) -> Value {
    let fill = if dtype.is_float() { json!(0.0) } else { json!(0) };
    json!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": dtype.name(),
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": file}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill, "codecs": codecs, "dimension_names": dimensions, "attributes": attributes,
    })
}

/// The codecs of an index.
fn index_codecs() -> Value {
    json!([{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}])
}

/// Two sides of at least one cell.
fn sides(value: &Value, what: &str) -> std::result::Result<[usize; 2], String> {
    let side = |value: &Value| {
        let side = value.as_u64().filter(|side| (1..=LONGEST).contains(side))?;
        usize::try_from(side).ok()
    };
    match value.as_array().map(Vec::as_slice) {
        Some([rows, columns]) => side(rows).zip(side(columns)).map(<[usize; 2]>::from),
        _ => None,
    }
    .ok_or_else(|| format!("{what} {value} is not two sides of 1 to {LONGEST} cells"))
}

impl Plan {
    /// What the metadata of an array with two dimensions says, or what of it is not read.
    pub(crate) fn parse(json: &Value) -> std::result::Result<Self, String> {
        if json["zarr_format"] != 3 || json["node_type"] != "array" {
            return Err("is not an array of Zarr version 3".into());
        }
        let shape = sides(&json["shape"], "its shape")?;
        let name = json["data_type"].as_str().unwrap_or_default();
        let dtype = Dtype::of(name).ok_or_else(|| {
            let known: Vec<&str> = Dtype::ALL.iter().map(|dtype| dtype.name()).collect();
            format!("its type {} is not among {}", json["data_type"], known.join(", "))
        })?;
        let (grid, keys) = (&json["chunk_grid"], &json["chunk_key_encoding"]);
        if grid["name"] != "regular" {
            return Err(format!("its chunks are {} instead of regular", grid["name"]));
        }
        let file = sides(&grid["configuration"]["chunk_shape"], "its chunk_shape")?;
        let separator = &keys["configuration"]["separator"];
        if keys["name"] != "default" || !(separator.is_null() || separator == "/") {
            return Err(format!("its files are named by {keys}"));
        }
        if json["storage_transformers"].as_array().is_some_and(|list| !list.is_empty()) {
            return Err("it has storage transformers".into());
        }
        let fill = match &json["fill_value"] {
            Value::String(text) => match text.as_str() {
                "NaN" => Some(f64::NAN),
                "Infinity" => Some(f64::INFINITY),
                "-Infinity" => Some(f64::NEG_INFINITY),
                _ => None,
            },
            value => value.as_f64(),
        }
        .ok_or_else(|| format!("its fill_value {} is not a number", json["fill_value"]))?;
        let codecs = &json["codecs"];
        if codecs[0]["name"] != "sharding_indexed" {
            return Ok(Self { shape, file, chunk: None, codec: Codec::parse(codecs, dtype)?, fill });
        }
        let inner = &codecs[0]["configuration"];
        let chunk = sides(&inner["chunk_shape"], "the chunk_shape of its shards")?;
        let index = &inner["index_location"];
        if codecs.as_array().is_some_and(|list| list.len() > 1)
            || inner["index_codecs"] != index_codecs()
            || !(index.is_null() || index == "end")
        {
            return Err("its shards have other codecs, or an index that is not at their end".into());
        }
        if (0..2).any(|k| !file[k].is_multiple_of(chunk[k])) {
            return Err(format!("chunks of {chunk:?} do not fill shards of {file:?}"));
        }
        Ok(Self { shape, file, chunk: Some(chunk), codec: Codec::parse(&inner["codecs"], dtype)?, fill })
    }

    /// What an array of layers with these attributes is.
    pub(crate) fn json(&self, attributes: Value) -> Value {
        let codecs = match self.chunk {
            None => self.codec.json(),
            Some(chunk) => json!([{"name": "sharding_indexed", "configuration": {
                "chunk_shape": chunk, "codecs": self.codec.json(), "index_codecs": index_codecs(), "index_location": "end",
            }}]),
        };
        array((&self.shape, &self.file), self.codec.dtype, codecs, &["y", "x"], attributes)
    }

    /// How many files there are, across and down.
    pub(crate) fn files(&self) -> (usize, usize) {
        (self.shape[1].div_ceil(self.file[1]), self.shape[0].div_ceil(self.file[0]))
    }

    /// The file of a tile below the folder of the array.
    pub(crate) fn path(at: &Path, (x, y): (usize, usize)) -> PathBuf {
        at.join("c").join(y.to_string()).join(x.to_string())
    }

    /// Writes to `out`, which is the file at `path`, what begins at the cell `from` of `cells`. Chunks are packed in parallel while those before
    /// them are written; cells beyond the edges are 0.
    pub(crate) fn pack(
        &self,
        cells: &Cells,
        from: (usize, usize),
        (path, out): (&Path, &mut dyn Write),
        ctx: &Ctx,
    ) -> Result<()> {
        let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(|e| Error::io(path, e));
        let Some([rows, columns]) = self.chunk else {
            return write(&self.codec.encode(cell::bytes(cells, from, (self.file[1], self.file[0]))));
        };
        let (across, down) = (self.file[1] / columns, self.file[0] / rows);
        let (width, height) = cells.shape();
        let packed = |k: usize| {
            let (x, y) = (from.0 + k % across * columns, from.1 + k / across * rows);
            let inside = x < width && y < height;
            inside.then(|| self.codec.encode(cell::bytes(cells, (x, y), (columns, rows))))
        };
        let (mut index, mut written) = (Vec::with_capacity(ENTRY * across * down + 4), 0u64);
        par::in_order(across * down, ctx, packed, |_, chunk| -> Result<()> {
            let (at, length) = match &chunk {
                Some(bytes) => (written, bytes.len() as u64),
                None => (u64::MAX, u64::MAX),
            };
            index.extend_from_slice(&at.to_le_bytes());
            index.extend_from_slice(&length.to_le_bytes());
            written += chunk.as_ref().map_or(0, |_| length);
            chunk.map_or(Ok(()), |bytes| write(&bytes))
        })??;
        let sum = crc32c(&index);
        index.extend_from_slice(&sum.to_le_bytes());
        write(&index)
    }

    /// Copies the cells of `window`, in cells of the file, to `out` from `to` on. False if there is no such file.
    pub(super) fn unpack<T: Cell>(
        &self,
        path: &Path,
        window: Window,
        (out, to): (&mut Grid<T>, (usize, usize)),
        ctx: &Ctx,
    ) -> Result<bool> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(false),
            Err(e) => return Err(Error::io(path, e)),
        };
        let shard = Shard::open(self, path, file)?;
        let [rows, columns] = shard.sides;
        let (left, top) = (window.x / columns, window.y / rows);
        let across = (window.x + window.width).div_ceil(columns) - left;
        let down = (window.y + window.height).div_ceil(rows) - top;
        let place = |k: usize| (left + k % across, top + k / across);
        let read = |k: usize| shard.chunk(place(k));
        par::in_order(across * down, ctx, read, |k, bytes| -> Result<()> {
            let (bytes, (x, y)) = (bytes?, place(k));
            let inner = Window { x: x * columns, y: y * rows, width: columns, height: rows };
            let Some(part) = inner.common(&window) else { return Ok(()) };
            let at = to.0 + part.x - window.x;
            for row in part.y..part.y + part.height {
                let cells = &mut out.row_mut(to.1 + row - window.y)[at..at + part.width];
                match &bytes {
                    None => cells.fill(T::of(self.fill)),
                    Some(bytes) => {
                        let from = (row - inner.y) * columns + part.x - inner.x;
                        T::take(&bytes[from * T::BYTES..(from + part.width) * T::BYTES], cells);
                    }
                }
            }
            Ok(())
        })??;
        Ok(true)
    }
}

/// A file whose chunks are read.
struct Shard<'a> {
    plan: &'a Plan,
    path: &'a Path,
    file: Mutex<File>,
    /// Rows and columns of a chunk.
    sides: [usize; 2],
    /// Where each chunk is and how long, if it is there.
    index: Vec<Option<(u64, usize)>>,
}

impl<'a> Shard<'a> {
    fn open(plan: &'a Plan, path: &'a Path, mut file: File) -> Result<Self> {
        let length = file.seek(SeekFrom::End(0)).map_err(|e| Error::io(path, e))?;
        let sides = plan.chunk.unwrap_or(plan.file);
        let longest = chunk_bytes(plan, sides).map(|bytes| plan.codec.longest(bytes));
        let longest = longest.ok_or_else(|| damaged(path, "its chunks are larger than any memory"))?;
        let entry = |at: u64, size: u64, end: u64| {
            let inside = at.checked_add(size).is_some_and(|after| after <= end);
            let size = usize::try_from(size).ok().filter(|&size| inside && size <= longest);
            size.map(|size| Some((at, size)))
                .ok_or_else(|| damaged(path, "a chunk lies beyond its end, or is longer than its cells"))
        };
        let index = if plan.chunk.is_none() {
            vec![entry(0, length, length)?]
        } else {
            let count = (plan.file[0] / sides[0]).checked_mul(plan.file[1] / sides[1]);
            let size = count.and_then(|count| count.checked_mul(ENTRY)?.checked_add(4));
            let Some(size) = size.filter(|&size| size as u64 <= length) else {
                return Err(damaged(path, "it is shorter than its index"));
            };
            let end = length - size as u64;
            let bytes = range(&mut file, end, size).map_err(|e| Error::io(path, e))?;
            let (bytes, sum) = bytes.split_at(size - 4);
            if crc32c(bytes).to_le_bytes() != *sum {
                return Err(damaged(path, "the checksum of its index is another"));
            }
            let words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
            let words: Vec<u64> = words.collect();
            let each = words.as_chunks::<2>().0.iter().map(|&[at, size]| match (at, size) {
                (u64::MAX, u64::MAX) => Ok(None),
                _ => entry(at, size, end),
            });
            each.collect::<Result<_>>()?
        };
        Ok(Self { plan, path, file: Mutex::new(file), sides, index })
    }

    /// The bytes of the cells of a chunk, if it is there.
    fn chunk(&self, (x, y): (usize, usize)) -> Result<Option<Vec<u8>>> {
        let across = self.plan.file[1] / self.sides[1];
        let Some((at, size)) = self.index[y * across + x] else { return Ok(None) };
        let packed = {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            range(&mut file, at, size).map_err(|e| Error::io(self.path, e))?
        };
        let length = chunk_bytes(self.plan, self.sides).unwrap_or(usize::MAX);
        let cells = self.plan.codec.decode(&packed, length);
        cells.map(Some).map_err(|what| damaged(self.path, &format!("chunk ({x}, {y}): {what}")))
    }
}

/// Bytes of the cells of a chunk, if memory can have so many.
fn chunk_bytes(plan: &Plan, [rows, columns]: [usize; 2]) -> Option<usize> {
    rows.checked_mul(columns)?
        .checked_mul(plan.codec.dtype.bytes())
        .filter(|&bytes| bytes <= isize::MAX as usize)
}

/// So many bytes of a file from `at` on.
fn range(file: &mut File, at: u64, size: usize) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut out = vec![0; size];
    file.read_exact(&mut out)?;
    Ok(out)
}

/// The error of a file that is not whole.
fn damaged(path: &Path, what: &str) -> Error {
    let remedy = "remove the file and write this tile again";
    Error::Invalid(format!("{}: is damaged: {what}; {remedy}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(shape: [usize; 2], file: [usize; 2], chunk: Option<[usize; 2]>) -> Plan {
        Plan { shape, file, chunk, codec: Codec::gzip(Dtype::Uint32), fill: 0.0 }
    }

    #[test]
    fn a_shard_ends_with_the_places_of_its_chunks_and_leaves_out_those_beyond_the_edge() {
        let grid = Grid::from_fn(1030, 600, |x, y| (x + 2000 * y) as u32);
        let plan = plan([600, 1030], [768, 1024], Some([256, 256]));
        let mut shard = Vec::new();
        let out = ("shard".as_ref(), &mut shard as &mut dyn Write);
        plan.pack(&Cells::U32(&grid), (1024, 0), out, &Ctx::default()).unwrap();
        let index = &shard[shard.len() - 4 - 12 * 16..shard.len() - 4];
        let word = |k: usize| u64::from_le_bytes(index[8 * k..8 * k + 8].try_into().unwrap());
        for k in 0..12 {
            let (at, length) = (word(2 * k), word(2 * k + 1));
            if k % 4 > 0 {
                assert_eq!((at, length), (u64::MAX, u64::MAX), "chunk {k} has no cell");
                continue;
            }
            let bytes = plan.codec.decode(&shard[at as usize..(at + length) as usize], 4 << 16).unwrap();
            let cells: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|&b| u32::from_le_bytes(b)).collect();
            let expected = |i: usize| {
                let (x, y) = (1024 + i % 256, k / 4 * 256 + i / 256);
                if x < 1030 && y < 600 { grid[(x, y)] } else { 0 }
            };
            assert!(cells.iter().enumerate().all(|(i, &v)| v == expected(i)), "chunk {k}");
        }
    }

    #[test]
    fn metadata_comes_back_and_what_is_not_read_is_named() {
        for plan in [plan([5, 7], [5, 7], None), plan([5000, 7], [1024, 256], Some([256, 128]))] {
            assert_eq!(Plan::parse(&plan.json(json!({}))), Ok(plan));
        }
        let good = plan([5000, 7], [1024, 256], Some([256, 128])).json(json!({}));
        let refused = |pointer: &str, value: Value| {
            let mut json = good.clone();
            *json.pointer_mut(pointer).unwrap() = value;
            Plan::parse(&json).unwrap_err()
        };
        assert!(refused("/zarr_format", json!(2)).contains("version 3"));
        assert!(refused("/shape", json!([1, 2, 3])).contains("two sides"));
        assert!(refused("/shape", json!([1, 0])).contains("two sides"));
        assert!(refused("/shape", json!([1, 1u64 << 40])).contains("two sides"));
        assert!(refused("/data_type", json!("int64")).contains("\"int64\" is not among uint8"));
        assert!(refused("/chunk_grid/name", json!("rectilinear")).contains("regular"));
        assert!(refused("/chunk_key_encoding/name", json!("v2")).contains("named by"));
        assert!(refused("/fill_value", json!("none")).contains("fill_value"));
        let shards = "/codecs/0/configuration";
        assert!(refused(&format!("{shards}/chunk_shape"), json!([200, 128])).contains("do not fill"));
        assert!(refused(&format!("{shards}/index_location"), json!("start")).contains("at their end"));
        assert!(Plan::parse(&Value::Null).is_err() && Plan::parse(&json!({"codecs": 3})).is_err());
    }
}
