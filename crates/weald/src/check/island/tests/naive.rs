//! A small map whose coast, water and rivers are found by the plainest means.

use serde_json::{Value, json};
use weald_core::{Dir8, dir8};

/// Columns.
pub(super) const W: usize = 18;
/// Rows.
pub(super) const H: usize = 12;
/// Metres a cell.
pub(super) const CELL_M: f64 = 10.0;
/// Runoff of a year in millimetres.
pub(super) const RUNOFF_MM: f64 = 800.0;

/// The cell at a column and a row.
pub(super) fn cell(x: usize, y: usize) -> usize {
    y * W + x
}

fn on_border(i: usize) -> bool {
    let (x, y) = (i % W, i / W);
    x == 0 || y == 0 || x + 1 == W || y + 1 == H
}

/// Neighbours of a cell with their directions.
pub(super) fn around(i: usize) -> Vec<(Dir8, usize)> {
    let mut out = Vec::new();
    dir8::neighbours(W, H, i % W, i / W, |d, x, y| out.push((d, cell(x, y))));
    out
}

/// What lies to the south of the large island.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum South {
    /// The sea.
    Sea,
    /// The border of the map.
    Border,
}

/// A river from source to mouth.
#[derive(Clone)]
pub(super) struct River {
    pub(super) cells: Vec<usize>,
    pub(super) parent: Option<usize>,
    pub(super) own: usize,
}

/// All that is known of the map.
#[derive(Clone)]
pub(super) struct Truth {
    pub(super) land: Vec<bool>,
    pub(super) height: Vec<f32>,
    pub(super) shore: Vec<f64>,
    /// Where the water of each cell goes.
    pub(super) flow: Vec<Option<Dir8>>,
    pub(super) area: Vec<u32>,
    pub(super) basin: Vec<u32>,
    pub(super) rivers: Vec<River>,
    /// By cell; 0 without a river.
    pub(super) order: Vec<u8>,
    pub(super) magnitude: Vec<u32>,
}

/// A large island with a valley that runs south in column 6, and a small one in the east.
fn is_land(i: usize, south: South) -> bool {
    let (x, y) = (i % W, i / W);
    let rows = if south == South::Sea { 1..=10 } else { 1..=11 };
    ((1..=12).contains(&x) && rows.contains(&y)) || ((15..=16).contains(&x) && (3..=4).contains(&y))
}

fn ground(i: usize) -> f32 {
    let (x, y) = (i % W, i / W);
    if x > 13 {
        return 3.0 + x as f32 + 0.5 * y as f32;
    }
    5.0 + 8.0 * x.abs_diff(6) as f32 + 3.0 * (12 - y) as f32
}

/// Sources and, for two of them, ways of their own into the river of another.
pub(super) const SOURCES: [(usize, usize); 6] = [(6, 2), (2, 4), (10, 4), (11, 7), (9, 5), (2, 5)];
const BENDS: [((usize, usize), u8); 3] = [((9, 5), 2), ((9, 6), 2), ((3, 5), 7)];

pub(super) fn is_coast(land: &[bool], i: usize) -> bool {
    let sea = |(d, n): &(Dir8, usize)| !d.is_diagonal() && !land[*n];
    land[i] && (on_border(i) || around(i).iter().any(sea))
}

