//! Lakes in valleys.

use super::params::RealmParams;
use weald_core::hydro::{self, Outlets};
use weald_core::{Ctx, Dir8, Grid, Result, Seed, dir8, distance, scatter};

/// Distance that lakes keep from the ocean and from the sides of the map, and their outlets from each other, in tiles.
const OCEAN_TILES: u16 = 6;
const SIDE_TILES: usize = 4;
const APART_TILES: f64 = 22.0;

/// Fewest and most tiles of a lake.
const SIZES: (usize, usize) = (8, 60);

/// Levels above the outlet that are tried, in metres, the highest first.
const RISES: [f32; 7] = [120.0, 80.0, 50.0, 30.0, 18.0, 10.0, 5.0];

/// Tiles that must drain through an outlet.
const DRAINED: u32 = 60;

/// Lakes (1) among everything else (0).
///
/// A lake is dammed up at an outlet o on a stream: it covers the tiles that drain through o and lie below the level h(o) + δ. They are
/// connected, because water that flows from one of them to o only falls. δ is the highest of a few that gives a lake of at most the size
/// that a hash draws. Reach: whole map.
pub fn lakes(height: &Grid<f32>, seed: Seed, p: &RealmParams, ctx: &Ctx) -> Result<Grid<u8>> {
    let (w, h) = height.shape();
    let mut lakes = Grid::filled(w, h, 0u8);
    let wanted = (p.rivers.lakes as f64 * (w * h) as f64 / 65536.0).round() as usize;
    if wanted == 0 {
        return Ok(lakes);
    }
    let filled = hydro::fill(height, Outlets::Border, ctx)?;
    let flow = hydro::d8_over_filled(&filled, Outlets::Border, ctx)?;
    let drained = hydro::accumulation(&flow, ctx)?;
    let ocean = distance::chebyshev(w, h, OCEAN_TILES + 1, ctx, |i| height.cells()[i] < 0.0)?;
    let inside = |x: usize, n: usize| (SIDE_TILES..n.saturating_sub(SIDE_TILES)).contains(&x);
    let fits = |&i: &usize| {
        drained.cells()[i] >= DRAINED
            && ocean.cells()[i] > OCEAN_TILES
            && inside(i % w, w)
            && inside(i / w, h)
    };
    let mut outlets: Vec<usize> = (0..w * h).filter(fits).collect();
    outlets.sort_by_key(|&i| seed.at((i % w) as i64, (i / w) as i64));
    let mut made = 0;
    for outlet in scatter::min_spacing(w, outlets, APART_TILES) {
        if made == wanted {
            break;
        }
        let u = seed.unit_at(outlet as i64, 1);
        let most = SIZES.0 + ((SIZES.1 - SIZES.0) as f64 * u * u) as usize;
        let base = height.cells()[outlet];
        let lake = RISES.iter().find_map(|rise| {
            let tiles = upstream(&flow, outlet, most, |i| height.cells()[i] < base + rise)?;
            let clear = tiles
                .iter()
                .all(|&t| ocean.cells()[t] > OCEAN_TILES / 2 && inside(t % w, w) && inside(t / w, h));
            (tiles.len() >= SIZES.0 && clear).then_some(tiles)
        });
        if let Some(tiles) = lake {
            tiles.iter().for_each(|&t| lakes.cells_mut()[t] = 1);
            made += 1;
        }
    }
    Ok(lakes)
}

/// The tiles above a tile, itself not included, from which water comes over tiles that are `inside`; none if there are more than `most`.
fn upstream(
    flow: &Grid<Dir8>,
    from: usize,
    most: usize,
    inside: impl Fn(usize) -> bool,
) -> Option<Vec<usize>> {
    let (w, h) = flow.shape();
    let mut tiles = vec![from];
    let mut next = 0;
    while next < tiles.len() {
        let at = tiles[next];
        next += 1;
        dir8::neighbours(w, h, at % w, at / w, |d, x, y| {
            if flow[(x, y)] == d.opposite() && inside(y * w + x) {
                tiles.push(y * w + x);
            }
        });
        if tiles.len() > most + 1 {
            return None;
        }
    }
    tiles.remove(0);
    Some(tiles)
}
