//! What holds for every island: rivers, coasts, odd sizes, odd parameters, drawn maps, any number of threads.

use crate::island_rules::{Verdict, ground, outline, rivers, sea_floor};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use weald::Error;
use weald::core::ctx::Watch;
use weald::core::hydro::{Order, River};
use weald::core::{Ctx, Dir8, Grid, Seed};
use weald::params::ParamTree;
use weald::world::island::params::Relief;
use weald::world::island::{Authored, Island, IslandParams, generate};

/// Sizes at which nothing is as usual.
const ODD: [(usize, usize); 8] = [(1, 1), (1, 2), (1, 40), (40, 1), (2, 2), (3, 3), (3, 200), (17, 4)];

fn make(size: (usize, usize), seed: u64, p: &IslandParams) -> Island {
    generate(size, None, Seed(seed), p, &Ctx::default()).unwrap()
}

fn draw(map: Authored, p: &IslandParams) -> Island {
    let size = match &map {
        Authored::Land(grid) => (grid.width(), grid.height()),
        Authored::Height(grid) => (grid.width(), grid.height()),
    };
    generate(size, Some(map), Seed(3), p, &Ctx::default()).unwrap()
}

/// Many small rivers, so that a small map has orders and meetings.
fn dense() -> IslandParams {
    let mut p = IslandParams::default();
    (p.rivers.spring_area, p.rivers.river_spacing) = (12, 6.0);
    (p.elevation.min_peak_elevation, p.elevation.roughness_scale) = (5.0, 0.04);
    (p.harbours.harbour_spacing, p.harbours.min_shelter) = (10.0, 0.3);
    p
}

/// What holds for every map.
fn rules(island: &Island) -> Verdict {
    ground(island).and_then(|()| rivers(island))
}

/// What holds for every map that nobody drew.
fn all_rules(island: &Island) -> Verdict {
    outline(island).and_then(|()| sea_floor(island)).and_then(|()| rules(island))
}

fn assert_whole(island: &Island, what: &str) {
    let verdict = all_rules(island);
    let size = (island.frame.width, island.frame.height);
    assert!(verdict.is_ok(), "{what}, {size:?}, seed {}: {}", island.seed.0, verdict.unwrap_err());
}

/// Hash of every layer.
fn hashes(island: &Island) -> Vec<(&'static str, String)> {
    let layers = island.clone().into_catalogue().layers;
    layers.iter().map(|l| (l.name, weald::npy::sha256(&l.cells()))).collect()
}

#[test]
fn every_rule_holds_for_many_seeds_and_the_rivers_have_orders_and_tributaries() {
    let (mut highest, mut tributaries) = (0, 0);
    for seed in 1..=30 {
        for size in [(96, 96), (72, 48), (48, 90)] {
            assert_whole(&make(size, seed, &IslandParams::default()), "defaults");
            let island = make(size, seed, &dense());
            assert_whole(&island, "dense");
            highest = island.river_order.cells().iter().copied().fold(highest, u8::max);
            tributaries += island.rivers.iter().filter(|r| r.parent.is_some()).count();
        }
    }
    assert!(highest >= 3 && tributaries > 300, "order {highest}, {tributaries} tributaries");
}

#[test]
fn steep_meanders_and_level_ground_keep_the_rules() {
    for seed in 1..=6 {
        for (strength, roughness, spring) in [(1.0, 1.0, 4), (1.0, 0.0, 1), (0.0, 0.0, 9), (0.0, 1.0, 1)] {
            let mut p = dense();
            p.elevation.relief = if seed % 2 == 0 { Relief::Distance } else { Relief::Shaped };
            p.rivers.river_meander_strength = strength;
            p.elevation.roughness = roughness;
            p.rivers.spring_area = spring;
            assert_whole(&make((64, 64), seed, &p), &format!("{strength}, {roughness}, {spring}"));
        }
    }
}

