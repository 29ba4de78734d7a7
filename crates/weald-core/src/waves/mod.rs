//! Sums of periodic profiles along several directions: the terrain of Graham Relf's Forest.
//!
//! A *wave* is a [`Profile`] whose value at a point depends only on the distance along one direction. The sum of five waves
//! in different directions is a surface without edges that is a pure function of the point. It can be read in two ways:
//!
//! - [`Waves::height`]: continuous, by linear interpolation between the values of the profile;
//! - [`Waves::steps`]: whole numbers, without interpolation.
//!
//! [`Rows`] gives the same numbers along rows of points with whole coordinates, many times faster.
//!
//! Five directions leave stripes. [`EvenWaves`] is a sum of 32 waves whose directions are spread evenly in space, with heights
//! like those of five waves and without stripes.

mod even;
pub mod original;
mod profile;
mod rows;

pub use even::EvenWaves;
pub use profile::{ORIGINAL, Profile};
pub use rows::{HeightRows, Reading, Rows};

use crate::math;
use crate::seed::Seed;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// Number of waves in a sum.
pub const COUNT: usize = 5;

/// Parts in one step of the profile. Coefficients are given in parts.
pub const PARTS: i64 = 128;

const RECIPROCAL: f64 = 1.0 / PARTS as f64;

/// A profile along one direction.
#[derive(Clone, Debug)]
pub struct Wave {
    /// Parts of the profile per metre along each of the three axes.
    pub along: [i64; 3],
    /// Position of the origin on the profile, in parts.
    pub phase: i64,
    /// The profile.
    pub profile: Arc<Profile>,
}

/// A sum of five waves.
#[doc(alias = "sum of sines")]
#[derive(Clone, Debug)]
pub struct Waves {
    /// The waves.
    pub each: [Wave; COUNT],
}

/// How a random set of waves is drawn ([`Waves::drawn`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaveRule {
    /// Lengths of the five profiles: different primes.
    pub lengths: [usize; COUNT],
    /// The least and the greatest number of parts of the profile per metre.
    pub parts_per_m: (f64, f64),
    /// The sum repeats nowhere within this distance, in metres.
    pub repeat_m: f64,
}

/// Hills of the size of the original ones, in the plane, without a bound on the distance at which they repeat.
impl Default for WaveRule {
    fn default() -> Self {
        Self { lengths: [241, 251, 257, 263, 269], parts_per_m: (24.0, 30.0), repeat_m: 0.0 }
    }
}

impl Waves {
    /// Waves of one profile with the given coefficients along the three axes.
    pub fn new(profile: &Arc<Profile>, a: [i64; COUNT], b: [i64; COUNT], c: [i64; COUNT]) -> Self {
        let wave = |i: usize| Wave { along: [a[i], b[i], c[i]], phase: 0, profile: Arc::clone(profile) };
        Self { each: std::array::from_fn(wave) }
    }

    /// The random waves of a seed: profiles of the given lengths in directions of the plane that differ by 36° ± 12°. The
    /// third axis is time, a unit of which shifts a wave by up to 4 parts of its profile.
    ///
    /// The first coefficient is odd, so that it has no factor in common with 128 times a prime and every row visits the
    /// whole profile. Directions are drawn again until the sum repeats nowhere within `repeat_m` ([`Waves::repeat_m`]).
    ///
    /// ```
    /// use weald_core::Seed;
    /// use weald_core::waves::{WaveRule, Waves};
    ///
    /// let waves = Waves::drawn(Seed(5), &WaveRule { repeat_m: 100_000.0, ..WaveRule::default() });
    /// assert!(waves.repeat_m() >= 100_000.0);
    /// // Five profiles with values from 2 to 138.
    /// assert!((10.0..=690.0).contains(&waves.height([12.5, -3.0, 0.0])));
    /// ```
    pub fn drawn(seed: Seed, rule: &WaveRule) -> Self {
        let WaveRule { lengths, parts_per_m: (least, most), repeat_m } = *rule;
        let profiles = lengths.map(|length| Arc::new(Profile::drawn(seed.of("profile"), length)));
        let directions = seed.of("directions");
        let draw = |attempt: i64| -> Self {
            let unit = |i: usize, what: i64| directions.unit_at(attempt * COUNT as i64 + i as i64, what);
            let turn = unit(0, 0) * TAU;
            let wave = |i: usize| {
                let angle = turn + i as f64 * PI / COUNT as f64 + (unit(i, 1) - 0.5) * (24.0 / 180.0 * PI);
                let length = least + (most - least) * unit(i, 2);
                let a = (length * math::cos(angle) + 0.5).floor() as i64 | 1;
                let b = (length * math::sin(angle) + 0.5).floor() as i64;
                let c = 1 + (unit(i, 3) * 4.0) as i64;
                let c = if i % 2 == 1 { -c } else { c };
                let phase = (unit(i, 4) * (lengths[i] as i64 * PARTS) as f64) as i64;
                Wave { along: [a, b, c], phase, profile: Arc::clone(&profiles[i]) }
            };
            Self { each: std::array::from_fn(wave) }
        };
        (0..).map(draw).find(|waves| waves.repeat_m() >= repeat_m).expect("some directions do")
    }

