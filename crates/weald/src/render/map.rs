//! The map of a catalogue: relief, cover, water, trees and lines on one sheet.

use super::canvas::{Canvas, Pen, Point};
use super::courses;
use super::ground::{Ground, PixelScale, STREAM, TintField, Tone, tone};
use super::image::{Image, Rgb};
use super::labels;
use super::legend::legend;
use super::lines::{Node, Wet, network, smooth, streams};
use super::palette;
use super::points;
use super::relief::relief;
use super::resample::{commonest, measure};
use super::sea::{self, Steps};
use super::sheet::{Imprint, Rows, Section, Sheet};
use super::spline::blurred;
use super::trees::{self, Wood};
use crate::catalogue::{Catalogue, Cells, Feature, FeatureSet, Kind, Layer};
use crate::style::map::{LineStyle, MapStyle, NorthArrow, Northing, Tree, Water};
use crate::{Error, Result};
use weald_core::{Ctx, Grid, math, par};

/// Draws the map of `catalogue` as `style` says, with frame, title, scale and legend.
///
/// The relief is a cubic B-spline through the heights at whole pixels per cell (at least 1200 pixels along the longer side;
/// one pixel per cell from 1200 cells on; the mean of blocks above 4096), lit from the north-west. Trees appear from 4 pixels
/// per cell. Fails if the style names a layer that is missing, or if there is no cell.
pub fn map(catalogue: &Catalogue, style: &MapStyle, ctx: &Ctx) -> Result<Image> {
    let Painted { canvas, view, wet, steps } = Painted::of(catalogue, style, ctx)?;
    // Signs are drawn on one thread; meanwhile the other makes the sheet.
    let (map, sheet) = par::join(
        || signed(canvas, catalogue, style, &view),
        || -> Result<_> {
            let sheet = Sheet::new(&view, imprint(style), legend(catalogue, style, &wet, &steps)?);
            Ok((sheet.blank(), sheet.corner()))
        },
    );
    let (sheet, corner) = sheet?;
    Ok(sheet.into_image_under(&map, corner))
}

/// Draws the map of `catalogue` as [`map`] does, without the sheet around it: pixel for pixel the map within that sheet.
pub fn bare_map(catalogue: &Catalogue, style: &MapStyle, ctx: &Ctx) -> Result<Image> {
    let Painted { canvas, view, .. } = Painted::of(catalogue, style, ctx)?;
    Ok(signed(canvas, catalogue, style, &view).into_image())
}

/// The legend of the map.
pub(super) fn map_legend(catalogue: &Catalogue, style: &MapStyle, ctx: &Ctx) -> Result<Vec<Section>> {
    let Painted { wet, steps, .. } = Painted::of(catalogue, style, ctx)?;
    legend(catalogue, style, &wet, &steps)
}

/// The map itself without signs and names, and what the sheet around it must know of it.
struct Painted {
    canvas: Canvas,
    view: PixelScale,
    wet: Grid<Wet>,
    steps: Steps,
}

impl Painted {
    fn of(catalogue: &Catalogue, style: &MapStyle, ctx: &Ctx) -> Result<Self> {
        let frame = &catalogue.frame;
        if frame.width == 0 || frame.height == 0 {
            return Err(Error::Shape("a map needs at least one cell".into()));
        }
        let view = PixelScale::new(style.px, 1200, frame.width, frame.height);
        let wet = wet_cells(catalogue, style, ctx)?;
        let (rivers, ways) =
            par::join(|| rivers(catalogue, style, &wet, &view), || ways(catalogue, style, &view));
        let rivers = rivers?;
        let ground = ground(catalogue, style, &view, &wet, &free_of_trees(&view, &rivers, &ways), ctx)?;
        let contour_step = ground.relief.as_ref().and_then(|r| r.contour_step);
        let mut canvas = ground.paint(ctx)?;
        drop(ground);
        // Lines are drawn on one thread; meanwhile the others prepare the sea.
        let (drawn, sea) = par::join(
            || {
                draw_rivers(&mut canvas, &rivers, &view);
                courses::draw(&mut canvas, catalogue, style, &wet, &view)
            },
            || sea::sea(catalogue, style, &wet, &view, ctx),
        );
        drawn?;
        let sea = sea?;
        if let Some(sea) = &sea {
            canvas = sea.painted(canvas, &view, ctx)?;
        }
        for (line_style, lines) in &ways {
            draw_ways(&mut canvas, line_style, lines, &view);
        }
        let steps = Steps { contour: contour_step, depth: sea.as_ref().and_then(|s| s.line_step()) };
        Ok(Self { canvas, view, wet, steps })
    }
}

