//! Applies the changes of droplets to the land.

use super::tiles::{ACROSS, BLOCK, SIDE, STRIP, Tiles};
use super::walk::{Change, TAIL, Walk};
use crate::Result;
use crate::ctx::Ctx;
use crate::erosion::brush::Brush;
use crate::grid::Grid;
use crate::par;

/// A brush as squares of blocks: one for each of the 16 positions that its corner can have within a block.
pub(super) struct Stamps {
    brush: Brush,
    /// Blocks along the side of a square.
    side: usize,
    blocks: Vec<[i32; BLOCK]>,
}

impl Stamps {
    pub(super) fn new(brush: Brush) -> Self {
        let side = (2 * brush.radius).div_ceil(SIDE) + 1;
        let mut blocks = vec![[0; BLOCK]; BLOCK * side * side];
        for place in 0..BLOCK {
            for (j, row) in brush.rows.iter().enumerate() {
                for (i, &weight) in row[..2 * brush.radius + 1].iter().enumerate() {
                    let (x, y) = (i + place % SIDE, j + place / SIDE);
                    let block = place * side * side + y / SIDE * side + x / SIDE;
                    blocks[block][y % SIDE * SIDE + x % SIDE] = weight;
                }
            }
        }
        Self { brush, side, blocks }
    }
}

/// Number of bands of strips per thread.
const BANDS: usize = 4;

/// Adds the changes to the heights, and what was eroded to `taken`. Strips run in parallel: each task adds what falls on its
/// own strips.
pub(super) fn apply(
    height: &mut Tiles<i32>,
    taken: &mut Taken,
    stamps: &Stamps,
    walks: &[Walk],
    ctx: &Ctx,
) -> Result<()> {
    let (width, rows, strip) = (height.width, height.height, height.strip());
    // Droplets are more frequent on high ground: several bands per thread balance that.
    let bands = par::threads() * BANDS;
    par::for_bands((height.strips_mut(), taken.lists.rows_mut()), bands, ctx, |first, height, taken| {
        let (height, _) = height.as_chunks_mut();
        let mut band = Band { width, rows, first, strip: strip / BLOCK, height, taken, stamps };
        par::widest_simd(
            #[inline(always)]
            || match stamps.side {
                2 => band.add_all::<2>(walks),
                3 => band.add_all::<3>(walks),
                4 => band.add_all::<4>(walks),
                5 => band.add_all::<5>(walks),
                side => unreachable!("no brush is {side} blocks wide"),
            },
        );
    })?;
    if taken.lists.cells().iter().map(Vec::len).sum::<usize>() > Taken::MOST {
        taken.settle(ctx)
    } else {
        Ok(())
    }
}

/// Some strips of the land.
struct Band<'a> {
    width: usize,
    rows: usize,
    /// Number of the first strip.
    first: usize,
    /// Blocks in a strip.
    strip: usize,
    height: &'a mut [[i32; BLOCK]],
    /// A list for each strip.
    taken: &'a mut [Vec<Change>],
    stamps: &'a Stamps,
}

