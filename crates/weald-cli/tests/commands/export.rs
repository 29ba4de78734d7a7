//! Exports, single files and what `-o` means.

use crate::common::Place;
use serde_json::Value;
use std::process::Command;

#[test]
fn every_target_of_a_world_is_written_with_its_sidecar_and_listed_in_the_manifest() {
    let place = Place::new();
    let list: Value = serde_json::from_str(&place.fine("export --list --json")).unwrap();
    for world in ["forest", "island", "endless", "realm", "city"] {
        let size = if world == "city" { 64 } else { 48 };
        place.fine(&format!("generate {world} --size {size} --seed 7 -o {world}/"));
        let has = |t: &&Value| t["worlds"].as_array().unwrap().iter().any(|w| w == world);
        let names: Vec<&str> =
            list.as_array().unwrap().iter().filter(has).map(|t| t["name"].as_str().unwrap()).collect();
        assert!(names.len() >= 15, "{world}: {names:?}");
        let to = names.join(",");
        let said: Value =
            serde_json::from_str(&place.fine(&format!("export {world}/ --to {to} --json -o {world}-all/")))
                .unwrap();
        let manifest = place.json(&format!("{world}-all/manifest.json"));
        let listed: Vec<&str> =
            manifest["files"].as_array().unwrap().iter().map(|f| f["file"].as_str().unwrap()).collect();
        for (name, told) in names.iter().zip(said["targets"].as_array().unwrap()) {
            assert!(!told["numbers"].as_array().unwrap().is_empty(), "{world} {name}: no numbers to type");
            let sidecar = place.json(&format!("{world}-all/{name}/{world}.terrain.json"));
            assert_eq!((&sidecar["target"], &sidecar["origin"]["seed"]), (&(*name).into(), &7.into()));
            let entries = std::fs::read_dir(place.path().join(format!("{world}-all/{name}"))).unwrap();
            for entry in entries {
                let file = format!("{name}/{}", entry.unwrap().file_name().to_str().unwrap());
                let inside = format!("{file}/");
                let known = |name: &&str| *name == file || name.starts_with(&inside);
                assert!(listed.iter().any(known), "{world}: {file} is not in the manifest");
            }
        }
        // What is only ours can be replaced; with something else in it, it cannot.
        place.fine(&format!("export {world}/ --to {to} --force -o {world}-all/"));
        place.write(&format!("{world}-all/mine.txt"), "");
        let said = place.fails(&format!("export {world}/ --to {to} --force -o {world}-all/"), 4);
        assert!(said.contains("not Weald's"), "{said}");
    }
}

#[test]
fn an_export_of_a_folder_is_that_of_generate() {
    let place = Place::new();
    place.fine("generate island --size 48 --export gltf,stl -o island/");
    place.fine("export island/ --to gltf,stl -o again/");
    for file in ["gltf/island.glb", "stl/island.stl", "gltf/island.terrain.json"] {
        assert_eq!(place.read(&format!("island/{file}")), place.read(&format!("again/{file}")), "{file}");
    }
    place.fine("export island/ --to stl");
    assert_eq!(place.read("island-stl/island.stl"), place.read("again/stl/island.stl"));
    place.fine("generate island --size 48 -o alone.stl");
    assert_eq!(place.read("alone.stl"), place.read("again/stl/island.stl"));
}

