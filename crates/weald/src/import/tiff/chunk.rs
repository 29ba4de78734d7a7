//! Strips and tiles of a TIFF file, and how they are packed.

use super::bad;
use super::tags::{self, Tags};
use crate::error::{Error, Result};
use crate::npy::half;
use std::io::Read;

/// The type of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    Unsigned,
    Signed,
    Float,
}

impl Sample {
    pub(super) fn is_unsigned(self) -> bool {
        self == Sample::Unsigned
    }

    pub(super) fn is_float(self) -> bool {
        self == Sample::Float
    }

    /// The type as people write it.
    pub(super) fn name(self, bits: usize) -> String {
        let name = match self {
            Sample::Unsigned => "uint",
            Sample::Signed => "int",
            Sample::Float => "float",
        };
        format!("{name}{bits}")
    }

    /// The largest grey value.
    pub(super) fn most(self, bits: usize) -> f64 {
        match self {
            Sample::Float => 1.0,
            Sample::Signed => ((1u128 << (bits - 1)) - 1) as f64,
            Sample::Unsigned => ((1u128 << bits) - 1) as f64,
        }
    }

    /// The number at `index` of an unpacked row, whose bytes are in little-endian order.
    pub(super) fn value(self, row: &[u8], index: usize, bits: usize) -> f64 {
        if bits < 8 {
            let at = index * bits;
            let v = row[at / 8] >> (8 - bits - at % 8) & ((1 << bits) - 1);
            return f64::from(v);
        }
        let wide = bits / 8;
        let bytes = &row[index * wide..(index + 1) * wide];
        let word = bytes.iter().rev().fold(0u64, |sum, &b| sum << 8 | u64::from(b));
        match (self, bits) {
            (Sample::Unsigned, _) => word as f64,
            (Sample::Signed, _) => ((word << (64 - bits)) as i64 >> (64 - bits)) as f64,
            (Sample::Float, 16) => f64::from(half(word as u16)),
            (Sample::Float, 32) => f64::from(f32::from_bits(word as u32)),
            (Sample::Float, _) => f64::from_bits(word),
        }
    }
}

/// How the numbers of a picture stand in the file.
pub(super) struct Layout {
    /// Columns and rows of the picture.
    pub(super) size: (usize, usize),
    /// Columns and rows of a strip or tile.
    pub(super) chunk: (usize, usize),
    pub(super) bits: usize,
    pub(super) sample: Sample,
    /// Numbers of a pixel.
    pub(super) samples: usize,
    /// Numbers of a pixel that stand side by side: all, or one if the bands are apart.
    pub(super) stored: usize,
    /// Whether the last number is the opacity of the pixel.
    pub(super) alpha: bool,
    tiled: bool,
    compression: u64,
    predictor: u64,
}

