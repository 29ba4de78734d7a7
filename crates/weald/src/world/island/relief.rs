//! Step 4: height from the distance to the coast, and the sea floor.

use super::params::{Distance, Elevation, Sea};
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald_core::{Cancelled, Ctx, Frame, Grid, Seed, distance, label, par, path, stats};

/// How far inland every cell lies, and on which island.
#[derive(Clone, Debug)]
pub struct Inland {
    /// Distance from the coast in cells, plus 1; 0 in the sea.
    distance: Grid<f32>,
    /// Number of the island, 0 in the sea. All land is one island if heights are not scaled for each.
    island: Grid<u32>,
    /// Largest distance on each island; the first one is that of the whole map.
    farthest: Vec<f32>,
    /// Height of the highest peak of the map, in metres.
    peak_m: f64,
}

impl Inland {
    /// `distance` is that from the coast in cells, plus 1, on land and 0 in the sea.
    fn new(distance: Grid<f32>, p: &Elevation, ctx: &Ctx) -> Result<Self, Cancelled> {
        let (w, h) = distance.shape();
        let (island, count) = match p.per_island {
            true => label::regions(w, h, ctx, |i| distance.cells()[i] > 0.0)?,
            false => (land_as_one(&distance, ctx)?, 1),
        };
        let mut farthest = vec![1f32; count as usize + 1];
        for (&i, &d) in island.cells().iter().zip(distance.cells()) {
            farthest[i as usize] = farthest[i as usize].max(d);
        }
        farthest[0] = farthest.iter().copied().fold(1.0, f32::max);
        Ok(Self { distance, island, farthest, peak_m: p.peak_elevation })
    }

    /// In a straight line from the cells of the coast, as [`straight`] gives it. Reach: point.
    pub fn straight(
        land: &Grid<u8>,
        straight: &Grid<f32>,
        p: &Elevation,
        ctx: &Ctx,
    ) -> Result<Self, Cancelled> {
        let (w, h) = land.shape();
        let cells = par::fill(w, h, ctx, |y, row: &mut [f32]| {
            for (out, (&l, &d)) in row.iter_mut().zip(land.row(y).iter().zip(straight.row(y))) {
                *out = if l == 0 { 0.0 } else { d + 1.0 };
            }
        })?;
        Self::new(cells, p, ctx)
    }

    /// In steps of 1 and √2 over the land, from the cells of the coast. Reach: whole map.
    pub fn steps(
        (land, shoreline): (&Grid<u8>, &Grid<u8>),
        p: &Elevation,
        ctx: &Ctx,
    ) -> Result<Self, Cancelled> {
        let (w, h) = land.shape();
        let plain = par::fill(w, h, ctx, |y, row: &mut [u16]| {
            row.iter_mut().zip(land.row(y)).for_each(|(out, &l)| *out = path::PLAIN * l as u16);
        })?;
        let way = path::cost_distance(&plain, ctx, |i| shoreline.cells()[i] != 0)?;
        let cells = par::fill(w, h, ctx, |y, row: &mut [f32]| {
            for (out, (&l, &d)) in row.iter_mut().zip(land.row(y).iter().zip(way.row(y))) {
                *out = if l == 0 { 0.0 } else { d as f32 / path::UNIT as f32 + 1.0 };
            }
        })?;
        Self::new(cells, p, ctx)
    }

    /// Number of islands, plus 1 for the sea.
    pub fn islands(&self) -> usize {
        self.farthest.len()
    }

    /// The island of a cell; 0 in the sea.
    pub fn island(&self, cell: usize) -> usize {
        self.island.cells()[cell] as usize
    }

    /// Cells from the coast to the place farthest from it, plus 1.
    pub fn farthest(&self) -> f32 {
        self.farthest[0]
    }

    /// Cells from the coast, plus 1; 0 in the sea.
    pub fn cells_from_coast(&self, cell: usize) -> f32 {
        self.distance.cells()[cell]
    }

    /// t = (D + 1)/(D_max + 1), with D_max that of the island; 0 in the sea.
    pub fn share(&self, cell: usize) -> f32 {
        self.distance.cells()[cell] * (1.0 / self.farthest[self.island(cell)])
    }

    /// Height of the peak of an island: peak·√((D_max + 1)/(largest D_max + 1)).
    pub fn peak(&self, island: usize) -> f64 {
        (self.peak_m as f32 * (self.farthest[island] / self.farthest[0]).sqrt()) as f64
    }

    /// The document's heights: peak·smoothstep(t) on land and 0 in the sea. Reach: point.
    pub fn dome(&self, ctx: &Ctx) -> Result<Grid<f32>, Cancelled> {
        let (w, h) = self.distance.shape();
        let peaks: Vec<f32> = (0..self.islands()).map(|k| self.peak(k) as f32).collect();
        par::fill(w, h, ctx, |y, row: &mut [f32]| {
            for (x, out) in row.iter_mut().enumerate() {
                let cell = y * w + x;
                let t = self.share(cell);
                *out = peaks[self.island(cell)] * (t * t * (3.0 - 2.0 * t));
            }
        })
    }
}

