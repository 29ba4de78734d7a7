//! The shape of the ground: slope, light, contour lines.

use crate::arrays::{array, numbers, table};
use crate::noise::positive;
use crate::running::plain;
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use weald::core::contour;
use weald::core::slope::{self, Border};
use weald::render::shade::{self, Light};

type Floats<'py> = PyReadonlyArray2<'py, f32>;

/// Slope, rise over run, and aspect in degrees.
#[pyfunction]
#[pyo3(signature = (height, cell_m, border))]
#[expect(clippy::type_complexity, reason = "a tuple of Python")]
pub(crate) fn slope_and_aspect<'py>(
    py: Python<'py>,
    height: Floats<'py>,
    cell_m: f64,
    border: &str,
) -> PyResult<(Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<f32>>)> {
    let height = numbers("height", &height)?;
    let cell_m = positive("cell_m", cell_m)?;
    let border = match border {
        "one_sided" => Border::OneSided,
        "repeated" => Border::Repeated,
        _ => {
            let message = format!("border = {border:?}: must be \"one_sided\" or \"repeated\"");
            return Err(PyValueError::new_err(message));
        }
    };
    let found = plain(py, |ctx| Ok(slope::slope_and_aspect(&height, cell_m, border, ctx)?))?;
    let slope::SlopeAspect { slope, aspect, .. } = found;
    Ok((array(py, slope), array(py, aspect)))
}

/// Hillshade from 0 to 1, by one light or by four around it.
#[pyfunction]
#[pyo3(signature = (height, cell_m, z_factor, azimuth_deg, altitude_deg, multidirectional))]
pub(crate) fn hillshade<'py>(
    py: Python<'py>,
    height: Floats<'py>,
    cell_m: f64,
    z_factor: f64,
    azimuth_deg: Option<f64>,
    altitude_deg: Option<f64>,
    multidirectional: bool,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let height = numbers("height", &height)?;
    let cell_m = positive("cell_m", cell_m)?;
    let usual = Light::default();
    let light = Light {
        azimuth_deg: azimuth_deg.unwrap_or(usual.azimuth_deg),
        altitude_deg: altitude_deg.unwrap_or(usual.altitude_deg),
    };
    for (name, v) in
        [("z_factor", z_factor), ("azimuth_deg", light.azimuth_deg), ("altitude_deg", light.altitude_deg)]
    {
        if !v.is_finite() {
            return Err(PyValueError::new_err(format!("{name} = {v}: must be a finite number")));
        }
    }
    let made = plain(py, |ctx| {
        Ok(match multidirectional {
            true => shade::multidirectional(&height, cell_m, z_factor, &light, ctx)?,
            false => shade::hillshade(&height, cell_m, z_factor, &light, ctx)?,
        })
    })?;
    Ok(array(py, made))
}

/// Contour lines: level and points of each. At every multiple of the interval, or at the levels that are given.
#[pyfunction]
#[pyo3(signature = (height, interval, levels))]
pub(crate) fn contours<'py>(
    py: Python<'py>,
    height: Floats<'py>,
    interval: Option<f32>,
    levels: Option<Vec<f32>>,
) -> PyResult<Vec<(f32, Bound<'py, PyArray2<f64>>)>> {
    let height = numbers("height", &height)?;
    if let Some(interval) = interval {
        positive("interval", interval.into())?;
    }
    let lines = plain(py, |ctx| match (interval, levels) {
        (Some(interval), _) => {
            let lines = contour::every(&height, interval, ctx)?;
            Ok(lines.into_iter().map(|line| (line.level, line.points)).collect::<Vec<_>>())
        }
        (None, levels) => {
            let mut lines = Vec::new();
            for level in levels.unwrap_or_default() {
                ctx.checkpoint()?;
                lines.extend(contour::lines(&height, level).into_iter().map(|points| (level, points)));
            }
            Ok(lines)
        }
    })?;
    let points = |line: Vec<(f64, f64)>| table(py, line.into_iter().map(|(x, y)| [x, y]).collect());
    Ok(lines.into_iter().map(|(level, line)| (level, points(line))).collect())
}
