//! Maps that are computed in tiles, with the same bits as the whole map.
//!
//! What reaches over the whole map is computed in two passes, each of which sees one tile at a time (Barnes 2016,
//! doi:10.1016/j.cageo.2016.07.001; Barnes 2017, doi:10.1016/j.envsoft.2017.02.022). The first pass tells what a tile does to
//! what crosses its border, in a summary of about the length of that border. The summaries of all tiles are merged, which
//! gives every tile its *share*: what reaches it from outside. The second pass computes the tile from its cells and its share.
//! Neither the side of the tiles nor the order in which they are visited changes a bit.
//!
//! | what | summary of a tile | merged | second pass |
//! | --- | --- | --- | --- |
//! | [`fill`](mod@fill): filled depressions | [`fill::Spill`] | [`fill::levels`] | [`fill::filled`] |
//! | [`flats`]: D8 over the filled surface | [`flats::directions`] | [`flats::cross`] | [`flats::Crossing::apply`] |
//! | [`flow`]: accumulation | [`flow::Links`] | [`flow::inflows`] | [`flow::accumulation`] |
//! | [`drainage`]: graded ground, accumulation, basins | [`drainage::Drainage`] | [`drainage::merge`] | [`drainage::Share::apply`] |
//! | [`rank`]: the k-th smallest number | [`rank::coarse`], then [`rank::fine`] | [`rank::Counts::find`] | |
//! | [`regions`]: connected regions | [`regions::Regions`] | [`regions::merge`] | [`regions::Numbers::apply`] |
//!
//! Distances from few cells to far sources come from a tree of all sources ([`sites`]). What reaches only so many cells needs no summary: it is computed on a window that is larger than its tile by as many cells
//! ([`Tiles::padded`]).

pub mod drainage;
pub mod fill;
pub mod flats;
pub mod flow;
mod pack;
pub mod rank;
pub mod regions;
pub mod sites;

pub use pack::{Pack, Reader};

use crate::dir8::Dir8;
use crate::grid::Grid;

/// A rectangle of cells of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its first column.
    pub x: usize,
    /// Its first row.
    pub y: usize,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

impl Window {
    /// Columns and rows.
    pub fn shape(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Whether it has the cell (x, y) of the map.
    pub fn contains(&self, x: usize, y: usize) -> bool {
        (self.x..self.x + self.width).contains(&x) && (self.y..self.y + self.height).contains(&y)
    }

    /// The cells that two windows share, if there are any.
    ///
    /// ```
    /// use weald_core::tiled::Window;
    ///
    /// let window = |x, y, width, height| Window { x, y, width, height };
    /// assert_eq!(window(0, 0, 4, 4).common(&window(3, 1, 9, 2)), Some(window(3, 1, 1, 2)));
    /// assert_eq!(window(0, 0, 4, 4).common(&window(4, 0, 4, 4)), None);
    /// ```
    #[doc(alias = "intersection")]
    pub fn common(&self, other: &Window) -> Option<Window> {
        let run = |a: usize, n: usize, b: usize, m: usize| {
            let (first, end) = (a.max(b), (a + n).min(b + m));
            (first < end).then(|| (first, end - first))
        };
        let (x, width) = run(self.x, self.width, other.x, other.width)?;
        let (y, height) = run(self.y, self.height, other.y, other.height)?;
        Some(Window { x, y, width, height })
    }

    /// The part `inner` of a grid of this window. It must lie inside.
    ///
    /// ```
    /// use weald_core::{Grid, tiled::Window};
    ///
    /// let window = |x, y, width, height| Window { x, y, width, height };
    /// let grid = Grid::from_fn(4, 3, |x, y| 10 * (y + 5) + x + 2);
    /// let part = window(2, 5, 4, 3).crop(&grid, window(3, 6, 2, 1));
    /// assert_eq!(part.cells(), [63, 64]);
    /// ```
    pub fn crop<T: Copy>(&self, grid: &Grid<T>, inner: Window) -> Grid<T> {
        assert_eq!(self.shape(), grid.shape(), "the grid must have the shape of its window");
        let columns = inner.x - self.x..inner.x - self.x + inner.width;
        let mut cells = Vec::with_capacity(inner.width * inner.height);
        for y in inner.y..inner.y + inner.height {
            cells.extend_from_slice(&grid.row(y - self.y)[columns.clone()]);
        }
        Grid::from_vec(inner.width, inner.height, cells)
    }
}

/// A map that is cut into square tiles; the last ones of a row and of a column may be smaller. Tiles are numbered row by row.
///
/// ```
/// use weald_core::tiled::{Tiles, Window};
///
/// let tiles = Tiles::new(100, 50, 40);
/// assert_eq!((tiles.across(), tiles.down(), tiles.count()), (3, 2, 6));
/// assert_eq!(tiles.window(5), Window { x: 80, y: 40, width: 20, height: 10 });
/// assert_eq!(tiles.padded(5, 3), Window { x: 77, y: 37, width: 23, height: 13 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// Columns of the map.
    pub width: usize,
    /// Rows of the map.
    pub height: usize,
    /// Side of a tile.
    pub side: usize,
}

