//! Maps made elsewhere, in common formats.

use crate::error::{Error, Result};
use crate::files;
use crate::npy;
use serde_json::Value;
use std::io::{BufRead, BufReader, Cursor, Read, Seek};
use std::path::Path;
use tiff::decoder::{Decoder, DecodingResult};
use weald_core::Grid;

/// A map, and how its numbers stood in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The map. Grey is a share of the largest value, from 0 for black to 1 for white; other numbers are as in the file.
    pub map: Grid<f32>,
    /// The type of the numbers: `8-bit grey`, `int16`, `float32`, …
    pub numbers: &'static str,
}

/// Reads the map of [`read`] alone.
pub fn map(path: &Path) -> Result<Grid<f32>> {
    Ok(read(path)?.map)
}

/// Reads a map by the ending of its name: `.json` ({"width", "height", "data"}), `.png` (8- or 16-bit grey), `.r16` and
/// `.raw` (a square of 16-bit grey, little-endian, rows from the north, nothing else), `.npy` (bool, whole numbers or floats),
/// `.tif`/`.tiff` (32-bit float). Grey values of pictures and raw files become value / largest possible. The numbers of
/// all other files stay as they are: those of a .npy file of int16 are metres as those of one of float32 are.
pub fn read(path: &Path) -> Result<Imported> {
    let file = files::File::open(path).map_err(|e| Error::io(path, e))?;
    if files::is_dir(path).is_ok_and(|folder| folder) {
        return Err(Error::io(path, std::io::ErrorKind::IsADirectory.into()));
    }
    let mut input = BufReader::new(file);
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let found = match ending.as_str() {
        "json" => json(&mut input).map(|map| (map, "numbers")),
        "png" => png(&mut input),
        "r16" | "raw" => raw(&mut input).map(|map| (map, "16-bit grey")),
        "npy" => npy::read_numbers(&mut input),
        "tif" | "tiff" => tiff(&mut input).map(|map| (map, "float32")),
        _ => Err(Error::Invalid("use a .json, .png, .r16, .raw, .npy, .tif or .tiff file".into())),
    };
    let (map, numbers) = found.map_err(|e| match e {
        Error::Invalid(message) => Error::Invalid(format!("{}: {message}", path.display())),
        Error::Shape(message) => Error::Shape(format!("{}: {message}", path.display())),
        other => other,
    })?;
    Ok(Imported { map, numbers })
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

fn invalid(what: impl std::fmt::Display) -> Error {
    Error::Invalid(format!("cannot read this map: {what}"))
}

fn json(input: &mut dyn Read) -> Result<Grid<f32>> {
    let value: Value = serde_json::from_reader(input).map_err(invalid)?;
    let side = |key: &str| value.get(key).and_then(Value::as_u64).filter(|&n| n > 0).map(|n| n as usize);
    let (Some(width), Some(height)) = (side("width"), side("height")) else {
        return Err(invalid("it needs \"width\" and \"height\", both whole numbers above 0"));
    };
    let Some(data) = value.get("data").and_then(Value::as_array) else {
        return Err(invalid("it needs \"data\", an array of numbers row after row"));
    };
    if width.checked_mul(height) != Some(data.len()) {
        return Err(Error::Shape(format!("{} numbers do not make a {width}x{height} map", data.len())));
    }
    let cell = |(i, v): (usize, &Value)| {
        let number = v
            .as_f64()
            .ok_or_else(|| invalid(format!("x={}, y={} is {v}, not a number", i % width, i / width)))?;
        Ok(number as f32)
    };
    Ok(Grid::from_vec(width, height, data.iter().enumerate().map(cell).collect::<Result<_>>()?))
}

fn png<R: BufRead + Seek>(input: &mut R) -> Result<(Grid<f32>, &'static str)> {
    let mut reader = ::png::Decoder::new(input).read_info().map_err(invalid)?;
    let info = reader.info();
    let (width, height) = (info.width as usize, info.height as usize);
    let deep = match (info.color_type, info.bit_depth) {
        (::png::ColorType::Grayscale, ::png::BitDepth::Eight) => false,
        (::png::ColorType::Grayscale, ::png::BitDepth::Sixteen) => true,
        (colour, depth) => {
            return Err(invalid(format!(
                "it is {colour:?} with {depth:?} bits; save it as 8- or 16-bit grey"
            )));
        }
    };
    let size = reader.output_buffer_size().ok_or_else(|| invalid("it is too large"))?;
    let mut raw = vec![0; size];
    reader.next_frame(&mut raw).map_err(invalid)?;
    let cells: Vec<f32> = if deep {
        raw.as_chunks::<2>().0.iter().map(|&b| grey16(u16::from_be_bytes(b))).collect()
    } else {
        raw.into_iter().map(grey8).collect()
    };
    Ok((Grid::from_vec(width, height, cells), if deep { "16-bit grey" } else { "8-bit grey" }))
}

/// A grey value of 8 bits as a share of the largest.
fn grey8(v: u8) -> f32 {
    (v as f64 / 255.0) as f32
}

/// A grey value of 16 bits as a share of the largest.
fn grey16(v: u16) -> f32 {
    (v as f64 / 65535.0) as f32
}

fn raw(input: &mut dyn Read) -> Result<Grid<f32>> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(invalid)?;
    let side = (bytes.len() / 2).isqrt();
    if side == 0 || 2 * side * side != bytes.len() {
        return Err(Error::Shape(format!(
            "{} bytes are not a square of 16-bit values (256x256 would be 131072 bytes); save it as a square, or as .png or .npy",
            bytes.len()
        )));
    }
    let cells = bytes.as_chunks::<2>().0.iter().map(|&b| grey16(u16::from_le_bytes(b))).collect();
    Ok(Grid::from_vec(side, side, cells))
}

