//! What GeoTIFF (OGC 19-008r4) and GDAL say of a picture: its place, its units, and cells without data.

use super::tags::{self, Tags};
use crate::error::{Error, Result};
use crate::georeference::{CrsUnit, GeoReference, registered};
use crate::import::beside::{Beside, NorthUp, north_up};
use crate::import::pam::Pam;
use crate::import::units::{self, Scale};
use crate::import::wkt::{System, mercator, utm};

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
        Some(unit) => units::length(unit).ok_or_else(|| {
            Error::Invalid(format!(
                "the coordinates of {name} are in the unit {unit} of the EPSG register, which is not known; give it its true system: \
                 gdal_edit.py -a_srs EPSG:32633 IN.tif, with the UTM zone of the place"
            ))
        })?,
        None => match code.map_or(Some(CrsUnit::Metre), units::projected) {
            Some(unit) => unit.metres().unwrap_or(1.0),
            None => return Err(no_unit("neither metres nor feet")),
        },
    };
    Ok(Some(match CrsUnit::of_metres(metres) {
        Some(unit) => {
            // Systems without a code have names.
            let by_name = || names.split(['|', '=']).find_map(|name| mercator(name).or_else(|| utm(name)));
            let epsg = epsg.or_else(|| by_name().filter(|_| unit == CrsUnit::Metre));
            System { epsg, unit, metres: None, height_m: None }
        }
        None => System { epsg: None, unit: CrsUnit::Metre, metres: Some(metres), height_m: None },
    }))
}

/// Reads what the tags say of the place and the units, and what they leave out from the files beside it.
pub(super) fn read(tags: &Tags, beside: &Beside) -> Result<Geo> {
    let keys = tags.numbers(tags::GEO_KEYS)?;
    let height_m = match (key(&keys, 4099).filter(|unit| *unit != 32767), key(&keys, 4096)) {
        (Some(unit), _) => Some(units::length(unit).ok_or_else(|| {
            Error::Invalid(format!(
                "its heights are in the unit {unit} of the EPSG register, which is not known; give it a system without heights: gdal_edit.py \
                 -a_srs EPSG:32633 IN.tif, with the UTM zone of the place, if they are metres"
            ))
        })?),
        (None, code) => code.filter(|code| (1024..32767).contains(code)).map(units::vertical),
    };
    let mut out = Geo { height_m, ..Geo::default() };
    let (scale, tie) = (tags.floats(tags::PIXEL_SCALE)?, tags.floats(tags::TIEPOINT)?);
    let matrix = tags.floats(tags::TRANSFORMATION)?;
    // The corner of the first cell, also if the tie point is its centre.
    let half = if key(&keys, 1025) == Some(2) { 0.5 } else { 0.0 };
    let corner = if let (&[sx, sy, ..], &[i, j, _, x, y, ..]) = (&scale[..], &tie[..]) {
        // As GDAL reads it, a negative scale of the rows is a mistake of the writer.
        [x - (i + half) * sx, sx, 0.0, y + (j + half) * sy.abs(), 0.0, -sy.abs()]
    } else if let &[a, b, _, x, d, e, _, y, ..] = &matrix[..] {
        [x - half * (a + b), a, b, y - half * (d + e), d, e]
    } else if let Some((corner, file)) = beside.corner()? {
        out.notes.push(format!("its place by {file}"));
        corner
    } else {
        // Points as GDAL writes them, which a place does not follow from without a choice of how to warp.
        if tie.len() > 6 {
            out.notes.push(format!(
                "its place by {} ground control points is not read: gdalwarp IN.tif OUT.tif makes a place of them",
                tie.len() / 6
            ));
        }
        return Ok(out);
    };
    let names = tags.text(tags::GEO_NAMES).unwrap_or_default();
    let system = system(&keys, &names)?.map_or_else(|| beside.system(), |system| Ok(Some(system)))?;
    out.height_m = out.height_m.or(system.and_then(|system| system.height_m));
    let side = |tag| Ok::<_, Error>(tags.number(tag)?.unwrap_or(0) as usize);
    if let Some(NorthUp { place, south_first, note }) =
        north_up(corner, system, (side(tags::WIDTH)?, side(tags::HEIGHT)?))?
    {
        (out.place, out.south_first) = (Some(place), south_first);
        out.notes.extend(note);
    }
    Ok(out)
}

/// The value of cells without data.
pub(super) fn nodata(tags: &Tags) -> Option<f64> {
    tags.text(tags::GDAL_NODATA)?.trim().parse().ok()
}

/// The scale and offset of the numbers of the first band as GDAL writes them, and their unit, which `height_m` has if a key of the file says
/// it. If the file has none of the three, they are those of the file `beside` it, and the second result is true.
pub(super) fn scale(tags: &Tags, height_m: Option<f64>, beside: &Pam) -> Result<(Scale, bool)> {
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
    let unit = item("unittype").filter(|unit| units::is_unit(unit));
    let by_unit = match unit {
        Some(unit) => Some(units::named(&unit).ok_or_else(|| {
            let message = format!(
                "its numbers are in {:?}, which is no unit of height that is known; write them in metres, or if they are metres: \
                 gdal_edit.py -units m IN.tif",
                unit.chars().take(20).collect::<String>()
            );
            Error::Invalid(message)
        })?),
        None => None,
    };
    let (mut factor, mut offset, mut by_band) = (number("scale"), number("offset"), by_unit);
    let by_pam = beside.scales() && factor.is_none() && offset.is_none() && by_band.is_none();
    if by_pam {
        (factor, offset, by_band) = (beside.scale, beside.offset, beside.unit_m);
    }
    // What GDAL says of the band comes before what the keys say of the system.
    Ok((Scale::new(factor, offset, by_band.or(height_m)), by_pam))
}
