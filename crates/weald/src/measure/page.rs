//! A page about a map: its relief, its rivers, four charts and the table of figures.

use super::report::Report;
use super::{Figure, Law, Measures, RANGES, Verdict};
use crate::error::Result;
use crate::render::canvas::{Canvas, Pen, Point};
use crate::render::chart::LogChart;
use crate::render::shade::{self, Light};
use crate::render::text::{self, Align, Type};
use crate::render::{FAINT, INK, Image, PAPER, Rgb};
use std::f64::consts::PI;
use weald_core::{Ctx, Grid, line, math, par};

/// Pixels of the page, its margin, and the side of the squares for the two maps.
const WIDTH: usize = 1760;
const HEIGHT: usize = 1130;
const MARGIN: f32 = 44.0;
const MAP: f32 = 520.0;
/// Where the maps and the charts begin.
const MAPS_TOP: f32 = 150.0;
const CHARTS_TOP: f32 = 770.0;
const CHART: Point = (316.0, 280.0);

const RIVER: Rgb = [28, 92, 148];
const LAND: Rgb = [244, 242, 236];
const SEA: Rgb = [196, 215, 224];
const NO_DATA: Rgb = [222, 216, 204];
const GOOD: Rgb = [58, 125, 84];
const BAD: Rgb = [178, 62, 44];
const BAND: Rgb = [206, 222, 203];
const TRACK: Rgb = [232, 227, 214];

/// Draws a chart with its upper left corner at a point.
type Draw = fn(&mut Canvas, Point, &Measures);

/// Draws the page.
pub fn page(report: &Report<'_>, ctx: &Ctx) -> Result<Image> {
    let m = report.measures;
    let mut canvas = Canvas::new(WIDTH, HEIGHT, PAPER);
    text::draw(&mut canvas, report.name, (MARGIN, 62.0), &Type::new(34.0, INK));
    let right = Type::new(17.0, FAINT).align(Align::Right);
    text::draw(&mut canvas, "compared with real land", (WIDTH as f32 - MARGIN, 58.0), &right);
    let lines = report.reading();
    let half = lines.len().div_ceil(2);
    for (i, part) in lines.chunks(half).enumerate() {
        let at = (MARGIN, 92.0 + 20.0 * i as f32);
        text::draw(&mut canvas, &part.join("  ·  "), at, &Type::new(15.0, FAINT));
    }
    let second = MARGIN + MAP + 30.0;
    let shade = hillshade(m, ctx)?;
    map(&mut canvas, (MARGIN, MAPS_TOP), m, &shade, Show::Relief, ctx)?;
    map(&mut canvas, (second, MAPS_TOP), m, &shade, Show::Rivers, ctx)?;
    table(&mut canvas, (second + MAP + 40.0, MAPS_TOP), report);
    let charts: [(&str, Draw); 4] = [
        ("Slope against drainage area (theta)", slope_area),
        ("Longest path against drainage area (Hack)", paths),
        ("Directions of rivers (chord45)", rose),
        ("Roughness by wavelength", spectrum),
    ];
    for (i, (title, draw)) in charts.into_iter().enumerate() {
        let left = MARGIN + i as f32 * 424.0;
        text::draw(&mut canvas, title, (left, CHARTS_TOP - 16.0), &Type::new(17.0, INK));
        draw(&mut canvas, (left + 60.0, CHARTS_TOP), m);
    }
    Ok(canvas.into_image())
}

/// What a map shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    Relief,
    Rivers,
}

/// The light on the ground, 0 to 1. Heights are scaled so that the mean slope of the land is the same on every page: units differ.
fn hillshade(m: &Measures, ctx: &Ctx) -> Result<Grid<f32>> {
    let height = &m.map.height;
    let (mut sum, mut count) = (0.0, 0usize);
    for y in 0..height.height() {
        for pair in height.row(y).windows(2).filter(|p| p[0] > m.map.sea_level && p[1] > m.map.sea_level) {
            (sum, count) = (sum + f64::from((pair[1] - pair[0]).abs()), count + 1);
        }
    }
    let mean = sum / count.max(1) as f64;
    let z_factor = if mean > 0.0 { 0.3 / mean } else { 1.0 };
    // Cells without data are drawn in a colour of their own; here they only must not darken their neighbours.
    let ground = height.map(|&v| if v.is_finite() { v } else { 0.0 });
    Ok(shade::hillshade(&ground, 1.0, z_factor, &Light::default(), ctx)?)
}

