//! The types of cells, and their bytes in files.

use serde::{Deserialize, Serialize};
use weald_core::{Cells, Grid};

/// The type of the cells of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dtype {
    /// Bytes; directions too.
    Uint8,
    /// 16-bit unsigned integers.
    Uint16,
    /// 32-bit unsigned integers.
    Uint32,
    /// 32-bit signed integers.
    Int32,
    /// 32-bit floats.
    Float32,
    /// 64-bit floats.
    Float64,
}

impl Dtype {
    /// All of them.
    pub const ALL: [Dtype; 6] =
        [Dtype::Uint8, Dtype::Uint16, Dtype::Uint32, Dtype::Int32, Dtype::Float32, Dtype::Float64];

    /// Its name, as NumPy and Zarr write it.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::Uint8 => "uint8",
            Dtype::Uint16 => "uint16",
            Dtype::Uint32 => "uint32",
            Dtype::Int32 => "int32",
            Dtype::Float32 => "float32",
            Dtype::Float64 => "float64",
        }
    }

    /// The type of that name.
    pub fn of(name: &str) -> Option<Self> {
        Dtype::ALL.into_iter().find(|dtype| dtype.name() == name)
    }

    /// Bytes of a cell.
    pub fn bytes(self) -> usize {
        match self {
            Dtype::Uint8 => 1,
            Dtype::Uint16 => 2,
            Dtype::Uint32 | Dtype::Int32 | Dtype::Float32 => 4,
            Dtype::Float64 => 8,
        }
    }

    /// Whether the cells are floating-point numbers.
    pub fn is_float(self) -> bool {
        matches!(self, Dtype::Float32 | Dtype::Float64)
    }
}

/// Runs `$body` with `$cell` as the type of the cells.
macro_rules! typed {
    ($dtype:expr, $cell:ident => $body:expr) => {{
        use crate::zarr::Dtype;
        match $dtype {
            Dtype::Uint8 => {
                type $cell = u8;
                $body
            }
            Dtype::Uint16 => {
                type $cell = u16;
                $body
            }
            Dtype::Uint32 => {
                type $cell = u32;
                $body
            }
            Dtype::Int32 => {
                type $cell = i32;
                $body
            }
            Dtype::Float32 => {
                type $cell = f32;
                $body
            }
            Dtype::Float64 => {
                type $cell = f64;
                $body
            }
        }
    }};
}
pub(super) use typed;

/// A number of a file, the lowest byte first.
pub(super) trait Cell: Copy + Default + PartialOrd + Into<f64> + Send + Sync + 'static {
    /// Its bytes.
    const BYTES: usize;

    /// Appends the bytes of cells.
    fn append(cells: &[Self], out: &mut Vec<u8>);

    /// The cells of as many bytes.
    fn take(bytes: &[u8], cells: &mut [Self]);

    /// The nearest cell to a number.
    fn of(number: f64) -> Self;
}

macro_rules! cell {
    ($($cell:ty, $number:ident => $of:expr;)*) => {
        $(
            impl Cell for $cell {
                const BYTES: usize = size_of::<$cell>();

                fn append(cells: &[Self], out: &mut Vec<u8>) {
                    let start = out.len();
                    out.resize(start + Self::BYTES * cells.len(), 0);
                    let places = out[start..].as_chunks_mut().0;
                    places.iter_mut().zip(cells).for_each(|(place, cell)| *place = cell.to_le_bytes());
                }

                fn take(bytes: &[u8], cells: &mut [Self]) {
                    let places = bytes.as_chunks().0;
                    cells.iter_mut().zip(places).for_each(|(cell, place)| *cell = <$cell>::from_le_bytes(*place));
                }

                fn of($number: f64) -> Self {
                    $of
                }
            }
        )*
    };
}

cell! {
    u8, number => number.round() as u8;
    u16, number => number.round() as u16;
    u32, number => number.round() as u32;
    i32, number => number.round() as i32;
    f32, number => number as f32;
    f64, number => number;
}

/// The bytes of the cells from (x, y) on, with 0 beyond the edges.
pub(super) fn bytes(cells: &Cells, from: (usize, usize), size: (usize, usize)) -> Vec<u8> {
    fn run<T>(
        grid: &Grid<T>,
        (x, y): (usize, usize),
        (width, height): (usize, usize),
        (bytes, append): (usize, impl Fn(&[T], &mut Vec<u8>)),
    ) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes * width * height);
        let end = (x + width).min(grid.width());
        for row in y..(y + height).min(grid.height()) {
            append(&grid.row(row)[x..end], &mut out);
            out.resize(bytes * width * (row + 1 - y), 0);
        }
        out.resize(bytes * width * height, 0);
        out
    }
    match cells {
        Cells::F32(g) => run(g, from, size, (4, f32::append)),
        Cells::F64(g) => run(g, from, size, (8, f64::append)),
        Cells::U8(g) => run(g, from, size, (1, |row, out| out.extend_from_slice(row))),
        Cells::U16(g) => run(g, from, size, (2, u16::append)),
        Cells::U32(g) => run(g, from, size, (4, u32::append)),
        Cells::I32(g) => run(g, from, size, (4, i32::append)),
        Cells::Dir(g) => run(g, from, size, (1, |row, out| out.extend(row.iter().map(|d| d.0)))),
    }
}
