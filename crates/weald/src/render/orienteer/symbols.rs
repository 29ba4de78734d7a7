//! Point symbols and buildings.

use super::super::canvas::{Canvas, Pen, Point};
use super::super::image::Rgb;
use super::{Drawing, kind_of};
use crate::catalogue::{Catalogue, Feature};
use crate::style::orienteer::{OrienteerStyle, PointKind, SquareStyle, Symbol};

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
            for at in places(catalogue, points.set, pen, 12.0 * pen.k, |f| kind_of(f) == kind.kind) {
                draw_symbol(canvas, kind, at, pen.k);
            }
        }
    }
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
    let set = catalogue.points.iter().find(|s| s.name == set);
    let features = set.map_or(&[][..], |s| &s.features);
    let shown = features.iter().filter(|f| which(f)).filter_map(|f| f.points.first());
    shown.map(|p| pen.at(*p)).filter(|at| pen.shows(*at, reach)).collect()
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

/// A symbol on a thin pale halo, so that it is read on dark ground and among lines.
pub(super) fn draw_symbol(canvas: &mut Canvas, kind: &PointKind, at: Point, k: f32) {
    const HALO: Rgb = [255, 255, 255];
    shape(canvas, kind.symbol, at, k, &Ink { colour: HALO, opacity: 0.8, grow: 1.5 * k });
    shape(canvas, kind.symbol, at, k, &Ink { colour: kind.colour, opacity: 1.0, grow: 0.0 });
}

/// What a shape is drawn with.
struct Ink {
    colour: Rgb,
    opacity: f32,
    /// How much it is widened on all sides.
    grow: f32,
}

fn shape(canvas: &mut Canvas, symbol: Symbol, (x, y): Point, k: f32, ink: &Ink) {
    let stroke =
        |width: f32| Pen { opacity: ink.opacity, ..Pen::new(ink.colour, width * k + 2.0 * ink.grow) };
    let at = |dx: f32, dy: f32| (x + dx * k, y + dy * k);
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
        Symbol::Cone => solid(&[at(0.0, -6.0), at(5.2, 4.4), at(-5.2, 4.4)]),
        Symbol::Rocket => {
            let body = [
                (0.0, -9.0),
                (2.6, -5.0),
                (2.6, 3.0),
                (5.4, 7.4),
                (1.6, 5.6),
                (-1.6, 5.6),
                (-5.4, 7.4),
                (-2.6, 3.0),
                (-2.6, -5.0),
            ];
            solid(&body.map(|(dx, dy)| at(dx, dy)));
        }
        Symbol::Box => {
            solid(&[at(-3.8, -6.8), at(3.8, -6.8), at(3.8, 6.8), at(-3.8, 6.8)]);
            if ink.grow == 0.0 {
                canvas.rectangle(at(-1.9, -4.4), (3.8 * k, 4.2 * k), [255; 3], 1.0);
            }
        }
    }
}
