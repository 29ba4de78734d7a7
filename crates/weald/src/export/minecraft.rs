//! The ground for Minecraft, by the editor WorldPainter: a height picture and a script that makes a world of it.
//!
//! WorldPainter reads pictures of 16 bits; one of its presets takes values of 256 to a block, counted from level 0 or −64
//! (<https://www.worldpainter.net/>). Its scripts are JavaScript (<https://www.worldpainter.net/trac/wiki/Scripting/API>).
//!
//! The sea is at level 61.5: ground below it has its highest block at 61 or lower, under the water at 62, and land begins at 62.

use super::blocks::{self, Blocks};
use super::png::write_grey16;
use super::sidecar::{Registration, Sidecar};
use super::target::{Delivered, Form, Needs, Source, Target, TargetOption};
use super::terrain::short;
use crate::error::{Error, Result};
use crate::files;
use crate::sink::Sink;
use serde_json::json;
use std::path::Path;
use weald_core::{Ctx, Grid, par, stats};

/// The target `minecraft`.
pub static TARGET: Target = Target {
    name: "minecraft",
    about: "a height picture for WorldPainter, and the script that makes a world of it",
    files: "NAME.png, NAME.js",
    readers: "WorldPainter, for Minecraft 1.18 and later",
    needs: Needs::Ground,
    takes: &[TargetOption::Samples],
    validate: Some(|o| blocks::fits(o.samples, MOST)),
    form: Form::Folder(export),
};

/// Blocks along a side, at most.
const MOST: usize = 30_000;
/// Level of the water, and of the sea in the picture, which is half a block below it.
const WATER: f64 = 62.0;
const SEA: f64 = WATER - 0.5;
/// Levels between which Minecraft has blocks.
const LOWEST: f64 = -64.0;
const HIGHEST: f64 = 320.0;
/// Blocks that are kept free below the ground and above the summits.
const ROOM: f64 = 4.0;

/// How levels become values.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Levels {
    /// The level of the value 0.
    base: f64,
    /// Values to a block.
    per_block: f64,
    /// Blocks to a block of height above the sea, and of depth below it: less than 1 where the ground would not fit.
    land: f64,
    sea: f64,
}

impl Levels {
    /// 256 values to a block from level 0 or −64 if the ground fits, else 170 from −64, which reach up to 320. Heights and depths that do
    /// not fit between the levels of Minecraft are reduced, each by itself.
    fn of(lowest: f64, highest: f64) -> Self {
        let fitted = |blocks: f64, room: f64| if blocks > room { room / blocks } else { 1.0 };
        let land = fitted(highest, HIGHEST - ROOM - SEA);
        let sea = fitted(-lowest, SEA - LOWEST - ROOM);
        let level = |h: f64| SEA + if h < 0.0 { h * sea } else { h * land };
        let fits = |base: f64| level(lowest) >= base && level(highest) <= base + 65535.0 / 256.0;
        match () {
            () if fits(0.0) => Self { base: 0.0, per_block: 256.0, land, sea },
            () if fits(LOWEST) => Self { base: LOWEST, per_block: 256.0, land, sea },
            () => Self { base: LOWEST, per_block: 170.0, land, sea },
        }
    }

    /// The value of a height above the sea, in blocks.
    fn value(self, height: f64) -> u16 {
        let level = SEA + if height < 0.0 { height * self.sea } else { height * self.land };
        ((level - self.base) * self.per_block).round().clamp(0.0, 65535.0) as u16
    }

    /// Metres above the sea of a grey from 0 for black to 1 for white, with blocks of that size.
    fn metres(self, grey: f64, block_m: f64) -> f64 {
        let blocks = grey * 65535.0 / self.per_block + self.base - SEA;
        block_m * blocks / if blocks < 0.0 { self.sea } else { self.land }
    }

    /// Whether heights or depths are reduced.
    fn reduced(self) -> bool {
        self.land < 1.0 || self.sea < 1.0
    }

    /// The grey of the sea, where depths and heights have the same metres.
    fn sea_grey(self) -> f64 {
        (SEA - self.base) * self.per_block / 65535.0
    }

    /// The number of whole levels that the script maps, from value 0 on.
    fn count(self) -> f64 {
        (65535.0 / self.per_block).floor().min(HIGHEST - self.base)
    }
}

