//! Maps of classes and the borders between them: warped, cleaned of specks, and without straight lines.
//!
//! A *border edge* is the side of a tile whose other side has another class. [`straight_runs`] finds borders that look drawn with a
//! ruler, and [`repair`] flips single tiles until there is none.
//!
//! ```
//! use weald_core::region::{self, Repair};
//! use weald_core::{Ctx, Grid, Seed};
//!
//! // Two classes side by side, with a border as straight as a wall.
//! let mut map = Grid::from_fn(24, 24, |x, _| (x >= 12) as u8);
//! assert!(!region::straight_runs(&map).is_empty());
//! region::repair(&mut map, Seed(1), &Repair::default(), &Ctx::default())?;
//! assert!(region::straight_runs(&map).is_empty());
//! # Ok::<(), weald_core::Cancelled>(())
//! ```

mod outline;
mod repair;
mod runs;
mod specks;
mod warp;

pub use outline::{Region, outlines};
pub use repair::{Repair, Repaired, repair};
pub use runs::{Run, RunKind, breaks_rule_at, straight_runs};
pub use specks::{areas, patch, reach_border, remove_specks};
pub use warp::{Displacement, border_tiles, near_border, warp};
