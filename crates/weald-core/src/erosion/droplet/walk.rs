//! The movement of droplets.

use super::tiles::{Lookup, Tiles};
use super::{Droplets, Emphasis, Heading};
use crate::Result;
use crate::ctx::Ctx;
use crate::erosion::brush::WHOLE;
use crate::erosion::land::STEPS_PER_M;
use crate::grid::Grid;
use crate::seed::Seed;
use std::sync::atomic::{AtomicU64, Ordering};

/// Load is counted in quanta, which a brush spreads by whole numbers. 512 quanta are one metre on one cell.
pub(super) const QUANTA_PER_M: f32 = (STEPS_PER_M / WHOLE as f64) as f32;

/// Metres in a step of height.
pub(super) const METRE: f32 = (1.0 / STEPS_PER_M) as f32;

/// Number of steps along which a droplet that ends deposits the rest of its load.
pub(super) const TAIL: usize = 64;

/// Share of the squared speed that is kept in a step.
pub(super) const KEPT: f32 = 0.8;

/// Slope on which the steady speed is 1.
pub(super) const UNIT_SLOPE: f32 = 0.1;

/// The least slope that is used for the capacity.
pub(super) const LEAST_SLOPE: f32 = 0.002;

/// The least speed that is used for the capacity.
pub(super) const LEAST_SPEED: f32 = 0.05;

/// On flat ground, the deposition of a step raises a slope by at most this much.
pub(super) const LEAST_ROOM: f32 = 0.005;

/// Water below which a droplet is dry.
pub(super) const DRY: f32 = 0.01;

/// Number of droplets that a thread moves in lockstep, so that their reads of memory overlap.
const LANES: usize = 32;

/// A value for each droplet that is moving.
type Lanes<T> = [T; LANES];

/// A change of the ground around a cell: quanta eroded (negative) or deposited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) quanta: i32,
}

/// The path of one droplet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Journey {
    list: u32,
    from: u32,
    to: u32,
    /// Load at the end, to be deposited along the last steps.
    pub(super) rest: i32,
}

/// The greatest number of blocks of zones along the longer side of a map.
const BLOCKS: usize = 512;

/// The potential of blocks of cells: at most [`BLOCKS`] along the longer side, so that it stays in the cache. Potentials vary
/// over kilometres.
pub(super) struct Zones {
    /// A block has 2^shift cells along its side.
    shift: u32,
    potential: Tiles<f32>,
}

impl Zones {
    pub(super) fn new(potential: &Grid<f32>, ctx: &Ctx) -> Result<Self> {
        let (w, h) = potential.shape();
        let block = w.max(h).div_ceil(BLOCKS).next_power_of_two();
        let (columns, rows) = (w.div_ceil(block), h.div_ceil(block));
        let blocks = Grid::from_fn(columns, rows, |x, y| {
            let (x, y) = (x * block + block / 2, y * block + block / 2);
            potential[(x.min(w - 1), y.min(h - 1))]
        });
        Ok(Self { shift: block.trailing_zeros(), potential: Tiles::of(&blocks, ctx)? })
    }
}

/// What droplets read.
pub(super) struct Field<'a> {
    pub(super) height: &'a Tiles<i32>,
    pub(super) zones: &'a Zones,
    pub(super) cell_m: f32,
    /// Lowest and highest cell at the beginning.
    pub(super) range: (i32, i32),
    pub(super) seed: Seed,
    pub(super) p: &'a Droplets,
    pub(super) ctx: &'a Ctx<'a>,
}

impl Field<'_> {
    /// Where droplet `number` starts.
    fn start(&self, number: u64) -> (f32, f32) {
        let (w, h) = (self.height.width, self.height.height);
        let cells = self.height.lookup();
        let span = (self.range.1 as i64 - self.range.0 as i64).max(1) as f32;
        let unit = |bits: u64| (bits & 0xFF_FFFF) as f32 * (1.0 / 16_777_216.0);
        let mut place = (0.0, 0.0);
        for attempt in 0..16 {
            let bits = self.seed.at(number as i64, attempt);
            place = (unit(bits) * (w - 1) as f32, unit(bits >> 24) * (h - 1) as f32);
            // A product just below the last column may round up to it.
            place = (place.0.min(w as f32 - 1.001), place.1.min(h as f32 - 1.001));
            let here = cells.at(cells.place(place.0 as u32, place.1 as u32)) as i64 - self.range.0 as i64;
            if ((bits >> 48) as f32) < 65_536.0 * (0.2 + 0.8 * here as f32 / span) {
                break;
            }
        }
        place
    }
}

