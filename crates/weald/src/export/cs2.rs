//! Heightmaps for Cities: Skylines II: pictures of 4096 by 4096 pixels of 16-bit grey.
//!
//! The game takes this size and depth only. Its map is 14 336 m wide, grey v is v / 65535 · height scale above its zero, the scale is typed
//! into the editor and lies between 200 and 10 000, and the sea stands at 511.7 m unless the map's author moves it. A map of the world around
//! is four times as wide, with the same scale and zero. The importer takes heights only.
//!
//! A map of another size is brought to this one with its ground sloping on to the edges. Then both pictures are joined anew, as
//! [`weald_core::seam`] joins maps: the middle 1024 by 1024 pixels of the land around are the means of 4 by 4 pixels of the map, which
//! turns into what they can show towards its border, and the land outside goes on from there.

use super::png;
use super::quantise::{Outside, Range, quantise};
use super::sidecar::Sidecar;
use super::target::{Delivered, Form, Needs, Source, Target, TargetOption};
use crate::error::{Error, Result};
use crate::files;
use crate::sink::Sink;
use std::path::Path;
use weald_core::resample::resampled_to_edges;
use weald_core::seam::{self, Seam};
use weald_core::{Ctx, Grid, par};

/// The target `cs2`.
pub static TARGET: Target = Target {
    name: "cs2",
    about: "heightmaps of 4096 by 4096 pixels of 16-bit grey",
    files: "heightmap.png, worldmap.png if the land around was made",
    readers: "Cities: Skylines II",
    needs: Needs::Ground,
    takes: &[TargetOption::HeightScale, TargetOption::Clip],
    validate: Some(|o| o.height_scale_m.map_or(Ok(()), in_game)),
    form: Form::Folder(export),
};

/// Pixels along a side.
const SIDE: usize = 4096;
/// Metres along a side of the map in the game.
const GAME_M: f64 = 14_336.0;
/// Height of the sea and of white above black in the game, in metres, unless somebody changes them.
const SEA_LEVEL_M: f64 = 511.7;
const HEIGHT_SCALE_M: f64 = 4096.0;
/// Height scales that the editor takes, in metres.
const SCALES: std::ops::RangeInclusive<f64> = 200.0..=10_000.0;
/// Where the game looks for heightmaps.
const FOLDER: &str = "%USERPROFILE%/AppData/LocalLow/Colossal Order/Cities Skylines II/Heightmaps/";
/// The raster with the land around the map.
const AROUND: &str = "worldmap";

fn export(source: &Source, dir: &Path, ctx: &Ctx) -> Result<Delivered> {
    let heights = source.heights(ctx)?;
    let range = range(source)?;
    let (columns, rows) = heights.height.shape();
    let game_m = columns.min(rows) as f64 * heights.cell_m / GAME_M;
    let mut numbers = vec![
        format!(
            "height scale to type into the editor: {}; the sea stands at {} m",
            range.span_m(),
            -range.low_m
        ),
        format!("the game looks for the pictures in {FOLDER}"),
    ];
    if (game_m - 1.0).abs() > 1e-6 {
        numbers.push(format!(
            "1 m of the game stands for {:.4} m of this map from side to side; heights keep their metres",
            game_m
        ));
    }
    if columns != rows {
        let side = columns.min(rows);
        numbers.push(format!("the game's map is square: the middle {side}x{side} of {columns}x{rows} cells"));
    }
    if columns.min(rows) != SIDE {
        numbers.push(format!("resampled from {0}x{0} cells", columns.min(rows)));
    }
    let around = source.catalogue.raster(AROUND);
    if around.is_none() && source.exports.grey.is_some() {
        numbers.push(format!("no {AROUND}.png: for the land around, make the map anew with --{AROUND}"));
    }
    let mut out = Delivered { numbers, ..Delivered::default() };
    let cell_m = game_m * GAME_M / SIDE as f64;
    let picture = Picture { name: "heightmap", about: "heights as 16-bit grey", cell_m, range };
    let mut map = picture.raised(fitted(&heights.height, ctx)?, &mut out, ctx)?;
    let mut wide = around.map(|around| fitted(&around.height, ctx)).transpose()?;
    if let Some(wide) = wide.as_mut().filter(|_| columns.min(rows) != SIDE) {
        let changed = join(source, (&mut map, wide), cell_m, ctx)?;
        out.numbers.push(format!(
            "{AROUND}.png and heightmap.png were joined anew after resampling, which changed heights beside the border by up to {changed:.1} m"
        ));
    }
    picture.write(map, (source, dir), &mut out, ctx)?;
    if let (Some(around), Some(wide)) = (around, wide) {
        let cell_m = around.frame.cell_m * around.frame.width.min(around.frame.height) as f64 / SIDE as f64;
        let about = "the land around the map, four times as wide, as 16-bit grey";
        let picture = Picture { name: AROUND, about, cell_m, range };
        let wide = picture.raised(wide, &mut out, ctx)?;
        picture.write(wide, (source, dir), &mut out, ctx)?;
    }
    out.numbers.extend(source.note());
    Ok(out)
}

