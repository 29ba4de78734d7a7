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

/// Reads a whole file: two dimensions, C order, floats or whole numbers, little-endian. Types that [`AnyGrid`] does not have are
/// widened: int8 and int16 to 32 bits, int64 and uint64 to 64-bit floats.
pub fn read(input: &mut dyn Read) -> Result<AnyGrid> {
    let bad = |what: &str| Error::Invalid(format!("not a .npy file that this program can read: {what}"));
    let mut start = [0u8; 8];
    input.read_exact(&mut start).map_err(|_| bad("it is shorter than its header"))?;
    if &start[..6] != MAGIC {
        return Err(bad("it does not begin with \\x93NUMPY"));
    }
    let mut length = [0u8; 4];
    let wide = if start[6] >= 2 { 4 } else { 2 };
    input.read_exact(&mut length[..wide]).map_err(|_| bad("it is shorter than its header"))?;
    let mut dict = Vec::new();
    let claimed = u32::from_le_bytes(length) as u64;
    input.take(claimed).read_to_end(&mut dict).map_err(|e| bad(&e.to_string()))?;
    if (dict.len() as u64) < claimed {
        return Err(bad("it is shorter than its header"));
    }
    let dict = String::from_utf8_lossy(&dict).into_owned();
    let field = |key: &str| dict.split(&format!("'{key}':")).nth(1).map(str::trim_start);
    if field("fortran_order").is_none_or(|f| !f.starts_with("False")) {
        return Err(bad("its order is not C (row after row); save it with numpy.ascontiguousarray"));
    }
    let shape: Option<Vec<usize>> =
        field("shape").and_then(|s| s.strip_prefix('(')?.split(')').next()).and_then(|s| {
            s.split(',').map(str::trim).filter(|n| !n.is_empty()).map(|n| n.parse().ok()).collect()
        });
    let (height, width) = match shape.as_deref() {
        Some(&[h, w]) if h > 0 && w > 0 => (h, w),
        _ => return Err(bad("its shape is not (rows, columns), both at least 1")),
    };
    let descr = field("descr").and_then(|d| d.split('\'').nth(1)).unwrap_or("?").to_owned();
    let size: usize = match descr.as_str() {
        "|u1" | "<u1" | "|i1" => 1,
        "<u2" | "<i2" => 2,
        "<f4" | "<u4" | "<i4" => 4,
        "<f8" | "<i8" | "<u8" => 8,
        other => {
            return Err(bad(&format!(
                "its type is '{other}'; save it as whole numbers, float32 or float64, little-endian"
            )));
        }
    };
    let total = width
        .checked_mul(height)
        .and_then(|n| n.checked_mul(size))
        .ok_or_else(|| bad("its shape is too large"))?;
    let mut raw = Vec::new();
    input.take(total as u64).read_to_end(&mut raw).map_err(|e| bad(&e.to_string()))?;
    if raw.len() != total {
        return Err(bad(&format!("its data ends after {} of {total} bytes", raw.len())));
    }
    fn cells<T, const N: usize>(raw: &[u8], w: usize, h: usize, le: impl Fn([u8; N]) -> T) -> Grid<T> {
        Grid::from_vec(w, h, raw.as_chunks::<N>().0.iter().map(|&b| le(b)).collect())
    }
    Ok(match descr.as_str() {
        "<u2" => AnyGrid::U16(cells(&raw, width, height, u16::from_le_bytes)),
        "|i1" => AnyGrid::I32(cells(&raw, width, height, |b| i8::from_le_bytes(b).into())),
        "<i2" => AnyGrid::I32(cells(&raw, width, height, |b| i16::from_le_bytes(b).into())),
        "<i8" => AnyGrid::F64(cells(&raw, width, height, |b| i64::from_le_bytes(b) as f64)),
        "<u8" => AnyGrid::F64(cells(&raw, width, height, |b| u64::from_le_bytes(b) as f64)),
        "<u4" => AnyGrid::U32(cells(&raw, width, height, u32::from_le_bytes)),
        "<i4" => AnyGrid::I32(cells(&raw, width, height, i32::from_le_bytes)),
        "<f4" => AnyGrid::F32(cells(&raw, width, height, f32::from_le_bytes)),
        "<f8" => AnyGrid::F64(cells(&raw, width, height, f64::from_le_bytes)),
        _ => AnyGrid::U8(Grid::from_vec(width, height, raw)),
    })
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

    #[test]
    fn types_that_are_not_written_are_widened() {
        let file = |descr: &str, bytes: &[u8]| {
            let mut file = header(descr, (2, 1));
            file.extend(bytes);
            read(&mut file.as_slice()).unwrap()
        };
        let pair = |a: i64, b: i64| [a.to_le_bytes(), b.to_le_bytes()].concat();
        assert_eq!(file("|i1", &[0x80, 3]), AnyGrid::I32(Grid::from_vec(2, 1, vec![-128, 3])));
        assert_eq!(file("<i2", &[0x00, 0x80, 3, 0]), AnyGrid::I32(Grid::from_vec(2, 1, vec![-32768, 3])));
        assert_eq!(file("<i8", &pair(-9, 812)), AnyGrid::F64(Grid::from_vec(2, 1, vec![-9.0, 812.0])));
        assert_eq!(file("<u8", &pair(9, 812)), AnyGrid::F64(Grid::from_vec(2, 1, vec![9.0, 812.0])));
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
