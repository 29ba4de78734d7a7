//! The nearest of many sources, for single cells of a map of any size.
//!
//! A distance transform needs the whole map. Where distances are wanted at few cells, such as the nodes of a mesh or the borders of
//! tiles, a tree of squares finds them one by one.

use super::pack::pack_fields;
use crate::grid::Grid;

/// Side of the smallest squares, in cells.
const LEAF: usize = 64;

/// Cells of a map that are sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Sites {
    width: usize,
    height: usize,
    /// Column and row of each source within its leaf, leaf by leaf, row by row.
    cells: Vec<(u8, u8)>,
    /// Where the sources of each leaf begin, row by row, and the end of the last.
    begin: Vec<u32>,
}
pack_fields!(Sites { width, height, cells, begin });

/// A tree over the leaves of [`Sites`], to search it.
pub struct Tree<'a> {
    sites: &'a Sites,
    /// For each level from the leaves up, whether a square has a source. The last level is one square.
    filled: Vec<Grid<bool>>,
}

/// How far two cells lie apart, by the columns and rows between them. It must not fall when one of them grows.
pub trait Metric {
    /// What is compared.
    type Far: Copy + Ord;
    /// Of so many columns and rows.
    fn of(dx: usize, dy: usize) -> Self::Far;
}

/// The square of the distance in a straight line, dx² + dy².
pub struct Squared;

impl Metric for Squared {
    type Far = u64;
    fn of(dx: usize, dy: usize) -> u64 {
        (dx * dx + dy * dy) as u64
    }
}

impl Sites {
    /// Those of the numbers of cells, row by row of the whole map, in any order.
    ///
    /// # Panics
    /// If a cell lies outside the map, or there are 2³² of them or more.
    pub fn new(width: usize, height: usize, sources: &[u64]) -> Self {
        assert!(u32::try_from(sources.len()).is_ok(), "sources are numbered with 32 bits");
        let across = width.div_ceil(LEAF);
        let place = |cell: u64| ((cell % width as u64) as usize, (cell / width as u64) as usize);
        let leaf = |(x, y): (usize, usize)| y / LEAF * across + x / LEAF;
        let mut sorted: Vec<(usize, u64)> = sources.iter().map(|&c| (leaf(place(c)), c)).collect();
        sorted.sort_unstable();
        let mut begin = vec![0u32; across * height.div_ceil(LEAF) + 1];
        sorted.iter().for_each(|&(leaf, _)| begin[leaf + 1] += 1);
        (1..begin.len()).for_each(|i| begin[i] += begin[i - 1]);
        let within = |(x, y): (usize, usize)| ((x % LEAF) as u8, (y % LEAF) as u8);
        Self { width, height, cells: sorted.iter().map(|&(_, c)| within(place(c))).collect(), begin }
    }

    /// Number of sources.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no source.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// A tree to search them. Cost: linear in the number of leaves.
    pub fn tree(&self) -> Tree<'_> {
        let (across, down) = (self.width.div_ceil(LEAF), self.height.div_ceil(LEAF));
        let leaf = |x: usize, y: usize| self.begin[y * across + x] < self.begin[y * across + x + 1];
        let mut filled = vec![Grid::from_fn(across, down, leaf)];
        while let Some(below) = filled.last().filter(|below| below.len() > 1) {
            let half = |n: usize| n.div_ceil(2);
            let any = |x: usize, y: usize| {
                let at = |dx: usize, dy: usize| below.get(2 * x + dx, 2 * y + dy).copied().unwrap_or(false);
                at(0, 0) || at(1, 0) || at(0, 1) || at(1, 1)
            };
            let above = Grid::from_fn(half(below.width()), half(below.height()), any);
            filled.push(above);
        }
        Tree { sites: self, filled }
    }
}

