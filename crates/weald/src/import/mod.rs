//! Maps made elsewhere, in common formats.
//!
//! | format | numbers | place |
//! | --- | --- | --- |
//! | TIFF, GeoTIFF, BigTIFF | whole numbers of 1 to 64 bits, floats of 16 to 64 bits; uncompressed, LZW, deflate, PackBits, ZSTD | cell size, corner, EPSG code, nodata |
//! | PNG | 1 to 16 bits, grey, palette or colours that are all grey | |
//! | NumPy `.npy` | bool, whole numbers and floats of every size and order of bytes | |
//! | OpenEXR | float16, float32, uint32 | |
//! | ASCII grid `.asc` | text | cell size, corner, nodata |
//! | `.hgt` of SRTM | int16 metres | the degree of its name |
//! | `.r16`, `.raw` | 16-bit grey; 8-bit grey and float32 with a size | |
//! | JSON | `{"width", "height", "data"}` | |

#[cfg(feature = "exr")]
mod exr;
mod png;
mod raw;
mod sidecar;
mod text;
mod tiff;

pub use crate::reading::{FillNodata, ReadOptions, UseSidecar};
pub use sidecar::Sidecar;

use crate::error::{Error, Result};
use crate::files;
use crate::georeference::{CrsUnit, GeoReference};
use crate::{memory, npy};
use serde_json::{Value, json};
use std::fmt;
use std::io::{BufReader, Read};
use std::path::Path;
use weald_core::resample::{Values, resampled};
use weald_core::{Ctx, Grid};

/// What the numbers of a map are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Grey from 0 for black to 1 for white.
    Grey,
    /// Metres.
    Metres,
    /// Numbers whose unit nobody says.
    Plain,
}

impl Numbers {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Numbers::Grey => "grey",
            Numbers::Metres => "metres",
            Numbers::Plain => "numbers without a unit",
        }
    }
}

/// How a map stood in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The format: `GeoTIFF`, `PNG`, …
    pub format: &'static str,
    /// The type of the numbers: `int16`, `16-bit grey`, …
    pub cells: String,
    /// Compression and tiles, if the format has any.
    pub packing: String,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.packing.is_empty() { "" } else { ", " };
        write!(f, "{} {}{between}{}", self.format, self.cells, self.packing)
    }
}

/// A map as its format holds it; cells without data are NaN.
struct Decoded {
    map: Grid<f32>,
    kind: Kind,
    numbers: Numbers,
    place: Option<GeoReference>,
    notes: Vec<String>,
}

/// A map, and how it stood in the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Imported {
    /// The map. Every cell is finite, or NaN if cells without data were to be kept.
    pub map: Grid<f32>,
    /// Format and type of the numbers.
    pub kind: Kind,
    /// What the numbers are.
    pub numbers: Numbers,
    /// Where it lies on the Earth, if the file says so.
    pub place: Option<GeoReference>,
    /// Width and height of a cell in metres, if the file or one beside it says so.
    pub cell_m: Option<(f64, f64)>,
    /// Columns and rows in the file.
    pub size: (usize, usize),
    /// Number of cells without data, before they were filled.
    pub empty: usize,
    /// What else a user should know, in half sentences.
    pub notes: Vec<String>,
}

/// Reads the map of [`read`] alone, with the options' defaults; grey values stay grey.
pub fn map(path: &Path) -> Result<Grid<f32>> {
    Ok(read(path, &ReadOptions { sidecar: UseSidecar::No, ..ReadOptions::default() })?.map)
}

/// Reads a map in one of the formats of this module, by what the file begins with, and by the ending of its name where that says nothing.
/// Grey values become value / largest possible; a file `NAME.terrain.json` beside a grey picture turns them into metres above the sea. The
/// numbers of all other files stay as they are: those of an int16 file are metres as those of a float32 file are. Rows of a file that comes
/// from the south, as that file says, are turned round.
///
/// Memory is bounded by the size of the file and by the cells that its header claims, and refused if there is not enough.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Imported> {
    let found = decoded(path, options).and_then(|decoded| filled(path, decoded, options));
    found.map_err(|e| match e {
        Error::Invalid(message) => Error::Invalid(format!("{}: {message}", path.display())),
        Error::Shape(message) => Error::Shape(format!("{}: {message}", path.display())),
        other => other,
    })
}

