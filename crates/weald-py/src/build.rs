//! Maps larger than memory: a build, whole or step by step.

use crate::arrays::array;
use crate::request::{Arrays, Request, read};
use crate::running::{How, plain, run};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;
use weald::core::AnyGrid;
use weald::core::tiled::Window;
use weald::job::build::{Build as Steps, Wish, Workers};
use weald::memory;
use weald::recipe::Comments;

/// A map that is being built, or that is finished.
#[pyclass(frozen, module = "weald._weald")]
pub(crate) struct Build(Steps);

/// What to build, as JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    tile: Option<usize>,
    memory: Option<u64>,
    layers: Option<Vec<String>>,
}

/// Begins the build of a request, which is JSON, or goes on with it.
#[pyfunction]
#[pyo3(signature = (request, path, wanted))]
pub(crate) fn begin_build(py: Python<'_>, request: &str, path: PathBuf, wanted: &str) -> PyResult<Build> {
    plain(py, |_| {
        let (request, wanted): (Request, Wanted) = (read(request)?, read(wanted)?);
        let wish = Wish { tile: wanted.tile, memory: wanted.memory, layers: wanted.layers };
        Ok(Build(Steps::start(&request.job(Arrays::new())?, &path, &wish)?))
    })
}

/// Opens a build.
#[pyfunction]
#[pyo3(signature = (path))]
pub(crate) fn open_build(py: Python<'_>, path: PathBuf) -> PyResult<Build> {
    plain(py, |_| Ok(Build(Steps::open(&path)?)))
}

#[pymethods]
impl Build {
    /// What it is, as JSON.
    fn describe(&self) -> String {
        let (build, tiles) = (&self.0, self.0.parts().tiles());
        json!({
            "world": build.recipe().world.info().name,
            "seed": build.recipe().seed,
            "size": [tiles.width, tiles.height],
            "tile": tiles.side,
            "tiles": tiles.count(),
            "passes": build.parts().passes().iter().map(|p| p.name).collect::<Vec<_>>(),
            "levels": build.store().levels(),
            "layers": build.store().head().layers.iter().map(|l| l.name.as_str()).collect::<Vec<_>>(),
            "notes": build.notes(),
            "recipe": build.recipe().to_toml(Comments::Meaning),
            "bytes_per_tile": build.bytes_per_tile(),
        })
        .to_string()
    }

    /// Whether everything is done.
    fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Goes on until it is finished.
    #[pyo3(signature = (memory, threads, progress))]
    fn run(
        &self,
        py: Python<'_>,
        memory: Option<u64>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let memory = memory.or_else(memory::available).unwrap_or(u64::MAX);
        let all = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let workers = Workers::of(all, memory, self.0.bytes_per_tile());
        run(py, &How { threads, progress }, |watched| self.0.run(workers, &watched.ctx()))
    }

    /// The tiles of a pass that are not done.
    #[pyo3(signature = (step))]
    fn open_tiles(&self, py: Python<'_>, step: usize) -> PyResult<Vec<usize>> {
        plain(py, |_| self.0.open_tiles(step))
    }

    /// Whether a pass is merged.
    #[pyo3(signature = (step))]
    fn is_merged(&self, py: Python<'_>, step: usize) -> PyResult<bool> {
        plain(py, |_| self.0.is_merged(step))
    }

    /// Makes a tile of a pass.
    #[pyo3(signature = (step, tile, threads))]
    fn make(&self, py: Python<'_>, step: usize, tile: usize, threads: Option<usize>) -> PyResult<()> {
        run(py, &How { threads, progress: None }, |watched| self.0.tile(step, tile, &watched.ctx()))
    }

    /// Merges a pass.
    #[pyo3(signature = (step))]
    fn merge(&self, py: Python<'_>, step: usize) -> PyResult<()> {
        plain(py, |ctx| self.0.merge(step, ctx))
    }

    /// The tiles of an overview that are not there.
    #[pyo3(signature = (level))]
    fn open_overviews(&self, py: Python<'_>, level: usize) -> PyResult<Vec<usize>> {
        plain(py, |_| self.0.open_overviews(level))
    }

    /// Makes a tile of an overview.
    #[pyo3(signature = (level, tile, threads))]
    fn overview(&self, py: Python<'_>, level: usize, tile: usize, threads: Option<usize>) -> PyResult<()> {
        run(py, &How { threads, progress: None }, |watched| self.0.overview(level, tile, &watched.ctx()))
    }

    /// Writes the figures and removes what was needed to go on.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        plain(py, |_| self.0.finish())
    }

    /// A window of a layer: level, first column, first row, columns and rows.
    #[pyo3(signature = (layer, level, window))]
    fn window<'py>(
        &self,
        py: Python<'py>,
        layer: &str,
        level: usize,
        window: (usize, usize, usize, usize),
    ) -> PyResult<Bound<'py, PyAny>> {
        let (x, y, width, height) = window;
        let window = Window { x, y, width, height };
        Ok(match plain(py, |ctx| self.0.store().read(level, layer, window, ctx))? {
            AnyGrid::F32(grid) => array(py, grid).into_any(),
            AnyGrid::F64(grid) => array(py, grid).into_any(),
            AnyGrid::U8(grid) => array(py, grid).into_any(),
            AnyGrid::U16(grid) => array(py, grid).into_any(),
            AnyGrid::U32(grid) => array(py, grid).into_any(),
            AnyGrid::I32(grid) => array(py, grid).into_any(),
            AnyGrid::Dir(grid) => array(py, grid.map(|d| d.0)).into_any(),
        })
    }
}
