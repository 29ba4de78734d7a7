//! Removal of single cells that stick out.

use super::land::{Land, STEPS_PER_M};
use crate::dir8;
use std::collections::VecDeque;

/// Removes spikes and pits of single cells: cells that lie above all their neighbours, or below all of them, by more than
/// `cap_m` and by more than they did before any erosion. Such a cell is moved to about half of that limit; what it loses goes
/// to its neighbours in equal parts, and what it gains comes from them. Nothing is lost. With `keep_border`, border cells keep
/// their heights, as they must where the land around fits them.
///
/// Reach: 1 cell around each such cell, and again where a neighbour then sticks out. Cost: about 10 ns a cell on one core.
///
/// ```
/// use weald_core::erosion::{Land, despike};
/// use weald_core::{Ctx, Grid};
///
/// let ctx = Ctx::default();
/// let mut land = Land::new(&Grid::filled(9, 9, 0.0), 1.0, &ctx)?;
/// land.height[(4, 4)] = 1_000_000;
/// let even = despike(land, 0.1, false);
/// assert!(even.height[(4, 4)] < 200_000);
/// assert_eq!(even.height.cells().iter().sum::<i32>(), 1_000_000);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "evened")]
#[doc(alias = "spike removal")]
#[doc(alias = "outlier")]
pub fn despike(mut land: Land, cap_m: f64, keep_border: bool) -> Land {
    let (w, h) = land.height.shape();
    let cap = (cap_m * STEPS_PER_M).round() as i32;
    let kept = |land: &Land, x: usize, y: usize| keep_border && land.height.on_border(x, y);
    let sticks_out =
        |land: &Land, cell: usize| !kept(land, cell % w, cell / w) && excess(land, cell, cap) != 0;
    let mut queue: VecDeque<usize> = (0..w * h).filter(|&c| sticks_out(&land, c)).collect();
    // Each turn moves a cell at least half a cap towards its neighbours. The bound only guards against an invalid cap.
    let mut turns = 64 * queue.len() + 1024;
    while let (Some(cell), true) = (queue.pop_front(), turns > 0) {
        turns -= 1;
        let over = excess(&land, cell, cap);
        if over == 0 {
            continue;
        }
        let mut near = Vec::with_capacity(8);
        dir8::neighbours(w, h, cell % w, cell / w, |_, x, y| {
            if !kept(&land, x, y) {
                near.push(y * w + x);
            }
        });
        // A neighbour rises by one part of what it receives, so one more part is needed.
        let part = over / (near.len() as i32 + 1);
        let mut hand = |c: usize, amount: i32| {
            land.height.cells_mut()[c] += amount;
            land.eroded.cells_mut()[c] += (-amount).max(0);
        };
        hand(cell, -part * near.len() as i32);
        near.iter().for_each(|&n| hand(n, part));
        for &n in &near {
            dir8::neighbours(w, h, n % w, n / w, |_, x, y| {
                if sticks_out(&land, y * w + x) {
                    queue.push_back(y * w + x);
                }
            });
        }
    }
    land
}

/// The amount by which a cell is to be lowered, in steps, or raised if negative; 0 if it does not stick out.
fn excess(land: &Land, cell: usize, cap: i32) -> i32 {
    let now = beyond(land.height.cells(), land, cell);
    if now.abs() <= cap {
        return 0;
    }
    let then = beyond(land.before.cells(), land, cell);
    let limit = if then.signum() == now.signum() { then.abs().max(cap) } else { cap };
    if now.abs() <= limit { 0 } else { now - now.signum() * limit / 2 }
}

/// How far a cell lies above its highest neighbour (positive) or below its lowest one (negative); 0 for all other cells.
fn beyond(height: &[i32], land: &Land, cell: usize) -> i32 {
    let (w, h) = land.height.shape();
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    dir8::neighbours(w, h, cell % w, cell / w, |_, x, y| {
        let v = height[y * w + x];
        (low, high) = (low.min(v), high.max(v));
    });
    let here = height[cell];
    if high < low { 0 } else { (here - high).max(0) + (here - low).min(0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ctx, Grid, Seed};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_sticks_out_and_nothing_is_lost(
            w in 1usize..24,
            h in 1usize..24,
            seed: u64,
            cap in 0.01f64..1.0,
            keep_border: bool,
        ) {
            let ctx = Ctx::default();
            let mut land = Land::new(&Grid::filled(w, h, 10.0), 1.0, &ctx).unwrap();
            for (i, v) in land.height.cells_mut().iter_mut().enumerate() {
                *v += (Seed(seed).at(i as i64, 0) % 4_000_000) as i32;
            }
            let sum = |l: &Land| l.height.cells().iter().map(|&v| v as i64).sum::<i64>();
            let before = land.clone();
            let even = despike(land, cap, keep_border);
            prop_assert_eq!(sum(&even), sum(&before));
            let cap = (cap * STEPS_PER_M).round() as i32;
            for c in 0..w * h {
                let (x, y) = (c % w, c / w);
                if keep_border && even.height.on_border(x, y) {
                    prop_assert_eq!(even.height.cells()[c], before.height.cells()[c]);
                } else if !keep_border || w > 3 || h > 3 {
                    // A single cell within the border has no neighbour to take what it has.
                    prop_assert!(beyond(even.height.cells(), &even, c).abs() <= cap);
                }
            }
        }
    }

    #[test]
    fn what_stuck_out_before_is_left_alone() {
        let ctx = Ctx::default();
        let mut height = Grid::filled(5, 5, 0.0);
        height[(2, 2)] = 9.0;
        let land = Land::new(&height, 1.0, &ctx).unwrap();
        assert_eq!(despike(land.clone(), 0.1, false), land);
    }
}
