//! Pictures: any layer by itself, and the views of a world.
//!
//! Everything here reads a catalogue and a [`Style`], which is data. No picture depends on the
//! number of threads or on the time of day.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`image`], [`palette`] | pictures and PNG files, colour ramps |
//! | [`shade`], [`mod@shaded`] | hillshade; classes of ground in even light |
//! | [`canvas`], [`text`] | lines and shapes, type |
//! | [`picture`] | any layer with its scale or legend |
//! | [`map`](mod@map) | maps with relief, cover, water, lines and points |
//! | [`overlay`](mod@overlay) | water and contours of such a map, transparent |
//! | [`orienteer`] | orienteering maps |
//! | [`floating`] | floating land, seen from the side |
//! | [`globe`](mod@globe) | planets |
//! | [`stars`](mod@stars) | blocks of space |
//! | [`contact`] | contact sheets of many pictures |
//! | [`page`] | an HTML page of pictures |

pub mod canvas;
pub mod chart;
pub mod contact;
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
pub mod shaded;
mod sheet;
mod spline;
pub mod stars;
pub mod text;
mod trees;

pub use crate::catalogue::Rgb;
pub use floating::{bare_floating_land, floating_land};
pub use globe::{bare_globe, globe};
pub(crate) use ground::PAPER;
pub use image::Image;
pub use map::{bare_map, map};
pub use orienteer::{bare_orienteering_map, orienteering_map};
pub use overlay::{Film, overlay};
pub use page::{Entry, index_page};
pub use picture::{PictureStyle, layer_picture};
pub use shaded::shaded;
pub(crate) use sheet::{FAINT, INK};
pub use sheet::{LegendEntry, LegendPart};
pub use stars::{bare_stars, stars};

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
    /// Columns and rows of pixels.
    pub fn size(&self) -> (usize, usize) {
        match self {
            Picture::Opaque(image) => (image.width(), image.height()),
            Picture::Transparent(film) => film.size(),
        }
    }

    /// Writes a PNG file.
    pub fn write_png(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Picture::Opaque(image) => image.write_png(out),
            Picture::Transparent(film) => film.write_png(out),
        }
    }
}

/// The legend of a map or an orienteering map with about `px` pixels along its longer side, as data; other styles have none.
pub fn legend_of(
    catalogue: &Catalogue,
    style: Style,
    px: Option<usize>,
    ctx: &Ctx,
) -> Result<Vec<LegendPart>> {
    let sections = match style {
        Style::Map(style) => map::map_legend(catalogue, &crate::style::MapStyle { px, ..style }, ctx)?,
        Style::Orienteering(style) => {
            orienteer::map_legend(catalogue, &crate::style::OrienteerStyle { px, ..style }, ctx)?
        }
        _ => Vec::new(),
    };
    Ok(sections.into_iter().map(LegendPart::of).collect())
}

/// What the places of a bare picture are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// The cells of the map, all of them.
    Cells,
    /// All longitudes from 180° west and latitudes from 90° north.
    Degrees,
    /// Neither: the picture shows something else, such as a globe.
    None,
}

/// What the places of the picture are that [`draw_bare`] draws in a style.
pub fn places(style: &Style) -> Places {
    match style {
        Style::Map(_) | Style::Overlay(_) | Style::Orienteering(_) | Style::Stars(_) | Style::Shaded(_) => {
            Places::Cells
        }
        Style::Globe(style) if style.projection != crate::style::Projection::Orthographic => Places::Degrees,
        _ => Places::None,
    }
}

/// What is drawn around a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    /// The sheet with title, frame and legend.
    Sheet,
    /// Nothing.
    Nothing,
}

/// Draws a catalogue as `style` says, with about `px` pixels along the longer side of the map if it is given.
pub fn draw(catalogue: &Catalogue, style: Style, px: Option<usize>, ctx: &Ctx) -> Result<Picture> {
    drawn(catalogue, style, px, Around::Sheet, ctx)
}

/// Draws a catalogue as [`draw`] does, but only the map: without title, frame, margins and legend. Every pixel of a map or an orienteering map
/// is that of the map within the sheet. A planet whose style is the sheet of two globes becomes the equirectangular map.
pub fn draw_bare(catalogue: &Catalogue, style: Style, px: Option<usize>, ctx: &Ctx) -> Result<Picture> {
    drawn(catalogue, style, px, Around::Nothing, ctx)
}

fn drawn(
    catalogue: &Catalogue,
    style: Style,
    px: Option<usize>,
    around: Around,
    ctx: &Ctx,
) -> Result<Picture> {
    let sheet = around == Around::Sheet;
    Ok(match style {
        Style::Map(style) => {
            let (draw, style) = (if sheet { map } else { bare_map }, crate::style::MapStyle { px, ..style });
            Picture::Opaque(draw(catalogue, &style, ctx)?)
        }
        Style::Overlay(style) => Picture::Transparent(overlay(catalogue, &style, ctx)?),
        Style::Orienteering(style) => {
            let draw = if sheet { orienteering_map } else { bare_orienteering_map };
            Picture::Opaque(draw(catalogue, &crate::style::OrienteerStyle { px, ..style }, ctx)?)
        }
        Style::Floating(style) => {
            let draw = if sheet { floating_land } else { bare_floating_land };
            Picture::Opaque(draw(catalogue, &style, px, ctx)?)
        }
        Style::Globe(style) => {
            let draw = if sheet { globe } else { bare_globe };
            let px = px.unwrap_or(style.px);
            Picture::Opaque(draw(catalogue, &crate::style::GlobeStyle { px, ..style }, ctx)?)
        }
        Style::Shaded(style) => Picture::Opaque(shaded(catalogue, &style, ctx)?),
        Style::Stars(style) => {
            let draw = if sheet { stars } else { bare_stars };
            Picture::Opaque(draw(catalogue, &style, px, ctx)?)
        }
        Style::Derived(derived) => {
            let made = (derived.make)(catalogue, &derived.settings, ctx)?;
            drawn(&made, (derived.style)(&made, &derived.settings), px, around, ctx)?
        }
    })
}
