//! D8 flow directions (O'Callaghan and Mark 1984, doi:10.1016/S0734-189X(84)80011-0).

use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::{self, Dir8};
use crate::grid::Grid;
use crate::par;
use crate::seed::Seed;

/// How a cell chooses among its lower neighbours. Drops have the unit of the heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DropRule {
    /// A neighbour is eligible if it is lower, and by at least this much.
    pub min_drop: f32,
    /// Drops that differ from the largest one by at most this much are tied.
    pub tie_eps: f32,
}

/// For heights from 0 to 1: drops of at least 0.0005, tied within 10⁻⁶.
impl Default for DropRule {
    fn default() -> Self {
        Self { min_drop: 0.0005, tie_eps: 1e-6 }
    }
}

/// D8 flow directions by the largest drop h(cell) − h(neighbour) among the eight neighbours, without a correction for the
/// longer diagonal; [`Dir8::NONE`] where no neighbour is eligible.
///
/// Of n neighbours tied for the largest drop, in the order of `Dir8`, the one with the index `seed.at(x, y)` mod n is taken,
/// so that no direction is favoured. Every step leads strictly downhill, so there are no cycles. Reach: 1 cell. Cost: about
/// 4 ns a cell on one core, rows in parallel.
///
/// ```
/// use weald_core::{Ctx, Dir8, Grid, Seed, hydro};
///
/// // A cone drains outwards.
/// let cone = Grid::from_fn(5, 5, |x, y| 1.0 - 0.1 * (x.abs_diff(2) + y.abs_diff(2)) as f32);
/// let rule = hydro::DropRule::default();
/// let flow = hydro::d8_by_drop(&cone, Seed(1), &rule, &Ctx::default())?;
/// assert_eq!(flow[(1, 1)], Dir8(5));
/// assert_eq!(flow[(0, 0)], Dir8::NONE);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "flow direction")]
#[doc(alias = "drainage direction")]
#[doc(alias = "D8")]
#[doc(alias = "steepest descent")]
pub fn d8_by_drop(height: &Grid<f32>, seed: Seed, rule: &DropRule, ctx: &Ctx) -> Result<Grid<Dir8>> {
    d8_by_drop_from((0, 0), height, seed, rule, ctx)
}

/// [`d8_by_drop`] of a part of a map whose first cell is at (x, y) of that map. The outermost cells of the part do not know their
/// neighbours, unless they lie on the border of the map.
pub fn d8_by_drop_from(
    from: (usize, usize),
    height: &Grid<f32>,
    seed: Seed,
    rule: &DropRule,
    ctx: &Ctx,
) -> Result<Grid<Dir8>> {
    let (w, h) = height.shape();
    let at = |x, y| choose(height, rule, (x, y), |n| seed.at((from.0 + x) as i64, (from.1 + y) as i64) % n);
    let mut out = Grid::filled(w, h, Dir8::NONE);
    par::for_rows(
        out.rows_mut(),
        ctx,
        #[inline(always)]
        |y, row| {
            let mut cell = |x: usize| row[x] = at(x, y);
            if y == 0 || y + 1 == h || w < 3 {
                (0..w).for_each(cell);
                return;
            }
            cell(0);
            cell(w - 1);
            let mut tied = vec![0u8; w - 2];
            flow_of_row(
                [height.row(y - 1), height.row(y), height.row(y + 1)],
                rule,
                &mut row[1..w - 1],
                &mut tied,
            );
            for (x, _) in tied.iter().enumerate().filter(|(_, t)| **t != 0) {
                row[x + 1] = at(x + 1, y);
            }
        },
    )?;
    Ok(out)
}

/// The flow direction of one cell: the rule of [`d8_by_drop`]. Reach: 1 cell.
pub fn d8_by_drop_at(height: &Grid<f32>, seed: Seed, rule: &DropRule, (x, y): (usize, usize)) -> Dir8 {
    choose(height, rule, (x, y), |n| seed.at(x as i64, y as i64) % n)
}

/// The direction of the largest drop from one cell; of `n` that are tied, that with the index `pick(n)`.
fn choose(height: &Grid<f32>, rule: &DropRule, (x, y): (usize, usize), pick: impl Fn(u64) -> u64) -> Dir8 {
    let centre = height[(x, y)];
    let (mut eligible, mut count, mut max) = ([(Dir8::NONE, 0f32); 8], 0, 0f32);
    dir8::neighbours(height.width(), height.height(), x, y, |d, nx, ny| {
        let drop = centre - height[(nx, ny)];
        if drop >= rule.min_drop && drop > 0.0 {
            eligible[count] = (d, drop);
            count += 1;
            max = max.max(drop);
        }
    });
    let tied = |&&(_, drop): &&(Dir8, f32)| max - drop <= rule.tie_eps;
    let ties = eligible[..count].iter().filter(tied).count() as u64;
    match ties {
        0 => Dir8::NONE,
        1 => eligible[..count].iter().find(tied).map_or(Dir8::NONE, |e| e.0),
        n => eligible[..count].iter().filter(tied).nth(pick(n) as usize).map_or(Dir8::NONE, |e| e.0),
    }
}