#[test]
fn a_name_with_an_ending_is_that_one_thing_and_a_slash_makes_a_folder() {
    let place = Place::new();
    place.fine("generate island --size 48 -o island/");
    for ending in ["png", "npy", "glb", "stl", "svg", "pdf", "omap", "json", "PNG"] {
        let name = format!("one.{ending}");
        place.fine(&format!("generate island --size 48 -o {name}"));
        assert!(place.path().join(&name).is_file(), "{name}");
    }
    assert_eq!(place.read("one.png"), place.read("island/map.png"));
    assert_eq!(place.read("one.npy"), place.read("island/layers/height.npy"));
    assert_eq!(place.read("one.json"), place.read("island/terrain.json"));
    place.fine("generate island --size 48 -o odd.name/");
    assert!(place.path().join("odd.name/manifest.json").is_file());
    place.fine("generate island --size 48 --px 300 -o small.png");
    assert!(place.read("small.png").len() < place.read("one.png").len());
    for (args, part) in [
        (
            "generate island --size 48 -o a.pgn",
            "nothing is written to a file that ends in .pgn; use .exr, .glb, ",
        ),
        ("generate island --size 48 -o a.pgn", "for a folder of that name, add a slash: -o a.pgn/"),
        ("generate galaxy -o a.npy", "galaxy has no heights above a plane"),
        (
            "generate galaxy -o a.glb",
            "the world galaxy has no ground of heights above a plane, which this target needs; it is for forest, ",
        ),
        ("generate island -o a.ndjson", "island has no such file of its own (it has terrain.json)"),
        ("generate island --scale 10000 -o a/", "--scale is about targets; use it with --export TARGET"),
        ("generate island --layers none -o a.png", "--layers is for folders"),
        ("generate island --size 48 --scale 10 -o a.pdf", "--scale "),
        ("export island/ --to nothing", "--to nothing: there is no such target; use "),
        ("export island/", "give a folder and a target"),
        ("export island/ --to stl -o a.glb", "is a file of the target gltf, not of stl"),
        (
            "export island/ --to tiled",
            "--to tiled: the world island has no map of tiles, which this target needs; it is for realm",
        ),
        ("export island/ --to pdf --paper b7", "b7"),
        ("export island/ --to stl --scale 5 --width-mm 100", "--scale and --width-mm both say"),
    ] {
        let said = place.fails(args, 2);
        assert!(said.contains(part), "{args}: {said}");
    }
    assert!(place.names().iter().all(|name| !name.starts_with("a.") && name != "a"), "{:?}", place.names());
    place.fine("generate island --size 48 --layers land -o few/");
    assert!(place.fails("export few/ --to stl", 2).contains("the layer height is missing"));
    assert!(place.fails("generate island --size 48 -o one.glb", 4).contains("--force"));
    place.fine("generate island --size 48 --force -o one.glb");
}

#[test]
fn what_cannot_be_written_is_refused_before_the_world_is_made() {
    let place = Place::new();
    place.fine("generate island --size 48 -o island/");
    place.write("taken.terrain.json", "{}");
    for (args, code, part) in [
        (
            "export island/ --to geotiff -o island/ --force",
            2,
            "the output is also an input: island/ would be replaced",
        ),
        (
            "export island/ --to geotiff -o . --force",
            2,
            "the output is also an input: island/ would be replaced",
        ),
        (
            "export island/ --to geotiff --samples 33 -o a/",
            2,
            "--samples: is not for geotiff; it is for r16, unity, unreal, ",
        ),
        (
            "generate island --export gltf --exaggeration 2 -o a/",
            2,
            "--exaggeration: is not for gltf; it is for stl",
        ),
        ("export island/ --to gltf,exr --height-scale 9 -o a/", 2, "--height-scale: is not for gltf, exr"),
        ("export island/ --to geotiff,gpkg -o a.tif", 2, "is a file of the target geotiff, not of gpkg"),
        ("export island/ --to stl --samples 30000 -o a.stl", 2, "--samples 30000: a print takes 2 to 20000"),
        ("export island/ --to stl --width-mm 0 -o a.stl", 2, "must be a number above 0"),
        // A map of this size takes longer than all tests together.
        ("generate island --size 30000 --export unity --samples 64 -o a/", 2, "Unity takes 33, 65, "),
        ("generate island --size 48 -o taken.r16", 4, "taken.terrain.json"),
    ] {
        let said = place.fails(args, code);
        assert!(said.contains(part), "{args}: {said}");
    }
    assert!(place.path().join("island/layers/height.npy").is_file());
    // An option counts if one of the targets takes it, and --clip is one of the city itself.
    place.fine("export island/ --to geotiff,unity --samples 65 -o both/");
    place.fine("generate city --size 64 --clip --export geotiff -o city/");
}

