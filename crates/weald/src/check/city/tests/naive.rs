//! A small map whose rivers and lake are found by the plainest means.

use std::collections::BTreeSet;
use weald_core::{dir8, math};

/// Cells a side.
pub(super) const SIDE: usize = 64;
/// Metres a cell: 14,336 m a side.
pub(super) const CELL_M: f64 = 224.0;
const CELLS: usize = SIDE * SIDE;
/// Column of the main valley.
const VALLEY: f64 = 24.0;

/// Neighbours of a cell with their distance in cells.
pub(super) fn around(i: usize) -> Vec<(usize, f64)> {
    let mut out = Vec::new();
    dir8::neighbours(SIDE, SIDE, i % SIDE, i / SIDE, |d, x, y| {
        out.push((y * SIDE + x, if d.is_diagonal() { 2f64.sqrt() } else { 1.0 }));
    });
    out
}

pub(super) fn on_border(i: usize) -> bool {
    let (x, y) = (i % SIDE, i / SIDE);
    x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1
}

/// Distance in cells to the main valley, which runs south, or to the one that joins it from the north-east.
fn to_valley(x: f64, y: f64) -> f64 {
    let side = |k: f64| ((x - VALLEY - k) * (x - VALLEY - k) + (y - 40.0 + k) * (y - 40.0 + k)).sqrt();
    (0..32).map(|k| side(f64::from(k))).fold((x - VALLEY).abs(), f64::min)
}

