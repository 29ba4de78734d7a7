//! Roads that start at cones and keep their height.

use super::kinds::Feature;
use super::place::{Endless, TOWN_BELOW};
use super::placed::{Place, ROAD_HALF_M};
use super::shape::Strip;
use super::window::Window;
use std::f64::consts::TAU;
use weald_core::{Cancelled, Ctx, math, par};

/// Length of a step.
const STEP_M: f64 = 10.0;
/// Points of a branch at the most, its start included.
const MOST_POINTS: usize = 100;
/// How far a road can get from its start: its steps and half its width.
pub const ROAD_REACH_M: i64 = 1000;
/// How much a road may turn at a step, in radians.
const TURN: f64 = 0.09;
/// Steps over water that a bridge can span: 60 m.
const BRIDGE_STEPS: usize = 6;
/// Points in a box by which far parts of branches are told apart quickly.
const BOX_POINTS: usize = 10;

/// How a branch of a road ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoadEnd {
    /// At another start's road.
    Road,
    /// At water too broad for a bridge.
    Lake,
    /// In a town.
    Town,
    /// After 100 points.
    Length,
}

impl RoadEnd {
    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            RoadEnd::Road => "road",
            RoadEnd::Lake => "lake",
            RoadEnd::Town => "town",
            RoadEnd::Length => "length",
        }
    }
}

/// One branch of a road.
#[derive(Clone, Debug, PartialEq)]
pub struct Road {
    /// The cone at which it starts.
    pub start: Place,
    /// Which of the branches of its start.
    pub branch: usize,
    /// Metres east and north of the start, beginning with (0, 0).
    pub points: Vec<(f64, f64)>,
    /// For every part between two points, whether it is a bridge.
    pub bridge: Vec<bool>,
    /// How it ends.
    pub end: RoadEnd,
}

impl Road {
    /// Its straight parts, and whether each is a bridge.
    pub(super) fn strips(&self) -> impl Iterator<Item = (Strip, bool)> + '_ {
        self.points.windows(2).zip(&self.bridge).map(|(ends, &bridge)| {
            (Strip { origin: self.start, from: ends[0], to: ends[1], half_m: ROAD_HALF_M }, bridge)
        })
    }
}

impl Endless {
    /// Roads that reach into a window, by their starts from north to south and west to east.
    ///
    /// A branch ends where it meets a branch of a start that comes before its own. The order of starts is that of a hash of
    /// their places, and the branches that stop others are taken at their full length, so what a road does depends on the
    /// starts within 2000 m of its own and on nothing else. Reach: 3006 m.
    pub fn roads(&self, window: &Window, ctx: &Ctx) -> Result<Vec<Road>, Cancelled> {
        if !self.params.roads || self.params.bleak {
            return Ok(Vec::new());
        }
        let near = window.grown(ROAD_REACH_M + ROAD_HALF_M as i64 + 1);
        let starts = self.find(&near.grown(2 * ROAD_REACH_M), |f| f == Feature::Cone, ctx)?;
        let whole = par::map(starts.len(), ctx, |i| Start::new(self, starts[i].0))?;
        let cut = par::map(whole.len(), ctx, |i| {
            let start = &whole[i];
            near.cell(start.place).map_or_else(Vec::new, |_| {
                let before: Vec<&Start> = whole.iter().filter(|o| o.comes_before(start)).collect();
                start.branches.iter().map(|b| b.cut(&before)).collect::<Vec<_>>()
            })
        })?;
        let [west, east, south, north] = window.grown(ROAD_HALF_M as i64 + 1).bounds();
        let within = |r: &Road| {
            r.points.iter().any(|&(x, y)| {
                let (x, y) = (r.start.0 + x.floor() as i64, r.start.1 + y.floor() as i64);
                let margin = STEP_M as i64;
                x >= west - margin && x <= east + margin && y >= south - margin && y <= north + margin
            })
        };
        Ok(cut.into_iter().flatten().filter(within).collect())
    }

    /// Follows one branch to a lake, a town or its full length.
    ///
    /// At every step of 10 m the bearing b, b − 0.09 or b + 0.09 with the least change of height is taken, in this order
    /// where they are equal. Before water it goes straight on over at most 60 m, if there is land behind.
    fn road_branch(&self, start: Place, branch: usize, bearing: f64) -> Branch {
        let (sx, sy) = (start.0 as f64, start.1 as f64);
        let height = |(x, y): (f64, f64)| self.ground_height(sx + x, sy + y);
        let town = |(x, y): (f64, f64)| {
            !self.params.wood_only && self.town.steps([sx + x, sy + y, 0.0]) < TOWN_BELOW
        };
        let wet = |at| height(at) < self.params.lake_level;
        let ahead = |(x, y): (f64, f64), bearing: f64, steps: usize| {
            let far = STEP_M * steps as f64;
            (x + far * math::sin(bearing), y + far * math::cos(bearing))
        };
        let (mut points, mut bridge, mut bearing) = (vec![(0.0, 0.0)], Vec::new(), bearing);
        let end = loop {
            let here = points[points.len() - 1];
            if points.len() >= MOST_POINTS {
                break RoadEnd::Length;
            }
            let change = |b: f64| (height(ahead(here, b, 1)) - height(here)).abs();
            let ways = [bearing, bearing - TURN, bearing + TURN].map(|b| (change(b), b));
            let best = ways.iter().fold(ways[0], |best, &way| if way.0 < best.0 { way } else { best });
            bearing = best.1;
            let Some(steps) = (1..=BRIDGE_STEPS).find(|&k| !wet(ahead(here, bearing, k))) else {
                break RoadEnd::Lake;
            };
            if points.len() + steps > MOST_POINTS {
                break RoadEnd::Length;
            }
            for k in 1..=steps {
                points.push(ahead(here, bearing, k));
                bridge.push(steps > 1);
            }
            if town(points[points.len() - 1]) {
                break RoadEnd::Town;
            }
        };
        Branch::new(Road { start, branch, points, bridge, end })
    }
}

