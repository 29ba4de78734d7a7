//! Networks of ways over tiles: railroads and roads that keep off rivers and off each other, and cross them at right angles.

use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::distance;
use crate::grid::Grid;
use crate::queue::MinQueue;
use crate::{Result, path::search::PATIENCE};

/// A feature that was there first. Ways cross it at right angles or keep away from it.
#[derive(Clone, Copy)]
pub struct Older<'a> {
    /// Bit d of a tile is set if the feature goes on to the neighbour in direction d.
    pub links: &'a Grid<u8>,
    /// Cost of crossing it.
    pub crossing: u32,
    /// Distance up to which a way that runs along it pays, in tiles.
    pub setback_tiles: u16,
    /// What it pays for each tile at distance 1, as a share of 256 of the ground's cost; at distance d it is the d-th part.
    pub setback: u32,
    /// Distance from which on a way keeps the setback; nearer than that it pays 24 times as much, except on exempt tiles.
    pub keeps_tiles: u16,
}

/// How ways of a network meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// Three ways may meet, and two may cross straight over at a right angle.
    Crossroads,
    /// Three ways may meet, as at a railroad's junction.
    Junctions,
}

/// The rules of a network.
#[derive(Clone, Copy)]
pub struct NetworkRule<'a> {
    /// Cost of entering each tile by a straight step; 0 for tiles that no way enters. A diagonal step costs √2 times as much.
    pub ground: &'a Grid<u16>,
    /// Tiles (not 0) where the rules are off, as in and around settlements.
    pub exempt: &'a Grid<u8>,
    /// What was there first.
    pub older: &'a [Older<'a>],
    /// Cost of a turn by 0, 45, 90 and 135 degrees; [`NO_TURN`] for forbidden turns.
    pub turns: [u32; 4],
    /// Cost of a tile along a way that exists already, as a share of 256 of the ground's cost.
    pub reuse: u32,
    /// Cost of a tile beside a way of the same network.
    pub beside: u32,
    /// How its ways meet.
    pub meeting: Meeting,
}

/// How many times as much a way pays that does not keep the setback.
const TOO_NEAR: u32 = 24;

/// The most that a way pays for running along something, as a share of 256 of the ground's cost.
const MOST_SETBACK: u32 = 64 * 256;

/// How many searches are made before giving up.
const ATTEMPTS: usize = 12;

/// A forbidden turn.
pub const NO_TURN: u32 = u32::MAX;

/// A tile that carries an older feature, one that has such a tile among its eight neighbours, and one that has a way of the network there.
const ON: u8 = 1;
const NEAR: u8 = 2;
const BESIDE: u8 = 4;

/// Bit of how a state was reached, besides the direction of arrival before: over a crossing, by three steps.
const CROSSES: u8 = 16;

/// The state of a search has a tile and a direction of arrival, or this at the start.
const START: usize = 8;
const STATES: usize = 9;

