//! The tiles of a realm, for maps of tiles.

use super::biomes::{
    BEACH, BOREAL, CLIFF, DESERT, FOOTHILLS, FOREST, FOREST_EDGE, GRASSLAND, LAKE, LAKESHORE, MANGROVE,
    MARSH_EDGE, MOUNTAIN, OCEAN, SUBTROPICAL, TIDAL_FLAT, TUNDRA, WETLAND,
};
use super::validate::{BRIDGE, RAIL_BRIDGE, RAIL_CROSSING};
use crate::style::tiles::{
    Cover, CrossingKind, CrossingTiles, Deck, FootprintRank, FootprintTiles, Ground, GroundClass,
    GroundTiles, LabelSet, Landmark, Line, LinkTiles, Stands, TileMap, TransitionLook, TransitionTiles,
};

const fn class(value: u8, ground: Ground, cover: Cover) -> GroundClass {
    GroundClass { value, ground, cover: Some(cover) }
}

const fn water(value: u8) -> GroundClass {
    GroundClass { value, ground: Ground::Water, cover: None }
}

const fn look(value: u8, share: f32, stands: Stands) -> TransitionLook {
    TransitionLook { value, share, stands }
}

const fn rank(name: &'static str, roof: [u8; 3], centre: Landmark) -> FootprintRank {
    FootprintRank { name, roof, centre }
}

/// How a realm is drawn with tiles.
pub(super) static TILES: TileMap = TileMap {
    ground: GroundTiles {
        layer: "biome",
        classes: &[
            class(DESERT, Ground::Sand, Cover::Dunes),
            class(GRASSLAND, Ground::Grass, Cover::Tufts),
            class(TUNDRA, Ground::Frost, Cover::Shrubs),
            class(WETLAND, Ground::Marsh, Cover::Reeds),
            class(SUBTROPICAL, Ground::Leaves, Cover::Palms),
            class(FOREST, Ground::Leaves, Cover::Broadleaves),
            class(BOREAL, Ground::Leaves, Cover::Conifers),
            class(MOUNTAIN, Ground::Rock, Cover::Peaks),
            water(OCEAN),
            water(LAKE),
        ],
    },
    transitions: Some(TransitionTiles {
        layer: "transition",
        looks: &[
            look(FOREST_EDGE, 0.5, Stands::Ground),
            look(FOOTHILLS, 0.55, Stands::Own(Cover::Hills)),
            look(MARSH_EDGE, 0.5, Stands::Own(Cover::Reeds)),
            look(BEACH, 0.86, Stands::Nothing),
            look(CLIFF, 0.8, Stands::Own(Cover::Rocks)),
            look(TIDAL_FLAT, 0.8, Stands::Nothing),
            look(MANGROVE, 0.7, Stands::Own(Cover::Mangroves)),
            look(LAKESHORE, 0.6, Stands::Ground),
        ],
    }),
    links: &[
        LinkTiles {
            layer: "river_dirs",
            name: "rivers",
            line: Line::River,
            colour: [96, 152, 198],
            casing: [62, 112, 164],
        },
        LinkTiles {
            layer: "rail_dirs",
            name: "rails",
            line: Line::Rail,
            colour: [58, 54, 62],
            casing: [204, 196, 180],
        },
        LinkTiles {
            layer: "road_dirs",
            name: "roads",
            line: Line::Road,
            colour: [186, 136, 80],
            casing: [246, 238, 214],
        },
    ],
    crossings: Some(CrossingTiles {
        layer: "crossing",
        kinds: &[
            CrossingKind { value: BRIDGE, deck: Deck::Bridge, along: "road_dirs" },
            CrossingKind { value: RAIL_BRIDGE, deck: Deck::Bridge, along: "rail_dirs" },
            CrossingKind { value: RAIL_CROSSING, deck: Deck::Barriers, along: "road_dirs" },
        ],
    }),
    footprints: Some(FootprintTiles {
        layer: "settlement",
        points: "settlements",
        rank: "tier",
        ranks: &[
            rank("capital", [176, 66, 60], Landmark::Castle),
            rank("city", [190, 88, 66], Landmark::Cathedral),
            rank("town", [200, 112, 76], Landmark::Church),
            rank("village", [168, 116, 76], Landmark::House),
            rank("hamlet", [206, 170, 98], Landmark::Huts),
        ],
    }),
    labels: &[
        LabelSet {
            points: "settlements",
            name: "settlement names",
            kind: "kind",
            properties: &["tier", "population", "biome", "harbour"],
            colour: [176, 66, 60],
        },
        LabelSet {
            points: "places",
            name: "place names",
            kind: "kind",
            properties: &["tiles"],
            colour: [62, 112, 164],
        },
    ],
};

#[cfg(test)]
mod tests {
    use super::super::biomes::{BIOMES, TRANSITIONS};
    use super::super::settlements::KINDS;
    use super::*;

    #[test]
    fn every_biome_has_tiles_and_every_tier_has_houses() {
        let mut values: Vec<u32> = TILES.ground.classes.iter().map(|c| c.value.into()).collect();
        values.sort_unstable();
        assert_eq!(values, BIOMES.iter().map(|c| c.value).collect::<Vec<_>>());
        let ranks = TILES.footprints.unwrap().ranks;
        assert_eq!(ranks.iter().map(|r| r.name).collect::<Vec<_>>(), KINDS);
        let looks = TILES.transitions.unwrap().looks;
        assert!(looks.iter().all(|l| TRANSITIONS.iter().any(|c| c.value == l.value as u32)));
    }
}
