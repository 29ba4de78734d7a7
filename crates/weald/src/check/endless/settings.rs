//! The settings of a window and the things placed in it, as the manifest states them.

use super::names::FEATURES;
use super::surface::within;
use crate::error::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What the rules need of the parameters.
#[derive(Deserialize)]
pub(super) struct Params {
    /// Height of the water.
    pub(super) lake_level: f64,
    /// Whether there are paths.
    pub(super) paths: bool,
    /// Whether there are streams.
    pub(super) streams: bool,
    /// Whether roads start at cones.
    pub(super) roads: bool,
    /// Whether there is wood everywhere.
    pub(super) wood_only: bool,
    /// Whether there is nothing.
    pub(super) bleak: bool,
    /// Whether roads cross water.
    pub(super) bridges: bool,
    /// Time since the still world.
    pub(super) time: f64,
    /// Ticks per unit of time.
    pub(super) time_rate: f64,
    /// Height from which snow lies.
    pub(super) snow_line: f64,
    /// The placed things, as text.
    pub(super) placed: String,
    /// The north-west cell.
    pub(super) at: At,
    /// About the mines.
    pub(super) mines: Mines,
    /// About the caverns.
    pub(super) caverns: Caverns,
    /// About the islands in the sky.
    pub(super) sky: Sky,
}

/// About the caverns.
#[derive(Deserialize)]
pub(super) struct Caverns {
    /// How many times finer than the hills.
    pub(super) finer: i64,
    /// Share of the hills' height.
    pub(super) relief: f64,
    /// How far the mean roof lies above the mean floor.
    pub(super) rise: f64,
}

/// The document's place of the north-west cell.
#[derive(Deserialize)]
pub(super) struct At {
    /// Metres east.
    pub(super) x: i64,
    /// Metres north.
    pub(super) y: i64,
}

/// About the mines.
#[derive(Deserialize)]
pub(super) struct Mines {
    /// Number of levels.
    pub(super) levels: u8,
    /// Share of rock.
    pub(super) threshold: f64,
    /// By which rule cells are open.
    pub(super) rule: String,
    /// Slope from which a shaft is a cave mouth.
    pub(super) cave_slope: f64,
}

/// About the islands in the sky.
#[derive(Deserialize)]
pub(super) struct Sky {
    /// Height of the shores.
    pub(super) level: f64,
    /// Depth of the underside as a share of the height above the level.
    pub(super) keel: f64,
}

/// Half the width of a road.
pub(super) const ROAD_HALF: f64 = 2.5;

/// What was placed by hand.
#[derive(Clone, Default)]
pub(super) struct Placed {
    /// Things by place; the last one counts.
    pub(super) things: BTreeMap<(i64, i64), u8>,
    /// Roads by their corners.
    pub(super) roads: Vec<Vec<(f64, f64)>>,
    /// Positions of things and roads among all entries.
    thing_order: BTreeMap<(i64, i64), usize>,
    road_order: Vec<usize>,
}

impl Placed {
    /// Position of the last road that covers the place.
    fn road_over(&self, x: i64, y: i64) -> Option<usize> {
        let p = (x as f64, y as f64);
        let covers = |r: &Vec<(f64, f64)>| r.windows(2).any(|s| within(p, s[0], s[1], ROAD_HALF));
        self.roads.iter().rposition(covers).map(|i| self.road_order[i])
    }

    /// Whether a road that was drawn covers the place.
    pub(super) fn covered(&self, x: i64, y: i64) -> bool {
        self.road_over(x, y).is_some()
    }

    /// Whether a road that was drawn is the last entry at the place.
    pub(super) fn road(&self, x: i64, y: i64) -> bool {
        let over = self.road_over(x, y);
        over.is_some() && over > self.thing_order.get(&(x, y)).copied()
    }

    /// The thing at a place, unless a road was drawn over it later.
    pub(super) fn thing(&self, x: i64, y: i64) -> Option<u8> {
        self.things.get(&(x, y)).copied().filter(|_| !self.road(x, y))
    }

    /// Reads `cone 1 2;road 0 0 50 50`.
    pub(super) fn read(text: &str, file: &Path) -> Result<Self> {
        let mut placed = Self::default();
        let mut entries = 0;
        let uncommented = text.lines().map(|line| line.split('#').next().unwrap_or(""));
        for line in uncommented.flat_map(|line| line.split(';')) {
            let bad = || {
                Error::Invalid(format!("{}: params.placed: \"{line}\" is not a placed thing", file.display()))
            };
            let mut words = line.split([' ', '\t', ',', '\r']).filter(|w| !w.is_empty());
            let Some(kind) = words.next() else { continue };
            let numbers = words.map(|w| w.parse::<i64>().map_err(|_| bad())).collect::<Result<Vec<_>>>()?;
            let pairs: Vec<(i64, i64)> = numbers.chunks_exact(2).map(|p| (p[0], p[1])).collect();
            if pairs.is_empty() || numbers.len() % 2 != 0 {
                return Err(bad());
            }
            entries += 1;
            if kind == "road" {
                placed.roads.push(pairs.iter().map(|&(x, y)| (x as f64, y as f64)).collect());
                placed.road_order.push(entries);
                continue;
            }
            let thing = FEATURES.iter().position(|name| *name == kind).ok_or_else(bad)?;
            placed.things.insert(pairs[0], thing as u8);
            placed.thing_order.insert(pairs[0], entries);
        }
        Ok(placed)
    }
}
