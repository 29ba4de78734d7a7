//! The course or route that is printed over a map.

use super::super::canvas::{Canvas, Pen, Point};
use super::super::text::{Type, draw as write};
use super::{Drawing, curve, kind_of, ways};
use crate::catalogue::Catalogue;
use crate::style::orienteer::Course;
use tiny_skia::PathBuilder;

const CIRCLE: f32 = 17.0;
const FINISH: f32 = 12.5;
const TRIANGLE: f32 = 20.0;
const WIDTH: f32 = 2.5;

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
    let marks = marks(catalogue, course, pen);
    if way.is_none() {
        for w in marks.windows(2) {
            draw_leg(canvas, w[0], w[1], course, k);
        }
    }
    for (i, &(at, mark)) in marks.iter().enumerate() {
        let next = marks.get(i + 1).map(|m| m.0);
        draw_mark(canvas, mark, at, next, course, k);
    }
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
        Mark::Control(number) => {
            ring(canvas, CIRCLE);
            let look = Type { weight: 0.05, ..Type::new(25.0 * k, course.colour) };
            write(canvas, &number.to_string(), (x + CIRCLE * 0.85 * k, y - CIRCLE * 0.85 * k), &look);
        }
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
