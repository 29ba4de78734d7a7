//! Terrain algorithms that give the same bits on every machine.
//!
//! Every function is pure: it opens no file, reads no clock, prints nothing and keeps no random state. Random numbers are
//! hashes of (seed, stream name, integer coordinates), floating-point functions beyond `+ − × ÷ sqrt` come from
//! [`math`], and parallel code gives the same result for any number of threads.
//!
//! ```
//! use weald_core::hydro::{self, Outlets};
//! use weald_core::noise::gradient::{Fractal, NoiseShape, fractal};
//! use weald_core::{Ctx, Frame, Seed};
//!
//! let ctx = Ctx::default();
//! let frame = Frame::new(64, 48, 30.0);
//! let hills = fractal(&frame, Seed(42).of("hills"), NoiseShape::Fbm, &Fractal::default(), &ctx)?;
//! let filled = hydro::fill(&hills, Outlets::Border, &ctx)?;
//! let flow = hydro::d8_over_filled(&filled, Outlets::Border, &ctx)?;
//! let accumulation = hydro::accumulation(&flow, &ctx)?;
//! // All water leaves the map over its outlets.
//! let outlets = flow.iter().filter(|(_, direction)| !direction.is_some());
//! let drained: u32 = outlets.map(|((x, y), _)| accumulation[(x, y)]).sum();
//! assert_eq!(drained as usize, frame.cells());
//! # Ok::<(), weald_core::Cancelled>(())
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`grid`], [`cells`], [`frame`], [`dir8`] | grids of cells, their position, the eight directions |
//! | [`noise`], [`waves`] | gradient noise; sums of profiles along directions |
//! | [`erosion`] | stream power, droplets, thermal erosion, soil creep |
//! | [`hydro`] | filled depressions, flow directions, accumulation, lakes, rivers, basins |
//! | [`slope`], [`contour`], [`distance`], [`label`] | slope and aspect, contour lines, distance transforms, connected regions |
//! | [`resample`], [`blur`] | maps brought to another number of cells, and without their finest detail |
//! | [`tiled`] | filling, flow, accumulation and regions of maps in tiles, with the bits of the whole map |
//! | [`seam`] | a map joined with the coarser land around it |
//! | [`path`] | least-cost paths and cost distances |
//! | [`climate`] | temperature, and rain with its shadow behind mountains |
//! | [`region`] | maps of classes: warped borders, specks, borders without straight lines, outlines |
//! | [`mod@line`], [`scatter`], [`stats`] | polylines; cells that keep apart; extremes, quantiles, histograms and straight lines |
//! | [`fourier`] | the discrete Fourier transform, and the power spectrum of a map |
//! | [`seed`], [`math`], [`par`], [`queue`], [`ctx`] | random numbers, deterministic maths, parallel rows, priority queues, progress and cancellation |
//!
//! Coordinates: x grows east, y grows south, the origin is the north-west corner, and grids are row-major. Units are
//! metres unless a name says otherwise.

pub mod blur;
pub mod cells;
pub mod climate;
pub mod contour;
pub mod ctx;
pub mod dir8;
pub mod distance;
pub mod erosion;
pub mod fourier;
pub mod frame;
pub mod grid;
pub mod hydro;
pub mod label;
pub mod landscape;
pub mod line;
pub mod math;
pub mod mesh;
pub mod noise;
pub mod par;
pub mod path;
pub mod queue;
pub mod region;
pub mod resample;
pub mod scatter;
pub mod seam;
pub mod seed;
pub mod slope;
pub mod stats;
pub mod tiled;
pub mod waves;

pub use cells::{AnyGrid, Cells};
pub use ctx::{Cancelled, Ctx, Result};
pub use dir8::Dir8;
pub use frame::Frame;
pub use grid::Grid;
pub use seed::Seed;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
