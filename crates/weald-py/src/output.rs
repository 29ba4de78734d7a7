//! A world that was made, or read from its folder.

use crate::arrays::{pixels, view};
use crate::request::{Arrays, Request, read};
use crate::running::{How, Seconds, plain, run};
use crate::worlds::spec;
use numpy::{PyArray1, PyArray3};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use weald::catalogue::explain;
use weald::export::atomic::Existing;
use weald::export::chart::{ChartOptions, Paper};
use weald::export::geojson::{self, Geometry};
use weald::export::target::{Delivered, ExportOptions};
use weald::job::export::targets;
use weald::job::folder::{Choice, FileChoice, FolderPlan};
use weald::sink::Sink;
use weald::style::DrawOptions;
use weald::world::Phases;
use weald::{Error, Result};

/// A world that was made, or read from its folder.
#[pyclass(frozen, module = "weald._weald")]
pub(crate) struct Output {
    output: weald::Output,
    /// Optional results that were asked for.
    with: Vec<String>,
    /// How long each stage took.
    seconds: Seconds,
}

/// Makes the world of a request, which is JSON; `arrays` are the bytes of NumPy files by the names of maps.
#[pyfunction]
#[pyo3(signature = (request, arrays, threads, progress))]
pub(crate) fn make(
    py: Python<'_>,
    request: &str,
    arrays: Arrays,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Output> {
    run(py, &How { threads, progress }, |watched| {
        let request: Request = read(request)?;
        let mut job = request.job(arrays)?;
        let choice = FileChoice::new(job.recipe().world.info(), None, &request.with)?;
        job = choice.requests.iter().fold(job, |job, name| job.with(name));
        let ready = job.ready()?;
        ready.check_memory()?;
        let output = ready.run(&mut Phases::once(), &watched.ctx())?;
        Ok(Output { output, with: request.with, seconds: watched.seconds() })
    })
}

/// Reads the folder of a world.
#[pyfunction]
#[pyo3(signature = (folder))]
pub(crate) fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Output> {
    plain(py, |_| Ok(Output { output: weald::job::open(&folder)?, with: Vec::new(), seconds: Vec::new() }))
}

/// How a folder is written, as JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saving {
    path: PathBuf,
    force: bool,
    layers: String,
    files: Option<String>,
    export: Vec<String>,
}

/// How a target is written, as JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exporting {
    target: String,
    path: PathBuf,
    force: bool,
    #[serde(default)]
    options: Options,
}

/// Options of targets, as JSON.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    samples: Option<usize>,
    scale: Option<u32>,
    paper: Option<String>,
    contour_m: Option<f64>,
    clip: bool,
    height_scale_m: Option<f64>,
    exaggeration: Option<f64>,
    width_mm: Option<f64>,
}

impl Options {
    fn options(&self) -> Result<ExportOptions> {
        let paper = self.paper.as_deref().map(Paper::named).transpose()?;
        Ok(ExportOptions {
            samples: self.samples,
            chart: ChartOptions { scale: self.scale, paper, interval_m: self.contour_m, course: None },
            clip: self.clip,
            exaggeration: self.exaggeration,
            width_mm: self.width_mm,
            height_scale_m: self.height_scale_m,
        })
    }
}

/// What a picture shows, as JSON.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Look {
    view: Option<String>,
    px: Option<usize>,
    settings: BTreeMap<String, f64>,
}

impl Output {
    fn draw(&self, look: &str, bare: bool, ctx: &weald::core::Ctx) -> Result<weald::render::Picture> {
        let look: Look = read(look)?;
        let recipe = &self.output.recipe;
        let mut draw = match &look.view {
            Some(view) => recipe.draw.for_view(view, recipe.world.info().views),
            None => recipe.draw.clone(),
        };
        draw = DrawOptions { px: look.px.or(draw.px), ..draw };
        draw.settings.extend(look.settings);
        match bare {
            true => self.output.draw_bare(&draw, ctx),
            false => self.output.draw(&draw, ctx),
        }
    }

    /// One of the files that only this world has, or another file of its folder.
    fn written(&self, name: &str, ctx: &weald::core::Ctx) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut out = Sink::new(name, &mut bytes);
        self.output.write_named(name, &mut out, ctx)?;
        out.finish()?;
        Ok(bytes)
    }
}

/// The files and the numbers of what was written for another program.
fn delivered(made: &Delivered) -> Value {
    let files: Vec<&str> = made.files.iter().map(|(file, _)| file.as_str()).collect();
    json!({"files": files, "numbers": made.numbers})
}

#[pymethods]
impl Output {
    /// What it is, as JSON: world, seed, frame, figures, notes, layers and sets of features.
    fn describe(&self) -> String {
        let catalogue = &self.output.catalogue;
        let frame = &catalogue.frame;
        let set = |(set, geometry): (&weald::catalogue::FeatureSet, Geometry)| {
            let kind = match geometry {
                Geometry::Lines => "lines",
                Geometry::Points => "points",
                Geometry::Polygons => "polygons",
            };
            json!({"name": set.name, "kind": kind, "about": set.about, "count": set.features.len()})
        };
        let seconds: Vec<Value> = self.seconds.iter().map(|(stage, took)| json!([stage, took])).collect();
        json!({
            "world": catalogue.world,
            "seed": catalogue.seed,
            "size": [frame.width, frame.height],
            "cell_m": frame.cell_m,
            "origin": [frame.origin.0, frame.origin.1],
            "unit": catalogue.length_unit,
            "params": catalogue.params,
            "figures": catalogue.figures,
            "notes": catalogue.notes,
            "layers": catalogue.layers.iter().map(|l| spec(l.spec())).collect::<Vec<_>>(),
            "sets": geojson::sets(catalogue).map(set).collect::<Vec<_>>(),
            "seconds": seconds,
        })
        .to_string()
    }

