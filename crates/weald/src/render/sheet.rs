//! The sheet around a map: title, frame with coordinates, legend, scale bar, north arrow.

use super::canvas::{Canvas, Pen, Point};
use super::ground::{CONTOUR, DEEP, LAKE, MARSH, PAPER, SHORE, STREAM, View};
use super::image::{Image, Rgb};
use super::lines::Wet;
use super::map::{cover_table, layer, sheet_scale};
use super::style::{Crown, MapStyle, Tree, Unit};
use super::text::{self, Align, Type, draw, number, percent, words};
use crate::Result;
use crate::layer::{Catalogue, Data, Kind};
use weald_core::{Ctx, Grid, par};

/// Ink of lines and titles.
pub(crate) const INK: Rgb = [54, 50, 44];
/// Ink of what is of second rank.
pub(crate) const FAINT: Rgb = [122, 114, 101];

/// What the small picture of a legend entry shows.
#[derive(Clone, Debug)]
enum Sample {
    Ground(Rgb, Vec<Tree>),
    Lake,
    Stream,
    Marsh(Rgb),
    Way(Pen, Option<Rgb>),
    Contour,
}

/// One line of the legend.
#[derive(Clone, Debug)]
struct Row {
    sample: Sample,
    label: String,
    value: String,
}

/// A part of the legend.
#[derive(Clone, Debug)]
pub(super) struct Section {
    heading: String,
    rows: Vec<Row>,
}

