//! PNG pictures as maps.

use super::{Decoded, Kind, Numbers, coloured, grey, too_large};
use crate::error::{Error, Result};
use png::{BitDepth, ColorType, Decoder, Limits, Transformations};
use std::io::Cursor;
use weald_core::Grid;

fn damaged() -> Error {
    Error::Invalid(
        "this PNG file is damaged or incomplete; fetch it again, or save it again as 16-bit grey PNG".into(),
    )
}

/// Reads a picture of 1 to 16 bits, grey, with a palette or in colours that are all grey. Pixels that are wholly transparent have no data,
/// nor have those of the value `nodata`, which counts in the bits of the file.
pub(super) fn read(bytes: &[u8], nodata: Option<f32>) -> Result<Decoded> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: usize::MAX });
    decoder.set_transformations(Transformations::EXPAND);
    // Text and profiles can be compressed, and no limit holds for them.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().map_err(|_| damaged())?;
    let info = reader.info();
    let (width, height) = (info.width as usize, info.height as usize);
    let (first_type, first_depth) = (info.color_type, info.bit_depth as u8);
    // Eight bytes for a pixel of the picture at most, and four for a cell of the map.
    too_large((width as u64, height as u64), 12)?;
    let size = reader.output_buffer_size().ok_or_else(damaged)?;
    let mut raw = Vec::new();
    raw.try_reserve_exact(size).map_err(|_| super::no_room((width, height)))?;
    raw.resize(size, 0);
    let frame = reader.next_frame(&mut raw).map_err(|_| damaged())?;
    let (samples, wide) =
        (frame.color_type.samples(), if frame.bit_depth == BitDepth::Sixteen { 2 } else { 1 });
    let most = if wide == 2 { 65535.0 } else { 255.0 };
    // Grey of fewer than 8 bits was widened to 8.
    let bits_most =
        if first_type == ColorType::Grayscale { f64::from((1u32 << first_depth) - 1) } else { most };
    let value = |pixel: &[u8], k: usize| match wide {
        2 => f64::from(u16::from_be_bytes([pixel[2 * k], pixel[2 * k + 1]])),
        _ => f64::from(pixel[k]),
    };
    let cell = |(i, pixel): (usize, &[u8])| {
        let alpha = matches!(samples, 2 | 4).then(|| value(pixel, samples - 1));
        if alpha == Some(0.0) {
            return Ok(f32::NAN);
        }
        let v = match samples {
            1 | 2 => value(pixel, 0),
            _ => grey([value(pixel, 0), value(pixel, 1), value(pixel, 2)], most)
                .ok_or_else(|| coloured((i % width, i / width)))?,
        };
        Ok(if nodata.is_some_and(|n| v * bits_most / most == f64::from(n)) { f32::NAN } else { v as f32 })
    };
    let cells = raw.chunks_exact(samples * wide).take(width * height).enumerate().map(cell);
    let map = Grid::from_vec(width, height, cells.collect::<Result<_>>()?);
    let colours = match first_type {
        ColorType::Grayscale => "grey",
        ColorType::GrayscaleAlpha => "grey with transparency",
        ColorType::Indexed => "palette of greys",
        ColorType::Rgb | ColorType::Rgba => "greys as colours",
    };
    let kind = Kind { format: "PNG", cells: format!("{first_depth}-bit {colours}"), packing: String::new() };
    Ok(Decoded { map, white: most, kind, numbers: Numbers::Grey, place: None, notes: Vec::new() })
}
