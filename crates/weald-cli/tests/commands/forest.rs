//! The command line as its users meet it: results, messages, exit codes, what is left behind.

use crate::common::Place;
use serde_json::Value;
use std::process::Command;

#[test]
fn generate_makes_a_folder_that_passes_its_check() {
    let place = Place::new();
    let said = place.fine("generate forest --seed 42 --size 40x30 -o forest/");
    assert!(said.starts_with("forest 40x30, seed 42 -> forest/ in "), "{said}");
    for file in
        ["tiles.json", "map.png", "manifest.json", "recipe.toml", "trails.geojson", "layers/height.npy"]
    {
        assert!(place.path().join("forest").join(file).is_file(), "{file}");
    }
    let manifest = place.json("forest/manifest.json");
    assert_eq!((&manifest["world"], &manifest["seed"]), (&"forest".into(), &42.into()));
    assert_eq!((&manifest["frame"]["width"], &manifest["frame"]["height"]), (&40.into(), &30.into()));
    assert_eq!(manifest["layers"].as_array().unwrap().len(), 31);
    place.fine("check forest");
    place.fine("check forest/tiles.json");
    assert_eq!(place.names(), ["forest"]);
}

#[test]
fn a_single_file_and_standard_output_hold_the_same_envelope() {
    let place = Place::new();
    place.fine("generate forest --size 12x9 -o tiles.json");
    let piped = place.fine("generate forest --size 12x9 -o -");
    assert_eq!(piped.as_bytes(), place.read("tiles.json"));
    place.fine("generate forest --size 12x9 -o tiles.ndjson");
    assert_eq!(String::from_utf8(place.read("tiles.ndjson")).unwrap().lines().count(), 1 + 12 * 9);
    let lines = place.fine("generate forest --size 12x9 --files tiles.ndjson -o -");
    assert_eq!(lines.as_bytes(), place.read("tiles.ndjson"));
    place.fine("check tiles.ndjson");
}

#[test]
fn a_folder_is_made_again_bit_for_bit_from_its_own_recipe() {
    let place = Place::new();
    place.fine("generate forest --seed 18446744073709551615 --size 33x20 --set landform.eps=0.004 -o a");
    place.fine("generate forest --recipe a/recipe.toml -o b --threads 3");
    for file in ["manifest.json", "recipe.toml", "tiles.json", "map.png"] {
        assert_eq!(place.lasting(&format!("a/{file}")), place.lasting(&format!("b/{file}")), "{file}");
    }
}

#[test]
fn one_number_is_the_side_of_a_square() {
    let place = Place::new();
    place.fine("generate forest --size 9 --files none --layers none -o a");
    let frame = place.json("a/manifest.json")["frame"].clone();
    assert_eq!((&frame["width"], &frame["height"]), (&9.into(), &9.into()));
}

#[test]
fn the_manifest_ends_with_the_seconds_of_every_stage_in_their_order() {
    let place = Place::new();
    let said = place.fine("generate forest --size 24x24 --check --json -o a");
    let manifest = place.json("a/manifest.json");
    assert_eq!(manifest.as_object().unwrap().keys().next_back().unwrap(), "seconds");
    let seconds = manifest["seconds"].as_object().unwrap();
    let told: Value = serde_json::from_str(&said).unwrap();
    assert!(seconds.keys().eq(told["stages"].as_object().unwrap().keys()), "{seconds:?} {told}");
    for stage in ["elevation", "map", "check"] {
        let took = seconds.get(stage).and_then(Value::as_f64);
        assert!(took.is_some_and(|s| (0.0..60.0).contains(&s)), "{stage}: {seconds:?}");
    }
    assert_eq!(told["notes"], serde_json::json!([]), "the forest has nothing to add");
}

