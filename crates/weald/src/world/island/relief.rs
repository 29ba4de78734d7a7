//! Step 4: height from the cost distance to the coast.

use super::params::{Elevation, Sea};
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald_core::{Cancelled, Ctx, Frame, Grid, Seed, label, par, path};

/// Greatest deviation g of the resistance at full roughness: 0 is a resistance of 1 everywhere, 1 would span 0 to infinity.
const UNEVEN: f32 = 0.75;

/// Resistances lie within 1/5 and 5.
const WIDEST: f32 = 5.0;

/// Random part of the resistance from cell to cell, at full roughness: without it, slopes drain in parallel lines.
const GRAIN: f32 = 0.5;

/// Resistance of the ground for the cost distance from the coast, in units of [`path::PLAIN`]; 0 in the sea.
///
/// r = ((1 + g)/(1 − g))²·(1 + ½ρ(u − ½)) within 1/5 and 5, with g = ¾·ρ·f, ρ the roughness, f fractal noise and u a random
/// number of the cell. Where r is low, low ground reaches far inland: a valley. Reach: point.
pub fn resistance(land: &Grid<u8>, seed: Seed, p: &Elevation, ctx: &Ctx) -> Result<Grid<u16>, Cancelled> {
    let (w, h) = (land.width(), land.height());
    let waves =
        Fractal { wavelength_m: 1.0 / p.roughness_scale, octaves: 5, persistence: 0.6, lacunarity: 2.0 };
    let rough = p.roughness as f32;
    let noise = match rough > 0.0 {
        true => fractal(&Frame::new(w, h, 1.0), seed, NoiseShape::Fbm, &waves, ctx)?,
        false => Grid::filled(w, h, 0.0),
    };
    let grains = seed.of("grain");
    par::fill(
        w,
        h,
        ctx,
        #[inline(always)]
        |y, row: &mut [u16]| {
            let cells = noise.row(y).iter().zip(land.row(y));
            for (x, (out, (&f, &land))) in row.iter_mut().zip(cells).enumerate() {
                let g = UNEVEN * rough * f;
                let ratio = (1.0 + g) / (1.0 - g);
                let unit = (grains.at(x as i64, y as i64) >> 40) as f32 * (1.0 / (1u32 << 24) as f32);
                let r = ratio * ratio * (1.0 + GRAIN * rough * (unit - 0.5));
                let parts = (r.clamp(1.0 / WIDEST, WIDEST) * path::PLAIN as f32) as u16;
                *out = parts * land as u16;
            }
        },
    )
}

/// Height in metres: peak·smoothstep(t) on land with t = (D + 1)/(D_max + 1) and D the cost distance from the coast,
/// in cells; D_max is the largest of the map, or that of the island if every island has its own peak, which is then
/// peak·√((D_max + 1)/(largest D_max + 1)). 0 in the sea. Reach: whole map.
pub fn height(
    (land, shoreline): (&Grid<u8>, &Grid<u8>),
    resistance: &Grid<u16>,
    p: &Elevation,
    ctx: &Ctx,
) -> Result<Grid<f32>, Cancelled> {
    let (w, h) = (land.width(), land.height());
    let way = path::cost_distance(resistance, ctx, |i| shoreline.cells()[i] != 0)?;
    let (island, count) = match p.per_island {
        true => label::regions(w, h, ctx, |i| land.cells()[i] != 0)?,
        false => (land_as_one(land, ctx)?, 1),
    };
    let mut farthest = vec![0u32; count as usize + 1];
    for (&i, &d) in island.cells().iter().zip(way.cells()).filter(|(_, d)| **d != path::NEVER) {
        farthest[i as usize] = farthest[i as usize].max(d);
    }
    let cells = |d: u32| d as f32 / path::UNIT as f32 + 1.0;
    let most = cells(farthest.iter().copied().max().unwrap_or(0));
    // (1 / (D_max + 1), peak) of each island
    let islands: Vec<(f32, f32)> = farthest
        .iter()
        .map(|&d| (1.0 / cells(d), p.peak_elevation as f32 * (cells(d) / most).sqrt()))
        .collect();
    par::fill(
        w,
        h,
        ctx,
        #[inline(always)]
        |y, row: &mut [f32]| {
            let ways = way.row(y).iter().zip(island.row(y));
            for (out, (&d, &island)) in row.iter_mut().zip(ways) {
                if island != 0 {
                    let (scale, peak) = islands[island as usize];
                    let t = cells(d) * scale;
                    *out = peak * (t * t * (3.0 - 2.0 * t));
                }
            }
        },
    )
}

/// All land as one island.
fn land_as_one(land: &Grid<u8>, ctx: &Ctx) -> Result<Grid<u32>, Cancelled> {
    par::fill(land.width(), land.height(), ctx, |y, row: &mut [u32]| {
        row.iter_mut().zip(land.row(y)).for_each(|(out, l)| *out = *l as u32);
    })
}

/// Adds the sea floor where land is 0: −(depth at the shore) − slope·min(d, shelf) with d the distance from the coast.
/// A cell that is already below 0 keeps its depth. Reach: point.
pub fn sea_floor(
    mut height: Grid<f32>,
    land: &Grid<u8>,
    shore: &Grid<f32>,
    p: &Sea,
    ctx: &Ctx,
) -> Result<Grid<f32>, Cancelled> {
    let (depth, slope, shelf) = (p.shore_depth_m as f32, p.slope_m as f32, p.shelf_cells as f32);
    par::for_rows(
        height.rows_mut(),
        ctx,
        #[inline(always)]
        |y, row| {
            for ((h, &land), &d) in row.iter_mut().zip(land.row(y)).zip(shore.row(y)) {
                if land == 0 && *h >= 0.0 {
                    *h = -depth - slope * d.min(shelf);
                }
            }
        },
    )?;
    Ok(height)
}
