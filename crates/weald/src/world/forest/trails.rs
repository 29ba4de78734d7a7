//! Game trails: least-cost paths from good ground to water and to ridges (§10).

use super::Playable;
use super::classes::{LAKE, MARSH, RIDGE, STREAM};
use super::cover::Cover;
use super::land::Land;
use super::params::{ForestParams, GameTrails};
use super::water::Water;
use crate::Result;
use weald_core::Cells;
use weald_core::distance::{self, Nearest};
use weald_core::math::clamp01;
use weald_core::path::{CLOSED, CostGrid, PathRule, Search};
use weald_core::{Ctx, Grid, par};

/// The trails of a map.
#[derive(Clone, Debug)]
pub struct Trails {
    /// 1 on trails.
    pub mark: Grid<u8>,
    /// Number of the first route over a tile, −1 for none.
    pub id: Grid<i32>,
    /// The routes by number, each as tile indices from its seed to its goal.
    pub routes: Vec<Route>,
    /// Where trails start, best first: tile index and score.
    pub seeds: Vec<(u32, f64)>,
}

/// One successful route.
#[derive(Clone, Debug)]
pub struct Route {
    /// What it leads to.
    pub goal: Goal,
    /// Tile indices from seed to goal.
    pub tiles: Vec<u32>,
}

/// What a trail leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A stream with much water.
    Water,
    /// A gentle ridge.
    Ridge,
}

/// Lays the trails (§10.2 to §10.5). Reach: whole map. The cost field is fixed, so all routes are found in parallel
/// and then marked in their order; the first route over a tile names it.
pub fn trails(land: &Land, water: &Water, cover: &Cover, p: &ForestParams, ctx: &Ctx) -> Result<Trails> {
    let (w, h, t) = (land.height.width(), land.height.height(), &p.game_trails);
    let playable = Playable::new(w, h, p);
    let ground = ctx.stage("trail costs", |c| {
        let cost = cost(land, water, cover, &playable, t, c)?;
        c.intermediate("trail_cost", "Cost of a tile for trails, negative where closed", Cells::F32(&cost));
        CostGrid::new(&cost, PathRule { diagonal: t.diag_weight, tie_eps: p.hydrology.tie_eps }, c)
    })?;
    let seeds = ctx.stage("trail seeds", |c| seeds(land, water, cover, &playable, t, c))?;
    let (to_water, to_ridge) = ctx.stage("trail goals", |c| goals(land, water, t, c))?;
    let found = ctx.stage("trail routes", |c| routes(&ground, &seeds, [&to_water, &to_ridge], c))?;
    let (mut mark, mut id) = (Grid::filled(w, h, 0u8), Grid::filled(w, h, -1i32));
    let mut routes = Vec::new();
    for (goal, tiles) in found {
        for &tile in &tiles {
            mark.cells_mut()[tile as usize] = 1;
            let id = &mut id.cells_mut()[tile as usize];
            if *id < 0 {
                *id = routes.len() as i32;
            }
        }
        routes.push(Route { goal, tiles });
    }
    Ok(Trails { mark, id, routes, seeds })
}