#[test]
fn a_derived_folder_keeps_its_maps_and_is_made_again_from_its_own_recipe() {
    let place = Place::new();
    let data: Vec<String> = (0..48).map(|i| format!("0.{:02}", (i * 37) % 100)).collect();
    place.write("h.json", &format!("{{\"width\": 8, \"height\": 6, \"data\": [{}]}}", data.join(",")));
    place.fine("derive forest --map-h h.json --seed 5 -o a");
    std::fs::remove_file(place.path().join("h.json")).unwrap();
    place.fine("derive forest --recipe a/recipe.toml -o b");
    assert_eq!(place.read("a/tiles.json"), place.read("b/tiles.json"));
    assert_eq!(place.json("a/tiles.json")["tiles"][1]["topography"]["elevation"], 0.37);
    place.fine("check b");
}

#[test]
fn a_map_decides_the_size_of_a_derived_world_unless_the_command_line_does() {
    let place = Place::new();
    place.fine("generate forest --size 20x14 --files none -o a");
    place.fine("derive forest --recipe forest --map-h a/layers/height.npy --files none -o b");
    let frame = place.json("b/manifest.json")["frame"].clone();
    assert_eq!((&frame["width"], &frame["height"]), (&20.into(), &14.into()));
    place.fails("derive forest --map-h a/layers/height.npy --size 20x15 -o c", 3);
}

#[test]
fn a_size_that_was_written_down_anywhere_must_be_that_of_the_map() {
    let place = Place::new();
    place.fine("generate forest --size 20x14 --files none --layers height -o a");
    let map = "--map-h a/layers/height.npy --files none --layers none";
    place.write("size.json", "{\"width\": 20, \"height\": 15}");
    place.write("wide.json", "{\"width\": 21}");
    place.write("fits.json", "{\"width\": 20}");
    place.write("size.toml", "kind = \"forest\"\nsize = [20, 15]\n");
    place.write("high.toml", "kind = \"forest\"\nheight = 15\n");
    place.write("none.toml", "kind = \"forest\"\nseed = 3\n");
    place.write("maps.toml", "kind = \"forest\"\nsize = \"20x15\"\n[maps]\nh = \"a/layers/height.npy\"\n");
    for (how, world) in [
        ("--size 20x15", "20x15"),
        ("--width 21", "21x14"),
        ("--height 15", "20x15"),
        ("--params size.json", "20x15"),
        ("--params wide.json", "21x14"),
        ("--recipe size.toml", "20x15"),
        ("--recipe high.toml", "20x15"),
    ] {
        for command in ["derive", "debug"] {
            let said = place.fails(&format!("{command} forest {map} {how} -o out"), 3);
            assert!(said.contains(&format!("map H is 20x14 but the world is {world}; ")), "{how}: {said}");
        }
    }
    for command in ["generate", "derive", "debug"] {
        let said = place.fails(&format!("{command} forest --recipe maps.toml -o out"), 3);
        assert!(said.contains("map H is 20x14 but the world is 20x15; "), "{command}: {said}");
    }
    for (how, origin) in [
        ("", "size of the map"),
        ("--recipe forest", "size of the map"),
        ("--recipe none.toml", "size of the map"),
        ("--width 20", "--width, --height, size of the map"),
        ("--height 14", "--width, --height, size of the map"),
        ("--params fits.json", "fits.json, size of the map"),
        ("--size 20x14", "--size"),
        ("--recipe high.toml --height 14", "--width, --height, size of the map"),
    ] {
        let shown = place.fine(&format!("derive forest {map} {how} --print-recipe"));
        let line = format!("size = [20, 14]  # {origin}");
        assert!(shown.lines().any(|l| l == line), "no line {line:?} for {how:?} in\n{shown}");
        place.fine(&format!("derive forest {map} {how} --force -o out"));
    }
}

