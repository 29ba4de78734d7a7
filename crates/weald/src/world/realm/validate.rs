//! The document's validation pass: what shares a tile, and whether it may.

use super::biomes::BIOMES;
use crate::catalogue::{Class, classes};
use serde_json::{Value, json};
use weald_core::region::{self, RunKind};
use weald_core::{Ctx, Dir8, Grid, Result, dir8};

classes! {
    /// What crosses on a tile.
    CROSSINGS:
    /// Nothing crosses.
    NONE = 0 "none" [240, 238, 230];
    /// A road over a river.
    BRIDGE = 1 "bridge" [150, 110, 60];
    /// A railroad over a river.
    RAIL_BRIDGE = 2 "rail_bridge" [70, 66, 72];
    /// A road over a railroad.
    RAIL_CROSSING = 3 "rail_crossing" [190, 60, 50];
    /// A road over a road.
    CROSSROADS = 4 "crossroads" [214, 160, 80];
}

/// The linear features of a realm, in the order of their priority.
pub struct Links<'a> {
    /// Rivers.
    pub river: &'a Grid<u8>,
    /// Railroads.
    pub rail: &'a Grid<u8>,
    /// Roads.
    pub road: &'a Grid<u8>,
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: &'static str,
    /// The tile.
    pub x: usize,
    /// See `x`.
    pub y: usize,
    /// Kinds of features or classes.
    pub kinds: String,
    /// Their directions.
    pub directions: String,
}

impl Violation {
    /// The same as JSON.
    pub fn to_json(&self) -> Value {
        json!({"rule": self.rule, "x": self.x, "y": self.y, "kinds": self.kinds, "directions": self.directions})
    }
}

const KINDS: [&str; 3] = ["river", "railroad", "road"];
const RIVER: usize = 0;
const RAIL: usize = 1;
const ROAD: usize = 2;

impl Links<'_> {
    fn at(&self, tile: usize) -> [u8; 3] {
        [self.river.cells()[tile], self.rail.cells()[tile], self.road.cells()[tile]]
    }
}

/// The crossings of all tiles.
pub fn crossings(links: &Links) -> Grid<u8> {
    let (w, h) = links.river.shape();
    Grid::from_fn(w, h, |x, y| crossing_of(links.at(y * w + x)))
}

/// What crosses on a tile with these links of a river, a railroad and a road.
pub(super) fn crossing_of(links: [u8; 3]) -> u8 {
    match links {
        [river, _, road] if river != 0 && road != 0 => BRIDGE,
        [river, rail, _] if river != 0 && rail != 0 => RAIL_BRIDGE,
        [_, rail, road] if rail != 0 && road != 0 => RAIL_CROSSING,
        [0, 0, road] if road.count_ones() >= 4 => CROSSROADS,
        _ => NONE,
    }
}

/// Names of the directions of links.
pub(super) fn directions(links: u8) -> String {
    let on: Vec<&str> = (0..8).filter(|d| links >> d & 1 == 1).map(|d| Dir8::NAMES[d]).collect();
    on.join(" ")
}

/// All violations of the rules of borders and of linear features, those of features outside tiles that are `exempt`. Reach: 4 tiles.
pub fn violations(classes: &Grid<u8>, links: &Links, exempt: &Grid<u8>, ctx: &Ctx) -> Result<Vec<Violation>> {
    let w = classes.width();
    let mut found: Vec<Violation> = region::straight_runs(classes)
        .into_iter()
        .map(|run| Violation {
            rule: if run.kind == RunKind::Straight { "border-straight" } else { "border-staircase" },
            x: run.x.min(w - 1),
            y: run.y.min(classes.height() - 1),
            kinds: run.classes(classes).map(|c| BIOMES[c as usize].name).join(" and "),
            directions: run.direction().into(),
        })
        .collect();
    for tile in (0..classes.len()).filter(|&t| exempt.cells()[t] == 0) {
        let here = links.at(tile);
        let on: Vec<usize> = (0..3).filter(|&k| here[k] != 0).collect();
        let straight = |k: usize| here[k].count_ones() == 2 && here[k].rotate_left(4) == here[k];
        let right_angle = |a: usize, b: usize| here[a].rotate_left(2) == here[b];
        let fork = |k: usize| match here[k].count_ones() {
            0..=3 => true,
            4 => k == ROAD && here[k].rotate_left(2) == here[k],
            _ => false,
        };
        let rule = match on[..] {
            [] => continue,
            [k] if k == RIVER || fork(k) => continue,
            [_] => "crossing-angle",
            [a, b] if straight(a) && straight(b) && right_angle(a, b) => continue,
            [_, _] => "crossing-angle",
            _ => "one-feature",
        };
        let text = |of: &dyn Fn(usize) -> String| on.iter().map(|&k| of(k)).collect::<Vec<_>>().join(" and ");
        found.push(Violation {
            rule,
            x: tile % w,
            y: tile / w,
            kinds: text(&|k| KINDS[k].into()),
            directions: text(&|k| directions(here[k])),
        });
    }
    ctx.checkpoint()?;
    found.extend(around_crossings(links, exempt));
    found.extend(leaks(links));
    for (low, high) in [(RAIL, RIVER), (ROAD, RIVER), (ROAD, RAIL)] {
        ctx.checkpoint()?;
        found.extend(side_by_side((low, high), links, exempt));
    }
    Ok(found)
}

