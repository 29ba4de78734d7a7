//! Maps of worlds without edges, tile by tile, at every scale.

use super::Job;
use crate::catalogue::{Catalogue, Lattice, Sampler};
use crate::error::{Error, Result};
use crate::render::{self, Image, Picture};
use crate::world::TileLook;
use std::sync::Arc;
use weald_core::{Ctx, Seed};

/// Metres around a tile that are drawn and cut off, so that lines and symbols go on in its neighbours.
const MARGIN_M: i64 = 24;

/// The scales of tiles: a pixel is 2^zoom metres wide.
pub const ZOOMS: std::ops::RangeInclusive<i32> = -3..=9;

/// The coarsest scale at which every metre is drawn: two metres a pixel. Coarser tiles show shaded ground.
pub const DETAILED: i32 = 1;

/// Makes the tiles of a world without edges.
pub struct Tiles {
    sampler: Arc<dyn Sampler>,
    pub(super) look: TileLook,
}

impl Job {
    /// The tiles of a world without edges; `None` if the world has edges.
    pub fn tiles(&self) -> Result<Option<Tiles>> {
        let Some(look) = self.recipe.world.info().tiles else { return Ok(None) };
        let sampler = self.recipe.world.plan(&self.recipe.params)?.sampler(Seed(self.recipe.seed))?;
        Ok(sampler.map(|sampler| Tiles { sampler, look }))
    }
}

impl Tiles {
    /// The world as a function of place.
    pub fn sampler(&self) -> &dyn Sampler {
        &*self.sampler
    }

    /// What is at the places of a lattice.
    pub fn catalogue(&self, at: &Lattice, ctx: &Ctx) -> Result<Catalogue> {
        let made = self.sampler.tile(at, ctx)?;
        made.ok_or_else(|| Error::Internal("a world with tiles makes none".into()))
    }

    /// The picture of a square of `px` × `px` pixels, each 2^`zoom` metres wide, whose north-west pixel begins at the place
    /// (`west`, `north`). Neighbouring tiles join without a seam. Tiles up to two metres a pixel are parts of the map that `weald generate`
    /// draws, without numbers of contours and north lines.
    pub fn picture(&self, (west, north): (i64, i64), zoom: i32, px: usize, ctx: &Ctx) -> Result<Image> {
        if !ZOOMS.contains(&zoom) || !(1..=2048).contains(&px) {
            let (least, most) = (ZOOMS.start(), ZOOMS.end());
            return Err(Error::Invalid(format!(
                "a tile must have a zoom between {least} and {most} and between 1 and 2048 pixels, not {zoom} and {px}"
            )));
        }
        if zoom > DETAILED {
            // Two samples a pixel along each side, and one more around for the light.
            let step = 1i64 << (zoom - 1);
            let side = 2 * px + 4;
            let (west, north) = (west + step / 2 - 2 * step, north - step / 2 + 2 * step);
            let at = Lattice { west, north, step: step as u32, width: side, height: side };
            let image = self.drawn(&at, None, ctx)?;
            return Ok(image.part((2, 2), (2 * px, 2 * px)).reduced(2));
        }
        let per_px = 1usize << zoom.max(0);
        let scale = 1usize << (-zoom).max(0);
        let metres = (px * per_px).div_ceil(scale);
        let side = metres + 2 * MARGIN_M as usize;
        let at =
            Lattice { west: west - MARGIN_M, north: north + MARGIN_M, step: 1, width: side, height: side };
        let image = self.drawn(&at, Some(side * scale), ctx)?;
        let (margin, drawn) = (MARGIN_M as usize * scale, px * per_px);
        Ok(image.part((margin, margin), (drawn, drawn)).reduced(per_px))
    }

    fn drawn(&self, at: &Lattice, px: Option<usize>, ctx: &Ctx) -> Result<Image> {
        let catalogue = self.catalogue(at, ctx)?;
        match render::draw_bare(&catalogue, (self.look.style)(&catalogue), px, ctx)? {
            Picture::Opaque(image) => Ok(image),
            _ => Err(Error::Internal("a tile is transparent".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles() -> Tiles {
        Job::new("endless").unwrap().tiles().unwrap().unwrap()
    }

    #[test]
    fn only_worlds_without_edges_have_tiles() {
        assert!(Job::new("island").unwrap().tiles().unwrap().is_none());
        assert_eq!(tiles().sampler().columns()[0].name, "height");
    }

    #[test]
    fn a_tile_is_the_middle_of_a_larger_one_at_every_scale() {
        let (tiles, ctx) = (tiles(), Ctx::default());
        for (zoom, most) in [(-1, 0.01), (0, 0.01), (1, 0.01), (2, 0.0), (6, 0.0)] {
            let (px, metre) = (64usize, |px: i64| if zoom < 0 { px >> -zoom } else { px << zoom });
            let large = tiles.picture((1400, 800), zoom, 2 * px, &ctx).unwrap();
            let corner = (1400 + metre(32), 800 - metre(32));
            let small = tiles.picture(corner, zoom, px, &ctx).unwrap();
            let part = large.part((32, 32), (px, px));
            let far =
                |a: [u8; 3], b: [u8; 3]| (0..3).any(|k| a[k].abs_diff(b[k]) > if zoom > 1 { 0 } else { 40 });
            let other =
                (0..px * px).filter(|i| far(part.at(i % px, i / px), small.at(i % px, i / px))).count();
            // Textures of marsh and mud and the smallest contours may begin elsewhere, which changes the edges of lines a little.
            assert!(other as f64 <= most * (px * px) as f64, "zoom {zoom}: {other} pixels differ");
        }
    }

    #[test]
    fn scales_that_do_not_exist_are_refused() {
        assert!(tiles().picture((0, 0), 40, 64, &Ctx::default()).is_err());
        assert!(tiles().picture((0, 0), 0, 0, &Ctx::default()).is_err());
        assert!(tiles().picture((999_999_990, 0), 0, 64, &Ctx::default()).is_err());
    }
}
