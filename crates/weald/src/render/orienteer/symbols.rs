//! Point symbols and buildings.

use super::super::canvas::{Canvas, Pen, Point};
use super::super::image::Rgb;
use super::{Drawing, kind_of};
use crate::catalogue::{Catalogue, Feature};
use crate::style::orienteer::{OrienteerStyle, PointKind, SquareStyle, Symbol};
use serde_json::Value;
use weald_core::math;

/// All buildings and symbols of the style, later kinds above earlier ones.
pub(super) fn draw(canvas: &mut Canvas, catalogue: &Catalogue, style: &OrienteerStyle, pen: &Drawing) {
    for square in &style.squares {
        let side = pen.length(square.side);
        for at in places(catalogue, square.set, pen, side, |_| true) {
            draw_square(canvas, square, at, side, pen.k);
        }
    }
    for points in &style.points {
        for kind in &points.kinds {
            for (at, feature) in shown(catalogue, points.set, pen, 12.0 * pen.k, |f| is_of(f, kind)) {
                draw_symbol(canvas, kind, at, direction(feature, kind), pen.k);
            }
        }
    }
}

/// Whether a point is of a kind.
pub(super) fn is_of(feature: &Feature, kind: &PointKind) -> bool {
    let flag = |name: &str| feature.property(name).and_then(Value::as_bool).unwrap_or(false);
    kind_of(feature) == kind.kind && kind.only.is_none_or(|(name, wanted)| flag(name) == wanted)
}

/// Where the lower end of a point's symbol points, in degrees clockwise from north.
fn direction(feature: &Feature, kind: &PointKind) -> f64 {
    kind.direction.and_then(|name| feature.property(name)?.as_f64()).unwrap_or(UPRIGHT)
}

/// Whether a point of a kind on the map has a direction.
pub(super) fn any_direction(catalogue: &Catalogue, set: &str, pen: &Drawing, kind: &PointKind) -> bool {
    let has = |f: &Feature| is_of(f, kind) && kind.direction.is_some_and(|name| f.property(name).is_some());
    occurs(catalogue, set, pen, has)
}

/// Whether a square or symbol of this set and kind lies on the map.
pub(super) fn occurs(
    catalogue: &Catalogue,
    set: &str,
    pen: &Drawing,
    which: impl Fn(&Feature) -> bool,
) -> bool {
    !places(catalogue, set, pen, 0.0, which).is_empty()
}

/// Pixels of the points of a set that show on the map.
pub(super) fn places(
    catalogue: &Catalogue,
    set: &str,
    pen: &Drawing,
    reach: f32,
    which: impl Fn(&Feature) -> bool,
) -> Vec<Point> {
    shown(catalogue, set, pen, reach, which).into_iter().map(|(at, _)| at).collect()
}

/// The points of a set that show on the map, with their pixels.
fn shown<'c>(
    catalogue: &'c Catalogue,
    set: &str,
    pen: &Drawing,
    reach: f32,
    which: impl Fn(&Feature) -> bool,
) -> Vec<(Point, &'c Feature)> {
    let set = catalogue.points.iter().find(|s| s.name == set);
    let features = set.map_or(&[][..], |s| &s.features);
    let placed = features.iter().filter(|f| which(f)).filter_map(|f| Some((pen.at(*f.points.first()?), f)));
    placed.filter(|(at, _)| pen.shows(*at, reach)).collect()
}

/// A building.
pub(super) fn draw_square(canvas: &mut Canvas, look: &SquareStyle, (x, y): Point, side: f32, k: f32) {
    // Too small for an outline, it is a black square that can still be seen.
    let line = 1.2 * k;
    if side < 6.0 * line {
        let side = side.max(4.0 * k);
        canvas.rectangle((x - side / 2.0, y - side / 2.0), (side, side), look.edge, 1.0);
        return;
    }
    let inner = side - line;
    canvas.rectangle((x - inner / 2.0, y - inner / 2.0), (inner, inner), look.fill, 1.0);
    let pen = Pen::new(look.edge, line);
    let (a, b, c, d) = (x - inner / 2.0, y - inner / 2.0, x + inner / 2.0, y + inner / 2.0);
    canvas.line(&[(a, b), (c, b), (c, d), (a, d), (a, b)], &pen);
}

/// The direction of the lower end of a symbol that is not turned.
pub(super) const UPRIGHT: f64 = 180.0;

/// A symbol on a thin pale halo, so that it is read on dark ground and among lines. Its lower end points in a direction, in
/// degrees clockwise from north.
pub(super) fn draw_symbol(canvas: &mut Canvas, kind: &PointKind, at: Point, direction: f64, k: f32) {
    const HALO: Rgb = [255, 255, 255];
    let angle = (direction - UPRIGHT).to_radians();
    let place = Place { at, k, turn: (math::sin(angle) as f32, math::cos(angle) as f32) };
    shape(canvas, kind.symbol, &place, &Ink { colour: HALO, opacity: 0.8, grow: 1.5 * k });
    shape(canvas, kind.symbol, &place, &Ink { colour: kind.colour, opacity: 1.0, grow: 0.0 });
}

/// Where a symbol lies, how large it is and how it is turned.
struct Place {
    at: Point,
    k: f32,
    /// Sine and cosine of the angle, clockwise.
    turn: (f32, f32),
}

/// What a shape is drawn with.
struct Ink {
    colour: Rgb,
    opacity: f32,
    /// How much it is widened on all sides.
    grow: f32,
}

fn shape(canvas: &mut Canvas, symbol: Symbol, place: &Place, ink: &Ink) {
    let Place { at: (x, y), k, turn: (sine, cosine) } = *place;
    let stroke =
        |width: f32| Pen { opacity: ink.opacity, ..Pen::new(ink.colour, width * k + 2.0 * ink.grow) };
    let at = |dx: f32, dy: f32| (x + (dx * cosine - dy * sine) * k, y + (dx * sine + dy * cosine) * k);
    let mut solid = |points: &[Point]| {
        if ink.grow > 0.0 {
            let mut ring = points.to_vec();
            ring.push(points[0]);
            canvas.line(&ring, &stroke(0.0));
        } else {
            canvas.polygon(points, ink.colour, ink.opacity);
        }
    };
    match symbol {
        Symbol::Dot => canvas.disc((x, y), 4.0 * k + ink.grow, ink.colour, ink.opacity),
        Symbol::Vee => canvas.line(&[at(-5.0, -4.6), at(0.0, 4.8), at(5.0, -4.6)], &stroke(2.3)),
        Symbol::Cross => {
            canvas.line(&[at(-4.4, -4.4), at(4.4, 4.4)], &stroke(2.2));
            canvas.line(&[at(-4.4, 4.4), at(4.4, -4.4)], &stroke(2.2));
        }
        Symbol::Ring => {
            if let Some(path) = tiny_skia::PathBuilder::from_circle(x, y, 4.4 * k) {
                canvas.stroke(&path, &stroke(2.0));
            }
        }
        Symbol::Box => {
            solid(&[at(-3.8, -6.8), at(3.8, -6.8), at(3.8, 6.8), at(-3.8, 6.8)]);
            if ink.grow == 0.0 {
                canvas.rectangle(at(-1.9, -4.4), (3.8 * k, 4.2 * k), [255; 3], 1.0);
            }
        }
    }
}
