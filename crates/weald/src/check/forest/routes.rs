//! Between which tiles trails must run, and the cheapest ways between them (10.2 to 10.5).

use super::compare::{below, reaches};
use super::names::{LAKE, MARSH, RIDGE, STREAM};
use super::world::World;
use crate::error::Result;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use weald_core::math;

/// A stream end point.
fn is_water_node(w: &World, i: usize) -> bool {
    w.t.water_class[i] == STREAM
        && reaches(w.t.flow_accumulation_log[i], w.p.game_trails.stream_endpoint_accum_threshold)
}

/// A ridge end point.
fn is_ridge_node(w: &World, i: usize) -> bool {
    w.t.landform[i] == RIDGE && below(w.t.slope[i], w.p.game_trails.ridge_endpoint_max_slope)
}

/// Whether a trail may pass.
pub(super) fn is_open_ground(w: &World, i: usize) -> bool {
    w.t.water_class[i] != LAKE && w.playable(i)
}

/// An end point of either kind.
pub(super) fn is_end(w: &World, i: usize) -> bool {
    is_water_node(w, i) || is_ridge_node(w, i)
}

/// How many seeds the map has.
pub(super) fn seed_count(w: &World) -> usize {
    let side = |size: usize| size as f64 - 2.0 * w.p.inset() as f64;
    let area = (side(w.t.columns) * side(w.t.rows)).max(0.0);
    match w.p.game_trails.seed_tiles_per_trail {
        0.0 => 0,
        tiles => (area / tiles).floor().max(1.0) as usize,
    }
}

/// The seeds of trails: those that are surely taken, and the cells that may be one.
pub(super) struct Seeds {
    /// Those that are surely taken, best first.
    pub(super) sure: Vec<usize>,
    /// All cells that may be one.
    pub(super) possible: BTreeSet<usize>,
}

/// Scores that differ by less may be ranked either way.
const SCORE_SLACK: f64 = 1e-6;

