//! One place: what the document's `terra(x, y)` answers.

use super::kinds::{Code, Feature, Terrain};
use super::params::EndlessParams;
use super::placed::{Place, Placed, Put};
use super::spots::Known;
use crate::error::{Error, Result};
use crate::params::Params;
use crate::world::relf;
use std::f64::consts::PI;
use std::sync::{Arc, Mutex, OnceLock};
use weald_core::Seed;
use weald_core::waves::{HeightRows, Reading, Rows, WaveRule, Waves, original, round};

const PI_1000: f64 = PI * 1000.0;
const PI_10000: f64 = PI * 10000.0;

/// The third coefficient of the heights: how far a tick of time moves each wave. The document gives no numbers; these are ours.
const TIME: [i64; 5] = [2, -3, 1, -2, 3];

/// Lengths of the profiles of other seeds: primes, so that the sum repeats only beyond 10⁹ m.
const GROUND_LENGTHS: [usize; 5] = [1009, 1013, 1019, 1021, 1031];
const COVER_LENGTHS: [usize; 5] = [251, 257, 263, 269, 271];

/// Least distance after which the ground of seeds other than 0 may repeat, in metres.
pub const REPEAT_M: f64 = 1e9;

/// Offset of the place that a path compares its height with, east and north.
pub(super) const PATH_SHIFT: (i64, i64) = (4000, 2000);
/// Greatest difference of the two heights.
pub(super) const PATH_TOLERANCE: f64 = 2.0;

/// What there is at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terra {
    /// Height of the ground, or of the water.
    pub height: f64,
    /// Depth of the water.
    pub depth: f64,
    /// What covers the ground.
    pub terrain: Terrain,
    /// What stands there.
    pub feature: Feature,
    /// Letters of the control flag, if there is one.
    pub code: Option<Code>,
}

/// The endless world: a function of place.
///
/// Seed 0 is the original world of the document. Any other seed draws its own profiles and coefficients
/// ([`Waves::drawn`]) and takes hashes of the place where the original takes bits of π·x·y.
#[derive(Clone, Debug)]
pub struct Endless {
    pub(super) seed: Seed,
    pub(super) params: EndlessParams,
    pub(super) placed: Placed,
    /// Heights.
    pub(super) ground: Waves,
    /// Towns.
    pub(super) town: Waves,
    /// Wood or open.
    pub(super) wood: Waves,
    /// Rough or smooth.
    pub(super) rough: Waves,
    /// Features of the original world; other seeds hash.
    pub(super) finds: Option<Waves>,
    /// The third coordinate of the heights: `time` · `time_rate`, to the nearest 128th of a tick.
    ticks: f64,
    tables: OnceLock<Arc<Tables>>,
    /// Surfaces that were asked for, shared with the clones of this world.
    pub(super) known: Arc<Mutex<Known>>,
}

/// What the bulk calls need, made on first use.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) ground: HeightRows,
    pub(super) town: Rows,
    pub(super) wood: Rows,
    pub(super) rough: Rows,
    pub(super) finds: Option<Rows>,
}

impl Endless {
    /// The world of a seed. Fails if a parameter is wrong.
    pub fn new(seed: Seed, params: &EndlessParams) -> Result<Self> {
        params.validate()?;
        Self::of_valid(seed, params)
    }

