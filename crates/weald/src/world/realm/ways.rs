//! Railroads and roads.

use super::biomes::{BOREAL, DESERT, FOREST, GRASSLAND, LAKE, MOUNTAIN, SUBTROPICAL, TUNDRA, WETLAND};
use super::params::RealmParams;
use super::settlements::{EXEMPT_TILES, Settlement, wide_land};
use std::collections::{BTreeMap, VecDeque};
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald_core::path::{Meeting, NO_TURN, Network, NetworkRule, Older};
use weald_core::{Ctx, Dir8, Frame, Grid, Result, Seed, distance, math};

/// Cost of a tile of plain.
const PLAIN: f64 = 16.0;

/// A railroad or a road: a new part of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Tiles from end to end.
    pub tiles: Vec<u32>,
    /// Numbers of the settlements that it joins, from 0.
    pub joins: (usize, usize),
    /// The lower tier of the two that it was built for.
    pub tier: usize,
}

/// A network of railroads or roads.
#[derive(Clone, Debug)]
pub struct Ways {
    /// Its parts from junction to junction, in the order in which they were built.
    pub list: Vec<Way>,
    /// Bit d of a tile is set if a way goes on to the neighbour in direction d.
    pub links: Grid<u8>,
    /// For each settlement why it is not on the network; none if it is.
    pub left_out: Vec<Option<&'static str>>,
}

/// What ways run over.
pub struct Ground<'a> {
    /// Base classes.
    pub classes: &'a Grid<u8>,
    /// Rise over run.
    pub slope: &'a Grid<f32>,
    /// Obstacles that tiles are too large to show: [`obstacles`].
    pub obstacles: &'a Grid<f32>,
    /// Links of rivers.
    pub rivers: &'a Grid<u8>,
    /// Tiles where the rules are off.
    pub exempt: &'a Grid<u8>,
    /// The settlements.
    pub settlements: &'a [Settlement],
}

/// Why a settlement is not joined.
const ALONE: &str = "It is the only settlement on its landmass.";
const ALONE_CITY: &str = "It is the only city on its landmass.";
const NO_WAY: &str = "No route to the network was found that keeps the rules.";
const SMALL: &str = "Railroads join larger settlements.";
const NO_RAILROADS: &str = "There are no railroads.";

/// The tiles where the rules are off: footprints and 2 tiles around them.
pub fn exempt(shape: (usize, usize), settlements: &[Settlement], ctx: &Ctx) -> Result<Grid<u8>> {
    let mut inside = Grid::filled(shape.0, shape.1, 0u8);
    settlements.iter().flat_map(|s| &s.footprint).for_each(|&t| inside.cells_mut()[t as usize] = 1);
    let far = distance::chebyshev(shape.0, shape.1, EXEMPT_TILES + 1, ctx, |i| inside.cells()[i] != 0)?;
    Ok(far.map(|&d| (d <= EXEMPT_TILES) as u8))
}

/// Knolls, thickets and fields that tiles are too large to show and that ways wind around: noise from −1 to 1 with wavelengths of 7 and
/// 3.5 tiles. Reach: point.
pub fn obstacles(shape: (usize, usize), seed: Seed, ctx: &Ctx) -> Result<Grid<f32>> {
    let waves = Fractal { wavelength_m: 7.0, octaves: 2, persistence: 0.6, lacunarity: 2.0 };
    fractal(&Frame::new(shape.0, shape.1, 1.0), seed, NoiseShape::Fbm, &waves, ctx)
}

/// Cost of each tile: (b + s·`climb`)·e^(6·`winding`·n) in tiles of plain, with b that of its biome, s its slope and n its obstacles; 0 on
/// water.
fn costs(ground: &Ground, climb: f64, winding: f64) -> Grid<u16> {
    let of = |biome: u8| match biome {
        GRASSLAND | DESERT => 1.0,
        FOREST | SUBTROPICAL => 1.25,
        BOREAL | TUNDRA => 1.4,
        WETLAND => 2.5,
        MOUNTAIN => 2.5,
        _ => 0.0,
    };
    let (w, h) = ground.classes.shape();
    Grid::from_fn(w, h, |x, y| match ground.classes[(x, y)] {
        class if class <= LAKE => 0,
        class => {
            let wind = math::exp(6.0 * winding * ground.obstacles[(x, y)] as f64);
            (PLAIN * (of(class) + climb * ground.slope[(x, y)] as f64) * wind).clamp(1.0, 4000.0) as u16
        }
    })
}

