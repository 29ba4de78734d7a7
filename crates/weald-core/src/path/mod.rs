//! Least-cost paths and cost distances.
//!
//! | item | what it makes |
//! | --- | --- |
//! | [`CostGrid`], [`Search`] | least-cost paths on a grid of costs, one at a time or many to one goal |
//! | [`least_cost()`] | a least-cost path where a step's cost depends on its direction, by A* |
//! | [`cost_distance()`] | the cost distance from the nearest source to every cell |

mod cost_distance;
mod least_cost;
mod search;

pub use cost_distance::{NEVER, PLAIN, UNIT, cost_distance};
pub use least_cost::{MOVES, Move, StepCost, least_cost};
pub use search::{CLOSED, CostGrid, PathRule, Search};
