//! Steps 1 to 3: land, coast, distance from the coast.

use super::params::{Form, Shape};
use std::collections::VecDeque;
use weald_core::hydro::{self, Outlets};
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald_core::{Cancelled, Ctx, Frame, Grid, Seed, dir8, distance, label, par, stats};

/// How much the likelihood of the outer ring is lowered, so that it becomes land last. The others lie within 1 + 5·√2 of each
/// other.
const RING: f32 = 16.0;

/// How often islets are lowered: new ones appear when the ranks are taken anew.
const ROUNDS: usize = 4;

/// Likelihood of land: v = ½ + ½·f − k·d with f fractal noise of lacunarity 2, k the centre fall,
/// d the distance from the centre of the map as a share of half its size, or from the ring. Reach: point.
pub fn likelihood(
    (width, height): (usize, usize),
    seed: Seed,
    p: &Shape,
    ctx: &Ctx,
) -> Result<Grid<f32>, Cancelled> {
    let waves = Fractal {
        wavelength_m: 1.0 / p.island_noise_scale,
        octaves: p.island_noise_octaves,
        persistence: p.island_noise_persistence,
        lacunarity: 2.0,
    };
    let mut value = fractal(&Frame::new(width, height, 1.0), seed, NoiseShape::Fbm, &waves, ctx)?;
    let (half_w, half_h) = (width as f32 / 2.0, height as f32 / 2.0);
    let (fall, radius) = (p.centre_fall as f32, p.ring_radius as f32);
    par::for_rows(
        value.rows_mut(),
        ctx,
        #[inline(always)]
        |y, row| {
            let dy = (y as f32 + 0.5) / half_h - 1.0;
            for (x, v) in row.iter_mut().enumerate() {
                let dx = (x as f32 + 0.5) / half_w - 1.0;
                let d = (dx * dx + dy * dy).sqrt();
                let d = match p.form {
                    Form::Centre => d,
                    Form::Ring => (d - radius).abs(),
                };
                *v = 0.5 + 0.5 * *v - fall * d;
            }
        },
    )?;
    Ok(value)
}

/// Land (1) and sea (0): `wanted` cells of land, and no sea that is cut off from the edge of the map.
///
/// The likelihood of the outer ring of cells is lowered by 16, so that it becomes land last. Sea is what a rising flood from
/// the edge reaches first: the cells are ranked by F = [`hydro::fill`] of the likelihood, the spill level of the best path from
/// the edge, and the last `wanted` ones are land. Where the line falls among cells of one F, a depression with one spill level,
/// the sea takes those that it reaches in the fewest steps. Islets of fewer than `least` cells are lowered to the highest cell
/// beside them, and the ranks are taken anew, at most four times. Reach: whole map.
pub fn land(
    mut likelihood: Grid<f32>,
    wanted: usize,
    least: usize,
    ctx: &Ctx,
) -> Result<Grid<u8>, Cancelled> {
    let (w, h) = (likelihood.width(), likelihood.height());
    if wanted == 0 {
        return Ok(Grid::filled(w, h, 0));
    }
    for y in 0..h {
        let row = likelihood.row_mut(y);
        if y == 0 || y + 1 == h {
            row.iter_mut().for_each(|v| *v -= RING);
        } else {
            row[0] -= RING;
            if let Some(last) = row[1..].last_mut() {
                *last -= RING;
            }
        }
    }
    let mut flood = hydro::fill(&likelihood, Outlets::Border, ctx)?;
    let mut line = stats::kth(&flood, w * h - wanted, ctx)?;
    for _ in 0..ROUNDS {
        if !lower_islets(&mut flood, line, least, ctx)? {
            break;
        }
        line = stats::kth(&flood, w * h - wanted, ctx)?;
    }
    let mut land: Grid<u8> = par::fill(w, h, ctx, |y, row: &mut [u8]| {
        row.iter_mut().zip(flood.row(y)).for_each(|(land, f)| *land = (*f >= line) as u8);
    })?;
    let dry: usize = par::map(h, ctx, |y| land.row(y).iter().filter(|l| **l != 0).count())?.iter().sum();
    drown(&mut land, &flood, line, dry - wanted);
    Ok(land)
}

/// Lowers every region at or above `line` of fewer than `least` cells to the highest cell beside it; whether there was one. The sea
/// stays connected: what lay around the islet is reached before it.
fn lower_islets(flood: &mut Grid<f32>, line: f32, least: usize, ctx: &Ctx) -> Result<bool, Cancelled> {
    if least < 2 {
        return Ok(false);
    }
    let (w, h) = flood.shape();
    let (region, count) = label::regions(w, h, ctx, |i| flood.cells()[i] >= line)?;
    let mut sizes = vec![0usize; count as usize + 1];
    region.cells().iter().for_each(|&r| sizes[r as usize] += 1);
    let islet = |r: u32| r > 0 && sizes[r as usize] < least;
    let mut beside = vec![f32::NEG_INFINITY; sizes.len()];
    for i in (0..w * h).filter(|&i| islet(region.cells()[i])) {
        let highest = &mut beside[region.cells()[i] as usize];
        dir8::neighbours(w, h, i % w, i / w, |_, x, y| {
            if region[(x, y)] == 0 {
                *highest = highest.max(flood[(x, y)]);
            }
        });
    }
    // Land inside the map never sinks as low as its outer ring, nor does a region that covers the map.
    let lowered = |r: u32| beside[r as usize] > -RING / 2.0;
    par::for_rows(flood.rows_mut(), ctx, |y, row| {
        for (f, &r) in row.iter_mut().zip(region.row(y)).filter(|(_, r)| lowered(**r)) {
            *f = beside[r as usize];
        }
    })?;
    Ok((1..=count).any(lowered))
}

