//! Flow accumulation of a map in tiles (Barnes 2017, doi:10.1016/j.envsoft.2017.02.022).
//!
//! Inside a tile water runs from every cell to a *goal*: the cell where it leaves the tile, or the cell where it ends. The
//! summary has the goal of every cell of the border and what the tile itself contributes to each goal. Merged, the goals that
//! leave a tile form a graph without cycles, along which the sums are carried.

use super::pack::pack_fields;
use super::{Border, Tiles};
use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::hydro;

/// The summary of a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    /// The goal of each cell of the border, by its number.
    pub(super) goals: Vec<u32>,
    /// The border cell and the direction of each goal where water leaves the tile; the goals after those end inside.
    pub(super) exits: Vec<(u32, u8)>,
    /// The cells of the tile that drain through each goal, itself included.
    pub(super) own: Vec<u64>,
    /// The largest accumulation within the tile.
    largest: u64,
}
pack_fields!(Links { goals, exits, own, largest });

/// No goal is known yet.
const UNKNOWN: u32 = u32::MAX;
/// The goal of a cell that is not counted: what flows in is lost.
const NOWHERE: u32 = u32::MAX - 1;

impl Links {
    /// The summary of a tile with these flow directions, which may lead off the tile but not off the map. Only cells that are
    /// `counted` add to the sums; the others must have no direction. Reach: a tile. Cost: about 15 ns a cell.
    pub fn new(flow: &Grid<Dir8>, ctx: &Ctx, counted: impl Fn(usize) -> bool) -> Result<Self> {
        let (w, h) = flow.shape();
        let (border, offsets) = (Border::new(w, h), Dir8::offsets(w));
        let cut = cut(flow, &counted);
        let area = sums(&cut, ctx, &counted, &[])?;
        let largest = area.cells().iter().copied().max().map_or(0, u64::from);
        let mut links =
            Self { goals: Vec::with_capacity(border.len()), exits: Vec::new(), own: Vec::new(), largest };
        let mut goal_of = Grid::filled(w, h, UNKNOWN);
        let known = goal_of.cells_mut();
        for (i, (x, y)) in border.cells().enumerate() {
            let d = flow[(x, y)];
            let off = |d: Dir8| !flow.contains(x as i64 + d.dx() as i64, y as i64 + d.dy() as i64);
            if d.is_some() && off(d) {
                known[y * w + x] = links.exits.len() as u32;
                links.exits.push((i as u32, d.0));
                links.own.push(area[(x, y)].into());
            }
        }
        let mut path = Vec::new();
        for (x, y) in border.cells() {
            let mut cell = y * w + x;
            if !counted(cell) {
                links.goals.push(NOWHERE);
                continue;
            }
            while known[cell] == UNKNOWN {
                path.push(cell);
                match cut.cells()[cell].step_from(cell, &offsets) {
                    Some(next) => cell = next,
                    None => {
                        known[cell] = links.own.len() as u32;
                        links.own.push(area.cells()[cell].into());
                    }
                }
            }
            let goal = known[cell];
            path.drain(..).for_each(|cell| known[cell] = goal);
            links.goals.push(goal);
        }
        Ok(links)
    }
}

/// The directions without those that lead off the tile or to a cell that is not counted.
pub(super) fn cut(flow: &Grid<Dir8>, counted: impl Fn(usize) -> bool) -> Grid<Dir8> {
    let (w, h) = flow.shape();
    let (mut cut, offsets) = (flow.clone(), Dir8::offsets(w));
    for (x, y) in Border::new(w, h).cells() {
        let d = flow[(x, y)];
        if d.is_some() && !cut.contains(x as i64 + d.dx() as i64, y as i64 + d.dy() as i64) {
            cut[(x, y)] = Dir8::NONE;
        }
    }
    for (cell, d) in cut.cells_mut().iter_mut().enumerate() {
        if d.step_from(cell, &offsets).is_some_and(|next| !counted(next)) {
            *d = Dir8::NONE;
        }
    }
    cut
}

