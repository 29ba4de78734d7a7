//! The stages of the document, each as plainly as can be.

use super::{Sample, Stage};
use crate::check::forest::params::{DIAGONAL, GameTrails, Params};
use weald_core::math::{self, clamp01};
use weald_core::seed::mix64;

impl Sample {
    /// Runs the stages from `first` on.
    pub(in crate::check) fn derive(&mut self, first: Stage) {
        use Stage::*;
        for stage in [Topography, Flow, Water, Vegetation, Ground, Trails, Navigation] {
            match stage {
                _ if stage < first => {}
                Topography => self.topography(),
                Flow => self.flow(),
                Water => self.water(),
                Vegetation => self.vegetation(),
                Ground => self.ground(),
                Trails => self.trails(),
                Navigation => self.navigation(),
            }
        }
    }

    fn topography(&mut self) {
        let (p, n) = (self.p(), self.size());
        for list in [&mut self.t.slope, &mut self.t.aspect_deg] {
            list.clear();
        }
        self.t.landform.clear();
        for i in 0..n {
            let h = |d: usize| self.t.height[self.to(i, d).unwrap_or(i)] as f64;
            let (hx, hy) = (h(0) - h(4), h(2) - h(6));
            let slope = ((hx * hx + hy * hy).sqrt() / 2.0) as f32;
            let turn = if hx == 0.0 && hy == 0.0 { 0.0 } else { math::atan2(-hy, -hx).to_degrees() };
            let aspect = if turn < 0.0 { turn + 360.0 } else { turn } as f32;
            let c = self.t.height[i] as f64;
            let eps = p.landform.eps;
            let high = self.near(i).filter(|&m| self.t.height[m] as f64 > c + eps).count();
            let low = self.near(i).filter(|&m| (self.t.height[m] as f64) < c - eps).count();
            let form = if slope < p.landform.flat_slope_threshold as f32 {
                if low == 0 && high > 0 {
                    4
                } else if high == 0 && low > 0 {
                    2
                } else {
                    0
                }
            } else if high >= 6 {
                4
            } else if low >= 6 {
                2
            } else if high >= 5 && low <= 2 {
                3
            } else if low >= 5 && high <= 2 {
                2
            } else {
                1
            };
            self.t.slope.push(slope);
            self.t.aspect_deg.push(aspect);
            self.t.landform.push(form);
        }
    }

    fn flow(&mut self) {
        let (p, n) = (self.p(), self.size());
        self.t.flow_direction = (0..n).map(|i| self.way(i, &p)).collect();
        self.accumulate();
    }

    fn way(&self, i: usize, p: &Params) -> u8 {
        let drop = |d: usize| self.to(i, d).map(|m| self.t.height[i] as f64 - self.t.height[m] as f64);
        let drops: Vec<(usize, f64)> = (0..8)
            .filter_map(|d| drop(d).map(|v| (d, v)))
            .filter(|&(_, v)| v > 0.0 && v >= p.hydrology.min_drop_threshold)
            .collect();
        let most = drops.iter().map(|v| v.1).fold(0.0, f64::max);
        let tied: Vec<usize> =
            drops.iter().filter(|v| (v.1 - most).abs() <= p.hydrology.tie_eps).map(|v| v.0).collect();
        let (x, y) = ((i % self.t.columns) as u64, (i / self.t.columns) as u64);
        let hash = mix64(self.seed ^ x.wrapping_mul(0x9E3779B97F4A7C15) ^ y.wrapping_mul(0xC2B2AE3D27D4EB4F));
        if tied.is_empty() { 255 } else { tied[(hash % tied.len() as u64) as usize] as u8 }
    }

    /// Follows every tile's water to its end.
    pub(in crate::check) fn accumulate(&mut self) {
        let n = self.size();
        let mut sum = vec![0u32; n];
        for i in 0..n {
            let mut at = Some(i);
            while let Some(c) = at {
                sum[c] += 1;
                at = if self.t.flow_direction[c] < 8 {
                    self.to(c, self.t.flow_direction[c] as usize)
                } else {
                    None
                };
            }
        }
        let (low, high) = (*sum.iter().min().unwrap() as f64, *sum.iter().max().unwrap() as f64);
        let ln = math::ln;
        let share = |a: u32| (ln(a as f64) - ln(low)) / (ln(high) - ln(low));
        self.t.flow_accumulation_log =
            sum.iter().map(|&a| if high > low { clamp01(share(a)) as f32 } else { 0.0 }).collect();
        self.t.flow_accumulation = sum;
    }

