//! Grids as NumPy arrays and back.

use numpy::ndarray::{Array2, Array3, ArrayView2};
use numpy::{Element, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use weald::catalogue::{Cells, Layer};
use weald::core::{Dir8, Grid};
use weald::render::Picture;

/// A grid as an array of rows, which takes over its memory.
pub(crate) fn array<T: Element>(py: Python<'_>, grid: Grid<T>) -> Bound<'_, PyArray2<T>> {
    let (width, height) = grid.shape();
    let rows = Array2::from_shape_vec((height, width), grid.into_vec()).expect("a grid has all of its cells");
    PyArray2::from_owned_array(py, rows)
}

/// Directions as an array of bytes.
pub(crate) fn directions(py: Python<'_>, flow: Grid<Dir8>) -> Bound<'_, PyArray2<u8>> {
    array(py, flow.map(|d| d.0))
}

/// Rows of a table as an array.
pub(crate) fn table<T: Element, const N: usize>(py: Python<'_>, rows: Vec<[T; N]>) -> Bound<'_, PyArray2<T>> {
    let count = rows.len();
    let cells: Vec<T> = rows.into_iter().flatten().collect();
    let rows = Array2::from_shape_vec((count, N), cells).expect("a table has all of its cells");
    PyArray2::from_owned_array(py, rows)
}

/// A copy of an array as a grid, so that no other thread of Python can change it while the interpreter is free. `name` is that of the
/// argument.
pub(crate) fn grid<T: Element + Copy>(name: &str, array: &PyReadonlyArray2<'_, T>) -> PyResult<Grid<T>> {
    let [height, width] = [array.shape()[0], array.shape()[1]];
    if width == 0 || height == 0 {
        return Err(PyValueError::new_err(format!("{name} has no cells")));
    }
    if u32::try_from(width * height).is_err() {
        let message = format!("{name} has {width}x{height} cells: must be fewer than 4,294,967,296");
        return Err(PyValueError::new_err(message));
    }
    Ok(Grid::from_vec(width, height, array.as_slice()?.to_vec()))
}

/// The first cell, row by row, whose value is `wrong`: its column and row, and the value.
pub(crate) fn first_where<T: Copy>(grid: &Grid<T>, wrong: impl Fn(T) -> bool) -> Option<(usize, usize, T)> {
    let cell = grid.cells().iter().position(|&v| wrong(v))?;
    Some((cell % grid.width(), cell / grid.width(), grid.cells()[cell]))
}

/// [`grid`] of numbers, all of which must be finite.
pub(crate) fn numbers(name: &str, array: &PyReadonlyArray2<'_, f32>) -> PyResult<Grid<f32>> {
    let grid = grid(name, array)?;
    if let Some((x, y, v)) = first_where(&grid, |v| !v.is_finite()) {
        let message = format!("{name}: x={x}, y={y} is {v}: must be a finite number");
        return Err(PyValueError::new_err(message));
    }
    Ok(grid)
}

/// Fails unless two grids have one shape.
pub(crate) fn same_shape<A, B>(name: &str, grid: &Grid<A>, than: &str, other: &Grid<B>) -> PyResult<()> {
    let ((w, h), (width, height)) = (grid.shape(), other.shape());
    match (w, h) == (width, height) {
        true => Ok(()),
        false => Err(PyValueError::new_err(format!(
            "{name} has the shape ({h}, {w}): must have that of {than}, ({height}, {width})"
        ))),
    }
}

/// An optional mask with the shape of another grid.
pub(crate) fn mask<T>(
    name: &str,
    array: Option<PyReadonlyArray2<'_, u8>>,
    than: (&str, &Grid<T>),
) -> PyResult<Option<Grid<u8>>> {
    let mask = array.map(|array| grid(name, &array)).transpose()?;
    if let Some(mask) = &mask {
        same_shape(name, mask, than.0, than.1)?;
    }
    Ok(mask)
}

/// The owner of the cells of a layer, which an array of NumPy keeps alive.
#[pyclass(frozen)]
struct Owner(Layer);

/// A read-only array over the cells of a layer.
pub(crate) fn view<'py>(py: Python<'py>, layer: &Layer) -> PyResult<Bound<'py, PyAny>> {
    let owner = Bound::new(py, Owner(layer.clone()))?;
    let (width, height) = layer.cells().shape();
    // Borrowed from the owner and not from the argument: a clone of a layer shares its cells.
    let cells = owner.get().0.cells();
    let shape = (height, width);
    match cells {
        Cells::F32(grid) => read_only(shape, grid.cells(), &owner),
        Cells::F64(grid) => read_only(shape, grid.cells(), &owner),
        Cells::U8(grid) => read_only(shape, grid.cells(), &owner),
        Cells::U16(grid) => read_only(shape, grid.cells(), &owner),
        Cells::U32(grid) => read_only(shape, grid.cells(), &owner),
        Cells::I32(grid) => read_only(shape, grid.cells(), &owner),
        Cells::Dir(grid) => {
            let cells = grid.cells();
            // SAFETY: `Dir8` is `repr(transparent)` over `u8`, so both slices have the same length, alignment and validity.
            let bytes = unsafe { std::slice::from_raw_parts(cells.as_ptr().cast::<u8>(), cells.len()) };
            read_only(shape, bytes, &owner)
        }
    }
}

/// A read-only array over cells that belong to `owner`.
fn read_only<'py, T: Element>(
    shape: (usize, usize),
    cells: &[T],
    owner: &Bound<'py, Owner>,
) -> PyResult<Bound<'py, PyAny>> {
    let view = ArrayView2::from_shape(shape, cells).map_err(|e| PyValueError::new_err(e.to_string()))?;
    // SAFETY: the cells live in the layer of the owner, which is frozen and never changes or moves them, and the array holds a reference
    // to the owner. The array is made read-only before anybody else sees it, and NumPy refuses to make it writeable again, because the
    // owner offers no writeable buffer.
    let array = unsafe { PyArray2::borrow_from_array(&view, owner.clone().into_any()) };
    array.readwrite().make_nonwriteable();
    Ok(array.into_any())
}

/// A picture as an array of rows, columns and colours: red, green and blue, and opacity if it has transparent parts.
pub(crate) fn pixels<'py>(py: Python<'py>, picture: &Picture) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let (width, height, bytes) = match picture {
        Picture::Opaque(image) => (image.width(), image.height(), image.bytes().to_vec()),
        Picture::Transparent(film) => {
            let (w, h) = film.size();
            (w, h, (0..w * h).flat_map(|i| film.at(i % w, i / w)).collect())
        }
        _ => (0, 0, Vec::new()),
    };
    let colours = bytes.len().checked_div(width * height).unwrap_or(0);
    let rows = Array3::from_shape_vec((height, width, colours), bytes);
    Ok(PyArray3::from_owned_array(py, rows.map_err(|e| PyValueError::new_err(e.to_string()))?))
}