/// Joins both maps, which have 4096 cells along a side, and says by how many metres the inner one changed at most. Water keeps its heights,
/// and so do maps that fit each other.
fn join(
    source: &Source,
    (map, wide): (&mut Grid<f32>, &mut Grid<f32>),
    cell_m: f64,
    ctx: &Ctx,
) -> Result<f64> {
    let mut water = Vec::new();
    for (layer, values) in source.ground()?.water {
        water.push((source.catalogue.cells(layer)?, *values));
    }
    let (width, height) = (source.catalogue.frame.width, source.catalogue.frame.height);
    let (from, side) = middle((width, height));
    let wet = |pixel: usize| {
        let (x, y) = (from.0 + pixel % SIDE * side / SIDE, from.1 + pixel / SIDE * side / SIDE);
        water.iter().any(|(cells, values)| values.fit(cells.at(x, y)))
    };
    let seam = Seam::of(cell_m);
    let (joined, rim) = seam::feather(map, &wet, &seam, &ctx.quiet())?;
    *wide = seam::world_map(&joined, &rim, wide, &seam, &ctx.quiet())?;
    let changed = map.cells().iter().zip(joined.cells()).map(|(a, b)| f64::from((a - b).abs()));
    let most = changed.fold(0.0, f64::max);
    *map = joined;
    Ok(most)
}

/// Fails for a height scale that the game does not take.
fn in_game(scale: f64) -> Result<()> {
    match SCALES.contains(&scale) {
        true => Ok(()),
        false => Err(Error::Invalid(format!(
            "a height scale of {scale} m: the game takes {} to {} m; use --height-scale with one of these",
            SCALES.start(),
            SCALES.end()
        ))),
    }
}

/// The heights that black and white stand for: as asked, as the world has them itself, or as the game has them.
fn range(source: &Source) -> Result<Range> {
    let number = |path: &str| source.catalogue.param(path).and_then(|v| v.as_f64());
    let own = source.exports.grey;
    let sea = own.and_then(|grey| number(grey.sea_level_m)).unwrap_or(SEA_LEVEL_M);
    let own_scale = own.and_then(|grey| number(grey.height_scale_m));
    let scale = source.options.height_scale_m.or(own_scale).unwrap_or(HEIGHT_SCALE_M);
    in_game(scale)?;
    Ok(Range { low_m: -sea, high_m: scale - sea })
}

/// A heightmap that is to be written.
struct Picture<'a> {
    name: &'a str,
    about: &'a str,
    /// Metres of the world in a pixel.
    cell_m: f64,
    range: Range,
}

