//! How a planet is drawn.

use super::classes::{FEATURES, GRASS, LAKE, MOOR, MUD, TERRAINS, THICKET, TOWN};
use crate::catalogue::{Catalogue, Cells, Rgb};
use crate::style::{GlobeClass, GlobeStyle, Projection, Setting, Settings, Style, View};
use serde_json::Value;

const SNOW_LINE: Setting = Setting {
    name: "snow_line",
    about: "height above which the ground is drawn white",
    unit: "height units",
    default: 450.0,
    min: 0.0,
    max: 1000.0,
    whole: false,
};

/// Default width of the equirectangular picture.
const PX: usize = 2048;

/// The views of a planet.
pub(super) const VIEWS: &[View] = &[
    View {
        name: "globe",
        about: "the globe from two opposite sides, with a legend",
        layers: &[],
        settings: &[SNOW_LINE],
        style: |catalogue, settings| globe(catalogue, settings, Projection::Sheet),
    },
    View {
        name: "equirectangular",
        about: "the equirectangular map of all longitudes and latitudes, north up, longitude 0 at the centre",
        layers: &[],
        settings: &[SNOW_LINE],
        style: |catalogue, settings| globe(catalogue, settings, Projection::Equirectangular),
    },
    View {
        name: "orthographic",
        about: "the globe seen from above 20\u{b0} north, 30\u{b0} east",
        layers: &[],
        settings: &[SNOW_LINE],
        style: |catalogue, settings| globe(catalogue, settings, Projection::Orthographic),
    },
];

/// Colour of a kind of ground in the pictures.
fn tint(kind: u8) -> Rgb {
    match kind {
        LAKE => [88, 152, 182],
        TOWN => [178, 146, 140],
        GRASS => [206, 203, 138],
        MOOR => [192, 170, 122],
        THICKET => [84, 122, 82],
        MUD => [138, 118, 94],
        _ => [134, 162, 102],
    }
}

fn globe(catalogue: &Catalogue, settings: &Settings, projection: Projection) -> Style {
    let figure = |group: &str, name: &str| &catalogue.figures.get(group).unwrap_or(&Value::Null)[name];
    let ground = TERRAINS.iter().map(|class| GlobeClass {
        value: class.value as u8,
        colour: tint(class.value as u8),
        label: if class.value == LAKE as u32 { "sea" } else { class.name }.into(),
        share: figure("terrain_share", class.name).as_f64().unwrap_or(0.0),
    });
    let features = FEATURES[1..].iter().map(|class| {
        let name = if class.name == "x" { "man-made object" } else { class.name };
        (name.into(), class.colour, figure("features_by_kind", class.name).as_u64().unwrap_or(0))
    });
    let (radius_m, side) = (catalogue.number("radius_m"), catalogue.frame.width);
    // The length of a number in the legend: whole numbers have no decimals.
    let radius = (radius_m * 10.0).round() / 10.0;
    Style::Globe(GlobeStyle {
        projection,
        title: "Planet".into(),
        subtitle: format!(
            "Seed {} \u{b7} radius {radius} m \u{b7} six faces of {side} \u{d7} {side} cells",
            catalogue.seed
        ),
        radius_m,
        sea_level: catalogue.number("lake_level"),
        snow_line: settings.get("snow_line"),
        water: LAKE,
        ground: ground.collect(),
        features: features.collect(),
        extremes: (highest(catalogue, "height_"), highest(catalogue, "depth_")),
        side,
        px: PX,
    })
}

/// The greatest value of the six layers whose names begin with `prefix`, at least 0.
fn highest(catalogue: &Catalogue, prefix: &str) -> f64 {
    let faces = catalogue.layers.iter().filter(|l| l.name.starts_with(prefix));
    faces
        .map(|l| l.cells())
        .filter(|c| matches!(c, Cells::F32(_)))
        .fold(0.0, |most, c| c.min_max().1.max(most))
}
