//! Pictures in memory, and their PNG files.

use crate::png::{Colours, Picture, Pixel};
use std::io::{self, Write};

pub use crate::catalogue::Rgb;

/// An opaque picture: rows from the top, 8 bits for each of red, green and blue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Image {
    /// A picture of one colour.
    pub fn filled(width: usize, height: usize, colour: Rgb) -> Self {
        Self { width, height, bytes: colour.repeat(width * height) }
    }

    /// Wraps `bytes`: red, green, blue of each pixel, row after row.
    ///
    /// # Panics
    /// If there are not `3 * width * height` bytes.
    pub fn from_bytes(width: usize, height: usize, bytes: Vec<u8>) -> Self {
        assert_eq!(bytes.len(), 3 * width * height, "a {width}x{height} picture needs three bytes per pixel");
        Self { width, height, bytes }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Red, green, blue of each pixel, row after row.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The colour at `(x, y)`.
    pub fn at(&self, x: usize, y: usize) -> Rgb {
        let i = 3 * (y * self.width + x);
        [self.bytes[i], self.bytes[i + 1], self.bytes[i + 2]]
    }

    /// The part of `width` × `height` pixels whose upper left corner is at `(x, y)`.
    ///
    /// # Panics
    /// If it does not lie within the picture.
    pub fn part(&self, (x, y): (usize, usize), (width, height): (usize, usize)) -> Image {
        assert!(x + width <= self.width && y + height <= self.height, "a part lies within its picture");
        let rows = (y..y + height).flat_map(|row| {
            let start = 3 * (row * self.width + x);
            &self.bytes[start..start + 3 * width]
        });
        Image { width, height, bytes: rows.copied().collect() }
    }

    /// The mean of blocks of `factor` × `factor` pixels; what is left over at the right and at the bottom forms smaller
    /// blocks. A factor of 0 or 1 gives a copy.
    pub fn reduced(&self, factor: usize) -> Image {
        let f = factor.max(1);
        let (w, h) = (self.width.div_ceil(f), self.height.div_ceil(f));
        let mut bytes = Vec::with_capacity(3 * w * h);
        for y in 0..h {
            let rows = y * f..((y + 1) * f).min(self.height);
            for x in 0..w {
                let columns = x * f..((x + 1) * f).min(self.width);
                let count = (rows.len() * columns.len()) as u32;
                let mut sum = [0u32; 3];
                for yy in rows.clone() {
                    for xx in columns.clone() {
                        let c = self.at(xx, yy);
                        (0..3).for_each(|k| sum[k] += c[k] as u32);
                    }
                }
                bytes.extend(sum.map(|s| ((s + count / 2) / count) as u8));
            }
        }
        Image { width: w, height: h, bytes }
    }

    /// Writes a PNG file. The bytes depend on the pixels alone: no time stamp, no comment.
    pub fn write_png(&self, out: &mut dyn Write) -> io::Result<()> {
        let stride = 3 * self.width;
        let picture = Picture { size: (self.width, self.height), pixel: Pixel::Rgb8 };
        let row = |y: usize, row: &mut [u8]| row.copy_from_slice(&self.bytes[y * stride..][..stride]);
        picture.write(out, Colours::Srgb, row)
    }

    /// The PNG file as bytes.
    pub fn png(&self) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        self.write_png(&mut out)?;
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_file_reads_back_as_the_same_pixels() {
        let bytes: Vec<u8> = (0..7 * 5 * 3).map(|i| (i * 37 % 251) as u8).collect();
        let image = Image::from_bytes(7, 5, bytes.clone());
        let file = image.png().unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(&file)).read_info().unwrap();
        let mut back = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut back).unwrap();
        assert_eq!((info.width, info.height, info.color_type), (7, 5, png::ColorType::Rgb));
        assert_eq!(back, bytes);
        assert_eq!(file, image.png().unwrap());
        assert!(!file.windows(4).any(|w| w == b"tIME" || w == b"tEXt"));
    }

    #[test]
    fn an_empty_picture_is_refused_and_not_written() {
        assert!(Image::filled(0, 3, [0; 3]).png().is_err());
    }

    #[test]
    fn reducing_takes_the_mean_of_blocks_and_keeps_the_rest_of_the_edge() {
        let image = Image::from_bytes(3, 1, vec![0, 0, 0, 10, 20, 30, 7, 8, 9]);
        let half = image.reduced(2);
        assert_eq!((half.width(), half.height()), (2, 1));
        assert_eq!(half.at(0, 0), [5, 10, 15]);
        assert_eq!(half.at(1, 0), [7, 8, 9]);
    }
}