impl Picture<'_> {
    /// The heights with the sea floor at the lowest that the game has, which is said in the numbers.
    fn raised(&self, height: Grid<f32>, out: &mut Delivered, ctx: &Ctx) -> Result<Grid<f32>> {
        let (height, raised) = on_floor(height, self.range.low_m, ctx)?;
        if raised > 0 {
            out.numbers.push(format!(
                "{}: {raised} cells of the sea floor were raised to {} m, the lowest that the game has",
                self.name, self.range.low_m
            ));
        }
        Ok(height)
    }

    /// Writes the picture and the file beside it.
    fn write(
        &self,
        height: Grid<f32>,
        (source, dir): (&Source, &Path),
        out: &mut Delivered,
        ctx: &Ctx,
    ) -> Result<()> {
        let sea = -self.range.low_m;
        let remedy = |needed: Range| match (needed.high_m + sea).ceil() {
            scale if SCALES.contains(&scale) => format!("use --height-scale {scale}"),
            scale => {
                format!("the scale would have to be {scale} m, and the game takes at most {} m", SCALES.end())
            }
        };
        let outside = Outside::of(source.options.clip);
        let (values, clipped) = quantise(&height, self.range, outside, &remedy, ctx)?;
        if clipped > 0 {
            out.numbers
                .push(format!("{}: {clipped} cells above {} m were clipped", self.name, self.range.high_m));
        }
        let file = format!("{}.png", self.name);
        let mut sink = Sink::open(dir.join(&file))?;
        sink.with(|out| png::write_grey16(out, &values))?;
        sink.finish()?;
        let sidecar = Sidecar {
            size: Some(values.shape()),
            metres_per_pixel: Some(self.cell_m),
            range_m: Some((self.range.low_m, self.range.high_m)),
            more: [("bits".into(), 16.into()), ("byte_order".into(), "big endian".into())]
                .into_iter()
                .collect(),
            ..Sidecar::default()
        };
        let beside = format!("{}.terrain.json", self.name);
        let json = sidecar.to_json(TARGET.name, source, &out.numbers);
        let path = dir.join(&beside);
        files::write(&path, format!("{json:#}\n")).map_err(|e| Error::io(&path, e))?;
        // The sidecar of the whole is that of the map itself.
        if out.files.is_empty() {
            out.sidecar = sidecar;
        }
        out.files.push((file, self.about.to_owned()));
        out.files.push((beside, format!("what the grey of {}.png means", self.name)));
        Ok(())
    }
}

/// The largest square in the middle of a map of that shape: its north-western cell and its side.
fn middle((columns, rows): (usize, usize)) -> ((usize, usize), usize) {
    let side = columns.min(rows);
    (((columns - side) / 2, (rows - side) / 2), side)
}

/// The largest square in the middle, with 4096 pixels along a side. More of them slope on to the edges of the map.
fn fitted(height: &Grid<f32>, ctx: &Ctx) -> Result<Grid<f32>> {
    let ((x0, y0), side) = middle(height.shape());
    let square = par::fill(side, side, &ctx.quiet(), |y, row: &mut [f32]| {
        row.copy_from_slice(&height.row(y0 + y)[x0..x0 + side]);
    })?;
    if side == SIDE {
        return Ok(square);
    }
    Ok(resampled_to_edges(&square, (SIDE, SIDE), &ctx.quiet())?)
}

/// The heights with none below `floor`, and how many cells were below it.
fn on_floor(mut height: Grid<f32>, floor: f64, ctx: &Ctx) -> Result<(Grid<f32>, usize)> {
    let below = |h: f32| f64::from(h) < floor;
    let counts =
        par::map(height.height(), &ctx.quiet(), |y| height.row(y).iter().filter(|h| below(**h)).count())?;
    par::for_rows(height.rows_mut(), &ctx.quiet(), |_, row| {
        row.iter_mut().filter(|h| below(**h)).for_each(|h| *h = floor as f32);
    })?;
    Ok((height, counts.into_iter().sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_square_is_taken_and_the_sea_floor_raised() {
        let wide = Grid::from_fn(6, 4, |x, _| x as f32);
        let square = fitted(&wide, &Ctx::default()).unwrap();
        assert_eq!(square.shape(), (4096, 4096));
        // Half a cell, less half a pixel, beyond the centres of the outermost columns 1 and 4.
        let beyond = 0.5 - 0.5 / 1024.0;
        assert_eq!((square[(0, 0)], square[(4095, 0)]), (1.0 - beyond, 4.0 + beyond));
        let (raised, count) = on_floor(wide, 2.0, &Ctx::default()).unwrap();
        assert_eq!((count, raised.row(0)), (8, &[2.0, 2.0, 2.0, 3.0, 4.0, 5.0][..]));
    }
}