#[test]
fn land_has_the_asked_share_to_one_cell_from_none_to_all() {
    for tenths in 0..=10 {
        let mut p = dense();
        p.shape.land_fraction = tenths as f64 / 10.0;
        for (size, seed) in [((64, 48), 1), ((64, 48), 2), ((61, 7), 3), ((5, 5), 4)] {
            assert_whole(&make(size, seed, &p), &format!("{tenths} tenths"));
        }
    }
    let mut p = dense();
    for land_fraction in [0.0, 1.0] {
        p.shape.land_fraction = land_fraction;
        let island = make((64, 48), 5, &p);
        assert!(island.land.cells().iter().all(|&l| f64::from(l) == land_fraction));
        assert_eq!(island.harbours, [], "a harbour needs both land and sea");
        assert_eq!(island.rivers.is_empty(), land_fraction == 0.0);
        let stats = island.clone().into_catalogue().figures;
        assert_eq!(stats["land_share"], land_fraction);
        assert_eq!(stats["islands"], land_fraction as u32);
    }
}

#[test]
fn without_springs_every_river_begins_at_a_peak() {
    for seed in 1..=8 {
        let mut p = dense();
        p.rivers.spring_area = 0;
        let island = make((96, 96), seed, &p);
        assert_whole(&island, "no springs");
        assert!(!island.rivers.is_empty());
        for river in &island.rivers {
            assert!(island.peaks.contains(&river.cells[0]), "seed {seed}: {}", river.cells[0]);
        }
    }
}

#[test]
fn the_highest_peak_has_its_height_and_relief_scales_with_it() {
    for (seed, peak) in [(1, 300.0), (2, 40.0), (3, 2600.0)] {
        let mut p = dense();
        (p.elevation.peak_elevation, p.noise.noise_amplitude) = (peak, 0.0);
        (p.valleys.depth_m, p.valleys.depth_per_order_m) = (0.0, 0.0);
        for relief in [Relief::Shaped, Relief::Distance] {
            p.elevation.relief = relief;
            let island = make((120, 100), seed, &p);
            let highest = island.water.height.cells().iter().copied().fold(0.0, f32::max);
            assert!((f64::from(highest) / peak - 1.0).abs() < 1e-3, "{highest} of {peak}, {relief:?}");
        }
    }
}

#[test]
fn noise_leaves_the_beds_of_rivers_as_they_were() {
    for seed in 1..=4 {
        let mut p = dense();
        p.noise.noise_amplitude = 0.0;
        let smooth = make((120, 100), seed, &p);
        p.noise.noise_amplitude = 0.1;
        let rough = make((120, 100), seed, &p);
        assert!(smooth.river_order == rough.river_order, "seed {seed}");
        let (a, b) = (smooth.water.height.cells(), rough.water.height.cells());
        let bed = |i: &usize| smooth.river_order.cells()[*i] > 0;
        let cells = || 0..a.len();
        assert!(cells().filter(bed).all(|i| a[i] == b[i]), "seed {seed}");
        assert!(cells().any(|i| a[i] != b[i]), "the noise does nothing");
    }
}

#[test]
fn rivers_wind_more_with_the_strength_of_meanders() {
    let length = |strength: f64| -> f64 {
        let mut p = IslandParams::default();
        (p.rivers.river_meander_strength, p.elevation.min_peak_elevation) = (strength, 5.0);
        let over = |seed: u64| {
            let rivers = make((400, 400), seed, &p).into_catalogue().figures["rivers"].clone();
            rivers["length_km"].as_f64().unwrap()
        };
        (1..=6).map(over).sum()
    };
    let (straight, most) = (length(0.0), length(1.0));
    assert!(1.025 * straight < most, "{straight} {most}");
}

#[test]
fn small_islands_are_like_real_land() {
    use weald::measure::{RANGES, Terms, Verdict as Is, measure};
    let seeds = 1..=5;
    let mut inside = 0;
    let mut asked = 0;
    for seed in seeds {
        let island = make((320, 320), seed, &IslandParams::default());
        let found =
            measure(&island.water.height, &Terms { sea_level: 0.0, ..Terms::new(10.0) }, &Ctx::default())
                .unwrap();
        for figure in
            RANGES.iter().filter(|f| ["chord45", "run8", "sinuosity", "Hack", "anisotropy"].contains(&f.name))
        {
            asked += 1;
            inside += (figure.verdict(&found) == Is::Inside) as usize;
        }
    }
    assert!(asked == 25 && inside >= 22, "{inside} of {asked} figures are those of real land");
}