fn hill(x: f64, y: f64, (cx, cy): (f64, f64), radius: f64) -> f64 {
    math::exp(-((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (radius * radius))
}

/// The same land with a bay where the main valley leaves it and a depression below the sea on its eastern side.
pub(super) fn height_by_the_sea(i: usize) -> f32 {
    let (x, y) = ((i % SIDE) as f64, (i / SIDE) as f64);
    let bay = 120.0 * hill(x, y, (VALLEY, 63.0), 4.0);
    let depression = 150.0 * hill(x, y, (36.0, 55.0), 2.0);
    (f64::from(height(i)) - bay - depression) as f32
}

/// A plane tilted south with two valleys, a bump on a slope and a depression in the main valley.
pub(super) fn height(i: usize) -> f32 {
    let (x, y) = ((i % SIDE) as f64, (i / SIDE) as f64);
    let d = to_valley(x, y);
    let sides = 0.03 * d + 0.05 * (d - 13.0).max(0.0) + 0.04 * (d - 17.0).max(0.0);
    let plane = 0.01 * (SIDE as f64 - 1.0 - y);
    let bump = 40.0 * hill(x, y, (14.0, 30.0), 4.0);
    let depression = 25.0 * hill(x, y, (VALLEY, 52.0), 2.5);
    (50.0 + (sides + plane) * CELL_M + bump - depression) as f32
}

/// Rise over run by central differences, one-sided at the border.
pub(super) fn slope(ground: &[f32], i: usize) -> f32 {
    let (x, y) = (i % SIDE, i / SIDE);
    let at = |x: usize, y: usize| f64::from(ground[y * SIDE + x]);
    let span = |i: usize| (i.max(1) - 1, (i + 1).min(SIDE - 1));
    let ((west, east), (north, south)) = (span(x), span(y));
    let hx = (at(east, y) - at(west, y)) * 2.0 / (east - west) as f64;
    let hy = (at(x, south) - at(x, north)) * 2.0 / (south - north) as f64;
    ((hx * hx + hy * hy).sqrt() / (2.0 * CELL_M)) as f32
}

/// Water over the map.
pub(super) struct Water {
    /// Level of standing water.
    pub(super) level: Vec<f32>,
    /// Where each cell drains.
    to: Vec<Option<usize>>,
    /// How many cells drain through each.
    pub(super) area: Vec<u32>,
}

/// Lowers a flood, which leaves over the border and in the sea, as long as it sinks, then lets every cell drain down the steepest step or across the level.
pub(super) fn water(height: &[f32]) -> Water {
    let ends = |i: usize| on_border(i) || height[i] < 0.0;
    let mut level: Vec<f32> = (0..CELLS).map(|i| if ends(i) { height[i] } else { f32::INFINITY }).collect();
    sink(&mut level, |level, i| {
        let least = around(i).iter().map(|n| level[n.0]).fold(f32::INFINITY, f32::min);
        if ends(i) { height[i] } else { least.max(height[i]) }
    });
    let drop = |i: usize, n: (usize, f64)| (f64::from(level[i]) - f64::from(level[n.0])) / n.1;
    let lower = |i: usize| around(i).into_iter().any(|n| level[n.0] < level[i]);
    let mut steps: Vec<u32> = (0..CELLS).map(|i| if ends(i) || lower(i) { 0 } else { u32::MAX }).collect();
    sink(&mut steps, |steps, i| {
        let even = around(i).into_iter().filter(|n| level[n.0] == level[i]);
        even.map(|n| steps[n.0].saturating_add(1)).fold(steps[i], u32::min)
    });
    let to: Vec<Option<usize>> = (0..CELLS)
        .map(|i| {
            let next = |a: (usize, f64), b: (usize, f64)| {
                let flat = |n: (usize, f64)| level[n.0] == level[i] && steps[n.0] < steps[i];
                let better = if lower(i) { drop(i, b) > drop(i, a) } else { !flat(a) && flat(b) };
                if better { b } else { a }
            };
            (!ends(i)).then(|| around(i).into_iter().reduce(next).unwrap().0)
        })
        .collect();
    let mut area = vec![0; CELLS];
    for i in 0..CELLS {
        let mut at = Some(i);
        while let Some(k) = at {
            area[k] += 1;
            at = to[k];
        }
    }
    Water { level, to, area }
}

/// Applies a rule to all cells until nothing changes.
fn sink<T: Copy + PartialEq>(values: &mut [T], rule: impl Fn(&[T], usize) -> T) {
    loop {
        let before = values.to_vec();
        (0..values.len()).for_each(|i| values[i] = rule(values, i));
        if before == values {
            return;
        }
    }
}

/// A river: its cells, the last one its parent's, if it has one.
pub(super) struct River {
    /// From source to mouth.
    pub(super) cells: Vec<usize>,
    /// Its parent's number.
    pub(super) parent: Option<usize>,
    /// Area at its last own cell.
    pub(super) area: u32,
}

impl Water {
    /// Rivers where at least `least` cells drain; where two meet the larger goes on.
    pub(super) fn rivers(&self, least: u32) -> Vec<River> {
        let wet = |i: usize| self.area[i] >= least;
        let from = |i: usize| {
            let into = around(i).into_iter().map(|n| n.0).filter(move |&n| self.to[n] == Some(i) && wet(n));
            into.max_by_key(|&n| (self.area[n], n))
        };
        let mut rivers = Vec::new();
        for source in (0..CELLS).filter(|&i| wet(i) && from(i).is_none()) {
            let mut cells = vec![source];
            let mut ended = false;
            while let (Some(next), false) = (self.to[*cells.last().unwrap()], ended) {
                ended = from(next) != cells.last().copied();
                cells.push(next);
            }
            let own = cells[cells.len() - 1 - usize::from(ended)];
            rivers.push((self.area[own], cells, ended));
        }
        rivers.sort_by_key(|r| (u32::MAX - r.0, r.1[0]));
        let owner = |end: usize| {
            rivers
                .iter()
                .position(|(_, cells, ended)| cells[..cells.len() - usize::from(*ended)].contains(&end))
        };
        let parents: Vec<Option<usize>> =
            rivers.iter().map(|r| r.2.then(|| owner(*r.1.last().unwrap()).unwrap())).collect();
        let whole = rivers.iter().zip(parents);
        whole.map(|(r, parent)| River { cells: r.1.clone(), parent, area: r.0 }).collect()
    }

    /// The cells of every water, and the last of them before it is left.
    pub(super) fn lakes(&self, height: &[f32]) -> Vec<(BTreeSet<usize>, usize)> {
        let wet = |i: usize| self.level[i] > height[i];
        let mut lakes: Vec<(BTreeSet<usize>, usize)> = Vec::new();
        for i in (0..CELLS).filter(|&i| wet(i)) {
            if lakes.iter().any(|l| l.0.contains(&i)) {
                continue;
            }
            let mut cells = BTreeSet::from([i]);
            let mut open = vec![i];
            while let Some(k) = open.pop() {
                open.extend(around(k).into_iter().map(|n| n.0).filter(|&n| wet(n) && cells.insert(n)));
            }
            let out = *cells.iter().find(|&&k| !cells.contains(&self.to[k].unwrap())).unwrap();
            lakes.push((cells, out));
        }
        lakes
    }
}
