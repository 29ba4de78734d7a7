//! Depression filling.

use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::par;
use crate::queue::{signed_key, signed_value};
use crate::tiled::Border;

/// The cells over which water leaves the map.
#[doc(alias = "sinks")]
#[doc(alias = "base level")]
#[doc(alias = "pour point")]
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Outlets<'a> {
    /// The border cells.
    Border,
    /// The border cells, and all cells where this mask is not 0, such as the sea. It has the shape of the map.
    BorderAnd(&'a Grid<u8>),
}

impl Outlets<'_> {
    /// The row of the mask, if there is one.
    pub(super) fn row(&self, y: usize) -> Option<&[u8]> {
        match self {
            Outlets::Border => None,
            Outlets::BorderAnd(mask) => Some(mask.row(y)),
        }
    }

    /// # Panics
    /// If the mask has another shape than the map.
    pub(super) fn check<T>(&self, map: &Grid<T>) {
        if let Outlets::BorderAnd(mask) = self {
            assert_eq!(mask.shape(), map.shape(), "the outlet mask must have the shape of the map");
        }
    }
}

/// Fills depressions: the lowest surface, nowhere below `height`, from which every cell has a path to an outlet that never
/// climbs.
///
/// W(c) = the minimum, over all paths from c to an outlet, of the greatest height on the path, both ends included. A priority
/// flood (Barnes, Lehman, Mulla 2014, doi:10.1016/j.cageo.2013.04.024) visits cells in the order of W. Here only basins are
/// put in order, which are far fewer:
///
/// 1. Every cell points at a neighbour that precedes it in the order of (height, index). Cells whose path ends at the same pit
///    form a basin B; those whose path ends at an outlet form basin 0.
/// 2. A pair of neighbours in different basins is a pass, as high as the higher of the two.
/// 3. The spill level L(B) of a basin is the minimum, over chains of passes to basin 0, of the highest pass. A basin spills
///    over its own lowest pass: L(B) = max(pass, L(the basin beyond it)). Basins that spill into each other are merged, and
///    so on, as in Borůvka's algorithm (Cordonnier, Bovy, Braun 2019, doi:10.5194/esurf-7-549-2019).
/// 4. W(c) = max(height(c), L(B)): there is a path from c down to the pit that never climbs, and its reverse never rises
///    above height(c).
///
/// The surface is unique, so the order of work cannot change a bit. `height` must not contain NaN; −0 becomes 0. Reach:
/// whole map. Cost: 12 to 25 ns a cell on one core, most of it in parallel, and 4 to 8 bytes a cell beside the result.
///
/// ```
/// use weald_core::hydro::{self, Outlets};
/// use weald_core::{Ctx, Grid};
///
/// // A bowl whose rim is 5 m high, with a notch of 3 m.
/// let mut bowl = Grid::from_fn(5, 5, |x, y| if (1..4).contains(&x) && (1..4).contains(&y) { 0.0 } else { 5.0 });
/// bowl[(4, 2)] = 3.0;
/// let filled = hydro::fill(&bowl, Outlets::Border, &Ctx::default())?;
/// // The water surface is level, at the height of the notch.
/// assert!((1..4).all(|y| filled.row(y)[1..4] == [3.0; 3]));
/// assert_eq!(filled[(0, 0)], 5.0);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If the outlet mask has another shape than the map, or the map has 2³² cells or more.
#[doc(alias = "priority flood")]
#[doc(alias = "depression filling")]
#[doc(alias = "pit filling")]
#[doc(alias = "sink filling")]
#[doc(alias = "pit removal")]
pub fn fill(height: &Grid<f32>, outlets: Outlets<'_>, ctx: &Ctx) -> Result<Grid<f32>> {
    outlets.check(height);
    let (w, h) = height.shape();
    assert!(w * h < PIT as usize, "cells are numbered with 32 bits");
    let (basin, count) = basins(height, outlets, None, ctx)?;
    let passes = passes(height, &basin, ctx)?;
    Spills { basin, count, passes }.fill(height, ctx)
}

/// The basins of a map and the passes between them.
pub(crate) struct Spills {
    /// The basin of every cell, in bands of [`BAND`] rows.
    basin: Grid<u32>,
    /// Number of basins; basin 0 are the outlets.
    pub(crate) count: usize,
    /// The lowest pass between each pair of basins that touch; some pairs are listed more than once.
    pub(crate) passes: Vec<Pass>,
}

