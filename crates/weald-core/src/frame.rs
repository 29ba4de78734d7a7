//! Where a grid lies on the plane.

/// The rectangle of land a map covers, and how large one of its cells is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Side of a cell in metres.
    pub cell_m: f64,
    /// Position of the north-west corner in metres, x east and y south.
    pub origin: (f64, f64),
}

impl Frame {
    /// A frame at the origin.
    pub fn new(width: usize, height: usize, cell_m: f64) -> Self {
        Self { width, height, cell_m, origin: (0.0, 0.0) }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.width * self.height
    }
}