    /// The sum of the interpolated values at a point (x, y, z): Σ p\[⌊j⌋\] + (j − ⌊j⌋)·(p\[⌊j⌋ + 1\] − p\[⌊j⌋\]) with p the
    /// profile, j = (a·x + b·y + c·z + phase) / 128 and a, b, c the coefficients of a wave. Reach: point.
    ///
    /// At points with whole coordinates every value is an exact multiple of 1/128.
    ///
    /// ```
    /// use weald_core::waves::original;
    ///
    /// let ground = original::waves(original::HEIGHT);
    /// let here = ground.height([100.0, 200.0, 0.0]);
    /// assert_eq!((here * 128.0).fract(), 0.0);
    /// // The waves of one profile of 256 values repeat after 128 · 256 m.
    /// assert_eq!(ground.height([100.0 + 32_768.0, 200.0, 0.0]), here);
    /// ```
    #[inline]
    pub fn height(&self, [x, y, z]: [f64; 3]) -> f64 {
        self.each.iter().fold(0.0, |sum, wave| {
            let [a, b, c] = wave.along;
            let j = (a as f64 * x + b as f64 * y + c as f64 * z + wave.phase as f64) * RECIPROCAL;
            let whole = floor(j);
            let (here, next) = wave.profile.pair(whole);
            sum + (here as f64 + (j - whole as f64) * (next as i32 - here as i32) as f64)
        })
    }

    /// The sum of the values at a point, without interpolation: Σ p\[⌊j⌋\], with j as in [`Waves::height`]. Reach: point.
    ///
    /// ```
    /// use weald_core::waves::original;
    ///
    /// let towns = original::waves(original::KIND_1);
    /// assert_eq!(towns.steps([0.0; 3]), 5 * 77);
    /// ```
    #[inline]
    pub fn steps(&self, [x, y, z]: [f64; 3]) -> u32 {
        self.each.iter().fold(0, |sum, wave| {
            let [a, b, c] = wave.along;
            let j = floor(a as f64 * x + b as f64 * y + c as f64 * z + wave.phase as f64);
            sum + wave.profile.at(j >> 7) as u32
        })
    }

    /// As [`Waves::steps`], but with j rounded towards zero rather than down, as an integer cast or JavaScript's `j & 0xff`
    /// does: on the negative side every step lies one part further out. Reach: point.
    ///
    /// ```
    /// use weald_core::waves::original;
    ///
    /// let waves = original::waves([[1, 0, 0, 0, 0], [0; 5], [0; 5]]);
    /// assert_eq!((waves.steps([-1.0, 0.0, 0.0]), waves.steps_towards_zero([-1.0, 0.0, 0.0])), (383, 385));
    /// ```
    #[inline]
    pub fn steps_towards_zero(&self, [x, y, z]: [f64; 3]) -> u32 {
        self.each.iter().fold(0, |sum, wave| {
            let [a, b, c] = wave.along;
            let j = (a as f64 * x + b as f64 * y + c as f64 * z + wave.phase as f64) * RECIPROCAL;
            sum + wave.profile.at(j as i64) as u32
        })
    }

    /// Length in metres of the shortest vector (dx, dy) after which all waves repeat exactly.
    ///
    /// A wave repeats where a·dx + b·dy is a multiple of 128·length. For profiles of one length of 2ⁿ these vectors form a
    /// square lattice. For profiles of different odd lengths whose first coefficients are odd, they form the lattice of
    /// 128·(M, 0) and 128·(T, 1), where M is the product of the lengths and T solves a·T + b ≡ 0 for each of them. The
    /// shortest vector is found by the reduction of Lagrange and Gauss. 0 if the waves do not fit these cases.
    ///
    /// ```
    /// use weald_core::waves::original;
    ///
    /// assert_eq!(original::waves(original::HEIGHT).repeat_m(), 128.0 * 256.0);
    /// ```
    #[doc(alias = "period")]
    pub fn repeat_m(&self) -> f64 {
        let lengths = self.each.each_ref().map(|w| w.profile.length() as i128);
        let odd_pair = self.each.iter().enumerate().any(|(i, v)| {
            self.each[..i].iter().any(|w| (v.along[0] * w.along[1] - v.along[1] * w.along[0]) % 2 != 0)
        });
        if !odd_pair {
            return 0.0;
        }
        if lengths.iter().all(|&l| l == lengths[0]) {
            return (PARTS as i128 * lengths[0]) as f64;
        }
        let (mut modulus, mut t) = (1i128, 0i128);
        for (wave, length) in self.each.iter().zip(lengths) {
            let (a, b) = (wave.along[0] as i128, wave.along[1] as i128);
            if a.rem_euclid(length) == 0 {
                return 0.0;
            }
            // T ≡ −b / a, combined with the congruences of the other lengths.
            let wanted = (-b).rem_euclid(length) * inverse(a.rem_euclid(length), length) % length;
            let lift = (wanted - t).rem_euclid(length) * inverse(modulus % length, length) % length;
            t += modulus * lift;
            modulus *= length;
        }
        let (mut u, mut v) = ((modulus, 0i128), (t, 1i128));
        let dot = |p: (i128, i128), q: (i128, i128)| p.0 * q.0 + p.1 * q.1;
        loop {
            if dot(v, v) > dot(u, u) {
                (u, v) = (v, u);
            }
            // v is the shorter vector; subtract the multiple of it that makes u shortest.
            let times = (2 * dot(u, v) + dot(v, v)).div_euclid(2 * dot(v, v));
            if times == 0 {
                return (dot(v, v) as f64).sqrt() * PARTS as f64;
            }
            u = (u.0 - times * v.0, u.1 - times * v.1);
        }
    }
}

