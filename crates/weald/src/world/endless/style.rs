//! How maps of the endless world are drawn.

use super::kinds::Terrain;
use super::map::{BELOW_SHAFT, OPEN, ROCK, TUNNEL};
use super::params::REACH_M;
use super::runner::Leg;
use super::wood::Tree;
use super::world::trees;
use crate::catalogue::{Catalogue, FeatureSet, Rgb};
use crate::error::Result;
use crate::style::map::{Northing, Unit};
use crate::style::orienteer::{
    ContourStyle, GroundClass, GroundLook, GroundStyle, Numbers, PointKind, PointStyle, SquareStyle, Texture,
    Veil, WayLook, WayStyle, ink,
};
use crate::style::{
    FloatingBuildings, FloatingStyle, FloatingTrees, OrienteerStyle, Setting, Settings, ShadedStyle, Style,
    View,
};
use crate::world::relf;
use crate::world::runner::{self, HEIGHT_UNITS_PER_M};
use crate::world::{TileLook, TreeAt};

/// The views of the endless world.
pub(super) const VIEWS: &[View] = &[
    View {
        name: "map",
        about: "the orienteering map",
        layers: &["height", "surface", "snow"],
        settings: &[],
        style: |catalogue, _| Style::Orienteering(orienteering(catalogue)),
    },
    View {
        name: "mines",
        about: "a level of the mines, with the shafts that lead down",
        layers: &[],
        settings: &[Setting {
            name: "level",
            about: "the level of the mines, 1 is the uppermost",
            unit: "",
            default: 1.0,
            min: 1.0,
            max: 8.0,
            whole: true,
        }],
        style: mines,
    },
    View {
        name: "caverns",
        about: "the floor of the caverns where they are open",
        layers: &["cavern", "cavern_floor"],
        settings: &[],
        style: caverns,
    },
    View {
        name: "sky",
        about: "the islands in the sky and what stands on them, seen from the side",
        layers: &["sky_top", "sky_underside", "surface", "tree", "building_height"],
        settings: &[],
        style: sky,
    },
];

/// At the foot of every sheet.
const CREDIT: &str = "Terrain after Graham Relf, The Forest.";
/// What the numbers of contours mean.
const NUMBERS: &str = "Numbers on contours are metres, of 4 height units each.";
/// Contour interval, and how many contours from one index contour to the next.
const CONTOUR_STEP: f64 = 20.0;
const INDEX_EVERY: u32 = 5;
/// Distance between north lines.
const NORTH_LINES_M: f64 = 300.0;

impl Leg {
    /// The leg as a course on the map: the straight line and the fastest route, with start and finish.
    pub fn course(&self) -> (FeatureSet, FeatureSet) {
        self.course_at(|&place| super::catalogue::at(place))
    }
}

/// The common part of all sheets of a window.
fn sheet(catalogue: &Catalogue, title: &str) -> OrienteerStyle {
    OrienteerStyle {
        title: title.into(),
        subtitle: subtitle(catalogue),
        notes: vec![CREDIT.into()],
        unit: Unit { name: "m", per_cell: 1.0 },
        northing: Northing::Up,
        north_lines: Some(NORTH_LINES_M),
        ..Default::default()
    }
}

fn subtitle(catalogue: &Catalogue) -> String {
    let (frame, seed) = (&catalogue.frame, catalogue.seed);
    let (x, y) = (frame.origin.0 + 0.5, -(frame.origin.1 + 0.5) + 0.0);
    let time = match catalogue.number("time") {
        0.0 => String::new(),
        time => format!(" \u{b7} time {time}"),
    };
    format!("Seed {seed} \u{b7} from {x}, {y} \u{b7} {} \u{d7} {} m{time}", frame.width, frame.height)
}

