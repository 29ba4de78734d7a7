//! Where stars are.

use weald_core::Seed;
use weald_core::waves::{Reading, Rows, Waves, original};

/// A star, and what the bits of its place define.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Star {
    /// Where it is, in light years.
    pub place: [i64; 3],
    /// 1 to 7; its magnitude is the least one plus this many sevenths of the range.
    pub step: u8,
    /// Number of planets, 0 to 15.
    pub planets: u8,
    /// Colour index, 0 (cool and red) to 15 (hot and blue).
    pub colour: u8,
}

/// Probability of a star at a place of a drawn galaxy: 12 bits are 127 and 8 bits are 1 to 7.
pub const CHANCE: f64 = 1.0 / 4096.0 * 7.0 / 256.0;

/// Probability of a star at a place of the document's galaxy, if its sums of profiles were random.
///
/// The low byte of a product of three whole numbers is not even: it is odd only if all three are. With k the number of
/// factors 2 in the product, the chance of k is (1/2)³·C(k + 2, 2)/2ᵏ: 1/8, 3/16, 3/16 for k = 0, 1, 2. Of 128 odd bytes
/// four are at most 7, of 64 bytes with k = 1 two (2, 6), of 32 with k = 2 one (4), so that the byte is 1 to 7 with the
/// chance 1/8·4/128 + 3/16·2/64 + 3/16·1/32 = 4/256, and not 7/256.
pub const ORIGINAL_CHANCE: f64 = 1.0 / 4096.0 * 4.0 / 256.0;

/// Coefficients of the document's test for stars, which names them S, T and U but does not give them: A1, B1 and A2.
const COEFFICIENTS: original::Set = [original::KIND_1[0], original::KIND_1[1], original::KIND_2[0]];

/// The value that the twelve bits of a place with a star have.
const STAR: u64 = 127;

/// The largest sum of five profiles: 5·138.
const MOST: u128 = 690;

/// How stars are found.
pub enum Stars {
    /// As the document does.
    Original {
        /// The sums of profiles at single places.
        waves: Box<Waves>,
        /// The same for rows.
        rows: Box<Rows>,
    },
    /// By hashing the place.
    Hashed(Seed),
}

impl Stars {
    /// Seed 0 is the document's galaxy.
    pub fn new(seed: Seed) -> Self {
        if seed.0 != 0 {
            return Self::Hashed(seed.of("stars"));
        }
        let waves = original::waves(COEFFICIENTS);
        Self::Original { rows: Box::new(Rows::new(&waves, Reading::Steps)), waves: Box::new(waves) }
    }

    /// The expected number of stars per cubic light year.
    pub fn expected(&self) -> f64 {
        match self {
            Self::Original { .. } => ORIGINAL_CHANCE,
            Self::Hashed(_) => CHANCE,
        }
    }

    /// The star at a place, if there is one. This is the definition; [`Stars::row`] finds the same ones faster.
    ///
    /// Seed 0 is the document's `calcStar`, with the numbers of JavaScript: all are 64-bit floats, and `&` first rounds towards
    /// zero and keeps 32 bits. With a the sum of steps of the five profiles, so rounded, and p = x·y·z, f = ⌊a·p/128 + ½⌋
    /// mod 4096 must be 127 and b = p mod 256 one of 1 to 7. Magnitude b, planets and colour are the bits 8 to 11 and 12 to
    /// 15 of p. Where |a·p| is beyond 2⁶⁰, a·p/128 is an even number as a 64-bit float and there are no stars: the
    /// document's galaxy ends.
    ///
    /// Any other seed: twelve bits of a hash of the place are 127 and the next eight are b; planets and colour follow.
    /// Reach: point.
    pub fn at(&self, [x, y, z]: [i64; 3]) -> Option<Star> {
        let (f, bits) = match self {
            Self::Original { waves, .. } => {
                let [x, y, z] = [x as f64, y as f64, z as f64];
                let (a, p) = (waves.steps_towards_zero([x, y, z]), x * y * z);
                (u64::from(low_bits(rounded(a as f64 * p * (1.0 / 128.0)))) & 0xfff, low_bits(p).into())
            }
            Self::Hashed(stream) => {
                let hash = row_of(*stream, y, z).at(x, 0);
                (hash & 0xfff, hash >> 12)
            }
        };
        let step = (bits & 0xff) as u8;
        let (planets, colour) = ((bits >> 8 & 15) as u8, (bits >> 12 & 15) as u8);
        (f == STAR && (1..8).contains(&step)).then_some(Star { place: [x, y, z], step, planets, colour })
    }

