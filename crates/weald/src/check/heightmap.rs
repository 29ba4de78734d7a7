//! Heightmaps made elsewhere: does water run off them?

use super::{Report, RuleResult};
use crate::error::{Error, Result};
use crate::import;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::path::Path;
use weald_core::hydro::{self, Sinks};
use weald_core::{Ctx, Grid, dir8, label};

/// How many places are named of each kind.
const NAMED: usize = 5;
/// A walk whose end is not known yet.
const UNKNOWN: u32 = u32::MAX;
/// The end of a walk that reaches the sea or the border.
const OFF: u32 = u32::MAX - 1;

/// Checks a heightmap made elsewhere, of any format of [`import::map`]. Land is every cell above `sea_level`, in the
/// unit of the map; grey pictures run from 0 to 1. The others are sea, also inland. Water leaves into the sea and over
/// the border.
///
/// | rule | what is found |
/// | --- | --- |
/// | `sinks` | connected land cells of one height, none on the border, without a lower neighbour |
/// | `hollows` | connected cells below the level of standing water, when every hollow is full |
/// | `drains` | land cells whose walk down the steepest way ends on land inside the map |
///
/// Each step of a walk goes to the strictly lower neighbour of the steepest descent: the largest drop, along a diagonal
/// over √2, and of equal ones the first clockwise from east. It ends well in the sea or on the border.
///
/// A sink lies in a hollow, and no cell of it drains; so the report is good exactly if every land cell drains. Flats,
/// that is two or more connected land cells of one height, are only counted: cells of theirs without a way down do not
/// drain. The deepest or largest come first, five at most. The JSON report has the counts under `figures`.
pub fn heightmap(path: &Path, sea_level: f32) -> Result<Report> {
    let height = import::map(path)?;
    let bad = |message: String| Error::Invalid(format!("{}: {message}", path.display()));
    if let Some(i) = height.cells().iter().position(|h| !h.is_finite()) {
        let (x, y) = (i % height.width(), i / height.width());
        let found = height.cells()[i];
        return Err(bad(format!(
            "x={x}, y={y} is {found}; give every cell a height, cells without data one below the sea"
        )));
    }
    if height.is_empty() || height.len() >= OFF as usize {
        return Err(bad(format!(
            "{}x{} cells cannot be checked; cut the map",
            height.width(),
            height.height()
        )));
    }
    report(&height, sea_level)
}

