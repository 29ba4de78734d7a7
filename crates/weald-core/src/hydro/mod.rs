//! Where water goes, on a grid of heights.
//!
//! | function | what it makes |
//! | --- | --- |
//! | [`flow()`] | directions by drop, pits allowed |
//! | [`fill()`], [`drain()`] | a surface without pits; directions by slope that all reach a sink |
//! | [`area()`], [`area_of()`] | the land that drains through each cell |
//! | [`downstream()`], [`basins()`] | the order in which water passes; the land of each mouth |
//! | [`lakes()`], [`rivers()`], [`orders()`] | what stands and what runs, and how large it is |
//! | [`carve()`], [`grade_beds()`], [`grade()`] | valleys; beds and ground that fall all the way |
//! | [`profile()`] | figures that tell a drainage network from noise |

mod area;
mod basin;
mod downstream;
mod drain;
mod fill;
mod flow;
mod lake;
mod order;
mod profile;
mod river;
mod valley;

pub use area::{area, area_of};
pub use basin::{Basin, basins};
pub use downstream::downstream;
pub use drain::drain;
pub use fill::{Sinks, fill};
pub use flow::{FlowRule, flow};
pub use lake::{Lake, LakeRule, Lakes, lakes};
pub use order::{Order, orders};
pub use profile::{Profile, ProfileRule, SlopeBin, SlopeFit, profile};
pub use river::{River, RiverRule, WidthRule, rivers};
pub use valley::{DEEPEST_SHARE, Valley, carve, grade, grade_beds};
