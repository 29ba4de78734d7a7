//! Roads that start at cones and follow the contours.

use super::kinds::Feature;
use super::place::Endless;
use super::placed::{Place, ROAD_HALF_M};
use super::shape::Strip;
use super::window::Window;
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::ops::Range;
use std::sync::Arc;
use weald_core::{Cancelled, Ctx, math, par};

/// Length of a step.
const STEP_M: f64 = 10.0;
/// Points of a branch at most, its start included.
const MOST_POINTS: usize = 100;
/// How far a road can reach from its start: its steps and half its width.
pub const ROAD_REACH_M: i64 = 1000;
/// How much a road may turn at a step, in radians.
const TURN: f64 = 0.09;
/// Steps over water that a bridge can span: 60 m.
const BRIDGE_STEPS: usize = 6;
/// Parts of a step that must be dry where no bridges are built.
const QUARTERS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];
/// Side of the squares that are searched for starts.
const SQUARE_M: i64 = 500;
/// Branches from which on their surroundings are searched in one piece.
const MANY_BRANCHES: usize = 16;
/// Parts per bounding box; boxes rule out distant parts quickly.
const BOX_PARTS: usize = 10;

/// How a branch of a road ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoadEnd {
    /// At another start's road.
    Road,
    /// At water too wide for a bridge.
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
    /// Index among the branches of its start.
    pub branch: usize,
    /// Metres east and north of the start, beginning with (0, 0).
    pub points: Vec<(f64, f64)>,
    /// Parts that are bridges, one range per bridge.
    pub bridges: Vec<Range<usize>>,
    /// How it ends.
    pub end: RoadEnd,
}

impl Road {
    /// Its straight parts.
    pub(super) fn strips(&self) -> impl Iterator<Item = Strip> + '_ {
        self.points.windows(2).map(|ends| Strip {
            origin: self.start,
            from: ends[0],
            to: ends[1],
            half_m: ROAD_HALF_M,
        })
    }

    /// The road up to a share of one of its parts, with the bridges that still have a point over water.
    fn cut(&self, part: usize, along: f64, wet: impl Fn((f64, f64)) -> bool) -> Self {
        let mut road = self.clone();
        let (a, b) = (road.points[part], road.points[part + 1]);
        road.points.truncate(part + 1);
        if along > 0.0 {
            road.points.push((a.0 + (b.0 - a.0) * along, a.1 + (b.1 - a.1) * along));
        }
        let parts = road.points.len() - 1;
        road.bridges.retain(|b| b.start < parts);
        road.bridges.iter_mut().for_each(|b| b.end = b.end.min(parts));
        let points = &road.points;
        road.bridges.retain(|b| points[b.start..=b.end].iter().any(|&at| wet(at)));
        road.end = RoadEnd::Road;
        road
    }
}

impl Endless {
    /// Roads that reach into a window, by their starts from north to south and west to east.
    ///
    /// All roads grow at once, a step at a time, and a branch ends where another start's road already is: one that got there
    /// in fewer steps, or in as many but whose start comes first by a hash of its place. So what a road does depends on
    /// earlier steps of roads around it alone, never on the window, and every road that ends at a road ends at one that is
    /// there. Only what matters is followed. Reach: not fixed; 3 km is usual. In the original world no road starts
    /// beyond |x·y| of 2.9·10¹¹, where no bits of π·10000·x·y are left.
    pub fn roads(&self, window: &Window, ctx: &Ctx) -> Result<Vec<Road>, Cancelled> {
        self.roads_of(&mut Network::new(self), window, ctx)
    }

    /// [`Endless::roads`] with what is known of the roads from earlier questions to the same world.
    pub(super) fn roads_of(
        &self,
        network: &mut Network,
        window: &Window,
        ctx: &Ctx,
    ) -> Result<Vec<Road>, Cancelled> {
        if !self.params.roads || self.params.bleak {
            return Ok(Vec::new());
        }
        let near = window.grown(ROAD_REACH_M + ROAD_HALF_M as i64 + 1);
        network.explore(near.bounds(), ctx)?;
        let mut starts: Vec<usize> = Network::squares_of(near.bounds())
            .flat_map(|s| network.squares[&s].iter().copied())
            .filter(|&i| near.cell(network.starts[i].place).is_some())
            .collect();
        starts.sort_unstable_by_key(|&i| (-network.starts[i].place.1, network.starts[i].place.0));
        let [west, east, south, north] = window.grown(ROAD_HALF_M as i64 + 1).bounds();
        let within = |r: &Road| {
            r.points.windows(2).any(|ends| {
                let beside = |a: f64, b: f64, origin: i64, low: i64, high: i64| {
                    a.max(b) < (low - origin) as f64 || a.min(b) > (high - origin) as f64
                };
                !beside(ends[0].0, ends[1].0, r.start.0, west, east)
                    && !beside(ends[0].1, ends[1].1, r.start.1, south, north)
            })
        };
        // A branch that is out of the way at its full length need not be built.
        let branches: Vec<BranchId> = starts
            .into_iter()
            .flat_map(|start| (0..network.starts[start].branches.len()).map(move |branch| (start, branch)))
            .filter(|id| within(&network.starts[id.0].branches[id.1].road))
            .collect();
        if branches.len() > MANY_BRANCHES {
            // Most of them end soon and look no further than this, which is found faster in one piece.
            network.explore(near.grown(SQUARE_M).bounds(), ctx)?;
        }
        let mut roads = Vec::new();
        for id in branches {
            roads.extend(network.road(id, ctx)?.filter(within));
        }
        Ok(roads)
    }