/// Links that two features share anywhere; and outside exempt tiles crossings that are neighbours, ways that bend beside what they cross, and
/// railroad junctions with an arm that goes on nowhere without a turn of more than 45°.
fn around_crossings(links: &Links, exempt: &Grid<u8>) -> Vec<Violation> {
    let (w, h) = links.river.shape();
    let crossing = crossings(links);
    let straight = |l: u8| l.count_ones() == 2 && l.rotate_left(4) == l;
    let mut found = Vec::new();
    for tile in 0..w * h {
        let [river, rail, road] = links.at(tile);
        let mut note = |rule: &'static str, shown: [u8; 3]| {
            let on = || (0..3).filter(|&k| shown[k] != 0);
            found.push(Violation {
                rule,
                x: tile % w,
                y: tile / w,
                kinds: on().map(|k| KINDS[k]).collect::<Vec<_>>().join(" and "),
                directions: on().map(|k| directions(shown[k])).collect::<Vec<_>>().join(" and "),
            });
        };
        if river & rail | river & road | rail & road != 0 {
            note("shared-links", [river, rail, road]);
        }
        if exempt.cells()[tile] != 0 {
            continue;
        }
        let goes_on = |d: u32| [3, 4, 5].iter().any(|by| rail >> ((d + by) % 8) & 1 == 1);
        if rail.count_ones() > 2 && !(0..8).filter(|d| rail >> d & 1 == 1).all(goes_on) {
            note("rail-junctions", [0, rail, 0]);
        }
        if crossing.cells()[tile] == NONE {
            continue;
        }
        let (mut beside, mut bends) = (false, false);
        // The lower feature of the two goes over the higher one.
        let lower = if road != 0 { ROAD } else { RAIL };
        dir8::neighbours(w, h, tile % w, tile / w, |d, x, y| {
            let open = exempt[(x, y)] == 0;
            beside |= open && crossing[(x, y)] != NONE;
            let linked = links.at(tile)[lower] >> d.0 & 1 == 1;
            bends |= open
                && linked
                && crossing.cells()[tile] != CROSSROADS
                && !straight(links.at(y * w + x)[lower]);
        });
        if beside {
            note("crossings-apart", [river, rail, road]);
        }
        if bends {
            note("crossing-approach", [river, rail, road]);
        }
    }
    found
}

/// Tiles of a lower feature that run beside a higher one at less than a right angle, except at a crossing of the two.
fn side_by_side((low, high): (usize, usize), links: &Links, exempt: &Grid<u8>) -> Vec<Violation> {
    let (w, h) = links.river.shape();
    let axes = |l: u8| (l | l >> 4) & 15;
    let mut found = Vec::new();
    for tile in (0..w * h).filter(|&t| links.at(t)[low] != 0 && exempt.cells()[t] == 0) {
        let here = links.at(tile)[low];
        let goes_to = |t: usize, l: u8| {
            let mut to = Vec::new();
            dir8::neighbours(w, h, t % w, t / w, |d, x, y| {
                to.extend((l >> d.0 & 1 == 1).then_some(y * w + x))
            });
            to
        };
        let mut crossings = goes_to(tile, here);
        crossings.push(tile);
        crossings.retain(|&t| links.at(t)[low] != 0 && links.at(t)[high] != 0);
        dir8::neighbours(w, h, tile % w, tile / w, |_, x, y| {
            let (other, there) = (y * w + x, links.at(y * w + x)[high]);
            let turned = axes(there.rotate_left(2));
            let right_angle = axes(here) == turned && turned.count_ones() == 1;
            let of_crossing =
                crossings.iter().any(|&c| c == other || goes_to(c, links.at(c)[high]).contains(&other));
            if there != 0 && !right_angle && !of_crossing {
                found.push(Violation {
                    rule: "parallel",
                    x: tile % w,
                    y: tile / w,
                    kinds: format!("{} and {}", KINDS[low], KINDS[high]),
                    directions: format!("{} and {}", directions(here), directions(there)),
                });
            }
        });
    }
    found
}

