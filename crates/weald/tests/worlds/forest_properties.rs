//! What holds for every forest: odd sizes, odd parameters, any number of threads.

use serde_json::{Value, json};
use std::io::Write;
use weald::catalogue::Cells;
use weald::core::AnyGrid;
use weald::core::{Ctx, Grid, Seed, math};
use weald::export::Sink;
use weald::npy;
use weald::params::ParamTree;
use weald::world::forest::params::Source;
use weald::world::forest::tiles::{self, Cliffs, Layout};
use weald::world::forest::{self, Authored, Forest, ForestParams, classes};
use weald::{Error, check};

fn make(size: (usize, usize), seed: u64, p: &ForestParams) -> Forest {
    forest::generate(size, Authored::default(), Seed(seed), p, &Ctx::default()).unwrap()
}

fn derive(height: Grid<f32>, p: &ForestParams) -> Forest {
    let size = (height.width(), height.height());
    let authored = Authored { height: Some(height), ..Authored::default() };
    forest::generate(size, authored, Seed(3), p, &Ctx::default()).unwrap()
}

fn envelope(forest: &Forest, layout: Layout, cliffs: Cliffs) -> Vec<u8> {
    let mut bytes = Vec::new();
    let catalogue = forest.clone().into_catalogue();
    tiles::write(&catalogue, layout, cliffs, &mut Sink::new("memory", &mut bytes), &Ctx::default()).unwrap();
    bytes
}

/// Every layer is finite, and the tiles pass the independent checker.
fn holds_together(forest: &Forest, what: &str) {
    for layer in forest.clone().into_catalogue().layers {
        if let Cells::F32(grid) = layer.cells() {
            let bad = grid.cells().iter().position(|v| !v.is_finite() || v.to_bits() == (-0.0f32).to_bits());
            assert_eq!(bad, None, "{what}: {} holds a value that is no canonical number", layer.name);
        }
    }
    let mut file = tempfile::Builder::new().suffix(".json").tempfile().unwrap();
    file.write_all(&envelope(forest, Layout::Json, Cliffs::Include)).unwrap();
    let report = check::path(file.path()).unwrap();
    assert!(report.ok(), "{what}:\n{report}");
}

/// Hash of every layer.
fn hashes(forest: &Forest) -> Vec<(&'static str, String)> {
    let layers = forest.clone().into_catalogue().layers;
    layers.iter().map(|l| (l.name, npy::sha256(&l.cells()))).collect()
}

#[test]
fn odd_sizes_give_whole_worlds() {
    for size in [(1, 1), (1, 2), (1, 40), (40, 1), (2, 2), (3, 3), (17, 3), (33, 65)] {
        for inset in [0, 1, 2, 1000] {
            let mut p = ForestParams::default();
            p.grid.playable_inset = inset;
            holds_together(&make(size, 5, &p), &format!("{size:?} with inset {inset}"));
        }
    }
}

fn shaped() -> ForestParams {
    let mut p = ForestParams::default();
    p.elevation.source = Source::Shaped;
    p
}

#[test]
fn on_shaped_land_only_the_border_lacks_a_lower_neighbour() {
    for size in [(1, 1), (1, 2), (1, 40), (40, 1), (2, 2), (3, 3), (17, 3), (33, 65), (130, 97)] {
        for lakes in [0.0, 1.0] {
            let mut p = shaped();
            p.elevation.lakes = lakes;
            p.hydrology.min_drop_threshold = 0.0;
            let forest = make(size, 5, &p);
            holds_together(&forest, &format!("shaped, {size:?}"));
            let (w, h) = size;
            for ((x, y), d) in forest.water.directions.iter() {
                let border = x == 0 || y == 0 || x + 1 == w || y + 1 == h;
                assert!(border || d.is_some(), "{size:?}: no way down from {x}, {y}");
            }
            assert!(forest.land.height.cells().iter().all(|h| (0.0..=1.0).contains(h)));
        }
    }
}

