//! The planet in tiles: a tile is the same part of all six faces. The features are found once; there are as many on any number of cells.

use super::catalogue::LAYERS;
use super::ground::Ground;
use super::{Planet, PlanetParams, Thing, faces, feature_cells, features};
use crate::catalogue::{LayerOf, LayerSpec};
use crate::error::{Error, Result};
use crate::world::parts::{Done, Found, Given, Merged, Parts, Pass};
use std::sync::{Arc, OnceLock};
use weald_core::tiled::Tiles;
use weald_core::{Ctx, Seed};

/// A planet in tiles.
pub(super) struct PlanetParts {
    params: PlanetParams,
    seed: Seed,
    ground: Arc<Ground>,
    tiles: Tiles,
    features: OnceLock<Vec<Thing>>,
}

/// Cells that a face may have along a side.
const MAX_SIDE: usize = 1 << 20;

const PASSES: &[Pass] = &[Pass { name: "faces", about: "The six faces, tile by tile" }];

impl PlanetParts {
    pub(super) fn new(params: &PlanetParams, seed: Seed, tiles: Tiles) -> Result<Self> {
        super::world::validate_face(tiles.shape())?;
        if !(2..=MAX_SIDE).contains(&tiles.width) {
            let side = tiles.width;
            let message = "a face in tiles must have between 2";
            return Err(Error::Invalid(format!(
                "size = {side}x{side}: {message} and {MAX_SIDE} cells along each side"
            )));
        }
        let ground = Arc::new(Ground::of(seed, params).map_err(Error::Invalid)?);
        Ok(Self { params: params.clone(), seed, ground, tiles, features: OnceLock::new() })
    }

    fn features(&self, ctx: &Ctx) -> Result<&Vec<Thing>> {
        if let Some(found) = self.features.get() {
            return Ok(found);
        }
        let found = ctx.stage("features", |c| features::find(&self.ground, c))?;
        // Another tile may have found the same in the meantime.
        Ok(self.features.get_or_init(|| found))
    }
}

impl Parts for PlanetParts {
    fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    fn passes(&self) -> &'static [Pass] {
        PASSES
    }

    fn layers(&self) -> Vec<LayerSpec> {
        LayerOf::specs(LAYERS)
    }

    fn reads(&self, _pass: usize) -> Vec<&'static str> {
        Vec::new()
    }

    fn writes(&self, _pass: usize) -> Vec<&'static str> {
        LAYERS.iter().map(|layer| layer.spec.name).collect()
    }

    fn tile(&self, _pass: usize, k: usize, _given: Given, ctx: &Ctx) -> Result<Done> {
        let (window, side, p) = (self.tiles.window(k), self.tiles.width, &self.params);
        let (height, depth, terrain) = ctx.stage("faces", |c| faces(&self.ground, (side, window), p, c))?;
        let things = self.features(ctx)?;
        let feature = ctx.stage("feature cells", |c| feature_cells(things, (side, window), c))?;
        let planet = Arc::new(Planet {
            params: p.clone(),
            seed: self.seed,
            ground: self.ground.clone(),
            height,
            depth,
            terrain,
            feature,
            features: Vec::new(),
        });
        Ok(Done::of(&LayerOf::layers(LAYERS, &planet)))
    }

    fn merge(&self, _pass: usize, _found: &Found, _ctx: &Ctx) -> Result<Merged> {
        Ok(Merged::default())
    }

    fn bytes_per_cell(&self) -> u64 {
        super::world::BYTES_PER_CELL
    }
}
