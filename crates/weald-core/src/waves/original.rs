//! The coefficients of Graham Relf's Forest (1983, in the public domain), with a third one each for space.
//!
//! The coefficients along x and y are those of the original; with them alone all directions lie in one plane. Those along z
//! were chosen so that a set also serves in space: of all whole numbers up to ±40 (heights), ±60 (kinds 1 and 2) and ±70
//! (the others), they make the smallest angle between two directions of a set, regardless of sign, as large as possible.
//!
//! ```
//! use weald_core::waves::original;
//!
//! let ground = original::waves(original::HEIGHT);
//! // At the origin every wave has the first value of the profile, 77.
//! assert_eq!(ground.height([0.0; 3]), 5.0 * 77.0);
//! ```

use super::{COUNT, Profile, Waves};
use std::sync::Arc;

/// Coefficients of five waves along x, along y and along z.
pub type Set = [[i64; COUNT]; 3];

/// Heights: AH, BH. The closest two directions are 50.6° apart.
pub const HEIGHT: Set = [[0, 13, 21, 22, 29], [27, 26, 21, 11, 1], [15, -40, 1, 37, -15]];

/// The first set for kinds of ground: A1, B1. 46.4° apart.
pub const KIND_1: Set = [[-43, -43, -56, 31, 4], [-3, -12, 22, 2, 32], [-60, 13, -13, -60, -4]];

/// The second set for kinds of ground: A2, B2. 58.1° apart.
pub const KIND_2: Set = [[-24, -25, 60, 10, -30], [15, -54, -34, -51, -43], [28, 60, 42, -3, -60]];

/// The third set for kinds of ground: A3, B3. 54.1° apart.
pub const KIND_3: Set = [[-51, -62, -58, -64, 33], [-44, 20, 27, -64, -44], [30, -7, 70, -63, 70]];

/// The set for point features: B2, A3. 43.7° apart.
pub const FEATURE: Set = [KIND_2[1], KIND_3[0], [7, -5, -70, 70, 30]];

/// Waves of the original profile with the coefficients of a set.
pub fn waves([a, b, c]: Set) -> Waves {
    Waves::new(&Arc::new(Profile::original()), a, b, c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;

    /// The least angle between two directions of a set, regardless of sign, in degrees.
    fn apart_deg([a, b, c]: Set) -> f64 {
        let v: [[f64; 3]; COUNT] = std::array::from_fn(|i| [a[i], b[i], c[i]].map(|k| k as f64));
        let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        let pairs = (0..COUNT).flat_map(|i| (0..i).map(move |j| (i, j)));
        let angles = pairs.map(|(i, j)| {
            let along = dot(v[i], v[j]);
            let square = dot(v[i], v[i]) * dot(v[j], v[j]) - along * along;
            math::atan2(square.max(0.0).sqrt(), along.abs()).to_degrees()
        });
        angles.fold(90.0, f64::min)
    }

    #[test]
    fn no_two_directions_of_a_set_are_nearly_parallel() {
        for (set, least) in [(HEIGHT, 50.6), (KIND_1, 46.3), (KIND_2, 58.1), (KIND_3, 54.0), (FEATURE, 43.6)]
        {
            let apart = apart_deg(set);
            assert!((least..least + 0.2).contains(&apart), "{set:?}: {apart}");
        }
    }
}
