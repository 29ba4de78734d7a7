//! The checker in here is written from the rules of the realm's map, and shares no code with the network.

use super::*;
use crate::ctx::Cancelled;
use crate::seed::SplitMix64;
use proptest::prelude::*;
use std::collections::BTreeSet;

type Outcome = std::result::Result<(), TestCaseError>;

struct Chance(SplitMix64);

impl Chance {
    fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() >> 33) as usize % n
    }

    fn percent(&mut self, p: usize) -> bool {
        self.below(100) < p
    }
}

/// The neighbour in direction `d`, if it is on a map of this shape.
fn neighbour((w, h): (usize, usize), tile: usize, d: usize) -> Option<usize> {
    let x = (tile % w).checked_add_signed(Dir8::DX[d] as isize)?;
    let y = (tile / w).checked_add_signed(Dir8::DY[d] as isize)?;
    (x < w && y < h).then_some(y * w + x)
}

fn neighbours(shape: (usize, usize), tile: usize) -> impl Iterator<Item = usize> {
    (0..8).filter_map(move |d| neighbour(shape, tile, d))
}

fn has(links: &Grid<u8>, tile: usize, d: usize) -> bool {
    links.cells()[tile] & (1 << d) != 0
}

/// The directions of the links of a tile.
fn directions(links: &Grid<u8>, tile: usize) -> Vec<usize> {
    (0..8).filter(|&d| has(links, tile, d)).collect()
}

/// The tiles that are linked with a tile.
fn linked(links: &Grid<u8>, tile: usize) -> Vec<usize> {
    directions(links, tile).into_iter().filter_map(|d| neighbour(links.shape(), tile, d)).collect()
}

fn link(links: &mut Grid<u8>, a: usize, b: usize) {
    let shape = links.shape();
    let d = (0..8).find(|&d| neighbour(shape, a, d) == Some(b)).expect("a link joins neighbours");
    links.cells_mut()[a] |= 1 << d;
    links.cells_mut()[b] |= 1 << ((d + 4) % 8);
}

/// Whether two directions, as axes, are at a right angle.
fn right_angle(a: usize, b: usize) -> bool {
    a % 4 != b % 4 && a % 2 == b % 2
}

/// Whether two links go straight through a tile.
fn runs_straight(directions: &[usize]) -> bool {
    directions.len() == 2 && directions[1] == directions[0] + 4
}

/// The squares of four tiles where two diagonal links cross each other.
fn leaks(kinds: &[&Grid<u8>]) -> Vec<(usize, usize)> {
    let (w, h) = kinds[0].shape();
    let any = |x: usize, y: usize, d: usize| kinds.iter().any(|k| has(k, y * w + x, d));
    let squares = (0..h - 1).flat_map(|y| (0..w - 1).map(move |x| (x, y)));
    squares.filter(|&(x, y)| any(x, y, 1) && any(x + 1, y, 3)).collect()
}

/// What ways are built over.
#[derive(Debug)]
struct Land {
    ground: Grid<u16>,
    exempt: Grid<u8>,
    river: Grid<u8>,
}

impl Land {
    fn random(w: usize, h: usize, closed: usize, rivers: usize, zones: usize, chance: &mut Chance) -> Self {
        let (least, spread) = (8 + chance.below(16), SPREAD[chance.below(4)]);
        let cost = |chance: &mut Chance| (least + chance.below(spread)) as u16;
        let ground = Grid::from_fn(w, h, |_, _| if chance.percent(closed) { 0 } else { cost(chance) });
        let mut exempt = Grid::filled(w, h, 0);
        for _ in 0..zones {
            let (x, y, r) = (chance.below(w), chance.below(h), 1 + chance.below(3));
            for (i, cell) in exempt.cells_mut().iter_mut().enumerate() {
                if x.abs_diff(i % w).max(y.abs_diff(i / w)) <= r {
                    *cell = 1;
                }
            }
        }
        let mut river = Grid::filled(w, h, 0);
        for _ in 0..rivers {
            add_river(&mut river, chance);
        }
        Self { ground, exempt, river }
    }

    fn shape(&self) -> (usize, usize) {
        self.ground.shape()
    }

    /// Open tiles where a way may begin: exempt, or with nothing older on them and around.
    fn places(&self, older: &[&Grid<u8>]) -> Vec<usize> {
        let free = |t: usize| older.iter().all(|o| o.cells()[t] == 0);
        let apart = |t: usize| free(t) && neighbours(self.shape(), t).all(free);
        let open = (0..self.ground.len()).filter(|&t| self.ground.cells()[t] != 0);
        open.filter(|&t| self.exempt.cells()[t] != 0 || apart(t)).collect()
    }
}

