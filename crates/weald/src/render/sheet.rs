//! The sheet around a map: title, frame with coordinates, legend, scale bar, north arrow.

use super::canvas::{Canvas, Pen, Point};
use super::ground::{PAPER, PixelScale};
use super::image::{Image, Rgb};
use super::map::sheet_scale;
use super::text::{self, Align, Type, draw, number};
use crate::style::map::{Contours, NorthArrow, Northing, Unit};

/// Ink of lines and titles.
pub(crate) const INK: Rgb = [54, 50, 44];
/// Ink of secondary text.
pub(crate) const FAINT: Rgb = [122, 114, 101];

/// The text of a sheet besides the legend.
pub(super) struct Imprint {
    /// In large type above the map.
    pub(super) title: String,
    /// In small type below the title.
    pub(super) subtitle: String,
    /// Lines of small type at the foot of the legend.
    pub(super) notes: Vec<String>,
    /// The unit of the coordinates and of the scale bar.
    pub(super) unit: Unit,
    /// Coordinates of the north-west corner of the map, in that unit.
    pub(super) corner: (f64, f64),
    /// Direction in which the second coordinate grows.
    pub(super) northing: Northing,
    /// Whether there is a north arrow.
    pub(super) north_arrow: NorthArrow,
    /// Spacing of the legend's entries.
    pub(super) rows: Rows,
}

/// Spacing of a legend's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// For a few entries.
    Airy,
    /// For dozens of entries.
    Close,
}

impl Rows {
    /// Height of a line, of a heading, and of the gap after a part.
    fn heights(self) -> (f32, f32, f32) {
        match self {
            Rows::Airy => (33.0, 40.0, 14.0),
            Rows::Close => (27.5, 38.0, 8.0),
        }
    }
}

/// Draws the sample of a legend entry: its upper left corner, and the unit of which it is 44 wide and 24 high.
pub(super) type Sample = Box<dyn Fn(&mut Canvas, Point, f32)>;

/// One entry of the legend.
pub(super) struct Row {
    /// Draws the sample.
    pub(super) sample: Sample,
    /// What it is.
    pub(super) label: String,
    /// A figure at the end of the entry, or nothing.
    pub(super) value: String,
}

/// A part of the legend.
pub(super) struct Section {
    /// Its heading.
    pub(super) heading: String,
    /// Its entries.
    pub(super) rows: Vec<Row>,
}

/// A part of a legend, as data.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendPart {
    /// Its heading.
    pub heading: String,
    /// Its entries.
    pub entries: Vec<LegendEntry>,
}

/// An entry of a legend, as data.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    /// What it is.
    pub label: String,
    /// A figure, or nothing.
    pub value: String,
    /// How it looks.
    pub sample: Image,
}

impl LegendPart {
    /// A section with the samples drawn.
    pub(super) fn of(section: Section) -> Self {
        const UNIT: f32 = 1.5;
        let entry = |row: Row| {
            let mut canvas = Canvas::new((44.0 * UNIT) as usize, (24.0 * UNIT) as usize, PAPER);
            (row.sample)(&mut canvas, (0.0, 0.0), UNIT);
            LegendEntry { label: row.label, value: row.value, sample: canvas.into_image() }
        };
        Self { heading: section.heading, entries: section.rows.into_iter().map(entry).collect() }
    }
}

#[cfg(test)]
impl Section {
    /// The names of its entries.
    pub(super) fn labels(&self) -> Vec<String> {
        self.rows.iter().map(|r| r.label.clone()).collect()
    }
}

/// The interval of contours over a `span` of values, 0 for no contours; [`Contours::Auto`] divides it by `auto`.
pub(super) fn step_between(lines: Contours, span: f64, auto: f64) -> f64 {
    match lines {
        Contours::Off => 0.0,
        Contours::Auto => round_step(span / auto),
        Contours::Most(count) => round_step(span / count.max(1) as f64),
        Contours::Every(step) => step,
    }
}

/// 1, 2 or 5 times a power of ten, the smallest that is at least `least`; 0 for what is not positive.
pub(super) fn round_step(least: f64) -> f64 {
    if least <= 0.0 || !least.is_finite() {
        return 0.0;
    }
    let mut power = 1.0;
    while power < least {
        power *= 10.0;
    }
    while power / 10.0 >= least {
        power /= 10.0;
    }
    [power / 5.0, power / 2.0, power].into_iter().find(|s| *s >= least * (1.0 - 1e-9)).unwrap_or(power)
}

