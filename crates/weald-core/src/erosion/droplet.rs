//! Hydraulic erosion by droplets.

use super::brush::{Brush, PADDED, WHOLE};
use super::land::{Land, STEPS_PER_M};
use crate::ctx::{Cancelled, Ctx};
use crate::grid::Grid;
use crate::par;
use crate::seed::Seed;
use crate::stats;

/// How droplets run and what they move.
#[derive(Clone, Debug, PartialEq)]
pub struct Droplets {
    /// How many there are.
    pub count: u32,
    /// I: share of the old direction in the new one.
    pub inertia: f32,
    /// K_e: share of the free capacity that is taken up in a step.
    pub erosion_rate: f32,
    /// K_d: share of the surplus that is laid down in a step.
    pub deposition_rate: f32,
    /// K_ev: share of the water lost in a step.
    pub evaporation_rate: f32,
    /// K_s: load per slope, speed and water.
    pub capacity: f32,
    /// A droplet stops where the slope, rise over run, is below this.
    pub min_slope: f32,
    /// Radius of the brush in cells.
    pub brush_cells: u32,
    /// Steps a droplet makes at the most.
    pub max_steps: u32,
    /// Droplets that run at once over the same frozen heights.
    pub batch: u32,
    /// Which way they run.
    pub heading: Heading,
    /// Where they take and where they lay down.
    pub emphasis: Emphasis,
}

/// Which way droplets run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// Down the gradient, as water does.
    Downhill,
    /// Up the gradient and without a limit to what is taken, as a sign left out makes them.
    Uphill,
}

/// How the potential P of a cell weighs what is taken and what is laid down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    /// Taken × (1.5 − P), laid down × (0.5 + P): hills are carved, plains built up.
    Hills,
    /// Taken × (0.5 + P), laid down × 1: plains are carved.
    Plains,
}

/// Load is counted in quanta: what a brush spreads by whole numbers. 512 of them are one metre on one cell.
const QUANTA_PER_M: f32 = (STEPS_PER_M / WHOLE as f64) as f32;

/// Droplets that a thread moves in lockstep, so that their reads of memory overlap.
const LANES: usize = 16;

/// Steps over which a droplet that ends lays down the rest of its load.
const TAIL: usize = 64;

/// Part of the square of the speed that is kept in a step.
const KEPT: f32 = 0.8;

/// Slope on which the steady speed is 1.
const UNIT_SLOPE: f32 = 0.1;

/// Slope that counts at the least for the capacity.
const LEAST_SLOPE: f32 = 0.002;

/// Speed that counts at the least for the capacity.
const LEAST_SPEED: f32 = 0.05;

/// What is laid down in a step may raise a slope by this at the most where the ground is flat.
const LEAST_ROOM: f32 = 0.005;

/// A change of the ground around a cell: quanta taken (below 0) or laid down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    x: u16,
    y: u16,
    quanta: i32,
}

