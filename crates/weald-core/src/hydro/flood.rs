//! Flow directions by priority flood.

use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::{Dir8, neighbours};
use crate::grid::Grid;
use crate::queue::{MinQueue, signed_key};

/// Where the cells of a map drain, as [`d8_by_flood`] finds it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Flood {
    /// The direction to the receiver of each cell; none at outlets and outside.
    pub flow: Grid<Dir8>,
    /// The cells inside, each before the cell it drains to, as [`super::accumulation_within`] needs them.
    pub order: Vec<u32>,
}

/// D8 flow directions that lead out of every depression, by one priority flood (Barnes, Lehman, Mulla 2014,
/// doi:10.1016/j.cageo.2013.04.024).
///
/// Water rises from the outlets: the cells inside that lie on the border or have a neighbour outside. The cell c that is next in
/// the order of (W(c), row, column) floods its neighbours n inside that are still dry: W(n) = max(height(n), W(c)), and c is
/// the receiver of n. A cell is therefore drained by the neighbour that water reached first, in a depression as on a slope. The
/// order is total, so it does not depend on the order of the neighbours.
///
/// Heights inside must not be NaN. Reach: whole map. Cost: about 150 ns a cell, on one thread.
///
/// ```
/// use weald_core::{Ctx, Dir8, Grid, hydro};
///
/// // A pit of 1 m behind a sill of 3 m drains over the sill, to the east.
/// let height = Grid::from_vec(5, 3, vec![
///     9.0, 9.0, 9.0, 9.0, 9.0,
///     9.0, 1.0, 3.0, 2.0, 0.0,
///     9.0, 9.0, 9.0, 9.0, 9.0,
/// ]);
/// let flood = hydro::d8_by_flood(&height, &Ctx::default(), |_| true)?;
/// assert_eq!(flood.flow.row(1)[1..], [Dir8(0), Dir8(0), Dir8(0), Dir8::NONE]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If the map has 2³² cells or more.
#[doc(alias = "priority flood")]
#[doc(alias = "flow routing")]
pub fn d8_by_flood(height: &Grid<f32>, ctx: &Ctx, inside: impl Fn(usize) -> bool) -> Result<Flood> {
    let (w, h) = height.shape();
    assert!(u32::try_from(height.len()).is_ok(), "a map of {w}x{h} cells is too large");
    let key = |level: u32, cell: usize| u64::from(level) << 32 | cell as u64;
    let mut flow = Grid::filled(w, h, Dir8::NONE);
    let mut dry: Vec<bool> = (0..height.len()).map(&inside).collect();
    let mut queue = MinQueue::new();
    for cell in (0..dry.len()).filter(|&cell| inside(cell)) {
        let (x, y) = (cell % w, cell / w);
        let mut outlet = height.on_border(x, y);
        if !outlet {
            neighbours(w, h, x, y, |_, x, y| outlet |= !inside(y * w + x));
        }
        if outlet {
            dry[cell] = false;
            queue.push(key(signed_key(height.cells()[cell]), cell));
        }
    }
    let mut order = Vec::with_capacity(dry.len());
    while let Some(first) = queue.pop() {
        let (level, cell) = ((first >> 32) as u32, first as u32);
        if order.len() % (1 << 16) == 0 {
            ctx.checkpoint()?;
        }
        order.push(cell);
        neighbours(w, h, cell as usize % w, cell as usize / w, |d, x, y| {
            let next = y * w + x;
            if std::mem::take(&mut dry[next]) {
                flow.cells_mut()[next] = d.opposite();
                queue.push(key(level.max(signed_key(height.cells()[next])), next));
            }
        });
    }
    order.reverse();
    Ok(Flood { flow, order })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::hydro::{Outlets, fill};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_cell_drains_to_the_neighbour_that_the_flood_reached_first(w in 1usize..14, h in 1usize..14, seed: u64) {
            let heights = (0..w * h).map(|i| (Seed(seed).at(i as i64, 0) % 9) as f32 - 3.0).collect();
            let height = Grid::from_vec(w, h, heights);
            let inside = |cell: usize| height.cells()[cell] > -2.0;
            let flood = d8_by_flood(&height, &Ctx::default(), inside).unwrap();
            // The levels are those of the filled map, and the order is that of (level, cell), from the last to the first.
            let outside = height.map(|&v| (v <= -2.0) as u8);
            let mut ground = height.clone();
            // Land beside the sea is an outlet, as high as it is itself.
            ground.cells_mut().iter_mut().for_each(|v| *v = v.max(-2.0));
            let level = fill(&ground, Outlets::BorderAnd(&outside), &Ctx::default()).unwrap();
            let mut rank = vec![usize::MAX; w * h];
            flood.order.iter().rev().enumerate().for_each(|(i, &cell)| rank[cell as usize] = i);
            prop_assert_eq!(flood.order.len(), (0..w * h).filter(|&c| inside(c)).count());
            for cell in (0..w * h).filter(|&c| inside(c)) {
                let (x, y) = (cell % w, cell / w);
                let mut outlet = x == 0 || y == 0 || x + 1 == w || y + 1 == h;
                let mut first = None;
                neighbours(w, h, x, y, |d, x, y| {
                    let near = y * w + x;
                    outlet |= !inside(near);
                    if inside(near) && first.is_none_or(|(r, _)| rank[near] < r) {
                        first = Some((rank[near], d));
                    }
                });
                let expected = if outlet { Dir8::NONE } else { first.unwrap().1 };
                prop_assert_eq!(flood.flow.cells()[cell], expected);
                if let Some(to) = expected.step_from(cell, &Dir8::offsets(w)) {
                    prop_assert!(rank[to] < rank[cell]);
                    prop_assert!(level.cells()[to] <= level.cells()[cell]);
                }
            }
        }
    }
}
