//! Anti-aliased lines and shapes.

use super::image::{Image, Rgb};
use tiny_skia::{
    Color, FillRule, IntSize, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash,
    Transform,
};
use weald_core::{Cancelled, Ctx, Grid, par};

/// A point in pixels, x to the right, y down.
pub type Point = (f32, f32);

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// Colour.
    pub colour: Rgb,
    /// Opacity, 0 to 1.
    pub opacity: f32,
    /// Width in pixels.
    pub width: f32,
    /// Length of dashes and of the gaps between them, in pixels; `None` for a solid line.
    pub dash: Option<(f32, f32)>,
}

impl Pen {
    /// A solid, opaque line.
    pub fn new(colour: Rgb, width: f32) -> Self {
        Self { colour, opacity: 1.0, width, dash: None }
    }
}

/// A sheet to draw on.
pub struct Canvas {
    pixmap: Pixmap,
}

fn paint(colour: Rgb, opacity: f32) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    let [r, g, b] = colour.map(|c| c as f32 / 255.0);
    paint.set_color(Color::from_rgba(r, g, b, opacity.clamp(0.0, 1.0)).unwrap_or(Color::BLACK));
    paint
}

impl Canvas {
    /// A sheet of one colour, of at least one pixel.
    pub fn new(width: usize, height: usize, colour: Rgb) -> Self {
        let [r, g, b] = colour;
        Self::transparent(width, height).in_rows(|_, row| row.fill([r, g, b, 255]))
    }

    /// A sheet of (width, height) pixels, of at least one, whose rows `paint` writes: red, green, blue and opacity of each pixel.
    pub(super) fn painted(
        (width, height): (usize, usize),
        ctx: &Ctx,
        paint: impl Fn(usize, &mut [[u8; 4]]) + Sync,
    ) -> Result<Self, Cancelled> {
        Self::transparent(width, height).repainted(ctx, paint)
    }

    /// A transparent sheet of at least one pixel.
    pub(super) fn transparent(width: usize, height: usize) -> Self {
        let pixmap = Pixmap::new(width.clamp(1, 1 << 15) as u32, height.clamp(1, 1 << 15) as u32)
            .expect("a sheet has between 1 and 2^15 pixels a side");
        Self { pixmap }
    }

    /// Red, green and blue, each times the opacity, and the opacity of each pixel, row after row.
    pub(super) fn premultiplied(&self) -> &[u8] {
        self.pixmap.data()
    }

    fn pixels(&self) -> &[[u8; 4]] {
        self.pixmap.data().as_chunks::<4>().0
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.pixmap.width() as usize
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.pixmap.height() as usize
    }

    /// Copies `image` with its upper left corner at `(x, y)`, clipped to the sheet.
    pub fn place(&mut self, image: &Image, x: usize, y: usize) {
        let columns = image.width().min(self.width().saturating_sub(x));
        let rows = y..y + image.height();
        let sheet = std::mem::replace(self, Self::transparent(1, 1));
        *self = sheet.in_rows(|at, to| {
            if rows.contains(&at) && columns > 0 {
                let from = &image.bytes()[3 * (at - y) * image.width()..];
                for (to, &[r, g, b]) in to[x..].iter_mut().zip(from.as_chunks::<3>().0).take(columns) {
                    *to = [r, g, b, 255];
                }
            }
        });
    }

