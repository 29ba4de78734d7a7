//! Ground as a closed solid in binary STL, for 3-D printers.
//!
//! The unit is the millimetre, x points east, y north and z up; the south-western corner of the base lies at the origin. A
//! vertex of the surface lies at the centre of a cell, so N samples span N − 1 cells. Vertical walls lead down to a flat
//! base. Every edge belongs to two triangles that run along it in opposite directions, and normals point outwards: the
//! solid is watertight.

#[cfg(test)]
mod tests;

use super::gltf::{Ground, write_parts};
use super::sidecar::{Registration, Sidecar};
use super::target::{Delivered, ExportOptions, Form, Needs, Source, Target, TargetOption};
use crate::error::{Error, Result};
use crate::sink::Sink;
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;
use weald_core::resample::{Values, resampled};
use weald_core::{Ctx, Grid, stats};

/// The target `stl`.
pub static TARGET: Target = Target {
    name: "stl",
    about: "the ground as a closed solid in millimetres",
    files: "NAME.stl",
    readers: "slicers of 3-D printers, such as PrusaSlicer and Cura",
    needs: Needs::Ground,
    takes: &[TargetOption::Samples, TargetOption::Scale, TargetOption::Width, TargetOption::Exaggeration],
    validate: Some(|o| StlOptions::of(o).map(drop)),
    form: Form::File("stl", export),
};

/// Writes the ground of a world as a print.
fn export(source: &Source, path: &Path, ctx: &Ctx) -> Result<Delivered> {
    let heights = source.heights(ctx)?;
    let options = StlOptions::of(source.options)?;
    let mut out = Sink::open(path)?;
    let made = write(&mut out, &heights.height, heights.cell_m, &options, ctx)?;
    out.finish()?;
    let (width, depth, height) = (made.width_mm, made.depth_mm, made.height_mm);
    let mut numbers = vec![format!(
        "{width:.1} x {depth:.1} x {height:.1} mm, scale 1:{:.0}, heights {} times, {} triangles",
        made.scale, options.exaggeration, made.triangles
    )];
    numbers.extend(samples_note(made.source, made.samples, source.options.samples));
    numbers.extend(source.note());
    let sidecar = Sidecar {
        size: Some(made.samples),
        registration: Registration::Vertex,
        metres_per_pixel: Some(heights.cell_m * made.source.0 as f64 / made.samples.0 as f64),
        more: [("print".into(), serde_json::to_value(&made).expect("plain data"))].into_iter().collect(),
        ..Sidecar::default()
    };
    Ok(Delivered { files: Vec::new(), numbers, sidecar })
}

/// How the samples of a print differ from the cells of the map, or from how many were asked for, in a sentence; none if they do not.
fn samples_note(cells: (usize, usize), samples: (usize, usize), asked: Option<usize>) -> Option<String> {
    let ((columns, rows), (width, depth)) = (cells, samples);
    if samples != cells {
        return Some(format!("the ground was averaged from {columns}x{rows} to {width}x{depth} samples"));
    }
    asked.filter(|asked| *asked > columns.max(rows)).map(|asked| {
        format!(
            "the map has {columns}x{rows} cells, and the print a sample for each; {asked} samples along a side would show nothing more"
        )
    })
}

/// How large a print is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StlSize {
    /// So many millimetres from west to east, from 1 to 10 000.
    WidthMm(f64),
    /// The ground is so many times as long as the print, from 1 to 1 000 000 000: 25 000 for a scale of 1:25 000.
    Scale(f64),
}

/// What a print looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct StlOptions {
    /// How large it is.
    pub size: StlSize,
    /// Heights are drawn so many times as high as they are, from 0.01 to 1000.
    #[doc(alias = "z factor")]
    pub exaggeration: f64,
    /// Millimetres of the base under the lowest point, from 0.1 to 1000.
    pub base_mm: f64,
    /// Samples along the longer side at most, from 2 to 20 000. A map with more is averaged down to it. 1000 samples are
    /// about two million triangles, or 100 MB.
    pub max_side: usize,
}

impl Default for StlOptions {
    /// 150 mm wide, true to scale, on a base of 3 mm, with at most 1000 samples along a side.
    fn default() -> Self {
        Self { size: StlSize::WidthMm(150.0), exaggeration: 1.0, base_mm: 3.0, max_side: 1000 }
    }
}

/// What was made, in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StlNumbers {
    /// Columns and rows of the map.
    pub source: (usize, usize),
    /// Columns and rows of the print. Where they are fewer than those of the map, the ground was averaged.
    pub samples: (usize, usize),
    /// The ground is so many times as long as the print.
    pub scale: f64,
    /// Millimetres from west to east.
    pub width_mm: f64,
    /// Millimetres from south to north.
    pub depth_mm: f64,
    /// Millimetres from the base to the highest point.
    pub height_mm: f64,
    /// Triangles of surface, walls and base.
    pub triangles: u32,
    /// The length of the file.
    pub bytes: u64,
}

