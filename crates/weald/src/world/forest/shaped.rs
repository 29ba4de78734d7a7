//! Elevation of land that uplift raised and streams carved, so that all water leads to the border of the map.

use super::params::Elevation;
use weald_core::hydro::{self, Outlets};
use weald_core::landscape::{Course, Evolution, Ground, Landscape, Rock, courses, evolve};
use weald_core::line::Point;
use weald_core::mesh::{Lattice, Mesh, Surface};
use weald_core::noise::Fbm;
use weald_core::queue::{MinQueue, signed_key};
use weald_core::{Ctx, Dir8, Frame, Grid, Seed, dir8, math, stats};

/// Side of a tile while the land is shaped, in metres.
const TILE_M: f64 = 20.0;

/// Tiles from node to node.
const SPACING: f64 = 2.0;

/// Nodes along a side, at most: on longer maps nodes are farther apart.
const MOST_NODES: f64 = (1 << 18) as f64;

/// Tiles around the map that are shaped with it. Water leaves the land at their border, so that the map itself does not fall
/// towards its border on all sides.
const MARGIN: f64 = 40.0;

/// Steps on the coarsest level and on the finer ones, each of which has twice the nodes along a side. The last number holds for
/// all levels that follow.
const STEPS: [usize; 4] = [50, 20, 15, 10];

/// Nodes along the longer side of the coarsest level, at most.
const COARSEST: f64 = 48.0;

/// Uplift of mountains, in metres a year, and that of plains relative to it.
const UPLIFT: (f64, f64) = (1.5e-3, 0.03);

/// Noise of the elevation below which the land is a plain, and the range over which it becomes mountains.
const MOUNTAINS: (f64, f64) = (0.35, 0.3);

/// How much rock differs from place to place, and its longest wavelength, in metres.
const ROCK: (f64, f64) = (1.0, 800.0);

/// Streams that drain at least this many tiles are led through the tiles along the lines between their nodes.
const STREAM_TILES: f64 = 12.0;

/// Exponent of the heights after they are scaled to 0 to 1. Half of the land lies in the lowest fifth of its range, while the
/// limits of the document are meant for noise, half of which lies above 0.5.
const CURVE: f32 = 0.6;

/// The least fall from tile to tile in a lake. It is many times the rounding of heights, so that every tile drains, and so
/// little that the lake is level.
const LAKE_FALL: f32 = 1.0 / (1 << 17) as f32;

/// The least fall elsewhere: that of a stream which falls by a tenth from one side of the map to the other, and at most 0.0005.
const STREAM_FALL: (f32, f32) = (0.1, 5e-4);

/// How far the tiles where water leaves the map fall outwards. They have no lower neighbour, and would be lakes of one tile if
/// they were flat.
const OUTLET_FALL: f32 = 0.1;

/// Tiles along the side of the squares of which each can have one lake.
const LAKE_SQUARE: usize = 24;

/// Tiles that drain through the outlet of a lake, at least.
const LAKE_CATCHMENT: u32 = 150;

/// Tiles of a lake, at least and at most.
const LAKE_TILES: (f64, f64) = (15.0, 150.0);

/// How far a lake stands above the stream at its outlet, at most.
const LAKE_DEPTH: f32 = 0.06;

/// Elevation of the map, from 0 to 1.
///
/// Uplift follows the `noise` of the elevation and streams carve what it raises ([`evolve`]), on a mesh with one node for 2 by 2
/// tiles that reaches 40 tiles beyond the map. The heights are read off at the tiles, streams are led along the lines between
/// their nodes, and heights are scaled to h ← ((h − min)/(max − min))^0.6. Then lakes are dammed, and every tile is raised above
/// the one it drains to, so that only tiles of the border lack a lower neighbour. Reach: whole map. Cost: about 1 µs a tile.
pub(super) fn elevation(
    (width, height): (usize, usize),
    noise: &Fbm,
    seed: Seed,
    p: &Elevation,
    ctx: &Ctx,
) -> weald_core::Result<Grid<f32>> {
    let seed = seed.of("shaped");
    let (mesh, land) = shape((width, height), noise, seed, ctx)?;
    let frame = Frame::new(width, height, TILE_M);
    let mut ground = Surface::new(&mesh, &land.height, ctx)?.raster(&frame, ctx)?;
    lead(&mut ground, &mesh, &land, &courses(&land, STREAM_TILES * TILE_M * TILE_M));
    drained(ground, seed, p, ctx)
}

