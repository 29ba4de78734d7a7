//! Flow accumulation.

use super::topological::{DONE, ENDS, WAITS, states};
use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::grid::Grid;

/// Flow accumulation: the number of cells that drain through each cell, itself included.
///
/// A(c) = 1 + Σ A(n) over the neighbours n whose flow points at c. From each cell into which no neighbour drains, the sum is
/// carried downstream until it meets a cell that still waits for another tributary. Sums of integers do not depend on the
/// order. `flow` must be free of cycles and must not point off the map, as from [`super::d8_by_drop`] or
/// [`super::d8_over_filled`]. Reach: whole map. Cost: about 10 ns a cell.
///
/// ```
/// use weald_core::{Ctx, Dir8, Grid, hydro};
///
/// // All cells drain west, along their rows.
/// let flow = Grid::from_fn(4, 2, |x, _| if x == 0 { Dir8::NONE } else { Dir8(4) });
/// let accumulation = hydro::accumulation(&flow, &Ctx::default())?;
/// assert_eq!(accumulation.row(0), [4, 3, 2, 1]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "flow accumulation")]
#[doc(alias = "upslope area")]
#[doc(alias = "contributing area")]
#[doc(alias = "drainage area")]
#[doc(alias = "catchment area")]
pub fn accumulation(flow: &Grid<Dir8>, ctx: &Ctx) -> Result<Grid<u32>> {
    let mut accumulation = Grid::filled(flow.width(), flow.height(), 1u32);
    carry(flow, &mut accumulation, ctx)?;
    Ok(accumulation)
}

/// Adds to every cell the values of all cells that drain through it: with 1 everywhere this gives [`accumulation`].
pub(crate) fn carry(flow: &Grid<Dir8>, values: &mut Grid<u32>, ctx: &Ctx) -> Result<()> {
    let (w, h) = flow.shape();
    let mut states = states(flow, ctx)?;
    let mut offsets = [0isize; 16];
    offsets[..8].copy_from_slice(&Dir8::offsets(w));
    let (state, acc) = (states.cells_mut(), values.cells_mut());
    for y in 0..h {
        ctx.checkpoint()?;
        for start in y * w..(y + 1) * w {
            let mut c = start;
            let mut s = state[c];
            if s >= WAITS {
                continue;
            }
            let mut sum = acc[c];
            loop {
                state[c] = DONE;
                if s >= ENDS {
                    break;
                }
                c = c.wrapping_add_signed(offsets[(s & 15) as usize]);
                sum += acc[c];
                acc[c] = sum;
                s = state[c] - WAITS;
                state[c] = s;
                if s >= WAITS {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Flow accumulation on land: the number of land cells that drain through each land cell, itself included; 0 elsewhere.
/// `order` lists the land cells in the order of [`super::topological_order`]. Reach: whole map. Cost: about 4 ns a cell of
/// land.
///
/// ```
/// use weald_core::{Ctx, Dir8, Grid, hydro};
///
/// // All cells drain west; the first column is sea.
/// let flow = Grid::from_fn(4, 1, |x, _| if x == 0 { Dir8::NONE } else { Dir8(4) });
/// let land = |cell: usize| cell != 0;
/// let order = hydro::topological_order(&flow, &Ctx::default(), land)?;
/// assert_eq!(hydro::accumulation_within(&flow, &order, land).cells(), [0, 3, 2, 1]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
pub fn accumulation_within(flow: &Grid<Dir8>, order: &[u32], land: impl Fn(usize) -> bool) -> Grid<u32> {
    let offsets = Dir8::offsets(flow.width());
    let mut accumulation = Grid::filled(flow.width(), flow.height(), 0u32);
    let cells = accumulation.cells_mut();
    for cell in order.iter().map(|&c| c as usize) {
        cells[cell] += 1;
        if let Some(next) = flow.cells()[cell].step_from(cell, &offsets).filter(|&n| land(n)) {
            cells[next] += cells[cell];
        }
    }
    accumulation
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::hydro::{DropRule, d8_by_drop, topological_order};
    use proptest::prelude::*;

    /// Follows every cell down to its end and counts the visits.
    fn naive(flow: &Grid<Dir8>) -> Vec<u32> {
        let (w, mut seen) = (flow.width(), vec![0; flow.len()]);
        for start in 0..flow.len() {
            let (mut x, mut y) = (start % w, start / w);
            loop {
                seen[y * w + x] += 1;
                let d = flow[(x, y)];
                if !d.is_some() {
                    break;
                }
                x = x.wrapping_add_signed(d.dx() as isize);
                y = y.wrapping_add_signed(d.dy() as isize);
            }
        }
        seen
    }

    #[test]
    fn a_chain_counts_up_and_a_confluence_adds() {
        // Two sources meet in the centre, which drains south.
        let n = Dir8::NONE;
        let f = Grid::from_vec(3, 2, vec![Dir8(0), Dir8(2), Dir8(4), n, n, n]);
        assert_eq!(accumulation(&f, &Ctx::default()).unwrap().cells(), [1, 3, 1, 1, 4, 1]);
    }

    proptest! {
        #[test]
        fn areas_equal_a_walk_from_every_cell_and_outlets_sum_to_the_map(w in 1usize..50, h in 1usize..50, seed: u64) {
            let height = Grid::from_vec(w, h, (0..w * h).map(|i| Seed(seed).unit_at(i as i64, 2) as f32).collect());
            let rule = DropRule { min_drop: 0.001, tie_eps: 0.0 };
            let f = d8_by_drop(&height, Seed(seed), &rule, &Ctx::default()).unwrap();
            let a = accumulation(&f, &Ctx::default()).unwrap();
            prop_assert_eq!(a.cells().to_vec(), naive(&f));
            let outlets: u32 = a.cells().iter().zip(f.cells()).filter(|(_, d)| !d.is_some()).map(|(a, _)| a).sum();
            prop_assert_eq!(outlets as usize, w * h);
            let all = topological_order(&f, &Ctx::default(), |_| true).unwrap();
            prop_assert_eq!(&accumulation_within(&f, &all, |_| true), &a);
            // Where only outlets are no land, the others lose nothing but the outlets.
            let land = |i: usize| f.cells()[i].is_some();
            let order = topological_order(&f, &Ctx::default(), land).unwrap();
            let of_land = accumulation_within(&f, &order, land);
            let expected: Vec<u32> = (0..w * h).map(|i| if land(i) { a.cells()[i] } else { 0 }).collect();
            prop_assert_eq!(of_land.cells(), expected);
        }
    }
}
