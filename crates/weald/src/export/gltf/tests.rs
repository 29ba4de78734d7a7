//! Tests of the mesh: the file as another program reads it, and the geometry in it.

use super::*;
use serde_json::json;
use weald_core::Grid;

/// Columns, rows, side of a cell: small and odd shapes, one chunk and several, cells with and without rounding.
const SHAPES: [(usize, usize, f64); 6] =
    [(2, 2, 3.5), (3, 5, 1.0), (2, 300, 0.1), (129, 257, 14.0), (130, 258, 14.336), (300, 200, 100.0 / 3.0)];

fn hills(columns: usize, rows: usize) -> Grid<f32> {
    let seed = weald_core::Seed(3);
    Grid::from_fn(columns, rows, |x, y| (seed.unit_at(x as i64, y as i64) * 900.0 - 200.0) as f32)
}

fn made(
    height: &Grid<f32>,
    cell_m: f64,
    texture: Option<&[u8]>,
    lods: usize,
) -> Result<(Vec<u8>, GltfNumbers)> {
    let mut bytes = Vec::new();
    let mut sink = Sink::new("ground.glb", &mut bytes);
    let options = GltfOptions { lods, extras: json!({"seed": 9}) };
    let numbers = write(&mut sink, &Ground { height, cell_m }, texture, &options, &Ctx::default())?;
    drop(sink);
    Ok((bytes, numbers))
}

/// A file taken apart.
struct Glb {
    json: Value,
    bin: Vec<u8>,
}

