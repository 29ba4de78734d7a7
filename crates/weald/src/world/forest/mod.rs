//! The forest: a tile grid with water, biomes, trails and passability.
//!
//! The document "Procedural Forest Terrain Generation Spec" (forest-terrain-v1) is normative; section numbers here
//! are its own. Heights are in its unit, 0 to 1. Read [`generate`] from top to bottom: it is the document in order.

mod catalogue;
pub(crate) mod chart;
pub mod classes;
pub mod cover;
mod explain;
pub mod land;
pub mod navigation;
pub mod params;
mod parts;
mod shaped;
mod style;
pub mod tiles;
pub mod trails;
pub mod water;
mod world;

pub use land::Authored;
pub use params::ForestParams;
pub use world::ForestWorld;

use super::Phases;
use crate::params::Params;
use crate::{Error, Result};
use std::sync::Arc;
use weald_core::{Cells, Ctx, Grid, Seed};

/// A finished forest.
#[derive(Clone)]
pub struct Forest {
    /// What it was made with.
    pub params: ForestParams,
    /// The seed.
    pub seed: Seed,
    /// Base maps and the shape of the ground.
    pub land: land::Land,
    /// Flow, lakes, streams, moisture.
    pub water: water::Water,
    /// Biomes, vegetation, ground.
    pub cover: cover::Cover,
    /// Game trails.
    pub trails: trails::Trails,
    /// Visibility, movement, passability.
    pub navigation: navigation::Navigation,
}

/// Makes a forest of `size` = (width, height) tiles. Authored maps take the place of generated ones.
///
/// ```
/// use weald::world::forest::{self, Authored, ForestParams};
/// use weald::core::{Ctx, Seed};
/// let forest = forest::generate((64, 64), Authored::default(), Seed(42), &ForestParams::default(), &Ctx::default())?;
/// assert_eq!(forest.land.height.len(), 64 * 64);
/// # Ok::<(), weald::Error>(())
/// ```
pub fn generate(
    size: (usize, usize),
    authored: Authored,
    seed: Seed,
    p: &ForestParams,
    ctx: &Ctx,
) -> Result<Forest> {
    p.validate()?;
    make(size, authored, (seed, p), &mut Phases::once(), ctx)
}

/// Makes a forest from valid parameters, phase by phase.
fn make(
    size: (usize, usize),
    authored: Authored,
    (seed, p): (Seed, &ForestParams),
    phases: &mut Phases,
    ctx: &Ctx,
) -> Result<Forest> {
    validate(size, &authored)?;
    let authored = authored.canonical();
    let maps = [&authored.height, &authored.roughness, &authored.vegetation_variance];
    phases.begin(&(size, seed.0, maps.map(|m| phases.fingerprint(m.as_ref().map(Cells::F32)))));
    let (noise, h) = ((&p.height_noise, &p.roughness_noise, &p.veg_variance_noise), &p.hydrology);
    let land = phases
        .phase("land", &(&p.elevation, noise, &p.landform), || land::land(size, authored, seed, p, ctx))?;
    let water = phases.phase("water", h, || water::water(&land, seed, p, ctx))?;
    let key = (&p.veg_variance_noise, &p.ground, &p.roughness_features);
    let cover = phases.phase("cover", &key, || cover::cover(&land, &water, p, ctx))?;
    let key = (&p.grid, &p.game_trails);
    let trails = phases.phase("trails", &key, || trails::trails(&land, &water, &cover, p, ctx))?;
    let key = (&p.movement, &p.visibility, &p.orientation);
    let playable = Playable::new(size.0, size.1, p);
    let navigation = phases.phase("navigation", &key, || {
        navigation::navigation(&land, &water, &cover, &trails, (p, &playable), ctx)
    })?;
    let (land, water, cover) =
        (Arc::unwrap_or_clone(land), Arc::unwrap_or_clone(water), Arc::unwrap_or_clone(cover));
    let (trails, navigation) = (Arc::unwrap_or_clone(trails), Arc::unwrap_or_clone(navigation));
    Ok(Forest { params: p.clone(), seed, land, water, cover, trails, navigation })
}

/// Validates size, shapes and values of the inputs.
fn validate((width, height): (usize, usize), authored: &Authored) -> Result<()> {
    if width == 0 || height == 0 || width.saturating_mul(height) > MAX_TILES {
        let message =
            format!("size = {width}x{height}: must be at least 1x1 and at most {MAX_TILES} tiles in all");
        return Err(Error::Invalid(message));
    }
    let maps = [("H", &authored.height), ("R", &authored.roughness), ("V", &authored.vegetation_variance)];
    for (name, map) in maps.into_iter().filter_map(|(n, m)| Some((n, m.as_ref()?))) {
        validate_map(name, map, (width, height))?;
    }
    Ok(())
}

/// An authored map must have the size of the world and hold values from 0 to 1.
fn validate_map(name: &str, map: &Grid<f32>, (width, height): (usize, usize)) -> Result<()> {
    if (map.width(), map.height()) != (width, height) {
        return Err(Error::Shape(format!(
            "map {name} is {}x{} but the world is {width}x{height}; give all maps one size, and leave the size of the \
             world out to take that of the maps",
            map.width(),
            map.height()
        )));
    }
    match map.cells().iter().position(|v| !(0.0..=1.0).contains(v)) {
        None => Ok(()),
        Some(i) => Err(Error::Invalid(format!(
            "map {name} at x={}, y={} is {}: must be between 0 and 1",
            i % width,
            i / width,
            map.cells()[i]
        ))),
    }
}

/// Tiles a map may have: indices are 32-bit.
pub const MAX_TILES: usize = 1 << 31;

/// Bytes of memory per tile, at most, while a forest is made, drawn and written. Together with the next two a
/// little more than was measured: 137 per tile at 4096², 154 at 2048² with seven threads.
pub const BYTES_PER_TILE: u64 = 144;

/// Bytes per tile of the squares that cover the map, in which trails are searched for.
pub const BYTES_PER_SQUARE: u64 = 12;

/// Bytes for the trails from one trail seed, in memory and as lines.
pub const BYTES_PER_SEED: u64 = 2000;

/// The playable area of the map (§1.2), in the cells of a part of it.
pub(crate) struct Playable {
    x: std::ops::Range<usize>,
    y: std::ops::Range<usize>,
}

impl Playable {
    /// That of a whole map.
    pub(crate) fn new(width: usize, height: usize, p: &ForestParams) -> Self {
        Self::of_part((0, 0), (width, height), p)
    }

    /// As a part sees it whose first tile is at (x, y) of a map of `size`.
    pub(crate) fn of_part((x, y): (usize, usize), size: (usize, usize), p: &ForestParams) -> Self {
        let inset = p.grid.playable_inset as usize;
        let along =
            |from: usize, n: usize| inset.saturating_sub(from)..n.saturating_sub(inset).saturating_sub(from);
        Self { x: along(x, size.0), y: along(y, size.1) }
    }

    #[inline]
    pub(crate) fn at(&self, x: usize, y: usize) -> bool {
        self.x.contains(&x) && self.y.contains(&y)
    }

    /// Number of playable tiles.
    pub(crate) fn area(&self) -> usize {
        self.x.len() * self.y.len()
    }
}
