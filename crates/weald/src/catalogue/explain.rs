//! Why a cell is what it is: reasons in words and in numbers.
//!
//! A world's `explain.rs` evaluates the rules of its stages again, on the layers, parameters, lines and points of a catalogue,
//! which may have been read back from a folder. [`Look`] reads the layers at a cell and remembers those that are missing;
//! [`Explanation::because`] adds a reason, or a note that says why it is left out.

use super::{Catalogue, Cells, Class, Feature, FeatureSet, Kind, Layer, Name};
use crate::error::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::fmt::{self, Write as _};
use weald_core::{Dir8, Grid, dir8};

/// A column and a row, counted from the north-west.
pub type Cell = (usize, usize);

/// How a world explains its cells.
#[derive(Clone, Copy, Debug)]
pub struct Explain {
    /// What a place is, as on the command line: "column and row of the cell, from the north-west".
    pub place: &'static str,
    /// Columns and rows of the cells that can be asked for.
    pub size: fn(&Catalogue) -> (usize, usize),
    /// The cell of a place that is given by the numbers that [`Explain::place`] describes.
    pub locate: fn(&Catalogue, &[f64]) -> Result<Cell>,
    /// The explanation of a cell, which lies within the size.
    pub explain: fn(&Catalogue, Cell) -> Result<Explanation>,
}

impl Explain {
    /// A world whose places are the columns and rows of its cells.
    pub const fn of_cells(explain: fn(&Catalogue, Cell) -> Result<Explanation>) -> Self {
        Self {
            place: "column and row of the cell, from the north-west",
            size: |catalogue| (catalogue.frame.width, catalogue.frame.height),
            locate: |catalogue, place| cell_at(place, (catalogue.frame.width, catalogue.frame.height)),
            explain,
        }
    }

    /// The explanation of a cell. Fails if it lies outside the map.
    pub fn at(&self, catalogue: &Catalogue, (x, y): Cell) -> Result<Explanation> {
        let (w, h) = (self.size)(catalogue);
        if x >= w || y >= h {
            return Err(outside(&[x as f64, y as f64], (w, h)));
        }
        (self.explain)(catalogue, (x, y))
    }
}

/// The cell of two whole numbers, if it lies within the size.
pub fn whole_cell(place: &[f64], (width, height): (usize, usize)) -> Option<Cell> {
    let &[x, y] = place else { return None };
    let inside = |v: f64, n: usize| v.fract() == 0.0 && v >= 0.0 && v < n as f64;
    (inside(x, width) && inside(y, height)).then_some((x as usize, y as usize))
}

/// The cell of two whole numbers. Fails if there is no such cell.
pub fn cell_at(place: &[f64], size: (usize, usize)) -> Result<Cell> {
    whole_cell(place, size).ok_or_else(|| outside(place, size))
}

/// The error for a cell outside the map.
fn outside(place: &[f64], (width, height): (usize, usize)) -> Error {
    let given: Vec<String> = place.iter().map(f64::to_string).collect();
    let (last_x, last_y) = (width - 1, height - 1);
    Error::Invalid(format!(
        "{}: is no cell of this map of {width}x{height} cells; columns run from 0 to {last_x} and rows from \
        0 to {last_y}",
        given.join(",")
    ))
}

/// A number with its name and unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// What it is: a layer, a parameter by its path, or a few words.
    pub name: Name,
    /// Its value.
    pub value: f64,
    /// Its unit, `""` for none.
    pub unit: Name,
}

impl Number {
    /// A number with fixed name and unit.
    pub fn new(name: impl Into<Name>, value: impl Into<f64>, unit: impl Into<Name>) -> Self {
        Self { name: name.into(), value: value.into(), unit: unit.into() }
    }

    fn to_json(&self) -> Value {
        json!({"name": self.name, "value": self.value, "unit": self.unit})
    }
}

/// A neighbour that matters to a reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour {
    /// Where it lies: E, SE, S, SW, W, NW, N or NE.
    pub direction: &'static str,
    /// Its column and row; none off the map.
    pub cell: Option<Cell>,
    /// What it contributes, in a few words.
    pub contributes: String,
}

