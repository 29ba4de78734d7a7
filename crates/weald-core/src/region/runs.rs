//! Straight lines and stairs in borders.

use crate::grid::Grid;

/// What is wrong with a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// Three border edges in a row.
    Straight,
    /// Six border edges that step one along x and one along y in turn, always the same way.
    Stairs,
}

/// A straight line or a flight of stairs in a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Straight or stairs.
    pub kind: RunKind,
    /// The lattice point where it begins: the north-west corner of tile (x, y).
    pub x: usize,
    /// See `x`.
    pub y: usize,
    /// Which of the patterns it is.
    pub(super) pattern: usize,
}

impl Run {
    /// The classes on both sides of its first edge.
    pub fn classes(&self, map: &Grid<u8>) -> [u8; 2] {
        beside(self.x as i64, self.y as i64, &PATTERNS[self.pattern][0])
            .map(|(x, y)| map[(x as usize, y as usize)])
    }

    /// Where it leads: E, S, SE or SW.
    pub fn direction(&self) -> &'static str {
        ["E", "S", "SE", "SE", "SW", "SW"][self.pattern]
    }
}

/// A side of a tile, relative to a lattice point: the one that runs from it to the east, or the one to the south.
type Side = (i8, i8, bool);

const EAST: bool = false;
const SOUTH: bool = true;

/// The sides of every pattern, from its first lattice point on: two straight lines and four flights of stairs.
pub(super) const PATTERNS: [&[Side]; 6] = [
    &[(0, 0, EAST), (1, 0, EAST), (2, 0, EAST)],
    &[(0, 0, SOUTH), (0, 1, SOUTH), (0, 2, SOUTH)],
    &[(0, 0, EAST), (1, 0, SOUTH), (1, 1, EAST), (2, 1, SOUTH), (2, 2, EAST), (3, 2, SOUTH)],
    &[(0, 0, SOUTH), (0, 1, EAST), (1, 1, SOUTH), (1, 2, EAST), (2, 2, SOUTH), (2, 3, EAST)],
    &[(-1, 0, EAST), (-1, 0, SOUTH), (-2, 1, EAST), (-2, 1, SOUTH), (-3, 2, EAST), (-3, 2, SOUTH)],
    &[(0, 0, SOUTH), (-1, 1, EAST), (-1, 1, SOUTH), (-2, 2, EAST), (-2, 2, SOUTH), (-3, 3, EAST)],
];

/// The tiles on both sides of a side of a pattern that begins at (x, y).
#[inline]
pub(super) fn beside(x: i64, y: i64, &(dx, dy, south): &Side) -> [(i64, i64); 2] {
    let (x, y) = (x + dx as i64, y + dy as i64);
    if south { [(x - 1, y), (x, y)] } else { [(x, y - 1), (x, y)] }
}

/// Whether the side is a border edge. Sides on the edge of the map are not.
#[inline]
fn is_border(map: &Grid<u8>, x: i64, y: i64, side: &Side) -> bool {
    let [(ax, ay), (bx, by)] = beside(x, y, side);
    map.contains(ax, ay)
        && map.contains(bx, by)
        && map[(ax as usize, ay as usize)] != map[(bx as usize, by as usize)]
}

/// Whether the pattern that begins at a lattice point is there.
#[inline]
pub(super) fn is_there(map: &Grid<u8>, x: i64, y: i64, pattern: usize) -> bool {
    PATTERNS[pattern].iter().all(|side| is_border(map, x, y, side))
}

/// Whether tile (x, y) completes a pattern with the tiles before it, row by row; those after it do not count.
pub(super) fn completes(map: &Grid<u8>, x: usize, y: usize) -> bool {
    let (x, y) = (x as i64, y as i64);
    let before = |side: &Side, px: i64, py: i64| {
        is_border(map, px, py, side) && beside(px, py, side).iter().all(|&(bx, by)| (by, bx) <= (y, x))
    };
    [(x, y, EAST), (x, y, SOUTH)].iter().any(|&(sx, sy, south)| {
        is_border(map, sx, sy, &(0, 0, south))
            && HOLDERS[south as usize].iter().any(|&(pattern, dx, dy)| {
                let (px, py) = (sx + dx as i64, sy + dy as i64);
                PATTERNS[pattern].iter().all(|side| before(side, px, py))
            })
    })
}

fn kind(pattern: usize) -> RunKind {
    if pattern < 2 { RunKind::Straight } else { RunKind::Stairs }
}

/// All straight lines and stairs, row by row. Reach: 4 tiles. Cost: linear.
pub fn straight_runs(map: &Grid<u8>) -> Vec<Run> {
    let mut found = Vec::new();
    for y in 0..=map.height() {
        for x in 0..=map.width() {
            for pattern in 0..PATTERNS.len() {
                if is_there(map, x as i64, y as i64, pattern) {
                    found.push(Run { kind: kind(pattern), x, y, pattern });
                }
            }
        }
    }
    found
}