/// Lets droplets carve and build up the land.
///
/// A droplet starts at a hashed place, taken with the chance 0.2 + 0.8 e of its relative elevation e within the range at the beginning (the last of 16
/// tries counts in any case), with water w = 1 and no load. In a step, with h and ∇h bilinear between cells, c the side
/// of a cell and all rates per step:
///
/// - direction d ← unit(I d − (1 − I) ∇h / |∇h|); it goes on by one cell; drop δ = h − h'; slope s = δ / c
/// - speed v² ← max(0, 0.8 v² + 0.2 s / 0.1): on a steady slope of 10 % the speed is 1 (Chézy: v ∝ √s)
/// - capacity C = K_s · max(s, 0.002) · max(v, 0.05) · w · c, in metres on one cell
/// - climbing (δ < 0): it lays down min(load, −δ). If nothing is left it ends, otherwise half its water stays behind.
/// - load < C: it takes min((C − load) · K_e · zone, δ): the next place stays the lower one
/// - otherwise it lays down (load − C) · K_d · zone, at most max(δ, 0.005 c)
/// - w ← w (1 − K_ev)
///
/// It ends below `min_slope`, with w < 0.01, after `max_steps`, or over the edge, which carries its load off. Otherwise the
/// rest of the load is spread over its last 64 steps. Everything is moved by the Gaussian [`Brush`], in whole numbers.
///
/// Droplets run in batches over frozen heights and their changes are added afterwards, so that neither the number of threads
/// nor the order of the droplets matters. Reach: whole map. Cost: about 20 ns a step on one core with a brush of 3 cells.
pub fn droplet(
    mut land: Land,
    potential: &Grid<f32>,
    seed: Seed,
    p: &Droplets,
    ctx: &Ctx,
) -> Result<Land, Cancelled> {
    let (w, h) = (land.height.width(), land.height.height());
    if w < 2 || h < 2 {
        return Ok(land);
    }
    let brush = Brush::new(p.brush_cells);
    let range = stats::min_max(&land.height, ctx)?.unwrap_or((0, 0));
    let zones = Zones::new(potential, p.emphasis);
    let mut height = Strips::of(&land.height, ctx)?;
    let mut taken = Taken::new(&height);
    let batches = p.count.div_ceil(p.batch.max(1));
    for batch in 0..batches {
        let first = batch * p.batch;
        let last = (first + p.batch).min(p.count);
        let field = Field { height: &height, zones: &zones, cell_m: land.cell_m as f32, range };
        let tasks = (last - first).div_ceil(TASK) as usize;
        let walks = par::map(tasks, ctx, |i| {
            let first = first + i as u32 * TASK;
            let mut walk = Walk::new(&field, seed, p, first..(first + TASK).min(last));
            par::wide(
                #[inline(always)]
                || walk.run(),
            );
            (walk.changes, walk.carried_off)
        })?;
        land.carried_off += walks.iter().map(|w| w.1 * WHOLE as i64).sum::<i64>();
        let changes: Vec<&[Change]> = walks.iter().flat_map(|w| w.0.iter().map(Vec::as_slice)).collect();
        apply((&mut height, &mut taken), &brush, &changes, ctx)?;
        taken.settle(ctx)?;
        ctx.tick(batch as usize + 1, batches as usize);
    }
    land.height = height.into_grid(ctx)?;
    land.worn = spread(land.worn, &taken.into_grid(ctx)?, &brush, ctx)?;
    Ok(land)
}

/// Droplets a task runs.
const TASK: u32 = 64;

/// The factors of taking and laying down by [`Emphasis`], for blocks of cells: at most [`BLOCKS`] along the longer side,
/// so that they stay close to the processor. Potentials change over kilometres.
struct Zones {
    /// A block has 2^shift cells along its side.
    shift: u32,
    factors: Grid<(f32, f32)>,
}

/// Blocks along the longer side of a map at the most.
const BLOCKS: usize = 512;

impl Zones {
    fn new(potential: &Grid<f32>, emphasis: Emphasis) -> Self {
        let (w, h) = (potential.width(), potential.height());
        let block = w.max(h).div_ceil(BLOCKS).next_power_of_two();
        let (columns, rows) = (w.div_ceil(block), h.div_ceil(block));
        let of = |i: usize| {
            let (x, y) = (i % columns * block + block / 2, i / columns * block + block / 2);
            let p = potential[(x.min(w - 1), y.min(h - 1))];
            match emphasis {
                Emphasis::Hills => (1.5 - p, 0.5 + p),
                Emphasis::Plains => (0.5 + p, 1.0),
            }
        };
        Self { shift: block.trailing_zeros(), factors: Grid::from_vec(columns, rows, (0..columns * rows).map(of).collect()) }
    }

    /// Factors of taking and of laying down.
    #[inline(always)]
    fn at(&self, x: usize, y: usize) -> (f32, f32) {
        self.factors[(x >> self.shift, y >> self.shift)]
    }
}

/// What droplets read.
struct Field<'a> {
    height: &'a Strips,
    zones: &'a Zones,
    cell_m: f32,
    range: (i32, i32),
}

impl Field<'_> {
    /// Where droplet `number` starts.
    fn start(&self, seed: Seed, number: u32) -> (f32, f32) {
        let (w, h) = (self.height.width, self.height.rows);
        let span = (self.range.1 as i64 - self.range.0 as i64).max(1) as f32;
        let unit = |bits: u64| (bits & 0xFF_FFFF) as f32 * (1.0 / 16_777_216.0);
        let mut place = (0.0, 0.0);
        for attempt in 0..16 {
            let bits = seed.at(number as i64, attempt);
            place = (unit(bits) * (w - 1) as f32, unit(bits >> 24) * (h - 1) as f32);
            // A product just below the last column may round up to it.
            place = (place.0.min(w as f32 - 1.001), place.1.min(h as f32 - 1.001));
            let here = self.height.corners(place.0 as usize, place.1 as usize)[0] as i64 - self.range.0 as i64;
            if ((bits >> 48) as f32) < 65_536.0 * (0.2 + 0.8 * here as f32 / span) {
                break;
            }
        }
        place
    }
}

