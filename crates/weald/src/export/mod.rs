//! Files in the formats other programs read.

pub mod debug;
pub mod folder;
pub mod geojson;
pub mod heightmap;
pub mod png;
mod sink;
pub mod stage;

pub use sink::Sink;