/// Adds a river or a tributary: a chain of tiles that touch only the one before and the one after.
fn add_river(river: &mut Grid<u8>, chance: &mut Chance) {
    let shape = river.shape();
    let on: Vec<usize> = (0..river.len()).filter(|&t| river.cells()[t] != 0).collect();
    let joins = !on.is_empty() && chance.percent(60);
    let mut chain = vec![if joins { on[chance.below(on.len())] } else { chance.below(river.len()) }];
    if !joins && std::iter::once(chain[0]).chain(neighbours(shape, chain[0])).any(|t| river.cells()[t] != 0) {
        return;
    }
    let (mut d, length) = (chance.below(8), 3 + chance.below(30));
    while chain.len() < length {
        let last = chain[chain.len() - 1];
        let bends = [[0, 1, 7, 2, 6], [0, 7, 1, 6, 2], [1, 0, 7, 2, 6], [7, 0, 1, 6, 2]][chance.below(4)];
        let source = joins && chain.len() == 1;
        let fits = |next: usize| {
            let may_touch = |t: usize| t == last || (source && linked(river, last).contains(&t));
            let taken = |t: usize| river.cells()[t] != 0 || chain.contains(&t);
            let mut with = river.clone();
            link(&mut with, last, next);
            !taken(next)
                && neighbours(shape, next).all(|t| !taken(t) || may_touch(t))
                && leaks(&[&with]).is_empty()
        };
        let step =
            bends.into_iter().map(|b| (d + b) % 8).find(|&d| neighbour(shape, last, d).is_none_or(fits));
        let Some(step) = step else { break };
        d = step;
        match neighbour(shape, last, d) {
            Some(next) => chain.push(next),
            // It leaves the map.
            None => {
                if chain.len() > 1 {
                    river.cells_mut()[last] |= 1 << d;
                }
                break;
            }
        }
    }
    chain.windows(2).for_each(|s| link(river, s[0], s[1]));
}

/// A kind of linear feature, in the order of age; natural ones have no rule of meeting.
type Kind<'a> = (&'a Grid<u8>, Option<Meeting>);

/// Everything on a map that breaks a rule, as sentences.
fn violations(ground: &Grid<u16>, exempt: &Grid<u8>, kinds: &[Kind]) -> Vec<String> {
    let (w, shape) = (ground.width(), ground.shape());
    let mut found = Vec::new();
    let mut note = |tile: usize, what: String| found.push(format!("({}, {}): {what}", tile % w, tile / w));
    for tile in 0..ground.len() {
        for (k, &(links, meeting)) in kinds.iter().enumerate() {
            for d in directions(links, tile) {
                match neighbour(shape, tile, d) {
                    Some(next) if !has(links, next, (d + 4) % 8) => {
                        note(tile, format!("kind {k} links one way"))
                    }
                    None if meeting.is_some() => note(tile, format!("kind {k} leaves the map")),
                    _ => {}
                }
                let closed = |d: usize| neighbour(shape, tile, d % 8).is_none_or(|t| ground.cells()[t] == 0);
                if meeting.is_some() && d % 2 == 1 && closed(d + 1) && closed(d + 7) {
                    note(tile, format!("kind {k} slips between closed tiles"));
                }
            }
            if kinds[..k].iter().any(|o| o.0.cells()[tile] & links.cells()[tile] != 0) {
                note(tile, format!("kind {k} shares a link with an older one"));
            }
            if meeting.is_some() && links.cells()[tile] != 0 && ground.cells()[tile] == 0 {
                note(tile, format!("kind {k} on a closed tile"));
            }
        }
        if exempt.cells()[tile] == 0 {
            tile_violations(tile, exempt, kinds, &mut note);
            for lower in 1..kinds.len() {
                for higher in 0..lower {
                    let near = neighbours(shape, tile);
                    let (a, b) = (kinds[lower].0, kinds[higher].0);
                    for n in near.filter(|&n| runs_along(a, b, tile, n)) {
                        note(
                            tile,
                            format!("kind {lower} runs along kind {higher} at ({}, {})", n % w, n / w),
                        );
                    }
                }
            }
        }
    }
    let all: Vec<&Grid<u8>> = kinds.iter().map(|k| k.0).collect();
    found.extend(leaks(&all).into_iter().map(|(x, y)| format!("({x}, {y}): diagonal links cross")));
    found
}

/// What is wrong with a tile outside the zones, whatever is around it.
fn tile_violations(tile: usize, exempt: &Grid<u8>, kinds: &[Kind], note: &mut impl FnMut(usize, String)) {
    let exempt = |t: usize| exempt.cells()[t] != 0;
    let here: Vec<usize> = (0..kinds.len()).filter(|&k| kinds[k].0.cells()[tile] != 0).collect();
    let ways = |k: usize| directions(kinds[k].0, tile);
    if here.len() > 2 {
        note(tile, format!("kinds {here:?} together"));
    }
    if let [a, b] = here[..] {
        let straight = runs_straight(&ways(a)) && runs_straight(&ways(b));
        if !straight || !right_angle(ways(a)[0], ways(b)[0]) {
            note(tile, format!("kinds {a} and {b} cross by {:?} and {:?}", ways(a), ways(b)));
        }
    }
    for k in here.into_iter().filter(|&k| kinds[k].1.is_some()) {
        let d = ways(k);
        let crossroads = d.len() == 4 && d[2] == d[0] + 4 && d[3] == d[1] + 4 && right_angle(d[0], d[1]);
        if d.len() > 3 && !(crossroads && kinds[k].1 == Some(Meeting::Crossroads)) {
            note(tile, format!("kind {k} meets by {d:?}"));
        }
        let older = |t: usize| kinds[..k].iter().any(|o| o.0.cells()[t] != 0);
        if d.len() > 2 && (older(tile) || neighbours(kinds[k].0.shape(), tile).any(older)) {
            note(tile, format!("kind {k} branches on or beside a crossing"));
        }
        let crosses = |t: usize| kinds[k].0.cells()[t] != 0 && older(t);
        if crosses(tile) {
            if neighbours(kinds[k].0.shape(), tile).any(|t| crosses(t) && !exempt(t)) {
                note(tile, format!("kind {k} crosses beside another crossing"));
            }
            let bends = |t: &usize| !exempt(*t) && !runs_straight(&directions(kinds[k].0, *t));
            if linked(kinds[k].0, tile).iter().any(bends) {
                note(tile, format!("kind {k} bends before or after a crossing"));
            }
        }
    }
}

