//! Files in formats that other programs read.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`atomic`] | output that appears whole or not at all |
//! | [`geojson`] | lines and points |
//! | [`png`] | layers and heights as pictures that keep their numbers |

pub mod atomic;
pub mod geojson;
pub mod png;

pub use crate::sink::Sink;
