//! Slope and aspect of a height field.

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::math;
use crate::par;
use crate::stats;
use std::f64::consts::PI;

/// Slope and aspect of every cell.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SlopeAspect {
    /// Rise over run: 1 is 45°.
    pub slope: Grid<f32>,
    /// Downhill direction in degrees from east towards south, in [0, 360); 0 on level ground.
    pub aspect: Grid<f32>,
}

/// What a difference of heights is at the border of the map, where one of the two neighbours is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// One-sided: the difference to the neighbour that is there, over one cell. A plane has the same slope everywhere.
    OneSided,
    /// The missing neighbour has the height of the cell itself, and the difference counts over two cells, so that
    /// slopes across the border are half as large.
    Repeated,
}

impl Border {
    /// What a difference at the border is multiplied by, so that all count over two cells.
    #[inline(always)]
    fn times(self) -> f64 {
        match self {
            Border::OneSided => 2.0,
            Border::Repeated => 1.0,
        }
    }
}

/// Slope and aspect by central differences, computed in f64 and rounded to f32.
///
/// With h the height in metres, Hx = h(x+1, y) − h(x−1, y) and Hy = h(x, y+1) − h(x, y−1), at the border as [`Border`] says, and
/// c the side of a cell in metres: slope = √(Hx² + Hy²) / (2c), rise over run; aspect = the angle of (−Hx, −Hy), the
/// downhill direction, in degrees from east towards south, in [0, 360), and 0 where Hx = Hy = 0. Reach: 1 cell. Cost:
/// linear, rows in parallel.
///
/// ```
/// use weald_core::slope::{Border, slope_and_aspect};
/// use weald_core::{Ctx, Grid};
///
/// // A plane that falls 5 m to the south on every cell of 10 m.
/// let plane = Grid::from_fn(5, 5, |_, y| -5.0 * y as f32);
/// let found = slope_and_aspect(&plane, 10.0, Border::OneSided, &Ctx::default())?;
/// assert_eq!(found.slope[(2, 2)], 0.5);
/// assert_eq!(found.aspect[(2, 2)], 90.0);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "gradient")]
#[doc(alias = "exposure")]
pub fn slope_and_aspect(height: &Grid<f32>, cell_m: f64, border: Border, ctx: &Ctx) -> Result<SlopeAspect> {
    let (w, h) = height.shape();
    let (mut slope, mut aspect) = (Grid::filled(w, h, 0f32), Grid::filled(w, h, 0f32));
    par::for_rows(
        (slope.rows_mut(), aspect.rows_mut()),
        ctx,
        #[inline(always)]
        |y, (slope, aspect)| {
            rise_row(height, y, (cell_m, border), slope);
            differences(height, y, border, |x, hx, hy| aspect[x] = aspect_deg(hx, hy));
        },
    )?;
    Ok(SlopeAspect { slope, aspect })
}

/// The slope of [`slope_and_aspect`] alone with one-sided differences at the border ([`Border::OneSided`]), bit for bit:
/// √(Hx² + Hy²) / (2c). Reach: 1 cell. Cost: linear, rows in parallel.
///
/// ```
/// use weald_core::{Ctx, Grid, slope};
///
/// let plane = Grid::from_fn(6, 4, |x, _| 3.0 * x as f32);
/// let slope = slope::rise_over_run(&plane, 30.0, &Ctx::default())?;
/// assert_eq!((slope[(3, 2)], slope[(5, 0)]), (0.1, 0.1));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "steepness")]
#[doc(alias = "gradient magnitude")]
#[doc(alias = "percent rise")]
pub fn rise_over_run(height: &Grid<f32>, cell_m: f64, ctx: &Ctx) -> Result<Grid<f32>> {
    par::fill(
        height.width(),
        height.height(),
        ctx,
        #[inline(always)]
        |y, slope| rise_row(height, y, (cell_m, Border::OneSided), slope),
    )
}

