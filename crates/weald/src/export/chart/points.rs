//! Points: symbols, buildings and names.

use super::symbols::{Look, SYMBOLS};
use super::ways::{fits, inside};
use super::{Ground, Object, P, Shape, symbol, text};
use crate::catalogue::{Catalogue, Feature};
use crate::error::Result;
use crate::style::chart::ChartStyle;

/// Distance that symbols keep from each other, in millimetres at 1:15 000.
const APART_MM: f64 = 0.15;
/// The least side of a building, in millimetres at 1:15 000.
const LEAST_SQUARE_MM: f64 = 0.5;
/// Height of capital letters as a share of the size.
pub(super) const CAPITALS: f64 = 0.72;

/// A rectangle: left, top, right, bottom.
type Rectangle = (f64, f64, f64, f64);

/// Point symbols that do not touch each other.
pub(super) fn points(catalogue: &Catalogue, style: &ChartStyle, ground: &Ground) -> Result<Vec<Object>> {
    let mut taken: Taken = Taken::new(ground);
    let mut objects = Vec::new();
    for look in &style.points {
        let Some(set) = catalogue.point_set(look.set) else { continue };
        let symbol = symbol(look.symbol)?;
        let reach = (SYMBOLS[symbol].reach() + APART_MM / 2.0) * ground.enlarged;
        for feature in &set.features {
            let Some(at) = place(feature, ground) else { continue };
            if !look.when.iter().all(|w| fits(feature, w.as_ref())) {
                continue;
            }
            let around = (at.0 - reach, at.1 - reach, at.0 + reach, at.1 + reach);
            if taken.is_free(around) {
                taken.take(around);
                let direction = look.direction.and_then(|d| feature.property(d)).and_then(|v| v.as_f64());
                let turn = direction.map_or(0.0, |d| (d - 180.0).rem_euclid(360.0));
                objects.push(Object { symbol, shape: Shape::Point(at, turn) });
            }
        }
    }
    Ok(objects)
}

/// Where a point is, if it is on the map.
fn place(feature: &Feature, ground: &Ground) -> Option<P> {
    feature.points.first().map(|&p| ground.at(p)).filter(|&p| inside(p, ground, 0.0))
}

/// Points that are squares on the ground.
pub(super) fn squares(catalogue: &Catalogue, style: &ChartStyle, ground: &Ground) -> Result<Vec<Object>> {
    let mut objects = Vec::new();
    let (w, h) = ground.size();
    for look in &style.squares {
        let Some(set) = catalogue.point_set(look.set) else { continue };
        let symbol = symbol(look.symbol)?;
        let half = (look.side * ground.mm_per_unit).max(LEAST_SQUARE_MM * ground.enlarged) / 2.0;
        for (x, y) in set.features.iter().filter_map(|f| place(f, ground)) {
            let (a, b) = ((x - half).max(0.0), (y - half).max(0.0));
            let (c, d) = ((x + half).min(w), (y + half).min(h));
            let ring = vec![(a, b), (c, b), (c, d), (a, d), (a, b)];
            objects.push(Object { symbol, shape: Shape::Area(vec![ring]) });
        }
    }
    Ok(objects)
}

