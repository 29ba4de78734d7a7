//! PNG pictures as maps.

use super::beside::{Beside, NorthUp, north_up};
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
/// nor have those of the value `nodata`, which counts in the bits of the file, as does that of the file `beside` it. What that one says of the
/// place and the heights makes metres of grey numbers if they are `heights`.
pub(super) fn read(bytes: &[u8], nodata: Option<f32>, beside: &Beside, heights: bool) -> Result<Decoded> {
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
        let number = v * bits_most / most;
        let empty = nodata.is_some_and(|n| number == f64::from(n)) || beside.pam.nodata == Some(number);
        Ok(if empty { f32::NAN } else { v as f32 })
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
    let grey = Decoded { map, white: most, kind, numbers: Numbers::Grey, place: None, notes: Vec::new() };
    let one_number = matches!(first_type, ColorType::Grayscale | ColorType::GrayscaleAlpha);
    by_pam(grey, beside, (heights && one_number).then_some(bits_most / most))
}

/// A picture with what the file beside it says: the place, and, if `bits` makes numbers of the file of its grey, metres in place of grey.
fn by_pam(mut decoded: Decoded, beside: &Beside, bits: Option<f64>) -> Result<Decoded> {
    let pam = &beside.pam;
    let system = pam.system()?;
    let north_up =
        pam.corner.map(|corner| north_up(corner, system, decoded.map.shape())).transpose()?.flatten();
    let mut notes = Vec::new();
    if let Some(NorthUp { place, south_first, note }) = north_up {
        let (w, h) = decoded.map.shape();
        if south_first {
            decoded.map = Grid::from_fn(w, h, |x, y| decoded.map[(x, h - 1 - y)]);
        }
        decoded.place = Some(place);
        notes.extend(note);
    }
    let bits = bits.filter(|_| decoded.place.is_some() || pam.scales());
    if let Some(bits) = bits {
        decoded.map.cells_mut().iter_mut().for_each(|v| *v = (f64::from(*v) * bits) as f32);
        pam.heights(system).apply(&mut decoded.map, &mut notes);
        decoded.numbers = Numbers::Metres;
    }
    let taken = [
        (pam.nodata.is_some(), "nodata"),
        (decoded.place.is_some(), "place"),
        (bits.is_some(), "heights in metres"),
    ];
    decoded.notes.extend(pam.note(&taken));
    decoded.notes.extend(notes);
    Ok(decoded)
}