/// A network of ways that grows way by way.
///
/// The state of a search is (tile, direction of arrival), so that turns cost and crossings are straight. Outside exempt tiles:
///
/// - A way never enters a tile beside an older feature, except to cross it: straight over five tiles at a right angle, where the older
///   feature runs straight and neither bends nor branches, and where the tiles before and after the crossing touch nothing else of it.
/// - No other way lies beside a crossing.
/// - A tile where ways meet has three links, or four that are a cross of two straight ways at a right angle.
/// - Nothing leaves or joins a way on a crossing, or on the tiles before and after it.
///
/// No two diagonal links cross each other anywhere, and no way shares a link with an older feature.
///
/// ```
/// use weald_core::path::{Meeting, Network, NetworkRule, Older};
/// use weald_core::{Ctx, Grid};
///
/// // A river runs along the middle row of the map.
/// let river = Grid::from_fn(12, 9, |_, y| if y == 4 { 0b0001_0001 } else { 0 });
/// let (ground, exempt) = (Grid::filled(12, 9, 16), Grid::filled(12, 9, 0));
/// let older = [Older { links: &river, crossing: 100, setback_tiles: 5, setback: 512, keeps_tiles: 3 }];
/// let rule = NetworkRule {
///     ground: &ground, exempt: &exempt, older: &older, turns: [0, 4, 12, 40], reuse: 64, beside: 8, meeting: Meeting::Crossroads,
/// };
/// let mut roads = Network::new(rule, &Ctx::default())?;
/// let way = roads.way(0, |tile, _| tile == 8 * 12 + 11, &Ctx::default())?.expect("there is a way");
/// roads.build(&way);
/// // It crosses the river straight from north to south.
/// let bridge = (0..12).find(|&x| roads.links()[(x, 4)] != 0).unwrap();
/// assert_eq!(roads.links()[(bridge, 4)], 0b0100_0100);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
pub struct Network<'a> {
    rule: NetworkRule<'a>,
    links: Grid<u8>,
    /// Links of this network and of all that was there first.
    all: Grid<u8>,
    flags: Grid<u8>,
    /// Directions in which a step from each tile enters an open tile and does not slip between two closed ones.
    steps: Vec<u8>,
    /// Directions in which each tile can be crossed.
    spans: Grid<u8>,
    /// What a way pays for running along the axis east–west, and so on clockwise, as a share of 256 of the ground's cost.
    setback: Vec<[u16; 4]>,
    offsets: [isize; 8],
    /// Cost of the cheapest ground.
    least: usize,
    cost: Vec<u32>,
    how: Vec<u8>,
    touched: Vec<u32>,
    queue: MinQueue<u64>,
    /// Tiles that the search keeps out of.
    banned: Vec<u32>,
}

/// Whether two directions, taken as axes, are perpendicular.
fn perpendicular(a: u8, b: u8) -> bool {
    (a + 8 - b) % 4 == 2
}

/// The axes of the links of a tile, as bits 0 to 3.
fn axes(links: u8) -> u8 {
    (links | links >> 4) & 0b1111
}

/// The links of a feature that runs straight through a tile along an axis.
fn straight(axis: u8) -> u8 {
    0b1_0001 << (axis % 4)
}

/// The axes of all links on the square ring at a distance from a tile.
fn axes_on_ring(links: &Grid<u8>, tile: usize, distance: u16) -> u8 {
    let (w, r) = (links.width(), distance as i64);
    let (x, y) = ((tile % w) as i64, (tile / w) as i64);
    let mut found = 0;
    for k in -r..=r {
        for (rx, ry) in [(x + k, y - r), (x + k, y + r), (x - r, y + k), (x + r, y + k)] {
            if links.contains(rx, ry) {
                found |= axes(links[(rx as usize, ry as usize)]);
            }
        }
    }
    found
}

/// The cost of a step in direction `d` over ground of a cost: √2 times as much if it is diagonal.
fn length(d: u8, ground: u32) -> u32 {
    if d % 2 == 1 { ground * 181 / 128 } else { ground }
}

impl<'a> Network<'a> {
    /// A network without any way.
    ///
    /// # Panics
    /// If the grids differ in shape.
    pub fn new(rule: NetworkRule<'a>, ctx: &Ctx) -> Result<Self> {
        let (w, h) = rule.ground.shape();
        assert!(rule.exempt.shape() == (w, h) && rule.older.iter().all(|o| o.links.shape() == (w, h)));
        let mut all = Grid::filled(w, h, 0u8);
        let mut flags = Grid::filled(w, h, 0u8);
        for older in rule.older {
            all.cells_mut().iter_mut().zip(older.links.cells()).for_each(|(a, l)| *a |= l);
        }
        for tile in (0..w * h).filter(|&t| all.cells()[t] != 0) {
            flags.cells_mut()[tile] |= ON;
            crate::dir8::neighbours(w, h, tile % w, tile / w, |_, x, y| flags[(x, y)] |= NEAR);
        }
        let mut network = Self {
            rule,
            links: Grid::filled(w, h, 0),
            all,
            flags,
            steps: Vec::new(),
            spans: Grid::filled(w, h, 0),
            setback: Vec::new(),
            offsets: Dir8::offsets(w),
            least: rule.ground.cells().iter().copied().filter(|&g| g > 0).min().unwrap_or(1) as usize,
            cost: vec![u32::MAX; w * h * STATES],
            how: vec![0; w * h * STATES],
            touched: Vec::new(),
            queue: MinQueue::new(),
            banned: Vec::new(),
        };
        network.steps = (0..w * h).map(|tile| network.open_steps(tile)).collect();
        network.spans = network.find_spans();
        network.setback = network.find_setbacks(ctx)?;
        Ok(network)
    }