    /// Fills a rectangle.
    pub fn rectangle(&mut self, (x, y): Point, (width, height): Point, colour: Rgb, opacity: f32) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            self.pixmap.fill_rect(rect, &paint(colour, opacity), Transform::identity(), None);
        }
    }

    /// Fills the inside of a closed line.
    pub fn polygon(&mut self, points: &[Point], colour: Rgb, opacity: f32) {
        if let Some(path) = path_of(points, true) {
            self.fill(&path, colour, opacity);
        }
    }

    /// Fills a disc.
    pub fn disc(&mut self, (x, y): Point, radius: f32, colour: Rgb, opacity: f32) {
        if let Some(path) = PathBuilder::from_circle(x, y, radius) {
            self.fill(&path, colour, opacity);
        }
    }

    /// Draws an open line with round joints and ends.
    pub fn line(&mut self, points: &[Point], pen: &Pen) {
        if let Some(path) = path_of(points, false) {
            self.stroke(&path, pen);
        }
    }

    /// Draws the outline of a rectangle; the line is centred on its edge.
    pub fn frame(&mut self, (x, y): Point, (width, height): Point, pen: &Pen) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            self.stroke(&PathBuilder::from_rect(rect), pen);
        }
    }

    pub(super) fn fill(&mut self, path: &Path, colour: Rgb, opacity: f32) {
        self.pixmap.fill_path(path, &paint(colour, opacity), FillRule::Winding, Transform::identity(), None);
    }

    pub(super) fn stroke(&mut self, path: &Path, pen: &Pen) {
        self.stroke_capped(path, pen, LineCap::Round);
    }

    /// The same with square ends, cut off where the line ends.
    pub(super) fn stroke_flat(&mut self, path: &Path, pen: &Pen) {
        self.stroke_capped(path, pen, LineCap::Butt);
    }

    fn stroke_capped(&mut self, path: &Path, pen: &Pen, line_cap: LineCap) {
        let stroke = Stroke {
            width: pen.width,
            line_cap,
            line_join: LineJoin::Round,
            dash: pen.dash.and_then(|(on, off)| StrokeDash::new(vec![on, off], 0.0)),
            ..Stroke::default()
        };
        self.pixmap.stroke_path(path, &paint(pen.colour, pen.opacity), &stroke, Transform::identity(), None);
    }

    /// Applies `paint` to each row of pixels: red, green, blue and opacity of each.
    pub(super) fn repainted(
        self,
        ctx: &Ctx,
        paint: impl Fn(usize, &mut [[u8; 4]]) + Sync,
    ) -> Result<Self, Cancelled> {
        let (width, height) = (self.width(), self.height());
        let size = IntSize::from_wh(self.pixmap.width(), self.pixmap.height()).expect("a sheet has pixels");
        let mut rows = Grid::from_vec(4 * width, height, self.pixmap.take());
        par::for_rows(
            rows.rows_mut(),
            ctx,
            #[inline(always)]
            |y, row| paint(y, row.as_chunks_mut::<4>().0),
        )?;
        let pixmap = Pixmap::from_vec(rows.into_vec(), size).expect("the pixels are those of the sheet");
        Ok(Self { pixmap })
    }

    /// The same for work that is too short to be stopped.
    fn in_rows(self, paint: impl Fn(usize, &mut [[u8; 4]]) + Sync) -> Self {
        self.repainted(&Ctx::default(), paint).expect("nobody can stop this")
    }

    /// The finished picture.
    pub fn into_image(self) -> Image {
        self.into_image_under(&Self::transparent(1, 1), (usize::MAX, usize::MAX))
    }

    /// The finished picture with the sheet `over` on it, whose upper left corner is at `(x, y)`; clipped to this sheet.
    pub(super) fn into_image_under(self, over: &Canvas, (x, y): (usize, usize)) -> Image {
        let (w, h) = (self.width(), self.height());
        let copy = |to: &mut [u8], from: &[[u8; 4]]| {
            for (to, from) in to.as_chunks_mut::<3>().0.iter_mut().zip(from) {
                *to = [from[0], from[1], from[2]];
            }
        };
        let bytes = par::fill(3 * w, h, &Ctx::default(), |row, out: &mut [u8]| {
            let below = &self.pixels()[row * w..][..w];
            if x < w && (y..y.saturating_add(over.height())).contains(&row) {
                let above = &over.pixels()[(row - y) * over.width()..][..over.width().min(w - x)];
                let right = x + above.len();
                copy(&mut out[..3 * x], below);
                copy(&mut out[3 * x..], above);
                copy(&mut out[3 * right..], &below[right..]);
            } else {
                copy(out, below);
            }
        });
        Image::from_bytes(w, h, bytes.expect("nobody can stop this").into_vec())
    }
}

fn path_of(points: &[Point], close: bool) -> Option<Path> {
    let (&(x, y), rest) = points.split_first()?;
    let mut builder = PathBuilder::new();
    builder.move_to(x, y);
    for &(x, y) in rest {
        builder.line_to(x, y);
    }
    if close {
        builder.close();
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_covers_its_pixels_and_leaves_the_others() {
        let mut canvas = Canvas::new(9, 9, [255; 3]);
        canvas.line(&[(-4.0, 4.5), (14.0, 4.5)], &Pen::new([10, 20, 30], 1.0));
        let image = canvas.into_image();
        assert_eq!(image.at(4, 4), [10, 20, 30]);
        assert_eq!(image.at(4, 2), [255; 3]);
    }

    #[test]
    fn a_picture_is_placed_where_it_is_asked_for_and_cut_at_the_edge() {
        let mut canvas = Canvas::new(3, 3, [0; 3]);
        canvas.place(&Image::filled(9, 9, [1, 2, 3]), 1, 2);
        let image = canvas.into_image();
        assert_eq!(image.at(0, 2), [0; 3]);
        assert_eq!(image.at(1, 1), [0; 3]);
        assert_eq!(image.at(1, 2), [1, 2, 3]);
        assert_eq!(image.at(2, 2), [1, 2, 3]);
    }
}
