//! How the map of a city's land is drawn.

use super::{City, GENTLE, NEARLY, UNBUILDABLE};
use crate::render::MapStyle;
use crate::render::style::{Contours, Cover, CoverClass, Lakes, Relief, Rivers};

/// The style of the map; the overlay takes its relief, lakes and rivers.
pub(super) fn map_style(city: &City) -> MapStyle {
    MapStyle {
        relief: Some(Relief { layer: "height", z_factor: None, contours: Contours::Most(24) }),
        cover: Some(cover()),
        lakes: Some(Lakes { layer: "lake_id", label: "Lake" }),
        rivers: Some(Rivers {
            set: "rivers",
            label: "River",
            load: "flow_accumulation",
            width: "width_m",
            order: None,
        }),
        ..MapStyle::of_land("City", city.seed, &city.frame)
    }
}

/// Ground colours by class: their lightness differs (79, 88 and 62 of 100), so that they are told apart without hue.
fn cover() -> Cover {
    let class = |value: u8, label, ground| CoverClass {
        value: value.into(),
        label: Some(label),
        ground,
        trees: Vec::new(),
    };
    Cover {
        layer: "buildable",
        heading: "Ground by slope",
        classes: vec![
            class(GENTLE, "Buildable, up to 5 %", [176, 206, 150]),
            class(NEARLY, "Near, 5 to 10 %", [240, 222, 150]),
            class(UNBUILDABLE, "Too steep", [160, 149, 142]),
        ],
    }
}