#[test]
fn lakes_of_shaped_land_are_level_and_can_be_left_out() {
    let p = shaped();
    let mut dry = shaped();
    dry.elevation.lakes = 0.0;
    let (with, without) = (make((128, 128), 2, &p).land.height, make((128, 128), 2, &dry).land.height);
    let raised = with.iter().filter(|(at, h)| **h > without[*at] + 0.002).map(|(at, _)| at);
    let level = |(x, y): (usize, usize)| {
        let near = [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))];
        near.iter().any(|&n| with.get(n.0, n.1).is_some_and(|h| (h - with[(x, y)]).abs() < 1e-4))
    };
    let (all, flat) = raised.fold((0, 0), |(all, flat), at| (all + 1, flat + level(at) as usize));
    assert!(all > 100, "only {all} tiles are under water");
    assert!(flat as f64 > 0.9 * all as f64, "{flat} of {all} tiles are level");
}

#[test]
fn a_given_height_map_takes_the_place_of_shaped_land() {
    let height = Grid::from_vec(20, 20, (0..400).map(|i| i as f32 / 400.0).collect());
    assert_eq!(derive(height.clone(), &shaped()).land.height, height);
}

#[test]
fn the_envelope_names_the_source_of_heights_only_where_it_is_not_the_documents() {
    let meta = |p: &ForestParams| {
        let text = envelope(&make((8, 8), 1, p), Layout::Ndjson, Cliffs::Omit);
        let first = text.split(|&b| b == b'\n').next().unwrap();
        serde_json::from_slice::<Value>(first).unwrap()["meta"]["params"]["elevation"].clone()
    };
    assert_eq!(meta(&ForestParams::default()), Value::Null);
    assert_eq!(meta(&shaped()), json!({"source": "shaped", "lakes": 0.6}));
}

#[test]
fn flat_and_extreme_maps_give_whole_worlds() {
    let p = ForestParams::default();
    for value in [0.0, 0.5, 1.0] {
        let forest = derive(Grid::filled(20, 20, value), &p);
        assert!(forest.water.accumulation.cells().iter().all(|&a| a == 1));
        assert!(forest.water.accumulation_log.cells().iter().all(|&a| a == 0.0));
        holds_together(&forest, &format!("flat at {value}"));
    }
    let stripes = Grid::from_vec(20, 20, (0..400).map(|i| (i % 2) as f32).collect());
    holds_together(&derive(stripes, &p), "stripes");
    let cone = |i: usize| {
        1.0 - math::clamp01(((i % 41) as f64 - 20.0).abs().max(((i / 41) as f64 - 20.0).abs()) / 20.0)
    };
    holds_together(
        &derive(Grid::from_vec(41, 41, (0..41 * 41).map(|i| cone(i) as f32).collect()), &p),
        "cone",
    );
}

#[test]
fn an_authored_cliff_blocks_the_way_up_and_not_the_way_down() {
    let mut height = Grid::filled(9, 9, 0.2f32);
    (0..9).for_each(|y| height.row_mut(y)[5..].fill(0.8));
    let f = derive(height, &ForestParams::default());
    let step = |x: usize, d: u16| f.navigation.passability[(x, 4)] >> (2 * d) & 3;
    assert_eq!(step(4, 0), classes::BLOCKED as u16);
    assert_eq!(step(5, 4), classes::PASSABLE as u16);
    assert_eq!(f.navigation.cliffs[(4, 4)], 0b1000_0011, "cliffs to the east, south-east and north-east");
    assert_eq!(f.navigation.cliffs[(5, 4)], 0);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for p in [ForestParams::default(), shaped()] {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let forest = make((150, 131), 9, &p);
                (hashes(&forest), envelope(&forest, Layout::Json, Cliffs::Omit))
            })
        };
        let one = on(1);
        assert_eq!(on(2), one);
        assert_eq!(on(7), one);
    }
}

#[test]
fn a_trail_parameter_leaves_every_earlier_layer_as_it_was() {
    let p = ForestParams::default();
    let mut q = p.clone();
    q.game_trails.w_slope = 9.0;
    q.game_trails.seed_tiles_per_trail = 100;
    let (a, b) = (hashes(&make((96, 96), 4, &p)), hashes(&make((96, 96), 4, &q)));
    let trails = a.iter().position(|l| l.0 == "game_trail").unwrap();
    assert_eq!(a[..trails], b[..trails]);
    let later: Vec<&str> =
        a[trails..].iter().zip(&b[trails..]).filter(|(a, b)| a != b).map(|(a, _)| a.0).collect();
    assert_eq!(later, ["game_trail", "game_trail_id", "move_cost", "followable"]);
}

