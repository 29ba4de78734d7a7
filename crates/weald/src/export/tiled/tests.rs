//! Tests on a small map of its own.

use super::links::{self, Look};
use super::map::{EMPTY, Tiles};
use super::paint::{SIDE, Tile, places};
use super::sheet::{FIRST_GID, Sheet};
use super::{ground, write};
use crate::catalogue::{Catalogue, Class, Feature, FeatureSet, Kind, Layer, LayerSpec};
use crate::style::tiles::{
    Cover, CrossingKind, CrossingTiles, Deck, FootprintRank, FootprintTiles, Ground, GroundClass,
    GroundTiles, LabelSet, Landmark, Line, LinkTiles, Stands, TileMap, TransitionLook, TransitionTiles,
};
use serde_json::{Value, json};
use weald_core::{Cells, Ctx, Dir8, Frame, Grid, Seed};

const GROUND: &[Class] = &[
    Class { value: 0, name: "sea", colour: [120, 170, 200] },
    Class { value: 1, name: "wood", colour: [130, 160, 100] },
    Class { value: 2, name: "heath", colour: [200, 205, 140] },
];
const BANDS: &[Class] = &[
    Class { value: 0, name: "none", colour: [255, 255, 255] },
    Class { value: 1, name: "beach", colour: [236, 224, 176] },
    Class { value: 2, name: "mixed", colour: [165, 182, 120] },
];
const CROSSINGS: &[Class] = &[
    Class { value: 0, name: "none", colour: [255, 255, 255] },
    Class { value: 1, name: "bridge", colour: [150, 110, 60] },
];

static MAP: TileMap = TileMap {
    ground: GroundTiles {
        layer: "land",
        classes: &[
            GroundClass { value: 2, ground: Ground::Grass, cover: Some(Cover::Tufts) },
            GroundClass { value: 1, ground: Ground::Leaves, cover: Some(Cover::Broadleaves) },
            GroundClass { value: 0, ground: Ground::Water, cover: None },
        ],
    },
    transitions: Some(TransitionTiles {
        layer: "band",
        looks: &[TransitionLook { value: 1, share: 0.9, stands: Stands::Nothing }],
    }),
    links: &[
        LinkTiles {
            layer: "brooks",
            name: "brooks",
            line: Line::River,
            colour: [90, 150, 200],
            casing: [60, 110, 160],
        },
        LinkTiles {
            layer: "paths",
            name: "paths",
            line: Line::Road,
            colour: [180, 130, 80],
            casing: [240, 230, 210],
        },
    ],
    crossings: Some(CrossingTiles {
        layer: "crossing",
        kinds: &[CrossingKind { value: 1, deck: Deck::Bridge, along: "paths" }],
    }),
    footprints: Some(FootprintTiles {
        layer: "town",
        points: "towns",
        rank: "rank",
        ranks: &[
            FootprintRank { name: "town", roof: [180, 80, 60], centre: Landmark::Church },
            FootprintRank { name: "farm", roof: [190, 150, 90], centre: Landmark::Huts },
        ],
    }),
    labels: &[LabelSet {
        points: "towns",
        name: "town names",
        kind: "kind",
        properties: &["rank", "walled"],
        colour: [1, 171, 16],
    }],
};

const SIZE: (usize, usize) = (40, 30);

