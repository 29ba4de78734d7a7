//! Borders mended tile by tile until nothing straight is left.

use super::runs::{PATTERNS, Run, beside, count_at, is_there, straight_runs};
use super::specks;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::{Result, Seed};

/// What a repair may do.
#[derive(Clone, Copy)]
pub struct Repair<'a> {
    /// Least number of tiles of a region: no flip leaves a smaller one.
    pub least: usize,
    /// Whether a tile, given by its index, may get that class.
    pub allowed: &'a (dyn Fn(usize, u8) -> bool + Sync),
}

/// No region smaller than 4 tiles; every tile may be flipped.
impl Default for Repair<'_> {
    fn default() -> Self {
        Self { least: 4, allowed: &|_, _| true }
    }
}

/// What a repair did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// Tiles that have another class than before.
    pub flipped: usize,
    /// Straight lines and stairs that are left.
    pub left: usize,
}

/// By how many the number of runs must fall for a flip to be made, in the first passes.
const EAGER: [i64; 6] = [-8, -6, -4, -3, -2, -1];

/// Passes after which a small region or a tail beside what is left is given up, and how many tiles a region has that is not small.
const PATIENCE: usize = 60;
const SMALL: usize = 24;

/// Passes over what is left before the repair gives up.
const PASSES: usize = 1200;

/// Flips single tiles until no border has three edges in a row or a flight of stairs.
///
/// For every run that [`straight_runs`] finds, row by row, the tiles on both sides of it are tried with the class across the
/// border, and the flip that leaves the fewest runs around it is made; of equal ones a hash decides. No flip may leave a part of a
/// region that has fewer than `least` tiles. Where no flip makes it better, one that leaves as many runs is made, which
/// moves the fault along the border until it can be mended, and after many passes one that leaves a few more. As a last resort a
/// small region is given up, or a tail that hangs on one tile. Reach of a flip: 4 tiles. Cost: one scan of the map, then by the number of runs.
pub fn repair(map: &mut Grid<u8>, seed: Seed, rule: &Repair, ctx: &Ctx) -> Result<Repaired> {
    let before = map.clone();
    let mut runs = straight_runs(map);
    for pass in 0..PASSES {
        if runs.is_empty() {
            break;
        }
        ctx.checkpoint()?;
        let mut touched = Vec::new();
        if pass % PATIENCE == PATIENCE - 1 {
            for run in &runs {
                if is_there(map, run.x as i64, run.y as i64, run.pattern) {
                    touched.extend(dissolve(map, run, rule));
                }
            }
        }
        for run in &runs {
            if is_there(map, run.x as i64, run.y as i64, run.pattern)
                && let Some((tile, class)) = best_flip(map, run, seed, pass, rule)
            {
                map.cells_mut()[tile] = class;
                touched.push(tile);
            }
        }
        runs.retain(|run| is_there(map, run.x as i64, run.y as i64, run.pattern));
        runs.extend(runs_around(map, &touched));
        runs.sort_unstable_by_key(|r| (r.y, r.x, r.pattern));
        runs.dedup();
    }
    let flipped = before.cells().iter().zip(map.cells()).filter(|(a, b)| a != b).count();
    Ok(Repaired { flipped, left: runs.len() })
}

/// Gives tiles beside a run to the class across the border and returns them: a small region, or a tile with the parts that it cuts off from its
/// region and that are too small to stay. The fewest tiles are taken.
fn dissolve(map: &mut Grid<u8>, run: &Run, rule: &Repair) -> Vec<usize> {
    let w = map.width();
    let mut best: Option<(Vec<usize>, u8)> = None;
    for side in PATTERNS[run.pattern] {
        let [a, b] = beside(run.x as i64, run.y as i64, side).map(|(x, y)| y as usize * w + x as usize);
        for (tile, other) in [(a, b), (b, a)] {
            let class = map.cells()[other];
            if class == map.cells()[tile] {
                continue;
            }
            let region = specks::patch(map, tile, SMALL);
            let small = Some(region).filter(|tiles| tiles.len() < SMALL);
            for tiles in small.into_iter().chain(tail(map, tile, class, rule.least)) {
                let allowed = tiles.iter().all(|&t| (rule.allowed)(t, class));
                if allowed && best.as_ref().is_none_or(|b| tiles.len() < b.0.len()) {
                    best = Some((tiles, class));
                }
            }
        }
    }
    let Some((tiles, class)) = best else { return Vec::new() };
    tiles.iter().for_each(|&t| map.cells_mut()[t] = class);
    tiles
}

/// A tile with the parts of fewer than `least` tiles that fall off its region without it; none if there is no such part.
fn tail(map: &mut Grid<u8>, tile: usize, new: u8, least: usize) -> Option<Vec<usize>> {
    let old = std::mem::replace(&mut map.cells_mut()[tile], new);
    let mut tiles = vec![tile];
    for near in specks::beside(map, tile).collect::<Vec<_>>() {
        let part = specks::patch(map, near, least);
        if map.cells()[near] == old && part.len() < least && !tiles.contains(&near) {
            tiles.extend(part);
        }
    }
    map.cells_mut()[tile] = old;
    (tiles.len() > 1).then_some(tiles)
}

/// The runs that hold a side of one of these tiles.
fn runs_around(map: &Grid<u8>, tiles: &[usize]) -> Vec<Run> {
    let w = map.width();
    tiles.iter().flat_map(|&tile| super::runs::runs_at(map, tile % w, tile / w)).collect()
}

