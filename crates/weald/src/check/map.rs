//! The map of a folder: its layers, its lines and points and its manifest, for worlds whose rules need them all.

use super::folder::{self, Folder};
use super::rule::{self, Checked};
use super::shapes::{Shape, Shapes};
use super::{Report, RuleResult};
use crate::error::{Error, Result};
use crate::files;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Component, Path, PathBuf};
use weald_core::AnyGrid;
use weald_core::{Grid, dir8};

/// Name, type and unit of a layer; the unit where it is fixed.
pub(super) type LayerKind = (&'static str, &'static str, Option<&'static str>);

/// A world that is a map.
pub(super) trait MapWorld: Checked + Deref<Target = Map> {
    /// The layers, in order.
    const LAYERS: &'static [LayerKind];
    /// The files of lines and points, without their ending.
    const SHAPES: &'static [&'static str];

    /// The world of a map.
    fn of(map: Map) -> Result<Self>;

    /// How many polygons a file holds, without its ending; none if there is no such file.
    fn polygons_of(&self, _file: &str) -> Option<usize> {
        None
    }
}

/// Checks a folder of a world that is a map.
pub(super) fn folder<W: MapWorld>(folder: Folder, report: &mut Report) -> Result<()> {
    folder.params()?;
    let map = Map::new::<W>(folder, report)?;
    if folder::layers_fit(report) {
        rule::run(&W::of(map)?, report)?;
    }
    Ok(())
}

/// A map with what its folder holds.
pub(super) struct Map {
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
    /// The seed, if it is known.
    seed: Option<u64>,
    layers: BTreeMap<String, AnyGrid>,
    shapes: Shapes,
}

impl Map {
    /// Takes the layers of a folder that the world knows and reads its lines and points.
    fn new<W: MapWorld>(mut folder: Folder, report: &mut Report) -> Result<Self> {
        let shapes = folder.shapes(W::SHAPES)?;
        let cell_m = folder.manifest["frame"]["cell_m"].as_f64().filter(|c| c.is_finite() && *c > 0.0);
        let cell_m = cell_m
            .ok_or_else(|| folder.bad(&"frame.cell_m is missing or not above 0; make the folder again"))?;
        let mut layers = BTreeMap::new();
        folder.take_layers(report, |name, array| {
            let dtype = array.cells().dtype();
            let known = W::LAYERS.iter().any(|l| l.0 == name && l.1 == dtype);
            if known {
                layers.insert(name.to_owned(), array);
            }
            known
        });
        let ((width, height), seed) = (folder.size(), folder.seed());
        let Folder { dir, manifest, .. } = folder;
        Ok(Self { dir, width, height, cell_m, seed, manifest, layers, shapes })
    }

    /// Whether the layer or the file of this name is there.
    pub(super) fn has(&self, name: &str) -> bool {
        match name.strip_suffix(".geojson") {
            Some(file) => self.shapes.contains_key(file),
            None => {
                self.layers.contains_key(name) || (name.contains('.') && files::is_file(&self.dir.join(name)))
            }
        }
    }

    /// A layer of numbers. Only for rules that need it.
    pub(super) fn floats(&self, name: &str) -> &Grid<f32> {
        match self.layers.get(name) {
            Some(AnyGrid::F32(grid)) => grid,
            _ => panic!("a rule about {name} does not say that it needs it"),
        }
    }

    /// A layer of small whole numbers, such as classes. Only for rules that need it.
    pub(super) fn bytes(&self, name: &str) -> &Grid<u8> {
        match self.layers.get(name) {
            Some(AnyGrid::U8(grid)) => grid,
            _ => panic!("a rule about {name} does not say that it needs it"),
        }
    }

    /// A layer of whole numbers. Only for rules that need it.
    pub(super) fn wholes(&self, name: &str) -> &Grid<u32> {
        match self.layers.get(name) {
            Some(AnyGrid::U32(grid)) => grid,
            _ => panic!("a rule about {name} does not say that it needs it"),
        }
    }

    /// A layer of counts. Only for rules that need it.
    pub(super) fn counts(&self, name: &str) -> &Grid<u16> {
        match self.layers.get(name) {
            Some(AnyGrid::U16(grid)) => grid,
            _ => panic!("a rule about {name} does not say that it needs it"),
        }
    }