/// A lake in a wood beside a heath; a brook and a path that cross on a bridge; a town of three tiles.
fn sample(seed: u64) -> Catalogue {
    let (w, h) = SIZE;
    let grid = |cell: &dyn Fn(usize, usize) -> u8| Grid::from_fn(w, h, cell);
    let land = grid(&|x, y| match () {
        _ if x < 6 && y < 9 => 0,
        _ if x < 20 => 1,
        _ => 2,
    });
    let band = grid(&|x, y| match x {
        6..=7 if y < 9 => 1,
        18..=21 => 2,
        _ => 0,
    });
    // The brook runs west along row 4 into the lake, and the path south along column 12 and then south-east.
    let brooks = grid(&|x, y| match (x, y) {
        (5, 4) => 1,
        (6..=29, 4) => 0b1_0001,
        (30, 4) => 0b1_0000,
        _ => 0,
    });
    let paths = grid(&|x, y| match (x, y) {
        (12, 2) => 1 << 2,
        (12, 3..=5) => 1 << 2 | 1 << 6,
        (12, 6) => 1 << 1 | 1 << 6,
        (13, 7) => 1 << 5,
        _ => 0,
    });
    let crossing = grid(&|x, y| ((x, y) == (12, 4)) as u8);
    let town = Grid::from_fn(w, h, |x, y| if y == 2 && (11..=13).contains(&x) { 5u16 } else { 0 });
    let classes =
        |name, table, cells: &Grid<u8>| Layer::copied(name, "", Cells::U8(cells), Kind::Classes(table));
    let flags = |name, cells: &Grid<u8>| Layer::copied(name, "", Cells::U8(cells), Kind::Flags(&[]));
    let mut out = Catalogue::new("glade", "m", Frame::new(w, h, 50.0));
    out.seed = seed;
    out.layers = vec![
        classes("land", GROUND, &land),
        classes("band", BANDS, &band),
        flags("brooks", &brooks),
        flags("paths", &paths),
        classes("crossing", CROSSINGS, &crossing),
        Layer::new(LayerSpec::measure("town", "uint16", "", ""), town),
    ];
    let properties = [
        ("name", json!("Oakham")),
        ("rank", json!(1)),
        ("kind", json!("town")),
        ("walled", json!(true)),
        ("mayor", json!(null)),
    ];
    let towns = vec![Feature::new(5, vec![out.frame.cell_centre(12, 2)], properties)];
    out.points = vec![FeatureSet::new("towns", "", towns)];
    out
}

/// The global ids of a layer of tiles.
fn gids(catalogue: &Catalogue, name: &str) -> Grid<u32> {
    let (tiles, sheet) = (Tiles::new(&MAP, catalogue).unwrap(), Sheet::new(&MAP, catalogue).unwrap());
    let layers = tiles.layers();
    let (_, gid) = layers.iter().find(|(n, _)| *n == name).unwrap();
    Grid::from_fn(SIZE.0, SIZE.1, |x, y| gid(&sheet, x, y))
}

fn look(line: Line) -> Look {
    Look { line, colour: [90, 90, 90], casing: [200, 200, 200] }
}

const LINES: [Line; 3] = [Line::River, Line::Rail, Line::Road];

fn drawn(tile: &Tile, x: usize, y: usize) -> bool {
    tile.at(x, y)[3] > 0
}

/// The pixels at the end of a link: two in the middle of a side, or the one in a corner.
fn end_pixels(d: u8) -> Vec<(usize, usize)> {
    let (dx, dy) = (Dir8(d).dx(), Dir8(d).dy());
    let along = |step: i32| match step {
        1 => vec![SIDE - 1],
        -1 => vec![0],
        _ => vec![SIDE / 2 - 1, SIDE / 2],
    };
    along(dx).into_iter().flat_map(|x| along(dy).into_iter().map(move |y| (x, y))).collect()
}

/// How many pieces the drawn pixels of a tile are in, with diagonal neighbours joined.
fn pieces(tile: &Tile) -> usize {
    let mut seen = [[false; SIDE]; SIDE];
    let mut count = 0;
    for (x, y) in places() {
        if seen[y][x] || !drawn(tile, x, y) {
            continue;
        }
        count += 1;
        let mut open = vec![(x, y)];
        while let Some((x, y)) = open.pop() {
            if std::mem::replace(&mut seen[y][x], true) {
                continue;
            }
            let near = |v: usize| v.saturating_sub(1)..=(v + 1).min(SIDE - 1);
            open.extend(
                near(y).flat_map(|y| near(x).map(move |x| (x, y))).filter(|&(x, y)| drawn(tile, x, y)),
            );
        }
    }
    count
}

