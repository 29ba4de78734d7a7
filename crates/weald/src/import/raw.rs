//! Files of nothing but numbers: raw heightmaps and the tiles of the Shuttle Radar Topography Mission.

use super::{Decoded, Kind, Numbers, too_large};
use crate::error::{Error, Result};
use crate::georeference::{CrsUnit, GeoReference};
use std::path::Path;
use weald_core::Grid;

/// Reads numbers in little-endian order, rows from the north: 16-bit grey in a square, or of the given size and then also 8-bit grey or
/// float32, by the number of bytes. The size comes from the user, or from the file beside it of the name `sidecar`. Cells of the value `nodata`
/// have no data.
pub(super) fn heights(
    bytes: &[u8],
    size: Option<(usize, usize)>,
    sidecar: Option<&str>,
    nodata: Option<f32>,
) -> Result<Decoded> {
    let side = (bytes.len() / 2).isqrt();
    let (width, height) = size.unwrap_or((side, side));
    let cells = width.checked_mul(height).filter(|&n| n > 0);
    let wide = cells.filter(|n| bytes.len().is_multiple_of(*n)).map(|n| bytes.len() / n);
    let known = |v: f32| if nodata == Some(v) { f32::NAN } else { v };
    if wide.is_some() {
        too_large((width as u64, height as u64), 4)?;
    }
    let (map, kind, white): (Vec<f32>, &str, f64) = match wide {
        Some(2) => {
            let cells = bytes.as_chunks::<2>().0.iter();
            (cells.map(|&b| known(u16::from_le_bytes(b).into())).collect(), "16-bit grey", 65535.0)
        }
        Some(1) if size.is_some() => (bytes.iter().map(|&b| known(b.into())).collect(), "8-bit grey", 255.0),
        Some(4) if size.is_some() => {
            let cells = bytes.as_chunks::<4>().0.iter();
            (cells.map(|&b| known(f32::from_le_bytes(b))).collect(), "float32", 1.0)
        }
        _ if size.is_some() => {
            let by = sidecar.map_or(String::new(), |name| format!(", the size by {name} beside it"));
            return Err(Error::Shape(format!(
                "{} bytes are not {width}x{height} numbers of 8, 16 or 32 bits{by}; give the right --raw-size WxH",
                bytes.len()
            )));
        }
        _ => {
            return Err(Error::Shape(format!(
                "{} bytes are not a square of 16-bit values (256x256 would be 131072 bytes); give its size with --raw-size WxH",
                bytes.len()
            )));
        }
    };
    let numbers = if kind == "float32" { Numbers::Plain } else { Numbers::Grey };
    let kind = Kind { format: "raw", cells: kind.into(), packing: String::new() };
    let map = Grid::from_vec(width, height, map);
    Ok(Decoded { map, white, kind, numbers, place: None, notes: Vec::new() })
}

/// Reads a tile of the Shuttle Radar Topography Mission, such as `N36W085.hgt`: metres as int16 in big-endian order, rows from the north,
/// −32768 without data. Tiles share their outermost rows and columns, so the centres of n cells span n − 1 steps of a degree.
pub(super) fn hgt(path: &Path, bytes: &[u8]) -> Result<Decoded> {
    let side = (bytes.len() / 2).isqrt();
    if side < 2 || 2 * side * side != bytes.len() {
        return Err(Error::Shape(format!(
            "{} bytes are no .hgt tile, a square of 16-bit heights (1201x1201 or 3601x3601); fetch the tile again",
            bytes.len()
        )));
    }
    too_large((side as u64, side as u64), 4)?;
    let cell = |b: &[u8; 2]| match i16::from_be_bytes(*b) {
        i16::MIN => f32::NAN,
        v => f32::from(v),
    };
    let map = Grid::from_vec(side, side, bytes.as_chunks::<2>().0.iter().map(cell).collect());
    let name = path.file_stem().map(|n| n.to_string_lossy().to_ascii_uppercase()).unwrap_or_default();
    let step = 1.0 / (side - 1) as f64;
    let place = corner(&name).map(|(south, west)| GeoReference {
        epsg: Some(4326),
        unit: CrsUnit::Degree,
        west: west - step / 2.0,
        north: south + 1.0 + step / 2.0,
        step: (step, step),
    });
    let notes = match place {
        Some(_) => Vec::new(),
        None => vec!["its name is not one such as N36W085.hgt, so its place is not known".into()],
    };
    let kind = Kind { format: "SRTM tile", cells: "int16".into(), packing: String::new() };
    Ok(Decoded { map, white: 1.0, kind, numbers: Numbers::Metres, place, notes })
}

/// South and west of a tile, from its name.
fn corner(name: &str) -> Option<(f64, f64)> {
    let number = |at: std::ops::Range<usize>, letters: [&str; 2]| {
        let sign = match name.get(at.start..at.start + 1)? {
            l if l == letters[0] => 1.0,
            l if l == letters[1] => -1.0,
            _ => return None,
        };
        Some(sign * f64::from(name.get(at.start + 1..at.end)?.parse::<u16>().ok()?))
    };
    Some((number(0..3, ["N", "S"])?, number(3..7, ["E", "W"])?))
}
