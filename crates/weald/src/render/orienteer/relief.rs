//! Contours as an orienteer reads them: thick index lines with their height, ticks downhill in depressions.

use super::super::canvas::{Canvas, Pen, Point};
use super::super::map::layer;
use super::super::resample::measure;
use super::super::sheet::decimals;
use super::super::spline::blurred;
use super::super::text::{self, Type, number};
use super::ground::Ground;
use super::taken::Taken;
use super::{Drawing, curve};
use crate::catalogue::Catalogue;
use crate::style::orienteer::{ContourStyle, Numbers};
use crate::{Error, Result};
use tiny_skia::PathBuilder;
use weald_core::{Ctx, contour};

/// One contour in pixels.
pub(super) struct Line {
    level: f64,
    index: bool,
    points: Vec<Point>,
    /// A ring with its lower ground inside.
    depression: bool,
}

/// Most contours that are drawn, so that an interval that is far too small for the land is an error and not a long wait.
const MOST_LEVELS: f64 = 2000.0;

/// Where contours are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Not on open water.
    Land,
    /// Only on open water: depths, of which 0 has no line.
    Water,
}

/// The contours of a layer, smooth, on one side of the shores.
pub(super) fn contours(
    catalogue: &Catalogue,
    style: &Option<ContourStyle>,
    (ground, side): (&Ground, Side),
    pen: &Drawing,
    ctx: &Ctx,
) -> Result<Vec<Line>> {
    let Some(relief) = style else { return Ok(vec![]) };
    let height = measure(&layer(catalogue, relief.layer)?.cells(), &pen.view, ctx)?;
    let (low, high) = weald_core::stats::min_max(&height, ctx)?.unwrap_or((0.0, 0.0));
    let levels = (high - low) as f64 / relief.step;
    if !(relief.step > 0.0 && levels <= MOST_LEVELS) {
        return Err(Error::Invalid(format!(
            "contours every {} on land from {low} to {high}: the interval must be positive and give at most {MOST_LEVELS} contours",
            relief.step
        )));
    }
    let height = blurred(&height, if pen.view.scale > 1 { 1 } else { 0 }, ctx)?;
    let (w, h) = (height.width(), height.height());
    let scale = pen.view.scale as f32;
    let mut lines = Vec::new();
    for c in contour::every(&height, relief.step as f32, ctx)? {
        let nth = (c.level as f64 / relief.step).round() as i64;
        if side == Side::Water && nth <= 0 {
            continue;
        }
        let index = relief.index_every > 0 && nth % relief.index_every as i64 == 0;
        let whole = to_the_border(&c.points, w, h);
        let away = |&(x, y): &(f64, f64)| ground.is_water(x, y) == (side == Side::Land);
        for part in whole.split(away).filter(|p| p.len() > 1) {
            let mut part = part.to_vec();
            soften(&mut part, 3);
            let ring = part.len() > 3 && part[0] == part[part.len() - 1];
            let points = thinned(&part, scale, 2.2);
            // The smallest rings are rounding, not hills.
            if ring && length(&points) < 14.0 {
                continue;
            }
            let depression = side == Side::Land && ring && area(&part) < 0.0;
            lines.push(Line { level: c.level as f64, index, points, depression });
        }
    }
    Ok(lines)
}

/// Draws contours, the metres of index lines in gaps of these, and ticks in depressions.
pub(super) fn draw(canvas: &mut Canvas, lines: &[Line], style: &ContourStyle, taken: &Taken, pen: &Drawing) {
    let k = pen.k;
    let (thin, thick) = (Pen::new(style.colour, 1.05 * k), Pen::new(style.colour, 1.95 * k));
    let look = Type { weight: 0.03, ..Type::new(11.5 * k, style.colour) };
    for index in [false, true] {
        // One path for all: where lines touch, their ink does not add up.
        let mut all = PathBuilder::new();
        for line in lines.iter().filter(|l| l.index == index) {
            let mut parts = vec![line.points.clone()];
            if index && style.numbers == Numbers::InGaps {
                parts = numbered(canvas, line, &metres(line.level, style), &look, taken);
            }
            parts.iter().filter_map(|p| curve(p, 1e9)).for_each(|p| all.push_path(&p));
        }
        if let Some(path) = all.finish() {
            canvas.stroke(&path, if index { &thick } else { &thin });
        }
    }
    for line in lines.iter().filter(|l| l.depression) {
        draw_ticks(canvas, line, &thin, k);
    }
}

/// The number of a contour, in metres.
fn metres(level: f64, style: &ContourStyle) -> String {
    number(level / style.step * style.step_m, decimals(style.step_m).min(4))
}

