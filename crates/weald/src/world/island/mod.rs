//! Islands: coasts, rivers with their order, carved valleys.
//!
//! The document "Terrain Generation" is the source; step numbers are its own. Heights are metres above the sea, distances are
//! cells. Read [`generate`] from top to bottom.

mod catalogue;
pub(crate) mod chart;
pub mod coast;
pub mod cover;
mod explain;
pub mod harbours;
pub mod params;
pub mod relief;
pub mod rivers;
pub mod shaping;
mod style;
mod terrain;
pub mod valleys;
pub mod water;
mod world;

pub use harbours::Harbour;
pub use params::IslandParams;
pub use water::Water;
pub use world::IslandWorld;

use super::{Phases, validate_sides};
use crate::params::Params;
use crate::{Error, Result};
use std::sync::Arc;
use weald_core::Cells;
use weald_core::hydro::{Order, River, RiverRule, WidthRule};
use weald_core::landscape;
use weald_core::{Cancelled, Ctx, Frame, Grid, Seed, par};

/// The least fall of water from one cell to the next, in metres: 2⁻⁹, which an f32 still resolves at heights of 16 km.
pub const FALL_M: f32 = 1.0 / 512.0;

/// A finished map.
#[derive(Clone)]
pub struct Island {
    /// What it was made with.
    pub params: IslandParams,
    /// The seed.
    pub seed: Seed,
    /// Where it lies.
    pub frame: Frame,
    /// 1 on land, 0 in the sea.
    pub land: Grid<u8>,
    /// The cells of the coast.
    pub shoreline: Grid<u8>,
    /// Distance from the coast in cells.
    pub shore: Grid<f32>,
    /// Peaks where rivers may begin, the highest first; springs come on top of them.
    pub peaks: Vec<u32>,
    /// The finished ground and its water.
    pub water: Water,
    /// Rivers, the largest drained area first.
    pub rivers: Vec<River>,
    /// The order of each river at its last cell on land.
    pub orders: Vec<Order>,
    /// Strahler order on the cells of rivers, 0 elsewhere.
    pub river_order: Grid<u8>,
    /// Number of the river plus 1 on the cells of rivers, 0 elsewhere.
    pub river_id: Grid<u32>,
    /// Moisture, 0 to 1.
    pub moisture: Grid<f32>,
    /// Classes of [`cover::COVER`].
    pub cover: Grid<u8>,
    /// Harbours, the best first.
    pub harbours: Vec<Harbour>,
}

/// A map of one's own.
#[derive(Clone, Debug, PartialEq)]
pub enum Authored {
    /// 1 on land, 0 in the sea: the pipeline runs from the coast on.
    Land(Grid<u8>),
    /// Metres above the sea, land above 0: the pipeline runs from the peaks on.
    Height(Grid<f32>),
}

/// Makes a map of `size` = (width, height) cells.
///
/// ```
/// use weald::world::island::{self, IslandParams};
/// use weald::core::{Ctx, Seed};
/// let island = island::generate((128, 128), None, Seed(7), &IslandParams::default(), &Ctx::default())?;
/// let land = island.land.cells().iter().filter(|l| **l == 1).count();
/// assert_eq!(land, (0.45f64 * 128.0 * 128.0).round() as usize);
/// # Ok::<(), weald::Error>(())
/// ```
pub fn generate(
    size: (usize, usize),
    authored: Option<Authored>,
    seed: Seed,
    p: &IslandParams,
    ctx: &Ctx,
) -> Result<Island> {
    p.validate()?;
    make(size, authored, (seed, p), &mut Phases::once(), ctx)
}

/// Land and sea, before rivers.
#[derive(Clone, Debug)]
struct Coast {
    land: Grid<u8>,
    shoreline: Grid<u8>,
    shore: Grid<f32>,
    height: Grid<f32>,
    /// The mesh of land that streams have shaped, with its distances from the coast.
    shaped: Option<(landscape::Shaped, relief::Inland)>,
}

/// Rivers, their valleys and the ground that drains.
#[derive(Clone, Debug)]
struct Drained {
    peaks: Vec<u32>,
    courses: rivers::Courses,
    near: weald_core::distance::Nearby,
    water: Water,
}