/// Height and gradient at droplets: a whole part in steps, the rest and the gradient (per cell) in metres.
#[derive(Clone, Copy)]
struct Ground<T, U> {
    whole: U,
    rest: T,
    gx: T,
    gy: T,
}

/// Height and gradient at a point, bilinear between four cells: north-west, north-east, south-west, south-east.
#[inline(always)]
fn ground([nw, ne, sw, se]: [i32; 4], x: f32, y: f32) -> Ground<f32, i32> {
    let (fx, fy) = (x - x as u32 as f32, y - y as u32 as f32);
    let east = ne.wrapping_sub(nw) as f32 * METRE;
    let below = sw.wrapping_sub(nw) as f32 * METRE;
    let across = se.wrapping_sub(sw) as f32 * METRE;
    let (top, bottom) = (east * fx, below + across * fx);
    Ground {
        whole: nw,
        rest: top + (bottom - top) * fy,
        gx: east + (across - east) * fy,
        gy: below + (across - east) * fx,
    }
}

/// The droplets that one thread moves in lockstep. A lane for which no droplet is left stands still with no load.
#[derive(Clone)]
pub(super) struct Walk {
    alive: Lanes<bool>,
    x: Lanes<f32>,
    y: Lanes<f32>,
    dx: Lanes<f32>,
    dy: Lanes<f32>,
    speed2: Lanes<f32>,
    water: Lanes<f32>,
    load: Lanes<i32>,
    made: Lanes<u32>,
    ground: Ground<Lanes<f32>, Lanes<i32>>,
    /// A change for every step.
    changes: Vec<Vec<Change>>,
    journeys: Vec<Journey>,
    exported: i64,
}

impl Walk {
    pub(super) fn new() -> Self {
        let none = [0.0; LANES];
        Self {
            alive: [false; LANES],
            x: none,
            y: none,
            dx: none,
            dy: none,
            speed2: none,
            water: none,
            load: [0; LANES],
            made: [0; LANES],
            ground: Ground { whole: [0; LANES], rest: none, gx: none, gy: none },
            changes: vec![Vec::new(); LANES],
            journeys: Vec::new(),
            exported: 0,
        }
    }

    /// The journeys of the last run, and the change of each of their steps.
    pub(super) fn journeys(&self) -> impl Iterator<Item = (Journey, &[Change])> {
        self.journeys.iter().map(|&j| (j, &self.changes[j.list as usize][j.from as usize..j.to as usize]))
    }

    /// Runs droplets from `next` up to `last` until none is left, all lanes one step at a time. Returns the quanta that were
    /// exported.
    #[inline(always)]
    pub(super) fn run(&mut self, field: &Field, next: &AtomicU64, last: u64) -> i64 {
        self.changes.iter_mut().for_each(Vec::clear);
        self.journeys.clear();
        self.exported = 0;
        while self.refill(field, next, last) {
            let (x, y, ended) = self.heading(field);
            let mut next = (x, y);
            if ended.contains(&true) {
                for lane in (0..LANES).filter(|&lane| ended[lane]) {
                    self.end(lane, (x[lane], y[lane]), field);
                    (next.0[lane], next.1[lane]) = (self.x[lane], self.y[lane]);
                }
            }
            self.step(next, field);
        }
        self.exported
    }

    /// Gives free lanes to waiting droplets. Returns whether any droplet is moving.
    #[inline(always)]
    fn refill(&mut self, field: &Field, next: &AtomicU64, last: u64) -> bool {
        if !self.alive.contains(&false) {
            return true;
        }
        for lane in 0..LANES {
            if self.alive[lane] {
                continue;
            }
            // A run that is cancelled starts no more droplets.
            if next.load(Ordering::Relaxed) >= last || field.ctx.checkpoint().is_err() {
                break;
            }
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= last {
                break;
            }
            self.begin(lane, field, number);
        }
        self.alive.contains(&true)
    }

