//! Realms: a map of biomes with organic borders, settlements, and rivers, railroads and roads that obey rules.
//!
//! The document "Border Organics and Linear Feature Tile Rules" is the source. Heights are metres above the sea, distances are tiles.
//! Read [`generate`] from top to bottom.

pub mod biomes;
mod catalogue;
pub(crate) mod chart;
mod explain;
pub mod lakes;
pub mod land;
pub mod levels;
pub mod names;
pub mod oxbows;
pub mod params;
pub mod relief;
pub mod rivers;
pub mod settlements;
mod style;
pub mod template;
mod tiles;
pub mod validate;
pub mod ways;
mod world;

pub use params::RealmParams;
pub use world::RealmWorld;

use super::{Phases, validate_sides};
use crate::Result;
use crate::params::Params;
use std::sync::Arc;
use weald_core::climate::{self, Rain, Temperature};
use weald_core::{Cells, Ctx, Frame, Grid, Seed, blur, region, slope};

/// A finished realm.
#[derive(Clone)]
pub struct Realm {
    /// What it was made with.
    pub params: RealmParams,
    /// The seed.
    pub seed: Seed,
    /// Where it lies.
    pub frame: Frame,
    /// Base classes of [`biomes::BIOMES`].
    pub classes: Grid<u8>,
    /// Kinds of [`biomes::TRANSITIONS`].
    pub transition: Grid<u8>,
    /// Metres above the sea; the ground under lakes.
    pub height: Grid<f32>,
    /// Metres above the sea: the water of the ocean and of lakes, the ground elsewhere.
    pub surface: Grid<f32>,
    /// Mean of the year in °C.
    pub temperature: Grid<f32>,
    /// 0 to 1.
    pub moisture: Grid<f32>,
    /// 0 land, 1 ocean, 2 lake.
    pub water: Grid<u8>,
    /// Rivers.
    pub rivers: rivers::Rivers,
    /// Railroads.
    pub railroads: ways::Ways,
    /// Roads.
    pub roads: ways::Ways,
    /// Codes of [`validate::CROSSINGS`].
    pub crossing: Grid<u8>,
    /// Number of the settlement of each tile, from 1; 0 for none.
    pub settlement: Grid<u16>,
    /// Settlements, the largest first.
    pub settlements: Vec<settlements::Settlement>,
    /// What was done to the borders.
    pub mended: biomes::Mended,
    /// Number of oxbow lakes.
    pub oxbows: usize,
    /// Places where a rule is broken; there should be none.
    pub violations: Vec<validate::Violation>,
}

/// Makes a realm of `size` = (width, height) tiles.
///
/// ```
/// use weald::world::realm::{self, RealmParams};
/// use weald::core::{Ctx, Seed};
/// let realm = realm::generate((96, 96), Seed(7), &RealmParams::default(), &Ctx::default())?;
/// assert!(realm.violations.is_empty());
/// # Ok::<(), weald::Error>(())
/// ```
pub fn generate(size: (usize, usize), seed: Seed, p: &RealmParams, ctx: &Ctx) -> Result<Realm> {
    p.validate()?;
    make(size, (seed, p), &mut Phases::once(), ctx)
}

/// Land with its heights.
#[derive(Clone, Debug)]
struct Land {
    domain: land::Domain,
    drawn: Option<template::Drawn>,
    /// 1 on land, 0 in the ocean, on the map.
    land: Grid<u8>,
    relief: relief::Relief,
}

/// Biomes with their borders, and the climate that gave them.
#[derive(Clone, Debug)]
struct Cover {
    classes: Grid<u8>,
    height: Grid<f32>,
    temperature: Grid<f32>,
    moisture: Grid<f32>,
    mended: biomes::Mended,
}

/// Rivers, and the ground they run on.
#[derive(Clone, Debug)]
struct Drained {
    classes: Grid<u8>,
    height: Grid<f32>,
    surface: Grid<f32>,
    transition: Grid<u8>,
    rivers: rivers::Rivers,
    oxbows: usize,
}

