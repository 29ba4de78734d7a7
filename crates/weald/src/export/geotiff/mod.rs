//! Heights as a Cloud Optimised GeoTIFF: float32 metres in compressed tiles, with overviews and the place of the map.
//!
//! Formats: TIFF 6.0 (1992), its floating-point predictor (Adobe, TIFF Technical Note 3, 2005), BigTIFF, OGC 19-008r4 (GeoTIFF 1.1) and
//! OGC 21-026 (Cloud Optimised GeoTIFF).
//!
//! - All tags stand first, those of the full map before those of the overviews. The data of the coarsest overview follow, and those of the
//!   full map come last, so a reader over a network needs one request to know where everything is.
//! - Each overview halves the columns and rows of the one before; a cell is the mean of the two by two that it covers. The last one fits
//!   into one tile.
//! - Before a tile stands its length and after it its last four bytes once more, as GDAL's
//!   [optimised layout](https://gdal.org/en/stable/drivers/raster/cog.html) has it.
//! - A map whose place on the Earth is not known has its corner and its cell size in plane metres, y north, and no coordinate reference
//!   system.

mod tags;
#[cfg(test)]
mod tests;

use super::sidecar::Sidecar;
use super::target::{Delivered, Form, Needs, Source, Target};
use crate::error::{Error, Result};
use crate::files;
use crate::georeference::{CrsUnit, GeoReference};
use flate2::write::ZlibEncoder;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use tags::{Directory, Sizes, Value};
use weald_core::{Ctx, Grid, par};

/// The target `geotiff`.
pub static TARGET: Target = Target {
    name: "geotiff",
    about: "heights in metres as float32, with overviews and the place on the Earth if it is known",
    files: "NAME.tif",
    readers: "QGIS, GDAL, ArcGIS, rasterio and other GIS programs",
    needs: Needs::Ground,
    takes: &[],
    validate: None,
    form: Form::File("tif", export),
};

/// Side of a tile, and of one of a map whose longer side is shorter than [`SMALL`].
const TILE: usize = 512;
const SMALL_TILE: usize = 256;
const SMALL: usize = 1024;

/// What GDAL looks for behind the header to know that the tags come first, that tiles stand row by row, each with its length before it
/// and its last four bytes twice. The space at the end is for a program that edits the file and makes a YES of the NO.
const LAYOUT: &str = "LAYOUT=IFDS_BEFORE_DATA\nBLOCK_ORDER=ROW_MAJOR\nBLOCK_LEADER=SIZE_AS_UINT4\n\
                      BLOCK_TRAILER=LAST_4_BYTES_REPEATED\nKNOWN_INCOMPATIBLE_EDITION=NO\n ";

/// Writes the heights of a world.
fn export(source: &Source, path: &Path, ctx: &Ctx) -> Result<Delivered> {
    let heights = source.heights(ctx)?;
    let place = source.place();
    let about =
        About { place, description: &format!("weald {} {}", source.catalogue.world, source.catalogue.seed) };
    let levels = write(path, &heights.height, &about, ctx)?;
    let (width, height) = heights.height.shape();
    let crs = match (source.catalogue.georeference, place.epsg) {
        (None, _) => "plane metres without a coordinate reference system".to_owned(),
        (Some(_), Some(code)) => format!("EPSG:{code}"),
        (Some(_), None) => format!("no code of its coordinate reference system, unit {}", place.unit.name()),
    };
    let mut numbers = vec![
        format!("{width}x{height} cells of {} by {} ({crs}), heights in metres", place.step.0, place.step.1),
        format!("the north-west corner is at {}, {}; {levels} overviews", place.west, place.north),
    ];
    numbers.extend(source.note());
    let sidecar = Sidecar {
        size: Some((width, height)),
        metres_per_pixel: Some(heights.cell_m),
        more: [("overviews".into(), levels.into()), ("place".into(), place.to_json())].into_iter().collect(),
        ..Sidecar::default()
    };
    Ok(Delivered { files: Vec::new(), numbers, sidecar })
}

/// What a file says besides its heights.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Where the map lies.
    pub place: GeoReference,
    /// What it is, in a line.
    pub description: &'a str,
}

/// Writes heights in metres and returns the number of overviews. Tiles are compressed in parallel and written in order, so besides the
/// heights only the overviews are in memory. Files that could exceed 4 GiB become BigTIFF. Cost: linear.
pub fn write(path: &Path, height: &Grid<f32>, about: &About, ctx: &Ctx) -> Result<usize> {
    let tile = if height.width().max(height.height()) < SMALL { SMALL_TILE } else { TILE };
    let overviews = overviews(height, tile, ctx)?;
    let levels: Vec<&Grid<f32>> = std::iter::once(height).chain(&overviews).collect();
    let tiles: usize = levels.iter().map(|level| Tiles::of(level, tile).count()).sum();
    let file = files::File::create(path).map_err(|e| Error::io(path, e))?;
    let sizes = Sizes::for_bytes(longest(tiles, tile));
    Writer { path, file, sizes, tile, about }.write(&levels, ctx)?;
    Ok(overviews.len())
}

