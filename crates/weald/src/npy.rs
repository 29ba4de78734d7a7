//! NumPy's .npy format, version 1.0: a short header, then the cells in C order `[y, x]`, little-endian.

use crate::error::{Error, Result};
use sha2::{Digest, Sha256};
use std::io::{self, Read, Write};
use weald_core::{AnyGrid, Cells, Grid};

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The header for a two-dimensional array, padded so that the data start at a multiple of 64.
fn header(descr: &str, (width, height): (usize, usize)) -> Vec<u8> {
    let dict = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({height}, {width}), }}");
    let length = (10 + dict.len() + 1).next_multiple_of(64) - 10;
    let mut out = MAGIC.to_vec();
    out.extend([1, 0]);
    out.extend((length as u16).to_le_bytes());
    out.extend(dict.as_bytes());
    out.resize(10 + length - 1, b' ');
    out.push(b'\n');
    out
}

/// Calls `sink` with the little-endian bytes of the cells, a piece at a time and in order: what a .npy file holds
/// after its header, and what is hashed.
pub fn bytes(data: &Cells, mut sink: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    fn run<T: Copy, const N: usize>(
        cells: &[T],
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
        le: impl Fn(T) -> [u8; N],
    ) -> io::Result<()> {
        let mut buffer = Vec::with_capacity(N << 14);
        for piece in cells.chunks(1 << 14) {
            buffer.clear();
            piece.iter().for_each(|&v| buffer.extend_from_slice(&le(v)));
            sink(&buffer)?;
        }
        Ok(())
    }
    match data {
        Cells::F32(g) => run(g.cells(), &mut sink, f32::to_le_bytes),
        Cells::U8(g) => g.cells().chunks(1 << 16).try_for_each(sink),
        Cells::U16(g) => run(g.cells(), &mut sink, u16::to_le_bytes),
        Cells::U32(g) => run(g.cells(), &mut sink, u32::to_le_bytes),
        Cells::I32(g) => run(g.cells(), &mut sink, i32::to_le_bytes),
        Cells::F64(g) => run(g.cells(), &mut sink, f64::to_le_bytes),
        Cells::Dir(g) => run(g.cells(), &mut sink, |d| [d.0]),
    }
}

/// The SHA-256 of the little-endian cells, in hexadecimal digits.
pub fn sha256(data: &Cells) -> String {
    let mut hash = Sha256::new();
    bytes(data, |bytes| {
        hash.update(bytes);
        Ok(())
    })
    .expect("hashing does not fail");
    hex(&hash.finalize())
}

/// Two lower-case hexadecimal digits per byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The header of the file for `data`.
pub fn file_header(data: &Cells) -> Vec<u8> {
    let descr = match data {
        Cells::F32(_) => "<f4",
        Cells::U8(_) | Cells::Dir(_) => "|u1",
        Cells::U16(_) => "<u2",
        Cells::U32(_) => "<u4",
        Cells::I32(_) => "<i4",
        Cells::F64(_) => "<f8",
    };
    header(descr, data.shape())
}

/// Writes a whole file.
pub fn write(out: &mut dyn Write, data: &Cells) -> io::Result<()> {
    out.write_all(&file_header(data))?;
    bytes(data, |b| out.write_all(b))
}

/// A file as far as its header says what it holds.
struct Raw {
    /// Type of a cell, as NumPy writes it.
    descr: String,
    width: usize,
    height: usize,
    /// The cells.
    bytes: Vec<u8>,
}

