//! For every rule a folder that breaks it, and nothing else that could be kept.

use super::naive::{SIDE, around, on_border};
use super::{RIVER, Sample, cell_of, centre};
use crate::check::city::RULES;
use serde_json::Value;
use std::collections::BTreeSet;

type Break = (&'static [&'static str], fn(&mut Sample));

fn twice(v: &mut Value) {
    *v = (v.as_f64().unwrap() * 2.0).into();
}

fn levels(river: &mut Value) -> &mut Vec<Value> {
    river["properties"]["level_m"].as_array_mut().unwrap()
}

/// Changes the area of one cell without a river so that `rule` alone fails. `change` gives the new area from (cell,
/// area, what neighbours can give it with itself, the most that a neighbour drains which is no higher).
fn other_area(s: &mut Sample, rule: &str, change: impl Fn(usize, u32, u32, u32) -> Option<u32>) {
    let (level, area) = (s.level(), s.wholes("flow_accumulation").to_vec());
    for i in (0..SIDE * SIDE).filter(|&i| area[i] < RIVER) {
        let give = |n: usize| area[n] < area[i] && level[n] >= level[i];
        let most = 1 + around(i).into_iter().filter(|n| give(n.0)).map(|n| area[n.0]).sum::<u32>();
        let takes = around(i).into_iter().filter(|n| level[n.0] <= level[i]).map(|n| area[n.0]).max();
        let Some(new) = change(i, area[i], most, takes.unwrap_or(0)).filter(|&v| v < RIVER - 1) else {
            continue;
        };
        s.wholes("flow_accumulation")[i] = new;
        if s.failing() == [rule] {
            return;
        }
        s.wholes("flow_accumulation")[i] = area[i];
    }
    panic!("no cell breaks {rule} alone");
}

const FILES: &[Break] = &[
    (&["city-frame"], |s| s.frame["origin"][0] = 1.into()),
    (&["city-frame", "heightmap-told", "worldmap-told"], |s| s.params["map"]["size_m"] = 14000.into()),
    (&["city-layers"], |s| s.layers[8].1 = "m2"),
    (&["city-layers"], |s| s.layers.swap(0, 1)),
    (&["line-files"], |s| s.manifest = |m| m["lines"][0]["count"] = 99.into()),
    (&["line-files"], |s| s.stats["rivers"] = 99.into()),
    (&["line-files"], |s| s.manifest = |m| m["files"][0]["file"] = "none.png".into()),
    (&["numbers"], |s| s.floats("eroded")[SIDE * SIDE - 1] = -0.0),
];

const GROUND: &[Break] = &[
    (&["zones"], |s| s.floats("zones")[0] = 1.5),
    (&["zone-coverage"], |s| s.params["zones"]["coverage"] = 0.701.into()),
    (&["slope"], |s| {
        let cell = &mut s.floats("slope")[100];
        *cell = cell.next_up();
    }),
    (&["buildable"], |s| {
        let weald_core::AnyGrid::U8(classes) = &mut s.layers[4].2 else { panic!() };
        let of = |c: u8| classes.cells().iter().position(|&k| k == c).unwrap();
        let (a, b) = (of(2), of(1));
        classes.cells_mut().swap(a, b);
    }),
    (&["shares"], |s| twice(&mut s.stats["near"])),
    (&["shares"], |s| s.stats["coverage"] = 0.69.into()),
    (&["slope-figures"], |s| twice(&mut s.stats["slopes"]["median"])),
    (&["slope-figures"], |s| twice(&mut s.stats["slopes"]["steepest"])),
    (&["slope-figures"], |s| s.stats["relief_m"] = Value::Null),
    (&["buildable-before"], |s| s.stats["buildable_after_ridges"] = 0.41.into()),
    (&["goal"], |s| {
        let asked = &mut s.params["goal"]["buildable_share"];
        *asked = (asked.as_f64().unwrap() - 0.011).into();
    }),
    (&["goal"], |s| s.stats["goal"]["reached"] = 0.6123.into()),
];

const EROSION: &[Break] = &[
    (&["erosion-signs"], |s| {
        s.floats("eroded")[30 * SIDE] = -0.001;
        s.floats("deposited")[30 * SIDE] = -0.001;
    }),
    (&["erosion-height"], |s| s.floats("eroded")[5] += 0.01),
    (&["erosion-height"], |s| s.floats("uplift")[5] += 0.01),
    (&["mass"], |s| twice(&mut s.stats["mass_balance"]["uplift_m3"])),
    (&["mass"], |s| twice(&mut s.stats["mass_balance"]["exported_m3"])),
    (&["mass"], |s| {
        ["eroded_m3", "deposited_m3", "exported_m3"]
            .iter()
            .for_each(|k| twice(&mut s.stats["mass_balance"][k]));
    }),
    (&["spikes-pits"], |s| s.stats["spikes"] = 1.into()),
];

