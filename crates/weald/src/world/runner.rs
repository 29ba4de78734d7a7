//! A runner's speed over the ground, and the time of a leg of a course: the straight route and the fastest one. The same rules
//! for every world that implements [`Going`].
//!
//! A step of the search costs its length divided by full speed × [`Footing::share`] of the cell it leaves ×
//! [`slope_speed`] of the climb over the [`LOOK_AHEAD_M`] ahead. Reach: the map of the leg.

use crate::catalogue::explain::{say, say_both};
use crate::catalogue::{Feature, FeatureSet};
use crate::error::{Error, Result};
use crate::style::orienteer::{Course, ink};
use std::fmt;
use weald_core::Ctx;
use weald_core::path::{self, Move, StepCost};
use weald_core::waves::round;

/// Distance over which the slope ahead is measured.
pub const LOOK_AHEAD_M: f64 = 10.0;

/// Greatest speed of a runner, downhill, as a share of the speed on level, open ground.
pub const FASTEST: f64 = 1.2;

/// Speed on level, open ground where a world does not say otherwise, in metres per second.
pub const FULL_SPEED_M_S: f64 = 4.0;

/// Height units in a metre. The document gives no scale; its contours, every 20 units, stand for the 5 m of an orienteering
/// map. Climbs are given in metres by this number, while the speeds of slopes are by height units.
pub const HEIGHT_UNITS_PER_M: f64 = 4.0;

/// A height or depth in height units, in words: "75.68 m".
pub(crate) fn metres(units: f64) -> String {
    format!("{} m", say(units / HEIGHT_UNITS_PER_M))
}

/// Two heights in height units that are compared, in words, with as many digits as it takes to tell them apart.
pub(crate) fn metres_both(a: impl Into<f64>, b: impl Into<f64>) -> (String, String) {
    let (a, b) = say_both(a.into() / HEIGHT_UNITS_PER_M, b.into() / HEIGHT_UNITS_PER_M);
    (format!("{a} m"), format!("{b} m"))
}

/// Cells that the search window of a leg may have unless more are allowed explicitly: a few seconds and less than a gigabyte.
pub const MOST_CELLS: u64 = 4_000_000;

/// Cells of a search window above which a leg takes long enough to say so.
pub const MANY_CELLS: u64 = 1_000_000;

/// Bytes that the search takes for each cell, besides those of the map.
const BYTES_PER_CELL: u64 = 40;

/// Seconds that a cell of a search window takes, at most, on one usual core of 2020.
const SECONDS_PER_CELL: f64 = 2e-6;

/// How a leg is drawn on a map: the lines and points of [`Leg::course_at`].
pub(crate) const COURSE: Course =
    Course { lines: Some("course_route"), points: Some("course"), label: "Course", colour: ink::PURPLE };

/// What the ground allows a runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footing {
    /// Full speed: wood, grass, roads and paving.
    Good,
    /// Half speed: moor, streams.
    Rough,
    /// A fifth: thicket, marsh, mud and water.
    Bad,
    /// Cannot be entered: buildings.
    Closed,
}

impl Footing {
    /// Share of full speed.
    pub fn share(self) -> f64 {
        match self {
            Footing::Good => 1.0,
            Footing::Rough => 0.5,
            Footing::Bad => 0.2,
            Footing::Closed => 0.0,
        }
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

/// What the search for a leg costs, at most. Written out, it says so in words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchCost {
    /// Columns and rows of the search window.
    pub shape: (usize, usize),
    /// Cells of the search window.
    pub cells: u64,
    /// Bytes of memory.
    pub bytes: u64,
    /// Seconds.
    pub seconds: f64,
}

impl SearchCost {
    /// The cost of a search window of these columns and rows whose map takes `map_bytes`.
    pub fn of(shape: (usize, usize), map_bytes: u64) -> Self {
        let cells = (shape.0 as u64).saturating_mul(shape.1 as u64);
        let bytes = map_bytes.saturating_add(cells.saturating_mul(BYTES_PER_CELL));
        Self { shape, cells, bytes, seconds: (cells as f64 * SECONDS_PER_CELL).ceil() }
    }

