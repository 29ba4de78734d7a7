//! Distances on the grid.
//!
//! | function | a step east counts | a step south-east counts | reach |
//! | --- | --- | --- | --- |
//! | [`chebyshev()`] | 1 | 1 | a given number of cells |
//! | [`octile()`] | 1 | √2 | whole map |
//! | [`euclidean()`] | as the crow flies | as the crow flies | whole map, and tells the nearest source |

mod chebyshev;
mod euclidean;
mod octile;

pub use chebyshev::{Nearest, chebyshev};
pub use euclidean::{Nearby, euclidean};
pub use octile::octile;
