//! Ground that falls along all water, accumulation and basins of a map in tiles: [`crate::hydro::grade`],
//! [`crate::hydro::accumulation_within`] and [`crate::hydro::basins`] of the whole map.
//!
//! Graded ground is computed upstream: h ← max(h, below + fall), with the height `below` of the next cell. Along a path of n cells this is
//! max(a, below + fall + … + fall) with n falls, each sum rounded, because rounding never turns an order round. So the
//! summary has a and n for every cell of the border, and the merge finds the heights on all borders.

use super::flow::{Entry, Links, starts};
use super::pack::pack_fields;
use super::{Border, Tiles};
use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::hydro;
use std::cmp::Reverse;

/// The summary of a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Drainage {
    links: Links,
    /// For each cell of the border its graded height if nothing beyond the tile raised it, and the falls down to the cell beyond.
    climb: Vec<(f32, u32)>,
    /// The mouths of the tile that are no goals of its border: the number of the cell on the map and its accumulation.
    mouths: Vec<(u64, u64)>,
    /// The number on the map of the last cell of each goal.
    last: Vec<u64>,
}
pack_fields!(Drainage { links, climb, mouths, last });

/// What reaches a tile from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Share {
    /// What flows into each cell of the border.
    inflow: Vec<u64>,
    /// The graded height beyond each exit.
    below: Vec<f32>,
    /// The number of the basin of each goal, and of each mouth that is none.
    basin_of_goal: Vec<u32>,
    basin_of_mouth: Vec<u32>,
}
pack_fields!(Share { inflow, below, basin_of_goal, basin_of_mouth });

/// A drainage basin of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basin {
    /// The last cell of land that its water passes, by its number on the map.
    pub mouth: u64,
    /// Number of its cells.
    pub cells: u64,
}

/// Ground with directions: a tile whose cells of land are to be drained.
#[derive(Clone, Copy)]
pub struct Ground<'a, L: Fn(usize) -> bool> {
    /// Heights before they are graded.
    pub height: &'a Grid<f32>,
    /// Flow directions, which may lead off the tile; none outside the land.
    pub flow: &'a Grid<Dir8>,
    /// Whether a cell of the tile is land.
    pub land: L,
    /// The least fall from cell to cell.
    pub fall: f32,
}

/// The directions within a tile, and the exit of cells whose water leaves it.
struct Inside {
    cut: Grid<Dir8>,
    order: Vec<u32>,
}

impl<L: Fn(usize) -> bool> Ground<'_, L> {
    fn inside(&self, ctx: &Ctx) -> Result<Inside> {
        let cut = super::flow::cut(self.flow, &self.land);
        let order = hydro::topological_order(&cut, ctx, &self.land)?;
        Ok(Inside { cut, order })
    }

    /// Grades the tile; `beyond(cell)` is the height beyond a cell whose water leaves the tile.
    fn graded(&self, inside: &Inside, beyond: impl Fn(usize) -> Option<f32>) -> Grid<f32> {
        let offsets = Dir8::offsets(self.flow.width());
        let mut height = self.height.clone();
        let cells = height.cells_mut();
        for cell in inside.order.iter().rev().map(|&c| c as usize) {
            let below = match inside.cut.cells()[cell].step_from(cell, &offsets) {
                Some(next) => cells[next],
                None => beyond(cell).unwrap_or(0.0),
            };
            cells[cell] = cells[cell].max(below + self.fall);
        }
        height
    }
}

impl Drainage {
    /// The summary of tile `k`. Reach: a tile. Cost: about 50 ns a cell.
    pub fn new<L: Fn(usize) -> bool>(tiles: &Tiles, k: usize, ground: Ground<L>, ctx: &Ctx) -> Result<Self> {
        let window = tiles.window(k);
        let (w, h) = window.shape();
        let links = Links::new(ground.flow, ctx, &ground.land)?;
        let inside = ground.inside(ctx)?;
        let border: Vec<(usize, usize)> = Border::new(w, h).cells().collect();
        let at = |i: u32| border[i as usize].1 * w + border[i as usize].0;
        let mut leaves = vec![false; w * h];
        links.exits.iter().for_each(|&(cell, _)| leaves[at(cell)] = true);
        // Nothing raises the cells whose water leaves the tile.
        let height = ground.graded(&inside, |cell| leaves[cell].then_some(f32::NEG_INFINITY));
        let (mut falls, offsets) = (vec![1u32; w * h], Dir8::offsets(w));
        let mut last = vec![u64::MAX; links.own.len()];
        let mut mouths = Vec::new();
        let area = super::flow::sums(&inside.cut, ctx, &ground.land, &[])?;
        let mut is_goal = vec![false; w * h];
        let number = |cell: usize| tiles.cell(window.x + cell % w, window.y + cell / w);
        for (i, &goal) in links.goals.iter().enumerate() {
            let mut cell = at(i as u32);
            // Cells that are not land have no goal.
            if last.get(goal as usize) == Some(&u64::MAX) {
                while let Some(next) = inside.cut.cells()[cell].step_from(cell, &offsets) {
                    cell = next;
                }
                (last[goal as usize], is_goal[cell]) = (number(cell), true);
            }
        }
        for cell in inside.order.iter().rev().map(|&c| c as usize) {
            match inside.cut.cells()[cell].step_from(cell, &offsets) {
                Some(next) => falls[cell] = falls[next] + 1,
                None if !is_goal[cell] => mouths.push((number(cell), area.cells()[cell].into())),
                None => {}
            }
        }
        let climb = (0..border.len() as u32).map(|i| (height.cells()[at(i)], falls[at(i)])).collect();
        Ok(Self { links, climb, mouths, last })
    }
}

