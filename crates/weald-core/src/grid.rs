//! A rectangle of cells in row-major order.
//!
//! ```
//! use weald_core::Grid;
//!
//! let cone = Grid::from_fn(5, 5, |x, y| 4.0 - x.abs_diff(2).max(y.abs_diff(2)) as f32);
//! assert_eq!(cone[(2, 2)], 4.0);
//! assert_eq!(cone.row(0), [2.0; 5]);
//! ```

use std::ops::{Index, IndexMut};

/// Cells in row-major order: row 0 is the northern edge, column 0 the western edge.
#[doc(alias = "raster")]
#[doc(alias = "heightmap")]
#[doc(alias = "matrix")]
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<T> {
    width: usize,
    height: usize,
    cells: Vec<T>,
}

impl<T> Default for Grid<T> {
    /// A grid without cells.
    fn default() -> Self {
        Self { width: 0, height: 0, cells: Vec::new() }
    }
}

impl<T> Grid<T> {
    /// A grid of these cells, row after row; there must be `width * height` of them.
    ///
    /// # Panics
    /// If the number of cells is not `width * height`.
    pub fn from_vec(width: usize, height: usize, cells: Vec<T>) -> Self {
        assert_eq!(cells.len(), width * height, "a {width}x{height} grid needs {} cells", width * height);
        Self { width, height, cells }
    }

    /// A grid whose cell at column `x` and row `y` is `cell(x, y)`, computed row by row on one thread. To compute rows in
    /// parallel see [`crate::par::fill`].
    ///
    /// ```
    /// use weald_core::Grid;
    ///
    /// let grid = Grid::from_fn(3, 2, |x, y| 10 * y + x);
    /// assert_eq!(grid.cells(), [0, 1, 2, 10, 11, 12]);
    /// ```
    pub fn from_fn(width: usize, height: usize, mut cell: impl FnMut(usize, usize) -> T) -> Self {
        let mut cells = Vec::with_capacity(width * height);
        for y in 0..height {
            cells.extend((0..width).map(|x| cell(x, y)));
        }
        Self { width, height, cells }
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of columns and number of rows.
    ///
    /// ```
    /// use weald_core::Grid;
    ///
    /// assert_eq!(Grid::filled(3, 2, 0u8).shape(), (3, 2));
    /// ```
    #[doc(alias = "size")]
    #[doc(alias = "dimensions")]
    pub fn shape(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether the grid has no cells.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All cells, row after row.
    pub fn cells(&self) -> &[T] {
        &self.cells
    }

    /// All cells, row after row, mutable.
    pub fn cells_mut(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// The cell at column `x` and row `y`, or `None` outside the grid.
    ///
    /// ```
    /// use weald_core::Grid;
    ///
    /// let grid = Grid::from_vec(2, 1, vec!['a', 'b']);
    /// assert_eq!(grid.get(1, 0), Some(&'b'));
    /// assert_eq!(grid.get(2, 0), None);
    /// assert_eq!(grid.get(0, 1), None);
    /// ```
    #[inline]
    pub fn get(&self, x: usize, y: usize) -> Option<&T> {
        if x < self.width && y < self.height { Some(&self.cells[y * self.width + x]) } else { None }
    }

    /// All cells with their positions, row after row.
    ///
    /// ```
    /// use weald_core::Grid;
    ///
    /// let grid = Grid::from_vec(2, 2, vec![3, 1, 4, 1]);
    /// let ones: Vec<_> = grid.iter().filter(|(_, value)| **value == 1).map(|(at, _)| at).collect();
    /// assert_eq!(ones, [(1, 0), (1, 1)]);
    /// ```
    #[doc(alias = "enumerate")]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = ((usize, usize), &T)> {
        let width = self.width;
        self.cells.iter().enumerate().map(move |(i, cell)| ((i % width, i / width), cell))
    }

    /// A grid of the same shape whose cells are `change` of the cells of this one, computed on one thread.
    ///
    /// ```
    /// use weald_core::Grid;
    ///
    /// let height = Grid::from_vec(3, 1, vec![-2.0f32, 0.5, 7.0]);
    /// let land = height.map(|&h| (h > 0.0) as u8);
    /// assert_eq!(land.cells(), [0, 1, 1]);
    /// ```
    pub fn map<U>(&self, change: impl FnMut(&T) -> U) -> Grid<U> {
        Grid { width: self.width, height: self.height, cells: self.cells.iter().map(change).collect() }
    }

    /// The cells, row after row; the grid is consumed.
    pub fn into_vec(self) -> Vec<T> {
        self.cells
    }

    /// Row `y`.
    pub fn row(&self, y: usize) -> &[T] {
        &self.cells[y * self.width..(y + 1) * self.width]
    }

    /// Row `y`, mutable.
    pub fn row_mut(&mut self, y: usize) -> &mut [T] {
        &mut self.cells[y * self.width..(y + 1) * self.width]
    }

    /// Whether a position lies on the grid; positions may be negative.
    pub fn contains(&self, x: i64, y: i64) -> bool {
        x >= 0 && y >= 0 && (x as u64) < self.width as u64 && (y as u64) < self.height as u64
    }

    /// Whether a cell of the grid lies on its border.
    pub fn on_border(&self, x: usize, y: usize) -> bool {
        x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.height
    }
}

impl<T: Clone> Grid<T> {
    /// A grid that has the same value everywhere.
    pub fn filled(width: usize, height: usize, value: T) -> Self {
        Self { width, height, cells: vec![value; width * height] }
    }
}

/// The cell at `(x, y)`: column first.
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
    /// Bilinear interpolation at (x, y), in cells from the centre of the first cell. Positions outside the grid take the
    /// value at the nearest point of its edge.
    ///
    /// ```
    /// use weald_core::Grid;
    ///
    /// let grid = Grid::from_vec(2, 2, vec![0.0f32, 2.0, 4.0, 6.0]);
    /// assert_eq!(grid.bilinear(0.5, 0.5), 3.0);
    /// assert_eq!(grid.bilinear(9.0, 0.0), 2.0);
    /// ```
    ///
    /// # Panics
    /// If the grid is empty.
    #[doc(alias = "interpolate")]
    #[doc(alias = "sample")]
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
    fn positions_come_with_their_cells_on_empty_and_filled_grids() {
        let g = Grid::from_fn(3, 2, |x, y| (x, y));
        assert!(g.iter().all(|(at, cell)| at == *cell && g.get(at.0, at.1) == Some(cell)));
        assert_eq!(g.map(|&(x, y)| 3 * y + x).cells(), [0, 1, 2, 3, 4, 5]);
        for (w, h) in [(0, 3), (3, 0), (0, 0)] {
            let empty = Grid::from_fn(w, h, |_, _| 0u8);
            assert!(empty.iter().next().is_none() && empty.get(0, 0).is_none() && empty.shape() == (w, h));
        }
    }

    #[test]
    fn between_cells_a_plane_stays_a_plane_and_edges_go_on() {
        let plane = Grid::from_fn(4, 3, |x, y| x as f32 * 2.0 + y as f32);
        assert_eq!(plane.bilinear(1.25, 0.5), 3.0);
        assert_eq!((plane.bilinear(-9.0, -9.0), plane.bilinear(99.0, 99.0)), (0.0, 8.0));
    }
}
