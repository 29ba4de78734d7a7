//! The map of a window, with everything in it.

use super::kinds::{Feature, Terrain};
use super::mines::{CELL_M, MineCell, Tunnel};
use super::place::Endless;
use super::placed::{Place, Put};
use super::roads::Road;
use super::runner::{LOOK_AHEAD_M, ground_speed, slope_speed};
use super::shape::covered;
use super::streams::{MARSH_HALF_M, Stream, StreamEnd};
use super::window::{Survey, Window};
use super::wood::{Building, Tree, footprint, in_clearing};
use crate::error::{Error, Result};
use crate::world::Phases;
use std::sync::Arc;
use weald_core::{Ctx, Grid, par};

/// Cells a map may have: indices are 32-bit.
pub const MAX_CELLS: usize = 1 << 31;

/// Codes of the mine layers.
pub const ROCK: u8 = 0;
/// An open cell.
pub const OPEN: u8 = 1;
/// An open cell below a shaft.
pub const BELOW_SHAFT: u8 = 2;
/// A cell of the tunnel behind a cave mouth.
pub const TUNNEL: u8 = 3;

/// A window of the endless world: layers, lines and points.
#[derive(Clone, Debug)]
pub struct Map {
    /// The world.
    pub world: Endless,
    /// The window.
    pub window: Window,
    /// What the document's query answers for every place.
    pub survey: Survey,
    /// Streams that reach into the window.
    pub streams: Vec<Stream>,
    /// Roads that reach into the window.
    pub roads: Vec<Road>,
    /// Buildings that reach into the window.
    pub buildings: Vec<Building>,
    /// Terrain with marshes, streams, roads, bridges and buildings on it.
    pub surface: Grid<u8>,
    /// Kind of the tree plus 1, 0 for none.
    pub tree: Grid<u8>,
    /// Height of the building, 0 for none.
    pub building_height: Grid<f32>,
    /// Whether snow lies.
    pub snow: Grid<u8>,
    /// Share of full speed: by the ground alone, then towards north, east, south and west with the slope.
    pub speed: [Grid<f32>; 5],
    /// Rock, open, below a shaft or a tunnel, by level.
    pub mines: Vec<Grid<u8>>,
    /// Tunnels behind cave mouths that reach into the window.
    pub tunnels: Vec<Tunnel>,
    /// Rock or open, where the caverns are.
    pub cavern: Grid<u8>,
    /// Floor and roof of the caverns.
    pub caverns: (Grid<f32>, Grid<f32>),
    /// Terrain of the islands in the sky.
    pub sky_terrain: Grid<u8>,
    /// Top and underside of the islands in the sky.
    pub sky: (Grid<f32>, Grid<f32>),
}

/// What lies on the ground of a window.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    pub(super) survey: Survey,
    pub(super) streams: Vec<Stream>,
    pub(super) roads: Vec<Road>,
    pub(super) buildings: Vec<Building>,
    pub(super) surface: Grid<u8>,
    pub(super) tree: Grid<u8>,
    pub(super) building_height: Grid<f32>,
}

/// What depends on the season and on the runner.
#[derive(Clone, Debug)]
pub(super) struct Going {
    pub(super) snow: Grid<u8>,
    pub(super) speed: [Grid<f32>; 5],
}

/// What lies below and above the ground.
#[derive(Clone, Debug, Default)]
pub(super) struct Depths {
    mines: Vec<Grid<u8>>,
    tunnels: Vec<Tunnel>,
    cavern: Grid<u8>,
    caverns: (Grid<f32>, Grid<f32>),
    sky_terrain: Grid<u8>,
    sky: (Grid<f32>, Grid<f32>),
}

/// Makes the map of a window, stage by stage. Reach: 518 m with streams, more with roads ([`Endless::roads`]), else 10 m.
pub fn generate(world: &Endless, window: Window, ctx: &Ctx) -> Result<Map> {
    make(world, window, &mut Phases::once(), ctx)
}