/// The bytes of a file.
fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    if files::is_dir(path).is_ok_and(|folder| folder) {
        return Err(Error::io(path, std::io::ErrorKind::IsADirectory.into()));
    }
    let mut bytes = Vec::new();
    let mut file = files::File::open(path).map_err(|e| Error::io(path, e))?;
    #[cfg(not(target_arch = "wasm32"))]
    if let Ok(about) = file.metadata() {
        memory::check(about.len(), "this file", "use a smaller one")?;
    }
    file.read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
    Ok(bytes)
}

/// Reads a file in its format.
fn decoded(path: &Path, options: &ReadOptions) -> Result<Decoded> {
    let bytes = bytes_of(path)?;
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let begins = |magic: &[u8]| bytes.starts_with(magic);
    let raw = matches!(ending.as_str(), "r16" | "raw" | "hgt");
    if bytes.is_empty() && !raw {
        return Err(Error::Invalid("this file is empty; write it again".into()));
    }
    let text = || bytes.iter().find(|b| !b.is_ascii_whitespace());
    match ending.as_str() {
        "hgt" => raw::hgt(path, &bytes),
        "r16" | "raw" => {
            let said = match options.raw_size {
                None => Sidecar::beside(path)?.and_then(|beside| beside.size),
                given => given,
            };
            raw::heights(&bytes, said, options.nodata)
        }
        _ if options.raw_size.is_some() => {
            let message = "--raw-size is for .r16 and .raw files, which do not say their size; leave it out";
            Err(Error::Invalid(message.into()))
        }
        _ if begins(b"\x89PNG\r\n\x1a\n") => png::read(&bytes, options.nodata),
        _ if begins(b"II*\0") || begins(b"MM\0*") || begins(b"II+\0") || begins(b"MM\0+") => {
            let mut decoded = tiff::read(&bytes, options.nodata, &Ctx::default())?;
            let mask = format!("{}.msk", path.file_name().unwrap_or_default().to_string_lossy());
            if files::is_file(&path.with_file_name(&mask)) {
                decoded.notes.push(format!(
                    "{mask} beside it is not read; gdal_translate --config GDAL_TIFF_INTERNAL_MASK YES puts the mask into the file"
                ));
            }
            Ok(decoded)
        }
        _ if begins(b"\x93NUMPY") => numpy(&bytes),
        _ if begins(b"\x76\x2f\x31\x01") => open_exr(&bytes),
        _ if matches!(ending.as_str(), "asc" | "grd")
            || bytes.get(..5).is_some_and(|b| b.eq_ignore_ascii_case(b"ncols")) =>
        {
            text::ascii_grid(&bytes, projection(path))
        }
        _ if text() == Some(&b'{') => text::json(&bytes),
        _ => Err(unknown(&ending, &bytes)),
    }
}

/// The unit of the coordinates, by the file `NAME.prj` that programs write beside an ASCII grid, if there is one that says so.
fn projection(path: &Path) -> Option<CrsUnit> {
    let text = files::read_to_string(path.with_extension("prj")).ok()?.to_ascii_uppercase();
    let begins = |words: &[&str]| words.iter().any(|word| text.trim_start().starts_with(word));
    if begins(&["GEOGCS", "GEOGCRS"]) {
        Some(CrsUnit::Degree)
    } else if begins(&["PROJCS", "PROJCRS"]) {
        Some(CrsUnit::Metre)
    } else {
        None
    }
}

/// Why a file is none that is read.
fn unknown(ending: &str, bytes: &[u8]) -> Error {
    let others: [(&[u8], &str); 9] = [
        (
            b"\xff\xd8\xff",
            "a JPEG photograph; heights in JPEG have lost their steps, so use the PNG or TIFF it was made from",
        ),
        (b"GIF8", "a GIF picture; save it as PNG"),
        (b"RIFF", "a WebP picture; save it as PNG"),
        (b"BM", "a BMP picture; save it as PNG"),
        (b"PK", "a ZIP archive; unpack it and give the map inside"),
        (b"\x1f\x8b", "compressed with gzip; unpack it first"),
        (b"\x89HDF", "an HDF5 or NetCDF file; convert it with gdal_translate IN.nc OUT.tif"),
        (b"CDF", "a NetCDF file; convert it with gdal_translate IN.nc OUT.tif"),
        (b"\0\0\0\x0cjP", "a JPEG 2000 file; convert it with gdal_translate IN.jp2 OUT.tif"),
    ];
    if let Some((_, what)) = others.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Error::Invalid(format!("this is {what}"));
    }
    let damaged = match ending {
        "png" => "a PNG picture",
        "tif" | "tiff" => "a TIFF file",
        "npy" => "a NumPy array",
        "exr" => "an EXR picture",
        "json" => "JSON",
        _ => {
            let formats = ".tif, .png, .npy, .exr, .asc, .hgt, .r16, .raw or .json";
            return Error::Invalid(format!(
                "this is not a map in a format that is read; use a {formats} file"
            ));
        }
    };
    Error::Invalid(format!(
        "this is not {damaged}, although its name says so; save it again, or give it the right ending"
    ))
}

