//! What weather and water do to a height field. Where masses matter they are counted in whole numbers: see [`Land`].

pub mod brush;
mod creep;
mod droplet;
mod even;
pub mod land;
mod streams;
mod thermal;

pub use brush::Brush;
pub use creep::creep;
pub use droplet::{Droplets, Emphasis, Heading, droplet};
pub use even::evened;
pub use land::{Books, Land};
pub use streams::{Streams, streams};
pub use thermal::{Talus, Thermal, thermal};
