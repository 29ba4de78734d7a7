//! Rivers, railroads and roads on their tiles: links, and crossings.

use super::Rule;
use super::codes::{Kind, biome, crossing, going, right_angled_cross, straight};
use super::tiles::Realm;
use crate::check::RuleResult;
use crate::error::Result;
use weald_core::Dir8;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "links",
        about: "a line that goes on to a neighbour leads back from there; only rivers leave the map",
        needs: &["river_dirs", "rail_dirs", "road_dirs"],
        run: symmetric,
    },
    Rule {
        name: "links-on-water",
        about: "railroads and roads never touch water; a river touches it only at its ends, so that its links there lead to land",
        needs: &["river_dirs", "rail_dirs", "road_dirs", "biome"],
        run: dry,
    },
    Rule {
        name: "one-feature",
        about: "away from settlements no tile has a river, a railroad and a road at once",
        needs: &["river_dirs", "rail_dirs", "road_dirs", "settlement"],
        run: at_most_two,
    },
    Rule {
        name: "crossing-type",
        about: "crossing is bridge for river and road, rail_bridge for river and railroad, rail_crossing for railroad and road, \
                crossroads for a road alone with four or more links, and none elsewhere",
        needs: &["crossing", "river_dirs", "rail_dirs", "road_dirs"],
        run: types,
    },
    Rule {
        name: "crossing-angle",
        about: "away from settlements lines cross straight through and at a right angle, never on a bend or a junction; a railroad \
                has at most three links",
        needs: &["river_dirs", "rail_dirs", "road_dirs", "settlement"],
        run: angles,
    },
    Rule {
        name: "crossing-approach",
        about: "away from settlements a road or railroad goes straight on through the tiles before and after a river or railroad that it \
                crosses",
        needs: &["river_dirs", "rail_dirs", "road_dirs", "settlement"],
        run: approaches,
    },
    Rule {
        name: "crossings-apart",
        about: "away from settlements no two crossings are neighbours",
        needs: &["crossing", "settlement"],
        run: apart,
    },
    Rule {
        name: "shared-links",
        about: "no two of river, railroad and road go on from a tile in the same direction, not even in settlements",
        needs: &["river_dirs", "rail_dirs", "road_dirs"],
        run: shared,
    },
    Rule {
        name: "rail-junctions",
        about: "away from settlements each arm of a railroad junction goes on in another one with a turn of at most 45 degrees",
        needs: &["rail_dirs", "settlement"],
        run: junctions,
    },
];

/// The links of all kinds on a tile.
fn all(realm: &Realm, i: usize) -> [u8; 3] {
    Kind::ALL.map(|kind| realm.links(kind)[i])
}

/// The kinds on a tile with their links, for a message.
fn listed(links: [u8; 3]) -> String {
    let there = Kind::ALL.into_iter().zip(links).filter(|(_, links)| *links != 0);
    let names: Vec<String> =
        there.map(|(kind, links)| format!("{} going {}", kind.name(), going(links))).collect();
    names.join(" and ")
}

fn symmetric(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    for kind in Kind::ALL {
        let links = realm.links(kind);
        for (i, &mine) in links.iter().enumerate().filter(|(_, mine)| **mine != 0) {
            for d in Dir8::ALL.into_iter().filter(|d| mine >> d.0 & 1 == 1) {
                let (name, here, to) = (kind.name(), realm.place(i), Dir8::NAMES[usize::from(d.0)]);
                match realm.step(i, d) {
                    None => rule.check(kind == Kind::River, realm.at(i), || {
                        format!("{name} at {here} goes {to}, off the map; only rivers may")
                    }),
                    Some(n) => rule.check(links[n] >> d.opposite().0 & 1 == 1, realm.at(i), || {
                        format!(
                            "{name} at {here} goes {to}, but there, at {}, {name} goes {} and does not lead back",
                            realm.place(n),
                            going(links[n])
                        )
                    }),
                }
            }
        }
    }
    Ok(())
}

fn dry(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let class = realm.bytes("biome").cells();
    for (i, &on) in class.iter().enumerate().filter(|(i, _)| !realm.is_land(*i)) {
        for kind in [Kind::Railroad, Kind::Road] {
            let links = realm.links(kind)[i];
            rule.check(links == 0, realm.at(i), || {
                format!("{} at {} going {} is on {}", kind.name(), realm.place(i), going(links), biome(on))
            });
        }
        let links = realm.links(Kind::River)[i];
        for d in Dir8::ALL.into_iter().filter(|d| links >> d.0 & 1 == 1) {
            let to = realm.step(i, d);
            rule.check(to.is_some_and(|n| realm.is_land(n)), realm.at(i), || {
                let beyond = to.map_or("the outside of the map", |n| biome(class[n]));
                let (here, to) = (realm.place(i), Dir8::NAMES[usize::from(d.0)]);
                format!(
                    "river at {here} goes {to} from {} to {beyond}; on water it may only begin or end",
                    biome(on)
                )
            });
        }
    }
    Ok(())
}