    /// The links of the network: bit d of a tile is set if a way goes on to the neighbour in direction d.
    pub fn links(&self) -> &Grid<u8> {
        &self.links
    }

    /// Changes the cost of a tile along a way that exists already, for the searches that follow: see [`NetworkRule::reuse`].
    pub fn set_reuse(&mut self, reuse: u32) {
        self.rule.reuse = reuse;
    }

    /// The tile in direction `d`, if it is on the map.
    fn step(&self, tile: usize, d: u8) -> Option<usize> {
        let (w, h) = self.links.shape();
        let (x, y) = (tile % w, tile / w);
        let (nx, ny) = (x as i64 + Dir8::DX[d as usize] as i64, y as i64 + Dir8::DY[d as usize] as i64);
        (nx >= 0 && ny >= 0 && nx < w as i64 && ny < h as i64)
            .then(|| tile.wrapping_add_signed(self.offsets[d as usize]))
    }

    fn open(&self, tile: usize) -> bool {
        self.rule.ground.cells()[tile] != 0
    }

    fn open_steps(&self, tile: usize) -> u8 {
        let open = |d: u8| self.step(tile, d % 8).is_some_and(|next| self.open(next));
        let squeezes = |d: u8| d % 2 == 1 && !open(d + 7) && !open(d + 1);
        (0..8).filter(|&d| open(d) && !squeezes(d)).fold(0, |bits, d| bits | 1 << d)
    }

    fn is_exempt(&self, tile: usize) -> bool {
        self.rule.exempt.cells()[tile] != 0
    }

    fn is(&self, tile: usize, flag: u8) -> bool {
        self.flags.cells()[tile] & flag != 0
    }

    /// Where and in which directions something older can be crossed.
    fn find_spans(&self) -> Grid<u8> {
        let mut spans = Grid::filled(self.links.width(), self.links.height(), 0u8);
        for tile in (0..spans.len()).filter(|&t| self.is(t, ON) && self.open(t)) {
            let mut on = self.rule.older.iter().filter(|o| o.links.cells()[tile] != 0);
            let (Some(older), None) = (on.next(), on.next()) else { continue };
            let Some(axis) = (0..4).find(|&a| older.links.cells()[tile] == straight(a)) else { continue };
            let across = (axis + 2) % 4;
            let alone = |d: u8| {
                let on = |t: usize| self.rule.older.iter().filter(|o| o.links.cells()[t] != 0).count();
                self.step(tile, d).is_none_or(|t| on(t) <= 1)
            };
            if !alone(axis) || !alone(axis + 4) {
                continue;
            }
            if self.touches_only(tile, across, older) && self.touches_only(tile, across + 4, older) {
                spans.cells_mut()[tile] = straight(across);
            }
        }
        spans
    }

    /// Whether the tile in direction `d` from a crossing is free, and touches nothing older but the crossing and the tiles of the same
    /// feature that are linked with it.
    fn touches_only(&self, crossing: usize, d: u8, older: &Older) -> bool {
        let Some(tile) = self.step(crossing, d) else { return false };
        if !self.open(tile) || self.is(tile, ON) {
            return false;
        }
        let linked = |near: usize| {
            (0..8)
                .any(|k| older.links.cells()[crossing] >> k & 1 == 1 && self.step(crossing, k) == Some(near))
        };
        let alone = |near: usize| {
            let others = self.rule.older.iter().filter(|o| !std::ptr::eq(o.links, older.links));
            others.into_iter().all(|o| o.links.cells()[near] == 0)
        };
        (0..8)
            .filter_map(|k| self.step(tile, k))
            .filter(|&n| self.is(n, ON))
            .all(|near| (near == crossing || linked(near)) && alone(near))
    }