#[test]
fn roughness_or_variance_without_elevation_is_refused_in_the_same_words_everywhere() {
    let place = Place::new();
    place.write("m.json", "{\"width\": 2, \"height\": 2, \"data\": [0, 0.5, 1, 0.25]}");
    for (name, alias) in [("r", "roughness"), ("v", "vegetation_variance")] {
        let words = format!(
            "error: the map {alias} needs the map height too; use `weald derive forest --map height=FILE --map {alias}=FILE`, \
             or write maps.h in the recipe, or leave {alias} out\n"
        );
        place.write("m.toml", &format!("kind = \"forest\"\n[maps]\n{name} = \"m.json\"\n"));
        for command in ["derive", "generate", "debug"] {
            assert_eq!(place.fails(&format!("{command} forest --map-{name} m.json"), 2), words, "{command}");
            assert_eq!(place.fails(&format!("{command} forest --recipe m.toml"), 2), words, "{command}");
        }
    }
    place.fine("derive forest --map-h m.json --map-v m.json --files none -o fine");
    assert!(
        place.fails("generate forest --map-h m.json --map-v m.json", 2).contains("use `weald derive forest`")
    );
}

#[test]
fn a_parameter_file_may_hold_the_playable_inset_at_its_root() {
    let place = Place::new();
    place.write("p.json", "{\"seed\": \"8\", \"playableInset\": 2}");
    place.write("twice.json", "{\"playableInset\": 2, \"grid\": {\"playableInset\": 3}}");
    place.fine("generate forest --params p.json --size 9x9 --check -o a");
    assert_eq!(place.json("a/manifest.json")["params"]["grid"]["playable_inset"], 2);
    let said = place.fails("generate forest --params twice.json --size 9x9 -o b", 2);
    assert!(said.contains("grid.playableInset = 3: is given as playableInset = 2 too"), "{said}");
}

#[test]
fn the_command_line_goes_before_files_and_files_before_defaults() {
    let place = Place::new();
    place.write("r.toml", "kind = \"forest\"\nseed = 7\nsize = \"20x10\"\n[params.landform]\neps = 0.01\nflat_slope_threshold = 0.02\n");
    place.write("p.json", "{\"seed\": \"8\", \"landform\": {\"eps\": 0.02}, \"vegVarianceStrength\": 0.3}");
    let shown = place.fine(
        "generate forest --recipe r.toml --params p.json --width 30 --set landform.eps=0.03 --print-recipe",
    );
    for line in [
        "seed = 8  # p.json",
        "size = [30, 10]  # --width, --height",
        "eps = 0.03  # --set",
        "flat_slope_threshold = 0.02  # r.toml:6:1",
        "strength = 0.3  # p.json",
        "octaves = 5  # default",
    ] {
        assert!(shown.lines().any(|l| l == line), "no line {line:?} in\n{shown}");
    }
    assert_eq!(place.names(), ["p.json", "r.toml"]);
}

