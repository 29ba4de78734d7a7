//! Flow and accumulation.

use super::sample::{Sample, Stage};
use super::{after, edited, failing, run, run_arrays, tile};
use crate::check::forest::flow::{Way, ways_down};
use crate::check::forest::params::Params;
use crate::check::forest::tiles::Tiles;
use crate::check::forest::world::World;
use weald_core::math;

/// The ways down from each tile of the authored map.
fn ways_of(t: &Tiles) -> Vec<Vec<Way>> {
    let w = World::new(t.clone(), Params::default(), None);
    (0..w.len()).map(|i| ways_down(&w, i)).collect()
}

/// Sends the water of one tile elsewhere and derives all that follows.
fn redirected(choose: impl Fn(&Tiles, &[Vec<Way>]) -> (usize, u8)) -> Vec<&'static str> {
    let mut sample = Sample::authored();
    let (i, d) = choose(&sample.t, &ways_of(&sample.t));
    sample.t.flow_direction[i] = d;
    sample.accumulate();
    sample.derive(Stage::Water);
    failing(&run(&sample.envelope()))
}

#[test]
fn water_that_does_not_take_the_greatest_drop_is_found() {
    let lesser = |t: &Tiles, ways: &[Vec<Way>]| {
        let taken =
            |i: usize| ways[i].iter().find(|w| w.dir.0 == t.flow_direction[i]).map_or(0.0, |w| w.drop);
        let i = tile(t, |i| ways[i].iter().any(|w| w.drop < taken(i) - 1e-3));
        (i, ways[i].iter().find(|w| w.drop < taken(i) - 1e-3).unwrap().dir.0)
    };
    assert_eq!(redirected(lesser), ["flow-downhill"]);
    assert_eq!(redirected(|t, _| (tile(t, |i| t.flow_direction[i] != 255), 255)), ["flow-downhill"]);
    assert_eq!(redirected(|_, _| (0, 6)), ["flow-downhill"], "north of the first row is no tile");
    assert_eq!(
        redirected(|t, _| (tile(t, |i| t.flow_direction[i] == 255), 0)).first(),
        Some(&"flow-downhill")
    );
}

#[test]
fn the_wrong_one_of_equal_drops_is_found_if_the_seed_is_known() {
    let other = |t: &Tiles, ways: &[Vec<Way>]| {
        let equal = |i: usize, w: &&Way| {
            let taken = ways[i].iter().find(|w| w.dir.0 == t.flow_direction[i]);
            taken.is_some_and(|taken| w.dir != taken.dir && (w.drop - taken.drop).abs() < 1e-8)
        };
        let i = tile(t, |i| ways[i].iter().any(|w| equal(i, &w)));
        (i, ways[i].iter().find(|w| equal(i, w)).unwrap().dir.0)
    };
    assert_eq!(redirected(other), ["flow-tie-break"]);
    assert_eq!(edited(|e| e["meta"]["seed"] = "8".into()), ["flow-tie-break"]);
    assert!(edited(|e| e["meta"]["seed"] = 7.into()).is_empty(), "a seed may be a number");
    let mut envelope = Sample::authored().envelope();
    envelope["meta"].as_object_mut().unwrap().remove("seed");
    let report = run(&envelope);
    assert!(report.ok() && report.notes.iter().any(|n| n.contains("seed")), "{report}");
    assert!(report.rules.iter().all(|r| r.rule != "flow-tie-break"));
}

#[test]
fn water_in_a_circle_is_found() {
    let t = Tiles { columns: 3, rows: 2, flow_direction: vec![0, 2, 255, 6, 4, 4], ..Tiles::default() };
    let report = run_arrays(t, Params::default(), None);
    assert_eq!(failing(&report), ["flow-acyclic"]);
    let rule = report.rules.iter().find(|r| r.rule == "flow-acyclic").unwrap();
    assert_eq!((rule.violations, rule.checked), (4, 6), "the four tiles of the circle and no others");
}

#[test]
fn wrong_sums_of_water_are_found() {
    let share = |t: &mut Tiles| {
        let most = math::ln(*t.flow_accumulation.iter().max().unwrap() as f64);
        t.flow_accumulation_log =
            t.flow_accumulation.iter().map(|&a| (math::ln(a as f64) / most) as f32).collect();
    };
    let inside = |t: &mut Tiles| {
        let i = tile(t, |i| t.flow_direction[i] != 255 && t.flow_accumulation[i] == 1);
        t.flow_accumulation[i] += 1;
        share(t);
    };
    assert_eq!(after(inside, Some(Stage::Water)), ["flow-accumulation"]);
    let outlet = |t: &mut Tiles| {
        let i = tile(t, |i| t.flow_direction[i] == 255 && t.flow_accumulation[i] == 1);
        t.flow_accumulation[i] += 1;
        share(t);
    };
    assert_eq!(after(outlet, Some(Stage::Water)), ["flow-accumulation", "outlets-sum"]);
    assert_eq!(after(|t| t.flow_accumulation_log[36] += 1e-5, Some(Stage::Water)), ["flow-accum-n"]);
}