impl Band<'_> {
    /// Adds what falls on these strips. Squares of the stamps have `N` blocks along their side.
    #[inline(always)]
    fn add_all<const N: usize>(&mut self, walks: &[Walk]) {
        for (journey, changes) in walks.iter().flat_map(Walk::journeys) {
            if !self.may_meet(changes) {
                continue;
            }
            self.touch::<N>(changes);
            let count = changes.len().min(TAIL);
            let (path, tail) = changes.split_at(changes.len() - count);
            for &change in path {
                self.note(change);
                self.add::<N>(change.x as usize, change.y as usize, change.quanta);
            }
            if count == 0 {
                continue;
            }
            // Of a remainder, the last steps get one more each.
            let (each, more) = (journey.rest / count as i32, journey.rest as usize % count);
            for (i, &change) in tail.iter().enumerate() {
                self.note(change);
                let rest = each + (count - 1 - i < more) as i32;
                self.add::<N>(change.x as usize, change.y as usize, change.quanta + rest);
            }
        }
    }

    /// Whether a path may come near these strips. A step is one cell long: after n steps between the columns x₁ and x₂, no
    /// column of the path is more than (n − |x₁ − x₂|) / 2 beyond them.
    #[inline(always)]
    fn may_meet(&self, changes: &[Change]) -> bool {
        let (Some(one), Some(two)) = (changes.first(), changes.last()) else { return false };
        // All lengths are doubled, so that no half is lost; 2 is for the rounding of both ends to cells.
        let (ends, far) = (one.x as usize + two.x as usize, changes.len() + 2 + 2 * self.stamps.brush.radius);
        let strips = self.first..self.first + self.taken.len();
        ends + far >= 2 * STRIP * strips.start && ends <= 2 * STRIP * strips.end + far
    }

    /// The block of a column and a row of blocks, if it lies on these strips; otherwise a number that is too high.
    #[inline(always)]
    fn block(&self, column: usize, row: usize) -> usize {
        let strip = (column / ACROSS).wrapping_sub(self.first);
        if strip < self.taken.len() {
            strip * self.strip + row * ACROSS + column % ACROSS
        } else {
            usize::MAX / 2
        }
    }

    /// Reads the blocks around a path once. Nothing waits for these reads, so they overlap; additions would wait for each.
    #[inline(always)]
    fn touch<const N: usize>(&self, changes: &[Change]) {
        let r = self.stamps.brush.radius;
        let mut seen = 0;
        for change in changes.iter().step_by(SIDE) {
            let (x, y) = (change.x as usize, change.y as usize);
            let (left, top) = (x.saturating_sub(r), y.saturating_sub(r));
            for i in 0..N {
                let first = self.block(left / SIDE + i, top / SIDE);
                for j in 0..N {
                    seen |= self.height.get(first + j * ACROSS).map_or(0, |block| block[0]);
                }
            }
        }
        std::hint::black_box(seen);
    }

    /// Notes an erosion on these strips.
    #[inline(always)]
    fn note(&mut self, change: Change) {
        let strip = (change.x as usize / STRIP).wrapping_sub(self.first);
        if change.quanta < 0 && strip < self.taken.len() {
            self.taken[strip].push(change);
        }
    }

    #[inline(always)]
    fn add<const N: usize>(&mut self, x: usize, y: usize, quanta: i32) {
        let r = self.stamps.brush.radius;
        if x < r || x + r >= self.width || y < r || y + r >= self.rows {
            return self.add_clipped(x, y, quanta);
        }
        let (left, top) = (x - r, y - r);
        let place = top % SIDE * SIDE + left % SIDE;
        let stamp = &self.stamps.blocks[place * N * N..][..N * N];
        for i in 0..N {
            let first = self.block(left / SIDE + i, top / SIDE);
            let Some(blocks) = self.height.get_mut(first..first + (N - 1) * ACROSS + 1) else { continue };
            for j in 0..N {
                // Copies tell the compiler that a block and its weights do not overlap: one vector each.
                let (mut cells, weights) = (blocks[j * ACROSS], stamp[j * N + i]);
                for k in 0..BLOCK {
                    cells[k] += quanta * weights[k];
                }
                blocks[j * ACROSS] = cells;
            }
        }
    }

    /// Near the edge of the map.
    #[cold]
    fn add_clipped(&mut self, x: usize, y: usize, quanta: i32) {
        for (x, y, weight) in self.stamps.brush.clipped(x, y, self.width, self.rows) {
            if let Some(block) = self.height.get_mut(self.block(x / SIDE, y / SIDE)) {
                block[y % SIDE * SIDE + x % SIDE] += quanta * weight;
            }
        }
    }
}

/// What was eroded, by the cell around which it was eroded. Changes are gathered by strips and added many at a time: added
/// one by one, each would wait for memory.
pub(super) struct Taken {
    quanta: Tiles<i32>,
    /// One list for each strip.
    lists: Grid<Vec<Change>>,
}

impl Taken {
    /// At most this many changes are gathered before they are added.
    const MOST: usize = 4 << 20;

    pub(super) fn new(like: &Tiles<i32>) -> Self {
        let strips = like.cells().len() / like.strip();
        Self { quanta: Tiles::new(like.width, like.height), lists: Grid::filled(1, strips, Vec::new()) }
    }

    /// Adds the gathered changes.
    fn settle(&mut self, ctx: &Ctx) -> Result<()> {
        let (strip, count) = (self.quanta.strip(), self.lists.len());
        par::for_bands((self.quanta.strips_mut(), self.lists.rows_mut()), count, ctx, |_, strips, lists| {
            for (cells, list) in strips.chunks_exact_mut(strip).zip(lists) {
                for change in list.drain(..) {
                    let (x, y) = (change.x as usize % STRIP, change.y as usize);
                    cells[(y / SIDE * ACROSS + x / SIDE) * BLOCK + y % SIDE * SIDE + x % SIDE] -=
                        change.quanta;
                }
            }
        })
    }

    /// All that was eroded, in quanta.
    pub(super) fn quanta(mut self, ctx: &Ctx) -> Result<Tiles<i32>> {
        self.settle(ctx)?;
        Ok(self.quanta)
    }
}