    /// The lines or points of a file; empty if there is none.
    pub(super) fn shapes(&self, name: &str) -> &[Shape] {
        self.shapes.get(name).map_or(&[], Vec::as_slice)
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

    /// Calls `visit` with each neighbour of a cell.
    pub(super) fn around(&self, i: usize, mut visit: impl FnMut(usize)) {
        dir8::neighbours(self.width, self.height, i % self.width, i / self.width, |_, x, y| {
            visit(y * self.width + x);
        });
    }

    /// Whether two cells are neighbours.
    pub(super) fn next_to(&self, a: usize, b: usize) -> bool {
        let (dx, dy) = ((a % self.width).abs_diff(b % self.width), (a / self.width).abs_diff(b / self.width));
        a != b && dx <= 1 && dy <= 1
    }

    /// The centre of a cell.
    pub(super) fn centre(&self, i: usize) -> [f64; 2] {
        [i % self.width, i / self.width].map(|k| (k as f64 + 0.5) * self.cell_m)
    }

    /// The cell with its centre at a place.
    pub(super) fn cell(&self, [x, y]: [f64; 2]) -> Option<usize> {
        let along = |v: f64, count: usize| {
            let k = (v / self.cell_m).floor();
            let centre = (v - (k + 0.5) * self.cell_m).abs() <= 1e-3 * self.cell_m;
            (centre && k >= 0.0 && k < count as f64).then_some(k as usize)
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

    /// The seed, which must be there.
    pub(super) fn known_seed(&self) -> Result<u64> {
        self.seed.ok_or_else(|| {
            let file = self.dir.join("manifest.json");
            Error::Invalid(format!("{}: there is no seed; make the folder again", file.display()))
        })
    }

    /// Compares a figure of the manifest with what was found.
    pub(super) fn same(&self, rule: &mut RuleResult, path: &str, found: f64, slack: f64) {
        let stated = self.stat(path);
        rule.check((stated - found).abs() <= slack, None, || {
            format!("{path} is {found}, the manifest says {}", self.value(&format!("stats.{path}")))
        });
    }

    /// Rule: a cell measures `cell_m`, which `source` says, the origin is 0, 0 and the unit m.
    pub(super) fn frame(&self, (cell_m, source): (f64, &str), rule: &mut RuleResult) {
        let frame = &self.manifest["frame"];
        rule.check((self.cell_m - cell_m).abs() <= 1e-12 * cell_m, None, || {
            format!("a cell measures {} m, not {source} = {cell_m}", self.cell_m)
        });
        let origin = [0, 1].map(|k| frame["origin"][k].as_f64());
        rule.check(origin == [Some(0.0); 2], None, || format!("the origin is {}, not 0, 0", frame["origin"]));
        rule.check(frame["unit"] == "m", None, || format!("the unit is {}, not m", frame["unit"]));
    }
}

/// Rule: the layers have the names, order, types and units of this world.
pub(super) fn kinds<W: MapWorld>(world: &W, rule: &mut RuleResult) -> Result<()> {
    let mut last = 0;
    for layer in world.manifest["layers"].as_array().into_iter().flatten() {
        let (name, dtype, unit) = (&layer["name"], &layer["dtype"], &layer["unit"]);
        let Some(k) = W::LAYERS.iter().position(|l| *name == l.0) else {
            rule.check(false, None, || format!("{name} is no layer of this world"));
            continue;
        };
        rule.check(k >= last, None, || format!("{name} comes after {}", W::LAYERS[last].0));
        last = last.max(k);
        rule.check(*dtype == W::LAYERS[k].1, None, || format!("{name} is {dtype}, not {}", W::LAYERS[k].1));
        if let Some(wanted) = W::LAYERS[k].2 {
            rule.check(*unit == wanted, None, || format!("the unit of {name} is {unit}, not {wanted}"));
        }
    }
    Ok(())
}

/// Rule: the files of lines, points and polygons that a manifest lists are there, and hold as many as it says.
pub(super) fn shape_files(manifest: &Value, count: impl Fn(&str) -> Option<usize>, rule: &mut RuleResult) {
    for list in ["lines", "points", "polygons"] {
        for entry in manifest[list].as_array().into_iter().flatten() {
            let name = entry["name"].as_str().unwrap_or("");
            let there = count(name).is_some() && entry["file"] == format!("{name}.geojson");
            rule.check(there, None, || format!("there is no {name}.geojson"));
            let found = count(name).unwrap_or(0);
            rule.check(entry["count"] == found, None, || {
                format!("{name}.geojson holds {found}, the manifest says {}", entry["count"])
            });
        }
    }
}

/// Rule: the files of the manifest are there, within the folder, those of lines, points and polygons with as many as it says.
pub(super) fn files<W: MapWorld>(world: &W, rule: &mut RuleResult) -> Result<()> {
    let map: &Map = world;
    let count = |name: &str| map.shapes.get(name).map(Vec::len).or_else(|| world.polygons_of(name));
    shape_files(&map.manifest, count, rule);
    for entry in map.manifest["files"].as_array().into_iter().flatten() {
        let name = entry["file"].as_str().unwrap_or("");
        let inside = Path::new(name).components().all(|c| matches!(c, Component::Normal(_)));
        rule.check(inside && files::is_file(&map.dir.join(name)), None, || {
            format!("there is no file {name}")
        });
    }
    Ok(())
}

/// Rule: no layer holds NaN, an infinity or -0.
pub(super) fn numbers<W: MapWorld>(world: &W, rule: &mut RuleResult) -> Result<()> {
    for name in W::LAYERS.iter().filter(|l| l.1 == "float32" && Map::has(world, l.0)).map(|l| l.0) {
        for (i, &v) in world.floats(name).cells().iter().enumerate() {
            let good = v.is_finite() && v.to_bits() != 1 << 31;
            rule.check(good, world.at(i), || format!("{name} is {v:?}"));
        }
    }
    Ok(())
}
