//! Erosion: stream power, droplets and creep, from coarse cells to fine ones (§3).

use super::land::NoiseLand;
use super::params::{CityParams, Levels};
use super::{BUILDABLE, ROUGHEST};
use crate::error::{Error, Result};
use weald_core::erosion::land::{HIGHEST_M, doubled, in_metres};
use weald_core::erosion::{Droplets, Land, MassBalance, StreamPower, creep, despike, droplet, stream_power};
use weald_core::{Ctx, Frame, Grid, Seed, par, slope, stats};

/// Cells along the longer side of the coarsest level, at most.
const COARSEST: usize = 640;

/// How close to the goal the search stops; the promise is 0.02.
const CLOSE: f64 = 0.004;

/// Longest duration of creep that is tried.
const LONGEST: f64 = 400.0;

/// Side of a cell above which small hills vanish.
const COARSE_M: f64 = 60.0;

/// Exponent of the potential in the speed of creep: mountains keep their edges.
const CREEP_POWER: f64 = 2.0;

/// Unevenness of the ground by which streams choose their course, in metres.
const UNEVENNESS_M: f64 = 3.0;

/// Cells from which on a level gets all droplets; smaller levels get proportionally fewer.
const CELLS: usize = 512 * 512;

/// The eroded land.
#[derive(Clone, Debug)]
pub struct Eroded {
    /// Heights in metres above the sea.
    pub height: Grid<f32>,
    /// What was eroded from each cell, in metres.
    pub eroded: Grid<f32>,
    /// What was deposited on it, in metres.
    pub deposited: Grid<f32>,
    /// The volumes eroded, deposited and exported.
    pub mass_balance: MassBalance,
    /// Duration of creep.
    pub creep: f64,
}

/// The land before erosion, at the resolution of the map and coarser.
pub enum Source<'a> {
    /// From noise.
    Noise(&'a NoiseLand),
    /// A map made elsewhere: coarser cells are means of finer ones.
    Authored,
}

/// Erodes the land.
///
/// The first level has cells of about 28 m, the last one those of the map; each has twice the cells of the one before along
/// a side. Stream power and creep work on the first, droplets on all. A level hands its changes on as a smooth surface
/// ([`Land::refined`]), so that every resolution has the same valleys and finer ones add smaller gullies. How long the
/// ground creeps decides how much of it is buildable: it is solved for the goal. Reach: whole map.
pub fn erode(
    frame: &Frame,
    (height, zones): (&Grid<f32>, &Grid<f32>),
    source: &Source,
    (seed, p): (Seed, &CityParams),
    ctx: &Ctx,
) -> Result<Eroded> {
    let halvings = halvings(frame.width, frame.height, p.erosion.levels)?;
    let coarse = level(frame, (height, zones), source, halvings, &ctx.quiet())?;
    let e = &p.erosion;
    let cut = StreamPower {
        passes: e.stream_passes,
        rate_m: e.stream_rate_m,
        exponent: e.stream_exponent,
        unevenness_m: UNEVENNESS_M,
    };
    let land = Land::new(coarse.height(height), coarse.frame.cell_m, ctx)?;
    let land =
        ctx.stage("stream power", |c| stream_power(land, coarse.zones(zones), seed.of("streams"), &cut, c))?;
    let rested = ctx.stage(DROPLET_STAGES[0], |c| run(land, coarse.zones(zones), seed, p, c))?;
    let goal = p.goal.buildable_share;
    let mut duration = e.creep;
    let search = Search { start: &rested, zones: coarse.zones(zones) };
    if goal > 0.0 {
        duration = ctx.stage("creep", |c| search.duration(goal, c))?;
    }
    let crept = search.crept(duration, &ctx.quiet())?;
    let mut land = crept.clone();
    for left in (0..halvings).rev() {
        let name = DROPLET_STAGES[((halvings - left) as usize).min(DROPLET_STAGES.len() - 1)];
        land = ctx.stage(name, |c| {
            let level = level(frame, (height, zones), source, left, &c.quiet())?;
            let finer = land.refined(level.height(height), &c.quiet())?;
            run(finer, level.zones(zones), seed, p, c)
        })?;
    }
    if goal > 0.0 {
        (land, duration) = ctx.stage("goal", |c| search.meet(goal, land, (crept, duration), halvings, c))?;
    }
    land = ctx.stage("despike", |_| Ok::<_, Error>(despike(land, ROUGHEST * frame.cell_m)))?;
    ctx.stage("mass balance", |c| {
        let c = &c.quiet();
        let laid = land.deposited(c)?;
        if land.eroded.cells().iter().chain(laid.cells()).any(|&moved| moved < 0) {
            return Err(Error::Invalid(format!(
                "this land is too steep to be eroded: more than {HIGHEST_M} m would be moved at one place; make it gentler, \
                 or set erosion.droplets=0 and erosion.stream_passes=0"
            )));
        }
        Ok(Eroded {
            height: in_metres(&land.height, c)?,
            eroded: in_metres(&land.eroded, c)?,
            deposited: in_metres(&laid, c)?,
            mass_balance: land.mass_balance(c)?,
            creep: duration,
        })
    })
}

