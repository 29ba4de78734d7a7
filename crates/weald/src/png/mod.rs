//! PNG files, written in bands of rows that are filtered and compressed in parallel.
//!
//! The height of a band depends on the length of a row alone, so a file has the same bytes for any number of threads. Each
//! band is a block of the one zlib stream, ends on a byte, and is a chunk of its own.

mod deflate;
mod filter;

#[cfg(test)]
mod tests;

use std::io::{self, Write};
use weald_core::{Ctx, par};

/// Bytes of a band before compression, at least: few enough to stay in the cache of a core, and enough for a code of its own.
const BAND: usize = 1 << 17;

/// What a pixel is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pixel {
    /// Grey of 16 bits, the high byte first.
    Grey16,
    /// The number of a colour of the palette.
    Index8,
    /// Red, green and blue.
    Rgb8,
    /// Red, green, blue and opacity.
    Rgba8,
}

impl Pixel {
    /// Bytes of a pixel.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Pixel::Index8 => 1,
            Pixel::Grey16 => 2,
            Pixel::Rgb8 => 3,
            Pixel::Rgba8 => 4,
        }
    }

    /// Bits of a sample and the colour type, as in IHDR.
    fn code(self) -> [u8; 2] {
        match self {
            Pixel::Grey16 => [16, 0],
            Pixel::Index8 => [8, 3],
            Pixel::Rgb8 => [8, 2],
            Pixel::Rgba8 => [8, 6],
        }
    }
}

/// What a file says about its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colours<'a> {
    /// Nothing, so that no reader changes the values.
    Unsaid,
    /// Those of sRGB.
    Srgb,
    /// A palette: red, green, blue of each of at most 256 colours.
    Palette(&'a [u8]),
}

/// A picture of (width, height) pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picture {
    /// Columns and rows.
    pub(crate) size: (usize, usize),
    /// What a pixel is made of.
    pub(crate) pixel: Pixel,
}

impl Picture {
    fn stride(&self) -> usize {
        self.size.0 * self.pixel.bytes()
    }

    /// Writes a whole file. `row(y, bytes)` gives the pixels of a row, which are zeros before; it is
    /// called in any order, and for some rows twice.
    pub(crate) fn write(
        &self,
        out: &mut dyn Write,
        colours: Colours,
        row: impl Fn(usize, &mut [u8]) + Sync,
    ) -> io::Result<()> {
        self.begin(out, colours)?;
        self.pixels(out, |_| (*b"IDAT", Vec::new()), row)?;
        end(out)
    }

    /// Writes what comes before the pixels.
    pub(crate) fn begin(&self, out: &mut dyn Write, colours: Colours) -> io::Result<()> {
        let side = |n: usize| u32::try_from(n).ok().filter(|&n| n > 0 && n <= i32::MAX as u32);
        let (Some(width), Some(height)) = (side(self.size.0), side(self.size.1)) else {
            let (width, height) = self.size;
            let what = format!("a picture of {width} x {height} pixels has no PNG form");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        };
        out.write_all(b"\x89PNG\r\n\x1a\n")?;
        let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
        header.extend(self.pixel.code());
        header.extend([0; 3]);
        out.write_all(&chunk(b"IHDR", &header))?;
        match colours {
            Colours::Unsaid => Ok(()),
            Colours::Srgb => {
                // The intent is "perceptual". Readers that do not know sRGB get what comes closest to it.
                out.write_all(&chunk(b"sRGB", &[0]))?;
                out.write_all(&chunk(b"gAMA", &45_455u32.to_be_bytes()))?;
                let primaries = [31_270u32, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
                out.write_all(&chunk(b"cHRM", primaries.map(u32::to_be_bytes).as_flattened()))
            }
            Colours::Palette(palette) => out.write_all(&chunk(b"PLTE", palette)),
        }
    }

    /// Writes the pixels as chunks, whose name and first bytes are those of `head(number of the chunk)`. Returns how many
    /// chunks there are.
    pub(crate) fn pixels(
        &self,
        out: &mut dyn Write,
        head: impl Fn(usize) -> ([u8; 4], Vec<u8>) + Sync,
        row: impl Fn(usize, &mut [u8]) + Sync,
    ) -> io::Result<usize> {
        let rows = BAND.div_ceil(self.stride());
        let bands = self.size.1.div_ceil(rows);
        let mut sum = deflate::Adler::default();
        let make = |band: usize| {
            let first = band * rows;
            let span = first..(first + rows).min(self.size.1);
            let (name, mut data) = head(band);
            if band == 0 {
                data.extend(deflate::HEADER);
            }
            let last = band + 1 == bands;
            let sum = par::widest_simd(
                #[inline(always)]
                || {
                    let filtered = filter::filtered(self.stride(), self.pixel.bytes(), span, &row);
                    deflate::block(&filtered, last, &mut data);
                    deflate::Adler::of(&filtered)
                },
            );
            // The sum of all bands ends the last one, which has to wait for it.
            (name, if last { data } else { chunk(&name, &data) }, sum)
        };
        par::in_order(bands, &Ctx::default(), make, |band, (name, mut data, its)| {
            sum = sum.then(its);
            if band + 1 == bands {
                data.extend(sum.bytes());
                data = chunk(&name, &data);
            }
            out.write_all(&data)
        })
        .expect("nobody can stop this")?;
        Ok(bands)
    }
}

/// Writes what comes after the pixels.
pub(crate) fn end(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&chunk(b"IEND", &[]))
}

/// A chunk: length, name, data and checksum.
pub(crate) fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() + 12);
    out.extend((data.len() as u32).to_be_bytes());
    out.extend(name);
    out.extend(data);
    let sum = crc32fast::hash(&out[4..]);
    out.extend(sum.to_be_bytes());
    out
}
