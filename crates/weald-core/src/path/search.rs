//! Cheapest paths over a grid of costs (Dijkstra 1959, doi:10.1007/BF01386390).

use crate::ctx::{Cancelled, Ctx};
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::label;
use crate::par;
use crate::queue::{MinQueue, RisingQueue, float_key};

/// What a step costs: the cost of the cell that is entered, times `diagonal` for a diagonal step.
#[derive(Clone, Copy, Debug)]
pub struct PathRule {
    /// Weight of a diagonal step; a straight one weighs 1.
    pub diagonal: f64,
    /// Costs that fall into the same multiple of this are equal for the order of the search, and a cell is reached
    /// anew only if that is cheaper by more than this. 0: costs as they are.
    pub tie_eps: f64,
}

/// The ground to be walked on, made once and shared by all searches.
pub struct CostGrid {
    width: usize,
    height: usize,
    /// Cost of entering a cell, negative where closed, in squares of cells: neighbours lie close together in memory.
    pages: Vec<[f32; PAGE_CELLS]>,
    region: Grid<u32>,
    rule: PathRule,
    /// What the cheapest and the dearest step anywhere cost.
    least_step: f64,
    most_step: f64,
}

/// Marks a cell that no path may enter, in the grid given to [`CostGrid::new`].
pub const CLOSED: f32 = -1.0;

impl CostGrid {
    /// `cost` is what it costs to enter a cell, above 0, or [`CLOSED`]. The connected parts of the open cells are
    /// labelled, so that a hopeless search is never begun.
    pub fn new(cost: &Grid<f32>, rule: PathRule, ctx: &Ctx) -> Result<Self, Cancelled> {
        let (width, height) = (cost.width(), cost.height());
        let (region, _) = label::regions(width, height, ctx, |i| cost.cells()[i] >= 0.0)?;
        let least = cost.cells().iter().copied().filter(|&c| c >= 0.0).fold(f32::INFINITY, f32::min);
        let least_step = least as f64 * rule.diagonal.min(1.0);
        let most_step = cost.cells().iter().copied().fold(0.0, f32::max) as f64 * rule.diagonal.max(1.0);
        let wide = width.div_ceil(PAGE);
        let bands = par::map(height.div_ceil(PAGE), ctx, |band| {
            let mut pages = vec![[CLOSED; PAGE_CELLS]; wide];
            for y in band * PAGE..((band + 1) * PAGE).min(height) {
                for (page, run) in pages.iter_mut().zip(cost.row(y).chunks(PAGE)) {
                    let at = (y % PAGE) * PAGE;
                    page[at..at + run.len()].copy_from_slice(run);
                }
            }
            pages
        })?;
        let pages = bands.concat();
        Ok(Self { width, height, pages, region, rule, least_step, most_step })
    }

    /// Columns and rows.
    pub fn shape(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The cost beyond which a way need not be followed, if the whole way costs `cost`: `tie_eps` for every step, and
    /// the rounding of sums.
    fn with_slack(&self, cost: f64) -> f64 {
        let steps = cost / self.least_step + 8.0;
        cost + 4.0 * steps * self.rule.tie_eps + 1e-9 * cost + 1e-9
    }

    /// Whether the cost of any way, counted in least steps, fits the ranks of the search backwards.
    fn has_ranks(&self) -> bool {
        let dearest = self.most_step * (self.width * self.height) as f64;
        self.least_step > 0.0 && dearest / self.least_step < 4e9
    }

    /// Whether a path joins the two cells.
    pub fn connected(&self, a: usize, b: usize) -> bool {
        self.region.cells()[a] != 0 && self.region.cells()[a] == self.region.cells()[b]
    }
}

/// Side of a page in cells.
const PAGE: usize = 32;
const PAGE_CELLS: usize = PAGE * PAGE;

/// What a search knows of the map, in squares of cells. Only the pages that a search touches are cleared for it, so a
/// search costs what it visits and not what the map holds.
struct Pages<T> {
    empty: T,
    wide: usize,
    /// 1 + index into `cells`, or 0.
    directory: Vec<u32>,
    /// Number in the directory of each page in use.
    touched: Vec<u32>,
    cells: Vec<[T; PAGE_CELLS]>,
}

impl<T: Copy> Pages<T> {
    fn new(width: usize, height: usize, empty: T) -> Self {
        let wide = width.div_ceil(PAGE);
        let directory = vec![0; wide * height.div_ceil(PAGE)];
        Self { empty, wide, directory, touched: Vec::new(), cells: Vec::new() }
    }

