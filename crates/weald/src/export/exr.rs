//! Heights as OpenEXR: float32 metres in red, green and blue, which are equal.
//!
//! Format: <https://openexr.com/en/latest/OpenEXRFileLayout.html>. Single part, scan lines in blocks of 16, compressed with deflate. Godot's
//! Terrain3D takes colours only and no grey, and no channel of opacity.

use super::sidecar::Sidecar;
use super::target::{Delivered, Form, Needs, Source, Target};
use super::terrain::short;
use crate::error::{Error, Result};
use crate::files;
use flate2::write::ZlibEncoder;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use weald_core::{Ctx, Grid, par};

/// The target `exr`.
pub static TARGET: Target = Target {
    name: "exr",
    about: "heights in metres as float32, in three equal channels",
    files: "NAME.exr",
    readers: "Terrain3D for Godot, Blender, Houdini, Gaea, World Machine",
    needs: Needs::Ground,
    takes: &[],
    validate: None,
    form: Form::File("exr", export),
};

fn export(source: &Source, path: &Path, ctx: &Ctx) -> Result<Delivered> {
    let heights = source.heights(ctx)?;
    let height = &heights.height;
    write(path, &[("R", height), ("G", height), ("B", height)], ctx)?;
    let (width, rows) = height.shape();
    let mut numbers = vec![format!(
        "{width}x{rows} pixels of {} m, north first; red, green and blue are metres above the sea",
        short(heights.cell_m, 6)
    )];
    numbers.extend(source.note());
    let sidecar = Sidecar {
        heights_m: heights.range_m(ctx)?,
        size: Some((width, rows)),
        metres_per_pixel: Some(heights.cell_m),
        more: [("channels".into(), serde_json::json!(["R", "G", "B"]))].into_iter().collect(),
        ..Sidecar::default()
    };
    Ok(Delivered { files: Vec::new(), numbers, sidecar })
}

/// Scan lines in a block, as this kind of compression has them.
const LINES: usize = 16;

/// How hard deflate tries, from 1 to 9.
const LEVEL: u32 = 4;

/// Writes channels of floats, which must have the same size, bit for bit. Blocks are compressed in parallel and written in order. Cost:
/// linear.
///
/// # Panics
/// If there is no channel, or the channels differ in size.
pub fn write(path: &Path, channels: &[(&str, &Grid<f32>)], ctx: &Ctx) -> Result<()> {
    let mut channels = channels.to_vec();
    channels.sort_by_key(|(name, _)| *name);
    let (width, height) = channels.first().expect("a picture has a channel").1.shape();
    assert!(channels.iter().all(|(_, grid)| grid.shape() == (width, height)), "channels have one size");
    let wrong = |e: io::Error| Error::io(path, e);
    let mut file = files::File::create(path).map_err(wrong)?;
    let mut head = header(&channels, (width, height));
    let table = head.len();
    let blocks = height.div_ceil(LINES);
    head.resize(table + 8 * blocks, 0);
    file.write_all(&head).map_err(wrong)?;
    let (mut at, mut offsets) = (head.len() as u64, Vec::with_capacity(8 * blocks));
    let wave = 8 * par::threads();
    for first in (0..blocks).step_by(wave) {
        let last = (first + wave).min(blocks);
        let packed = par::map(last - first, &ctx.quiet(), |k| block(&channels, (first + k) * LINES))?;
        for bytes in packed {
            offsets.extend_from_slice(&at.to_le_bytes());
            file.write_all(&bytes).map_err(wrong)?;
            at += bytes.len() as u64;
        }
        ctx.tick(last, blocks);
    }
    file.seek(SeekFrom::Start(table as u64)).map_err(wrong)?;
    file.write_all(&offsets).and_then(|()| file.flush()).map_err(wrong)
}

