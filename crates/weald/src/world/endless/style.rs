//! How maps of the endless world are drawn.

use super::kinds::Terrain;
use super::map::Map;
use super::params::View;
use crate::error::Result;
use crate::layer::Catalogue;
use crate::render::orienteer::style::{
    ContourStyle, Course, GroundClass, GroundLook, GroundStyle, PointKind, PointStyle, SquareStyle, Symbol,
    Texture, Veil, WayLook, WayStyle, ink,
};
use crate::render::style::{Northing, Unit};
use crate::render::{self, Image, OrienteerStyle, PictureStyle};
use weald_core::Ctx;

/// Heights between contours, and which of them are thick.
const CONTOUR_STEP: f64 = 20.0;
const INDEX_EVERY: u32 = 5;
/// Distance between north lines.
const NORTH_LINES_M: f64 = 300.0;

/// The picture that the parameters ask for.
pub(super) fn draw(map: &Map, catalogue: &Catalogue, ctx: &Ctx) -> Result<Image> {
    match map.world.params().view {
        View::Map => render::orienteering_map(catalogue, &orienteering(map), ctx),
        View::Mines => {
            let layer = catalogue.layer("mine_1").expect("there is a level");
            render::layer_picture(layer, &PictureStyle::default(), ctx)
        }
        View::Caverns => {
            let layer = catalogue.layer("cavern_roof").expect("is there");
            render::layer_picture(layer, &PictureStyle::default(), ctx)
        }
        View::Sky => {
            let layer = catalogue.layer("sky_top").expect("is there");
            render::layer_picture(layer, &PictureStyle::default(), ctx)
        }
    }
}

/// An orienteering map by the international standard, as far as the document's symbols go.
pub(super) fn orienteering(map: &Map) -> OrienteerStyle {
    let (x, y) = map.window.place(0, 0);
    let (w, h) = (map.window.width, map.window.height);
    let road = |look: fn(crate::render::Rgb, crate::render::Rgb, f32, f64) -> WayLook| {
        look(ink::PAVED, ink::BLACK, 6.0, 5.0)
    };
    OrienteerStyle {
        title: "Endless".into(),
        subtitle: format!("Seed {} \u{b7} from {x}, {y} \u{b7} {w} \u{d7} {h} m", map.world.seed().0),
        notes: vec!["Terrain after Graham Relf, The Forest.".into()],
        unit: Unit { name: "m", per_cell: 1.0 },
        northing: Northing::Up,
        relief: Some(ContourStyle {
            layer: "height",
            step: CONTOUR_STEP,
            index_every: INDEX_EVERY,
            colour: ink::BROWN,
        }),
        ground: Some(GroundStyle { layer: "surface", heading: "Ground", classes: ground() }),
        veil: Some(Veil { layer: "snow", label: "Snow", colour: ink::SNOW, strength: 0.85 }),
        lines: vec![
            WayStyle {
                set: "streams",
                label: "Stream",
                look: WayLook::Line { colour: ink::BLUE, width: 1.9, dash: None },
            },
            WayStyle {
                set: "roads",
                label: "Road",
                look: road(|fill, casing, width, true_width| WayLook::Road {
                    fill,
                    casing,
                    width,
                    true_width,
                }),
            },
            WayStyle {
                set: "bridges",
                label: "Bridge",
                look: road(|fill, casing, width, true_width| WayLook::Bridge {
                    fill,
                    casing,
                    width,
                    true_width,
                }),
            },
            WayStyle {
                set: "drawn_roads",
                label: "Drawn road",
                look: WayLook::Line { colour: ink::BLACK, width: 2.2, dash: Some((13.0, 5.0)) },
            },
        ],
        squares: vec![SquareStyle {
            set: "buildings",
            label: "Building",
            side: 12.0,
            fill: ink::BUILT,
            edge: ink::BLACK,
        }],
        points: vec![PointStyle { set: "features", kinds: symbols() }],
        north_lines: Some(NORTH_LINES_M),
        course: Some(Course {
            lines: Some("course_route"),
            points: Some("course"),
            label: "Course",
            colour: ink::PURPLE,
        }),
    }
}

fn ground() -> Vec<GroundClass> {
    let class = |terrain: Terrain, label, look| GroundClass { value: terrain as u32, label, look };
    let area = |fill| GroundLook::Area { fill, edge: None };
    vec![
        class(Terrain::Wood, "Wood, runnable", area(ink::WHITE)),
        class(Terrain::Thicket, "Thicket", area(ink::GREEN)),
        class(Terrain::Grass, "Grass", area(ink::YELLOW)),
        class(Terrain::Moor, "Moor", area(ink::ROUGH)),
        class(Terrain::Z, "Barren", area(ink::BARE)),
        class(Terrain::Town, "Paved", GroundLook::Area { fill: ink::PAVED, edge: Some(ink::BLACK) }),
        class(Terrain::Lake, "Lake", GroundLook::Water { fill: ink::WATER, bank: ink::BANK }),
        class(Terrain::Marsh, "Marsh", GroundLook::Over(Texture::Lines(ink::BLUE))),
        class(Terrain::Mud, "Mud", GroundLook::Over(Texture::Dashes(ink::BROWN))),
        class(Terrain::Path, "Path", GroundLook::Over(Texture::Plain(ink::BARE))),
        class(Terrain::Road, "", GroundLook::Through),
        class(Terrain::Stream, "", GroundLook::Through),
        class(Terrain::Building, "", GroundLook::Through),
        class(Terrain::Bridge, "", GroundLook::Through),
    ]
}

/// The document's legend. Cones can be moved and so are not on the map.
fn symbols() -> Vec<PointKind> {
    let kind = |kind, label, symbol, colour| PointKind { kind, label, symbol, colour };
    vec![
        kind("boulder", "Boulder", Symbol::Dot, ink::BLACK),
        kind("mine", "Mine shaft or cave", Symbol::Vee, ink::BLACK),
        kind("x", "Man-made object", Symbol::Cross, ink::BLACK),
        kind("knoll", "Knoll", Symbol::Dot, ink::BROWN),
        kind("root", "Rootstock", Symbol::Cross, ink::DARK_GREEN),
        kind("waterhole", "Water hole", Symbol::Vee, ink::BLUE),
        kind("rocket", "Rocket", Symbol::Rocket, ink::BLACK),
        kind("t", "Phone box", Symbol::Box, ink::BLACK),
    ]
}
