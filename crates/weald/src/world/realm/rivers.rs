//! Rivers: the streams of the shaped land as chains of tiles that meander.

mod outflows;

use super::biomes::{LAKE, OCEAN};
use super::land::Domain;
use super::params::RealmParams;
use super::relief::Relief;
use std::cmp::Ordering;
use std::collections::VecDeque;
use weald_core::landscape::{self, Bends, Winding};
use weald_core::line::{self, Meander, Point};
use weald_core::region;
use weald_core::{Ctx, Dir8, Grid, Result, Seed, dir8, math};

/// Where a river ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mouth {
    /// In the ocean.
    Ocean,
    /// In a lake.
    Lake,
    /// In another river.
    River(usize),
    /// It leaves the map.
    Edge,
}

/// A river as a chain of tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct River {
    /// Tiles from source to mouth, each a neighbour of the one before: the last one is the first tile of water, or the joined tile.
    /// The first one is a tile of a lake if it flows out of one.
    pub tiles: Vec<u32>,
    /// Where it ends.
    pub mouth: Mouth,
    /// Strahler order at its end.
    pub order: u32,
}

/// All rivers, in the order in which they are laid: the largest courses first, and the outflows of lakes through which no course leads last.
#[derive(Clone, Debug)]
pub struct Rivers {
    /// The rivers; one that joins another comes after it.
    pub list: Vec<River>,
    /// Bit d of a tile is set if a river goes on to the neighbour in direction d.
    pub links: Grid<u8>,
    /// Loops that rivers have cut off, as tiles from end to end.
    pub loops: Vec<Vec<u32>>,
}

/// Shortest river, in tiles.
const SHORTEST: usize = 5;

/// Tiles of a loop that is long enough for an oxbow lake.
const LOOP_TILES: usize = 6;

/// Search radius for water below a river that ends on dry land, in tiles.
const LOOKS_TILES: usize = 14;

/// Width that a usual river has for its bends, in tiles.
const BEND_TILES: f64 = 0.8;

/// No river.
const NOBODY: u32 = u32::MAX;

/// What rivers are laid on.
struct Bed<'a> {
    classes: &'a Grid<u8>,
    /// Number of the lake of each tile, 0 for none.
    lake: Grid<u32>,
    /// The river that flows out of each lake.
    outflow: Vec<Option<usize>>,
    /// River of each tile of land.
    owner: Grid<u32>,
    rivers: Rivers,
}

/// Lays the rivers of the shaped land.
///
/// The streams through which at least `source_tiles` drain become smooth lines that meander by up to `meander_tiles` on gentle slopes (see
/// [`landscape::lines`]), and then chains of tiles. The largest come first; a river ends where it meets water, an earlier
/// river or a tile beside one, so that no two rivers cross or run side by side. Where a river comes back to within one tile of
/// itself, it takes the short way and leaves the loop. Every lake has at most one outflow, and no water comes back to a lake that it has left.
/// Reach: whole map.
pub fn rivers(
    relief: &Relief,
    domain: &Domain,
    (classes, height): (&Grid<u8>, &Grid<f32>),
    (seed, p): (Seed, &RealmParams),
    ctx: &Ctx,
) -> Result<Rivers> {
    let (w, h) = classes.shape();
    let (lake, lakes) = lakes_of(classes);
    let mut bed = Bed {
        classes,
        lake,
        outflow: vec![None; lakes + 1],
        owner: Grid::filled(w, h, NOBODY),
        rivers: Rivers { list: Vec::new(), links: Grid::filled(w, h, 0), loops: Vec::new() },
    };
    for line in lines(relief, domain, height, seed, p) {
        ctx.checkpoint()?;
        let tiles = line::rasterise(&line, domain.size.0, domain.size.1);
        for piece in bed.pieces(&tiles, domain) {
            bed.lay(piece);
        }
    }
    bed.drain_lakes(height, seed.of("outflows"), ctx)?;
    let mut rivers = bed.rivers;
    rivers.list = joined_at_heads(rivers.list);
    orders(&mut rivers.list, classes);
    Ok(rivers)
}