/// Makes the map of a window, phase by phase.
pub(super) fn make(world: &Endless, window: Window, phases: &mut Phases, ctx: &Ctx) -> Result<Map> {
    window.validate()?;
    if window.width.saturating_mul(window.height) > MAX_CELLS {
        let (w, h) = (window.width, window.height);
        return Err(Error::Invalid(format!("size = {w}x{h}: must be at most {MAX_CELLS} cells in all")));
    }
    let p = world.params();
    phases.begin(&(world.seed().0, window.west, window.north, window.width, window.height));
    let switches = (p.paths, p.streams, p.roads, p.bridges, p.wood_only, p.bleak);
    let key = (p.lake_level, switches, p.time, p.time_rate, &p.placed);
    let ground = phases.phase("surface", &key, || on_the_ground(world, &window, ctx))?;
    let going = phases.phase("going", &(p.snow_line, &p.runner), || going(world, &window, &ground, ctx))?;
    let depths =
        phases.phase("depths", &(&p.mines, &p.caverns, &p.sky), || depths(world, &window, &ground, ctx))?;
    let (ground, going) = (Arc::unwrap_or_clone(ground), Arc::unwrap_or_clone(going));
    Ok(Map::of(world, window, ground, going, Arc::unwrap_or_clone(depths)))
}

pub(super) fn on_the_ground(world: &Endless, window: &Window, ctx: &Ctx) -> Result<Surface> {
    let survey = ctx.stage("ground", |c| world.survey(window, c))?;
    let streams = ctx.stage("streams", |c| world.streams(window, c))?;
    let roads = ctx.stage("roads", |c| world.roads(window, c))?;
    let buildings = world.buildings(window);
    let surface =
        ctx.stage("surface", |c| surface(world, window, &survey, (&streams, &roads, &buildings), c))?;
    let tree = ctx.stage("trees", |c| trees(world, window, &surface, c))?;
    let building_height = building_heights(window, &buildings);
    Ok(Surface { survey, streams, roads, buildings, surface, tree, building_height })
}

fn going(world: &Endless, window: &Window, ground: &Surface, ctx: &Ctx) -> Result<Going> {
    let snow = ctx.stage("snow", |c| snow(world, &ground.survey, c))?;
    let speed = ctx.stage("speed", |c| speeds(world, window, &ground.surface, c))?;
    Ok(Going { snow, speed })
}

fn depths(world: &Endless, window: &Window, ground: &Surface, ctx: &Ctx) -> Result<Depths> {
    let mines = ctx.stage("mines", |c| mines(world, window, c))?;
    let tunnels = ctx.stage("tunnels", |c| world.tunnels(window, c))?;
    let caverns = ctx.stage("caverns", |c| world.caverns(window, c))?;
    let cavern = compared(&caverns, ctx, |_, roof, floor| if roof > floor { OPEN } else { ROCK })?;
    let sky = ctx.stage("sky", |c| world.sky_islands(window, c))?;
    let terrain = &ground.survey.terrain;
    let sky_terrain =
        compared(&sky, ctx, |cell, under, top| if top > under { terrain[cell] } else { Terrain::Sky as u8 })?;
    Ok(Depths { mines, tunnels, cavern, caverns, sky_terrain, sky })
}

