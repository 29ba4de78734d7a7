//! Rasters in the formats of other programs: heights, places and layers come back, and threads change no byte.

use std::path::Path;
use weald::catalogue::Raster;
use weald::core::resample::at_vertices;
use weald::core::{Ctx, Grid};
use weald::export::atomic::Existing;
use weald::export::chart::ChartOptions;
use weald::export::target::{Delivered, ExportOptions, Target};
use weald::georeference::{CrsUnit, GeoReference};
use weald::import::{self, Numbers, ReadOptions, UseSidecar};
use weald::job::folder::FolderPlan;
use weald::{Error, Job, Output};

fn made(world: &str, size: usize) -> Output {
    Job::new(world).unwrap().seed(5).size(size).run(&Ctx::default()).unwrap()
}

fn two_worlds() -> [Output; 2] {
    [made("forest", 64), made("island", 96)]
}

/// The heights of a world in metres.
fn metres(output: &Output) -> Grid<f32> {
    let spec = output.recipe.world.info().exports.ground.unwrap();
    let cells = output.catalogue.cells(spec.height).unwrap();
    let (width, height) = cells.shape();
    Grid::from_fn(width, height, |x, y| (cells.at(x, y) * spec.metres_per_height) as f32)
}

fn saved(output: &Output, path: &Path, options: &ExportOptions) -> Result<Delivered, Error> {
    let target = Target::of_ending(path.extension().unwrap().to_str().unwrap()).unwrap();
    output.save_alone(path, Existing::Replace, target, options, &Ctx::default())
}

/// A square map with square cells in metres, for each unit.
fn places() -> [GeoReference; 4] {
    let place = |epsg, unit, west, north, step| GeoReference { epsg, unit, west, north, step };
    [
        place(Some(32617), CrsUnit::Metre, 712_345.1, 4_012_345.9, (30.1, 30.1)),
        place(Some(2274), CrsUnit::UsFoot, 2_512_345.7, 712_345.3, (98.4, 98.4)),
        place(None, CrsUnit::Foot, 1.25, -7.5, (33.3, 33.3)),
        // On the equator a degree of latitude is 0.9933 of one of longitude.
        place(Some(4326), CrsUnit::Degree, -84.1, 0.015, (1.0 / 3600.0, 1.006_739_5 / 3600.0)),
    ]
}

#[test]
fn floats_come_back_bit_for_bit_and_plane_metres_say_where_the_map_lies() {
    let dir = tempfile::tempdir().unwrap();
    for output in two_worlds() {
        let (height, frame) = (metres(&output), output.catalogue.frame);
        for file in ["a.tif", "a.exr"] {
            saved(&output, &dir.path().join(file), &ExportOptions::default()).unwrap();
            let read = import::read(&dir.path().join(file), &ReadOptions::default()).unwrap();
            assert_eq!(read.map, height, "{} {file}", output.catalogue.world);
        }
        let read = import::read(&dir.path().join("a.tif"), &ReadOptions::default()).unwrap();
        let unit = output.recipe.world.info().exports.ground.unwrap().metres_per_unit;
        let place = read.place.unwrap();
        assert_eq!((read.numbers, place.epsg, place.unit), (Numbers::Metres, None, CrsUnit::Metre));
        assert_eq!((place.west, place.north), (frame.origin.0 * unit, -frame.origin.1 * unit));
        assert_eq!(place.step, (frame.cell_m * unit, frame.cell_m * unit));
    }
}

