//! Which whole places lie below a broad line.

use super::placed::Place;

/// A straight part of a broad line. Ends are given from a whole origin, so that places far out lose nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub(super) origin: Place,
    pub(super) from: (f64, f64),
    pub(super) to: (f64, f64),
    /// Half its width.
    pub(super) half_m: f64,
}

impl Strip {
    /// Whether (x, y), from the origin, is within half the width of the line.
    pub(super) fn holds(&self, x: f64, y: f64) -> bool {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let (px, py) = (x - self.from.0, y - self.from.1);
        let length2 = dx * dx + dy * dy;
        let along = if length2 > 0.0 { ((px * dx + py * dy) / length2).clamp(0.0, 1.0) } else { 0.0 };
        let (ex, ey) = (px - along * dx, py - along * dy);
        ex * ex + ey * ey <= self.half_m * self.half_m
    }
}

/// Whole places below the strip within [west, east, south, north], ends included.
pub(super) fn covered(strip: Strip, [west, east, south, north]: [i64; 4]) -> Vec<Place> {
    let (ox, oy) = strip.origin;
    let range = |a: f64, b: f64, origin: i64, low: i64, high: i64| {
        let first = (a.min(b) - strip.half_m).floor() as i64 + origin;
        let last = (a.max(b) + strip.half_m).ceil() as i64 + origin;
        first.max(low)..=last.min(high)
    };
    let xs = range(strip.from.0, strip.to.0, ox, west, east);
    let ys = range(strip.from.1, strip.to.1, oy, south, north);
    ys.flat_map(|y| xs.clone().map(move |x| (x, y)))
        .filter(|&(x, y)| strip.holds((x - ox) as f64, (y - oy) as f64))
        .collect()
}