/// The rivers where one that ends on the first tile of another is the upper part of it; of several that do so it is the longest. Such are
/// outflows of lakes that end where a stream begins.
fn joined_at_heads(mut list: Vec<River>) -> Vec<River> {
    let above = |list: &[River], k: usize| match list[k].mouth {
        Mouth::River(parent) if list[k].tiles.last() == list[parent].tiles.first() => Some(parent),
        _ => None,
    };
    let mut longest: Vec<Option<usize>> = vec![None; list.len()];
    for k in 0..list.len() {
        if let Some(parent) = above(&list, k) {
            let best = longest[parent].filter(|&b| list[b].tiles.len() >= list[k].tiles.len());
            longest[parent] = best.or(Some(k));
        }
    }
    // Rivers come after those that they join, so that the lower part is there when the upper one is added to it.
    let mut into: Vec<usize> = (0..list.len()).collect();
    for k in (0..list.len()).rev() {
        if let Some(parent) = above(&list, k).filter(|&parent| longest[parent] == Some(k)) {
            let mut tiles = std::mem::take(&mut list[k].tiles);
            tiles.pop();
            tiles.append(&mut list[parent].tiles);
            list[parent].tiles = tiles;
            into[k] = parent;
        }
    }
    for k in 0..list.len() {
        into[k] = into[into[k]];
    }
    let mut number = vec![0; list.len()];
    let mut kept = 0;
    for k in 0..list.len() {
        number[k] = if into[k] == k { kept } else { number[into[k]] };
        kept += (into[k] == k) as usize;
    }
    for river in &mut list {
        if let Mouth::River(parent) = &mut river.mouth {
            *parent = number[*parent];
        }
    }
    list.retain(|river| !river.tiles.is_empty());
    list
}

/// The lakes of a map of classes, numbered from 1, and how many there are.
pub(super) fn lakes_of(classes: &Grid<u8>) -> (Grid<u32>, usize) {
    let (regions, sizes) = region::areas(classes);
    let mut number = vec![0u32; sizes.len()];
    let mut count = 0;
    for (&r, &class) in regions.cells().iter().zip(classes.cells()) {
        if class == LAKE && number[r as usize] == 0 {
            count += 1;
            number[r as usize] = count;
        }
    }
    (regions.map(|&r| number[r as usize]), count as usize)
}

/// The streams as smooth lines, in tiles of the domain.
fn lines(
    relief: &Relief,
    domain: &Domain,
    height: &Grid<f32>,
    seed: Seed,
    p: &RealmParams,
) -> Vec<Vec<Point>> {
    let cell = p.map.cell_m;
    let courses = landscape::courses(&relief.shaped.land, p.rivers.source_tiles as f64 * cell * cell);
    let (fx, fy) = (domain.first.0 as f64, domain.first.1 as f64);
    let wind = Winding {
        seed: seed.of("bends"),
        bends: Bends {
            steepest: 0.008,
            bank: 0.06,
            widths: Meander { wavelength: 9.0, amplitude: p.rivers.meander_tiles / BEND_TILES },
        },
        // Long rivers have broad, slow bends.
        width: |area: f64| {
            cell * (0.35 + 0.13 * math::ln((area / (cell * cell)).max(1.0))).clamp(0.6, 1.5) * BEND_TILES
        },
        ground: |at: Point| height.bilinear(at.0 / cell - fx - 0.5, at.1 / cell - fy - 0.5),
    };
    let lines = landscape::lines(&relief.shaped.mesh, &relief.shaped.land, &courses, &wind);
    let points = |l: &landscape::Line| l.points.iter().map(|s| (s.at.0 / cell, s.at.1 / cell)).collect();
    lines.iter().map(points).collect()
}

/// Whether two tiles are the same or neighbours.
fn touch(w: usize, a: u32, b: u32) -> bool {
    let w = w as u32;
    (a % w).abs_diff(b % w) <= 1 && (a / w).abs_diff(b / w) <= 1
}

