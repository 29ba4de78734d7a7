//! What covers the ground and which features stand on it in Graham Relf's Forest (1983, in the public domain), for the
//! worlds that are made of its waves. The codes of covers and features are their positions in the lists of the document.

use crate::style::orienteer::{PointKind, Symbol, ink};
use std::f64::consts::PI;
use weald_core::waves::round;

/// Height of the lakes, below which drained ground is mud.
pub(crate) const LAKE_HEIGHT: f64 = 204.0;

/// What a map leaves out, as the document's does.
pub(crate) const MOVABLE: &str = "Cones and rockets can be moved and are not shown.";

/// The symbols of features on a map: the document's legend.
pub(crate) fn symbols() -> Vec<PointKind> {
    let kind =
        |kind, label, symbol, colour| PointKind { kind, only: None, direction: None, label, symbol, colour };
    vec![
        kind("boulder", "Boulder", Symbol::Dot, ink::BLACK),
        kind("mine", "Mine shaft or cave", Symbol::Vee, ink::BLACK),
        kind("x", "Man-made object", Symbol::Cross, ink::BLACK),
        kind("knoll", "Knoll", Symbol::Dot, ink::BROWN),
        kind("root", "Rootstock", Symbol::Cross, ink::DARK_GREEN),
        kind("waterhole", "Water hole", Symbol::Vee, ink::BLUE),
        kind("t", "Phone box", Symbol::Box, ink::BLACK),
    ]
}

/// What covers dry ground, by the sums of the three sets of waves for kinds of ground: town (1) if the first sum is below
/// 120; otherwise, with the second sum below 255, grass (2) if the third is below 255, or moor (3); otherwise thicket (5)
/// if the third is below 200, or wood (4).
#[inline(always)]
pub(crate) fn cover(first: u32, second: u32, third: u32) -> u8 {
    // Every value is computed and one is chosen, so that rows of it vectorise.
    let open = if third < 255 { 2 } else { 3 };
    let grown = if third < 200 { 5 } else { 4 };
    let kind = if second < 255 { open } else { grown };
    if first < 120 { 1 } else { kind }
}

/// The low 12 bits of ⌊a·p / 128 + ½⌋ with 64-bit products: 4, 8 or 16 where there may be a feature. `a` is the sum of the
/// waves for features, `p` the product of the whole coordinates.
#[inline(always)]
pub(crate) fn feature_bits(a: i64, p: i64) -> u32 {
    (round(a.wrapping_mul(p) as f64 * (1.0 / 128.0)) & 0xfff) as u32
}

/// Whether such bits may be a feature.
#[inline(always)]
pub(crate) fn may_be_feature(bits: u32) -> bool {
    (bits == 4) | (bits == 8) | (bits == 16)
}

/// The feature of the document, or 0 for none. Its 12 bits decide: a natural feature; a man-made one (6) if the low byte of
/// ⌊1000π·p + ½⌋ is below 4; or a cone (7) if that of ⌊10000π·p + ½⌋ is below 8.
pub(crate) fn feature(a: i64, p: i64) -> u8 {
    let low_byte = |scale: f64| round(PI * scale * p as f64) & 0xff;
    match feature_bits(a, p) {
        4 => natural_feature(p as u8),
        8 if low_byte(1000.0) < 4 => 6,
        16 if low_byte(10000.0) < 8 => 7,
        _ => 0,
    }
}

/// A feature with the same probabilities from a hash: its low 12 bits, and the byte above them.
#[inline(always)]
pub(crate) fn hashed_feature(hash: u64) -> u8 {
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
