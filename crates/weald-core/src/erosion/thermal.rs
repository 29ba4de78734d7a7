//! Thermal erosion: slopes steeper than the talus slope slide.

use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::par;
use crate::stats;

/// The talus slope, rise over run: the steepest slope on which material rests.
#[doc(alias = "angle of repose")]
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Talus<'a> {
    /// One slope for the whole map.
    Everywhere(f64),
    /// The slope of each cell, in a grid of the shape of the map. Infinite where nothing slides.
    Cells(&'a Grid<f32>),
}

/// 0.7, or 35°: the angle of repose of scree.
impl Default for Talus<'_> {
    fn default() -> Self {
        Talus::Everywhere(0.7)
    }
}

/// How slopes slide.
#[derive(Clone, Copy, Debug)]
pub struct Thermal<'a> {
    /// The steepest slope that is stable.
    pub talus: Talus<'a>,
    /// Share of its mean excess height that a cell loses in a pass, 0 to 0.5.
    pub rate: f64,
    /// Number of passes.
    pub passes: u32,
}

/// 50 passes at the highest rate, 0.5, with a talus slope of 0.7.
impl Default for Thermal<'_> {
    fn default() -> Self {
        Self { talus: Talus::default(), rate: 0.5, passes: 50 }
    }
}

/// Steps of height in a metre.
const STEPS: f64 = 65_536.0;

/// The greatest height, and depth, in metres.
const HIGHEST_M: f64 = 11_000.0;

/// Thermal erosion: material above the talus slope slides to the lower neighbours (Musgrave, Kolb, Mace 1989,
/// doi:10.1145/74333.74337).
///
/// With h the height of a cell, hₙ that of its neighbour n at the distance dₙ (1 or √2 cells), and t the talus slope of the
/// cell, n receives ⌊rate/8 · max(0, h − hₙ − t·dₙ)⌋ in a pass, computed from the heights before the pass. Both cells of a
/// pair compute the same integer: heights are i32 in steps of 2⁻¹⁶ m, and not one step is lost.
///
/// A cell loses at most half of its mean excess and gains at most half of the mean excess of its neighbours over it. A pass
/// therefore never digs below the lowest cell nor builds above the highest, and with one talus slope everywhere the greatest
/// excess never grows, except by a rounding of 16 steps, so the scheme does not oscillate. After enough passes the remaining
/// excess is below 8/rate steps. Nothing crosses the border. A tower becomes a cone; in directions between an axis and a
/// diagonal, slopes of up to 1.08 t may remain.
///
/// Heights are rounded to steps first and to f32 at the end; a cell whose steps do not change keeps its bits. Reach: 1 cell
/// per pass. Cost: about 60 vector operations a cell and pass, and 8 bytes of memory a cell.
///
/// ```
/// use weald_core::erosion::{Talus, Thermal, thermal};
/// use weald_core::{Ctx, Grid};
///
/// // A cliff of 50 m between two plains, on cells of 10 m.
/// let cliff = Grid::from_fn(40, 8, |x, _| if x < 20 { 50.0 } else { 0.0 });
/// let rule = Thermal { talus: Talus::Everywhere(0.7), passes: 200, ..Thermal::default() };
/// let slid = thermal(cliff, 10.0, &rule, &Ctx::default())?;
/// // No step is much higher than 7 m any more.
/// assert!(slid.row(4).windows(2).all(|pair| pair[0] - pair[1] < 7.6));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If a height is not within ±11,000 m, the rate is not between 0 and 0.5, a talus slope is below 0, or the grid of talus
/// slopes has another shape.
#[doc(alias = "talus")]
#[doc(alias = "thermal erosion")]
#[doc(alias = "thermal weathering")]
#[doc(alias = "landslide")]
pub fn thermal(mut height: Grid<f32>, cell_m: f64, params: &Thermal, ctx: &Ctx) -> Result<Grid<f32>> {
    assert!((0.0..=0.5).contains(&params.rate), "a rate of {} is not between 0 and 0.5", params.rate);
    if let Some((low, high)) = stats::min_max(&height, ctx)? {
        let fits = -HIGHEST_M <= low as f64 && high as f64 <= HIGHEST_M;
        assert!(fits, "heights from {low} to {high} m are not within ±{HIGHEST_M} m");
    }
    let (w, h) = height.shape();
    let rest = Rest::new(&params.talus, w, h, cell_m, ctx)?;
    let share = Share::new(params.rate);
    let mut cells: Grid<i32> = par::fill(
        w,
        h,
        ctx,
        #[inline(always)]
        |y, row| row.iter_mut().zip(height.row(y)).for_each(|(cell, &m)| *cell = steps(m)),
    )?;
    let mut next = Grid::filled(w, h, 0);
    for pass in 0..params.passes {
        slide(&cells, &rest, share, &mut next, &ctx.quiet())?;
        std::mem::swap(&mut cells, &mut next);
        ctx.tick(pass as usize + 1, params.passes as usize);
    }
    drop(next);
    par::for_rows(
        height.rows_mut(),
        &ctx.quiet(),
        #[inline(always)]
        |y, row| {
            for (m, &cell) in row.iter_mut().zip(cells.row(y)) {
                *m = if steps(*m) == cell { *m } else { (cell as f64 / STEPS) as f32 };
            }
        },
    )?;
    Ok(height)
}