#[test]
fn whole_numbers_come_back_within_half_a_step_with_and_without_the_file_beside_them() {
    let dir = tempfile::tempdir().unwrap();
    for output in two_worlds() {
        let (height, world) = (metres(&output), output.catalogue.world);
        let near = |map: &Grid<f32>, (low, high): (f64, f64)| {
            let most = (high - low) / 65535.0 / 2.0 + 1e-6 * (high - low).abs().max(low.abs());
            let worst = map.cells().iter().zip(height.cells()).map(|(a, b)| f64::from(a - b).abs());
            let worst = worst.fold(0.0, f64::max);
            assert!(worst <= most && worst > 0.0, "{world}: {worst} of {most}");
        };
        let path = dir.path().join("a.r16");
        let range = saved(&output, &path, &ExportOptions::default()).unwrap().sidecar.range_m.unwrap();
        let read = import::read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(read.numbers, Numbers::Metres);
        near(&read.map, range);
        let no = ReadOptions { sidecar: UseSidecar::No, ..ReadOptions::default() };
        let grey = import::read(&path, &no).unwrap();
        assert_eq!(grey.numbers, Numbers::Grey);
        let grey = Grid::from_fn(height.width(), height.height(), |x, y| {
            (range.0 + f64::from(grey.map[(x, y)]) * (range.1 - range.0)) as f32
        });
        near(&grey, range);
        let folder = dir.path().join(world);
        let target = Target::find("r16").unwrap();
        let options = ExportOptions { height_scale_m: Some(9000.0), ..ExportOptions::default() };
        output.save_exports(&folder, Existing::Keep, &[target], &options, &Ctx::default()).unwrap();
        let read = import::read(&folder.join(format!("{world}.r16")), &ReadOptions::default()).unwrap();
        assert_eq!(read.numbers, Numbers::Metres);
        near(&read.map, (range.0, range.0 + 9000.0));
        let low = ExportOptions { height_scale_m: Some(1.0), ..ExportOptions::default() };
        let message = saved(&output, &path, &low).unwrap_err().to_string();
        assert!(message.contains("% of the cells would be clipped"), "{message}");
        let needed = format!("--height-scale {}", (range.1 - range.0).ceil());
        assert!(message.contains(&needed), "{message}");
        saved(&output, &path, &ExportOptions { clip: true, ..low }).unwrap();
        let half = ExportOptions { samples: Some(height.width() / 2), ..ExportOptions::default() };
        let half = saved(&output, &path, &half).unwrap().sidecar;
        assert_eq!(half.size, Some((height.width() / 2, height.height() / 2)));
        let unit = output.recipe.world.info().exports.ground.unwrap().metres_per_unit;
        assert_eq!(half.metres_per_pixel, Some(2.0 * output.catalogue.frame.cell_m * unit));
    }
}

#[test]
fn georeference_survives_geotiff_derive_geotiff_exactly() {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (dir.path().join("first.tif"), dir.path().join("second.tif"));
    let mut output = made("island", 64);
    for place in places() {
        output.catalogue.georeference = Some(place);
        saved(&output, &first, &ExportOptions::default()).unwrap();
        let read = import::read(&first, &ReadOptions::default()).unwrap();
        assert_eq!(read.place, Some(place));
        let mut job = Job::new("island").unwrap();
        let height = job.recipe().map_name("height").unwrap();
        job.recipe_mut().set_map(height, first.clone(), "test");
        let derived = job.run(&Ctx::default()).unwrap();
        assert_eq!(derived.catalogue.georeference, Some(place));
        saved(&derived, &second, &ExportOptions::default()).unwrap();
        let again = import::read(&second, &ReadOptions::default()).unwrap();
        assert_eq!(again.place, Some(place));
        assert_eq!(again.map, metres(&derived));
    }
}