#[test]
fn mouths_lie_on_all_sides_of_the_islands() {
    let mut octants = [0usize; 8];
    for seed in 1..=50 {
        let island = make((96, 96), seed, &IslandParams::default());
        for river in island.rivers.iter().filter(|r| r.parent.is_none()) {
            let cell = *river.cells.last().unwrap() as i64;
            let (x, y) = (2 * (cell % 96) - 95, 2 * (cell / 96) - 95);
            octants[(x > 0) as usize + 2 * (y > 0) as usize + 4 * (x.abs() > y.abs()) as usize] += 1;
        }
    }
    let all: usize = octants.iter().sum();
    assert!(all >= 50 && octants.iter().all(|&n| 25 * n > all), "{octants:?}");
}

/// Every tree with one value at one of its ends.
fn at_the_ends() -> Vec<(String, ParamTree)> {
    let tree = ParamTree::of::<IslandParams>();
    let mut out = Vec::new();
    for leaf in tree.leaves() {
        let mut values: Vec<Value> =
            ["minimum", "maximum"].iter().filter_map(|k| leaf.schema.get(k).cloned()).collect();
        values.extend(leaf.schema.get("enum").and_then(Value::as_array).into_iter().flatten().cloned());
        if leaf.schema["type"] == "boolean" {
            values.extend([json!(false), json!(true)]);
        }
        assert!(values.len() >= 2, "{} has no ends", leaf.path);
        for value in values {
            let mut tree = tree.clone();
            tree.set(&leaf.path, value.clone(), "test");
            out.push((format!("{} = {value}", leaf.path), tree));
        }
    }
    out
}

#[test]
fn both_ends_of_every_parameter_run_at_every_odd_size() {
    let ends = at_the_ends();
    assert!(ends.len() > 60, "{} ends", ends.len());
    for (what, tree) in ends {
        let p: IslandParams = tree.finish().unwrap_or_else(|e| panic!("{what}: {e}"));
        for size in ODD.into_iter().chain([(48, 40)]) {
            assert_whole(&make(size, 2, &p), &what);
        }
    }
}

/// A value within the range of a parameter, now and then at an end of it.
fn pick(schema: &Value, dice: u64, within: f64) -> Value {
    if let Some(names) = schema.get("enum").and_then(Value::as_array) {
        return names[(dice % names.len() as u64) as usize].clone();
    }
    if schema["type"] == "boolean" {
        return json!(dice.is_multiple_of(2));
    }
    let (low, high) = (schema["minimum"].as_f64().unwrap(), schema["maximum"].as_f64().unwrap());
    let number = match dice % 10 {
        0 => low,
        1 => high,
        2..6 => low + (high - low) * within,
        _ => low + (high - low) * within * within * within * within,
    };
    json!(if schema["type"] == "integer" { number.round() } else { number })
}

#[test]
fn random_parameters_within_their_ranges_keep_every_rule() {
    let mut with_rivers = 0;
    for n in 0..2000 {
        let seed = Seed(n);
        let mut tree = ParamTree::of::<IslandParams>();
        for (i, leaf) in tree.leaves().iter().enumerate() {
            let value = pick(&leaf.schema, seed.at(i as i64, 1), seed.unit_at(i as i64, 2));
            tree.set(&leaf.path, value, "test");
        }
        let what = format!("set {n}");
        let p: IslandParams = tree.finish().unwrap_or_else(|e| panic!("{what}: {e}"));
        let side = |k| 1 + (seed.at(0, k) % 60) as usize;
        let size = if n.is_multiple_of(4) { ODD[(n / 4) as usize % ODD.len()] } else { (side(3), side(4)) };
        let island = make(size, n, &p);
        assert_whole(&island, &what);
        with_rivers += !island.rivers.is_empty() as usize;
    }
    assert!((200..1800).contains(&with_rivers), "{with_rivers} of 2000 have rivers: the sets are not mixed");
}

/// The layers that differ when one parameter does.
fn changed(path: &str, value: Value) -> Vec<&'static str> {
    let base = dense();
    let mut values = serde_json::to_value(&base).unwrap();
    let (group, name) = path.split_once('.').unwrap();
    assert_ne!(values[group][name], value, "{path}");
    values[group][name] = value;
    let other: IslandParams = serde_json::from_value(values).unwrap();
    let (a, b) = (hashes(&make((80, 70), 4, &base)), hashes(&make((80, 70), 4, &other)));
    a.iter().zip(&b).filter(|(a, b)| a != b).map(|(a, _)| a.0).collect()
}

