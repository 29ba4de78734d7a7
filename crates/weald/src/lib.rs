//! Weald: one deterministic terrain engine.
pub mod error;
pub mod export;
pub mod layer;
pub mod params;
pub mod render;
pub mod world;

pub use error::{Error, Result};
pub use weald_core as core;