/// The land on its finest mesh: shaped on a coarse one first, then on finer ones that begin with its heights.
fn shape(
    (width, height): (usize, usize),
    noise: &Fbm,
    seed: Seed,
    ctx: &Ctx,
) -> weald_core::Result<(Mesh, Landscape)> {
    let longer = width.max(height) as f64 + 2.0 * MARGIN;
    let mut spacings = vec![SPACING];
    while longer / spacings[0] > MOST_NODES {
        spacings[0] *= 2.0;
    }
    while longer / spacings[spacings.len() - 1] > COARSEST {
        spacings.push(spacings[spacings.len() - 1] * 2.0);
    }
    let mut last: Option<(Mesh, Landscape)> = None;
    for (level, spacing) in spacings.into_iter().rev().enumerate() {
        let before = (-MARGIN / spacing).floor() as i64;
        let nodes = |tiles: usize| (((tiles as f64 + MARGIN) / spacing).ceil() as i64 - before + 1) as usize;
        let lattice = Lattice {
            columns: nodes(width),
            rows: nodes(height),
            spacing_m: spacing * TILE_M,
            first: (before, before),
        };
        let mesh = Mesh::new(lattice, seed.of("nodes"));
        let ground = ground(&mesh, noise, seed.of("rock"), ctx)?;
        let mut start = match &last {
            Some((coarse, land)) => Surface::new(coarse, &land.height, ctx)?.nodes(&mesh, ctx)?,
            None => ground.uplift.iter().map(|&u| u as f64).collect(),
        };
        start.iter_mut().zip(&ground.outlet).filter(|(_, out)| **out).for_each(|(h, _)| *h = 0.0);
        let rule = Evolution { steps: STEPS[level.min(STEPS.len() - 1)], ..Evolution::default() };
        let land = evolve(&mesh, start, &ground, &rule, ctx)?;
        last = Some((mesh, land));
    }
    Ok(last.expect("there is a level"))
}

/// Uplift by the noise of the elevation, rock by noise of its own; water leaves at the border of the mesh. Reach: point.
fn ground(mesh: &Mesh, noise: &Fbm, seed: Seed, ctx: &Ctx) -> weald_core::Result<Ground> {
    let rock = Rock { seed, variation: ROCK.0, wavelength: ROCK.1 };
    let nodes = mesh.map(ctx, |node| {
        let at = tile_of(mesh.at(node));
        let mountain = math::smoothstep((noise.at(at.0, at.1) - MOUNTAINS.0) / MOUNTAINS.1);
        ((UPLIFT.0 * math::lerp(UPLIFT.1, 1.0, mountain)) as f32, rock.erodibility_at(mesh.at(node)))
    })?;
    let (uplift, erodibility) = nodes.into_iter().unzip();
    let outlet = (0..mesh.len()).map(|node| mesh.is_border(node)).collect();
    Ok(Ground { uplift, erodibility, outlet, inflow: Vec::new() })
}

/// Column and row of a place in metres; whole numbers at the centres of tiles.
fn tile_of((x, y): Point) -> (f64, f64) {
    (x / TILE_M - 0.5, y / TILE_M - 0.5)
}

/// Lowers the tiles along the line from node to node of every stream to the height of that line. Reach: point.
fn lead(ground: &mut Grid<f32>, mesh: &Mesh, land: &Landscape, streams: &[Course]) {
    let (w, h) = ground.shape();
    for step in streams.iter().flat_map(|s| s.nodes.windows(2)) {
        let [a, b] = [step[0] as usize, step[1] as usize];
        let ((ax, ay), (bx, by)) = (tile_of(mesh.at(a)), tile_of(mesh.at(b)));
        let long = (bx - ax).abs().max((by - ay).abs()).ceil().max(1.0);
        for k in 0..=long as usize {
            let t = k as f64 / long;
            let (x, y) = (math::lerp(ax, bx, t).round(), math::lerp(ay, by, t).round());
            if x >= 0.0 && y >= 0.0 && x < w as f64 && y < h as f64 {
                let bed = math::lerp(land.height[a], land.height[b], t) as f32;
                let tile = &mut ground[(x as usize, y as usize)];
                *tile = tile.min(bed);
            }
        }
    }
}

