//! Good maps keep every rule, and the samples are what an independent program makes.

use super::sample::Sample;
use super::{run, run_arrays};
use crate::check::forest::RULES;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

#[test]
fn maps_derived_from_the_document_keep_every_rule() {
    let mut samples = vec![Sample::authored(), Sample::noise(42, 16, 16), Sample::noise(3, 40, 23)];
    samples.extend((0..12).map(|seed| Sample::rugged(seed, 20 + seed as usize, 24)));
    samples.extend([(1, 1), (1, 9), (2, 2), (7, 3)].map(|(w, h)| Sample::rugged(5, w, h)));
    for sample in samples {
        let report = run(&sample.envelope());
        assert!(report.ok(), "{report}");
        let params = sample.p();
        let report = run_arrays(sample.t, params, Some(sample.seed));
        assert!(report.ok(), "{report}");
        let names: BTreeSet<_> = report.rules.iter().map(|r| r.rule).collect();
        assert_eq!(
            names.len(),
            RULES.iter().copied().flatten().count(),
            "every rule runs when all arrays are known"
        );
    }
}

#[test]
fn the_authored_sample_shows_every_class() {
    let t = Sample::authored().t;
    let shown = |codes: &[u8]| codes.iter().copied().collect::<BTreeSet<_>>().len();
    assert_eq!(shown(&t.landform), 5);
    assert_eq!(shown(&t.water_class), 4);
    assert_eq!(shown(&t.biome), 7);
    assert_eq!(shown(&t.soil), 3);
    for flags in [&t.surface_flags, &t.feature_flags, &t.followable] {
        let all = flags.iter().fold(0, |a, b| a | b);
        assert!(all == 31 || all == 15);
    }
    assert!(t.cliff_edge.iter().any(|&c| c != 0));
    let classes: BTreeSet<u16> =
        t.passability.iter().flat_map(|p| (0..8).map(move |d| p >> (2 * d) & 3)).collect();
    assert_eq!(classes.len(), 3);
    assert!(t.game_trail_id.iter().any(|&k| k > 2));
}

#[test]
fn the_sample_and_so_the_rules_agree_with_an_independent_program() {
    let read = |name: &str| -> Value {
        let file = format!("{}/tests/data/forest/{name}", env!("CARGO_MANIFEST_DIR"));
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
    };
    let t = Sample::noise(42, 16, 16).t;
    let hashes = |name: &str| {
        let all = read(name);
        let of_map = |e: &&Value| e["seed"] == "42" && e["width"] == 16;
        all["entries"].as_array().unwrap().iter().find(of_map).unwrap()["artifacts"].clone()
    };
    let (land, trails) = (hashes("topography-sha256.json"), hashes("navigation-sha256.json"));
    let hash = |bytes: Vec<u8>| Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect::<String>();
    for (name, values) in [
        ("H", &t.height),
        ("R", &t.roughness),
        ("V", &t.vegetation_variance),
        ("SlopeMag", &t.slope),
        ("AspectDeg", &t.aspect_deg),
    ] {
        assert_eq!(hash(values.iter().flat_map(|v| v.to_le_bytes()).collect()), land[name], "{name}");
    }
    assert_eq!(hash(t.landform.clone()), land["Landform"]);
    assert_eq!(hash(t.game_trail.clone()), trails["GameTrail"]);
    let ids = t.game_trail_id.iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(hash(ids), trails["GameTrailId"]);
    let (water, life) = (read("hydrology-42_16x16.json"), read("ecology-42_16x16.json"));
    let whole =
        |v: &Value| v.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as u32).collect::<Vec<_>>();
    let wide = |v: &[u8]| v.iter().map(|&v| v as u32).collect::<Vec<_>>();
    assert_eq!(wide(&t.flow_direction), whole(&water["fd"]));
    assert_eq!(t.flow_accumulation, whole(&water["fa"]));
    assert_eq!(wide(&t.water_class), whole(&water["waterClass"]));
    assert_eq!(t.water_distance.iter().map(|&d| d as u32).collect::<Vec<_>>(), whole(&water["distWater"]));
    assert_eq!(wide(&t.biome), whole(&life["biome"]));
    assert_eq!(wide(&t.soil), whole(&life["soilType"]));
    assert_eq!(wide(&t.surface_flags), whole(&life["surfaceFlags"]));
    assert_eq!(wide(&t.feature_flags), whole(&life["featureFlags"]));
    for (name, from, values) in [
        ("faN", &water, &t.flow_accumulation_log),
        ("moisture", &water, &t.moisture),
        ("treeDensity", &life, &t.tree_density),
        ("canopyCover", &life, &t.canopy_cover),
        ("obstruction", &life, &t.obstruction),
    ] {
        for (a, b) in values.iter().zip(from[name].as_array().unwrap()) {
            assert!((*a as f64 - b.as_f64().unwrap()).abs() <= 1e-6, "{name}: {a} {b}");
        }
    }
    let envelope = Sample::noise(42, 16, 16).envelope();
    for (tile, species) in
        envelope["tiles"].as_array().unwrap().iter().zip(life["dominant"].as_array().unwrap())
    {
        assert_eq!(&tile["vegetation"]["dominant"], species);
    }
}
