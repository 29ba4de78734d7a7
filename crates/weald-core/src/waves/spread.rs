//! Angles between the directions of a set of waves.

use super::{COUNT, Third, WaveRule, Waves};
use crate::math;
use crate::seed::Seed;

impl Waves {
    /// The least angle between the directions of two waves, regardless of sign, in degrees: 0 to 90.
    ///
    /// ```
    /// use weald_core::waves::original;
    ///
    /// assert!(original::waves(original::HEIGHT).apart_deg() > 50.0);
    /// ```
    pub fn apart_deg(&self) -> f64 {
        let v = self.each.each_ref().map(|w| w.along.map(|c| c as f64));
        let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        let mut least = 90.0f64;
        for i in 0..COUNT {
            for j in 0..i {
                let along = dot(v[i], v[j]);
                let square = dot(v[i], v[i]) * dot(v[j], v[j]) - along * along;
                let angle = math::atan2(square.max(0.0).sqrt(), along.abs());
                least = least.min(angle.to_degrees());
            }
        }
        least
    }

    /// Random waves in space ([`Third::Depth`]), drawn again until all directions are at least `apart_deg` apart; `parts` are
    /// the least and the greatest number of parts of the profile per metre. Without that condition two directions are often
    /// nearly parallel, which leaves visible stripes.
    ///
    /// ```
    /// use weald_core::Seed;
    /// use weald_core::waves::Waves;
    ///
    /// let waves = Waves::drawn_apart(Seed(3), [241, 251, 257, 263, 269], (26.0, 36.0), 40.0);
    /// assert!(waves.apart_deg() >= 40.0);
    /// ```
    ///
    /// # Panics
    /// If `apart_deg` is above 50, which five directions hardly ever reach.
    pub fn drawn_apart(seed: Seed, lengths: [usize; COUNT], parts: (f64, f64), apart_deg: f64) -> Self {
        assert!(apart_deg <= 50.0, "five directions {apart_deg} degrees apart are not found soon");
        let draw = |seed, lengths| {
            let rule = WaveRule { lengths, parts_per_m: parts, third: Third::Depth, repeat_m: 0.0 };
            Waves::drawn(seed, &rule)
        };
        // Directions do not depend on the lengths, and profiles of one value cost nothing.
        let far = |seed: &Seed| draw(*seed, [1; COUNT]).apart_deg() >= apart_deg;
        let seed = (0..).map(|attempt| Seed(seed.at(attempt, 0))).find(far).expect("some directions are");
        draw(seed, lengths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_directions_are_as_far_apart_as_asked_for() {
        for seed in 1..=50 {
            let waves = Waves::drawn_apart(Seed(seed), [241, 251, 257, 263, 269], (24.0, 30.0), 40.0);
            assert!(waves.apart_deg() >= 40.0, "{seed}: {}", waves.apart_deg());
        }
    }

    #[test]
    fn equal_and_opposite_directions_are_not_apart() {
        let mut waves = super::super::original::waves(super::super::original::HEIGHT);
        waves.each[1].along = waves.each[0].along.map(|c| -2 * c);
        assert!(waves.apart_deg() < 1e-6);
    }
}