    /// Fails if there are more than `most` cells.
    pub fn check(&self, most: u64) -> Result<()> {
        if self.cells <= most {
            return Ok(());
        }
        Err(Error::Shape(format!(
            "the leg needs {self}, more than the limit of {most} cells; run shorter legs one after the other, give a smaller \
             --margin, or allow it with --cells {}",
            self.cells
        )))
    }
}

impl fmt::Display for SearchCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shape: (width, height), cells, bytes, seconds } = self;
        let (gib, mib) = (*bytes as f64 / (1u64 << 30) as f64, bytes.div_ceil(1 << 20));
        let memory = if gib < 1.0 { format!("{mib} MiB") } else { format!("{gib:.1} GiB") };
        write!(f, "a search window of {width}x{height} = {cells} cells, ")?;
        write!(f, "about {memory} of memory and up to {seconds} s")
    }
}

/// A column and a row.
pub type Cell = (usize, usize);

/// Ground on which a runner runs: a rectangle of cells, x east and y south.
pub trait Going {
    /// Number of columns and number of rows.
    fn shape(&self) -> (usize, usize);
    /// Speed on level, open ground in metres per second.
    fn full_speed_m_s(&self) -> f64;
    /// What a cell allows.
    fn footing(&self, cell: Cell) -> Footing;
    /// Height that a runner has at a point: `ahead` is its offset from the centre of a cell, in cells. In height units, never
    /// below the water.
    fn height(&self, cell: Cell, ahead: (f64, f64)) -> f64;
    /// Metres on the ground of a cell's length on the map, at a cell along a vector of length 1.
    fn scale(&self, _cell: Cell, _along: (f64, f64)) -> f64 {
        1.0
    }
    /// The least that [`Going::scale`] answers.
    fn least_scale(&self) -> f64 {
        1.0
    }
}

/// A route from one place to another, with its length, climb and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Way<P> {
    /// Places from the start to the end; for the straight route only its two ends.
    pub places: Vec<P>,
    /// Length over the map.
    pub length_m: f64,
    /// Total climb in metres ([`HEIGHT_UNITS_PER_M`]).
    pub climb_m: f64,
    /// Time in seconds; `None` if it leads through a building.
    pub seconds: Option<f64>,
}

impl<P> Way<P> {
    fn map<Q>(self, place: &impl Fn(P) -> Q) -> Way<Q> {
        let Way { places, length_m, climb_m, seconds } = self;
        Way { places: places.into_iter().map(place).collect(), length_m, climb_m, seconds }
    }
}

/// The straight and the fastest route between two places.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg<P> {
    /// The straight route.
    pub direct: Way<P>,
    /// The fastest route within the window, never slower than the straight one. `None` if there is no route at all.
    pub best: Option<Way<P>>,
}

impl<P> Leg<P> {
    /// The leg as a course on a map, with places at the coordinates that `at` gives: the straight line and the fastest route, and
    /// start and finish.
    pub(crate) fn course_at(&self, at: impl Fn(&P) -> (f64, f64)) -> (FeatureSet, FeatureSet) {
        let feature = |id: usize, points: Vec<(f64, f64)>, kind: &'static str| {
            Feature::new(id as u32, points, [("kind", kind.into())])
        };
        let ends: Vec<(f64, f64)> = self.direct.places.iter().map(&at).collect();
        let marks = ["start", "finish"].into_iter().zip(&ends).enumerate();
        let marks = marks.map(|(id, (kind, &end))| feature(id, vec![end], kind)).collect();
        let way = self.best.as_ref().map(|way| way.places.iter().map(&at).collect());
        let lines = [Some(ends), way].into_iter().flatten().enumerate();
        let lines = lines.map(|(id, points)| feature(id, points, "leg")).collect();
        (
            FeatureSet::new("course_route", "Straight and fastest route", lines),
            FeatureSet::new("course", "Start and finish of the leg", marks),
        )
    }
}

