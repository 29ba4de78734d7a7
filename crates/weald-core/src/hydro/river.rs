//! Rivers as chains of cells from source to mouth.

use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::{math, par};
use std::cmp::Reverse;

/// Seconds in a year of 365.25 days.
const YEAR_S: f64 = 31_557_600.0;

/// Where a river begins, and how much water it carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiverRule {
    /// Side of a cell, in metres.
    pub cell_m: f64,
    /// A channel begins where this much land drains through a cell, in square metres.
    pub from_area_m2: f64,
    /// Runoff: the water that leaves the land, in metres a year.
    pub runoff_m_per_year: f64,
    /// How wide a river is.
    pub width: WidthRule,
}

/// Cells of 1 m, channels from 0.5 km² on, and a runoff of 500 mm a year.
impl Default for RiverRule {
    fn default() -> Self {
        Self { cell_m: 1.0, from_area_m2: 5e5, runoff_m_per_year: 0.5, width: WidthRule::default() }
    }
}

/// Downstream hydraulic geometry: width = `at_one_m`·Q^`exponent`, with the discharge Q in cubic metres a second.
#[doc(alias = "hydraulic geometry")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WidthRule {
    /// Width in metres at 1 m³/s.
    pub at_one_m: f64,
    /// Exponent of the discharge.
    pub exponent: f64,
}

/// The mean exponent of rivers at mean discharge, 0.5 (Leopold and Maddock 1953, doi:10.3133/pp252). The factor varies with
/// bed and banks; 4 m is typical of gravel-bed rivers.
impl Default for WidthRule {
    fn default() -> Self {
        Self { at_one_m: 4.0, exponent: 0.5 }
    }
}

impl RiverRule {
    /// The least accumulation of a channel, in cells.
    pub fn from_cells(&self) -> u32 {
        (self.from_area_m2 / (self.cell_m * self.cell_m)).ceil().max(1.0) as u32
    }

    /// Area of that many cells, in square metres.
    pub fn area_m2(&self, cells: u32) -> f64 {
        cells as f64 * (self.cell_m * self.cell_m)
    }

    /// Mean discharge of an accumulation of that many cells, area·runoff / year, in cubic metres a second.
    ///
    /// ```
    /// use weald_core::hydro::RiverRule;
    ///
    /// // 100 km² with a runoff of 500 mm a year.
    /// let rule = RiverRule { cell_m: 100.0, ..RiverRule::default() };
    /// assert!((rule.discharge(10_000) - 1.58).abs() < 0.01);
    /// ```
    pub fn discharge(&self, accumulation: u32) -> f64 {
        self.discharge_of(self.area_m2(accumulation))
    }

    /// Mean discharge of an area in square metres, in cubic metres a second.
    pub fn discharge_of(&self, area_m2: f64) -> f64 {
        area_m2 * self.runoff_m_per_year / YEAR_S
    }

    /// Depth in metres of a river of that discharge Q in cubic metres a second: 0.35·Q^0.4, with the exponent of Leopold and Maddock.
    pub fn depth(&self, discharge_m3_s: f64) -> f64 {
        0.35 * math::pow(discharge_m3_s, 0.4)
    }

    /// Width in metres of a river of that discharge.
    pub fn width(&self, discharge_m3_s: f64) -> f64 {
        self.width.at_one_m * math::pow(discharge_m3_s, self.width.exponent)
    }
}

/// One river.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct River {
    /// Cells from source to mouth, as y·width + x. A tributary has one more cell than its own: the cell of its parent that it
    /// flows into.
    pub cells: Vec<u32>,
    /// Index of the river that it flows into, which comes earlier in the list.
    pub parent: Option<usize>,
    /// Drainage area at its last own cell, in square metres.
    pub area_m2: f64,
    /// Discharge at its last own cell, in cubic metres a second.
    pub discharge_m3_s: f64,
    /// Width at its last own cell, in metres.
    pub width_m: f64,
}