/// Distance from the cells of the coast in a straight line, in cells; width + height without any coast. Reach: whole map.
pub fn straight(shoreline: &Grid<u8>, ctx: &Ctx) -> Result<Grid<f32>, Cancelled> {
    let (w, h) = shoreline.shape();
    let near = distance::euclidean(w, h, ctx, |i| shoreline.cells()[i] != 0)?.squared;
    par::fill(w, h, ctx, |y, row: &mut [f32]| {
        row.iter_mut().zip(near.row(y)).for_each(|(out, &d)| *out = (d as f32).sqrt().min((w + h) as f32));
    })
}

/// All land as one island.
fn land_as_one(distance: &Grid<f32>, ctx: &Ctx) -> Result<Grid<u32>, Cancelled> {
    par::fill(distance.width(), distance.height(), ctx, |y, row: &mut [u32]| {
        row.iter_mut().zip(distance.row(y)).for_each(|(out, d)| *out = (*d > 0.0) as u32);
    })
}

/// Wavelength of the noise that shifts the shelf, in cells, and the factor that brings most of it into −1 to 1.
const WANDER: (f64, f32) = (160.0, 2.0);

/// Width of the continental slope, in widths of the shelf.
const SLOPE_SHELVES: f32 = 2.0;

/// Distances from the coast in the sea, in cells, without the edges where two coasts are equally far.
///
/// d + smoothstep(d/s)·(m − d) with d the distance in a straight line, s the width of the shelf, and m the mean of d over blocks of
/// s/16 cells, smoothed four times by the weights 1, 2, 1 and read between the blocks. It differs from d by at most 0.9·min(d, s).
/// Reach: 0.6·s.
fn soft_distance(cells: Grid<f32>, shelf: f32, ctx: &Ctx) -> Result<Grid<f32>, Cancelled> {
    let (w, h) = cells.shape();
    let step = (shelf / 16.0) as usize;
    if step < 2 || step > w.min(h) {
        return Ok(cells);
    }
    let mut broad = stats::block_means(&cells, step, ctx)?;
    for _ in 0..4 {
        let last = broad.clone();
        let at = |v: usize, by: isize, n: usize| v.saturating_add_signed(by).min(n - 1);
        let (bw, bh) = last.shape();
        broad = par::fill(bw, bh, ctx, |y, row: &mut [f32]| {
            for (x, out) in row.iter_mut().enumerate() {
                let line = |y: usize| last[(at(x, -1, bw), y)] + 2.0 * last[(x, y)] + last[(at(x, 1, bw), y)];
                *out = (line(at(y, -1, bh)) + 2.0 * line(y) + line(at(y, 1, bh))) / 16.0;
            }
        })?;
    }
    let mut soft = cells;
    par::for_rows(soft.rows_mut(), ctx, |y, row| {
        let place = |i: usize| (i as f64 + 0.5) / step as f64 - 0.5;
        for (x, d) in row.iter_mut().enumerate().filter(|(_, d)| **d > 0.0) {
            let t = (*d / shelf).min(1.0);
            *d += t * t * (3.0 - 2.0 * t) * (broad.bilinear(place(x), place(y)) as f32 - *d);
        }
    })?;
    Ok(soft)
}

/// Adds the sea floor where land is 0: a shelf, a slope and a plain.
///
/// depth = depth at the shore + slope·min(r, s) + plain·smoothstep((r − s/2)/(2·s)) with s the width of the shelf and
/// r = d·(1 + w·n), where d is the distance from the coast in cells, softened if it is Euclidean, n noise from −1 to 1 and w `wander`. A cell that is already below 0
/// keeps its depth. Reach: point, given the distances.
pub fn sea_floor(
    mut height: Grid<f32>,
    land: &Grid<u8>,
    distances: Grid<f32>,
    (seed, p): (Seed, &Sea),
    ctx: &Ctx,
) -> Result<Grid<f32>, Cancelled> {
    let (w, h) = land.shape();
    let (depth, slope, shelf) = (p.shore_depth_m as f32, p.slope_m as f32, p.shelf_cells as f32);
    let (plain, wander) = (p.plain_depth_m as f32, p.wander as f32);
    let far = match p.distance {
        Distance::Euclidean => soft_distance(distances, shelf, ctx)?,
        Distance::Steps => distances,
    };
    let waves = Fractal { wavelength_m: WANDER.0, octaves: 3, persistence: 0.5, lacunarity: 2.0 };
    let noise = match wander > 0.0 {
        true => Some(fractal(&Frame::new(w, h, 1.0), seed, NoiseShape::Fbm, &waves, ctx)?),
        false => None,
    };
    par::for_rows(
        height.rows_mut(),
        ctx,
        #[inline(always)]
        |y, row| {
            for (x, h) in row.iter_mut().enumerate().filter(|(x, h)| land[(*x, y)] == 0 && **h >= 0.0) {
                let n = noise.as_ref().map_or(0.0, |n| (WANDER.1 * n[(x, y)]).clamp(-1.0, 1.0));
                let r = far[(x, y)] * (1.0 + wander * n);
                let beyond = ((r - 0.5 * shelf) / (SLOPE_SHELVES * shelf).max(1.0)).clamp(0.0, 1.0);
                *h = -depth - slope * r.min(shelf) - plain * (beyond * beyond * (3.0 - 2.0 * beyond));
            }
        },
    )?;
    Ok(height)
}
