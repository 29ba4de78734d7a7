//! River beds cut into the ground.

use crate::frame::Frame;
use crate::grid::Grid;
use crate::line::Point;
use crate::math;

/// A vertex of a river.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bed {
    /// Where it is, in metres.
    pub at: Point,
    /// Height of the water, in metres.
    pub level_m: f64,
    /// Width of the water, in metres.
    pub width_m: f64,
    /// Greatest depth of the water, in metres.
    pub depth_m: f64,
}

/// The banks beside a bed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Banks {
    /// The steepest bank, as rise over run.
    pub steepest: f64,
    /// How far the ground beside the water is shaped, in widths of the river; at least one cell.
    pub reach: f64,
    /// Ground at this height or lower is sea, which rivers leave as it is.
    pub sea_m: Option<f32>,
}

/// Banks of at most 60 % within one and a half widths of the water.
impl Default for Banks {
    fn default() -> Self {
        Self { steepest: 0.6, reach: 1.5, sea_m: None }
    }
}

/// Height of the ground next to the water above it, at least, in metres: it keeps the water in its bed.
const BANK_M: f32 = 0.02;

/// Marks after which those that do not count are dropped.
const MARKS: usize = 1 << 22;

/// What a river makes of a cell.
#[derive(Clone, Copy)]
struct Mark {
    cell: u32,
    /// Distance from the water's edge in metres, below 0 in the water.
    edge: f32,
    level: f32,
    bed: f32,
}

/// Cuts river beds into the ground and returns the cells of the water, in ascending order.
///
/// The water covers every cell whose centre is within half the width of a line, or half a cell if that is more, so that a
/// narrow river is a chain of neighbouring cells. There the ground becomes level − depth · (1 − t²), where t is the distance from
/// the middle cell over half the width: along the line the bed falls as the level does. Beside the water, the ground at
/// the distance r from it is at most level + steepest · r, and in the first cell at least a little above the level. Where
/// rivers meet, a cell takes the lowest bed, or the nearest water. Levels should fall along each line. Reach: half a width
/// and the banks. Cost: linear in the cells near rivers.
pub fn cut_beds(height: &mut Grid<f32>, frame: &Frame, lines: &[Vec<Bed>], banks: &Banks) -> Vec<u32> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut most = MARKS;
    for pair in lines.iter().flat_map(|line| line.windows(2)) {
        mark(frame, pair[0], pair[1], banks, &mut marks);
        if marks.len() > most {
            keep_best(&mut marks);
            most = 2 * marks.len() + MARKS;
        }
    }
    keep_best(&mut marks);
    let mut water = Vec::new();
    for m in &marks {
        let ground = &mut height.cells_mut()[m.cell as usize];
        if banks.sea_m.is_some_and(|sea| *ground <= sea) {
            continue;
        }
        if m.edge <= 0.0 {
            *ground = m.bed;
            water.push(m.cell);
        } else {
            let most = m.level + BANK_M + banks.steepest as f32 * m.edge;
            let least = if m.edge as f64 <= frame.cell_m { m.level + BANK_M } else { f32::NEG_INFINITY };
            *ground = ground.clamp(least, most);
        }
    }
    water
}

/// Keeps the mark of each cell that counts, in the order of cells.
fn keep_best(marks: &mut Vec<Mark>) {
    let order = |m: &Mark| (m.cell, m.edge > 0.0);
    marks.sort_unstable_by(|a, b| {
        let by = if a.edge <= 0.0 { (a.bed, a.edge) } else { (a.edge, a.level) };
        let to = if b.edge <= 0.0 { (b.bed, b.edge) } else { (b.edge, b.level) };
        order(a).cmp(&order(b)).then(by.0.total_cmp(&to.0)).then(by.1.total_cmp(&to.1))
    });
    marks.dedup_by_key(|m| m.cell);
}