impl Neighbour {
    /// The neighbour in a direction of a cell on a map of that size.
    pub fn new((x, y): Cell, d: Dir8, size: (usize, usize), contributes: impl Into<String>) -> Self {
        let (nx, ny) = (x as i64 + d.dx() as i64, y as i64 + d.dy() as i64);
        let on_map = nx >= 0 && ny >= 0 && nx < size.0 as i64 && ny < size.1 as i64;
        let cell = on_map.then_some((nx as usize, ny as usize));
        Self { direction: Dir8::NAMES[d.0 as usize], cell, contributes: contributes.into() }
    }

    fn to_json(&self) -> Value {
        let (x, y) = (self.cell.map(|c| c.0), self.cell.map(|c| c.1));
        json!({"direction": self.direction, "x": x, "y": y, "contributes": self.contributes})
    }
}

/// One reason: what something is at the cell, and why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reason {
    /// What is explained: "biome", "water", "passability".
    pub subject: &'static str,
    /// What it is: the name of a class, or a value.
    pub answer: String,
    /// Why, in a whole sentence.
    pub sentence: String,
    /// The rule in a few words, with the names of layers and parameters.
    pub rule: String,
    /// The values that the rule gives when it is evaluated again, by the layers that should hold them. Empty for what cannot be
    /// evaluated from a catalogue alone.
    pub gives: Vec<(&'static str, f64)>,
    /// The numbers that decided.
    pub numbers: Vec<Number>,
    /// The neighbours that matter.
    pub neighbours: Vec<Neighbour>,
}

impl Reason {
    /// A reason without numbers and neighbours.
    pub fn new(
        subject: &'static str,
        answer: impl Into<String>,
        sentence: impl Into<String>,
        rule: impl Into<String>,
    ) -> Self {
        let (answer, sentence, rule) = (answer.into(), sentence.into(), rule.into());
        Self { subject, answer, sentence, rule, ..Self::default() }
    }

    /// The same with a value that its rule gives for a layer.
    pub fn giving(mut self, layer: &'static str, value: impl Into<f64>) -> Self {
        self.gives.push((layer, value.into()));
        self
    }

    /// The same with a number.
    pub fn number(mut self, name: impl Into<Name>, value: impl Into<f64>, unit: impl Into<Name>) -> Self {
        self.numbers.push(Number::new(name, value, unit));
        self
    }

    /// The same with neighbours.
    pub fn beside(mut self, neighbours: impl IntoIterator<Item = Neighbour>) -> Self {
        self.neighbours.extend(neighbours);
        self
    }

    /// The reason as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "subject": self.subject,
            "answer": self.answer,
            "sentence": self.sentence,
            "rule": self.rule,
            "layers": self.gives.iter().map(|g| g.0).collect::<Vec<_>>(),
            "numbers": self.numbers.iter().map(Number::to_json).collect::<Vec<_>>(),
            "neighbours": self.neighbours.iter().map(Neighbour::to_json).collect::<Vec<_>>(),
        })
    }
}

/// What a layer holds at the cell.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerValue {
    /// Name of the layer.
    pub layer: &'static str,
    /// The number.
    pub value: f64,
    /// Its unit, `""` for none.
    pub unit: &'static str,
    /// Names of the class, of the flags that are set ("none" without any), or of the steps by their passability.
    pub names: Vec<String>,
}

impl LayerValue {
    /// The value of a layer at a cell.
    pub fn of(layer: &Layer, (x, y): Cell) -> Self {
        let value = layer.cells().at(x, y);
        let code = value as u32;
        let on = |class: &&Class| code & class.value == class.value;
        let names = match layer.kind {
            Kind::Measure => Vec::new(),
            Kind::Classes(_) => class_name(layer, value).into_iter().map(str::to_owned).collect(),
            Kind::Flags(_) if code == 0 => vec!["none".to_owned()],
            Kind::Flags(table) => table.iter().filter(on).map(|c| c.name.to_owned()).collect(),
            Kind::Steps(table) => table.iter().filter_map(|class| steps_of(code, class)).collect(),
        };
        Self { layer: layer.name, value, unit: layer.unit, names }
    }

    /// The value in words: names if there are any, otherwise the number with its unit.
    pub fn words(&self) -> String {
        match self.names.is_empty() {
            false => self.names.join(", "),
            true if self.unit.is_empty() || self.unit == "1" => say(self.value),
            true => format!("{} {}", say(self.value), self.unit),
        }
    }

