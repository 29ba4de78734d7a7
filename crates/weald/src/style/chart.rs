//! The style of a vector map at a scale, as data: which layers, lines and points become which symbols.
//!
//! Symbols are named by their codes of ISOM 2017-2, the standard of orienteering maps; the export `chart` holds the table.

use crate::catalogue::Catalogue;

/// The code of a symbol, such as `"401"` or `"301.4"`.
pub type Code = &'static str;

/// How the vector map of a catalogue is made. What is absent is not drawn.
#[derive(Clone, Debug)]
pub struct ChartStyle {
    /// In large type above the map.
    pub title: fn(&Catalogue) -> String,
    /// In small type at the foot of the sheet, a line each.
    pub credits: Vec<&'static str>,
    /// Metres of a unit of the frame: 1 where the frame is in metres.
    pub metres_per_unit: f64,
    /// What covers the ground. The first entry that fits a cell decides about its area.
    pub areas: Vec<AreaStyle>,
    /// Contours.
    pub contours: Option<ChartContours>,
    /// Streams that are cells of a layer and not lines.
    pub streams: Option<StreamStyle>,
    /// Line sets.
    pub lines: Vec<LineStyle>,
    /// Point sets that are squares on the ground, such as buildings.
    pub squares: Vec<SquareStyle>,
    /// Point sets that become symbols; where two would touch, the one named first stays.
    pub points: Vec<PointStyle>,
    /// Names. Those named first are placed first.
    pub labels: Vec<LabelStyle>,
    /// The world's own course: point set with the kinds `start`, `control` and `finish`, and line set of the route.
    pub course: Option<CourseSets>,
}

/// The sets of a course.
#[derive(Clone, Copy, Debug)]
pub struct CourseSets {
    /// Name of the point set.
    pub points: &'static str,
    /// Name of the line set of the route taken.
    pub route: &'static str,
}

/// Cells of a layer that become areas.
#[derive(Clone, Copy, Debug)]
pub struct AreaStyle {
    /// Name of the layer.
    pub layer: &'static str,
    /// Which cells.
    pub values: Values,
    /// What becomes of them.
    pub look: AreaLook,
    /// Name in the legend; that of the symbol where it is empty.
    pub label: &'static str,
}

/// Values of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// One class.
    Is(u32),
    /// Any value but 0.
    NotZero,
    /// From the first value to below the second one.
    Within(f64, f64),
}

impl Values {
    /// Whether a value is one of them.
    pub fn fit(self, value: f64) -> bool {
        match self {
            Values::Is(class) => value == f64::from(class),
            Values::NotZero => value != 0.0,
            Values::Within(from, below) => from <= value && value < below,
        }
    }
}

/// What cells become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaLook {
    /// An area that shares its border with its neighbours, and the line along that border.
    Area(Code, Option<Code>),
    /// Open water: as above, and contours and streams end at its border.
    Water(Code, Option<Code>),
    /// Runnable forest, which is the white of the paper.
    Paper,
    /// A pattern on the ground around.
    Over(Code),
    /// Only the ground around: what is here is drawn as a line or a symbol.
    Through,
}

/// Contours.
#[derive(Clone, Copy, Debug)]
pub struct ChartContours {
    /// Name of the layer of heights.
    pub layer: &'static str,
    /// Metres of a unit of the layer.
    pub metres_per_unit: f64,
    /// Value of the layer at a height of 0 m.
    pub zero: f64,
    /// The least interval in metres. Without a wish it grows until the steepest slopes can be drawn.
    pub interval_m: f64,
}

/// Streams that are cells.
#[derive(Clone, Copy, Debug)]
pub struct StreamStyle {
    /// Name of the layer.
    pub layer: &'static str,
    /// Which cells are streams.
    pub values: Values,
    /// Name of the layer of directions in which water leaves the cells.
    pub flow: &'static str,
    /// The symbol.
    pub symbol: Code,
    /// Name in the legend; that of the symbol where it is empty.
    pub label: &'static str,
}

/// Which features of a set are meant.
#[derive(Clone, Copy, Debug)]
pub struct When {
    /// Name of the property.
    pub property: &'static str,
    /// What it must be.
    pub is: Test,
}

/// A test of a property.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// True, or anything else.
    True(bool),
    /// A number from the first value to below the second one.
    Within(f64, f64),
}

/// Lines of a set that become a symbol.
#[derive(Clone, Copy, Debug)]
pub struct LineStyle {
    /// Name of the line set.
    pub set: &'static str,
    /// Which of its lines; all without it.
    pub when: Option<When>,
    /// The symbol.
    pub symbol: Code,
    /// Whether they are running water, which ends where open water begins.
    pub water: bool,
    /// Name in the legend; that of the symbol where it is empty.
    pub label: &'static str,
}

/// Points of a set that are squares on the ground.
#[derive(Clone, Copy, Debug)]
pub struct SquareStyle {
    /// Name of the point set.
    pub set: &'static str,
    /// Side in units of the frame.
    pub side: f64,
    /// The symbol of an area.
    pub symbol: Code,
    /// Name in the legend; that of the symbol where it is empty.
    pub label: &'static str,
}

/// Points of a set that become a symbol.
#[derive(Clone, Copy, Debug)]
pub struct PointStyle {
    /// Name of the point set.
    pub set: &'static str,
    /// Which of its points; all without it.
    pub when: [Option<When>; 2],
    /// The symbol.
    pub symbol: Code,
    /// The property that holds where the lower end of the symbol points, in degrees clockwise from north.
    pub direction: Option<&'static str>,
    /// Name in the legend; that of the symbol where it is empty.
    pub label: &'static str,
}

/// Names of the points of a set.
#[derive(Clone, Copy, Debug)]
pub struct LabelStyle {
    /// Name of the point set.
    pub set: &'static str,
    /// Which of its points; all without it.
    pub when: Option<When>,
    /// The property that is written. Numbers are rounded to whole ones.
    pub property: &'static str,
    /// The symbol of a text.
    pub symbol: Code,
    /// Whether it stands on the point and not beside it.
    pub over: bool,
    /// Greatest number of them.
    pub most: usize,
}

impl AreaStyle {
    /// Cells of a class with the name of its symbol in the legend.
    pub const fn class(layer: &'static str, class: u32, look: AreaLook) -> Self {
        Self { layer, values: Values::Is(class), look, label: "" }
    }
}

impl LineStyle {
    /// All lines of a set with the name of its symbol in the legend.
    pub const fn all(set: &'static str, symbol: Code) -> Self {
        Self { set, when: None, symbol, water: false, label: "" }
    }
}

impl PointStyle {
    /// All points of a set with the name of its symbol in the legend.
    pub const fn all(set: &'static str, symbol: Code) -> Self {
        Self { set, when: [None, None], symbol, direction: None, label: "" }
    }
}
