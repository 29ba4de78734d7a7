//! Where water goes and how much comes together (6.1 to 6.3).

use super::Rule;
use super::compare::{formula, reaches_about, rounding};
use super::world::World;
use crate::check::RuleResult;
use crate::error::Result;
use weald_core::{Dir8, math, seed::Seed};

/// The rules of 6.1 to 6.3.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "flow-downhill",
        about: "water takes the greatest drop to a lower neighbour and stops only where there is none (6.1)",
        needs: &["flow_direction", "height"],
        run: flow_downhill,
    },
    Rule {
        name: "flow-tie-break",
        about: "among equal drops the hash of seed and place decides (6.1)",
        needs: &["flow_direction", "height", "seed"],
        run: flow_tie_break,
    },
    Rule {
        name: "flow-acyclic",
        about: "water never returns to a tile (6.2)",
        needs: &["flow_direction"],
        run: flow_acyclic,
    },
    Rule {
        name: "flow-accumulation",
        about: "flowAccum is 1 and the sum of what flows in (6.2)",
        needs: &["flow_accumulation", "flow_direction"],
        run: flow_accumulation,
    },
    Rule {
        name: "outlets-sum",
        about: "what leaves at the outlets is the number of tiles (6.2)",
        needs: &["flow_accumulation", "flow_direction"],
        run: outlets_sum,
    },
    Rule {
        name: "flow-accum-n",
        about: "flowAccumN is the logarithm of flowAccum brought to 0..1 over the map (6.3)",
        needs: &["flow_accumulation_log", "flow_accumulation"],
        run: accumulation_log,
    },
];

/// A direction that water may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Where it leads.
    pub(super) dir: Dir8,
    /// By how much it goes down.
    pub(super) drop: f64,
    /// Whether the drop is enough however it is rounded.
    pub(super) surely: bool,
}

/// The ways that water may take from `i`, in the order of directions.
pub(super) fn ways_down(w: &World, i: usize) -> Vec<Way> {
    let least = w.p.hydrology.min_drop_threshold;
    let mut ways = Vec::with_capacity(8);
    w.around(i, |dir, n| {
        let drop = w.t.height[i] as f64 - w.t.height[n] as f64;
        let (surely, maybe) = reaches_about(drop, least);
        if drop > 0.0 && maybe {
            ways.push(Way { dir, drop, surely });
        }
    });
    ways
}

/// The greatest drop, 0 if there is none.
fn greatest(ways: &[Way]) -> f64 {
    ways.iter().map(|way| way.drop).fold(0.0, f64::max)
}

/// The name of a direction, for messages.
fn dir_name(d: Dir8) -> &'static str {
    Dir8::NAMES.get(d.0 as usize).copied().unwrap_or("?")
}

fn flow_downhill(w: &World, rule: &mut RuleResult) -> Result<()> {
    for (i, &d) in w.t.flow_direction.iter().enumerate() {
        let ways = ways_down(w, i);
        let place = Some(w.place(i));
        if d == Dir8::NONE.0 {
            let lower = ways.iter().find(|way| way.surely);
            rule.check(lower.is_none(), place, || {
                lower.map_or_else(String::new, |way| {
                    format!("water stops here, but {} is lower by {}", dir_name(way.dir), way.drop)
                })
            });
            continue;
        }
        let most = greatest(&ways);
        let slack = w.p.hydrology.tie_eps + rounding(most);
        let taken = ways.iter().find(|way| way.dir.0 == d);
        rule.check(taken.is_some_and(|way| most - way.drop <= slack), place, || {
            let name = dir_name(Dir8(d));
            match taken {
                Some(Way { drop, .. }) => {
                    format!("water goes {name} by a drop of {drop}, but one of {most} is there")
                }
                None => format!("water goes {name}, where nothing is lower by hydrology.minDropThreshold"),
            }
        });
    }
    Ok(())
}

