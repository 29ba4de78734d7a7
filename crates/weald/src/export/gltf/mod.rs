//! Ground as a triangle mesh in glTF 2.0: one GLB file, which engines, modelling programs and viewers open.
//!
//! Format: <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>. The unit is the metre, x points east, y up and z
//! south; front faces are counter-clockwise.
//!
//! - A vertex lies at the centre of a cell, so N samples span N − 1 cells. The map is centred on the origin, with y = 0 at
//!   the level of the sea.
//! - The mesh is cut into chunks of at most 128 by 128 quads. The vertices of a chunk count from its north-western one,
//!   and the translation of its node puts the chunk in place. Chunks side by side share the vertices of their edge bit for
//!   bit, so there are no cracks. Chunks of the same shape share their indices.
//! - A level of detail takes every second column and row of the level before it and keeps the last ones, so that all
//!   levels cover the same extent. The extension MSFT_lod lists them; a program that does not know it shows the finest.
//! - Normals come from central differences on all samples, on every level; at the border of the map from one side.
//! - The texture is a picture of the map, north up, from edge to edge of the outermost cells.

mod document;
mod ground;
mod layout;
#[cfg(test)]
mod tests;

use super::sidecar::{Registration, Sidecar};
use super::target::{Delivered, Form, Needs, Source, Target};
use crate::error::{Error, Result};
use crate::sink::Sink;
use document::document;
pub use ground::Ground;
pub(super) use ground::write_parts;
use ground::{Axes, height_range, vertices};
use layout::Layout;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;
use weald_core::{Ctx, par};

/// The target `gltf`.
pub static TARGET: Target = Target {
    name: "gltf",
    about: "the ground as a mesh with levels of detail, normals and the map as its texture",
    files: "NAME.glb",
    readers: "Blender, Godot, Unreal, three.js and other viewers",
    needs: Needs::Ground,
    takes: &[],
    validate: None,
    form: Form::File("glb", export),
};

/// Pixels along the longer side of the texture, at most: what most graphics cards hold.
const TEXTURE_PX: usize = 4096;

/// Writes the ground of a world with its map as texture.
fn export(source: &Source, path: &Path, ctx: &Ctx) -> Result<Delivered> {
    let heights = source.heights(ctx)?;
    let ground = Ground { height: &heights.height, cell_m: heights.cell_m };
    ground.validate(ctx)?;
    let texture = (source.picture)(TEXTURE_PX, ctx)?;
    let options = GltfOptions { extras: source.origin.clone(), ..GltfOptions::default() };
    let mut out = Sink::open(path)?;
    let made = write(&mut out, &ground, Some(&texture), &options, ctx)?;
    out.finish()?;
    let finest = &made.levels[0];
    let (width, depth) =
        ((finest.columns - 1) as f64 * heights.cell_m, (finest.rows - 1) as f64 * heights.cell_m);
    let mut numbers = vec![
        format!(
            "1 unit is 1 m; {width} m from west to east (+x), {depth} m from north to south (+z), +y is up"
        ),
        format!(
            "{} vertices and {} triangles in {} chunks, and {} coarser levels (MSFT_lod)",
            finest.vertices,
            finest.triangles,
            finest.chunks,
            made.levels.len() - 1
        ),
    ];
    numbers.extend(source.note());
    let sidecar = Sidecar {
        size: Some((finest.columns, finest.rows)),
        registration: Registration::Vertex,
        metres_per_pixel: Some(heights.cell_m),
        more: [("levels".into(), serde_json::to_value(&made.levels).expect("plain data"))]
            .into_iter()
            .collect(),
        ..Sidecar::default()
    };
    Ok(Delivered { files: Vec::new(), numbers, sidecar })
}

