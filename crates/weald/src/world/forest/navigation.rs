//! Visibility, orientation, move cost, passability, followable features (§11 to §13).

use super::Playable;
use super::classes::*;
use super::cover::Cover;
use super::land::Land;
use super::params::ForestParams;
use super::trails::Trails;
use super::water::Water;
use crate::Result;
use weald_core::Cells;
use weald_core::math::{clamp01, lerp};
use weald_core::{Ctx, Dir8, Grid, par};

/// The phase "navigation": what a walker needs to know.
#[derive(Clone, Debug)]
pub struct Navigation {
    /// How far a walker can see, in metres.
    pub visibility: Grid<f32>,
    /// How reliably a walker knows where they are, 0 to 1. Informational.
    pub orientation: Grid<f32>,
    /// Cost of moving on a tile, 1 on good ground.
    pub move_cost: Grid<f32>,
    /// Two bits of [`PASSABILITIES`] for each direction: `Dir8` d at bits 2d and 2d + 1.
    pub passability: Grid<u16>,
    /// Bit d: the step in direction d climbs a cliff.
    pub cliffs: Grid<u8>,
    /// Bits of [`FOLLOWABLES`].
    pub followable: Grid<u8>,
}

/// Derives the navigation from all that came before.
pub(super) fn navigation(
    land: &Land,
    water: &Water,
    cover: &Cover,
    trails: &Trails,
    (p, playable): (&ForestParams, &Playable),
    ctx: &Ctx,
) -> Result<Navigation> {
    let (visibility, orientation) = ctx.stage("visibility", |c| sight(land, water, cover, p, c))?;
    let move_cost = ctx.stage("move cost", |c| move_cost(water, cover, trails, p, c))?;
    let (passability, cliffs) = ctx.stage("passability", |c| passability(land, water, (p, playable), c))?;
    if ctx.wants_intermediates() {
        let blocked = |&steps: &u16| (0..8).filter(|d| steps >> (2 * d) & 3 == BLOCKED as u16).count() as u8;
        let cells = passability.cells().iter().map(blocked).collect();
        let blocked = Grid::from_vec(passability.width(), passability.height(), cells);
        ctx.intermediate(
            "blocked_steps",
            "How many of the eight steps from the tile are blocked",
            Cells::U8(&blocked),
        );
    }
    let followable = ctx.stage("followable", |c| followable(land, water, trails, c))?;
    Ok(Navigation { visibility, orientation, move_cost, passability, cliffs, followable })
}

/// Visibility = clamp(base − d·TreeDensity − o·Obstruction + e·(H − 0.5), min, max) in metres (§11), and orientation
/// reliability = clamp(1 − d·TreeDensity − o·Obstruction − w·clamp01((Moisture − start)/range) + ridge, min, max) (§12).
/// Reach: point.
fn sight(
    land: &Land,
    water: &Water,
    cover: &Cover,
    p: &ForestParams,
    ctx: &Ctx,
) -> weald_core::Result<(Grid<f32>, Grid<f32>)> {
    let (w, h, v, o) = (land.height.width(), land.height.height(), &p.visibility, &p.orientation);
    let (mut visibility, mut orientation) = (Grid::filled(w, h, 0f32), Grid::filled(w, h, 0f32));
    par::for_rows(
        (visibility.rows_mut(), orientation.rows_mut()),
        ctx,
        #[inline(always)]
        |y, (visibility, orientation)| {
            let (height, form, moisture) = (land.height.row(y), land.landform.row(y), water.moisture.row(y));
            let (density, obstruction) = (cover.tree_density.row(y), cover.obstruction.row(y));
            for x in 0..w {
                let (dense, blocked) = (density[x] as f64, obstruction[x] as f64);
                let sight = v.base - v.density_penalty * dense - v.obstruction_penalty * blocked
                    + v.elevation_bonus * (height[x] as f64 - 0.5);
                visibility[x] = (sight.clamp(v.min_meters, v.max_meters) + 0.0) as f32;
                let mut sure = 1.0 - o.density_weight * dense - o.obstruction_weight * blocked;
                sure -= o.wetness_weight * clamp01((moisture[x] as f64 - o.wetness_start) / o.wetness_range);
                if form[x] == RIDGE {
                    sure += o.ridge_bonus;
                }
                orientation[x] = (sure.clamp(o.min, o.max) + 0.0) as f32;
            }
        },
    )?;
    Ok((visibility, orientation))
}

/// 1, times lerp(1, max, Obstruction), times lerp(1, max, Moisture), then marsh, open bog and last the trail (§13.1).
/// Reach: point.
fn move_cost(
    water: &Water,
    cover: &Cover,
    trails: &Trails,
    p: &ForestParams,
    ctx: &Ctx,
) -> weald_core::Result<Grid<f32>> {
    let m = &p.movement;
    par::fill(
        water.class.width(),
        water.class.height(),
        ctx,
        #[inline(always)]
        |y, row: &mut [f32]| {
            let (moisture, class) = (water.moisture.row(y), water.class.row(y));
            let (obstruction, biome, trail) =
                (cover.obstruction.row(y), cover.biome.row(y), trails.mark.row(y));
            for x in 0..row.len() {
                let mut cost = lerp(1.0, m.move_cost_obstruction_max, obstruction[x] as f64);
                cost *= lerp(1.0, m.move_cost_moisture_max, moisture[x] as f64);
                if class[x] == MARSH {
                    cost *= m.marsh_move_cost_multiplier;
                }
                if biome[x] == OPEN_BOG {
                    cost *= m.open_bog_move_cost_multiplier;
                }
                if trail[x] != 0 {
                    cost *= p.game_trails.game_trail_move_cost_multiplier;
                }
                row[x] = cost as f32;
            }
        },
    )
}