/// The best flip of a tile beside the run, if there is one.
fn best_flip(map: &mut Grid<u8>, run: &Run, seed: Seed, pass: usize, rule: &Repair) -> Option<(usize, u8)> {
    let w = map.width();
    let mut best: Option<((i64, u64), usize, u8)> = None;
    // The first passes make only flips that mend much. After many passes worse flips are accepted, the more the longer it takes.
    let worst = if pass < EAGER.len() { EAGER[pass] } else { (pass / 12 % 8) as i64 };
    for side in PATTERNS[run.pattern] {
        let [a, b] = beside(run.x as i64, run.y as i64, side).map(|(x, y)| y as usize * w + x as usize);
        for (tile, other) in [(a, b), (b, a)] {
            let (old, new) = (map.cells()[tile], map.cells()[other]);
            if old == new || !(rule.allowed)(tile, new) || !keeps_regions(map, tile, new, rule.least) {
                continue;
            }
            let (x, y) = (tile % w, tile / w);
            let was = count_at(map, x, y) as i64;
            map.cells_mut()[tile] = new;
            let is = count_at(map, x, y) as i64;
            map.cells_mut()[tile] = old;
            let hash = seed.at(tile as i64, (pass as i64) << 8 | new as i64);
            // In later passes chance counts more than the number of runs.
            let noise = if pass < 12 { 0 } else { (hash >> 20) as i64 % (worst + 1) };
            let key = (is - was + noise, hash);
            if is - was <= worst && best.is_none_or(|(least, ..)| key < least) {
                best = Some((key, tile, new));
            }
        }
    }
    best.map(|(_, tile, class)| (tile, class))
}

/// Whether every part that is left of the region of a tile without it has at least `least` tiles, and one is left.
fn keeps_regions(map: &mut Grid<u8>, tile: usize, new: u8, least: usize) -> bool {
    let old = std::mem::replace(&mut map.cells_mut()[tile], new);
    let parts: Vec<usize> = specks::beside(map, tile).filter(|&n| map.cells()[n] == old).collect();
    let keeps = !parts.is_empty() && parts.iter().all(|&n| specks::patch(map, n, least).len() >= least);
    map.cells_mut()[tile] = old;
    keeps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::{areas, remove_specks};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn after_the_repair_no_border_is_straight_and_no_region_is_a_speck(
            w in 8usize..50, h in 8usize..50, classes in 2u64..6, block in 3i64..12, seed: u64
        ) {
            let class = |x: usize, y: usize| (Seed(seed).at(x as i64 / block, y as i64 / block) % classes) as u8;
            let mut map = Grid::from_fn(w, h, class);
            remove_specks(&mut map, 4);
            let before = map.clone();
            let done = repair(&mut map, Seed(seed), &Repair::default(), &Ctx::default()).unwrap();
            prop_assert_eq!(done.left, 0);
            prop_assert_eq!(straight_runs(&map), []);
            let (_, sizes) = areas(&map);
            prop_assert!(sizes.iter().all(|&s| s >= 4));
            let flipped = before.cells().iter().zip(map.cells()).filter(|(a, b)| a != b).count();
            prop_assert_eq!(done.flipped, flipped);
        }
    }

    #[test]
    fn a_tail_that_no_single_flip_can_mend_is_cut_off() {
        let art = [
            "TTTTTTTWWWWWWWWTTTTTTTTTT",
            "TTTTTTWWWWWWWWWWTTTTTTTTT",
            "TTTTTTTTWWWWWWWWWTTTTTTTT",
            "BTTTTTTTTWWWWWWWTTTTTTTTT",
            "BTTTTTTTTTTWWWTTTTTTTTTTT",
            "BBTTTTBBTTTTWWWTTTTTTTTTT",
            "BBBBTBBBBBTWWWWTTTTTTTTTT",
            "BBBBBBBBBBWWWWTTTTTTTTTTT",
            "BBBBBBBBBBBWWBBTTTTTTTTTT",
            "BBBBBBBBBBBBWBTTTTTTTTTTT",
            "BBBBBBBBBBBWWBBTTTTTTTTTT",
            "BBBBBBBBBBBBBBBTTTTTTTTTT",
        ];
        let map = Grid::from_fn(25, art.len(), |x, y| art[y].as_bytes()[x]);
        let straight = straight_runs(&map).iter().filter(|r| (r.x, r.y) == (13, 8)).count();
        assert_eq!(straight, 1);
        for seed in 0..20 {
            let mut mended = map.clone();
            let done = repair(&mut mended, Seed(seed), &Repair::default(), &Ctx::default()).unwrap();
            assert_eq!(done.left, 0, "seed {seed}");
            assert!(areas(&mended).1.iter().all(|&s| s >= 4), "seed {seed}");
        }
    }

    #[test]
    fn what_may_not_change_stays() {
        let mut map = Grid::from_fn(30, 30, |x, _| (x >= 15) as u8);
        let allowed = |tile: usize, class: u8| tile % 30 >= 15 && class == 0;
        let rule = Repair { allowed: &allowed, ..Repair::default() };
        let done = repair(&mut map, Seed(2), &rule, &Ctx::default()).unwrap();
        assert_eq!(done.left, 0);
        assert!((0..30).all(|y| map.row(y)[..15].iter().all(|&c| c == 0)));
    }
}
