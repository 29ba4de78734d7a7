//! Files in formats that other programs read.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `animation` | animated pictures |
//! | [`atomic`] | output that appears whole or not at all |
//! | [`chart`] | vector maps at a scale: SVG, PDF, OpenOrienteering Mapper |
//! | [`cs2`] | heightmaps for Cities: Skylines II |
//! | [`exr`] | heights as OpenEXR |
//! | [`geojson`] | lines and points |
//! | [`geotiff`] | heights as Cloud Optimised GeoTIFF |
//! | [`gltf`] | ground as a triangle mesh for engines and viewers |
//! | [`png`] | layers and heights as pictures that keep their numbers |
//! | [`quantise`] | heights as 16-bit whole numbers |
//! | [`r16`] | heights as nothing but 16-bit whole numbers |
//! | [`sidecar`] | the file beside an export: what its numbers mean |
//! | [`stl`] | ground as a solid for 3-D printers |
//! | [`target`] | the list of targets: formats of other programs, and who reads them |
//! | [`tiled`] | maps of tiles for the editor Tiled |
//! | [`zarr`] | all layers as a Zarr store |

mod animation;
pub mod atomic;
pub mod chart;
pub mod cs2;
pub mod exr;
pub mod geojson;
pub mod geotiff;
pub mod gltf;
pub mod png;
pub mod quantise;
pub mod r16;
pub mod sidecar;
pub mod stl;
pub mod target;
pub mod tiled;
pub mod zarr;

pub use crate::sink::Sink;
pub use animation::Animation;
