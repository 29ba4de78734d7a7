//! Cheapest paths over a grid of costs (Dijkstra 1959, doi:10.1007/BF01386390).

use crate::ctx::{Cancelled, Ctx};
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::label;
use crate::queue::{MinQueue, float_key};

/// What a step costs: the cost of the cell that is entered, times `diagonal` for a diagonal step.
#[derive(Clone, Copy, Debug)]
pub struct RouteRule {
    /// Weight of a diagonal step; a straight one weighs 1.
    pub diagonal: f64,
    /// Costs that fall into the same multiple of this are equal for the order of the search, and a cell is reached
    /// anew only if that is cheaper by more than this. 0: costs as they are.
    pub tie_eps: f64,
}

/// The ground to be walked on, made once and shared by all searches.
pub struct Ground {
    /// Cost of entering a cell; negative: closed.
    cost: Grid<f32>,
    region: Grid<u32>,
    rule: RouteRule,
    /// What the cheapest step anywhere costs.
    least_step: f64,
}

/// Marks a cell that no path may enter, in the grid given to [`Ground::new`].
pub const CLOSED: f32 = -1.0;

impl Ground {
    /// Labels the connected parts of the open cells, so that a hopeless search is never begun.
    pub fn new(cost: Grid<f32>, rule: RouteRule, ctx: &Ctx) -> Result<Self, Cancelled> {
        let (region, _) = label::regions(cost.width(), cost.height(), ctx, |i| cost.cells()[i] >= 0.0)?;
        let least = cost.cells().iter().copied().filter(|&c| c >= 0.0).fold(f32::INFINITY, f32::min);
        let least_step = least as f64 * rule.diagonal.min(1.0);
        Ok(Self { cost, region, rule, least_step })
    }

    /// Cost of entering each cell, negative where closed.
    pub fn cost(&self) -> &Grid<f32> {
        &self.cost
    }

    /// Whether a path joins the two cells.
    pub fn connected(&self, a: usize, b: usize) -> bool {
        self.region.cells()[a] != 0 && self.region.cells()[a] == self.region.cells()[b]
    }
}

/// Side of a page in cells.
const PAGE: usize = 32;
const PAGE_CELLS: usize = PAGE * PAGE;

/// What a search knows of a square of cells.
struct Page {
    cost: [f64; PAGE_CELLS],
    /// Direction of the step into the cell, `START`, or `UNSEEN`; plus `SETTLED`.
    step: [u8; PAGE_CELLS],
}

const START: u8 = 8;
const UNSEEN: u8 = 15;
const SETTLED: u8 = 16;

/// What a search knows of the map. Only pages that a search touches are cleared for it, so a search costs what it
/// visits and not what the map holds.
struct Memory {
    pages_wide: usize,
    /// 1 + index into `pages`, or 0.
    directory: Vec<u32>,
    touched: Vec<u32>,
    pages: Vec<Page>,
}

impl Memory {
    fn new(width: usize, height: usize) -> Self {
        let pages_wide = width.div_ceil(PAGE);
        let directory = vec![0; pages_wide * height.div_ceil(PAGE)];
        Self { pages_wide, directory, touched: Vec::new(), pages: Vec::new() }
    }

    fn forget(&mut self) {
        for page in self.touched.drain(..) {
            self.directory[page as usize] = 0;
        }
    }

    /// Page and place of a cell; the page is cleared when it is met for the first time in a search.
    #[inline]
    fn slot(&mut self, x: usize, y: usize) -> (usize, usize) {
        let at = (y / PAGE) * self.pages_wide + x / PAGE;
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
        if p == self.pages.len() {
            self.pages.push(Page { cost: [f64::INFINITY; PAGE_CELLS], step: [UNSEEN; PAGE_CELLS] });
        } else {
            self.pages[p].cost.fill(f64::INFINITY);
            self.pages[p].step.fill(UNSEEN);
        }
        p
    }

    /// The cost known for a cell, infinite where nothing is known.
    #[inline]
    fn cost(&self, x: usize, y: usize) -> f64 {
        match self.directory[(y / PAGE) * self.pages_wide + x / PAGE] {
            0 => f64::INFINITY,
            p => self.pages[p as usize - 1].cost[(y % PAGE) * PAGE + x % PAGE],
        }
    }
}

