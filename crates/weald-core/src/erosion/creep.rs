//! Soil creep: diffusion of hillslopes.

use super::land::Land;
use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::par;

/// The greatest share of a height difference that a pass moves between two neighbours. Above a quarter the scheme would
/// overshoot.
const MOST: f64 = 0.2;

/// Soil creep: linear diffusion of the heights for a duration.
///
/// ∂h/∂t = ∇·(k ∇h) with k = P^`power` (Culling 1960, doi:10.1086/626663). In a pass, k Δt (h₂ − h₁) moves between two
/// neighbours of heights h₁ and h₂, with P the mean of their potentials and the side of a cell as the unit of length. Δt is
/// at most 0.2, so there are ⌈`duration` / 0.2⌉ passes. The same whole number of steps leaves one cell and enters the other,
/// so nothing is lost, and nothing crosses the edge of the map. Where a cell ends lower than it began, the difference counts
/// as eroded. Reach: about √(2 · duration) cells. Cost: about 1 ns a cell and pass on one core.
///
/// ```
/// use weald_core::erosion::{Land, creep};
/// use weald_core::{Ctx, Grid};
///
/// let ctx = Ctx::default();
/// let step = Grid::from_fn(20, 4, |x, _| if x < 10 { 0.0 } else { 8.0 });
/// let land = Land::new(&step, 1.0, &ctx)?;
/// let smooth = creep(land, &Grid::filled(20, 4, 1.0), 1.0, 5.0, &ctx)?;
/// let (below, above) = (smooth.height[(9, 2)], smooth.height[(10, 2)]);
/// assert!(smooth.before[(9, 2)] < below && below < above && above < smooth.before[(10, 2)]);
/// let balance = smooth.mass_balance(&ctx)?;
/// assert_eq!(balance.eroded_m3, balance.deposited_m3);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "hillslope diffusion")]
#[doc(alias = "soil creep")]
#[doc(alias = "linear diffusion")]
pub fn creep(mut land: Land, potential: &Grid<f32>, power: f64, duration: f64, ctx: &Ctx) -> Result<Land> {
    let passes = (duration / MOST).ceil() as usize;
    if passes == 0 {
        return Ok(land);
    }
    let edges = Edges::new(potential, power, duration / passes as f64, ctx)?;
    let (start, quiet) = (land.height.clone(), ctx.quiet());
    for pass in 0..passes {
        land.height = pass_of(&land.height, &edges, &quiet)?;
        ctx.tick(pass + 1, passes);
    }
    let now = &land.height;
    par::for_rows(
        land.eroded.rows_mut(),
        &quiet,
        #[inline(always)]
        |y, row| {
            let (start, now) = (start.row(y), now.row(y));
            for (x, eroded) in row.iter_mut().enumerate() {
                *eroded += (start[x] - now[x]).max(0);
            }
        },
    )?;
    Ok(land)
}

/// k Δt of the edges between cells; 0 for edges of the map.
struct Edges {
    /// Between each cell and its neighbour to the east.
    east: Grid<f32>,
    /// Between each cell and its neighbour to the south.
    south: Grid<f32>,
}

impl Edges {
    fn new(potential: &Grid<f32>, power: f64, step: f64, ctx: &Ctx) -> Result<Self> {
        let (w, h) = potential.shape();
        let factor = |a: f32, b: f32| {
            let mean = (a as f64 + b as f64) / 2.0;
            let k = if power == 2.0 { mean * mean } else { crate::math::pow(mean.max(0.0), power) };
            (k * step) as f32
        };
        let (mut east, mut south) = (Grid::filled(w, h, 0f32), Grid::filled(w, h, 0f32));
        par::for_rows((east.rows_mut(), south.rows_mut()), &ctx.quiet(), |y, (east, south)| {
            let row = potential.row(y);
            for x in 0..w {
                east[x] = if x + 1 < w { factor(row[x], row[x + 1]) } else { 0.0 };
                south[x] = if y + 1 < h { factor(row[x], potential[(x, y + 1)]) } else { 0.0 };
            }
        })?;
        Ok(Self { east, south })
    }
}

