//! Lakes: water that stands in the depressions of a surface.

use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::{label, par};

/// Which depressions are lakes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LakeRule {
    /// Side of a cell, in metres.
    pub cell_m: f64,
    /// A lake is at least this deep somewhere, in metres.
    pub min_depth_m: f64,
    /// A lake covers at least this much, in square metres.
    pub min_area_m2: f64,
}

/// Cells of 1 m, and lakes of at least 0.5 m depth and 5,000 m² surface.
impl Default for LakeRule {
    fn default() -> Self {
        Self { cell_m: 1.0, min_depth_m: 0.5, min_area_m2: 5000.0 }
    }
}

/// One lake.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lake {
    /// Height of the water surface, in metres.
    pub level_m: f32,
    /// Its outlet, as (x, y): the last cell of the lake that water from its deepest cell passes.
    pub outlet: (u32, u32),
    /// Area of the surface, in square metres.
    pub area_m2: f64,
    /// Volume of the water, in cubic metres.
    pub volume_m3: f64,
    /// The greatest depth, in metres.
    pub depth_m: f64,
}

/// The lakes of a map.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lakes {
    /// The lake of each cell: 0 for none, otherwise one more than its index in the list.
    pub of_cell: Grid<u32>,
    /// The lakes in the order of their first cell, row by row.
    pub list: Vec<Lake>,
}

/// Sums over the cells of a depression.
#[derive(Clone, Copy, Default)]
struct Depression {
    cells: u64,
    /// Sum of depths, in metres.
    depth_sum: f64,
    /// Greatest depth, in metres, and the first cell that has it.
    deepest: (f64, usize),
}

/// Lakes: the depressions that are deep and large enough.
///
/// A depression is a connected region of cells under water, with depth = filled − height > 0; cells are connected along edges
/// and at corners. All its cells have one spill level, because of two neighbours under water neither can be filled higher
/// than the other. Depressions that are separated by dry ground are different even if their levels are equal. A depression
/// is a lake if its greatest depth is at least `min_depth_m` and its surface, cells·`cell_m`², at least `min_area_m2`; its
/// volume is Σ depth·`cell_m`². `filled` and `flow` come from [`super::fill`] and [`super::d8_over_filled`]. Reach: whole map.
/// Cost: about 8 ns a cell.
///
/// ```
/// use weald_core::hydro::{self, LakeRule, Outlets};
/// use weald_core::{Ctx, Grid};
///
/// let ctx = Ctx::default();
/// let mut ground = Grid::filled(6, 5, 10.0);
/// (ground[(2, 2)], ground[(3, 2)]) = (7.0, 8.0);
/// let filled = hydro::fill(&ground, Outlets::Border, &ctx)?;
/// let flow = hydro::d8_over_filled(&filled, Outlets::Border, &ctx)?;
/// let rule = LakeRule { cell_m: 100.0, ..LakeRule::default() };
/// let lakes = hydro::lakes(&ground, &filled, &flow, &rule, &ctx)?;
/// let lake = &lakes.list[0];
/// assert_eq!((lake.level_m, lake.depth_m, lake.area_m2), (10.0, 3.0, 20_000.0));
/// assert_eq!(lake.volume_m3, 50_000.0);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "ponds")]
#[doc(alias = "depressions")]
pub fn lakes(
    height: &Grid<f32>,
    filled: &Grid<f32>,
    flow: &Grid<Dir8>,
    rule: &LakeRule,
    ctx: &Ctx,
) -> Result<Lakes> {
    let (w, h) = height.shape();
    let depth = |i: usize| filled.cells()[i] as f64 - height.cells()[i] as f64;
    let (mut of_cell, count) = label::regions(w, h, ctx, |i| filled.cells()[i] > height.cells()[i])?;
    let mut depressions = vec![Depression::default(); count as usize + 1];
    for y in 0..h {
        ctx.checkpoint()?;
        for (x, &id) in of_cell.row(y).iter().enumerate().filter(|(_, id)| **id != 0) {
            let (depression, cell) = (&mut depressions[id as usize], y * w + x);
            depression.cells += 1;
            depression.depth_sum += depth(cell);
            if depth(cell) > depression.deepest.0 {
                depression.deepest = (depth(cell), cell);
            }
        }
    }
    let cell_m2 = rule.cell_m * rule.cell_m;
    let (mut number, mut list) = (vec![0u32; depressions.len()], Vec::new());
    for (id, depression) in depressions.iter().enumerate().skip(1) {
        let (area_m2, (depth_m, deepest)) = (depression.cells as f64 * cell_m2, depression.deepest);
        if depth_m < rule.min_depth_m || area_m2 < rule.min_area_m2 {
            continue;
        }
        let level_m = filled.cells()[deepest];
        let last = outlet(deepest, filled, flow, |cell| of_cell.cells()[cell] as usize == id);
        list.push(Lake {
            level_m,
            outlet: ((last % w) as u32, (last / w) as u32),
            area_m2,
            volume_m3: depression.depth_sum * cell_m2,
            depth_m,
        });
        number[id] = list.len() as u32;
    }
    par::for_rows(of_cell.rows_mut(), ctx, |_, row| {
        row.iter_mut().for_each(|id| *id = number[*id as usize]);
    })?;
    Ok(Lakes { of_cell, list })
}

