//! Cells that keep a minimum distance from each other.

/// The cells of `ranked`, in their order, that lie farther than `apart_cells` from every cell kept before them. Distances are
/// Euclidean, between cells of a map of `width` columns; a cell at exactly `apart_cells` is too near. With 0 all distinct
/// cells are kept.
///
/// The map is covered by square blocks whose diagonal is at most `apart_cells`, or by single cells. A block therefore holds
/// at most one kept cell, and at most 25 blocks have to be searched for a cell that is too near. Reach: `apart_cells`. Cost:
/// linear in the list and in the blocks.
///
/// ```
/// use weald_core::{Seed, scatter};
///
/// // Cells of a 32 × 32 map in the order of a hash, at least 8 cells apart.
/// let mut cells: Vec<usize> = (0..32 * 32).collect();
/// cells.sort_by_key(|&cell| Seed(7).of("trees").at(cell as i64, 0));
/// let kept = scatter::min_spacing(32, cells.iter().copied(), 8.0);
/// assert_eq!(kept[0], cells[0]);
/// let apart = |a: usize, b: usize| (a % 32).abs_diff(b % 32).pow(2) + (a / 32).abs_diff(b / 32).pow(2);
/// assert!(kept.iter().all(|&a| kept.iter().all(|&b| a == b || apart(a, b) > 64)));
/// ```
///
/// # Panics
/// If `apart_cells` is negative or NaN, or there are cells but no columns.
#[doc(alias = "Poisson disc")]
#[doc(alias = "blue noise")]
pub fn min_spacing(width: usize, ranked: impl IntoIterator<Item = usize>, apart_cells: f64) -> Vec<usize> {
    assert!(apart_cells >= 0.0, "cells cannot keep {apart_cells} apart");
    // No map has longer sides; beyond that only the first cell stays.
    let apart = apart_cells.min((1u64 << 32) as f64);
    let side = ((apart / std::f64::consts::SQRT_2) as usize).max(1);
    let (reach, wide) = (apart as usize, width.div_ceil(side));
    let mut kept: Vec<usize> = Vec::new();
    // For each block the number of its kept cell, counted from 1. Rows of blocks are added as they are met.
    let mut blocks: Vec<u32> = Vec::new();
    for cell in ranked {
        let (x, y) = (cell % width, cell / width);
        let near = |&other: &usize| {
            let (dx, dy) = (x.abs_diff(other % width) as f64, y.abs_diff(other / width) as f64);
            dx * dx + dy * dy <= apart * apart
        };
        let (left, right) = (x.saturating_sub(reach) / side, ((x + reach) / side).min(wide - 1));
        let (top, bottom) = (y.saturating_sub(reach) / side, (y + reach) / side);
        let mut around =
            blocks.chunks_exact(wide).take(bottom + 1).skip(top).flat_map(|row| &row[left..=right]);
        if around.any(|&n| n > 0 && near(&kept[n as usize - 1])) {
            continue;
        }
        kept.push(cell);
        let block = y / side * wide + x / side;
        if block >= blocks.len() {
            blocks.resize((y / side + 1) * wide, 0);
        }
        blocks[block] = kept.len() as u32;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use proptest::prelude::*;

    fn plain(width: usize, ranked: &[usize], apart: f64) -> Vec<usize> {
        let mut kept: Vec<usize> = Vec::new();
        for &c in ranked {
            let far = |&k: &usize| {
                let (dx, dy) = ((c % width).abs_diff(k % width), (c / width).abs_diff(k / width));
                (dx * dx + dy * dy) as f64 > apart * apart
            };
            if kept.iter().all(far) {
                kept.push(c);
            }
        }
        kept
    }

    proptest! {
        #[test]
        fn what_stays_equals_a_look_at_all_kept_cells(
            w in 1usize..60, h in 1usize..60, n in 0i64..400, apart in 0.0f64..20.0, whole: bool, seed: u64
        ) {
            // Whole distances are met exactly; cells come twice.
            let apart = if whole { apart.floor() } else { apart };
            let ranked: Vec<usize> = (0..n).map(|i| Seed(seed).at(i, 1) as usize % (w * h)).collect();
            prop_assert_eq!(min_spacing(w, ranked.iter().copied(), apart), plain(w, &ranked, apart));
        }
    }

    #[test]
    fn at_zero_every_distinct_cell_stays_in_its_order() {
        assert_eq!(min_spacing(4, [5, 2, 5, 9, 2, 0], 0.0), [5, 2, 9, 0]);
    }

    #[test]
    fn a_cell_at_exactly_the_distance_is_too_near() {
        assert_eq!(min_spacing(10, [0, 43], 5.0), [0]);
        assert_eq!(min_spacing(10, [0, 43], 4.999), [0, 43]);
    }

    #[test]
    fn nothing_lies_farther_than_everywhere() {
        assert_eq!(min_spacing(10, [7, 99, 3], f64::INFINITY), [7]);
        assert!(min_spacing(10, [], 1.0).is_empty());
    }

    #[test]
    #[should_panic(expected = "keep -1 apart")]
    fn a_negative_distance_is_a_programmers_error() {
        let _ = min_spacing(10, [1], -1.0);
    }
}
