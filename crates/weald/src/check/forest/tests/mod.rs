//! Each rule passes maps derived from the document and finds what is changed in them.

mod cover;
mod flow;
mod land;
mod navigation;
mod params;
mod ranges;
mod read;
pub(in crate::check) mod sample;
mod trails;
mod water;
mod whole_maps;

use super::params::{Params, Settings};
use super::tiles::Tiles;
use crate::check::Report;
use sample::{Sample, Stage};
use serde_json::Value;
use std::path::Path;

/// Checks a file of tiles.
fn run(envelope: &Value) -> Report {
    super::envelope(&mut envelope.to_string().as_bytes(), Path::new("test.json")).unwrap()
}

/// The rules that are broken.
fn failing(report: &Report) -> Vec<&'static str> {
    report.rules.iter().filter(|r| r.violations > 0).map(|r| r.rule).collect()
}

/// Changes one thing in a good map, derives again what comes after, and names the rules that fail.
fn after(change: impl FnOnce(&mut Tiles), next: Option<Stage>) -> Vec<&'static str> {
    let mut sample = Sample::authored();
    change(&mut sample.t);
    if let Some(next) = next {
        sample.derive(next);
    }
    failing(&run(&sample.envelope()))
}

/// Runs the rules on arrays, as for a folder.
fn run_arrays(t: Tiles, params: Params, seed: Option<u64>) -> Report {
    let mut report = Report::default();
    super::run(t, Settings { params, seed }, &mut report).unwrap();
    report
}

/// Changes one thing in a good map and names the rules that fail on all its arrays.
fn with_layers(change: impl FnOnce(&mut Tiles)) -> Vec<&'static str> {
    let mut sample = Sample::authored();
    change(&mut sample.t);
    let params = sample.p();
    failing(&run_arrays(sample.t, params, Some(sample.seed)))
}

/// Changes one thing in a good file and names the rules that fail.
fn edited(change: impl FnOnce(&mut Value)) -> Vec<&'static str> {
    let mut envelope = Sample::authored().envelope();
    change(&mut envelope);
    failing(&run(&envelope))
}

/// The first tile for which `wanted` holds.
fn tile(t: &Tiles, wanted: impl Fn(usize) -> bool) -> usize {
    (0..t.columns * t.rows).find(|&i| wanted(i)).expect("the sample has such a tile")
}

/// Whether a tile lies off the edge.
fn inner(t: &Tiles, i: usize) -> bool {
    let (x, y) = (i % t.columns, i / t.columns);
    (1..t.columns - 1).contains(&x) && (1..t.rows - 1).contains(&y)
}

/// Whether a tile has no water.
fn dry(t: &Tiles, i: usize) -> bool {
    t.water_class[i] == 0
}
