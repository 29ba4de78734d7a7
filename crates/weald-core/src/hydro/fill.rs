//! Depressions filled to their spill.

use crate::ctx::{Cancelled, Ctx};
use crate::grid::Grid;
use crate::par;

/// Where water leaves the map.
#[derive(Clone, Copy, Debug)]
pub enum Outlets<'a> {
    /// Over the border cells.
    Border,
    /// Over the border cells, and wherever this grid of the same size is not 0: the sea.
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
    /// If the mask has another size than the map.
    pub(super) fn check<T>(&self, map: &Grid<T>) {
        if let Outlets::BorderAnd(mask) = self {
            assert_eq!((mask.width(), mask.height()), (map.width(), map.height()), "a mask fits its map");
        }
    }
}

/// The lowest surface, nowhere below `height`, from which every cell has a way to a sink that never climbs.
///
/// W(c) = the least, over all ways from c to a sink, of the largest height on the way, c and the sink included. A
/// priority flood (Barnes, Lehman, Mulla 2014, doi:10.1016/j.cageo.2013.04.024) takes cells in the order of W. Here
/// the order is found between basins only, which are far fewer:
///
/// 1. Every cell points at a neighbour that lies before it in the order of (height, number). Cells whose way ends at the
///    same pit form a basin B, those whose way ends at a sink the basin 0.
/// 2. A pair of neighbours in different basins is a pass, as high as the higher of the two.
/// 3. A basin spills at L(B), the least over chains of passes to basin 0 of the highest pass. It spills over its own
///    lowest pass: L(B) = max(pass, L(the basin behind)). Basins that spill into each other become one, and so on, as
///    in Borůvka's spanning tree (Cordonnier, Bovy, Braun 2019, doi:10.5194/esurf-7-549-2019).
/// 4. W(c) = max(height(c), L(B)): from c one can go down to the pit without climbing, and from the pit to c without
///    going above height(c).
///
/// The surface is unique, so no order of work can change a bit. `height` must hold no NaN; −0 becomes 0. Reach: whole
/// map. Cost: 12 to 25 ns a cell on one core, most of it in parallel; 4 to 8 bytes a cell beside the result.
///
/// # Panics
/// If the mask of outlets has another size than the map, or the map has 2³² cells or more.
pub fn fill(height: &Grid<f32>, outlets: Outlets<'_>, ctx: &Ctx) -> Result<Grid<f32>, Cancelled> {
    outlets.check(height);
    let (w, h) = (height.width(), height.height());
    assert!(w * h < PIT as usize, "cells are numbered with 32 bits");
    let (basin, count) = basins(height, outlets, ctx)?;
    let passes = passes(height, &basin, ctx)?;
    let level = levels(count, passes, ctx)?;
    par::fill(
        w,
        h,
        ctx,
        #[inline(always)]
        |y, row: &mut [f32]| {
            let of_cell = &basin.cells()[y * w..(y + 1) * w];
            for ((out, &height), &b) in row.iter_mut().zip(height.row(y)).zip(of_cell) {
                let level = level[b as usize];
                // Adding 0 turns −0 into 0.
                *out = (if height >= level { height } else { level }) + 0.0;
            }
        },
    )
}

/// Rows that are labelled together.
const BAND: usize = 64;

/// No lower neighbour: the pit of a basin.
const PIT: u32 = u32::MAX;

/// Which way a cell points: first the neighbours that come before it, then those after it, then nowhere.
const STEPS: [(isize, isize); 8] = [(-1, 0), (0, -1), (1, -1), (-1, -1), (1, 0), (0, 1), (-1, 1), (1, 1)];

/// The first of [`STEPS`]: to the west.
const WEST: u8 = 0;
/// Steps from here on lead to neighbours that come after the cell.
const AFTER: u8 = 4;
/// Steps nowhere: no neighbour will do.
const STAY: u8 = 8;
/// Steps nowhere: a sink.
const SINK: u8 = 9;

