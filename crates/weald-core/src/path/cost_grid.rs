//! A grid of costs, prepared for many searches.

use super::pages::{PAGE, PAGE_CELLS};
use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::label;
use crate::par;

/// What a step costs: the cost of the cell that is entered, times `diagonal` for a diagonal step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathRule {
    /// Weight of a diagonal step; a straight step weighs 1.
    pub diagonal: f64,
    /// Costs that fall into the same multiple of `tie_eps` rank equal in the order of the search, and a cell is reached
    /// anew only if the new path is cheaper by more than `tie_eps`. With 0, costs are compared exactly.
    pub tie_eps: f64,
}

/// Diagonal steps weigh √2, and ties are within 10⁻⁶.
impl Default for PathRule {
    fn default() -> Self {
        Self { diagonal: std::f64::consts::SQRT_2, tie_eps: 1e-6 }
    }
}

/// A grid of costs, made once and shared by all searches.
#[doc(alias = "friction surface")]
#[doc(alias = "cost surface")]
pub struct CostGrid {
    width: usize,
    height: usize,
    /// Cost of entering a cell, negative where closed, in pages: neighbouring cells lie close together in memory.
    pub(super) pages: Vec<[f32; PAGE_CELLS]>,
    region: Grid<u32>,
    pub(super) rule: PathRule,
    /// Costs of the cheapest and of the dearest step on the map.
    pub(super) least_step: f64,
    most_step: f64,
}

/// The cost of a cell that no path may enter, in the grid given to [`CostGrid::new`].
pub const CLOSED: f32 = -1.0;

impl CostGrid {
    /// Prepares a grid of costs: what it costs to enter each cell, above 0, or [`CLOSED`]. Connected regions of open cells
    /// are labelled, so that a search between two of them ends at once. Cost: linear.
    pub fn new(cost: &Grid<f32>, rule: PathRule, ctx: &Ctx) -> Result<Self> {
        let (width, height) = cost.shape();
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

    /// Number of columns and number of rows.
    pub fn shape(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Whether a path joins two cells, given by their indices.
    pub fn connected(&self, a: usize, b: usize) -> bool {
        self.region.cells()[a] != 0 && self.region.cells()[a] == self.region.cells()[b]
    }

    /// Cost of entering a cell, negative if it is closed.
    pub(super) fn entering(&self, x: usize, y: usize) -> f32 {
        let page = (y / PAGE) * self.width.div_ceil(PAGE) + x / PAGE;
        self.pages[page][(y % PAGE) * PAGE + x % PAGE]
    }

    /// The cost beyond which a path need not be followed if the whole path costs D = `cost`: D + 12·ε·(D/s + 8) and the
    /// rounding of sums, with ε = `tie_eps` and s = `least_step`.
    ///
    /// Why 12 ε for every step: the cost of a cell exceeds the true one by at most ε for every step. It can depend on those
    /// of its at most eight offers that are less than 9 ε dearer, since each offer that decides about the next is within ε
    /// of it. So it depends on cells whose paths are up to 9 ε dearer for every step back to the start. These are at most
    /// (D + slack)/s steps. The sum is below 12 ε·(D/s + 8) as long as ε is at most s/64. For a larger ε the slack is an
    /// estimate.
    pub(super) fn with_slack(&self, cost: f64) -> f64 {
        let steps = cost / self.least_step + 8.0;
        cost + 12.0 * steps * self.rule.tie_eps + 1e-9 * cost + 1e-9
    }

    /// Whether the slack is at most about 1 % of the cost of a path, so that few cells besides those of the path are within
    /// it.
    pub(super) fn has_narrow_slack(&self) -> bool {
        self.rule.tie_eps * 1000.0 <= self.least_step
    }

    /// Whether the cost of every path, counted in least steps, fits the ranks of the backward search, and the number of
    /// cells its numbers.
    pub(super) fn has_ranks(&self) -> bool {
        let dearest = self.most_step * (self.width * self.height) as f64;
        let few = self.pages.len() <= (1 << 31) / PAGE_CELLS;
        self.least_step > 0.0 && dearest / self.least_step < 4e9 && few
    }
}
