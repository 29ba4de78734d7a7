//! Water: filled depressions, flow directions, accumulation, stream orders, basins.

use crate::arrays::{array, directions, grid, mask, numbers, same_shape, table};
use crate::running::plain;
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use weald::core::hydro::{self, DropRule, Outlets, RiverRule};
use weald::core::{Ctx, Dir8, Grid, Seed};
use weald::{Error, Result};

type Floats<'py> = PyReadonlyArray2<'py, f32>;
type Bytes<'py> = PyReadonlyArray2<'py, u8>;

/// The border cells, and those of the mask.
fn outlets(mask: &Option<Grid<u8>>) -> Outlets<'_> {
    mask.as_ref().map_or(Outlets::Border, Outlets::BorderAnd)
}

/// Fills depressions.
#[pyfunction]
#[pyo3(signature = (height, outlet))]
pub(crate) fn fill<'py>(
    py: Python<'py>,
    height: Floats<'py>,
    outlet: Option<Bytes<'py>>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let height = numbers("height", &height)?;
    let outlet = mask("outlet", outlet, ("height", &height))?;
    let filled = plain(py, |ctx| Ok(hydro::fill(&height, outlets(&outlet), ctx)?))?;
    Ok(array(py, filled))
}

/// D8 flow directions by slope over a filled surface.
#[pyfunction]
#[pyo3(signature = (filled, outlet))]
pub(crate) fn d8_over_filled<'py>(
    py: Python<'py>,
    filled: Floats<'py>,
    outlet: Option<Bytes<'py>>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let filled = numbers("filled", &filled)?;
    let outlet = mask("outlet", outlet, ("filled", &filled))?;
    let flow = plain(py, |ctx| Ok(hydro::d8_over_filled(&filled, outlets(&outlet), ctx)?))?;
    Ok(directions(py, flow))
}

/// D8 flow directions by the largest drop.
#[pyfunction]
#[pyo3(signature = (height, seed, min_drop, tie_eps))]
pub(crate) fn d8_by_drop<'py>(
    py: Python<'py>,
    height: Floats<'py>,
    seed: u64,
    min_drop: Option<f32>,
    tie_eps: Option<f32>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let height = numbers("height", &height)?;
    let usual = DropRule::default();
    let rule =
        DropRule { min_drop: min_drop.unwrap_or(usual.min_drop), tie_eps: tie_eps.unwrap_or(usual.tie_eps) };
    for (name, v) in [("min_drop", rule.min_drop), ("tie_eps", rule.tie_eps)] {
        if !(v >= 0.0 && v.is_finite()) {
            return Err(PyValueError::new_err(format!("{name} = {v}: must be a number of at least 0")));
        }
    }
    let flow = plain(py, |ctx| Ok(hydro::d8_by_drop(&height, Seed(seed), &rule, ctx)?))?;
    Ok(directions(py, flow))
}

/// D8 flow directions by priority flood, of the cells inside a mask.
#[pyfunction]
#[pyo3(signature = (height, inside))]
pub(crate) fn d8_by_flood<'py>(
    py: Python<'py>,
    height: Floats<'py>,
    inside: Option<Bytes<'py>>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let height = numbers("height", &height)?;
    let inside = mask("inside", inside, ("height", &height))?;
    let within = |cell: usize| inside.as_ref().is_none_or(|mask| mask.cells()[cell] != 0);
    let flood = plain(py, |ctx| Ok(hydro::d8_by_flood(&height, ctx, within)?))?;
    Ok(directions(py, flood.flow))
}

/// Flow directions from an array of bytes: each a direction or none, and none that leads off the map.
fn flow_of(array: &Bytes<'_>) -> PyResult<Grid<Dir8>> {
    let bytes = grid("flow", array)?;
    let (width, height) = bytes.shape();
    for ((x, y), &code) in bytes.iter() {
        let d = Dir8(code);
        let wrong = |what: &str| PyValueError::new_err(format!("flow: x={x}, y={y} is {code}: {what}"));
        if !d.is_some() && d != Dir8::NONE {
            return Err(wrong("must be a direction from 0 to 7, or 255 for none"));
        }
        let (nx, ny) = match d.is_some() {
            true => (x as i64 + i64::from(d.dx()), y as i64 + i64::from(d.dy())),
            false => continue,
        };
        if nx < 0 || ny < 0 || nx >= width as i64 || ny >= height as i64 {
            return Err(wrong("leads off the map"));
        }
    }
    Ok(bytes.map(|&code| Dir8(code)))
}

