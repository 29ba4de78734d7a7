//! A city's land as a vector map.

use super::{GENTLE, NEARLY, UNBUILDABLE, WATER};
use crate::style::chart::{AreaLook, AreaStyle, ChartContours, ChartStyle, LineStyle, Test, Values, When};
use crate::style::exports::GroundSpec;

/// Where its heights are, and what covers its ground.
pub(crate) const GROUND: GroundSpec = GroundSpec {
    height: "height",
    metres_per_height: 1.0,
    metres_per_unit: 1.0,
    cover: "buildable",
    water: &[("lake_id", Values::NotZero), ("buildable", Values::Is(WATER as u32))],
    length_note: "",
    height_note: "",
};

/// Symbols by slope, sea, lakes and width of rivers.
pub(crate) fn chart_style() -> ChartStyle {
    let area =
        |class: u8, label, look| AreaStyle { label, ..AreaStyle::class("buildable", class.into(), look) };
    let river = |from, below, symbol, label| LineStyle {
        when: Some(When { property: "width_m", is: Test::Within(from, below) }),
        water: true,
        label,
        ..LineStyle::all("rivers", symbol)
    };
    let water = AreaLook::Water("301", Some("301.4"));
    ChartStyle {
        title: |_| "City".into(),
        credits: Vec::new(),
        metres_per_unit: 1.0,
        areas: vec![
            AreaStyle {
                layer: "height",
                values: Values::Within(f64::NEG_INFINITY, 0.0),
                look: water,
                label: "Water",
            },
            AreaStyle { layer: "lake_id", values: Values::NotZero, look: water, label: "Water" },
            area(WATER, "Water", AreaLook::Through),
            area(GENTLE, "Buildable ground, up to 5 %", AreaLook::Area("403", None)),
            area(NEARLY, "Steeper ground", AreaLook::Paper),
            area(UNBUILDABLE, "Steeper ground", AreaLook::Paper),
        ],
        contours: Some(ChartContours { layer: "height", metres_per_unit: 1.0, zero: 0.0, interval_m: 5.0 }),
        streams: None,
        lines: vec![river(0.0, 8.0, "305", "Stream"), river(8.0, f64::INFINITY, "304", "River")],
        squares: Vec::new(),
        points: Vec::new(),
        labels: Vec::new(),
        course: None,
    }
}