    /// The world of a seed with parameters that are known to be valid.
    pub(super) fn of_valid(seed: Seed, params: &EndlessParams) -> Result<Self> {
        let placed = Placed::parse(&params.placed).map_err(|e| Error::Invalid(format!("placed: {e}")))?;
        let set = |name: &str, [a, b, _]: original::Set, time, lengths, strides, repeat_m| match seed.0 {
            0 => original::waves([a, b, time]),
            _ => Waves::drawn(seed.of(name), &WaveRule { lengths, parts_per_m: strides, repeat_m }),
        };
        Ok(Self {
            seed,
            placed,
            ground: set("ground", original::HEIGHT, TIME, GROUND_LENGTHS, (24.0, 30.0), REPEAT_M),
            town: set("town", original::KIND_1, [0; 5], COVER_LENGTHS, (31.0, 60.0), 0.0),
            wood: set("wood", original::KIND_2, [0; 5], COVER_LENGTHS, (28.0, 69.0), 0.0),
            rough: set("rough", original::KIND_3, [0; 5], COVER_LENGTHS, (55.0, 90.0), 0.0),
            finds: (seed.0 == 0).then(|| {
                let [a, b, _] = original::FEATURE;
                original::waves([a, b, [0; 5]])
            }),
            ticks: HeightRows::rounded(params.time * params.time_rate),
            params: params.clone(),
            tables: OnceLock::new(),
            known: Arc::default(),
        })
    }

    /// The same world before anything was placed.
    pub(super) fn without_placed(&self) -> Self {
        Self { placed: Placed::default(), known: Arc::default(), ..self.clone() }
    }

    /// Its parameters.
    pub fn params(&self) -> &EndlessParams {
        &self.params
    }

    /// Its seed.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// What was placed.
    pub fn placed(&self) -> &Placed {
        &self.placed
    }

    /// The shortest distance after which the ground repeats, in metres: 32,768 for seed 0, at least 10⁹ for any other.
    pub fn repeat_m(&self) -> f64 {
        self.ground.repeat_m()
    }

