//! Names on a map, set so that none overlaps another or a symbol.

use super::canvas::{Canvas, Point};
use super::ground::{PAPER, PixelScale};
use super::map::sheet_scale;
use super::points::{self, Box2, HALF, overlap};
use super::text::{self, Type};
use crate::catalogue::{Catalogue, Feature};
use crate::style::map::{Crowded, LabelGround, LabelPlace, LabelStyle, MapStyle};

/// Height of capitals as a share of the size of the type.
const TALL: f32 = 0.72;

/// Room around a name, in pixels on a sheet of usual size.
const ROOM: f32 = 1.0;

/// A name in its place.
pub(super) struct Label {
    text: String,
    /// The middle of the text.
    middle: Point,
    /// The direction in which it runs, of length 1.
    turn: Point,
    look: Type,
}

/// The names that have room on the map.
///
/// Sets come in the order of the style, and features in that of their set. A name beside a symbol stands to the right, the left,
/// above, below or at a corner of it; one over a point may shift a little; one along a line lies where the line is straightest. A name
/// for which no place is within the map, on its ground and free of symbols and names is left out, unless it may cover symbols.
pub(super) fn placed(
    catalogue: &Catalogue,
    style: &MapStyle,
    signs: &[points::Placed],
    view: &PixelScale,
) -> Vec<Label> {
    let u = sheet_scale(view);
    let symbols = points::taken(signs, u);
    let mut names: Vec<Box2> = Vec::new();
    let mut out = Vec::new();
    for style in &style.labels {
        let look =
            Type { weight: style.weight, ..Type::new(style.size * u, style.colour).spaced(style.spacing) };
        let sets = [catalogue.point_set(style.set), catalogue.line_set(style.set)];
        for feature in sets.into_iter().flatten().flat_map(|s| &s.features) {
            let Some(text) = feature.property(style.property).and_then(|v| v.as_str()) else { continue };
            if style.only.is_some_and(|only| !only.has(feature)) {
                continue;
            }
            let long = text::width(text, &look);
            let (above, below) = text::reach(text, &look);
            let all = places(catalogue, feature, style, (long, u), view);
            let find = |symbols: &[Box2]| {
                all.iter().find_map(|&(middle, turn)| {
                    let boxes = boxes(middle, turn, long, (above + ROOM * u, below + ROOM * u));
                    let free = |b: &Box2| {
                        within(b, view)
                            && !symbols.iter().chain(&names).any(|t| overlap(t, b))
                            && style.ground.is_none_or(|ground| stands_on(b, ground, catalogue, view))
                    };
                    boxes.iter().all(free).then_some((middle, turn, boxes))
                })
            };
            let place = find(&symbols)
                .or_else(|| if style.crowded == Crowded::CoverSymbols { find(&[]) } else { None });
            if let Some((middle, turn, boxes)) = place {
                names.extend(boxes);
                out.push(Label { text: text.to_owned(), middle, turn, look });
            }
        }
    }
    out
}

/// Places where a name of this length may stand, the best first: its middle and its direction.
fn places(
    catalogue: &Catalogue,
    feature: &Feature,
    style: &LabelStyle,
    (long, u): (f32, f32),
    view: &PixelScale,
) -> Vec<(Point, Point)> {
    let (frame, s) = (&catalogue.frame, view.pixels_per_cell());
    let pixel = |&(x, y): &(f64, f64)| {
        let cells = ((x - frame.origin.0) / frame.cell_m, (y - frame.origin.1) / frame.cell_m);
        (cells.0 as f32 * s, cells.1 as f32 * s)
    };
    let level = (1.0, 0.0);
    let size = style.size * u;
    match style.place {
        LabelPlace::Along => along(&feature.points.iter().map(pixel).collect::<Vec<_>>(), long, size),
        LabelPlace::Beside => {
            let Some((x, y)) = feature.points.first().map(pixel) else { return Vec::new() };
            let (aside, up) = (HALF * u + 2.5 * u + long / 2.0, HALF * u + 1.5 * u + TALL * size / 2.0);
            let shifts = [
                (1.0, 0.0),
                (-1.0, 0.0),
                (0.0, -1.0),
                (0.0, 1.0),
                (0.8, -0.8),
                (0.8, 0.8),
                (-0.8, -0.8),
                (-0.8, 0.8),
            ];
            shifts.iter().map(|(dx, dy)| ((x + dx * aside, y + dy * up), level)).collect()
        }
        LabelPlace::Over => {
            let Some((x, y)) = feature.points.first().map(pixel) else { return Vec::new() };
            let shifts = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0];
            let all =
                shifts.iter().flat_map(|dy| shifts.map(|dx| (x + 2.0 * dx * size, y + 1.2 * dy * size)));
            all.map(|at| (at, level)).collect()
        }
    }
}