/// Sides a map may have, in tiles.
pub const SIDES: std::ops::RangeInclusive<usize> = 48..=2048;

/// Makes a realm from valid parameters, phase by phase.
fn make(
    size: (usize, usize),
    (seed, p): (Seed, &RealmParams),
    phases: &mut Phases,
    ctx: &Ctx,
) -> Result<Realm> {
    validate_sides(size, &SIDES, None)?;
    phases.begin(&(size, seed.0));
    let key = (&p.map, &p.land, &p.coast, &p.elevation, &p.borders, &p.biomes.template);
    let land = phases.phase("land", &key, || land_phase(size, seed, p, ctx))?;
    let key = (&p.climate, &p.biomes, p.rivers.lakes);
    let cover = phases.phase("cover", &key, || cover_phase(&land, seed, p, ctx))?;
    let drained = phases.phase("rivers", &p.rivers, || rivers_phase(&land, &cover, seed, p, ctx))?;
    let Drained { classes, height, surface, transition, rivers, oxbows } = Arc::unwrap_or_clone(drained);
    let Cover { temperature, moisture, mended, .. } = Arc::unwrap_or_clone(cover);
    let slope = ctx.stage("slope", |c| slope::rise_over_run(&surface, p.map.cell_m, c))?;
    let site = settlements::Site { classes: &classes, slope: &slope, rivers: &rivers.links };
    let settlements =
        ctx.stage("settlements", |c| settlements::settlements(&site, seed.of("settlements"), p, c))?;
    let exempt = ways::exempt(size, &settlements, ctx)?;
    let obstacles = ways::obstacles(size, seed.of("obstacles"), ctx)?;
    let ground = ways::Ground {
        classes: &classes,
        slope: &slope,
        obstacles: &obstacles,
        rivers: &rivers.links,
        exempt: &exempt,
        settlements: &settlements,
    };
    let railroads = ctx.stage("railroads", |c| ways::railroads(&ground, p, c))?;
    let roads = ctx.stage("roads", |c| ways::roads(&ground, &railroads.links, p, c))?;
    let mut settlement = Grid::filled(size.0, size.1, 0u16);
    for (k, s) in settlements.iter().enumerate() {
        s.footprint.iter().for_each(|&t| settlement.cells_mut()[t as usize] = k as u16 + 1);
    }
    let links = validate::Links { river: &rivers.links, rail: &railroads.links, road: &roads.links };
    let crossing = validate::crossings(&links);
    let violations = ctx.stage("validation", |c| validate::violations(&classes, &links, &exempt, c))?;
    let water = classes.map(|&c| [1, 2, 0][c.min(2) as usize]);
    Ok(Realm {
        params: p.clone(),
        seed,
        frame: Frame::new(size.0, size.1, p.map.cell_m),
        classes,
        transition,
        height,
        surface,
        temperature,
        moisture,
        water,
        rivers,
        railroads,
        roads,
        crossing,
        settlement,
        settlements,
        mended,
        oxbows,
        violations,
    })
}

/// Land and ocean, coasts and heights.
fn land_phase(size: (usize, usize), seed: Seed, p: &RealmParams, ctx: &Ctx) -> Result<Land> {
    let domain = land::Domain::new(size, p);
    let template = template::Template::parse(&p.biomes.template).expect("parameters were validated");
    let drawn = template.map(|t| t.stretched(size, seed.of("template"), ctx)).transpose()?;
    let all = ctx.stage("land and ocean", |c| land::land(&domain, drawn.as_ref(), seed.of("land"), p, c))?;
    let relief = ctx.stage("uplift and streams", |c| {
        relief::relief(&domain, (&all, drawn.as_ref()), seed.of("relief"), p, c)
    })?;
    Ok(Land { domain, drawn, land: domain.crop(&all), relief })
}