/// Slopes of row `y`.
#[inline(always)]
fn rise_row(height: &Grid<f32>, y: usize, (cell_m, border): (f64, Border), slope: &mut [f32]) {
    let run = 2.0 * cell_m;
    differences(
        height,
        y,
        border,
        #[inline(always)]
        |x, hx, hy| slope[x] = ((hx * hx + hy * hy).sqrt() / run) as f32,
    );
}

/// Calls `visit(x, Hx, Hy)` for every cell of row `y`.
#[inline(always)]
fn differences(height: &Grid<f32>, y: usize, border: Border, mut visit: impl FnMut(usize, f64, f64)) {
    let (w, h) = height.shape();
    let (row, north) = (height.row(y), &height.row(y.saturating_sub(1))[..w]);
    let south = &height.row((y + 1).min(h - 1))[..w];
    let across = border.times();
    let down = if y == 0 || y + 1 == h { across } else { 1.0 };
    let difference = |a: f32, b: f32| a as f64 - b as f64;
    let mut at = |x: usize, hx: f64| visit(x, hx, down * difference(south[x], north[x]));
    at(0, across * difference(row[1.min(w - 1)], row[0]));
    for x in 1..w - 1 {
        at(x, difference(row[x + 1], row[x - 1]));
    }
    if w > 1 {
        at(w - 1, across * difference(row[w - 1], row[w - 2]));
    }
}

/// Statistics of the slopes of a map, rise over run.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SlopeStats {
    /// Mean slope.
    pub mean: f64,
    /// Median: half of the cells are at most as steep.
    pub median: f32,
    /// 90th percentile.
    pub p90: f32,
    /// 99th percentile.
    pub p99: f32,
    /// The largest slope.
    pub steepest: f32,
}

/// Statistics of a map of slopes ([`rise_over_run`]), with quantiles by the nearest rank ([`stats::quantile`]). Reach:
/// whole map. Cost: linear.
///
/// ```
/// use weald_core::{Ctx, Grid, slope};
///
/// let slopes = Grid::from_fn(10, 10, |x, _| x as f32);
/// let stats = slope::stats(&slopes, &Ctx::default())?;
/// assert_eq!((stats.mean, stats.median, stats.steepest), (4.5, 4.0, 9.0));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If the grid is empty.
pub fn stats(slope: &Grid<f32>, ctx: &Ctx) -> Result<SlopeStats> {
    let q = stats::percentiles(slope, &[0.5, 0.9, 0.99, 1.0], ctx)?;
    let sums = par::map(slope.height(), ctx, |y| slope.row(y).iter().fold(0.0, |sum, &v| sum + v as f64))?;
    let mean = sums.into_iter().fold(0.0, |sum, row| sum + row) / slope.len() as f64;
    Ok(SlopeStats { mean, median: q[0], p90: q[1], p99: q[2], steepest: q[3] })
}