    fn forget(&mut self) {
        for page in self.touched.drain(..) {
            self.directory[page as usize] = 0;
        }
    }

    /// Page and place of a cell; the page is cleared when it is met for the first time in a search.
    #[inline]
    fn slot(&mut self, x: usize, y: usize) -> (usize, usize) {
        let at = (y / PAGE) * self.wide + x / PAGE;
        let i = (y % PAGE) * PAGE + x % PAGE;
        match self.directory[at] {
            0 => (self.clear_page(at), i),
            p => (p as usize - 1, i),
        }
    }

    #[cold]
    fn clear_page(&mut self, at: usize) -> usize {
        let p = self.touched.len();
        self.touched.push(at as u32);
        self.directory[at] = p as u32 + 1;
        if p == self.cells.len() {
            self.cells.push([self.empty; PAGE_CELLS]);
        } else {
            self.cells[p].fill(self.empty);
        }
        p
    }

    /// Number of page `p` on the map.
    #[inline]
    fn on_map(&self, p: usize) -> usize {
        self.touched[p] as usize
    }

    /// Position of the place `i` of page `p`.
    #[inline]
    fn position(&self, p: usize, i: usize) -> (usize, usize) {
        let at = self.touched[p] as usize;
        (at % self.wide * PAGE + i % PAGE, at / self.wide * PAGE + i / PAGE)
    }

