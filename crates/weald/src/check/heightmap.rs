//! Heightmaps made elsewhere: does all their land drain?

use super::{Report, RuleResult, fill};
use crate::error::{Error, Result};
use crate::import;
use serde_json::{Value, json};
use std::path::Path;
use weald_core::{Ctx, Grid, dir8, label};

/// How many places are named of each kind.
const NAMED: usize = 5;
/// A walk whose end is not known yet.
const UNKNOWN: u32 = u32::MAX;
/// The end of a walk that reaches the sea or the border.
const OFF: u32 = u32::MAX - 1;

/// Checks a heightmap made elsewhere, of any format of [`import`]. Land is every cell above `sea_level`, in the
/// unit of the map; grey pictures run from 0 to 1. The others are sea, also inland. Water leaves into the sea and over
/// the border.
///
/// | rule | what is found |
/// | --- | --- |
/// | `sinks` | connected land cells of one height, none on the border, without a lower neighbour |
/// | `depressions` | connected cells below the level of standing water, when every depression is full |
/// | `drains` | land cells whose steepest descent ends on land inside the map |
///
/// Each step of a walk goes to the strictly lower neighbour of the steepest descent: the largest drop, along a diagonal
/// over √2, and of equal ones the first clockwise from east (O'Callaghan and Mark 1984,
/// <https://doi.org/10.1016/S0734-189X(84)80011-0>). It ends well in the sea or on the border.
///
/// A sink lies in a depression, and no cell of it drains; so the report is good exactly if every land cell drains. Flats,
/// that is two or more connected land cells of one height, are only counted: cells of a flat without a path down do not
/// drain. The deepest or largest come first, five at most. The JSON report has the counts under `figures`.
pub fn heightmap(path: &Path, options: &import::ReadOptions) -> Result<Report> {
    let imported = import::read(path, options)?;
    let height = &imported.map;
    if height.is_empty() || height.len() >= OFF as usize {
        return Err(Error::Invalid(format!(
            "{}: {}x{} cells cannot be checked; cut the map",
            path.display(),
            height.width(),
            height.height()
        )));
    }
    let mut report = report(height, options.sea_level.unwrap_or(0.0), imported.numbers)?;
    report.notes.insert(0, format!("read as {}", imported.summary()));
    report.figures["map"] = imported.to_json();
    Ok(report)
}

/// A place on the map, with the number of cells it stands for.
struct Place {
    cell: usize,
    /// Of the water that would stand there.
    depth: Option<f64>,
    cells: usize,
}

impl Place {
    /// What is there; `unit` follows the depth.
    fn text(&self, unit: &str) -> String {
        let deep = self.depth.map_or(String::new(), |d| format!("{}{unit} deep, ", short(d)));
        format!("{deep}{}", count(self.cells, "cell"))
    }

    fn json(&self, width: usize) -> Value {
        let mut out = json!({"x": self.cell % width, "y": self.cell / width, "cells": self.cells});
        if let Some(depth) = self.depth {
            out["depth"] = depth.into();
        }
        out
    }
}

/// Deepest first, then largest, then from the north-west.
fn sorted(mut places: Vec<Place>) -> Vec<Place> {
    let depth = |p: &Place| p.depth.unwrap_or(0.0);
    places
        .sort_by(|a, b| depth(b).total_cmp(&depth(a)).then(b.cells.cmp(&a.cells)).then(a.cell.cmp(&b.cell)));
    places
}