/// Makes a map from valid parameters, phase by phase.
fn make(
    size: (usize, usize),
    authored: Option<Authored>,
    (seed, p): (Seed, &IslandParams),
    phases: &mut Phases,
    ctx: &Ctx,
) -> Result<Island> {
    validate(size, authored.as_ref())?;
    let given = match &authored {
        None => None,
        Some(Authored::Land(land)) => Some(Cells::U8(land)),
        Some(Authored::Height(height)) => Some(Cells::F32(height)),
    };
    phases.begin(&(size, seed.0, phases.fingerprint(given)));
    let key = (&p.map, &p.shape, &p.elevation, &p.sea);
    let coast = phases.phase("coast", &key, || coast(size, authored, seed, p, ctx))?;
    let key = (&p.rivers, &p.valleys, &p.noise);
    let drained = phases.phase("rivers", &key, || drained(&coast, seed, p, ctx))?;
    let Coast { land, shoreline, shore, .. } = Arc::unwrap_or_clone(coast);
    let Drained { peaks, courses, near, water } = Arc::unwrap_or_clone(drained);
    let moisture = ctx.stage("moisture", |c| water::moisture(&water, &land, &shore, &near, c))?;
    let cover =
        ctx.stage("cover", |c| cover::cover(&water, (&shore, &near), seed.of("cover"), p.map.cell_m, c))?;
    let river_order = courses.order.clone();
    let (rivers, orders) = by_area(courses, &land, &water, p);
    let mut river_id = Grid::filled(size.0, size.1, 0u32);
    for (k, river) in rivers.iter().enumerate() {
        let own = river.own_cells().iter().map(|&c| c as usize).filter(|&c| land.cells()[c] != 0);
        own.for_each(|c| river_id.cells_mut()[c] = k as u32 + 1);
    }
    let harbours =
        ctx.stage("harbours", |c| harbours::harbours((&shoreline, &water.height), &rivers, &p.harbours, c))?;
    let (params, frame) = (p.clone(), Frame::new(size.0, size.1, p.map.cell_m));
    Ok(Island {
        params,
        seed,
        frame,
        land,
        shoreline,
        shore,
        peaks,
        water,
        rivers,
        orders,
        river_order,
        river_id,
        moisture,
        cover,
        harbours,
    })
}

/// Steps 1 to 4: land, coast, distances and heights.
fn coast(
    size: (usize, usize),
    authored: Option<Authored>,
    seed: Seed,
    p: &IslandParams,
    ctx: &Ctx,
) -> Result<Coast> {
    let (land, drawn) = match authored {
        None => (ctx.stage("coast", |c| land(size, seed, p, c))?, None),
        Some(Authored::Land(land)) => (land, None),
        Some(Authored::Height(height)) => (ctx.stage("coast", |c| above_sea(&height, c))?, Some(height)),
    };
    let shoreline = ctx.stage("shoreline", |c| coast::shoreline(&land, c))?;
    ctx.intermediate("shoreline", "Shoreline: land with sea beside it", Cells::U8(&shoreline));
    let shore = ctx.stage("shore", |c| coast::shore_distance(&shoreline, c))?;
    let straight = ctx.stage("straight distance", |c| relief::straight(&shoreline, c))?;
    let (height, shaped) = match drawn {
        Some(height) => (height, None),
        None => hills((&land, &shoreline, &straight), seed, p, ctx)?,
    };
    let far = if p.sea.distance == params::Distance::Steps { shore.clone() } else { straight };
    let height =
        ctx.stage("sea_floor", |c| relief::sea_floor(height, &land, far, (seed.of("sea"), &p.sea), c))?;
    ctx.intermediate("height_hills", "Height of land and sea floor, before rivers", Cells::F32(&height));
    Ok(Coast { land, shoreline, shore, height, shaped })
}

/// Shaped land, and the distances that gave its uplift.
type Shaped = (landscape::Shaped, relief::Inland);

/// Step 4 on land: the heights, and the mesh they were shaped on.
fn hills(
    (land, shoreline, straight): (&Grid<u8>, &Grid<u8>, &Grid<f32>),
    seed: Seed,
    p: &IslandParams,
    ctx: &Ctx,
) -> Result<(Grid<f32>, Option<Shaped>)> {
    let e = &p.elevation;
    if e.relief == params::Relief::Distance || !land.cells().contains(&1) {
        let height = ctx.stage("hills", |c| relief::Inland::steps((land, shoreline), e, c)?.dome(c))?;
        return Ok((height, None));
    }
    let inland = ctx.stage("inland", |c| relief::Inland::straight(land, straight, e, c))?;
    let site = site(land, &inland, seed, p);
    let mut shaped = ctx.stage("uplift and streams", |c| site.shaped(c))?;
    let height = ctx.stage("hills", |c| site.heights(&mut shaped, c))?;
    Ok((height, Some((shaped, inland))))
}

/// What is shaped.
fn site<'a>(
    land: &'a Grid<u8>,
    inland: &'a relief::Inland,
    seed: Seed,
    params: &'a IslandParams,
) -> shaping::Site<'a> {
    let frame = Frame::new(land.width(), land.height(), params.map.cell_m);
    shaping::Site { frame, land, inland, seed: seed.of("hills"), params }
}