    /// Calls `found` for the stars at (x, y, z), (x + 1, y, z), … in order, as many places as `sums` has, which is scratch.
    ///
    /// Seed 0: as long as |a·p| < 2⁵³ nothing is rounded, so that f = ((a·p + 64) / 128) mod 4096 in whole numbers, of which
    /// 32 bits with wrap-around are enough; further out that test is left to [`Stars::at`]. A row whose y·z has three factors 2
    /// or more has no star, as then 8 divides the byte; and neither has one with |p| above 2⁵⁶, where floats are multiples
    /// of 16. Reach: point.
    #[inline(always)]
    pub fn row(&self, [x, y, z]: [i64; 3], sums: &mut [u32], mut found: impl FnMut(Star)) {
        let width = sums.len() as i64;
        match self {
            Self::Hashed(stream) => {
                let row = row_of(*stream, y, z);
                for i in 0..width {
                    if row.at(x + i, 0) & 0xfff == STAR
                        && let Some(star) = self.at([x + i, y, z])
                    {
                        found(star);
                    }
                }
            }
            Self::Original { rows, .. } => {
                let yz = y.wrapping_mul(z);
                let size = |v: i64| v.unsigned_abs() as u128;
                let (one, other) = (size(x), size(x + width));
                let nearest = if (x < 0) == (x + width < 0) { one.min(other) } else { 0 };
                let furthest = one.max(other) * size(y) * size(z);
                let (whole, exact) = (furthest < 1 << 53, furthest * MOST < 1 << 53);
                if whole && yz & 7 == 0 || nearest * size(y) * size(z) > 1 << 56 {
                    return;
                }
                rows.fill_towards_zero([x, y, z], sums);
                for (block, sums) in sums.chunks(64).enumerate() {
                    let first = x + 64 * block as i64;
                    let mut any = 0u32;
                    for (i, a) in sums.iter().enumerate() {
                        let p = (first as u32).wrapping_add(i as u32).wrapping_mul(yz as u32);
                        let near = exact_test(*a, p) | u32::from(!exact);
                        any |= near & (u32::from((p & 0xff).wrapping_sub(1) < 7) | u32::from(!whole));
                    }
                    if any != 0 {
                        (0..sums.len() as i64)
                            .filter_map(|i| self.at([first + i, y, z]))
                            .for_each(&mut found);
                    }
                }
            }
        }
    }
}

/// 1 if ⌊(a·p + 64) / 128⌋ mod 4096 is 127, from 32 bits of p.
#[inline(always)]
fn exact_test(a: u32, p: u32) -> u32 {
    u32::from((a.wrapping_mul(p).wrapping_add(64) >> 7) & 0xfff == STAR as u32)
}

/// ⌊v + ½⌋ without rounding the sum, as `Math.round` of the document's language.
fn rounded(v: f64) -> f64 {
    let below = v.floor();
    if v - below >= 0.5 { below + 1.0 } else { below }
}

/// The low 32 bits of a number rounded towards zero, as `v & 0xffffffff` of the document's language.
fn low_bits(v: f64) -> u32 {
    (v % 4_294_967_296.0) as i64 as u32
}

