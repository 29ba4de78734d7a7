//! The symbols of the map, drawn anew from the numbers of ISOM 2017-2: codes, colours and sizes in millimetres at 1:15 000.
//!
//! Codes from 900 on are not of the standard: snow, settlements and names, which an orienteering map does not have.

/// An ink, from the uppermost to the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Ink {
    /// Rock, paths, everything built.
    Black,
    /// The light parts of railways.
    RailFill,
    /// Between the lines of roads.
    RoadFill,
    /// The lines of roads.
    RoadEdge,
    /// Water, above contours.
    Blue,
    /// Contours and earth.
    Brown,
    /// Trees and other points of vegetation.
    Green,
    /// Banks of open water.
    Bank,
    /// The course: it does not hide the inks above, in which the details of the map are.
    Purple,
    /// Bare rock: a quarter of black.
    Grey,
    /// Open water: most of blue.
    Water,
    /// Paved ground: half of brown.
    Paved,
    /// Vegetation: fight.
    Fight,
    /// Vegetation: walk.
    Walk,
    /// Vegetation: slow running.
    Slow,
    /// Open land.
    Yellow,
    /// Rough open land: half of yellow.
    Rough,
    /// Snow.
    Snow,
}

/// The inks from the uppermost to the lowest, with their names, the shares of cyan, magenta, yellow and black in print, and a colour for
/// screens that is tuned by eye: plain conversion glares.
pub const INKS: [(Ink, &str, [f64; 4], [u8; 3]); 18] = [
    (Ink::Black, "Black", [0.0, 0.0, 0.0, 1.0], [28, 26, 24]),
    (Ink::RailFill, "White in railways", [0.0, 0.0, 0.0, 0.0], [255, 255, 255]),
    (Ink::RoadFill, "Brown 50 % in roads", [0.0, 0.28, 0.5, 0.09], [236, 202, 168]),
    (Ink::RoadEdge, "Black of roads", [0.0, 0.0, 0.0, 1.0], [28, 26, 24]),
    (Ink::Blue, "Blue", [1.0, 0.0, 0.0, 0.0], [22, 134, 196]),
    (Ink::Brown, "Brown", [0.0, 0.56, 1.0, 0.18], [190, 106, 42]),
    (Ink::Green, "Green of points", [0.76, 0.0, 0.91, 0.0], [20, 138, 52]),
    (Ink::Bank, "Black of banks", [0.0, 0.0, 0.0, 1.0], [20, 58, 92]),
    (Ink::Purple, "Purple", [0.35, 0.85, 0.0, 0.0], [176, 38, 190]),
    (Ink::Grey, "Black 25 %", [0.0, 0.0, 0.0, 0.25], [205, 203, 199]),
    (Ink::Water, "Blue 70 %", [0.7, 0.0, 0.0, 0.0], [132, 203, 232]),
    (Ink::Paved, "Brown 50 %", [0.0, 0.28, 0.5, 0.09], [236, 202, 168]),
    (Ink::Fight, "Green", [0.76, 0.0, 0.91, 0.0], [78, 164, 84]),
    (Ink::Walk, "Green 60 %", [0.456, 0.0, 0.546, 0.0], [134, 200, 126]),
    (Ink::Slow, "Green 30 %", [0.228, 0.0, 0.273, 0.0], [204, 234, 196]),
    (Ink::Yellow, "Yellow", [0.0, 0.27, 0.79, 0.0], [255, 205, 92]),
    (Ink::Rough, "Yellow 50 %", [0.0, 0.135, 0.395, 0.0], [250, 226, 168]),
    (Ink::Snow, "Blue 15 %", [0.15, 0.0, 0.0, 0.0], [222, 240, 250]),
];

impl Ink {
    /// Shares of cyan, magenta, yellow and black.
    pub fn cmyk(self) -> [f64; 4] {
        INKS[self as usize].2
    }

    /// The colour on screens.
    pub fn rgb(self) -> [u8; 3] {
        INKS[self as usize].3
    }
}

/// A symbol. Sizes are in millimetres at 1:15 000.
#[derive(Debug, PartialEq)]
pub struct Symbol {
    /// Its code.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it looks like.
    pub look: Look,
}

