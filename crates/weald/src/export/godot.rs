//! Terrain for Godot by the add-on Terrain3D: heights, control map and colours.
//!
//! Terrain3D imports heights in metres from OpenEXR files with three channels; Godot reads PNG files of 8 bits only
//! (<https://terrain3d.readthedocs.io/en/stable/docs/import_export.html>). The control map has a 32-bit number for each vertex, stored
//! bit by bit in the place of a float (<https://terrain3d.readthedocs.io/en/stable/docs/controlmap_format.html>): from the highest bit on
//! five bits of the base texture, five of the overlay texture, eight of the blend between them, and options, which are 0 here.
//!
//! OpenEXR files are written here by hand: single-part scan lines, each compressed without loss by itself
//! (<https://openexr.com/en/latest/OpenEXRFileLayout.html>), so that rows are made in parallel and no bit of a control map changes.

use super::cover::{Cover, CoverClass, Tap};
use super::sidecar::{Registration, Sidecar};
use super::target::{Delivered, Form, Needs, Source, Target};
use super::terrain::{short, span_m};
use crate::error::{Error, Result};
use crate::sink::Sink;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;
use weald_core::{Ctx, Grid, par};

/// The target `godot`.
pub static TARGET: Target = Target {
    name: "godot",
    about: "heights in metres, control map and colours for the add-on Terrain3D",
    files: "NAME_height.exr, NAME_control.exr, NAME_colour.png",
    readers: "Godot 4 with Terrain3D",
    needs: Needs::Ground,
    form: Form::Folder(export),
};

/// Vertices along a side of a region, from which the terrain is made.
const REGIONS: &[usize] = &[64, 128, 256, 512, 1024, 2048];
/// The region size that Terrain3D has at first.
const USUAL_REGION: usize = 256;
/// Regions along a side, at most.
const MOST_REGIONS: usize = 32;
/// Textures that the control map can name.
const TEXTURES: usize = 32;
/// Pixels along a side with which maps are drawn; the picture of a smaller or larger map is resampled.
const PICTURE_PX: (usize, usize) = (64, 8192);
/// Alpha of the colour map at which the roughness of textures stays as it is.
const SAME_ROUGHNESS: u8 = 128;

fn export(source: &Source, dir: &Path, ctx: &Ctx) -> Result<Delivered> {
    let heights = source.heights(ctx)?;
    let span = span_m(&heights)?;
    let (width, height) = heights.height.shape();
    let region = region_size(width.max(height))?;
    let cover = Cover::of(source, ctx)?;
    if cover.classes.len() > TEXTURES {
        return Err(Error::Invalid(format!(
            "the layer {} has {} classes on this map, but Terrain3D takes at most {TEXTURES} textures; export \
             another target",
            source.ground()?.cover,
            cover.classes.len()
        )));
    }
    let bits = par::fill(width, height, &ctx.quiet(), |y, row: &mut [u32]| {
        row.iter_mut().zip(heights.height.row(y)).for_each(|(out, h)| *out = h.to_bits());
    })?;
    let name = |part: &str| format!("{}_{part}", source.stem);
    write_rgb(&dir.join(name("height.exr")), &bits, ctx)?;
    write_rgb(&dir.join(name("control.exr")), &control(&cover, ctx)?, ctx)?;
    let px = width.max(height).clamp(PICTURE_PX.0, PICTURE_PX.1);
    write_colours(&dir.join(name("colour.png")), &(source.picture)(px, ctx)?, (width, height))?;

    let snapped = |n: usize| (n.div_ceil(region) / 2 * region) as f64 * heights.cell_m;
    let at = (-snapped(width) + 0.0, -snapped(height) + 0.0);
    let mut numbers = vec![
        format!("Terrain3D: vertex_spacing {}, region_size {region}", short(heights.cell_m, 6)),
        format!(
            "importer: import_position ({}, 0, {}), height_offset 0, import_scale 1 (heights are metres, the sea is at y = 0)",
            short(at.0, 4),
            short(at.1, 4)
        ),
        format!("+x is east and +z south; {} m by {} m", short(span.0, 2), short(span.1, 2)),
        format!("textures by id: {}", textures(&cover.classes)),
    ];
    numbers.extend(source.note());
    let more = json!({
        "vertex_spacing": heights.cell_m, "region_size": region, "import_position": [at.0, 0.0, at.1],
        "textures": cover.classes.iter().enumerate().map(|(id, c)| json!({
            "id": id, "class": c.name, "value": c.value, "colour": c.colour,
        })).collect::<Vec<_>>(),
    });
    let sidecar = Sidecar {
        size: Some((width, height)),
        registration: Registration::Vertex,
        metres_per_pixel: Some(heights.cell_m),
        more: more.as_object().cloned().unwrap_or_default(),
        ..Sidecar::default()
    };
    let files = vec![
        (name("height.exr"), "heights in metres above the sea".to_owned()),
        (name("control.exr"), "textures of the vertices, as bits".to_owned()),
        (name("colour.png"), "colours of the map; alpha 128 leaves the roughness as it is".to_owned()),
    ];
    Ok(Delivered { files, numbers, sidecar })
}

