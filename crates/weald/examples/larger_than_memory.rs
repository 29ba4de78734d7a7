//! A map written tile by tile into a Zarr store, with overviews: the way of maps that are larger than memory.
//!
//! `cargo run --release --example larger_than_memory -- FOLDER [SIDE]` makes FOLDER/map.zarr of SIDE columns and 7/10 as many rows, and reads a
//! window of it back. What must be equal however the map is cut is made from places alone. Maps of at most 4096 columns are also written as
//! FOLDER/LAYER.npy.

use std::fs::{self, File};
use std::path::Path;
use weald::catalogue::{DIRECTIONS, Kind, LayerSpec, NO_YES};
use weald::core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald::core::{AnyGrid, Ctx, Dir8, Frame, Grid, Seed};
use weald::zarr::{Head, LayerHead, Place, Store, Window};
use weald::{Result, npy};

/// Side of a tile in cells, and of a cell in metres.
const TILE: usize = 320;
const CELL_M: f64 = 10.0;

const LAYERS: [LayerSpec; 6] = [
    LayerSpec::measure("height", "float32", "m", "Height above the sea"),
    LayerSpec::measure("temperature", "float64", "degC", "Mean temperature of the air"),
    LayerSpec {
        kind: Kind::Flags(NO_YES),
        ..LayerSpec::measure("sea", "uint8", "", "Whether the cell is sea")
    },
    LayerSpec {
        kind: Kind::Classes(DIRECTIONS),
        ..LayerSpec::measure("aspect", "uint8", "", "Where the ground falls")
    },
    LayerSpec::measure("people", "uint32", "people", "People of the cell"),
    LayerSpec::measure("sheet", "int32", "", "Number of the map sheet"),
];

/// All layers of a window.
fn window(window: Window, ctx: &Ctx) -> Result<Vec<AnyGrid>> {
    // A cell more on every side, so that slopes do not depend on the window.
    let origin = ((window.x as f64 - 1.0) * CELL_M, (window.y as f64 - 1.0) * CELL_M);
    let frame = Frame { origin, ..Frame::new(window.width + 2, window.height + 2, CELL_M) };
    let noise = fractal(&frame, Seed(7), NoiseShape::Fbm, &Fractal::default(), ctx)?;
    let (width, height) = (window.width, window.height);
    let ground = Grid::from_fn(width, height, |x, y| 900.0 * noise[(x + 1, y + 1)]);
    let falls = |x: usize, y: usize| {
        let (east, south) =
            (noise[(x, y + 1)] - noise[(x + 2, y + 1)], noise[(x + 1, y)] - noise[(x + 1, y + 2)]);
        Dir8(if east.abs() > south.abs() {
            if east > 0.0 { 0 } else { 4 }
        } else if south > 0.0 {
            2
        } else {
            6
        })
    };
    let people = |x: usize, y: usize| {
        let lots = Seed(8).of("people").at((window.x + x) as i64, (window.y + y) as i64);
        if ground[(x, y)] > 0.0 { (lots >> 56) as u32 } else { 0 }
    };
    Ok(vec![
        ground.clone().into(),
        ground.map(|&h| 15.0 - 0.0065 * f64::from(h)).into(),
        ground.map(|&h| u8::from(h < 0.0)).into(),
        Grid::from_fn(width, height, falls).into(),
        Grid::from_fn(width, height, people).into(),
        Grid::from_fn(width, height, |x, y| ((window.x + x) / 50) as i32 - ((window.y + y) / 40) as i32)
            .into(),
    ])
}

fn make(folder: &Path, side: usize) -> Result<Store> {
    let ctx = Ctx::default();
    let head = Head {
        title: "larger than memory".into(),
        shape: (side, side * 7 / 10),
        tile: TILE,
        layers: LAYERS.iter().map(LayerHead::from).collect(),
        attributes: [("seed".to_owned(), 7.into())].into_iter().collect(),
        place: Place {
            step: (CELL_M, CELL_M),
            unit: Some(weald::georeference::CrsUnit::Metre),
            ..Place::cells()
        },
    };
    let store = Store::create(&folder.join("map.zarr"), &head)?;
    for level in 0..store.levels() {
        let (across, down) = store.tiles(level)?;
        for tile in (0..across * down).map(|k| (k % across, k / across)) {
            if level > 0 {
                store.overview(level, tile, &ctx)?;
                continue;
            }
            for (layer, cells) in LAYERS.iter().zip(window(store.tile_window(0, tile)?, &ctx)?) {
                store.write(0, layer.name, tile, &cells.cells(), &ctx)?;
            }
        }
    }
    Ok(store)
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| "larger_than_memory".into());
    let folder = Path::new(&folder);
    let side = arguments.next().and_then(|side| side.parse().ok()).unwrap_or(1000);
    fs::create_dir_all(folder).map_err(|e| weald::Error::io(folder, e))?;
    let store = make(folder, side)?;
    let (width, height) = store.shape(0)?;
    println!("{width}x{height} cells in {} levels", store.levels());
    if side <= 4096 {
        let whole = window(Window { x: 0, y: 0, width, height }, &Ctx::default())?;
        for (layer, cells) in LAYERS.iter().zip(whole) {
            let path = folder.join(layer.name).with_extension("npy");
            let written = File::create(&path).and_then(|mut file| npy::write(&mut file, &cells.cells()));
            written.map_err(|e| weald::Error::io(&path, e))?;
        }
    }
    let middle = Window { x: width / 2, y: height / 2, width: width.min(3), height: height.min(2) };
    println!("{:?}", store.read(0, "height", middle, &Ctx::default())?);
    Ok(())
}
