//! Vector maps at a scale, for orienteers, printers and map makers: SVG and PDF sheets of real size, and maps for OpenOrienteering
//! Mapper.
//!
//! [`Chart::of`] turns a catalogue into objects with symbols of ISOM 2017-2, in millimetres on paper; [`Chart::svg`], [`Chart::pdf`]
//! and [`Chart::omap`] write them. Symbols have the sizes of 1:15 000 and are enlarged at larger scales, up to 1.5 times at 1:10 000,
//! as the standard says.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`symbols`] | the table of symbols and inks |
//! | `areas`, `relief`, `ways`, `points` | areas with common borders, contours, lines, points and names |
//! | `course` | the course that is printed over the map |
//! | [`layout`] | paper, scale, legend |
//! | `paint` | the order in which objects are drawn |
//! | `svg`, `pdf`, `omap` | the formats |

mod areas;
mod course;
pub mod layout;
mod omap;
mod paint;
mod pdf;
mod points;
mod relief;
mod svg;
pub mod symbols;
#[cfg(test)]
mod tests;
mod text;
mod ways;

pub use course::{ChartControl, ChartCourse};
pub use layout::Paper;

use super::placement::Wgs84;
use super::sidecar::Sidecar;
use super::target::{Delivered, Form, Needs, Source, Target, TargetOption};
use crate::catalogue::Catalogue;
use crate::error::{Error, Result};
use crate::georeference::{CrsUnit, GeoReference};
use crate::sink::Sink;
use crate::style::chart::{AreaLook, AreaStyle, ChartStyle, Code};
use layout::Sheet;
use serde_json::json;
use std::path::Path;
use weald_core::{Cells, Ctx, Grid, blur};

/// What charts take.
const OPTIONS: &[TargetOption] = &[TargetOption::Scale, TargetOption::Paper, TargetOption::Contour];

/// The target `svg`.
pub static SVG: Target = Target {
    name: "svg",
    about: "a vector map at a scale",
    files: "NAME.svg",
    readers: "browsers, Inkscape, Illustrator",
    needs: Needs::Chart,
    takes: OPTIONS,
    validate: None,
    form: Form::File("svg", |source, path, ctx| export(source, path, ctx, |chart| Ok(chart.svg()))),
};

/// The target `pdf`.
pub static PDF: Target = Target {
    name: "pdf",
    about: "a vector map at a scale, to print",
    files: "NAME.pdf",
    readers: "every PDF viewer",
    needs: Needs::Chart,
    takes: OPTIONS,
    validate: None,
    form: Form::File("pdf", |source, path, ctx| export(source, path, ctx, Chart::pdf)),
};

/// The target `omap`.
pub static OMAP: Target = Target {
    name: "omap",
    about: "an orienteering map with symbols of ISOM 2017-2",
    files: "NAME.omap",
    readers: "OpenOrienteering Mapper 0.9 and newer",
    needs: Needs::Chart,
    takes: OPTIONS,
    validate: None,
    form: Form::File("omap", |source, path, ctx| export(source, path, ctx, |chart| Ok(chart.omap()))),
};

/// Makes the chart of a world and writes it.
fn export(
    source: &Source,
    path: &Path,
    ctx: &Ctx,
    bytes: impl Fn(&Chart) -> Result<Vec<u8>>,
) -> Result<Delivered> {
    let none = || Error::Internal(format!("the world {} has no vector map", source.catalogue.world));
    let style = source.in_metres(source.exports.chart.ok_or_else(none)?())?;
    let chart = Chart::of(source.catalogue, &style, &source.options.chart, ctx)?;
    let mut out = Sink::open(path)?;
    out.write(&bytes(&chart)?)?;
    out.finish()?;
    let (width, height) = chart.size_mm;
    let mut numbers = vec![format!(
        "scale 1:{}, {width:.1} x {height:.1} mm, north lines every {} m",
        chart.scale, chart.north_lines_m
    )];
    numbers.extend(chart.interval_m.map(|m| format!("contours every {m} m")));
    numbers.extend(source.note());
    let more = json!({"scale": chart.scale, "width_mm": width, "height_mm": height, "contour_interval_m": chart.interval_m});
    let sidecar = Sidecar { more: more.as_object().cloned().unwrap_or_default(), ..Sidecar::default() };
    Ok(Delivered { files: Vec::new(), numbers, sidecar })
}

/// A place on paper in millimetres, x to the right and y down.
pub type P = (f64, f64);

/// What a chart is made with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartOptions {
    /// 10 000 for 1:10 000; without it the largest round scale that fits the paper.
    pub scale: Option<u32>,
    /// The paper; A4 without it.
    pub paper: Option<Paper>,
    /// Contour interval in metres; without it 5 m or more, so that steep slopes can be drawn.
    pub interval_m: Option<f64>,
    /// A course to print over the map instead of the world's own.
    pub course: Option<ChartCourse>,
}

