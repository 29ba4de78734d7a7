//! Polylines: length, dividers, smoothing, simplification and rasterisation.
//!
//! A point is `(x, y)` in any unit, the same for both axes. Lines may cross themselves and visit a point twice.

use crate::math;

/// A point, as (x, y).
pub type Point = (f64, f64);

/// Values with linear interpolation: points, or points that carry a measure.
pub trait Lerp: Copy {
    /// Interpolates from `self` at `t` = 0 to `other` at `t` = 1.
    fn lerp(self, other: Self, t: f64) -> Self;
}

/// Something that has a place.
pub trait Placed {
    /// Where it is.
    fn place(&self) -> Point;
}

impl Placed for Point {
    fn place(&self) -> Point {
        *self
    }
}

impl Lerp for Point {
    fn lerp(self, other: Self, t: f64) -> Self {
        (self.0 + (other.0 - self.0) * t, self.1 + (other.1 - self.1) * t)
    }
}

/// Length of a line from its first point to its last; 0 for fewer than two points.
///
/// ```
/// use weald_core::line;
///
/// assert_eq!(line::length(&[(0.0, 0.0), (3.0, 4.0), (3.0, 6.0)]), 7.0);
/// ```
pub fn length(points: &[Point]) -> f64 {
    points.windows(2).fold(0.0, |sum, w| sum + apart(w[0], w[1]))
}

/// Distance between two points.
fn apart(a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    (dx * dx + dy * dy).sqrt()
}

/// Length of a line as dividers that are opened by `step` measure it: the number of their steps, times `step`. They walk from point
/// to point: from the first point to the next one that is at least `step` away, from there on likewise, and so on. What is
/// left at the end is not counted.
///
/// How this length falls as the step grows is the roughness of a line: length ∝ step^(1 − D), with the fractal dimension D
/// (Mandelbrot 1967, doi:10.1126/science.156.3775.636). As a step ends at a point, it is a little longer than `step`; so the
/// length comes out too short, the more the fewer points there are within a step. Cost: linear.
///
/// ```
/// use weald_core::line;
///
/// let zigzag: Vec<_> = (0..9).map(|i| (i as f64, (i % 2) as f64)).collect();
/// assert_eq!(line::divider_length(&zigzag, 1.0), 8.0);
/// assert_eq!(line::divider_length(&zigzag, 2.0), 8.0);
/// assert_eq!(line::divider_length(&zigzag, 2.5), 5.0);
/// assert_eq!(line::divider_length(&zigzag, 9.0), 0.0);
/// ```
#[doc(alias = "Richardson")]
#[doc(alias = "yardstick")]
#[doc(alias = "fractal dimension")]
pub fn divider_length(points: &[Point], step: f64) -> f64 {
    let (mut at, mut steps) = (0, 0u64);
    for i in 1..points.len() {
        if apart(points[at], points[i]) >= step {
            (at, steps) = (i, steps + 1);
        }
    }
    steps as f64 * step
}

/// Smooths a line by corner cutting: each round replaces every segment by its points at ¼ and ¾ and keeps the first and the
/// last point of the line (Chaikin 1974, doi:10.1016/0146-664X(74)90028-8). The line converges to a quadratic spline. The
/// number of points about doubles in each round; lines of fewer than three points have no corner and do not change.
///
/// ```
/// use weald_core::line;
///
/// let corner = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)];
/// let smooth = line::smooth(&corner, 1);
/// assert_eq!(smooth, [(0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (4.0, 1.0), (4.0, 3.0), (4.0, 4.0)]);
/// ```
#[doc(alias = "Chaikin")]
#[doc(alias = "corner cutting")]
pub fn smooth<P: Lerp>(points: &[P], rounds: usize) -> Vec<P> {
    let mut line = points.to_vec();
    if points.len() < 3 {
        return line;
    }
    for _ in 0..rounds {
        let mut cut = Vec::with_capacity(2 * line.len());
        cut.push(line[0]);
        for w in line.windows(2) {
            cut.push(w[0].lerp(w[1], 0.25));
            cut.push(w[0].lerp(w[1], 0.75));
        }
        cut.push(line[line.len() - 1]);
        line = cut;
    }
    line
}

