//! Contour lines by marching squares.
//!
//! The samples of four neighbouring cells are the corners of a *square*. A corner is above if its value is at least the
//! level. A line crosses each side of a square that has one corner above and one below, at the point given by linear
//! interpolation. Squares share their sides, so the pieces of neighbouring squares meet in exactly the same point and are
//! joined by the number of the side alone. Every piece has the higher ground on its right, so each side ends one piece and
//! begins the next.

use crate::{Ctx, Grid, Result, par};

/// One contour line.
#[doc(alias = "isoline")]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contour {
    /// Its height.
    pub level: f32,
    /// Its points, as [`lines`] gives them.
    pub points: Vec<(f64, f64)>,
}

/// A piece of a line across one square: the numbers of the two sides that it joins, with the higher ground on its right.
type Piece = (u64, u64);

/// The contour lines on which `field` has the value `level`, in cells: the sample of cell (x, y) lies at (x + ½, y + ½).
///
/// A line ends at the border or is a ring, which repeats its first point. The higher ground lies on the right as seen along
/// the line, with y pointing south. A value equal to the level counts as above. A saddle, a square with two opposite corners
/// above and two below, is decided by the mean of the four: if it is above, the higher corners are joined. Squares with a
/// corner that is not finite are skipped, and lines end there. Open lines come before rings; each kind is ordered, row by
/// row, by the first square of a line, or by the first of all squares of a ring.
///
/// Reach: 1 cell. Cost: linear in the squares, and n log n for n crossed ones.
///
/// ```
/// use weald_core::{Grid, contour};
///
/// // A single peak of 2 m on level ground has one ring at 1 m, halfway down.
/// let mut ground = Grid::filled(3, 3, 0.0);
/// ground[(1, 1)] = 2.0;
/// let lines = contour::lines(&ground, 1.0);
/// assert_eq!((lines.len(), lines[0].len()), (1, 5));
/// assert_eq!(lines[0][0], lines[0][4]);
/// assert!(lines[0].contains(&(1.5, 1.0)));
/// ```
#[doc(alias = "isoline")]
#[doc(alias = "marching squares")]
#[doc(alias = "level set")]
pub fn lines(field: &Grid<f32>, level: f32) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = Vec::new();
    if field.width() > 1 {
        for y in 1..field.height() {
            for_squares(field, y - 1, |x, corners, low, high| {
                if low < level && level <= high {
                    across(field.width(), (x, y - 1), corners, level, |piece| pieces.push(piece));
                }
            });
        }
    }
    joined(field, level, &pieces)
}

