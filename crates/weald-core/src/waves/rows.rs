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

/// Parts of a tick that [`HeightRows`] tells apart along the third axis.
const TICK: i64 = 128;

/// Added to every value of the table of differences, so that none is negative: 127 · 255 is less.
const LIFT: i64 = 1 << 15;

/// [`Waves::height`] along rows of points whose third coordinate is fixed and need not be whole.
///
/// Where it is whole, the values are multiples of 1/128 and come from one table. Between them they are multiples of
/// 1/16384: the same table at the whole part below, and one of the differences to the next part, weighted by the fraction.
/// Reach: point.
///
/// ```
/// use weald_core::waves::{HeightRows, original};
///
/// let ground = original::waves(original::HEIGHT);
/// let rows = HeightRows::new(&ground, 2.5);
/// let mut row = [0; 8];
/// rows.fill([10, 20], &mut row);
/// assert_eq!(row[5] as f64 / rows.parts() as f64, ground.height([15.0, 20.0, 2.5]));
/// ```
#[derive(Clone, Debug)]
pub struct HeightRows {
    whole: Rows,
    between: Option<Rows>,
}

impl HeightRows {
    /// The rows at a third coordinate, which is rounded to a multiple of 1/128 ([`HeightRows::rounded`]).
    pub fn new(waves: &Waves, third: f64) -> Self {
        let ticks = super::round(third * TICK as f64);
        let fraction = |wave: &Wave| (wave.along[2] * ticks).rem_euclid(TICK);
        let moved = |wave: &Wave| Wave {
            phase: wave.phase + (wave.along[2] * ticks).div_euclid(TICK),
            ..wave.clone()
        };
        let between = waves.each.iter().any(|wave| fraction(wave) != 0).then(|| Rows {
            strips: waves.each.each_ref().map(|wave| {
                let weight = fraction(wave);
                Strip::new(&moved(wave), |wave, place| {
                    let (here, next) = wave.profile.pair(place.div_euclid(PARTS));
                    (weight * (next as i64 - here as i64) + LIFT) as u16
                })
            }),
        });
        let whole = Rows::new(&Waves { each: waves.each.each_ref().map(moved) }, Reading::Height);
        Self { whole, between }
    }

    /// A third coordinate as the rows take it.
    pub fn rounded(third: f64) -> f64 {
        super::round(third * TICK as f64) as f64 / TICK as f64
    }

    /// Parts of a unit of height in the values: 128, or 16384 if the third coordinate is not whole.
    pub fn parts(&self) -> u32 {
        (PARTS * if self.between.is_some() { TICK } else { 1 }) as u32
    }

    /// Writes the values at (x, y), (x + 1, y), … into `out`, in [`HeightRows::parts`].
    #[inline(always)]
    pub fn fill(&self, [x, y]: [i64; 2], out: &mut [u32]) {
        self.whole.fill([x, y, 0], out);
        if let Some(between) = &self.between {
            out.iter_mut().for_each(|sum| *sum *= TICK as u32);
            between.strips.iter().for_each(|strip| strip.add([x, y, 0], 0, out));
            out.iter_mut().for_each(|sum| *sum -= LIFT as u32 * COUNT as u32);
        }
    }
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
        let value = |wave: &Wave, place: i64| -> u16 {
            let (here, next) = wave.profile.pair(place.div_euclid(PARTS));
            match reading {
                Reading::Steps => here as u16,
                Reading::Height => {
                    let part = place.rem_euclid(PARTS) as i32;
                    (here as i32 * PARTS as i32 + part * (next as i32 - here as i32)) as u16
                }
            }
        };
        Self { strips: waves.each.each_ref().map(|wave| Strip::new(wave, value)) }
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
    /// The cycles of the values that a wave has at the places of its profile, in parts.
    fn new(wave: &Wave, value: impl Fn(&Wave, i64) -> u16) -> Self {
        let places = PARTS * wave.profile.length() as i64;
        let stride = wave.along[0];
        let walks = gcd(stride.rem_euclid(places), places);
        let walk = places / walks;
        let undo = super::inverse((stride / walks).rem_euclid(walk) as i128, walk as i128) as i64;
        let mut values = Vec::with_capacity(places as usize);
        for first in 0..walks {
            let mut place = first;
            for _ in 0..walk {
                values.push(value(wave, place));
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
    use super::super::{Profile, WaveRule};
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
                repeat_m: 0.0,
            };
            let drawn = Waves::drawn(Seed(seed), &rule);
            agree(&drawn, [x, y, z], width);
            // Rows that cross zero.
            agree(&Waves::new(&Arc::new(Profile::original()), a, b, c), [x % 300 - width as i64, y % 40, z % 40], 2 * width);
        }

        #[test]
        fn rows_at_any_time_equal_single_places(
            x in -1_000_000_000i64..1_000_000_000, y in -1_000_000_000i64..1_000_000_000,
            time in prop_oneof![-9.0..9.0f64, -1e9..1e9f64, Just(-3.0f64)], width in 1usize..300, seed in 0u64..1000,
        ) {
            let rule = WaveRule { lengths: [61, 67, 71, 73, 79], ..WaveRule::default() };
            let original = Waves::new(&Arc::new(Profile::original()), [0, 13, 21, 22, 29], [27, 26, 21, 11, 1], [2, -3, 1, -2, 3]);
            for waves in [original, Waves::drawn(Seed(seed), &rule)] {
                let rows = HeightRows::new(&waves, time);
                let mut row = vec![0; width];
                rows.fill([x, y], &mut row);
                for (i, &v) in row.iter().enumerate() {
                    let at = [(x + i as i64) as f64, y as f64, HeightRows::rounded(time)];
                    assert_eq!(v as f64 / rows.parts() as f64, waves.height(at), "{at:?}");
                }
            }
        }
    }
}
