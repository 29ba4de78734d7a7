//! For every rule a folder that breaks it, and nothing else that could be kept.

use super::naive::{H, Plan, River, W, path, river, tile, way};
use super::{Sample, centre};
use crate::check::realm::RULES;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What is changed: the drawing, from which all files are made anew, or the files alone.
enum Change {
    Plan(fn(&mut Plan)),
    Files(fn(&mut Sample)),
}
use Change::{Files, Plan as Drawn};

type Break = (&'static [&'static str], Change);

const FILES: &[Break] = &[
    (&["realm-frame"], Files(|s| s.frame["origin"][1] = 1.into())),
    (&["realm-frame"], Files(|s| s.params["map"]["cell_m"] = 500.into())),
    (&["realm-layers"], Files(|s| s.layers[2].1 = "km")),
    (&["realm-layers"], Files(|s| s.layers.swap(4, 5))),
    (&["line-files"], Files(|s| s.manifest = |m| m["points"][1]["count"] = 99.into())),
    (&["line-files"], Files(|s| s.manifest = |m| m["files"][0]["file"] = "none.json".into())),
    (&["layer-range", "numbers"], Files(|s| s.floats("temperature")[7] = f32::NAN)),
    (&["classes"], Files(|s| s.manifest = |m| m["layers"][6]["classes"][1]["name"] = "sea".into())),
    (&["classes"], Files(|s| s.manifest = |m| m["layers"][6]["classes"][1]["value"] = 9.into())),
    (&["classes"], Files(|s| s.manifest = |m| m["layers"][6]["classes"] = json!([]))),
    (&["line-files"], Files(|s| s.manifest = |m| m["polygons"] = polygon_list(1))),
    (&["line-files"], Files(|s| s.manifest = |m| m["files"][0]["file"] = "../manifest.json".into())),
    (&["classes", "transitions"], Files(|s| s.bytes("transition")[tile(5, 22)] = 34)),
    (&["moisture-range"], Files(|s| s.floats("moisture")[7] = 1.5)),
];

/// A list of files of polygons in a manifest.
fn polygon_list(count: usize) -> Value {
    json!([{"name": "biomes", "file": "biomes.geojson", "count": count}])
}

/// Draws the border of grassland and forest anew from a column on, by the first row of forest in each column.
fn border(plan: &mut Plan, from: usize, rows: &[usize]) {
    for (x, &row) in (from..).zip(rows) {
        (20..30).for_each(|y| plan.biome[tile(x, y)] = if y < row { 5 } else { 4 });
    }
}

const GROUND: &[Break] = &[
    // Three tiles straight to the east; three to the south.
    (&["border-straight"], Drawn(|p| border(p, 0, &[23, 23, 23, 24]))),
    (&["border-straight"], Drawn(|p| border(p, 4, &[23, 26, 26, 24]))),
    // Down and up to the east, the second beginning with the step up.
    (&["border-staircase"], Drawn(|p| border(p, 4, &[23, 24, 25, 26, 26, 25, 25, 24]))),
    (&["border-staircase"], Drawn(|p| border(p, 4, &[25, 26, 26, 25, 24, 23]))),
    (&["specks"], Drawn(|p| p.biome[tile(50, 3)] = 7)),
    (
        &["specks"],
        Drawn(|p| [tile(50, 2), tile(51, 2), tile(50, 3)].into_iter().for_each(|i| p.biome[i] = 7)),
    ),
    (&["water"], Files(|s| s.bytes("water")[tile(17, 17)] = 1)),
    (&["water"], Files(|s| s.bytes("water")[tile(50, 20)] = 2)),
    (&["heights"], Files(|s| s.floats("height")[tile(40, 45)] = 0.0)),
    (&["heights"], Files(|s| s.floats("height")[tile(17, 17)] = -1.0)),
    // Land, ocean and a tile of a lake; ground above the water; a lake above its shore.
    (&["surface"], Files(|s| s.floats("surface")[tile(50, 20)] += 1.0)),
    (&["surface"], Files(|s| s.floats("surface")[tile(50, 45)] = -1.0)),
    (&["surface"], Files(|s| s.floats("surface")[tile(18, 17)] -= 1.0)),
    (&["surface"], Files(|s| s.floats("height")[tile(17, 17)] = 316.0)),
    (
        &["lake-shores", "lake-levels"],
        Files(|s| {
            let lake: Vec<usize> = (0..W * H).filter(|&i| s.bytes("biome")[i] == 1).collect();
            lake.into_iter().for_each(|i| s.floats("surface")[i] += 2.0);
        }),
    ),
    // Missing, of another pair, of the coast inland, far from any border, and on water.
    (&["transitions"], Files(|s| s.bytes("transition")[tile(5, 22)] = 0)),
    (&["transitions"], Files(|s| s.bytes("transition")[tile(5, 22)] = 2)),
    (&["transitions"], Files(|s| s.bytes("transition")[tile(5, 22)] = 4)),
    (&["transitions"], Files(|s| s.bytes("transition")[tile(50, 0)] = 13)),
    (&["transitions"], Files(|s| s.bytes("transition")[tile(50, 45)] = 4)),
    (&["transitions"], Files(|s| s.bytes("transition")[tile(16, 15)] = 5)),
];

