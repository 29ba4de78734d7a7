//! What is at a place on the sphere: the document's `terra` in space.

use super::Thing;
use super::classes::*;
use super::params::PlanetParams;
use super::placed::{Key, Placed};
use super::sphere::{self, FACES, Vector};
use crate::world::relf;
use std::collections::BTreeMap;
use std::f64::consts::PI;
use weald_core::Seed;
use weald_core::waves::{EvenWaves, Waves, original, round};

/// Offset of the first coordinate of a pair from face to face in the test for features.
pub(super) const FACE_STEP: i64 = 100_003;

/// The planet as a function of place.
pub struct Ground {
    waves: Sums,
    features: Features,
    radius_m: f64,
    level: f64,
    /// What was placed, by crossing.
    placed: BTreeMap<Key, u8>,
}

/// The sums of waves for heights and for the three sets of kinds of ground: towns, kind a and kind b.
enum Sums {
    /// As the document does: five waves each, kinds without interpolation.
    Original(Box<[Waves; 4]>),
    /// 32 waves each, in directions that are spread evenly.
    Even(Box<[EvenWaves; 4]>),
}

/// Where two rings of whole coordinates cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Number of its face.
    pub face: usize,
    /// The two whole coordinates, in the order of the axes.
    pub rings: [i64; 2],
    /// The place.
    pub place: Vector,
}

/// How features are found.
pub(super) enum Features {
    /// As the document does.
    Original(Waves),
    /// By hashing the pair of coordinates; one stream for each face.
    Hashed([Seed; 6]),
}

impl Ground {
    /// Seed 0 has the document's profile and coefficients, five waves to a sum; any other seed has its own waves, of which there
    /// are enough that no stripes show.
    pub fn new(seed: Seed, radius_m: f64, lake_level: f64) -> Self {
        let even = |stream: &str, parts| EvenWaves::drawn(seed.of(stream), parts);
        let waves = match seed.0 {
            0 => Sums::Original(Box::new(
                [original::HEIGHT, original::KIND_1, original::KIND_2, original::KIND_3].map(original::waves),
            )),
            _ => Sums::Even(Box::new([
                even("height", (24.0, 34.0)),
                even("towns", (45.0, 75.0)),
                even("kind a", (45.0, 75.0)),
                even("kind b", (55.0, 85.0)),
            ])),
        };
        let features = match seed.0 {
            0 => Features::Original(original::waves(original::FEATURE)),
            _ => Features::Hashed(FACES.map(|f| seed.of("features").of(f.name))),
        };
        Self { waves, features, radius_m, level: lake_level, placed: BTreeMap::new() }
    }

    /// The ground of a planet with these parameters and what was placed on it. The error says what is wrong with that.
    pub fn of(seed: Seed, params: &PlanetParams) -> Result<Self, String> {
        let mut ground = Self::new(seed, params.radius_m, params.lake_level);
        ground.placed = Placed::parse(&params.placed)?.by_crossing(&ground)?;
        Ok(ground)
    }

