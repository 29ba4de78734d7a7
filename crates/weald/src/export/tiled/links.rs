//! Tiles of rivers, railroads and roads, one for each set of directions, and of what is drawn where they cross.
//!
//! A line runs from the middle of the tile to the middle of a side or to a corner; with exactly two links it is a curve from end to end. Where
//! a diagonal link passes a corner, its width also covers a little of the two tiles beside it: those have tiles of their own, by corner.

use super::paint::{Dice, Pixel, SIDE, Tile, mix, places, shade, solid};
use crate::catalogue::Rgb;
use crate::style::tiles::{Deck, Line};

const MIDDLE: f32 = SIDE as f32 / 2.0;

/// Steps to the neighbours, from east clockwise.
const STEPS: [(f32, f32); 8] =
    [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (-1.0, 0.0), (-1.0, -1.0), (0.0, -1.0), (1.0, -1.0)];

/// Half the widths in pixels: of the line, and with its casing.
fn widths(line: Line) -> (f32, f32) {
    match line {
        Line::River => (2.1, 3.1),
        Line::Rail => (3.1, 3.1),
        Line::Road => (1.6, 2.7),
    }
}

/// A polygon line with the distance from its first point along it.
struct Path {
    points: Vec<(f32, f32, f32)>,
    /// The distances between which it lies inside the tile.
    inside: (f32, f32),
    /// Whether its far end is inside the tile, so that it is measured from its near end only.
    ends: bool,
}

/// Where a pixel lies beside a path.
#[derive(Clone, Copy)]
struct Beside {
    /// Distance from the path.
    off: f32,
    /// Distance along it from where it enters the tile.
    along: f32,
    /// Its length in the tile.
    length: f32,
}

fn distance((ax, ay): (f32, f32), (bx, by): (f32, f32)) -> f32 {
    ((ax - bx) * (ax - bx) + (ay - by) * (ay - by)).sqrt()
}

impl Path {
    /// A path through points that begins outside the tile and enters it at `points[1]`; if `ends`, it ends inside, else its last point is outside.
    fn new(points: &[(f32, f32)], ends: bool) -> Self {
        let mut sum = 0.0;
        let mut out = vec![(points[0].0, points[0].1, 0.0)];
        for pair in points.windows(2) {
            sum += distance(pair[0], pair[1]);
            out.push((pair[1].0, pair[1].1, sum));
        }
        let enter = out[1].2;
        let leave = if ends { sum } else { out[out.len() - 2].2 };
        Self { points: out, inside: (enter, leave), ends }
    }

    /// Where a pixel lies beside it.
    fn beside(&self, (x, y): (usize, usize)) -> Beside {
        let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
        let mut best = (f32::MAX, 0.0);
        for pair in self.points.windows(2) {
            let ((ax, ay, start), (bx, by, end)) = (pair[0], pair[1]);
            let (dx, dy, length) = (bx - ax, by - ay, end - start);
            let t = (((px - ax) * dx + (py - ay) * dy) / (length * length)).clamp(0.0, 1.0);
            let off = distance((px, py), (ax + dx * t, ay + dy * t));
            if off < best.0 {
                best = (off, start + length * t);
            }
        }
        Beside { off: best.0, along: best.1 - self.inside.0, length: self.inside.1 - self.inside.0 }
    }
}

/// A place on the line from the middle in a direction: 0 in the middle, 1 at the side or corner.
fn toward(d: u8, share: f32) -> (f32, f32) {
    let (dx, dy) = STEPS[d as usize];
    (MIDDLE + dx * MIDDLE * share, MIDDLE + dy * MIDDLE * share)
}

/// The paths of a set of directions.
fn paths(mask: u8) -> Vec<Path> {
    let links: Vec<u8> = (0..8).filter(|d| mask >> d & 1 == 1).collect();
    match links[..] {
        [a, b] => {
            let ((ax, ay), (bx, by)) = (toward(a, 1.0), toward(b, 1.0));
            let mut points = vec![toward(a, 1.6)];
            const PIECES: usize = 20;
            for k in 0..=PIECES {
                // The quadratic curve whose control point is the middle of the tile.
                let t = k as f32 / PIECES as f32;
                let (u, v, w) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
                points.push((ax * u + MIDDLE * v + bx * w, ay * u + MIDDLE * v + by * w));
            }
            points.push(toward(b, 1.6));
            vec![Path::new(&points, false)]
        }
        _ => links
            .iter()
            .map(|&d| Path::new(&[toward(d, 1.6), toward(d, 1.0), (MIDDLE, MIDDLE)], true))
            .collect(),
    }
}

/// The paths of diagonal links that pass corners of this tile between two others: bits 0 to 3 are south-east, south-west, north-west and
/// north-east.
fn corner_paths(corners: u8) -> Vec<Path> {
    let passing = |k: u8| {
        let ((x, y), (dx, dy)) = (toward(2 * k + 1, 1.0), STEPS[(2 * k + 3) as usize % 8]);
        let at = |s: f32| (x + dx * s, y + dy * s);
        Path::new(&[at(-12.0), at(-MIDDLE), at(0.0), at(MIDDLE), at(12.0)], false)
    };
    (0..4).filter(|k| corners >> k & 1 == 1).map(passing).collect()
}

/// How a line looks.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) line: Line,
    pub(super) colour: Rgb,
    pub(super) casing: Rgb,
}