/// The map with the signs of its points, and with names.
fn signed(mut canvas: Canvas, catalogue: &Catalogue, style: &MapStyle, view: &PixelScale) -> Canvas {
    let signs = points::placed(catalogue, &style.points, view);
    points::draw(&mut canvas, &signs, sheet_scale(view));
    labels::draw(&mut canvas, &labels::placed(catalogue, style, &signs, view));
    canvas
}

/// The text of the sheet. Coordinates are counted from the corner of the map.
fn imprint(style: &MapStyle) -> Imprint {
    Imprint {
        title: style.title.clone(),
        subtitle: style.subtitle.clone(),
        notes: style.notes.clone(),
        unit: style.unit,
        corner: (0.0, 0.0),
        northing: Northing::Down,
        north_arrow: NorthArrow::Up,
        rows: Rows::Airy,
    }
}

/// The layer called `name`, of the shape of the frame.
pub(super) fn layer<'c>(catalogue: &'c Catalogue, name: &str) -> Result<&'c Layer> {
    let layer = catalogue.layer(name).ok_or_else(|| {
        let advice = "make the world again with --layers all and with the parameters that give it this layer";
        Error::Invalid(format!("this view needs the layer `{name}`, which is not there; {advice}"))
    })?;
    let (frame, shape) = (&catalogue.frame, layer.cells().shape());
    if shape != (frame.width, frame.height) {
        return Err(Error::Shape(format!(
            "layer `{name}` has {}x{} cells, but the map has {}x{}",
            shape.0, shape.1, frame.width, frame.height
        )));
    }
    Ok(layer)
}

/// The role of each cell in the drawing of water.
pub(super) fn wet_cells(catalogue: &Catalogue, style: &MapStyle, ctx: &Ctx) -> Result<Grid<Wet>> {
    let frame = &catalogue.frame;
    let mut grid = Grid::filled(frame.width, frame.height, Wet::Land);
    if let Some(water) = &style.water {
        let data = layer(catalogue, water.layer)?.cells();
        par::for_rows(grid.rows_mut(), ctx, |y, row| {
            for (x, out) in row.iter_mut().enumerate() {
                *out = wet_of(water, data.at(x, y) as u32);
            }
        })?;
    }
    if let Some(lakes) = &style.lakes {
        let data = layer(catalogue, lakes.layer)?.cells();
        par::for_rows(grid.rows_mut(), ctx, |y, row| {
            for (x, out) in row.iter_mut().enumerate() {
                if data.at(x, y) != 0.0 {
                    *out = Wet::Lake;
                }
            }
        })?;
    }
    if let Some(sea) = &style.sea {
        let data = layer(catalogue, sea.layer)?.cells();
        par::for_rows(grid.rows_mut(), ctx, |y, row| {
            for (x, out) in row.iter_mut().enumerate() {
                if data.at(x, y) < 0.0 {
                    *out = Wet::Sea;
                }
            }
        })?;
    }
    Ok(grid)
}

fn wet_of(water: &Water, value: u32) -> Wet {
    if water.lakes.contains(&value) {
        Wet::Lake
    } else if water.streams.contains(&value) {
        Wet::Stream
    } else if water.marshes.contains(&value) {
        Wet::Marsh
    } else {
        Wet::Land
    }
}

/// Streams as smooth lines; their load becomes the share (0 to 1) of the largest accumulation on a logarithmic scale.
fn rivers(
    catalogue: &Catalogue,
    style: &MapStyle,
    wet: &Grid<Wet>,
    view: &PixelScale,
) -> Result<Vec<Vec<Node>>> {
    let Some(water) = &style.water else {
        return Ok(vec![]);
    };
    let data = |name: &str| -> Result<Option<Cells<'_>>> {
        if name.is_empty() { Ok(None) } else { Ok(Some(layer(catalogue, name)?.cells())) }
    };
    let (flow, load) = (data(water.flow)?, data(water.accumulation)?);
    let mut lines = streams(wet, flow.as_ref(), load.as_ref());
    let loads = || lines.iter().flatten().map(|n| n.load.max(1.0) as f64);
    let (lo, hi) = (loads().fold(f64::INFINITY, f64::min), loads().fold(1.0, f64::max));
    let span = math::ln(hi) - math::ln(lo.min(hi));
    for node in lines.iter_mut().flatten() {
        let above = math::ln(node.load.max(1.0) as f64) - math::ln(lo);
        node.load = if span > 0.0 { math::clamp01(above / span) as f32 } else { 0.4 };
    }
    let rounds = if view.scale >= 3 { 3 } else { 1 };
    Ok(lines.iter().map(|line| smooth(line, rounds)).collect())
}

