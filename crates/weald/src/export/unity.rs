//! Terrain for Unity: raw heightmaps and splat maps.
//!
//! Unity reads raw heights of 16 bits without a sign, in squares of 2ⁿ + 1 samples at vertices, and puts the first row at z = 0, which is the
//! south (<https://docs.unity3d.com/Manual/terrain-Heightmaps.html>). The files have the byte order that its import dialog calls
//! Windows, and rows from the south, so that no box has to be ticked. Maps of more than 4097 samples are cut into tiles that share their
//! edges; the importer of its Terrain Toolbox wants names that end in `_X_Z`.

use super::cover::{Cover, taps};
use super::quantise::{Outside, quantise};
use super::sidecar::{Registration, Sidecar};
use super::target::{Delivered, Form, Needs, Source, Target, TargetOption};
use super::terrain::{clipped_note, higher, range, resampled_note, short, side, spacing, span_m, unit_m};
use crate::error::{Error, Result};
use crate::files;
use crate::sink::Sink;
use serde_json::{Value, json};
use std::path::Path;
use weald_core::resample::at_vertices;
use weald_core::{Ctx, Grid};

/// The target `unity`.
pub static TARGET: Target = Target {
    name: "unity",
    about: "heightmaps of 2^n+1 samples, south first, and splat maps of the cover",
    files: "NAME.raw (NAME_X_Z.raw for maps of more than 4097 samples), NAME_splatN.png, layers.json",
    readers: "Unity",
    needs: Needs::Ground,
    takes: &[TargetOption::Samples, TargetOption::HeightScale, TargetOption::Clip],
    validate: Some(|o| side(SIZES, 0, o.samples, "Unity").map(drop)),
    form: Form::Folder(export),
};

/// Samples along a side that Unity takes.
const SIZES: &[usize] = &[33, 65, 129, 257, 513, 1025, 2049, 4097];

/// The largest terrain that Unity's inspector takes, in its units.
const MOST_SPAN: f64 = 100_000.0;
const MOST_HEIGHT: f64 = 10_000.0;

/// How a map is cut into tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    /// Samples along a side of a tile.
    side: usize,
    /// Tiles from west to east and from south to north.
    tiles: (usize, usize),
}

impl Plan {
    /// One tile of the size that was asked for or of the least size that has all cells; several of the largest size if there is none.
    fn new((columns, rows): (usize, usize), asked: Option<usize>, sizes: &[usize]) -> Result<Self> {
        let side = side(sizes, columns.max(rows), asked, "Unity")?;
        let along = |cells: usize| if asked.is_some() { 1 } else { (cells - 1).div_ceil(side - 1) };
        Ok(Self { side, tiles: (along(columns), along(rows)) })
    }

    /// Samples of all tiles together; edges that two tiles share count once.
    fn samples(self) -> (usize, usize) {
        (self.tiles.0 * (self.side - 1) + 1, self.tiles.1 * (self.side - 1) + 1)
    }

    /// The tiles as (X, Z) with what their names end in, from the south-west.
    fn each(self) -> impl Iterator<Item = (usize, usize, String)> {
        let alone = self.tiles == (1, 1);
        (0..self.tiles.1).flat_map(move |z| {
            (0..self.tiles.0).map(move |x| (x, z, if alone { String::new() } else { format!("_{x}_{z}") }))
        })
    }

    /// The first of the rows or pixels from the north of tile `z`, of `count` per tile.
    fn north(self, z: usize, count: usize) -> usize {
        (self.tiles.1 - 1 - z) * count
    }
}

fn export(source: &Source, dir: &Path, ctx: &Ctx) -> Result<Delivered> {
    write(source, dir, SIZES, ctx)
}

/// Writes the target with tiles of those sizes.
fn write(source: &Source, dir: &Path, sizes: &[usize], ctx: &Ctx) -> Result<Delivered> {
    let heights = source.heights(ctx)?;
    let span = span_m(&heights)?;
    let cells = heights.height.shape();
    let plan = Plan::new(cells, source.options.samples, sizes)?;
    let samples = plan.samples();
    let range = range(source, &heights, ctx)?;
    let height = at_vertices(&heights.height, samples, &ctx.quiet())?;
    let (values, clipped) = quantise(&height, range, Outside::of(source.options.clip), &higher, ctx)?;
    drop(height);
    let mut files = Vec::new();
    for (x, z, ending) in plan.each() {
        let name = format!("{}{ending}.raw", source.stem);
        let mut out = Sink::open(dir.join(&name))?;
        out.write(&tile(&values, (x * (plan.side - 1), plan.north(z, plan.side - 1)), plan.side))?;
        out.finish()?;
        files.push((name, "heights, 16 bits, little-endian, south first".to_owned()));
    }
    let layers = splat(source, dir, plan, &mut files, ctx)?;
    let path = dir.join("layers.json");
    files::write(&path, format!("{layers:#}\n")).map_err(|e| Error::io(&path, e))?;
    files.push(("layers.json".into(), "which class is in which channel of which splat map".into()));

    let (width, length) = (span.0 / plan.tiles.0 as f64, span.1 / plan.tiles.1 as f64);
    let unit = unit_m(&[(width.max(length), MOST_SPAN), (range.span_m(), MOST_HEIGHT)]);
    let units = |metres: f64| short(metres / unit, 4);
    let mut numbers = vec![
        format!(
            "Import Raw: depth 16 bit, resolution {}, byte order Windows, Flip Vertically off",
            plan.side
        ),
        format!(
            "Terrain Width {}, Terrain Length {}, Terrain Height {}",
            units(width),
            units(length),
            units(range.span_m())
        ),
        format!("position y {}, so that the sea is at y = 0", units(range.low_m)),
    ];
    if unit != 1.0 {
        numbers.push(format!(
            "a unit stands for {unit} m, because Unity takes at most {MOST_SPAN} units of width and length and {MOST_HEIGHT} of height"
        ));
    }
    let spaces = (span.0 / (samples.0 - 1) as f64, span.1 / (samples.1 - 1) as f64);
    numbers.push(spacing(spaces));
    if plan.tiles != (1, 1) {
        numbers.push(format!(
            "{} by {} tiles, which share their edges; NAME_0_0 is in the south-west, X counts to the east and Z to the north",
            plan.tiles.0, plan.tiles.1
        ));
    }
    numbers.extend(resampled_note(cells, samples));
    numbers.extend(clipped_note(clipped, range));
    numbers.extend(source.note());
    let more = json!({
        "byte_order": "little endian", "samples": [samples.0, samples.1], "tiles": [plan.tiles.0, plan.tiles.1],
        "terrain_width_m": width, "terrain_length_m": length, "terrain_height_m": range.span_m(),
        "position_y_m": range.low_m,
    });
    let raw = files.iter().map(|(name, _)| name).filter(|name| name.ends_with(".raw"));
    let sidecar = Sidecar {
        files: raw.cloned().collect(),
        size: Some((plan.side, plan.side)),
        registration: Registration::Vertex,
        metres_per_pixel: Some(spaces.0),
        metres_per_pixel_y: Some(spaces.1),
        range_m: Some((range.low_m, range.high_m)),
        south_first: true,
        more: more.as_object().cloned().unwrap_or_default(),
        ..Sidecar::default()
    };
    Ok(Delivered { files, numbers, sidecar })
}

