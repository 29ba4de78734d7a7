//! Sums of waves along rows of points with whole coordinates.

use super::{COUNT, PARTS, Wave, Waves};

/// How the values of a profile are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reading {
    /// As [`Waves::height`], in parts of 1/128.
    Height,
    /// As [`Waves::steps`].
    Steps,
}

/// The values of [`Waves`] along rows of points with whole coordinates.
///
/// Along a row a wave steps over its profile in equal strides a, modulo N = 128·length. With g the greatest common divisor
/// of a and N there are g closed cycles of N/g positions. Each cycle is stored in the order in which it is visited, so that
/// a row is the sum of five contiguous runs: five loads and additions a point, which vectorise. Memory: 2·N bytes a wave.
/// Reach: point.
///
/// ```
/// use weald_core::waves::{Reading, Rows, original};
///
/// let ground = original::waves(original::HEIGHT);
/// let mut row = [0; 64];
/// Rows::new(&ground, Reading::Height).fill([10, 20, 0], &mut row);
/// assert_eq!(row[5] as f64 / 128.0, ground.height([15.0, 20.0, 0.0]));
/// ```
#[derive(Clone, Debug)]
pub struct Rows {
    strips: [Strip; COUNT],
}

/// The cycles of one wave.
#[derive(Clone, Debug)]
struct Strip {
    along: [i64; 3],
    phase: i64,
    /// N.
    places: i64,
    /// g.
    walks: i64,
    /// N / g.
    walk: i64,
    /// The inverse of a/g modulo N/g.
    undo: i64,
    values: Vec<u16>,
}

impl Rows {
    /// Stores the cycles. Cost: 128 times the lengths of the profiles.
    pub fn new(waves: &Waves, reading: Reading) -> Self {
        Self { strips: waves.each.each_ref().map(|wave| Strip::new(wave, reading)) }
    }

    /// Writes the values at (x, y, z), (x + 1, y, z), … into `out`.
    ///
    /// The absolute values of the coordinates must be below 2⁵⁰.
    #[inline(always)]
    pub fn fill(&self, [x, y, z]: [i64; 3], out: &mut [u32]) {
        out.fill(0);
        for strip in &self.strips {
            strip.add([x, y, z], 0, out);
        }
    }

    /// As [`Rows::fill`] for [`Reading::Steps`], with the values of [`Waves::steps_towards_zero`].
    ///
    /// Along a row the place on a profile changes its sign at most once. On its negative side rounding towards zero is
    /// rounding down of a place that lies 127 parts further on.
    #[inline(always)]
    pub fn fill_towards_zero(&self, [x, y, z]: [i64; 3], out: &mut [u32]) {
        out.fill(0);
        for strip in &self.strips {
            let ([a, b, c], width) = (strip.along, out.len() as i64);
            let first = a * x + b * y + c * z + strip.phase;
            // How many places have the sign of the first one.
            let alike = match a {
                0 => width,
                _ if first < 0 => (-first).div_euclid(a) + i64::from((-first).rem_euclid(a) > 0),
                _ => first.div_euclid(-a) + 1,
            };
            // A row that moves away from zero never changes its sign.
            let alike = if (first < 0) == (a < 0) { width } else { alike.clamp(0, width) };
            let shift = |negative: bool| if negative { PARTS - 1 } else { 0 };
            let (before, after) = out.split_at_mut(alike as usize);
            strip.add([x, y, z], shift(first < 0), before);
            strip.add([x + alike, y, z], shift(first >= 0), after);
        }
    }
}