    /// What a way pays for running along older features, for every tile and axis.
    fn find_setbacks(&self, ctx: &Ctx) -> Result<Vec<[u16; 4]>> {
        let (w, h) = self.links.shape();
        let mut setback = vec![[0u16; 4]; w * h];
        for older in self.rule.older.iter().filter(|o| o.setback_tiles > 0) {
            let far = older.setback_tiles + 1;
            let distances = distance::chebyshev(w, h, far, ctx, |i| older.links.cells()[i] != 0)?;
            for (tile, pays_at) in setback.iter_mut().enumerate() {
                let d = distances.cells()[tile];
                if d == 0 || d >= far {
                    continue;
                }
                let keeps = if self.is_exempt(tile) { 0 } else { older.keeps_tiles };
                let mut most = [0u16; 4];
                // The nearest ring decides; what is too near counts behind it too.
                for r in d..=d.max(keeps.saturating_sub(1)) {
                    let near = if r < keeps { TOO_NEAR } else { 1 };
                    let pays = (near * older.setback / r as u32).min(MOST_SETBACK) as u16;
                    let along = axes_on_ring(older.links, tile, r);
                    for (axis, most) in most.iter_mut().enumerate() {
                        // Parallel: the same axis or the next one to either side.
                        if (0..4).any(|a| along >> a & 1 == 1 && !perpendicular(a, axis as u8)) {
                            *most = pays.max(*most);
                        }
                    }
                }
                pays_at.iter_mut().zip(most).for_each(|(pays, most)| *pays = pays.saturating_add(most));
            }
        }
        Ok(setback)
    }

    /// The tile in direction `d` of a step that is known to stay on the map.
    #[inline]
    fn toward(&self, tile: usize, d: u8) -> usize {
        tile.wrapping_add_signed(self.offsets[d as usize])
    }

    /// Whether a diagonal step would cross another diagonal link. It must stay on the map.
    #[inline]
    fn cuts(&self, tile: usize, d: u8) -> bool {
        // From the tile to one side the other side lies two eighths farther.
        d % 2 == 1 && self.all.cells()[self.toward(tile, d - 1)] >> ((d + 2) % 8) & 1 == 1
    }

    /// Whether a way that came in direction `arrival` may leave a tile by a new link in direction `d`.
    fn may_leave(&self, tile: usize, arrival: usize, d: u8) -> bool {
        // Nothing shares a link with something older.
        if self.all.cells()[tile] >> d & 1 == 1 {
            return false;
        }
        let links = self.links.cells()[tile];
        if self.is_exempt(tile) {
            return true;
        }
        if self.is(tile, ON | NEAR) {
            // A way that has just crossed something goes straight on.
            return links == 0 && (arrival == START || arrival == d as usize);
        }
        if links == 0 {
            return true;
        }
        let came_anew = arrival != START && links >> ((arrival + 4) % 8) & 1 == 0;
        let arms = links.count_ones() + came_anew as u32 + 1;
        arms <= 3
            || (came_anew
                && arrival == d as usize
                && links == straight(d + 2)
                && self.may_be_crossroads(tile))
    }

    /// Whether four ways may meet on a tile: no two crossroads are neighbours.
    fn may_be_crossroads(&self, tile: usize) -> bool {
        let beside = |d: u8| self.step(tile, d).is_some_and(|t| self.links.cells()[t].count_ones() > 3);
        self.rule.meeting == Meeting::Crossroads && !(0..8).any(beside)
    }

    /// Whether a way may end on a tile where it arrives in a direction. A branch of a network of junctions joins a way outside settlements
    /// so that it goes on along the way without a forbidden turn.
    fn may_end(&self, tile: usize, arrival: usize) -> bool {
        let links = self.links.cells()[tile];
        let came_along_it = links >> ((arrival + 4) % 8) & 1 == 1;
        self.rule.meeting == Meeting::Crossroads
            || links == 0
            || came_along_it
            || self.is_exempt(tile)
            || (0..8).any(|d| links >> d & 1 == 1 && self.turn(arrival, d).is_some())
    }