impl Tree<'_> {
    /// The distance of the nearest source from the cell (x, y), and the number of that source; of equally near ones the lowest. None without
    /// sources. Cost: microseconds.
    ///
    /// ```
    /// use weald_core::tiled::sites::{Sites, Squared};
    ///
    /// let sites = Sites::new(100_000, 100_000, &[5, 900_000_000]);
    /// let tree = sites.tree();
    /// assert_eq!(tree.nearest::<Squared>(8, 4), Some((25, 5)));
    /// assert_eq!(tree.nearest::<Squared>(3, 9000), Some((9, 900_000_000)));
    /// ```
    pub fn nearest<M: Metric>(&self, x: usize, y: usize) -> Option<(M::Far, u64)> {
        let mut best = None;
        let top = self.filled.len() - 1;
        if !self.sites.is_empty() {
            self.search::<M>(top, (0, 0), (x, y), &mut best);
        }
        best
    }

    /// Searches the square at `at` of a level.
    fn search<M: Metric>(
        &self,
        level: usize,
        at: (usize, usize),
        from: (usize, usize),
        best: &mut Option<(M::Far, u64)>,
    ) {
        if level == 0 {
            return self.search_leaf::<M>(at, from, best);
        }
        let below = &self.filled[level - 1];
        let mut squares: [Option<(M::Far, usize, usize)>; 4] = [None; 4];
        for (k, square) in squares.iter_mut().enumerate() {
            let (x, y) = (2 * at.0 + k % 2, 2 * at.1 + k / 2);
            *square = below.get(x, y).filter(|filled| **filled).map(|_| {
                let side = LEAF << (level - 1);
                (M::of(outside(from.0, x * side, side), outside(from.1, y * side, side)), x, y)
            });
        }
        // None comes first.
        squares.sort_unstable();
        for (far, x, y) in squares.into_iter().flatten() {
            // Equally near sources are compared by their numbers.
            if best.is_none_or(|best| far <= best.0) {
                self.search::<M>(level - 1, (x, y), from, best);
            }
        }
    }

    fn search_leaf<M: Metric>(
        &self,
        (lx, ly): (usize, usize),
        (x, y): (usize, usize),
        best: &mut Option<(M::Far, u64)>,
    ) {
        let leaf = ly * self.filled[0].width() + lx;
        let run = self.sites.begin[leaf] as usize..self.sites.begin[leaf + 1] as usize;
        for &(cx, cy) in &self.sites.cells[run] {
            let (sx, sy) = (lx * LEAF + cx as usize, ly * LEAF + cy as usize);
            let found =
                (M::of(x.abs_diff(sx), y.abs_diff(sy)), sy as u64 * self.sites.width as u64 + sx as u64);
            if best.is_none_or(|best| found < best) {
                *best = Some(found);
            }
        }
    }
}

/// How far a number lies outside of `n` numbers from `first` on.
fn outside(at: usize, first: usize, n: usize) -> usize {
    first.saturating_sub(at) + (at + 1).saturating_sub(first + n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiled::Pack;
    use crate::{Ctx, Seed, distance};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_nearest_source_is_that_of_the_distance_transform(
            w in 1usize..400, h in 1usize..400, rare in 0u32..14, seed: u64
        ) {
            let source = |i: usize| Seed(seed).at(i as i64, 0).is_multiple_of(1 << rare);
            let sources: Vec<u64> = (0..w * h).rev().filter(|&i| source(i)).map(|i| i as u64).collect();
            let sites = Sites::from_bytes(&Sites::new(w, h, &sources).to_bytes()).unwrap();
            let (tree, near) = (sites.tree(), distance::euclidean(w, h, &Ctx::default(), source).unwrap());
            for i in (0..w * h).step_by(1 + w * h / 200) {
                let expected = (near.source.cells()[i] != u32::MAX)
                    .then(|| (near.squared.cells()[i] as u64, near.source.cells()[i] as u64));
                prop_assert_eq!(tree.nearest::<Squared>(i % w, i / w), expected);
            }
            prop_assert_eq!(sites.is_empty(), sources.is_empty());
        }
    }
}