impl Strip {
    fn new(wave: &Wave, reading: Reading) -> Self {
        let places = PARTS * wave.profile.length() as i64;
        let stride = wave.along[0];
        let walks = gcd(stride.rem_euclid(places), places);
        let walk = places / walks;
        let undo = super::inverse((stride / walks).rem_euclid(walk) as i128, walk as i128) as i64;
        let value = |place: i64| -> u16 {
            let (here, next) = wave.profile.pair(place.div_euclid(PARTS));
            match reading {
                Reading::Steps => here as u16,
                Reading::Height => {
                    let part = place.rem_euclid(PARTS) as i32;
                    (here as i32 * PARTS as i32 + part * (next as i32 - here as i32)) as u16
                }
            }
        };
        let mut values = Vec::with_capacity(places as usize);
        for first in 0..walks {
            let mut place = first;
            for _ in 0..walk {
                values.push(value(place));
                place = (place + stride).rem_euclid(places);
            }
        }
        Self { along: wave.along, phase: wave.phase, places, walks, walk, undo, values }
    }

    /// Adds the values at places that lie `shift` parts further on.
    #[inline(always)]
    fn add(&self, [x, y, z]: [i64; 3], shift: i64, out: &mut [u32]) {
        let [a, b, c] = self.along;
        // Remainders first, so that no product overflows.
        let n = self.places;
        let place = (a * (x % n) + b * (y % n) + c * (z % n) + self.phase + shift).rem_euclid(n);
        let walk = (place % self.walks) * self.walk;
        let mut at = ((place / self.walks) * self.undo).rem_euclid(self.walk);
        if self.walk == 1 {
            let value = self.values[walk as usize] as u32;
            out.iter_mut().for_each(|sum| *sum += value);
            return;
        }
        let values = &self.values[walk as usize..(walk + self.walk) as usize];
        let mut rest = out;
        while !rest.is_empty() {
            let n = rest.len().min(values.len() - at as usize);
            let (now, later) = rest.split_at_mut(n);
            for (sum, value) in now.iter_mut().zip(&values[at as usize..]) {
                *sum += *value as u32;
            }
            rest = later;
            at = 0;
        }
    }
}

fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::super::{Profile, Third, WaveRule};
    use super::*;
    use crate::seed::Seed;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn agree(waves: &Waves, [x, y, z]: [i64; 3], width: usize) {
        let mut row = vec![0; width];
        for reading in [Reading::Height, Reading::Steps] {
            Rows::new(waves, reading).fill([x, y, z], &mut row);
            for (i, &v) in row.iter().enumerate() {
                let at = [(x + i as i64) as f64, y as f64, z as f64];
                match reading {
                    Reading::Height => assert_eq!(v as f64 / 128.0, waves.height(at), "{at:?}"),
                    Reading::Steps => assert_eq!(v, waves.steps(at), "{at:?}"),
                }
            }
        }
        Rows::new(waves, Reading::Steps).fill_towards_zero([x, y, z], &mut row);
        for (i, &v) in row.iter().enumerate() {
            let at = [(x + i as i64) as f64, y as f64, z as f64];
            assert_eq!(v, waves.steps_towards_zero(at), "{at:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn rows_equal_single_places(
            a in proptest::array::uniform5(-70i64..70), b in proptest::array::uniform5(-70i64..70),
            c in proptest::array::uniform5(-9i64..9),
            x in -1_000_000_000i64..1_000_000_000, y in -1_000_000_000i64..1_000_000_000, z in -1000i64..1000,
            width in 1usize..900, seed in 0u64..1000,
        ) {
            agree(&Waves::new(&Arc::new(Profile::original()), a, b, c), [x, y, z], width);
            agree(&Waves::new(&Arc::new(Profile::drawn(Seed(seed), 61)), a, b, c), [x, y, z], width);
            let rule = WaveRule {
                lengths: [61, 67, 71, 73, 79],
                parts_per_m: (24.0, 90.0),
                third: Third::Depth,
                repeat_m: 0.0,
            };
            let drawn = Waves::drawn(Seed(seed), &rule);
            agree(&drawn, [x, y, z], width);
            // Rows that cross zero.
            agree(&Waves::new(&Arc::new(Profile::original()), a, b, c), [x % 300 - width as i64, y % 40, z % 40], 2 * width);
        }
    }
}