/// Writes the height of a long line into gaps of it, top uphill, and gives what is left of the line. Places are chosen
/// where the line is straight, the figures stand upright and nothing else is drawn.
fn numbered(canvas: &mut Canvas, line: &Line, label: &str, look: &Type, taken: &Taken) -> Vec<Vec<Point>> {
    let half = text::width(label, look) / 2.0 + 0.26 * look.size;
    let (all, along) = (length(&line.points), distances(&line.points));
    if all < 26.0 * look.size {
        return vec![line.points.clone()];
    }
    let spots = (all / (130.0 * look.size)).ceil() as usize;
    let mut gaps: Vec<(f32, f32)> = Vec::new();
    for spot in 0..spots {
        let from = all * spot as f32 / spots as f32 + 2.0 * half;
        let to = all * (spot + 1) as f32 / spots as f32 - 2.0 * half;
        let best = (0..32)
            .map(|i| from + (to - from) * (i as f32 + 0.5) / 32.0)
            .filter_map(|mid| {
                let [a, centre, b] = [mid - half, mid, mid + half].map(|d| place(&line.points, &along, d));
                // The higher ground lies on the right of the line, so the text runs against it.
                let (dx, dy) = ((a.0 - b.0) / (2.0 * half), (a.1 - b.1) / (2.0 * half));
                let straight = (dx * dx + dy * dy).sqrt();
                let fits =
                    straight > 0.96 && dx > 0.3 * straight && [a, centre, b].iter().all(|p| taken.free(*p));
                fits.then_some((straight + 0.05 * dx, mid, centre, (dx / straight, dy / straight)))
            })
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, mid, centre, turn)) = best {
            text::draw_turned(canvas, label, centre, turn, look);
            gaps.push((mid - half, mid + half));
        }
    }
    without(&line.points, &along, &gaps)
}

/// Short strokes to the lower side, one every so often.
fn draw_ticks(canvas: &mut Canvas, line: &Line, pen: &Pen, k: f32) {
    let (all, along) = (length(&line.points), distances(&line.points));
    let count = (all / (260.0 * k)).round().clamp(1.0, 8.0);
    for i in 0..count as usize {
        let at = all * (i as f32 + 0.5) / count;
        let (a, b) = (place(&line.points, &along, at - 2.0), place(&line.points, &along, at + 2.0));
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let long = (dx * dx + dy * dy).sqrt();
        if long > 0.0 {
            let from = place(&line.points, &along, at);
            let tick = 6.0 * k / long;
            canvas.line(&[from, (from.0 + dy * tick, from.1 - dx * tick)], pen);
        }
    }
}

/// A contour ends at the outermost samples, half a cell before the edge of the map: its last pieces are drawn on.
pub(super) fn to_the_border(line: &[(f64, f64)], w: usize, h: usize) -> Vec<(f64, f64)> {
    let (east, south) = (w as f64 - 0.5, h as f64 - 0.5);
    let on = |end: (f64, f64), before: (f64, f64)| {
        let (dx, dy) = (end.0 - before.0, end.1 - before.1);
        let across = if end.0 == 0.5 || end.0 == east { dx.abs() } else { 0.0 };
        let down = if end.1 == 0.5 || end.1 == south { dy.abs() } else { 0.0 };
        // A line that runs along the border is not drawn on.
        let out = across.max(down);
        let far = if out > 0.2 { 0.5 / out } else { 0.0 };
        (end.0 + dx * far, end.1 + dy * far)
    };
    let n = line.len();
    let mut line = line.to_vec();
    if n > 1 && line[0] != line[n - 1] {
        let (first, last) = (on(line[0], line[1]), on(line[n - 1], line[n - 2]));
        line.insert(0, first);
        line.push(last);
    }
    line
}

/// Passes of the weights ¼ ½ ¼ over a line; the ends stay, a ring is smoothed all around.
pub(super) fn soften(line: &mut [(f64, f64)], passes: usize) {
    let n = line.len();
    if n < 4 {
        return;
    }
    let ring = line[0] == line[n - 1];
    for _ in 0..passes {
        let old = line.to_vec();
        let mix = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| {
            (0.25 * a.0 + 0.5 * b.0 + 0.25 * c.0, 0.25 * a.1 + 0.5 * b.1 + 0.25 * c.1)
        };
        for (out, w) in line[1..n - 1].iter_mut().zip(old.windows(3)) {
            *out = mix(w[0], w[1], w[2]);
        }
        if ring {
            line[0] = mix(old[n - 2], old[0], old[1]);
            line[n - 1] = line[0];
        }
    }
}

/// The line in pixels without points closer than `least` to the one before; the ends stay.
pub(super) fn thinned(line: &[(f64, f64)], scale: f32, least: f32) -> Vec<Point> {
    let mut out: Vec<Point> = Vec::new();
    for (i, &(x, y)) in line.iter().enumerate() {
        let p = (x as f32 * scale, y as f32 * scale);
        let far =
            out.last().is_none_or(|q| (p.0 - q.0) * (p.0 - q.0) + (p.1 - q.1) * (p.1 - q.1) >= least * least);
        if far || i + 1 == line.len() {
            out.push(p);
        }
    }
    out
}

/// Twice the signed area of a ring, positive if it runs clockwise on the map.
fn area(ring: &[(f64, f64)]) -> f64 {
    let (x0, y0) = ring[0];
    ring.windows(2).map(|w| (w[0].0 - x0) * (w[1].1 - y0) - (w[1].0 - x0) * (w[0].1 - y0)).sum()
}