    fn begin(&mut self, lane: usize, field: &Field, number: u64) {
        let (x, y) = field.start(number);
        let cells = field.height.lookup();
        let ground = ground(cells.corners(x as u32, y as u32).map(|place| cells.at(place)), x, y);
        self.alive[lane] = true;
        (self.x[lane], self.y[lane]) = (x, y);
        (self.dx[lane], self.dy[lane], self.speed2[lane]) = (0.0, 0.0, 0.0);
        (self.water[lane], self.load[lane], self.made[lane]) = (1.0, 0, 0);
        (self.ground.whole[lane], self.ground.rest[lane]) = (ground.whole, ground.rest);
        (self.ground.gx[lane], self.ground.gy[lane]) = (ground.gx, ground.gy);
    }

    /// The next points, and which droplets end here or leave the map.
    #[inline(always)]
    fn heading(&mut self, field: &Field) -> (Lanes<f32>, Lanes<f32>, Lanes<bool>) {
        let p = field.p;
        let least = p.min_slope * field.cell_m;
        let pull = match p.heading {
            Heading::Downhill => -(1.0 - p.inertia),
            Heading::Uphill => 1.0 - p.inertia,
        };
        let (east, south) = ((field.height.width - 1) as f32, (field.height.height - 1) as f32);
        let (mut x, mut y, mut ended) = ([0.0; LANES], [0.0; LANES], [false; LANES]);
        for lane in 0..LANES {
            let (gx, gy) = (self.ground.gx[lane], self.ground.gy[lane]);
            let steep = (gx * gx + gy * gy).sqrt();
            let pull = pull / steep.max(1e-12);
            let dx = p.inertia * self.dx[lane] + pull * gx;
            let dy = p.inertia * self.dy[lane] + pull * gy;
            let length = (dx * dx + dy * dy).sqrt();
            let (dx, dy) = (dx / length.max(1e-6), dy / length.max(1e-6));
            (self.dx[lane], self.dy[lane]) = (dx, dy);
            let (to_x, to_y) = (self.x[lane] + dx, self.y[lane] + dy);
            let stops = (steep < least)
                | (length < 1e-6)
                | (self.water[lane] < DRY)
                | (self.made[lane] >= p.max_steps);
            let inside = (to_x >= 0.0) & (to_y >= 0.0) & (to_x < east) & (to_y < south);
            ended[lane] = (stops | !inside) & self.alive[lane];
            // A lane without a droplet stays where it is.
            x[lane] = if self.alive[lane] { to_x } else { self.x[lane] };
            y[lane] = if self.alive[lane] { to_y } else { self.y[lane] };
        }
        (x, y, ended)
    }

