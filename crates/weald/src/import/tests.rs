use super::*;
use crate::georeference::CrsUnit;
use std::path::PathBuf;
use weald_core::{Cells, Seed};

mod beside;

/// A map that another program wrote.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import").join(name)
}

fn imported(name: &str, bytes: &[u8]) -> Result<Imported> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    super::read(&path, &ReadOptions::default())
}

fn read(name: &str, bytes: &[u8]) -> Result<Grid<f32>> {
    Ok(imported(name, bytes)?.map)
}

fn open(name: &str) -> Imported {
    super::read(&fixture(name), &ReadOptions::default()).unwrap()
}

/// What the maps of other programs hold, with `more` added.
fn ramp(more: f32) -> Grid<f32> {
    Grid::from_fn(7, 5, |x, y| 7.0 * x as f32 - 3.0 * y as f32 + more)
}

fn grey(depth: ::png::BitDepth, raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut out, 2, 1);
    encoder.set_color(::png::ColorType::Grayscale);
    encoder.set_depth(depth);
    encoder.write_header().unwrap().write_image_data(raw).unwrap();
    out
}

#[test]
fn every_format_gives_the_same_map() {
    let expected = Grid::from_vec(2, 1, vec![0.0, 1.0]);
    assert_eq!(read("a.json", br#"{"width": 2, "height": 1, "data": [0, 1.0]}"#).unwrap(), expected);
    assert_eq!(read("a.png", &grey(::png::BitDepth::Eight, &[0, 255])).unwrap(), expected);
    assert_eq!(read("a.png", &grey(::png::BitDepth::Sixteen, &[0, 0, 255, 255])).unwrap(), expected);
    assert_eq!(read("a.asc", b"ncols 2\nNROWS 1\ncellsize 30\n0 1\n").unwrap(), expected);
    let mut file = Vec::new();
    npy::write(&mut file, &Cells::F32(&expected)).unwrap();
    assert_eq!(read("a.npy", &file).unwrap(), expected);
    // What a file begins with counts, and not its name.
    assert_eq!(read("a.png", &file).unwrap(), expected);
}

#[test]
fn tiff_of_every_type_compression_and_byte_order_gives_its_numbers() {
    for (name, more, cells, packing) in [
        ("gdal-int16.tif", 0.0, "int16", "uncompressed"),
        ("gdal-int16-big-endian-lzw.tif", 0.0, "int16", "LZW"),
        ("gdal-uint8-packbits.tif", 20.0, "uint8", "PackBits"),
        ("gdal-int8-deflate.tif", 0.0, "int8", "deflate"),
        ("gdal-uint16-zstd-tiles.tif", 20.0, "uint16", "ZSTD, tiles of 16x16"),
        ("gdal-int32-zstd.tif", 0.0, "int32", "ZSTD"),
        ("gdal-uint32-lzw.tif", 20.0, "uint32", "LZW"),
        ("gdal-int64-deflate.tif", 0.0, "int64", "deflate"),
        ("gdal-float32-predictor3.tif", 0.0, "float32", "deflate, tiles of 16x16"),
        ("gdal-float64-big-endian-predictor3.tif", 0.0, "float64", "LZW"),
        ("gdal-bigtiff.tif", 0.0, "int16", "deflate"),
        ("opencv-float32.tif", 0.0, "float32", "uncompressed"),
    ] {
        let found = open(name);
        assert_eq!(found.map, ramp(more), "{name}");
        assert_eq!((found.kind.cells.as_str(), found.kind.packing.as_str()), (cells, packing), "{name}");
        let metres = name.starts_with("gdal");
        assert_eq!(found.numbers == Numbers::Metres, metres, "{name}: a place makes numbers metres");
    }
}

#[test]
fn a_georeference_is_read_as_it_was_written() {
    let place = GeoReference {
        epsg: Some(32633),
        unit: CrsUnit::Metre,
        west: 500_000.5,
        north: 5_200_000.25,
        step: (12.5, 12.5),
    };
    for name in
        ["gdal-int16.tif", "gdal-bigtiff.tif", "gdal-float64-big-endian-predictor3.tif", "gdal-point.tif"]
    {
        assert_eq!(open(name).place, Some(place), "{name}");
    }
    // An ASCII grid has no code.
    assert_eq!(open("gdal.asc").place, Some(GeoReference { epsg: None, ..place }));
    let feet = open("gdal-feet.tif");
    assert_eq!(feet.place.unwrap().unit, CrsUnit::UsFoot);
    assert!((feet.cell_m.unwrap().0 - 30.48006).abs() < 1e-5);
}

#[test]
fn degrees_become_square_cells_in_metres() {
    let found = open("gdal-degrees.tif");
    let (x, y) = found.cell_m.unwrap();
    assert!((x - 63.4).abs() < 0.1 && (y - 92.6).abs() < 0.1, "{x} {y}");
    let squared = found.squared(&Ctx::default()).unwrap();
    assert_eq!((squared.map.shape(), squared.size), ((5, 5), (7, 5)));
    let place = squared.place.unwrap();
    assert!((place.step.0 * 5.0 - 7.0 / 1200.0).abs() < 1e-12, "the extent stays");
    assert!(
        squared.summary().contains("7x5 cells")
            && squared.summary().contains("resampled to 5x5 square cells")
    );
}

#[test]
fn cells_without_data_are_an_error_or_what_was_asked_for() {
    let path = fixture("gdal-nodata.tif");
    let with =
        |fill| super::read(&path, &ReadOptions { fill, sea_level: Some(-2.0), ..ReadOptions::default() });
    let message = with(FillNodata::Refuse).unwrap_err().to_string();
    assert!(message.contains("1 of its 35 cells (2.9 %) has no data, the first at x=1, y=1"), "{message}");
    assert!(message.contains("--fill-nodata sea"), "{message}");
    assert_eq!(with(FillNodata::Sea).unwrap().map[(1, 1)], -3.0);
    assert_eq!(with(FillNodata::Height(7.5)).unwrap().map[(1, 1)], 7.5);
    assert!(with(FillNodata::Keep).unwrap().map[(1, 1)].is_nan());
    assert_eq!(with(FillNodata::Sea).unwrap().empty, 1);
    let given = ReadOptions { nodata: Some(0.0), fill: FillNodata::Height(1.0), ..ReadOptions::default() };
    assert_eq!(super::read(&fixture("gdal-int16.tif"), &given).unwrap().map[(0, 0)], 1.0);
    let sparse = ReadOptions { fill: FillNodata::Height(3.0), ..ReadOptions::default() };
    let sparse = super::read(&fixture("gdal-sparse.tif"), &sparse).unwrap();
    assert_eq!((sparse.empty, sparse.map[(6, 4)]), (35, 3.0));
    assert_eq!(FillNodata::parse("-3.5"), Ok(FillNodata::Height(-3.5)));
    assert!(FillNodata::parse("nan").is_err());
}

#[test]
fn pictures_are_grey_whatever_their_kind() {
    let near = |name: &str, most: f32| {
        let found = open(name);
        let expected = ramp(20.0);
        let wrong =
            found.map.cells().iter().zip(expected.cells()).position(|(a, b)| (a * most - b).abs() > 0.6);
        assert_eq!((wrong, found.numbers), (None, Numbers::Grey), "{name}: {:?}", found.map.cells());
    };
    for name in ["pillow-grey8.png", "pillow-grey8.tif", "pillow-rgb.png", "pillow-palette.png"] {
        near(name, 255.0);
    }
    for name in ["opencv-grey16.png", "opencv-grey16.tif", "imagemagick-grey16.tif"] {
        near(name, 65535.0);
    }
    for name in ["pillow-bilevel.png", "pillow-bilevel.tif"] {
        assert_eq!(open(name).map, ramp(0.0).map(|&v| f32::from(v > 10.0)), "{name}");
    }
    let holes = ReadOptions { fill: FillNodata::Height(0.5), ..ReadOptions::default() };
    let holes = super::read(&fixture("pillow-rgba.png"), &holes).unwrap();
    assert_eq!((holes.empty, holes.map[(0, 0)]), (1, 0.5), "what is transparent has no data");
    let colour = super::read(&fixture("pillow-colour.png"), &ReadOptions::default()).unwrap_err().to_string();
    assert!(colour.contains("colour picture: the pixel at x=0, y=0 is not grey"), "{colour}");
}

#[cfg(feature = "exr")]
#[test]
fn open_exr_of_every_compression_gives_its_numbers() {
    for name in ["openexr-rgb-zip.exr", "openexr-rgb-none.exr", "openexr-rgb-piz.exr", "openexr-grey.exr"] {
        assert_eq!(open(name).map, ramp(0.0), "{name}");
    }
}

#[test]
fn numpy_of_every_type_and_order_gives_its_numbers() {
    for (name, more) in
        [("int16", 0.0), ("float32", 0.0), ("float16", 0.0), ("uint64", 20.0), ("fortran", 0.0)]
    {
        assert_eq!(open(&format!("numpy-{name}.npy")).map, ramp(more), "{name}");
    }
    assert_eq!(open("numpy-bool.npy").map, ramp(0.0).map(|&v| f32::from(v > 10.0)));
    assert_eq!(
        (open("numpy-int16.npy").numbers, open("numpy-float32.npy").numbers),
        (Numbers::Metres, Numbers::Plain)
    );
}

#[test]
fn raw_heights_are_a_little_endian_square_or_of_the_given_size() {
    let bytes = [0, 0, 0xff, 0xff, 0x00, 0x80, 0x01, 0x00];
    let expected = Grid::from_vec(2, 2, [0.0, 65535.0, 32768.0, 1.0].map(|v| (v / 65535.0) as f32).into());
    assert_eq!(read("a.r16", &bytes).unwrap(), expected);
    assert_eq!(read("a.RAW", &bytes).unwrap(), expected);
    for size in [0, 1, 3, 6, 7, 9, 10] {
        let error = read("a.raw", &vec![0; size]).unwrap_err();
        assert!(error.to_string().contains(&format!("{size} bytes are not a square")), "{error}");
        assert!(error.to_string().contains("--raw-size WxH"), "{error}");
        assert_eq!(error.exit_code(), 3);
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.raw");
    std::fs::write(&path, bytes).unwrap();
    let sized = |w, h| super::read(&path, &ReadOptions { raw_size: Some((w, h)), ..ReadOptions::default() });
    assert_eq!(sized(4, 1).unwrap().map.cells(), expected.cells());
    assert_eq!(sized(4, 2).unwrap().map[(2, 0)], 1.0, "one byte a cell");
    std::fs::write(&path, [1.5f32, -8.0].map(f32::to_le_bytes).concat()).unwrap();
    assert_eq!(sized(1, 2).unwrap().map.cells(), [1.5, -8.0], "four bytes a cell");
    assert!(sized(3, 1).unwrap_err().to_string().contains("give the right --raw-size"));
}

#[test]
fn a_tile_of_the_shuttle_mission_lies_where_its_name_says() {
    let mut bytes = Vec::new();
    for v in [100i16, -5, i16::MIN, 7] {
        bytes.extend(v.to_be_bytes());
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("S03w061.hgt");
    std::fs::write(&path, bytes).unwrap();
    let fill = ReadOptions { fill: FillNodata::Sea, ..ReadOptions::default() };
    let found = super::read(&path, &fill).unwrap();
    assert_eq!(found.map.cells(), [100.0, -5.0, -1.0, 7.0]);
    let place = found.place.unwrap();
    assert_eq!((place.epsg, place.west, place.north), (Some(4326), -61.5, -1.5));
}

#[test]
fn grey_beside_a_terrain_file_is_in_metres() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("land.png");
    std::fs::write(&path, grey(::png::BitDepth::Eight, &[0, 255])).unwrap();
    let told = r#"{"metres_per_pixel": 14, "height_scale_m": 4096, "sea_level_m": 512}"#;
    std::fs::write(dir.path().join("land.terrain.json"), told).unwrap();
    let found = super::read(&path, &ReadOptions::default()).unwrap();
    assert_eq!((found.map.cells(), found.cell_m), (&[-512.0, 3584.0][..], Some((14.0, 14.0))));
    assert_eq!(map(&path).unwrap().cells(), [0.0, 1.0], "the map alone stays grey");
    std::fs::write(dir.path().join("land.terrain.json"), "{").unwrap();
    let message = super::read(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.contains("land.terrain.json: is not valid JSON at line 1"), "{message}");
}

/// A TIFF file of 8-bit samples, with further tags or others in their stead: each its number and its values as whole numbers of 16 bits or as a text.
fn tiff(size: (u16, u16), samples: u16, pixels: &[u8], more: &[(u16, Tag)]) -> Vec<u8> {
    let mut tags: Vec<(u16, Tag)> = vec![
        (256, Tag::Shorts(vec![size.0])),
        (257, Tag::Shorts(vec![size.1])),
        (258, Tag::Shorts(vec![8; samples.into()])),
        (273, Tag::Shorts(vec![8])),
        (277, Tag::Shorts(vec![samples])),
        (279, Tag::Shorts(vec![pixels.len() as u16])),
    ];
    tags.retain(|(tag, _)| more.iter().all(|(other, _)| other != tag));
    tags.extend(more.iter().cloned());
    tags.sort_by_key(|(tag, _)| *tag);
    let mut out = b"II*\0\0\0\0\0".to_vec();
    out.extend_from_slice(pixels);
    let mut rows = Vec::new();
    for (tag, values) in tags {
        let (kind, count, mut bytes): (u16, usize, Vec<u8>) = match values {
            Tag::Shorts(v) => (3, v.len(), v.iter().flat_map(|v| v.to_le_bytes()).collect()),
            Tag::Doubles(v) => (12, v.len(), v.iter().flat_map(|v| v.to_le_bytes()).collect()),
            Tag::Text(text) => (2, text.len() + 1, [text.as_bytes(), b"\0"].concat()),
        };
        if bytes.len() > 4 {
            let at = out.len() as u32;
            out.append(&mut bytes);
            bytes = at.to_le_bytes().to_vec();
        }
        bytes.resize(4, 0);
        rows.push(
            [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &(count as u32).to_le_bytes(), &bytes].concat(),
        );
    }
    let at = out.len() as u32;
    out[4..8].copy_from_slice(&at.to_le_bytes());
    out.extend((rows.len() as u16).to_le_bytes());
    out.extend(rows.concat());
    out.extend([0; 4]);
    out
}

/// The values of a tag.
#[derive(Clone)]
enum Tag {
    Shorts(Vec<u16>),
    Doubles(Vec<f64>),
    Text(&'static str),
}

/// Reads a file with cells without data kept.
fn with_holes(name: &str, bytes: &[u8], options: &ReadOptions) -> Imported {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    super::read(&path, &ReadOptions { fill: FillNodata::Keep, ..*options }).unwrap()
}

#[test]
fn transparent_cells_of_a_tiff_have_no_data_whether_bands_are_together_or_apart() {
    let extra = (338, Tag::Shorts(vec![2]));
    let together = tiff((3, 1), 2, &[10, 255, 20, 0, 30, 1], std::slice::from_ref(&extra));
    let holes = |map: &Grid<f32>| map.cells().iter().map(|v| v.is_nan()).collect::<Vec<bool>>();
    let read = with_holes("a.tif", &together, &ReadOptions::default());
    assert_eq!((holes(&read.map), read.empty), (vec![false, true, false], 1));
    assert_eq!(read.map[(2, 0)], (30.0 / 255.0) as f32);
    assert!(read.notes.iter().all(|note| !note.contains("bands")), "{:?}", read.notes);
    // Bands apart, the second one right behind the first; the tags of one strip each are replaced.
    let mut apart = tiff((3, 1), 2, &[10, 20, 30, 255, 0, 1], &[extra.clone(), (284, Tag::Shorts(vec![2]))]);
    let twice = |bytes: &mut Vec<u8>, tag: u16, values: [u16; 2]| {
        let row = [&tag.to_le_bytes()[..], &3u16.to_le_bytes(), &1u32.to_le_bytes()].concat();
        let at = bytes.windows(8).position(|w| w == row).unwrap();
        bytes[at + 4] = 2;
        bytes[at + 8..at + 10].copy_from_slice(&values[0].to_le_bytes());
        bytes[at + 10..at + 12].copy_from_slice(&values[1].to_le_bytes());
    };
    twice(&mut apart, 273, [8, 11]);
    twice(&mut apart, 279, [3, 3]);
    assert_eq!(with_holes("b.tif", &apart, &ReadOptions::default()).map.cells()[0], (10.0 / 255.0) as f32);
    assert_eq!(holes(&with_holes("b.tif", &apart, &ReadOptions::default()).map), [false, true, false]);
}

#[test]
fn a_mask_behind_the_picture_says_which_cells_have_data() {
    let mut file = tiff((9, 1), 1, &[5; 9], &[]);
    // The second picture follows: its tags point into the same file.
    let mask = tiff((9, 1), 1, &[0b1011_1111, 0b1000_0000], &[(254, Tag::Shorts(vec![4]))]);
    let (behind, first) = (file.len() as u32, u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize);
    let rows = u16::from_le_bytes(file[first..first + 2].try_into().unwrap()) as usize;
    let begin = u32::from_le_bytes(mask[4..8].try_into().unwrap());
    file[first + 2 + 12 * rows..][..4].copy_from_slice(&(behind + begin).to_le_bytes());
    file.extend_from_slice(&mask);
    let second = (behind + begin) as usize;
    let rows = u16::from_le_bytes(file[second..second + 2].try_into().unwrap()) as usize;
    for row in 0..rows {
        let at = second + 2 + 12 * row;
        match u16::from_le_bytes(file[at..at + 2].try_into().unwrap()) {
            258 => file[at + 8] = 1,
            273 => file[at + 8..at + 10].copy_from_slice(&(behind as u16 + 8).to_le_bytes()),
            _ => {}
        }
    }
    let read = with_holes("a.tif", &file, &ReadOptions::default());
    let holes: Vec<usize> = (0..9).filter(|&x| read.map[(x, 0)].is_nan()).collect();
    assert_eq!((holes, read.empty), (vec![1], 1));
}

#[test]
fn palettes_reach_white_whether_their_colours_are_times_256_or_257() {
    let table = |times: u32| {
        let colours: Vec<u16> = (0..256).map(|v| (v * times) as u16).collect();
        (320, Tag::Shorts([&colours[..], &colours, &colours].concat()))
    };
    for times in [256, 257] {
        let read =
            imported("a.tif", &tiff((2, 1), 1, &[0, 255], &[(262, Tag::Shorts(vec![3])), table(times)]));
        assert_eq!(read.unwrap().map.cells(), [0.0, 1.0], "{times}");
    }
}

#[test]
fn scale_offset_and_feet_of_a_tiff_make_metres_even_without_a_place() {
    let items = "<GDALMetadata><Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-10</Item>\
                 <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item>\
                 <Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">ft</Item></GDALMetadata>";
    let read = imported("a.tif", &tiff((2, 1), 1, &[20, 40], &[(42112, Tag::Text(items))])).unwrap();
    assert_eq!((read.map.cells(), read.numbers), (&[0.0, 3.048][..], Numbers::Metres));
    assert!(read.notes.contains(&"heights in feet became metres".to_owned()), "{:?}", read.notes);
    let plain = imported("a.tif", &tiff((2, 1), 1, &[0, 255], &[])).unwrap();
    assert_eq!((plain.map.cells(), plain.numbers), (&[0.0, 1.0][..], Numbers::Grey));
}

/// The tags of a place: cells of 2 units whose corner is at (100, 50), and keys of GeoTIFF.
fn placed(keys: &[(u16, u16)]) -> Vec<(u16, Tag)> {
    let rows = keys.iter().flat_map(|&(key, value)| [key, 0, 1, value]);
    let head = [1, 1, 0, keys.len() as u16];
    vec![
        (33550, Tag::Doubles(vec![2.0, 2.0, 0.0])),
        (33922, Tag::Doubles(vec![0.0, 0.0, 0.0, 100.0, 50.0, 0.0])),
        (34735, Tag::Shorts(head.into_iter().chain(rows).collect())),
    ]
}

#[test]
fn codes_of_systems_tell_their_units() {
    let read = |keys: &[(u16, u16)]| imported("a.tif", &tiff((2, 1), 1, &[7, 250], &placed(keys)));
    let us_foot = 1200.0 / 3937.0;
    // Systems in feet without a word on their unit: North Carolina and NAVD88.
    let feet = read(&[(1024, 1), (3072, 2264), (4096, 6360)]).unwrap();
    assert_eq!((feet.place.unwrap().unit, feet.place.unwrap().epsg), (CrsUnit::UsFoot, Some(2264)));
    assert_eq!(feet.cell_m, Some((2.0 * us_foot, 2.0 * us_foot)));
    assert_eq!(feet.map.cells(), [(7.0 * us_foot) as f32, (250.0 * us_foot) as f32]);
    assert!(feet.summary().contains("heights in US survey feet became metres"), "{}", feet.summary());
    // The key of the unit comes before the code.
    assert_eq!(read(&[(1024, 1), (3072, 32767), (3076, 9002)]).unwrap().cell_m, Some((0.6096, 0.6096)));
    // Kilometres become metres, and no code names such a system.
    let wide = read(&[(1024, 1), (3072, 32767), (3076, 9036)]).unwrap();
    let place = wide.place.unwrap();
    assert_eq!((place.unit, place.epsg, place.step.0, place.west), (CrsUnit::Metre, None, 2000.0, 100_000.0));
    // A model of the projection counts, not which keys there are.
    let projected = read(&[(1024, 1), (2048, 4326), (3072, 32633)]).unwrap();
    assert_eq!((projected.place.unwrap().unit, projected.place.unwrap().epsg), (CrsUnit::Metre, Some(32633)));
    for (keys, reason) in [
        (vec![(1024, 1), (3072, 24370)], "the coordinates of EPSG:24370 are neither metres nor feet"),
        (vec![(1024, 2), (2048, 4807)], "grads"),
        (vec![(1024, 2), (2048, 4326), (2054, 9101)], "radians"),
    ] {
        let message = read(&keys).unwrap_err().to_string();
        assert!(message.contains(reason) && message.contains("gdalwarp -t_srs"), "{message}");
    }
    let message = read(&[(1024, 1), (3072, 32633), (4099, 9999)]).unwrap_err().to_string();
    assert!(message.contains("its heights are in the unit 9999"), "{message}");
}

#[test]
fn what_a_tiff_says_of_other_bands_or_cannot_mean_is_left_out() {
    let with = |pixels: &[u8], more: &[(u16, Tag)]| imported("a.tif", &tiff((2, 1), 1, pixels, more));
    let metadata = |text| [(42112, Tag::Text(text))];
    let other = "<GDALMetadata><Item name=\"SCALE\" sample=\"1\" role=\"scale\">0.5</Item></GDALMetadata>";
    assert_eq!(with(&[0, 255], &metadata(other)).unwrap().map.cells(), [0.0, 1.0], "still a picture");
    let unit = "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">K</Item></GDALMetadata>";
    let message = with(&[0, 255], &metadata(unit)).unwrap_err().to_string();
    assert!(message.contains("are in \"K\"") && message.contains("write them in metres"), "{message}");
    // Only packed numbers are differences.
    let predicted =
        with(&[10, 12], &[placed(&[(1024, 1), (3072, 32633)]), vec![(317, Tag::Shorts(vec![2]))]].concat());
    assert_eq!(predicted.unwrap().map.cells(), [10.0, 12.0]);
    // White is 0 in pictures; heights are not turned round.
    let white = [placed(&[(1024, 1), (3072, 32633)]), vec![(262, Tag::Shorts(vec![0]))]].concat();
    assert_eq!(with(&[10, 12], &white).unwrap().map.cells(), [10.0, 12.0]);
    assert_eq!(with(&[0, 255], &white[3..]).unwrap().map.cells(), [1.0, 0.0]);
    // A negative scale of the rows is a mistake, and a place without units is that of the cells alone.
    let mut negative = placed(&[(1024, 1), (3072, 32633)]);
    negative[0].1 = Tag::Doubles(vec![2.0, -2.0, 0.0]);
    assert_eq!(with(&[10, 12], &negative).unwrap().place.unwrap().north, 50.0);
    let nowhere = vec![(33550, Tag::Doubles(vec![1.0, 1.0, 0.0])), (33922, Tag::Doubles(vec![0.0; 6]))];
    assert_eq!(with(&[10, 12], &nowhere).unwrap().place, None);
    // What follows the map may be damaged.
    let mut followed = tiff((2, 1), 1, &[10, 12], &[]);
    let end = followed.len();
    followed[end - 4..].copy_from_slice(&[0xff; 4]);
    assert!(imported("a.tif", &followed).is_ok());
}

#[test]
fn floats_at_an_unnamed_place_are_metres_only_where_they_cannot_be_shares() {
    let read = |values: [f32; 2], keys: &[(u16, u16)]| {
        let pixels = values.map(f32::to_le_bytes).concat();
        let more = [(258, Tag::Shorts(vec![32])), (339, Tag::Shorts(vec![3]))];
        let more = [&more[..], &placed(keys)[..]].concat();
        imported("a.tif", &tiff((2, 1), 1, &pixels, &more)).unwrap().numbers
    };
    assert_eq!(read([0.2, 0.9], &[]), Numbers::Plain);
    assert_eq!(read([0.2, 1.9], &[]), Numbers::Metres);
    assert_eq!(read([0.2, 0.9], &[(1024, 1), (3072, 32633)]), Numbers::Metres);
}

#[test]
fn a_world_file_tells_where_a_picture_lies() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.tif");
    std::fs::write(&path, tiff((2, 1), 1, &[7, 250], &[])).unwrap();
    std::fs::write(dir.path().join("a.tfw"), "30\n0\n0\n-30\n500015\n5200985\n").unwrap();
    let read = super::read(&path, &ReadOptions::default()).unwrap();
    let place = read.place.unwrap();
    assert_eq!((place.west, place.north, place.step), (500_000.0, 5_201_000.0, (30.0, 30.0)));
    assert_eq!((read.map.cells(), read.numbers), (&[7.0, 250.0][..], Numbers::Metres));
    std::fs::write(dir.path().join("a.tfw"), "30\n0\n").unwrap();
    let message = super::read(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.contains("a.tfw beside it is no world file of six numbers"), "{message}");
}

#[test]
fn heights_of_options_are_those_of_the_map() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.png");
    std::fs::write(&path, grey(::png::BitDepth::Eight, &[7, 255])).unwrap();
    let given = ReadOptions { nodata: Some(7.0), ..ReadOptions::default() };
    let fill = |fill| super::read(&path, &ReadOptions { fill, ..given });
    let message = fill(FillNodata::Height(12.5)).unwrap_err().to_string();
    assert!(message.contains("--fill-nodata 12.5: the numbers of this map run from 0 to 1"), "{message}");
    assert_eq!(fill(FillNodata::Height(0.5)).unwrap().map.cells(), [0.5, 1.0]);
    let sea = ReadOptions { sea_level: Some(512.0), ..ReadOptions::default() };
    let message = super::read(&path, &sea).unwrap_err().to_string();
    assert!(message.contains("--sea-level 512: the numbers of this map run from 0 to 1"), "{message}");
    // Beside a file that makes metres of them, they are metres.
    let told = r#"{"metres_per_pixel": 14, "height_scale_m": 1000, "sea_level_m": 100}"#;
    std::fs::write(dir.path().join("a.terrain.json"), told).unwrap();
    assert_eq!(fill(FillNodata::Height(12.5)).unwrap().map.cells(), [12.5, 900.0]);
}

#[test]
fn cells_outside_the_part_that_is_asked_for_do_not_count() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.asc");
    let text = "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n-9999 2 3\n4 5 1e39\n";
    std::fs::write(&path, text).unwrap();
    let part = |x, y, width, height| {
        let crop = Some(Crop { x, y, width, height });
        super::read(&path, &ReadOptions { crop, ..ReadOptions::default() })
    };
    let read = part(1, 0, 2, 1).unwrap();
    assert_eq!((read.map.cells(), read.empty, read.size), (&[2.0, 3.0][..], 0, (3, 2)));
    assert_eq!(read.place.map(|p| (p.west, p.north)), Some((500_010.0, 20.0)));
    assert!(
        read.summary().contains("3x2 cells") && read.summary().contains("cropped to 2x1 at column 1, row 0")
    );
    // Places of errors are those of the file.
    assert!(part(1, 1, 2, 1).unwrap_err().to_string().contains("x=2, y=1 is inf"));
    assert!(part(0, 0, 2, 1).unwrap_err().to_string().contains("the first at x=0, y=0"));
    assert!(
        part(2, 0, 2, 1).unwrap_err().to_string().contains("reaches beyond the map, which has 3x2 cells")
    );
}

#[test]
fn grey_values_of_several_scales_become_metres() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.r16");
    std::fs::write(&path, [0u16, 16384, 32768, 65535].map(u16::to_le_bytes).concat()).unwrap();
    let beside = |knots: &str| {
        let text = format!(r#"{{"metres_per_pixel": 1, "height_knots_m": {knots}}}"#);
        std::fs::write(dir.path().join("a.terrain.json"), text).unwrap();
        super::read(&path, &ReadOptions::default())
    };
    let read = beside("[[0, -100], [0.5, 0], [1, 1000]]").unwrap();
    let expected = [-100.0, -100.0 + 16384.0 / 65535.0 * 200.0, (32768.0 / 65535.0 - 0.5) * 2000.0, 1000.0];
    assert_eq!(read.map.cells(), expected.map(|v: f64| v as f32));
    for wrong in ["[[0, 1]]", "[[1, 0], [0, 5]]", "7", "[[0, \"a\"], [1, 2]]"] {
        let message = beside(wrong).unwrap_err().to_string();
        assert!(message.contains("height_knots_m is not a list of two and more"), "{message}");
    }
}

#[test]
fn numbers_without_data_are_those_of_the_file_and_not_what_became_of_them() {
    let given = |n: f32| ReadOptions { nodata: Some(n), ..ReadOptions::default() };
    let holes = |name: &str, bytes: &[u8], n: f32| with_holes(name, bytes, &given(n)).empty;
    let png = grey(::png::BitDepth::Eight, &[7, 255]);
    assert_eq!((holes("a.png", &png, 255.0), holes("a.png", &png, 1.0)), (1, 0));
    assert!(with_holes("a.png", &png, &given(1.0)).notes.contains(&"no cell is 1".to_owned()));
    assert_eq!(holes("a.png", &grey(::png::BitDepth::One, &[0b0100_0000]), 1.0), 1);
    assert_eq!(holes("a.tif", &tiff((2, 1), 1, &[7, 255], &[]), 255.0), 1);
    assert_eq!(holes("a.r16", &[0, 0, 9, 0, 255, 255, 9, 0], 9.0), 2);
    // The number of a colour counts, and not the colour: 0 is white here and 1 is black.
    let table = (320, Tag::Shorts([[65535, 0], [65535, 0], [65535, 0]].concat()));
    let palette = |pixels: &[u8]| {
        let more = [(262, Tag::Shorts(vec![3])), table.clone(), (42113, Tag::Text("0"))];
        tiff((2, 1), 1, pixels, &more)
    };
    let read = with_holes("a.tif", &palette(&[0, 1]), &ReadOptions::default());
    assert!(read.map[(0, 0)].is_nan() && read.map[(1, 0)] == 0.0, "{:?}", read.map);
    let message = imported("a.tif", &palette(&[1, 2])).unwrap_err().to_string();
    assert!(message.contains("it has no colour 2, which the pixel at x=1, y=0 has"), "{message}");
}

#[test]
fn a_blurred_mask_of_floats_with_a_place_is_a_mask() {
    let read = |values: [f32; 4]| {
        let pixels = values.map(f32::to_le_bytes).concat();
        let more = [(258, Tag::Shorts(vec![32])), (339, Tag::Shorts(vec![3]))];
        let more = [&more[..], &placed(&[(1024, 1), (3072, 32633)])[..]].concat();
        imported("a.tif", &tiff((4, 1), 1, &pixels, &more)).unwrap().numbers
    };
    assert_eq!(read([0.0, 0.3, 1.0, 1.0]), Numbers::Plain);
    assert_eq!(read([0.0, 0.3, 0.6, 1.0]), Numbers::Metres, "a metre of ground");
}

#[test]
fn numbers_beyond_float32_can_be_said_to_be_no_data() {
    let mut file = npy_of("<f8", (2, 1));
    file.extend([7.5f64, f64::MIN].map(f64::to_le_bytes).concat());
    let message = imported("a.npy", &file).unwrap_err().to_string();
    assert!(
        message.contains("x=1, y=0 is -inf, or a number below -3.4e38; give every cell a finite height, or say with --nodata"),
        "{message}"
    );
    let given = ReadOptions { nodata: Some(f64::MIN as f32), ..ReadOptions::default() };
    assert_eq!(with_holes("a.npy", &file, &given).empty, 1);
}

/// The beginning of a NumPy file.
fn npy_of(descr: &str, (width, height): (usize, usize)) -> Vec<u8> {
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({height}, {width}), }}");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((text.len() as u16).to_le_bytes());
    file.extend(text.bytes());
    file
}

