//! Many waves whose directions are spread evenly in space.

use super::Profile;
use crate::seed::Seed;
use crate::{math, par};
use std::f64::consts::{PI, TAU};

/// Number of waves. With 20 of them one face of a planet in seven still shows stripes; more than 32 change little.
const WAVES: usize = 32;

/// Waves whose sum has the heights that this one is to have.
const ALIKE: f64 = 5.0;

/// Values of a profile.
const LENGTH: usize = 256;

/// The least and the greatest sum of five values of a profile.
const RANGE: (f64, f64) = (10.0, 690.0);

/// The sum is multiplied by this before it is bent into [`RANGE`], which narrows its spread by as much.
const GAIN: f64 = 1.1;

/// 1.5·2⁵²: a number added to this is rounded to a whole one, which the lowest bits of the sum then hold.
const TO_WHOLE: f64 = 6_755_399_441_055_744.0;

/// A sum of 32 waves of one random profile ([`Profile::drawn`]) in directions that are spread evenly over the half-sphere,
/// with heights and slopes like those of a sum of five waves.
///
/// Along its direction every wave is a system of parallel stripes. Five of them in space are seen as stripes wherever one or
/// two are stronger than the others; 32 are not.
///
/// Direction i is the point i of a golden spiral, at the height (i + ½)/32 over the equator and turned by i·(3 − √5)·π,
/// and all are turned together by one random rotation (Shoemake 1992, doi:10.1016/B978-0-08-050755-2.50036-1). Wave i has
/// a random phase and a random number of parts of the profile per metre.
///
/// ```
/// use weald_core::Seed;
/// use weald_core::waves::EvenWaves;
///
/// let waves = EvenWaves::drawn(Seed(5), (24.0, 34.0));
/// assert!((10.0..=690.0).contains(&waves.height([1200.0, -3.5, 800.0])));
/// ```
#[derive(Clone, Debug)]
pub struct EvenWaves {
    /// Values of the profile per metre along the three axes, and the position of the origin on it, by wave.
    along: [[f64; WAVES]; 4],
    /// Each value of the profile, and the step to the next one.
    profile: Box<[[f64; 2]; LENGTH]>,
    /// The mean of the profile.
    mean: f64,
}

impl EvenWaves {
    /// The waves of a seed, with a number of parts of the profile per metre (128 to a value) between the given two.
    pub fn drawn(seed: Seed, (least, most): (f64, f64)) -> Self {
        let drawn = Profile::drawn(seed.of("profile"), LENGTH);
        let profile = Box::new(std::array::from_fn(|i| {
            let (here, next) = drawn.pair(i as i64);
            [here as f64, next as f64 - here as f64]
        }));
        let turned = rotation(seed.of("rotation"));
        let each = seed.of("waves");
        let wave = |i: usize| -> [f64; 4] {
            let unit = |what: i64| each.unit_at(i as i64, what);
            let up = (i as f64 + 0.5) / WAVES as f64;
            let (flat, angle) = ((1.0 - up * up).sqrt(), i as f64 * (3.0 - 5f64.sqrt()) * PI);
            let direction = [flat * math::cos(angle), flat * math::sin(angle), up];
            let per_m = (least + (most - least) * unit(0)) / super::PARTS as f64;
            let [x, y, z] = turned
                .map(|row| per_m * (row[0] * direction[0] + row[1] * direction[1] + row[2] * direction[2]));
            [x, y, z, unit(1) * LENGTH as f64]
        };
        let waves: [[f64; 4]; WAVES] = std::array::from_fn(wave);
        let along = std::array::from_fn(|axis| waves.map(|wave| wave[axis]));
        let mean = (0..LENGTH as i64).map(|i| drawn.at(i) as f64).sum::<f64>() / LENGTH as f64;
        Self { along, profile, mean }
    }

    /// The height at a point: with m the mean of the profile and S the sum of the 32 interpolated values, the distance from the
    /// mean is d = 1.1·√(5/32)·(S − 32·m), and the height 5·m + d / √(1 + (d/L)²), where L is the distance from 5·m to the
    /// bound on the side of d, 10 or 690. All heights are within these bounds, as those of five waves are. Reach: point.
    ///
    /// Points must be less than 2⁴⁰ m from the origin.
    pub fn height(&self, place: [f64; 3]) -> f64 {
        // Pictures ask for one point at a time, outside of any loop that the compiler could vectorise.
        par::widest_simd(
            #[inline(always)]
            || self.height_of(place),
        )
    }

    #[inline(always)]
    fn height_of(&self, [x, y, z]: [f64; 3]) -> f64 {
        let [a, b, c, phase] = &self.along;
        let (mut whole, mut part) = ([0u64; WAVES], [0.0f64; WAVES]);
        for i in 0..WAVES {
            let j = a[i] * x + b[i] * y + c[i] * z + phase[i];
            // The whole number below j. If j is whole this may be j − 1, and the part 1, which is the same place.
            let below = (j - 0.5) + TO_WHOLE;
            whole[i] = below.to_bits();
            part[i] = j - (below - TO_WHOLE);
        }
        // Four sums, which a processor adds at the same time.
        let mut sums = [0.0f64; 4];
        for (whole, part) in whole.chunks_exact(4).zip(part.chunks_exact(4)) {
            for (sum, (whole, part)) in sums.iter_mut().zip(whole.iter().zip(part)) {
                let [value, step] = self.profile[(whole % LENGTH as u64) as usize];
                *sum += value + part * step;
            }
        }
        let sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        let middle = ALIKE * self.mean;
        let far = GAIN * (ALIKE / WAVES as f64).sqrt() * (sum - WAVES as f64 * self.mean);
        let bound = if far < 0.0 { middle - RANGE.0 } else { RANGE.1 - middle };
        let share = far / bound;
        middle + far / (1.0 + share * share).sqrt()
    }
}

