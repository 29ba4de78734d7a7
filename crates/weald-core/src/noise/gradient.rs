//! Gradient noise (Perlin 1985, doi:10.1145/325334.325247; fade of Perlin 2002, doi:10.1145/566570.566636) over a
//! hashed lattice without a period, in metres, and sums of its octaves.
//!
//! The gradients are unit vectors spread evenly over the circle, so no direction is favoured. Each octave has a random
//! stream and an offset of its own, so that the zeros of gradient noise at the corners of its lattice do not coincide.

use crate::Result;
use crate::ctx::Ctx;
use crate::frame::Frame;
use crate::grid::Grid;
use crate::par;
use crate::seed::Seed;
use std::f32::consts::FRAC_PI_8;
use std::f64::consts::SQRT_2;

/// A sum of octaves of noise.
#[doc(alias = "fBm")]
#[doc(alias = "fractional Brownian motion")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fractal {
    /// Side of a lattice cell of the first octave, in metres; above 0.
    pub wavelength_m: f64,
    /// Number of octaves; at least 1.
    pub octaves: u32,
    /// Weight of an octave relative to the previous one; at least 0.
    pub persistence: f64,
    /// Frequency of an octave relative to the previous one; above 0.
    pub lacunarity: f64,
}

/// Hills of 4 km with six octaves, each of twice the frequency and half the weight of the previous one.
impl Default for Fractal {
    fn default() -> Self {
        Self { wavelength_m: 4000.0, octaves: 6, persistence: 0.5, lacunarity: 2.0 }
    }
}

/// The shape of the noise, as a function of the sum f of the octaves.
#[doc(alias = "ridged multifractal")]
#[doc(alias = "billow")]
#[doc(alias = "turbulence")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoiseShape {
    /// f, in [−1, 1].
    Fbm,
    /// 1 − |f|, in [0, 1]: sharp ridges.
    Ridged,
    /// |f|, in [0, 1]: sharp valleys.
    Billow,
}

impl NoiseShape {
    /// The noise for a sum of octaves, which rounding may have taken out of [−1, 1]. Never −0.
    #[inline(always)]
    fn of(self, sum: f32) -> f32 {
        let f = sum.clamp(-1.0, 1.0);
        match self {
            NoiseShape::Fbm => f + 0.0,
            NoiseShape::Ridged => 1.0 - f.abs(),
            NoiseShape::Billow => f.abs(),
        }
    }
}

/// Fractal noise at the cell centres of `frame` ([`Frame::cell_centre`]).
///
/// f(x, y) = Σᵢ pⁱ · nᵢ(x·lⁱ/λ, y·lⁱ/λ) / Σᵢ pⁱ with λ the wavelength, p the persistence and l the lacunarity. With g
/// the unit gradients at the four corners of the lattice cell, d the offsets to the corners, and u and v the faded
/// offsets 6t⁵ − 15t⁴ + 10t³: n = √2 · lerp(u, lerp(v, g₀₀·d₀₀, g₀₁·d₀₁), lerp(v, g₁₀·d₁₀, g₁₁·d₁₁)), in [−1, 1].
/// Positions are f64; the rest is f32, summed in the order of the octaves.
///
/// Reach: point; equal to [`fractal_at`] bit for bit. Cost: for each octave seven vector operations a sample, and two hashes
/// for every lattice column that a row crosses.
///
/// ```
/// use weald_core::noise::gradient::{Fractal, NoiseShape, fractal};
/// use weald_core::{Ctx, Frame, Seed};
///
/// let frame = Frame::new(64, 64, 100.0);
/// let ridges = fractal(&frame, Seed(9), NoiseShape::Ridged, &Fractal::default(), &Ctx::default())?;
/// assert!(ridges.cells().iter().all(|v| (0.0..=1.0).contains(v)));
/// // A frame farther east continues the same noise.
/// let east = Frame { origin: (6400.0, 0.0), ..frame };
/// let more = fractal(&east, Seed(9), NoiseShape::Ridged, &Fractal::default(), &Ctx::default())?;
/// assert!((ridges[(63, 20)] - more[(0, 20)]).abs() < 0.5);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If a parameter is out of its range.
pub fn fractal(
    frame: &Frame,
    seed: Seed,
    shape: NoiseShape,
    params: &Fractal,
    ctx: &Ctx,
) -> Result<Grid<f32>> {
    let tables: Vec<(Octave, Columns)> =
        params.terms(seed).map(|octave| (octave, Columns::new(&octave, frame))).collect();
    let sides = tables.iter().map(|(_, columns)| columns.low.len()).max().unwrap_or(0);
    par::fill(
        frame.width,
        frame.height,
        ctx,
        #[inline(always)]
        |y, row| {
            let y_m = frame.cell_centre(0, y).1;
            let mut sides = Sides { slope: vec![0.0; sides], base: vec![0.0; sides] };
            // An octave adds to the sums of the last one and writes new ones, so that it may write past the end of a
            // run: the next run writes there again.
            let (mut sum, mut next) = (vec![0f32; padded(frame.width)], vec![0f32; padded(frame.width)]);
            for (octave, columns) in &tables {
                columns.add(&octave.row(y_m), &mut sides, &sum, &mut next);
                std::mem::swap(&mut sum, &mut next);
            }
            let cells = row.iter_mut().zip(&sum);
            match shape {
                NoiseShape::Fbm => cells.for_each(|(out, &sum)| *out = NoiseShape::Fbm.of(sum)),
                NoiseShape::Ridged => cells.for_each(|(out, &sum)| *out = NoiseShape::Ridged.of(sum)),
                NoiseShape::Billow => cells.for_each(|(out, &sum)| *out = NoiseShape::Billow.of(sum)),
            }
        },
    )
}

