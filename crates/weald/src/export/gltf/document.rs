//! The JSON part of a GLB.

use super::ground::Axes;
use super::layout::{Chunk, Layout, VERTEX_BYTES};
use serde_json::{Value, json};

/// Codes of glTF, which are those of OpenGL.
const UNSIGNED_SHORT: u32 = 5123;
const FLOAT: u32 = 5126;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const LINEAR: u32 = 9729;
const LINEAR_MIPMAP_LINEAR: u32 = 9987;
const CLAMP_TO_EDGE: u32 = 33071;

/// The document for a layout; `ranges` are the lowest and the highest sample of each chunk.
///
/// Of the nodes the levels come first and the chunks after them; of the accessors those of the indices of each shape, then
/// three for each chunk; of the buffer views the indices, then the vertices of each chunk, then the texture.
pub(super) fn document(layout: &Layout, axes: &Axes, ranges: &[(f32, f32)], extras: &Value) -> Value {
    let mut asset = json!({"version": "2.0", "generator": concat!("weald ", env!("CARGO_PKG_VERSION"))});
    if !extras.is_null() {
        asset["extras"] = extras.clone();
    }
    let mut material = json!({
        "name": "ground",
        "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 1.0},
    });
    let mut document = json!({
        "asset": asset,
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes(layout, axes),
        "meshes": meshes(layout),
        "accessors": accessors(layout, axes, ranges),
        "bufferViews": views(layout),
        "buffers": [{"byteLength": layout.bytes}],
    });
    if layout.levels.len() > 1 {
        document["extensionsUsed"] = json!(["MSFT_lod"]);
    }
    if layout.texture.is_some() {
        material["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": 0});
        document["textures"] = json!([{"sampler": 0, "source": 0}]);
        document["samplers"] = json!([{
            "magFilter": LINEAR,
            "minFilter": LINEAR_MIPMAP_LINEAR,
            "wrapS": CLAMP_TO_EDGE,
            "wrapT": CLAMP_TO_EDGE,
        }]);
        document["images"] = json!([{"bufferView": 1 + layout.chunks.len(), "mimeType": "image/png"}]);
    }
    document["materials"] = json!([material]);
    document
}

fn nodes(layout: &Layout, axes: &Axes) -> Vec<Value> {
    let count = layout.levels.len();
    let mut nodes = Vec::with_capacity(count + layout.chunks.len());
    for (l, level) in layout.levels.iter().enumerate() {
        let children: Vec<usize> = level.chunks.clone().map(|k| count + k).collect();
        nodes.push(json!({"name": format!("lod{l}"), "children": children}));
    }
    if count > 1 {
        nodes[0]["extensions"] = json!({"MSFT_lod": {"ids": (1..count).collect::<Vec<_>>()}});
        // A level has a quarter of the triangles of the one before, so it is for a quarter of the pixels. The last one
        // never disappears.
        let mut coverage: Vec<f64> = (1..count).map(|l| 1.0 / (1u64 << (2 * l)) as f64).collect();
        coverage.push(0.0);
        nodes[0]["extras"] = json!({"MSFT_screencoverage": coverage});
    }
    for (l, level) in layout.levels.iter().enumerate() {
        for k in level.chunks.clone() {
            let (columns, rows) = layout.samples(k);
            let (column, row) = layout.chunks[k].place();
            nodes.push(json!({
                "name": format!("lod{l} chunk {column},{row}"),
                "mesh": k,
                "translation": [axes.x.at(columns[0]), 0.0, axes.z.at(rows[0])],
            }));
        }
    }
    nodes
}

fn meshes(layout: &Layout) -> Vec<Value> {
    let mesh = |(k, chunk): (usize, &Chunk)| {
        let first = layout.shapes.len() + 3 * k;
        let attributes = json!({"POSITION": first, "NORMAL": first + 1, "TEXCOORD_0": first + 2});
        json!({"primitives": [{"attributes": attributes, "indices": chunk.shape, "material": 0}]})
    };
    layout.chunks.iter().enumerate().map(mesh).collect()
}

fn accessors(layout: &Layout, axes: &Axes, ranges: &[(f32, f32)]) -> Vec<Value> {
    let mut accessors = Vec::with_capacity(layout.shapes.len() + 3 * layout.chunks.len());
    for shape in &layout.shapes {
        accessors.push(json!({
            "bufferView": 0,
            "byteOffset": shape.offset,
            "componentType": UNSIGNED_SHORT,
            "count": 3 * shape.triangles(),
            "type": "SCALAR",
        }));
    }
    for (k, chunk) in layout.chunks.iter().enumerate() {
        let (columns, rows) = layout.samples(k);
        let far = |samples: &[usize]| (samples[0], samples[samples.len() - 1]);
        let ((west, east), (north, south), (low, high)) = (far(columns), far(rows), ranges[k]);
        let attribute = |offset: u32, kind: &str| {
            json!({
                "bufferView": 1 + k,
                "byteOffset": offset,
                "componentType": FLOAT,
                "count": layout.shapes[chunk.shape].vertices(),
                "type": kind,
            })
        };
        let mut position = attribute(0, "VEC3");
        position["min"] = json!([0.0, low as f64, 0.0]);
        let (x, z) = (axes.x.between(west, east), axes.z.between(north, south));
        position["max"] = json!([x as f64, high as f64, z as f64]);
        accessors.extend([position, attribute(12, "VEC3"), attribute(24, "VEC2")]);
    }
    accessors
}

fn views(layout: &Layout) -> Vec<Value> {
    let mut views = Vec::with_capacity(2 + layout.chunks.len());
    let indices = layout.index_bytes;
    views.push(json!({"buffer": 0, "byteOffset": 0, "byteLength": indices, "target": ELEMENT_ARRAY_BUFFER}));
    for chunk in &layout.chunks {
        views.push(json!({
            "buffer": 0,
            "byteOffset": chunk.offset,
            "byteLength": layout.shapes[chunk.shape].vertices() as u64 * VERTEX_BYTES,
            "byteStride": VERTEX_BYTES,
            "target": ARRAY_BUFFER,
        }));
    }
    if let Some((offset, length)) = layout.texture {
        views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": length}));
    }
    views
}