#[test]
fn a_compression_that_loses_the_steps_between_heights_is_refused() {
    let mut file = std::fs::read(fixture("openexr-rgb-zip.exr")).unwrap();
    let tag = b"compression\0compression\0\x01\0\0\0";
    let at = file.windows(tag.len()).position(|w| w == tag).unwrap() + tag.len();
    file[at] = 8;
    let message = imported("a.exr", &file).unwrap_err().to_string();
    assert!(message.contains("DWA") && message.contains("; save it with ZIP"), "{message}");
}

#[test]
fn masks_stay_masks_whatever_their_numbers_and_with_cells_without_data() {
    let array = |cells: &[u8]| {
        let mut file = Vec::new();
        npy::write(&mut file, &Cells::U8(&Grid::from_vec(cells.len(), 1, cells.to_vec()))).unwrap();
        file
    };
    assert_eq!(read("a.npy", &array(&[0, 255, 255])).unwrap().cells(), [0.0, 1.0, 1.0]);
    // Also with blurred edges, but not a map that is mostly between.
    assert_eq!(read("a.npy", &array(&[0, 0, 51, 255])).unwrap().cells(), [0.0, 0.0, 0.2, 1.0]);
    assert_eq!(read("a.npy", &array(&[0, 90, 120, 255])).unwrap().cells(), [0.0, 90.0, 120.0, 255.0]);
    let mut file = Vec::new();
    npy::write(&mut file, &Cells::F32(&Grid::from_vec(3, 1, vec![f32::NAN, 1.0, 0.0]))).unwrap();
    let sea = |bytes: &[u8]| {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.npy");
        std::fs::write(&path, bytes).unwrap();
        super::read(&path, &ReadOptions { fill: FillNodata::Sea, ..ReadOptions::default() }).unwrap().map
    };
    assert_eq!(sea(&file).cells(), [0.0, 1.0, 0.0], "no cell lies below the sea of a mask");
}

