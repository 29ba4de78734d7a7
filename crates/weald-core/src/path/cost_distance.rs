//! Cost distance: the length of the least-cost path to the nearest source.

use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::par;
use crate::queue::MinQueue;

/// Cost of a straight step between cells of resistance 1.
pub const UNIT: u32 = 1024;

/// Resistance 1 as stored in a cell. A step costs the sum of the resistances of its two cells.
pub const PLAIN: u16 = (UNIT / 2) as u16;

/// The cost distance of a cell that no path reaches.
pub const NEVER: u32 = u32::MAX;

/// √2 in parts of 1024.
const DIAGONAL: u32 = 1448;

/// Cost distance: the cost of the least-cost path from the nearest source to each cell, in parts of [`UNIT`]; [`NEVER`] where
/// there is no path.
///
/// `resistance` is the cost per cell of crossing a cell, in parts of [`PLAIN`]; 0 is a wall. A step between neighbours a and
/// b costs r(a) + r(b), times 1448/1024 on a diagonal. Least-cost paths over random resistance merge like the branches of a
/// river (first-passage percolation; Auffinger, Damron, Hanson 2017, doi:10.1090/ulect/068), so the contour lines of a cost
/// distance from the coast have the shape of valleys.
///
/// The least costs are unique, whatever the order of work. The map is divided into tiles that fit the first-level cache. In
/// rounds, every tile that has work extends its paths up to a bound, by itself, in the order of cost (Dijkstra 1959,
/// doi:10.1007/BF01386390), and then passes those that leave it to its neighbours. When no tile has a path below the bound,
/// the bound is raised (Meyer and Sanders 2003, doi:10.1016/S0196-6774(03)00076-2). Tiles run in parallel. Reach: whole map.
/// Cost: about 100 ns on one core for each cell that is not a wall, whatever the size of the map.
///
/// ```
/// use weald_core::path::{NEVER, PLAIN, UNIT, cost_distance};
/// use weald_core::{Ctx, Grid};
///
/// // Plain ground, a cell that is three times as hard to cross, and a wall.
/// let resistance = Grid::from_vec(5, 1, vec![PLAIN, PLAIN, 3 * PLAIN, 0, PLAIN]);
/// let cost = cost_distance(&resistance, &Ctx::default(), |cell| cell == 0)?;
/// assert_eq!(cost.cells(), [0, UNIT, 3 * UNIT, NEVER, NEVER]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "travel time")]
#[doc(alias = "friction surface")]
#[doc(alias = "accumulated cost")]
#[doc(alias = "Dijkstra")]
#[doc(alias = "isochrone")]
pub fn cost_distance(
    resistance: &Grid<u16>,
    ctx: &Ctx,
    source: impl Fn(usize) -> bool + Sync,
) -> Result<Grid<u32>> {
    let (w, h) = resistance.shape();
    let (wide, high) = (w.div_ceil(SIDE), h.div_ceil(SIDE));
    let tiles =
        par::map(wide * high, ctx, |t| Tile::new(resistance, (t % wide * SIDE, t / wide * SIDE), &source))?;
    let mut tiles = Grid::from_vec(1, wide * high, tiles);
    let (mut bound, quiet) = (0, ctx.quiet());
    loop {
        let least = tiles.cells().iter().filter_map(Tile::least).min();
        let Some(least) = least else { break };
        if least >= bound {
            // Whole strides, so that tiles stop at the same costs.
            bound = (least / STRIDE + 1).saturating_mul(STRIDE);
        }
        par::for_rows(tiles.rows_mut(), &quiet, |_, tile| tile[0].run(bound))?;
        hand_over(&mut tiles, wide);
    }
    par::fill(w, h, ctx, |y, row: &mut [u32]| {
        for (x, out) in row.iter_mut().enumerate() {
            let tile = &tiles.cells()[y / SIDE * wide + x / SIDE];
            *out = tile.cells[(y % SIDE + 1) * RINGED + x % SIDE + 1].length;
        }
    })
}

/// Cells along the side of a tile.
const SIDE: usize = 64;

/// Cells along the side of a tile and of the ring around it, which belongs to its neighbours.
const RINGED: usize = SIDE + 2;

/// The amount by which the bound is raised.
const STRIDE: u32 = 32 * UNIT;

/// What a tile knows of a cell.
#[derive(Clone, Copy)]
struct Cell {
    length: u32,
    resistance: u16,
    /// Whether the cell is the tile's own.
    own: bool,
}

/// A part of the map that is searched by itself.
struct Tile {
    /// Own cells and the ring around them. In the ring, the length is the shortest that was handed over so far.
    cells: Vec<Cell>,
    /// Own cells from which paths are to be extended: length · 2¹⁶ + index in `cells`.
    queue: MinQueue<u64>,
    /// Cells of the ring to which a shorter path was found.
    leaving: Vec<u16>,
}

