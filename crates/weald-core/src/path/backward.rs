//! The backward search: the cost from every cell to one goal.

use super::cost_grid::CostGrid;
use super::pages::{PAGE, PAGE_CELLS, Pages};
use super::search::PATIENCE;
use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::queue::{Keyed, RisingQueue};

/// Offsets of the straight and of the diagonal neighbours of a cell on its page.
const NEAR: [[isize; 4]; 2] = {
    let all = Dir8::offsets(PAGE);
    [[all[0], all[2], all[4], all[6]], [all[1], all[3], all[5], all[7]]]
};

/// The costs from cells to a goal, and the memory of the search for them.
pub(super) struct Backward {
    width: usize,
    height: usize,
    /// Cost from a cell to the goal: infinite where the search has not been, negative and infinite where closed.
    known: Pages<f64>,
    queue: RisingQueue<Wave>,
    /// The waves of one rank.
    waves: Vec<Wave>,
    /// The cells that they reach for the first time, and room for four more.
    fresh: Vec<u32>,
}

/// What a cell offers to its four straight or its four diagonal neighbours: the cost of the path through it, which is the
/// same for all four, because a step costs what it costs to enter this cell.
#[derive(Clone, Copy)]
struct Wave {
    cost: f64,
    /// The cell, as [`entry`] numbers it, times 2, plus 1 for the diagonal neighbours.
    from: u32,
    rank: u32,
}

impl Keyed for Wave {
    #[inline]
    fn key(&self) -> u32 {
        self.rank
    }
}

/// The number of a cell: by its page and its index on the page.
#[inline(always)]
fn entry(p: usize, i: usize) -> u32 {
    (p * PAGE_CELLS + i) as u32
}

/// The page of a cell and its index on the page.
#[inline(always)]
fn slot(entry: u32) -> (usize, usize) {
    (entry as usize / PAGE_CELLS, entry as usize % PAGE_CELLS)
}

/// Ranks of costs: ⌊cost / least step⌋.
#[derive(Clone, Copy)]
struct Ranks {
    per_cost: f64,
}

impl Ranks {
    /// A rank is a little narrower than the least step, to allow for the rounding of the product.
    fn new(ground: &CostGrid) -> Self {
        Self { per_cost: 1.001 / ground.least_step }
    }

    #[inline(always)]
    fn of(self, cost: f64) -> u32 {
        (cost * self.per_cost) as u32
    }
}