/// The line sets of the style that the catalogue has, as smooth networks in cells.
fn ways<'s>(
    catalogue: &Catalogue,
    style: &'s MapStyle,
    view: &PixelScale,
) -> Vec<(&'s LineStyle, Vec<Vec<Node>>)> {
    let frame = &catalogue.frame;
    let rounds = if view.scale >= 3 { 2 } else { 1 };
    style
        .lines
        .iter()
        .filter_map(|l| Some((l, catalogue.line_set(l.set)?)))
        .map(|(l, set)| {
            let meant = |f: &&Feature| l.only.is_none_or(|only| only.has(f));
            let features = set.features.iter().filter(meant).cloned().collect();
            let set = FeatureSet { features, name: set.name.clone(), about: set.about.clone() };
            (l, network(&set, frame.cell_m, frame.origin).iter().map(|n| smooth(n, rounds)).collect())
        })
        .collect()
}

/// Pixels close to a line, at half resolution.
fn free_of_trees(
    view: &PixelScale,
    rivers: &[Vec<Node>],
    ways: &[(&LineStyle, Vec<Vec<Node>>)],
) -> Grid<bool> {
    let (w, h) = view.pixels();
    let mut free = Grid::filled(w / 2 + 1, h / 2 + 1, false);
    let s = view.pixels_per_cell();
    if s < trees_from() as f32 {
        return free;
    }
    for node in rivers.iter().flatten().chain(ways.iter().flat_map(|(_, lines)| lines.iter().flatten())) {
        let (x, y) = ((node.x * s / 2.0) as i64, (node.y * s / 2.0) as i64);
        for dy in -1..=1 {
            for dx in -1..=1 {
                if free.contains(x + dx, y + dy) {
                    free[((x + dx) as usize, (y + dy) as usize)] = true;
                }
            }
        }
    }
    free
}

/// Pixels per cell from which single trees are drawn.
const fn trees_from() -> usize {
    4
}

/// Colours of the cover and its trees, by index; and the index of each class value.
pub(super) struct CoverTable {
    pub(super) colours: Vec<Rgb>,
    pub(super) kinds: Vec<Vec<Tree>>,
    values: Vec<u32>,
}

impl CoverTable {
    fn index(&self, value: u32) -> u8 {
        self.values.iter().position(|&v| v == value).unwrap_or(self.values.len()) as u8
    }
}

/// The classes of the style first, then those of the layer that the style leaves out, then one for everything else.
pub(super) fn cover_table(catalogue: &Catalogue, style: &MapStyle) -> Result<CoverTable> {
    let mut table = CoverTable { colours: vec![], kinds: vec![], values: vec![] };
    if let Some(cover) = &style.cover {
        for class in &cover.classes {
            table.values.push(class.value);
            table.colours.push(class.ground);
            table.kinds.push(class.trees.clone());
        }
        if let Kind::Classes(classes) = layer(catalogue, cover.layer)?.kind {
            for class in
                classes.iter().filter(|c| !cover.classes.iter().any(|k| k.value == c.value)).take(200)
            {
                table.values.push(class.value);
                table.colours.push(class.colour);
                table.kinds.push(vec![]);
            }
        }
    }
    table.colours.push([222, 219, 200]);
    table.kinds.push(vec![]);
    Ok(table)
}

