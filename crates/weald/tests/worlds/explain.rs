//! Explanations: the rule that each reason evaluates again gives what the generator made, at every cell.

use std::collections::BTreeSet;
use weald::catalogue::explain::Explanation;
use weald::core::Ctx;
use weald::world::WORLDS;
use weald::{Job, Output};

fn made(world: &str, seed: u64, size: (usize, usize), set: &[(&str, serde_json::Value)]) -> Output {
    let mut job = Job::new(world).unwrap().seed(seed).size(size);
    for (path, value) in set {
        job = job.set(path, value.clone()).unwrap();
    }
    job.run(&Ctx::default()).unwrap()
}

fn cells(output: &Output) -> impl Iterator<Item = (usize, usize)> {
    let (w, h) = (output.recipe.world.info().explain.size)(&output.catalogue);
    (0..w * h).map(move |i| (i % w, i / w))
}

/// Explains every cell and collects the layers whose values were given by rules that were evaluated again. Fails at the first rule that gives
/// something else than the layer holds.
fn explained(output: &Output) -> BTreeSet<&'static str> {
    let mut given = BTreeSet::new();
    for cell in cells(output) {
        let told = output.explain(cell).unwrap();
        let wrong: Vec<&String> = told.notes.iter().filter(|n| n.contains("its rule gives")).collect();
        assert!(wrong.is_empty(), "{} {}, {cell:?}: {wrong:?}\n{told}", told.world, output.recipe.seed);
        assert!(!told.notes.iter().any(|n| n.contains("left out")), "{cell:?}: {:?}", told.notes);
        for reason in &told.reasons {
            given.extend(reason.gives.iter().map(|g| g.0));
            let sentence = &reason.sentence;
            let whole =
                sentence.ends_with('.') && sentence.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
            assert!(whole && !sentence.contains("  ") && !reason.rule.is_empty(), "{sentence}");
        }
    }
    given
}

/// The layers of a world that its rules give again, besides `without`.
fn all_but(world: &str, without: &[&str]) -> BTreeSet<&'static str> {
    let world = weald::world::find(world).unwrap();
    world.layers().iter().map(|l| l.name).filter(|name| !without.contains(name)).collect()
}

#[test]
fn every_layer_of_the_forest_but_its_sources_follows_from_the_reasons() {
    let without =
        ["height", "roughness", "vegetation_variance", "flow_accumulation_log", "lake_id", "water_distance"];
    for (seed, source) in [(1, "noise"), (7, "noise"), (42, "shaped")] {
        let output = made("forest", seed, (56, 40), &[("elevation.source", source.into())]);
        assert_eq!(explained(&output), all_but("forest", &without), "{seed}");
    }
    let wet = [("grid.playable_inset", 3.into()), ("hydrology.marsh_moisture_threshold", 0.2.into())];
    explained(&made("forest", 3, (33, 47), &wet));
}

#[test]
fn every_layer_of_a_city_that_its_cells_decide_follows_from_the_reasons() {
    for (seed, set) in
        [(7, vec![]), (2, vec![("sea.side", "west".into())]), (3, vec![("rivers.inflow", "large".into())])]
    {
        let output = made("city", seed, (72, 72), &set);
        assert_eq!(explained(&output), BTreeSet::from(["buildable", "slope"]), "{seed}");
        for cell in cells(&output) {
            let told = output.explain(cell).unwrap();
            let (water, buildable) = (told.reason("water").unwrap(), told.reason("buildable").unwrap());
            assert_eq!(water.answer != "none", buildable.answer == "water", "{cell:?}");
        }
    }
}

