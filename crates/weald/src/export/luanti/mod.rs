//! The ground as a mod of Luanti (formerly Minetest).
//!
//! Luanti imports no heightmaps. A mod makes the map: it chooses the map generator `singlenode`, which makes nothing, and fills every new part of
//! the map from tiles (<https://docs.luanti.org/for-creators/api/mapgen/>, `lua_api.md`: "Mapgen environment"). With Luanti 5.9 and
//! later that happens in the threads of the map generator, with earlier versions in that of the server.
//!
//! A tile has 128 by 128 columns, fewer at the edges: for each, rows from the south, the y of its highest node of ground as a
//! little-endian 16-bit number, then for each a byte with the class of its cover, plus 128 for water above the sea; all compressed by zlib. The
//! surface of the sea is the node at y = 1, where Luanti has its water level. Ground at the height h, in nodes, has its highest node at ⌊h⌋ + 1, so
//! that what lies below the sea is under water. The middle of the map is at x = z = 0; x is east and z north.

use super::blocks::{self, Blocks};
use super::sidecar::{Registration, Sidecar};
use super::target::{Delivered, Form, Needs, Source, Target, TargetOption};
use crate::error::{Error, Result};
use crate::files;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use weald_core::{Ctx, Grid, par};

/// The target `luanti`.
pub static TARGET: Target = Target {
    name: "luanti",
    about: "a mod that fills the map from tiles of heights and cover",
    files: "weald_NAME/ (mod.conf, init.lua, mapgen.lua, map.lua, tiles/X_Z.bin)",
    readers: "Luanti (Minetest) 5.0 and later",
    needs: Needs::Ground,
    takes: &[TargetOption::Samples],
    validate: Some(|o| blocks::fits(o.samples, MOST)),
    form: Form::Folder(export),
};

/// Columns along a side, at most: the map of Luanti ends at 31 007 nodes from its middle.
const MOST: usize = 62_000;
/// Columns along a side of a tile.
const TILE: usize = 128;
/// Height of the surface of the sea.
const SEA: i32 = 1;
/// The mark of water above the sea.
const WET: u8 = 128;

/// Columns of nodes, rows from the north.
struct Columns {
    /// The highest node of ground.
    top: Grid<i16>,
    /// Class, and whether there is water.
    cover: Grid<u8>,
}

impl Columns {
    fn of(blocks: &Blocks, ctx: &Ctx) -> Result<Self> {
        let (width, height) = blocks.height.shape();
        let top = par::fill(width, height, &ctx.quiet(), |y, row: &mut [i16]| {
            for (out, h) in row.iter_mut().zip(blocks.height.row(y)) {
                *out = (h.floor() + SEA as f32).clamp(-30_000.0, 30_000.0) as i16;
            }
        })?;
        let cover = par::fill(width, height, &ctx.quiet(), |y, row: &mut [u8]| {
            let classes = blocks.class.row(y).iter().zip(blocks.inland_water.row(y));
            row.iter_mut().zip(classes).for_each(|(out, (class, wet))| *out = (class & 127) | (wet * WET));
        })?;
        Ok(Self { top, cover })
    }

    /// A tile, counted from the south-west, before it is compressed.
    fn tile(&self, tx: usize, tz: usize) -> Vec<u8> {
        let (width, height) = self.top.shape();
        let columns = tx * TILE..((tx + 1) * TILE).min(width);
        let rows = (tz * TILE..((tz + 1) * TILE).min(height)).map(|z| height - 1 - z);
        let mut bytes = Vec::new();
        for y in rows.clone() {
            self.top.row(y)[columns.clone()].iter().for_each(|t| bytes.extend_from_slice(&t.to_le_bytes()));
        }
        for y in rows {
            bytes.extend_from_slice(&self.cover.row(y)[columns.clone()]);
        }
        bytes
    }

