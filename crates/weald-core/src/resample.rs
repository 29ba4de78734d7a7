//! Maps brought to another number of cells.

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::par;

/// What the values of a map are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Numbers that change from cell to cell, such as heights.
    Measure,
    /// 0 and 1.
    Mask,
}

impl Values {
    /// What the values of a map are: a mask if all of them are 0 or 1.
    pub fn of(map: &Grid<f32>) -> Self {
        let mask = map.cells().iter().all(|&v| v == 0.0 || v == 1.0);
        if mask { Values::Mask } else { Values::Measure }
    }
}

/// A map of the same area with `size` columns and rows.
///
/// Columns and rows are resampled one after the other, by the ratio s of old to new cells along them:
///
/// - s > 1, fewer cells: the mean over the interval from s·i to s·(i + 1) of old cells, cells at its ends by their share;
/// - s < 1, more cells: the curve through the centres of the old cells at s·(i + ½) − ½, held at the first and the last
///   one. Between two centres it is a cubic with the slopes (p(i+1) − p(i−1)) / 2 of Catmull and Rom, which are limited
///   as by Fritsch and Carlson (1980, doi:10.1137/0717021): 0 at a peak or a dip, and at most three times the step to either
///   side. So the curve is smooth and runs between the two values: no peak or depression appears.
///
/// Of a mask, more cells take the value of the nearest old one, and of the shares of fewer cells those of at least one
/// half become 1, the others 0. What is between a number and none, or covers none, is none. Reach: 2 cells, or s. Cost:
/// linear, rows in parallel.
///
/// ```
/// use weald_core::resample::{Values, resampled};
/// use weald_core::{Ctx, Grid};
///
/// let ramp = Grid::from_fn(4, 1, |x, _| x as f32);
/// let wide = resampled(&ramp, (8, 1), Values::Measure, &Ctx::default())?;
/// assert_eq!(wide.cells()[2..6], [0.75, 1.25, 1.75, 2.25]);
/// let back = resampled(&wide, (4, 1), Values::Measure, &Ctx::default())?;
/// assert_eq!(back.cells()[1..3], [1.0, 2.0]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If the map is empty or the new size is 0.
#[doc(alias = "resize")]
#[doc(alias = "bicubic")]
pub fn resampled(map: &Grid<f32>, size: (usize, usize), values: Values, ctx: &Ctx) -> Result<Grid<f32>> {
    by_axes(map, size, values, Rim::Level, ctx)
}

/// [`resampled`] of measures, with the ground sloping on to the edge: beyond the centres of the outermost cells, where more cells would be
/// held level, the straight line through the outermost two goes on. So a plane stays a plane up to the edges, but a cell at an edge may
/// lie beyond the old cells around it, by at most half a step between them along each side.
///
/// ```
/// use weald_core::resample::resampled_to_edges;
/// use weald_core::{Ctx, Grid};
///
/// let ramp = Grid::from_fn(3, 1, |x, _| x as f32);
/// let wide = resampled_to_edges(&ramp, (6, 1), &Ctx::default())?;
/// assert_eq!(wide.cells(), [-0.25, 0.25, 0.75, 1.25, 1.75, 2.25]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If the map is empty or the new size is 0.
pub fn resampled_to_edges(map: &Grid<f32>, size: (usize, usize), ctx: &Ctx) -> Result<Grid<f32>> {
    by_axes(map, size, Values::Measure, Rim::Sloping, ctx)
}

/// Columns and rows, one after the other.
fn by_axes(map: &Grid<f32>, size: (usize, usize), values: Values, rim: Rim, ctx: &Ctx) -> Result<Grid<f32>> {
    assert!(!map.is_empty() && size.0 > 0 && size.1 > 0, "a map has at least one cell");
    let columns = Axis { rim, ..Axis::new(map.width(), size.0, values) };
    let rows = Axis { rim, ..Axis::new(map.height(), size.1, values) };
    let wide = par::fill(size.0, map.height(), ctx, |y, out: &mut [f32]| {
        let row = map.row(y);
        for (x, out) in out.iter_mut().enumerate() {
            *out = columns.value(x, |i| row[i] as f64) as f32;
        }
    })?;
    par::fill(size.0, size.1, ctx, |y, out: &mut [f32]| {
        for (x, out) in out.iter_mut().enumerate() {
            let value = rows.value(y, |i| wide[(x, i)] as f64) as f32;
            *out = match values {
                // Adding 0 turns −0 into 0.
                Values::Measure => value + 0.0,
                Values::Mask => f32::from(value >= 0.5),
            };
        }
    })
}

