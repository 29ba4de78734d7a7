//! Ground cover as seen from above: for the picture, and as a hint for games.

use super::water::Water;
use crate::catalogue::{Class, classes};
use weald_core::distance::Nearby;
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald_core::{Cancelled, Ctx, Frame, Grid, Seed, par, slope};

classes! {
    /// Ground cover. Lightness differs by about 5 of 100 from one colour of land to the next, so that they can be told apart without
    /// their hues too: snow, beach, grass, heath, marsh, wood, rock.
    COVER:
    /// Deeper than the shallows.
    SEA = 0 "sea" [150, 190, 214];
    /// Sea near the coast.
    SHALLOWS = 1 "shallows" [184, 216, 228];
    /// Sand.
    BEACH = 2 "beach" [241, 229, 190];
    /// Wet ground by a river.
    MARSH = 3 "marsh" [166, 200, 152];
    /// Open ground.
    GRASS = 4 "grass" [211, 221, 158];
    /// Trees.
    WOOD = 5 "wood" [146, 183, 124];
    /// Dry or high open ground.
    HEATH = 6 "heath" [216, 203, 160];
    /// Bare or steep.
    ROCK = 7 "rock" [166, 156, 150];
    /// Above the snow line.
    SNOW = 8 "snow" [244, 246, 248];
}

/// Distance from the coast up to which the sea is shallow, in cells.
pub(super) const SHALLOW_CELLS: f32 = 8.0;
/// Height below which there is sand, in metres, and distance from the coast, in cells.
pub(super) const SAND: (f32, f32) = (2.0, 2.5);
/// Marsh: greatest height in metres, greatest slope, and greatest distance from a river, squared and in cells.
pub(super) const MARSHES: (f32, f32, u32) = (8.0, 0.03, 9);
/// Heights in metres above which there are no trees, no plants, and snow.
pub(super) const LIMITS_M: [f32; 3] = [1100.0, 1700.0, 2300.0];
/// Slope from which the ground is bare.
pub(super) const STEEP: f32 = 0.7;
/// Lushness from which trees grow, and from which grass grows.
pub(super) const LUSH: [f32; 2] = [0.52, 0.4];
/// Distance from a river beyond which it adds no lushness, and the same for the coast, in cells.
const DRY_CELLS: [f32; 2] = [60.0, 100.0];
/// Share of randomness in what grows.
const CHANCE: f32 = 0.3;
/// Wavelength of patches of different growth.
pub(super) const PATCHES: Fractal =
    Fractal { wavelength_m: 70.0, octaves: 4, persistence: 0.6, lacunarity: 2.0 };

/// What decides the cover of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// Metres above the sea.
    pub(super) height: f32,
    /// Rise over run.
    pub(super) slope: f32,
    /// Distance from the coast in cells.
    pub(super) shore: f32,
    /// Squared distance from the nearest river in cells.
    pub(super) river: u32,
    /// Patches of noise.
    pub(super) patch: f32,
}

impl Site {
    /// How well plants grow, about 0 to 1.
    #[inline(always)]
    pub(super) fn lush(&self) -> f32 {
        let low = (1.0 - self.height / LIMITS_M[0]).max(0.0);
        let bank = (1.0 - (self.river as f32).sqrt() / DRY_CELLS[0]).max(0.0);
        let coast = (1.0 - self.shore / DRY_CELLS[1]).max(0.0);
        (1.0 - CHANCE) / 3.0 * (low + bank + coast) + CHANCE * (0.5 + self.patch)
    }

    /// The class of [`COVER`].
    #[inline(always)]
    pub(super) fn cover(&self) -> u8 {
        let (lush, &Site { height, slope, shore, river, .. }) = (self.lush(), self);
        match height {
            _ if height < 0.0 && shore > SHALLOW_CELLS => SEA,
            _ if height < 0.0 => SHALLOWS,
            _ if height > LIMITS_M[2] => SNOW,
            _ if height > LIMITS_M[1] || slope > STEEP => ROCK,
            _ if height > LIMITS_M[0] => HEATH,
            _ if height < SAND.0 && shore < SAND.1 => BEACH,
            _ if height < MARSHES.0 && slope < MARSHES.1 && river <= MARSHES.2 => MARSH,
            _ if lush > LUSH[0] => WOOD,
            _ if lush > LUSH[1] => GRASS,
            _ => HEATH,
        }
    }
}

/// Classes of [`COVER`] from height, slope, and the distances from coast and river.
///
/// What grows depends on lushness, 0.7·(mean of 1 − h/1100, 1 − r/60 and 1 − d/100, each at least 0) + 0.3·(½ + patches of noise) with
/// h the height in metres, r and d the distances from river and coast in cells. Reach: 1 cell.
pub fn cover(
    water: &Water,
    (shore, near): (&Grid<f32>, &Nearby),
    seed: Seed,
    cell_m: f64,
    ctx: &Ctx,
) -> Result<Grid<u8>, Cancelled> {
    let (w, h) = (shore.width(), shore.height());
    let slope = slope::rise_over_run(&water.height, cell_m, ctx)?;
    let patches = fractal(&Frame::new(w, h, 1.0), seed, NoiseShape::Fbm, &PATCHES, ctx)?;
    par::fill(w, h, ctx, |y, row: &mut [u8]| {
        let ground = water.height.row(y).iter().zip(slope.row(y)).zip(patches.row(y));
        let places = shore.row(y).iter().zip(near.squared.row(y));
        for (out, (((&height, &slope), &patch), (&shore, &river))) in row.iter_mut().zip(ground.zip(places)) {
            *out = Site { height, slope, shore, river, patch }.cover();
        }
    })
}
