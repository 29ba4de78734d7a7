//! What weather and water do to a height field. Where masses matter they are counted in whole numbers: see [`Land`].

pub mod brush;
mod droplet;
pub mod land;
mod thermal;

pub use brush::Brush;
pub use droplet::{Droplets, Emphasis, Heading, droplet};
pub use land::{Books, Land};
pub use thermal::{Talus, Thermal, thermal};