    fn to_json(&self) -> Value {
        json!({"layer": self.layer, "value": self.value, "unit": self.unit, "names": self.names})
    }
}

/// "blocked N NE": the directions of the steps of one class.
fn steps_of(code: u32, class: &Class) -> Option<String> {
    let on = (0..8).filter(|d| code >> (2 * d) & 3 == class.value).map(|d| Dir8::NAMES[d]);
    let on: Vec<&str> = on.collect();
    (!on.is_empty()).then(|| format!("{} {}", class.name, on.join(" ")))
}

/// The name of the class of a layer with that value.
fn class_name(layer: &Layer, value: f64) -> Option<&'static str> {
    let Kind::Classes(table) = layer.kind else { return None };
    table.iter().find(|c| c.value as f64 == value).map(|c| c.name)
}

/// Where a feature lies, seen from the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Near {
    /// It passes through the cell or stands in it.
    Here,
    /// It passes through a neighbour or stands in one.
    Beside,
}

/// A line, a point or a polygon at the cell or beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct NearFeature {
    /// Name of its set.
    pub set: Name,
    /// "line", "point" or "polygon".
    pub shape: &'static str,
    /// Number within its set.
    pub id: u32,
    /// Where it lies.
    pub near: Near,
    /// Its properties. Of a list with one value for each point of a line, the value at the nearest point.
    pub properties: Vec<(Name, Value)>,
}

impl NearFeature {
    fn to_json(&self) -> Value {
        let properties: Map<String, Value> =
            self.properties.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
        let near = if self.near == Near::Here { "here" } else { "beside" };
        json!({"set": self.set, "shape": self.shape, "id": self.id, "near": near, "properties": properties})
    }
}

/// "rivers 3 (line, here): order 2, width_m 14.2".
impl fmt::Display for NearFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = if self.near == Near::Here { "here" } else { "beside" };
        write!(f, "{} {} ({}, {near})", self.set, self.id, self.shape)?;
        for (i, (name, value)) in self.properties.iter().filter(|(_, v)| !v.is_null()).enumerate() {
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Number(n) => say(n.as_f64().unwrap_or(f64::NAN)),
                other => other.to_string(),
            };
            write!(f, "{} {name} {value}", if i == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

/// Why a cell is what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Name of the world.
    pub world: &'static str,
    /// Column and row of the cell.
    pub cell: Cell,
    /// Coordinates of its centre, in the world's own units.
    pub coordinates: Vec<Number>,
    /// What every layer holds.
    pub values: Vec<LayerValue>,
    /// What it is, and why.
    pub reasons: Vec<Reason>,
    /// Lines, points and polygons at the cell or beside it.
    pub features: Vec<NearFeature>,
    /// What is left out, and what does not agree.
    pub notes: Vec<String>,
}

impl Explanation {
    /// An explanation without reasons: all layers, and the features around the centre of the cell in the units of the frame.
    pub fn of(catalogue: &Catalogue, cell: Cell) -> Self {
        let frame = &catalogue.frame;
        let (x, y) = frame.cell_centre(cell.0, cell.1);
        let unit = catalogue.length_unit;
        Self {
            world: catalogue.world,
            cell,
            coordinates: vec![Number::new("x", x, unit), Number::new("y", y, unit)],
            values: catalogue.layers.iter().map(|layer| LayerValue::of(layer, cell)).collect(),
            reasons: Vec::new(),
            features: features_near(catalogue, (x, y), frame.cell_m, |_| true),
            notes: Vec::new(),
        }
    }

    /// Adds a reason. If it needs a layer that is missing it is left out, and a note says so; if its rule gives something else than
    /// the layer holds, a note says that.
    pub fn because(
        &mut self,
        look: &Look,
        subject: &'static str,
        reason: impl FnOnce(&Look) -> Option<Reason>,
    ) {
        look.missing.borrow_mut().clear();
        let found = reason(look);
        let missing = look.missing.borrow().join(", ");
        let Some(reason) = found else {
            if !missing.is_empty() {
                self.notes.push(format!(
                    "The reason for \"{subject}\" is left out, because these layers are missing: {missing}. \
                    Make the world again with --layers all."
                ));
            }
            return;
        };
        for &(layer, given) in &reason.gives {
            let Some(held) = self.values.iter().find(|v| v.layer == layer).filter(|v| v.value != given)
            else {
                continue;
            };
            self.notes.push(format!(
                "The layer {layer} holds {}, but its rule gives {given} here: the folder was changed, or \
                another version of the program made it.",
                held.value
            ));
        }
        self.reasons.push(reason);
    }