impl River {
    /// The cells of the river itself, without the cell of its parent.
    pub fn own_cells(&self) -> &[u32] {
        &self.cells[..self.cells.len() - self.parent.is_some() as usize]
    }
}

/// The rivers of a map, ordered by the accumulation at their mouths, the largest first, and then by the cell of the mouth.
///
/// Channels are the cells through which at least `from_area_m2` of land drains, rounded up to whole cells. Where channels
/// meet, the main stem continues upstream along the one with the largest accumulation (of equal ones the one with the smaller
/// index), and the others end in the cell of the confluence. Every channel cell is thus an own cell of exactly one river;
/// rivers of a single own cell, into which no other can flow, are left out. `flow` must be free of cycles and `accumulation`
/// must belong to it, as from [`super::d8_over_filled`] and [`super::accumulation`]. Reach: whole map. Cost: 1 ns a cell, and
/// about 80 ns for each cell of a channel.
///
/// ```
/// use weald_core::hydro::{self, RiverRule};
/// use weald_core::{Ctx, Dir8, Grid};
///
/// // Both outer rows drain into the middle row, which drains east.
/// let flow = Grid::from_fn(20, 3, |x, y| match y {
///     0 => Dir8(2),
///     2 => Dir8(6),
///     _ if x == 19 => Dir8::NONE,
///     _ => Dir8(0),
/// });
/// let ctx = Ctx::default();
/// let accumulation = hydro::accumulation(&flow, &ctx)?;
/// let rule = RiverRule { from_area_m2: 15.0, ..RiverRule::default() };
/// let rivers = hydro::rivers(&flow, &accumulation, &rule, &ctx)?;
/// assert_eq!(rivers.len(), 1);
/// // It begins in the fifth column, where 15 cells have come together.
/// assert_eq!(rivers[0].cells, (24..40).collect::<Vec<u32>>());
/// assert_eq!(rivers[0].area_m2, 60.0);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "stream network")]
#[doc(alias = "channel network")]
pub fn rivers(
    flow: &Grid<Dir8>,
    accumulation: &Grid<u32>,
    rule: &RiverRule,
    ctx: &Ctx,
) -> Result<Vec<River>> {
    let (w, h) = flow.shape();
    let net = Channels { flow, accumulation, from_cells: rule.from_cells(), offsets: Dir8::offsets(w) };
    // (mouth, the cell it flows into)
    let mut mouths: Vec<(u32, Option<u32>)> = par::map(h, ctx, |y| {
        let mut ends = Vec::new();
        for (x, _) in accumulation.row(y).iter().enumerate().filter(|(_, a)| **a >= net.from_cells) {
            let cell = y * w + x;
            if !flow.cells()[cell].is_some() {
                ends.push((cell as u32, None));
            }
            let (before, mut main) = (ends.len(), None);
            net.inflows(cell, |n| {
                ends.push((n as u32, Some(cell as u32)));
                main = main.max(Some(net.rank(n)));
            });
            if let Some((_, Reverse(main))) = main
                && let Some(at) = ends[before..].iter().position(|end| end.0 as usize == main)
            {
                ends.swap_remove(before + at);
            }
        }
        ends.retain(|&(mouth, _)| net.main_inflow(mouth as usize).is_some());
        ends
    })?
    .concat();
    mouths.sort_unstable_by_key(|&(mouth, _)| Reverse(net.rank(mouth as usize)));
    let (mut list, mut river_of) = (Vec::with_capacity(mouths.len()), vec![0u32; w * h]);
    for (k, &(mouth, joins)) in mouths.iter().enumerate() {
        ctx.checkpoint()?;
        let mut cells: Vec<u32> = joins.into_iter().collect();
        let mut at = Some(mouth as usize);
        while let Some(cell) = at {
            cells.push(cell as u32);
            river_of[cell] = k as u32;
            at = net.main_inflow(cell);
        }
        cells.reverse();
        let at_mouth = accumulation.cells()[mouth as usize];
        let discharge_m3_s = rule.discharge(at_mouth);
        list.push(River {
            cells,
            // Accumulation grows downstream, so the parent was made before.
            parent: joins.map(|cell| river_of[cell as usize] as usize),
            area_m2: rule.area_m2(at_mouth),
            discharge_m3_s,
            width_m: rule.width(discharge_m3_s),
        });
    }
    Ok(list)
}