fn textures(classes: &[CoverClass]) -> String {
    let all: Vec<String> = classes.iter().enumerate().map(|(id, c)| format!("{id} {}", c.name)).collect();
    all.join(", ")
}

/// The region size for so many vertices: the usual one, or the least larger one of which no more than 32 are needed.
fn region_size(vertices: usize) -> Result<usize> {
    let fits = |size: usize| size >= USUAL_REGION && size * MOST_REGIONS >= vertices;
    REGIONS.iter().copied().find(|&size| fits(size)).ok_or_else(|| {
        Error::Shape(format!(
            "Terrain3D holds at most {} vertices along a side, not {vertices}; make a smaller map",
            MOST_REGIONS * REGIONS[REGIONS.len() - 1]
        ))
    })
}

/// The control map: the class with the most weight around a vertex is its base texture, the second one its overlay, blended in by its
/// share of both. The weights are those of the cells around, so that borders between classes are soft.
fn control(cover: &Cover, ctx: &Ctx) -> Result<Grid<u32>> {
    let (width, height) = cover.cells.shape();
    let soft = |cells: usize| (0..cells).map(|i| Tap::soft(i, cells)).collect::<Vec<Tap>>();
    let (columns, rows) = (soft(width), soft(height));
    let count = cover.classes.len();
    Ok(par::fill(width, height, &ctx.quiet(), |y, out: &mut [u32]| {
        for (out, weights) in out.iter_mut().zip(cover.weights(&columns, &rows[y]).chunks(count)) {
            let first = |skip: Option<usize>| {
                let most = |a: Option<usize>, b: usize| match a {
                    _ if Some(b) == skip => a,
                    Some(a) if weights[a] >= weights[b] => Some(a),
                    _ => Some(b),
                };
                (0..count).fold(None, most)
            };
            let base = first(None).unwrap_or(0);
            let overlay = first(Some(base)).filter(|&i| weights[i] > 0);
            *out = match overlay {
                Some(overlay) => {
                    let (a, b) = (u32::from(weights[base]), u32::from(weights[overlay]));
                    packed(base as u32, overlay as u32, (255 * b + (a + b) / 2) / (a + b))
                }
                None => packed(base as u32, 0, 0),
            };
        }
    })?)
}

/// The bits of a vertex: base texture, overlay texture, and the blend from 0 for the base to 255 for the overlay.
fn packed(base: u32, overlay: u32, blend: u32) -> u32 {
    (base & 31) << 27 | (overlay & 31) << 22 | (blend & 255) << 14
}

