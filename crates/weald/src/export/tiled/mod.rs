//! Maps for Tiled (mapeditor.org): a map in its JSON format and a tileset that is drawn here.
//!
//! Format: <https://doc.mapeditor.org/en/stable/reference/json-map-format/>. What is drawn is declared as a [`TileMap`]; the layers come from
//! the catalogue by name.

mod cover;
mod ground;
mod houses;
mod links;
mod map;
mod paint;
mod sheet;
#[cfg(test)]
mod tests;

use crate::catalogue::{Catalogue, Rgb};
use crate::error::{Error, Result};
use crate::sink::Sink;
use crate::style::tiles::TileMap;
use map::Tiles;
use paint::SIDE;
use sheet::Sheet;
use std::path::Path;
use weald_core::{Ctx, Grid};

/// The folder of the files.
const FOLDER: &str = "tiled";

/// The picture of the tileset.
const TILESET: &str = "tileset.png";

/// The files that [`write()`] makes for a world, each with what it is.
pub fn files(world: &str) -> [(String, &'static str); 2] {
    [
        (format!("{FOLDER}/{world}.tmj"), "the map for Tiled"),
        (format!("{FOLDER}/{TILESET}"), "the tileset of the map for Tiled"),
    ]
}

/// The map as it looks in Tiled, without names: 16 pixels for each tile.
pub fn picture(catalogue: &Catalogue, map: &TileMap) -> Result<Grid<Rgb>> {
    let (tiles, sheet) = (Tiles::new(map, catalogue)?, Sheet::new(map, catalogue)?);
    tiles.validate(&sheet)?;
    let (width, height) = (catalogue.frame.width, catalogue.frame.height);
    let mut out = Grid::filled(width * SIDE, height * SIDE, [0; 3]);
    for (_, gid) in tiles.layers() {
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let gid = gid(&sheet, x, y);
            if gid == 0 {
                continue;
            }
            for (px, py) in paint::places() {
                let [r, g, b, opacity] = sheet.tile(gid).at(px, py);
                if opacity > 0 {
                    let pixel = &mut out[(x * SIDE + px, y * SIDE + py)];
                    *pixel = paint::mix(*pixel, [r, g, b], opacity as f32 / 255.0);
                }
            }
        }
    }
    Ok(out)
}

/// Writes the map and its tileset into the folder `tiled` below `dir`.
pub fn write(dir: &Path, catalogue: &Catalogue, map: &TileMap, ctx: &Ctx) -> Result<()> {
    let context = |e: Error| match e {
        Error::Invalid(message) => Error::Invalid(format!("--export tiled: {message}")),
        other => other,
    };
    let tiles = Tiles::new(map, catalogue).map_err(context)?;
    let sheet = Sheet::new(map, catalogue).map_err(context)?;
    tiles.validate(&sheet).map_err(context)?;
    ctx.checkpoint()?;
    let folder = dir.join(FOLDER);
    crate::files::create_dir(&folder).map_err(|e| Error::io(&folder, e))?;
    let mut out = Sink::create(folder.join(TILESET))?;
    out.with(|w| sheet.write_png(w))?;
    out.finish()?;
    let mut out = Sink::create(folder.join(format!("{}.tmj", catalogue.world)))?;
    tiles.write(&mut out, &sheet, ctx)?;
    out.finish()
}
