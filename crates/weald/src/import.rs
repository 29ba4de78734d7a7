//! Maps made elsewhere, read from the formats people have.

use crate::error::{Error, Result};
use crate::export::npy;
use serde_json::Value;
use std::io::{BufRead, BufReader, Cursor, Read, Seek};
use std::path::Path;
use tiff::decoder::{Decoder, DecodingResult};
use weald_core::Grid;

/// Reads a map by the ending of its name: `.json` ({"width", "height", "data"}), `.png` (8- or 16-bit grey), `.npy`
/// (float32 or float64), `.tif`/`.tiff` (32-bit float). Grey values become value / largest possible; floats stay.
pub fn map(path: &Path) -> Result<Grid<f32>> {
    let file = std::fs::File::open(path).map_err(|e| Error::io(path, e))?;
    if file.metadata().is_ok_and(|m| m.is_dir()) {
        return Err(Error::io(path, std::io::ErrorKind::IsADirectory.into()));
    }
    let mut input = BufReader::new(file);
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let grid = match ending.as_str() {
        "json" => json(&mut input),
        "png" => png(&mut input),
        "npy" => numpy(&mut input),
        "tif" | "tiff" => tiff(&mut input),
        _ => Err(Error::Invalid("use a .json, .png, .npy, .tif or .tiff file".into())),
    };
    grid.map_err(|e| match e {
        Error::Invalid(message) => Error::Invalid(format!("{}: {message}", path.display())),
        Error::Shape(message) => Error::Shape(format!("{}: {message}", path.display())),
        other => other,
    })
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

fn png<R: BufRead + Seek>(input: &mut R) -> Result<Grid<f32>> {
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
        raw.as_chunks::<2>().0.iter().map(|&b| (u16::from_be_bytes(b) as f64 / 65535.0) as f32).collect()
    } else {
        raw.iter().map(|&b| (b as f64 / 255.0) as f32).collect()
    };
    Ok(Grid::from_vec(width, height, cells))
}

fn numpy(input: &mut dyn Read) -> Result<Grid<f32>> {
    match npy::read(input)? {
        npy::Array::F32(grid) => Ok(grid),
        npy::Array::F64(grid) => {
            let (w, h) = (grid.width(), grid.height());
            Ok(Grid::from_vec(w, h, grid.into_vec().into_iter().map(|v| v as f32).collect()))
        }
        _ => Err(invalid("it holds whole numbers; save it as float32 or float64")),
    }
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

    fn read(name: &str, bytes: &[u8]) -> Result<Grid<f32>> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        map(&path)
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
        npy::write(&mut file, &crate::layer::Data::F32(&expected)).unwrap();
        assert_eq!(read("a.npy", &file).unwrap(), expected);
        let mut file = Cursor::new(Vec::new());
        let mut encoder = tiff::encoder::TiffEncoder::new(&mut file).unwrap();
        encoder.write_image::<tiff::encoder::colortype::Gray32Float>(2, 1, &[0.0, 1.0]).unwrap();
        assert_eq!(read("a.tif", file.get_ref()).unwrap(), expected);
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
