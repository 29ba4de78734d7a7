//! The city world on the command line.

use crate::common::Place;
use serde_json::Value;

#[test]
fn a_city_passes_its_checks_and_is_made_again_from_its_recipe() {
    let place = Place::new();
    let said = place.fine("generate city --size 256 --seed 7 --worldmap --check -o city");
    assert!(said.contains("height scale to type into the game: 4096"), "{said}");
    assert!(said.contains("sea level in the game: 511.7 m"), "{said}");
    assert!(said.contains("add --size 4096"), "{said}");
    place.fine("check city");
    place.fine("generate city --recipe city/recipe.toml --threads 3 --worldmap -o again");
    for name in [
        "map.png",
        "heightmap.png",
        "worldmap.png",
        "worldmap.terrain.json",
        "rivers.geojson",
        "layers/height.npy",
    ] {
        assert!(place.read(&format!("city/{name}")) == place.read(&format!("again/{name}")), "{name}");
    }
    place.fine("generate city --recipe city/recipe.toml --threads 2 --worldmap --check -o third");
    assert!(place.lasting("city/manifest.json") == place.lasting("third/manifest.json"));
    let manifest = place.json("city/manifest.json");
    let stats = &manifest["stats"];
    assert!((stats["buildable_after_erosion"].as_f64().unwrap() - 0.6).abs() <= 0.01, "{stats}");
    assert!(stats["mass_balance"]["eroded_m3"].as_f64().unwrap() > 0.0);
    assert!(manifest["seconds"]["uplift and streams"].as_f64().is_some());
    assert_eq!(place.json("city/heightmap.terrain.json")["sea_level_m"], 511.7);
    for of in ["params", "recipe", "output"] {
        let schema: Value = serde_json::from_str(&place.fine(&format!("schema city --of {of}"))).unwrap();
        assert!(schema.is_object());
    }
}

