//! Folders of a planet made by hand, good ones and broken ones.

use super::RULES;
use super::faces::FACES;
use crate::check::Report;
use crate::check::tests::folder::{self, HandMade};
use crate::error::Result;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use weald_core::{AnyGrid, Grid};

const SIDE: usize = 16;

/// A level planet of grass with one boulder, and a little hill on px.
#[derive(Clone)]
struct Sample {
    /// Layers by kind and face: height and depth.
    measures: [[Vec<f32>; 6]; 2],
    /// Layers by kind and face: terrain and feature.
    classes: [[Vec<u8>; 6]; 2],
    features: Vec<Value>,
    stats: Value,
    seed: Value,
    /// Whether all layers are written.
    whole: bool,
}

impl Sample {
    fn new() -> Self {
        let each = |v: f32| std::array::from_fn(|_| vec![v; SIDE * SIDE]);
        let classes = |v: u8| std::array::from_fn(|_| vec![v; SIDE * SIDE]);
        let (mut height, mut feature) = (each(300.0), classes(0));
        height[0][5 * SIDE + 5] += 1.0;
        feature[4][14 * SIDE + 8] = 2;
        let place = json!({"kind": "boulder", "face": "pz", "x": 300.0, "y": 0.0, "z": 400.0,
            "lat": 53.13010235415598, "lon": 0.0, "version": 0});
        Self {
            measures: [height, each(0.0)],
            classes: [classes(2), feature],
            features: vec![folder::point(0, json!([8.0, 14.55]), place)],
            stats: json!({
                "features": 1,
                "terrain_share": {
                    "lake": 0.0, "town": 0.0, "grass": 1.0, "moor": 0.0, "wood": 0.0, "thicket": 0.0, "mud": 0.0,
                },
            }),
            seed: 5.into(),
            whole: true,
        }
    }

    fn check(&self) -> Result<Report> {
        self.folder().check()
    }

    fn folder(&self) -> HandMade {
        let frame = json!({"width": SIDE, "height": SIDE, "cell_m": 50.0});
        let params = json!({"radius_m": 500.0, "lake_level": 204.0});
        let manifest = json!({"seed": self.seed, "frame": frame, "params": params, "stats": self.stats});
        let mut folder = HandMade::new("planet", &manifest);
        let square = |v: &[f32]| AnyGrid::F32(Grid::from_vec(SIDE, SIDE, v.to_vec()));
        for (what, faces) in ["height", "depth"].iter().zip(&self.measures) {
            for (face, cells) in FACES.iter().zip(faces).filter(|f| self.whole || f.0.0 != "nz") {
                folder.layer(&format!("{what}_{}", face.0), "height", &square(cells));
            }
        }
        for (what, faces) in ["terrain", "feature"].iter().zip(&self.classes) {
            for (face, cells) in FACES.iter().zip(faces) {
                let array = AnyGrid::U8(Grid::from_vec(SIDE, SIDE, cells.clone()));
                folder.layer(&format!("{what}_{}", face.0), "", &array);
            }
        }
        folder.shapes("points", "features", &self.features);
        folder
    }
}

type Break = (&'static [&'static str], fn(&mut Sample));

const BREAKS: &[Break] = &[
    (&["planet-water"], |s| s.measures[0][2][7] = 203.0),
    (&["planet-water"], |s| s.measures[1][0][5 * SIDE + 5] = 0.5),
    (&["planet-water", "planet-shares"], |s| s.classes[0][3][0] = 6),
    (&["planet-edges"], |s| s.measures[0][1].fill(310.0)),
    (&["planet-shares"], |s| s.stats["terrain_share"]["grass"] = 0.9.into()),
    (&["planet-features", "planet-feature-degrees"], |s| s.features[0]["properties"]["x"] = 301.0.into()),
    (&["planet-feature-degrees"], |s| s.features[0]["properties"]["lon"] = 0.001.into()),
    (&["planet-feature-degrees"], |s| s.features[0]["properties"]["lon"] = 360.0.into()),
    (&["planet-feature-degrees"], |s| s.features[0]["properties"]["lat"] = Value::Null),
    (&["planet-features", "planet-feature-cells"], |s| s.features[0]["properties"]["face"] = Value::Null),
    (&["planet-feature-cells"], |s| s.features[0]["properties"]["kind"] = "mine".into()),
    (&["planet-feature-cells"], |s| s.classes[1][4][0] = 1),
    (&["planet-water", "planet-edges", "planet-features-dry"], |s| {
        s.measures[0][4].fill(290.0);
        s.measures[1][4].fill(9.0);
    }),
    (&["planet-features-dry"], |s| s.seed = 0.into()),
    (&["planet-version"], |s| s.features[0]["properties"]["version"] = 4.into()),
    (&["planet-placed"], |s| {
        s.features[0]["properties"]["kind"] = "rocket".into();
        s.classes[1][4][14 * SIDE + 8] = 8;
    }),
    (&["planet-counts"], |s| s.stats["features"] = 2.into()),
];

#[test]
fn what_is_broken_is_found_and_nothing_else() {
    let report = Sample::new().check().unwrap();
    assert!(report.ok() && report.notes.is_empty(), "{report}");
    assert!(report.rules.iter().all(|r| r.checked > 0), "{report}");
    for (rules, change) in BREAKS {
        let mut sample = Sample::new();
        change(&mut sample);
        let report = sample.check().unwrap();
        assert_eq!(folder::failing(&report), *rules, "{report}");
    }
}

#[test]
fn every_rule_has_a_folder_that_breaks_it() {
    let mut broken: BTreeSet<_> = BREAKS.iter().flat_map(|b| b.0).copied().collect();
    // That of a missing file is below.
    broken.insert("line-files");
    let rules: BTreeSet<_> = RULES.iter().copied().flatten().map(|r| r.name).collect();
    assert_eq!(broken, rules);
}

#[test]
fn what_is_missing_is_noted_or_refused() {
    let report = Sample { whole: false, ..Sample::new() }.check().unwrap();
    assert!(report.ok() && report.notes[0].contains("some of the 24 layers"), "{report}");
    assert!(
        report.notes.contains(&"planet-water was not checked: height, depth is missing".into()),
        "{report}"
    );
    let mut folder = Sample::new().folder();
    std::fs::remove_file(folder.file("features.geojson")).unwrap();
    folder.manifest["points"] = json!([]);
    assert_eq!(folder::failing(&folder.check().unwrap()), ["line-files"]);
    let message = Sample { seed: Value::Null, ..Sample::new() }.check().unwrap_err().to_string();
    assert!(message.contains("there is no seed"), "{message}");
}