    /// Whether a new link in direction `d` may enter a tile.
    fn may_enter(&self, tile: usize, d: u8) -> bool {
        let links = self.links.cells()[tile];
        let crossroads = || {
            links.count_ones() == 3
                && links | straight(d) == straight(d) | straight(d + 2)
                && self.may_be_crossroads(tile)
        };
        self.is_exempt(tile) || (!self.is(tile, ON | NEAR) && (links.count_ones() <= 2 || crossroads()))
    }

    /// Cost of a step in direction `d` into a tile by a new link.
    fn price(&self, tile: usize, d: u8) -> u32 {
        let ground = self.rule.ground.cells()[tile] as u32;
        let setback = self.setback[tile][d as usize % 4] as u32;
        let mut cost = length(d, ground + ground * setback / 256);
        // Where the rules are off they are still kept if that costs little.
        if self.is(tile, ON) {
            cost += 12 * ground;
        } else if self.is(tile, NEAR) {
            cost += ground;
        }
        if self.links.cells()[tile] == 0 && self.is(tile, BESIDE) {
            cost += self.rule.beside;
        }
        cost
    }

    /// What the tile that a new link leaves in direction `d` pays, as far as it does not pay for the ways that are there and the one that
    /// arrived. The tiles of a crossing pay nothing.
    #[inline]
    fn price_of_leaving(&self, tile: usize, arrival: usize, d: u8) -> u32 {
        let setback = &self.setback[tile];
        let pays = setback[d as usize % 4];
        if pays == 0 || self.is(tile, NEAR) {
            return 0;
        }
        let arrived = if arrival == START { 0 } else { 1 << (arrival % 4) };
        let there = axes(self.links.cells()[tile]) | arrived;
        let paid = (0..4).filter(|a| there >> a & 1 == 1).map(|a| setback[a]).max().unwrap_or(0);
        self.rule.ground.cells()[tile] as u32 * pays.saturating_sub(paid) as u32 / 256
    }

    fn turn(&self, arrival: usize, d: u8) -> Option<u32> {
        if arrival == START {
            return Some(0);
        }
        let by = (d as usize + 8 - arrival) % 8;
        let cost = *self.rule.turns.get(by.min(8 - by))?;
        (cost != NO_TURN).then_some(cost)
    }

    /// The least-cost way from a tile to the nearest `goal`, a function of a tile and its links in the network, as tiles from start to goal;
    /// `None` if none was found that keeps the rules.
    ///
    /// Dijkstra 1959 (doi:10.1007/BF01386390) over (tile, direction of arrival); the queue is ordered by (cost, tile, direction), so that
    /// the order is total. A way never passes a tile twice. The start must not lie beside an older feature, unless it is exempt. Reach: whole map. Cost: n log n for n visited states.
    pub fn way(
        &mut self,
        start: usize,
        goal: impl Fn(usize, u8) -> bool,
        ctx: &Ctx,
    ) -> Result<Option<Vec<u32>>> {
        self.search(start, goal, |_| 0, ctx)
    }

    /// The least-cost way from one tile to another, by A* (Hart, Nilsson and Raphael 1968, doi:10.1109/TSSC.1968.300136): the same as that of
    /// [`Network::way`], but for ties, with fewer states visited.
    pub fn way_to(&mut self, start: usize, goal: usize, ctx: &Ctx) -> Result<Option<Vec<u32>>> {
        self.search(start, |tile, _| tile == goal, self.at_least_to(goal), ctx)
    }

    /// A lower bound of the cost from each tile to a goal.
    fn at_least_to(&self, goal: usize) -> impl Fn(usize) -> u32 + use<> {
        let w = self.links.width();
        // As little as a straight and as a diagonal step can cost, both along an existing way.
        let share = |cost: usize| (cost * self.rule.reuse.min(256) as usize / 256).max(1);
        let straight = share(self.least);
        let diagonal = share(self.least * 181 / 128).min(2 * straight);
        move |tile| {
            let (dx, dy) = ((tile % w).abs_diff(goal % w), (tile / w).abs_diff(goal / w));
            ((dx.max(dy) - dx.min(dy)) * straight + dx.min(dy) * diagonal) as u32
        }
    }

