//! Points on a map: small symbols, and numbers beside some of them.

use super::canvas::{Canvas, Pen, Point};
use super::ground::{PAPER, PixelScale};
use super::image::Rgb;
use super::map::sheet_scale;
use super::text::{self, Align, Type};
use crate::catalogue::{Catalogue, Feature};
use crate::style::map::{Mark, PointStyle};
use serde_json::Value;

/// Half the side of a symbol on a sheet of usual size, in pixels.
pub(super) const HALF: f32 = 6.0;
/// Size of peaks without a number beside those with one.
const PLAIN: f32 = 0.75;
/// Size of the text beside symbols.
const TYPE: f32 = 13.0;
/// Height of digits as a share of the size of their text.
const FIGURE: f32 = 0.7;

/// A rectangle on the map, by its corners.
pub(super) type Box2 = (Point, Point);

/// A symbol in its place.
pub(super) struct Placed {
    mark: Mark,
    colour: Rgb,
    at: Point,
    /// What is written beside it, from where.
    caption: Option<(String, Point)>,
}

/// The symbols of all sets that have room on the map, in pixels, and what is written beside them.
///
/// A symbol that would touch an earlier one is left out, and so is a number for which neither the right, the left, the top
/// nor the bottom of its symbol is within the map and free of symbols and numbers. Sets come in the order of the style;
/// in a set the larger numbers come first.
pub(super) fn placed(catalogue: &Catalogue, styles: &[PointStyle], view: &PixelScale) -> Vec<Placed> {
    let (frame, s, u) = (&catalogue.frame, view.pixels_per_cell(), sheet_scale(view));
    let (mut taken, mut out, mut numbers): (Vec<Box2>, Vec<Placed>, Vec<Option<f64>>) =
        (vec![], vec![], vec![]);
    for style in styles {
        let Some(set) = catalogue.point_set(style.set) else { continue };
        let mut points: Vec<(Option<f64>, Point)> = set
            .features
            .iter()
            .filter(|f| style.only.is_none_or(|only| only.has(f)))
            .filter_map(|f| Some((number(f, style), *f.points.first()?)))
            .map(|(n, (x, y))| {
                let cells = ((x - frame.origin.0) / frame.cell_m, (y - frame.origin.1) / frame.cell_m);
                (n, (cells.0 as f32 * s, cells.1 as f32 * s))
            })
            .collect();
        points.sort_by(|a, b| b.0.unwrap_or(0.0).total_cmp(&a.0.unwrap_or(0.0)));
        let most = style.caption.map_or(0, |c| c.most);
        let mut count = 0;
        for (number, at) in points {
            let around = around(at, HALF * u);
            if taken.iter().any(|b| overlap(b, &around)) {
                continue;
            }
            taken.push(around);
            out.push(Placed { mark: style.mark, colour: style.colour, at, caption: None });
            count += 1;
            numbers.push(number.filter(|_| count <= most));
        }
    }
    let (w, h) = view.pixels();
    let look = Type::new(TYPE * u, PAPER);
    for (sign, number) in out.iter_mut().zip(numbers) {
        let Some(number) = number else { continue };
        let words = text::number(number, 0);
        let place = captions(sign.at, text::width(&words, &look), u).into_iter().find(|b| {
            let within = b.0.0 >= 2.0 * u
                && b.0.1 >= 2.0 * u
                && b.1.0 <= w as f32 - 2.0 * u
                && b.1.1 <= h as f32 - 2.0 * u;
            within && !taken.iter().any(|t| overlap(t, b))
        });
        if let Some(place) = place {
            taken.push(place);
            sign.caption = Some((words, (place.0.0, place.1.1)));
        }
    }
    out
}

/// The room that symbols and their numbers take.
pub(super) fn taken(signs: &[Placed], u: f32) -> Vec<Box2> {
    let number = |s: &Placed| {
        let (words, (x, y)) = s.caption.as_ref()?;
        let long = text::width(words, &Type::new(TYPE * u, PAPER));
        Some(((*x, y - FIGURE * TYPE * u), (x + long, *y)))
    };
    let marks = signs.iter().map(|s| around(s.at, HALF * u));
    marks.chain(signs.iter().filter_map(number)).collect()
}

/// The number by which a point is ranked and captioned.
fn number(feature: &Feature, style: &PointStyle) -> Option<f64> {
    let caption = style.caption?;
    feature.properties.iter().find(|(name, _)| *name == caption.property).and_then(|(_, v)| Value::as_f64(v))
}

fn around((x, y): Point, half: f32) -> Box2 {
    ((x - half, y - half), (x + half, y + half))
}