fn tiff<R: Read>(input: &mut R) -> Result<Grid<f32>> {
    let mut raw = Vec::new();
    input.read_to_end(&mut raw).map_err(invalid)?;
    let mut limits = tiff::decoder::Limits::default();
    limits.decoding_buffer_size = 8 << 30;
    let mut decoder = Decoder::new(Cursor::new(raw)).map_err(invalid)?.with_limits(limits);
    let (width, height) = decoder.dimensions().map_err(invalid)?;
    match decoder.read_image().map_err(invalid)? {
        DecodingResult::F32(cells) if cells.len() == width as usize * height as usize => {
            Ok(Grid::from_vec(width as usize, height as usize, cells))
        }
        _ => Err(invalid("it is not one channel of 32-bit floats")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imported(name: &str, bytes: &[u8]) -> Result<Imported> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        super::read(&path)
    }

    fn read(name: &str, bytes: &[u8]) -> Result<Grid<f32>> {
        Ok(imported(name, bytes)?.map)
    }

    fn grey(depth: ::png::BitDepth, raw: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut out, 2, 1);
        encoder.set_color(::png::ColorType::Grayscale);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(raw).unwrap();
        out
    }

    #[test]
    fn every_format_gives_the_same_map() {
        let expected = Grid::from_vec(2, 1, vec![0.0, 1.0]);
        assert_eq!(read("a.json", br#"{"width": 2, "height": 1, "data": [0, 1.0]}"#).unwrap(), expected);
        assert_eq!(read("a.png", &grey(::png::BitDepth::Eight, &[0, 255])).unwrap(), expected);
        assert_eq!(read("a.png", &grey(::png::BitDepth::Sixteen, &[0, 0, 255, 255])).unwrap(), expected);
        let mut file = Vec::new();
        npy::write(&mut file, &weald_core::Cells::F32(&expected)).unwrap();
        assert_eq!(read("a.npy", &file).unwrap(), expected);
        let mut file = Cursor::new(Vec::new());
        let mut encoder = tiff::encoder::TiffEncoder::new(&mut file).unwrap();
        encoder.write_image::<tiff::encoder::colortype::Gray32Float>(2, 1, &[0.0, 1.0]).unwrap();
        assert_eq!(read("a.tif", file.get_ref()).unwrap(), expected);
    }

    #[test]
    fn raw_heights_are_a_little_endian_square_and_anything_else_is_refused() {
        let bytes = [0, 0, 0xff, 0xff, 0x00, 0x80, 0x01, 0x00];
        let expected =
            Grid::from_vec(2, 2, [0.0, 65535.0, 32768.0, 1.0].map(|v| (v / 65535.0) as f32).into());
        assert_eq!(read("a.r16", &bytes).unwrap(), expected);
        assert_eq!(read("a.RAW", &bytes).unwrap(), expected);
        for size in [0, 1, 3, 6, 7, 9, 10] {
            let error = read("a.raw", &vec![0; size]).unwrap_err();
            assert!(error.to_string().contains(&format!("{size} bytes are not a square")), "{error}");
            assert_eq!(error.exit_code(), 3);
        }
    }

    #[test]
    fn grey_values_of_pictures_are_shares_and_whole_numbers_of_numpy_are_values() {
        use weald_core::Cells;
        let numpy = |data: Cells| {
            let mut file = Vec::new();
            npy::write(&mut file, &data).unwrap();
            let Imported { map, numbers } = imported("a.npy", &file).unwrap();
            (map.into_vec(), numbers)
        };
        let bytes = Grid::from_vec(3, 1, vec![0, 51, 255]);
        assert_eq!(numpy(Cells::U8(&bytes)), (vec![0.0, 51.0, 255.0], "uint8"));
        let words = Grid::from_vec(3, 1, vec![0, 13107, 65535]);
        assert_eq!(numpy(Cells::U16(&words)), (vec![0.0, 13107.0, 65535.0], "uint16"));
        let metres = Grid::from_vec(2, 1, vec![-40, 812]);
        assert_eq!(numpy(Cells::I32(&metres)), (vec![-40.0, 812.0], "int32"));
        let png = imported("a.png", &grey(::png::BitDepth::Eight, &[51, 255])).unwrap();
        assert_eq!((png.map.into_vec(), png.numbers), (vec![0.2, 1.0], "8-bit grey"));
        let png = imported("a.png", &grey(::png::BitDepth::Sixteen, &[51, 51, 255, 255])).unwrap();
        assert_eq!((png.map.into_vec(), png.numbers), (vec![0.2, 1.0], "16-bit grey"));
        let raw = imported("a.r16", &[0xff, 0xff]).unwrap();
        assert_eq!((raw.map.into_vec(), raw.numbers), (vec![1.0], "16-bit grey"));
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_the_file_and_the_reason() {
        for (name, bytes, reason) in [
            ("a.txt", b"x".as_slice(), "use a .json"),
            ("a.json", b"{}", "width"),
            ("a.json", br#"{"width": 2, "height": 1, "data": [0]}"#, "1 numbers do not make"),
            ("a.json", br#"{"width": 1, "height": 1, "data": ["a"]}"#, "x=0, y=0"),
            ("a.png", b"no", "cannot read"),
            ("a.tiff", b"no", "cannot read"),
        ] {
            let message = read(name, bytes).unwrap_err().to_string();
            assert!(message.contains(reason) && message.contains(name), "{message}");
        }
        assert!(matches!(map(Path::new("no such file.png")), Err(Error::Io { .. })));
    }
}
