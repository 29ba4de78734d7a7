//! The same ground on a sphere, without poles or seams: heights, kinds of ground and features are functions of the
//! Cartesian place, never of latitude and longitude.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`sphere`] | places by latitude and longitude, the six faces on which the planet is laid out, maps around a place |
//! | [`ground`] | what is at a place |
//! | `sampler` | the same for many places, by latitude and longitude |
//! | `placed` | things placed by the user |
//! | [`features`] | where the features stand |
//! | [`local`] | the map around a place, and legs on it |
//! | [`params`], [`classes`] | parameters; kinds by number and name |

mod catalogue;
pub mod classes;
mod explain;
pub mod features;
pub mod ground;
pub mod local;
pub mod params;
mod parts;
mod placed;
mod sampler;
pub mod sphere;
mod style;
mod world;

pub use params::PlanetParams;
pub use placed::Placed;
pub use world::PlanetWorld;

use super::Phases;
use crate::error::{Error, Result};
use crate::params::Params;
use classes::*;
use ground::Ground;
use sphere::{FACES, Vector};
use std::sync::Arc;
use weald_core::tiled::Window;
use weald_core::{Ctx, Grid, Seed, par};

/// Cells that a face may have along a side.
pub const MAX_SIDE: usize = 8192;

/// A planet: six faces of each layer, in the order of [`FACES`], and the features.
#[derive(Clone)]
pub struct Planet {
    /// What it was made with.
    pub params: PlanetParams,
    /// The seed.
    pub seed: Seed,
    /// The planet as a function of place.
    pub ground: Arc<Ground>,
    /// Height of the ground, or of the water above it.
    pub height: [Grid<f32>; 6],
    /// Depth of the water, 0 on land.
    pub depth: [Grid<f32>; 6],
    /// Kind of ground.
    pub terrain: [Grid<u8>; 6],
    /// The feature nearest to the centre of the cell among those inside it.
    pub feature: [Grid<u8>; 6],
    /// All features: by face, then by the second and the first whole coordinate.
    pub features: Vec<Thing>,
}

/// A feature on the planet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thing {
    /// What it is, a value of [`FEATURES`].
    pub kind: u8,
    /// Number of its face.
    pub face: usize,
    /// Where it is; two coordinates are whole.
    pub place: Vector,
}

/// Makes a planet whose faces have `side` cells along each side.
///
/// ```
/// use weald::core::{Ctx, Seed};
/// use weald::world::planet::{self, PlanetParams};
/// let params = PlanetParams { radius_m: 500.0, ..PlanetParams::default() };
/// let planet = planet::generate(32, Seed(0), &params, &Ctx::default())?;
/// assert_eq!(planet.height[0].len(), 32 * 32);
/// # Ok::<(), weald::Error>(())
/// ```
pub fn generate(side: usize, seed: Seed, p: &PlanetParams, ctx: &Ctx) -> Result<Planet> {
    p.validate()?;
    make(side, seed, p, &mut Phases::once(), ctx)
}

/// Makes a planet from valid parameters, phase by phase.
fn make(side: usize, seed: Seed, p: &PlanetParams, phases: &mut Phases, ctx: &Ctx) -> Result<Planet> {
    if !(2..=MAX_SIDE).contains(&side) {
        let message =
            format!("size = {side}x{side}: a face must have between 2 and {MAX_SIDE} cells along each side");
        return Err(Error::Invalid(message));
    }
    let ground = Arc::new(Ground::of(seed, p).map_err(Error::Invalid)?);
    let whole = Window { x: 0, y: 0, width: side, height: side };
    // Features do not depend on the number of cells.
    phases.begin(&(seed.0, p));
    let things =
        phases.phase("features", &(), || Ok(ctx.stage("features", |c| features::find(&ground, c))?))?;
    let laid =
        phases.phase("faces", &side, || Ok(ctx.stage("faces", |c| faces(&ground, (side, whole), p, c))?))?;
    let features = Arc::unwrap_or_clone(things);
    let (height, depth, terrain) = Arc::unwrap_or_clone(laid);
    let feature = ctx.stage("feature cells", |c| feature_cells(&features, (side, whole), c))?;
    Ok(Planet { params: p.clone(), seed, ground, height, depth, terrain, feature, features })
}

/// Grids of the six faces.
type Six<T> = [Grid<T>; 6];

/// Height, depth and kind.
type Laid = (Six<f32>, Six<f32>, Six<u8>);

/// Height, depth and kind at the centre of every cell, at the place radius·direction: with h the ground and l the level,
/// height = max(h, l) and depth = max(l − h, 0). The cells are those of a window of faces of `side` by `side` cells. Reach: point.
fn faces(
    ground: &Ground,
    (side, window): (usize, Window),
    p: &PlanetParams,
    ctx: &Ctx,
) -> weald_core::Result<Laid> {
    let middles = sphere::middles(side);
    let (columns, rows) = (&middles[window.x..window.x + window.width], &middles[window.y..]);
    let (w, h) = window.shape();
    let empty = || std::array::from_fn(|_| Grid::filled(w, h, 0.0f32));
    let (mut height, mut depth): (Six<f32>, Six<f32>) = (empty(), empty());
    let mut terrain: Six<u8> = std::array::from_fn(|_| Grid::filled(w, h, 0));
    for (i, face) in FACES.iter().enumerate() {
        let cells = (height[i].rows_mut(), depth[i].rows_mut(), terrain[i].rows_mut());
        par::for_rows(
            cells,
            ctx,
            #[inline(always)]
            |r, (height, depth, terrain)| {
                for (c, &s) in columns.iter().enumerate() {
                    let place = face.direction(s, rows[r]).map(|k| k * p.radius_m);
                    let h = ground.height(place);
                    terrain[c] = ground.kind(place, h);
                    height[c] = h.max(p.lake_level) as f32;
                    depth[c] = (p.lake_level - h).max(0.0) as f32;
                }
            },
        )?;
    }
    Ok((height, depth, terrain))
}

/// The feature of each cell: the one nearest to its centre, the last of those equally near. Reach: cell.
fn feature_cells(
    things: &[Thing],
    (side, window): (usize, Window),
    ctx: &Ctx,
) -> weald_core::Result<Six<u8>> {
    ctx.checkpoint()?;
    let mut cells: Six<u8> = std::array::from_fn(|_| Grid::filled(window.width, window.height, NONE));
    let mut nearest: Vec<(usize, (usize, usize), f64, u8)> = things
        .iter()
        .map(|thing| {
            let (x, y) = FACES[thing.face].cell(thing.place, side);
            let inside = |v: f64| (v as usize).min(side - 1);
            let (dx, dy) = (x - x.floor() - 0.5, y - y.floor() - 0.5);
            (thing.face, (inside(x), inside(y)), dx * dx + dy * dy, thing.kind)
        })
        .filter(|&(_, (x, y), _, _)| window.contains(x, y))
        .collect();
    // The nearest is written last.
    nearest.sort_by(|a, b| b.2.total_cmp(&a.2));
    nearest.iter().for_each(|&(face, (x, y), _, kind)| cells[face][(x - window.x, y - window.y)] = kind);
    Ok(cells)
}
