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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_survive_the_way_to_steps_and_back() {
        for m in [-7999.5f32, -0.25, 0.0, 1.0, 511.7, 4095.9] {
            assert!((metres(steps(m)) - m).abs() <= 0.5 / STEPS_PER_M as f32 + m.abs() * 1e-7);
        }
    }
}
