//! What GeoTIFF (OGC 19-008r4) and GDAL say of a picture: its place, its units, and cells without data.

use super::bad;
use super::tags::{self, Tags};
use crate::error::{Error, Result};
use crate::georeference::{CrsUnit, GeoReference, registered};
use crate::import::units;
use crate::import::wkt::{System, mercator};
use crate::import::world_file::WorldFile;

/// Where the picture lies, and what its numbers are.
#[derive(Default)]
pub(super) struct Geo {
    pub(super) place: Option<GeoReference>,
    /// Metres in a unit of the heights, if the file says it.
    pub(super) height_m: Option<f64>,
    /// Whether the first row is the southernmost one.
    pub(super) south_first: bool,
    /// What a user should know, in half sentences.
    pub(super) notes: Vec<String>,
}

/// The value of a key that stands in the directory itself.
fn key(keys: &[u64], id: u64) -> Option<u64> {
    let rows = keys.get(4..)?.chunks_exact(4);
    rows.filter(|row| row[0] == id && row[1] == 0).map(|row| row[3]).next()
}

/// The coordinate system that the keys name; none if they name none.
fn system(keys: &[u64], names: &str) -> Result<Option<System>> {
    let (geodetic, projected) = (key(keys, 2048), key(keys, 3072));
    let geographic = match key(keys, 1024) {
        Some(2) => true,
        Some(1) => false,
        _ if projected.is_none() && geodetic.is_none() => return Ok(None),
        _ => projected.is_none(),
    };
    let code = if geographic { geodetic } else { projected };
    let code = code.filter(|code| (1024..32767).contains(code));
    let name = code.map_or("its coordinate system".into(), |code| format!("EPSG:{code}"));
    let epsg = code.map(|code| registered(code as u32));
    let no_unit = |what: &str| {
        let to = if geographic { "EPSG:4326" } else { "the UTM zone of the place, such as EPSG:32633," };
        let message = format!(
            "the coordinates of {name} are {what}; bring it to {to} first: gdalwarp -t_srs EPSG:{} IN.tif OUT.tif",
            if geographic { 4326 } else { 32633 }
        );
        Error::Invalid(message)
    };
    if geographic {
        let degrees = match key(keys, 2054) {
            None | Some(32767) => !code.is_some_and(units::in_grads),
            Some(unit) => matches!(unit, 9102 | 9122),
        };
        let degree = System { epsg, unit: CrsUnit::Degree, metres: None, height_m: None };
        return if degrees { Ok(Some(degree)) } else { Err(no_unit("grads or radians, not degrees")) };
    }
    let metres = match key(keys, 3076).filter(|unit| *unit != 32767) {
        Some(unit) => units::length(unit).ok_or_else(|| no_unit(&format!("in the unit {unit}")))?,
        None => match code.map_or(Some(CrsUnit::Metre), units::projected) {
            Some(unit) => unit.metres().unwrap_or(1.0),
            None => return Err(no_unit("neither metres nor feet")),
        },
    };
    Ok(Some(match CrsUnit::of_metres(metres) {
        Some(unit) => {
            // Systems without a code have names.
            let epsg = epsg
                .or_else(|| names.split(['|', '=']).find_map(mercator).filter(|_| unit == CrsUnit::Metre));
            System { epsg, unit, metres: None, height_m: None }
        }
        None => System { epsg: None, unit: CrsUnit::Metre, metres: Some(metres), height_m: None },
    }))
}

/// Why a file is refused whose rows do not run from north to south or back.
fn turned(what: &str) -> Error {
    Error::Invalid(format!(
        "this TIFF file cannot be read: {what}; turn it north up first: gdalwarp IN.tif OUT.tif"
    ))
}

