//! Layers, declared once per world: name, type, unit, sentence, kind, codes and palette.

use super::{Layer, Source};
use std::sync::Arc;
use weald_core::{Cells, Dir8, Grid};

/// A colour: red, green, blue.
pub type Rgb = [u8; 3];

/// One value of a class layer, or one bit of a flag layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// The value, or the mask of the bit.
    pub value: u32,
    /// Its name, as in every output.
    pub name: &'static str,
    /// Its colour in pictures of the layer, sRGB.
    pub colour: Rgb,
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

/// No and yes.
pub const NO_YES: &[Class] = &[
    Class { value: 0, name: "no", colour: [236, 234, 226] },
    Class { value: 1, name: "yes", colour: [150, 190, 224] },
];

/// The eight directions as values of a layer, and none.
pub const DIRECTIONS: &[Class] = &[
    Class { value: 0, name: "E", colour: [214, 96, 77] },
    Class { value: 1, name: "SE", colour: [222, 155, 72] },
    Class { value: 2, name: "S", colour: [201, 192, 80] },
    Class { value: 3, name: "SW", colour: [122, 176, 88] },
    Class { value: 4, name: "W", colour: [72, 160, 150] },
    Class { value: 5, name: "NW", colour: [76, 126, 182] },
    Class { value: 6, name: "N", colour: [118, 98, 176] },
    Class { value: 7, name: "NE", colour: [184, 88, 140] },
    Class { value: 255, name: "none", colour: [240, 240, 236] },
];

/// How to read the numbers of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A quantity on a scale.
    Measure,
    /// One class per cell.
    Classes(&'static [Class]),
    /// A set of flags per cell: the sum of the masks.
    Flags(&'static [Class]),
    /// One code per cell for each of the eight steps to its neighbours: that of direction d at bits 2d and 2d + 1. Code 0 is
    /// passable, 1 difficult and 2 blocked. Pictures show the [`STEP_CLASSES`].
    Steps(&'static [Class]),
}

/// What a picture shows of the eight steps from a cell: see [`step_class`].
pub const STEP_CLASSES: &[Class] = &[
    Class { value: 0, name: "all_passable", colour: [203, 216, 164] },
    Class { value: 1, name: "some_difficult", colour: [240, 204, 112] },
    Class { value: 2, name: "1_to_4_blocked", colour: [224, 142, 88] },
    Class { value: 3, name: "5_to_7_blocked", colour: [170, 66, 60] },
    Class { value: 4, name: "all_blocked", colour: [62, 40, 54] },
];

/// The class of [`STEP_CLASSES`] for a value of [`Kind::Steps`]: by the number of blocked steps, and if there is none by
/// whether a step is difficult.
pub fn step_class(value: u32) -> u32 {
    let code = |d: u32| value >> (2 * d) & 3;
    match (0..8).filter(|&d| code(d) >= 2).count() {
        0 => (0..8).any(|d| code(d) == 1) as u32,
        1..=4 => 2,
        5..=7 => 3,
        _ => 4,
    }
}

/// The colours of a measure in pictures of its layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Palette {
    /// From paper to ink.
    #[default]
    Plain,
    /// From lowland to summits, lit as relief.
    Elevation,
    /// From pale over ochre to dark brown: steepness and cost.
    Slope,
    /// Cyclic, for directions in degrees.
    Aspect,
    /// From dry sand to deep water.
    Moisture,
    /// From paper to ink blue.
    Accumulation,
    /// From straw to dark spruce.
    Vegetation,
    /// From pale over mauve to dark violet.
    Roughness,
}

/// What a layer is, apart from its cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerSpec {
    /// In snake_case; also the name of its file.
    pub name: &'static str,
    /// Type of the cells, as NumPy writes it.
    pub dtype: &'static str,
    /// Unit of the values, `""` if they have none.
    pub unit: &'static str,
    /// What it is, in one sentence without a full stop.
    pub about: &'static str,
    /// How to read the values, with the codes of classes and flags.
    pub kind: Kind,
    /// The colours of a measure.
    pub palette: Palette,
}

impl LayerSpec {
    /// A measure with the plain palette.
    pub const fn measure(
        name: &'static str,
        dtype: &'static str,
        unit: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, dtype, unit, about, kind: Kind::Measure, palette: Palette::Plain }
    }
}

