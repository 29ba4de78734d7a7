//! Charts with logarithmic axes.

use super::canvas::{Canvas, Pen, Point};
use super::image::Rgb;
use super::sheet::{FAINT, INK};
use super::text::{self, Align, Type};
use weald_core::math;

/// Colour of the lines behind the data.
const RULE: Rgb = [226, 220, 205];

/// A rectangle of a canvas with two logarithmic axes.
#[derive(Clone, Copy, Debug)]
pub struct LogChart {
    corner: Point,
    size: Point,
    x: (f64, f64),
    y: (f64, f64),
}

impl LogChart {
    /// A chart with its upper left corner at `corner`, whose axes cover at least the points, all of which must be positive. An axis
    /// spans at least a decade. Without points both axes run from 1 to 10.
    pub fn around(corner: Point, size: Point, points: &[(f64, f64)]) -> Self {
        let span = |of: fn(&(f64, f64)) -> f64| {
            let (low, high) = points
                .iter()
                .map(|p| math::ln(of(p)))
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            if low > high {
                return (0.0, std::f64::consts::LN_10);
            }
            let (middle, half) = ((low + high) / 2.0, (high - low) * 0.54);
            let half = half.max(std::f64::consts::LN_10 / 2.0);
            (middle - half, middle + half)
        };
        Self { corner, size, x: span(|p| p.0), y: span(|p| p.1) }
    }

    /// Where a point lies on the canvas.
    pub fn at(&self, (x, y): (f64, f64)) -> Point {
        let along = |v: f64, (from, to): (f64, f64)| ((math::ln(v) - from) / (to - from)) as f32;
        (
            self.corner.0 + self.size.0 * along(x, self.x),
            self.corner.1 + self.size.1 * (1.0 - along(y, self.y)),
        )
    }

    /// Draws frame, grid and labels, with the names of the axes.
    pub fn axes(&self, canvas: &mut Canvas, x_name: &str, y_name: &str) {
        let ((left, top), (width, height)) = (self.corner, self.size);
        let (small, faint) = (Type::new(12.0, INK), Type::new(12.0, FAINT));
        let rule = Pen::new(RULE, 1.0);
        for (value, label) in ticks(self.x) {
            let (x, _) = self.at((value, 1.0));
            canvas.line(&[(x, top), (x, top + height)], &rule);
            text::draw(canvas, &label, (x, top + height + 16.0), &small.align(Align::Centre));
        }
        for (value, label) in ticks(self.y) {
            let (_, y) = self.at((1.0, value));
            canvas.line(&[(left, y), (left + width, y)], &rule);
            text::draw(canvas, &label, (left - 6.0, y + 4.0), &small.align(Align::Right));
        }
        canvas.frame(self.corner, self.size, &Pen::new(FAINT, 1.0));
        let below = (left + width / 2.0, top + height + 34.0);
        text::draw(canvas, x_name, below, &faint.align(Align::Centre));
        text::draw_turned(canvas, y_name, (left - 48.0, top + height / 2.0), (0.0, -1.0), &faint);
    }

    /// Draws the law y = e^`intercept` · x^`slope` between two values of x.
    pub fn law(&self, canvas: &mut Canvas, (intercept, slope): (f64, f64), x: (f64, f64), pen: &Pen) {
        let end = |x: f64| self.at((x, math::exp(intercept + slope * math::ln(x))));
        canvas.line(&[end(x.0), end(x.1)], pen);
    }
}

/// The values to label on an axis between the logarithms `from` and `to`: powers of ten, also 2 and 5 times them if there are few,
/// or only every second one if there are many.
fn ticks((from, to): (f64, f64)) -> Vec<(f64, String)> {
    let decade = |v: f64| v / std::f64::consts::LN_10;
    let (first, last) = (decade(from).floor() as i32, decade(to).ceil() as i32);
    let decades = decade(to - from);
    let factors: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let every = if decades > 6.0 { 2 } else { 1 };
    let mut out = Vec::new();
    for power in (first..=last).filter(|p| p % every == 0) {
        for &factor in factors {
            let value = factor * math::pow(10.0, f64::from(power));
            if (from..=to).contains(&math::ln(value)) {
                out.push((value, label(factor, power)));
            }
        }
    }
    out
}

/// factor · 10^power, as a plain number where that is short.
fn label(factor: f64, power: i32) -> String {
    if (-3..=4).contains(&power) {
        return text::number(factor * math::pow(10.0, f64::from(power)), 3);
    }
    format!("{factor}e{}", text::number(f64::from(power), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_inside_and_larger_values_right_and_up() {
        let points = [(50.0, 0.3), (20_000.0, 0.002), (900.0, 0.01)];
        let chart = LogChart::around((10.0, 20.0), (200.0, 100.0), &points);
        for p in points {
            let (x, y) = chart.at(p);
            assert!((10.0..210.0).contains(&x) && (20.0..120.0).contains(&y), "{p:?} at {x}, {y}");
        }
        let ((x0, y0), (x1, y1)) = (chart.at(points[0]), chart.at(points[1]));
        assert!(x1 > x0 && y1 > y0, "y grows downwards");
    }

    #[test]
    fn labels_are_powers_of_ten_and_more_on_short_axes() {
        let axis =
            |a: f64, b: f64| ticks((math::ln(a), math::ln(b))).into_iter().map(|t| t.1).collect::<Vec<_>>();
        assert_eq!(axis(0.9, 60.0), ["1", "2", "5", "10", "20", "50"]);
        assert_eq!(axis(0.009, 200_000.0), ["0.01", "1", "100", "10000"]);
        assert_eq!(axis(1e5, 3e8), ["1e5", "1e6", "1e7", "1e8"]);
        assert_eq!(label(2.0, -12), "2e\u{2212}12");
    }
}
