//! The city: a heightmap for city builders, with eroded land and a chosen share of buildable ground.
//!
//! The document "Algorithm Specification - Hybrid Zoned Generation + Hydraulic Erosion" is the source; section numbers are
//! its own. Heights are metres above the sea. Read [`generate`] from top to bottom: zones, terrain, ridges, coast, erosion, water.

mod catalogue;
pub(crate) mod chart;
pub mod coast;
pub mod erosion;
mod explain;
pub mod heightmap;
pub mod land;
pub mod params;
pub mod shape;
mod style;
mod surroundings;
pub mod water;
mod world;
pub mod worldmap;

pub use params::CityParams;
pub use water::Water;
pub use world::CityWorld;

use super::{Phases, validate_sides};
use crate::catalogue::{Class, classes};
use crate::params::Params;
use crate::{Error, Result};
use std::sync::Arc;
use weald_core::slope::SlopeStats;
use weald_core::{Cells, Ctx, Frame, Grid, Seed, par, slope, stats};

/// Slope up to which ground is buildable, rise over run.
pub const BUILDABLE: f64 = 0.05;

/// Slope up to which ground is nearly buildable.
pub const NEAR: f64 = 0.10;

/// Limit for spikes and pits: how far a cell may rise above its highest neighbour or lie below its lowest one, as a share of
/// the side of a cell.
pub const ROUGHEST: f64 = 0.02;

classes! {
    /// Buildability of a cell, by slope.
    BUILDABILITY:
    /// Steeper than 10 %.
    UNBUILDABLE = 0 "unbuildable" [178, 162, 148];
    /// Steeper than 5 %.
    NEARLY = 1 "near" [236, 216, 150];
    /// At most 5 %.
    GENTLE = 2 "buildable" [150, 192, 120];
    /// Sea, lake or river.
    WATER = 3 "water" [120, 160, 200];
}

/// A finished map.
#[derive(Clone)]
pub struct City {
    /// What it was made with.
    pub params: CityParams,
    /// The seed.
    pub seed: Seed,
    /// Where it lies.
    pub frame: Frame,
    /// What makes the land around it; none for a map made elsewhere.
    pub noise_land: Option<land::NoiseLand>,
    /// The land before erosion.
    pub land: land::Land,
    /// The land after erosion.
    pub eroded: erosion::Eroded,
    /// Slope of the finished ground, rise over run.
    pub slope: Grid<f32>,
    /// Classes of [`BUILDABILITY`].
    pub buildable: Grid<u8>,
    /// Rivers and lakes.
    pub water: Water,
    /// Figures.
    pub figures: Figures,
    /// The map joined with the land around it, if it was requested.
    pub joined: Option<Joined>,
}

/// The map joined with the land around it, without a step between them.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The world map, with the map at its centre.
    pub world: Grid<f32>,
    /// Where it lies.
    pub frame: Frame,
}

/// Figures of a finished map.
#[derive(Clone, Debug)]
pub struct Figures {
    /// Share of the cells with a potential above one half.
    pub coverage: f64,
    /// Share that is buildable before erosion, with ridges.
    pub buildable_after_ridges: f64,
    /// Share that is dry and buildable after erosion.
    pub buildable: f64,
    /// Share of heightmap.png that is above the sea and buildable in the game, with its 16 bits and its width.
    pub buildable_in_game: f64,
    /// Share of the sea.
    pub sea: f64,
    /// Slopes after erosion.
    pub slopes: SlopeStats,
    /// Single cells that erosion left as spikes, and as pits.
    pub rough: (u64, u64),
}

/// Makes a map of `size` = (width, height) cells. An authored height map, in metres above the sea, takes the place of zones,
/// terrain and ridges.
///
/// ```
/// use weald::world::city::{self, CityParams};
/// use weald::core::{Ctx, Seed};
/// let city = city::generate((256, 256), None, Seed(7), &CityParams::default(), &Ctx::default())?;
/// assert!((city.figures.buildable - 0.6).abs() <= 0.01);
/// # Ok::<(), weald::Error>(())
/// ```
pub fn generate(
    size: (usize, usize),
    authored: Option<Grid<f32>>,
    seed: Seed,
    p: &CityParams,
    ctx: &Ctx,
) -> Result<City> {
    p.validate()?;
    make(size, authored, (seed, p), &mut Phases::once(), ctx)
}