/// Climate, biomes, lakes, and borders without straight lines.
fn cover_phase(land: &Land, seed: Seed, p: &RealmParams, ctx: &Ctx) -> Result<Cover> {
    let mut height = land.relief.height.clone();
    let rule = Temperature {
        north_c: p.climate.north_c,
        south_c: p.climate.south_c,
        lapse_c_per_km: p.climate.lapse_c_per_km,
    };
    let temperature = ctx.stage("temperature", |c| climate::temperature(&height, &rule, c))?;
    let rule =
        Rain { wind_deg: p.climate.wind_deg, reach_cells: p.climate.rain_reach_tiles, ..Rain::default() };
    let moisture = ctx.stage("moisture", |c| blur::gaussian(&climate::rain(&height, &rule, c)?, 2.0, c))?;
    let fields = biomes::Fields { height: &height, temperature: &temperature, moisture: &moisture };
    let given = (&land.land, land.drawn.as_ref());
    let raw = ctx.stage("biomes", |c| biomes::raw(&fields, given, seed.of("biomes"), p, c))?;
    ctx.intermediate("biome_raw", "Biomes before their borders are distorted", Cells::U8(&raw));
    let lakes = ctx.stage("lakes", |c| lakes::lakes(&height, seed.of("lakes"), p, c))?;
    let water =
        Grid::from_fn(height.width(), height.height(), |x, y| match (land.land[(x, y)], lakes[(x, y)]) {
            (0, _) => biomes::OCEAN,
            (_, 1) => biomes::LAKE,
            _ => u8::MAX,
        });
    let mut classes = ctx.stage("borders", |c| biomes::distorted(&raw, &water, seed, p, c))?;
    ctx.intermediate("biome_distorted", "Biomes before straight borders are repaired", Cells::U8(&classes));
    let mended = ctx.stage("repair", |c| biomes::mend(&mut classes, seed.of("repair"), c))?;
    cut_off_ocean(&mut classes);
    fit_heights(&mut height, &classes);
    Ok(Cover { classes, height, temperature, moisture, mended })
}

/// Ocean that does not reach the edge of the map, such as an inland sea of a template or what repairs have cut off, becomes a lake. No new
/// border comes about by it.
fn cut_off_ocean(classes: &mut Grid<u8>) {
    let (regions, sizes) = region::areas(classes);
    let open = region::reach_border(&regions, sizes.len());
    for (class, &r) in classes.cells_mut().iter_mut().zip(regions.cells()) {
        if *class == biomes::OCEAN && !open[r as usize] {
            *class = biomes::LAKE;
        }
    }
}

/// Brings heights into agreement with the classes: ocean below 0, everything else above.
fn fit_heights(height: &mut Grid<f32>, classes: &Grid<u8>) {
    for (h, &class) in height.cells_mut().iter_mut().zip(classes.cells()) {
        *h = if class == biomes::OCEAN { h.min(-3.0) } else { h.max(1.0) };
    }
}

/// Rivers, oxbow lakes and the bands along borders.
fn rivers_phase(land: &Land, cover: &Cover, seed: Seed, p: &RealmParams, ctx: &Ctx) -> Result<Drained> {
    let (mut classes, mut height) = (cover.classes.clone(), cover.height.clone());
    let rivers = ctx.stage("rivers", |c| {
        rivers::rivers(&land.relief, &land.domain, (&classes, &height), (seed.of("rivers"), p), c)
    })?;
    levels::grade(&mut height, &rivers, &classes);
    let ground = height.map(|h| h.max(0.0));
    let slope = slope::rise_over_run(&ground, p.map.cell_m, ctx)?;
    let oxbows =
        ctx.stage("oxbow lakes", |c| oxbows::oxbows(&mut classes, &rivers, &slope, seed.of("oxbows"), c))?;
    let surface = ctx.stage("lake levels", |c| levels::fill_lakes(&mut height, &classes, c))?;
    let fields =
        biomes::Fields { height: &height, temperature: &cover.temperature, moisture: &cover.moisture };
    let transition =
        ctx.stage("transitions", |c| biomes::transitions(&classes, &fields, seed.of("biomes"), p, c))?;
    Ok(Drained { classes, height, surface, transition, rivers, oxbows })
}