/// The header: version 2, and the attributes that every file must have.
fn header(channels: &[(&str, &Grid<f32>)], (width, height): (usize, usize)) -> Vec<u8> {
    let mut out = 20_000_630u32.to_le_bytes().to_vec();
    out.extend_from_slice(&2u32.to_le_bytes());
    let mut add = |name: &str, kind: &str, value: &[u8]| {
        for text in [name, kind] {
            out.extend_from_slice(text.as_bytes());
            out.push(0);
        }
        out.extend_from_slice(&(value.len() as u32).to_le_bytes());
        out.extend_from_slice(value);
    };
    let mut list = Vec::new();
    for (name, _) in channels {
        list.extend_from_slice(name.as_bytes());
        // The end of the name, type 2 for float32, linear light with three reserved bytes, and no subsampling.
        for number in [2u32, 0, 1, 1] {
            list.extend_from_slice(if number == 2 { &[0][..] } else { &[] });
            list.extend_from_slice(&number.to_le_bytes());
        }
    }
    list.push(0);
    let window: Vec<u8> =
        [0, 0, width as i32 - 1, height as i32 - 1].iter().flat_map(|v| v.to_le_bytes()).collect();
    add("channels", "chlist", &list);
    add("compression", "compression", &[3]);
    add("dataWindow", "box2i", &window);
    add("displayWindow", "box2i", &window);
    add("lineOrder", "lineOrder", &[0]);
    add("pixelAspectRatio", "float", &1f32.to_le_bytes());
    add("screenWindowCenter", "v2f", &[0; 8]);
    add("screenWindowWidth", "float", &1f32.to_le_bytes());
    out.push(0);
    out
}

/// The block that begins with row `first`: its row, its length and its bytes. The bytes of even places come first and those of odd places
/// second, each less the one before plus 128; then deflate. A block that deflate does not shorten stands as it is.
fn block(channels: &[(&str, &Grid<f32>)], first: usize) -> Vec<u8> {
    let height = channels[0].1.height();
    let mut raw = Vec::new();
    for y in first..(first + LINES).min(height) {
        for (_, grid) in channels {
            grid.row(y).iter().for_each(|v| raw.extend_from_slice(&v.to_le_bytes()));
        }
    }
    let mut sorted: Vec<u8> = raw.iter().step_by(2).chain(raw.iter().skip(1).step_by(2)).copied().collect();
    for i in (1..sorted.len()).rev() {
        sorted[i] = sorted[i].wrapping_sub(sorted[i - 1]).wrapping_add(128);
    }
    let mut out = (first as i32).to_le_bytes().to_vec();
    out.extend_from_slice(&[0; 4]);
    let mut encoder = ZlibEncoder::new(&mut out, flate2::Compression::new(LEVEL));
    encoder.write_all(&sorted).and_then(|()| encoder.try_finish()).expect("writing to memory does not fail");
    drop(encoder);
    if out.len() - 8 >= raw.len() {
        out.truncate(8);
        out.append(&mut raw);
    }
    let length = (out.len() - 8) as u32;
    out[4..8].copy_from_slice(&length.to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that deflate shortens, in rows that fill two blocks and a part of a third.
    fn slope() -> Grid<f32> {
        Grid::from_fn(50, 37, |x, y| x as f32 * 0.25 - y as f32)
    }

    fn written(channels: &[(&str, &Grid<f32>)]) -> Vec<u8> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.exr");
        write(&path, channels, &Ctx::default()).unwrap();
        std::fs::read(&path).unwrap()
    }

    #[cfg(feature = "exr")]
    #[test]
    fn another_reader_finds_every_bit_of_every_channel() {
        use ::exr::prelude::{FlatSamples, ReadChannels, ReadLayers, read};
        let noise = Grid::from_fn(50, 37, |x, y| {
            f32::from_bits((weald_core::Seed(3).unit_at(x as i64, y as i64) * 4e9) as u32 & 0xbfff_ffff)
        });
        let slope = slope();
        let bytes = written(&[("R", &slope), ("A", &noise), ("G", &noise)]);
        let image = read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer();
        let image = image.all_attributes().from_buffered(io::Cursor::new(bytes)).unwrap();
        let found: Vec<(String, Vec<u32>)> = image
            .layer_data
            .channel_data
            .list
            .iter()
            .map(|c| match &c.sample_data {
                FlatSamples::F32(v) => (c.name.to_string(), v.iter().map(|v| v.to_bits()).collect()),
                _ => panic!("not float32"),
            })
            .collect();
        let bits = |grid: &Grid<f32>| grid.cells().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        let expected =
            [("A", &noise), ("G", &noise), ("R", &slope)].map(|(name, g)| (name.to_owned(), bits(g)));
        assert_eq!(found, expected);
    }

    #[test]
    fn smooth_ground_is_shortened() {
        let slope = slope();
        let length = written(&[("R", &slope), ("G", &slope), ("B", &slope)]).len();
        assert!(length < 12 * slope.len() / 4, "{length}");
    }
}
