//! Erosion and deposition on a height field.
//!
//! | function | process |
//! | --- | --- |
//! | [`stream_power()`] | fluvial erosion: streams cut valleys and fill depressions with sediment |
//! | [`droplet()`] | hydraulic erosion by droplets of rain |
//! | [`creep()`] | soil creep: hillslope diffusion |
//! | [`thermal()`] | thermal erosion: slopes steeper than the talus slope slide |
//! | [`despike()`] | removes single cells that stick out |
//!
//! All but [`thermal()`] work on [`Land`], which keeps heights and the mass balance in whole numbers, so that nothing is lost.

pub mod brush;
mod creep;
mod despike;
mod droplet;
pub mod land;
mod stream_power;
mod thermal;

pub use brush::Brush;
pub use creep::creep;
pub use despike::despike;
pub use droplet::{Droplets, Emphasis, Heading, droplet};
pub use land::{Land, MassBalance};
pub use stream_power::{StreamPower, stream_power};
pub use thermal::{Talus, Thermal, thermal};