    fn water(&mut self) {
        let (p, n) = (self.p().hydrology, self.size());
        let t = &self.t;
        let is_lake = |i: usize| {
            t.landform[i] == 4
                && t.slope[i] < p.lake_flat_slope_threshold as f32
                && t.flow_accumulation_log[i] >= p.lake_accum_threshold as f32
        };
        let is_stream = |i: usize| {
            !is_lake(i)
                && t.flow_accumulation_log[i] >= p.stream_accum_threshold as f32
                && t.slope[i] >= p.stream_min_slope_threshold as f32
        };
        let cap = p.water_prox_max_dist as usize;
        let far: Vec<usize> = (0..n).map(|i| self.steps(i, cap, |m| is_lake(m) || is_stream(m))).collect();
        let moist: Vec<f32> = (0..n)
            .map(|i| {
                let start = p.moisture_accum_start;
                let accum = clamp01((t.flow_accumulation_log[i] as f64 - start) / (1.0 - start));
                let flat = clamp01((p.flatness_threshold - t.slope[i] as f64) / p.flatness_threshold);
                let prox = clamp01(1.0 - far[i] as f64 / cap as f64);
                clamp01(p.weights.accum * accum + p.weights.flat * flat + p.weights.prox * prox) as f32
            })
            .collect();
        let class = |i: usize| {
            let marsh =
                moist[i] >= p.marsh_moisture_threshold as f32 && t.slope[i] < p.marsh_slope_threshold as f32;
            if is_lake(i) {
                1
            } else if is_stream(i) {
                2
            } else if marsh {
                3
            } else {
                0
            }
        };
        let water: Vec<u8> = (0..n).map(class).collect();
        self.t.lake_mask = water.iter().map(|&c| u8::from(c == 1)).collect();
        self.t.stream_mask = water.iter().map(|&c| u8::from(c == 2)).collect();
        self.t.water_distance = far.iter().map(|&d| d as u16).collect();
        let mut id = vec![0u32; n];
        for (k, i) in (0..n).filter(|&i| water[i] == 1).enumerate() {
            id[i] = k as u32 + 1;
        }
        for _ in 0..n {
            for i in (0..n).filter(|&i| water[i] == 1) {
                id[i] = self.near(i).filter(|&m| water[m] == 1).map(|m| id[m]).fold(id[i], u32::min);
            }
        }
        self.t.lake_id = id;
        self.t.moisture = moist;
        self.t.water_class = water;
    }

    fn vegetation(&mut self) {
        let (p, n) = (self.p(), self.size());
        let t = &mut self.t;
        for list in [&mut t.biome, &mut t.dominant] {
            list.clear();
        }
        for list in [&mut t.tree_density, &mut t.canopy_cover] {
            list.clear();
        }
        for i in 0..n {
            let (m, v, s) = (t.moisture[i], t.vegetation_variance[i] as f64, t.slope[i]);
            let m2 = clamp01(m as f64 + (v - 0.5) * p.strength()) as f32;
            let (biome, density, canopy) = match t.water_class[i] {
                1 => (5, 0.0, 0.0),
                2 => (6, 0.60, 0.55),
                _ if m2 >= 0.85 && s < 0.03 => (0, 0.10, 0.15),
                _ if m2 >= 0.65 => (1, 0.80, 0.78),
                _ if m2 >= 0.40 => (2, 0.55, 0.60),
                _ if t.height[i] >= 0.70 && s < 0.05 => (4, 0.30, 0.35),
                _ => (3, 0.35, 0.40),
            };
            let trees = clamp01(density + (v - 0.5) * 0.10 + (m as f64 - 0.5) * 0.08) as f32;
            t.biome.push(biome);
            t.tree_density.push(trees);
            t.canopy_cover.push(clamp01(canopy + (trees as f64 - density) * 0.6) as f32);
            t.dominant.push(match biome {
                3 | 4 => 1,
                1 => 2,
                2 if m >= 0.52 => 0x32,
                2 => 0x23,
                6 => 3,
                0 if m < 0.75 => 3,
                _ => 0,
            });
        }
    }