impl<P> Leg<P> {
    /// The same leg with places of another kind.
    pub fn map<Q>(self, place: impl Fn(P) -> Q) -> Leg<Q> {
        Leg { direct: self.direct.map(&place), best: self.best.map(|way| way.map(&place)) }
    }
}

/// The straight route, metre by metre, and the fastest route along 16 directions from cell to cell.
pub fn leg(going: &impl Going, from: Cell, to: Cell, ctx: &Ctx) -> Result<Leg<Cell>> {
    let runner = Runner { going, here: Default::default() };
    let direct = runner.straight(from, to);
    let routed = path::least_cost(&runner, from, to, ctx)?.map(|cells| runner.along(cells));
    let best = match (routed, direct.seconds) {
        (Some(found), Some(straight)) if found.seconds.is_none_or(|s| s >= straight) => Some(direct.clone()),
        (None, Some(_)) => Some(direct.clone()),
        (found, _) => found,
    };
    Ok(Leg { direct, best })
}

/// A runner on some ground.
struct Runner<'a, G> {
    going: &'a G,
    /// The cell that was left last and its height: a search leaves a cell in all directions before it goes on.
    here: std::cell::Cell<Option<(Cell, f64)>>,
}

impl<G: Going> StepCost for Runner<'_, G> {
    fn shape(&self) -> (usize, usize) {
        self.going.shape()
    }

    fn least(&self) -> f64 {
        self.going.least_scale() / (FASTEST * self.going.full_speed_m_s())
    }

    fn open(&self, cell: Cell) -> bool {
        self.going.footing(cell) != Footing::Closed
    }

    fn cost(&self, cell: Cell, m: &Move) -> f64 {
        let along = unit(m);
        let scale = self.going.scale(cell, along);
        m.length * scale / self.speed(cell, along, scale)
    }
}

/// The direction of a move, of length 1.
fn unit(m: &Move) -> (f64, f64) {
    (m.step.0 as f64 / m.length, m.step.1 as f64 / m.length)
}

