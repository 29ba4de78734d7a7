//! How the map of a realm is drawn.

use super::biomes::BIOMES;
use crate::catalogue::Catalogue;
use crate::style::map::{Contours, Cover, CoverClass, LineStyle, Relief, Sea};
use crate::style::{MapStyle, Settings, Style, View};

const LAYERS: &[&str] = &["height", "biome", "water"];

/// The views of a realm.
pub(super) const VIEWS: &[View] = &[View {
    name: "map",
    about: "biomes, relief, rivers, railroads, roads and settlements with their names",
    layers: LAYERS,
    settings: &[],
    style: map,
}];

fn map(catalogue: &Catalogue, _: &Settings) -> Style {
    Style::Map(MapStyle {
        relief: Some(Relief { layer: "height", z_factor: None, contours: Contours::Off }),
        cover: Some(cover()),
        sea: Some(Sea {
            layer: "height",
            label: "Ocean",
            shallow: [178, 210, 224],
            deep: [112, 160, 194],
            lines: Contours::Off,
        }),
        lines: vec![
            LineStyle {
                set: "rivers",
                label: "River",
                colour: [70, 124, 176],
                width: 2.2,
                dash: None,
                casing: None,
            },
            LineStyle {
                set: "roads",
                label: "Road",
                colour: [150, 96, 52],
                width: 1.8,
                dash: None,
                casing: Some([246, 240, 222]),
            },
            LineStyle {
                set: "railroads",
                label: "Railroad",
                colour: [54, 50, 56],
                width: 1.8,
                dash: Some((7.0, 4.0)),
                casing: Some([246, 240, 222]),
            },
        ],
        ..MapStyle::of_land("Realm", catalogue)
    })
}

fn cover() -> Cover {
    let class = |c: &crate::catalogue::Class| CoverClass {
        value: c.value,
        label: None,
        ground: c.colour,
        trees: Vec::new(),
    };
    Cover { layer: "biome", heading: "Biomes", classes: BIOMES[1..].iter().map(class).collect() }
}