/// The heights of a map at `size` vertices along its columns and rows, the first and the last of which lie at the centres of the
/// first and the last cells: N vertices span W − 1 cells. Game engines and meshes register their samples this way.
///
/// Vertex i of N lies at s·i with s = (W − 1)/(N − 1). For s ≤ 1 its value is that of the limited cubic of [`resampled`] at that place, so that a map
/// of as many cells stays as it is. For s > 1 the first and the last vertex are the first and the last cell, and any other is the mean of the
/// cells around it with weights w·(1 + t·d): w is a tent that has its peak at the vertex and ends at its neighbours, d the distance from the
/// vertex, and the tilt t = −Σ w·d / Σ w·d² brings the centre of the weights to the vertex. So a plane stays a plane up to the edges, and no
/// vertex lies beyond the cells around it. Reach: 2 cells, or s. Cost: linear, rows in parallel.
///
/// # Panics
/// If the map is empty or has a side of fewer than 2 vertices.
#[doc(alias = "vertex registered")]
pub fn at_vertices(map: &Grid<f32>, size: (usize, usize), ctx: &Ctx) -> Result<Grid<f32>> {
    assert!(
        !map.is_empty() && size.0 > 1 && size.1 > 1,
        "a map has a cell, and a mesh two vertices along a side"
    );
    let columns = Axis::new(map.width(), size.0, Values::Measure);
    let rows = Axis::new(map.height(), size.1, Values::Measure);
    let wide = par::fill(size.0, map.height(), ctx, |y, out: &mut [f32]| {
        let row = map.row(y);
        for (x, out) in out.iter_mut().enumerate() {
            *out = columns.vertex(x, |i| row[i] as f64) as f32;
        }
    })?;
    par::fill(size.0, size.1, ctx, |y, out: &mut [f32]| {
        for (x, out) in out.iter_mut().enumerate() {
            // Adding 0 turns −0 into 0.
            *out = rows.vertex(y, |i| wide[(x, i)] as f64) as f32 + 0.0;
        }
    })
}

/// What more cells are beyond the centres of the outermost old ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rim {
    /// The values of those.
    Level,
    /// The straight line through the outermost two.
    Sloping,
}

/// How the cells along one side are resampled.
struct Axis {
    /// Number of old cells.
    old: usize,
    /// Number of new cells.
    new: usize,
    values: Values,
    rim: Rim,
}

impl Axis {
    fn new(old: usize, new: usize, values: Values) -> Self {
        Self { old, new, values, rim: Rim::Level }
    }

    /// The value of new cell `i`, from the values of the old cells.
    #[inline(always)]
    fn value(&self, i: usize, of: impl Fn(usize) -> f64) -> f64 {
        match () {
            () if self.new == self.old => of(i),
            () if self.new < self.old => self.mean(i, of),
            () => {
                let ratio = self.old as f64 / self.new as f64;
                let centre = ratio * (i as f64 + 0.5) - 0.5;
                let place = centre.clamp(0.0, (self.old - 1) as f64);
                match self.values {
                    Values::Measure if self.rim == Rim::Sloping && place != centre && self.old > 1 => {
                        let (edge, inner) =
                            if centre < place { (0, 1) } else { (self.old - 1, self.old - 2) };
                        of(edge) + (of(edge) - of(inner)) * (centre - place).abs()
                    }
                    Values::Measure => self.smooth(place, of),
                    // The cell in which the centre lies.
                    Values::Mask => of((2 * i + 1) * self.old / (2 * self.new)),
                }
            }
        }
    }

