//! A window of the endless world as its folder holds it, and questions about its places.

use super::Rule;
use super::formula::Formula;
use super::lines::Shape;
use super::settings::{Params, Placed};
use crate::check::folder::Folder;
use crate::check::rule::Checked;
use crate::check::{Report, RuleResult};
use crate::error::Result;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use weald_core::AnyGrid;

/// The files of lines and points.
const FILES: [&str; 7] = ["streams", "roads", "bridges", "drawn_roads", "tunnels", "features", "buildings"];

/// The layers of numbers.
const FLOATS: [&str; 12] = [
    "height",
    "depth",
    "building_height",
    "speed",
    "speed_north",
    "speed_east",
    "speed_south",
    "speed_west",
    "cavern_floor",
    "cavern_roof",
    "sky_top",
    "sky_underside",
];
/// The layers of codes, beside those of the mines.
const CODES: [&str; 7] = ["terrain", "feature", "surface", "tree", "snow", "cavern", "sky_terrain"];

/// A window with all that is known of it.
pub(super) struct Window {
    /// Columns.
    pub(super) columns: usize,
    /// Rows.
    pub(super) rows: usize,
    /// The settings.
    pub(super) p: Params,
    /// What was placed by hand.
    pub(super) placed: Placed,
    /// The original world, if this is its seed.
    pub(super) formula: Option<Formula>,
    /// The manifest.
    pub(super) manifest: Value,
    floats: BTreeMap<String, Vec<f32>>,
    codes: BTreeMap<String, Vec<u8>>,
    shapes: BTreeMap<&'static str, Vec<Shape>>,
}

impl Checked for Window {
    const RULES: &'static [&'static [Rule]] = super::RULES;
    /// Seeds other than 0 have no formula, which one note says for all rules.
    const SILENT: &'static [&'static str] = &["formula"];

    /// Whether the layer or the file of this name is known, or the formula of the world.
    fn has(&self, name: &str) -> bool {
        match name {
            "formula" => self.formula.is_some(),
            _ => match name.strip_suffix(".geojson") {
                Some(file) => self.shapes.contains_key(file),
                None => self.floats.contains_key(name) || self.codes.contains_key(name),
            },
        }
    }
}

