//! How a planet is drawn.

use super::classes::{CONE, FEATURES, GRASS, LAKE, MOOR, MUD, TERRAINS, THICKET, TOWN, WOOD};
use super::local;
use crate::catalogue::{Catalogue, Cells, Rgb};
use crate::style::map::{NorthArrow, Northing, Unit};
use crate::style::orienteer::{
    ContourStyle, GroundClass, GroundLook, GroundStyle, Numbers, PointKind, PointStyle, Texture, WayLook,
    WayStyle, ink,
};
use crate::style::{
    DerivedStyle, GlobeClass, GlobeStyle, OrienteerStyle, Projection, Setting, Settings, Style, View, turned,
};
use crate::world::relf;
use crate::world::runner::{self, HEIGHT_UNITS_PER_M};
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

const fn degrees(name: &'static str, about: &'static str, default: f64, most: f64) -> Setting {
    Setting { name, about, unit: "degrees", default, min: -most, max: most, whole: false }
}

const fn latitude(default: f64) -> Setting {
    degrees("latitude", "latitude of the centre, north positive", default, 90.0)
}

const fn longitude(default: f64) -> Setting {
    degrees("longitude", "longitude of the centre, east positive", default, 360.0)
}

/// Half the side of a map around a place, if the planet is large enough.
const USUAL_M: f64 = 400.0;

const RADIUS: Setting = Setting {
    name: "radius",
    about: "half the side of the map, from 20 m to a quarter of the way around the planet; 0 is 400 m, or less on a small planet",
    unit: "m",
    default: 0.0,
    min: 0.0,
    max: 12_566.0,
    whole: false,
};

