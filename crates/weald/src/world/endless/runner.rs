//! A runner's speed over the ground, and the time of a leg of a course.

use super::kinds::Terrain;
use super::map::Map;
use super::params::REACH_M;
use super::place::Endless;
use super::placed::Place;
use super::window::Window;
use crate::error::{Error, Result};
use weald_core::Ctx;
use weald_core::path::{self, Move, StepCost};
use weald_core::waves::round;

/// Distance over which the slope ahead is measured.
pub const LOOK_AHEAD_M: f64 = 10.0;

/// Greatest speed of a runner, downhill, as a share of the speed on level, open ground.
pub const FASTEST: f64 = 1.2;

/// Share of full speed on a surface; 0 for a building, which cannot be entered.
pub fn ground_speed(surface: u8) -> f64 {
    match Terrain::of_code(surface) {
        Some(Terrain::Moor | Terrain::Stream) => 0.5,
        Some(Terrain::Thicket | Terrain::Marsh | Terrain::Mud | Terrain::Lake) => 0.2,
        Some(Terrain::Building) | None => 0.0,
        Some(_) => 1.0,
    }
}

/// Climbs and descents over the 10 m ahead, in height units, from which a runner has a share of full speed. Later entries
/// override earlier ones.
const CLIMBS: [(f64, f64); 3] = [(10.0, 0.5), (20.0, 0.2), (30.0, 0.1)];
const DESCENTS: [(f64, f64); 3] = [(10.0, 1.2), (20.0, 0.5), (30.0, 0.2)];

/// Share of full speed on a slope, by the climb over the 10 m ahead in height units.
#[inline(always)]
pub fn slope_speed(climb: f64) -> f64 {
    let mut share = 1.0;
    // Without branches, so that rows of it vectorise.
    for (over, slower) in CLIMBS {
        share = if climb > over { slower } else { share };
    }
    for (over, faster) in DESCENTS {
        share = if climb < -over { faster } else { share };
    }
    share
}

/// A route from one place to another, with its length, climb and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// Whole places from the start to the end; for the straight route only its two ends.
    pub places: Vec<Place>,
    /// Length over the map.
    pub length_m: f64,
    /// Total climb, in height units.
    pub climb: f64,
    /// Time in seconds; `None` if it leads through a building.
    pub seconds: Option<f64>,
}

/// The straight and the fastest route between two places.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// The straight route.
    pub direct: Way,
    /// The fastest route within the window, never slower than the straight one. `None` if there is no route at all.
    pub best: Option<Way>,
}

impl Endless {
    /// The window in which the route between two places is searched for: both of them, and `margin` metres around. Fails for
    /// places beyond [`REACH_M`].
    pub fn leg_window(&self, from: Place, to: Place, margin: u32) -> Result<Window> {
        let inside = |v: i64| (-REACH_M..=REACH_M).contains(&v);
        if ![from.0, from.1, to.0, to.1].into_iter().all(inside) {
            let message = format!("the places of a leg must lie between -{REACH_M} and {REACH_M}");
            return Err(Error::Invalid(message));
        }
        let (margin, within) = (i64::from(margin), |v: i64| v.clamp(-REACH_M, REACH_M));
        let (west, east) = (within(from.0.min(to.0) - margin), within(from.0.max(to.0) + margin));
        let (south, north) = (within(from.1.min(to.1) - margin), within(from.1.max(to.1) + margin));
        Ok(Window { west, north, width: (east - west + 1) as usize, height: (north - south + 1) as usize })
    }
}

impl StepCost for Map {
    fn shape(&self) -> (usize, usize) {
        (self.window.width, self.window.height)
    }

    fn least(&self) -> f64 {
        1.0 / (FASTEST * self.world.params().runner.speed_m_s)
    }

    fn open(&self, cell: (usize, usize)) -> bool {
        ground_speed(self.surface[cell]) > 0.0
    }

    fn cost(&self, cell: (usize, usize), m: &Move) -> f64 {
        let unit = (m.step.0 as f64 / m.length, -m.step.1 as f64 / m.length);
        m.length / self.speed_towards(cell, unit)
    }
}