/// Writes ground as a solid: `height` in metres at the centres of square cells of `cell_m`, rows from the north.
///
/// A map with more than `max_side` samples along its longer side is first averaged over larger cells; the outermost
/// vertices then lie at the centres of these. Cost: linear, rows in parallel. Fails if the map has fewer than 2 by 2 samples
/// or heights that are no numbers, or if an option is out of its range.
pub fn write(
    out: &mut Sink,
    height: &Grid<f32>,
    cell_m: f64,
    options: &StlOptions,
    ctx: &Ctx,
) -> Result<StlNumbers> {
    options.validate()?;
    Ground { height, cell_m }.validate(ctx)?;
    let solid = Solid::new(height, cell_m, options, ctx)?;
    let triangles = solid.triangles();
    let mut head = [b' '; 84];
    let title = concat!("Binary STL of weald ", env!("CARGO_PKG_VERSION"), ", UNITS=mm, z up");
    head[..title.len()].copy_from_slice(title.as_bytes());
    head[80..].copy_from_slice(&triangles.to_le_bytes());
    out.write(&head)?;
    let quads = solid.height.height() - 1;
    write_parts(out, quads + 1, ctx, |k| if k < quads { solid.surface(k) } else { solid.walls_and_base() })?;
    let [width_mm, depth_mm] = solid.extent();
    Ok(StlNumbers {
        source: height.shape(),
        samples: solid.height.shape(),
        scale: 1000.0 / solid.mm_per_m,
        width_mm,
        depth_mm,
        height_mm: solid.elevation(solid.highest),
        triangles,
        bytes: head.len() as u64 + FACET as u64 * triangles as u64,
    })
}

impl StlOptions {
    /// Those that were asked for.
    fn of(asked: &ExportOptions) -> Result<Self> {
        let plain = Self::default();
        let size = match (asked.width_mm, asked.chart.scale) {
            (Some(_), Some(_)) => {
                return Err(Error::Invalid(
                    "--scale and --width-mm both say how large a print is; give one".into(),
                ));
            }
            (Some(width), None) => StlSize::WidthMm(width),
            (None, Some(scale)) => StlSize::Scale(scale.into()),
            (None, None) => plain.size,
        };
        let options = Self {
            size,
            exaggeration: asked.exaggeration.unwrap_or(plain.exaggeration),
            max_side: asked.samples.unwrap_or(plain.max_side),
            ..plain
        };
        options.validate()?;
        Ok(options)
    }

    fn validate(&self) -> Result<()> {
        let within = |name: &str, value: f64, low: f64, high: f64| {
            if (low..=high).contains(&value) {
                return Ok(());
            }
            Err(Error::Invalid(format!(
                "{name} {value}: a print takes {low} to {high}; give a number between them"
            )))
        };
        match self.size {
            StlSize::WidthMm(width) => within("--width-mm", width, 1.0, 1e4)?,
            StlSize::Scale(scale) => within("--scale", scale, 1.0, 1e9)?,
        }
        within("--exaggeration", self.exaggeration, 0.01, 1e3)?;
        within("base_mm", self.base_mm, 0.1, 1e3)?;
        within("--samples", self.max_side as f64, 2.0, 2e4)
    }
}

/// Bytes of a triangle in the file: a normal, three corners and two bytes without use.
const FACET: usize = 50;

/// A point in millimetres.
type Point = [f32; 3];

/// The ground as it is printed.
struct Solid<'a> {
    height: Cow<'a, Grid<f32>>,
    lowest: f32,
    highest: f32,
    /// Millimetres between columns and between rows.
    spacing: [f64; 2],
    /// Horizontal scale.
    mm_per_m: f64,
    exaggeration: f64,
    base_mm: f64,
}

impl<'a> Solid<'a> {
    fn new(height: &'a Grid<f32>, cell_m: f64, options: &StlOptions, ctx: &Ctx) -> Result<Self> {
        let (columns, rows) = height.shape();
        let (most, longer) = (options.max_side, columns.max(rows));
        let fewer = |count: usize| ((2 * count * most + longer) / (2 * longer)).max(2);
        let taken = if longer > most { (fewer(columns), fewer(rows)) } else { (columns, rows) };
        let height = if taken == (columns, rows) {
            Cow::Borrowed(height)
        } else {
            Cow::Owned(resampled(height, taken, Values::Measure, &ctx.quiet())?)
        };
        let (lowest, highest) = stats::min_max(&height, &ctx.quiet())?.expect("the map has samples");
        let apart = |before: usize, after: usize| cell_m * before as f64 / after as f64;
        let spacing_m = [apart(columns, taken.0), apart(rows, taken.1)];
        let mm_per_m = match options.size {
            StlSize::WidthMm(width) => width / (spacing_m[0] * (taken.0 - 1) as f64),
            StlSize::Scale(scale) => 1000.0 / scale,
        };
        let (exaggeration, base_mm) = (options.exaggeration, options.base_mm);
        let spacing = spacing_m.map(|m| m * mm_per_m);
        Ok(Self { height, lowest, highest, spacing, mm_per_m, exaggeration, base_mm })
    }

