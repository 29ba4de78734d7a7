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

#[test]
fn the_parameter_object_of_the_document_names_every_parameter_and_gives_the_defaults() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/forest/appendix-a.json");
    let mut recipe = Recipe::new(&ForestWorld);
    recipe.merge_json(&std::fs::read_to_string(&path).unwrap(), &path).unwrap();
    assert_eq!(recipe.params.finish::<ForestParams>().unwrap(), ForestParams::default());
    for leaf in recipe.params.leaves() {
        assert!(recipe.params.origin(&leaf.path).is_some(), "{} is not in Appendix A", leaf.path);
    }
}

#[test]
fn the_recipe_forest_is_the_defaults() {
    let recipe = recipe("forest");
    assert_eq!(recipe.params.finish::<ForestParams>().unwrap(), ForestParams::default());
}
