//! Borders between biomes, along the edges of tiles: they wander, and no region is a speck.

use super::Rule;
use super::codes::biome;
use super::tiles::Realm;
use crate::check::RuleResult;
use crate::error::Result;

/// The most edges of a border in a straight row.
const STRAIGHT: usize = 2;
/// Edges of a staircase of three tiles.
const STAIRS: usize = 6;
/// The least tiles of a region.
const LEAST: usize = 4;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "border-straight",
        about: "no three edges between tiles of different biomes follow each other in a straight row",
        needs: &["biome"],
        run: straight,
    },
    Rule {
        name: "border-staircase",
        about: "no six edges between tiles of different biomes follow each other by turns one along x and one along y, always in \
                the same two directions",
        needs: &["biome"],
        run: staircase,
    },
    Rule {
        name: "specks",
        about: "each region of one biome, connected along edges, has at least 4 tiles",
        needs: &["biome"],
        run: specks,
    },
];

fn straight(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (w, h) = (realm.width, realm.height);
    for x in 1..w {
        row(realm, rule, (0..h).map(|y| (y * w + x - 1, y * w + x)), "N-S");
    }
    for y in 1..h {
        row(realm, rule, (0..w).map(|x| ((y - 1) * w + x, y * w + x)), "E-W");
    }
    Ok(())
}

/// Checks every run of border edges along one line of the grid. Each edge is given by the tiles on its two sides.
fn row(realm: &Realm, rule: &mut RuleResult, edges: impl Iterator<Item = (usize, usize)>, going: &str) {
    let class = realm.bytes("biome").cells();
    let mut run: Vec<(usize, usize)> = Vec::new();
    let mut end = |run: &mut Vec<(usize, usize)>| {
        if let (Some(&(a, b)), Some(&(last, _))) = (run.first(), run.last()) {
            rule.check(run.len() <= STRAIGHT, realm.at(a), || {
                format!(
                    "the border of {} and {} goes straight {going} for {} tiles, from {} to {}; at most {STRAIGHT} are allowed",
                    biome(class[a]),
                    biome(class[b]),
                    run.len(),
                    realm.place(a),
                    realm.place(last)
                )
            });
        }
        run.clear();
    };
    for (a, b) in edges {
        if class[a] != class[b] {
            run.push((a, b));
        } else {
            end(&mut run);
        }
    }
    end(&mut run);
}

fn staircase(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (w, h) = (realm.width, realm.height);
    for (x, y) in (0..=h).flat_map(|y| (0..=w).map(move |x| (x, y))) {
        for (south, along_x) in [(true, true), (true, false), (false, true), (false, false)] {
            let steps = stairs(realm, (x, y), south, along_x);
            if steps == 0 {
                continue;
            }
            let tile = (x.min(w - 1), y.min(h - 1));
            rule.check(steps < STAIRS, Some(tile), || {
                let class = realm.bytes("biome").cells();
                let far = if south { "S" } else { "N" };
                let (first, second) = if along_x { ("E", far) } else { (far, "E") };
                format!(
                    "the border of {} at ({}, {}) is a staircase of three tiles: from the north-western corner of the tile it \
                     goes {first} and {second} by turns",
                    biome(class[tile.1 * w + tile.0]),
                    tile.0,
                    tile.1
                )
            });
        }
    }
    Ok(())
}

/// How many border edges follow each other from a corner of the tiles, by turns one to the east and one to the south or north; at
/// most [`STAIRS`].
fn stairs(realm: &Realm, (mut x, mut y): (usize, usize), south: bool, mut along_x: bool) -> usize {
    let (w, h) = (realm.width, realm.height);
    let class = realm.bytes("biome").cells();
    for steps in 0..STAIRS {
        let border = match (along_x, south) {
            (true, _) => y > 0 && y < h && x < w && class[(y - 1) * w + x] != class[y * w + x],
            (false, true) => x > 0 && x < w && y < h && class[y * w + x - 1] != class[y * w + x],
            (false, false) => x > 0 && x < w && y > 0 && class[(y - 1) * w + x - 1] != class[(y - 1) * w + x],
        };
        if !border {
            return steps;
        }
        match (along_x, south) {
            (true, _) => x += 1,
            (false, true) => y += 1,
            (false, false) => y -= 1,
        }
        along_x = !along_x;
    }
    STAIRS
}

fn specks(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (regions, class) = (realm.regions(), realm.bytes("biome").cells());
    for (&first, &tiles) in regions.first.iter().zip(&regions.tiles) {
        rule.check(tiles >= LEAST, realm.at(first), || {
            format!(
                "the region of {} at {} has {tiles} tiles, less than {LEAST}",
                biome(class[first]),
                realm.place(first)
            )
        });
    }
    Ok(())
}