    /// Height and gradient at a point for each lane.
    #[inline(always)]
    fn survey(cells: Lookup<i32>, x: &Lanes<f32>, y: &Lanes<f32>) -> Ground<Lanes<f32>, Lanes<i32>> {
        let (mut places, mut corners) = ([[0; LANES]; 4], [[0; LANES]; 4]);
        for lane in 0..LANES {
            let corners = cells.corners(x[lane] as u32, y[lane] as u32);
            (0..4).for_each(|k| places[k][lane] = corners[k]);
        }
        // Only reads, so that the processor can overlap as many as possible.
        for (corners, places) in corners.iter_mut().zip(&places) {
            for (corner, &place) in corners.iter_mut().zip(places) {
                *corner = cells.at(place);
            }
        }
        let (mut rest, mut gx, mut gy) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let ground = ground(std::array::from_fn(|k| corners[k][lane]), x[lane], y[lane]);
            (rest[lane], gx[lane], gy[lane]) = (ground.rest, ground.gx, ground.gy);
        }
        Ground { whole: corners[0], rest, gx, gy }
    }

    /// Erodes or deposits around the droplets, and moves them to the next points.
    #[inline(always)]
    fn step(&mut self, (x, y): (Lanes<f32>, Lanes<f32>), field: &Field) {
        let (p, cell_m) = (field.p, field.cell_m);
        let ground = Self::survey(field.height.lookup(), &x, &y);
        let (zones, shift) = (field.zones.potential.lookup(), field.zones.shift);
        let (mut columns, mut rows, mut potential) = ([0u16; LANES], [0u16; LANES], [0f32; LANES]);
        let mut places = [0; LANES];
        for lane in 0..LANES {
            let (column, row) = ((self.x[lane] + 0.5) as u32, (self.y[lane] + 0.5) as u32);
            (columns[lane], rows[lane]) = (column as u16, row as u16);
            places[lane] = zones.place(column >> shift, row >> shift);
        }
        for (potential, &place) in potential.iter_mut().zip(&places) {
            *potential = zones.at(place);
        }
        let mut moved = [0i32; LANES];
        let mut stays = [false; LANES];
        for lane in 0..LANES {
            let whole = self.ground.whole[lane].wrapping_sub(ground.whole[lane]) as f32 * METRE;
            let fall = whole + (self.ground.rest[lane] - ground.rest[lane]);
            let (fall, most) = match p.heading {
                Heading::Downhill => (fall, fall * QUANTA_PER_M),
                Heading::Uphill => (fall.abs(), 0.05 * QUANTA_PER_M),
            };
            let (erosion, deposition) = match p.emphasis {
                Emphasis::Hills => (1.5 - potential[lane], 0.5 + potential[lane]),
                Emphasis::Plains => (0.5 + potential[lane], 1.0),
            };
            let slope = fall / cell_m;
            let speed2 = (KEPT * self.speed2[lane] + (1.0 - KEPT) / UNIT_SLOPE * slope).max(0.0);
            let speed = speed2.sqrt().max(LEAST_SPEED);
            let capacity =
                p.capacity * slope.max(LEAST_SLOPE) * speed * self.water[lane] * cell_m * QUANTA_PER_M;
            let load = self.load[lane] as f32;
            let eroded = ((capacity - load) * p.erosion_rate * erosion).min(most);
            let room = fall.max(LEAST_ROOM * cell_m) * QUANTA_PER_M;
            let deposited = ((load - capacity) * p.deposition_rate * deposition).min(room);
            let deposited = if fall < 0.0 { -fall * QUANTA_PER_M } else { deposited };
            let erodes = (fall >= 0.0) & (load < capacity);
            // Halves are rounded away from 0. A droplet deposits at most its load.
            let quanta = if erodes {
                -((eroded + 0.5) as i32)
            } else {
                ((deposited + 0.5) as i32).min(self.load[lane])
            };
            moved[lane] = if self.alive[lane] { quanta } else { 0 };
            self.speed2[lane] = speed2;
            let dried = self.water[lane] * (1.0 - p.evaporation_rate);
            self.water[lane] = if fall < 0.0 { dried * 0.5 } else { dried };
            self.load[lane] -= moved[lane];
            stays[lane] = (fall < 0.0) & (self.load[lane] == 0) & self.alive[lane];
            self.made[lane] += 1;
        }
        for lane in 0..LANES {
            if self.alive[lane] {
                self.changes[lane].push(Change { x: columns[lane], y: rows[lane], quanta: moved[lane] });
            }
        }
        if stays.contains(&true) {
            (0..LANES).filter(|&lane| stays[lane]).for_each(|lane| self.close(lane, 0));
        }
        (self.x, self.y, self.ground) = (x, y, ground);
    }

    /// Ends a droplet. Over the edge its load is exported; on the map the rest is deposited along its last steps.
    fn end(&mut self, lane: usize, (x, y): (f32, f32), field: &Field) {
        let (east, south) = ((field.height.width - 1) as f32, (field.height.height - 1) as f32);
        let load = std::mem::take(&mut self.load[lane]);
        let rests = self.water[lane] < DRY || (x >= 0.0 && y >= 0.0 && x < east && y < south);
        if rests {
            self.close(lane, load);
        } else {
            self.exported += load as i64;
            self.close(lane, 0);
        }
    }

    fn close(&mut self, lane: usize, rest: i32) {
        self.alive[lane] = false;
        let to = self.changes[lane].len() as u32;
        self.journeys.push(Journey { list: lane as u32, from: to - self.made[lane], to, rest });
    }
}
