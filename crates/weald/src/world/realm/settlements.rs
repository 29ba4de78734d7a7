//! Settlements: where people would live, in five tiers.

use super::biomes::{
    BIOMES, BOREAL, DESERT, FOREST, GRASSLAND, LAKE, MOUNTAIN, OCEAN, SUBTROPICAL, TUNDRA, WETLAND,
};
use super::params::RealmParams;
use weald_core::region;
use weald_core::{Ctx, Grid, Result, Seed, distance};

/// Names of the tiers.
pub const KINDS: [&str; 5] = ["capital", "city", "town", "village", "hamlet"];

/// Radius of the footprint of each tier, in tiles.
pub const RADII: [usize; 5] = [3, 2, 1, 1, 0];

/// Least distance between settlements of the same tier or a higher one, in tiles.
const APART: [usize; 5] = [200, 44, 20, 0, 0];

/// Share of the settlements that are of tiers 2, 3 and 4.
const SHARES: [f64; 3] = [0.06, 0.17, 0.32];

/// People of the smallest settlement of each tier; the largest has three times as many.
const PEOPLE: [f64; 5] = [80_000.0, 15_000.0, 3000.0, 500.0, 60.0];

/// Tiles beyond a footprint where the rules of linear features are off.
pub const EXEMPT_TILES: u16 = 2;

/// Tiles of the smallest land that holds tiers 1 to 3, and of the smallest that holds any.
const LARGE_LAND: usize = 900;
const LEAST_LAND: usize = 24;

/// A settlement.
#[derive(Clone, Debug, PartialEq)]
pub struct Settlement {
    /// Tile of the centre.
    pub centre: u32,
    /// 1 for a capital to 5 for a hamlet.
    pub tier: usize,
    /// Tiles of the footprint, the centre first.
    pub footprint: Vec<u32>,
    /// Number of the land on which it lies.
    pub land: u32,
    /// People.
    pub population: u32,
    /// Whether it lies on a sheltered coast.
    pub harbour: bool,
}

/// What a place is judged by.
pub struct Site<'a> {
    /// Base classes.
    pub classes: &'a Grid<u8>,
    /// Rise over run.
    pub slope: &'a Grid<f32>,
    /// Links of rivers.
    pub rivers: &'a Grid<u8>,
}

/// Places the settlements, the best places first, tier by tier.
///
/// Capitals and cities of one land lie where land 5 tiles wide joins them, so that a railroad and a road between them find room.
///
/// score = biome + 0.5·river + 0.35·lake + harbour − 25·slope + 0.3·hash, where river and lake count within 2 tiles, and harbour is 0.2 on a coast and
/// up to 0.6 in a bay. Reach: 8 tiles, and the settlements before.
pub fn settlements(site: &Site, seed: Seed, p: &RealmParams, ctx: &Ctx) -> Result<Vec<Settlement>> {
    let classes = site.classes;
    let (w, h) = classes.shape();
    let dry = classes.map(|&c| (c > LAKE) as u8);
    let (land, sizes) = region::areas(&dry);
    let wide = wide_land(classes, ctx)?;
    let (wide_area, _) = region::areas(&wide);
    let within = |of: u8| distance::chebyshev(w, h, 3, ctx, move |i| classes.cells()[i] == of);
    let (ocean, lake) = (within(OCEAN)?, within(LAKE)?);
    let river = distance::chebyshev(w, h, 3, ctx, |i| site.rivers.cells()[i] != 0)?;
    let shelter = sheltered(classes, &ocean);
    let livable = |biome: u8| match biome {
        GRASSLAND => 1.0,
        FOREST | SUBTROPICAL => 0.85,
        BOREAL => 0.5,
        WETLAND | DESERT => 0.25,
        TUNDRA => 0.15,
        MOUNTAIN => 0.05,
        _ => f64::NEG_INFINITY,
    };
    let score = |i: usize| {
        let near = |d: &Grid<u16>| (d.cells()[i] <= 2) as u8 as f64;
        let harbour = if ocean.cells()[i] <= 1 { 0.2 + 0.8 * shelter.cells()[i] as f64 } else { 0.0 };
        livable(classes.cells()[i]) + 0.5 * near(&river) + 0.35 * near(&lake) + harbour
            - 25.0 * site.slope.cells()[i] as f64
            + 0.3 * seed.unit_at((i % w) as i64, (i / w) as i64)
    };
    let inside = |v: usize, n: usize| v >= 4 && v + 4 < n;
    let fits = |&i: &usize| {
        dry.cells()[i] == 1
            && site.rivers.cells()[i] == 0
            && inside(i % w, w)
            && inside(i / w, h)
            && sizes[land.cells()[i] as usize] as usize >= LEAST_LAND
    };
    let mut ranked: Vec<(i64, usize)> =
        (0..w * h).filter(fits).map(|i| ((-1e6 * score(i)) as i64, i)).collect();
    ranked.sort_unstable();
    let tiles = dry.cells().iter().filter(|d| **d != 0).count() as f64;
    let total = p.settlements.density * tiles / 10_000.0;
    let mut chosen: Vec<Settlement> = Vec::new();
    for (tier, wanted) in counts(total, tiles) {
        let mut left = wanted;
        for (k, &(_, i)) in ranked.iter().enumerate() {
            if left == 0 {
                break;
            }
            if k.is_multiple_of(4096) {
                ctx.checkpoint()?;
            }
            let large = sizes[land.cells()[i] as usize] as usize >= LARGE_LAND;
            if (tier <= 3 && !large) || !apart(&chosen, i, tier, w, p) {
                continue;
            }
            let joined = |other: &Settlement| {
                let at = other.centre as usize;
                land.cells()[at] != land.cells()[i] || wide_area.cells()[at] == wide_area.cells()[i]
            };
            if tier <= 2 && (wide.cells()[i] == 0 || !chosen.iter().all(joined)) {
                continue;
            }
            let footprint = footprint(&dry, i, RADII[tier - 1]);
            let people = PEOPLE[tier - 1] * (1.0 + 2.0 * seed.unit_at(i as i64, -1));
            chosen.push(Settlement {
                centre: i as u32,
                tier,
                footprint,
                land: land.cells()[i] + 1,
                population: (people / 10.0).round() as u32 * 10,
                harbour: ocean.cells()[i] <= 2 && shelter.cells()[i] > 0.0,
            });
            left -= 1;
        }
    }
    Ok(chosen)
}

