//! Rivers: from a source, never uphill, to the ocean, a lake, a larger river or the edge of the map.

use super::Rule;
use super::codes::{Kind, LAKE, OCEAN, biome, going};
use super::lines::{self, outward};
use super::tiles::Realm;
use crate::check::RuleResult;
use crate::check::shapes::Shape;
use crate::error::Result;
use serde_json::Value;
use std::collections::BTreeMap;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "river-tiles",
        about: "a river's line has a vertex at the centre of each of its tiles, which are neighbours; ids run from 0 on, and length_m \
                is the length of the line",
        needs: &["river_dirs", "rivers.geojson"],
        run: tiles,
    },
    Rule {
        name: "river-links",
        about: "the links of the rivers' lines are those of river_dirs, where only the last tile of a river whose mouth is the edge \
                has one that leads off the map",
        needs: &["river_dirs", "rivers.geojson"],
        run: links,
    },
    Rule {
        name: "river-ends",
        about: "a river runs over land, may begin on a lake, and ends as its mouth says: on the first tile of the ocean or a lake, on \
                land in another river, its parent, or at the edge of the map",
        needs: &["river_dirs", "rivers.geojson", "biome"],
        run: ends,
    },
    Rule {
        name: "river-tree",
        about: "a river's parent holds the tile where it ends, no river flows into itself by way of others, and no two rivers share \
                another tile on land",
        needs: &["river_dirs", "rivers.geojson", "biome"],
        run: tree,
    },
    Rule {
        name: "river-falls",
        about: "no tile of a river on land is higher than the one before, and no river that begins at a lake is higher than its water",
        needs: &["height", "surface", "rivers.geojson", "biome"],
        run: falls,
    },
    Rule {
        name: "river-lakes",
        about: "a lake has at most one outflow, one into which a river flows has an outflow, and no water comes back to a lake that it \
                has left",
        needs: &["river_dirs", "rivers.geojson", "biome"],
        run: lakes,
    },
    Rule {
        name: "river-order",
        about: "order is 1 from the source; where rivers meet or flow into one lake it is the highest of theirs, and 1 more if two have it",
        needs: &["river_dirs", "rivers.geojson", "biome"],
        run: orders,
    },
];

/// The rivers' lines with their numbers.
fn shapes(realm: &Realm) -> impl Iterator<Item = (usize, &Shape, &lines::Line)> {
    let lines = realm.shapes("rivers").iter().zip(realm.lines(Kind::River));
    lines.enumerate().map(|(k, (shape, line))| (k, shape, line))
}

/// The number of the river in which each river ends, if there is such a river.
fn parents(realm: &Realm) -> Vec<Option<usize>> {
    let many = realm.shapes("rivers").len();
    let parent = |s: &Shape| s.whole("parent").and_then(|p| usize::try_from(p).ok()).filter(|&p| p < many);
    realm.shapes("rivers").iter().map(parent).collect()
}

fn tiles(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    for (k, shape, _) in shapes(realm) {
        rule.check(shape.id == k, None, || format!("river {k} of the file has the id {}", shape.id));
    }
    lines::vertices(realm, Kind::River, rule);
    Ok(())
}

fn links(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    lines::links(realm, Kind::River, rule);
    let mut leaves = vec![false; realm.cells()];
    for (_, shape, line) in shapes(realm) {
        if let Some(i) = line.last().filter(|_| shape.word("mouth") == "edge") {
            leaves[i] = true;
        }
    }
    for (i, &links) in realm.links(Kind::River).iter().enumerate().filter(|(i, _)| realm.on_border(*i)) {
        let out = links & outward(realm, i);
        rule.check(out.count_ones() == u32::from(leaves[i]), realm.at(i), || {
            let says =
                if leaves[i] { "a river leaves the map there" } else { "no river leaves the map there" };
            format!("river at {} goes {} off the map, but {says}", realm.place(i), going(out))
        });
    }
    Ok(())
}

