//! weald explain: why a cell of a folder is what it is.

use crate::common::Place;
use serde_json::Value;

#[test]
fn a_tile_of_the_forest_is_explained_in_sentences_then_in_numbers() {
    let place = Place::new();
    place.fine("generate forest --seed 7 --size 40x30 --files none -o w");
    let told = place.fine("explain w --at 12,20");
    let mut lines = told.lines();
    assert_eq!(lines.next(), Some("forest, column 12, row 20 (x 12.5 tiles, y 20.5 tiles)"));
    let water = lines.next().unwrap();
    assert!(water.starts_with("water: This is "), "{water}");
    assert!(lines.next().unwrap().starts_with("biome: The biome is "));
    for subject in
        ["landform: ", "flow: ", "passability: The way is ", "visibility: ", "trail: ", "followable: "]
    {
        assert!(told.lines().any(|line| line.starts_with(subject)), "{subject}: {told}");
    }
    assert!(!told.contains("Note: "), "{told}");
    let table = told.split("\n\n").nth(1).unwrap();
    assert_eq!(table.lines().count(), 31, "every layer has a line: {table}");
    let columns: Vec<usize> =
        table.lines().map(|l| l.len() - l.trim_start_matches(|c| c != ' ').trim_start().len()).collect();
    assert!(columns.iter().all(|c| *c == columns[0]), "the values are aligned: {table}");
}

#[test]
fn json_holds_the_rules_numbers_neighbours_and_features() {
    let place = Place::new();
    place.fine("generate realm --seed 7 --size 64 -o w");
    let told: Value = serde_json::from_str(&place.fine("explain w --at 30,32 --json")).unwrap();
    assert_eq!(
        (&told["world"], &told["cell"]["x"], &told["cell"]["y"]),
        (&"realm".into(), &30.into(), &32.into())
    );
    let biome = told["reasons"].as_array().unwrap().iter().find(|r| r["subject"] == "biome").unwrap();
    assert!(biome["sentence"].as_str().unwrap().ends_with('.') && biome["rule"].is_string());
    assert!(!biome["numbers"].as_array().unwrap().is_empty(), "{biome}");
    let sets: Vec<&Value> = told["features"].as_array().unwrap().iter().map(|f| &f["set"]).collect();
    assert!(sets.contains(&&"biomes".into()), "the tile lies in a region of one biome: {sets:?}");
    assert_eq!(told["values"].as_array().unwrap().len(), 12);
}

#[test]
fn endless_and_planet_are_asked_by_their_own_coordinates() {
    let place = Place::new();
    place.fine("generate endless --at -3000,500 --size 30x20 -o e");
    let told = place.fine("explain e --at -2990,490");
    assert!(
        told.starts_with(
            "endless, column 10, row 10 (x -2990 m east, y 490 m north)\nterrain: The terrain is "
        ),
        "{told}"
    );
    place.fine("generate planet --size 8 --set radius_m=200 -o p");
    let told = place.fine("explain p --at 0,0");
    assert!(told.starts_with("planet, column 4, row 4 (latitude "), "{told}");
    for world in ["city", "island", "galaxy"] {
        place.fine(&format!("generate {world} --size 48 --files none -o {world}"));
        let told = place.fine(&format!("explain {world} --at 24,24"));
        assert!(told.starts_with(&format!("{world}, column 24, row 24 (x ")), "{told}");
    }
}

#[test]
fn a_folder_without_some_layers_is_explained_as_far_as_it_goes() {
    let place = Place::new();
    place.fine("generate forest --size 20 --files none --layers height,slope,landform -o w");
    let told = place.fine("explain w --at 3,4");
    assert!(told.contains("landform: This is "), "{told}");
    let note = "Note: The reason for \"biome\" is left out, because these layers are missing: water_class";
    assert!(told.contains(note), "{told}");
}

#[test]
fn what_cannot_be_explained_is_refused_with_what_to_do() {
    let place = Place::new();
    place.fine("generate forest --size 20x10 --files none -o w");
    place.fine("generate endless --size 9 -o e");
    place.fine("generate planet --size 4 --set radius_m=100 -o p");
    let range = "--at 20,3: is no cell of this map of 20x10 cells; columns run from 0 to 19 and rows from 0 to 9; give column \
                 and row of the cell, from the north-west";
    for (args, code, message) in [
        ("explain nowhere --at 1,1", 4, "not a folder that `weald generate` made"),
        ("explain w --at 20,3", 2, range),
        ("explain w --at -1,3", 2, "--at -1,3: is no cell"),
        ("explain w --at 1.5,3", 2, "--at 1.5,3: is no cell"),
        ("explain w --at 1,2,3", 2, "--at 1,2,3: is no cell"),
        ("explain w --at here", 2, "must be numbers, such as -3000.5,500"),
        ("explain w", 2, "--at <X,Y|LAT,LON>"),
        ("explain e --at 9,0", 2, "--at 9,0: is no place of this window; x runs from 0 to 8 metres east"),
        ("explain p --at 95,0", 2, "a place must be 2 numbers: "),
    ] {
        let told = place.fails(args, code);
        assert!(told.contains(message), "weald {args}: {told}");
    }
}