/// Places along a line, the straightest stretch first. The name stands above the line.
fn along(line: &[Point], long: f32, size: f32) -> Vec<(Point, Point)> {
    let mut way = vec![0.0f32];
    for pair in line.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        way.push(way[way.len() - 1] + (dx * dx + dy * dy).sqrt());
    }
    let total = way[way.len() - 1];
    let wanted = 1.05 * long;
    if total < 1.3 * wanted {
        return Vec::new();
    }
    let at = |far: f32| {
        let k = way.partition_point(|&w| w < far).clamp(1, way.len() - 1);
        let t = (far - way[k - 1]) / (way[k] - way[k - 1]).max(1e-6);
        let (a, b) = (line[k - 1], line[k]);
        (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1))
    };
    let mut stretches: Vec<(f32, Point, Point)> = Vec::new();
    let steps = (((total - wanted) / (0.25 * wanted)) as usize).min(60);
    for k in 0..=steps {
        let from = (total - wanted) * k as f32 / steps.max(1) as f32;
        let (a, b) = (at(from), at(from + wanted));
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let chord = (dx * dx + dy * dy).sqrt();
        if chord < 0.8 * wanted {
            continue;
        }
        // From left to right.
        let sign = if dx < 0.0 { -1.0 } else { 1.0 };
        let turn = (sign * dx / chord, sign * dy / chord);
        let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        let side = |p: Point| (p.0 - middle.0) * turn.1 - (p.1 - middle.1) * turn.0;
        let sides = (0..=8).map(|i| side(at(from + wanted * i as f32 / 8.0)));
        // `f32::max` of 0 and −0 depends on the platform; these comparisons never give −0.
        let (lowest, highest) = sides.fold((0.0f32, 0.0f32), |(low, high), s| {
            (if s < low { s } else { low }, if s > high { s } else { high })
        });
        // Clear of the farthest bend on the upper side.
        let up = highest + 0.65 * size;
        stretches.push((highest - lowest, (middle.0 + turn.1 * up, middle.1 - turn.0 * up), turn));
    }
    stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
    stretches.into_iter().map(|(_, middle, turn)| (middle, turn)).collect()
}

/// The room that a text takes whose letters reach `above` and `below` the line through its middle: one box for a level one, several small
/// ones along a turned one.
fn boxes((x, y): Point, (c, s): Point, long: f32, (above, below): (f32, f32)) -> Vec<Box2> {
    if s == 0.0 {
        return vec![((x - long / 2.0, y - above), (x + long / 2.0, y + below))];
    }
    let (tall, shift) = (above + below, (below - above) / 2.0);
    let (x, y) = (x - s * shift, y + c * shift);
    let count = (2.0 * long / tall).ceil().max(1.0) as usize;
    let half = tall / 2.0 + long / count as f32 / 2.0;
    let at = |k: usize| (k as f32 + 0.5) / count as f32 * long - long / 2.0;
    (0..count)
        .map(|k| (x + c * at(k), y + s * at(k)))
        .map(|(x, y)| ((x - half, y - half), (x + half, y + half)))
        .collect()
}

/// Whether all cells under a box are of a class. Without the layer any ground will do.
fn stands_on(b: &Box2, ground: LabelGround, catalogue: &Catalogue, view: &PixelScale) -> bool {
    let Some(layer) = catalogue.layer(ground.layer) else { return true };
    let (cells, s) = (layer.cells(), view.pixels_per_cell());
    let (w, h) = cells.shape();
    let range = |from: f32, to: f32, n: usize| (from / s).max(0.0) as usize..=((to / s) as usize).min(n - 1);
    range(b.0.1, b.1.1, h).all(|y| range(b.0.0, b.1.0, w).all(|x| cells.at(x, y) as u32 == ground.value))
}