#[test]
fn every_set_of_links_is_one_piece_that_reaches_its_ends_and_no_other() {
    for line in LINES {
        for mask in 1..=u8::MAX {
            let tile = links::tile(look(line), mask);
            assert_eq!(pieces(&tile), 1, "{line:?} {mask:08b}");
            for d in 0..8 {
                let linked = mask >> d & 1 == 1;
                for (x, y) in end_pixels(d) {
                    assert_eq!(
                        drawn(&tile, x, y),
                        linked,
                        "{line:?} {mask:08b}, direction {d}, pixel {x},{y}"
                    );
                }
            }
        }
    }
}

#[test]
fn lines_have_the_same_width_on_both_sides_of_an_edge() {
    for line in LINES {
        let tiles: Vec<Tile> = (0..=u8::MAX).map(|mask| links::tile(look(line), mask)).collect();
        let edge = |mask: usize, d: u8| -> Vec<bool> {
            let at = |v: usize| match d {
                0 => (SIDE - 1, v),
                2 => (v, SIDE - 1),
                4 => (0, v),
                _ => (v, 0),
            };
            // The whole edge, or without its ends, which diagonal links reach.
            let rows = if mask & 0b1010_1010 == 0 { 0..SIDE } else { 5..SIDE - 5 };
            (0..SIDE).map(|v| rows.contains(&v) && drawn(&tiles[mask], at(v).0, at(v).1)).collect()
        };
        for d in [0, 2] {
            let with = |d: u8| (1..256usize).filter(move |mask| mask >> d & 1 == 1);
            let wanted = edge(1 << d, d);
            assert!(wanted.iter().filter(|p| **p).count() >= 4, "{line:?}");
            assert!(with(d).all(|mask| edge(mask, d) == wanted), "{line:?}");
            assert!(with(d + 4).all(|mask| edge(mask, d + 4) == wanted), "{line:?}");
        }
    }
}

#[test]
fn a_diagonal_line_keeps_its_width_through_the_corner_of_four_tiles() {
    for line in LINES {
        // South-east from one tile to the next, with the tiles beside it; then the other diagonal.
        for (near, far, beside) in [(1, 5, [1, 3]), (3, 7, [0, 2])] {
            let (one, two) = (links::tile(look(line), 1 << near), links::tile(look(line), 1 << far));
            let [a, b] = beside.map(|k| links::corner_tile(look(line), 1 << k));
            let four = if near == 1 { [[&one, &a], [&b, &two]] } else { [[&a, &one], [&two, &b]] };
            let at = |x: usize, y: usize| drawn(four[y / SIDE][x / SIDE], x % SIDE, y % SIDE);
            let across = |s: usize| {
                let pairs = (0..2 * SIDE).filter(|&x| x <= s && s - x < 2 * SIDE);
                let mirrored = |x: usize| if near == 1 { x } else { 2 * SIDE - 1 - x };
                pairs.filter(|&x| at(mirrored(x), s - x)).count()
            };
            for s in 2 * SIDE - 10..2 * SIDE + 8 {
                assert_eq!(across(s), across(2 * SIDE - 12 + s % 2), "{line:?} {near} at {s}");
            }
        }
    }
}

#[test]
fn ground_is_opaque_and_there_is_a_fringe_for_every_set_of_neighbours() {
    let (catalogue, masks) = (sample(1), ground::fringe_masks().count());
    let sheet = Sheet::new(&MAP, &catalogue).unwrap();
    assert_eq!(masks, 46);
    for class in sheet.classes.iter().flatten() {
        for k in 0..ground::GROUNDS as u32 {
            assert!(places().all(|(x, y)| sheet.tile(class.ground + k).at(x, y)[3] == 255));
        }
    }
    let places: Vec<u32> = (1..=u8::MAX).filter_map(|m| sheet.fringe(m)).collect();
    assert_eq!((places.len(), *places.iter().max().unwrap()), (255, masks as u32 - 1));
    assert_eq!(sheet.fringe(0), None);
}