/// The routes in the order of the seeds, to water before ridge, without those that cannot be reached. Seeds that share
/// a goal are searched together, goals in parallel.
fn routes(
    ground: &CostGrid,
    seeds: &[(u32, f64)],
    nearest: [&Nearest; 2],
    ctx: &Ctx,
) -> weald_core::Result<Vec<(Goal, Vec<u32>)>> {
    // (kind and place of the goal, number of the seed), so that equal goals come together.
    let goals = par::map(seeds.len(), ctx, |i| nearest.map(|n| n.of(seeds[i].0 as usize)))?;
    let mut wanted: Vec<(usize, usize, usize)> = Vec::new();
    for (i, goals) in goals.into_iter().enumerate() {
        wanted.extend(goals.into_iter().enumerate().filter_map(|(kind, goal)| Some((kind, goal?, i))));
    }
    // Goals that lie close together follow each other, so that their searches find the ground in the cache.
    let (w, h) = ground.shape();
    wanted.sort_unstable_by_key(|&(kind, goal, i)| (kind, goal / w / 128, goal % w / 128, goal, i));
    let groups: Vec<&[(usize, usize, usize)]> = wanted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).collect();
    let found = par::map_with(
        groups.len(),
        ctx,
        || Search::new(w, h),
        |search, g| {
            let starts: Vec<usize> = groups[g].iter().map(|&(_, _, i)| seeds[i].0 as usize).collect();
            search.paths_to(ground, groups[g][0].1, &starts, ctx)
        },
    )?;
    let found = found.into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
    let mut routes: Vec<(usize, usize, Vec<u32>)> = wanted
        .iter()
        .zip(found.into_iter().flatten())
        .filter_map(|(&(kind, _, seed), path)| Some((seed, kind, path?)))
        .collect();
    routes.sort_unstable_by_key(|&(seed, kind, _)| (seed, kind));
    Ok(routes.into_iter().map(|(_, kind, path)| ([Goal::Water, Goal::Ridge][kind], path)).collect())
}

/// The cost field C of §10.2.3, computed in f64 and kept in f32; [`CLOSED`] on lakes, off the playable part, and where
/// C ≥ `inf`. Reach: `stream_prox_max_dist` tiles.
fn cost(
    land: &Land,
    water: &Water,
    cover: &Cover,
    playable: &Playable,
    t: &GameTrails,
    ctx: &Ctx,
) -> weald_core::Result<Grid<f32>> {
    let (w, h, class) = (land.height.width(), land.height.height(), water.class.cells());
    let near = distance::chebyshev(w, h, t.stream_prox_max_dist as u16, ctx, |i| class[i] == STREAM)?;
    let far = t.stream_prox_max_dist as f64;
    par::fill(
        w,
        h,
        ctx,
        #[inline(always)]
        |y, row: &mut [f32]| {
            let (slope, form, near) = (land.slope.row(y), land.landform.row(y), near.row(y));
            let (moisture, class, obstruction) =
                (water.moisture.row(y), water.class.row(y), cover.obstruction.row(y));
            for x in 0..w {
                let slope_term = t.w_slope * clamp01(slope[x] as f64 / t.slope_scale);
                let moisture_term =
                    t.w_moist * clamp01((moisture[x] as f64 - t.moist_start) / (1.0 - t.moist_start));
                let obstruction_term = t.w_obs * obstruction[x] as f64;
                let crossing_term = if class[x] == STREAM { t.w_cross } else { 0.0 };
                let marsh_term = if class[x] == MARSH { t.w_marsh } else { 0.0 };
                let ridge_bonus = if form[x] == RIDGE { -t.w_ridge } else { 0.0 };
                let stream_bonus = -t.w_stream_prox * clamp01(1.0 - near[x] as f64 / far);
                let cost = 1.0
                    + slope_term
                    + moisture_term
                    + obstruction_term
                    + crossing_term
                    + marsh_term
                    + ridge_bonus
                    + stream_bonus;
                let closed = class[x] == LAKE || !playable.at(x, y) || cost >= t.inf;
                row[x] = if closed { CLOSED } else { cost as f32 };
            }
        },
    )
}

/// Rows whose candidates are scored together.
const BAND: usize = 32;

/// Steps of the score in the first pass.
const STEPS: usize = 4096;