/// The line with each inner point moved to the weighted mean (1, 2, 1)/4 of itself and its neighbours, `rounds` times. Steps of a
/// chain of cells become a smooth line, the ends stay, and the number of points too.
///
/// ```
/// use weald_core::line;
///
/// assert_eq!(line::rounded(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)], 1), [(0.0, 0.0), (3.0, 1.0), (4.0, 4.0)]);
/// ```
pub fn rounded(points: &[Point], rounds: usize) -> Vec<Point> {
    let mut line = points.to_vec();
    for _ in 0..rounds {
        let last = line.clone();
        for (out, w) in line.iter_mut().skip(1).zip(last.windows(3)) {
            let mean = |a: f64, b: f64, c: f64| (a + 2.0 * b + c) / 4.0;
            *out = (mean(w[0].0, w[1].0, w[2].0), mean(w[0].1, w[1].1, w[2].1));
        }
    }
    line
}

/// The line with points added between its own, so that no two neighbours are farther apart than `step`.
#[doc(alias = "densify")]
pub fn dense<P: Lerp + Placed>(line: &[P], step: f64) -> Vec<P> {
    let mut out: Vec<P> = line.first().copied().into_iter().collect();
    for w in line.windows(2) {
        let pieces = (apart(w[0].place(), w[1].place()) / step).ceil().max(1.0) as usize;
        out.extend(
            (1..=pieces).map(|k| if k == pieces { w[1] } else { w[0].lerp(w[1], k as f64 / pieces as f64) }),
        );
    }
    out
}

/// Squared distance of `p` from the segment from `a` to `b`.
fn square_from(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let long = dx * dx + dy * dy;
    let t = if long > 0.0 { math::clamp01(((p.0 - a.0) * dx + (p.1 - a.1) * dy) / long) } else { 0.0 };
    let (ex, ey) = (p.0 - (a.0 + dx * t), p.1 - (a.1 + dy * t));
    ex * ex + ey * ey
}

/// Simplifies a line: the indices of the points to keep, so that every dropped point is at most `tolerance` from the segment
/// between its kept neighbours. The first and the last point are kept.
///
/// The point farthest from the segment between two kept points, the first of equally far ones, is kept if it is farther than
/// `tolerance`, and so on for both halves (Douglas, Peucker 1973, doi:10.3138/FM57-6770-U75U-7727). Cost: n log n for most
/// lines, n² at worst.
///
/// ```
/// use weald_core::line;
///
/// let line = [(0.0, 0.0), (1.0, 0.1), (2.0, -0.1), (3.0, 5.0), (4.0, 0.0)];
/// assert_eq!(line::simplify(&line, 0.5), [0, 2, 3, 4]);
/// ```
#[doc(alias = "Douglas-Peucker")]
#[doc(alias = "Ramer-Douglas-Peucker")]
#[doc(alias = "generalise")]
pub fn simplify(points: &[Point], tolerance: f64) -> Vec<usize> {
    let mut keep = vec![false; points.len()];
    let Some(end) = points.len().checked_sub(1) else { return Vec::new() };
    (keep[0], keep[end]) = (true, true);
    let mut segments = vec![(0, end)];
    while let Some((first, last)) = segments.pop() {
        let mut farthest = (tolerance * tolerance, first);
        for i in first + 1..last {
            let square = square_from(points[i], points[first], points[last]);
            if square > farthest.0 {
                farthest = (square, i);
            }
        }
        if farthest.1 > first {
            keep[farthest.1] = true;
            segments.push((first, farthest.1));
            segments.push((farthest.1, last));
        }
    }
    (0..points.len()).filter(|&i| keep[i]).collect()
}

/// The proportions of a meandering river.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meander {
    /// Distance along the river from one bend to the next on the same side.
    pub wavelength: f64,
    /// The greatest distance of a bend from the straight course.
    pub amplitude: f64,
}

