//! Lines beside each other: lower ones keep away from higher ones, and no two slip through each other between four tiles.

use super::Rule;
use super::codes::{Kind, going, parallel};
use super::tiles::{Realm, near};
use crate::check::RuleResult;
use crate::error::Result;
use weald_core::Dir8;

/// How far from a crossing a road need not keep its distance, in tiles.
const CROSSING: usize = 3;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "parallel",
        about: "away from settlements no road runs beside a railroad or river, and no railroad beside a river, at less than a right \
                angle, except next to a crossing of the two",
        needs: &["river_dirs", "rail_dirs", "road_dirs", "settlement"],
        run: beside,
    },
    Rule {
        name: "diagonal-leak",
        about: "no two diagonal links cross each other between four tiles, not even in settlements",
        needs: &["river_dirs", "rail_dirs", "road_dirs"],
        run: leaks,
    },
    Rule {
        name: "river-setback",
        about: "at least 95 % of the road tiles that run along a river within 5 tiles, or all but six, keep 3 tiles away from it, not counting those \
                around settlements and crossings; not with roads.setback_cost 0",
        needs: &["road_dirs", "river_dirs", "crossing", "settlement"],
        run: from_rivers,
    },
    Rule {
        name: "rail-setback",
        about: "at least 95 % of the road tiles that run along a railroad within 4 tiles keep 2 tiles away from it, not counting \
                those around settlements and crossings; not with roads.setback_cost 0",
        needs: &["road_dirs", "rail_dirs", "crossing", "settlement"],
        run: from_rails,
    },
];

fn beside(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    for (low, high) in
        [(Kind::Railroad, Kind::River), (Kind::Road, Kind::River), (Kind::Road, Kind::Railroad)]
    {
        let (lows, highs) = (realm.links(low), realm.links(high));
        for (i, &mine) in lows.iter().enumerate() {
            if mine == 0 || realm.exempt(i) {
                continue;
            }
            // The tiles of the higher line at a crossing: the crossing itself and those before and behind it.
            let mut allowed: Vec<usize> = Vec::new();
            for c in std::iter::once(i).chain(realm.linked(i, mine)) {
                if lows[c] != 0 && highs[c] != 0 {
                    allowed.push(c);
                    allowed.extend(realm.linked(c, highs[c]));
                }
            }
            realm.around(i, |n| {
                if highs[n] == 0 {
                    return;
                }
                rule.check(allowed.contains(&n) || !parallel(mine, highs[n]), realm.at(i), || {
                    format!(
                        "{} at {} going {} runs beside the {} at {} going {}",
                        low.name(),
                        realm.place(i),
                        going(mine),
                        high.name(),
                        realm.place(n),
                        going(highs[n])
                    )
                });
            });
        }
    }
    Ok(())
}

fn leaks(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let w = realm.width;
    // The first kind with a link in a direction.
    let kind = |i: usize, d: Dir8| Kind::ALL.into_iter().find(|&k| realm.links(k)[i] >> d.0 & 1 == 1);
    let south_east = Dir8(1);
    for i in 0..realm.cells() {
        let Some(far) = realm.step(i, south_east) else { continue };
        let Some(a) = kind(i, south_east).or_else(|| kind(far, south_east.opposite())) else { continue };
        let other = kind(i + 1, Dir8(3)).or_else(|| kind(i + w, Dir8(7)));
        rule.check(other.is_none(), realm.at(i), || {
            format!(
                "{} from {} to {} going SE and {} from {} to {} going SW cross between the tiles",
                a.name(),
                realm.place(i),
                realm.place(far),
                other.map_or("nothing", Kind::name),
                realm.place(i + 1),
                realm.place(i + w)
            )
        });
    }
    Ok(())
}

fn from_rivers(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    // On a map with few such tiles some may be too close, where two rivers leave no room.
    setback(realm, Kind::River, (3, 5, 6), rule);
    Ok(())
}

fn from_rails(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    setback(realm, Kind::Railroad, (2, 4, 0), rule);
    Ok(())
}

/// Checks that at least 95 % of the road tiles that have a higher line along them within `reach` tiles, or all but `spared`, keep `least`
/// away from it.
fn setback(realm: &Realm, high: Kind, (least, reach, spared): (usize, usize, usize), rule: &mut RuleResult) {
    // Where closeness costs nothing, nothing is promised.
    if realm.value("params.roads.setback_cost").as_f64() == Some(0.0) {
        return;
    }
    let crossings = realm.bytes("crossing").cells().iter().map(|&c| c != 0).collect();
    let crossings = near(realm.width, crossings, CROSSING);
    let roads = realm.links(Kind::Road);
    let mut along = 0usize;
    let mut close = Vec::new();
    for (i, &road) in roads.iter().enumerate() {
        if road == 0 || crossings[i] || realm.exempt(i) || realm.links(high)[i] != 0 {
            continue;
        }
        let Some(distance) = (1..=reach).find(|&r| ring(realm, i, r).any(|n| realm.links(high)[n] != 0))
        else {
            continue;
        };
        // What is at a right angle and nearer does not hide what is too close.
        let mut rings = distance..=distance.max(least - 1);
        let along_it = |r: usize| ring(realm, i, r).find(|&n| parallel(road, realm.links(high)[n]));
        if let Some((distance, n)) = rings.find_map(|r| Some((r, along_it(r)?))) {
            along += 1;
            if distance < least {
                close.push((i, n, distance));
            }
        }
    }
    let kept = along - close.len();
    let good = close.len() <= (along / 20).max(spared);
    (0..if good { along } else { kept }).for_each(|_| rule.check(true, None, String::new));
    if good {
        return;
    }
    for (i, n, distance) in close {
        rule.check(false, realm.at(i), || {
            format!(
                "road at {} going {} runs along the {} at {} going {}, {distance} away; only {kept} of {along} such tiles keep \
                 {least} tiles, and 95 % must",
                realm.place(i),
                going(roads[i]),
                high.name(),
                realm.place(n),
                going(realm.links(high)[n])
            )
        });
    }
}

/// The tiles of the map at a Chebyshev distance from a tile, row by row.
fn ring(realm: &Realm, i: usize, r: usize) -> impl Iterator<Item = usize> {
    let (w, h) = (realm.width, realm.height);
    let (x, y) = (i % w, i / w);
    (y.saturating_sub(r)..(y + r + 1).min(h)).flat_map(move |ny| {
        // A row at the top or bottom is whole, the others have two ends.
        let by = if ny.abs_diff(y) == r { 1 } else { 2 * r };
        (0..=2 * r).step_by(by).filter_map(move |k| {
            let nx = (x + k).checked_sub(r)?;
            (nx < w).then_some(ny * w + nx)
        })
    })
}