/// The best tiles to start from, by score descending, then (y, x) (§10.3).
///
/// S = 0.35·clamp01((Firmness − 0.35)/0.65) + 0.25·clamp01(1 − |Moisture − 0.55|/0.55) + 0.20·clamp01(1 − Slope/0.25) +
/// 0.20·clamp01(1 − distWater/d). A first pass over all tiles counts the scores in steps and finds the step below
/// which no tile can be chosen; a second pass takes those above it and sorts them. Reach: `water_seed_max_dist`.
fn seeds(
    land: &Land,
    water: &Water,
    cover: &Cover,
    playable: &Playable,
    t: &GameTrails,
    ctx: &Ctx,
) -> weald_core::Result<Vec<(u32, f64)>> {
    let (w, h, class) = (land.height.width(), land.height.height(), water.class.cells());
    let near =
        distance::chebyshev(w, h, t.water_seed_max_dist as u16, ctx, |i| matches!(class[i], STREAM | LAKE))?;
    let Some(wanted) = playable.area().checked_div(t.seed_tiles_per_trail as usize) else {
        return Ok(Vec::new());
    };
    let wanted = wanted.max(1);
    let far = t.water_seed_max_dist as f64;
    // The scores of a row, negative where there is no candidate.
    let score_row = |y: usize, scores: &mut Vec<f64>| {
        let (firm, slope, near) = (cover.firmness.row(y), land.slope.row(y), near.row(y));
        let (moist, class) = (water.moisture.row(y), water.class.row(y));
        scores.clear();
        scores.extend((0..w).map(|x| {
            let score = 0.35 * clamp01((firm[x] as f64 - 0.35) / 0.65)
                + 0.25 * clamp01(1.0 - (moist[x] as f64 - 0.55).abs() / 0.55)
                + 0.20 * clamp01(1.0 - slope[x] as f64 / 0.25)
                + 0.20 * clamp01(1.0 - near[x] as f64 / far);
            let candidate = playable.at(x, y) && class[x] != LAKE && moist[x] < 0.92 && slope[x] < 0.30;
            if candidate { score } else { -1.0 }
        }));
    };
    let step_of = |score: f64| ((score * STEPS as f64) as usize).min(STEPS - 1);
    let bands = h.div_ceil(BAND);
    let rows_of = |band: usize| band * BAND..((band + 1) * BAND).min(h);
    let counts = par::map(bands, ctx, |band| {
        let (mut counts, mut scores) = (vec![0u32; STEPS], Vec::new());
        for y in rows_of(band) {
            score_row(y, &mut scores);
            scores.iter().filter(|s| **s >= 0.0).for_each(|&s| counts[step_of(s)] += 1);
        }
        counts
    })?;
    let mut taken = 0;
    let lowest = (0..STEPS).rev().find(|&step| {
        taken += counts.iter().map(|c| c[step] as usize).sum::<usize>();
        taken >= wanted
    });
    let lowest = lowest.unwrap_or(0);
    let found = par::map(bands, ctx, |band| {
        let (mut found, mut scores) = (Vec::new(), Vec::new());
        for y in rows_of(band) {
            score_row(y, &mut scores);
            let good = scores.iter().enumerate().filter(|(_, s)| **s >= 0.0 && step_of(**s) >= lowest);
            found.extend(good.map(|(x, &s)| ((y * w + x) as u32, s)));
        }
        found
    })?;
    let mut best = found.concat();
    best.sort_unstable_by(|a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(wanted);
    Ok(best)
}

/// Where to find the nearest goal of either kind (§10.4): streams with FA_N of at least the threshold, and ridges
/// flatter than the limit. Reach: whole map.
fn goals(land: &Land, water: &Water, t: &GameTrails, ctx: &Ctx) -> weald_core::Result<(Nearest, Nearest)> {
    let (w, h) = (land.height.width(), land.height.height());
    let (class, area) = (water.class.cells(), water.accumulation_log.cells());
    let (form, slope) = (land.landform.cells(), land.slope.cells());
    let (area_min, slope_max) = (t.stream_endpoint_accum_threshold as f32, t.ridge_endpoint_max_slope as f32);
    Ok((
        Nearest::new(w, h, ctx, |i| class[i] == STREAM && area[i] >= area_min)?,
        Nearest::new(w, h, ctx, |i| form[i] == RIDGE && slope[i] < slope_max)?,
    ))
}
