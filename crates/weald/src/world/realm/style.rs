//! How the map of a realm is drawn.

use super::biomes::BIOMES;
use crate::catalogue::{Catalogue, Rgb};
use crate::style::map::{
    Contours, Cover, CoverClass, Crowded, LabelGround, LabelPlace, LabelStyle, LineStyle, Mark, Only,
    PointStyle, Relief, Sea,
};
use crate::style::{MapStyle, Settings, Style, View};

const LAYERS: &[&str] = &["height", "surface", "biome", "water"];

/// The views of a realm.
pub(super) const VIEWS: &[View] = &[
    View {
        name: "map",
        about: "biomes, relief, rivers, railroads, roads, and settlements with their names",
        layers: LAYERS,
        settings: &[],
        style: |catalogue, _| {
            Style::Map(MapStyle { labels: labels(is_crowded(catalogue)), ..map(catalogue) })
        },
    },
    View { name: "clean", about: "the same without names", layers: LAYERS, settings: &[], style: clean },
];

fn clean(catalogue: &Catalogue, _: &Settings) -> Style {
    Style::Map(map(catalogue))
}

/// Ink of names and symbols.
const INK: Rgb = [58, 44, 36];
const RIVER: Rgb = [62, 112, 164];

fn map(catalogue: &Catalogue) -> MapStyle {
    MapStyle {
        relief: Some(Relief { layer: "surface", z_factor: None, contours: Contours::Off }),
        cover: Some(cover()),
        sea: Some(Sea {
            layer: "height",
            label: "Ocean",
            shallow: [186, 214, 224],
            deep: [130, 172, 200],
            lines: Contours::Off,
        }),
        lines: lines(),
        points: points(is_crowded(catalogue)),
        ..MapStyle::of_land(&title(catalogue), catalogue)
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

fn cover() -> Cover {
    let class = |c: &crate::catalogue::Class| CoverClass {
        value: c.value,
        label: None,
        ground: c.colour,
        trees: Vec::new(),
    };
    Cover { layer: "biome", heading: "Biomes", classes: BIOMES[1..].iter().map(class).collect() }
}

fn lines() -> Vec<LineStyle> {
    let only = |property, values| Some(Only { property, values });
    let line = |set, only, label, width, colour| LineStyle {
        set,
        only,
        label,
        colour,
        width,
        dash: None,
        casing: None,
    };
    let light = Some([250, 244, 226]);
    vec![
        line("rivers", only("order", &["1"]), "River", 1.5, RIVER),
        line("rivers", only("order", &["2"]), "River", 2.3, RIVER),
        line("rivers", only("order", &["3", "4", "5", "6", "7", "8"]), "River", 3.2, RIVER),
        LineStyle {
            dash: Some((4.0, 2.5)),
            casing: light,
            ..line("roads", only("class", &["track"]), "Track", 1.3, [140, 98, 62])
        },
        LineStyle { casing: light, ..line("roads", only("class", &["road"]), "Road", 1.7, [150, 84, 44]) },
        LineStyle {
            casing: light,
            ..line("roads", only("class", &["highway"]), "Highway", 2.5, [164, 74, 40])
        },
        line("railroads", None, "Railroad", 2.4, [52, 48, 54]),
        LineStyle { dash: Some((5.0, 5.0)), ..line("railroads", None, "", 1.2, [236, 230, 218]) },
    ]
}

const TIERS: [(&[&str], Mark, &str); 5] = [
    (&["capital"], Mark::Capital, "Capital"),
    (&["city"], Mark::City, "City"),
    (&["town"], Mark::Town, "Town"),
    (&["village"], Mark::Village, "Village"),
    (&["hamlet"], Mark::Hamlet, "Hamlet"),
];

/// Whether a map has so many tiles that small places do not fit on its picture.
fn is_crowded(catalogue: &Catalogue) -> bool {
    catalogue.frame.width.max(catalogue.frame.height) > 512
}

fn points(crowded: bool) -> Vec<PointStyle> {
    let tier = |(values, mark, label): (&'static [&'static str], Mark, &'static str)| PointStyle {
        set: "settlements",
        only: Some(Only { property: "kind", values }),
        label,
        mark,
        colour: INK,
        caption: None,
    };
    TIERS.into_iter().take(if crowded { 3 } else { 5 }).map(tier).collect()
}

fn labels(crowded: bool) -> Vec<LabelStyle> {
    let settlement = |tier: usize, size: f32, weight: f32| LabelStyle {
        set: "settlements",
        only: Some(Only { property: "kind", values: TIERS[tier - 1].0 }),
        property: "name",
        size,
        colour: INK,
        weight,
        spacing: 0.0,
        place: LabelPlace::Beside,
        ground: None,
        crowded: if tier == 1 { Crowded::CoverSymbols } else { Crowded::LeaveOut },
    };
    // Seas keep off the land, and ranges off the sea.
    let on = |water: u32| Some(LabelGround { layer: "water", value: water });
    let place = |values: &'static [&'static str], size: f32, colour: Rgb, spacing: f32, ground| LabelStyle {
        set: "places",
        only: Some(Only { property: "kind", values }),
        property: "name",
        size,
        colour,
        weight: 0.015,
        spacing,
        place: LabelPlace::Over,
        ground,
        crowded: Crowded::LeaveOut,
    };
    let river = |values: &'static [&'static str], size: f32| LabelStyle {
        set: "rivers",
        only: Some(Only { property: "order", values }),
        property: "name",
        size,
        colour: [44, 88, 138],
        weight: 0.01,
        spacing: 0.04,
        place: LabelPlace::Along,
        ground: None,
        crowded: Crowded::LeaveOut,
    };
    let mut all = vec![
        settlement(1, 21.0, 0.045),
        settlement(2, 17.0, 0.035),
        place(&["sea"], 21.0, [52, 96, 140], 0.22, on(1)),
        place(&["range"], 15.0, [96, 74, 58], 0.16, on(0)),
        settlement(3, 14.0, 0.02),
        river(&["3", "4", "5", "6", "7", "8"], 13.0),
    ];
    if !crowded {
        all.extend([
            settlement(4, 12.0, 0.012),
            river(&["2"], 11.5),
            place(&["lake"], 10.5, [44, 88, 138], 0.02, None),
            settlement(5, 10.5, 0.008),
            river(&["1"], 10.5),
        ]);
    }
    all
}