impl Truth {
    pub(super) fn new(south: South, sources: &[(usize, usize)]) -> Self {
        let land: Vec<bool> = (0..W * H).map(|i| is_land(i, south)).collect();
        let coast: Vec<usize> = (0..W * H).filter(|&i| is_coast(&land, i)).collect();
        let octile = |a: usize, b: usize| {
            let (dx, dy) = ((a % W).abs_diff(b % W), (a / W).abs_diff(b / W));
            dx.max(dy) as f64 + (2f64.sqrt() - 1.0) * dx.min(dy) as f64
        };
        let shore: Vec<f64> =
            (0..W * H).map(|i| coast.iter().map(|&c| octile(i, c)).fold(f64::INFINITY, f64::min)).collect();
        let height: Vec<f32> = (0..W * H)
            .map(|i| if land[i] { ground(i) } else { (-5.0 - 0.3 * shore[i].min(4.0)) as f32 })
            .collect();
        let flow: Vec<Option<Dir8>> = (0..W * H).map(|i| flow(&land, &height, i)).collect();
        let to = |i: usize| flow[i].map(|d| around(i).into_iter().find(|n| n.0 == d).unwrap().1);
        let way = |i: usize| std::iter::successors(Some(i), |&i| to(i)).take_while(|&i| land[i]);
        let mut area = vec![0; W * H];
        (0..W * H).filter(|&i| land[i]).flat_map(way).for_each(|i| area[i] += 1);
        let mut ends: Vec<usize> = (0..W * H).filter(|&i| way(i).count() == 1).collect();
        ends.sort_by_key(|&i| (std::cmp::Reverse(area[i]), i));
        let basin = (0..W * H)
            .map(|i| way(i).last().map_or(0, |l| 1 + ends.iter().position(|&e| e == l).unwrap() as u32))
            .collect();
        let mut out = Self {
            order: vec![0; W * H],
            magnitude: vec![0; W * H],
            rivers: Vec::new(),
            land,
            height,
            shore,
            flow,
            area,
            basin,
        };
        out.trace(sources);
        out
    }

    fn to(&self, i: usize) -> Option<usize> {
        self.flow[i].map(|d| around(i).into_iter().find(|n| n.0 == d).unwrap().1)
    }

    /// Follows the water from each source to the sea, the border or a river that was there before.
    fn trace(&mut self, sources: &[(usize, usize)]) {
        let mut owner: Vec<Option<usize>> = vec![None; W * H];
        for (k, &(x, y)) in sources.iter().enumerate() {
            let mut river = River { cells: vec![cell(x, y)], parent: None, own: 0 };
            while let Some(next) = self.to(*river.cells.last().unwrap()) {
                owner[*river.cells.last().unwrap()] = Some(k);
                river.own = river.cells.len();
                river.cells.push(next);
                river.parent = owner[next];
                if river.parent.is_some() || !self.land[next] {
                    break;
                }
            }
            let last = *river.cells.last().unwrap();
            if river.parent.is_none() && self.land[last] {
                owner[last] = Some(k);
                river.own = river.cells.len();
            }
            self.rivers.push(river);
        }
        let mut by_area: Vec<usize> = (0..self.rivers.len()).collect();
        let mouth = |r: &River| r.cells[r.own - 1];
        by_area
            .sort_by_key(|&k| (std::cmp::Reverse(self.area[mouth(&self.rivers[k])]), mouth(&self.rivers[k])));
        let place = |k: usize| by_area.iter().position(|&p| p == k).unwrap();
        self.rivers = by_area
            .iter()
            .map(|&k| River { parent: self.rivers[k].parent.map(place), ..self.rivers[k].clone() })
            .collect();
        for i in self.rivers.iter().flat_map(|r| r.cells[..r.own].to_vec()).collect::<Vec<_>>() {
            (self.order[i], self.magnitude[i]) = self.branching(i);
        }
    }

    /// Order and number of sources of a cell of a river, by asking every cell above it.
    fn branching(&self, i: usize) -> (u8, u32) {
        let begins = |r: &&River| r.cells[0] == i;
        let mut above: Vec<(u8, u32)> = self.rivers.iter().filter(begins).map(|_| (1, 1)).collect();
        for r in &self.rivers {
            let steps = r.cells.windows(2).filter(|p| p[1] == i);
            above.extend(steps.map(|p| self.branching(p[0])));
        }
        let highest = above.iter().map(|a| a.0).max().unwrap();
        let twice = above.iter().filter(|a| a.0 == highest).count() > 1;
        (highest + u8::from(twice), above.iter().map(|a| a.1).sum())
    }

    pub(super) fn moisture(&self, i: usize) -> f32 {
        if !self.land[i] {
            return 1.0;
        }
        let apart = |r: usize| {
            let (dx, dy) = ((r % W).abs_diff(i % W), (r / W).abs_diff(i / W));
            dx * dx + dy * dy
        };
        let near = (0..W * H).any(|r| self.order[r] > 0 && apart(r) <= 400);
        let river = if near { 0.8 } else { f64::from(self.area[i]) / 1000.0 };
        let low = 1.0 - f64::from(self.height[i]) / 400.0;
        ((low + river + 1.0 - self.shore[i] / 100.0) / 3.0) as f32
    }