#[test]
fn a_parameter_of_a_later_step_leaves_the_layers_of_earlier_ones_as_they_were() {
    for (path, value) in [
        ("harbours.harbour_spacing", json!(30)),
        ("harbours.min_shelter", json!(0.9)),
        ("map.sea_grey", json!(0.5)),
    ] {
        assert_eq!(changed(path, value), Vec::<&str>::new(), "{path}");
    }
    let cells = changed("map.cell_m", json!(2.0));
    assert!(cells.contains(&"height") && !cells.contains(&"land"), "slopes are per metre: {cells:?}");
    for (path, value) in [
        ("noise.noise_amplitude", json!(0.3)),
        ("noise.noise_scale", json!(0.02)),
        ("noise.near_river", json!(0.9)),
        ("valleys.depth_m", json!(9.0)),
        ("valleys.width_per_order_cells", json!(3.0)),
    ] {
        let changed = changed(path, value);
        assert!(changed.contains(&"height"), "{path} does nothing");
        for kept in ["land", "shore_distance", "river_order"] {
            assert!(!changed.contains(&kept), "{path} changes {kept}");
        }
    }
    for (path, value) in [
        ("elevation.peak_elevation", json!(500)),
        ("elevation.roughness", json!(0.5)),
        ("sea.shore_depth_m", json!(9)),
        ("sea.slope_m", json!(1)),
        ("sea.plain_depth_m", json!(50)),
        ("sea.wander", json!(0.1)),
        ("sea.distance", json!("steps")),
        ("elevation.relief", json!("distance")),
        ("elevation.roughness_scale", json!(0.1)),
        ("rivers.river_spacing", json!(30)),
        ("rivers.spring_area", json!(60)),
        ("rivers.runoff_mm", json!(5000)),
    ] {
        let changed = changed(path, value);
        assert!(changed.contains(&"height"), "{path} does nothing");
        assert!(!changed.contains(&"land") && !changed.contains(&"shore_distance"), "{path}: {changed:?}");
    }
    let coast = changed("shape.centre_fall", json!(1.4));
    assert!(coast.contains(&"land") && coast.contains(&"shore_distance"), "{coast:?}");
}

#[test]
fn harbours_and_runoff_change_what_they_are_for() {
    let base = make((96, 96), 4, &dense());
    let mut p = dense();
    (p.harbours.harbour_spacing, p.rivers.runoff_mm) = (40.0, 200.0);
    let other = make((96, 96), 4, &p);
    assert!(other.harbours.len() < base.harbours.len(), "{} harbours", other.harbours.len());
    let far = |a: u32, b: u32| {
        let (dx, dy) = ((a % 96).abs_diff(b % 96), (a / 96).abs_diff(b / 96));
        dx * dx + dy * dy > 40 * 40
    };
    for (i, a) in other.harbours.iter().enumerate() {
        assert!(other.harbours[..i].iter().all(|b| far(a.cell, b.cell)), "{a:?}");
    }
    for (a, b) in base.rivers.iter().zip(&other.rivers) {
        assert_eq!((&a.cells, a.parent), (&b.cells, b.parent));
        assert!((a.discharge_m3_s / b.discharge_m3_s - 4.0).abs() < 1e-9);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let island = make((150, 131), 9, &dense());
            let catalogue = island.clone().into_catalogue();
            let figures = serde_json::to_string(&catalogue.figures).unwrap();
            (hashes(&island), figures, island.rivers, island.peaks, island.harbours)
        })
    };
    let one = on(1);
    assert!(one.2.len() > 20 && one.4.len() > 3, "{} rivers, {} harbours", one.2.len(), one.4.len());
    assert!(on(2) == one);
    assert!(on(7) == one);
}

/// What is drawn, and its value at x and y.
type Drawing<'a, T> = (&'a str, &'a dyn Fn(i64, i64) -> T);