/// The main river, from corner to corner.
fn main_river(plan: &mut Plan, corners: &[(usize, usize)]) {
    plan.rivers[0].tiles = path(corners);
}

const LINES: &[Break] = &[
    (&["links", "road-links"], Files(|s| s.bytes("road_dirs")[tile(20, 20)] = 1)),
    // A road off the map, one through the ocean to the island, a river through the lake.
    (&["links"], Files(|s| s.bytes("road_dirs")[tile(0, 3)] = 1 << 4)),
    (
        &["links-on-water"],
        Drawn(|p| {
            p.roads.push(way(&[(43, 38), (37, 44), (10, 44)], (4, 6)));
            p.places[5].road = true;
        }),
    ),
    (&["links-on-water", "river-ends"], Drawn(|p| p.rivers[2].tiles = path(&[(17, 10), (17, 17)]))),
    (&["one-feature", "parallel"], Drawn(|p| p.roads.push(way(&[(36, 22), (24, 34), (10, 31)], (5, 1))))),
    (&["crossing-type", "crossings"], Files(|s| s.bytes("crossing")[tile(30, 20)] = 2)),
    (&["crossing-type", "crossings"], Files(|s| s.bytes("crossing")[tile(40, 10)] = 1)),
    // On a bend, on a confluence, at 45 degrees.
    (&["crossing-angle", "parallel"], Drawn(|p| main_river(p, &[(30, 10), (30, 20), (29, 21), (29, 40)]))),
    (
        &["crossing-angle", "parallel"],
        Drawn(|p| {
            p.rivers[1].tiles = path(&[(19, 17), (27, 17), (30, 20)]);
        }),
    ),
    (
        &["crossing-angle", "parallel"],
        Drawn(|p| {
            main_river(p, &[(27, 10), (27, 17), (33, 23), (33, 31), (29, 35), (29, 40)]);
            p.rivers[1].tiles = path(&[(19, 17), (27, 17)]);
        }),
    ),
    // Crossroads at 45 degrees, and a junction of four railroads.
    (
        &["crossing-angle"],
        Drawn(|p| {
            p.roads[2].tiles = path(&[(36, 12), (34, 14), (34, 18), (38, 22), (38, 36), (39, 37), (43, 37)]);
            p.roads[4].tiles = path(&[(38, 31), (44, 31)]);
        }),
    ),
    (&["crossing-angle", "rail-ends"], Drawn(|p| p.rails.push(way(&[(40, 24), (40, 32)], (1, 2))))),
    // A bend after a bridge, two bridges side by side, a road on the railroad in the capital, a branch line at a right angle.
    (
        &["crossing-approach"],
        Drawn(|p| {
            p.roads[0].tiles = path(&[(10, 25), (10, 20), (31, 20), (32, 19), (33, 20), (44, 20), (44, 36)])
        }),
    ),
    (&["crossings-apart"], Drawn(|p| p.roads.push(way(&[(26, 20), (27, 19), (33, 19), (34, 20)], (1, 4))))),
    (&["shared-links"], Drawn(|p| p.roads.push(way(&[(10, 28), (12, 28)], (1, 1))))),
    (&["rail-junctions"], Drawn(|p| p.rails[1].tiles = path(&[(20, 28), (20, 26), (24, 26), (24, 28)]))),
    // A short road beside the river, a road beside the railroad, a railroad beside the river.
    (
        &["parallel"],
        Drawn(|p| {
            p.roads.push(way(&[(36, 12), (31, 12), (31, 15), (34, 18), (34, 20)], (5, 1)));
        }),
    ),
    (
        &["crossing-approach", "parallel", "rail-setback"],
        Drawn(|p| p.roads[4].tiles = path(&[(36, 29), (44, 29)])),
    ),
    (
        &["crossing-angle", "crossing-approach", "parallel"],
        Drawn(|p| {
            p.rails[0].tiles = path(&[(10, 28), (27, 28), (29, 30), (29, 29), (30, 28), (52, 28)]);
        }),
    ),
    // Between two rivers; between two roads.
    (
        &["diagonal-leak"],
        Drawn(|p| {
            p.rivers.push(River { parent: Some(0), ..river(&[(28, 30), (30, 32), (29, 33)], "river") });
        }),
    ),
    (
        &["diagonal-leak"],
        Drawn(|p| {
            p.roads.push(way(&[(36, 22), (40, 22), (41, 23), (44, 23)], (5, 4)));
            p.roads.push(way(&[(36, 23), (40, 23), (41, 22), (44, 22)], (5, 4)));
        }),
    ),
    (&["river-setback"], Drawn(|p| p.rivers[1].tiles = path(&[(18, 18), (30, 18)]))),
    (
        &["parallel", "rail-setback"],
        Drawn(|p| p.roads[4].tiles = path(&[(36, 30), (37, 29), (43, 29), (44, 30)])),
    ),
];