/// A map as objects on paper.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What the map shows.
    pub title: String,
    /// 10 000 for 1:10 000.
    pub scale: u32,
    /// What sizes of symbols are multiplied by: 1.5 at 1:10 000, 1 at 1:15 000 and smaller scales.
    pub enlarged: f64,
    /// Width and height of the map on paper in millimetres.
    pub size_mm: (f64, f64),
    /// Contour interval in metres, if there are contours.
    pub interval_m: Option<f64>,
    /// Distance between north lines in metres.
    pub north_lines_m: f64,
    /// Objects in the order of their symbols, in millimetres from the north-western corner of the map.
    pub objects: Vec<Object>,
    /// The sheet around the map.
    pub sheet: Sheet,
    /// Where the middle of the map is.
    middle: Middle,
}

/// Where the middle of a map is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Middle {
    /// Metres, x east and y north.
    at: P,
    /// The EPSG code of the reference system of `at`, if it has one.
    epsg: Option<u32>,
    /// Longitude, from −180 to 180, and latitude, if they can be computed.
    degrees: Option<P>,
    /// Metres of the reference system to a metre of the ground, with six decimals; 1 where that is not known.
    grid_scale: f64,
    /// What lengths of the chart are multiplied by to be those of the ground: 1 but for charts in metres of the reference system.
    to_ground: f64,
}

impl Middle {
    /// In the coordinate reference system of the map if that is in metres, else in those of the frame.
    fn of(catalogue: &Catalogue, metres_per_unit: f64) -> Self {
        let frame = &catalogue.frame;
        let (columns, rows) = (frame.width as f64 / 2.0, frame.height as f64 / 2.0);
        match catalogue.georeference {
            Some(GeoReference { epsg: Some(code), unit: CrsUnit::Metre, west, north, step }) => {
                let at = (west + columns * step.0, north - rows * step.1);
                let system = Wgs84::of(code);
                let wrapped = |longitude: f64| match longitude.abs() <= 180.0 {
                    true => longitude,
                    false => (longitude + 180.0).rem_euclid(360.0) - 180.0,
                };
                let degrees = system.map(|system| system.longitude_latitude(at));
                // Metres of the system to a metre of the chart.
                let drawn = step.0 / (frame.cell_m * metres_per_unit);
                let same = (drawn - 1.0).abs() < 1e-6;
                let scale = system.and_then(|s| s.grid_scale(at)).filter(|_| same).unwrap_or(drawn);
                let grid_scale = (scale * 1e6).round() / 1e6;
                Self {
                    at,
                    epsg: Some(code),
                    degrees: degrees.map(|(longitude, latitude)| (wrapped(longitude), latitude)),
                    grid_scale,
                    to_ground: drawn / grid_scale,
                }
            }
            _ => {
                let (x, y) = (frame.origin.0 + columns * frame.cell_m, frame.origin.1 + rows * frame.cell_m);
                // Adding 0 turns −0 into 0.
                let at = (x * metres_per_unit + 0.0, -y * metres_per_unit + 0.0);
                Self { at, epsg: None, degrees: None, grid_scale: 1.0, to_ground: 1.0 }
            }
        }
    }
}

/// Something on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Position of its symbol in [`symbols::SYMBOLS`].
    pub symbol: usize,
    /// Where it is.
    pub shape: Shape,
}

/// Where an object is.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// An outer ring and its holes; the last point of a ring repeats the first.
    Area(Vec<Vec<P>>),
    /// A line; a closed one repeats its first point.
    Line(Vec<P>),
    /// A point, and the angle in degrees by which its symbol is turned clockwise.
    Point(P, f64),
    /// The left end of the line on which a text stands, and the text.
    Text(P, String),
}

/// The scale from cells and places to paper.
#[derive(Clone, Copy, Debug)]
struct Ground {
    /// Columns and rows of cells.
    shape: (usize, usize),
    /// Side of a cell in metres.
    cell_m: f64,
    /// Side of a cell on paper.
    cell_mm: f64,
    /// The north-western corner in units of the frame.
    origin: P,
    /// Millimetres of a unit of the frame.
    mm_per_unit: f64,
    /// What sizes of symbols are multiplied by.
    enlarged: f64,
}

impl Ground {
    /// The place on paper of a place in units of the frame.
    fn at(&self, (x, y): (f64, f64)) -> P {
        ((x - self.origin.0) * self.mm_per_unit, (y - self.origin.1) * self.mm_per_unit)
    }

    /// Width and height on paper.
    fn size(&self) -> P {
        (self.shape.0 as f64 * self.cell_mm, self.shape.1 as f64 * self.cell_mm)
    }
}

/// Open water on paper.
struct Water {
    share: Grid<f32>,
    block_mm: f64,
    any: bool,
}

impl Water {
    fn of(base: &areas::Partition, ground: &Ground, ctx: &Ctx) -> Result<Self> {
        let share = base.water();
        let any = share.cells().contains(&1.0);
        let share = if any { blur::gaussian(&share, 1.0, ctx)? } else { share };
        Ok(Self { share, block_mm: base.block() as f64 * ground.cell_mm, any })
    }

    /// More than 0 in open water.
    fn at(&self, (x, y): P) -> f64 {
        self.share.bilinear(x / self.block_mm - 0.5, y / self.block_mm - 0.5) - 0.5
    }
}

