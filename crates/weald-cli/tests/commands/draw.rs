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
fn a_folder_that_was_tampered_with_is_refused() {
    let place = Place::new();
    place.fine("generate island --size 24 --files none -o w");
    place.fine("generate forest --size 24 --files none -o f");
    let manifest = String::from_utf8(place.read("w/manifest.json")).unwrap();
    let recipe = String::from_utf8(place.read("w/recipe.toml")).unwrap();
    for (file, text, from, to, told) in [
        ("w/manifest.json", &manifest, "\"width\": 24", "\"width\": 1000000000000", "frame"),
        ("w/manifest.json", &manifest, "layers/height.npy", "layers/land.npy", "it holds uint8"),
        ("w/manifest.json", &manifest, "layers/height.npy", "../f/layers/height.npy", "outside the folder"),
        ("w/recipe.toml", &recipe, "seed = 1", "seed = 2", "its seed is 1, that of recipe.toml 2"),
    ] {
        assert!(text.contains(from), "{from}");
        place.write(file, &text.replacen(from, to, 1));
        let message = place.fails("draw w -o x.png", 2);
        assert!(message.contains(told), "{to}: {message}");
        place.write(file, text);
    }
    place.fine("draw w -o x.png");
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
        ("draw nowhere", 4, "not a folder that `weald generate` made"),
        ("draw w -o w.jpg", 2, "ends in .png"),
        ("generate endless --view mines --draw level=1.5", 2, "must be a whole number between 1 and 8"),
        (
            "generate endless --size 9 --view mines --draw level=2 -o m",
            2,
            "this view needs the layer `mine_2`",
        ),
        ("derive forest --map-h w/layers/height.npy --map height=w/layers/height.npy", 2, "is given twice"),
        ("generate forest --size 9 --files all -o -", 2, "standard output takes one file"),
        ("draw w -o taken.png", 4, "--force"),
        ("generate planet --draw snow_line=2000", 2, "must be between 0 and 1000"),
        ("generate planet --draw snow_line", 2, "must be NAME=VALUE"),
    ] {
        let told = place.fails(args, code);
        assert!(told.contains(message), "weald {args}: {told}");
    }
}