impl Seeds {
    /// Ranks the candidates.
    pub(super) fn new(w: &World) -> Self {
        let (t, cap) = (&w.t, w.p.game_trails.water_seed_max_dist);
        let steps = w.steps_to_water(cap);
        let score = |i: usize| {
            let (firm, moist, slope) = (t.firmness[i] as f64, t.moisture[i] as f64, t.slope[i] as f64);
            0.35 * math::clamp01((firm - 0.35) / 0.65)
                + 0.25 * math::clamp01(1.0 - (moist - 0.55).abs() / 0.55)
                + 0.20 * math::clamp01(1.0 - slope / 0.25)
                + 0.20 * math::clamp01(1.0 - steps[i] / cap)
        };
        let candidate =
            |&i: &usize| is_open_ground(w, i) && below(t.moisture[i], 0.92) && below(t.slope[i], 0.30);
        let mut ranked: Vec<(f64, usize)> = (0..w.len()).filter(candidate).map(|i| (score(i), i)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let count = seed_count(w);
        let last_in = match count {
            0 => f64::INFINITY,
            count => ranked.get(count - 1).map_or(f64::NEG_INFINITY, |r| r.0 - SCORE_SLACK),
        };
        let first_out = ranked.get(count).map_or(f64::NEG_INFINITY, |r| r.0 + SCORE_SLACK);
        let sure = ranked.iter().filter(|r| r.0 > first_out).map(|r| r.1).collect();
        Self { sure, possible: ranked.iter().filter(|r| r.0 >= last_in).map(|r| r.1).collect() }
    }
}

/// The nearest cell where `source` holds, by steps and then by row and column, for every cell.
fn nearest(w: &World, source: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
    let distance = w.distance(&source);
    let mut order: Vec<usize> = (0..w.len()).filter(|&i| distance[i] < u32::MAX).collect();
    order.sort_by_key(|&i| distance[i]);
    let mut best: Vec<Option<usize>> = vec![None; w.len()];
    for i in order {
        if distance[i] == 0 {
            best[i] = Some(i);
            continue;
        }
        // The first step towards a nearest source always leads to a cell that is one step nearer.
        w.around(i, |_, n| {
            if distance[n] + 1 == distance[i] {
                best[i] = [best[i], best[n]].into_iter().flatten().min();
            }
        });
    }
    best
}

/// The routes that must exist: (seed, end point). Tiles whose cost reaches INF are treated as closed here, though a search may
/// enter them: what is left can be reached in any case.
pub(super) fn sure_routes(w: &World, seeds: &Seeds, cost: &[f64]) -> Result<Vec<(usize, usize)>> {
    let (ground, _) = w.pieces(|i| cost[i] < w.p.game_trails.inf)?;
    let ends = [nearest(w, |i| is_water_node(w, i)), nearest(w, |i| is_ridge_node(w, i))];
    let mut routes = Vec::new();
    for &s in seeds.sure.iter().filter(|&&s| ground[s] > 0) {
        let reached = ends.iter().filter_map(|e| e[s]).filter(|&e| ground[e] == ground[s]);
        routes.extend(reached.map(|e| (s, e)));
    }
    Ok(routes)
}

/// The cost field C of 10.2.3, infinite where there is no way.
pub(super) fn trail_cost_field(w: &World) -> Vec<f64> {
    let (t, p) = (&w.t, &w.p.game_trails);
    let to_stream = w.distance(|i| t.water_class[i] == STREAM);
    let cost = |i: usize| {
        let slope = p.w_slope * math::clamp01(t.slope[i] as f64 / p.slope_scale);
        let wet = p.w_moist * math::clamp01((t.moisture[i] as f64 - p.moist_start) / (1.0 - p.moist_start));
        let steps = f64::from(to_stream[i]).min(p.stream_prox_max_dist);
        let near = -p.w_stream_prox * math::clamp01(1.0 - steps / p.stream_prox_max_dist);
        let ridge = if t.landform[i] == RIDGE { -p.w_ridge } else { 0.0 };
        let water = match t.water_class[i] {
            STREAM => p.w_cross,
            MARSH => p.w_marsh,
            _ => 0.0,
        };
        1.0 + slope + wet + p.w_obs * t.obstruction[i] as f64 + water + ridge + near
    };
    (0..w.len()).map(|i| if is_open_ground(w, i) { cost(i) } else { f64::INFINITY }).collect()
}

/// Cheapest ways by Dijkstra's algorithm, with arrays that are used again from route to route.
pub(super) struct Ways<'a> {
    w: &'a World,
    cost: &'a [f64],
    so_far: Vec<f64>,
    touched: Vec<usize>,
}

impl<'a> Ways<'a> {
    /// Ways over a cost field.
    pub(super) fn new(w: &'a World, cost: &'a [f64]) -> Self {
        Self { w, cost, so_far: vec![f64::INFINITY; w.len()], touched: Vec::new() }
    }

    /// The cost of the cheapest path over cells where `open` holds. That of the first cell is not counted.
    pub(super) fn cheapest(&mut self, from: usize, to: usize, open: impl Fn(usize) -> bool) -> Option<f64> {
        self.touched.drain(..).for_each(|i| self.so_far[i] = f64::INFINITY);
        let mut heap = BinaryHeap::from([(Reverse(0u64), from)]);
        self.so_far[from] = 0.0;
        self.touched.push(from);
        while let Some((Reverse(bits), i)) = heap.pop() {
            // Costs are not negative, so their bits are in their order.
            let here = f64::from_bits(bits);
            if i == to {
                return Some(here);
            }
            if here > self.so_far[i] {
                continue;
            }
            self.w.around(i, |d, n| {
                let far = if d.is_diagonal() { self.w.p.game_trails.diag_weight } else { 1.0 };
                let there = here + self.cost[n] * far;
                if there < self.so_far[n] && open(n) {
                    self.so_far[n] = there;
                    self.touched.push(n);
                    heap.push((Reverse(there.to_bits()), n));
                }
            });
        }
        None
    }
}