/// The symbol with that code.
fn symbol(code: Code) -> Result<usize> {
    symbols::find(code).ok_or_else(|| Error::Internal(format!("a chart has no symbol {code}")))
}

impl Chart {
    /// The chart of `catalogue` as `style` says.
    ///
    /// Fails if a layer is missing, if there is no cell, or if the map does not fit the paper at the scale; the message names a scale and
    /// a paper that fit. Sets of lines and points that are missing are left out.
    pub fn of(catalogue: &Catalogue, style: &ChartStyle, options: &ChartOptions, ctx: &Ctx) -> Result<Self> {
        let frame = &catalogue.frame;
        if frame.width == 0 || frame.height == 0 {
            return Err(Error::Shape("a map needs at least one cell".into()));
        }
        let cell_m = frame.cell_m * style.metres_per_unit;
        let course = course::of(catalogue, style, options);
        let size_m = (frame.width as f64 * cell_m, frame.height as f64 * cell_m);
        let plan = layout::Plan::of(size_m, style, course.as_ref(), options)?;
        let scale = f64::from(plan.scale);
        let ground = Ground {
            shape: (frame.width, frame.height),
            cell_m,
            cell_mm: cell_m * 1000.0 / scale,
            origin: frame.origin,
            mm_per_unit: style.metres_per_unit * 1000.0 / scale,
            enlarged: plan.enlarged,
        };
        let west_m = frame.origin.0 * style.metres_per_unit;
        let north_lines_m = layout::north_lines_m(plan.scale, (west_m, size_m.0));
        let mut chart = Self {
            title: (style.title)(catalogue),
            scale: plan.scale,
            enlarged: plan.enlarged,
            size_mm: ground.size(),
            interval_m: None,
            north_lines_m,
            objects: Vec::new(),
            sheet: Sheet::default(),
            middle: Middle::of(catalogue, style.metres_per_unit),
        };
        let water = chart.add_areas(catalogue, style, &ground, ctx)?;
        if let Some(contours) = &style.contours {
            let wish = options.interval_m;
            let (objects, interval) = relief::contours(catalogue, contours, wish, &ground, &water, ctx)?;
            chart.objects.extend(objects);
            chart.interval_m = Some(interval);
        }
        chart.objects.extend(ways::streams(catalogue, style, &ground, &water)?);
        chart.objects.extend(ways::lines(catalogue, style, &ground, &water)?);
        let lines = layout::north_lines(north_lines_m, (west_m, size_m.0), plan.scale);
        chart.objects.extend(chart.north_lines(&lines)?);
        let marks = points::points(catalogue, style, &ground)?;
        chart.objects.extend(points::squares(catalogue, style, &ground)?);
        chart.objects.extend(points::labels(catalogue, style, &ground, &marks)?);
        chart.objects.extend(marks);
        if let Some(course) = &course {
            chart.objects.extend(course::objects(course, &ground)?);
        }
        chart.objects.sort_by_key(|o| o.symbol);
        chart.sheet = layout::sheet(&chart, catalogue, style, course.as_ref(), &plan)?;
        ctx.checkpoint()?;
        Ok(chart)
    }

    /// Positions in [`symbols::SYMBOLS`] of the symbols that occur.
    pub fn used(&self) -> Vec<usize> {
        let mut used: Vec<usize> = self.objects.iter().map(|o| o.symbol).collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// Adds the areas and their edges, and finds the open water.
    fn add_areas(
        &mut self,
        catalogue: &Catalogue,
        style: &ChartStyle,
        ground: &Ground,
        ctx: &Ctx,
    ) -> Result<Water> {
        let layers: Vec<(AreaStyle, Cells)> =
            style.areas.iter().map(|a| Ok((*a, catalogue.cells(a.layer)?))).collect::<Result<_>>()?;
        let cover = areas::cover(&layers, ground, ctx)?;
        for partition in [&cover.base, &cover.over] {
            for area in partition.areas(ground, ctx)? {
                let (code, edge) = match partition.looks[area.class as usize].0 {
                    AreaLook::Area(code, edge) | AreaLook::Water(code, edge) => (code, edge),
                    AreaLook::Over(code) => (code, None),
                    AreaLook::Paper | AreaLook::Through => continue,
                };
                self.objects.push(Object { symbol: symbol(code)?, shape: Shape::Area(area.rings) });
                if let Some(edge) = edge {
                    let symbol = symbol(edge)?;
                    let line = |line| Object { symbol, shape: Shape::Line(line) };
                    self.objects.extend(area.edges.into_iter().map(line));
                }
            }
        }
        Water::of(&cover.base, ground, ctx)
    }

    /// The north lines at these distances from the western edge.
    fn north_lines(&self, at: &[f64]) -> Result<Vec<Object>> {
        let (symbol, height) = (symbol("601")?, self.size_mm.1);
        Ok(at.iter().map(|&x| Object { symbol, shape: Shape::Line(vec![(x, height), (x, 0.0)]) }).collect())
    }

    /// The title and the scale, for what readers show of a file.
    fn heading(&self) -> String {
        format!("{}, 1:{}", self.title, self.scale)
    }
}