/// The stream of the row (y, z).
#[inline(always)]
fn row_of(stream: Seed, y: i64, z: i64) -> Seed {
    Seed(stream.at(y, z))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_equal_places(stars: &Stars, at: [i64; 3], width: usize) -> usize {
        let mut found = Vec::new();
        stars.row(at, &mut vec![0; width], |s| found.push(s));
        let single: Vec<Star> =
            (0..width as i64).filter_map(|i| stars.at([at[0] + i, at[1], at[2]])).collect();
        assert_eq!(found, single, "{at:?}");
        found.len()
    }

    #[test]
    fn rows_hold_the_stars_of_single_places_near_and_far() {
        for seed in [0, 1, 9] {
            let stars = Stars::new(Seed(seed));
            let mut count = 0;
            for k in 0..600i64 {
                for y in [k - 300, 2 * k + 1, 301 - 2 * k] {
                    count += rows_equal_places(&stars, [-400, y, 1 + k / 2], 2001);
                }
                count += rows_equal_places(&stars, [k * 331 - 1_000_000, 7 * k + 1, 3 * k + 1], 700);
                rows_equal_places(&stars, [999_000, 1_000_000 - 2 * k - 1, 3 * k - 999_999], 500);
                rows_equal_places(&stars, [-1_000_000, 33_333 + 2 * k, -99_999 + 2 * k], 500);
            }
            assert!(count > 2, "seed {seed} has {count} stars: the rows show nothing");
        }
    }

    #[test]
    fn the_documents_expression_written_plainly_gives_the_same_stars() {
        let stars = Stars::new(Seed(0));
        let (s, t, u) = ([-43, -43, -56, 31, 4], [-3, -12, 22, 2, 32], [-24, -25, 60, 10, -30]);
        let mut count = 0;
        for z in 1..60i64 {
            for y in -40..40i64 {
                for x in -60..60i64 {
                    let a: i64 = (0..5)
                        .map(|i| {
                            // `j & 0xff` rounds towards zero, as a division of whole numbers does.
                            let j = ((s[i] * x + t[i] * y + u[i] * z) / 128) & 255;
                            weald_core::waves::ORIGINAL[j as usize] as i64
                        })
                        .sum();
                    let p = x * y * z;
                    let f = ((a * p) as f64 / 128.0 + 0.5).floor() as i64 & 0xfff;
                    let star = f == 127 && (1..8).contains(&(p & 0xff));
                    assert_eq!(stars.at([x, y, z]).is_some(), star);
                    count += usize::from(star);
                }
            }
        }
        assert!(count > 0);
    }

    #[test]
    fn numbers_become_bits_as_the_documents_language_does_it() {
        // node -e 'console.log([-1, -1.5, -0.9, 2**40 + 3, -(2**40) - 3, 2**60 + 256, 1e27].map(v => v & 0xffff))'
        for (v, bits) in [
            (-1.0, 65535),
            (-1.5, 65535),
            (-0.9, 0),
            (1_099_511_627_779.0, 3),
            (-1_099_511_627_779.0, 65533),
            (1_152_921_504_606_847_232.0, 256),
            (1e27, 0),
        ] {
            assert_eq!(low_bits(v) & 0xffff, bits, "{v}");
        }
        assert_eq!((rounded(-2.5), rounded(2.5), rounded(0.49999999999999994)), (-2.0, 3.0, 0.0));
        assert_eq!(rounded(4_503_599_627_370_497.0), 4_503_599_627_370_497.0);
    }

    #[test]
    fn the_low_byte_of_a_product_of_three_is_one_to_seven_four_times_in_256() {
        let mut hits = 0u64;
        for x in 0..256u32 {
            for y in 0..256u32 {
                // z runs over all bytes: count those that give 1 to 7.
                hits += (0..256u32).filter(|z| (1..8).contains(&((x * y * z) & 255))).count() as u64;
            }
        }
        assert_eq!(hits * 256, 4 * (1 << 24));
    }
}