/// A map, as large as its square allows, with a frame and a caption below.
fn map(
    canvas: &mut Canvas,
    corner: Point,
    m: &Measures,
    shade: &Grid<f32>,
    show: Show,
    ctx: &Ctx,
) -> Result<()> {
    let (w, h) = shade.shape();
    let scale = MAP as f64 / w.max(h) as f64;
    let (pw, ph) = ((w as f64 * scale).round() as usize, (h as f64 * scale).round() as usize);
    let paint = |x: f64, y: f64| -> [f64; 3] {
        let cell = ((x as usize).min(w - 1), (y as usize).min(h - 1));
        let height = m.map.height[cell];
        if height.is_nan() {
            return NO_DATA.map(f64::from);
        }
        let relief = if show == Show::Relief { 1.0 } else { 0.35 };
        // The sea floor is only hinted at.
        let (ground, strength) = if height <= m.map.sea_level { (SEA, 0.3 * relief) } else { (LAND, relief) };
        let light = shade.bilinear(x - 0.5, y - 0.5);
        let flat = std::f64::consts::FRAC_1_SQRT_2;
        let tone = (1.0 + (light - flat) / flat * strength * 0.85).clamp(0.12, 1.06);
        ground.map(|c| (f64::from(c) * tone).min(255.0))
    };
    // Four samples a pixel: maps of up to 1024 cells are drawn on 520 pixels.
    let rows = par::map(ph, ctx, |py| {
        let mut row = Vec::with_capacity(3 * pw);
        for px in 0..pw {
            let at = |i: usize, n: usize| (i as f64 + (n as f64 + 0.5) / 2.0) / scale;
            let samples = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| paint(at(px, i), at(py, j)));
            row.extend((0..3).map(|k| (samples.iter().map(|s| s[k]).sum::<f64>() / 4.0).round() as u8));
        }
        row
    })?;
    canvas.place(&Image::from_bytes(pw, ph, rows.concat()), corner.0 as usize, corner.1 as usize);
    let place = |x: f64, y: f64| (corner.0 + (x * scale) as f32, corner.1 + (y * scale) as f32);
    if show == Show::Rivers {
        rivers(canvas, m, &place);
    }
    for coast in &m.map.coast {
        let line: Vec<Point> = coast.iter().map(|&(x, y)| place(x, y)).collect();
        canvas.line(&line, &Pen { opacity: 0.6, ..Pen::new(RIVER, 0.8) });
    }
    canvas.frame(corner, (pw as f32, ph as f32), &Pen::new(FAINT, 1.0));
    let km = w as f64 * m.map.cell_m / 1000.0;
    let caption = match show {
        Show::Relief => format!("Relief, lit from the north-west; {} km across", text::number(km, 1)),
        Show::Rivers => format!("Channels by Strahler order, {} rivers", m.rivers.cells.len()),
    };
    text::draw(canvas, &caption, (corner.0, corner.1 + ph as f32 + 22.0), &Type::new(15.0, FAINT));
    Ok(())
}

/// The channels, wider with Strahler's order.
fn rivers(canvas: &mut Canvas, m: &Measures, place: &dyn Fn(f64, f64) -> Point) {
    let width = m.map.height.width();
    for river in &m.rivers.cells {
        let order = |cell: u32| m.rivers.orders.cells()[cell as usize];
        let centre = |cell: u32| ((cell as usize % width) as f64 + 0.5, (cell as usize / width) as f64 + 0.5);
        let mut first = 0;
        for end in 1..river.len() {
            if end + 1 < river.len() && order(river[end]) == order(river[first]) {
                continue;
            }
            // A piece reaches into the next one, so that there is no gap.
            let cells: Vec<line::Point> = river[first..=end].iter().map(|&cell| centre(cell)).collect();
            let points: Vec<Point> = line::smooth(&cells, 1).iter().map(|&(x, y)| place(x, y)).collect();
            canvas.line(&points, &Pen::new(RIVER, 0.55 + 0.5 * f32::from(order(river[first]))));
            first = end;
        }
    }
}