/// Whether the feature `a` at a tile runs along the older feature `b` at a neighbour, other than as it must at a crossing.
fn runs_along(a: &Grid<u8>, b: &Grid<u8>, tile: usize, near: usize) -> bool {
    let crossing = |t: usize| a.cells()[t] != 0 && b.cells()[t] != 0;
    let at_crossing =
        linked(a, tile).into_iter().any(|c| crossing(c) && (near == c || linked(b, c).contains(&near)));
    let under_it = crossing(tile) && linked(b, tile).contains(&near);
    !at_crossing
        && !under_it
        && directions(a, tile).iter().any(|&p| directions(b, near).iter().any(|&q| !right_angle(p, q)))
}

/// The map as text, to read what failed: `#` closed, `~` rivers, `=` railroads, `+` ways, `%` several of these; exempt tiles of plain are `,`.
fn picture(land: &Land, kinds: &[Kind]) -> String {
    let mut text = String::from("\n");
    for tile in 0..land.ground.len() {
        let here: Vec<usize> = (0..kinds.len()).filter(|&k| kinds[k].0.cells()[tile] != 0).collect();
        text.push(match (&here[..], land.ground.cells()[tile], land.exempt.cells()[tile]) {
            ([], 0, _) => '#',
            ([], _, 0) => '.',
            ([], _, _) => ',',
            ([k], _, _) => ['~', '=', '+'][*k],
            _ => '%',
        });
        if (tile + 1) % land.ground.width() == 0 {
            text.push('\n');
        }
    }
    text
}

const RAIL_TURNS: [u32; 4] = [0, 5, NO_TURN, NO_TURN];

/// Costs of turns, with and without limits.
const TURNS: [[u32; 4]; 5] =
    [RAIL_TURNS, [0, 3, 10, NO_TURN], [0, 2, 8, 20], [0, 0, 0, 0], [0, NO_TURN, 4, NO_TURN]];

/// How much the costs of tiles differ.
const SPREAD: [usize; 4] = [1, 2, 8, 40];

/// Costs of a tile along a way that exists.
const REUSE: [u32; 4] = [64, 112, 128, 256];

fn older<'a>(links: &[&'a Grid<u8>], crossing: u32) -> Vec<Older<'a>> {
    links
        .iter()
        .map(|&links| Older { links, crossing, setback_tiles: 4, setback: 320, keeps_tiles: 2 })
        .collect()
}

fn rule<'a>(land: &'a Land, older: &'a [Older<'a>], turns: [u32; 4], meeting: Meeting) -> NetworkRule<'a> {
    NetworkRule { ground: &land.ground, exempt: &land.exempt, older, turns, reuse: 112, beside: 12, meeting }
}

fn network(rule: NetworkRule) -> Network {
    Network::new(rule, &Ctx::default()).unwrap()
}

fn direction(w: usize, a: u32, b: u32) -> usize {
    let at = |t: u32| (t as usize % w, t as usize / w);
    let ((ax, ay), (bx, by)) = (at(a), at(b));
    let leads = |d: &usize| {
        (ax as i64 + Dir8::DX[*d] as i64, ay as i64 + Dir8::DY[*d] as i64) == (bx as i64, by as i64)
    };
    (0..8).find(leads).expect("tiles of a way are neighbours")
}

/// A way begins and ends where it should, steps to neighbours and passes no tile twice.
fn check_way(way: &[u32], start: usize, w: usize) -> Outcome {
    prop_assert!(way.len() > 1 && way[0] as usize == start);
    prop_assert!(way.windows(2).all(|s| direction(w, s[0], s[1]) < 8));
    prop_assert_eq!(way.iter().collect::<BTreeSet<_>>().len(), way.len(), "{:?}", way);
    Ok(())
}

/// Builds ways between random places over what is there, and checks the map after each of them.
fn grow(network: &mut Network, land: &Land, before: &[Kind], ways: usize, chance: &mut Chance) -> Outcome {
    let (ctx, w) = (Ctx::default(), land.ground.width());
    let links: Vec<&Grid<u8>> = before.iter().map(|k| k.0).collect();
    let places = land.places(&links);
    let mut built = BTreeSet::new();
    for _ in 0..ways {
        if places.len() < 2 {
            break;
        }
        let (start, goal) = (places[chance.below(places.len())], places[chance.below(places.len())]);
        let how = chance.below(3);
        let way = match how {
            0 => network.way(start, |tile, _| tile == goal, &ctx),
            1 => network.way_to(start, goal, &ctx),
            _ => network.way(start, |tile, links| links != 0 || tile == goal, &ctx),
        };
        let Some(way) = way.unwrap() else { continue };
        check_way(&way, start, w)?;
        let end = way[way.len() - 1] as usize;
        prop_assert!(end == goal || (how == 2 && network.links().cells()[end] != 0));
        for s in way.windows(3) {
            let (d, next) = (direction(w, s[0], s[1]), direction(w, s[1], s[2]));
            let free =
                network.rule.meeting == Meeting::Crossroads && has(network.links(), s[1] as usize, next);
            let made = network.rule.turns.get(turn_of(d, next)).is_some_and(|&cost| cost != NO_TURN);
            prop_assert!(free || made, "a turn that is not made in {way:?}");
        }
        for part in network.build(&way) {
            prop_assert!(part.len() > 1);
            for s in part.windows(2) {
                direction(w, s[0], s[1]);
                prop_assert!(built.insert((s[0].min(s[1]), s[0].max(s[1]))), "a link is built twice");
            }
        }
        let kinds: Vec<Kind> =
            before.iter().copied().chain([(network.links(), Some(network.rule.meeting))]).collect();
        let found = violations(&land.ground, &land.exempt, &kinds);
        prop_assert!(found.is_empty(), "{found:?} after {way:?}{}", picture(land, &kinds));
    }
    let count: u32 = network.links().cells().iter().map(|l| l.count_ones()).sum();
    prop_assert_eq!(built.len() * 2, count as usize, "the parts are all the links");
    Ok(())
}

