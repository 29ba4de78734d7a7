//! Terrain algorithms that give the same bits on every machine.
//!
//! Every function here is pure: no files, no clock, no printing, no random state. Randomness is a hash of
//! (seed, stream name, integer coordinates), floating-point maths beyond `+ − × ÷ sqrt` goes through
//! [`math`], and whatever runs in parallel gives one answer for any number of threads.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`grid`], [`cells`], [`frame`], [`dir8`] | rectangles of cells, where they lie, the one neighbour table |
//! | [`seed`], [`math`], [`par`], [`queue`], [`ctx`] | the ground rules of determinism, progress, cancelling |
//! | [`noise`], [`waves`] | gradient noise; sums of profiles along directions |
//! | [`erosion`] | what changes a height field |
//! | [`slope`], [`contour`], [`hydro`], [`distance`], [`label`], [`path`] | what is derived from a height field |
//! | [`mod@line`], [`scatter`] | lines of points; cells that keep apart |
//! | [`stats`] | extremes, quantiles, shares and histograms |
//!
//! Coordinates: x grows east, y grows south, the origin is the north-west corner, rows come first.

pub mod cells;
pub mod contour;
pub mod ctx;
pub mod dir8;
pub mod distance;
pub mod erosion;
pub mod frame;
pub mod grid;
pub mod hydro;
pub mod label;
pub mod line;
pub mod math;
pub mod noise;
pub mod par;
pub mod path;
pub mod queue;
pub mod scatter;
pub mod seed;
pub mod slope;
pub mod stats;
pub mod waves;

pub use cells::{AnyGrid, Cells};
pub use ctx::{Cancelled, Ctx};
pub use dir8::Dir8;
pub use frame::Frame;
pub use grid::Grid;
pub use seed::Seed;
