//! A realm as a vector map.

use super::biomes;
use crate::catalogue::Catalogue;
use crate::style::chart::{
    AreaLook, AreaStyle, ChartContours, ChartStyle, LabelStyle, LineStyle, PointStyle, Test, Values, When,
};
use crate::style::exports::GroundSpec;

/// Where its heights are, and what covers its ground.
pub(crate) const GROUND: GroundSpec = GroundSpec {
    height: "surface",
    metres_per_height: 1.0,
    metres_per_unit: 1.0,
    cover: "biome",
    water: &[("biome", Values::Is(biomes::OCEAN as u32)), ("biome", Values::Is(biomes::LAKE as u32))],
    length_note: "",
    height_note: "",
};

/// Symbols by biome, order of rivers, class of roads and rank of settlements.
pub(crate) fn chart_style() -> ChartStyle {
    let area = |class: u8, label, look| AreaStyle { label, ..AreaStyle::class("biome", class.into(), look) };
    let water = AreaLook::Water("301", Some("301.4"));
    ChartStyle {
        title,
        credits: Vec::new(),
        metres_per_unit: 1.0,
        areas: vec![
            area(biomes::OCEAN, "Water", water),
            area(biomes::LAKE, "Water", water),
            area(biomes::TUNDRA, "Tundra", AreaLook::Area("403", None)),
            area(biomes::BOREAL, "Boreal forest", AreaLook::Area("406", None)),
            area(biomes::FOREST, "Forest", AreaLook::Paper),
            area(biomes::GRASSLAND, "Grassland", AreaLook::Area("401", None)),
            area(biomes::WETLAND, "Wetland", AreaLook::Over("308")),
            area(biomes::MOUNTAIN, "Mountains", AreaLook::Area("214", None)),
            area(biomes::DESERT, "Desert", AreaLook::Area("213", None)),
            area(biomes::SUBTROPICAL, "Subtropical forest", AreaLook::Area("408", None)),
        ],
        contours: Some(ChartContours {
            layer: "surface",
            metres_per_unit: 1.0,
            zero: 0.0,
            interval_m: 100.0,
        }),
        streams: None,
        lines: lines(),
        squares: Vec::new(),
        points: points(),
        labels: labels(),
        course: None,
    }
}

/// A realm is called after its capital.
fn title(catalogue: &Catalogue) -> String {
    let capital = catalogue.point_set("settlements").and_then(|s| s.features.first());
    match capital.and_then(|c| c.property("name")).and_then(|n| n.as_str()) {
        Some(name) => format!("Realm of {name}"),
        None => "Realm".into(),
    }
}

fn lines() -> Vec<LineStyle> {
    let river = |from, below, symbol, label| LineStyle {
        when: Some(When { property: "order", is: Test::Within(from, below) }),
        water: true,
        label,
        ..LineStyle::all("rivers", symbol)
    };
    let road = |class, symbol, label| LineStyle {
        when: Some(When { property: "class", is: Test::OneOf(class) }),
        label,
        ..LineStyle::all("roads", symbol)
    };
    vec![
        river(0.0, 3.0, "305", "River"),
        river(3.0, f64::INFINITY, "304", "Large river"),
        road(&["highway"], "502", "Highway"),
        road(&["road"], "503", "Road"),
        road(&["track"], "505", "Track"),
        LineStyle { label: "Railroad", ..LineStyle::all("railroads", "509") },
    ]
}

const CAPITAL: &[&str] = &["capital"];
const CITY: &[&str] = &["city"];
const TOWN: &[&str] = &["town"];
const VILLAGE: &[&str] = &["village"];
const HAMLET: &[&str] = &["hamlet"];

const fn kind(kinds: &'static [&'static str]) -> Option<When> {
    Some(When { property: "kind", is: Test::OneOf(kinds) })
}

fn points() -> Vec<PointStyle> {
    let rank =
        |kinds, symbol| PointStyle { when: [kind(kinds), None], ..PointStyle::all("settlements", symbol) };
    vec![
        rank(CAPITAL, "902.1"),
        rank(CITY, "902.2"),
        rank(TOWN, "902.3"),
        rank(VILLAGE, "902.4"),
        rank(HAMLET, "902.5"),
    ]
}

fn labels() -> Vec<LabelStyle> {
    let name = |set, kinds, symbol, over| LabelStyle {
        set,
        when: kind(kinds),
        property: "name",
        symbol,
        over,
        most: usize::MAX,
    };
    vec![
        name("settlements", CAPITAL, "910.1", false),
        name("settlements", CITY, "910.2", false),
        name("places", &["sea"], "911.1", true),
        name("places", &["range"], "912", true),
        name("settlements", TOWN, "910.3", false),
        name("settlements", VILLAGE, "910.4", false),
        name("places", &["lake"], "911.2", true),
        name("settlements", HAMLET, "910.5", false),
    ]
}
