//! Maps with files beside them that say what they do not say themselves.

use super::*;

/// A folder with files, of which the first is the map.
struct Folder {
    dir: tempfile::TempDir,
    map: PathBuf,
}

impl Folder {
    fn of(name: &str, bytes: &[u8]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let map = dir.path().join(name);
        std::fs::write(&map, bytes).unwrap();
        Self { dir, map }
    }

    fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.dir.path().join(name), content).unwrap();
        self
    }

    /// The map with cells without data kept.
    fn read(&self) -> Result<Imported> {
        super::super::read(&self.map, &ReadOptions { fill: FillNodata::Keep, ..ReadOptions::default() })
    }

    fn error(&self) -> String {
        let error = self.read().unwrap_err();
        assert_eq!(error.exit_code(), 2, "{error}");
        error.to_string()
    }
}

const UTM: &str = "PROJCS[&quot;WGS 84 / UTM zone 33N&quot;,UNIT[&quot;metre&quot;,1],AUTHORITY[&quot;EPSG&quot;,&quot;32633&quot;]]";

/// A file of GDAL with a place in UTM, and what it says of the first band.
fn pam(band: &str) -> String {
    format!(
        "<PAMDataset><SRS>{UTM}</SRS><GeoTransform>500000, 30, 0, 5200000, 0, -30</GeoTransform>\
         <PAMRasterBand band=\"1\">{band}</PAMRasterBand></PAMDataset>"
    )
}

fn numbers(found: &Imported) -> Vec<Option<f32>> {
    found.map.cells().iter().map(|v| Some(*v).filter(|v| !v.is_nan())).collect()
}

const SCALED: &str = "<NoDataValue>250</NoDataValue><Offset>-10</Offset><Scale>0.5</Scale>";

#[test]
fn a_tiff_takes_what_it_lacks_from_the_file_of_gdal_beside_it() {
    let plain = tiff((2, 1), 1, &[40, 250], &[]);
    let found = Folder::of("a.tif", &plain).with("a.tif.aux.xml", pam(SCALED)).read().unwrap();
    assert_eq!((numbers(&found), found.numbers), (vec![Some(10.0), None], Numbers::Metres));
    let place = found.place.unwrap();
    assert_eq!((place.epsg, place.west, place.north), (Some(32633), 500_000.0, 5_200_000.0));
    assert_eq!(found.cell_m, Some((30.0, 30.0)));
    let line = found.summary();
    assert!(line.contains("its place by a.tif.aux.xml"), "{line}");
    assert!(line.contains("nodata and scale of heights by a.tif.aux.xml"), "{line}");
    // What the map says itself comes first.
    let items = "<GDALMetadata><Item name=\"SCALE\" sample=\"0\" role=\"scale\">2</Item></GDALMetadata>";
    let own = [(42112, Tag::Text(items)), (42113, Tag::Text("40"))];
    let own = [&own[..], &placed(&[(1024, 1), (3072, 32617)])[..]].concat();
    let own = Folder::of("a.tif", &tiff((2, 1), 1, &[40, 250], &own)).with("a.tif.aux.xml", pam(SCALED));
    let found = own.read().unwrap();
    assert_eq!((numbers(&found), found.place.unwrap().epsg), (vec![None, Some(500.0)], Some(32617)));
    assert!(!found.summary().contains("aux.xml"), "{}", found.summary());
    // Statistics alone leave a picture a picture.
    let statistics =
        "<PAMDataset><PAMRasterBand band=\"1\"><Histograms>1|2</Histograms></PAMRasterBand></PAMDataset>";
    let found = Folder::of("a.tif", &plain).with("a.tif.aux.xml", statistics).read().unwrap();
    assert_eq!((found.numbers, found.place), (Numbers::Grey, None));
}

#[test]
fn a_system_beside_a_placed_tiff_without_one_is_its_own() {
    let file = tiff((2, 1), 1, &[7, 250], &placed(&[])[..2]);
    let feet = UTM
        .replace("metre&quot;,1", "Foot_US&quot;,0.304800609601219")
        .replace(",AUTHORITY[&quot;EPSG&quot;,&quot;32633&quot;]", "");
    let text = format!("<PAMDataset><SRS>{feet}</SRS></PAMDataset>");
    let place = Folder::of("a.tif", &file).with("a.tif.aux.xml", text).read().unwrap().place.unwrap();
    assert_eq!((place.unit, place.epsg, place.west), (CrsUnit::UsFoot, None, 100.0));
}

