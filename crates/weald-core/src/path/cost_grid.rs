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

    /// The cost beyond which a path need not be followed if the whole path costs `cost`: `tie_eps` for every step, and
    /// the rounding of sums.
    pub(super) fn with_slack(&self, cost: f64) -> f64 {
        let steps = cost / self.least_step + 8.0;
        cost + 4.0 * steps * self.rule.tie_eps + 1e-9 * cost + 1e-9
    }

    /// Whether the cost of every path, counted in least steps, fits the ranks of the backward search.
    pub(super) fn has_ranks(&self) -> bool {
        let dearest = self.most_step * (self.width * self.height) as f64;
        self.least_step > 0.0 && dearest / self.least_step < 4e9
    }
}
