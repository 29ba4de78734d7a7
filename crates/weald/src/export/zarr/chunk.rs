//! Chunks and shards of arrays.

use super::folder;
use crate::error::{Error, Result};
use crate::files;
use flate2::GzBuilder;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use weald_core::{Cells, Ctx, Grid, par};

/// Side of a chunk, and the longest side of a shard, a multiple of it.
const CHUNK: usize = 256;
const SHARD: usize = 1024;

/// How hard gzip tries, from 1 to 9.
const LEVEL: u32 = 5;

/// How the numbers of a chunk become bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    /// Numbers of a byte.
    Bytes,
    /// Longer numbers, the lowest byte first.
    LittleEndian,
}

impl Codec {
    pub(super) fn of(dtype: &str) -> Self {
        if dtype == "uint8" { Codec::Bytes } else { Codec::LittleEndian }
    }

    /// The codecs of a chunk.
    fn json(self) -> Value {
        let bytes = match self {
            Codec::Bytes => json!({"name": "bytes"}),
            Codec::LittleEndian => json!({"name": "bytes", "configuration": {"endian": "little"}}),
        };
        json!([bytes, {"name": "gzip", "configuration": {"level": LEVEL}}])
    }
}

/// How an array is cut into files and chunks. Sides are rows and columns, or the length of a line.
pub(super) struct Plan {
    shape: Vec<usize>,
    file: Vec<usize>,
    /// Sides of the chunks of a file; none if the file is a chunk itself.
    chunk: Option<[usize; 2]>,
    codec: Codec,
}

impl Plan {
    /// That of a layer of so many columns and rows.
    pub(super) fn of((width, height): (usize, usize), codec: Codec) -> Self {
        let shape = vec![height, width];
        if width <= CHUNK && height <= CHUNK {
            return Self { file: shape.clone(), shape, chunk: None, codec };
        }
        let file = shape.iter().map(|side| side.next_multiple_of(CHUNK).min(SHARD)).collect();
        Self { shape, file, chunk: Some([CHUNK, CHUNK]), codec }
    }

    /// That of a line of 64-bit floats, in one chunk.
    pub(super) fn line(count: usize) -> Self {
        Self { shape: vec![count], file: vec![count], chunk: None, codec: Codec::LittleEndian }
    }

    pub(super) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Sides of what a file holds.
    pub(super) fn file_shape(&self) -> &[usize] {
        &self.file
    }

