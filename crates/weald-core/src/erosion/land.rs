//! Heights in fixed point, with a mass balance of erosion and deposition.

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::par;

/// Steps of height per metre: 2¹⁸, so that heights of ±8 km fit 32 bits and a step is 4 µm.
pub const STEPS_PER_M: f64 = 262_144.0;

/// The greatest height, and depth, that can be represented, in metres.
pub const HIGHEST_M: f64 = 8_000.0;

/// Heights in whole steps of 1 / [`STEPS_PER_M`] metres, with a record of what was eroded.
///
/// Sums of whole numbers do not depend on the order, so work can be shared between threads and nothing is lost. At every
/// cell height = before + deposited − eroded, and over the whole map eroded = deposited + exported, both exactly.
///
/// ```
/// use weald_core::erosion::{Land, land};
/// use weald_core::{Ctx, Grid};
///
/// let ctx = Ctx::default();
/// let mut land = Land::new(&Grid::filled(3, 3, 100.0), 10.0, &ctx)?;
/// // 2 m are moved from one cell to another.
/// let two_metres = land::steps(2.0);
/// land.height[(0, 0)] -= two_metres;
/// land.eroded[(0, 0)] += two_metres;
/// land.height[(2, 2)] += two_metres;
/// let balance = land.mass_balance(&ctx)?;
/// assert_eq!((balance.eroded_m3, balance.deposited_m3, balance.exported_m3), (200.0, 200.0, 0.0));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "fixed point")]
#[derive(Clone, Debug, PartialEq)]
pub struct Land {
    /// Side of a cell in metres.
    pub cell_m: f64,
    /// Heights before any erosion.
    pub before: Grid<i32>,
    /// Current heights.
    pub height: Grid<i32>,
    /// Total erosion of each cell.
    pub eroded: Grid<i32>,
    /// Sediment that left over the edge of the map, in steps times cells.
    pub exported: i64,
}

/// Volumes of erosion and deposition in cubic metres. Eroded = deposited + exported.
#[doc(alias = "sediment budget")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MassBalance {
    /// Volume eroded.
    pub eroded_m3: f64,
    /// Volume deposited.
    pub deposited_m3: f64,
    /// Volume that left over the edge of the map.
    pub exported_m3: f64,
}

/// The number of steps nearest to a height in metres.
#[inline]
pub fn steps(metres: f32) -> i32 {
    (metres as f64 * STEPS_PER_M).round() as i32
}

/// The height in metres of a number of steps.
#[inline]
pub fn metres(steps: i32) -> f32 {
    (steps as f64 * (1.0 / STEPS_PER_M)) as f32
}

/// Converts a grid of steps to metres. Cost: linear, rows in parallel.
pub fn in_metres(grid: &Grid<i32>, ctx: &Ctx) -> Result<Grid<f32>> {
    par::fill(
        grid.width(),
        grid.height(),
        ctx,
        #[inline(always)]
        |y, row: &mut [f32]| row.iter_mut().zip(grid.row(y)).for_each(|(m, &s)| *m = metres(s)),
    )
}

impl Land {
    /// Land before any erosion, with these heights in metres, all within ±[`HIGHEST_M`], on cells of side `cell_m`.
    pub fn new(height: &Grid<f32>, cell_m: f64, ctx: &Ctx) -> Result<Self> {
        let (w, h) = height.shape();
        let before = par::fill(
            w,
            h,
            ctx,
            #[inline(always)]
            |y, row: &mut [i32]| row.iter_mut().zip(height.row(y)).for_each(|(s, &m)| *s = steps(m)),
        )?;
        Ok(Self { cell_m, height: before.clone(), before, eroded: Grid::filled(w, h, 0), exported: 0 })
    }

