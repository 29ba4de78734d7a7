//! What the shipped recipes promise.

use std::collections::BTreeSet;
use std::path::Path;
use weald::catalogue::{Cells, Kind};
use weald::core::{Ctx, Dir8, Grid, Seed};
use weald::recipe::Recipe;
use weald::world::forest::{self, Authored, Forest, ForestParams, ForestWorld, classes};

fn recipe(name: &str) -> Recipe {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../recipes/{name}.toml"));
    let mut recipe = Recipe::new(&ForestWorld);
    recipe.merge_toml(&std::fs::read_to_string(&path).unwrap(), &path).unwrap();
    recipe
}

fn make(recipe: &Recipe, seed: u64) -> Forest {
    let params: ForestParams = recipe.params.finish().unwrap();
    forest::generate(recipe.size, Authored::default(), Seed(seed), &params, &Ctx::default()).unwrap()
}

/// Every class and flag of every layer that does not occur, and every passability.
fn missing(forest: &Forest) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let used = |grid: &Grid<u8>, fits: &dyn Fn(u8) -> bool| grid.cells().iter().any(|&v| fits(v));
    for layer in forest.clone().into_catalogue().layers {
        let Cells::U8(grid) = layer.cells() else { continue };
        let (table, flags) = match layer.kind {
            Kind::Classes(table) => (table, false),
            Kind::Flags(table) => (table, true),
            Kind::Measure | Kind::Steps(_) => continue,
        };
        for class in table {
            let value = class.value as u8;
            if !used(grid, &|v| if flags { v & value != 0 } else { v == value }) {
                out.insert(format!("{}: {}", layer.name, class.name));
            }
        }
    }
    for kind in classes::PASSABILITIES {
        let shows = |&steps: &u16| Dir8::ALL.iter().any(|d| steps >> (2 * d.0) & 3 == kind.value as u16);
        // Away from the border, where everything is blocked.
        let inner = (8..forest.land.height.height() - 8).any(|y| {
            let row = forest.navigation.passability.row(y);
            row[8..row.len() - 8]
                .iter()
                .zip(&forest.water.class.row(y)[8..])
                .any(|(s, &w)| w != classes::LAKE && shows(s))
        });
        if !inner {
            out.insert(format!("passability: {}", kind.name));
        }
    }
    out
}

#[test]
fn every_world_of_forest_rugged_shows_every_class_and_flag() {
    let recipe = recipe("forest-rugged");
    assert_eq!(recipe.size, (256, 256));
    for seed in 1..=20 {
        let missing = missing(&make(&recipe, seed));
        assert!(missing.is_empty(), "seed {seed} lacks {missing:?}");
    }
}

/// Follows the water of a stream tile, tile by tile along the flow, through streams and lakes to the border. The first tile that is
/// neither, or that has no flow direction, is an error. Returns whether the way crosses a lake inside the map.
fn follow(forest: &Forest, (mut x, mut y): (usize, usize)) -> Result<bool, (usize, usize)> {
    let (w, h) = forest.water.stream.shape();
    let mut crossed = false;
    loop {
        let (d, lake) = (forest.water.directions[(x, y)], forest.water.lake[(x, y)] != 0);
        if !lake && forest.water.stream[(x, y)] == 0 {
            return Err((x, y));
        }
        if x == 0 || y == 0 || x + 1 == w || y + 1 == h {
            return Ok(crossed);
        }
        crossed |= lake;
        if !d.is_some() {
            return Err((x, y));
        }
        x = x.strict_add_signed(d.dx() as isize);
        y = y.strict_add_signed(d.dy() as isize);
    }
}

/// The ways of all stream tiles.
fn ways(forest: &Forest) -> Vec<Result<bool, (usize, usize)>> {
    let streams = forest.water.stream.iter().filter(|(_, s)| **s != 0);
    streams.map(|(at, _)| follow(forest, at)).collect()
}

#[test]
fn all_streams_of_forest_wild_lead_through_streams_and_lakes_to_the_border_and_five_biomes_are_common() {
    let recipe = recipe("forest-wild");
    assert_eq!(recipe.size, (256, 256));
    for seed in 1..=20 {
        let forest = make(&recipe, seed);
        let ways = ways(&forest);
        let gaps: Vec<&(usize, usize)> = ways.iter().filter_map(|way| way.as_ref().err()).collect();
        assert!(
            gaps.is_empty(),
            "seed {seed}: of {} stream tiles {} end at {gaps:?}",
            ways.len(),
            gaps.len()
        );
        assert!(ways.len() > 1000, "seed {seed}: only {} stream tiles", ways.len());
        let crossing = ways.iter().filter(|way| **way == Ok(true)).count() as f64 / ways.len() as f64;
        assert!(crossing > 0.3, "seed {seed}: a share of {crossing} crosses a lake");
        let tiles = forest.cover.biome.len() as f64;
        let count = |b: u32| forest.cover.biome.cells().iter().filter(|&&v| v as u32 == b).count() as f64;
        let common = classes::BIOMES.iter().filter(|b| count(b.value) / tiles > 0.02).map(|b| b.name);
        let common: Vec<&str> = common.collect();
        assert!(common.len() >= 5, "seed {seed}: only {common:?}");
    }
}

#[test]
fn on_noise_most_streams_end_in_a_gap() {
    let ways = ways(&make(&recipe("forest"), 1));
    let gaps = ways.iter().filter(|way| way.is_err()).count();
    assert!(gaps * 2 > ways.len(), "{gaps} of {}", ways.len());
}

#[test]
fn the_parameter_object_of_the_document_names_every_parameter_and_gives_the_defaults() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/forest/appendix-a.json");
    let mut recipe = Recipe::new(&ForestWorld);
    recipe.merge_json(&std::fs::read_to_string(&path).unwrap(), &path).unwrap();
    assert_eq!(recipe.params.finish::<ForestParams>().unwrap(), ForestParams::default());
    // Where heights come from is ours to choose; the document knows noise only.
    for leaf in recipe.params.leaves().iter().filter(|l| !l.path.starts_with("elevation.")) {
        assert!(recipe.params.origin(&leaf.path).is_some(), "{} is not in Appendix A", leaf.path);
    }
}

#[test]
fn the_recipe_forest_is_the_defaults() {
    let recipe = recipe("forest");
    assert_eq!(recipe.params.finish::<ForestParams>().unwrap(), ForestParams::default());
}