fn report(height: &Grid<f32>, sea_level: f32) -> Result<Report> {
    let ctx = Ctx::default();
    let (w, h) = (height.width(), height.height());
    let at = |i: usize| (i % w, i / w);
    let is_land: Vec<bool> = height.cells().iter().map(|&v| v > sea_level).collect();
    let land = is_land.iter().filter(|&&l| l).count();
    let sea = Grid::from_vec(w, h, is_land.iter().map(|&l| u8::from(!l)).collect());
    let level = hydro::fill(height, Sinks::BorderAnd(&sea), &ctx)?;
    let depth = |i: usize| f64::from(level.cells()[i]) - f64::from(height.cells()[i]);

    let groups = Groups::of(height, &is_land);
    let mut sinks: Vec<(usize, f64, usize)> =
        groups.sinks.iter().map(|&(i, cells)| (i, depth(i), cells)).collect();
    sinks.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let hollows = hollows(height, &level, &ctx)?;
    let stops = stops(height, &is_land);
    let stuck: usize = stops.iter().map(|s| s.1).sum();

    let mut report = Report::default();
    let places = |list: &[(usize, f64, usize)]| {
        let place = |&(i, deep, cells): &(usize, f64, usize)| {
            (at(i), format!("{} deep, {}", short(deep), count(cells, "cell")))
        };
        list.iter().take(NAMED).map(place).collect::<Vec<_>>()
    };
    let (of_sinks, of_hollows) = (places(&sinks), places(&hollows));
    let by_size = |list: &[(usize, usize)]| {
        list.iter().take(NAMED).map(|&(i, cells)| (at(i), count(cells, "cell"))).collect::<Vec<_>>()
    };
    let (of_stops, of_flats) = (by_size(&stops), by_size(&groups.flats));
    for (rule, about, violations, named) in [
        ("sinks", "no group of land cells of one height lies below all around it", sinks.len(), &of_sinks),
        ("hollows", "no water stands on the land", hollows.len(), &of_hollows),
        (
            "drains",
            "from every land cell the steepest way down reaches the sea or the border",
            stuck,
            &of_stops,
        ),
    ] {
        let mut result = RuleResult::new(rule, about);
        named.iter().for_each(|(place, what)| result.check(false, Some(*place), || what.clone()));
        (result.checked, result.violations) = (land as u64, violations as u64);
        report.rules.push(result);
    }
    let share = if land == 0 { 1.0 } else { (land - stuck) as f64 / land as f64 };
    let in_flats: usize = groups.flats.iter().map(|f| f.1).sum();
    let grey = height.cells().iter().all(|v| (0.0..=1.0).contains(v));
    let unit = if grey { ", in the map's grey from 0 to 1" } else { "" };
    report.notes.push(format!("{w}x{h} cells, {land} of them land: above {sea_level}{unit}"));
    if land == 0 {
        report.notes.push("without land there is nothing to drain; give a lower sea level".into());
    }
    report.notes.push(format!("{} of {land} land cells drain ({:.2} %)", land - stuck, share * 100.0));
    for (what, named) in [("sinks", &of_sinks), ("hollows", &of_hollows), ("walks end on land", &of_stops)] {
        if !named.is_empty() {
            report.notes.push(format!("{what}: {}", list(named)));
        }
    }
    if !of_flats.is_empty() {
        let (groups, cells) = (count(groups.flats.len(), "flat"), count(in_flats, "cell"));
        report.notes.push(format!("{groups} of {cells}: {}", list(&of_flats)));
    }
    let deep = |list: &[(usize, f64, usize)]| -> Value {
        let place = |&(i, depth, cells): &(usize, f64, usize)| json!({"x": i % w, "y": i / w, "depth": depth, "cells": cells});
        list.iter().take(NAMED).map(place).collect()
    };
    let wide = |list: &[(usize, usize)]| -> Value {
        list.iter().take(NAMED).map(|&(i, cells)| json!({"x": i % w, "y": i / w, "cells": cells})).collect()
    };
    report.figures = json!({
        "width": w, "height": h, "cells": w * h, "sea_level": sea_level, "land": land,
        "drained": land - stuck, "drained_share": share,
        "sinks": {"count": sinks.len(), "first": deep(&sinks)},
        "hollows": {"count": hollows.len(), "deepest": hollows.first().map_or(0.0, |h| h.1), "first": deep(&hollows)},
        "flats": {"count": groups.flats.len(), "cells": in_flats, "first": wide(&groups.flats)},
        "ends": {"count": stops.len(), "first": wide(&stops)},
    });
    Ok(report)
}

