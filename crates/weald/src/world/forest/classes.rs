//! The classes and flags of the forest: codes, names and colours.

use crate::catalogue::{Class, classes};

classes! {
    /// Landforms (§5.2).
    LANDFORMS:
    /// Level ground.
    FLAT = 0 "flat" [226, 222, 200];
    /// A hillside.
    SLOPE = 1 "slope" [196, 184, 150];
    /// A local maximum or a crest.
    RIDGE = 2 "ridge" [150, 112, 78];
    /// A trough.
    VALLEY = 3 "valley" [128, 160, 132];
    /// A local minimum.
    BASIN = 4 "basin" [92, 132, 160];
}

classes! {
    /// Water on a tile (§6.7).
    WATER_CLASSES:
    /// Dry land.
    DRY = 0 "none" [233, 229, 212];
    /// Standing water.
    LAKE = 1 "lake" [84, 140, 184];
    /// Running water.
    STREAM = 2 "stream" [98, 164, 206];
    /// Wet, flat ground.
    MARSH = 3 "marsh" [150, 182, 164];
}

classes! {
    /// Biomes (§7.1), in the document's order.
    BIOMES:
    /// Treeless or nearly so, sodden and flat.
    OPEN_BOG = 0 "open_bog" [196, 190, 132];
    /// Dense and dark on wet ground.
    SPRUCE_SWAMP = 1 "spruce_swamp" [84, 116, 96];
    /// Birch and spruce.
    MIXED_FOREST = 2 "mixed_forest" [134, 164, 104];
    /// Pine on dry ground.
    PINE_HEATH = 3 "pine_heath" [176, 186, 128];
    /// Pine on high, level ground.
    ESKER_PINE = 4 "esker_pine" [208, 190, 128];
    /// Open water.
    LAKE_BIOME = 5 "lake" [84, 140, 184];
    /// Along running water.
    STREAM_BANK = 6 "stream_bank" [122, 172, 140];
}

classes! {
    /// Soil (§8).
    SOILS:
    /// Wet, organic.
    PEAT = 0 "peat" [92, 70, 56];
    /// Dry and high.
    SANDY_TILL = 1 "sandy_till" [222, 198, 140];
    /// Anything else.
    ROCKY_TILL = 2 "rocky_till" [160, 150, 136];
}

classes! {
    /// Bits of surface features (§8).
    SURFACE_FLAGS:
    /// Standing water.
    STANDING_WATER = 1 "standing_water" [84, 140, 184];
    /// Peat moss.
    SPHAGNUM = 2 "sphagnum" [140, 164, 92];
    /// Dry lichen.
    LICHEN = 4 "lichen" [204, 208, 184];
    /// Bare sand.
    EXPOSED_SAND = 8 "exposed_sand" [228, 206, 150];
    /// Bare rock.
    BEDROCK = 16 "bedrock" [136, 132, 130];
}

classes! {
    /// Bits of obstructing features (§9).
    FEATURE_FLAGS:
    /// A fallen trunk.
    FALLEN_LOG = 1 "fallen_log" [150, 112, 78];
    /// Roots above ground.
    ROOT_TANGLE = 2 "root_tangle" [112, 96, 64];
    /// A large stone.
    BOULDER = 4 "boulder" [140, 138, 136];
    /// Trees felled by wind.
    WINDTHROW = 8 "windthrow" [188, 148, 96];
}

classes! {
    /// Bits of linear features that a walker can follow (§13.3).
    FOLLOWABLES:
    /// Running water.
    FOLLOW_STREAM = 1 "stream" [98, 164, 206];
    /// A crest.
    FOLLOW_RIDGE = 2 "ridge" [150, 112, 78];
    /// A game trail.
    FOLLOW_TRAIL = 4 "game_trail" [186, 92, 48];
    /// The edge of a lake.
    FOLLOW_SHORE = 8 "shore" [228, 206, 150];
}

classes! {
    /// Passability of a step (§13.2), two bits for each direction.
    PASSABILITIES:
    /// Freely.
    PASSABLE = 0 "passable" [190, 206, 150];
    /// With effort.
    DIFFICULT = 1 "difficult" [226, 182, 96];
    /// Not at all.
    BLOCKED = 2 "blocked" [176, 84, 70];
}

classes! {
    /// No or yes.
    NO_YES:
    /// No.
    NO = 0 "no" [233, 229, 212];
    /// Yes.
    YES = 1 "yes" [70, 100, 120];
}

/// The eight directions as bits of a layer.
pub const DIRECTION_BITS: &[Class] = &[
    Class { value: 1, name: "E", colour: [214, 96, 77] },
    Class { value: 2, name: "SE", colour: [222, 155, 72] },
    Class { value: 4, name: "S", colour: [201, 192, 80] },
    Class { value: 8, name: "SW", colour: [122, 176, 88] },
    Class { value: 16, name: "W", colour: [72, 160, 150] },
    Class { value: 32, name: "NW", colour: [76, 126, 182] },
    Class { value: 64, name: "N", colour: [118, 98, 176] },
    Class { value: 128, name: "NE", colour: [184, 88, 140] },
];

/// Trees that dominate a tile, the most common first (§7.4).
pub fn dominant(biome: u8, moisture: f32) -> &'static [&'static str] {
    match biome {
        PINE_HEATH | ESKER_PINE => &["scots_pine"],
        SPRUCE_SWAMP => &["norway_spruce"],
        MIXED_FOREST if moisture >= 0.52 => &["norway_spruce", "birch"],
        MIXED_FOREST => &["birch", "norway_spruce"],
        STREAM_BANK => &["birch"],
        OPEN_BOG if moisture < 0.75 => &["birch"],
        _ => &[],
    }
}
