//! Maps without their finest detail.

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::{math, par};

/// A map blurred by a Gaussian with a standard deviation of `sigma` cells.
///
/// Columns and rows are blurred one after the other, with the weights w(d) ∝ exp(−d²/2σ²) of cells up to 3σ away, which sum to 1.
/// Beyond the border the map continues with its border cells. A σ of 0 leaves it as it is. Reach: 3σ. Cost: 12σ operations a
/// cell, rows in parallel.
///
/// ```
/// use weald_core::{Ctx, Grid, blur};
///
/// let spike = Grid::from_fn(9, 9, |x, y| if (x, y) == (4, 4) { 1.0 } else { 0.0 });
/// let soft = blur::gaussian(&spike, 1.0, &Ctx::default())?;
/// assert!((soft[(4, 4)] - 0.16).abs() < 0.01 && soft[(4, 3)] == soft[(3, 4)]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If `sigma` is negative or not a number.
#[doc(alias = "smooth")]
pub fn gaussian(map: &Grid<f32>, sigma: f64, ctx: &Ctx) -> Result<Grid<f32>> {
    assert!(sigma >= 0.0, "a standard deviation is not below 0");
    let (w, h) = map.shape();
    if sigma == 0.0 || map.is_empty() {
        return Ok(map.clone());
    }
    let reach = (3.0 * sigma).ceil() as usize;
    let bell: Vec<f64> = (0..=2 * reach)
        .map(|i| i as f64 - reach as f64)
        .map(|d| math::exp(-d * d / (2.0 * sigma * sigma)))
        .collect();
    let sum = bell.iter().fold(0.0, |sum, v| sum + v);
    let weights: Vec<f32> = bell.iter().map(|v| (v / sum) as f32).collect();
    let add = |out: &mut [f32], row: &[f32], weight: f32| {
        out.iter_mut().zip(row).for_each(|(out, v)| *out += weight * v);
    };
    let columns = par::fill(w, h, ctx, |y, out: &mut [f32]| {
        for (k, &weight) in weights.iter().enumerate() {
            add(out, map.row((y + k).saturating_sub(reach).min(h - 1)), weight);
        }
    })?;
    par::fill(w, h, ctx, |y, out: &mut [f32]| {
        let row = columns.row(y);
        let mut wide = vec![row[0]; reach];
        wide.extend_from_slice(row);
        wide.extend(std::iter::repeat_n(row[w - 1], reach));
        for (k, &weight) in weights.iter().enumerate() {
            add(out, &wide[k..k + w], weight);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use proptest::prelude::*;

    /// The sum over all pairs of cells, without any order of axes.
    fn plainly(map: &Grid<f32>, sigma: f64) -> Grid<f64> {
        let reach = (3.0 * sigma).ceil() as i64;
        let (w, h) = (map.width() as i64, map.height() as i64);
        Grid::from_fn(map.width(), map.height(), |x, y| {
            let (mut sum, mut whole) = (0.0, 0.0);
            for dy in -reach..=reach {
                for dx in -reach..=reach {
                    let k = math::exp(-((dx * dx + dy * dy) as f64) / (2.0 * sigma * sigma));
                    let at = ((x as i64 + dx).clamp(0, w - 1), (y as i64 + dy).clamp(0, h - 1));
                    (sum, whole) = (sum + k * map[(at.0 as usize, at.1 as usize)] as f64, whole + k);
                }
            }
            sum / whole
        })
    }

    proptest! {
        #[test]
        fn it_is_the_weighted_mean_of_the_cells_around(w in 1usize..12, h in 1usize..12, sigma in 0.1f64..3.0, seed: u64) {
            let map = Grid::from_fn(w, h, |x, y| Seed(seed).unit_at(x as i64, y as i64) as f32);
            let (soft, plain) = (gaussian(&map, sigma, &Ctx::default()).unwrap(), plainly(&map, sigma));
            for (a, b) in soft.cells().iter().zip(plain.cells()) {
                prop_assert!((*a as f64 - b).abs() < 1e-5, "{} {}", a, b);
            }
        }
    }

    #[test]
    fn without_a_deviation_the_map_stays() {
        let map = Grid::from_fn(3, 2, |x, y| (x * 7 + y) as f32);
        assert_eq!(gaussian(&map, 0.0, &Ctx::default()).unwrap(), map);
    }
}
