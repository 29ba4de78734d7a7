//! The k-th smallest number of a map in tiles, exactly, as [`crate::stats::kth`] gives it for the whole map.
//!
//! Heights are counted by their keys, integers that sort like them ([`crate::queue::signed_key`]): first by the upper half of the bits, which tells the half
//! of the k-th number, then within a few such halves by all bits.

use crate::grid::Grid;
use crate::queue::signed_key;
use std::ops::Range;

/// Numbers with the same upper half.
const HALF: usize = 1 << 16;

/// How many cells there are of each of a run of keys, or of their upper halves.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// The first key or half.
    pub first: u32,
    /// Of it and those that follow.
    pub cells: Vec<u64>,
}
super::pack::pack_fields!(Counts { first, cells });

/// Counts the cells of a tile by the upper halves of their keys. Heights must not be NaN.
pub fn coarse(tile: &Grid<f32>) -> Counts {
    let mut cells = vec![0; HALF];
    tile.cells().iter().for_each(|&h| cells[(signed_key(h) >> 16) as usize] += 1);
    Counts { first: 0, cells }
}

/// Counts the cells of a tile whose upper halves are in `halves` by all bits of their keys.
pub fn fine(tile: &Grid<f32>, halves: Range<u32>) -> Counts {
    let first = halves.start << 16;
    let mut cells = vec![0; halves.len() * HALF];
    for &h in tile.cells() {
        if let Some(count) = signed_key(h).checked_sub(first).and_then(|at| cells.get_mut(at as usize)) {
            *count += 1;
        }
    }
    Counts { first, cells }
}

impl Counts {
    /// Adds those of another tile.
    ///
    /// # Panics
    /// If they count something else.
    pub fn add(&mut self, other: &Counts) {
        assert!(self.first == other.first && self.cells.len() == other.cells.len(), "counts of one kind");
        self.cells.iter_mut().zip(&other.cells).for_each(|(a, b)| *a += b);
    }

    /// The key or half of the cell with `k` smaller or equal ones before it, of the cells that are counted; and how many lie below that key.
    /// None if there are not so many.
    pub fn find(&self, k: u64) -> Option<(u32, u64)> {
        let mut below = 0;
        for (key, &cells) in (self.first..).zip(&self.cells) {
            if below + cells > k {
                return Some((key, below));
            }
            below += cells;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::signed_value;
    use crate::tiled::{Pack, Tiles};
    use crate::{Ctx, Seed, stats};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_kth_number_is_that_of_the_whole_map(
            w in 1usize..40, h in 1usize..40, side in 1usize..30, steps in prop_oneof![1u64..9, 100_000u64..100_001],
            share in 0.0f64..1.0, seed: u64
        ) {
            let tiles = Tiles::new(w, h, side);
            let cells = (0..w * h).map(|i| ((Seed(seed).at(i as i64, 0) % steps) as f32 - 3.0) * 0.37 + 0.0);
            let map = Grid::from_vec(w, h, cells.collect());
            let k = ((w * h - 1) as f64 * share) as u64;
            let all = tiles.padded(0, w + h);
            let sum = |of: &dyn Fn(&Grid<f32>) -> Counts| {
                let parts = (0..tiles.count()).map(|k| of(&all.crop(&map, tiles.window(k))));
                parts.map(|c| Counts::from_bytes(&c.to_bytes()).unwrap()).reduce(|mut a, b| { a.add(&b); a }).unwrap()
            };
            let (half, below) = sum(&coarse).find(k).unwrap();
            let (found, _) = sum(&|tile| fine(tile, half..half + 1)).find(k - below).unwrap();
            prop_assert_eq!(signed_value(found), stats::kth(&map, k as usize, &Ctx::default()).unwrap());
            prop_assert_eq!(sum(&coarse).find((w * h) as u64), None);
        }
    }
}
