//! Recipes: everything that is needed to make a map again.
//!
//! A recipe is put together from the world's defaults, a TOML file or a JSON parameter file, and the command line, in
//! that order, and remembers where each value came from.

mod merge;

use crate::error::{Error, Result};
use crate::georeference::GeoReference;
use crate::params::{Leaf, ParamTree, range_text};
pub use crate::reading::Crop;
use crate::reading::{FillNodata, ReadOptions};
use crate::style::DrawOptions;
use crate::world::{MapExtent, MapInput, MapValues, World};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

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
    /// The part of the maps that is used.
    pub crop: Option<Crop>,
    /// Whether maps of another size than the world are resampled. Otherwise they are refused.
    pub resample: bool,
    /// How the files of the maps are read.
    pub reading: ReadOptions,
    /// Where the map lies on the Earth, if that is known.
    pub georeference: Option<GeoReference>,
    /// Metres above the sea that became the heights 0 and 1, in a world whose heights run from 0 to 1.
    pub heights_m: Option<(f64, f64)>,
    /// Whether the heights of the map are metres above the sea although they lie between 0 and 1, as grey values do.
    pub in_metres: bool,
    /// Parameters.
    pub params: ParamTree,
    /// How the map is drawn. This does not change the world.
    pub draw: DrawOptions,
    /// Where the maps came from that are no longer as they were given, in words.
    pub(crate) map_sources: BTreeMap<String, String>,
    /// Where seed, size and maps came from, if not from the defaults.
    origins: BTreeMap<String, String>,
    /// Width and height as far as a user wrote them down. What nobody wrote is taken from the maps, if there are any.
    written: [Option<usize>; 2],
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
    /// The defaults of a world.
    pub fn new(world: &'static dyn World) -> Self {
        Self {
            world,
            seed: world.info().default_seed,
            size: world.info().default_size,
            maps: BTreeMap::new(),
            crop: None,
            resample: false,
            reading: ReadOptions::default(),
            georeference: None,
            heights_m: None,
            in_metres: false,
            params: world.params(),
            draw: DrawOptions::default(),
            map_sources: BTreeMap::new(),
            origins: BTreeMap::new(),
            written: [None; 2],
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
                "crop": {
                    "description": "The part of the maps that is used: [column, row, width, height] in their cells.",
                    "type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 4, "maxItems": 4,
                },
                "resample": {
                    "description": "Whether maps of another size are resampled to that of the world; otherwise they are refused.",
                    "type": "boolean",
                },
                "raw_size": {
                    "description": "Width and height of a map in a .r16 or .raw file: [width, height] in cells.",
                    "type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2,
                },
                "nodata": {"description": "Cells of the maps with this value have no data.", "type": "number"},
                "fill_nodata": {
                    "description": "What cells without data become: \"sea\", a height, or \"error\".",
                    "type": ["string", "number"],
                },
                "sea_level": {"description": "Height of the sea in the maps, in their unit.", "type": "number"},
                "heights_m": {
                    "description": "Metres above the sea at the heights 0 and 1 of the maps, for exports in metres: [lowest, highest].",
                    "type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2,
                },
                "in_metres": {
                    "description": "Whether the heights of the map are metres above the sea although they lie between 0 and 1.",
                    "type": "boolean",
                },
                "georeference": {
                    "description": "Where the map lies on the Earth, for files that can say it.",
                    "type": "object",
                    "required": ["unit", "west", "north", "step"],
                    "additionalProperties": false,
                    "properties": {
                        "epsg": {"type": "integer", "description": "EPSG code of the coordinate reference system."},
                        "unit": {"enum": ["metre", "foot", "US survey foot", "degree"]},
                        "west": {"type": "number"},
                        "north": {"type": "number"},
                        "step": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
                    },
                },
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
    pub fn set_size(&mut self, (width, height): (usize, usize), source: &str) {
        self.set_sides([Some(width), Some(height)], source);
    }

    /// Sets width, height or both; the other one stays.
    pub fn set_sides(&mut self, [width, height]: [Option<usize>; 2], source: &str) {
        self.size = (width.unwrap_or(self.size.0), height.unwrap_or(self.size.1));
        self.written = [width.or(self.written[0]), height.or(self.written[1])];
        self.origins.insert("size".into(), source.into());
    }

    /// Uses only a part of the maps.
    pub fn set_crop(&mut self, crop: Crop, source: &str) {
        self.crop = Some(crop);
        self.origins.insert("crop".into(), source.into());
    }

    /// Resamples the maps to the size of the world, or refuses those of another size.
    pub fn set_resample(&mut self, resample: bool, source: &str) {
        self.resample = resample;
        self.origins.insert("resample".into(), source.into());
    }

    /// Makes the size so far a default: a map may replace it.
    #[cfg(feature = "recipe")]
    pub(crate) fn size_as_default(&mut self) {
        self.written = [None; 2];
    }

    /// Takes the sides that nobody wrote down from a map of that size. Of a map that is resampled, the other side keeps its
    /// proportions.
    pub(crate) fn take_size_of_map(&mut self, (width, height): (usize, usize)) {
        if let [Some(_), Some(_)] = self.written {
            return;
        }
        let source = match (self.written, self.origins.get("size")) {
            ([None, None], _) | (_, None) => "size of the map".to_owned(),
            (_, Some(origin)) => format!("{origin}, size of the map"),
        };
        let written = self.written;
        let along = |side: usize, of: usize, by: usize| ((side * of + by / 2) / by).max(1);
        let (width, height) = match written {
            [Some(w), None] if self.resample => (w, along(w, height, width)),
            [None, Some(h)] if self.resample => (along(h, width, height), h),
            _ => (width, height),
        };
        self.set_sides([written[0].or(Some(width)), written[1].or(Some(height))], &source);
    }

    /// Sets how the files of the maps are read.
    pub fn set_reading(&mut self, reading: ReadOptions, source: &str) {
        self.reading = reading;
        self.origins.insert("reading".into(), source.into());
    }

    /// Sets the parameter of the world that says how large the map is, if nobody has set it: from the side of a cell of the map as it
    /// was read, of which a map that is resampled has fewer or more. Without a known cell, a map that is resampled covers as
    /// much land as it would in its own size. Returns whether it changed.
    pub(crate) fn keep_extent(&mut self, map_width: usize, cell_m: Option<f64>, source: &str) -> bool {
        let Some(MapValues::Heights(terms)) = self.world.info().maps.first().map(|m| m.values) else {
            return false;
        };
        let width_m = |cell_m: f64| cell_m * map_width as f64;
        match terms.extent {
            MapExtent::Cell(path) if self.params.origin(path).is_none() => {
                let own = self.params.value(path).and_then(Value::as_f64);
                let resampled = self.resample && map_width != self.size.0;
                let Some(cell) = cell_m.or(own.filter(|_| resampled)) else { return false };
                let cell = if resampled { width_m(cell) / self.size.0 as f64 } else { cell };
                let source = if cell_m.is_some() { source } else { "the resampled map" };
                self.params.set(path, cell.into(), source);
                true
            }
            MapExtent::Width(path) if self.params.origin(path).is_none() && cell_m.is_some() => {
                self.params.set(path, width_m(cell_m.unwrap_or(1.0)).into(), source);
                true
            }
            _ => false,
        }
    }

    /// Fails if a map is given without the one that the world takes first, which decides its size; if there is nothing to crop or
    /// to resample; or if the world takes maps only as they are.
    pub fn validate_maps(&self) -> Result<()> {
        let info = self.world.info();
        for (key, given) in [("crop", self.crop.is_some()), ("resample", self.resample)] {
            if given && self.maps.is_empty() {
                let message = format!("{key} changes maps of your own, and none is given; leave {key} out");
                return Err(Error::Invalid(message));
            }
        }
        if self.resample && !self.world.resamples_maps() {
            let message = "takes maps only in their own size; leave resample out, and the size too";
            return Err(Error::Invalid(format!("resample: the world {} {message}", info.name)));
        }
        let Some((first, rest)) = info.maps.split_first() else { return Ok(()) };
        match rest.iter().find(|m| self.maps.contains_key(m.name)) {
            Some(map) if !self.maps.contains_key(first.name) => Err(Error::Invalid(format!(
                "the map {} needs the map {} too; use `weald derive {} --map {}=FILE --map {}=FILE`, or write maps.{} in \
                 the recipe, or leave {} out",
                map.alias, first.alias, info.name, first.alias, map.alias, first.name, map.alias
            ))),
            _ => Ok(()),
        }
    }

    /// Uses an authored map. Parameters that nobody has set get their defaults for such maps. What the recipe says of the place and the heights
    /// of the map that the world takes first was about another one.
    pub fn set_map(&mut self, name: &str, path: PathBuf, source: &str) {
        if self.world.info().maps.first().is_some_and(|first| first.name == name) {
            (self.georeference, self.heights_m, self.in_metres) = (None, None, false);
        }
        self.maps.insert(name.into(), path);
        for &(path, value) in self.world.defaults_for_maps() {
            if self.params.origin(path).is_none() {
                self.params.set(path, value.into(), "the default for a given map");
            }
        }
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
        if let Some(crop) = self.crop {
            let _ = writeln!(out, "crop = {:?}{}", crop.numbers(), note("crop"));
        }
        if self.resample {
            let _ = writeln!(out, "resample = true{}", note("resample"));
        }
        let ReadOptions { raw_size, nodata, fill, sea_level, .. } = self.reading;
        let fill = (fill != FillNodata::Refuse).then(|| match fill {
            FillNodata::Height(height) => toml_number(height),
            other => format!("\"{other}\""),
        });
        let reading = [
            ("raw_size", raw_size.map(|(w, h)| format!("[{w}, {h}]"))),
            ("nodata", nodata.map(toml_number)),
            ("fill_nodata", fill),
            ("sea_level", sea_level.map(toml_number)),
        ];
        for (key, value) in reading.into_iter().filter_map(|(key, value)| Some((key, value?))) {
            let _ = writeln!(out, "{key} = {value}{}", note("reading"));
        }
        if let Some((low, high)) = self.heights_m {
            let _ = writeln!(out, "heights_m = [{low:?}, {high:?}]");
        }
        if self.in_metres {
            let _ = writeln!(out, "in_metres = true");
        }
        if let Some(GeoReference { epsg, unit, west, north, step }) = self.georeference {
            let epsg = epsg.map_or(String::new(), |code| format!("epsg = {code}\n"));
            let unit = unit.name();
            let _ = writeln!(
                out,
                "\n[georeference]\n{epsg}unit = \"{unit}\"\nwest = {west:?}\nnorth = {north:?}\nstep = [{:?}, {:?}]",
                step.0, step.1
            );
        }
        if !self.maps.is_empty() {
            let _ = writeln!(out, "\n[maps]");
            for (name, path) in &self.maps {
                let path = Value::from(path.display().to_string());
                let note = match (comments, self.map_sources.get(name)) {
                    (Comments::Meaning, Some(source)) => format!("  # {source}"),
                    _ => note(&format!("maps.{name}")),
                };
                let _ = writeln!(out, "{name} = {path}{note}");
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

/// A number as TOML reads it: long ones with an exponent, as whole numbers have 63 bits.
fn toml_number(v: f32) -> String {
    match v.abs() {
        // JSON has no infinity, but numbers that become infinite as float32.
        f32::INFINITY => format!("{:e}", f64::MAX.copysign(v.into())),
        ..1e15 => v.to_string(),
        _ => format!("{v:e}"),
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
