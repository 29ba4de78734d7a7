//! Erosion: droplets of rain, slopes that slide, streams that carve rising land.

use crate::arrays::{array, first_where, mask, numbers, same_shape};
use crate::noise::{positive, validate_shape};
use crate::raising::raised;
use crate::request::read;
use crate::running::plain;
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Deserialize;
use weald::core::erosion::land::{self, HIGHEST_M};
use weald::core::erosion::{self, Droplets, Emphasis, Heading, Land, Talus, Thermal, brush};
use weald::core::landscape::{self, Depressions, Evolution, Ground};
use weald::core::mesh::{Lattice, Mesh, Surface};
use weald::core::{Frame, Grid, Seed};
use weald::{Error, Result};

type Floats<'py> = PyReadonlyArray2<'py, f32>;

fn invalid(name: &str, value: impl std::fmt::Display, must: &str) -> Error {
    Error::Invalid(format!("{name} = {value}: {must}"))
}

/// A share from 0 to 1.
fn share(name: &str, v: f32) -> Result<f32> {
    if (0.0..=1.0).contains(&v) { Ok(v) } else { Err(invalid(name, v, "must be between 0 and 1")) }
}

/// A number of at least 0.
fn least_zero(name: &str, v: f64) -> Result<f64> {
    match v >= 0.0 && v.is_finite() {
        true => Ok(v),
        false => Err(invalid(name, v, "must be a number of at least 0")),
    }
}

/// Fails for heights that are too high or too deep.
fn within(height: &Grid<f32>, highest_m: f64) -> PyResult<()> {
    match first_where(height, |v| f64::from(v.abs()) > highest_m) {
        None => Ok(()),
        Some((x, y, v)) => Err(PyValueError::new_err(format!(
            "height: x={x}, y={y} is {v} m: must be between -{highest_m} and {highest_m}"
        ))),
    }
}

/// How droplets run, as JSON. What is not given has its default.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct DropletRule {
    count: Option<u32>,
    inertia: Option<f32>,
    erosion_rate: Option<f32>,
    deposition_rate: Option<f32>,
    evaporation_rate: Option<f32>,
    capacity: Option<f64>,
    min_slope: Option<f64>,
    brush_cells: Option<u32>,
    max_steps: Option<u32>,
    batch: Option<u32>,
    heading: Option<String>,
    emphasis: Option<String>,
}

impl DropletRule {
    fn rule(self) -> Result<Droplets> {
        let usual = Droplets::default();
        let heading = match self.heading.as_deref() {
            None => usual.heading,
            Some("downhill") => Heading::Downhill,
            Some("uphill") => Heading::Uphill,
            Some(other) => return Err(invalid("heading", other, "must be \"downhill\" or \"uphill\"")),
        };
        let emphasis = match self.emphasis.as_deref() {
            None => usual.emphasis,
            Some("hills") => Emphasis::Hills,
            Some("plains") => Emphasis::Plains,
            Some(other) => return Err(invalid("emphasis", other, "must be \"hills\" or \"plains\"")),
        };
        let brush_cells = self.brush_cells.unwrap_or(usual.brush_cells);
        if brush_cells > brush::WIDEST {
            return Err(invalid("brush_cells", brush_cells, &format!("must be at most {}", brush::WIDEST)));
        }
        Ok(Droplets {
            count: self.count.unwrap_or(usual.count),
            inertia: share("inertia", self.inertia.unwrap_or(usual.inertia))?,
            erosion_rate: share("erosion_rate", self.erosion_rate.unwrap_or(usual.erosion_rate))?,
            deposition_rate: share("deposition_rate", self.deposition_rate.unwrap_or(usual.deposition_rate))?,
            evaporation_rate: share(
                "evaporation_rate",
                self.evaporation_rate.unwrap_or(usual.evaporation_rate),
            )?,
            capacity: least_zero("capacity", self.capacity.unwrap_or(usual.capacity.into()))? as f32,
            min_slope: least_zero("min_slope", self.min_slope.unwrap_or(usual.min_slope.into()))? as f32,
            brush_cells,
            max_steps: self.max_steps.unwrap_or(usual.max_steps),
            batch: self.batch.unwrap_or(usual.batch),
            heading,
            emphasis,
        })
    }
}

