//! Recipe files and parameter files, taken over value by value with their origins.

#[cfg(feature = "recipe")]
use super::VERSION;
use super::{Crop, Recipe, parse_seed, parse_size};
use crate::error::{Error, Result};
use crate::georeference::GeoReference;
use crate::reading::{FillNodata, ReadOptions};
use crate::world::MapValues;
use serde_json::{Map, Value};
#[cfg(feature = "recipe")]
use std::collections::BTreeMap;
use std::path::Path;
#[cfg(feature = "recipe")]
use toml::Spanned;
#[cfg(feature = "recipe")]
use toml::de::{DeTable, DeValue};

impl Recipe {
    /// Merges a recipe file.
    #[cfg(feature = "recipe")]
    pub fn merge_toml(&mut self, text: &str, file: &Path) -> Result<()> {
        let name = file.display().to_string();
        let place = |offset: usize| {
            let before = &text[..offset.min(text.len())];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
            format!("{name}:{line}:{column}")
        };
        let table = DeTable::parse(text).map_err(|e| {
            Error::Invalid(format!("{}: {}", place(e.span().map_or(0, |s| s.start)), e.message()))
        })?;
        let mut offsets = BTreeMap::new();
        let Value::Object(mut root) = plain(table.get_ref(), &mut Vec::new(), &mut offsets) else {
            return Err(Error::Internal("a TOML table became no object".into()));
        };
        let at = |path: &[String]| offsets.get(path).map(|&o| place(o));
        let params = root.shift_remove("params");
        let version = root.shift_remove("version");
        self.check_kind(root.shift_remove("kind"), true, &|key| {
            at(&[key.into()]).unwrap_or_else(|| name.clone())
        })?;
        if version.as_ref().is_some_and(|v| v.as_u64() != Some(VERSION)) {
            let message =
                format!("version = {}: this program reads version {VERSION}", version.unwrap_or_default());
            return Err(Error::Invalid(format!("{}: {message}", at(&["version".into()]).unwrap_or(name))));
        }
        if let Some(draw) = root.shift_remove("draw") {
            self.merge_draw(&draw, &|key| at(&["draw".into(), key.into()]).unwrap_or_else(|| name.clone()))?;
        }
        if let Some(maps) = root.shift_remove("maps") {
            self.merge_maps(&maps, file, &at)?;
        }
        self.merge_root(root, &|key| at(&[key.into()]).unwrap_or_else(|| name.clone()))?;
        match params {
            None => {}
            Some(Value::Object(params)) => {
                let below = |path: &[String]| {
                    let full: Vec<String> =
                        std::iter::once("params".to_owned()).chain(path.iter().cloned()).collect();
                    at(&full)
                };
                self.params.merge(&params, &name, &below);
            }
            Some(_) => {
                return Err(Error::Invalid(format!("{name}: params must be a table, such as [params.grid]")));
            }
        }
        Ok(())
    }

    /// Merges a JSON file: the parameter object, alone or as `params` beside `seed`, `width` and `height`.
    pub fn merge_json(&mut self, text: &str, file: &Path) -> Result<()> {
        let name = file.display().to_string();
        let root: Value = serde_json::from_str(text).map_err(|e| Error::Invalid(format!("{name}: {e}")))?;
        let Value::Object(mut root) = root else {
            return Err(Error::Invalid(format!("{name}: must hold a JSON object with parameters")));
        };
        let mut head = Map::new();
        for key in ["seed", "width", "height", "size"] {
            if let Some(value) = root.shift_remove(key) {
                head.insert(key.into(), value);
            }
        }
        self.check_kind(root.shift_remove("kind"), false, &|_| name.clone())?;
        if let Some(inner) = root.shift_remove("params") {
            let Value::Object(inner) = inner else {
                return Err(Error::Invalid(format!("{name}: params must be an object")));
            };
            if let Some(key) = root.keys().next() {
                let message =
                    format!("{key}: is outside params; put all parameters either inside or outside of it");
                return Err(Error::Invalid(format!("{name}: {message}")));
            }
            root = inner;
        }
        self.merge_root(head, &|_| name.clone())?;
        self.params.merge(&root, &name, &|_| None);
        Ok(())
    }

    fn check_kind(&self, kind: Option<Value>, needed: bool, place: &dyn Fn(&str) -> String) -> Result<()> {
        match kind {
            Some(Value::String(kind)) if kind == self.world.info().name => Ok(()),
            None if !needed => Ok(()),
            Some(kind) => Err(Error::Invalid(format!(
                "{}: kind = {kind}: this is a recipe for another world, not for \"{}\"",
                place("kind"),
                self.world.info().name
            ))),
            None => Err(Error::Invalid(format!(
                "{}: kind is missing; write kind = \"{}\"",
                place(""),
                self.world.info().name
            ))),
        }
    }

