//! How the map of a city's land is drawn.

use super::{GENTLE, NEARLY, UNBUILDABLE, WATER};
use crate::catalogue::Catalogue;
use crate::style::map::{Contours, Cover, CoverClass, Lakes, Relief, Rivers, Sea};
use crate::style::{MapStyle, Style, View};

const LAYERS: &[&str] = &["height", "buildable", "lake_id", "flow_accumulation"];

/// The views of a city map.
pub(super) const VIEWS: &[View] = &[
    View {
        name: "map",
        about: "relief, buildable ground, lakes and rivers",
        layers: LAYERS,
        settings: &[],
        style: |catalogue, _| Style::Map(map_style(catalogue)),
    },
    View {
        name: "overlay",
        about: "rivers, lakes and contour lines on a transparent background, one pixel per cell",
        layers: LAYERS,
        settings: &[],
        style: |catalogue, _| Style::Overlay(map_style(catalogue)),
    },
];

/// The style of the map; the overlay takes its relief, lakes and rivers.
fn map_style(catalogue: &Catalogue) -> MapStyle {
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
        lakes: Some(Lakes { layer: "lake_id", label: "Lake" }),
        rivers: Some(Rivers {
            set: "rivers",
            label: "River",
            load: "flow_accumulation",
            width: "width_m",
            widths: Some("widths_m"),
            order: None,
        }),
        ..MapStyle::of_land("City", catalogue)
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
            class(WATER, "Water", [126, 166, 204]),
        ],
    }
}
