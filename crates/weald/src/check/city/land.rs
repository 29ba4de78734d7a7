//! A city builder's land as its folder holds it.

use super::fill;
use super::rivers::Course;
use super::shapes::{self, Shape};
use crate::check::RuleResult;
use crate::error::{Error, Result};
use crate::export::npy::Array;
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use weald_core::{Grid, dir8};

/// The files of lines and points.
const FILES: [&str; 3] = ["rivers", "lakes", "water_sources"];

/// How far two levels of water that should be the same may differ, in metres.
pub(super) const LEVEL_M: f64 = 1e-3;

/// Name, type and unit of the layers, in order; the unit where it is fixed.
pub(super) const LAYERS: [(&str, &str, Option<&str>); 9] = [
    ("height_before", "float32", Some("m")),
    ("zones", "float32", None),
    ("height", "float32", Some("m")),
    ("slope", "float32", None),
    ("buildable", "uint8", None),
    ("wear", "float32", Some("m")),
    ("deposits", "float32", Some("m")),
    ("flow_area", "uint32", Some("cells")),
    ("lake", "uint32", None),
];

/// A map with all that is known of it.
pub(super) struct City {
    /// The folder.
    pub(super) dir: PathBuf,
    /// Columns.
    pub(super) width: usize,
    /// Rows.
    pub(super) height: usize,
    /// Side of a cell in metres.
    pub(super) cell_m: f64,
    /// The manifest.
    pub(super) manifest: Value,
    layers: BTreeMap<String, Array>,
    shapes: BTreeMap<&'static str, Vec<Shape>>,
    level: OnceCell<Grid<f32>>,
    courses: OnceCell<Vec<Course>>,
    owners: OnceCell<Vec<u32>>,
}

impl City {
    /// Reads the lines and points of a folder; layers are added with [`City::set_layer`].
    pub(super) fn new(dir: &Path, (width, height): (usize, usize), manifest: Value) -> Result<Self> {
        let mut shapes = BTreeMap::new();
        for name in FILES {
            if let Some(list) = shapes::read(&dir.join(format!("{name}.geojson")))? {
                shapes.insert(name, list);
            }
        }
        let cell_m = manifest["frame"]["cell_m"].as_f64().filter(|c| c.is_finite() && *c > 0.0);
        let cell_m = cell_m.ok_or_else(|| {
            let what = "frame.cell_m is missing or not above 0; make the folder again";
            Error::Invalid(format!("{}: {what}", dir.join("manifest.json").display()))
        })?;
        Ok(Self {
            dir: dir.to_path_buf(),
            width,
            height,
            cell_m,
            manifest,
            layers: BTreeMap::new(),
            shapes,
            level: OnceCell::new(),
            courses: OnceCell::new(),
            owners: OnceCell::new(),
        })
    }

    /// Takes over a layer. False if it has a name or a type that no layer of this world has.
    pub(super) fn set_layer(&mut self, name: &str, array: Array) -> bool {
        let dtype = match &array {
            Array::F32(_) => "float32",
            Array::U8(_) => "uint8",
            Array::U32(_) => "uint32",
            _ => return false,
        };
        let known = LAYERS.iter().any(|l| l.0 == name && l.1 == dtype);
        if known {
            self.layers.insert(name.into(), array);
        }
        known
    }

    /// Whether the layer or the file of this name is there.
    pub(super) fn has(&self, name: &str) -> bool {
        match name.strip_suffix(".geojson") {
            Some(file) => self.shapes.contains_key(file),
            None => self.layers.contains_key(name) || (name.contains('.') && self.dir.join(name).is_file()),
        }
    }

    /// A layer of numbers. Only for rules that need it.
    pub(super) fn floats(&self, name: &str) -> &Grid<f32> {
        match self.layers.get(name) {
            Some(Array::F32(grid)) => grid,
            _ => panic!("a rule about {name} does not say that it needs it"),
        }
    }

    /// The classes of buildable land. Only for rules that need them.
    pub(super) fn classes(&self) -> &Grid<u8> {
        match self.layers.get("buildable") {
            Some(Array::U8(grid)) => grid,
            _ => panic!("a rule about classes does not say that it needs them"),
        }
    }

    /// A layer of whole numbers. Only for rules that need it.
    pub(super) fn wholes(&self, name: &str) -> &Grid<u32> {
        match self.layers.get(name) {
            Some(Array::U32(grid)) => grid,
            _ => panic!("a rule about {name} does not say that it needs it"),
        }
    }