/// The land before erosion, and what makes the land around it.
#[derive(Clone)]
struct Start {
    noise_land: Option<land::NoiseLand>,
    land: land::Land,
}

/// Makes a map from valid parameters, phase by phase.
fn make(
    size: (usize, usize),
    authored: Option<Grid<f32>>,
    (seed, p): (Seed, &CityParams),
    phases: &mut Phases,
    ctx: &Ctx,
) -> Result<City> {
    validate(size, authored.as_ref())?;
    refuse_without_effect(authored.is_some(), p)?;
    let frame = Frame::new(size.0, size.1, p.map.size_m / size.0 as f64);
    phases.begin(&(size, seed.0, phases.fingerprint(authored.as_ref().map(Cells::F32))));
    let key = (&p.map, &p.zones, &p.terrain, &p.ridges);
    let start = phases.phase("land", &key, || start(&frame, authored, seed, p, ctx))?;
    let key = (&p.sea, &p.rivers, &p.erosion, &p.goal, &p.water);
    let eroded = phases.phase("erosion", &key, || {
        let coast = ctx.stage("coast", |c| coast::Coast::new(&frame, seed, p, c))?;
        let (land, noise_land) = (&start.land, start.noise_land.as_ref());
        let coast = coast.as_ref().filter(|_| noise_land.is_some());
        let sea = coast.map(|coast| coast.sea(&frame, ctx)).transpose()?;
        if let Some(share) = sea.as_ref().map(coast::Sea::share).filter(|s| (s - p.sea.share).abs() > 0.01) {
            return Err(Error::Invalid(format!(
                "sea.share = {}: cannot be met with this seed and size, where a bay opens at once; the nearest share is \
                 {share:.3}; ask for that, or take another seed",
                p.sea.share
            )));
        }
        erosion::Erosion { frame: &frame, land, noise_land, coast, sea: sea.as_ref(), seed, params: p }
            .run(ctx)
    })?;
    let (start, eroded) = (Arc::unwrap_or_clone(start), Arc::unwrap_or_clone(eroded));
    let slope = ctx.stage("slope", |c| slope::rise_over_run(&eroded.height, frame.cell_m, c))?;
    let water = water::water(&eroded.height, frame.cell_m, &eroded.inlets, &p.water, ctx)?;
    let buildable = ctx.stage("buildable", |c| classes_of(&slope, &water.wet, c))?;
    let figures =
        ctx.stage("figures", |c| figures((&frame, &p.map), &start.land, &eroded, (&slope, &buildable), c))?;
    let Start { noise_land, land } = start;
    let (params, joined) = (p.clone(), None);
    Ok(City { params, seed, frame, noise_land, land, eroded, slope, buildable, water, figures, joined })
}

/// Fails if a sea or a river is asked for where none can be made.
fn refuse_without_effect(authored: bool, p: &CityParams) -> Result<()> {
    let led = match (p.rivers.inflow, p.rivers.through) {
        (params::Inflow::Large, _) => Some("rivers.inflow = large"),
        (_, true) => Some("rivers.through = true"),
        _ => None,
    };
    let message = if authored && p.sea.side != params::Side::None {
        "sea.side: a given map has its own sea, wherever it lies below 0 m; leave sea.side at none".to_owned()
    } else if let Some(river) = led.filter(|_| authored) {
        format!("{river}: no river is led through a given map; leave it out")
    } else if let Some(river) = led.filter(|_| p.erosion.age == 0.0) {
        format!(
            "{river}: only land that streams shape has rivers from outside; set erosion.age above 0, or leave it out"
        )
    } else {
        return Ok(());
    };
    Err(Error::Invalid(message))
}

/// Zones, terrain and ridges; or the zones of a map made elsewhere.
fn start(frame: &Frame, authored: Option<Grid<f32>>, seed: Seed, p: &CityParams, ctx: &Ctx) -> Result<Start> {
    match authored {
        None => {
            let noise_land = ctx.stage("amplitude", |c| land::NoiseLand::new(frame, seed, p, c))?;
            let land = noise_land.land(frame, ctx)?;
            Ok(Start { noise_land: Some(noise_land), land })
        }
        Some(height) => {
            let land = ctx.stage("zones", |c| land::of_map(height, frame, p, c))?;
            Ok(Start { noise_land: None, land })
        }
    }
}

impl City {
    /// Adds the map joined with the land around it.
    fn join(mut self, ctx: &Ctx) -> Result<Self> {
        let (world, frame) = self.world_map(ctx)?;
        self.joined = Some(Joined { world, frame });
        Ok(self)
    }
}

