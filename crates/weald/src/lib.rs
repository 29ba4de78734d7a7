//! Weald: a deterministic terrain engine. The same recipe gives the same bits on every machine, with any number of
//! threads.
//!
//! A *world* is a kind of map that can be made: `forest`, `endless`, `planet`, `galaxy`, `city`, `island`
//! ([`world::WORLDS`]). A *recipe* is everything that a map depends on: world, seed, size, parameters, maps. A [`Job`] makes
//! a map by name:
//!
//! ```
//! use weald::{Job, core::Ctx};
//!
//! let job = Job::new("island")?.seed(7).size(128).set("rivers.spring_area", 400)?;
//! let output = job.run(&Ctx::default())?;
//! for layer in &output.catalogue.layers {
//!     println!("{} ({}, {}): {}", layer.name, layer.dtype, layer.unit, layer.about);
//! }
//! let height = output.catalogue.floats("height")?;
//! assert!(height.cells().iter().any(|&h| h > 0.0));
//! # Ok::<(), weald::Error>(())
//! ```
//!
//! The result is a [`catalogue::Catalogue`]: layers, lines, points and figures, as data. With the default features it can
//! be drawn (`output.draw(…)`) and written (`output.save(…)`).
//!
//! A program that knows which world it wants can call that world's own function and get typed grids:
//!
//! ```
//! use weald::core::{Ctx, Seed};
//! use weald::world::forest::{self, Authored, ForestParams, classes};
//!
//! let mut params = ForestParams::default();
//! params.hydrology.stream_accum_threshold = 0.6;
//! let forest = forest::generate((128, 96), Authored::default(), Seed(42), &params, &Ctx::default())?;
//! let wet = forest.water.class.cells().iter().filter(|&&c| c == classes::LAKE).count();
//! println!("{} lakes on {wet} tiles, {} trails", forest.water.lakes, forest.trails.routes.len());
//! # assert_eq!(forest.into_catalogue().layers.len(), 31);
//! # Ok::<(), weald::Error>(())
//! ```
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`job`] | makes a world from a recipe and maps; writes and reads the output folder |
//! | [`world`] | the worlds, and what every world declares |
//! | [`catalogue`] | layers, lines, points and figures of any world |
//! | [`params`], [`recipe`] | parameters with ranges and origins; the file that makes a map again |
//! | [`style`] | how catalogues are drawn, as data |
//! | [`mod@import`] | maps made elsewhere |
//! | [`export`] | files: PNG, GeoJSON and those of other programs |
//! | [`zarr`] | Zarr stores of maps that are larger than memory |
//! | [`render`] | maps, and pictures of layers |
//! | [`mod@check`] | whether an output keeps the rules of its world |
//! | [`mod@measure`] | how a heightmap compares with real land |
//! | [`mod@atomic`] | output that appears whole or not at all |
//! | [`files`] | files, also where the platform has none |
//! | [`error`] | the one error type, and its exit codes |
//! | [`core`](mod@crate::core) | the algorithms and the rules of determinism: the crate `weald-core` |
//!
//! Cargo features, all on by default: `parallel` (rows on several threads by rayon; the results are the same without it),
//! `recipe` (TOML recipes and folders read back), `import` (maps made elsewhere), `render` (pictures), `export` (the output
//! folder, Zarr stores), `check` (the independent checker). Without them the crate only makes worlds, and depends on no PNG, TIFF, TOML,
//! font or drawing crate.

#[cfg(feature = "export")]
pub mod atomic;
pub mod catalogue;
#[cfg(feature = "check")]
pub mod check;
pub mod error;
#[cfg(feature = "export")]
pub mod export;
pub mod files;
pub mod georeference;
#[cfg(feature = "import")]
pub mod import;
pub mod job;
pub mod measure;
pub mod memory;
pub mod npy;
pub mod params;
#[cfg(any(feature = "render", feature = "export"))]
mod png;
pub mod reading;
pub mod recipe;
#[cfg(feature = "render")]
pub mod render;
pub mod sink;
pub mod style;
pub mod world;
#[cfg(feature = "export")]
pub mod zarr;

pub use error::{Error, Problem, Result};
pub use job::{Job, Output};
pub use weald_core as core;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