#[test]
fn deriving_from_its_own_base_maps_gives_the_same_world() {
    let p = ForestParams::default();
    let made = make((50, 40), 8, &p);
    let authored = Authored {
        height: Some(made.land.height.clone()),
        roughness: Some(made.land.roughness.clone()),
        vegetation_variance: None,
    };
    let again = forest::generate((50, 40), authored, Seed(8), &p, &Ctx::default()).unwrap();
    assert_eq!(hashes(&again), hashes(&made));
}

#[test]
fn a_minus_zero_in_an_authored_map_becomes_zero() {
    let mut height = Grid::filled(6, 6, 0.5f32);
    height[(2, 3)] = -0.0;
    holds_together(&derive(height, &ForestParams::default()), "minus zero");
}

#[test]
fn maps_that_do_not_fit_are_refused_with_the_place() {
    let run = |grid: Grid<f32>| {
        let authored = Authored { roughness: Some(grid), ..Authored::default() };
        forest::generate((4, 3), authored, Seed(1), &ForestParams::default(), &Ctx::default())
            .map(|_| ())
            .unwrap_err()
    };
    assert!(
        matches!(run(Grid::filled(3, 4, 0.5)), Error::Shape(m) if m.contains("3x4") && m.contains("4x3"))
    );
    let mut grid = Grid::filled(4, 3, 0.5f32);
    grid[(2, 1)] = f32::NAN;
    assert!(matches!(run(grid), Error::Invalid(m) if m.contains("x=2, y=1")));
}

#[test]
fn tiles_match_their_schema_and_hold_the_layers() {
    let schema: Value = serde_json::from_str(tiles::SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let forest = make((24, 17), 42, &ForestParams::default());
    let text = envelope(&forest, Layout::Json, Cliffs::Include);
    let value: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(
        validator.iter_errors(&value).map(|e| e.to_string()).collect::<Vec<_>>(),
        Vec::<String>::new()
    );
    assert_eq!(value["meta"]["specVersion"], "forest-terrain-v1");
    assert_eq!(value["meta"]["params"]["gameTrails"]["seedTilesPerTrail"], 450);
    for (i, tile) in value["tiles"].as_array().unwrap().iter().enumerate() {
        let (x, y) = (i % 24, i / 24);
        assert_eq!(tile["id"], format!("forest:{x},{y}"));
        assert_eq!(tile["position"], json!({"x": x, "y": y}));
        let float = |group: &str, key: &str| tile[group][key].to_string().parse::<f32>().unwrap();
        assert_eq!(float("topography", "elevation"), forest.land.height.cells()[i]);
        assert_eq!(float("navigation", "moveCost"), forest.navigation.move_cost.cells()[i]);
        let names: Vec<&String> = tile["navigation"]["passability"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]);
    }
    let mut broken = value.clone();
    broken["tiles"][0]["topography"]["landform"] = "plateau".into();
    assert!(!validator.is_valid(&broken));
    let mut lines = String::from_utf8(envelope(&forest, Layout::Ndjson, Cliffs::Include)).unwrap();
    assert_eq!(lines.pop(), Some('\n'));
    let lines: Vec<Value> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines[0]["meta"], value["meta"]);
    assert_eq!(Value::from(lines[1..].to_vec()), value["tiles"]);
}

/// A value for a parameter: usually in its range, now and then at an end, beyond it, or of another type.
fn pick(schema: &Value, dice: u64, within: f64) -> Value {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let word = words.get((dice % 40) as usize % (words.len() + 1));
        return word.cloned().unwrap_or(json!("wet"));
    }
    let bound = |a: &str, b: &str| schema.get(a).or_else(|| schema.get(b)).and_then(Value::as_f64).unwrap();
    let (low, high) = (bound("minimum", "exclusiveMinimum"), bound("maximum", "exclusiveMaximum"));
    let number = match dice % 40 {
        0 => low,
        1 => high,
        2 => low - 1.0,
        3 => high * 2.0 + 1.0,
        4 => return json!("wet"),
        5 => return json!(null),
        6..20 => low + (high - low).min(1.0) * within,
        _ => low + (high - low) * within * within,
    };
    let whole = schema["type"] == "integer";
    json!(if whole { number.round() } else { number })
}