    fn ground(&mut self) {
        let (p, n) = (self.p(), self.size());
        let (g, f) = (&p.ground, &p.roughness_features);
        let t = &mut self.t;
        for list in [&mut t.soil, &mut t.surface_flags, &mut t.feature_flags] {
            list.clear();
        }
        for list in [&mut t.firmness, &mut t.obstruction] {
            list.clear();
        }
        for i in 0..n {
            let (m, h, r, s) = (t.moisture[i], t.height[i], t.roughness[i], t.slope[i]);
            let soil = if m >= g.peat_moisture_threshold as f32 {
                0
            } else if m <= g.exposed_sand_moisture_max as f32
                && (t.landform[i] == 2 || h >= g.bedrock_height_min as f32)
            {
                1
            } else {
                2
            };
            let mix = f.obstruction_moisture_mix;
            let o = clamp01(r as f64 * (1.0 - mix) + m as f64 * mix) as f32;
            let surface = [
                m >= g.standing_water_moisture_threshold as f32 && s < g.standing_water_slope_max as f32,
                soil == 0,
                m <= g.lichen_moisture_max as f32,
                soil == 1 && m <= g.exposed_sand_moisture_max as f32,
                h >= g.bedrock_height_min as f32 && r >= g.bedrock_roughness_min as f32,
            ];
            let feature = [
                o >= f.fallen_log_threshold as f32,
                m >= f.root_tangle_moisture_threshold as f32,
                h >= f.boulder_height_min as f32 && r >= f.boulder_roughness_min as f32,
                o >= f.windthrow_threshold as f32,
            ];
            let bits = |flags: &[bool]| flags.iter().rev().fold(0u8, |b, &f| b << 1 | u8::from(f));
            t.soil.push(soil);
            t.firmness.push(clamp01(1.0 - 0.85 * m as f64 + 0.15 * clamp01(s as f64 / 0.2)) as f32);
            t.obstruction.push(o);
            t.surface_flags.push(bits(&surface));
            t.feature_flags.push(bits(&feature));
        }
    }

    /// C of 10.2.3; None where there is no way.
    fn cost(&self, i: usize, p: &GameTrails) -> Option<f64> {
        let t = &self.t;
        if t.water_class[i] == 1 || !self.playable(i) {
            return None;
        }
        let cap = p.stream_prox_max_dist as usize;
        let far = self.steps(i, cap, |m| t.water_class[m] == 2) as f64;
        let mut c = 1.0 + p.w_slope * clamp01(t.slope[i] as f64 / p.slope_scale);
        c += p.w_moist * clamp01((t.moisture[i] as f64 - p.moist_start) / (1.0 - p.moist_start));
        c += p.w_obs * t.obstruction[i] as f64;
        c += [0.0, 0.0, p.w_cross, p.w_marsh][t.water_class[i] as usize];
        c -= if t.landform[i] == 2 { p.w_ridge } else { 0.0 };
        Some(c - p.w_stream_prox * clamp01(1.0 - far / cap as f64))
    }

    fn trails(&mut self) {
        let (p, n) = (self.p().game_trails, self.size());
        let t = &self.t;
        let cost: Vec<Option<f64>> = (0..n).map(|i| self.cost(i, &p)).collect();
        let cap = p.water_seed_max_dist as usize;
        let score = |i: usize| {
            let far = self.steps(i, cap, |m| t.water_class[m] == 1 || t.water_class[m] == 2) as f64;
            0.35 * clamp01((t.firmness[i] as f64 - 0.35) / 0.65)
                + 0.25 * clamp01(1.0 - (t.moisture[i] as f64 - 0.55).abs() / 0.55)
                + 0.20 * clamp01(1.0 - t.slope[i] as f64 / 0.25)
                + 0.20 * clamp01(1.0 - far / cap as f64)
        };
        let mut seeds: Vec<(f64, usize)> = (0..n)
            .filter(|&i| cost[i].is_some() && t.moisture[i] < 0.92 && t.slope[i] < 0.30)
            .map(|i| (-score(i), i))
            .collect();
        seeds.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let area = t.columns.saturating_sub(2) * t.rows.saturating_sub(2);
        seeds.truncate(area.checked_div(p.seed_tiles_per_trail as usize).map_or(0, |n| n.max(1)));
        let water = |&m: &usize| {
            t.water_class[m] == 2 && t.flow_accumulation_log[m] >= p.stream_endpoint_accum_threshold as f32
        };
        let ridge = |&m: &usize| t.landform[m] == 2 && t.slope[m] < p.ridge_endpoint_max_slope as f32;
        let mut routes = Vec::new();
        for &(_, s) in &seeds {
            let ends: [Option<usize>; 2] = [
                (0..n).filter(water).min_by_key(|&m| (self.apart(s, m), m)),
                (0..n).filter(ridge).min_by_key(|&m| (self.apart(s, m), m)),
            ];
            routes.extend(ends.into_iter().flatten().filter_map(|e| self.route(s, e, &cost)));
        }
        let mut ids = vec![-1i32; n];
        for (k, route) in routes.iter().enumerate() {
            for &i in route {
                ids[i] = if ids[i] < 0 { k as i32 } else { ids[i] };
            }
        }
        self.t.game_trail = ids.iter().map(|&k| u8::from(k >= 0)).collect();
        self.t.game_trail_id = ids;
    }

