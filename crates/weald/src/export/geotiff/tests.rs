//! Tests of the file as a reader of the format sees it.

use super::*;

fn written(height: &Grid<f32>, place: GeoReference) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.tif");
    write(&path, height, &About { place, description: "hills" }, &Ctx::default()).unwrap();
    std::fs::read(&path).unwrap()
}

const UTM: GeoReference =
    GeoReference { epsg: Some(32617), unit: CrsUnit::Metre, west: 712_345.1, north: 4e6, step: (30.1, 30.1) };

/// The tags of every picture: number, type, count, and the value or offset.
fn directories(bytes: &[u8]) -> Vec<Vec<[usize; 4]>> {
    let word = |at: usize, n: usize| bytes[at..at + n].iter().rev().fold(0, |sum, &b| sum << 8 | b as usize);
    let (mut at, mut out) = (word(4, 4), Vec::new());
    while at != 0 {
        let count = word(at, 2);
        let row = |i: usize| at + 2 + 12 * i;
        out.push(
            (0..count)
                .map(|i| [word(row(i), 2), word(row(i) + 2, 2), word(row(i) + 4, 4), word(row(i) + 8, 4)])
                .collect(),
        );
        at = word(row(count), 4);
    }
    out
}

fn tag(directory: &[[usize; 4]], number: usize) -> Option<[usize; 4]> {
    directory.iter().copied().find(|t| t[0] == number)
}

#[test]
fn tags_come_first_and_overviews_before_the_map_each_tile_with_its_length_around_it() {
    let height = Grid::from_fn(1100, 700, |x, y| (x * y) as f32 * 0.01);
    let bytes = written(&height, UTM);
    let directories = directories(&bytes);
    let sizes: Vec<_> =
        directories.iter().map(|d| (tag(d, 256).unwrap()[3], tag(d, 257).unwrap()[3])).collect();
    assert_eq!(sizes, [(1100, 700), (550, 350), (275, 175)]);
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let mut end = bytes.len();
    for directory in &directories {
        let [_, _, count, offsets] = tag(directory, 324).unwrap();
        let [_, _, _, lengths] = tag(directory, 325).unwrap();
        let value = |at: usize, i: usize| if count == 1 { at } else { word(at + 4 * i) };
        for i in (0..count).rev() {
            let (at, length) = (value(offsets, i), value(lengths, i));
            assert_eq!(
                (at + length + 4, word(at - 4)),
                (end, length),
                "tiles follow each other from coarse to fine"
            );
            assert_eq!(bytes[at + length - 4..at + length], bytes[at + length..at + length + 4]);
            end = at - 4;
        }
    }
    // Nothing but the tags and their values is left.
    let last = directories.last().unwrap();
    let [_, _, count, at] = tag(last, 325).unwrap();
    assert!(count == 1 || at + 4 * count <= end);
    assert!(end < 2000, "{end}");
    let words = std::str::from_utf8(&bytes[8..191]).unwrap();
    assert!(words.starts_with("GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\nLAYOUT=IFDS_BEFORE_DATA\n"));
    assert!(words.ends_with("KNOWN_INCOMPATIBLE_EDITION=NO\n "));
}

#[test]
fn an_overview_is_the_mean_of_the_cells_that_it_covers() {
    let map = Grid::from_vec(3, 3, vec![1.0, 2.0, 10.0, 3.0, 6.0, 20.0, 5.0, 7.0, 9.0]);
    assert_eq!(halved(&map, &Ctx::default()).unwrap(), Grid::from_vec(2, 2, vec![3.0, 15.0, 6.0, 9.0]));
    let none = overviews(&Grid::filled(256, 200, 0.0), 256, &Ctx::default()).unwrap();
    assert!(none.is_empty());
}

#[test]
fn files_that_may_exceed_4_gib_have_offsets_of_64_bits() {
    assert_eq!(Sizes::for_bytes(longest(3000, 512)), Sizes::Classic);
    assert_eq!(Sizes::for_bytes(longest(4096, 512)), Sizes::Big);
    let mut tags = Directory::new(Sizes::Big);
    tags.add(324, Sizes::Big.offsets([1 << 33, 7].into_iter()));
    tags.add(339, Value::Short(vec![3]));
    let mut out = Sizes::Big.header_bytes(16);
    tags.append_to(&mut out, false);
    let word =
        |at: usize, n: usize| out[at..at + n].iter().rev().fold(0u64, |sum, &b| sum << 8 | u64::from(b));
    assert_eq!((word(2, 2), word(4, 2), word(8, 8), word(16, 8)), (43, 8, 16, 2));
    assert_eq!((word(24, 2), word(26, 2), word(28, 8), word(36, 8)), (324, 16, 2, 72));
    assert_eq!((word(44, 2), word(56, 8), word(64, 8)), (339, 3, 0));
    assert_eq!((word(72, 8), word(80, 8), out.len()), (1 << 33, 7, 88));
}

#[test]
fn a_place_has_the_keys_of_its_unit_and_none_without_a_reference_system() {
    let of = |epsg, unit| geo_keys(&GeoReference { epsg, unit, ..UTM });
    let keys = |epsg, unit| of(epsg, unit).unwrap()[4..].to_vec();
    assert_eq!(of(None, CrsUnit::Metre), None);
    assert_eq!(keys(Some(32617), CrsUnit::Metre)[8..], [3072, 0, 1, 32617, 3076, 0, 1, 9001]);
    assert_eq!(keys(Some(2274), CrsUnit::UsFoot)[8..], [3072, 0, 1, 2274, 3076, 0, 1, 9003]);
    assert_eq!(keys(Some(4326), CrsUnit::Degree)[8..], [2048, 0, 1, 4326, 2054, 0, 1, 9102]);
    assert_eq!(keys(Some(102_003), CrsUnit::Foot)[8..], [3072, 0, 1, 32767, 3076, 0, 1, 9002]);
}