#[test]
fn heights_for_engines_come_back_north_up_with_their_size_and_the_metres_of_both_directions() {
    let output = Job::new("island").unwrap().seed(5).size((80, 48)).run(&Ctx::default()).unwrap();
    let (cell_m, height) = (output.catalogue.frame.cell_m, metres(&output));
    let dir = tempfile::tempdir().unwrap();
    for (target, file, side) in [("unity", "island.raw", 129), ("unreal", "island.png", 127)] {
        let folder = dir.path().join(target);
        let targets = [Target::find(target).unwrap()];
        let options = ExportOptions::default();
        output.save_exports(&folder, Existing::Keep, &targets, &options, &Ctx::default()).unwrap();
        let read = import::read(&folder.join(file), &ReadOptions::default()).unwrap();
        assert_eq!((read.numbers, read.map.shape()), (Numbers::Metres, (side, side)), "{target}");
        let (x, y) = read.cell_m.unwrap();
        let steps = (side - 1) as f64;
        assert!((x * steps - 79.0 * cell_m).abs() < 1e-6 && (y * steps - 47.0 * cell_m).abs() < 1e-6);
        let expected = at_vertices(&height, (side, side), &Ctx::default()).unwrap();
        let worst = read.map.cells().iter().zip(expected.cells()).map(|(a, b)| f64::from(a - b).abs());
        let beside = std::fs::read_to_string(folder.join("island.terrain.json")).unwrap();
        let beside: serde_json::Value = serde_json::from_str(&beside).unwrap();
        let half = beside["height_scale_m"].as_f64().unwrap() / 65535.0 / 2.0;
        let worst = worst.fold(0.0, f64::max);
        // Heights of some hundred metres as f32 are exact to 0.00003 m.
        assert!(worst <= half + 4e-5 && half < 0.05, "{target}: {worst} m of {half} m");
    }
    // The sidecar has another name than the heights.
    let folder = dir.path().join("godot");
    let targets = [Target::find("godot").unwrap()];
    output
        .save_exports(&folder, Existing::Keep, &targets, &ExportOptions::default(), &Ctx::default())
        .unwrap();
    let read = import::read(&folder.join("island_height.exr"), &ReadOptions::default()).unwrap();
    assert_eq!((read.cell_m, read.map), (Some((cell_m, cell_m)), height));
    // 33 by 20 samples are not quite as long as they are wide.
    let path = dir.path().join("few.r16");
    let few = ExportOptions { samples: Some(33), ..ExportOptions::default() };
    let made = saved(&output, &path, &few).unwrap();
    let read = import::read(&path, &ReadOptions::default()).unwrap();
    let (x, y) = read.cell_m.unwrap();
    assert!((x * 33.0 - 80.0 * cell_m).abs() < 1e-6 && (y * 20.0 - 48.0 * cell_m).abs() < 1e-6, "{x} {y}");
    assert!(made.numbers[0].contains(" from west to east and "), "{:?}", made.numbers);
    // The number of samples is a square number here, and yet they are no square.
    let path = dir.path().join("strip.r16");
    let wide = Job::new("island").unwrap().seed(5).size((128, 32)).run(&Ctx::default()).unwrap();
    saved(&wide, &path, &ExportOptions::default()).unwrap();
    assert_eq!(import::read(&path, &ReadOptions::default()).unwrap().map.shape(), (128, 32));
}

#[test]
fn a_forest_on_the_earth_has_the_cells_of_the_earth_in_every_target() {
    let mut output = made("forest", 64);
    let place = places()[0];
    output.catalogue.georeference = Some(place);
    let dir = tempfile::tempdir().unwrap();
    let made = saved(&output, &dir.path().join("a.exr"), &ExportOptions::default()).unwrap();
    assert_eq!(made.sidecar.metres_per_pixel, Some(place.step.0));
    assert!(made.numbers.iter().all(|line| !line.contains("A tile is taken")), "{:?}", made.numbers);
    assert!(made.numbers.iter().any(|line| line.contains("taken as 200 m")), "{:?}", made.numbers);
}

#[test]
fn a_forest_made_from_metres_gives_them_back_at_the_scale_of_the_earth() {
    let dir = tempfile::tempdir().unwrap();
    let (given, back) = (dir.path().join("given.tif"), dir.path().join("back.tif"));
    let mut island = made("island", 64);
    island.catalogue.georeference = Some(places()[0]);
    saved(&island, &given, &ExportOptions::default()).unwrap();
    let mut job = Job::new("forest").unwrap();
    let name = job.recipe().map_name("height").unwrap();
    job.recipe_mut().set_map(name, given, "test");
    let forest = job.run(&Ctx::default()).unwrap();
    let told = saved(&forest, &back, &ExportOptions::default()).unwrap().numbers;
    assert!(told.iter().all(|line| !line.contains("taken as")), "{told:?}");
    let (height, read) = (metres(&island), import::read(&back, &ReadOptions::default()).unwrap());
    let worst = read.map.cells().iter().zip(height.cells()).map(|(a, b)| f64::from((a - b).abs()));
    let (low, high) = forest.catalogue.heights_m.unwrap();
    assert!(worst.fold(0.0, f64::max) <= (high - low) * 1e-6, "from {low} to {high}");
    // On paper too: 64 cells of 30.1 m at 1:15 000.
    let sheet = dir.path().join("sheet.svg");
    let scale = ChartOptions { scale: Some(15_000), ..ChartOptions::default() };
    let more = saved(&forest, &sheet, &ExportOptions { chart: scale, ..ExportOptions::default() });
    let width = more.unwrap().sidecar.more["width_mm"].as_f64().unwrap();
    assert!((width - 64.0 * 30.1 / 15.0).abs() < 1e-9, "{width} mm");
    assert!(!std::fs::read_to_string(&sheet).unwrap().contains("taken as"));
    let without = made("forest", 64);
    saved(&without, &sheet, &ExportOptions::default()).unwrap();
    assert!(std::fs::read_to_string(&sheet).unwrap().contains("A tile is taken as 10 m."));
    // A folder is opened with its metres.
    let folder = dir.path().join("forest");
    let plan = FolderPlan::new(forest.recipe.world.info().files);
    forest.save(&folder, Existing::Keep, &plan, &Ctx::default()).unwrap();
    let opened = weald::job::open(&folder).unwrap();
    assert_eq!(opened.catalogue.heights_m, Some((low, high)));
}

