//! D8 flow directions over the filled surface of a map in tiles.
//!
//! Directions of steepest descent need the cells beside a tile, which are on the borders of its neighbours. Flats that touch no
//! border of a tile are crossed in their tile. The cells of the others are told in the summary and crossed together: they are few
//! unless a lake is as large as the map.

use super::pack::pack_fields;
use super::{Border, Tiles, Window};
use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::{self, Dir8};
use crate::grid::Grid;
use crate::hydro::{AXES_FIRST, FLAT, Outlets, cross_flats, downhill};
use crate::label;

/// The cells of the flats of a tile that touch its border.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flats {
    /// In ascending order.
    cells: Vec<FlatCell>,
}
pack_fields!(Flats { cells });

/// A cell of a flat that touches the border of a tile. Neighbours are bits, by direction.
#[derive(Clone, Debug, PartialEq)]
struct FlatCell {
    /// Its number on the map.
    cell: u64,
    /// Neighbours of the same height that have a direction or are outlets.
    leaves: u8,
    /// Neighbours of the same height in other tiles, which may have one.
    outside: u8,
}
pack_fields!(FlatCell { cell, leaves, outside });

/// Directions of the cells of a tile that water takes across flats which touch its border.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crossing {
    /// The cell in the tile, row by row, and its direction.
    cells: Vec<(u32, u8)>,
}
pack_fields!(Crossing { cells });

/// In the place of a direction until the flats that touch borders are crossed.
const HELD: Dir8 = Dir8(253);

/// The filled heights of tile `k` and of the ring of cells around it ([`Tiles::ring`]), as a grid of [`Tiles::padded`] by 1.
///
/// # Panics
/// If the numbers are not those of this tile.
pub fn with_ring(tiles: &Tiles, k: usize, filled: &Grid<f32>, ring: &[f32]) -> Grid<f32> {
    let (window, outer) = (tiles.window(k), tiles.padded(k, 1));
    let mut all = Grid::filled(outer.width, outer.height, 0.0);
    let (dx, dy) = (window.x - outer.x, window.y - outer.y);
    for y in 0..window.height {
        all.row_mut(y + dy)[dx..dx + window.width].copy_from_slice(filled.row(y));
    }
    let places: Vec<_> = tiles.ring(k).collect();
    assert_eq!(places.len(), ring.len(), "there is one height for each cell around the tile");
    places.iter().zip(ring).for_each(|(&(x, y), &h)| all[(x - outer.x, y - outer.y)] = h);
    all
}

/// The filled heights around every tile, from those of the borders of all tiles ([`super::fill::levels`]).
pub fn rings(tiles: &Tiles, levels: &[Vec<f32>]) -> Vec<Vec<f32>> {
    let height = |(x, y)| {
        let (tile, cell) = tiles.border_cell(x, y);
        levels[tile][cell]
    };
    (0..tiles.count()).map(|k| tiles.ring(k).map(height).collect()).collect()
}

/// The flow directions of tile `k` as [`crate::hydro::d8_over_filled`] gives them for the whole map, but for the flats that touch its border;
/// and these. `filled` and `outlets` are grids of [`Tiles::padded`] by 1. Reach: a tile. Cost: about 10 ns a cell, and 20 ns more for
/// each cell of a flat.
pub fn directions(
    tiles: &Tiles,
    k: usize,
    filled: &Grid<f32>,
    outlets: Option<&Grid<u8>>,
    ctx: &Ctx,
) -> Result<(Grid<Dir8>, Flats)> {
    let (window, outer) = (tiles.window(k), tiles.padded(k, 1));
    let flow = downhill(filled, outlets.map_or(Outlets::Border, Outlets::BorderAnd), ctx)?;
    let (mut flow, level) = (outer.crop(&flow, window), outer.crop(filled, window));
    let (w, h) = window.shape();
    let (region, count) = label::regions(w, h, ctx, |i| flow.cells()[i] == FLAT)?;
    let mut held = vec![false; count as usize + 1];
    Border::of(&window).cells().for_each(|(x, y)| held[region[(x, y)] as usize] = true);
    held[0] = false;
    let mut flats = Flats::default();
    for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
        if held[region[(x, y)] as usize] {
            flats.cells.push(flat_cell((tiles, &window, &outer), (&flow, filled), (x, y)));
        }
    }
    flow.cells_mut()
        .iter_mut()
        .zip(region.cells())
        .filter(|(_, r)| held[**r as usize])
        .for_each(|(d, _)| *d = HELD);
    cross_flats(&level, &mut flow, ctx)?;
    flow.cells_mut().iter_mut().filter(|d| **d == FLAT).for_each(|d| *d = Dir8::NONE);
    Ok((flow, flats))
}

/// What is told of the cell (x, y) of a flat.
fn flat_cell(
    (tiles, window, outer): (&Tiles, &Window, &Window),
    (flow, filled): (&Grid<Dir8>, &Grid<f32>),
    (x, y): (usize, usize),
) -> FlatCell {
    let place = (window.x + x, window.y + y);
    let height = |(x, y): (usize, usize)| filled[(x - outer.x, y - outer.y)];
    let mut told = FlatCell { cell: tiles.cell(place.0, place.1), leaves: 0, outside: 0 };
    dir8::neighbours(tiles.width, tiles.height, place.0, place.1, |d, nx, ny| {
        if height((nx, ny)) == height(place) {
            let inside = window.contains(nx, ny);
            let leaves = inside && flow[(nx - window.x, ny - window.y)] != FLAT;
            told.leaves |= (leaves as u8) << d.0;
            told.outside |= (!inside as u8) << d.0;
        }
    });
    told
}