/// Names of the stages of droplets, by level.
const DROPLET_STAGES: [&str; 6] = [
    "droplets, coarse",
    "droplets, level 2",
    "droplets, level 3",
    "droplets, level 4",
    "droplets, level 5",
    "droplets, finest",
];

/// How often the sides can be halved down to the coarsest level.
pub(super) fn halvings(width: usize, height: usize, levels: Levels) -> Result<u32> {
    if levels == Levels::One {
        return Ok(0);
    }
    let mut k = 0;
    while width.max(height) >> k > COARSEST {
        k += 1;
    }
    let step = 1usize << k;
    if !width.is_multiple_of(step) || !height.is_multiple_of(step) {
        let near = |side: usize| side.div_ceil(step) * step;
        return Err(Error::Invalid(format!(
            "size = {width}x{height}: both sides must be multiples of {step} at this size; use {}x{}, or set erosion.levels=one",
            near(width),
            near(height)
        )));
    }
    Ok(k)
}

/// Ground of one level; the finest one is that of the map itself.
struct Level {
    frame: Frame,
    own: Option<(Grid<f32>, Grid<f32>)>,
}

impl Level {
    fn height<'a>(&'a self, finest: &'a Grid<f32>) -> &'a Grid<f32> {
        self.own.as_ref().map_or(finest, |own| &own.0)
    }

    fn zones<'a>(&'a self, finest: &'a Grid<f32>) -> &'a Grid<f32> {
        self.own.as_ref().map_or(finest, |own| &own.1)
    }
}

/// The level `halvings` above the map.
fn level(
    frame: &Frame,
    (height, zones): (&Grid<f32>, &Grid<f32>),
    source: &Source,
    halvings: u32,
    ctx: &Ctx,
) -> weald_core::Result<Level> {
    let step = 1usize << halvings;
    let coarse = Frame {
        width: frame.width / step,
        height: frame.height / step,
        cell_m: frame.cell_m * step as f64,
        origin: frame.origin,
    };
    let own = match source {
        _ if halvings == 0 => None,
        Source::Noise(noise_land) => Some(noise_land.ground(&coarse, ctx)?),
        Source::Authored => {
            Some((stats::block_means(height, step, ctx)?, stats::block_means(zones, step, ctx)?))
        }
    };
    Ok(Level { frame: coarse, own })
}

/// The droplets of one level.
fn run(land: Land, zones: &Grid<f32>, seed: Seed, p: &CityParams, ctx: &Ctx) -> weald_core::Result<Land> {
    let e = &p.erosion;
    let seed = Seed(seed.of("droplets").at(land.height.width() as i64, land.height.height() as i64));
    let part = (land.height.len() as f64 / CELLS as f64).min(1.0);
    let rules = Droplets {
        count: (e.droplets as f64 * part) as u32,
        inertia: e.inertia as f32,
        erosion_rate: e.erosion_rate as f32,
        deposition_rate: e.deposition_rate as f32,
        evaporation_rate: e.evaporation_rate as f32,
        capacity: e.sediment_capacity as f32,
        min_slope: e.min_slope as f32,
        brush_cells: e.brush_radius,
        max_steps: e.max_steps,
        batch: e.batch,
        heading: e.heading.into(),
        emphasis: e.emphasis.into(),
    };
    droplet(land, zones, seed, &rules, ctx)
}

/// Looks for the duration of creep that makes the requested share buildable.
struct Search<'a> {
    start: &'a Land,
    zones: &'a Grid<f32>,
}