/// Diagonal links that cross each other between four tiles.
fn leaks(links: &Links) -> Vec<Violation> {
    let (w, h) = links.river.shape();
    let mut found = Vec::new();
    for y in 0..h - 1 {
        for x in 0..w - 1 {
            let (here, east) = (links.at(y * w + x), links.at(y * w + x + 1));
            let down = |l: &[u8; 3], d: Dir8| (0..3).find(|&k| l[k] >> d.0 & 1 == 1);
            if let (Some(a), Some(b)) = (down(&here, Dir8(1)), down(&east, Dir8(3))) {
                found.push(Violation {
                    rule: "diagonal-leak",
                    x,
                    y,
                    kinds: format!("{} and {}", KINDS[a], KINDS[b]),
                    directions: "SE and SW".into(),
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const E_W: u8 = 0b0001_0001;
    const N_S: u8 = 0b0100_0100;

    /// The violations of a map of 12 by 12 tiles of forest with rivers, railroads and roads, tile by tile.
    fn found(lines: [&[(usize, usize, u8)]; 3]) -> Vec<(&'static str, usize, usize)> {
        let grid = |list: &[(usize, usize, u8)]| {
            let mut grid = Grid::filled(12, 12, 0);
            list.iter().for_each(|&(x, y, links)| grid[(x, y)] = links);
            grid
        };
        let [river, rail, road] = lines.map(grid);
        let links = Links { river: &river, rail: &rail, road: &road };
        let (classes, exempt) = (Grid::filled(12, 12, 4), Grid::filled(12, 12, 0));
        let all = violations(&classes, &links, &exempt, &Ctx::default()).unwrap();
        all.into_iter().map(|v| (v.rule, v.x, v.y)).collect()
    }

    fn row(y: usize, links: u8) -> Vec<(usize, usize, u8)> {
        (1..11).map(|x| (x, y, links)).collect()
    }

    #[test]
    fn a_straight_crossing_at_a_right_angle_is_no_violation() {
        let column: Vec<_> = (1..11).map(|y| (5, y, N_S)).collect();
        assert_eq!(found([&row(5, E_W), &[], &column]), []);
        assert_eq!(found([&[], &row(5, E_W), &column]), []);
    }

    #[test]
    fn what_breaks_a_rule_is_reported_with_its_place() {
        // A road on a river, on a railroad on a river, and a road beside a railroad.
        assert_eq!(found([&row(5, E_W), &[], &[(5, 5, E_W)]])[0], ("crossing-angle", 5, 5));
        assert_eq!(found([&[(5, 5, E_W)], &[(5, 5, N_S)], &[(5, 5, N_S)]])[0], ("one-feature", 5, 5));
        let beside = found([&[], &row(5, E_W), &row(6, E_W)]);
        assert!(beside.len() >= 10 && beside.iter().all(|v| v.0 == "parallel"), "{beside:?}");
        // Four railroads, four roads at 45 degrees, four roads at right angles.
        assert_eq!(found([&[], &[(5, 5, E_W | N_S)], &[]]), [("crossing-angle", 5, 5)]);
        assert_eq!(found([&[], &[], &[(5, 5, E_W | 0b0010_0010)]]), [("crossing-angle", 5, 5)]);
        assert_eq!(found([&[], &[], &[(5, 5, E_W | N_S)]]), []);
        // Two diagonals between four tiles.
        let diagonals = [(5, 5, 1 << 1), (6, 6, 1 << 5), (6, 5, 1 << 3), (5, 6, 1 << 7)];
        assert_eq!(found([&[], &[], &diagonals]), [("diagonal-leak", 5, 5)]);
    }

    #[test]
    fn what_is_wrong_around_a_crossing_is_reported() {
        let column = |x: usize| (1..11).map(move |y| (x, y, N_S));
        // Two bridges side by side; a road that bends on the tile after one; a branch line at a right angle; a road on a railroad.
        let two: Vec<_> = column(5).chain(column(6)).collect();
        assert_eq!(found([&row(5, E_W), &[], &two]), [("crossings-apart", 5, 5), ("crossings-apart", 6, 5)]);
        let mut bent: Vec<_> = column(5).collect();
        bent[5] = (5, 6, 0b0100_0010);
        assert!(found([&row(5, E_W), &[], &bent]).contains(&("crossing-approach", 5, 5)));
        assert_eq!(found([&[], &[(5, 5, E_W | 0b0100_0000)], &[]]), [("rail-junctions", 5, 5)]);
        assert_eq!(found([&[], &[(5, 5, E_W | 0b0010_0000)], &[]]), []);
        assert!(found([&[], &row(5, E_W), &[(5, 5, E_W)]]).contains(&("shared-links", 5, 5)));
    }

    #[test]
    fn a_straight_border_names_its_biomes_and_direction() {
        let classes = Grid::from_fn(12, 12, |_, y| if y < 6 { 4 } else { 5 });
        let none = Grid::filled(12, 12, 0);
        let links = Links { river: &none, rail: &none, road: &none };
        let all = violations(&classes, &links, &none, &Ctx::default()).unwrap();
        assert_eq!(all.len(), 10);
        assert_eq!((all[0].rule, all[0].x, all[0].y), ("border-straight", 0, 6));
        assert_eq!((&all[0].kinds[..], &all[0].directions[..]), ("forest and grassland", "E"));
    }
}