fn report(height: &Grid<f32>, sea_level: f32, numbers: import::Numbers) -> Result<Report> {
    let ctx = Ctx::default();
    let (w, h) = (height.width(), height.height());
    let is_land: Vec<bool> = height.cells().iter().map(|&v| v > sea_level).collect();
    let land = is_land.iter().filter(|&&l| l).count();
    let level = fill::level(height, |i| !is_land[i]);
    let (sinks, flats) = groups(height, &level, &is_land);
    let depressions = depressions(height, &level, &ctx)?;
    let ends = ends(height, &is_land);
    let stuck: usize = ends.iter().map(|e| e.cells).sum();

    let depth_unit = if numbers == import::Numbers::Metres { " m" } else { "" };
    let mut report = Report::default();
    for (name, about, violations, places) in [
        (
            "sinks",
            "no group of connected land cells of one height is lower than all cells around it",
            sinks.len(),
            &sinks,
        ),
        ("depressions", "no cell lies in a depression", depressions.len(), &depressions),
        ("drains", "from every land cell the steepest descent reaches the sea or the border", stuck, &ends),
    ] {
        let mut rule = RuleResult::new(name, about);
        for p in places.iter().take(NAMED) {
            rule.check(false, Some((p.cell % w, p.cell / w)), || p.text(depth_unit));
        }
        (rule.checked, rule.violations) = (land as u64, violations as u64);
        report.rules.push(rule);
    }
    let unit = match numbers {
        import::Numbers::Grey => ", in the map's grey from 0 to 1",
        import::Numbers::Metres => " m",
        import::Numbers::Plain => ", in the unit of the map",
    };
    report.notes.push(format!("{w}x{h} cells, {land} of them land: above {sea_level}{unit}"));
    let share = if land == 0 { 1.0 } else { (land - stuck) as f64 / land as f64 };
    if land == 0 {
        report.notes.push("there is no land above the sea level; use a lower --sea-level".into());
    } else {
        report.notes.push(format!("{} of {land} land cells drain ({:.2} %)", land - stuck, share * 100.0));
    }
    let in_flats = flats.iter().map(|f| f.cells).sum();
    for (what, places) in [
        (count(sinks.len(), "sink"), &sinks),
        (count(depressions.len(), "depression"), &depressions),
        (format!("{} of walks on land", count(ends.len(), "end")), &ends),
        (format!("{} of {}", count(flats.len(), "flat"), count(in_flats, "cell")), &flats),
    ] {
        if !places.is_empty() {
            let named = places.iter().take(NAMED);
            let texts: Vec<_> =
                named.map(|p| format!("({},{}) {}", p.cell % w, p.cell / w, p.text(depth_unit))).collect();
            report.notes.push(format!("{what}: {}", texts.join("; ")));
        }
    }
    let first = |places: &[Place]| places.iter().take(NAMED).map(|p| p.json(w)).collect::<Value>();
    let deepest = depressions.first().and_then(|p| p.depth).unwrap_or(0.0);
    report.figures = json!({
        "width": w, "height": h, "cells": w * h, "sea_level": sea_level, "land": land,
        "drained": land - stuck, "drained_share": share,
        "sinks": {"count": sinks.len(), "first": first(&sinks)},
        "depressions": {"count": depressions.len(), "deepest": deepest, "first": first(&depressions)},
        "ends": {"count": ends.len(), "first": first(&ends)},
        "flats": {"count": flats.len(), "cells": in_flats, "first": first(&flats)},
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

/// Sinks and flats: connected land cells of one height, each by the first of them.
fn groups(height: &Grid<f32>, level: &Grid<f32>, is_land: &[bool]) -> (Vec<Place>, Vec<Place>) {
    let (w, h, ground) = (height.width(), height.height(), height.cells());
    let mut seen = vec![false; ground.len()];
    let (mut sinks, mut flats, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for cell in (0..ground.len()).filter(|&i| is_land[i]) {
        if std::mem::replace(&mut seen[cell], true) {
            continue;
        }
        let (mut cells, mut leaves) = (0, false);
        open.push(cell);
        while let Some(i) = open.pop() {
            cells += 1;
            leaves |= on_border((w, h), i);
            dir8::neighbours(w, h, i % w, i / w, |_, x, y| {
                let n = y * w + x;
                leaves |= ground[n] < ground[i];
                if ground[n] == ground[i] && !std::mem::replace(&mut seen[n], true) {
                    open.push(n);
                }
            });
        }
        if !leaves {
            let depth = f64::from(level.cells()[cell]) - f64::from(ground[cell]);
            sinks.push(Place { cell, depth: Some(depth), cells });
        }
        if cells > 1 {
            flats.push(Place { cell, depth: None, cells });
        }
    }
    (sorted(sinks), sorted(flats))
}

fn on_border((w, h): (usize, usize), i: usize) -> bool {
    let (x, y) = (i % w, i / w);
    x == 0 || y == 0 || x + 1 == w || y + 1 == h
}

/// Connected cells below the level of standing water, each by the deepest of them.
fn depressions(height: &Grid<f32>, level: &Grid<f32>, ctx: &Ctx) -> Result<Vec<Place>> {
    let (w, h) = (height.width(), height.height());
    let depth = |i: usize| f64::from(level.cells()[i]) - f64::from(height.cells()[i]);
    let (labels, regions) = label::regions(w, h, ctx, |i| level.cells()[i] > height.cells()[i])?;
    let mut found = vec![(0, 0.0, 0); regions as usize];
    for (i, &l) in labels.cells().iter().enumerate().filter(|(_, l)| **l > 0) {
        let (cell, deepest, cells) = &mut found[l as usize - 1];
        *cells += 1;
        if depth(i) > *deepest {
            (*cell, *deepest) = (i, depth(i));
        }
    }
    let place = |(cell, depth, cells)| Place { cell, depth: Some(depth), cells };
    Ok(sorted(found.into_iter().map(place).collect()))
}

/// Where steepest descents end on land inside the map, with the number of cells from which they do.
fn ends(height: &Grid<f32>, is_land: &[bool]) -> Vec<Place> {
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
    let arrived = walks.into_iter().enumerate().filter(|w| w.1 > 0);
    sorted(arrived.map(|(cell, cells)| Place { cell, depth: None, cells }).collect())
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

    const PLAIN: import::Numbers = import::Numbers::Plain;

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
            report(&Grid::from_vec(9, 9, (0..81).map(|i| f(i % 9, i / 9)).collect()), 0.0, PLAIN).unwrap()
        };
        let good = of(&cone);
        assert!(good.ok(), "{good}");
        assert_eq!(good.figures["drained_share"], 1.0);
        // The bowl is 1 at the centre and 5 on the border, which drains itself.
        let bad = of(&|x, y| 10.0 - cone(x, y));
        assert_eq!(counts(&bad), [("sinks", 1, 81), ("depressions", 1, 81), ("drains", 49, 81)]);
        assert_eq!(bad.rules[0].first[0].place, Some((4, 4)));
        assert_eq!(bad.figures["depressions"]["deepest"], 4.0);
        assert_eq!(
            bad.figures["depressions"]["first"][0],
            json!({"x": 4, "y": 4, "cells": 49, "depth": 4.0})
        );
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
        assert!(!report(&bowl, 0.0, PLAIN).unwrap().ok());
        let wet = report(&bowl, 1.0, PLAIN).unwrap();
        assert!(wet.ok(), "{wet}");
        assert_eq!(wet.figures["land"], 24);
        assert!(
            report(&bowl, 9.0, PLAIN).unwrap().notes.iter().any(|n| n.contains("use a lower --sea-level"))
        );
    }

    #[test]
    fn a_flat_with_a_way_out_is_no_sink_but_its_inside_does_not_drain() {
        let flat = grid(&[
            &[9.0, 9.0, 9.0, 9.0, 9.0, 9.0],
            &[9.0, 4.0, 4.0, 4.0, 4.0, 2.0],
            &[9.0, 9.0, 9.0, 9.0, 9.0, 9.0],
        ]);
        let found = report(&flat, 0.0, PLAIN).unwrap();
        assert_eq!(counts(&found), [("sinks", 0, 18), ("depressions", 0, 18), ("drains", 3, 18)]);
        assert_eq!(found.figures["flats"]["first"][1], json!({"x": 1, "y": 1, "cells": 4}));
        assert_eq!(found.figures["flats"]["cells"], 17);
        assert!(found.to_string().contains("2 flats of 17 cells: (0,0) 13 cells; (1,1) 4 cells"), "{found}");
    }

    #[test]
    fn the_deepest_and_largest_come_first_and_five_are_named() {
        let mut cells = vec![10.0; 3 * 15];
        (1..8).for_each(|k| cells[15 + 2 * k - 1] = 10.0 - k as f32);
        let found = report(&Grid::from_vec(15, 3, cells), 0.0, PLAIN).unwrap();
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
            let found = report(&height, 1.0, PLAIN).unwrap();
            let stuck = land.iter().filter(|&&i| !drains(&height, 1.0, i)).count();
            prop_assert_eq!(found.rules[2].violations, stuck as u64);
            prop_assert_eq!(found.ok(), stuck == 0, "sinks and depressions are part of it");
            // Each sink is a depression's bottom or lies in one.
            prop_assert!(found.rules[0].violations >= found.rules[1].violations);
        }
    }
}
