//! Mines below the ground, their shafts, and what is connected.

use super::kinds::Feature;
use super::params::MineRule;
use super::place::{Endless, fraction};
use super::placed::Place;
use super::window::Window;
use super::wood::Side;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weald_core::{Cancelled, Ctx, math};

/// Side of a cell.
pub const CELL_M: i64 = 16;
/// A shaft belongs to the cell whose centre is at most this far to the east and north of it.
const HALF_M: i64 = CELL_M / 2;
/// Distance over which the slope at a shaft is taken.
const SLOPE_M: f64 = 10.0;
/// Cells of rock that the tunnel of a cave mouth goes through at most.
const TUNNEL_CELLS: i64 = 4;

/// A cell of a mine: its centre, and its level from 1 down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MineCell {
    /// x of the centre, a multiple of 16.
    pub x: i64,
    /// y of the centre, a multiple of 16.
    pub y: i64,
    /// 1 for the uppermost.
    pub level: u32,
}

/// A shaft, or on steep ground the mouth of a cave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shaft {
    /// Where it is on the ground.
    pub place: Place,
    /// The lowest level it reaches.
    pub levels: u32,
    /// The side of its steepest descent, if that is steep enough for a cave mouth, which faces there.
    pub mouth: Option<Side>,
    /// Steepest descent over 10 m, in height units per metre.
    pub slope: f64,
}

/// The tunnel behind a cave mouth: from its cell straight into the hill, through at most four cells of rock, to the first
/// cell of the uppermost level that is open by the rule of the mines. Cells on the way may lie below other shafts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tunnel {
    /// Where the mouth is on the ground.
    pub mouth: Place,
    /// Where the tunnel leads: away from the side that the mouth faces.
    pub towards: Side,
    /// The cells of rock that it goes through.
    pub cells: Vec<MineCell>,
    /// The open cell at which it ends; `None` for a dead end.
    pub joins: Option<MineCell>,
}

/// A connected part of the mines.
#[derive(Clone, Debug, PartialEq)]
pub struct MinePart {
    /// Its cells, by x, y and level.
    pub cells: Vec<MineCell>,
    /// The shafts that lead into it.
    pub shafts: Vec<Shaft>,
    /// Whether all of it was visited; false if the search reached its limit.
    pub complete: bool,
}

/// What shafts and cave mouths open below a window.
#[derive(Debug, Default)]
pub(super) struct Shafts {
    /// The deepest level of the shafts, by the centre of their cell.
    deepest: BTreeMap<Place, u32>,
    /// Centres of the cells of tunnels, on the uppermost level.
    tunnels: BTreeSet<Place>,
}

impl Shafts {
    /// Whether a cell is below a shaft.
    pub(super) fn above(&self, cell: MineCell) -> bool {
        self.deepest(cell) >= cell.level
    }

    /// Whether a cell belongs to a tunnel.
    pub(super) fn tunnel(&self, cell: MineCell) -> bool {
        cell.level == 1 && self.tunnels.contains(&(cell.x, cell.y))
    }

    /// The deepest level that a shaft above a cell reaches; 0 if there is no shaft.
    fn deepest(&self, cell: MineCell) -> u32 {
        self.deepest.get(&(cell.x, cell.y)).copied().unwrap_or(0)
    }
}

impl Endless {
    /// The cell of a place: 16·⌊x/16 + ½⌋.
    pub fn mine_cell(&self, (x, y): Place, level: u32) -> MineCell {
        let middle = |v: i64| CELL_M * (v + HALF_M).div_euclid(CELL_M);
        MineCell { x: middle(x), y: middle(y), level }
    }

    /// Whether a cell is open: below a shaft, in the tunnel of a cave mouth, or where the fraction of u is above the
    /// threshold. Reach: 104 m, five cells to a mouth, half a cell and a step of 10 m to its slope, rounded up to cells.
    ///
    /// u = π·10000·x·y·z, or π·10000·sin x · cos y · z, with z the level; other seeds than 0 take a hash for the product.
    pub fn mine_open(&self, cell: MineCell) -> bool {
        if self.mine_dug(cell) || self.shaft_places(cell).any(|place| self.shaft_levels(place) >= cell.level)
        {
            return true;
        }
        let side = CELL_M as usize;
        let window = Window { west: cell.x - HALF_M, north: cell.y + HALF_M - 1, width: side, height: side };
        let shafts = self.shafts(&window, &Ctx::default()).expect("nothing cancels this");
        shafts.tunnel(cell)
    }