/// A way with what it costs by the search.
fn cost_of(network: &Network, way: &Option<Vec<u32>>) -> Option<u32> {
    let goal = way.as_ref()?[way.as_ref()?.len() - 1] as usize;
    network.cost[goal * STATES..(goal + 1) * STATES].iter().copied().min()
}

/// What a way over new ground costs: the ground of each tile after the first, and the turns.
fn price_of(ground: &Grid<u16>, turns: [u32; 4], way: &[u32]) -> u32 {
    let steps: Vec<usize> = way.windows(2).map(|s| direction(ground.width(), s[0], s[1])).collect();
    let enter = way[1..].iter().zip(&steps).map(|(&t, d)| step_cost(ground.cells()[t as usize], *d));
    enter.sum::<u32>() + steps.windows(2).map(|s| turns[turn_of(s[0], s[1])]).sum::<u32>()
}

fn step_cost(ground: u16, d: usize) -> u32 {
    if d % 2 == 1 { ground as u32 * 181 / 128 } else { ground as u32 }
}

/// A turn in eighths of a circle, to either side.
fn turn_of(a: usize, b: usize) -> usize {
    a.abs_diff(b).min(8 - a.abs_diff(b))
}

/// Bellman–Ford over (tile, direction of arrival): relaxes every step until nothing changes. The least cost to every tile.
fn brute_force(ground: &Grid<u16>, turns: [u32; 4], start: usize) -> Vec<Option<u32>> {
    let (shape, n) = (ground.shape(), ground.len());
    let open = |tile: usize, d: usize| neighbour(shape, tile, d % 8).filter(|&t| ground.cells()[t] != 0);
    let mut best = vec![[None::<u32>; 9]; n];
    best[start][8] = Some(0);
    loop {
        let mut changed = false;
        for tile in 0..n {
            for (arrival, d) in (0..9).flat_map(|a| (0..8).map(move |d| (a, d))) {
                let (Some(cost), Some(next)) = (best[tile][arrival], open(tile, d)) else { continue };
                if d % 2 == 1 && open(tile, d + 1).is_none() && open(tile, d + 7).is_none() {
                    continue;
                }
                let turn = match arrival {
                    8 => 0,
                    a if turn_of(a, d) == 4 || turns[turn_of(a, d)] == NO_TURN => continue,
                    a => turns[turn_of(a, d)],
                };
                let new = cost + turn + step_cost(ground.cells()[next], d);
                if best[next][d].is_none_or(|old| new < old) {
                    best[next][d] = Some(new);
                    changed = true;
                }
            }
        }
        if !changed {
            return best.iter().map(|states| states.iter().copied().flatten().min()).collect();
        }
    }
}