impl Tile {
    /// The tile whose first own cell is at `(left, top)`.
    fn new(
        resistance: &Grid<u16>,
        (left, top): (usize, usize),
        source: &(impl Fn(usize) -> bool + Sync),
    ) -> Self {
        let (w, h) = resistance.shape();
        let mut tile = Self {
            cells: vec![Cell { length: NEVER, resistance: 0, own: false }; RINGED * RINGED],
            queue: MinQueue::new(),
            leaving: Vec::new(),
        };
        let ring = 0..RINGED;
        for (i, (row, column)) in ring.clone().flat_map(|r| ring.clone().map(move |c| (r, c))).enumerate() {
            let (x, y) = ((left + column).wrapping_sub(1), (top + row).wrapping_sub(1));
            if x >= w || y >= h {
                continue;
            }
            let inside = |k: usize| (1..=SIDE).contains(&k);
            let cell = &mut tile.cells[i];
            (cell.resistance, cell.own) = (resistance[(x, y)], inside(row) && inside(column));
            if cell.own && cell.resistance != 0 && source(y * w + x) {
                cell.length = 0;
                tile.queue.push(i as u64);
            }
        }
        tile
    }

    /// The shortest length in the queue.
    fn least(&self) -> Option<u32> {
        self.queue.first().map(|key| (key >> 16) as u32)
    }

    /// Extends the paths of all own cells with lengths below the bound.
    fn run(&mut self, bound: u32) {
        const OFFSETS: [isize; 8] = Dir8::offsets(RINGED);
        while let Some(key) = self.queue.first().filter(|key| ((key >> 16) as u32) < bound) {
            self.queue.pop();
            let (length, at) = ((key >> 16) as u32, (key & 0xFFFF) as usize);
            // Otherwise a shorter path was found after this one.
            if self.cells[at].length != length {
                continue;
            }
            let here = self.cells[at].resistance as u32;
            for (d, offset) in OFFSETS.into_iter().enumerate() {
                let to = at.wrapping_add_signed(offset);
                let there = self.cells[to];
                let straight = here + there.resistance as u32;
                let step = if d % 2 == 1 { straight * DIAGONAL / UNIT } else { straight };
                let longer = length.saturating_add(step);
                if longer < there.length && there.resistance != 0 {
                    self.cells[to].length = longer;
                    if there.own {
                        self.queue.push((longer as u64) << 16 | to as u64);
                    } else {
                        self.leaving.push(to as u16);
                    }
                }
            }
        }
    }
}

/// Hands paths that leave a tile to the tile that they enter. A row has `wide` tiles.
fn hand_over(tiles: &mut Grid<Tile>, wide: usize) {
    for t in 0..tiles.len() {
        let leaving = std::mem::take(&mut tiles.cells_mut()[t].leaving);
        for &at in &leaving {
            let length = tiles.cells()[t].cells[at as usize].length;
            // From the ring of this tile to the cell of its neighbour.
            let (column, row) = (at as usize % RINGED, at as usize / RINGED);
            let shift = |k: usize| match k {
                0 => (-1, SIDE),
                k if k > SIDE => (1, 1),
                k => (0, k),
            };
            let ((east, column), (south, row)) = (shift(column), shift(row));
            let to = t.wrapping_add_signed(south * wide as isize + east);
            let (tile, at) = (&mut tiles.cells_mut()[to], row * RINGED + column);
            if length < tile.cells[at].length {
                tile.cells[at].length = length;
                tile.queue.push((length as u64) << 16 | at as u64);
            }
        }
        // The emptied list keeps its memory.
        tiles.cells_mut()[t].leaving = leaving;
        tiles.cells_mut()[t].leaving.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dir8;
    use crate::seed::Seed;
    use proptest::prelude::*;

    /// Shortens paths until none can be shortened.
    fn plain(resistance: &Grid<u16>, source: &dyn Fn(usize) -> bool) -> Vec<u32> {
        let (w, h, r) = (resistance.width(), resistance.height(), resistance.cells());
        let mut length: Vec<u32> =
            (0..w * h).map(|i| if r[i] != 0 && source(i) { 0 } else { NEVER }).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for i in (0..w * h).filter(|&i| r[i] != 0) {
                dir8::neighbours(w, h, i % w, i / w, |d, x, y| {
                    let n = y * w + x;
                    if length[n] != NEVER {
                        let straight = r[i] as u32 + r[n] as u32;
                        let step = if d.is_diagonal() { straight * 1448 / 1024 } else { straight };
                        if length[n] + step < length[i] {
                            length[i] = length[n] + step;
                            changed = true;
                        }
                    }
                });
            }
        }
        length
    }

    /// Less than a tile, or some tiles.
    fn side() -> impl Strategy<Value = usize> {
        prop_oneof![1usize..30, 60usize..140]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn lengths_equal_those_that_cannot_be_shortened(
            w in side(), h in side(), walls in 0.0f64..0.6, most in 1u64..3000, rare in 0.0f64..0.3, seed: u64
        ) {
            let at = |i: usize, k: i64| Seed(seed).unit_at(i as i64, k);
            let cells = (0..w * h)
                .map(|i| if at(i, 0) < walls { 0 } else { 1 + (at(i, 1) * most as f64) as u16 })
                .collect();
            let ground = Grid::from_vec(w, h, cells);
            let source = |i: usize| at(i, 2) < rare;
            let found = cost_distance(&ground, &Ctx::default(), source).unwrap();
            prop_assert_eq!(found.into_vec(), plain(&ground, &source));
        }
    }

    #[test]
    fn over_plain_ground_a_straight_step_is_one_unit_and_a_diagonal_one_the_root_of_two() {
        let found = cost_distance(&Grid::filled(5, 5, PLAIN), &Ctx::default(), |i| i == 0).unwrap();
        assert_eq!((found[(4, 0)], found[(3, 3)], found[(4, 1)]), (4096, 3 * 1448, 3 * 1024 + 1448));
    }
}