/// Reads what the tags say of the place and the units, and of the place what a world file says if they say nothing.
pub(super) fn read(tags: &Tags, beside: Option<&WorldFile>) -> Result<Geo> {
    let keys = tags.numbers(tags::GEO_KEYS)?;
    let height_m = match (key(&keys, 4099).filter(|unit| *unit != 32767), key(&keys, 4096)) {
        (Some(unit), _) => Some(units::length(unit).ok_or_else(|| {
            bad(format!("its heights are in the unit {unit} of the EPSG register, which is not known"))
        })?),
        (None, code) => code.filter(|code| (1024..32767).contains(code)).map(units::vertical),
    };
    let mut out = Geo { height_m, ..Geo::default() };
    let (scale, tie) = (tags.floats(tags::PIXEL_SCALE)?, tags.floats(tags::TIEPOINT)?);
    let matrix = tags.floats(tags::TRANSFORMATION)?;
    let [west, north, dx, dy] = if let (&[sx, sy, ..], &[i, j, _, x, y, ..]) = (&scale[..], &tie[..]) {
        // As GDAL reads it, a negative scale of the rows is a mistake of the writer.
        [x - i * sx, y + j * sy.abs(), sx, -sy.abs()]
    } else if let &[a, b, _, x, d, e, _, y, ..] = &matrix[..] {
        if b != 0.0 || d != 0.0 {
            return Err(turned("it is rotated"));
        }
        [x, y, a, e]
    } else if let Some(&WorldFile { matrix: [a, b, c, d, e, f], .. }) = beside {
        if b != 0.0 || d != 0.0 {
            return Err(turned("it is rotated"));
        }
        out.notes.push("its place by the world file beside it".into());
        [c - a / 2.0, f - e / 2.0, a, e]
    } else {
        return Ok(out);
    };
    let finite = [west, north, dx, dy].iter().all(|v| v.is_finite());
    if finite && dx < 0.0 {
        return Err(turned("its columns run from the east"));
    }
    if !finite || dx == 0.0 || dy == 0.0 {
        return Err(bad("its cell size or its corner is not a number that a map can have"));
    }
    // The corner of the first cell, also if the tie point is its centre.
    let point = key(&keys, 1025) == Some(2);
    let (west, north) = if point { (west - dx / 2.0, north - dy / 2.0) } else { (west, north) };
    let names = tags.text(tags::GEO_NAMES).unwrap_or_default();
    let system = system(&keys, &names)?.or(beside.and_then(|file| file.system));
    out.height_m = out.height_m.or(system.and_then(|system| system.height_m));
    // Without a system and in the unit of its own cells, nothing says where it lies.
    if system.is_none() && (dx, dy.abs()) == (1.0, 1.0) && west.abs() <= 0.5 && north.abs() <= 0.5 {
        return Ok(out);
    }
    out.south_first = dy > 0.0;
    let (columns, rows) =
        (tags.number(tags::WIDTH)?.unwrap_or(0) as usize, tags.number(tags::HEIGHT)?.unwrap_or(0) as usize);
    let north = if out.south_first { north + rows as f64 * dy } else { north };
    let mut place = GeoReference { epsg: None, unit: CrsUnit::Metre, west, north, step: (dx, dy.abs()) };
    match system {
        None => place.unit = place.likely_unit((columns, rows)),
        Some(System { epsg, unit, metres, .. }) => {
            (place.epsg, place.unit) = (epsg, unit);
            if let Some(m) = metres {
                (place.west, place.north) = (place.west * m, place.north * m);
                place.step = (place.step.0 * m, place.step.1 * m);
                out.notes.push(format!("coordinates in units of {m} m became metres"));
            }
        }
    }
    out.place = Some(place);
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
    /// Metres in their unit, if the file says it.
    pub(super) unit_m: Option<f64>,
}

impl Scale {
    /// Whether the numbers stay as they are.
    pub(super) fn is_none(&self) -> bool {
        (self.factor, self.offset) == (1.0, 0.0)
    }
}

/// The scale and offset of the numbers of the first band as GDAL writes them, and their unit, which `height_m` has if a key of the file says
/// it.
pub(super) fn scale(tags: &Tags, height_m: Option<f64>) -> Result<Scale> {
    let text = tags.text(tags::GDAL_METADATA).unwrap_or_default();
    let item = |role: &str| -> Option<String> {
        text.split("<Item").skip(1).find_map(|item| {
            let (attributes, rest) = item.split_once('>')?;
            let of_band = !attributes.contains("sample=") || attributes.contains("sample=\"0\"");
            let has_role = attributes.contains(&format!("role=\"{role}\""));
            (of_band && has_role).then(|| rest.split('<').next().unwrap_or_default().trim().to_owned())
        })
    };
    let number = |role: &str| item(role)?.parse().ok().filter(|v: &f64| v.is_finite());
    let unit = item("unittype").filter(|unit| !unit.is_empty() && unit != "1" && unit != "unitless");
    let by_unit = match unit {
        Some(unit) => Some(units::named(&unit).ok_or_else(|| {
            let message = format!(
                "its numbers are in {:?}, which is no unit of height that is known; write them in metres",
                unit.chars().take(20).collect::<String>()
            );
            Error::Invalid(message)
        })?),
        None => None,
    };
    // What GDAL says of the band comes before what the keys say of the system.
    let unit_m = by_unit.or(height_m);
    let metres = unit_m.unwrap_or(1.0);
    let (factor, offset) = (number("scale").unwrap_or(1.0), number("offset").unwrap_or(0.0));
    Ok(Scale { factor: factor * metres, offset: offset * metres, unit_m })
}
