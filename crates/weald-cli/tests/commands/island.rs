//! The island world on the command line.

use crate::common::Place;
use serde_json::{Value, json};
use weald::core::AnyGrid;
use weald::core::Cells;
use weald::core::Grid;
use weald::npy;

/// Many small rivers on a small map.
const DENSE: &str = "--size 120x100 --seed 7 --set rivers.spring_area=12 --set rivers.river_spacing=8 --set min_peak_elevation=5 --set elevation.roughness_scale=0.04";

fn heights(place: &Place, name: &str) -> Grid<f32> {
    match npy::read(&mut place.read(name).as_slice()).unwrap() {
        AnyGrid::F32(grid) => grid,
        other => panic!("{name}: {other:?}"),
    }
}

fn land(place: &Place, name: &str) -> Grid<u8> {
    match npy::read(&mut place.read(name).as_slice()).unwrap() {
        AnyGrid::U8(grid) => grid,
        other => panic!("{name}: {other:?}"),
    }
}

/// Writes cells as 8-bit grey.
fn write_png(place: &Place, name: &str, width: u32, cells: &[u8]) {
    let file = std::fs::File::create(place.path().join(name)).unwrap();
    let mut encoder = png::Encoder::new(file, width, cells.len() as u32 / width);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(cells).unwrap();
}

fn write_npy(place: &Place, name: &str, map: &Grid<f32>) {
    let mut file = std::fs::File::create(place.path().join(name)).unwrap();
    npy::write(&mut file, &Cells::F32(map)).unwrap();
}

#[test]
fn generate_writes_every_file_and_the_recipe_makes_them_again() {
    let place = Place::new();
    let said = place.fine(&format!("generate island {DENSE} --check -o island/"));
    assert!(said.starts_with("island 120x100, seed 7 -> island/ in "), "{said}");
    let layers = [
        "land",
        "shore_distance",
        "height",
        "flow_direction",
        "flow_accumulation",
        "moisture",
        "river_order",
        "river_id",
        "basin",
        "cover",
    ];
    let mut files: Vec<String> = layers.iter().map(|name| format!("layers/{name}.npy")).collect();
    for name in ["map.png", "terrain.json", "rivers.geojson", "harbours.geojson", "peaks.geojson"] {
        files.push(name.to_owned());
    }
    place.fine("generate island --recipe island/recipe.toml --threads 3 --check -o again");
    place.fine("check island");
    for name in files.iter().map(String::as_str).chain(["recipe.toml", "manifest.json"]) {
        assert!(
            place.lasting(&format!("island/{name}")) == place.lasting(&format!("again/{name}")),
            "{name}"
        );
    }
    let manifest = place.json("island/manifest.json");
    let named: Vec<&str> =
        manifest["layers"].as_array().unwrap().iter().map(|l| l["name"].as_str().unwrap()).collect();
    assert_eq!(named, layers);
    assert_eq!(manifest["frame"]["cell_m"], 10.0);
    let stats = &manifest["stats"];
    assert_eq!(stats["land_share"], 0.45);
    for name in [
        "coast_cells",
        "islands",
        "highest_m",
        "basins",
        "largest_basin_share",
        "drainage_density_km_per_km2",
    ] {
        assert!(stats[name].as_f64().is_some_and(|v| v > 0.0), "{name}: {stats}");
    }
    let orders = stats["rivers"]["orders"].as_array().unwrap();
    let all: u64 = orders.iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(json!(all), stats["rivers"]["count"]);
    assert!(orders.len() >= 2 && stats["raised"]["share"].as_f64().is_some(), "{stats}");
    assert_eq!(place.names(), ["again", "island"]);
}

/// All rivers with the one they flow into.
fn flat<'v>(list: &'v Value, parent: Option<&'v Value>, out: &mut Vec<(&'v Value, Option<&'v Value>)>) {
    for river in list.as_array().unwrap() {
        out.push((river, parent));
        flat(&river["tributaries"], Some(river), out);
    }
}

