//! The catalogue: everything that a world makes, as data that can be used without knowing the world.
//!
//! A world's result is a list of layers (name, unit, what it is, typed cells, classes), lines, points, polygons, figures and
//! notes. It neither draws nor writes: [`crate::render`] draws a catalogue, [`crate::export`] writes one.

pub mod explain;
mod sampler;
mod spec;

pub use sampler::{Axis, Column, Datum, Lattice, Sampler};
pub(crate) use spec::classes;
pub use spec::{
    Class, DIRECTIONS, Field, Kind, LayerOf, LayerSpec, NO_YES, Palette, Rgb, STEP_CLASSES, step_class,
};

use crate::error::{Error, Result};
use crate::georeference::GeoReference;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
pub use weald_core::Cells;
use weald_core::{AnyGrid, Dir8, Frame, Grid};

/// The owner of the cells of a layer.
pub trait Source: Send + Sync {
    /// The cells.
    fn cells(&self) -> Cells<'_>;
}

impl Source for AnyGrid {
    fn cells(&self) -> Cells<'_> {
        AnyGrid::cells(self)
    }
}

/// One named grid of a world's result. Cloning it shares the cells.
#[derive(Clone)]
pub struct Layer {
    spec: LayerSpec,
    source: Arc<dyn Source>,
}

impl Layer {
    /// A layer that owns its cells.
    pub fn new(spec: LayerSpec, cells: impl Into<AnyGrid>) -> Self {
        let cells: AnyGrid = cells.into();
        Self { spec, source: Arc::new(cells) }
    }

    /// A layer whose cells belong to something else.
    pub fn shared(spec: LayerSpec, source: Arc<dyn Source>) -> Self {
        Self { spec, source }
    }

    /// The cells.
    pub fn cells(&self) -> Cells<'_> {
        self.source.cells()
    }

    /// The owner of the cells.
    pub fn source(&self) -> Arc<dyn Source> {
        Arc::clone(&self.source)
    }

    /// A copy of `cells` as a layer.
    #[cfg(test)]
    pub(crate) fn copied(name: &'static str, unit: &'static str, cells: Cells, kind: Kind) -> Self {
        let spec = LayerSpec { kind, ..LayerSpec::measure(name, cells.dtype(), unit, "") };
        Self::new(spec, cells.to_owned())
    }

    /// What the layer is, apart from its cells.
    pub fn spec(&self) -> &LayerSpec {
        &self.spec
    }
}

/// A layer has the name, unit, sentence, kind and palette of its [`LayerSpec`].
impl Deref for Layer {
    type Target = LayerSpec;
    fn deref(&self) -> &LayerSpec {
        &self.spec
    }
}

impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = self.cells().shape();
        write!(f, "{} ({}, {width}x{height})", self.spec.name, self.spec.dtype)
    }
}

/// A name of a property, set or sentence: fixed in the program, or read from a file.
pub type Name = Cow<'static, str>;

/// A line, a point or a polygon with its properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Number within its set.
    pub id: u32,
    /// In the units of the frame: x east, y south. One point, the points of the line in order, or the outer ring of a polygon, whose last
    /// point repeats the first.
    pub points: Vec<(f64, f64)>,
    /// The inner rings of a polygon.
    pub holes: Vec<Vec<(f64, f64)>>,
    /// Named values, in order.
    pub properties: Vec<(Name, Value)>,
}

impl Feature {
    /// A feature whose properties have fixed names.
    pub fn new(
        id: u32,
        points: Vec<(f64, f64)>,
        properties: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Self {
        let properties = properties.into_iter().map(|(name, value)| (name.into(), value)).collect();
        Self { id, points, holes: Vec::new(), properties }
    }

    /// The property called `name`.
    pub fn property(&self, name: &str) -> Option<&Value> {
        self.properties.iter().find(|(n, _)| n == name).map(|(_, value)| value)
    }

    /// The property called `name`, if it is a list of numbers.
    pub fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        self.property(name)?.as_array()?.iter().map(Value::as_f64).collect()
    }
}

/// Named lines, points or polygons.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureSet {
    /// In snake_case; also the name of its file.
    pub name: Name,
    /// What it is, in one sentence.
    pub about: Name,
    /// In the order of their ids.
    pub features: Vec<Feature>,
}

impl FeatureSet {
    /// A set with a fixed name.
    pub fn new(name: &'static str, about: &'static str, features: Vec<Feature>) -> Self {
        Self { name: name.into(), about: about.into(), features }
    }
}

/// Heights with a frame of their own.
#[derive(Clone, Debug)]
pub struct Raster {
    /// Its name.
    pub name: &'static str,
    /// Where it lies.
    pub frame: Frame,
    /// Metres above the sea.
    pub height: Grid<f32>,
}

