//! The endless world as a vector map.

use super::kinds::Terrain;
use crate::style::chart::{
    AreaLook, AreaStyle, ChartContours, ChartStyle, CourseSets, LineStyle, PointStyle, SquareStyle, Test,
    Values, When,
};
use crate::style::exports::GroundSpec;
use crate::world::runner::HEIGHT_UNITS_PER_M;

/// Where its heights are, and what covers its ground.
pub(crate) const GROUND: GroundSpec = GroundSpec {
    height: "height",
    metres_per_height: 1.0 / HEIGHT_UNITS_PER_M,
    metres_per_unit: 1.0,
    cover: "surface",
    water: &[("surface", Values::Is(Terrain::Lake as u32))],
    length_note: "",
    height_note: "Four units of height are taken as a metre.",
};

/// Symbols by kind of ground, line and feature.
pub(crate) fn chart_style() -> ChartStyle {
    let area = |terrain: Terrain, label, look| AreaStyle {
        label,
        ..AreaStyle::class("surface", terrain as u32, look)
    };
    ChartStyle {
        title: |c| format!("Endless, from {}, {}", c.frame.origin.0 + 0.5, -(c.frame.origin.1 + 0.5) + 0.0),
        credits: vec![
            "Terrain after Graham Relf, The Forest.",
            "Cones and rockets can be moved and are not shown.",
        ],
        metres_per_unit: 1.0,
        areas: vec![
            area(Terrain::Lake, "Lake", AreaLook::Water("301", Some("301.4"))),
            area(Terrain::Grass, "", AreaLook::Area("401", None)),
            area(Terrain::Moor, "Moor", AreaLook::Area("403", None)),
            area(Terrain::Wood, "Wood, runnable", AreaLook::Paper),
            area(Terrain::Thicket, "Thicket", AreaLook::Area("408", None)),
            area(Terrain::Town, "", AreaLook::Area("501", Some("501.1"))),
            area(Terrain::Path, "", AreaLook::Area("501", None)),
            area(Terrain::Z, "Barren ground", AreaLook::Area("214", None)),
            area(Terrain::Marsh, "", AreaLook::Over("308")),
            area(Terrain::Mud, "Mud", AreaLook::Over("310")),
            area(Terrain::Road, "", AreaLook::Through),
            area(Terrain::Stream, "", AreaLook::Through),
            area(Terrain::Building, "", AreaLook::Through),
            area(Terrain::Bridge, "", AreaLook::Through),
        ],
        contours: Some(ChartContours {
            layer: "height",
            metres_per_unit: 1.0 / HEIGHT_UNITS_PER_M,
            zero: 0.0,
            interval_m: 5.0,
        }),
        streams: None,
        lines: vec![
            LineStyle { water: true, label: "Stream", ..LineStyle::all("streams", "304") },
            LineStyle { label: "Road", ..LineStyle::all("roads", "502") },
            LineStyle::all("bridges", "512"),
            LineStyle { label: "Drawn road", ..LineStyle::all("drawn_roads", "504") },
        ],
        squares: vec![SquareStyle { set: "buildings", side: 12.0, symbol: "521", label: "" }],
        points: points(),
        labels: Vec::new(),
        course: Some(CourseSets { points: "course", route: "course_route" }),
    }
}

fn points() -> Vec<PointStyle> {
    const fn kind(kind: &'static [&'static str]) -> Option<When> {
        Some(When { property: "kind", is: Test::OneOf(kind) })
    }
    let mouth = |yes| Some(When { property: "cave_mouth", is: Test::True(yes) });
    let point =
        |kinds, symbol| PointStyle { when: [kind(kinds), None], ..PointStyle::all("features", symbol) };
    vec![
        PointStyle {
            when: [kind(&["mine"]), mouth(false)],
            label: "Mine shaft",
            ..PointStyle::all("features", "203.1")
        },
        PointStyle {
            when: [kind(&["mine"]), mouth(true)],
            direction: Some("direction"),
            label: "Cave mouth",
            ..PointStyle::all("features", "203.2")
        },
        point(&["boulder"], "204"),
        point(&["knoll"], "109"),
        point(&["waterhole"], "303"),
        PointStyle { label: "Rootstock", ..point(&["root"], "419") },
        PointStyle { label: "Man-made object", ..point(&["x"], "531") },
        PointStyle { label: "Phone box", ..point(&["t"], "530") },
    ]
}
