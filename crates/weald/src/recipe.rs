//! Recipes: everything that is needed to make a map again.
//!
//! A recipe is put together from the world's defaults, a TOML file or a JSON parameter file, and the command line, in
//! that order, and remembers where each value came from.

use crate::error::{Error, Result};
use crate::params::{Leaf, ParamTree, range_text};
use crate::style::DrawOptions;
use crate::world::{MapInput, World};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
#[cfg(feature = "recipe")]
use toml::Spanned;
#[cfg(feature = "recipe")]
use toml::de::{DeTable, DeValue};

/// Version of the recipe format.
pub const VERSION: u64 = 1;

/// What to make.
#[derive(Clone)]
pub struct Recipe {
    /// The world.
    pub world: &'static dyn World,
    /// The seed.
    pub seed: u64,
    /// Columns and rows.
    pub size: (usize, usize),
    /// Authored maps by name.
    pub maps: BTreeMap<String, PathBuf>,
    /// Parameters.
    pub params: ParamTree,
    /// How the map is drawn. This does not change the world.
    pub draw: DrawOptions,
    /// Where seed, size and maps came from, if not from the defaults.
    origins: BTreeMap<String, String>,
}

/// What the comments of a written recipe say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// What each value means, its unit, range and default.
    Meaning,
    /// Where each value came from.
    Origin,
}

impl Recipe {
    /// Number of cells.
    pub fn cells(&self) -> u64 {
        (self.size.0 as u64).saturating_mul(self.size.1 as u64)
    }

    /// The defaults of a world.
    pub fn new(world: &'static dyn World) -> Self {
        Self {
            world,
            seed: world.info().default_seed,
            size: world.info().default_size,
            maps: BTreeMap::new(),
            params: world.params(),
            draw: DrawOptions::default(),
            origins: BTreeMap::new(),
        }
    }

    /// JSON schema of the recipe files of a world.
    pub fn schema(world: &dyn World) -> Value {
        let params = world.params();
        let map = |map: &MapInput| {
            let about = json!({"type": "string", "description": format!("File with a map: {}.", map.about)});
            (map.name.to_owned(), about)
        };
        let maps: Map<String, Value> = world.info().maps.iter().map(map).collect();
        let views: Vec<&str> = world.info().views.iter().map(|v| v.name).collect();
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": format!("Recipe for the world \"{}\"", world.info().name),
            "description": world.info().about,
            "type": "object",
            "additionalProperties": false,
            "required": ["kind"],
            "properties": {
                "kind": {"const": world.info().name},
                "version": {"const": VERSION},
                "seed": {"description": "Seed; as a string above 2^63 - 1.", "type": ["integer", "string"], "minimum": 0},
                "size": {
                    "description": "[width, height] in cells, or \"WxH\".",
                    "anyOf": [
                        {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2},
                        {"type": "string"},
                    ],
                },
                "width": {"type": "integer", "minimum": 1},
                "height": {"type": "integer", "minimum": 1},
                "draw": {
                    "description": "How the map is drawn; numbers are settings of the view.",
                    "type": "object",
                    "additionalProperties": {"type": "number"},
                    "properties": {"view": {"enum": views}, "px": {"type": "integer", "minimum": 64, "maximum": 8192}},
                },
                "maps": {"type": "object", "additionalProperties": false, "properties": maps},
                "params": params.schema(),
            },
        })
    }

    /// Sets the seed.
    pub fn set_seed(&mut self, seed: u64, source: &str) {
        self.seed = seed;
        self.origins.insert("seed".into(), source.into());
    }

    /// Sets the size.
    pub fn set_size(&mut self, size: (usize, usize), source: &str) {
        self.size = size;
        self.origins.insert("size".into(), source.into());
    }

    /// Uses an authored map.
    pub fn set_map(&mut self, name: &str, path: PathBuf, source: &str) {
        self.maps.insert(name.into(), path);
        self.origins.insert(format!("maps.{name}"), source.into());
    }

    /// The name under which the world knows a map, from that name or its alias.
    pub fn map_name(&self, name: &str) -> Result<&'static str> {
        let info = self.world.info();
        let found = info.maps.iter().find(|m| m.name == name || m.alias == name);
        found.map(|m| m.name).ok_or_else(|| {
            let names: Vec<String> = info.maps.iter().map(|m| format!("{} ({})", m.name, m.alias)).collect();
            let message = match names.as_slice() {
                [] => format!("the world {} takes no maps of your own", info.name),
                names => format!("the world {} has no map {name}; it takes {}", info.name, names.join(", ")),
            };
            Error::Invalid(message)
        })
    }

    /// Where the size came from; `None` for the default.
    pub fn size_origin(&self) -> Option<&str> {
        self.origins.get("size").map(String::as_str)
    }

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
                let message = format!("maps.{key}: must be one of {} and name a file", names.join(", "));
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

    /// Seed, size, width and height; anything else is unknown.
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
                "width" | "height" => {
                    let side = value
                        .as_u64()
                        .filter(|&n| n > 0)
                        .ok_or_else(|| bad("must be a whole number of at least 1"))?;
                    *(if key == "width" { &mut width } else { &mut height }) = Some(side as usize);
                }
                _ => {
                    let message =
                        format!("{key}: no such setting; use kind, version, seed, size, maps, draw, params");
                    return Err(Error::Invalid(format!("{}: {message}", place(&key))));
                }
            }
        }
        if width.is_some() || height.is_some() {
            let size = (width.unwrap_or(self.size.0), height.unwrap_or(self.size.1));
            let key = if width.is_some() { "width" } else { "height" };
            self.set_size(size, &place(key));
        }
        Ok(())
    }

    /// The recipe as a TOML file.
    pub fn to_toml(&self, comments: Comments) -> String {
        let mut out = String::new();
        let origin = |key: &str| self.origins.get(key).map_or("default", String::as_str);
        let note = |key: &str| match comments {
            Comments::Meaning => String::new(),
            Comments::Origin => format!("  # {}", origin(key)),
        };
        if comments == Comments::Meaning {
            let _ = writeln!(
                out,
                "# {}\n# weald generate {} --recipe THIS_FILE -o OUT\n",
                self.world.info().about,
                self.world.info().name
            );
        }
        // TOML's integers have 63 bits.
        let seed =
            if self.seed > i64::MAX as u64 { format!("\"{}\"", self.seed) } else { self.seed.to_string() };
        let _ = writeln!(out, "kind = \"{}\"\nversion = {VERSION}", self.world.info().name);
        let _ = writeln!(out, "seed = {seed}{}", note("seed"));
        let _ = writeln!(out, "size = [{}, {}]{}", self.size.0, self.size.1, note("size"));
        if !self.maps.is_empty() {
            let _ = writeln!(out, "\n[maps]");
            for (name, path) in &self.maps {
                let path = Value::from(path.display().to_string());
                let _ = writeln!(out, "{name} = {path}{}", note(&format!("maps.{name}")));
            }
        }
        if !self.draw.is_default() {
            let _ = writeln!(out, "\n[draw]");
            let view = self.draw.view.iter().map(|v| ("view", Value::from(v.as_str())));
            let px = self.draw.px.iter().map(|px| ("px", Value::from(*px)));
            let settings = self.draw.settings.iter().map(|(name, v)| (name.as_str(), Value::from(*v)));
            for (name, value) in view.chain(px).chain(settings) {
                let _ = writeln!(out, "{name} = {value}");
            }
        }
        // A TOML table may be opened only once, so the leaves of a group are brought together.
        let mut groups: Vec<(String, Vec<Leaf>)> = Vec::new();
        for leaf in self.params.leaves() {
            let head = leaf.path.rsplit_once('.').map_or("", |(head, _)| head).to_owned();
            match groups.iter_mut().find(|g| g.0 == head) {
                Some(group) => group.1.push(leaf),
                None => groups.push((head, vec![leaf])),
            }
        }
        for (group, leaves) in groups {
            let _ = if group.is_empty() {
                writeln!(out, "\n[params]")
            } else {
                writeln!(out, "\n[params.{group}]")
            };
            leaves.iter().for_each(|leaf| self.write_leaf(&mut out, leaf, comments));
        }
        out
    }

    fn write_leaf(&self, out: &mut String, leaf: &Leaf, comments: Comments) {
        let name = leaf.path.rsplit('.').next().unwrap_or(&leaf.path);
        let value = self.params.value(&leaf.path).cloned().unwrap_or_default();
        let _ = match comments {
            Comments::Meaning => {
                writeln!(out, "# {}\n{name} = {value}", meaning(&leaf.schema, &leaf.default))
            }
            Comments::Origin => {
                let from = self.params.origin(&leaf.path).map_or("default", |o| o.source.as_str());
                writeln!(out, "{name} = {value}  # {from}")
            }
        };
    }
}

