//! Mines below the ground, their shafts, and what is connected.

use super::kinds::Feature;
use super::params::MineRule;
use super::place::{Endless, fraction};
use super::placed::Place;
use super::window::Window;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weald_core::{Cancelled, Ctx, math};

/// Side of a cell.
pub const CELL_M: i64 = 16;
/// A shaft belongs to the cell whose centre is at most this far to the east and north of it.
const HALF_M: i64 = CELL_M / 2;
/// Distance over which the slope at a shaft is taken.
const SLOPE_M: f64 = 10.0;

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
    /// Whether it is a cave mouth, on steep ground.
    pub cave_mouth: bool,
    /// Steepest descent over 10 m, in height units per metre.
    pub slope: f64,
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

/// Shafts of a window by the centre of their cell.
pub(super) type ShaftCells = BTreeMap<Place, u32>;

impl Endless {
    /// The cell of a place: 16·⌊x/16 + ½⌋.
    pub fn mine_cell(&self, (x, y): Place, level: u32) -> MineCell {
        let middle = |v: i64| CELL_M * (v + HALF_M).div_euclid(CELL_M);
        MineCell { x: middle(x), y: middle(y), level }
    }

    /// Whether a cell is open: below a shaft, or where the fraction of u is above the threshold. Reach: 8 m.
    ///
    /// u = π·10000·x·y·z, or π·10000·sin x · cos y · z, with z the level; other seeds than 0 take a hash for the product.
    pub fn mine_open(&self, cell: MineCell) -> bool {
        self.mine_dug(cell) || self.shaft_places(cell).any(|place| self.shaft_levels(place) >= cell.level)
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
                self.fixed_feature(ix, iy) == Feature::Mine
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
        let ways = [(SLOPE_M, 0.0), (-SLOPE_M, 0.0), (0.0, SLOPE_M), (0.0, -SLOPE_M)];
        let fall = ways.map(|(dx, dy)| (here - self.ground_height(x + dx, y + dy)) / SLOPE_M);
        let slope = fall.into_iter().fold(0.0, f64::max);
        let cave_mouth = slope >= self.params.mines.cave_slope;
        Shaft { place, levels: self.shaft_levels(place), cave_mouth, slope }
    }

    /// Cells of a window that lie below a shaft, with the deepest level.
    pub(super) fn shaft_cells(&self, window: &Window, ctx: &Ctx) -> Result<ShaftCells, Cancelled> {
        let mut cells = ShaftCells::new();
        for (place, _) in self.find(&window.grown(CELL_M), |f| f == Feature::Mine, ctx)? {
            let cell = self.mine_cell(place, 1);
            let deepest = cells.entry((cell.x, cell.y)).or_insert(0);
            *deepest = (*deepest).max(self.shaft_levels(place));
        }
        Ok(cells)
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
            let deepest = known.deepest(cell, ctx)?;
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
                let open =
                    !seen.contains(&next) && (self.mine_dug(next) || known.deepest(next, ctx)? >= next.level);
                if open {
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

/// Cells below shafts, found square by square as a search reaches them.
struct KnownShafts<'a> {
    world: &'a Endless,
    blocks: BTreeMap<Place, ShaftCells>,
}

impl KnownShafts<'_> {
    /// The deepest level that a shaft above a cell reaches; 0 if there is no shaft.
    fn deepest(&mut self, cell: MineCell, ctx: &Ctx) -> Result<u32, Cancelled> {
        let side = BLOCK * CELL_M;
        let block = (cell.x.div_euclid(side), cell.y.div_euclid(side));
        if !self.blocks.contains_key(&block) {
            let window = Window {
                west: block.0 * side,
                north: (block.1 + 1) * side - 1,
                width: side as usize,
                height: side as usize,
            };
            self.blocks.insert(block, self.world.shaft_cells(&window, ctx)?);
        }
        Ok(self.blocks[&block].get(&(cell.x, cell.y)).copied().unwrap_or(0))
    }
}