impl<G: Going> Runner<'_, G> {
    /// Metres per second at a cell along a vector of length 1, with the scale of the map there. 0 in a building.
    fn speed(&self, cell: Cell, (dx, dy): (f64, f64), scale: f64) -> f64 {
        let look = LOOK_AHEAD_M / scale;
        let here = match self.here.get() {
            Some((last, height)) if last == cell => height,
            _ => self.going.height(cell, (0.0, 0.0)),
        };
        self.here.set(Some((cell, here)));
        let climb = self.going.height(cell, (dx * look, dy * look)) - here;
        self.going.footing(cell).share() * slope_speed(climb) * self.going.full_speed_m_s()
    }

    /// The time of running straight from one cell to another, in pieces of about a cell.
    fn straight(&self, from: Cell, to: Cell) -> Way<Cell> {
        let (dx, dy) = (to.0 as f64 - from.0 as f64, to.1 as f64 - from.1 as f64);
        let length = (dx * dx + dy * dy).sqrt();
        let climb_m = self.climb(from, to) / HEIGHT_UNITS_PER_M;
        let (pieces, mut scales, mut seconds) = (length.ceil(), 0.0, Some(0.0));
        for k in 0..pieces as i64 {
            let t = (k as f64 + 0.5) / pieces;
            // Halves are rounded to the east and to the north.
            let cell = (from.0 as i64 + round(dx * t), from.1 as i64 - round(-dy * t));
            let (cell, along) = ((cell.0 as usize, cell.1 as usize), (dx / length, dy / length));
            let scale = self.going.scale(cell, along);
            let speed = self.speed(cell, along, scale);
            scales += scale;
            seconds = seconds.filter(|_| speed > 0.0).map(|s| s + length / pieces * scale / speed);
        }
        Way { places: vec![from, to], length_m: length * (scales / pieces.max(1.0)), climb_m, seconds }
    }

    /// The climb of a straight line from one cell to another, in pieces of about a cell and in height units.
    fn climb(&self, from: Cell, to: Cell) -> f64 {
        let (dx, dy) = (to.0 as f64 - from.0 as f64, to.1 as f64 - from.1 as f64);
        let pieces = (dx * dx + dy * dy).sqrt().ceil();
        let height = |k: i64| {
            let t = k as f64 / pieces;
            self.going.height(from, (dx * t, dy * t))
        };
        (0..pieces as i64).fold(0.0, |sum, k| sum + (height(k + 1) - height(k)).max(0.0))
    }

    /// The time of a route from cell to cell, as the search computes it.
    fn along(&self, cells: Vec<Cell>) -> Way<Cell> {
        let (mut length_m, mut climb, mut seconds) = (0.0, 0.0, 0.0);
        for ends in cells.windows(2) {
            let step = (ends[1].0 as i64 - ends[0].0 as i64, ends[1].1 as i64 - ends[0].1 as i64);
            let m = path::MOVES.iter().find(|m| m.step == step).expect("a route is made of moves");
            length_m += m.length * self.going.scale(ends[0], unit(m));
            climb += self.climb(ends[0], ends[1]);
            seconds += self.cost(ends[0], m);
        }
        Way { places: cells, length_m, climb_m: climb / HEIGHT_UNITS_PER_M, seconds: Some(seconds) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_those_of_the_decisions() {
        assert_eq!([35.0, 25.0, 15.0, 10.0].map(slope_speed), [0.1, 0.2, 0.5, 1.0]);
        assert_eq!([-35.0, -25.0, -15.0, -10.0].map(slope_speed), [0.2, 0.5, 1.2, 1.0]);
        let shares = [Footing::Good, Footing::Rough, Footing::Bad, Footing::Closed].map(Footing::share);
        assert_eq!(shares, [1.0, 0.5, 0.2, 0.0]);
    }

    /// A plane that rises to the east, with a wall in one column.
    struct Plane {
        rise: f64,
        wall: Option<usize>,
    }

    impl Going for Plane {
        fn shape(&self) -> (usize, usize) {
            (60, 40)
        }
        fn full_speed_m_s(&self) -> f64 {
            FULL_SPEED_M_S
        }
        fn footing(&self, (x, y): Cell) -> Footing {
            if self.wall == Some(x) && y > 4 { Footing::Closed } else { Footing::Good }
        }
        fn height(&self, (x, _): Cell, (dx, _): (f64, f64)) -> f64 {
            (x as f64 + dx) * self.rise
        }
    }

    #[test]
    fn a_leg_up_a_plane_has_its_length_its_climb_in_metres_and_its_time() {
        // 1.2 height units a metre: 12 over the 10 m ahead, half speed.
        let leg = leg(&Plane { rise: 1.2, wall: None }, (5, 20), (55, 20), &Ctx::default()).unwrap();
        let way = &leg.direct;
        assert!(
            (way.length_m - 50.0).abs() < 1e-9 && (way.climb_m - 50.0 * 1.2 / 4.0).abs() < 1e-9,
            "{way:?}"
        );
        assert!((way.seconds.unwrap() - 50.0 / 2.0).abs() < 1e-9, "{way:?}");
        assert!(leg.best.unwrap().seconds <= way.seconds);
    }

    #[test]
    fn a_leg_leads_around_a_wall() {
        let leg = leg(&Plane { rise: 0.0, wall: Some(30) }, (5, 20), (55, 20), &Ctx::default()).unwrap();
        assert_eq!(leg.direct.seconds, None);
        let best = leg.best.unwrap();
        assert!(best.places.iter().any(|c| c.0 == 30 && c.1 <= 4), "{best:?}");
        assert!(best.length_m > 55.0);
    }

    #[test]
    fn a_window_that_is_too_large_is_refused_with_its_cost_and_what_to_do() {
        assert!(SearchCost::of((2000, 2000), 1).check(MOST_CELLS).is_ok());
        let cost = SearchCost::of((100_401, 401), 6 << 30);
        let error = cost.check(MOST_CELLS).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        let said = error.to_string();
        for part in
            ["100401x401 = 40260801 cells", "7.5 GiB", "81 s", "shorter legs", "--margin", "--cells 40260801"]
        {
            assert!(said.contains(part), "{said} lacks {part}");
        }
        assert!(cost.check(40_260_801).is_ok());
    }
}
