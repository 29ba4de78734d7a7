//! Noise.

use crate::arrays::array;
use crate::running::plain;
use numpy::PyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use weald::core::noise::gradient::{self, Fractal, NoiseShape};
use weald::core::noise::{Fbm, Octave, Perlin};
use weald::core::{Frame, Seed};

/// Fails for a map that has no cells or too many.
pub(crate) fn validate_shape((height, width): (usize, usize)) -> PyResult<()> {
    match width.checked_mul(height).and_then(|cells| u32::try_from(cells).ok()) {
        Some(cells) if cells > 0 => Ok(()),
        _ => {
            let must =
                "must be rows and columns, each at least 1, and together fewer than 4,294,967,296 cells";
            Err(PyValueError::new_err(format!("shape = ({height}, {width}): {must}")))
        }
    }
}

/// Fails unless a number is finite and above 0.
pub(crate) fn positive(name: &str, v: f64) -> PyResult<f64> {
    match v > 0.0 && v.is_finite() {
        true => Ok(v),
        false => Err(PyValueError::new_err(format!("{name} = {v}: must be a number above 0"))),
    }
}

/// Fractal noise at the centres of cells.
#[pyfunction]
#[pyo3(signature = (shape, seed, stream, kind, wavelength_m, octaves, persistence, lacunarity, cell_m, origin))]
#[expect(clippy::too_many_arguments, reason = "the Python half gives all of them")]
pub(crate) fn fractal<'py>(
    py: Python<'py>,
    shape: (usize, usize),
    seed: u64,
    stream: Option<&str>,
    kind: &str,
    wavelength_m: Option<f64>,
    octaves: Option<u32>,
    persistence: Option<f64>,
    lacunarity: Option<f64>,
    cell_m: f64,
    origin: (f64, f64),
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    validate_shape(shape)?;
    let kind = match kind {
        "fbm" => NoiseShape::Fbm,
        "ridged" => NoiseShape::Ridged,
        "billow" => NoiseShape::Billow,
        _ => {
            let message = format!("kind = {kind:?}: must be \"fbm\", \"ridged\" or \"billow\"");
            return Err(PyValueError::new_err(message));
        }
    };
    let usual = Fractal::default();
    let rule = Fractal {
        wavelength_m: positive("wavelength_m", wavelength_m.unwrap_or(usual.wavelength_m))?,
        octaves: octaves.unwrap_or(usual.octaves),
        persistence: persistence.unwrap_or(usual.persistence),
        lacunarity: positive("lacunarity", lacunarity.unwrap_or(usual.lacunarity))?,
    };
    if !(1..=64).contains(&rule.octaves) {
        return Err(PyValueError::new_err(format!("octaves = {}: must be between 1 and 64", rule.octaves)));
    }
    if !(rule.persistence >= 0.0 && rule.persistence.is_finite()) {
        let message = format!("persistence = {}: must be a number of at least 0", rule.persistence);
        return Err(PyValueError::new_err(message));
    }
    if !(origin.0.is_finite() && origin.1.is_finite()) {
        return Err(PyValueError::new_err("origin: must be two finite numbers"));
    }
    let frame = Frame { origin, ..Frame::new(shape.1, shape.0, positive("cell_m", cell_m)?) };
    let seed = stream.map_or(Seed(seed), |name| Seed(seed).of(name));
    let made = plain(py, |ctx| Ok(gradient::fractal(&frame, seed, kind, &rule, ctx)?))?;
    Ok(array(py, made))
}

/// A weighted mean of octaves of improved Perlin noise; an octave is a seed, a frequency and an amplitude.
#[pyfunction]
#[pyo3(signature = (shape, octaves))]
pub(crate) fn perlin<'py>(
    py: Python<'py>,
    shape: (usize, usize),
    octaves: Vec<(u64, f64, f64)>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    validate_shape(shape)?;
    if octaves.is_empty() {
        return Err(PyValueError::new_err("octaves: there must be at least one"));
    }
    let octave = |(seed, frequency, amplitude): (u64, f64, f64)| {
        let (frequency, amplitude) = (positive("frequency", frequency)?, positive("amplitude", amplitude)?);
        Ok(Octave { noise: Perlin::new(seed), frequency, amplitude })
    };
    let noise = Fbm::new(octaves.into_iter().map(octave).collect::<PyResult<_>>()?);
    let made = plain(py, |ctx| Ok(noise.grid(shape.1, shape.0, ctx)?))?;
    Ok(array(py, made))
}
