//! How the map of an island is drawn.

use super::cover as classes;
use crate::catalogue::Catalogue;
use crate::style::map::{
    Caption, Contours, Cover, CoverClass, Mark, PointStyle, Relief, Rivers, Sea, StreamOrder,
};
use crate::style::{MapStyle, Settings, Style, View};

/// The views of an island.
pub(super) const VIEWS: &[View] = &[View {
    name: "map",
    about: "relief, cover, sea by depth, rivers by order, harbours and peaks",
    layers: &["height", "cover", "flow_direction", "flow_accumulation", "river_order"],
    settings: &[],
    style: map,
}];

fn map(catalogue: &Catalogue, _: &Settings) -> Style {
    Style::Map(MapStyle {
        relief: Some(Relief { layer: "height", z_factor: None, contours: Contours::Most(24) }),
        cover: Some(cover()),
        sea: Some(Sea {
            layer: "height",
            label: "Sea",
            shallow: [190, 222, 232],
            deep: [122, 172, 206],
            lines: Contours::Most(5),
        }),
        rivers: Some(Rivers {
            set: "rivers",
            label: "River",
            load: "flow_accumulation",
            width: "width_m",
            widths: None,
            order: Some(StreamOrder { layer: "river_order", flow: "flow_direction" }),
        }),
        points: points(),
        ..MapStyle::of_land("Island", catalogue)
    })
}

fn cover() -> Cover {
    let class = |c: &crate::catalogue::Class| CoverClass {
        value: c.value,
        label: None,
        ground: c.colour,
        trees: Vec::new(),
    };
    Cover { layer: "cover", heading: "Ground", classes: classes::COVER.iter().map(class).collect() }
}

fn points() -> Vec<PointStyle> {
    vec![
        PointStyle {
            set: "peaks",
            only: None,
            label: "Peak, height in metres",
            mark: Mark::Peak,
            colour: [84, 56, 38],
            caption: Some(Caption { property: "height_m", most: 14 }),
        },
        PointStyle {
            set: "harbours",
            only: None,
            label: "Harbour",
            mark: Mark::Anchor,
            colour: [26, 58, 92],
            caption: None,
        },
    ]
}
