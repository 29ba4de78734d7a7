//! How a galaxy is drawn.

use crate::catalogue::Catalogue;
use crate::style::{Settings, StarFigures, StarsStyle, Style, View};
use serde_json::Value;

/// The layers of gas: near, middle, far, and their sum.
const GAS: [&str; 4] = ["nebula_near", "nebula_middle", "nebula_far", "nebula"];

/// The views of a galaxy.
pub(super) const VIEWS: &[View] = &[View {
    name: "stars",
    about: "the block seen along z: glowing gas, stars by magnitude and colour",
    layers: &GAS,
    settings: &[],
    style: stars,
}];

fn stars(catalogue: &Catalogue, _: &Settings) -> Style {
    let (columns, rows) = (catalogue.frame.width, catalogue.frame.height);
    let at = |path: &str| catalogue.number(path) as i64;
    let depth_ly = catalogue.number("depth_ly") as u32;
    let figure = |name: &str| catalogue.figures.get(name).unwrap_or(&Value::Null);
    let nearest = figure("nearest_visible");
    Style::Stars(StarsStyle {
        title: "Galaxy".into(),
        subtitle: format!(
            "Seed {} \u{b7} {columns} \u{d7} {rows} \u{d7} {depth_ly} light years",
            catalogue.seed
        ),
        corner: [at("at.x") - (columns / 2) as i64, at("at.y") - (rows / 2) as i64, at("at.z") + 1],
        depth_ly,
        gas: GAS,
        stars: "stars",
        magnitudes: (catalogue.number("stars.min_magnitude"), catalogue.number("stars.magnitude_range")),
        figures: StarFigures {
            stars: figure("stars").as_u64().unwrap_or(0),
            density: figure("density_per_ly3").as_f64().unwrap_or(0.0),
            expected: figure("expected_per_ly3").as_f64().unwrap_or(0.0),
            nearest: nearest["distance_ly"].as_f64().zip(nearest["planets"].as_u64()),
        },
    })
}
