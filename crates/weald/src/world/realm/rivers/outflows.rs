//! Outflows of lakes through which no stream of the shaped land leads.

use super::{Bed, NOBODY};
use weald_core::queue::MinQueue;
use weald_core::{Ctx, Grid, Result, Seed, dir8};

/// Cost of a tile of an outflow, and of each metre by which it lies above the lowest tile of the shore.
const OUTFLOW_TILE: u32 = 16;
const OUTFLOW_CUT: f32 = 16.0;

impl Bed<'_> {
    /// Gives every lake without an outflow one, where there is a way. Reach: whole map.
    pub(super) fn drain_lakes(&mut self, height: &Grid<f32>, seed: Seed, ctx: &Ctx) -> Result<()> {
        let mut tiles: Vec<Vec<u32>> = vec![Vec::new(); self.outflow.len()];
        for (tile, &lake) in self.lake.cells().iter().enumerate().filter(|(_, lake)| **lake != 0) {
            tiles[lake as usize].push(tile as u32);
        }
        let mut search = Outlets::new(self.classes.len());
        for (lake, tiles) in tiles.iter().enumerate().skip(1) {
            ctx.checkpoint()?;
            if self.outflow[lake].is_none()
                && let Some(piece) = search.way(self, tiles, height, seed)
            {
                self.lay(piece);
            }
        }
        Ok(())
    }
}

/// Searches for outflows of lakes.
struct Outlets {
    /// The least cost to each tile, and the tile before it.
    cost: Vec<(u32, u32)>,
    touched: Vec<u32>,
    queue: MinQueue<u64>,
}

impl Outlets {
    fn new(tiles: usize) -> Self {
        Self { cost: vec![(u32::MAX, NOBODY); tiles], touched: Vec::new(), queue: MinQueue::new() }
    }

    /// The least-cost way (Dijkstra 1959, doi:10.1007/BF01386390) from a lake to other water, to a river or to the side of the map, none of
    /// which leads back to the lake. The lower the ground, the cheaper it is; a hash bends the way on level ground. It keeps off the lake
    /// and off rivers that flow into it.
    fn way(&mut self, bed: &Bed, lake: &[u32], height: &Grid<f32>, seed: Seed) -> Option<Vec<u32>> {
        let (w, h) = bed.classes.shape();
        let number = bed.lake.cells()[lake[0] as usize] as usize;
        let back: Vec<bool> = bed
            .rivers
            .list
            .iter()
            .map(|r| bed.leads_to(number, r.mouth, *r.tiles.last().expect("a river has tiles")))
            .collect();
        let mut shore: Vec<(u32, u32)> = Vec::new();
        for &tile in lake {
            dir8::neighbours(w, h, tile as usize % w, tile as usize / w, |d, x, y| {
                if !d.is_diagonal() && !bed.is_water(y * w + x) {
                    shore.push(((y * w + x) as u32, tile));
                }
            });
        }
        let level = shore.iter().map(|s| height.cells()[s.0 as usize]).fold(f32::INFINITY, f32::min);
        let price = |tile: usize| {
            let cut = OUTFLOW_CUT * (height.cells()[tile] - level).clamp(0.0, 10_000.0);
            let bend = OUTFLOW_TILE as f64 * seed.unit_at((tile % w) as i64, (tile / w) as i64);
            OUTFLOW_TILE + cut as u32 + bend as u32
        };
        self.touched.drain(..).for_each(|t| self.cost[t as usize] = (u32::MAX, NOBODY));
        self.queue.clear();
        for &(tile, from) in &shore {
            self.offer(tile, price(tile as usize), from);
        }
        while let Some(key) = self.queue.pop() {
            let (cost, tile) = ((key >> 32) as u32, key as u32 as usize);
            if cost > self.cost[tile].0 {
                continue;
            }
            match bed.end_beside(tile, number, &back) {
                End::Closed => continue,
                End::Here => return Some(self.walk_back(tile as u32, None)),
                End::Next(end) => return Some(self.walk_back(tile as u32, Some(end))),
                End::Open => {}
            }
            dir8::neighbours(w, h, tile % w, tile / w, |d, x, y| {
                let next = y * w + x;
                let leaves = !bed.touches_lake(next, number);
                if leaves && !bed.is_water(next) && !bed.cuts(tile, d) {
                    let step = if d.is_diagonal() { 181 } else { 128 };
                    self.offer(next as u32, cost.saturating_add(price(next) * step / 128), tile as u32);
                }
            });
        }
        None
    }

    fn offer(&mut self, tile: u32, cost: u32, from: u32) {
        let best = &mut self.cost[tile as usize];
        if cost < best.0 {
            if best.0 == u32::MAX {
                self.touched.push(tile);
            }
            *best = (cost, from);
            self.queue.push((cost as u64) << 32 | tile as u64);
        }
    }

    /// The tiles from the lake to a tile, and the end beside it.
    fn walk_back(&self, mut tile: u32, end: Option<usize>) -> Vec<u32> {
        let mut tiles: Vec<u32> = end.map(|t| t as u32).into_iter().collect();
        // Tiles of lakes have no cost.
        while tile != NOBODY {
            tiles.push(tile);
            tile = self.cost[tile as usize].1;
        }
        tiles.reverse();
        tiles
    }
}

/// Whether an outflow can end beside a tile.
enum End {
    /// It goes on.
    Open,
    /// It must not come here.
    Closed,
    /// It leaves the map here.
    Here,
    /// It ends on this tile beside it.
    Next(usize),
}

impl Bed<'_> {
    /// Whether a tile has a lake among its eight neighbours.
    fn touches_lake(&self, tile: usize, lake: usize) -> bool {
        let (w, h) = self.classes.shape();
        let mut touches = false;
        dir8::neighbours(w, h, tile % w, tile / w, |_, x, y| {
            touches |= self.lake[(x, y)] as usize == lake;
        });
        touches
    }

    /// What an outflow of a lake finds at a tile of land; `back` tells for each river whether it leads to the lake.
    fn end_beside(&self, tile: usize, lake: usize, back: &[bool]) -> End {
        let (w, h) = self.classes.shape();
        let mut closed = self.owner.cells()[tile] != NOBODY;
        dir8::neighbours(w, h, tile % w, tile / w, |_, x, y| {
            let owner = self.owner[(x, y)];
            closed |= owner != NOBODY && back[owner as usize];
        });
        if closed {
            return End::Closed;
        }
        if let Some(river) = self.river_beside(tile, None) {
            return End::Next(river);
        }
        let mut water = None;
        dir8::neighbours(w, h, tile % w, tile / w, |d, x, y| {
            let near = y * w + x;
            if !d.is_diagonal() && self.is_water(near) && self.lake.cells()[near] as usize != lake {
                if self.leads_to(lake, self.water_mouth(near), near as u32) {
                    closed = true;
                } else {
                    water = water.or(Some(near));
                }
            }
        });
        match water {
            _ if closed => End::Closed,
            Some(near) => End::Next(near),
            None if self.classes.on_border(tile % w, tile / w) => End::Here,
            None => End::Open,
        }
    }
}
