//! Least-cost paths over a grid of costs (Dijkstra 1959, doi:10.1007/BF01386390).

use super::backward::Backward;
use super::cost_grid::CostGrid;
use super::pages::Pages;
use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::queue::{MinQueue, float_key};

/// What the exact search knows of a cell.
#[derive(Clone, Copy)]
struct Reached {
    cost: f64,
    /// Direction of the step into the cell, or `START`.
    step: u8,
    settled: bool,
}

const START: u8 = 8;
const UNSEEN: Reached = Reached { cost: f64::INFINITY, step: START, settled: false };

/// Cells visited between two checks for cancellation.
pub(super) const PATIENCE: usize = 1 << 14;

/// Finds least-cost paths, reusing its memory from search to search.
///
/// ```
/// use weald_core::path::{CLOSED, CostGrid, PathRule, Search};
/// use weald_core::{Ctx, Grid};
///
/// // A wall with a gap in its last row.
/// let cost = Grid::from_fn(5, 4, |x, y| if x == 2 && y < 3 { CLOSED } else { 1.0 });
/// let ctx = Ctx::default();
/// let ground = CostGrid::new(&cost, PathRule::default(), &ctx)?;
/// let path = Search::new(5, 4).path(&ground, 0, 4, &ctx)?.expect("the gap is open");
/// assert_eq!((path[0], *path.last().unwrap()), (0, 4));
/// assert!(path.contains(&(3 * 5 + 2)));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "Dijkstra")]
#[doc(alias = "shortest path")]
#[doc(alias = "route")]
#[doc(alias = "pathfinding")]
pub struct Search {
    width: usize,
    exact: Exact,
    backward: Backward,
}

impl Search {
    /// A search over grids of this shape.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, exact: Exact::new(width, height), backward: Backward::new(width, height) }
    }

    /// The least-cost path from `start` to `goal`, as cell indices from start to goal; `None` if there is no path. The
    /// cost of the start itself does not count.
    ///
    /// The path is that of a search whose queue is ordered by (⌊cost / tie_eps⌋, y, x, direction of the step). These are
    /// integers, so the order is total. If `tie_eps` is at most 1/1000 of the cheapest step, a search backwards from the
    /// goal, which needs no such order, first finds the few cells that can matter, as in [`Search::paths_to`]; then only
    /// these are searched in order. Reach: whole map. Cost: about 40 ns for each visited cell; with a larger `tie_eps`,
    /// n log n for n visited cells.
    pub fn path(
        &mut self,
        ground: &CostGrid,
        start: usize,
        goal: usize,
        ctx: &Ctx,
    ) -> Result<Option<Vec<u32>>> {
        if !ground.connected(start, goal) {
            return Ok(None);
        }
        if ground.has_ranks() && ground.has_narrow_slack() {
            self.backward.spread(ground, goal, vec![start], ctx)?;
            return self.guided(ground, start, goal, ctx);
        }
        self.exact.run(ground, start, goal, |_, _, _| true, ctx)
    }

    /// The paths that [`Search::path`] finds from each of `starts` to one goal, many times faster.
    ///
    /// One search backwards from the goal gives the true cost h(n) from every cell n to the goal, as far out as the
    /// starts lie. The search from a start then drops a cell reached at cost g if g + h(n) exceeds the cost of the whole
    /// path, and so visits few cells besides those of the path. What it drops cannot change the path: a relaxation that
    /// loses by some `tie_eps` for every step of the path is overruled later in any case. That much, and the rounding of
    /// h, is left as slack.
    ///
    /// ```
    /// use weald_core::path::{CostGrid, PathRule, Search};
    /// use weald_core::{Ctx, Grid};
    ///
    /// let ctx = Ctx::default();
    /// let ground = CostGrid::new(&Grid::filled(9, 9, 1.0), PathRule::default(), &ctx)?;
    /// let mut search = Search::new(9, 9);
    /// let paths = search.paths_to(&ground, 40, &[0, 8, 80], &ctx)?;
    /// // The goal is the cell in the middle, four diagonal steps from each corner.
    /// assert!(paths.iter().flatten().all(|path| path.len() == 5));
    /// assert_eq!(paths[1], search.path(&ground, 8, 40, &ctx)?);
    /// # Ok::<(), weald_core::Cancelled>(())
    /// ```
    pub fn paths_to(
        &mut self,
        ground: &CostGrid,
        goal: usize,
        starts: &[usize],
        ctx: &Ctx,
    ) -> Result<Vec<Option<Vec<u32>>>> {
        let open: Vec<usize> = starts.iter().copied().filter(|&s| ground.connected(s, goal)).collect();
        if open.len() < 2 || !ground.has_ranks() {
            return starts.iter().map(|&s| self.path(ground, s, goal, ctx)).collect();
        }
        self.backward.spread(ground, goal, open, ctx)?;
        starts.iter().map(|&start| self.guided(ground, start, goal, ctx)).collect()
    }

    /// The path from a start after the backward search from the goal.
    fn guided(
        &mut self,
        ground: &CostGrid,
        start: usize,
        goal: usize,
        ctx: &Ctx,
    ) -> Result<Option<Vec<u32>>> {
        if !ground.connected(start, goal) {
            return Ok(None);
        }
        let backward = &self.backward;
        let limit = ground.with_slack(backward.cost(start % self.width, start / self.width));
        self.exact.run(ground, start, goal, |x, y, cost| cost + backward.cost(x, y) <= limit, ctx)
    }
}