#[test]
fn invalid_input_is_told_with_place_value_and_what_to_do() {
    let place = Place::new();
    place.write(
        "bad.toml",
        "kind = \"forest\"\n[params.hydrology]\nwater_prox_max_dist = 0\nlake_depth = 3\n",
    );
    place.write("broken.toml", "kind = \"forest\"\nseed = \n");
    place.write("other.toml", "kind = \"city\"\n");
    place.write("nan.toml", "kind = \"forest\"\n[params.landform]\neps = nan\n");
    place.write("maps.toml", "kind = \"forest\"\nmaps = 3\n");
    place.write("bad.json", "{\"hydrology\": {\"tieEps\": \"small\"}}");
    place.write("seed.json", "{\"seed\": -1}");
    place.write("twice.json", "{\"landform\": {\"eps\": 0.1}, \"params\": {}}");
    for (args, message) in [
        ("generate forrest", "error: forrest: no such world; did you mean forest?\n"),
        ("generate forest --size 0x5", "must be WIDTHxHEIGHT, such as 800x600, or one number for a square"),
        ("generate forest --threads 100000", "must be between 1 and 256"),
        ("generate forest --threads 0", "must be between 1 and 256"),
        ("generate forest --seed -1", "must be a whole number between 0 and"),
        ("generate forest --seed 18446744073709551616", "between 0 and 18446744073709551615"),
        (
            "generate forest --set landform.eps=2",
            "error: landform.eps = 2: must be between 0 and 1 (--set)\n",
        ),
        (
            "generate forest --set landfrom.eps=0",
            "error: landfrom.eps: no such parameter; did you mean landform.eps? (--set)\n",
        ),
        (
            "generate forest --recipe bad.toml",
            "error: hydrology.water_prox_max_dist = 0: must be between 1 and 65535 (bad.toml:3:1)\n",
        ),
        ("generate forest --recipe broken.toml", "broken.toml:2:"),
        (
            "generate forest --recipe other.toml",
            "error: other.toml:1:1: kind = \"city\": this is a recipe for another world",
        ),
        (
            "generate forest --recipe nan.toml",
            "eps = \"nan\": must be a number between 0 and 1 (nan.toml:3:1)",
        ),
        (
            "generate forest --params bad.json",
            "error: hydrology.tieEps = \"small\": must be a number between 0 and 0.1 (bad.json)\n",
        ),
        ("generate forest --params seed.json", "seed = -1: must be a whole number between 0 and"),
        ("generate forest --params twice.json", "twice.json: landform: is outside params"),
        ("generate forest --layers height -o a.json", "--layers is for folders"),
        ("generate forest --check -o -", "--check is for folders"),
        ("generate forest --json -o -", "--json is for folders"),
        ("generate forest --layers height,depth", "--layers depth: no such name; use height,"),
        ("generate forest --files tiles.xml", "--files tiles.xml"),
        ("generate forest --with snow", "--with snow"),
        ("generate forest --worldmap", "--worldmap: forest has no map of the land around; "),
        ("generate forest --worldmap -o t.json", "--worldmap"),
        ("generate forest --map-h x.png", "use `weald derive forest`"),
        ("derive forest", "error: derive needs --map height=FILE"),
        ("generate forest --size 300000x300000", "bytes (13.1 TiB) of memory"),
        ("debug forest -o a.json", "debug writes a folder"),
        ("generate forest --sed 4", "--se"),
    ] {
        let said = place.fails(args, 2);
        assert!(said.contains(message), "weald {args} said\n{said}\nand not\n{message}");
    }
    assert!(place.names().iter().all(|n| n.ends_with("toml") || n.ends_with("json")), "{:?}", place.names());
}

#[test]
fn shapes_that_do_not_fit_give_3_and_missing_files_give_4() {
    let place = Place::new();
    place.write("h.json", "{\"width\": 2, \"height\": 2, \"data\": [0, 0.5, 1, 0.25]}");
    place.write("r.json", "{\"width\": 3, \"height\": 2, \"data\": [0, 0, 0, 0, 0, 0]}");
    place.write("over.json", "{\"width\": 2, \"height\": 1, \"data\": [0, 1.5]}");
    assert!(
        place
            .fails("derive forest --map-h h.json --map-r r.json", 3)
            .contains("map R is 3x2 but the world is 2x2")
    );
    assert!(place.fails("derive forest --map-h h.json --size 4x4", 3).contains("map H is 2x2"));
    assert!(
        place
            .fails("derive forest --map-h over.json", 2)
            .contains("over.json: x=1, y=0 is 1.5: must be between 0 and 1")
    );
    assert!(place.fails("derive forest --map-h none.png", 4).contains("none.png: No such file"));
    assert!(place.fails("generate forest --recipe none.toml", 4).contains("none.toml: No such file"));
    assert!(place.fails("generate forest --recipe none", 2).contains(
        "use one of forest, forest-rugged, forest-wild, endless, endless-islands, endless-sky, planet, galaxy, city, \
             city-mountainous, city-valleys, city-rolling, city-coast, city-river, city-literal, island, archipelago, atoll, continent, island-literal"
    ));
    assert!(place.fails("generate forest --recipe forest-ruged", 2).contains("did you mean forest-rugged?"));
    assert!(place.fails("generate forest -o no/such/folder", 4).contains("make it first"));
    assert!(place.fails("check nothing", 4).contains("nothing"));
    assert_eq!(place.names(), ["h.json", "over.json", "r.json"]);
}