#[test]
fn drawn_land_stays_as_it_was_drawn_whatever_it_is() {
    let dots = |seed: u64, share: f64| move |x: i64, y: i64| Seed(seed).unit_at(x, y) < share;
    let masks: [Drawing<bool>; 8] = [
        ("nothing", &|_, _| false),
        ("everything", &|_, _| true),
        ("a disc with a lagoon", &|x, y| (60..600).contains(&((x - 30) * (x - 30) + (y - 25) * (y - 25)))),
        ("a bridge from edge to edge", &|_, y| (20..26).contains(&y)),
        ("a corner", &|x, y| x + y < 40),
        ("stripes", &|x, _| x % 2 == 0),
        ("dots", &dots(1, 0.5)),
        ("land with holes", &dots(2, 0.97)),
    ];
    for (what, land) in masks {
        let cells = (0..60 * 50).map(|i| land(i % 60, i / 60) as u8).collect();
        let mask = Grid::from_vec(60, 50, cells);
        let island = draw(Authored::Land(mask.clone()), &dense());
        assert_eq!(island.land, mask, "{what}");
        assert_eq!(sea_floor(&island).and_then(|()| rules(&island)), Ok(()), "{what}");
    }
    for size in ODD {
        let mask = Grid::from_vec(size.0, size.1, (0..size.0 * size.1).map(|i| (i % 3 > 0) as u8).collect());
        let island = draw(Authored::Land(mask.clone()), &dense());
        assert_eq!((rules(&island), island.land), (Ok(()), mask), "{size:?}");
    }
}

#[test]
fn drawn_heights_decide_land_and_depth_and_depressions_in_them_drain() {
    let rough = |x: i64, y: i64| (Seed(8).unit_at(x, y) as f32 - 0.4) * 100.0;
    let away = |x: i64, y: i64| (((x - 30) * (x - 30) + (y - 25) * (y - 25)) as f32).sqrt();
    let maps: [Drawing<f32>; 7] = [
        ("a cone", &|x, y| 20.0 - away(x, y)),
        ("a crater", &|x, y| 15.0 - (away(x, y) - 12.0).abs()),
        ("a table", &|x, y| if away(x, y) < 15.0 { 700.0 } else { -3.0 }),
        ("a plain that is all land", &|_, _| 1.0),
        ("noise", &rough),
        ("the highest and the deepest", &|x, y| if (x / 7 + y / 5) % 2 == 0 { 9000.0 } else { -9000.0 }),
        ("hardly above the sea", &|x, y| if away(x, y) < 15.0 { 1e-6 } else { 0.0 }),
    ];
    for (what, height) in maps {
        let drawn = Grid::from_vec(60, 50, (0..60 * 50).map(|i| height(i % 60, i / 60)).collect());
        let island = draw(Authored::Height(drawn.clone()), &dense());
        assert_eq!(rules(&island), Ok(()), "{what}");
        for (i, &drawn) in drawn.cells().iter().enumerate() {
            assert_eq!(island.land.cells()[i] == 1, drawn > 0.0, "{what} at {i}");
            assert!(drawn >= 0.0 || island.water.height.cells()[i] == drawn, "{what}: depth at {i}");
        }
    }
}

#[test]
fn maps_and_sizes_that_cannot_be_are_refused_with_the_place() {
    let run = |size, map| match generate(size, map, Seed(1), &IslandParams::default(), &Ctx::default()) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("{size:?} must be refused"),
    };
    for size in [(0, 5), (5, 0), (16385, 1)] {
        assert!(run(size, None).contains("between 1 and 16384"));
    }
    let wrong = run((5, 4), Some(Authored::Land(Grid::filled(4, 5, 1))));
    assert!(wrong.contains("4x5") && wrong.contains("5x4"), "{wrong}");
    let mut land = Grid::filled(5, 4, 1);
    land[(3, 2)] = 2;
    assert!(run((5, 4), Some(Authored::Land(land))).contains("x=3, y=2 is 2: must be 0 or 1"));
    for bad in [f32::NAN, f32::INFINITY, 9001.0, -12001.0] {
        let mut height = Grid::filled(5, 4, 1.0);
        height[(1, 3)] = bad;
        let message = run((5, 4), Some(Authored::Height(height)));
        assert!(message.contains(&format!("x=1, y=3 is {bad}: must be between -12000 and")), "{message}");
    }
}

#[test]
fn an_island_that_is_stopped_ends_with_interrupted_at_any_stage() {
    struct Stopper<'a>(&'a AtomicBool, &'static str);
    impl Watch for Stopper<'_> {
        fn begin(&self, stage: &'static str) {
            if stage == self.1 {
                self.0.store(true, Ordering::Relaxed);
            }
        }
    }
    for stage in [
        "coast",
        "shoreline",
        "shore",
        "inland",
        "uplift and streams",
        "hills",
        "sea_floor",
        "rivers",
        "peaks",
        "banks",
        "valleys",
        "noise",
        "flow directions",
        "moisture",
        "cover",
        "harbours",
    ] {
        let stop = AtomicBool::new(false);
        let made = generate((96, 96), None, Seed(1), &dense(), &Ctx::new(&Stopper(&stop, stage), &stop));
        assert!(matches!(made, Err(Error::Cancelled)), "{stage}");
    }
}

