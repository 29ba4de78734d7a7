//! The style of an orienteering map, as data.

use super::map::{NorthArrow, Northing, Unit};
use crate::catalogue::Rgb;

/// The colours of orienteering maps for screens. The standard (ISOM 2017-2) defines inks; their plain conversion glares,
/// so these are tuned by eye to look like a printed sheet.
pub mod ink {
    use super::Rgb;
    /// Rock, paths, everything built.
    pub const BLACK: Rgb = [28, 26, 24];
    /// Contours and earth.
    pub const BROWN: Rgb = [190, 106, 42];
    /// Paved ground: half of brown.
    pub const PAVED: Rgb = [236, 202, 168];
    /// Lines of water.
    pub const BLUE: Rgb = [22, 134, 196];
    /// Open water.
    pub const WATER: Rgb = [132, 203, 232];
    /// Banks of open water.
    pub const BANK: Rgb = [20, 58, 92];
    /// Open land.
    pub const YELLOW: Rgb = [255, 205, 92];
    /// Rough open land: half of yellow.
    pub const ROUGH: Rgb = [242, 214, 156];
    /// Vegetation that is hard to run through.
    pub const GREEN: Rgb = [116, 190, 110];
    /// Runnable forest.
    pub const WHITE: Rgb = [255, 255, 255];
    /// Bare rock and sand: a quarter of black.
    pub const BARE: Rgb = [205, 203, 199];
    /// Large buildings: two thirds of black.
    pub const BUILT: Rgb = [88, 85, 82];
    /// Snow, laid over the ground.
    pub const SNOW: Rgb = [206, 232, 246];
    /// The course.
    pub const PURPLE: Rgb = [176, 38, 190];
    /// Green of point symbols.
    pub const DARK_GREEN: Rgb = [20, 138, 52];
}

/// How the orienteering map of a catalogue is drawn. Everything is named by layer, set and value; what is absent is not
/// drawn. Widths and sizes are pixels on a sheet with two pixels per metre.
#[derive(Clone, Debug, Default)]
pub struct OrienteerStyle {
    /// In large type above the map.
    pub title: String,
    /// In small type below the title.
    pub subtitle: String,
    /// Lines of small type at the foot of the legend.
    pub notes: Vec<String>,
    /// The unit of the coordinates and of the scale bar.
    pub unit: Unit,
    /// Direction in which the written second coordinate grows.
    pub northing: Northing,
    /// Whether there is a north arrow.
    pub north_arrow: NorthArrow,
    /// The height field and its lines.
    pub relief: Option<ContourStyle>,
    /// The depth of the water and its lines, drawn on open water only.
    pub depth: Option<ContourStyle>,
    /// The class layer that colours the ground. Without it the ground is white.
    pub ground: Option<GroundStyle>,
    /// A layer of 0 and 1 drawn over the ground as a thin colour: snow.
    pub veil: Option<Veil>,
    /// Line sets, drawn in this order.
    pub lines: Vec<WayStyle>,
    /// Point sets whose points are squares of a given size: buildings.
    pub squares: Vec<SquareStyle>,
    /// Point sets that are drawn as symbols.
    pub points: Vec<PointStyle>,
    /// Distance between north lines in the units of the frame; they stand at its multiples.
    pub north_lines: Option<f64>,
    /// A course, printed over everything else.
    pub course: Option<Course>,
    /// Pixels along the longer side of the map; at least 1600 without it.
    pub px: Option<usize>,
}

/// Whether index contours are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// In gaps of the line, where there is room.
    #[default]
    InGaps,
    /// Not at all: the places of numbers depend on the whole sheet, so tiles have none.
    None,
}

/// Contours.
#[derive(Clone, Copy, Debug)]
pub struct ContourStyle {
    /// Name of the layer of heights.
    pub layer: &'static str,
    /// Contour interval in the unit of the layer.
    pub step: f64,
    /// The same in metres, in which legend and numbers are.
    pub step_m: f64,
    /// Number of contours from one index contour, which is thick, to the next; 0 for none.
    pub index_every: u32,
    /// Whether index contours are numbered, in metres.
    pub numbers: Numbers,
    /// Colour.
    pub colour: Rgb,
}

/// The class layer that colours the ground.
#[derive(Clone, Debug)]
pub struct GroundStyle {
    /// Name of the layer.
    pub layer: &'static str,
    /// Heading of its part of the legend.
    pub heading: &'static str,
    /// Its classes, in the order of the legend. Values that are not listed have the colours of class pictures.
    pub classes: Vec<GroundClass>,
}

