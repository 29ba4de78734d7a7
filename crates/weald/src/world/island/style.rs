//! How the map of an island is drawn.

use super::{Island, cover as classes};
use crate::render::MapStyle;
use crate::render::style::{Caption, Contours, Cover, CoverClass, Mark, PointStyle, Relief, Rivers, Sea};

/// The style of the map.
pub(super) fn map_style(island: &Island) -> MapStyle {
    MapStyle {
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
            order: Some("river_order"),
        }),
        points: points(),
        ..MapStyle::of_land("Island", island.seed, &island.frame)
    }
}

fn cover() -> Cover {
    let class = |c: &crate::layer::Class| CoverClass {
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
            label: "Peak, height in metres",
            mark: Mark::Peak,
            colour: [84, 56, 38],
            caption: Some(Caption { property: "height_m", most: 14 }),
        },
        PointStyle {
            set: "harbours",
            label: "Harbour",
            mark: Mark::Anchor,
            colour: [26, 58, 92],
            caption: None,
        },
    ]
}
