//! Drainage basins.

use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::par;
use std::cmp::Reverse;

/// A drainage basin: the land that drains through one mouth.
#[doc(alias = "watershed")]
#[doc(alias = "catchment")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Basin {
    /// The last cell of land that its water passes, as y·width + x.
    pub mouth: u32,
    /// Number of its cells.
    pub cells: u32,
}

/// Labels the drainage basins and lists them. Labels are 0 outside the land, otherwise 1, 2, … by size, the largest basin
/// first, and equally large ones in the order of their mouths.
///
/// All cells of a basin drain through its mouth: a cell of land that drains off the land or has no flow direction. `order`
/// is [`super::topological_order`] of `flow`, or only its cells of land. Reach: whole map. Cost: about 10 ns a cell.
///
/// ```
/// use weald_core::{Ctx, Dir8, Grid, hydro};
///
/// // A ridge after the first column: one cell drains west, three drain east.
/// let flow = Grid::from_vec(5, 1, vec![Dir8::NONE, Dir8(0), Dir8(0), Dir8(0), Dir8::NONE]);
/// let ctx = Ctx::default();
/// let order = hydro::topological_order(&flow, &ctx, |_| true)?;
/// let (label, list) = hydro::basins(&flow, &order, &ctx, |_| true)?;
/// assert_eq!(label.cells(), [2, 1, 1, 1, 1]);
/// assert_eq!((list[0].mouth, list[0].cells), (4, 4));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "watershed")]
#[doc(alias = "catchment")]
#[doc(alias = "drainage basin")]
pub fn basins(
    flow: &Grid<Dir8>,
    order: &[u32],
    ctx: &Ctx,
    land: impl Fn(usize) -> bool,
) -> Result<(Grid<u32>, Vec<Basin>)> {
    let (w, h) = flow.shape();
    let offsets = Dir8::offsets(w);
    let mut of_cell = Grid::filled(w, h, 0u32);
    let (label, mut list) = (of_cell.cells_mut(), Vec::new());
    for (k, &cell) in order.iter().rev().enumerate() {
        if k % 65536 == 0 {
            ctx.checkpoint()?;
        }
        let cell = cell as usize;
        if !land(cell) {
            continue;
        }
        let below = flow.cells()[cell].step_from(cell, &offsets).map_or(0, |next| label[next]);
        if below == 0 {
            list.push(Basin { mouth: cell as u32, cells: 0 });
        }
        let mine = if below == 0 { list.len() as u32 } else { below };
        label[cell] = mine;
        list[mine as usize - 1].cells += 1;
    }
    let mut by_size: Vec<u32> = (0..list.len() as u32).collect();
    by_size.sort_unstable_by_key(|&b| (Reverse(list[b as usize].cells), list[b as usize].mouth));
    let mut number = vec![0u32; list.len() + 1];
    by_size.iter().enumerate().for_each(|(k, &b)| number[b as usize + 1] = k as u32 + 1);
    par::for_rows(of_cell.rows_mut(), ctx, |_, row| {
        row.iter_mut().for_each(|label| *label = number[*label as usize]);
    })?;
    Ok((of_cell, by_size.iter().map(|&b| list[b as usize]).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydro::{Outlets, d8_over_filled, fill, topological_order};
    use crate::seed::Seed;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cells_of_a_basin_walk_to_its_mouth_and_larger_ones_come_first(
            w in 1usize..40, h in 1usize..40, share in 0.0f64..0.5, seed: u64
        ) {
            let at = |i: usize, k: i64| Seed(seed).unit_at(i as i64, k);
            let sea = Grid::from_vec(w, h, (0..w * h).map(|i| (at(i, 1) < share) as u8).collect());
            let height = Grid::from_vec(w, h, (0..w * h).map(|i| at(i, 0) as f32).collect());
            let ctx = Ctx::default();
            let filled = fill(&height, Outlets::BorderAnd(&sea), &ctx).unwrap();
            let flow = d8_over_filled(&filled, Outlets::BorderAnd(&sea), &ctx).unwrap();
            let land = |i: usize| sea.cells()[i] == 0;
            let (label, list) = basins(&flow, &topological_order(&flow, &ctx, land).unwrap(), &ctx, land).unwrap();
            let mut counted = vec![0; list.len()];
            for start in 0..w * h {
                if !land(start) {
                    prop_assert_eq!(label.cells()[start], 0);
                    continue;
                }
                let mut mouth = start;
                loop {
                    let d = flow.cells()[mouth];
                    let next = mouth.wrapping_add_signed(if d.is_some() { Dir8::offsets(w)[d.0 as usize] } else { 0 });
                    if !d.is_some() || !land(next) {
                        break;
                    }
                    mouth = next;
                }
                let mine = label.cells()[start] as usize - 1;
                prop_assert_eq!(list[mine].mouth as usize, mouth);
                counted[mine] += 1;
            }
            prop_assert!(list.iter().zip(&counted).all(|(b, n)| b.cells == *n));
            prop_assert!(list.windows(2).all(|p| (Reverse(p[0].cells), p[0].mouth) < (Reverse(p[1].cells), p[1].mouth)));
        }
    }
}