/// Gives `count` of the cells whose F is `line` to the sea, those first that it reaches in the fewest steps.
fn drown(land: &mut Grid<u8>, flood: &Grid<f32>, line: f32, mut count: usize) {
    if count == 0 {
        return;
    }
    let (w, h) = (land.width(), land.height());
    let tied = |i: usize| flood.cells()[i] == line;
    let edge = |i: usize| i.is_multiple_of(w) || i % w == w - 1 || i < w || i >= w * (h - 1);
    let (mut queue, mut waits) = (VecDeque::new(), vec![false; w * h]);
    for i in (0..w * h).filter(|&i| tied(i)) {
        let mut shore = edge(i);
        dir8::neighbours(w, h, i % w, i / w, |_, x, y| shore |= land[(x, y)] == 0);
        if shore {
            waits[i] = true;
            queue.push_back(i);
        }
    }
    while count > 0
        && let Some(i) = queue.pop_front()
    {
        land.cells_mut()[i] = 0;
        count -= 1;
        dir8::neighbours(w, h, i % w, i / w, |_, x, y| {
            let n = y * w + x;
            if tied(n) && !waits[n] {
                waits[n] = true;
                queue.push_back(n);
            }
        });
    }
}

/// The cells of land (1) that have sea, or the outside of the map, among their four neighbours. Reach: 1 cell.
pub fn shoreline(land: &Grid<u8>, ctx: &Ctx) -> Result<Grid<u8>, Cancelled> {
    let (w, h) = (land.width(), land.height());
    par::fill(
        w,
        h,
        ctx,
        #[inline(always)]
        |y, row: &mut [u8]| {
            let here = land.row(y);
            if y == 0 || y + 1 == h {
                row.copy_from_slice(here);
                return;
            }
            let (above, below) = (land.row(y - 1), land.row(y + 1));
            (row[0], row[w - 1]) = (here[0], here[w - 1]);
            for x in 1..w.max(2) - 1 {
                let inner = here[x - 1] & here[x + 1] & above[x] & below[x];
                row[x] = here[x] & (1 - inner);
            }
        },
    )
}

/// The mask of outlets: 1 where there is no land.
pub fn sea(land: &Grid<u8>, ctx: &Ctx) -> Result<Grid<u8>, Cancelled> {
    par::fill(land.width(), land.height(), ctx, |y, row: &mut [u8]| {
        row.iter_mut().zip(land.row(y)).for_each(|(sea, l)| *sea = 1 - l);
    })
}

/// Distance of every cell from the coast in cells, by steps of 1 and √2; width + height everywhere if there is no coast.
/// Reach: whole map.
pub fn shore_distance(shoreline: &Grid<u8>, ctx: &Ctx) -> Result<Grid<f32>, Cancelled> {
    distance::octile(shoreline.width(), shoreline.height(), ctx, |i| shoreline.cells()[i] != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn land_has_exactly_the_cells_asked_for_and_all_sea_reaches_the_edge(
            w in 1usize..40, h in 1usize..40, share in 0.0f64..=1.0, least in 1usize..30, steps in prop_oneof![2u64..6, 1_000_000u64..1_000_001], seed: u64
        ) {
            let cell = |i: usize| (Seed(seed).at(i as i64, 0) % steps) as f32;
            let likelihood = Grid::from_vec(w, h, (0..w * h).map(cell).collect());
            let wanted = (share * (w * h) as f64).round() as usize;
            let land = land(likelihood, wanted, least, &Ctx::default()).unwrap();
            prop_assert_eq!(land.cells().iter().filter(|l| **l != 0).count(), wanted);
            let mut reached = vec![false; w * h];
            let edge = |i: usize| i.is_multiple_of(w) || i % w == w - 1 || i < w || i >= w * (h - 1);
            let mut stack: Vec<usize> = (0..w * h).filter(|&i| edge(i) && land.cells()[i] == 0).collect();
            while let Some(i) = stack.pop() {
                if std::mem::replace(&mut reached[i], true) {
                    continue;
                }
                dir8::neighbours(w, h, i % w, i / w, |_, x, y| {
                    if land[(x, y)] == 0 && !reached[y * w + x] {
                        stack.push(y * w + x);
                    }
                });
            }
            prop_assert!((0..w * h).all(|i| land.cells()[i] != 0 || reached[i]));
        }
    }

    #[test]
    fn the_coast_is_land_with_sea_or_nothing_beside_it() {
        let land = Grid::from_vec(
            5,
            5,
            vec![
                0, 0, 0, 0, 0, //
                0, 1, 1, 1, 0, //
                0, 1, 1, 1, 1, //
                0, 1, 1, 1, 0, //
                0, 0, 1, 0, 0,
            ],
        );
        let coast = shoreline(&land, &Ctx::default()).unwrap();
        let expected = [
            0, 0, 0, 0, 0, //
            0, 1, 1, 1, 0, //
            0, 1, 0, 0, 1, //
            0, 1, 0, 1, 0, //
            0, 0, 1, 0, 0,
        ];
        assert_eq!(coast.cells(), expected);
    }
}