/// Names beside their points or on them, none over another or over a symbol.
pub(super) fn labels(
    catalogue: &Catalogue,
    style: &ChartStyle,
    ground: &Ground,
    marks: &[Object],
) -> Result<Vec<Object>> {
    let mut taken = Taken::new(ground);
    for mark in marks {
        if let Shape::Point((x, y), _) = mark.shape {
            let r = SYMBOLS[mark.symbol].reach() * ground.enlarged;
            taken.take((x - r, y - r, x + r, y + r));
        }
    }
    let mut objects = Vec::new();
    for look in &style.labels {
        let Some(set) = catalogue.point_set(look.set) else { continue };
        let symbol = symbol(look.symbol)?;
        let Look::Text(face) = &SYMBOLS[symbol].look else { continue };
        let size = face.size * ground.enlarged;
        let gap = 0.55 * ground.enlarged;
        let wanted = set.features.iter().filter(|f| fits(f, look.when.as_ref()));
        let mut placed = 0;
        for feature in wanted {
            let (Some(at), Some(words)) = (place(feature, ground), words(feature, look.property)) else {
                continue;
            };
            let (wide, high) = (text::width(&words, face.face) * size, CAPITALS * size);
            // A name beside a symbol that was left out would name another one.
            let mark = marks.iter().find(|m| matches!(m.shape, Shape::Point(p, _) if p == at));
            if !look.over && mark.is_none() {
                continue;
            }
            let r = mark.map_or(0.0, |m| SYMBOLS[m.symbol].reach() * ground.enlarged) + gap;
            let free = corners(at, (wide, high), r, look.over).into_iter().find(|&(x, y)| {
                let around = (x, y - high, x + wide, y + 0.22 * size);
                inside((around.0, around.1), ground, EDGE_MM)
                    && inside((around.2, around.3), ground, EDGE_MM)
                    && taken.is_free(around)
            });
            if let Some((x, y)) = free {
                taken.take((x - gap, y - high - gap / 2.0, x + wide + gap, y + 0.22 * size + gap / 2.0));
                objects.push(Object { symbol, shape: Shape::Text((x, y), words) });
                placed += 1;
            }
            if placed >= look.most {
                break;
            }
        }
    }
    Ok(objects)
}

/// Distance of names from the edge of the map.
const EDGE_MM: f64 = 1.2;

/// Left ends of the line of a text, the best first.
fn corners((x, y): P, (wide, high): P, r: f64, over: bool) -> Vec<P> {
    let half = high / 2.0;
    if over {
        let at = |dx: f64, dy: f64| (x - wide / 2.0 + dx * wide, y + half + dy * high);
        return vec![at(0.0, 0.0), at(0.0, -1.5), at(0.0, 1.5), at(0.25, 0.0), at(-0.25, 0.0)];
    }
    let d = 0.7 * r;
    vec![
        (x + r, y + half),
        (x + d, y - d),
        (x + d, y + d + high),
        (x - r - wide, y + half),
        (x - d - wide, y - d),
        (x - d - wide, y + d + high),
        (x - wide / 2.0, y - r),
        (x - wide / 2.0, y + r + high),
    ]
}

/// The property as words; numbers are rounded.
fn words(feature: &Feature, property: &str) -> Option<String> {
    let value = feature.property(property)?;
    match value.as_f64() {
        Some(number) => Some(format!("{}", number.round() as i64)),
        None => value.as_str().map(str::to_owned).filter(|t| !t.is_empty()),
    }
}

/// Rectangles that are taken, found by squares of paper.
struct Taken {
    columns: usize,
    squares: Vec<Vec<Rectangle>>,
}

impl Taken {
    /// Side of a square.
    const SIDE: f64 = 8.0;

    fn new(ground: &Ground) -> Self {
        let (w, h) = ground.size();
        let columns = (w / Self::SIDE) as usize + 1;
        Self { columns, squares: vec![Vec::new(); columns * ((h / Self::SIDE) as usize + 1)] }
    }

    fn around(&self, r: Rectangle) -> Vec<usize> {
        let rows = self.squares.len() / self.columns;
        let index = |v: f64, n: usize| ((v / Self::SIDE).max(0.0) as usize).min(n - 1);
        let (x0, x1) = (index(r.0, self.columns), index(r.2, self.columns));
        let (y0, y1) = (index(r.1, rows), index(r.3, rows));
        (y0..=y1).flat_map(|y| (x0..=x1).map(move |x| (x, y))).map(|(x, y)| y * self.columns + x).collect()
    }

    fn is_free(&self, r: Rectangle) -> bool {
        let apart = |o: &Rectangle| o.0 >= r.2 || o.2 <= r.0 || o.1 >= r.3 || o.3 <= r.1;
        self.around(r).into_iter().all(|i| self.squares[i].iter().all(apart))
    }

    fn take(&mut self, r: Rectangle) {
        for i in self.around(r) {
            self.squares[i].push(r);
        }
    }
}