fn at_most_two(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    for i in 0..realm.cells() {
        let links = all(realm, i);
        if links == [0; 3] || realm.exempt(i) {
            continue;
        }
        rule.check(links.contains(&0), realm.at(i), || {
            format!("{} share the tile {}; at most two may", listed(links), realm.place(i))
        });
    }
    Ok(())
}

fn types(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    for (i, &found) in realm.bytes("crossing").cells().iter().enumerate() {
        let links = all(realm, i);
        let good = match links.map(|l| l != 0) {
            [true, false, true] => found == 1,
            [true, true, false] => found == 2,
            [false, true, true] => found == 3,
            [true, true, true] => (1..=3).contains(&found),
            [false, false, true] => found == if links[2].count_ones() >= 4 { 4 } else { 0 },
            _ => found == 0,
        };
        rule.check(good, realm.at(i), || {
            let there = if links == [0; 3] { "no line".into() } else { listed(links) };
            format!("crossing is {found} ({}) at {}, where there is {there}", crossing(found), realm.place(i))
        });
    }
    Ok(())
}

fn angles(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    for i in 0..realm.cells() {
        let links = all(realm, i);
        if links == [0; 3] || realm.exempt(i) {
            continue;
        }
        let there: Vec<u8> = links.into_iter().filter(|&l| l != 0).collect();
        if let [a, b] = there[..] {
            let good = straight(a) && straight(b) && right_angled_cross(a | b);
            rule.check(good, realm.at(i), || {
                let why = if straight(a) && straight(b) {
                    "the angle is not a right one"
                } else {
                    "both must go straight through, without a bend or a junction"
                };
                format!("{} cross at {}: {why}", listed(links), realm.place(i))
            });
        }
        let [_, rail, road] = links;
        if there.len() == 1 && road.count_ones() >= 4 {
            rule.check(right_angled_cross(road), realm.at(i), || {
                let here = realm.place(i);
                format!(
                    "crossroads at {here} going {}: two straight roads must cross at a right angle",
                    going(road)
                )
            });
        }
        if rail != 0 {
            rule.check(rail.count_ones() < 4, realm.at(i), || {
                format!(
                    "railroad at {} has {} links, going {}",
                    realm.place(i),
                    rail.count_ones(),
                    going(rail)
                )
            });
        }
    }
    Ok(())
}

fn approaches(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    for i in (0..realm.cells()).filter(|&i| !realm.exempt(i)) {
        let links = all(realm, i);
        let there: Vec<Kind> = Kind::ALL.into_iter().filter(|&k| links[k as usize] != 0).collect();
        let [high, low] = there[..] else { continue };
        for n in realm.linked(i, links[low as usize]).filter(|&n| !realm.exempt(n)) {
            let there = realm.links(low)[n];
            rule.check(straight(there), realm.at(n), || {
                format!(
                    "{} at {} going {} bends beside the {} that it crosses at {}",
                    low.name(),
                    realm.place(n),
                    going(there),
                    high.name(),
                    realm.place(i)
                )
            });
        }
    }
    Ok(())
}

fn apart(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let crossings = realm.bytes("crossing").cells();
    for (i, &code) in crossings.iter().enumerate().filter(|(i, c)| **c != 0 && !realm.exempt(*i)) {
        let mut other = None;
        realm.around(i, |n| {
            if crossings[n] != 0 && !realm.exempt(n) {
                other = Some(n);
            }
        });
        rule.check(other.is_none(), realm.at(i), || {
            let n = other.unwrap_or(i);
            let (here, there) = (crossing(code), crossing(crossings[n]));
            format!("{here} at {} lies beside the {there} at {}", realm.place(i), realm.place(n))
        });
    }
    Ok(())
}

fn shared(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    for i in 0..realm.cells() {
        let links = all(realm, i);
        if links.iter().filter(|l| **l != 0).count() > 1 {
            let [river, rail, road] = links;
            let twice = river & rail | river & road | rail & road;
            rule.check(twice == 0, realm.at(i), || {
                format!("{} at {} go {} together", listed(links), realm.place(i), going(twice))
            });
        }
    }
    Ok(())
}

fn junctions(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    for (i, &rail) in realm.links(Kind::Railroad).iter().enumerate() {
        if rail.count_ones() < 3 || realm.exempt(i) {
            continue;
        }
        // From an arm a train goes on in the opposite direction, or in one beside it.
        let goes_on = |d: u8| [3, 4, 5].iter().any(|by| rail >> ((d + by) % 8) & 1 == 1);
        let stuck = (0..8u8).filter(|d| rail >> d & 1 == 1).find(|&d| !goes_on(d));
        rule.check(stuck.is_none(), realm.at(i), || {
            let from = stuck.map_or("nowhere", |d| Dir8::NAMES[usize::from(d)]);
            format!(
                "railroad at {} going {}: the arm from {from} meets the others at a sharp turn",
                realm.place(i),
                going(rail)
            )
        });
    }
    Ok(())
}