fn numpy(bytes: &[u8]) -> Result<Decoded> {
    let (map, cells) = npy::read_numbers(&mut &bytes[..])?;
    let numbers = match cells {
        "bool" => Numbers::Plain,
        whole if !whole.starts_with("float") => Numbers::Metres,
        _ => Numbers::Plain,
    };
    let kind = Kind { format: "NumPy", cells: cells.into(), packing: String::new() };
    Ok(Decoded { map, kind, numbers, place: None, notes: Vec::new() })
}

#[cfg(feature = "exr")]
fn open_exr(bytes: &[u8]) -> Result<Decoded> {
    exr::read(bytes)
}

#[cfg(not(feature = "exr"))]
fn open_exr(_: &[u8]) -> Result<Decoded> {
    Err(Error::Invalid("this build does not read EXR files; save it as .tif, .png or .npy".into()))
}

/// Finds cells without data and fills them, and reads what stands beside the file.
fn filled(path: &Path, decoded: Decoded, options: &ReadOptions) -> Result<Imported> {
    let Decoded { mut map, kind, mut numbers, place, mut notes } = decoded;
    let mut cell_m = place.map(|p| p.cell_m(map.height()));
    // Numbers that are not those of the file any more were compared when they were read.
    if let Some(nodata) = options
        .nodata
        .filter(|_| matches!(kind.format, "NumPy" | "OpenEXR" | "ASCII grid" | "JSON" | "SRTM tile"))
    {
        map.cells_mut().iter_mut().filter(|v| **v == nodata).for_each(|v| *v = f32::NAN);
    }
    let width = map.width();
    let place_of = |i: usize| (i % width, i / width);
    if let Some(i) = map.cells().iter().position(|v| v.is_infinite()) {
        return Err(not_finite(place_of(i), map.cells()[i]));
    }
    let empty = map.cells().iter().filter(|v| v.is_nan()).count();
    if let (Some(nodata), 0) = (options.nodata, empty) {
        notes.push(format!("no cell is {nodata}"));
    }
    if numbers != Numbers::Grey && kind.cells == "uint8" && is_mask(&map, 255.0) {
        map.cells_mut().iter_mut().for_each(|v| *v /= 255.0);
        numbers = Numbers::Plain;
        notes.push("a mask of 0 and 255 read as 0 and 1".into());
    }
    // Other formats say themselves what their numbers are.
    let has_sidecar = numbers == Numbers::Grey || kind.format == "OpenEXR";
    if let Some(sidecar) = has_sidecar.then(|| Sidecar::beside(path)).transpose()?.flatten() {
        if sidecar.south_first {
            let height = map.height();
            map = Grid::from_fn(width, height, |x, y| map[(x, height - 1 - y)]);
            notes.push("rows from the south turned round".into());
        }
        if options.sidecar == UseSidecar::Yes {
            (numbers, cell_m) = by_sidecar(&mut map, numbers, &sidecar, &mut notes);
        }
    }
    if empty > 0 {
        let share = 100.0 * empty as f64 / map.len() as f64;
        // A mask has no ground below 0.
        let shares = map.cells().iter().all(|v| v.is_nan() || (0.0..=1.0).contains(v));
        let sea = options.sea_level.unwrap_or(0.0) - if shares { 0.0 } else { 1.0 };
        let height = match options.fill {
            FillNodata::Keep => f32::NAN,
            FillNodata::Sea => sea,
            FillNodata::Height(height) => height,
            FillNodata::Refuse => {
                let (x, y) = place_of(map.cells().iter().position(|v| v.is_nan()).unwrap_or(0));
                let have = if empty == 1 { "has" } else { "have" };
                return Err(Error::Invalid(format!(
                    "{empty} of its {} cells ({share:.1} %) {have} no data, the first at x={x}, y={y}; fill them with --fill-nodata \
                     sea, or with a height: --fill-nodata 12.5",
                    map.len()
                )));
            }
        };
        map.cells_mut().iter_mut().filter(|v| v.is_nan()).for_each(|v| *v = height);
        let filled = match options.fill {
            FillNodata::Sea => " and became sea".to_owned(),
            FillNodata::Height(height) => format!(" and became {height}"),
            _ => String::new(),
        };
        notes.push(format!("{share:.1} % of the cells had no data{filled}"));
    }
    // No negative zero.
    map.cells_mut().iter_mut().for_each(|v| *v += 0.0);
    let size = map.shape();
    Ok(Imported { map, kind, numbers, place, cell_m, size, empty, notes })
}

