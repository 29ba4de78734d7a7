//! The codes of classes and flags, and their names in files.

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;
use weald_core::Dir8;

/// Landform `flat`.
pub(super) const FLAT: u8 = 0;
/// Landform `slope`.
pub(super) const SLOPE: u8 = 1;
/// Landform `ridge`.
pub(super) const RIDGE: u8 = 2;
/// Landform `valley`.
pub(super) const VALLEY: u8 = 3;
/// Landform `basin`.
pub(super) const BASIN: u8 = 4;

/// Water class `none`.
pub(super) const NO_WATER: u8 = 0;
/// Water class `lake`.
pub(super) const LAKE: u8 = 1;
/// Water class `stream`.
pub(super) const STREAM: u8 = 2;
/// Water class `marsh`.
pub(super) const MARSH: u8 = 3;

/// Biome `open_bog`.
pub(super) const OPEN_BOG: u8 = 0;
/// Biome `spruce_swamp`.
pub(super) const SPRUCE_SWAMP: u8 = 1;
/// Biome `mixed_forest`.
pub(super) const MIXED_FOREST: u8 = 2;
/// Biome `pine_heath`.
pub(super) const PINE_HEATH: u8 = 3;
/// Biome `esker_pine`.
pub(super) const ESKER_PINE: u8 = 4;
/// Biome `lake`.
pub(super) const LAKE_BIOME: u8 = 5;
/// Biome `stream_bank`.
pub(super) const STREAM_BANK: u8 = 6;

/// Soil `peat`.
pub(super) const PEAT: u8 = 0;
/// Soil `sandy_till`.
pub(super) const SANDY_TILL: u8 = 1;
/// Soil `rocky_till`.
pub(super) const ROCKY_TILL: u8 = 2;

/// The bit of followable `game_trail`.
pub(super) const TRAIL_FLAG: u8 = 4;

/// Directions in the order of the passability keys: N NE E SE S SW W NW.
pub(super) const COMPASS: [Dir8; 8] =
    [Dir8(6), Dir8(7), Dir8(0), Dir8(1), Dir8(2), Dir8(3), Dir8(4), Dir8(5)];

/// The names of one kind of class or flag, in the order of their codes.
pub(super) trait Names {
    /// What one of them is, for messages.
    const WHAT: &'static str;
    /// The names.
    const NAMES: &'static [&'static str];
}

macro_rules! names {
    ($($kind:ident = $what:literal: $($name:literal)*;)*) => {
        $(
            #[doc = concat!("The names of each ", $what, ".")]
            #[derive(Debug)]
            pub(super) struct $kind;

            impl Names for $kind {
                const WHAT: &'static str = $what;
                const NAMES: &'static [&'static str] = &[$($name),*];
            }
        )*
    };
}

names! {
    LandformName = "landform": "flat" "slope" "ridge" "valley" "basin";
    WaterName = "water class": "none" "lake" "stream" "marsh";
    BiomeName = "biome":
        "open_bog" "spruce_swamp" "mixed_forest" "pine_heath" "esker_pine" "lake" "stream_bank";
    SoilName = "soil": "peat" "sandy_till" "rocky_till";
    SpeciesName = "species": "scots_pine" "norway_spruce" "birch";
    SurfaceName = "surface flag": "standing_water" "sphagnum" "lichen" "exposed_sand" "bedrock";
    FeatureName = "feature flag": "fallen_log" "root_tangle" "boulder" "windthrow";
    FollowName = "followable": "stream" "ridge" "game_trail" "shore";
    PassName = "passability": "passable" "difficult" "blocked";
    CompassName = "direction": "N" "NE" "E" "SE" "S" "SW" "W" "NW";
}

/// The name of a code, for messages.
pub(super) fn name_of<N: Names>(code: u8) -> &'static str {
    N::NAMES.get(code as usize).copied().unwrap_or("?")
}

/// The names of a set of flags, for messages.
pub(super) fn names_of<N: Names>(bits: u8) -> String {
    let all = (0..8).filter(|b| bits >> b & 1 == 1).map(|b| name_of::<N>(b));
    format!("[{}]", all.collect::<Vec<_>>().join(", "))
}

/// One name, read as its code.
pub(super) struct Code<N>(pub(super) u8, PhantomData<N>);

impl<'de, N: Names> Deserialize<'de> for Code<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Word<N>(PhantomData<N>);
        impl<N: Names> Visitor<'_> for Word<N> {
            type Value = u8;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "a {}: one of {}", N::WHAT, N::NAMES.join(", "))
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> std::result::Result<u8, E> {
                let code = N::NAMES.iter().position(|&n| n == v);
                code.map(|c| c as u8).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(v), &self))
            }
        }
        Ok(Code(deserializer.deserialize_str(Word::<N>(PhantomData))?, PhantomData))
    }
}

/// A list of names, read as a set of bits and whether they stand in order without repetition.
pub(super) struct Set<N> {
    /// A bit per name.
    pub(super) bits: u8,
    /// Whether each name follows on those before it.
    pub(super) in_order: bool,
    names: PhantomData<N>,
}

impl<N> Default for Set<N> {
    fn default() -> Self {
        Self { bits: 0, in_order: true, names: PhantomData }
    }
}

impl<'de, N: Names> Deserialize<'de> for Set<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct List<N>(PhantomData<N>);
        impl<'de, N: Names> Visitor<'de> for List<N> {
            type Value = Set<N>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "a list of {} names", N::WHAT)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Set<N>, A::Error> {
                let mut set = Set::default();
                while let Some(Code(code, _)) = seq.next_element::<Code<N>>()? {
                    set.in_order &= u32::from(set.bits) >> code == 0;
                    set.bits |= 1 << code;
                }
                Ok(set)
            }
        }
        deserializer.deserialize_seq(List(PhantomData))
    }
}

/// A list of at most two species in the form of [`Tiles::dominant`](super::tiles::Tiles::dominant).
pub(super) struct Species(pub(super) u8);

impl<'de> Deserialize<'de> for Species {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let list = Vec::<Code<SpeciesName>>::deserialize(deserializer)?;
        match list.as_slice() {
            [] => Ok(Species(0)),
            [a] => Ok(Species(a.0 + 1)),
            [a, b] => Ok(Species((a.0 + 1) | (b.0 + 1) << 4)),
            _ => Err(D::Error::invalid_length(list.len(), &"at most two species")),
        }
    }
}