/// The largest whole number that is at most `v`, without the function call that `f64::floor` is on the oldest processors.
#[inline]
fn floor(v: f64) -> i64 {
    let toward_zero = v as i64;
    toward_zero.saturating_sub(i64::from(toward_zero as f64 > v))
}

/// The nearest whole number, with halves rounded up: ⌊v + ½⌋ without rounding the sum. Results that do not fit into 64 bits
/// saturate.
///
/// ```
/// use weald_core::waves::round;
///
/// assert_eq!((round(2.5), round(-2.5), round(0.49999999999999994)), (3, -2, 0));
/// ```
#[inline]
pub fn round(v: f64) -> i64 {
    let below = floor(v);
    below.saturating_add(i64::from(v - below as f64 >= 0.5))
}

/// The inverse of `a` modulo `modulus`; the two have no common factor.
fn inverse(a: i128, modulus: i128) -> i128 {
    let (mut old, mut rest) = ((a, 1i128), (modulus, 0i128));
    while rest.0 != 0 {
        let times = old.0 / rest.0;
        (old, rest) = (rest, (old.0 - times * rest.0, old.1 - times * rest.1));
    }
    old.1.rem_euclid(modulus)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTHS: [usize; COUNT] = [1009, 1013, 1019, 1021, 1031];

    #[test]
    fn an_inverse_gives_one() {
        for (a, m) in [(3, 7), (10, 17), (1, 5), (12345, 1_000_003)] {
            assert_eq!(a * inverse(a, m) % m, 1);
        }
    }

    #[test]
    fn the_original_repeats_after_32768_metres() {
        let profile = Arc::new(Profile::original());
        let waves = Waves::new(&profile, [0, 13, 21, 22, 29], [27, 26, 21, 11, 1], [0; 5]);
        assert_eq!(waves.repeat_m(), 32768.0);
        assert_eq!(waves.height([17.25, -3.5, 0.0]), waves.height([17.25 + 32768.0, -3.5 - 32768.0, 0.0]));
    }

    #[test]
    fn the_shortest_repeat_is_a_repeat_and_is_found_on_a_small_lattice() {
        // Small lengths, so that the repeat can be looked for.
        let profiles = [3usize, 5, 7, 11, 13].map(|l| Arc::new(Profile::drawn(Seed(5), l)));
        let along = [[1, 2, 0], [3, -1, 0], [1, 4, 0], [-1, 3, 0], [5, 2, 0]];
        let each =
            std::array::from_fn(|i| Wave { along: along[i], phase: 9, profile: Arc::clone(&profiles[i]) });
        let waves = Waves { each };
        let all = |dx: i64, dy: i64| {
            waves
                .each
                .iter()
                .all(|w| (w.along[0] * dx + w.along[1] * dy) % (PARTS * w.profile.length() as i64) == 0)
        };
        let mut shortest = f64::INFINITY;
        for dy in 0..200i64 {
            for dx in -200..200i64 {
                if (dx, dy) != (0, 0) && all(dx * PARTS, dy * PARTS) {
                    shortest = shortest.min(((dx * dx + dy * dy) as f64).sqrt() * PARTS as f64);
                }
            }
        }
        assert_eq!(waves.repeat_m(), shortest);
    }

    #[test]
    fn drawn_waves_repeat_beyond_any_walk() {
        for seed in 1..=50 {
            let waves = Waves::drawn(
                Seed(seed),
                &WaveRule { lengths: LENGTHS, repeat_m: 1e9, ..WaveRule::default() },
            );
            assert!(waves.repeat_m() >= 1e9, "{seed}: {}", waves.repeat_m());
            for w in &waves.each {
                assert!(w.along[0] % 2 != 0);
            }
        }
    }

    #[test]
    fn heights_at_whole_places_are_multiples_of_a_128th() {
        let waves =
            Waves::drawn(Seed(7), &WaveRule { lengths: LENGTHS, repeat_m: 1e9, ..WaveRule::default() });
        for k in 0..1000 {
            let (x, y) = (k as f64 * 999_983.0 - 5e8, k as f64 * -1_000_003.0 + 4e8);
            let h = waves.height([x, y, 0.0]) * 128.0;
            assert_eq!(h, h.floor());
        }
    }
}
