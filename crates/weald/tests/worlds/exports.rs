//! Targets for game engines, games and maps of vectors, written from whole worlds.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use weald::core::resample::{Values, at_vertices, resampled};
use weald::core::{Ctx, Grid};
use weald::export::atomic::Existing;
use weald::export::target::{Delivered, ExportOptions, Target};
use weald::{Error, Job, Output};

fn island() -> Output {
    Job::new("island").unwrap().seed(5).size(64).run(&Ctx::default()).unwrap()
}

fn forest() -> Output {
    Job::new("forest").unwrap().seed(5).size((48, 36)).run(&Ctx::default()).unwrap()
}

fn endless() -> Output {
    Job::new("endless").unwrap().seed(5).size(96).run(&Ctx::default()).unwrap()
}

/// The metres of an output.
fn metres(output: &Output) -> Grid<f32> {
    let spec = output.recipe.world.info().exports.ground.unwrap();
    let cells = output.catalogue.cells(spec.height).unwrap();
    let (width, height) = cells.shape();
    Grid::from_fn(width, height, |x, y| (cells.at(x, y) * spec.metres_per_height) as f32)
}

struct Made {
    _temporary: tempfile::TempDir,
    folder: PathBuf,
    delivered: Delivered,
}

fn export(output: &Output, target: &str, options: &ExportOptions) -> Result<Made, Error> {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("made");
    let targets = [Target::find(target).unwrap()];
    let mut all = output.save_exports(&folder, Existing::Keep, &targets, options, &Ctx::default())?;
    let delivered = all.remove(0);
    for (file, _) in &delivered.files {
        assert!(folder.join(file).is_file(), "{file} is listed but was not written");
    }
    Ok(Made { _temporary: temporary, folder, delivered })
}

impl Made {
    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.bytes(name)).unwrap()
    }

    /// Width, height, channels and bytes of a picture.
    fn png(&self, name: &str) -> (usize, usize, usize, Vec<u8>) {
        let file = self.bytes(name);
        let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
        let mut raw = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut raw).unwrap();
        (info.width as usize, info.height as usize, info.color_type.samples(), raw)
    }

    fn said(&self, words: &str) -> bool {
        self.delivered.numbers.iter().any(|line| line.contains(words))
    }
}

/// The bytes of every file below a folder.
fn all_files(folder: &Path, below: &str, out: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{below}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            all_files(&path, &format!("{name}/"), out);
        } else {
            out.insert(name, fs::read(&path).unwrap());
        }
    }
}

/// The greatest difference between heights and what their values stand for, in values.
fn worst(height: &Grid<f32>, values: impl Fn(usize, usize) -> u16, low: f64, high: f64) -> f64 {
    let quantum = (high - low) / 65535.0;
    let off = |((x, y), h): ((usize, usize), &f32)| {
        (low + f64::from(values(x, y)) * quantum - f64::from(*h)).abs() / quantum
    };
    height.iter().map(off).fold(0.0, f64::max)
}

#[test]
fn unity_has_heights_south_first_and_splat_weights_of_sum_255() {
    let output = island();
    let made = export(&output, "unity", &ExportOptions::default()).unwrap();
    let raw = made.bytes("island.raw");
    assert_eq!(raw.len(), 2 * 65 * 65);
    let sidecar = made.json("island.terrain.json");
    assert_eq!((&sidecar["row_order"], &sidecar["registration"]), (&"south first".into(), &"vertex".into()));
    let (low, high) = (sidecar["lowest_m"].as_f64().unwrap(), sidecar["highest_m"].as_f64().unwrap());
    let height = at_vertices(&metres(&output), (65, 65), &Ctx::default()).unwrap();
    let value = |x: usize, y: usize| {
        let at = 2 * ((64 - y) * 65 + x);
        u16::from_le_bytes([raw[at], raw[at + 1]])
    };
    let off = worst(&height, value, low, high);
    assert!(off <= 0.5 + 1e-6, "{off} values");
    assert!(made.said("byte order Windows, Flip Vertically off") && made.said("Terrain Width"));

    let layers = made.json("layers.json");
    let entries = layers["layers"].as_array().unwrap();
    let files: Vec<String> =
        made.delivered.files.iter().map(|f| f.0.clone()).filter(|f| f.contains("_splat")).collect();
    assert_eq!(files.len(), entries.len().div_ceil(4));
    let mut sums = vec![0u32; 64 * 64];
    for file in &files {
        let (width, height, channels, raw) = made.png(file);
        assert_eq!((width, height, channels), (64, 64, 4));
        raw.chunks(4).zip(&mut sums).for_each(|(p, s)| *s += p.iter().map(|&v| u32::from(v)).sum::<u32>());
    }
    assert!(sums.iter().all(|&s| s == 255));
    // The north-western cell is a class of its own corner.
    let cover = output.catalogue.cells("cover").unwrap();
    let first = entries.iter().find(|e| e["value"].as_f64() == Some(cover.at(0, 0))).unwrap();
    let channel = ["R", "G", "B", "A"].iter().position(|c| first["channel"] == *c).unwrap();
    assert!(made.png(first["file"].as_str().unwrap()).3[channel] > 60);
}

