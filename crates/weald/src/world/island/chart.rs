//! An island as a vector map.

use super::cover as classes;
use crate::style::chart::{
    AreaLook, AreaStyle, ChartContours, ChartStyle, LabelStyle, LineStyle, PointStyle, Test, Values, When,
};
use crate::style::exports::GroundSpec;

/// Where its heights are, and what covers its ground.
pub(crate) const GROUND: GroundSpec = GroundSpec {
    height: "height",
    metres_per_height: 1.0,
    metres_per_unit: 1.0,
    cover: "cover",
    water: &[("land", Values::Is(0))],
    length_note: "",
    height_note: "",
};

/// Symbols by ground cover, order of rivers, peaks and harbours.
pub(crate) fn chart_style() -> ChartStyle {
    let area = |class: u8, label, look| AreaStyle { label, ..AreaStyle::class("cover", class.into(), look) };
    let river = |from, below, symbol, label| LineStyle {
        when: Some(When { property: "order", is: Test::Within(from, below) }),
        water: true,
        label,
        ..LineStyle::all("rivers", symbol)
    };
    let sea = AreaLook::Water("301", Some("301.4"));
    ChartStyle {
        title: |_| "Island".into(),
        credits: Vec::new(),
        metres_per_unit: 1.0,
        areas: vec![
            area(classes::SEA, "Sea", sea),
            area(classes::SHALLOWS, "Sea", sea),
            area(classes::BEACH, "Beach", AreaLook::Area("213", None)),
            area(classes::GRASS, "", AreaLook::Area("401", None)),
            area(classes::HEATH, "Heath", AreaLook::Area("403", None)),
            area(classes::WOOD, "Wood", AreaLook::Paper),
            area(classes::ROCK, "", AreaLook::Area("214", None)),
            area(classes::SNOW, "", AreaLook::Area("901", None)),
            area(classes::MARSH, "", AreaLook::Over("308")),
        ],
        contours: Some(ChartContours { layer: "height", metres_per_unit: 1.0, zero: 0.0, interval_m: 5.0 }),
        streams: None,
        lines: vec![river(0.0, 3.0, "305", "Stream"), river(3.0, f64::INFINITY, "304", "River")],
        squares: Vec::new(),
        points: vec![
            PointStyle { label: "Peak, height in metres", ..PointStyle::all("peaks", "603") },
            PointStyle { label: "Harbour", ..PointStyle::all("harbours", "530") },
        ],
        labels: vec![LabelStyle {
            set: "peaks",
            when: None,
            property: "height_m",
            symbol: "603.1",
            over: false,
            most: 40,
        }],
        course: None,
    }
}
