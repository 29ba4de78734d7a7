//! How the map of a forest is drawn.

use super::classes;
use crate::catalogue::Catalogue;
use crate::style::map::{
    Contours, Cover, CoverClass, Crown, LineStyle, Relief, Tint, Tree, Trees, Unit, Water,
};
use crate::style::{MapStyle, Settings, Style, View};
use weald_core::Seed;

/// The views of a forest.
pub(super) const VIEWS: &[View] = &[View {
    name: "map",
    about: "relief, trees by biome, water, game trails",
    layers: &[
        "height",
        "biome",
        "moisture",
        "tree_density",
        "water_class",
        "flow_direction",
        "flow_accumulation",
    ],
    settings: &[],
    style: map,
}];

fn map(catalogue: &Catalogue, _: &Settings) -> Style {
    let (w, h) = (catalogue.frame.width, catalogue.frame.height);
    let tint = |layer, low, high, colour, strength| Tint { layer, low, high, colour, strength };
    Style::Map(MapStyle {
        title: "Forest".into(),
        subtitle: format!("Seed {} \u{b7} {w} \u{d7} {h} tiles", catalogue.seed),
        notes: Vec::new(),
        relief: Some(Relief { layer: "height", z_factor: None, contours: Contours::Auto }),
        cover: Some(cover()),
        tints: vec![
            tint("moisture", 0.1, 0.6, [158, 192, 140], 0.5),
            tint("height", 0.5, 0.8, [250, 232, 188], 0.7),
            tint("height", 0.5, 0.2, [166, 198, 140], 0.6),
        ],
        trees: Some(Trees { density: "tree_density", seed: Seed(catalogue.seed) }),
        water: Some(Water {
            layer: "water_class",
            lakes: vec![classes::LAKE.into()],
            streams: vec![classes::STREAM.into()],
            marshes: vec![classes::MARSH.into()],
            flow: "flow_direction",
            accumulation: "flow_accumulation",
        }),
        lakes: None,
        sea: None,
        rivers: None,
        lines: vec![LineStyle {
            set: "trails",
            only: None,
            label: "Game trail",
            colour: [150, 86, 52],
            width: 1.4,
            dash: Some((4.6, 3.0)),
            casing: Some([250, 241, 220]),
        }],
        points: Vec::new(),
        labels: Vec::new(),
        margin_cells: catalogue.number("grid.playable_inset") as usize,
        unit: Unit { name: "tiles", per_cell: 1.0 },
        px: None,
    })
}

/// Ground colours and trees by biome, in the order of the legend.
fn cover() -> Cover {
    let tree = |crown, size, shape, weight| Tree { crown, size, shape, weight };
    let pine = tree([136, 162, 104], 0.95, Crown::Round, 1.0);
    let old_pine = tree([156, 170, 108], 1.05, Crown::Round, 0.5);
    let spruce = tree([84, 120, 94], 0.95, Crown::Pointed, 1.0);
    let birch = tree([146, 176, 92], 1.05, Crown::Round, 1.0);
    let class = |value: u8, ground, trees: &[Tree]| CoverClass {
        value: value.into(),
        label: None,
        ground,
        trees: trees.to_vec(),
    };
    Cover {
        layer: "biome",
        heading: "Ground",
        classes: vec![
            class(classes::PINE_HEATH, [210, 211, 158], &[pine, old_pine]),
            class(classes::ESKER_PINE, [236, 220, 172], &[old_pine]),
            class(classes::MIXED_FOREST, [190, 208, 150], &[birch, spruce]),
            class(classes::SPRUCE_SWAMP, [158, 186, 152], &[spruce]),
            class(classes::OPEN_BOG, [214, 198, 146], &[birch]),
            class(classes::STREAM_BANK, [184, 208, 162], &[birch]),
            class(classes::LAKE_BIOME, [166, 204, 219], &[]),
        ],
    }
}
