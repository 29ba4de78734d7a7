//! The endless world: Graham Relf's limitless terrain, a pure function of place.
//!
//! Nothing is stored: what is at a place follows from its coordinates, so any window can be asked for in any order, and the
//! answer is always the same. Coordinates are the document's: x east, y north, in metres within ±10⁹, fractions included.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `kinds` | terrains, features, control codes |
//! | `params` | parameters |
//! | `placed` | things placed by the user |
//! | `place` | the query for one place: [`Endless::terra`] |
//! | `spots` | the whole answer, with the surface of the map: [`Endless::spot`], [`Endless::spots`] |
//! | `window` | the same for windows, in bulk: [`Endless::heights`], [`Endless::survey`], [`Endless::find`] |
//! | `streams`, `roads`, `wood`, `mines`, `caverns_sky` | what lies on, below and above the ground |
//! | `map` | a window with everything: [`generate`] |
//! | `tile` | parts at any scale, for maps that are made piece by piece |
//! | `parts` | a window in tiles |
//! | `runner` | speed over ground, time of a leg |
//! | `sites`, `course`, `given` | where controls can stand, and courses for orienteers, planned or from a list: [`Map::plan_course`] |
//! | `catalogue`, `style`, `world` | layers and figures, views, the declaration of the world |
//!
//! ```
//! use weald::core::Seed;
//! use weald::world::endless::{Endless, EndlessParams};
//! let world = Endless::new(Seed(0), &EndlessParams::default())?;
//! let terra = world.terra(1266.0, -1000.0);
//! assert_eq!((terra.height, terra.terrain.name(), terra.feature.name()), (412.125, "wood", "knoll"));
//! # Ok::<(), weald::Error>(())
//! ```

mod catalogue;
mod caverns_sky;
pub(crate) mod chart;
mod course;
mod explain;
mod given;
mod kinds;
mod map;
mod mines;
mod params;
mod parts;
mod place;
mod placed;
mod roads;
mod runner;
mod shape;
mod sites;
mod spots;
mod streams;
mod style;
mod tile;
mod window;
mod wood;
mod world;

pub use caverns_sky::{Cavern, MEAN_HEIGHT, SkyIsland};
pub use course::{APART_M, Course, CourseWish, EDGE_M, LEG_MARGIN_M, LEG_SHARES, MOST_CONTROLS, Post};
pub use given::Given;
pub use kinds::{Code, FEATURES, Feature, TERRAINS, Terrain};
pub use map::{BELOW_SHAFT, MAX_CELLS, Map, OPEN, ROCK, TUNNEL, generate};
pub use mines::{CELL_M, MineCell, MinePart, Shaft, Tunnel};
pub use params::{At, Caverns, EndlessParams, MineRule, Mines, REACH_M, Runner, Sky};
pub use place::{Endless, REPEAT_M, Terra};
pub use placed::{Place, Placed, Put};
pub use roads::{ROAD_REACH_M, Road, RoadEnd};
pub use runner::{FASTEST, LOOK_AHEAD_M, Leg, Way, ground_speed, slope_speed};
pub use spots::Spot;
pub use streams::{STREAM_REACH_M, Stream, StreamEnd};
pub use window::{Survey, Window};
pub use wood::{BLOCK_M, Building, Side, Tree};
pub use world::{EndlessWorld, trees};