/// Fractal noise at one point: equal to [`fractal`] bit for bit. Reach: point.
///
/// ```
/// use weald_core::noise::gradient::{Fractal, NoiseShape, fractal, fractal_at};
/// use weald_core::{Ctx, Frame, Seed};
///
/// let (frame, rule) = (Frame::new(8, 8, 250.0), Fractal::default());
/// let grid = fractal(&frame, Seed(1), NoiseShape::Fbm, &rule, &Ctx::default())?;
/// let (x, y) = frame.cell_centre(3, 5);
/// assert_eq!(fractal_at(x, y, Seed(1), NoiseShape::Fbm, &rule), grid[(3, 5)]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If a parameter is out of its range.
pub fn fractal_at(x_m: f64, y_m: f64, seed: Seed, shape: NoiseShape, params: &Fractal) -> f32 {
    let sum = params.terms(seed).fold(0f32, |sum, octave| {
        let row = octave.row(y_m);
        let (column, offset) = place(x_m, octave.frequency, octave.offset.0);
        let left = row.side(octave.column_key(column));
        let right = row.side(octave.column_key(column.wrapping_add(1)));
        sum + Blend::new(left, right).at(offset, fade(offset))
    });
    shape.of(sum)
}

impl Fractal {
    /// The octaves, first to last.
    fn terms(&self, seed: Seed) -> impl Iterator<Item = Octave> {
        let p = *self;
        assert!(p.octaves >= 1, "noise needs an octave");
        assert!(p.wavelength_m > 0.0, "a wavelength of {} m is not above 0", p.wavelength_m);
        assert!(p.persistence >= 0.0, "a persistence of {} is below 0", p.persistence);
        assert!(p.lacunarity > 0.0, "a lacunarity of {} is not above 0", p.lacunarity);
        let weights = (1..p.octaves).scan(1.0, move |w, _| {
            *w *= p.persistence;
            Some(*w)
        });
        let norm = weights.fold(1.0, |sum, w| sum + w);
        let streams = seed.of("gradient");
        let first = (1.0, 1.0 / p.wavelength_m);
        let scaled = std::iter::successors(Some(first), move |(weight, frequency)| {
            Some((weight * p.persistence, frequency * p.lacunarity))
        });
        (0..p.octaves).zip(scaled).map(move |(i, (weight, frequency))| {
            let stream = Seed(streams.at(i as i64, 0));
            let offsets = stream.of("offset");
            Octave {
                columns: stream.of("column"),
                rows: stream.of("row"),
                frequency,
                offset: (offsets.unit_at(0, 0), offsets.unit_at(1, 0)),
                scale: (SQRT_2 * weight / norm) as f32,
            }
        })
    }
}