/// A height in steps, with halves rounded to even. Around 1.5 · 2⁵² an f64 holds whole numbers only, and its low 32 bits are
/// the i32: rounding that vectorises.
#[inline(always)]
fn steps(m: f32) -> i32 {
    (m as f64 * STEPS + 6_755_399_441_055_744.0).to_bits() as i32
}

/// The stable drops, in steps.
enum Rest {
    /// Along an axis and along a diagonal.
    Everywhere(i32, i32),
    /// Along an axis, for each cell.
    Cells(Grid<i32>),
}

impl Rest {
    fn new(talus: &Talus, w: usize, h: usize, cell_m: f64, ctx: &Ctx) -> Result<Self> {
        // No drop on a map is higher than this, and √2 times it still fits.
        let highest = 2.0 * HIGHEST_M * STEPS;
        let drop = |slope: f64| {
            assert!(slope >= 0.0, "a talus slope of {slope} is below 0");
            (slope * cell_m * STEPS).round().min(highest) as i32
        };
        Ok(match talus {
            Talus::Everywhere(slope) => Rest::Everywhere(drop(*slope), diagonal(drop(*slope))),
            Talus::Cells(slopes) => {
                assert_eq!(slopes.shape(), (w, h), "talus slopes have another shape");
                Rest::Cells(par::fill(w, h, &ctx.quiet(), |y, row| {
                    row.iter_mut().zip(slopes.row(y)).for_each(|(cell, &slope)| *cell = drop(slope as f64));
                })?)
            }
        })
    }
}

/// `drop` · √2, rounded down to whole steps.
#[inline(always)]
fn diagonal(drop: i32) -> i32 {
    // (√2 − 1) · 2³²
    drop + ((drop as u64 * 1_779_033_704) >> 32) as i32
}

/// The share of an excess that a neighbour receives, in parts of 2³².
#[derive(Clone, Copy)]
struct Share(u32);

impl Share {
    fn new(rate: f64) -> Self {
        Self((rate / 8.0 * 4_294_967_296.0).round() as u32)
    }

    /// What a cell of height `a` receives from one of height `b`, or loses to it if negative, where a drop of up to `rest`
    /// is stable.
    #[inline(always)]
    fn of(self, a: i32, b: i32, rest: i32) -> i32 {
        let excess = ((b - a).abs() - rest).max(0) as u32;
        let moved = ((excess as u64 * self.0 as u64) >> 32) as i32;
        if b < a { -moved } else { moved }
    }
}

/// The value of the higher of two cells, `of_a` or `of_b`, chosen by a mask, which vectorises.
#[inline(always)]
fn giver(a: i32, b: i32, of_a: i32, of_b: i32) -> i32 {
    of_b ^ ((of_a ^ of_b) & ((b - a) >> 31))
}

