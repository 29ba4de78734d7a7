//! What weather and water do to a height field. Where masses matter they are counted in whole numbers: see [`Land`].

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
