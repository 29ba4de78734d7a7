//! D8 flow directions over a filled surface: by slope, and across flats.

use super::Outlets;
use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::{self, Dir8};
use crate::grid::Grid;
use crate::par;
use std::f32::consts::FRAC_1_SQRT_2;

/// D8 flow directions over a surface that was filled by [`super::fill`] with the same outlets. Every flow path ends at an
/// outlet and never climbs.
///
/// A cell drains to the neighbour of steepest descent: the maximum over the directions d of (W(cell) − W(neighbour)) /
/// length(d), with W the filled height and length(d) 1 along an axis and √2 along a diagonal (O'Callaghan and Mark 1984,
/// doi:10.1016/S0734-189X(84)80011-0). Of equal slopes the first in the order of `Dir8` is taken. A cell without a lower
/// neighbour lies on a flat, usually a lake: it drains by the fewest steps over cells of its height towards one that has a
/// lower neighbour or is an outlet. A border cell drains inwards if a neighbour is lower; otherwise it is an outlet and has
/// [`Dir8::NONE`], as has every cell of the outlet mask. On a surface that is not filled, pits have [`Dir8::NONE`] too.
///
/// Reach: whole map. Cost: about 2 ns a cell, rows in parallel, and 20 ns more for each cell of a flat.
///
/// ```
/// use weald_core::hydro::{self, Outlets};
/// use weald_core::{Ctx, Dir8, Grid};
///
/// // A ramp that falls to the east, with a pit in it.
/// let mut ramp = Grid::from_fn(6, 3, |x, _| 10.0 - x as f32);
/// ramp[(2, 1)] = 0.0;
/// let ctx = Ctx::default();
/// let filled = hydro::fill(&ramp, Outlets::Border, &ctx)?;
/// let flow = hydro::d8_over_filled(&filled, Outlets::Border, &ctx)?;
/// assert!((1..5).all(|x| flow[(x, 1)].is_some()));
/// assert_eq!(flow[(5, 1)], Dir8::NONE);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If the outlet mask has another shape than the map.
#[doc(alias = "flow direction")]
#[doc(alias = "drainage direction")]
#[doc(alias = "D8")]
#[doc(alias = "flat resolution")]
pub fn d8_over_filled(filled: &Grid<f32>, outlets: Outlets<'_>, ctx: &Ctx) -> Result<Grid<Dir8>> {
    let mut flow = downhill(filled, outlets, ctx)?;
    cross_flats(filled, &mut flow, ctx)?;
    par::for_rows(flow.rows_mut(), ctx, |_, row| {
        row.iter_mut().filter(|d| **d == FLAT).for_each(|d| *d = Dir8::NONE);
    })?;
    Ok(flow)
}

/// The directions of steepest descent. Cells inside the map that have none are marked [`FLAT`].
pub(crate) fn downhill(filled: &Grid<f32>, outlets: Outlets<'_>, ctx: &Ctx) -> Result<Grid<Dir8>> {
    outlets.check(filled);
    let (w, h) = filled.shape();
    let mut flow = Grid::filled(w, h, Dir8::NONE);
    par::for_rows(
        flow.rows_mut(),
        ctx,
        #[inline(always)]
        |y, row| {
            let border = |x: usize| match steepest(filled, x, y) {
                FLAT => Dir8::NONE,
                d => d,
            };
            if y == 0 || y + 1 == h || w < 3 {
                row.iter_mut().enumerate().for_each(|(x, d)| *d = border(x));
            } else {
                (row[0], row[w - 1]) = (border(0), border(w - 1));
                steepest_of_row([filled.row(y - 1), filled.row(y), filled.row(y + 1)], &mut row[1..w - 1]);
            }
            if let Some(mask) = outlets.row(y) {
                row.iter_mut().zip(mask).filter(|(_, m)| **m != 0).for_each(|(d, _)| *d = Dir8::NONE);
            }
        },
    )?;
    Ok(flow)
}

/// A cell inside the map without a lower neighbour, until its direction is known.
pub(crate) const FLAT: Dir8 = Dir8(254);

/// Straight directions first: of two paths with equally many steps, the one with straight steps is shorter.
pub(crate) const AXES_FIRST: [Dir8; 8] =
    [Dir8(0), Dir8(2), Dir8(4), Dir8(6), Dir8(1), Dir8(3), Dir8(5), Dir8(7)];

/// The direction of steepest descent from one cell, or [`FLAT`].
fn steepest(filled: &Grid<f32>, x: usize, y: usize) -> Dir8 {
    let (centre, mut best) = (filled[(x, y)], (0f32, FLAT));
    dir8::neighbours(filled.width(), filled.height(), x, y, |d, nx, ny| {
        let drop = centre - filled[(nx, ny)];
        let slope = if d.is_diagonal() { drop * FRAC_1_SQRT_2 } else { drop };
        if slope > best.0 {
            best = (slope, d);
        }
    });
    best.1
}

