//! Where water goes, on a grid of heights.
//!
//! | function | what it makes |
//! | --- | --- |
//! | [`flow()`] | directions by drop, pits allowed |
//! | [`fill()`], [`drain()`] | a surface without pits; directions by slope that all reach a sink |
//! | [`area()`] | the land that drains through each cell |
//! | [`lakes()`], [`rivers()`] | what stands and what runs |
//! | [`profile()`] | figures that tell a drainage network from noise |

mod area;
mod drain;
mod fill;
mod flow;
mod lake;
mod profile;
mod river;

pub use area::area;
pub use drain::drain;
pub use fill::{Sinks, fill};
pub use flow::{FlowRule, flow};
pub use lake::{Lake, LakeRule, Lakes, lakes};
pub use profile::{Profile, ProfileRule, SlopeBin, SlopeFit, profile};
pub use river::{River, RiverRule, WidthRule, rivers};
