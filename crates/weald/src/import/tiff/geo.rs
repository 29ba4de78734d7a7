//! What a GeoTIFF file says of its place (OGC 19-008r4), and what GDAL adds to it.

use super::bad;
use super::tags::{self, Tags};
use crate::error::Result;
use crate::georeference::{CrsUnit, GeoReference};

/// Where the picture lies, and what its numbers are.
#[derive(Default)]
pub(super) struct Geo {
    pub(super) place: Option<GeoReference>,
    /// Metres in a unit of the heights, if the file says it.
    pub(super) height_m: Option<f64>,
    /// Whether the first row is the southernmost one.
    pub(super) south_first: bool,
}

/// The value of a key that stands in the directory itself.
fn key(keys: &[u64], id: u64) -> Option<u64> {
    let rows = keys.get(4..)?.chunks_exact(4);
    rows.filter(|row| row[0] == id && row[1] == 0).map(|row| row[3]).next()
}

pub(super) fn read(tags: &Tags) -> Result<Geo> {
    let keys = tags.numbers(tags::GEO_KEYS)?;
    let feet = |code| match code {
        Some(9002) => CrsUnit::Foot,
        Some(9003) => CrsUnit::UsFoot,
        _ => CrsUnit::Metre,
    };
    let vertical = key(&keys, 4099).and_then(|code| feet(Some(code)).metres());
    let mut out = Geo { height_m: vertical, ..Geo::default() };
    let geographic =
        key(&keys, 1024) == Some(2) || (key(&keys, 3072).is_none() && key(&keys, 2048).is_some());
    let code = if geographic { key(&keys, 2048) } else { key(&keys, 3072) };
    let epsg = code.filter(|c| (1024..32767).contains(c)).map(|c| c as u32);
    let unit = if geographic { CrsUnit::Degree } else { feet(key(&keys, 3076)) };
    let (scale, tie) = (tags.floats(tags::PIXEL_SCALE)?, tags.floats(tags::TIEPOINT)?);
    let matrix = tags.floats(tags::TRANSFORMATION)?;
    let [west, north, dx, dy] = if let (&[sx, sy, ..], &[i, j, _, x, y, ..]) = (&scale[..], &tie[..]) {
        [x - i * sx, y + j * sy, sx, -sy]
    } else if let &[a, b, _, x, d, e, _, y, ..] = &matrix[..] {
        if b != 0.0 || d != 0.0 {
            return Err(bad("it is rotated; turn it north up with gdalwarp IN.tif OUT.tif first"));
        }
        [x, y, a, e]
    } else {
        return Ok(out);
    };
    let point = key(&keys, 1025) == Some(2);
    let finite = [west, north, dx, dy].iter().all(|v| v.is_finite());
    if !finite || dx <= 0.0 || dy == 0.0 {
        return Err(bad("its cell size or its corner is not a number that a map can have"));
    }
    out.south_first = dy > 0.0;
    let rows = tags.number(tags::HEIGHT)?.unwrap_or(0) as f64;
    // The corner of the first cell, also if the tie point is its centre and if rows come from the south.
    let (west, north) = if point { (west - dx / 2.0, north - dy / 2.0) } else { (west, north) };
    let north = if out.south_first { north + rows * dy } else { north };
    // Without keys and in the unit of its own cells, nothing says where it lies.
    if keys.is_empty() && (west, north, dx, dy) == (0.0, 0.0, 1.0, 1.0) {
        return Ok(out);
    }
    let place = GeoReference { epsg, unit, west, north, step: (dx, dy.abs()) };
    let columns = tags.number(tags::WIDTH)?.unwrap_or(0) as usize;
    let unit = if keys.is_empty() { place.likely_unit((columns, rows as usize)) } else { unit };
    out.place = Some(GeoReference { unit, ..place });
    Ok(out)
}

/// The value of cells without data.
pub(super) fn nodata(tags: &Tags) -> Option<f64> {
    tags.text(tags::GDAL_NODATA)?.trim().parse().ok()
}

/// What makes metres of the numbers of a file.
pub(super) struct Scale {
    /// What they are multiplied with, and what is then added.
    pub(super) factor: f64,
    pub(super) offset: f64,
    /// Whether they were feet.
    pub(super) feet: bool,
}

impl Scale {
    /// Whether the numbers stay as they are.
    pub(super) fn is_none(&self) -> bool {
        (self.factor, self.offset) == (1.0, 0.0)
    }
}

/// The scale and offset of the numbers as GDAL writes them, and their unit, which `height_m` has if a key of the file says it.
pub(super) fn scale(tags: &Tags, height_m: Option<f64>) -> Scale {
    let text = tags.text(tags::GDAL_METADATA).unwrap_or_default();
    let item = |role: &str| -> Option<&str> {
        let (_, rest) = text.split_once(&format!("role=\"{role}\""))?;
        Some(rest.split_once('>')?.1.split_once('<')?.0.trim())
    };
    let number = |role: &str| item(role)?.parse().ok().filter(|v: &f64| v.is_finite());
    let unit = || match item("unittype")?.to_ascii_lowercase().as_str() {
        "ft" | "foot" | "feet" => CrsUnit::Foot.metres(),
        "us-ft" | "sft" | "us survey foot" => CrsUnit::UsFoot.metres(),
        _ => None,
    };
    let metres = height_m.or_else(unit).unwrap_or(1.0);
    let (factor, offset) = (number("scale").unwrap_or(1.0), number("offset").unwrap_or(0.0));
    Scale { factor: factor * metres, offset: offset * metres, feet: metres != 1.0 }
}