    /// The lines or points of a file; empty if there is none.
    pub(super) fn shapes(&self, name: &str) -> &[Shape] {
        self.shapes.get(name).map_or(&[], Vec::as_slice)
    }

    /// The level of standing water over `height`.
    pub(super) fn level(&self) -> &Grid<f32> {
        self.level.get_or_init(|| fill::level(self.floats("height")))
    }

    /// The rivers, as cells.
    pub(super) fn courses(&self) -> &[Course] {
        self.courses.get_or_init(|| self.shapes("rivers").iter().map(|s| Course::of(self, s)).collect())
    }

    /// For each cell the number of its river plus 1, 0 without one. Where a tributary ends is its parent's.
    pub(super) fn owners(&self) -> &[u32] {
        self.owners.get_or_init(|| {
            let mut owners = vec![0; self.cells()];
            for (k, course) in self.courses().iter().enumerate() {
                for &i in course.own() {
                    if owners[i] == 0 {
                        owners[i] = k as u32 + 1;
                    }
                }
            }
            owners
        })
    }

    /// Number of cells.
    pub(super) fn cells(&self) -> usize {
        self.width * self.height
    }

    /// Area of a cell in square metres.
    pub(super) fn cell_m2(&self) -> f64 {
        self.cell_m * self.cell_m
    }

    /// Column and row of a cell, for a message.
    pub(super) fn at(&self, i: usize) -> Option<(usize, usize)> {
        Some((i % self.width, i / self.width))
    }

    /// Whether a cell lies on the border of the map.
    pub(super) fn on_border(&self, i: usize) -> bool {
        let (x, y) = (i % self.width, i / self.width);
        x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.height
    }

    /// Whether a cell lies in the sea: its ground is below 0 m. Only for rules that need the height.
    pub(super) fn in_sea(&self, i: usize) -> bool {
        self.floats("height").cells()[i] < 0.0
    }

    /// Whether water may leave the map at a cell: on the border and in the sea. Only for rules that need the height.
    pub(super) fn may_end(&self, i: usize) -> bool {
        self.on_border(i) || self.in_sea(i)
    }

    /// Calls `visit` with each neighbour of a cell.
    pub(super) fn around(&self, i: usize, mut visit: impl FnMut(usize)) {
        dir8::neighbours(self.width, self.height, i % self.width, i / self.width, |_, x, y| {
            visit(y * self.width + x);
        });
    }

    /// The cell with its middle at a place.
    pub(super) fn cell(&self, [x, y]: [f64; 2]) -> Option<usize> {
        let along = |v: f64, count: usize| {
            let k = (v / self.cell_m).floor();
            let middle = (v - (k + 0.5) * self.cell_m).abs() <= 1e-3 * self.cell_m;
            (middle && k >= 0.0 && k < count as f64).then_some(k as usize)
        };
        Some(along(y, self.height)? * self.width + along(x, self.width)?)
    }

    /// A value of the manifest by its path of keys.
    pub(super) fn value(&self, path: &str) -> &Value {
        path.split('.').fold(&self.manifest, |v, key| &v[key])
    }

    /// A figure of the manifest; NaN, which no comparison accepts, if there is none.
    pub(super) fn stat(&self, path: &str) -> f64 {
        self.value(&format!("stats.{path}")).as_f64().unwrap_or(f64::NAN)
    }

    /// A parameter that is a number.
    pub(super) fn param(&self, path: &str) -> Result<f64> {
        self.value(&format!("params.{path}")).as_f64().ok_or_else(|| {
            Error::Invalid(format!(
                "{}: params.{path} is missing or no number; make the folder again",
                self.dir.join("manifest.json").display()
            ))
        })
    }

    /// Whether the land before erosion was given, not made.
    pub(super) fn derived(&self) -> bool {
        self.dir.join("maps/h.npy").is_file()
    }

    /// Compares a figure of the manifest with what was found.
    pub(super) fn same(&self, rule: &mut RuleResult, path: &str, found: f64, slack: f64) {
        let stated = self.stat(path);
        rule.check((stated - found).abs() <= slack, None, || {
            format!("{path} is {found}, the manifest says {}", self.value(&format!("stats.{path}")))
        });
    }
}