/// The last cell inside on the flow path from `start` over cells of the same level.
fn outlet(start: usize, filled: &Grid<f32>, flow: &Grid<Dir8>, inside: impl Fn(usize) -> bool) -> usize {
    let (offsets, level) = (Dir8::offsets(flow.width()), filled.cells()[start]);
    let (mut cell, mut last) = (start, start);
    while filled.cells()[cell] == level {
        if inside(cell) {
            last = cell;
        }
        let d = flow.cells()[cell];
        if !d.is_some() {
            break;
        }
        cell = cell.wrapping_add_signed(offsets[d.0 as usize]);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydro::{Outlets, d8_over_filled, fill};
    use crate::{Seed, dir8};
    use proptest::prelude::*;

    const ALL: LakeRule = LakeRule { cell_m: 10.0, min_depth_m: 0.0, min_area_m2: 0.0 };

    fn of(height: &Grid<f32>, rule: &LakeRule) -> (Lakes, Grid<f32>, Grid<Dir8>) {
        let ctx = Ctx::default();
        let filled = fill(height, Outlets::Border, &ctx).unwrap();
        let flow = d8_over_filled(&filled, Outlets::Border, &ctx).unwrap();
        (lakes(height, &filled, &flow, rule, &ctx).unwrap(), filled, flow)
    }

    /// Two square basins in ground of height 9: 4 cells of 5 with a spill level of 8 in the north, 9 cells of 1 with one of 3
    /// in the south.
    fn two_basins() -> Grid<f32> {
        let mut g = Grid::filled(12, 12, 9.0);
        for (cells, x, y, bottom) in [(2, 2, 2, 5.0), (3, 6, 6, 1.0)] {
            (0..cells * cells).for_each(|i| g[(x + i % cells, y + i / cells)] = bottom);
        }
        (0..2).for_each(|y| g[(2, y)] = 8.0);
        (9..12).for_each(|y| g[(7, y)] = 3.0);
        g
    }

    #[test]
    fn two_basins_have_their_levels_outlets_areas_and_volumes() {
        let (lakes, ..) = of(&two_basins(), &ALL);
        let north = Lake { level_m: 8.0, outlet: (2, 2), area_m2: 400.0, volume_m3: 1200.0, depth_m: 3.0 };
        let south = Lake { level_m: 3.0, outlet: (7, 8), area_m2: 900.0, volume_m3: 1800.0, depth_m: 2.0 };
        assert_eq!(lakes.list, [north, south.clone()]);
        assert_eq!((lakes.of_cell[(3, 3)], lakes.of_cell[(6, 8)], lakes.of_cell[(2, 1)]), (1, 2, 0));
        let (large, ..) = of(&two_basins(), &LakeRule { min_area_m2: 401.0, ..ALL });
        assert_eq!((large.list, large.of_cell[(3, 3)], large.of_cell[(6, 8)]), (vec![south], 0, 1));
        let (deep, ..) = of(&two_basins(), &LakeRule { min_depth_m: 2.5, ..ALL });
        assert_eq!((deep.list.len(), deep.of_cell[(6, 8)]), (1, 0));
    }

    #[test]
    fn basins_that_touch_over_a_sill_at_two_levels_are_two_lakes() {
        // A stair: 7 above 3, with a rim of 8 between them; both are closed by walls of 9 except for a gap of 5 in the east.
        let row = [9.0, 7.0, 8.0, 3.0, 5.0];
        let height = Grid::from_vec(5, 3, [[9.0; 5], row, [9.0; 5]].concat());
        let (lakes, ..) = of(&height, &ALL);
        assert_eq!(lakes.of_cell.row(1), [0, 1, 0, 2, 0]);
        assert_eq!(lakes.list.iter().map(|l| l.level_m).collect::<Vec<_>>(), [8.0, 5.0]);
    }

    proptest! {
        #[test]
        fn a_lake_has_one_level_holds_what_the_fill_added_and_leaves_by_its_outlet(
            w in 3usize..60, h in 3usize..60, steps in prop_oneof![2u64..9, 500u64..501], seed: u64
        ) {
            let cells = (0..w * h).map(|i| (Seed(seed).at(i as i64, 0) % steps) as f32).collect();
            let height = Grid::from_vec(w, h, cells);
            let (lakes, filled, flow) = of(&height, &ALL);
            let mut seen = vec![(0.0, 0.0); lakes.list.len()];
            for i in 0..w * h {
                let (id, depth) = (lakes.of_cell.cells()[i], filled.cells()[i] - height.cells()[i]);
                prop_assert_eq!(id != 0, depth > 0.0);
                if id != 0 {
                    prop_assert_eq!(filled.cells()[i], lakes.list[id as usize - 1].level_m);
                    let s = &mut seen[id as usize - 1];
                    *s = (s.0 + 100.0, s.1 + depth as f64 * 100.0);
                    dir8::neighbours(w, h, i % w, i / w, |_, x, y| {
                        assert!([0, id].contains(&lakes.of_cell[(x, y)]));
                    });
                }
            }
            for (k, (lake, (area, volume))) in lakes.list.iter().zip(seen).enumerate() {
                prop_assert_eq!((lake.area_m2, lake.volume_m3), (area, volume));
                let (x, y) = (lake.outlet.0 as usize, lake.outlet.1 as usize);
                prop_assert_eq!(lakes.of_cell[(x, y)] as usize, k + 1);
                let d = flow[(x, y)];
                let next = (x.wrapping_add_signed(d.dx() as isize), y.wrapping_add_signed(d.dy() as isize));
                prop_assert_eq!(lakes.of_cell[next], 0);
            }
            let firsts: Vec<_> = (1..=lakes.list.len() as u32)
                .map(|id| lakes.of_cell.cells().iter().position(|&c| c == id))
                .collect();
            prop_assert!(firsts.is_sorted());
        }
    }
}
