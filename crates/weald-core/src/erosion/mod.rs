//! Erosion and deposition on a height field.
//!
//! | function | process |
//! | --- | --- |
//! | [`droplet()`] | hydraulic erosion by droplets of rain |
//! | [`thermal()`] | thermal erosion: slopes steeper than the talus slope slide |
//! | [`despike()`] | removes single cells that stick out |
//!
//! Streams that carve valleys, soil creep and uplift are in [`crate::landscape`].
//!
//! All but [`thermal()`] work on [`Land`], which keeps heights and the mass balance in whole numbers, so that nothing is lost.

pub mod brush;
mod despike;
mod droplet;
pub mod land;
mod thermal;

pub use brush::Brush;
pub use despike::despike;
pub use droplet::{Droplets, Emphasis, Heading, droplet};
pub use land::{Land, MassBalance};
pub use thermal::{Talus, Thermal, thermal};
