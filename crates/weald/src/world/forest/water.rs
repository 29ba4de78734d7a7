//! Flow, lakes, streams, moisture (§6).

use super::classes::{BASIN, DRY, LAKE, MARSH, STREAM};
use super::land::Land;
use super::params::{ForestParams, Hydrology};
use crate::Result;
use weald_core::math::{clamp01, ln};
use weald_core::{Cancelled, Ctx, Dir8, Grid, Seed, distance, hydro, label, par, stats};

/// The phase "water".
#[derive(Clone, Debug)]
pub struct Water {
    /// Flow direction FD.
    pub directions: Grid<Dir8>,
    /// Flow accumulation FA in tiles.
    pub accumulation: Grid<u32>,
    /// Normalised accumulation FA_N, 0 to 1.
    pub accumulation_log: Grid<f32>,
    /// 1 in lakes.
    pub lake: Grid<u8>,
    /// Number of the lake a tile belongs to, 0 for none.
    pub lake_id: Grid<u32>,
    /// How many lakes there are.
    pub lakes: u32,
    /// 1 in streams.
    pub stream: Grid<u8>,
    /// Distance to lake or stream in tiles, capped.
    pub water_distance: Grid<u16>,
    /// Moisture, 0 to 1.
    pub moisture: Grid<f32>,
    /// One of [`super::classes::WATER_CLASSES`].
    pub class: Grid<u8>,
}

/// Derives the water from the land.
pub fn water(land: &Land, seed: Seed, p: &ForestParams, ctx: &Ctx) -> Result<Water> {
    let h = &p.hydrology;
    let (width, height) = (land.height.width(), land.height.height());
    let rule = drop_rule(h);
    let directions = ctx.stage("flow direction", |c| hydro::d8_by_drop(&land.height, seed, &rule, c))?;
    let accumulation = ctx.stage("flow accumulation", |c| hydro::accumulation(&directions, c))?;
    let accumulation_log = ctx.stage("normalised accumulation", |c| {
        let (min, max) = stats::min_max(&accumulation, c)?.unwrap_or((1, 1));
        normalised(&accumulation, (min, max), c)
    })?;
    let (lake, lake_id, lakes) = ctx.stage("lakes", |c| {
        let lake = lakes(land, &accumulation_log, h, c)?;
        let (id, count) = label::regions(width, height, c, |i| lake.cells()[i] != 0)?;
        Ok::<_, Cancelled>((lake, id, count))
    })?;
    let stream = ctx.stage("streams", |c| streams(land, &accumulation_log, &lake, h, c))?;
    let water_distance = ctx.stage("distance to water", |c| {
        let (lake, stream) = (lake.cells(), stream.cells());
        distance::chebyshev(width, height, h.water_prox_max_dist as u16, c, |i| {
            lake[i] != 0 || stream[i] != 0
        })
    })?;
    let moisture = ctx.stage("moisture", |c| moisture(land, &accumulation_log, &water_distance, h, c))?;
    let class = ctx.stage("water class", |c| water_class(land, &lake, &stream, &moisture, h, c))?;
    Ok(Water {
        directions,
        accumulation,
        accumulation_log,
        lake,
        lake_id,
        lakes,
        stream,
        water_distance,
        moisture,
        class,
    })
}

/// How a tile chooses among its lower neighbours (§6.1).
pub(super) fn drop_rule(h: &Hydrology) -> hydro::DropRule {
    hydro::DropRule { min_drop: h.min_drop_threshold as f32, tie_eps: h.tie_eps as f32 }
}

/// FA_N = (ln FA − ln FAmin) / (ln FAmax − ln FAmin), clamped to [0, 1]; 0 where FAmax = FAmin (§6.3). Reach: point,
/// after the extremes of the map. Small areas, which are most, come from a table.
pub(super) fn normalised(
    area: &Grid<u32>,
    (min, max): (u32, u32),
    ctx: &Ctx,
) -> weald_core::Result<Grid<f32>> {
    let (low, span) = (ln(min as f64), ln(max as f64) - ln(min as f64));
    let value = |a: u32| if max == min { 0.0 } else { clamp01((ln(a as f64) - low) / span) as f32 };
    let table: Vec<f32> = (0..=max.min(4095)).map(|a| value(a.max(min))).collect();
    par::fill(
        area.width(),
        area.height(),
        ctx,
        #[inline(always)]
        |y, row: &mut [f32]| {
            for (out, &a) in row.iter_mut().zip(area.row(y)) {
                *out = table.get(a as usize).copied().unwrap_or_else(|| value(a));
            }
        },
    )
}