#[test]
fn the_file_beside_an_ascii_grid_says_whether_its_coordinates_are_degrees() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.asc");
    std::fs::write(&path, b"ncols 2\nnrows 1\nxllcorner 5\nyllcorner 50\ncellsize 0.01\n1 2\n").unwrap();
    let unit = || super::read(&path, &ReadOptions::default()).unwrap().place.unwrap().unit;
    assert_eq!(unit(), CrsUnit::Degree);
    std::fs::write(dir.path().join("a.prj"), "PROJCS[\"a plane\"]").unwrap();
    assert_eq!(unit(), CrsUnit::Metre);
    std::fs::write(dir.path().join("a.prj"), "GEOGCS[\"a globe\"]").unwrap();
    assert_eq!(unit(), CrsUnit::Degree);
}

#[test]
fn what_cannot_be_read_is_refused_with_the_file_the_reason_and_the_next_step() {
    for (name, bytes, reason) in [
        ("a.txt", b"x".as_slice(), "use a .tif"),
        ("a.json", b"{}", "width"),
        ("a.json", b"{\n 1", "not valid JSON at line 2, column 2"),
        ("a.json", br#"{"width": 2, "height": 1, "data": [0]}"#, "1 numbers do not make"),
        ("a.json", br#"{"width": 1, "height": 1, "data": ["a"]}"#, "x=0, y=0"),
        ("a.png", b"no", "although its name says so"),
        ("a.tiff", b"no", "although its name says so"),
        ("a.tif", b"II*\0\xff\xff\xff\xff", "ends before its tags"),
        ("a.tif", b"", "empty"),
        ("a.asc", b"ncols 2\nnrows 2\n1 2 3\n", "it has 3 heights of 2x2"),
        ("a.asc", b"ncols 2\nnrows 1\n1 x\n", "x=1, y=0 is \"x\""),
        ("a.zip", b"PK\x03\x04", "unpack it"),
        ("a.tif", b"PK\x03\x04", "unpack it"),
    ] {
        let message = read(name, bytes).unwrap_err().to_string();
        assert!(message.contains(reason) && message.contains(name), "{message}");
    }
    for (name, reason) in [
        ("gdal-lerc.tif", "compression is 34887 (LERC); save it again, for example with gdal_translate"),
        ("gdal-rotated.tif", "gdalwarp"),
        ("pillow-photo.jpg", "JPEG"),
        ("numpy-3d.npy", "its shape is (2, 3, 4)"),
    ] {
        let message = super::read(&fixture(name), &ReadOptions::default()).unwrap_err().to_string();
        assert!(message.contains(reason) && message.contains(name), "{message}");
    }
    assert!(matches!(map(Path::new("no such file.png")), Err(Error::Io { .. })));
}

#[test]
fn what_is_not_finite_is_refused_with_its_place() {
    for (value, reason) in
        [(f32::NAN, "has no data, the first at x=1, y=0"), (f32::INFINITY, "x=1, y=0 is inf")]
    {
        let mut file = Vec::new();
        npy::write(&mut file, &Cells::F32(&Grid::from_vec(2, 1, vec![0.0, value]))).unwrap();
        let message = read("a.npy", &file).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn a_header_that_claims_more_than_the_memory_is_refused() {
    let mut file = grey(::png::BitDepth::Eight, &[0, 255]);
    file[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    // The checksum of the header is that of the size above.
    let crc = crc32(&file[12..29]).to_be_bytes();
    file[29..33].copy_from_slice(&crc);
    let message = read("a.png", &file).unwrap_err().to_string();
    assert!(message.contains("2147483647x2147483647 cells"), "{message}");
    let asc = b"ncols 100000\nnrows 100000\n1 2 3\n";
    assert!(read("a.asc", asc).is_err());
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, &b| {
        (0..8).fold(crc ^ u32::from(b), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

/// Words of libraries, which mean nothing to a user.
const LIBRARY_WORDS: &[&str] =
    &["failed to fill whole buffer", "ChunkType", "TiffError", "panicked", "unexpected end of file"];

/// Words of which every error has one, because it says what to do.
const NEXT_STEPS: &[&str] = &[
    "; fetch it again",
    "; give ",
    "; use ",
    "; save ",
    "; write ",
    "; cut ",
    "; fill ",
    "; bring ",
    "; turn ",
    "; make ",
    "; convert ",
    "gdal_edit.py",
    "gdal_translate",
    "gdalwarp",
];

#[test]
fn damaged_files_of_every_format_give_a_map_or_an_error_and_never_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(fixture(""))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e != "md" && e != "jpg"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    let numbers = |count: i32| (0..count).map(|i| i * 37 % 101).collect::<Vec<_>>();
    let json = serde_json::json!({"width": 7, "height": 5, "data": numbers(35)});
    files.push(("own.json".into(), json.to_string().into_bytes()));
    files.push(("own.r16".into(), numbers(36).iter().flat_map(|&v| (v as u16).to_le_bytes()).collect()));
    files.push(("own.raw".into(), numbers(49).iter().flat_map(|&v| (v as f32).to_le_bytes()).collect()));
    assert!(files.len() > 35);
    for (name, good) in files {
        let mutant = dir.path().join(&name);
        let hash = |k: u64| Seed(41).of(Box::leak(name.clone().into_boxed_str())).at(k as i64, 0);
        for k in 0..200 {
            let mut bytes = good.clone();
            match k % 4 {
                // Cut off.
                0 => bytes.truncate(hash(k) as usize % good.len()),
                // A few bytes of anything, most of them in the header.
                1 | 2 => {
                    for m in 0..=k / 12 {
                        let reach = if k % 8 < 5 { good.len().min(200) } else { good.len() };
                        let at = hash(1000 * k + m) as usize % reach;
                        bytes[at] = (hash(2000 * k + m) >> 7) as u8;
                    }
                }
                // A part of it again.
                _ => {
                    let at = hash(k) as usize % good.len();
                    bytes.splice(at..at, good[..at].iter().copied());
                }
            }
            std::fs::write(&mutant, &bytes).unwrap();
            if let Err(error) = super::read(&mutant, &ReadOptions::default()) {
                let message = error.to_string();
                assert!(message.contains(&name), "{message}");
                assert!(NEXT_STEPS.iter().any(|word| message.contains(word)), "no next step: {message}");
                assert!(LIBRARY_WORDS.iter().all(|word| !message.contains(word)), "{message}");
            }
        }
    }
}