/// A value for each droplet that is on its way.
type Lanes<T> = [T; LANES];

/// Droplets on their way, moved in lockstep. Where no droplet is left to take a lane, it stands still with no load.
struct Walk<'a> {
    field: &'a Field<'a>,
    seed: Seed,
    p: &'a Droplets,
    waiting: std::ops::Range<u32>,
    alive: Lanes<bool>,
    x: Lanes<f32>,
    y: Lanes<f32>,
    dx: Lanes<f32>,
    dy: Lanes<f32>,
    speed2: Lanes<f32>,
    water: Lanes<f32>,
    load: Lanes<i32>,
    made: Lanes<u32>,
    ground: Ground,
    trail: Lanes<[(u16, u16); TAIL]>,
    changes: Lanes<Vec<Change>>,
    carried_off: i64,
}

/// Height and gradient where droplets are: a whole part in steps, the rest and the gradient (per cell) in metres.
#[derive(Clone, Copy)]
struct Ground {
    whole: Lanes<i32>,
    rest: Lanes<f32>,
    gx: Lanes<f32>,
    gy: Lanes<f32>,
}

const METRE: f32 = (1.0 / STEPS_PER_M) as f32;

impl<'a> Walk<'a> {
    fn new(field: &'a Field, seed: Seed, p: &'a Droplets, waiting: std::ops::Range<u32>) -> Self {
        let room = waiting.len() * 256 / LANES;
        let none = [0.0; LANES];
        Self {
            field,
            seed,
            p,
            waiting,
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
            trail: [[(0, 0); TAIL]; LANES],
            changes: std::array::from_fn(|_| Vec::with_capacity(room)),
            carried_off: 0,
        }
    }

    /// Moves all lanes a step at a time until no droplet is left.
    #[inline(always)]
    fn run(&mut self) {
        while self.refill() {
            let (x, y, ended) = self.heading();
            let mut next = (x, y);
            if ended.contains(&true) {
                for lane in (0..LANES).filter(|&lane| ended[lane]) {
                    self.end(lane, (x[lane], y[lane]));
                    (next.0[lane], next.1[lane]) = (self.x[lane], self.y[lane]);
                }
            }
            self.step(next);
        }
    }

    /// Gives free lanes to waiting droplets. Whether there is any droplet on its way.
    #[inline(always)]
    fn refill(&mut self) -> bool {
        for lane in 0..LANES {
            if self.alive[lane] {
                continue;
            }
            let Some(number) = self.waiting.next() else { continue };
            self.alive[lane] = true;
            (self.x[lane], self.y[lane]) = self.field.start(self.seed, number);
            (self.dx[lane], self.dy[lane], self.speed2[lane]) = (0.0, 0.0, 0.0);
            (self.water[lane], self.load[lane], self.made[lane]) = (1.0, 0, 0);
            let ground = self.survey(&self.x, &self.y);
            self.ground.whole[lane] = ground.whole[lane];
            self.ground.rest[lane] = ground.rest[lane];
            (self.ground.gx[lane], self.ground.gy[lane]) = (ground.gx[lane], ground.gy[lane]);
        }
        self.alive.contains(&true)
    }