#[cfg(test)]
impl Section {
    /// What its lines are called.
    pub(super) fn labels(&self) -> Vec<String> {
        self.rows.iter().map(|r| r.label.clone()).collect()
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
fn decimals(step: f64) -> usize {
    let (mut digits, mut s) = (0, step);
    while digits < 9 && s > 0.0 && (s - s.round()).abs() > 1e-6 * s {
        s *= 10.0;
        digits += 1;
    }
    digits
}

/// The legend: exactly the classes and lines that occur, with their shares.
pub(super) fn legend(
    catalogue: &Catalogue,
    style: &MapStyle,
    wet: &Grid<Wet>,
    contour_step: Option<f32>,
) -> Result<Vec<Section>> {
    let mut sections = Vec::new();
    let cells = catalogue.frame.cells() as f64;
    let table = cover_table(catalogue, style)?;
    let mut marsh_ground = [214, 211, 184];
    if let Some(cover) = &style.cover {
        let layer = layer(catalogue, cover.layer)?;
        let classes = if let Kind::Classes(c) = layer.kind { c } else { &[] };
        let mut rows = Vec::new();
        let mut most = 0u64;
        let values: Vec<u32> = cover.classes.iter().map(|c| c.value).collect();
        let counts = counted(&layer.data, &values, |x, y| wet[(x, y)] != Wet::Lake)?;
        for (k, class) in cover.classes.iter().enumerate() {
            let (count, dry) = counts[k];
            // A class that is open water everywhere is in the part about water.
            if dry == 0 {
                continue;
            }
            if count > most {
                (most, marsh_ground) = (count, class.ground);
            }
            let name = classes.iter().find(|c| c.value == class.value).map_or("other", |c| c.name);
            rows.push(Row {
                sample: Sample::Ground(class.ground, table.kinds[k].clone()),
                label: words(name),
                value: percent(count as f64 / cells),
            });
        }
        sections.push(Section { heading: cover.heading.to_string(), rows });
    }
    if let Some(water) = &style.water {
        let layer = layer(catalogue, water.layer)?;
        let classes = if let Kind::Classes(c) = layer.kind { c } else { &[] };
        let groups = [
            (&water.lakes, Sample::Lake),
            (&water.streams, Sample::Stream),
            (&water.marshes, Sample::Marsh(marsh_ground)),
        ];
        let mut rows = Vec::new();
        for (value, sample) in
            groups.into_iter().flat_map(|(values, s)| values.iter().map(move |v| (*v, s.clone())))
        {
            let count = counted(&layer.data, &[value], |_, _| true)?[0].0;
            if count > 0 {
                let name = classes.iter().find(|c| c.value == value).map_or("water", |c| c.name);
                rows.push(Row { sample, label: words(name), value: percent(count as f64 / cells) });
            }
        }
        sections.push(Section { heading: "Water".to_string(), rows });
    }
    let mut rows = Vec::new();
    for line in &style.lines {
        let drawn =
            catalogue.line_set(line.set).is_some_and(|s| s.features.iter().any(|f| f.points.len() > 1));
        if drawn {
            let pen = Pen { dash: line.dash, ..Pen::new(line.colour, line.width) };
            let sample = Sample::Way(pen, line.casing);
            rows.push(Row { sample, label: line.label.to_string(), value: String::new() });
        }
    }
    if let Some(step) = contour_step {
        let value = number(step as f64, decimals(step as f64 as f32 as f64).min(4));
        rows.push(Row {
            sample: Sample::Contour,
            label: format!("Contour, every {value}"),
            value: String::new(),
        });
    }
    sections.push(Section { heading: "Lines".to_string(), rows });
    sections.retain(|s| !s.rows.is_empty());
    Ok(sections)
}

/// How many cells hold each of `values`, and how many of those `also` holds for.
fn counted(
    data: &Data,
    values: &[u32],
    also: impl Fn(usize, usize) -> bool + Sync,
) -> Result<Vec<(u64, u64)>> {
    let (w, h) = data.shape();
    let rows = par::map(h, &Ctx::default(), |y| {
        let mut counts = vec![(0, 0); values.len()];
        for x in 0..w {
            let value = data.at(x, y) as u32;
            if let Some(k) = values.iter().position(|v| *v == value) {
                counts[k].0 += 1;
                counts[k].1 += also(x, y) as u64;
            }
        }
        counts
    })?;
    let add = |sum: Vec<(u64, u64)>, row: Vec<(u64, u64)>| {
        sum.into_iter().zip(row).map(|(a, b)| (a.0 + b.0, a.1 + b.1)).collect()
    };
    Ok(rows.into_iter().fold(vec![(0, 0); values.len()], add))
}

/// Where everything lies on the sheet. All lengths in pixels; `u` is the size of type and gaps.
pub(super) struct Sheet<'a> {
    style: &'a MapStyle,
    sections: Vec<Section>,
    view: View,
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
const ROW: f32 = 33.0;
const HEADING: f32 = 40.0;
const FOOT: f32 = 118.0;

impl<'a> Sheet<'a> {
    /// The panel stands to the right of the map, or below one that is much wider than high.
    pub(super) fn new(view: &View, style: &'a MapStyle, sections: Vec<Section>) -> Self {
        let u = sheet_scale(view);
        let (w, h) = view.pixels();
        let (w, h) = (w as f32, h as f32);
        let below = w > 2.0 * h && w > 700.0 * u;
        let map = (((EDGE + BAND) * u).round(), ((EDGE + TITLE + BAND) * u).round());
        let lines = style.notes.iter().map(|n| note_lines(n, u).len()).sum::<usize>() as f32;
        let heights = || sections.iter().map(|s| HEADING + ROW * s.rows.len() as f32 + 14.0);
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
        let title =
            text::width(&style.title, &title_type(u)).max(text::width(&style.subtitle, &subtitle_type(u)));
        let bottom = if below { 0.0 } else { BAND };
        let size = (
            (map.0 + width.max(title) + (EDGE + 6.0) * u).round() as usize,
            (map.1 + height + (EDGE + bottom) * u).round() as usize,
        );
        Self { style, sections, view: *view, u, map, size, panel, below }
    }

    /// Where the upper left corner of the map lies.
    #[cfg(test)]
    pub(super) fn corner(&self) -> (usize, usize) {
        (self.map.0 as usize, self.map.1 as usize)
    }

    /// The finished sheet around the painted `map`.
    pub(super) fn drawn(&self, map: &Image) -> Image {
        let mut canvas = Canvas::new(self.size.0, self.size.1, PAPER);
        let u = self.u;
        canvas.place(map, self.map.0 as usize, self.map.1 as usize);
        let left = self.map.0;
        let base = (EDGE + 40.0) * u;
        draw(&mut canvas, &self.style.title, (left - 2.0 * u, base), &title_type(u));
        draw(&mut canvas, &self.style.subtitle, (left, base + 32.0 * u), &subtitle_type(u));
        self.draw_frame(&mut canvas);
        self.draw_panel(&mut canvas);
        canvas.into_image()
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
        let per_cell = self.style.unit.per_cell;
        let s = self.view.pixels_per_cell();
        let step = round_step((96.0 * u / s) as f64 * per_cell).max(per_cell);
        let digits = decimals(step);
        let look = Type::new(13.0 * u, FAINT).align(Align::Centre);
        let tick = |canvas: &mut Canvas, a: Point, b: Point| canvas.line(&[a, b], &Pen::new(INK, line));
        for k in 0.. {
            let at = (k as f64 * step / per_cell) as f32 * s;
            if at > w + 0.5 {
                break;
            }
            let label = number(k as f64 * step, digits);
            let px = x + at;
            tick(canvas, (px, y - gap), (px, y));
            tick(canvas, (px, y + h), (px, y + h + gap));
            draw(canvas, &label, (px, y - far - 8.0 * u), &look);
            draw(canvas, &label, (px, y + h + far + 17.0 * u), &look);
        }
        for k in 0.. {
            let at = (k as f64 * step / per_cell) as f32 * s;
            if at > h + 0.5 {
                break;
            }
            let label = number(k as f64 * step, digits);
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
        let (mut x, mut y) = self.panel;
        for section in &self.sections {
            self.draw_section(canvas, section, (x, y));
            if self.below {
                x += (PANEL + GAP) * u;
            } else {
                y += (HEADING + ROW * section.rows.len() as f32 + 14.0) * u;
            }
        }
        let (_, h) = self.view.pixels();
        let lines: Vec<String> = self.style.notes.iter().flat_map(|n| note_lines(n, u)).collect();
        let foot = (FOOT + 20.0 * lines.len() as f32) * u;
        let top = if self.below { y } else { y.max(self.map.1 + h as f32 - foot) };
        draw_north(canvas, (x + (PANEL - 16.0) * u, top + 4.0 * u), u);
        self.draw_scale(canvas, (x, top + 64.0 * u));
        for (k, line) in lines.iter().enumerate() {
            let base = top + (FOOT + 8.0 + 20.0 * k as f32) * u;
            draw(canvas, line, (x, base), &Type::new(13.5 * u, FAINT));
        }
    }

    fn draw_section(&self, canvas: &mut Canvas, section: &Section, (x, y): Point) {
        let u = self.u;
        let heading = Type::new(14.0 * u, FAINT).bold().spaced(0.09);
        draw(canvas, &section.heading.to_uppercase(), (x, y + 12.0 * u), &heading);
        let rule = y + 22.0 * u;
        canvas.line(&[(x, rule), (x + PANEL * u, rule)], &Pen { opacity: 0.4, ..Pen::new(FAINT, u) });
        for (k, row) in section.rows.iter().enumerate() {
            let top = y + (HEADING - 6.0 + ROW * k as f32) * u;
            draw_sample(canvas, &row.sample, (x, top), u);
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
        let Unit { name, per_cell } = self.style.unit;
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

fn draw_sample(canvas: &mut Canvas, sample: &Sample, (x, y): Point, u: f32) {
    let (w, h) = (44.0 * u, 24.0 * u);
    let at = |dx: f32, dy: f32| (x + dx * u, y + dy * u);
    let wave = |from: f32, to: f32| -> Vec<Point> {
        let nodes = [(from, 14.0), (from + 9.0, 9.0), (22.0, 13.0), (to - 9.0, 16.0), (to, 10.0)]
            .map(|(x, y)| super::lines::Node { x, y, load: 0.0 });
        super::lines::smooth(&nodes, 3).iter().map(|n| at(n.x, n.y)).collect()
    };
    let framed = match sample {
        Sample::Ground(ground, trees) => {
            canvas.rectangle((x, y), (w, h), *ground, 1.0);
            draw_sample_trees(canvas, trees, (x, y), u);
            true
        }
        Sample::Lake => {
            canvas.rectangle((x, y), (w, h), LAKE, 1.0);
            canvas.rectangle(at(10.0, 6.0), (24.0 * u, 12.0 * u), DEEP, 0.25);
            canvas.frame((x, y), (w, h), &Pen::new(SHORE, 1.4 * u));
            false
        }
        Sample::Stream => {
            canvas.line(&wave(1.0, 43.0), &Pen::new(STREAM, 2.6 * u));
            false
        }
        Sample::Marsh(ground) => {
            canvas.rectangle((x, y), (w, h), *ground, 1.0);
            canvas.rectangle((x, y), (w, h), [168, 204, 204], 0.3);
            for (k, shift) in [(0, 6.0), (1, 2.0), (2, 9.0), (3, 4.0)] {
                for start in [shift, shift + 12.0, shift + 24.0] {
                    let top = 4.5 + 5.0 * k as f32;
                    canvas.line(&[at(start, top), at(start + 7.0, top)], &Pen::new(MARSH, 1.2 * u));
                }
            }
            true
        }
        Sample::Way(pen, casing) => {
            if let Some(casing) = casing {
                canvas
                    .line(&wave(1.0, 43.0), &Pen { dash: None, ..Pen::new(*casing, (pen.width + 1.8) * u) });
            }
            let dash = pen.dash.map(|(on, off)| (on * u, off * u));
            canvas.line(&wave(1.0, 43.0), &Pen { width: pen.width * u, dash, ..*pen });
            false
        }
        Sample::Contour => {
            let shift =
                |dy: f32| wave(1.0, 43.0).into_iter().map(|(x, y)| (x, y + dy * u)).collect::<Vec<_>>();
            canvas.line(&shift(-4.0), &Pen { opacity: 0.7, ..Pen::new(CONTOUR, 0.9 * u) });
            canvas.line(&shift(4.0), &Pen { opacity: 0.9, ..Pen::new(CONTOUR, 1.5 * u) });
            false
        }
    };
    if framed {
        canvas.frame((x, y), (w, h), &Pen { opacity: 0.55, ..Pen::new(FAINT, u) });
    }
}

/// A few trees of each kind.
fn draw_sample_trees(canvas: &mut Canvas, trees: &[Tree], (x, y): Point, u: f32) {
    const PLACES: [Point; 7] =
        [(9.0, 8.0), (21.0, 6.5), (34.0, 9.0), (14.0, 17.0), (27.0, 16.0), (38.0, 17.5), (5.5, 16.5)];
    if trees.is_empty() {
        return;
    }
    for (k, (dx, dy)) in PLACES.into_iter().enumerate() {
        let tree = trees[k % trees.len()];
        let r = 3.4 * tree.size * u;
        let (cx, cy) = (x + dx * u, y + dy * u);
        canvas.disc((cx + 0.5 * r, cy + 0.6 * r), r, [40, 50, 50], 0.25);
        canvas.disc((cx, cy), r, tree.crown, 1.0);
        let light = tree.crown.map(|c| c + (255 - c) / 4);
        let inner = if tree.shape == Crown::Pointed { 0.42 } else { 0.55 };
        canvas.disc((cx - 0.28 * r, cy - 0.28 * r), r * inner, light, 0.8);
    }
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
    fn a_step_needs_as_many_decimals_as_it_shows() {
        assert_eq!(decimals(0.05), 2);
        assert_eq!(decimals(20.0), 0);
        assert_eq!(decimals(0.5), 1);
    }
}
