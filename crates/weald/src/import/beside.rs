//! Where a map lies by the files beside it: a file of GDAL such as `NAME.tif.aux.xml`, a world file such as `NAME.tfw`, and `NAME.prj`.

use super::pam::Pam;
use super::wkt::System;
use super::{bytes_beside, name_of, text_beside};
use crate::error::{Error, Result};
use crate::files;
use crate::georeference::{CrsUnit, GeoReference};
use std::path::{Path, PathBuf};

/// The files beside a map that say of it what it does not say itself.
pub(super) struct Beside {
    pub(super) pam: Pam,
    /// The world file.
    world: Option<PathBuf>,
    /// The file with the coordinate system.
    prj: Option<PathBuf>,
}

impl Beside {
    /// The files beside a map.
    pub(super) fn of(path: &Path) -> Result<Self> {
        let file = |ending: &&str| Some(path.with_extension(ending)).filter(|file| files::is_file(file));
        let world = ["tfw", "tifw", "wld"].iter().find_map(file);
        Ok(Self { pam: Pam::beside(path)?, world, prj: file(&"prj") })
    }

    /// The corner of the first cell and the steps, as in [`Pam::corner`], and what says it.
    pub(super) fn corner(&self) -> Result<Option<([f64; 6], &str)>> {
        if let Some(corner) = self.pam.corner {
            return Ok(Some((corner, &self.pam.name)));
        }
        let corner = self.world.as_ref().map(|file| world_file(file)).transpose()?;
        Ok(corner.map(|corner| (corner, "the world file beside it")))
    }

    /// The coordinate system. That of a `.prj` file alone, which may belong to other data of the same name, is none.
    pub(super) fn system(&self) -> Result<Option<System>> {
        match self.pam.system()? {
            None if self.world.is_some() => self.system_of_prj(),
            found => Ok(found),
        }
    }

    /// The coordinate system of a `.prj` file, as well-known text, whose names may be in any encoding.
    pub(super) fn system_of_prj(&self) -> Result<Option<System>> {
        let Some(file) = &self.prj else { return Ok(None) };
        System::of(&String::from_utf8_lossy(&bytes_beside(file)?), &name_of(file))
    }
}

/// The corner of the first cell by a world file: six numbers, the last two of which are the centre of that cell.
fn world_file(file: &Path) -> Result<[f64; 6]> {
    let text = text_beside(file)?;
    let number = |n: &str| n.parse().ok().filter(|v: &f64| v.is_finite());
    let numbers: Vec<f64> = text.split_whitespace().filter_map(number).collect();
    let &[a, d, b, e, x, y] = &numbers[..] else {
        return Err(Error::Invalid(format!(
            "{} beside it is no world file of six numbers; remove it, or make it again with gdal_translate -co TFW=YES",
            name_of(file)
        )));
    };
    Ok([x - a / 2.0 - b / 2.0, a, b, y - d / 2.0 - e / 2.0, d, e])
}

/// Where a map lies, and what a user should know of it.
pub(super) struct NorthUp {
    pub(super) place: GeoReference,
    /// Whether the first row is the southernmost one.
    pub(super) south_first: bool,
    pub(super) note: Option<String>,
}

/// The place of a map of (columns, rows) cells by its corner, as in [`Pam::corner`]; none if its cells are its own units. Fails if its rows do
/// not run from west to east.
pub(super) fn north_up(
    [west, dx, b, north, d, dy]: [f64; 6],
    system: Option<System>,
    (columns, rows): (usize, usize),
) -> Result<Option<NorthUp>> {
    let turned = |what: &str| {
        Err(Error::Invalid(format!(
            "this map cannot be read: {what}; turn it north up first: gdalwarp IN.tif OUT.tif"
        )))
    };
    if b != 0.0 || d != 0.0 {
        return turned("it is rotated");
    }
    let finite = [west, north, dx, dy].iter().all(|v| v.is_finite());
    if finite && dx < 0.0 {
        return turned("its columns run from the east");
    }
    if !finite || dx == 0.0 || dy == 0.0 {
        return Err(Error::Invalid(
            "its cell size or its corner is not a number that a map can have; write it again with its true place: gdal_translate -a_ullr \
             WEST NORTH EAST SOUTH IN.tif OUT.tif"
                .into(),
        ));
    }
    // Without a system and in the unit of its own cells, nothing says where it lies.
    if system.is_none() && (dx, dy.abs()) == (1.0, 1.0) && west.abs() <= 0.5 && north.abs() <= 0.5 {
        return Ok(None);
    }
    let south_first = dy > 0.0;
    let north = if south_first { north + rows as f64 * dy } else { north };
    let mut place = GeoReference { epsg: None, unit: CrsUnit::Metre, west, north, step: (dx, dy.abs()) };
    let mut note = None;
    match system {
        None => place.unit = place.likely_unit((columns, rows)),
        Some(System { epsg, unit, metres, .. }) => {
            (place.epsg, place.unit) = (epsg, unit);
            if let Some(m) = metres {
                (place.west, place.north) = (place.west * m, place.north * m);
                place.step = (place.step.0 * m, place.step.1 * m);
                note = Some(format!("coordinates in units of {m} m became metres"));
            }
        }
    }
    Ok(Some(NorthUp { place, south_first, note }))
}
