//! The route search as one writes it with the binary heap of the standard library: what `path::Search` is measured against.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use weald::core::path::PathRule;
use weald::core::{Dir8, Grid};

/// A route and the number of cells that were settled to find it.
pub(crate) struct Found {
    pub(crate) route: Option<Vec<u32>>,
    pub(crate) settled: usize,
}

/// Dijkstra's search by the rule of `Search::path`: cells are settled in the order (⌊cost / tie_eps⌋, index), and a cell is
/// reached anew only if the new path is cheaper by more than `tie_eps`. Costs and steps are dense arrays with a closed
/// border, so that no step has to ask whether it leaves the map. A cell that is reached anew is added to the heap again,
/// and what it left there is skipped.
pub(crate) struct Plain {
    width: usize,
    /// Cost of entering a cell, negative where closed, with a border of closed cells.
    enter: Vec<f32>,
    cost: Vec<f64>,
    step: Vec<u8>,
    settled: Vec<bool>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

/// The step of the cell in which a route starts.
const START: u8 = 8;

impl Plain {
    pub(crate) fn new(cost: &Grid<f32>) -> Self {
        let (width, height) = (cost.width() + 2, cost.height() + 2);
        let mut enter = vec![-1.0; width * height];
        for y in 0..cost.height() {
            let at = (y + 1) * width + 1;
            enter[at..at + cost.width()].copy_from_slice(cost.row(y));
        }
        let n = enter.len();
        let (cost, step, settled) = (vec![f64::INFINITY; n], vec![START; n], vec![false; n]);
        Self { width, enter, cost, step, settled, heap: BinaryHeap::new() }
    }

    /// The route from `start` to `goal`, both as (x, y), as cell indices.
    pub(crate) fn route(&mut self, start: (usize, usize), goal: (usize, usize), rule: PathRule) -> Found {
        let at = |(x, y): (usize, usize)| (y + 1) * self.width + x + 1;
        let (start, goal) = (at(start), at(goal));
        let offsets = Dir8::offsets(self.width);
        let weights: [f64; 8] = std::array::from_fn(|d| if d % 2 == 1 { rule.diagonal } else { 1.0 });
        self.cost.fill(f64::INFINITY);
        self.settled.fill(false);
        self.heap.clear();
        (self.cost[start], self.step[start]) = (0.0, START);
        self.heap.push(Reverse((0, start as u32)));
        let mut settled = 0;
        while let Some(Reverse((_, cell))) = self.heap.pop() {
            let cell = cell as usize;
            if cell == goal {
                return Found { route: Some(self.walk_back(goal, &offsets)), settled };
            }
            if std::mem::replace(&mut self.settled[cell], true) {
                continue;
            }
            settled += 1;
            let here = self.cost[cell];
            for d in 0..8 {
                let to = cell.wrapping_add_signed(offsets[d]);
                let enter = self.enter[to];
                if enter < 0.0 || self.settled[to] {
                    continue;
                }
                let new = here + enter as f64 * weights[d];
                if new < self.cost[to] - rule.tie_eps {
                    (self.cost[to], self.step[to]) = (new, d as u8);
                    self.heap.push(Reverse(((new / rule.tie_eps) as u64, to as u32)));
                }
            }
        }
        Found { route: None, settled }
    }

    /// The cells from the start to `cell`, numbered as on the map without its border.
    fn walk_back(&self, mut cell: usize, offsets: &[isize; 8]) -> Vec<u32> {
        let mut route = Vec::new();
        loop {
            let (x, y) = (cell % self.width - 1, cell / self.width - 1);
            route.push((y * (self.width - 2) + x) as u32);
            let step = self.step[cell];
            if step == START {
                route.reverse();
                return route;
            }
            cell = cell.wrapping_add_signed(-offsets[step as usize]);
        }
    }
}