/// What the numbers and the cells of a map are by the file beside it: grey becomes metres if it has one scale.
fn by_sidecar(
    map: &mut Grid<f32>,
    numbers: Numbers,
    beside: &Sidecar,
    notes: &mut Vec<String>,
) -> (Numbers, Option<(f64, f64)>) {
    let name = &beside.name;
    let cell_m = match beside.size {
        Some((width, height)) if (width, height) != map.shape() => {
            notes.push(format!("{name} is about {width}x{height} cells, so the size of a cell is not known"));
            None
        }
        _ => Some(beside.cell_m),
    };
    match (beside.range_m, numbers) {
        (Some((scale, sea)), Numbers::Grey) => {
            let metres = |grey: f32| (f64::from(grey) * scale - sea) as f32;
            map.cells_mut().iter_mut().for_each(|v| *v = metres(*v));
        }
        (None, Numbers::Grey) => {
            notes.push(format!("{name} has no one scale of heights, so grey stays from 0 to 1"));
            return (numbers, cell_m);
        }
        _ => {}
    }
    notes.push(format!("metres above the sea by {name}"));
    (Numbers::Metres, cell_m)
}

/// Whether the cells with data hold 0 and `most` alone, and both of them.
fn is_mask(map: &Grid<f32>, most: f32) -> bool {
    let mut data = map.cells().iter().filter(|v| !v.is_nan());
    let both = [0.0, most].map(|value| map.cells().contains(&value));
    both == [true, true] && data.all(|&v| v == 0.0 || v == most)
}

impl Imported {
    /// The smallest and the largest number.
    pub fn range(&self) -> (f32, f32) {
        let numbers = self.map.cells().iter().filter(|v| !v.is_nan());
        numbers.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)))
    }

    /// How the file was read, in a line: kind, size, range, cell, place and share of cells without data.
    pub fn summary(&self) -> String {
        let ((low, high), (w, h)) = (self.range(), self.size);
        let mut out = format!("{}, {w}x{h} cells, {} from {low} to {high}", self.kind, self.numbers.name());
        if let Some((x, y)) = self.cell_m {
            let cell = if (x / y - 1.0).abs() < 1e-6 {
                metres(x).to_string()
            } else {
                format!("{} by {}", metres(x), metres(y))
            };
            out += &format!(", a cell is {cell} m");
        }
        if let Some(place) = self.place {
            let crs = place.epsg.map_or("unknown CRS".to_owned(), |code| format!("EPSG:{code}"));
            let degrees = if place.unit == CrsUnit::Degree { " in degrees" } else { "" };
            out += &format!(" ({crs}{degrees})");
        }
        self.notes.iter().for_each(|note| out += &format!(", {note}"));
        out
    }

    /// The same for machines.
    pub fn to_json(&self) -> Value {
        let ((low, high), (w, h)) = (self.range(), self.size);
        json!({
            "format": self.kind.format, "numbers": self.kind.cells, "packing": self.kind.packing, "unit": self.numbers.name(),
            "width": w, "height": h, "min": low, "max": high, "cell_m": self.cell_m.map(|(x, y)| [x, y]),
            "georeference": self.place.map(|p| p.to_json()),
            "nodata_share": self.empty as f64 / (w * h) as f64, "notes": self.notes,
        })
    }

    /// The part of the map that begins at a column and row; `map` is its cells.
    pub fn part(self, map: Grid<f32>, (x, y): (usize, usize)) -> Self {
        let place = self.place.map(|place| place.part(x, y));
        // Degrees have other lengths at other latitudes.
        let cell_m = place.map(|place| place.cell_m(map.height())).or(self.cell_m);
        Self { map, place, cell_m, ..self }
    }

    /// The map with square cells, as every world has them. Where a cell is wider or higher than square by more than a thousandth, columns or
    /// rows are resampled to the longer side, so that no detail is invented.
    pub fn squared(mut self, ctx: &Ctx) -> Result<Self> {
        let Some((x, y)) = self.cell_m.filter(|(x, y)| (x / y - 1.0).abs() > 1e-3) else { return Ok(self) };
        let (w, h) = self.map.shape();
        let fewer = |n: usize, ratio: f64| ((n as f64 * ratio).round() as usize).max(1);
        let size = if x < y { (fewer(w, x / y), h) } else { (w, fewer(h, y / x)) };
        self.map = resampled(&self.map, size, values_of(&self.map), ctx)?;
        self.place = self.place.map(|p| p.resampled((w, h), size));
        self.cell_m = Some((x.max(y), x.max(y)));
        self.notes.push(format!("resampled to {}x{} square cells of {} m", size.0, size.1, metres(x.max(y))));
        Ok(self)
    }
}