    /// The number of the river of each cell plus 1; 0 without one.
    pub(super) fn river_ids(&self) -> Vec<u32> {
        let mut ids = vec![0; W * H];
        for (k, r) in self.rivers.iter().enumerate() {
            r.cells[..r.own].iter().for_each(|&i| ids[i] = k as u32 + 1);
        }
        ids
    }

    /// The vertices of a river's line: its ends, and between them the mean of each cell's centre and that of the cells beside it.
    fn vertices(&self, k: usize) -> Vec<(f64, f64)> {
        let cells = &self.rivers[k].cells;
        let place = |i: usize| (((i % W) as f64 + 0.5) * CELL_M, ((i / W) as f64 + 0.5) * CELL_M);
        let last = cells.len() - 1;
        let vertex = |v: usize| {
            let [a, b, c] = [v.max(1) - 1, v, (v + 1).min(last)].map(|v| place(cells[v]));
            if v == 0 || v == last {
                b
            } else {
                ((a.0 + 2.0 * b.0 + c.0) / 4.0, (a.1 + 2.0 * b.1 + c.1) / 4.0)
            }
        };
        (0..cells.len()).map(vertex).collect()
    }

    /// The line of a river with what is said about it.
    pub(super) fn line(&self, k: usize) -> Value {
        let r = &self.rivers[k];
        let mouth = r.cells[r.own - 1];
        let m2 = f64::from(self.area[mouth]) * CELL_M * CELL_M;
        let discharge = m2 * RUNOFF_MM / 1000.0 / 31_557_600.0;
        let line = self.vertices(k);
        let length: f64 = line
            .windows(2)
            .map(|p| {
                let (dx, dy) = (p[1].0 - p[0].0, p[1].1 - p[0].1);
                (dx * dx + dy * dy).sqrt()
            })
            .sum();
        let about = json!({
            "parent": r.parent, "order": self.order[mouth], "magnitude": self.magnitude[mouth],
            "length_m": (length * 1000.0).round() / 1000.0, "area_km2": m2 / 1e6,
            "discharge_m3_s": discharge, "width_m": 4.0 * discharge.sqrt(), "basin": self.basin[mouth],
        });
        let coordinates: Vec<Value> = line.iter().map(|p| json!([p.0, p.1])).collect();
        let geometry = json!({"type": "LineString", "coordinates": coordinates});
        json!({"type": "Feature", "id": k, "properties": about, "geometry": geometry})
    }

    /// A river as it stands in terrain.json, with all that end in it.
    pub(super) fn branch(&self, k: usize) -> Value {
        let r = &self.rivers[k];
        let points: Vec<Value> = r.cells.iter().map(|&i| json!({"x": i % W, "y": i / W})).collect();
        let into = (0..self.rivers.len()).filter(|&t| self.rivers[t].parent == Some(k));
        let tributaries: Vec<Value> = into.map(|t| self.branch(t)).collect();
        let strahler = self.order[r.cells[r.own - 1]];
        json!({"id": format!("r{k}"), "points": points, "strahler": strahler, "tributaries": tributaries})
    }
}

/// The centre of a cell.
pub(super) fn centre(i: usize) -> Value {
    json!([((i % W) as f64 + 0.5) * CELL_M, ((i / W) as f64 + 0.5) * CELL_M])
}

fn flow(land: &[bool], height: &[f32], i: usize) -> Option<Dir8> {
    if !land[i] || on_border(i) {
        return None;
    }
    let bend = BENDS.iter().find(|b| cell(b.0.0, b.0.1) == i).map(|b| Dir8(b.1));
    let drop = |d: Dir8, n: usize| (height[i] - height[n]) / if d.is_diagonal() { 1.5 } else { 1.0 };
    let steepest = around(i).into_iter().max_by(|a, b| drop(a.0, a.1).total_cmp(&drop(b.0, b.1)));
    bend.or(steepest.map(|n| n.0))
}
