//! Where water goes: depressions filled, flow directions, the land that drains through a cell.

mod area;
mod drain;
mod fill;
mod flow;
mod lake;
mod river;

pub use area::area;
pub use drain::drain;
pub use fill::{Sinks, fill};
pub use flow::{FlowRule, flow};
pub use lake::{Lake, LakeRule, Lakes, lakes};
pub use river::{River, RiverRule, WidthRule, rivers};