/// The terrain with marshes (9×9 places), streams (3 m), roads (5 m) and buildings (12 m) on it, in this order. Water
/// leaves towns, roads and lakes as they are; a road over water is a bridge, and stops at the shore where none are built.
pub(super) fn surface(
    world: &Endless,
    window: &Window,
    survey: &Survey,
    (streams, roads, buildings): (&[Stream], &[Road], &[Building]),
    ctx: &Ctx,
) -> weald_core::Result<Grid<u8>> {
    let mut surface = survey.terrain.clone();
    let bounds = window.bounds();
    let mut put = |place: Place, change: &dyn Fn(u8) -> u8| {
        if let Some(cell) = window.cell(place) {
            surface[cell] = change(surface[cell]);
        }
    };
    let wet = |with: Terrain| move |was: u8| if Endless::sheds_water(was) { was } else { with as u8 };
    for stream in streams.iter().filter(|s| s.end == StreamEnd::Hollow) {
        ctx.checkpoint()?;
        let (x, y) = stream.points[stream.points.len() - 1];
        for dy in -MARSH_HALF_M..=MARSH_HALF_M {
            for dx in -MARSH_HALF_M..=MARSH_HALF_M {
                put((x + dx, y + dy), &wet(Terrain::Marsh));
            }
        }
    }
    for strip in streams.iter().flat_map(Stream::strips) {
        covered(strip, bounds).into_iter().for_each(|place| put(place, &wet(Terrain::Stream)));
    }
    let paved = |was: u8| match Terrain::of_code(was) {
        Some(Terrain::Town) => was,
        Some(Terrain::Lake) if !world.params().bridges => was,
        Some(Terrain::Lake | Terrain::Bridge) => Terrain::Bridge as u8,
        _ => Terrain::Road as u8,
    };
    for strip in roads.iter().flat_map(Road::strips) {
        covered(strip, bounds).into_iter().for_each(|place| put(place, &paved));
    }
    for (x, y) in world.placed().road_places(bounds) {
        let water = world.ground_height(x as f64, y as f64) < world.params().lake_level;
        let road = if water { Terrain::Bridge } else { Terrain::Road } as u8;
        match world.placed().at((x, y)) {
            // The road goes on below what was placed on it.
            Some(Put::Thing(Feature::None)) => {}
            Some(Put::Thing(_)) => put((x, y), &|was: u8| match Terrain::of_code(was) {
                // Nothing that was placed shows on barren ground and on paths.
                Some(Terrain::Z | Terrain::Path) => was,
                _ => road,
            }),
            _ => put((x, y), &|was: u8| if was == Terrain::Road as u8 { road } else { was }),
        }
    }
    for building in buildings {
        footprint(building.place).for_each(|place| put(place, &|_| Terrain::Building as u8));
    }
    Ok(surface)
}

fn building_heights(window: &Window, buildings: &[Building]) -> Grid<f32> {
    let mut out = Grid::filled(window.width, window.height, 0.0);
    for building in buildings {
        footprint(building.place).for_each(|place| {
            if let Some(cell) = window.cell(place) {
                out[cell] = building.height as f32;
            }
        });
    }
    out
}

/// Trees: where the surface is wood or thicket, and nothing that trees keep away from is within 4 m.
fn trees(world: &Endless, window: &Window, surface: &Grid<u8>, ctx: &Ctx) -> weald_core::Result<Grid<u8>> {
    let mut out = par::fill(window.width, window.height, ctx, |r, row: &mut [u8]| {
        if window.place(0, r).1 % 2 == 0 {
            return;
        }
        for (c, out) in row.iter_mut().enumerate() {
            let terrain = Terrain::of_code(surface[(c, r)]).unwrap_or(Terrain::Z);
            *out = world.tree(window.place(c, r), terrain).map_or(0, |tree| tree.kind + 1);
        }
    })?;
    for (x, y) in world.clearings(window, ctx)? {
        for dy in -4..=4 {
            for dx in -4..=4 {
                let place = (x + dx, y + dy);
                if let Some(cell) = window.cell(place).filter(|_| in_clearing(place, (x, y))) {
                    out[cell] = 0;
                }
            }
        }
    }
    Ok(out)
}

/// Snow lies on dry ground from the snow line up.
pub(super) fn snow(world: &Endless, survey: &Survey, ctx: &Ctx) -> weald_core::Result<Grid<u8>> {
    let line = world.params().snow_line as f32;
    par::fill(survey.height.width(), survey.height.height(), ctx, |r, row: &mut [u8]| {
        for ((out, &height), &depth) in row.iter_mut().zip(survey.height.row(r)).zip(survey.depth.row(r)) {
            *out = u8::from(height >= line && depth == 0.0);
        }
    })
}

/// Shares of full speed: by the ground alone, and towards north, east, south and west with the climb over 10 m.
fn speeds(
    world: &Endless,
    window: &Window,
    surface: &Grid<u8>,
    ctx: &Ctx,
) -> weald_core::Result<[Grid<f32>; 5]> {
    let ahead = LOOK_AHEAD_M as i64;
    let mut ground = world.heights(&window.grown(ahead), ctx)?;
    // A runner crosses on bridges and swims on the water, not on the bed of a lake.
    let level = world.water_level() as f32;
    ground.cells_mut().iter_mut().for_each(|height| *height = height.max(level));
    let table: Vec<f32> = (0..=255u8).map(|code| ground_speed(code) as f32).collect();
    let towards = |dx: i64, dy: i64| {
        par::fill(
            window.width,
            window.height,
            ctx,
            #[inline(always)]
            |r, row: &mut [f32]| {
                let here = &ground.row(r + ahead as usize)[ahead as usize..];
                let there = &ground.row((r as i64 + ahead + dy) as usize)[(ahead + dx) as usize..];
                for (((out, here), there), &code) in row.iter_mut().zip(here).zip(there).zip(surface.row(r)) {
                    *out = table[code as usize] * slope_speed((there - here) as f64) as f32;
                }
            },
        )
    };
    Ok([towards(0, 0)?, towards(0, -ahead)?, towards(ahead, 0)?, towards(0, ahead)?, towards(-ahead, 0)?])
}