impl Raw {
    /// Reads a whole file whose cells have one of the types that `size` gives a number of bytes.
    fn read(input: &mut dyn Read, size: impl Fn(&str) -> Option<usize>) -> Result<Self> {
        let bad = |what: &str| Error::Invalid(format!("not a .npy file that this program can read: {what}"));
        let mut start = [0u8; 8];
        input
            .read_exact(&mut start)
            .map_err(|_| bad("it is shorter than its header; save it again with numpy.save"))?;
        if &start[..6] != MAGIC {
            return Err(bad("it does not begin with \\x93NUMPY"));
        }
        let mut length = [0u8; 4];
        let wide = if start[6] >= 2 { 4 } else { 2 };
        input
            .read_exact(&mut length[..wide])
            .map_err(|_| bad("it is shorter than its header; save it again with numpy.save"))?;
        let mut dict = Vec::new();
        let claimed = u32::from_le_bytes(length) as u64;
        input.take(claimed).read_to_end(&mut dict).map_err(|e| bad(&e.to_string()))?;
        if (dict.len() as u64) < claimed {
            return Err(bad("it is shorter than its header; save it again with numpy.save"));
        }
        let dict = String::from_utf8_lossy(&dict).replace(char::is_control, " ");
        let field = |key: &str| dict.split(&format!("'{key}':")).nth(1).map(str::trim_start);
        let by_columns = match field("fortran_order").and_then(|f| f.get(..4)) {
            Some("Fals") => false,
            Some("True") => true,
            _ => return Err(bad("its header does not say fortran_order; save it again with numpy.save")),
        };
        // What has more digits than a size can have is too large.
        let side = |n: &str| match n.parse() {
            Err(_) if !n.bytes().all(|b| b.is_ascii_digit()) => None,
            parsed => Some(parsed.unwrap_or(usize::MAX)),
        };
        let shape: Option<Vec<usize>> = field("shape")
            .and_then(|s| s.strip_prefix('(')?.split(')').next())
            .and_then(|s| s.split(',').map(str::trim).filter(|n| !n.is_empty()).map(side).collect());
        let text = field("shape").and_then(|s| s.get(..s.find(')')? + 1)).unwrap_or("missing");
        let short: String = text.chars().take(60).collect();
        let (height, width) = match shape.as_deref() {
            Some(&[h, w]) if h > 0 && w > 0 => (h, w),
            _ => {
                return Err(bad(&format!(
                    "its shape is {short}, not (rows, columns), both at least 1; save one plane, such as array[0] or array[:, :, 0]"
                )));
            }
        };
        let descr = field("descr").and_then(|d| d.split('\'').nth(1)).unwrap_or("?").to_owned();
        let size = size(&descr).ok_or_else(|| {
            let descr: String = descr.chars().take(20).collect();
            bad(&format!("its type is '{descr}'; save it as numbers, such as array.astype('float32')"))
        })?;
        let total = width
            .checked_mul(height)
            .and_then(|n| n.checked_mul(size))
            .filter(|&n| n < usize::MAX)
            .ok_or_else(|| {
                bad(&format!(
                    "its shape {short} is too large: no memory holds so many cells of {size} bytes; save it again with numpy.save, or cut a \
                     part out of it first"
                ))
            })?;
        let mut bytes = Vec::new();
        input.take(total as u64).read_to_end(&mut bytes).map_err(|e| bad(&e.to_string()))?;
        if bytes.len() != total {
            return Err(bad(&format!(
                "its data ends after {} of {total} bytes; save it again with numpy.save",
                bytes.len()
            )));
        }
        if by_columns {
            let cell = |i: usize| &bytes[(i % width * height + i / width) * size..][..size];
            bytes = (0..width * height).flat_map(cell).copied().collect();
        }
        Ok(Self { descr, width, height, bytes })
    }

    /// The cells, each made from its bytes.
    fn cells<T, const N: usize>(&self, of: impl Fn([u8; N]) -> T) -> Grid<T> {
        let cells = self.bytes.as_chunks::<N>().0.iter().map(|&b| of(b)).collect();
        Grid::from_vec(self.width, self.height, cells)
    }
}

/// Reads a whole file: two dimensions, one of the types of [`AnyGrid`].
pub fn read(input: &mut dyn Read) -> Result<AnyGrid> {
    let size = |descr: &str| match descr {
        "|u1" | "<u1" => Some(1),
        "<u2" => Some(2),
        "<f4" | "<u4" | "<i4" => Some(4),
        "<f8" => Some(8),
        _ => None,
    };
    let raw = Raw::read(input, size)?;
    Ok(match raw.descr.as_str() {
        "<u2" => AnyGrid::U16(raw.cells(u16::from_le_bytes)),
        "<u4" => AnyGrid::U32(raw.cells(u32::from_le_bytes)),
        "<i4" => AnyGrid::I32(raw.cells(i32::from_le_bytes)),
        "<f4" => AnyGrid::F32(raw.cells(f32::from_le_bytes)),
        "<f8" => AnyGrid::F64(raw.cells(f64::from_le_bytes)),
        _ => AnyGrid::U8(Grid::from_vec(raw.width, raw.height, raw.bytes)),
    })
}