    /// Follows one branch to a lake, a town or its full length.
    ///
    /// At every step of 10 m the bearing b, b − 0.09 or b + 0.09 with the least change of height is taken, in this order
    /// where they are equal. Before water it goes straight on over at most 60 m, if there is land behind; without
    /// bridges it ends where a quarter of the step is wet.
    fn road_branch(&self, start: Place, branch: usize, bearing: f64) -> Branch {
        let (sx, sy) = (start.0 as f64, start.1 as f64);
        let height = |(x, y): (f64, f64)| self.ground_height(sx + x, sy + y);
        let town = |(x, y): (f64, f64)| self.is_town(sx + x, sy + y);
        let wet = |at| height(at) < self.params.lake_level;
        let ahead = |(x, y): (f64, f64), bearing: f64, steps: f64| {
            let far = STEP_M * steps;
            (x + far * math::sin(bearing), y + far * math::cos(bearing))
        };
        let (mut points, mut bridges, mut bearing) = (vec![(0.0, 0.0)], Vec::new(), bearing);
        let end = loop {
            let here = points[points.len() - 1];
            if points.len() >= MOST_POINTS {
                break RoadEnd::Length;
            }
            let change = |b: f64| (height(ahead(here, b, 1.0)) - height(here)).abs();
            let ways = [bearing, bearing - TURN, bearing + TURN].map(|b| (change(b), b));
            let best = ways.iter().fold(ways[0], |best, &way| if way.0 < best.0 { way } else { best });
            bearing = best.1;
            let steps = match self.params.bridges {
                true => (1..=BRIDGE_STEPS).find(|&k| !wet(ahead(here, bearing, k as f64))),
                false => QUARTERS.iter().all(|&k| !wet(ahead(here, bearing, k))).then_some(1),
            };
            let Some(steps) = steps else { break RoadEnd::Lake };
            if points.len() + steps > MOST_POINTS {
                break RoadEnd::Length;
            }
            if steps > 1 {
                let first = points.len() - 1;
                bridges.push(first..first + steps);
            }
            points.extend((1..=steps).map(|k| ahead(here, bearing, k as f64)));
            if town(points[points.len() - 1]) {
                break RoadEnd::Town;
            }
        };
        Branch::new(Road { start, branch, points, bridges, end })
    }
}

/// A start with its branches at their full length.
#[derive(Debug)]
struct Start {
    place: Place,
    rank: u64,
    branches: Vec<Branch>,
}

impl Start {
    /// (s & 3) + 1 branches, 3 instead of 1, with bearings j·2π/n + 0.01·s, clockwise from north; s is the seed byte of
    /// the place.
    fn new(world: &Endless, place: Place) -> Self {
        let s = world.place_bits(place) & 0xff;
        let n = if s & 3 == 0 { 3 } else { (s & 3) + 1 };
        let bearing = |j: i64| j as f64 * TAU / n as f64 + 0.01 * s as f64;
        let branches = (0..n).map(|j| world.road_branch(place, j as usize, bearing(j))).collect();
        Self { place, rank: world.seed.of("road order").at(place.0, place.1), branches }
    }
}

/// A branch with boxes around its parts, and what is known of its end.
#[derive(Debug)]
struct Branch {
    road: Road,
    /// [west, east, south, north] of every ten parts, from the start.
    boxes: Vec<[f64; 4]>,
    /// Crossings of every ten parts with roads that may be there first; `None` until they are looked for.
    crossings: Vec<Option<Arc<[Crossing]>>>,
    /// Parts that are known to be built, and where the next one ends if it ends there.
    built: usize,
    ended: Option<(usize, f64)>,
}