/// Layers of the mines and headings of their legends, by level.
const MINE_LEVELS: [(&str, &str); 8] = [
    ("mine_1", "Level 1"),
    ("mine_2", "Level 2"),
    ("mine_3", "Level 3"),
    ("mine_4", "Level 4"),
    ("mine_5", "Level 5"),
    ("mine_6", "Level 6"),
    ("mine_7", "Level 7"),
    ("mine_8", "Level 8"),
];

/// A level of the mines, with the shafts that lead down.
fn mines(catalogue: &Catalogue, settings: &Settings) -> Style {
    let (layer, heading) = MINE_LEVELS[settings.get("level") as usize - 1];
    let class = |value: u8, label, fill| GroundClass {
        value: value.into(),
        label,
        look: GroundLook::Area { fill, edge: Some([70, 60, 54]) },
    };
    let classes = vec![
        class(ROCK, "Rock", [112, 100, 92]),
        class(OPEN, "Open", [246, 239, 220]),
        class(BELOW_SHAFT, "Below a shaft", [232, 128, 104]),
        class(TUNNEL, "Tunnel of a cave mouth", [238, 202, 138]),
    ];
    let mut points = symbols();
    points.retain(|s| s.kind == "mine");
    Style::Orienteering(OrienteerStyle {
        ground: Some(GroundStyle { layer, heading, classes }),
        points: vec![PointStyle { set: "features", kinds: points }],
        ..sheet(catalogue, "Mines")
    })
}

/// The floor of the caverns where they are open.
fn caverns(catalogue: &Catalogue, _: &Settings) -> Style {
    let open = GroundLook::Area { fill: [240, 230, 208], edge: None };
    let rock = GroundLook::Water { fill: [104, 94, 90], bank: [56, 48, 44] };
    let class = |value: u8, label, look| GroundClass { value: value.into(), label, look };
    Style::Orienteering(OrienteerStyle {
        relief: Some(ContourStyle {
            layer: "cavern_floor",
            step: 5.0,
            step_m: 5.0 / HEIGHT_UNITS_PER_M,
            index_every: 4,
            numbers: Numbers::InGaps,
            colour: ink::BROWN,
        }),
        ground: Some(GroundStyle {
            layer: "cavern",
            heading: "Caverns",
            classes: vec![class(OPEN, "Open", open), class(ROCK, "Rock", rock)],
        }),
        ..sheet(catalogue, "Caverns")
    })
}

/// The ground as one sees it outdoors.
const OUTDOORS: &[(u8, Rgb)] = &[
    (Terrain::Wood as u8, [118, 160, 92]),
    (Terrain::Thicket as u8, [78, 126, 76]),
    (Terrain::Grass as u8, [206, 204, 112]),
    (Terrain::Moor as u8, [190, 166, 116]),
    (Terrain::Town as u8, [206, 190, 176]),
    (Terrain::Path as u8, [196, 190, 180]),
    (Terrain::Road as u8, [196, 180, 160]),
    (Terrain::Lake as u8, [96, 160, 210]),
    (Terrain::Mud as u8, [170, 150, 120]),
    (Terrain::Z as u8, [206, 202, 196]),
    (Terrain::Stream as u8, [84, 150, 206]),
    (Terrain::Marsh as u8, [140, 178, 150]),
    (Terrain::Building as u8, [150, 130, 120]),
    (Terrain::Bridge as u8, [176, 150, 124]),
];

/// How tiles look.
pub(super) const TILES: TileLook = TileLook {
    style: tile,
    outdoors: OUTDOORS,
    height_units_per_m: HEIGHT_UNITS_PER_M,
    reach_m: REACH_M as f64,
    trees: standing,
};

/// The trees of a tile as they stand.
fn standing(catalogue: &Catalogue) -> Result<Vec<TreeAt>> {
    let at = |tree: Tree| {
        let (x, y) = tree.place;
        TreeAt { place: (x, y), at: (x as f64 + tree.offset, y as f64 + tree.offset), kind: tree.kind }
    };
    Ok(trees(catalogue)?.map(at).collect())
}