/// A number to six digits after the point, without zeros at its end.
fn short(v: f64) -> String {
    ((v * 1e6).round() / 1e6).to_string()
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn list(named: &[((usize, usize), String)]) -> String {
    let texts: Vec<String> = named.iter().map(|((x, y), what)| format!("({x},{y}) {what}")).collect();
    texts.join("; ")
}

/// Connected land cells of one height: the first of them and how many they are.
struct Groups {
    /// Without a lower neighbour and off the border.
    sinks: Vec<(usize, usize)>,
    /// Those of two or more, largest first.
    flats: Vec<(usize, usize)>,
}

impl Groups {
    fn of(height: &Grid<f32>, is_land: &[bool]) -> Self {
        let (w, h, cells) = (height.width(), height.height(), height.cells());
        let mut seen = vec![false; cells.len()];
        let mut out = Self { sinks: Vec::new(), flats: Vec::new() };
        let mut open = Vec::new();
        for first in (0..cells.len()).filter(|&i| is_land[i]) {
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            let (mut size, mut leaves) = (0, false);
            open.push(first);
            while let Some(i) = open.pop() {
                size += 1;
                leaves |= on_border((w, h), i);
                dir8::neighbours(w, h, i % w, i / w, |_, x, y| {
                    let n = y * w + x;
                    leaves |= cells[n] < cells[i];
                    if cells[n] == cells[i] && !std::mem::replace(&mut seen[n], true) {
                        open.push(n);
                    }
                });
            }
            if !leaves {
                out.sinks.push((first, size));
            }
            if size > 1 {
                out.flats.push((first, size));
            }
        }
        out.flats.sort_by_key(|&(i, size)| (Reverse(size), i));
        out
    }
}

fn on_border((w, h): (usize, usize), i: usize) -> bool {
    let (x, y) = (i % w, i / w);
    x == 0 || y == 0 || x + 1 == w || y + 1 == h
}

/// Connected cells below the level of standing water: the deepest of them, its depth and how many they are, deepest
/// first.
fn hollows(height: &Grid<f32>, level: &Grid<f32>, ctx: &Ctx) -> Result<Vec<(usize, f64, usize)>> {
    let (w, h) = (height.width(), height.height());
    let depth = |i: usize| f64::from(level.cells()[i]) - f64::from(height.cells()[i]);
    let (labels, regions) = label::regions(w, h, ctx, |i| level.cells()[i] > height.cells()[i])?;
    let mut out = vec![(0, 0.0, 0); regions as usize];
    for (i, &l) in labels.cells().iter().enumerate().filter(|(_, l)| **l > 0) {
        let hollow = &mut out[l as usize - 1];
        hollow.2 += 1;
        if depth(i) > hollow.1 {
            (hollow.0, hollow.1) = (i, depth(i));
        }
    }
    out.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(out)
}

/// Where walks down the steepest way end on land inside the map, and those of how many cells, most first.
fn stops(height: &Grid<f32>, is_land: &[bool]) -> Vec<(usize, usize)> {
    let (w, h) = (height.width(), height.height());
    let off = |i: usize| !is_land[i] || on_border((w, h), i);
    let mut end: Vec<u32> = (0..is_land.len()).map(|i| if off(i) { OFF } else { UNKNOWN }).collect();
    let mut way = Vec::new();
    for start in 0..end.len() {
        let mut i = start;
        while end[i] == UNKNOWN {
            way.push(i);
            match steepest(height, i) {
                Some(n) => i = n,
                None => end[i] = i as u32,
            }
        }
        let known = end[i];
        way.drain(..).for_each(|i| end[i] = known);
    }
    let mut walks = vec![0; end.len()];
    end.iter().filter(|&&e| e != OFF).for_each(|&e| walks[e as usize] += 1);
    let mut out: Vec<(usize, usize)> = walks.into_iter().enumerate().filter(|s| s.1 > 0).collect();
    out.sort_by_key(|&(i, cells)| (Reverse(cells), i));
    out
}

/// The strictly lower neighbour of the steepest descent.
fn steepest(height: &Grid<f32>, i: usize) -> Option<usize> {
    let (w, h) = (height.width(), height.height());
    let (here, mut best) = (f64::from(height.cells()[i]), (0.0, None));
    dir8::neighbours(w, h, i % w, i / w, |d, x, y| {
        let drop = here - f64::from(height[(x, y)]);
        let slope = if d.is_diagonal() { drop * std::f64::consts::FRAC_1_SQRT_2 } else { drop };
        if slope > best.0 {
            best = (slope, Some(y * w + x));
        }
    });
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grid(rows: &[&[f32]]) -> Grid<f32> {
        Grid::from_vec(rows[0].len(), rows.len(), rows.concat())
    }

    fn counts(report: &Report) -> Vec<(&'static str, u64, u64)> {
        report.rules.iter().map(|r| (r.rule, r.violations, r.checked)).collect()
    }

    #[test]
    fn a_cone_drains_and_a_bowl_does_not() {
        let cone = |x: usize, y: usize| 9.0 - (x.abs_diff(4).max(y.abs_diff(4))) as f32;
        let of = |f: &dyn Fn(usize, usize) -> f32| {
            report(&Grid::from_vec(9, 9, (0..81).map(|i| f(i % 9, i / 9)).collect()), 0.0).unwrap()
        };
        let good = of(&cone);
        assert!(good.ok(), "{good}");
        assert_eq!(good.figures["drained_share"], 1.0);
        // The bowl is 1 in the middle and 5 on the border, which drains itself.
        let bad = of(&|x, y| 10.0 - cone(x, y));
        assert_eq!(counts(&bad), [("sinks", 1, 81), ("hollows", 1, 81), ("drains", 49, 81)]);
        assert_eq!(bad.rules[0].first[0].place, Some((4, 4)));
        assert_eq!(bad.figures["hollows"]["deepest"], 4.0);
        assert_eq!(bad.figures["hollows"]["first"][0], json!({"x": 4, "y": 4, "depth": 4.0, "cells": 49}));
        assert_eq!(bad.figures["ends"]["first"][0], json!({"x": 4, "y": 4, "cells": 49}));
    }

    #[test]
    fn the_sea_drains_a_bowl_that_reaches_below_it() {
        let bowl = grid(&[
            &[5.0, 5.0, 5.0, 5.0, 5.0],
            &[5.0, 3.0, 3.5, 3.0, 5.0],
            &[5.0, 3.5, 1.0, 3.5, 5.0],
            &[5.0, 3.0, 3.5, 3.0, 5.0],
            &[5.0, 5.0, 5.0, 5.0, 5.0],
        ]);
        assert!(!report(&bowl, 0.0).unwrap().ok());
        let wet = report(&bowl, 1.0).unwrap();
        assert!(wet.ok(), "{wet}");
        assert_eq!(wet.figures["land"], 24);
        assert!(report(&bowl, 9.0).unwrap().notes.iter().any(|n| n.contains("lower sea level")));
    }

    #[test]
    fn a_flat_with_a_way_out_is_no_sink_but_its_inside_does_not_drain() {
        let flat = grid(&[
            &[9.0, 9.0, 9.0, 9.0, 9.0, 9.0],
            &[9.0, 4.0, 4.0, 4.0, 4.0, 2.0],
            &[9.0, 9.0, 9.0, 9.0, 9.0, 9.0],
        ]);
        let found = report(&flat, 0.0).unwrap();
        assert_eq!(counts(&found), [("sinks", 0, 18), ("hollows", 0, 18), ("drains", 3, 18)]);
        assert_eq!(found.figures["flats"]["first"][1], json!({"x": 1, "y": 1, "cells": 4}));
        assert_eq!(found.figures["flats"]["cells"], 17);
        assert!(found.to_string().contains("2 flats of 17 cells: (0,0) 13 cells; (1,1) 4 cells"), "{found}");
    }

    #[test]
    fn the_deepest_and_largest_come_first_and_five_are_named() {
        let mut cells = vec![10.0; 3 * 15];
        (1..8).for_each(|k| cells[15 + 2 * k - 1] = 10.0 - k as f32);
        let found = report(&Grid::from_vec(15, 3, cells), 0.0).unwrap();
        assert_eq!(found.rules[0].violations, 7);
        let places: Vec<_> = found.rules[0].first.iter().map(|v| v.place.unwrap().0).collect();
        assert_eq!(places, [13, 11, 9, 7, 5]);
        assert_eq!(found.figures["sinks"]["first"].as_array().unwrap().len(), 5);
    }

    /// Walks from each cell alone.
    fn drains(height: &Grid<f32>, sea: f32, mut i: usize) -> bool {
        let (w, h) = (height.width(), height.height());
        loop {
            let (x, y) = (i % w, i / w);
            if height.cells()[i] <= sea || x == 0 || y == 0 || x + 1 == w || y + 1 == h {
                return true;
            }
            let mut ways = Vec::new();
            dir8::neighbours(w, h, x, y, |d, x, y| {
                let long = if d.is_diagonal() { 2f64.sqrt() } else { 1.0 };
                ways.push((f64::from(height.cells()[i] - height[(x, y)]) / long, y * w + x));
            });
            let most = ways.iter().map(|p| p.0).fold(0.0, f64::max);
            match ways.iter().find(|p| p.0 == most && most > 0.0) {
                Some(p) => i = p.1,
                None => return false,
            }
        }
    }

    proptest! {
        #[test]
        fn cells_that_drain_are_those_whose_own_walk_arrives(w in 1usize..10, h in 1usize..10, seed: [u8; 81]) {
            let height = Grid::from_vec(w, h, (0..w * h).map(|i| f32::from(seed[i] % 9)).collect());
            let land: Vec<usize> = (0..w * h).filter(|&i| height.cells()[i] > 1.0).collect();
            let found = report(&height, 1.0).unwrap();
            let stuck = land.iter().filter(|&&i| !drains(&height, 1.0, i)).count();
            prop_assert_eq!(found.rules[2].violations, stuck as u64);
            prop_assert_eq!(found.ok(), stuck == 0, "sinks and hollows are part of it");
            // Each sink is a hollow's bottom or lies in one.
            prop_assert!(found.rules[0].violations >= found.rules[1].violations);
        }
    }
}