/// Downhill direction of the gradient (hx, hy), in degrees from east towards south.
fn aspect_deg(hx: f64, hy: f64) -> f32 {
    if hx == 0.0 && hy == 0.0 {
        return 0.0;
    }
    let deg = math::atan2(-hy, -hx) * 180.0 / PI;
    let deg = (if deg < 0.0 { deg + 360.0 } else { deg }) as f32;
    // Just below 360 rounds up to it; a bare −0 would be a second zero.
    if deg >= 360.0 || deg == 0.0 { 0.0 } else { deg }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_equal_the_rule_written_plainly(
            (w, h) in (1usize..40, 1usize..6), cell_m in 0.1f64..50.0, seed: u64
        ) {
            let cells = (0..w * h).map(|i| (crate::Seed(seed).unit_at(i as i64, 0) * 200.0 - 90.0) as f32);
            let g = Grid::from_vec(w, h, cells.collect());
            let alone = rise_over_run(&g, cell_m, &Ctx::default()).unwrap();
            // The neighbours on both sides as far as they are there, and the cells between them.
            let along = |i: usize, n: usize| (i.saturating_sub(1), (i + 1).min(n - 1));
            for border in [Border::OneSided, Border::Repeated] {
                let SlopeAspect { slope, aspect } = slope_and_aspect(&g, cell_m, border, &Ctx::default()).unwrap();
                for y in 0..h {
                    for x in 0..w {
                        let ((west, east), (north, south)) = (along(x, w), along(y, h));
                        let rise = |low: (usize, usize), high: (usize, usize), cells: usize| {
                            let cells = if border == Border::Repeated { 2 } else { cells.max(1) };
                            (g[high] as f64 - g[low] as f64) * 2.0 / cells as f64
                        };
                        let hx = rise((west, y), (east, y), east - west);
                        let hy = rise((x, north), (x, south), south - north);
                        let expected = ((hx * hx + hy * hy).sqrt() / (2.0 * cell_m)) as f32;
                        prop_assert_eq!(slope[(x, y)].to_bits(), expected.to_bits());
                        prop_assert_eq!(aspect[(x, y)].to_bits(), aspect_deg(hx, hy).to_bits());
                        if border == Border::OneSided {
                            prop_assert_eq!(alone[(x, y)].to_bits(), expected.to_bits());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn figures_of_a_hundred_slopes_are_their_ranks() {
        let slopes = Grid::from_vec(10, 10, (0..100).map(|i| ((i * 37) % 100 + 1) as f32).collect());
        let figures = stats(&slopes, &Ctx::default()).unwrap();
        let expected = SlopeStats { mean: 50.5, median: 50.0, p90: 90.0, p99: 99.0, steepest: 100.0 };
        assert_eq!(figures, expected);
    }

    #[test]
    fn a_plane_has_one_slope_and_one_aspect_in_every_cell_and_less_across_a_repeated_border() {
        // Falls 3 per cell to the east and 4 to the south: slope 5, downhill to the south-east.
        let plane = Grid::from_fn(5, 4, |x, y| 100.0 - 3.0 * x as f32 - 4.0 * y as f32);
        let found = slope_and_aspect(&plane, 1.0, Border::OneSided, &Ctx::default()).unwrap();
        assert!(found.slope.cells().iter().all(|&s| s == 5.0), "{:?}", found.slope);
        assert!(found.aspect.cells().iter().all(|a| (a - 53.130_1).abs() < 1e-4), "{:?}", found.aspect);
        let half = rise_over_run(&plane, 2.0, &Ctx::default()).unwrap();
        assert!(half.cells().iter().all(|&s| s == 2.5), "{half:?}");
        let repeated = slope_and_aspect(&plane, 1.0, Border::Repeated, &Ctx::default()).unwrap().slope;
        assert_eq!((repeated[(2, 2)], repeated[(4, 3)]), (5.0, 2.5));
        assert_eq!(repeated[(4, 2)], ((3.0f64 * 3.0 + 64.0).sqrt() / 2.0) as f32);
    }

    #[test]
    fn maps_of_one_row_or_column_have_the_slope_along_it() {
        for (w, h) in [(4, 1), (1, 4), (2, 1), (1, 2)] {
            let ramp = Grid::from_fn(w, h, |x, y| 2.0 * (x + y) as f32);
            let slope = rise_over_run(&ramp, 4.0, &Ctx::default()).unwrap();
            assert!(slope.cells().iter().all(|&s| s == 0.5), "{w}x{h}: {slope:?}");
        }
    }

    #[test]
    fn the_four_axes_have_round_angles_and_flats_have_zero() {
        assert_eq!(aspect_deg(-1.0, 0.0), 0.0);
        assert_eq!(aspect_deg(0.0, -1.0), 90.0);
        assert_eq!(aspect_deg(1.0, 0.0), 180.0);
        assert_eq!(aspect_deg(0.0, 1.0), 270.0);
        assert_eq!(aspect_deg(0.0, 0.0), 0.0);
        assert_eq!(aspect_deg(-1.0, 1e-12), 0.0);
    }

    #[test]
    fn a_single_cell_is_flat() {
        let SlopeAspect { slope, aspect } =
            slope_and_aspect(&Grid::filled(1, 1, 0.7), 1.0, Border::OneSided, &Ctx::default()).unwrap();
        assert_eq!((slope[(0, 0)], aspect[(0, 0)]), (0.0, 0.0));
    }
}