/// Decimals that a multiple of `step` needs.
pub(super) fn decimals(step: f64) -> usize {
    let (mut digits, mut s) = (0, step);
    while digits < 9 && s > 0.0 && (s - s.round()).abs() > 1e-6 * s {
        s *= 10.0;
        digits += 1;
    }
    digits
}

/// The multiples of `step` on a side of `length` pixels that begins at `first`: pixels from its beginning, and value.
/// A cell is `per_cell` long and has `scale` pixels.
pub(super) fn marks(first: f64, step: f64, per_cell: f64, scale: f32, length: f32) -> Vec<(f32, f64)> {
    let k = (first / step).ceil();
    (0..)
        .map(|i| (k + i as f64) * step)
        .map(|value| (((value - first) / per_cell) as f32 * scale, value))
        .take_while(|(at, _)| *at <= length + 0.5)
        .collect()
}

/// Where everything lies on the sheet. All lengths in pixels; `u` is the size of type and gaps.
pub(super) struct Sheet {
    imprint: Imprint,
    sections: Vec<Section>,
    view: PixelScale,
    u: f32,
    map: Point,
    size: (usize, usize),
    panel: Point,
    below: bool,
}

const EDGE: f32 = 58.0;
const TITLE: f32 = 92.0;
const BAND: f32 = 34.0;
const PANEL: f32 = 300.0;
const GAP: f32 = 44.0;
const FOOT: f32 = 118.0;

impl Sheet {
    /// The panel stands to the right of the map, or below one that is much wider than high.
    pub(super) fn new(view: &PixelScale, imprint: Imprint, sections: Vec<Section>) -> Self {
        let u = sheet_scale(view);
        let (w, h) = view.pixels();
        let (w, h) = (w as f32, h as f32);
        let below = w > 2.0 * h && w > 700.0 * u;
        let map = (((EDGE + BAND) * u).round(), ((EDGE + TITLE + BAND) * u).round());
        let lines = imprint.notes.iter().map(|n| note_lines(n, u).len()).sum::<usize>() as f32;
        let (row, heading, gap) = imprint.rows.heights();
        let heights = || sections.iter().map(|s| heading + row * s.rows.len() as f32 + gap);
        let (panel, width, height);
        if below {
            panel = (map.0, map.1 + h + (BAND + GAP) * u);
            let columns = (sections.len() + 1) as f32;
            width = w.max(columns * (PANEL + GAP) * u);
            let tallest = heights().fold(FOOT + 20.0 * lines, f32::max);
            height = h + (BAND + GAP + tallest) * u;
        } else {
            panel = (map.0 + w + (BAND + GAP) * u, map.1);
            width = w + (BAND + GAP + PANEL) * u;
            height = h.max((heights().sum::<f32>() + FOOT + 20.0 * lines) * u);
        }
        let title = text::width(&imprint.title, &title_type(u))
            .max(text::width(&imprint.subtitle, &subtitle_type(u)));
        let bottom = if below { 0.0 } else { BAND };
        let size = (
            (map.0 + width.max(title) + (EDGE + 6.0) * u).round() as usize,
            (map.1 + height + (EDGE + bottom) * u).round() as usize,
        );
        Self { imprint, sections, view: *view, u, map, size, panel, below }
    }

    /// Where the upper left corner of the map lies.
    pub(super) fn corner(&self) -> (usize, usize) {
        (self.map.0 as usize, self.map.1 as usize)
    }

    /// The finished sheet around the painted `map`.
    pub(super) fn drawn(&self, map: &Image) -> Image {
        let mut canvas = self.blank();
        // The map is placed last, so that the ends of the frame's ticks leave no ink on it.
        let (x, y) = self.corner();
        canvas.place(map, x, y);
        canvas.into_image()
    }

