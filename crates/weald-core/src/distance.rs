//! Distances on the grid.

use crate::ctx::{Cancelled, Ctx};
use crate::grid::Grid;
use crate::par;

/// Chebyshev distance in steps to the nearest source, at most `cap`: what a breadth-first search over eight
/// neighbours gives, where every step counts 1.
///
/// Two sweeps: downwards d(x, y) = min(d, 1 + d of W, NW, N, NE), then upwards with the other four. Both are exact for
/// this metric, because a shortest path may take its downward steps first. Bands of rows run in parallel, each with
/// `cap` rows around it, beyond which nothing can reach. Reach: `cap` cells. Without a source all cells are `cap`.
pub fn chebyshev(
    width: usize,
    height: usize,
    cap: u16,
    ctx: &Ctx,
    source: impl Fn(usize) -> bool + Sync,
) -> Result<Grid<u16>, Cancelled> {
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

/// The cell index of the nearest source by Chebyshev distance, the lowest index among equally near ones; `None`
/// where there is no source at all.
///
/// The same two sweeps as [`chebyshev`], over pairs (distance, index) that are compared in that order. Reach: whole
/// map. The map must have fewer than 2³² cells.
pub struct Nearest {
    keys: Grid<u64>,
}

const STEP: u64 = 1 << 32;
const FAR: u64 = u64::MAX - STEP;

impl Nearest {
    /// Finds the nearest source of every cell.
    pub fn new(
        width: usize,
        height: usize,
        ctx: &Ctx,
        source: impl Fn(usize) -> bool + Sync,
    ) -> Result<Self, Cancelled> {
        let mut keys = Grid::filled(width, height, FAR);
        for y in 0..height {
            ctx.check()?;
            let (done, rest) = keys.cells_mut().split_at_mut(y * width);
            let row = &mut rest[..width];
            for (x, key) in row.iter_mut().enumerate() {
                if source(y * width + x) {
                    *key = (y * width + x) as u64;
                }
            }
            relax(row, (y > 0).then(|| &done[(y - 1) * width..]));
            row.iter_mut().fold(FAR, |last, k| {
                *k = (*k).min(last + STEP);
                (*k).min(FAR)
            });
        }
        for y in (0..height).rev() {
            ctx.check()?;
            let (rest, done) = keys.cells_mut().split_at_mut((y + 1) * width);
            let row = &mut rest[y * width..];
            relax(row, (y + 1 < height).then(|| &done[..width]));
            row.iter_mut().rev().fold(FAR, |last, k| {
                *k = (*k).min(last + STEP);
                (*k).min(FAR)
            });
        }
        Ok(Self { keys })
    }

    /// The nearest source of a cell.
    pub fn of(&self, cell: usize) -> Option<usize> {
        let key = self.keys.cells()[cell];
        (key < FAR).then_some((key & (STEP - 1)) as usize)
    }
}

/// Takes over what the three neighbours in the finished row know.
fn relax(row: &mut [u64], near: Option<&[u64]>) {
    let Some(near) = near else { return };
    let last = row.len() - 1;
    for (x, key) in row.iter_mut().enumerate() {
        let best = near[x].min(near[x.saturating_sub(1)]).min(near[(x + 1).min(last)]);
        *key = (*key).min(best.min(FAR) + STEP);
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
            w in 1usize..40, h in 1usize..60, one_in in 1u64..400, cap in 1u16..12, seed: u64
        ) {
            let source = |i: usize| Seed(seed).at(i as i64, 3).is_multiple_of(one_in);
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