    /// Two triangles for each quad of the surface and of the walls, and one from the middle of the base to each wall quad.
    fn triangles(&self) -> u32 {
        let (columns, rows) = self.height.shape();
        (2 * (columns - 1) * (rows - 1) + 6 * (columns + rows - 2)) as u32
    }

    /// Width and depth.
    fn extent(&self) -> [f64; 2] {
        let (columns, rows) = self.height.shape();
        [(columns - 1) as f64 * self.spacing[0], (rows - 1) as f64 * self.spacing[1]]
    }

    /// Millimetres above the base for a height in metres.
    fn elevation(&self, height: f32) -> f64 {
        let above = height as f64 - self.lowest as f64;
        self.base_mm + above * self.mm_per_m * self.exaggeration
    }

    /// The vertex of a sample on the surface.
    fn top(&self, column: usize, row: usize) -> Point {
        let [x, y, _] = self.bottom(column, row);
        [x, y, self.elevation(self.height[(column, row)]) as f32]
    }

    /// The point of the base under a sample.
    fn bottom(&self, column: usize, row: usize) -> Point {
        let north = self.height.height() - 1 - row;
        [(column as f64 * self.spacing[0]) as f32, (north as f64 * self.spacing[1]) as f32, 0.0]
    }

    /// The surface between rows `row` and `row` + 1; the diagonals alternate, so that no direction is favoured.
    fn surface(&self, row: usize) -> Vec<u8> {
        let quads = self.height.width() - 1;
        let mut out = Vec::with_capacity(2 * quads * FACET);
        for column in 0..quads {
            let [north_west, north_east] = [self.top(column, row), self.top(column + 1, row)];
            let [south_west, south_east] = [self.top(column, row + 1), self.top(column + 1, row + 1)];
            if (row + column).is_multiple_of(2) {
                facet(&mut out, [north_west, south_west, south_east]);
                facet(&mut out, [north_west, south_east, north_east]);
            } else {
                facet(&mut out, [north_west, south_west, north_east]);
                facet(&mut out, [north_east, south_west, south_east]);
            }
        }
        out
    }

    fn walls_and_base(&self) -> Vec<u8> {
        let border = self.border();
        let mut out = Vec::with_capacity(3 * border.len() * FACET);
        let [width, depth] = self.extent();
        let middle = [(0.5 * width) as f32, (0.5 * depth) as f32, 0.0];
        for (i, &a) in border.iter().enumerate() {
            let b = border[(i + 1) % border.len()];
            let [top_a, top_b] = [a, b].map(|(column, row)| self.top(column, row));
            let [bottom_a, bottom_b] = [a, b].map(|(column, row)| self.bottom(column, row));
            facet(&mut out, [top_b, top_a, bottom_a]);
            facet(&mut out, [top_b, bottom_a, bottom_b]);
            facet(&mut out, [middle, bottom_b, bottom_a]);
        }
        out
    }

    /// The samples around the map, counter-clockwise as seen from above, from the north-western corner.
    fn border(&self) -> Vec<(usize, usize)> {
        let (east, south) = (self.height.width() - 1, self.height.height() - 1);
        let west_side = (0..south).map(|row| (0, row));
        let south_side = (0..east).map(|column| (column, south));
        let east_side = (1..=south).rev().map(|row| (east, row));
        let north_side = (1..=east).rev().map(|column| (column, 0));
        west_side.chain(south_side).chain(east_side).chain(north_side).collect()
    }
}

/// Adds a triangle with its normal. The corners are counter-clockwise as seen from outside.
fn facet(out: &mut Vec<u8>, corners: [Point; 3]) {
    let [a, b, c] = corners;
    let side = |end: Point| [0, 1, 2].map(|k| end[k] as f64 - a[k] as f64);
    let ([ux, uy, uz], [vx, vy, vz]) = (side(b), side(c));
    let across = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    let length = across.iter().fold(0.0, |sum, v| sum + v * v).sqrt();
    // Adding 0 turns −0 into 0.
    let normal = across.map(|v| (v / length) as f32 + 0.0);
    for number in [normal, a, b, c].as_flattened() {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.extend_from_slice(&[0; 2]);
}