#[test]
fn unity_takes_its_sizes_only() {
    let output = forest();
    let with =
        |samples| export(&output, "unity", &ExportOptions { samples: Some(samples), ..Default::default() });
    let Err(error) = with(64) else { panic!("64 is no size") };
    assert!(matches!(error, Error::Invalid(_)) && error.to_string().contains("33, 65, 129, 257"), "{error}");
    let made = with(33).unwrap();
    assert_eq!(made.bytes("forest.raw").len(), 2 * 33 * 33);
    assert!(made.said("48x36 cells are resampled to 33x33 samples"));
    // 47 and 35 tiles of 10 m.
    assert!(made.said("Terrain Width 470, Terrain Length 350"), "{:?}", made.delivered.numbers);
}

#[test]
fn unreal_has_a_recommended_size_and_weightmaps_of_sum_255() {
    let output = island();
    let made = export(&output, "unreal", &ExportOptions::default()).unwrap();
    let (width, height, channels, raw) = made.png("island.png");
    assert_eq!((width, height, channels), (127, 127, 1));
    let sidecar = made.json("island.terrain.json");
    let number = |name: &str| sidecar[name].as_f64().unwrap();
    let height = at_vertices(&metres(&output), (127, 127), &Ctx::default()).unwrap();
    let value = |x: usize, y: usize| {
        let at = 2 * (y * 127 + x);
        u16::from_be_bytes([raw[at], raw[at + 1]])
    };
    let off = worst(&height, value, number("lowest_m"), number("highest_m"));
    assert!(off <= 0.5 + 1e-6, "{off} values");
    // The same by the rule of the engine: centimetres = location + (value − 32768) / 128 · scale.
    let centimetres =
        number("location_z_cm") + (f64::from(value(60, 60)) - 32768.0) / 128.0 * number("z_scale");
    assert!((centimetres / 100.0 - f64::from(height[(60, 60)])).abs() <= number("z_scale") / 12_800.0);
    let mut sums = vec![0u32; 127 * 127];
    let mut maps = 0;
    for (file, _) in made.delivered.files.iter().filter(|f| f.0.contains("_weight_")) {
        let (width, height, channels, raw) = made.png(file);
        assert_eq!((width, height, channels), (127, 127, 1));
        raw.iter().zip(&mut sums).for_each(|(v, s)| *s += u32::from(*v));
        maps += 1;
    }
    assert!(maps > 1 && sums.iter().all(|&s| s == 255));
    let Err(error) = export(&output, "unreal", &ExportOptions { samples: Some(1024), ..Default::default() })
    else {
        panic!("1024 is no size")
    };
    assert!(error.to_string().contains("127, 253, 505, 1009, 2017, 4033, 8129"), "{error}");
    let low = ExportOptions { height_scale_m: Some(10.0), ..Default::default() };
    let Err(error) = export(&output, "unreal", &low) else { panic!("10 m are too few") };
    assert!(error.to_string().contains("use --height-scale"), "{error}");
    assert!(export(&output, "unreal", &ExportOptions { clip: true, ..low }).is_ok());
}

