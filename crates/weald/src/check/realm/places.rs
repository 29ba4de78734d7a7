//! Settlements: their tiles and their properties.

use super::Rule;
use super::codes::{OCEAN, biome};
use super::tiles::{NOWHERE, Realm, near};
use crate::check::RuleResult;
use crate::error::Result;
use serde_json::Value;
use std::collections::BTreeMap;

/// Kinds and radii of the tiers, the first first.
const TIERS: [(&str, i64); 5] = [("capital", 3), ("city", 2), ("town", 1), ("village", 1), ("hamlet", 0)];
/// The least distance between two footprints, in tiles along x or y, whichever is more.
const APART: usize = 5;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "footprints",
        about: "the tiles of a settlement are land, connected along edges, within its disc and with its centre among them; ids run \
                from 1 on, and the layer holds all of them and no other",
        needs: &["settlement", "settlements.geojson", "biome"],
        run: footprints,
    },
    Rule {
        name: "footprints-apart",
        about: "the tiles of two settlements are at least 5 columns or 5 rows apart",
        needs: &["settlement"],
        run: apart,
    },
    Rule {
        name: "settlements",
        about: "kind and radius are those of the tier, biome that of the centre; two settlements have one landmass if their land is \
                connected along edges; a harbour has the ocean within 2 tiles; population is above 0, and below that of higher tiers",
        needs: &["settlement", "settlements.geojson", "biome"],
        run: properties,
    },
];

fn footprints(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let footprints = realm.footprints();
    let mut found: BTreeMap<u16, usize> = BTreeMap::new();
    for s in realm.settlements() {
        let text = s.text();
        let place = s.tile.and_then(|i| realm.at(i));
        rule.check(s.tile.is_some(), None, || format!("{text} does not lie at the centre of a tile"));
        rule.check(s.id.is_some(), place, || format!("the id of {text} is not a number from 1 on"));
        let (Some(id), Some(centre)) = (s.id, s.tile) else { continue };
        let times = found.entry(id).or_insert(0);
        *times += 1;
        if *times > 1 {
            continue;
        }
        let tiles = footprints.get(&id).map_or(&[][..], Vec::as_slice);
        rule.check(realm.counts("settlement").cells()[centre] == id, place, || {
            format!("the tile {} at the centre of {text} does not carry its id", realm.place(centre))
        });
        let radius = s.tier().map_or(0, |t| TIERS[t - 1].1);
        for &i in tiles {
            let [dx, dy] = [(i % realm.width, centre % realm.width), (i / realm.width, centre / realm.width)]
                .map(|(a, b)| a as i64 - b as i64);
            rule.check(dx * dx + dy * dy <= radius * radius + radius, realm.at(i), || {
                format!("{} belongs to {text}, but lies outside its disc of radius {radius}", realm.place(i))
            });
            rule.check(realm.is_land(i), realm.at(i), || {
                format!(
                    "{} belongs to {text}, but is {}",
                    realm.place(i),
                    biome(realm.bytes("biome").cells()[i])
                )
            });
        }
        let parts = parts(realm, id, tiles);
        rule.check(parts <= 1, place, || format!("the tiles of {text} lie in {parts} parts"));
    }
    for id in 1..=found.len() as u64 {
        let times = u16::try_from(id).ok().and_then(|id| found.get(&id)).copied().unwrap_or(0);
        rule.check(times == 1, None, || format!("settlements.geojson holds settlement {id} {times} times"));
    }
    for (id, tiles) in footprints {
        rule.check(found.contains_key(id), tiles.first().and_then(|&i| realm.at(i)), || {
            format!("the layer settlement holds {id}, but settlements.geojson does not")
        });
    }
    Ok(())
}

/// In how many parts, each connected along edges, the tiles of an id lie.
fn parts(realm: &Realm, id: u16, tiles: &[usize]) -> usize {
    let (w, layer) = (realm.width, realm.counts("settlement").cells());
    // The tiles are in the order of the map.
    let mut seen = vec![false; tiles.len()];
    let mut count = 0;
    for start in 0..tiles.len() {
        if seen[start] {
            continue;
        }
        count += 1;
        seen[start] = true;
        let mut open = vec![start];
        while let Some(k) = open.pop() {
            let i = tiles[k];
            let row = i / w;
            let beside = [i.checked_sub(1), Some(i + 1), i.checked_sub(w), Some(i + w)];
            for (n, along) in beside.into_iter().zip([true, true, false, false]) {
                let Some(n) = n.filter(|&n| n < layer.len() && layer[n] == id && (!along || n / w == row))
                else {
                    continue;
                };
                if let Ok(k) = tiles.binary_search(&n)
                    && !seen[k]
                {
                    seen[k] = true;
                    open.push(k);
                }
            }
        }
    }
    count
}

