//! Extremes, quantiles, shares and histograms of grids, and straight lines through points.

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::par;
use crate::queue::{signed_key, signed_value};

/// Smallest and largest cell, or `None` for an empty grid. Reach: whole map. Cost: linear, rows in parallel.
///
/// ```
/// use weald_core::{Ctx, Grid, stats};
///
/// let grid = Grid::from_vec(2, 2, vec![3, -1, 4, 1]);
/// assert_eq!(stats::min_max(&grid, &Ctx::default())?, Some((-1, 4)));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "range")]
#[doc(alias = "extremes")]
pub fn min_max<T: Copy + PartialOrd + Send + Sync>(grid: &Grid<T>, ctx: &Ctx) -> Result<Option<(T, T)>> {
    let fold = |a: Option<(T, T)>, (lo, hi): (T, T)| match a {
        None => Some((lo, hi)),
        Some((l, h)) => Some((if lo < l { lo } else { l }, if hi > h { hi } else { h })),
    };
    let rows = par::map(grid.height(), ctx, |y| grid.row(y).iter().fold(None, |a, &v| fold(a, (v, v))))?;
    Ok(rows.into_iter().flatten().fold(None, fold))
}

/// Means of blocks of `step` by `step` cells; columns and rows that do not fill a block are left out. Reach: `step` cells.
/// Cost: linear, rows in parallel.
///
/// ```
/// use weald_core::{Ctx, Grid, stats};
///
/// let fine = Grid::from_fn(5, 4, |x, y| (x + 10 * y) as f32);
/// let coarse = stats::block_means(&fine, 2, &Ctx::default())?;
/// assert_eq!(coarse.cells(), [5.5, 7.5, 25.5, 27.5]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "downsample")]
#[doc(alias = "aggregate")]
#[doc(alias = "resample")]
pub fn block_means(grid: &Grid<f32>, step: usize, ctx: &Ctx) -> Result<Grid<f32>> {
    par::fill(grid.width() / step, grid.height() / step, ctx, |y, row: &mut [f32]| {
        for (x, out) in row.iter_mut().enumerate() {
            let rows = (y * step..(y + 1) * step).map(|y| &grid.row(y)[x * step..(x + 1) * step]);
            let sum: f64 = rows.flatten().map(|&v| v as f64).sum();
            *out = (sum / (step * step) as f64) as f32 + 0.0;
        }
    })
}

/// How many cells hold each byte value. Cost: linear.
///
/// ```
/// use weald_core::{Grid, stats};
///
/// let classes = Grid::from_vec(2, 2, vec![7u8, 0, 7, 7]);
/// let counts = stats::histogram(&classes);
/// assert_eq!((counts[0], counts[7], counts[9]), (1, 3, 0));
/// ```
pub fn histogram(grid: &Grid<u8>) -> [u64; 256] {
    let mut bins = [0; 256];
    grid.cells().iter().for_each(|&v| bins[v as usize] += 1);
    bins
}

/// Number of bins for one half of the bits of a value.
const BINS: usize = 1 << 16;

/// Copies of the bins, used in turn: neighbouring cells often fall into one bin, and an addition has to wait for the
/// previous one to the same bin.
const COPIES: usize = 4;

/// The least number of cells in a band; for smaller bands the bins cost more than they save.
const BAND: usize = 1 << 16;

/// At most this many upper halves of wanted values are counted in one pass.
const GROUP: usize = 8;

/// Sums of the bins that `count` fills for each of a few bands of cells.
fn bins(
    values: &Grid<f32>,
    len: usize,
    ctx: &Ctx,
    count: impl Fn(&[f32], &mut [u32]) + Sync,
) -> Result<Vec<u64>> {
    // Bands are few, because each has bins of its own, and counted in pieces, so that a cancelled run ends soon.
    let cells = values.cells();
    let size = cells.len().div_ceil(par::threads() * 4).max(BAND);
    let parts = par::map(cells.len().div_ceil(size), ctx, |i| {
        let mut bins = vec![0u32; len];
        for piece in cells[i * size..cells.len().min((i + 1) * size)].chunks(1 << 20) {
            ctx.checkpoint()?;
            count(piece, &mut bins);
        }
        Ok(bins)
    })?;
    let mut sums = vec![0u64; len];
    for part in parts {
        sums.iter_mut().zip(part?).for_each(|(sum, n)| *sum += n as u64);
    }
    Ok(sums)
}

