//! What is at a place on the sphere: the document's `terra` in space.

use super::classes::*;
use super::sphere::{FACES, Vector};
use std::f64::consts::PI;
use weald_core::Seed;
use weald_core::waves::{Waves, original};

/// The level below which the document has lakes, and mud where they have fallen.
pub const DOCUMENT_LEVEL: f64 = 204.0;

/// Lengths of the profiles of a drawn planet: primes near 256.
const LENGTHS: [usize; 5] = [241, 251, 257, 263, 269];

/// By how much the first coordinate of a pair is moved from face to face in the test for features.
const FACE_STEP: i64 = 100_003;

/// The planet as a function of place.
pub struct Ground {
    height: Waves,
    towns: Waves,
    kind_a: Waves,
    kind_b: Waves,
    features: Features,
    level: f64,
}

/// How features are found.
enum Features {
    /// As the document does.
    Original(Waves),
    /// By hashing the pair of coordinates; one stream for each face.
    Hashed([Seed; 6]),
}

impl Ground {
    /// Seed 0 has the document's profile and coefficients; any other seed its own, drawn with directions that are at
    /// least 40° apart.
    pub fn new(seed: Seed, lake_level: f64) -> Self {
        let [height, towns, kind_a, kind_b] = [
            (original::HEIGHT, "height", (26.0, 36.0)),
            (original::KIND_1, "towns", (45.0, 75.0)),
            (original::KIND_2, "kind a", (45.0, 75.0)),
            (original::KIND_3, "kind b", (55.0, 85.0)),
        ]
        .map(|(set, stream, parts)| match seed.0 {
            0 => original::waves(set),
            _ => Waves::drawn_apart(seed.of(stream), LENGTHS, parts, 40.0),
        });
        let features = match seed.0 {
            0 => Features::Original(original::waves(original::FEATURE)),
            _ => Features::Hashed(FACES.map(|f| seed.of("features").of(f.name))),
        };
        Self { height, towns, kind_a, kind_b, features, level: lake_level }
    }

    /// Height of the ground at a place, under water too. Reach: point.
    #[inline]
    pub fn height(&self, place: Vector) -> f64 {
        self.height.height(place)
    }

    /// The kind of ground at a place whose ground has this height: lake below the level; else mud below 204; else town if
    /// s₁ < 120; else with a = s₂ and b = s₃ grass if a < 255 and b < 255, moor if a < 255, thicket if b < 200, wood; where
    /// sᵢ is the sum of steps of the i-th set ([`Waves::steps`]). Reach: point.
    pub fn kind(&self, place: Vector, height: f64) -> u8 {
        if height < self.level {
            return LAKE;
        }
        if height < DOCUMENT_LEVEL {
            return MUD;
        }
        if self.towns.steps(place) < 120 {
            return TOWN;
        }
        let open = self.kind_a.steps(place) < 255;
        let b = self.kind_b.steps(place);
        match open {
            true if b < 255 => GRASS,
            true => MOOR,
            false if b < 200 => THICKET,
            false => WOOD,
        }
    }

    /// The feature at the crossing of the rings u and v on a face, were the ground fit for it. `place` is the crossing; u
    /// and v are its two whole coordinates in the order of the axes.
    ///
    /// Seed 0: with p = (u + 100003·face)·v in 64 bits and a the sum of steps of B2 and A3 at the place,
    /// f = ⌊a·p/128 + ½⌋ mod 4096. f = 4: by p mod 256 mine below 32, boulder below 128, waterhole below 160, knoll below
    /// 200, else root. f = 8 and ⌊1000π·p + ½⌋ mod 256 < 4: x. f = 16 and ⌊10000π·p + ½⌋ mod 256 < 8: cone. The
    /// sign of the third coordinate is in `face` and in the place. Any other seed: f is 12 bits and the byte 8 bits
    /// of a hash of face, u and v. Reach: point.
    #[inline]
    pub fn feature(&self, face: usize, [u, v]: [i64; 2], place: Vector) -> u8 {
        let round = |value: f64| (value + 0.5).floor() as i64;
        match &self.features {
            Features::Original(waves) => {
                let p = (u + FACE_STEP * face as i64).wrapping_mul(v);
                let a = waves.steps(place) as i64;
                match round(a.wrapping_mul(p) as f64 * (1.0 / 128.0)) & 0xfff {
                    4 => of_byte((p & 0xff) as u8),
                    8 if round(PI * 1000.0 * p as f64) & 0xff < 4 => X,
                    16 if round(PI * 10000.0 * p as f64) & 0xff < 8 => CONE,
                    _ => NONE,
                }
            }
            Features::Hashed(streams) => {
                let hash = streams[face].at(u, v);
                let byte = (hash >> 12) as u8;
                match hash & 0xfff {
                    4 => of_byte(byte),
                    8 if byte < 4 => X,
                    16 if byte < 8 => CONE,
                    _ => NONE,
                }
            }
        }
    }
}

/// Which of the common features a byte means.
fn of_byte(byte: u8) -> u8 {
    match byte {
        0..32 => MINE,
        32..128 => BOULDER,
        128..160 => WATERHOLE,
        160..200 => KNOLL,
        _ => ROOT,
    }
}