    /// The search itself; `at_least` is a lower bound of the cost from a tile to the goal.
    ///
    /// A way that passes a tile twice loses its loop. Where what is left breaks a rule, such as a turn that only the loop made possible, the
    /// search is made again without that tile. The same is done where a way crosses something beside another crossing of its own, which a state of the search
    /// cannot tell.
    fn search(
        &mut self,
        start: usize,
        goal: impl Fn(usize, u8) -> bool,
        at_least: impl Fn(usize) -> u32,
        ctx: &Ctx,
    ) -> Result<Option<Vec<u32>>> {
        self.banned.clear();
        for _ in 0..ATTEMPTS {
            let Some(tiles) = self.search_once(start, &goal, &at_least, ctx)? else { break };
            let way = self.without_crossing_itself(without_loops(&tiles));
            let end = *tiles.last().expect("a way has tiles");
            let ban = if way.len() != tiles.len() && !self.keeps_the_rules(&way) {
                let twice = tiles.iter().copied().find(|t| tiles.iter().filter(|o| *o == t).count() > 1);
                twice.or(tiles.iter().copied().find(|t| !way.contains(t)))
            } else if let Some(crossing) = self.beside_own_crossing(&way) {
                Some(crossing)
            } else {
                return Ok(Some(way));
            };
            match ban.filter(|&t| t as usize != start && t != end) {
                Some(tile) => self.banned.push(tile),
                None => break,
            }
        }
        Ok(None)
    }

    /// A tile where a way crosses something older beside another crossing of its own.
    fn beside_own_crossing(&self, way: &[u32]) -> Option<u32> {
        let crosses = |tile: &u32| self.is(*tile as usize, ON) && !self.is_exempt(*tile as usize);
        let crossings: Vec<u32> = way.iter().copied().filter(crosses).collect();
        let near = |a: u32, b: u32| (0..8).any(|d| self.step(a as usize, d) == Some(b as usize));
        let mut later = crossings.iter().enumerate();
        later
            .find(|(i, tile)| crossings[..*i].iter().any(|earlier| near(*earlier, **tile)))
            .map(|(_, tile)| *tile)
    }

    /// Whether every step of a way could be made by the rules.
    fn keeps_the_rules(&self, way: &[u32]) -> bool {
        let step = |i: usize| {
            let d = Dir8::between(self.links.width(), way[i] as usize, way[i + 1] as usize);
            d.expect("tiles of a way are neighbours").0
        };
        let (mut i, mut arrival) = (0, START);
        while i + 1 < way.len() {
            let (tile, next, d) = (way[i] as usize, way[i + 1] as usize, step(i));
            let old = self.links.cells()[tile] >> d & 1 == 1;
            let free_turn = old && self.rule.meeting == Meeting::Crossroads;
            if !free_turn && self.turn(arrival, d).is_none() {
                return false;
            }
            if !old && (self.cuts(tile, d) || !self.may_leave(tile, arrival, d)) {
                return false;
            }
            if !old && !self.may_enter(next, d) {
                // It must be the tile before a crossing.
                let straight = i + 3 < way.len() && step(i + 1) == d && step(i + 2) == d;
                if !straight || self.crossing(next, d).is_none() {
                    return false;
                }
                (i, arrival) = (i + 3, d as usize);
                continue;
            }
            (i, arrival) = (i + 1, d as usize);
        }
        true
    }

