//! Least-cost paths and cost distances.

use crate::arrays::{array, first_where, grid, mask, table};
use crate::running::plain;
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use weald::core::Grid;
use weald::core::path::{self, CLOSED, CostGrid, NEVER, PLAIN, PathRule, Search, UNIT};

/// The cost distance from the nearest source; infinite where there is no path.
#[pyfunction]
#[pyo3(signature = (resistance, sources))]
pub(crate) fn cost_distance<'py>(
    py: Python<'py>,
    resistance: PyReadonlyArray2<'py, f64>,
    sources: PyReadonlyArray2<'py, u8>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let given = grid("resistance", &resistance)?;
    let Some(sources) = mask("sources", Some(sources), ("resistance", &given))? else { unreachable!() };
    let (least, most) = (1.0 / f64::from(PLAIN), f64::from(u16::MAX) / f64::from(PLAIN));
    let wrong = |v: f64| !(v == 0.0 || v == f64::INFINITY || (least..=most).contains(&v));
    if let Some((x, y, v)) = first_where(&given, wrong) {
        let must = format!("must be between {least} and {most}, or 0 or infinite for a wall");
        return Err(PyValueError::new_err(format!("resistance: x={x}, y={y} is {v}: {must}")));
    }
    let parts = |v: &f64| if v.is_finite() { (v * f64::from(PLAIN)).round() as u16 } else { 0 };
    let resistance = given.map(parts);
    let cost =
        plain(py, |ctx| Ok(path::cost_distance(&resistance, ctx, |cell| sources.cells()[cell] != 0)?))?;
    let cells = |&v: &u32| if v == NEVER { f64::INFINITY } else { f64::from(v) / f64::from(UNIT) };
    Ok(array(py, cost.map(cells)))
}

/// The cells of the least-cost path from start to goal, columns and rows; none if there is no path.
#[pyfunction]
#[pyo3(signature = (cost, start, goal, diagonal, tie_eps))]
pub(crate) fn least_cost<'py>(
    py: Python<'py>,
    cost: PyReadonlyArray2<'py, f32>,
    start: (usize, usize),
    goal: (usize, usize),
    diagonal: Option<f64>,
    tie_eps: Option<f64>,
) -> PyResult<Option<Bound<'py, PyArray2<u32>>>> {
    let given = grid("cost", &cost)?;
    if let Some((x, y, v)) = first_where(&given, |v: f32| v.is_nan() || v <= 0.0 && v != CLOSED) {
        let must = "must be above 0, or infinite for a cell that no path may enter";
        return Err(PyValueError::new_err(format!("cost: x={x}, y={y} is {v}: {must}")));
    }
    let (width, height) = given.shape();
    for (name, (x, y)) in [("start", start), ("goal", goal)] {
        if x >= width || y >= height {
            let message = format!("{name} = ({x}, {y}): must be a cell of the map of {width}x{height} cells");
            return Err(PyValueError::new_err(message));
        }
    }
    let usual = PathRule::default();
    let rule =
        PathRule { diagonal: diagonal.unwrap_or(usual.diagonal), tie_eps: tie_eps.unwrap_or(usual.tie_eps) };
    if !(rule.diagonal > 0.0 && rule.diagonal.is_finite() && rule.tie_eps >= 0.0 && rule.tie_eps.is_finite())
    {
        return Err(PyValueError::new_err("diagonal must be above 0, and tie_eps at least 0"));
    }
    let cost: Grid<f32> = given.map(|&v| if v.is_finite() { v } else { CLOSED });
    let index = |(x, y): (usize, usize)| y * width + x;
    let found = plain(py, |ctx| {
        let ground = CostGrid::new(&cost, rule, ctx)?;
        Ok(Search::new(width, height).path(&ground, index(start), index(goal), ctx)?)
    })?;
    let cell = |cell: u32| [cell % width as u32, cell / width as u32];
    Ok(found.map(|path| table(py, path.into_iter().map(cell).collect())))
}