    #[cfg(feature = "recipe")]
    fn merge_maps(
        &mut self,
        maps: &Value,
        file: &Path,
        at: &dyn Fn(&[String]) -> Option<String>,
    ) -> Result<()> {
        let known = self.world.info().maps;
        if !maps.is_object() {
            let place = at(&["maps".into()]).unwrap_or_default();
            return Err(Error::Invalid(format!("{place}: maps = {maps}: must be a table, such as [maps]")));
        }
        for (key, value) in maps.as_object().into_iter().flatten() {
            let place = at(&["maps".into(), key.clone()]).unwrap_or_default();
            let map = known.iter().find(|m| m.name == key || m.alias == key);
            let (Some(map), Some(path)) = (map, value.as_str()) else {
                let names: Vec<&str> = known.iter().map(|m| m.name).collect();
                let message = match names.is_empty() {
                    true => format!("maps.{key}: this world takes no maps of your own; remove it"),
                    false => format!("maps.{key}: must be one of {} and name a file", names.join(", ")),
                };
                return Err(Error::Invalid(format!("{place}: {message}")));
            };
            // A relative path is relative to the recipe.
            let path = file.parent().unwrap_or(Path::new("")).join(path);
            self.set_map(map.name, path, &place);
        }
        Ok(())
    }

    /// The view, the pixels, and the settings of the view.
    #[cfg(feature = "recipe")]
    fn merge_draw(&mut self, draw: &Value, place: &dyn Fn(&str) -> String) -> Result<()> {
        let Value::Object(draw) = draw else {
            return Err(Error::Invalid(format!("{}: draw must be a table, such as [draw]", place(""))));
        };
        for (key, value) in draw {
            let bad = |must: &str| Error::Invalid(format!("{}: draw.{key} = {value}: {must}", place(key)));
            match key.as_str() {
                "view" => {
                    let view = value.as_str().ok_or_else(|| bad("must be the name of a view"))?;
                    self.draw.view = Some(view.to_owned());
                }
                "px" => {
                    let px = value.as_u64().ok_or_else(|| bad("must be a whole number"))?;
                    self.draw.px = Some(px as usize);
                }
                _ => {
                    let number = value.as_f64().ok_or_else(|| bad("must be a number"))?;
                    self.draw.settings.insert(key.clone(), number);
                }
            }
        }
        let view = self.draw.choose(self.world.info().views)?;
        self.draw.settings(view).map(drop)
    }

