//! Improved Perlin noise (Perlin 2002, doi:10.1145/566570.566636) in two dimensions, and sums of its octaves.

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::par;
use crate::seed::SplitMix64;
use crate::tiled::Window;
use std::f64::consts::SQRT_2;
use std::ops::Range;

/// The eight gradients, by the low three bits of a corner's hash.
const GRADIENTS: [(f64, f64); 8] =
    [(1., 1.), (-1., 1.), (1., -1.), (-1., -1.), (1., 0.), (-1., 0.), (0., 1.), (0., -1.)];

/// Improved Perlin noise with a lattice of side 1 and a period of 256.
///
/// ```
/// use weald_core::noise::Perlin;
///
/// let noise = Perlin::new(42);
/// // Gradient noise is 0 at the corners of its lattice.
/// assert_eq!(noise.at(3.0, 7.0), 0.0);
/// assert_eq!(noise.at(0.5, 0.25), noise.at(256.5, 0.25));
/// ```
#[derive(Clone)]
pub struct Perlin {
    /// A permutation of 0..=255, stored twice so that sums of two indices need no wrap-around.
    perm: [u8; 512],
}

/// 6t⁵ − 15t⁴ + 10t³: from 0 at 0 to 1 at 1, with first and second derivatives of 0 at both.
#[inline]
fn fade(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// Lattice cell (wrapped) and position within it.
#[inline]
fn cell(v: f64) -> (u8, f64) {
    let floor = v.floor();
    ((floor as i64 & 255) as u8, v - floor)
}

impl Perlin {
    /// The noise of a seed. Its permutation is a Fisher–Yates shuffle, from i = 255 down to 1 with j = next() mod (i + 1),
    /// driven by SplitMix64 from `state`.
    pub fn new(state: u64) -> Self {
        let mut next = SplitMix64::new(state);
        let mut p: [u8; 256] = std::array::from_fn(|i| i as u8);
        for i in (1..256).rev() {
            p.swap(i, (next.next_u64() % (i as u64 + 1)) as usize);
        }
        Self { perm: std::array::from_fn(|i| p[i & 255]) }
    }

    /// Gradient at the lattice corner `x`, `y` (each 0..=256).
    #[inline]
    fn gradient(&self, x: usize, y: usize) -> (f64, f64) {
        let h = self.perm[self.perm[x] as usize + y];
        GRADIENTS[(h & 7) as usize]
    }

    /// The value at a point, in [−1, 1].
    ///
    /// With g the four corner gradients and d the offsets to the corners: lerp(v, lerp(u, g₀₀·d₀₀, g₁₀·d₁₀),
    /// lerp(u, g₀₁·d₀₁, g₁₁·d₁₁)) / √2, where u and v are the faded offsets. Reach: one lattice cell.
    pub fn at(&self, x: f64, y: f64) -> f64 {
        let ((cx, fx), (cy, fy)) = (cell(x), cell(y));
        let (cx, cy, u, v) = (cx as usize, cy as usize, fade(fx), fade(fy));
        let dot = |(gx, gy): (f64, f64), dx: f64, dy: f64| gx * dx + gy * dy;
        let n00 = dot(self.gradient(cx, cy), fx, fy);
        let n10 = dot(self.gradient(cx + 1, cy), fx - 1.0, fy);
        let n01 = dot(self.gradient(cx, cy + 1), fx, fy - 1.0);
        let n11 = dot(self.gradient(cx + 1, cy + 1), fx - 1.0, fy - 1.0);
        let (top, bottom) = (n00 + u * (n10 - n00), n01 + u * (n11 - n01));
        ((top + v * (bottom - top)) / SQRT_2).clamp(-1.0, 1.0)
    }
}

/// One term of a sum: noise, its frequency and its weight.
#[derive(Clone)]
pub struct Octave {
    /// The noise.
    pub noise: Perlin,
    /// Lattice cells per tile.
    pub frequency: f64,
    /// Weight in the sum.
    pub amplitude: f64,
}

/// A weighted mean of octaves, mapped to [0, 1].
///
/// ```
/// use weald_core::Ctx;
/// use weald_core::noise::{Fbm, Octave, Perlin};
///
/// let octave = |i: i32| Octave {
///     noise: Perlin::new(i as u64),
///     frequency: 0.05 * f64::from(1 << i),
///     amplitude: 1.0 / f64::from(1 << i),
/// };
/// let fbm = Fbm::new((0..4).map(octave).collect());
/// let map = fbm.grid(32, 32, &Ctx::default())?;
/// assert_eq!(map[(5, 9)], fbm.at(5.0, 9.0) as f32);
/// assert!(map.cells().iter().all(|v| (0.0..=1.0).contains(v)));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "fractional Brownian motion")]
#[derive(Clone)]
pub struct Fbm {
    octaves: Vec<Octave>,
    norm: f64,
}

/// What an octave needs to know of a column, the same for every row.
struct Column {
    offset: f64,
    fade: f64,
}

/// Gradients of one lattice column for one row of tiles: x parts, and y parts times the offset in y, of the
/// corner above and of the corner below.
#[derive(Clone, Copy, Default)]
struct Corner {
    top_x: f64,
    top: f64,
    bottom_x: f64,
    bottom: f64,
}

impl Fbm {
    /// A sum of these octaves, in this order.
    pub fn new(octaves: Vec<Octave>) -> Self {
        let norm = octaves.iter().fold(0.0, |sum, o| sum + o.amplitude);
        Self { octaves, norm }
    }

    /// The value at a point: (Σ amplitudeᵢ · noiseᵢ(frequencyᵢ · (x, y)) / Σ amplitudeᵢ + 1) / 2, summed in f64.
    pub fn at(&self, x: f64, y: f64) -> f64 {
        let sum = self
            .octaves
            .iter()
            .fold(0.0, |sum, o| sum + o.amplitude * o.noise.at(x * o.frequency, y * o.frequency));
        (sum / self.norm + 1.0) / 2.0
    }

    /// [`Fbm::at`] for every tile of a `width` × `height` map, rounded to f32. Reach: point. Cost: linear, rows in parallel.
    pub fn grid(&self, width: usize, height: usize, ctx: &Ctx) -> Result<Grid<f32>> {
        self.window(Window { x: 0, y: 0, width, height }, ctx)
    }

    /// The part of a map that lies in a window: see [`Fbm::grid`].
    pub fn window(&self, window: Window, ctx: &Ctx) -> Result<Grid<f32>> {
        let (width, height) = window.shape();
        let columns = window.x..window.x + width;
        let tables: Vec<ColumnTable> =
            self.octaves.iter().map(|o| ColumnTable::new(o, columns.clone())).collect();
        par::fill(
            width,
            height,
            ctx,
            #[inline(always)]
            |y, row| {
                let mut sum = vec![0.0f64; width];
                for (octave, table) in self.octaves.iter().zip(&tables) {
                    table.add_row(octave, window.y + y, &mut sum);
                }
                for (out, sum) in row.iter_mut().zip(sum) {
                    *out = ((sum / self.norm + 1.0) / 2.0) as f32;
                }
            },
        )
    }
}

/// Columns grouped into runs that share a lattice cell.
struct ColumnTable {
    columns: Vec<Column>,
    /// (lattice column, first tile, one past the last tile)
    runs: Vec<(u8, u32, u32)>,
}

impl ColumnTable {
    fn new(octave: &Octave, tiles: Range<usize>) -> Self {
        let mut columns = Vec::with_capacity(tiles.len());
        let mut runs: Vec<(u8, u32, u32)> = Vec::new();
        for (x, tile) in tiles.enumerate() {
            let (c, offset) = cell(tile as f64 * octave.frequency);
            columns.push(Column { offset, fade: fade(offset) });
            match runs.last_mut() {
                Some((last, _, end)) if *last == c => *end += 1,
                _ => runs.push((c, x as u32, x as u32 + 1)),
            }
        }
        Self { columns, runs }
    }

    #[inline(always)]
    fn add_row(&self, octave: &Octave, y: usize, sum: &mut [f64]) {
        let (cy, fy) = cell(y as f64 * octave.frequency);
        let (cy, v) = (cy as usize, fade(fy));
        let corner = |cx: usize| {
            let (top, bottom) = (octave.noise.gradient(cx, cy), octave.noise.gradient(cx, cy + 1));
            Corner { top_x: top.0, top: top.1 * fy, bottom_x: bottom.0, bottom: bottom.1 * (fy - 1.0) }
        };
        let mut east = (usize::MAX, Corner::default());
        for &(c, start, end) in &self.runs {
            let c = c as usize;
            let l = if east.0 == c { east.1 } else { corner(c) };
            let r = corner(c + 1);
            east = (c + 1, r);
            let span = start as usize..end as usize;
            for (sum, col) in sum[span.clone()].iter_mut().zip(&self.columns[span]) {
                let (fx, u) = (col.offset, col.fade);
                let n00 = l.top_x * fx + l.top;
                let n10 = r.top_x * (fx - 1.0) + r.top;
                let n01 = l.bottom_x * fx + l.bottom;
                let n11 = r.bottom_x * (fx - 1.0) + r.bottom;
                let (top, bottom) = (n00 + u * (n10 - n00), n01 + u * (n11 - n01));
                *sum += octave.amplitude * ((top + v * (bottom - top)) / SQRT_2).clamp(-1.0, 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fbm(state: u64, octaves: usize, frequency: f64) -> Fbm {
        let octave = |i| Octave {
            noise: Perlin::new(state + i as u64),
            frequency: frequency * (1 << i) as f64,
            amplitude: 1.0 / (1 << i) as f64,
        };
        Fbm::new((0..octaves).map(octave).collect())
    }

    #[test]
    fn noise_is_zero_on_the_lattice_and_repeats_after_256() {
        let p = Perlin::new(7);
        for i in 0..300 {
            assert_eq!(p.at(i as f64, (i * 3) as f64), 0.0);
        }
        assert_eq!(p.at(3.25, 9.5), p.at(3.25 + 256.0, 9.5 - 256.0));
    }

    #[test]
    fn a_permutation_holds_every_value_twice() {
        let mut p = Perlin::new(99).perm.to_vec();
        p.sort_unstable();
        assert!(p.iter().enumerate().all(|(i, &v)| v as usize == i / 2));
    }

    proptest! {
        #[test]
        fn the_grid_is_bit_equal_to_single_points(
            state in 0u64..1000, octaves in 1usize..6, frequency in 0.001f64..40.0, width in 1usize..70, height in 1usize..20
        ) {
            let f = fbm(state, octaves, frequency);
            let g = f.grid(width, height, &Ctx::default()).unwrap();
            for y in 0..height {
                for x in 0..width {
                    prop_assert_eq!(g[(x, y)].to_bits(), (f.at(x as f64, y as f64) as f32).to_bits());
                }
            }
        }

        #[test]
        fn values_stay_in_the_unit_interval(state in 0u64..1000, x in -1e6f64..1e6, y in -1e6f64..1e6) {
            prop_assert!((0.0..=1.0).contains(&fbm(state, 4, 0.37).at(x, y)));
        }
    }
}
