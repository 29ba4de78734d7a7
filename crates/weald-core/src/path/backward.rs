//! The backward search: the cost from every cell to one goal.

use super::cost_grid::CostGrid;
use super::pages::{PAGE, PAGE_CELLS, Pages};
use super::search::PATIENCE;
use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::queue::RisingQueue;

/// Offsets of the eight neighbours of a cell on its page.
const NEAR: [isize; 8] = Dir8::offsets(PAGE);

/// The costs from cells to a goal, and the memory of the search for them.
pub(super) struct Backward {
    width: usize,
    height: usize,
    /// Cost from a cell to the goal, negative once it is settled.
    known: Pages<f64>,
    queue: RisingQueue,
}

/// An entry of the queue: a cell by its page and its index on the page.
#[inline(always)]
fn entry(p: usize, i: usize) -> u32 {
    (p * PAGE_CELLS + i) as u32
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
        Self { width, height, known: Pages::new(width, height, f64::INFINITY), queue: RisingQueue::default() }
    }

    /// The cost from a cell to the goal; infinite where the search has not been.
    #[inline]
    pub(super) fn cost(&self, x: usize, y: usize) -> f64 {
        self.known.get(x, y).abs()
    }

    /// Finds the cost from each cell to `goal`, as far as the farthest of `starts` and its slack.
    ///
    /// The queue is ordered by ⌊cost / least step⌋ alone (Dial 1969, doi:10.1145/363269.363610): cells of one rank cannot
    /// make each other cheaper, so their order does not matter.
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
        let (p, i) = self.known.slot(goal % self.width, goal / self.width);
        self.known.cells[p][i] = 0.0;
        self.queue.push(0, entry(p, i));
        let mut visits = 0usize;
        while let Some((rank, at)) = self.queue.pop() {
            visits += 1;
            if visits.is_multiple_of(PATIENCE) {
                ctx.checkpoint()?;
            }
            let (p, i) = (at as usize / PAGE_CELLS, at as usize % PAGE_CELLS);
            let cost = self.known.cells[p][i];
            if rank > ranks.of(starts.limit) {
                break;
            }
            if cost.is_sign_negative() || cost > starts.limit {
                continue;
            }
            self.known.cells[p][i] = -cost;
            let (x, y) = self.known.position(p, i);
            starts.settle(ground, (x, y), cost);
            if starts.may_use(ground, (x, y), cost) {
                self.offer(ground, (p, i), (x, y), cost, ranks);
            }
        }
        Ok(())
    }

    /// Offers every open neighbour of a settled cell the path through it: (p, i) are its page and index
    /// there, (x, y) is its position.
    #[inline(always)]
    fn offer(
        &mut self,
        ground: &CostGrid,
        (p, i): (usize, usize),
        (x, y): (usize, usize),
        cost: f64,
        ranks: Ranks,
    ) {
        // A path from a neighbour enters this cell.
        let enter = ground.pages[self.known.on_map(p)][i] as f64;
        let offers = [cost + enter, cost + enter * ground.rule.diagonal];
        let edge = |v: usize| v == 0 || v == PAGE - 1;
        if edge(i % PAGE) || edge(i / PAGE) {
            return self.offer_across_pages(ground, (x, y), offers, ranks);
        }
        // All neighbours lie on the same page; those off the map are closed there.
        let (ground, known) = (&ground.pages[self.known.on_map(p)], &mut self.known.cells[p]);
        for d in 0..8 {
            let near = i.wrapping_add_signed(NEAR[d]) % PAGE_CELLS;
            let new = offers[d & 1];
            if new < known[near] && ground[near] >= 0.0 {
                known[near] = new;
                self.queue.push(ranks.of(new), entry(p, near));
            }
        }
    }

    /// The same for a cell at the edge of its page. `offers` are the costs by a straight and by a diagonal step.
    fn offer_across_pages(
        &mut self,
        ground: &CostGrid,
        (x, y): (usize, usize),
        offers: [f64; 2],
        ranks: Ranks,
    ) {
        for d in Dir8::ALL {
            let (nx, ny) = (x.wrapping_add_signed(d.dx() as isize), y.wrapping_add_signed(d.dy() as isize));
            if nx >= self.width || ny >= self.height {
                continue;
            }
            let (p, near) = self.known.slot(nx, ny);
            let new = offers[d.is_diagonal() as usize];
            if new < self.known.cells[p][near] && ground.pages[self.known.on_map(p)][near] >= 0.0 {
                self.known.cells[p][near] = new;
                self.queue.push(ranks.of(new), entry(p, near));
            }
        }
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
