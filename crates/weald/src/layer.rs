//! The catalogue: everything that leaves a world, in a form that needs no knowledge of the world.
//!
//! A world lists its layers (name, unit, what it is, typed data, classes), lines and points. Exports, pictures and
//! checks work from that list alone.

use serde_json::{Map, Value};
use weald_core::{Dir8, Frame, Grid};

/// The cells of a layer.
#[derive(Clone, Copy, Debug)]
pub enum Data<'a> {
    /// 32-bit floats.
    F32(&'a Grid<f32>),
    /// Bytes.
    U8(&'a Grid<u8>),
    /// 16-bit unsigned integers.
    U16(&'a Grid<u16>),
    /// 32-bit unsigned integers.
    U32(&'a Grid<u32>),
    /// 32-bit signed integers.
    I32(&'a Grid<i32>),
    /// Directions, as bytes.
    Dir(&'a Grid<Dir8>),
}

impl Data<'_> {
    /// Columns and rows.
    pub fn shape(&self) -> (usize, usize) {
        match self {
            Data::F32(g) => (g.width(), g.height()),
            Data::U8(g) => (g.width(), g.height()),
            Data::U16(g) => (g.width(), g.height()),
            Data::U32(g) => (g.width(), g.height()),
            Data::I32(g) => (g.width(), g.height()),
            Data::Dir(g) => (g.width(), g.height()),
        }
    }

    /// Name of the type as NumPy writes it.
    pub fn dtype(&self) -> &'static str {
        match self {
            Data::F32(_) => "float32",
            Data::U8(_) | Data::Dir(_) => "uint8",
            Data::U16(_) => "uint16",
            Data::U32(_) => "uint32",
            Data::I32(_) => "int32",
        }
    }

    /// Smallest and largest cell.
    pub fn min_max(&self) -> (f64, f64) {
        fn of<T: Copy + PartialOrd + Into<f64>>(cells: impl Iterator<Item = T>) -> (f64, f64) {
            let fold =
                |(low, high): (T, T), v: T| (if v < low { v } else { low }, if v > high { v } else { high });
            let both = cells.map(|v| (v, v)).reduce(|a, (v, _)| fold(a, v));
            both.map_or((f64::INFINITY, f64::NEG_INFINITY), |(low, high)| (low.into(), high.into()))
        }
        match self {
            Data::F32(g) => of(g.cells().iter().copied()),
            Data::U8(g) => of(g.cells().iter().copied()),
            Data::U16(g) => of(g.cells().iter().copied()),
            Data::U32(g) => of(g.cells().iter().copied()),
            Data::I32(g) => of(g.cells().iter().copied()),
            Data::Dir(g) => of(g.cells().iter().map(|d| d.0)),
        }
    }

    /// The cell at `(x, y)` as a number.
    pub fn at(&self, x: usize, y: usize) -> f64 {
        match self {
            Data::F32(g) => g[(x, y)] as f64,
            Data::U8(g) => g[(x, y)] as f64,
            Data::U16(g) => g[(x, y)] as f64,
            Data::U32(g) => g[(x, y)] as f64,
            Data::I32(g) => g[(x, y)] as f64,
            Data::Dir(g) => g[(x, y)].0 as f64,
        }
    }
}

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
