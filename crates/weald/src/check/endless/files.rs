//! What the manifest states about lines, points and shares.

use super::Rule;
use super::names::{FEATURES, MINES, TERRAINS};
use super::window::Window;
use crate::check::rule::Checked;
use crate::check::{RuleResult, map};
use crate::error::Result;
use serde_json::Value;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "line-files",
        about: "the files of lines and points are there and hold as many as the manifest says",
        needs: &[],
        run: line_files,
    },
    Rule {
        name: "stats",
        about: "the figures of the manifest are those of the layers and files",
        needs: &[],
        run: stats,
    },
];

fn line_files(w: &Window, rule: &mut RuleResult) -> Result<()> {
    map::shape_files(&w.manifest, |name| w.count(name), rule);
    Ok(())
}

/// Whether a stated number is the one that was found.
fn same(rule: &mut RuleResult, what: &str, stated: &Value, found: f64) {
    let good = stated.as_f64().is_some_and(|v| (v - found).abs() < 1e-9);
    rule.check(good, None, || format!("{what} is {found}, the manifest says {stated}"));
}

fn stats(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let stats = &w.manifest["stats"];
    let cells = (w.columns * w.rows) as f64;
    for (key, at) in [(0, w.p.at.x), (1, w.p.at.y)] {
        same(rule, "north_west", &stats["north_west"][key], at as f64);
    }
    for (key, layer) in [("terrain_share", "terrain"), ("surface_share", "surface"), ("features", "feature")]
    {
        let codes = w.codes(layer);
        let names: &[&str] = if layer == "feature" { &FEATURES } else { &TERRAINS };
        let whole = if layer == "feature" { 1.0 } else { cells };
        let mut count = [0u64; 256];
        codes.iter().for_each(|&c| count[usize::from(c)] += 1);
        for (code, name) in names.iter().enumerate().filter(|(_, n)| **n != "none" && !codes.is_empty()) {
            same(rule, &format!("{key}.{name}"), &stats[key][name], count[code] as f64 / whole);
        }
    }
    if w.has("streams.geojson") {
        for end in ["lake", "hollow", "limit"] {
            let count = w.shapes("streams").iter().filter(|s| s.word("end") == end).count();
            same(rule, &format!("streams.{end}"), &stats["streams"][end], count as f64);
        }
    }
    for file in ["roads", "buildings"] {
        if w.has(&format!("{file}.geojson")) {
            same(rule, file, &stats[file], w.shapes(file).len() as f64);
        }
    }
    if w.has("tree") {
        let trees = w.codes("tree").iter().filter(|&&t| t > 0).count();
        same(rule, "trees", &stats["trees"], trees as f64);
    }
    mines(w, rule, stats);
    let share = |yes: usize| yes as f64 / cells;
    if w.has("cavern_floor") && w.has("cavern_roof") {
        let pairs = w.floats("cavern_floor").iter().zip(w.floats("cavern_roof"));
        let open = share(pairs.filter(|(floor, roof)| roof > floor).count());
        same(rule, "cavern_open_share", &stats["cavern_open_share"], open);
    }
    if w.has("sky_top") && w.has("sky_underside") {
        let pairs = w.floats("sky_top").iter().zip(w.floats("sky_underside"));
        let island = share(pairs.filter(|(top, under)| top > under).count());
        same(rule, "sky_island_share", &stats["sky_island_share"], island);
    }
    Ok(())
}

/// The shares of the first level of the mines.
fn mines(w: &Window, rule: &mut RuleResult, stats: &Value) {
    let layer = w.codes("mine_1");
    for (code, name) in MINES.iter().enumerate().filter(|_| !layer.is_empty()) {
        let count = layer.iter().filter(|&&c| usize::from(c) == code).count();
        let share = count as f64 / layer.len() as f64;
        same(rule, &format!("mines_share.{name}"), &stats["mines_share"][name], share);
    }
}
