//! Hydrology on a grid of heights: depressions, flow directions, accumulation, lakes, rivers and basins.
//!
//! | function | result |
//! | --- | --- |
//! | [`d8_by_drop()`] | D8 flow directions by largest drop; pits are allowed |
//! | [`fill()`], [`d8_over_filled()`] | a surface without depressions; D8 flow directions by slope that all reach an outlet |
//! | [`d8_by_flood()`] | D8 flow directions by one priority flood: each cell drains to the neighbour that water reached first |
//! | [`accumulation()`], [`accumulation_within()`] | flow accumulation: the number of cells that drain through each cell |
//! | [`topological_order()`], [`basins()`] | cells from the divides down to the outlets; the drainage basin of each mouth |
//! | [`lakes()`], [`rivers()`], [`orders()`] | lakes; rivers; stream orders |
//! | [`carve()`], [`grade_beds()`], [`grade()`] | valleys along rivers; river beds and ground that fall downstream |
//! | [`cut_beds()`] | beds with width, depth and banks along smooth lines |
//! | [`slope_area()`] | drainage density and concavity, which tell a drainage network from noise |

mod accumulation;
mod basin;
mod bed;
mod d8_drop;
mod d8_filled;
mod fill;
mod flood;
mod lake;
mod order;
mod river;
mod slope_area;
mod topological;
mod valley;

pub(crate) use accumulation::carry;
pub use accumulation::{accumulation, accumulation_within};
pub use basin::{Basin, basins};
pub use bed::{Banks, Bed, cut_beds};
pub use d8_drop::{DropRule, d8_by_drop, d8_by_drop_at, d8_by_drop_from};
pub use d8_filled::d8_over_filled;
pub(crate) use d8_filled::{AXES_FIRST, FLAT, cross_flats, downhill};
pub use fill::{Outlets, fill};
pub(crate) use fill::{Pass, Spills, levels};
pub use flood::{Flood, d8_by_flood};
pub use lake::{Lake, LakeRule, Lakes, lakes};
pub use order::{Order, orders};
pub use river::{River, RiverRule, WidthRule, rivers};
pub use slope_area::{Drainage, SlopeArea, SlopeAreaRule, SlopeBin, SlopeFit, slope_area};
pub use topological::topological_order;
pub use valley::{DEEPEST_SHARE, Valley, carve, grade, grade_beds};