#[test]
fn nothing_is_replaced_without_force_and_nothing_foreign_even_with_it() {
    let place = Place::new();
    place.fine("generate forest --size 8x8 -o out");
    place.fine("generate forest --size 8x8 -o out.json");
    let before = (place.read("out/tiles.json"), place.read("out.json"));
    assert!(place.fails("generate forest --seed 2 --size 8x8 -o out", 4).contains("use --force"));
    assert!(place.fails("generate forest --seed 2 --size 8x8 -o out.json", 4).contains("use --force"));
    assert_eq!((place.read("out/tiles.json"), place.read("out.json")), before);
    place.fine("generate forest --seed 2 --size 8x8 -o out --force");
    place.fine("generate forest --seed 2 --size 8x8 -o out.json --force");
    assert_ne!(place.read("out/tiles.json"), before.0);
    place.write("out/notes.txt", "mine");
    assert!(
        place
            .fails("generate forest --size 8x8 -o out --force", 4)
            .contains("holds files that are not Weald's")
    );
    std::fs::remove_file(place.path().join("out/notes.txt")).unwrap();
    std::fs::create_dir(place.path().join("mine")).unwrap();
    place.write("mine/letters.txt", "dear");
    assert!(place.fails("generate forest --size 8x8 -o mine --force", 4).contains("remove it yourself"));
    assert_eq!(place.read("mine/letters.txt"), b"dear");
    assert_eq!(place.names(), ["mine", "out", "out.json"]);
}

#[test]
fn check_finds_a_tile_that_was_tampered_with() {
    let place = Place::new();
    place.fine("generate forest --size 16x16 -o a.json");
    let text = String::from_utf8(place.read("a.json")).unwrap();
    place.write("b.json", &text.replacen("\"flowAccum\":1,", "\"flowAccum\":2,", 1));
    let out = place.run("check b.json");
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stdout).contains("FAIL flow-accumulation"));
    let report: Value = serde_json::from_slice(&place.run("check b.json --json").stdout).unwrap();
    assert_eq!(report["ok"], false);
    place.write("c.json", "{\"tiles\": 3}");
    place.fails("check c.json", 2);
    place.fine("generate forest --size 16x16 --files all -o d");
    place.fine("check d");
    let text = String::from_utf8(place.read("d/tiles.ndjson")).unwrap();
    place.write("d/tiles.ndjson", &text.replacen("\"flowAccum\":1,", "\"flowAccum\":2,", 1));
    assert_eq!(place.run("check d").status.code(), Some(1), "the second file of tiles is checked as well");
    for (file, from, to, rule) in [
        ("recipe.toml", "seed = 1", "seed = 2", "sources-agree"),
        ("recipe.toml", "playable_inset = 1", "playable_inset = 2", "sources-agree"),
        ("manifest.json", "\"seed\": 1,", "\"seed\": 3,", "sources-agree"),
        ("tiles.json", "\"seed\":\"1\"", "\"seed\":\"4\"", "sources-agree"),
        ("trails.geojson", "\"coordinates\":[[", "\"coordinates\":[[0.5,0.5],[", "trail-lines"),
    ] {
        place.fine("generate forest --size 16x16 -o f --force");
        let text = String::from_utf8(place.read(&format!("f/{file}"))).unwrap();
        assert!(text.contains(from), "{file} holds no {from}");
        place.write(&format!("f/{file}"), &text.replacen(from, to, 1));
        let out = place.run("check f");
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(out.status.code(), Some(1), "{file} with {to}: {said}");
        assert!(said.contains(&format!("FAIL {rule}")), "{file} with {to}: {said}");
    }
    place.fine("generate forest --size 16x16 --files none --layers none -o e");
    assert!(place.fails("check e", 2).contains("nothing to check"));
}

#[test]
fn a_folder_and_tiles_of_shaped_land_pass_their_checks() {
    let place = Place::new();
    place.fine(
        "generate forest --recipe forest-wild --size 48x40 --files tiles.json,tiles.ndjson --check -o wild",
    );
    place.fine("generate forest --recipe forest-wild --size 48x40 -o wild.json");
    place.fine("check wild.json");
    let tiles = String::from_utf8(place.read("wild.json")).unwrap();
    place.write("wild.json", &tiles.replace("\"source\":\"shaped\"", "\"source\":\"carved\""));
    assert!(place.fails("check wild.json", 2).contains("carved"));
}

