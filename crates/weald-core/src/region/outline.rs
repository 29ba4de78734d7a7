//! Regions as polygons.

use super::specks::areas;
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::line::Point;

/// A connected region of one class as a polygon.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Its class.
    pub class: u8,
    /// Number of its tiles.
    pub tiles: u32,
    /// Rings through corners of tiles, in tiles: the outer one first, clockwise on a map whose y points south, then the holes,
    /// counterclockwise. The last point repeats the first. Points in the middle of straight sides are left out.
    pub rings: Vec<Vec<Point>>,
}

/// The outlines of the regions of [`areas`], in their order.
///
/// Every side of a tile whose other side belongs to another region is directed so that its tile lies to the right; the sides are
/// joined into rings, at a corner where four meet by the sharpest right turn, so that no ring touches itself there from inside.
/// Reach: whole map. Cost: linear.
///
/// ```
/// use weald_core::{Grid, region};
///
/// let map = Grid::from_vec(3, 3, vec![1, 1, 1, 1, 2, 1, 1, 1, 1]);
/// let regions = region::outlines(&map);
/// assert_eq!((regions[0].class, regions[0].tiles, regions[0].rings.len()), (1, 8, 2));
/// assert_eq!(regions[0].rings[0], [(0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (0.0, 3.0), (0.0, 0.0)]);
/// ```
pub fn outlines(map: &Grid<u8>) -> Vec<Region> {
    let (w, h) = map.shape();
    let (region, sizes) = areas(map);
    let mut regions: Vec<Region> =
        sizes.iter().map(|&tiles| Region { class: 0, tiles, rings: Vec::new() }).collect();
    let number = |x: i64, y: i64| region.contains(x, y).then(|| region[(x as usize, y as usize)]);
    // Whether the side of a tile in a direction was followed: E, S, W, N as bits.
    let mut done = Grid::filled(w, h, 0u8);
    for y in 0..h {
        for x in 0..w {
            let own = region[(x, y)];
            regions[own as usize].class = map[(x, y)];
            for side in [6u8, 0, 2, 4] {
                let d = Dir8(side);
                let outside = number(x as i64 + d.dx() as i64, y as i64 + d.dy() as i64) != Some(own);
                if outside && done[(x, y)] >> (side / 2) & 1 == 0 {
                    let ring = follow(&region, &mut done, (x as i64, y as i64, side));
                    regions[own as usize].rings.push(ring);
                }
            }
        }
    }
    // The first side met of a region is the northern one of its first tile, which is on the outer ring.
    regions
}

/// Follows a ring from the side `side` (a direction of [`Dir8`]) of tile (x, y) until it comes back.
fn follow(region: &Grid<u32>, done: &mut Grid<u8>, start: (i64, i64, u8)) -> Vec<Point> {
    let own = region[(start.0 as usize, start.1 as usize)];
    let inside = |x: i64, y: i64| region.contains(x, y) && region[(x as usize, y as usize)] == own;
    let (mut x, mut y, mut side) = start;
    let mut ring = Vec::new();
    loop {
        done[(x as usize, y as usize)] |= 1 << (side / 2);
        // Along a side one walks with the tile to the right: eastwards along the northern side.
        let along = Dir8((side + 2) % 8);
        let out = Dir8(side);
        let (ax, ay) = (x + along.dx() as i64, y + along.dy() as i64);
        let (ox, oy) = (ax + out.dx() as i64, ay + out.dy() as i64);
        let last = side;
        if !inside(ax, ay) {
            // The corner of the same tile: right turn.
            side = (side + 2) % 8;
        } else if !inside(ox, oy) {
            (x, y) = (ax, ay);
        } else {
            (x, y, side) = (ox, oy, (side + 6) % 8);
        }
        if side != last {
            ring.push(corner(side, (x, y)));
        }
        if (x, y, side) == start {
            break;
        }
    }
    // The point where the walk began may lie in the middle of a straight side; the last corner closes the ring.
    ring.rotate_right(1);
    ring.push(ring[0]);
    ring
}

/// The corner where the walk along a side of tile (x, y) begins: that along the northern side at its western end, and so on clockwise.
fn corner(side: u8, (x, y): (i64, i64)) -> Point {
    let (x, y) = match side {
        6 => (x, y),
        0 => (x + 1, y),
        2 => (x + 1, y + 1),
        _ => (x, y + 1),
    };
    (x as f64, y as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use proptest::prelude::*;

    /// Twice the signed area of a ring.
    fn twice(ring: &[Point]) -> f64 {
        ring.windows(2).map(|s| s[0].0 * s[1].1 - s[1].0 * s[0].1).sum()
    }

    proptest! {
        #[test]
        fn the_area_of_every_outline_is_the_number_of_its_tiles(w in 1usize..20, h in 1usize..20, classes in 1u64..4, seed: u64) {
            let map = Grid::from_fn(w, h, |x, y| (Seed(seed).at(x as i64, y as i64) % classes) as u8);
            let regions = outlines(&map);
            for region in &regions {
                prop_assert!(region.rings.iter().all(|r| r.len() > 4 && r.first() == r.last()));
                prop_assert!(twice(&region.rings[0]) > 0.0);
                prop_assert!(region.rings[1..].iter().all(|r| twice(r) < 0.0));
                let area: f64 = region.rings.iter().map(|r| twice(r) / 2.0).sum();
                prop_assert_eq!(area, region.tiles as f64);
                // No point lies on the straight line between its neighbours.
                for ring in &region.rings {
                    for s in ring.windows(3) {
                        prop_assert!((s[0].0 == s[1].0) != (s[1].0 == s[2].0));
                    }
                }
            }
            prop_assert_eq!(regions.iter().map(|r| r.tiles as usize).sum::<usize>(), w * h);
        }
    }
}
