//! Sums of one profile laid out in several directions: Graham Relf's ground.
//!
//! A *wave* is a [`Profile`] whose value at a place depends only on the distance along one direction. Five waves in
//! different directions make a surface without edges that is a pure function of place. Two readings of it:
//!
//! - [`Waves::height`]: smooth, by linear interpolation between the values of the profile;
//! - [`Waves::steps`]: whole numbers, without interpolation.
//!
//! [`Rows`] gives the same numbers for rows of whole places, many times faster.

pub mod original;
mod profile;
mod rows;
mod spread;

pub use profile::{ORIGINAL, Profile};
pub use rows::{Reading, Rows};

use crate::math;
use crate::seed::Seed;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// Waves in a sum.
pub const COUNT: usize = 5;

/// Parts of one step of the profile: coefficients are given in these.
pub const PARTS: i64 = 128;

const RECIPROCAL: f64 = 1.0 / PARTS as f64;

/// A profile along one direction.
#[derive(Clone, Debug)]
pub struct Wave {
    /// How far along the profile a metre along each of the three axes leads, in 1/128.
    pub along: [i64; 3],
    /// Where on the profile the origin is, in 1/128.
    pub phase: i64,
    /// The profile.
    pub profile: Arc<Profile>,
}

/// Five waves, to be added.
#[derive(Clone, Debug)]
pub struct Waves {
    /// The waves.
    pub each: [Wave; COUNT],
}

/// What a drawn set of waves is for, which decides the third axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Third {
    /// Time: directions lie in the plane, and a unit of the third axis leads a few parts along the profile.
    Time,
    /// Depth: directions are spread over the sphere.
    Depth,
}

impl Waves {
    /// Waves of one profile with the given coefficients along the three axes.
    pub fn new(profile: &Arc<Profile>, a: [i64; COUNT], b: [i64; COUNT], c: [i64; COUNT]) -> Self {
        let wave = |i: usize| Wave { along: [a[i], b[i], c[i]], phase: 0, profile: Arc::clone(profile) };
        Self { each: std::array::from_fn(wave) }
    }

    /// Waves of a seed: profiles of the given lengths (different primes), directions that differ by 36° give or take 12,
    /// and between `least` and `most` parts of the profile a metre.
    ///
    /// The first coefficient is odd, so that it has no factor in common with 128 times a prime: every row visits the
    /// whole profile. Directions are drawn again until the sum repeats nowhere within `repeat_m` ([`Waves::repeat_m`]).
    pub fn drawn(
        seed: Seed,
        lengths: [usize; COUNT],
        (least, most): (f64, f64),
        third: Third,
        repeat_m: f64,
    ) -> Self {
        let profiles = lengths.map(|length| Arc::new(Profile::drawn(seed.of("profile"), length)));
        let directions = seed.of("directions");
        let draw = |attempt: i64| -> Self {
            let unit = |i: usize, what: i64| directions.unit_at(attempt * COUNT as i64 + i as i64, what);
            let turn = unit(0, 0) * TAU;
            let wave = |i: usize| {
                let angle = turn + i as f64 * PI / COUNT as f64 + (unit(i, 1) - 0.5) * (24.0 / 180.0 * PI);
                let length = least + (most - least) * unit(i, 2);
                let (flat, c) = match third {
                    Third::Time => (length, 1 + (unit(i, 3) * 4.0) as i64),
                    Third::Depth => {
                        // Evenly over the sphere: the height of a point is even over [−1, 1).
                        let up = ((i as f64 + unit(i, 3)) / COUNT as f64) * 2.0 - 1.0;
                        (length * (1.0 - up * up).sqrt(), (length * up + 0.5).floor() as i64)
                    }
                };
                let a = (flat * math::cos(angle) + 0.5).floor() as i64 | 1;
                let b = (flat * math::sin(angle) + 0.5).floor() as i64;
                let c = if third == Third::Time && i % 2 == 1 { -c } else { c };
                let phase = (unit(i, 4) * (lengths[i] as i64 * PARTS) as f64) as i64;
                Wave { along: [a, b, c], phase, profile: Arc::clone(&profiles[i]) }
            };
            Self { each: std::array::from_fn(wave) }
        };
        (0..).map(draw).find(|waves| waves.repeat_m() >= repeat_m).expect("some directions do")
    }

    /// The sum of the interpolated values at a place, with j = (a·x + b·y + c·z + phase) / 128:
    /// Σ p\[⌊j⌋\] + (j − ⌊j⌋)·(p\[⌊j⌋ + 1\] − p\[⌊j⌋\]). Reach: point.
    ///
    /// At whole places every value is an exact multiple of 1/128.
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

    /// The sum of the values at a place, without interpolation. Reach: point.
    #[inline]
    pub fn steps(&self, [x, y, z]: [f64; 3]) -> u32 {
        self.each.iter().fold(0, |sum, wave| {
            let [a, b, c] = wave.along;
            let j = floor(a as f64 * x + b as f64 * y + c as f64 * z + wave.phase as f64);
            sum + wave.profile.at(j >> 7) as u32
        })
    }

    /// Length of the shortest way (dx, dy) in metres after which all waves repeat exactly.
    ///
    /// A wave repeats where a·dx + b·dy is a multiple of 128·length. For profiles of one length of 2ⁿ that is a square
    /// lattice; for profiles of different odd lengths it is, with the first coefficients odd, the lattice of
    /// 128·(M, 0) and 128·(T, 1), where M is the product of the lengths and T solves a·T + b ≡ 0 for each of them. The shortest
    /// vector is found by the reduction of Lagrange and Gauss.
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
            // T ≡ −b / a, joined to what the other lengths ask for.
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
            // v is the shorter one; take as much of it out of u as helps.
            let times = (2 * dot(u, v) + dot(v, v)).div_euclid(2 * dot(v, v));
            if times == 0 {
                return (dot(v, v) as f64).sqrt() * PARTS as f64;
            }
            u = (u.0 - times * v.0, u.1 - times * v.1);
        }
    }
}

/// The largest whole number that is not above `v`, without the call that `f64::floor` is on the oldest processors.
#[inline]
fn floor(v: f64) -> i64 {
    let toward_zero = v as i64;
    toward_zero.saturating_sub(i64::from(toward_zero as f64 > v))
}

/// The nearest whole number, of two equally near ones the greater: ⌊v + ½⌋ without rounding the sum. What does not fit into
/// 64 bits becomes the least or the greatest that does.
#[inline]
pub fn round(v: f64) -> i64 {
    let below = floor(v);
    below.saturating_add(i64::from(v - below as f64 >= 0.5))
}

/// The number whose product with `a` leaves 1 when divided by `modulus`; both without a common factor.
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
            let waves = Waves::drawn(Seed(seed), LENGTHS, (24.0, 30.0), Third::Time, 1e9);
            assert!(waves.repeat_m() >= 1e9, "{seed}: {}", waves.repeat_m());
            for w in &waves.each {
                assert!(w.along[0] % 2 != 0);
            }
        }
    }

    #[test]
    fn heights_at_whole_places_are_multiples_of_a_128th() {
        let waves = Waves::drawn(Seed(7), LENGTHS, (24.0, 30.0), Third::Time, 1e9);
        for k in 0..1000 {
            let (x, y) = (k as f64 * 999_983.0 - 5e8, k as f64 * -1_000_003.0 + 4e8);
            let h = waves.height([x, y, 0.0]) * 128.0;
            assert_eq!(h, h.floor());
        }
    }
}