pub(super) fn overlap(a: &Box2, b: &Box2) -> bool {
    a.0.0 < b.1.0 && b.0.0 < a.1.0 && a.0.1 < b.1.1 && b.0.1 < a.1.1
}

/// Where a number of this length may stand beside a symbol, the best place first.
fn captions((x, y): Point, length: f32, u: f32) -> [Box2; 4] {
    let (half, gap, high) = (HALF * u, 2.0 * u, FIGURE * TYPE * u);
    let from = |left: f32, top: f32| ((left, top), (left + length, top + high));
    [
        from(x + half + gap, y - high / 2.0),
        from(x - half - gap - length, y - high / 2.0),
        from(x - length / 2.0, y - half - gap - high),
        from(x - length / 2.0, y + half + gap),
    ]
}

/// Draws the symbols, then what is written beside them.
pub(super) fn draw(canvas: &mut Canvas, signs: &[Placed], u: f32) {
    for sign in signs {
        let size = if sign.mark == Mark::Peak && sign.caption.is_none() { PLAIN * u } else { u };
        draw_mark(canvas, sign.mark, sign.at, sign.colour, size);
    }
    for sign in signs {
        if let Some((words, at)) = &sign.caption {
            let look = Type { weight: 0.02, ..Type::new(TYPE * u, sign.colour).align(Align::Left) };
            text::draw(canvas, words, *at, &Type { weight: 0.26, colour: PAPER, ..look });
            text::draw(canvas, words, *at, &look);
        }
    }
}

/// Draws one symbol with a rim of paper.
pub(super) fn draw_mark(canvas: &mut Canvas, mark: Mark, (x, y): Point, colour: Rgb, u: f32) {
    let at = |(dx, dy): Point| (x + dx * HALF * u, y + dy * HALF * u);
    let rim = Pen { opacity: 0.85, ..Pen::new(PAPER, 3.2 * u) };
    match mark {
        Mark::Peak => {
            let triangle = [(0.0, -0.8), (0.85, 0.65), (-0.85, 0.65), (0.0, -0.8), (0.85, 0.65)].map(at);
            canvas.line(&triangle, &Pen { width: 2.4 * u, ..rim });
            canvas.polygon(&triangle[..3], colour, 1.0);
        }
        Mark::Anchor => {
            let lines: [&[Point]; 4] =
                [&RING, &[(0.0, -0.55), (0.0, 1.0)], &[(-0.5, -0.2), (0.5, -0.2)], &ARMS];
            let lines = lines.map(|l| l.iter().map(|&p| at(p)).collect::<Vec<Point>>());
            lines.iter().for_each(|l| canvas.line(l, &rim));
            lines.iter().for_each(|l| canvas.line(l, &Pen::new(colour, 1.3 * u)));
        }
        Mark::Capital | Mark::City | Mark::Town | Mark::Village | Mark::Hamlet => {
            draw_settlement(canvas, mark, (x, y), colour, u);
        }
    }
}

/// Draws the symbol of a settlement: a disc of paper with a rim, and what tells its rank inside.
fn draw_settlement(canvas: &mut Canvas, mark: Mark, at: Point, colour: Rgb, u: f32) {
    let (rim, inner) = match mark {
        Mark::Capital => (1.15, 0.0),
        Mark::City => (0.85, 0.5),
        Mark::Town => (0.6, 0.0),
        Mark::Village => (0.42, 0.42),
        _ => (0.3, 0.3),
    };
    let half = HALF * u;
    canvas.disc(at, rim * half + 1.2 * u, PAPER, 0.85);
    canvas.disc(at, rim * half, colour, 1.0);
    canvas.disc(at, rim * half - 1.3 * u, PAPER, 1.0);
    if inner > 0.0 {
        canvas.disc(at, inner * half, colour, 1.0);
    }
    if mark == Mark::Capital {
        let star = STAR.map(|(dx, dy)| (at.0 + dx * half, at.1 + dy * half));
        canvas.polygon(&star, colour, 1.0);
    }
}

/// A star of five points, from its top clockwise.
const STAR: [Point; 10] = [
    (0.0, -0.85),
    (0.21, -0.29),
    (0.81, -0.26),
    (0.34, 0.11),
    (0.5, 0.69),
    (0.0, 0.36),
    (-0.5, 0.69),
    (-0.34, 0.11),
    (-0.81, -0.26),
    (-0.21, -0.29),
];

