//! Distance transforms: the distance from every cell to the nearest source.
//!
//! | function | metric | length of (dx, dy) in cells | reach |
//! | --- | --- | --- | --- |
//! | [`chebyshev()`] | Chebyshev | max(\|dx\|, \|dy\|) | a given number of cells |
//! | [`octile()`] | octile | max(\|dx\|, \|dy\|) + (√2 − 1)·min(\|dx\|, \|dy\|) | whole map |
//! | [`euclidean()`] | Euclidean | √(dx² + dy²) | whole map; also gives the nearest source |
//!
//! For distances over ground of varying resistance see [`crate::path::cost_distance`].

mod chebyshev;
mod euclidean;
mod octile;

pub use chebyshev::{Nearest, chebyshev};
pub use euclidean::{Nearby, euclidean};
pub use octile::octile;
