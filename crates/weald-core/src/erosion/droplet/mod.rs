//! Hydraulic erosion by droplets of rain.

mod apply;
mod spread;
mod tiles;
mod walk;

use super::brush::{Brush, WHOLE};
use super::land::Land;
use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::par;
use crate::seed::Seed;
use crate::stats;
use apply::{Stamps, Taken, apply};
use spread::spread;
use std::sync::atomic::AtomicU64;
use tiles::Tiles;
use walk::{Field, Walk, Zones};

/// How droplets run, erode and deposit.
#[derive(Clone, Debug, PartialEq)]
pub struct Droplets {
    /// Number of droplets.
    pub count: u32,
    /// I: share of the previous direction in the new one.
    pub inertia: f32,
    /// K_e: share of the free capacity that is eroded in a step.
    pub erosion_rate: f32,
    /// K_d: share of the excess load that is deposited in a step.
    pub deposition_rate: f32,
    /// K_ev: share of the water that evaporates in a step.
    pub evaporation_rate: f32,
    /// K_s: sediment capacity per slope, speed and water.
    pub capacity: f32,
    /// A droplet stops where the slope, rise over run, is below this.
    pub min_slope: f32,
    /// Radius of the brush in cells.
    pub brush_cells: u32,
    /// The greatest number of steps of a droplet.
    pub max_steps: u32,
    /// Number of droplets that run over the same heights before their changes are applied.
    pub batch: u32,
    /// The direction in which they run.
    pub heading: Heading,
    /// How the potential of the land weighs erosion and deposition.
    pub emphasis: Emphasis,
}

/// 100,000 droplets that run downhill and erode hills, with a brush of 3 cells.
impl Default for Droplets {
    fn default() -> Self {
        Self {
            count: 100_000,
            inertia: 0.1,
            erosion_rate: 0.5,
            deposition_rate: 0.3,
            evaporation_rate: 0.02,
            capacity: 4.0,
            min_slope: 0.0005,
            brush_cells: 3,
            max_steps: 1000,
            batch: 1024,
            heading: Heading::Downhill,
            emphasis: Emphasis::Hills,
        }
    }
}

/// The direction in which droplets run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Heading {
    /// Down the gradient, as water does.
    Downhill,
    /// Up the gradient, as if its sign were missing: every step counts as a drop, and a step erodes at most 5 cm of a cell.
    Uphill,
}

/// How the potential P of a cell weighs erosion and deposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Emphasis {
    /// Erosion × (1.5 − P), deposition × (0.5 + P): hills are eroded, plains built up.
    Hills,
    /// Erosion × (0.5 + P), deposition × 1: plains are eroded.
    Plains,
}