#[test]
fn a_folder_can_be_checked_before_it_appears() {
    let place = Place::new();
    place.fine("generate forest --size 16x16 -o plain");
    assert_eq!(place.json("plain/manifest.json")["checks"], serde_json::json!([]));
    place.fine("generate forest --size 16x16 --check -o checked");
    let checks = place.json("checked/manifest.json")["checks"].clone();
    assert!(
        checks.as_array().unwrap().iter().any(|c| c["rule"] == "flow-downhill" && c["checked"] == 256),
        "{checks}"
    );
    place.fine("check checked");
}

#[test]
fn the_shipped_recipe_is_what_new_prints() {
    for world in weald::world::WORLDS {
        let (name, shipped) = (world.info().name, &world.info().recipes[0]);
        let new = Place::new().fine(&format!("new {name}"));
        assert_eq!(shipped.name, name);
        assert_eq!(new, shipped.toml, "run: weald new {name} > recipes/{name}.toml");
    }
}

#[test]
fn debug_draws_every_layer_and_the_intermediates() {
    let place = Place::new();
    place.fine("debug forest --size 24x16 -o d");
    let page = String::from_utf8(place.read("d/debug/index.html")).unwrap();
    for name in [
        "height",
        "slope",
        "moisture",
        "flow_accumulation",
        "water_class",
        "biome",
        "roughness",
        "trail_cost",
        "blocked_steps",
    ] {
        assert!(place.path().join(format!("d/debug/{name}.png")).is_file(), "{name}");
        assert!(page.contains(&format!("{name}.png")), "{name}");
    }
    place.fine("check d");
}

#[test]
fn pictures_and_recipes_and_schemas_can_be_asked_for() {
    let place = Place::new();
    place.fine("generate forest --size 10x10 --png height,biome --layers none --files none -o p");
    let manifest = place.json("p/manifest.json");
    assert_eq!(manifest["layers"].as_array().unwrap().len(), 2);
    assert!(place.path().join("p/layers/biome.png").is_file() && !place.path().join("p/tiles.json").exists());
    place.write("new.toml", &place.fine("new forest --recipe forest-rugged"));
    place.fine("generate forest --recipe new.toml --size 9x9 -o q");
    for of in ["params", "recipe", "output"] {
        let schema: Value = serde_json::from_str(&place.fine(&format!("schema forest --of {of}"))).unwrap();
        assert!(schema["properties"].is_object(), "{of}");
    }
    assert!(place.fine("worlds").contains("forest-rugged"));
    assert!(place.fine("completions bash").contains("weald"));
    let said: Value = serde_json::from_str(&place.fine("generate forest --size 9x9 --json -o r")).unwrap();
    assert_eq!(said["path"], "r");
}

/// Runs under a shell, where limits and signals can be set.
#[cfg(unix)]
mod under_a_shell {
    use super::*;
    use std::time::Duration;