fn flow_tie_break(w: &World, rule: &mut RuleResult) -> Result<()> {
    let eps = w.p.hydrology.tie_eps;
    let seed = Seed(w.seed.unwrap_or_default());
    for (i, &d) in w.t.flow_direction.iter().enumerate() {
        let ways = ways_down(w, i);
        let most = greatest(&ways);
        let slack = rounding(most);
        let tied: Vec<_> = ways.iter().filter(|way| most - way.drop <= eps + slack).collect();
        if tied.len() < 2 || tied.iter().all(|way| way.dir.0 != d) {
            continue;
        }
        let (x, y) = w.place(i);
        let hash = seed.at(x as i64, y as i64);
        // Which ties hold may hang on rounding, so every list that rounding allows is tried.
        let open: Vec<usize> =
            (0..tied.len()).filter(|&k| !tied[k].surely || most - tied[k].drop > eps - slack).collect();
        let good = (0..1u32 << open.len()).any(|kept| {
            let stays = |k: &usize| open.iter().position(|o| o == k).is_none_or(|bit| kept >> bit & 1 == 1);
            let list: Vec<usize> = (0..tied.len()).filter(stays).collect();
            !list.is_empty() && tied[list[(hash % list.len() as u64) as usize]].dir.0 == d
        });
        rule.check(good, Some((x, y)), || {
            let names: Vec<_> = tied.iter().map(|way| dir_name(way.dir)).collect();
            let asked = names[(hash % names.len() as u64) as usize];
            let (name, names) = (dir_name(Dir8(d)), names.join(" "));
            format!("water goes {name}; of the equal drops {names} the hash takes {asked}")
        });
    }
    Ok(())
}

fn flow_acyclic(w: &World, rule: &mut RuleResult) -> Result<()> {
    let next: Vec<Option<usize>> = (0..w.len()).map(|i| w.downstream(i)).collect();
    let mut inflows = vec![0u8; w.len()];
    next.iter().flatten().for_each(|&n| inflows[n] += 1);
    let mut ready: Vec<usize> = (0..w.len()).filter(|&i| inflows[i] == 0).collect();
    let mut done = vec![false; w.len()];
    while let Some(i) = ready.pop() {
        done[i] = true;
        if let Some(n) = next[i] {
            inflows[n] -= 1;
            if inflows[n] == 0 {
                ready.push(n);
            }
        }
    }
    for (i, &done) in done.iter().enumerate() {
        rule.check(done, Some(w.place(i)), || "water that leaves here comes back".into());
    }
    Ok(())
}

fn flow_accumulation(w: &World, rule: &mut RuleResult) -> Result<()> {
    for (i, &found) in w.t.flow_accumulation.iter().enumerate() {
        let mut sum = 1u64;
        w.around(i, |d, n| {
            if w.t.flow_direction[n] == d.opposite().0 {
                sum += u64::from(w.t.flow_accumulation[n]);
            }
        });
        let good = sum == u64::from(found);
        rule.check(good, Some(w.place(i)), || format!("it is {found}, but 1 and what flows in make {sum}"));
    }
    Ok(())
}

fn outlets_sum(w: &World, rule: &mut RuleResult) -> Result<()> {
    let outlets = (0..w.len()).filter(|&i| w.downstream(i).is_none());
    let sum: u64 = outlets.map(|i| u64::from(w.t.flow_accumulation[i])).sum();
    rule.check(sum == w.len() as u64, None, || format!("the outlets sum to {sum}, not to {} tiles", w.len()));
    Ok(())
}

fn accumulation_log(w: &World, rule: &mut RuleResult) -> Result<()> {
    let ln = |v: u32| math::ln(f64::from(v.max(1)));
    let low = ln(w.t.flow_accumulation.iter().copied().min().unwrap_or(1));
    let high = ln(w.t.flow_accumulation.iter().copied().max().unwrap_or(1));
    formula(w, rule, &w.t.flow_accumulation_log, 1e-6, |i| {
        if high > low { (ln(w.t.flow_accumulation[i]) - low) / (high - low) } else { 0.0 }
    });
    Ok(())
}