#[test]
fn a_picture_in_png_becomes_an_elevation_model_by_the_file_of_gdal_beside_it() {
    let picture = grey(::png::BitDepth::Eight, &[40, 250]);
    let folder = Folder::of("a.png", &picture).with("a.png.aux.xml", pam(SCALED));
    let found = folder.read().unwrap();
    assert_eq!((numbers(&found), found.numbers), (vec![Some(10.0), None], Numbers::Metres));
    assert_eq!(found.place.unwrap().epsg, Some(32633));
    assert!(
        found.summary().contains("nodata, place and heights in metres by a.png.aux.xml"),
        "{}",
        found.summary()
    );
    // A map that is no heights stays grey, and so does one whose metres a file of this program says.
    assert_eq!(
        map(&Folder::of("a.png", &picture).with("a.png.aux.xml", pam("")).map).unwrap()[(0, 0)],
        (40.0 / 255.0) as f32
    );
    let told = r#"{"metres_per_pixel": 30, "height_scale_m": 2550, "sea_level_m": 0}"#;
    let found = folder.with("a.terrain.json", told).read().unwrap();
    assert_eq!((numbers(&found), found.place.unwrap().epsg), (vec![Some(400.0), None], Some(32633)));
    let nodata =
        "<PAMDataset><PAMRasterBand band=\"1\"><NoDataValue>250</NoDataValue></PAMRasterBand></PAMDataset>";
    let found = Folder::of("a.png", &picture).with("a.png.aux.xml", nodata).read().unwrap();
    assert_eq!((found.numbers, found.empty), (Numbers::Grey, 1));
}

#[test]
fn an_ascii_grid_takes_system_unit_and_nodata_from_the_file_of_gdal_beside_it() {
    let file = b"ncols 2\nnrows 1\nxllcorner 500000\nyllcorner 0\ncellsize 10\n-1 100\n";
    let text = pam("<NoDataValue>-1</NoDataValue><UnitType>ft</UnitType>");
    let found = Folder::of("a.asc", file).with("a.asc.aux.xml", text).read().unwrap();
    assert_eq!((numbers(&found), found.cell_m), (vec![None, Some(30.48)], Some((10.0, 10.0))));
    assert_eq!(found.place.unwrap().epsg, Some(32633));
    let line = found.summary();
    assert!(line.contains("nodata and scale of heights by a.asc.aux.xml"), "{line}");
    assert!(line.contains("heights in feet became metres"), "{line}");
}

#[test]
fn heights_in_feet_by_a_compound_system_beside_a_map_become_metres() {
    let compound = r#"COMPD_CS["both",PROJCS["plane",UNIT["metre",1],AUTHORITY["EPSG","26910"]],VERT_CS["heights",UNIT["foot",0.3048]]]"#;
    let file = b"ncols 2\nnrows 1\nxllcorner 500000\nyllcorner 0\ncellsize 10\n1000 100\n";
    let found = Folder::of("a.asc", file).with("a.prj", compound).read().unwrap();
    assert_eq!((numbers(&found), found.cell_m), (vec![Some(304.8), Some(30.48)], Some((10.0, 10.0))));
    assert_eq!((found.place.unwrap().unit, found.place.unwrap().epsg), (CrsUnit::Metre, Some(26910)));
    let folder = Folder::of("a.tif", &tiff((2, 1), 1, &[10, 100], &[])).with("a.prj", compound);
    let found = folder.with("a.tfw", "10\n0\n0\n-10\n500005\n4999995\n").read().unwrap();
    assert_eq!((numbers(&found), found.place.unwrap().epsg), (vec![Some(3.048), Some(30.48)], Some(26910)));
}

