//! Pictures: any layer by itself, and the views of a world.
//!
//! Everything here reads a catalogue and a [`Style`], which is data. No picture depends on the
//! number of threads or on the time of day.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`image`], [`palette`] | pictures and PNG files, colour ramps |
//! | [`shade`] | hillshade |
//! | [`canvas`], [`text`] | lines and shapes, type |
//! | [`picture`] | any layer with its scale or legend |
//! | [`map`](mod@map) | maps with relief, cover, water, lines and points |
//! | [`overlay`](mod@overlay) | water and contours of such a map, transparent |
//! | [`orienteer`] | orienteering maps |
//! | [`floating`] | floating land, seen from the side |
//! | [`globe`](mod@globe) | planets |
//! | [`stars`](mod@stars) | blocks of space |
//! | [`page`] | an HTML page of pictures |

pub mod canvas;
pub mod chart;
mod courses;
pub mod floating;
pub mod globe;
mod ground;
pub mod image;
mod labels;
mod legend;
pub mod lines;
pub mod map;
pub mod orienteer;
pub mod overlay;
pub mod page;
pub mod palette;
pub mod picture;
mod points;
mod relief;
mod resample;
mod rivers;
mod sea;
pub mod shade;
mod sheet;
mod spline;
pub mod stars;
pub mod text;
mod trees;

pub use crate::catalogue::Rgb;
pub use floating::floating_land;
pub use globe::globe;
pub(crate) use ground::PAPER;
pub use image::Image;
pub use map::map;
pub use orienteer::orienteering_map;
pub use overlay::{Film, overlay};
pub use page::{Entry, index_page};
pub use picture::{PictureStyle, layer_picture};
pub(crate) use sheet::{FAINT, INK};
pub use stars::stars;

use crate::catalogue::Catalogue;
use crate::error::Result;
use crate::style::Style;
use std::io::{self, Write};
use weald_core::Ctx;

/// A finished picture.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Picture {
    /// Opaque.
    Opaque(Image),
    /// With transparent parts.
    Transparent(Film),
}

impl Picture {
    /// Writes a PNG file.
    pub fn write_png(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Picture::Opaque(image) => image.write_png(out),
            Picture::Transparent(film) => film.write_png(out),
        }
    }
}

/// Draws a catalogue as `style` says, with about `px` pixels along the longer side of the map if it is given.
pub fn draw(catalogue: &Catalogue, style: Style, px: Option<usize>, ctx: &Ctx) -> Result<Picture> {
    Ok(match style {
        Style::Map(style) => Picture::Opaque(map(catalogue, &crate::style::MapStyle { px, ..style }, ctx)?),
        Style::Overlay(style) => Picture::Transparent(overlay(catalogue, &style, ctx)?),
        Style::Orienteering(style) => {
            let style = crate::style::OrienteerStyle { px, ..style };
            Picture::Opaque(orienteering_map(catalogue, &style, ctx)?)
        }
        Style::Floating(style) => Picture::Opaque(floating_land(catalogue, &style, px, ctx)?),
        Style::Globe(style) => {
            let px = px.unwrap_or(style.px);
            Picture::Opaque(globe(catalogue, &crate::style::GlobeStyle { px, ..style }, ctx)?)
        }
        Style::Stars(style) => Picture::Opaque(stars(catalogue, &style, px, ctx)?),
        Style::Derived(derived) => {
            let made = (derived.make)(catalogue, &derived.settings, ctx)?;
            draw(&made, (derived.style)(&made, &derived.settings), px, ctx)?
        }
    })
}