impl Bed<'_> {
    fn is_water(&self, tile: usize) -> bool {
        self.classes.cells()[tile] <= LAKE
    }

    /// Cuts a chain of tiles of the domain where it leaves the map and where it passes water. A piece that comes out of a lake begins with a
    /// tile of it; nothing comes out of the ocean.
    fn pieces(&self, tiles: &[usize], domain: &Domain) -> Vec<Vec<u32>> {
        let (w, h) = domain.map;
        let on_map = |tile: usize| {
            let (x, y) = (tile % domain.size.0, tile / domain.size.0);
            let (x, y) = (x.wrapping_sub(domain.first.0), y.wrapping_sub(domain.first.1));
            (x < w && y < h).then(|| (y * w + x) as u32)
        };
        let mut pieces = Vec::new();
        let mut piece: Vec<u32> = Vec::new();
        for &tile in tiles {
            let Some(tile) = on_map(tile) else {
                pieces.push(std::mem::take(&mut piece));
                continue;
            };
            let class = self.classes.cells()[tile as usize];
            if class > LAKE {
                piece.push(tile);
                continue;
            }
            // What comes before water ends on it.
            if piece.iter().any(|&t| !self.is_water(t as usize)) {
                piece.push(tile);
                pieces.push(std::mem::take(&mut piece));
            }
            piece.clear();
            if class == OCEAN {
                break;
            }
            piece.push(tile);
        }
        pieces.push(piece);
        pieces.retain(|piece| piece.iter().any(|&t| !self.is_water(t as usize)));
        pieces
    }

    /// Lays a river along a chain of tiles, as far as it goes, if it is long enough.
    fn lay(&mut self, piece: Vec<u32>) {
        let from_lake = self.lake.cells()[piece[0] as usize] as usize;
        // A lake may touch the water into which it flows by a corner.
        let (start, rest) = piece.split_at((from_lake > 0) as usize);
        let (rest, loops) = without_loops(rest, self.classes.width());
        let piece = [start, &rest].concat();
        if self.outflow[from_lake].is_some() {
            return;
        }
        let Some((tiles, mouth)) = self.settle(piece) else { return };
        let last = *tiles.last().expect("a river has tiles");
        let dry = tiles.iter().filter(|&&t| !self.is_water(t as usize)).count();
        if dry < if from_lake > 0 { 1 } else { SHORTEST } || self.leads_to(from_lake, mouth, last) {
            return;
        }
        let number = self.rivers.list.len();
        if from_lake > 0 {
            self.outflow[from_lake] = Some(number);
        }
        for pair in tiles.windows(2) {
            link(&mut self.rivers.links, pair[0], pair[1]);
        }
        if mouth == Mouth::Edge {
            self.rivers.links.cells_mut()[last as usize] |=
                1 << outwards(self.classes.shape(), last as usize);
        }
        for &tile in &tiles {
            let owner = &mut self.owner.cells_mut()[tile as usize];
            if *owner == NOBODY && self.classes.cells()[tile as usize] > LAKE {
                *owner = number as u32;
            }
        }
        self.rivers.loops.extend(loops);
        self.rivers.list.push(River { tiles, mouth, order: 1 });
    }

    /// Whether water that ends on the tile `last` as `mouth` says comes to a lake, by way of other rivers and lakes.
    fn leads_to(&self, lake: usize, mut mouth: Mouth, mut last: u32) -> bool {
        loop {
            let river = match mouth {
                Mouth::River(parent) => Some(parent),
                Mouth::Lake if self.lake.cells()[last as usize] as usize == lake => return true,
                Mouth::Lake => self.outflow[self.lake.cells()[last as usize] as usize],
                Mouth::Ocean | Mouth::Edge => None,
            };
            let Some(river) = river.map(|k| &self.rivers.list[k]) else { return false };
            (mouth, last) = (river.mouth, *river.tiles.last().expect("a river has tiles"));
        }
    }

    /// Follows a chain of tiles to the first end that there is: water, another river or the side of the map.
    fn settle(&self, mut tiles: Vec<u32>) -> Option<(Vec<u32>, Mouth)> {
        let w = self.classes.width();
        let from_lake = self.is_water(tiles[0] as usize);
        for k in 0..tiles.len() {
            let tile = tiles[k] as usize;
            if self.is_water(tile) {
                if k == 0 {
                    continue;
                }
                tiles.truncate(k + 1);
                return Some((tiles, self.water_mouth(tile)));
            }
            if self.owner.cells()[tile] != NOBODY {
                tiles.truncate(k + 1);
                return Some((tiles, Mouth::River(self.owner.cells()[tile] as usize)));
            }
            if let Some(near) = self.river_beside(tile, k.checked_sub(1).map(|k| tiles[k] as usize)) {
                tiles.truncate(k + 1);
                tiles.push(near as u32);
                return Some((tiles, Mouth::River(self.owner.cells()[near] as usize)));
            }
            let just_left = from_lake && k < 5;
            if k > 0
                && !just_left
                && let Some(water) = water_beside(self.classes, tile)
            {
                tiles.truncate(k + 1);
                tiles.push(water as u32);
                return Some((tiles, self.water_mouth(water)));
            }
        }
        let last = *tiles.last()? as usize;
        if self.classes.on_border(last % w, last / w) {
            return Some((tiles, Mouth::Edge));
        }
        let more = self.way_to_water(&tiles)?;
        tiles.extend(more);
        let end = *tiles.last()? as usize;
        let mouth = match self.owner.cells()[end] {
            _ if self.is_water(end) => self.water_mouth(end),
            NOBODY => Mouth::Edge,
            owner => Mouth::River(owner as usize),
        };
        Some((tiles, mouth))
    }

    fn water_mouth(&self, tile: usize) -> Mouth {
        if self.classes.cells()[tile] == LAKE { Mouth::Lake } else { Mouth::Ocean }
    }

    /// A tile of a river beside a tile, one that shares a side with it first, and not by crossing a diagonal link.
    fn river_beside(&self, tile: usize, before: Option<usize>) -> Option<usize> {
        let (w, h) = self.classes.shape();
        let mut found: Option<(bool, usize)> = None;
        dir8::neighbours(w, h, tile % w, tile / w, |d, x, y| {
            let near = y * w + x;
            let better = found.is_none_or(|f| f.0 && !d.is_diagonal());
            if Some(near) != before && self.owner.cells()[near] != NOBODY && better && !self.cuts(tile, d) {
                found = Some((d.is_diagonal(), near));
            }
        });
        found.map(|f| f.1)
    }

    /// Whether a diagonal step would cross a diagonal link of a river.
    fn cuts(&self, tile: usize, d: Dir8) -> bool {
        let w = self.classes.width();
        let side = |k: u8| {
            let s = Dir8(k % 8);
            let at = tile as i64 + s.dy() as i64 * w as i64 + s.dx() as i64;
            self.rivers.links.cells()[at as usize]
        };
        d.is_diagonal() && side(d.0 + 7) >> ((d.0 + 2) % 8) & 1 == 1
    }

    /// The shortest way from the end of a chain to water, to another river or to the side of the map, without the chain's own tiles.
    fn way_to_water(&self, tiles: &[u32]) -> Option<Vec<u32>> {
        let (w, h) = self.classes.shape();
        let start = *tiles.last()?;
        let mut from: Vec<(u32, u32)> = vec![(start, NOBODY)];
        let mut queue = VecDeque::from([(0usize, 0usize)]);
        while let Some((k, far)) = queue.pop_front() {
            let tile = from[k].0 as usize;
            let ends = self.is_water(tile)
                || self.owner.cells()[tile] != NOBODY
                || self.classes.on_border(tile % w, tile / w);
            if ends && far > 0 {
                let mut way = Vec::new();
                let mut at = k as u32;
                while at != 0 {
                    way.push(from[at as usize].0);
                    at = from[at as usize].1;
                }
                way.reverse();
                return Some(way);
            }
            if far >= LOOKS_TILES {
                continue;
            }
            dir8::neighbours(w, h, tile % w, tile / w, |d, x, y| {
                let near = (y * w + x) as u32;
                // Away from the chain, so that it stays without loops.
                let free = !tiles[..tiles.len() - 1].iter().rev().take(40).any(|&t| touch(w, t, near));
                if free && !self.cuts(tile, d) && !from.iter().any(|f| f.0 == near) {
                    from.push((near, k as u32));
                    queue.push_back((from.len() - 1, far + 1));
                }
            });
        }
        None
    }
}