/// The table: name, value and a gauge of each figure, and what it is.
fn table(canvas: &mut Canvas, (left, top): Point, report: &Report<'_>) {
    const ROW: f32 = 53.0;
    let width = WIDTH as f32 - MARGIN - left;
    for (i, figure) in RANGES.iter().enumerate() {
        let y = top + i as f32 * ROW;
        let colour = match figure.verdict(report.measures) {
            Verdict::Inside => GOOD,
            Verdict::Outside => BAD,
            Verdict::NoRange | Verdict::Missing => FAINT,
        };
        text::draw(canvas, figure.name, (left, y + 14.0), &Type::new(17.0, INK).bold());
        let value = Type::new(17.0, colour).bold().align(Align::Right);
        text::draw(canvas, &figure.value_text(report.measures), (left + 162.0, y + 14.0), &value);
        gauge(canvas, (left + 182.0, y + 2.0), 190.0, (figure, colour), report.measures);
        let range = match figure.verdict(report.measures) {
            Verdict::NoRange => "no range".to_owned(),
            _ => figure.range_text(),
        };
        let right = Type::new(14.0, FAINT).align(Align::Right);
        text::draw(canvas, &range, (left + width, y + 13.0), &right);
        let small = Type::new(12.0, FAINT);
        let about = figure.value(report.measures).err().unwrap_or(figure.about);
        for (k, line) in text::wrapped(about, &small, width).iter().take(2).enumerate() {
            text::draw(canvas, line, (left, y + 30.0 + 13.0 * k as f32), &small);
        }
    }
    let summary = report.summary();
    let look = Type::new(15.0, INK);
    for (k, line) in text::wrapped(&summary, &look, width).iter().enumerate() {
        text::draw(canvas, line, (left, top + 10.0 * ROW + 12.0 + 19.0 * k as f32), &look);
    }
}

/// A bar with the range of real land in it and a mark at the value; a value beyond the bar is marked at its end.
fn gauge(canvas: &mut Canvas, at: Point, width: f32, (figure, colour): (&Figure, Rgb), m: &Measures) {
    let (least, most) = (figure.least, figure.most.unwrap_or(1.0));
    let span = most - least.unwrap_or(0.0);
    let (from, to) = match (least, figure.most) {
        (Some(l), _) => (l - 0.75 * span, most + 0.75 * span),
        (None, Some(_)) => (0.0, most * 2.5),
        (None, None) => (0.0, 1.0),
    };
    let x = |v: f64| at.0 + width * ((v - from) / (to - from)).clamp(0.0, 1.0) as f32;
    canvas.rectangle((at.0, at.1 + 3.0), (width, 8.0), TRACK, 1.0);
    if figure.most.is_some() {
        let start = x(least.unwrap_or(from));
        canvas.rectangle((start, at.1 + 3.0), (x(most) - start, 8.0), BAND, 1.0);
    }
    if let Ok(value) = figure.value(m) {
        canvas.disc((x(value), at.1 + 7.0), 6.0, PAPER, 1.0);
        canvas.disc((x(value), at.1 + 7.0), 4.5, colour, 1.0);
    }
}

/// A chart of a law: its points and the fitted line.
fn law_chart(canvas: &mut Canvas, at: Point, law: &Law, names: (&str, &str), dot: (f32, f32)) {
    let chart = LogChart::around(at, CHART, &law.points);
    chart.axes(canvas, names.0, names.1);
    // A few thousand points show the same cloud as all of them.
    let every = law.points.len().div_ceil(4000).max(1);
    for &point in law.points.iter().step_by(every) {
        canvas.disc(chart.at(point), dot.0, RIVER, dot.1);
    }
    if let Some(fit) = law.fit {
        let ends = law.points.iter().fold((f64::INFINITY, 0.0f64), |(l, h), p| (l.min(p.0), h.max(p.0)));
        chart.law(canvas, (fit.intercept, fit.slope), ends, &Pen::new(BAD, 1.8));
        let note = format!("exponent {}", text::number(fit.slope, 2));
        let corner = (at.0 + CHART.0 - 10.0, at.1 + if fit.slope < 0.0 { 22.0 } else { CHART.1 - 12.0 });
        text::draw(canvas, &note, corner, &Type::new(14.0, BAD).align(Align::Right));
    }
}