    /// Crossings at which something was placed.
    pub(super) fn placed(&self) -> impl Iterator<Item = Crossing> + '_ {
        self.placed.keys().filter_map(|&(face, rings)| self.crossing_of(face, rings))
    }

    /// Radius of the sphere.
    pub fn radius_m(&self) -> f64 {
        self.radius_m
    }

    /// How features are found.
    pub(super) fn features(&self) -> &Features {
        &self.features
    }

    /// Height of the water.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// Height of the ground at a place, under water too. Reach: point.
    #[inline]
    pub fn height(&self, place: Vector) -> f64 {
        match &self.waves {
            Sums::Original(sums) => sums[0].height(place),
            Sums::Even(sums) => sums[0].height(place),
        }
    }

    /// The kind of ground at a place whose ground has this height: lake below the level; else mud below 204; else
    /// `relf::cover` of the sums of the three sets. Reach: point.
    pub fn kind(&self, place: Vector, height: f64) -> u8 {
        if height < self.level {
            return LAKE;
        }
        if height < relf::LAKE_HEIGHT {
            return MUD;
        }
        let [towns, kind_a, kind_b] = self.cover_sums(place);
        relf::cover(towns, kind_a, kind_b)
    }

    /// The sums of the three sets for kinds of ground: towns, kind a and kind b. Reach: point.
    #[inline]
    pub(super) fn cover_sums(&self, place: Vector) -> [u32; 3] {
        match &self.waves {
            Sums::Original(sums) => [1, 2, 3].map(|set: usize| sums[set].steps(place)),
            // The thresholds are whole numbers, so that what a sum has beyond its whole part decides nothing.
            Sums::Even(sums) => [1, 2, 3].map(|set: usize| sums[set].height(place) as u32),
        }
    }

    /// The feature at the crossing of the rings u and v on a face, if the ground allows it. `place` is the crossing; u
    /// and v are its two whole coordinates in the order of the axes.
    ///
    /// Seed 0: `relf::feature` of the sum of steps of B2 and A3 at the place and (u + 100003·face)·v. The sign of the
    /// third coordinate is in `face` and in the place. Any other seed: `relf::hashed_feature` of a hash of face, u and v.
    /// Reach: point.
    #[inline]
    pub fn feature(&self, face: usize, [u, v]: [i64; 2], place: Vector) -> u8 {
        match &self.features {
            Features::Original(waves) => {
                let product = (u + FACE_STEP * face as i64).wrapping_mul(v);
                relf::feature(waves.steps(place) as i64, product)
            }
            Features::Hashed(streams) => relf::hashed_feature(streams[face].at(u, v)),
        }
    }

    /// The crossing of rings of a place, on its face: that of the nearest two rings, or, beside an edge where these meet on
    /// another face, the nearest of the rings up to 2 m away, by the second and then the first of those equally near.
    /// Reach: 4 m.
    pub fn crossing(&self, near: Vector) -> Option<Crossing> {
        let face = sphere::face_of(near);
        let [u, v] = FACES[face].others().map(|axis| round(near[axis]));
        let around = || {
            let rings = (-2..=2).flat_map(|dv| (-2..=2).map(move |du| [u + du, v + dv]));
            let far = |at: &Crossing| {
                let apart: Vector = std::array::from_fn(|k| at.place[k] - near[k]);
                sphere::dot(apart, apart)
            };
            rings.filter_map(|rings| self.crossing_of(face, rings)).min_by(|a, b| far(a).total_cmp(&far(b)))
        };
        self.crossing_of(face, [u, v]).or_else(around)
    }

    /// The crossing of the rings u and v on a face, if it is on that face.
    pub fn crossing_of(&self, face: usize, [u, v]: [i64; 2]) -> Option<Crossing> {
        let rest = self.radius_m * self.radius_m - (u * u + v * v) as f64;
        if rest < (u * u).max(v * v) as f64 {
            return None;
        }
        let ([first, second], axis) = (FACES[face].others(), FACES[face].axis);
        let mut place = [0.0; 3];
        (place[first], place[second], place[axis]) =
            (u as f64, v as f64, FACES[face].normal[axis] * rest.sqrt());
        (sphere::face_of(place) == face).then_some(Crossing { face, rings: [u, v], place })
    }

    /// The feature that stands at a crossing: what was placed there, or else a natural one, none in lakes, mud and towns.
    /// Reach: point.
    pub fn stands(&self, at: &Crossing) -> u8 {
        if let Some(&placed) = self.placed.get(&(at.face, at.rings)) {
            return placed;
        }
        let kind = self.feature(at.face, at.rings, at.place);
        if kind == NONE || [LAKE, MUD, TOWN].contains(&self.kind(at.place, self.height(at.place))) {
            return NONE;
        }
        kind
    }

    /// What stands at a crossing, if anything does.
    pub fn thing(&self, at: &Crossing) -> Option<Thing> {
        let kind = self.stands(at);
        (kind != NONE).then_some(Thing { kind, face: at.face, place: at.place })
    }

    /// The version of the feature at a crossing, 0 to 3: which of several pictures of its kind shows it. The low two bits of
    /// ⌊π·10000·(u + 100003·face)·v + ½⌋, or of a hash for seeds other than 0. Reach: point.
    pub fn version(&self, at: &Crossing) -> u8 {
        let [u, v] = at.rings;
        let bits = match &self.features {
            Features::Original(_) => {
                round(PI * 10000.0 * (u + FACE_STEP * at.face as i64) as f64 * v as f64) as u64
            }
            Features::Hashed(streams) => streams[at.face].of("versions").at(u, v),
        };
        (bits & 3) as u8
    }
}
