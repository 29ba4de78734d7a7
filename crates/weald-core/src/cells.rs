//! Grids whose cell type is known only at run time: layers, intermediate grids, files.

use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::tiled::Window;

/// A borrowed grid of any of the types that a layer can have.
#[derive(Clone, Copy, Debug)]
pub enum Cells<'a> {
    /// 32-bit floats.
    F32(&'a Grid<f32>),
    /// 64-bit floats.
    F64(&'a Grid<f64>),
    /// Bytes: masks, classes, bit sets.
    U8(&'a Grid<u8>),
    /// 16-bit unsigned integers.
    U16(&'a Grid<u16>),
    /// 32-bit unsigned integers: counts, labels.
    U32(&'a Grid<u32>),
    /// 32-bit signed integers.
    I32(&'a Grid<i32>),
    /// Directions, stored as bytes.
    Dir(&'a Grid<Dir8>),
}

/// An owned grid of any of the types that a layer can have.
///
/// ```
/// use weald_core::{AnyGrid, Grid};
///
/// let layer = AnyGrid::from(Grid::from_vec(2, 1, vec![3u16, 9]));
/// assert_eq!(layer.cells().dtype(), "uint16");
/// assert_eq!(layer.cells().min_max(), (3.0, 9.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum AnyGrid {
    /// 32-bit floats.
    F32(Grid<f32>),
    /// 64-bit floats.
    F64(Grid<f64>),
    /// Bytes: masks, classes, bit sets.
    U8(Grid<u8>),
    /// 16-bit unsigned integers.
    U16(Grid<u16>),
    /// 32-bit unsigned integers: counts, labels.
    U32(Grid<u32>),
    /// 32-bit signed integers.
    I32(Grid<i32>),
    /// Directions, stored as bytes.
    Dir(Grid<Dir8>),
}

/// Runs `$body` with `$grid` bound to the typed grid.
macro_rules! typed {
    ($kind:ident, $value:expr, $grid:ident => $body:expr) => {
        match $value {
            $kind::F32($grid) => $body,
            $kind::F64($grid) => $body,
            $kind::U8($grid) => $body,
            $kind::U16($grid) => $body,
            $kind::U32($grid) => $body,
            $kind::I32($grid) => $body,
            $kind::Dir($grid) => $body,
        }
    };
}

/// Smallest and largest value; both are NaN if any value is.
fn extremes<T: Copy + PartialOrd + Into<f64>>(mut cells: impl Iterator<Item = T>) -> (f64, f64) {
    let Some(first) = cells.next() else { return (f64::INFINITY, f64::NEG_INFINITY) };
    let (mut low, mut high, mut ordered) = (first, first, first.partial_cmp(&first).is_some());
    for v in cells {
        ordered &= v.partial_cmp(&v).is_some();
        low = if v < low { v } else { low };
        high = if v > high { v } else { high };
    }
    if ordered { (low.into(), high.into()) } else { (f64::NAN, f64::NAN) }
}

impl<'a> Cells<'a> {
    /// Number of columns and number of rows.
    pub fn shape(&self) -> (usize, usize) {
        typed!(Cells, self, g => g.shape())
    }

    /// Name of the cell type as NumPy writes it.
    pub fn dtype(&self) -> &'static str {
        match self {
            Cells::F32(_) => "float32",
            Cells::F64(_) => "float64",
            Cells::U8(_) | Cells::Dir(_) => "uint8",
            Cells::U16(_) => "uint16",
            Cells::U32(_) => "uint32",
            Cells::I32(_) => "int32",
        }
    }

    /// Whether the values are floating-point numbers.
    pub fn is_float(&self) -> bool {
        matches!(self, Cells::F32(_) | Cells::F64(_))
    }

    /// Smallest and largest value. Both are NaN if any value is, and (∞, −∞) if there are no cells.
    pub fn min_max(&self) -> (f64, f64) {
        match self {
            Cells::Dir(g) => extremes(g.cells().iter().map(|d| d.0)),
            Cells::F32(g) => extremes(g.cells().iter().copied()),
            Cells::F64(g) => extremes(g.cells().iter().copied()),
            Cells::U8(g) => extremes(g.cells().iter().copied()),
            Cells::U16(g) => extremes(g.cells().iter().copied()),
            Cells::U32(g) => extremes(g.cells().iter().copied()),
            Cells::I32(g) => extremes(g.cells().iter().copied()),
        }
    }

    /// The value at column `x` and row `y` as a number.
    #[inline]
    pub fn at(&self, x: usize, y: usize) -> f64 {
        match self {
            Cells::F32(g) => g[(x, y)].into(),
            Cells::F64(g) => g[(x, y)],
            Cells::U8(g) => g[(x, y)].into(),
            Cells::U16(g) => g[(x, y)].into(),
            Cells::U32(g) => g[(x, y)].into(),
            Cells::I32(g) => g[(x, y)].into(),
            Cells::Dir(g) => g[(x, y)].0.into(),
        }
    }

    /// A copy of the part `inner` of a grid of the window `of`.
    ///
    /// # Panics
    /// If the grid has another shape than its window, or the part lies outside.
    pub fn crop(&self, of: &Window, inner: Window) -> AnyGrid {
        typed!(Cells, *self, g => of.crop(g, inner).into())
    }

    /// A copy that owns its cells.
    pub fn to_owned(&self) -> AnyGrid {
        match *self {
            Cells::F32(g) => AnyGrid::F32(g.clone()),
            Cells::F64(g) => AnyGrid::F64(g.clone()),
            Cells::U8(g) => AnyGrid::U8(g.clone()),
            Cells::U16(g) => AnyGrid::U16(g.clone()),
            Cells::U32(g) => AnyGrid::U32(g.clone()),
            Cells::I32(g) => AnyGrid::I32(g.clone()),
            Cells::Dir(g) => AnyGrid::Dir(g.clone()),
        }
    }
}

impl AnyGrid {
    /// The cells, borrowed.
    pub fn cells(&self) -> Cells<'_> {
        match self {
            AnyGrid::F32(g) => Cells::F32(g),
            AnyGrid::F64(g) => Cells::F64(g),
            AnyGrid::U8(g) => Cells::U8(g),
            AnyGrid::U16(g) => Cells::U16(g),
            AnyGrid::U32(g) => Cells::U32(g),
            AnyGrid::I32(g) => Cells::I32(g),
            AnyGrid::Dir(g) => Cells::Dir(g),
        }
    }
}

/// One `From` per type, for both enums.
macro_rules! from_grid {
    ($($cell:ty => $variant:ident),*) => {
        $(
            impl From<Grid<$cell>> for AnyGrid {
                fn from(grid: Grid<$cell>) -> Self {
                    AnyGrid::$variant(grid)
                }
            }
            impl<'a> From<&'a Grid<$cell>> for Cells<'a> {
                fn from(grid: &'a Grid<$cell>) -> Self {
                    Cells::$variant(grid)
                }
            }
        )*
    };
}

from_grid!(f32 => F32, f64 => F64, u8 => U8, u16 => U16, u32 => U32, i32 => I32, Dir8 => Dir);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_no_number_shows_in_both_extremes() {
        let with = |values: Vec<f32>| Cells::from(&Grid::from_vec(values.len(), 1, values)).min_max();
        assert_eq!(with(vec![3.0, -1.0, 2.0]), (-1.0, 3.0));
        for place in 0..3 {
            let mut values = vec![3.0, -1.0, 2.0];
            values[place] = f32::NAN;
            let (low, high) = with(values);
            assert!(low.is_nan() && high.is_nan(), "{place}");
        }
        assert_eq!(with(vec![]), (f64::INFINITY, f64::NEG_INFINITY));
    }

    #[test]
    fn owned_and_borrowed_cells_tell_the_same() {
        let grid = Grid::from_vec(2, 1, vec![Dir8(3), Dir8::NONE]);
        let owned = AnyGrid::from(grid.clone());
        assert_eq!((owned.cells().shape(), owned.cells().dtype()), ((2, 1), "uint8"));
        assert_eq!((owned.cells().at(0, 0), owned.cells().min_max()), (3.0, (3.0, 255.0)));
        assert_eq!(Cells::from(&grid).to_owned(), owned);
    }
}