/// A rotation, drawn evenly from all of them, as a matrix.
fn rotation(seed: Seed) -> [[f64; 3]; 3] {
    let unit = |what: i64| seed.unit_at(0, what);
    let (first, second) = ((1.0 - unit(0)).sqrt(), unit(0).sqrt());
    let (turn, other) = (TAU * unit(1), TAU * unit(2));
    let (x, y) = (first * math::sin(turn), first * math::cos(turn));
    let (z, w) = (second * math::sin(other), second * math::cos(other));
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random points in a cube of 20 km.
    fn points(seed: Seed, count: i64) -> impl Iterator<Item = [f64; 3]> {
        (0..count).map(move |i| std::array::from_fn(|k| seed.unit_at(i, k as i64) * 20_000.0 - 10_000.0))
    }

    #[test]
    fn a_height_is_that_of_the_formula_written_plainly() {
        for seed in 1..6 {
            let waves = EvenWaves::drawn(Seed(seed), (24.0, 34.0));
            let profile = Profile::drawn(Seed(seed).of("profile"), LENGTH);
            for at in points(Seed(7), 200) {
                let mut sum = 0.0;
                for i in 0..WAVES {
                    let [a, b, c, phase] = waves.along.map(|row| row[i]);
                    let j = a * at[0] + b * at[1] + c * at[2] + phase;
                    let (here, next) = profile.pair(j.floor() as i64);
                    sum += here as f64 + (j - j.floor()) * (next as f64 - here as f64);
                }
                let d = 1.1 * (sum - 32.0 * waves.mean) / 6.4f64.sqrt();
                let bound = if d < 0.0 { 5.0 * waves.mean - 10.0 } else { 690.0 - 5.0 * waves.mean };
                let height = 5.0 * waves.mean + d / (1.0 + (d / bound) * (d / bound)).sqrt();
                assert!((waves.height(at) - height).abs() < 1e-7, "{at:?}");
            }
        }
    }

    #[test]
    fn whole_positions_on_the_profile_have_its_values() {
        let mut waves = EvenWaves::drawn(Seed(3), (24.0, 34.0));
        waves.along = [[0.0; WAVES]; 4];
        waves.along[0][0] = 1.0;
        let near = |x: f64| waves.height([x, 0.0, 0.0]);
        for x in -300..300 {
            // Continuous there, whichever of the two pieces is taken.
            let (at, below, above) = (near(x as f64), near(x as f64 - 1e-9), near(x as f64 + 1e-9));
            assert!((at - below).abs() < 1e-7 && (at - above).abs() < 1e-7, "{x}");
        }
    }

    #[test]
    fn directions_are_spread_evenly_and_the_seed_turns_them() {
        for seed in 1..20 {
            let waves = EvenWaves::drawn(Seed(seed), (1.0, 1.0));
            let directions: Vec<[f64; 3]> =
                (0..WAVES).map(|i| std::array::from_fn(|k| waves.along[k][i] * 128.0)).collect();
            // Whichever way one looks, the mean square of the cosine is that of an even spread, a third.
            for look in points(Seed(seed), 20) {
                let length = look.iter().map(|c| c * c).sum::<f64>();
                let square = |d: &[f64; 3]| (0..3).map(|k| d[k] * look[k]).sum::<f64>();
                let mean =
                    directions.iter().map(|d| square(d) * square(d) / length).sum::<f64>() / WAVES as f64;
                assert!((mean - 1.0 / 3.0).abs() < 0.02, "seed {seed}: {mean}");
            }
            for d in &directions {
                assert!((d.iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
        let first = |seed| EvenWaves::drawn(Seed(seed), (1.0, 1.0)).along[0];
        assert_ne!(first(1), first(2));
    }

    #[test]
    fn heights_and_slopes_are_spread_like_those_of_five_waves() {
        let (mut even, mut five) = (vec![], vec![]);
        let (mut steep_even, mut steep_five) = (0.0, 0.0);
        for seed in 1..=20 {
            let many = EvenWaves::drawn(Seed(seed), (24.0, 34.0));
            let few = super::super::original::waves(super::super::original::HEIGHT);
            for (i, at) in points(Seed(seed), 2000).enumerate() {
                let mut beside = at;
                beside[i % 3] += 5.0;
                let (a, b) = (many.height(at), few.height(at));
                assert!((10.0..=690.0).contains(&a));
                steep_even += (many.height(beside) - a).abs();
                steep_five += (few.height(beside) - b).abs();
                even.push(a);
                five.push(b);
            }
        }
        let spread = |heights: &[f64]| {
            let mean = heights.iter().sum::<f64>() / heights.len() as f64;
            let square = heights.iter().map(|h| (h - mean) * (h - mean)).sum::<f64>();
            (mean, (square / heights.len() as f64).sqrt())
        };
        let ((mean, deviation), (mean_5, deviation_5)) = (spread(&even), spread(&five));
        assert!((mean - mean_5).abs() < 6.0, "{mean} {mean_5}");
        assert!((deviation / deviation_5 - 1.0).abs() < 0.05, "{deviation} {deviation_5}");
        // The steps of drawn profiles are larger than those of the original one.
        assert!((1.0..1.4).contains(&(steep_even / steep_five)), "{}", steep_even / steep_five);
    }
}