/// The basin of every cell, as bands of [`BAND`] rows (so that the last may have rows below the map), and how many there
/// are. Basin 0 is what drains into a sink.
fn basins(height: &Grid<f32>, outlets: Outlets<'_>, ctx: &Ctx) -> Result<(Grid<u32>, usize), Cancelled> {
    let (w, h) = (height.width(), height.height());
    let bands = h.div_ceil(BAND);
    let mut label = Grid::filled(w * BAND, bands, 0u32);
    // Per band and label the cell that the label's first cell points at; label 0 is basin 0 in every band.
    let mut heads: Grid<Vec<u32>> = Grid::filled(1, bands, Vec::new());
    par::for_rows(
        (label.rows_mut(), heads.rows_mut()),
        ctx,
        #[inline(always)]
        |k, (labels, heads)| heads[0] = label_band(height, outlets, k * BAND, labels),
    )?;
    // Labels get numbers that are unique on the map, and point at labels instead of cells.
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

/// Labels a band that begins at row `top`. A cell that points at one before it in the band takes its label; any other
/// cell gets a new one. Returns, by label, the cell that the label's first cell points at, or [`PIT`].
#[inline(always)]
fn label_band(height: &Grid<f32>, outlets: Outlets<'_>, top: usize, labels: &mut [u32]) -> Vec<u32> {
    let (w, h) = (height.width(), height.height());
    let mut heads = vec![0];
    if w < 3 {
        return heads;
    }
    let (mut codes, mut new, nothing) = (vec![0u8; w], vec![0u32; w], vec![0u32; w]);
    let mut offsets = [0isize; 16];
    STEPS.iter().zip(&mut offsets).for_each(|((dx, dy), o)| *o = dy * w as isize + dx);
    for y in top.max(1)..(top + BAND).min(h - 1) {
        point([height.row(y - 1), height.row(y), height.row(y + 1)], &mut codes[1..w - 1]);
        if let Some(mask) = outlets.row(y) {
            codes.iter_mut().zip(mask).filter(|(_, m)| **m != 0).for_each(|(c, _)| *c = SINK);
        }
        let (done, row) = labels.split_at_mut((y - top) * w);
        // In the first row of a band the labels above are not known.
        let (above, limit) =
            if y > top { (&done[done.len() - w..], AFTER) } else { (&nothing[..], WEST + 1) };
        let (mut count, mut label) = (0, 0u32);
        for x in 1..w - 1 {
            let code = codes[x];
            let inherited = above[x.wrapping_add_signed(STEPS[(code & 3) as usize].0)];
            let is_new = (code >= limit) & (code != SINK);
            new[count] = if code == STAY {
                PIT
            } else {
                (y * w + x).wrapping_add_signed(offsets[(code & 15) as usize]) as u32
            };
            let fresh = (heads.len() + count) as u32;
            let other = if is_new { fresh } else { inherited };
            let other = if code == SINK { 0 } else { other };
            label = if code == WEST { label } else { other };
            row[x] = label;
            count += is_new as usize;
        }
        heads.extend_from_slice(&new[..count]);
    }
    heads
}

/// Which way the inner cells of a row point; `rows` are the row above, the row itself and the row below. A neighbour
/// before the cell must not be higher, one after it must be lower, so that there is no cycle and a flat is one basin
/// but for few cells. Any such neighbour will do. Those before come first, because their label is known.
#[inline(always)]
fn point(rows: [&[f32]; 3], out: &mut [u8]) {
    let n = out.len();
    let shifted = |(dx, dy): (isize, isize)| &rows[(dy + 1) as usize][(dx + 1) as usize..][..n];
    let [west, north, ne, nw, east, south, sw, se] = STEPS.map(shifted);
    let centre = shifted((0, 0));
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

/// Follows every label to the end of its links and puts the number of the basin there in its place: 0, then the pits
/// in order. Returns how many there are.
fn number(link: &mut [u32], ctx: &Ctx) -> Result<usize, Cancelled> {
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

/// The way between two basins over a pair of neighbours.
#[derive(Clone, Copy)]
struct Pass {
    /// The higher of the two heights, as a number that sorts like it.
    key: u32,
    basins: [u32; 2],
}

/// An integer that sorts like the float. 0 and −0 must not both occur.
#[inline]
fn key(height: f32) -> u32 {
    let bits = height.to_bits();
    bits ^ if bits >> 31 == 0 { 1 << 31 } else { u32::MAX }
}

/// The float of a [`key`].
fn height_of(key: u32) -> f32 {
    f32::from_bits(key ^ if key >> 31 == 1 { 1 << 31 } else { u32::MAX })
}

/// The lowest pass between each pair of basins that touch; some pairs are listed more than once.
fn passes(height: &Grid<f32>, basin: &Grid<u32>, ctx: &Ctx) -> Result<Vec<Pass>, Cancelled> {
    let (w, h) = (height.width(), height.height());
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

/// Adds the passes from the cells of one row to those east and below of it.
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

/// Passes of one band. The latest pairs are kept in a table, so that a long border between two basins gives one pass.
struct Found {
    table: Vec<(u32, u32, f32)>,
    list: Vec<Pass>,
}

/// Entries of the table of a band, as a power of two.
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
            list.push(Pass { key: key(height + 0.0), basins: [low, high] });
        }
    }

    fn list(mut self) -> Vec<Pass> {
        self.table.into_iter().for_each(|slot| Self::keep(&mut self.list, slot));
        self.list
    }
}

/// The height at which each basin spills; that of basin 0 is −∞.
///
/// In each round every basin chooses its lowest pass, the first of equal ones. Two that choose the same pass spill into
/// each other: the one with the smaller number stays and stands for both, and for all that spill into them; the others
/// are settled, but for the level of the one that stays. Along a chain of choices the passes never rise, so the first
/// is the highest: L(B) = max(pass(B), L(the one that stays)).
fn levels(count: usize, mut passes: Vec<Pass>, ctx: &Ctx) -> Result<Vec<f32>, Cancelled> {
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
        level[b as usize] = level[into[b as usize] as usize].max(height_of(lowest[b as usize]));
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
        let (w, h) = (height.width(), height.height());
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
        // The rim is lowest where the border comes nearest to the middle: 50 cells away.
        let bowl = Grid::from_vec(n, n, (0..n * n).map(r2).collect());
        let filled = fill(&bowl, Outlets::Border, &Ctx::default()).unwrap();
        assert!(filled.cells().iter().zip(bowl.cells()).all(|(&f, &b)| f == b.max(2500.0)));
        let plane = Grid::from_vec(n, n, (0..n * n).map(|i| (i % n) as f32 - 2.0 * (i / n) as f32).collect());
        assert_eq!(fill(&plane, Outlets::Border, &Ctx::default()).unwrap(), plane);
    }

    #[test]
    fn a_sink_in_the_bowl_drains_it() {
        let away = |v: usize| (v as f32 - 4.0).abs();
        let bowl = Grid::from_vec(9, 9, (0..81).map(|i| away(i % 9).max(away(i / 9))).collect());
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

    #[test]
    fn keys_sort_like_heights_and_lead_back_to_them() {
        let sorted = [f32::NEG_INFINITY, -7.5, -1e-30, 0.0, 1e-30, 3.0, 4e20];
        assert!(sorted.windows(2).all(|w| key(w[0]) < key(w[1])));
        assert!(sorted.iter().all(|&v| height_of(key(v)) == v));
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