/// Resamples all layers of the style to blocks and prepares them for the painter.
fn ground(
    catalogue: &Catalogue,
    style: &MapStyle,
    view: &PixelScale,
    wet: &Grid<Wet>,
    free: &Grid<bool>,
    ctx: &Ctx,
) -> Result<Ground> {
    let wet = commonest(view, ctx, |x, y| wet[(x, y)])?;
    let table = cover_table(catalogue, style)?;
    let cover = match &style.cover {
        Some(c) => {
            let bytes: Vec<u8> = (0..256).map(|value| table.index(value)).collect();
            match layer(catalogue, c.layer)?.cells() {
                Cells::U8(data) => commonest(view, ctx, |x, y| bytes[data[(x, y)] as usize])?,
                data => commonest(view, ctx, |x, y| table.index(data.at(x, y) as u32))?,
            }
        }
        None => Grid::filled(view.blocks.0, view.blocks.1, 0),
    };
    let cover = if style.sea.is_some() { sea::land_first(&cover, &wet, ctx)? } else { cover };
    let mut tints = tints(catalogue, style, view, ctx)?;
    let (mut stems, mut colours) = (vec![], table.colours.iter().map(|&c| tone(c)).collect::<Vec<Tone>>());
    if let Some(t) = &style.trees {
        let density = measure(&layer(catalogue, t.density)?.cells(), view, ctx)?;
        if view.pixels_per_cell() >= trees_from() as f32 {
            let wood = Wood {
                density: &density,
                cover: &cover,
                kinds: &table.kinds,
                free,
                water: &wet,
                scale: view.scale,
            };
            stems = trees::stems(&wood, t.seed.of("trees"), ctx)?;
        } else {
            wooded(&mut colours, &table.kinds, &cover, &density, ctx)?;
        }
    }
    let depth = match wet.cells().contains(&Wet::Lake) {
        true => {
            let lake = par::fill(view.blocks.0, view.blocks.1, ctx, |y, row: &mut [f32]| {
                for (out, wet) in row.iter_mut().zip(wet.row(y)) {
                    *out = if *wet == Wet::Lake { 1.0 } else { 0.0 };
                }
            })?;
            Some(blurred(&lake, shoal(style, view), ctx)?)
        }
        false => None,
    };
    let relief = relief(catalogue, style, view, ctx)?;
    if style.cover.is_none()
        && let Some(relief) = &relief
    {
        tints.splice(0..0, heights_as_tints(&relief.form, ctx)?);
    }
    Ok(Ground {
        view: *view,
        cover,
        colours,
        tints,
        relief,
        wet,
        depth,
        shore: shore(style, view),
        stems,
        pitch: trees::pitch(view.scale),
        margin: (style.margin_cells.min((view.cells.0.min(view.cells.1) - 1) / 2) as f32
            * view.pixels_per_cell()) as usize,
    })
}

/// Blocks over which a lake gets deeper. Lakes that a layer numbers may be as large as the sheet.
fn shoal(style: &MapStyle, view: &PixelScale) -> usize {
    if style.lakes.is_some() { ((9.0 * sheet_scale(view)) as usize / view.scale).max(2) } else { 2 }
}

/// Half the width of the line around lakes, in pixels.
fn shore(style: &MapStyle, view: &PixelScale) -> f32 {
    match (view.scale, &style.lakes) {
        (0..3, Some(_)) => 0.35 * sheet_scale(view),
        (0..3, None) => 0.35,
        (s, _) => 0.55 + 0.03 * s as f32,
    }
}

/// Where single trees would be too small, each class takes on the colour of its trees by their mean density.
fn wooded(
    colours: &mut [Tone],
    kinds: &[Vec<Tree>],
    cover: &Grid<u8>,
    density: &Grid<f32>,
    ctx: &Ctx,
) -> Result<()> {
    let rows = par::map(cover.height(), ctx, |y| {
        let mut sums = vec![(0.0f64, 0u64); kinds.len()];
        for (&c, &d) in cover.row(y).iter().zip(density.row(y)) {
            sums[c as usize].0 += d as f64;
            sums[c as usize].1 += 1;
        }
        sums
    })?;
    let add = |sum: Vec<(f64, u64)>, row: Vec<(f64, u64)>| -> Vec<(f64, u64)> {
        sum.into_iter().zip(row).map(|(a, b)| (a.0 + b.0, a.1 + b.1)).collect()
    };
    let sums = rows.into_iter().fold(vec![(0.0, 0); kinds.len()], add);
    for ((colour, kinds), (sum, n)) in colours.iter_mut().zip(kinds).zip(sums) {
        let weight: f32 = kinds.iter().map(|k| k.weight).sum();
        if n == 0 || weight <= 0.0 {
            continue;
        }
        let mut crown = [0.0; 3];
        for kind in kinds {
            (0..3).for_each(|k| crown[k] += kind.crown[k] as f32 * kind.weight / weight);
        }
        super::ground::blend(colour, crown, (sum / n as f64 * 0.6) as f32);
    }
    Ok(())
}

