//! Orienteering maps: contours, vegetation by runnability, water, roads, point symbols, north lines and courses.

mod course;
mod ground;
mod key;
mod relief;
mod symbols;
mod taken;
mod ways;

use super::canvas::{Canvas, Pen, Point};
use super::ground::PixelScale;
use super::image::{Image, Rgb};
use super::map::layer;
use super::sheet::{Imprint, Rows, Section, Sheet, marks};
use crate::catalogue::{Catalogue, Feature};
use crate::style::orienteer::OrienteerStyle;
use crate::{Error, Result};
use tiny_skia::{Path, PathBuilder};
use weald_core::{Ctx, Frame};

/// Draws the orienteering map of `catalogue` as `style` says, with frame, title, scale and legend.
///
/// There are whole pixels per cell, at least 1600 along the longer side; one pixel per cell from 1600 cells on, the mean of
/// blocks above 4096. Borders of areas are smoothed over about a cell. Points and lines may lie outside the frame and are
/// clipped. Fails if the style names a layer that is missing, or if there is no cell; a line or point set that is
/// missing is not drawn.
pub fn orienteering_map(catalogue: &Catalogue, style: &OrienteerStyle, ctx: &Ctx) -> Result<Image> {
    let (image, ground, pen) = painted(catalogue, style, ctx)?;
    let legend = key::legend(catalogue, style, &ground, &pen)?;
    Ok(Sheet::new(&pen.view, imprint(catalogue, style)?, legend).drawn(&image))
}

/// Draws the orienteering map of `catalogue` as [`orienteering_map`] does, without the sheet around it: pixel for pixel the map
/// within that sheet.
pub fn bare_orienteering_map(catalogue: &Catalogue, style: &OrienteerStyle, ctx: &Ctx) -> Result<Image> {
    painted(catalogue, style, ctx).map(|(image, _, _)| image)
}

/// The legend of the map.
pub(super) fn map_legend(catalogue: &Catalogue, style: &OrienteerStyle, ctx: &Ctx) -> Result<Vec<Section>> {
    let (_, ground, pen) = painted(catalogue, style, ctx)?;
    key::legend(catalogue, style, &ground, &pen)
}

/// The map itself, and what the sheet around it must know of it.
fn painted(
    catalogue: &Catalogue,
    style: &OrienteerStyle,
    ctx: &Ctx,
) -> Result<(Image, ground::Ground, Drawing)> {
    let frame = &catalogue.frame;
    if frame.width == 0 || frame.height == 0 {
        return Err(Error::Shape("a map needs at least one cell".into()));
    }
    let pen = Drawing::of(frame, style.px);
    let ground = ground::Ground::of(catalogue, style, &pen.view, ctx)?;
    let contours = relief::contours(catalogue, &style.relief, (&ground, relief::Side::Land), &pen, ctx)?;
    let depths = relief::contours(catalogue, &style.depth, (&ground, relief::Side::Water), &pen, ctx)?;
    let (w, h) = pen.view.pixels();
    let mut canvas = Canvas::new(w, h, [255; 3]);
    canvas.place(&Image::from_bytes(w, h, ground.paint(pen.k, ctx)?), 0, 0);
    let lines = [(&style.relief, contours), (&style.depth, depths)];
    if lines.iter().any(|(_, lines)| !lines.is_empty()) {
        let taken = taken::Taken::of(catalogue, style, &pen);
        for (look, lines) in lines.iter().filter_map(|(look, lines)| Some((look.as_ref()?, lines))) {
            relief::draw(&mut canvas, lines, look, &taken, &pen);
        }
    }
    ground.draw_edges(&mut canvas, &pen);
    draw_north_lines(&mut canvas, style, &pen);
    for way in &style.lines {
        if let Some(set) = catalogue.line_set(way.set) {
            ways::draw(&mut canvas, set, &way.look, &pen);
        }
    }
    symbols::draw(&mut canvas, catalogue, style, &pen);
    if let Some(course) = &style.course {
        course::draw(&mut canvas, catalogue, course, &pen);
    }
    Ok((canvas.into_image(), ground, pen))
}

/// The scale from places to pixels, and the size of symbols.
#[derive(Clone, Copy, Debug)]
struct Drawing {
    view: PixelScale,
    frame: Frame,
    /// What sizes of symbols and widths of lines are multiplied by: 1 at two pixels a cell, more where cells are larger.
    k: f32,
}

impl Drawing {
    fn of(frame: &Frame, px: Option<usize>) -> Self {
        let view = PixelScale::new(px, 1600, frame.width, frame.height);
        let k = (view.pixels_per_cell() / 2.0).clamp(0.36, 4.0).sqrt();
        Self { view, frame: *frame, k }
    }