    /// Total deposition on each cell: height − before + eroded.
    pub fn deposited(&self, ctx: &Ctx) -> Result<Grid<i32>> {
        par::fill(
            self.height.width(),
            self.height.height(),
            ctx,
            #[inline(always)]
            |y, row: &mut [i32]| {
                let (now, before, eroded) = (self.height.row(y), self.before.row(y), self.eroded.row(y));
                for (x, deposited) in row.iter_mut().enumerate() {
                    *deposited = now[x] - before[x] + eroded[x];
                }
            },
        )
    }

    /// The volumes eroded, deposited and exported so far.
    pub fn mass_balance(&self, ctx: &Ctx) -> Result<MassBalance> {
        let sum = |grid: &Grid<i32>| -> Result<i64> {
            let rows = par::map(grid.height(), ctx, |y| grid.row(y).iter().map(|&v| v as i64).sum::<i64>())?;
            Ok(rows.into_iter().sum())
        };
        let (eroded, deposited) = (sum(&self.eroded)?, sum(&self.deposited(ctx)?)?);
        let volume = |steps: i64| steps as f64 / STEPS_PER_M * self.cell_m * self.cell_m;
        Ok(MassBalance {
            eroded_m3: volume(eroded),
            deposited_m3: volume(deposited),
            exported_m3: volume(self.exported),
        })
    }

    /// The same erosion and deposition on land of twice the resolution, whose heights before any erosion are `before`.
    ///
    /// Changes are interpolated by [`doubled`]. Where that makes one of them negative, both are raised by the same amount.
    /// Reach: 3 cells.
    ///
    /// # Panics
    /// If `before` does not have twice the number of columns and rows.
    pub fn refined(&self, before: &Grid<f32>, ctx: &Ctx) -> Result<Self> {
        let mut fine = Land::new(before, self.cell_m / 2.0, ctx)?;
        assert_eq!(
            fine.height.shape(),
            (self.height.width() * 2, self.height.height() * 2),
            "the finer map must have twice the cells along both sides"
        );
        fine.eroded = doubled(&self.eroded, ctx)?;
        let deposited = doubled(&self.deposited(ctx)?, ctx)?;
        par::for_rows(
            (fine.height.rows_mut(), fine.eroded.rows_mut()),
            ctx,
            #[inline(always)]
            |y, (height, eroded)| {
                let deposited = deposited.row(y);
                for x in 0..height.len() {
                    height[x] += deposited[x] - eroded[x];
                    eroded[x] = eroded[x].max(eroded[x] - deposited[x]).max(0);
                }
            },
        )?;
        fine.exported = self.exported * 4;
        Ok(fine)
    }
}

/// Weights of six cells in a row, in parts of 8192, for the point a quarter of a cell after the third: Lagrange interpolation
/// of the fifth degree.
const QUARTER: [f64; 6] = [77.0, -693.0, 6930.0, 2310.0, -495.0, 63.0];

/// Doubles the resolution: each value is interpolated from 6 by 6 cells, and beyond its edge the map is mirrored.
///
/// The sum over the map is multiplied by four, up to rounding. Waves of 4.5 cells keep 98 % of their amplitude, so that
/// changes fit the ground at both resolutions to the centimetre and the coarse grid does not show. Reach: 3 cells. Cost:
/// linear, rows in parallel.
///
/// ```
/// use weald_core::erosion::land::doubled;
/// use weald_core::{Ctx, Grid};
///
/// let fine = doubled(&Grid::filled(8, 8, 700), &Ctx::default())?;
/// assert_eq!((fine.shape(), fine[(5, 11)]), ((16, 16), 700));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "upsample")]
pub fn doubled(coarse: &Grid<i32>, ctx: &Ctx) -> Result<Grid<i32>> {
    const WHOLE: f64 = 8192.0 * 8192.0;
    let (w, h) = coarse.shape();
    par::fill(
        w * 2,
        h * 2,
        ctx,
        #[inline(always)]
        |y, row: &mut [i32]| {
            let mut sums = vec![0f64; w + 6];
            for (k, weight) in QUARTER.into_iter().enumerate() {
                let offset = k as i64 - 2;
                let source = y as i64 / 2 + if y % 2 == 1 { offset } else { -offset };
                for (sum, &v) in sums[3..].iter_mut().zip(coarse.row(mirrored(source, h))) {
                    *sum += weight * v as f64;
                }
            }
            for k in 0..3 {
                sums[k] = sums[3 + mirrored(k as i64 - 3, w)];
                sums[w + 3 + k] = sums[3 + mirrored((w + k) as i64, w)];
            }
            for (x, out) in row.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                let near = &sums[x..x + 7];
                let (mut west, mut east) = (0.0, 0.0);
                for (k, weight) in QUARTER.into_iter().enumerate() {
                    west += weight * near[5 - k];
                    east += weight * near[1 + k];
                }
                *out = [
                    (west * (1.0 / WHOLE) + 0.5).floor() as i32,
                    (east * (1.0 / WHOLE) + 0.5).floor() as i32,
                ];
            }
        },
    )
}

