//! The endless world in tiles. It is a function of place, so a tile is a window of its own and needs no other.

use super::catalogue::LAYERS;
use super::map::generate;
use super::place::Endless;
use super::window::Window;
use crate::catalogue::{Kind, LayerOf, LayerSpec};
use crate::error::Result;
use crate::world::parts::{Done, Found, Given, Merged, Parts, Pass};
use std::sync::Arc;
use weald_core::tiled::Tiles;
use weald_core::{Ctx, Frame};

/// A window of the endless world in tiles.
pub(super) struct EndlessParts {
    world: Endless,
    /// The place of the first cell.
    from: (i64, i64),
    tiles: Tiles,
}

const PASSES: &[Pass] = &[Pass { name: "map", about: "The whole window, tile by tile" }];

impl EndlessParts {
    pub(super) fn new(world: Endless, tiles: Tiles) -> Result<Self> {
        let from = (world.params().at.x, world.params().at.y);
        let whole = Window { west: from.0, north: from.1, width: tiles.width, height: tiles.height };
        whole.validate()?;
        Ok(Self { world, from, tiles })
    }
}

impl Parts for EndlessParts {
    fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    fn frame(&self) -> Frame {
        let (x, y) = (self.from.0 as f64, -self.from.1 as f64);
        Frame { origin: (x - 0.5, y - 0.5), ..Frame::new(self.tiles.width, self.tiles.height, 1.0) }
    }

    fn passes(&self) -> &'static [Pass] {
        PASSES
    }

    fn layers(&self) -> Vec<LayerSpec> {
        // There is a layer for each level of mines that the parameters ask for.
        let levels = self.world.params().mines.levels as usize;
        let too_deep = |name: &str| {
            name.strip_prefix("mine_").is_some_and(|n| n.parse().is_ok_and(|n: usize| n > levels))
        };
        let mut layers = LayerOf::specs(LAYERS);
        layers.retain(|layer| matches!(layer.kind, Kind::Measure) || !too_deep(layer.name));
        layers
    }

    fn reads(&self, _pass: usize) -> Vec<&'static str> {
        Vec::new()
    }

    fn writes(&self, _pass: usize) -> Vec<&'static str> {
        self.layers().iter().map(|layer| layer.name).collect()
    }

    fn tile(&self, _pass: usize, k: usize, _given: Given, ctx: &Ctx) -> Result<Done> {
        let tile = self.tiles.window(k);
        let (west, north) = (self.from.0 + tile.x as i64, self.from.1 - tile.y as i64);
        let window = Window { west, north, width: tile.width, height: tile.height };
        let map = Arc::new(generate(&self.world, window, ctx)?);
        Ok(Done::of(&LayerOf::layers(LAYERS, &map)))
    }

    fn merge(&self, _pass: usize, _found: &Found, _ctx: &Ctx) -> Result<Merged> {
        Ok(Merged::default())
    }

    fn bytes_per_cell(&self) -> u64 {
        super::world::BYTES_PER_CELL + u64::from(self.world.params().mines.levels)
    }
}