/// What a symbol looks like.
#[derive(Debug, PartialEq)]
pub enum Look {
    /// An area.
    Area(&'static [Fill]),
    /// A line.
    Line(Stroke),
    /// A point, drawn around its centre with y down; all parts turn together.
    Point(&'static [Part]),
    /// A text.
    Text(Type),
}

/// What an area is filled with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// One colour.
    Plain(Ink),
    /// Horizontal lines of a width, so far apart.
    Lines(Ink, f64, f64),
    /// The same broken into dashes with gaps, staggered.
    Dashes(Ink, f64, f64, (f64, f64)),
    /// Dots of a radius, so far apart.
    Dots(Ink, f64, f64),
}

impl Fill {
    /// Its ink.
    pub fn ink(&self) -> Ink {
        match *self {
            Fill::Plain(ink) | Fill::Lines(ink, ..) | Fill::Dashes(ink, ..) | Fill::Dots(ink, ..) => ink,
        }
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its ink.
    pub ink: Ink,
    /// Its width.
    pub width: f64,
    /// Lengths of dashes and gaps.
    pub dash: Option<(f64, f64)>,
    /// A line along both sides: ink and width.
    pub border: Option<(Ink, f64)>,
    /// Whether its ends are cut off square and not round.
    pub flat: bool,
}

/// A part of a point symbol.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// A disc: ink and radius.
    Disc(Ink, f64),
    /// A circle: ink, radius of the middle of the line, width.
    Ring(Ink, f64, f64),
    /// A line: ink, width, points.
    Line(Ink, f64, &'static [(f64, f64)]),
    /// A filled polygon: ink, corners.
    Solid(Ink, &'static [(f64, f64)]),
}

impl Part {
    /// Its ink.
    pub fn ink(&self) -> Ink {
        match *self {
            Part::Disc(ink, _) | Part::Ring(ink, ..) | Part::Line(ink, ..) | Part::Solid(ink, _) => ink,
        }
    }

    /// Distance of its outermost point from the centre.
    pub fn reach(&self) -> f64 {
        let far = |points: &[(f64, f64)]| points.iter().map(|p| p.0.abs().max(p.1.abs())).fold(0.0, f64::max);
        match *self {
            Part::Disc(_, r) => r,
            Part::Ring(_, r, width) => r + width / 2.0,
            Part::Line(_, width, points) => far(points) + width / 2.0,
            Part::Solid(_, points) => far(points),
        }
    }
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Type {
    /// Its ink.
    pub ink: Ink,
    /// Size of the letters, from one line to the next.
    pub size: f64,
    /// The face.
    pub face: Face,
}

/// A face of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Upright.
    Plain,
    /// Upright and heavy.
    Bold,
    /// Slanted.
    Italic,
}

impl Symbol {
    /// Distance of its outermost point from the centre if it is a point, in millimetres at 1:15 000.
    pub fn reach(&self) -> f64 {
        match &self.look {
            Look::Point(parts) => parts.iter().map(Part::reach).fold(0.0, f64::max),
            _ => 0.0,
        }
    }
}

/// Position in [`SYMBOLS`] of the symbol with that code.
pub fn find(code: &str) -> Option<usize> {
    SYMBOLS.iter().position(|s| s.code == code)
}

const fn area(code: &'static str, name: &'static str, fills: &'static [Fill]) -> Symbol {
    Symbol { code, name, look: Look::Area(fills) }
}

const fn line(code: &'static str, name: &'static str, ink: Ink, width: f64) -> Symbol {
    let stroke = Stroke { ink, width, dash: None, border: None, flat: false };
    Symbol { code, name, look: Look::Line(stroke) }
}

const fn dashed(code: &'static str, name: &'static str, ink: Ink, width: f64, dash: (f64, f64)) -> Symbol {
    let stroke = Stroke { ink, width, dash: Some(dash), border: None, flat: true };
    Symbol { code, name, look: Look::Line(stroke) }
}

const fn point(code: &'static str, name: &'static str, parts: &'static [Part]) -> Symbol {
    Symbol { code, name, look: Look::Point(parts) }
}

const fn text(code: &'static str, name: &'static str, ink: Ink, size: f64, face: Face) -> Symbol {
    Symbol { code, name, look: Look::Text(Type { ink, size, face }) }
}

/// A V of 0.7 by 0.8 mm from edge to edge around its centre of gravity, with lines of 0.18 mm.
const VEE_18: &[(f64, f64)] =
    &[(0.154, -0.302), (0.35, -0.302), (0.0, 0.498), (-0.35, -0.302), (-0.154, -0.302), (0.0, 0.049)];
/// The same with lines of 0.16 mm.
const VEE_16: &[(f64, f64)] =
    &[(0.175, -0.311), (0.35, -0.311), (0.0, 0.489), (-0.35, -0.311), (-0.175, -0.311), (0.0, 0.09)];
/// The middle of the line of a semicircle of 0.8 by 0.4 mm from edge to edge, with a line of 0.18 mm.
const BOWL: &[(f64, f64)] = &[
    (-0.31, -0.2),
    (-0.286, -0.081),
    (-0.219, 0.019),
    (-0.119, 0.086),
    (0.0, 0.11),
    (0.119, 0.086),
    (0.219, 0.019),
    (0.286, -0.081),
    (0.31, -0.2),
];
/// The same of 0.9 by 0.45 mm.
const SPRING: &[(f64, f64)] = &[
    (-0.36, -0.23),
    (-0.333, -0.092),
    (-0.255, 0.025),
    (-0.138, 0.103),
    (0.0, 0.13),
    (0.138, 0.103),
    (0.255, 0.025),
    (0.333, -0.092),
    (0.36, -0.23),
];
const SLASHES: [&[(f64, f64)]; 2] = [&[(-0.34, -0.34), (0.34, 0.34)], &[(-0.34, 0.34), (0.34, -0.34)]];
/// Sides of 6 mm around the centre, the tip up.
const TRIANGLE: &[(f64, f64)] = &[(0.0, -3.464), (3.0, 1.732), (-3.0, 1.732), (0.0, -3.464)];

/// All symbols, in the order of legends.
pub static SYMBOLS: &[Symbol] = &[
    line("101", "Contour", Ink::Brown, 0.14),
    line("101.1", "Slope line", Ink::Brown, 0.14),
    line("102", "Index contour", Ink::Brown, 0.25),
    text("102.1", "Contour value", Ink::Brown, 1.9, Face::Plain),
    dashed("103", "Form line", Ink::Brown, 0.1, (2.0, 0.2)),
    point("109", "Small knoll", &[Part::Disc(Ink::Brown, 0.25)]),
    point("111", "Small depression", &[Part::Line(Ink::Brown, 0.18, BOWL)]),
    point("112", "Pit", &[Part::Solid(Ink::Brown, VEE_18)]),
    point("203.1", "Rocky pit", &[Part::Solid(Ink::Black, VEE_16)]),
    point("203.2", "Cave", &[Part::Solid(Ink::Black, VEE_16)]),
    point("204", "Boulder", &[Part::Disc(Ink::Black, 0.2)]),
    point("205", "Large boulder", &[Part::Disc(Ink::Black, 0.3)]),
    point("207", "Boulder cluster", &[Part::Solid(Ink::Black, &[(0.0, -0.4), (0.4, 0.3), (-0.4, 0.3)])]),
    area("213", "Sandy ground", &[Fill::Plain(Ink::Rough), Fill::Dots(Ink::Black, 0.09, 0.45)]),
    area("214", "Bare rock", &[Fill::Plain(Ink::Grey)]),
    area("301", "Uncrossable body of water", &[Fill::Plain(Ink::Water)]),
    line("301.4", "Bank", Ink::Bank, 0.18),
    point("303", "Waterhole", &[Part::Solid(Ink::Blue, VEE_18)]),
    line("304", "Crossable watercourse", Ink::Blue, 0.3),
    line("305", "Small crossable watercourse", Ink::Blue, 0.18),
    dashed("306", "Seasonal water channel", Ink::Blue, 0.18, (1.25, 0.25)),
    area("308", "Marsh", &[Fill::Lines(Ink::Blue, 0.1, 0.3)]),
    area("310", "Indistinct marsh", &[Fill::Dashes(Ink::Blue, 0.1, 0.3, (0.9, 0.25))]),
    point(
        "311",
        "Well",
        &[Part::Line(
            Ink::Blue,
            0.18,
            &[(-0.31, -0.31), (0.31, -0.31), (0.31, 0.31), (-0.31, 0.31), (-0.31, -0.31)],
        )],
    ),
    point("312", "Spring", &[Part::Line(Ink::Blue, 0.18, SPRING)]),
    area("401", "Open land", &[Fill::Plain(Ink::Yellow)]),
    area("403", "Rough open land", &[Fill::Plain(Ink::Rough)]),
    area("406", "Vegetation: slow running", &[Fill::Plain(Ink::Slow)]),
    area("408", "Vegetation: walk", &[Fill::Plain(Ink::Walk)]),
    area("410", "Vegetation: fight", &[Fill::Plain(Ink::Fight)]),
    point("417", "Large tree", &[Part::Ring(Ink::Green, 0.35, 0.2)]),
    point("418", "Bush or small tree", &[Part::Disc(Ink::Green, 0.25)]),
    point(
        "419",
        "Prominent vegetation feature",
        &[Part::Line(Ink::Green, 0.18, SLASHES[0]), Part::Line(Ink::Green, 0.18, SLASHES[1])],
    ),
    area("501", "Paved area", &[Fill::Plain(Ink::Paved)]),
    line("501.1", "Edge of a paved area", Ink::Black, 0.1),
    Symbol {
        code: "502",
        name: "Wide road",
        look: Look::Line(Stroke {
            ink: Ink::RoadFill,
            width: 0.3,
            dash: None,
            border: Some((Ink::RoadEdge, 0.14)),
            flat: false,
        }),
    },
    line("503", "Road", Ink::Black, 0.35),
    dashed("504", "Vehicle track", Ink::Black, 0.35, (3.0, 0.25)),
    dashed("505", "Footpath", Ink::Black, 0.25, (2.0, 0.25)),
    dashed("506", "Small footpath", Ink::Black, 0.18, (1.0, 0.25)),
    dashed("507", "Less distinct small footpath", Ink::Black, 0.18, (1.0, 0.8)),
    dashed("508", "Narrow ride", Ink::Black, 0.14, (2.0, 0.25)),
    Symbol {
        code: "509",
        name: "Railway",
        look: Look::Line(Stroke {
            ink: Ink::RailFill,
            width: 0.26,
            dash: Some((1.2, 1.2)),
            border: Some((Ink::RoadEdge, 0.13)),
            flat: true,
        }),
    },
    Symbol {
        code: "512",
        name: "Bridge",
        look: Look::Line(Stroke {
            ink: Ink::RoadFill,
            width: 0.3,
            dash: None,
            border: Some((Ink::RoadEdge, 0.32)),
            flat: true,
        }),
    },
    area("521", "Building", &[Fill::Plain(Ink::Black)]),
    point(
        "524",
        "High tower",
        &[
            Part::Disc(Ink::Black, 0.25),
            Part::Line(Ink::Black, 0.16, &[(-0.6, 0.0), (0.6, 0.0)]),
            Part::Line(Ink::Black, 0.16, &[(0.0, -0.6), (0.0, 0.6)]),
        ],
    ),
    point("526", "Cairn", &[Part::Ring(Ink::Black, 0.33, 0.14), Part::Disc(Ink::Black, 0.1)]),
    point("530", "Man-made feature, ring", &[Part::Ring(Ink::Black, 0.33, 0.16)]),
    point(
        "531",
        "Man-made feature, cross",
        &[Part::Line(Ink::Black, 0.18, SLASHES[0]), Part::Line(Ink::Black, 0.18, SLASHES[1])],
    ),
    line("601", "North line", Ink::Blue, 0.1),
    point("603", "Spot height", &[Part::Disc(Ink::Black, 0.15)]),
    text("603.1", "Spot height, number", Ink::Black, 2.0, Face::Plain),
    point("701", "Start", &[Part::Line(Ink::Purple, 0.35, TRIANGLE)]),
    point("703", "Control", &[Part::Ring(Ink::Purple, 2.325, 0.35)]),
    text("704", "Control number", Ink::Purple, 5.4, Face::Plain),
    line("705", "Course line", Ink::Purple, 0.35),
    point("706", "Finish", &[Part::Ring(Ink::Purple, 1.825, 0.35), Part::Ring(Ink::Purple, 2.825, 0.35)]),
    dashed("707", "Marked route", Ink::Purple, 0.35, (2.0, 0.5)),
    area("901", "Snow", &[Fill::Plain(Ink::Snow)]),
    point("902.1", "Capital", &[Part::Disc(Ink::Black, 0.45), Part::Ring(Ink::Black, 0.85, 0.2)]),
    point("902.2", "City", &[Part::Disc(Ink::Black, 0.3), Part::Ring(Ink::Black, 0.62, 0.16)]),
    point("902.3", "Town", &[Part::Disc(Ink::Black, 0.42)]),
    point("902.4", "Village", &[Part::Ring(Ink::Black, 0.32, 0.18)]),
    point("902.5", "Hamlet", &[Part::Disc(Ink::Black, 0.2)]),
    text("910.1", "Name of the capital", Ink::Black, 4.2, Face::Bold),
    text("910.2", "Name of a city", Ink::Black, 3.4, Face::Bold),
    text("910.3", "Name of a town", Ink::Black, 2.8, Face::Plain),
    text("910.4", "Name of a village", Ink::Black, 2.3, Face::Plain),
    text("910.5", "Name of a hamlet", Ink::Black, 1.9, Face::Plain),
    text("911.1", "Name of a sea", Ink::Blue, 4.2, Face::Italic),
    text("911.2", "Name of a lake", Ink::Blue, 2.2, Face::Italic),
    text("912", "Name of a range", Ink::Brown, 3.0, Face::Italic),
];
