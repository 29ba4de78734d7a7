//! Maps made elsewhere, in common formats.
//!
//! | format | numbers | place |
//! | --- | --- | --- |
//! | TIFF, GeoTIFF, BigTIFF | whole numbers of 1 to 64 bits, floats of 16 to 64 bits; uncompressed, LZW, deflate, PackBits, ZSTD | cell size, corner, EPSG code, nodata; a world file `.tfw` or `.tif.aux.xml` beside it |
//! | PNG | 1 to 16 bits, grey, palette or colours that are all grey | a file `.png.aux.xml` beside it |
//! | NumPy `.npy` | bool, whole numbers and floats of every size and order of bytes | |
//! | OpenEXR | float16, float32, uint32 | |
//! | ASCII grid `.asc` | text | cell size, corner, nodata |
//! | `.hgt` of SRTM | int16 metres | the degree of its name |
//! | `.r16`, `.raw` | 16-bit grey; 8-bit grey and float32 with a size | |
//! | JSON | `{"width", "height", "data"}` | |

mod beside;
#[cfg(feature = "exr")]
mod exr;
mod imported;
mod pam;
mod png;
mod raw;
mod sidecar;
mod text;
mod tiff;
mod units;
mod wkt;

use crate::reading::is_mask;
pub use crate::reading::{Crop, FillNodata, ReadOptions, UseSidecar};
use beside::Beside;
pub use imported::{Imported, Kind, Numbers};
pub use sidecar::Sidecar;

use crate::error::{Error, Result};
use crate::files;
use crate::georeference::GeoReference;
use crate::{memory, npy};
use std::io::{BufReader, Read};
use std::path::Path;
use weald_core::{Ctx, Grid};

/// A map as its format holds it: the numbers of the file, of which those without data are NaN.
struct Decoded {
    map: Grid<f32>,
    /// The number that is white, if the numbers are grey.
    white: f64,
    kind: Kind,
    numbers: Numbers,
    place: Option<GeoReference>,
    notes: Vec<String>,
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
    let found = bytes_of(path).and_then(|bytes| decoded(path, &bytes, options));
    named(path, found.and_then(|decoded| finished(path, decoded, options)))
}

/// Reads a map from the bytes of a NumPy file, as [`read`] reads the file. Errors call it `name`.
pub fn read_npy(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported> {
    let path = Path::new(name);
    named(path, numpy(bytes).and_then(|decoded| finished(path, decoded, options)))
}

/// The same, with the file that an error is about.
fn named<T>(path: &Path, found: Result<T>) -> Result<T> {
    found.map_err(|e| match e {
        Error::Invalid(message) => Error::Invalid(format!("{}: {message}", path.display())),
        Error::Shape(message) => Error::Shape(format!("{}: {message}", path.display())),
        Error::Memory(message) => Error::Memory(format!("{}: {message}", path.display())),
        other => other,
    })
}

/// Bytes that are read of what is no file, such as a pipe.
#[cfg(not(target_arch = "wasm32"))]
const MOST_STREAMED: u64 = 1 << 30;

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
        if !about.is_file() {
            // Its length is not known before it ends, if it ever does.
            file.take(MOST_STREAMED + 1).read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
            if bytes.len() as u64 > MOST_STREAMED {
                let message = "this is no file but a stream of more than 1 GiB; save it to a file first";
                return Err(Error::Invalid(message.into()));
            }
            return Ok(bytes);
        }
    }
    file.read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
    Ok(bytes)
}

/// The name of a file without its folder.
fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The bytes of a file beside a map, without the mark of UTF-8.
fn bytes_beside(file: &Path) -> Result<Vec<u8>> {
    let mut bytes = bytes_of(file)?;
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    Ok(bytes)
}

/// The text of a file beside a map. Fails if it is not in UTF-8.
fn text_beside(file: &Path) -> Result<String> {
    String::from_utf8(bytes_beside(file)?).map_err(|_| {
        let message =
            format!("{} beside it is not text in UTF-8; save it again in UTF-8, or remove it", name_of(file));
        Error::Invalid(message)
    })
}

