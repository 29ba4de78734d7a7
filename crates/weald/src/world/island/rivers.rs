//! Steps 5 and 6: peaks, springs, and the courses of rivers.

use super::params;
use std::borrow::Cow;
use std::cmp::Reverse;
use weald_core::hydro::{self, Order, Outlets, River};
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal_at};
use weald_core::{Cancelled, Ctx, Dir8, Grid, Seed, dir8, par, scatter};

/// Least number of cells of a river from a spring; shorter ones are left out.
const SHORTEST: usize = 8;

/// Wavelength of the noise that makes rivers meander, in cells.
const SWAY: Fractal = Fractal { wavelength_m: 12.0, octaves: 2, persistence: 0.5, lacunarity: 2.0 };

/// Weight of that noise at full meander strength.
const FELT: f32 = 8.0;

/// Cells of land at least as high as their eight neighbours and as `least_m`, in row-major order; and the highest cell of land.
fn maxima(
    height: &Grid<f32>,
    land: &Grid<u8>,
    least_m: f64,
    ctx: &Ctx,
) -> Result<(Vec<u32>, Option<u32>), Cancelled> {
    let (w, h) = height.shape();
    let rows = par::map(h, ctx, |y| {
        let mut maxima = Vec::new();
        let mut highest: Option<u32> = None;
        for x in (0..w).filter(|&x| land[(x, y)] != 0) {
            let (cell, here) = ((y * w + x) as u32, height[(x, y)]);
            if highest.is_none_or(|best| height.cells()[best as usize] < here) {
                highest = Some(cell);
            }
            let mut top = here >= least_m as f32;
            if top {
                dir8::neighbours(w, h, x, y, |_, nx, ny| top &= height[(nx, ny)] <= here);
            }
            maxima.extend(top.then_some(cell));
        }
        (maxima, highest)
    })?;
    let highest = rows.iter().filter_map(|r| r.1).min_by_key(|&c| downwards(height, c));
    Ok((rows.into_iter().flat_map(|r| r.0).collect(), highest))
}

/// A key that sorts cells of land from the highest down, equal ones in row-major order.
fn downwards(height: &Grid<f32>, cell: u32) -> (Reverse<u32>, u32) {
    // Heights of land are at least 0, so their bits sort as they do.
    (Reverse(height.cells()[cell as usize].max(0.0).to_bits()), cell)
}

/// Those of the cells that are farther than `apart_cells` from every one before, from the highest down; the highest cell of land
/// if there is none.
fn spaced(height: &Grid<f32>, mut cells: Vec<u32>, highest: Option<u32>, apart_cells: f64) -> Vec<u32> {
    if cells.is_empty() {
        return highest.into_iter().collect();
    }
    cells.sort_unstable_by_key(|&c| downwards(height, c));
    let kept = scatter::min_spacing(height.width(), cells.iter().map(|&c| c as usize), apart_cells);
    kept.into_iter().map(|c| c as u32).collect()
}

/// Peaks, the highest first (equal ones in row-major order): cells of land at least as high as their eight neighbours and
/// `min_peak_elevation`, farther than `river_spacing` from every peak before. The highest cell of land if there is none.
/// Reach: whole map.
pub fn peaks(
    height: &Grid<f32>,
    land: &Grid<u8>,
    (elevation, rivers): (&params::Elevation, &params::Rivers),
    ctx: &Ctx,
) -> Result<Vec<u32>, Cancelled> {
    let (maxima, highest) = maxima(height, land, elevation.min_peak_elevation, ctx)?;
    Ok(spaced(height, maxima, highest, rivers.river_spacing))
}

/// The ground on which rivers run.
struct Drained<'a> {
    /// Without depressions.
    ground: Cow<'a, Grid<f32>>,
    flow: Grid<Dir8>,
}

/// Sources of rivers, the highest first: peaks, and springs where the accumulation reaches `spring_area`, at least as high as
/// `min_peak_elevation` and farther than `river_spacing` from every source before. The highest cell of land if there is none.
/// Each comes with the least number of cells of its river.
fn sources(
    height: &Grid<f32>,
    land: &Grid<u8>,
    drained: &Drained,
    (elevation, rivers): (&params::Elevation, &params::Rivers),
    ctx: &Ctx,
) -> Result<Vec<(u32, usize)>, Cancelled> {
    let least = elevation.min_peak_elevation;
    let (mut cells, highest) = maxima(height, land, least, ctx)?;
    if rivers.spring_area > 0 {
        let mut springs = springs(&drained.flow, land, rivers.spring_area, ctx)?;
        springs.retain(|&c| height.cells()[c as usize] >= least as f32);
        let peaks = cells.len();
        cells.extend(springs);
        let (peaks, springs) = cells.split_at(peaks);
        // Both lists are in row-major order.
        let spring = |c: &u32| springs.binary_search(c).is_ok() && peaks.binary_search(c).is_err();
        let mut all = spaced(height, cells.clone(), highest, rivers.river_spacing);
        return Ok(all.drain(..).map(|c| (c, if spring(&c) { SHORTEST } else { 1 })).collect());
    }
    Ok(spaced(height, cells, highest, rivers.river_spacing).into_iter().map(|c| (c, 1)).collect())
}

