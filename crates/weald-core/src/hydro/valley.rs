//! Valleys along rivers, and grading: river beds and ground that fall downstream.

use super::River;
use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::distance::Nearby;
use crate::grid::Grid;
use crate::par;

/// The cross-section of a valley: a parabola.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Valley {
    /// Width from edge to edge, in cells.
    pub width_cells: f32,
    /// Depth at the river, in metres.
    pub depth_m: f32,
}

/// 15 cells wide and 8 m deep: the valley of a stream of the first order.
impl Default for Valley {
    fn default() -> Self {
        Self { width_cells: 15.0, depth_m: 8.0 }
    }
}

/// The largest share of its height above the sea that a cell may lose to a valley.
pub const DEEPEST_SHARE: f32 = 0.8;

/// Carves valleys with a parabolic cross-section along rivers.
///
/// h ← h − min(D·(1 − (2r/W)²), 0.8·h) where 2r < W and h > 0, with h the height in metres, r the distance to the nearest
/// river cell in cells, and W and D the width and depth of the valley at that river cell. The second bound keeps land above
/// the sea, at 0. `near` comes from [`crate::distance::euclidean`] with the river cells as sources. Reach: W/2 cells. Cost:
/// about 2 ns a cell, rows in parallel.
///
/// ```
/// use weald_core::hydro::{self, Valley};
/// use weald_core::{Ctx, Grid, distance};
///
/// let ctx = Ctx::default();
/// let river = distance::euclidean(21, 3, &ctx, |cell| cell % 21 == 10)?;
/// let valley = Valley { width_cells: 10.0, depth_m: 8.0 };
/// let carved = hydro::carve(Grid::filled(21, 3, 100.0), &river, &ctx, |_| valley)?;
/// assert_eq!((carved[(10, 1)], carved[(15, 1)], carved[(0, 1)]), (92.0, 100.0, 100.0));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "stream burning")]
pub fn carve(
    mut height: Grid<f32>,
    near: &Nearby,
    ctx: &Ctx,
    valley: impl Fn(usize) -> Valley + Sync,
) -> Result<Grid<f32>> {
    par::for_rows(height.rows_mut(), ctx, |y, row| {
        let cells = near.squared.row(y).iter().zip(near.source.row(y));
        for (h, (&squared, &source)) in row.iter_mut().zip(cells) {
            if *h <= 0.0 || squared == u32::MAX {
                continue;
            }
            let v = valley(source as usize);
            let across = 4.0 * squared as f32 / (v.width_cells * v.width_cells);
            if across < 1.0 {
                *h -= (v.depth_m * (1.0 - across)).min(DEEPEST_SHARE * *h);
            }
        }
    })?;
    Ok(height)
}

/// Grades river beds: makes them fall by at least `fall_m` from each cell to the next, and keeps them above 0 on land.
///
/// Downstream, b ← min(b, b of every cell upstream − fall); then upstream from the mouths, b ← max(b, b of the next cell
/// downstream + fall), with 0 for the sea. A parent must come before its tributaries in the list. Beds that already fall
/// enough do not change. Reach: the length of a river. Cost: linear in the cells of rivers.
///
/// ```
/// use weald_core::Grid;
/// use weald_core::hydro::{self, River};
///
/// let mut height = Grid::from_vec(4, 1, vec![9.0, 12.0, 5.0, 6.0]);
/// let river = River { cells: vec![0, 1, 2, 3], ..River::default() };
/// hydro::grade_beds(&mut height, &[river], 0.5, |_| true);
/// assert_eq!(height.cells(), [9.0, 8.5, 5.0, 4.5]);
/// ```
#[doc(alias = "stream conditioning")]
pub fn grade_beds(height: &mut Grid<f32>, rivers: &[River], fall_m: f32, land: impl Fn(usize) -> bool) {
    let cells = height.cells_mut();
    for river in rivers.iter().rev() {
        for step in river.cells.windows(2).filter(|s| land(s[1] as usize)) {
            let (above, below) = (cells[step[0] as usize], &mut cells[step[1] as usize]);
            *below = below.min(above - fall_m);
        }
    }
    for river in rivers {
        let mut below = 0.0;
        for &cell in river.cells.iter().rev().filter(|&&c| land(c as usize)) {
            let bed = &mut cells[cell as usize];
            *bed = bed.max(below + fall_m);
            below = *bed;
        }
    }
}

