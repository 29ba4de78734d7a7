//! Land that can be worn and built up, in fixed point.

use crate::ctx::{Cancelled, Ctx};
use crate::grid::Grid;
use crate::par;

/// Steps of a height in a metre: 2¹⁸, so that a height of ±8 km fits 32 bits and a step is 4 µm.
pub const STEPS_PER_M: f64 = 262_144.0;

/// Heights up to this, in metres, can be represented.
pub const HIGHEST_M: f64 = 8_000.0;

/// Heights in whole steps of 1 / [`STEPS_PER_M`] metres, and the books of what was moved.
///
/// Whole numbers add up the same in any order: work can be shared between threads and nothing is lost. At every cell
/// height = before + laid down − worn, and over the map worn = laid down + carried off, both exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct Land {
    /// Side of a cell in metres.
    pub cell_m: f64,
    /// Heights before anything was moved.
    pub before: Grid<i32>,
    /// Heights now.
    pub height: Grid<i32>,
    /// What was taken away from each cell in all.
    pub worn: Grid<i32>,
    /// What left over the edge of the map, in steps times cells.
    pub carried_off: i64,
}

/// Volumes in cubic metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Books {
    /// Taken away.
    pub worn_m3: f64,
    /// Laid down.
    pub laid_down_m3: f64,
    /// Left over the edge of the map.
    pub carried_off_m3: f64,
}

/// Whole steps nearest to a height in metres.
#[inline]
pub fn steps(metres: f32) -> i32 {
    (metres as f64 * STEPS_PER_M).round() as i32
}

/// A height in metres.
#[inline]
pub fn metres(steps: i32) -> f32 {
    (steps as f64 * (1.0 / STEPS_PER_M)) as f32
}

/// Metres from steps, cell by cell.
pub fn in_metres(grid: &Grid<i32>, ctx: &Ctx) -> Result<Grid<f32>, Cancelled> {
    par::fill(
        grid.width(),
        grid.height(),
        ctx,
        #[inline(always)]
        |y, row: &mut [f32]| row.iter_mut().zip(grid.row(y)).for_each(|(m, &s)| *m = metres(s)),
    )
}

impl Land {
    /// Untouched land with these heights in metres, none beyond ±[`HIGHEST_M`].
    pub fn new(height: &Grid<f32>, cell_m: f64, ctx: &Ctx) -> Result<Self, Cancelled> {
        let (w, h) = (height.width(), height.height());
        let before = par::fill(
            w,
            h,
            ctx,
            #[inline(always)]
            |y, row: &mut [i32]| row.iter_mut().zip(height.row(y)).for_each(|(s, &m)| *s = steps(m)),
        )?;
        Ok(Self { cell_m, height: before.clone(), before, worn: Grid::filled(w, h, 0), carried_off: 0 })
    }

    /// What was laid down on each cell in all: height − before + worn.
    pub fn laid_down(&self, ctx: &Ctx) -> Result<Grid<i32>, Cancelled> {
        par::fill(
            self.height.width(),
            self.height.height(),
            ctx,
            #[inline(always)]
            |y, row: &mut [i32]| {
                let (now, before, worn) = (self.height.row(y), self.before.row(y), self.worn.row(y));
                for (x, laid) in row.iter_mut().enumerate() {
                    *laid = now[x] - before[x] + worn[x];
                }
            },
        )
    }

    /// The volumes moved so far.
    pub fn books(&self, ctx: &Ctx) -> Result<Books, Cancelled> {
        let sum = |grid: &Grid<i32>| -> Result<i64, Cancelled> {
            let rows = par::map(grid.height(), ctx, |y| grid.row(y).iter().map(|&v| v as i64).sum::<i64>())?;
            Ok(rows.into_iter().sum())
        };
        let (worn, laid) = (sum(&self.worn)?, sum(&self.laid_down(ctx)?)?);
        let volume = |steps: i64| steps as f64 / STEPS_PER_M * self.cell_m * self.cell_m;
        Ok(Books {
            worn_m3: volume(worn),
            laid_down_m3: volume(laid),
            carried_off_m3: volume(self.carried_off),
        })
    }

