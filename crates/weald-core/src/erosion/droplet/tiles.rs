//! A map in blocks of 4 × 4 cells, one cache line each.

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::par::{self, RowsMut};

/// Cells along the side of a block.
pub(super) const SIDE: usize = 4;

/// Cells of a block: with 32 bits each they fill a cache line.
pub(super) const BLOCK: usize = SIDE * SIDE;

/// Blocks across a strip.
pub(super) const ACROSS: usize = 8;

/// Columns of a strip.
pub(super) const STRIP: usize = SIDE * ACROSS;

/// A map in blocks of 4 × 4 cells. Blocks are stored row after row in strips of [`STRIP`] columns, and strips one after the
/// other: the cells that a droplet and its brush touch are close together in cache lines and in pages of memory (a page holds
/// 32 × 32 cells). On a map of 4096 columns, rows of an ordinary grid are four pages apart.
pub(super) struct Tiles<T> {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Number of cells before the first block, so that it starts on a cache line.
    skipped: usize,
    cells: Vec<T>,
}

impl<T: Copy + Default + Send + Sync> Tiles<T> {
    /// A map of zeros, with room for one more block than necessary along both sides, so that a square of blocks around a brush
    /// on the map never extends beyond the memory.
    pub(super) fn new(width: usize, height: usize) -> Self {
        let strips = (width / SIDE + 2).div_ceil(ACROSS);
        let cells = vec![T::default(); strips * Self::strip_of(height) + BLOCK];
        // The alignment of memory affects the speed and nothing else.
        let skipped = cells.as_ptr().align_offset(64).min(BLOCK);
        Self { width, height, skipped, cells }
    }

    fn strip_of(height: usize) -> usize {
        (height / SIDE + 2) * ACROSS * BLOCK
    }

    /// Cells of a strip.
    pub(super) fn strip(&self) -> usize {
        Self::strip_of(self.height)
    }

    /// Index within a strip of the cells of row `y` and block `i`.
    #[inline(always)]
    fn part(y: usize, i: usize) -> usize {
        (y / SIDE * ACROSS + i) * BLOCK + y % SIDE * SIDE
    }

    /// Copies the cells of a grid.
    pub(super) fn of(grid: &Grid<T>, ctx: &Ctx) -> Result<Self> {
        let mut tiles = Self::new(grid.width(), grid.height());
        let width = grid.width();
        par::for_rows(tiles.strips_mut(), ctx, |s, strip| {
            for y in 0..grid.height() {
                let cells = &grid.row(y)[(s * STRIP).min(width)..((s + 1) * STRIP).min(width)];
                for (i, cells) in cells.chunks(SIDE).enumerate() {
                    strip[Self::part(y, i)..][..cells.len()].copy_from_slice(cells);
                }
            }
        })?;
        Ok(tiles)
    }

    /// Copies the cells of row `y`.
    pub(super) fn copy_row(&self, y: usize, row: &mut [T]) {
        for (strip, part) in self.cells().chunks_exact(self.strip()).zip(row.chunks_mut(STRIP)) {
            for (i, cells) in part.chunks_mut(SIDE).enumerate() {
                cells.copy_from_slice(&strip[Self::part(y, i)..][..cells.len()]);
            }
        }
    }

    pub(super) fn cells(&self) -> &[T] {
        &self.cells[self.skipped..][..self.cells.len() - BLOCK]
    }

    /// The strips, mutable.
    pub(super) fn strips_mut(&mut self) -> RowsMut<'_, T> {
        let (strip, all) = (self.strip(), self.cells.len() - BLOCK);
        RowsMut::new(strip, &mut self.cells[self.skipped..][..all])
    }

    /// Read access to single cells.
    #[inline(always)]
    pub(super) fn lookup(&self) -> Lookup<'_, T> {
        Lookup { strip: self.strip() as u32, cells: self.cells() }
    }
}

/// Reads single cells. The index of a cell is the sum of a term of its column and a term of its row.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'a, T> {
    strip: u32,
    cells: &'a [T],
}

impl<T: Copy> Lookup<'_, T> {
    #[inline(always)]
    fn column(self, x: u32) -> u32 {
        x / STRIP as u32 * self.strip + x / SIDE as u32 % ACROSS as u32 * BLOCK as u32 + x % SIDE as u32
    }

    #[inline(always)]
    fn row(self, y: u32) -> u32 {
        y / SIDE as u32 * (ACROSS * BLOCK) as u32 + y % SIDE as u32 * SIDE as u32
    }

    /// Index of the cell (x, y).
    #[inline(always)]
    pub(super) fn place(self, x: u32, y: u32) -> u32 {
        self.column(x) + self.row(y)
    }

    /// Indices of the cells (x, y), (x + 1, y), (x, y + 1) and (x + 1, y + 1).
    #[inline(always)]
    pub(super) fn corners(self, x: u32, y: u32) -> [u32; 4] {
        let (west, east, north, south) = (self.column(x), self.column(x + 1), self.row(y), self.row(y + 1));
        [west + north, east + north, west + south, east + south]
    }

    /// The cell at an index.
    #[inline(always)]
    pub(super) fn at(self, place: u32) -> T {
        self.cells[place as usize]
    }
}
