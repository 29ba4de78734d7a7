//! Settlements: their tiles and their properties.

use super::Rule;
use super::codes::{OCEAN, biome};
use super::tiles::{NOWHERE, Realm, near};
use crate::check::RuleResult;
use crate::error::Result;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use weald_core::Dir8;

/// Kinds and radii of the tiers, the first first.
const TIERS: [(&str, i64); 5] = [("capital", 3), ("city", 2), ("town", 1), ("village", 1), ("hamlet", 0)];
/// The least distance between two footprints, in tiles along x or y, whichever is more.
const APART: usize = 5;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "footprints",
        about: "the tiles of a settlement are the land of its disc that is connected with its centre along edges; ids run from 1 on, \
                and the layer holds all of them and no other",
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
        let radius = s.tier().map_or(0, |t| TIERS[t - 1].1);
        let wanted = disc(realm, centre, radius);
        for &i in tiles {
            rule.check(wanted.contains(&i), realm.at(i), || {
                let on = biome(realm.bytes("biome").cells()[i]);
                let why = "which is not land connected with the centre within the disc of radius";
                format!("{} belongs to {text}, but is {on}, {why} {radius}", realm.place(i))
            });
        }
        for &i in &wanted {
            rule.check(realm.counts("settlement").cells()[i] == id, realm.at(i), || {
                format!("{} is land of the disc of {text}, but does not carry its id", realm.place(i))
            });
        }
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

/// The land of the disc around a tile that is connected with it along edges.
fn disc(realm: &Realm, centre: usize, radius: i64) -> BTreeSet<usize> {
    let w = realm.width;
    let inside = |i: usize| {
        let [dx, dy] = [(i % w, centre % w), (i / w, centre / w)].map(|(a, b)| a as i64 - b as i64);
        dx * dx + dy * dy <= radius * radius + radius
    };
    let mut found = BTreeSet::new();
    let mut open = vec![centre];
    while let Some(i) = open.pop() {
        if realm.is_land(i) && inside(i) && found.insert(i) {
            open.extend([0, 2, 4, 6].into_iter().filter_map(|d| realm.step(i, Dir8(d))));
        }
    }
    found
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
