//! Step 9: flow over all land, and moisture.

use super::FALL_M;
use super::rivers::Courses;
use weald_core::distance::Nearby;
use weald_core::hydro::{self, Basin, Outlets};
use weald_core::{Cancelled, Ctx, Dir8, Grid, par};

/// Height above which the ground gains no moisture for being low, in metres.
const DRY_M: f32 = 400.0;
/// Accumulation at which flow gives full moisture.
const WET_CELLS: f32 = 1000.0;
/// Distance from a river within which it gives moisture, in cells.
const BANK_CELLS: u32 = 20;
/// The moisture it gives.
const BANK: f32 = 0.8;
/// Distance from the coast beyond which it gives no moisture, in cells.
const INLAND_CELLS: f32 = 100.0;

/// The finished ground and its water.
#[derive(Clone, Debug)]
pub struct Water {
    /// Heights in metres: every cell of land lies above the one it drains to.
    pub height: Grid<f32>,
    /// Flow direction; [`Dir8::NONE`] in the sea, and on land where water leaves the map.
    pub directions: Grid<Dir8>,
    /// Cells of land that drain through each one, itself included; 0 in the sea.
    pub accumulation: Grid<u32>,
    /// Number of the basin, 0 in the sea.
    pub basin: Grid<u32>,
    /// Basins, the largest first.
    pub basins: Vec<Basin>,
    /// Cells of land that were raised by more than a centimetre, and by how much at most.
    pub raised: (u64, f32),
}

/// Makes all land drain to the sea: depressions are filled, flats are tilted, rivers keep their courses. Reach: whole map.
pub fn drain(
    height: &Grid<f32>,
    (land, courses): (&Grid<u8>, &Courses),
    ctx: &Ctx,
) -> Result<Water, Cancelled> {
    let (w, h) = (height.width(), height.height());
    let is_land = |i: usize| land.cells()[i] != 0;
    let sea = super::coast::sea(land, ctx)?;
    let mut ground = hydro::fill(height, Outlets::BorderAnd(&sea), ctx)?;
    let mut flow = hydro::d8_over_filled(&ground, Outlets::BorderAnd(&sea), ctx)?;
    par::for_rows(
        (flow.rows_mut(), ground.rows_mut()),
        ctx,
        |y, (flow, ground): (&mut [Dir8], &mut [f32])| {
            for (x, d) in flow.iter_mut().enumerate() {
                let cell = y * w + x;
                if courses.order.cells()[cell] != 0 {
                    *d = courses.way.cells()[cell];
                }
                if !is_land(cell) {
                    ground[x] = height.cells()[cell];
                }
            }
        },
    )?;
    let order = hydro::topological_order(&flow, ctx, is_land)?;
    let (area, basins) = par::join(
        || {
            hydro::grade(&mut ground, &flow, &order, FALL_M, is_land);
            hydro::accumulation_within(&flow, &order, is_land)
        },
        || hydro::basins(&flow, &order, ctx, is_land),
    );
    let (basin, basins) = basins?;
    let raised = par::map(h, ctx, |y| {
        let lifts = ground.row(y).iter().zip(height.row(y)).map(|(now, before)| now - before);
        lifts.filter(|lift| *lift > 0.01).fold((0u64, 0f32), |(n, most), lift| (n + 1, most.max(lift)))
    })?;
    let raised = raised.into_iter().fold((0, 0.0), |a: (u64, f32), b| (a.0 + b.0, a.1.max(b.1)));
    Ok(Water { height: ground, directions: flow, accumulation: area, basin, basins, raised })
}

/// The three parts of the moisture of a cell of land, each 0 to 1: for being low, for water, for the coast. `near` is the squared
/// distance from the nearest river in cells.
#[inline(always)]
pub(super) fn moisture_of(height: f32, area: u32, shore: f32, near: u32) -> [f32; 3] {
    let low = (1.0 - height / DRY_M).max(0.0);
    let bank = near <= BANK_CELLS * BANK_CELLS;
    let flow = if bank { BANK } else { (area as f32 / WET_CELLS).min(1.0) };
    [low, flow, 1.0 - shore.min(INLAND_CELLS) / INLAND_CELLS]
}

/// Moisture of each cell, 0 to 1; the sea is 1.
///
/// The mean of max(0, 1 − h/400), of 0.8 within 20 cells of a river and min(1, A/1000) elsewhere, and of
/// 1 − min(d, 100)/100, with A the cells that drain through it and d the distance from the coast. Reach: point.
pub fn moisture(
    water: &Water,
    land: &Grid<u8>,
    shore: &Grid<f32>,
    near: &Nearby,
    ctx: &Ctx,
) -> Result<Grid<f32>, Cancelled> {
    par::fill(
        land.width(),
        land.height(),
        ctx,
        #[inline(always)]
        |y, row: &mut [f32]| {
            let ground = water.height.row(y).iter().zip(water.accumulation.row(y)).zip(land.row(y));
            let places = shore.row(y).iter().zip(near.squared.row(y));
            for (out, (((&h, &area), &land), (&shore, &near))) in row.iter_mut().zip(ground.zip(places)) {
                let [low, flow, coast] = moisture_of(h, area, shore, near);
                *out = if land == 0 { 1.0 } else { (low + flow + coast) / 3.0 };
            }
        },
    )
}
