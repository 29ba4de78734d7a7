//! What there is: worlds and their schemas. Checks and figures of files.

use crate::raising::raised;
use crate::request::{Reading, read};
use crate::running::{How, plain, run};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use weald::catalogue::{Class, Kind, LayerSpec};
use weald::job::find_world;
use weald::measure::{Given, Report, measure as measured, read as read_map, read_npy};
use weald::reading::ReadOptions;
use weald::recipe::Recipe;
use weald::world::{WORLDS, World};

/// The version of the engine.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// All worlds as JSON: names, sentences, defaults, recipes, maps, views and layers.
#[pyfunction]
pub(crate) fn worlds() -> String {
    WORLDS.iter().map(|&world| about(world)).collect::<Value>().to_string()
}

fn about(world: &dyn World) -> Value {
    let info = world.info();
    let (width, height) = info.default_size;
    json!({
        "name": info.name,
        "about": info.about,
        "seed": info.default_seed,
        "size": [width, height],
        "unit": info.length_unit,
        "recipes": info.recipes.iter().map(|r| r.name).collect::<Vec<_>>(),
        "maps": info.maps.iter().map(|m| m.alias).collect::<Vec<_>>(),
        "views": info.views.iter().map(|v| v.name).collect::<Vec<_>>(),
        "layers": world.layers().iter().map(spec).collect::<Vec<_>>(),
    })
}

/// What a layer is.
pub(crate) fn spec(spec: &LayerSpec) -> Value {
    let (kind, table): (_, &[Class]) = match spec.kind {
        Kind::Measure => ("measure", &[]),
        Kind::Classes(table) => ("classes", table),
        Kind::Flags(table) => ("flags", table),
        Kind::Steps(table) => ("steps", table),
    };
    let class = |c: &Class| json!({"value": c.value, "name": c.name, "colour": c.colour});
    json!({
        "name": spec.name, "dtype": spec.dtype, "unit": spec.unit, "about": spec.about, "kind": kind,
        "classes": table.iter().map(class).collect::<Vec<_>>(),
    })
}

/// A JSON schema of a world: of its `params`, of its `recipe` files, or of the `output`, its own file.
#[pyfunction]
#[pyo3(signature = (world, of))]
pub(crate) fn schema(world: &str, of: &str) -> PyResult<String> {
    let world = find_world(world).map_err(raised)?;
    let schema = match of {
        "params" => world.params().schema_camel(),
        "recipe" => Recipe::schema(world),
        "output" => world.output_schema(),
        _ => {
            let message = format!("of = {of:?}: must be \"params\", \"recipe\" or \"output\"");
            return Err(PyValueError::new_err(message));
        }
    };
    Ok(schema.to_string())
}

/// Checks an output, or a heightmap: whether no rule is broken, the report as lines, and as JSON.
#[pyfunction]
#[pyo3(signature = (path, heightmap))]
pub(crate) fn check(py: Python<'_>, path: PathBuf, heightmap: bool) -> PyResult<(bool, String, String)> {
    plain(py, |_| {
        let report = match heightmap {
            true => weald::check::heightmap(&path, &ReadOptions::default())?,
            false => weald::check::path(&path)?,
        };
        Ok((report.ok(), report.to_string(), report.to_json().to_string()))
    })
}

/// Figures of a heightmap or of a folder, as lines and as JSON. With `array`, the bytes of a NumPy file, `path` is only a name.
#[pyfunction]
#[pyo3(signature = (path, array, cell_m, layer, reading, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "the Python half gives all of them")]
pub(crate) fn measure(
    py: Python<'_>,
    path: PathBuf,
    array: Option<Vec<u8>>,
    cell_m: Option<f64>,
    layer: Option<String>,
    reading: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    run(py, &How { threads, progress }, |watched| {
        let reading = read::<Reading>(reading)?.over(Given::default().reading)?;
        let given = Given { cell_m, layer, reading };
        let name = name_of(&path);
        let source = match array {
            Some(bytes) => read_npy(&name, &bytes, &given)?,
            None => read_map(&path, &given)?,
        };
        let measures = measured(&source.height, &source.terms, &watched.ctx())?;
        let report = Report { name: &name, source: &source, measures: &measures };
        Ok((report.to_string(), report.to_json().to_string()))
    })
}

/// The name of a map that was measured: that of its file, or what it is called.
fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
