//! Good folders keep every rule, and the formula gives the golden points.

use super::Sample;
use crate::check::endless::RULES;
use crate::check::endless::formula::Formula;
use crate::check::endless::names::{FEATURES, TERRAINS};
use crate::check::endless::settings::{Params, Placed};
use serde_json::json;

#[test]
fn good_folders_keep_every_rule() {
    let cone = "placed=cone 290 -20;cone 200 0;t 220 -30;none 230 -40";
    let placed = "placed=t 220 -30;none 230 -40;rocket 240 -50;road 200 0 260 -60 300 -60";
    let over = "placed=boulder 210 -10;road 200 0 260 -60 300 -60;rocket 230 -30;none 240 -40;building 250 -20;mine 270 -60";
    let cases: [&[&str]; 12] = [
        &[],
        &["roads=true", placed],
        &["paths=true", "lake_level=240", cone, "snow_line=240"],
        &["lake_level=150", "time=12345"],
        &["wood_only=true", "mines.levels=4", "mines.rule=sin_cos"],
        &["bleak=true", "roads=true", placed],
        &["streams=false", "snow_line=300", "mines.levels=8", "mines.threshold=0.6"],
        &["lake_level=221.7", "sky.level=301.3", "time=-99"],
        &["time=-12.3", "time_rate=2.7", "mines.cave_slope=0.4", over],
        &["paths=true", over],
        &["bleak=true", over],
        &["lake_level=340", "bridges=false", "mines.levels=3", "mines.cave_slope=0"],
    ];
    for settings in cases {
        for (seed, at) in [(0, (200, 0)), (5, (200, 0)), (0, (21300, -7000)), (5, (-2000, 3000))] {
            let report = Sample::new(seed, at, (150, 110), settings).check();
            assert!(report.ok(), "seed {seed} at {at:?} with {settings:?}: {report}");
            let rules = RULES.iter().copied().flatten();
            let of_seed = rules.filter(|r| seed == 0 || !r.needs.contains(&"formula")).count();
            assert_eq!(report.rules.len(), 4 + of_seed, "{report}");
            assert_eq!(report.notes.len(), usize::from(seed != 0), "{report}");
        }
    }
}

#[test]
fn far_and_narrow_windows_keep_every_rule() {
    for (seed, at, size) in [
        (0, (0, 0), (1, 1)),
        (5, (-7, 9), (1, 90)),
        (0, (-32_768, 32_768), (60, 3)),
        (0, (999_999_000, -999_999_000), (60, 60)),
        (9, (-999_999_000, 999_999_000), (60, 60)),
    ] {
        let report = Sample::new(seed, at, size, &[]).check();
        assert!(report.ok(), "seed {seed} at {at:?}: {report}");
    }
}