/// Reads a whole file as numbers, and the name of their type: two dimensions, row after row or column after column; bool, whole numbers of 8 to 64 bits
/// with or without sign, or floats of 16 to 64 bits, in either order of bytes. Each number is rounded to float32.
///
/// ```
/// use weald::core::{Cells, Grid};
/// use weald::npy;
///
/// let mut file = Vec::new();
/// npy::write(&mut file, &Cells::U16(&Grid::from_vec(2, 1, vec![3, 812])))?;
/// let (metres, kind) = npy::read_numbers(&mut file.as_slice())?;
/// assert_eq!((metres.cells(), kind), ([3.0, 812.0].as_slice(), "uint16"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_numbers(input: &mut dyn Read) -> Result<(Grid<f32>, &'static str)> {
    // The first character is the order of bytes.
    let size = |descr: &str| match descr.get(1..)? {
        _ if !descr.starts_with(['<', '>', '|', '=']) => None,
        "b1" | "u1" | "i1" => Some(1),
        "u2" | "i2" | "f2" => Some(2),
        "u4" | "i4" | "f4" => Some(4),
        "u8" | "i8" | "f8" => Some(8),
        _ => None,
    };
    let mut raw = Raw::read(input, size)?;
    if raw.descr.starts_with('>') {
        let wide = size(&raw.descr).unwrap_or(1);
        raw.bytes.chunks_exact_mut(wide).for_each(<[u8]>::reverse);
    }
    Ok(match &raw.descr[1..] {
        "b1" => (raw.cells(|[b]| f32::from(b != 0)), "bool"),
        "i1" => (raw.cells(|b| f32::from(i8::from_le_bytes(b))), "int8"),
        "u2" => (raw.cells(|b| f32::from(u16::from_le_bytes(b))), "uint16"),
        "i2" => (raw.cells(|b| f32::from(i16::from_le_bytes(b))), "int16"),
        "f2" => (raw.cells(|b| half(u16::from_le_bytes(b))), "float16"),
        "u4" => (raw.cells(|b| u32::from_le_bytes(b) as f32), "uint32"),
        "i4" => (raw.cells(|b| i32::from_le_bytes(b) as f32), "int32"),
        "f4" => (raw.cells(f32::from_le_bytes), "float32"),
        "u8" => (raw.cells(|b| u64::from_le_bytes(b) as f32), "uint64"),
        "i8" => (raw.cells(|b| i64::from_le_bytes(b) as f32), "int64"),
        "f8" => (raw.cells(|b| f64::from_le_bytes(b) as f32), "float64"),
        _ => (raw.cells(|[b]| f32::from(b)), "uint8"),
    })
}

