//! Stores as a whole.

use super::*;
use crate::atomic::temporary_name;
use crate::catalogue::{DIRECTIONS, Kind, LayerSpec, NO_YES};
use crate::georeference::CrsUnit;
use proptest::prelude::*;
use serde_json::Map;
use std::collections::BTreeMap;
use std::fs;
use weald_core::{AnyGrid, Cells, Ctx, Dir8, Grid, Seed};

/// A layer of each type.
const SPECS: [LayerSpec; 7] = [
    LayerSpec::measure("height", "float32", "m", "Height above the sea"),
    LayerSpec::measure("far", "float64", "m", "Distance"),
    LayerSpec { kind: Kind::Classes(NO_YES), ..LayerSpec::measure("class", "uint8", "", "Class") },
    LayerSpec { kind: Kind::Classes(DIRECTIONS), ..LayerSpec::measure("flow", "uint8", "", "Direction") },
    LayerSpec { kind: Kind::Flags(NO_YES), ..LayerSpec::measure("flags", "uint16", "", "Flags") },
    LayerSpec::measure("accumulation", "uint32", "cells", "Cells that drain here"),
    LayerSpec::measure("number", "int32", "", "Number of the region"),
];

fn head(shape: (usize, usize), tile: usize) -> Head {
    Head {
        title: "a test".into(),
        shape,
        tile,
        layers: SPECS.iter().map(LayerHead::from).collect(),
        attributes: [("seed".to_owned(), json!(7))].into_iter().collect(),
        place: Place {
            west: 500.0,
            north: -20.0,
            step: (2.0, 2.5),
            unit: Some(CrsUnit::Metre),
            epsg: Some(32617),
        },
    }
}

/// Cells of a window of the layer of that number: smooth ground for floats, patches and noise for the rest.
fn cells(layer: usize, window: Window) -> AnyGrid {
    fn grid<T>(window: Window, of: impl Fn(u64, u64) -> T) -> Grid<T> {
        Grid::from_fn(window.width, window.height, |x, y| of((window.x + x) as u64, (window.y + y) as u64))
    }
    let noise = |x: u64, y: u64| Seed(layer as u64).of("test").at(x as i64, y as i64);
    match SPECS[layer].name {
        "height" => grid(window, |x, y| (x * x + 3 * y) as f32 / 7.0 - 50.0).into(),
        "far" => grid(window, |x, y| (x as f64 - 30.0) * (y as f64 + 0.1)).into(),
        "class" => grid(window, |x, y| ((x / 5 + y / 3) % 2) as u8).into(),
        "flow" => grid(window, |x, y| Dir8((noise(x, y) % 8) as u8)).into(),
        "flags" => grid(window, |x, y| noise(x, y) as u16).into(),
        "accumulation" => grid(window, |x, y| (noise(x, y) >> 40) as u32).into(),
        _ => grid(window, |x, y| ((x / 9) as i32 - (y / 4) as i32) * 70_000).into(),
    }
}

/// Directions as the bytes that are read.
fn as_bytes(cells: AnyGrid) -> AnyGrid {
    match cells {
        AnyGrid::Dir(grid) => grid.map(|d| d.0).into(),
        other => other,
    }
}

fn whole(store: &Store, level: usize) -> Window {
    let (width, height) = store.shape(level).unwrap();
    Window { x: 0, y: 0, width, height }
}

fn tiles(store: &Store, level: usize) -> Vec<(usize, usize)> {
    let (across, down) = store.tiles(level).unwrap();
    (0..across * down).map(|k| (k % across, k / across)).collect()
}

/// Writes all tiles of level 0, and the overviews.
fn fill(store: &Store) {
    let ctx = Ctx::default();
    for tile in tiles(store, 0) {
        for (k, spec) in SPECS.iter().enumerate() {
            let cells = cells(k, store.tile_window(0, tile).unwrap());
            store.write(0, spec.name, tile, &cells.cells(), &ctx).unwrap();
        }
    }
    for level in 1..store.levels() {
        tiles(store, level).into_iter().for_each(|tile| store.overview(level, tile, &ctx).unwrap());
    }
}

