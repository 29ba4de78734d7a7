//! Gradient noise. Its values are stable: a change of any of them is a breaking change.
//!
//! [`gradient`] is noise without a period, in metres, for frames anywhere on the plane; [`Perlin`] and [`Fbm`] are the classic
//! noise over a permutation table.

pub mod gradient;
mod perlin;

pub use perlin::{Fbm, Octave, Perlin};