/// Courses of rivers on the ground before valleys are carved.
#[derive(Clone, Debug)]
pub struct Courses {
    /// In the order in which they were traced: a parent before its tributaries. Areas and widths are not known yet.
    pub list: Vec<River>,
    /// Flow direction on the cells of rivers; [`Dir8::NONE`] elsewhere.
    pub way: Grid<Dir8>,
    /// Strahler order of the rivers' cells on land, 0 elsewhere.
    pub order: Grid<u8>,
    /// Both orders at the last cell of each river.
    pub at_end: Vec<Order>,
}

impl Courses {
    /// The rivers with their orders. `goes` is the direction in which a cell of a river goes on.
    fn new(list: Vec<River>, land: &Grid<u8>, goes: impl Fn(usize) -> Dir8) -> Self {
        let (w, h) = land.shape();
        let orders = hydro::orders(&list);
        let (mut way, mut order) = (Grid::filled(w, h, Dir8::NONE), Grid::filled(w, h, 0u8));
        for (river, orders) in list.iter().zip(&orders) {
            let own = river.own_cells().iter().map(|&c| c as usize).zip(orders);
            for (cell, o) in own.filter(|(c, _)| land.cells()[*c] != 0) {
                order.cells_mut()[cell] = o.strahler;
                way.cells_mut()[cell] = goes(cell);
            }
        }
        let last = |(river, orders): (&River, Vec<Order>)| {
            let ends_at_sea = river.own_cells().last().is_some_and(|&c| land.cells()[c as usize] == 0);
            orders[orders.len() - 1 - ends_at_sea as usize]
        };
        let at_end = list.iter().zip(orders).map(last).collect();
        Self { list, way, order, at_end }
    }
}

/// Follows the water from the sources to the sea or to the river of an earlier source: rivers of ground that streams have shaped.
/// Reach: whole map.
pub fn follow(
    (height, land): (&Grid<f32>, &Grid<u8>),
    p: (&params::Elevation, &params::Rivers),
    ctx: &Ctx,
) -> Result<Courses, Cancelled> {
    let (w, h) = height.shape();
    let drained = drained(height, land, ctx)?;
    let sources = sources(height, land, &drained, p, ctx)?;
    let offsets = Dir8::offsets(w);
    let mut owner: Grid<u32> = Grid::filled(w, h, u32::MAX);
    let mut list = Vec::new();
    for (source, shortest) in sources {
        ctx.checkpoint()?;
        let (mut cells, mut parent, mut at) = (Vec::new(), None, Some(source as usize));
        while let Some(cell) = at {
            cells.push(cell as u32);
            parent = Some(owner.cells()[cell]).filter(|&o| o != u32::MAX).map(|o| o as usize);
            if parent.is_some() || land.cells()[cell] == 0 {
                break;
            }
            at = drained.flow.cells()[cell].step_from(cell, &offsets);
        }
        let ends = |c: u32| parent.is_some() || land.cells()[c as usize] == 0;
        let own = cells.len() - cells.last().is_some_and(|&c| ends(c)) as usize;
        if own < shortest || own == 0 || cells.len() < 2 {
            continue;
        }
        cells[..own].iter().for_each(|&c| owner.cells_mut()[c as usize] = list.len() as u32);
        list.push(River { cells, parent, area_m2: 0.0, discharge_m3_s: 0.0, width_m: 0.0 });
    }
    Ok(Courses::new(list, land, |cell| drained.flow.cells()[cell]))
}