/// Fills depressions, scales the heights to 0 to 1, dams lakes and raises every tile above the one it drains to. Reach: whole map.
fn drained(ground: Grid<f32>, seed: Seed, p: &Elevation, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
    let mut height = hydro::fill(&ground, Outlets::Border, ctx)?;
    let (low, high) = stats::min_max(&height, ctx)?.unwrap_or((0.0, 0.0));
    let relief = if high > low { high - low } else { 1.0 };
    height.cells_mut().iter_mut().for_each(|h| *h = math::pow_unit((*h - low) / relief, CURVE));
    let flow = hydro::d8_over_filled(&height, Outlets::Border, ctx)?;
    let order = hydro::topological_order(&flow, ctx, |_| true)?;
    let area = hydro::accumulation(&flow, ctx)?;
    let mut lake = vec![false; height.len()];
    for outlet in outlets(&area, &order, seed.of("lakes"), p.lakes) {
        dam(&mut height, &flow, outlet, seed.of("lake size")).iter().for_each(|&t| lake[t as usize] = true);
    }
    let (offsets, cells) = (Dir8::offsets(flow.width()), height.cells_mut());
    let stream_fall = (STREAM_FALL.0 / flow.width().max(flow.height()) as f32).min(STREAM_FALL.1);
    for tile in order.iter().rev().map(|&t| t as usize) {
        if let Some(next) = flow.cells()[tile].step_from(tile, &offsets) {
            let fall = if lake[tile] { LAKE_FALL } else { stream_fall.max(LAKE_FALL) };
            cells[tile] = cells[tile].max(cells[next] + fall);
        }
    }
    let leaves = |tile: &usize| !flow.cells()[*tile].is_some();
    for tile in (0..cells.len()).filter(leaves) {
        cells[tile] = (cells[tile] - OUTLET_FALL).max(0.0);
    }
    let top = cells.iter().fold(1.0f32, |a, &b| a.max(b));
    cells.iter_mut().for_each(|h| *h /= top);
    Ok(height)
}

/// Where lakes have their outlets, downstream before upstream: in a `share` of the squares of the map, at one tile through which
/// enough others drain. Reach: a square.
fn outlets(area: &Grid<u32>, order: &[u32], seed: Seed, share: f64) -> Vec<u32> {
    let w = area.width();
    let across = w.div_ceil(LAKE_SQUARE);
    let mut chosen = vec![(u64::MAX, u32::MAX); across * area.height().div_ceil(LAKE_SQUARE)];
    for (tile, _) in area.cells().iter().enumerate().filter(|(_, a)| **a >= LAKE_CATCHMENT) {
        let (x, y) = (tile % w, tile / w);
        let best = &mut chosen[y / LAKE_SQUARE * across + x / LAKE_SQUARE];
        *best = (*best).min((seed.at(x as i64, y as i64), tile as u32));
    }
    let squares = seed.of("squares");
    let mut is_outlet = vec![false; area.len()];
    for (square, &(_, tile)) in chosen.iter().enumerate().filter(|(_, c)| c.1 != u32::MAX) {
        is_outlet[tile as usize] =
            squares.unit_at((square % across) as i64, (square / across) as i64) < share;
    }
    order.iter().rev().copied().filter(|&tile| is_outlet[tile as usize]).collect()
}

/// Raises the lowest tiles upstream of an outlet to one level until the lake has its size or its depth, and returns them. Reach:
/// the size of the lake.
fn dam(height: &mut Grid<f32>, flow: &Grid<Dir8>, outlet: u32, seed: Seed) -> Vec<u32> {
    let (w, h) = height.shape();
    let (offsets, cells) = (Dir8::offsets(w), height.cells_mut());
    let stream = cells[outlet as usize];
    let small = seed.unit_at(outlet as i64, 0);
    let size = math::lerp(LAKE_TILES.0, LAKE_TILES.1, small * small) as usize;
    let (mut level, mut lake, mut queue) = (stream, Vec::new(), MinQueue::new());
    queue.push((signed_key(stream), outlet));
    while let Some((_, tile)) = queue.pop() {
        let next = level.max(cells[tile as usize]);
        if lake.len() >= size || next > stream + LAKE_DEPTH {
            break;
        }
        level = next;
        lake.push(tile);
        dir8::neighbours(w, h, tile as usize % w, tile as usize / w, |_, x, y| {
            let above = y * w + x;
            if flow.cells()[above].step_from(above, &offsets) == Some(tile as usize) {
                queue.push((signed_key(cells[above]), above as u32));
            }
        });
    }
    lake.iter().for_each(|&tile| cells[tile as usize] = level);
    lake
}
