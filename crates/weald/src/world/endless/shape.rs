//! Which whole places a wide line covers.

use super::placed::Place;

/// A straight part of a wide line. Its ends are relative to a whole origin, so that distant places lose no precision.
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

/// Whole places under the line within [west, east, south, north], ends included.
pub(super) fn covered(strip: Strip, [west, east, south, north]: [i64; 4]) -> Vec<Place> {
    let ((ox, oy), half) = (strip.origin, strip.half_m);
    let ((ax, ay), (bx, by)) = (strip.from, strip.to);
    let first = (ay.min(by) - half).floor() as i64 + oy;
    let last = (ay.max(by) + half).ceil() as i64 + oy;
    let mut places = Vec::new();
    for y in first.max(south)..=last.min(north) {
        // The part of the line that is no further than half the width from this row.
        let row = (y - oy) as f64;
        let at = |v: f64| ((v - ay) / (by - ay)).clamp(0.0, 1.0);
        let (s, t) = if by == ay { (0.0, 1.0) } else { (at(row - half), at(row + half)) };
        let (p, q) = (ax + (bx - ax) * s, ax + (bx - ax) * t);
        let left = (p.min(q) - half).floor() as i64 - 1 + ox;
        let right = (p.max(q) + half).ceil() as i64 + 1 + ox;
        let row_places = (left.max(west)..=right.min(east)).map(|x| (x, y));
        places.extend(row_places.filter(|&(x, y)| strip.holds((x - ox) as f64, (y - oy) as f64)));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use weald_core::Seed;

    #[test]
    fn rows_find_every_place_below_a_strip() {
        for k in 0..200 {
            let unit = |what| Seed(8).unit_at(k, what) * 40.0 - 20.0;
            let mut strip =
                Strip { origin: (3, -5), from: (unit(0), unit(1)), to: (unit(2), unit(3)), half_m: 2.5 };
            if k % 5 == 0 {
                strip.to.1 = strip.from.1;
            }
            let bounds = [-25, 24, -20, 30];
            let every = (-20..=30).flat_map(|y| (-25..=24).map(move |x| (x, y)));
            let slow: Vec<Place> =
                every.filter(|&(x, y)| strip.holds((x - 3) as f64, (y + 5) as f64)).collect();
            assert_eq!(covered(strip, bounds), slow, "{strip:?}");
        }
    }
}
