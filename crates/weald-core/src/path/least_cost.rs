//! Anisotropic least-cost paths: the cost of a step depends on its direction, as on slopes.

use crate::Result;
use crate::ctx::Ctx;
use crate::queue::{MinQueue, float_key};

/// A step to another cell.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Move {
    /// Index in [`MOVES`].
    pub index: usize,
    /// Columns that it leads east and rows that it leads south.
    pub step: (i64, i64),
    /// Offsets of the cells that it touches between its ends.
    pub through: &'static [(i64, i64)],
    /// Length in cells.
    pub length: f64,
}

const SQRT_2: f64 = std::f64::consts::SQRT_2;
const SQRT_5: f64 = 2.236_067_977_499_79;

const fn step(index: usize, step: (i64, i64), through: &'static [(i64, i64)], length: f64) -> Move {
    Move { index, step, through, length }
}

/// The 16 steps, clockwise from east: to the 8 neighbours and to the cells a knight's move away. With them a path over open
/// ground is at most 2.7 % longer than the straight line.
pub const MOVES: [Move; 16] = [
    step(0, (1, 0), &[], 1.0),
    step(1, (2, 1), &[(1, 0), (1, 1)], SQRT_5),
    step(2, (1, 1), &[], SQRT_2),
    step(3, (1, 2), &[(0, 1), (1, 1)], SQRT_5),
    step(4, (0, 1), &[], 1.0),
    step(5, (-1, 2), &[(0, 1), (-1, 1)], SQRT_5),
    step(6, (-1, 1), &[], SQRT_2),
    step(7, (-2, 1), &[(-1, 0), (-1, 1)], SQRT_5),
    step(8, (-1, 0), &[], 1.0),
    step(9, (-2, -1), &[(-1, 0), (-1, -1)], SQRT_5),
    step(10, (-1, -1), &[], SQRT_2),
    step(11, (-1, -2), &[(0, -1), (-1, -1)], SQRT_5),
    step(12, (0, -1), &[], 1.0),
    step(13, (1, -2), &[(0, -1), (1, -1)], SQRT_5),
    step(14, (1, -1), &[], SQRT_2),
    step(15, (2, -1), &[(1, 0), (1, -1)], SQRT_5),
];

/// Ground on which a step has a cost.
pub trait StepCost {
    /// Number of columns and number of rows.
    fn shape(&self) -> (usize, usize);
    /// A lower bound of the cost of a step per cell of its length.
    fn least(&self) -> f64;
    /// Whether a cell can be entered.
    fn open(&self, cell: (usize, usize)) -> bool;
    /// The cost of leaving an open cell by a step.
    fn cost(&self, cell: (usize, usize), step: &Move) -> f64;
}