#[test]
fn heights_alone_are_in_metres_and_files_are_named_as_they_lie() {
    let place = Place::new();
    let told: Value =
        serde_json::from_str(&place.fine("generate endless --size 64 --json -o e.npy")).unwrap();
    assert_eq!(told["exports"][0]["numbers"][0], "heights in metres above the sea");
    place.fine("generate endless --size 64 -o e.exr");
    let range = |file: &str| {
        let said = place.fine(&format!("derive island --map height={file} --json -o {file}.map/"));
        let said: Value = serde_json::from_str(&said).unwrap();
        [said["maps"]["height"]["lowest"].clone(), said["maps"]["height"]["highest"].clone()]
    };
    assert_eq!(range("e.npy"), range("e.exr"));
    let said = place.fine("generate forest --size 48 -o f.npy");
    assert!(said.contains("npy: heights from 0 to 1"), "{said}");
    place.fine("generate island --size 48 -o island/");
    for (args, files) in [
        ("export island/ --to r16 --json -o one.r16", &["one.r16", "one.terrain.json"][..]),
        ("export island/ --to gltf --json -o a/", &["a/island.glb", "a/island.terrain.json"]),
        ("export island/ --to gltf,svg --json -o b/", &["b/gltf/island.glb", "b/svg/island.svg"]),
        ("generate island --size 48 --export gltf --json -o c/", &["c/gltf/island.glb"]),
    ] {
        let told: Value = serde_json::from_str(&place.fine(args)).unwrap();
        let targets = if told["targets"].is_null() { &told["exports"] } else { &told["targets"] };
        let listed: Vec<&str> = targets
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|t| t["files"].as_array().unwrap())
            .map(|f| f.as_str().unwrap())
            .collect();
        for file in files {
            let below = file.split_once('/').map_or(*file, |(_, below)| below);
            assert!(
                listed.contains(&below) && place.path().join(file).is_file(),
                "{args}: {file} in {listed:?}"
            );
        }
    }
}

#[test]
fn a_reader_that_has_enough_ends_the_program_silently_and_well() {
    let script = "\"$WEALD\" generate forest --size 64 -o -; echo $? > code";
    let place = Place::new();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("({script}) | head -c 10")]);
    shell.env("WEALD", env!("CARGO_BIN_EXE_weald")).current_dir(place.path());
    let out = shell.output().unwrap();
    assert_eq!((out.stdout.len(), out.stderr.as_slice()), (10, b"".as_slice()));
    assert_eq!(place.read("code"), b"0\n");
}

#[test]
fn an_output_never_takes_the_place_of_what_the_command_reads() {
    let place = Place::new();
    place.fine("generate island --size 48 -o island/");
    place.fine("export island/ --to geotiff -o map.tif");
    place.write("list.csv", "0,0\n100,-60\n");
    place.write("params.json", "{}");
    std::fs::create_dir(place.path().join("maps")).unwrap();
    std::fs::copy(place.path().join("map.tif"), place.path().join("maps/map.tif")).unwrap();
    place.write("maps/things.json", "[\"cone 1 2\"]");
    place.write("own.toml", "kind = \"island\"\n[maps]\nh = \"map.tif\"\n");
    let before = |name: &str| place.read(name);
    let all = ["map.tif", "list.csv", "params.json", "maps/things.json", "own.toml", "island/recipe.toml"];
    let kept = all.map(before);
    for (args, input) in [
        ("export island --to gltf -o island", "island"),
        ("export island --to geotiff,gltf -o island/../island/", "island"),
        ("derive island --map height=map.tif -o map.tif", "map.tif"),
        ("derive island --map height=maps/map.tif -o maps", "maps/map.tif"),
        ("generate island --recipe own.toml -o map.tif", "map.tif"),
        ("generate island --recipe island/recipe.toml -o .", "island/recipe.toml"),
        ("derive island --map height=island/layers/height.npy -o island", "island/layers/height.npy"),
        ("generate forest --size 8x8 --params params.json -o params.json", "params.json"),
        ("generate endless --size 9x9 --set placed=@maps/things.json -o maps", "maps/things.json"),
        ("course endless --controls list.csv -o list.csv", "list.csv"),
        ("course endless --controls list.csv -o ./list.csv", "list.csv"),
    ] {
        for force in ["", " --force"] {
            let said = place.fails(&format!("{args}{force}"), 2);
            let wanted =
                format!("the output is also an input: {input} would be replaced; choose another name");
            assert!(said.contains(&wanted), "weald {args}{force}: {said}");
        }
    }
    assert_eq!(all.map(before), kept);
    // A folder has its recipe and its maps again when it is made again from them.
    place.fine("generate island --recipe island/recipe.toml --seed 4 -o island --force");
    place.fine("derive island --map height=map.tif -o derived");
    place.fine("derive island --recipe derived/recipe.toml -o derived --force");
    place.fine("check island");
    place.fine("check derived");
    // The name of a recipe that is built in is no folder of that name.
    place.fine("generate city --recipe city-coast --size 64 -o city-coast");
    place.fine("generate city --recipe city-coast --size 64 -o city-coast --force");
}