const FLOW: &[Break] = &[
    (&["flow-accumulation"], |s| {
        other_area(s, "flow-accumulation", |_, area, _, _| (area == 1).then_some(0))
    }),
    (&["flow-goes-on"], |s| {
        let inside = |i: usize, takes: u32, most: u32| !on_border(i) && takes <= most;
        other_area(s, "flow-goes-on", |i, _, most, takes| inside(i, takes, most).then_some(takes));
    }),
    (&["flow-gathers"], |s| {
        other_area(s, "flow-gathers", |_, _, most, takes| (takes > most + 1).then_some(most + 1));
    }),
    (&["flow-accumulation", "flow-outlets"], |s| {
        let corner = &mut s.wholes("flow_accumulation")[0];
        assert_eq!(std::mem::take(corner), 1);
    }),
];

const LAKES: &[Break] = &[
    (&["lake-numbers"], |s| s.lakes[0]["id"] = 5.into()),
    (&["lake-water", "lake-level", "lake-figures", "water"], |s| s.wholes("lake_id")[5 * SIDE + 5] = 1),
    (&["lake-level"], |s| {
        let level = &mut s.lakes[0]["properties"]["level_m"];
        *level = (level.as_f64().unwrap() + 0.01).into();
    }),
    (&["lake-outlet"], |s| {
        let i = cell_of(&s.lakes[0]);
        s.lakes[0]["geometry"]["coordinates"] = centre(i + SIDE);
    }),
    (&["lake-outlet"], |s| {
        let (level, lake) = (s.level(), s.wholes("lake_id").to_vec());
        let kept = |i: usize| around(i).iter().all(|n| lake[n.0] == 1 || level[n.0] > level[i]);
        let i = (0..lake.len()).find(|&i| lake[i] == 1 && kept(i)).unwrap();
        s.lakes[0]["geometry"]["coordinates"] = centre(i);
    }),
    (&["lake-whole", "lake-figures"], |s| {
        let i = s.wholes("lake_id").iter().position(|&l| l == 1).unwrap();
        s.wholes("lake_id")[i] = 0;
    }),
    (&["lake-complete"], |s| s.params["water"]["lake_min_area_m2"] = 5e5.into()),
    (&["line-files", "lake-complete", "lake-figures", "water", "water-sources"], |s| {
        s.lakes.clear();
        s.wholes("lake_id").fill(0);
    }),
    (&["lake-figures"], |s| twice(&mut s.lakes[0]["properties"]["depth_m"])),
    (&["lake-figures"], |s| twice(&mut s.stats["lakes"]["share"])),
];

/// What a deep slot along a river breaks besides the rule of its bed.
const SLOT: &[&str] = &[
    "slope",
    "slope-figures",
    "erosion-height",
    "flow-goes-on",
    "flow-gathers",
    "flow-outlets",
    "lake-water",
    "lake-level",
    "lake-outlet",
    "lake-figures",
    "river-level",
    "river-bed",
    "great-rivers",
    "sea",
    "water-sources",
    "heightmap",
];

