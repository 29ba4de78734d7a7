//! The coast of a map with a sea on one side.

use super::params::{CityParams, Side};
use weald_core::line::Point;
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal, fractal_at};
use weald_core::{Ctx, Frame, Grid, Seed, distance, label, math, par, stats};

/// Cells along the longer side of the map on which the coast is placed, for every resolution.
const REFERENCE: usize = 512;

/// Wavelength and strength of bays and capes, as shares of the width of the map.
const BAYS: (f64, f64) = (0.45, 0.45);

/// Octaves of the coast: its detail goes down to a few metres.
const OCTAVES: u32 = 10;

/// Weight of an octave of the coast relative to the one before, which makes it as rough as real ones.
const PERSISTENCE: f64 = 0.62;

/// Slope of the sea floor near the coast, and the depth that it approaches, in metres.
const FLOOR: (f64, f64) = (0.03, 45.0);

/// Depth of the shallowest water and height of the lowest beach, in metres.
pub(super) const BEACH_M: f64 = 0.5;

/// A coast: how far inland a place lies.
#[derive(Clone, Debug)]
pub struct Coast {
    side: Side,
    seed: Seed,
    bays: Fractal,
    strength_m: f64,
    /// Width and height of the map in metres.
    size_m: (f64, f64),
    shift_m: f64,
}

impl Coast {
    /// The coast of the side that the parameters name: the sea has the requested share of the map and is connected to that side.
    pub fn new(frame: &Frame, seed: Seed, p: &CityParams, ctx: &Ctx) -> weald_core::Result<Option<Self>> {
        if p.sea.side == Side::None {
            return Ok(None);
        }
        let size_m = (frame.width as f64 * frame.cell_m, frame.height as f64 * frame.cell_m);
        let bays = Fractal {
            wavelength_m: BAYS.0 * size_m.0,
            octaves: OCTAVES,
            persistence: PERSISTENCE,
            lacunarity: 2.0,
        };
        let seed = seed.of("coast");
        let mut coast =
            Self { side: p.sea.side, seed, bays, strength_m: BAYS.1 * size_m.0, size_m, shift_m: 0.0 };
        let long = frame.width.max(frame.height).max(1);
        let side = |cells: usize| (cells * REFERENCE).div_ceil(long).max(8);
        let (width, height) = (side(frame.width), side(frame.height));
        let reference = Frame { width, height, cell_m: size_m.0 / width as f64, origin: frame.origin };
        let inland = coast.inland(&reference, ctx)?;
        let (mut low, mut high) = stats::min_max(&inland, ctx)?.unwrap_or((0.0, 0.0));
        for _ in 0..30 {
            let middle = low + (high - low) / 2.0;
            let wet = coast.open_sea(&inland, middle, ctx)?.cells().iter().filter(|&&v| v).count();
            if wet as f64 > p.sea.share * inland.len() as f64 { high = middle } else { low = middle }
        }
        coast.shift_m = low as f64;
        Ok(Some(coast))
    }

    /// The cells below `limit` that are connected to the side of the sea.
    fn open_sea(&self, inland: &Grid<f32>, limit: f32, ctx: &Ctx) -> weald_core::Result<Grid<bool>> {
        let (w, h) = inland.shape();
        let (region, count) = label::regions(w, h, ctx, |cell| inland.cells()[cell] < limit)?;
        let mut open = vec![false; count as usize + 1];
        for (i, &r) in region.cells().iter().enumerate() {
            open[r as usize] |= r > 0 && self.side.touches((i % w, i / w), (w, h));
        }
        par::fill(w, h, ctx, |y, row: &mut [bool]| {
            row.iter_mut().zip(region.row(y)).for_each(|(out, &r)| *out = open[r as usize]);
        })
    }

    /// How far inland a place lies, about, in metres; below 0 it is sea if it is connected to the side.
    pub fn inland_at(&self, place: Point) -> f64 {
        let noise = fractal_at(place.0, place.1, self.seed, NoiseShape::Fbm, &self.bays);
        self.side.distance(place, ((0.0, 0.0), self.size_m)) + self.strength_m * noise as f64 - self.shift_m
    }

    /// [`Coast::inland_at`] at the cell centres of `frame`.
    fn inland(&self, frame: &Frame, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let ctx = &ctx.quiet();
        let mut inland = fractal(frame, self.seed, NoiseShape::Fbm, &self.bays, ctx)?;
        par::for_rows(inland.rows_mut(), ctx, |y, row| {
            for (x, v) in row.iter_mut().enumerate() {
                let far = self.side.distance(frame.cell_centre(x, y), ((0.0, 0.0), self.size_m));
                *v = (far + self.strength_m * *v as f64 - self.shift_m) as f32;
            }
        })?;
        Ok(inland)
    }

    /// The sea on the cells of `frame`.
    pub fn sea(&self, frame: &Frame, ctx: &Ctx) -> weald_core::Result<Sea> {
        let ctx = &ctx.quiet();
        let open = self.open_sea(&self.inland(frame, ctx)?, 0.0, ctx)?;
        let (w, h) = open.shape();
        let shore = distance::euclidean(w, h, ctx, |cell| !open.cells()[cell])?.squared;
        let floor = par::fill(w, h, ctx, |y, row: &mut [f32]| {
            for (x, out) in row.iter_mut().enumerate() {
                let far = (shore[(x, y)] as f64).sqrt() * frame.cell_m;
                *out = if far > 0.0 { -depth(far) as f32 } else { f32::INFINITY };
            }
        })?;
        Ok(Sea { floor })
    }
}

/// The sea on the cells of a map.
#[derive(Clone, Debug)]
pub struct Sea {
    /// Height of its floor; infinite on land.
    floor: Grid<f32>,
}

impl Sea {
    /// Puts the sea into the ground: its cells get its floor, all others stand above it.
    pub fn flood(&self, mut height: Grid<f32>, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        par::for_rows(height.rows_mut(), &ctx.quiet(), |y, row| {
            for (h, &floor) in row.iter_mut().zip(self.floor.row(y)) {
                *h = if floor < 0.0 { floor } else { h.max(BEACH_M as f32) };
            }
        })?;
        Ok(height)
    }

    /// The share of the map that is sea.
    pub fn share(&self) -> f64 {
        self.floor.cells().iter().filter(|floor| **floor < 0.0).count() as f64 / self.floor.len() as f64
    }

    /// Gives the cells of the sea that were raised above it their floor again; returns whether there were any.
    pub fn reopen(&self, height: &mut Grid<f32>) -> bool {
        let mut raised = false;
        for (h, &floor) in height.cells_mut().iter_mut().zip(self.floor.cells()) {
            if floor < 0.0 && *h >= 0.0 {
                (*h, raised) = (floor, true);
            }
        }
        raised
    }
}

/// Depth of the sea that far from the coast, in metres: d∞·(1 − e^(−s·r/d∞)) with the slope s and the depth d∞.
fn depth(far_m: f64) -> f64 {
    BEACH_M + FLOOR.1 * (1.0 - math::exp(-FLOOR.0 * far_m / FLOOR.1))
}