    pub(super) fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| {
            Arc::new(Tables {
                ground: HeightRows::new(&self.ground, self.ticks),
                town: Rows::new(&self.town, Reading::Steps),
                wood: Rows::new(&self.wood, Reading::Steps),
                rough: Rows::new(&self.rough, Reading::Steps),
                finds: self.finds.as_ref().map(|waves| Rows::new(waves, Reading::Steps)),
            })
        })
    }

    /// Height of the ground, which may be the bed of a lake: five waves, interpolated ([`Waves::height`]). Reach: point.
    #[inline]
    pub fn ground_height(&self, x: f64, y: f64) -> f64 {
        self.ground.height([x, y, self.ticks])
    }

    /// Height below which there is water; the bleak world has none.
    pub(super) fn water_level(&self) -> f64 {
        if self.params.bleak { 0.0 } else { self.params.lake_level }
    }

    /// What there is at a place, x east and y north, both within ±10⁹ m. Reach: point.
    ///
    /// The tests come in the order of the document's program: bleak, path, placed, lake, mud, feature, terrain. Heights and
    /// terrains are those of the exact place, features and placed things those of the nearest whole one. Natural features do
    /// not stand in towns; placed ones do.
    pub fn terra(&self, x: f64, y: f64) -> Terra {
        let p = &self.params;
        let height = self.ground_height(x, y);
        let bare = |terrain| Terra { height, depth: 0.0, terrain, feature: Feature::None, code: None };
        if p.bleak {
            return bare(Terrain::Z);
        }
        if p.paths && height > p.lake_level && self.is_path(x, y, height) {
            return bare(Terrain::Path);
        }
        let (xr, yr) = (round(x), round(y));
        let mut feature = Feature::None;
        if !self.placed.is_empty() {
            match self.placed.at((xr, yr)) {
                Some(Put::Road) => {
                    return Terra { height: height.max(p.lake_level), ..bare(Terrain::Road) };
                }
                Some(Put::Thing(Feature::None)) => return bare(Terrain::Grass),
                Some(Put::Thing(thing)) => feature = thing,
                None => {}
            }
        }
        if p.lake_level > height {
            let depth = p.lake_level - height;
            return Terra { height: p.lake_level, depth, feature, ..bare(Terrain::Lake) };
        }
        if relf::LAKE_HEIGHT > height {
            return Terra { feature, ..bare(Terrain::Mud) };
        }
        let terrain = self.cover(x, y);
        let mut code = None;
        if feature == Feature::None && terrain != Terrain::Town {
            feature = self.fixed_feature(xr, yr);
            if feature != Feature::None && feature != Feature::Cone {
                code = Some(Code::at(xr, yr));
            }
        }
        Terra { feature, code, ..bare(terrain) }
    }

    fn is_path(&self, x: f64, y: f64, height: f64) -> bool {
        let there = self.ground_height(x + PATH_SHIFT.0 as f64, y + PATH_SHIFT.1 as f64);
        (height - there).abs() < PATH_TOLERANCE
    }

    /// Whether there is a town, ignoring placed things.
    pub(super) fn is_town(&self, x: f64, y: f64) -> bool {
        let (p, height) = (&self.params, self.ground_height(x, y));
        height >= p.lake_level.max(relf::LAKE_HEIGHT)
            && self.cover(x, y) == Terrain::Town
            && !(p.paths && height > p.lake_level && self.is_path(x, y, height))
    }

    /// What grows or is built on dry ground.
    fn cover(&self, x: f64, y: f64) -> Terrain {
        if self.params.wood_only {
            return Terrain::Wood;
        }
        let at = [x, y, 0.0];
        let code = relf::cover(self.town.steps(at), self.wood.steps(at), self.rough.steps(at));
        Terrain::of_code(code).expect("the cover is a terrain")
    }

    /// The feature of a whole place, whatever covers it: `relf::feature` of the sum of the feature waves and of x·y, or of a
    /// hash of the place for seeds other than 0. About one place in 4096 has a feature.
    pub fn fixed_feature(&self, x: i64, y: i64) -> Feature {
        let code = match &self.finds {
            Some(waves) => {
                let a = waves.steps([x as f64, y as f64, 0.0]) as i64;
                relf::feature(a, x.wrapping_mul(y))
            }
            None => relf::hashed_feature(self.seed.of("features").at(x, y)),
        };
        Feature::of_code(code).expect("it is a feature")
    }

    /// The version of the feature at a whole place, 0 to 3: which of several pictures of its kind shows it. The low two bits
    /// of ⌊π·10000·x·y + ½⌋, or of a hash for seeds other than 0. Reach: point.
    pub fn version(&self, (x, y): Place) -> u8 {
        (round(self.turns("versions", x, y)) & 3) as u8
    }

    /// π·10000·x·y of the original world, whose low bits and fraction look random; for other seeds a hash of the same
    /// form, in [0, 2³²) with 20 bits after the point. Beyond |x·y| of 2.9·10¹¹ a 64-bit float holds no fraction
    /// of the product: there the original world's trees stand in rows and its mines are rock.
    pub(super) fn turns(&self, name: &str, x: i64, y: i64) -> f64 {
        match self.seed.0 {
            0 => PI_10000 * x as f64 * y as f64,
            _ => (self.seed.of(name).at(x, y) >> 12) as f64 / (1u64 << 20) as f64,
        }
    }

    /// Whether π·10000·x·y still has fraction bits at a place. In the original world it has none beyond |x·y| of 2.9·10¹¹, where
    /// a 64-bit float holds no fraction of the product.
    pub(super) fn has_bits(&self, (x, y): Place) -> bool {
        self.seed.0 != 0 || (PI_10000 * x as f64 * y as f64).abs() < (1u64 << 53) as f64
    }

    /// ⌊π·1000·x·y⌋ of the original world, or a hash: bits that belong to a place.
    pub(super) fn place_bits(&self, (x, y): Place) -> i64 {
        match self.seed.0 {
            0 => (PI_1000 * x as f64 * y as f64).trunc() as i64,
            _ => (self.seed.of("bits").at(x, y) >> 1) as i64,
        }
    }
}

/// The fraction, in [0, 1).
pub(super) fn fraction(v: f64) -> f64 {
    v - v.floor()
}
