//! The names of the classes, in the order of their codes.

/// Names of terrain, of the surface and of the islands in the sky.
pub(super) const TERRAINS: [&str; 15] = [
    "lake", "town", "grass", "moor", "wood", "thicket", "road", "mud", "path", "stream", "marsh", "z",
    "building", "bridge", "sky",
];
/// Names of features.
pub(super) const FEATURES: [&str; 11] =
    ["none", "mine", "boulder", "root", "waterhole", "knoll", "x", "cone", "rocket", "building", "t"];
/// Names of trees.
pub(super) const TREES: [&str; 9] =
    ["none", "kind_0", "kind_1", "kind_2", "kind_3", "kind_4", "kind_5", "kind_6", "kind_7"];
/// Names of mine cells.
pub(super) const MINES: [&str; 4] = ["rock", "open", "below_shaft", "tunnel"];
/// Names of snow.
pub(super) const SNOW: [&str; 2] = ["no", "yes"];

macro_rules! codes {
    ($($name:ident = $code:literal,)*) => {
        $(
            /// A code.
            pub(super) const $name: u8 = $code;
        )*
    };
}
codes! {
    LAKE = 0, TOWN = 1, GRASS = 2, MOOR = 3, WOOD = 4, THICKET = 5, ROAD = 6, MUD = 7, PATH = 8, STREAM = 9,
    MARSH = 10, Z = 11, BUILDING = 12, BRIDGE = 13, SKY = 14,
}
codes! {
    NONE = 0, MINE = 1, BOULDER = 2, ROOT = 3, WATERHOLE = 4, KNOLL = 5, X = 6, CONE = 7, ROCKET = 8,
    HOUSE = 9, T = 10,
}