fn export(source: &Source, dir: &Path, ctx: &Ctx) -> Result<Delivered> {
    let blocks = Blocks::of(source, MOST, ctx)?;
    let (lowest, highest) = stats::min_max(&blocks.height, &ctx.quiet())?.unwrap_or((0.0, 0.0));
    let levels = Levels::of(f64::from(lowest), f64::from(highest));
    let (width, height) = blocks.height.shape();
    let values: Grid<u16> = par::fill(width, height, &ctx.quiet(), |y, row: &mut [u16]| {
        let heights = blocks.height.row(y).iter();
        row.iter_mut().zip(heights).for_each(|(out, h)| *out = levels.value(f64::from(*h)));
    })?;
    let name = format!("{}.png", source.stem);
    let mut out = Sink::open(dir.join(&name))?;
    out.with(|out| write_grey16(out, &values))?;
    out.finish()?;
    let script_name = format!("{}.js", source.stem);
    let path = dir.join(&script_name);
    files::write(&path, script(source.stem, levels)).map_err(|e| Error::io(&path, e))?;

    let mut numbers = vec![
        blocks.scale(),
        format!(
            "wpscript {script_name}, or Tools > Run script... with the folder of the files as its parameter; it saves {}.world",
            source.stem
        ),
        format!(
            "by hand, Import height map: scale 100 %, value 0 is level {}, value {} level {}, water level {WATER}",
            levels.base,
            levels.count() * levels.per_block,
            levels.base + levels.count()
        ),
    ];
    for (factor, what) in [(levels.land, "Heights above"), (levels.sea, "Depths below")] {
        if factor < 1.0 {
            numbers.push(format!(
                "{what} the sea are reduced to {} % to fit between levels {LOWEST} and {HIGHEST}",
                short(100.0 * factor, 1)
            ));
        }
    }
    numbers.extend(blocks.sea_note());
    if blocks.inland_water.cells().contains(&1) {
        numbers.push(
            "Lakes above the sea are dry: WorldPainter has one water level for all; flood them by hand"
                .into(),
        );
    }
    numbers.extend(source.note());
    let metres = |grey: f64| levels.metres(grey, blocks.block_m);
    let mut more = json!({
        "block_m": blocks.block_m, "water_level": WATER, "level_of_value_0": levels.base,
        "values_per_block": levels.per_block, "height_factor": levels.land, "depth_factor": levels.sea,
    });
    // Depths and heights have scales of their own then, which no range tells.
    if levels.reduced() {
        more["height_knots_m"] = json!([[0.0, metres(0.0)], [levels.sea_grey(), 0.0], [1.0, metres(1.0)]]);
    }
    let sidecar = Sidecar {
        files: vec![name.clone()],
        size: Some((width, height)),
        registration: Registration::PixelCentre,
        metres_per_pixel: Some(blocks.spaces_m.0),
        metres_per_pixel_y: Some(blocks.spaces_m.1),
        range_m: (!levels.reduced()).then(|| (metres(0.0), metres(1.0))),
        more: more.as_object().cloned().unwrap_or_default(),
        ..Sidecar::default()
    };
    let files = vec![
        (name, format!("levels, {} values to a block from level {}", levels.per_block, levels.base)),
        (script_name, "makes a world of the heights".to_owned()),
    ];
    Ok(Delivered { files, numbers, sidecar })
}

/// The script for WorldPainter.
fn script(stem: &str, levels: Levels) -> String {
    let (values, low, high) = (levels.count() * levels.per_block, levels.base, levels.base + levels.count());
    format!(
        "// Makes a WorldPainter world of {stem}.png. Run it with\n\
         //   wpscript {stem}.js\n\
         // in this folder, or in WorldPainter by Tools > Run script... with the path of this folder as its parameter.\n\
         var folder = arguments.length > 0 ? arguments[0] + '/' : '';\n\
         var heightMap = wp.getHeightMap().fromFile(folder + '{stem}.png').go();\n\
         // The format of Minecraft 1.20.5 and later; 'org.pepsoft.anvil.1.19' is that of 1.19 to 1.20.4.\n\
         var mapFormat = wp.getMapFormat().withId('org.pepsoft.anvil.1.20.5').go();\n\
         var world = wp.createWorld()\n    \
             .fromHeightMap(heightMap)\n    \
             .scale(100)\n    \
             .fromLevels(0, {values}).toLevels({low}, {high})\n    \
             .withWaterLevel({WATER})\n    \
             .withMapFormat(mapFormat)\n    \
             .withLowerBuildLimit({LOWEST})\n    \
             .withUpperBuildLimit({HIGHEST})\n    \
             .go();\n\
         wp.saveWorld(world).toFile(folder + '{stem}.world').go();\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_256_to_a_block_from_level_0_or_from_minus_64() {
        let low = Levels::of(-40.0, 150.0);
        assert_eq!(low, Levels { base: 0.0, per_block: 256.0, land: 1.0, sea: 1.0 });
        assert_eq!((low.value(0.0), low.value(10.0), low.value(-61.5)), (15744, 18304, 0));
        let deep = Levels::of(-100.0, 100.0);
        assert_eq!(deep, Levels { base: -64.0, per_block: 256.0, land: 1.0, sea: 1.0 });
        assert_eq!(deep.value(0.0), ((61.5 + 64.0) * 256.0) as u16);
        assert_eq!((low.count(), deep.count()), (255.0, 255.0));
    }

    #[test]
    fn high_ground_uses_all_levels_and_what_does_not_fit_is_reduced() {
        let high = Levels::of(-20.0, 250.0);
        assert_eq!(high, Levels { base: -64.0, per_block: 170.0, land: 1.0, sea: 1.0 });
        assert_eq!(high.count(), 384.0);
        let level = |levels: Levels, h: f64| f64::from(levels.value(h)) / levels.per_block + levels.base;
        assert!((level(high, 250.0) - 311.5).abs() < 0.003);
        let mountains = Levels::of(-900.0, 2000.0);
        assert!((level(mountains, 2000.0) - 316.0).abs() < 0.01);
        assert!((level(mountains, -900.0) + 60.0).abs() < 0.01);
        assert!((level(mountains, 0.0) - 61.5).abs() < 0.003);
    }

    #[test]
    fn land_and_sea_do_not_change_sides_of_the_water() {
        // WorldPainter rounds levels to whole blocks.
        for (lowest, highest) in [(-30.0, 100.0), (-100.0, 120.0), (-200.0, 900.0)] {
            let levels = Levels::of(lowest, highest);
            for k in 1..400 {
                let h = f64::from(k) * 0.05;
                let top =
                    |h: f64| (f64::from(levels.value(h)) / levels.per_block + levels.base + 0.5).floor();
                assert!(top(h) >= WATER && top(-h) < WATER, "{h}");
            }
        }
    }
}
