//! Files in formats that other programs read.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `animation` | animated pictures |
//! | [`mod@atomic`] | output that appears whole or not at all |
//! | [`attributes`] | what a map and its coordinates are, as the CF conventions name it |
//! | [`chart`] | vector maps at a scale: SVG, PDF, OpenOrienteering Mapper |
//! | [`cs2`] | heightmaps for Cities: Skylines II |
//! | [`exr`] | heights as OpenEXR |
//! | [`geojson`] | lines and points |
//! | [`geotiff`] | heights as Cloud Optimised GeoTIFF |
//! | [`gltf`] | ground as a triangle mesh for engines and viewers |
//! | [`godot`] | heights, control map and colours for Godot with Terrain3D |
//! | [`gpkg`] | features and classes as a GeoPackage |
//! | [`luanti`] | the ground as a mod of Luanti |
//! | [`minecraft`] | the ground for WorldPainter |
//! | [`png`] | layers and heights as pictures that keep their numbers |
//! | [`quantise`] | heights as 16-bit whole numbers |
//! | [`r16`] | heights as nothing but 16-bit whole numbers |
//! | [`sidecar`] | the file beside an export: what its numbers mean |
//! | [`stl`] | ground as a solid for 3-D printers |
//! | [`target`] | the list of targets: formats of other programs, and who reads them |
//! | [`tiled`] | maps of tiles for the editor Tiled |
//! | [`zarr`] | all layers as a Zarr store |
//! | [`unity`] | heightmaps and splat maps for Unity |
//! | [`unreal`] | heightmap and weightmaps for Unreal Engine |
//! | [`vectors`] | features as GeoJSON with north up |

mod animation;
mod antimeridian;
pub mod attributes;
mod blocks;
pub mod chart;
mod cover;
pub mod cs2;
pub mod exr;
pub mod geojson;
pub mod geotiff;
pub mod gltf;
pub mod godot;
pub mod gpkg;
pub mod luanti;
pub mod minecraft;
mod placement;
pub mod png;
pub mod quantise;
pub mod r16;
pub mod sidecar;
pub mod stl;
pub mod target;
mod terrain;
pub mod tiled;
pub mod unity;
pub mod unreal;
pub mod vectors;
pub mod zarr;

pub use crate::atomic;
pub use crate::sink::Sink;
pub use animation::Animation;
