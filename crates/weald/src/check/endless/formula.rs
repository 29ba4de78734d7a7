//! The original world, as the document's program has it: height, terrain and feature of a place by formula.
//! Coordinates are the document's, x east and y north.

use super::names::{
    BOULDER, CONE, GRASS, KNOLL, LAKE, MINE, MOOR, MUD, NONE, PATH, ROAD, ROOT, THICKET, TOWN, WATERHOLE,
    WOOD, X, Z,
};
use super::settings::{Params, Placed};
use crate::check::relf::PROFILE;
use std::f64::consts::PI;

/// Height below which ground that the lake left is mud.
pub(super) const LAKE_HT0: f64 = 204.0;
const PI1000: f64 = PI * 1000.0;
const PI10000: f64 = PI * 10000.0;

type Five = [i64; 5];
const AH: Five = [0, 13, 21, 22, 29];
const BH: Five = [27, 26, 21, 11, 1];
/// How the height waves move with time.
const CH: Five = [2, -3, 1, -2, 3];
const A1: Five = [-43, -43, -56, 31, 4];
const B1: Five = [-3, -12, 22, 2, 32];
const A2: Five = [-24, -25, 60, 10, -30];
const B2: Five = [15, -54, -34, -51, -43];
const A3: Five = [-51, -62, -58, -64, 33];
const B3: Five = [-44, 20, 27, -64, -44];

/// Everything about a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terra {
    /// Height of the ground or of the water on it.
    pub(super) height: f64,
    /// Depth of the water.
    pub(super) depth: f64,
    /// Code of the terrain.
    pub(super) terrain: u8,
    /// Code of the feature.
    pub(super) feature: u8,
}

/// The original world with the settings of one run.
pub(super) struct Formula {
    lake: f64,
    /// 128ths of a tick.
    time: i64,
    paths: bool,
    bleak: bool,
    wood_only: bool,
    placed: Placed,
}

/// Sum of the profile along five directions, at whole coordinates.
fn profile(a: &Five, x: i64, b: &Five, y: i64) -> i64 {
    let at = |i: usize| PROFILE[((a[i] * x + b[i] * y) >> 7 & 0xff) as usize];
    (0..5).map(|i| i64::from(at(i))).sum()
}

/// The nearest whole number, of two equally near ones the greater.
fn round(v: f64) -> i64 {
    let below = v.floor();
    if v - below >= 0.5 { (below + 1.0) as i64 } else { below as i64 }
}

/// factor·x·y, from left to right as the document writes it for trees and mines. Features take x·y first.
fn scatter(factor: f64, x: i64, y: i64) -> f64 {
    factor * x as f64 * y as f64
}

/// round(PI10000·x·y), of which the kind of a tree is the low bits.
pub(super) fn tree_bits(x: i64, y: i64) -> i64 {
    round(scatter(PI10000, x, y))
}

/// Which of the four pictures of its kind shows a feature: the low two bits of round(PI10000·x·y).
pub(super) fn version(x: i64, y: i64) -> i64 {
    tree_bits(x, y) & 3
}

/// trunc(PI10000·x·y), whose low bits define buildings.
pub(super) fn building_bits(x: i64, y: i64) -> i64 {
    scatter(PI10000, x, y).trunc() as i64
}

/// Whether PI10000·x·y has a fraction as a 64-bit float; where it has none, no road starts.
pub(super) fn has_bits(x: i64, y: i64) -> bool {
    scatter(PI10000, x, y).abs() < (1u64 << 53) as f64
}

/// trunc(PI1000·x·y): the low byte decides on the roads from a cone, the next bits how deep a shaft goes.
pub(super) fn road_bits(x: i64, y: i64) -> i64 {
    scatter(PI1000, x, y).trunc() as i64
}

/// The number whose size decides whether a mine cell is open, 0 to 1.
pub(super) fn mine_share(x: i64, y: i64, level: u8, sin_cos: bool) -> f64 {
    let z = f64::from(level);
    let u = if sin_cos {
        PI10000 * weald_core::math::sin(x as f64) * weald_core::math::cos(y as f64) * z
    } else {
        scatter(PI10000, x, y) * z
    };
    u - u.floor()
}

impl Formula {
    /// The original world with these settings.
    pub(super) fn new(p: &Params, placed: Placed) -> Self {
        let (paths, bleak, wood_only) = (p.paths, p.bleak, p.wood_only);
        let time = round(p.time * p.time_rate * 128.0);
        Self { lake: p.lake_level, time, paths, bleak, wood_only, placed }
    }

