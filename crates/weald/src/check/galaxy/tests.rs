//! Folders of a galaxy made by hand, good ones and broken ones.

use super::RULES;
use super::space::star;
use crate::check::Report;
use crate::check::tests::folder::{self, HandMade};
use crate::error::Result;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use weald_core::{AnyGrid, Grid};

const SEED: u64 = 9;
const CELLS: usize = 2;

/// Two columns of space, the western one with a star.
#[derive(Clone)]
struct Sample {
    params: Value,
    table: Option<String>,
    points: Vec<Value>,
    /// The sum, then near, middle and far.
    gas: [Vec<f32>; 4],
    counts: Vec<u16>,
    stats: Value,
    /// How many points the manifest says there are, 0 for as many as there are.
    count: usize,
}

impl Sample {
    fn new() -> Self {
        // The first star of a long column, found by the test for stars.
        let place = |i: i64| [i % 100, 3, i / 100];
        let (place, (byte, planets, colour)) =
            (0..).find_map(|i| Some((place(i), star(SEED, place(i))?))).unwrap();
        let [x, y, z] = place;
        let magnitude = -5.0 + 14.0 * f64::from(byte) / 7.0;
        let about =
            json!({"x": x, "y": y, "z": z, "magnitude": magnitude, "planets": planets, "colour": colour});
        let by_planets: Vec<u32> = (0..16).map(|p| u32::from(p == planets)).collect();
        // From the viewer, one light year in front of the block and one cell east of the star.
        let distance = 2f64.sqrt();
        Self {
            params: json!({
                "at": {"x": x + 1, "y": y, "z": z - 1}, "depth_ly": 1,
                "stars": {"min_magnitude": -5.0, "magnitude_range": 14.0, "visible_below": 100.0},
            }),
            table: Some(format!(
                "x,y,z,magnitude,planets,colour\n{x},{y},{z},{magnitude},{planets},{colour}\n"
            )),
            points: vec![folder::point(0, json!([0.5, 0.5]), about)],
            gas: [vec![6.0; CELLS], vec![1.0; CELLS], vec![2.0; CELLS], vec![3.0; CELLS]],
            counts: vec![1, 0],
            stats: json!({
                "stars": 1, "density_per_ly3": 0.5, "stars_by_planets": by_planets,
                "nearest_visible": {"distance_ly": distance},
            }),
            count: 0,
        }
    }

    fn check(&self) -> Result<Report> {
        let frame = json!({"width": CELLS, "height": 1, "cell_m": 1.0});
        let manifest = json!({"seed": SEED, "frame": frame, "params": self.params, "stats": self.stats});
        let mut folder = HandMade::new("galaxy", &manifest);
        for (name, cells) in ["nebula", "nebula_near", "nebula_middle", "nebula_far"].iter().zip(&self.gas) {
            folder.layer(name, "", &AnyGrid::F32(Grid::from_vec(CELLS, 1, cells.clone())));
        }
        folder.layer("stars", "stars", &AnyGrid::U16(Grid::from_vec(CELLS, 1, self.counts.clone())));
        folder.shapes("points", "stars", &self.points);
        if self.count > 0 {
            folder.manifest["points"][0]["count"] = self.count.into();
        }
        if let Some(table) = &self.table {
            folder.listed("stars.csv", table.as_bytes());
        }
        folder.check()
    }
}

type Break = (&'static [&'static str], fn(&mut Sample));

const BREAKS: &[Break] = &[
    (&["galaxy-stars", "galaxy-points"], |s| {
        let table = s.table.as_mut().unwrap();
        let end = table.trim_end().rfind(',').unwrap();
        table.replace_range(end.., ",99\n");
    }),
    (&["galaxy-no-more-stars", "galaxy-star-layer", "galaxy-points", "galaxy-stats"], |s| {
        s.table = Some("x,y,z,magnitude,planets,colour\n".into());
    }),
    (&["galaxy-star-layer"], |s| s.counts[1] = 1),
    (&["galaxy-points"], |s| s.points[0]["properties"]["x"] = (-1).into()),
    (&["galaxy-points"], |s| s.points.clear()),
    (&["galaxy-stats"], |s| s.stats["stars"] = 2.into()),
    (&["galaxy-stats"], |s| s.stats["nearest_visible"] = Value::Null),
    (&["line-files"], |s| s.count = 2),
    (&["galaxy-gas"], |s| s.gas[3][1] = 3.5),
    (&["galaxy-gas"], |s| (s.gas[1][0], s.gas[2][0]) = (-1.0, 4.0)),
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
    let broken: BTreeSet<_> = BREAKS.iter().flat_map(|b| b.0).copied().collect();
    let rules: BTreeSet<_> = RULES.iter().copied().flatten().map(|r| r.name).collect();
    assert_eq!(broken, rules);
}

#[test]
fn without_a_table_the_gas_is_still_checked() {
    let mut sample = Sample { table: None, ..Sample::new() };
    let report = sample.check().unwrap();
    assert!(report.ok() && report.notes[0].contains("there is no stars.csv"), "{report}");
    sample.gas[0][0] = 1.0;
    assert_eq!(folder::failing(&sample.check().unwrap()), ["galaxy-gas"]);
    sample.table = Some("x,y\n".into());
    assert!(sample.check().unwrap_err().to_string().contains("stars.csv:1: must be x,y,z"));
}
