//! Connected regions of a map in tiles.

use super::flow::starts;
use super::pack::pack_fields;
use super::{Border, Tiles};
use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::label;

/// The summary of a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Regions {
    /// The number on the map of the first cell of each region of the tile.
    first: Vec<u64>,
    /// The region of each cell of the border, 0 for none.
    border: Vec<u32>,
}
pack_fields!(Regions { first, border });

impl Regions {
    /// Labels the regions of the cells of tile `k` that are `inside`, and sums them up. Reach: a tile.
    pub fn new(
        tiles: &Tiles,
        k: usize,
        ctx: &Ctx,
        inside: impl Fn(usize) -> bool,
    ) -> Result<(Grid<u32>, Self)> {
        let window = tiles.window(k);
        let (w, h) = window.shape();
        let (label, count) = label::regions(w, h, ctx, inside)?;
        let mut first = vec![u64::MAX; count as usize];
        for (y, x, l) in (0..h).flat_map(|y| label.row(y).iter().enumerate().map(move |(x, &l)| (y, x, l))) {
            // The first one of a region is met first.
            if l > 0 && first[l as usize - 1] == u64::MAX {
                first[l as usize - 1] = tiles.cell(window.x + x, window.y + y);
            }
        }
        let border = Border::new(w, h).cells().map(|(x, y)| label[(x, y)]).collect();
        Ok((label, Self { first, border }))
    }
}

/// The number on the map of every region of a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// That of region 1, 2, … of the tile.
    of_region: Vec<u32>,
}
pack_fields!(Numbers { of_region });

impl Numbers {
    /// Turns the labels of a tile into those of the map, as [`crate::label::regions`] gives them.
    pub fn apply(&self, label: &mut Grid<u32>) {
        let number = |l: &mut u32| {
            if *l > 0 {
                *l = self.of_region[*l as usize - 1];
            }
        };
        label.cells_mut().iter_mut().for_each(number);
    }
}

/// Joins the regions that touch across the borders of tiles and numbers all of them in the order of their first cells. Returns the numbers
/// of every tile, and how many regions there are.
///
/// # Panics
/// If the summaries are not those of these tiles.
pub fn merge(tiles: &Tiles, regions: &[Regions]) -> (Vec<Numbers>, u32) {
    assert_eq!(regions.len(), tiles.count(), "there is one summary for each tile");
    let start = starts(regions.iter().map(|r| r.first.len()));
    let mut first: Vec<u64> = regions.iter().flat_map(|r| r.first.iter().copied()).collect();
    let mut parent: Vec<u32> = (0..first.len() as u32).collect();
    for k in 0..tiles.count() {
        tiles.pairs(k, |i, _, other, at| {
            let (a, b) = (regions[k].border[i], regions[other].border[at]);
            // The other tile tells the same pair.
            if a > 0 && b > 0 && k < other {
                label::join(
                    &mut parent,
                    (start[k] + a as usize - 1) as u32,
                    (start[other] + b as usize - 1) as u32,
                );
            }
        });
    }
    let roots: Vec<u32> = (0..parent.len() as u32).map(|l| label::find(&mut parent, l)).collect();
    for (l, &root) in roots.iter().enumerate() {
        first[root as usize] = first[root as usize].min(first[l]);
    }
    let mut order: Vec<u32> = (0..roots.len() as u32).filter(|&l| roots[l as usize] == l).collect();
    order.sort_unstable_by_key(|&l| first[l as usize]);
    let mut number = vec![0u32; roots.len()];
    order.iter().zip(1..).for_each(|(&l, n)| number[l as usize] = n);
    let of_tile = |(k, r): (usize, &Regions)| Numbers {
        of_region: (start[k]..start[k] + r.first.len()).map(|l| number[roots[l] as usize]).collect(),
    };
    (regions.iter().enumerate().map(of_tile).collect(), order.len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::tiled::Pack;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tiles_have_the_regions_of_the_whole_map(
            w in 1usize..60, h in 1usize..60, side in 1usize..40, share in 0.1f64..0.9, seed: u64
        ) {
            let (tiles, ctx) = (Tiles::new(w, h, side), Ctx::default());
            let inside = |i: usize| Seed(seed).unit_at(i as i64, 0) < share;
            let (whole, count) = label::regions(w, h, &ctx, inside).unwrap();
            let mut parts = Vec::new();
            for k in 0..tiles.count() {
                let window = tiles.window(k);
                let (label, summary) = Regions::new(&tiles, k, &ctx, |i| {
                    inside((window.y + i / window.width) * w + window.x + i % window.width)
                }).unwrap();
                parts.push((label, Regions::from_bytes(&summary.to_bytes()).unwrap()));
            }
            let summaries: Vec<Regions> = parts.iter().map(|p| p.1.clone()).collect();
            let (numbers, merged) = merge(&tiles, &summaries);
            prop_assert_eq!(merged, count);
            for (k, (mut label, _)) in parts.into_iter().enumerate() {
                Numbers::from_bytes(&numbers[k].to_bytes()).unwrap().apply(&mut label);
                prop_assert_eq!(label, tiles.padded(0, w + h).crop(&whole, tiles.window(k)));
            }
        }
    }
}