/// The tile of a set of directions.
pub(super) fn tile(look: Look, mask: u8) -> Tile {
    draw(look, &paths(mask))
}

/// The tile beside diagonal links: see [`corner_paths`].
pub(super) fn corner_tile(look: Look, corners: u8) -> Tile {
    draw(look, &corner_paths(corners))
}

/// The tile of a set of directions on water, which fades out towards the middle.
pub(super) fn mouth_tile(look: Look, mask: u8) -> Tile {
    let paths: Vec<Path> = (0..8).filter(|d| mask >> d & 1 == 1).flat_map(|d| paths(1 << d)).collect();
    let whole = draw(look, &paths);
    Tile::of(|x, y| {
        let nearest = paths.iter().map(|p| p.beside((x, y))).min_by(|a, b| a.off.total_cmp(&b.off))?;
        let [r, g, b, opacity] = whole.at(x, y);
        let left = (1.0 - (nearest.along - 1.0) / (nearest.length - 2.0)).clamp(0.0, 1.0);
        Some([r, g, b, (opacity as f32 * left).round() as u8])
    })
}

fn draw(look: Look, paths: &[Path]) -> Tile {
    let mut out = Tile::new();
    // Casings first, so that lines join over them.
    for part in [Part::Casing, Part::Line, Part::Rails] {
        for path in paths {
            for (x, y) in places() {
                let beside = path.beside((x, y));
                if let Some(pixel) = paint(look, part, beside, path.ends, (x, y)) {
                    out.put(x as i32, y as i32, pixel);
                }
            }
        }
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Casing,
    Line,
    Rails,
}

/// The pixel of a part of a line.
fn paint(look: Look, part: Part, at: Beside, ends: bool, (x, y): (usize, usize)) -> Option<Pixel> {
    let (half, all) = widths(look.line);
    let grain = Dice::new("line", 0).unit(x, y);
    let inside = |width: f32| at.off < width;
    match (look.line, part) {
        (Line::River, Part::Casing) if inside(all) => Some(solid(look.casing)),
        (Line::River, Part::Line) if inside(half) => {
            let glint = grain > 0.9 && at.off < 1.2;
            Some(solid(if glint { shade(look.colour, 0.4) } else { look.colour }))
        }
        (Line::Road, Part::Casing) if inside(all) => Some(solid(look.casing)),
        (Line::Road, Part::Line) if inside(half) => Some(solid(match grain {
            v if v > 0.88 => shade(look.colour, 0.22),
            v if v < 0.1 => shade(look.colour, -0.16),
            _ => look.colour,
        })),
        (Line::Rail, Part::Casing) if inside(all) => {
            let [r, g, b] = if grain > 0.7 { shade(look.casing, -0.14) } else { look.casing };
            Some([r, g, b, 236])
        }
        (Line::Rail, Part::Line) if inside(half) && sleeper(at, ends) => {
            Some(solid(mix(look.colour, [132, 92, 60], 0.62)))
        }
        (Line::Rail, Part::Rails) if (at.off - 1.5).abs() < 0.5 => Some(solid(look.colour)),
        _ => None,
    }
}

/// Whether a pixel lies on a sleeper: about each fourth pixel, with the same distance to both ends, so that they go on from tile to tile.
fn sleeper(at: Beside, ends: bool) -> bool {
    let count = (at.length / 4.0).round().max(1.0);
    let period = at.length / count;
    let along = if ends { at.along } else { at.along.rem_euclid(at.length) };
    let from = (along / period).rem_euclid(1.0) - 0.5;
    (from * period).abs() < 0.71
}

/// The sets of exactly two directions.
pub(super) fn two_links() -> impl Iterator<Item = u8> {
    (0..=u8::MAX).filter(|mask| mask.count_ones() == 2)
}

/// What is drawn over two lines that cross, along the two links of the upper one; without them, posts around the middle.
pub(super) fn crossing(deck: Deck, links: Option<u8>) -> Tile {
    const STONE: Rgb = [126, 116, 106];
    let Some(path) = links.and_then(|mask| paths(mask).pop()) else { return posts(deck, STONE) };
    Tile::of(|x, y| {
        let at = path.beside((x, y));
        let (along, off) = ((at.along - at.length / 2.0).abs(), at.off);
        match deck {
            Deck::Bridge if along > 6.2 => None,
            Deck::Bridge if along > 4.8 && (2.75..4.9).contains(&off) => Some(solid(shade(STONE, -0.3))),
            Deck::Bridge if (2.75..3.95).contains(&off) => Some(solid(shade(STONE, 0.3))),
            Deck::Bridge if (3.95..5.1).contains(&off) && along <= 4.8 => Some([20, 36, 60, 120]),
            Deck::Barriers if (4.0..5.2).contains(&along) && off < 4.4 => {
                let red = (off as i32) % 2 == 0;
                Some(solid(if red { [196, 64, 52] } else { [246, 242, 232] }))
            }
            _ => None,
        }
    })
}

/// Four posts around a crossing whose upper line branches or ends.
fn posts(deck: Deck, stone: Rgb) -> Tile {
    let colour = if deck == Deck::Bridge { shade(stone, -0.2) } else { [196, 64, 52] };
    let mut out = Tile::new();
    for (x, y) in [(3, 3), (11, 3), (3, 11), (11, 11)] {
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            out.put(x + dx, y + dy, solid(if dy == 0 { shade(colour, 0.25) } else { colour }));
        }
    }
    out
}