/// The index that corresponds to `i` if a row of `n` cells is mirrored at its ends.
fn mirrored(i: i64, n: usize) -> usize {
    let (n, i) = (n as i64, i.rem_euclid(2 * n as i64));
    (if i < n { i } else { 2 * n - 1 - i }) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    fn random(w: usize, h: usize, seed: u64) -> Grid<i32> {
        Grid::from_vec(w, h, (0..w * h).map(|i| (Seed(seed).at(i as i64, 0) % 2_000_000) as i32).collect())
    }

    #[test]
    fn heights_survive_the_way_to_steps_and_back() {
        for m in [-7999.5f32, -0.25, 0.0, 1.0, 511.7, 4095.9] {
            assert!((metres(steps(m)) - m).abs() <= 0.5 / STEPS_PER_M as f32 + m.abs() * 1e-7);
        }
    }

    #[test]
    fn doubling_keeps_planes_and_constants_and_the_volume() {
        let ctx = Ctx::default();
        let flat = Grid::filled(5, 4, 4096);
        assert!(doubled(&flat, &ctx).unwrap().cells().iter().all(|&v| v == 4096));
        let plane = Grid::from_fn(8, 8, |x, y| x as i32 * 1600 + y as i32 * 320);
        let fine = doubled(&plane, &ctx).unwrap();
        assert_eq!(fine[(8, 8)] - fine[(7, 8)], 800);
        assert_eq!(fine[(8, 8)] - fine[(8, 7)], 160);
        let coarse = random(37, 21, 3);
        let sum = |g: &Grid<i32>| g.cells().iter().map(|&v| v as i64).sum::<i64>();
        let (a, b) = (4 * sum(&coarse), sum(&doubled(&coarse, &ctx).unwrap()));
        assert!((a - b).abs() < 200, "{a} and {b} differ by more than rounding");
    }

    #[test]
    fn refined_land_carries_the_same_volumes_and_no_book_falls_below_zero() {
        let ctx = Ctx::default();
        let mut land = Land::new(&Grid::filled(16, 16, 100.0), 8.0, &ctx).unwrap();
        land.eroded = random(16, 16, 1);
        for (height, more) in land.height.cells_mut().iter_mut().zip(random(16, 16, 2).cells()) {
            *height += more;
        }
        for (height, eroded) in land.height.cells_mut().iter_mut().zip(land.eroded.cells()) {
            *height -= eroded;
        }
        land.exported = 12345;
        let fine = land.refined(&Grid::filled(32, 32, 50.0), &ctx).unwrap();
        let (a, b) = (land.mass_balance(&ctx).unwrap(), fine.mass_balance(&ctx).unwrap());
        let gain = |b: &MassBalance| b.deposited_m3 - b.eroded_m3;
        assert!((gain(&a) - gain(&b)).abs() < 1e-6 * a.eroded_m3, "{a:?} and {b:?}");
        assert_eq!(a.exported_m3, b.exported_m3);
        assert!(fine.deposited(&ctx).unwrap().cells().iter().chain(fine.eroded.cells()).all(|&v| v >= 0));
    }
}