    /// The value at vertex `i` of `new`, the first and the last of which lie at the centres of the first and the last old cells.
    #[inline(always)]
    fn vertex(&self, i: usize, of: impl Fn(usize) -> f64) -> f64 {
        let (last, steps) = (self.old - 1, self.new - 1);
        // Whole vertices lie on whole cells.
        if (last * i).is_multiple_of(steps) && last <= steps {
            return of(last * i / steps);
        }
        let step = last as f64 / steps as f64;
        let place = (step * i as f64).min(last as f64);
        if step <= 1.0 {
            return self.smooth(place, of);
        }
        // The outermost vertices are the outermost cells; all others have a whole step to either side.
        if i == 0 || i == steps {
            return of(if i == 0 { 0 } else { last });
        }
        let (from, to) = ((place - step).max(0.0).ceil() as usize, (place + step).min(last as f64) as usize);
        let tent = |cell: usize| (1.0 - (cell as f64 - place).abs() / step).max(0.0);
        let (mut lever, mut spread) = (0.0, 0.0);
        for cell in from..=to {
            let off = cell as f64 - place;
            lever += tent(cell) * off;
            spread += tent(cell) * off * off;
        }
        let tilt = if spread > 0.0 { -lever / spread } else { 0.0 };
        let (mut sum, mut weights) = (0.0, 0.0);
        for cell in from..=to {
            let weight = tent(cell) * (1.0 + tilt * (cell as f64 - place)).max(0.0);
            sum += of(cell) * weight;
            weights += weight;
        }
        sum / weights
    }

    /// The mean over the interval of new cell `i`, in whole parts: an old cell has `new` of them and a new one `old`.
    #[inline(always)]
    fn mean(&self, i: usize, of: impl Fn(usize) -> f64) -> f64 {
        let (from, to) = (i * self.old, (i + 1) * self.old);
        let mut sum = 0.0;
        for cell in from / self.new..to.div_ceil(self.new) {
            let parts = to.min((cell + 1) * self.new) - from.max(cell * self.new);
            sum += of(cell) * parts as f64;
        }
        sum / self.old as f64
    }

    /// The limited cubic at a place between the centres of the first and the last cell.
    #[inline(always)]
    fn smooth(&self, place: f64, of: impl Fn(usize) -> f64) -> f64 {
        let here = (place as usize).min(self.old.saturating_sub(2));
        let t = place - here as f64;
        if t == 0.0 {
            return of(here);
        }
        let (value, next) = (of(here), of((here + 1).min(self.old - 1)));
        let step = next - value;
        let before = if here > 0 { value - of(here - 1) } else { step };
        let after = if here + 2 < self.old { of(here + 2) - next } else { step };
        let (first, last) = (slope(before, step), slope(step, after));
        let (square, cube) = (t * t, t * t * t);
        let found = value
            + (3.0 * square - 2.0 * cube) * step
            + (cube - 2.0 * square + t) * first
            + (cube - square) * last;
        if found.is_nan() {
            return found;
        }
        // Rounding may carry it beyond by a last bit.
        found.max(value.min(next)).min(value.max(next))
    }
}