const RIVERS: &[Break] = &[
    (&["river-order"], |s| s.rivers[1]["id"] = 7.into()),
    (&["river-cells"], |s| {
        let last = levels(&mut s.rivers[0]).last().unwrap().clone();
        levels(&mut s.rivers[0]).push(last);
    }),
    (&["flow-goes-on", "flow-gathers", "river-grows"], |s| {
        let coordinates = s.rivers[0]["geometry"]["coordinates"].clone();
        let at = |k: usize| cell_of(&serde_json::json!({"geometry": {"coordinates": coordinates[k]}}));
        let (here, next) = (at(3), at(4));
        let area = s.wholes("flow_accumulation");
        area[here] = area[next];
    }),
    (&["river-falls"], |s| {
        let levels = levels(&mut s.rivers[0]);
        let even = levels.windows(2).position(|p| p[0] == p[1]).expect("it passes the lake");
        levels[even + 1] = (levels[even + 1].as_f64().unwrap() + 1e-4).into();
    }),
    (&["river-level"], |s| {
        levels(&mut s.rivers[0]).iter_mut().for_each(|l| *l = (l.as_f64().unwrap() + 0.01).into());
    }),
    (&["river-mouth", "great-rivers"], |s| {
        let tributary = s.rivers.iter().position(|r| !r["properties"]["parent"].is_null()).unwrap();
        s.rivers[tributary]["properties"]["parent"] = 99.into();
    }),
    (&["river-mouth", "great-rivers"], |s| {
        let tributary = s.rivers.iter().position(|r| !r["properties"]["parent"].is_null()).unwrap();
        s.rivers[tributary]["properties"]["parent"] = "none".into();
    }),
    (&["river-falls", "river-mouth", "river-crossing", "water", "great-rivers"], |s| {
        // A small one from one side to the other of a diagonal step.
        let line = s.rivers.iter().flat_map(|r| r["geometry"]["coordinates"].as_array().unwrap().windows(2));
        let cell = |at: &Value| cell_of(&serde_json::json!({"geometry": {"coordinates": at}}));
        let steps: Vec<[usize; 2]> = line.map(|p| [cell(&p[0]), cell(&p[1])]).collect();
        let across = |[a, b]: [usize; 2]| [a / SIDE * SIDE + b % SIDE, b / SIDE * SIDE + a % SIDE];
        let (area, level) = (s.wholes("flow_accumulation").to_vec(), s.level());
        let small = |[a, b]: &[usize; 2]| a != b && area[*a] != area[*b] && area[*a].max(area[*b]) < RIVER;
        let mut cells = steps.into_iter().map(across).find(small).unwrap();
        cells.sort_by_key(|&i| area[i]);
        let river = super::naive::River { cells: cells.into(), area: area[cells[1]], parent: None };
        s.rivers.push(super::river(s.rivers.len(), &river, &level));
        let id = s.rivers.len() as u32;
        cells.iter().for_each(|&i| s.wholes("river_id")[i] = id);
        s.stats["rivers"] = id.into();
    }),
    (&["river-figures"], |s| twice(&mut s.rivers[0]["properties"]["discharge_m3_s"])),
    (&["river-figures"], |s| twice(&mut s.rivers[0]["properties"]["length_m"])),
    (&["river-figures"], |s| s.rivers[0]["properties"]["width_m"] = 0.0.into()),
    (&["river-figures"], |s| twice(&mut s.rivers[0]["properties"]["depth_m"])),
    (&["river-figures"], |s| {
        let widths = s.rivers[0]["properties"]["widths_m"].as_array_mut().unwrap();
        widths[0] = (widths[0].as_f64().unwrap() + 1.0).into();
    }),
    (&["river-figures", "river-inflow"], |s| s.rivers[0]["properties"]["inflow_km2"] = 5.0.into()),
    (&["river-inflow"], |s| {
        super::flooded(s, 1e-3);
        twice(&mut s.sources.last_mut().unwrap()["properties"]["area_km2"]);
    }),
    (&["water-sources"], |s| {
        super::flooded(s, 1e-3);
        s.sources.last_mut().unwrap()["geometry"]["coordinates"] = centre(30 * SIDE + 30);
        let level = s.level()[30 * SIDE + 30];
        s.sources.last_mut().unwrap()["properties"]["level_m"] = level.into();
    }),
    (&["water"], |s| super::flooded(s, 6.0)),
    (SLOT, |s| {
        super::flooded(s, 6.0);
        // The channel is a slot, and the ground within the width stands above its water.
        let river: Vec<usize> = (0..SIDE * SIDE).filter(|&i| s.wholes("river_id")[i] == 1).collect();
        river.into_iter().for_each(|i| s.floats("height")[i] -= 60.0);
    }),
    (&["shares", "goal", "water"], |s| {
        let river = s.wholes("river_id").iter().position(|&k| k == 1).unwrap();
        let slope = s.floats("slope")[river];
        assert!(slope <= 0.05);
        let weald_core::AnyGrid::U8(classes) = &mut s.layers[4].2 else { panic!() };
        classes.cells_mut()[river] = 2;
    }),
    (&["river-cells", "water", "river-complete"], |s| {
        let gone = s.rivers.pop().unwrap();
        let begin = &gone["geometry"]["coordinates"][0];
        s.sources.retain(|p| p["geometry"]["coordinates"] != *begin);
        s.stats["rivers"] = s.rivers.len().into();
    }),
    (&["river-cells", "river-level"], |s| {
        s.rivers[0]["geometry"]["coordinates"].as_array_mut().unwrap().remove(3);
        levels(&mut s.rivers[0]).remove(3);
    }),
    (&["water-sources"], |s| s.sources[0]["properties"]["kind"] = "spring".into()),
    (&["water-sources"], |s| s.sources[0]["properties"]["level_m"] = 0.0.into()),
];

