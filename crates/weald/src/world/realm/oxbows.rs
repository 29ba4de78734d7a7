//! Oxbow lakes: loops that rivers have cut off.

use super::biomes::{LAKE, LEAST};
use super::rivers::Rivers;
use weald_core::line::{self, Point};
use weald_core::{Ctx, Grid, Result, Seed, dir8, math, region};

/// Turns loops that rivers have cut off on flat land into oxbow lakes, where the rules of borders allow it; returns how many.
///
/// Loops come from the rivers' own meanders, and from older ones whose necks were shorter than 2 tiles: on flat stretches a hash chooses places
/// where a river has left a horseshoe of 2 to 3 tiles' radius. The ends beside the river are silted up. Reach: 8 tiles.
pub fn oxbows(
    classes: &mut Grid<u8>,
    rivers: &Rivers,
    slope: &Grid<f32>,
    seed: Seed,
    ctx: &Ctx,
) -> Result<usize> {
    let w = classes.width();
    let mut made = 0;
    for cut_off in rivers.loops.iter().cloned().chain(old_loops(classes, rivers, slope, seed)) {
        ctx.checkpoint()?;
        if cut_off.iter().any(|&t| slope.cells()[t as usize] >= FLAT) {
            continue;
        }
        let mut tiles: Vec<u32> = Vec::new();
        for pair in cut_off.windows(2) {
            tiles.push(pair[0]);
            // A diagonal step gets a tile in its corner, so that the lake is in one piece.
            if pair[0] % w as u32 != pair[1] % w as u32 && pair[0] / w as u32 != pair[1] / w as u32 {
                tiles.push(pair[0] / w as u32 * w as u32 + pair[1] % w as u32);
            }
        }
        tiles.extend(cut_off.last());
        tiles.retain(|&t| !beside_river(&rivers.links, t as usize) && classes.cells()[t as usize] > LAKE);
        tiles.dedup();
        // The longest part of the loop that keeps the rules; the rest has silted up.
        let parts = (LEAST as usize..=tiles.len().min(LONGEST_OXBOW)).rev();
        made += parts.flat_map(|n| tiles.windows(n)).any(|part| place_lake(classes, part)) as usize;
    }
    Ok(made)
}

/// Rise over run of flat land.
const FLAT: f32 = 0.012;

/// Tiles of the longest oxbow lake.
const LONGEST_OXBOW: usize = 9;

/// Tiles of flat river for each attempt at an oxbow lake.
const OXBOW_TILES: u64 = 60;

/// Loops that rivers have left, as chains of tiles: horseshoes that open towards the river.
fn old_loops(classes: &Grid<u8>, rivers: &Rivers, slope: &Grid<f32>, seed: Seed) -> Vec<Vec<u32>> {
    let (w, h) = classes.shape();
    let mut loops = Vec::new();
    for (k, river) in rivers.list.iter().enumerate() {
        for i in 3..river.tiles.len().saturating_sub(4) {
            let hash = seed.at(k as i64, i as i64);
            let tile = river.tiles[i] as usize;
            if !hash.is_multiple_of(OXBOW_TILES) || slope.cells()[tile] >= FLAT {
                continue;
            }
            let unit = |n: i64| Seed(hash).unit_at(n, 0);
            let at = |t: u32| ((t as usize % w) as f64 + 0.5, (t as usize / w) as f64 + 0.5);
            let ((ax, ay), (bx, by)) = (at(river.tiles[i - 3]), at(river.tiles[i + 3]));
            let side = if hash >> 32 & 1 == 0 { 1.0 } else { -1.0 };
            let aside = math::atan2(side * (bx - ax), -side * (by - ay));
            let radius = math::lerp(1.7, 3.0, unit(1));
            let (x, y) = at(tile as u32);
            let far = radius + 1.2;
            let middle = (x + far * math::cos(aside), y + far * math::sin(aside));
            let horseshoe: Vec<Point> = (-6..=6)
                .map(|k| aside + 0.36 * k as f64)
                .map(|a| (middle.0 + radius * math::cos(a), middle.1 + radius * math::sin(a)))
                .collect();
            let inside = horseshoe
                .iter()
                .all(|p| p.0 > 1.0 && p.1 > 1.0 && p.0 < w as f64 - 1.0 && p.1 < h as f64 - 1.0);
            if inside {
                loops.push(line::rasterise(&horseshoe, w, h).into_iter().map(|t| t as u32).collect());
            }
        }
    }
    loops
}

/// Whether a tile carries a river or has one beside it.
fn beside_river(links: &Grid<u8>, tile: usize) -> bool {
    let (w, h) = links.shape();
    let mut found = links.cells()[tile] != 0;
    dir8::neighbours(w, h, tile % w, tile / w, |_, x, y| found |= links[(x, y)] != 0);
    found
}

/// Makes tiles a lake if no border becomes straight by it, the lake is in one piece, and no region beside it becomes a speck.
fn place_lake(classes: &mut Grid<u8>, tiles: &[u32]) -> bool {
    let (w, h) = classes.shape();
    let mut once = tiles.to_vec();
    once.sort_unstable();
    once.dedup();
    let tiles = &once[..];
    let old: Vec<u8> = tiles.iter().map(|&t| classes.cells()[t as usize]).collect();
    tiles.iter().for_each(|&t| classes.cells_mut()[t as usize] = LAKE);
    let mut around: Vec<usize> = Vec::new();
    for &t in tiles {
        dir8::neighbours(w, h, t as usize % w, t as usize / w, |_, x, y| around.push(y * w + x));
    }
    let no_specks = |&t: &usize| region::patch(classes, t, 4).len() >= 4;
    let whole = region::patch(classes, tiles[0] as usize, tiles.len() + 1).len() == tiles.len();
    let straight = tiles.iter().any(|&t| region::breaks_rule_at(classes, t as usize % w, t as usize / w));
    if whole && !straight && around.iter().all(no_specks) {
        return true;
    }
    tiles.iter().zip(old).for_each(|(&t, class)| classes.cells_mut()[t as usize] = class);
    false
}
