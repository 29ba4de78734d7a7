//! Chebyshev distances and nearest sources.

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::par;

/// Chebyshev distance max(|dx|, |dy|) in cells to the nearest source, at most `cap`: the number of steps of a breadth-first
/// search over eight neighbours.
///
/// Two sweeps: southwards d(x, y) = min(d, 1 + d of W, NW, N, NE), then northwards with the other four. Together they are
/// exact for this metric, because a shortest path may take its southward steps first. Bands of rows run in parallel, each
/// with `cap` rows on either side, beyond which no source matters. Without a source all cells are `cap`. Reach: `cap` cells.
/// Cost: linear.
///
/// ```
/// use weald_core::{Ctx, distance};
///
/// let distance = distance::chebyshev(5, 3, 3, &Ctx::default(), |cell| cell == 0)?;
/// assert_eq!(distance.row(0), [0, 1, 2, 3, 3]);
/// assert_eq!(distance.row(2), [2, 2, 2, 3, 3]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "distance transform")]
#[doc(alias = "chessboard distance")]
#[doc(alias = "proximity")]
pub fn chebyshev(
    width: usize,
    height: usize,
    cap: u16,
    ctx: &Ctx,
    source: impl Fn(usize) -> bool + Sync,
) -> Result<Grid<u16>> {
    // A band must be worth the rows it computes twice.
    let band = (height.div_ceil(par::threads() * 4)).max(cap as usize * 4).max(1);
    let bands = par::map(height.div_ceil(band), ctx, |b| {
        let (top, bottom) = (b * band, ((b + 1) * band).min(height));
        let (first, last) = (top.saturating_sub(cap as usize), (bottom + cap as usize).min(height));
        let mut d: Vec<u16> =
            (first * width..last * width).map(|i| if source(i) { 0 } else { cap }).collect();
        sweep(&mut d, width, cap);
        d.drain(..(top - first) * width);
        d.truncate((bottom - top) * width);
        d
    })?;
    Ok(Grid::from_vec(width, height, bands.concat()))
}

/// Both sweeps over whole rows.
fn sweep(d: &mut [u16], width: usize, cap: u16) {
    let rows = d.len() / width;
    let mut above = vec![cap; width + 2];
    for y in (0..rows).chain((0..rows).rev()).enumerate().map(|(i, y)| (i < rows, y)) {
        let (down, y) = y;
        if y == if down { 0 } else { rows - 1 } {
            above.fill(cap);
        }
        let row = &mut d[y * width..(y + 1) * width];
        for (x, v) in row.iter_mut().enumerate() {
            let near = above[x].min(above[x + 1]).min(above[x + 2]);
            *v = (*v).min(near.saturating_add(1));
        }
        let step = |last: u16, v: &mut u16| {
            *v = (*v).min(last.saturating_add(1));
            *v
        };
        if down {
            row.iter_mut().fold(cap, step);
        } else {
            row.iter_mut().rev().fold(cap, step);
        }
        above[1..=width].copy_from_slice(row);
    }
}

/// Side of a block of [`Nearest`] in cells.
const BLOCK: usize = 32;

/// Finds the nearest source of single cells by Chebyshev distance; of equally near sources the one with the lowest index.
///
/// Sources are listed by blocks of 32 × 32 cells. A query searches the blocks in rings around its own until no farther ring
/// can hold a source as near. When a ring would have more blocks than there are blocks with sources, it searches those
/// instead. Reach: whole map, which must have fewer than 2³² cells.
///
/// ```
/// use weald_core::{Ctx, distance::Nearest};
///
/// let wells = Nearest::new(100, 100, &Ctx::default(), |cell| cell == 505 || cell == 9090)?;
/// assert_eq!((wells.of(0), wells.of(9999)), (Some(505), Some(9090)));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "nearest neighbour")]
#[doc(alias = "spatial index")]
pub struct Nearest {
    width: usize,
    wide: usize,
    high: usize,
    /// Index of the first source of each block, and one past the last source.
    begin: Vec<u32>,
    sources: Vec<u32>,
    /// The blocks that hold a source.
    filled: Vec<u32>,
}