/// A length for people: at most five digits after the point.
fn metres(v: f64) -> f64 {
    (v * 1e5).round() / 1e5
}

/// Whether a map holds only 0 and 1.
fn values_of(map: &Grid<f32>) -> Values {
    let mask = map.cells().iter().all(|&v| v == 0.0 || v == 1.0);
    if mask { Values::Mask } else { Values::Measure }
}

/// The grey of a colour by its luminance, if red, green and blue are equal but for a hundredth of the largest value: weights of Rec. ITU-R
/// BT.709.
fn grey([r, g, b]: [f64; 3], most: f64) -> Option<f64> {
    let near = |a: f64, b: f64| (a - b).abs() <= most / 100.0;
    if r == g && g == b {
        return Some(r);
    }
    (near(r, g) && near(g, b) && near(r, b)).then_some(0.2126 * r + 0.7152 * g + 0.0722 * b)
}

fn coloured((x, y): (usize, usize)) -> Error {
    Error::Invalid(format!(
        "this is a colour picture: the pixel at x={x}, y={y} is not grey, so it has no height; give a heightmap or a mask in grey"
    ))
}

fn not_finite((x, y): (usize, usize), v: f32) -> Error {
    Error::Invalid(format!("x={x}, y={y} is {v}; give every cell a finite height"))
}

/// Fails if a map of that size takes more memory than there is, at `bytes` a cell.
fn too_large((width, height): (u64, u64), bytes: u64) -> Result<()> {
    let cells = width.saturating_mul(height);
    if cells > 1 << 34 {
        return Err(Error::Invalid(format!("it claims {width}x{height} cells; cut a part out of it first")));
    }
    memory::check(
        cells.saturating_mul(bytes),
        &format!("its {width}x{height} cells"),
        "cut a part out of it first",
    )
}

/// Why a map is not read although its size was allowed.
fn no_room((width, height): (usize, usize)) -> Error {
    Error::Invalid(format!(
        "there is not enough memory for its {width}x{height} cells; cut a part out of it first"
    ))
}

/// The largest picture whose colours are read.
const MOST_PIXELS: u64 = 1 << 26;

/// Reads the colours of a `.png` picture of any kind, without its transparency.
pub fn colours(path: &Path) -> Result<Grid<[u8; 3]>> {
    let file = files::File::open(path).map_err(|e| Error::io(path, e))?;
    let invalid =
        |what: &str| Error::Invalid(format!("{}: cannot read this picture: {what}", path.display()));
    let broken = |_| invalid("it is not a PNG picture, or it is damaged; save it again as PNG");
    let mut decoder = ::png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(::png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = (reader.info().width, reader.info().height);
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(invalid(&format!(
            "it has {width}x{height} pixels; make it smaller, at most {MOST_PIXELS} pixels"
        )));
    }
    let size = reader.output_buffer_size().ok_or_else(|| invalid("it is too large"))?;
    let mut raw = vec![0; size];
    let info = reader.next_frame(&mut raw).map_err(broken)?;
    let samples = info.color_type.samples();
    let pixel = |p: &[u8]| if samples < 3 { [p[0]; 3] } else { [p[0], p[1], p[2]] };
    let count = info.width as usize * info.height as usize;
    let cells: Vec<[u8; 3]> = raw.chunks_exact(samples).take(count).map(pixel).collect();
    Ok(Grid::from_vec(info.width as usize, info.height as usize, cells))
}

#[cfg(test)]
mod tests;
