//! Rivers and lakes on the finished ground.

use super::params;
use weald_core::hydro::{
    self, Drainage, LakeRule, Lakes, Outlets, River, RiverRule, SlopeArea, SlopeAreaRule, WidthRule,
};
use weald_core::{Ctx, Grid};

/// Least area that a stretch must drain for its slope to be compared, in square metres. Below it are hillsides.
const CHANNEL_M2: f64 = 100_000.0;

/// Length of the stretches whose slopes are compared with the drained area, in metres.
const REACH_M: f64 = 150.0;

/// The water of a finished map.
#[derive(Clone, Debug)]
pub struct Water {
    /// Height of the ground, or of the water that stands on it, in metres.
    pub level: Grid<f32>,
    /// Cells that drain through each cell.
    pub accumulation: Grid<u32>,
    /// Lakes.
    pub lakes: Lakes,
    /// Rivers, the largest first.
    pub rivers: Vec<River>,
    /// Drainage density and concavity.
    pub profile: SlopeArea,
    /// The rule of the rivers, which gives discharge and width at any cell.
    pub rule: RiverRule,
}

/// Fills depressions, drains the ground by slope and follows the rivers. Cells below the sea are outlets like the border.
/// Reach: whole map.
pub fn water(height: &Grid<f32>, cell_m: f64, p: &params::Water, ctx: &Ctx) -> weald_core::Result<Water> {
    let sea = height.cells().iter().any(|&h| h < 0.0);
    let sea = sea.then(|| {
        let cells = height.cells().iter().map(|&h| (h < 0.0) as u8).collect();
        Grid::from_vec(height.width(), height.height(), cells)
    });
    let outlets = || sea.as_ref().map_or(Outlets::Border, Outlets::BorderAnd);
    let level = ctx.stage("fill", |c| hydro::fill(height, outlets(), c))?;
    let flow = ctx.stage("flow directions", |c| hydro::d8_over_filled(&level, outlets(), c))?;
    let area = ctx.stage("flow accumulation", |c| hydro::accumulation(&flow, c))?;
    let lakes = LakeRule { cell_m, min_depth_m: p.lake_min_depth_m, min_area_m2: p.lake_min_area_m2 };
    let lakes = ctx.stage("lakes", |c| hydro::lakes(height, &level, &flow, &lakes, c))?;
    let rule = RiverRule {
        cell_m,
        from_area_m2: p.river_area_km2 * 1e6,
        runoff_m_per_year: p.runoff_mm / 1000.0,
        width: WidthRule::default(),
    };
    let rivers = ctx.stage("rivers", |c| hydro::rivers(&flow, &area, &rule, c))?;
    let profile = SlopeAreaRule { cell_m, from_area_m2: CHANNEL_M2, reach_m: REACH_M.max(3.0 * cell_m) };
    let network = Drainage { filled: &level, flow: &flow, accumulation: &area, lakes: &lakes.of_cell };
    let profile = ctx.stage("slope-area fit", |c| hydro::slope_area(&network, &profile, c))?;
    Ok(Water { level, accumulation: area, lakes, rivers, profile, rule })
}