impl Search<'_> {
    fn crept(&self, duration: f64, ctx: &Ctx) -> weald_core::Result<Land> {
        creep(self.start.clone(), self.zones, CREEP_POWER, duration, ctx)
    }

    /// The duration after which `share` of the coarse level is buildable, at most [`LONGEST`] and at least 0. Creep makes
    /// slopes gentler, so the share grows with the duration: steps forward until it is reached, then bisection within the
    /// last step.
    fn duration(&self, share: f64, ctx: &Ctx) -> weald_core::Result<f64> {
        let quiet = ctx.quiet();
        let (mut from, mut low, mut step) = (self.start.clone(), 0.0, 0.4);
        if buildable(&from, &quiet)? >= share {
            return Ok(0.0);
        }
        loop {
            let next = creep(from.clone(), self.zones, CREEP_POWER, step, &quiet)?;
            if buildable(&next, &quiet)? >= share {
                break;
            }
            (from, low) = (next, low + step);
            ctx.tick((low * 10.0) as usize, (LONGEST * 10.0) as usize);
            if low >= LONGEST {
                return Ok(LONGEST);
            }
            step = (low * 0.5).max(0.4);
        }
        let (mut short, mut long) = (0.0, step);
        for _ in 0..6 {
            let middle = (short + long) / 2.0;
            let next = creep(from.clone(), self.zones, CREEP_POWER, middle, &quiet)?;
            if buildable(&next, &quiet)? < share { short = middle } else { long = middle }
        }
        Ok(low + (short + long) / 2.0)
    }

    /// Corrects the duration until the map itself meets the goal: what the finer levels add to the share is taken into account,
    /// and the difference of the creep is added to the finished land.
    fn meet(
        &self,
        goal: f64,
        mut land: Land,
        (mut crept, mut duration): (Land, f64),
        halvings: u32,
        ctx: &Ctx,
    ) -> Result<(Land, f64)> {
        let quiet = ctx.quiet();
        let mut reached = buildable(&land, &quiet)?;
        for turn in 0..8 {
            if (reached - goal).abs() <= CLOSE {
                return Ok((land, duration));
            }
            let wanted = buildable(&crept, &quiet)? + goal - reached;
            let next = if wanted >= 1.0 { LONGEST } else { self.duration(wanted, &quiet)? };
            if next == duration {
                break;
            }
            let now = self.crept(next, &quiet)?;
            land = corrected(land, &crept, &now, halvings, &quiet)?;
            (crept, duration) = (now, next);
            reached = buildable(&land, &quiet)?;
            ctx.tick(turn + 1, 8);
        }
        if (reached - goal).abs() <= 0.02 {
            return Ok((land, duration));
        }
        let (than, advice) = if reached < goal {
            (
                "no more than",
                "ask for less, raise zones.coverage or terrain.buildable_share, or lower ridges.strength",
            )
        } else if self.start.cell_m > COARSE_M {
            ("no less than", "its cells are too coarse for hills: use --size 256 or more")
        } else {
            ("no less than", "ask for more, use 0 for no goal, or lower terrain.buildable_share")
        };
        Err(Error::Invalid(format!(
            "goal.buildable_share = {goal}: cannot be met; {than} {reached:.3} of this map becomes buildable; {advice}"
        )))
    }
}

/// Share of the land that is buildable.
fn buildable(land: &Land, ctx: &Ctx) -> weald_core::Result<f64> {
    let height = in_metres(&land.height, ctx)?;
    stats::share_below(&slope::rise_over_run(&height, land.cell_m, ctx)?, BUILDABLE as f32, ctx)
}

/// `land` with the coarse level `before` replaced by `after`.
fn corrected(
    mut land: Land,
    before: &Land,
    after: &Land,
    halvings: u32,
    ctx: &Ctx,
) -> weald_core::Result<Land> {
    let difference = |a: &Grid<i32>, b: &Grid<i32>| -> weald_core::Result<Grid<i32>> {
        let cells = a.cells().iter().zip(b.cells()).map(|(a, b)| a - b).collect();
        let mut grid = Grid::from_vec(a.width(), a.height(), cells);
        for _ in 0..halvings {
            grid = doubled(&grid, ctx)?;
        }
        Ok(grid)
    };
    let height = difference(&after.height, &before.height)?;
    let eroded = difference(&after.eroded, &before.eroded)?;
    let untouched = &land.before;
    par::for_rows((land.height.rows_mut(), land.eroded.rows_mut()), ctx, |y, (now, lost)| {
        let (height, eroded, before) = (height.row(y), eroded.row(y), untouched.row(y));
        for x in 0..now.len() {
            now[x] += height[x];
            // Rounding may leave a step too little; neither sum goes below 0.
            let least = (before[x] - now[x]).max(0);
            lost[x] = (lost[x] + eroded[x]).max(least);
        }
    })?;
    Ok(land)
}
