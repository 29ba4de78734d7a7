//! Graham Relf's Forest, in the public domain: its coefficients, with a third one for space, and its rules of what covers
//! the ground and what stands on it. Terrains and features are the positions in the document's lists.
//!
//! The first two of each set are the document's; along them alone all directions lie in one plane. The third ones were
//! chosen for the planet and the galaxy: of all whole numbers up to ±40 (heights), ±60 (sets 1 and 2) and ±70, those
//! that keep the two nearest directions of a set furthest apart, whatever their sense.

use super::{COUNT, Profile, Waves};
use std::f64::consts::PI;
use std::sync::Arc;

/// Height of the lakes, below which drained ground is mud.
pub const LAKE_HEIGHT: f64 = 204.0;

/// Coefficients along x, y and z.
pub type Set = [[i64; COUNT]; 3];

/// Heights: AH, BH. The nearest two directions are 50.6° apart.
pub const HEIGHT: Set = [[0, 13, 21, 22, 29], [27, 26, 21, 11, 1], [15, -40, 1, 37, -15]];

/// The first set for kinds of ground: A1, B1. 46.4° apart.
pub const KIND_1: Set = [[-43, -43, -56, 31, 4], [-3, -12, 22, 2, 32], [-60, 13, -13, -60, -4]];

/// The second set for kinds of ground: A2, B2. 58.1° apart.
pub const KIND_2: Set = [[-24, -25, 60, 10, -30], [15, -54, -34, -51, -43], [28, 60, 42, -3, -60]];

/// The third set for kinds of ground: A3, B3. 54.1° apart.
pub const KIND_3: Set = [[-51, -62, -58, -64, 33], [-44, 20, 27, -64, -44], [30, -7, 70, -63, 70]];

/// Point features: B2, A3. 43.7° apart.
pub const FEATURE: Set = [KIND_2[1], KIND_3[0], [7, -5, -70, 70, 30]];

/// Waves of the original profile with such coefficients.
pub fn waves([a, b, c]: Set) -> Waves {
    Waves::new(&Arc::new(Profile::original()), a, b, c)
}

/// What covers dry ground, by the sums of the three sets for kinds: town (1) if the first is below 120; else, with the second
/// below 255, grass (2) if the third is below 255, or moor (3); else thicket (5) if the third is below 200, or wood (4).
#[inline(always)]
pub fn cover(first: u32, second: u32, third: u32) -> u8 {
    // Every value is computed and one is chosen, so that rows of it vectorise.
    let open = if third < 255 { 2 } else { 3 };
    let grown = if third < 200 { 5 } else { 4 };
    let kind = if second < 255 { open } else { grown };
    if first < 120 { 1 } else { kind }
}

/// 12 bits of ⌊a·p / 128 + ½⌋ with 64-bit products: 4, 8 or 16 where there may be a feature. `a` is the sum of the set for
/// features, `p` the product of the whole coordinates.
#[inline(always)]
pub fn feature_bits(a: i64, p: i64) -> u32 {
    (super::round(a.wrapping_mul(p) as f64 * (1.0 / 128.0)) & 0xfff) as u32
}

/// Whether such bits may be a feature.
#[inline(always)]
pub fn may_be_feature(bits: u32) -> bool {
    (bits == 4) | (bits == 8) | (bits == 16)
}

/// The document's feature: by its 12 bits natural, man-made (6) if ⌊1000π·p + ½⌋ has a low byte below 4, or a cone (7) if
/// ⌊10000π·p + ½⌋ has one below 8; 0 for none.
pub fn feature(a: i64, p: i64) -> u8 {
    let low_byte = |scale: f64| super::round(PI * scale * p as f64) & 0xff;
    match feature_bits(a, p) {
        4 => natural_feature(p as u8),
        8 if low_byte(1000.0) < 4 => 6,
        16 if low_byte(10000.0) < 8 => 7,
        _ => 0,
    }
}

/// The same with the same probabilities from a hash: the low 12 bits, and the byte above them.
#[inline(always)]
pub fn hashed_feature(hash: u64) -> u8 {
    let byte = (hash >> 12) as u8;
    match hash & 0xfff {
        4 => natural_feature(byte),
        8 if byte < 4 => 6,
        16 if byte < 8 => 7,
        _ => 0,
    }
}

/// Mine (1), boulder (2), waterhole (4), knoll (5) or root (3), by a byte.
fn natural_feature(byte: u8) -> u8 {
    match byte {
        0..32 => 1,
        32..128 => 2,
        128..160 => 4,
        160..200 => 5,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_directions_of_a_set_are_nearly_parallel() {
        for (set, least) in [(HEIGHT, 50.6), (KIND_1, 46.3), (KIND_2, 58.1), (KIND_3, 54.0), (FEATURE, 43.6)]
        {
            let apart = waves(set).apart_deg();
            assert!((least..least + 0.2).contains(&apart), "{set:?}: {apart}");
        }
    }
}