/// The samples of a tile that begins at a column and at a row from the north, as bytes, rows from the south.
fn tile(values: &Grid<u16>, (west, north): (usize, usize), side: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 * side * side);
    for y in (north..north + side).rev() {
        values.row(y)[west..west + side].iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()));
    }
    bytes
}

/// Writes the splat maps, four classes a file, and says which class is where.
fn splat(
    source: &Source,
    dir: &Path,
    plan: Plan,
    files: &mut Vec<(String, String)>,
    ctx: &Ctx,
) -> Result<Value> {
    let cover = Cover::of(source, ctx)?;
    let pixels = plan.side - 1;
    let (width, height) = cover.cells.shape();
    let columns = taps(width, plan.tiles.0 * pixels, Registration::PixelCentre);
    let rows = taps(height, plan.tiles.1 * pixels, Registration::PixelCentre);
    let mut entries = Vec::new();
    for (x, z, ending) in plan.each() {
        let mut maps = Vec::new();
        for (i, four) in cover.classes.chunks(4).enumerate() {
            let name = format!("{}{ending}_splat{i}.png", source.stem);
            let channels: Vec<Option<usize>> =
                (0..4).map(|k| (k < four.len()).then_some(4 * i + k)).collect();
            maps.push((dir.join(&name), channels));
            for (channel, class) in ["R", "G", "B", "A"].iter().zip(four) {
                entries.push(json!({
                    "file": name, "channel": channel, "class": class.name, "value": class.value, "colour": class.colour,
                }));
            }
            files.push((name, "weights of four classes, 255 in sum over all files".to_owned()));
        }
        let (west, north) = (x * pixels, plan.north(z, pixels));
        cover.write_pngs(&maps, &columns[west..west + pixels], &rows[north..north + pixels], ctx)?;
    }
    Ok(json!({"size": pixels, "sum": 255, "rows": "north first", "layers": entries}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_maps_are_cut_into_tiles_that_share_their_edges() {
        let plan = Plan::new((100, 70), None, &[33]).unwrap();
        assert_eq!((plan.tiles, plan.samples()), ((4, 3), (129, 97)));
        let values = Grid::from_fn(129, 97, |x, y| (x * 200 + y) as u16);
        let read = |x: usize, z: usize| -> Vec<u16> {
            let bytes = tile(&values, (x * 32, plan.north(z, 32)), 33);
            bytes.as_chunks::<2>().0.iter().map(|&b| u16::from_le_bytes(b)).collect()
        };
        let south_west = read(0, 0);
        assert_eq!(south_west[0], values[(0, 96)], "the first sample is the south-western corner");
        assert_eq!(south_west[1], values[(1, 96)]);
        assert_eq!(south_west[33], values[(0, 95)]);
        let (east, north) = (read(1, 0), read(0, 1));
        assert!((0..33).all(|row| south_west[row * 33 + 32] == east[row * 33]));
        assert_eq!(south_west[32 * 33..], north[..33]);
        assert_eq!(read(3, 2)[33 * 33 - 1], values[(128, 0)]);
        let names: Vec<String> = plan.each().map(|t| t.2).collect();
        assert_eq!((names[0].as_str(), names[4].as_str(), names.len()), ("_0_0", "_0_1", 12));
    }

    #[test]
    fn sizes_are_the_nearest_above_and_those_asked_for_make_one_tile() {
        let side = |cells: usize| Plan::new((cells, cells), None, SIZES).unwrap();
        assert_eq!(side(48), Plan { side: 65, tiles: (1, 1) });
        assert_eq!(side(4097), Plan { side: 4097, tiles: (1, 1) });
        assert_eq!(side(4098), Plan { side: 4097, tiles: (2, 2) });
        assert_eq!(side(8193), Plan { side: 4097, tiles: (2, 2) });
        assert_eq!(Plan::new((9000, 50), Some(513), SIZES).unwrap(), Plan { side: 513, tiles: (1, 1) });
        assert!(Plan::new((48, 48), Some(512), SIZES).is_err());
    }
}
