//! Settlements and the networks of roads and railroads that join them.

use super::Rule;
use super::codes::Kind;
use super::tiles::{NOWHERE, Realm, Settlement};
use crate::check::RuleResult;
use crate::error::Result;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use weald_core::Dir8;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "roads-joined",
        about: "roads join the settlements of each land, all in one network; of those that are not alone on their land at most 2, or 2 \
                % if that is more, are left out",
        needs: &["road_dirs", "settlement", "settlements.geojson", "biome"],
        run: roads,
    },
    Rule {
        name: "road-reasons",
        about: "road says whether roads join a settlement with another one, and road_reason why if they do not",
        needs: &["road_dirs", "settlement", "settlements.geojson", "biome"],
        run: road_reasons,
    },
    Rule {
        name: "rails-joined",
        about: "railroads join the settlements of each land that railroads.tiers names, but not those of tier 3, all in one network; of \
                those that are not alone on their land at most 1, or 5 % if that is more, are left out",
        needs: &["rail_dirs", "settlement", "settlements.geojson", "biome"],
        run: rails,
    },
    Rule {
        name: "rail-reasons",
        about: "rail says whether railroads join a settlement with another one, and rail_reason why if they do not; tiers 1 and 2 \
                need a reason",
        needs: &["rail_dirs", "settlement", "settlements.geojson", "biome"],
        run: rail_reasons,
    },
];

/// The networks on which each settlement is joined with another one, by its id. Those that are not joined have no entry.
type Networks = BTreeMap<u16, BTreeSet<u32>>;

/// The networks of a kind that join settlements.
fn networks(realm: &Realm, kind: Kind) -> Networks {
    let network = components(realm, kind);
    let mut settlements: BTreeMap<u32, BTreeSet<u16>> = BTreeMap::new();
    for (&id, tiles) in realm.footprints() {
        for &i in tiles.iter().filter(|&&i| network[i] != NOWHERE) {
            settlements.entry(network[i]).or_default().insert(id);
        }
    }
    let mut out = Networks::new();
    for (number, ids) in settlements.into_iter().filter(|(_, ids)| ids.len() > 1) {
        for id in ids {
            out.entry(id).or_default().insert(number);
        }
    }
    out
}

/// The number of the network of each tile of a kind, [`NOWHERE`] where there is none. A link joins even if it does not lead back.
fn components(realm: &Realm, kind: Kind) -> Vec<u32> {
    let links = realm.links(kind);
    let mut out = vec![NOWHERE; links.len()];
    let mut number = 0;
    let mut open = Vec::new();
    for start in 0..links.len() {
        if links[start] == 0 || out[start] != NOWHERE {
            continue;
        }
        out[start] = number;
        open.push(start);
        while let Some(i) = open.pop() {
            for d in Dir8::ALL {
                let Some(n) = realm.step(i, d) else { continue };
                let joined = links[i] >> d.0 & 1 == 1 || links[n] >> d.opposite().0 & 1 == 1;
                if joined && links[n] != 0 && out[n] == NOWHERE {
                    out[n] = number;
                    open.push(n);
                }
            }
        }
        number += 1;
    }
    out
}

fn roads(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    joined(realm, Kind::Road, (2, 2), |_| true, rule);
    Ok(())
}

fn rails(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    // Folders made by hand may lack the parameter.
    let tiers = realm.value("params.railroads.tiers").as_u64().unwrap_or(2).min(2);
    joined(realm, Kind::Railroad, (1, 5), |s| s.tier().is_some_and(|t| t as u64 <= tiers), rule);
    Ok(())
}

