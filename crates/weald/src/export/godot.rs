//! Terrain for Godot by the add-on Terrain3D: heights, control map and colours.
//!
//! Terrain3D imports heights in metres from OpenEXR files with three channels; Godot reads PNG files of 8 bits only
//! (<https://terrain3d.readthedocs.io/en/stable/docs/import_export.html>). The control map has a 32-bit number for each vertex, stored
//! bit by bit in the place of a float (<https://terrain3d.readthedocs.io/en/stable/docs/controlmap_format.html>): from the highest bit on
//! five bits of the base texture, five of the overlay texture, eight of the blend between them, and options, which are 0 here.

use super::cover::{Cover, CoverClass, Tap};
use super::exr;
use super::sidecar::{Registration, Sidecar};
use super::target::{Delivered, Form, Needs, Source, Target};
use super::terrain::{short, span_m, unit_m};
use crate::error::{Error, Result};
use crate::sink::Sink;
use serde_json::json;
use std::io;
use std::path::Path;
use weald_core::{Ctx, Grid, par};

/// The target `godot`.
pub static TARGET: Target = Target {
    name: "godot",
    about: "heights in metres, control map and colours for the add-on Terrain3D",
    files: "NAME_height.exr, NAME_control.exr, NAME_colour.png",
    readers: "Godot 4 with Terrain3D",
    needs: Needs::Ground,
    takes: &[],
    validate: None,
    form: Form::Folder(export),
};

/// Vertices along a side of a region, from which the terrain is made.
const REGIONS: &[usize] = &[64, 128, 256, 512, 1024, 2048];
/// The region size that Terrain3D has at first.
const USUAL_REGION: usize = 256;
/// Regions along a side, at most.
const MOST_REGIONS: usize = 32;
/// The largest distance of vertices, in units.
const MOST_SPACING: f64 = 100.0;
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
    let name = |part: &str| format!("{}_{part}", source.stem);
    write_rgb(&dir.join(name("height.exr")), &heights.height, ctx)?;
    write_rgb(&dir.join(name("control.exr")), &control(&cover, ctx)?.map(|&bits| f32::from_bits(bits)), ctx)?;
    let px = width.max(height).clamp(PICTURE_PX.0, PICTURE_PX.1);
    write_colours(&dir.join(name("colour.png")), &(source.picture)(px, ctx)?, (width, height))?;

    let unit = unit_m(&[(heights.cell_m, MOST_SPACING)]);
    let spacing = (heights.cell_m / unit * 1e6).round() / 1e6;
    let at = (corner(width, region, spacing), corner(height, region, spacing));
    let mut numbers = vec![
        format!("Terrain3D: vertex_spacing {spacing}, region_size {region}"),
        format!(
            "importer: import_position ({}, 0, {}), height_offset 0, import_scale {} (the sea is at y = 0)",
            short(at.0, 6),
            short(at.1, 6),
            1.0 / unit
        ),
        format!("+x is east and +z south; {} m by {} m", short(span.0, 2), short(span.1, 2)),
        format!("textures by id: {}", textures(&cover.classes)),
    ];
    if unit != 1.0 {
        numbers.push(format!(
            "a unit stands for {unit} m, because Terrain3D takes at most {MOST_SPACING} units from vertex to vertex"
        ));
    }
    numbers.extend(source.note());
    let more = json!({
        "vertex_spacing": spacing, "import_scale": 1.0 / unit, "region_size": region, "import_position": [at.0, 0.0, at.1],
        "textures": cover.classes.iter().enumerate().map(|(id, c)| json!({
            "id": id, "class": c.name, "value": c.value, "colour": c.colour,
        })).collect::<Vec<_>>(),
    });
    let sidecar = Sidecar {
        files: vec![name("height.exr")],
        heights_m: heights.range_m(ctx)?,
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

/// Where the importer puts the first of so many vertices, so that the map lies around the origin in whole regions. It takes the region that a
/// place lies in, so the place is half a vertex within, as far as the outermost regions have room for it.
fn corner(vertices: usize, region: usize, spacing: f64) -> f64 {
    let regions = vertices.div_ceil(region);
    let inside = if regions < MOST_REGIONS { 0.5 } else { 0.0 };
    (inside - (regions / 2 * region) as f64) * spacing
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

/// Writes a picture whose channels R, G and B are equal. No bit changes, whatever the bits mean as a float.
fn write_rgb(path: &Path, values: &Grid<f32>, ctx: &Ctx) -> Result<()> {
    exr::write(path, &["R", "G", "B"].map(|name| (name, values)), ctx)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "exr")]
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
            write_rgb(&path, &bits.map(|&bits| f32::from_bits(bits)), &Ctx::default()).unwrap();
            use ::exr::prelude::{FlatSamples, ReadChannels, ReadLayers};
            let image = ::exr::prelude::read().no_deep_data().largest_resolution_level().all_channels();
            let image = image.first_valid_layer().all_attributes().from_file(&path).unwrap();
            let channels = image.layer_data.channel_data.list;
            assert_eq!(channels.len(), 3);
            for channel in channels {
                let FlatSamples::F32(values) = channel.sample_data else { panic!("not 32-bit floats") };
                assert!(values.iter().zip(bits.cells()).all(|(value, bits)| value.to_bits() == *bits));
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
    fn the_corner_lies_in_the_region_that_it_begins_also_in_single_precision() {
        for spacing in [1.0, 7.7, 0.333_333, 30.0, 99.999_999] {
            for vertices in [64, 257, 1000, 1536, 8000] {
                let at = corner(vertices, 256, spacing) as f32;
                let found = (at / (256.0 * spacing as f32)).floor();
                assert_eq!(found as i64, -((vertices.div_ceil(256) / 2) as i64), "{vertices} of {spacing}");
            }
        }
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