    /// Height of the ground at a whole place, exact.
    pub(super) fn ground(&self, x: i64, y: i64) -> f64 {
        let mut sum = 0;
        for i in 0..5 {
            let v = (AH[i] * x + BH[i] * y) * 128 + CH[i] * self.time;
            let (low, part) = ((v >> 14 & 0xff) as usize, v & 0x3fff);
            let (p0, p1) = (i64::from(PROFILE[low]), i64::from(PROFILE[(low + 1) & 0xff]));
            sum += (p0 << 14) + part * (p1 - p0);
        }
        sum as f64 / 16384.0
    }

    /// Height of the ground between whole places.
    pub(super) fn ground_between(&self, x: f64, y: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..5 {
            let v = (AH[i] as f64 * x + BH[i] as f64 * y + (CH[i] * self.time) as f64 / 128.0) / 128.0;
            let low = v.floor();
            let at = (low as i64 & 0xff) as usize;
            let (p0, p1) = (f64::from(PROFILE[at]), f64::from(PROFILE[(at + 1) & 0xff]));
            sum += p0 + (v - low) * (p1 - p0);
        }
        sum
    }

    /// Whether the query between whole places finds a town: terrain takes the coordinates as they are.
    pub(super) fn town_between(&self, x: f64, y: f64) -> bool {
        let height = self.ground_between(x, y);
        let other = self.paths
            && height > self.lake
            && (height - self.ground_between(x + 4000.0, y + 2000.0)).abs() < 2.0;
        let dry = height >= self.lake.max(LAKE_HT0) && !self.bleak && !self.wood_only && !other;
        let wave = |i: usize| (A1[i] as f64 * x + B1[i] as f64 * y).floor() as i64;
        let sum: i16 = (0..5).map(|i| PROFILE[(wave(i) >> 7 & 0xff) as usize]).sum();
        dry && sum < 120
    }

    /// The fixed feature of a place, before lake, town and path are looked at.
    pub(super) fn scattered(&self, x: i64, y: i64) -> u8 {
        let a = profile(&B2, x, &A3, y);
        let xy = x.wrapping_mul(y);
        match round(a.wrapping_mul(xy) as f64 / 128.0) & 0xfff {
            4 => match xy & 0xff {
                0..32 => MINE,
                32..128 => BOULDER,
                128..160 => WATERHOLE,
                160..200 => KNOLL,
                _ => ROOT,
            },
            8 if round(PI1000 * xy as f64) & 0xff < 4 => X,
            16 if round(PI10000 * xy as f64) & 0xff < 8 => CONE,
            _ => NONE,
        }
    }

    /// The document's query.
    pub(super) fn terra(&self, x: i64, y: i64) -> Terra {
        let height = self.ground(x, y);
        let dry = |terrain, feature| Terra { height, depth: 0.0, terrain, feature };
        if self.bleak {
            return dry(Z, NONE);
        }
        if self.paths && height > self.lake && (height - self.ground(x + 4000, y + 2000)).abs() < 2.0 {
            return dry(PATH, NONE);
        }
        let placed = self.placed.thing(x, y);
        if self.placed.road(x, y) {
            return Terra { height: height.max(self.lake), ..dry(ROAD, NONE) };
        }
        if placed == Some(NONE) {
            return dry(GRASS, NONE);
        }
        let mut feature = placed.unwrap_or(NONE);
        if self.lake > height {
            return Terra { height: self.lake, depth: self.lake - height, terrain: LAKE, feature };
        }
        if LAKE_HT0 > height {
            return dry(MUD, feature);
        }
        if !self.wood_only && profile(&A1, x, &B1, y) < 120 {
            return dry(TOWN, feature);
        }
        if feature == NONE {
            feature = self.scattered(x, y);
        }
        if self.wood_only {
            return dry(WOOD, feature);
        }
        let (a, b) = (profile(&A2, x, &B2, y), profile(&A3, x, &B3, y));
        let terrain = match (a < 255, b) {
            (true, ..255) => GRASS,
            (true, _) => MOOR,
            (false, ..200) => THICKET,
            (false, _) => WOOD,
        };
        dry(terrain, feature)
    }

    /// What stands at a place, computed only as far as needed.
    pub(super) fn feature(&self, x: i64, y: i64) -> u8 {
        let nothing = !self.placed.things.contains_key(&(x, y)) && self.scattered(x, y) == NONE;
        if nothing { NONE } else { self.terra(x, y).feature }
    }
}