/// The most bytes that a file with so many tiles can have: deflate adds at most 5 bytes to every 16 KiB that it cannot shorten.
fn longest(tiles: usize, tile: usize) -> u64 {
    let raw = 4 * (tile * tile) as u64;
    tiles as u64 * (raw + raw / 1024 + 128) + (1 << 20)
}

/// The overviews, from fine to coarse.
fn overviews(height: &Grid<f32>, tile: usize, ctx: &Ctx) -> Result<Vec<Grid<f32>>> {
    let mut out: Vec<Grid<f32>> = Vec::new();
    loop {
        let last = out.last().unwrap_or(height);
        if last.width() <= tile && last.height() <= tile {
            return Ok(out);
        }
        let halved = halved(last, ctx)?;
        out.push(halved);
    }
}

/// A map with half the columns and rows, rounded up: the means of the cells that a new one covers.
fn halved(map: &Grid<f32>, ctx: &Ctx) -> Result<Grid<f32>> {
    let (width, height) = map.shape();
    Ok(par::fill(width.div_ceil(2), height.div_ceil(2), &ctx.quiet(), |y, row: &mut [f32]| {
        let rows = &[2 * y, 2 * y + 1][..if 2 * y + 1 < height { 2 } else { 1 }];
        for (x, out) in row.iter_mut().enumerate() {
            let columns = 2 * x..(2 * x + 2).min(width);
            let count = rows.len() * columns.len();
            let cells = rows.iter().flat_map(|&y| &map.row(y)[columns.clone()]);
            *out = (cells.map(|&v| f64::from(v)).sum::<f64>() / count as f64) as f32;
        }
    })?)
}

/// The tiles of a level.
struct Tiles<'a> {
    map: &'a Grid<f32>,
    side: usize,
    across: usize,
    down: usize,
}

impl<'a> Tiles<'a> {
    fn of(map: &'a Grid<f32>, side: usize) -> Self {
        Self { map, side, across: map.width().div_ceil(side), down: map.height().div_ceil(side) }
    }

    fn count(&self) -> usize {
        self.across * self.down
    }

    /// A tile as it stands in the file, with its length before it and its last four bytes twice. Beyond the edges of the map its last
    /// column and row are repeated, which compress well.
    fn packed(&self, index: usize) -> Vec<u8> {
        let (x0, y0) = (index % self.across * self.side, index / self.across * self.side);
        let (width, height) = self.map.shape();
        let inside = self.side.min(width - x0);
        let mut row = vec![0u8; 4 * self.side];
        let mut packed = vec![0; 4];
        let mut encoder = ZlibEncoder::new(&mut packed, flate2::Compression::new(LEVEL));
        for y in y0..y0 + self.side {
            let cells = &self.map.row(y.min(height - 1))[x0..x0 + inside];
            let last = cells[inside - 1];
            predict(cells.iter().copied().chain(std::iter::repeat(last)), &mut row);
            encoder.write_all(&row).expect("writing to memory does not fail");
        }
        encoder.finish().expect("writing to memory does not fail");
        let length = (packed.len() - 4) as u32;
        packed[..4].copy_from_slice(&length.to_le_bytes());
        packed.extend_from_within(packed.len() - 4..);
        packed
    }
}

/// How hard deflate tries, from 1 to 9.
const LEVEL: u32 = 5;

/// A row as predictor 3 has it: first the highest bytes of all numbers, then the second highest and so on, each byte less the one before.
fn predict(numbers: impl Iterator<Item = f32>, row: &mut [u8]) {
    let count = row.len() / 4;
    for (i, number) in numbers.take(count).enumerate() {
        for (k, byte) in number.to_be_bytes().into_iter().enumerate() {
            row[k * count + i] = byte;
        }
    }
    for i in (1..row.len()).rev() {
        row[i] = row[i].wrapping_sub(row[i - 1]);
    }
}

/// A file that is being written.
struct Writer<'a> {
    path: &'a Path,
    file: files::File,
    sizes: Sizes,
    tile: usize,
    about: &'a About<'a>,
}