    /// Seed, size, width, height, crop and resample; anything else is unknown.
    fn merge_root(&mut self, root: Map<String, Value>, place: &dyn Fn(&str) -> String) -> Result<()> {
        let (mut width, mut height) = (None, None);
        for (key, value) in root {
            let bad = |must: &str| Error::Invalid(format!("{}: {key} = {value}: {must}", place(&key)));
            match key.as_str() {
                "seed" => {
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    let seed = parse_seed(&text).map_err(|must| bad(&must))?;
                    self.set_seed(seed, &place("seed"));
                }
                "size" => {
                    let size = match &value {
                        Value::String(text) => parse_size(text).map_err(|must| bad(&must))?,
                        Value::Array(sides) => {
                            match sides.iter().map(Value::as_u64).collect::<Option<Vec<_>>>().as_deref() {
                                Some(&[w, h]) if w > 0 && h > 0 => (w as usize, h as usize),
                                _ => return Err(bad("must be [width, height], both at least 1")),
                            }
                        }
                        _ => return Err(bad("must be [width, height] or \"WxH\"")),
                    };
                    self.set_size(size, &place("size"));
                }
                "crop" => {
                    let numbers =
                        value.as_array().map(|a| a.iter().map(Value::as_u64).collect::<Option<Vec<_>>>());
                    let crop = numbers.flatten().and_then(|numbers| Crop::of(&numbers));
                    let must =
                        "must be [column, row, width, height] in cells of the map, both sides at least 1";
                    self.set_crop(crop.ok_or_else(|| bad(must))?, &place("crop"));
                }
                "georeference" => {
                    let must =
                        "must be a table with unit, west, north and step, as in a folder's recipe.toml";
                    let place = GeoReference::from_json(&value).ok_or_else(|| bad(must))?;
                    self.georeference = Some(place);
                }
                "heights_m" => {
                    let maps = self.world.info().maps;
                    if !maps.iter().any(|m| matches!(m.values, MapValues::ScaledHeights)) {
                        return Err(bad("is for worlds whose heights run from 0 to 1; leave it out"));
                    }
                    let numbers =
                        value.as_array().map(|a| a.iter().map(Value::as_f64).collect::<Option<Vec<_>>>());
                    match numbers.flatten().as_deref() {
                        Some(&[low, high]) if low < high => self.heights_m = Some((low, high)),
                        _ => {
                            return Err(bad(
                                "must be [lowest, highest] in metres, the second above the first",
                            ));
                        }
                    }
                }
                "in_metres" => {
                    let takes = |m: &crate::world::MapInput| matches!(m.values, MapValues::Heights(_));
                    if !self.world.info().maps.iter().any(takes) {
                        return Err(bad("is for worlds that take heights in metres; leave it out"));
                    }
                    self.in_metres = value.as_bool().ok_or_else(|| bad("must be true or false"))?;
                }
                "raw_size" | "nodata" | "fill_nodata" | "sea_level" => {
                    let reading = self.merge_reading(&key, &value).map_err(|must| bad(&must))?;
                    self.set_reading(reading, &place(&key));
                }
                "resample" => {
                    let resample = value.as_bool().ok_or_else(|| bad("must be true or false"))?;
                    self.set_resample(resample, &place("resample"));
                }
                "width" | "height" => {
                    let side = value
                        .as_u64()
                        .filter(|&n| n > 0)
                        .ok_or_else(|| bad("must be a whole number of at least 1"))?;
                    *(if key == "width" { &mut width } else { &mut height }) = Some(side as usize);
                }
                _ => {
                    let message = format!(
                        "{key}: no such setting; use kind, version, seed, size, crop, resample, raw_size, nodata, fill_nodata, sea_level, \
                         heights_m, in_metres, georeference, maps, draw, params"
                    );
                    return Err(Error::Invalid(format!("{}: {message}", place(&key))));
                }
            }
        }
        if width.is_some() || height.is_some() {
            let key = if width.is_some() { "width" } else { "height" };
            self.set_sides([width, height], &place(key));
        }
        Ok(())
    }

    /// How map files are read, with one value changed.
    fn merge_reading(&self, key: &str, value: &Value) -> std::result::Result<ReadOptions, String> {
        let number = || value.as_f64().map(|v| v as f32).ok_or("must be a number");
        let mut reading = self.reading;
        match key {
            "raw_size" => {
                let sides = value.as_array().map(|a| a.iter().map(Value::as_u64).collect::<Option<Vec<_>>>());
                reading.raw_size = match sides.flatten().as_deref() {
                    Some(&[w, h]) if w > 0 && h > 0 => Some((w as usize, h as usize)),
                    _ => return Err("must be [width, height], both at least 1".into()),
                };
            }
            "nodata" => reading.nodata = Some(number()?),
            "sea_level" => reading.sea_level = Some(number()?),
            _ => {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                reading.fill = FillNodata::parse(&text)?;
            }
        }
        Ok(reading)
    }
}

/// A TOML value as JSON, noting where each one stands.
#[cfg(feature = "recipe")]
fn plain(table: &DeTable, path: &mut Vec<String>, offsets: &mut BTreeMap<Vec<String>, usize>) -> Value {
    let mut out = Map::new();
    for (key, value) in table {
        path.push(key.get_ref().to_string());
        offsets.insert(path.clone(), key.span().start);
        out.insert(key.get_ref().to_string(), plain_value(value, path, offsets));
        path.pop();
    }
    Value::Object(out)
}

#[cfg(feature = "recipe")]
fn plain_value(
    value: &Spanned<DeValue>,
    path: &mut Vec<String>,
    offsets: &mut BTreeMap<Vec<String>, usize>,
) -> Value {
    match value.get_ref() {
        DeValue::Table(inner) => plain(inner, path, offsets),
        DeValue::Array(items) => Value::Array(items.iter().map(|v| plain_value(v, path, offsets)).collect()),
        DeValue::Integer(i) => {
            let digits = i.as_str();
            let number = i64::from_str_radix(digits, i.radix()).map(Value::from);
            number
                .or_else(|_| u64::from_str_radix(digits, i.radix()).map(Value::from))
                .unwrap_or_else(|_| digits.into())
        }
        // What is not a finite number stays text, and is refused where a number is needed.
        DeValue::Float(f) => match f.as_str().parse::<f64>() {
            Ok(v) if v.is_finite() => Value::from(v),
            _ => f.as_str().into(),
        },
        DeValue::Boolean(b) => Value::from(*b),
        DeValue::String(s) => Value::from(s.to_string()),
        DeValue::Datetime(d) => Value::from(d.to_string()),
    }
}
