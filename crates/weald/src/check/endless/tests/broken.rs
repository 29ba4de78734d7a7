//! For every rule a folder that breaks it.

use super::Sample;
use crate::check::endless::RULES;
use crate::check::endless::names::{
    BOULDER, LAKE, MARSH, MUD, NONE, PATH, ROAD, ROCKET, SKY, STREAM, THICKET, TOWN, WOOD,
};
use serde_json::Value;
use std::collections::BTreeSet;

/// Hills with streams, roads, a bridge and placed things.
fn hills() -> Sample {
    let placed = "placed=t 600 -600;road 500 -500 540 -540";
    Sample::new(0, (500, -500), (320, 260), &["roads=true", "mines.cave_slope=0.3", placed])
}

/// Islands in the sky.
fn sky() -> Sample {
    Sample::new(0, (1000, 2000), (240, 180), &["lake_level=340", "bridges=false"])
}

/// A town with buildings.
fn town() -> Sample {
    Sample::new(0, (21300, -7000), (200, 120), &[])
}

/// Where a cell with one of the codes is.
fn find(s: &Sample, layer: &str, code: impl Fn(u8) -> bool) -> usize {
    s.codes(layer).iter().position(|&c| code(c)).expect("the sample has such a cell")
}

/// A cell in the midst of the window.
fn middle(s: &Sample) -> usize {
    s.codes("tree").len() / 2 + 100
}

/// A tree in the midst of the window.
fn a_tree(s: &Sample) -> usize {
    let trees = s.codes("tree");
    let from = middle(s);
    from + trees[from..].iter().position(|&t| t > 0).expect("the sample has trees")
}

/// The first shape that fits.
fn pick(all: &mut [Value], fits: impl Fn(&Value) -> bool) -> &mut Value {
    all.iter_mut().find(|f| fits(f)).expect("the sample has such a shape")
}

/// Whether a line starts inside the samples of hills.
fn starts_inside(f: &Value) -> bool {
    let at = |i: usize| f["geometry"]["coordinates"][0][i].as_f64().unwrap();
    let (x, y) = (at(0), at(1));
    (200.0..800.0).contains(&x) && (0.0..760.0).contains(&y)
}

fn points(f: &mut Value) -> &mut Vec<Value> {
    f["geometry"]["coordinates"].as_array_mut().unwrap()
}