/// Finds paths, again and again with the same memory.
pub struct Search {
    width: usize,
    height: usize,
    forward: Memory,
    queue: MinQueue<u128>,
    backward: Memory,
    back_queue: MinQueue<u64>,
}

impl Search {
    /// For grounds of this shape.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            forward: Memory::new(width, height),
            queue: MinQueue::new(),
            backward: Memory::new(width, height),
            back_queue: MinQueue::new(),
        }
    }

    /// The cheapest path from `start` to `goal`, as cell indices from start to goal; `None` if there is none. The
    /// start's own cost does not count.
    ///
    /// The queue is ordered by (⌊cost / tie_eps⌋, y, x, direction of the step): integers, so the order is total.
    pub fn path(&mut self, ground: &Ground, start: usize, goal: usize) -> Option<Vec<u32>> {
        ground.connected(start, goal).then(|| self.run(ground, start, goal, |_, _, _| true))
    }

    /// The paths that [`Search::path`] finds from each of `starts` to one goal.
    ///
    /// One search backwards from the goal gives the true cost h(n) from every cell n to it, as far out as the starts
    /// lie. The search from a start then drops a cell reached at cost g when g + h(n) is more than the whole path
    /// costs, and so visits little beside the path. What it drops cannot change the path: a relaxation that loses by
    /// more than `tie_eps` for every step of the path is overruled later in any case, so that much is left as slack.
    pub fn paths_to(&mut self, ground: &Ground, goal: usize, starts: &[usize]) -> Vec<Option<Vec<u32>>> {
        let open: Vec<usize> = starts.iter().copied().filter(|&s| ground.connected(s, goal)).collect();
        let slack_of = |cost: f64| {
            let steps = cost / ground.least_step + 8.0;
            4.0 * steps * ground.rule.tie_eps + 1e-9 * cost
        };
        if open.len() < 2 {
            return starts.iter().map(|&s| self.path(ground, s, goal)).collect();
        }
        self.spread_back(ground, goal, &open, slack_of);
        let backward = std::mem::replace(&mut self.backward, Memory::new(0, 0));
        let width = self.width;
        let paths = starts
            .iter()
            .map(|&start| {
                if !ground.connected(start, goal) {
                    return None;
                }
                let whole = backward.cost(start % width, start / width);
                let limit = whole + slack_of(whole);
                Some(self.run(ground, start, goal, |x, y, cost| cost + backward.cost(x, y) <= limit))
            })
            .collect();
        self.backward = backward;
        paths
    }

    /// The search itself; `worth(x, y, cost)` says whether a cell reached at that cost need be looked at. The goal
    /// must be in reach.
    fn run(
        &mut self,
        ground: &Ground,
        start: usize,
        goal: usize,
        worth: impl Fn(usize, usize, f64) -> bool,
    ) -> Vec<u32> {
        self.forward.forget();
        self.queue.clear();
        let (p, i) = self.forward.slot(start % self.width, start / self.width);
        self.forward.pages[p].cost[i] = 0.0;
        self.forward.pages[p].step[i] = START;
        self.queue.push((start as u128) << 3);
        while let Some(key) = self.queue.pop() {
            let cell = (key as u64 >> 3) as usize;
            if cell == goal {
                break;
            }
            let (x, y) = (cell % self.width, cell / self.width);
            let (p, i) = self.forward.slot(x, y);
            let page = &mut self.forward.pages[p];
            if page.step[i] & SETTLED == 0 {
                page.step[i] |= SETTLED;
                let cost = page.cost[i];
                self.expand(ground, x, y, cost, &worth);
            }
        }
        self.walk_back(goal % self.width, goal / self.width)
    }

    /// Offers every open neighbour of a settled cell the way through it.
    #[inline]
    fn expand(
        &mut self,
        ground: &Ground,
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
            let enter = ground.cost.cells()[cell];
            if enter < 0.0 {
                continue;
            }
            let new = cost + enter as f64 * if d.is_diagonal() { rule.diagonal } else { 1.0 };
            if !worth(nx, ny, new) {
                continue;
            }
            let (p, i) = self.forward.slot(nx, ny);
            let page = &mut self.forward.pages[p];
            if new < page.cost[i] - rule.tie_eps {
                page.cost[i] = new;
                page.step[i] = d.0;
                let rank = float_key(if rule.tie_eps > 0.0 { (new / rule.tie_eps).floor() } else { new });
                self.queue.push((rank as u128) << 64 | (cell as u128) << 3 | d.0 as u128);
            }
        }
    }

    fn walk_back(&mut self, mut x: usize, mut y: usize) -> Vec<u32> {
        let mut path = Vec::new();
        loop {
            path.push((y * self.width + x) as u32);
            let (p, i) = self.forward.slot(x, y);
            let step = self.forward.pages[p].step[i] & !SETTLED;
            if step == START {
                path.reverse();
                return path;
            }
            x = x.wrapping_add_signed(-Dir8::DX[step as usize] as isize);
            y = y.wrapping_add_signed(-Dir8::DY[step as usize] as isize);
        }
    }

    /// Fills `backward` with the cost from each cell to `goal`, at least as far as `slack_of` asks beyond the farthest
    /// of `starts`. The queue's keys are costs rounded to f32, so a cell may be met again at a lower cost.
    fn spread_back(&mut self, ground: &Ground, goal: usize, starts: &[usize], slack_of: impl Fn(f64) -> f64) {
        let (w, h, diagonal) = (self.width, self.height, ground.rule.diagonal);
        let key = |cost: f64, cell: usize| ((cost as f32).to_bits() as u64) << 32 | cell as u64;
        self.backward.forget();
        self.back_queue.clear();
        let (p, i) = self.backward.slot(goal % w, goal / w);
        self.backward.pages[p].cost[i] = 0.0;
        self.back_queue.push(key(0.0, goal));
        let (mut waiting, mut limit) = (starts.len(), f64::INFINITY);
        let mut farthest = 0.0f64;
        while let Some(top) = self.back_queue.pop() {
            let cell = top as u32 as usize;
            let (x, y) = (cell % w, cell / w);
            let (p, i) = self.backward.slot(x, y);
            let page = &mut self.backward.pages[p];
            let cost = page.cost[i];
            if f32::from_bits((top >> 32) as u32) > cost as f32 {
                continue;
            }
            if cost > limit {
                break;
            }
            if page.step[i] & SETTLED == 0 {
                page.step[i] |= SETTLED;
                let here = starts.iter().filter(|&&s| s == cell).count();
                if here > 0 {
                    waiting -= here;
                    farthest = farthest.max(cost);
                    if waiting == 0 {
                        // Rounding of the keys can bring a start forward by half a step of f32.
                        limit = (farthest + slack_of(farthest)) * (1.0 + 1e-6);
                    }
                }
            }
            // To come from a neighbour, this cell must be entered.
            let enter = ground.cost.cells()[cell] as f64;
            for d in Dir8::ALL {
                let (nx, ny) =
                    (x.wrapping_add_signed(d.dx() as isize), y.wrapping_add_signed(d.dy() as isize));
                if nx >= w || ny >= h || ground.cost.cells()[ny * w + nx] < 0.0 {
                    continue;
                }
                let new = cost + enter * if d.is_diagonal() { diagonal } else { 1.0 };
                let (p, i) = self.backward.slot(nx, ny);
                let known = &mut self.backward.pages[p].cost[i];
                if new < *known {
                    *known = new;
                    self.back_queue.push(key(new, ny * w + nx));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Seed, dir8};
    use proptest::prelude::*;

    const RULE: RouteRule = RouteRule { diagonal: std::f64::consts::SQRT_2, tie_eps: 1e-6 };

    fn ground(w: usize, h: usize, seed: u64, closed: f64) -> Ground {
        let s = Seed(seed);
        let cost =
            (0..w * h)
                .map(|i| {
                    if s.unit_at(i as i64, 5) < closed { CLOSED } else { 0.4 + s.unit_at(i as i64, 6) as f32 }
                })
                .collect();
        Ground::new(Grid::from_vec(w, h, cost), RULE, &Ctx::default()).unwrap()
    }

    fn length(ground: &Ground, path: &[u32]) -> f64 {
        let w = ground.cost.width();
        path.windows(2)
            .map(|s| {
                let (a, b) = (s[0] as usize, s[1] as usize);
                let (dx, dy) = ((a % w).abs_diff(b % w), (a / w).abs_diff(b / w));
                assert!(dx <= 1 && dy <= 1 && a != b, "steps go to neighbours");
                assert!(ground.cost.cells()[b] >= 0.0, "steps go to open cells");
                ground.cost.cells()[b] as f64 * if dx + dy == 2 { RULE.diagonal } else { 1.0 }
            })
            .sum()
    }

    /// Bellman–Ford: relaxes every edge until nothing changes.
    fn brute_force(ground: &Ground, start: usize) -> Vec<f64> {
        let (w, h) = (ground.cost.width(), ground.cost.height());
        let mut best = vec![f64::INFINITY; w * h];
        best[start] = 0.0;
        loop {
            let mut changed = false;
            for i in 0..w * h {
                dir8::neighbours(w, h, i % w, i / w, |d, x, y| {
                    let (n, c) = (y * w + x, ground.cost[(x, y)]);
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
        let g = Ground::new(cost, RULE, &Ctx::default()).unwrap();
        let mut s = Search::new(5, 1);
        let paths: Vec<_> = [1, 2, 3, 4].map(|goal| s.path(&g, 1, goal)).into();
        assert_eq!(paths, [Some(vec![1]), Some(vec![1, 2]), None, None]);
        assert_eq!(s.path(&g, 3, 3), None);
        assert_eq!(s.paths_to(&g, 1, &[0, 1, 4, 1]), [Some(vec![0, 1]), Some(vec![1]), None, Some(vec![1])]);
    }

    #[test]
    fn a_path_crosses_many_pages_and_the_memory_serves_again() {
        let g = ground(100, 90, 3, 0.2);
        let mut s = Search::new(100, 90);
        let main = |i: &usize| g.connected(4550, *i);
        let (a, b) = ((0..9000).find(main).unwrap(), (0..9000).rfind(main).unwrap());
        let once = s.path(&g, a, b);
        assert!(s.path(&g, b, a).is_some());
        assert_eq!(s.path(&g, a, b), once);
        assert!(once.is_some_and(|p| p.len() > 80));
    }

    proptest! {
        #[test]
        fn a_route_is_as_cheap_as_brute_force(seed: u64, closed in 0.0f64..0.5, a in 0usize..144, b in 0usize..144) {
            let g = ground(12, 12, seed, closed);
            let best = brute_force(&g, a)[b];
            match Search::new(12, 12).path(&g, a, b) {
                Some(p) => {
                    prop_assert_eq!((p[0] as usize, *p.last().unwrap() as usize), (a, b));
                    // Every relaxation may forgo up to tie_eps.
                    prop_assert!((length(&g, &p) - best).abs() < 144.0 * RULE.tie_eps);
                }
                None => prop_assert!(best.is_infinite() || g.cost.cells()[a] < 0.0),
            }
        }

        #[test]
        fn starts_that_share_a_goal_get_the_paths_they_get_alone(
            seed: u64, goal in 0usize..1600, levels in 0u64..6, eps in 0usize..4, closed in 0.0f64..0.4
        ) {
            // Few levels of cost make many paths equally cheap, so that every tie-break counts.
            let cost = ground(40, 40, seed, closed).cost.into_vec();
            let coarse = |c: f32| if c < 0.0 || levels == 0 { c } else { (c * levels as f32).ceil() / levels as f32 };
            let rule = RouteRule { tie_eps: [0.0, 1e-6, 1e-3, 0.3][eps], ..RULE };
            let cost = Grid::from_vec(40, 40, cost.into_iter().map(coarse).collect());
            let g = Ground::new(cost, rule, &Ctx::default()).unwrap();
            let starts: Vec<usize> = (0..12).map(|i| (Seed(seed).at(i, 7) % 1600) as usize).collect();
            let mut s = Search::new(40, 40);
            let together = s.paths_to(&g, goal, &starts);
            let alone: Vec<_> = starts.iter().map(|&start| s.path(&g, start, goal)).collect();
            prop_assert_eq!(together, alone);
        }
    }
}