/// A cost given in tiles of plain.
fn price(tiles: f64) -> u32 {
    (PLAIN * tiles) as u32
}

/// Rivers, as railroads and roads respect them.
fn rivers_as_older<'a>(ground: &Ground<'a>, bridge_cost: f64, p: &RealmParams) -> Older<'a> {
    Older {
        links: ground.rivers,
        crossing: price(bridge_cost),
        setback_tiles: p.roads.river_setback_tiles as u16,
        setback: (256.0 * p.roads.setback_cost) as u32,
        keeps_tiles: 3,
    }
}

/// The squared distance between two settlements, in tiles.
fn apart(a: &Settlement, b: &Settlement, w: usize) -> usize {
    let at = |s: &Settlement| (s.centre as usize % w, s.centre as usize / w);
    let ((ax, ay), (bx, by)) = (at(a), at(b));
    ax.abs_diff(bx).pow(2) + ay.abs_diff(by).pow(2)
}

/// Disjoint sets of settlements that are joined.
struct Sets(Vec<usize>);

impl Sets {
    fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    fn find(&mut self, mut a: usize) -> usize {
        while self.0[a] != a {
            self.0[a] = self.0[self.0[a]];
            a = self.0[a];
        }
        a
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// Pairs of parts of a network between which no way was found, and how often.
#[derive(Default)]
struct Failures(BTreeMap<(usize, usize), usize>);

impl Failures {
    fn may_try(&self, pair: (usize, usize)) -> bool {
        self.0.get(&pair).is_none_or(|&times| times < TRIES)
    }

    fn add(&mut self, pair: (usize, usize)) {
        *self.0.entry(pair).or_insert(0) += 1;
    }
}

/// A network while it is built.
struct Builder<'a> {
    ground: &'a Ground<'a>,
    network: Network<'a>,
    /// The tile of each settlement where its ways end, and the settlement of each such tile.
    stops: Vec<u32>,
    stop_at: BTreeMap<u32, usize>,
    list: Vec<Way>,
    /// The last walk over the network that passed each tile, and how many walks there were.
    seen: Vec<u32>,
    walks: u32,
}

impl<'a> Builder<'a> {
    fn new(ground: &'a Ground<'a>, network: Network<'a>, stops: Vec<u32>) -> Self {
        let stop_at = stops.iter().enumerate().map(|(k, &tile)| (tile, k)).collect();
        Self { ground, network, stops, stop_at, list: Vec::new(), seen: Vec::new(), walks: 0 }
    }

    /// Builds a way between two settlements if there is one.
    fn join(&mut self, a: usize, b: usize, tier: usize, ctx: &Ctx) -> Result<bool> {
        let way = self.network.way_to(self.stops[a] as usize, self.stops[b] as usize, ctx)?;
        let Some(way) = way else { return Ok(false) };
        self.add(&way, (a, b), tier);
        Ok(true)
    }

    fn add(&mut self, way: &[u32], joins: (usize, usize), tier: usize) {
        let parts = self.network.build(way);
        self.list.extend(parts.into_iter().map(|tiles| Way { tiles, joins, tier }));
    }

    /// Joins all settlements of a list that share a land by least-cost ways, the shortest distances first (Kruskal 1956,
    /// doi:10.1090/S0002-9939-1956-0078686-7).
    fn span(&mut self, members: &[usize], tier: usize, ctx: &Ctx) -> Result<()> {
        let (list, w) = (self.ground.settlements, self.ground.classes.width());
        let mut pairs = Vec::new();
        for (k, &a) in members.iter().enumerate() {
            for &b in members[..k].iter().filter(|&&b| list[a].land == list[b].land) {
                pairs.push((apart(&list[a], &list[b], w), b, a));
            }
        }
        pairs.sort_unstable();
        let (mut sets, mut failed) = (Sets::new(list.len()), Failures::default());
        for (_, a, b) in pairs {
            let parts = (sets.find(a), sets.find(b));
            if parts.0 == parts.1 || !failed.may_try(parts) {
                continue;
            }
            if self.join(a, b, tier, ctx)? {
                sets.join(a, b);
            } else {
                failed.add(parts);
            }
        }
        Ok(())
    }

