//! Realms as maps for Tiled.

use crate::common::Place;
use serde_json::Value;
use std::process::Command;

const SMALL: &str = "generate realm --seed 1 --size 64";

fn numbers(layer: &Value) -> Vec<u64> {
    layer["data"].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect()
}

fn bytes(place: &Place, name: &str) -> Vec<u8> {
    match weald::npy::read(&mut place.read(name).as_slice()).unwrap() {
        weald::core::AnyGrid::U8(grid) => grid.into_vec(),
        other => panic!("{name}: {other:?}"),
    }
}

fn pixels(file: &[u8]) -> (u32, u32) {
    let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    (reader.info().width, reader.info().height)
}

#[test]
fn a_map_for_tiled_agrees_with_the_layers_of_its_folder() {
    let place = Place::new();
    place.fine(&format!("{SMALL} --export tiled --check -o realm"));
    let map = place.json("realm/tiled/realm.tmj");
    let layer = |name: &str| {
        map["layers"]
            .as_array()
            .unwrap()
            .iter()
            .find(|l| l["name"] == name)
            .unwrap_or_else(|| panic!("{name}"))
    };
    let set = &map["tilesets"][0];
    let kind = |gid: u64| set["tiles"][gid as usize - 1]["type"].as_str().unwrap();
    let manifest = place.json("realm/manifest.json");
    let classes = &manifest["layers"][0]["classes"];
    for (tile, gid) in bytes(&place, "realm/layers/biome.npy").iter().zip(numbers(layer("terrain"))) {
        assert_eq!(kind(gid), classes[*tile as usize]["name"]);
    }
    for (name, file) in [("rivers", "river_dirs"), ("rails", "rail_dirs"), ("roads", "road_dirs")] {
        let links = bytes(&place, &format!("realm/layers/{file}.npy"));
        for (mask, gid) in links.iter().zip(numbers(layer(name))).filter(|(mask, _)| **mask != 0) {
            assert!(
                [format!("{name} {mask}"), format!("{name} mouth {mask}")].contains(&kind(gid).to_owned())
            );
        }
    }
    let count = set["tilecount"].as_u64().unwrap();
    for layer in map["layers"].as_array().unwrap().iter().filter(|l| l["type"] == "tilelayer") {
        assert!(numbers(layer).iter().all(|gid| *gid <= count), "{}", layer["name"]);
    }
    let towns = place.json("realm/settlements.geojson");
    let objects = layer("settlement names")["objects"].as_array().unwrap();
    assert_eq!(objects.len(), towns["features"].as_array().unwrap().len());
    for (object, town) in objects.iter().zip(towns["features"].as_array().unwrap()) {
        let of =
            |name: &str| object["properties"].as_array().unwrap().iter().find(|p| p["name"] == name).unwrap();
        assert_eq!(object["name"], town["properties"]["name"]);
        assert_eq!(of("tier")["value"], town["properties"]["tier"]);
        assert_eq!(of("population")["value"], town["properties"]["population"]);
    }
    let wanted = (set["imagewidth"].as_u64().unwrap() as u32, set["imageheight"].as_u64().unwrap() as u32);
    assert_eq!(pixels(&place.read("realm/tiled/tileset.png")), wanted);
}

#[test]
fn the_manifest_lists_the_map_and_force_replaces_it_but_not_what_others_put_beside_it() {
    let place = Place::new();
    place.fine(&format!("{SMALL} --export tiled -o realm"));
    let manifest = place.json("realm/manifest.json");
    let listed: Vec<&str> =
        manifest["files"].as_array().unwrap().iter().filter_map(|f| f["file"].as_str()).collect();
    for file in ["tiled/realm.tmj", "tiled/tileset.png"] {
        assert!(listed.contains(&file), "{listed:?}");
    }
    let first = place.read("realm/tiled/realm.tmj");
    place.fine(&format!("{SMALL} --export tiled --threads 1 --force -o realm"));
    assert_eq!(place.read("realm/tiled/realm.tmj"), first);
    place.write("realm/tiled/mine.tmj", "");
    let said = place.fails(&format!("{SMALL} --force -o realm"), 4);
    assert!(said.contains("not Weald's"), "{said}");
}

#[test]
fn a_format_that_a_world_does_not_have_is_refused_with_the_worlds_that_have_it() {
    let place = Place::new();
    let said = place.fails("generate island --export tiled -o island", 2);
    assert!(
        said.contains(
            "--export tiled: the world island has no map of tiles, which this target needs; it is for realm"
        ),
        "{said}"
    );
    let said = place.fails(&format!("{SMALL} --export ldtk -o realm"), 2);
    assert!(said.contains("--export ldtk: there is no such target; use "), "{said}");
    let said = place.fails(&format!("{SMALL} --export tiled --files violations.csv -o -"), 2);
    assert!(said.contains("--export is for folders"), "{said}");
    assert!(place.names().is_empty());
    assert!(place.fine("generate realm --help").contains("tiled "));
    assert!(!place.fine("generate island --help").contains("tiled "));
}

#[test]
fn tiled_itself_draws_the_map_where_it_is_installed() {
    let place = Place::new();
    place.fine(&format!("{SMALL} --export tiled -o realm"));
    let mut command = Command::new("tmxrasterizer");
    command.args(["realm/tiled/realm.tmj", "map.png"]).env("QT_QPA_PLATFORM", "offscreen");
    match command.current_dir(place.path()).output() {
        Err(_) => {
            println!("tmxrasterizer is not installed, so the map was not drawn by Tiled (apt install tiled)")
        }
        Ok(out) => {
            assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
            assert_eq!(pixels(&place.read("map.png")), (64 * 16, 64 * 16));
        }
    }
}