/// A store with all its tiles, in a folder that goes with it.
fn filled(shape: (usize, usize), tile: usize) -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::create(&dir.path().join("a.zarr"), &head(shape, tile)).unwrap();
    fill(&store);
    (dir, store)
}

/// All files below a folder, with their bytes.
fn files_of(folder: &Path) -> BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut out = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(files_of(&path));
        } else {
            out.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn every_window_of_every_type_reads_what_was_written(
        (width, height) in (1usize..200, 1usize..200),
        tile in prop::sample::select(vec![1usize, 7, 16, 33, 64, 100, 258, 320]),
        windows in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()), 4),
    ) {
        // Tiles of a cell are many files.
        let (width, height) = if tile == 1 { (width % 5 + 1, height % 4 + 1) } else { (width, height) };
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.zarr");
        let made = Store::create(&path, &head((width, height), tile)).unwrap();
        for at in tiles(&made, 0) {
            for (k, spec) in SPECS.iter().enumerate() {
                let cells = cells(k, made.tile_window(0, at).unwrap());
                prop_assert!(!made.has(0, spec.name, at).unwrap());
                made.write(0, spec.name, at, &cells.cells(), &Ctx::default()).unwrap();
                prop_assert!(made.has(0, spec.name, at).unwrap());
            }
        }
        let store = Store::open(&path).unwrap();
        prop_assert_eq!(store.head(), made.head());
        for (x, y, w, h) in windows {
            let (x, y) = (x.index(width), y.index(height));
            let window = Window { x, y, width: w.index(width - x + 1), height: h.index(height - y + 1) };
            for (k, spec) in SPECS.iter().enumerate() {
                let read = store.read(0, spec.name, window, &Ctx::default()).unwrap();
                prop_assert_eq!(read, as_bytes(cells(k, window)), "{} {:?}", spec.name, window);
            }
        }
    }

    #[test]
    fn overviews_are_the_blocks_of_the_whole_map((width, height) in (1usize..150, 1usize..150), tile in 5usize..70) {
        let (_dir, store) = filled((width, height), tile);
        prop_assert!(whole(&store, store.levels() - 1).width.max(whole(&store, store.levels() - 1).height) <= tile);
        for (k, layer) in store.head().layers.iter().enumerate() {
            let mut below = as_bytes(cells(k, whole(&store, 0)));
            for level in 1..store.levels() {
                let read = store.read(level, &layer.name, whole(&store, level), &Ctx::default()).unwrap();
                let (cells, below_cells) = (read.cells(), below.cells());
                prop_assert_eq!(cells.shape(), (width.div_ceil(1 << level), height.div_ceil(1 << level)));
                for y in 0..cells.shape().1 {
                    for x in 0..cells.shape().0 {
                        let found = naive(&below_cells, layer.reduction, (2 * x, 2 * y));
                        let found = if layer.dtype == Dtype::Float32 { f64::from(found as f32) } else { found };
                        prop_assert_eq!(cells.at(x, y), found, "{} at {}: ({}, {})", layer.name, level, x, y);
                    }
                }
                below = read;
            }
        }
    }
}

/// The cell of an overview, from those of the level below.
fn naive(below: &Cells, reduction: Reduction, (x, y): (usize, usize)) -> f64 {
    let (width, height) = below.shape();
    let mut cells = Vec::new();
    for (x, y) in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
        if x < width && y < height {
            cells.push(below.at(x, y));
        }
    }
    match reduction {
        Reduction::Mean => cells.iter().sum::<f64>() / cells.len() as f64,
        Reduction::Maximum => cells.iter().copied().fold(f64::MIN, f64::max),
        Reduction::First => cells[0],
        Reduction::Union => f64::from(cells.iter().fold(0, |all, &cell| all | cell as u32)),
        Reduction::Mode => {
            let mut sorted = cells.clone();
            sorted.sort_by(f64::total_cmp);
            let times = |of: f64| sorted.iter().filter(|&&cell| cell == of).count();
            let most = sorted.iter().map(|&cell| times(cell)).max().unwrap();
            sorted.iter().copied().find(|&cell| times(cell) == most).unwrap()
        }
    }
}