/// The search in the total order, and its memory.
struct Exact {
    width: usize,
    height: usize,
    forward: Pages<Reached>,
    queue: MinQueue<u128>,
}

impl Exact {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, forward: Pages::new(width, height, UNSEEN), queue: MinQueue::new() }
    }

    /// The search itself; `worth(x, y, cost)` says whether a cell reached at that cost has to be visited.
    fn run(
        &mut self,
        ground: &CostGrid,
        start: usize,
        goal: usize,
        worth: impl Fn(usize, usize, f64) -> bool,
        ctx: &Ctx,
    ) -> Result<Option<Vec<u32>>> {
        // A goal may have thousands of starts whose searches are all too short for a check of their own.
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

    /// Offers every open neighbour of a settled cell the path through it.
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
}

#[cfg(test)]
mod tests {
    use super::super::{CLOSED, PathRule};
    use super::*;
    use crate::ctx::Cancelled;
    use crate::grid::Grid;
    use crate::{Seed, dir8};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

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
        Grid::from_fn(n, n, |x, y| if open(x, y) { cost } else { CLOSED })
    }

    #[test]
    fn rounding_over_very_long_paths_drops_no_path() {
        for (n, cost) in [(201, 1.4), (201, 1.74), (301, 1.1), (301, 2.0)] {
            let g = ground(&serpent(n, cost));
            let (mut s, goal) = (Search::new(n, n), n * n - 1);
            let together = s.paths_to(&g, goal, &[0, 7], &Ctx::default()).unwrap();
            assert_eq!(together, [path(&mut s, &g, 0, goal), path(&mut s, &g, 7, goal)]);
            assert_eq!(together[0], naive(&serpent(n, cost), RULE, 0, goal));
            assert!(together[0].as_ref().is_some_and(|p| p.len() > n * n / 2 - n));
        }
    }

    #[test]
    fn a_long_search_can_be_cancelled() {
        struct Silent;
        impl crate::ctx::Watch for Silent {}
        let stop = std::sync::atomic::AtomicBool::new(true);
        let ctx = Ctx::new(&Silent, &stop);
        let (g, mut s) = (ground(&serpent(301, 1.0)), Search::new(301, 301));
        assert_eq!(s.path(&g, 0, 301 * 301 - 1, &ctx), Err(Cancelled));
        assert_eq!(s.paths_to(&g, 301 * 301 - 1, &[0, 1], &ctx), Err(Cancelled));
    }

    /// The path by the documented order, with a sorted set as the queue.
    fn naive(cost: &Grid<f32>, rule: PathRule, start: usize, goal: usize) -> Option<Vec<u32>> {
        let (w, h) = cost.shape();
        let (mut best, mut step) = (vec![f64::INFINITY; w * h], vec![None; w * h]);
        let (mut queue, mut settled) = (BTreeSet::new(), vec![false; w * h]);
        best[start] = 0.0;
        queue.insert((0, start / w, start % w, 0));
        while let Some((_, y, x, _)) = queue.pop_first().filter(|_| cost.cells()[start] >= 0.0) {
            if y * w + x == goal {
                let before = |&i: &usize| step[i].map(|(from, _)| from);
                let mut path: Vec<u32> =
                    std::iter::successors(Some(goal), before).map(|i| i as u32).collect();
                path.reverse();
                return Some(path);
            }
            if std::mem::replace(&mut settled[y * w + x], true) {
                continue;
            }
            dir8::neighbours(w, h, x, y, |d, nx, ny| {
                let (from, to, enter) = (y * w + x, ny * w + nx, cost[(nx, ny)]);
                let new = best[from] + enter as f64 * if d.is_diagonal() { rule.diagonal } else { 1.0 };
                if enter >= 0.0 && new < best[to] - rule.tie_eps {
                    (best[to], step[to]) = (new, Some((from, d)));
                    let rank = if rule.tie_eps > 0.0 { (new / rule.tie_eps).floor() } else { new };
                    queue.insert((float_key(rank), ny, nx, d.0));
                }
            });
        }
        None
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
        let (w, h) = cost.shape();
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

    /// Square, oblong, one cell wide or high, and more than a page of cells.
    fn shape() -> impl Strategy<Value = (usize, usize)> {
        prop_oneof![
            (1usize..40, 1usize..40),
            (1usize..4, 1usize..140),
            (1usize..140, 1usize..4),
            (60usize..75, 60usize..75)
        ]
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
        fn paths_equal_those_of_the_documented_order(
            seed: u64, (w, h) in shape(), levels in 0u64..6, eps in 0usize..8, rungs in 0u64..9,
            closed in 0.0f64..0.4, diagonal in 0usize..5
        ) {
            let diagonal = [std::f64::consts::SQRT_2, 1.0, 0.7, 2.5, 1.4][diagonal];
            let tie_eps = [0.0, 1e-9, 1e-6, 1e-5, 2.5e-4, 1e-2, 0.3, 2.0][eps];
            let rule = PathRule { diagonal, tie_eps };
            // Few levels make many paths equally cheap. Rungs that are narrower than `tie_eps` make many nearly so.
            let rung = |i: usize| (Seed(seed).at(i as i64, 8) % (rungs + 1)) as f64 * 0.4 * tie_eps;
            let coarse = |c: f32| if levels == 0 { c } else { (c * levels as f32).ceil() / levels as f32 };
            let cell = |(i, &c): (usize, &f32)| if c < 0.0 { c } else { (coarse(c) as f64 + rung(i)) as f32 };
            let cost = costs(w, h, seed, closed);
            let cost = Grid::from_vec(w, h, cost.cells().iter().enumerate().map(cell).collect());
            let g = CostGrid::new(&cost, rule, &Ctx::default()).unwrap();
            let place = |k: i64| (Seed(seed).at(k, 7) % (w * h) as u64) as usize;
            let (starts, goal, mut s) = ((0..5).map(place).collect::<Vec<_>>(), place(5), Search::new(w, h));
            let plain: Vec<_> = starts.iter().map(|&start| naive(&cost, rule, start, goal)).collect();
            let alone: Vec<_> = starts.iter().map(|&start| path(&mut s, &g, start, goal)).collect();
            prop_assert_eq!(&alone, &plain);
            let together = s.paths_to(&g, goal, &starts, &Ctx::default()).unwrap();
            prop_assert_eq!(&together, &plain);
        }

        #[test]
        fn starts_that_share_a_goal_get_the_paths_they_get_alone(
            seed: u64, goal in 0usize..1600, levels in 0u64..6, eps in 0usize..4, closed in 0.0f64..0.4
        ) {
            // Few levels of cost make many paths equally cheap, so that every tie-break counts.
            let cost = costs(40, 40, seed, closed);
            let coarse = |c: f32| if c < 0.0 || levels == 0 { c } else { (c * levels as f32).ceil() / levels as f32 };
            let rule = PathRule { tie_eps: [0.0, 1e-6, 1e-3, 0.3][eps], ..RULE };
            let cost = cost.map(|&c| coarse(c));
            let g = CostGrid::new(&cost, rule, &Ctx::default()).unwrap();
            let starts: Vec<usize> = (0..12).map(|i| (Seed(seed).at(i, 7) % 1600) as usize).collect();
            let mut s = Search::new(40, 40);
            let together = s.paths_to(&g, goal, &starts, &Ctx::default()).unwrap();
            let alone: Vec<_> = starts.iter().map(|&start| path(&mut s, &g, start, goal)).collect();
            prop_assert_eq!(together, alone);
        }
    }
}
