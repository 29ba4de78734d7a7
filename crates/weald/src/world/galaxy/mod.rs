//! A block of space: stars found by testing every cubic light year, and nebulae where a sum of profiles in three
//! dimensions is above a threshold.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`stars`] | where stars are |
//! | [`stats`] | density, nearest star, planets, and whether colour and planets are correlated |
//! | [`params`] | parameters |

mod catalogue;
mod explain;
pub mod params;
pub mod stars;
pub mod stats;
mod style;
mod world;

pub use params::GalaxyParams;
pub use world::GalaxyWorld;

use super::Phases;
use crate::error::{Error, Result};
use crate::params::Params;
use stars::{Star, Stars};
use std::sync::Arc;
use weald_core::waves::{Reading, Rows, WaveRule, Waves, original};
use weald_core::{Ctx, Grid, Seed, par};

/// Cubic light years that a block may have.
pub const MAX_VOLUME: u64 = 1 << 38;

/// Lengths of the profiles of a drawn galaxy: primes near 256.
const LENGTHS: [usize; 5] = [241, 251, 257, 263, 269];

/// A block of space, seen along z: row r and column c of a grid are y = top + r and x = left + c.
#[derive(Clone)]
pub struct Galaxy {
    /// What it was made with.
    pub params: GalaxyParams,
    /// The seed.
    pub seed: Seed,
    /// x of the first column, y of the first row, z of the nearest layer.
    pub corner: [i64; 3],
    /// Gas along each column of space, in density times light years: the nearest, middle and furthest third of the depth.
    pub gas: [Grid<f32>; 3],
    /// The sum of the three.
    pub nebula: Grid<f32>,
    /// Stars in each column of space.
    pub count: Grid<u16>,
    /// All stars, by z, then y, then x.
    pub stars: Vec<Star>,
    /// Expected stars per cubic light year.
    pub expected: f64,
}

/// Makes the galaxy in a block of `size` = (width, height) and the depth of the parameters.
///
/// ```
/// use weald::core::{Ctx, Seed};
/// use weald::world::galaxy::{self, GalaxyParams};
/// let galaxy = galaxy::generate((80, 60), Seed(1), &GalaxyParams::default(), &Ctx::default())?;
/// assert_eq!(galaxy.corner, [-40, -30, 1]);
/// # Ok::<(), weald::Error>(())
/// ```
pub fn generate(size: (usize, usize), seed: Seed, p: &GalaxyParams, ctx: &Ctx) -> Result<Galaxy> {
    p.validate()?;
    make(size, seed, p, &mut Phases::once(), ctx)
}

/// Makes a galaxy from valid parameters.
fn make(
    size: (usize, usize),
    seed: Seed,
    p: &GalaxyParams,
    phases: &mut Phases,
    ctx: &Ctx,
) -> Result<Galaxy> {
    let (width, height) = size;
    let volume = (width as u64).saturating_mul(height as u64).saturating_mul(p.depth_ly as u64);
    if volume == 0 || volume > MAX_VOLUME {
        let message = format!(
            "size = {width}x{height} with depth_ly = {}: a block must have between 1 and {MAX_VOLUME} cubic light years",
            p.depth_ly
        );
        return Err(Error::Invalid(message));
    }
    let corner = [p.at.x - (width / 2) as i64, p.at.y - (height / 2) as i64, p.at.z + 1];
    let stars = Stars::new(seed);
    phases.begin(&(size, seed.0));
    // Magnitudes do not change where stars are.
    let key = (p.depth_ly, &p.at, &p.nebula);
    let found = phases.phase("scan", &key, || {
        Ok(ctx.stage("scan", |c| scan(&stars, &nebula(seed, p), (size, corner), p, c))?)
    })?;
    let found = Arc::unwrap_or_clone(found);
    let [near, middle, far] = found.gas;
    let sum = |(a, (b, c)): (&f32, (&f32, &f32))| a + b + c;
    let cells = near.cells().iter().zip(middle.cells().iter().zip(far.cells())).map(sum).collect();
    Ok(Galaxy {
        params: p.clone(),
        seed,
        corner,
        nebula: Grid::from_vec(width, height, cells),
        gas: [near, middle, far],
        count: found.count,
        stars: found.stars,
        expected: stars.expected(),
    })
}