/// A chunk as a viewer sees it.
struct Piece {
    translation: [f32; 3],
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    texture: Vec<[f32; 2]>,
    indices: Vec<usize>,
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn whole(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

impl Glb {
    fn read(bytes: &[u8]) -> Self {
        assert_eq!((&bytes[..4], word(bytes, 4), word(bytes, 8)), (&b"glTF"[..], 2, bytes.len()));
        let json = word(bytes, 12);
        let bin = word(bytes, 20 + json);
        assert_eq!((&bytes[16..20], &bytes[24 + json..28 + json]), (&b"JSON"[..], &b"BIN\0"[..]));
        assert_eq!((json % 4, bin % 4, 28 + json + bin), (0, 0, bytes.len()));
        let glb = Self {
            json: serde_json::from_slice(&bytes[20..20 + json]).unwrap(),
            bin: bytes[28 + json..].to_vec(),
        };
        assert_eq!(whole(&glb.json["buffers"][0]["byteLength"]), bin);
        glb
    }

    /// The bytes of every element of an accessor, which must lie within its view.
    fn elements(&self, accessor: usize, bytes: usize) -> Vec<&[u8]> {
        let accessor = &self.json["accessors"][accessor];
        let view = &self.json["bufferViews"][whole(&accessor["bufferView"])];
        let (start, length) = (whole(&view["byteOffset"]), whole(&view["byteLength"]));
        let (offset, count) = (whole(&accessor["byteOffset"]), whole(&accessor["count"]));
        let stride = view["byteStride"].as_u64().map_or(bytes, |s| s as usize);
        assert!(start % 4 == 0 && offset % 4 == 0 && start + length <= self.bin.len());
        assert!(offset + (count - 1) * stride + bytes <= length);
        (0..count).map(|i| &self.bin[start + offset + i * stride..][..bytes]).collect()
    }

    fn floats<const N: usize>(&self, accessor: &Value) -> Vec<[f32; N]> {
        assert_eq!(self.json["accessors"][whole(accessor)]["componentType"], 5126);
        let number = |b: &[u8], k: usize| f32::from_le_bytes(b[4 * k..4 * k + 4].try_into().unwrap());
        let elements = self.elements(whole(accessor), 4 * N);
        elements.into_iter().map(|b| std::array::from_fn(|k| number(b, k))).collect()
    }

    fn piece(&self, node: usize) -> Piece {
        let node = &self.json["nodes"][node];
        let primitive = &self.json["meshes"][whole(&node["mesh"])]["primitives"][0];
        let attributes = &primitive["attributes"];
        assert_eq!(self.json["accessors"][whole(&primitive["indices"])]["componentType"], 5123);
        let indices = self.elements(whole(&primitive["indices"]), 2);
        Piece {
            translation: std::array::from_fn(|k| node["translation"][k].as_f64().unwrap() as f32),
            positions: self.floats(&attributes["POSITION"]),
            normals: self.floats(&attributes["NORMAL"]),
            texture: self.floats(&attributes["TEXCOORD_0"]),
            indices: indices.iter().map(|b| u16::from_le_bytes([b[0], b[1]]) as usize).collect(),
        }
    }

    /// The chunks of every level, found as a viewer finds them: from the scene, and from MSFT_lod.
    fn levels(&self) -> Vec<Vec<Piece>> {
        let finest = whole(&self.json["scenes"][0]["nodes"][0]);
        let mut roots = vec![finest];
        if let Some(ids) = self.json["nodes"][finest]["extensions"]["MSFT_lod"]["ids"].as_array() {
            roots.extend(ids.iter().map(whole));
        }
        let pieces = |&root: &usize| {
            let children = self.json["nodes"][root]["children"].as_array().unwrap();
            children.iter().map(|child| self.piece(whole(child))).collect()
        };
        roots.iter().map(pieces).collect()
    }
}

impl Piece {
    /// A vertex in the world, added in single precision as viewers do.
    fn world(&self, vertex: usize) -> [f32; 3] {
        std::array::from_fn(|k| self.positions[vertex][k] + self.translation[k])
    }
}

fn levels_of(columns: usize, rows: usize, cell_m: f64) -> Vec<Vec<Piece>> {
    Glb::read(&made(&hills(columns, rows), cell_m, None, 4).unwrap().0).levels()
}

#[test]
fn a_file_has_the_lengths_it_says_and_numbers_that_are_true() {
    for (columns, rows, cell_m) in SHAPES {
        let (bytes, numbers) = made(&hills(columns, rows), cell_m, Some(b"12345"), 3).unwrap();
        let glb = Glb::read(&bytes);
        assert_eq!(numbers.bytes, bytes.len() as u64);
        assert_eq!(glb.json["asset"]["version"], "2.0");
        assert_eq!(glb.json["asset"]["extras"], json!({"seed": 9}));
        let levels = glb.levels();
        assert_eq!(levels.len(), numbers.levels.len());
        for (pieces, level) in levels.iter().zip(&numbers.levels) {
            assert_eq!(pieces.len(), level.chunks);
            assert_eq!(pieces.iter().map(|p| p.positions.len()).sum::<usize>(), level.vertices);
            assert_eq!(pieces.iter().map(|p| p.indices.len()).sum::<usize>(), 3 * level.triangles);
            assert_eq!(level.triangles, 2 * (level.columns - 1) * (level.rows - 1));
        }
        assert_eq!((numbers.levels[0].columns, numbers.levels[0].rows), (columns, rows));
    }
}

#[test]
fn bounds_are_those_of_the_data_and_indices_use_every_vertex_and_no_other() {
    for (columns, rows, cell_m) in SHAPES {
        let glb = Glb::read(&made(&hills(columns, rows), cell_m, None, 3).unwrap().0);
        for mesh in glb.json["meshes"].as_array().unwrap() {
            let position = &mesh["primitives"][0]["attributes"]["POSITION"];
            let data = glb.floats::<3>(position);
            for k in 0..3 {
                let of = |name: &str| glb.json["accessors"][whole(position)][name][k].as_f64().unwrap();
                let least = data.iter().fold(f32::MAX, |a, p| a.min(p[k]));
                let most = data.iter().fold(f32::MIN, |a, p| a.max(p[k]));
                assert_eq!((of("min"), of("max")), (least as f64, most as f64), "{columns}x{rows}");
            }
        }
        for piece in glb.levels().iter().flatten() {
            let mut used = piece.indices.clone();
            used.sort_unstable();
            used.dedup();
            assert!(used.into_iter().eq(0..piece.positions.len()), "{columns}x{rows}");
            assert!(piece.positions.len() <= 65535);
        }
    }
}

#[test]
fn every_triangle_faces_up_and_together_they_cover_the_map_once_without_cracks() {
    for (columns, rows, cell_m) in SHAPES {
        for pieces in levels_of(columns, rows, cell_m) {
            let (mut area, mut edges) = (0.0, Vec::new());
            for (piece, t) in pieces.iter().flat_map(|p| p.indices.chunks(3).map(move |t| (p, t))) {
                let corners = [0, 1, 2].map(|k| piece.world(t[k]));
                let [a, b, c] = corners.map(|p| p.map(f64::from));
                let up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
                assert!(up > 0.0, "{columns}x{rows}: {a:?} {b:?} {c:?}");
                area += 0.5 * up;
                let corners = corners.map(|p| p.map(f32::to_bits));
                edges.extend([0, 1, 2].map(|k| (corners[k], corners[(k + 1) % 3])));
            }
            let expected = ((columns - 1) * (rows - 1)) as f64 * cell_m * cell_m;
            assert!((area / expected - 1.0).abs() < 1e-6, "{columns}x{rows}: {area}, not {expected}");
            edges.sort_unstable();
            assert!(edges.windows(2).all(|pair| pair[0] != pair[1]), "{columns}x{rows}: an edge twice");
            // Only along the border of the map is there no triangle on the other side.
            let on_border = |p: [u32; 3]| {
                let near = |k: usize, samples: usize| {
                    let end = 0.5 * (samples - 1) as f64 * cell_m;
                    (f32::from_bits(p[k]).abs() as f64 / end - 1.0).abs() < 1e-6
                };
                near(0, columns) || near(2, rows)
            };
            let alone = edges.iter().filter(|&&(a, b)| edges.binary_search(&(b, a)).is_err());
            assert!(alone.clone().count() > 0 && alone.clone().all(|&(a, b)| on_border(a) && on_border(b)));
        }
    }
}

#[test]
fn every_level_covers_the_same_extent_around_the_origin_with_half_the_samples() {
    for (columns, rows, cell_m) in SHAPES {
        let extent = |pieces: &Vec<Piece>| {
            let points: Vec<[f32; 3]> =
                pieces.iter().flat_map(|p| (0..p.positions.len()).map(|i| p.world(i))).collect();
            [0, 2].map(|k| {
                (
                    points.iter().fold(f32::MAX, |a, p| a.min(p[k])),
                    points.iter().fold(f32::MIN, |a, p| a.max(p[k])),
                )
            })
        };
        let levels = levels_of(columns, rows, cell_m);
        let finest = extent(&levels[0]);
        assert!(levels.iter().all(|level| extent(level) == finest), "{columns}x{rows}");
        for ((low, high), samples) in finest.into_iter().zip([columns, rows]) {
            assert_eq!(-low, high);
            let expected = (samples - 1) as f64 * cell_m;
            assert!((2.0 * high as f64 / expected - 1.0).abs() < 1e-6, "{columns}x{rows}: {high}");
        }
    }
    let (_, numbers) = made(&hills(300, 200), 1.0, None, 3).unwrap();
    let sizes: Vec<_> = numbers.levels.iter().map(|l| (l.columns, l.rows, l.chunks)).collect();
    assert_eq!(sizes, [(300, 200, 6), (151, 101, 2), (76, 51, 1)]);
}

#[test]
fn levels_end_where_one_quad_is_left() {
    let levels = |columns, rows| made(&hills(columns, rows), 1.0, None, 99).unwrap().1.levels.len();
    assert_eq!([levels(2, 2), levels(3, 3), levels(2, 4), levels(5, 5), levels(129, 20)], [1, 2, 3, 3, 8]);
    let one = Glb::read(&made(&hills(9, 9), 1.0, None, 1).unwrap().0);
    assert!(one.json["extensionsUsed"].is_null() && one.json["nodes"][0]["extensions"].is_null());
    let three = Glb::read(&made(&hills(9, 9), 1.0, None, 3).unwrap().0);
    assert_eq!(three.json["nodes"][0]["extensions"]["MSFT_lod"]["ids"], json!([1, 2]));
    assert_eq!(three.json["nodes"][0]["extras"]["MSFT_screencoverage"], json!([0.25, 0.0625, 0.0]));
    assert_eq!(three.json["extensionsUsed"], json!(["MSFT_lod"]));
}

#[test]
fn a_sample_has_the_same_bits_in_every_chunk_and_level() {
    for (columns, rows, cell_m) in SHAPES {
        let mut seen = Vec::new();
        for piece in levels_of(columns, rows, cell_m).iter().flatten() {
            for i in 0..piece.positions.len() {
                let vertex = [piece.world(i), piece.normals[i]].map(|p| p.map(f32::to_bits));
                seen.push((piece.texture[i].map(f32::to_bits), vertex));
            }
        }
        seen.sort_unstable();
        let shared = seen.windows(2).filter(|pair| pair[0].0 == pair[1].0).count();
        seen.dedup();
        assert_eq!(seen.len(), columns * rows, "{columns}x{rows}");
        assert!(shared > 0 || columns.max(rows) < 3, "{columns}x{rows}");
    }
}

#[test]
fn positions_and_texture_places_are_those_of_the_cells() {
    let (columns, rows) = (300, 200);
    let height = hills(columns, rows);
    let glb = Glb::read(&made(&height, 3.5, Some(b"picture"), 1).unwrap().0);
    for piece in &glb.levels()[0] {
        for i in 0..piece.positions.len() {
            let [u, v] = piece.texture[i];
            let column = (u * columns as f32) as usize;
            let row = (v * rows as f32) as usize;
            assert_eq!(u, ((column as f64 + 0.5) / columns as f64) as f32);
            assert_eq!(v, ((row as f64 + 0.5) / rows as f64) as f32);
            // Columns go east and rows go south, in cells of 3.5 m, which are not rounded.
            let expected = [column as f32 * 3.5 - 523.25, height[(column, row)], row as f32 * 3.5 - 348.25];
            assert_eq!(piece.world(i), expected);
        }
    }
    let image = &glb.json["images"][whole(&glb.json["textures"][0]["source"])];
    let view = &glb.json["bufferViews"][whole(&image["bufferView"])];
    let start = whole(&view["byteOffset"]);
    assert_eq!(&glb.bin[start..start + whole(&view["byteLength"])], b"picture");
    let surface = &glb.json["materials"][0]["pbrMetallicRoughness"];
    assert_eq!(
        surface,
        &json!({"metallicFactor": 0.0, "roughnessFactor": 1.0, "baseColorTexture": {"index": 0}})
    );
}

#[test]
fn normals_have_length_one_and_those_of_a_plane_stand_across_it() {
    for piece in levels_of(300, 200, 2.0).iter().flatten() {
        for normal in &piece.normals {
            let length = normal.iter().map(|&v| v as f64 * v as f64).sum::<f64>().sqrt();
            assert!((length - 1.0).abs() < 1e-6 && normal[1] > 0.0, "{normal:?}");
        }
    }
    // Rises by 1 in 2 to the east and by 1 in 1 to the north: across it are −1 east, 2 up and 2 south.
    let plane = Grid::from_fn(9, 7, |x, y| x as f32 - 2.0 * y as f32);
    let glb = Glb::read(&made(&plane, 2.0, None, 2).unwrap().0);
    for piece in glb.levels().iter().flatten() {
        let expected = [-1.0f64 / 3.0, 2.0 / 3.0, 2.0 / 3.0].map(|v| v as f32);
        assert!(piece.normals.iter().all(|&normal| normal == expected), "{:?}", piece.normals);
    }
}

#[test]
fn threads_change_no_byte_and_zero_has_no_sign() {
    let mut height = hills(300, 200);
    height.row_mut(0).fill(-0.0);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| made(&height, 7.3, None, 3).unwrap().0)
    };
    let one = with(1);
    assert!(one == with(2) && one == with(7));
    for piece in Glb::read(&one).levels().iter().flatten() {
        let numbers = piece.positions.iter().chain(&piece.normals).flatten();
        assert!(numbers.into_iter().all(|v| v.to_bits() != (-0.0f32).to_bits()));
    }
}