impl Layout {
    pub(super) fn of(tags: &Tags) -> Result<Self> {
        let side = |tag, what| -> Result<usize> {
            let n = tags.number(tag)?.ok_or_else(|| bad(format!("it is damaged: it has no {what}")))?;
            let n = usize::try_from(n).ok().filter(|n| (1..=1 << 30).contains(n));
            n.ok_or_else(|| bad(format!("it is damaged: its {what} is not a number of cells")))
        };
        let size = (side(tags::WIDTH, "width")?, side(tags::HEIGHT, "height")?);
        let tiled = tags.number(tags::TILE_WIDTH)?.is_some();
        let chunk = match tiled {
            true => (side(tags::TILE_WIDTH, "tile width")?, side(tags::TILE_HEIGHT, "tile height")?),
            false => {
                let rows = tags.number(tags::STRIP_ROWS)?.unwrap_or(u64::MAX).max(1);
                (size.0, rows.min(size.1 as u64) as usize)
            }
        };
        let all_bits = tags.numbers(tags::BITS)?;
        let bits = all_bits.first().copied().unwrap_or(1) as usize;
        if all_bits.iter().any(|&b| b != bits as u64) {
            return Err(bad("its bands have different numbers of bits"));
        }
        let sample = match tags.number(tags::SAMPLE_FORMAT)?.unwrap_or(1) {
            1 | 4 => Sample::Unsigned,
            2 => Sample::Signed,
            3 => Sample::Float,
            5 | 6 => {
                let real = "gdal_translate -ot Float32 IN.tif OUT.tif";
                return Err(Error::Invalid(format!(
                    "this TIFF file cannot be read: it holds complex numbers; write their real parts alone: {real}"
                )));
            }
            other => return Err(bad(format!("its numbers are of the unknown type {other}"))),
        };
        let known: &[usize] = match sample {
            Sample::Unsigned => &[1, 2, 4, 8, 16, 32, 64],
            Sample::Signed => &[8, 16, 32, 64],
            Sample::Float => &[16, 32, 64],
        };
        if !known.contains(&bits) {
            let odd = format!("its numbers are {}", sample.name(bits));
            return Err(match sample {
                Sample::Unsigned if bits < 32 => {
                    let wide = if bits < 16 { 16 } else { 32 };
                    Error::Invalid(format!(
                        "this TIFF file cannot be read: {odd}; write them with {wide} bits: gdal_translate -ot UInt{wide} -co NBITS={wide} \
                         IN.tif OUT.tif"
                    ))
                }
                _ => bad(odd),
            });
        }
        let samples = tags.number(tags::SAMPLES)?.unwrap_or(1).clamp(1, u64::from(u16::MAX)) as usize;
        let apart = tags.number(tags::PLANAR)?.unwrap_or(1) == 2;
        if apart && samples > 1 && tags.number(tags::PHOTOMETRIC)? == Some(2) {
            return Err(bad("its colours stand in bands apart"));
        }
        if tags.number(tags::FILL_ORDER)?.unwrap_or(1) != 1 {
            return Err(bad("its bits stand in reverse order"));
        }
        let compression = tags.number(tags::COMPRESSION)?.unwrap_or(1);
        // What is not packed by differences is not undone, whatever the file says.
        let predictor = match compression {
            1 | 32773 => 1,
            _ => tags.number(tags::PREDICTOR)?.unwrap_or(1),
        };
        let fits = match predictor {
            1 => true,
            2 => bits >= 8,
            3 => sample == Sample::Float,
            _ => false,
        };
        if !fits {
            return Err(bad(format!("its predictor {predictor} does not fit {}", sample.name(bits))));
        }
        let stored = if apart { 1 } else { samples };
        // 1 and 2 are opacity, with which colours are multiplied or not.
        let alpha = samples > 1 && matches!(tags.numbers(tags::EXTRA_SAMPLES)?.last(), Some(1 | 2));
        let layout =
            Self { size, chunk, bits, sample, samples, stored, alpha, tiled, compression, predictor };
        super::super::too_large((chunk.0 as u64, chunk.1 as u64), (bits * stored / 8).max(1) as u64)?;
        // No block of memory is larger, where addresses have 32 bits.
        let chunk_bits = (chunk.0 as u128) * (chunk.1 as u128) * (stored * bits) as u128;
        if chunk_bits / 8 >= isize::MAX as u128 {
            return Err(super::super::no_room(size));
        }
        layout.packed_as().map(|_| layout)
    }