#[test]
fn any_order_and_any_number_of_threads_give_the_same_files() {
    let (one, _) = filled((150, 90), 40);
    let two = tempfile::tempdir().unwrap();
    let store = Store::create(&two.path().join("a.zarr"), &head((150, 90), 40)).unwrap();
    let mut work: Vec<((usize, usize), usize)> =
        tiles(&store, 0).into_iter().flat_map(|tile| (0..SPECS.len()).map(move |k| (tile, k))).collect();
    work.reverse();
    // Every tile is written by two threads, which begin at different ends.
    std::thread::scope(|scope| {
        for (store, backwards) in
            [(store.clone(), false), (Store::open(store.path()).unwrap(), true), (store.clone(), true)]
        {
            let mut work = work.clone();
            if backwards {
                work.reverse();
            }
            scope.spawn(move || {
                for (tile, k) in work {
                    let cells = cells(k, store.tile_window(0, tile).unwrap());
                    store.write(0, SPECS[k].name, tile, &cells.cells(), &Ctx::default()).unwrap();
                }
            });
        }
    });
    for level in 1..store.levels() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(level).build().unwrap();
        pool.install(|| {
            tiles(&store, level)
                .into_iter()
                .for_each(|tile| store.overview(level, tile, &Ctx::default()).unwrap())
        });
    }
    let bytes = |dir: &tempfile::TempDir| -> Vec<_> {
        files_of(dir.path())
            .into_iter()
            .map(|(path, bytes)| (path.strip_prefix(dir.path()).unwrap().to_owned(), bytes))
            .collect()
    };
    assert!(bytes(&one) == bytes(&two));
}

#[test]
fn a_half_written_file_is_ignored_and_removed_when_its_tile_is_written() {
    let (_dir, store) = filled((100, 60), 40);
    let before = files_of(store.path());
    let row = store.path().join("height/c/1");
    let left = row.join(temporary_name("2".as_ref(), "99999991-3"));
    let beside = row.join(temporary_name("0".as_ref(), "99999991-4"));
    fs::write(&left, b"half of a ti").unwrap();
    fs::write(&beside, b"half of another").unwrap();
    let read = store.read(0, "height", whole(&store, 0), &Ctx::default()).unwrap();
    assert_eq!(read, cells(0, whole(&store, 0)));
    let again = cells(0, store.tile_window(0, (2, 1)).unwrap());
    store.write(0, "height", (2, 1), &again.cells(), &Ctx::default()).unwrap();
    assert!(!left.exists() && beside.exists());
    fs::remove_file(beside).unwrap();
    assert!(files_of(store.path()) == before);
}

#[test]
fn a_tile_that_is_not_there_is_named_or_filled_when_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::create(&dir.path().join("a.zarr"), &head((100, 60), 40)).unwrap();
    let ctx = Ctx::default();
    for tile in [(0, 0), (1, 0), (1, 1)] {
        store.write(0, "height", tile, &cells(0, store.tile_window(0, tile).unwrap()).cells(), &ctx).unwrap();
    }
    let there = Window { x: 10, y: 5, width: 70, height: 35 };
    assert_eq!(store.read(0, "height", there, &ctx).unwrap(), cells(0, there));
    let error = store.read(0, "height", whole(&store, 0), &ctx).unwrap_err();
    assert_eq!(error.exit_code(), 4);
    assert!(error.to_string().contains("tile (2, 0) of layer height at level 0 is not there yet"), "{error}");
    assert!(store.overview(1, (0, 0), &ctx).unwrap_err().to_string().contains("tile (0, 1) of layer height"));
    let (read, missing) = store.read_there(0, "height", whole(&store, 0), &ctx).unwrap();
    assert_eq!(missing, [(2, 0), (0, 1), (2, 1)]);
    let (read, known) = (read.cells(), cells(0, whole(&store, 0)));
    assert_eq!((read.at(45, 45), read.at(5, 45), read.at(90, 3)), (known.cells().at(45, 45), 0.0, 0.0));
}