#[test]
fn terrain_json_holds_the_numbers_of_the_layers_and_the_rivers_of_the_lines() {
    let place = Place::new();
    place.fine(&format!("generate island {DENSE} -o island"));
    let terrain = place.json("island/terrain.json");
    let schema: Value = serde_json::from_str(&place.fine("schema island --of output")).unwrap();
    let keys: Vec<&String> = terrain.as_object().unwrap().keys().collect();
    assert_eq!(keys, schema["properties"].as_object().unwrap().keys().collect::<Vec<_>>());
    for name in ["height", "flowAccumulation", "moisture"] {
        let rows = terrain[name].as_array().unwrap();
        assert_eq!(rows.len(), 100, "{name}");
        assert!(rows.iter().all(|row| row.as_array().unwrap().len() == 120), "{name}");
    }
    let (height, moisture) =
        (heights(&place, "island/layers/height.npy"), heights(&place, "island/layers/moisture.npy"));
    let at = |name: &str, x: usize, y: usize| terrain[name][y][x].to_string().parse::<f32>().unwrap();
    for (x, y) in (0..100).flat_map(|y| (0..120).map(move |x| (x, y))) {
        assert_eq!(at("height", x, y), height[(x, y)], "height at {x}, {y}");
        assert_eq!(at("moisture", x, y), moisture[(x, y)], "moisture at {x}, {y}");
    }
    let (lines, mut rivers) = (place.json("island/rivers.geojson"), Vec::new());
    flat(&terrain["rivers"], None, &mut rivers);
    assert_eq!(rivers.len(), lines["features"].as_array().unwrap().len());
    let (mut tributaries, land) = (0, land(&place, "island/layers/land.npy"));
    for (river, parent) in rivers {
        let id = river["id"].as_str().unwrap();
        let line = &lines["features"][id.strip_prefix('r').unwrap().parse::<usize>().unwrap()];
        assert_eq!(format!("r{}", line["id"]), id);
        assert_eq!(river["strahler"], line["properties"]["order"]);
        let points = river["points"].as_array().unwrap();
        let middles: Vec<Value> = points
            .iter()
            .map(|p| json!([p["x"].as_f64().unwrap() * 10.0 + 5.0, p["y"].as_f64().unwrap() * 10.0 + 5.0]))
            .collect();
        // The line is smooth: it has a vertex near every cell, and both ends are cell centres.
        let vertices = line["geometry"]["coordinates"].as_array().unwrap();
        assert_eq!(vertices.len(), middles.len());
        assert_eq!((vertices.first(), vertices.last()), (middles.first(), middles.last()));
        for (vertex, middle) in vertices.iter().zip(&middles) {
            let off = |k: usize| vertex[k].as_f64().unwrap() - middle[k].as_f64().unwrap();
            assert!(off(0) * off(0) + off(1) * off(1) <= 15.0 * 15.0, "{id}: {vertex} and {middle}");
        }
        let last = points.last().unwrap();
        match parent {
            Some(parent) => {
                assert!(parent["points"].as_array().unwrap().contains(last), "{id} ends beside its parent");
                assert_eq!(format!("r{}", line["properties"]["parent"]), parent["id"].as_str().unwrap());
                tributaries += 1;
            }
            None => {
                let cell = (last["x"].as_u64().unwrap() as usize, last["y"].as_u64().unwrap() as usize);
                assert_eq!((land[cell], &line["properties"]["parent"]), (0, &Value::Null), "{id}");
            }
        }
    }
    assert!(tributaries > 5, "{tributaries} tributaries");
}

#[test]
fn a_single_file_and_standard_output_hold_the_terrain() {
    let place = Place::new();
    place.fine(&format!("generate island {DENSE} -o island"));
    place.fine(&format!("generate island {DENSE} -o x.json"));
    assert!(place.read("x.json") == place.read("island/terrain.json"));
    assert!(place.fine(&format!("generate island {DENSE} -o -")).into_bytes() == place.read("x.json"));
    let message = place.fails("generate island --size 9 -o x.ndjson", 2);
    assert!(message.contains("it has terrain.json") && message.contains("-o island/"), "{message}");
    assert!(place.fails("generate island --size 9 -o x.json", 4).contains("use --force"));
    assert!(place.fails("generate island --size 9 --layers height -o y.json", 2).contains("is for folders"));
    assert_eq!(place.names(), ["island", "x.json"]);
}