/// The patterns that hold a side of a kind, with the offset from the side's lattice point to the pattern's.
const fn holders(south: bool) -> [(usize, i8, i8); 15] {
    let mut out = [(0, 0, 0); 15];
    let (mut n, mut p) = (0, 0);
    while p < PATTERNS.len() {
        let mut k = 0;
        while k < PATTERNS[p].len() {
            let (dx, dy, s) = PATTERNS[p][k];
            if s == south {
                out[n] = (p, -dx, -dy);
                n += 1;
            }
            k += 1;
        }
        p += 1;
    }
    assert!(n == 15);
    out
}

const HOLDERS: [[(usize, i8, i8); 15]; 2] = [holders(EAST), holders(SOUTH)];

/// Every pattern that is there and holds a side of tile (x, y), by its first lattice point; one that holds several of its sides
/// comes once for each.
fn for_each_at(map: &Grid<u8>, x: usize, y: usize, mut found: impl FnMut(i64, i64, usize)) {
    let (x, y) = (x as i64, y as i64);
    let sides: [(i64, i64, bool); 4] = [(x, y, EAST), (x, y + 1, EAST), (x, y, SOUTH), (x + 1, y, SOUTH)];
    for (sx, sy, south) in sides {
        if !is_border(map, sx, sy, &(0, 0, south)) {
            continue;
        }
        for &(pattern, dx, dy) in &HOLDERS[south as usize] {
            let (px, py) = (sx + dx as i64, sy + dy as i64);
            if is_there(map, px, py, pattern) {
                found(px, py, pattern);
            }
        }
    }
}

/// The number of patterns that hold a side of tile (x, y); one that holds several of its sides is counted for each.
pub(super) fn count_at(map: &Grid<u8>, x: usize, y: usize) -> u32 {
    let mut count = 0;
    for_each_at(map, x, y, |_, _, _| count += 1);
    count
}

/// The runs that hold a side of tile (x, y).
pub(super) fn runs_at(map: &Grid<u8>, x: usize, y: usize) -> Vec<Run> {
    let mut runs = Vec::new();
    for_each_at(map, x, y, |x, y, pattern| {
        runs.push(Run { kind: kind(pattern), x: x as usize, y: y as usize, pattern });
    });
    runs
}

/// Whether a straight line or stairs hold a side of tile (x, y). Reach: 4 tiles.
pub fn breaks_rule_at(map: &Grid<u8>, x: usize, y: usize) -> bool {
    count_at(map, x, y) > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    fn map(art: &[&str]) -> Grid<u8> {
        Grid::from_fn(art[0].len(), art.len(), |x, y| art[y].as_bytes()[x])
    }

    #[test]
    fn three_edges_in_a_row_are_straight_and_two_are_not() {
        let three = map(&["aaaaa", "abbba", "aabba", "aaaaa"]);
        let runs = straight_runs(&three);
        assert_eq!(runs.len(), 1);
        assert_eq!((runs[0].kind, runs[0].x, runs[0].y), (RunKind::Straight, 1, 1));
        assert_eq!(straight_runs(&map(&["aaaa", "abba", "abba", "aaaa"])), []);
        // Edges on the side of the map are no border.
        assert_eq!(straight_runs(&map(&["bbbb", "bbbb"])), []);
    }

    #[test]
    fn six_edges_that_step_the_same_way_are_stairs_and_five_are_not() {
        let five = map(&["baaa", "bbaa", "bbba"]);
        assert_eq!(straight_runs(&five), []);
        for flip in [false, true] {
            let six = ["baaaaa", "bbaaaa", "bbbaaa", "bbbbaa", "bbbbba", "bbbbbb"];
            let six = Grid::from_fn(6, 6, |x, y| six[y].as_bytes()[if flip { 5 - x } else { x }]);
            assert!(straight_runs(&six).iter().any(|r| r.kind == RunKind::Stairs), "{flip}");
        }
    }

    #[test]
    fn the_count_at_a_tile_finds_every_pattern_that_holds_one_of_its_sides() {
        let map = Grid::from_fn(14, 11, |x, y| (Seed(3).at(x as i64 / 2, y as i64 / 2) % 3) as u8);
        let mut holding = Grid::filled(14, 11, 0u32);
        for run in straight_runs(&map) {
            for side in PATTERNS[run.pattern] {
                for (x, y) in beside(run.x as i64, run.y as i64, side) {
                    holding[(x as usize, y as usize)] += 1;
                }
            }
        }
        assert!(holding.cells().iter().sum::<u32>() > 100);
        for ((x, y), &count) in holding.iter() {
            assert_eq!(count_at(&map, x, y), count, "{x} {y}");
        }
    }
}
