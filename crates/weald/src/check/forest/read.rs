//! Files of tiles: an envelope of `meta` and `tiles`, or a line of meta data and a line per tile.

use super::params::Settings;
use super::record::{Reader, Tile};
use super::tiles::Tiles;
use crate::check::{Report, RuleInfo, RuleResult};
use crate::error::{Error, Result};
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::fmt;
use std::io::Read;
use std::path::Path;

/// The rules about the form of a file of tiles.
pub(super) const RULES: [RuleInfo; 2] = [
    RuleInfo { name: "spec-version", about: "meta.specVersion is forest-terrain-v1" },
    RuleInfo { name: "tiles-row-major", about: "tiles stand row by row, none missing and none twice" },
];

const SPEC: &str = "forest-terrain-v1";

/// Reads a file of tiles and runs the rules about its form. None if the tiles do not make a whole grid.
pub(super) fn tiles(
    input: &mut dyn Read,
    path: &Path,
    report: &mut Report,
) -> Result<Option<(Tiles, Settings)>> {
    let mut e = read(input, path)?;
    let settings = read_meta(&e.meta, path, report)?;
    let whole = place_tiles(&mut e, report);
    report.rules.extend(e.rules);
    if !whole {
        report.notes.push("the tiles do not fill the grid, so no further rule was checked".into());
    }
    Ok(whole.then_some((e.tiles, settings)))
}

/// The meta data of a file of tiles.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Meta {
    spec_version: Option<String>,
    seed: Option<Value>,
    width: Option<usize>,
    height: Option<usize>,
    params: Option<Value>,
}

/// A file of tiles as it was read.
struct Envelope {
    meta: Meta,
    tiles: Tiles,
    places: Vec<(u32, u32)>,
    rules: [RuleResult; 2],
}

/// Reads the first value of the file: the whole envelope, or the line of the meta data alone.
struct First<'a> {
    reader: &'a mut Reader,
    meta: &'a mut Option<Meta>,
}

impl<'de> DeserializeSeed<'de> for First<'_> {
    /// Whether the tiles were part of it.
    type Value = bool;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<bool, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for First<'_> {
    type Value = bool;
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object with `meta` and `tiles`")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<bool, A::Error> {
        let mut tiles = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "meta" => *self.meta = Some(map.next_value()?),
                "tiles" if tiles => return Err(A::Error::duplicate_field("tiles")),
                "tiles" => {
                    map.next_value_seed(TileList(self.reader))?;
                    tiles = true;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if !tiles && self.meta.is_none() {
            return Err(A::Error::custom("there is neither `tiles` nor `meta` in the first object"));
        }
        Ok(tiles)
    }
}

/// The `tiles` list, read without keeping it.
struct TileList<'a>(&'a mut Reader);

impl<'de> DeserializeSeed<'de> for TileList<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for TileList<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of tiles")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        while let Some(tile) = seq.next_element()? {
            self.0.push(tile);
        }
        Ok(())
    }
}

/// Reads an envelope, or lines of which the first holds the meta data and each further one a tile.
fn read(input: &mut dyn Read, path: &Path) -> Result<Envelope> {
    let bad = |e: serde_json::Error| match e.io_error_kind() {
        Some(kind) => Error::io(path, kind.into()),
        None => Error::Invalid(format!(
            "{}: {e}; expected an object with `meta` and `tiles`, or a line of `meta` and a line per tile",
            path.display()
        )),
    };
    let mut reader = Reader::new();
    let mut meta = None;
    let mut json = serde_json::Deserializer::from_reader(input);
    let whole = First { reader: &mut reader, meta: &mut meta }.deserialize(&mut json).map_err(bad)?;
    if whole {
        json.end().map_err(bad)?;
    } else {
        while let Err(e) = json.end() {
            // Anything but the next line's first character is a real error.
            if e.is_io() {
                return Err(bad(e));
            }
            reader.push(Tile::deserialize(&mut json).map_err(bad)?);
        }
    }
    if reader.places.is_empty() {
        return Err(Error::Invalid(format!("{}: there are no tiles in it", path.display())));
    }
    reader.drop_unknown();
    Ok(Envelope {
        meta: meta.unwrap_or_default(),
        tiles: reader.tiles,
        places: reader.places,
        rules: [reader.wrong_id, reader.order],
    })
}

/// Checks that the tiles stand row by row and are complete, and puts them in order if that is all they lack.
/// False if the grid has holes.
fn place_tiles(e: &mut Envelope, report: &mut Report) -> bool {
    let mut rule = RULES[1].result();
    let largest = |of: fn(&(u32, u32)) -> u32| e.places.iter().map(of).max().map_or(0, |m| m as usize + 1);
    if e.meta.width.is_none() || e.meta.height.is_none() {
        report.notes.push("meta has no width and height: they were taken from the positions".into());
    }
    let w = e.meta.width.unwrap_or_else(|| largest(|p| p.0));
    let h = e.meta.height.unwrap_or_else(|| largest(|p| p.1));
    let count = e.places.len();
    rule.check(w.checked_mul(h) == Some(count), None, || {
        format!("{w}x{h} tiles are needed and {count} are there")
    });
    let complete = rule.violations == 0;
    let mut order = vec![usize::MAX; if complete { count } else { 0 }];
    let mut whole = complete;
    for (i, &(x, y)) in e.places.iter().enumerate() {
        let place = (x as usize, y as usize);
        let inside = place.0 < w && place.1 < h;
        let good = inside && place.1 * w + place.0 == i;
        rule.check(good, Some(place), || match i.checked_div(w) {
            Some(row) => format!("this is tile number {i}, where ({},{row}) belongs", i % w),
            None => format!("this is tile number {i} of a map without columns"),
        });
        if complete && inside && order[place.1 * w + place.0] == usize::MAX {
            order[place.1 * w + place.0] = i;
        } else {
            whole = false;
        }
    }
    if whole && rule.violations > 0 {
        e.tiles.reorder(&order);
    }
    report.rules.push(rule);
    (e.tiles.columns, e.tiles.rows) = (w, h);
    whole
}

/// Checks the meta data and gives what the map was made with.
fn read_meta(meta: &Meta, path: &Path, report: &mut Report) -> Result<Settings> {
    let mut rule = RULES[0].result();
    rule.check(meta.spec_version.as_deref() == Some(SPEC), None, || match &meta.spec_version {
        Some(v) => format!("it is {v}"),
        None => "there is none".into(),
    });
    report.rules.push(rule);
    let params = meta.params.as_ref().map(|p| (p, path));
    Settings::read(params, meta.seed.as_ref(), ["meta has no params", "meta has no seed"], report)
}