#[test]
fn the_rules_find_whatever_is_broken() {
    let whole = make((96, 96), 2, &dense());
    assert_whole(&whole, "before");
    let side = whole.rivers.iter().position(|r| r.parent.is_some()).expect("a tributary");
    let inland = (0..whole.land.len()).find(|&i| whole.shore.cells()[i] > 3.0 && whole.land.cells()[i] == 1);
    let (inland, bed) = (inland.unwrap(), whole.rivers[0].cells[1] as usize);
    let head = whole.rivers[side].cells[0];
    type Break<'a> = (&'a str, &'a dyn Fn(&mut Island));
    let breaks: [Break; 22] = [
        ("cells of land instead", &|i| i.params.shape.land_fraction = 0.4),
        ("land on the border", &|i| i.land.cells_mut().swap(0, inland)),
        ("sea without a way out", &|i| {
            let coast = i.shoreline.cells().iter().position(|&c| c == 1).unwrap();
            let sea = (coast - 96..coast).find(|&n| i.land.cells()[n] == 0).unwrap();
            i.land.cells_mut().swap(sea, inland);
        }),
        ("m of sea", &|i| i.water.height[(0, 0)] = -1.0),
        ("no plain number", &|i| i.moisture[(3, 4)] = -0.0),
        ("coast at", &|i| i.shoreline.cells_mut()[inland] = 1),
        ("cells from the coast", &|i| i.shore.cells_mut()[inland] *= 1.01),
        ("land 1 of -1 m", &|i| i.water.height.cells_mut()[inland] = -1.0),
        ("water climbs", &|i| i.water.height.cells_mut()[bed] = 9e3),
        ("water stays", &|i| i.water.directions.cells_mut()[inland] = Dir8::NONE),
        ("the sea flows", &|i| i.water.directions[(0, 0)] = Dir8(0)),
        ("flow_accumulation", &|i| i.water.accumulation.cells_mut()[inland] += 1),
        ("basin at", &|i| i.water.basin.cells_mut()[inland] += 1),
        ("moisture", &|i| i.moisture.cells_mut()[inland] += 0.01),
        ("a peak in the sea", &|i| i.peaks.push(0)),
        ("Harbour", &|i| i.harbours[0].depth_m = 0.0),
        ("a gap", &|i| i.rivers[0].cells.retain(|&c| c != bed as u32)),
        ("share a cell", &|i| i.rivers[side].cells.rotate_left(1)),
        ("river_order at", &|i| i.rivers[side].cells.retain(|&c| c != head)),
        ("the mouth of river", &|i| i.rivers[side].parent = Some(side)),
        ("instead of (", &|i| i.orders[0].shreve += 1),
        ("instead of [", &|i| i.rivers[0].width_m *= 1.1),
    ];
    for (found, damage) in breaks {
        let mut island = make((96, 96), 2, &dense());
        damage(&mut island);
        let verdict = all_rules(&island);
        assert!(matches!(&verdict, Err(said) if said.contains(found)), "{found}: {verdict:?}");
    }
}

#[test]
fn two_rivers_that_cross_between_four_cells_are_found() {
    let mask = Grid::from_vec(4, 4, (0..16).map(|i| [5, 6, 9, 10].contains(&i) as u8).collect());
    let mut island = draw(Authored::Land(mask), &dense());
    let flow = [(5, 1), (10, 0), (6, 3), (9, 4)];
    for ((cell, d), height) in flow.into_iter().zip([4.0, 3.0, 4.0, 3.0]) {
        island.water.directions.cells_mut()[cell] = Dir8(d);
        island.water.height.cells_mut()[cell] = height;
        island.river_order.cells_mut()[cell] = 1;
    }
    let river = |cells: [u32; 3]| River {
        cells: cells.to_vec(),
        parent: None,
        area_m2: 0.0,
        discharge_m3_s: 0.0,
        width_m: 0.0,
    };
    island.rivers = vec![river([5, 10, 11]), river([6, 9, 8])];
    island.orders = vec![Order { strahler: 1, shreve: 1 }; 2];
    assert_eq!(rivers(&island), Err("rivers cross at (1, 1)".to_owned()));
}
