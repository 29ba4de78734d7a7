//! The planet: pictures and maps around a place, legs.

use crate::common::Place;
use serde_json::Value;

#[test]
fn a_place_centres_the_pictures_and_stays_in_the_recipe() {
    let place = Place::new();
    let made = "generate planet --size 8 --set radius_m=200 --px 64 --layers none";
    place.fine(&format!("{made} --at 51.5,-0.1 -o at"));
    place.fine(&format!("{made} --draw latitude=51.5 --draw longitude=-0.1 -o drawn"));
    place.fine(&format!("{made} -o plain"));
    for file in ["map.png", "equirectangular.png", "orthographic.png"] {
        assert!(place.read(&format!("at/{file}")) == place.read(&format!("drawn/{file}")), "{file}");
        assert!(place.read(&format!("at/{file}")) != place.read(&format!("plain/{file}")), "{file}");
    }
    let recipe = String::from_utf8(place.read("at/recipe.toml")).unwrap();
    assert!(recipe.contains("[draw]\npx = 64\nlatitude = 51.5\nlongitude = -0.1\n"), "{recipe}");
    place.fine("draw plain --at 51.5,-0.1 -o again.png");
    assert!(place.read("again.png") == place.read("at/map.png"));
    place.fine("draw plain --view equirectangular --at 51.5,-0.1 -o flat.png");
    assert!(place.read("flat.png") == place.read("at/equirectangular.png"));
}

#[test]
fn a_radius_draws_the_contour_map_around_a_place() {
    let place = Place::new();
    place.fine("generate planet --size 8 --set radius_m=200 --at 90,0 --radius 40 --px 80 -o p");
    let recipe = String::from_utf8(place.read("p/recipe.toml")).unwrap();
    assert!(recipe.contains("view = \"local\"") && recipe.contains("radius = 40.0"), "{recipe}");
    place.fine("generate planet --size 8 --set radius_m=200 --layers none -o q");
    place.fine("draw q --at 90,0 --radius 40 --px 80 -o a.png");
    place.fine("draw q --view local --draw latitude=90 --draw radius=40 --px 80 -o b.png");
    assert!(place.read("a.png") == place.read("p/map.png") && place.read("b.png") == place.read("a.png"));
    place.fine("draw q --at -90,0 --radius 40");
    assert!(place.read("q-local.png") != place.read("a.png"));
}

#[test]
fn wrong_places_of_a_planet_say_what_is_right() {
    let place = Place::new();
    place.fine("generate planet --size 8 --set radius_m=200 --px 64 --layers none -o p");
    place.fine("generate endless --size 9x9 -o e");
    for (args, part) in [
        ("generate planet --at 91,0 -o x", "--at 91,0: the latitude must be between -90 and 90"),
        ("draw p --view equirectangular --at 91,0", "--at 91,0: the latitude must be between -90 and 90"),
        ("draw p --at 0,400", "--at 0,400: the longitude must be between -360 and 360"),
        ("draw p --at 0", "--at: must be latitude and longitude, such as 51.5,-0.1"),
        ("draw p --radius -3", "must be a length in metres, such as 400"),
        ("draw p --radius 400", "--radius 400: must be at most 314 m on this planet"),
        ("draw p --radius 5", "and at least 20 m"),
        ("draw p --view globe --radius 100", "--radius is for the view local"),
        ("draw e --at 0,0", "a picture of the world endless has no place to choose"),
        ("draw e --radius 100", "the world endless has no map around a place"),
        ("generate endless --radius 100 -o x", "the world endless has no map around a place"),
        ("generate forest --at 1,2", "--at: the world forest has no window to place"),
        ("leg planet --from 95,0 --to 0,0", "--from 95,0: the latitude must be between -90 and 90"),
        ("leg planet --from 0,0 --to 0,180", "run shorter legs"),
        (
            "leg forest --from 0,0 --to 0,180",
            "forest: this world has no legs; use the world endless or planet",
        ),
        ("leg endless --from 0.5,0 --to 9,9", "--from 0.5,0: must be two whole numbers"),
    ] {
        let message = place.fails(args, 2);
        assert!(message.contains(part), "weald {args}: {message}");
    }
}