/// Where the result of a world holds a grid.
pub enum Field<W: 'static> {
    /// 32-bit floats.
    F32(fn(&W) -> &Grid<f32>),
    /// Bytes.
    U8(fn(&W) -> &Grid<u8>),
    /// Bytes that are made only on request.
    U8If(fn(&W) -> Option<&Grid<u8>>),
    /// 16-bit unsigned integers.
    U16(fn(&W) -> &Grid<u16>),
    /// 32-bit unsigned integers.
    U32(fn(&W) -> &Grid<u32>),
    /// 32-bit signed integers.
    I32(fn(&W) -> &Grid<i32>),
    /// Directions.
    Dir(fn(&W) -> &Grid<Dir8>),
}

impl<W> Clone for Field<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Field<W> {}

impl<W> Field<W> {
    const fn dtype(&self) -> &'static str {
        match self {
            Field::F32(_) => "float32",
            Field::U8(_) | Field::U8If(_) | Field::Dir(_) => "uint8",
            Field::U16(_) => "uint16",
            Field::U32(_) => "uint32",
            Field::I32(_) => "int32",
        }
    }

    fn cells<'w>(&self, world: &'w W) -> Option<Cells<'w>> {
        Some(match self {
            Field::F32(of) => of(world).into(),
            Field::U8(of) => of(world).into(),
            Field::U8If(of) => of(world)?.into(),
            Field::U16(of) => of(world).into(),
            Field::U32(of) => of(world).into(),
            Field::I32(of) => of(world).into(),
            Field::Dir(of) => of(world).into(),
        })
    }
}

/// The declaration of a layer of the world `W`: what it is, and where the result holds it.
pub struct LayerOf<W: 'static> {
    /// What it is.
    pub spec: LayerSpec,
    /// Where the result holds it.
    pub field: Field<W>,
}

impl<W: Send + Sync + 'static> LayerOf<W> {
    /// A measure with the plain palette.
    pub const fn measure(
        name: &'static str,
        unit: &'static str,
        about: &'static str,
        field: Field<W>,
    ) -> Self {
        Self { spec: LayerSpec::measure(name, field.dtype(), unit, about), field }
    }

    /// Codes of a kind, which have no unit.
    const fn of_kind(name: &'static str, about: &'static str, kind: Kind, field: Field<W>) -> Self {
        Self { spec: LayerSpec { kind, ..LayerSpec::measure(name, field.dtype(), "", about) }, field }
    }

    /// One class per cell.
    pub const fn classes(
        name: &'static str,
        about: &'static str,
        table: &'static [Class],
        field: Field<W>,
    ) -> Self {
        Self::of_kind(name, about, Kind::Classes(table), field)
    }

    /// A set of flags per cell.
    pub const fn flags(
        name: &'static str,
        about: &'static str,
        table: &'static [Class],
        field: Field<W>,
    ) -> Self {
        Self::of_kind(name, about, Kind::Flags(table), field)
    }

    /// One code per cell for each of the eight steps to its neighbours.
    pub const fn steps(
        name: &'static str,
        about: &'static str,
        table: &'static [Class],
        field: Field<W>,
    ) -> Self {
        Self::of_kind(name, about, Kind::Steps(table), field)
    }

    /// The same with other colours.
    pub const fn coloured(mut self, palette: Palette) -> Self {
        self.spec.palette = palette;
        self
    }

    /// The layers that the result has, in order. They share the result.
    pub fn layers(list: &[Self], world: &Arc<W>) -> Vec<Layer> {
        let there = list.iter().filter(|l| l.field.cells(world).is_some());
        there
            .map(|l| Layer::shared(l.spec, Arc::new(Part { of: Arc::clone(world), field: l.field })))
            .collect()
    }

    /// What the layers are.
    pub fn specs(list: &[Self]) -> Vec<LayerSpec> {
        list.iter().map(|l| l.spec).collect()
    }
}

/// A grid that is part of a shared result.
struct Part<W: 'static> {
    of: Arc<W>,
    field: Field<W>,
}

impl<W: Send + Sync + 'static> Source for Part<W> {
    fn cells(&self) -> Cells<'_> {
        self.field.cells(&self.of).expect("a layer that is listed is there")
    }
}
