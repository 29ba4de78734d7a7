//! Where trails run, what they join and what they cost (chapter 10).

use super::Rule;
use super::routes::{Seeds, Ways, is_end, is_open_ground, seed_count, sure_routes, trail_cost_field};
use super::world::World;
use crate::check::RuleResult;
use crate::error::Result;
use std::collections::BTreeMap;

/// What is needed to say between which tiles trails must run.
const ROUTE_NEEDS: &[&str] = &[
    "trail",
    "water_class",
    "flow_accumulation_log",
    "landform",
    "slope",
    "moisture",
    "firmness",
    "obstruction",
];

/// The rules of chapter 10.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "trails-on-open-ground",
        about: "trails keep off lakes and the edge that is not playable (10.2)",
        needs: &["trail", "water_class"],
        run: trails_on_open_ground,
    },
    Rule {
        name: "trails-reach-an-end",
        about: "each connected piece of trail holds a stream or ridge end point (10.4)",
        needs: &["trail", "water_class", "flow_accumulation_log", "landform", "slope"],
        run: trails_reach_an_end,
    },
    Rule {
        name: "trail-ids",
        about: "ids count from 0; each piece of one is a whole trail or joins an earlier one (10.1)",
        needs: &["game_trail_id", "trail", "water_class", "flow_accumulation_log", "landform", "slope"],
        run: trail_ids,
    },
    Rule {
        name: "trail-seeds",
        about: "trails lead from the best seeds to their nearest end points and start nowhere else (10.3)",
        needs: ROUTE_NEEDS,
        run: trail_seeds,
    },
    Rule {
        name: "trail-costs",
        about: "no path from a seed to its end points is cheaper than the one along the trails (10.5)",
        needs: ROUTE_NEEDS,
        run: trail_costs,
    },
];

fn trails_on_open_ground(w: &World, rule: &mut RuleResult) -> Result<()> {
    for i in (0..w.len()).filter(|&i| w.trail[i]) {
        rule.check(is_open_ground(w, i), Some(w.place(i)), || {
            let what = if w.playable(i) { "a lake" } else { "the edge that is not playable" };
            format!("a trail on {what}")
        });
    }
    Ok(())
}

/// Checks that each piece of trail holds a cell for which `found` holds.
fn each_piece(w: &World, rule: &mut RuleResult, what: &str, found: impl Fn(usize) -> bool) -> Result<()> {
    let (piece, count) = w.pieces(|i| w.trail[i])?;
    let mut first = vec![usize::MAX; count + 1];
    let mut good = vec![false; count + 1];
    for (i, &k) in piece.iter().enumerate().filter(|p| *p.1 > 0) {
        let k = k as usize;
        first[k] = first[k].min(i);
        good[k] |= found(i);
    }
    for k in 1..=count {
        rule.check(good[k], Some(w.place(first[k])), || format!("the trail that begins here {what}"));
    }
    Ok(())
}

fn trails_reach_an_end(w: &World, rule: &mut RuleResult) -> Result<()> {
    each_piece(w, rule, "reaches neither a stream nor a ridge end point", |i| is_end(w, i))
}

/// A path is marked where no earlier one is, so its own tiles fall into pieces only where earlier ids lie
/// between them: each piece touches an earlier id, or is the whole path from its seed to its end point.
fn trail_ids(w: &World, rule: &mut RuleResult) -> Result<()> {
    let ids = &w.t.game_trail_id;
    let most = 2 * seed_count(w);
    let mut seen = vec![false; w.len()];
    let mut of_id: BTreeMap<i32, Vec<(usize, bool, bool)>> = BTreeMap::new();
    for (i, &id) in ids.iter().enumerate() {
        rule.check(
            (id >= 0) == w.trail[i] && id >= -1 && i64::from(id) < most as i64,
            Some(w.place(i)),
            || {
                let trail = if w.trail[i] { "a trail tile" } else { "no trail tile" };
                format!("id {id} on {trail}; {most} is the greatest possible number of routes")
            },
        );
        if id < 0 || seen[i] {
            continue;
        }
        let (mut joins, mut ends) = (false, false);
        let mut stack = vec![i];
        seen[i] = true;
        while let Some(c) = stack.pop() {
            ends |= is_end(w, c);
            w.around(c, |_, n| {
                joins |= (0..id).contains(&ids[n]);
                if ids[n] == id && !seen[n] {
                    seen[n] = true;
                    stack.push(n);
                }
            });
        }
        of_id.entry(id).or_default().push((i, joins, ends));
    }
    if let Some((&first, list)) = of_id.first_key_value() {
        rule.check(first == 0, Some(w.place(list[0].0)), || format!("the least id is {first}, not 0"));
    }
    for (id, list) in &of_id {
        for &(i, joins, ends) in list {
            rule.check(joins || (list.len() == 1 && ends), Some(w.place(i)), || {
                format!("this piece of trail {id} joins no earlier trail and is no whole trail either")
            });
        }
    }
    Ok(())
}

fn trail_seeds(w: &World, rule: &mut RuleResult) -> Result<()> {
    let seeds = Seeds::new(w);
    let (piece, _) = w.pieces(|i| w.trail[i])?;
    for (s, e) in sure_routes(w, &seeds, &trail_cost_field(w))? {
        rule.check(piece[s] > 0 && piece[s] == piece[e], Some(w.place(s)), || {
            let (x, y) = w.place(e);
            format!("no trail leads from this seed to its end point ({x},{y})")
        });
    }
    each_piece(w, rule, "holds no tile that can be a seed", |i| seeds.possible.contains(&i))
}

/// At most so many routes are measured; it is the slowest of the rules.
const ROUTES_MEASURED: usize = 400;

fn trail_costs(w: &World, rule: &mut RuleResult) -> Result<()> {
    let cost = trail_cost_field(w);
    let routes = sure_routes(w, &Seeds::new(w), &cost)?;
    let least = cost.iter().copied().fold(f64::INFINITY, f64::min).max(1e-3);
    let mut ways = Ways::new(w, &cost);
    let every = routes.len().div_ceil(ROUTES_MEASURED).max(1);
    for &(s, e) in routes.iter().step_by(every) {
        // Without any trail between them, the rule about seeds has said so.
        let Some(along) = ways.cheapest(s, e, |n| w.trail[n]) else {
            continue;
        };
        let Some(best) = ways.cheapest(s, e, |n| cost[n] < w.p.game_trails.inf) else {
            continue;
        };
        // A search that takes costs within tieEps as equal may lose as much twice at each step.
        let steps = (best / least).ceil();
        let slack = 2.0 * w.p.hydrology.tie_eps * steps + 1e-5 * best.max(1.0);
        rule.check(along <= best + slack, Some(w.place(s)), || {
            let (x, y) = w.place(e);
            format!("the trail from this seed to ({x},{y}) costs {along}, but {best} is enough")
        });
    }
    Ok(())
}