const PLACES: &[Break] = &[
    // Beyond the disc, off the centre, without a centre, without a settlement, of another id.
    (&["footprints"], Files(|s| s.ids()[tile(10, 24)] = 1)),
    (&["footprints"], Files(|s| s.settlements[3]["geometry"]["coordinates"] = centre(tile(45, 37)))),
    (&["footprints", "road-reasons", "road-ends"], Files(|s| s.ids()[tile(36, 12)] = 0)),
    (&["footprints"], Files(|s| s.ids()[tile(50, 5)] = 7)),
    (&["footprints", "road-reasons", "road-ends"], Files(|s| s.settlements[3]["id"] = 9.into())),
    // In two parts, and on water.
    (&["footprints"], Files(|s| [tile(53, 29), tile(54, 28)].into_iter().for_each(|i| s.ids()[i] = 0))),
    (
        &["footprints"],
        Files(|s| {
            let hamlet = about(s, 6);
            (hamlet["tier"], hamlet["kind"], hamlet["radius"]) = (4.into(), "village".into(), 1.into());
            hamlet["population"] = 100.into();
            [tile(9, 44), tile(9, 43)].into_iter().for_each(|i| s.ids()[i] = 6);
        }),
    ),
    (
        &["footprints-apart"],
        Drawn(|p| {
            p.places[2].at = (10, 20);
            p.roads.remove(1);
        }),
    ),
    (&["settlements"], Files(|s| about(s, 2)["harbour"] = true.into())),
    (&["settlements"], Files(|s| about(s, 4)["population"] = 50_000.into())),
    (&["settlements"], Files(|s| s.settlements[1]["properties"]["kind"] = "town".into())),
    (&["settlements"], Files(|s| s.settlements[1]["properties"]["radius"] = 3.into())),
    (&["settlements"], Files(|s| s.settlements[1]["properties"]["biome"] = "desert".into())),
    (&["settlements"], Files(|s| s.settlements[1]["properties"]["landmass"] = 3.into())),
    (&["settlements"], Files(|s| s.settlements[5]["properties"]["landmass"] = 1.into())),
    (&["settlements"], Files(|s| s.settlements[1]["properties"]["harbour"] = "yes".into())),
];