/// Grades the ground: raises cells so that each lies at least `fall_m` above the cell it drains to, and land above 0.
///
/// h ← max(h, h of the next cell downstream + fall), upstream from the outlets, with 0 beyond the land. `order` is
/// [`super::topological_order`] of `flow`, or only its cells of land. On a surface from [`super::fill`] only flats, and cells
/// just above them, change. Reach: whole map. Cost: about 10 ns a cell.
///
/// ```
/// use weald_core::{Ctx, Dir8, Grid, hydro};
///
/// let mut flat = Grid::filled(3, 1, 1.0);
/// let flow = Grid::from_vec(3, 1, vec![Dir8::NONE, Dir8(4), Dir8(4)]);
/// let order = hydro::topological_order(&flow, &Ctx::default(), |_| true)?;
/// hydro::grade(&mut flat, &flow, &order, 0.25, |_| true);
/// assert_eq!(flat.cells(), [1.0, 1.25, 1.5]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "flat resolution")]
pub fn grade(
    height: &mut Grid<f32>,
    flow: &Grid<Dir8>,
    order: &[u32],
    fall_m: f32,
    land: impl Fn(usize) -> bool,
) {
    let offsets = Dir8::offsets(flow.width());
    let cells = height.cells_mut();
    for cell in order.iter().rev().map(|&c| c as usize).filter(|&c| land(c)) {
        let next = flow.cells()[cell].step_from(cell, &offsets);
        let below = next.filter(|&n| land(n)).map_or(0.0, |n| cells[n]);
        cells[cell] = cells[cell].max(below + fall_m);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance;
    use crate::hydro::{Outlets, d8_over_filled, fill, topological_order};
    use crate::seed::Seed;
    use proptest::prelude::*;

    fn river(cells: Vec<u32>, parent: Option<usize>) -> River {
        River { cells, parent, area_m2: 0.0, discharge_m3_s: 0.0, width_m: 0.0 }
    }

    #[test]
    fn a_straight_river_has_the_profile_of_the_formula() {
        let ctx = Ctx::default();
        let near = distance::euclidean(61, 9, &ctx, |i| i % 61 == 30).unwrap();
        let valley = Valley { width_cells: 25.0, depth_m: 11.0 };
        let cut = carve(Grid::filled(61, 9, 100.0), &near, &ctx, |_| valley).unwrap();
        for x in 0..61usize {
            let across = (x as f64 - 30.0).abs() / 12.5;
            let formula = 100.0 - if across < 1.0 { 11.0 * (1.0 - across * across) } else { 0.0 };
            assert!((cut[(x, 4)] as f64 - formula).abs() < 1e-4, "{x}: {} {formula}", cut[(x, 4)]);
        }
    }

    #[test]
    fn a_valley_leaves_a_fifth_of_low_land_and_all_of_the_sea() {
        let ctx = Ctx::default();
        let near = distance::euclidean(4, 1, &ctx, |i| i == 1).unwrap();
        let land = Grid::from_vec(4, 1, vec![10.0, 2.0, -5.0, 0.5]);
        let cut = carve(land, &near, &ctx, |_| Valley { width_cells: 99.0, depth_m: 8.0 }).unwrap();
        assert!((cut[(0, 0)] - 2.0).abs() < 0.01 && (cut[(1, 0)] - 0.4).abs() < 1e-6);
        assert_eq!(cut[(2, 0)], -5.0);
    }

    proptest! {
        #[test]
        fn graded_ground_falls_along_all_water_and_rivers_most_of_all(
            w in 3usize..30, h in 3usize..30, steps in 2u64..200, seed: u64, share in 0.05f64..0.4
        ) {
            let ctx = Ctx::default();
            let at = |i: usize, k: i64| Seed(seed).unit_at(i as i64, k);
            let sea = Grid::from_vec(w, h, (0..w * h).map(|i| (at(i, 1) < share) as u8).collect());
            let land = |i: usize| sea.cells()[i] == 0;
            let ground = |i: usize| if land(i) { (at(i, 0) * steps as f64).floor() as f32 * 0.1 } else { -1.0 };
            let mut height = Grid::from_vec(w, h, (0..w * h).map(ground).collect());
            // Rivers along the flow over the ground; then the ground is disturbed.
            let outlets = Outlets::BorderAnd(&sea);
            let courses = d8_over_filled(&fill(&height, outlets, &ctx).unwrap(), outlets, &ctx).unwrap();
            let (mut owner, mut rivers) = (vec![usize::MAX; w * h], Vec::new());
            for start in (0..w * h).step_by(7).filter(|&i| land(i)) {
                let (mut cells, mut cell, mut parent) = (vec![], start, None);
                while owner[cell] == usize::MAX && land(cell) {
                    owner[cell] = rivers.len();
                    cells.push(cell as u32);
                    let d = courses.cells()[cell];
                    if !d.is_some() {
                        break;
                    }
                    cell = cell.wrapping_add_signed(Dir8::offsets(w)[d.0 as usize]);
                    cells.extend((owner[cell] != usize::MAX || !land(cell)).then_some(cell as u32));
                    parent = Some(owner[cell]).filter(|&o| o < rivers.len());
                }
                if cells.len() > 1 {
                    rivers.push(river(cells, parent));
                } else {
                    owner[start] = usize::MAX;
                }
            }
            height.cells_mut().iter_mut().enumerate().filter(|(i, _)| land(*i)).for_each(|(i, v)| *v += at(i, 4) as f32);
            grade_beds(&mut height, &rivers, 0.01, land);
            for river in &rivers {
                let bed = |c: u32| if land(c as usize) { height.cells()[c as usize] } else { 0.0 };
                prop_assert!(river.cells.windows(2).all(|s| bed(s[0]) > bed(s[1])));
            }
            let mut graded = fill(&height, outlets, &ctx).unwrap();
            for &c in rivers.iter().flat_map(|r| &r.cells) {
                prop_assert_eq!(graded.cells()[c as usize], height.cells()[c as usize], "a bed was drowned");
            }
            let flow = d8_over_filled(&graded, outlets, &ctx).unwrap();
            grade(&mut graded, &flow, &topological_order(&flow, &ctx, land).unwrap(), 0.001, land);
            for i in (0..w * h).filter(|&i| land(i)) {
                let next = flow.cells()[i].step_from(i, &Dir8::offsets(w));
                let below = next.filter(|&n| land(n)).map_or(0.0, |n| graded.cells()[n]);
                prop_assert!(graded.cells()[i] > below);
            }
        }
    }
}