    /// One search: the tiles of the way, some of them perhaps twice.
    fn search_once(
        &mut self,
        start: usize,
        goal: &impl Fn(usize, u8) -> bool,
        at_least: &impl Fn(usize) -> u32,
        ctx: &Ctx,
    ) -> Result<Option<Vec<u32>>> {
        for &state in &self.touched {
            self.cost[state as usize] = u32::MAX;
        }
        self.touched.clear();
        self.queue.clear();
        self.offer(start, START, 0, 0, at_least);
        let mut visits = 0usize;
        while let Some(key) = self.queue.pop() {
            let (whole, state) = ((key >> 32) as u32, key as u32 as usize);
            let (tile, arrival) = (state / STATES, state % STATES);
            let cost = self.cost[state];
            if whole > cost + at_least(tile) {
                continue;
            }
            visits += 1;
            if visits.is_multiple_of(PATIENCE) {
                ctx.checkpoint()?;
            }
            if tile != start && goal(tile, self.links.cells()[tile]) && self.may_end(tile, arrival) {
                return Ok(Some(self.walk_back(state)));
            }
            let mut steps = self.steps[tile];
            while steps != 0 {
                let d = steps.trailing_zeros() as u8;
                steps &= steps - 1;
                self.expand(tile, arrival, d, cost, at_least);
            }
        }
        Ok(None)
    }

    #[inline]
    fn offer(&mut self, tile: usize, arrival: usize, cost: u32, how: u8, at_least: &impl Fn(usize) -> u32) {
        let state = tile * STATES + arrival;
        if cost < self.cost[state] {
            if self.cost[state] == u32::MAX {
                self.touched.push(state as u32);
            }
            (self.cost[state], self.how[state]) = (cost, how);
            self.queue.push(((cost + at_least(tile)) as u64) << 32 | state as u64);
        }
    }

    /// Offers the step in direction `d`, and the crossings that begin with it.
    #[inline]
    fn expand(&mut self, tile: usize, arrival: usize, d: u8, cost: u32, at_least: &impl Fn(usize) -> u32) {
        let next = self.toward(tile, d);
        if self.banned.contains(&(next as u32)) {
            return;
        }
        if self.links.cells()[tile] >> d & 1 == 1 {
            // A way never reverses.
            if arrival == (d as usize + 4) % 8 {
                return;
            }
            let turn = if self.rule.meeting == Meeting::Crossroads { Some(0) } else { self.turn(arrival, d) };
            let Some(turn) = turn else { return };
            let ground = length(d, self.rule.ground.cells()[next] as u32);
            let pays = (ground * self.rule.reuse / 256).max(1);
            return self.offer(next, d as usize, cost + pays + turn, arrival as u8, at_least);
        }
        let Some(turn) = self.turn(arrival, d) else { return };
        if self.cuts(tile, d) || !self.may_leave(tile, arrival, d) {
            return;
        }
        let cost = cost + self.price_of_leaving(tile, arrival, d);
        if self.may_enter(next, d) {
            let pays = self.price(next, d);
            return self.offer(next, d as usize, cost + turn + pays, arrival as u8, at_least);
        }
        // The tile is beside something older: it can only be the tile before a crossing.
        let Some((crossing, beyond)) = self.crossing(next, d) else { return };
        if [crossing, beyond].iter().any(|&t| self.banned.contains(&(t as u32))) {
            return;
        }
        let older = self.rule.older.iter().find(|o| o.links.cells()[crossing] != 0);
        let ground = [next, crossing, beyond].map(|t| length(d, self.rule.ground.cells()[t] as u32));
        let pays = older.map_or(0, |o| o.crossing) + turn + ground.iter().sum::<u32>();
        self.offer(beyond, d as usize, cost + pays, arrival as u8 | CROSSES, at_least);
    }

    /// The crossing in direction `d` from the tile before it, and the tile after it, if the three tiles are free for it.
    #[inline]
    fn crossing(&self, before: usize, d: u8) -> Option<(usize, usize)> {
        let free = |tile: usize| self.links.cells()[tile] == 0;
        let goes_on = |tile: usize| self.steps[tile] >> d & 1 == 1 && !self.cuts(tile, d);
        if self.is_exempt(before) || self.is(before, ON) || !free(before) || !goes_on(before) {
            return None;
        }
        let crossing = self.toward(before, d);
        let spans = self.spans.cells()[crossing] >> d & 1 == 1;
        // Nothing else of the network lies beside a crossing.
        if !spans || !free(crossing) || self.is(crossing, BESIDE) || !goes_on(crossing) {
            return None;
        }
        let beyond = self.toward(crossing, d);
        free(beyond).then_some((crossing, beyond))
    }