#[test]
fn worlds_without_ground_are_placed_by_cells_from_their_corner() {
    let dir = tempfile::tempdir().unwrap();
    let galaxy = Job::new("galaxy").unwrap().seed(5).size((64, 48)).run(&Ctx::default()).unwrap();
    let store = dir.path().join("galaxy.zarr");
    let told = saved(&galaxy, &store, &ExportOptions::default()).unwrap().numbers;
    assert!(told.iter().any(|line| line.ends_with("in cells")), "{told:?}");
    let group: serde_json::Value =
        serde_json::from_slice(&std::fs::read(store.join("zarr.json")).unwrap()).unwrap();
    let transform = &group["attributes"]["spatial:transform"];
    assert_eq!(transform, &serde_json::json!([1.0, 0.0, 0.0, 0.0, -1.0, 0.0]));
}

/// All files of a store or the bytes of a file, by name.
fn bytes(path: &Path) -> Vec<(String, Vec<u8>)> {
    if path.is_file() {
        return vec![(String::new(), std::fs::read(path).unwrap())];
    }
    let mut names: Vec<_> = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    let below = |p: &Path| {
        let name = p.file_name().unwrap().to_str().unwrap().to_owned();
        bytes(p).into_iter().map(move |(inner, bytes)| (format!("{name}/{inner}"), bytes))
    };
    names.iter().flat_map(|p| below(p).collect::<Vec<_>>()).collect()
}

#[test]
fn one_and_two_threads_write_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let output = made("island", 600);
    for file in ["a.tif", "a.exr", "a.r16", "a.zarr"] {
        let write = |threads: usize| {
            let path = dir.path().join(file);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| saved(&output, &path, &ExportOptions::default())).unwrap();
            bytes(&path)
        };
        assert!(write(1) == write(2), "{file}");
    }
}

/// The cells of an array without shards, as bytes.
fn chunk(store: &Path, array: &str) -> Vec<u8> {
    use std::io::Read;
    let file = std::fs::File::open(store.join(array).join("c/0/0")).unwrap();
    let mut out = Vec::new();
    flate2::read::GzDecoder::new(file).read_to_end(&mut out).unwrap();
    out
}

#[test]
fn a_store_holds_every_layer_and_is_replaced_only_if_nobody_added_to_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.zarr");
    for mut output in two_worlds() {
        output.catalogue.georeference = Some(places()[0]);
        saved(&output, &path, &ExportOptions::default()).unwrap();
        for layer in &output.catalogue.layers {
            let mut expected = Vec::new();
            weald::npy::bytes(&layer.cells(), |b| {
                expected.extend_from_slice(b);
                Ok(())
            })
            .unwrap();
            assert!(chunk(&path, layer.name) == expected, "{}", layer.name);
        }
        let group = std::fs::read_to_string(path.join("zarr.json")).unwrap();
        let group: serde_json::Value = serde_json::from_str(&group).unwrap();
        let attributes = &group["attributes"];
        assert_eq!(attributes["proj:code"], "EPSG:32617");
        assert_eq!(
            attributes["spatial:transform"],
            serde_json::json!([30.1, 0.0, 712_345.1, 0.0, -30.1, 4_012_345.9])
        );
        assert_eq!(attributes["weald"]["origin"]["seed"], 5);
        assert_eq!(attributes["weald"]["origin"]["recipe_sha256"].as_str().unwrap().len(), 64);
    }
    std::fs::write(path.join("mine.txt"), "").unwrap();
    let refused = saved(&made("forest", 64), &path, &ExportOptions::default()).unwrap_err().to_string();
    assert!(refused.contains("not Weald's"), "{refused}");
}

