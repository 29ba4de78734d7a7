//! The discrete Fourier transform, and the power spectrum of a map.

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::{math, par};
use std::f64::consts::PI;

/// A complex number: real and imaginary part.
pub type Complex = (f64, f64);

fn times(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// e^(−2πi · k/n), the unit root that a transform of length n uses.
fn root(k: usize, n: usize) -> Complex {
    let angle = -2.0 * PI * (k as f64 / n as f64);
    (math::cos(angle), math::sin(angle))
}

/// The discrete Fourier transform of one length, prepared once and used for many lines:
/// X(k) = Σ x(j) · e^(−2πi · jk/n) for j and k from 0 to n − 1.
///
/// A power of two is transformed by the algorithm of Cooley and Tukey (1965, doi:10.1090/S0025-5718-1965-0178586-1), any other
/// length as a convolution with a chirp, whose length is a power of two (Bluestein 1970, doi:10.1109/TAU.1970.1162132). The
/// sums have a fixed order, so every bit is the same on every machine. Cost: n log n, about 15 µs for 1024 numbers.
///
/// ```
/// use weald_core::fourier::Fourier;
///
/// // A wave with two periods on six samples.
/// let wave = [1.0, -0.5, -0.5, 1.0, -0.5, -0.5].map(|v| (v, 0.0));
/// let mut line = wave.to_vec();
/// Fourier::new(6).transform(&mut line);
/// let power: Vec<f64> = line.iter().map(|z| (z.0 * z.0 + z.1 * z.1).round()).collect();
/// assert_eq!(power, [0.0, 0.0, 9.0, 0.0, 9.0, 0.0]);
/// ```
#[doc(alias = "FFT")]
#[doc(alias = "DFT")]
#[derive(Clone, Debug)]
pub struct Fourier {
    n: usize,
    /// The first half of the unit roots of the power of two that is transformed.
    roots: Vec<Complex>,
    /// For other lengths: the chirp e^(−πi · j²/n), and the transform of its conjugate.
    chirp: Option<(Vec<Complex>, Vec<Complex>)>,
}

impl Fourier {
    /// Prepares transforms of `n` numbers.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn new(n: usize) -> Self {
        assert!(n > 0, "a transform needs at least one number");
        let size = if n.is_power_of_two() { n } else { (2 * n - 1).next_power_of_two() };
        let roots = (0..size / 2).map(|k| root(k, size)).collect();
        let mut out = Self { n, roots, chirp: None };
        if size != n {
            // j² is taken modulo 2n, the period of the chirp, so that the angle stays exact.
            let chirp: Vec<Complex> = (0..n).map(|j| root(j * j % (2 * n), 2 * n)).collect();
            let mut filter = vec![(0.0, 0.0); size];
            for (j, &c) in chirp.iter().enumerate() {
                filter[j] = (c.0, -c.1);
                filter[(size - j) % size] = (c.0, -c.1);
            }
            out.power_of_two(&mut filter);
            out.chirp = Some((chirp, filter));
        }
        out
    }

    /// Transforms a line in place.
    ///
    /// # Panics
    /// If the line has another length than the one prepared.
    pub fn transform(&self, line: &mut [Complex]) {
        assert_eq!(line.len(), self.n, "the transform was prepared for another length");
        let Some((chirp, filter)) = &self.chirp else { return self.power_of_two(line) };
        let size = filter.len();
        let mut work = vec![(0.0, 0.0); size];
        work.iter_mut().zip(line.iter().zip(chirp)).for_each(|(w, (&z, &c))| *w = times(z, c));
        self.power_of_two(&mut work);
        // The inverse transform is the transform of the conjugate, conjugated, over the length.
        for (w, &f) in work.iter_mut().zip(filter) {
            let z = times(*w, f);
            *w = (z.0, -z.1);
        }
        self.power_of_two(&mut work);
        let scale = 1.0 / size as f64;
        for (z, (w, &c)) in line.iter_mut().zip(work.iter().zip(chirp)) {
            *z = times((w.0 * scale, -w.1 * scale), c);
        }
    }

    /// The transform of a line whose length is the power of two of `roots`.
    fn power_of_two(&self, line: &mut [Complex]) {
        let n = line.len();
        if n < 2 {
            return;
        }
        let shift = usize::BITS - n.trailing_zeros();
        for i in 0..n {
            let j = i.reverse_bits() >> shift;
            if i < j {
                line.swap(i, j);
            }
        }
        let mut half = 1;
        while half < n {
            let stride = n / (2 * half);
            for block in line.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for ((a, b), &r) in low.iter_mut().zip(high).zip(self.roots.iter().step_by(stride)) {
                    let turned = times(*b, r);
                    *b = (a.0 - turned.0, a.1 - turned.1);
                    *a = (a.0 + turned.0, a.1 + turned.1);
                }
            }
            half *= 2;
        }
    }
}

