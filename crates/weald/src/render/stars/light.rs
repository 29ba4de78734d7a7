//! Light, accumulated pixel by pixel before it is converted to a picture.

use crate::error::Result;
use crate::render::palette::Ramp;
use crate::render::{Image, Rgb};
use weald_core::{Ctx, Grid, math, par};

/// Colours of stars by index, from cool to hot.
pub(super) const STAR_COLOURS: Ramp = Ramp {
    stops: &[
        (0.0, [255, 118, 74]),
        (0.25, [255, 176, 108]),
        (0.5, [255, 238, 208]),
        (0.7, [218, 228, 255]),
        (1.0, [138, 174, 255]),
    ],
};

/// Light of the gas in the nearest, middle and furthest part of the depth: linear red, green, blue.
const GLOW: [[f64; 3]; 3] = [[0.98, 0.21, 0.13], [0.40, 0.10, 0.72], [0.04, 0.30, 0.62]];

/// Longest side of the picture, unless the block is larger.
const SIDE: f64 = 1600.0;
/// Longest side of a picture of a large block.
const MOST: f64 = 4096.0;

/// How large a star of step 1 to 7 is shown, 1 for the brightest: each magnitude is 0.72 times the one before.
pub(super) fn shown(step: u8) -> f64 {
    math::pow(0.72, step.saturating_sub(1) as f64)
}

/// The colour of the gas in the nearest (0), middle (1) or furthest (2) third of the depth, as in the legend.
///
/// # Panics
/// If there is no such part.
pub fn gas_colour(part: usize) -> Rgb {
    GLOW[part].map(|v| channel(v * 0.7))
}

/// A star to be shown.
pub(super) struct Shown {
    /// Column and row.
    pub(super) cell: (f64, f64),
    /// Its colour, 0 to 15.
    pub(super) colour: u8,
    /// 1 to 7, 1 for the brightest.
    pub(super) step: u8,
}

/// Accumulates light.
pub(super) struct Light {
    /// Pixels per light year.
    scale: f64,
    width: usize,
    height: usize,
    cells: Vec<[f32; 3]>,
}

impl Light {
    pub(super) fn new((columns, rows): (usize, usize), px: Option<usize>) -> Self {
        let (w, h) = (columns as f64, rows as f64);
        let longest = w.max(h);
        let scale = match px {
            Some(px) => px as f64 / longest,
            None => (SIDE / longest).clamp(1.0, 8.0).min(MOST / longest),
        };
        let side = |v: f64| ((v * scale) as usize).max(1);
        let (width, height) = (side(w), side(h));
        Self { scale, width, height, cells: vec![[0.0; 3]; width * height] }
    }

    /// The light of the gas. Each part k of the depth, with n its mean density over 70, shines as 0.7·n²/(1 + n)·colour, the
    /// densest gas as white, and dims what is behind it by e^(−0.5·n). Reach: 2 columns.
    pub(super) fn gas(&mut self, gas: [&Grid<f32>; 3], depth_ly: u32, ctx: &Ctx) -> weald_core::Result<()> {
        let (width, height, scale) = (self.width, self.height, self.scale);
        let per = 70.0 * (depth_ly as f64 / 3.0).max(1.0);
        let mut rows = Grid::from_vec(width, height, std::mem::take(&mut self.cells));
        par::for_rows(rows.rows_mut(), ctx, |y, row: &mut [[f32; 3]]| {
            let sy = (y as f64 + 0.5) / scale - 0.5;
            for (x, out) in row.iter_mut().enumerate() {
                let sx = (x as f64 + 0.5) / scale - 0.5;
                // From behind.
                let mut light = [0.0f64; 3];
                for k in [2, 1, 0] {
                    let n = gas[k].bilinear(sx, sy) / per;
                    let veil = math::exp(-0.5 * n);
                    let glow = 0.7 * n * n / (1.0 + n);
                    let white = 0.16 * glow * glow;
                    (0..3).for_each(|c| light[c] = light[c] * veil + GLOW[k][c] * glow + white);
                }
                *out = light.map(|v| v as f32);
            }
        })?;
        self.cells = rows.into_vec();
        Ok(())
    }

    /// The light of the stars: a core, a halo, and rays for the brightest.
    pub(super) fn stars(&mut self, stars: &[Shown], ctx: &Ctx) -> Result<()> {
        let unit = (self.width.max(self.height) as f64 / SIDE).max(0.5);
        let table = STAR_COLOURS.table();
        for star in stars {
            let (x, y) = ((star.cell.0 + 0.5) * self.scale, (star.cell.1 + 0.5) * self.scale);
            let colour = table[star.colour as usize * 17].map(|c| math::pow(c as f64 / 255.0, 2.2));
            ctx.checkpoint()?;
            self.star((x, y), colour, shown(star.step), unit);
        }
        Ok(())
    }

    fn star(&mut self, (x, y): (f64, f64), colour: [f64; 3], size: f64, unit: f64) {
        let core = (0.55 + 1.75 * size) * unit;
        let halo = 7.5 * size * unit;
        let reach = (6.0 * halo).max(4.0 * core).ceil();
        let rays = if size > 0.9 { 0.2 } else { 0.0 };
        let span = |at: f64, end: usize| {
            let low = (at - reach).floor().max(0.0) as usize;
            low.min(end)..((at + reach).ceil().max(0.0) as usize).min(end)
        };
        for py in span(y, self.height) {
            for px in span(x, self.width) {
                let (dx, dy) = (px as f64 + 0.5 - x, py as f64 + 0.5 - y);
                let square = dx * dx + dy * dy;
                let edge = 1.0 - square / (reach * reach);
                if edge <= 0.0 {
                    continue;
                }
                let middle = 2.6 * (0.3 + size) * math::exp(-square / (core * core));
                let around = 0.2 * size / (1.0 + 5.0 * square / (halo * halo)) * edge * edge;
                let thin = |across: f64, along: f64| {
                    math::exp(-across * across / (0.5 * unit * unit)) * math::exp(-along.abs() / (1.6 * halo))
                };
                let ray = rays * 2.2 * (thin(dx, dy) + thin(dy, dx)) * edge;
                let out = &mut self.cells[py * self.width + px];
                for c in 0..3 {
                    // The core of a bright star is white.
                    let white = colour[c] + (1.0 - colour[c]) * 0.3;
                    out[c] += (middle * white + (around + ray) * colour[c]) as f32;
                }
            }
        }
    }

    /// 1 − e^(−v) of the light, in sRGB.
    pub(super) fn image(&self, ctx: &Ctx) -> Result<Image> {
        let bytes = par::fill(3 * self.width, self.height, ctx, |y, row: &mut [u8]| {
            let from = &self.cells[y * self.width..][..self.width];
            for (to, light) in row.chunks_exact_mut(3).zip(from) {
                for c in 0..3 {
                    let dark = [0.0022, 0.0024, 0.0048][c];
                    to[c] = channel(1.0 - math::exp(-1.1 * (light[c] as f64 + dark)));
                }
            }
        })?;
        Ok(Image::from_bytes(self.width, self.height, bytes.into_vec()))
    }
}

/// Linear light to a channel of a picture.
fn channel(v: f64) -> u8 {
    (math::pow(math::clamp01(v), 1.0 / 2.2) * 255.0 + 0.5) as u8
}
