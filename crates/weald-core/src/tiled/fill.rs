//! Depression filling of a map in tiles (Barnes 2016, doi:10.1016/j.cageo.2016.07.001).
//!
//! W(c) is the lowest level at which water can leave from a cell: the minimum, over all paths to an outlet, of the greatest height
//! on the path. A tile knows such paths between the cells of its border and to its own outlets. Of them the summary keeps a
//! minimum spanning tree, which has the same greatest heights; merged with the steps across the borders of tiles it gives W on
//! every border, and from there a tile finds W inside.

use super::pack::pack_fields;
use super::{Border, Tiles};
use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::hydro::{Pass, Spills};
use crate::label::{find, join};
use crate::queue::{signed_key, signed_value};

/// The summary of a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Spill {
    /// Heights of the border.
    height: Vec<f32>,
    /// The lowest paths: both ends, as 0 for the outlets and 1 and more for the cells of the border, and the greatest height.
    paths: Vec<((u32, u32), f32)>,
}
pack_fields!(Spill { height, paths });

/// The outlets of a tile: cells on the border of the map, and those of a mask.
#[derive(Clone, Copy, Debug)]
pub struct TileOutlets<'a> {
    /// The map.
    pub tiles: &'a Tiles,
    /// The number of the tile.
    pub tile: usize,
    /// 1 where water leaves, such as in the sea, in the cells of the tile.
    pub mask: Option<&'a Grid<u8>>,
}

impl TileOutlets<'_> {
    /// Whether water leaves at a cell of the tile.
    fn at(&self) -> impl Fn(usize, usize) -> bool {
        let (tiles, mask, window) = (self.tiles, self.mask, self.tiles.window(self.tile));
        move |x, y| tiles.on_border(window.x + x, window.y + y) || mask.is_some_and(|m| m[(x, y)] != 0)
    }
}

impl Spill {
    /// The summary of the heights of a tile, which must not contain NaN. Reach: a tile. Cost: about 40 ns a cell.
    pub fn new(height: &Grid<f32>, outlets: TileOutlets, ctx: &Ctx) -> Result<Self> {
        let (spills, of_border) = Spills::of_tile(height, outlets.at(), ctx)?;
        let border = Border::new(height.width(), height.height());
        let mut passes = spills.passes;
        passes.retain(|pass| pass.key != signed_key(f32::INFINITY));
        passes.sort_unstable_by_key(|pass| pass.key);
        ctx.checkpoint()?;
        let mut parent: Vec<u32> = (0..spills.count as u32).collect();
        // The outlets or the cell of the border that stands for a tree, if there is one.
        let mut stand: Vec<Option<u32>> = vec![None; spills.count];
        of_border.iter().zip(1..).for_each(|(&basin, end)| stand[basin as usize] = Some(end));
        stand[0] = Some(0);
        let height: Vec<f32> = border.cells().map(|(x, y)| height[(x, y)] + 0.0).collect();
        let is_outlet = outlets.at();
        let own = border.cells().zip(&height).zip(1..).filter(|&(((x, y), _), _)| is_outlet(x, y));
        let mut paths: Vec<((u32, u32), f32)> = own.map(|((_, &h), end)| ((0, end), h)).collect();
        for pass in passes {
            let [a, b] = pass.basins.map(|b| find(&mut parent, b));
            if a == b {
                continue;
            }
            let of = [stand[a as usize], stand[b as usize]];
            if let [Some(a), Some(b)] = of {
                paths.push(((a, b), signed_value(pass.key)));
            }
            let root = join(&mut parent, a, b);
            stand[root as usize] = of[0].or(of[1]);
        }
        Ok(Self { height, paths })
    }
}