/// The network of channels.
struct Channels<'a> {
    flow: &'a Grid<Dir8>,
    accumulation: &'a Grid<u32>,
    /// The least accumulation of a channel.
    from_cells: u32,
    offsets: [isize; 8],
}

impl Channels<'_> {
    /// Visits the channel cells that flow into a cell.
    #[inline]
    fn inflows(&self, cell: usize, mut visit: impl FnMut(usize)) {
        let (w, h) = (self.flow.width() as u32, self.flow.height() as u32);
        let (x, y) = (cell as u32 % w, cell as u32 / w);
        let inner = x > 0 && y > 0 && x + 1 < w && y + 1 < h;
        for d in Dir8::ALL {
            let on_map = inner
                || x.checked_add_signed(d.dx()).is_some_and(|x| x < w)
                    && y.checked_add_signed(d.dy()).is_some_and(|y| y < h);
            let n = cell.wrapping_add_signed(self.offsets[d.0 as usize]);
            if on_map
                && self.flow.cells()[n] == d.opposite()
                && self.accumulation.cells()[n] >= self.from_cells
            {
                visit(n);
            }
        }
    }

    /// Larger for the main stem: by accumulation, then by the smaller index.
    fn rank(&self, cell: usize) -> (u32, Reverse<usize>) {
        (self.accumulation.cells()[cell], Reverse(cell))
    }

    /// The channel cell in which the main stem continues upstream from a cell.
    fn main_inflow(&self, cell: usize) -> Option<usize> {
        let mut best = None;
        self.inflows(cell, |n| best = best.max(Some(self.rank(n))));
        best.map(|(_, n)| n.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::hydro::{self, Outlets};
    use proptest::prelude::*;

    fn rule(from_cells: f64) -> RiverRule {
        RiverRule {
            cell_m: 100.0,
            from_area_m2: from_cells * 1e4,
            runoff_m_per_year: 0.5,
            width: WidthRule::default(),
        }
    }

    #[test]
    fn discharge_is_area_times_runoff_and_width_grows_with_its_root() {
        // 1000 km² with 0.5 m a year are 15.84 m³/s.
        let q = rule(1.0).discharge(100_000);
        assert!((q - 15.844).abs() < 0.001, "{q}");
        assert_eq!(rule(1.0).width(9.0), 12.0);
        assert_eq!(rule(1.0).width(0.0), 0.0);
    }

    #[test]
    fn the_larger_branch_goes_on_and_the_smaller_one_ends_in_it() {
        // Row 0 flows east into the middle and west into the middle; the middle column flows south.
        //   > > v < <      areas 1 2 4+…
        //   > > v . .
        let (e, s, w, n) = (Dir8(0), Dir8(2), Dir8(4), Dir8::NONE);
        let flow = Grid::from_vec(5, 3, vec![e, e, s, n, n, e, e, s, w, n, n, n, n, n, n]);
        let accumulation = hydro::accumulation(&flow, &Ctx::default()).unwrap();
        assert_eq!(accumulation.cells(), [1, 2, 3, 1, 1, 1, 2, 7, 1, 1, 1, 1, 8, 1, 1]);
        let all = rivers(&flow, &accumulation, &rule(2.0), &Ctx::default()).unwrap();
        let cells: Vec<_> = all.iter().map(|r| r.cells.clone()).collect();
        // The branch of 2 at cell 6 alone is a single cell and is left out.
        assert_eq!(cells, [vec![1, 2, 7, 12]]);
        let all = rivers(&flow, &accumulation, &rule(1.0), &Ctx::default()).unwrap();
        let main = all.iter().find(|r| r.cells.last() == Some(&12)).unwrap();
        assert_eq!(main.cells, [0, 1, 2, 7, 12]);
        let side = all.iter().find(|r| r.parent.is_some()).unwrap();
        assert_eq!((&side.cells[..], side.own_cells()), (&[5, 6, 7][..], &[5, 6][..]));
        assert_eq!((side.area_m2, all[side.parent.unwrap()].area_m2), (2e4, 8e4));
    }

    proptest! {
        #[test]
        fn rivers_are_unbroken_and_share_out_the_channels(
            w in 1usize..60, h in 1usize..60, from in 1u32..20, steps in 2u64..1000, seed: u64
        ) {
            let ctx = Ctx::default();
            let cells = (0..w * h).map(|i| (Seed(seed).at(i as i64, 0) % steps) as f32).collect();
            let filled = hydro::fill(&Grid::from_vec(w, h, cells), Outlets::Border, &ctx).unwrap();
            let flow = hydro::d8_over_filled(&filled, Outlets::Border, &ctx).unwrap();
            let accumulation = hydro::accumulation(&flow, &ctx).unwrap();
            let list = rivers(&flow, &accumulation, &rule(from as f64), &ctx).unwrap();
            let next = |c: u32| {
                let d = flow.cells()[c as usize];
                d.is_some().then(|| (c as usize).wrapping_add_signed(Dir8::offsets(w)[d.0 as usize]) as u32)
            };
            let mut owner = vec![usize::MAX; w * h];
            for (k, river) in list.iter().enumerate() {
                prop_assert!(river.own_cells().len() > 1);
                prop_assert!(river.cells.windows(2).all(|s| next(s[0]) == Some(s[1])), "a gap");
                prop_assert_eq!(next(*river.cells.last().unwrap()).is_none() || river.parent.is_some(), true);
                for &c in river.own_cells() {
                    prop_assert_eq!(owner[c as usize], usize::MAX, "two owners");
                    owner[c as usize] = k;
                }
            }
            for (k, river) in list.iter().enumerate() {
                let mouth = |r: &River| (*r.own_cells().last().unwrap(), accumulation.cells()[*r.own_cells().last().unwrap() as usize]);
                if let Some(parent) = river.parent {
                    let joins = *river.cells.last().unwrap();
                    prop_assert!(parent < k && owner[joins as usize] == parent);
                    let at = list[parent].cells.iter().position(|&c| c == joins).unwrap();
                    let (rival, mine) = (list[parent].cells[at - 1], mouth(river));
                    let rival = (accumulation.cells()[rival as usize], Reverse(rival));
                    prop_assert!(rival > (mine.1, Reverse(mine.0)), "the smaller branch went on");
                }
                if k > 0 {
                    let ((c0, a0), (c1, a1)) = (mouth(&list[k - 1]), mouth(river));
                    prop_assert!(a0 > a1 || a0 == a1 && c0 < c1, "not sorted");
                }
                prop_assert_eq!(river.area_m2, mouth(river).1 as f64 * 1e4);
            }
            for c in (0..w * h).filter(|&c| (owner[c] == usize::MAX) == (accumulation.cells()[c] >= from)) {
                // Only a channel of a single cell has no owner: nothing flows into it, and it ends there.
                prop_assert!(accumulation.cells()[c] >= from, "owned, but no channel");
                prop_assert!((0..w * h).all(|n| next(n as u32) != Some(c as u32) || accumulation.cells()[n] < from));
                let goes_on = next(c as u32).is_some_and(|n| {
                    let before = |r: &River| r.cells.iter().position(|&m| m == n).map(|p| r.cells[p - 1]);
                    list.iter().find_map(before) == Some(c as u32)
                });
                prop_assert!(!goes_on);
            }
        }
    }
}