#[test]
fn each_damaged_byte_reads_the_same_or_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.zarr");
    let mut head = head((9, 5), 4);
    head.layers.retain(|layer| ["height", "flags"].contains(&layer.name.as_str()));
    let ctx = Ctx::default();
    let store = Store::create(&path, &head).unwrap();
    for tile in tiles(&store, 0) {
        for k in [0, 4] {
            let window = store.tile_window(0, tile).unwrap();
            store.write(0, SPECS[k].name, tile, &cells(k, window).cells(), &ctx).unwrap();
        }
    }
    let mut errors = 0;
    let mut differs = |what: &dyn Fn() -> String| {
        for k in [0, 4] {
            let read = Store::open(&path).and_then(|store| {
                if store.shape(0)? != (9, 5) {
                    return Err(Error::Invalid("another size".into()));
                }
                store.read(0, SPECS[k].name, whole(&store, 0), &ctx)
            });
            match read {
                Ok(read) => {
                    assert!(read == cells(k, Window { x: 0, y: 0, width: 9, height: 5 }), "{}", what())
                }
                Err(e) => {
                    errors += 1;
                    assert!(
                        e.to_string().contains(".zarr") || e.to_string().contains("layer"),
                        "{}: {e}",
                        what()
                    );
                }
            }
        }
    };
    for (file, bytes) in files_of(&path) {
        let name = file.strip_prefix(&path).unwrap().display().to_string();
        let metadata = name.ends_with("zarr.json");
        if name.starts_with("overviews") || name.starts_with("x/") || name.starts_with("y/") {
            continue;
        }
        for at in 0..bytes.len() {
            let changes: &[u8] = if metadata { &[[1, 16][at % 2]] } else { &[1, 0x80] };
            for change in changes {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                fs::write(&file, damaged).unwrap();
                differs(&|| format!("{name}: byte {at} changed by {change}"));
            }
        }
        for length in (0..bytes.len()).step_by(if metadata { 97 } else { 1 }) {
            fs::write(&file, &bytes[..length]).unwrap();
            differs(&|| format!("{name} cut to {length}"));
        }
        fs::write(&file, bytes).unwrap();
    }
    assert!(errors > 1000, "{errors}");
}

#[test]
fn metadata_is_what_other_programs_expect() {
    let (_dir, store) = filled((100, 60), 40);
    let json = |name: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(store.path().join(name).join("zarr.json")).unwrap()).unwrap()
    };
    let array = json("height");
    assert_eq!(array["shape"], json!([60, 100]));
    assert_eq!(array["chunk_grid"]["configuration"]["chunk_shape"], json!([40, 40]));
    assert_eq!(array["dimension_names"], json!(["y", "x"]));
    let inner = &array["codecs"][0]["configuration"];
    let names: Vec<&str> =
        inner["codecs"].as_array().unwrap().iter().map(|codec| codec["name"].as_str().unwrap()).collect();
    assert_eq!((names, &inner["chunk_shape"]), (vec!["bytes", "blosc", "crc32c"], &json!([40, 40])));
    assert_eq!(inner["codecs"][1]["configuration"]["typesize"], 4);
    assert_eq!(array["attributes"]["units"], "m");
    assert_eq!(json("class")["attributes"]["flag_meanings"], "no yes");
    let group = json("");
    let attributes = &group["attributes"];
    assert_eq!((&attributes["title"], &attributes["seed"]), (&json!("a test"), &json!(7)));
    assert_eq!(attributes["proj:code"], "EPSG:32617");
    assert_eq!(attributes["spatial:transform"], json!([2.0, 0.0, 500.0, 0.0, -2.5, -20.0]));
    assert_eq!(attributes["zarr_conventions"].as_array().unwrap().len(), 3);
    let layout = attributes["multiscales"]["layout"].as_array().unwrap();
    assert_eq!(layout.len(), store.levels());
    assert_eq!(
        (&layout[2]["asset"], &layout[2]["derived_from"]),
        (&json!("overviews/2"), &json!("overviews/1"))
    );
    let above = json("overviews/2");
    assert_eq!(above["attributes"]["spatial:transform"], json!([8.0, 0.0, 500.0, 0.0, -10.0, -20.0]));
    assert_eq!(above["attributes"]["spatial:shape"], json!([15, 25]));
    assert_eq!(json("overviews")["node_type"], "group");
    assert_eq!(json("overviews/1/x")["shape"], json!([50]));
}