/// The filled heights of the borders of all tiles, from their summaries in the order of the tiles. Cost: linear in the length of all
/// borders.
///
/// # Panics
/// If the summaries are not those of these tiles.
pub fn levels(tiles: &Tiles, spills: &[Spill], ctx: &Ctx) -> Result<Vec<Vec<f32>>> {
    assert_eq!(spills.len(), tiles.count(), "there is one summary for each tile");
    // Basin 0 are the outlets.
    let start: Vec<usize> = super::flow::starts(spills.iter().map(|s| s.height.len()));
    let count = 1 + spills.iter().map(|s| s.height.len()).sum::<usize>();
    let mut passes = Vec::new();
    for (k, spill) in spills.iter().enumerate() {
        let node = |end: u32| if end == 0 { 0 } else { start[k] as u32 + end };
        passes.extend(
            spill.paths.iter().map(|&((a, b), h)| Pass { key: signed_key(h), basins: [node(a), node(b)] }),
        );
        tiles.pairs(k, |i, _, other, at| {
            if k < other {
                let height = spill.height[i].max(spills[other].height[at]);
                let basins = [start[k] + i + 1, start[other] + at + 1].map(|b| b as u32);
                passes.push(Pass { key: signed_key(height), basins });
            }
        });
    }
    let level = crate::hydro::levels(count, passes, ctx)?;
    let of_tile = |(s, spill): (&usize, &Spill)| {
        let own = spill.height.iter().zip(&level[s + 1..]);
        own.map(|(&height, &level)| if height >= level { height } else { level }).collect()
    };
    Ok(start.iter().zip(spills).map(of_tile).collect())
}

/// The filled heights of a tile, with those of its border as [`levels`] gives them: the part of [`crate::hydro::fill`] of the whole map.
/// Reach: a tile. Cost: about 25 ns a cell.
pub fn filled(height: &Grid<f32>, levels: &[f32], outlets: TileOutlets, ctx: &Ctx) -> Result<Grid<f32>> {
    let (mut spills, of_border) = Spills::of_tile(height, outlets.at(), ctx)?;
    let ends = of_border.iter().zip(levels).filter(|(basin, _)| **basin != 0);
    spills.passes.extend(ends.map(|(&basin, &level)| Pass { key: signed_key(level), basins: [0, basin] }));
    spills.fill(height, ctx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::hydro::{Outlets, fill};
    use crate::tiled::Pack;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tiles_are_filled_like_the_whole_map(
            w in 1usize..70, h in 1usize..70, side in 1usize..50,
            steps in prop_oneof![2u64..9, 1000u64..1001], share in 0.0f64..0.1, seed: u64
        ) {
            let (tiles, ctx) = (Tiles::new(w, h, side), Ctx::default());
            let at = |i: usize, k: i64| Seed(seed).at(i as i64, k);
            let height = Grid::from_vec(w, h, (0..w * h).map(|i| (at(i, 0) % steps) as f32 - 2.0).collect());
            let sea = Grid::from_vec(w, h, (0..w * h).map(|i| (Seed(seed).unit_at(i as i64, 1) < share) as u8).collect());
            let whole = fill(&height, Outlets::BorderAnd(&sea), &ctx).unwrap();
            let all = tiles.padded(0, w + h);
            let part = |k| (all.crop(&height, tiles.window(k)), all.crop(&sea, tiles.window(k)));
            let spills: Vec<Spill> = (0..tiles.count()).map(|k| {
                let (height, sea) = part(k);
                let outlets = TileOutlets { tiles: &tiles, tile: k, mask: Some(&sea) };
                Spill::from_bytes(&Spill::new(&height, outlets, &ctx).unwrap().to_bytes()).unwrap()
            }).collect();
            let levels = levels(&tiles, &spills, &ctx).unwrap();
            for (k, levels) in levels.iter().enumerate() {
                let (height, sea) = part(k);
                let outlets = TileOutlets { tiles: &tiles, tile: k, mask: Some(&sea) };
                let tile = filled(&height, levels, outlets, &ctx).unwrap();
                prop_assert_eq!(tile, all.crop(&whole, tiles.window(k)));
            }
        }
    }
}