/// Hydraulic erosion by droplets: the new heights, what was eroded and what was deposited, in metres, and the volumes that were eroded,
/// deposited and carried off the map, in cubic metres. `rule` is JSON.
#[pyfunction]
#[pyo3(signature = (height, cell_m, seed, potential, rule))]
#[expect(clippy::type_complexity, reason = "a tuple of Python")]
pub(crate) fn droplet<'py>(
    py: Python<'py>,
    height: Floats<'py>,
    cell_m: f64,
    seed: u64,
    potential: Floats<'py>,
    rule: &str,
) -> PyResult<([Bound<'py, PyArray2<f32>>; 3], (f64, f64, f64))> {
    let height = numbers("height", &height)?;
    within(&height, HIGHEST_M)?;
    if height.width().max(height.height()) > 1 << 16 {
        return Err(PyValueError::new_err("height: a side must have at most 65536 cells"));
    }
    let potential = numbers("potential", &potential)?;
    same_shape("potential", &potential, "height", &height)?;
    let cell_m = positive("cell_m", cell_m)?;
    let rule = read::<DropletRule>(rule).and_then(DropletRule::rule).map_err(raised)?;
    let (made, balance) = plain(py, |ctx| {
        let land = Land::new(&height, cell_m, ctx)?;
        let land = ctx.stage("droplets", |c| erosion::droplet(land, &potential, Seed(seed), &rule, c))?;
        let balance = land.mass_balance(ctx)?;
        let deposited = land.deposited(ctx)?;
        let metres = [land::in_metres(&land.height, ctx)?, land::in_metres(&land.eroded, ctx)?];
        let [height, eroded] = metres;
        Ok(([height, eroded, land::in_metres(&deposited, ctx)?], balance))
    })?;
    Ok((made.map(|grid| array(py, grid)), (balance.eroded_m3, balance.deposited_m3, balance.exported_m3)))
}

/// Thermal erosion with one talus slope, or with one for each cell.
#[pyfunction]
#[pyo3(signature = (height, cell_m, talus, talus_of_cells, rate, passes))]
pub(crate) fn thermal<'py>(
    py: Python<'py>,
    height: Floats<'py>,
    cell_m: f64,
    talus: Option<f64>,
    talus_of_cells: Option<Floats<'py>>,
    rate: Option<f64>,
    passes: Option<u32>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    /// The greatest height that thermal erosion takes, in metres.
    const HIGHEST_M: f64 = 11_000.0;
    let height = numbers("height", &height)?;
    within(&height, HIGHEST_M)?;
    let cell_m = positive("cell_m", cell_m)?;
    let cells = talus_of_cells.map(|array| numbers("talus", &array)).transpose()?;
    if let Some(cells) = &cells {
        same_shape("talus", cells, "height", &height)?;
        if let Some((x, y, v)) = first_where(cells, |v| v < 0.0) {
            return Err(PyValueError::new_err(format!("talus: x={x}, y={y} is {v}: must be at least 0")));
        }
    }
    let usual = Thermal::default();
    let rate = rate.unwrap_or(usual.rate);
    if !(0.0..=0.5).contains(&rate) {
        return Err(PyValueError::new_err(format!("rate = {rate}: must be between 0 and 0.5")));
    }
    let talus = match (talus, &cells) {
        (_, Some(cells)) => Talus::Cells(cells),
        (Some(slope), None) => Talus::Everywhere(least_zero("talus", slope).map_err(raised)?),
        (None, None) => usual.talus,
    };
    let rule = Thermal { talus, rate, passes: passes.unwrap_or(usual.passes) };
    let slid = plain(py, |ctx| Ok(ctx.stage("thermal", |c| erosion::thermal(height, cell_m, &rule, c))?))?;
    Ok(array(py, slid))
}

/// How land evolves, as JSON. What is not given has its default.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct EvolutionRule {
    steps: Option<usize>,
    years: Option<f64>,
    slope_limit: Option<f64>,
    creep_m2_per_year: Option<f64>,
    least_slope: Option<f64>,
    alluvial_slope: Option<f64>,
    depressions: Option<String>,
    /// Distance between nodes; the side of a cell without it.
    spacing_m: Option<f64>,
}

