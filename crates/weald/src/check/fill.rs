//! Depression filling: the level of standing water.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use weald_core::{Grid, dir8};

/// The level to which water stands if every depression is full and water leaves over the border and at the cells where
/// `outlet` holds: for each cell the least, over all paths to one of these, of the highest ground on the path. At an outlet
/// that is the ground itself. Reach: whole map. Cost: O(n log n).
///
/// The flood comes in from the outlets, lowest cell first and of equal ones the first by rows; the cells that it covers
/// are worked off in the order in which they were reached (priority flood with a queue for depressions: Barnes, Lehman
/// and Mulla 2014, <https://doi.org/10.1016/j.cageo.2013.04.024>).
pub(super) fn level(height: &Grid<f32>, outlet: impl Fn(usize) -> bool) -> Grid<f32> {
    let (w, h) = (height.width(), height.height());
    let mut level = height.clone();
    let mut seen = vec![false; height.len()];
    let mut shore = BinaryHeap::new();
    let mut covered = VecDeque::new();
    let entry = |i: usize| Reverse((u64::from(key(height.cells()[i])) << 32) | i as u64);
    for (i, seen) in seen.iter_mut().enumerate() {
        let (x, y) = (i % w, i / w);
        if x == 0 || y == 0 || x + 1 == w || y + 1 == h || outlet(i) {
            *seen = true;
            shore.push(entry(i));
        }
    }
    while let Some(i) =
        covered.pop_front().or_else(|| shore.pop().map(|Reverse(e)| (e & 0xffff_ffff) as usize))
    {
        let here = level.cells()[i];
        dir8::neighbours(w, h, i % w, i / w, |_, x, y| {
            let n = y * w + x;
            if std::mem::replace(&mut seen[n], true) {
                return;
            }
            if height.cells()[n] <= here {
                level.cells_mut()[n] = here;
                covered.push_back(n);
            } else {
                shore.push(entry(n));
            }
        });
    }
    level
}

/// A number that sorts as `f32::total_cmp` does.
fn key(v: f32) -> u32 {
    let bits = v.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | (1 << 31) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// With the sea, the cells below 0, as outlets.
    fn above_sea(height: &Grid<f32>) -> Grid<f32> {
        level(height, |i| height.cells()[i] < 0.0)
    }

    /// Lowers a flood that covers everything until no level can fall any more.
    fn plain(height: &Grid<f32>) -> Grid<f32> {
        let (w, h) = (height.width(), height.height());
        let border = |x: usize, y: usize| x == 0 || y == 0 || x + 1 == w || y + 1 == h;
        let mut level = Grid::filled(w, h, f32::INFINITY);
        loop {
            let before = level.clone();
            for y in 0..h {
                for x in 0..w {
                    let leaves = border(x, y) || height[(x, y)] < 0.0;
                    let mut least = if leaves { f32::NEG_INFINITY } else { f32::INFINITY };
                    dir8::neighbours(w, h, x, y, |_, nx, ny| least = least.min(level[(nx, ny)]));
                    level[(x, y)] = least.max(height[(x, y)]);
                }
            }
            if level == before {
                return level;
            }
        }
    }

    proptest! {
        #[test]
        fn the_flood_stands_where_a_sinking_one_stops(w in 1usize..9, h in 1usize..9, seed: [u8; 64]) {
            let cells = (0..w * h).map(|i| f32::from(seed[i] % 7) - 3.0).collect();
            let height = Grid::from_vec(w, h, cells);
            prop_assert_eq!(above_sea(&height), plain(&height));
        }
    }

    #[test]
    fn a_depression_below_the_sea_is_not_filled_and_one_above_it_is() {
        let ring = |inside: f32| {
            let cells = (0..25).map(|i| if i == 12 { inside } else { 4.0 }).collect();
            above_sea(&Grid::from_vec(5, 5, cells))[(2, 2)]
        };
        assert_eq!([ring(1.0), ring(0.0), ring(-0.5)], [4.0, 4.0, -0.5]);
    }

    #[test]
    fn keys_sort_as_the_numbers_do() {
        let sorted = [f32::NEG_INFINITY, -2.5, -1e-20, 0.0, 1e-20, 2.5, f32::INFINITY];
        assert!(sorted.windows(2).all(|p| key(p[0]) < key(p[1])));
    }
}