#[test]
fn a_leg_of_a_planet_leads_over_the_pole() {
    let place = Place::new();
    let leg = "leg planet --from 88.5,0 --to 88,180 --margin 30";
    let said: Value = serde_json::from_str(&place.fine(&format!("{leg} --json --picture leg.png"))).unwrap();
    let number = |way: &str, what: &str| said[way][what].as_f64().unwrap();
    let arc = f64::to_radians(3.5) * 1600.0;
    assert!((number("direct", "length_m") - arc).abs() < 2.0, "{said}");
    assert!(number("best", "seconds") <= number("direct", "seconds") && number("best", "climb_m") > 0.0);
    assert!(said["best"]["places"][0][0].as_f64().unwrap() > 88.0, "{said}");
    assert!(place.read("leg.png").starts_with(b"\x89PNG"));
    let text = place.fine(leg);
    assert!(text.starts_with("direct") && text.contains(" m climb"), "{text}");
}

#[test]
fn a_leg_that_is_too_long_is_refused_at_once_with_its_cost() {
    let place = Place::new();
    let message = place.fails("leg endless --from 0,0 --to 100000,0", 3);
    for part in [
        "100401x401 = 40260801 cells",
        "GiB of memory",
        "81 s",
        "shorter legs",
        "--margin",
        "--cells 40260801",
    ] {
        assert!(message.contains(part), "{message} lacks {part}");
    }
    let message = place.fails("leg planet --from 0,0 --to 0,90 --set radius_m=8000 --margin 3000", 3);
    assert!(message.contains("cells") && message.contains("shorter legs"), "{message}");
    assert!(
        place.fails("leg endless --from 0,0 --to 40,0 --margin 0 --cells 40", 3).contains("41x1 = 41 cells")
    );
    assert!(place.fine("leg endless --from 0,0 --to 40,0 --margin 0 --cells 41").starts_with("direct"));
}

#[test]
fn things_are_placed_on_a_planet_by_latitude_and_longitude() {
    let place = Place::new();
    place.fine("placed add --world planet t.txt rocket 90,0");
    place.fine("placed --world planet add t.txt boulder -12.5,30.25");
    place.fine("placed add --world planet t.txt t 90,0");
    assert_eq!(place.fine("placed list --world planet t.txt"), "boulder -12.5 30.25\nt 90 0\n");
    let small = "planet --size 32 --set radius_m=400 --placed t.txt";
    place.fine(&format!("generate {small} --check -o made"));
    let said = place.fine(
        &format!("sample {small} --at 90,0 --at -12.5,30.25 --columns feature").replace("--size 32 ", ""),
    );
    assert_eq!(said, "lat,lon,feature\n90.0,0.0,t\n-12.5,30.25,boulder\n");
    place.fine("generate planet --recipe made/recipe.toml -o again");
    // On the edges and the corner of the cube.
    place.write(
        "edge.txt",
        "cone 0 45; x 30 45; t 35.26439 45; knoll -35.2644 -135; root 45 90; boulder -45 0",
    );
    place.fine("generate planet --size 32 --set radius_m=150.5 --placed edge.txt --check -o edge");
    assert_eq!(place.read("made/features.geojson"), place.read("again/features.geojson"));
    place.fine("placed remove --world planet t.txt 90,0");
    assert_eq!(place.fine("placed clear --world planet t.txt boulder"), "removed 1 of boulder\n");
    assert!(place.fails("placed add --world planet t.txt road 1,2 3,4", 2).contains("must start with none"));
    assert!(place.fails("placed add t.txt cone 1.5,2", 2).contains("whole metres"));
}
