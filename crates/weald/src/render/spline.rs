//! Smooth interpolation of cells at pixels.

use weald_core::par::RowsMut;
use weald_core::{Cancelled, Ctx, Grid, par};

/// Cubic B-spline interpolation of cells at the centres of `scale` × `scale` pixels per cell.
///
/// With u = (pixel + ½) / scale − ½ = i + t, the four cells i−1 … i+2 have the weights (1−t)³/6, (3t³−6t²+4)/6,
/// (−3t³+3t²+3t+1)/6, t³/6 along each axis. The result is twice differentiable, never leaves the range of the cells,
/// and softens them slightly. Cells beyond the edge repeat the edge.
pub(super) struct Spline {
    scale: usize,
    /// Offset of the first of the four cells from the pixel's own, and their weights, by pixel within a cell.
    taps: Vec<(isize, [f32; 4])>,
}

impl Spline {
    /// For `scale` pixels per cell, at least 1.
    pub(super) fn new(scale: usize) -> Self {
        let taps = (0..scale)
            .map(|p| {
                let u = (p as f32 + 0.5) / scale as f32 - 0.5;
                let t = u - u.floor();
                let weights = [
                    (1.0 - t) * (1.0 - t) * (1.0 - t) / 6.0,
                    (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0,
                    (-3.0 * t * t * t + 3.0 * t * t + 3.0 * t + 1.0) / 6.0,
                    t * t * t / 6.0,
                ];
                (u.floor() as isize - 1, weights)
            })
            .collect();
        Self { scale, taps }
    }

    /// The four cell rows or columns around pixel `p` of a side of `cells` cells, with their weights.
    fn around(&self, p: isize, cells: usize) -> [(usize, f32); 4] {
        let last = cells as isize * self.scale as isize - 1;
        let p = p.clamp(0, last) as usize;
        let (first, weights) = self.taps[p % self.scale];
        let first = (p / self.scale) as isize + first;
        std::array::from_fn(|k| ((first + k as isize).clamp(0, cells as isize - 1) as usize, weights[k]))
    }

    /// Row `py` of the pixels of a field of `shape` cells, whose rows are given by `cells(y)`.
    #[inline(always)]
    pub(super) fn row<'a, T: Copy + 'a>(
        &self,
        py: isize,
        shape: (usize, usize),
        cells: impl Fn(usize) -> &'a [T],
        value: impl Fn(T) -> f32,
        out: &mut [f32],
    ) {
        let (w, h) = shape;
        let rows = self.around(py, h).map(|(y, weight)| (cells(y), weight));
        // One cell more on the left and two on the right, so that the pixels need no test for the edge.
        let mut column = vec![0.0f32; w + 4];
        let [(a, wa), (b, wb), (c, wc), (d, wd)] = rows.map(|(row, weight)| (&row[..w], weight));
        for (x, sum) in column[2..w + 2].iter_mut().enumerate() {
            *sum = value(a[x]) * wa + value(b[x]) * wb + value(c[x]) * wc + value(d[x]) * wd;
        }
        (column[0], column[1]) = (column[2], column[2]);
        (column[w + 2], column[w + 3]) = (column[w + 1], column[w + 1]);
        let across = |c: &[f32], weights: &[f32; 4]| {
            c[0] * weights[0] + c[1] * weights[1] + c[2] * weights[2] + c[3] * weights[3]
        };
        if let [(first, weights)] = &self.taps[..] {
            // One pixel per cell, as on every large map: a loop that vectorises.
            let cells = column[(first + 2) as usize..].windows(4);
            out.iter_mut().zip(cells).for_each(|(pixel, c)| *pixel = across(c, weights));
            return;
        }
        for (x, pixels) in out.chunks_mut(self.scale).enumerate() {
            for (pixel, (first, weights)) in pixels.iter_mut().zip(&self.taps) {
                let at = (x as isize + first + 2) as usize;
                *pixel = across(&column[at..at + 4], weights);
            }
        }
    }
}

/// `grid` blurred by three box means of 2 · `radius` + 1 cells along each axis, which is close to a Gaussian with a standard
/// deviation of √(radius (radius + 1)) cells. Cells beyond the edge repeat the edge. Cost: independent of the radius.
pub(super) fn blurred(grid: &Grid<f32>, radius: usize, ctx: &Ctx) -> Result<Grid<f32>, Cancelled> {
    if radius == 0 || grid.is_empty() {
        return Ok(grid.clone());
    }
    // Columns become rows and are blurred; twice gives the map its orientation back.
    blurred_columns(&blurred_columns(grid, radius, ctx)?, radius, ctx)
}

/// Columns that are blurred together: two cache lines, so that their rows stay in the cache of a core.
const BAND: usize = 32;
/// Cells of a column that are written at once.
const RUN: usize = 64;

/// The columns, blurred, as the rows of a new grid.
fn blurred_columns(grid: &Grid<f32>, radius: usize, ctx: &Ctx) -> Result<Grid<f32>, Cancelled> {
    let (w, h) = (grid.width(), grid.height());
    let mut out = Grid::filled(h, w, 0.0);
    // Whole bands in parallel, then the columns that are left over.
    let whole = w / BAND * BAND;
    let (bands, rest) = out.cells_mut().split_at_mut(whole * h);
    par::for_rows(RowsMut::new(BAND * h, bands), ctx, |band, rows| {
        par::widest_simd(
            #[inline(always)]
            || blur_band(grid, band * BAND, radius, rows),
        );
    })?;
    if whole < w {
        blur_band(grid, whole, radius, rest);
    }
    Ok(out)
}

/// Blurs the columns from `first` on and writes each as a row of `rows`, which are at most [`BAND`].
#[inline(always)]
fn blur_band(grid: &Grid<f32>, first: usize, radius: usize, rows: &mut [f32]) {
    let h = grid.height();
    let columns = first..first + rows.len() / h;
    let mut lines = vec![[0.0f32; BAND]; h];
    for (y, line) in lines.iter_mut().enumerate() {
        let cells = &grid.row(y)[columns.clone()];
        match cells.as_array::<BAND>() {
            Some(cells) => *line = *cells,
            None => line[..cells.len()].copy_from_slice(cells),
        }
    }
    let mut means = vec![[0.0f32; BAND]; h];
    for _ in 0..3 {
        box_means(&lines, radius, &mut means);
        std::mem::swap(&mut lines, &mut means);
    }
    // A few lines at a time, so that they stay in the cache while each of their columns is written.
    for (k, part) in lines.chunks(RUN).enumerate() {
        for (c, row) in rows.chunks_exact_mut(h).enumerate() {
            row[k * RUN..][..part.len()].iter_mut().zip(part).for_each(|(out, line)| *out = line[c]);
        }
    }
}

/// Means of 2r + 1 neighbours along each of the columns, by running sums.
#[inline(always)]
fn box_means(lines: &[[f32; BAND]], r: usize, out: &mut [[f32; BAND]]) {
    let n = lines.len();
    let at = |i: isize| &lines[i.clamp(0, n as isize - 1) as usize];
    let mut sums = [0.0f64; BAND];
    for i in -(r as isize)..=r as isize {
        let line = at(i);
        (0..BAND).for_each(|k| sums[k] += line[k] as f64);
    }
    let scale = 1.0 / (2 * r + 1) as f64;
    for (i, out) in out.iter_mut().enumerate() {
        let (next, last) = (at((i + r + 1) as isize), at(i as isize - r as isize));
        for k in 0..BAND {
            out[k] = (sums[k] * scale) as f32;
            sums[k] += next[k] as f64 - last[k] as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(grid: &Grid<f32>, scale: usize) -> Vec<Vec<f32>> {
        let spline = Spline::new(scale);
        (0..grid.height() * scale)
            .map(|y| {
                let mut row = vec![0.0; grid.width() * scale];
                let shape = (grid.width(), grid.height());
                spline.row(y as isize, shape, |y| grid.row(y), |v| v, &mut row);
                row
            })
            .collect()
    }

    #[test]
    fn a_spline_keeps_a_plane_away_from_the_edge() {
        let grid = Grid::from_vec(8, 8, (0..64).map(|i| (i % 8) as f32 * 2.0 + (i / 8) as f32).collect());
        for scale in [1, 2, 5] {
            let at = |v: usize| (v as f32 + 0.5) / scale as f32 - 0.5;
            let inner = |v: usize| (2 * scale..6 * scale).contains(&v);
            for (y, row) in pixels(&grid, scale).into_iter().enumerate().filter(|(y, _)| inner(*y)) {
                for (x, v) in row.into_iter().enumerate().filter(|(x, _)| inner(*x)) {
                    assert!((v - (2.0 * at(x) + at(y))).abs() < 1e-4, "{scale} {x} {y}");
                }
            }
        }
    }

    #[test]
    fn a_spline_never_leaves_the_range_of_its_cells() {
        let grid = Grid::from_vec(3, 3, vec![0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0]);
        for row in pixels(&grid, 4) {
            assert!(row.iter().all(|v| (-1e-6..=1.0 + 1e-6).contains(v)));
        }
        assert_eq!(pixels(&Grid::filled(1, 1, 7.0), 3).len(), 3);
    }

    #[test]
    fn blurring_keeps_constants_and_spreads_a_peak_evenly() {
        let ctx = Ctx::default();
        assert!(
            blurred(&Grid::filled(5, 3, 2.0), 4, &ctx)
                .unwrap()
                .cells()
                .iter()
                .all(|v| (v - 2.0).abs() < 1e-5)
        );
        let mut peak = Grid::filled(21, 21, 0.0f32);
        peak[(10, 10)] = 1.0;
        let soft = blurred(&peak, 2, &ctx).unwrap();
        assert!((soft[(8, 10)] - soft[(10, 12)]).abs() < 1e-7);
        assert!((soft.cells().iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(soft[(10, 10)] < 0.1 && soft[(10, 10)] > soft[(9, 10)]);
    }
}