#[test]
fn what_makes_no_mesh_is_refused_with_the_reason() {
    let said = |height: &Grid<f32>, cell_m: f64, lods: usize| {
        made(height, cell_m, None, lods).unwrap_err().to_string()
    };
    for (columns, rows) in [(1, 7), (7, 1), (1, 1), (0, 0)] {
        let message = format!("a mesh needs at least 2x2 samples, not {columns}x{rows}; make a larger map");
        assert_eq!(said(&hills(columns, rows), 1.0, 1), message);
    }
    let flat = Grid::filled(3, 3, 0.0);
    assert_eq!(said(&flat, 1.0, 0), "lods = 0: a mesh has at least 1 level of detail");
    for cell_m in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let message = format!("cells of {cell_m} m: a mesh needs cells of 0.001 to 1000000000 m");
        assert_eq!(said(&flat, cell_m, 1), message);
    }
    let mut gap = flat.clone();
    gap[(2, 1)] = f32::INFINITY;
    assert!(said(&gap, 1.0, 1).starts_with("the height at column 2, row 1 is inf: a mesh needs a number"));
}

#[test]
fn a_mesh_beyond_four_gibibytes_is_refused_before_anything_is_written() {
    let length = |side: usize, lods: usize| {
        file_length(&Layout::new((side, side), lods, Some(1 << 20)), 4_000_000, (side, side))
    };
    assert!(length(9800, 4).is_ok() && length(11_300, 1).is_ok());
    let message = length(12_000, 4).unwrap_err().to_string();
    assert_eq!(
        message,
        "the mesh of 12000x12000 samples would take 5.8 GiB, but a GLB file holds at most 4 GiB; make the map with a \
         smaller size"
    );
}

#[test]
fn a_stopped_run_ends_with_cancelled() {
    struct Silent;
    impl weald_core::ctx::Watch for Silent {}
    let stop = std::sync::atomic::AtomicBool::new(true);
    let (mut bytes, height) = (Vec::new(), hills(20, 20));
    let ground = Ground { height: &height, cell_m: 1.0 };
    let mut sink = Sink::new("ground.glb", &mut bytes);
    let end = write(&mut sink, &ground, None, &GltfOptions::default(), &Ctx::new(&Silent, &stop));
    assert!(matches!(end, Err(Error::Cancelled)));
}