#[test]
fn all_global_ids_are_within_the_tileset() {
    let mut catalogue = sample(3);
    // Any values that the layers can have, also those that no world makes.
    let any = Seed(8);
    for (k, layer) in catalogue.layers.clone().iter().enumerate().take(5) {
        let most = [3, 3, 256, 256, 2][k];
        let cells =
            Grid::from_fn(SIZE.0, SIZE.1, |x, y| (any.of(layer.name).at(x as i64, y as i64) % most) as u8);
        catalogue.layers[k] = Layer::copied(layer.name, "", Cells::U8(&cells), layer.kind);
    }
    for catalogue in [&catalogue, &sample(3)] {
        let (tiles, sheet) = (Tiles::new(&MAP, catalogue).unwrap(), Sheet::new(&MAP, catalogue).unwrap());
        let range = FIRST_GID..FIRST_GID + sheet.len() as u32;
        for (name, gid) in tiles.layers() {
            for (x, y) in (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| (x, y))) {
                let found = gid(&sheet, x, y);
                let empty = found == EMPTY && name != "terrain";
                assert!(empty || range.contains(&found), "{name} at {x},{y}: {found}");
            }
        }
    }
}

#[test]
fn links_choose_the_tile_of_their_directions_and_the_tiles_beside_diagonals() {
    let catalogue = sample(1);
    let sheet = Sheet::new(&MAP, &catalogue).unwrap();
    let (brooks, paths, crossing) =
        (gids(&catalogue, "brooks"), gids(&catalogue, "paths"), gids(&catalogue, "crossings"));
    let [first_brook, first_path] = [&sheet.links[0], &sheet.links[1]];
    assert_eq!(brooks[(10, 4)], first_brook.links + 0b1_0001 - 1);
    assert_eq!(brooks[(5, 4)], first_brook.mouths.unwrap() + 1 - 1, "it fades out on the lake");
    assert_eq!(paths[(12, 6)], first_path.links + (1 << 1 | 1 << 6) - 1);
    assert_eq!(paths[(13, 6)], first_path.corners + (1 << 1) - 1, "the south-west corner");
    assert_eq!(paths[(12, 7)], first_path.corners + (1 << 3) - 1, "the north-east corner");
    assert_eq!(paths[(20, 20)], EMPTY);
    let deck = links::two_links().position(|m| m == (1 << 2 | 1 << 6)).unwrap() as u32;
    assert_eq!(crossing[(12, 4)], sheet.crossings[0] + deck);
    assert_eq!(crossing.cells().iter().filter(|g| **g != EMPTY).count(), 1);
}

#[test]
fn lines_and_houses_clear_the_ground_and_towns_have_a_landmark() {
    let catalogue = sample(1);
    let sheet = Sheet::new(&MAP, &catalogue).unwrap();
    let (cover, houses) = (gids(&catalogue, "cover"), gids(&catalogue, "settlements"));
    assert_eq!([cover[(10, 4)], cover[(12, 5)], cover[(11, 2)], cover[(6, 0)]], [EMPTY; 4]);
    assert_ne!(cover[(10, 10)], EMPTY);
    assert_eq!(houses[(12, 2)], sheet.ranks[0].centre);
    assert!(houses[(11, 2)] >= sheet.ranks[0].houses && houses[(11, 2)] < sheet.ranks[1].centre);
    assert_eq!(houses.cells().iter().filter(|g| **g != EMPTY).count(), 3);
}

#[test]
fn large_areas_show_all_variants_of_the_ground() {
    let terrain = gids(&sample(1), "terrain");
    let mut heath: Vec<u32> = (22..SIZE.0).map(|x| terrain[(x, 20)]).collect();
    heath.sort_unstable();
    heath.dedup();
    assert_eq!(heath.len(), ground::GROUNDS);
}

