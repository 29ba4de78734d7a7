//! Meshes of jittered nodes: land that has no rows, columns and diagonals.
//!
//! A river on a square lattice can only run in eight directions. Here every node is shifted within its own square by a hash of
//! its place, and the nodes are joined by a Delaunay triangulation, so that no direction is preferred.
//!
//! ```
//! use weald_core::mesh::{Lattice, Mesh};
//! use weald_core::{Ctx, Seed};
//!
//! let mesh = Mesh::new(Lattice::new(40, 30, 25.0), Seed(1).of("nodes"));
//! assert_eq!(mesh.len(), 40 * 30);
//! // Every triangle is counterclockwise or clockwise like all others, and together they cover the rectangle.
//! let twice: f64 = mesh.triangles().iter().map(|&[a, b, c]| {
//!     let ((ax, ay), (bx, by), (cx, cy)) = (mesh.at(a as usize), mesh.at(b as usize), mesh.at(c as usize));
//!     (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
//! }).sum();
//! assert!((twice / 2.0 - 39.0 * 25.0 * 29.0 * 25.0).abs() < 1e-3);
//! ```

mod delaunay;
mod surface;

pub use surface::Surface;

use crate::ctx::Ctx;
use crate::line::Point;
use crate::{Result, Seed, par};
use delaunay::Triangles;

/// Parts of a lattice square in which positions of nodes are counted. They are integers, so that the tests of the
/// triangulation are exact.
const PARTS: i64 = 4096;

/// The greatest shift of a node from the middle of its square, as a share of the square's side. Below one half, so that nodes
/// keep the order of their squares.
const JITTER: f64 = 0.48;

/// Squares of which each holds one node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Nodes from west to east.
    pub columns: usize,
    /// Nodes from north to south.
    pub rows: usize,
    /// Distance between the middles of neighbouring squares, in metres.
    pub spacing_m: f64,
    /// Column and row of the first square in the lattice of the whole plane, which makes a node a function of its place.
    pub first: (i64, i64),
}

impl Lattice {
    /// A lattice whose first node is at (0, 0).
    pub fn new(columns: usize, rows: usize, spacing_m: f64) -> Self {
        Self { columns, rows, spacing_m, first: (0, 0) }
    }

    /// Place of the middle of the first square, in metres.
    pub fn origin(&self) -> Point {
        (self.first.0 as f64 * self.spacing_m, self.first.1 as f64 * self.spacing_m)
    }
}

/// Jittered nodes joined by a Delaunay triangulation.
///
/// The node of lattice square (i, j) lies within ±0.48 squares of its middle, by a hash of (seed, i, j); nodes on the border of
/// the lattice stay in the middle, so that the mesh is a rectangle. Nodes are numbered row by row.
#[derive(Clone, Debug)]
pub struct Mesh {
    lattice: Lattice,
    /// Positions from the first node, in parts of a square.
    at: Vec<(i32, i32)>,
    triangles: Triangles,
    /// Where the neighbours of each node begin, and where those of the last one end.
    first: Vec<u32>,
    neighbours: Vec<u32>,
    /// Distance to each neighbour, in metres.
    lengths: Vec<f32>,
}

impl Mesh {
    /// Makes and triangulates the nodes. Reach of a node and of a triangle: 3 squares. Cost: about 0.3 µs a node.
    ///
    /// # Panics
    /// If the lattice has fewer than two rows or columns, 2¹⁹ or more of either, 2²⁹ or more nodes, or a spacing that is not positive.
    pub fn new(lattice: Lattice, seed: Seed) -> Self {
        let Lattice { columns, rows, spacing_m, first } = lattice;
        assert!(
            columns.min(rows) > 1 && columns.max(rows) < 1 << 19 && columns * rows < 1 << 29,
            "{columns} by {rows} nodes make no mesh"
        );
        assert!(spacing_m > 0.0, "a spacing of {spacing_m} m makes no mesh");
        let reach = (JITTER * PARTS as f64) as i64;
        let mut at = Vec::with_capacity(columns * rows);
        for j in 0..rows as i64 {
            for i in 0..columns as i64 {
                let border = i == 0 || j == 0 || i + 1 == columns as i64 || j + 1 == rows as i64;
                let hash = seed.at(i + first.0, j + first.1);
                let shift = |bits: u64| {
                    if border { 0 } else { ((bits as i64 * (2 * reach + 1)) >> 32) - reach }
                };
                let (dx, dy) = (shift(hash >> 32), shift(hash & 0xFFFF_FFFF));
                at.push(((i * PARTS + dx) as i32, (j * PARTS + dy) as i32));
            }
        }
        let triangles = Triangles::new(&at, columns, rows);
        let (starts, neighbours) = triangles.neighbours(at.len());
        let mut mesh = Self { lattice, at, triangles, first: starts, neighbours, lengths: Vec::new() };
        mesh.lengths = mesh.measured();
        mesh
    }

    /// The distance to each neighbour, in the order of the neighbours.
    fn measured(&self) -> Vec<f32> {
        let unit = self.lattice.spacing_m / PARTS as f64;
        let mut lengths = Vec::with_capacity(self.neighbours.len());
        for (i, &(x, y)) in self.at.iter().enumerate() {
            for &n in self.neighbours(i) {
                let (dx, dy) = ((self.at[n as usize].0 - x) as f64, (self.at[n as usize].1 - y) as f64);
                lengths.push(((dx * dx + dy * dy).sqrt() * unit) as f32);
            }
        }
        lengths
    }

    /// The squares of the nodes.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// Whether there is no node, which never happens.
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// Position of a node, in metres.
    pub fn at(&self, node: usize) -> Point {
        let (origin, unit) = (self.lattice.origin(), self.lattice.spacing_m / PARTS as f64);
        let (x, y) = self.at[node];
        (origin.0 + x as f64 * unit, origin.1 + y as f64 * unit)
    }

    /// The neighbours of a node, in ascending order.
    #[inline]
    pub fn neighbours(&self, node: usize) -> &[u32] {
        &self.neighbours[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The distances to [`Mesh::neighbours`], in metres.
    #[inline]
    pub fn lengths(&self, node: usize) -> &[f32] {
        &self.lengths[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The value of every node, in their order, computed in parallel.
    ///
    /// ```
    /// use weald_core::mesh::{Lattice, Mesh};
    /// use weald_core::{Ctx, Seed};
    ///
    /// let mesh = Mesh::new(Lattice::new(8, 6, 25.0), Seed(1));
    /// let east = mesh.map(&Ctx::default(), |node| mesh.at(node).0)?;
    /// assert_eq!((east.len(), east[0], east[7]), (48, 0.0, 175.0));
    /// # Ok::<(), weald_core::Cancelled>(())
    /// ```
    pub fn map<T: Send>(&self, ctx: &Ctx, value: impl Fn(usize) -> T + Sync) -> Result<Vec<T>> {
        let columns = self.lattice.columns;
        let rows = par::map(self.lattice.rows, &ctx.quiet(), |j| {
            (j * columns..(j + 1) * columns).map(&value).collect::<Vec<T>>()
        })?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// The corners of every triangle, clockwise on a map whose y points south.
    pub fn triangles(&self) -> &[[u32; 3]] {
        self.triangles.corners()
    }

    /// Whether a node lies on the border.
    pub fn is_border(&self, node: usize) -> bool {
        let (i, j) = (node % self.lattice.columns, node / self.lattice.columns);
        i == 0 || j == 0 || i + 1 == self.lattice.columns || j + 1 == self.lattice.rows
    }
}