/// Runs one random set of parameters; true if a world came out.
fn random_parameters_run(n: u64) -> bool {
    let seed = Seed(n);
    let mut tree = ParamTree::of::<ForestParams>();
    for (i, leaf) in tree.leaves().iter().enumerate() {
        if seed.unit_at(i as i64, 0) < 0.25 {
            let value = pick(&leaf.schema, seed.at(i as i64, 1), seed.unit_at(i as i64, 2));
            tree.set(&leaf.path, value, "test");
        }
    }
    let size = (1 + (seed.at(0, 3) % 14) as usize, 1 + (seed.at(0, 4) % 14) as usize);
    let params: ForestParams = match tree.finish() {
        Ok(params) => params,
        Err(Error::Params(problems)) => {
            for problem in problems {
                let told = problem.value.is_some() && problem.message.starts_with("must be");
                assert!(told && !problem.path.is_empty(), "no path, value and range: {problem}");
            }
            return false;
        }
        Err(other) => panic!("set {n}: {other}"),
    };
    let forest = make(size, n, &params);
    for layer in forest.clone().into_catalogue().layers {
        if let Cells::F32(grid) = layer.cells() {
            assert!(grid.cells().iter().all(|v| v.is_finite()), "set {n}: {} is not finite", layer.name);
        }
    }
    if n.is_multiple_of(50) {
        holds_together(&forest, &format!("set {n}"));
    }
    true
}

fn random_parameter_sets_run(count: u64) {
    let worlds = (0..count).filter(|&n| random_parameters_run(n)).count() as u64;
    let mixed = count / 20..count - count / 20;
    assert!(mixed.contains(&worlds), "{worlds} of {count} gave a world: the sets are not mixed");
}

#[test]
fn a_thousand_random_parameter_sets_give_a_world_or_an_error_with_path_value_and_range() {
    random_parameter_sets_run(1_000);
}

#[test]
#[ignore = "takes minutes; cargo xtask bench forest runs it"]
fn ten_thousand_random_parameter_sets_give_a_world_or_an_error_with_path_value_and_range() {
    random_parameter_sets_run(10_000);
}

#[test]
fn both_ends_of_every_range_run() {
    for leaf in ParamTree::of::<ForestParams>().leaves() {
        for key in ["minimum", "maximum"] {
            let Some(end) = leaf.schema.get(key) else { continue };
            let mut tree = ParamTree::of::<ForestParams>();
            tree.set(&leaf.path, end.clone(), "test");
            match tree.finish::<ForestParams>() {
                Ok(p) => holds_together(&make((12, 10), 2, &p), &format!("{} = {end}", leaf.path)),
                // An end may contradict another default; the message says so.
                Err(e) => assert!(e.to_string().contains(" must be "), "{e}"),
            }
        }
    }
}

#[test]
fn layers_written_as_npy_read_back() {
    let forest = make((30, 20), 1, &ForestParams::default());
    for layer in forest.clone().into_catalogue().layers {
        let mut file = Vec::new();
        npy::write(&mut file, &layer.cells()).unwrap();
        let again = npy::read(&mut file.as_slice()).unwrap();
        let same = match (&again, layer.cells()) {
            (AnyGrid::F32(a), Cells::F32(b)) => a == b,
            (AnyGrid::U8(a), Cells::U8(b)) => a == b,
            (AnyGrid::U8(a), Cells::Dir(b)) => a.cells().iter().eq(b.cells().iter().map(|d| &d.0)),
            (AnyGrid::U16(a), Cells::U16(b)) => a == b,
            (AnyGrid::U32(a), Cells::U32(b)) => a == b,
            (AnyGrid::I32(a), Cells::I32(b)) => a == b,
            _ => false,
        };
        assert!(same, "{}", layer.name);
    }
}