/// Checks how many of the `wanted` settlements are left out, at most `spared` or `percent`, and that the others of one land share a
/// network.
fn joined(
    realm: &Realm,
    kind: Kind,
    (spared, percent): (usize, usize),
    wanted: impl Fn(&Settlement) -> bool,
    rule: &mut RuleResult,
) {
    let networks = networks(realm, kind);
    let mut lands: BTreeMap<u32, Vec<(u16, Settlement)>> = BTreeMap::new();
    for s in realm.settlements() {
        if let (Some(id), Some(i)) = (s.id, s.tile)
            && realm.landmasses().of[i] != NOWHERE
        {
            lands.entry(realm.landmasses().of[i]).or_default().push((id, s));
        }
    }
    let (mut all, mut out) = (0usize, Vec::new());
    for settlements in lands.values() {
        let wanted: Vec<_> = settlements.iter().filter(|(_, s)| wanted(s)).collect();
        if wanted.len() > 1 {
            all += wanted.len();
            out.extend(wanted.into_iter().filter(|(id, _)| !networks.contains_key(id)));
        }
    }
    let good = out.len() * 100 <= (all * percent).max(100 * spared);
    let kept = if good { all } else { all - out.len() };
    (0..kept).for_each(|_| rule.check(true, None, String::new));
    for (_, s) in out.iter().filter(|_| !good) {
        rule.check(false, s.tile.and_then(|i| realm.at(i)), || {
            format!(
                "no {} joins {} with another settlement; {} of {all} are left out, more than {spared} and more than {percent} %",
                kind.name(),
                s.text(),
                out.len()
            )
        });
    }
    for settlements in lands.values() {
        let mut count: BTreeMap<u32, usize> = BTreeMap::new();
        for number in settlements.iter().filter_map(|(id, _)| networks.get(id)).flatten() {
            *count.entry(*number).or_insert(0) += 1;
        }
        let Some((largest, _)) = count.into_iter().max_by_key(|c| c.1) else { continue };
        for (id, s) in settlements {
            let Some(mine) = networks.get(id) else { continue };
            rule.check(mine.contains(&largest), s.tile.and_then(|i| realm.at(i)), || {
                format!("{} is on another {} network than most of its land", s.text(), kind.name())
            });
        }
    }
}

fn road_reasons(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    reasons(realm, Kind::Road, ("road", "road_reason"), |_| true, rule);
    Ok(())
}

fn rail_reasons(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let first = |s: &Settlement| s.tier().is_some_and(|t| t <= 2);
    reasons(realm, Kind::Railroad, ("rail", "rail_reason"), first, rule);
    Ok(())
}

/// Checks what each settlement says about a network; one that is left out and is `wanted` there must say why.
fn reasons(
    realm: &Realm,
    kind: Kind,
    (flag, reason): (&str, &str),
    wanted: impl Fn(&Settlement) -> bool,
    rule: &mut RuleResult,
) {
    let networks = networks(realm, kind);
    let mut people: BTreeMap<u32, usize> = BTreeMap::new();
    for i in realm.settlements().filter_map(|s| s.tile) {
        *people.entry(realm.landmasses().of[i]).or_insert(0) += 1;
    }
    for s in realm.settlements() {
        let Some(id) = s.id else { continue };
        let (joined, place) = (networks.contains_key(&id), s.tile.and_then(|i| realm.at(i)));
        let about = |key: &str| s.shape.about.get(key).unwrap_or(&Value::Null);
        rule.check(*about(flag) == Value::Bool(joined), place, || {
            let does = if joined { "does" } else { "does not" };
            format!(
                "{flag} of {} is {}, but the {} network {does} join it with another",
                s.text(),
                about(flag),
                kind.name()
            )
        });
        let alone = s.tile.is_some_and(|i| people.get(&realm.landmasses().of[i]) == Some(&1));
        let good = match about(reason) {
            Value::Null => joined || !wanted(&s),
            Value::String(text) if text.contains("only settlement") => !joined && alone,
            Value::String(text) => !joined && !text.trim().is_empty(),
            _ => false,
        };
        rule.check(good, place, || {
            let must = match joined {
                true => "it must be null, because it is joined",
                false if alone => "it must say why it is not joined",
                false => "it must say why it is not joined, and other settlements are on its land",
            };
            format!("{reason} of {} is {}; {must}", s.text(), about(reason))
        });
    }
}