#[test]
fn a_heightmap_made_elsewhere_is_kept_unless_erosion_is_asked_for() {
    let place = Place::new();
    place.fine("generate city --size 96 --seed 2 --files all --set goal.buildable_share=0 -o city");
    for map in ["city/heightmap.png", "city/layers/height.npy"] {
        let said = place.fine(&format!("derive city --map-h {map} --check --force -o mine"));
        assert!(said.contains("a cell is 149.3") && said.contains("map.size_m = 14336.0 m"), "{said}");
        let manifest = place.json("mine/manifest.json");
        assert_eq!(manifest["stats"]["amplitude_m"], Value::Null, "{map}");
        assert_eq!(manifest["frame"]["width"], 96, "{map}");
    }
    assert!(place.read("mine/layers/height.npy") == place.read("city/layers/height.npy"));
    place.fine("generate city --recipe mine/recipe.toml -o again");
    assert!(place.read("mine/layers/height.npy") == place.read("again/layers/height.npy"));
    place.fine("derive city --map-h city/layers/height.npy --set erosion.age=0.5 --check -o shaped");
    assert!(place.read("shaped/layers/height.npy") != place.read("city/layers/height.npy"));
    for set in ["sea.side=west", "rivers.inflow=large", "rivers.through=true"] {
        let message = place.fails(&format!("derive city --map-h city/layers/height.npy --set {set}"), 2);
        assert!(message.contains("given map") && message.contains("leave"), "{message}");
    }
    let heights: Vec<String> = (0..32 * 32).map(|i| format!("{}", i % 32 * 3 + 20)).collect();
    place.write("h.json", &format!(r#"{{"width": 32, "height": 32, "data": [{}]}}"#, heights.join(",")));
    place.fine("derive city --map-h h.json --check -o plane");
    assert!(place.fails("derive city", 2).contains("--map height=FILE"));
    let message = place.fails("derive city --map-h city/heightmap.png --map-r city/heightmap.png", 2);
    assert!(
        message.contains("--map-r") && message.contains("has no map r; it takes h (height)"),
        "{message}"
    );
}

#[test]
fn what_cannot_be_made_is_refused_with_advice() {
    let place = Place::new();
    let sea = "--set sea.side=west --set sea.share=0.5 --set goal.buildable_share=0.9";
    let message = place.fails(&format!("generate city --size 128 {sea}"), 2);
    assert!(
        message.contains("the nearest share that was found is 0.") && message.contains("ask for less"),
        "{message}"
    );
    let message = place.fails("generate city --size 128 --set erosion.age=0", 2);
    assert!(message.contains("cannot be met with erosion.age=0"), "{message}");
    let still = "--set erosion.age=0 --set goal.buildable_share=0";
    let message = place.fails(&format!("generate city --size 64 {still} --set rivers.inflow=large"), 2);
    assert!(message.contains("set erosion.age above 0"), "{message}");
    assert!(place.fails("generate city --size 8", 2).contains("between 32 and"));
    assert!(place.fails("generate city --size -5", 2).contains("one number for a square"));
    assert!(place.fails("generate city --set zones.coverage=0.9", 2).contains("between 0.6 and 0.8"));
    assert!(place.fails("generate city --set erosion.heading=sideways", 2).contains("downhill"));
    let message = place.fails("generate city --size 1020x1024 --worldmap", 3);
    assert!(
        message.contains("a world map needs a square map, or sides that are multiples of 8"),
        "{message}"
    );
    assert!(place.fails("generate forest --worldmap", 2).contains("city has one"));
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn the_names_of_the_document_are_taken_and_recorded_under_our_own() {
    let place = Place::new();
    let table = r#"{"target_coverage": 0.72, "zone_wavelength": 7000.0, "A_min": 0.25, "num_particles": 60000, "K_d": 0.4}"#;
    place.write("table.json", table);
    place.write("named.toml", "kind = \"city\"\n[params]\nmap_size_meters = 12000.0\nmin_slope = 0.0006\n");
    let how = "--recipe named.toml --params table.json --set ridge_octaves=4 --set I=0.2 --set A_max=1.1";
    let shown = place.fine(&format!("generate city {how} --print-recipe"));
    for line in [
        "coverage = 0.72  # table.json",
        "wavelength_m = 7000.0  # table.json",
        "amplitude_min = 0.25  # table.json",
        "droplets = 60000  # table.json",
        "deposition_rate = 0.4  # table.json",
        "size_m = 12000.0  # named.toml:3:1",
        "min_slope = 0.0006  # named.toml:4:1",
        "octaves = 4  # --set",
        "inertia = 0.2  # --set",
        "amplitude_max = 1.1  # --set",
    ] {
        assert!(shown.lines().any(|l| l == line), "no line {line:?} in\n{shown}");
    }
    for (set, words) in [
        (
            "octaves=3",
            "octaves: is the name of several parameters; use zones.octaves or terrain.octaves or ridges.octaves (--set)",
        ),
        ("target_coverag=0.7", "did you mean target_coverage?"),
        ("num_particles=300000", "num_particles = 300000: must be between 0 and 200000 (--set)"),
        ("K_s=4 --set sediment_capacity=9", "sediment_capacity = 9: must be between 2 and 6 (--set)"),
    ] {
        let said = place.fails(&format!("generate city --set {set} -o out"), 2);
        assert!(said.contains(words), "--set {set} said\n{said}");
    }
    let help = place.fine("generate city --help");
    assert!(help.contains("[also target_coverage, coverage]"), "{help}");
    assert!(place.fine("schema city").contains("\"x-aliases\""));
}

#[test]
fn a_map_of_any_number_of_cells_has_a_world_map_that_the_checker_accepts() {
    let place = Place::new();
    place.fine("generate city --size 129 --worldmap --check -o odd/");
    assert_eq!(place.json("odd/worldmap.terrain.json")["width"], 136);
    assert_eq!(place.json("odd/heightmap.terrain.json")["width"], 129);
}

#[test]
fn heights_that_do_not_fit_the_scale_are_refused_with_one_that_does() {
    let place = Place::new();
    let low = "generate city --size 64 --set map.height_scale_m=530";
    let said = place.fails(&format!("{low} -o low/"), 2);
    assert!(said.contains("heightmap.png: ") && said.contains("or clip them with --clip"), "{said}");
    let scale = said.split("--set ").nth(1).and_then(|rest| rest.split([',', ' ']).next()).unwrap();
    place.fine(&format!("{low} --set {scale} -o fits/"));
    place.fine(&format!("{low} --clip -o clipped/"));
    assert!(place.json("clipped/heightmap.terrain.json")["limited_pixels"].as_u64().unwrap() > 4);
    assert_eq!(place.names(), ["clipped", "fits"]);
}