    /// Height and gradient at a place for each lane, bilinear between cells.
    #[inline(always)]
    fn survey(&self, x: &Lanes<f32>, y: &Lanes<f32>) -> Ground {
        let mut corners = [[0; LANES]; 4];
        for lane in 0..LANES {
            let read = self.field.height.corners(x[lane] as u32 as usize, y[lane] as u32 as usize);
            (0..4).for_each(|k| corners[k][lane] = read[k]);
        }
        let [north_west, north_east, south_west, south_east] = corners;
        let (mut rest, mut gx, mut gy) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let (fx, fy) = (x[lane] - x[lane] as u32 as f32, y[lane] - y[lane] as u32 as f32);
            let east = north_east[lane].wrapping_sub(north_west[lane]) as f32 * METRE;
            let below = south_west[lane].wrapping_sub(north_west[lane]) as f32 * METRE;
            let across = south_east[lane].wrapping_sub(south_west[lane]) as f32 * METRE;
            let (top, bottom) = (east * fx, below + across * fx);
            rest[lane] = top + (bottom - top) * fy;
            gx[lane] = east + (across - east) * fy;
            gy[lane] = below + (across - east) * fx;
        }
        Ground { whole: north_west, rest, gx, gy }
    }

    /// The next places, and which droplets end here or leave the map.
    #[inline(always)]
    fn heading(&mut self) -> (Lanes<f32>, Lanes<f32>, Lanes<bool>) {
        let p = self.p;
        let least = p.min_slope * self.field.cell_m;
        let pull = match p.heading {
            Heading::Downhill => -(1.0 - p.inertia),
            Heading::Uphill => 1.0 - p.inertia,
        };
        let (east, south) = ((self.field.height.width - 1) as f32, (self.field.height.rows - 1) as f32);
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
            (x[lane], y[lane]) = (self.x[lane] + dx, self.y[lane] + dy);
            let stops = (steep < least) | (length < 1e-6) | (self.water[lane] < 0.01) | (self.made[lane] >= p.max_steps);
            let inside = (x[lane] >= 0.0) & (y[lane] >= 0.0) & (x[lane] < east) & (y[lane] < south);
            ended[lane] = (stops | !inside) & self.alive[lane];
            // A lane without a droplet stays where it is.
            if !self.alive[lane] {
                (x[lane], y[lane]) = (self.x[lane], self.y[lane]);
            }
        }
        (x, y, ended)
    }

    /// Takes or lays down around where the droplets are, and moves them to the next places.
    #[inline(always)]
    fn step(&mut self, (x, y): (Lanes<f32>, Lanes<f32>)) {
        let (p, cell_m) = (self.p, self.field.cell_m);
        let ground = self.survey(&x, &y);
        let (mut at, mut taking, mut laying) = ([(0u16, 0u16); LANES], [0f32; LANES], [0f32; LANES]);
        for lane in 0..LANES {
            let (column, row) = ((self.x[lane] + 0.5) as u32, (self.y[lane] + 0.5) as u32);
            at[lane] = (column as u16, row as u16);
            (taking[lane], laying[lane]) = self.field.zones.at(column as usize, row as usize);
        }
        let mut moved = [0i32; LANES];
        let mut climbs = [false; LANES];
        for lane in 0..LANES {
            let whole = self.ground.whole[lane].wrapping_sub(ground.whole[lane]) as f32 * METRE;
            let fall = whole + (self.ground.rest[lane] - ground.rest[lane]);
            let (fall, most) = match p.heading {
                Heading::Downhill => (fall, fall * QUANTA_PER_M),
                Heading::Uphill => (fall.abs(), f32::MAX),
            };
            let slope = fall / cell_m;
            let speed2 = (KEPT * self.speed2[lane] + (1.0 - KEPT) / UNIT_SLOPE * slope).max(0.0);
            let speed = speed2.sqrt().max(LEAST_SPEED);
            let capacity = p.capacity * slope.max(LEAST_SLOPE) * speed * self.water[lane] * cell_m * QUANTA_PER_M;
            let load = self.load[lane] as f32;
            let taken = ((capacity - load) * p.erosion_rate * taking[lane]).min(most);
            let room = fall.max(LEAST_ROOM * cell_m) * QUANTA_PER_M;
            let laid = ((load - capacity) * p.deposition_rate * laying[lane]).min(room);
            let laid = if fall < 0.0 { -fall * QUANTA_PER_M } else { laid };
            let takes = (fall >= 0.0) & (load < capacity);
            // Halves are rounded away from 0. No more is laid down than is carried.
            let quanta = if takes { -((taken + 0.5) as i32) } else { ((laid + 0.5) as i32).min(self.load[lane]) };
            moved[lane] = if self.alive[lane] { quanta } else { 0 };
            climbs[lane] = fall < 0.0;
            self.speed2[lane] = speed2;
            let dried = self.water[lane] * (1.0 - p.evaporation_rate);
            self.water[lane] = if fall < 0.0 { dried * 0.5 } else { dried };
            self.load[lane] -= moved[lane];
        }
        for lane in 0..LANES {
            if moved[lane] != 0 {
                self.changes[lane].push(Change { x: at[lane].0, y: at[lane].1, quanta: moved[lane] });
            }
            self.trail[lane][self.made[lane] as usize % TAIL] = at[lane];
            self.made[lane] += 1;
            self.alive[lane] &= !(climbs[lane] & (self.load[lane] == 0));
        }
        (self.x, self.y, self.ground) = (x, y, ground);
    }

    /// Ends a droplet. Over the edge its load is carried off; on the map the rest is spread over its last steps.
    fn end(&mut self, lane: usize, (x, y): (f32, f32)) {
        self.alive[lane] = false;
        let (east, south) = ((self.field.height.width - 1) as f32, (self.field.height.rows - 1) as f32);
        let load = std::mem::take(&mut self.load[lane]);
        let (made, count) = (self.made[lane] as usize, (self.made[lane] as usize).min(TAIL));
        let rests = self.water[lane] < 0.01 || (x >= 0.0 && y >= 0.0 && x < east && y < south);
        if !rests {
            self.carried_off += load as i64;
            return;
        }
        if load == 0 || count == 0 {
            return;
        }
        let (each, more) = (load / count as i32, load as usize % count);
        for back in 0..count {
            let (x, y) = self.trail[lane][(made - 1 - back) % TAIL];
            let quanta = each + (back < more) as i32;
            if quanta != 0 {
                self.changes[lane].push(Change { x, y, quanta });
            }
        }
    }
}