impl Backward {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            known: Pages::new(width, height, f64::INFINITY),
            queue: RisingQueue::default(),
            waves: Vec::new(),
            fresh: Vec::new(),
        }
    }

    /// The cost from a cell to the goal; infinite where the search has not been.
    #[inline]
    pub(super) fn cost(&self, x: usize, y: usize) -> f64 {
        self.known.get(x, y).abs()
    }

    /// Finds the cost from each cell to `goal`, as far as the farthest of `starts` and its slack.
    ///
    /// Waves spread in the order of ⌊cost / least step⌋ (Dial 1969, doi:10.1145/363269.363610). A cell is settled by the
    /// first rank that reaches it, at the least cost of that rank's waves: what it sends out itself has a higher rank. So
    /// every cell is settled once and sends at most two waves, one to its straight and one to its diagonal neighbours, and
    /// waves of one rank may arrive in any order. Cost: about 40 ns for each settled cell.
    pub(super) fn spread(
        &mut self,
        ground: &CostGrid,
        goal: usize,
        starts: Vec<usize>,
        ctx: &Ctx,
    ) -> Result<()> {
        self.known.forget();
        self.queue.clear();
        let ranks = Ranks::new(ground);
        let mut starts = Starts::new(ground, goal, starts);
        let (p, i) = self.slot(ground, goal % self.width, goal / self.width);
        self.known.cells[p][i] = 0.0;
        self.fresh.clear();
        self.fresh.push(entry(p, i));
        let (mut count, mut visits) = (1, 0);
        loop {
            for k in 0..count {
                self.settle(ground, self.fresh[k], &mut starts, ranks);
            }
            visits += count;
            if visits >= PATIENCE {
                ctx.checkpoint()?;
                visits = 0;
            }
            match self.queue.pop_equal(&mut self.waves) {
                Some(rank) if rank <= ranks.of(starts.limit) => count = self.arrive(ground),
                _ => return Ok(()),
            }
        }
    }

    /// The page of a cell and its index there. On a page that is new to the search, closed cells are marked.
    #[inline]
    fn slot(&mut self, ground: &CostGrid, x: usize, y: usize) -> (usize, usize) {
        self.known.slot_or(x, y, |at, page| {
            for (known, &enter) in page.iter_mut().zip(&ground.pages[at]) {
                *known = if enter < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
            }
        })
    }

    /// Sends out the waves of a cell whose cost is settled.
    #[inline(always)]
    fn settle(&mut self, ground: &CostGrid, at: u32, starts: &mut Starts, ranks: Ranks) {
        let (p, i) = slot(at);
        let (cost, (x, y)) = (self.known.cells[p][i], self.known.position(p, i));
        if cost > starts.limit {
            return;
        }
        starts.settle(ground, (x, y), cost);
        if starts.may_use(ground, (x, y), cost) {
            // A path from a neighbour enters this cell.
            let enter = ground.pages[self.known.on_map(p)][i] as f64;
            let (straight, diagonal) = (cost + enter, cost + enter * ground.rule.diagonal);
            self.queue.push(Wave { cost: straight, from: at << 1, rank: ranks.of(straight) });
            self.queue.push(Wave { cost: diagonal, from: at << 1 | 1, rank: ranks.of(diagonal) });
        }
    }

    /// Lets all waves of one rank arrive at the cells around those that sent them. Returns how many cells they reach for the
    /// first time, which are then the first in `fresh`.
    fn arrive(&mut self, ground: &CostGrid) -> usize {
        let waves = std::mem::take(&mut self.waves);
        self.fresh.resize(self.fresh.len().max(4 * waves.len() + 4), 0);
        let mut count = 0;
        for &wave in &waves {
            let ((p, i), first) = (slot(wave.from >> 1), wave.from as usize & 1);
            let edge = |v: usize| v == 0 || v == PAGE - 1;
            if edge(i % PAGE) || edge(i / PAGE) {
                count = self.arrive_across_pages(ground, wave, count);
                continue;
            }
            // All neighbours lie on the same page; those off the map are closed there.
            let known = &mut self.known.cells[p];
            // There are four free places.
            let Some(fresh) = self.fresh[count..].first_chunk_mut::<4>() else { continue };
            let mut new = 0;
            for offset in NEAR[first] {
                let near = i.wrapping_add_signed(offset) % PAGE_CELLS;
                let old = known[near];
                known[near] = if wave.cost < old { wave.cost } else { old };
                fresh[new % 4] = entry(p, near);
                new += (old == f64::INFINITY) as usize;
            }
            count += new;
        }
        self.waves = waves;
        count
    }

    /// The same for one wave from a cell at the edge of its page.
    fn arrive_across_pages(&mut self, ground: &CostGrid, wave: Wave, mut count: usize) -> usize {
        let (p, i) = slot(wave.from >> 1);
        let (x, y) = self.known.position(p, i);
        for k in 0..4 {
            let d = Dir8::ALL[2 * k + (wave.from as usize & 1)];
            let (nx, ny) = (x.wrapping_add_signed(d.dx() as isize), y.wrapping_add_signed(d.dy() as isize));
            if nx >= self.width || ny >= self.height {
                continue;
            }
            let (p, near) = self.slot(ground, nx, ny);
            let known = &mut self.known.cells[p][near];
            self.fresh[count] = entry(p, near);
            count += (*known == f64::INFINITY) as usize;
            *known = if wave.cost < *known { wave.cost } else { *known };
        }
        count
    }
}