/// Steps 5 to 8: peaks, rivers, valleys, noise and the ground that drains.
fn drained(coast: &Coast, seed: Seed, p: &IslandParams, ctx: &Ctx) -> Result<Drained> {
    let (land, height) = (&coast.land, coast.height.clone());
    let rule = (&p.elevation, &p.rivers);
    let (height, courses) = match &coast.shaped {
        None => {
            let courses =
                ctx.stage("rivers", |c| rivers::trace((&height, land), seed.of("rivers"), rule, c))?;
            (height, courses)
        }
        Some((shaped, inland)) => {
            let site = site(land, inland, seed, p);
            let height =
                ctx.stage("stream beds", |_| Ok::<_, Cancelled>(site.cut(height, shaped, &river_rule(p))))?;
            let courses = ctx.stage("rivers", |c| rivers::follow((&height, land), rule, c))?;
            (height, courses)
        }
    };
    let peaks = ctx.stage("peaks", |c| rivers::peaks(&height, land, rule, c))?;
    let near = ctx.stage("banks", |c| valleys::near_rivers(&courses, c))?;
    let height = ctx.stage("valleys", |c| valleys::carve(height, &courses, &near, p, c))?;
    ctx.intermediate("height_carved", "Height with valleys, before noise", Cells::F32(&height));
    let height =
        ctx.stage("noise", |c| valleys::roughen(height, (land, &near), seed.of("noise"), &p.noise, c))?;
    let height = ctx.stage("beds", |_| Ok::<_, Cancelled>(valleys::beds(height, &courses, land)))?;
    let water = ctx.stage("flow directions", |c| water::drain(&height, (land, &courses), c))?;
    Ok(Drained { peaks, courses, near, water })
}

/// Sides a map may have, in cells.
pub const SIDES: std::ops::RangeInclusive<usize> = 1..=16384;

/// Heights that an authored map may have, in metres: more than any on Earth.
pub const DRAWN_M: std::ops::RangeInclusive<f32> = -12000.0..=9000.0;

/// Validates size, shape and values of the inputs.
fn validate(size: (usize, usize), authored: Option<&Authored>) -> Result<()> {
    let (shape, wrong) = match authored {
        None => (None, None),
        Some(Authored::Land(map)) => {
            let wrong = map.cells().iter().position(|&v| v > 1);
            (Some(map.shape()), wrong.map(|i| (i, format!("is {}: must be 0 or 1", map.cells()[i]))))
        }
        Some(Authored::Height(map)) => {
            let wrong = map.cells().iter().position(|v| !DRAWN_M.contains(v));
            let must = format!("must be between {} and {} m", DRAWN_M.start(), DRAWN_M.end());
            (Some(map.shape()), wrong.map(|i| (i, format!("is {}: {must}", map.cells()[i]))))
        }
    };
    validate_sides(size, &SIDES, shape)?;
    match wrong {
        None => Ok(()),
        Some((i, what)) => {
            Err(Error::Invalid(format!("map height at x={}, y={} {what}", i % size.0, i / size.0)))
        }
    }
}

/// Step 1: as many cells of land as `land_fraction` asks for.
fn land(size: (usize, usize), seed: Seed, p: &IslandParams, ctx: &Ctx) -> Result<Grid<u8>> {
    let likelihood = coast::likelihood(size, seed.of("coast"), &p.shape, ctx)?;
    ctx.intermediate("likelihood", "Likelihood of land", Cells::F32(&likelihood));
    let wanted = (p.shape.land_fraction * likelihood.len() as f64).round() as usize;
    Ok(coast::land(likelihood, wanted, p.shape.least_islet as usize, ctx)?)
}

/// Land where an authored height is above 0.
fn above_sea(height: &Grid<f32>, ctx: &Ctx) -> weald_core::Result<Grid<u8>> {
    par::fill(height.width(), height.height(), ctx, |y, row: &mut [u8]| {
        row.iter_mut().zip(height.row(y)).for_each(|(land, h)| *land = (*h > 0.0) as u8);
    })
}

/// The rivers with area and discharge, sorted by the drained area at their end, equal ones by that cell; and their orders.
fn by_area(
    courses: rivers::Courses,
    land: &Grid<u8>,
    water: &Water,
    p: &IslandParams,
) -> (Vec<River>, Vec<Order>) {
    let rule = river_rule(p);
    let end = |river: &River| last_on_land(river, land);
    let mut rank: Vec<usize> = (0..courses.list.len()).collect();
    rank.sort_unstable_by_key(|&k| {
        let cell = end(&courses.list[k]);
        (std::cmp::Reverse(water.accumulation.cells()[cell as usize]), cell)
    });
    let mut place = vec![0; rank.len()];
    rank.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    let river = |&old: &usize| {
        let river = &courses.list[old];
        let area = water.accumulation.cells()[end(river) as usize];
        let discharge_m3_s = rule.discharge(area);
        River {
            cells: river.cells.clone(),
            parent: river.parent.map(|old| place[old]),
            area_m2: rule.area_m2(area),
            discharge_m3_s,
            width_m: rule.width(discharge_m3_s),
        }
    };
    (rank.iter().map(river).collect(), rank.iter().map(|&old| courses.at_end[old]).collect())
}

/// How much water a river carries, and how wide it is.
fn river_rule(p: &IslandParams) -> RiverRule {
    RiverRule {
        cell_m: p.map.cell_m,
        from_area_m2: 0.0,
        runoff_m_per_year: p.rivers.runoff_mm / 1000.0,
        width: WidthRule::default(),
    }
}

/// The last cell of a river that belongs to it alone and is on land.
fn last_on_land(river: &River, land: &Grid<u8>) -> u32 {
    let own = river.own_cells();
    let last = own.iter().rev().find(|&&c| land.cells()[c as usize] != 0);
    *last.expect("a river begins on land")
}