    fn shell(place: &Place, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).env("WEALD", env!("CARGO_BIN_EXE_weald")).current_dir(place.path());
        command
    }

    #[test]
    fn a_full_disk_leaves_nothing_behind() {
        let place = Place::new();
        // Files may not grow beyond 100 blocks; the program is told so by an error, not by a signal.
        for target in ["out", "out.json"] {
            let script = format!(
                "trap '' XFSZ; ulimit -f 100; exec \"$WEALD\" generate forest --size 128x128 -o {target}"
            );
            let out = shell(&place, &script).output().unwrap();
            assert_eq!(out.status.code(), Some(4), "{}", String::from_utf8_lossy(&out.stderr));
            assert!(place.names().is_empty(), "{:?}", place.names());
        }
        let out = shell(&place, "\"$WEALD\" generate forest --size 64 -o - > /dev/full").output().unwrap();
        assert_eq!(out.status.code(), Some(4));
    }

    #[test]
    fn a_reader_that_has_enough_is_no_error_to_talk_about() {
        let out =
            shell(&Place::new(), "\"$WEALD\" generate forest --size 64 -o - | head -c 100").output().unwrap();
        assert_eq!((out.stdout.len(), out.stderr.as_slice()), (100, b"".as_slice()));
    }

    #[test]
    fn an_interrupted_run_leaves_nothing_and_a_killed_one_is_swept_by_the_next() {
        let place = Place::new();
        for (signal, code) in [("INT", Some(130)), ("TERM", Some(130)), ("KILL", None)] {
            let mut child = place.command("generate forest --size 1500x1500 -o out").spawn().unwrap();
            // Until it has begun to write.
            while !place.names().iter().any(|n| n.starts_with(".out.weald-")) {
                assert!(child.try_wait().unwrap().is_none(), "it ended too early");
                std::thread::sleep(Duration::from_millis(5));
            }
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
            assert_eq!(child.wait().unwrap().code(), code, "{signal}");
            assert!(!place.path().join("out").exists());
            assert_eq!(place.names().is_empty(), signal != "KILL", "{:?}", place.names());
        }
        place.fine("generate forest --size 8x8 -o out");
        assert_eq!(place.names(), ["out"]);
    }
}

#[test]
fn planets_and_galaxies_pass_their_checks_and_are_made_again_from_their_recipes() {
    let place = Place::new();
    for (world, more, file) in [
        ("planet", "--size 24x24 --set radius_m=400 --px 64", "equirectangular.png"),
        ("galaxy", "--size 120x90", "stars.csv"),
    ] {
        place.fine(&format!("generate {world} --check {more} -o {world}"));
        place.fine(&format!("check {world}"));
        place.fine(&format!("generate {world} --recipe {world}/recipe.toml --threads 3 -o again"));
        for name in ["manifest.json", "map.png", file] {
            let (a, b) = (place.read(&format!("{world}/{name}")), place.read(&format!("again/{name}")));
            // The list of checks is in the manifest of the first one only.
            assert!(a == b || name == "manifest.json", "{world} {name}");
        }
        std::fs::remove_dir_all(place.path().join("again")).unwrap();
        let message = place.fails(&format!("derive {world}"), 2);
        assert!(message.contains("takes no maps"), "{message}");
        for of in ["params", "recipe", "output"] {
            let schema: Value =
                serde_json::from_str(&place.fine(&format!("schema {world} --of {of}"))).unwrap();
            assert!(schema.is_object());
        }
    }
    assert!(place.fails("generate planet --size 30x20", 2).contains("--size 30x30"));
}