/// The bin that holds the `k`-th of what was counted, and its rank within that bin.
fn bin_of(bins: impl Iterator<Item = u64>, mut k: u64) -> (usize, u64) {
    for (bin, n) in bins.enumerate() {
        if k < n {
            return (bin, k);
        }
        k -= n;
    }
    unreachable!("the ranks are below the number of cells")
}

/// The `ks`-th smallest cells, counted from 0; see [`kth`].
fn kths(values: &Grid<f32>, ks: &[usize], ctx: &Ctx) -> Result<Vec<f32>> {
    let n = values.len();
    assert!(ks.iter().all(|&k| k < n), "there is no cell {ks:?} among {n}");
    let upper = bins(values, COPIES * BINS, ctx, |cells, bins| {
        let (chunks, rest) = cells.as_chunks::<COPIES>();
        let bins: &mut [u32; COPIES * BINS] = bins.try_into().expect("the length asked for");
        for chunk in chunks {
            for (copy, &v) in chunk.iter().enumerate() {
                bins[copy * BINS + (signed_key(v) >> 16) as usize] += 1;
            }
        }
        rest.iter().for_each(|&v| bins[(signed_key(v) >> 16) as usize] += 1);
    })?;
    let upper = |bin: usize| (0..COPIES).map(|copy| upper[copy * BINS + bin]).sum::<u64>();
    let ranks: Vec<(usize, u64)> = ks.iter().map(|&k| bin_of((0..BINS).map(upper), k as u64)).collect();
    let mut uppers: Vec<usize> = ranks.iter().map(|r| r.0).collect();
    uppers.sort_unstable();
    uppers.dedup();
    let mut found = vec![0f32; ks.len()];
    for group in uppers.chunks(GROUP) {
        // Slot of each upper half; all that are not wanted share the slot after the last.
        let mut slots = vec![group.len() as u8; BINS];
        group.iter().enumerate().for_each(|(slot, &upper)| slots[upper] = slot as u8);
        let lower = bins(values, group.len() * BINS, ctx, |cells, bins| {
            for &v in cells {
                let key = signed_key(v);
                let slot = slots[(key >> 16) as usize] as usize;
                if slot < group.len() {
                    bins[slot * BINS + (key & 0xFFFF) as usize] += 1;
                }
            }
        })?;
        for (found, &(upper, rank)) in found.iter_mut().zip(&ranks) {
            if let Ok(slot) = group.binary_search(&upper) {
                let (low, _) = bin_of(lower[slot * BINS..][..BINS].iter().copied(), rank);
                *found = signed_value((upper as u32) << 16 | low as u32);
            }
        }
    }
    Ok(found)
}

/// The `k`-th smallest cell, counted from 0: what sorting would leave at index `k`. The result is never −0, which counts
/// as 0. The grid must not contain NaN.
///
/// A radix selection: cells are counted by the upper 16 bits of an integer that sorts like the value; then those that share
/// the upper half with the wanted cell are counted by the lower 16 bits. Reach: whole map. Cost: two linear passes, bands in
/// parallel, without a copy of the cells.
///
/// ```
/// use weald_core::{Ctx, Grid, stats};
///
/// let grid = Grid::from_vec(5, 1, vec![2.5, -1.0, 9.0, 0.0, 4.0]);
/// assert_eq!(stats::kth(&grid, 3, &Ctx::default())?, 4.0);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If there are at most `k` cells.
#[doc(alias = "order statistic")]
#[doc(alias = "selection")]
pub fn kth(values: &Grid<f32>, k: usize, ctx: &Ctx) -> Result<f32> {
    Ok(kths(values, &[k], ctx)?[0])
}

/// Index of the quantile of `share` in `n` sorted values.
fn rank(share: f64, n: usize) -> usize {
    assert!((0.0..=1.0).contains(&share), "a share of {share} is not between 0 and 1");
    ((share * n as f64).ceil() as usize).clamp(1, n.max(1)) - 1
}

/// The quantile of `share` (0 to 1) by the nearest rank: the ⌈share · n⌉-th smallest of n cells, and the smallest for 0. At
/// least that share of the cells is at most the quantile. Reach: whole map. Cost: that of [`kth`].
///
/// ```
/// use weald_core::{Ctx, Grid, stats};
///
/// let grid = Grid::from_fn(100, 1, |x, _| x as f32);
/// assert_eq!(stats::quantile(&grid, 0.9, &Ctx::default())?, 89.0);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If the grid is empty, or the share is outside [0, 1].
#[doc(alias = "percentile")]
#[doc(alias = "median")]
pub fn quantile(values: &Grid<f32>, share: f64, ctx: &Ctx) -> Result<f32> {
    kth(values, rank(share, values.len()), ctx)
}

