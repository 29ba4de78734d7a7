//! The forest equals the golden values of the one other implementation of its document, through `generate` itself.
//! The data and their notice are in tests/data/forest.

use serde_json::Value;
use sha2::{Digest, Sha256};
use weald::catalogue::{Catalogue, Cells};
use weald::core::{Ctx, Seed};
use weald::npy;
use weald::npy::hex;
use weald::world::forest::{self, Authored, Forest, ForestParams, classes};

fn load(name: &str) -> Value {
    let path = format!("{}/tests/data/forest/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn make(meta: &Value) -> Forest {
    let seed = Seed(meta["seed"].as_str().unwrap().parse().unwrap());
    let size = (meta["width"].as_u64().unwrap() as usize, meta["height"].as_u64().unwrap() as usize);
    forest::generate(size, Authored::default(), seed, &ForestParams::default(), &Ctx::default()).unwrap()
}

fn sha256(data: &Cells) -> String {
    let mut hash = Sha256::new();
    npy::bytes(data, |b| {
        hash.update(b);
        Ok(())
    })
    .unwrap();
    hex(&hash.finalize())
}

fn layer<'a>(catalogue: &'a Catalogue, name: &str) -> Cells<'a> {
    catalogue.layer(name).unwrap_or_else(|| panic!("layer {name}")).cells()
}

/// Hashes of whole arrays, by the names of the golden file.
fn hashes_match(file: &str, names: &[(&str, &str)]) {
    for entry in load(file)["entries"].as_array().unwrap() {
        let forest = make(entry);
        let catalogue = forest.clone().into_catalogue();
        for (golden, name) in names {
            let what = format!("{golden} of seed {} at {}", entry["seed"], entry["width"]);
            assert_eq!(entry["artifacts"][golden], sha256(&layer(&catalogue, name)), "{what}");
        }
    }
}

/// Whole arrays: integers exactly, floats within 1e-6.
fn arrays_match(file: &str, names: &[(&str, &str)]) {
    let golden = load(file);
    let forest = make(&golden["meta"]);
    let catalogue = forest.clone().into_catalogue();
    for (key, name) in names {
        let data = layer(&catalogue, name);
        let tolerance = if matches!(data, Cells::F32(_)) { 1e-6 } else { 0.0 };
        let (width, height) = data.shape();
        let expected = golden[key].as_array().unwrap();
        assert_eq!(expected.len(), width * height);
        for (i, value) in expected.iter().enumerate() {
            let (x, y) = (i % width, i / width);
            let difference = (data.at(x, y) - value.as_f64().unwrap()).abs();
            assert!(difference <= tolerance, "{file} {key} at {x},{y}: {} is not {value}", data.at(x, y));
        }
    }
}

#[test]
fn base_maps_and_topography_have_the_golden_hashes() {
    hashes_match(
        "topography-sha256.json",
        &[
            ("H", "height"),
            ("R", "roughness"),
            ("V", "vegetation_variance"),
            ("SlopeMag", "slope"),
            ("AspectDeg", "aspect_deg"),
            ("Landform", "landform"),
        ],
    );
}

#[test]
fn hydrology_equals_the_golden_arrays() {
    for file in ["hydrology-1_64x64.json", "hydrology-42_16x16.json"] {
        arrays_match(
            file,
            &[
                ("fd", "flow_direction"),
                ("fa", "flow_accumulation"),
                ("faN", "flow_accumulation_log"),
                ("lakeMask", "lake_mask"),
                ("isStream", "stream_mask"),
                ("distWater", "water_distance"),
                ("moisture", "moisture"),
                ("waterClass", "water_class"),
            ],
        );
    }
}

#[test]
fn ecology_equals_the_golden_arrays() {
    for file in ["ecology-1_64x64.json", "ecology-42_16x16.json"] {
        arrays_match(
            file,
            &[
                ("biome", "biome"),
                ("soilType", "soil"),
                ("treeDensity", "tree_density"),
                ("canopyCover", "canopy_cover"),
                ("obstruction", "obstruction"),
                ("surfaceFlags", "surface_flags"),
                ("featureFlags", "feature_flags"),
            ],
        );
        let golden = load(file);
        let forest = make(&golden["meta"]);
        let tiles = forest.cover.biome.cells().iter().zip(forest.water.moisture.cells());
        for ((&biome, &moisture), expected) in tiles.zip(golden["dominant"].as_array().unwrap()) {
            assert_eq!(serde_json::json!(classes::dominant(biome, moisture)), *expected);
        }
    }
}

#[test]
fn trails_have_the_golden_hashes() {
    hashes_match("navigation-sha256.json", &[("GameTrail", "game_trail"), ("GameTrailId", "game_trail_id")]);
}