#[test]
fn the_metres_of_a_picture_for_minecraft_come_back_also_where_heights_are_reduced() {
    let dir = tempfile::tempdir().unwrap();
    let mut job = Job::new("island").unwrap().seed(5).size((80, 48));
    for (name, low, high) in [("plain", -40.0, 90.0), ("high", -100.0, 5000.0), ("deep", -3000.0, 40.0)] {
        let height =
            Grid::from_fn(80, 48, |x, y| (low + (high - low) * ((x * 48 + y) as f64 / 3839.0)) as f32);
        job = job.map("height", height.clone()).unwrap();
        let output = job.clone().run(&Ctx::default()).unwrap();
        let folder = dir.path().join(name);
        let targets = [Target::find("minecraft").unwrap()];
        // A block for each cell.
        let options = ExportOptions { samples: Some(80), ..ExportOptions::default() };
        output.save_exports(&folder, Existing::Keep, &targets, &options, &Ctx::default()).unwrap();
        let told: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.join("island.terrain.json")).unwrap()).unwrap();
        let number = |key: &str| told[key].as_f64().unwrap();
        let read = import::read(&folder.join("island.png"), &ReadOptions::default()).unwrap();
        assert_eq!((read.numbers, read.map.shape()), (Numbers::Metres, (80, 48)), "{name}");
        let half = 0.5 * number("block_m") / number("values_per_block");
        for (a, b) in read.map.cells().iter().zip(metres(&output).cells()) {
            let factor = if *b < 0.0 { number("depth_factor") } else { number("height_factor") };
            assert!(f64::from((a - b).abs()) <= half / factor + 1e-3, "{name}: {a} for {b}");
        }
        assert_eq!(told["height_knots_m"].is_null(), name == "plain", "{name}");
    }
}

/// The grey values of a picture.
fn grey(path: &Path) -> Vec<u8> {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut raw = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut raw).unwrap();
    assert_eq!((reader.info().width, reader.info().height), (4096, 4096));
    raw
}

#[test]
fn cities_skylines_gets_the_greys_of_the_city_or_the_scale_that_would_fit() {
    let dir = tempfile::tempdir().unwrap();
    // Flat ground with hills that a height scale of 700 m does not hold.
    let height = Grid::from_fn(4096, 4096, |x, y| ((x / 7 + y / 5) % 911) as f32 * 0.31 - 40.0);
    let mut job = Job::new("city").unwrap().map("height", height).unwrap();
    job = job.set("map.height_scale_m", 900).unwrap().set("map.sea_level_m", 60.5).unwrap();
    let output = job.run(&Ctx::default()).unwrap();
    let own = dir.path().join("own.png");
    let file = output.recipe.world.info().files.iter().find(|f| f.name == "heightmap.png").unwrap();
    let mut sink = weald::export::Sink::create(&own).unwrap();
    output.write_file(file, &[], &mut sink, &Ctx::default()).unwrap();
    sink.finish().unwrap();
    let target = Target::find("cs2").unwrap();
    let save = |name: &str, options: &ExportOptions| {
        output.save_exports(&dir.path().join(name), Existing::Keep, &[target], options, &Ctx::default())
    };
    let told = save("game", &ExportOptions::default()).unwrap();
    assert!(grey(&dir.path().join("game/heightmap.png")) == grey(&own));
    assert!(
        told[0].numbers[0].starts_with("height scale to type into the editor: 900;"),
        "{:?}",
        told[0].numbers
    );
    let read = import::read(&dir.path().join("game/heightmap.png"), &ReadOptions::default()).unwrap();
    assert_eq!(read.numbers, Numbers::Metres);
    let low = ExportOptions { height_scale_m: Some(250.0), ..ExportOptions::default() };
    let message = save("low", &low).unwrap_err().to_string();
    assert!(message.contains("use --height-scale 303,"), "{message}");
    let tiny = ExportOptions { height_scale_m: Some(100.0), ..ExportOptions::default() };
    assert!(save("tiny", &tiny).unwrap_err().to_string().contains("the game takes 200 to 10000 m"));
}