/// Everything that a world made.
#[derive(Clone)]
#[non_exhaustive]
pub struct Catalogue {
    /// Name of the world.
    pub world: &'static str,
    /// The seed.
    pub seed: u64,
    /// The parameters, by their paths in recipes.
    pub params: Value,
    /// Unit of the coordinates of lines and points.
    pub length_unit: &'static str,
    /// Where the map lies.
    pub frame: Frame,
    /// Where it lies on the Earth, if it was made from a map that says so.
    pub georeference: Option<GeoReference>,
    /// Metres above the sea at the heights 0 and 1, if heights run from 0 to 1 and were made from a map in metres.
    pub heights_m: Option<(f64, f64)>,
    /// Grids, in the order in which the world makes them.
    pub layers: Vec<Layer>,
    /// Lines: rivers, trails, roads.
    pub lines: Vec<FeatureSet>,
    /// Points: places, trail seeds.
    pub points: Vec<FeatureSet>,
    /// Polygons: regions.
    pub polygons: Vec<FeatureSet>,
    /// Heights with a frame of their own, made on request: the land around the map.
    pub rasters: Vec<Raster>,
    /// Figures about the whole map.
    pub figures: Map<String, Value>,
    /// What a user of the files must know, one line each, such as numbers to type into a game.
    pub notes: Vec<String>,
    /// What is at any place, for worlds that are functions of place.
    pub sampler: Option<Arc<dyn Sampler>>,
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalogue")
            .field("world", &self.world)
            .field("seed", &self.seed)
            .field("frame", &self.frame)
            .field("layers", &self.layers)
            .finish_non_exhaustive()
    }
}

impl Catalogue {
    /// An empty catalogue.
    pub fn new(world: &'static str, length_unit: &'static str, frame: Frame) -> Self {
        Self {
            world,
            seed: 0,
            params: Value::Null,
            length_unit,
            frame,
            georeference: None,
            heights_m: None,
            layers: Vec::new(),
            lines: Vec::new(),
            points: Vec::new(),
            polygons: Vec::new(),
            rasters: Vec::new(),
            figures: Map::new(),
            notes: Vec::new(),
            sampler: None,
        }
    }

    /// The layer called `name`.
    pub fn layer(&self, name: &str) -> Option<&Layer> {
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

    /// The raster called `name`.
    pub fn raster(&self, name: &str) -> Option<&Raster> {
        self.rasters.iter().find(|r| r.name == name)
    }

    /// The cells of the layer called `name`.
    pub fn cells(&self, name: &str) -> Result<Cells<'_>> {
        let missing =
            || Error::Invalid(format!("the layer {name} is missing; make the world with --layers all"));
        self.layer(name).map(Layer::cells).ok_or_else(missing)
    }

    /// The layer of floats called `name`.
    pub fn floats(&self, name: &str) -> Result<&Grid<f32>> {
        match self.cells(name)? {
            Cells::F32(grid) => Ok(grid),
            other => Err(wrong_type(name, &other, "float32")),
        }
    }

    /// The layer of bytes called `name`.
    pub fn bytes(&self, name: &str) -> Result<&Grid<u8>> {
        match self.cells(name)? {
            Cells::U8(grid) => Ok(grid),
            other => Err(wrong_type(name, &other, "uint8")),
        }
    }

    /// The layer of 16-bit numbers called `name`.
    pub fn words(&self, name: &str) -> Result<&Grid<u16>> {
        match self.cells(name)? {
            Cells::U16(grid) => Ok(grid),
            other => Err(wrong_type(name, &other, "uint16")),
        }
    }

    /// The layer of 32-bit numbers called `name`.
    pub fn counts(&self, name: &str) -> Result<&Grid<u32>> {
        match self.cells(name)? {
            Cells::U32(grid) => Ok(grid),
            other => Err(wrong_type(name, &other, "uint32")),
        }
    }

    /// The cells of a river whose line was smoothed, as (x, y): from that of its first vertex along the layer of flow directions
    /// called `flow`, one for each vertex.
    pub fn cells_along(&self, line: &[(f64, f64)], flow: &str) -> Result<Vec<(usize, usize)>> {
        let (flow, frame) = (self.cells(flow)?, &self.frame);
        let index =
            |v: f64, origin: f64, n: usize| ((v - origin) / frame.cell_m).clamp(0.0, n as f64 - 1.0) as usize;
        let mut cells = Vec::with_capacity(line.len());
        let mut at = line
            .first()
            .map(|&(x, y)| (index(x, frame.origin.0, frame.width), index(y, frame.origin.1, frame.height)));
        while let Some((x, y)) = at.filter(|_| cells.len() < line.len()) {
            cells.push((x, y));
            let d = Dir8(flow.at(x, y) as u8);
            at = d
                .is_some()
                .then(|| (x.wrapping_add_signed(d.dx() as isize), y.wrapping_add_signed(d.dy() as isize)));
            at = at.filter(|&(x, y)| x < frame.width && y < frame.height);
        }
        Ok(cells)
    }

    /// The parameter at a dotted path.
    pub fn param(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(&self.params, |v, key| v.get(key))
    }

    /// The parameter at a dotted path as a number, 0 if there is none.
    pub fn number(&self, path: &str) -> f64 {
        self.param(path).and_then(Value::as_f64).unwrap_or(0.0)
    }
}

fn wrong_type(name: &str, found: &Cells, wanted: &str) -> Error {
    Error::Shape(format!("the layer {name} is {}, not {wanted}", found.dtype()))
}
