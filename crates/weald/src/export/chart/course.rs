//! The course that is printed over the map: start, controls with numbers, finish, and the lines between them.

use super::symbols::{Look, SYMBOLS};
use super::ways::inside;
use super::{ChartOptions, Ground, Object, P, Shape, symbol, text};
use crate::catalogue::Catalogue;
use crate::error::Result;
use crate::style::chart::ChartStyle;
use weald_core::{line, math};

/// A course. Places are in units of the frame, x east and y south.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartCourse {
    /// Its name.
    pub name: String,
    /// Where it starts.
    pub start: Option<(f64, f64)>,
    /// Its controls, in order.
    pub controls: Vec<ChartControl>,
    /// Where it ends.
    pub finish: Option<(f64, f64)>,
    /// Length in metres, 0 to leave it out.
    pub length_m: f64,
    /// Climb in metres, 0 to leave it out.
    pub climb_m: f64,
}

/// A control of a course.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartControl {
    /// Place to the east.
    pub x: f64,
    /// Place to the south.
    pub y: f64,
    /// The code on the control, 0 for none.
    pub code: u32,
    /// What it stands at.
    pub feature: String,
    /// Which part of it, or which of several.
    pub detail: String,
}

/// A course with the routes taken, in units of the frame.
pub(super) struct Course {
    pub(super) course: ChartCourse,
    routes: Vec<Vec<P>>,
}

/// Space between a mark and a line that leads to it, in millimetres at 1:15 000.
const GAP_MM: f64 = 0.3;

/// The course of the options, or that of the catalogue.
pub(super) fn of(catalogue: &Catalogue, style: &ChartStyle, options: &ChartOptions) -> Option<Course> {
    if let Some(course) = &options.course {
        return Some(Course { course: course.clone(), routes: Vec::new() });
    }
    let sets = style.course?;
    let features = catalogue.point_set(sets.points).map_or(&[][..], |s| &s.features);
    let routes: Vec<Vec<P>> = catalogue
        .line_set(sets.route)
        .map(|s| s.features.iter().map(|f| f.points.clone()).collect())
        .unwrap_or_default();
    let mut course = ChartCourse { name: "Course".into(), ..Default::default() };
    for (i, feature) in features.iter().enumerate() {
        let Some(&(x, y)) = feature.points.first() else { continue };
        let number = |name: &str| feature.property(name).and_then(|v| v.as_f64());
        course.length_m = number("length_m").unwrap_or(course.length_m);
        course.climb_m = number("climb_m").unwrap_or(course.climb_m);
        match feature.property("kind").and_then(|k| k.as_str()).unwrap_or("") {
            "start" => course.start = Some((x, y)),
            "finish" => course.finish = Some((x, y)),
            "" if i == 0 => course.start = Some((x, y)),
            "" if i + 1 == features.len() => course.finish = Some((x, y)),
            _ => {
                let words = |name: &str| {
                    let words = feature.property(name).and_then(|v| v.as_str()).unwrap_or("");
                    let mut letters = words.chars();
                    let first = letters.next().map(|c| c.to_uppercase().to_string());
                    first.unwrap_or_default() + letters.as_str()
                };
                let code = feature.property("code").and_then(|v| v.as_u64()).unwrap_or(0) as u32;
                let (feature, detail) = (words("feature"), words("detail"));
                course.controls.push(ChartControl { x, y, code, feature, detail });
            }
        }
    }
    let empty = course.start.is_none() && course.finish.is_none() && course.controls.is_empty();
    (!empty).then_some(Course { course, routes })
}

/// A mark on paper: where, its symbol, and its radius.
#[derive(Clone, Copy)]
struct Mark {
    at: P,
    symbol: usize,
    radius: f64,
}