/// One octave of a sum.
#[derive(Clone, Copy)]
struct Octave {
    columns: Seed,
    rows: Seed,
    /// Lattice cells per metre.
    frequency: f64,
    /// Offset of the lattice, in lattice cells.
    offset: (f64, f64),
    /// √2 · weight.
    scale: f32,
}

/// Lattice cell, and the position within it.
#[inline(always)]
fn place(v_m: f64, frequency: f64, offset: f64) -> (i64, f32) {
    let v = v_m * frequency + offset;
    let floor = v.floor();
    (floor as i64, (v - floor) as f32)
}

/// 6t⁵ − 15t⁴ + 10t³: from 0 at 0 to 1 at 1, with first and second derivatives of 0 at both.
#[inline(always)]
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// The hash of a line of the lattice, in halves: lines have 64-bit numbers, but corners are hashed in 32-bit lanes.
#[derive(Clone, Copy)]
struct Key {
    low: u32,
    high: u32,
}

impl Key {
    fn new(hash: u64) -> Self {
        Self { low: hash as u32, high: (hash >> 32) as u32 }
    }

    /// The hash of the corner where a column and a row cross: two rounds of multiplication and xor-shift, one per half.
    #[inline(always)]
    fn cross(self, row: Key) -> u32 {
        let low = self.low.wrapping_add(row.low).wrapping_mul(0x9E37_79B1);
        (low ^ (low >> 15)).wrapping_add(self.high ^ row.high).wrapping_mul(0x85EB_CA77)
    }
}

/// The unit gradient of a corner's hash.
///
/// Two bits choose a quarter of the circle about an axis, 24 bits the angle within it, from −45° to 45°. By the
/// rational form of the circle, with t the tangent of half the angle: ((1 − t²)/(1 + t²), 2t/(1 + t²)). For s uniform in
/// [−1, 1), t = s·(π/8 + (tan π/8 − π/8)·s²) makes the angles uniform to within 1.5 %.
#[inline(always)]
fn gradient(hash: u32) -> (f32, f32) {
    const BEND: f32 = 0.021_514_48;
    let s = ((hash << 2) as i32 >> 8) as f32 * (1.0 / 8_388_608.0);
    let t = s * (FRAC_PI_8 + BEND * (s * s));
    let tt = t * t;
    let part = 1.0 / (1.0 + tt);
    let flip = |v: f32| f32::from_bits(v.to_bits() ^ (hash & 0x8000_0000));
    let (along, across) = (flip((1.0 - tt) * part), flip(2.0 * t * part));
    if hash & 0x4000_0000 == 0 { (along, across) } else { (across, along) }
}

/// An octave on one row of samples.
struct Row {
    above: Key,
    below: Key,
    /// Offset from the lattice row above.
    offset: f32,
    fade: f32,
    scale: f32,
}

/// The contribution of one lattice column along a row: `slope` · offset from the column + `base`.
#[derive(Clone, Copy)]
struct Side {
    slope: f32,
    base: f32,
}

impl Octave {
    fn column_key(&self, column: i64) -> Key {
        Key::new(self.columns.at(column, 0))
    }

    fn row(&self, y_m: f64) -> Row {
        let (row, offset) = place(y_m, self.frequency, self.offset.1);
        let key = |row: i64| Key::new(self.rows.at(row, 0));
        Row {
            above: key(row),
            below: key(row.wrapping_add(1)),
            offset,
            fade: fade(offset),
            scale: self.scale,
        }
    }
}

impl Row {
    #[inline(always)]
    fn side(&self, column: Key) -> Side {
        let (above, below) = (gradient(column.cross(self.above)), gradient(column.cross(self.below)));
        let (top, bottom) = (above.1 * self.offset, below.1 * (self.offset - 1.0));
        Side {
            slope: self.scale * (above.0 + self.fade * (below.0 - above.0)),
            base: self.scale * (top + self.fade * (bottom - top)),
        }
    }
}

/// The noise between two lattice columns: interpolated from the left side to the right one by the fade.
struct Blend {
    left: Side,
    /// Right minus left, both as functions of the offset from the left column.
    change: Side,
}

