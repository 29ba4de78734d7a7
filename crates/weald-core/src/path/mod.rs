//! Least-cost paths and cost distances.
//!
//! | item | result |
//! | --- | --- |
//! | [`CostGrid`], [`Search`] | least-cost paths over a grid of costs, one at a time or many to one goal |
//! | [`least_cost()`] | a least-cost path where the cost of a step depends on its direction, by A* |
//! | [`Network`] | ways that keep off older features, cross them at right angles and use each other |
//! | [`cost_distance()`] | the cost distance from the nearest source to every cell |

mod backward;
mod cost_distance;
mod cost_grid;
mod least_cost;
mod network;
mod pages;
mod search;

pub use cost_distance::{NEVER, PLAIN, UNIT, cost_distance};
pub use cost_grid::{CLOSED, CostGrid, PathRule};
pub use least_cost::{MOVES, Move, StepCost, least_cost};
pub use network::{Meeting, NO_TURN, Network, NetworkRule, Older};
pub use search::Search;
