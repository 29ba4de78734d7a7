//! How the map of a city's land is drawn.

use super::{City, GENTLE, NEARLY, UNBUILDABLE};
use crate::render::MapStyle;
use crate::render::style::{Contours, Cover, CoverClass, Lakes, Relief, Rivers, Unit};

/// The style of the map; the overlay takes its relief, lakes and rivers.
pub(super) fn map_style(city: &City) -> MapStyle {
    let (w, h, cell_m) = (city.frame.width, city.frame.height, city.frame.cell_m);
    let (wide_km, high_km) = (w as f64 * cell_m / 1000.0, h as f64 * cell_m / 1000.0);
    MapStyle {
        title: "City".into(),
        subtitle: format!(
            "Seed {} \u{b7} {w} \u{d7} {h} cells \u{b7} {wide_km:.1} \u{d7} {high_km:.1} km",
            city.seed.0
        ),
        relief: Some(Relief { layer: "height", z_factor: None, contours: Contours::Most(24) }),
        cover: Some(cover()),
        lakes: Some(Lakes { layer: "lake", label: "Lake" }),
        rivers: Some(Rivers {
            set: "rivers",
            label: "River",
            load: "flow_area",
            width: "width_m",
            order: None,
        }),
        unit: Unit { name: "km", per_cell: cell_m / 1000.0 },
        ..MapStyle::default()
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