/// The [`quantile`] of each of `shares`, at hardly more than the cost of one. Reach: whole map.
///
/// ```
/// use weald_core::{Ctx, Grid, stats};
///
/// let grid = Grid::from_fn(10, 10, |x, y| (10 * y + x) as f32);
/// let quartiles = stats::percentiles(&grid, &[0.25, 0.5, 0.75], &Ctx::default())?;
/// assert_eq!(quartiles, [24.0, 49.0, 74.0]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If there are shares and the grid is empty, or a share is outside [0, 1].
pub fn percentiles(values: &Grid<f32>, shares: &[f64], ctx: &Ctx) -> Result<Vec<f32>> {
    let ks: Vec<usize> = shares.iter().map(|&share| rank(share, values.len())).collect();
    kths(values, &ks, ctx)
}

/// The share of cells that are at most `limit`; 0 for an empty grid. Reach: whole map. Cost: linear, rows in parallel.
///
/// ```
/// use weald_core::{Ctx, Grid, stats};
///
/// let slopes = Grid::from_vec(4, 1, vec![0.02, 0.05, 0.3, 0.6]);
/// assert_eq!(stats::share_below(&slopes, 0.05, &Ctx::default())?, 0.5);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "cumulative distribution")]
pub fn share_below(values: &Grid<f32>, limit: f32, ctx: &Ctx) -> Result<f64> {
    let rows = par::map(
        values.height(),
        ctx,
        #[inline(always)]
        |y| values.row(y).iter().map(|&v| (v <= limit) as u32).sum::<u32>(),
    )?;
    let below: u64 = rows.into_iter().map(u64::from).sum();
    Ok(below as f64 / values.len().max(1) as f64)
}

/// A straight line y = intercept + slope · x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Straight {
    /// What y gains when x grows by 1.
    pub slope: f64,
    /// y at x = 0.
    pub intercept: f64,
}