/// The islands in the sky, seen from the side.
fn sky(catalogue: &Catalogue, _: &Settings) -> Style {
    // Buildings are as high as they are on the map, and trees six to twelve metres, lower in a thicket.
    let buildings = FloatingBuildings {
        layer: "building_height",
        rise: 1.0 / HEIGHT_UNITS_PER_M,
        roof: [196, 104, 82],
        wall: [226, 212, 192],
    };
    let kinds = [
        ([66, 118, 62], 7.0),
        ([84, 134, 66], 6.0),
        ([52, 104, 66], 8.0),
        ([104, 144, 70], 6.5),
        ([44, 94, 58], 10.0),
        ([120, 148, 66], 9.0),
        ([88, 116, 56], 11.0),
        ([38, 84, 62], 12.0),
    ];
    let kinds = (1u32..).zip(kinds).map(|(value, (colour, height))| (value, colour, height)).collect();
    Style::Floating(FloatingStyle {
        title: "Islands in the sky".into(),
        subtitle: subtitle(catalogue),
        top: "sky_top",
        underside: "sky_underside",
        cover: "surface",
        classes: OUTDOORS.iter().map(|&(terrain, colour)| (terrain.into(), colour)).collect(),
        rock: [150, 122, 98],
        rise: 0.6,
        buildings: Some(buildings),
        trees: Some(FloatingTrees { layer: "tree", kinds }),
    })
}

/// An orienteering map by the international standard, as far as the document's symbols go.
fn orienteering(catalogue: &Catalogue) -> OrienteerStyle {
    let road = |look: fn(Rgb, Rgb, f32, f64) -> WayLook| look(ink::PAVED, ink::BLACK, 6.0, 5.0);
    OrienteerStyle {
        notes: vec![NUMBERS.into(), relf::MOVABLE.into(), CREDIT.into()],
        relief: Some(ContourStyle {
            layer: "height",
            step: CONTOUR_STEP,
            step_m: CONTOUR_STEP / HEIGHT_UNITS_PER_M,
            index_every: INDEX_EVERY,
            numbers: Numbers::InGaps,
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
        course: Some(runner::COURSE),
        ..sheet(catalogue, "Endless")
    }
}

/// The style of a tile: the orienteering map without what depends on the whole sheet at a step of 1 m, else shaded ground.
fn tile(catalogue: &Catalogue) -> Style {
    let step = catalogue.frame.cell_m;
    if step == 1.0 {
        let map = orienteering(catalogue);
        let relief = map.relief.map(|r| ContourStyle { numbers: Numbers::None, ..r });
        return Style::Orienteering(OrienteerStyle { relief, north_lines: None, course: None, ..map });
    }
    let classes = ground().into_iter().filter_map(|class| match class.look {
        GroundLook::Area { fill, .. } | GroundLook::Water { fill, .. } => Some((class.value, fill)),
        _ => None,
    });
    // Slopes between distant places are gentler; at this rate they look as steep at every scale.
    let z_factor = 1.4 / HEIGHT_UNITS_PER_M * step.sqrt();
    Style::Shaded(ShadedStyle {
        height: "height",
        z_factor,
        cover: "surface",
        classes: classes.collect(),
        veil: Some(("snow", ink::SNOW)),
    })
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

/// The document's legend. Cones and rockets can be moved and so are not on the map ([`relf::MOVABLE`]).
fn symbols() -> Vec<PointKind> {
    let mut all = relf::symbols();
    let shaft = all.iter().position(|kind| kind.kind == "mine").expect("there are mines");
    all[shaft] = PointKind { label: "Mine shaft", only: Some(("cave_mouth", false)), ..all[shaft] };
    let mouth = PointKind {
        label: "Cave mouth",
        only: Some(("cave_mouth", true)),
        direction: Some("direction"),
        ..all[shaft]
    };
    all.insert(shaft + 1, mouth);
    all
}