/// Decodes the bytes of a file in its format.
fn decoded(path: &Path, bytes: &[u8], options: &ReadOptions) -> Result<Decoded> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let begins = |magic: &[u8]| bytes.starts_with(magic);
    let raw = matches!(ending.as_str(), "r16" | "raw" | "hgt");
    if bytes.is_empty() && !raw {
        return Err(Error::Invalid("this file is empty; write it again".into()));
    }
    let text = || bytes.iter().find(|b| !b.is_ascii_whitespace());
    match ending.as_str() {
        "hgt" => raw::hgt(path, bytes),
        "r16" | "raw" => {
            let beside = if options.raw_size.is_none() { Sidecar::beside(path)? } else { None };
            let name = beside.as_ref().map(|beside| beside.name.as_str());
            let size = options.raw_size.or(beside.as_ref().and_then(|beside| beside.size));
            raw::heights(bytes, size, name, options.nodata)
        }
        _ if options.raw_size.is_some() => {
            let message = "--raw-size is for .r16 and .raw files, which do not say their size; leave it out";
            Err(Error::Invalid(message.into()))
        }
        _ if begins(b"\x89PNG\r\n\x1a\n") => {
            // Grey whose metres a file of this program says, or that no heights are asked of, stays grey.
            let heights = options.sidecar == UseSidecar::Yes && Sidecar::beside(path)?.is_none();
            png::read(bytes, options.nodata, &Beside::of(path)?, heights)
        }
        _ if begins(b"II*\0") || begins(b"MM\0*") || begins(b"II+\0") || begins(b"MM\0+") => {
            let mut decoded = tiff::read(bytes, options.nodata, &Beside::of(path)?, &Ctx::default())?;
            let mask = format!("{}.msk", path.file_name().unwrap_or_default().to_string_lossy());
            if files::is_file(&path.with_file_name(&mask)) {
                decoded.notes.push(format!(
                    "{mask} beside it is not read; gdal_translate --config GDAL_TIFF_INTERNAL_MASK YES puts the mask into the file"
                ));
            }
            Ok(decoded)
        }
        _ if begins(b"\x93NUMPY") => numpy(bytes),
        _ if begins(b"\x76\x2f\x31\x01") => open_exr(bytes),
        _ if matches!(ending.as_str(), "asc" | "grd")
            || bytes.get(..5).is_some_and(|b| b.eq_ignore_ascii_case(b"ncols")) =>
        {
            text::ascii_grid(bytes, &Beside::of(path)?)
        }
        _ if text() == Some(&b'{') => {
            // A number of a few letters takes 32 bytes while it is read.
            memory::check(bytes.len() as u64 * 20, "this JSON file", "save the map as .npy or .tif")?;
            text::json(bytes)
        }
        _ => Err(unknown(&ending, bytes)),
    }
}

