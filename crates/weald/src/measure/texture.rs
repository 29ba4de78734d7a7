//! The texture of relief, by its power spectrum: is any direction preferred, and how rough is the land at each wavelength?

use super::Value;
use std::f64::consts::PI;
use weald_core::{Ctx, Grid, Result, fourier, math, par};

/// Sectors of direction, each 22.5° wide.
const SECTORS: usize = 8;
/// The wavelengths that count for the anisotropy, in cells.
const WAVELENGTHS: std::ops::RangeInclusive<f64> = 6.0..=32.0;

/// What the spectrum of a map says.
pub(super) struct Texture {
    pub(super) anisotropy: Value,
    /// Wavelength in cells and mean power, from the longest wavelength to 2 cells.
    pub(super) spectrum: Vec<(f64, f64)>,
}

/// The spectrum of the largest square at the north-west corner: its heights, less the mean over a box of half a side around each
/// cell, times a Hann window along both axes. Anisotropy is the largest over the smallest of the mean powers of eight sectors of
/// direction, centred on 0°, 22.5°, …, 157.5°, over wavelengths of 6 to 32 cells. Cells without data take the mean of
/// the square, and boxes end at its edge.
pub(super) fn texture(height: &Grid<f32>, ctx: &Ctx) -> Result<Texture> {
    let n = height.width().min(height.height());
    let power = fourier::power(&windowed(height, n, ctx)?, ctx)?;
    let mut rings = vec![(0.0, 0.0); n / 2 + 1];
    let mut sectors = [(0.0, 0.0); SECTORS];
    for ((kx, row), &p) in power.iter() {
        let ky = if row > n / 2 { row as f64 - n as f64 } else { row as f64 };
        let k = ((kx * kx) as f64 + ky * ky).sqrt();
        if k == 0.0 {
            continue;
        }
        // A wave of an inner column stands for its mirror image too.
        let weight = if kx == 0 || 2 * kx == n { 1.0 } else { 2.0 };
        let add = |sum: &mut (f64, f64)| *sum = (sum.0 + weight * p, sum.1 + weight);
        if let Some(ring) = rings.get_mut(k.round() as usize) {
            add(ring);
        }
        if WAVELENGTHS.contains(&(n as f64 / k)) {
            let half_turns = (math::atan2(ky, kx as f64) / PI).rem_euclid(1.0);
            add(&mut sectors[(half_turns * SECTORS as f64).round() as usize % SECTORS]);
        }
    }
    let means = sectors.map(|(sum, count)| sum / count);
    let (weak, strong) = means.iter().fold((f64::INFINITY, 0.0f64), |(w, s), &m| (w.min(m), s.max(m)));
    let spectrum = rings
        .iter()
        .enumerate()
        .skip(1)
        .map(|(k, (sum, count))| (n as f64 / k as f64, sum / count))
        .collect();
    let mut data = (0..n).flat_map(|y| &height.row(y)[..n]).filter(|v| v.is_finite());
    let first = data.next();
    let level = data.all(|v| Some(v) == first);
    let anisotropy =
        if level || weak == 0.0 { Err("there are no waves to compare") } else { Ok(strong / weak) };
    Ok(Texture { anisotropy, spectrum })
}

/// The square of `n` cells without its long waves, fading towards the edges.
fn windowed(height: &Grid<f32>, n: usize, ctx: &Ctx) -> Result<Grid<f32>> {
    let sums = par::map(n, ctx, |y| {
        let data = height.row(y)[..n].iter().filter(|v| v.is_finite());
        data.fold((0.0, 0usize), |(sum, count), &v| (sum + f64::from(v), count + 1))
    })?;
    let (sum, count) = sums.iter().fold((0.0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let mean = sum / count.max(1) as f64;
    let at = |x: usize, y: usize| {
        let v = height[(x, y)];
        if v.is_finite() { f64::from(v) - mean } else { 0.0 }
    };
    // Sums of all cells above and to the left, with a first row and column of zeros.
    let mut total = Grid::filled(n + 1, n + 1, 0.0f64);
    for y in 0..n {
        let mut row = 0.0;
        for x in 0..n {
            row += at(x, y);
            total[(x + 1, y + 1)] = total[(x + 1, y)] + row;
        }
    }
    let hann: Vec<f64> =
        (0..n).map(|i| 0.5 - 0.5 * math::cos(2.0 * PI * i as f64 / (n - 1) as f64)).collect();
    let reach = n / 4;
    let around = |i: usize| (i.saturating_sub(reach), (i + reach + 1).min(n));
    par::fill(n, n, ctx, |y, out: &mut [f32]| {
        let (y0, y1) = around(y);
        for (x, out) in out.iter_mut().enumerate() {
            let (x0, x1) = around(x);
            let sum = total[(x1, y1)] - total[(x0, y1)] - total[(x1, y0)] + total[(x0, y0)];
            let box_mean = sum / ((x1 - x0) * (y1 - y0)) as f64;
            *out = ((at(x, y) - box_mean) * hann[x] * hann[y]) as f32 + 0.0;
        }
    })
}
