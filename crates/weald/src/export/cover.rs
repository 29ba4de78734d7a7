//! The cover of the ground as weights: how much of each class there is at a sample.

use super::sidecar::Registration;
use super::target::Source;
use crate::catalogue::{Kind, Rgb};
use crate::error::{Error, Result};
use crate::files::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use weald_core::{Ctx, Grid, par};

/// A class that occurs on the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CoverClass {
    /// Its value in the layer.
    pub value: u32,
    /// Its name.
    pub name: String,
    /// Its colour in pictures.
    pub colour: Rgb,
}

/// What covers the ground.
pub(super) struct Cover {
    /// The classes that occur, in the order of the world's table.
    pub classes: Vec<CoverClass>,
    /// The class of each cell, as a position in `classes`.
    pub cells: Grid<u8>,
}

impl Cover {
    /// The cover layer of a world.
    pub(super) fn of(source: &Source, ctx: &Ctx) -> Result<Self> {
        let name = source.ground()?.cover;
        let cells = source.catalogue.cells(name)?;
        let table = match source.catalogue.layer(name).map(|layer| layer.kind) {
            Some(Kind::Classes(table)) => table,
            _ => return Err(Error::Internal(format!("the layer {name} has no classes"))),
        };
        let (width, height) = cells.shape();
        let rows = par::map(height, &ctx.quiet(), |y| {
            let mut seen = [false; 256];
            (0..width).for_each(|x| seen[cells.at(x, y) as u8 as usize] = true);
            seen
        })?;
        let occurs = |value: u32| rows.iter().any(|seen| seen[value as usize & 255]);
        let mut classes: Vec<CoverClass> = table
            .iter()
            .filter(|class| class.value < 256 && occurs(class.value))
            .map(|class| CoverClass { value: class.value, name: class.name.to_owned(), colour: class.colour })
            .collect();
        for value in 0..256 {
            if occurs(value) && classes.iter().all(|class| class.value != value) {
                classes.push(CoverClass { value, name: format!("class_{value}"), colour: [128; 3] });
            }
        }
        let mut position = [0u8; 256];
        classes.iter().enumerate().for_each(|(i, class)| position[class.value as usize] = i as u8);
        let cells = par::fill(width, height, &ctx.quiet(), |y, row: &mut [u8]| {
            for (x, out) in row.iter_mut().enumerate() {
                *out = position[cells.at(x, y) as u8 as usize];
            }
        })?;
        Ok(Self { classes, cells })
    }

    /// The weights of all classes at the samples of a row: 255 in sum at each. Shares are rounded by the largest remainder.
    pub(super) fn weights(&self, columns: &[Tap], row: &Tap) -> Vec<u8> {
        let count = self.classes.len();
        let mut out = vec![0; columns.len() * count];
        let mut shares = vec![0.0; count];
        for (column, out) in columns.iter().zip(out.chunks_mut(count)) {
            shares.fill(0.0);
            for (y, wy) in row.weights.iter().enumerate() {
                let cells = &self.cells.row(row.first + y)[column.first..];
                for (wx, class) in column.weights.iter().zip(cells) {
                    shares[*class as usize] += wx * wy;
                }
            }
            apportion(&shares, out);
        }
        out
    }

    /// Writes weights as PNG files of 8 bits: each with the classes of its channels, one for grey or four for RGBA; a channel without a
    /// class is 0. Rows come from the north, in parallel.
    pub(super) fn write_pngs(
        &self,
        files: &[(PathBuf, Vec<Option<usize>>)],
        columns: &[Tap],
        rows: &[Tap],
        ctx: &Ctx,
    ) -> Result<()> {
        const BAND: usize = 64;
        let mut writers = Vec::new();
        for (path, channels) in files {
            let colour =
                if channels.len() == 1 { ::png::ColorType::Grayscale } else { ::png::ColorType::Rgba };
            writers.push(open(path, (columns.len(), rows.len()), colour).map_err(|e| failed(path, e))?);
        }
        let count = self.classes.len();
        for first in (0..rows.len()).step_by(BAND) {
            let band = &rows[first..(first + BAND).min(rows.len())];
            let weights = par::map(band.len(), &ctx.quiet(), |y| self.weights(columns, &band[y]))?;
            for ((path, channels), writer) in files.iter().zip(&mut writers) {
                for row in &weights {
                    let pixel =
                        |w: &[u8]| channels.iter().map(|c| c.map_or(0, |c| w[c])).collect::<Vec<u8>>();
                    let bytes: Vec<u8> = row.chunks(count).flat_map(pixel).collect();
                    writer.write_all(&bytes).map_err(|e| Error::io(path, e))?;
                }
            }
            ctx.tick(first + band.len(), rows.len());
        }
        for ((path, _), writer) in files.iter().zip(writers) {
            writer.finish().map_err(|e| failed(path, e))?;
        }
        Ok(())
    }
}

type PngStream = ::png::StreamWriter<'static, BufWriter<File>>;

/// The error of a file that cannot be written.
fn failed(path: &Path, error: ::png::EncodingError) -> Error {
    match error {
        ::png::EncodingError::IoError(e) => Error::io(path, e),
        other => Error::io(path, io::Error::other(other)),
    }
}