/// Why a file is none that is read.
fn unknown(ending: &str, bytes: &[u8]) -> Error {
    let others: [(&[u8], &str); 11] = [
        (
            b"\xff\xd8\xff",
            "a JPEG photograph; heights in JPEG have lost their steps, so use the PNG or TIFF it was made from",
        ),
        (b"GIF8", "a GIF picture; save it as PNG"),
        (b"<VRTDataset", "a GDAL VRT file; convert it with gdal_translate IN.vrt OUT.tif"),
        (b"EHFA_HEADER_TAG", "an ERDAS Imagine file; convert it with gdal_translate IN.img OUT.tif"),
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
    if ending == "dem" {
        return Error::Invalid(
            "this .dem file is not in a format that is read; convert it with gdal_translate IN.dem OUT.tif"
                .into(),
        );
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
    // One byte may be a cell of four.
    memory::check(6 * bytes.len() as u64, "this array", "cut a part out of it first")?;
    let (map, cells) = npy::read_numbers(&mut &bytes[..])?;
    let numbers = match cells {
        "bool" => Numbers::Plain,
        whole if !whole.starts_with("float") => Numbers::Metres,
        _ => Numbers::Plain,
    };
    let kind = Kind { format: "NumPy", cells: cells.into(), packing: String::new() };
    Ok(Decoded { map, white: 1.0, kind, numbers, place: None, notes: Vec::new() })
}

#[cfg(feature = "exr")]
fn open_exr(bytes: &[u8]) -> Result<Decoded> {
    exr::read(bytes)
}

#[cfg(not(feature = "exr"))]
fn open_exr(_: &[u8]) -> Result<Decoded> {
    Err(Error::Invalid("this build does not read EXR files; save it as .tif, .png or .npy".into()))
}

/// Makes heights of the numbers of a file, with what stands beside it, of the part that is asked for, and fills cells without data.
fn finished(path: &Path, decoded: Decoded, options: &ReadOptions) -> Result<Imported> {
    let Decoded { mut map, white, kind, mut numbers, mut place, mut notes } = decoded;
    let size = map.shape();
    if let Some(place) = place.filter(|place| place.is_beyond_a_pole(size.1)) {
        let south = place.north - size.1 as f64 * place.step.1;
        return Err(Error::Invalid(format!(
            "its rows run from latitude {} to {south}, and no latitude lies beyond 90 and -90; if these are no degrees, give it its true \
             system, a TIFF with gdal_edit.py -a_srs EPSG:32633 IN.tif for the UTM zone of the place, an .asc with a .prj file beside it",
            place.north
        )));
    }
    // Other formats compare them when they read them.
    let compared = matches!(kind.format, "NumPy" | "OpenEXR" | "ASCII grid" | "JSON" | "SRTM tile");
    if let Some(nodata) = options.nodata.filter(|_| compared) {
        map.cells_mut().iter_mut().filter(|v| **v == nodata).for_each(|v| *v = f32::NAN);
    }
    if let (Numbers::Metres, Some(white)) = (numbers, mask_of(&map, &kind)) {
        map.cells_mut().iter_mut().for_each(|v| *v /= white);
        numbers = Numbers::Plain;
        notes.push(format!("a mask of 0 and {white}{}", if white == 1.0 { "" } else { " read as 0 and 1" }));
    }
    // Other formats say themselves what their numbers are.
    let has_sidecar = numbers == Numbers::Grey || kind.format == "OpenEXR";
    let sidecar = has_sidecar.then(|| Sidecar::beside(path)).transpose()?.flatten();
    if sidecar.as_ref().is_some_and(|beside| beside.south_first) {
        map = Grid::from_fn(size.0, size.1, |x, y| map[(x, size.1 - 1 - y)]);
        notes.push("rows from the south turned round".into());
    }
    if let Some(crop) = options.crop {
        map = crop.cut("", &map)?;
        place = place.map(|place| place.part(crop.x, crop.y));
        notes.push(crop.to_string());
    }
    // Degrees have other lengths at other latitudes.
    let mut cell_m = place.map(|place| place.cell_m(map.height()));
    let at = options.crop.map_or((0, 0), |crop| (crop.x, crop.y));
    let place_of = |i: usize| (at.0 + i % map.width(), at.1 + i / map.width());
    if let Some(i) = map.cells().iter().position(|v| v.is_infinite()) {
        return Err(not_finite(place_of(i), map.cells()[i]));
    }
    let empty = map.cells().iter().filter(|v| v.is_nan()).count();
    if let (Some(nodata), 0) = (options.nodata, empty) {
        notes.push(format!("no cell is {nodata}"));
    }
    let sidecar = sidecar.filter(|_| options.sidecar == UseSidecar::Yes);
    let beside = sidecar.as_ref().map(|beside| beside.name.clone());
    match sidecar {
        Some(beside) => (numbers, cell_m) = by_sidecar(&mut map, (numbers, white), &beside, size, &mut notes),
        None if numbers == Numbers::Grey => {
            map.cells_mut().iter_mut().for_each(|v| *v = (f64::from(*v) / white) as f32);
        }
        None => {}
    }
    if empty > 0 || options.sea_level.is_some() {
        fill((&mut map, numbers), empty, options, at, &mut notes)?;
    }
    // No negative zero.
    map.cells_mut().iter_mut().for_each(|v| *v += 0.0);
    Ok(Imported { map, kind, numbers, place, cell_m, size, crop: options.crop, empty, beside, notes })
}

/// Fills the cells without data, of which there are `empty`, as the options say. Fails if a height of the options is none of the map.
fn fill(
    (map, numbers): (&mut Grid<f32>, Numbers),
    empty: usize,
    options: &ReadOptions,
    at: (usize, usize),
    notes: &mut Vec<String>,
) -> Result<()> {
    let shares = numbers != Numbers::Metres && are_shares(map);
    let outside = |option: &str, v: f32| {
        let message = format!("{option} {v}: the numbers of this map run from 0 to 1; give one of these");
        Err(Error::Invalid(message))
    };
    // A sea below black is none.
    let sea = options.sea_level.unwrap_or(0.0);
    if shares && sea > 1.0 {
        return outside("--sea-level", sea);
    }
    if empty == 0 {
        return Ok(());
    }
    let share = 100.0 * empty as f64 / map.len() as f64;
    let height = match options.fill {
        FillNodata::Keep => f32::NAN,
        // Grey has no ground below 0.
        FillNodata::Sea if shares => sea.max(0.0),
        FillNodata::Sea => sea - 1.0,
        FillNodata::Height(height) if shares && !(0.0..=1.0).contains(&height) => {
            return outside("--fill-nodata", height);
        }
        FillNodata::Height(height) => height,
        FillNodata::Refuse => {
            let first = map.cells().iter().position(|v| v.is_nan()).unwrap_or(0);
            let (x, y) = (at.0 + first % map.width(), at.1 + first / map.width());
            let have = if empty == 1 { "has" } else { "have" };
            return Err(Error::Invalid(format!(
                "{empty} of its {} cells ({share:.1} %) {have} no data, the first at x={x}, y={y}; fill them with --fill-nodata \
                 sea, or with a height: --fill-nodata {}",
                map.len(),
                if shares { "0.5" } else { "12.5" }
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
    Ok(())
}

/// What the numbers and the cells of a map are by the file beside it: grey becomes metres if the file says how.
fn by_sidecar(
    map: &mut Grid<f32>,
    (numbers, white): (Numbers, f64),
    beside: &Sidecar,
    size: (usize, usize),
    notes: &mut Vec<String>,
) -> (Numbers, Option<(f64, f64)>) {
    let name = &beside.name;
    let cell_m = match beside.size {
        Some((width, height)) if (width, height) != size => {
            notes.push(format!("{name} is about {width}x{height} cells, so the size of a cell is not known"));
            None
        }
        _ => Some(beside.cell_m),
    };
    if numbers == Numbers::Grey {
        let share = |v: f32| f64::from(v) / white;
        let Some(scale) = &beside.scale else {
            map.cells_mut().iter_mut().for_each(|v| *v = share(*v) as f32);
            notes.push(format!("{name} has no scale of heights, so grey stays from 0 to 1"));
            return (numbers, cell_m);
        };
        map.cells_mut().iter_mut().for_each(|v| *v = scale.metres(share(*v)) as f32);
    }
    notes.push(format!("metres above the sea by {name}"));
    (Numbers::Metres, cell_m)
}

/// The number that is land if a map is a mask: 1 of zeros and ones alone, and 255 of bytes or 1 of floats where edges may be blurred.
fn mask_of(map: &Grid<f32>, kind: &Kind) -> Option<f32> {
    let holds = |value: f32| map.cells().contains(&value);
    if map.cells().iter().all(|v| v.is_nan() || *v == 0.0 || *v == 1.0) {
        return (holds(0.0) && holds(1.0)).then_some(1.0);
    }
    let white = match kind.cells.as_str() {
        "uint8" => 255.0,
        floats if floats.starts_with("float") && are_shares(map) => 1.0,
        _ => return None,
    };
    (holds(0.0) && holds(white) && is_mask(map, white)).then_some(white)
}

/// Whether all cells that have data lie between 0 and 1.
fn are_shares(map: &Grid<f32>) -> bool {
    map.cells().iter().all(|v| v.is_nan() || (0.0..=1.0).contains(v))
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
    let beyond = if v < 0.0 { "below -3.4e38" } else { "above 3.4e38" };
    Error::Invalid(format!(
        "x={x}, y={y} is {v}, or a number {beyond}; give every cell a finite height, or say with --nodata {v} that such cells have no data"
    ))
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
