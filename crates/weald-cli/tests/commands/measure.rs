//! weald measure: heightmaps, folders, pages and messages.

use crate::common::Place;
use serde_json::Value;

/// Real mountains, in metres, with cells of 80 m.
const JACKSBORO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../weald/tests/data/realism/jacksboro.npy");

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The line of a figure in the table.
fn line<'t>(table: &'t str, figure: &str) -> &'t str {
    table.lines().find(|l| l.starts_with(figure)).unwrap_or_else(|| panic!("no {figure} in\n{table}"))
}

/// A grey picture of 16 bits.
fn grey(place: &Place, name: &str, (width, height): (u32, u32), value: impl Fn(u32, u32) -> u16) {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let cells = (0..width * height).flat_map(|i| value(i % width, i / width).to_be_bytes());
    let bytes: Vec<u8> = cells.collect();
    encoder.write_header().unwrap().write_image_data(&bytes).unwrap();
    std::fs::write(place.path().join(name), out).unwrap();
}

#[test]
fn a_heightmap_is_read_measured_and_told_in_a_table() {
    let place = Place::new();
    let table = place.fine(&format!("measure {JACKSBORO} --cell-m 80"));
    let read = "read as NumPy int16, 403x344 cells, metres from 236 to 1076";
    assert!(
        table.starts_with(&format!("jacksboro.npy\n  {read}\n  403x344 cells of 80 m (--cell-m)\n")),
        "{table}"
    );
    assert!(table.contains("heights: numbers as they are in the file"), "{table}");
    assert!(table.contains("sea level 0 (assumed; give --sea-level): no sea"), "{table}");
    assert!(line(&table, "Hack").contains("0.57  0.46 to 0.62   inside"), "{table}");
    assert!(line(&table, "HI").contains("0.36  any            no range"), "{table}");
    assert!(line(&table, "coast D").ends_with("(there is no sea)"), "{table}");
    assert!(table.ends_with("8 of 8 figures are in the range of real land, none outside\n"), "{table}");
    let none = place.fine(&format!("measure {JACKSBORO}"));
    assert!(none.contains("cells of 30 m (assumed; give --cell-m)"), "{none}");
}

#[test]
fn json_holds_every_figure_with_its_range_and_the_points_of_the_charts() {
    let place = Place::new();
    let found = json(&place.fine(&format!("measure {JACKSBORO} --cell-m 80 --sea-level 350 --json")));
    let figures = found["figures"].as_array().unwrap();
    assert_eq!(figures.len(), 10);
    for f in figures {
        assert!(f["value"].is_number() && f["reason"].is_null(), "{f}");
        assert!(["inside", "outside", "no range"].contains(&f["verdict"].as_str().unwrap()), "{f}");
        assert!(f["about"].as_str().unwrap().len() > 20 && f["name"].is_string(), "{f}");
    }
    assert_eq!((&figures[0]["most"], &figures[0]["least"]), (&json("0.16"), &Value::Null));
    assert_eq!(found["map"]["sea_level"], 350.0);
    assert_eq!(found["measured"]["block"], 1);
    assert_eq!(found["slope_area"].as_array().unwrap().len(), 12);
    assert_eq!(found["rose"].as_array().unwrap().len(), 72);
    assert!(found["spectrum"].as_array().unwrap().len() > 100);
    assert!(found["streams"][0]["count"].as_u64() > found["streams"][1]["count"].as_u64());
    let count = |verdict: &str| figures.iter().filter(|f| f["verdict"] == verdict).count();
    assert_eq!(found["inside"], count("inside"));
    assert_eq!(found["outside"], count("outside"));
    let dry = json(&place.fine(&format!("measure {JACKSBORO} --json")));
    assert_eq!(dry["figures"][9]["value"], Value::Null);
    assert_eq!(dry["figures"][9]["reason"], "there is no sea");
}

#[test]
fn any_number_of_threads_prints_the_same() {
    let place = Place::new();
    let with = |n: usize| place.fine(&format!("measure {JACKSBORO} --json --threads {n}"));
    assert_eq!(with(1), with(3));
}

