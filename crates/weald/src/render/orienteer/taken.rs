//! Where lines and symbols lie, so that numbers do not cover them.

use super::super::canvas::Point;
use super::{Drawing, symbols, ways};
use crate::catalogue::{Catalogue, Feature};
use crate::style::orienteer::OrienteerStyle;
use weald_core::Grid;

/// Squares of pixels that hold a line or a symbol, or touch one that does.
pub(super) struct Taken {
    squares: Grid<bool>,
    side: f32,
}

impl Taken {
    /// What the style draws on the ground and its contours.
    pub(super) fn of(catalogue: &Catalogue, style: &OrienteerStyle, pen: &Drawing) -> Self {
        let side = 8.0 * pen.k;
        let (w, h) = pen.view.pixels();
        let across = |n: usize| (n as f32 / side) as usize + 1;
        let mut taken = Self { squares: Grid::filled(across(w), across(h), false), side };
        for way in &style.lines {
            for line in catalogue.line_set(way.set).map_or(vec![], |set| ways::on_map(set, pen, 0.0)) {
                line.windows(2).for_each(|w| taken.take_line(w[0], w[1]));
            }
        }
        for square in &style.squares {
            let half = pen.length(square.side) / 2.0;
            for (x, y) in symbols::places(catalogue, square.set, pen, half, |_| true) {
                taken.take_line((x - half, y - half), (x + half, y + half));
                taken.take_line((x - half, y + half), (x + half, y - half));
            }
        }
        for points in &style.points {
            let drawn = |f: &Feature| points.kinds.iter().any(|kind| symbols::is_of(f, kind));
            for at in symbols::places(catalogue, points.set, pen, 0.0, drawn) {
                taken.take(at);
            }
        }
        taken
    }

    fn square(&self, (x, y): Point) -> (i64, i64) {
        ((x / self.side).floor() as i64, (y / self.side).floor() as i64)
    }

    fn take(&mut self, at: Point) {
        let (x, y) = self.square(at);
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            if self.squares.contains(x + dx, y + dy) {
                self.squares[((x + dx) as usize, (y + dy) as usize)] = true;
            }
        }
    }

    fn take_line(&mut self, a: Point, b: Point) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let steps = ((dx * dx + dy * dy).sqrt() / self.side).ceil().max(1.0);
        for i in 0..=steps as usize {
            let t = i as f32 / steps;
            self.take((a.0 + dx * t, a.1 + dy * t));
        }
    }

    /// Whether nothing lies at a pixel; outside the map nothing is free.
    pub(super) fn free(&self, at: Point) -> bool {
        let (x, y) = self.square(at);
        self.squares.contains(x, y) && !self.squares[(x as usize, y as usize)]
    }
}