/// Accumulation with what flows into the cells of the border, if anything does.
pub(super) fn sums(
    cut: &Grid<Dir8>,
    ctx: &Ctx,
    counted: impl Fn(usize) -> bool,
    inflow: &[u32],
) -> Result<Grid<u32>> {
    let (w, h) = cut.shape();
    let mut area = Grid::from_vec(w, h, (0..w * h).map(|i| counted(i) as u32).collect());
    for ((x, y), &more) in Border::new(w, h).cells().zip(inflow) {
        if area[(x, y)] > 0 {
            area[(x, y)] += more;
        }
    }
    hydro::carry(cut, &mut area, ctx)?;
    Ok(area)
}

/// What flows into every tile from its neighbours.
#[derive(Clone, Debug, PartialEq)]
pub struct Inflows {
    /// By tile and cell of its border.
    pub of_tile: Vec<Vec<u64>>,
    /// The largest accumulation of the map.
    pub largest: u64,
}

/// Merges the summaries of all tiles, in the order of the tiles. Cost: linear in the length of all borders.
///
/// # Panics
/// If the summaries are not those of these tiles, or water runs in a circle.
pub fn inflows(tiles: &Tiles, links: &[Links]) -> Inflows {
    let Totals { total, of_tile, .. } = totals(tiles, &links.iter().collect::<Vec<_>>());
    let largest = total.iter().copied().chain(links.iter().map(|l| l.largest)).max().unwrap_or(0);
    Inflows { of_tile, largest }
}

/// What drains through the goals of all tiles, which are numbered one tile after the other.
pub(super) struct Totals {
    /// Of each goal.
    pub(super) total: Vec<u64>,
    /// What flows into each cell of the border of each tile.
    pub(super) of_tile: Vec<Vec<u64>>,
    /// Where the water of each goal enters another tile, if it does.
    pub(super) next: Vec<Option<Entry>>,
    /// All goals, each before the one that its water reaches next.
    pub(super) order: Vec<usize>,
}

/// Where water enters a tile.
pub(super) struct Entry {
    pub(super) tile: usize,
    /// The cell of its border.
    pub(super) cell: usize,
    /// The goal from there; none if the cell is not counted.
    pub(super) goal: Option<usize>,
}

/// Carries what drains through the goals from tile to tile.
pub(super) fn totals(tiles: &Tiles, links: &[&Links]) -> Totals {
    assert_eq!(links.len(), tiles.count(), "there is one summary for each tile");
    let start: Vec<usize> = starts(links.iter().map(|l| l.own.len()));
    let mut total: Vec<u64> = links.iter().flat_map(|l| l.own.iter().copied()).collect();
    let mut of_tile: Vec<Vec<u64>> = links.iter().map(|l| vec![0; l.goals.len()]).collect();
    let next: Vec<Option<Entry>> =
        (0..links.len()).flat_map(|k| entries(tiles, (links, &start), k)).collect();
    let mut waits = vec![0u32; total.len()];
    next.iter().flatten().filter_map(|entry| entry.goal).for_each(|goal| waits[goal] += 1);
    let mut order: Vec<usize> = (0..total.len()).filter(|&g| waits[g] == 0).collect();
    let mut done = 0;
    while let Some(&goal) = order.get(done) {
        done += 1;
        let Some(entry) = &next[goal] else { continue };
        of_tile[entry.tile][entry.cell] += total[goal];
        if let Some(below) = entry.goal {
            total[below] += total[goal];
            waits[below] -= 1;
            if waits[below] == 0 {
                order.push(below);
            }
        }
    }
    assert_eq!(done, total.len(), "water runs in a circle");
    Totals { total, of_tile, next, order }
}

