//! Gradient noise whose values are part of the product's contract.

pub mod gradient;
mod perlin;

pub use perlin::{Fbm, Octave, Perlin};
