//! Water and heights, and the transitions along borders.

use super::Rule;
use super::codes::{LAKE, OCEAN, WATERS, biome, right_transitions, transitions};
use super::tiles::Realm;
use crate::check::RuleResult;
use crate::error::Result;

/// Up to this distance from another biome a tile must have a transition; squared, in tiles.
const MUST: i64 = 4;
/// Up to this distance a tile may have a transition: that is the last square below 4.5², in tiles.
const MAY: i64 = 20;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "water",
        about: "water is 1 where biome is ocean, 2 where it is lake and 0 on land",
        needs: &["water", "biome"],
        run: water,
    },
    Rule {
        name: "heights",
        about: "the ocean lies below 0 m; land and the ground of lakes lie above",
        needs: &["height", "biome"],
        run: heights,
    },
    Rule {
        name: "surface",
        about: "surface is 0 on the ocean, the height on land, and above the ground on lakes, each of which is level",
        needs: &["surface", "height", "biome"],
        run: surface,
    },
    Rule {
        name: "lake-shores",
        about: "no land beside a lake lies below its water",
        needs: &["surface", "biome"],
        run: shores,
    },
    Rule {
        name: "transitions",
        about: "a land tile at most 2 tiles from another biome has a transition, one farther than 4.5 tiles and water have none; the \
                kind is that of the tile's own biome and of a nearest other one",
        needs: &["transition", "biome"],
        run: kinds,
    },
];

fn water(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let class = realm.bytes("biome").cells();
    for (i, &found) in realm.bytes("water").cells().iter().enumerate() {
        let wanted = match class[i] {
            OCEAN => 1,
            LAKE => 2,
            _ => 0,
        };
        rule.check(found == wanted, realm.at(i), || {
            let name = WATERS.get(usize::from(found)).copied().unwrap_or("unknown");
            format!("water is {found} ({name}), but the biome is {}", biome(class[i]))
        });
    }
    Ok(())
}

fn heights(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let class = realm.bytes("biome").cells();
    for (i, &height) in realm.floats("height").cells().iter().enumerate() {
        let good = if class[i] == OCEAN { height < 0.0 } else { height > 0.0 };
        rule.check(good, realm.at(i), || format!("the height of {} is {height} m", biome(class[i])));
    }
    Ok(())
}

fn surface(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (class, height) = (realm.bytes("biome").cells(), realm.floats("height").cells());
    let (surface, regions) = (realm.floats("surface").cells(), realm.regions());
    for (i, &found) in surface.iter().enumerate() {
        let level = surface[regions.first[regions.of[i] as usize]];
        let (good, wanted) = match class[i] {
            OCEAN => (found == 0.0, "0 m".into()),
            LAKE => (
                found == level && found > height[i],
                format!("{level} m as on the rest of the lake, above the ground at {} m", height[i]),
            ),
            _ => (found == height[i], format!("the height, {} m", height[i])),
        };
        rule.check(good, realm.at(i), || {
            format!("the surface of {} is {found} m; it must be {wanted}", biome(class[i]))
        });
    }
    Ok(())
}

fn shores(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (class, surface) = (realm.bytes("biome").cells(), realm.floats("surface").cells());
    for (i, _) in class.iter().enumerate().filter(|(_, c)| **c == LAKE) {
        realm.around(i, |n| {
            if realm.is_land(n) {
                rule.check(surface[n] >= surface[i], realm.at(i), || {
                    let (lake, land) = (realm.place(i), realm.place(n));
                    format!(
                        "the lake at {lake} has its water at {} m, above the land at {land} at {} m",
                        surface[i], surface[n]
                    )
                });
            }
        });
    }
    Ok(())
}

/// Steps to the tiles around that may decide about a transition, nearest first, with the square of their length.
fn around() -> Vec<(i64, i64, i64)> {
    let side = 0..=2 * MAY.isqrt();
    let steps = side.clone().flat_map(|y| side.clone().map(move |x| (x - MAY.isqrt(), y - MAY.isqrt())));
    let mut out: Vec<(i64, i64, i64)> = steps.map(|(dx, dy)| (dx * dx + dy * dy, dx, dy)).collect();
    out.retain(|s| (1..=MAY).contains(&s.0));
    out.sort_unstable();
    out
}

fn kinds(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (w, h) = (realm.width as i64, realm.height as i64);
    let class = realm.bytes("biome").cells();
    let (around, right, names) = (around(), right_transitions(), transitions());
    let name = |t: u8| names.get(usize::from(t)).map_or("unknown", String::as_str);
    for (i, &found) in realm.bytes("transition").cells().iter().enumerate() {
        let own = class[i];
        if own == OCEAN || own == LAKE {
            rule.check(found == 0, realm.at(i), || {
                format!("transition is {} on {}; water has none", name(found), biome(own))
            });
            continue;
        }
        let (x, y) = ((i % realm.width) as i64, (i / realm.width) as i64);
        // The square of the distance to the nearest other biome, that biome, and whether the transition fits one at this distance.
        let mut nearest: Option<(i64, u8, bool)> = None;
        for &(far, dx, dy) in &around {
            if nearest.is_some_and(|n| n.0 < far) {
                break;
            }
            let (nx, ny) = (x + dx, y + dy);
            if nx < 0 || ny < 0 || nx >= w || ny >= h {
                continue;
            }
            let other = class[(ny * w + nx) as usize];
            if other != own {
                let range = right.get(usize::from(own)).and_then(|r| r.get(usize::from(other)));
                let fits = range.is_some_and(|&(least, most)| (least..=most).contains(&found));
                let (_, first, before) = nearest.unwrap_or((far, other, false));
                nearest = Some((far, first, before || fits));
            }
        }
        let good = match nearest {
            None => found == 0,
            Some((far, _, fits)) => fits || (found == 0 && far > MUST),
        };
        rule.check(good, realm.at(i), || {
            let found = name(found);
            match nearest {
                None => format!(
                    "transition is {found} on {}, but no other biome lies within 4.5 tiles",
                    biome(own)
                ),
                Some((far, other, _)) => format!(
                    "transition is {found} on {}, {:.1} tiles from {}, the nearest other biome",
                    biome(own),
                    (far as f64).sqrt(),
                    biome(other)
                ),
            }
        });
    }
    Ok(())
}