impl Nearest {
    /// Lists the sources, rows of blocks in parallel. Cost: linear.
    pub fn new(
        width: usize,
        height: usize,
        ctx: &Ctx,
        source: impl Fn(usize) -> bool + Sync,
    ) -> Result<Self> {
        let (wide, high) = (width.div_ceil(BLOCK), height.div_ceil(BLOCK));
        let bands = par::map(high, ctx, |band| {
            let mut blocks: Vec<Vec<u32>> = vec![Vec::new(); wide];
            for y in band * BLOCK..((band + 1) * BLOCK).min(height) {
                for i in (y * width..(y + 1) * width).filter(|&i| source(i)) {
                    blocks[(i - y * width) / BLOCK].push(i as u32);
                }
            }
            blocks
        })?;
        let blocks: Vec<Vec<u32>> = bands.into_iter().flatten().collect();
        let mut begin = vec![0];
        begin.extend(blocks.iter().scan(0, |end, b| {
            *end += b.len() as u32;
            Some(*end)
        }));
        let filled = (0..blocks.len() as u32).filter(|&b| !blocks[b as usize].is_empty()).collect();
        Ok(Self { width, wide, high, begin, sources: blocks.concat(), filled })
    }

    /// Index of the nearest source of a cell; `None` if there are no sources.
    pub fn of(&self, cell: usize) -> Option<usize> {
        let (x, y) = (cell % self.width, cell / self.width);
        let (bx, by) = (x / BLOCK, y / BLOCK);
        let mut best = (usize::MAX, usize::MAX);
        for ring in 0..self.wide.max(self.high) {
            // The nearest cell of the ring lies just beyond the blocks inside it.
            let inside = (x % BLOCK).min(y % BLOCK).min(BLOCK - 1 - x % BLOCK).min(BLOCK - 1 - y % BLOCK);
            if ring > 0 && (ring - 1) * BLOCK + inside + 1 > best.0 {
                break;
            }
            if (2 * ring + 1) * (2 * ring + 1) > self.filled.len() {
                self.filled.iter().for_each(|&b| self.look(b as usize, (x, y), &mut best));
                break;
            }
            let (top, bottom) = (by as isize - ring as isize, by + ring);
            for (row, whole) in (top..=bottom as isize).map(|r| (r, r == top || r == bottom as isize)) {
                if row < 0 || row >= self.high as isize {
                    continue;
                }
                let step = if whole || ring == 0 { 1 } else { 2 * ring };
                for column in (bx as isize - ring as isize..=(bx + ring) as isize).step_by(step) {
                    if column >= 0 && column < self.wide as isize {
                        self.look(row as usize * self.wide + column as usize, (x, y), &mut best);
                    }
                }
            }
        }
        (best.0 < usize::MAX).then_some(best.1)
    }

    /// Compares the sources of a block with the best (distance, index) so far.
    fn look(&self, block: usize, (x, y): (usize, usize), best: &mut (usize, usize)) {
        for &source in &self.sources[self.begin[block] as usize..self.begin[block + 1] as usize] {
            let (sx, sy) = (source as usize % self.width, source as usize / self.width);
            *best = (*best).min((x.abs_diff(sx).max(y.abs_diff(sy)), source as usize));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use proptest::prelude::*;

    fn apart(a: usize, b: usize, w: usize) -> usize {
        (a % w).abs_diff(b % w).max((a / w).abs_diff(b / w))
    }

    proptest! {
        #[test]
        fn distances_and_nearest_sources_equal_brute_force(
            w in 1usize..120, h in 1usize..120, rare in 0u32..14, cap in 1u16..12, seed: u64
        ) {
            let source = |i: usize| Seed(seed).at(i as i64, 3).is_multiple_of(1 << rare);
            let sources: Vec<usize> = (0..w * h).filter(|&i| source(i)).collect();
            let d = chebyshev(w, h, cap, &Ctx::default(), source).unwrap();
            let n = Nearest::new(w, h, &Ctx::default(), source).unwrap();
            for i in 0..w * h {
                let best = sources.iter().map(|&s| (apart(i, s, w), s)).min();
                prop_assert_eq!(d.cells()[i] as usize, best.map_or(cap as usize, |b| b.0.min(cap as usize)));
                prop_assert_eq!(n.of(i), best.map(|b| b.1));
            }
        }
    }
}
