//! What goes where in the binary part of a GLB: the indices of every shape of chunk, the vertices of every chunk, the
//! texture.

use super::GltfLevel;
use std::ops::Range;

/// Quads along the side of a chunk, an even number. Its 129² vertices can be counted in 16 bits.
const CHUNK: usize = 128;

/// Bytes of a vertex: position and normal in three floats each, texture coordinates in two.
pub(super) const VERTEX_BYTES: u64 = 32;

/// One level of detail.
pub(super) struct Level {
    /// The columns of the map that it takes.
    columns: Vec<usize>,
    /// The rows of the map that it takes.
    rows: Vec<usize>,
    /// Its chunks among those of the layout.
    pub(super) chunks: Range<usize>,
}

/// One chunk of a level.
pub(super) struct Chunk {
    level: usize,
    columns: Range<usize>,
    rows: Range<usize>,
    /// Which of the shapes it has.
    pub(super) shape: usize,
    /// Where its vertices begin.
    pub(super) offset: u64,
}

impl Chunk {
    /// Column and row of the chunk among those of its level.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.columns.start / CHUNK, self.rows.start / CHUNK)
    }
}

/// The number of columns and rows of vertices of a chunk, which determine its indices.
pub(super) struct Shape {
    columns: usize,
    rows: usize,
    /// Where its indices begin.
    pub(super) offset: u64,
}

impl Shape {
    /// Number of vertices.
    pub(super) fn vertices(&self) -> usize {
        self.columns * self.rows
    }

    /// Number of triangles.
    pub(super) fn triangles(&self) -> usize {
        2 * (self.columns - 1) * (self.rows - 1)
    }

    /// Length of the indices, always whole words.
    fn bytes(&self) -> u64 {
        6 * self.triangles() as u64
    }

    /// Two triangles for each quad, counter-clockwise as seen from above. The diagonals alternate, so that no direction is
    /// favoured.
    pub(super) fn indices(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes() as usize);
        for row in 0..self.rows - 1 {
            for column in 0..self.columns - 1 {
                let north_west = row * self.columns + column;
                let south_west = north_west + self.columns;
                let (north_east, south_east) = (north_west + 1, south_west + 1);
                let corners = if (row + column).is_multiple_of(2) {
                    [north_west, south_west, south_east, north_west, south_east, north_east]
                } else {
                    [north_west, south_west, north_east, north_east, south_west, south_east]
                };
                corners.iter().for_each(|&index| out.extend_from_slice(&(index as u16).to_le_bytes()));
            }
        }
        out
    }
}

/// The parts of the file and where they lie.
pub(super) struct Layout {
    pub(super) levels: Vec<Level>,
    /// The chunks of all levels.
    pub(super) chunks: Vec<Chunk>,
    /// The shapes of all chunks.
    pub(super) shapes: Vec<Shape>,
    /// Length of all indices, which begin at 0.
    pub(super) index_bytes: u64,
    /// Where the texture begins, and its length.
    pub(super) texture: Option<(u64, u64)>,
    /// Length of everything.
    pub(super) bytes: u64,
}

impl Layout {
    /// The layout for a map of `columns` by `rows` samples and a texture of that many bytes.
    pub(super) fn new((columns, rows): (usize, usize), lods: usize, texture: Option<u64>) -> Self {
        let mut layout = Self {
            levels: Vec::new(),
            chunks: Vec::new(),
            shapes: Vec::new(),
            index_bytes: 0,
            texture: None,
            bytes: 0,
        };
        let mut step = 1;
        for _ in 0..lods {
            layout.add_level(kept(columns, step), kept(rows, step));
            step *= 2;
            // From here on no step takes away another sample.
            if step / 2 >= columns.max(rows) - 1 {
                break;
            }
        }
        for shape in &mut layout.shapes {
            shape.offset = layout.index_bytes;
            layout.index_bytes += shape.bytes();
        }
        let mut end = layout.index_bytes;
        for chunk in &mut layout.chunks {
            chunk.offset = end;
            end += layout.shapes[chunk.shape].vertices() as u64 * VERTEX_BYTES;
        }
        layout.texture = texture.map(|length| (end, length));
        layout.bytes = end + texture.unwrap_or(0).next_multiple_of(4);
        layout
    }

    fn add_level(&mut self, columns: Vec<usize>, rows: Vec<usize>) {
        let first = self.chunks.len();
        for down in spans(rows.len()) {
            for along in spans(columns.len()) {
                let shape = self.shape(along.len(), down.len());
                let level = self.levels.len();
                self.chunks.push(Chunk { level, columns: along, rows: down.clone(), shape, offset: 0 });
            }
        }
        self.levels.push(Level { columns, rows, chunks: first..self.chunks.len() });
    }

    /// The number of the shape with these columns and rows, which is new if no chunk had it before.
    fn shape(&mut self, columns: usize, rows: usize) -> usize {
        let known = self.shapes.iter().position(|s| (s.columns, s.rows) == (columns, rows));
        known.unwrap_or_else(|| {
            self.shapes.push(Shape { columns, rows, offset: 0 });
            self.shapes.len() - 1
        })
    }

    /// The columns and the rows of the map that chunk `k` takes.
    pub(super) fn samples(&self, k: usize) -> (&[usize], &[usize]) {
        let chunk = &self.chunks[k];
        let level = &self.levels[chunk.level];
        (&level.columns[chunk.columns.clone()], &level.rows[chunk.rows.clone()])
    }

    /// The levels in numbers.
    pub(super) fn numbers(&self) -> Vec<GltfLevel> {
        let of = |level: &Level| {
            let shapes = || self.chunks[level.chunks.clone()].iter().map(|chunk| &self.shapes[chunk.shape]);
            GltfLevel {
                columns: level.columns.len(),
                rows: level.rows.len(),
                chunks: level.chunks.len(),
                vertices: shapes().map(Shape::vertices).sum(),
                triangles: shapes().map(Shape::triangles).sum(),
            }
        };
        self.levels.iter().map(of).collect()
    }
}

/// Every `step`-th of `count` samples, and the last one.
fn kept(count: usize, step: usize) -> Vec<usize> {
    (0..count - 1).step_by(step).chain([count - 1]).collect()
}

/// The chunks along a side of that many samples. Each begins with the sample that the one before ends with.
fn spans(samples: usize) -> impl Iterator<Item = Range<usize>> {
    (0..samples - 1).step_by(CHUNK).map(move |first| first..(first + CHUNK + 1).min(samples))
}
