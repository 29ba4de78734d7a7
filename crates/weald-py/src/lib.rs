//! The native half of the Python package `weald`: the library's jobs, catalogues and algorithms in the types of Python and NumPy. It holds
//! no terrain and no numbers.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `running` | work on a thread pool while Python runs on: progress, signals, panics |
//! | `raising` | errors of the library as exceptions of Python |
//! | `arrays` | grids as NumPy arrays and back |
//! | `request` | what Python asks for, as a job of the library |
//! | `worlds` | what there is: worlds, schemas; checks and figures of files |
//! | `output` | a world that was made, or read from its folder |
//! | `build` | maps larger than memory, step by step |
//! | `sample` | what is at places |
//! | `noise`, `water`, `ground`, `distances`, `paths`, `erosion` | the algorithms of `weald_core` on arrays |
//!
//! Half of the package is written in Python (`python/weald`): it names arguments, turns what users give into what these functions take,
//! and wraps what they return.

mod arrays;
mod build;
mod distances;
mod erosion;
mod ground;
mod noise;
mod output;
mod paths;
mod raising;
mod request;
mod running;
mod sample;
mod water;
mod worlds;

use pyo3::prelude::*;

/// The native half of the package `weald`.
#[pymodule]
#[pyo3(name = "_weald")]
mod native {
    #[pymodule_export]
    use crate::build::{Build, begin_build, open_build};
    #[pymodule_export]
    use crate::distances::{chebyshev, euclidean, octile};
    #[pymodule_export]
    use crate::erosion::{droplet, evolve, thermal};
    #[pymodule_export]
    use crate::ground::{contours, hillshade, slope_and_aspect};
    #[pymodule_export]
    use crate::noise::{fractal, perlin};
    #[pymodule_export]
    use crate::output::{Output, make, open};
    #[pymodule_export]
    use crate::paths::{cost_distance, least_cost};
    #[cfg(debug_assertions)]
    #[pymodule_export]
    use crate::running::_panic;
    #[pymodule_export]
    use crate::running::set_threads;
    #[pymodule_export]
    use crate::sample::sample;
    #[pymodule_export]
    use crate::water::{accumulation, basins, d8_by_drop, d8_by_flood, d8_over_filled, fill, stream_order};
    #[pymodule_export]
    use crate::worlds::{check, measure, schema, version, worlds};
}