#[test]
fn godot_has_heights_in_metres_a_control_map_and_colours_of_one_size() {
    for output in [forest(), endless()] {
        let made = export(&output, "godot", &ExportOptions::default()).unwrap();
        let name = output.catalogue.world;
        let (width, height) = (output.catalogue.frame.width, output.catalogue.frame.height);
        let heights = weald::import::map(&made.folder.join(format!("{name}_height.exr"))).unwrap();
        assert_eq!(heights.cells(), metres(&output).cells());
        let (w, h, channels, colours) = made.png(&format!("{name}_colour.png"));
        assert_eq!((w, h, channels), (width, height, 4));
        assert!(colours.chunks(4).all(|p| p[3] == 128));
        let sidecar = made.json(&format!("{name}.terrain.json"));
        assert_eq!(sidecar["region_size"], 256);
        assert!(made.said("vertex_spacing") && made.said("import_scale 1"));
        assert!(made.bytes(&format!("{name}_control.exr")).starts_with(&[0x76, 0x2f, 0x31, 0x01]));
    }
}

#[test]
fn minecraft_has_256_values_to_a_block_of_a_metre() {
    let output = forest();
    let made = export(&output, "minecraft", &ExportOptions::default()).unwrap();
    let (width, height, channels, raw) = made.png("forest.png");
    assert_eq!((width, height, channels), (480, 360, 1));
    let sidecar = made.json("forest.terrain.json");
    assert_eq!(sidecar["water_level"], 62.0);
    let expected = resampled(&metres(&output), (480, 360), Values::Measure, &Ctx::default()).unwrap();
    let (per_block, base) =
        (sidecar["values_per_block"].as_f64().unwrap(), sidecar["level_of_value_0"].as_f64().unwrap());
    for ((x, y), h) in expected.iter() {
        let at = 2 * (y * 480 + x);
        let value = f64::from(u16::from_be_bytes([raw[at], raw[at + 1]]));
        let level = value / per_block + base;
        assert!((level - 61.5 - f64::from(*h)).abs() <= 0.5 / per_block + 1e-5, "{level} for {h}");
    }
    let script = String::from_utf8(made.bytes("forest.js")).unwrap();
    assert!(script.contains(".withWaterLevel(62)") && script.contains(".fromLevels(0, 65280)"), "{script}");
    let few = ExportOptions { samples: Some(120), ..Default::default() };
    let made = export(&output, "minecraft", &few).unwrap();
    assert_eq!(made.png("forest.png").0, 120);
    assert!(made.said("a block is 4 m wide and high"));
}

#[test]
fn luanti_has_tiles_of_heights_and_cover() {
    let output = endless();
    let made = export(&output, "luanti", &ExportOptions::default()).unwrap();
    let map = String::from_utf8(made.bytes("weald_endless/map.lua")).unwrap();
    let cell_m = output.catalogue.frame.cell_m;
    let side = (96.0 * cell_m).round() as usize;
    assert!(map.contains(&format!("width = {side},")) && map.contains("sea = 1,"), "{map}");
    let tiles = made.delivered.files.iter().filter(|f| f.0.contains("/tiles/")).count();
    assert_eq!(tiles, side.div_ceil(128) * side.div_ceil(128));
    assert!(made.bytes("weald_endless/mod.conf").starts_with(b"name = weald_endless\n"));
}