/// The same for the inner cells of a row, without branches. `rows` are the row above, the row itself and the row below.
#[inline(always)]
fn steepest_of_row(rows: [&[f32]; 3], out: &mut [Dir8]) {
    let n = out.len();
    let shifted = |dy: usize, dx: usize| &rows[dy][dx..dx + n];
    let (nw, north, ne) = (shifted(0, 0), shifted(0, 1), shifted(0, 2));
    let (west, centre, east) = (shifted(1, 0), shifted(1, 1), shifted(1, 2));
    let (sw, south, se) = (shifted(2, 0), shifted(2, 1), shifted(2, 2));
    // Of equal slopes the first one is kept.
    let steeper = |a: (f32, i32), b: (f32, i32)| if b.0 > a.0 { b } else { a };
    for i in 0..n {
        let c = centre[i];
        let diagonal = |neighbour: f32| (c - neighbour) * FRAC_1_SQRT_2;
        let first = steeper(
            steeper((c - east[i], 0), (diagonal(se[i]), 1)),
            steeper((c - south[i], 2), (diagonal(sw[i]), 3)),
        );
        let second = steeper(
            steeper((c - west[i], 4), (diagonal(nw[i]), 5)),
            steeper((c - north[i], 6), (diagonal(ne[i]), 7)),
        );
        let (slope, dir) = steeper(first, second);
        out[i] = Dir8(if slope > 0.0 { dir as u8 } else { FLAT.0 });
    }
}

