//! The position of a grid on the plane.

/// The rectangle that a map covers, and the side of its cells.
///
/// ```
/// use weald_core::Frame;
///
/// let frame = Frame { origin: (100.0, 200.0), ..Frame::new(8, 4, 10.0) };
/// assert_eq!(frame.cells(), 32);
/// assert_eq!(frame.cell_centre(0, 0), (105.0, 205.0));
/// ```
#[doc(alias = "geotransform")]
#[doc(alias = "georeference")]
#[doc(alias = "extent")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Side of a cell in metres.
    pub cell_m: f64,
    /// Position of the north-west corner in metres, x east and y south.
    pub origin: (f64, f64),
}

impl Frame {
    /// A frame whose north-west corner is the origin.
    pub fn new(width: usize, height: usize, cell_m: f64) -> Self {
        Self { width, height, cell_m, origin: (0.0, 0.0) }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.width * self.height
    }

    /// Centre of the cell in column `x` and row `y`, in metres: origin + (i + ½) · cell along each axis.
    ///
    /// If the origin is a whole number of cells, k · cell rounded to f64, the centre is (k + i + ½) · cell, rounded once.
    /// Frames that share one lattice of cells therefore agree on the centres bit for bit.
    #[inline]
    pub fn cell_centre(&self, x: usize, y: usize) -> (f64, f64) {
        let along = |origin: f64, i: usize| {
            let (whole, i) = ((origin / self.cell_m).round(), i as f64 + 0.5);
            if whole * self.cell_m == origin { (whole + i) * self.cell_m } else { origin + i * self.cell_m }
        };
        (along(self.origin.0, x), along(self.origin.1, y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_a_whole_number_of_cells_apart_share_their_centres() {
        let cell_m = 0.1;
        let at = |k: f64| Frame { origin: (k * cell_m, -k * cell_m), ..Frame::new(9, 9, cell_m) };
        for k in 0..1000 {
            let (a, b) = (at(k as f64), at((k + 3) as f64));
            assert_eq!(a.cell_centre(5, 0).0, b.cell_centre(2, 0).0);
            assert_eq!(a.cell_centre(0, 2).1, b.cell_centre(0, 5).1);
        }
    }

    #[test]
    fn any_other_origin_is_added() {
        let frame = Frame { origin: (0.3, 7.25), ..Frame::new(4, 4, 2.0) };
        assert_eq!(frame.cell_centre(1, 0), (3.3, 8.25));
    }
}
