//! Pictures: any layer by itself, and the map that people look at.
//!
//! Everything here reads a catalogue and, for the map, a [`MapStyle`] that the world gives as data. No picture depends on
//! the number of threads or on the time of day.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`image`], [`palette`] | pictures and PNG files, colour ramps |
//! | [`shade`] | hillshade |
//! | [`canvas`], [`text`] | lines and shapes, type |
//! | [`picture`] | any layer with its scale or legend |
//! | [`map`](mod@map), [`style`] | the map, and what a world says about it |
//! | [`orienteer`] | orienteering maps, and what a world says about them |
//! | [`oblique`] | floating land, seen from the side |
//! | [`overlay`](mod@overlay) | water and contours on nothing |
//! | [`page`] | an HTML page of pictures |

pub mod canvas;
mod courses;
mod ground;
pub mod image;
mod legend;
pub mod lines;
pub mod map;
pub mod oblique;
pub mod orienteer;
pub mod overlay;
pub mod page;
pub mod palette;
pub mod picture;
mod points;
mod rivers;
mod sea;
pub mod shade;
mod sheet;
mod spline;
pub mod style;
pub mod text;
mod trees;

pub(crate) use ground::PAPER;
pub use image::{Image, Rgb};
pub use map::map;
pub use oblique::{ObliqueStyle, floating_land};
pub use orienteer::orienteering_map;
pub use orienteer::style::OrienteerStyle;
pub use overlay::{Film, overlay};
pub use page::{Entry, index_page};
pub use picture::{PictureStyle, layer_picture};
pub(crate) use sheet::{FAINT, INK};
pub use style::MapStyle;