/// The parts of a line inside the rectangle from `low` to `high`, in order. A piece p + t·d lies inside between the largest of its entries and the
/// smallest of its exits (Liang and Barsky 1984, doi:10.1145/357332.357333). Cost: linear.
///
/// ```
/// use weald_core::line;
///
/// let parts = line::clipped(&[(-1.0, 1.0), (3.0, 1.0)], (0.0, 0.0), (2.0, 2.0));
/// assert_eq!(parts, [[(0.0, 1.0), (2.0, 1.0)]]);
/// ```
pub fn clipped(line: &[Point], low: Point, high: Point) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = Vec::new();
    for w in line.windows(2) {
        let (a, d) = (w[0], (w[1].0 - w[0].0, w[1].1 - w[0].1));
        // The share of the piece that lies between the two lines of each axis.
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for (start, step, low, high) in [(a.0, d.0, low.0, high.0), (a.1, d.1, low.1, high.1)] {
            if step == 0.0 {
                if start < low || start > high {
                    to = -1.0;
                }
            } else {
                let (t0, t1) = ((low - start) / step, (high - start) / step);
                from = from.max(t0.min(t1));
                to = to.min(t0.max(t1));
            }
        }
        if from >= to || !from.is_finite() || !to.is_finite() {
            continue;
        }
        let at = |t: f64| (a.0 + d.0 * t, a.1 + d.1 * t);
        let first = if from == 0.0 { w[0] } else { at(from) };
        let last = if to == 1.0 { w[1] } else { at(to) };
        match parts.last_mut() {
            Some(part) if from == 0.0 && part.last() == Some(&first) => part.push(last),
            _ => parts.push(vec![first, last]),
        }
    }
    parts
}

/// Rasterises a line: the indices of the cells of a map that it passes, in its order. The unit of the points is a cell and
/// the origin the north-west corner of the map, so that cell (x, y) covers x to x + 1 and y to y + 1.
///
/// Each cell is one of the eight neighbours of the previous one. The cell of every vertex is included. Between vertices a
/// segment has one cell for each column that it passes, or for each row if it is steeper than a diagonal: the cell at the
/// midpoint of its part in that column. Cells outside the map are left out, so a line that leaves the map continues at
/// the cell where it returns. Cost: linear in the vertices and in the resulting cells, however far outside the line goes.
///
/// ```
/// use weald_core::line;
///
/// // From the first cell of a 5 × 3 map to its last one.
/// assert_eq!(line::rasterise(&[(0.5, 0.5), (4.5, 2.4)], 5, 3), [0, 1, 7, 8, 14]);
/// ```
#[doc(alias = "Bresenham")]
#[doc(alias = "DDA")]
#[doc(alias = "rasterize")]
pub fn rasterise(points: &[Point], width: usize, height: usize) -> Vec<usize> {
    let mut chain = Chain { width, height, last: None, cells: Vec::new() };
    for w in points.windows(2) {
        chain.pass(cell_of(w[0]));
        chain.step(w[0], w[1]);
    }
    if let Some(&end) = points.last() {
        chain.pass(cell_of(end));
    }
    chain.cells
}

/// Column and row of the cell that holds a point.
fn cell_of(p: Point) -> (i64, i64) {
    (p.0.floor() as i64, p.1.floor() as i64)
}

/// A chain of neighbouring cells.
struct Chain {
    width: usize,
    height: usize,
    /// The previous cell, unless it was outside the map.
    last: Option<(i64, i64)>,
    cells: Vec<usize>,
}

