//! Octile distances: paths of straight and diagonal steps.

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::par;

/// Parts of a cell in which lengths are summed.
const STRAIGHT: u32 = 1 << 16;

/// √2 · 65,536, rounded.
const DIAGONAL: u32 = 92_682;

/// A length beyond that of any path, with room for one more step below 2³¹.
const FAR: u32 = (1 << 31) - 1 - DIAGONAL;

/// Rows between two checks for cancellation.
const ROWS: usize = 32;

/// Octile distance in cells to the nearest source: the length of the shortest path over eight neighbours, where a straight
/// step counts 1 and a diagonal step √2, max(|dx|, |dy|) + (√2 − 1)·min(|dx|, |dy|). Without a source every cell is
/// `width + height`.
///
/// Two sweeps (Borgefors 1986, doi:10.1016/S0734-189X(86)80047-0): southwards d(x, y) = min(d, step + d of W, NW, N, NE), then
/// northwards with the other four. Together they are exact. A shortest path has diagonal steps in one direction and straight
/// steps in one direction, in any order: steps to the east or south may come first, which the first sweep follows, then
/// steps to the west or north, which the second one follows. All orders lie in the rectangle between the two cells and so on
/// the map. Lengths are summed as integers, in parts of 1/65,536 of a cell with √2 = 92,682 parts, so that any order of the
/// same steps gives the same sum. On maps of 16,384 cells a side the result is within 0.026 cells of the exact one before it
/// is rounded to `f32`.
///
/// Reach: whole map. Cost: linear; `source` is called in parallel, the sweeps run on one thread.
///
/// ```
/// use weald_core::{Ctx, distance};
///
/// let distance = distance::octile(6, 4, &Ctx::default(), |cell| cell == 0)?;
/// assert_eq!(distance[(5, 0)], 5.0);
/// assert!((distance[(5, 3)] - (2.0 + 3.0 * 2f32.sqrt())).abs() < 1e-4);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If a path across the map is longer than 32,766 cells.
#[doc(alias = "distance transform")]
#[doc(alias = "chamfer distance")]
#[doc(alias = "proximity")]
pub fn octile(
    width: usize,
    height: usize,
    ctx: &Ctx,
    source: impl Fn(usize) -> bool + Sync,
) -> Result<Grid<f32>> {
    let across = width.max(height) * STRAIGHT as usize + width.min(height) * (DIAGONAL - STRAIGHT) as usize;
    assert!(across < FAR as usize, "{width}x{height} cells are too many for these distances");
    let mut grid = par::fill(width, height, &ctx.quiet(), |y, row: &mut [u32]| {
        for (x, d) in row.iter_mut().enumerate() {
            *d = if source(y * width + x) { 0 } else { FAR };
        }
    })?;
    // The row before the current one, with a far cell at either end.
    let mut before = vec![FAR; width + 2];
    for y in 0..height {
        look(y, height, ctx)?;
        let row = grid.row_mut(y);
        par::widest_simd(
            #[inline(always)]
            || {
                across_rows(&before, row);
                row.iter_mut().fold(FAR, along);
            },
        );
        before[1..=width].copy_from_slice(row);
    }
    before.fill(FAR);
    let none = (width + height) as f32;
    for y in (0..height).rev() {
        look(2 * height - 1 - y, height, ctx)?;
        let row = grid.row_mut(y);
        par::widest_simd(
            #[inline(always)]
            || {
                across_rows(&before, row);
                row.iter_mut().rev().fold(FAR, along);
                before[1..=width].copy_from_slice(row);
                for d in row {
                    // Signed, because that conversion is one instruction for many cells.
                    let cells = if *d < FAR { *d as i32 as f32 / STRAIGHT as f32 } else { none };
                    *d = cells.to_bits();
                }
            },
        );
    }
    // The bits stay where they are.
    Ok(Grid::from_vec(width, height, grid.into_vec().into_iter().map(f32::from_bits).collect()))
}

/// Checks for cancellation and reports progress, once in [`ROWS`] rows.
fn look(done: usize, height: usize, ctx: &Ctx) -> Result<()> {
    if done.is_multiple_of(ROWS) {
        ctx.checkpoint()?;
        ctx.tick(done, 2 * height);
    }
    Ok(())
}

/// Steps into a row from the row before it, which has one more cell at either end.
#[inline(always)]
fn across_rows(before: &[u32], row: &mut [u32]) {
    let n = row.len();
    let (left, middle, right) = (&before[..n], &before[1..=n], &before[2..n + 2]);
    for (((d, &l), &m), &r) in row.iter_mut().zip(left).zip(middle).zip(right) {
        *d = (*d).min(m + STRAIGHT).min(l.min(r) + DIAGONAL);
    }
}

/// A step along a row, from a cell at distance `last`.
#[inline(always)]
fn along(last: u32, d: &mut u32) -> u32 {
    *d = (*d).min(last + STRAIGHT);
    *d
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::ctx::Cancelled;
    use crate::ctx::Watch;
    use proptest::prelude::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    proptest! {
        #[test]
        fn distances_equal_the_formula_for_the_nearest_of_all_sources(
            w in 1usize..60, h in 1usize..60, rare in 0u32..12, seed: u64
        ) {
            let source = |i: usize| Seed(seed).at(i as i64, 5).is_multiple_of(1 << rare);
            let sources: Vec<usize> = (0..w * h).filter(|&i| source(i)).collect();
            let d = octile(w, h, &Ctx::default(), source).unwrap();
            for i in 0..w * h {
                let parts = |s: usize| {
                    let (dx, dy) = ((i % w).abs_diff(s % w), (i / w).abs_diff(s / w));
                    dx.max(dy) * 65_536 + dx.min(dy) * (92_682 - 65_536)
                };
                let nearest = sources.iter().map(|&s| parts(s)).min();
                let expected = nearest.map_or((w + h) as f32, |parts| (parts as f64 / 65_536.0) as f32);
                prop_assert_eq!(d.cells()[i].to_bits(), expected.to_bits());
            }
        }
    }

    #[test]
    fn a_corner_is_seen_from_the_far_corner_of_a_long_map_and_a_diagonal_is_root_two() {
        let d = octile(16_384, 9, &Ctx::default(), |i| i == 0).unwrap();
        assert_eq!(d[(16_383, 0)], 16_383.0);
        assert!((d[(16_383, 8)] as f64 - (16_375.0 + 8.0 * 2f64.sqrt())).abs() < 2e-3);
        assert!((d[(1, 1)] as f64 - 2f64.sqrt()).abs() < 2e-6);
    }

    #[test]
    fn without_a_source_every_cell_is_width_plus_height() {
        for (w, h) in [(7, 4), (1, 9), (9, 1)] {
            let d = octile(w, h, &Ctx::default(), |_| false).unwrap();
            assert!(d.cells().iter().all(|&v| v == (w + h) as f32));
        }
        assert!(octile(0, 5, &Ctx::default(), |_| true).unwrap().is_empty());
    }

    #[test]
    fn a_run_that_is_stopped_between_two_rows_ends() {
        static STOP: AtomicBool = AtomicBool::new(false);
        struct Stopper;
        impl Watch for Stopper {
            fn tick(&self, _: &'static str, done: usize, total: usize) {
                assert!(done <= ROWS && total == 100, "it went on to {done} of {total}");
                STOP.store(done == ROWS, Ordering::Relaxed);
            }
        }
        assert_eq!(octile(50, 50, &Ctx::new(&Stopper, &STOP), |_| true), Err(Cancelled));
    }
}