/// A tile of water that shares a side with a tile.
fn water_beside(classes: &Grid<u8>, tile: usize) -> Option<usize> {
    let (w, h) = classes.shape();
    let mut found = None;
    dir8::neighbours(w, h, tile % w, tile / w, |d, x, y| {
        if found.is_none() && !d.is_diagonal() && classes[(x, y)] <= LAKE {
            found = Some(y * w + x);
        }
    });
    found
}

/// Links two neighbouring tiles.
fn link(links: &mut Grid<u8>, a: u32, b: u32) {
    let d = Dir8::between(links.width(), a as usize, b as usize).expect("tiles of a river are neighbours");
    links.cells_mut()[a as usize] |= 1 << d.0;
    links.cells_mut()[b as usize] |= 1 << d.opposite().0;
}

/// The direction that points off the map from a tile on its border.
fn outwards((w, h): (usize, usize), tile: usize) -> u8 {
    match (tile % w, tile / w) {
        (x, _) if x + 1 == w => 0,
        (_, y) if y + 1 == h => 2,
        (0, _) => 4,
        _ => 6,
    }
}

/// A chain of tiles without its loops, and the loops that are long: from a tile that the chain comes back to, or comes beside, it goes on
/// as from the last time. No two tiles of the result touch unless one follows the other.
fn without_loops(tiles: &[u32], w: usize) -> (Vec<u32>, Vec<Vec<u32>>) {
    let (mut out, mut loops, mut i) = (Vec::with_capacity(tiles.len()), Vec::new(), 0);
    while i < tiles.len() {
        out.push(tiles[i]);
        let back = (i + 1..tiles.len()).rev().find(|&j| touch(w, tiles[i], tiles[j]));
        let Some(j) = back else { break };
        if j > i + LOOP_TILES {
            loops.push(tiles[i + 1..j].to_vec());
        }
        // The same tile again is not repeated.
        i = if tiles[j] == tiles[i] { j + 1 } else { j };
    }
    (out, loops)
}