    /// A read-only array over the cells of a layer.
    #[pyo3(signature = (name))]
    fn layer<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let layer = self.output.catalogue.layer(name);
        view(py, layer.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?)
    }

    /// The centres of the columns and of the rows, and as JSON the attributes of both, of the layers and of the whole map.
    #[expect(clippy::type_complexity, reason = "a tuple of Python")]
    fn labels<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, String)> {
        let labels = plain(py, |_| self.output.labels())?;
        let layers: serde_json::Map<String, Value> =
            labels.layers.into_iter().map(|(name, of)| (name.to_owned(), of)).collect();
        let json =
            json!({"x": labels.x.attributes, "y": labels.y.attributes, "layers": layers, "map": labels.map});
        let axis = |centres: Vec<f64>| PyArray1::from_vec(py, centres);
        Ok((axis(labels.x.centres), axis(labels.y.centres), json.to_string()))
    }

    /// The bytes of a file of its folder: `recipe.toml`, `NAME.geojson`, `layers/NAME.npy`, `map.png`, or a file that only this world has.
    #[pyo3(signature = (name))]
    fn file(&self, py: Python<'_>, name: &str) -> PyResult<Vec<u8>> {
        plain(py, |ctx| self.written(name, ctx))
    }

    /// SHA-256 of the world's own files, layers, lines, points and polygons.
    fn hashes(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        plain(py, |ctx| self.output.hashes(ctx))
    }

    /// A picture of it. `look` is JSON: view, px and settings; `bare` leaves out the sheet around the map.
    #[pyo3(signature = (look, bare))]
    fn picture<'py>(&self, py: Python<'py>, look: &str, bare: bool) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let picture = plain(py, |ctx| self.draw(look, bare, ctx))?;
        pixels(py, &picture)
    }

    /// The same as a PNG file.
    #[pyo3(signature = (look, bare))]
    fn png(&self, py: Python<'_>, look: &str, bare: bool) -> PyResult<Vec<u8>> {
        plain(py, |ctx| {
            let mut bytes = Vec::new();
            self.draw(look, bare, ctx)?.write_png(&mut bytes).map_err(|e| Error::io("map.png", e))?;
            Ok(bytes)
        })
    }

    /// Why a place is what it is: sentences, a table of all layers, and both as JSON. A `cell` is a column and a row, otherwise the place is
    /// given in the coordinates of the world.
    #[pyo3(signature = (place, cell))]
    fn explain(&self, py: Python<'_>, place: Vec<f64>, cell: bool) -> PyResult<(String, String, String)> {
        plain(py, |_| {
            let of_world = &self.output.recipe.world.info().explain;
            let told = if cell {
                let size = (of_world.size)(&self.output.catalogue);
                explain::cell_at(&place, size).and_then(|cell| self.output.explain(cell))
            } else {
                self.output.explain_at(&place)
            };
            let told = told.map_err(|e| match e {
                Error::Invalid(message) if !cell => {
                    Error::Invalid(format!("{message}; give {}", of_world.place))
                }
                other => other,
            })?;
            Ok((told.to_string(), told.table(), told.to_json().to_string()))
        })
    }

    /// Writes the folder that the command line writes. `saving` is JSON. Returns JSON: what was written for other programs.
    #[pyo3(signature = (saving, threads, progress))]
    fn save(
        &self,
        py: Python<'_>,
        saving: &str,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        run(py, &How { threads, progress }, |watched| {
            let saving: Saving = read(saving)?;
            let info = self.output.recipe.world.info();
            let layers = Choice::parse(&saving.layers);
            layers.validate("layers", self.output.catalogue.layers.iter().map(|l| l.name))?;
            let files = saving.files.as_deref().map(Choice::parse);
            let choice = FileChoice::new(info, files.as_ref(), &self.with)?;
            let exports = targets(info, &saving.export, "export")?;
            let seconds = || [self.seconds.clone(), watched.seconds()].concat();
            let plan = FolderPlan {
                layers,
                files: choice.files,
                options: choice.options,
                exports,
                seconds: Some(&seconds),
                ..FolderPlan::new(&[])
            };
            let made = self.output.save(&saving.path, existing(saving.force), &plan, &watched.ctx())?;
            Ok(made.iter().map(delivered).collect::<Value>().to_string())
        })
    }

    /// Writes the map in the format of another program: one file or store if the name has its ending, otherwise a folder. `exporting` is
    /// JSON. Returns JSON: the files, and the numbers to type into the program.
    #[pyo3(signature = (exporting, threads, progress))]
    fn export(
        &self,
        py: Python<'_>,
        exporting: &str,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        run(py, &How { threads, progress }, |watched| {
            let exporting: Exporting = read(exporting)?;
            let found = targets(self.output.recipe.world.info(), &[exporting.target], "export")?;
            let options = exporting.options.options()?;
            options.validate(&found)?;
            let (ctx, existing) = (watched.ctx(), existing(exporting.force));
            let ending = exporting.path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
            let alone = found.iter().find(|t| t.ending().is_some() && t.ending() == ending.as_deref());
            let made = match alone {
                Some(target) => {
                    vec![self.output.save_alone(&exporting.path, existing, target, &options, &ctx)?]
                }
                None => self.output.save_exports(&exporting.path, existing, &found, &options, &ctx)?,
            };
            Ok(made.first().map(delivered).unwrap_or_default().to_string())
        })
    }
}

fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Keep }
}
