//! Help that fits the world, completions and manual pages.

use crate::common::Place;
use weald::world::WORLDS;

#[test]
fn the_help_of_a_world_shows_its_parameters_files_and_views_and_nothing_of_others() {
    let place = Place::new();
    for world in WORLDS {
        let info = world.info();
        let help = place.fine(&format!("generate {} --help", info.name));
        for name in info.files.iter().map(|f| f.name).chain(info.views.iter().map(|v| v.name)) {
            assert!(help.contains(name), "{}: {name}", info.name);
        }
        for leaf in world.params().leaves() {
            assert!(help.contains(&leaf.path), "{}: {}", info.name, leaf.path);
        }
        assert_eq!(help.contains("--at "), info.at.is_some(), "{}", info.name);
        assert_eq!(help.contains("--placed "), info.placed.is_some(), "{}", info.name);
        assert_eq!(help.contains("--worldmap"), info.name == "city", "{}", info.name);
        assert!(!help.contains("--map-h"), "{}: generate takes no maps", info.name);
        let (w, h) = info.default_size;
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(&format!("[default: {w}x{h}]")), "{}", info.name);
    }
    let derive = place.fine("derive forest --help");
    assert!(derive.contains("--map-v") && derive.contains("--map vegetation_variance=FILE"), "{derive}");
    assert!(!place.fine("derive city --help").contains("--map-v"));
}

#[test]
fn worlds_and_recipes_complete_in_shells() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = place.fine(&format!("completions {shell}"));
        for name in ["island", "galaxy", "forest-rugged", "archipelago"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
}

#[test]
fn there_is_a_manual_page_for_the_program_and_for_each_command() {
    let place = Place::new();
    assert!(place.fine("man").starts_with(".ie"), "troff");
    assert!(place.fine("man generate").contains("recipe"));
    assert!(place.fails("man nothing", 2).contains("no such command"));
}

#[test]
fn maps_are_given_by_name_or_by_letter() {
    let place = Place::new();
    place.write("h.json", r#"{"width": 3, "height": 2, "data": [0, 0.2, 0.4, 0.1, 0.3, 0.5]}"#);
    place.fine("derive forest --map-h h.json -o a");
    place.fine("derive forest --map height=h.json -o b");
    place.fine("derive forest --map h=h.json -o c");
    assert!(place.read("a/tiles.json") == place.read("b/tiles.json"));
    assert!(place.read("a/tiles.json") == place.read("c/tiles.json"));
    let told = place.fails("derive forest --map depth=h.json", 2);
    assert!(told.contains("has no map depth; it takes h (height), r (roughness)"), "{told}");
}