    /// The dry column on land that is nearest to the middle, or the middle itself.
    fn spawn(&self) -> (usize, usize) {
        let (width, height) = self.top.shape();
        let middle = (width / 2, height / 2);
        let dry = |p: &(usize, usize)| self.cover[*p] < WET && i32::from(self.top[*p]) >= SEA;
        let away = |p: &(usize, usize)| {
            let (dx, dy) = (p.0.abs_diff(middle.0), p.1.abs_diff(middle.1));
            dx * dx + dy * dy
        };
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        all.filter(dry).min_by_key(away).unwrap_or(middle)
    }
}

fn export(source: &Source, dir: &Path, ctx: &Ctx) -> Result<Delivered> {
    let blocks = Blocks::of(source, MOST, ctx)?;
    if blocks.cover.classes.len() > usize::from(WET) {
        return Err(Error::Invalid(format!(
            "{} classes of cover: a mod holds at most {WET}; export another target",
            blocks.cover.classes.len()
        )));
    }
    let columns = Columns::of(&blocks, ctx)?;
    let (width, height) = columns.top.shape();
    let (west, south) = (-((width / 2) as i64), -((height / 2) as i64));
    let spawn = columns.spawn();
    let feet = i32::from(columns.top[spawn]).max(SEA) + 1;
    let spawn = (spawn.0 as i64 + west, feet, (height - 1 - spawn.1) as i64 + south);
    let highest = columns.top.cells().iter().copied().fold(SEA as i16, i16::max);

    let name = format!("weald_{}", source.stem.replace('-', "_"));
    let folder = dir.join(&name);
    files::create_dir(&folder).map_err(|e| Error::io(&folder, e))?;
    let tiles = folder.join("tiles");
    files::create_dir(&tiles).map_err(|e| Error::io(&tiles, e))?;
    let surfaces: Vec<String> =
        blocks.cover.classes.iter().map(|class| format!("\"{}\"", surface(&class.name))).collect();
    let map = format!(
        "-- The map of this mod: its columns, where it lies, and what its classes look like.\nreturn {{\n    \
         width = {width},\n    length = {height},\n    west = {west},\n    south = {south},\n    sea = {SEA},\n    \
         highest = {highest},\n    tile = {TILE},\n    spawn = {{{}, {}, {}}},\n    surfaces = {{{}}},\n}}\n",
        spawn.0,
        spawn.1,
        spawn.2,
        surfaces.join(", ")
    );
    let conf = format!(
        "name = {name}\ndescription = A map of the world {} with seed {}, made by Weald\noptional_depends = default, mcl_core\n",
        source.catalogue.world, source.catalogue.seed
    );
    let texts = [
        ("mod.conf", "name of the mod", conf.as_str()),
        ("init.lua", "registers the map generator", include_str!("init.lua")),
        ("mapgen.lua", "fills the map from tiles", include_str!("mapgen.lua")),
        ("map.lua", "size, place and classes of the map", map.as_str()),
    ];
    let mut files = Vec::new();
    for (file, about, text) in texts {
        let path = folder.join(file);
        files::write(&path, text).map_err(|e| Error::io(&path, e))?;
        files.push((format!("{name}/{file}"), about.to_owned()));
    }
    let across = width.div_ceil(TILE);
    let packed = par::map(across * height.div_ceil(TILE), &ctx.quiet(), |i| {
        packed(&columns.tile(i % across, i / across))
    })?;
    for (i, bytes) in packed.iter().enumerate() {
        let file = format!("{}_{}.bin", i % across, i / across);
        let path = tiles.join(&file);
        files::write(&path, bytes).map_err(|e| Error::io(&path, e))?;
        files.push((format!("{name}/tiles/{file}"), "heights and cover of a tile".to_owned()));
    }

    let mut numbers = vec![
        blocks.scale(),
        format!(
            "copy the folder {name} into the folder mods of Luanti, make a new world, and turn the mod on"
        ),
        format!(
            "the map reaches from x {west} to {} and from z {south} (south) to {}; the sea is at y = {SEA}; start at {}, {}, {}",
            west + width as i64 - 1,
            south + height as i64 - 1,
            spawn.0,
            spawn.1,
            spawn.2
        ),
    ];
    numbers.extend(blocks.sea_note());
    numbers.extend(source.note());
    let more = json!({
        "block_m": blocks.block_m, "west": west, "south": south, "sea_y": SEA, "tile": TILE,
        "classes": blocks.cover.classes.iter().map(|c| json!({
            "class": c.name, "value": c.value, "surface": surface(&c.name),
        })).collect::<Vec<_>>(),
    });
    let sidecar = Sidecar {
        size: Some((width, height)),
        registration: Registration::PixelCentre,
        metres_per_pixel: Some(blocks.spaces_m.0),
        metres_per_pixel_y: Some(blocks.spaces_m.1),
        south_first: true,
        more: more.as_object().cloned().unwrap_or_default(),
        ..Sidecar::default()
    };
    Ok(Delivered { files, numbers, sidecar })
}