#[test]
fn files_beside_a_map_may_begin_with_a_byte_order_mark_and_must_be_utf_8() {
    let mark = |text: &str| format!("\u{feff}{text}");
    let world = "30\n0\n0\n-30\n500015\n5199985\n";
    let picture = tiff((2, 1), 1, &[7, 250], &[]);
    let utm = "PROJCS[\"any\",UNIT[\"metre\",1],AUTHORITY[\"EPSG\",\"32633\"]]";
    let folder = Folder::of("a.tif", &picture).with("a.tfw", mark(world)).with("a.prj", mark(utm));
    let place = folder.read().unwrap().place.unwrap();
    assert_eq!((place.west, place.epsg), (500_000.0, Some(32633)));
    // Names of places in Latin-1 do not matter.
    let folder = folder.with(
        "a.prj",
        utm.replace("any", "M_nchen").replace('_', "\u{fc}").chars().map(|c| c as u8).collect::<Vec<u8>>(),
    );
    assert_eq!(folder.read().unwrap().place.unwrap().epsg, Some(32633));
    let folder = Folder::of("a.tif", &picture).with("a.tif.aux.xml", mark(&pam("")));
    assert_eq!(folder.read().unwrap().place.unwrap().epsg, Some(32633));
    let told = r#"{"metres_per_pixel": 14, "height_scale_m": 255, "sea_level_m": 0}"#;
    let grey = grey(::png::BitDepth::Eight, &[0, 255]);
    assert_eq!(
        Folder::of("a.png", &grey).with("a.terrain.json", mark(told)).read().unwrap().map[(1, 0)],
        255.0
    );
    // UTF-16, and a stray byte.
    let wide: Vec<u8> = [0xfeff].into_iter().chain(told.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for (map, bytes, name, content) in [
        ("a.png", &grey, "a.terrain.json", wide.clone()),
        ("a.tif", &picture, "a.tfw", [world.as_bytes(), b"\xb0"].concat()),
        ("a.tif", &picture, "a.tif.aux.xml", wide.clone()),
    ] {
        let message = Folder::of(map, bytes).with(name, content).error();
        let expected = format!("{name} beside it is not text in UTF-8; save it again in UTF-8, or remove it");
        assert!(message.contains(&expected) && message.contains(map), "{message}");
    }
}

#[test]
fn a_terrain_file_that_lies_is_named_with_its_field() {
    let told = |json: &str| Folder::of("a.r16", &[0; 8]).with("a.terrain.json", json);
    let message = told(r#"{"metres_per_pixel": 1, "width": 3, "height": 3}"#).read().unwrap_err().to_string();
    assert!(
        message.contains(
            "8 bytes are not 3x3 numbers of 8, 16 or 32 bits, the size by a.terrain.json beside it"
        ),
        "{message}"
    );
    for (json, reason) in [
        ("{}", "it has no metres_per_pixel"),
        (r#"{"metres_per_pixel": 1e300}"#, "metres_per_pixel is 1e+300, not a number from"),
        (r#"{"metres_per_pixel": 0}"#, "metres_per_pixel is 0, not a number from"),
        (r#"{"metres_per_pixel": "a"}"#, "metres_per_pixel is \"a\", not a number from"),
        (r#"{"metres_per_pixel": NaN}"#, "metres_per_pixel is no finite number"),
        ("{\"files\": [\"a.r16\"],\n \"metres_per_pixel\": 1e999}", "metres_per_pixel is no finite number"),
        (r#"{"metres_per_pixel": 1, "sea_level_m": -Infinity}"#, "sea_level_m is no finite number"),
        (
            r#"{"metres_per_pixel": 1, "height_knots_m": [[0, nan], [1, 2]]}"#,
            "height_knots_m is no finite number",
        ),
        (
            r#"{"metres_per_pixel": 1, "height_scale_m": 1e9, "sea_level_m": 0}"#,
            "height_scale_m is 1000000000.0, not",
        ),
        (
            r#"{"metres_per_pixel": 1, "height_knots_m": [[0, 0], [1, 1e30]]}"#,
            "its knot [1,1e+30] is none of these",
        ),
        (r#"{"metres_per_pixel": 1, "height_knots_m": [[0, 0], [7, 1]]}"#, "its knot [7,1] is none of these"),
        (r#"{"metres_per_pixel": 1, "width": -3, "height": 3}"#, "width is not a whole number above 0"),
        (r#"{"metres_per_pixel": 1, }"#, "a.terrain.json: is not valid JSON"),
    ] {
        let message = told(json).error();
        assert!(message.contains(reason) && message.contains("a.terrain.json"), "{json}: {message}");
        assert!(message.contains("; make it again"), "{message}");
    }
}

#[test]
fn an_ascii_grid_may_write_nodata_and_cells_as_nan_but_not_as_infinite() {
    let read = |header: &str, cells: &str| {
        Folder::of("a.asc", format!("ncols 2\nnrows 1\ncellsize 30\n{header}{cells}\n").as_bytes()).read()
    };
    for header in ["NODATA_value nan\n", "nodata_value NaN\n", "NODATA_VALUE NAN\n", ""] {
        for cells in ["nan 7", "NaN 7", "-nan 7"] {
            assert_eq!(numbers(&read(header, cells).unwrap()), [None, Some(7.0)], "{header} {cells}");
        }
        assert_eq!(numbers(&read(header, "3 7").unwrap()), [Some(3.0), Some(7.0)], "{header}");
        for (cells, place) in [("inf 7", "x=0, y=0 is inf"), ("7 -Infinity", "x=1, y=0 is -inf")] {
            let message = read(header, cells).unwrap_err().to_string();
            assert!(message.contains(place) && message.contains("--nodata"), "{message}");
        }
    }
    let message = read("xllcorner inf\n", "1 2").unwrap_err().to_string();
    assert!(message.contains("not a name and a number"), "{message}");
}

#[test]
fn latitudes_beyond_the_poles_are_refused_with_their_numbers() {
    let read = |south: f64, step: f64, prj: &str| {
        let text = format!("ncols 2\nnrows 2\nxllcorner 7\nyllcorner {south}\ncellsize {step}\n1 2 3 4\n");
        Folder::of("a.asc", text.as_bytes()).with("a.prj", prj)
    };
    let message = read(95.0, 0.5, "GEOGCS[\"any\"]").error();
    assert!(message.contains("run from latitude 96 to 95, and no latitude lies beyond 90"), "{message}");
    assert!(message.contains("gdal_edit.py -a_srs"), "{message}");
    // Rows whose centres lie on the pole, and metres that nobody calls degrees.
    assert!(read(89.25, 0.5, "GEOGCS[\"any\"]").read().is_ok());
    assert_eq!(read(90.8, 0.05, "").read().unwrap().place.unwrap().unit, CrsUnit::Metre);
    let mut far = placed(&[(1024, 2), (2048, 4326)]);
    far[1].1 = Tag::Doubles(vec![0.0, 0.0, 0.0, 500_000.0, 5_200_000.0, 0.0]);
    let message = Folder::of("a.tif", &tiff((2, 1), 1, &[7, 250], &far)).error();
    assert!(message.contains("latitude 5200000 to 5199998"), "{message}");
}

#[test]
fn a_place_by_control_points_alone_is_noted_and_not_read() {
    let points = (
        33922,
        Tag::Doubles(
            [
                [0.0, 0.0, 0.0, 7.0, 50.0, 0.0],
                [2.0, 0.0, 0.0, 8.0, 50.0, 0.0],
                [2.0, 1.0, 0.0, 8.0, 49.0, 0.0],
            ]
            .concat(),
        ),
    );
    let found = Folder::of("a.tif", &tiff((2, 1), 1, &[7, 250], &[points])).read().unwrap();
    assert_eq!(found.place, None);
    let line = found.summary();
    assert!(
        line.contains("its place by 3 ground control points is not read: gdalwarp IN.tif OUT.tif"),
        "{line}"
    );
}

#[test]
fn complex_numbers_unknown_units_and_huge_arrays_say_the_next_step() {
    let tagged = |more: &[(u16, Tag)]| Folder::of("a.tif", &tiff((2, 1), 1, &[7, 250], more)).error();
    let message = tagged(&[(339, Tag::Shorts(vec![6]))]);
    assert!(
        message.contains("complex numbers") && message.contains("gdal_translate -ot Float32 IN.tif OUT.tif"),
        "{message}"
    );
    for keys in [[(1024, 1), (3072, 32767), (3076, 9999)], [(1024, 1), (3072, 32633), (4099, 9999)]] {
        let message = tagged(&placed(&keys));
        assert!(
            message.contains("the unit 9999") && message.contains("gdal_edit.py -a_srs EPSG:32633 IN.tif"),
            "{message}"
        );
    }
    for size in ["(100000000000, 1000000000000)", "(99999999999999999999999999, 2)"] {
        let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {size}, }}");
        let file = [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat();
        let message = Folder::of("a.npy", &file).error();
        assert!(message.contains(&format!("its shape {size} is too large")), "{message}");
        assert!(message.contains("; save it again"), "{message}");
    }
}

#[test]
fn web_maps_by_other_codes_and_names_are_web_maps() {
    // Half a metre of ground to a metre of the map at 60°.
    let north = 8_399_737.89;
    let half = |found: Imported| {
        (found.cell_m.unwrap().0 - 1.0).abs() < 1e-5 && found.place.unwrap().epsg == Some(3857)
    };
    let mut by_code = placed(&[(1024, 1), (3072, 3785)]);
    let mut by_name = placed(&[(1024, 1), (3072, 32767), (3076, 9001)]);
    for tags in [&mut by_code, &mut by_name] {
        tags[1].1 = Tag::Doubles(vec![0.0, 0.0, 0.0, 0.0, north, 0.0]);
    }
    by_name.push((
        34737,
        Tag::Text("PCS Name = WGS_1984_Web_Mercator_Auxiliary_Sphere|GCS Name = GCS_WGS_1984|"),
    ));
    for tags in [by_code, by_name] {
        assert!(half(Folder::of("a.tif", &tiff((2, 1), 1, &[7, 250], &tags)).read().unwrap()));
    }
    let prj = r#"PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",UNIT["Degree",0.0174532925199433]],UNIT["Meter",1.0]]"#;
    let text = format!("ncols 2\nnrows 1\nxllcorner 0\nyllcorner {}\ncellsize 2\n7 250\n", north - 1.0);
    assert!(half(Folder::of("a.asc", text.as_bytes()).with("a.prj", prj).read().unwrap()));
}

#[test]
fn damaged_files_beside_a_map_give_a_map_or_an_error_and_never_a_panic() {
    let picture = tiff((2, 1), 1, &[7, 250], &[]);
    let prj = UTM.replace("&quot;", "\"");
    let prj = format!("COMPD_CS[\"M\u{fc}nchen\",{prj},VERT_CS[\"h\",UNIT[\"foot\",0.3048]]]");
    let told = "{\"metres_per_pixel\": 14,\u{3000}\n\"height_knots_m\": [[0, -1e3], [1, 2]], \"width\": 2, \"height\": 1}";
    let world = "30\n0\n0\n-30\n500015\n5199985\n";
    for (name, good) in [
        ("a.tif.aux.xml", pam(SCALED)),
        ("a.prj", prj),
        ("a.terrain.json", told.into()),
        ("a.tfw", world.into()),
    ] {
        let folder = Folder::of("a.tif", &picture).with("a.tfw", world);
        let path = folder.dir.path().join(name);
        for k in 0..400 {
            let hash = |k: i64| Seed(43).of("beside").at(k, good.len() as i64) as usize;
            let mut bytes = good.clone().into_bytes();
            let at = hash(k) % bytes.len();
            match k % 4 {
                0 => bytes.truncate(at),
                1 => bytes[at] = hash(1000 + k) as u8,
                2 => bytes[at] = b"\"[]{}(),<>/&-\n0Ne"[hash(2000 + k) % 17],
                _ => drop(bytes.splice(at..at, good.bytes().take(at))),
            }
            std::fs::write(&path, &bytes).unwrap();
            if let Err(error) = folder.read() {
                let message = error.to_string();
                assert!(message.contains("a.tif") && message.contains("; "), "{message}");
                assert!(LIBRARY_WORDS.iter().all(|word| !message.contains(word)), "{message}");
            }
        }
    }
}