    /// Whether a cell is open by the rule alone, without a shaft.
    pub(super) fn mine_dug(&self, MineCell { x, y, level }: MineCell) -> bool {
        let z = level as f64;
        let u = match (self.params.mines.rule, self.seed.0) {
            (MineRule::Product, 0) => self.turns("mines", x, y) * z,
            (MineRule::Product, _) => self.level_turns(x, y, level),
            (MineRule::SinCos, _) => {
                let shift = if self.seed.0 == 0 { 0.0 } else { self.seed.of("mines").unit_at(0, 0) * 1000.0 };
                std::f64::consts::PI * 10000.0 * math::sin(x as f64 + shift) * math::cos(y as f64 + shift) * z
            }
        };
        fraction(u) > self.params.mines.threshold
    }

    /// A hash of the cell as a number with a fraction.
    fn level_turns(&self, x: i64, y: i64, level: u32) -> f64 {
        let hash = self.seed.of("mines").at(x, y) ^ self.seed.of("mine levels").at(level as i64, 0);
        (weald_core::seed::mix64(hash) >> 12) as f64 / (1u64 << 20) as f64
    }

    /// Shafts within [−8, +8) of the centre of a cell.
    fn shaft_places(&self, MineCell { x, y, .. }: MineCell) -> impl Iterator<Item = Place> + '_ {
        (x - HALF_M..x + HALF_M).flat_map(move |ix| (y - HALF_M..y + HALF_M).map(move |iy| (ix, iy))).filter(
            |&(ix, iy)| {
                let placed = !self.placed.is_empty() && self.placed.thing_at((ix, iy)) == Some(Feature::Mine);
                (placed || self.fixed_feature(ix, iy) == Feature::Mine)
                    && self.terra(ix as f64, iy as f64).feature == Feature::Mine
            },
        )
    }

    /// How many levels a shaft goes down, by bits of its place: 1 + (⌊π·1000·x·y⌋ / 256 mod levels).
    fn shaft_levels(&self, place: Place) -> u32 {
        1 + (self.place_bits(place) >> 8).rem_euclid(self.params.mines.levels as i64) as u32
    }

    /// The shaft at a place that has one.
    pub fn shaft(&self, place: Place) -> Shaft {
        let (x, y) = (place.0 as f64, place.1 as f64);
        let here = self.ground_height(x, y);
        let (mut slope, mut steepest) = (0.0, Side::East);
        for side in [Side::East, Side::West, Side::North, Side::South] {
            let (dx, dy) = side.step();
            let there = self.ground_height(x + SLOPE_M * dx as f64, y + SLOPE_M * dy as f64);
            let fall = (here - there) / SLOPE_M;
            if fall > slope {
                (slope, steepest) = (fall, side);
            }
        }
        let mouth = (slope >= self.params.mines.cave_slope).then_some(steepest);
        Shaft { place, levels: self.shaft_levels(place), mouth, slope }
    }

    /// The tunnel behind a shaft that is a cave mouth. Reach: five cells.
    pub fn tunnel(&self, shaft: &Shaft) -> Option<Tunnel> {
        let towards = shaft.mouth?.opposite();
        let ((dx, dy), first) = (towards.step(), self.mine_cell(shaft.place, 1));
        let mut ahead = (1..=TUNNEL_CELLS + 1).map(|k| MineCell {
            x: first.x + k * dx * CELL_M,
            y: first.y + k * dy * CELL_M,
            level: 1,
        });
        let mut tunnel = Tunnel { mouth: shaft.place, towards, cells: Vec::new(), joins: None };
        for cell in ahead.by_ref() {
            if self.mine_dug(cell) {
                tunnel.joins = Some(cell);
                break;
            }
            tunnel.cells.push(cell);
        }
        tunnel.cells.truncate(TUNNEL_CELLS as usize);
        Some(tunnel)
    }

    /// The tunnels of cave mouths that reach into a window, by their mouths from north to south and west to east.
    pub fn tunnels(&self, window: &Window, ctx: &Ctx) -> Result<Vec<Tunnel>, Cancelled> {
        let [west, east, south, north] = window.bounds();
        let meets = |cell: MineCell| {
            let (x, y) = (cell.x - HALF_M, cell.y - HALF_M);
            x <= east && x + CELL_M > west && y <= north && y + CELL_M > south
        };
        let mouths = self.find(&window.grown((TUNNEL_CELLS + 2) * CELL_M), |f| f == Feature::Mine, ctx)?;
        let all = mouths.into_iter().filter_map(|(place, _)| self.tunnel(&self.shaft(place)));
        let near =
            |t: &Tunnel| window.cell(t.mouth).is_some() || t.cells.iter().copied().chain(t.joins).any(meets);
        Ok(all.filter(near).collect())
    }

    /// What shafts and cave mouths open below a window. Reach: six cells.
    pub(super) fn shafts(&self, window: &Window, ctx: &Ctx) -> Result<Shafts, Cancelled> {
        let mut shafts = Shafts::default();
        for (place, _) in
            self.find(&window.grown((TUNNEL_CELLS + 2) * CELL_M), |f| f == Feature::Mine, ctx)?
        {
            let (cell, shaft) = (self.mine_cell(place, 1), self.shaft(place));
            let deepest = shafts.deepest.entry((cell.x, cell.y)).or_insert(0);
            *deepest = (*deepest).max(shaft.levels);
            let tunnel = self.tunnel(&shaft).into_iter().flat_map(|tunnel| tunnel.cells);
            shafts.tunnels.extend(tunnel.map(|cell| (cell.x, cell.y)));
        }
        Ok(shafts)
    }

    /// All cells that are connected to a cell, at most `most`: with the four neighbours on a level, and up and down below a
    /// shaft. Empty if the cell is rock.
    pub fn mine_part(&self, from: MineCell, most: usize, ctx: &Ctx) -> Result<MinePart, Cancelled> {
        let mut part = MinePart { cells: Vec::new(), shafts: Vec::new(), complete: true };
        if from.level == 0 || from.level > self.params.mines.levels || !self.mine_open(from) {
            return Ok(part);
        }
        let mut known = KnownShafts { world: self, blocks: BTreeMap::new() };
        let (mut seen, mut queue) = (BTreeSet::from([from]), VecDeque::from([from]));
        let mut shafts = BTreeMap::new();
        while let Some(cell) = queue.pop_front() {
            if part.cells.len() >= most {
                part.complete = false;
                break;
            }
            part.cells.push(cell);
            let deepest = known.block(cell, ctx)?.deepest(cell);
            if deepest >= cell.level {
                let reaching = self.shaft_places(cell).map(|place| self.shaft(place));
                shafts.extend(reaching.filter(|s| s.levels >= cell.level).map(|s| (s.place, s)));
            }
            let MineCell { x, y, level } = cell;
            let beside = [(CELL_M, 0), (0, -CELL_M), (-CELL_M, 0), (0, CELL_M)].map(|(dx, dy)| MineCell {
                x: x + dx,
                y: y + dy,
                level,
            });
            let above = (level > 1 && deepest >= level).then(|| MineCell { level: level - 1, ..cell });
            let below = (deepest > level).then(|| MineCell { level: level + 1, ..cell });
            for next in beside.into_iter().chain(above).chain(below) {
                if seen.contains(&next) {
                    continue;
                }
                let shafts = known.block(next, ctx)?;
                if self.mine_dug(next) || shafts.above(next) || shafts.tunnel(next) {
                    seen.insert(next);
                    queue.push_back(next);
                }
            }
        }
        part.cells.sort_unstable();
        part.shafts = shafts.into_values().collect();
        Ok(part)
    }
}

/// Side of the squares that are searched for shafts at once, in cells.
const BLOCK: i64 = 32;

/// What shafts and cave mouths open, found square by square as a search reaches them.
struct KnownShafts<'a> {
    world: &'a Endless,
    blocks: BTreeMap<Place, Shafts>,
}

impl KnownShafts<'_> {
    /// The square of a cell.
    fn block(&mut self, cell: MineCell, ctx: &Ctx) -> Result<&Shafts, Cancelled> {
        let side = BLOCK * CELL_M;
        let block = (cell.x.div_euclid(side), cell.y.div_euclid(side));
        if !self.blocks.contains_key(&block) {
            let window = Window {
                west: block.0 * side,
                north: (block.1 + 1) * side - 1,
                width: side as usize,
                height: side as usize,
            };
            self.blocks.insert(block, self.world.shafts(&window, ctx)?);
        }
        Ok(&self.blocks[&block])
    }
}