/// The ring of an anchor.
const RING: [Point; 9] = [
    (0.0, -0.55),
    (-0.16, -0.61),
    (-0.22, -0.77),
    (-0.16, -0.93),
    (0.0, -1.0),
    (0.16, -0.93),
    (0.22, -0.77),
    (0.16, -0.61),
    (0.0, -0.55),
];
/// Its arms.
const ARMS: [Point; 9] = [
    (-0.9, 0.25),
    (-0.85, 0.5),
    (-0.65, 0.77),
    (-0.36, 0.94),
    (0.0, 1.0),
    (0.36, 0.94),
    (0.65, 0.77),
    (0.85, 0.5),
    (0.9, 0.25),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::FeatureSet;
    use crate::style::map::Caption;
    use proptest::prelude::*;
    use weald_core::Frame;

    const STYLES: [PointStyle; 2] = [
        PointStyle {
            set: "ports",
            only: None,
            label: "Port",
            mark: Mark::Anchor,
            colour: [0; 3],
            caption: None,
        },
        PointStyle {
            set: "peaks",
            only: None,
            label: "Peak",
            mark: Mark::Peak,
            colour: [0; 3],
            caption: Some(Caption { property: "height_m", most: 5 }),
        },
    ];

    fn signs(ports: &[(f64, f64)], peaks: &[(f64, f64, f64)]) -> Vec<Placed> {
        let feature = |(id, (x, y)): (usize, (f64, f64)), properties: Vec<(&'static str, Value)>| {
            Feature::new(id as u32, vec![(x, y)], properties)
        };
        let set = |name, features| FeatureSet::new(name, "", features);
        let ports = ports.iter().copied().enumerate().map(|p| feature(p, vec![])).collect();
        let peaks = peaks
            .iter()
            .enumerate()
            .map(|(i, &(x, y, z))| feature((i, (x, y)), vec![("height_m", z.into())]))
            .collect();
        let catalogue = Catalogue {
            layers: vec![],
            lines: vec![],
            points: vec![set("ports", ports), set("peaks", peaks)],
            ..Catalogue::new("land", "m", Frame::new(400, 300, 10.0))
        };
        placed(&catalogue, &STYLES, &PixelScale::of(400, 300))
    }

    fn written(signs: &[Placed]) -> Vec<&str> {
        signs.iter().filter_map(|s| s.caption.as_ref()).map(|c| c.0.as_str()).collect()
    }

    #[test]
    fn the_highest_peaks_are_captioned_and_no_more_than_asked_for() {
        let peaks: Vec<(f64, f64, f64)> =
            (0..8).map(|k| (300.0 + 400.0 * k as f64, 1500.0, 100.4 + k as f64)).collect();
        let signs = signs(&[], &peaks);
        assert_eq!(signs.len(), 8);
        assert_eq!(written(&signs), ["107", "106", "105", "104", "103"]);
    }

    #[test]
    fn a_sign_on_another_is_left_out_and_the_first_set_comes_first() {
        let signs = signs(&[(1000.0, 1000.0)], &[(1010.0, 1000.0, 90.0), (3000.0, 1000.0, 80.0)]);
        let marks: Vec<Mark> = signs.iter().map(|s| s.mark).collect();
        assert_eq!(marks, [Mark::Anchor, Mark::Peak]);
        assert_eq!(written(&signs), ["80"]);
    }

    #[test]
    fn a_number_at_the_eastern_edge_stands_to_the_left() {
        let signs = signs(&[], &[(3970.0, 1500.0, 200.0)]);
        let (_, at) = signs[0].caption.as_ref().unwrap();
        assert!(at.0 < signs[0].at.0);
    }

    proptest! {
        #[test]
        fn numbers_never_touch_each_other_nor_leave_the_map(
            peaks in prop::collection::vec((0.0..4000.0, 0.0..3000.0, 1.0..3000.0), 0..40),
        ) {
            let signs = signs(&[], &peaks);
            let u = sheet_scale(&PixelScale::of(400, 300));
            let look = Type::new(TYPE * u, PAPER);
            let boxes: Vec<Box2> = signs
                .iter()
                .filter_map(|s| s.caption.as_ref())
                .map(|(words, (x, y))| ((*x, y - FIGURE * TYPE * u), (x + text::width(words, &look), *y)))
                .collect();
            for (k, a) in boxes.iter().enumerate() {
                prop_assert!(a.0.0 > 0.0 && a.0.1 > 0.0 && a.1.0 < 1200.0 && a.1.1 < 900.0, "{a:?}");
                for b in &boxes[k + 1..] {
                    prop_assert!(a.1.0 <= b.0.0 + 1e-2 || b.1.0 <= a.0.0 + 1e-2 || a.1.1 <= b.0.1 + 1e-2 || b.1.1 <= a.0.1 + 1e-2);
                }
            }
        }
    }
}
