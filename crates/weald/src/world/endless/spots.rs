//! The whole answer about a place: what the document's query says, and the surface of the map there.
//!
//! The surface is that of the nearest whole place: the terrain with streams, marshes, roads, bridges and buildings on it, cell
//! for cell the layer `surface` of a window. It depends on ponds and cones far around, so it is made in square tiles, and the
//! world keeps the latest of them.

use super::kinds::{Feature, Terrain};
use super::map::surface;
use super::place::{Endless, Terra};
use super::placed::Place;
use super::roads::{Network, Road};
use super::window::Window;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use weald_core::waves::round;
use weald_core::{Cancelled, Ctx, Grid, par};

/// Side of a tile, in metres.
const TILE_M: i64 = 256;
/// Tiles that are made and read at a time.
const AT_ONCE: usize = 256;
/// Tiles that are kept, at 64 KiB each.
const KEPT_TILES: usize = 1024;
/// Starts of roads that are kept, at about 7 KiB each.
const KEPT_STARTS: usize = 16_384;
/// Places that one task answers.
pub(super) const TASK: usize = 2048;

/// The whole answer about a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// What the document's query says.
    pub terra: Terra,
    /// What lies on top at the nearest whole place: the layer `surface`.
    pub surface: Terrain,
    /// The version of the feature, if there is one ([`Endless::version`]).
    pub version: Option<u8>,
}

/// What was worked out for earlier questions. It changes no answer.
#[derive(Debug, Default)]
pub(super) struct Known {
    tiles: BTreeMap<Place, Arc<Grid<u8>>>,
    network: Option<Network>,
}

/// The tile of a whole place.
fn tile_of((x, y): Place) -> Place {
    (x.div_euclid(TILE_M), y.div_euclid(TILE_M))
}

/// The window of a tile.
fn tile_window((x, y): Place) -> Window {
    let side = TILE_M as usize;
    Window { west: x * TILE_M, north: (y + 1) * TILE_M - 1, width: side, height: side }
}

impl Endless {
    /// The whole answer about a place, x east and y north, both within ±10⁹ m. The first question in a region takes 10
    /// to 20 ms, later ones nearby about a microsecond.
    ///
    /// ```
    /// use weald::core::Seed;
    /// use weald::world::endless::{Endless, EndlessParams, Terrain};
    /// let world = Endless::new(Seed(0), &EndlessParams::default())?;
    /// let spot = world.spot(-133.0, 44.0);
    /// assert_eq!(spot.terra, world.terra(-133.0, 44.0));
    /// # Ok::<(), weald::Error>(())
    /// ```
    pub fn spot(&self, x: f64, y: f64) -> Spot {
        let spots = self.spots(&[(x, y)], &Ctx::default()).expect("nothing cancels this");
        spots[0]
    }

    /// [`Endless::spot`] of many places. Reach: that of streams and roads.
    pub fn spots(&self, places: &[(f64, f64)], ctx: &Ctx) -> Result<Vec<Spot>, Cancelled> {
        let surfaces = self.surfaces(places, ctx)?;
        let tasks = par::map(places.len().div_ceil(TASK), ctx, |task| {
            let range = task * TASK..((task + 1) * TASK).min(places.len());
            range.map(|i| self.spot_on(places[i], surfaces[i])).collect::<Vec<_>>()
        })?;
        Ok(tasks.into_iter().flatten().collect())
    }

    /// The whole answer about a place with a known surface.
    pub(super) fn spot_on(&self, (x, y): (f64, f64), surface: Terrain) -> Spot {
        let terra = self.terra(x, y);
        let version = (terra.feature != Feature::None).then(|| self.version((round(x), round(y))));
        Spot { terra, surface, version }
    }

    /// The surface at the nearest whole place of each place.
    pub(super) fn surfaces(&self, places: &[(f64, f64)], ctx: &Ctx) -> Result<Vec<Terrain>, Cancelled> {
        let whole = |i: u32| {
            let (x, y) = places[i as usize];
            (round(x), round(y))
        };
        let tile = |i: u32| tile_of(whole(i));
        let mut order: Vec<u32> = (0..places.len() as u32).collect();
        let mut tiles: Vec<Place> = Vec::new();
        for &i in &order {
            let tile = tile(i);
            if tiles.last() != Some(&tile) {
                tiles.push(tile);
            }
        }
        tiles.sort_unstable();
        tiles.dedup();
        let many = tiles.len() > AT_ONCE;
        if many {
            order.sort_by_cached_key(|&i| tile(i));
        }
        let mut out = vec![Terrain::Z; places.len()];
        let mut rest = order.as_slice();
        for tiles in tiles.chunks(AT_ONCE) {
            let last = tiles[tiles.len() - 1];
            let count = if many { rest.partition_point(|&i| tile(i) <= last) } else { rest.len() };
            let (now, later) = rest.split_at(count);
            rest = later;
            let grids = self.surface_tiles(tiles, ctx)?;
            for &i in now {
                let (place, tile) = (whole(i), tile(i));
                let number = tiles.binary_search(&tile).expect("the tile of every place was made");
                let cell = tile_window(tile).cell(place).expect("a place is in its tile");
                out[i as usize] = Terrain::of_code(grids[number][cell]).expect("the surface is a terrain");
            }
        }
        Ok(out)
    }

    /// The surfaces of some tiles, which are sorted, in their order: those that are known, and the others made.
    fn surface_tiles(&self, tiles: &[Place], ctx: &Ctx) -> Result<Vec<Arc<Grid<u8>>>, Cancelled> {
        // Nothing is computed under the lock: a thread that waits for others may be given another question to this world.
        // A thread that panicked has left whole tiles behind, which are good.
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: BTreeMap<Place, Arc<Grid<u8>>> = {
            let known = known();
            let of = |tile: &Place| Some((*tile, Arc::clone(known.tiles.get(tile)?)));
            tiles.iter().filter_map(of).collect()
        };
        let missing: Vec<Place> = tiles.iter().filter(|&tile| !all.contains_key(tile)).copied().collect();
        if missing.is_empty() {
            return Ok(all.into_values().collect());
        }
        // The network of the roads is made with these tables.
        self.tables();
        let mut network = known().network.take().unwrap_or_else(|| Network::new(self));
        let mut roads: Vec<Vec<Road>> = Vec::new();
        for &tile in &missing {
            roads.push(self.roads_of(&mut network, &tile_window(tile), ctx)?);
            if network.len() > KEPT_STARTS {
                network = Network::new(self);
            }
        }
        let made = par::map(missing.len(), ctx, |i| {
            let window = tile_window(missing[i]);
            let survey = self.survey(&window, ctx)?;
            let (streams, buildings) = (self.streams(&window, ctx)?, self.buildings(&window));
            surface(self, &window, &survey, (&streams, &roads[i], &buildings), ctx)
        })?;
        let mut known = known();
        known.network = Some(network);
        if known.tiles.len() + missing.len() > KEPT_TILES {
            known.tiles.clear();
        }
        for (tile, made) in missing.into_iter().zip(made) {
            let made = Arc::new(made?);
            known.tiles.insert(tile, Arc::clone(&made));
            all.insert(tile, made);
        }
        // In the order of the tiles, which are sorted.
        Ok(all.into_values().collect())
    }
}
