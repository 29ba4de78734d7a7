//! Extremes and shares of grids.

use crate::ctx::{Cancelled, Ctx};
use crate::grid::Grid;
use crate::par;

/// Smallest and largest cell, or `None` for an empty grid. Reach: whole map; rows in parallel.
pub fn min_max<T: Copy + PartialOrd + Send + Sync>(
    grid: &Grid<T>,
    ctx: &Ctx,
) -> Result<Option<(T, T)>, Cancelled> {
    let fold = |a: Option<(T, T)>, (lo, hi): (T, T)| match a {
        None => Some((lo, hi)),
        Some((l, h)) => Some((if lo < l { lo } else { l }, if hi > h { hi } else { h })),
    };
    let rows = par::map(grid.height(), ctx, |y| grid.row(y).iter().fold(None, |a, &v| fold(a, (v, v))))?;
    Ok(rows.into_iter().flatten().fold(None, fold))
}

/// How many cells hold each byte value.
pub fn histogram(grid: &Grid<u8>) -> [u64; 256] {
    let mut bins = [0; 256];
    grid.cells().iter().for_each(|&v| bins[v as usize] += 1);
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_of_rows_are_joined() {
        let g = Grid::from_vec(2, 3, vec![3.0f32, 1.0, 4.0, 1.5, -9.0, 2.0]);
        assert_eq!(min_max(&g, &Ctx::default()).unwrap(), Some((-9.0, 4.0)));
        assert_eq!(min_max(&Grid::<u8>::from_vec(0, 0, vec![]), &Ctx::default()).unwrap(), None);
    }

    #[test]
    fn a_histogram_counts_every_cell() {
        let h = histogram(&Grid::from_vec(2, 2, vec![1, 1, 0, 255]));
        assert_eq!((h[0], h[1], h[255], h.iter().sum::<u64>()), (1, 2, 1, 4));
    }
}