/// The contour lines at every multiple of the interval `step`, from the lowest level to the highest; within a level in the
/// order of [`lines`]. The level of the k-th multiple is k · `step` rounded to 32 bits.
///
/// Reach: 1 cell. Cost: as [`lines`]; bands of squares, then levels, in parallel.
///
/// ```
/// use weald_core::{Ctx, Grid, contour};
///
/// // A ramp from 0 to 8 m that rises to the east.
/// let ramp = Grid::from_fn(5, 4, |x, _| 2.0 * x as f32);
/// let contours = contour::every(&ramp, 3.0, &Ctx::default())?;
/// assert_eq!(contours.iter().map(|c| c.level).collect::<Vec<_>>(), [3.0, 6.0]);
/// assert!(contours[0].points.iter().all(|p| p.0 == 2.0));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If `step` is not a positive number.
#[doc(alias = "isoline")]
#[doc(alias = "contour interval")]
#[doc(alias = "marching squares")]
pub fn every(field: &Grid<f32>, step: f32, ctx: &Ctx) -> Result<Vec<Contour>> {
    /// Number of rows of squares in a task.
    const BAND: usize = 16;
    assert!(step > 0.0 && step.is_finite(), "contours need a positive step, not {step}");
    let level = |k: i64| (k as f64 * step as f64) as f32;
    let rows = if field.width() > 1 { field.height().saturating_sub(1) } else { 0 };
    let bands = par::map(rows.div_ceil(BAND), ctx, |band| {
        let mut found: Vec<(i64, Piece)> = Vec::new();
        // The search for the lowest level above a square begins at that of the previous square: land is smooth, and
        // division is slow.
        let first = field.row(band * BAND)[0];
        let mut k = if first.is_finite() { (first as f64 / step as f64).floor() as i64 } else { 0 };
        let (mut below, mut above) = (level(k - 1), level(k));
        for y in band * BAND..((band + 1) * BAND).min(rows) {
            for_squares(field, y, |x, corners, low, high| {
                while above <= low {
                    (k, below, above) = (k + 1, above, level(k + 1));
                }
                while below > low {
                    (k, below, above) = (k - 1, level(k - 2), below);
                }
                let (mut k, mut at) = (k, above);
                while at <= high {
                    across(field.width(), (x, y), corners, at, |piece| found.push((k, piece)));
                    (k, at) = (k + 1, level(k + 1));
                }
            });
        }
        found
    })?;
    let mut found: Vec<(i64, Piece)> = bands.concat();
    // Stable: within a level the squares stay in order.
    found.sort_by_key(|&(k, _)| k);
    let levels: Vec<&[(i64, Piece)]> = found.chunk_by(|a, b| a.0 == b.0).collect();
    let lines = par::map(levels.len(), ctx, |i| {
        let pieces: Vec<Piece> = levels[i].iter().map(|&(_, piece)| piece).collect();
        let level = level(levels[i][0].0);
        joined(field, level, &pieces).into_iter().map(|points| Contour { level, points }).collect::<Vec<_>>()
    })?;
    Ok(lines.concat())
}

/// Calls `with(x, corners, lowest, highest)` for the squares between row `y` and the next, except level ones and those with
/// a corner that is not finite. Corners are in the order north-west, north-east, south-east, south-west.
#[inline(always)]
fn for_squares(field: &Grid<f32>, y: usize, mut with: impl FnMut(usize, [f32; 4], f32, f32)) {
    let (north, south) = (field.row(y), field.row(y + 1));
    for (x, (n, s)) in north.windows(2).zip(south.windows(2)).enumerate() {
        let (low, high) = (n[0].min(n[1]).min(s[0]).min(s[1]), n[0].max(n[1]).max(s[0]).max(s[1]));
        // A sum is finite only if all its terms are, and finite terms overflow only far beyond any heights of land.
        if low < high && (n[0] + n[1] + s[0] + s[1]).is_finite() {
            with(x, [n[0], n[1], s[1], s[0]], low, high);
        }
    }
}

/// The pieces of one square. Side 2i leads east from the sample of cell i, side 2i + 1 south.
#[inline]
fn across(width: usize, (x, y): (usize, usize), corners: [f32; 4], level: f32, mut piece: impl FnMut(Piece)) {
    let i = (y * width + x) as u64;
    let (north, west) = (2 * i, 2 * i + 1);
    let (south, east) = (2 * (i + width as u64), 2 * (i + 1) + 1);
    let above = corners.map(|v| v >= level);
    let case = above.iter().fold(0u8, |bits, &a| bits << 1 | a as u8);
    match case {
        0b0000 | 0b1111 => {}
        0b1000 => piece((north, west)),
        0b0100 => piece((east, north)),
        0b0010 => piece((south, east)),
        0b0001 => piece((west, south)),
        0b1100 => piece((east, west)),
        0b0110 => piece((south, north)),
        0b0011 => piece((west, east)),
        0b1001 => piece((north, south)),
        0b0111 => piece((west, north)),
        0b1011 => piece((north, east)),
        0b1101 => piece((east, south)),
        0b1110 => piece((south, west)),
        0b1010 | 0b0101 => {
            let mean = corners.iter().map(|&v| v as f64).sum::<f64>() / 4.0;
            match (case, mean >= level as f64) {
                (0b1010, true) => [(north, east), (south, west)].map(piece),
                (0b1010, false) => [(north, west), (south, east)].map(piece),
                (_, true) => [(west, north), (east, south)].map(piece),
                (_, false) => [(east, north), (west, south)].map(piece),
            };
        }
        _ => unreachable!("four corners have sixteen cases"),
    }
}