/// Compares a search with brute force, and a way with the search. Where turns are forbidden the cheapest walk may be one that passes a tile twice
/// to turn around; a way never does, so that it may be dearer then, or there is none.
fn compare(
    network: &mut Network,
    (start, goal): (usize, usize),
    bounded: bool,
    known: Option<u32>,
) -> Outcome {
    let (ctx, at_goal) = (Ctx::default(), |tile: usize, _: u8| tile == goal);
    let (ground, turns) = (network.rule.ground, network.rule.turns);
    network.banned.clear();
    let bound = network.at_least_to(goal);
    let walk = match bounded {
        true => network.search_once(start, &at_goal, &bound, &ctx),
        false => network.search_once(start, &at_goal, &|_| 0, &ctx),
    };
    let walk = walk.unwrap();
    prop_assert_eq!(cost_of(network, &walk), known, "to {}", goal);
    let Some(walk) = walk else { return Ok(()) };
    let once = network.without_crossing_itself(without_loops(&walk)).len() == walk.len();
    prop_assert!(once || turns.contains(&NO_TURN), "turns are free, but {walk:?} has a loop");
    let way = match bounded {
        true => network.way_to(start, goal, &ctx),
        false => network.way(start, at_goal, &ctx),
    };
    let Some(way) = way.unwrap() else {
        prop_assert!(!once, "{walk:?} is a way");
        return Ok(());
    };
    check_way(&way, start, ground.width())?;
    let steps: Vec<usize> = way.windows(2).map(|s| direction(ground.width(), s[0], s[1])).collect();
    for s in steps.windows(2) {
        let made = turns.get(turn_of(s[0], s[1])).is_some_and(|&cost| cost != NO_TURN);
        prop_assert!(made, "a turn that is not made in {way:?}");
    }
    let price = Some(price_of(ground, turns, &way));
    prop_assert!(price == known || (!once && price > known), "{way:?} costs {price:?}, not {known:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn railroads_over_rivers_and_roads_over_both_keep_every_rule(
        seed: u64, w in 6usize..28, h in 6usize..28, closed in 0usize..30, rivers in 0usize..9, zones in 0usize..5,
        rail_turns in 0usize..5, road_turns in 0usize..5,
    ) {
        let mut chance = Chance::new(seed);
        let land = Land::random(w, h, closed, rivers, zones, &mut chance);
        let first = older(&[&land.river], 60);
        let mut rails = network(rule(&land, &first, TURNS[rail_turns], Meeting::Junctions));
        let river = (&land.river, None);
        grow(&mut rails, &land, &[river], 5, &mut chance)?;
        let rails = rails.links().clone();
        let second = older(&[&land.river, &rails], 60);
        for meeting in [Meeting::Crossroads, Meeting::Junctions] {
            let mut roads = network(rule(&land, &second, TURNS[road_turns], meeting));
            grow(&mut roads, &land, &[river, (&rails, Some(Meeting::Junctions))], 10, &mut chance)?;
        }
    }

    #[test]
    fn many_ways_without_anything_older_meet_by_the_rules(
        seed: u64, w in 4usize..20, h in 4usize..20, closed in 0usize..40, zones in 0usize..2, turns in 0usize..5,
        crossroads: bool,
    ) {
        let mut chance = Chance::new(seed);
        let land = Land::random(w, h, closed, 0, zones, &mut chance);
        let meeting = if crossroads { Meeting::Crossroads } else { Meeting::Junctions };
        grow(&mut network(rule(&land, &[], TURNS[turns], meeting)), &land, &[], 25, &mut chance)?;
    }

    #[test]
    fn a_way_is_as_cheap_as_brute_force(
        seed: u64, w in 2usize..8, h in 2usize..8, closed in 0usize..45, turns in 0usize..5,
        least in 2usize..30, spread in 0usize..4,
    ) {
        let mut chance = Chance::new(seed);
        let mut land = Land::random(w, h, closed, 0, 0, &mut chance);
        for cell in land.ground.cells_mut().iter_mut().filter(|c| **c != 0) {
            *cell = (least + chance.below(SPREAD[spread])) as u16;
        }
        let start = chance.below(w * h);
        land.ground.cells_mut()[start] = 9;
        let known = brute_force(&land.ground, TURNS[turns], start);
        let rule = NetworkRule { reuse: REUSE[seed as usize % 4], ..rule(&land, &[], TURNS[turns], Meeting::Crossroads) };
        let mut network = network(rule);
        for goal in (0..w * h).filter(|&goal| goal != start) {
            for bounded in [false, true] {
                compare(&mut network, (start, goal), bounded, known[goal])?;
            }
        }
    }

    #[test]
    fn the_search_towards_one_goal_finds_a_way_as_cheap_as_the_search_all_around(
        seed: u64, w in 10usize..40, h in 10usize..40, closed in 0usize..25, rivers in 0usize..12, zones in 0usize..5,
        turns in 0usize..5, crossroads: bool,
    ) {
        let mut chance = Chance::new(seed);
        let mut land = Land::random(w, h, closed, rivers, zones, &mut chance);
        // High costs, so that the bound is not met by rounding: a crossing counts no diagonals.
        land.ground.cells_mut().iter_mut().for_each(|cost| *cost *= 128);
        let meeting = if crossroads { Meeting::Crossroads } else { Meeting::Junctions };
        let river = older(&[&land.river], 60 * 128);
        let reuse = REUSE[chance.below(4)];
        let mut network = network(NetworkRule { reuse, ..rule(&land, &river, TURNS[turns], meeting) });
        let places = land.places(&[&land.river]);
        prop_assume!(places.len() > 1);
        for _ in 0..6 {
            let (start, goal) = (places[chance.below(places.len())], places[chance.below(places.len())]);
            let around = network.way(start, |tile, _| tile == goal, &Ctx::default()).unwrap();
            let cost = cost_of(&network, &around);
            let towards = network.way_to(start, goal, &Ctx::default()).unwrap();
            prop_assert_eq!(cost_of(&network, &towards), cost);
            if let Some(way) = towards {
                network.build(&way);
            }
        }
    }

    #[test]
    fn a_second_way_between_the_same_places_builds_nothing(
        seed: u64, w in 6usize..28, h in 6usize..28, closed in 0usize..25, rivers in 0usize..6, zones in 0usize..5,
        turns in 0usize..5, crossroads: bool,
    ) {
        let mut chance = Chance::new(seed);
        let land = Land::random(w, h, closed, rivers, zones, &mut chance);
        let meeting = if crossroads { Meeting::Crossroads } else { Meeting::Junctions };
        let river = older(&[&land.river], 60);
        let places = land.places(&[&land.river]);
        prop_assume!(places.len() > 1);
        // At crossroads a turn into a way that exists is free, so that a dear turn might be saved by a short new link.
        let turns = if crossroads { [0; 4] } else { TURNS[turns] };
        for _ in 0..4 {
            let mut network = network(rule(&land, &river, turns, meeting));
            let (start, goal) = (places[chance.below(places.len())], places[chance.below(places.len())]);
            let Some(way) = network.way_to(start, goal, &Ctx::default()).unwrap() else { continue };
            prop_assert_eq!(network.build(&way), [way.clone()]);
            let again = network.way(start, |tile, _| tile == goal, &Ctx::default()).unwrap().expect("there is one");
            // Where a crossing is exempt a second way may turn off on it, which the first could not that had to cross straight to get there.
            let turns_off = way.iter().any(|&t| land.river.cells()[t as usize] != 0 && land.exempt.cells()[t as usize] != 0);
            prop_assert!(network.build(&again).is_empty() || turns_off, "{:?} after {:?}", again, way);
            prop_assert_eq!(network.build(&way), Vec::<Vec<u32>>::new());
        }
    }
}