type Break = (&'static str, fn(&mut Sample));

const FILES_AND_GROUND: &[Break] = &[
    ("line-files", |s| s.json("manifest.json", |m| m["lines"][0]["count"] = 99.into())),
    ("stats", |s| s.json("manifest.json", |m| m["stats"]["trees"] = 1.into())),
    ("class-names", |s| s.json("manifest.json", |m| m["layers"][2]["classes"][0]["name"] = "sea".into())),
    ("original-height", |s| s.cell("height", 7, 300.5)),
    ("original-depth", |s| s.cell("depth", 7, 3.5)),
    ("original-terrain", |s| {
        let i = find(s, "terrain", |c| c == WOOD);
        s.cell("terrain", i, f64::from(THICKET));
    }),
    ("lake", |s| {
        let i = find(s, "terrain", |c| c == LAKE);
        s.cell("depth", i, 0.0);
    }),
    ("mud", |s| {
        let i = find(s, "terrain", |c| c == WOOD);
        s.cell("terrain", i, f64::from(MUD));
    }),
    ("terrain-settings", |s| {
        let i = find(s, "terrain", |c| c == WOOD);
        s.cell("terrain", i, f64::from(PATH));
    }),
];

const FEATURES: &[Break] = &[
    ("original-feature", |s| {
        let i = find(s, "feature", |c| c == BOULDER);
        s.cell("feature", i, f64::from(NONE));
    }),
    ("feature-ground", |s| {
        let i = find(s, "terrain", |c| c == LAKE);
        s.cell("feature", i, f64::from(BOULDER));
    }),
    ("feature-placed", |s| {
        let i = find(s, "feature", |c| c == NONE);
        s.cell("feature", i, f64::from(ROCKET));
    }),
    ("feature-points", |s| s.shapes("features", |all| drop(all.pop()))),
    ("control-code", |s| {
        s.shapes("features", |all| {
            pick(all, |f| f["properties"]["kind"] == "boulder")["properties"]["code"] = "A".into();
        });
    }),
    ("version", |s| s.shapes("features", |all| all[0]["properties"]["version"] = 9.into())),
    ("cave-mouth", |s| {
        s.shapes("features", |all| {
            pick(all, |f| f["properties"]["cave_mouth"] == true)["properties"]["direction"] = 45.into();
        });
    }),
    ("shaft-levels", |s| {
        s.shapes("features", |all| {
            pick(all, |f| f["properties"]["kind"] == "mine")["properties"]["levels"] = 2.into();
        });
    }),
];

const STREAMS: &[Break] = &[
    ("stream-start", |s| s.shapes("streams", |all| all[0]["properties"]["pond_x"] = 3.into())),
    ("stream-down", |s| s.shapes("streams", |all| points(&mut all[0]).reverse())),
    ("stream-lowest", |s| {
        s.shapes("streams", |all| {
            let x = &mut points(&mut all[0])[4][0];
            *x = (x.as_f64().unwrap() + 1.0).into();
        });
    }),
    ("stream-end", |s| s.shapes("streams", |all| all[0]["properties"]["end"] = "limit".into())),
    ("stream-end", |s| s.shapes("streams", |all| drop(points(&mut all[0]).pop()))),
    ("stream-complete", |s| s.shapes("streams", |all| all.retain(|f| !starts_inside(f)))),
];

const ROADS: &[Break] = &[
    ("road-start", |s| s.shapes("roads", |all| all[0]["properties"]["start_x"] = 3.into())),
    ("road-shape", |s| {
        s.shapes("roads", |all| {
            let x =
                &mut points(pick(all, |f| f["geometry"]["coordinates"].as_array().unwrap().len() > 9))[5][0];
            *x = (x.as_f64().unwrap() + 0.01).into();
        });
    }),
    ("original-road", |s| {
        s.shapes("roads", |all| {
            let road = pick(all, |f| f["properties"]["branch"] == 0);
            road["properties"]["branch"] = 1.into();
        });
    }),
    ("road-end", |s| {
        s.shapes("roads", |all| {
            pick(all, |f| f["properties"]["end"] == "road")["properties"]["end"] = "length".into();
        });
    }),
    ("road-end", |s| {
        s.shapes("roads", |all| {
            pick(all, |f| f["properties"]["end"] == "road")["properties"]["end"] = "lake".into();
        });
    }),
    ("bridge", |s| s.shapes("bridges", Vec::clear)),
    ("drawn-roads", |s| s.shapes("drawn_roads", |all| points(&mut all[0])[0][0] = 501.0.into())),
    ("drawn-roads", |s| s.shapes("drawn_roads", Vec::clear)),
    ("surface", |s| s.shapes("roads", |all| all.retain(|f| !starts_inside(f)))),
    ("original-road", |s| s.shapes("roads", |all| all.retain(|f| !starts_inside(f)))),
];

const COVER: &[Break] = &[
    ("surface", |s| {
        let i = find(s, "surface", |c| c == STREAM);
        s.cell("surface", i, f64::from(MARSH));
    }),
    ("tree-place", |s| {
        let i = a_tree(s);
        s.cell("tree", i, 0.0);
    }),
    ("tree-place", |s| {
        let i = a_tree(s) + 1;
        s.cell("tree", i, 1.0);
    }),
    ("tree-kind", |s| {
        let thicket = s.codes("surface");
        let i = (0..thicket.len()).find(|&i| thicket[i] == THICKET && s.codes("tree")[i] > 0).unwrap();
        s.cell("tree", i, 5.0);
    }),
    ("original-tree", |s| {
        let i = find(s, "tree", |c| c == 2);
        s.cell("tree", i, 1.0);
    }),
    ("snow", |s| s.cell("snow", 5, 1.0)),
    ("speed", |s| s.cell("speed", 5, 0.7)),
    ("speed-north", |s| s.cell("speed_north", middle(s), 0.7)),
    ("speed-east", |s| s.cell("speed_east", middle(s), 0.7)),
    ("speed-south", |s| s.cell("speed_south", middle(s), 0.7)),
    ("speed-west", |s| s.cell("speed_west", middle(s), 0.7)),
];

const BELOW_AND_ABOVE: &[Break] = &[
    ("mine-cells", |s| {
        let i = find(s, "mine_1", |c| c == 0);
        s.cell("mine_1", i, 1.0);
    }),
    ("mine-shafts", |s| {
        let i = find(s, "mine_1", |c| c == 2);
        s.cell("mine_1", i, 1.0);
    }),
    ("mine-shafts", |s| s.cell("mine_1", 0, 2.0)),
    ("tunnel", |s| s.shapes("tunnels", Vec::clear)),
    ("tunnel", |s| {
        s.shapes("tunnels", |all| {
            let end = points(pick(all, |f| f["properties"]["joins"] == true)).last_mut().unwrap();
            end[0] = (end[0].as_f64().unwrap() + 16.0).into();
        });
    }),
    ("original-mines", |s| {
        let i = find(s, "mine_1", |c| c == 1);
        s.cell("mine_1", i, 0.0);
    }),
    ("sky-islands", |s| {
        let i = s.floats("sky_top").iter().position(|&v| v > 340.0).unwrap();
        s.cell("sky_top", i, 0.0);
    }),
    ("sky-islands", |s| {
        let i = s.floats("sky_top").iter().position(|&v| v > 340.0).unwrap();
        s.cell("sky_underside", i, 341.0);
    }),
    ("sky-terrain", |s| {
        let i = find(s, "sky_terrain", |c| c == SKY);
        s.cell("sky_terrain", i, f64::from(WOOD));
    }),
    ("original-sky", |s| {
        let i = s.floats("sky_top").iter().position(|&v| v > 350.0).unwrap();
        s.cell("sky_underside", i, 339.0);
    }),
    ("original-caverns", |s| s.cell("cavern_roof", 9, 12.0)),
    ("caverns-open", |s| {
        let i = find(s, "cavern", |c| c == 0);
        s.cell("cavern", i, 1.0);
    }),
    ("caverns-finite", |s| s.cell("cavern_roof", 3, f64::NAN)),
];

const TOWNS: &[Break] = &[
    ("building-place", |s| {
        s.shapes("buildings", |all| {
            let x = &mut points(&mut all[0])[0];
            *x = (x.as_f64().unwrap() + 1.0).into();
        });
    }),
    ("building-form", |s| s.shapes("buildings", |all| all[0]["properties"]["height"] = 61.0.into())),
    ("original-building", |s| s.shapes("buildings", |all| drop(all.remove(0)))),
    ("building-height", |s| {
        let i = s.floats("building_height").iter().position(|&v| v > 0.0).unwrap();
        s.cell("building_height", i, 1.0);
    }),
    ("terrain-settings", |s| {
        s.json("manifest.json", |m| m["params"]["wood_only"] = true.into());
        assert!(s.codes("terrain").contains(&TOWN));
    }),
];

const SKY_GROUND: &[Break] = &[
    ("sky-ground", |s| {
        let i = find(s, "sky_terrain", |c| c == SKY);
        s.cell("tree", i, 1.0);
    }),
    ("sky-ground", |s| {
        let i = find(s, "sky_terrain", |c| c == SKY);
        s.cell("feature", i, f64::from(BOULDER));
    }),
    ("sky-ground", |s| {
        let i = find(s, "sky_terrain", |c| c == SKY);
        s.cell("surface", i, f64::from(ROAD));
    }),
];

/// Breaks the sample in each way and finds the rule among those that fail.
fn caught(mut sample: Sample, breaks: &[Break]) {
    assert!(sample.check().ok(), "{}", sample.check());
    for (rule, change) in breaks {
        change(&mut sample);
        let found = sample.failing();
        assert!(found.contains(rule), "{rule} is not among {found:?}");
        sample.mend();
    }
    assert!(sample.check().ok());
}

#[test]
fn broken_ground_features_and_streams_are_found() {
    caught(hills(), &[FILES_AND_GROUND, FEATURES, STREAMS].concat());
}

#[test]
fn broken_roads_cover_and_mines_are_found() {
    caught(hills(), &[ROADS, COVER, BELOW_AND_ABOVE].concat());
}

#[test]
fn broken_towns_are_found() {
    caught(town(), TOWNS);
}

#[test]
fn things_in_the_empty_sky_are_found() {
    caught(sky(), SKY_GROUND);
}

#[test]
fn other_seeds_are_held_against_themselves() {
    let sample = Sample::new(5, (200, 0), (600, 420), &["lake_level=230", "mines.cave_slope=0.3"]);
    let all = [FILES_AND_GROUND, FEATURES, STREAMS, COVER, BELOW_AND_ABOVE].concat();
    let skipped = ["stream-lowest", "stream-end", "mine-shafts"];
    let breaks: Vec<Break> =
        all.into_iter().filter(|(r, _)| !r.starts_with("original") && !skipped.contains(r)).collect();
    caught(sample, &breaks);
}

#[test]
fn every_rule_has_a_folder_that_breaks_it() {
    let all =
        [FILES_AND_GROUND, FEATURES, STREAMS, ROADS, COVER, BELOW_AND_ABOVE, TOWNS, SKY_GROUND].concat();
    let broken: BTreeSet<_> = all.iter().map(|b| b.0).collect();
    let rules: BTreeSet<_> = RULES.iter().copied().flatten().map(|r| r.name).collect();
    assert_eq!(broken, rules);
}
