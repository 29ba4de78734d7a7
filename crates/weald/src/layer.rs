//! The catalogue: everything that leaves a world, in a form that needs no knowledge of the world.
//!
//! A world lists its layers (name, unit, what it is, typed data, classes), lines and points. Exports, pictures and
//! checks work from that list alone.

use serde_json::{Map, Value};
use weald_core::Frame;

pub use weald_core::Cells as Data;

/// One value of a class layer, or one bit of a flag layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// The value, or the mask of the bit.
    pub value: u32,
    /// Its name, as in every output.
    pub name: &'static str,
    /// Its colour on class pictures, sRGB.
    pub colour: [u8; 3],
}

/// Declares byte codes with named values: a constant for each, and the table of them.
macro_rules! classes {
    ($(#[$doc:meta])* $table:ident : $($(#[$item:meta])* $constant:ident = $value:literal $name:literal $colour:expr;)*) => {
        $($(#[$item])* pub const $constant: u8 = $value;)*
        $(#[$doc])*
        pub const $table: &[Class] = &[$(Class { value: $value, name: $name, colour: $colour }),*];
    };
}
pub(crate) use classes;

/// How the numbers of a layer are to be read.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A measure on a scale.
    Measure,
    /// One class per cell.
    Classes(&'static [Class]),
    /// A set of flags per cell: the sum of the masks.
    Flags(&'static [Class]),
}

/// One named grid of a world's result.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// In snake_case; also the name of its file.
    pub name: &'static str,
    /// Unit of the values, `""` if they have none.
    pub unit: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// The cells.
    pub data: Data<'a>,
    /// How to read them.
    pub kind: Kind,
}

/// A line or a point with what is known of it.
#[derive(Clone, Debug)]
pub struct Feature {
    /// Number within its set.
    pub id: u32,
    /// In the units of the frame: x east, y south. One point, or the points of the line in order.
    pub points: Vec<(f64, f64)>,
    /// Named values, in order.
    pub properties: Vec<(&'static str, Value)>,
}

/// Named lines or points.
#[derive(Clone, Debug)]
pub struct FeatureSet {
    /// In snake_case; also the name of its file.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// In the order of their ids.
    pub features: Vec<Feature>,
}

/// All that a world made.
#[derive(Debug)]
pub struct Catalogue<'a> {
    /// Where the map lies.
    pub frame: Frame,
    /// Grids, in the order in which the world makes them.
    pub layers: Vec<Layer<'a>>,
    /// Lines: rivers, trails, roads.
    pub lines: Vec<FeatureSet>,
    /// Points: places, seeds of trails.
    pub points: Vec<FeatureSet>,
    /// Figures about the whole map.
    pub stats: Map<String, Value>,
}

impl<'a> Catalogue<'a> {
    /// The layer called `name`.
    pub fn layer(&self, name: &str) -> Option<&Layer<'a>> {
        self.layers.iter().find(|l| l.name == name)
    }

    /// The line set called `name`.
    pub fn line_set(&self, name: &str) -> Option<&FeatureSet> {
        self.lines.iter().find(|s| s.name == name)
    }

    /// The point set called `name`.
    pub fn point_set(&self, name: &str) -> Option<&FeatureSet> {
        self.points.iter().find(|s| s.name == name)
    }
}