    /// The sheet without its map.
    pub(super) fn blank(&self) -> Canvas {
        let mut canvas = Canvas::new(self.size.0, self.size.1, PAPER);
        let u = self.u;
        let left = self.map.0;
        let base = (EDGE + 40.0) * u;
        draw(&mut canvas, &self.imprint.title, (left - 2.0 * u, base), &title_type(u));
        draw(&mut canvas, &self.imprint.subtitle, (left, base + 32.0 * u), &subtitle_type(u));
        self.draw_frame(&mut canvas);
        self.draw_panel(&mut canvas);
        canvas
    }

    fn draw_frame(&self, canvas: &mut Canvas) {
        let (u, (x, y)) = (self.u, self.map);
        let (w, h) = self.view.pixels();
        let (w, h) = (w as f32, h as f32);
        let line = u.round();
        canvas.frame((x - line / 2.0, y - line / 2.0), (w + line, h + line), &Pen::new(INK, line));
        let gap = (7.0 * u).round();
        let outer = (2.0 * u).round();
        let far = gap + outer / 2.0;
        canvas.frame((x - far, y - far), (w + 2.0 * far, h + 2.0 * far), &Pen::new(INK, outer));
        let (columns, rows) = self.view.cells;
        let per_cell = self.imprint.unit.per_cell;
        let s = self.view.pixels_per_cell();
        let step = round_step((96.0 * u / s) as f64 * per_cell).max(per_cell);
        let digits = decimals(step);
        let look = Type::new(13.0 * u, FAINT).align(Align::Centre);
        let tick = |canvas: &mut Canvas, a: Point, b: Point| canvas.line(&[a, b], &Pen::new(INK, line));
        let (west, north) = self.imprint.corner;
        for (at, value) in marks(west, step, per_cell, s, w) {
            let label = number(value, digits);
            let px = x + at;
            tick(canvas, (px, y - gap), (px, y));
            tick(canvas, (px, y + h), (px, y + h + gap));
            draw(canvas, &label, (px, y - far - 8.0 * u), &look);
            draw(canvas, &label, (px, y + h + far + 17.0 * u), &look);
        }
        for (at, value) in marks(north, step, per_cell, s, h) {
            let value = if self.imprint.northing == Northing::Up { -value } else { value };
            let label = number(value, digits);
            let py = y + at;
            tick(canvas, (x - gap, py), (x, py));
            tick(canvas, (x + w, py), (x + w + gap, py));
            draw(canvas, &label, (x - far - 7.0 * u, py + 4.6 * u), &look.align(Align::Right));
            draw(canvas, &label, (x + w + far + 7.0 * u, py + 4.6 * u), &look.align(Align::Left));
        }
        debug_assert!(columns > 0 && rows > 0);
    }

    fn draw_panel(&self, canvas: &mut Canvas) {
        let u = self.u;
        let (row, heading, gap) = self.imprint.rows.heights();
        let (mut x, mut y) = self.panel;
        for section in &self.sections {
            self.draw_section(canvas, section, (x, y));
            if self.below {
                x += (PANEL + GAP) * u;
            } else {
                y += (heading + row * section.rows.len() as f32 + gap) * u;
            }
        }
        let (_, h) = self.view.pixels();
        let lines: Vec<String> = self.imprint.notes.iter().flat_map(|n| note_lines(n, u)).collect();
        let foot = (FOOT + 20.0 * lines.len() as f32) * u;
        let top = if self.below { y } else { y.max(self.map.1 + h as f32 - foot) };
        if self.imprint.north_arrow == NorthArrow::Up {
            draw_north(canvas, (x + (PANEL - 16.0) * u, top + 4.0 * u), u);
        }
        self.draw_scale(canvas, (x, top + 64.0 * u));
        for (k, line) in lines.iter().enumerate() {
            let base = top + (FOOT + 8.0 + 20.0 * k as f32) * u;
            draw(canvas, line, (x, base), &Type::new(13.5 * u, FAINT));
        }
    }

