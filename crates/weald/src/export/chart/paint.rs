//! The order in which objects are drawn: ink by ink from the lowest to the uppermost, then names, then the course.

use super::symbols::{Fill, INKS, Ink, Look, SYMBOLS, Stroke, Symbol, Type};
use super::{Chart, Object, P, Shape};

/// A format in which objects are drawn. All sizes are those on paper.
pub(super) trait Canvas {
    /// Begins the objects of a symbol that are painted alike.
    fn begin(&mut self, symbol: &'static Symbol, paint: &Paint);
    /// Ends them.
    fn end(&mut self);
    /// An area.
    fn area(&mut self, rings: &[Vec<P>], paint: &Paint);
    /// A line.
    fn line(&mut self, points: &[P]);
    /// A point symbol, turned clockwise by degrees.
    fn point(&mut self, symbol: &'static Symbol, at: P, turn: f64, enlarged: f64);
    /// A text.
    fn text(&mut self, at: P, words: &str);
}

/// What is painted with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Paint {
    /// A filled or patterned area.
    Area(Fill),
    /// A line of an ink and a width, with dashes and gaps, with flat ends or not.
    Line(Ink, f64, Option<(f64, f64)>, bool),
    /// Point symbols.
    Points(Ink),
    /// Texts.
    Text(Type),
}

impl Paint {
    pub(super) fn ink(&self) -> Ink {
        match self {
            Paint::Area(fill) => fill.ink(),
            Paint::Line(ink, ..) | Paint::Points(ink) => *ink,
            Paint::Text(text) => text.ink,
        }
    }
}

/// The paints of a symbol, enlarged.
fn paints(symbol: &Symbol, k: f64) -> Vec<Paint> {
    match &symbol.look {
        Look::Area(fills) => fills.iter().map(|fill| Paint::Area(enlarged_fill(*fill, k))).collect(),
        Look::Line(Stroke { ink, width, dash, border, flat }) => {
            let mut all: Vec<Paint> = Vec::new();
            if let Some((edge, wide)) = border {
                all.push(Paint::Line(*edge, (width + 2.0 * wide) * k, None, *flat));
            }
            all.push(Paint::Line(*ink, width * k, dash.map(|(on, off)| (on * k, off * k)), *flat));
            all
        }
        Look::Point(parts) => parts.first().map(|p| Paint::Points(p.ink())).into_iter().collect(),
        Look::Text(text) => vec![Paint::Text(Type { size: text.size * k, ..*text })],
    }
}

fn enlarged_fill(fill: Fill, k: f64) -> Fill {
    match fill {
        Fill::Plain(ink) => Fill::Plain(ink),
        Fill::Lines(ink, width, apart) => Fill::Lines(ink, width * k, apart * k),
        Fill::Dashes(ink, width, apart, (on, off)) => {
            Fill::Dashes(ink, width * k, apart * k, (on * k, off * k))
        }
        Fill::Dots(ink, radius, apart) => Fill::Dots(ink, radius * k, apart * k),
    }
}

/// Whether something is printed over the map.
pub(super) fn is_overprint(symbol: &Symbol) -> bool {
    symbol.code.starts_with('7')
}

/// Draws objects that are in the order of their symbols; only those of the course, or only the others.
pub(super) fn draw(objects: &[Object], enlarged: f64, overprint: bool, canvas: &mut dyn Canvas) {
    let runs: Vec<&[Object]> = objects
        .chunk_by(|a, b| a.symbol == b.symbol)
        .filter(|run| is_overprint(&SYMBOLS[run[0].symbol]) == overprint)
        .collect();
    let with = |wanted: &dyn Fn(&Paint) -> bool, canvas: &mut dyn Canvas| {
        for run in &runs {
            let symbol = &SYMBOLS[run[0].symbol];
            for paint in paints(symbol, enlarged).iter().filter(|p| wanted(p)) {
                canvas.begin(symbol, paint);
                run.iter().for_each(|object| shape(object, symbol, paint, enlarged, canvas));
                canvas.end();
            }
        }
    };
    for (ink, ..) in INKS.iter().rev() {
        with(&|p| p.ink() == *ink && !matches!(p, Paint::Text(_)), canvas);
    }
    with(&|p| matches!(p, Paint::Text(_)), canvas);
}

fn shape(object: &Object, symbol: &'static Symbol, paint: &Paint, enlarged: f64, canvas: &mut dyn Canvas) {
    match &object.shape {
        Shape::Area(rings) => canvas.area(rings, paint),
        Shape::Line(points) => canvas.line(points),
        Shape::Point(at, turn) => canvas.point(symbol, *at, *turn, enlarged),
        Shape::Text(at, words) => canvas.text(*at, words),
    }
}

/// The patterns and the point symbols that a chart needs.
pub(super) fn used_symbols(chart: &Chart) -> Vec<&'static Symbol> {
    let mut used: Vec<usize> = chart.objects.iter().chain(&chart.sheet.samples).map(|o| o.symbol).collect();
    used.sort_unstable();
    used.dedup();
    used.into_iter().map(|i| &SYMBOLS[i]).collect()
}

/// The patterns of a symbol, enlarged, each with its number among the fills.
pub(super) fn patterns(symbol: &Symbol, enlarged: f64) -> Vec<Fill> {
    let all = paints(symbol, enlarged).into_iter();
    all.filter_map(|p| match p {
        Paint::Area(Fill::Plain(_)) => None,
        Paint::Area(fill) => Some(fill),
        _ => None,
    })
    .collect()
}
