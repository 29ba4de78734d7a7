//! A Gaussian brush with integer weights.

use crate::math;

/// Sum of the weights of a brush.
pub const WHOLE: i32 = 512;

/// Length to which a row of weights is padded, so that rows are added by whole vectors.
pub const PADDED: usize = 16;

/// Largest radius in cells.
pub const WIDEST: u32 = 7;

/// Weights w(dx, dy) ∝ exp(−(dx² + dy²) / 2σ²) with σ = r / 2 over the (2r + 1)² cells around a cell, as whole numbers that
/// sum to [`WHOLE`]. An amount n spread by the brush changes each cell by n · w, exactly n · [`WHOLE`] in all.
///
/// ```
/// use weald_core::erosion::brush::{Brush, WHOLE};
///
/// let brush = Brush::new(3);
/// assert_eq!(brush.rows.iter().flatten().sum::<i32>(), WHOLE);
/// // Also where it hangs over a corner of the map.
/// assert_eq!(brush.clipped(0, 0, 10, 10).iter().map(|cell| cell.2).sum::<i32>(), WHOLE);
/// ```
#[doc(alias = "kernel")]
#[doc(alias = "Gaussian")]
#[derive(Clone, Debug, PartialEq)]
pub struct Brush {
    /// The radius r in cells.
    pub radius: usize,
    /// The weights: 2r + 1 rows, each padded with zeros.
    pub rows: Vec<[i32; PADDED]>,
}

impl Brush {
    /// The brush of a radius from 1 to [`WIDEST`] cells. Weights are rounded to the nearest whole number, and the remainder is
    /// added to the centre. Where that would make the centre smaller than its neighbours (radius 5 to 7), the weights that
    /// were rounded up the most are rounded down instead, symmetrically, until it does not.
    ///
    /// # Panics
    /// If the radius is 0 or above [`WIDEST`].
    pub fn new(radius: u32) -> Self {
        assert!((1..=WIDEST).contains(&radius), "a brush has a radius of 1 to {WIDEST} cells");
        let r = radius as i32;
        let sigma = radius as f64 / 2.0;
        let bell = |dx: i32, dy: i32| math::exp(-((dx * dx + dy * dy) as f64) / (2.0 * sigma * sigma));
        let all: f64 =
            (-r..=r).flat_map(|dy| (-r..=r).map(move |dx| (dx, dy))).map(|(x, y)| bell(x, y)).sum();
        let exact = |dx: i32, dy: i32| bell(dx, dy) / all * WHOLE as f64;
        let mut rows = vec![[0; PADDED]; 2 * radius as usize + 1];
        let add = |rows: &mut Vec<[i32; PADDED]>, dx: i32, dy: i32, weight: i32| {
            rows[(dy + r) as usize][(dx + r) as usize] += weight;
        };
        for (dx, dy) in (-r..=r).flat_map(|dy| (-r..=r).map(move |dx| (dx, dy))) {
            add(&mut rows, dx, dy, exact(dx, dy).round() as i32);
        }
        // One cell of each symmetric set, those rounded up the most first.
        let excess = |&(dx, dy): &(i32, i32)| exact(dx, dy).round() - exact(dx, dy);
        let mut sets: Vec<(i32, i32)> = (1..=r).flat_map(|dx| (0..=dx).map(move |dy| (dx, dy))).collect();
        sets.sort_by(|a, b| excess(b).total_cmp(&excess(a)));
        for (a, b) in std::iter::once((0, 0)).chain(sets) {
            let left = WHOLE - rows.iter().flatten().sum::<i32>();
            if rows[radius as usize][radius as usize] + left >= rows[radius as usize][radius as usize - 1] {
                add(&mut rows, 0, 0, left);
                break;
            }
            let mut set = vec![(a, b), (-a, b), (a, -b), (-a, -b), (b, a), (-b, a), (b, -a), (-b, -a)];
            set.sort_unstable();
            set.dedup();
            set.into_iter().filter(|&cell| cell != (0, 0)).for_each(|(dx, dy)| add(&mut rows, dx, dy, -1));
        }
        Self { radius: radius as usize, rows }
    }

    /// The brush around the cell (`x`, `y`) of a map over whose edge it may hang: (column, row, weight) of the cells on the
    /// map, scaled so that the weights sum to [`WHOLE`] again. The remainder is added to the centre.
    pub fn clipped(&self, x: usize, y: usize, width: usize, height: usize) -> Vec<(usize, usize, i32)> {
        let r = self.radius as i64;
        let mut cells = Vec::new();
        for (j, row) in self.rows.iter().enumerate() {
            for (i, &weight) in row[..2 * self.radius + 1].iter().enumerate() {
                let (cx, cy) = (x as i64 + i as i64 - r, y as i64 + j as i64 - r);
                if cx >= 0 && cy >= 0 && cx < width as i64 && cy < height as i64 {
                    cells.push((cx as usize, cy as usize, weight));
                }
            }
        }
        let inside: i32 = cells.iter().map(|c| c.2).sum();
        cells.iter_mut().for_each(|c| c.2 = c.2 * WHOLE / inside);
        let rest = WHOLE - cells.iter().map(|c| c.2).sum::<i32>();
        if let Some(middle) = cells.iter_mut().find(|c| (c.0, c.1) == (x, y)) {
            middle.2 += rest;
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brush_is_symmetric_falls_outwards_and_sums_to_the_whole() {
        for radius in 1..=WIDEST {
            let b = Brush::new(radius);
            let n = 2 * radius as usize;
            assert_eq!(b.rows.iter().flatten().sum::<i32>(), WHOLE);
            for y in 0..=n {
                for x in 0..=n {
                    assert_eq!(b.rows[y][x], b.rows[x][y]);
                    assert_eq!(b.rows[y][x], b.rows[n - y][n - x]);
                    assert!(b.rows[y][x] >= 0);
                }
            }
            let r = radius as usize;
            assert!((0..r).all(|i| b.rows[r][i] <= b.rows[r][i + 1]));
        }
    }

    #[test]
    fn a_brush_over_the_edge_is_spread_over_the_cells_inside() {
        let b = Brush::new(3);
        for (x, y) in [(0, 0), (1, 5), (9, 9), (4, 0)] {
            let cells = b.clipped(x, y, 10, 10);
            assert_eq!(cells.iter().map(|c| c.2).sum::<i32>(), WHOLE);
            assert!(cells.iter().all(|c| c.0 < 10 && c.1 < 10));
        }
    }
}