impl Tiles {
    /// A map of so many columns and rows in tiles of `side` cells.
    ///
    /// # Panics
    /// If a number is 0.
    pub fn new(width: usize, height: usize, side: usize) -> Self {
        assert!(width > 0 && height > 0 && side > 0, "a map in tiles has cells");
        Self { width, height, side }
    }

    /// Tiles in a row of tiles.
    pub fn across(&self) -> usize {
        self.width.div_ceil(self.side)
    }

    /// Rows of tiles.
    pub fn down(&self) -> usize {
        self.height.div_ceil(self.side)
    }

    /// Number of tiles.
    pub fn count(&self) -> usize {
        self.across() * self.down()
    }

    /// Columns and rows of the map.
    pub fn shape(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The cells of tile `k`.
    pub fn window(&self, k: usize) -> Window {
        self.padded(k, 0)
    }

    /// The cells of tile `k` and those at most `pad` cells away that lie on the map.
    pub fn padded(&self, k: usize, pad: usize) -> Window {
        let (tx, ty) = (k % self.across() * self.side, k / self.across() * self.side);
        let (x, y) = (tx.saturating_sub(pad), ty.saturating_sub(pad));
        let (right, bottom) =
            ((tx + self.side + pad).min(self.width), (ty + self.side + pad).min(self.height));
        Window { x, y, width: right - x, height: bottom - y }
    }

    /// The tile that has the cell (x, y).
    pub fn of(&self, x: usize, y: usize) -> usize {
        y / self.side * self.across() + x / self.side
    }

    /// The number of a cell on the map, row by row.
    pub fn cell(&self, x: usize, y: usize) -> u64 {
        y as u64 * self.width as u64 + x as u64
    }

    /// Column and row of a cell by its number.
    pub fn place(&self, cell: u64) -> (usize, usize) {
        ((cell % self.width as u64) as usize, (cell / self.width as u64) as usize)
    }

    /// Whether the cell (x, y) lies on the border of the map.
    pub fn on_border(&self, x: usize, y: usize) -> bool {
        x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.height
    }

    /// Calls `visit(border cell, direction, other tile, its border cell)` for every pair of neighbouring cells of which one lies on the
    /// border of tile `k` and the other on that of another tile.
    pub fn pairs(&self, k: usize, mut visit: impl FnMut(usize, Dir8, usize, usize)) {
        let window = self.window(k);
        for (i, (x, y)) in Border::of(&window).cells().enumerate() {
            for d in Dir8::ALL {
                if let Some((nx, ny)) = self.step(window.x + x, window.y + y, d)
                    && !window.contains(nx, ny)
                {
                    let (other, at) = self.border_cell(nx, ny);
                    visit(i, d, other, at);
                }
            }
        }
    }

    /// The cell that a step from (x, y) leads to, if it lies on the map.
    pub fn step(&self, x: usize, y: usize, d: Dir8) -> Option<(usize, usize)> {
        let (x, y) = (x.checked_add_signed(d.dx() as isize)?, y.checked_add_signed(d.dy() as isize)?);
        (x < self.width && y < self.height).then_some((x, y))
    }

    /// The tile of the cell (x, y) and the number of the cell on the border of that tile, where it must lie.
    fn border_cell(&self, x: usize, y: usize) -> (usize, usize) {
        let tile = self.of(x, y);
        let window = self.window(tile);
        let at = Border::of(&window).index(x - window.x, y - window.y);
        (tile, at.expect("the cell lies on the border of its tile"))
    }

    /// The cells around tile `k` that lie on the map, row by row: those of [`Tiles::padded`] by 1 that the tile does not have.
    pub fn ring(&self, k: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (window, outer) = (self.window(k), self.padded(k, 1));
        let rows = outer.y..outer.y + outer.height;
        let border = move |(x, y): &(usize, usize)| !window.contains(*x, *y);
        rows.flat_map(move |y| {
            let inside = window.contains(window.x, y);
            // Of a row of the tile only the two ends lie outside.
            let step = if inside && outer.width > 1 { outer.width - 1 } else { 1 };
            (outer.x..outer.x + outer.width).step_by(step).map(move |x| (x, y))
        })
        .filter(border)
    }
}

/// The border of a rectangle: its outermost cells, numbered row by row.
///
/// ```
/// use weald_core::tiled::Border;
///
/// let border = Border::new(4, 3);
/// assert_eq!(border.len(), 10);
/// assert_eq!((border.index(3, 0), border.index(0, 1), border.index(3, 1), border.index(0, 2)), (Some(3), Some(4), Some(5), Some(6)));
/// assert_eq!(border.index(1, 1), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    width: usize,
    height: usize,
}