impl Spills {
    /// Those of a tile of a larger map, which is surrounded by a wall of infinite height. Water leaves where `outlet(x, y)` holds; the
    /// other cells of the border of the tile are pits. Returns the basins of the border, too: 0 for outlets.
    pub(crate) fn of_tile(
        height: &Grid<f32>,
        outlet: impl Fn(usize, usize) -> bool,
        ctx: &Ctx,
    ) -> Result<(Self, Vec<u32>)> {
        let (w, h) = height.shape();
        let walled = walled(height, f32::INFINITY);
        let (wide, border) = (walled.width(), Border::new(w, h));
        let mut outlets = Grid::filled(wide, h + 2, 0u8);
        let mut pits = outlets.clone();
        for y in 0..h {
            (0..w).filter(|&x| outlet(x, y)).for_each(|x| outlets[(x + 1, y + 1)] = 1);
        }
        border.cells().for_each(|(x, y)| pits[(x + 1, y + 1)] = 1 - outlets[(x + 1, y + 1)]);
        let (basin, count) = basins(&walled, Outlets::BorderAnd(&outlets), Some(&pits), ctx)?;
        let passes = passes(&walled, &basin, ctx)?;
        let of_border = border.cells().map(|(x, y)| basin.cells()[(y + 1) * wide + x + 1]).collect();
        Ok((Self { basin, count, passes }, of_border))
    }

    /// The filled heights: W(c) = max(height(c), spill level of the basin). Basins of a tile are one cell wider on all sides.
    pub(crate) fn fill(self, height: &Grid<f32>, ctx: &Ctx) -> Result<Grid<f32>> {
        let (w, h) = height.shape();
        let wide = self.basin.width() / BAND;
        let wall = (wide - w) / 2;
        let level = levels(self.count, self.passes, ctx)?;
        par::fill(
            w,
            h,
            ctx,
            #[inline(always)]
            |y, row: &mut [f32]| {
                let of_cell = &self.basin.cells()[(y + wall) * wide + wall..][..w];
                for ((out, &height), &b) in row.iter_mut().zip(height.row(y)).zip(of_cell) {
                    let level = level[b as usize];
                    // Adding 0 turns −0 into 0.
                    *out = (if height >= level { height } else { level }) + 0.0;
                }
            },
        )
    }
}

/// The same grid with one more cell on every side.
fn walled(height: &Grid<f32>, wall: f32) -> Grid<f32> {
    let (w, h) = height.shape();
    let mut walled = Grid::filled(w + 2, h + 2, wall);
    (0..h).for_each(|y| walled.row_mut(y + 1)[1..=w].copy_from_slice(height.row(y)));
    walled
}

/// Number of rows that are labelled together.
const BAND: usize = 64;

/// No lower neighbour: the pit of a basin.
const PIT: u32 = u32::MAX;

/// The directions in which a cell may point, by code: first to the neighbours that precede it in row-major order (W, N, NE,
/// NW), then to those that follow it (E, S, SW, SE).
const STEPS: [Dir8; 8] = [Dir8(4), Dir8(6), Dir8(7), Dir8(5), Dir8(0), Dir8(2), Dir8(3), Dir8(1)];

/// Columns that each of [`STEPS`] leads east.
const STEP_DX: [isize; 8] = {
    let mut dx = [0; 8];
    let mut code = 0;
    while code < 8 {
        dx[code] = Dir8::DX[STEPS[code].0 as usize] as isize;
        code += 1;
    }
    dx
};

/// Code of the step to the west, the first of [`STEPS`].
const WEST: u8 = 0;
/// Codes from here on are steps to neighbours that follow the cell.
const AFTER: u8 = 4;
/// Code of a pit: the cell can point at no neighbour.
const STAY: u8 = 8;
/// Code of an outlet.
const OUTLET: u8 = 9;