/// The straight line through `points` (x, y) by least squares: slope = Σ(x − x̄)(y − ȳ) / Σ(x − x̄)², and it passes through the
/// means (x̄, ȳ). `None` if all x are equal, or for fewer than two points. Sums run in the order of the points.
///
/// ```
/// use weald_core::stats;
///
/// let line = stats::least_squares(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]).unwrap();
/// assert_eq!((line.slope, line.intercept), (2.0, 1.0));
/// assert_eq!(stats::least_squares(&[(1.0, 0.0), (1.0, 5.0)]), None);
/// ```
#[doc(alias = "linear regression")]
#[doc(alias = "fit")]
pub fn least_squares(points: &[(f64, f64)]) -> Option<Straight> {
    let n = points.len() as f64;
    let (sum_x, sum_y) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
    let (mean_x, mean_y) = (sum_x / n, sum_y / n);
    let (xx, xy) = points.iter().fold((0.0, 0.0), |s, p| {
        let (dx, dy) = (p.0 - mean_x, p.1 - mean_y);
        (s.0 + dx * dx, s.1 + dx * dy)
    });
    (xx > 0.0).then(|| Straight { slope: xy / xx, intercept: mean_y - xy / xx * mean_x })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn extremes_of_rows_are_joined() {
        let g = Grid::from_vec(2, 3, vec![3.0f32, 1.0, 4.0, 1.5, -9.0, 2.0]);
        assert_eq!(min_max(&g, &Ctx::default()).unwrap(), Some((-9.0, 4.0)));
        assert_eq!(min_max(&Grid::<u8>::from_vec(0, 0, vec![]), &Ctx::default()).unwrap(), None);
    }

    #[test]
    fn a_block_is_the_mean_of_its_cells_and_a_rest_is_left_out() {
        let grid = Grid::from_vec(5, 2, (0..10).map(|v| v as f32).collect());
        let blocks = block_means(&grid, 2, &Ctx::default()).unwrap();
        assert_eq!((blocks.width(), blocks.height(), blocks.cells()), (2, 1, [3.0, 5.0].as_slice()));
    }

    #[test]
    fn no_other_line_has_smaller_squares() {
        let points = [(0.0, 1.0), (1.0, 0.5), (2.0, 4.0), (5.0, 3.0), (5.0, 7.0)];
        let squares = |l: Straight| -> f64 {
            points.iter().map(|p| p.1 - l.intercept - l.slope * p.0).map(|e| e * e).sum()
        };
        let best = least_squares(&points).unwrap();
        for (ds, di) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3), (1e-3, -1e-3)] {
            let other = Straight { slope: best.slope + ds, intercept: best.intercept + di };
            assert!(squares(other) > squares(best), "{other:?}");
        }
        assert_eq!(least_squares(&[]), None);
    }

    #[test]
    fn a_histogram_counts_every_cell() {
        let h = histogram(&Grid::from_vec(2, 2, vec![1, 1, 0, 255]));
        assert_eq!((h[0], h[1], h[255], h.iter().sum::<u64>()), (1, 2, 1, 4));
    }

    /// Few distinct values, so that ties are common, and all kinds of them.
    fn cells() -> impl Strategy<Value = Vec<f32>> {
        let any = any::<f32>().prop_filter("NaN is no value", |v| !v.is_nan());
        let near = (-2i32..3).prop_map(|i| 1000.0 + i as f32 / 8192.0);
        let one = prop_oneof![Just(0.0f32), Just(-0.0f32), Just(-1.5f32), Just(f32::MIN_POSITIVE), near, any];
        proptest::collection::vec(one, 1..200)
    }

    fn sorted(cells: &[f32]) -> Vec<f32> {
        let mut sorted: Vec<f32> = cells.iter().map(|v| v + 0.0).collect();
        sorted.sort_by(f32::total_cmp);
        sorted
    }

    proptest! {
        #[test]
        fn the_kth_cell_is_what_sorting_leaves_there(cells in cells(), k: prop::sample::Index) {
            let (g, k) = (Grid::from_vec(cells.len(), 1, cells.clone()), k.index(cells.len()));
            let found = kth(&g, k, &Ctx::default()).unwrap();
            prop_assert_eq!(found.to_bits(), sorted(&cells)[k].to_bits());
        }

        #[test]
        fn percentiles_are_the_smallest_cells_that_enough_others_do_not_exceed(
            cells in cells(), shares in proptest::collection::vec(0.0f64..=1.0, 0..20)
        ) {
            let (g, ctx) = (Grid::from_vec(1, cells.len(), cells.clone()), Ctx::default());
            let found = percentiles(&g, &shares, &ctx).unwrap();
            prop_assert_eq!(found.len(), shares.len());
            for (&share, found) in shares.iter().zip(found) {
                let enough = |v: f32| cells.iter().filter(|&&c| c <= v).count() as f64 >= share * cells.len() as f64;
                let smallest = sorted(&cells).into_iter().find(|&v| enough(v)).unwrap();
                prop_assert_eq!(found, smallest);
            }
        }

        #[test]
        fn the_share_below_counts_cells(cells in cells(), limit in -2.0f32..1001.0) {
            let g = Grid::from_vec(cells.len(), 1, cells.clone());
            let below = cells.iter().filter(|&&c| c <= limit).count();
            prop_assert_eq!(share_below(&g, limit, &Ctx::default()).unwrap(), below as f64 / cells.len() as f64);
        }
    }

    #[test]
    fn a_map_of_many_bands_has_the_median_of_its_formula() {
        // Four times a permutation of −32,768 to 32,768.
        let n = 65_537usize;
        let line = (0..n).map(|i| (i * 12_345 % n) as f32 - 32_768.0);
        let g = Grid::from_vec(n, 4, std::iter::repeat_n(line, 4).flatten().collect());
        let ctx = Ctx::default();
        assert_eq!(quantile(&g, 0.5, &ctx).unwrap(), 0.0);
        assert_eq!(percentiles(&g, &[0.0, 1.0], &ctx).unwrap(), [-32_768.0, 32_768.0]);
        assert_eq!(kth(&g, 400, &ctx).unwrap(), -32_668.0);
        assert_eq!(share_below(&g, -1.0, &ctx).unwrap(), 32_768.0 / 65_537.0);
    }

    #[test]
    fn a_single_cell_is_every_quantile_and_an_empty_map_has_no_share() {
        let (g, ctx) = (Grid::filled(1, 1, -7.5f32), Ctx::default());
        assert_eq!(percentiles(&g, &[0.0, 0.3, 1.0], &ctx).unwrap(), [-7.5; 3]);
        assert_eq!(share_below(&Grid::from_vec(0, 0, vec![]), 1.0, &ctx).unwrap(), 0.0);
    }

    #[test]
    #[should_panic(expected = "no cell [4] among 4")]
    fn a_rank_beyond_the_last_is_a_programmers_error() {
        let _ = kth(&Grid::filled(2, 2, 0.0), 4, &Ctx::default());
    }
}
