//! Streams from ponds to lakes and depressions (the document's hollows).

use super::kinds::{Feature, Terrain};
use super::place::Endless;
use super::placed::Place;
use super::shape::Strip;
use super::window::Window;
use weald_core::{Cancelled, Ctx, par};

/// How far from its pond a stream may go along each axis. The longest of 218 in the original world goes 245 m.
pub const STREAM_REACH_M: i64 = 512;

/// Half the side of the square that is searched for the next point: 11×11 places.
const LOOK_M: i64 = 5;

/// A stream with fewer points is not drawn.
const LEAST_POINTS: usize = 11;

/// Half the width of a stream.
pub(super) const STREAM_HALF_M: f64 = 1.5;

/// Half the side of a marsh, without its centre: 9×9 places.
pub(super) const MARSH_HALF_M: i64 = 4;

/// How a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamEnd {
    /// In a lake.
    Lake,
    /// In a depression (a hollow), where it makes a marsh.
    Hollow,
    /// Where it would leave the square of [`STREAM_REACH_M`] around its pond.
    Limit,
}

impl StreamEnd {
    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            StreamEnd::Lake => "lake",
            StreamEnd::Hollow => "hollow",
            StreamEnd::Limit => "limit",
        }
    }
}

/// A stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// Whole places from the pond down, each lower than the one before.
    pub points: Vec<Place>,
    /// How it ends.
    pub end: StreamEnd,
}

impl Stream {
    /// Its straight parts.
    pub(super) fn strips(&self) -> impl Iterator<Item = Strip> + '_ {
        self.points.windows(2).map(|ends| {
            let ((ax, ay), (bx, by)) = (ends[0], ends[1]);
            let to = ((bx - ax) as f64, (by - ay) as f64);
            Strip { origin: (ax, ay), from: (0.0, 0.0), to, half_m: STREAM_HALF_M }
        })
    }
}

impl Endless {
    /// Streams that reach into a window, by their ponds from north to south and west to east.
    ///
    /// Every pond within [`STREAM_REACH_M`] and half a marsh of the window is followed, so a stream is the same whichever
    /// window shows it. Reach: 518 m.
    pub fn streams(&self, window: &Window, ctx: &Ctx) -> Result<Vec<Stream>, Cancelled> {
        if !self.params.streams || self.params.bleak {
            return Ok(Vec::new());
        }
        let wide = window.grown(MARSH_HALF_M + 2);
        let ponds = self.find(&wide.grown(STREAM_REACH_M), |f| f == Feature::Waterhole, ctx)?;
        let all = par::map(ponds.len(), ctx, |i| self.stream(ponds[i].0))?;
        let [west, east, south, north] = wide.bounds();
        let near = |s: &Stream| {
            let xs = s.points.iter().map(|p| p.0);
            let ys = s.points.iter().map(|p| p.1);
            xs.clone().max() >= Some(west)
                && xs.min() <= Some(east)
                && ys.clone().max() >= Some(south)
                && ys.min() <= Some(north)
        };
        Ok(all.into_iter().flatten().filter(near).collect())
    }

    /// The stream from a pond, if it is long enough to be drawn.
    ///
    /// From where it stands it goes to the lowest of the 11×11 places around, if that is lower; of equally low ones the most
    /// northern, then the most western. It ends in water, where nothing is lower, or at the limit. It depends on heights
    /// only. Reach: 517 m.
    pub fn stream(&self, pond: Place) -> Option<Stream> {
        // Heights in whole parts, a row of the square at a time.
        let ground = &self.tables().ground;
        let mut row = [0u32; 2 * LOOK_M as usize + 1];
        ground.fill([pond.0, pond.1], &mut row[..1]);
        let (mut points, mut here) = (vec![pond], row[0]);
        let end = loop {
            let (x, y) = points[points.len() - 1];
            let (mut lowest, mut low) = (None, here);
            for dy in (-LOOK_M..=LOOK_M).rev() {
                ground.fill([x - LOOK_M, y + dy], &mut row);
                for (dx, &there) in (-LOOK_M..).zip(&row) {
                    if there < low {
                        (lowest, low) = (Some((x + dx, y + dy)), there);
                    }
                }
            }
            let Some(next) = lowest else { break StreamEnd::Hollow };
            if (next.0 - pond.0).abs().max((next.1 - pond.1).abs()) > STREAM_REACH_M {
                break StreamEnd::Limit;
            }
            points.push(next);
            here = low;
            if f64::from(here) / f64::from(ground.parts()) < self.params.lake_level {
                break StreamEnd::Lake;
            }
        };
        (points.len() >= LEAST_POINTS).then_some(Stream { points, end })
    }

    /// Whether a stream or its marsh leaves a terrain as it is.
    pub(super) fn sheds_water(terrain: u8) -> bool {
        [Terrain::Town, Terrain::Road, Terrain::Lake].iter().any(|&t| t as u8 == terrain)
    }
}