impl Blend {
    #[inline(always)]
    fn new(left: Side, right: Side) -> Self {
        let base = (right.base - right.slope) - left.base;
        Self { left, change: Side { slope: right.slope - left.slope, base } }
    }

    #[inline(always)]
    fn at(&self, offset: f32, fade: f32) -> f32 {
        (self.left.slope * offset + self.left.base) + fade * (self.change.slope * offset + self.change.base)
    }
}

/// Number of samples that are written at once.
const LANES: usize = 8;

/// Length of a buffer for a row of samples and for what is written past its end.
fn padded(width: usize) -> usize {
    width + LANES
}

/// What an octave needs to know of the columns of samples, the same for every row.
struct Columns {
    /// Offset of each sample from the lattice column to its left, and its fade; padded.
    offset: Vec<f32>,
    fade: Vec<f32>,
    /// Halves of the keys of the lattice columns that are needed.
    low: Vec<u32>,
    high: Vec<u32>,
    layout: Layout,
}

/// How samples are assigned to the lattice columns on either side of them.
enum Layout {
    /// (index of the left lattice column, first sample) of each run of samples in one lattice cell; the right lattice
    /// column is the next one. The last entry is the end.
    Runs(Vec<(u32, u32)>),
    /// For lattice cells that hold hardly one sample each: the left lattice columns of all samples, then the right ones.
    Pairs,
}

/// [`Side`]s of the lattice columns of [`Columns`].
struct Sides {
    slope: Vec<f32>,
    base: Vec<f32>,
}

impl Columns {
    fn new(octave: &Octave, frame: &Frame) -> Self {
        let places: Vec<(i64, f32)> = (0..frame.width)
            .map(|x| place(frame.cell_centre(x, 0).0, octave.frequency, octave.offset.0))
            .collect();
        let mut runs: Vec<(u32, u32)> = Vec::new();
        let mut lines: Vec<i64> = Vec::new();
        for (x, &(column, _)) in places.iter().enumerate() {
            if x > 0 && places[x - 1].0 == column {
                continue;
            }
            if lines.last() != Some(&column) {
                lines.push(column);
            }
            runs.push((lines.len() as u32 - 1, x as u32));
            lines.push(column.wrapping_add(1));
        }
        let layout = if runs.len() * 2 > frame.width {
            lines = places.iter().map(|p| p.0).chain(places.iter().map(|p| p.0.wrapping_add(1))).collect();
            Layout::Pairs
        } else {
            runs.push((0, frame.width as u32));
            Layout::Runs(runs)
        };
        let keys: Vec<Key> = lines.iter().map(|&line| octave.column_key(line)).collect();
        let mut offset: Vec<f32> = places.iter().map(|p| p.1).collect();
        offset.resize(padded(frame.width), 0.0);
        Self {
            fade: offset.iter().map(|&t| fade(t)).collect(),
            offset,
            low: keys.iter().map(|k| k.low).collect(),
            high: keys.iter().map(|k| k.high).collect(),
            layout,
        }
    }

    /// `next` = `sum` + the octave, along a row.
    #[inline(always)]
    fn add(&self, row: &Row, sides: &mut Sides, sum: &[f32], next: &mut [f32]) {
        let keys = self.low.iter().zip(&self.high);
        for ((slope, base), (&low, &high)) in sides.slope.iter_mut().zip(&mut sides.base).zip(keys) {
            let side = row.side(Key { low, high });
            (*slope, *base) = (side.slope, side.base);
        }
        match &self.layout {
            Layout::Runs(runs) => self.add_runs(runs, sides, sum, next),
            Layout::Pairs => self.add_pairs(sides, sum, next),
        }
    }

    #[inline(always)]
    fn add_runs(&self, runs: &[(u32, u32)], sides: &Sides, sum: &[f32], next: &mut [f32]) {
        for (&(left, start), &(_, end)) in runs.iter().zip(&runs[1..]) {
            let left = left as usize;
            let side = |i: usize| Side { slope: sides.slope[i], base: sides.base[i] };
            let blend = Blend::new(side(left), side(left + 1));
            for x in (start as usize..end as usize).step_by(LANES) {
                let span = x..x + LANES;
                let (offset, fade, sum) =
                    (&self.offset[span.clone()], &self.fade[span.clone()], &sum[span.clone()]);
                let next = &mut next[span];
                for i in 0..LANES {
                    next[i] = sum[i] + blend.at(offset[i], fade[i]);
                }
            }
        }
    }