/// Length along the line up to each of its points.
fn distances(points: &[Point]) -> Vec<f32> {
    let mut sum = 0.0;
    let steps = points.windows(2).map(|w| {
        let (dx, dy) = (w[1].0 - w[0].0, w[1].1 - w[0].1);
        sum += (dx * dx + dy * dy).sqrt();
        sum
    });
    std::iter::once(0.0).chain(steps).collect()
}

fn length(points: &[Point]) -> f32 {
    distances(points).last().copied().unwrap_or(0.0)
}

/// The place at a length along the line, clamped to its ends.
fn place(points: &[Point], along: &[f32], at: f32) -> Point {
    let i = along.partition_point(|d| *d < at).clamp(1, points.len() - 1);
    let (a, b, span) = (points[i - 1], points[i], along[i] - along[i - 1]);
    let t = if span > 0.0 { ((at - along[i - 1]) / span).clamp(0.0, 1.0) } else { 0.0 };
    (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t)
}

/// The parts of a line outside the gaps, which are in order.
fn without(points: &[Point], along: &[f32], gaps: &[(f32, f32)]) -> Vec<Vec<Point>> {
    if gaps.is_empty() {
        return vec![points.to_vec()];
    }
    let all = along[along.len() - 1];
    let ends = gaps.iter().map(|g| g.1);
    let starts: Vec<f32> = std::iter::once(0.0).chain(ends).collect();
    let stops: Vec<f32> = gaps.iter().map(|g| g.0).chain(std::iter::once(all)).collect();
    let mut parts = Vec::new();
    for (from, to) in starts.into_iter().zip(stops) {
        let inner = points.iter().zip(along).filter(|(_, d)| **d > from && **d < to).map(|(p, _)| *p);
        let mut part = vec![place(points, along, from)];
        part.extend(inner);
        part.push(place(points, along, to));
        parts.push(part);
    }
    // A ring continues past its first point.
    if points[0] == points[points.len() - 1] {
        let mut last = parts.pop().unwrap_or_default();
        last.extend_from_slice(&parts[0][1..]);
        parts[0] = last;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(n: usize) -> Vec<Point> {
        let at = |i: usize| {
            let a = i as f64 / n as f64 * std::f64::consts::TAU;
            (100.0 * weald_core::math::cos(a) as f32, 100.0 * weald_core::math::sin(a) as f32)
        };
        (0..n).chain([0]).map(at).collect()
    }

    #[test]
    fn gaps_take_away_their_length_and_nothing_else() {
        let ring = circle(200);
        let along = distances(&ring);
        let all = length(&ring);
        let parts = without(&ring, &along, &[(50.0, 80.0), (300.0, 340.0)]);
        assert_eq!(parts.len(), 2, "a ring goes on over its first point");
        let left: f32 = parts.iter().map(|p| length(p)).sum();
        assert!((left - (all - 70.0)).abs() < 0.1, "{left} of {all}");
        assert_eq!(without(&ring[..100], &distances(&ring[..100]), &[(50.0, 80.0)]).len(), 2);
    }

    #[test]
    fn contours_have_their_metres_as_numbers() {
        let style = |step, step_m| ContourStyle {
            layer: "height",
            step,
            step_m,
            index_every: 5,
            numbers: Numbers::InGaps,
            colour: [0; 3],
        };
        assert_eq!(metres(300.0, &style(20.0, 5.0)), "75");
        assert_eq!(metres(-100.0, &style(5.0, 1.25)), "\u{2212}25");
        assert_eq!(metres(7.5, &style(2.5, 2.5)), "7.5");
    }

    #[test]
    fn rings_around_depressions_are_told_from_rings_around_hills() {
        let heights = |sign: f32| {
            let cells = (0..400).map(|i| {
                let (dx, dy) = ((i % 20) as f32 - 9.5, (i / 20) as f32 - 9.5);
                sign * (dx * dx + dy * dy).sqrt()
            });
            weald_core::Grid::from_vec(20, 20, cells.collect())
        };
        assert!(area(&contour::lines(&heights(1.0), 5.0)[0]) < 0.0, "lower inside");
        assert!(area(&contour::lines(&heights(-1.0), -5.0)[0]) > 0.0, "higher inside");
    }

    #[test]
    fn softening_keeps_ends_and_rings() {
        let mut line = vec![(0.0, 0.0), (1.0, 2.0), (2.0, -2.0), (3.0, 2.0), (4.0, 0.0)];
        soften(&mut line, 3);
        assert_eq!((line[0], line[4]), ((0.0, 0.0), (4.0, 0.0)));
        assert!(line.iter().all(|p| p.1.abs() < 1.0));
        let mut ring = vec![(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)];
        soften(&mut ring, 1);
        assert_eq!(ring[0], ring[4]);
        assert_eq!(ring[0], (1.0, 1.0));
    }
}