/// One pass.
fn slide(cells: &Grid<i32>, rest: &Rest, share: Share, next: &mut Grid<i32>, ctx: &Ctx) -> Result<()> {
    let (w, h) = cells.shape();
    par::for_rows(
        next.rows_mut(),
        ctx,
        #[inline(always)]
        |y, row| {
            row.copy_from_slice(cells.row(y));
            for d in Dir8::ALL {
                let there = y as i64 + d.dy() as i64;
                if there < 0 || there >= h as i64 {
                    continue;
                }
                let (own, other) = d.columns(w);
                let there = there as usize;
                let pairs = cells.row(y)[own.clone()].iter().zip(&cells.row(there)[other.clone()]);
                let row = row[own.clone()].iter_mut().zip(pairs);
                match rest {
                    Rest::Everywhere(axis, diagonal) => {
                        let rest = if d.is_diagonal() { *diagonal } else { *axis };
                        for (cell, (&a, &b)) in row {
                            *cell += share.of(a, b, rest);
                        }
                    }
                    Rest::Cells(axis) => {
                        let rests = axis.row(y)[own].iter().zip(&axis.row(there)[other]);
                        if d.is_diagonal() {
                            for ((cell, (&a, &b)), (&ra, &rb)) in row.zip(rests) {
                                *cell += share.of(a, b, diagonal(giver(a, b, ra, rb)));
                            }
                        } else {
                            for ((cell, (&a, &b)), (&ra, &rb)) in row.zip(rests) {
                                *cell += share.of(a, b, giver(a, b, ra, rb));
                            }
                        }
                    }
                }
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dir8;
    use crate::seed::Seed;
    use proptest::prelude::*;
    use std::f64::consts::SQRT_2;

    /// One pass, giver by giver.
    fn slide_plainly(cells: &Grid<i32>, rest: impl Fn(usize, usize) -> i32, share: Share) -> Grid<i32> {
        let (w, h) = cells.shape();
        let mut next = cells.clone();
        for y in 0..h {
            for x in 0..w {
                dir8::neighbours(w, h, x, y, |d, nx, ny| {
                    let rest = rest(x, y) as i128;
                    let rest = if d.is_diagonal() { (rest * 6_074_001_000) >> 32 } else { rest };
                    let excess = (cells[(x, y)] - cells[(nx, ny)]) as i128 - rest;
                    if excess > 0 {
                        let moved = ((excess * share.0 as i128) >> 32) as i32;
                        next[(x, y)] -= moved;
                        next[(nx, ny)] += moved;
                    }
                });
            }
        }
        next
    }

    fn slid(cells: &Grid<i32>, rest: &Rest, share: Share) -> Grid<i32> {
        let mut next = cells.clone();
        slide(cells, rest, share, &mut next, &Ctx::default()).unwrap();
        next
    }

    fn sum(cells: &Grid<i32>) -> i64 {
        cells.cells().iter().map(|&c| c as i64).sum()
    }

    /// The steepest drop between neighbours, in steps per cell.
    fn steepest(cells: &Grid<i32>) -> f64 {
        let mut most = 0f64;
        for y in 0..cells.height() {
            for x in 0..cells.width() {
                dir8::neighbours(cells.width(), cells.height(), x, y, |d, nx, ny| {
                    let drop = (cells[(x, y)] - cells[(nx, ny)]) as f64;
                    most = most.max(if d.is_diagonal() { drop / SQRT_2 } else { drop });
                });
            }
        }
        most
    }

    /// Random land, from nearly flat to as rough as heights allow, on a plane or a roof.
    fn land() -> impl Strategy<Value = Grid<i32>> {
        let rough = prop_oneof![1i32..50, 1i32..100_000, Just(400_000_000)];
        let lean = || prop_oneof![Just(0i32), -200i32..200, -200_000i32..200_000, -10_000_000i32..10_000_000];
        let size = (1usize..20, 1usize..12);
        (size, rough, lean(), lean(), 0usize..20).prop_flat_map(|((w, h), rough, east, south, ridge)| {
            let cells = proptest::collection::vec(-rough..=rough, w * h);
            cells.prop_map(move |mut cells| {
                for (i, cell) in cells.iter_mut().enumerate() {
                    *cell += east * (i % w).abs_diff(ridge) as i32 + south * (i / w) as i32;
                }
                Grid::from_vec(w, h, cells)
            })
        })
    }

    fn rest() -> impl Strategy<Value = i32> {
        prop_oneof![Just(0), 0i32..100, 0i32..150_000, 0i32..1_441_792_000]
    }

    proptest! {
        #[test]
        fn rows_equal_the_rule_written_plainly(land in land(), rest in rest(), rate in 0.0f64..=0.5, seed: u64) {
            let share = Share::new(rate);
            let everywhere = Rest::Everywhere(rest, diagonal(rest));
            prop_assert_eq!(slid(&land, &everywhere, share), slide_plainly(&land, |_, _| rest, share));
            let own = |x: usize, y: usize| (Seed(seed).unit_at(x as i64, y as i64) * rest as f64) as i32;
            let (w, h) = land.shape();
            let cells = Grid::from_fn(w, h, own);
            prop_assert_eq!(slid(&land, &Rest::Cells(cells), share), slide_plainly(&land, own, share));
        }

        #[test]
        fn no_pass_loses_a_step_or_leaves_the_range_or_makes_the_steepest_drop_steeper(
            land in land(), rest in rest(), rate in 0.0f64..=0.5
        ) {
            let (limits, share) = (Rest::Everywhere(rest, diagonal(rest)), Share::new(rate));
            let mut cells = land;
            for _ in 0..20 {
                let next = slid(&cells, &limits, share);
                prop_assert_eq!(sum(&next), sum(&cells));
                prop_assert!(next.cells().iter().min() >= cells.cells().iter().min());
                prop_assert!(next.cells().iter().max() <= cells.cells().iter().max());
                prop_assert!(steepest(&next) <= steepest(&cells).max(rest as f64) + 16.0);
                cells = next;
            }
        }

        #[test]
        fn raising_a_cell_lowers_nothing(
            land in land(), rest in rest(), at: prop::sample::Index, by in 1i32..1_000_000
        ) {
            let (limits, share) = (Rest::Everywhere(rest, diagonal(rest)), Share::new(0.5));
            let (mut raised, i) = (land.clone(), at.index(land.len()));
            raised.cells_mut()[i] += by;
            let (before, after) = (slid(&land, &limits, share), slid(&raised, &limits, share));
            for (n, (b, a)) in before.cells().iter().zip(after.cells()).enumerate() {
                // Eight shares of the cell itself are rounded down.
                let rounding = if n == i { 8 } else { 0 };
                prop_assert!(a + rounding >= *b);
            }
        }

        #[test]
        fn a_plane_below_the_talus_keeps_its_bits(
            east in -0.4f64..0.4, south in -0.4f64..0.4, passes in 0u32..4, base in -300.0f64..300.0
        ) {
            let plane = |i: usize| (base + east * 3.0 * (i % 9) as f64 + south * 3.0 * (i / 9) as f64) as f32;
            let before = Grid::from_vec(9, 7, (0..63).map(plane).collect());
            let params = Thermal { talus: Talus::Everywhere(0.6), rate: 0.5, passes };
            let after = thermal(before.clone(), 3.0, &params, &Ctx::default()).unwrap();
            prop_assert!(before.cells().iter().zip(after.cells()).all(|(b, a)| b.to_bits() == a.to_bits()));
        }
    }

    #[test]
    fn heights_are_rounded_to_the_nearest_step() {
        for (m, steps_of_it) in
            [(0.0, 0), (-0.0, 0), (1.0, 65_536), (-11_000.0, -720_896_000), (11_000.0, 720_896_000)]
        {
            assert_eq!(steps(m), steps_of_it);
        }
        assert_eq!((steps(0.7 / 65_536.0), steps(-0.7 / 65_536.0), steps(0.4 / 65_536.0)), (1, -1, 0));
    }

    #[test]
    fn a_diagonal_is_the_square_root_of_two_of_an_axis() {
        for drop in (0..1_441_792_000).step_by(1_234_567) {
            assert!((diagonal(drop) as f64 - drop as f64 * SQRT_2).abs() <= 1.0);
        }
    }

    #[test]
    fn a_tower_becomes_a_pile_at_the_talus_slope() {
        let (n, cell_m, talus, middle) = (61, 2.0, 0.5, 30);
        let mut tower = Grid::filled(n, n, 0f32);
        tower[(middle, middle)] = 8000.0;
        let params = Thermal { talus: Talus::Everywhere(talus), rate: 0.5, passes: 12_000 };
        let pile = thermal(tower, cell_m, &params, &Ctx::default()).unwrap();
        let volume = pile.cells().iter().fold(0.0, |sum, &m| sum + m as f64);
        assert!((volume - 8000.0).abs() < 0.05, "{volume}");
        let height = |r: f64| pile[(middle + r as usize, middle)] as f64;
        let peak = height(0.0);
        let r = peak / talus;
        let off = (0..n * n).fold(0f64, |off, i| {
            let (x, y) = ((i % n) as f64 - middle as f64, (i / n) as f64 - middle as f64);
            let cone = (peak - talus * cell_m * (x * x + y * y).sqrt()).max(0.0);
            off.max((pile.cells()[i] as f64 - cone).abs())
        });
        assert!(off < talus * cell_m, "{off} m off the cone of {peak} m is more than a cell");
        // A cone holds π · r² · talus·r / 3.
        let cone = std::f64::consts::PI * r * r * peak / 3.0;
        assert!((cone / (8000.0 * cell_m * cell_m) - 1.0).abs() < 0.04, "{cone}");
        // Its flanks lie at the talus along the axes and diagonals, and it is the same from all sides.
        for i in 1..(r / cell_m) as usize - 2 {
            let axis = height(i as f64 - 1.0) - height(i as f64);
            assert!(axis < talus * cell_m + 1e-3 && axis > talus * cell_m * 0.95, "{i}: {axis}");
        }
        for (x, y) in (0..n).flat_map(|y| (0..n).map(move |x| (x, y))) {
            let m = pile[(x, y)].to_bits();
            assert!(m == pile[(y, x)].to_bits() && m == pile[(n - 1 - x, y)].to_bits());
        }
    }

    #[test]
    fn where_the_talus_is_infinite_nothing_gives_way() {
        // A wall of rock with loose ground of the same height to its right.
        let cells = (0..12).map(|i| if i < 6 { 50.0 } else { 0.0 }).collect();
        let cliff: Grid<f32> = Grid::from_vec(12, 1, cells);
        let mut talus = Grid::filled(12, 1, f32::INFINITY);
        let run = |talus: &Grid<f32>| {
            let params = Thermal { talus: Talus::Cells(talus), rate: 0.5, passes: 50 };
            thermal(cliff.clone(), 1.0, &params, &Ctx::default()).unwrap()
        };
        assert_eq!(run(&talus), cliff);
        talus[(5, 0)] = 0.5;
        let after = run(&talus);
        assert_eq!(after.row(0)[..5], [50.0; 5]);
        assert!(after[(5, 0)] < 26.0 && after[(6, 0)] > 24.0 && after[(7, 0)] == 0.0, "{after:?}");
    }

    #[test]
    #[should_panic(expected = "not within ±11000 m")]
    fn heights_beyond_the_range_are_a_programmers_error() {
        let params = Thermal { talus: Talus::Everywhere(1.0), rate: 0.5, passes: 1 };
        let _ = thermal(Grid::filled(2, 2, 12_000.0), 1.0, &params, &Ctx::default());
    }
}