    #[inline(always)]
    fn add_pairs(&self, sides: &Sides, sum: &[f32], next: &mut [f32]) {
        let n = self.low.len() / 2;
        let (l_slope, r_slope) = (&sides.slope[..n], &sides.slope[n..2 * n]);
        let (l_base, r_base) = (&sides.base[..n], &sides.base[n..2 * n]);
        let (offset, fade, sum, next) = (&self.offset[..n], &self.fade[..n], &sum[..n], &mut next[..n]);
        for x in 0..n {
            let left = Side { slope: l_slope[x], base: l_base[x] };
            let right = Side { slope: r_slope[x], base: r_base[x] };
            next[x] = sum[x] + Blend::new(left, right).at(offset[x], fade[x]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;
    use proptest::prelude::*;

    const ONE: Fractal = Fractal { wavelength_m: 1.0, octaves: 1, persistence: 0.5, lacunarity: 2.0 };

    fn one(seed: u64, x: f64, y: f64) -> f64 {
        fractal_at(x, y, Seed(seed), NoiseShape::Fbm, &ONE) as f64
    }

    /// Places spread over the plane, none of them special.
    fn places(count: i64) -> impl Iterator<Item = (f64, f64)> {
        let stream = Seed(77).of("places");
        (0..count).map(move |i| (stream.unit_at(i, 0) * 4e4 - 2e4, stream.unit_at(i, 1) * 4e4 - 2e4))
    }

    /// Correlation of pairs of values.
    fn correlation(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
        let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
        for (a, b) in pairs {
            ab += a * b;
            aa += a * a;
            bb += b * b;
        }
        ab / (aa * bb).sqrt()
    }

    /// The formula of [`fractal`] in f64, corner by corner.
    fn plain(x_m: f64, y_m: f64, seed: Seed, params: &Fractal) -> f64 {
        params.terms(seed).fold(0.0, |sum, o| {
            let (x, y) = (x_m * o.frequency + o.offset.0, y_m * o.frequency + o.offset.1);
            let dot = |i: i64, j: i64| {
                let (column, row) = (x.floor() as i64 + i, y.floor() as i64 + j);
                let (gx, gy) = gradient(o.column_key(column).cross(Key::new(o.rows.at(row, 0))));
                gx as f64 * (x - column as f64) + gy as f64 * (y - row as f64)
            };
            let fade = |t: f64| t * t * t * (10.0 - 15.0 * t + 6.0 * t * t);
            let (u, v) = (fade(x - x.floor()), fade(y - y.floor()));
            let (top, bottom) =
                ((1.0 - u) * dot(0, 0) + u * dot(1, 0), (1.0 - u) * dot(0, 1) + u * dot(1, 1));
            sum + o.scale as f64 * ((1.0 - v) * top + v * bottom)
        })
    }

    #[test]
    fn gradients_are_of_unit_length_and_fill_every_degree_of_the_circle_evenly() {
        let (mut bins, n) = ([0u32; 72], 720_000u32);
        for i in 0..n {
            let (x, y) = gradient(Seed(3).at(i as i64, 0) as u32);
            assert!(((x * x + y * y).sqrt() - 1.0).abs() < 3e-7);
            let turn = math::atan2(y as f64, x as f64) / std::f64::consts::TAU + 0.5;
            bins[(turn * 72.0) as usize % 72] += 1;
        }
        assert!(bins.iter().all(|&b| (9_500..10_500).contains(&b)), "{bins:?}");
    }

    #[test]
    fn the_four_corners_of_a_cell_have_independent_gradients() {
        // The sum of the turns of opposite corners less those of the others is even, too, if nothing ties them.
        let key = |stream: &str, i: i64| Key::new(Seed(8).of(stream).at(i, 0));
        let mut bins = [0u32; 64];
        for i in 0..300 {
            for j in 0..300 {
                let hash = |i, j| key("column", i).cross(key("row", j)) >> 26;
                let tie = hash(i, j) + hash(i + 1, j + 1) + 128 - hash(i + 1, j) - hash(i, j + 1);
                bins[tie as usize % 64] += 1;
            }
        }
        let expected = 90_000.0 / 64.0;
        let chi2: f64 = bins.iter().map(|&b| (b as f64 - expected) * (b as f64 - expected) / expected).sum();
        assert!(chi2 < 120.0, "χ² with 63 degrees of freedom: {chi2}");
    }

    #[test]
    fn the_mean_is_about_zero_and_values_reach_far_up_and_down() {
        let (mut sum, mut low, mut high) = (0.0, 0f64, 0f64);
        for (x, y) in places(100_000) {
            let v = one(1, x, y);
            sum += v;
            (low, high) = (low.min(v), high.max(v));
        }
        assert!((sum / 1e5).abs() < 0.005, "mean {}", sum / 1e5);
        assert!(low < -0.8 && high > 0.8, "{low} to {high}");
    }

    #[test]
    fn no_direction_is_favoured() {
        let (step, n) = (1e-2, 200_000);
        let steepness: Vec<f64> = [0.0, 22.5, 45.0, 67.5, 90.0]
            .iter()
            .map(|deg: &f64| {
                let rad = deg.to_radians();
                let (dx, dy) = (math::cos(rad) * step, math::sin(rad) * step);
                let rise = |(x, y)| (one(2, x + dx, y + dy) - one(2, x - dx, y - dy)) / (2.0 * step);
                places(n).map(rise).fold(0.0, |sum, d| sum + d * d) / n as f64
            })
            .collect();
        let mean = steepness.iter().sum::<f64>() / steepness.len() as f64;
        assert!(steepness.iter().all(|v| (v / mean - 1.0).abs() < 0.05), "{steepness:?}");
    }

    #[test]
    fn nothing_repeats_after_a_power_of_two() {
        for shift in [256.0, 65_536.0, 2_147_483_648.0, 4_294_967_296.0] {
            let tie = |dx: f64, dy: f64| {
                correlation(places(2000).map(|(x, y)| (one(4, x, y), one(4, x + dx, y + dy)))).abs()
            };
            assert!(tie(shift, 0.0) < 0.1 && tie(0.0, shift) < 0.1 && tie(shift, shift) < 0.1, "{shift}");
        }
    }

    #[test]
    fn octaves_are_independent_and_their_zeros_do_not_fall_together() {
        // With lacunarity 1 the octaves differ by their streams alone.
        let p = Fractal { octaves: 6, lacunarity: 1.0, ..ONE };
        let octaves: Vec<Octave> = p.terms(Seed(5)).collect();
        for (i, a) in octaves.iter().enumerate() {
            for b in &octaves[..i] {
                let value = |o: &Octave, (x, y): (f64, f64)| {
                    let (row, (column, t)) = (o.row(y), place(x, o.frequency, o.offset.0));
                    let (left, right) = (row.side(o.column_key(column)), row.side(o.column_key(column + 1)));
                    (Blend::new(left, right).at(t, fade(t)) / o.scale) as f64
                };
                let tie = correlation(places(2000).map(|at| (value(a, at), value(b, at))));
                assert!(tie.abs() < 0.1, "{tie}");
                assert!((a.offset.0 - b.offset.0).abs() > 1e-3 && (a.offset.1 - b.offset.1).abs() > 1e-3);
            }
        }
    }

    #[test]
    fn the_noise_at_a_place_is_the_same_on_every_machine() {
        let p = Fractal { wavelength_m: 4000.0, octaves: 6, persistence: 0.5, lacunarity: 2.0 };
        let bits = |x: f64, y: f64| fractal_at(x, y, Seed(42), NoiseShape::Fbm, &p).to_bits();
        assert_eq!(
            [bits(0.0, 0.0), bits(1234.5, -678.25), bits(-9e9, 3e11)],
            [1_027_165_480, 1_032_079_696, 1_015_205_754]
        );
    }

    #[test]
    fn seeds_give_other_noise() {
        assert!(correlation(places(2000).map(|(x, y)| (one(6, x, y), one(7, x, y)))).abs() < 0.1);
    }

    #[test]
    fn noise_is_continuous_across_the_lattice() {
        for (x, y) in places(2000) {
            for o in ONE.terms(Seed(9)) {
                let edge = x.floor() - o.offset.0;
                assert!((one(9, edge - 1e-7, y) - one(9, edge + 1e-7, y)).abs() < 3e-6);
                assert!((one(9, y, edge - 1e-7) - one(9, y, edge + 1e-7)).abs() < 3e-6);
            }
        }
    }

    #[test]
    fn windows_of_one_lattice_of_cells_agree_where_they_overlap() {
        let p = Fractal { wavelength_m: 7.3, octaves: 5, persistence: 0.6, lacunarity: 2.1 };
        for cell_m in [0.1, 3.5, 14_336.0 / 4096.0, 1.0 / 3.0] {
            let at =
                |i: f64, j: f64, w, h| Frame { origin: (i * cell_m, j * cell_m), ..Frame::new(w, h, cell_m) };
            let make = |f: &Frame| fractal(f, Seed(1), NoiseShape::Ridged, &p, &Ctx::default()).unwrap();
            let (a, b) = (make(&at(-40.0, 1e12, 80, 30)), make(&at(-17.0, 1e12 + 9.0, 70, 30)));
            for y in 0..21 {
                for x in 0..57 {
                    assert_eq!(a[(x + 23, y + 9)].to_bits(), b[(x, y)].to_bits());
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "is not above 0")]
    fn a_wavelength_of_nothing_is_a_programmers_error() {
        fractal_at(0.0, 0.0, Seed(1), NoiseShape::Fbm, &Fractal { wavelength_m: 0.0, ..ONE });
    }

    fn shape() -> impl Strategy<Value = NoiseShape> {
        prop_oneof![Just(NoiseShape::Fbm), Just(NoiseShape::Ridged), Just(NoiseShape::Billow)]
    }

    /// From far below a cell of a metre to far above a map.
    fn params() -> impl Strategy<Value = Fractal> {
        let wavelength_m = prop_oneof![0.01f64..2.0, 2.0f64..40.0, 40.0f64..1e6];
        (wavelength_m, 1u32..8, 0.0f64..1.5, 0.5f64..4.0).prop_map(
            |(wavelength_m, octaves, persistence, lacunarity)| Fractal {
                wavelength_m,
                octaves,
                persistence,
                lacunarity,
            },
        )
    }

    fn far() -> impl Strategy<Value = f64> {
        prop_oneof![-1e3f64..1e3, -1e7f64..1e7, -1e13f64..1e13, Just(-70.0)]
    }

    proptest! {
        #[test]
        fn the_grid_is_bit_equal_to_single_places(
            p in params(), shape in shape(), seed: u64, x in far(), y in far(), cell_m in 0.05f64..20.0,
            width in 0usize..130, height in 0usize..12
        ) {
            let frame = Frame { width, height, cell_m, origin: (x, y) };
            let g = fractal(&frame, Seed(seed), shape, &p, &Ctx::default()).unwrap();
            for y in 0..height {
                for x in 0..width {
                    let (x_m, y_m) = frame.cell_centre(x, y);
                    prop_assert_eq!(g[(x, y)].to_bits(), fractal_at(x_m, y_m, Seed(seed), shape, &p).to_bits());
                }
            }
        }

        #[test]
        fn values_equal_the_formula_written_plainly(
            p in params(), seed: u64, x in -1e5f64..1e5, y in -1e5f64..1e5
        ) {
            let value = fractal_at(x, y, Seed(seed), NoiseShape::Fbm, &p) as f64;
            prop_assert!((value - plain(x, y, Seed(seed), &p)).abs() < 4e-6);
            let at = |shape| fractal_at(x, y, Seed(seed), shape, &p) as f64;
            prop_assert_eq!(at(NoiseShape::Billow), value.abs());
            prop_assert!((at(NoiseShape::Ridged) - (1.0 - value.abs())).abs() < 1e-7);
        }

        #[test]
        fn values_stay_in_their_range_and_are_never_minus_zero(
            p in params(), shape in shape(), seed: u64, x in far(), y in far()
        ) {
            let v = fractal_at(x, y, Seed(seed), shape, &p);
            let low = if shape == NoiseShape::Fbm { -1.0 } else { 0.0 };
            prop_assert!((low..=1.0).contains(&v) && v.to_bits() != (-0f32).to_bits());
        }
    }
}