#[test]
fn sizes_beyond_32_bits_of_cells_have_tiles_and_long_axes() {
    let dir = tempfile::tempdir().unwrap();
    let mut head = head((262_144, 262_143), 4096);
    head.layers.truncate(3);
    let store = Store::create(&dir.path().join("a.zarr"), &head).unwrap();
    assert_eq!((store.levels(), store.tiles(0).unwrap(), store.tiles(6).unwrap()), (7, (64, 64), (1, 1)));
    assert_eq!(fs::read_dir(store.path().join("x/c")).unwrap().count(), 4);
    let last = store.tile_window(0, (63, 63)).unwrap();
    assert_eq!(last, Window { x: 258_048, y: 258_048, width: 4096, height: 4095 });
    let grid = Grid::from_fn(4096, 4095, |x, y| (x ^ y) as u8);
    store.write(0, "class", (63, 63), &Cells::U8(&grid), &Ctx::default()).unwrap();
    let corner = Window { x: 262_143, y: 262_142, width: 1, height: 1 };
    let read = store.read(0, "class", corner, &Ctx::default()).unwrap();
    assert_eq!(read, Grid::filled(1, 1, (4095 ^ 4094) as u8).into());
    let all = whole(&store, 0);
    let error = store.read(0, "far", all, &Ctx::default()).unwrap_err().to_string();
    // Where nobody knows how much memory there is, the first tile is missed instead.
    assert!(error.contains("read smaller windows") || error.contains("not there yet"), "{error}");
    let beyond = Window { x: usize::MAX, y: 0, width: 2, height: 1 };
    assert!(store.read(0, "class", beyond, &Ctx::default()).unwrap_err().to_string().contains("not inside"));
}

#[test]
fn a_store_that_is_there_is_opened_and_not_made_again() {
    let (_dir, store) = filled((50, 50), 40);
    let error = Store::create(store.path(), store.head()).unwrap_err().to_string();
    assert!(error.contains("open it to go on"), "{error}");
    fs::create_dir(store.path().join(".weald")).unwrap();
    fs::write(store.path().join(".weald/plan.json"), "{").unwrap();
    assert_eq!(Store::open(store.path()).unwrap().head(), store.head());
    let empty = store.path().with_file_name("empty");
    assert!(Store::open(&empty).unwrap_err().to_string().contains("create it first"));
    fs::create_dir(&empty).unwrap();
    fs::write(empty.join("mine.txt"), "").unwrap();
    assert!(Store::create(&empty, store.head()).unwrap_err().to_string().contains("already exists"));
}

#[test]
fn tiles_without_good_chunks_are_refused_with_the_nearest_sides_that_have() {
    let chunk = |tile| Head { tile, ..head((9, 9), 9) }.chunk();
    let sides = [1, 100, 256, 258, 1000, 4096, 4095, 24_576];
    assert_eq!(sides.map(|tile| chunk(tile).unwrap()), [1, 100, 256, 129, 250, 256, 195, 256]);
    assert!(chunk(257).unwrap_err().to_string().contains("take 256 or 258"));
    assert!(chunk(4099).unwrap_err().to_string().contains("take 4097 or 4100"));
    assert!(chunk(1 << 20).unwrap_err().to_string().ends_with("take 32768"));
    assert!(chunk(0).unwrap_err().to_string().ends_with("take 1"));
}