/// A map drawn as text, and the places of the letters on it: `#` closed, `,` exempt, else open. Rivers flow as `>`, `v`, `<`, `^` point, and
/// towards the corners as the digits 3, 1, 7 and 9 lie on a keyboard.
fn drawn(rows: &[&str]) -> (Land, impl Fn(char) -> usize + use<>) {
    let (w, h) = (rows[0].len(), rows.len());
    let text: Vec<char> = rows.iter().flat_map(|row| row.chars()).collect();
    let cells = |value: &dyn Fn(char) -> u16| Grid::from_vec(w, h, text.iter().map(|&c| value(c)).collect());
    let ground = cells(&|c| if c == '#' { 0 } else { 16 });
    let exempt = cells(&|c| (c == ',') as u16).map(|&e| e as u8);
    let mut river = Grid::filled(w, h, 0u8);
    for (tile, c) in text.iter().enumerate() {
        let Some(d) = ">3v1<7^9".chars().position(|flow| flow == *c) else { continue };
        match neighbour((w, h), tile, d) {
            Some(next) => link(&mut river, tile, next),
            None => river.cells_mut()[tile] |= 1 << d,
        }
    }
    let place = move |letter: char| text.iter().position(|&c| c == letter).expect("the letter is on the map");
    (Land { ground, exempt, river }, place)
}

/// Cheap turns of any angle.
const ANY_TURN: [u32; 4] = [0, 2, 8, 20];

/// The way from A to B over a drawn map, with the tiles where it meets the river.
fn bridges(rows: &[&str]) -> Option<Vec<(usize, usize)>> {
    let (land, place) = drawn(rows);
    bridges_over(&land, place('A'), place('B'))
}

fn bridges_over(land: &Land, start: usize, goal: usize) -> Option<Vec<(usize, usize)>> {
    let river = older(&[&land.river], 60);
    let mut network = network(rule(land, &river, ANY_TURN, Meeting::Crossroads));
    let way = network.way_to(start, goal, &Ctx::default()).unwrap()?;
    network.build(&way);
    let kinds = [(&land.river, None), (network.links(), Some(Meeting::Crossroads))];
    assert_eq!(violations(&land.ground, &land.exempt, &kinds), Vec::<String>::new());
    let on = way.iter().map(|&t| t as usize).filter(|&t| land.river.cells()[t] != 0);
    Some(on.map(|t| (t % land.ground.width(), t / land.ground.width())).collect())
}

#[test]
fn a_river_with_one_straight_reach_is_crossed_there() {
    let straight = [
        "A............",
        ".............",
        ".............",
        "3.3.>>3.3.3.>",
        ".9.9...9.9.9.",
        ".............",
        ".............",
        "............B",
    ];
    assert_eq!(bridges(&straight), Some(vec![(5, 3)]));
    // The same for a reach that runs askew.
    let askew = [
        "A..........",
        "...........",
        "3.3........",
        ".9.3.......",
        "....3......",
        ".....3.3.3.",
        "......9.9.9",
        "...........",
        "..........B",
    ];
    assert_eq!(bridges(&askew), Some(vec![(4, 4)]));
}

#[test]
fn no_way_crosses_a_river_on_a_bend_except_in_a_zone() {
    let bends = ["A......", ".......", "3.3.3.3", ".9.9.9.", ".......", "......B"];
    assert_eq!(bridges(&bends), None);
    assert_eq!(bridges(&["A..v...", "...v...", "##.3.##", "##..v##", "....v..", "....v.B"]), None);
    let (mut land, place) = drawn(&bends);
    land.exempt = Grid::filled(7, 6, 1);
    assert!(bridges_over(&land, place('A'), place('B')).is_some_and(|on| !on.is_empty()));
}

#[test]
fn no_way_crosses_a_river_at_a_confluence() {
    assert_eq!(bridges(&["A..v...", "...v...", ">>>>>>>", "##...##", "...B..."]), None);
    assert!(bridges(&["A......", ".......", ">>>>>>>", "##...##", "...B..."]).is_some());
}

#[test]
fn no_way_slips_through_a_diagonal_gap() {
    assert_eq!(bridges(&["A.#..", "..#..", "##...", "....B"]), None);
    assert!(bridges(&["A.#..", ".....", "##...", "....B"]).is_some());
}

#[test]
fn nothing_branches_off_a_bridge_or_the_tiles_at_its_ends() {
    let rows = ["#A#C#", "#.#.#", "#...#", "##.##", ">>>>>", "##.##", "##.##", "##B##"];
    let (land, place) = drawn(&rows);
    let (river, ctx) = (older(&[&land.river], 60), Ctx::default());
    let rule = rule(&land, &river, ANY_TURN, Meeting::Crossroads);
    // Each of the two places can have the bridge for itself.
    assert!(network(rule).way_to(place('C'), place('B'), &ctx).unwrap().is_some());
    let mut roads = network(rule);
    let first = roads.way_to(place('A'), place('B'), &ctx).unwrap().expect("there is a way");
    assert_eq!(first, [1, 6, 12, 17, 22, 27, 32, 37]);
    roads.build(&first);
    // The second way meets the first two tiles before the bridge, and nowhere nearer.
    let second = roads.way(place('C'), |_, links| links != 0, &ctx).unwrap().expect("there is a way");
    assert_eq!(second, [3, 8, 12]);
    for at in [17, 22, 27] {
        let mut roads = network(rule);
        roads.build(&first);
        let way = roads.way(place('C'), |tile, _| tile == at, &ctx).unwrap().expect("there is a way");
        roads.build(&way);
        assert_eq!(roads.links().cells()[at], 0b0100_0100, "it goes along the first way");
    }
}