#[test]
fn windows_with_rare_cases_keep_every_rule() {
    let at_level = "placed=road 2931 -924 2979 -975 2865 -910";
    let hidden_cone = "placed=road -2011 205 -2075 157";
    type Case<'a> = (u64, (i64, i64), (usize, usize), &'a [&'a str]);
    let cases: [Case; 6] = [
        // A road that ends on its bridge, before the water.
        (5, (-780, 60), (60, 60), &[]),
        // A town at the edge of an island in the sky.
        (0, (7600, -9600), (70, 60), &["lake_level=340", "bridges=false"]),
        // A drawn road over the cone at which a road starts, and over ground at the lake level.
        (0, (-2100, 240), (200, 130), &[hidden_cone]),
        (1, (2930, -935), (60, 40), &[at_level]),
        // Cells 2.5 m from the middle of a road, as far as floats can tell.
        (0, (165_330, 379_990), (60, 60), &["lake_level=310", "paths=true"]),
        (1, (1569, 694), (100, 90), &["time=1234567.891"]),
    ];
    for (seed, at, size, settings) in cases {
        let report = Sample::new(seed, at, size, settings).check();
        assert!(report.ok(), "seed {seed} at {at:?} with {settings:?}: {report}");
    }
}

#[test]
fn a_folder_with_some_layers_is_checked_as_far_as_they_go() {
    let mut sample = Sample::new(5, (200, 0), (100, 80), &[]);
    sample.json("manifest.json", |m| {
        let kept = ["surface", "tree", "height"];
        m["layers"].as_array_mut().unwrap().retain(|l| kept.contains(&l["name"].as_str().unwrap()));
    });
    let report = sample.check();
    assert!(report.ok(), "{report}");
    assert!(report.rules.iter().any(|r| r.rule == "tree-kind" && r.checked == 8000), "{report}");
    assert!(report.notes.iter().any(|n| n == "tree-place was not checked: feature is missing"), "{report}");
    assert!(report.notes.iter().any(|n| n == "surface was not checked: terrain is missing"), "{report}");
    assert!(!report.notes.iter().any(|n| n.starts_with("original")), "{report}");
}

#[test]
fn params_that_cannot_be_read_are_told() {
    let mut sample = Sample::new(0, (0, 0), (20, 20), &[]);
    let message = |s: &Sample| crate::check::path(&s.file("")).unwrap_err().to_string();
    sample.json("manifest.json", |m| m["params"]["placed"] = "cone 1".into());
    assert!(message(&sample).contains("\"cone 1\" is not a placed thing"));
    sample.json("manifest.json", |m| m["params"]["lake_level"] = "deep".into());
    assert!(message(&sample).contains("params"));
    sample.json("manifest.json", |m| drop(m.as_object_mut().unwrap().remove("params")));
    assert!(message(&sample).contains("no params"));
}

#[test]
fn the_formula_gives_the_golden_points() {
    for (file, change) in [
        ("default", json!({})),
        ("paths", json!({"paths": true})),
        ("lake150", json!({"lake_level": 150.0})),
        ("lake230", json!({"lake_level": 230.0})),
        ("wood-only", json!({"wood_only": true})),
    ] {
        let mut params = json!({
            "lake_level": 204.0, "paths": false, "streams": true, "roads": false, "bridges": true, "time_rate": 1.0, "wood_only": false,
            "bleak": false, "time": 0, "snow_line": 1000.0, "placed": "", "at": {"x": 0, "y": 0},
            "mines": {"levels": 1, "threshold": 0.4, "rule": "product", "cave_slope": 1.5}, "sky": {"level": 340.0, "keel": 1.6}, "caverns": {"finer": 4, "relief": 0.25, "rise": -4.0},
        });
        params.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let params: Params = serde_json::from_value(params).unwrap();
        let formula = Formula::new(&params, Placed::default());
        let path = format!("{}/tests/data/relf/{file}.csv", env!("CARGO_MANIFEST_DIR"));
        let mut whole = 0;
        for line in std::fs::read_to_string(path).unwrap().lines().skip(1) {
            let words: Vec<&str> = line.split(',').collect();
            let number = |i: usize| words[i].parse::<f64>().unwrap();
            let (x, y) = (number(0), number(1));
            if x.fract() != 0.0 || y.fract() != 0.0 {
                let ground = formula.ground_between(x, y);
                let wanted = number(2) - number(3);
                assert!((ground - wanted).abs() < 1e-9, "{file} {line}: {ground}");
                continue;
            }
            let t = formula.terra(x as i64, y as i64);
            let names = [TERRAINS[usize::from(t.terrain)], FEATURES[usize::from(t.feature)]];
            assert_eq!((t.height, t.depth), (number(2), number(3)), "{file} {line}");
            assert_eq!(names.map(str::to_uppercase), [words[4], words[5]], "{file} {line}");
            assert_eq!(t.feature, formula.feature(x as i64, y as i64));
            whole += 1;
        }
        assert!(whole > 100, "{file}");
    }
}