#[test]
fn heads_and_tiles_that_cannot_be_are_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |change: &dyn Fn(&mut Head)| {
        let mut head = head((9, 9), 4);
        change(&mut head);
        Store::create(&dir.path().join("no.zarr"), &head).unwrap_err().to_string()
    };
    assert!(refused(&|head| head.shape = (0, 9)).contains("sides must be from 1"));
    assert!(refused(&|head| head.layers.clear()).contains("needs a layer"));
    assert!(refused(&|head| head.layers[0].name = "../a".into()).contains("../a"));
    assert!(refused(&|head| head.layers[0].name = "overviews".into()).contains("overviews"));
    assert!(refused(&|head| head.layers[1].name = "height".into()).contains("two layers"));
    assert!(refused(&|head| head.layers[0].reduction = Reduction::Union).contains("no bits"));
    assert!(refused(&|head| head.place.step.0 = f64::NAN).contains("lies nowhere"));
    assert!(
        refused(&|head| head.attributes = Map::from_iter([("title".into(), json!(1))])).contains("\"title\"")
    );
    assert!(!dir.path().join("no.zarr").exists());

    let store = Store::create(&dir.path().join("a.zarr"), &head((9, 9), 4)).unwrap();
    let write = |layer, tile, cells: &Cells| {
        store.write(0, layer, tile, cells, &Ctx::default()).unwrap_err().to_string()
    };
    let grid = Grid::filled(4, 4, 0f32);
    assert!(write("heigth", (0, 0), &Cells::F32(&grid)).contains("among height, far"));
    assert!(write("height", (3, 0), &Cells::F32(&grid)).contains("3 across and 3 down"));
    assert!(write("height", (2, 0), &Cells::F32(&grid)).contains("1x4 cells and not 4x4"));
    assert!(write("far", (0, 0), &Cells::F32(&grid)).contains("float64 and not of float32"));
    assert!(store.overview(0, (0, 0), &Ctx::default()).unwrap_err().to_string().contains("level 0"));
    assert!(
        store.overview(3, (0, 0), &Ctx::default()).unwrap_err().to_string().contains("the last one is 2")
    );
}

#[test]
fn stores_of_other_programs_are_read_as_far_as_their_codecs_are_known() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("other.zarr");
    fs::create_dir_all(path.join("a/c/0")).unwrap();
    write_group(&path, json!({})).unwrap();
    let plan =
        Plan { shape: [5, 9], file: [3, 9], chunk: None, codec: Codec::gzip(Dtype::Uint16), fill: 3.0 };
    let mut json = plan.json(json!({"units": "m", "long_name": "Depth"}));
    json["fill_value"] = json!(3);
    write_json(&path.join("a"), &json).unwrap();
    let grid = Grid::from_fn(9, 5, |x, y| (10 * y + x) as u16);
    let mut file = fs::File::create(path.join("a/c/0/0")).unwrap();
    plan.pack(&Cells::U16(&grid), (0, 0), (&path, &mut file), &Ctx::default()).unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(
        (store.head().layers[0].unit.as_str(), store.levels(), store.shape(0).unwrap()),
        ("m", 1, (9, 5))
    );
    let (read, missing) = store.read_there(0, "a", whole(&store, 0), &Ctx::default()).unwrap();
    let expected = Grid::from_fn(9, 5, |x, y| if y < 3 { grid[(x, y)] } else { 3 });
    assert_eq!((read, missing), (expected.into(), vec![(0, 1)]));
    let part = Grid::filled(9, 3, 1u16);
    let error = store.write(0, "a", (0, 0), &Cells::U16(&part), &Ctx::default()).unwrap_err().to_string();
    assert!(error.contains("only read"), "{error}");
    json["codecs"][1] = json!({"name": "zstd", "configuration": {"level": 0}});
    write_json(&path.join("a"), &json).unwrap();
    let error = Store::open(&path).unwrap_err().to_string();
    assert!(error.contains("zarr.json") && error.contains("\"zstd\" is not among"), "{error}");
}