impl Border {
    /// That of a rectangle of so many columns and rows.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height }
    }

    /// That of a window.
    pub fn of(window: &Window) -> Self {
        Self::new(window.width, window.height)
    }

    /// Number of cells.
    #[expect(clippy::len_without_is_empty, reason = "a rectangle has cells")]
    pub fn len(&self) -> usize {
        self.start(self.height)
    }

    /// Border cells in the rows before row `y`.
    fn start(&self, y: usize) -> usize {
        let sides = self.width.min(2);
        match y {
            0 => 0,
            y if y == self.height && y > 1 => 2 * self.width + (y - 2) * sides,
            y => self.width + (y - 1) * sides,
        }
    }

    /// The number of the cell (x, y), if it lies on the border.
    pub fn index(&self, x: usize, y: usize) -> Option<usize> {
        let within = match x {
            _ if y == 0 || y + 1 == self.height => x,
            0 => 0,
            x if x + 1 == self.width => 1,
            _ => return None,
        };
        Some(self.start(y) + within)
    }

    /// Column and row of each cell, in order.
    pub fn cells(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.height).flat_map(move |y| {
            let whole = y == 0 || y + 1 == self.height || self.width < 2;
            let step = if whole { 1 } else { self.width - 1 };
            (0..self.width).step_by(step).map(move |x| (x, y))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_border_numbers_its_cells_row_by_row_and_knows_no_others(w in 1usize..9, h in 1usize..9) {
            let border = Border::new(w, h);
            let cells: Vec<_> = (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).collect();
            let outer = |&(x, y): &(usize, usize)| x == 0 || y == 0 || x + 1 == w || y + 1 == h;
            let expected: Vec<_> = cells.iter().copied().filter(outer).collect();
            prop_assert_eq!(border.cells().collect::<Vec<_>>(), expected.clone());
            prop_assert_eq!(border.len(), expected.len());
            for cell in cells {
                prop_assert_eq!(border.index(cell.0, cell.1), expected.iter().position(|c| *c == cell));
            }
        }

        #[test]
        fn tiles_cover_every_cell_once_and_their_rings_are_the_cells_around_them(
            w in 1usize..20, h in 1usize..20, side in 1usize..9
        ) {
            let tiles = Tiles::new(w, h, side);
            let mut seen = Grid::filled(w, h, 0);
            for k in 0..tiles.count() {
                let window = tiles.window(k);
                for (x, y) in (window.y..window.y + window.height)
                    .flat_map(|y| (window.x..window.x + window.width).map(move |x| (x, y)))
                {
                    seen[(x, y)] += 1;
                    prop_assert_eq!(tiles.of(x, y), k);
                    prop_assert_eq!(tiles.place(tiles.cell(x, y)), (x, y));
                }
                let ring: Vec<_> = tiles.ring(k).collect();
                let near = |a: usize, from: usize, n: usize| a + 1 >= from && a <= from + n;
                let expected: Vec<_> = (0..h)
                    .flat_map(|y| (0..w).map(move |x| (x, y)))
                    .filter(|&(x, y)| {
                        near(x, window.x, window.width) && near(y, window.y, window.height) && !window.contains(x, y)
                    })
                    .collect();
                prop_assert_eq!(ring, expected);
            }
            prop_assert!(seen.cells().iter().all(|n| *n == 1));
        }

        #[test]
        fn every_pair_across_a_border_is_told_from_both_sides(w in 1usize..14, h in 1usize..14, side in 1usize..6) {
            let tiles = Tiles::new(w, h, side);
            let mut told = Vec::new();
            for k in 0..tiles.count() {
                tiles.pairs(k, |i, d, other, at| told.push((k, i, d, other, at)));
            }
            let mut expected = 0;
            for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
                for d in Dir8::ALL {
                    expected += tiles.step(x, y, d).is_some_and(|(nx, ny)| tiles.of(nx, ny) != tiles.of(x, y)) as usize;
                }
            }
            prop_assert_eq!(told.len(), expected);
            for &(k, i, d, other, at) in &told {
                prop_assert!(told.contains(&(other, at, d.opposite(), k, i)));
            }
        }
    }
}