/// The properties of a settlement by its id.
fn about(s: &mut Sample, id: usize) -> &mut Value {
    &mut s.settlements[id - 1]["properties"]
}

const NETWORKS: &[Break] = &[
    // The road to the town ends before it reaches the others, with the same words about it.
    (
        &["roads-joined", "road-ends"],
        Drawn(|p| {
            p.roads[1].tiles = path(&[(10, 16), (10, 13)]);
            p.roads[2].tiles = path(&[(36, 16), (36, 36), (37, 37), (43, 37)]);
            p.roads[3].tiles = path(&[(52, 26), (52, 20)]);
            [1, 2, 4].into_iter().for_each(|k| p.places[k].road = false);
        }),
    ),
    // Two networks on one land.
    (
        &["roads-joined"],
        Drawn(|p| {
            p.roads.remove(4);
            p.roads[0].tiles = path(&[(10, 25), (10, 20)]);
            p.roads[3].tiles = path(&[(52, 26), (52, 20), (36, 20)]);
        }),
    ),
    (&["road-reasons"], Files(|s| about(s, 6)["road_reason"] = Value::Null)),
    (&["road-reasons"], Files(|s| about(s, 6)["road_reason"] = " ".into())),
    (&["road-reasons"], Files(|s| about(s, 1)["road_reason"] = "It is far away.".into())),
    (&["road-reasons"], Files(|s| about(s, 6)["road"] = true.into())),
    (
        &["rails-joined"],
        Drawn(|p| {
            p.rails.clear();
            p.places.iter_mut().for_each(|p| p.rail = false);
        }),
    ),
    (&["rail-reasons"], Files(|s| about(s, 1)["rail"] = false.into())),
    (&["rail-reasons"], Files(|s| about(s, 1)["rail_reason"] = "It is far away.".into())),
    // Not alone on its land.
    (
        &["settlements", "road-reasons"],
        Drawn(|p| {
            p.roads.remove(1);
            p.places[2].road = false;
            p.places[2].landmass = 2;
        }),
    ),
    (
        &["footprints", "rail-reasons"],
        Files(|s| {
            // Of three cities one may be left out, but not without a reason.
            let village = about(s, 4);
            (village["tier"], village["kind"], village["radius"]) = (2.into(), "city".into(), 2.into());
            village["population"] = 10_000.into();
        }),
    ),
];