    /// Joins a settlement with the nearest way of the network of its land; whether there is one within `most` tiles.
    fn attach(&mut self, a: usize, tier: usize, most: usize, ctx: &Ctx) -> Result<bool> {
        let stop = self.stops[a] as usize;
        let way = self.network.way(stop, |_, links| links != 0, ctx)?;
        let Some(way) = way.filter(|way| way.len() - 1 <= most) else { return Ok(false) };
        let end = *way.last().expect("a way has tiles");
        let Some((b, _)) = self.walk(end, |k| k != a) else { return Ok(false) };
        self.add(&way, (a, b), tier);
        Ok(true)
    }

    /// Steps over the links of the network from one settlement to another.
    fn steps(&mut self, a: usize, b: usize) -> Option<usize> {
        self.walk(self.stops[a], |k| k == b).map(|found| found.1)
    }

    /// The nearest settlement over the links of the network from a tile that is `wanted`, and how many steps away it is.
    fn walk(&mut self, start: u32, wanted: impl Fn(usize) -> bool) -> Option<(usize, usize)> {
        let links = self.network.links();
        let offsets = Dir8::offsets(links.width());
        let seen = &mut self.seen;
        // Numbers of earlier walks are smaller.
        self.walks += 1;
        let walk = self.walks;
        seen.resize(links.len(), 0);
        seen[start as usize] = walk;
        let mut queue = VecDeque::from([(start, 0usize)]);
        while let Some((tile, far)) = queue.pop_front() {
            if let Some(&k) = self.stop_at.get(&tile).filter(|&&k| wanted(k)) {
                return Some((k, far));
            }
            for d in (0..8).filter(|d| links.cells()[tile as usize] >> d & 1 == 1) {
                let next = (tile as usize).wrapping_add_signed(offsets[d]);
                if std::mem::replace(&mut seen[next], walk) != walk {
                    queue.push_back((next as u32, far + 1));
                }
            }
        }
        None
    }

    /// Learns from the links which settlements are joined: for each the number of its part of the network, none if no way reaches it.
    fn parts(&self) -> Vec<Option<u32>> {
        let links = self.network.links();
        let offsets = Dir8::offsets(links.width());
        let mut part = vec![u32::MAX; links.len()];
        let mut stack = Vec::new();
        let starts = self
            .ground
            .settlements
            .iter()
            .enumerate()
            .flat_map(|(k, s)| s.footprint.iter().map(move |&t| (k, t)));
        for (k, start) in starts {
            if part[start as usize] == u32::MAX && links.cells()[start as usize] != 0 {
                stack.push(start);
            }
            while let Some(tile) = stack.pop() {
                part[tile as usize] = k as u32;
                for d in (0..8).filter(|d| links.cells()[tile as usize] >> d & 1 == 1) {
                    let next = (tile as usize).wrapping_add_signed(offsets[d]);
                    if part[next] == u32::MAX {
                        stack.push(next as u32);
                    }
                }
            }
        }
        let of = |s: &Settlement| s.footprint.iter().map(|&t| part[t as usize]).find(|&p| p != u32::MAX);
        self.ground.settlements.iter().map(of).collect()
    }

