//! Kinds of ground and of things on it, by number and name.

use crate::layer::Class;

/// Water: the ground is below the level.
pub const LAKE: u8 = 0;
/// Paved.
pub const TOWN: u8 = 1;
/// Open grass.
pub const GRASS: u8 = 2;
/// Open rough ground.
pub const MOOR: u8 = 3;
/// Runnable wood.
pub const WOOD: u8 = 4;
/// Dense wood.
pub const THICKET: u8 = 5;
/// Bed of a lake that has fallen below the document's level.
pub const MUD: u8 = 7;

const fn class(value: u8, name: &'static str, colour: [u8; 3]) -> Class {
    Class { value: value as u32, name, colour }
}

/// Kinds of ground. The numbers are those of the document.
pub const TERRAINS: &[Class] = &[
    class(LAKE, "lake", [64, 120, 160]),
    class(TOWN, "town", [150, 140, 136]),
    class(GRASS, "grass", [198, 196, 120]),
    class(MOOR, "moor", [184, 160, 108]),
    class(WOOD, "wood", [116, 150, 92]),
    class(THICKET, "thicket", [62, 104, 72]),
    class(MUD, "mud", [120, 98, 76]),
];

/// No feature.
pub const NONE: u8 = 0;
/// A shaft.
pub const MINE: u8 = 1;
/// A boulder.
pub const BOULDER: u8 = 2;
/// An upturned root.
pub const ROOT: u8 = 3;
/// A small pond.
pub const WATERHOLE: u8 = 4;
/// A small hill.
pub const KNOLL: u8 = 5;
/// Something man-made.
pub const X: u8 = 6;
/// A cone.
pub const CONE: u8 = 7;

/// Point features. The numbers are those of the document.
pub const FEATURES: &[Class] = &[
    class(NONE, "none", [245, 241, 232]),
    class(MINE, "mine", [40, 40, 44]),
    class(BOULDER, "boulder", [110, 104, 100]),
    class(ROOT, "root", [126, 86, 54]),
    class(WATERHOLE, "waterhole", [58, 120, 176]),
    class(KNOLL, "knoll", [176, 110, 60]),
    class(X, "x", [160, 52, 120]),
    class(CONE, "cone", [226, 96, 40]),
];

/// The name of a value of a table.
pub fn name(table: &'static [Class], value: u8) -> &'static str {
    table.iter().find(|c| c.value == value as u32).map_or("none", |c| c.name)
}
