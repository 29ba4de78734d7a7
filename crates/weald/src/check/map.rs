//! The map of a folder: its layers, its lines and points and its manifest, for worlds whose rules need them all.

use super::folder::{self, Manifest};
use super::layer_files::LayerFiles;
use super::shapes::{self, Shape};
use super::{Report, RuleResult, sources};
use crate::error::{Error, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use weald_core::AnyGrid;
use weald_core::{Grid, dir8};

/// One rule about a world.
pub(super) struct Rule<W: 'static> {
    /// Its name, in kebab-case.
    pub(super) name: &'static str,
    /// What it asks for, in one line.
    pub(super) about: &'static str,
    /// The layers and files it needs. Without the first, which it is about, there is nothing to say.
    pub(super) needs: &'static [&'static str],
    /// Looks at the world.
    pub(super) run: fn(&W, &mut RuleResult) -> Result<()>,
}

/// Name, type and unit of a layer; the unit where it is fixed.
pub(super) type LayerKind = (&'static str, &'static str, Option<&'static str>);

/// A world as its folder holds it, with rules.
pub(super) trait Checked: Deref<Target = Map> + Sized + 'static {
    /// The layers, in order.
    const LAYERS: &'static [LayerKind];
    /// The files of lines and points, without their ending.
    const SHAPES: &'static [&'static str];
    /// The rules, in order.
    const RULES: &'static [&'static [Rule<Self>]];

    /// The world of a map.
    fn of(map: Map) -> Self;
}

/// Checks a folder of a world: `manifest` is its file `file`, the whole of which is `text`.
pub(super) fn folder<W: Checked>(dir: &Path, manifest: &Manifest, text: &str, file: &Path) -> Result<Report> {
    let bad = |e: &dyn std::fmt::Display| Error::Invalid(format!("{}: {e}", file.display()));
    let mut report = Report::default();
    if !manifest.params.as_ref().is_some_and(Value::is_object) {
        return Err(bad(&"there are no params; make the folder again"));
    }
    let whole: Value = serde_json::from_str(text).map_err(|e| bad(&e))?;
    let mut map = Map::new::<W>(dir, (manifest.frame.width, manifest.frame.height), whole)?;
    let mut files = LayerFiles::new();
    for layer in &manifest.layers {
        let Some(array) = files.read(dir, &manifest.frame, layer)? else { continue };
        if !map.set_layer(&layer.name, array) {
            report.notes.push(format!("layer {} ({}) has no rules of its own", layer.name, layer.dtype));
        }
    }
    report.rules.extend(files.into_rules());
    report.rules.push(sources::agree(dir, manifest, &[])?);
    if folder::go_on(manifest, &mut report)? {
        run(&W::of(map), &mut report)?;
    }
    Ok(report)
}

/// Runs every rule whose layers and files are there.
fn run<W: Checked>(world: &W, report: &mut Report) -> Result<()> {
    for rule in W::RULES.iter().copied().flatten() {
        let missing: Vec<&str> = rule.needs.iter().copied().filter(|n| !world.has(n)).collect();
        if missing.is_empty() {
            let mut result = RuleResult::new(rule.name, rule.about);
            (rule.run)(world, &mut result)?;
            report.rules.push(result);
        } else if world.has(rule.needs[0]) {
            report.notes.push(format!("{} was not checked: {} is missing", rule.name, missing.join(", ")));
        }
    }
    Ok(())
}

/// A map with what its folder tells of it.
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
    kinds: &'static [LayerKind],
    layers: BTreeMap<String, AnyGrid>,
    shapes: BTreeMap<&'static str, Vec<Shape>>,
}

impl Map {
    /// Reads the lines and points of a folder; layers are added with [`Map::set_layer`].
    fn new<W: Checked>(dir: &Path, (width, height): (usize, usize), manifest: Value) -> Result<Self> {
        let mut shapes = BTreeMap::new();
        for &name in W::SHAPES {
            if let Some(list) = shapes::read(&dir.join(format!("{name}.geojson")))? {
                shapes.insert(name, list);
            }
        }
        let cell_m = manifest["frame"]["cell_m"].as_f64().filter(|c| c.is_finite() && *c > 0.0);
        let cell_m = cell_m.ok_or_else(|| {
            let what = "frame.cell_m is missing or not above 0; make the folder again";
            Error::Invalid(format!("{}: {what}", dir.join("manifest.json").display()))
        })?;
        let (dir, kinds, layers) = (dir.to_path_buf(), W::LAYERS, BTreeMap::new());
        Ok(Self { dir, width, height, cell_m, manifest, kinds, layers, shapes })
    }

    /// Takes over a layer. False if it has a name or a type that no layer of this world has.
    fn set_layer(&mut self, name: &str, array: AnyGrid) -> bool {
        let dtype = match &array {
            AnyGrid::F32(_) => "float32",
            AnyGrid::U8(_) => "uint8",
            AnyGrid::U32(_) => "uint32",
            _ => return false,
        };
        let known = self.kinds.iter().any(|l| l.0 == name && l.1 == dtype);
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
pub(super) fn kinds<W: Checked>(world: &W, rule: &mut RuleResult) -> Result<()> {
    let mut last = 0;
    for layer in world.manifest["layers"].as_array().into_iter().flatten() {
        let (name, dtype, unit) = (&layer["name"], &layer["dtype"], &layer["unit"]);
        let Some(k) = W::LAYERS.iter().position(|l| *name == l.0) else {
            rule.check(false, None, || format!("{name} is no layer of this world"));
            continue;
        };
        rule.check(k >= last, None, || format!("{name} stands after {}", W::LAYERS[last].0));
        last = last.max(k);
        rule.check(*dtype == W::LAYERS[k].1, None, || format!("{name} is {dtype}, not {}", W::LAYERS[k].1));
        if let Some(wanted) = W::LAYERS[k].2 {
            rule.check(*unit == wanted, None, || format!("the unit of {name} is {unit}, not {wanted}"));
        }
    }
    Ok(())
}

/// Rule: the files of the manifest are there, those of lines and points with as many as it says.
pub(super) fn files<W: Checked>(world: &W, rule: &mut RuleResult) -> Result<()> {
    for list in ["lines", "points"] {
        for entry in world.manifest[list].as_array().into_iter().flatten() {
            let name = entry["name"].as_str().unwrap_or("");
            let there = world.has(&format!("{name}.geojson")) && entry["file"] == format!("{name}.geojson");
            rule.check(there, None, || format!("there is no {name}.geojson"));
            let found = world.shapes(name).len();
            rule.check(entry["count"] == found, None, || {
                format!("{name}.geojson holds {found}, the manifest says {}", entry["count"])
            });
        }
    }
    for entry in world.manifest["files"].as_array().into_iter().flatten() {
        let name = entry["file"].as_str().unwrap_or("");
        rule.check(world.dir.join(name).is_file(), None, || format!("there is no file {name}"));
    }
    Ok(())
}

/// Rule: no layer holds NaN, an infinity or -0.
pub(super) fn numbers<W: Checked>(world: &W, rule: &mut RuleResult) -> Result<()> {
    for name in W::LAYERS.iter().filter(|l| l.1 == "float32" && world.has(l.0)).map(|l| l.0) {
        for (i, &v) in world.floats(name).cells().iter().enumerate() {
            let good = v.is_finite() && v.to_bits() != 1 << 31;
            rule.check(good, world.at(i), || format!("{name} is {v:?}"));
        }
    }
    Ok(())
}