/// A class for every cell from the values of two grids: that of the second, then that of the first.
fn compared(
    (first, second): &(Grid<f32>, Grid<f32>),
    ctx: &Ctx,
    class: impl Fn((usize, usize), f32, f32) -> u8 + Sync,
) -> weald_core::Result<Grid<u8>> {
    par::fill(first.width(), first.height(), ctx, |r, row: &mut [u8]| {
        for (c, out) in row.iter_mut().enumerate() {
            *out = class((c, r), second[(c, r)], first[(c, r)]);
        }
    })
}

/// The levels of the mines.
fn mines(world: &Endless, window: &Window, ctx: &Ctx) -> weald_core::Result<Vec<Grid<u8>>> {
    let shafts = world.shafts(window, ctx)?;
    let code = |cell: MineCell| match cell {
        _ if shafts.above(cell) => BELOW_SHAFT,
        _ if world.mine_dug(cell) => OPEN,
        _ if shafts.tunnel(cell) => TUNNEL,
        _ => ROCK,
    };
    let level = |level: u32| {
        let [west, east, south, north] = window.bounds();
        let (first, last) = (world.mine_cell((west, north), level), world.mine_cell((east, south), level));
        let columns = ((last.x - first.x) / CELL_M + 1) as usize;
        let rows = ((first.y - last.y) / CELL_M + 1) as usize;
        let cells = par::fill(columns, rows, ctx, |r, row: &mut [u8]| {
            for (c, out) in row.iter_mut().enumerate() {
                let (x, y) = (first.x + c as i64 * CELL_M, first.y - r as i64 * CELL_M);
                *out = code(MineCell { x, y, level });
            }
        })?;
        par::fill(window.width, window.height, ctx, |r, row: &mut [u8]| {
            for (c, out) in row.iter_mut().enumerate() {
                let cell = world.mine_cell(window.place(c, r), level);
                let (column, row) = ((cell.x - first.x) / CELL_M, (first.y - cell.y) / CELL_M);
                *out = cells[(column as usize, row as usize)];
            }
        })
    };
    (1..=world.params().mines.levels).map(level).collect()
}

impl Map {
    /// The map of a window from its parts.
    pub(super) fn of(world: &Endless, window: Window, ground: Surface, going: Going, depths: Depths) -> Self {
        Self {
            world: world.clone(),
            window,
            survey: ground.survey,
            streams: ground.streams,
            roads: ground.roads,
            buildings: ground.buildings,
            surface: ground.surface,
            tree: ground.tree,
            building_height: ground.building_height,
            snow: going.snow,
            speed: going.speed,
            mines: depths.mines,
            tunnels: depths.tunnels,
            cavern: depths.cavern,
            caverns: depths.caverns,
            sky_terrain: depths.sky_terrain,
            sky: depths.sky,
        }
    }

    /// Every tree of the window with its exact place, by rows.
    pub fn trees(&self) -> impl Iterator<Item = Tree> + '_ {
        exact_trees(&self.world, self.window, &self.tree, &self.surface)
    }
}

/// The trees that the layers `tree` and `surface` of a window show, with their exact places, by rows.
pub(super) fn exact_trees<'a>(
    world: &'a Endless,
    window: Window,
    tree: &'a Grid<u8>,
    surface: &'a Grid<u8>,
) -> impl Iterator<Item = Tree> + 'a {
    let cells = tree.cells().iter().enumerate().filter(|(_, kind)| **kind > 0);
    cells.filter_map(move |(i, _)| {
        let cell = (i % window.width, i / window.width);
        world.tree(window.place(cell.0, cell.1), Terrain::of_code(surface[cell])?)
    })
}
