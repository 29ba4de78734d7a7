//! A rectangle of cells in row-major order.

use std::ops::{Index, IndexMut};

/// Row-major cells: row 0 is the northern edge, column 0 the western one.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<T> {
    width: usize,
    height: usize,
    cells: Vec<T>,
}

impl<T> Grid<T> {
    /// Wraps `cells`, which must hold `width * height` values.
    ///
    /// # Panics
    /// If the number of cells does not fit the shape.
    pub fn from_vec(width: usize, height: usize, cells: Vec<T>) -> Self {
        assert_eq!(cells.len(), width * height, "a {width}x{height} grid needs {} cells", width * height);
        Self { width, height, cells }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no cell at all.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All cells, row after row.
    pub fn cells(&self) -> &[T] {
        &self.cells
    }

    /// All cells, to be changed in place.
    pub fn cells_mut(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// Gives the cells away.
    pub fn into_vec(self) -> Vec<T> {
        self.cells
    }

    /// Row `y`.
    pub fn row(&self, y: usize) -> &[T] {
        &self.cells[y * self.width..(y + 1) * self.width]
    }

    /// Row `y`, to be changed in place.
    pub fn row_mut(&mut self, y: usize) -> &mut [T] {
        &mut self.cells[y * self.width..(y + 1) * self.width]
    }

    /// Whether the signed position lies on the grid.
    pub fn contains(&self, x: i64, y: i64) -> bool {
        x >= 0 && y >= 0 && (x as u64) < self.width as u64 && (y as u64) < self.height as u64
    }
}

impl<T: Clone> Grid<T> {
    /// A grid with one value everywhere.
    pub fn filled(width: usize, height: usize, value: T) -> Self {
        Self { width, height, cells: vec![value; width * height] }
    }
}

/// By `(x, y)`.
impl<T> Index<(usize, usize)> for Grid<T> {
    type Output = T;
    fn index(&self, (x, y): (usize, usize)) -> &T {
        debug_assert!(x < self.width);
        &self.cells[y * self.width + x]
    }
}

impl<T> IndexMut<(usize, usize)> for Grid<T> {
    fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut T {
        debug_assert!(x < self.width);
        &mut self.cells[y * self.width + x]
    }
}

impl Grid<f32> {
    /// The value at a place between cells, in cells from the middle of the first one: linear along both axes, the
    /// nearest edge outside. There must be a cell.
    pub fn bilinear(&self, x: f64, y: f64) -> f64 {
        let (w, h) = (self.width() - 1, self.height() - 1);
        let (x, y) = (x.clamp(0.0, w as f64), y.clamp(0.0, h as f64));
        let (c, r) = (x as usize, y as usize);
        let (c1, r1) = ((c + 1).min(w), (r + 1).min(h));
        let row = |r: usize| {
            let (left, right) = (self[(c, r)] as f64, self[(c1, r)] as f64);
            left + (right - left) * (x - c as f64)
        };
        row(r) + (row(r1) - row(r)) * (y - r as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_slices_of_the_cells_and_indexing_is_x_then_y() {
        let g = Grid::from_vec(3, 2, vec![0, 1, 2, 3, 4, 5]);
        assert_eq!(g.row(1), [3, 4, 5]);
        assert_eq!(g[(2, 0)], 2);
        assert_eq!(g[(0, 1)], 3);
        assert!(g.contains(2, 1) && !g.contains(3, 0) && !g.contains(-1, 0) && !g.contains(0, 2));
    }

    #[test]
    #[should_panic(expected = "needs 6 cells")]
    fn a_wrong_number_of_cells_is_a_programmers_error() {
        let _ = Grid::from_vec(3, 2, vec![0; 5]);
    }

    #[test]
    fn between_cells_a_plane_stays_a_plane_and_edges_go_on() {
        let plane = Grid::from_vec(4, 3, (0..12).map(|i| (i % 4) as f32 * 2.0 + (i / 4) as f32).collect());
        assert_eq!(plane.bilinear(1.25, 0.5), 3.0);
        assert_eq!((plane.bilinear(-9.0, -9.0), plane.bilinear(99.0, 99.0)), (0.0, 8.0));
    }
}