    /// The name of the compression.
    fn packed_as(&self) -> Result<&'static str> {
        Ok(match self.compression {
            1 => "uncompressed",
            5 => "LZW",
            8 | 32946 => "deflate",
            32773 => "PackBits",
            50000 => "ZSTD",
            other => {
                let name = match other {
                    2..=4 => "fax",
                    6 | 7 => "JPEG",
                    34887 => "LERC",
                    34925 => "LZMA",
                    50001 => "WebP",
                    _ => "unknown",
                };
                return Err(bad(format!("its compression is {other} ({name})")));
            }
        })
    }

    /// How the file is packed, in words.
    pub(super) fn packing(&self) -> String {
        let packed = self.packed_as().unwrap_or("unknown");
        if self.tiled {
            format!("{packed}, tiles of {}x{}", self.chunk.0, self.chunk.1)
        } else {
            packed.to_owned()
        }
    }

    /// How many strips or tiles lie side by side and below each other.
    pub(super) fn chunks(&self) -> (usize, usize) {
        (self.size.0.div_ceil(self.chunk.0), self.size.1.div_ceil(self.chunk.1))
    }

    /// The part of the picture that a strip or tile covers: column, row, width and height.
    pub(super) fn part(&self, index: usize) -> (usize, usize, usize, usize) {
        let across = self.chunks().0;
        let (x, y) = (index % across * self.chunk.0, index / across * self.chunk.1);
        (x, y, self.chunk.0.min(self.size.0 - x), self.chunk.1.min(self.size.1 - y))
    }

    /// Bytes of an unpacked row of a strip or tile.
    pub(super) fn row_bytes(&self) -> usize {
        (self.chunk.0 as u64 * (self.stored * self.bits) as u64).div_ceil(8) as usize
    }

    /// The bytes of a strip or tile, unpacked, each number in little-endian order; none if the file has left it out. `band` counts where bands
    /// are apart, and is 0 elsewhere.
    pub(super) fn unpack(&self, tags: &Tags, band: usize, index: usize) -> Result<Option<Vec<u8>>> {
        let (offsets, lengths) = match self.tiled {
            true => (tags::TILE_OFFSETS, tags::TILE_BYTES),
            false => (tags::STRIP_OFFSETS, tags::STRIP_BYTES),
        };
        let (across, down) = self.chunks();
        let nth = band.saturating_mul(across * down).saturating_add(index);
        let missing = || bad(format!("it is damaged: it says nothing of part {nth}"));
        let at = tags.nth(offsets, nth)?.ok_or_else(missing)? as usize;
        let rows = if self.tiled { self.chunk.1 } else { self.part(index).3 };
        let expected = self.row_bytes() * rows;
        let length = match tags.nth(lengths, nth)? {
            Some(length) => length as usize,
            None if self.compression == 1 => expected,
            None => return Err(missing()),
        };
        if at == 0 || length == 0 {
            return Ok(None);
        }
        let (_, row, _, _) = self.part(index);
        let short = || bad(format!("its data ends early, at row {row} of {}", self.size.1));
        let packed = at.checked_add(length).and_then(|end| tags.bytes.get(at..end)).ok_or_else(short)?;
        let mut raw = Vec::new();
        raw.try_reserve_exact(expected).map_err(|_| bad("a strip of it is larger than the memory"))?;
        let wanted = expected as u64;
        let broken = |_| bad(format!("its data is damaged at row {row} of {}", self.size.1));
        match self.compression {
            1 => raw.extend_from_slice(&packed[..packed.len().min(expected)]),
            5 => raw = lzw(packed, raw, expected).ok_or_else(|| broken(()))?,
            8 | 32946 => {
                flate2::read::ZlibDecoder::new(packed)
                    .take(wanted)
                    .read_to_end(&mut raw)
                    .map_err(|_| broken(()))?;
            }
            50000 => {
                let decoder = ruzstd::decoding::StreamingDecoder::new(packed).map_err(|_| broken(()))?;
                decoder.take(wanted).read_to_end(&mut raw).map_err(|_| broken(()))?;
            }
            _ => pack_bits(packed, expected, &mut raw),
        }
        if raw.len() < expected {
            return Err(short());
        }
        for row in raw.chunks_exact_mut(self.row_bytes()) {
            self.order(row, tags.big_endian);
        }
        Ok(Some(raw))
    }

    /// Undoes the predictor and the order of bytes in a row.
    fn order(&self, row: &mut [u8], big_endian: bool) {
        let wide = self.bits / 8;
        if self.predictor == 3 {
            // Bytes were sorted by significance and then differenced (Adobe, TIFF Technical Note 3, 2005).
            for i in self.stored..row.len() {
                row[i] = row[i].wrapping_add(row[i - self.stored]);
            }
            let (sorted, count) = (row.to_vec(), row.len() / wide);
            for (i, number) in row.chunks_exact_mut(wide).enumerate() {
                for (k, byte) in number.iter_mut().enumerate() {
                    *byte = sorted[(wide - 1 - k) * count + i];
                }
            }
            return;
        }
        if big_endian && wide > 1 {
            row.chunks_exact_mut(wide).for_each(<[u8]>::reverse);
        }
        if self.predictor == 2 {
            let step = wide * self.stored;
            for i in (step..row.len()).step_by(wide) {
                let mut carry = 0u16;
                for k in 0..wide {
                    carry += u16::from(row[i + k]) + u16::from(row[i + k - step]);
                    row[i + k] = carry as u8;
                    carry >>= 8;
                }
            }
        }
    }
}

/// Unpacks LZW into `out`, which has room for what is expected.
fn lzw(packed: &[u8], mut out: Vec<u8>, expected: usize) -> Option<Vec<u8>> {
    let mut decoder = weezl::decode::Decoder::with_tiff_size_switch(weezl::BitOrder::Msb, 8);
    out.resize(expected, 0);
    let (mut read, mut written) = (0, 0);
    while written < expected {
        let step = decoder.decode_bytes(&packed[read..], &mut out[written..]);
        (read, written) = (read + step.consumed_in, written + step.consumed_out);
        match step.status {
            Ok(weezl::LzwStatus::Ok) if step.consumed_in + step.consumed_out > 0 => {}
            Ok(_) => break,
            Err(_) => return None,
        }
    }
    out.truncate(written);
    Some(out)
}

/// Runs of bytes: n + 1 bytes follow for n up to 127, and one that stands 257 − n times for n from 129.
fn pack_bits(packed: &[u8], expected: usize, out: &mut Vec<u8>) {
    let mut rest = packed;
    while let Some((&n, more)) = rest.split_first().filter(|_| out.len() < expected) {
        rest = match n {
            0..=127 => {
                let run = more.len().min(usize::from(n) + 1);
                out.extend_from_slice(&more[..run]);
                &more[run..]
            }
            128 => more,
            _ => {
                let Some((&byte, more)) = more.split_first() else { break };
                out.resize(out.len() + 257 - usize::from(n), byte);
                more
            }
        };
    }
    out.truncate(expected);
}
