//! Temperature and rain over a map.
//!
//! ```
//! use weald_core::climate::{self, Rain, Temperature};
//! use weald_core::{Ctx, Grid};
//!
//! // A range of mountains from north to south; the wind comes from the sea in the west.
//! let height = Grid::from_fn(64, 8, |x, _| if x < 16 { -50.0 } else if (30..34).contains(&x) { 2500.0 } else { 100.0 });
//! let ctx = Ctx::default();
//! let cold = climate::temperature(&height, &Temperature::default(), &ctx)?;
//! assert!(cold[(31, 4)] < cold[(20, 4)]);
//! let rain = climate::rain(&height, &Rain::default(), &ctx)?;
//! // The eastern side lies in the rain shadow.
//! assert!(rain[(29, 4)] > 2.0 * rain[(40, 4)]);
//! # Ok::<(), weald_core::Cancelled>(())
//! ```

use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::{Result, math, par};

/// How warm it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperature {
    /// Mean of the year at the northern edge at sea level, in °C.
    pub north_c: f64,
    /// The same at the southern edge.
    pub south_c: f64,
    /// How much colder it gets with every kilometre of height, in °C.
    pub lapse_c_per_km: f64,
}

/// From −6 °C to 24 °C, and 6.5 °C a kilometre, the lapse of the International Standard Atmosphere.
impl Default for Temperature {
    fn default() -> Self {
        Self { north_c: -6.0, south_c: 24.0, lapse_c_per_km: 6.5 }
    }
}

/// Mean temperature of the year, in °C: T = T_north + (T_south − T_north)·y/height − lapse·max(h, 0). Reach: point.
pub fn temperature(height: &Grid<f32>, rule: &Temperature, ctx: &Ctx) -> Result<Grid<f32>> {
    let (w, h) = height.shape();
    par::fill(w, h, ctx, |y, row: &mut [f32]| {
        let level = math::lerp(rule.north_c, rule.south_c, (y as f64 + 0.5) / h as f64);
        for (out, &ground) in row.iter_mut().zip(height.row(y)) {
            *out = (level - rule.lapse_c_per_km * (ground as f64).max(0.0) / 1000.0) as f32;
        }
    })
}

/// How air brings and loses water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rain {
    /// Where the wind blows to, in degrees clockwise from east.
    pub wind_deg: f64,
    /// Cells of plain over which air loses 63 % of its water.
    pub reach_cells: f64,
    /// Share of its water that air loses when it rises by a kilometre.
    pub loss_per_km: f64,
    /// Cells of sea over which air fills up by 63 %.
    pub sea_cells: f64,
    /// How full of water air is that comes over the edge of the map above land, 0 to 1.
    pub from_land: f64,
}

/// Wind from the west, which dries over 120 cells of plain and loses 70 % of its water in rising by a kilometre.
impl Default for Rain {
    fn default() -> Self {
        Self { wind_deg: 0.0, reach_cells: 120.0, loss_per_km: 0.7, sea_cells: 12.0, from_land: 0.6 }
    }
}