const RIVERS: &[Break] = &[
    (&["river-tiles"], Files(|s| s.rivers[2]["id"] = 7.into())),
    (&["river-tiles"], Files(|s| s.rivers[2]["properties"]["length_m"] = 3.into())),
    (
        &["river-tiles", "river-links"],
        Files(|s| s.rivers[2]["geometry"]["coordinates"][2][0] = 17_700.into()),
    ),
    (
        &["river-tiles", "river-links"],
        Files(|s| drop(s.rivers[2]["geometry"]["coordinates"].as_array_mut().unwrap().remove(2))),
    ),
    (&["river-links"], Files(|s| drop(s.rivers.pop()))),
    (&["river-links", "river-ends"], Drawn(|p| p.rivers[3].out = None)),
    // Ends on land, in the wrong water, with a parent in the ocean, and goes through a lake.
    (&["river-ends"], Drawn(|p| p.rivers[2].tiles.truncate(6))),
    (&["river-ends"], Files(|s| s.rivers[2]["properties"]["mouth"] = "ocean".into())),
    (&["river-ends"], Files(|s| s.rivers[2]["properties"]["mouth"] = "sea".into())),
    (&["river-ends", "river-tree"], Files(|s| s.rivers[2]["properties"]["parent"] = 0.into())),
    (&["river-ends", "river-order"], Files(|s| s.rivers[1]["properties"]["parent"] = Value::Null)),
    (
        &["river-tree", "river-lakes", "river-order"],
        Files(|s| s.rivers[1]["properties"]["parent"] = 2.into()),
    ),
    (
        &["river-tree", "river-lakes", "river-order"],
        Files(|s| s.rivers[1]["properties"]["parent"] = 1.into()),
    ),
    (&["river-tree"], Drawn(|p| p.rivers[1].tiles = path(&[(19, 17), (30, 17), (31, 17), (30, 18)]))),
    (&["river-falls"], Files(|s| s.raise(tile(30, 14), 900.0))),
    // The outflow of the lake begins above its water.
    (&["river-falls"], Files(|s| s.raise(tile(20, 17), 316.0))),
    // No outflow, two of them, and one that comes back.
    (&["river-lakes"], Drawn(|p| p.rivers[1].tiles = path(&[(21, 17), (30, 17)]))),
    (
        &["river-lakes"],
        Drawn(|p| {
            p.rivers.push(River { parent: Some(0), ..river(&[(18, 16), (19, 15), (30, 15)], "river") })
        }),
    ),
    (
        &["river-setback", "river-lakes", "river-order"],
        Drawn(|p| {
            p.rivers[1] = river(&[(19, 17), (20, 17), (20, 18), (18, 18)], "lake");
            p.rivers[0].order = 1;
        }),
    ),
    (&["river-order"], Files(|s| s.rivers[0]["properties"]["order"] = 3.into())),
    (&["river-order"], Files(|s| s.rivers[1]["properties"]["order"] = 2.into())),
    (&["river-order"], Files(|s| s.rivers[2]["properties"]["order"] = 2.into())),
];

const WAYS: &[Break] = &[
    (&["rail-tiles"], Files(|s| s.railroads[0]["properties"]["length_m"] = 3.into())),
    (&["rail-tiles", "rail-links"], Files(|s| s.railroads[0]["geometry"]["coordinates"][2][1] = 0.into())),
    (&["rail-links"], Files(|s| s.railroads.clear())),
    (&["rail-ends"], Drawn(|p| p.rails[0].joins = (1, 9))),
    (&["rail-ends"], Drawn(|p| p.rails.push(way(&[(20, 30), (24, 30)], (1, 2))))),
    (&["road-tiles"], Files(|s| s.roads[1]["properties"]["class"] = "path".into())),
    (
        &["road-tiles", "road-links", "road-ends"],
        Files(|s| {
            s.roads[1]["geometry"]["coordinates"] = json!([[500.0, 500.0], [500.0, 500.0]]);
        }),
    ),
    // A line that is missing, and one that is there twice.
    (&["road-links"], Files(|s| drop(s.roads.pop()))),
    (&["road-links"], Files(|s| s.roads.push(s.roads[1].clone()))),
    (&["road-ends"], Drawn(|p| p.roads[1].joins = (2, 4))),
    (&["road-ends"], Files(|s| s.roads[1]["properties"]["to"] = "Place 1".into())),
];

