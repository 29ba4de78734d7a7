//! Levels of water: rivers that never rise, and lakes that lie level in beds of their own.

use super::biomes::{LAKE, OCEAN};
use super::rivers::{Mouth, Rivers, lakes_of};
use weald_core::{Ctx, Grid, Result, dir8, distance};

/// Depth of a lake at its shore, and how much deeper it gets with every tile from there, in metres.
const SHORE_M: f32 = 3.0;
const DEEPER_M: f32 = 6.0;

/// Lowers the ground along rivers so that no river runs uphill, and so that every lake lies level: no land beside it lies below its
/// water, and its outflow begins no higher than that. Reach: all that lies upstream.
pub fn grade(height: &mut Grid<f32>, rivers: &Rivers, classes: &Grid<u8>) {
    let lakes = lakes_of(classes);
    let lake_of = |tile: u32| lakes.0.cells()[tile as usize] as usize;
    let mut outflow = vec![None; lakes.1 + 1];
    for (k, river) in rivers.list.iter().enumerate().filter(|(_, r)| lake_of(r.tiles[0]) > 0) {
        outflow[lake_of(river.tiles[0])] = Some(k);
    }
    loop {
        for start in 0..rivers.list.len() {
            fall(height, rivers, start, |tile| outflow[lake_of(tile)], classes);
        }
        // Outflows that begin above the lowest shore of their lake.
        let levels = levels(height, classes, &lakes);
        let mut lowered = false;
        for (river, level) in outflow.iter().zip(levels).filter_map(|(o, level)| Some(((*o)?, level))) {
            let first = rivers.list[river].tiles[1] as usize;
            if height.cells()[first] > level {
                height.cells_mut()[first] = level;
                lowered = true;
            }
        }
        if !lowered {
            return;
        }
    }
}

/// Lowers the ground from the source of a river to its mouth, and on from there, so that it never rises.
fn fall(
    height: &mut Grid<f32>,
    rivers: &Rivers,
    mut river: usize,
    outflow: impl Fn(u32) -> Option<usize>,
    classes: &Grid<u8>,
) {
    let (mut from, mut level) = (0, f32::INFINITY);
    loop {
        let tiles = &rivers.list[river].tiles;
        for &tile in tiles[from..].iter().filter(|&&t| classes.cells()[t as usize] > LAKE) {
            let ground = &mut height.cells_mut()[tile as usize];
            *ground = ground.min(level);
            level = *ground;
        }
        let last = *tiles.last().expect("a river has tiles");
        let next = match rivers.list[river].mouth {
            Mouth::River(parent) => {
                let at = rivers.list[parent].tiles.iter().position(|&t| t == last);
                Some((parent, at.expect("it joins a tile of its parent")))
            }
            Mouth::Lake => outflow(last).map(|out| (out, 0)),
            Mouth::Ocean | Mouth::Edge => None,
        };
        match next {
            Some(next) => (river, from) = next,
            None => return,
        }
    }
}

/// The lowest land among the neighbours of each lake: its level. Lakes are numbered from 1.
fn levels(height: &Grid<f32>, classes: &Grid<u8>, (lake, count): &(Grid<u32>, usize)) -> Vec<f32> {
    let (w, h) = lake.shape();
    let mut levels = vec![f32::INFINITY; *count + 1];
    for (i, &number) in lake.cells().iter().enumerate().filter(|(_, number)| **number > 0) {
        let level = &mut levels[number as usize];
        dir8::neighbours(w, h, i % w, i / w, |_, x, y| {
            if classes[(x, y)] > LAKE {
                *level = level.min(height[(x, y)]);
            }
        });
    }
    // A lake without land beside it on the map.
    levels.iter_mut().filter(|level| level.is_infinite()).for_each(|level| *level = SHORE_M);
    levels
}

/// Lays the ground of every lake below its water, and returns the surface: the level of lakes, 0 on the ocean, and the ground elsewhere.
///
/// A lake is 3 m deep at its shore and 6 m deeper with every tile from there, but at most half as deep as its level is high, so that its
/// ground lies above the sea. Reach: the lake.
pub fn fill_lakes(height: &mut Grid<f32>, classes: &Grid<u8>, ctx: &Ctx) -> Result<Grid<f32>> {
    let (w, h) = classes.shape();
    let lakes = lakes_of(classes);
    let levels = levels(height, classes, &lakes);
    let (lake, _) = lakes;
    let shore = distance::chebyshev(w, h, u16::MAX, ctx, |i| lake.cells()[i] == 0)?;
    let mut surface = height.clone();
    for (i, &class) in classes.cells().iter().enumerate() {
        let surface = &mut surface.cells_mut()[i];
        if class == OCEAN {
            *surface = 0.0;
        } else if class == LAKE {
            let level = levels[lake.cells()[i] as usize];
            let depth = SHORE_M + DEEPER_M * (shore.cells()[i] - 1) as f32;
            let ground = &mut height.cells_mut()[i];
            *ground = ground.min(level - depth.min(0.5 * level));
            *surface = level;
        }
    }
    Ok(surface)
}
