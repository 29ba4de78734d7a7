//! Weald: one deterministic terrain engine. The same recipe gives the same bits on every machine, with any number of
//! threads.
//!
//! A *world* is one function from size, seed and parameters to typed grids. Today there is one, [`world::forest`]:
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
//! for layer in forest.catalogue().layers {
//!     println!("{} ({}, {}): {}", layer.name, layer.data.dtype(), layer.unit, layer.about);
//! }
//! # assert_eq!(forest.catalogue().layers.len(), 31);
//! # Ok::<(), weald::Error>(())
//! ```
//!
//! Without knowledge of the world, by name and recipe, as the command line does it:
//!
//! ```
//! use weald::core::Ctx;
//! use weald::{recipe::Recipe, world};
//!
//! let mut recipe = Recipe::new(world::find("forest").expect("the forest exists"));
//! recipe.set_seed(42, "example");
//! recipe.set_size((64, 48), "example");
//! recipe.params.set_text("game_trails.seed_tiles_per_trail=200");
//! let made = recipe.world.make(&recipe, Default::default(), &Ctx::default())?;
//! let catalogue = made.catalogue();
//! assert_eq!(catalogue.layer("moisture").map(|l| l.data.shape()), Some((64, 48)));
//! # Ok::<(), weald::Error>(())
//! ```
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`world`] | the worlds, and the traits by which a shell makes them |
//! | [`params`], [`recipe`] | parameters with ranges and origins; the file that makes a map again |
//! | [`layer`] | the catalogue: layers, lines, points and figures of any world |
//! | [`mod@import`] | maps made elsewhere |
//! | [`export`] | the output folder: .npy, PNG, GeoJSON, manifest; output that appears whole or not at all |
//! | [`render`] | the map and pictures of layers |
//! | [`mod@check`] | whether an output keeps the rules of its world |
//! | [`error`] | the one error type, and its exit codes |
//! | [`core`](mod@crate::core) | the algorithms and the rules of determinism: the crate `weald-core` |
//!
//! Feature `parallel` (on by default): rows on several threads by rayon. The results are the same without it.

pub mod catalogue;
#[cfg(feature = "check")]
pub mod check;
pub mod error;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "import")]
pub mod import;
pub mod job;
pub mod npy;
pub mod params;
pub mod recipe;
#[cfg(feature = "render")]
pub mod render;
pub mod sink;
pub mod style;
pub mod world;

pub use error::{Error, Problem, Result};
pub use job::{Job, Output};
pub use weald_core as core;