/// Adds the changes to the heights and what was taken to `taken`, strips in parallel: each thread adds what falls on its
/// own strips.
fn apply(
    (height, taken): (&mut Strips, &mut Taken),
    brush: &Brush,
    changes: &[&[Change]],
    ctx: &Ctx,
) -> Result<(), Cancelled> {
    let (width, rows) = (height.width, height.rows);
    let strip = rows * STRIP;
    let bands = par::threads();
    par::for_bands((&mut height.strips, &mut taken.lists), bands, ctx, |first, height, taken| {
        let columns = first * STRIP..(first + height.len() / strip) * STRIP;
        let mut band = Band { width, rows, columns, height, taken };
        par::wide(
            #[inline(always)]
            || {
                for change in changes.iter().copied().flatten() {
                    if brush.radius <= 3 {
                        band.add::<8>(brush, *change);
                    } else {
                        band.add::<PADDED>(brush, *change);
                    }
                }
            },
        );
    })
}

/// Some strips of the land.
struct Band<'a> {
    width: usize,
    rows: usize,
    columns: std::ops::Range<usize>,
    height: &'a mut [i32],
    taken: &'a mut [Vec<Change>],
}

impl Band<'_> {
    /// Adds the part of a change that falls on these strips. `N` columns hold a row of the brush.
    #[inline(always)]
    fn add<const N: usize>(&mut self, brush: &Brush, change: Change) {
        let r = brush.radius;
        let (x, y) = (change.x as usize, change.y as usize);
        if x + r < self.columns.start || x >= self.columns.end + r {
            return;
        }
        let at = |x: usize, y: usize| {
            let x = x - self.columns.start;
            (x / STRIP * self.rows + y) * STRIP + x % STRIP
        };
        if change.quanta < 0 && self.columns.contains(&x) {
            self.taken[(x - self.columns.start) / STRIP].push(change);
        }
        let left = x.wrapping_sub(r);
        if x < r || x + r >= self.width || y < r || y + r >= self.rows {
            for (cx, cy, weight) in brush.clipped(x, y, self.width, self.rows) {
                if self.columns.contains(&cx) {
                    self.height[at(cx, cy)] += change.quanta * weight;
                }
            }
            return;
        }
        if left % STRIP + N > STRIP {
            for (j, weights) in brush.rows.iter().enumerate() {
                for (i, &weight) in weights[..2 * r + 1].iter().enumerate() {
                    if self.columns.contains(&(left + i)) {
                        self.height[at(left + i, y + j - r)] += change.quanta * weight;
                    }
                }
            }
            return;
        }
        let first = at(left, y - r);
        let rows = &mut self.height[first..first + 2 * r * STRIP + N];
        for (j, weights) in brush.rows.iter().enumerate() {
            let row = &mut rows[j * STRIP..j * STRIP + N];
            for i in 0..N {
                row[i] += change.quanta * weights[i];
            }
        }
    }
}

/// Columns of a strip.
const STRIP: usize = 64;

/// A grid in strips of [`STRIP`] columns, one after the other, rows of a strip next to each other. What a droplet and its brush
/// touch lies close together in memory: on a map of 4096 columns, rows of a plain grid are four pages apart.
struct Strips {
    width: usize,
    rows: usize,
    /// A row for each strip.
    strips: Grid<i32>,
}

impl Strips {
    fn of(grid: &Grid<i32>, ctx: &Ctx) -> Result<Self, Cancelled> {
        let (width, rows) = (grid.width(), grid.height());
        let strips = par::fill(STRIP * rows, width.div_ceil(STRIP), ctx, |s, strip: &mut [i32]| {
            let columns = s * STRIP..((s + 1) * STRIP).min(width);
            for (y, row) in strip.chunks_exact_mut(STRIP).enumerate() {
                row[..columns.len()].copy_from_slice(&grid.row(y)[columns.clone()]);
            }
        })?;
        Ok(Self { width, rows, strips })
    }

