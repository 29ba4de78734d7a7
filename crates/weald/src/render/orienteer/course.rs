//! The course or route that is printed over a map.

use super::super::canvas::{Canvas, Pen, Point};
use super::super::text::{Type, draw as write, width as text_width};
use super::{Drawing, curve, kind_of, ways};
use crate::catalogue::Catalogue;
use crate::style::orienteer::Course;
use tiny_skia::PathBuilder;

const CIRCLE: f32 = 17.0;
const FINISH: f32 = 12.5;
const TRIANGLE: f32 = 20.0;
const WIDTH: f32 = 2.5;
/// Cells along the longer side of a sheet up to which marks have these sizes.
const SHEET: f32 = 800.0;

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Start,
    Control(usize),
    Finish,
}

impl Mark {
    /// Distance from the centre of a mark at which a leg ends.
    fn reach(self) -> f32 {
        match self {
            Mark::Start => TRIANGLE,
            _ => CIRCLE,
        }
    }
}

/// Whether there is anything to draw.
pub(super) fn occurs(catalogue: &Catalogue, course: &Course, pen: &Drawing) -> bool {
    let way = course.lines.and_then(|name| catalogue.line_set(name));
    way.is_some_and(|set| !ways::on_map(set, pen, 0.0).is_empty())
        || !marks(catalogue, course, pen).is_empty()
}

/// Draws the route taken or the legs, then start, controls and finish.
pub(super) fn draw(canvas: &mut Canvas, catalogue: &Catalogue, course: &Course, pen: &Drawing) {
    let k = pen.k;
    let way = course.lines.and_then(|name| catalogue.line_set(name));
    if let Some(set) = way {
        for line in ways::on_map(set, pen, ways::MARGIN) {
            if let Some(path) = curve(&line, 6.0 * k) {
                canvas.stroke(&path, &Pen { opacity: 0.75, ..Pen::new(course.colour, 4.0 * k) });
            }
        }
    }
    // On a large sheet, which is looked at from further away, marks are larger.
    let k = k * (pen.frame.width.max(pen.frame.height) as f32 / SHEET).clamp(1.0, 2.0);
    let marks = marks(catalogue, course, pen);
    if way.is_none() {
        for w in marks.windows(2) {
            draw_leg(canvas, w[0], w[1], course, k);
        }
    }
    for (i, &(at, mark)) in marks.iter().enumerate() {
        let next = marks.get(i + 1).map(|m| m.0);
        draw_mark(canvas, mark, at, next, course, k);
        if let Mark::Control(number) = mark {
            draw_number(canvas, number, i, &marks, course, k);
        }
    }
}

/// Size of the letters of a number, and the height of its digits as a share of it.
const NUMBER: (f32, f32) = (25.0, 0.72);

/// The number of a control beside its circle: on that of eight sides where legs and other marks are furthest away, to the north-east if
/// several are as good.
fn draw_number(
    canvas: &mut Canvas,
    number: usize,
    index: usize,
    marks: &[(Point, Mark)],
    course: &Course,
    k: f32,
) {
    let words = number.to_string();
    let look = Type { weight: 0.05, ..Type::new(NUMBER.0 * k, course.colour) };
    let (wide, high) = (text_width(&words, &look), NUMBER.0 * NUMBER.1 * k);
    let (x, y) = marks[index].0;
    let away = CIRCLE * k + 0.65 * wide.max(high);
    let room = |c: Point| {
        let others = marks.iter().enumerate().filter(|(j, _)| *j != index);
        let circles = others.map(|(_, m)| distance(c, m.0) - m.1.reach() * k).fold(f32::INFINITY, f32::min);
        let legs = marks.windows(2).map(|w| from_leg(c, w[0].0, w[1].0)).fold(f32::INFINITY, f32::min);
        // More room than that is no better.
        circles.min(legs).min(1.2 * high)
    };
    let mut best: Option<(f32, Point)> = None;
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let sides = [
        (half, -half),
        (1.0, 0.0),
        (half, half),
        (0.0, 1.0),
        (-half, half),
        (-1.0, 0.0),
        (-half, -half),
        (0.0, -1.0),
    ];
    for (dx, dy) in sides {
        let c = (x + away * dx, y + away * dy);
        let score = room(c);
        if best.is_none_or(|(s, _)| score > s) {
            best = Some((score, c));
        }
    }
    if let Some((_, c)) = best {
        write(canvas, &words, (c.0 - wide / 2.0, c.1 + high / 2.0), &look);
    }
}