/// Where a part of one branch crosses a part of another.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    part: usize,
    along: f64,
    other: BranchId,
    other_part: usize,
    other_along: f64,
}

/// Number of the start, and of the branch.
type BranchId = (usize, usize);

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
        let boxes: Vec<[f64; 4]> = (0..last)
            .step_by(BOX_PARTS)
            .map(|first| bounds(&road.points[first..=(first + BOX_PARTS).min(last)]))
            .collect();
        let crossings = vec![None; boxes.len()];
        Self { road, boxes, crossings, built: 0, ended: None }
    }

    /// Numbers of the parts in a box.
    fn parts(&self, number: usize) -> Range<usize> {
        number * BOX_PARTS..((number + 1) * BOX_PARTS).min(self.road.points.len() - 1)
    }

    fn part(&self, i: usize) -> Segment {
        (self.road.points[i], self.road.points[i + 1])
    }
}

/// The roads that had to be followed so far. Starts are found and branches traced square by square, and a branch is built
/// only as far as somebody asks.
#[derive(Debug)]
pub(super) struct Network {
    /// Without placed things: a cone that was moved moves no road.
    world: Endless,
    starts: Vec<Start>,
    /// Starts by square of [`SQUARE_M`].
    squares: BTreeMap<Place, Vec<usize>>,
}

impl Network {
    pub(super) fn new(world: &Endless) -> Self {
        Self { world: world.without_placed(), starts: Vec::new(), squares: BTreeMap::new() }
    }

    /// Number of starts that are known.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Squares of [west, east, south, north].
    fn squares_of([west, east, south, north]: [i64; 4]) -> impl Iterator<Item = Place> {
        let side = |v: i64| v.div_euclid(SQUARE_M);
        (side(south)..=side(north)).flat_map(move |y| (side(west)..=side(east)).map(move |x| (x, y)))
    }

    /// Finds all starts of some squares.
    fn explore(&mut self, bounds: [i64; 4], ctx: &Ctx) -> Result<(), Cancelled> {
        let new: Vec<Place> = Self::squares_of(bounds).filter(|s| !self.squares.contains_key(s)).collect();
        let found = par::map(new.len(), ctx, |i| {
            let (west, north) = (new[i].0 * SQUARE_M, (new[i].1 + 1) * SQUARE_M - 1);
            let window = Window { west, north, width: SQUARE_M as usize, height: SQUARE_M as usize };
            let cones = self.world.find(&window, |f| f == Feature::Cone, ctx)?;
            let starts =
                cones.into_iter().map(|(place, _)| place).filter(|&place| self.world.has_bits(place));
            Ok(starts.map(|place| Start::new(&self.world, place)).collect::<Vec<_>>())
        })?;
        for (square, starts) in new.into_iter().zip(found) {
            let first = self.starts.len();
            self.starts.extend(starts?);
            self.squares.insert(square, (first..self.starts.len()).collect());
        }
        Ok(())
    }

    /// A branch as it is in the end; none if it has no length.
    fn road(&mut self, id: BranchId, ctx: &Ctx) -> Result<Option<Road>, Cancelled> {
        self.build(id, MOST_POINTS, ctx)?;
        let branch = &self.starts[id.0].branches[id.1];
        let road = match branch.ended {
            Some((part, along)) => {
                let (x, y) = (branch.road.start.0 as f64, branch.road.start.1 as f64);
                let level = self.world.params.lake_level;
                branch.road.cut(part, along, |at| self.world.ground_height(x + at.0, y + at.1) < level)
            }
            None => branch.road.clone(),
        };
        Ok((road.points.len() > 1).then_some(road))
    }

    /// Builds the first `parts` parts of a branch, as far as no other road is in the way.
    ///
    /// A part gives way to parts of a smaller number, and to those of the same number of starts before its own. Both
    /// come earlier in one order of all parts, so this ends.
    fn build(&mut self, id: BranchId, parts: usize, ctx: &Ctx) -> Result<(), Cancelled> {
        loop {
            let (start, branch) = (&self.starts[id.0], &self.starts[id.0].branches[id.1]);
            let (part, rank) = (branch.built, start.rank);
            if branch.ended.is_some() || part >= parts || part + 1 >= branch.road.points.len() {
                return Ok(());
            }
            let mut ended = None;
            for crossing in self.crossings(id, part / BOX_PARTS, ctx)?.iter().filter(|c| c.part == part) {
                let other = (crossing.other_part, self.starts[crossing.other.0].rank);
                if other < (part, rank) && self.is_built(crossing, ctx)? {
                    ended = Some((part, crossing.along));
                    break;
                }
            }
            let branch = &mut self.starts[id.0].branches[id.1];
            branch.built += 1;
            branch.ended = ended;
        }
    }

