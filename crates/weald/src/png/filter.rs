//! The filters of PNG: rows as differences from their neighbours, which are small numbers and compress well.

use std::ops::Range;

/// The filters, by their numbers in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    None,
    Sub,
    Up,
    Average,
    Paeth,
}

pub(super) const FILTERS: [Filter; 5] =
    [Filter::None, Filter::Sub, Filter::Up, Filter::Average, Filter::Paeth];

/// One row of so many is tried with every filter.
const SAMPLE: usize = 8;

/// The rows of `span`, filtered: of each the number of its filter and then its bytes. All have the filter that promises the
/// fewest bits for some of them.
#[inline(always)]
pub(super) fn filtered(
    stride: usize,
    pixel: usize,
    span: Range<usize>,
    row: &(impl Fn(usize, &mut [u8]) + Sync),
) -> Vec<u8> {
    // The row above the first one comes first; there is nothing above the picture.
    let mut raw = vec![0; stride * (span.len() + 1)];
    for (bytes, y) in raw.chunks_exact_mut(stride).zip(span.start as isize - 1..) {
        if y >= 0 {
            row(y as usize, bytes);
        }
    }
    let pairs = || raw.chunks_exact(stride).zip(raw.chunks_exact(stride).skip(1));
    let mut line = vec![0; stride];
    let mut best = (u64::MAX, Filter::None);
    for filter in FILTERS {
        let mut counts = Counts::default();
        for (above, here) in pairs().step_by(SAMPLE) {
            filter.apply(pixel, above, here, &mut line);
            counts.add(&line);
        }
        let bits = counts.bits();
        if bits < best.0 {
            best = (bits, filter);
        }
    }
    let mut out = vec![0; (stride + 1) * span.len()];
    for (out, (above, here)) in out.chunks_exact_mut(stride + 1).zip(pairs()) {
        out[0] = best.1 as u8;
        best.1.apply(pixel, above, here, &mut out[1..]);
    }
    out
}

/// How often each byte occurs, counted in four tables, so that equal neighbours do not wait for each other. Eight zeros in a
/// row count as nothing: they are part of a run.
pub(super) struct Counts {
    tables: [[u32; 256]; 4],
}

impl Default for Counts {
    fn default() -> Self {
        Self { tables: [[0; 256]; 4] }
    }
}

impl Counts {
    #[inline(always)]
    pub(super) fn eight(&mut self, bytes: [u8; 8]) {
        for (k, b) in bytes.into_iter().enumerate() {
            self.tables[k % 4][b as usize] += 1;
        }
    }

    #[inline(always)]
    fn add(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        eights.iter().filter(|b| **b != [0; 8]).for_each(|b| self.eight(*b));
        rest.iter().for_each(|&b| self.tables[0][b as usize] += 1);
    }

    pub(super) fn sums(&self) -> [u32; 256] {
        std::array::from_fn(|k| self.tables.iter().map(|t| t[k]).sum())
    }

    /// About 64 times the bits of a good code: Σ n max(log₂ N − log₂ n, 1).
    fn bits(&self) -> u64 {
        let sums = self.sums();
        let all = log2(sums.iter().sum());
        sums.iter().map(|&n| u64::from(n) * u64::from((all - log2(n)).max(64))).sum()
    }
}

/// About 64 log₂ n, exact at powers of two and linear between them; 0 for 0.
fn log2(n: u32) -> u32 {
    let Some(whole) = n.checked_ilog2() else { return 0 };
    let part = (u64::from(n) << 6 >> whole) as u32 - 64;
    whole * 64 + part
}

impl Filter {
    /// Writes a row as differences. `pixel` is the number of bytes from a byte to its neighbour.
    #[inline(always)]
    pub(super) fn apply(self, pixel: usize, above: &[u8], here: &[u8], out: &mut [u8]) {
        let n = here.len();
        // The first pixel has nothing on its left.
        let first = pixel.min(n);
        for i in 0..first {
            out[i] = here[i].wrapping_sub(self.expected(0, above[i], 0));
        }
        let (left, corner) = (&here[..n - first], &above[..n - first]);
        let (above, here, out) = (&above[first..], &here[first..], &mut out[first..]);
        let neighbours = left.iter().zip(above).zip(corner);
        let all = out.iter_mut().zip(here).zip(neighbours);
        // One loop for each, so that the choice is made outside of it.
        match self {
            Filter::None => out.copy_from_slice(here),
            Filter::Sub => all.for_each(|((o, h), ((l, _), _))| *o = h.wrapping_sub(*l)),
            Filter::Up => all.for_each(|((o, h), ((_, a), _))| *o = h.wrapping_sub(*a)),
            Filter::Average => all.for_each(|((o, h), ((l, a), _))| *o = h.wrapping_sub(average(*l, *a))),
            Filter::Paeth => all.for_each(|((o, h), ((l, a), c))| *o = h.wrapping_sub(paeth(*l, *a, *c))),
        }
    }

    /// What a byte is expected to be, by those on its left, above it, and above on its left.
    fn expected(self, left: u8, above: u8, corner: u8) -> u8 {
        match self {
            Filter::None => 0,
            Filter::Sub => left,
            Filter::Up => above,
            Filter::Average => average(left, above),
            Filter::Paeth => paeth(left, above, corner),
        }
    }
}

#[inline(always)]
fn average(left: u8, above: u8) -> u8 {
    // Without the bit that a sum of two bytes would need.
    (left & above) + ((left ^ above) >> 1)
}

/// That of the three which is nearest to left + above − corner; ties in this order.
#[inline(always)]
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let [l, a, c] = [left, above, corner].map(i16::from);
    let (to_left, to_above, to_corner) = ((a - c).abs(), (l - c).abs(), (l + a - 2 * c).abs());
    let other = if to_above <= to_corner { above } else { corner };
    if to_left <= to_above && to_left <= to_corner { left } else { other }
}