/// The rule for the inner cells of a row, without branches: the direction of the largest drop, and whether another
/// neighbour is tied with it. `rows` are the row above, the row itself and the row below.
#[inline(always)]
fn flow_of_row(rows: [&[f32]; 3], rule: &DropRule, out: &mut [Dir8], tied: &mut [u8]) {
    let n = out.len();
    let shifted = |dy: usize, dx: usize| &rows[dy][dx..dx + n];
    let (nw, north, ne) = (shifted(0, 0), shifted(0, 1), shifted(0, 2));
    let (west, centre, east) = (shifted(1, 0), shifted(1, 1), shifted(1, 2));
    let (sw, south, se) = (shifted(2, 0), shifted(2, 1), shifted(2, 2));
    let tied = &mut tied[..n];
    let (min_drop, tie_eps) = (rule.min_drop, rule.tie_eps);
    let larger = |a: (f32, i32), b: (f32, i32)| if b.0 > a.0 { b } else { a };
    for i in 0..n {
        let c = centre[i];
        let (d0, d1, d2, d3) = (c - east[i], c - se[i], c - south[i], c - sw[i]);
        let (d4, d5, d6, d7) = (c - west[i], c - nw[i], c - north[i], c - ne[i]);
        // Of equal drops the first one is kept. Where that matters there is a tie, and the cell is computed again.
        let first = larger(larger((d0, 0), (d1, 1)), larger((d2, 2), (d3, 3)));
        let second = larger(larger((d4, 4), (d5, 5)), larger((d6, 6), (d7, 7)));
        let (best, dir) = larger(first, second);
        let within = |drop: f32| ((best - drop <= tie_eps) & (drop >= min_drop) & (drop > 0.0)) as i32;
        let ties = (within(d0) + within(d1) + within(d2) + within(d3))
            + (within(d4) + within(d5) + within(d6) + within(d7));
        out[i] = Dir8(if ties == 0 { Dir8::NONE.0 } else { dir as u8 });
        tied[i] = (ties > 1) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RULE: DropRule = DropRule { min_drop: 0.0005, tie_eps: 1e-6 };

    fn naive(height: &Grid<f32>, seed: Seed, rule: &DropRule) -> Vec<Dir8> {
        (0..height.len())
            .map(|i| d8_by_drop_at(height, seed, rule, (i % height.width(), i / height.width())))
            .collect()
    }

    #[test]
    fn a_plane_drains_along_its_fall_and_a_flat_not_at_all() {
        let plane = Grid::from_fn(40, 3, |x, _| 1.0 - x as f32 * 0.01);
        let f =
            d8_by_drop(&plane, Seed(1), &DropRule { min_drop: 0.0, tie_eps: 0.0 }, &Ctx::default()).unwrap();
        assert!(f.row(1)[..39].iter().all(|d| matches!(d.0, 0 | 1 | 7)), "{:?}", f.row(1));
        assert_eq!(f.row(1)[39], Dir8::NONE);
        let flat = d8_by_drop(&Grid::filled(40, 40, 0.5), Seed(1), &RULE, &Ctx::default()).unwrap();
        assert!(flat.cells().iter().all(|&d| d == Dir8::NONE));
    }

    #[test]
    fn ties_are_spread_evenly_over_the_candidates() {
        // Isolated peaks: all eight neighbours are tied.
        let n = 192;
        let peaks = Grid::from_vec(
            n,
            n,
            (0..n * n).map(|i| (i % n % 3 == 1 && i / n % 3 == 1) as u8 as f32).collect(),
        );
        let f = d8_by_drop(&peaks, Seed(5), &RULE, &Ctx::default()).unwrap();
        let mut count = [0; 8];
        for y in (1..n).step_by(3) {
            for x in (1..n).step_by(3) {
                count[f[(x, y)].0 as usize] += 1;
            }
        }
        assert!(count.iter().all(|&c| (400..625).contains(&c)), "{count:?}");
    }

    proptest! {
        #[test]
        fn rows_equal_the_rule_written_plainly(
            w in 1usize..60, h in 1usize..12, steps in 1u32..2000, seed: u64, min_drop in 0.0f32..0.01, tie_eps in 0.0f32..0.01
        ) {
            let cells = (0..w * h).map(|i| (Seed(seed).at(i as i64, 0) % steps as u64) as f32 / steps as f32).collect();
            let height = Grid::from_vec(w, h, cells);
            let rule = DropRule { min_drop, tie_eps };
            let fast = d8_by_drop(&height, Seed(seed), &rule, &Ctx::default()).unwrap();
            prop_assert_eq!(fast.into_vec(), naive(&height, Seed(seed), &rule));
        }

        #[test]
        fn water_never_climbs_and_never_stops_beside_an_eligible_neighbour(w in 1usize..40, h in 1usize..40, seed: u64) {
            let height = Grid::from_vec(w, h, (0..w * h).map(|i| Seed(seed).unit_at(i as i64, 1) as f32).collect());
            let f = d8_by_drop(&height, Seed(seed), &RULE, &Ctx::default()).unwrap();
            for y in 0..h {
                for x in 0..w {
                    let mut lowest = f32::INFINITY;
                    dir8::neighbours(w, h, x, y, |d, nx, ny| {
                        lowest = lowest.min(height[(nx, ny)]);
                        if d == f[(x, y)] {
                            assert!(height[(nx, ny)] < height[(x, y)]);
                        }
                    });
                    if f[(x, y)] == Dir8::NONE {
                        prop_assert!(height[(x, y)] - lowest < RULE.min_drop);
                    }
                }
            }
        }
    }
}