/// What moves over an edge to the cell on the near side, in whole steps.
#[inline(always)]
fn moved(k: f32, near: i32, far: i32) -> i32 {
    (k * (far.wrapping_sub(near)) as f32) as i32
}

fn pass_of(height: &Grid<i32>, Edges { east, south }: &Edges, ctx: &Ctx) -> Result<Grid<i32>> {
    let (w, h) = height.shape();
    par::fill(
        w,
        h,
        ctx,
        #[inline(always)]
        |y, row: &mut [i32]| {
            let (here, k) = (height.row(y), east.row(y));
            row.copy_from_slice(here);
            for x in 0..w - 1 {
                row[x] += moved(k[x], here[x], here[x + 1]);
            }
            for x in 1..w {
                row[x] -= moved(k[x - 1], here[x - 1], here[x]);
            }
            if y + 1 < h {
                let (below, k) = (height.row(y + 1), south.row(y));
                for x in 0..w {
                    row[x] += moved(k[x], here[x], below[x]);
                }
            }
            if y > 0 {
                let (above, k) = (height.row(y - 1), south.row(y - 1));
                for x in 0..w {
                    row[x] -= moved(k[x], above[x], here[x]);
                }
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;
    use crate::seed::Seed;
    use proptest::prelude::*;

    fn sum(grid: &Grid<i32>) -> i64 {
        grid.cells().iter().map(|&v| v as i64).sum()
    }

    proptest! {
        #[test]
        fn creep_loses_nothing_and_stays_within_the_range(
            w in 1usize..40, h in 1usize..40, seed: u64, duration in 0.0f64..5.0, power in 0.0f64..3.0
        ) {
            let ctx = Ctx::default();
            let cells = |n: i64| (0..w * h).map(move |i| Seed(seed).unit_at(i as i64, n) as f32);
            let height = Grid::from_vec(w, h, cells(0).map(|v| v * 100.0).collect());
            let potential = Grid::from_vec(w, h, cells(1).collect());
            let before = Land::new(&height, 10.0, &ctx).unwrap();
            let range = |l: &Land| (*l.height.cells().iter().min().unwrap(), *l.height.cells().iter().max().unwrap());
            let (low, high) = range(&before);
            let after = creep(before.clone(), &potential, power, duration, &ctx).unwrap();
            prop_assert_eq!(sum(&after.height), sum(&before.height));
            let (l, h) = range(&after);
            prop_assert!(l >= low && h <= high);
            let balance = after.mass_balance(&ctx).unwrap();
            prop_assert!((balance.eroded_m3 - balance.deposited_m3).abs() <= 1e-9 * balance.eroded_m3.max(1.0));
            prop_assert!(after.deposited(&ctx).unwrap().cells().iter().chain(after.eroded.cells()).all(|&v| v >= 0));
        }
    }

    #[test]
    fn a_wave_fades_as_the_diffusion_equation_says() {
        let (n, wave, ctx) = (64, 16.0, Ctx::default());
        let k = std::f64::consts::TAU / wave;
        let height = Grid::from_vec(
            n,
            4,
            (0..4 * n).map(|i| (100.0 * math::cos(k * (i % n) as f64)) as f32).collect(),
        );
        let duration = 10.0;
        let land = Land::new(&height, 1.0, &ctx).unwrap();
        let after = creep(land, &Grid::filled(n, 4, 1.0), 1.0, duration, &ctx).unwrap();
        let expected = 100.0 * math::exp(-k * k * duration);
        let crest = super::super::land::metres(after.height[(32, 2)]) as f64;
        assert!((crest / expected - 1.0).abs() < 0.03, "{crest} instead of {expected}");
    }

    #[test]
    fn nothing_moves_where_the_potential_is_zero() {
        let ctx = Ctx::default();
        let height = Grid::from_vec(8, 8, (0..64).map(|i| (i * 7 % 13) as f32).collect());
        let land = Land::new(&height, 1.0, &ctx).unwrap();
        assert_eq!(creep(land.clone(), &Grid::filled(8, 8, 0.0), 2.0, 3.0, &ctx).unwrap(), land);
    }
}