/// Tiles that belong to a square of 5 by 5 tiles of land: 1, others 0.
pub fn wide_land(classes: &Grid<u8>, ctx: &Ctx) -> Result<Grid<u8>> {
    let (w, h) = classes.shape();
    let from_water = distance::chebyshev(w, h, 3, ctx, |i| classes.cells()[i] <= LAKE)?;
    let near_middle = distance::chebyshev(w, h, 3, ctx, |i| from_water.cells()[i] > 2)?;
    Ok(near_middle.map(|&d| (d <= 2) as u8))
}

/// How many settlements of each tier there are to be.
fn counts(total: f64, land_tiles: f64) -> [(usize, usize); 5] {
    let capitals = if total < 1.0 { 0.0 } else { (land_tiles / 250_000.0).ceil() };
    let part = |share: f64| (share * total).round() as usize;
    let (cities, towns, villages) = (part(SHARES[0]).max(2), part(SHARES[1]), part(SHARES[2]));
    let rest = (total.round() as usize).saturating_sub(capitals as usize + cities + towns + villages);
    match total < 1.0 {
        true => [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)],
        false => [(1, capitals as usize), (2, cities), (3, towns), (4, villages), (5, rest)],
    }
}

/// Whether a place keeps its distance from all settlements so far.
fn apart(chosen: &[Settlement], tile: usize, tier: usize, w: usize, p: &RealmParams) -> bool {
    chosen.iter().all(|s| {
        let other = s.centre as usize;
        let (dx, dy) = ((tile % w).abs_diff(other % w), (tile / w).abs_diff(other / w));
        let footprints = RADII[tier - 1] + RADII[s.tier - 1] + p.settlements.spacing_tiles as usize;
        // Those so far are of the same tier or a higher one.
        dx * dx + dy * dy >= APART[tier - 1].pow(2) && dx.max(dy) >= footprints
    })
}

/// How much a place on the coast lies in a bay: the share of land among the tiles on a ring of radius 5, above one half; 0 elsewhere.
fn sheltered(classes: &Grid<u8>, ocean: &Grid<u16>) -> Grid<f32> {
    let (w, h) = classes.shape();
    Grid::from_fn(w, h, |x, y| {
        if ocean[(x, y)] > 2 || classes[(x, y)] <= LAKE {
            return 0.0;
        }
        let ring = (-5i64..=5).flat_map(|dy| (-5i64..=5).map(move |dx| (dx, dy)));
        let on = ring.filter(|(dx, dy)| (16..=27).contains(&(dx * dx + dy * dy)));
        let (mut land, mut all) = (0u32, 0u32);
        for (dx, dy) in on {
            let (nx, ny) = (x as i64 + dx, y as i64 + dy);
            if classes.contains(nx, ny) {
                land += (classes[(nx as usize, ny as usize)] != OCEAN) as u32;
                all += 1;
            }
        }
        let share = land as f32 / all.max(1) as f32;
        if share > 0.55 { share - 0.5 } else { 0.0 }
    })
}

/// The land within a disc around a tile that is connected with it, the tile first: dx² + dy² ≤ r² + r.
fn footprint(dry: &Grid<u8>, centre: usize, radius: usize) -> Vec<u32> {
    let (w, h) = dry.shape();
    let mut tiles = vec![centre as u32];
    let mut next = 0;
    while next < tiles.len() {
        let tile = tiles[next] as usize;
        next += 1;
        let (x, y) = (tile % w, tile / w);
        for (nx, ny) in [(x.wrapping_sub(1), y), (x, y.wrapping_sub(1)), (x + 1, y), (x, y + 1)] {
            if nx >= w || ny >= h || dry[(nx, ny)] == 0 {
                continue;
            }
            let (dx, dy) = (nx.abs_diff(centre % w), ny.abs_diff(centre / w));
            let near = (ny * w + nx) as u32;
            if dx * dx + dy * dy <= radius * radius + radius && !tiles.contains(&near) {
                tiles.push(near);
            }
        }
    }
    tiles
}

/// The name of the biome of a settlement's centre.
pub fn biome_name(classes: &Grid<u8>, settlement: &Settlement) -> &'static str {
    BIOMES[classes.cells()[settlement.centre as usize] as usize].name
}
