//! Hydraulic erosion by droplets.

mod apply;
mod spread;
mod tiles;
mod walk;

use super::brush::{Brush, WHOLE};
use super::land::Land;
use crate::ctx::{Cancelled, Ctx};
use crate::grid::Grid;
use crate::par;
use crate::seed::Seed;
use crate::stats;
use apply::{Stamps, Taken, apply};
use spread::spread;
use std::sync::atomic::AtomicU64;
use tiles::Tiles;
use walk::{Field, Walk, Zones};

/// How droplets run and what they move.
#[derive(Clone, Debug, PartialEq)]
pub struct Droplets {
    /// How many there are.
    pub count: u32,
    /// I: share of the old direction in the new one.
    pub inertia: f32,
    /// K_e: share of the free capacity that is taken up in a step.
    pub erosion_rate: f32,
    /// K_d: share of the surplus that is laid down in a step.
    pub deposition_rate: f32,
    /// K_ev: share of the water lost in a step.
    pub evaporation_rate: f32,
    /// K_s: load per slope, speed and water.
    pub capacity: f32,
    /// A droplet stops where the slope, rise over run, is below this.
    pub min_slope: f32,
    /// Radius of the brush in cells.
    pub brush_cells: u32,
    /// Steps a droplet makes at the most.
    pub max_steps: u32,
    /// Droplets that run at once over the same frozen heights.
    pub batch: u32,
    /// Which way they run.
    pub heading: Heading,
    /// Where they take and where they lay down.
    pub emphasis: Emphasis,
}

/// Which way droplets run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// Down the gradient, as water does.
    Downhill,
    /// Up the gradient, as a sign left out makes them: every step counts as a fall, and up to 5 cm on a cell is taken.
    Uphill,
}

/// How the potential P of a cell weighs what is taken and what is laid down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    /// Taken × (1.5 − P), laid down × (0.5 + P): hills are carved, plains built up.
    Hills,
    /// Taken × (0.5 + P), laid down × 1: plains are carved.
    Plains,
}

/// Lets droplets carve and build up the land.
///
/// A droplet starts at a hashed place, taken with the chance 0.2 + 0.8 e of its relative elevation e within the range at
/// the beginning (the last of 16 tries counts in any case), with water w = 1 and no load. In a step, with h and ∇h
/// bilinear between cells, c the side of a cell and all rates per step:
///
/// - direction d ← unit(I d − (1 − I) ∇h / |∇h|); it goes on by one cell; drop δ = h − h'; slope s = δ / c
/// - speed v² ← max(0, 0.8 v² + 0.2 s / 0.1): on a steady slope of 10 % the speed is 1 (Chézy: v ∝ √s)
/// - capacity C = K_s · max(s, 0.002) · max(v, 0.05) · w · c, in metres on one cell
/// - climbing (δ < 0): it lays down min(load, −δ). If nothing is left it ends, otherwise half its water stays behind.
/// - load < C: it takes min((C − load) · K_e · zone, δ): the next place stays the lower one
/// - otherwise it lays down (load − C) · K_d · zone, at most max(δ, 0.005 c)
/// - w ← w (1 − K_ev)
///
/// It ends below `min_slope`, with w < 0.01, after `max_steps`, or over the edge, which carries its load off (whatever else
/// ends it there, unless it is dry). Otherwise the rest of the load is spread over its last 64 steps. Everything is moved
/// by the Gaussian [`Brush`], in whole numbers. The zone is the factor of [`Emphasis`]; P counts by square blocks of
/// cells, whose side is the least power of two with at most 512 of them along the longer side of the map, and is read at
/// their middle.
///
/// Droplets run in batches over frozen heights and their changes are added afterwards, so that neither the number of
/// threads nor the order of the droplets matters. Reach: whole map. Cost: about 70 ns a step on one core on 4096² cells
/// with a brush of 3 cells, most of it waiting for memory.
///
/// # Panics
/// If the potential has another shape than the land, a side is longer than 65,536 cells, or the brush is wider than
/// [`Brush`] allows.
pub fn droplet(
    mut land: Land,
    potential: &Grid<f32>,
    seed: Seed,
    p: &Droplets,
    ctx: &Ctx,
) -> Result<Land, Cancelled> {
    let (w, h) = (land.height.width(), land.height.height());
    if w < 2 || h < 2 {
        return Ok(land);
    }
    assert_eq!((potential.width(), potential.height()), (w, h), "a potential for every cell");
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
        apply((&mut height, &mut taken), &stamps, walks.cells(), ctx)?;
        ctx.tick(batch as usize + 1, batches as usize);
    }
    land.exported += exported.cells().iter().sum::<i64>() * WHOLE as i64;
    par::for_rows(land.height.rows_mut(), ctx, |y, row| height.copy_row(y, row))?;
    land.eroded = spread(land.eroded, &taken.quanta(ctx)?, &brush, ctx)?;
    Ok(land)
}

#[cfg(test)]
mod tests;