#[test]
fn the_map_has_the_fields_that_tiled_needs_and_the_tileset_does_not_depend_on_the_seed() {
    let dir = tempfile::tempdir().unwrap();
    let mut pictures = Vec::new();
    for seed in [1, 2] {
        let out = dir.path().join(seed.to_string());
        std::fs::create_dir(&out).unwrap();
        write(&out, "glade.tmj", &sample(seed), &MAP, &Ctx::default()).unwrap();
        pictures.push(std::fs::read(out.join("tileset.png")).unwrap());
    }
    assert_eq!(pictures[0], pictures[1]);
    let map: Value = serde_json::from_slice(&std::fs::read(dir.path().join("1/glade.tmj")).unwrap()).unwrap();
    let wanted = json!({
        "type": "map", "orientation": "orthogonal", "renderorder": "right-down", "infinite": false,
        "width": SIZE.0, "height": SIZE.1, "tilewidth": SIDE, "tileheight": SIDE,
        "nextlayerid": 11, "nextobjectid": 2,
    });
    wanted.as_object().unwrap().iter().for_each(|(key, value)| assert_eq!(&map[key], value, "{key}"));
    assert!(map["version"].is_string() && map["tiledversion"].is_string());
    let layers = map["layers"].as_array().unwrap();
    let names: Vec<&str> = layers.iter().map(|l| l["name"].as_str().unwrap()).collect();
    let order = ["terrain", "edges", "transitions", "shores", "cover", "brooks", "paths", "crossings"];
    assert_eq!(names, [&order[..], &["settlements", "town names"]].concat());
    for (k, layer) in layers.iter().enumerate() {
        assert_eq!(
            (&layer["id"], &layer["visible"], &layer["opacity"]),
            (&json!(k + 1), &json!(true), &json!(1))
        );
    }
    for layer in layers.iter().filter(|l| l["type"] == "tilelayer") {
        assert_eq!(layer["data"].as_array().unwrap().len(), SIZE.0 * SIZE.1);
    }
    let town = &layers[9]["objects"][0];
    assert_eq!(
        (&town["name"], &town["type"], &town["point"]),
        (&json!("Oakham"), &json!("town"), &json!(true))
    );
    assert_eq!((&town["x"], &town["y"]), (&json!(12.5 * SIDE as f64), &json!(2.5 * SIDE as f64)));
    assert_eq!(
        town["properties"],
        json!([{"name": "rank", "type": "int", "value": 1}, {"name": "walled", "type": "bool", "value": true}])
    );
    assert_eq!(layers[9]["color"], "#01ab10");
    let set = &map["tilesets"][0];
    let reader = ::png::Decoder::new(std::io::Cursor::new(&pictures[0])).read_info().unwrap();
    assert_eq!(
        (&set["imagewidth"], &set["imageheight"]),
        (&json!(reader.info().width), &json!(reader.info().height))
    );
    let (columns, count) = (set["columns"].as_u64().unwrap(), set["tilecount"].as_u64().unwrap());
    assert_eq!(columns * SIDE as u64, reader.info().width as u64);
    assert_eq!(count.div_ceil(columns) * SIDE as u64, reader.info().height as u64);
    assert_eq!(set["tiles"].as_array().unwrap().len() as u64, count);
    assert_eq!((&set["firstgid"], &set["image"]), (&json!(1), &json!("tileset.png")));
}

#[test]
fn what_is_missing_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let message = |catalogue: &Catalogue| {
        write(dir.path(), "glade.tmj", catalogue, &MAP, &Ctx::default()).unwrap_err().to_string()
    };
    let mut without = sample(1);
    without.layers.retain(|l| l.name != "paths");
    let said = message(&without);
    assert!(said.contains("tiled: the layer paths is missing; make the world with"), "{said}");
    let mut without = sample(1);
    without.points.clear();
    let said = message(&without);
    assert!(said.contains("tiled: the points towns are missing; make the world"), "{said}");
}