impl EvolutionRule {
    fn rule(&self) -> Result<Evolution> {
        let usual = Evolution::default();
        let depressions = match self.depressions.as_deref() {
            None => usual.depressions,
            Some("silt") => Depressions::Silt,
            Some("lakes") => Depressions::Lakes,
            Some(other) => return Err(invalid("depressions", other, "must be \"silt\" or \"lakes\"")),
        };
        Ok(Evolution {
            steps: self.steps.unwrap_or(usual.steps),
            years: least_zero("years", self.years.unwrap_or(usual.years))?,
            slope_limit: least_zero("slope_limit", self.slope_limit.unwrap_or(usual.slope_limit))?,
            creep_m2_per_year: least_zero(
                "creep_m2_per_year",
                self.creep_m2_per_year.unwrap_or(usual.creep_m2_per_year),
            )?,
            least_slope: least_zero("least_slope", self.least_slope.unwrap_or(usual.least_slope))?,
            alluvial_slope: least_zero(
                "alluvial_slope",
                self.alluvial_slope.unwrap_or(usual.alluvial_slope),
            )?,
            depressions,
        })
    }
}

/// Land that uplift raises and streams carve, on a mesh of jittered nodes: the heights of the cells in metres. `rule` is JSON.
#[pyfunction]
#[pyo3(signature = (uplift, erodibility, height, outlet, cell_m, seed, rule))]
#[expect(clippy::too_many_arguments, reason = "the Python half gives all of them")]
pub(crate) fn evolve<'py>(
    py: Python<'py>,
    uplift: Floats<'py>,
    erodibility: Floats<'py>,
    height: Option<Floats<'py>>,
    outlet: Option<PyReadonlyArray2<'py, u8>>,
    cell_m: f64,
    seed: u64,
    rule: &str,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let uplift = numbers("uplift", &uplift)?;
    validate_shape((uplift.height(), uplift.width()))?;
    let erodibility = numbers("erodibility", &erodibility)?;
    same_shape("erodibility", &erodibility, "uplift", &uplift)?;
    if let Some((x, y, v)) = first_where(&erodibility, |v| v < 0.0) {
        return Err(PyValueError::new_err(format!("erodibility: x={x}, y={y} is {v}: must be at least 0")));
    }
    let height = height.map(|array| numbers("height", &array)).transpose()?;
    if let Some(height) = &height {
        same_shape("height", height, "uplift", &uplift)?;
    }
    let outlet = mask("outlet", outlet, ("uplift", &uplift))?;
    let cell_m = positive("cell_m", cell_m)?;
    let given: EvolutionRule = read(rule).map_err(raised)?;
    let spacing_m = positive("spacing_m", given.spacing_m.unwrap_or(cell_m))?;
    let rule = given.rule().map_err(raised)?;
    let frame = Frame::new(uplift.width(), uplift.height(), cell_m);
    // The nodes of the border lie on the edges of the map or just beyond.
    let nodes = |cells: usize| (cells as f64 * cell_m / spacing_m).ceil() as usize + 1;
    let (columns, rows) = (nodes(frame.width), nodes(frame.height));
    let fits = columns.max(rows) < 1 << 19 && columns.checked_mul(rows).is_some_and(|nodes| nodes < 1 << 29);
    if !fits {
        let message =
            format!("spacing_m = {spacing_m}: {columns} by {rows} nodes are too many; give a larger one");
        return Err(PyValueError::new_err(message));
    }
    let made = plain(py, |ctx| {
        let mesh = Mesh::new(Lattice::new(columns, rows, spacing_m), Seed(seed));
        let at = |node: usize, grid: &Grid<f32>| {
            let (x, y) = mesh.at(node);
            grid.bilinear(x / cell_m - 0.5, y / cell_m - 0.5)
        };
        let cell = |node: usize| {
            let (x, y) = mesh.at(node);
            let index = |v: f64, cells: usize| ((v / cell_m) as usize).min(cells - 1);
            (index(x, frame.width), index(y, frame.height))
        };
        let nodes = || 0..mesh.len();
        let is_outlet =
            |node: usize| mesh.is_border(node) || outlet.as_ref().is_some_and(|mask| mask[cell(node)] != 0);
        let ground = Ground {
            uplift: nodes().map(|node| at(node, &uplift) as f32).collect(),
            erodibility: nodes().map(|node| at(node, &erodibility) as f32).collect(),
            outlet: nodes().map(is_outlet).collect(),
            inflow: Vec::new(),
        };
        let begin = nodes().map(|node| height.as_ref().map_or(0.0, |grid| at(node, grid))).collect();
        let land = ctx.stage("evolve", |c| landscape::evolve(&mesh, begin, &ground, &rule, c))?;
        Ok(Surface::new(&mesh, &land.height, ctx)?.raster(&frame, ctx)?)
    })?;
    Ok(array(py, made))
}