#[test]
fn a_sea_that_has_its_surface_only_is_under_water_in_games_of_blocks() {
    let output = Job::new("realm").unwrap().seed(5).size(64).run(&Ctx::default()).unwrap();
    let (height, biome) = (metres(&output), output.catalogue.cells("biome").unwrap());
    let sea = |x: usize, y: usize| biome.at(x, y) == 0.0;
    assert!(height.iter().any(|((x, y), h)| sea(x, y) && *h == 0.0), "the ocean of a realm is at 0 m");
    let one_each = ExportOptions { samples: Some(64), ..Default::default() };
    let made = export(&output, "minecraft", &one_each).unwrap();
    assert!(made.said("no floor"));
    let sidecar = made.json("realm.terrain.json");
    let number = |name: &str| sidecar[name].as_f64().unwrap();
    let (width, _, _, raw) = made.png("realm.png");
    for ((x, y), _) in height.iter().filter(|((x, y), _)| sea(*x, *y)) {
        let at = 2 * (y * width + x);
        let value = f64::from(u16::from_be_bytes([raw[at], raw[at + 1]]));
        let top = (value / number("values_per_block") + number("level_of_value_0") + 0.5).floor();
        assert!(top < number("water_level"), "{x}, {y}: {top}");
    }
    let made = export(&output, "luanti", &one_each).unwrap();
    assert!(made.said("no floor"));
    let mut tile = Vec::new();
    flate2::read::ZlibDecoder::new(&made.bytes("weald_realm/tiles/0_0.bin")[..])
        .read_to_end(&mut tile)
        .unwrap();
    for ((x, y), _) in height.iter().filter(|((x, y), _)| sea(*x, *y)) {
        let i = (63 - y) * 64 + x;
        let (top, cover) = (i16::from_le_bytes([tile[2 * i], tile[2 * i + 1]]), tile[2 * 64 * 64 + i]);
        assert!(top < 1 && cover < 128, "{x}, {y}: {top}");
    }
    assert!(!export(&island(), "luanti", &one_each).unwrap().said("no floor"));
}

#[test]
fn a_geopackage_has_all_sets_and_the_cover_in_whole_pages() {
    for output in [island(), forest(), endless()] {
        let made = export(&output, "gpkg", &ExportOptions::default()).unwrap();
        let name = output.catalogue.world;
        let bytes = made.bytes(&format!("{name}.gpkg"));
        assert!(bytes.starts_with(b"SQLite format 3\0") && bytes.len().is_multiple_of(4096));
        assert_eq!((&bytes[60..64], &bytes[68..72]), (&10_300u32.to_be_bytes()[..], &b"GPKG"[..]));
        let sidecar = made.json(&format!("{name}.terrain.json"));
        let tables = sidecar["tables"].as_array().unwrap();
        let c = &output.catalogue;
        assert_eq!(tables.len(), c.lines.len() + c.points.len() + c.polygons.len() + 1);
        let classes = &tables[tables.len() - 1];
        assert!(classes["name"] == "classes" && classes["features"].as_u64().unwrap() > 0);
    }
}

#[test]
fn geojson_has_every_set_with_y_north() {
    let output = forest();
    let made = export(&output, "geojson", &ExportOptions::default()).unwrap();
    let c = &output.catalogue;
    for set in c.lines.iter().chain(&c.points).chain(&c.polygons) {
        let file = made.json(&format!("{}.geojson", set.name));
        assert_eq!(file["features"].as_array().unwrap().len(), set.features.len());
        assert_eq!((&file["terrain"]["y"], &file["terrain"]["units"]), (&"north".into(), &"metres".into()));
    }
    let set = c.points.iter().find(|s| !s.features.is_empty()).unwrap();
    let (x, y) = set.features[0].points[0];
    let found = &made.json(&format!("{}.geojson", set.name))["features"][0]["geometry"]["coordinates"];
    // A tile is 10 m.
    let off =
        (found[0].as_f64().unwrap() - 10.0 * x).abs().max((found[1].as_f64().unwrap() + 10.0 * y).abs());
    assert!(off <= 0.005 + 1e-9, "{found} for {x}, {y}");
}

#[test]
fn two_threads_write_the_same_bytes_as_one() {
    let names = ["unity", "unreal", "godot", "minecraft", "luanti", "gpkg", "geojson"];
    let targets: Vec<&'static Target> = names.iter().map(|name| Target::find(name).unwrap()).collect();
    let output = island();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().join("made");
        let options = ExportOptions::default();
        pool.install(|| {
            output.save_exports(&folder, Existing::Keep, &targets, &options, &Ctx::default()).unwrap()
        });
        let mut all = BTreeMap::new();
        all_files(&folder, "", &mut all);
        all
    };
    let (one, two) = (with(1), with(2));
    assert!(one.len() > 25, "{:?}", one.keys());
    assert_eq!(one.keys().collect::<Vec<_>>(), two.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(*bytes == two[name], "{name} differs");
    }
}