/// The views of a planet.
pub(super) const VIEWS: &[View] = &[
    View {
        name: "globe",
        about: "the globe from two opposite sides, with a legend",
        layers: &[],
        settings: &[SNOW_LINE, latitude(20.0), longitude(30.0)],
        style: |catalogue, settings| globe(catalogue, settings, Projection::Sheet),
    },
    View {
        name: "equirectangular",
        about: "the equirectangular map of all longitudes and latitudes, north up",
        layers: &[],
        settings: &[SNOW_LINE, longitude(0.0)],
        style: |catalogue, settings| globe(catalogue, settings, Projection::Equirectangular),
    },
    View {
        name: "orthographic",
        about: "the globe, seen from far above a place",
        layers: &[],
        settings: &[SNOW_LINE, latitude(20.0), longitude(30.0)],
        style: |catalogue, settings| globe(catalogue, settings, Projection::Orthographic),
    },
    View {
        name: "local",
        about: "the contour map around a place, north up, in the azimuthal equidistant projection",
        layers: &[],
        settings: &[latitude(0.0), longitude(0.0), RADIUS],
        style: |_, settings| {
            Style::Derived(DerivedStyle {
                settings: settings.clone(),
                make: |catalogue, settings, ctx| {
                    let centre = (settings.get("latitude"), settings.get("longitude"));
                    let radius = match settings.get("radius") {
                        0.0 => USUAL_M.min(local::most_m(catalogue.number("radius_m"))),
                        asked => asked,
                    };
                    local::of_catalogue(catalogue, centre, radius, ctx)
                },
                style: |catalogue, _| local::style(catalogue),
            })
        },
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
    // What is only ever placed is listed where it was.
    let count = |name: &str| figure("features_by_kind", name).as_u64().unwrap_or(0);
    let listed = FEATURES[1..].iter().filter(|class| class.value <= CONE as u32 || count(class.name) > 0);
    let features = listed.map(|class| {
        let name = if class.name == "x" { "man-made object" } else { class.name };
        (name.into(), class.colour, count(class.name))
    });
    let (radius_m, side) = (catalogue.number("radius_m"), catalogue.frame.width);
    // The length of a number in the legend: whole numbers have no decimals.
    let radius = (radius_m * 10.0).round() / 10.0;
    let (centre, px) = match projection {
        // The two globes of the sheet are 860 pixels wide each.
        Projection::Sheet => ((settings.get("latitude"), settings.get("longitude")), 1792),
        Projection::Equirectangular => ((0.0, settings.get("longitude")), 2048),
        Projection::Orthographic => ((settings.get("latitude"), settings.get("longitude")), 1024),
    };
    Style::Globe(GlobeStyle {
        projection,
        centre,
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
        px,
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

/// Contour interval in height units, and how many contours from one index contour to the next.
const CONTOUR_STEP: f64 = 20.0;
const INDEX_EVERY: u32 = 5;

/// The orienteering map around a place: contours brown on land and blue in the sea.
pub(super) fn contour_map(catalogue: &Catalogue) -> OrienteerStyle {
    let frame = &catalogue.frame;
    let figure = |name: &str| catalogue.figures.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    // At most four decimals, about a metre on the largest planet.
    let side = |v: f64, plus, minus| {
        let v = (v * 1e4).round() / 1e4;
        format!("{}\u{b0} {}", v.abs(), if v < 0.0 { minus } else { plus })
    };
    let lat = figure("latitude");
    let centre = (side(lat, "N", "S"), side(turned(figure("longitude")), "E", "W"));
    let wide = frame.width.min(frame.height) as f64 * frame.cell_m;
    let to_pole = (90.0 - lat.abs()).to_radians() * catalogue.number("radius_m");
    let north_arrow = if 2.0 * to_pole > wide { NorthArrow::Up } else { NorthArrow::None };
    let contours = |layer, colour| {
        Some(ContourStyle {
            layer,
            step: CONTOUR_STEP,
            step_m: CONTOUR_STEP / HEIGHT_UNITS_PER_M,
            index_every: INDEX_EVERY,
            numbers: Numbers::InGaps,
            colour,
        })
    };
    let lines = catalogue.line_set("graticule").map_or(String::new(), |set| format!("{}.", set.about));
    OrienteerStyle {
        title: "Planet".into(),
        subtitle: format!(
            "Seed {} \u{b7} around {}, {} \u{b7} {} \u{d7} {} m",
            catalogue.seed,
            centre.0,
            centre.1,
            frame.width as f64 * frame.cell_m,
            frame.height as f64 * frame.cell_m
        ),
        notes: vec![
            lines,
            relf::MOVABLE.into(),
            format!(
                "Azimuthal equidistant projection; metres from the centre. {HEIGHT_UNITS_PER_M} height units stand for 1 m."
            ),
            "Terrain after Graham Relf, The Forest.".into(),
        ],
        unit: Unit { name: "m", per_cell: frame.cell_m },
        northing: Northing::Up,
        north_arrow,
        relief: contours("height", ink::BROWN),
        depth: contours("depth", ink::BLUE),
        ground: Some(GroundStyle { layer: "terrain", heading: "Ground", classes: ground() }),
        lines: vec![WayStyle {
            set: "graticule",
            label: "Meridian and parallel",
            look: WayLook::Line { colour: [104, 108, 124], width: 0.8, dash: None },
        }],
        points: vec![PointStyle { set: "features", kinds: symbols() }],
        course: Some(runner::COURSE),
        ..OrienteerStyle::default()
    }
}

fn ground() -> Vec<GroundClass> {
    let class = |kind: u8, label, look| GroundClass { value: kind.into(), label, look };
    let area = |fill| GroundLook::Area { fill, edge: None };
    vec![
        class(WOOD, "Wood, runnable", area(ink::WHITE)),
        class(THICKET, "Thicket", area(ink::GREEN)),
        class(GRASS, "Grass", area(ink::YELLOW)),
        class(MOOR, "Moor", area(ink::ROUGH)),
        class(TOWN, "Paved", GroundLook::Area { fill: ink::PAVED, edge: Some(ink::BLACK) }),
        class(LAKE, "Sea or lake", GroundLook::Water { fill: ink::WATER, bank: ink::BANK }),
        class(MUD, "Mud", GroundLook::Over(Texture::Dashes(ink::BROWN))),
    ]
}

/// The symbols of the document, and that of a building, which has no ground of its own here.
fn symbols() -> Vec<PointKind> {
    let mut all = relf::symbols();
    all.push(PointKind { kind: "building", label: "Building", colour: ink::BUILT, ..all[all.len() - 1] });
    all
}
