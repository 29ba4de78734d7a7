//! Small maps derived step by step from the document, with nothing shared with the rules but the arrays.

mod derive;
mod noise;
mod write;

use crate::check::forest::params::Params;
use crate::check::forest::tiles::Tiles;
use serde_json::{Value, json};
use std::path::Path;
use weald_core::Dir8;

/// A map and what it was made with.
#[derive(Clone)]
pub(in crate::check) struct Sample {
    /// The arrays.
    pub(in crate::check) t: Tiles,
    /// The parameters that differ from the defaults.
    pub(in crate::check) params: Value,
    /// The seed.
    pub(in crate::check) seed: u64,
}

/// The stages, in order.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(in crate::check) enum Stage {
    /// Slope, aspect and landform.
    Topography,
    /// Flow and accumulation.
    Flow,
    /// Waters and moisture.
    Water,
    /// Biome, trees and species.
    Vegetation,
    /// Soil, obstruction and flags.
    Ground,
    /// Game trails.
    Trails,
    /// All that is for those who walk.
    Navigation,
}

impl Sample {
    /// Elevations, roughness and variance from the noise of chapter 4 with the default parameters.
    pub(in crate::check) fn noise(seed: u64, w: usize, h: usize) -> Self {
        let map = |id: u64, octaves: u64, frequency: f64, persistence: f64| {
            noise::map(seed ^ id, (octaves, frequency, persistence), w, h)
        };
        let t = Tiles {
            columns: w,
            rows: h,
            height: map(0x4848484848484848, 5, 0.035, 0.5),
            roughness: map(0x5252525252525252, 3, 0.06, 0.55),
            vegetation_variance: map(0x5656565656565656, 4, 0.045, 0.5),
            ..Tiles::default()
        };
        let mut sample = Self { t, params: json!({}), seed };
        sample.derive(Stage::Topography);
        sample
    }

    /// The noise with heights stretched and cut into steps: with cliffs, pits and equal drops.
    pub(in crate::check) fn rugged(seed: u64, w: usize, h: usize) -> Self {
        let mut sample = Self::noise(seed, w, h);
        for v in &mut sample.t.height {
            *v = (((*v - 0.5) * 5.0 + 0.5).clamp(0.0, 1.0) * 96.0).round() / 96.0;
        }
        sample.params = json!({
            "hydrology": {"lakeAccumThreshold": 0.3, "weights": {"flat": 0.4}},
            "gameTrails": {"seedTilesPerTrail": 60},
            "vegVarianceNoise": {"strength": 0.9},
        });
        sample.derive(Stage::Topography);
        sample
    }

    /// An authored valley with a lake, a marsh and a plateau behind a cliff.
    pub(in crate::check) fn authored() -> Self {
        let (w, h) = (16usize, 14usize);
        let mut t = Tiles { columns: w, rows: h, ..Tiles::default() };
        for y in 0..h {
            for x in 0..w {
                let wave = ((x * 7 + y * 5) % 11) as f32 / 10.0;
                let mut height = match x {
                    12.. => 0.88 + 0.002 * (x as f32 - 12.0) + 0.004 * wave,
                    _ => 0.12 + 0.02 * (x as f32 - 5.0).abs() + 0.02 * (9.0 - y as f32).max(0.0),
                };
                height = if (4..=7).contains(&x) && (9..=11).contains(&y) { 0.118 } else { height };
                height = if (x, y) == (5, 10) { 0.112 } else { height };
                height = if (x, y) == (13, 5) { 0.99 } else { height };
                height = if (x, y) == (9, 3) { 0.44 } else { height };
                t.height.push(height);
                t.roughness.push(0.2 + 0.75 * wave);
                t.vegetation_variance.push(((x * 3 + y * 8) % 13) as f32 / 12.0);
            }
        }
        let params = json!({
            "hydrology": {
                "marshMoistureThreshold": 0.5,
                "lakeAccumThreshold": 0.5,
                "streamAccumThreshold": 0.4,
                "weights": {"accum": 0.55, "flat": 0.40, "prox": 0.55},
                "waterProxMaxDist": 3,
            },
            "ground": {"standingWaterMoistureThreshold": 0.5, "peatMoistureThreshold": 0.6},
            "gameTrails": {"seedTilesPerTrail": 40, "streamEndpointAccumThreshold": 0.5},
            "vegVarianceNoise": {"strength": 0.5},
        });
        let mut sample = Self { t, params, seed: 7 };
        sample.derive(Stage::Topography);
        sample
    }

    /// The parameters.
    pub(in crate::check::forest) fn p(&self) -> Params {
        Params::read(&self.params, Path::new("test")).unwrap()
    }

    fn size(&self) -> usize {
        self.t.columns * self.t.rows
    }

    /// The neighbour in direction `d`.
    fn to(&self, i: usize, d: usize) -> Option<usize> {
        let (w, h) = (self.t.columns as i64, self.t.rows as i64);
        let (x, y) = (i as i64 % w + i64::from(Dir8::DX[d]), i as i64 / w + i64::from(Dir8::DY[d]));
        (x >= 0 && y >= 0 && x < w && y < h).then_some((y * w + x) as usize)
    }

    fn near(&self, i: usize) -> impl Iterator<Item = usize> {
        (0..8).filter_map(move |d| self.to(i, d))
    }

    /// The number of steps between two tiles.
    fn apart(&self, a: usize, b: usize) -> usize {
        let w = self.t.columns;
        (a % w).abs_diff(b % w).max((a / w).abs_diff(b / w))
    }

    /// The number of steps to the nearest tile where `wanted` holds, at most `cap`.
    fn steps(&self, i: usize, cap: usize, wanted: impl Fn(usize) -> bool) -> usize {
        (0..self.size()).filter(|&m| wanted(m)).map(|m| self.apart(i, m)).min().unwrap_or(cap).min(cap)
    }

    fn playable(&self, i: usize) -> bool {
        let (w, h) = (self.t.columns, self.t.rows);
        (1..w - 1).contains(&(i % w)) && (1..h - 1).contains(&(i / w))
    }
}