/// How one class of ground looks.
#[derive(Clone, Copy, Debug)]
pub struct GroundClass {
    /// The value in the layer.
    pub value: u32,
    /// Name in the legend; empty to leave it out.
    pub label: &'static str,
    /// Its look.
    pub look: GroundLook,
}

/// The look of a class of ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroundLook {
    /// An area of one colour with smooth borders.
    Area {
        /// Its colour.
        fill: Rgb,
        /// A thin line around it.
        edge: Option<Rgb>,
    },
    /// Open water: an area with a bank, over which no contour is drawn.
    Water {
        /// Its colour.
        fill: Rgb,
        /// Colour of the bank.
        bank: Rgb,
    },
    /// A texture on the surrounding ground.
    Over(Texture),
    /// Only the surrounding ground: what is here is drawn as a line or a symbol.
    Through,
}

/// A texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Texture {
    /// One colour. It keeps narrow strips that an area would lose.
    Plain(Rgb),
    /// Horizontal lines.
    Lines(Rgb),
    /// Dashed horizontal lines, staggered.
    Dashes(Rgb),
}

/// A layer of 0 and 1 that is laid over the ground.
#[derive(Clone, Copy, Debug)]
pub struct Veil {
    /// Name of the layer.
    pub layer: &'static str,
    /// Name in the legend.
    pub label: &'static str,
    /// The colour.
    pub colour: Rgb,
    /// Share of the colour, 0 to 1.
    pub strength: f32,
}

/// How a set of lines is drawn.
#[derive(Clone, Copy, Debug)]
pub struct WayStyle {
    /// Name of the line set.
    pub set: &'static str,
    /// Name in the legend.
    pub label: &'static str,
    /// Its look.
    pub look: WayLook,
}

/// The look of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WayLook {
    /// A line, solid or dashed.
    Line {
        /// Colour.
        colour: Rgb,
        /// Width in pixels.
        width: f32,
        /// Length of dashes and gaps in pixels.
        dash: Option<(f32, f32)>,
    },
    /// A filled road between two lines.
    Road {
        /// Colour between the lines.
        fill: Rgb,
        /// Colour of the lines.
        casing: Rgb,
        /// Least width in pixels, with the lines.
        width: f32,
        /// True width in units of the frame, drawn where it is more.
        true_width: f64,
    },
    /// A road on a bridge: as above, with heavier lines whose ends bend outwards.
    Bridge {
        /// Colour between the lines.
        fill: Rgb,
        /// Colour of the lines.
        casing: Rgb,
        /// Least width in pixels, with the lines.
        width: f32,
        /// True width in units of the frame, drawn where it is more.
        true_width: f64,
    },
}

/// Points that are squares on the ground.
#[derive(Clone, Copy, Debug)]
pub struct SquareStyle {
    /// Name of the point set.
    pub set: &'static str,
    /// Name in the legend.
    pub label: &'static str,
    /// Side in the units of the frame.
    pub side: f64,
    /// Colour.
    pub fill: Rgb,
    /// Colour of the outline.
    pub edge: Rgb,
}

/// Points that are drawn as symbols.
#[derive(Clone, Debug)]
pub struct PointStyle {
    /// Name of the point set.
    pub set: &'static str,
    /// The kinds that are drawn, in the order of the legend; others are left out.
    pub kinds: Vec<PointKind>,
}

/// One kind of points.
#[derive(Clone, Copy, Debug)]
pub struct PointKind {
    /// The property `kind` of its points; points without one are of the kind `""`.
    pub kind: &'static str,
    /// Only points whose property of that name is `true`, or only those whose property is not.
    pub only: Option<(&'static str, bool)>,
    /// The property that holds where the lower end of the symbol points, in degrees clockwise from north. A symbol without it
    /// is upright.
    pub direction: Option<&'static str>,
    /// Name in the legend.
    pub label: &'static str,
    /// Its symbol.
    pub symbol: Symbol,
    /// Colour.
    pub colour: Rgb,
}

/// The shape of a point symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A disc: boulder, knoll.
    Dot,
    /// A V: pit, mine shaft, cave mouth, water hole.
    Vee,
    /// Two crossing strokes: man-made object, rootstock.
    Cross,
    /// A circle.
    Ring,
    /// An upright box with a window: phone box.
    Box,
}

/// A course or a route, printed in its own colour over the map.
///
/// Points with the property `kind` are a `start` (triangle), a `control` (numbered circle) or a `finish` (two circles);
/// without it the first is the start, the last the finish and the others are controls.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// Name of the line set of the route taken. Without it straight legs join the points.
    pub lines: Option<&'static str>,
    /// Name of the point set.
    pub points: Option<&'static str>,
    /// Name in the legend.
    pub label: &'static str,
    /// Colour.
    pub colour: Rgb,
}