fn ends(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let class = realm.bytes("biome").cells();
    let parents = parents(realm);
    for (k, shape, line) in shapes(realm) {
        let known: Vec<usize> = line.known().collect();
        for (v, &i) in known.iter().enumerate().take(known.len().saturating_sub(1)) {
            let good = realm.is_land(i) || (v == 0 && class[i] == LAKE);
            rule.check(good, realm.at(i), || {
                format!("river {k} goes on through {} at {}", biome(class[i]), realm.place(i))
            });
        }
        let Some(i) = line.last() else { continue };
        let mouth = shape.about.get("mouth").unwrap_or(&Value::Null);
        let good = match mouth.as_str() {
            Some("ocean") => class[i] == OCEAN,
            Some("lake") => class[i] == LAKE,
            Some("river") => realm.is_land(i) && parents[k].is_some(),
            Some("edge") => realm.is_land(i) && realm.links(Kind::River)[i] & outward(realm, i) != 0,
            _ => false,
        };
        rule.check(good, realm.at(i), || {
            let links = going(realm.links(Kind::River)[i]);
            format!(
                "river {k} ends at {} on {}, going {links}, but its mouth is {mouth}",
                realm.place(i),
                biome(class[i])
            )
        });
        let parent = shape.about.get("parent").unwrap_or(&Value::Null);
        let good = mouth.as_str() == Some("river") || parent.is_null();
        rule.check(good, realm.at(i), || format!("river {k} has the mouth {mouth} and the parent {parent}"));
    }
    Ok(())
}

fn tree(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (parents, all) = (parents(realm), realm.lines(Kind::River));
    // Which river holds each tile on land, plus 1. The tile where a river joins another one belongs to the other.
    let mut owner = vec![0usize; realm.cells()];
    for (k, shape, line) in shapes(realm) {
        let own = line.tiles.len() - usize::from(shape.word("mouth") == "river").min(line.tiles.len());
        for i in line.tiles[..own].iter().copied().flatten().filter(|&i| realm.is_land(i)) {
            let other = owner[i];
            rule.check(other == 0, realm.at(i), || {
                format!("river {k} passes {}, a tile of river {}", realm.place(i), other - 1)
            });
            owner[i] = k + 1;
        }
    }
    for (k, shape, line) in shapes(realm) {
        let stated = shape.about.get("parent").unwrap_or(&Value::Null);
        if stated.is_null() {
            continue;
        }
        let (end, place) = (line.last(), line.last().and_then(|i| realm.at(i)));
        rule.check(parents[k].is_some_and(|p| p != k), place, || {
            format!("the parent of river {k} is {stated}, which is no other river")
        });
        let Some(parent) = parents[k] else { continue };
        let holds = end.is_some_and(|i| owner[i] == parent + 1);
        rule.check(holds, place, || {
            let at = end.map_or("an unknown place".into(), |i| realm.place(i));
            format!("river {k} ends at {at}, where river {parent}, its parent, does not pass")
        });
    }
    for k in circles(&parents) {
        let place = all[k].first().and_then(|i| realm.at(i));
        rule.check(false, place, || format!("the parents of river {k} go round in a circle"));
    }
    Ok(())
}

/// The numbers of the rivers from which the way over the parents never ends.
fn circles(parents: &[Option<usize>]) -> Vec<usize> {
    // 0 is not seen yet, 1 on the way, 2 ends, 3 never ends.
    let mut state = vec![0u8; parents.len()];
    for start in 0..parents.len() {
        let mut way = Vec::new();
        let mut at = Some(start);
        while let Some(k) = at.filter(|&k| state[k] == 0) {
            state[k] = 1;
            way.push(k);
            at = parents[k];
        }
        let result = match at {
            Some(k) if state[k] != 2 => 3,
            _ => 2,
        };
        way.into_iter().for_each(|k| state[k] = result);
    }
    (0..parents.len()).filter(|&k| state[k] == 3).collect()
}

/// For each river the lake from which it flows and the lake in which it ends, if there are any, as numbers of regions.
fn lake_ends(realm: &Realm) -> Vec<[Option<u32>; 2]> {
    let class = realm.bytes("biome").cells();
    let lake = |i: Option<usize>| i.filter(|&i| class[i] == LAKE).map(|i| realm.regions().of[i]);
    realm.lines(Kind::River).iter().map(|line| [lake(line.first()), lake(line.last())]).collect()
}

