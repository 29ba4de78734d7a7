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
}

/// Marks a cell that no path may enter, in the grid given to [`Ground::new`].
pub const CLOSED: f32 = -1.0;

impl Ground {
    /// Labels the connected parts of the open cells, so that a hopeless search is never begun.
    pub fn new(cost: Grid<f32>, rule: RouteRule, ctx: &Ctx) -> Result<Self, Cancelled> {
        let (region, _) = label::regions(cost.width(), cost.height(), ctx, |i| cost.cells()[i] >= 0.0)?;
        Ok(Self { cost, region, rule })
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

/// What the search knows of a square of cells.
struct Page {
    cost: [f64; PAGE_CELLS],
    /// Direction of the step into the cell, `START`, or `UNSEEN`; plus `SETTLED`.
    step: [u8; PAGE_CELLS],
}

const START: u8 = 8;
const UNSEEN: u8 = 15;
const SETTLED: u8 = 16;

/// The memory of a search, to be used for many. Only pages that a search touches are cleared for it, so a search
/// costs what it visits and not what the map holds.
pub struct Search {
    width: usize,
    height: usize,
    pages_wide: usize,
    /// 1 + index into `pages`, or 0.
    directory: Vec<u32>,
    touched: Vec<u32>,
    pages: Vec<Page>,
    queue: MinQueue<u128>,
}

impl Search {
    /// For grounds of this shape.
    pub fn new(width: usize, height: usize) -> Self {
        let pages_wide = width.div_ceil(PAGE);
        Self {
            width,
            height,
            pages_wide,
            directory: vec![0; pages_wide * height.div_ceil(PAGE)],
            touched: Vec::new(),
            pages: Vec::new(),
            queue: MinQueue::new(),
        }
    }

    /// The cheapest path from `start` to each of `goals`, as cell indices from start to goal; `None` for a goal that
    /// cannot be reached. The start's own cost does not count.
    ///
    /// The queue is ordered by (⌊cost / tie_eps⌋, y, x, direction of the step): integers, so the order is total. All
    /// goals share one search, which ends when the last of them is settled: up to the moment when one is settled it
    /// is step for step the search for that goal alone.
    pub fn paths(&mut self, ground: &Ground, start: usize, goals: &[usize]) -> Vec<Option<Vec<u32>>> {
        let mut paths: Vec<Option<Vec<u32>>> = vec![None; goals.len()];
        let mut open = goals.iter().filter(|&&g| ground.connected(start, g)).count();
        if open == 0 {
            return paths;
        }
        self.begin(start);
        while let Some(key) = self.queue.pop() {
            let cell = (key as u64 >> 3) as usize;
            let (x, y) = (cell % self.width, cell / self.width);
            let (p, i) = self.slot(x, y);
            let page = &mut self.pages[p];
            if page.step[i] & SETTLED != 0 {
                continue;
            }
            page.step[i] |= SETTLED;
            let cost = page.cost[i];
            for (goal, path) in goals.iter().zip(&mut paths) {
                if *goal == cell && path.is_none() {
                    *path = Some(self.walk_back(x, y));
                    open -= 1;
                }
            }
            if open == 0 {
                break;
            }
            self.expand(ground, x, y, cost);
        }
        paths
    }

    fn begin(&mut self, start: usize) {
        for page in self.touched.drain(..) {
            self.directory[page as usize] = 0;
        }
        self.queue.clear();
        let (p, i) = self.slot(start % self.width, start / self.width);
        self.pages[p].cost[i] = 0.0;
        self.pages[p].step[i] = START;
        self.queue.push((start as u128) << 3);
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

    /// Offers every open neighbour of a settled cell the way through it.
    fn expand(&mut self, ground: &Ground, x: usize, y: usize, cost: f64) {
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
            let (p, i) = self.slot(nx, ny);
            let page = &mut self.pages[p];
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
            let (p, i) = self.slot(x, y);
            let step = self.pages[p].step[i] & !SETTLED;
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
    use super::*;
    use crate::{Seed, dir8};
    use proptest::prelude::*;

    const RULE: RouteRule = RouteRule { diagonal: std::f64::consts::SQRT_2, tie_eps: 1e-6 };

    fn ground(w: usize, h: usize, seed: u64, closed: f64) -> Ground {
        let s = Seed(seed);
        let cost = (0..w * h)
            .map(|i| if s.unit_at(i as i64, 5) < closed { CLOSED } else { 0.4 + s.unit_at(i as i64, 6) as f32 })
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
        assert_eq!(s.paths(&g, 1, &[1, 2, 3, 4]), [Some(vec![1]), Some(vec![1, 2]), None, None]);
        assert_eq!(s.paths(&g, 3, &[3]), [None]);
    }

    #[test]
    fn a_path_crosses_many_pages_and_the_memory_serves_again() {
        let g = ground(100, 90, 3, 0.2);
        let mut s = Search::new(100, 90);
        let (a, b) = ((0..9000).find(|&i| g.connected(i, i)).unwrap(), (0..9000).rfind(|&i| g.connected(0, i) || g.connected(i, i)).unwrap());
        let once = s.paths(&g, a, &[b]);
        assert_eq!(s.paths(&g, b, &[a]).len(), 1);
        assert_eq!(s.paths(&g, a, &[b]), once);
        assert!(once[0].as_ref().is_some_and(|p| p.len() > 90));
    }

    proptest! {
        #[test]
        fn a_route_is_as_cheap_as_brute_force(seed: u64, closed in 0.0f64..0.5, a in 0usize..144, b in 0usize..144) {
            let g = ground(12, 12, seed, closed);
            let path = Search::new(12, 12).paths(&g, a, &[b]).remove(0);
            let best = brute_force(&g, a)[b];
            match path {
                Some(p) => {
                    prop_assert_eq!((p[0] as usize, *p.last().unwrap() as usize), (a, b));
                    // Every relaxation may forgo up to tie_eps.
                    prop_assert!((length(&g, &p) - best).abs() < 144.0 * RULE.tie_eps);
                }
                None => prop_assert!(best.is_infinite() || g.cost.cells()[a] < 0.0),
            }
        }

        #[test]
        fn goals_searched_together_get_the_paths_they_get_alone(seed: u64, a in 0usize..900, b in 0usize..900, c in 0usize..900) {
            let g = ground(30, 30, seed, 0.25);
            let mut s = Search::new(30, 30);
            let both = s.paths(&g, a, &[b, c]);
            prop_assert_eq!(&both[0], &s.paths(&g, a, &[b])[0]);
            prop_assert_eq!(&both[1], &s.paths(&g, a, &[c])[0]);
        }
    }
}