/// Strahler's order of every river at its end. A lake is a place where the rivers that flow into it meet.
fn orders(list: &mut [River], classes: &Grid<u8>) {
    let (lake, count) = lakes_of(classes);
    // The order of the water that flows out of each lake; 1 of what comes from no lake.
    let mut out_of = vec![1u32; count + 1];
    loop {
        let mut changed = false;
        let mut joins: Vec<Vec<(usize, u32)>> = vec![Vec::new(); list.len()];
        let mut into: Vec<Vec<u32>> = vec![Vec::new(); count + 1];
        for k in (0..list.len()).rev() {
            let mut order = out_of[lake.cells()[list[k].tiles[0] as usize] as usize];
            joins[k].sort_unstable();
            for meeting in joins[k].chunk_by(|a, b| a.0 == b.0) {
                order = met(meeting.iter().map(|m| m.1).chain([order]));
            }
            changed |= list[k].order != order;
            list[k].order = order;
            let last = *list[k].tiles.last().expect("a river has tiles");
            match list[k].mouth {
                Mouth::River(parent) => {
                    let at = list[parent].tiles.iter().position(|&t| t == last);
                    joins[parent].push((at.expect("it joins a tile of its parent"), order));
                }
                Mouth::Lake => into[lake.cells()[last as usize] as usize].push(order),
                Mouth::Ocean | Mouth::Edge => {}
            }
        }
        for (out, orders) in out_of.iter_mut().zip(&into).filter(|(_, orders)| !orders.is_empty()) {
            let order = met(orders.iter().copied());
            changed |= *out != order;
            *out = order;
        }
        if !changed {
            return;
        }
    }
}

/// Strahler's order below a place where rivers meet: the highest, and 1 more if two have it.
fn met(orders: impl Iterator<Item = u32>) -> u32 {
    let (order, _) = orders.fold((0, 0), |(order, most), o| match o.cmp(&most) {
        Ordering::Less => (order, most),
        Ordering::Equal => (o + 1, most),
        Ordering::Greater => (o, o),
    });
    order
}
