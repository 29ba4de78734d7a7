//! Files in formats that other programs read.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `animation` | animated pictures |
//! | [`atomic`] | output that appears whole or not at all |
//! | [`geojson`] | lines and points |
//! | [`png`] | layers and heights as pictures that keep their numbers |
//! | [`tiled`] | maps of tiles for the editor Tiled |

mod animation;
pub mod atomic;
pub mod geojson;
pub mod png;
pub mod tiled;

pub use crate::sink::Sink;
pub use animation::Animation;