impl Writer<'_> {
    /// Writes the levels, the full map first among them: room for the tags, the data from coarse to fine, and then the tags.
    fn write(mut self, levels: &[&Grid<f32>], ctx: &Ctx) -> Result<()> {
        let path = self.path;
        let wrong = |e: io::Error| Error::io(path, e);
        let mut places: Vec<Vec<(u64, u64)>> =
            levels.iter().map(|level| vec![(0, 0); Tiles::of(level, self.tile).count()]).collect();
        let room = self.head(levels, &places).len() as u64;
        self.file.seek(SeekFrom::Start(room)).map_err(wrong)?;
        let total: usize = places.iter().map(Vec::len).sum();
        let (mut at, mut done) = (room, 0);
        for (level, places) in levels.iter().zip(&mut places).rev() {
            let tiles = Tiles::of(level, self.tile);
            let wave = 4 * par::threads();
            for first in (0..tiles.count()).step_by(wave) {
                let last = (first + wave).min(tiles.count());
                let packed = par::map(last - first, &ctx.quiet(), |i| tiles.packed(first + i))?;
                for (place, bytes) in places[first..].iter_mut().zip(packed) {
                    self.file.write_all(&bytes).map_err(wrong)?;
                    *place = (at + 4, bytes.len() as u64 - 8);
                    at += bytes.len() as u64;
                }
                done += last - first;
                ctx.tick(done, total);
            }
        }
        let head = self.head(levels, &places);
        self.file.seek(SeekFrom::Start(0)).map_err(wrong)?;
        self.file.write_all(&head).and_then(|()| self.file.flush()).map_err(wrong)
    }

    /// The header, the words for GDAL and the tags of all levels.
    fn head(&self, levels: &[&Grid<f32>], places: &[Vec<(u64, u64)>]) -> Vec<u8> {
        let words = format!("GDAL_STRUCTURAL_METADATA_SIZE={:06} bytes\n{LAYOUT}", LAYOUT.len());
        let first = (self.sizes.header() + words.len()).next_multiple_of(2);
        let mut out = self.sizes.header_bytes(first as u64);
        out.extend_from_slice(words.as_bytes());
        out.resize(first, 0);
        for (k, (level, places)) in levels.iter().zip(places).enumerate() {
            let more = k + 1 < levels.len();
            self.directory(level, places, k).append_to(&mut out, more);
        }
        out
    }

    /// The tags of a level; level 0 is the full map.
    fn directory(&self, map: &Grid<f32>, places: &[(u64, u64)], level: usize) -> Directory {
        let short = |v: u16| Value::Short(vec![v]);
        let long = |v: usize| Value::Long(vec![v as u32]);
        let mut tags = Directory::new(self.sizes);
        tags.add(254, long(usize::from(level > 0)));
        tags.add(256, long(map.width()));
        tags.add(257, long(map.height()));
        tags.add(258, short(32));
        tags.add(259, short(8));
        tags.add(262, short(1));
        if level == 0 {
            tags.add(270, Value::Text(self.about.description.to_owned()));
        }
        tags.add(277, short(1));
        tags.add(284, short(1));
        if level == 0 {
            tags.add(305, Value::Text(format!("weald {}", env!("CARGO_PKG_VERSION"))));
        }
        tags.add(317, short(3));
        tags.add(322, short(self.tile as u16));
        tags.add(323, short(self.tile as u16));
        tags.add(324, self.sizes.offsets(places.iter().map(|p| p.0)));
        tags.add(325, Value::Long(places.iter().map(|p| p.1 as u32).collect()));
        tags.add(339, short(3));
        if level == 0 {
            let place = &self.about.place;
            tags.add(33550, Value::Double(vec![place.step.0, place.step.1, 0.0]));
            tags.add(33922, Value::Double(vec![0.0, 0.0, 0.0, place.west, place.north, 0.0]));
            if let Some(keys) = geo_keys(place) {
                tags.add(34735, Value::Short(keys));
            }
            let unit = "<GDALMetadata>\n  <Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">m</Item>\n</GDALMetadata>\n";
            tags.add(42112, Value::Text(unit.into()));
        }
        tags
    }
}

/// The keys of a place (OGC 19-008r4, 7.4 to 7.6): cells are areas, and the coordinate reference system as far as it is known. A code that
/// does not fit is said to be the user's own. Plane metres have no keys at all, which already says that cells are areas: of a single key
/// GDAL would make a coordinate reference system without a name.
fn geo_keys(place: &GeoReference) -> Option<Vec<u16>> {
    const USER_DEFINED: u16 = 32767;
    let known =
        place.epsg.and_then(|code| u16::try_from(code).ok()).filter(|c| (1024..USER_DEFINED).contains(c));
    let code = known.unwrap_or(USER_DEFINED);
    let (model, raster, linear) = (1024, 1025, 3076);
    let keys: &[(u16, u16)] = match (place.unit, known) {
        (CrsUnit::Metre, None) => return None,
        (CrsUnit::Metre, _) => &[(model, 1), (raster, 1), (3072, code), (linear, 9001)],
        (CrsUnit::Foot, _) => &[(model, 1), (raster, 1), (3072, code), (linear, 9002)],
        (CrsUnit::UsFoot, _) => &[(model, 1), (raster, 1), (3072, code), (linear, 9003)],
        (CrsUnit::Degree, _) => &[(model, 2), (raster, 1), (2048, code), (2054, 9102)],
    };
    let mut out = vec![1, 1, 1, keys.len() as u16];
    keys.iter().for_each(|&(key, value)| out.extend([key, 0, 1, value]));
    Some(out)
}