/// The marks of the stretch from `a` to `b`.
fn mark(frame: &Frame, a: Bed, b: Bed, banks: &Banks, marks: &mut Vec<Mark>) {
    let cell = frame.cell_m;
    let wide = a.width_m.max(b.width_m);
    let reach = (wide / 2.0).max(cell / 2.0) + (banks.reach * wide).max(cell);
    let (dx, dy) = (b.at.0 - a.at.0, b.at.1 - a.at.1);
    let square = dx * dx + dy * dy;
    let span = |p: f64, q: f64, origin: f64, cells: usize| {
        let index = |v: f64| ((v - origin) / cell).clamp(0.0, cells as f64);
        index(p.min(q) - reach) as usize..(index(p.max(q) + reach).ceil() as usize).min(cells)
    };
    for y in span(a.at.1, b.at.1, frame.origin.1, frame.height) {
        for x in span(a.at.0, b.at.0, frame.origin.0, frame.width) {
            let (px, py) = frame.cell_centre(x, y);
            let (ax, ay) = (px - a.at.0, py - a.at.1);
            let t = if square > 0.0 { math::clamp01((ax * dx + ay * dy) / square) } else { 0.0 };
            let (ex, ey) = (ax - t * dx, ay - t * dy);
            let far = (ex * ex + ey * ey).sqrt();
            let wide = math::lerp(a.width_m, b.width_m, t);
            let half = (wide / 2.0).max(cell / 2.0);
            if far > half + (banks.reach * wide).max(cell) {
                continue;
            }
            let level = math::lerp(a.level_m, b.level_m, t);
            let side = math::clamp01((far - cell / 2.0) / half);
            let bed = level - math::lerp(a.depth_m, b.depth_m, t) * (1.0 - side * side);
            marks.push(Mark {
                cell: (y * frame.width + x) as u32,
                edge: (far - half) as f32,
                level: level as f32,
                bed: bed as f32,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn river(points: &[Point], width_m: f64, depth_m: f64) -> Vec<Bed> {
        let level = |i: usize| 20.0 - 0.05 * i as f64;
        points.iter().enumerate().map(|(i, &at)| Bed { at, level_m: level(i), width_m, depth_m }).collect()
    }

    proptest! {
        #[test]
        fn a_narrow_river_is_a_chain_of_neighbours_whose_bed_falls(bend in -0.3f64..0.3, from in 5.0f64..25.0) {
            let points: Vec<Point> = (0..15).map(|i| (2.0 * i as f64 + 0.7, from + bend * (i * i) as f64 * 0.2)).collect();
            let frame = Frame::new(30, 60, 1.0);
            let mut ground = Grid::filled(30, 60, 25.0);
            let water = cut_beds(&mut ground, &frame, &[river(&points, 0.1, 0.3)], &Banks::default());
            // Along the columns that the river passes: at least one cell each, next to the one before, and lower.
            let mut last: Option<(usize, f32)> = None;
            for x in 1..28 {
                let rows: Vec<usize> = water.iter().map(|&c| c as usize).filter(|c| c % 30 == x).map(|c| c / 30).collect();
                prop_assert!(!rows.is_empty() || points.iter().any(|p| p.1 < 0.0 || p.1 > 60.0), "column {}", x);
                let Some(&low) = rows.iter().min_by(|&&a, &&b| ground[(x, a)].total_cmp(&ground[(x, b)])) else { continue };
                if let Some((row, bed)) = last {
                    prop_assert!(rows.iter().any(|r| r.abs_diff(row) <= 1));
                    prop_assert!(ground[(x, low)] <= bed);
                }
                last = Some((low, ground[(x, low)]));
            }
        }
    }

    #[test]
    fn a_wide_river_is_as_wide_and_deep_as_told_with_banks_beside_it() {
        let frame = Frame::new(100, 100, 2.0);
        let mut ground = Grid::filled(100, 100, 50.0);
        let line = river(&[(0.0, 100.0), (200.0, 100.0)], 40.0, 3.0);
        let water = cut_beds(&mut ground, &frame, &[line], &Banks::default());
        let wide = water.iter().filter(|&&c| c as usize % 100 == 50).count();
        assert_eq!(wide, 20);
        let level = |x: usize| 20.0 - 0.05 * (x as f32 * 2.0 + 1.0) / 200.0;
        assert!((ground[(50, 50)] - (level(50) - 3.0)).abs() < 0.02, "{}", ground[(50, 50)]);
        assert!(ground[(50, 41)] < level(50) && ground[(50, 42)] < ground[(50, 41)]);
        // The first dry cell is 1 m from the water, and so on up to one and a half widths.
        for (row, away) in [(39, 1.0), (38, 3.0), (20, 39.0)] {
            let wanted = level(50) + BANK_M + 0.6 * away;
            assert!((ground[(50, row)] - wanted).abs() < 0.01, "{row}: {} and {wanted}", ground[(50, row)]);
        }
        assert_eq!(ground[(50, 2)], 50.0);
    }

    #[test]
    fn the_sea_stays_and_where_rivers_meet_the_lower_bed_holds() {
        let frame = Frame::new(60, 60, 1.0);
        let mut ground = Grid::from_fn(60, 60, |_, y| if y >= 50 { -5.0 } else { 30.0 });
        let main = river(&[(30.0, 0.0), (30.0, 60.0)], 6.0, 1.0);
        let side: Vec<Bed> = river(&[(0.0, 30.0), (30.0, 30.0)], 4.0, 0.5)
            .into_iter()
            .map(|b| Bed { level_m: 25.0, ..b })
            .collect();
        let banks = Banks { sea_m: Some(0.0), ..Banks::default() };
        let water = cut_beds(&mut ground, &frame, &[main, side], &banks);
        assert!((50..60).all(|y| ground[(30, y)] == -5.0));
        assert!(water.iter().all(|&c| c < 50 * 60));
        assert!((ground[(30, 30)] - 18.97).abs() < 0.05, "{}", ground[(30, 30)]);
        assert_eq!(ground[(10, 29)], 24.5);
    }
}