    /// The reason for that subject.
    pub fn reason(&self, subject: &str) -> Option<&Reason> {
        self.reasons.iter().find(|r| r.subject == subject)
    }

    /// The explanation as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "world": self.world,
            "cell": {"x": self.cell.0, "y": self.cell.1},
            "coordinates": self.coordinates.iter().map(Number::to_json).collect::<Vec<_>>(),
            "values": self.values.iter().map(LayerValue::to_json).collect::<Vec<_>>(),
            "reasons": self.reasons.iter().map(Reason::to_json).collect::<Vec<_>>(),
            "features": self.features.iter().map(NearFeature::to_json).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }

    /// The values of the layers as an aligned table: name, value and what it means.
    pub fn table(&self) -> String {
        let wide = self.values.iter().map(|v| v.layer.len()).max().unwrap_or(0);
        let line = |v: &LayerValue| format!("{:wide$}  {}\n", v.layer, v.words());
        self.values.iter().map(line).collect()
    }
}

/// The place, then one sentence for each reason, the features and the notes.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, column {}, row {}", self.world, self.cell.0, self.cell.1)?;
        let places = self.coordinates.iter().map(|c| format!("{} {} {}", c.name, say_place(c.value), c.unit));
        let places: Vec<String> = places.map(|place| place.trim_end().to_owned()).collect();
        writeln!(f, " ({})", places.join(", "))?;
        for reason in &self.reasons {
            writeln!(f, "{}: {}", reason.subject, reason.sentence)?;
        }
        if !self.features.is_empty() {
            writeln!(f, "At the cell or beside it:")?;
        }
        for feature in &self.features {
            writeln!(f, "  {feature}")?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "Note: {note}"))
    }
}

/// A look at the layers of a catalogue at one cell. It remembers the layers that were asked for and are missing.
pub struct Look<'c> {
    /// The catalogue.
    pub catalogue: &'c Catalogue,
    /// The cell.
    pub cell: Cell,
    missing: RefCell<Vec<&'static str>>,
}

impl<'c> Look<'c> {
    /// A look at a cell.
    pub fn new(catalogue: &'c Catalogue, cell: Cell) -> Self {
        Self { catalogue, cell, missing: RefCell::default() }
    }

    /// Columns and rows of the map.
    pub fn size(&self) -> (usize, usize) {
        (self.catalogue.frame.width, self.catalogue.frame.height)
    }