/// Whether a box lies within the map.
fn within(b: &Box2, view: &PixelScale) -> bool {
    let (w, h) = view.pixels();
    b.0.0 >= 3.0 && b.0.1 >= 3.0 && b.1.0 <= w as f32 - 3.0 && b.1.1 <= h as f32 - 3.0
}

/// Writes the names on a rim of paper.
pub(super) fn draw(canvas: &mut Canvas, labels: &[Label]) {
    for label in labels {
        let rim = Type { weight: label.look.weight + 0.24, colour: PAPER, ..label.look };
        text::draw_turned(canvas, &label.text, label.middle, label.turn, &rim);
    }
    for label in labels {
        text::draw_turned(canvas, &label.text, label.middle, label.turn, &label.look);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FeatureSet, Layer, LayerSpec};
    use crate::style::map::{Mark, PointStyle};
    use proptest::prelude::*;
    use serde_json::json;
    use weald_core::{Frame, Grid};

    fn style(set: &'static str, place: LabelPlace) -> LabelStyle {
        LabelStyle {
            set,
            only: None,
            property: "name",
            size: 14.0,
            colour: [0; 3],
            weight: 0.02,
            spacing: 0.0,
            place,
            ground: None,
            crowded: Crowded::LeaveOut,
        }
    }

    fn labels(points: &[(f64, f64)], line: &[(f64, f64)]) -> Vec<Label> {
        let named = |id: usize, points: Vec<(f64, f64)>| {
            Feature::new(id as u32, points, [("name", json!(format!("Ådjby {id}")))])
        };
        let features = points.iter().enumerate().map(|(k, &p)| named(k, vec![p])).collect();
        let catalogue = Catalogue {
            lines: vec![FeatureSet::new("rivers", "", vec![named(99, line.to_vec())])],
            points: vec![FeatureSet::new("towns", "", features)],
            ..Catalogue::new("land", "m", Frame::new(400, 300, 10.0))
        };
        let style = MapStyle {
            labels: vec![
                style("towns", LabelPlace::Beside),
                style("towns", LabelPlace::Over),
                style("rivers", LabelPlace::Along),
            ],
            ..MapStyle::default()
        };
        placed(&catalogue, &style, &[], &PixelScale::of(400, 300))
    }

    #[test]
    fn a_name_stands_to_the_right_or_where_there_is_room() {
        let labels = labels(&[(2000.0, 1500.0), (3950.0, 1500.0)], &[]);
        assert!(labels[0].middle.0 > 600.0);
        assert!(labels[1].middle.0 < 1185.0);
    }

    #[test]
    fn a_name_along_a_line_runs_with_it_from_left_to_right() {
        let labels = labels(&[], &[(3500.0, 2500.0), (500.0, 1000.0)]);
        let (c, s) = labels[0].turn;
        assert!((c - 0.894).abs() < 0.01 && (s - 0.447).abs() < 0.01, "{c} {s}");
    }

    #[test]
    fn a_name_along_a_line_lies_where_the_line_is_straightest() {
        // Bends downwards at first, which leaves the upper side free, and runs straight afterwards.
        let bend =
            (0..=20).map(|k| k as f64 / 20.0).map(|t| (400.0 + 900.0 * t, 2000.0 - 1600.0 * t * (1.0 - t)));
        let line: Vec<(f64, f64)> = bend.chain([(3600.0, 2000.0)]).collect();
        let label = &labels(&[], &line)[0];
        let long = text::width(&label.text, &label.look);
        assert!(label.middle.0 - long / 2.0 > 1250.0 * 0.3, "{:?}", label.middle);
        assert_eq!(label.turn.1, 0.0);
    }

    #[test]
    fn a_name_keeps_to_its_ground() {
        let lake = |x: usize, y: usize| ((100..200).contains(&x) && (100..200).contains(&y)) as u8;
        let spec = LayerSpec::measure("water", "uint8", "", "Water or not");
        let named = Feature::new(0, vec![(1020.0, 1500.0)], [("name", json!("Lake of Names"))]);
        let catalogue = Catalogue {
            layers: vec![Layer::new(spec, Grid::from_fn(400, 300, lake))],
            points: vec![FeatureSet::new("lakes", "", vec![named])],
            ..Catalogue::new("land", "m", Frame::new(400, 300, 10.0))
        };
        let view = PixelScale::of(400, 300);
        let with = |ground: Option<LabelGround>| {
            let style = LabelStyle { ground, ..style("lakes", LabelPlace::Over) };
            placed(&catalogue, &MapStyle { labels: vec![style], ..MapStyle::default() }, &[], &view)
        };
        let s = view.pixels_per_cell();
        assert_eq!(with(None)[0].middle.0, 102.0 * s);
        let on_lake = &with(Some(LabelGround { layer: "water", value: 1 }))[0];
        assert!(on_lake.middle.0 - text::width(&on_lake.text, &on_lake.look) / 2.0 >= 100.0 * s);
        // On land there is no room over the lake.
        let far = Feature::new(0, vec![(1500.0, 1500.0)], [("name", json!("Range"))]);
        let inside = Catalogue { points: vec![FeatureSet::new("lakes", "", vec![far])], ..catalogue.clone() };
        let style = LabelStyle {
            ground: Some(LabelGround { layer: "water", value: 0 }),
            ..style("lakes", LabelPlace::Over)
        };
        let style = MapStyle { labels: vec![style], ..MapStyle::default() };
        assert!(placed(&inside, &style, &[], &view).is_empty());
    }

    #[test]
    fn where_symbols_crowd_only_names_that_may_cover_them_are_written() {
        let towns = (0..40).flat_map(|y| (0..40).map(move |x| (x, y)));
        let town = |(x, y): (u32, u32)| {
            let name = [("name", json!(format!("Town {x} {y}")))];
            Feature::new(x + 40 * y, vec![(1000.0 + 15.0 * x as f64, 1000.0 + 15.0 * y as f64)], name)
        };
        let mut features: Vec<Feature> = towns.map(town).collect();
        // The one in the middle comes first.
        features.swap(0, 20 * 40 + 20);
        let capital = FeatureSet::new("capital", "", vec![features[0].clone()]);
        let catalogue = Catalogue {
            points: vec![FeatureSet::new("towns", "", features), capital],
            ..Catalogue::new("land", "m", Frame::new(400, 300, 10.0))
        };
        let view = PixelScale::of(400, 300);
        let marks = [PointStyle {
            set: "towns",
            only: None,
            label: "Town",
            mark: Mark::Town,
            colour: [0; 3],
            caption: None,
        }];
        let signs = points::placed(&catalogue, &marks, &view);
        let written = |crowded: Crowded| {
            let style = LabelStyle { crowded, ..style("capital", LabelPlace::Beside) };
            placed(&catalogue, &MapStyle { labels: vec![style], ..MapStyle::default() }, &signs, &view).len()
        };
        assert_eq!([written(Crowded::LeaveOut), written(Crowded::CoverSymbols)], [0, 1]);
    }

    proptest! {
        #[test]
        fn no_name_touches_another_or_leaves_the_map(
            points in prop::collection::vec((0.0..4000.0, 0.0..3000.0), 0..50),
            line in prop::collection::vec((0.0..4000.0, 0.0..3000.0), 2..5),
        ) {
            let view = PixelScale::of(400, 300);
            let labels = labels(&points, &line);
            let all: Vec<Vec<Box2>> = labels
                .iter()
                .map(|l| {
                    let reach = text::reach(&l.text, &l.look);
                    boxes(l.middle, l.turn, text::width(&l.text, &l.look), reach)
                })
                .collect();
            for (k, a) in all.iter().enumerate() {
                prop_assert!(a.iter().all(|b| within(b, &view)));
                for b in &all[k + 1..] {
                    prop_assert!(!a.iter().any(|a| b.iter().any(|b| overlap(a, b))));
                }
            }
        }
    }
}