    /// What became of it, with the reason for each settlement that is not joined.
    fn finish(self, reason: impl Fn(usize) -> &'static str) -> Ways {
        let parts = self.parts();
        let mut members: BTreeMap<u32, usize> = BTreeMap::new();
        parts.iter().flatten().for_each(|&part| *members.entry(part).or_insert(0) += 1);
        let joined = |part: &Option<u32>| part.is_some_and(|part| members[&part] > 1);
        let left_out = parts.iter().enumerate().map(|(k, part)| (!joined(part)).then(|| reason(k))).collect();
        let links = self.network.links().clone();
        let list = self.list.iter().flat_map(|way| from_junction_to_junction(way, &links)).collect();
        Ways { links, list, left_out }
    }
}

/// The parts of a way between the tiles where three or more links meet.
fn from_junction_to_junction(way: &Way, links: &Grid<u8>) -> Vec<Way> {
    let last = way.tiles.len() - 1;
    let junction = |&i: &usize| i == last || links.cells()[way.tiles[i] as usize].count_ones() > 2;
    let mut from = 0;
    let part = |to: usize| {
        let tiles = way.tiles[from..=to].to_vec();
        from = to;
        Way { tiles, ..*way }
    };
    (1..=last).filter(junction).map(part).collect()
}

/// Railroads: capitals and cities that share a land are joined, and towns near a railroad get a branch line.
///
/// Railroads turn by 45° at most, and keep to land 5 tiles wide, so that roads find room beside them. Reach: whole map.
pub fn railroads(ground: &Ground, p: &RealmParams, ctx: &Ctx) -> Result<Ways> {
    let mut costs = costs(ground, 90.0, p.railroads.winding);
    let wide = wide_land(ground.classes, ctx)?;
    for (i, cost) in costs.cells_mut().iter_mut().enumerate() {
        *cost *= (wide.cells()[i] | ground.exempt.cells()[i]) as u16;
    }
    let older = [rivers_as_older(ground, p.railroads.bridge_cost, p)];
    let rule = NetworkRule {
        ground: &costs,
        exempt: ground.exempt,
        older: &older,
        turns: [0, price(0.13), NO_TURN, NO_TURN],
        reuse: 128,
        beside: price(1.0),
        meeting: Meeting::Junctions,
    };
    let stops = stations(ground);
    let n = ground.settlements.len();
    let network = Network::new(rule, ctx)?;
    let mut builder = Builder::new(ground, network, stops);
    let tiers = p.railroads.tiers as usize;
    let of = |from: usize, to: usize| -> Vec<usize> {
        (0..n).filter(|&k| (from..=to).contains(&ground.settlements[k].tier)).collect()
    };
    builder.span(&of(1, tiers), tiers, ctx)?;
    if tiers > 0 && p.railroads.branch_tiles > 0 {
        for town in of(tiers + 1, 3) {
            builder.attach(town, 3, p.railroads.branch_tiles as usize, ctx)?;
        }
    }
    let alone = |k: usize| {
        let list = ground.settlements;
        !(0..n).any(|o| o != k && list[o].land == list[k].land && list[o].tier <= tiers)
    };
    Ok(builder.finish(|k| match ground.settlements[k].tier <= tiers {
        false if tiers == 0 => NO_RAILROADS,
        false => SMALL,
        true if alone(k) => ALONE_CITY,
        true => NO_WAY,
    }))
}

/// The tile of each settlement where railroads end: one of its footprint beside the centre and without a river, or else the centre.
fn stations(ground: &Ground) -> Vec<u32> {
    let station = |s: &Settlement| {
        let free = |t: &&u32| **t != s.centre && ground.rivers.cells()[**t as usize] == 0;
        *s.footprint.iter().find(free).unwrap_or(&s.centre)
    };
    ground.settlements.iter().map(station).collect()
}

/// Roads: capitals and cities first, then every other settlement to the nearest road, then short cuts between neighbours whose way is long.
///
/// Reach: whole map.
pub fn roads(ground: &Ground, rails: &Grid<u8>, p: &RealmParams, ctx: &Ctx) -> Result<Ways> {
    let costs = costs(ground, 50.0, p.roads.winding);
    let rails = Older {
        links: rails,
        crossing: price(p.roads.crossing_cost),
        setback_tiles: p.roads.rail_setback_tiles as u16,
        setback: (256.0 * p.roads.setback_cost) as u32,
        keeps_tiles: 2,
    };
    let older = [rivers_as_older(ground, p.roads.bridge_cost, p), rails];
    let rule = NetworkRule {
        ground: &costs,
        exempt: ground.exempt,
        older: &older,
        turns: [0, price(0.07), price(0.6), NO_TURN],
        reuse: 112,
        beside: price(0.8),
        meeting: Meeting::Crossroads,
    };
    let list = ground.settlements;
    let stops = list.iter().map(|s| s.centre).collect();
    let network = Network::new(rule, ctx)?;
    let mut builder = Builder::new(ground, network, stops);
    let large: Vec<usize> = (0..list.len()).filter(|&k| list[k].tier <= 2).collect();
    builder.span(&large, 2, ctx)?;
    for a in 0..list.len() {
        first_road(&mut builder, a, ctx)?;
    }
    // What was cut off at first may reach what came later.
    for k in (0..list.len()).chain(0..list.len()) {
        if builder.network.links().cells()[list[k].centre as usize] == 0 {
            builder.attach(k, list[k].tier, usize::MAX, ctx)?;
        }
    }
    unite(&mut builder, ctx)?;
    shorten(&mut builder, p, ctx)?;
    let alone = |k: usize| !(0..list.len()).any(|o| o != k && list[o].land == list[k].land);
    Ok(builder.finish(|k| if alone(k) { ALONE } else { NO_WAY }))
}

/// How many neighbours a settlement tries to reach on a land without roads, and how often a way between two parts of a network is sought.
const TRIES: usize = 6;

/// Builds a road from a settlement to the nearest neighbour that it can reach, if its land has no road yet.
fn first_road(builder: &mut Builder, a: usize, ctx: &Ctx) -> Result<()> {
    let (list, w) = (builder.ground.settlements, builder.ground.classes.width());
    let mut others: Vec<usize> =
        (0..list.len()).filter(|&b| b != a && list[b].land == list[a].land).collect();
    let has_road = |k: &usize| builder.network.links().cells()[list[*k].centre as usize] != 0;
    if has_road(&a) || others.iter().any(has_road) {
        return Ok(());
    }
    others.sort_by_key(|&b| (apart(&list[a], &list[b], w), b));
    for b in others.into_iter().take(TRIES) {
        if builder.join(a, b, list[a].tier.max(list[b].tier), ctx)? {
            break;
        }
    }
    Ok(())
}

/// Joins parts of the network of one land that are still apart, where that is possible.
fn unite(builder: &mut Builder, ctx: &Ctx) -> Result<()> {
    let list = builder.ground.settlements;
    let mut parts = builder.parts();
    let mut failed = Failures::default();
    for a in 0..list.len() {
        for b in 0..a {
            let (Some(from), Some(to)) = (parts[a], parts[b]) else { continue };
            let pair = (from.min(to) as usize, from.max(to) as usize);
            if from == to || list[a].land != list[b].land || !failed.may_try(pair) {
                continue;
            }
            if builder.join(a, b, list[a].tier, ctx)? {
                (parts, failed) = (builder.parts(), Failures::default());
            } else {
                failed.add(pair);
            }
        }
    }
    Ok(())
}

/// The greatest distance between neighbours, in tiles.
const NEIGHBOURS_TILES: usize = 80;

/// Cost of following an existing road while a short cut is sought, as a share of 256 of the ground's cost: at half the cost or less, as for
/// other roads, the old way would often be the cheapest.
const REUSE_OF_SHORT_CUTS: u32 = 224;

/// Builds roads between neighbours whose way over the network is much longer than the straight line. Neighbours are settlements between
/// which no other one lies, nearer to both of them than they are to each other (relative neighbours; Toussaint 1980, doi:10.1016/0031-3203(80)90066-7).
fn shorten(builder: &mut Builder, p: &RealmParams, ctx: &Ctx) -> Result<()> {
    let (list, w) = (builder.ground.settlements, builder.ground.classes.width());
    let mut pairs = Vec::new();
    for a in 0..list.len() {
        ctx.checkpoint()?;
        for b in (0..a).filter(|&b| list[b].land == list[a].land) {
            let far = apart(&list[a], &list[b], w);
            if far > NEIGHBOURS_TILES * NEIGHBOURS_TILES {
                continue;
            }
            let between = |c: usize| {
                c != a && c != b && apart(&list[a], &list[c], w).max(apart(&list[b], &list[c], w)) < far
            };
            if !(0..list.len()).any(between) {
                pairs.push((far, b, a));
            }
        }
    }
    pairs.sort_unstable();
    builder.network.set_reuse(REUSE_OF_SHORT_CUTS);
    for (far, a, b) in pairs {
        ctx.checkpoint()?;
        let most = (p.roads.detour * (far as f64).sqrt()) as usize;
        let Some(old) = builder.steps(a, b).filter(|&old| old > most) else { continue };
        let way = builder.network.way_to(builder.stops[a] as usize, builder.stops[b] as usize, ctx)?;
        if let Some(way) = way.filter(|way| way.len() - 1 <= most.max(2 * old / 3)) {
            builder.add(&way, (a, b), list[a].tier.max(list[b].tier));
        }
    }
    Ok(())
}