    /// A cheapest way, by going over all steps until nothing gets cheaper.
    fn route(&self, from: usize, to: usize, cost: &[Option<f64>]) -> Option<Vec<usize>> {
        let mut best = vec![(f64::INFINITY, usize::MAX); self.size()];
        best[from].0 = 0.0;
        let mut changed = true;
        while changed {
            changed = false;
            for i in 0..self.size() {
                for d in 0..8 {
                    let Some(n) = self.to(i, d) else { continue };
                    let Some(c) = cost[n] else { continue };
                    let there = best[i].0 + c * if d % 2 == 1 { DIAGONAL } else { 1.0 };
                    if there < best[n].0 - 1e-9 {
                        best[n] = (there, i);
                        changed = true;
                    }
                }
            }
        }
        let mut path = vec![to];
        while best[to].0.is_finite() && path[path.len() - 1] != from {
            path.push(best[path[path.len() - 1]].1);
        }
        (best[to].0.is_finite()).then_some(path)
    }

    fn navigation(&mut self) {
        let (p, n) = (self.p(), self.size());
        let (v, o, m) = (&p.visibility, &p.orientation, &p.movement);
        let mut nav = self.t.clone();
        for list in [&mut nav.visibility_m, &mut nav.orientation_reliability, &mut nav.move_cost] {
            list.clear();
        }
        nav.passability.clear();
        nav.followable.clear();
        nav.cliff_edge.clear();
        for i in 0..n {
            let t = &self.t;
            let [d, obs, wet, h] =
                [&t.tree_density, &t.obstruction, &t.moisture, &t.height].map(|a| a[i] as f64);
            let seen =
                v.base - v.density_penalty * d - v.obstruction_penalty * obs + v.elevation_bonus * (h - 0.5);
            nav.visibility_m.push(seen.clamp(v.min_meters, v.max_meters) as f32);
            let mut sure = 1.0 - o.density_weight * d - o.obstruction_weight * obs;
            sure -= o.wetness_weight * clamp01((wet - o.wetness_start) / o.wetness_range);
            sure += if t.landform[i] == 2 { o.ridge_bonus } else { 0.0 };
            nav.orientation_reliability.push(sure.clamp(o.min, o.max) as f32);
            let mut cost = 1.0 + (m.move_cost_obstruction_max - 1.0) * obs;
            cost *= 1.0 + (m.move_cost_moisture_max - 1.0) * wet;
            cost *= if t.water_class[i] == 3 { m.marsh_move_cost_multiplier } else { 1.0 };
            cost *= if t.biome[i] == 0 { m.open_bog_move_cost_multiplier } else { 1.0 };
            cost *= if t.game_trail[i] == 1 { p.game_trails.game_trail_move_cost_multiplier } else { 1.0 };
            nav.move_cost.push(cost as f32);
            let (mut pass, mut cliff) = (0u16, 0u8);
            for d in 0..8 {
                let step = self.to(i, d);
                let dh = step.map_or(0.0, |k| t.height[k] as f64 - h);
                let lake = |k: usize| t.water_class[k] == 1;
                let class = match step.filter(|&k| self.playable(k)) {
                    None => 2,
                    Some(k) if lake(i) || lake(k) => 2,
                    _ if t.moisture[i] >= 0.90 && t.slope[i] < 0.03 => 1,
                    _ if dh >= m.steep_block_delta => 2,
                    _ if dh >= m.steep_difficult_delta => 1,
                    _ => 0,
                };
                pass |= class << (2 * d);
                let edge = dh >= m.steep_block_delta && t.slope[i] >= m.cliff_slope_min as f32;
                cliff |= u8::from(edge) << d;
            }
            nav.passability.push(pass);
            nav.cliff_edge.push(cliff);
            let shore = t.water_class[i] != 1 && self.near(i).any(|k| t.water_class[k] == 1);
            let cues = [t.water_class[i] == 2, t.landform[i] == 2, t.game_trail[i] == 1, shore];
            nav.followable.push((0..4).map(|b| u8::from(cues[b]) << b).sum());
        }
        self.t = nav;
    }
}