fn apart(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (w, h) = (realm.width, realm.height);
    let layer = realm.counts("settlement").cells();
    for (&id, tiles) in realm.footprints() {
        for &i in tiles {
            let (x, y) = (i % w, i / w);
            let rows = y.saturating_sub(APART - 1)..(y + APART).min(h);
            let columns = x.saturating_sub(APART - 1)..(x + APART).min(w);
            let other = rows
                .flat_map(|y| columns.clone().map(move |x| y * w + x))
                .find(|&n| layer[n] != 0 && layer[n] != id);
            rule.check(other.is_none(), realm.at(i), || {
                let n = other.unwrap_or(i);
                format!(
                    "{} of settlement {id} and {} of settlement {} are less than {APART} tiles apart",
                    realm.place(i),
                    realm.place(n),
                    layer[n]
                )
            });
        }
    }
    Ok(())
}

fn properties(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let land = realm.landmasses();
    let class = realm.bytes("biome").cells();
    let by_the_sea = near(realm.width, class.iter().map(|&c| c == OCEAN).collect(), 2);
    // The fewest people of a settlement of each tier and of those above it; more than that is too many below.
    let mut fewest = [f64::INFINITY; TIERS.len() + 1];
    for s in realm.settlements() {
        if let Some(tier) = s.tier() {
            let people = s.shape.number("population");
            fewest[tier..].iter_mut().for_each(|few| *few = few.min(people));
        }
    }
    let mut number_of: BTreeMap<u32, Value> = BTreeMap::new();
    let mut land_of: BTreeMap<String, u32> = BTreeMap::new();
    for s in realm.settlements() {
        let (text, place) = (s.text(), s.tile.and_then(|i| realm.at(i)));
        let about = |key: &str| s.shape.about.get(key).unwrap_or(&Value::Null);
        rule.check(s.tier().is_some(), place, || format!("tier of {text} is {}, not 1 to 5", about("tier")));
        if let Some((kind, radius)) = s.tier().map(|t| TIERS[t - 1]) {
            rule.check(about("kind") == kind, place, || {
                format!("kind of {text} is {}, not {kind}", about("kind"))
            });
            rule.check(s.shape.whole("radius") == Some(radius), place, || {
                format!("radius of {text} is {}, not {radius}", about("radius"))
            });
        }
        let Some(i) = s.tile else { continue };
        let wanted = biome(class[i]);
        rule.check(about("biome") == wanted, place, || {
            format!("biome of {text} is {}, not {wanted}", about("biome"))
        });
        let harbour = about("harbour").as_bool();
        rule.check(harbour.is_some_and(|harbour| by_the_sea[i] || !harbour), place, || {
            let sea = if by_the_sea[i] { "the ocean is near" } else { "no ocean lies within 2 tiles" };
            format!("harbour of {text} is {}; it is true or false, and {sea}", about("harbour"))
        });
        let (people, most) =
            (s.shape.number("population"), s.tier().map_or(f64::INFINITY, |t| fewest[t - 1]));
        rule.check(people > 0.0 && people < most, place, || {
            format!("population of {text} is {}; it is above 0, and below {most}", about("population"))
        });
        let (mine, stated) = (land.of[i], about("landmass"));
        if mine == NOWHERE {
            continue;
        }
        let of_land = number_of.entry(mine).or_insert_with(|| stated.clone());
        let of_number = *land_of.entry(stated.to_string()).or_insert(mine);
        let good = stated.is_u64() && of_land == stated && of_number == mine;
        rule.check(good, place, || {
            let why = if of_land != stated {
                format!("another settlement on the same land has {of_land}")
            } else if of_number != mine {
                "a settlement on other land has the same".into()
            } else {
                "it must be a whole number".into()
            };
            format!("landmass of {text} is {stated}: {why}")
        });
    }
    Ok(())
}