fn distance(a: Point, b: Point) -> f32 {
    ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt()
}

/// Distance of a place from a leg.
fn from_leg(p: Point, a: Point, b: Point) -> f32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let square = dx * dx + dy * dy;
    let t = if square > 0.0 { (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    distance(p, (a.0 + dx * t, a.1 + dy * t))
}

fn marks(catalogue: &Catalogue, course: &Course, pen: &Drawing) -> Vec<(Point, Mark)> {
    let set = course.points.and_then(|name| catalogue.points.iter().find(|s| s.name == name));
    let features = set.map_or(&[][..], |s| &s.features);
    let (mut marks, mut controls) = (Vec::new(), 0);
    for (i, feature) in features.iter().enumerate() {
        let Some(&place) = feature.points.first() else { continue };
        let mark = match kind_of(feature) {
            "start" => Mark::Start,
            "finish" => Mark::Finish,
            "" if i == 0 => Mark::Start,
            "" if i + 1 == features.len() => Mark::Finish,
            _ => {
                controls += 1;
                Mark::Control(controls)
            }
        };
        marks.push((pen.at(place), mark));
    }
    marks
}

/// A straight line that does not enter the marks.
fn draw_leg(canvas: &mut Canvas, (a, from): (Point, Mark), (b, to): (Point, Mark), course: &Course, k: f32) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let long = (dx * dx + dy * dy).sqrt();
    let (first, last) = ((from.reach() + 3.0) * k, (to.reach() + 3.0) * k);
    if long > first + last {
        let at = |d: f32| (a.0 + dx * d / long, a.1 + dy * d / long);
        canvas
            .line(&[at(first), at(long - last)], &Pen { opacity: 0.9, ..Pen::new(course.colour, WIDTH * k) });
    }
}

/// A start points to what comes next.
fn draw_mark(canvas: &mut Canvas, mark: Mark, (x, y): Point, next: Option<Point>, course: &Course, k: f32) {
    let pen = Pen { opacity: 0.95, ..Pen::new(course.colour, WIDTH * k) };
    let ring = |canvas: &mut Canvas, radius: f32| {
        if let Some(path) = PathBuilder::from_circle(x, y, radius * k) {
            canvas.stroke(&path, &pen);
        }
    };
    match mark {
        Mark::Start => {
            let (dx, dy) = next.map_or((0.0, -1.0), |n| (n.0 - x, n.1 - y));
            let long = (dx * dx + dy * dy).sqrt();
            let (dx, dy) = if long > 0.0 { (dx / long, dy / long) } else { (0.0, -1.0) };
            let r = TRIANGLE * k;
            // Turned by ±120°.
            let corner = |c: f32, s: f32| (x + r * (dx * c - dy * s), y + r * (dx * s + dy * c));
            let half_root = 0.866_025_4;
            let corners =
                [corner(1.0, 0.0), corner(-0.5, half_root), corner(-0.5, -half_root), corner(1.0, 0.0)];
            canvas.line(&corners, &pen);
        }
        Mark::Control(_) => ring(canvas, CIRCLE),
        Mark::Finish => {
            ring(canvas, CIRCLE);
            ring(canvas, FINISH);
        }
    }
}

/// A small course for the legend.
pub(super) fn draw_sample(canvas: &mut Canvas, (x, y): Point, course: &Course, k: f32) {
    let (a, b) = ((x - 13.0 * k, y), (x + 14.0 * k, y));
    let k = 0.45 * k;
    draw_mark(canvas, Mark::Start, a, Some(b), course, k);
    draw_leg(canvas, (a, Mark::Start), (b, Mark::Finish), course, k);
    draw_mark(canvas, Mark::Finish, b, None, course, k);
}
