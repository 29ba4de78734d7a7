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

use super::sidecar::Sidecar;
use super::target::{Delivered, Form, Needs, Source, Target};
use crate::catalogue::{Catalogue, Rgb};
use crate::error::{Error, Result};
use crate::sink::Sink;
use crate::style::tiles::TileMap;
use map::Tiles;
use paint::SIDE;
use sheet::Sheet;
use std::path::Path;
use weald_core::{Ctx, Grid};

/// The picture of the tileset.
const TILESET: &str = "tileset.png";

/// The target `tiled`.
pub static TARGET: Target = Target {
    name: "tiled",
    about: "the map with a tileset",
    files: "NAME.tmj, tileset.png",
    readers: "Tiled 1.8 and newer, and engines that read its maps",
    needs: Needs::Tiles,
    takes: &[],
    validate: None,
    form: Form::Folder(export),
};

/// Writes the map of a world and its tileset.
fn export(source: &Source, dir: &Path, ctx: &Ctx) -> Result<Delivered> {
    let none = || Error::Internal(format!("the world {} has no tiles", source.catalogue.world));
    let name = format!("{}.tmj", source.stem);
    write(dir, &name, source.catalogue, source.exports.tiles.ok_or_else(none)?, ctx)?;
    let (width, height) = (source.catalogue.frame.width, source.catalogue.frame.height);
    Ok(Delivered {
        files: vec![
            (name, "the map for Tiled".into()),
            (TILESET.into(), "the tileset of the map for Tiled".into()),
        ],
        numbers: vec![format!("{width}x{height} tiles of {SIDE}x{SIDE} pixels")],
        sidecar: Sidecar { size: Some((width, height)), ..Sidecar::default() },
    })
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

/// Writes the map, called `name`, and its tileset into the folder `dir`.
pub fn write(dir: &Path, name: &str, catalogue: &Catalogue, map: &TileMap, ctx: &Ctx) -> Result<()> {
    let context = |e: Error| match e {
        Error::Invalid(message) => Error::Invalid(format!("tiled: {message}")),
        other => other,
    };
    let tiles = Tiles::new(map, catalogue).map_err(context)?;
    let sheet = Sheet::new(map, catalogue).map_err(context)?;
    tiles.validate(&sheet).map_err(context)?;
    ctx.checkpoint()?;
    let mut out = Sink::create(dir.join(TILESET))?;
    out.with(|w| sheet.write_png(w))?;
    out.finish()?;
    let mut out = Sink::create(dir.join(name))?;
    tiles.write(&mut out, &sheet, ctx)?;
    out.finish()
}