    fn into_grid(self, ctx: &Ctx) -> Result<Grid<i32>, Cancelled> {
        par::fill(self.width, self.rows, ctx, |y, row: &mut [i32]| {
            for (s, part) in row.chunks_mut(STRIP).enumerate() {
                part.copy_from_slice(&self.strips.row(s)[y * STRIP..y * STRIP + part.len()]);
            }
        })
    }

    /// The cells (x, y), (x + 1, y), (x, y + 1) and (x + 1, y + 1).
    #[inline(always)]
    fn corners(&self, x: usize, y: usize) -> [i32; 4] {
        let cells = self.strips.cells();
        let west = (x / STRIP * self.rows + y) * STRIP + x % STRIP;
        let east = if x % STRIP + 1 < STRIP { west + 1 } else { west + 1 + (self.rows - 1) * STRIP };
        [cells[west], cells[east], cells[west + STRIP], cells[east + STRIP]]
    }
}

/// What was taken, by the cell around which it was taken. Single changes are gathered by strips and added many at a time:
/// added one by one, each would wait for memory.
struct Taken {
    quanta: Strips,
    /// One list for each strip.
    lists: Grid<Vec<Change>>,
}

impl Taken {
    /// Changes gathered at the most before they are added.
    const MOST: usize = 4 << 20;

    fn new(like: &Strips) -> Self {
        let (length, count) = (like.strips.width(), like.strips.height());
        Self {
            quanta: Strips { width: like.width, rows: like.rows, strips: Grid::filled(length, count, 0) },
            lists: Grid::filled(1, count, Vec::new()),
        }
    }

    /// Adds the changes if many are gathered.
    fn settle(&mut self, ctx: &Ctx) -> Result<(), Cancelled> {
        if self.lists.cells().iter().map(Vec::len).sum::<usize>() > Self::MOST { self.add(ctx) } else { Ok(()) }
    }

    fn add(&mut self, ctx: &Ctx) -> Result<(), Cancelled> {
        let count = self.lists.len();
        par::for_bands((&mut self.quanta.strips, &mut self.lists), count, ctx, |_, strips, lists| {
            let length = strips.len() / lists.len();
            for (strip, list) in strips.chunks_exact_mut(length).zip(lists) {
                list.drain(..).for_each(|c| strip[c.y as usize * STRIP + c.x as usize % STRIP] -= c.quanta);
            }
        })
    }

    fn into_grid(mut self, ctx: &Ctx) -> Result<Grid<i32>, Cancelled> {
        self.add(ctx)?;
        self.quanta.into_grid(ctx)
    }
}

/// Adds to `worn` what was taken, in quanta by the cell around which it was taken, spread by the brush.
fn spread(mut worn: Grid<i32>, taken: &Grid<i32>, brush: &Brush, ctx: &Ctx) -> Result<Grid<i32>, Cancelled> {
    let (w, h, r) = (taken.width(), taken.height(), brush.radius);
    par::for_rows(
        worn.rows_mut(),
        ctx,
        #[inline(always)]
        |y, row| {
            for cy in y.saturating_sub(r)..(y + r + 1).min(h) {
                let (source, weights) = (taken.row(cy), &brush.rows[y + r - cy]);
                let whole_rows = cy >= r && cy + r < h;
                if !whole_rows || w <= 2 * r {
                    (0..w).for_each(|cx| spread_clipped(row, (cx, cy), y, source[cx], brush, (w, h)));
                    continue;
                }
                let inner = &source[r..w - r];
                for (i, &weight) in weights[..2 * r + 1].iter().enumerate() {
                    for (out, &quanta) in row[i..i + inner.len()].iter_mut().zip(inner) {
                        *out += quanta * weight;
                    }
                }
                for cx in (0..r).chain(w - r..w) {
                    spread_clipped(row, (cx, cy), y, source[cx], brush, (w, h));
                }
            }
        },
    )?;
    Ok(worn)
}

/// The part that falls on row `y` of what a brush at the edge spreads.
fn spread_clipped(row: &mut [i32], (cx, cy): (usize, usize), y: usize, quanta: i32, brush: &Brush, (w, h): (usize, usize)) {
    if quanta != 0 {
        for (x, _, weight) in brush.clipped(cx, cy, w, h).into_iter().filter(|c| c.1 == y) {
            row[x] += quanta * weight;
        }
    }
}