    fn draw_section(&self, canvas: &mut Canvas, section: &Section, (x, y): Point) {
        let u = self.u;
        let (high, top, _) = self.imprint.rows.heights();
        let heading = Type::new(14.0 * u, FAINT).bold().spaced(0.09);
        draw(canvas, &section.heading.to_uppercase(), (x, y + 12.0 * u), &heading);
        let rule = y + 22.0 * u;
        canvas.line(&[(x, rule), (x + PANEL * u, rule)], &Pen { opacity: 0.4, ..Pen::new(FAINT, u) });
        for (k, row) in section.rows.iter().enumerate() {
            let top = y + (top - 6.0 + high * k as f32) * u;
            (row.sample)(canvas, (x, top), u);
            let base = top + 17.5 * u;
            let look = Type::new(17.0 * u, INK);
            draw(canvas, &row.label, (x + 58.0 * u, base), &look);
            let value = Type::new(16.0 * u, FAINT).align(Align::Right);
            draw(canvas, &row.value, (x + PANEL * u, base), &value);
        }
    }

    /// Four fields, black and white in turn, each a round number of units.
    fn draw_scale(&self, canvas: &mut Canvas, (x, y): Point) {
        let u = self.u;
        let Unit { name, per_cell } = self.imprint.unit;
        let per_unit = self.view.pixels_per_cell() / per_cell as f32;
        let step = round_step((36.0 * u / per_unit) as f64);
        let field = step as f32 * per_unit;
        let fields = ((230.0 * u / field) as usize).clamp(1, 4);
        let look = Type::new(13.5 * u, INK).align(Align::Centre);
        let high = 6.0 * u;
        for k in 0..=fields {
            let at = x + field * k as f32;
            if k < fields {
                let colour = if k % 2 == 0 { INK } else { PAPER };
                canvas.rectangle((at, y), (field, high), colour, 1.0);
            }
            draw(canvas, &number(step * k as f64, decimals(step)), (at.max(x + 4.0 * u), y - 7.0 * u), &look);
        }
        canvas.frame((x, y), (field * fields as f32, high), &Pen::new(INK, u));
        draw(canvas, name, (x, y + high + 18.0 * u), &Type::new(13.5 * u, FAINT));
    }
}

fn title_type(u: f32) -> Type {
    Type { weight: 0.006, ..Type::new(46.0 * u, INK) }
}

fn subtitle_type(u: f32) -> Type {
    Type::new(18.0 * u, FAINT)
}

fn note_lines(note: &str, u: f32) -> Vec<String> {
    text::wrapped(note, &Type::new(13.5 * u, FAINT), PANEL * u)
}

/// A slim arrow, one half dark, with an N above it.
fn draw_north(canvas: &mut Canvas, (x, y): Point, u: f32) {
    let (tip, tail, notch, half) = (y + 16.0 * u, y + 74.0 * u, y + 60.0 * u, 13.0 * u);
    draw(canvas, "N", (x, y + 10.0 * u), &Type::new(17.0 * u, INK).align(Align::Centre).bold());
    canvas.polygon(&[(x, tip), (x - half, tail), (x, notch)], INK, 1.0);
    canvas.polygon(&[(x, tip), (x + half, tail), (x, notch)], PAPER, 1.0);
    let outline = [(x, tip), (x + half, tail), (x, notch), (x - half, tail), (x, tip)];
    canvas.line(&outline, &Pen::new(INK, 1.2 * u));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_steps_are_one_two_or_five_times_a_power_of_ten() {
        for (least, step) in
            [(0.031, 0.05), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (51.0, 100.0), (0.002, 0.002)]
        {
            assert!((round_step(least) - step).abs() < 1e-9 * step, "{least}: {}", round_step(least));
        }
        assert_eq!(round_step(0.0), 0.0);
        assert_eq!(round_step(f64::NAN), 0.0);
    }

    #[test]
    fn marks_stand_at_multiples_of_the_step_wherever_a_side_begins() {
        let values = |first| marks(first, 100.0, 1.0, 2.0, 400.0);
        assert_eq!(values(0.0), [(0.0, 0.0), (200.0, 100.0), (400.0, 200.0)]);
        assert_eq!(values(-130.0), [(60.0, -100.0), (260.0, 0.0)]);
        assert_eq!(values(999_999_950.0), [(100.0, 1e9), (300.0, 1e9 + 100.0)]);
    }

    #[test]
    fn a_step_needs_as_many_decimals_as_it_shows() {
        assert_eq!(decimals(0.05), 2);
        assert_eq!(decimals(20.0), 0);
        assert_eq!(decimals(0.5), 1);
    }
}