/// Moisture from which, and slope below which, a bog makes every step from it difficult (§13.2).
pub(super) const SUCKING_BOG: (f32, f32) = (0.90, 0.03);

/// Every directed step, in the order of the tests of §13.2: off the map or into the unplayable border, from or into
/// a lake: blocked; from a sucking bog (Moisture ≥ 0.90 and Slope < 0.03): difficult; by the climb dh = H(n) − H(c):
/// blocked, difficult or passable. A cliff is a climb of at least `steep_block_delta` on a slope of at least
/// `cliff_slope_min`. Reach: 1 tile.
fn passability(
    land: &Land,
    water: &Water,
    (p, playable): (&ForestParams, &Playable),
    ctx: &Ctx,
) -> weald_core::Result<(Grid<u16>, Grid<u8>)> {
    let (w, h, m) = (land.height.width(), land.height.height(), &p.movement);
    let (block, hard, cliff) =
        (m.steep_block_delta as f32, m.steep_difficult_delta as f32, m.cliff_slope_min as f32);
    let (mut steps, mut cliffs) = (Grid::filled(w, h, 0u16), Grid::filled(w, h, 0u8));
    par::for_rows(
        (steps.rows_mut(), cliffs.rows_mut()),
        ctx,
        #[inline(always)]
        |y, (steps, cliffs)| {
            let (height, class) = (land.height.row(y), water.class.row(y));
            let (slope, moisture) = (land.slope.row(y), water.moisture.row(y));
            // What holds for all steps from a tile, and for all steps into one of the three rows.
            let lake: Vec<bool> = class.iter().map(|&c| c == LAKE).collect();
            let bog: Vec<bool> =
                moisture.iter().zip(slope).map(|(&m, &s)| m >= SUCKING_BOG.0 && s < SUCKING_BOG.1).collect();
            let steep: Vec<bool> = slope.iter().map(|&s| s >= cliff).collect();
            let shut = |ny: usize| -> Vec<bool> {
                let class = water.class.row(ny);
                (0..w).map(|x| class[x] == LAKE || !playable.at(x, ny)).collect()
            };
            let shut = [y.checked_sub(1), Some(y), Some(y + 1).filter(|&ny| ny < h)].map(|ny| ny.map(&shut));
            for d in Dir8::ALL {
                let (shift, near) = (2 * d.0, &shut[(d.dy() + 1) as usize]);
                let (here, there) = if near.is_some() { d.columns(w) } else { (0..0, 0..0) };
                // Steps off the map.
                for x in (0..here.start).chain(here.end..w) {
                    steps[x] |= (BLOCKED as u16) << shift;
                }
                let Some(near) = near else { continue };
                let near_height = &land.height.row((y as i64 + d.dy() as i64) as usize)[there.clone()];
                let (near, n) = (&near[there], here.len());
                let (height, lake) = (&height[here.clone()], &lake[here.clone()]);
                let (bog, steep) = (&bog[here.clone()], &steep[here.clone()]);
                let (steps, cliffs) = (&mut steps[here.clone()], &mut cliffs[here]);
                for x in 0..n {
                    let climb = near_height[x] - height[x];
                    let by_climb = if climb >= hard { DIFFICULT } else { PASSABLE };
                    let by_climb = if climb >= block { BLOCKED } else { by_climb };
                    let kind = if bog[x] { DIFFICULT } else { by_climb };
                    let kind = if near[x] | lake[x] { BLOCKED } else { kind };
                    steps[x] |= (kind as u16) << shift;
                    cliffs[x] |= ((climb >= block) & steep[x]) as u8 * (1 << d.0);
                }
            }
        },
    )?;
    Ok((steps, cliffs))
}

/// Stream, ridge and trail tiles, and tiles beside a lake that are not lake themselves (§13.3). Reach: 1 tile.
fn followable(land: &Land, water: &Water, trails: &Trails, ctx: &Ctx) -> weald_core::Result<Grid<u8>> {
    let (w, h) = (land.height.width(), land.height.height());
    par::fill(
        w,
        h,
        ctx,
        #[inline(always)]
        |y, row: &mut [u8]| {
            let (form, class, trail) = (land.landform.row(y), water.class.row(y), trails.mark.row(y));
            for x in 0..w {
                let flag = |holds: bool, bit: u8| if holds { bit } else { 0 };
                row[x] = flag(class[x] == STREAM, FOLLOW_STREAM)
                    | flag(form[x] == RIDGE, FOLLOW_RIDGE)
                    | flag(trail[x] != 0, FOLLOW_TRAIL);
            }
            for d in Dir8::ALL {
                let ny = y as i64 + d.dy() as i64;
                if ny < 0 || ny >= h as i64 {
                    continue;
                }
                let (here, there) = d.columns(w);
                for (x, &near) in here.zip(&water.class.row(ny as usize)[there]) {
                    if near == LAKE && class[x] != LAKE {
                        row[x] |= FOLLOW_SHORE;
                    }
                }
            }
        },
    )
}