#[test]
fn no_second_bridge_lies_beside_a_bridge() {
    let (land, place) = drawn(&[
        "...AB....",
        ".........",
        ".........",
        ".........",
        ">>>>>>>>>",
        ".........",
        ".........",
        ".........",
        "...CD....",
    ]);
    let (river, ctx) = (older(&[&land.river], 60), Ctx::default());
    let mut roads = network(rule(&land, &river, ANY_TURN, Meeting::Crossroads));
    // The second way does not gain by the first one.
    roads.set_reuse(2048);
    for (from, to, bridges) in [('A', 'C', vec![3]), ('B', 'D', vec![3, 5])] {
        let way = roads.way_to(place(from), place(to), &ctx).unwrap().expect("there is a way");
        roads.build(&way);
        assert_eq!((0..9).filter(|x| roads.links()[(*x, 4)] != 0).collect::<Vec<_>>(), bridges);
    }
}

#[test]
fn a_branch_of_a_railroad_joins_it_without_a_sharp_turn() {
    let (land, place) = drawn(&["A...........B", ".............", ".............", ".....C......."]);
    let none = Grid::filled(13, 4, 0);
    let (river, ctx) = (older(&[&none], 60), Ctx::default());
    let mut rails = network(rule(&land, &river, RAIL_TURNS, Meeting::Junctions));
    let main = rails.way_to(place('A'), place('B'), &ctx).unwrap().expect("there is a way");
    rails.build(&main);
    let branch = rails.way(place('C'), |_, links| links != 0, &ctx).unwrap().expect("there is a way");
    let arrival = direction(13, branch[branch.len() - 2], branch[branch.len() - 1]);
    assert!(arrival == 5 || arrival == 7, "it comes from one side: {branch:?}");
}

#[test]
fn a_way_never_shares_a_link_with_a_river_even_where_the_rules_are_off() {
    let (mut land, place) = drawn(&["##############", "A.>>>>>>>>>>.B", "##############"]);
    land.exempt = Grid::filled(14, 3, 1);
    assert_eq!(bridges_over(&land, place('A'), place('B')), None);
}

#[test]
fn a_way_does_not_turn_along_a_river_that_is_too_near() {
    // A river comes from the north and ends; the way passes below it.
    let river = Grid::from_fn(10, 7, |x, y| match (x, y) {
        (5, 0 | 1) => 0b0100_0100,
        (5, 2) => 0b0100_0000,
        _ => 0,
    });
    let (turn, later) = (4 * 10 + 3, 4 * 10 + 2);
    let mut ground = Grid::filled(10, 7, 16);
    ground.cells_mut()[later] = 20;
    let exempt = Grid::filled(10, 7, 0);
    for (setback, links_at_turn) in [(0, 0b0010_0001), (320, 0b0001_0001)] {
        let river = [Older { links: &river, crossing: 60, setback_tiles: 2, setback, keeps_tiles: 3 }];
        let land = Land { ground: ground.clone(), exempt: exempt.clone(), river: Grid::filled(10, 7, 0) };
        let mut roads = network(rule(&land, &river, [0, 2, 8, 30], Meeting::Crossroads));
        let way = roads.way_to(4 * 10 + 9, 2 * 10, &Ctx::default()).unwrap().expect("there is a way");
        roads.build(&way);
        assert_eq!(roads.links().cells()[turn], links_at_turn);
    }
}

#[test]
fn roads_cross_straight_and_railroads_at_two_junctions() {
    for (meeting, most) in [(Meeting::Crossroads, 4), (Meeting::Junctions, 3)] {
        let (land, place) = drawn(&["##A##", "##.##", "C...D", "##.##", "##B##"]);
        let mut ways = network(NetworkRule { beside: 0, ..rule(&land, &[], [0, 30, 60, 90], meeting) });
        for (from, to) in [('C', 'D'), ('A', 'B')] {
            let way = ways.way_to(place(from), place(to), &Ctx::default()).unwrap().expect("there is a way");
            ways.build(&way);
        }
        assert_eq!(ways.links().cells().iter().map(|l| l.count_ones()).max(), Some(most));
        assert_eq!(
            violations(&land.ground, &land.exempt, &[(ways.links(), Some(meeting))]),
            Vec::<String>::new()
        );
    }
}

#[test]
fn a_railroad_that_could_only_turn_round_in_a_loop_is_not_built() {
    let (land, place) = drawn(&["#...", "....", "....", "#..#", "#..B", "#.##", "#..A"]);
    let mut rails = network(rule(&land, &[], RAIL_TURNS, Meeting::Junctions));
    assert_eq!(rails.way_to(place('A'), place('B'), &Ctx::default()).unwrap(), None);
    let mut roads = network(rule(&land, &[], ANY_TURN, Meeting::Junctions));
    assert!(roads.way_to(place('A'), place('B'), &Ctx::default()).unwrap().is_some());
}

#[test]
fn the_checker_sees_what_is_wrong() {
    let (land, _) = drawn(&["......", "......", ">>>>>>", "......", "....#."]);
    let finds = |ways: &[&[usize]], what: &str| {
        let mut links = Grid::filled(6, 5, 0);
        ways.iter().for_each(|way| way.windows(2).for_each(|s| link(&mut links, s[0], s[1])));
        let found = violations(
            &land.ground,
            &land.exempt,
            &[(&land.river, None), (&links, Some(Meeting::Crossroads))],
        );
        found.iter().any(|f| f.contains(what)) || (what.is_empty() && found.is_empty())
    };
    assert!(finds(&[&[2, 8, 14, 20, 26]], ""));
    assert!(finds(&[&[2, 8, 14, 21]], "cross by"));
    assert!(finds(&[&[1, 8, 15, 22, 29]], "cross by"));
    assert!(finds(&[&[1, 2, 9]], "runs along"));
    assert!(finds(&[&[2, 8, 14, 20, 26], &[8, 1]], "branches"));
    assert!(finds(&[&[0, 7], &[1, 6]], "diagonal links cross"));
    assert!(finds(&[&[27, 28]], "closed"));
    let mut links = Grid::filled(6, 5, 0);
    links[(2, 0)] = 1;
    assert!(!violations(&land.ground, &land.exempt, &[(&links, Some(Meeting::Crossroads))]).is_empty());
    for (arms, good) in
        [([2, 14, 7, 9], true), ([1, 15, 3, 13], true), ([1, 15, 7, 9], false), ([2, 3, 7, 9], false)]
    {
        let mut links = Grid::filled(6, 5, 0);
        arms.iter().for_each(|&arm| link(&mut links, 8, arm));
        for (meeting, good) in [(Meeting::Crossroads, good), (Meeting::Junctions, false)] {
            let found = violations(&land.ground, &land.exempt, &[(&links, Some(meeting))]);
            assert_eq!(found.iter().any(|f| f.contains("meets")), !good, "{arms:?} {meeting:?}");
        }
    }
}