/// The slope at a centre between the steps to both sides.
#[inline(always)]
fn slope(before: f64, after: f64) -> f64 {
    if before * after > 0.0 {
        let most = 3.0 * before.abs().min(after.abs());
        return (0.5 * (before + after)).clamp(-most, most);
    }
    // A peak or a dip, or a neighbour that is no number.
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use proptest::prelude::*;

    fn random(w: usize, h: usize, seed: u64) -> Grid<f32> {
        Grid::from_fn(w, h, |x, y| (Seed(seed).unit_at(x as i64, y as i64) * 900.0 - 100.0) as f32)
    }

    fn made(map: &Grid<f32>, size: (usize, usize), values: Values) -> Grid<f32> {
        resampled(map, size, values, &Ctx::default()).unwrap()
    }

    fn mean(map: &Grid<f32>) -> f64 {
        map.cells().iter().map(|&v| v as f64).sum::<f64>() / map.len() as f64
    }

    #[test]
    fn vertices_keep_the_map_at_its_own_size_and_reach_from_centre_to_centre() {
        let map = random(9, 5, 3);
        let at = |size| at_vertices(&map, size, &Ctx::default()).unwrap();
        assert_eq!(at((9, 5)), map);
        let fine = at((17, 9));
        for (x, y) in [(0, 0), (8, 4), (3, 2)] {
            assert_eq!(fine[(2 * x, 2 * y)], map[(x, y)], "whole vertices lie on whole cells");
        }
        assert_eq!(
            at_vertices(&Grid::filled(1, 1, 4.0), (3, 3), &Ctx::default()).unwrap(),
            Grid::filled(3, 3, 4.0)
        );
    }

    #[test]
    fn a_plane_stays_a_plane_at_every_vertex() {
        let plane = Grid::from_fn(101, 61, |x, y| 3.0 * x as f32 - 2.0 * y as f32);
        for size in [(33, 17), (65, 129), (101, 2), (100, 60), (7, 61), (2, 3)] {
            let found = at_vertices(&plane, size, &Ctx::default()).unwrap();
            for ((x, y), &h) in found.iter() {
                let (px, py) =
                    (100.0 * x as f64 / (size.0 - 1) as f64, 60.0 * y as f64 / (size.1 - 1) as f64);
                let wrong = (f64::from(h) - (3.0 * px - 2.0 * py)).abs();
                assert!(wrong < 1e-3, "{size:?} {x} {y}: {wrong}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(80))]

        #[test]
        fn no_vertex_lies_beyond_the_old_cells_around_it(
            (w, h) in (1usize..40, 1usize..40), (columns, rows) in (2usize..50, 2usize..50), seed: u64
        ) {
            let map = random(w, h, seed);
            let new = at_vertices(&map, (columns, rows), &Ctx::default()).unwrap();
            let around = |i: usize, old: usize, new: usize| {
                let step = (old - 1) as f64 / (new - 1) as f64;
                let (place, reach) = (step * i as f64, step.max(1.0));
                (place - reach).floor().max(0.0) as usize..=((place + reach).ceil() as usize).min(old - 1)
            };
            for ((x, y), &h) in new.iter() {
                let near = around(y, map.height(), rows)
                    .flat_map(|y| around(x, map.width(), columns).map(move |x| (x, y)));
                let (low, high) = near.fold((f32::MAX, f32::MIN), |(a, b), at| (a.min(map[at]), b.max(map[at])));
                prop_assert!(low - 1e-3 <= h && h <= high + 1e-3, "{x}, {y}: {h} beyond {low} to {high}");
            }
        }

        #[test]
        fn no_value_lies_beyond_the_four_old_cells_around_it(
            (w, h) in (1usize..12, 1usize..12), (more_w, more_h) in (0usize..30, 0usize..30), seed: u64
        ) {
            let map = random(w, h, seed);
            let new = made(&map, (w + more_w, h + more_h), Values::Measure);
            for y in 0..new.height() {
                for x in 0..new.width() {
                    let near = |i: usize, old: usize, new: usize| {
                        let place = ((i as f64 + 0.5) * old as f64 / new as f64 - 0.5).clamp(0.0, old as f64 - 1.0);
                        [place.floor() as usize, place.ceil() as usize]
                    };
                    let (xs, ys) = (near(x, w, new.width()), near(y, h, new.height()));
                    let around: Vec<f32> = ys.iter().flat_map(|&y| xs.map(|x| map[(x, y)])).collect();
                    let (low, high) = (around.iter().fold(f32::MAX, |a, &b| a.min(b)), around.iter().fold(f32::MIN, |a, &b| a.max(b)));
                    prop_assert!((low..=high).contains(&new[(x, y)]), "{} at {x},{y}: {around:?}", new[(x, y)]);
                }
            }
        }

        #[test]
        fn fewer_cells_keep_the_mean(
            (w, h) in (1usize..40, 1usize..40), (less_w, less_h) in (0usize..39, 0usize..39), seed: u64
        ) {
            let map = random(w, h, seed);
            let new = made(&map, (w.saturating_sub(less_w).max(1), h.saturating_sub(less_h).max(1)), Values::Measure);
            prop_assert!((mean(&new) - mean(&map)).abs() < 1e-3, "{} {}", mean(&new), mean(&map));
        }
    }

    #[test]
    fn the_same_size_changes_nothing_and_a_plane_stays_a_plane() {
        let map = random(7, 5, 3);
        assert_eq!(made(&map, (7, 5), Values::Measure), map);
        let plane = |step: f64| {
            move |x: usize, y: usize| (3.0 * (x as f64 + 0.5) * step + 2.0 * (y as f64 + 0.5) * step) as f32
        };
        let old = Grid::from_fn(24, 24, plane(1.0));
        for (side, step) in [(48, 0.5), (12, 2.0), (36, 2.0 / 3.0), (8, 3.0)] {
            let (new, wanted) =
                (made(&old, (side, side), Values::Measure), Grid::from_fn(side, side, plane(step)));
            // Beyond the centres of the outermost cells nothing is known.
            let rim = (1.0 / step).ceil() as usize;
            for y in rim..side - rim {
                for x in rim..side - rim {
                    assert!((new[(x, y)] - wanted[(x, y)]).abs() < 1e-4, "{side}: {x},{y}");
                }
            }
        }
    }

    #[test]
    fn ground_that_slopes_on_to_the_edge_stays_a_plane_there_and_is_the_same_inside() {
        let plane = |step: f64| {
            move |x: usize, y: usize| (3.0 * (x as f64 + 0.5) * step - 2.0 * (y as f64 + 0.5) * step) as f32
        };
        for (side, step) in [(48, 0.5), (36, 2.0 / 3.0), (24, 1.0), (12, 2.0)] {
            let found = resampled_to_edges(&Grid::from_fn(24, 24, plane(1.0)), (side, side), &Ctx::default());
            for ((x, y), &h) in found.unwrap().iter() {
                assert!((h - plane(step)(x, y)).abs() < 1e-4, "{side}: {x}, {y}: {h}");
            }
        }
        let map = random(9, 7, 3);
        let (level, sloping) = (
            made(&map, (36, 28), Values::Measure),
            resampled_to_edges(&map, (36, 28), &Ctx::default()).unwrap(),
        );
        for y in 2..26 {
            assert_eq!(level.row(y)[2..34], sloping.row(y)[2..34]);
        }
        assert_eq!(
            resampled_to_edges(&Grid::filled(1, 1, 4.0), (3, 3), &Ctx::default()).unwrap(),
            Grid::filled(3, 3, 4.0)
        );
    }

    #[test]
    fn more_cells_are_smooth_where_the_ground_is() {
        // A hill of a cosine: four times the cells are within a hundredth of its height of the truth.
        let hill = |place: f64| 100.0 * crate::math::cos(place * 0.4);
        let old = Grid::from_fn(40, 1, |x, _| hill(x as f64) as f32);
        let new = made(&old, (160, 1), Values::Measure);
        for x in 8..152 {
            let place = (x as f64 + 0.5) / 4.0 - 0.5;
            assert!((new[(x, 0)] as f64 - hill(place)).abs() < 2.5, "{x}: {} {}", new[(x, 0)], hill(place));
        }
    }

    #[test]
    fn what_is_no_number_stays_none_and_goes_no_further_than_its_neighbours() {
        let mut map = random(9, 1, 5);
        map[(4, 0)] = f32::NAN;
        let more = made(&map, (27, 1), Values::Measure);
        let none: Vec<usize> = (0..27).filter(|&x| more[(x, 0)].is_nan()).collect();
        // Between the centres of the cells 3 and 5.
        assert_eq!(none, [11, 12, 13, 14, 15]);
        let fewer = made(&map, (3, 1), Values::Measure);
        assert!(!fewer[(0, 0)].is_nan() && fewer[(1, 0)].is_nan() && !fewer[(2, 0)].is_nan());
    }

    #[test]
    fn masks_stay_masks_by_the_larger_share_or_the_nearest_cell() {
        let mask = Grid::from_vec(4, 2, vec![1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(made(&mask, (2, 1), Values::Mask).cells(), [1.0, 1.0]);
        assert_eq!(made(&mask, (1, 2), Values::Mask).cells(), [1.0, 0.0]);
        let twice = made(&mask, (8, 4), Values::Mask);
        for y in 0..4 {
            for x in 0..8 {
                assert_eq!(twice[(x, y)], mask[(x / 2, y / 2)]);
            }
        }
    }
}