/// The objects of the course.
pub(super) fn objects(course: &Course, ground: &Ground) -> Result<Vec<Object>> {
    let (start, control, finish) = (symbol("701")?, symbol("703")?, symbol("706")?);
    let mark = |at: P, symbol: usize| {
        let radius = (SYMBOLS[symbol].reach() + GAP_MM) * ground.enlarged;
        Mark { at: ground.at(at), symbol, radius }
    };
    let data = &course.course;
    let mut marks: Vec<Mark> = data.start.map(|at| mark(at, start)).into_iter().collect();
    let first = marks.len();
    marks.extend(data.controls.iter().map(|c| mark((c.x, c.y), control)));
    let controls = first..marks.len();
    marks.extend(data.finish.map(|at| mark(at, finish)));
    let mut objects = Vec::new();
    let mut legs: Vec<(P, P)> = Vec::new();
    for w in marks.windows(2) {
        legs.push((w[0].at, w[1].at));
    }
    if course.routes.is_empty() {
        let symbol = symbol("705")?;
        for &leg in &legs {
            let parts = open_parts(leg, &marks);
            objects.extend(parts.into_iter().map(|l| Object { symbol, shape: Shape::Line(l) }));
        }
    } else {
        let symbol = symbol("707")?;
        for route in &course.routes {
            let points: Vec<P> = route.iter().map(|&p| ground.at(p)).collect();
            for part in line::clipped(&line::rounded(&points, 4), (0.0, 0.0), ground.size()) {
                let kept: Vec<P> = line::simplify(&part, 0.05).into_iter().map(|i| part[i]).collect();
                objects.push(Object { symbol, shape: Shape::Line(kept) });
            }
        }
    }
    for (i, m) in marks.iter().enumerate() {
        let next = marks.get(i + 1).filter(|_| m.symbol == start);
        let turn = next
            .map_or(0.0, |n| math::atan2(n.at.0 - m.at.0, m.at.1 - n.at.1).to_degrees().rem_euclid(360.0));
        objects.push(Object { symbol: m.symbol, shape: Shape::Point(m.at, turn) });
    }
    objects.extend(numbers(&marks, controls, &legs, ground)?);
    Ok(objects)
}

/// The parts of a leg outside all marks.
fn open_parts((a, b): (P, P), marks: &[Mark]) -> Vec<Vec<P>> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let long = (dx * dx + dy * dy).sqrt();
    let mut shut: Vec<(f64, f64)> = Vec::new();
    for m in marks.iter().filter(|_| long > 0.0) {
        let along = ((m.at.0 - a.0) * dx + (m.at.1 - a.1) * dy) / long;
        let beside = ((m.at.0 - a.0) * dy - (m.at.1 - a.1) * dx) / long;
        if beside.abs() < m.radius {
            let half = (m.radius * m.radius - beside * beside).sqrt();
            shut.push((along - half, along + half));
        }
    }
    shut.sort_by(|p, q| p.0.total_cmp(&q.0));
    let at = |d: f64| (a.0 + dx * d / long, a.1 + dy * d / long);
    let (mut from, mut parts) = (0.0f64, Vec::new());
    for (low, high) in shut.into_iter().chain([(long, long)]) {
        let to = low.min(long);
        if to - from > 0.5 {
            parts.push(vec![at(from), at(to)]);
        }
        from = from.max(high);
    }
    parts
}

/// The numbers of the controls, each where most room is.
fn numbers(
    marks: &[Mark],
    controls: std::ops::Range<usize>,
    legs: &[(P, P)],
    ground: &Ground,
) -> Result<Vec<Object>> {
    let symbol = symbol("704")?;
    let Look::Text(face) = &SYMBOLS[symbol].look else { return Ok(Vec::new()) };
    let size = face.size * ground.enlarged;
    let mut placed: Vec<P> = Vec::new();
    let mut objects = Vec::new();
    for i in controls.clone() {
        let words = (i - controls.start + 1).to_string();
        let (wide, high) = (text::width(&words, face.face) * size, super::points::CAPITALS * size);
        let away = marks[i].radius + 0.62 * wide.max(high);
        let room = |&c: &P| {
            let others = marks.iter().enumerate().filter(|&(j, _)| j != i);
            let circles = others.map(|(_, m)| distance(c, m.at) - m.radius).fold(f64::INFINITY, f64::min);
            let lines = legs.iter().map(|&l| from_leg(c, l)).fold(f64::INFINITY, f64::min);
            let texts = placed.iter().map(|&p| distance(c, p) - wide).fold(f64::INFINITY, f64::min);
            let on_map = if inside(c, ground, wide.max(high) / 2.0) { 0.0 } else { -1000.0 };
            // More room than that is no better; then the first direction, to the north-east, is taken.
            circles.min(lines).min(texts).min(size) + on_map
        };
        let around = (0..16).map(|k| {
            let angle = (45.0 + 22.5 * f64::from(k)).to_radians();
            (marks[i].at.0 + away * math::sin(angle), marks[i].at.1 - away * math::cos(angle))
        });
        let mut best: Option<(f64, P)> = None;
        for c in around {
            let score = room(&c);
            if best.is_none_or(|(s, _)| score > s) {
                best = Some((score, c));
            }
        }
        if let Some((_, c)) = best {
            placed.push(c);
            let at = (c.0 - wide / 2.0, c.1 + high / 2.0);
            objects.push(Object { symbol, shape: Shape::Text(at, words) });
        }
    }
    Ok(objects)
}

fn distance(a: P, b: P) -> f64 {
    ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt()
}

fn from_leg(p: P, (a, b): (P, P)) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let square = dx * dx + dy * dy;
    let t = if square > 0.0 { (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    distance(p, (a.0 + dx * t, a.1 + dy * t))
}