fn slope_area(canvas: &mut Canvas, at: Point, m: &Measures) {
    law_chart(canvas, at, &m.slope_area, ("drainage area, cells", "mean slope of a bin"), (5.0, 0.9));
}

fn paths(canvas: &mut Canvas, at: Point, m: &Measures) {
    law_chart(canvas, at, &m.paths, ("drainage area, cells", "longest path, cells"), (1.6, 0.25));
}

/// The share of chords by bearing as the length of petals, around a circle of what an even spread would give.
fn rose(canvas: &mut Canvas, (left, top): Point, m: &Measures) {
    let (centre, radius) = ((left + CHART.0 / 2.0 - 30.0, top + CHART.1 / 2.0 + 6.0), CHART.1 / 2.0 - 8.0);
    let most = m.rose.iter().copied().fold(0.0, f64::max);
    let even = 1.0 / m.rose.len() as f64;
    // Twice an even share at the least, so that a round rose is seen to be round.
    let reach = |share: f64| radius * (share / most.max(2.0 * even)) as f32;
    let at = |bearing_deg: f64, r: f32| {
        let a = bearing_deg * PI / 180.0;
        (centre.0 + r * math::sin(a) as f32, centre.1 - r * math::cos(a) as f32)
    };
    for k in 0..8 {
        let pen = Pen { dash: Some((3.0, 4.0)), ..Pen::new(FAINT, 0.8) };
        canvas.line(&[centre, at(f64::from(k) * 45.0, radius)], &pen);
    }
    let step = 360.0 / m.rose.len() as f64;
    for (i, &share) in m.rose.iter().enumerate() {
        let bearing = i as f64 * step;
        let near = (bearing % 45.0).min(45.0 - bearing % 45.0) < step;
        let r = reach(share);
        let petal = [centre, at(bearing - 0.46 * step, r), at(bearing + 0.46 * step, r)];
        canvas.polygon(&petal, if near { BAD } else { RIVER }, 0.85);
    }
    let circle: Vec<Point> = (0..=120).map(|i| at(f64::from(i) * 3.0, reach(even))).collect();
    canvas.line(&circle, &Pen::new(INK, 1.0));
    for (bearing, name) in [(0.0, "N"), (90.0, "E"), (180.0, "S"), (270.0, "W")] {
        let (x, y) = at(bearing, radius + 12.0);
        text::draw(canvas, name, (x, y + 5.0), &Type::new(14.0, INK).align(Align::Centre));
    }
    let note = "chords of 12 steps; red: a multiple of 45°; circle: an even spread";
    text::draw(canvas, note, (centre.0, top + CHART.1 + 34.0), &Type::new(12.0, FAINT).align(Align::Centre));
}

/// Mean power over all directions by wavelength, as a share of the largest.
fn spectrum(canvas: &mut Canvas, at: Point, m: &Measures) {
    let most = m.spectrum.iter().map(|s| s.1).fold(0.0, f64::max);
    let shares: Vec<(f64, f64)> =
        m.spectrum.iter().filter(|s| s.1 > most * 1e-12).map(|s| (s.0, s.1 / most)).collect();
    let chart = LogChart::around(at, CHART, &shares);
    let (from, to) = (chart.at((6.0, 1.0)).0, chart.at((32.0, 1.0)).0);
    canvas.rectangle((from, at.1), (to - from, CHART.1), BAND, 0.5);
    chart.axes(canvas, "wavelength, cells (green: 6 to 32, anisotropy)", "mean power, share of the largest");
    let line: Vec<Point> = shares.iter().map(|&s| chart.at(s)).collect();
    canvas.line(&line, &Pen::new(RIVER, 1.8));
}
