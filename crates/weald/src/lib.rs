//! Weald: one deterministic terrain engine.
pub mod check;
pub mod error;
pub mod export;
pub mod import;
pub mod layer;
pub mod params;
pub mod recipe;
pub mod render;
pub mod world;

pub use error::{Error, Result};
pub use weald_core as core;