#[test]
fn galaxy_stats_answers_the_four_questions() {
    let place = Place::new();
    let said = place.fine("galaxy stats");
    for part in [
        "seed 0",
        "1. 519 stars in 144000000 cubic light years: 3.604e-6",
        "expected 3.815e-6",
        "2. nearest visible star: 49.05 light years from the viewer at 0,0,0",
        "it has 10 planets",
        "3. stars by number of planets",
        "4. colour and planets: ",
        "with 49 degrees of freedom",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let json: Value = serde_json::from_str(&place.fine("galaxy stats --size 400x300 --json")).unwrap();
    assert_eq!(json["volume_ly3"], 36_000_000);
    assert_eq!(json["stars_by_planets"].as_array().unwrap().len(), 16);
    let few = place.fine("galaxy stats --size 9x9 --set stars.visible_below=-30");
    assert!(few.contains("fewer than 20 stars") && few.contains("no star in the block is visible"), "{few}");
    assert!(place.fails("galaxy stats --set depth=3", 2).contains("did you mean depth_ly?"));
    assert!(place.fails("galaxy stats --recipe planet", 2).contains("another world"));
}

#[test]
fn galaxy_stats_measures_from_the_place_that_was_asked_for() {
    let place = Place::new();
    let nearest = |args: &str| {
        let json: Value = serde_json::from_str(&place.fine(&format!("galaxy stats {args} --json"))).unwrap();
        let star = json["nearest_visible"].clone();
        (["x", "y", "z"].map(|k| star[k].as_i64().unwrap()), star["distance_ly"].as_f64().unwrap())
    };
    let small = "--seed 3 --size 300x300 --set depth_ly=200";
    for viewer in [[0, 0, 0], [5000, -700, 0], [-40, 30, 1000]] {
        let [x, y, z] = viewer;
        let (star, distance) = nearest(&format!("{small} --at {x},{y},{z}"));
        let square = (0..3).map(|k| (star[k] - viewer[k]).pow(2)).sum::<i64>();
        assert_eq!(distance, (square as f64).sqrt());
        assert!(star[2] > z && star[2] <= z + 200 && (star[0] - x).abs() <= 150, "{star:?} from {viewer:?}");
        assert_eq!(
            nearest(&format!("{small} --set at.x={x} --set at.y={y} --set at.z={z}")),
            (star, distance)
        );
    }
    let said = place.fine(&format!("galaxy stats {small} --at 5000,-700"));
    assert!(said.contains("from the viewer at 5000,-700,0;"), "{said}");
    place.fine("generate galaxy --seed 3 --size 60x40 --at 100,200,-300 --check -o far");
    assert_eq!(place.json("far/manifest.json")["params"]["at"]["z"], -300);
    let said = place.fails("generate endless --size 9x9 --at 1,2,3", 2);
    assert!(said.contains("--at: a place of the world endless has two coordinates"), "{said}");
}

#[test]
fn a_heightmap_made_elsewhere_is_checked_for_land_that_does_not_drain() {
    let place = Place::new();
    let map = |middle: f32| {
        let height =
            |x: usize, y: usize| if (x, y) == (3, 2) { middle } else { (x.abs_diff(3) + y) as f32 - 1.0 };
        let cells: Vec<String> = (0..42).map(|i| height(i % 7, i / 7).to_string()).collect();
        format!(r#"{{"width": 7, "height": 6, "data": [{}]}}"#, cells.join(","))
    };
    place.write("good.json", &map(1.0));
    place.write("pit.json", &map(-0.75));
    let said = place.fine("check --heightmap good.json --sea-level -2");
    assert!(said.contains("ok   drains                 42 checked") && said.contains("(100.00 %)"), "{said}");
    let out = place.run("check --heightmap pit.json --sea-level -2");
    assert_eq!(out.status.code(), Some(1));
    let said = String::from_utf8(out.stdout).unwrap();
    assert!(said.contains("FAIL sinks                  1 of 42: (3,2): 0.75 deep, 1 cell"), "{said}");
    // In the sea, which the depression is by default, nothing has to drain.
    place.fine("check --heightmap pit.json");
    let report = place.run("check --heightmap pit.json --sea-level -2 --json").stdout;
    let report: Value = serde_json::from_slice(&report).unwrap();
    assert_eq!((&report["ok"], &report["figures"]["depressions"]["deepest"]), (&false.into(), &0.75.into()));
}

#[test]
fn what_is_no_heightmap_is_refused_with_advice() {
    let place = Place::new();
    assert!(place.fails("check", 2).contains("--heightmap FILE"));
    assert!(place.fails("check a --heightmap b.png", 2).contains("cannot be used with"));
    for args in ["check a --sea-level 3", "check --sea-level 3"] {
        let message = place.fails(args, 2);
        assert!(message.contains("--heightmap"), "{message}");
    }
    assert!(place.fails("check --heightmap b.png --sea-level low", 2).contains("in the unit of the map"));
    assert!(place.fails("check --heightmap none.png", 4).contains("none.png"));
    assert!(place.fails("check --heightmap none.txt", 4).contains("none.txt"));
    place.write("b.json", r#"{"width": 2, "height": 1, "data": [0, 1e39]}"#);
    let message = place.fails("check --heightmap b.json", 2);
    assert!(message.contains("x=1, y=0 is inf, or a number above 3.4e38; give every cell a finite height, or say with --nodata inf"), "{message}");
}