fn tints(catalogue: &Catalogue, style: &MapStyle, view: &PixelScale, ctx: &Ctx) -> Result<Vec<TintField>> {
    let mut fields = Vec::new();
    for tint in &style.tints {
        let mut share = measure(&layer(catalogue, tint.layer)?.cells(), view, ctx)?;
        let (low, span) = (tint.low as f32, (tint.high - tint.low) as f32);
        par::for_rows(share.rows_mut(), ctx, |_, row| {
            for v in row {
                let t = if span == 0.0 { 0.0 } else { ((*v - low) / span).clamp(0.0, 1.0) };
                *v = t * tint.strength;
            }
        })?;
        fields.push(TintField { share, colour: tone(tint.colour) });
    }
    Ok(fields)
}

/// The hypsometric ramp as a pile of tints, for maps without cover: each stop covers what lies below it by degrees.
fn heights_as_tints(form: &Grid<f32>, ctx: &Ctx) -> Result<Vec<TintField>> {
    let (lo, hi) = weald_core::stats::min_max(form, ctx)?.unwrap_or((0.0, 1.0));
    let span = (hi - lo).max(1e-12);
    let mut fields = Vec::new();
    for (k, &(t, colour)) in palette::HEIGHT.stops.iter().enumerate() {
        let before = if k == 0 { t - 1.0 } else { palette::HEIGHT.stops[k - 1].0 };
        let share = par::fill(form.width(), form.height(), ctx, |y, row: &mut [f32]| {
            for (out, v) in row.iter_mut().zip(form.row(y)) {
                *out = (((v - lo) / span - before) / (t - before)).clamp(0.0, 1.0);
            }
        })?;
        fields.push(TintField { share, colour: tone(colour) });
    }
    Ok(fields)
}

fn on_map(nodes: &[Node], view: &PixelScale) -> Vec<Point> {
    let s = view.pixels_per_cell();
    nodes.iter().map(|n| (n.x * s, n.y * s)).collect()
}

/// How much wider lines are on a larger sheet.
pub(super) fn sheet_scale(view: &PixelScale) -> f32 {
    let (w, h) = view.pixels();
    (w.max(h) as f32 / 1400.0).clamp(1.0, 3.0)
}

/// How much wider lines are where cells are large.
fn grown(view: &PixelScale) -> f32 {
    (view.pixels_per_cell() / 6.0).clamp(1.0, 4.0).sqrt()
}

/// Streams, wider with their load; a pale line below keeps them apart from the ground.
fn draw_rivers(canvas: &mut Canvas, rivers: &[Vec<Node>], view: &PixelScale) {
    let s = view.pixels_per_cell();
    let (thin, wide) =
        (math::lerp(0.6, 1.2, s as f64 / 5.0) as f32, math::lerp(1.5, 3.4, s as f64 / 5.0) as f32);
    let grown = grown(view);
    let width = |load: f32| (thin + (wide - thin) * load) * grown;
    if s >= trees_from() as f32 {
        for line in rivers {
            for pair in line.windows(2) {
                let pen = Pen { opacity: 1.0, ..Pen::new([196, 214, 200], width(pair[1].load) + 1.2) };
                canvas.line(&on_map(pair, view), &pen);
            }
        }
    }
    for line in rivers {
        // Where streams are hair-thin, one width per line is enough.
        if s < 2.0 {
            let mean = line.iter().map(|n| n.load).sum::<f32>() / line.len() as f32;
            canvas.line(&on_map(line, view), &Pen::new(STREAM, width(mean)));
            continue;
        }
        for pair in line.windows(2) {
            canvas.line(&on_map(pair, view), &Pen::new(STREAM, width((pair[0].load + pair[1].load) / 2.0)));
        }
    }
}