/// Merges the summaries of all tiles, in the order of the tiles: the share of each tile, and the basins, the largest first.
///
/// # Panics
/// If the summaries are not those of these tiles, or water runs in a circle.
pub fn merge(tiles: &Tiles, parts: &[Drainage], fall: f32) -> (Vec<Share>, Vec<Basin>) {
    let links: Vec<&Links> = parts.iter().map(|p| &p.links).collect();
    let flow = super::flow::totals(tiles, &links);
    let start = starts(links.iter().map(|l| l.own.len()));
    // Upstream, every goal after the one that its water reaches next.
    let mut below = vec![0f32; flow.total.len()];
    let mut basin = vec![u32::MAX; flow.total.len()];
    let mut all: Vec<(Basin, usize)> = Vec::new();
    for &goal in flow.order.iter().rev() {
        let k = start.partition_point(|&s| s <= goal) - 1;
        match &flow.next[goal] {
            &Some(Entry { tile, cell, goal: Some(next) }) => {
                let (floor, falls) = parts[tile].climb[cell];
                let leaves = links[tile].exits.len() > next - start[tile];
                let raised =
                    if leaves { (0..falls).fold(below[next], |h, _| h + fall) } else { f32::NEG_INFINITY };
                below[goal] = floor.max(raised);
            }
            _ => {
                let mouth = parts[k].last[goal - start[k]];
                all.push((Basin { mouth, cells: flow.total[goal] }, goal));
            }
        }
    }
    let goals = flow.total.len();
    let mut index = goals;
    for part in parts {
        for &(mouth, cells) in &part.mouths {
            all.push((Basin { mouth, cells }, index));
            index += 1;
        }
    }
    all.sort_unstable_by_key(|(basin, _)| (Reverse(basin.cells), basin.mouth));
    basin.resize(index, u32::MAX);
    all.iter().zip(1..).for_each(|(&(_, at), number)| basin[at] = number);
    for &goal in flow.order.iter().rev() {
        if let Some(next) = flow.next[goal].as_ref().and_then(|entry| entry.goal) {
            basin[goal] = basin[next];
        }
    }
    let mouths = starts(parts.iter().map(|p| p.mouths.len()));
    let share = |(k, inflow): (usize, Vec<u64>)| Share {
        inflow,
        below: below[start[k]..start[k] + links[k].exits.len()].to_vec(),
        basin_of_goal: basin[start[k]..start[k] + links[k].own.len()].to_vec(),
        basin_of_mouth: basin[goals + mouths[k]..goals + mouths[k] + parts[k].mouths.len()].to_vec(),
    };
    let shares = flow.of_tile.into_iter().enumerate().map(share).collect();
    (shares, all.into_iter().map(|(basin, _)| basin).collect())
}

/// A tile with its share.
#[derive(Clone, Debug, PartialEq)]
pub struct Drained {
    /// Graded heights.
    pub height: Grid<f32>,
    /// Cells of land that drain through each one, itself included; 0 elsewhere.
    pub accumulation: Grid<u32>,
    /// Number of the basin, 0 outside the land.
    pub basin: Grid<u32>,
}