/// Gives the cells marked [`FLAT`] their directions: a breadth-first search from all cells of the same height that have one.
/// The first ring is visited row by row, every other ring in the order of the ring before it. Cells of flats that nothing leaves stay marked.
pub(crate) fn cross_flats(filled: &Grid<f32>, flow: &mut Grid<Dir8>, ctx: &Ctx) -> Result<()> {
    let (w, h) = filled.shape();
    let (level, offsets) = (filled.cells(), Dir8::offsets(w));
    let at = |cell: u32, d: Dir8| (cell as usize).wrapping_add_signed(offsets[d.0 as usize]);
    // Marked cells never lie on the border, so all their neighbours are on the map.
    let rings = par::map(h, ctx, |y| {
        let cells = flow.cells();
        let marked = cells[y * w..(y + 1) * w].iter().enumerate().filter(|(_, d)| **d == FLAT);
        let mut ring: Vec<(u32, Dir8)> = Vec::new();
        for cell in marked.map(|(x, _)| (y * w + x) as u32) {
            let drains =
                |d: &&Dir8| cells[at(cell, **d)] != FLAT && level[at(cell, **d)] == level[cell as usize];
            ring.extend(AXES_FIRST.iter().find(drains).map(|&d| (cell, d)));
        }
        ring
    })?;
    let ring = rings.concat();
    let mut queue: Vec<u32> = ring.iter().map(|r| r.0).collect();
    let cells = flow.cells_mut();
    ring.iter().for_each(|&(cell, d)| cells[cell as usize] = d);
    let mut next = 0;
    while let Some(&cell) = queue.get(next) {
        if next & 0xF_FFFF == 0 {
            ctx.checkpoint()?;
        }
        next += 1;
        for d in AXES_FIRST {
            let n = at(cell, d);
            // Neither of two marked neighbours is lower: they are equally high.
            if cells[n] == FLAT {
                cells[n] = d.opposite();
                queue.push(n as u32);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::hydro::fill;
    use proptest::prelude::*;

    fn ground(w: usize, h: usize, steps: u64, seed: u64) -> Grid<f32> {
        Grid::from_vec(w, h, (0..w * h).map(|i| (Seed(seed).at(i as i64, 0) % steps) as f32 - 3.0).collect())
    }

    fn next(w: usize, cell: usize, d: Dir8) -> usize {
        cell.wrapping_add_signed(Dir8::offsets(w)[d.0 as usize])
    }

    fn on_border(w: usize, h: usize, cell: usize) -> bool {
        let (x, y) = (cell % w, cell / w);
        x == 0 || y == 0 || x + 1 == w || y + 1 == h
    }

    #[test]
    fn a_plane_drains_by_slope_and_not_by_drop() {
        // Falls 4 to the south and 1 to the east: the diagonal drops most, 5, but south is steeper than 5/√2.
        let cells =
            |fall: f32| (0..400).map(|i| 4000.0 - (i % 20) as f32 * fall - (i / 20) as f32 * 4.0).collect();
        let flow =
            d8_over_filled(&Grid::from_vec(20, 20, cells(1.0)), Outlets::Border, &Ctx::default()).unwrap();
        assert!(flow.cells()[..380].iter().all(|&d| d == Dir8(2)));
        assert_eq!((flow[(5, 19)], flow[(19, 19)]), (Dir8(0), Dir8::NONE));
        let flow =
            d8_over_filled(&Grid::from_vec(20, 20, cells(3.0)), Outlets::Border, &Ctx::default()).unwrap();
        assert!((0..19).all(|y| flow.row(y)[..19].iter().all(|&d| d == Dir8(1))));
    }

    #[test]
    fn a_lake_drains_straight_to_its_only_outlet() {
        // A round lake of height 1 with a wall of 2 that has one gap, in the east, and a moat of 0.
        let r2 = |i: usize| {
            (i as i32 % 41 - 20) * (i as i32 % 41 - 20) + (i as i32 / 41 - 20) * (i as i32 / 41 - 20)
        };
        let mut surface = Grid::from_vec(
            41,
            41,
            (0..41 * 41)
                .map(|i| {
                    if r2(i) < 200 {
                        1.0
                    } else if r2(i) < 290 {
                        2.0
                    } else {
                        0.0
                    }
                })
                .collect(),
        );
        (14..18).for_each(|dx| surface[(20 + dx, 20)] = 1.0);
        let flow = d8_over_filled(&surface, Outlets::Border, &Ctx::default()).unwrap();
        assert!((8..36).all(|x| flow[(x, 20)] == Dir8(0)), "{:?}", flow.row(20));
        let towards = |y: usize| flow.row(y)[12..29].iter().filter(|d| matches!(d.0, 0 | 1 | 7)).count();
        assert!((12..29).all(|y| towards(y) == 17));
    }

    /// Steps over cells of one height to the next cell that has a lower neighbour or is a sink, by relaxation.
    fn steps_to_leave(filled: &Grid<f32>, stops: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let (w, h) = filled.shape();
        let mut steps: Vec<usize> = (0..w * h)
            .map(|i| if stops(i) || steepest(filled, i % w, i / w) != FLAT { 0 } else { usize::MAX - 1 })
            .collect();
        loop {
            let before = steps.clone();
            for i in 0..w * h {
                dir8::neighbours(w, h, i % w, i / w, |_, x, y| {
                    if filled.cells()[y * w + x] == filled.cells()[i] {
                        steps[i] = steps[i].min(steps[y * w + x] + 1);
                    }
                });
            }
            if steps == before {
                return steps;
            }
        }
    }

    proptest! {
        #[test]
        fn rows_equal_the_rule_for_one_cell(w in 3usize..60, h in 3usize..12, steps in 1u64..2000, seed: u64) {
            let surface = ground(w, h, steps, seed);
            for y in 1..h - 1 {
                let mut row = vec![Dir8::NONE; w - 2];
                steepest_of_row([surface.row(y - 1), surface.row(y), surface.row(y + 1)], &mut row);
                let plain: Vec<_> = (1..w - 1).map(|x| steepest(&surface, x, y)).collect();
                prop_assert_eq!(row, plain);
            }
        }

        #[test]
        fn every_walk_ends_at_a_sink_and_never_climbs(
            w in 1usize..50, h in 1usize..50, steps in prop_oneof![2u64..9, 1000u64..1001], seed: u64, share in 0.0f64..0.1
        ) {
            let height = ground(w, h, steps, seed);
            let sea = Grid::from_vec(
                w, h, (0..w * h).map(|i| (Seed(seed).unit_at(i as i64, 1) < share) as u8).collect()
            );
            for outlets in [Outlets::Border, Outlets::BorderAnd(&sea)] {
                let filled = fill(&height, outlets, &Ctx::default()).unwrap();
                let flow = d8_over_filled(&filled, outlets, &Ctx::default()).unwrap();
                let masked = |i: usize| outlets.row(i / w).is_some_and(|row| row[i % w] != 0);
                for start in 0..w * h {
                    let (mut cell, mut walked) = (start, 0);
                    while flow.cells()[cell].is_some() {
                        let to = next(w, cell, flow.cells()[cell]);
                        prop_assert!(!masked(cell) && filled.cells()[to] <= filled.cells()[cell]);
                        (cell, walked) = (to, walked + 1);
                        prop_assert!(walked < w * h, "a cycle");
                    }
                    prop_assert_eq!(flow.cells()[cell], Dir8::NONE);
                    prop_assert!(masked(cell) || on_border(w, h, cell) && steepest(&filled, cell % w, cell / w) == FLAT);
                }
            }
        }

        #[test]
        fn flats_are_left_by_the_fewest_steps(w in 1usize..40, h in 1usize..40, steps in 2u64..5, seed: u64) {
            let filled = fill(&ground(w, h, steps, seed), Outlets::Border, &Ctx::default()).unwrap();
            let flow = d8_over_filled(&filled, Outlets::Border, &Ctx::default()).unwrap();
            let fewest = steps_to_leave(&filled, &|i| on_border(w, h, i));
            for cell in (0..w * h).filter(|&i| fewest[i] > 0) {
                let to = next(w, cell, flow.cells()[cell]);
                prop_assert_eq!(fewest[to] + 1, fewest[cell]);
                prop_assert_eq!(filled.cells()[to], filled.cells()[cell]);
            }
        }
    }
}