/// The least-cost path from `start` to `goal`, both included, by A*; `None` if there is no path.
///
/// A step is possible if all cells that it touches are open. The lower bound of the cost guides the search to its goal
/// (Hart, Nilsson, Raphael 1968, doi:10.1109/TSSC.1968.300136). Ties are broken by the smaller cell index, the same on every
/// machine. Reach: whole map. Cost: n log n for n visited cells.
///
/// ```
/// use weald_core::Ctx;
/// use weald_core::path::{Move, StepCost, least_cost};
///
/// /// Level ground with a wall in column 3 that leaves row 0 open.
/// struct Walled;
/// impl StepCost for Walled {
///     fn shape(&self) -> (usize, usize) {
///         (7, 5)
///     }
///     fn least(&self) -> f64 {
///         1.0
///     }
///     fn open(&self, (x, y): (usize, usize)) -> bool {
///         x != 3 || y == 0
///     }
///     fn cost(&self, _: (usize, usize), step: &Move) -> f64 {
///         step.length
///     }
/// }
///
/// let path = least_cost(&Walled, (0, 4), (6, 4), &Ctx::default())?.expect("row 0 is open");
/// assert!(path.contains(&(3, 0)));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "A*")]
#[doc(alias = "pathfinding")]
#[doc(alias = "anisotropic")]
#[doc(alias = "route")]
pub fn least_cost(
    going: &impl StepCost,
    start: (usize, usize),
    goal: (usize, usize),
    ctx: &Ctx,
) -> Result<Option<Vec<(usize, usize)>>> {
    let (width, height) = going.shape();
    let cell = |i: usize| (i % width, i / width);
    let ahead = |i: usize| {
        let (x, y) = cell(i);
        let (dx, dy) = (x as f64 - goal.0 as f64, y as f64 - goal.1 as f64);
        going.least() * (dx * dx + dy * dy).sqrt()
    };
    let open = |(x, y): (i64, i64)| {
        let inside = x >= 0 && y >= 0 && x < width as i64 && y < height as i64;
        inside && going.open((x as usize, y as usize))
    };
    let (first, last) = (start.1 * width + start.0, goal.1 * width + goal.0);
    if !going.open(start) || !going.open(goal) {
        return Ok(None);
    }
    let mut reached = vec![f64::INFINITY; width * height];
    let mut came_by = vec![u8::MAX; width * height];
    let mut closed = vec![false; width * height];
    let mut queue = MinQueue::new();
    reached[first] = 0.0;
    queue.push((float_key(ahead(first)), first));
    let mut popped = 0u64;
    while let Some((_, i)) = queue.pop() {
        if std::mem::replace(&mut closed[i], true) {
            continue;
        }
        if i == last {
            break;
        }
        popped += 1;
        if popped.is_multiple_of(4096) {
            ctx.checkpoint()?;
        }
        let (x, y) = cell(i);
        let at = |(dx, dy): (i64, i64)| (x as i64 + dx, y as i64 + dy);
        for m in &MOVES {
            let to = at(m.step);
            if !open(to) || !m.through.iter().all(|&t| open(at(t))) {
                continue;
            }
            let (j, there) = (to.1 as usize * width + to.0 as usize, reached[i] + going.cost((x, y), m));
            if there < reached[j] {
                (reached[j], came_by[j]) = (there, m.index as u8);
                queue.push((float_key(there + ahead(j)), j));
            }
        }
    }
    if !closed[last] {
        return Ok(None);
    }
    let (mut path, mut i) = (vec![goal], last);
    while i != first {
        let (dx, dy) = MOVES[came_by[i] as usize].step;
        let (x, y) = cell(i);
        i = (y as i64 - dy) as usize * width + (x as i64 - dx) as usize;
        path.push(cell(i));
    }
    path.reverse();
    Ok(Some(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    struct Rough(Seed);

    impl StepCost for Rough {
        fn shape(&self) -> (usize, usize) {
            (12, 12)
        }
        fn least(&self) -> f64 {
            1.0
        }
        fn open(&self, (x, y): (usize, usize)) -> bool {
            self.0.unit_at(x as i64, y as i64) >= 0.25 || (x, y) == (0, 0) || (x, y) == (11, 11)
        }
        fn cost(&self, (x, y): (usize, usize), m: &Move) -> f64 {
            m.length * (1.0 + 4.0 * self.0.of("pace").unit_at((x * 16 + m.index) as i64, y as i64))
        }
    }

    /// Every cell relaxed until nothing changes.
    fn brute_force(going: &impl StepCost, start: (usize, usize)) -> Vec<f64> {
        let (w, h) = going.shape();
        let mut best = vec![f64::INFINITY; w * h];
        best[start.1 * w + start.0] = 0.0;
        let open = |x: i64, y: i64| {
            (0..w as i64).contains(&x) && (0..h as i64).contains(&y) && going.open((x as usize, y as usize))
        };
        loop {
            let before = best.clone();
            for (i, m) in (0..w * h).flat_map(|i| MOVES.iter().map(move |m| (i, m))) {
                let (x, y) = ((i % w) as i64, (i / w) as i64);
                let to = (x + m.step.0, y + m.step.1);
                if open(to.0, to.1) && m.through.iter().all(|t| open(x + t.0, y + t.1)) {
                    let j = to.1 as usize * w + to.0 as usize;
                    best[j] = best[j].min(best[i] + going.cost((i % w, i / w), m));
                }
            }
            if best == before {
                return best;
            }
        }
    }

    #[test]
    fn a_way_is_as_cheap_as_brute_force() {
        let mut found = 0;
        for going in (0..80).map(|seed| Rough(Seed(seed))) {
            let all = brute_force(&going, (0, 0));
            let Some(path) = least_cost(&going, (0, 0), (11, 11), &Ctx::default()).unwrap() else {
                assert!(all[143].is_infinite());
                continue;
            };
            let cost = |ends: &[(usize, usize)]| {
                let step = (ends[1].0 as i64 - ends[0].0 as i64, ends[1].1 as i64 - ends[0].1 as i64);
                going.cost(ends[0], MOVES.iter().find(|m| m.step == step).unwrap())
            };
            let sum: f64 = path.windows(2).map(cost).sum();
            assert!((sum - all[143]).abs() < 1e-9, "{sum} {}", all[143]);
            found += 1;
        }
        assert!((20..80).contains(&found), "{found} of 80 have a path");
    }

    #[test]
    fn the_moves_are_numbered_and_measured() {
        for (i, m) in MOVES.iter().enumerate() {
            let square = (m.step.0 * m.step.0 + m.step.1 * m.step.1) as f64;
            assert!(m.index == i && (m.length * m.length - square).abs() < 1e-12);
            assert!(MOVES.iter().any(|n| n.step == (-m.step.0, -m.step.1)));
        }
    }
}