/// The point of a side at which the field has the level.
fn point_on(field: &Grid<f32>, side: u64, level: f32) -> (f64, f64) {
    let cell = (side / 2) as usize;
    let (x, y) = (cell % field.width(), cell / field.width());
    let down = side % 2 == 1;
    let (a, b) = (field[(x, y)] as f64, if down { field[(x, y + 1)] } else { field[(x + 1, y)] } as f64);
    let t = (level as f64 - a) / (b - a);
    let (x, y) = (x as f64 + 0.5, y as f64 + 0.5);
    if down { (x, y + t) } else { (x + t, y) }
}

/// Joins pieces, which are in the order of their squares, into lines.
fn joined(field: &Grid<f32>, level: f32, pieces: &[Piece]) -> Vec<Vec<(f64, f64)>> {
    let order = |side: fn(&Piece) -> u64| {
        let mut list: Vec<(u64, u32)> =
            pieces.iter().enumerate().map(|(i, piece)| (side(piece), i as u32)).collect();
        list.sort_unstable();
        list
    };
    let (begins, ends) = (order(|p| p.0), order(|p| p.1));
    // Both lists are sorted, so one pass finds the piece that continues where another one ends.
    let mut next = vec![u32::MAX; pieces.len()];
    let mut first = vec![true; pieces.len()];
    let mut k = 0;
    for &(side, piece) in &ends {
        while k < begins.len() && begins[k].0 < side {
            k += 1;
        }
        if k < begins.len() && begins[k].0 == side {
            next[piece as usize] = begins[k].1;
            first[begins[k].1 as usize] = false;
        }
    }
    let mut taken = vec![false; pieces.len()];
    let mut lines = Vec::new();
    for open in [true, false] {
        for start in 0..pieces.len() {
            if taken[start] || (open && !first[start]) {
                continue;
            }
            let (mut line, mut at) = (vec![point_on(field, pieces[start].0, level)], start);
            loop {
                taken[at] = true;
                let to = next[at] as usize;
                if to == start {
                    line.push(line[0]);
                    break;
                }
                line.push(point_on(field, pieces[at].1, level));
                if to >= pieces.len() {
                    break;
                }
                at = to;
            }
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grid(w: usize, h: usize, value: impl Fn(f64, f64) -> f64) -> Grid<f32> {
        let cells = (0..w * h).map(|i| value((i % w) as f64 + 0.5, (i / w) as f64 + 0.5) as f32).collect();
        Grid::from_vec(w, h, cells)
    }

    /// Coarse heights, so that plateaus, saddles and values equal to the level are common.
    fn rough() -> impl Strategy<Value = Grid<f32>> {
        (1usize..14, 1usize..14).prop_flat_map(|(w, h)| {
            proptest::collection::vec(0i8..6, w * h)
                .prop_map(move |v| Grid::from_vec(w, h, v.into_iter().map(|v| v as f32).collect()))
        })
    }

    /// Crossed sides, counted one by one.
    fn crossed_sides(field: &Grid<f32>, level: f32) -> usize {
        let above = |x: usize, y: usize| field[(x, y)] >= level;
        let (w, h) = field.shape();
        let east =
            (0..h).flat_map(|y| (1..w).map(move |x| (x, y))).filter(|&(x, y)| above(x, y) != above(x - 1, y));
        let south =
            (1..h).flat_map(|y| (0..w).map(move |x| (x, y))).filter(|&(x, y)| above(x, y) != above(x, y - 1));
        // A side between two samples belongs to a square only if there is a second row or column.
        (if h > 1 { east.count() } else { 0 }) + if w > 1 { south.count() } else { 0 }
    }

    /// Pieces of lines, from the cases of each square.
    fn naive_pieces(field: &Grid<f32>, level: f32) -> usize {
        let mut count = 0;
        for y in 1..field.height() {
            for x in 1..field.width() {
                let a = [(x - 1, y - 1), (x, y - 1), (x, y), (x - 1, y)].map(|c| field[c] >= level);
                count += (0..4).filter(|&k| a[k] != a[(k + 1) % 4]).count() / 2;
            }
        }
        count
    }

    proptest! {
        #[test]
        fn every_vertex_lies_on_a_side_with_the_level_between_its_ends(field in rough(), half in 0i8..13) {
            let level = half as f32 / 2.0;
            for (x, y) in lines(&field, level).concat() {
                let (u, v) = (x - 0.5, y - 0.5);
                prop_assert!(u.fract() == 0.0 || v.fract() == 0.0, "({x}, {y})");
                let low = field[(u.floor() as usize, v.floor() as usize)] as f64;
                let high = field[(u.ceil() as usize, v.ceil() as usize)] as f64;
                let value = low + (high - low) * (u.fract() + v.fract());
                prop_assert!((value - level as f64).abs() < 1e-9, "{value} at ({x}, {y})");
            }
        }

        #[test]
        fn lines_end_only_at_the_border_or_close(field in rough(), half in 0i8..13) {
            let (w, h) = (field.width() as f64 - 0.5, field.height() as f64 - 0.5);
            for line in lines(&field, half as f32 / 2.0) {
                let ends = [line[0], line[line.len() - 1]];
                let border = |(x, y): (f64, f64)| x == 0.5 || y == 0.5 || x == w || y == h;
                prop_assert!(ends[0] == ends[1] || ends.into_iter().all(border), "{ends:?}");
            }
        }

        #[test]
        fn pieces_and_vertices_are_as_many_as_a_plain_count_finds(field in rough(), half in 0i8..13) {
            let level = half as f32 / 2.0;
            let lines = lines(&field, level);
            prop_assert_eq!(lines.iter().map(|l| l.len() - 1).sum::<usize>(), naive_pieces(&field, level));
            let vertices: usize = lines.iter().map(|l| l.len() - (l[0] == l[l.len() - 1]) as usize).sum();
            // A line of coarse heights may come back to a corner it has passed; it is then no ring.
            prop_assert!(vertices <= crossed_sides(&field, level));
        }

        #[test]
        fn all_levels_at_once_equal_one_level_after_the_other(field in rough(), tenth in 3u8..25) {
            let step = tenth as f32 / 10.0;
            let all = every(&field, step, &Ctx::default()).unwrap();
            let mut plain = Vec::new();
            for k in -1..30 {
                let level = (k as f64 * step as f64) as f32;
                plain.extend(lines(&field, level).into_iter().map(|points| Contour { level, points }));
            }
            prop_assert_eq!(all, plain);
        }

        #[test]
        fn the_higher_ground_lies_on_the_right(field in rough(), half in 0i8..13) {
            // Exact where the line crosses a whole square with a plain slope: look a little to the right of the middle.
            let level = half as f32 / 2.0 + 0.25;
            for line in lines(&field, level) {
                for w in line.windows(2) {
                    let (dx, dy) = (w[1].0 - w[0].0, w[1].1 - w[0].1);
                    let (mx, my) = ((w[0].0 + w[1].0) / 2.0, (w[0].1 + w[1].1) / 2.0);
                    // The corner of this square that is farthest to the right of the piece.
                    let (cx, cy) = ((mx - 0.5).floor() as usize, (my - 0.5).floor() as usize);
                    let side = |x: usize, y: usize| dx * (y as f64 + 0.5 - my) - dy * (x as f64 + 0.5 - mx);
                    let mut corners = [(cx, cy), (cx + 1, cy), (cx, cy + 1), (cx + 1, cy + 1)]
                        .map(|(x, y)| (side(x, y), field[(x, y)] >= level));
                    corners.sort_by(|a, b| a.0.total_cmp(&b.0));
                    let saddle = corners[0].1 == corners[3].1;
                    prop_assert!(saddle || corners[3].1, "{corners:?}");
                }
            }
        }
    }

    #[test]
    fn a_cone_gives_rings_of_the_right_radius() {
        let cone = grid(101, 101, |x, y| 60.0 - ((x - 50.5) * (x - 50.5) + (y - 50.5) * (y - 50.5)).sqrt());
        for contour in every(&cone, 10.0, &Ctx::default()).unwrap().iter().filter(|c| c.level >= 20.0) {
            assert_eq!(contour.points[0], contour.points[contour.points.len() - 1]);
            for (x, y) in &contour.points {
                let radius = ((x - 50.5) * (x - 50.5) + (y - 50.5) * (y - 50.5)).sqrt();
                let wanted = 60.0 - contour.level as f64;
                assert!((radius - wanted).abs() < 0.13, "{radius} for {wanted}");
            }
        }
        // A single sample is higher than 59.9, and the ring around it is a small one.
        assert_eq!(lines(&cone, 59.9)[0].len(), 5);
    }

    #[test]
    fn a_plane_gives_straight_lines_from_border_to_border() {
        let plane = grid(40, 30, |x, y| 2.0 * x + y);
        let contours = every(&plane, 7.0, &Ctx::default()).unwrap();
        assert_eq!(contours.len(), 15);
        for contour in contours {
            for (x, y) in contour.points {
                assert!((2.0 * x + y - contour.level as f64).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn a_plateau_exactly_at_the_level_is_above_it_and_has_one_edge() {
        let mut field = Grid::filled(9, 9, 3.0f32);
        assert!(lines(&field, 3.0).is_empty(), "level ground has no line");
        for y in 0..9 {
            for x in 0..3 {
                field[(x, y)] = 2.0;
            }
        }
        let found = lines(&field, 3.0);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].iter().all(|&(x, _)| x == 3.5),
            "the edge runs through the first samples of the plateau"
        );
    }

    #[test]
    fn a_saddle_is_decided_by_the_mean_of_its_corners() {
        let saddle = |high: f32| Grid::from_vec(2, 2, vec![high, 0.0, 0.0, high]);
        // Mean above: the low corners are cut off by themselves.
        let joined = lines(&saddle(4.0), 1.0);
        assert_eq!(joined, [vec![(1.25, 0.5), (1.5, 0.75)], vec![(0.75, 1.5), (0.5, 1.25)]]);
        let apart = lines(&saddle(4.0), 3.0);
        assert_eq!(apart, [vec![(0.75, 0.5), (0.5, 0.75)], vec![(1.25, 1.5), (1.5, 1.25)]]);
    }

    #[test]
    fn grids_without_squares_have_no_lines_and_holes_end_them() {
        for (w, h) in [(0, 0), (0, 5), (1, 5), (5, 1)] {
            let field = grid(w, h, |x, y| x + y);
            assert!(lines(&field, 2.0).is_empty());
            assert!(every(&field, 1.0, &Ctx::default()).unwrap().is_empty());
        }
        let mut field = grid(9, 9, |x, _| x);
        field[(4, 4)] = f32::NAN;
        assert_eq!(lines(&field, 4.9).len(), 2);
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn the_result_does_not_depend_on_the_number_of_threads() {
        let hills =
            grid(160, 120, |x, y| 50.0 * crate::math::sin(x / 9.0) * crate::math::cos(y / 7.0) + x / 5.0);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| every(&hills, 3.0, &Ctx::default()).unwrap())
        };
        let one = with(1);
        assert!(one.len() > 100);
        assert_eq!(one, with(2));
        assert_eq!(one, with(7));
    }
}
