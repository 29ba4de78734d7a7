//! weald draw: folders drawn again without making their worlds.

use crate::common::Place;

#[test]
fn a_folder_is_drawn_again_to_the_byte_and_in_other_views_and_sizes() {
    let place = Place::new();
    place.fine("generate endless --size 60x40 --set mines.levels=2 -o w");
    place.fine("draw w -o again.png");
    assert!(place.read("again.png") == place.read("w/map.png"));
    place.fine("draw w --view mines --draw level=2");
    place.fine(
        "generate endless --size 60x40 --set mines.levels=2 --view mines --draw level=2 --layers none -o m",
    );
    assert!(place.read("w-mines.png") == place.read("m/map.png"));
    place.fine("draw w --px 240 -o small.png");
    assert!(place.read("small.png").len() < place.read("again.png").len());
}

#[test]
fn the_recipe_of_a_folder_keeps_its_view() {
    let place = Place::new();
    place.fine("generate planet --size 8 --set radius_m=200 --draw snow_line=300 --px 64 -o p");
    let recipe = String::from_utf8(place.read("p/recipe.toml")).unwrap();
    assert!(recipe.contains("[draw]\npx = 64\nsnow_line = 300.0\n"), "{recipe}");
    place.fine("generate planet --recipe p/recipe.toml -o again");
    for file in ["map.png", "equirectangular.png", "orthographic.png"] {
        assert!(place.read(&format!("p/{file}")) == place.read(&format!("again/{file}")), "{file}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_with_what_to_do() {
    let place = Place::new();
    place.fine("generate forest --size 20 --layers height -o w");
    place.write("taken.png", "");
    for (args, code, message) in [
        ("draw w", 2, "make the world again with --layers all"),
        ("draw w --view mines", 2, "this world has no such view; use map"),
        ("draw w --px 10", 2, "--px 10: must be between 64 and 8192"),
        ("draw w --draw level=1", 2, "the view map has no such setting"),
        ("draw nowhere", 4, "manifest.json"),
        ("draw w -o taken.png", 4, "--force"),
        ("generate planet --draw snow_line=2000", 2, "must be between 0 and 1000"),
        ("generate planet --draw snow_line", 2, "must be NAME=VALUE"),
    ] {
        let told = place.fails(args, code);
        assert!(told.contains(message), "weald {args}: {told}");
    }
}