/// Rain relative to that of a plain on the coast, 0 to 1: air is carried across the map and rains out, more where the ground rises.
/// Behind mountains there is little left: the rain shadow.
///
/// Along the wind, cell by cell, with a the water of the air: over the sea a ← a + (1 − a)/s; over land it loses
/// r = a·(1 − e^(−1/L − k·Δh)), where L is the reach, Δh the rise of the ground in kilometres (0 if it falls) and k = −ln(1 − loss), and the rain is
/// min(L·r, 1), at sea a. The air comes from the place one cell upwind, between two cells of the column or row before. Reach: all that
/// lies upwind. Cost: linear.
pub fn rain(height: &Grid<f32>, rule: &Rain, ctx: &Ctx) -> Result<Grid<f32>> {
    let (w, h) = height.shape();
    let angle = rule.wind_deg * (std::f64::consts::PI / 180.0);
    let (wx, wy) = (math::cos(angle), math::sin(angle));
    // The sweep runs along the axis that the wind follows more; `lane` counts across it.
    let along_x = wx.abs() >= wy.abs();
    let (steps, lanes) = if along_x { (w, h) } else { (h, w) };
    let (fast, slow) = if along_x { (wx, wy) } else { (wy, wx) };
    let drift = slow / fast.abs();
    let cell = |step: usize, lane: usize| {
        let step = if fast >= 0.0 { step } else { steps - 1 - step };
        if along_x { (step, lane) } else { (lane, step) }
    };
    let lift = -math::ln(1.0 - rule.loss_per_km.clamp(0.0, 0.99));
    let mut out = Grid::filled(w, h, 0f32);
    let mut air: Vec<(f64, f64)> = Vec::new();
    for step in 0..steps {
        ctx.checkpoint()?;
        let next = (0..lanes).map(|lane| {
            let at = cell(step, lane);
            let ground = height[at] as f64;
            let (before, low) = if step == 0 {
                (if ground < 0.0 { 1.0 } else { rule.from_land }, ground)
            } else {
                let place = (lane as f64 - drift).clamp(0.0, (lanes - 1) as f64);
                let (a, b) = (place as usize, (place as usize + 1).min(lanes - 1));
                let t = place - place.floor();
                (math::lerp(air[a].0, air[b].0, t), math::lerp(air[a].1, air[b].1, t))
            };
            if ground < 0.0 {
                out[at] = before as f32;
                return (before + (1.0 - before) * (1.0 / rule.sea_cells).min(1.0), ground);
            }
            let rise = (ground - low.max(0.0)).max(0.0) / 1000.0;
            let loss = before * (1.0 - math::exp(-1.0 / rule.reach_cells - lift * rise));
            out[at] = (rule.reach_cells * loss).min(1.0) as f32;
            (before - loss, ground)
        });
        air = next.collect();
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(w: usize, h: usize) -> Grid<f32> {
        Grid::filled(w, h, 10.0)
    }

    #[test]
    fn it_gets_colder_to_the_north_and_with_height() {
        let rule = Temperature { north_c: 0.0, south_c: 20.0, lapse_c_per_km: 6.0 };
        let height = Grid::from_fn(2, 10, |x, _| [0.0, 2000.0][x]);
        let t = temperature(&height, &rule, &Ctx::default()).unwrap();
        assert_eq!(t[(0, 0)], 1.0);
        assert_eq!(t[(0, 9)], 19.0);
        assert_eq!(t[(1, 9)], 7.0);
        // The sea is as warm as the coast.
        let sea = temperature(&Grid::filled(2, 10, -4000.0), &rule, &Ctx::default()).unwrap();
        assert_eq!(sea[(0, 9)], 19.0);
    }

    #[test]
    fn over_a_plain_rain_falls_by_e_within_the_reach_whichever_way_the_wind_blows() {
        for wind_deg in [0.0, 90.0, 180.0, 270.0] {
            let rule = Rain { wind_deg, reach_cells: 40.0, ..Rain::default() };
            let rain = rain(&plain(100, 100), &rule, &Ctx::default()).unwrap();
            let line: Vec<f32> = (0..100)
                .map(|i| match wind_deg as u32 {
                    0 => rain[(i, 50)],
                    90 => rain[(50, i)],
                    180 => rain[(99 - i, 50)],
                    _ => rain[(50, 99 - i)],
                })
                .collect();
            assert!((line[40] / line[0] - 0.36788).abs() < 0.001, "{wind_deg}: {}", line[40] / line[0]);
        }
    }

    #[test]
    fn slanting_wind_carries_the_shadow_of_a_mountain_with_it() {
        let mut height = plain(120, 120);
        (50..60).for_each(|y| (30..40).for_each(|x| height[(x, y)] = 3000.0));
        let rain = rain(&height, &Rain { wind_deg: 30.0, ..Rain::default() }, &Ctx::default()).unwrap();
        // 50 cells to the east the shadow is 29 cells farther south.
        assert!(rain[(85, 84)] < 0.7 * rain[(85, 55)], "{} {}", rain[(85, 84)], rain[(85, 55)]);
    }

    #[test]
    fn rain_stays_between_0_and_1_and_air_fills_up_over_the_sea() {
        let height = Grid::from_fn(80, 5, |x, y| if x < 40 { -10.0 } else { (x * y) as f32 * 20.0 });
        let rain = rain(&height, &Rain { from_land: 0.0, ..Rain::default() }, &Ctx::default()).unwrap();
        assert!(rain.cells().iter().all(|r| (0.0..=1.0).contains(r)));
        assert!(rain[(41, 0)] > 0.9);
    }
}
