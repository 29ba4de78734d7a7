//! Overviews: cells of a level from the cells of the level below.

use super::cell::{Cell, typed};
use super::metadata::{LayerHead, Reduction};
use super::{Store, Window};
use crate::error::{Error, Result};
use weald_core::{AnyGrid, Ctx, Grid, par};

impl Store {
    /// Builds the tile at column `tx` and row `ty` of a level above 0, in every layer, from the two by two tiles of the level below, or as
    /// many of them as the map has. All of them must be there. Memory: the tile, and a strip of the tiles below.
    #[doc(alias = "pyramid")]
    #[doc(alias = "downsampling")]
    pub fn overview(&self, level: usize, tile: (usize, usize), ctx: &Ctx) -> Result<()> {
        let count = self.head().layers.len();
        for (k, layer) in self.head().layers.iter().enumerate() {
            self.overview_of(level, &layer.name, tile, ctx)?;
            ctx.tick(k + 1, count);
        }
        Ok(())
    }

    /// [`Store::overview`] for one layer.
    pub fn overview_of(&self, level: usize, layer: &str, tile: (usize, usize), ctx: &Ctx) -> Result<()> {
        let head = self.layer(layer)?;
        let window = self.tile_window(level, tile)?;
        if level == 0 {
            return Err(Error::Invalid(
                "level 0 is the map itself; overviews are the levels above it".into(),
            ));
        }
        let grid: AnyGrid =
            typed!(head.dtype, T => self.reduced::<T>(level, head, window, &ctx.quiet())?.into());
        self.write(level, layer, tile, &grid.cells(), &ctx.quiet())
    }

    /// A window of a level, made of the level below strip by strip, so that memory for two of its chunks' rows is enough.
    fn reduced<T: Cell>(&self, level: usize, head: &LayerHead, window: Window, ctx: &Ctx) -> Result<Grid<T>> {
        let (columns, rows) = self.shape(level - 1)?;
        let mut out = Grid::filled(window.width, window.height, T::default());
        let strip = self.head().chunk()?;
        for top in (0..window.height).step_by(strip) {
            let height = strip.min(window.height - top);
            let (x, y) = (2 * window.x, 2 * (window.y + top));
            let below = Window {
                x,
                y,
                width: (2 * window.width).min(columns - x),
                height: (2 * height).min(rows - y),
            };
            let mut cells = Grid::filled(below.width, below.height, T::default());
            self.read_into(level - 1, &head.name, below, &mut cells, ctx)?;
            let part = &mut out.cells_mut()[top * window.width..(top + height) * window.width];
            par::for_rows(par::RowsMut::new(window.width, part), ctx, |y, row: &mut [T]| {
                reduce_row(&cells, head.reduction, y, row);
            })?;
        }
        Ok(out)
    }
}

/// Row `y` of the overview of `cells`.
fn reduce_row<T: Cell>(cells: &Grid<T>, reduction: Reduction, y: usize, out: &mut [T]) {
    let north = cells.row(2 * y);
    let south = if 2 * y + 1 < cells.height() { cells.row(2 * y + 1) } else { &[] };
    for (x, out) in out.iter_mut().enumerate() {
        let pair = |row: &[T]| -> ([T; 2], usize) {
            match row.get(2 * x..) {
                Some([a, b, ..]) => ([*a, *b], 2),
                Some([a]) => ([*a, *a], 1),
                _ => ([T::default(); 2], 0),
            }
        };
        let ((a, n), (b, m)) = (pair(north), pair(south));
        let mut four = [a[0]; 4];
        four[..n].copy_from_slice(&a[..n]);
        four[n..n + m].copy_from_slice(&b[..m]);
        *out = reduce(&four[..n + m], reduction);
    }
}

/// One cell of one to four, which stand row by row.
fn reduce<T: Cell>(cells: &[T], reduction: Reduction) -> T {
    let number = |cell: &T| -> f64 { (*cell).into() };
    match reduction {
        Reduction::First => cells[0],
        // Zero first, so that negative zeros do not stay.
        Reduction::Mean => T::of(cells.iter().fold(0.0, |sum, cell| sum + number(cell)) / cells.len() as f64),
        Reduction::Maximum => {
            cells.iter().fold(cells[0], |most, &cell| if cell > most { cell } else { most })
        }
        Reduction::Mode => {
            let times = |of: &T| cells.iter().filter(|cell| *cell == of).count();
            cells[1..].iter().fold(cells[0], |best, &cell| {
                let (more, as_many) = (times(&cell) > times(&best), times(&cell) == times(&best));
                if more || as_many && cell < best { cell } else { best }
            })
        }
        Reduction::Union => T::of(cells.iter().fold(0i64, |all, cell| all | number(cell) as i64) as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_what_its_reduction_says_of_those_below() {
        assert_eq!(reduce(&[1.0f32, 2.0, 3.0, 5.0], Reduction::Mean), 2.75);
        assert_eq!(reduce(&[-0.0f32, -0.0], Reduction::Mean).to_bits(), 0);
        assert_eq!(reduce(&[1u8, 2, 2], Reduction::Mean), 2);
        assert_eq!(reduce(&[-5i32, -7, -6], Reduction::Maximum), -5);
        assert_eq!(reduce(&[4u16, 2, 2, 9], Reduction::First), 4);
        assert_eq!(reduce(&[4u8, 2, 2, 9], Reduction::Mode), 2);
        assert_eq!(reduce(&[4u8, 9, 2, 3], Reduction::Mode), 2);
        assert_eq!(reduce(&[7u8, 7, 2, 2], Reduction::Mode), 2);
        assert_eq!(reduce(&[1u8, 4, 4, 8], Reduction::Union), 13);
        assert_eq!(reduce(&[1u32 << 31, 4], Reduction::Union), 1 << 31 | 4);
        assert_eq!(reduce(&[-1i32, 4], Reduction::Union), -1);
    }
}