    /// The same changes on land of twice the resolution, whose heights before them are `before`.
    ///
    /// A cell of the finer map takes 9/16 of the coarse cell it lies in, 3/16 of each of the two nearest beside it and 1/16
    /// of the nearest across the corner; beyond the edge the edge counts. Every coarse cell gives away four times
    /// itself, so volumes are kept up to rounding. Done again and again this is a quadratic B-spline (Chaikin 1974,
    /// doi:10.1016/0146-664X(74)90028-8): smooth, without a crease. Reach: 1 cell.
    pub fn refined(&self, before: &Grid<f32>, ctx: &Ctx) -> Result<Self, Cancelled> {
        let mut fine = Land::new(before, self.cell_m / 2.0, ctx)?;
        assert_eq!(
            (fine.height.width(), fine.height.height()),
            (self.height.width() * 2, self.height.height() * 2),
            "the finer map must have twice the cells along both sides"
        );
        fine.worn = doubled(&self.worn, ctx)?;
        let laid = doubled(&self.laid_down(ctx)?, ctx)?;
        let worn = &fine.worn;
        par::for_rows(
            fine.height.rows_mut(),
            ctx,
            #[inline(always)]
            |y, row| {
                let (laid, worn) = (laid.row(y), worn.row(y));
                for (x, height) in row.iter_mut().enumerate() {
                    *height += laid[x] - worn[x];
                }
            },
        )?;
        fine.carried_off = self.carried_off * 4;
        Ok(fine)
    }
}

/// Twice the cells along both sides, as [`Land::refined`] says.
pub fn doubled(coarse: &Grid<i32>, ctx: &Ctx) -> Result<Grid<i32>, Cancelled> {
    let (w, h) = (coarse.width(), coarse.height());
    par::fill(
        w * 2,
        h * 2,
        ctx,
        #[inline(always)]
        |y, row: &mut [i32]| {
            let near = y / 2;
            let far = if y % 2 == 0 { near.saturating_sub(1) } else { (near + 1).min(h - 1) };
            let (near, far) = (coarse.row(near), coarse.row(far));
            let column = |x: usize| 3 * near[x] as i64 + far[x] as i64;
            for x in 0..w {
                let (west, here, east) = (column(x.saturating_sub(1)), column(x), column((x + 1).min(w - 1)));
                row[2 * x] = ((3 * here + west + 8) >> 4) as i32;
                row[2 * x + 1] = ((3 * here + east + 8) >> 4) as i32;
            }
        },
    )
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
        let plane = Grid::from_vec(8, 8, (0..64).map(|i| (i % 8) * 1600 + (i / 8) * 320).collect());
        let fine = doubled(&plane, &ctx).unwrap();
        assert_eq!(fine[(5, 6)] - fine[(4, 6)], 800);
        assert_eq!(fine[(5, 7)] - fine[(5, 6)], 160);
        let coarse = random(37, 21, 3);
        let sum = |g: &Grid<i32>| g.cells().iter().map(|&v| v as i64).sum::<i64>();
        let (a, b) = (4 * sum(&coarse), sum(&doubled(&coarse, &ctx).unwrap()));
        assert!((a - b).abs() < 200, "{a} and {b} differ by more than rounding");
    }

    #[test]
    fn refined_land_carries_the_same_volumes() {
        let ctx = Ctx::default();
        let mut land = Land::new(&Grid::filled(16, 16, 100.0), 8.0, &ctx).unwrap();
        land.worn = random(16, 16, 1);
        land.height = random(16, 16, 2);
        land.carried_off = 12345;
        let fine = land.refined(&Grid::filled(32, 32, 50.0), &ctx).unwrap();
        let (a, b) = (land.books(&ctx).unwrap(), fine.books(&ctx).unwrap());
        assert!((a.worn_m3 - b.worn_m3).abs() < 1e-5 * a.worn_m3);
        assert!((a.laid_down_m3 - b.laid_down_m3).abs() < 1e-5 * a.laid_down_m3.abs());
        assert_eq!(a.carried_off_m3, b.carried_off_m3);
    }
}