    /// The tiles of the way that reached a state.
    fn walk_back(&self, mut state: usize) -> Vec<u32> {
        let back = |tile: usize, d: u8| tile.wrapping_add_signed(-self.offsets[d as usize]);
        let mut tiles = vec![(state / STATES) as u32];
        while state % STATES != START {
            let (how, d) = (self.how[state], (state % STATES) as u8);
            let mut tile = back(state / STATES, d);
            if how & CROSSES != 0 {
                for _ in 0..2 {
                    tiles.push(tile as u32);
                    tile = back(tile, d);
                }
            }
            tiles.push(tile as u32);
            state = tile * STATES + (how & 15) as usize;
        }
        tiles.reverse();
        tiles
    }

    /// A way that crosses itself between four tiles takes the side of the square instead.
    fn without_crossing_itself(&self, mut tiles: Vec<u32>) -> Vec<u32> {
        let w = self.links.width() as u32;
        let ends = |a: u32, b: u32| ((a % w, a / w), (b % w, b / w));
        let crosses = |a: u32, b: u32, c: u32, d: u32| {
            let ((ax, ay), (bx, by)) = ends(a, b);
            let ((cx, cy), (dx, dy)) = ends(c, d);
            ax != bx
                && ay != by
                && ax.min(bx) == cx.min(dx)
                && ay.min(by) == cy.min(dy)
                && cx != dx
                && cy != dy
        };
        let mut i = 0;
        while i + 3 < tiles.len() {
            // The later step is at most a loop away; loops are short, but all are looked at.
            let last = (i + 2..tiles.len() - 1)
                .rev()
                .find(|&j| crosses(tiles[i], tiles[i + 1], tiles[j], tiles[j + 1]));
            if let Some(j) = last {
                tiles.drain(i + 1..=j);
            }
            i += 1;
        }
        tiles
    }

    /// Adds a way to the network and returns the parts of it that are new, each from tile to tile, in order.
    ///
    /// # Panics
    /// If two tiles that follow each other are not neighbours.
    pub fn build(&mut self, way: &[u32]) -> Vec<Vec<u32>> {
        let w = self.links.width();
        let mut parts: Vec<Vec<u32>> = Vec::new();
        let mut going = false;
        for step in way.windows(2) {
            let (a, b) = (step[0] as usize, step[1] as usize);
            let d = Dir8::between(w, a, b).expect("tiles of a way are neighbours").0;
            if self.links.cells()[a] >> d & 1 == 1 {
                going = false;
                continue;
            }
            for (tile, d) in [(a, d), (b, (d + 4) % 8)] {
                self.links.cells_mut()[tile] |= 1 << d;
                self.all.cells_mut()[tile] |= 1 << d;
                for near in (0..8).filter_map(|k| self.step(tile, k)).collect::<Vec<_>>() {
                    self.flags.cells_mut()[near] |= BESIDE;
                }
            }
            if !going {
                parts.push(vec![a as u32]);
            }
            parts.last_mut().expect("a part was begun").push(b as u32);
            going = true;
        }
        parts
    }
}

/// The tiles of a way without its loops: from a tile that it passes again it goes on as from the last time.
fn without_loops(tiles: &[u32]) -> Vec<u32> {
    let mut order: Vec<(u32, usize)> = tiles.iter().enumerate().map(|(i, &t)| (t, i)).collect();
    order.sort_unstable();
    let last = |tile: u32| order[order.partition_point(|&(t, _)| t <= tile) - 1].1;
    let (mut out, mut i) = (Vec::with_capacity(tiles.len()), 0);
    while i < tiles.len() {
        out.push(tiles[i]);
        i = last(tiles[i]) + 1;
    }
    out
}

#[cfg(test)]
mod tests;