#[test]
fn water_beside_the_channel_of_a_wide_river_is_within_half_its_width() {
    let set =
        [("rivers.inflow", "large".into()), ("map.size_m", 4096.into()), ("rivers.through", true.into())];
    let output = made("city", 3, (160, 160), &set);
    explained(&output);
    let rivers = &output.catalogue.line_set("rivers").unwrap().features;
    let mut found = 0;
    for cell in cells(&output) {
        let told = output.explain(cell).unwrap();
        let water = told.reason("water").unwrap();
        let Some(far) = water.numbers.iter().find(|n| n.name == "distance from the channel") else {
            continue;
        };
        let widest = rivers.iter().filter_map(|r| r.property("width_m")?.as_f64()).fold(0.0, f64::max);
        assert!(far.value > 0.0 && far.value <= widest / 2.0, "{cell:?}: {} of {widest}", far.value);
        found += 1;
    }
    assert!(found > 20, "{found} cells");
}

#[test]
fn cover_orders_moisture_and_flow_of_an_island_follow_from_the_reasons() {
    let given = ["basin", "cover", "flow_accumulation", "moisture", "river_order"];
    for (seed, relief) in [(1, "shaped"), (7, "shaped"), (9, "distance")] {
        let output = made(
            "island",
            seed,
            (80, 64),
            &[("elevation.relief", relief.into()), ("rivers.spring_area", 60.into())],
        );
        assert!(!output.catalogue.line_set("rivers").unwrap().features.is_empty());
        assert_eq!(explained(&output), BTreeSet::from(given), "{seed}");
    }
}

#[test]
fn water_transitions_and_crossings_of_a_realm_follow_from_the_reasons() {
    for seed in [1, 7] {
        let output = made("realm", seed, (72, 64), &[]);
        assert_eq!(explained(&output), BTreeSet::from(["crossing", "transition", "water"]), "{seed}");
    }
}

#[test]
fn most_land_of_a_realm_has_the_biome_that_its_climate_gives() {
    let output = made("realm", 7, (96, 96), &[]);
    let (mut land, mut of_climate) = (0, 0);
    for cell in cells(&output).step_by(7) {
        let told = output.explain(cell).unwrap();
        let biome = told.reason("biome").unwrap();
        if !["ocean", "lake", "mountain", "wetland"].contains(&biome.answer.as_str()) {
            land += 1;
            of_climate += !biome.sentence.contains("By its own climate") as usize;
        }
    }
    assert!(10 * of_climate > 6 * land, "{of_climate} of {land}");
}

#[test]
fn every_layer_of_the_endless_world_follows_from_the_reasons() {
    let without = ["mine_2", "mine_3", "mine_4", "mine_5", "mine_6", "mine_7", "mine_8"];
    let placed = "cone 3 -3\nroad -20 -5 30 -12\nnone 7 -9\nbuilding 20 -20";
    for (seed, set) in [
        (0, vec![]),
        (5, vec![("lake_level", 330.0.into()), ("paths", true.into())]),
        (0, vec![("at.x", 3000.into()), ("at.y", (-200).into()), ("lake_level", 180.0.into())]),
        (0, vec![("placed", placed.into()), ("time", 3.5.into())]),
        (3, vec![("bleak", true.into())]),
        (4, vec![("wood_only", true.into()), ("bridges", false.into())]),
    ] {
        let output = made("endless", seed, (70, 50), &set);
        assert_eq!(explained(&output), all_but("endless", &without), "{seed} {set:?}");
    }
    let deep = made("endless", 6, (40, 40), &[("mines.levels", 3.into())]);
    assert!(explained(&deep).contains("mine_3"));
}

#[test]
fn the_surface_of_a_window_with_streams_roads_and_buildings_follows_from_the_reasons() {
    let output = made("endless", 0, (500, 400), &[]);
    let surface = output.catalogue.bytes("surface").unwrap();
    let mut kinds = BTreeSet::new();
    for cell in cells(&output).filter(|&c| matches!(surface[c], 6 | 9 | 10 | 12 | 13)).step_by(3) {
        let told = output.explain(cell).unwrap();
        assert!(told.notes.is_empty(), "{cell:?}: {:?}", told.notes);
        kinds.insert(told.reason("surface").unwrap().answer.clone());
    }
    assert!(kinds.len() >= 2, "{kinds:?}");
}