/// A start with its branches at their full length.
struct Start {
    place: Place,
    rank: u64,
    branches: Vec<Branch>,
}

impl Start {
    /// (s & 3) + 1 branches, 3 in the stead of 1, with bearings j·2π/n + 0.01·s, clockwise from north; s is the seed byte of
    /// the place.
    fn new(world: &Endless, place: Place) -> Self {
        let s = world.place_bits(place) & 0xff;
        let n = if s & 3 == 0 { 3 } else { (s & 3) + 1 };
        let bearing = |j: i64| j as f64 * TAU / n as f64 + 0.01 * s as f64;
        let branches = (0..n).map(|j| world.road_branch(place, j as usize, bearing(j))).collect();
        Self { place, rank: world.seed.of("road order").at(place.0, place.1), branches }
    }

    /// Whether its roads stop those of another start, which is near enough to meet them.
    fn comes_before(&self, other: &Start) -> bool {
        let far = 2 * ROAD_REACH_M;
        let near = (self.place.0 - other.place.0).abs() <= far && (self.place.1 - other.place.1).abs() <= far;
        near && (self.rank, self.place) < (other.rank, other.place)
    }
}

/// A branch with boxes around its parts.
struct Branch {
    road: Road,
    /// [west, east, south, north] of every ten parts, from the start.
    boxes: Vec<[f64; 4]>,
}

impl Branch {
    fn new(road: Road) -> Self {
        let bounds = |points: &[(f64, f64)]| {
            points
                .iter()
                .fold([f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY], |b, p| {
                    [b[0].min(p.0), b[1].max(p.0), b[2].min(p.1), b[3].max(p.1)]
                })
        };
        let last = road.points.len() - 1;
        let boxes = (0..last)
            .step_by(BOX_POINTS)
            .map(|first| bounds(&road.points[first..=(first + BOX_POINTS).min(last)]))
            .collect();
        Self { road, boxes }
    }

    /// The branch up to where it first meets a branch of one of `before`.
    fn cut(&self, before: &[&Start]) -> Road {
        let mut first: Option<(usize, f64)> = None;
        for start in before {
            let shift =
                ((start.place.0 - self.road.start.0) as f64, (start.place.1 - self.road.start.1) as f64);
            for other in &start.branches {
                for meeting in self.meetings(other, shift) {
                    first = Some(first.map_or(meeting, |f| if meeting < f { meeting } else { f }));
                }
            }
        }
        let mut road = self.road.clone();
        if let Some((part, along)) = first {
            let (a, b) = (road.points[part], road.points[part + 1]);
            road.points.truncate(part + 1);
            road.points.push((a.0 + (b.0 - a.0) * along, a.1 + (b.1 - a.1) * along));
            road.bridge.truncate(part + 1);
            road.end = RoadEnd::Road;
        }
        road
    }

    /// Where parts of this branch cross parts of another, whose start lies at `shift`: (part, share of its length).
    fn meetings(&self, other: &Branch, shift: (f64, f64)) -> Vec<(usize, f64)> {
        let mut out = Vec::new();
        for (i, a) in self.boxes.iter().enumerate() {
            for (j, b) in other.boxes.iter().enumerate() {
                let apart = a[0] > b[1] + shift.0
                    || a[1] < b[0] + shift.0
                    || a[2] > b[3] + shift.1
                    || a[3] < b[2] + shift.1;
                if apart {
                    continue;
                }
                for part in i * BOX_POINTS..((i + 1) * BOX_POINTS).min(self.road.points.len() - 1) {
                    for theirs in j * BOX_POINTS..((j + 1) * BOX_POINTS).min(other.road.points.len() - 1) {
                        let moved = |k: usize| {
                            let p = other.road.points[k];
                            (p.0 + shift.0, p.1 + shift.1)
                        };
                        let mine = (self.road.points[part], self.road.points[part + 1]);
                        if let Some(along) = crossing(mine, (moved(theirs), moved(theirs + 1))) {
                            out.push((part, along));
                        }
                    }
                }
            }
        }
        out
    }
}

/// Where on `a` the two straight parts cross, as a share of its length.
fn crossing(a: ((f64, f64), (f64, f64)), b: ((f64, f64), (f64, f64))) -> Option<f64> {
    let (ux, uy) = (a.1.0 - a.0.0, a.1.1 - a.0.1);
    let (vx, vy) = (b.1.0 - b.0.0, b.1.1 - b.0.1);
    let (wx, wy) = (b.0.0 - a.0.0, b.0.1 - a.0.1);
    let cross = ux * vy - uy * vx;
    if cross == 0.0 {
        return None;
    }
    let (s, t) = ((wx * vy - wy * vx) / cross, (wx * uy - wy * ux) / cross);
    ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)).then_some(s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_found_where_they_are() {
        assert_eq!(crossing(((0.0, 0.0), (10.0, 0.0)), ((5.0, -5.0), (5.0, 5.0))), Some(0.5));
        assert_eq!(crossing(((0.0, 0.0), (10.0, 0.0)), ((5.0, 1.0), (5.0, 5.0))), None);
        assert_eq!(crossing(((0.0, 0.0), (10.0, 0.0)), ((0.0, 1.0), (10.0, 1.0))), None);
    }
}