    /// The codecs of a file.
    pub(super) fn codecs(&self) -> Value {
        let Some(chunk) = self.chunk else { return self.codec.json() };
        let index = json!([{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]);
        json!([{"name": "sharding_indexed", "configuration": {
            "chunk_shape": chunk, "codecs": self.codec.json(), "index_codecs": index, "index_location": "end",
        }}])
    }

    /// Writes the cells of a layer below the folder `at`. The chunks of a file are compressed in parallel.
    pub(super) fn write(&self, cells: &Cells, at: &Path, ctx: &Ctx) -> Result<()> {
        let chunks = at.join("c");
        folder(&chunks)?;
        let (rows, columns) = (self.file[0], self.file[1]);
        for y in 0..self.shape[0].div_ceil(rows) {
            let row = chunks.join(y.to_string());
            folder(&row)?;
            for x in 0..self.shape[1].div_ceil(columns) {
                let bytes = match self.chunk {
                    None => gzipped(&part(cells, (0, 0), (columns, rows))),
                    Some(_) => self.shard(cells, (x * columns, y * rows), ctx)?,
                };
                let file = row.join(x.to_string());
                files::write(&file, bytes).map_err(|e| Error::io(&file, e))?;
            }
        }
        Ok(())
    }

    /// The shard whose first cell is at (x, y): its chunks one after the other, then where each of them is and how long, and a checksum.
    /// Chunks beyond the edges of the layer are left out, which is said by the largest numbers.
    fn shard(&self, cells: &Cells, (x0, y0): (usize, usize), ctx: &Ctx) -> Result<Vec<u8>> {
        let (across, down) = (self.file[1] / CHUNK, self.file[0] / CHUNK);
        let packed = par::map(across * down, ctx, |k| {
            let (x, y) = (x0 + k % across * CHUNK, y0 + k / across * CHUNK);
            let inside = x < self.shape[1] && y < self.shape[0];
            inside.then(|| gzipped(&part(cells, (x, y), (CHUNK, CHUNK))))
        })?;
        let (mut out, mut index) = (Vec::new(), Vec::new());
        for chunk in packed {
            let (at, length) = match &chunk {
                Some(bytes) => (out.len() as u64, bytes.len() as u64),
                None => (u64::MAX, u64::MAX),
            };
            index.extend_from_slice(&at.to_le_bytes());
            index.extend_from_slice(&length.to_le_bytes());
            out.extend(chunk.into_iter().flatten());
        }
        let sum = crc32c(&index);
        out.append(&mut index);
        out.extend_from_slice(&sum.to_le_bytes());
        Ok(out)
    }
}

/// The bytes of the cells from (x, y) on, with 0 beyond the edges of the layer.
fn part(cells: &Cells, from: (usize, usize), size: (usize, usize)) -> Vec<u8> {
    fn run<T: Copy, const N: usize>(
        grid: &Grid<T>,
        (x, y): (usize, usize),
        (width, height): (usize, usize),
        le: impl Fn(T) -> [u8; N],
    ) -> Vec<u8> {
        let mut out = Vec::with_capacity(N * width * height);
        let end = (x + width).min(grid.width());
        for row in y..(y + height).min(grid.height()) {
            grid.row(row)[x..end].iter().for_each(|&v| out.extend_from_slice(&le(v)));
            out.resize(N * width * (row + 1 - y), 0);
        }
        out.resize(N * width * height, 0);
        out
    }
    match cells {
        Cells::F32(g) => run(g, from, size, f32::to_le_bytes),
        Cells::F64(g) => run(g, from, size, f64::to_le_bytes),
        Cells::U8(g) => run(g, from, size, |v| [v]),
        Cells::U16(g) => run(g, from, size, u16::to_le_bytes),
        Cells::U32(g) => run(g, from, size, u32::to_le_bytes),
        Cells::I32(g) => run(g, from, size, i32::to_le_bytes),
        Cells::Dir(g) => run(g, from, size, |d| [d.0]),
    }
}

/// Bytes as gzip, without a name or a time.
pub(super) fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), flate2::Compression::new(LEVEL));
    encoder.write_all(bytes).expect("writing to memory does not fail");
    encoder.finish().expect("writing to memory does not fail")
}

/// The checksum CRC-32C of Castagnoli (RFC 3720, appendix B.4).
fn crc32c(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn unzipped(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        flate2::read::GzDecoder::new(bytes).read_to_end(&mut out).unwrap();
        out
    }

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn small_maps_are_one_chunk_and_large_ones_have_shards_of_whole_chunks() {
        let plan = |width, height| Plan::of((width, height), Codec::Bytes);
        assert_eq!((plan(256, 100).file, plan(256, 100).chunk), (vec![100, 256], None));
        assert_eq!((plan(300, 100).file, plan(300, 100).chunk), (vec![256, 512], Some([256, 256])));
        assert_eq!(plan(5000, 1025).file, [1024, 1024]);
    }

    #[test]
    fn a_shard_ends_with_the_places_of_its_chunks_and_leaves_out_those_beyond_the_edge() {
        let grid = Grid::from_fn(1030, 600, |x, y| (x + 2000 * y) as u32);
        let plan = Plan::of(grid.shape(), Codec::LittleEndian);
        assert_eq!(plan.file, [768, 1024]);
        let shard = plan.shard(&Cells::U32(&grid), (1024, 0), &Ctx::default()).unwrap();
        let index = &shard[shard.len() - 4 - 12 * 16..shard.len() - 4];
        let word = |k: usize| u64::from_le_bytes(index[8 * k..8 * k + 8].try_into().unwrap());
        for k in 0..12 {
            let (at, length) = (word(2 * k), word(2 * k + 1));
            if k % 4 > 0 {
                assert_eq!((at, length), (u64::MAX, u64::MAX), "chunk {k} has no cell");
                continue;
            }
            let bytes = unzipped(&shard[at as usize..(at + length) as usize]);
            let cells: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|&b| u32::from_le_bytes(b)).collect();
            let expected = |i: usize| {
                let (x, y) = (1024 + i % 256, k / 4 * 256 + i / 256);
                if x < 1030 && y < 600 { grid[(x, y)] } else { 0 }
            };
            assert!(cells.iter().enumerate().all(|(i, &v)| v == expected(i)), "chunk {k}");
        }
    }
}