#[test]
fn every_layer_of_a_planet_and_of_a_galaxy_follows_from_the_reasons() {
    for seed in [0, 5] {
        let set = [("radius_m", 300.0.into()), ("lake_level", 290.0.into())];
        assert_eq!(explained(&made("planet", seed, (14, 14), &set)), all_but("planet", &[]), "{seed}");
        let set = [("depth_ly", 200.into()), ("at.x", 40.into()), ("at.z", (-7).into())];
        assert_eq!(explained(&made("galaxy", seed, (24, 17), &set)), all_but("galaxy", &[]), "{seed}");
    }
}

/// A small map of every world.
fn small(world: &str) -> Output {
    let set: &[(&str, serde_json::Value)] = match world {
        "planet" => &[("radius_m", 200.0.into())],
        "galaxy" => &[("depth_ly", 60.into())],
        _ => &[],
    };
    let side = if world == "planet" { 8 } else { 48 };
    made(world, 7, (side, side), set)
}

#[test]
fn a_folder_that_is_read_back_is_explained_like_the_world_that_was_made() {
    use weald::export::atomic::Existing;
    use weald::job::folder::FolderPlan;
    for world in WORLDS {
        let output = small(world.info().name);
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("w");
        output.save(&folder, Existing::Keep, &FolderPlan::new(&[]), &Ctx::default()).unwrap();
        let read = weald::job::open(&folder).unwrap();
        for cell in cells(&output).step_by(97) {
            let (made, read) = (output.explain(cell).unwrap(), read.explain(cell).unwrap());
            assert_eq!(made, read, "{}", world.info().name);
            assert_eq!(made.to_json()["cell"]["x"], cell.0);
        }
    }
}

#[test]
fn a_missing_layer_leaves_its_reasons_out_and_says_so() {
    for world in WORLDS {
        let whole = small(world.info().name);
        for gone in whole.catalogue.layers.iter().map(|l| l.name) {
            let mut output = whole.clone();
            output.catalogue.layers.retain(|l| l.name != gone);
            for cell in cells(&output).step_by(211) {
                let told: Explanation = output.explain(cell).unwrap();
                let full = whole.explain(cell).unwrap();
                let left_out = told.notes.iter().filter(|n| n.contains("left out")).count();
                assert_eq!(told.reasons.len() + left_out, full.reasons.len(), "{gone}: {:?}", told.notes);
            }
        }
        let mut bare = whole.clone();
        bare.catalogue.layers.clear();
        bare.catalogue.lines.clear();
        bare.catalogue.points.clear();
        bare.catalogue.polygons.clear();
        assert!(bare.explain((1, 1)).is_ok());
    }
}

#[test]
fn a_layer_that_was_changed_is_noticed() {
    let mut output = small("forest");
    let biome = output.catalogue.layer("biome").unwrap().clone();
    let wrong = weald::core::Grid::filled(48, 48, 5u8);
    output.catalogue.layers.retain(|l| l.name != "biome");
    output.catalogue.layers.push(weald::catalogue::Layer::new(*biome.spec(), wrong));
    let told = output.explain((9, 9)).unwrap();
    assert!(
        told.notes.iter().any(|n| n.contains("The layer biome holds 5, but its rule gives")),
        "{:?}",
        told.notes
    );
}

#[test]
fn a_cell_outside_the_map_is_an_error_that_names_the_size() {
    let message = small("island").explain((48, 0)).unwrap_err().to_string();
    assert!(message.contains("map of 48x48 cells"), "{message}");
    let endless = small("endless");
    let message = endless.explain_at(&[1e6, 0.0]).unwrap_err().to_string();
    assert!(message.contains("is no place of this window; x runs from 0 to 47 metres east"), "{message}");
    assert_eq!(endless.explain_at(&[3.0, -2.2]).unwrap().cell, (3, 2));
    let planet = small("planet");
    assert_eq!(planet.explain_at(&[0.0, 0.0]).unwrap().cell, (4, 4));
    assert!(
        planet.explain_at(&[0.0, 0.0, 200.0]).unwrap().cell.0 >= 32,
        "the north pole is on the fifth face"
    );
    assert!(planet.explain_at(&[91.0, 0.0]).is_err());
}