/// The basin of every cell, as bands of [`BAND`] rows (the last band may have rows below the map), and the number of basins.
/// Basin 0 is what drains into an outlet. Cells where `pits` is not 0 point at no other.
fn basins(
    height: &Grid<f32>,
    outlets: Outlets<'_>,
    pits: Option<&Grid<u8>>,
    ctx: &Ctx,
) -> Result<(Grid<u32>, usize)> {
    let (w, h) = height.shape();
    let bands = h.div_ceil(BAND);
    let mut label = Grid::filled(w * BAND, bands, 0u32);
    // For each band and label, the cell at which the first cell of the label points. Label 0 is basin 0 in every band.
    let mut heads: Grid<Vec<u32>> = Grid::filled(1, bands, Vec::new());
    par::for_rows(
        (label.rows_mut(), heads.rows_mut()),
        ctx,
        #[inline(always)]
        |k, (labels, heads)| heads[0] = label_band(height, (outlets, pits), k * BAND, labels),
    )?;
    // Labels get numbers that are unique on the map, and point at labels instead of at cells.
    let first: Vec<u32> = heads
        .cells()
        .iter()
        .scan(0, |sum, heads| {
            *sum += heads.len() as u32;
            Some(*sum - heads.len() as u32)
        })
        .collect();
    par::for_rows(heads.rows_mut(), ctx, |k, heads| {
        for (l, head) in heads[0].iter_mut().enumerate() {
            *head = match *head {
                _ if l == 0 => 0,
                PIT => first[k] + l as u32,
                cell => first[cell as usize / (w * BAND)] + label.cells()[cell as usize],
            };
        }
    })?;
    let mut link = heads.into_vec().concat();
    let count = number(&mut link, ctx)?;
    par::for_rows(
        label.rows_mut(),
        ctx,
        #[inline(always)]
        |k, labels| {
            let basin_of = &link[first[k] as usize..];
            labels.iter_mut().for_each(|l| *l = basin_of[*l as usize]);
        },
    )?;
    Ok((label, count))
}