impl Chain {
    /// The cells of the columns or rows between two points.
    fn step(&mut self, a: Point, b: Point) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let flat = dx.abs() >= dy.abs();
        let turn = |(x, y): Point| if flat { (x, y) } else { (y, x) };
        let ((a0, a1), (b0, b1)) = (turn(a), turn(b));
        let size = if flat { self.width } else { self.height } as i64;
        let (low, high) = (a0.min(b0), a0.max(b0));
        if low == high {
            return;
        }
        let (first, last) = ((low.floor() as i64).max(0), (high.floor() as i64).min(size - 1));
        let mut visit = |column: i64| {
            let middle = ((column as f64).max(low) + ((column + 1) as f64).min(high)) / 2.0;
            let across = a1 + (middle - a0) / (b0 - a0) * (b1 - a1);
            self.pass(cell_of(turn((middle, across.clamp(a1.min(b1), a1.max(b1))))));
        };
        if a0 < b0 {
            (first..=last).for_each(&mut visit);
        } else {
            (first..=last).rev().for_each(&mut visit);
        }
    }

    /// Adds a cell, and the cells missing between it and the previous one if rounding has separated them.
    fn pass(&mut self, (x, y): (i64, i64)) {
        let inside = x >= 0 && y >= 0 && x < self.width as i64 && y < self.height as i64;
        if !inside {
            self.last = None;
            return;
        }
        let (mut cx, mut cy) = self.last.unwrap_or((x, y));
        while (x - cx).abs().max((y - cy).abs()) > 1 {
            (cx, cy) = (cx + (x - cx).signum(), cy + (y - cy).signum());
            self.cells.push(cy as usize * self.width + cx as usize);
        }
        let cell = y as usize * self.width + x as usize;
        if self.cells.last() != Some(&cell) {
            self.cells.push(cell);
        }
        self.last = Some((x, y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// Points on a lattice of sixteenths, where equal places and exact diagonals are common, or anywhere.
    fn lines(most: f64) -> impl Strategy<Value = Vec<Point>> {
        let lattice = |most: f64| (0..(16.0 * most) as i32).prop_map(|v| v as f64 / 16.0);
        prop_oneof![vec((0.0..most, 0.0..most), 0..30), vec((lattice(most), lattice(most)), 0..30)]
    }

    /// Distance of a point from a line of at least one point.
    fn from_line(p: Point, line: &[Point]) -> f64 {
        let nearest = line.windows(2).map(|w| square_from(p, w[0], w[1])).fold(f64::INFINITY, f64::min);
        nearest.sqrt().min(apart(p, line[0]))
    }

    proptest! {
        #[test]
        fn a_clipped_line_is_what_lies_inside(points in vec((-20i32..20, -20i32..20), 2..9)) {
            let line: Vec<Point> = points.iter().map(|p| (p.0 as f64, p.1 as f64)).collect();
            let inside = |p: Point| p.0.abs() <= 10.0 + 1e-9 && p.1.abs() <= 10.0 + 1e-9;
            let parts = clipped(&line, (-10.0, -10.0), (10.0, 10.0));
            prop_assert!(parts.iter().flatten().all(|p| inside(*p)));
            // The line in a thousand steps a piece: those inside make up its length.
            let plain: f64 = line
                .windows(2)
                .map(|w| {
                    let at = |t: f64| (w[0].0 + (w[1].0 - w[0].0) * t, w[0].1 + (w[1].1 - w[0].1) * t);
                    (0..1000).filter(|i| inside(at((*i as f64 + 0.5) / 1000.0))).count() as f64 / 1000.0 * length(w)
                })
                .sum();
            let cut: f64 = parts.iter().map(|p| length(p)).sum();
            prop_assert!((cut - plain).abs() < 0.06 * line.len() as f64, "{cut} {plain}");
        }

        #[test]
        fn a_smooth_line_keeps_its_ends_and_is_not_longer(line in lines(50.0), rounds in 0usize..5) {
            let curve = smooth(&line, rounds);
            prop_assert_eq!(curve.first(), line.first());
            prop_assert_eq!(curve.last(), line.last());
            prop_assert!(length(&curve) <= length(&line) + 1e-9);
            // The first cuts lie on the line, and each further round moves inwards from there.
            let step = line.windows(2).map(|w| apart(w[0], w[1])).fold(0.0, f64::max);
            let most = if rounds > 1 { step / 4.0 } else { 0.0 };
            prop_assert!(curve.iter().all(|&p| from_line(p, &line) <= most + 1e-9));
        }

        #[test]
        fn every_point_left_out_is_near_the_stretch_between_its_kept_neighbours(
            line in lines(20.0), tolerance in 0.0f64..8.0
        ) {
            let kept = simplify(&line, tolerance);
            prop_assert_eq!(kept.first().copied(), (!line.is_empty()).then_some(0));
            prop_assert_eq!(kept.last().copied(), line.len().checked_sub(1));
            for w in kept.windows(2) {
                prop_assert!(w[0] < w[1]);
                for i in w[0]..w[1] {
                    prop_assert!(from_line(line[i], &[line[w[0]], line[w[1]]]) <= tolerance + 1e-9);
                }
            }
        }

        #[test]
        fn a_chain_of_cells_is_connected_and_passes_every_vertex_and_nothing_else(line in lines(30.0)) {
            let cells = rasterise(&line, 30, 30);
            for w in cells.windows(2) {
                let (dx, dy) = ((w[0] % 30).abs_diff(w[1] % 30), (w[0] / 30).abs_diff(w[1] / 30));
                prop_assert_eq!(dx.max(dy), 1, "{:?}", w);
            }
            // The vertices come in their order; two in a row may share a cell.
            let mut at = 0;
            for &p in &line {
                let cell = p.1 as usize * 30 + p.0 as usize;
                let next = cells[at..].iter().position(|&c| c == cell);
                prop_assert!(next.is_some(), "vertex {:?}", p);
                at += next.unwrap_or(0);
            }
            for &c in &cells {
                // The line touches the cell: its nearest point to the cell centre lies within it.
                let middle = ((c % 30) as f64 + 0.5, (c / 30) as f64 + 0.5);
                prop_assert!(from_line(middle, &line) <= 0.5f64.sqrt() + 1e-9, "cell {}", c);
            }
        }
    }

    #[test]
    fn lengths_of_a_triangle_a_point_and_nothing() {
        assert_eq!(length(&[(0.0, 0.0), (3.0, 4.0), (3.0, 0.0), (0.0, 0.0)]), 12.0);
        assert_eq!((length(&[(1.0, 1.0)]), length(&[])), (0.0, 0.0));
    }

    #[test]
    fn corners_are_cut_at_a_quarter() {
        let line = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)];
        let once = [(0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (4.0, 1.0), (4.0, 3.0), (4.0, 4.0)];
        assert_eq!(smooth(&line, 1), once);
        assert_eq!(smooth(&line[..2], 4), line[..2]);
    }

    #[test]
    fn a_straight_line_needs_two_points_and_a_loop_its_farthest() {
        let line: Vec<Point> = (0..9).map(|i| (i as f64, 2.0 * i as f64)).collect();
        assert_eq!(simplify(&line, 1e-9), [0, 8]);
        assert_eq!(simplify(&[(0.0, 0.0), (4.0, 1.0), (0.0, 2.0), (0.0, 0.0)], 0.9), [0, 1, 2, 3]);
        // Beyond the end of a segment is as far as beside it.
        assert_eq!(simplify(&[(0.0, 0.0), (5.0, 0.0), (1.0, 0.0)], 1.0), [0, 1, 2]);
    }

    #[test]
    fn what_lies_outside_the_map_is_left_out() {
        let row = rasterise(&[(-1e15, 1.5), (1e15, 1.5)], 6, 3);
        assert_eq!(row, [6, 7, 8, 9, 10, 11]);
        let column = rasterise(&[(2.5, 1e300), (2.5, -1e300)], 6, 3);
        assert_eq!(column, [14, 8, 2]);
        assert!(rasterise(&[(-5.0, -1.0), (50.0, -0.1), (60.0, 9.0)], 6, 3).is_empty());
        // Out to the east and back by another row.
        let loop_ = rasterise(&[(4.5, 0.5), (9.5, 0.5), (9.5, 2.5), (4.5, 2.5)], 6, 3);
        assert_eq!(loop_, [4, 5, 17, 16]);
        // Out and back by the same cell.
        assert_eq!(rasterise(&[(5.5, 0.5), (7.0, 0.5), (5.5, 0.5)], 6, 3), [5]);
    }

    #[test]
    fn a_diagonal_has_a_cell_for_each_column_and_a_point_has_one() {
        assert_eq!(rasterise(&[(0.5, 0.5), (3.5, 3.5)], 4, 4), [0, 5, 10, 15]);
        assert_eq!(rasterise(&[(3.5, 3.5), (0.5, 0.5)], 4, 4), [15, 10, 5, 0]);
        assert_eq!(rasterise(&[(1.2, 2.9)], 4, 4), [9]);
        assert!(rasterise(&[], 4, 4).is_empty());
    }
}