impl Window {
    /// Takes the layers of a folder that this world knows and reads its settings, lines and points.
    pub(super) fn new(mut folder: Folder, report: &mut Report) -> Result<Self> {
        let p = Params::deserialize(folder.params()?).map_err(|e| folder.bad(&format!("params: {e}")))?;
        let placed = Placed::read(&p.placed, &folder.file())?;
        let shape = |(name, list): (&'static str, Vec<_>)| (name, list.iter().map(Shape::of).collect());
        let shapes = folder.shapes(&FILES)?.into_iter().map(shape).collect();
        let formula = (folder.seed() == Some(0)).then(|| Formula::new(&p, placed.clone()));
        let (columns, rows) = folder.size();
        let (floats, codes, manifest) = (BTreeMap::new(), BTreeMap::new(), Value::Null);
        let mut w = Self { columns, rows, p, placed, formula, manifest, floats, codes, shapes };
        folder.take_layers(report, |name, array| w.set_layer(name, array));
        w.manifest = folder.manifest;
        Ok(w)
    }

    /// Takes over a layer. False if it has a name or a type that no layer of this world has.
    fn set_layer(&mut self, name: &str, array: AnyGrid) -> bool {
        match array {
            AnyGrid::F32(g) if FLOATS.contains(&name) => drop(self.floats.insert(name.into(), g.into_vec())),
            AnyGrid::U8(g) if CODES.contains(&name) || name.starts_with("mine_") => {
                drop(self.codes.insert(name.into(), g.into_vec()));
            }
            _ => return false,
        }
        true
    }

    /// The original world. Only for rules that need `formula`.
    pub(super) fn original(&self) -> &Formula {
        self.formula.as_ref().expect("rules that need the formula run only where there is one")
    }

    /// A layer of numbers; empty if it is missing or holds something else.
    pub(super) fn floats(&self, name: &str) -> &[f32] {
        self.floats.get(name).map_or(&[], Vec::as_slice)
    }

    /// A layer of codes; empty if it is missing or holds something else.
    pub(super) fn codes(&self, name: &str) -> &[u8] {
        self.codes.get(name).map_or(&[], Vec::as_slice)
    }

    /// The lines or points of a file; empty if there is none.
    pub(super) fn shapes(&self, name: &str) -> &[Shape] {
        self.shapes.get(name).map_or(&[], Vec::as_slice)
    }

    /// How many lines or points a file holds. None if there is no such file.
    pub(super) fn count(&self, name: &str) -> Option<usize> {
        self.shapes.get(name).map(Vec::len)
    }

    /// Column and row of a cell.
    pub(super) fn cell(&self, i: usize) -> (usize, usize) {
        (i % self.columns, i / self.columns)
    }

    /// The document's place of a cell.
    pub(super) fn place(&self, i: usize) -> (i64, i64) {
        let (c, r) = self.cell(i);
        (self.p.at.x + c as i64, self.p.at.y - r as i64)
    }

    /// The cell at a place, if it is in the window.
    pub(super) fn index(&self, x: i64, y: i64) -> Option<usize> {
        let (c, r) = (x - self.p.at.x, self.p.at.y - y);
        let inside = c >= 0 && r >= 0 && c < self.columns as i64 && r < self.rows as i64;
        inside.then(|| r as usize * self.columns + c as usize)
    }

    /// Column and row of a place, if it is in the window.
    pub(super) fn column_row(&self, (x, y): (i64, i64)) -> Option<(usize, usize)> {
        self.index(x, y).map(|i| self.cell(i))
    }

    /// Calls `visit(i, x, y)` for every cell.
    pub(super) fn each(&self, mut visit: impl FnMut(usize, i64, i64)) {
        for i in 0..self.columns * self.rows {
            let (x, y) = self.place(i);
            visit(i, x, y);
        }
    }

    /// Height of the ground, without the water: by formula, else from the layers of the window.
    pub(super) fn ground(&self, x: i64, y: i64) -> Option<f64> {
        if let Some(formula) = &self.formula {
            return Some(formula.ground(x, y));
        }
        let (i, height, depth) = (self.index(x, y)?, self.floats("height"), self.floats("depth"));
        let (h, d) = (f64::from(*height.get(i)?), f64::from(*depth.get(i)?));
        // A road that was drawn over water hides what is below it.
        let hidden = d == 0.0 && h as f32 == self.p.lake_level as f32 && self.placed.road(x, y);
        (!hidden).then_some(if d > 0.0 { self.p.lake_level - d } else { h })
    }

    /// Code of the terrain: by formula, else from the layer.
    pub(super) fn terrain(&self, x: i64, y: i64) -> Option<u8> {
        match &self.formula {
            Some(formula) => Some(formula.terra(x, y).terrain),
            None => self.codes("terrain").get(self.index(x, y)?).copied(),
        }
    }

    /// Code of the feature: by formula, else from the layer.
    pub(super) fn feature(&self, x: i64, y: i64) -> Option<u8> {
        match &self.formula {
            Some(formula) => Some(formula.feature(x, y)),
            None => self.codes("feature").get(self.index(x, y)?).copied(),
        }
    }

    /// How far two heights that should be the same may differ: none by formula, rounding in the layers.
    pub(super) fn slack(&self) -> f64 {
        if self.formula.is_some() { 0.0 } else { 1e-4 }
    }

    /// Calls `check` with the places where `wanted` of a place is not in `layer`.
    pub(super) fn compare<T: Copy + PartialEq + std::fmt::Display>(
        &self,
        rule: &mut RuleResult,
        layer: &[T],
        wanted: impl Fn(i64, i64) -> T,
    ) {
        self.each(|i, x, y| {
            let (found, wanted) = (layer[i], wanted(x, y));
            rule.check(found == wanted, Some(self.cell(i)), || {
                format!("at {x},{y} it is {found}, the rule gives {wanted}")
            });
        });
    }
}