/// A PNG file to which rows are written one after the other.
fn open(
    path: &Path,
    (width, height): (usize, usize),
    colour: ::png::ColorType,
) -> std::result::Result<PngStream, ::png::EncodingError> {
    let mut encoder = ::png::Encoder::new(BufWriter::new(File::create(path)?), width as u32, height as u32);
    encoder.set_color(colour);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_compression(::png::Compression::Fast);
    encoder.write_header()?.into_stream_writer()
}

/// The cells around a sample along one axis, with weights of sum 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tap {
    first: usize,
    weights: Vec<f64>,
}

impl Tap {
    /// A cell and its neighbours along an axis of `cells` cells: half the weight for the cell, a quarter for each neighbour.
    pub(super) fn soft(cell: usize, cells: usize) -> Self {
        let (first, last) = (cell.saturating_sub(1), (cell + 1).min(cells - 1));
        let weights: Vec<f64> = (first..=last).map(|c| if c == cell { 0.5 } else { 0.25 }).collect();
        let sum: f64 = weights.iter().sum();
        Self { first, weights: weights.iter().map(|w| w / sum).collect() }
    }
}

/// The cells around each of `samples` samples that lie from the centre of the first to that of the last of `cells` cells: at vertices, or at the
/// centres of as many pixels. A cell weighs as a tent with its peak at the sample, which is two samples wide, or two cells where
/// samples are closer than cells.
pub(super) fn taps(cells: usize, samples: usize, registration: Registration) -> Vec<Tap> {
    let last = (cells - 1) as f64;
    let (step, shift) = match registration {
        Registration::Vertex => (last / (samples.max(2) - 1) as f64, 0.0),
        Registration::PixelCentre => (last / samples as f64, 0.5),
    };
    let reach = step.max(1.0);
    let tap = |i: usize| {
        let place = ((i as f64 + shift) * step).min(last);
        let (from, to) = ((place - reach).max(0.0).ceil() as usize, (place + reach).min(last) as usize);
        let weights: Vec<f64> = (from..=to).map(|c| 1.0 - (c as f64 - place).abs() / reach).collect();
        let sum: f64 = weights.iter().sum();
        Tap { first: from, weights: weights.iter().map(|w| w / sum).collect() }
    };
    (0..samples).map(tap).collect()
}

/// Rounds shares of sum 1 to whole numbers of sum 255: each is rounded down, and what is left goes to those with the largest
/// remainders, the first of equal ones first.
fn apportion(shares: &[f64], out: &mut [u8]) {
    const SUM: f64 = 255.0;
    let total: f64 = shares.iter().sum();
    let exact = |i: usize| shares[i] / total * SUM;
    let mut left = SUM as i32;
    for (i, out) in out.iter_mut().enumerate() {
        *out = exact(i).floor() as u8;
        left -= i32::from(*out);
    }
    while left > 0 {
        let remainder = |i: &usize| exact(*i) - f64::from(out[*i]);
        let best = (0..shares.len()).fold(0, |a, b| if remainder(&b) > remainder(&a) { b } else { a });
        out[best] += 1;
        left -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weald_core::Seed;

    fn cover(width: usize, height: usize, count: usize) -> Cover {
        let class = |i: usize| CoverClass { value: i as u32, name: format!("c{i}"), colour: [0; 3] };
        let cell = |x, y| (Seed(3).unit_at(x as i64, y as i64) * count as f64) as u8;
        Cover { classes: (0..count).map(class).collect(), cells: Grid::from_fn(width, height, cell) }
    }

    #[test]
    fn weights_sum_to_255_everywhere_for_any_size() {
        let cover = cover(37, 29, 7);
        for registration in [Registration::Vertex, Registration::PixelCentre] {
            for samples in [2, 16, 29, 37, 64, 101] {
                let (columns, rows) = (taps(37, samples, registration), taps(29, samples, registration));
                for row in &rows {
                    for pixel in cover.weights(&columns, row).chunks(7) {
                        assert_eq!(pixel.iter().map(|&w| u32::from(w)).sum::<u32>(), 255);
                    }
                }
            }
        }
    }

    #[test]
    fn as_many_vertices_as_cells_have_the_class_of_their_cell_alone() {
        let cover = cover(12, 9, 4);
        let (columns, rows) = (taps(12, 12, Registration::Vertex), taps(9, 9, Registration::Vertex));
        for y in 0..9 {
            for (x, pixel) in cover.weights(&columns, &rows[y]).chunks(4).enumerate() {
                assert_eq!(pixel[cover.cells[(x, y)] as usize], 255);
            }
        }
    }

    #[test]
    fn the_largest_remainders_get_what_is_left() {
        let rounded = |shares: &[f64]| {
            let mut out = vec![0; shares.len()];
            apportion(shares, &mut out);
            out
        };
        assert_eq!(rounded(&[1.0]), [255]);
        assert_eq!(rounded(&[0.5, 0.5]), [128, 127]);
        let third = 1.0 / 3.0;
        assert_eq!(rounded(&[third, third, third]), [85, 85, 85]);
        assert_eq!(rounded(&[0.25, 0.25, 0.25, 0.25]), [64, 64, 64, 63]);
        assert_eq!(rounded(&[0.001, 0.999]), [0, 255]);
    }
}
