//! Random numbers without state: a hash of (seed, stream name, integer coordinates).
//!
//! ```
//! use weald_core::Seed;
//! let rivers = Seed(42).of("rivers");
//! assert_eq!(rivers.at(3, -7), Seed(42).of("rivers").at(3, -7));
//! assert_ne!(rivers.at(3, -7), rivers.at(-7, 3));
//! ```

/// 2⁶⁴ divided by the golden ratio: the step of SplitMix64.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// An odd constant that multiplies the second coordinate (xxHash's second prime).
const SECOND: u64 = 0xC2B2_AE3D_27D4_EB4F;

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014, doi:10.1145/2660193.2660195): a bijection of 64 bits in
/// which every input bit affects every output bit. It maps 0 to 0.
#[inline]
pub const fn mix64(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The seed of a world, or of one of its named streams.
#[doc(alias = "random")]
#[doc(alias = "rng")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seed(pub u64);

impl Seed {
    /// The seed of the stream called `name`. Streams of different names are independent, and the order in which they are
    /// used does not matter.
    pub const fn of(self, name: &str) -> Seed {
        let bytes = name.as_bytes();
        let mut h: u64 = 0xCBF2_9CE4_8422_2325;
        let mut i = 0;
        while i < bytes.len() {
            h = (h ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01B3);
            i += 1;
        }
        Seed(mix64(self.0.wrapping_add(GOLDEN) ^ mix64(h)))
    }

    /// The hash at `(x, y)`: mix64(seed ⊕ x·φ ⊕ y·p₂), with 64-bit wrap-around products.
    #[inline]
    pub const fn at(self, x: i64, y: i64) -> u64 {
        mix64(self.0 ^ (x as u64).wrapping_mul(GOLDEN) ^ (y as u64).wrapping_mul(SECOND))
    }

    /// [`Seed::at`] as a number in [0, 1), a multiple of 2⁻⁵³.
    #[inline]
    pub fn unit_at(self, x: i64, y: i64) -> f64 {
        (self.at(x, y) >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

/// The SplitMix64 generator, for the few algorithms that need a sequence, such as a shuffle.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that starts at `state`.
    pub fn new(state: u64) -> Self {
        Self(state)
    }

    /// The next value.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix64(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_at_a_place_equals_its_published_values() {
        assert_eq!(Seed(0).at(0, 0), 0);
        assert_eq!(Seed(1).at(0, 0), 6238072747940578789);
        assert_eq!(Seed(42).at(1, 1), 7160109091909588253);
        assert_eq!(Seed(123456789).at(63, 17), 9672262271120887731);
        assert_eq!(Seed(u64::MAX).at(15, 31), 10179000537863991047);
    }

    #[test]
    fn the_sequence_equals_splitmix64() {
        let mut s = SplitMix64::new(1234567);
        assert_eq!(s.next_u64(), 6457827717110365317);
        assert_eq!(s.next_u64(), 3203168211198807973);
    }

    #[test]
    fn streams_differ_by_name_and_by_seed() {
        let all = [Seed(0).of("a"), Seed(0).of("b"), Seed(1).of("a"), Seed(0).of(""), Seed(0).of("ab")];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b));
        }
    }

    #[test]
    fn unit_values_fill_the_interval_evenly() {
        let s = Seed(9).of("even");
        let mut bins = [0u32; 10];
        for y in 0..100 {
            for x in 0..100 {
                let u = s.unit_at(x, y);
                assert!((0.0..1.0).contains(&u));
                bins[(u * 10.0) as usize] += 1;
            }
        }
        assert!(bins.iter().all(|&b| (850..1150).contains(&b)), "{bins:?}");
    }
}