    /// What is known of a cell.
    #[inline]
    fn get(&self, x: usize, y: usize) -> T {
        match self.directory[(y / PAGE) * self.wide + x / PAGE] {
            0 => self.empty,
            p => self.cells[p as usize - 1][(y % PAGE) * PAGE + x % PAGE],
        }
    }
}

/// How far the eight neighbours of a cell lie from it on its page.
const NEAR: [isize; 8] = Dir8::offsets(PAGE);

/// What the search forward knows of a cell.
#[derive(Clone, Copy)]
struct Reached {
    cost: f64,
    /// Direction of the step into the cell, or `START`.
    step: u8,
    settled: bool,
}

const START: u8 = 8;
const UNSEEN: Reached = Reached { cost: f64::INFINITY, step: START, settled: false };

/// Cells between two looks at whether the work is to stop.
const PATIENCE: usize = 1 << 14;

/// Finds paths, again and again with the same memory.
pub struct Search {
    width: usize,
    height: usize,
    forward: Pages<Reached>,
    queue: MinQueue<u128>,
    /// Cost from a cell to the goal, negative once it is settled.
    backward: Pages<f64>,
    back_queue: RisingQueue,
}

impl Search {
    /// For grounds of this shape.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            forward: Pages::new(width, height, UNSEEN),
            queue: MinQueue::new(),
            backward: Pages::new(width, height, f64::INFINITY),
            back_queue: RisingQueue::default(),
        }
    }

    /// The cheapest path from `start` to `goal`, as cell indices from start to goal; `None` if there is none. The
    /// start's own cost does not count.
    ///
    /// The queue is ordered by (⌊cost / tie_eps⌋, y, x, direction of the step): integers, so the order is total.
    pub fn path(
        &mut self,
        ground: &CostGrid,
        start: usize,
        goal: usize,
        ctx: &Ctx,
    ) -> Result<Option<Vec<u32>>, Cancelled> {
        if !ground.connected(start, goal) {
            return Ok(None);
        }
        self.run(ground, start, goal, |_, _, _| true, ctx)
    }

    /// The paths that [`Search::path`] finds from each of `starts` to one goal.
    ///
    /// One search backwards from the goal gives the true cost h(n) from every cell n to it, as far out as the starts
    /// lie. The search from a start then drops a cell reached at cost g when g + h(n) is more than the whole path
    /// costs, and so visits little beside the path. What it drops cannot change the path: a relaxation that loses by
    /// more than `tie_eps` for every step of the path is overruled later in any case, so that much, and the rounding
    /// of h, is left as slack.
    pub fn paths_to(
        &mut self,
        ground: &CostGrid,
        goal: usize,
        starts: &[usize],
        ctx: &Ctx,
    ) -> Result<Vec<Option<Vec<u32>>>, Cancelled> {
        let open: Vec<usize> = starts.iter().copied().filter(|&s| ground.connected(s, goal)).collect();
        if open.len() < 2 || !ground.has_ranks() {
            return starts.iter().map(|&s| self.path(ground, s, goal, ctx)).collect();
        }
        self.spread_back(ground, goal, open, ctx)?;
        let backward = std::mem::replace(&mut self.backward, Pages::new(0, 0, 0.0));
        let width = self.width;
        let guided = |start: usize| {
            if !ground.connected(start, goal) {
                return Ok(None);
            }
            let limit = ground.with_slack(backward.get(start % width, start / width).abs());
            self.run(ground, start, goal, |x, y, cost| cost + backward.get(x, y).abs() <= limit, ctx)
        };
        let paths = starts.iter().copied().map(guided).collect();
        self.backward = backward;
        paths
    }

    /// The search itself; `worth(x, y, cost)` says whether a cell reached at that cost need be looked at.
    fn run(
        &mut self,
        ground: &CostGrid,
        start: usize,
        goal: usize,
        worth: impl Fn(usize, usize, f64) -> bool,
        ctx: &Ctx,
    ) -> Result<Option<Vec<u32>>, Cancelled> {
        // A goal may have thousands of starts, each with a search too short to look up from.
        ctx.checkpoint()?;
        self.forward.forget();
        self.queue.clear();
        let (p, i) = self.forward.slot(start % self.width, start / self.width);
        self.forward.cells[p][i].cost = 0.0;
        self.queue.push((start as u128) << 3);
        let mut visits = 0usize;
        while let Some(key) = self.queue.pop() {
            let cell = (key as u64 >> 3) as usize;
            if cell == goal {
                return Ok(Some(self.walk_back(goal % self.width, goal / self.width)));
            }
            visits += 1;
            if visits.is_multiple_of(PATIENCE) {
                ctx.checkpoint()?;
            }
            let (x, y) = (cell % self.width, cell / self.width);
            let (p, i) = self.forward.slot(x, y);
            let reached = &mut self.forward.cells[p][i];
            if !reached.settled {
                reached.settled = true;
                let cost = reached.cost;
                self.expand(ground, x, y, cost, &worth);
            }
        }
        Ok(None)
    }

    /// Offers every open neighbour of a settled cell the way through it.
    #[inline]
    fn expand(
        &mut self,
        ground: &CostGrid,
        x: usize,
        y: usize,
        cost: f64,
        worth: &impl Fn(usize, usize, f64) -> bool,
    ) {
        let rule = ground.rule;
        for d in Dir8::ALL {
            let (nx, ny) = (x.wrapping_add_signed(d.dx() as isize), y.wrapping_add_signed(d.dy() as isize));
            if nx >= self.width || ny >= self.height {
                continue;
            }
            let cell = ny * self.width + nx;
            let (p, i) = self.forward.slot(nx, ny);
            let enter = ground.pages[self.forward.on_map(p)][i];
            if enter < 0.0 {
                continue;
            }
            let new = cost + enter as f64 * if d.is_diagonal() { rule.diagonal } else { 1.0 };
            if !worth(nx, ny, new) {
                continue;
            }
            let reached = &mut self.forward.cells[p][i];
            if new < reached.cost - rule.tie_eps {
                (reached.cost, reached.step) = (new, d.0);
                let rank = float_key(if rule.tie_eps > 0.0 { (new / rule.tie_eps).floor() } else { new });
                self.queue.push((rank as u128) << 64 | (cell as u128) << 3 | d.0 as u128);
            }
        }
    }

    fn walk_back(&self, mut x: usize, mut y: usize) -> Vec<u32> {
        let mut path = Vec::new();
        loop {
            path.push((y * self.width + x) as u32);
            let step = self.forward.get(x, y).step;
            if step == START {
                path.reverse();
                return path;
            }
            x = x.wrapping_add_signed(-Dir8::DX[step as usize] as isize);
            y = y.wrapping_add_signed(-Dir8::DY[step as usize] as isize);
        }
    }

    /// Fills `backward` with the cost from each cell to `goal`, as far as the farthest of `starts` and its slack.
    ///
    /// The queue is ordered by ⌊cost / least step⌋ alone (Dial 1969, doi:10.1145/363269.363610): cells of one rank cannot
    /// make each other cheaper, so their order does not matter.
    fn spread_back(
        &mut self,
        ground: &CostGrid,
        goal: usize,
        mut starts: Vec<usize>,
        ctx: &Ctx,
    ) -> Result<(), Cancelled> {
        let (w, h) = (self.width, self.height);
        self.backward.forget();
        self.back_queue.clear();
        starts.sort_unstable();
        starts.dedup();
        let (mut waiting, mut limit) = (starts.len(), f64::INFINITY);
        let mut farthest = 0.0f64;
        let mut bounds = bounds(ground, goal, &starts);
        // A little narrower than the least step, for the rounding of the product.
        let ranks_per_cost = 1.001 / ground.least_step;
        let rank_of = |cost: f64| (cost * ranks_per_cost) as u32;
        // An entry of the queue names a cell by page and place.
        let entry = |p: usize, i: usize| (p * PAGE_CELLS + i) as u32;
        let (p, i) = self.backward.slot(goal % w, goal / w);
        self.backward.cells[p][i] = 0.0;
        self.back_queue.push(0, entry(p, i));
        let mut visits = 0usize;
        while let Some((rank, at)) = self.back_queue.pop() {
            visits += 1;
            if visits.is_multiple_of(PATIENCE) {
                ctx.checkpoint()?;
            }
            let (p, i) = (at as usize / PAGE_CELLS, at as usize % PAGE_CELLS);
            let cost = self.backward.cells[p][i];
            if rank > rank_of(limit) {
                break;
            }
            if cost.is_sign_negative() || cost > limit {
                continue;
            }
            self.backward.cells[p][i] = -cost;
            let (x, y) = self.backward.position(p, i);
            if waiting > 0 && starts.binary_search(&(y * w + x)).is_ok() {
                waiting -= 1;
                // Its true cost is known now; hardly a cell farther out is of use to it.
                for bound in bounds.iter_mut().filter(|b| (b.x, b.y) == (x, y)) {
                    bound.cost = ground.with_slack(cost);
                }
                // Starts of one rank come in any order.
                farthest = farthest.max(cost);
                if waiting == 0 {
                    limit = ground.with_slack(farthest);
                }
            }
            let step = ground.least_step;
            let useful = |s: &Bound| cost + step * s.x.abs_diff(x).max(s.y.abs_diff(y)) as f64 <= s.cost;
            if !bounds.is_empty() && !bounds.iter().any(useful) {
                continue;
            }
            // To come from a neighbour, this cell must be entered.
            let enter = ground.pages[self.backward.on_map(p)][i] as f64;
            let offers = [cost + enter, cost + enter * ground.rule.diagonal];
            let edge = |v: usize| v == 0 || v == PAGE - 1;
            if !edge(i % PAGE) && !edge(i / PAGE) {
                // All neighbours lie on the same page; those off the map are closed there.
                let (ground, known) = (&ground.pages[self.backward.on_map(p)], &mut self.backward.cells[p]);
                for d in 0..8 {
                    let near = i.wrapping_add_signed(NEAR[d]) % PAGE_CELLS;
                    let new = offers[d & 1];
                    if new < known[near] && ground[near] >= 0.0 {
                        known[near] = new;
                        self.back_queue.push(rank_of(new), entry(p, near));
                    }
                }
                continue;
            }
            for d in Dir8::ALL {
                let (nx, ny) =
                    (x.wrapping_add_signed(d.dx() as isize), y.wrapping_add_signed(d.dy() as isize));
                if nx >= w || ny >= h {
                    continue;
                }
                let (p, near) = self.backward.slot(nx, ny);
                let new = offers[d.is_diagonal() as usize];
                if new < self.backward.cells[p][near] && ground.pages[self.backward.on_map(p)][near] >= 0.0 {
                    self.backward.cells[p][near] = new;
                    self.back_queue.push(rank_of(new), entry(p, near));
                }
            }
        }
        Ok(())
    }
}