impl Map {
    /// Metres per second at a cell towards (dx, dy), a vector of length 1, x east and y north. 0 in a building.
    fn speed_towards(&self, cell: (usize, usize), (dx, dy): (f64, f64)) -> f64 {
        let (x, y) = self.window.place(cell.0, cell.1);
        let level = self.world.water_level();
        let height =
            |ahead: f64| self.world.ground_height(x as f64 + dx * ahead, y as f64 + dy * ahead).max(level);
        let climb = height(LOOK_AHEAD_M) - height(0.0);
        ground_speed(self.surface[cell]) * slope_speed(climb) * self.world.params().runner.speed_m_s
    }

    /// The straight route, metre by metre, and the fastest route along 16 directions from cell to cell.
    pub fn leg(&self, from: Place, to: Place, ctx: &Ctx) -> Result<Leg> {
        let inside = |place: Place| {
            self.window.cell(place).ok_or_else(|| {
                Error::Invalid(format!(
                    "{},{}: is outside the window; make the window larger",
                    place.0, place.1
                ))
            })
        };
        let (start, goal) = (inside(from)?, inside(to)?);
        let direct = self.straight(from, to);
        let routed = path::least_cost(self, start, goal, ctx)?.map(|cells| self.along(&cells));
        let best = match (routed, direct.seconds) {
            (Some(found), Some(straight)) if found.seconds.is_none_or(|s| s >= straight) => {
                Some(direct.clone())
            }
            (None, Some(_)) => Some(direct.clone()),
            (found, _) => found,
        };
        Ok(Leg { direct, best })
    }

    /// The time of running straight from one place to another, in pieces of about a metre.
    fn straight(&self, from: Place, to: Place) -> Way {
        let (dx, dy) = ((to.0 - from.0) as f64, (to.1 - from.1) as f64);
        let length = (dx * dx + dy * dy).sqrt();
        let climb = self.climb(from, to);
        let mut way = Way { places: vec![from, to], length_m: length, climb, seconds: Some(0.0) };
        let pieces = length.ceil();
        for k in 0..pieces as i64 {
            let t = (k as f64 + 0.5) / pieces;
            let place = (from.0 + round(dx * t), from.1 + round(dy * t));
            let speed = self
                .window
                .cell(place)
                .map_or(0.0, |cell| self.speed_towards(cell, (dx / length, dy / length)));
            way.seconds = way.seconds.filter(|_| speed > 0.0).map(|s| s + length / pieces / speed);
        }
        way
    }

    /// The climb of a straight line from one place to another, in pieces of about a metre.
    fn climb(&self, from: Place, to: Place) -> f64 {
        let (dx, dy) = ((to.0 - from.0) as f64, (to.1 - from.1) as f64);
        let pieces = (dx * dx + dy * dy).sqrt().ceil();
        let level = self.world.water_level();
        let height = |k: i64| {
            let t = k as f64 / pieces;
            self.world.ground_height(from.0 as f64 + dx * t, from.1 as f64 + dy * t).max(level)
        };
        (0..pieces as i64).fold(0.0, |sum, k| sum + (height(k + 1) - height(k)).max(0.0))
    }

    /// The time of a route from cell to cell, as the search computes it.
    fn along(&self, cells: &[(usize, usize)]) -> Way {
        let places: Vec<Place> = cells.iter().map(|&(column, row)| self.window.place(column, row)).collect();
        let mut way = Way { places: Vec::new(), length_m: 0.0, climb: 0.0, seconds: Some(0.0) };
        for (ends, cells) in places.windows(2).zip(cells.windows(2)) {
            let step = (cells[1].0 as i64 - cells[0].0 as i64, cells[1].1 as i64 - cells[0].1 as i64);
            let m = path::MOVES.iter().find(|m| m.step == step).expect("a route is made of moves");
            way.length_m += m.length;
            way.climb += self.climb(ends[0], ends[1]);
            way.seconds = way.seconds.map(|s| s + self.cost(cells[0], m));
        }
        way.places = places;
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_those_of_the_decisions() {
        assert_eq!([35.0, 25.0, 15.0, 10.0].map(slope_speed), [0.1, 0.2, 0.5, 1.0]);
        assert_eq!([-35.0, -25.0, -15.0, -10.0].map(slope_speed), [0.2, 0.5, 1.2, 1.0]);
        assert_eq!(ground_speed(Terrain::Thicket as u8), 0.2);
        assert_eq!(ground_speed(Terrain::Building as u8), 0.0);
    }
}
