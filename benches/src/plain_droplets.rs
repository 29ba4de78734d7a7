//! The droplets of `weald::core::erosion::droplet` as a plain loop: one after the other, over heights in f32 that change at
//! once. What the engine is measured against.
//!
//! Rules, starts and brush are those documented there, for droplets that run downhill and carve hills. Shortcuts in favour
//! of the loop: a droplet lays down the rest of its load where it ends, no books are kept, and what the brush would lay
//! beyond the edge of the map is lost. The potential is read at the cell itself, not by blocks.

use weald::core::erosion::brush::WHOLE;
use weald::core::erosion::{Brush, Droplets};
use weald::core::{Grid, Seed};

/// The land that droplets change.
pub(crate) struct Ground<'a> {
    width: usize,
    rows: usize,
    cell_m: f32,
    height: Vec<f32>,
    potential: &'a [f32],
    /// Lowest and highest cell at the beginning, in metres.
    range: (f32, f32),
}

/// A droplet on its way.
struct Droplet {
    x: f32,
    y: f32,
    dx: f32,
    dy: f32,
    speed2: f32,
    water: f32,
    /// Metres on one cell.
    load: f32,
}

/// Whether a droplet goes on.
#[derive(PartialEq)]
enum Fate {
    Runs,
    /// It ended on the map.
    Rests,
    /// It ran over the edge.
    Left,
}

impl<'a> Ground<'a> {
    pub(crate) fn new(height: &Grid<f32>, potential: &'a Grid<f32>, cell_m: f32) -> Self {
        let range = height
            .cells()
            .iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &h| (low.min(h), high.max(h)));
        Self {
            width: height.width(),
            rows: height.height(),
            cell_m,
            height: height.cells().to_vec(),
            potential: potential.cells(),
            range,
        }
    }

    /// Heights in metres, row by row.
    pub(crate) fn heights(&self) -> &[f32] {
        &self.height
    }

    /// Runs all droplets and gives the number of their steps.
    pub(crate) fn run(&mut self, seed: Seed, p: &Droplets) -> u64 {
        let brush = Brush::new(p.brush_cells);
        let weight = |&w: &i32| w as f32 / WHOLE as f32;
        let brush: Vec<Vec<f32>> =
            brush.rows.iter().map(|row| row[..brush.rows.len()].iter().map(weight).collect()).collect();
        let mut steps = 0;
        for number in 0..p.count {
            let (x, y) = self.start(number, seed);
            let mut droplet = Droplet { x, y, dx: 0.0, dy: 0.0, speed2: 0.0, water: 1.0, load: 0.0 };
            let mut fate = Fate::Runs;
            let mut made = 0;
            while fate == Fate::Runs && made < p.max_steps {
                fate = self.step(&mut droplet, &brush, p);
                made += (fate == Fate::Runs) as u32;
            }
            if fate != Fate::Left {
                self.add(&brush, (droplet.x, droplet.y), droplet.load);
            }
            steps += made as u64;
        }
        steps
    }

    /// Where a droplet starts: a hashed place, taken with a chance that grows with its elevation.
    fn start(&self, number: u32, seed: Seed) -> (f32, f32) {
        let (w, h) = (self.width as f32, self.rows as f32);
        let unit = |bits: u64| (bits & 0xFF_FFFF) as f32 / 16_777_216.0;
        let mut place = (0.0, 0.0);
        for attempt in 0..16 {
            let bits = seed.at(number as i64, attempt);
            place = ((unit(bits) * (w - 1.0)).min(w - 1.001), (unit(bits >> 24) * (h - 1.0)).min(h - 1.001));
            let here = self.height[place.1 as usize * self.width + place.0 as usize];
            let elevation = (here - self.range.0) / (self.range.1 - self.range.0);
            if ((bits >> 48) as f32) < 65_536.0 * (0.2 + 0.8 * elevation) {
                break;
            }
        }
        place
    }

    /// Height and gradient between cells, in metres and metres per cell.
    fn at(&self, x: f32, y: f32) -> (f32, f32, f32) {
        let (column, row) = (x as usize, y as usize);
        let (fx, fy) = (x - column as f32, y - row as f32);
        let north = row * self.width + column;
        let south = north + self.width;
        let (nw, ne) = (self.height[north], self.height[north + 1]);
        let (sw, se) = (self.height[south], self.height[south + 1]);
        let (top, bottom) = (nw + (ne - nw) * fx, sw + (se - sw) * fx);
        let gx = (ne - nw) + ((se - sw) - (ne - nw)) * fy;
        (top + (bottom - top) * fy, gx, bottom - top)
    }

    fn step(&mut self, d: &mut Droplet, brush: &[Vec<f32>], p: &Droplets) -> Fate {
        let (here, gx, gy) = self.at(d.x, d.y);
        let steep = (gx * gx + gy * gy).sqrt();
        if steep < p.min_slope * self.cell_m || d.water < 0.01 {
            return Fate::Rests;
        }
        let dx = p.inertia * d.dx - (1.0 - p.inertia) * gx / steep;
        let dy = p.inertia * d.dy - (1.0 - p.inertia) * gy / steep;
        let length = (dx * dx + dy * dy).sqrt();
        if length < 1e-6 {
            return Fate::Rests;
        }
        (d.dx, d.dy) = (dx / length, dy / length);
        let (x, y) = (d.x + d.dx, d.y + d.dy);
        if x < 0.0 || y < 0.0 || x >= (self.width - 1) as f32 || y >= (self.rows - 1) as f32 {
            return Fate::Left;
        }
        let fall = here - self.at(x, y).0;
        let slope = fall / self.cell_m;
        d.speed2 = (0.8 * d.speed2 + 2.0 * slope).max(0.0);
        let capacity = p.capacity * slope.max(0.002) * d.speed2.sqrt().max(0.05) * d.water * self.cell_m;
        let potential = self.potential[(d.y + 0.5) as usize * self.width + (d.x + 0.5) as usize];
        let laid = if fall < 0.0 {
            d.load.min(-fall)
        } else if d.load < capacity {
            -((capacity - d.load) * p.erosion_rate * (1.5 - potential)).min(fall)
        } else {
            let surplus = (d.load - capacity) * p.deposition_rate * (0.5 + potential);
            surplus.min(fall.max(0.005 * self.cell_m)).min(d.load)
        };
        self.add(brush, (d.x, d.y), laid);
        d.load -= laid;
        (d.x, d.y) = (x, y);
        d.water *= 1.0 - p.evaporation_rate;
        if fall < 0.0 {
            d.water *= 0.5;
            if d.load <= 0.0 {
                return Fate::Rests;
            }
        }
        Fate::Runs
    }

    /// Spreads `metres` over the cells around the one next to a place.
    fn add(&mut self, brush: &[Vec<f32>], (x, y): (f32, f32), metres: f32) {
        let (x, y, r) = ((x + 0.5) as usize, (y + 0.5) as usize, brush.len() / 2);
        let (left, right) = (x.saturating_sub(r), (x + r + 1).min(self.width));
        for row in y.saturating_sub(r)..(y + r + 1).min(self.rows) {
            let weights = &brush[row + r - y][left + r - x..];
            let cells = &mut self.height[row * self.width + left..row * self.width + right];
            for (cell, weight) in cells.iter_mut().zip(weights) {
                *cell += metres * weight;
            }
        }
    }
}