#[test]
fn the_names_of_the_document_are_taken_as_they_stand_in_its_tables() {
    let place = Place::new();
    place.write("few.json", r#"{"landFraction": 0.3, "riverSpacing": 40}"#);
    place.fine("generate island --size 80 --params few.json -o a");
    let manifest = place.json("a/manifest.json");
    assert_eq!(manifest["stats"]["land_share"], 0.3);
    assert_eq!(manifest["params"]["rivers"]["river_spacing"], 40.0);
    let table = r#"{"landFraction": 0.3, "islandNoiseScale": 0.02, "islandNoiseOctaves": 5, "peakElevation": 250,
        "minPeakElevation": 20, "riverSpacing": 40, "riverMeanderStrength": 0.5, "noiseScale": 0.01, "noiseAmplitude": 0.2}"#;
    place.write("all.json", table);
    let shown = place.fine("generate island --params all.json --print-recipe");
    assert_eq!(shown.lines().filter(|l| l.ends_with("# all.json")).count(), 9, "{shown}");
    for line in
        ["land_fraction = 0.3  # all.json", "noise_amplitude = 0.2  # all.json", "cell_m = 10.0  # default"]
    {
        assert!(shown.lines().any(|l| l == line), "no line {line:?} in\n{shown}");
    }
}

