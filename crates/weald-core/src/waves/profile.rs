//! Periodic profiles of whole numbers.

use crate::math;
use crate::seed::Seed;
use std::f64::consts::TAU;

/// The profile of Graham Relf's Forest (1983), in the public domain: 256 heights from 2 to 138.
pub const ORIGINAL: [u8; 256] = [
    77, 80, 84, 88, 92, 96, 101, 104, 108, 112, 115, 118, 120, 123, 126, 129, 131, 133, 134, 134, 133, 133,
    131, 130, 129, 126, 123, 122, 122, 122, 123, 125, 126, 130, 134, 137, 137, 138, 138, 137, 135, 133, 129,
    123, 118, 111, 105, 101, 97, 93, 90, 86, 82, 78, 74, 71, 69, 67, 67, 67, 66, 67, 69, 71, 73, 74, 73, 73,
    71, 69, 66, 62, 58, 54, 52, 52, 54, 55, 58, 59, 62, 63, 63, 65, 65, 65, 66, 66, 67, 69, 70, 73, 77, 80,
    82, 85, 88, 90, 93, 95, 96, 96, 96, 96, 93, 92, 90, 85, 80, 75, 71, 67, 63, 60, 58, 55, 52, 50, 47, 44,
    43, 41, 40, 39, 36, 35, 33, 32, 30, 28, 24, 20, 15, 11, 7, 3, 2, 2, 2, 2, 2, 2, 3, 6, 7, 10, 11, 15, 18,
    22, 24, 25, 25, 26, 26, 25, 25, 25, 25, 25, 26, 28, 29, 30, 33, 36, 37, 39, 39, 40, 40, 40, 39, 39, 39,
    37, 37, 37, 36, 36, 36, 35, 35, 33, 33, 32, 30, 28, 25, 20, 15, 11, 10, 9, 9, 9, 9, 11, 14, 15, 17, 17,
    18, 18, 18, 18, 18, 18, 17, 17, 17, 15, 14, 13, 11, 11, 10, 10, 10, 11, 13, 14, 17, 20, 22, 25, 28, 30,
    35, 39, 41, 45, 50, 58, 63, 69, 73, 77, 80, 82, 84, 84, 85, 85, 84, 84, 82, 81, 80, 75, 73, 71, 71, 73,
    74, 75,
];

/// A periodic sequence of whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The values, and the first one again at the end.
    values: Vec<u8>,
}

impl Profile {
    /// The profile of [`ORIGINAL`].
    pub fn original() -> Self {
        Self::closed(ORIGINAL.to_vec())
    }

    /// A random profile of the same character as [`ORIGINAL`], with `length` values.
    ///
    /// Its shape is the sum over k of w(k)·cos(2π·k·i / length + 2π·v), with u and v hashes in [0, 1) and κ = 256·k / length
    /// the number of waves per 256 values. As in [`ORIGINAL`], one wave per 256 values dominates: w = 1 for the k nearest to
    /// κ = 1, and w = κ^−1.2·(0.3 + 1.4·u) / √(length / 256) for 1.5 ≤ κ ≤ 20. The sum decides only the order of the values:
    /// the value of rank r is the one that [`ORIGINAL`] has at the same share of its ranks. Every profile therefore has the
    /// same shares of high and low ground.
    ///
    /// ```
    /// use weald_core::Seed;
    /// use weald_core::waves::Profile;
    ///
    /// let profile = Profile::drawn(Seed(1), 257);
    /// assert_eq!(profile.length(), 257);
    /// assert_eq!(profile.at(-1), profile.at(256));
    /// ```
    pub fn drawn(seed: Seed, length: usize) -> Self {
        let (waves, main) = (20 * length / 256, ((length + 128) / 256).max(1));
        let finer = (256.0 / length as f64).sqrt();
        let mut sums = vec![0.0f64; length];
        for k in 1..=waves {
            let per_256 = 256.0 * k as f64 / length as f64;
            let weight = match () {
                () if k == main => 1.0,
                () if per_256 < 1.5 => continue,
                () => math::pow(per_256, -1.2) * (0.3 + 1.4 * seed.unit_at(k as i64, 0)) * finer,
            };
            let shift = seed.unit_at(k as i64, 1) * TAU;
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += weight * math::cos((k * i % length) as f64 * TAU / length as f64 + shift);
            }
        }
        let mut order: Vec<usize> = (0..length).collect();
        order.sort_by(|&a, &b| sums[a].total_cmp(&sums[b]).then(a.cmp(&b)));
        let mut sorted = ORIGINAL;
        sorted.sort_unstable();
        let mut values = vec![0; length];
        for (rank, &i) in order.iter().enumerate() {
            values[i] = sorted[(2 * rank + 1) * 256 / (2 * length)];
        }
        Self::closed(values)
    }

    fn closed(mut values: Vec<u8>) -> Self {
        values.push(values[0]);
        Self { values }
    }

    /// Number of values in a period.
    pub fn length(&self) -> usize {
        self.values.len() - 1
    }

    /// The value at a whole position.
    #[inline]
    pub fn at(&self, place: i64) -> u8 {
        self.values[self.index(place)]
    }

    /// The values at a whole position and at the next one.
    #[inline]
    pub fn pair(&self, place: i64) -> (u8, u8) {
        let i = self.index(place);
        (self.values[i], self.values[i + 1])
    }

    #[inline]
    fn index(&self, place: i64) -> usize {
        let length = self.length();
        if length == 256 { (place & 0xff) as usize } else { place.rem_euclid(length as i64) as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_profile_has_the_shares_and_the_steepness_of_the_original() {
        let steep = |p: &Profile| {
            let n = p.length() as i64;
            (0..n).map(|i| (p.at(i) as f64 - p.at(i + 1) as f64).abs()).sum::<f64>() / n as f64
        };
        let mean = |p: &Profile| {
            let n = p.length() as i64;
            (0..n).map(|i| p.at(i) as f64).sum::<f64>() / n as f64
        };
        let original = Profile::original();
        for seed in 1..40 {
            for length in [251, 1021] {
                let drawn = Profile::drawn(Seed(seed), length);
                assert!((mean(&drawn) - mean(&original)).abs() < 0.5, "{seed} {length}: {}", mean(&drawn));
                let ratio = steep(&drawn) / steep(&original);
                assert!((0.6..2.0).contains(&ratio), "{seed} {length}: {ratio}");
            }
        }
    }

    #[test]
    fn a_profile_is_closed() {
        let p = Profile::drawn(Seed(3), 257);
        assert_eq!(p.at(-1), p.at(256));
        assert_eq!(p.pair(256), (p.at(256), p.at(0)));
        assert_eq!(Profile::original().at(-256), 77);
    }
}