/// Whether ground of this height lies in the sea. Elevation models have the sea at 0 m, so that is sea too.
fn is_sea(height_m: f32) -> bool {
    height_m <= 0.0
}

/// Sides a map may have, in cells.
pub const SIDES: std::ops::RangeInclusive<usize> = 32..=16384;

/// Validates size, shape and values of the inputs.
fn validate(size: (usize, usize), authored: Option<&Grid<f32>>) -> Result<()> {
    validate_sides(size, &SIDES, authored.map(Grid::shape))?;
    let Some(map) = authored else { return Ok(()) };
    let highest = weald_core::erosion::land::HIGHEST_M as f32;
    match map.cells().iter().position(|v| !(-highest..=highest).contains(v)) {
        None => Ok(()),
        Some(i) => Err(Error::Invalid(format!(
            "map height at x={}, y={} is {} m: must be between -{highest} and {highest}",
            i % size.0,
            i / size.0,
            map.cells()[i]
        ))),
    }
}

fn classes_of(slope: &Grid<f32>, wet: &Grid<u8>, ctx: &Ctx) -> Result<Grid<u8>> {
    let (gentle, near) = (BUILDABLE as f32, NEAR as f32);
    Ok(par::fill(
        slope.width(),
        slope.height(),
        ctx,
        #[inline(always)]
        |y, row: &mut [u8]| {
            for ((class, &s), &wet) in row.iter_mut().zip(slope.row(y)).zip(wet.row(y)) {
                *class = if wet != 0 { WATER } else { (s <= gentle) as u8 + (s <= near) as u8 };
            }
        },
    )?)
}

fn figures(
    (frame, map): (&Frame, &params::Map),
    land: &land::Land,
    eroded: &erosion::Eroded,
    (slope, buildable): (&Grid<f32>, &Grid<u8>),
    ctx: &Ctx,
) -> Result<Figures> {
    let ctx = &ctx.quiet();
    let before = slope::rise_over_run(&land.height, frame.cell_m, ctx)?;
    Ok(Figures {
        coverage: 1.0 - stats::share_below(&land.zones, 0.5, ctx)?,
        buildable_after_ridges: stats::share_below(&before, BUILDABLE as f32, ctx)?,
        buildable: stats::histogram(buildable)[GENTLE as usize] as f64 / buildable.len() as f64,
        buildable_in_game: {
            let scale = heightmap::Scale::from(map);
            heightmap::buildable_share(
                &scale.values(&eroded.height, ctx)?.0,
                &scale,
                heightmap::CITIES_M,
                ctx,
            )?
        },
        sea: eroded.height.cells().iter().filter(|h| is_sea(**h)).count() as f64 / slope.len() as f64,
        slopes: slope::stats(slope, ctx)?,
        rough: rough(&land.height, &eroded.height, (ROUGHEST * frame.cell_m) as f32, ctx)?,
    })
}

/// Spikes and pits: cells that lie above all their neighbours, or below all of them, by more than `cap` and by more than
/// before erosion.
fn rough(before: &Grid<f32>, after: &Grid<f32>, cap: f32, ctx: &Ctx) -> Result<(u64, u64)> {
    let (w, h) = (after.width(), after.height());
    // How far a cell is above its highest neighbour, and below its lowest one.
    let beyond = |grid: &Grid<f32>, x: usize, y: usize| {
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for ny in y - 1..=y + 1 {
            for (nx, &v) in grid.row(ny)[x - 1..=x + 1].iter().enumerate() {
                if nx != 1 || ny != y {
                    (low, high) = (low.min(v), high.max(v));
                }
            }
        }
        (grid[(x, y)] - high, low - grid[(x, y)])
    };
    let rows = par::map(h, ctx, |y| {
        let (mut spikes, mut pits) = (0, 0);
        if y == 0 || y + 1 == h {
            return (spikes, pits);
        }
        for x in 1..w - 1 {
            let now = beyond(after, x, y);
            if now.0 > cap || now.1 > cap {
                let then = beyond(before, x, y);
                // A millimetre is rounding.
                spikes += (now.0 > cap && then.0 < now.0 - 1e-3) as u64;
                pits += (now.1 > cap && then.1 < now.1 - 1e-3) as u64;
            }
        }
        (spikes, pits)
    })?;
    Ok(rows.into_iter().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1)))
}