/// A float of 16 bits: a sign, 5 bits of exponent and 10 of fraction.
pub(crate) fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    let size = match exponent {
        // Without the leading 1 of the fraction.
        0 => fraction as f32 / (1u32 << 24) as f32,
        0x1f => f32::from_bits(0x7f80_0000 | fraction << 13),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(data: Cells) -> AnyGrid {
        let mut file = Vec::new();
        write(&mut file, &data).unwrap();
        assert_eq!(file_header(&data).len() % 64, 0);
        read(&mut file.as_slice()).unwrap()
    }

    #[test]
    fn every_type_reads_back_as_it_was_written() {
        let f = Grid::from_vec(3, 2, vec![0.5f32, -1.0, 1e-20, 3.0, 4.0, 5.5]);
        assert!(matches!(round_trip(Cells::F32(&f)), AnyGrid::F32(g) if g == f));
        let b = Grid::from_vec(2, 3, vec![0u8, 255, 3, 4, 5, 6]);
        assert!(matches!(round_trip(Cells::U8(&b)), AnyGrid::U8(g) if g == b));
        let s = Grid::from_vec(40000, 1, (0..40000).map(|v| v as u16).collect());
        assert!(matches!(round_trip(Cells::U16(&s)), AnyGrid::U16(g) if g == s));
        let u = Grid::from_vec(1, 2, vec![u32::MAX, 1]);
        assert!(matches!(round_trip(Cells::U32(&u)), AnyGrid::U32(g) if g == u));
        let i = Grid::from_vec(1, 2, vec![i32::MIN, -1]);
        assert!(matches!(round_trip(Cells::I32(&i)), AnyGrid::I32(g) if g == i));
    }

    /// A file of a type that this program does not write.
    fn file(descr: &str, shape: (usize, usize), bytes: &[u8]) -> Vec<u8> {
        let mut file = header(descr, shape);
        file.extend(bytes);
        file
    }

    #[test]
    fn numbers_of_every_type_and_order_of_bytes_are_their_values() {
        let numbers = |descr: &str, bytes: &[u8]| {
            let wide = descr[2..].parse::<usize>().unwrap();
            let (grid, kind) =
                read_numbers(&mut file(descr, (bytes.len() / wide, 1), bytes).as_slice()).unwrap();
            (grid.into_vec(), kind)
        };
        let bytes = |values: &[i64], wide: usize| -> Vec<u8> {
            values.iter().flat_map(|v| v.to_le_bytes()[..wide].to_vec()).collect()
        };
        for (descr, kind) in
            [("|i1", "int8"), ("<i2", "int16"), ("<i4", "int32"), ("<i8", "int64"), ("=i2", "int16")]
        {
            let found = numbers(descr, &bytes(&[-40, 0, 112], descr[2..].parse().unwrap()));
            assert_eq!(found, (vec![-40.0, 0.0, 112.0], kind));
        }
        for (descr, kind) in [("|u1", "uint8"), ("<u2", "uint16"), ("<u4", "uint32"), ("<u8", "uint64")] {
            let found = numbers(descr, &bytes(&[1, 0, 255], descr[2..].parse().unwrap()));
            assert_eq!(found, (vec![1.0, 0.0, 255.0], kind));
        }
        assert_eq!(numbers("|b1", &[0, 1, 1]), (vec![0.0, 1.0, 1.0], "bool"));
        assert_eq!(numbers(">i2", &[0xff, 0xd8, 0x03, 0x2c]), (vec![-40.0, 812.0], "int16"));
        assert_eq!(numbers("<f8", &0.5f64.to_le_bytes()), (vec![0.5], "float64"));
        assert_eq!(numbers(">f4", &(-2.5f32).to_be_bytes()), (vec![-2.5], "float32"));
        // 1, -2, the largest one, the smallest one.
        let halves = [0x3c00u16, 0xc000, 0x7bff, 0x0001].map(u16::to_le_bytes).concat();
        assert_eq!(numbers("<f2", &halves), (vec![1.0, -2.0, 65504.0, 5.960_464_5e-8], "float16"));
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
        let message = read_numbers(&mut file("<c8", (1, 1), &[0; 8]).as_slice()).unwrap_err().to_string();
        assert!(message.contains("its type is '<c8'"), "{message}");
    }

    #[test]
    fn broken_files_are_refused_with_a_reason() {
        let mut good = Vec::new();
        write(&mut good, &Cells::U8(&Grid::filled(4, 4, 7))).unwrap();
        for (file, reason) in [
            (b"PNG".to_vec(), "shorter"),
            (b"not numpy at all".to_vec(), "NUMPY"),
            (good[..good.len() - 1].to_vec(), "15 of 16"),
            (good[..20].to_vec(), "shorter"),
            (
                String::from_utf8_lossy(&good).replace("False", "True ").replace('\u{fffd}', "").into_bytes(),
                "NUMPY",
            ),
        ] {
            let message = read(&mut file.as_slice()).unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
        }
    }
}