/// The power |F(kx, ky)|² of the two-dimensional Fourier transform of a map of w by h cells. Column kx, from 0 to ⌊w/2⌋, stands
/// for kx/w cycles per cell to the east; row ky for ky/h cycles per cell to the south, from h/2 on for (ky − h)/h. The other
/// half of the columns is the mirror image of this one: a map has real values. Reach: whole map. Cost: about 60 ns a cell on
/// one core if the sides are powers of two, five times as much otherwise; rows, then columns, in parallel.
///
/// ```
/// use weald_core::{Ctx, Grid, fourier};
///
/// // Stripes that repeat every four cells to the east.
/// let stripes = Grid::from_fn(8, 8, |x, _| [1.0, 0.0, -1.0, 0.0][x % 4]);
/// let power = fourier::power(&stripes, &Ctx::default())?;
/// assert_eq!(power.shape(), (5, 8));
/// assert!((power[(2, 0)] - 32.0 * 32.0).abs() < 1e-9);
/// assert!(power.iter().all(|(at, &p)| at == (2, 0) || p < 1e-9));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "power spectrum")]
#[doc(alias = "periodogram")]
#[doc(alias = "FFT")]
pub fn power(field: &Grid<f32>, ctx: &Ctx) -> Result<Grid<f64>> {
    let (w, h) = field.shape();
    if field.is_empty() {
        return Ok(Grid::filled(0, 0, 0.0));
    }
    let columns = w / 2 + 1;
    let along = Fourier::new(w);
    let half: Grid<Complex> = par::fill(columns, h, ctx, |y, out: &mut [Complex]| {
        let mut line: Vec<Complex> = field.row(y).iter().map(|&v| (f64::from(v), 0.0)).collect();
        along.transform(&mut line);
        out.copy_from_slice(&line[..columns]);
    })?;
    let across = if h == w { along } else { Fourier::new(h) };
    let lines = par::map(columns, ctx, |x| {
        let mut line: Vec<Complex> = (0..h).map(|y| half[(x, y)]).collect();
        across.transform(&mut line);
        line.iter().map(|z| z.0 * z.0 + z.1 * z.1).collect::<Vec<f64>>()
    })?;
    Ok(Grid::from_fn(columns, h, |x, y| lines[x][y]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use proptest::prelude::*;

    /// The sum of the definition.
    fn plain(line: &[Complex]) -> Vec<Complex> {
        let n = line.len();
        let term = |k: usize, j: usize| times(line[j], root(j * k % n, n));
        (0..n).map(|k| (0..n).map(|j| term(k, j)).fold((0.0, 0.0), |s, t| (s.0 + t.0, s.1 + t.1))).collect()
    }

    proptest! {
        #[test]
        fn a_transform_of_any_length_is_the_sum_of_its_definition(n in 1usize..150, seed: u64) {
            let unit = |j: i64, part: i64| (Seed(seed).at(j, part) % 2001) as f64 / 1000.0 - 1.0;
            let mut line: Vec<Complex> = (0..n as i64).map(|j| (unit(j, 0), unit(j, 1))).collect();
            let expected = plain(&line);
            Fourier::new(n).transform(&mut line);
            for (a, b) in line.iter().zip(expected) {
                prop_assert!((a.0 - b.0).abs() < 1e-10 && (a.1 - b.1).abs() < 1e-10, "{:?} {:?}", a, b);
            }
        }

        #[test]
        fn the_power_of_all_waves_is_that_of_the_map(w in 1usize..24, h in 1usize..24, seed: u64) {
            let field = Grid::from_fn(w, h, |x, y| (Seed(seed).at(x as i64, y as i64) % 100) as f32 / 10.0);
            let found = power(&field, &Ctx::default()).unwrap();
            // Columns between the first and the last one stand for their mirror images too.
            let twice = |x: usize| if x == 0 || 2 * x == w { 1.0 } else { 2.0 };
            let waves: f64 = found.iter().map(|((x, _), p)| twice(x) * p).sum();
            let squares: f64 = field.cells().iter().map(|&v| f64::from(v) * f64::from(v)).sum();
            prop_assert!((waves / (w * h) as f64 - squares).abs() < 1e-8 * (1.0 + squares));
        }
    }

    #[test]
    fn a_wave_that_runs_to_the_south_is_in_its_row_and_the_mirrored_one() {
        let wave = Grid::from_fn(5, 12, |_, y| math::cos(2.0 * PI * y as f64 / 4.0) as f32);
        let found = power(&wave, &Ctx::default()).unwrap();
        let strong: Vec<_> = found.iter().filter(|(_, p)| **p > 1e-6).map(|(at, _)| at).collect();
        assert_eq!(strong, [(0, 3), (0, 9)]);
    }

    #[test]
    #[should_panic(expected = "another length")]
    fn a_line_of_another_length_is_a_programmers_error() {
        Fourier::new(4).transform(&mut [(0.0, 0.0); 3]);
    }
}