/// What a GLB holds besides the ground and its texture.
#[derive(Clone, Debug, PartialEq)]
pub struct GltfOptions {
    /// Levels of detail, at least 1. Each has half the columns and half the rows of the one before. Levels that would be
    /// no coarser than the one before are left out.
    pub lods: usize,
    /// Where the ground comes from, for `asset.extras`; null for nothing.
    pub extras: Value,
}

impl Default for GltfOptions {
    /// Four levels of detail, and nothing in `asset.extras`.
    fn default() -> Self {
        Self { lods: 4, extras: Value::Null }
    }
}

/// What a GLB holds, in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GltfNumbers {
    /// The levels of detail, from fine to coarse.
    pub levels: Vec<GltfLevel>,
    /// The length of the file.
    pub bytes: u64,
}

/// One level of detail in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GltfLevel {
    /// Columns of samples.
    pub columns: usize,
    /// Rows of samples.
    pub rows: usize,
    /// Chunks, each a mesh of its own.
    pub chunks: usize,
    /// Vertices of all chunks; those on shared edges count for each chunk.
    pub vertices: usize,
    /// Triangles of all chunks.
    pub triangles: usize,
}

/// Writes ground as one GLB file, with `texture_png` as its colours: the bytes of a picture of the map in PNG, north up,
/// which covers the cells from edge to edge. Chunks are made in parallel and written in order, so the file is never in
/// memory as a whole. Cost: linear.
///
/// Fails if the ground has fewer than 2 by 2 samples or heights that are no numbers, and if the file would be longer than
/// 4 GiB, which is as long as a GLB can be.
pub fn write(
    out: &mut Sink,
    ground: &Ground,
    texture_png: Option<&[u8]>,
    options: &GltfOptions,
    ctx: &Ctx,
) -> Result<GltfNumbers> {
    ground.validate(ctx)?;
    if options.lods == 0 {
        return Err(Error::Invalid("lods = 0: a mesh has at least 1 level of detail".into()));
    }
    let shape = ground.height.shape();
    let layout = Layout::new(shape, options.lods, texture_png.map(|png| png.len() as u64));
    let axes = Axes::new(ground);
    let ranges =
        par::map(layout.chunks.len(), &ctx.quiet(), |k| height_range(ground.height, layout.samples(k)))?;
    let document = document(&layout, &axes, &ranges, &options.extras);
    let mut json = serde_json::to_vec(&document).expect("plain data");
    json.resize(json.len().next_multiple_of(4), b' ');
    let bytes = file_length(&layout, json.len(), shape)?;

    let mut head = Vec::with_capacity(28 + json.len());
    head.extend_from_slice(b"glTF");
    head.extend_from_slice(&2u32.to_le_bytes());
    head.extend_from_slice(&bytes.to_le_bytes());
    head.extend_from_slice(&(json.len() as u32).to_le_bytes());
    head.extend_from_slice(b"JSON");
    head.append(&mut json);
    head.extend_from_slice(&(layout.bytes as u32).to_le_bytes());
    head.extend_from_slice(b"BIN\0");
    out.write(&head)?;
    for shape in &layout.shapes {
        out.write(&shape.indices())?;
    }
    write_parts(out, layout.chunks.len(), ctx, |k| vertices(ground, &axes, layout.samples(k)))?;
    if let Some(png) = texture_png {
        out.write(png)?;
        out.write(&[0; 3][..png.len().next_multiple_of(4) - png.len()])?;
    }
    Ok(GltfNumbers { levels: layout.numbers(), bytes: bytes as u64 })
}

/// The length of the whole file, which its header holds in 32 bits.
fn file_length(layout: &Layout, json: usize, (columns, rows): (usize, usize)) -> Result<u32> {
    let bytes = 28 + json as u64 + layout.bytes;
    u32::try_from(bytes).map_err(|_| {
        Error::Invalid(format!(
            "the mesh of {columns}x{rows} samples would take {:.1} GiB, but a GLB file holds at most 4 GiB; make the \
             map with a smaller size",
            bytes as f64 / (1u64 << 30) as f64
        ))
    })
}
