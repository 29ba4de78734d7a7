//! The class tables of the layers, and the words for lines and directions.

use weald_core::Dir8;

/// Names of the biomes by code; the first two are water.
pub(super) const BIOMES: [&str; 10] = [
    "ocean",
    "lake",
    "tundra",
    "boreal",
    "forest",
    "grassland",
    "wetland",
    "mountain",
    "desert",
    "subtropical",
];
/// Code of the biome ocean.
pub(super) const OCEAN: u8 = 0;
/// Code of the biome lake.
pub(super) const LAKE: u8 = 1;
/// The first code of a biome on land.
const LAND: u8 = 2;

/// Names of the values of the layer `water` by code.
pub(super) const WATERS: [&str; 3] = ["land", "ocean", "lake"];
/// Names of the crossings by code.
pub(super) const CROSSINGS: [&str; 5] = ["none", "bridge", "rail_bridge", "rail_crossing", "crossroads"];

/// Names of the transitions by code, up to the first that is mixed.
const TRANSITIONS: [&str; 9] = [
    "none",
    "forest_edge",
    "foothills",
    "marsh_edge",
    "beach",
    "cliff",
    "tidal_flat",
    "mangrove",
    "lakeshore",
];
/// Pairs of biomes, lower code first, whose transition has a name of its own, with its code.
const NAMED: [((u8, u8), u8); 3] = [((4, 5), 1), ((5, 7), 2), ((4, 6), 3)];

/// The pairs of biomes on land with the codes of their transitions, lower code first and outermost.
fn pairs() -> Vec<((u8, u8), u8)> {
    let mut mixed = TRANSITIONS.len() as u8;
    let mut out = Vec::new();
    for low in LAND..BIOMES.len() as u8 {
        for high in low + 1..BIOMES.len() as u8 {
            let code = NAMED.iter().find(|n| n.0 == (low, high)).map_or(mixed, |n| n.1);
            mixed += u8::from(code == mixed);
            out.push(((low, high), code));
        }
    }
    out
}

/// Names of all transitions by code.
pub(super) fn transitions() -> Vec<String> {
    let mut names: Vec<String> = TRANSITIONS.map(String::from).to_vec();
    for ((low, high), _) in pairs().into_iter().filter(|p| usize::from(p.1) >= TRANSITIONS.len()) {
        names.push(format!("mixed_{}_{}", BIOMES[usize::from(low)], BIOMES[usize::from(high)]));
    }
    names
}

/// For each pair of biomes, own and other, the least and the greatest code of the transitions that are right on a tile of the
/// first beside the second; 1 and 0, between which nothing lies, where there is none.
pub(super) fn right_transitions() -> [[(u8, u8); 10]; 10] {
    let mut out = [[(1, 0); 10]; 10];
    for ((low, high), code) in pairs() {
        out[usize::from(low)][usize::from(high)] = (code, code);
        out[usize::from(high)][usize::from(low)] = (code, code);
    }
    for own in &mut out[usize::from(LAND)..] {
        own[usize::from(OCEAN)] = (4, 7);
        own[usize::from(LAKE)] = (8, 8);
    }
    out
}

/// The name of a biome, for a message.
pub(super) fn biome(code: u8) -> &'static str {
    BIOMES.get(usize::from(code)).copied().unwrap_or("an unknown class")
}

/// The name of a crossing, for a message.
pub(super) fn crossing(code: u8) -> &'static str {
    CROSSINGS.get(usize::from(code)).copied().unwrap_or("unknown")
}

/// The kinds of lines. The first has the highest priority: a later kind gives way to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A river.
    River,
    /// A railroad.
    Railroad,
    /// A road.
    Road,
}

impl Kind {
    /// All kinds, that of the highest priority first.
    pub(super) const ALL: [Kind; 3] = [Kind::River, Kind::Railroad, Kind::Road];

    /// The layer of its links.
    pub(super) fn layer(self) -> &'static str {
        ["river_dirs", "rail_dirs", "road_dirs"][self as usize]
    }

    /// The file of its lines, without the ending.
    pub(super) fn file(self) -> &'static str {
        ["rivers", "railroads", "roads"][self as usize]
    }

    /// Its name, for a message.
    pub(super) fn name(self) -> &'static str {
        ["river", "railroad", "road"][self as usize]
    }
}

/// The directions of links, for a message, such as N-S; clockwise from north.
pub(super) fn going(links: u8) -> String {
    let names: Vec<&str> =
        (0..8).map(|k| (k + 6) % 8).filter(|d| links >> d & 1 == 1).map(|d| Dir8::NAMES[d]).collect();
    if names.is_empty() { "nowhere".into() } else { names.join("-") }
}

/// The axes of links as four bits: a direction and its opposite have the same axis.
fn axes(links: u8) -> u8 {
    (links | links >> 4) & 15
}

/// Whether a link of the first and a link of the second are parallel: their axes differ by less than a right angle.
pub(super) fn parallel(a: u8, b: u8) -> bool {
    let (a, b) = (axes(a), axes(b));
    // The axis at a right angle to each of the second.
    let turned = (b << 2 | b >> 2) & 15;
    a != 0 && b != 0 && !(a == turned && a.count_ones() == 1)
}

/// Whether links lead straight through: two of them, opposite to each other.
pub(super) fn straight(links: u8) -> bool {
    links.count_ones() == 2 && axes(links).count_ones() == 1
}

/// Whether four links are two straight lines at a right angle.
pub(super) fn right_angled_cross(links: u8) -> bool {
    links.count_ones() == 4 && matches!(axes(links), 0b0101 | 0b1010)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_25_mixed_transitions_after_the_named_ones() {
        let names = transitions();
        assert_eq!(names.len(), 34);
        assert_eq!(
            [&names[8][..], &names[9], &names[33]],
            ["lakeshore", "mixed_tundra_boreal", "mixed_desert_subtropical"]
        );
        let right = right_transitions();
        assert_eq!([right[5][4], right[7][5], right[4][6], right[2][3]], [(1, 1), (2, 2), (3, 3), (9, 9)]);
        assert_eq!([right[9][0], right[9][1], right[0][9], right[3][3]], [(4, 7), (8, 8), (1, 0), (1, 0)]);
    }

    #[test]
    fn two_links_are_parallel_unless_they_are_at_a_right_angle() {
        for a in 0..8u32 {
            for b in 0..8u32 {
                assert_eq!(parallel(1 << a, 1 << b), a.abs_diff(b) % 4 != 2, "{a} {b}");
            }
        }
        assert!(parallel(0b0001_0001, 0b0100_0010), "one of the links of a bend is parallel");
        assert!(!parallel(0, 0b0001_0001) && !parallel(0b0001_0001, 0));
        assert!(straight(0b0010_0010) && !straight(0b0000_0011) && !straight(0b0011_0011));
        assert!(right_angled_cross(0b0101_0101) && right_angled_cross(0b1010_1010));
        assert!(!right_angled_cross(0b0011_0011));
    }

    #[test]
    fn directions_are_named_clockwise_from_north() {
        assert_eq!([going(0b0100_0100), going(0b0001_0001), going(0b1000_0100)], ["N-S", "E-W", "NE-S"]);
        assert_eq!(going(0), "nowhere");
    }
}