/// Crosses the flats that touch borders of tiles, from their summaries in the order of the tiles: a breadth-first search in the order of
/// [`crate::hydro::d8_over_filled`]. Cost: about 100 ns for each of their cells.
///
/// # Panics
/// If the summaries are not those of these tiles.
pub fn cross(tiles: &Tiles, flats: &[Flats]) -> Vec<Crossing> {
    assert_eq!(flats.len(), tiles.count(), "there is one summary for each tile");
    let mut cells: Vec<&FlatCell> = flats.iter().flat_map(|f| &f.cells).collect();
    cells.sort_unstable_by_key(|c| c.cell);
    let find = |(x, y): (usize, usize)| cells.binary_search_by_key(&tiles.cell(x, y), |c| c.cell).ok();
    let near = |i: usize, d: Dir8| {
        let (x, y) = tiles.place(cells[i].cell);
        tiles.step(x, y, d).and_then(find)
    };
    let mut direction = vec![FLAT; cells.len()];
    let mut queue = Vec::new();
    for (i, cell) in cells.iter().enumerate() {
        let has = |bits: u8, d: Dir8| bits >> d.0 & 1 == 1;
        // A neighbour in another tile that is not told is not flat.
        let leaves = |d: &&Dir8| has(cell.leaves, **d) || has(cell.outside, **d) && near(i, **d).is_none();
        if let Some(&d) = AXES_FIRST.iter().find(leaves) {
            queue.push((i, d));
        }
    }
    queue.iter().for_each(|&(i, d)| direction[i] = d);
    let mut queue: Vec<usize> = queue.into_iter().map(|q| q.0).collect();
    let mut next = 0;
    while let Some(&cell) = queue.get(next) {
        next += 1;
        for d in AXES_FIRST {
            if let Some(n) = near(cell, d).filter(|&n| direction[n] == FLAT) {
                direction[n] = d.opposite();
                queue.push(n);
            }
        }
    }
    let mut crossings = vec![Crossing::default(); tiles.count()];
    for (cell, d) in cells.iter().zip(direction) {
        let (x, y) = tiles.place(cell.cell);
        let k = tiles.of(x, y);
        let window = tiles.window(k);
        let at = (y - window.y) * window.width + x - window.x;
        let d = if d == FLAT { Dir8::NONE } else { d };
        crossings[k].cells.push((at as u32, d.0));
    }
    crossings
}

impl Crossing {
    /// Gives the cells of a tile their directions.
    pub fn apply(&self, flow: &mut Grid<Dir8>) {
        self.cells.iter().for_each(|&(cell, d)| flow.cells_mut()[cell as usize] = Dir8(d));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::hydro::{d8_over_filled, fill};
    use crate::tiled::Pack;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tiles_have_the_directions_of_the_whole_map(
            w in 1usize..70, h in 1usize..70, side in 1usize..50, unfilled: bool,
            steps in prop_oneof![2u64..9, 1000u64..1001], share in 0.0f64..0.05, seed: u64
        ) {
            let (tiles, ctx) = (Tiles::new(w, h, side), Ctx::default());
            let height = (0..w * h).map(|i| (Seed(seed).at(i as i64, 0) % steps) as f32 - 2.0);
            let height = Grid::from_vec(w, h, height.collect());
            let sea = (0..w * h).map(|i| (Seed(seed).unit_at(i as i64, 1) < share) as u8);
            let sea = Grid::from_vec(w, h, sea.collect());
            let filled = if unfilled { height } else { fill(&height, Outlets::BorderAnd(&sea), &ctx).unwrap() };
            let whole = d8_over_filled(&filled, Outlets::BorderAnd(&sea), &ctx).unwrap();
            let all = tiles.padded(0, w + h);
            let levels: Vec<Vec<f32>> = (0..tiles.count()).map(|k| {
                let window = tiles.window(k);
                Border::of(&window).cells().map(|(x, y)| filled[(window.x + x, window.y + y)]).collect()
            }).collect();
            let rings = rings(&tiles, &levels);
            let mut parts: Vec<_> = (0..tiles.count()).map(|k| {
                let outer = tiles.padded(k, 1);
                let around = with_ring(&tiles, k, &all.crop(&filled, tiles.window(k)), &rings[k]);
                assert_eq!(around, all.crop(&filled, outer));
                let (flow, flats) = directions(&tiles, k, &around, Some(&all.crop(&sea, outer)), &ctx).unwrap();
                (flow, Flats::from_bytes(&flats.to_bytes()).unwrap())
            }).collect();
            let flats: Vec<Flats> = parts.iter().map(|p| p.1.clone()).collect();
            for (k, crossing) in cross(&tiles, &flats).iter().enumerate() {
                Crossing::from_bytes(&crossing.to_bytes()).unwrap().apply(&mut parts[k].0);
                prop_assert_eq!(&parts[k].0, &all.crop(&whole, tiles.window(k)));
            }
        }
    }
}