#[test]
fn wrong_values_are_told_with_path_and_range() {
    let place = Place::new();
    place.write("share.json", r#"{"landFraction": 1.5}"#);
    place.write("text.json", r#"{"riverSpacing": "wide"}"#);
    place.write("bad.toml", "kind = \"island\"\n[params.sea]\nshore_depth_m = 0.0\n");
    for (args, parts) in [
        ("--params share.json", &["andFraction = 1.5: must be between 0 and 1", "share.json"][..]),
        ("--params text.json", &["iverSpacing = \"wide\": must be a number between 1 and 4096", "text.json"]),
        ("--recipe bad.toml", &["sea.shore_depth_m = 0", "must be between 0.1 and 1000 (bad.toml:3:1)"]),
        ("--set shape.land_fraction=-0.1", &["shape.land_fraction = -0.1: must be between 0 and 1 (--set)"]),
        ("--set shape.land_fracton=0.1", &["no such parameter; did you mean shape.land_fraction?"]),
        ("--set shape.form=star", &["shape.form", "centre, ring"]),
        ("--set elevation.per_island=7", &["elevation.per_island = 7"]),
        ("--size 16385x1", &["size = 16385x1: both sides must be between 1 and 16384"]),
        ("--worldmap", &["--worldmap: island has no map of the land around"]),
        ("--layers slope", &["--layers slope: no such name; use land,"]),
        ("--recipe city", &["this is a recipe for another world"]),
        ("--map-h land.png", &["use `weald derive island`"]),
    ] {
        let message = place.fails(&format!("generate island {args}"), 2);
        assert!(parts.iter().all(|p| message.contains(p)), "generate island {args} said\n{message}");
    }
    assert_eq!(place.names(), ["bad.toml", "share.json", "text.json"]);
}

#[test]
fn land_drawn_in_black_and_white_stays_as_it_was_drawn() {
    let place = Place::new();
    let inside = |i: i64| (i % 64 - 30) * (i % 64 - 30) + (i / 64 - 20) * (i / 64 - 20) < 300;
    let cells: Vec<u8> = (0..64 * 48).map(|i| if inside(i) { 255 } else { 0 }).collect();
    write_png(&place, "mask.png", 64, &cells);
    place.fine("derive island --map-h mask.png --set rivers.spring_area=20 --check -o mine");
    let found = land(&place, "mine/layers/land.npy");
    assert_eq!((found.width(), found.height()), (64, 48));
    assert!(found.cells().iter().zip(&cells).all(|(l, c)| l * 255 == *c));
    let stats = place.json("mine/manifest.json")["stats"].clone();
    assert_eq!(stats["islands"], 1);
    assert!(stats["rivers"]["count"].as_u64().unwrap() > 0, "{stats}");
    std::fs::remove_file(place.path().join("mask.png")).unwrap();
    place.fine("derive island --recipe mine/recipe.toml -o again");
    assert!(place.read("mine/terrain.json") == place.read("again/terrain.json"));
    // Anything between black and white is a height.
    let grey: Vec<u8> = (0..64 * 48).map(|i| if inside(i) { (40 + i % 64) as u8 } else { 20 }).collect();
    write_png(&place, "grey.png", 64, &grey);
    place.fine("derive island --map-h grey.png --set map.sea_grey=0.08 -o grey");
    assert_eq!(land(&place, "grey/layers/land.npy"), found);
}

#[test]
fn zeros_and_ones_of_any_type_are_a_land_mask_and_other_whole_numbers_metres() {
    let place = Place::new();
    place.fine("generate island --size 48x40 --seed 3 -o first");
    let drawn = land(&place, "first/layers/land.npy");
    // The program's own mask, and the same as other types.
    let said = place.fine("derive island --map-h first/layers/land.npy --check -o own");
    let note = "map height: land.npy (NumPy uint8, 48x40 cells, numbers without a unit from 0 to 1, a mask of 0 and 1); read as a land mask, below 0.5 for sea and above for land; a cell is 10 m";
    assert!(said.contains(note), "{said}");
    let numbers = |wide: usize, descr: &str, value: &dyn Fn(u8) -> Vec<u8>| {
        let shape = "'fortran_order': False, 'shape': (40, 48), }";
        let mut file = b"\x93NUMPY\x01\0".to_vec();
        let dict = format!("{{'descr': '{descr}', {shape}\n");
        file.extend((dict.len() as u16).to_le_bytes());
        file.extend(dict.as_bytes());
        drawn.cells().iter().for_each(|&v| file.extend(&value(v)[..wide]));
        std::fs::write(place.path().join("mask.npy"), file).unwrap();
    };
    let whole = |v: u8| (v as u64).to_le_bytes().to_vec();
    for (wide, descr) in [(1, "|b1"), (1, "|i1"), (2, "<i2"), (4, "<u4"), (8, "<i8")] {
        numbers(wide, descr, &whole);
        place.fine("derive island --map-h mask.npy --force -o same");
        assert!(place.read("same/terrain.json") == place.read("own/terrain.json"), "{descr}");
    }
    numbers(4, "<f4", &|v| (v as f32).to_le_bytes().to_vec());
    place.fine("derive island --map-h mask.npy --force -o same");
    assert!(place.read("same/terrain.json") == place.read("own/terrain.json"));
    // An elevation model of 16 bits with 200 m of land and a sea of 30 m, and one of 8 bits.
    numbers(2, "<i2", &|v| (v as i16 * 230 - 30).to_le_bytes().to_vec());
    let said = place.fine("derive island --map-h mask.npy --set noise_amplitude=0 -o metres");
    assert!(
        said.contains(
            "map height: mask.npy (NumPy int16, 48x40 cells, metres from -30 to 200), the sea at 0 m; read as metres from -30 to 200; a cell is 10 m"
        ),
        "{said}"
    );
    let height = heights(&place, "metres/layers/height.npy");
    assert!(height.cells().iter().zip(drawn.cells()).all(|(h, l)| if *l == 0 {
        *h == -30.0
    } else {
        *h > 0.0
    }));
    numbers(1, "|u1", &|v| vec![v * 120]);
    assert!(place.fine("derive island --map-h mask.npy -o bytes").contains(
        "(NumPy uint8, 48x40 cells, metres from 0 to 120), the sea at 0 m; read as metres from 0 to 120"
    ));
}

#[test]
fn a_given_map_is_cropped_and_resampled_to_the_size_that_is_asked_for() {
    let place = Place::new();
    let square = |v: f32| v * v;
    let hill = |x: usize, y: usize| 60.0 - 3.0 * (square(x as f32 - 30.0) + square(y as f32 - 20.0)).sqrt();
    let map = Grid::from_fn(64, 48, hill);
    write_npy(&place, "dem.npy", &map);
    let quiet = "--set noise_amplitude=0 --set min_peak_elevation=1";
    let said = place
        .fine(&format!("derive island --map-h dem.npy --crop 10,4,40,32 --size 80x64 {quiet} --check -o a"));
    let note = "(NumPy float32, 64x48 cells, numbers without a unit from -16.837494 to 60, cropped to 40x32 at column 10, row 4), the sea \
                at 0 m, resampled to 80x64; read as metres";
    // The same land on twice as many cells.
    assert!(said.contains(note) && said.contains("a cell is 5 m"), "{said}");
    let given = heights(&place, "a/maps/h.npy");
    assert_eq!(given.shape(), (80, 64));
    // Every second pair of cells lies around the centre of a cell of the map.
    for (x, y) in [(3, 5), (24, 10), (33, 30)] {
        let around = [(2 * x, 2 * y), (2 * x + 1, 2 * y), (2 * x, 2 * y + 1), (2 * x + 1, 2 * y + 1)];
        let mean = around.iter().map(|&at| given[at]).sum::<f32>() / 4.0;
        assert!((mean - map[(x + 10, y + 4)]).abs() < 0.5, "{x},{y}: {mean} {}", map[(x + 10, y + 4)]);
    }
    // The folder makes itself again, and so does the printed recipe.
    let recipe = String::from_utf8(place.read("a/recipe.toml")).unwrap();
    assert!(recipe.contains("size = [80, 64]\n") && !recipe.contains("crop = "), "{recipe}");
    assert!(
        recipe.contains("h = \"maps/h.npy\"  # dem.npy (NumPy float32, 64x48 cells, numbers without a unit from -16.837494 to 60, cropped to 40x32"),
        "{recipe}"
    );
    place.fine("derive island --recipe a/recipe.toml -o b");
    place.fine("generate island --recipe a/recipe.toml -o c");
    let how = format!("--map-h dem.npy --crop 10,4,40,32 --size 80x64 {quiet}");
    let printed = place.fine(&format!("derive island {how} --print-recipe"));
    for line in ["size = [80, 64]  # --size", "crop = [10, 4, 40, 32]  # --crop", "resample = true  # --size"]
    {
        assert!(printed.lines().any(|l| l == line), "no line {line:?} in\n{printed}");
    }
    place.write("printed.toml", &printed);
    place.fine("generate island --recipe printed.toml -o d");
    for again in ["b", "c", "d"] {
        assert!(place.read("a/terrain.json") == place.read(&format!("{again}/terrain.json")), "{again}");
    }
    // Fewer cells are means; one side keeps the proportions; a mask stays a mask.
    place.fine(&format!("derive island --map-h dem.npy --width 32 {quiet} -o half"));
    let half = heights(&place, "half/maps/h.npy");
    assert_eq!(half.shape(), (32, 24));
    let mean = (map[(20, 8)] + map[(21, 8)] + map[(20, 9)] + map[(21, 9)]) / 4.0;
    assert!((half[(10, 4)] - mean).abs() < 1e-4);
    write_npy(&place, "mask.npy", &map.map(|&h| f32::from(h > 0.0)));
    let said = place.fine("derive island --map-h mask.npy --size 100 -o mask");
    assert!(said.contains("cropped to 48x48 at column 8, row 0 for the proportions of the world, resampled to 100x100; read as a land mask"), "{said}");
    assert!(heights(&place, "mask/maps/h.npy").cells().iter().all(|v| *v == 0.0 || *v == 1.0));
    // A crop alone gives its own size, to other worlds too.
    place.fine(&format!("derive island --map-h dem.npy --crop 0,0,20,30 {quiet} -o part"));
    assert_eq!(place.json("part/manifest.json")["frame"]["height"], 30);
    write_npy(&place, "shares.npy", &map.map(|&h| (h / 200.0 + 0.5).clamp(0.0, 1.0)));
    place.fine("derive forest --map-h shares.npy --crop 5,6,20,10 --files none -o wood");
    assert_eq!(heights(&place, "wood/maps/h.npy")[(0, 0)], (map[(5, 6)] / 200.0 + 0.5).clamp(0.0, 1.0));
    place.write("size.toml", "kind = \"island\"\nsize = [20, 20]\n");
    place.write("none.toml", "kind = \"island\"\ncrop = [0, 0, 4, 4]\n");
    place.write("wrong.toml", "kind = \"island\"\ncrop = [0, 0, 4]\n");
    place.write("wood.toml", "kind = \"forest\"\nresample = true\n[maps]\nh = \"shares.npy\"\n");
    for (args, code, words) in [
        (
            "derive island --map-h dem.npy --crop 30,0,40,20",
            3,
            "dem.npy: crop 30,0,40,20: reaches beyond the map, which has 64x48 cells; at column 30 and row 0 it can be at most 34x48",
        ),
        ("derive island --map-h dem.npy --crop 64,0,1,1", 3, "it can be at most 0x48"),
        ("derive island --map-h dem.npy --crop 0,0,0,5", 2, "width and height at least 1"),
        ("derive island --map-h dem.npy --crop 0,0,5", 2, "such as 100,50,512,512"),
        ("derive island --map-h dem.npy --size 0", 2, "each at least 1"),
        ("generate island --crop 0,0,5,5", 2, "use `weald derive island"),
        ("generate island --recipe none.toml", 2, "crop changes maps of your own, and none is given"),
        (
            "generate island --recipe wrong.toml",
            2,
            "wrong.toml:2:1: crop = [0,0,4]: must be [column, row, width, height]",
        ),
        ("generate forest --recipe wood.toml", 2, "the world forest takes maps only in their own size"),
        // A size in a recipe is not a wish to resample.
        ("derive island --map-h dem.npy --recipe size.toml", 3, "64x48"),
    ] {
        let said = place.fails(&format!("{args} -o out"), code);
        assert!(said.contains(words), "weald {args} said\n{said}");
    }
}

#[test]
fn drawn_heights_in_metres_decide_where_land_is() {
    let place = Place::new();
    let cone =
        |i: i64| 30.0 - (((i % 50 - 25) * (i % 50 - 25) + (i / 50 - 20) * (i / 50 - 20)) as f32).sqrt() * 2.0;
    let map = Grid::from_vec(50, 40, (0..50 * 40).map(cone).collect());
    write_npy(&place, "heights.npy", &map);
    place
        .fine("derive island --map-h heights.npy --set noise_amplitude=0 --set min_peak_elevation=1 --check -o mine");
    let (land, height) = (land(&place, "mine/layers/land.npy"), heights(&place, "mine/layers/height.npy"));
    for (i, &drawn) in map.cells().iter().enumerate() {
        assert_eq!(land.cells()[i] == 1, drawn > 0.0, "{i}");
        assert!(drawn >= 0.0 || height.cells()[i] == drawn, "{i}: {drawn} m became {}", height.cells()[i]);
    }
    std::fs::remove_file(place.path().join("heights.npy")).unwrap();
    place.fine("derive island --recipe mine/recipe.toml -o again");
    assert!(place.read("mine/terrain.json") == place.read("again/terrain.json"));
    // A folder's own heights are a map as well.
    place.fine("derive island --map-h mine/layers/height.npy -o next");
    assert_eq!(self::land(&place, "next/layers/land.npy"), land);
    place.write("h.json", r#"{"width": 3, "height": 3, "data": [-2, -2, -2, -2, 7, -2, -2, -2, -2]}"#);
    place.fine("derive island --map-h h.json -o small");
    assert_eq!(place.json("small/manifest.json")["stats"]["coast_cells"], 1);
}

#[test]
fn maps_of_the_wrong_kind_are_refused() {
    let place = Place::new();
    let mut map = Grid::filled(5, 4, 20.0f32);
    write_npy(&place, "flat.npy", &map);
    map[(2, 1)] = 9500.0;
    write_npy(&place, "high.npy", &map);
    map[(2, 1)] = f32::NAN;
    write_npy(&place, "nan.npy", &map);
    place.write("words.png", "not a picture");
    place.write("wide.json", r#"{"width": 6}"#);
    place.write("short.json", r#"{"width": 3, "height": 3, "data": [1, 2]}"#);
    place.write("map.txt", "1 0 1");
    for (args, code, part) in [
        (
            "--map-h high.npy",
            2,
            "high.npy: x=2, y=1 is 9500: must be between -12000 and 9000 m; if this number means no data, add --nodata 9500",
        ),
        (
            "--map-h high.npy --crop 1,1,3,3 --sea-level 100",
            2,
            "x=2, y=1 is 9500: must be between -11900 and 9100 m",
        ),
        (
            "--map-h nan.npy",
            2,
            "nan.npy: 1 of its 20 cells (5.0 %) has no data, the first at x=2, y=1; fill them with --fill-nodata sea",
        ),
        ("--map-h words.png", 2, "words.png: this is not a PNG picture, although its name says so"),
        ("--map-h short.json", 3, "2 numbers do not make a 3x3 map"),
        ("--map-h map.txt", 2, "map.txt: this is not a map in a format that is read; use a "),
        ("--map-h none.png", 4, "none.png: No such file"),
        ("--map-h flat.npy --params wide.json", 3, "map height is 5x4 but the world is 6x4"),
        (
            "--map-h high.npy --map-v high.npy",
            2,
            "--map-v: the world island has no map v; it takes h (height)",
        ),
        ("", 2, "derive needs --map height=FILE"),
    ] {
        let message = place.fails(&format!("derive island {args} -o out"), code);
        assert!(message.contains(part), "derive island {args} said\n{message}");
    }
    assert!(!place.path().join("out").exists());
}

#[test]
fn recipes_are_listed_and_new_prints_one_that_works() {
    let place = Place::new();
    let listed = place.fine("worlds");
    for name in ["island", "archipelago", "atoll", "continent", "island-literal"] {
        assert!(listed.contains(name), "{name} is not in\n{listed}");
        place
            .fine(&format!("generate island --recipe {name} --size 96 --files none --layers none -o {name}"));
        place.write("new.toml", &place.fine(&format!("new island --recipe {name}")));
        place.fine("generate island --recipe new.toml --size 96 --files none --layers none -o again --force");
        let stats = |folder: &str| place.json(&format!("{folder}/manifest.json"))["stats"].clone();
        assert_eq!(stats(name), stats("again"), "{name}");
    }
    let message = place.fails("generate island --recipe archipelag", 2);
    assert!(message.contains("did you mean archipelago?"), "{message}");
    for of in ["params", "recipe", "output"] {
        let schema: Value = serde_json::from_str(&place.fine(&format!("schema island --of {of}"))).unwrap();
        assert!(schema["properties"].is_object(), "{of}");
    }
}

#[test]
fn odd_maps_keep_the_rules_of_the_checker_too() {
    let place = Place::new();
    for args in [
        "--size 1",
        "--size 1x40",
        "--size 3 --set shape.form=ring --set shape.ring_radius=0.9 --set shape.centre_fall=5 --set land_fraction=0.11",
        "--size 3x60 --set shape.form=ring --set shape.centre_fall=5",
        "--size 40 --set land_fraction=0",
        "--size 40 --set land_fraction=1 --set rivers.spring_area=5",
        "--size 40x30 --set land_fraction=0.97 --set rivers.spring_area=5 --set rivers.river_meander_strength=1",
        "--size 60 --set noise_amplitude=0.8 --set noise_scale=0.2 --set rivers.spring_area=3 --set valleys.depth_m=200",
        "--size 60 --set peak_elevation=9000 --set noise_amplitude=0.8 --set elevation.per_island=true",
        "--size 60 --set peak_elevation=1 --set min_peak_elevation=0 --set river_spacing=1 --set rivers.spring_area=1",
    ] {
        place.fine(&format!("generate island {args} --seed 3 --check --force -o odd"));
    }
    let flat = Grid::filled(5, 5, 2.0);
    let shallow = Grid::from_vec(9, 9, (0..81).map(|i| if i % 9 > 2 { 3.0 } else { -0.0003 }).collect());
    for map in [flat, shallow] {
        write_npy(&place, "drawn.npy", &map);
        for noise in [0.0, 0.5] {
            place.fine(&format!(
                "derive island --map-h drawn.npy --set noise_amplitude={noise} --set harbours.min_shelter=0 --check --force -o odd"
            ));
        }
    }
}