    /// The pixel of a place in the units of the frame.
    fn at(&self, (x, y): (f64, f64)) -> Point {
        let s = self.view.pixels_per_cell() as f64 / self.frame.cell_m;
        (((x - self.frame.origin.0) * s) as f32, ((y - self.frame.origin.1) * s) as f32)
    }

    /// Pixels of a length in the units of the frame.
    fn length(&self, units: f64) -> f32 {
        (units / self.frame.cell_m) as f32 * self.view.pixels_per_cell()
    }

    /// Whether something around a pixel, as large as `reach`, shows on the map.
    fn shows(&self, (x, y): Point, reach: f32) -> bool {
        let (w, h) = self.view.pixels();
        x > -reach && y > -reach && x < w as f32 + reach && y < h as f32 + reach
    }
}

/// The property `kind` of a point, `""` without one.
fn kind_of(feature: &Feature) -> &str {
    feature.properties.iter().find(|(name, _)| *name == "kind").and_then(|(_, v)| v.as_str()).unwrap_or("")
}

/// A line whose corners are rounded off over at most `round` pixels; with close points this is a quadratic spline. A
/// line that ends where it begins becomes a closed curve.
fn curve(points: &[Point], round: f32) -> Option<Path> {
    let (first, last) = (*points.first()?, *points.last()?);
    let closed = points.len() > 3 && first == last;
    let mut path = PathBuilder::new();
    // From `from` towards `to`, but not beyond the midpoint.
    let towards = |from: Point, to: Point| {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = (dx * dx + dy * dy).sqrt();
        let share = if length > 2.0 * round { round / length } else { 0.5 };
        (from.0 + dx * share, from.1 + dy * share)
    };
    let start = if closed { towards(first, points[1]) } else { first };
    path.move_to(start.0, start.1);
    for w in points.windows(3) {
        let (a, b) = (towards(w[1], w[0]), towards(w[1], w[2]));
        path.line_to(a.0, a.1);
        path.quad_to(w[1].0, w[1].1, b.0, b.1);
    }
    if closed {
        let a = towards(first, points[points.len() - 2]);
        path.line_to(a.0, a.1);
        path.quad_to(first.0, first.1, start.0, start.1);
        path.close();
    } else {
        path.line_to(last.0, last.1);
    }
    path.finish()
}

/// Thin lines at the multiples of the style's distance, with a small arrowhead at the upper end.
fn draw_north_lines(canvas: &mut Canvas, style: &OrienteerStyle, pen: &Drawing) {
    const COLOUR: Rgb = [54, 128, 178];
    // Lines closer than a few pixels would be a grey veil.
    let Some(distance) = style.north_lines.filter(|d| *d > 0.0 && pen.length(*d) >= 8.0) else { return };
    let (w, h) = pen.view.pixels();
    let k = pen.k;
    for (x, _) in marks(pen.frame.origin.0, distance, pen.frame.cell_m, pen.view.pixels_per_cell(), w as f32)
    {
        canvas.line(&[(x, 0.0), (x, h as f32)], &Pen { opacity: 0.85, ..Pen::new(COLOUR, 1.0 * k) });
        let (top, half, long) = (1.0, 4.2 * k, 15.0 * k);
        canvas.polygon(&[(x, top), (x - half, top + long), (x + half, top + long)], COLOUR, 1.0);
    }
}

/// The text of the sheet, with the intervals of contours and north lines.
fn imprint(catalogue: &Catalogue, style: &OrienteerStyle) -> Result<Imprint> {
    use super::sheet::decimals;
    use super::text::number;
    let mut notes = Vec::new();
    for (name, relief) in [("Contours", &style.relief), ("Depth contours", &style.depth)] {
        let Some(relief) = relief else { continue };
        let unit = layer(catalogue, relief.layer)?.unit;
        let value =
            |v: f64| format!("{} {unit}", number(v, decimals(relief.step).min(4))).trim_end().to_string();
        let every = |times: f64| match unit == "m" {
            true => value(relief.step * times),
            false => format!("{} m ({})", number(relief.step_m * times, 2), value(relief.step * times)),
        };
        let index = match relief.index_every {
            0 => String::new(),
            times => format!(", thick every {}", every(f64::from(times))),
        };
        notes.push(format!("{name} every {}{index}.", every(1.0)));
    }
    if let Some(distance) = style.north_lines {
        notes.push(format!("North lines every {} {}.", number(distance, 2), style.unit.name));
    }
    notes.extend(style.notes.iter().cloned());
    let frame = &catalogue.frame;
    let per_unit = style.unit.per_cell / frame.cell_m;
    Ok(Imprint {
        title: style.title.clone(),
        subtitle: style.subtitle.clone(),
        notes,
        unit: style.unit,
        corner: (frame.origin.0 * per_unit, frame.origin.1 * per_unit),
        northing: style.northing,
        north_arrow: style.north_arrow,
        rows: Rows::Close,
    })
}

#[cfg(test)]
mod tests;