/// Hydraulic erosion: droplets of rain run over the land, erode it and deposit their load.
///
/// A droplet starts at a hashed point, which is accepted with the probability 0.2 + 0.8 e, where e is its elevation relative
/// to the range of heights at the beginning; the last of 16 attempts is always accepted. It has the water w = 1 and no load.
/// In a step, with the height h in metres and its gradient ∇h bilinear between cells, c the side of a cell in metres, and all
/// rates per step:
///
/// - direction d ← unit(I d − (1 − I) ∇h / |∇h|); the droplet moves by one cell; drop δ = h − h'; slope s = δ / c
/// - speed v² ← max(0, 0.8 v² + 0.2 s / 0.1): on a steady slope of 10 % the speed is 1 (Chézy: v ∝ √s)
/// - capacity C = K_s · max(s, 0.002) · max(v, 0.05) · w · c, in metres on one cell
/// - if it climbs (δ < 0), it deposits min(load, −δ); without any load left it ends, otherwise it loses half of its water
/// - if load < C, it erodes min((C − load) · K_e · zone, δ), so that the next point stays the lower one
/// - otherwise it deposits (load − C) · K_d · zone, at most max(δ, 0.005 c)
/// - w ← w (1 − K_ev)
///
/// A droplet ends where the slope is below `min_slope`, when w < 0.01, after `max_steps`, or beyond the edge of the map. Over
/// the edge its load is exported, unless it is dry; otherwise the rest of the load is deposited along its last 64 steps. All
/// amounts are spread by the Gaussian [`Brush`], in whole numbers. The zone is the factor of [`Emphasis`]. P is read at the
/// centres of square blocks of cells, whose side is the smallest power of two that gives at most 512 blocks along the longer
/// side of the map.
///
/// Droplets run in batches over fixed heights, and their changes are added afterwards, so that neither the number of threads
/// nor the order of the droplets matters. Reach: whole map. Cost: about 70 ns a step on one core on 4096² cells with a brush
/// of 3 cells, most of it waiting for memory.
///
/// ```
/// use weald_core::erosion::{Droplets, Land, droplet};
/// use weald_core::{Ctx, Grid, Seed};
///
/// let ctx = Ctx::default();
/// let cone = Grid::from_fn(48, 48, |x, y| 40.0 - x.abs_diff(24).max(y.abs_diff(24)) as f32);
/// let land = Land::new(&cone, 10.0, &ctx)?;
/// let rule = Droplets { count: 200, ..Droplets::default() };
/// let eroded = droplet(land, &Grid::filled(48, 48, 0.5), Seed(1), &rule, &ctx)?;
/// let balance = eroded.mass_balance(&ctx)?;
/// assert!(balance.eroded_m3 > 0.0);
/// assert!((balance.eroded_m3 - balance.deposited_m3 - balance.exported_m3).abs() < 1e-3);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If the potential has another shape than the land, a side is longer than 65,536 cells, or the brush is wider than
/// [`Brush`] allows.
#[doc(alias = "hydraulic erosion")]
#[doc(alias = "rain drop")]
#[doc(alias = "particle erosion")]
pub fn droplet(mut land: Land, potential: &Grid<f32>, seed: Seed, p: &Droplets, ctx: &Ctx) -> Result<Land> {
    let (w, h) = land.height.shape();
    if w < 2 || h < 2 {
        return Ok(land);
    }
    assert_eq!(potential.shape(), (w, h), "a potential for every cell");
    assert!(w.max(h) <= 1 << 16, "a side of {} cells is too long: 65,536 at the most", w.max(h));
    let brush = Brush::new(p.brush_cells);
    let stamps = Stamps::new(brush.clone());
    let range = stats::min_max(&land.height, ctx)?.unwrap_or((0, 0));
    let zones = Zones::new(potential, ctx)?;
    let mut height = Tiles::of(&land.height, ctx)?;
    let mut taken = Taken::new(&height);
    let workers = par::threads();
    let mut walks = Grid::filled(1, workers, Walk::new());
    let mut exported = Grid::filled(1, workers, 0);
    let (count, size) = (p.count as u64, p.batch.max(1) as u64);
    let batches = count.div_ceil(size);
    for batch in 0..batches {
        let last = (batch * size + size).min(count);
        let field = Field { height: &height, zones: &zones, cell_m: land.cell_m as f32, range, seed, p, ctx };
        let next = AtomicU64::new(batch * size);
        par::for_bands((walks.rows_mut(), exported.rows_mut()), workers, ctx, |_, walks, exported| {
            for (walk, exported) in walks.iter_mut().zip(exported) {
                *exported += par::widest_simd(
                    #[inline(always)]
                    || walk.run(&field, &next, last),
                );
            }
        })?;
        apply(&mut height, &mut taken, &stamps, walks.cells(), ctx)?;
        ctx.tick(batch as usize + 1, batches as usize);
    }
    land.exported += exported.cells().iter().sum::<i64>() * WHOLE as i64;
    par::for_rows(land.height.rows_mut(), ctx, |y, row| height.copy_row(y, row))?;
    land.eroded = spread(land.eroded, &taken.quanta(ctx)?, &brush, ctx)?;
    Ok(land)
}

#[cfg(test)]
mod tests;
