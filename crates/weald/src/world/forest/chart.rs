//! The forest as a vector map.

use super::classes;
use crate::style::chart::{AreaLook, AreaStyle, ChartContours, ChartStyle, LineStyle, StreamStyle, Values};
use crate::style::exports::GroundSpec;

/// Metres of a tile. The document gives no scale; trails and lakes look right at this one.
const TILE_M: f64 = 10.0;
/// Metres from the lowest to the highest elevation there can be.
const RELIEF_M: f64 = 200.0;

/// Where its heights are, and what covers its ground.
pub(crate) const GROUND: GroundSpec = GroundSpec {
    height: "height",
    metres_per_height: RELIEF_M,
    metres_per_unit: TILE_M,
    cover: "biome",
    water: &[
        ("water_class", Values::Is(classes::LAKE as u32)),
        ("biome", Values::Is(classes::LAKE_BIOME as u32)),
    ],
    length_note: "A tile is taken as 10 m.",
    height_note: "The whole range of elevations is taken as 200 m.",
};

/// Symbols by biome and water.
pub(crate) fn chart_style() -> ChartStyle {
    let area =
        |layer, class: u8, label, look| AreaStyle { label, ..AreaStyle::class(layer, class.into(), look) };
    ChartStyle {
        title: |_| "Forest".into(),
        credits: Vec::new(),
        metres_per_unit: TILE_M,
        areas: vec![
            area("water_class", classes::LAKE, "Lake", AreaLook::Water("301", Some("301.4"))),
            area("biome", classes::LAKE_BIOME, "Lake", AreaLook::Water("301", Some("301.4"))),
            area("biome", classes::OPEN_BOG, "Open bog", AreaLook::Area("403", None)),
            area("biome", classes::SPRUCE_SWAMP, "Spruce swamp, walk", AreaLook::Area("408", None)),
            area("biome", classes::MIXED_FOREST, "Mixed forest, slow running", AreaLook::Area("406", None)),
            area("biome", classes::STREAM_BANK, "", AreaLook::Through),
            area("biome", classes::PINE_HEATH, "Pine forest, runnable", AreaLook::Paper),
            area("biome", classes::ESKER_PINE, "Pine forest, runnable", AreaLook::Paper),
            area("water_class", classes::MARSH, "", AreaLook::Over("308")),
            area("biome", classes::OPEN_BOG, "", AreaLook::Over("308")),
        ],
        contours: Some(ChartContours {
            layer: "height",
            metres_per_unit: RELIEF_M,
            zero: 0.0,
            interval_m: 5.0,
        }),
        streams: Some(StreamStyle {
            layer: "water_class",
            values: Values::Is(classes::STREAM as u32),
            flow: "flow_direction",
            symbol: "305",
            label: "Stream",
        }),
        lines: vec![LineStyle { label: "Game trail", ..LineStyle::all("trails", "506") }],
        squares: Vec::new(),
        points: Vec::new(),
        labels: Vec::new(),
        course: None,
    }
}
