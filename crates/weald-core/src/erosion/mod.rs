//! What weather and water do to a height field.

mod thermal;

pub use thermal::{Talus, Thermal, thermal};
