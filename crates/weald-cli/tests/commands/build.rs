//! weald build: maps larger than memory.

use crate::common::Place;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// The bytes of every file of a store but those of `.weald`, by its path.
fn files(store: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, out: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() && name != ".weald" {
                walk(root, &path, out);
            } else if path.is_file() {
                out.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(store, store, &mut out);
    out
}

#[test]
fn a_forest_is_built_in_tiles_and_says_what_is_left_out() {
    let place = Place::new();
    let out = place.run("build forest --seed 3 --size 200x150 --tile 64 -o world.zarr");
    assert!(out.status.success());
    let told = String::from_utf8(out.stdout).unwrap();
    assert!(told.starts_with("forest 200x150, seed 3, in 12 tiles of 64 -> world.zarr in "), "{told}");
    let note =
        "note: game trails cross the whole map and are left out: game_trails.seed_tiles_per_trail = 0\n";
    assert_eq!(String::from_utf8(out.stderr).unwrap(), note);
    let group = place.json("world.zarr/zarr.json");
    assert_eq!(group["attributes"]["seed"], 3);
    assert!(group["attributes"]["recipe"].as_str().unwrap().contains("kind = \"forest\""));
    // The recipe makes the same map as a whole.
    place
        .fine("generate forest --recipe world.zarr/.weald/recipe.toml --layers height --files none -o whole");
    assert_eq!(place.json("whole/manifest.json")["frame"]["width"], 200);
    let json = place.fine("build forest --seed 3 --size 200x150 --tile 64 -o world.zarr --json");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["continued"], true);
}

#[test]
fn a_build_that_is_killed_at_any_moment_goes_on_to_the_same_bytes() {
    let place = Place::new();
    let build = "build forest --seed 8 --size 700 --tile 100 --layers height,lake_id,move_cost --quiet --threads 2 -o";
    place.fine(&format!("{build} whole.zarr"));
    let whole = files(&place.path().join("whole.zarr"));
    let mut kills = 0;
    for pause in [5, 40, 15, 90, 160, 60, 25, 120, 200, 80] {
        let mut child = place
            .command(&format!("{build} killed.zarr"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        kills += child.try_wait().unwrap().is_none() as usize;
        // On Unix this is SIGKILL: nothing is cleaned up.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills > 0, "every run had ended before it was killed");
    place.fine(&format!("{build} killed.zarr"));
    assert!(files(&place.path().join("killed.zarr")) == whole);
}

#[test]
fn a_dry_run_tells_passes_tiles_and_memory_and_builds_nothing() {
    let place = Place::new();
    let told = place.fine("build forest --size 65536 --memory 8GiB --dry-run");
    assert!(told.starts_with("forest 65536x65536: 256 tiles of 4096x4096 cells; "), "{told}");
    assert!(told.contains("passes: land, water, cover\n") && told.contains("note: game trails"), "{told}");
    let json = place.fine("build planet --size 5000 --tile 1000 --dry-run --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["tiles"], &json["passes"][0]), (&25.into(), &"faces".into()));
    assert!(place.names().is_empty());
}

#[test]
fn what_cannot_be_built_is_refused_with_what_to_do() {
    let place = Place::new();
    fs::create_dir(place.path().join("taken")).unwrap();
    place.write("taken/notes.txt", "mine");
    for (args, code, message) in [
        (
            "build city",
            2,
            "city cannot be made in tiles: much of it reaches over the whole map; those that can: forest",
        ),
        ("build forest --set elevation.source=shaped", 2, "set elevation.source=noise"),
        (
            "build forest --size 9000 --tile 4096 --memory 100MB",
            2,
            "but only 95.4 MiB may be used; use smaller tiles",
        ),
        ("build forest --memory much", 2, "must be a number of bytes, such as 8GiB or 500MB"),
        ("build forest --tile 1021", 2, "tiles of 1021 cells a side have no chunks"),
        ("build forest --layers heigth", 2, "there is no layer heigth in tiles"),
        ("build planet --size 64x32", 2, "a face of the cube is a square"),
        ("build endless --at 999999999,0 --size 64", 2, "leaves the world"),
        ("build forest -o taken", 4, "taken"),
        ("build forest -o missing/world.zarr", 4, "no such folder; make it first"),
    ] {
        let told = place.fails(args, code);
        assert!(told.contains(message), "weald {args}: {told}");
    }
    assert_eq!(place.names(), ["taken"]);
    place.fine("build endless --at -50,80 --size 100 --tile 64 --layers height,surface -o a.zarr");
    let told =
        place.fails("build endless --at -50,81 --size 100 --tile 64 --layers height,surface -o a.zarr", 2);
    assert!(told.contains("is a build of another recipe") && told.contains("--force"), "{told}");
    place.fine("build endless --at -50,81 --size 100 --tile 64 --layers height,surface -o a.zarr --force");
}
