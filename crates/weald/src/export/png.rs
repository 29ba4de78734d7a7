//! Layers as pictures that keep their numbers: 16-bit grey for measures, indexed colours for classes.

use crate::catalogue::{Cells, Class, Kind, Layer};
use crate::png::{Colours, Picture, Pixel};
use std::io::{self, Write};
use weald_core::Grid;

/// Writes a layer as PNG. Measures and flags become 16-bit grey with v = round((value − min) / (max − min) · 65535), so
/// that value = min + v / 65535 · (max − min); whole numbers that fit keep their value (min 0, max 65535). Classes become
/// 8-bit indices with the class colours as palette. Returns (min, max) of the grey scale.
pub fn write(out: &mut dyn Write, layer: &Layer, (min, max): (f64, f64)) -> io::Result<Option<(f64, f64)>> {
    let cells = layer.cells();
    if let Kind::Classes(classes) = layer.kind {
        write_classes(out, &cells, classes)?;
        return Ok(None);
    }
    let whole = !cells.is_float() && min >= 0.0 && max <= 65535.0;
    let (low, high) = if whole { (0.0, 65535.0) } else { (min, max) };
    let scale = if high > low { 65535.0 / (high - low) } else { 0.0 };
    grey16(cells.shape()).write(
        out,
        Colours::Unsaid,
        #[inline(always)]
        |y, row| {
            let grey = |value: f64| (((value - low) * scale).round() as u16).to_be_bytes();
            fill(&cells, y, row.as_chunks_mut::<2>().0, grey);
        },
    )?;
    Ok(Some((low, high)))
}

/// Writes grey values as PNG: one channel of 16 bits, big-endian as in every PNG, rows from the north, and no gamma or colour
/// profile, so that no reader changes the values.
pub fn write_grey16(out: &mut dyn Write, values: &Grid<u16>) -> io::Result<()> {
    grey16(values.shape()).write(
        out,
        Colours::Unsaid,
        #[inline(always)]
        |y, row| {
            row.as_chunks_mut::<2>()
                .0
                .iter_mut()
                .zip(values.row(y))
                .for_each(|(to, v)| *to = v.to_be_bytes());
        },
    )
}

fn grey16(size: (usize, usize)) -> Picture {
    Picture { size, pixel: Pixel::Grey16 }
}

/// Writes `of(value)` for every cell of row `y`.
#[inline(always)]
fn fill<T>(cells: &Cells, y: usize, out: &mut [T], of: impl Fn(f64) -> T) {
    macro_rules! row {
        ($grid:expr, $value:expr) => {
            out.iter_mut().zip($grid.row(y)).for_each(|(to, v)| *to = of($value(*v)))
        };
    }
    match cells {
        Cells::F32(g) => row!(g, f64::from),
        Cells::F64(g) => row!(g, f64::from),
        Cells::U8(g) => row!(g, f64::from),
        Cells::U16(g) => row!(g, f64::from),
        Cells::U32(g) => row!(g, f64::from),
        Cells::I32(g) => row!(g, f64::from),
        Cells::Dir(g) => row!(g, |d: weald_core::Dir8| f64::from(d.0)),
    }
}

fn write_classes(out: &mut dyn Write, data: &Cells, classes: &[Class]) -> io::Result<()> {
    let mut palette = vec![0u8; 3 * 256];
    for class in classes {
        let at = class.value as usize * 3;
        palette[at..at + 3].copy_from_slice(&class.colour);
    }
    let picture = Picture { size: data.shape(), pixel: Pixel::Index8 };
    picture.write(out, Colours::Palette(&palette), |y, row| fill(data, y, row, |value| value as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::LayerSpec;

    fn decode(bytes: &[u8]) -> (::png::ColorType, Vec<u8>, Option<Vec<u8>>) {
        let mut reader = ::png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut raw = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut raw).unwrap();
        (reader.info().color_type, raw, reader.info().palette.as_ref().map(|p| p.to_vec()))
    }

    #[test]
    fn a_measure_spans_the_grey_scale_and_whole_numbers_stay() {
        let height = Grid::from_vec(3, 1, vec![-10.0f32, 0.0, 30.0]);
        let layer = Layer::new(LayerSpec::measure("height", "float32", "m", ""), height);
        let mut out = Vec::new();
        assert_eq!(write(&mut out, &layer, (-10.0, 30.0)).unwrap(), Some((-10.0, 30.0)));
        let (_, raw, _) = decode(&out);
        assert_eq!(raw, [0, 0, 0x40, 0x00, 255, 255]);
        let count = Grid::from_vec(2, 1, vec![7u32, 300]);
        let layer = Layer::new(LayerSpec::measure("count", "uint32", "", ""), count);
        let mut out = Vec::new();
        write(&mut out, &layer, (7.0, 300.0)).unwrap();
        assert_eq!(decode(&out).1, [0, 7, 1, 44]);
    }

    #[test]
    fn classes_are_indices_into_their_colours() {
        const TABLE: &[Class] = &[Class { value: 1, name: "wet", colour: [1, 2, 3] }];
        let grid = Grid::from_vec(2, 1, vec![1u8, 0]);
        let spec = LayerSpec { kind: Kind::Classes(TABLE), ..LayerSpec::measure("w", "uint8", "", "") };
        let layer = Layer::new(spec, grid);
        let mut out = Vec::new();
        assert_eq!(write(&mut out, &layer, (0.0, 1.0)).unwrap(), None);
        let (colour, raw, palette) = decode(&out);
        assert_eq!((colour, raw), (::png::ColorType::Indexed, vec![1, 0]));
        assert_eq!(palette.unwrap()[3..6], [1, 2, 3]);
    }

    #[test]
    fn the_picture_is_plain_grey_and_reads_back_value_by_value() {
        let values = Grid::from_vec(3, 2, vec![0, 1, 255, 256, 40_000, 65535]);
        let mut file = Vec::new();
        write_grey16(&mut file, &values).unwrap();
        let mut reader = ::png::Decoder::new(io::Cursor::new(&file)).read_info().unwrap();
        let mut raw = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut raw).unwrap();
        let info = reader.info();
        assert_eq!(
            (info.width, info.height, info.color_type, info.bit_depth),
            (3, 2, ::png::ColorType::Grayscale, ::png::BitDepth::Sixteen)
        );
        let back: Vec<u16> = raw.as_chunks::<2>().0.iter().map(|&b| u16::from_be_bytes(b)).collect();
        assert_eq!(back, values.cells());
        let mut chunks = Vec::new();
        let mut at = 8;
        while at < file.len() {
            let length = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
            chunks.push(String::from_utf8_lossy(&file[at + 4..at + 8]).into_owned());
            at += 12 + length;
        }
        chunks.dedup();
        assert_eq!(chunks, ["IHDR", "IDAT", "IEND"]);
    }
}