/// A tile compressed by zlib.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writes to memory")
}

/// The kind of surface of a class, by the words of its name.
fn surface(class: &str) -> &'static str {
    let words: &[(&str, &[&str])] = &[
        ("snow", &["snow", "ice", "glacier", "tundra", "polar"]),
        (
            "sand",
            &[
                "sand", "beach", "dune", "desert", "shore", "ocean", "sea", "lake", "water", "river",
                "shallow",
            ],
        ),
        ("stone", &["rock", "cliff", "crag", "boulder", "alpine", "bare", "paved", "road", "lava"]),
        ("gravel", &["scree", "gravel", "talus", "stony"]),
        (
            "dirt",
            &["marsh", "bog", "swamp", "wetland", "mud", "mire", "fen", "field", "track", "path", "trail"],
        ),
    ];
    let parts: Vec<&str> = class.split(|c: char| !c.is_ascii_alphabetic()).collect();
    let named = |all: &&(&str, &[&str])| all.1.iter().any(|word| parts.iter().any(|p| p.starts_with(word)));
    words.iter().find(named).map_or("grass", |found| found.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    #[test]
    fn tiles_read_back_column_by_column_from_the_south_west() {
        let (width, height) = (200, 150);
        let top = Grid::from_fn(width, height, |x, y| x as i16 * 3 - y as i16 * 7);
        let cover = Grid::from_fn(width, height, |x, y| ((x * y) % 251) as u8);
        let columns = Columns { top, cover };
        let mut seen = 0;
        for (tx, tz) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let mut bytes = Vec::new();
            ZlibDecoder::new(&packed(&columns.tile(tx, tz))[..]).read_to_end(&mut bytes).unwrap();
            let (w, h) = (TILE.min(width - tx * TILE), TILE.min(height - tz * TILE));
            assert_eq!(bytes.len(), 3 * w * h);
            for z in 0..h {
                for x in 0..w {
                    let i = z * w + x;
                    let cell = (tx * TILE + x, height - 1 - (tz * TILE + z));
                    let top = i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
                    assert_eq!((top, bytes[2 * w * h + i]), (columns.top[cell], columns.cover[cell]));
                    seen += 1;
                }
            }
        }
        assert_eq!(seen, width * height);
    }

    #[test]
    fn players_start_on_dry_land_near_the_middle() {
        let top = Grid::from_fn(9, 9, |x, _| if x < 7 { 0 } else { 5 });
        let mut cover = Grid::filled(9, 9, 0u8);
        cover[(7, 4)] = WET;
        assert_eq!(Columns { top, cover }.spawn(), (7, 3));
    }

    #[test]
    fn classes_get_surfaces_by_their_names() {
        for (class, expected) in [
            ("sand", "sand"),
            ("snow_field", "snow"),
            ("broadleaf_forest", "grass"),
            ("scree", "gravel"),
            ("bare rock", "stone"),
            ("marsh", "dirt"),
        ] {
            assert_eq!(surface(class), expected);
        }
    }
}