/// Traces rivers from the sources to the sea, over ground that no stream has shaped.
///
/// A river goes to a strictly lower neighbour on the filled ground: into the sea or a river that it touches, else where the
/// slope s·(1 + 8·m·f) is largest, with m the meander strength and f noise at the neighbour. Across flats it follows
/// [`hydro::d8_over_filled`]. It never crosses another river: it goes round it, or ends in it if there is
/// no other path down, even if that river is higher here; beds are graded later. A river that comes back to its own
/// course takes the short cut. Reach: whole map.
pub fn trace(
    (height, land): (&Grid<f32>, &Grid<u8>),
    seed: Seed,
    p: (&params::Elevation, &params::Rivers),
    ctx: &Ctx,
) -> Result<Courses, Cancelled> {
    let (w, h) = height.shape();
    let drained = drained(height, land, ctx)?;
    let sources = sources(height, land, &drained, p, ctx)?;
    let strength = FELT * p.1.river_meander_strength as f32;
    let (marks, owner) = (Grid::filled(w, h, FREE), Grid::filled(w, h, 0));
    let mut tracer =
        Tracer { ground: &drained.ground, flow: &drained.flow, land, seed, strength, marks, owner };
    let mut list = Vec::new();
    for (source, shortest) in sources {
        ctx.checkpoint()?;
        list.extend(tracer.river(source as usize, shortest, list.len(), ctx)?);
    }
    let goes = |cell: usize| match tracer.marks.cells()[cell] {
        mark if mark < ENDS => Dir8(mark),
        _ => Dir8::NONE,
    };
    Ok(Courses::new(list, land, goes))
}

/// The ground without depressions, and its flow directions. Ground without any is not filled.
fn drained<'a>(height: &'a Grid<f32>, land: &Grid<u8>, ctx: &Ctx) -> Result<Drained<'a>, Cancelled> {
    let (w, h) = height.shape();
    let sea = super::coast::sea(land, ctx)?;
    let flow = hydro::d8_over_filled(height, Outlets::BorderAnd(&sea), ctx)?;
    let rows = par::map(h, ctx, |y| {
        let inner = 1..w.max(2) - 1;
        let stuck = |x: usize| land[(x, y)] != 0 && !flow[(x, y)].is_some();
        y > 0 && y + 1 < h && inner.into_iter().any(stuck)
    })?;
    if !rows.contains(&true) {
        return Ok(Drained { ground: Cow::Borrowed(height), flow });
    }
    let ground = hydro::fill(height, Outlets::BorderAnd(&sea), ctx)?;
    let flow = hydro::d8_over_filled(&ground, Outlets::BorderAnd(&sea), ctx)?;
    Ok(Drained { ground: Cow::Owned(ground), flow })
}

/// Springs: cells whose accumulation is enough for a river while that of every neighbour that drains into them is not, in
/// row-major order.
fn springs(flow: &Grid<Dir8>, land: &Grid<u8>, from_cells: u32, ctx: &Ctx) -> Result<Vec<u32>, Cancelled> {
    let (w, h) = flow.shape();
    let area = hydro::accumulation(flow, ctx)?;
    let rows = par::map(h, ctx, |y| {
        let mut heads = Vec::new();
        let row = area.row(y).iter().zip(land.row(y)).enumerate();
        for (x, _) in row.filter(|(_, (a, l))| **a >= from_cells && **l != 0) {
            let mut head = true;
            dir8::neighbours(w, h, x, y, |d, nx, ny| {
                head &= flow[(nx, ny)] != d.opposite() || area[(nx, ny)] < from_cells;
            });
            heads.extend(head.then_some((y * w + x) as u32));
        }
        heads
    })?;
    Ok(rows.concat())
}

/// No river here.
const FREE: u8 = 255;
/// The river that is being traced.
const MINE: u8 = 254;
/// A river ends here without going on to another cell.
const ENDS: u8 = 8;

/// Traces one river after another.
struct Tracer<'a> {
    ground: &'a Grid<f32>,
    flow: &'a Grid<Dir8>,
    land: &'a Grid<u8>,
    seed: Seed,
    strength: f32,
    /// [`FREE`], [`MINE`], [`ENDS`], or the direction in which the water of a finished river goes on.
    marks: Grid<u8>,
    /// The finished river that a cell belongs to; on the river that is being traced, the index in its path.
    owner: Grid<u32>,
}