fn lakes(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (ends, parents) = (lake_ends(realm), parents(realm));
    let place = |k: usize, first: bool| {
        let line = &realm.lines(Kind::River)[k];
        if first { line.first() } else { line.last() }.and_then(|i| realm.at(i))
    };
    let mut outflow: BTreeMap<u32, usize> = BTreeMap::new();
    for (k, [from, _]) in ends.iter().enumerate() {
        let Some(from) = from else { continue };
        let other = *outflow.entry(*from).or_insert(k);
        rule.check(other == k, place(k, true), || {
            format!("river {k} flows out of a lake, and so does river {other}")
        });
    }
    for (k, [_, into]) in ends.iter().enumerate() {
        let Some(into) = into else { continue };
        rule.check(outflow.contains_key(into), place(k, false), || {
            format!("river {k} flows into a lake out of which no river flows")
        });
    }
    // The river in which the water of each one goes on.
    let next: Vec<Option<usize>> = parents
        .iter()
        .zip(&ends)
        .map(|(parent, [_, into])| parent.or_else(|| outflow.get(into.as_ref()?).copied()))
        .collect();
    for k in circles(&next) {
        if ends[k][0].is_some() {
            rule.check(false, place(k, true), || {
                format!("the water of river {k} comes back to the lake that it flows out of")
            });
        }
    }
    Ok(())
}

fn falls(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let height = realm.floats("height").cells();
    let (class, surface) = (realm.bytes("biome").cells(), realm.floats("surface").cells());
    for (k, _, line) in shapes(realm) {
        if let Some((a, b)) = line.pairs().next().filter(|&(a, b)| class[a] == LAKE && realm.is_land(b)) {
            rule.check(height[b] <= surface[a], realm.at(b), || {
                format!(
                    "river {k} begins at {} m at {}, above the water of its lake at {} m",
                    height[b],
                    realm.place(b),
                    surface[a]
                )
            });
        }
    }
    for (k, _, line) in shapes(realm) {
        for (a, b) in line.pairs().filter(|&(a, b)| realm.is_land(a) && realm.is_land(b)) {
            rule.check(height[b] <= height[a], realm.at(b), || {
                let (from, to) = (realm.place(a), realm.place(b));
                format!("river {k} goes up from {} m at {from} to {} m at {to}", height[a], height[b])
            });
        }
    }
    Ok(())
}

fn orders(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let stated: Vec<Option<i64>> = realm.shapes("rivers").iter().map(|s| s.whole("order")).collect();
    // For each river the tiles where others join it, with their orders.
    let mut joins: Vec<Vec<(usize, i64)>> = vec![Vec::new(); stated.len()];
    for ((k, parent), line) in parents(realm).into_iter().enumerate().zip(realm.lines(Kind::River)) {
        if let (Some(parent), Some(i), Some(order)) = (parent, line.last(), stated[k]) {
            joins[parent].push((i, order));
        }
    }
    let ends = lake_ends(realm);
    let mut into: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
    for (&[_, lake], order) in ends.iter().zip(&stated) {
        if let (Some(lake), Some(order)) = (lake, *order) {
            into.entry(lake).or_default().push(order);
        }
    }
    for (k, shape, line) in shapes(realm) {
        joins[k].sort_unstable();
        let from_lake = ends[k][0].map(|lake| into.get(&lake).map_or(1, |orders| below(orders)));
        let own = line.tiles.len() - usize::from(shape.word("mouth") == "river").min(line.tiles.len());
        let mut order = 0;
        for (v, i) in line.tiles[..own].iter().enumerate() {
            let from = joins[k].partition_point(|j| Some(j.0) < *i);
            let incoming = joins[k][from..].iter().take_while(|j| Some(j.0) == *i).map(|j| j.1);
            let mut orders: Vec<i64> = incoming.collect();
            // A river that begins where others end has no source of its own.
            match v {
                0 if orders.is_empty() => orders.push(from_lake.unwrap_or(1)),
                0 => {}
                _ => orders.push(order),
            }
            order = below(&orders);
        }
        rule.check(stated[k] == Some(order), line.last().and_then(|i| realm.at(i)), || {
            let found = shape.about.get("order").unwrap_or(&Value::Null);
            format!("order of river {k} is {found}, not {order}")
        });
    }
    Ok(())
}

/// Strahler's order below the place where rivers of these orders meet.
fn below(orders: &[i64]) -> i64 {
    let highest = orders.iter().copied().max().unwrap_or(1);
    let twice = orders.iter().filter(|&&o| o == highest).count() > 1;
    highest.saturating_add(i64::from(twice))
}