/// Third coefficients of the gas of seed 0, a third of the first two and in turns.
const DEPTH: [i64; 5] = [9, -12, 11, -8, 10];

/// The sum of profiles that is gas where it is above the threshold.
///
/// Seed 0 has the coefficients of the document's heights with [`DEPTH`]; any other seed has its own profiles and
/// directions, 36° apart in the plane of the sky. All are times the fineness. Along the line of sight every wave is two
/// to ten times as long as across it: a view adds up the gas along z, and were the waves as short there, they would
/// cancel out and leave streaks along the one that is not.
fn nebula(seed: Seed, p: &GalaxyParams) -> Waves {
    let times = p.nebula.fineness as i64;
    if seed.0 == 0 {
        let [a, b, _] = original::HEIGHT;
        return original::waves([a, b, DEPTH].map(|axis| axis.map(|c| c * times)));
    }
    let parts = (24.0 * times as f64, 30.0 * times as f64);
    let mut waves =
        Waves::drawn(seed.of("nebula"), &WaveRule { lengths: LENGTHS, parts_per_m: parts, repeat_m: 0.0 });
    // From 1 to 4 parts per light year to 3 to 12.
    waves.each.iter_mut().for_each(|w| w.along[2] *= 3 * times);
    waves
}

/// The result of one scan over every place.
#[derive(Clone)]
struct Scan {
    gas: [Grid<f32>; 3],
    count: Grid<u16>,
    stars: Vec<Star>,
}

/// Scans every place of the block: Σ max(0, h − threshold) along z in three parts, and the stars. Heights are whole
/// numbers of 1/128, so that sums are exact and their order does not matter. Reach: column; rows in parallel.
fn scan(
    stars: &Stars,
    nebula: &Waves,
    ((width, height), [left, top, front]): ((usize, usize), [i64; 3]),
    p: &GalaxyParams,
    ctx: &Ctx,
) -> weald_core::Result<Scan> {
    let gas = Rows::new(nebula, Reading::Height);
    let (depth, threshold) = (p.depth_ly as usize, p.nebula.threshold * 128);
    let rows = par::map(
        height,
        ctx,
        #[inline(always)]
        |r| {
            let y = top + r as i64;
            let mut sums = vec![0u32; 3 * width];
            let mut scratch = vec![0u32; width];
            let mut found = Vec::new();
            for layer in 0..depth {
                let z = front + layer as i64;
                gas.fill([left, y, z], &mut scratch);
                let part = layer * 3 / depth;
                for (sum, value) in sums[part * width..][..width].iter_mut().zip(&scratch) {
                    *sum += value.saturating_sub(threshold);
                }
                stars.row([left, y, z], &mut scratch, |star| found.push(star));
            }
            (sums, found)
        },
    )?;
    let part = |k: usize| {
        let cells = rows.iter().flat_map(|(sums, _)| &sums[k * width..][..width]);
        Grid::from_vec(width, height, cells.map(|&v| v as f32 * (1.0 / 128.0)).collect())
    };
    let gas = [part(0), part(1), part(2)];
    let mut stars: Vec<Star> = rows.into_iter().flat_map(|(_, found)| found).collect();
    stars.sort_unstable_by_key(|s| [s.place[2], s.place[1], s.place[0]]);
    let mut count = Grid::filled(width, height, 0u16);
    for star in &stars {
        count[((star.place[0] - left) as usize, (star.place[1] - top) as usize)] += 1;
    }
    Ok(Scan { gas, count, stars })
}