#[test]
fn a_long_search_can_be_cancelled() {
    struct Silent;
    impl crate::ctx::Watch for Silent {}
    let stop = std::sync::atomic::AtomicBool::new(true);
    // A corridor that winds through the whole map.
    let n = 201;
    let open = |x: usize, y: usize| y.is_multiple_of(2) || x == if y % 4 == 1 { n - 1 } else { 0 };
    let ground = Grid::from_fn(n, n, |x, y| if open(x, y) { 16 } else { 0 });
    let land = Land { ground, exempt: Grid::filled(n, n, 0), river: Grid::filled(n, n, 0) };
    let mut ways = network(rule(&land, &[], ANY_TURN, Meeting::Crossroads));
    let ctx = Ctx::new(&Silent, &stop);
    assert_eq!(ways.way(0, |tile, _| tile == n * n - 1, &ctx), Err(Cancelled));
    assert_eq!(ways.way_to(0, n * n - 1, &ctx), Err(Cancelled));
    // It can be asked again.
    let way = ways.way_to(0, n * n - 1, &Ctx::default()).unwrap().expect("there is a way");
    assert!(way.len() > n * n / 2 - n);
}

/// Builds a way from tile to tile over a network and returns what breaks the rules then.
fn after(
    rows: &[&str],
    turns: [u32; 4],
    meeting: Meeting,
    built: &[&[u32]],
    from: usize,
    to: usize,
) -> Vec<String> {
    let (land, _) = drawn(rows);
    let river = older(&[&land.river], 60);
    let mut ways = network(NetworkRule { beside: 0, ..rule(&land, &river, turns, meeting) });
    built.iter().for_each(|way| drop(ways.build(way)));
    let way = ways.way(from, |tile, _| tile == to, &Ctx::default()).unwrap();
    ways.build(&way.unwrap_or_default());
    violations(&land.ground, &land.exempt, &[(&land.river, None), (ways.links(), Some(meeting))])
}

/// The search goes round a loop, which is then cut off; what is left was never tried by the rules.
#[test]
fn a_way_that_loses_a_loop_keeps_the_rules() {
    let turns = [0, 3, 10, NO_TURN];
    // It comes from the north-east to the middle, goes along the older way and back, and leaves to the west: four arms askew.
    let on_a_way = after(&[".#.", "...", "..."], turns, Meeting::Crossroads, &[&[0, 4, 8]], 2, 3);
    // The same at a junction, by a loop of older ways.
    let built: [&[u32]; 3] = [&[7, 3], &[7, 4, 1], &[2, 1, 3]];
    let on_a_junction = after(&["...", "...", "..."], turns, Meeting::Junctions, &built, 0, 6);
    // It crosses the river, turns round and comes back by the same bridge: what is left runs along the bank.
    let on_the_bank = after(&["....v.#", ".##.v..", "##..v#."], [0; 4], Meeting::Junctions, &[], 16, 2);
    assert_eq!([on_a_way, on_a_junction, on_the_bank].concat(), Vec::<String>::new());
}

/// Where costs are low or reused a diagonal step costs less than 181/128 straight ones: 2·181/128 is 2.
#[test]
fn the_search_towards_one_goal_finds_the_cheapest_way_at_low_costs() {
    let (mut land, _) = drawn(&["....#", ".....", "#..#.", "....."]);
    land.ground.cells_mut().iter_mut().for_each(|cost| *cost /= 8);
    let mut ways = network(NetworkRule { reuse: 256, ..rule(&land, &[], [0; 4], Meeting::Crossroads) });
    let way = ways.way_to(19, 0, &Ctx::default()).unwrap();
    assert_eq!(cost_of(&ways, &way), brute_force(&land.ground, [0; 4], 19)[0]);
}

/// The tiles before and after a diagonal crossing do not touch the tiles that the river comes from and goes to, one of which carries a
/// railroad here.
#[test]
fn a_diagonal_crossing_keeps_off_what_shares_the_next_tile_of_the_river() {
    let (mut land, place) = drawn(&["3...A", ".3...", "..3..", "...3.", "B...3"]);
    land.exempt[(1, 0)] = 1;
    land.exempt[(1, 1)] = 1;
    let mut rails = Grid::filled(5, 5, 0);
    link(&mut rails, 1, 6);
    let both = older(&[&land.river, &rails], 60);
    let mut roads = network(rule(&land, &both, ANY_TURN, Meeting::Crossroads));
    let way = roads.way_to(place('A'), place('B'), &Ctx::default()).unwrap();
    roads.build(&way.unwrap_or_default());
    assert!(!runs_along(roads.links(), &rails, 2 * 5 + 2, 5 + 1));
}
