//! Connected regions of one class, and specks among them.

use crate::grid::Grid;

/// The four neighbours of a tile along its sides: west, north, east, south.
pub(super) fn beside(map: &Grid<u8>, tile: usize) -> impl Iterator<Item = usize> {
    let (w, h) = map.shape();
    let (x, y) = (tile % w, tile / w);
    let near = [
        (x > 0, tile.wrapping_sub(1)),
        (y > 0, tile.wrapping_sub(w)),
        (x + 1 < w, tile + 1),
        (y + 1 < h, tile + w),
    ];
    near.into_iter().filter(|n| n.0).map(|n| n.1)
}

/// The regions of tiles of one class that are connected along their sides: the number of the region of every tile, in the order of
/// their first tiles row by row, and the number of tiles of each. Reach: whole map. Cost: linear.
///
/// ```
/// use weald_core::{Grid, region};
///
/// let map = Grid::from_vec(3, 2, vec![4, 4, 7, 7, 7, 4]);
/// let (region, tiles) = region::areas(&map);
/// assert_eq!(region.cells(), [0, 0, 1, 2, 2, 3]);
/// assert_eq!(tiles, [2, 1, 2, 1]);
/// ```
#[doc(alias = "connected components")]
pub fn areas(map: &Grid<u8>) -> (Grid<u32>, Vec<u32>) {
    let (w, h) = map.shape();
    let mut region = Grid::filled(w, h, u32::MAX);
    let (mut sizes, mut stack) = (Vec::new(), Vec::new());
    for start in 0..w * h {
        if region.cells()[start] != u32::MAX {
            continue;
        }
        let number = sizes.len() as u32;
        region.cells_mut()[start] = number;
        stack.push(start);
        let mut size = 0;
        while let Some(tile) = stack.pop() {
            size += 1;
            for near in beside(map, tile) {
                if region.cells()[near] == u32::MAX && map.cells()[near] == map.cells()[tile] {
                    region.cells_mut()[near] = number;
                    stack.push(near);
                }
            }
        }
        sizes.push(size);
    }
    (region, sizes)
}

/// Whether each of `count` regions of [`areas`] reaches the border of the map.
pub fn reach_border(region: &Grid<u32>, count: usize) -> Vec<bool> {
    let mut reach = vec![false; count];
    for ((x, y), &r) in region.iter() {
        reach[r as usize] |= region.on_border(x, y);
    }
    reach
}

/// Gives regions of fewer than `least` tiles to the class beside them with which they share most sides, the lower one of equal
/// classes, and returns how many tiles were given away. The smallest regions go first, row by row, so that specks beside each other
/// grow together before they are judged. Every step joins regions, so there is an end. Reach: whole map. Cost: linear.
pub fn remove_specks(map: &mut Grid<u8>, least: u32) -> usize {
    let mut changed = 0;
    for limit in 2..=least {
        let (region, sizes) = areas(map);
        if sizes.iter().all(|&size| size >= limit) {
            continue;
        }
        let mut next = 0;
        for start in 0..map.len() {
            // The first tile of a region has a number that was not met before.
            if region.cells()[start] as usize != next {
                continue;
            }
            next += 1;
            if sizes[next - 1] < limit {
                changed += give_away(map, start, limit as usize);
            }
        }
    }
    changed
}

/// Gives the region of a tile to the class with which it shares most sides if it has fewer than `limit` tiles; returns how many there were.
fn give_away(map: &mut Grid<u8>, start: usize, limit: usize) -> usize {
    let speck = patch(map, start, limit);
    let class = map.cells()[start];
    let mut shared = [0u32; 256];
    let outside = speck.iter().flat_map(|&t| beside(map, t)).filter(|&n| map.cells()[n] != class);
    outside.for_each(|n| shared[map.cells()[n] as usize] += 1);
    let most = *shared.iter().max().expect("there are classes");
    if speck.len() >= limit || most == 0 {
        return 0;
    }
    let into = shared.iter().position(|&s| s == most).expect("it is the greatest") as u8;
    speck.iter().for_each(|&t| map.cells_mut()[t] = into);
    speck.len()
}

/// Tiles of the region of a tile, the tile first: all of them if they are fewer than `limit`, else at least that many. Cost: by the square
/// of the limit.
pub fn patch(map: &Grid<u8>, start: usize, limit: usize) -> Vec<usize> {
    let (mut tiles, mut next) = (vec![start], 0);
    while next < tiles.len() && tiles.len() < limit {
        for near in beside(map, tiles[next]) {
            if map.cells()[near] == map.cells()[start] && !tiles.contains(&near) {
                tiles.push(near);
            }
        }
        next += 1;
    }
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn after_cleaning_no_region_is_a_speck(w in 1usize..30, h in 1usize..30, classes in 1u64..5, least in 1u32..9, seed: u64) {
            let mut map = Grid::from_fn(w, h, |x, y| (Seed(seed).at(x as i64, y as i64) % classes) as u8);
            let before = map.clone();
            let changed = remove_specks(&mut map, least);
            let (_, sizes) = areas(&map);
            // A map smaller than a speck stays what it is.
            prop_assert!(sizes.len() == 1 || sizes.iter().all(|&s| s >= least));
            prop_assert_eq!(changed == 0, map == before);
            prop_assert_eq!(sizes.iter().sum::<u32>() as usize, w * h);
        }
    }
}
