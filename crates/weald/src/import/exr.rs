//! OpenEXR pictures as maps.

use super::{Decoded, Kind, Numbers, coloured, too_large};
use crate::error::{Error, Result};
use exr::prelude::{Compression, FlatSamples, ReadChannels, ReadLayers, read as exr_read};
use std::io::Cursor;
use weald_core::Grid;

fn damaged() -> Error {
    Error::Invalid("this EXR file is damaged, incomplete or of a kind that is not read; fetch it again, or save it again as 32-bit float EXR".into())
}

/// Reads the first layer: its channel `R`, whose `G` and `B` must be equal to it, else `Y`, `Z`, `V` or the first one that is no opacity. Names
/// may begin with that of a layer, as in `Combined.R`.
pub(super) fn read(bytes: &[u8]) -> Result<Decoded> {
    let meta = exr::meta::MetaData::read_from_buffered(Cursor::new(bytes), false).map_err(|_| damaged())?;
    for header in &meta.headers {
        // Its decoder also reserves whatever memory a damaged file claims, which ends the program.
        if let Compression::DWAA(_) | Compression::DWAB(_) = header.compression {
            return Err(Error::Invalid(
                "this EXR file is compressed with DWA, which loses the steps between heights; save it with ZIP or PIZ, or uncompressed"
                    .into(),
            ));
        }
        let channels = header.channels.list.len() as u64;
        too_large((header.layer_size.width() as u64, header.layer_size.height() as u64), 12 + 8 * channels)?;
    }
    let image = exr_read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .first_valid_layer()
        .all_attributes();
    let image = image.non_parallel().from_buffered(Cursor::new(bytes)).map_err(|_| damaged())?;
    let layer = &image.layer_data;
    let (width, height) = (layer.size.width(), layer.size.height());
    let channels = &layer.channel_data.list;
    let find = |name: &str| {
        let dotted = format!(".{name}");
        let of_layer = || channels.iter().find(|c| c.name.to_string().ends_with(&dotted));
        channels.iter().find(|c| c.name.to_string() == name).or_else(of_layer)
    };
    let opacity = |name: &str| name == "A" || name.ends_with(".A");
    let other = || channels.iter().find(|c| !opacity(&c.name.to_string())).or(channels.first());
    let chosen = ["R", "Y", "Z", "V"].into_iter().find_map(find).or_else(other).ok_or_else(damaged)?;
    let name = chosen.name.to_string();
    let (values, numbers) = floats(&chosen.sample_data);
    if values.len() != width * height || values.is_empty() {
        return Err(damaged());
    }
    if let Some(layer) = name.strip_suffix('R') {
        let beside =
            |colour: &str| channels.iter().find(|c| c.name.to_string() == format!("{layer}{colour}"));
        for other in [beside("G"), beside("B")].into_iter().flatten() {
            let (other, _) = floats(&other.sample_data);
            let differs = |(a, b): (&f32, &f32)| a != b && !(a.is_nan() && b.is_nan());
            if let Some(i) = values.iter().zip(&other).position(differs) {
                return Err(coloured((i % width, i / width)));
            }
        }
    }
    let kind =
        Kind { format: "OpenEXR", cells: format!("{numbers}, channel {name}"), packing: String::new() };
    let map = Grid::from_vec(width, height, values);
    Ok(Decoded { map, white: 1.0, kind, numbers: Numbers::Plain, place: None, notes: Vec::new() })
}

/// The numbers of a channel, and their type.
fn floats(samples: &FlatSamples) -> (Vec<f32>, &'static str) {
    match samples {
        FlatSamples::F16(v) => (v.iter().map(|v| v.to_f32()).collect(), "float16"),
        FlatSamples::F32(v) => (v.clone(), "float32"),
        FlatSamples::U32(v) => (v.iter().map(|&v| v as f32).collect(), "uint32"),
    }
}
