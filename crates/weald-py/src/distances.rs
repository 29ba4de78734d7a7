//! Distances to the nearest source.

use crate::arrays::{array, grid};
use crate::running::plain;
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use weald::core::{Grid, distance};

type Bytes<'py> = PyReadonlyArray2<'py, u8>;

/// Fails for a map with a side that is too long for these distances.
fn within(sources: Grid<u8>, longest: usize) -> PyResult<Grid<u8>> {
    let (width, height) = sources.shape();
    match width.max(height) <= longest {
        true => Ok(sources),
        false => Err(PyValueError::new_err(format!(
            "sources has the shape ({height}, {width}): a side must have at most {longest} cells"
        ))),
    }
}

/// Chebyshev distances in cells, at most `cap`.
#[pyfunction]
#[pyo3(signature = (sources, cap))]
pub(crate) fn chebyshev<'py>(
    py: Python<'py>,
    sources: Bytes<'py>,
    cap: u16,
) -> PyResult<Bound<'py, PyArray2<u16>>> {
    let sources = grid("sources", &sources)?;
    let (w, h) = sources.shape();
    let made = plain(py, |ctx| Ok(distance::chebyshev(w, h, cap, ctx, |cell| sources.cells()[cell] != 0)?))?;
    Ok(array(py, made))
}

/// Octile distances in cells.
#[pyfunction]
#[pyo3(signature = (sources))]
pub(crate) fn octile<'py>(py: Python<'py>, sources: Bytes<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
    // A path across such a map is shorter than 32,766 cells.
    let sources = within(grid("sources", &sources)?, 23_000)?;
    let (w, h) = sources.shape();
    let made = plain(py, |ctx| Ok(distance::octile(w, h, ctx, |cell| sources.cells()[cell] != 0)?))?;
    Ok(array(py, made))
}

/// Squared Euclidean distances in cells², and the index of the nearest source.
#[pyfunction]
#[pyo3(signature = (sources))]
#[expect(clippy::type_complexity, reason = "a tuple of Python")]
pub(crate) fn euclidean<'py>(
    py: Python<'py>,
    sources: Bytes<'py>,
) -> PyResult<(Bound<'py, PyArray2<u32>>, Bound<'py, PyArray2<u32>>)> {
    let sources = within(grid("sources", &sources)?, i16::MAX as usize)?;
    let (w, h) = sources.shape();
    let near = plain(py, |ctx| Ok(distance::euclidean(w, h, ctx, |cell| sources.cells()[cell] != 0)?))?;
    let distance::Nearby { squared, source, .. } = near;
    Ok((array(py, squared), array(py, source)))
}