impl Tracer<'_> {
    /// The river from a source, if it has at least `shortest` cells and leads anywhere.
    fn river(
        &mut self,
        source: usize,
        shortest: usize,
        number: usize,
        ctx: &Ctx,
    ) -> Result<Option<River>, Cancelled> {
        if self.marks.cells()[source] != FREE {
            return Ok(None);
        }
        let (mut path, mut cell) = (Vec::new(), source);
        self.go_on(&mut path, source);
        while let Some(next) = self.next(cell) {
            cell = next;
            if path.len().is_multiple_of(4096) {
                ctx.checkpoint()?;
            }
            if self.finished(cell) || self.land.cells()[cell] == 0 {
                path.push(cell);
                break;
            }
            self.cut_loop(&mut path, cell);
            self.go_on(&mut path, cell);
        }
        let parent = self.finished(cell).then(|| self.owner.cells()[cell] as usize);
        let own = path.len() - (parent.is_some() || self.land.cells()[cell] == 0) as usize;
        let kept = own >= shortest && path.len() > 1;
        for k in 0..own {
            let goes = path.get(k + 1).map_or(ENDS, |&n| self.direction(path[k], n).0);
            self.marks.cells_mut()[path[k]] = if kept { goes } else { FREE };
            self.owner.cells_mut()[path[k]] = number as u32;
        }
        let cells = path.into_iter().map(|c| c as u32).collect();
        Ok(kept.then_some(River { cells, parent, area_m2: 0.0, discharge_m3_s: 0.0, width_m: 0.0 }))
    }

    /// Appends a cell to the path.
    fn go_on(&mut self, path: &mut Vec<usize>, cell: usize) {
        self.marks.cells_mut()[cell] = MINE;
        self.owner.cells_mut()[cell] = path.len() as u32;
        path.push(cell);
    }

    /// Whether a finished river runs here.
    fn finished(&self, cell: usize) -> bool {
        self.marks.cells()[cell] <= ENDS
    }

    /// From a cell to its neighbour.
    fn direction(&self, from: usize, to: usize) -> Dir8 {
        let w = self.land.width();
        let step = ((to % w) as i32 - (from % w) as i32, (to / w) as i32 - (from / w) as i32);
        let d = Dir8::ALL.into_iter().find(|d| (d.dx(), d.dy()) == step);
        d.expect("a river goes from neighbour to neighbour")
    }

    /// The cell that a diagonal step would cross another river at: the lower end of that river's step.
    fn crossed(&self, cell: usize, d: Dir8) -> Option<usize> {
        if !d.is_diagonal() {
            return None;
        }
        let w = self.land.width();
        let beside = cell.wrapping_add_signed(d.dx() as isize);
        let along = cell.wrapping_add_signed(d.dy() as isize * w as isize);
        let runs = |a: usize, b: usize| {
            let mark = self.marks.cells()[a];
            mark < ENDS && a.wrapping_add_signed(Dir8::offsets(w)[mark as usize]) == b
        };
        match (runs(beside, along), runs(along, beside)) {
            (true, _) => Some(along),
            (_, true) => Some(beside),
            _ => None,
        }
    }

    /// Where a river goes from a cell; none at the edge of the map.
    fn next(&self, cell: usize) -> Option<usize> {
        let (w, h) = (self.land.width(), self.land.height());
        let here = self.ground.cells()[cell];
        // (rank of the kind of cell, score)
        let (mut best, mut crossing) = (None, None);
        dir8::neighbours(w, h, cell % w, cell / w, |d, x, y| {
            let to = y * w + x;
            let drop = here - self.ground.cells()[to];
            if drop <= 0.0 || self.marks.cells()[to] == MINE {
                return;
            }
            if let Some(at) = self.crossed(cell, d) {
                let lower = |c: usize| self.ground.cells()[at] < self.ground.cells()[c];
                if crossing.is_none_or(lower) {
                    crossing = Some(at);
                }
                return;
            }
            let slope = if d.is_diagonal() { drop * std::f32::consts::FRAC_1_SQRT_2 } else { drop };
            let (kind, score) = match (self.land.cells()[to], self.finished(to)) {
                (0, _) => (2, slope),
                (_, true) => (1, slope),
                _ => (0, slope * self.liking(x, y)),
            };
            if best.is_none_or(|(k, s, _)| (kind, score) > (k, s)) {
                best = Some((kind, score, to));
            }
        });
        let flat = || {
            let d = self.flow.cells()[cell];
            let to = d.step_from(cell, &Dir8::offsets(w))?;
            Some(self.crossed(cell, d).unwrap_or(to))
        };
        best.map(|b| b.2).or(crossing).or_else(flat)
    }

    /// Preference of a river for a place: 1 + 8·m·f, at least 1/20.
    fn liking(&self, x: usize, y: usize) -> f32 {
        if self.strength == 0.0 {
            return 1.0;
        }
        let f = fractal_at(x as f64 + 0.5, y as f64 + 0.5, self.seed, NoiseShape::Fbm, &SWAY);
        (1.0 + self.strength * f).max(0.05)
    }

    /// Takes the short cut from the earliest cell of the path beside `cell`, if the path has come back to it. A diagonal
    /// short cut must not cross another river.
    fn cut_loop(&mut self, path: &mut Vec<usize>, cell: usize) {
        let (w, h) = (self.land.width(), self.land.height());
        let mut first = u32::MAX;
        dir8::neighbours(w, h, cell % w, cell / w, |d, x, y| {
            let near = y * w + x;
            if self.marks.cells()[near] == MINE && self.crossed(near, d.opposite()).is_none() {
                first = first.min(self.owner.cells()[near]);
            }
        });
        let first = first as usize;
        if first + 1 < path.len() {
            path.drain(first + 1..).for_each(|c| self.marks.cells_mut()[c] = FREE);
        }
    }
}