#[test]
fn cities_skylines_gets_other_worlds_and_the_land_around_at_its_size_with_the_sea_at_its_level() {
    let dir = tempfile::tempdir().unwrap();
    let mut output = made("island", 96);
    let target = Target::find("cs2").unwrap();
    let path = dir.path().join("game");
    let made = output
        .save_exports(&path, Existing::Keep, &[target], &ExportOptions::default(), &Ctx::default())
        .unwrap();
    let read = import::read(&path.join("heightmap.png"), &ReadOptions::default()).unwrap();
    assert_eq!(read.size, (4096, 4096));
    let wide =
        weald::core::resample::resampled_to_edges(&metres(&output), (4096, 4096), &Ctx::default()).unwrap();
    let quantum = 4096.0 / 65535.0;
    let worst =
        read.map.cells().iter().zip(wide.cells()).map(|(a, b)| f64::from(a - b).abs()).fold(0.0, f64::max);
    assert!(worst <= quantum / 2.0 + 1e-3, "{worst}");
    let width = 96.0 * output.catalogue.frame.cell_m;
    let stands = format!("1 m of the game stands for {:.4} m", width / 14_336.0);
    assert!(made[0].numbers.iter().any(|n| n.starts_with(&stands)), "{:?}", made[0].numbers);
    assert!(!path.join("worldmap.png").exists());
    let (frame, height) = (output.catalogue.frame, metres(&output));
    output.catalogue.rasters.push(Raster { name: "worldmap", frame, height });
    let around = dir.path().join("around");
    let made = output
        .save_exports(&around, Existing::Keep, &[target], &ExportOptions::default(), &Ctx::default())
        .unwrap();
    assert!(made[0].numbers.iter().any(|n| n.contains("joined anew")), "{:?}", made[0].numbers);
    let far = |a: f32, b: f32| f64::from((a - b).abs());
    let wider = import::read(&around.join("worldmap.png"), &ReadOptions::default()).unwrap();
    assert!(far(wider.map[(0, 0)], read.map[(0, 0)]) <= quantum, "far outside the land around is as it was");
}

#[test]
fn resampled_pictures_of_cities_skylines_fit_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let output = Job::new("city").unwrap().size(256).with("worldmap").run(&Ctx::default()).unwrap();
    let target = Target::find("cs2").unwrap();
    let made = output
        .save_exports(
            &dir.path().join("game"),
            Existing::Keep,
            &[target],
            &ExportOptions::default(),
            &Ctx::default(),
        )
        .unwrap();
    assert!(!made[0].numbers.iter().any(|n| n.contains("no worldmap.png")), "{:?}", made[0].numbers);
    let read =
        |name: &str| import::read(&dir.path().join("game").join(name), &ReadOptions::default()).unwrap().map;
    let (map, world) = (read("heightmap.png"), read("worldmap.png"));
    let quantum = 4096.0 / 65535.0;
    let means = weald::core::stats::block_means(&map, 4, &Ctx::default()).unwrap();
    for ((x, y), &mean) in means.iter() {
        let wrong = f64::from((world[(1536 + x, 1536 + y)] - mean).abs());
        assert!(wrong <= 1.01 * quantum, "{x}, {y}: {wrong} m");
    }
    // Between the pixels of the world map, the border of the map is where the map has it, but for the mouths of rivers.
    let at = |v: usize| 1536.0 + (v as f64 + 0.5) / 4.0 - 0.5;
    let mut steps: Vec<f64> = (0..4096)
        .flat_map(|k| [(0, k), (4095, k), (k, 0), (k, 4095)])
        .map(|(x, y)| (world.bilinear(at(x), at(y)) - f64::from(map[(x, y)])).abs())
        .collect();
    steps.sort_by(f64::total_cmp);
    assert!(steps[steps.len() * 9 / 10] <= 2.0 * quantum, "{} m", steps[steps.len() * 9 / 10]);
}

#[test]
fn a_height_scale_that_the_game_does_not_take_is_found_before_the_world_is_made() {
    let target = Target::find("cs2").unwrap();
    let with = |scale| ExportOptions { height_scale_m: Some(scale), ..ExportOptions::default() };
    for scale in [100.0, 10_001.0] {
        let message = with(scale).validate(&[target]).unwrap_err().to_string();
        assert!(message.contains("the game takes 200 to 10000 m"), "{message}");
    }
    assert!(with(200.0).validate(&[target]).is_ok());
}