const SHAPES: &[Break] = &[
    (&["crossings"], Files(|s| drop(s.crossings.pop()))),
    (&["crossings"], Files(|s| s.crossings[0]["properties"]["kind"] = "ford".into())),
    (&["crossings"], Files(|s| s.crossings.push(s.crossings[0].clone()))),
    (&["crossings"], Files(|s| s.crossings[0]["geometry"]["coordinates"] = centre(tile(3, 3)))),
    (&["crossings"], Files(|s| s.crossings[0]["geometry"]["coordinates"][0] = (-5).into())),
    (&["settlement-names"], Files(|s| about(s, 1)["name"] = "Place 1".into())),
    (&["settlement-names"], Files(|s| about(s, 1)["name"] = "".into())),
    (&["river-names"], Files(|s| s.rivers[1]["properties"]["name"] = "River 0".into())),
    (&["place-names"], Files(|s| s.places[1]["properties"]["name"] = "Lake Blue".into())),
    (&["place-names"], Files(|s| s.places[1]["properties"]["name"] = "River 0".into())),
    (&["place-names"], Files(|s| s.places[1]["properties"]["name"] = Value::Null)),
    (&["places"], Files(|s| s.places[0]["properties"]["kind"] = "sea".into())),
    (&["places"], Files(|s| s.places[0]["properties"]["tiles"] = 7.into())),
    (&["places"], Files(|s| s.places[1]["properties"]["tiles"] = (-5).into())),
    (&["places"], Files(|s| s.places[1]["geometry"]["coordinates"] = centre(tile(3, 3)))),
    (&["places"], Files(|s| s.places[1]["geometry"]["coordinates"][0] = 1e300.into())),
    (&["violations"], Files(|s| s.violations += "parallel,3,4,road river,N-S N-S\n")),
    (&["violations"], Files(|s| s.violations = "rule,x,y\n".into())),
    (&["biome-polygons"], Files(|s| drop(s.biomes.pop()))),
    (&["biome-polygons"], Files(|s| s.biomes.push(s.biomes[0].clone()))),
    // A corner moved along an edge, a hole left out, a hole first, a ring that is open, and one off the corners.
    (&["biome-polygons"], Files(|s| rings(s)[0][0][0] = 1000.into())),
    (&["biome-polygons"], Files(|s| drop(rings(s).pop()))),
    (&["biome-polygons", "biome-figures", "lake-levels"], Files(|s| rings(s).swap(0, 1))),
    (&["biome-polygons"], Files(|s| drop(rings(s)[1].as_array_mut().unwrap().pop()))),
    (&["biome-polygons"], Files(|s| rings(s)[1][2][0] = 17_400.into())),
    (&["biome-figures"], Files(|s| s.biomes[0]["properties"]["biome"] = "desert".into())),
    (&["biome-figures"], Files(|s| s.biomes[0]["properties"]["tiles"] = 3.into())),
    (&["biome-figures"], Files(|s| s.biomes[0]["properties"]["area_km2"] = 3.into())),
    (&["lake-levels"], Files(|s| s.biomes[0]["properties"]["level_m"] = 3.into())),
    (&["lake-levels"], Files(|s| lake(s)["level_m"] = 315.1.into())),
    (&["lake-levels"], Files(|s| drop(lake(s).as_object_mut().unwrap().remove("level_m")))),
];

/// The properties of the polygon of the lake.
fn lake(s: &mut Sample) -> &mut Value {
    let lake = s.biomes.iter_mut().find(|b| b["properties"]["biome"] == "lake").unwrap();
    &mut lake["properties"]
}

/// The rings of the polygon of grassland, which has the lake as a hole.
fn rings(s: &mut Sample) -> &mut Vec<Value> {
    let holed = s.biomes.iter_mut().find(|b| b["properties"]["biome"] == "grassland").unwrap();
    holed["geometry"]["coordinates"].as_array_mut().unwrap()
}

const ALL: [&[Break]; 8] = [FILES, GROUND, LINES, PLACES, NETWORKS, RIVERS, WAYS, SHAPES];

#[test]
fn what_is_broken_is_found_and_nothing_else() {
    let mut wrong = String::new();
    for (rules, change) in ALL.into_iter().flatten() {
        let mut plan = Plan::new();
        if let Drawn(change) = change {
            change(&mut plan);
        }
        let mut sample = Sample::of(&plan);
        if let Files(change) = change {
            change(&mut sample);
        }
        if sample.failing() != *rules {
            wrong +=
                &format!("\n{rules:?} were meant, found were {:?}\n{}", sample.failing(), sample.faults());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_rule_has_a_folder_that_breaks_it() {
    let broken: BTreeSet<_> = ALL.into_iter().flatten().flat_map(|b| b.0).copied().collect();
    let mut rules: BTreeSet<_> = RULES.iter().copied().flatten().map(|r| r.name).collect();
    // Of the rules about files that all worlds share, one breaks with a layer that holds NaN.
    rules.insert("layer-range");
    assert_eq!(broken, rules);
}