/// Where the water of each goal of tile `k` enters another tile, if it does.
fn entries(tiles: &Tiles, (links, start): (&[&Links], &[usize]), k: usize) -> Vec<Option<Entry>> {
    let window = tiles.window(k);
    let places: Vec<(usize, usize)> = Border::of(&window).cells().collect();
    let enters = |goal| {
        let &(cell, d) = links[k].exits.get(goal)?;
        let (x, y) = places[cell as usize];
        let (x, y) = tiles.step(window.x + x, window.y + y, Dir8(d)).expect("no water leaves the map");
        let (tile, cell) = tiles.border_cell(x, y);
        let goal = Some(links[tile].goals[cell]).filter(|&goal| goal != NOWHERE);
        Some(Entry { tile, cell, goal: goal.map(|goal| start[tile] + goal as usize) })
    };
    (0..links[k].own.len()).map(enters).collect()
}

/// Where each of several lists begins when they are joined.
pub(super) fn starts(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let from = |sum: &mut usize, n: usize| Some(std::mem::replace(sum, *sum + n));
    lengths.scan(0, from).collect()
}

/// The accumulation of a tile with the water that flows in, as [`crate::hydro::accumulation`] gives it for the whole map. The sums must
/// fit into 32 bits. Reach: a tile. Cost: about 10 ns a cell.
pub fn accumulation(
    flow: &Grid<Dir8>,
    inflow: &[u64],
    ctx: &Ctx,
    counted: impl Fn(usize) -> bool,
) -> Result<Grid<u32>> {
    let inflow: Vec<u32> =
        inflow.iter().map(|&n| u32::try_from(n).expect("the sums fit into 32 bits")).collect();
    sums(&cut(flow, &counted), ctx, &counted, &inflow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::hydro::{DropRule, Outlets, d8_by_drop, d8_over_filled, fill, topological_order};
    use crate::tiled::Pack;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tiles_have_the_accumulation_of_the_whole_map(
            w in 1usize..60, h in 1usize..60, side in 1usize..40, filled: bool, share in 0.0f64..0.3, seed: u64
        ) {
            let (tiles, ctx) = (Tiles::new(w, h, side), Ctx::default());
            let at = |i: usize, k: i64| Seed(seed).unit_at(i as i64, k);
            let height = Grid::from_vec(w, h, (0..w * h).map(|i| at(i, 0) as f32).collect());
            let sea = Grid::from_vec(w, h, (0..w * h).map(|i| (filled && at(i, 1) < share) as u8).collect());
            let flow = match filled {
                true => {
                    let filled = fill(&height, Outlets::BorderAnd(&sea), &ctx).unwrap();
                    d8_over_filled(&filled, Outlets::BorderAnd(&sea), &ctx).unwrap()
                }
                false => d8_by_drop(&height, Seed(seed), &DropRule { min_drop: 0.001, tie_eps: 0.0 }, &ctx).unwrap(),
            };
            let land = |i: usize| sea.cells()[i] == 0;
            let order = topological_order(&flow, &ctx, land).unwrap();
            let whole = hydro::accumulation_within(&flow, &order, land);
            let all = tiles.padded(0, w + h);
            let part = |k| (all.crop(&flow, tiles.window(k)), all.crop(&sea, tiles.window(k)));
            let links: Vec<Links> = (0..tiles.count()).map(|k| {
                let (flow, sea) = part(k);
                let links = Links::new(&flow, &ctx, |i| sea.cells()[i] == 0).unwrap();
                Links::from_bytes(&links.to_bytes()).unwrap()
            }).collect();
            let merged = inflows(&tiles, &links);
            prop_assert_eq!(merged.largest, whole.cells().iter().copied().max().unwrap() as u64);
            for k in 0..tiles.count() {
                let (flow, sea) = part(k);
                let tile = accumulation(&flow, &merged.of_tile[k], &ctx, |i| sea.cells()[i] == 0).unwrap();
                prop_assert_eq!(tile, all.crop(&whole, tiles.window(k)));
            }
        }
    }
}
