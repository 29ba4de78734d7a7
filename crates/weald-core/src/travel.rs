//! How far it is over uneven ground.

use crate::ctx::{Cancelled, Ctx};
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::par;

/// Length of a straight step over cells of resistance 1.
pub const UNIT: u32 = 1024;

/// Resistance 1, as cells of the ground hold it: a step has the sum of the resistances of its two cells.
pub const PLAIN: u16 = (UNIT / 2) as u16;

/// What a cell has that no way reaches.
pub const NEVER: u32 = u32::MAX;

/// √2 in parts of 1024.
const DIAGONAL: u32 = 1448;

/// The length of the shortest way from the nearest source to each cell, in parts of [`UNIT`]; [`NEVER`] where there is none.
///
/// `resistance` says how hard a cell is to cross, in parts of [`PLAIN`]; 0 is a wall. A step between neighbours a and b
/// costs r(a) + r(b), times 1448/1024 on a diagonal. Shortest ways over random ground run together like the branches of
/// a river (first-passage percolation; Auffinger, Damron, Hanson 2017, doi:10.1090/ulect/068), which makes this a distance
/// from the coast whose contour lines show valleys.
///
/// The shortest lengths are unique, whatever the order of work. Cells wait in buckets as wide as the shortest step
/// (Dial 1969, doi:10.1145/363269.363610): no cell of a bucket can shorten the way to another one of it, so a bucket is
/// taken in the order in which it was filled, along the front, and neighbours find each other in the cache. Reach: whole
/// map. Cost: 40 to 60 ns for a cell that is no wall.
pub fn travel(
    resistance: &Grid<u16>,
    ctx: &Ctx,
    source: impl Fn(usize) -> bool + Sync,
) -> Result<Grid<u32>, Cancelled> {
    let (w, h) = (resistance.width(), resistance.height());
    // A frame of walls around the map spares the question whether a neighbour is on it.
    let wide = w + 2;
    let mut ground: Grid<Cell> = par::fill(wide, h + 2, ctx, |y, row: &mut [Cell]| {
        if y == 0 || y == h + 1 {
            return;
        }
        for (x, (cell, &r)) in row[1..=w].iter_mut().zip(resistance.row(y - 1)).enumerate() {
            let start = r != 0 && source((y - 1) * w + x);
            *cell = Cell { length: if start { 0 } else { NEVER }, resistance: r.into() };
        }
    })?;
    let (least, most) = resistance
        .cells()
        .iter()
        .filter(|r| **r != 0)
        .fold((u32::MAX, 0), |(low, high), &r| (low.min(r.into()), high.max(r.into())));
    if most > 0 {
        flood(ground.cells_mut(), wide, 2 * least, 2 * most * DIAGONAL / UNIT, ctx)?;
    }
    par::fill(w, h, ctx, |y, row: &mut [u32]| {
        row.iter_mut().zip(&ground.row(y + 1)[1..=w]).for_each(|(out, cell)| *out = cell.length);
    })
}

/// What is known of a cell.
#[derive(Clone, Copy, Default)]
struct Cell {
    length: u32,
    resistance: u32,
}

/// Carries the lengths on from the cells that have one. Steps cost `least` to `most`.
fn flood(ground: &mut [Cell], wide: usize, least: u32, most: u32, ctx: &Ctx) -> Result<(), Cancelled> {
    let offsets = Dir8::offsets(wide);
    // A step leads at most this many buckets on, so buckets can be used again in a ring.
    let mut ring: Vec<Vec<(u32, u32)>> = vec![Vec::new(); (most / least + 2) as usize];
    let walls = |c: &&Cell| c.resistance != 0;
    let mut waiting = 0;
    for (i, _) in ground.iter().enumerate().filter(|(_, c)| walls(c) && c.length == 0) {
        ring[0].push((0, i as u32));
        waiting += 1;
    }
    let mut at = 0u64;
    while waiting > 0 {
        ctx.check()?;
        let slot = (at % ring.len() as u64) as usize;
        let bucket = std::mem::take(&mut ring[slot]);
        waiting -= bucket.len();
        for &(length, cell) in &bucket {
            let cell = cell as usize;
            // A shorter way was found after this one.
            if ground[cell].length != length {
                continue;
            }
            let here = ground[cell].resistance;
            for d in Dir8::ALL {
                let to = cell.wrapping_add_signed(offsets[d.0 as usize]);
                let there = ground[to];
                let straight = here + there.resistance;
                let step = if d.is_diagonal() { straight * DIAGONAL / UNIT } else { straight };
                let longer = length.saturating_add(step);
                if longer < there.length && there.resistance != 0 {
                    ground[to].length = longer;
                    ring[(longer / least) as usize % (most / least + 2) as usize].push((longer, to as u32));
                    waiting += 1;
                }
            }
        }
        // The emptied bucket keeps its memory.
        let mut bucket = bucket;
        bucket.clear();
        ring[slot] = bucket;
        at += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dir8;
    use crate::seed::Seed;
    use proptest::prelude::*;

    /// Shortens ways until none can be shortened.
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

    proptest! {
        #[test]
        fn lengths_equal_those_that_cannot_be_shortened(
            w in 1usize..30, h in 1usize..30, walls in 0.0f64..0.6, most in 1u64..3000, rare in 0.0f64..0.3, seed: u64
        ) {
            let at = |i: usize, k: i64| Seed(seed).unit_at(i as i64, k);
            let cells = (0..w * h)
                .map(|i| if at(i, 0) < walls { 0 } else { 1 + (at(i, 1) * most as f64) as u16 })
                .collect();
            let ground = Grid::from_vec(w, h, cells);
            let source = |i: usize| at(i, 2) < rare;
            let found = travel(&ground, &Ctx::default(), source).unwrap();
            prop_assert_eq!(found.into_vec(), plain(&ground, &source));
        }
    }

    #[test]
    fn over_plain_ground_a_straight_step_is_one_unit_and_a_diagonal_one_the_root_of_two() {
        let found = travel(&Grid::filled(5, 5, PLAIN), &Ctx::default(), |i| i == 0).unwrap();
        assert_eq!((found[(4, 0)], found[(3, 3)], found[(4, 1)]), (4096, 3 * 1448, 3 * 1024 + 1448));
    }
}