const PICTURES: &[Break] = &[
    (&["heightmap"], |s| {
        s.worldmap = None;
        s.heightmap[77] += 1;
    }),
    (&["heightmap-told"], |s| s.told["sea_level_m"] = 500.into()),
    (&["worldmap"], |s| s.worldmap.as_mut().unwrap()[30 * SIDE + 30] += 3),
    (&["worldmap-told"], |s| s.world_told["metres_per_pixel"] = 224.into()),
];

/// What a mouth through which nothing drains breaks: the river is no longer in order.
const MOUTH: &[&str] = &[
    "flow-goes-on",
    "flow-outlets",
    "river-cells",
    "river-level",
    "river-mouth",
    "river-figures",
    "great-rivers",
    "water-sources",
];

/// Of a folder by the sea.
const SEA: &[Break] = &[
    (&["lake-water", "lake-level", "lake-figures"], |s| {
        let i = inland_sea(s)[0];
        s.wholes("lake_id")[i] = 1;
    }),
    (&["river-cells", "river-figures"], |s| {
        let k = to_the_sea(s);
        s.rivers[k]["geometry"]["coordinates"].as_array_mut().unwrap().pop();
        levels(&mut s.rivers[k]).pop();
    }),
    (MOUTH, |s| {
        let end = mouth(&s.rivers[to_the_sea(s)], 1);
        s.wholes("flow_accumulation")[end] = 1;
    }),
    (&["flow-gathers", "flow-outlets", "river-complete"], |s| {
        // Another cell of the sea, above the mouth, drains as much as the mouth does.
        let river = &s.rivers[to_the_sea(s)];
        let (end, before) = (mouth(river, 1), mouth(river, 2));
        let height = s.floats("height").to_vec();
        let beside = around(before).into_iter().map(|n| n.0).find(|&n| n != end && height[n] < 0.0).unwrap();
        let area = s.wholes("flow_accumulation");
        area[beside] = area[end] + 1;
    }),
];

/// Cells of the sea away from the bay.
fn inland_sea(s: &mut Sample) -> Vec<usize> {
    let height = s.floats("height");
    (0..height.len()).filter(|&i| height[i] < 0.0 && i % SIDE > 32).collect()
}

/// The largest river that ends in the sea inside the map.
fn to_the_sea(s: &Sample) -> usize {
    let free = |r: &Value| r["properties"]["parent"].is_null() && !on_border(mouth(r, 1));
    s.rivers.iter().position(free).unwrap()
}

/// A cell of a river, counted from its end, which is 1.
fn mouth(river: &Value, nth: usize) -> usize {
    let line = river["geometry"]["coordinates"].as_array().unwrap();
    cell_of(&serde_json::json!({"geometry": {"coordinates": line[line.len() - nth]}}))
}

const ALL: [&[Break]; 7] = [FILES, GROUND, EROSION, FLOW, LAKES, RIVERS, PICTURES];

#[test]
fn what_is_broken_is_found_and_nothing_else() {
    let (dry, by_the_sea) = (Sample::new(), Sample::by_the_sea());
    let all = ALL.into_iter().flatten().map(|b| (&dry, b)).chain(SEA.iter().map(|b| (&by_the_sea, b)));
    let mut wrong = String::new();
    for (good, (rules, change)) in all {
        let mut sample = good.clone();
        change(&mut sample);
        if sample.failing() != *rules {
            wrong += &format!("\n{rules:?} were meant, found were\n{}", sample.faults());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_rule_has_a_folder_that_breaks_it() {
    let broken: BTreeSet<_> = ALL.into_iter().flatten().flat_map(|b| b.0).copied().collect();
    let rules: BTreeSet<_> = RULES.iter().copied().flatten().map(|r| r.name).collect();
    assert_eq!(broken, rules);
}

#[test]
fn a_spike_or_a_pit_is_found_unless_it_was_there_before_erosion() {
    for by in [100.0, -100.0] {
        let mut sample = Sample::new();
        let i = 30 * SIDE + 40;
        sample.floats("height")[i] += by;
        assert!(sample.failing().contains(&"spikes-pits"));
        sample.floats("height_before")[i] += by;
        assert!(!sample.failing().contains(&"spikes-pits"));
    }
}

#[test]
fn a_vertex_far_from_its_cell_is_found() {
    let mut sample = Sample::new();
    let x = &mut sample.rivers[0]["geometry"]["coordinates"][2][0];
    *x = (x.as_f64().unwrap() + 200.0).into();
    assert!(!sample.failing().contains(&"river-cells"), "a smooth line may leave the centre");
    let x = &mut sample.rivers[0]["geometry"]["coordinates"][2][0];
    *x = (x.as_f64().unwrap() + 200.0).into();
    assert!(sample.failing().contains(&"river-cells"));
}