/// One set of lines: all casings first, so that no casing cuts another line.
fn draw_ways(canvas: &mut Canvas, style: &LineStyle, lines: &[Vec<Node>], view: &PixelScale) {
    let s = view.pixels_per_cell();
    let u = math::lerp(0.5, 1.0, s as f64 / 4.0) as f32 * grown(view);
    let opacity = math::lerp(0.6, 1.0, s as f64 / 3.0) as f32;
    let width = style.width * u;
    if let Some(casing) = style.casing.filter(|_| view.scale >= 2) {
        for line in lines {
            let pen = Pen { opacity: 0.5, ..Pen::new(casing, width + 1.8 * u) };
            canvas.line(&on_map(line, view), &pen);
        }
    }
    for line in lines {
        let dash = style.dash.filter(|_| s >= 2.0).map(|(on, off)| (on * u, off * u));
        let pen = Pen { dash, opacity, ..Pen::new(style.colour, width) };
        canvas.line(&on_map(line, view), &pen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Class, Feature, FeatureSet};
    use crate::style::map::{Contours, Cover, CoverClass, Crown, Lakes, Relief, Rivers, Tint, Trees};
    use weald_core::{Frame, Seed};

    const COVERS: &[Class] = &[
        Class { value: 0, name: "heath", colour: [200, 200, 150] },
        Class { value: 1, name: "open_water", colour: [90, 140, 180] },
    ];
    const WATERS: &[Class] = &[
        Class { value: 0, name: "none", colour: [240, 240, 240] },
        Class { value: 1, name: "lake", colour: [90, 140, 180] },
        Class { value: 2, name: "stream", colour: [60, 110, 170] },
        Class { value: 3, name: "marsh", colour: [150, 190, 180] },
    ];

    /// A land that falls to the east, with a stream into a lake.
    struct Land {
        height: Grid<f32>,
        water: Grid<u8>,
        cover: Grid<u8>,
        flow: Grid<u8>,
        density: Grid<f32>,
    }

    impl Land {
        fn new(w: usize, h: usize) -> Self {
            let grid = |f: fn(usize, usize, usize) -> u8| {
                Grid::from_vec(w, h, (0..w * h).map(|i| f(i % w, i / w, w)).collect())
            };
            let height =
                (0..w * h).map(|i| 1.0 - (i % w) as f32 * 0.01 + ((i / w) % 5) as f32 * 0.004).collect();
            Self {
                height: Grid::from_vec(w, h, height),
                water: grid(|x, y, w| match (x, y) {
                    (x, y) if y == 2 && x + 4 > w => 1,
                    (_, 2) => 2,
                    (3, _) => 3,
                    _ => 0,
                }),
                cover: grid(|x, y, w| (y == 2 && x + 4 > w) as u8),
                flow: grid(|_, _, _| 0),
                density: Grid::filled(w, h, 0.5),
            }
        }

        fn catalogue(&self) -> Catalogue {
            let layer = |name, data, kind| Layer::copied(name, "", data, kind);
            let trail = Feature::new(0, vec![(0.5, 0.5), (1.5, 1.5), (2.5, 1.5)], []);
            Catalogue {
                layers: vec![
                    layer("height", Cells::F32(&self.height), Kind::Measure),
                    layer("water", Cells::U8(&self.water), Kind::Classes(WATERS)),
                    layer("cover", Cells::U8(&self.cover), Kind::Classes(COVERS)),
                    layer("flow", Cells::U8(&self.flow), Kind::Measure),
                    layer("density", Cells::F32(&self.density), Kind::Measure),
                ],
                lines: vec![FeatureSet::new("trails", "", vec![trail])],
                points: vec![],
                ..Catalogue::new("land", "m", Frame::new(self.height.width(), self.height.height(), 1.0))
            }
        }
    }

    fn style() -> MapStyle {
        let pine = Tree { crown: [110, 140, 90], size: 1.0, shape: Crown::Round, weight: 1.0 };
        let class = |value, ground, trees| CoverClass { value, label: None, ground, trees };
        MapStyle {
            title: "Land".into(),
            relief: Some(Relief { layer: "height", z_factor: None, contours: Contours::Auto }),
            cover: Some(Cover {
                layer: "cover",
                heading: "Ground",
                classes: vec![class(0, [210, 210, 160], vec![pine]), class(1, [160, 200, 220], vec![])],
            }),
            tints: vec![Tint {
                layer: "height",
                low: 0.0,
                high: 1.0,
                colour: [250, 230, 190],
                strength: 0.3,
            }],
            trees: Some(Trees { density: "density", seed: Seed(1) }),
            water: Some(Water {
                layer: "water",
                lakes: vec![1],
                streams: vec![2],
                marshes: vec![3],
                flow: "flow",
                accumulation: "",
            }),
            lines: vec![LineStyle {
                set: "trails",
                only: None,
                label: "Trail",
                colour: [150, 80, 50],
                width: 1.5,
                dash: Some((4.0, 3.0)),
                casing: Some([250, 240, 220]),
            }],
            margin_cells: 1,
            ..MapStyle::default()
        }
    }

    #[test]
    fn a_map_is_drawn_for_every_shape_and_is_the_same_each_time() {
        for (w, h) in [(1, 1), (1, 9), (3, 200), (200, 3), (40, 30)] {
            let land = Land::new(w, h);
            let image = map(&land.catalogue(), &style(), &Ctx::default()).unwrap();
            assert!(image.width() > 300 && image.height() > 200, "{w}x{h}");
            assert_eq!(image, map(&land.catalogue(), &style(), &Ctx::default()).unwrap());
        }
    }

    #[test]
    fn lakes_are_blue_and_land_is_not() {
        let land = Land::new(40, 30);
        let view = PixelScale::of(40, 30);
        let image = map(&land.catalogue(), &style(), &Ctx::default()).unwrap();
        let s = view.scale;
        let sheet = Sheet::new(&view, imprint(&style()), vec![]).corner();
        let at =
            |x: f32, y: f32| image.at(sheet.0 + (x * s as f32) as usize, sheet.1 + (y * s as f32) as usize);
        let (lake, ground) = (at(38.0, 2.5), at(20.5, 20.5));
        assert!(lake[2] > lake[0] + 20, "{lake:?}");
        assert!(ground[0] > ground[2], "{ground:?}");
    }

    #[test]
    fn the_legend_names_what_occurs_and_open_water_once() {
        let land = Land::new(40, 30);
        let catalogue = land.catalogue();
        let wet = wet_cells(&catalogue, &style(), &Ctx::default()).unwrap();
        let names = |step| -> Vec<String> {
            legend(&catalogue, &style(), &wet, &Steps { contour: step, depth: None })
                .unwrap()
                .iter()
                .flat_map(|s| s.labels())
                .collect()
        };
        let with = names(Some(0.05));
        assert_eq!(with, ["Heath", "Lake", "Stream", "Marsh", "Trail", "Contour, every 0.05"]);
        assert_eq!(names(None).len(), 5);
    }

    /// A land with a numbered lake in the east and a river into it.
    fn lakeland(scale: usize, see: impl FnOnce(Image, &dyn Fn(f32, f32) -> (usize, usize))) {
        let (w, h) = (1200 / scale, 600 / scale);
        let land = Land::new(w, h);
        let (lake, flow) = (
            Grid::from_vec(w, h, (0..w * h).map(|i| if i % w > w / 2 { 7u32 } else { 0 }).collect()),
            Grid::from_vec(w, h, (0..w * h).map(|i| (i % w) as u32 + 1).collect()),
        );
        let mut catalogue = land.catalogue();
        let layer = |name, data| Layer::copied(name, "", data, Kind::Measure);
        catalogue
            .layers
            .extend([layer("lake", Cells::U32(&lake)), layer("flow_accumulation", Cells::U32(&flow))]);
        let middle = h as f64 / 2.0;
        let course = (0..w).map(|x| (x as f64 + 0.5, middle)).collect();
        let river = Feature::new(0, course, []);
        catalogue.lines.push(FeatureSet::new("rivers", "", vec![river]));
        let style = MapStyle {
            lakes: Some(Lakes { layer: "lake", label: "Lake" }),
            rivers: Some(Rivers {
                set: "rivers",
                label: "River",
                load: "flow_accumulation",
                width: "width_m",
                widths: None,
                order: None,
            }),
            trees: None,
            water: None,
            lines: vec![],
            margin_cells: 0,
            ..style()
        };
        let image = map(&catalogue, &style, &Ctx::default()).unwrap();
        let labels: Vec<String> = legend(
            &catalogue,
            &style,
            &wet_cells(&catalogue, &style, &Ctx::default()).unwrap(),
            &Steps { contour: None, depth: None },
        )
        .unwrap()
        .iter()
        .flat_map(|s| s.labels())
        .collect();
        assert_eq!(labels[labels.len() - 2..], ["Lake", "River"]);
        let corner = Sheet::new(&PixelScale::of(w, h), imprint(&style), vec![]).corner();
        let at = |x: f32, y: f32| {
            (corner.0 + (x * (w * scale) as f32) as usize, corner.1 + (y * (h * scale) as f32) as usize)
        };
        see(image, &at);
    }

    #[test]
    fn numbered_lakes_are_water_and_rivers_widen_until_they_reach_one() {
        for scale in [1, 2, 6] {
            lakeland(scale, |image, at| {
                let (x, y) = at(0.9, 0.25);
                let lake = image.at(x, y);
                assert!(lake[2] > lake[0] + 20, "{scale}: {lake:?}");
                let width = |share: f32| {
                    let ((x, top), (_, bottom)) = (at(share, 0.4), at(share, 0.6));
                    (top..bottom).filter(|&y| image.at(x, y) == STREAM).count()
                };
                let (upper, lower) = (width(0.05), width(0.45));
                assert!(lower > upper && upper > 0, "{scale}: {upper} {lower}");
                assert_eq!(width(0.75), 0, "{scale}: no river is drawn in a lake");
            });
        }
    }

    #[test]
    fn contours_that_are_asked_for_by_number_are_drawn_at_every_scale() {
        let land = Land::new(1200, 8);
        let catalogue = land.catalogue();
        let step = |contours| {
            let style = MapStyle {
                relief: Some(Relief { layer: "height", z_factor: None, contours }),
                ..MapStyle::default()
            };
            relief(&catalogue, &style, &PixelScale::of(1200, 8), &Ctx::default())
                .unwrap()
                .unwrap()
                .contour_step
        };
        assert_eq!((step(Contours::Auto), step(Contours::Every(1.0))), (None, None));
        assert_eq!((step(Contours::Most(12)), step(Contours::Most(13))), (Some(1.0), Some(1.0)));
        assert_eq!(step(Contours::Most(11)), Some(2.0));
    }

    #[test]
    fn a_class_may_have_a_name_of_its_own_in_the_legend() {
        let land = Land::new(40, 30);
        let catalogue = land.catalogue();
        let mut named = style();
        named.cover.as_mut().unwrap().classes[0].label = Some("Heath, up to 5 %");
        let wet = wet_cells(&catalogue, &named, &Ctx::default()).unwrap();
        let labels =
            legend(&catalogue, &named, &wet, &Steps { contour: None, depth: None }).unwrap()[0].labels();
        assert_eq!(labels, ["Heath, up to 5 %"]);
    }

    #[test]
    fn a_style_that_names_a_layer_that_is_not_there_is_refused_by_name() {
        let land = Land::new(4, 4);
        let mut wrong = style();
        wrong.tints[0].layer = "heigth";
        let error = map(&land.catalogue(), &wrong, &Ctx::default()).unwrap_err();
        assert!(error.to_string().contains("`heigth`"), "{error}");
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn level_ground_is_not_turned_into_relief_by_rounding() {
        let mut land = Land::new(8, 8);
        land.height = Grid::filled(8, 8, 0.3);
        let field =
            relief(&land.catalogue(), &style(), &PixelScale::of(8, 8), &Ctx::default()).unwrap().unwrap();
        assert_eq!((field.factor, field.contour_step), (0.0, None));
    }

    #[test]
    fn without_cover_the_ground_has_the_colours_of_its_height() {
        let land = Land::new(30, 30);
        let plain = MapStyle { cover: None, water: None, trees: None, tints: vec![], ..style() };
        let image = map(&land.catalogue(), &plain, &Ctx::default()).unwrap();
        let corner = Sheet::new(&PixelScale::of(30, 30), imprint(&plain), vec![]).corner();
        let (high, low) =
            (image.at(corner.0 + 60, corner.1 + 600), image.at(corner.0 + 1130, corner.1 + 600));
        assert!(high[0] > low[0] + 40, "{high:?} {low:?}");
    }

    #[test]
    fn every_pixel_of_the_bare_map_is_that_of_the_map_within_the_sheet() {
        for ((w, h), px) in [((40, 30), None), ((40, 30), Some(200)), ((300, 90), Some(100)), ((7, 7), None)]
        {
            let (land, style) = (Land::new(w, h), MapStyle { px, ..style() });
            let (sheet, bare) = (
                map(&land.catalogue(), &style, &Ctx::default()).unwrap(),
                bare_map(&land.catalogue(), &style, &Ctx::default()).unwrap(),
            );
            let view = PixelScale::new(px, 1200, w, h);
            assert_eq!((bare.width(), bare.height()), view.pixels(), "{w}x{h}");
            let corner = Sheet::new(&view, imprint(&style), vec![]).corner();
            assert!(sheet.part(corner, view.pixels()) == bare, "{w}x{h}, {px:?}");
        }
    }
}