    /// The cells of a layer.
    pub fn layer(&self, name: &'static str) -> Option<Cells<'c>> {
        let found = self.catalogue.layer(name).map(Layer::cells);
        if found.is_none() && !self.missing.borrow().contains(&name) {
            self.missing.borrow_mut().push(name);
        }
        found
    }

    /// What a layer holds at the cell.
    pub fn value(&self, name: &'static str) -> Option<f64> {
        self.at(name, self.cell)
    }

    /// What a layer holds at a cell.
    pub fn at(&self, name: &'static str, (x, y): Cell) -> Option<f64> {
        Some(self.layer(name)?.at(x, y))
    }

    /// What a layer of 32-bit floats holds at the cell.
    pub fn float(&self, name: &'static str) -> Option<f32> {
        self.value(name).map(|v| v as f32)
    }

    /// The code that a layer of bytes holds at the cell.
    pub fn code(&self, name: &'static str) -> Option<u8> {
        self.value(name).map(|v| v as u8)
    }

    /// The name of the class that a layer holds at the cell.
    pub fn class(&self, name: &'static str) -> Option<&'static str> {
        let value = self.value(name)?;
        class_name(self.catalogue.layer(name)?, value)
    }

    /// The neighbours on the map, in the order of [`Dir8`].
    pub fn neighbours(&self) -> Vec<(Dir8, Cell)> {
        let ((w, h), (x, y)) = (self.size(), self.cell);
        let mut all = Vec::with_capacity(8);
        dir8::neighbours(w, h, x, y, |d, nx, ny| all.push((d, (nx, ny))));
        all
    }

    /// The neighbour in a direction, with what it contributes.
    pub fn neighbour(&self, d: Dir8, contributes: impl Into<String>) -> Neighbour {
        Neighbour::new(self.cell, d, self.size(), contributes)
    }

    /// The neighbours whose flow leads into the cell, by a layer of directions.
    pub fn inflows(&self, flow: &'static str) -> Option<Vec<(Dir8, Cell)>> {
        let flow = self.layer(flow)?;
        let into = |&(d, (x, y)): &(Dir8, Cell)| flow.at(x, y) == d.opposite().0 as f64;
        Some(self.neighbours().into_iter().filter(into).collect())
    }

    /// A layer of floats around the cell, up to `reach` cells away but not beyond the map, and where the cell lies in it. A stage
    /// with a smaller reach gives the same value there as on the whole map.
    pub fn around(&self, name: &'static str, reach: usize) -> Option<(Grid<f32>, Cell)> {
        let (cells, (w, h), (x, y)) = (self.layer(name)?, self.size(), self.cell);
        let first = (x.saturating_sub(reach), y.saturating_sub(reach));
        let (wide, high) = ((x + reach + 1).min(w) - first.0, (y + reach + 1).min(h) - first.1);
        let grid = Grid::from_fn(wide, high, |cx, cy| cells.at(first.0 + cx, first.1 + cy) as f32);
        Some((grid, (x - first.0, y - first.1)))
    }
}

/// The parameters of a catalogue as the world's own type.
pub fn params<P: DeserializeOwned>(catalogue: &Catalogue) -> Result<P> {
    serde_json::from_value(catalogue.params.clone()).map_err(|e| {
        let world = catalogue.world;
        Error::Invalid(format!("these are not the parameters of {world}: {e}; make the folder again"))
    })
}

/// Lines, points and polygons at a place or within a cell of it, those at the place first; `side` is the side of a cell in the units
/// of the features.
pub fn features_near(
    catalogue: &Catalogue,
    (x, y): (f64, f64),
    side: f64,
    meant: impl Fn(&Feature) -> bool,
) -> Vec<NearFeature> {
    let mut found: Vec<NearFeature> = Vec::new();
    // Whether a place lies in the cell, or in a neighbour.
    let near = |(dx, dy): (f64, f64)| match dx.abs().max(dy.abs()) / side {
        // A line that only touches a corner does not pass through.
        far if far < 0.5 => Some(Near::Here),
        far if far < 1.5 => Some(Near::Beside),
        _ => None,
    };
    let mut add = |set: &FeatureSet, shape, feature: &Feature, near, vertex| {
        let properties = properties_at(feature, vertex);
        found.push(NearFeature { set: set.name.clone(), shape, id: feature.id, near, properties });
    };
    for set in &catalogue.lines {
        for feature in set.features.iter().filter(|f| meant(f)) {
            if let Some((offset, vertex)) = nearest_of_line(&feature.points, (x, y), 1.5 * side)
                && let Some(near) = near(offset)
            {
                add(set, "line", feature, near, vertex);
            }
        }
    }
    for set in &catalogue.points {
        for feature in set.features.iter().filter(|f| meant(f)) {
            if let Some(near) = feature.points.first().and_then(|p| near((p.0 - x, p.1 - y))) {
                add(set, "point", feature, near, 0);
            }
        }
    }
    for set in &catalogue.polygons {
        for feature in set.features.iter().filter(|f| meant(f)) {
            let rings = std::iter::once(&feature.points).chain(&feature.holes);
            if rings.filter(|ring| holds(ring, (x, y))).count() % 2 == 1 {
                add(set, "polygon", feature, Near::Here, 0);
            }
        }
    }
    found.sort_by_key(|f| f.near);
    found
}

/// The properties of a feature; of lists with a value for each point, the value at one of them.
fn properties_at(feature: &Feature, vertex: usize) -> Vec<(Name, Value)> {
    let value = |value: &Value| match value.as_array() {
        Some(list) if list.len() == feature.points.len() => list[vertex].clone(),
        _ => value.clone(),
    };
    feature.properties.iter().map(|(name, v)| (name.clone(), value(v))).collect()
}

/// The way from a place to the nearest point of a line, if it is at most `most` along both axes, and the nearest vertex.
fn nearest_of_line(points: &[(f64, f64)], (x, y): (f64, f64), most: f64) -> Option<((f64, f64), usize)> {
    let mut best: Option<(f64, (f64, f64), usize)> = None;
    for (k, ends) in points.windows(2).enumerate() {
        let ((ax, ay), (bx, by)) = ((ends[0].0 - x, ends[0].1 - y), (ends[1].0 - x, ends[1].1 - y));
        if ax.min(bx) > most || ay.min(by) > most || ax.max(bx) < -most || ay.max(by) < -most {
            continue;
        }
        let (dx, dy) = (bx - ax, by - ay);
        let length2 = dx * dx + dy * dy;
        let along = if length2 > 0.0 { (-(ax * dx + ay * dy) / length2).clamp(0.0, 1.0) } else { 0.0 };
        let offset = (ax + along * dx, ay + along * dy);
        let far = offset.0 * offset.0 + offset.1 * offset.1;
        if best.is_none_or(|(nearest, _, _)| far < nearest) {
            best = Some((far, offset, k + (along > 0.5) as usize));
        }
    }
    best.map(|(_, offset, vertex)| (offset, vertex))
}

/// Whether a ring goes around a place: an odd number of its sides crosses the ray to the east.
fn holds(ring: &[(f64, f64)], (x, y): (f64, f64)) -> bool {
    let crosses = |ends: &&[(f64, f64)]| {
        let ((ax, ay), (bx, by)) = (ends[0], ends[1]);
        (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)
    };
    ring.windows(2).filter(crosses).count() % 2 == 1
}

/// A number with at most `digits` significant digits, without zeros at its end.
fn digits(v: f64, digits: i32) -> String {
    if v == 0.0 || !v.is_finite() {
        return format!("{}", v + 0.0);
    }
    let (mut whole, mut size) = (0, v.abs());
    while size >= 1.0 {
        (size, whole) = (size / 10.0, whole + 1);
    }
    while size < 0.1 {
        (size, whole) = (size * 10.0, whole - 1);
    }
    let decimals = (digits - whole).clamp(0, 12) as usize;
    let text = format!("{v:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A number in a sentence: whole numbers in full, others with four significant digits.
pub fn say(v: f64) -> String {
    if v.fract() == 0.0 && v.abs() < 1e15 { format!("{}", v + 0.0) } else { digits(v, 4) }
}

/// A coordinate: with two decimals at most.
fn say_place(v: f64) -> String {
    let text = format!("{v:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Two numbers that are compared, with as many digits as it takes to tell them apart.
pub fn say_both(a: impl Into<f64>, b: impl Into<f64>) -> (String, String) {
    let (a, b) = (a.into(), b.into());
    let mut texts = (say(a), say(b));
    for n in 5..13 {
        if texts.0 != texts.1 || a == b {
            break;
        }
        texts = (digits(a, n), digits(b, n));
    }
    texts
}

/// "a", "a and b", "a, b and c".
pub fn list(words: &[impl AsRef<str>]) -> String {
    let mut out = String::new();
    for (i, word) in words.iter().enumerate() {
        let between = match i {
            0 => "",
            _ if i + 1 == words.len() => " and ",
            _ => ", ",
        };
        let _ = write!(out, "{between}{}", word.as_ref());
    }
    out
}

/// "no neighbour", "1 neighbour", "3 neighbours".
pub fn count(n: usize, one: &str, many: &str) -> String {
    match n {
        0 => format!("no {one}"),
        1 => format!("1 {one}"),
        _ => format!("{n} {many}"),
    }
}

/// The full word for a direction: "north-east".
pub fn direction_word(d: Dir8) -> &'static str {
    const WORDS: [&str; 8] =
        ["east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east"];
    WORDS.get(d.0 as usize).copied().unwrap_or("nowhere")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{LayerSpec, NO_YES};
    use weald_core::Frame;

    fn catalogue() -> Catalogue {
        let wet = Grid::from_fn(4, 3, |x, _| (x == 2) as u8);
        let spec = LayerSpec { kind: Kind::Classes(NO_YES), ..LayerSpec::measure("wet", "uint8", "", "") };
        let line = Feature::new(
            7,
            vec![(0.0, 15.0), (20.0, 15.0), (40.0, 15.0)],
            [("level", json!([3, 2, 1])), ("name", json!("Isar"))],
        );
        let mut square =
            Feature::new(1, vec![(0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (0.0, 30.0), (0.0, 0.0)], []);
        square.holes = vec![vec![(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0), (0.0, 0.0)]];
        Catalogue {
            layers: vec![Layer::new(spec, wet)],
            lines: vec![FeatureSet::new("rivers", "", vec![line])],
            points: vec![FeatureSet::new("towns", "", vec![Feature::new(2, vec![(35.0, 25.0)], [])])],
            polygons: vec![FeatureSet::new("lands", "", vec![square])],
            ..Catalogue::new("land", "m", Frame::new(4, 3, 10.0))
        }
    }

    #[test]
    fn features_are_here_beside_or_far_and_lists_are_read_at_the_nearest_point() {
        let told = Explanation::of(&catalogue(), (3, 1));
        let names: Vec<String> = told.features.iter().map(ToString::to_string).collect();
        assert_eq!(
            names,
            [
                "rivers 7 (line, here): level 1, name Isar",
                "lands 1 (polygon, here)",
                "towns 2 (point, beside)"
            ]
        );
        let corner = Explanation::of(&catalogue(), (0, 0));
        let names: Vec<String> = corner.features.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["rivers 7 (line, beside): level 3, name Isar"], "the hole is no part of the land");
    }

    #[test]
    fn a_missing_layer_leaves_its_reason_out_with_a_note_and_a_wrong_value_is_noted() {
        let catalogue = catalogue();
        let look = Look::new(&catalogue, (2, 0));
        let mut told = Explanation::of(&catalogue, (2, 0));
        told.because(&look, "height", |look| look.value("height").map(|_| Reason::default()));
        assert!(told.reasons.is_empty() && told.notes[0].contains("layers are missing: height"));
        told.because(&look, "water", |look| {
            look.value("wet").map(|_| Reason::new("water", "yes", "It is wet.", "").giving("wet", 1))
        });
        assert_eq!((told.reasons.len(), told.notes.len()), (1, 1));
        told.because(&look, "water", |_| Some(Reason::default().giving("wet", 0)));
        assert!(told.notes[1].contains("The layer wet holds 1, but its rule gives 0"), "{:?}", told.notes);
        assert_eq!(told.table(), "wet  yes\n");
        assert!(told.to_string().starts_with("land, column 2, row 0 (x 25 m, y 5 m)\nwater: It is wet.\n"));
    }

    #[test]
    fn numbers_that_are_compared_can_be_told_apart() {
        assert_eq!(say_both(0.45f32, 0.45), ("0.44999999".to_owned(), "0.45".to_owned()));
        assert_eq!(say_both(0.5, 0.5), ("0.5".to_owned(), "0.5".to_owned()));
        assert_eq!(
            (say(1234.5678), say(0.000123456), say(412.0)),
            ("1235".into(), "0.0001235".into(), "412".into())
        );
        assert_eq!((list(&["a", "b", "c"]), list(&["a"])), ("a, b and c".into(), "a".into()));
    }

    #[test]
    fn a_cell_outside_the_map_is_refused_with_the_range() {
        let explain = Explain::of_cells(|catalogue, cell| Ok(Explanation::of(catalogue, cell)));
        assert!(explain.at(&catalogue(), (3, 2)).is_ok());
        let message = explain.at(&catalogue(), (4, 0)).unwrap_err().to_string();
        assert!(
            message.contains("4,0: is no cell of this map of 4x3 cells; columns run from 0 to 3"),
            "{message}"
        );
        assert!((explain.locate)(&catalogue(), &[1.5, 0.0]).is_err());
        assert_eq!((explain.locate)(&catalogue(), &[1.0, 2.0]).unwrap(), (1, 2));
    }
}
