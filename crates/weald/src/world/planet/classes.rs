//! Kinds of ground and of things on it, by number and name.

use crate::catalogue::{Class, classes};

classes! {
    /// Kinds of ground. The numbers are those of the document.
    TERRAINS:
    /// Water: the ground is below the level.
    LAKE = 0 "lake" [64, 120, 160];
    /// Paved.
    TOWN = 1 "town" [150, 140, 136];
    /// Open grass.
    GRASS = 2 "grass" [198, 196, 120];
    /// Open rough ground.
    MOOR = 3 "moor" [184, 160, 108];
    /// Runnable wood.
    WOOD = 4 "wood" [116, 150, 92];
    /// Dense wood.
    THICKET = 5 "thicket" [62, 104, 72];
    /// Bed of a lake that has fallen below the document's level.
    MUD = 7 "mud" [120, 98, 76];
}

classes! {
    /// Point features. The numbers are those of the document.
    FEATURES:
    /// No feature.
    NONE = 0 "none" [245, 241, 232];
    /// A shaft.
    MINE = 1 "mine" [40, 40, 44];
    /// A boulder.
    BOULDER = 2 "boulder" [110, 104, 100];
    /// An upturned root.
    ROOT = 3 "root" [126, 86, 54];
    /// A small pond.
    WATERHOLE = 4 "waterhole" [58, 120, 176];
    /// A small hill.
    KNOLL = 5 "knoll" [176, 110, 60];
    /// Something man-made.
    X = 6 "x" [160, 52, 120];
    /// A cone.
    CONE = 7 "cone" [226, 96, 40];
    /// A rocket: placed only.
    ROCKET = 8 "rocket" [140, 60, 200];
    /// A building: placed only.
    BUILDING = 9 "building" [60, 60, 60];
    /// A telephone box: placed only.
    T = 10 "t" [220, 0, 60];
}

/// The name of a value of a table.
pub fn name(table: &'static [Class], value: u8) -> &'static str {
    table.iter().find(|c| c.value == value as u32).map_or("none", |c| c.name)
}