/// Writes a picture of the map as RGBA of exactly that size, with the alpha that leaves roughness alone.
fn write_colours(path: &Path, png: &[u8], (width, height): (usize, usize)) -> Result<()> {
    let failed = |e: ::png::DecodingError| Error::Internal(format!("the picture of the map: {e}"));
    let mut decoder = ::png::Decoder::new(io::Cursor::new(png));
    decoder.set_transformations(::png::Transformations::EXPAND | ::png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(failed)?;
    let mut raw = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let info = reader.next_frame(&mut raw).map_err(failed)?;
    let (w, h) = (info.width as usize, info.height as usize);
    let channels = info.color_type.samples();
    let pixel = |x: usize, y: usize| {
        let at = (y * w + x) * channels;
        match channels {
            1 | 2 => [raw[at]; 3],
            _ => [raw[at], raw[at + 1], raw[at + 2]],
        }
    };
    let mut bytes = Vec::with_capacity(4 * width * height);
    for y in 0..height {
        for x in 0..width {
            let [r, g, b] = pixel((2 * x + 1) * w / (2 * width), (2 * y + 1) * h / (2 * height));
            bytes.extend_from_slice(&[r, g, b, SAME_ROUGHNESS]);
        }
    }
    let mut out = Sink::open(path)?;
    out.with(|out| {
        let mut encoder = ::png::Encoder::new(out, width as u32, height as u32);
        encoder.set_color(::png::ColorType::Rgba);
        encoder.set_depth(::png::BitDepth::Eight);
        encoder.set_compression(::png::Compression::Fast);
        let mut writer = encoder.write_header().map_err(io::Error::other)?;
        writer.write_image_data(&bytes).and_then(|()| writer.finish()).map_err(io::Error::other)
    })?;
    out.finish()
}

/// Writes an OpenEXR file of 32-bit floats with the channels R, G and B, each with the same bits. No bit changes, whatever the bits
/// mean as a float.
pub(super) fn write_rgb(path: &Path, bits: &Grid<u32>, ctx: &Ctx) -> Result<()> {
    let (width, height) = bits.shape();
    let lines = par::map(height, &ctx.quiet(), |y| line(bits.row(y)))?;
    let mut head = header(width, height);
    let mut at = (head.len() + 8 * height) as u64;
    for line in &lines {
        head.extend_from_slice(&at.to_le_bytes());
        at += 8 + line.len() as u64;
    }
    let mut out = Sink::open(path)?;
    out.with(|out| {
        out.write_all(&head)?;
        for (y, line) in lines.iter().enumerate() {
            out.write_all(&(y as i32).to_le_bytes())?;
            out.write_all(&(line.len() as i32).to_le_bytes())?;
            out.write_all(line)?;
        }
        Ok(())
    })?;
    out.finish()
}

/// The header of a file: magic number, version 2, attributes.
fn header(width: usize, height: usize) -> Vec<u8> {
    let mut out = vec![0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0];
    let mut channels = Vec::new();
    for name in ["B", "G", "R"] {
        channels.extend_from_slice(name.as_bytes());
        channels.push(0);
        // Type 2 is a 32-bit float; then linearity, three reserved bytes, and a sample for every column and row.
        for number in [2i32, 0, 1, 1] {
            channels.extend_from_slice(&number.to_le_bytes());
        }
    }
    channels.push(0);
    let window: Vec<u8> =
        [0, 0, width as i32 - 1, height as i32 - 1].iter().flat_map(|v: &i32| v.to_le_bytes()).collect();
    let attributes: [(&str, &str, &[u8]); 8] = [
        ("channels", "chlist", &channels),
        // ZIPS: one scan line a block.
        ("compression", "compression", &[2]),
        ("dataWindow", "box2i", &window),
        ("displayWindow", "box2i", &window),
        ("lineOrder", "lineOrder", &[0]),
        ("pixelAspectRatio", "float", &1f32.to_le_bytes()),
        ("screenWindowCenter", "v2f", &[0; 8]),
        ("screenWindowWidth", "float", &1f32.to_le_bytes()),
    ];
    for (name, kind, value) in attributes {
        out.extend_from_slice(name.as_bytes());
        out.push(0);
        out.extend_from_slice(kind.as_bytes());
        out.push(0);
        out.extend_from_slice(&(value.len() as i32).to_le_bytes());
        out.extend_from_slice(value);
    }
    out.push(0);
    out
}

/// A scan line: the bytes at even places before those at odd ones, each as the difference to the byte before it plus 128, compressed by
/// zlib; or as it is where that is no longer.
fn line(row: &[u32]) -> Vec<u8> {
    let one: Vec<u8> = row.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    let plain = one.repeat(3);
    let sorted: Vec<u8> = plain.iter().step_by(2).chain(plain.iter().skip(1).step_by(2)).copied().collect();
    let mut steps = Vec::with_capacity(sorted.len());
    let mut before = None;
    for &byte in &sorted {
        steps.push(before.map_or(byte, |before| byte.wrapping_sub(before).wrapping_add(128)));
        before = Some(byte);
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    let packed = encoder.write_all(&steps).and_then(|()| encoder.finish()).expect("writes to memory");
    if packed.len() < plain.len() { packed } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    fn number(bytes: &[u8], at: usize) -> i32 {
        i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
    }

    /// The bits of the three channels of a file, read by its own rules.
    fn read(bytes: &[u8], width: usize, height: usize) -> [Grid<u32>; 3] {
        assert_eq!(bytes[..8], [0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0]);
        let table = header(width, height).len();
        let mut channels = [(); 3].map(|()| Grid::filled(width, height, 0));
        for y in 0..height {
            let at = u64::from_le_bytes(bytes[table + 8 * y..][..8].try_into().unwrap()) as usize;
            assert_eq!(number(bytes, at), y as i32);
            let length = number(bytes, at + 4) as usize;
            let data = &bytes[at + 8..at + 8 + length];
            let mut plain = vec![0; 12 * width];
            if length == plain.len() {
                plain.copy_from_slice(data);
            } else {
                let mut steps = Vec::new();
                ZlibDecoder::new(data).read_to_end(&mut steps).unwrap();
                for i in 1..steps.len() {
                    steps[i] = steps[i].wrapping_add(steps[i - 1]).wrapping_sub(128);
                }
                let half = plain.len().div_ceil(2);
                for (i, byte) in plain.iter_mut().enumerate() {
                    *byte = steps[i / 2 + if i % 2 == 0 { 0 } else { half }];
                }
            }
            for (k, channel) in channels.iter_mut().enumerate() {
                for x in 0..width {
                    channel[(x, y)] =
                        u32::from_le_bytes(plain[4 * (k * width + x)..][..4].try_into().unwrap());
                }
            }
        }
        channels
    }

    #[test]
    fn every_bit_of_a_control_map_survives_even_those_that_are_no_number() {
        let seed = weald_core::Seed(5);
        let some = |x, y| match (x + y) % 5 {
            0 => 0x7fc0_0001 + x as u32,
            1 => 0xff80_0000,
            2 => 1,
            3 => packed(31, 30, 255),
            _ => (seed.unit_at(x as i64, y as i64) * 4e9) as u32,
        };
        let dir = tempfile::tempdir().unwrap();
        for (width, height) in [(1, 1), (3, 2), (67, 31)] {
            let bits = Grid::from_fn(width, height, some);
            let path = dir.path().join("control.exr");
            write_rgb(&path, &bits, &Ctx::default()).unwrap();
            let bytes = std::fs::read(&path).unwrap();
            for channel in read(&bytes, width, height) {
                assert_eq!(channel.cells(), bits.cells());
            }
        }
    }

    #[test]
    fn regions_are_large_enough_for_32_along_a_side() {
        assert_eq!(region_size(64).unwrap(), 256);
        assert_eq!(region_size(8192).unwrap(), 256);
        assert_eq!(region_size(8193).unwrap(), 512);
        assert_eq!(region_size(65536).unwrap(), 2048);
        assert!(region_size(65537).unwrap_err().to_string().contains("at most 65536 vertices"));
    }

    #[test]
    fn a_vertex_inside_a_class_has_its_texture_and_one_at_a_border_a_blend() {
        let class = |value: u32| CoverClass { value, name: value.to_string(), colour: [0; 3] };
        let cover =
            Cover { classes: vec![class(3), class(7)], cells: Grid::from_fn(8, 4, |x, _| (x > 3) as u8) };
        let map = control(&cover, &Ctx::default()).unwrap();
        assert_eq!(map[(1, 1)], 0);
        assert_eq!(map[(6, 2)], 1 << 27);
        // A quarter of the weight lies beyond the border.
        assert_eq!(map[(3, 1)], packed(0, 1, 64));
        assert_eq!(map[(4, 1)], packed(1, 0, 64));
    }
}
