//! The document's validation pass: what shares a tile, and whether it may.

use crate::catalogue::{Class, classes};
use serde_json::{Value, json};
use weald_core::region::{self, RunKind};
use weald_core::{Dir8, Grid};

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

impl Links<'_> {
    fn at(&self, tile: usize) -> [u8; 3] {
        [self.river.cells()[tile], self.rail.cells()[tile], self.road.cells()[tile]]
    }
}

/// The crossings of all tiles.
pub fn crossings(links: &Links) -> Grid<u8> {
    let (w, h) = links.river.shape();
    Grid::from_fn(w, h, |x, y| match links.at(y * w + x) {
        [river, _, road] if river != 0 && road != 0 => BRIDGE,
        [river, rail, _] if river != 0 && rail != 0 => RAIL_BRIDGE,
        [_, rail, road] if rail != 0 && road != 0 => RAIL_CROSSING,
        [0, 0, road] if road.count_ones() >= 4 => CROSSROADS,
        _ => NONE,
    })
}

/// Names of the directions of links.
fn directions(links: u8) -> String {
    let on: Vec<&str> = (0..8).filter(|d| links >> d & 1 == 1).map(|d| Dir8::NAMES[d]).collect();
    on.join(" ")
}

/// All violations of the rules of borders and of tiles that several features share, outside tiles that are `exempt`. Reach: 4 tiles.
pub fn violations(classes: &Grid<u8>, links: &Links, exempt: &Grid<u8>) -> Vec<Violation> {
    let w = classes.width();
    let mut found: Vec<Violation> = region::straight_runs(classes)
        .into_iter()
        .map(|run| Violation {
            rule: if run.kind == RunKind::Straight { "border-straight" } else { "border-staircase" },
            x: run.x.min(w - 1),
            y: run.y.min(classes.height() - 1),
            kinds: String::new(),
            directions: String::new(),
        })
        .collect();
    for tile in (0..classes.len()).filter(|&t| exempt.cells()[t] == 0) {
        let here = links.at(tile);
        let on: Vec<usize> = (0..3).filter(|&k| here[k] != 0).collect();
        let straight = |k: usize| here[k].count_ones() == 2 && here[k].rotate_left(4) == here[k];
        let right_angle = |a: usize, b: usize| here[a].rotate_left(2) == here[b];
        let rule = match on[..] {
            [] | [_] => continue,
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
    found.extend(leaks(links));
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