/// Flat basins that gather enough water (§6.4); the flood fill of the document numbers them and adds none. Reach: point.
pub(super) fn lakes(
    land: &Land,
    accumulation_log: &Grid<f32>,
    p: &Hydrology,
    ctx: &Ctx,
) -> weald_core::Result<Grid<u8>> {
    let (slope_max, area_min) = (p.lake_flat_slope_threshold as f32, p.lake_accum_threshold as f32);
    par::fill(
        accumulation_log.width(),
        accumulation_log.height(),
        ctx,
        #[inline(always)]
        |y, row: &mut [u8]| {
            let (form, slope, area) = (land.landform.row(y), land.slope.row(y), accumulation_log.row(y));
            for x in 0..row.len() {
                row[x] = (form[x] == BASIN && slope[x] < slope_max && area[x] >= area_min) as u8;
            }
        },
    )
}

/// Not a lake, enough water, enough slope (§6.5). Reach: point.
pub(super) fn streams(
    land: &Land,
    accumulation_log: &Grid<f32>,
    lake: &Grid<u8>,
    p: &Hydrology,
    ctx: &Ctx,
) -> weald_core::Result<Grid<u8>> {
    let (area_min, slope_min) = (p.stream_accum_threshold as f32, p.stream_min_slope_threshold as f32);
    par::fill(
        accumulation_log.width(),
        accumulation_log.height(),
        ctx,
        #[inline(always)]
        |y, row: &mut [u8]| {
            let (area, slope, lake) = (accumulation_log.row(y), land.slope.row(y), lake.row(y));
            for x in 0..row.len() {
                row[x] = (lake[x] == 0 && area[x] >= area_min && slope[x] >= slope_min) as u8;
            }
        },
    )
}

/// Moisture = clamp01(wA·accum + wF·flat + wP·prox) with accum = clamp01((FA_N − s)/(1 − s)), flat = clamp01((f − Slope)/f)
/// and prox = clamp01(1 − dist/d), where s, f, d are `moisture_accum_start`, `flatness_threshold` and
/// `water_prox_max_dist` (§6.6.3). Reach: point.
pub(super) fn moisture(
    land: &Land,
    accumulation_log: &Grid<f32>,
    water_distance: &Grid<u16>,
    p: &Hydrology,
    ctx: &Ctx,
) -> weald_core::Result<Grid<f32>> {
    let (start, flatness, far) = (p.moisture_accum_start, p.flatness_threshold, p.water_prox_max_dist as f64);
    let w = &p.weights;
    par::fill(
        accumulation_log.width(),
        accumulation_log.height(),
        ctx,
        #[inline(always)]
        |y, row: &mut [f32]| {
            let (area, slope, dist) = (accumulation_log.row(y), land.slope.row(y), water_distance.row(y));
            for x in 0..row.len() {
                let accum = clamp01((area[x] as f64 - start) / (1.0 - start));
                let flat = clamp01((flatness - slope[x] as f64) / flatness);
                let prox = clamp01(1.0 - dist[x] as f64 / far);
                row[x] = clamp01(w.accum * accum + w.flat * flat + w.prox * prox) as f32;
            }
        },
    )
}

/// Lake before stream before marsh before none (§6.7). Reach: point.
pub(super) fn water_class(
    land: &Land,
    lake: &Grid<u8>,
    stream: &Grid<u8>,
    moisture: &Grid<f32>,
    p: &Hydrology,
    ctx: &Ctx,
) -> weald_core::Result<Grid<u8>> {
    let (wet, flat) = (p.marsh_moisture_threshold as f32, p.marsh_slope_threshold as f32);
    par::fill(
        stream.width(),
        stream.height(),
        ctx,
        #[inline(always)]
        |y, row: &mut [u8]| {
            let (lake, stream) = (lake.row(y), stream.row(y));
            let (moisture, slope) = (moisture.row(y), land.slope.row(y));
            for x in 0..row.len() {
                row[x] = if lake[x] != 0 {
                    LAKE
                } else if stream[x] != 0 {
                    STREAM
                } else if moisture[x] >= wet && slope[x] < flat {
                    MARSH
                } else {
                    DRY
                };
            }
        },
    )
}