    /// Whether the other road gets as far as the crossing.
    fn is_built(&mut self, crossing: &Crossing, ctx: &Ctx) -> Result<bool, Cancelled> {
        self.build(crossing.other, crossing.other_part + 1, ctx)?;
        let other = &self.starts[crossing.other.0].branches[crossing.other.1];
        Ok(other.ended.is_none_or(|end| end >= (crossing.other_part, crossing.other_along)))
    }

    /// Crossings of ten parts of a branch with parts of other starts that have no greater number, in order.
    fn crossings(&mut self, id: BranchId, number: usize, ctx: &Ctx) -> Result<Arc<[Crossing]>, Cancelled> {
        if let Some(known) = &self.starts[id.0].branches[id.1].crossings[number] {
            return Ok(Arc::clone(known));
        }
        ctx.checkpoint()?;
        let (x, y) = self.starts[id.0].place;
        // Both roads have come at most this far.
        let far = 2 * (number as i64 + 1) * BOX_PARTS as i64 * STEP_M as i64;
        let bounds = [x - far, x + far, y - far, y + far];
        self.explore(bounds, ctx)?;
        let mut found = Vec::new();
        let others = Self::squares_of(bounds).flat_map(|square| &self.squares[&square]);
        let mine = &self.starts[id.0].branches[id.1];
        for &other in others.filter(|&&other| other != id.0) {
            let place = self.starts[other].place;
            if (place.0 - x).abs() > far || (place.1 - y).abs() > far {
                continue;
            }
            let shift = ((place.0 - x) as f64, (place.1 - y) as f64);
            for (branch, theirs) in self.starts[other].branches.iter().enumerate() {
                meetings(mine, number, theirs, shift, |(part, along), (other_part, other_along)| {
                    found.push(Crossing { part, along, other: (other, branch), other_part, other_along });
                });
            }
        }
        let places = |c: &Crossing| (self.starts[c.other.0].rank, self.starts[c.other.0].place, c.other.1);
        found.sort_by(|a, b| {
            a.part.cmp(&b.part).then(a.along.total_cmp(&b.along)).then_with(|| places(a).cmp(&places(b)))
        });
        let found: Arc<[Crossing]> = found.into();
        self.starts[id.0].branches[id.1].crossings[number] = Some(Arc::clone(&found));
        Ok(found)
    }
}

/// Where the parts of one box of a branch cross parts of another with no greater number, whose start lies at `shift`: both
/// parts, with the share of their length.
fn meetings(
    mine: &Branch,
    number: usize,
    theirs: &Branch,
    shift: (f64, f64),
    mut found: impl FnMut((usize, f64), (usize, f64)),
) {
    let a = &mine.boxes[number];
    for (j, b) in theirs.boxes.iter().enumerate().take(number + 1) {
        let apart =
            a[0] > b[1] + shift.0 || a[1] < b[0] + shift.0 || a[2] > b[3] + shift.1 || a[3] < b[2] + shift.1;
        if apart {
            continue;
        }
        for part in mine.parts(number) {
            for other in theirs.parts(j).take_while(|&other| other <= part) {
                let (from, to) = theirs.part(other);
                let moved = |p: (f64, f64)| (p.0 + shift.0, p.1 + shift.1);
                if let Some((s, t)) = crossing(mine.part(part), (moved(from), moved(to))) {
                    found((part, s), (other, t));
                }
            }
        }
    }
}

/// From one point to another.
type Segment = ((f64, f64), (f64, f64));

/// Where two straight parts cross, as shares of their lengths.
fn crossing(a: Segment, b: Segment) -> Option<(f64, f64)> {
    let (ux, uy) = (a.1.0 - a.0.0, a.1.1 - a.0.1);
    let (vx, vy) = (b.1.0 - b.0.0, b.1.1 - b.0.1);
    let (wx, wy) = (b.0.0 - a.0.0, b.0.1 - a.0.1);
    let cross = ux * vy - uy * vx;
    if cross == 0.0 {
        return None;
    }
    let (s, t) = ((wx * vy - wy * vx) / cross, (wx * uy - wy * ux) / cross);
    ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)).then_some((s, t))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_found_where_they_are() {
        let flat = ((0.0, 0.0), (10.0, 0.0));
        assert_eq!(crossing(flat, ((5.0, -5.0), (5.0, 15.0))), Some((0.5, 0.25)));
        assert_eq!(crossing(flat, ((5.0, 1.0), (5.0, 5.0))), None);
        assert_eq!(crossing(flat, ((0.0, 1.0), (10.0, 1.0))), None);
    }
}