/// No path from a start need cost more than this.
struct Bound {
    x: usize,
    y: usize,
    cost: f64,
}

/// Starts for which a bound is worth its price.
const MANY: usize = 200;

/// For each start the cost of the cheaper of two plain ways, with slack: diagonally first and then straight, or the
/// other way round; infinite where both are closed. A cell that cannot lie on a cheaper way from any start is of no use
/// to a search. Empty if the starts are many.
fn bounds(ground: &CostGrid, goal: usize, starts: &[usize]) -> Vec<Bound> {
    let w = ground.width;
    let (gx, gy) = (goal % w, goal / w);
    let toward = |from: usize, to: usize| from.wrapping_add_signed(to.cmp(&from) as isize);
    let bound = |&start: &usize| {
        let (sx, sy) = (start % w, start / w);
        let way = |diagonals_left: usize, straights_first: usize| {
            let (mut x, mut y, mut cost) = (sx, sy, 0.0);
            let (mut diagonals, mut straights) = (diagonals_left, straights_first);
            while (x, y) != (gx, gy) {
                let along_x = x.abs_diff(gx) > y.abs_diff(gy);
                let straight = straights > 0 || diagonals == 0;
                let weight = if straight {
                    straights = straights.saturating_sub(1);
                    if along_x {
                        x = toward(x, gx)
                    } else {
                        y = toward(y, gy)
                    }
                    1.0
                } else {
                    diagonals -= 1;
                    (x, y) = (toward(x, gx), toward(y, gy));
                    ground.rule.diagonal
                };
                let enter =
                    ground.pages[(y / PAGE) * w.div_ceil(PAGE) + x / PAGE][(y % PAGE) * PAGE + x % PAGE];
                cost = if enter < 0.0 { f64::INFINITY } else { cost + enter as f64 * weight };
            }
            cost
        };
        let (dx, dy) = (sx.abs_diff(gx), sy.abs_diff(gy));
        let cost = way(dx.min(dy), 0).min(way(dx.min(dy), dx.abs_diff(dy)));
        Bound { x: sx, y: sy, cost: if cost.is_finite() { ground.with_slack(cost) } else { cost } }
    };
    if starts.len() > MANY { Vec::new() } else { starts.iter().map(bound).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Seed, dir8};
    use proptest::prelude::*;

    const RULE: PathRule = PathRule { diagonal: std::f64::consts::SQRT_2, tie_eps: 1e-6 };

    fn costs(w: usize, h: usize, seed: u64, closed: f64) -> Grid<f32> {
        let s = Seed(seed);
        let cost = |i| if s.unit_at(i, 5) < closed { CLOSED } else { 0.4 + s.unit_at(i, 6) as f32 };
        Grid::from_vec(w, h, (0..(w * h) as i64).map(cost).collect())
    }

    fn ground(cost: &Grid<f32>) -> CostGrid {
        CostGrid::new(cost, RULE, &Ctx::default()).unwrap()
    }

    fn path(search: &mut Search, ground: &CostGrid, start: usize, goal: usize) -> Option<Vec<u32>> {
        search.path(ground, start, goal, &Ctx::default()).unwrap()
    }

    /// A corridor that winds through the whole map, so that its ends are far apart.
    fn serpent(n: usize, cost: f32) -> Grid<f32> {
        let open = |x: usize, y: usize| y.is_multiple_of(2) || x == if y % 4 == 1 { n - 1 } else { 0 };
        Grid::from_vec(n, n, (0..n * n).map(|i| if open(i % n, i / n) { cost } else { CLOSED }).collect())
    }

    #[test]
    fn rounding_over_very_long_ways_drops_no_path() {
        for (n, cost) in [(201, 1.4), (201, 1.74), (301, 1.1), (301, 2.0)] {
            let g = ground(&serpent(n, cost));
            let (mut s, goal) = (Search::new(n, n), n * n - 1);
            let together = s.paths_to(&g, goal, &[0, 7], &Ctx::default()).unwrap();
            assert_eq!(together, [path(&mut s, &g, 0, goal), path(&mut s, &g, 7, goal)]);
            assert!(together[0].as_ref().is_some_and(|p| p.len() > n * n / 2 - n));
        }
    }

    #[test]
    fn a_long_search_heeds_the_wish_to_stop() {
        struct Silent;
        impl crate::ctx::Watch for Silent {}
        let stop = std::sync::atomic::AtomicBool::new(true);
        let ctx = Ctx::new(&Silent, &stop);
        let (g, mut s) = (ground(&serpent(301, 1.0)), Search::new(301, 301));
        assert_eq!(s.path(&g, 0, 301 * 301 - 1, &ctx), Err(Cancelled));
        assert_eq!(s.paths_to(&g, 301 * 301 - 1, &[0, 1], &ctx), Err(Cancelled));
    }

    fn length(cost: &Grid<f32>, path: &[u32]) -> f64 {
        let w = cost.width();
        path.windows(2)
            .map(|s| {
                let (a, b) = (s[0] as usize, s[1] as usize);
                let (dx, dy) = ((a % w).abs_diff(b % w), (a / w).abs_diff(b / w));
                assert!(dx <= 1 && dy <= 1 && a != b, "steps go to neighbours");
                assert!(cost.cells()[b] >= 0.0, "steps go to open cells");
                cost.cells()[b] as f64 * if dx + dy == 2 { RULE.diagonal } else { 1.0 }
            })
            .sum()
    }

    /// Bellman–Ford: relaxes every edge until nothing changes.
    fn brute_force(cost: &Grid<f32>, start: usize) -> Vec<f64> {
        let (w, h) = (cost.width(), cost.height());
        let mut best = vec![f64::INFINITY; w * h];
        best[start] = 0.0;
        loop {
            let mut changed = false;
            for i in 0..w * h {
                dir8::neighbours(w, h, i % w, i / w, |d, x, y| {
                    let (n, c) = (y * w + x, cost[(x, y)]);
                    let new = best[i] + c as f64 * if d.is_diagonal() { RULE.diagonal } else { 1.0 };
                    if c >= 0.0 && new < best[n] {
                        best[n] = new;
                        changed = true;
                    }
                });
            }
            if !changed {
                return best;
            }
        }
    }

    #[test]
    fn a_path_to_itself_is_one_cell_and_a_closed_cell_is_out_of_reach() {
        let mut cost = Grid::filled(5, 1, 1.0f32);
        cost[(3, 0)] = CLOSED;
        let g = ground(&cost);
        let mut s = Search::new(5, 1);
        let paths: Vec<_> = [1, 2, 3, 4].map(|goal| path(&mut s, &g, 1, goal)).into();
        assert_eq!(paths, [Some(vec![1]), Some(vec![1, 2]), None, None]);
        assert_eq!(path(&mut s, &g, 3, 3), None);
        assert_eq!(
            s.paths_to(&g, 1, &[0, 1, 4, 1], &Ctx::default()).unwrap(),
            [Some(vec![0, 1]), Some(vec![1]), None, Some(vec![1])]
        );
    }

    #[test]
    fn a_path_crosses_many_pages_and_the_memory_serves_again() {
        let g = ground(&costs(100, 90, 3, 0.2));
        let mut s = Search::new(100, 90);
        let main = |i: &usize| g.connected(4550, *i);
        let (a, b) = ((0..9000).find(main).unwrap(), (0..9000).rfind(main).unwrap());
        let once = path(&mut s, &g, a, b);
        assert!(path(&mut s, &g, b, a).is_some());
        assert_eq!(path(&mut s, &g, a, b), once);
        assert!(once.is_some_and(|p| p.len() > 80));
    }

    proptest! {
        #[test]
        fn a_route_is_as_cheap_as_brute_force(seed: u64, closed in 0.0f64..0.5, a in 0usize..144, b in 0usize..144) {
            let cost = costs(12, 12, seed, closed);
            let g = ground(&cost);
            let best = brute_force(&cost, a)[b];
            match path(&mut Search::new(12, 12), &g, a, b) {
                Some(p) => {
                    prop_assert_eq!((p[0] as usize, *p.last().unwrap() as usize), (a, b));
                    // Every relaxation may forgo up to tie_eps.
                    prop_assert!((length(&cost, &p) - best).abs() < 144.0 * RULE.tie_eps);
                }
                None => prop_assert!(best.is_infinite() || cost.cells()[a] < 0.0),
            }
        }

        #[test]
        fn starts_that_share_a_goal_get_the_paths_they_get_alone(
            seed: u64, goal in 0usize..1600, levels in 0u64..6, eps in 0usize..4, closed in 0.0f64..0.4
        ) {
            // Few levels of cost make many paths equally cheap, so that every tie-break counts.
            let cost = costs(40, 40, seed, closed).into_vec();
            let coarse = |c: f32| if c < 0.0 || levels == 0 { c } else { (c * levels as f32).ceil() / levels as f32 };
            let rule = PathRule { tie_eps: [0.0, 1e-6, 1e-3, 0.3][eps], ..RULE };
            let cost = Grid::from_vec(40, 40, cost.into_iter().map(coarse).collect());
            let g = CostGrid::new(&cost, rule, &Ctx::default()).unwrap();
            let starts: Vec<usize> = (0..12).map(|i| (Seed(seed).at(i, 7) % 1600) as usize).collect();
            let mut s = Search::new(40, 40);
            let together = s.paths_to(&g, goal, &starts, &Ctx::default()).unwrap();
            let alone: Vec<_> = starts.iter().map(|&start| path(&mut s, &g, start, goal)).collect();
            prop_assert_eq!(together, alone);
        }
    }
}
