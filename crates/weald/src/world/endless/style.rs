//! How maps of the endless world are drawn.

use super::catalogue::at;
use super::kinds::Terrain;
use super::map::{BELOW_SHAFT, Map, OPEN, ROCK};
use super::params::View;
use super::runner::Leg;
use crate::error::Result;
use crate::layer::{Catalogue, Feature, FeatureSet};
use crate::render::orienteer::style::{
    ContourStyle, Course, GroundClass, GroundLook, GroundStyle, PointKind, PointStyle, SquareStyle, Symbol,
    Texture, Veil, WayLook, WayStyle, ink,
};
use crate::render::style::{Northing, Unit};
use crate::render::{self, Image, ObliqueStyle, OrienteerStyle};
use weald_core::Ctx;

/// At the foot of every sheet.
const CREDIT: &str = "Terrain after Graham Relf, The Forest.";
/// Heights between contours, and which of them are thick.
const CONTOUR_STEP: f64 = 20.0;
const INDEX_EVERY: u32 = 5;
/// Distance between north lines.
const NORTH_LINES_M: f64 = 300.0;

/// The picture that the parameters ask for.
pub(super) fn draw(map: &Map, catalogue: &Catalogue, ctx: &Ctx) -> Result<Image> {
    match map.world.params().view {
        View::Map => render::orienteering_map(catalogue, &orienteering(map), ctx),
        View::Mines => render::orienteering_map(catalogue, &mines(map), ctx),
        View::Caverns => render::orienteering_map(catalogue, &caverns(map), ctx),
        View::Sky => render::floating_land(catalogue, &sky(map), ctx),
    }
}

impl Map {
    /// The orienteering map with a leg on it: the straight line, and the best way.
    pub fn leg_picture(&self, leg: &Leg, ctx: &Ctx) -> Result<Image> {
        let mut catalogue = self.catalogue();
        let feature = |id, points: Vec<(f64, f64)>, kind: &'static str| Feature {
            id,
            points,
            properties: vec![("kind", kind.into())],
        };
        let ends = leg.direct.places.iter().map(|&place| at(place)).collect::<Vec<_>>();
        let marks = ["start", "finish"].into_iter().zip(&ends).enumerate();
        let marks = marks.map(|(id, (kind, &end))| feature(id as u32, vec![end], kind)).collect();
        let way = leg.best.as_ref().map(|w| w.places.iter().map(|&place| at(place)).collect::<Vec<_>>());
        let lines = [Some(ends), way].into_iter().flatten().enumerate();
        let lines = lines.map(|(id, points)| feature(id as u32, points, "leg")).collect();
        catalogue.points.push(FeatureSet {
            name: "course",
            about: "Start and end of the leg",
            features: marks,
        });
        catalogue.lines.push(FeatureSet {
            name: "course_route",
            about: "Straight and best way",
            features: lines,
        });
        render::orienteering_map(&catalogue, &orienteering(self), ctx)
    }
}

/// What all sheets of a window have in common.
fn sheet(map: &Map, title: &str) -> OrienteerStyle {
    OrienteerStyle {
        title: title.into(),
        subtitle: subtitle(map),
        notes: vec![CREDIT.into()],
        unit: Unit { name: "m", per_cell: 1.0 },
        northing: Northing::Up,
        north_lines: Some(NORTH_LINES_M),
        ..Default::default()
    }
}

fn subtitle(map: &Map) -> String {
    let ((x, y), w, h) = (map.window.place(0, 0), map.window.width, map.window.height);
    format!("Seed {} \u{b7} from {x}, {y} \u{b7} {w} \u{d7} {h} m", map.world.seed().0)
}

/// The first level of the mines, with the shafts that lead down to it.
fn mines(map: &Map) -> OrienteerStyle {
    let class = |value: u8, label, fill| GroundClass {
        value: value.into(),
        label,
        look: GroundLook::Area { fill, edge: Some([70, 60, 54]) },
    };
    let classes = vec![
        class(ROCK, "Rock", [112, 100, 92]),
        class(OPEN, "Open", [246, 239, 220]),
        class(BELOW_SHAFT, "Below a shaft", [232, 128, 104]),
    ];
    let mut points = symbols();
    points.retain(|s| s.kind == "mine");
    OrienteerStyle {
        ground: Some(GroundStyle { layer: "mine_1", heading: "Level 1", classes }),
        points: vec![PointStyle { set: "features", kinds: points }],
        ..sheet(map, "Mines")
    }
}

/// The floor of the caverns where they are open.
fn caverns(map: &Map) -> OrienteerStyle {
    let open = GroundLook::Area { fill: [240, 230, 208], edge: None };
    let rock = GroundLook::Water { fill: [104, 94, 90], bank: [56, 48, 44] };
    let class = |value: u8, label, look| GroundClass { value: value.into(), label, look };
    OrienteerStyle {
        relief: Some(ContourStyle { layer: "cavern_floor", step: 5.0, index_every: 4, colour: ink::BROWN }),
        ground: Some(GroundStyle {
            layer: "cavern",
            heading: "Caverns",
            classes: vec![class(OPEN, "Open", open), class(ROCK, "Rock", rock)],
        }),
        ..sheet(map, "Caverns")
    }
}

/// The islands in the sky, from the side.
fn sky(map: &Map) -> ObliqueStyle {
    let classes = [
        (Terrain::Wood, [118, 160, 92]),
        (Terrain::Thicket, [78, 126, 76]),
        (Terrain::Grass, [206, 204, 112]),
        (Terrain::Moor, [190, 166, 116]),
        (Terrain::Town, [206, 190, 176]),
        (Terrain::Path, [196, 190, 180]),
        (Terrain::Road, [196, 180, 160]),
        (Terrain::Lake, [96, 160, 210]),
        (Terrain::Mud, [170, 150, 120]),
        (Terrain::Z, [206, 202, 196]),
    ];
    ObliqueStyle {
        title: "Islands in the sky".into(),
        subtitle: subtitle(map),
        top: "sky_top",
        underside: "sky_underside",
        cover: "sky_terrain",
        classes: classes.map(|(terrain, colour)| (terrain as u32, colour)).to_vec(),
        rock: [150, 122, 98],
        rise: 0.6,
    }
}

/// An orienteering map by the international standard, as far as the document's symbols go.
pub(super) fn orienteering(map: &Map) -> OrienteerStyle {
    let road = |look: fn(crate::render::Rgb, crate::render::Rgb, f32, f64) -> WayLook| {
        look(ink::PAVED, ink::BLACK, 6.0, 5.0)
    };
    OrienteerStyle {
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
        course: Some(Course {
            lines: Some("course_route"),
            points: Some("course"),
            label: "Course",
            colour: ink::PURPLE,
        }),
        ..sheet(map, "Endless")
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