/// "Slope from which … [height per tile; between 0 and 2; default 0.01]"
fn meaning(schema: &Value, default: &Value) -> String {
    let about = schema["description"].as_str().unwrap_or("").replace('\n', " ");
    let mut facts: Vec<String> = schema["x-unit"].as_str().map(str::to_owned).into_iter().collect();
    if let Some(names) = schema["enum"].as_array() {
        let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
        facts.push(format!("one of {}", names.join(", ")));
    }
    facts.extend(range_text(schema));
    facts.push(format!("default {default}"));
    format!("{about} [{}]", facts.join("; "))
}

/// A decimal up to 2⁶⁴ − 1.
pub fn parse_seed(text: &str) -> std::result::Result<u64, String> {
    text.parse().map_err(|_| "must be a whole number between 0 and 18446744073709551615".to_owned())
}

/// `256x128`, or `256` for a square.
pub fn parse_size(text: &str) -> std::result::Result<(usize, usize), String> {
    let side = |s: &str| s.trim().parse::<usize>().ok().filter(|&n| n > 0);
    let sides = match text.split_once(['x', 'X', '×']) {
        Some((w, h)) => side(w).zip(side(h)),
        None => side(text).map(|n| (n, n)),
    };
    sides.ok_or_else(|| {
        "must be WIDTHxHEIGHT, such as 800x600, or one number for a square, such as 4096; each at least 1"
            .to_owned()
    })
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

#[cfg(test)]
mod tests {
    use super::parse_size;

    #[test]
    fn a_size_is_two_sides_or_the_side_of_a_square() {
        assert_eq!(parse_size("800x600"), Ok((800, 600)));
        assert_eq!(parse_size(" 8 X 6 "), Ok((8, 6)));
        assert_eq!(parse_size("4096"), Ok((4096, 4096)));
        for text in ["", "0", "0x5", "5x0", "-4", "4.5", "x", "4x", "4x5x6", "big"] {
            let error = parse_size(text).unwrap_err();
            assert!(error.contains("one number for a square"), "{text}: {error}");
        }
    }
}
