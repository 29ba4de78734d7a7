//! Gradient noise whose values are part of the product's contract.

mod perlin;

pub use perlin::{Fbm, Octave, Perlin};