impl Share {
    /// Heights, accumulation and basins of tile `k`, as those of the whole map. The sums must fit into 32 bits. Reach: a tile. Cost: about
    /// 50 ns a cell.
    pub fn apply<L: Fn(usize) -> bool>(
        &self,
        tiles: &Tiles,
        (k, part): (usize, &Drainage),
        ground: Ground<L>,
        ctx: &Ctx,
    ) -> Result<Drained> {
        let window = tiles.window(k);
        let (w, h) = window.shape();
        let inside = ground.inside(ctx)?;
        let border: Vec<(usize, usize)> = Border::new(w, h).cells().collect();
        let mut beyond: Vec<Option<f32>> = vec![None; w * h];
        for (&(cell, _), &below) in part.links.exits.iter().zip(&self.below) {
            let (x, y) = border[cell as usize];
            beyond[y * w + x] = Some(below);
        }
        let height = ground.graded(&inside, |cell| beyond[cell]);
        let accumulation = super::flow::accumulation(ground.flow, &self.inflow, ctx, &ground.land)?;
        let (mut basin, offsets) = (Grid::filled(w, h, 0u32), Dir8::offsets(w));
        let known = basin.cells_mut();
        let place = |cell: u64| {
            let (x, y) = tiles.place(cell);
            (y - window.y) * w + x - window.x
        };
        part.last.iter().zip(&self.basin_of_goal).for_each(|(&cell, &b)| known[place(cell)] = b);
        part.mouths.iter().zip(&self.basin_of_mouth).for_each(|(m, &b)| known[place(m.0)] = b);
        for cell in inside.order.iter().rev().map(|&c| c as usize) {
            if let Some(next) = inside.cut.cells()[cell].step_from(cell, &offsets) {
                known[cell] = known[next];
            }
        }
        Ok(Drained { height, accumulation, basin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::hydro::{Outlets, d8_over_filled, fill, topological_order};
    use crate::tiled::Pack;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tiles_have_the_graded_ground_the_accumulation_and_the_basins_of_the_whole_map(
            w in 1usize..60, h in 1usize..60, side in 1usize..40,
            steps in prop_oneof![2u64..9, 1000u64..1001], share in 0.0f64..0.3, seed: u64
        ) {
            let (tiles, ctx, fall) = (Tiles::new(w, h, side), Ctx::default(), 1.0 / 512.0);
            let at = |i: usize, k: i64| Seed(seed).unit_at(i as i64, k);
            let sea = Grid::from_vec(w, h, (0..w * h).map(|i| (at(i, 1) < share) as u8).collect());
            let ground = (0..w * h).map(|i| (at(i, 0) * steps as f64).floor() as f32 * 0.37);
            let height = fill(&Grid::from_vec(w, h, ground.collect()), Outlets::BorderAnd(&sea), &ctx).unwrap();
            let flow = d8_over_filled(&height, Outlets::BorderAnd(&sea), &ctx).unwrap();
            let land = |i: usize| sea.cells()[i] == 0;
            let order = topological_order(&flow, &ctx, land).unwrap();
            let mut graded = height.clone();
            hydro::grade(&mut graded, &flow, &order, fall, land);
            let area = hydro::accumulation_within(&flow, &order, land);
            let (basin, list) = hydro::basins(&flow, &order, &ctx, land).unwrap();
            let all = tiles.padded(0, w + h);
            let cut: Vec<_> = (0..tiles.count()).map(|k| {
                let window = tiles.window(k);
                (all.crop(&height, window), all.crop(&flow, window), all.crop(&sea, window))
            }).collect();
            let parts: Vec<Drainage> = cut.iter().enumerate().map(|(k, (height, flow, sea))| {
                let ground = Ground { height, flow, land: |i: usize| sea.cells()[i] == 0, fall };
                let part = Drainage::new(&tiles, k, ground, &ctx).unwrap();
                Drainage::from_bytes(&part.to_bytes()).unwrap()
            }).collect();
            let (shares, basins) = merge(&tiles, &parts, fall);
            let told: Vec<(u64, u64)> = basins.iter().map(|b| (b.mouth, b.cells)).collect();
            let expected: Vec<(u64, u64)> = list.iter().map(|b| (b.mouth.into(), b.cells.into())).collect();
            prop_assert_eq!(told, expected);
            for (k, (height, flow, sea)) in cut.iter().enumerate() {
                let ground = Ground { height, flow, land: |i: usize| sea.cells()[i] == 0, fall };
                let share = Share::from_bytes(&shares[k].to_bytes()).unwrap();
                let drained = share.apply(&tiles, (k, &parts[k]), ground, &ctx).unwrap();
                let window = tiles.window(k);
                prop_assert_eq!(&drained.height, &all.crop(&graded, window));
                prop_assert_eq!(&drained.accumulation, &all.crop(&area, window));
                prop_assert_eq!(&drained.basin, &all.crop(&basin, window));
            }
        }
    }
}