/// The starts of the paths, and which costs are still of use to them.
struct Starts {
    width: usize,
    /// Indices of the starts, sorted.
    cells: Vec<usize>,
    /// How many of them are not settled yet.
    waiting: usize,
    /// Highest cost of a settled start.
    farthest: f64,
    /// No cell of a higher cost is of use; infinite until all starts are settled.
    limit: f64,
    /// For each start, unless there are many.
    bounds: Vec<Bound>,
}

/// No path from a start needs to cost more than this.
struct Bound {
    x: usize,
    y: usize,
    cost: f64,
}

/// The most starts for which bounds are kept. Beyond that they cost more than they save.
const MANY: usize = 200;

impl Starts {
    fn new(ground: &CostGrid, goal: usize, mut cells: Vec<usize>) -> Self {
        cells.sort_unstable();
        cells.dedup();
        let bounds = if cells.len() > MANY {
            Vec::new()
        } else {
            cells.iter().map(|&start| Bound::new(ground, start, goal)).collect()
        };
        let width = ground.shape().0;
        Self { width, waiting: cells.len(), cells, farthest: 0.0, limit: f64::INFINITY, bounds }
    }

    /// Notes the cost of a settled cell if it is a start.
    #[inline(always)]
    fn settle(&mut self, ground: &CostGrid, (x, y): (usize, usize), cost: f64) {
        if self.waiting > 0 && self.cells.binary_search(&(y * self.width + x)).is_ok() {
            self.waiting -= 1;
            // The true cost of this start is known now; hardly any cell farther out is of use to it.
            for bound in self.bounds.iter_mut().filter(|b| (b.x, b.y) == (x, y)) {
                bound.cost = ground.with_slack(cost);
            }
            // Starts of one rank may be settled in any order.
            self.farthest = self.farthest.max(cost);
            if self.waiting == 0 {
                self.limit = ground.with_slack(self.farthest);
            }
        }
    }

    /// Whether a cell of this cost may lie on a path from any start.
    #[inline(always)]
    fn may_use(&self, ground: &CostGrid, (x, y): (usize, usize), cost: f64) -> bool {
        let step = ground.least_step;
        let useful = |s: &Bound| cost + step * s.x.abs_diff(x).max(s.y.abs_diff(y)) as f64 <= s.cost;
        self.bounds.is_empty() || self.bounds.iter().any(useful)
    }
}

impl Bound {
    /// The cost of the cheaper of two simple paths, with slack: all diagonal steps first, or all straight steps first.
    /// Infinite if both are closed.
    fn new(ground: &CostGrid, start: usize, goal: usize) -> Self {
        let w = ground.shape().0;
        let (from, to) = ((start % w, start / w), (goal % w, goal / w));
        let straights = from.0.abs_diff(to.0).abs_diff(from.1.abs_diff(to.1));
        let cost = simple_path(ground, from, to, 0).min(simple_path(ground, from, to, straights));
        let cost = if cost.is_finite() { ground.with_slack(cost) } else { cost };
        Self { x: from.0, y: from.1, cost }
    }
}

/// The cost of the path that makes `straights` straight steps first, then all its diagonal ones, then the other straight
/// ones; infinite if a cell of it is closed.
fn simple_path(ground: &CostGrid, from: (usize, usize), to: (usize, usize), mut straights: usize) -> f64 {
    let toward = |from: usize, to: usize| from.wrapping_add_signed(to.cmp(&from) as isize);
    let ((mut x, mut y), mut cost) = (from, 0.0);
    let mut diagonals = x.abs_diff(to.0).min(y.abs_diff(to.1));
    while (x, y) != to {
        let along_x = x.abs_diff(to.0) > y.abs_diff(to.1);
        let straight = straights > 0 || diagonals == 0;
        let weight = if straight {
            straights = straights.saturating_sub(1);
            if along_x {
                x = toward(x, to.0)
            } else {
                y = toward(y, to.1)
            }
            1.0
        } else {
            diagonals -= 1;
            (x, y) = (toward(x, to.0), toward(y, to.1));
            ground.rule.diagonal
        };
        let enter = ground.entering(x, y);
        cost = if enter < 0.0 { f64::INFINITY } else { cost + enter as f64 * weight };
    }
    cost
}
