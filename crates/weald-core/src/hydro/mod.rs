//! Where water goes: flow directions and the land that drains through a cell.

mod area;
mod flow;

pub use area::area;
pub use flow::{FlowRule, flow};