/// Labels a band that begins at row `top`. A cell that points at a preceding cell of the band takes its label; any other
/// cell gets a new one. Returns for each label the cell at which its first cell points, or [`PIT`].
#[inline(always)]
fn label_band(
    height: &Grid<f32>,
    (outlets, pits): (Outlets<'_>, Option<&Grid<u8>>),
    top: usize,
    labels: &mut [u32],
) -> Vec<u32> {
    let (w, h) = height.shape();
    let mut heads = vec![0];
    if w < 3 {
        return heads;
    }
    let (mut codes, mut new, nothing) = (vec![0u8; w], vec![0u32; w], vec![0u32; w]);
    let mut offsets = [0isize; 16];
    let of_dir = Dir8::offsets(w);
    STEPS.iter().zip(&mut offsets).for_each(|(d, o)| *o = of_dir[d.0 as usize]);
    for y in top.max(1)..(top + BAND).min(h - 1) {
        point([height.row(y - 1), height.row(y), height.row(y + 1)], &mut codes[1..w - 1]);
        if let Some(mask) = outlets.row(y) {
            codes.iter_mut().zip(mask).filter(|(_, m)| **m != 0).for_each(|(c, _)| *c = OUTLET);
        }
        if let Some(pits) = pits {
            codes.iter_mut().zip(pits.row(y)).filter(|(_, p)| **p != 0).for_each(|(c, _)| *c = STAY);
        }
        let (done, row) = labels.split_at_mut((y - top) * w);
        // In the first row of a band the labels above are not known.
        let (above, limit) =
            if y > top { (&done[done.len() - w..], AFTER) } else { (&nothing[..], WEST + 1) };
        let (mut count, mut label) = (0, 0u32);
        for x in 1..w - 1 {
            let code = codes[x];
            let inherited = above[x.wrapping_add_signed(STEP_DX[(code & 3) as usize])];
            let is_new = (code >= limit) & (code != OUTLET);
            new[count] = if code == STAY {
                PIT
            } else {
                (y * w + x).wrapping_add_signed(offsets[(code & 15) as usize]) as u32
            };
            let fresh = (heads.len() + count) as u32;
            let other = if is_new { fresh } else { inherited };
            let other = if code == OUTLET { 0 } else { other };
            label = if code == WEST { label } else { other };
            row[x] = label;
            count += is_new as usize;
        }
        heads.extend_from_slice(&new[..count]);
    }
    heads
}

/// The codes of the inner cells of a row; `rows` are the row above, the row itself and the row below. A cell may point at a
/// preceding neighbour that is not higher or at a following one that is lower, so that there are no cycles and a flat is one
/// basin except for few cells. Any such neighbour will do; preceding ones are preferred, because their labels are known.
#[inline(always)]
fn point(rows: [&[f32]; 3], out: &mut [u8]) {
    let n = out.len();
    let shifted = |d: Dir8| &rows[(d.dy() + 1) as usize][(d.dx() + 1) as usize..][..n];
    let [west, north, ne, nw, east, south, sw, se] = STEPS.map(shifted);
    let centre = &rows[1][1..][..n];
    for i in 0..n {
        let c = centre[i];
        let mut code = STAY as i32;
        let mut choose = |yes: bool, step: i32| code = if yes { step } else { code };
        choose(se[i] < c, 7);
        choose(sw[i] < c, 6);
        choose(south[i] < c, 5);
        choose(east[i] < c, 4);
        choose(nw[i] <= c, 3);
        choose(ne[i] <= c, 2);
        choose(north[i] <= c, 1);
        choose(west[i] <= c, 0);
        out[i] = code as u8;
    }
}

/// Follows every label to the end of its links and replaces it by the number of the basin there: 0, then the pits in order.
/// Returns the number of basins.
fn number(link: &mut [u32], ctx: &Ctx) -> Result<usize> {
    // Most links lead to later labels, which are done by then.
    for l in (0..link.len()).rev() {
        if l & 0xF_FFFF == 0 {
            ctx.checkpoint()?;
        }
        let mut end = link[l];
        while link[end as usize] != end {
            let skipped = link[link[end as usize] as usize];
            link[end as usize] = skipped;
            end = skipped;
        }
        link[l] = end;
    }
    let (mut basin, mut count) = (vec![0; link.len()], 0);
    for (l, &end) in link.iter().enumerate() {
        if end as usize == l {
            basin[l] = count;
            count += 1;
        }
    }
    ctx.checkpoint()?;
    link.iter_mut().for_each(|l| *l = basin[*l as usize]);
    Ok(count as usize)
}

/// A pass: a pair of neighbours in two different basins.
#[derive(Clone, Copy)]
pub(crate) struct Pass {
    /// The higher of the two heights, as a number that sorts like it.
    pub(crate) key: u32,
    pub(crate) basins: [u32; 2],
}

/// The lowest pass between each pair of basins that touch; some pairs are listed more than once.
fn passes(height: &Grid<f32>, basin: &Grid<u32>, ctx: &Ctx) -> Result<Vec<Pass>> {
    let (w, h) = height.shape();
    let lists = par::map(h.div_ceil(BAND), ctx, |band| {
        let mut found = Found::default();
        let mut differs = vec![0u8; w];
        for y in band * BAND..((band + 1) * BAND).min(h - 1) {
            let row = |y: usize| (height.row(y), &basin.cells()[y * w..(y + 1) * w]);
            passes_of_row(row(y), row(y + 1), &mut differs, &mut found);
        }
        found.list()
    })?;
    Ok(lists.concat())
}

/// Adds the passes from the cells of one row to their neighbours to the east and in the next row.
fn passes_of_row(here: (&[f32], &[u32]), below: (&[f32], &[u32]), differs: &mut [u8], found: &mut Found) {
    let w = here.0.len();
    if w < 3 {
        return;
    }
    let (n, b, s) = (w - 2, here.1, below.1);
    par::widest_simd(
        #[inline(always)]
        || {
            let (centre, east) = (&b[1..][..n], &b[2..][..n]);
            let (sw, south, se) = (&s[..n], &s[1..][..n], &s[2..][..n]);
            for (i, out) in differs[1..w - 1].iter_mut().enumerate() {
                let c = centre[i];
                *out = ((c != east[i]) | (c != sw[i]) | (c != south[i]) | (c != se[i])) as u8;
            }
        },
    );
    (differs[0], differs[w - 1]) = (1, 1);
    let mut cell = |x: usize| {
        let mut pair = |to: (&[f32], &[u32]), nx: usize| {
            if b[x] != to.1[nx] {
                found.add(b[x], to.1[nx], here.0[x].max(to.0[nx]));
            }
        };
        if x + 1 < w {
            pair(here, x + 1);
            pair(below, x + 1);
        }
        if x > 0 {
            pair(below, x - 1);
        }
        pair(below, x);
    };
    for (k, chunk) in differs.chunks(8).enumerate() {
        if chunk != [0; 8] {
            (0..chunk.len()).filter(|i| chunk[*i] != 0).for_each(|i| cell(k * 8 + i));
        }
    }
}

/// Passes of one band. Recent pairs are kept in a table, so that a long border between two basins gives one pass.
struct Found {
    table: Vec<(u32, u32, f32)>,
    list: Vec<Pass>,
}

/// Number of entries of the table, as a power of two.
const TABLE_BITS: u32 = 12;

impl Default for Found {
    fn default() -> Self {
        Self { table: vec![(0, 0, 0.0); 1 << TABLE_BITS], list: Vec::new() }
    }
}

impl Found {
    #[inline]
    fn add(&mut self, a: u32, b: u32, height: f32) {
        let (low, high) = (a.min(b), a.max(b));
        let hash = low.wrapping_mul(0x9E37_79B1) ^ high.wrapping_mul(0x85EB_CA77);
        let slot = &mut self.table[(hash >> (32 - TABLE_BITS)) as usize];
        if (slot.0, slot.1) == (low, high) {
            slot.2 = slot.2.min(height);
        } else {
            Self::keep(&mut self.list, *slot);
            *slot = (low, high, height);
        }
    }

    #[inline]
    fn keep(list: &mut Vec<Pass>, (low, high, height): (u32, u32, f32)) {
        // An empty slot holds the same basin twice.
        if low != high {
            list.push(Pass { key: signed_key(height), basins: [low, high] });
        }
    }

    fn list(mut self) -> Vec<Pass> {
        self.table.into_iter().for_each(|slot| Self::keep(&mut self.list, slot));
        self.list
    }
}

/// The spill level of each basin; that of basin 0 is −∞.
///
/// In each round every basin chooses its lowest pass, the first of equal ones. Two basins that choose the same pass spill
/// into each other: the one with the smaller number stays open and represents both, and all that spill into them; the
/// others are settled relative to it. Along a chain of choices the passes never rise, so the first one is the highest:
/// L(B) = max(pass(B), L(the basin that stays open)).
pub(crate) fn levels(count: usize, mut passes: Vec<Pass>, ctx: &Ctx) -> Result<Vec<f32>> {
    const NO_PASS: u64 = u64::MAX;
    let mut best = vec![NO_PASS; count];
    let mut into: Vec<u32> = (0..count as u32).collect();
    let mut lowest = vec![0u32; count];
    let (mut open, mut settled): (Vec<u32>, Vec<u32>) = ((1..count as u32).collect(), Vec::new());
    while !passes.is_empty() {
        ctx.checkpoint()?;
        for (i, pass) in passes.iter().enumerate() {
            let choice = (pass.key as u64) << 32 | i as u64;
            for b in pass.basins {
                best[b as usize] = best[b as usize].min(choice);
            }
        }
        // Basin 0 chooses nothing.
        best[0] = NO_PASS;
        let settled_before = settled.len();
        open.retain(|&b| {
            let choice = best[b as usize];
            let pass = passes[choice as u32 as usize];
            let other = pass.basins[(pass.basins[0] == b) as usize];
            let stays = best[other as usize] == choice && b < other;
            if !stays {
                (into[b as usize], lowest[b as usize]) = (other, pass.key);
                settled.push(b);
            }
            stays
        });
        for &b in &settled[settled_before..] {
            let mut end = into[b as usize];
            while into[end as usize] != end {
                end = into[end as usize];
            }
            into[b as usize] = end;
        }
        open.iter().for_each(|&b| best[b as usize] = NO_PASS);
        passes.retain_mut(|pass| {
            pass.basins = pass.basins.map(|b| into[b as usize]);
            pass.basins[0] != pass.basins[1]
        });
    }
    let mut level = vec![f32::NEG_INFINITY; count];
    for &b in settled.iter().rev() {
        level[b as usize] = level[into[b as usize] as usize].max(signed_value(lowest[b as usize]));
    }
    Ok(level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Seed, dir8};
    use proptest::prelude::*;

    fn is_sink(g: &Grid<f32>, outlets: Outlets<'_>, x: usize, y: usize) -> bool {
        let border = x == 0 || y == 0 || x + 1 == g.width() || y + 1 == g.height();
        border || outlets.row(y).is_some_and(|row| row[x] != 0)
    }

    /// W(c) = max(height(c), least W of the neighbours) for all cells that are no outlets, until nothing changes.
    fn naive(height: &Grid<f32>, outlets: Outlets<'_>) -> Grid<f32> {
        let (w, h) = height.shape();
        let mut level = Grid::filled(w, h, f32::INFINITY);
        loop {
            let before = level.clone();
            for y in 0..h {
                for x in 0..w {
                    let mut least = f32::INFINITY;
                    dir8::neighbours(w, h, x, y, |_, nx, ny| least = least.min(level[(nx, ny)]));
                    let wet = if is_sink(height, outlets, x, y) { f32::NEG_INFINITY } else { least };
                    level[(x, y)] = height[(x, y)].max(wet);
                }
            }
            if level == before {
                return level;
            }
        }
    }

    /// Random heights; few `steps` make many ties.
    fn ground(w: usize, h: usize, steps: u64, seed: u64) -> Grid<f32> {
        let cells = (0..w * h).map(|i| (Seed(seed).at(i as i64, 0) % steps) as f32 - steps as f32 / 2.0);
        Grid::from_vec(w, h, cells.collect())
    }

    fn mask(w: usize, h: usize, share: f64, seed: u64) -> Grid<u8> {
        Grid::from_vec(w, h, (0..w * h).map(|i| (Seed(seed).unit_at(i as i64, 1) < share) as u8).collect())
    }

    #[test]
    fn a_bowl_is_filled_to_its_rim_and_a_plane_stays_as_it_is() {
        let n = 101;
        let r2 = |i: usize| {
            ((i % n) as f32 - 50.0) * ((i % n) as f32 - 50.0)
                + ((i / n) as f32 - 50.0) * ((i / n) as f32 - 50.0)
        };
        // The rim is lowest where the border is nearest to the centre: 50 cells away.
        let bowl = Grid::from_vec(n, n, (0..n * n).map(r2).collect());
        let filled = fill(&bowl, Outlets::Border, &Ctx::default()).unwrap();
        assert!(filled.cells().iter().zip(bowl.cells()).all(|(&f, &b)| f == b.max(2500.0)));
        let plane = Grid::from_fn(n, n, |x, y| x as f32 - 2.0 * y as f32);
        assert_eq!(fill(&plane, Outlets::Border, &Ctx::default()).unwrap(), plane);
    }

    #[test]
    fn a_sink_in_the_bowl_drains_it() {
        let away = |v: usize| (v as f32 - 4.0).abs();
        let bowl = Grid::from_fn(9, 9, |x, y| away(x).max(away(y)));
        let mut sea = Grid::filled(9, 9, 0);
        sea[(4, 4)] = 1;
        assert_eq!(fill(&bowl, Outlets::BorderAnd(&sea), &Ctx::default()).unwrap(), bowl);
        assert_ne!(fill(&bowl, Outlets::Border, &Ctx::default()).unwrap(), bowl);
    }

    #[test]
    fn minus_zero_becomes_zero() {
        let filled = fill(&Grid::filled(5, 5, -0.0), Outlets::Border, &Ctx::default()).unwrap();
        assert!(filled.cells().iter().all(|v| v.to_bits() == 0));
    }

    #[test]
    fn a_deep_map_of_many_bands_equals_relaxation() {
        let height = ground(40, 5 * BAND + 3, 1 << 20, 3);
        assert_eq!(fill(&height, Outlets::Border, &Ctx::default()).unwrap(), naive(&height, Outlets::Border));
    }

    proptest! {
        #[test]
        fn the_fill_equals_relaxation(
            w in 1usize..30, h in 1usize..90, steps in prop_oneof![2u64..12, 1000u64..1001], seed: u64, share in 0.0f64..0.1
        ) {
            let (height, sea) = (ground(w, h, steps, seed), mask(w, h, share, seed));
            for outlets in [Outlets::Border, Outlets::BorderAnd(&sea)] {
                let filled = fill(&height, outlets, &Ctx::default()).unwrap();
                prop_assert_eq!(&filled, &naive(&height, outlets));
            }
        }

        #[test]
        fn the_fill_lies_on_or_above_the_ground_drains_everywhere_and_needs_no_second_one(
            w in 1usize..150, h in 1usize..150, steps in 2u64..5000, seed: u64
        ) {
            let height = ground(w, h, steps, seed);
            let filled = fill(&height, Outlets::Border, &Ctx::default()).unwrap();
            prop_assert!(filled.cells().iter().zip(height.cells()).all(|(f, g)| f >= g));
            prop_assert_eq!(&fill(&filled, Outlets::Border, &Ctx::default()).unwrap(), &filled);
            // Climbing from the border over cells that are not lower reaches every cell.
            let (mut seen, mut stack) = (Grid::filled(w, h, false), vec![]);
            for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
                if is_sink(&height, Outlets::Border, x, y) {
                    (seen[(x, y)], _) = (true, stack.push((x, y)));
                }
            }
            while let Some((x, y)) = stack.pop() {
                dir8::neighbours(w, h, x, y, |_, nx, ny| {
                    if !seen[(nx, ny)] && filled[(nx, ny)] >= filled[(x, y)] {
                        seen[(nx, ny)] = true;
                        stack.push((nx, ny));
                    }
                });
            }
            prop_assert!(seen.cells().iter().all(|s| *s));
        }
    }
}