#[test]
fn a_folder_is_measured_with_its_own_cell_and_sea() {
    let place = Place::new();
    place.fine("generate island --size 128 --seed 3 --layers height,moisture --files none -o island");
    let table = place.fine("measure island");
    assert!(table.starts_with("island\n  128x128 cells of 10 m (manifest.json)\n"), "{table}");
    assert!(table.contains("heights: the layer height, in m"), "{table}");
    assert!(table.contains("sea level 0 (manifest.json): "), "{table}");
    assert!(!line(&table, "coast D").contains('—'), "{table}");
    let same = json(&place.fine("measure island/layers/height.npy --cell-m 10 --json"));
    assert_eq!(json(&place.fine("measure island --json"))["figures"], same["figures"]);
    let slope = place.fails("measure island --layer steepness", 2);
    assert!(slope.contains("there is no layer steepness; it has height; choose with --layer"), "{slope}");
    place.fine("generate island --size 128 --layers moisture --files none -o bare");
    let bare = place.fails("measure bare", 2);
    assert!(bare.contains("no layer of heights; make the folder again with --layers height"), "{bare}");
    place.fine("generate planet --size 64 --files none -o planet");
    let face = place.fails("measure planet", 2);
    assert!(face.contains("it has height_px, height_nx"), "{face}");
    assert!(place.fine("measure planet --layer height_px").contains("sea level 290 (manifest.json)"));
}

#[test]
fn a_grey_picture_takes_its_scale_from_the_file_beside_it() {
    let place = Place::new();
    // A ramp to the east with valleys to the south.
    grey(&place, "land.png", (96, 80), |x, y| (600 * x + 40 * y + 100 * (x % 7)) as u16);
    let alone = place.fine("measure land.png --sea-level -1");
    assert!(alone.contains("heights: grey values from 0 to 1"), "{alone}");
    place.write(
        "land.terrain.json",
        r#"{"metres_per_pixel": 14, "height_scale_m": 4096, "sea_level_m": 511.7}"#,
    );
    let told = place.fine("measure land.png");
    assert!(told.contains("96x80 cells of 14 m (land.terrain.json)"), "{told}");
    assert!(told.contains("heights: metres above the sea, by land.terrain.json"), "{told}");
    assert!(told.contains("sea level 0 (land.terrain.json): "), "{told}");
}

#[test]
fn a_page_is_drawn_whole_and_never_over_another_file() {
    let place = Place::new();
    let measure = format!("measure {JACKSBORO} --cell-m 80");
    place.fine(&format!("{measure} --png page.png"));
    let page = place.read("page.png");
    let mut reader = png::Decoder::new(std::io::Cursor::new(&page)).read_info().unwrap();
    assert_eq!((reader.info().width, reader.info().height), (1760, 1130));
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let pixel = |x: usize, y: usize| &pixels[3 * (1760 * y + x)..][..3];
    // The maps and the charts have ink in them, and the margins none.
    let busy = |x: usize, y: usize| {
        (0..200).map(|i| pixel(x + i, y)).collect::<std::collections::BTreeSet<_>>().len()
    };
    assert!(busy(100, 300) > 30 && busy(700, 300) > 30, "{} {}", busy(100, 300), busy(700, 300));
    assert!(busy(150, 900) > 1 && busy(1300, 1110) == 1);
    let taken = place.fails(&format!("{measure} -o page.png"), 4);
    assert!(taken.contains("page.png") && taken.contains("--force"), "{taken}");
    place.fine(&format!("{measure} -o page.png --force"));
    assert_eq!(place.read("page.png"), page, "the same bytes again");
    let itself = place.fails("measure page.png -o page.png --force", 2);
    assert!(
        itself.contains("the output is also an input: page.png") && place.read("page.png") == page,
        "{itself}"
    );
    let odd = place.fails(&format!("{measure} -o page.jpg"), 2);
    assert!(odd.contains("a name that ends in .png"), "{odd}");
    assert_eq!(place.names(), ["page.png"]);
}

#[test]
fn maps_that_cannot_be_measured_are_refused_with_what_to_do() {
    let place = Place::new();
    grey(&place, "small.png", (63, 300), |x, _| x as u16);
    let small = place.fails("measure small.png", 3);
    assert!(small.contains("small.png: a map of 63x300 cells is too small"), "{small}");
    assert!(small.contains("at least 64 cells a side"), "{small}");
    grey(&place, "low.png", (64, 64), |_, _| 0);
    assert!(place.fails("measure low.png", 2).contains("give a lower sea level"));
    place.write("notes.txt", "hills");
    assert!(place.fails("measure notes.txt", 2).contains("not a map in a format that is read"));
    assert!(place.fails("measure nothing.png", 4).contains("nothing.png"));
    let folder = place.fails("measure .", 4);
    assert!(folder.contains("it has no manifest.json"), "{folder}");
    assert!(place.fails("measure low.png --layer height", 2).contains("--layer chooses a layer of a folder"));
    assert!(place.fails("measure low.png --cell-m 0", 2).contains("must be a number of metres above 0"));
    assert!(place.fails("measure low.png --cell-m -5", 2).contains("must be a number of metres above 0"));
}