/// All cells, each before the cell it drains to. Fails for a cycle.
fn downstream(flow: &Grid<Dir8>, ctx: &Ctx) -> Result<Vec<u32>> {
    let order = hydro::topological_order(flow, ctx, |_| true)?;
    match order.len() == flow.len() {
        true => Ok(order),
        false => {
            let caught = flow.len() - order.len();
            let message =
                format!("flow: {caught} cells drain into a cycle; flow must never return to a cell");
            Err(Error::Invalid(message))
        }
    }
}

/// The number of cells that drain through each cell.
#[pyfunction]
#[pyo3(signature = (flow))]
pub(crate) fn accumulation<'py>(py: Python<'py>, flow: Bytes<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let flow = flow_of(&flow)?;
    let made = plain(py, |ctx| {
        downstream(&flow, ctx)?;
        Ok(hydro::accumulation(&flow, ctx)?)
    })?;
    Ok(array(py, made))
}

/// Strahler numbers and Shreve magnitudes of channels, 0 elsewhere.
#[pyfunction]
#[pyo3(signature = (flow, accumulation, from_cells))]
#[expect(clippy::type_complexity, reason = "a tuple of Python")]
pub(crate) fn stream_order<'py>(
    py: Python<'py>,
    flow: Bytes<'py>,
    accumulation: PyReadonlyArray2<'py, u32>,
    from_cells: u32,
) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<u32>>)> {
    let flow = flow_of(&flow)?;
    let accumulation = grid("accumulation", &accumulation)?;
    same_shape("accumulation", &accumulation, "flow", &flow)?;
    if from_cells == 0 {
        return Err(PyValueError::new_err("from_cells = 0: must be at least 1"));
    }
    let (strahler, shreve) = plain(py, |ctx| {
        downstream(&flow, ctx)?;
        if hydro::accumulation(&flow, ctx)? != accumulation {
            return Err(Error::Invalid("accumulation: must be that of the flow".into()));
        }
        let rule = RiverRule { cell_m: 1.0, from_area_m2: from_cells.into(), ..RiverRule::default() };
        let rivers = hydro::rivers(&flow, &accumulation, &rule, ctx)?;
        let (width, height) = flow.shape();
        let (mut strahler, mut shreve) =
            (Grid::filled(width, height, 0u8), Grid::filled(width, height, 0u32));
        for (river, orders) in rivers.iter().zip(hydro::orders(&rivers)) {
            for (&cell, order) in river.own_cells().iter().zip(orders) {
                strahler.cells_mut()[cell as usize] = order.strahler;
                shreve.cells_mut()[cell as usize] = order.shreve;
            }
        }
        Ok((strahler, shreve))
    })?;
    Ok((array(py, strahler), array(py, shreve)))
}

/// Drainage basins: the label of each cell, and column and row of the mouth and number of cells of each basin.
#[pyfunction]
#[pyo3(signature = (flow))]
#[expect(clippy::type_complexity, reason = "a tuple of Python")]
pub(crate) fn basins<'py>(
    py: Python<'py>,
    flow: Bytes<'py>,
) -> PyResult<(Bound<'py, PyArray2<u32>>, Bound<'py, PyArray2<u32>>)> {
    let flow = flow_of(&flow)?;
    let width = flow.width() as u32;
    let (label, list) = plain(py, |ctx| {
        let order = downstream(&flow, ctx)?;
        Ok(hydro::basins(&flow, &order, ctx, |_| true)?)
    })?;
    let rows = list.iter().map(|basin| [basin.mouth % width, basin.mouth / width, basin.cells]).collect();
    Ok((array(py, label), table(py, rows)))
}
