//! Maps as text: grids of ESRI (`.asc`) and JSON.

use super::beside::Beside;
use super::wkt::System;
use super::{Decoded, Kind, Numbers, are_shares, too_large};
use crate::error::{Error, Result, not_json};
use crate::georeference::{CrsUnit, GeoReference};
use serde_json::Value;
use weald_core::Grid;

/// Reads an ASCII grid: lines such as `ncols 4`, then the heights row after row from the north. What it does
/// not say is that of the files `beside` it.
pub(super) fn ascii_grid(bytes: &[u8], beside: &Beside) -> Result<Decoded> {
    let bad = |what: String| {
        Error::Invalid(format!(
            "this ASCII grid cannot be read: {what}; write it again, for example with gdal_translate -of AAIGrid"
        ))
    };
    let text = std::str::from_utf8(bytes).map_err(|_| bad("it is not text".into()))?;
    let mut header: Vec<(String, f64)> = Vec::new();
    let (mut words, mut line) = ("", 1);
    let mut rest = text.trim_start_matches('\u{feff}');
    while !rest.is_empty() {
        let (first, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let mut parts = first.split_whitespace();
        let Some(name) = parts.next() else {
            (rest, line) = (after, line + 1);
            continue;
        };
        // Names of numbers are numbers.
        if !name.starts_with(char::is_alphabetic) || name.parse::<f64>().is_ok() {
            words = rest;
            break;
        }
        let nodata = name.eq_ignore_ascii_case("nodata_value");
        let value = parts.next().and_then(|v| v.replace(',', ".").parse::<f64>().ok());
        let value = value.filter(|v| v.is_finite() || nodata);
        let value = value.ok_or_else(|| bad(format!("line {line} is {first:?}, not a name and a number")))?;
        header.push((name.to_ascii_lowercase(), value));
        (rest, line) = (after, line + 1);
    }
    let number = |name: &str| header.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
    let side = |name: &str| {
        let n = number(name).filter(|n| n.fract() == 0.0 && (1.0..=1e9).contains(n)).map(|n| n as usize);
        n.ok_or_else(|| bad(format!("it has no {name}, a whole number of at least 1")))
    };
    let (width, height) = (side("ncols")?, side("nrows")?);
    too_large((width as u64, height as u64), 4)?;
    // A cell takes two characters at least.
    if (width as u64 * height as u64) > words.len() as u64 / 2 + 1 {
        return Err(bad(format!("it ends before its {width}x{height} heights")));
    }
    let pam = &beside.pam;
    let own_nodata = number("nodata_value");
    let nodata = own_nodata.or(pam.nodata);
    let mut cells = Vec::with_capacity(width * height);
    let mut words = words.split_ascii_whitespace();
    for word in words.by_ref().take(width * height) {
        let v = word.parse::<f64>().or_else(|_| word.replace(',', ".").parse::<f64>()).map_err(|_| {
            let (x, y) = (cells.len() % width, cells.len() / width);
            bad(format!("x={x}, y={y} is {:?}, not a number", word.chars().take(40).collect::<String>()))
        })?;
        cells.push(if nodata == Some(v) { f32::NAN } else { v as f32 });
    }
    if words.next().is_some() {
        return Err(bad(format!("it has more than {width}x{height} heights")));
    }
    if cells.len() < width * height {
        return Err(bad(format!("it has {} heights of {width}x{height}", cells.len())));
    }
    let system = match pam.system()? {
        None => beside.system_of_prj()?,
        found => found,
    };
    let place = corner(&number, (width, height), system).map_err(bad)?;
    let kind = Kind { format: "ASCII grid", cells: "numbers".into(), packing: String::new() };
    let mut map = Grid::from_vec(width, height, cells);
    // Fractions from 0 to 1 can be heights in metres or shares of anything.
    let fractions = are_shares(&map) && map.cells().iter().any(|v| v.fract() > 0.0);
    let says_metres = system.is_some() || pam.unit_m.is_some();
    let numbers = if fractions && !says_metres { Numbers::Plain } else { Numbers::Metres };
    let nodata_beside = own_nodata.is_none() && pam.nodata.is_some();
    let mut notes =
        Vec::from_iter(pam.note(&[(nodata_beside, "nodata"), (pam.scales(), "scale of heights")]));
    pam.heights(system).apply(&mut map, &mut notes);
    Ok(Decoded { map, white: 1.0, kind, numbers, place, notes })
}

/// Where an ASCII grid lies, if it says so.
fn corner(
    number: &dyn Fn(&str) -> Option<f64>,
    (columns, rows): (usize, usize),
    system: Option<System>,
) -> std::result::Result<Option<GeoReference>, String> {
    let size = number("cellsize");
    let (Some(dx), Some(dy)) = (number("dx").or(size), number("dy").or(size)) else { return Ok(None) };
    let positive = |v: f64| v.is_finite() && v > 0.0;
    if !positive(dx) || !positive(dy) {
        return Err(format!("its cell size is {dx}, not a number above 0"));
    }
    let at = |corner: &str, centre: &str, step: f64| {
        number(corner).or_else(|| number(centre).map(|v| v - step / 2.0)).unwrap_or(0.0)
    };
    let (west, south) = (at("xllcorner", "xllcenter", dx), at("yllcorner", "yllcenter", dy));
    let north = south + rows as f64 * dy;
    let mut place = GeoReference { epsg: None, unit: CrsUnit::Metre, west, north, step: (dx, dy) };
    place.unit = system.map_or_else(|| place.likely_unit((columns, rows)), |system| system.unit);
    place.epsg = system.and_then(|system| system.epsg);
    Ok(Some(place))
}

/// Reads `{"width", "height", "data"}`.
pub(super) fn json(bytes: &[u8]) -> Result<Decoded> {
    let bad = |what: String| {
        let example = r#"{"width": 2, "height": 1, "data": [0, 812.5]}"#;
        Error::Invalid(format!("this map in JSON cannot be read: {what}; write it such as {example}"))
    };
    let value: Value = serde_json::from_slice(bytes).map_err(|e| bad(format!("it {}", not_json(&e))))?;
    let side = |key: &str| value.get(key).and_then(Value::as_u64).filter(|&n| n > 0).map(|n| n as usize);
    let (Some(width), Some(height)) = (side("width"), side("height")) else {
        return Err(bad("it needs \"width\" and \"height\", both whole numbers above 0".into()));
    };
    let Some(data) = value.get("data").and_then(Value::as_array) else {
        return Err(bad("it needs \"data\", an array of numbers row after row".into()));
    };
    if width.checked_mul(height) != Some(data.len()) {
        let message = format!(
            "{} numbers do not make a {width}x{height} map; write as many as width times height",
            data.len()
        );
        return Err(Error::Shape(message));
    }
    let cell = |(i, v): (usize, &Value)| {
        let wrong = || {
            let v: String = v.to_string().chars().take(40).collect();
            bad(format!("x={}, y={} is {v}, not a number", i % width, i / width))
        };
        Ok(v.as_f64().ok_or_else(wrong)? as f32)
    };
    let cells = data.iter().enumerate().map(cell).collect::<Result<_>>()?;
    let kind = Kind { format: "JSON", cells: "numbers".into(), packing: String::new() };
    let map = Grid::from_vec(width, height, cells);
    Ok(Decoded { map, white: 1.0, kind, numbers: Numbers::Plain, place: None, notes: Vec::new() })
}
