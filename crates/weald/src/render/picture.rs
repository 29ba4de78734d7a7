//! Any layer as a picture with its scale or legend.

use super::canvas::{Canvas, Pen, Point};
use super::ground::PAPER;
use super::image::{Image, Rgb};
use super::palette::{self, Ramp};
use super::shade::{Light, hillshade};
use super::sheet::{FAINT, INK};
use super::text::{self, Align, Type, draw, number, percent, words};
use crate::Result;
use crate::catalogue::{Cells, Class, Kind, Layer, Palette, STEP_CLASSES, step_class};
use weald_core::{Ctx, Grid, math, par};

/// How a measure is spread over its ramp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// Logarithmic for 32-bit counts that span more than two powers of ten, else linear.
    #[default]
    Auto,
    /// Evenly from the smallest to the largest value.
    Linear,
    /// Evenly in the logarithm; values below 1 count as 1.
    Logarithmic,
}

/// How the picture of a layer is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct PictureStyle {
    /// Colours of a measure; `None` for those of the layer.
    pub ramp: Option<Ramp>,
    /// How a measure is spread over them.
    pub spread: Spread,
}

/// The colours of a palette.
pub fn ramp(palette: Palette) -> Ramp {
    match palette {
        Palette::Plain => palette::PLAIN,
        Palette::Elevation => palette::HEIGHT,
        Palette::Slope => palette::SLOPE,
        Palette::Aspect => palette::ASPECT,
        Palette::Moisture => palette::MOISTURE,
        Palette::Accumulation => palette::ACCUMULATION,
        Palette::Vegetation => palette::VEGETATION,
        Palette::Roughness => palette::ROUGHNESS,
    }
}

/// Draws a layer with its name, what it is, and its scale (measures) or legend with shares (classes, flags and steps).
///
/// Each cell is a square of whole pixels, about 1024 along the longer side; above 4096 cells one pixel is the mean (measures,
/// flags) or the first cell (classes, steps) of a block.
pub fn layer_picture(layer: &Layer, style: &PictureStyle, ctx: &Ctx) -> Result<Image> {
    let (w, h) = layer.cells().shape();
    let long = w.max(h).max(1);
    let (scale, block) = ((1024 / long).clamp(1, 64), long.div_ceil(4096));
    let (bw, bh) = (w.div_ceil(block), h.div_ceil(block));
    let key = Key::of(layer, style);
    let light = if block == 1 { relief(layer, ctx)? } else { None };
    let grid = par::fill(3 * bw * scale, bh * scale, ctx, |y, row: &mut [u8]| {
        for (x, pixels) in row.chunks_exact_mut(3 * scale).enumerate() {
            let colour = block_colour(layer, &key, (x, y / scale), block);
            let colour = light.as_ref().map_or(colour, |light| lit(colour, light[(x, y / scale)]));
            pixels.chunks_exact_mut(3).for_each(|p| p.copy_from_slice(&colour));
        }
    })?;
    let cells = Image::from_bytes(bw * scale, bh * scale, grid.into_vec());
    Ok(sheet(layer, &key, &cells))
}

/// The cells of a layer in its colours, one pixel per cell, without relief and legend.
pub fn layer_cells(layer: &Layer, style: &PictureStyle, ctx: &Ctx) -> Result<Image> {
    let (w, h) = layer.cells().shape();
    let key = Key::of(layer, style);
    let grid = par::fill(3 * w, h, ctx, |y, row: &mut [u8]| {
        for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
            pixel.copy_from_slice(&key.colour(layer.cells().at(x, y)));
        }
    })?;
    Ok(Image::from_bytes(w, h, grid.into_vec()))
}

/// How the values of a measure become colours: the values at the ends of the ramp, whether it is logarithmic, and 256 colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// Value of the first colour.
    pub low: f64,
    /// Value of the last colour.
    pub high: f64,
    /// Whether equal ratios have equal distances on the ramp.
    pub logarithmic: bool,
    /// The colours.
    pub colours: Vec<Rgb>,
}

/// The scale of a measure; `None` for classes, flags and steps.
pub fn scale(layer: &Layer, style: &PictureStyle) -> Option<Scale> {
    match Key::of(layer, style) {
        Key::Scale { lo, hi, log, table } => {
            Some(Scale { low: lo, high: hi, logarithmic: log, colours: table })
        }
        Key::Classes { .. } => None,
    }
}

/// The light on a layer of heights, 0 to 1, with slopes exaggerated so that the mean one is lit like 11°; none on level ground and for
/// other layers.
fn relief(layer: &Layer, ctx: &Ctx) -> Result<Option<Grid<f32>>> {
    let Cells::F32(height) = layer.cells() else { return Ok(None) };
    if layer.palette != Palette::Elevation {
        return Ok(None);
    }
    let rises = par::map(height.height(), ctx, |y| {
        height.row(y).windows(2).map(|w| (w[1] - w[0]).abs() as f64).sum::<f64>()
    })?;
    let mean = rises.into_iter().sum::<f64>() / height.len().max(1) as f64;
    if mean <= 0.0 || !mean.is_finite() {
        return Ok(None);
    }
    Ok(Some(hillshade(height, 1.0, 0.2 / mean, &Light::default(), ctx)?))
}

/// A colour in that light: level ground, whose light is the sine of 45°, keeps it.
fn lit(colour: Rgb, light: f32) -> Rgb {
    let level = std::f32::consts::FRAC_1_SQRT_2;
    colour.map(|c| (c as f32 * (1.0 + 0.9 * (light - level))).clamp(0.0, 255.0) as u8)
}

/// How values become colours.
enum Key {
    Scale { lo: f64, hi: f64, log: bool, table: Vec<Rgb> },
    Classes { classes: &'static [Class], shares: Vec<f64>, other: f64, of: Reading },
}

/// How the value of a cell gives its classes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// It is the value of its class.
    Value,
    /// It is the sum of the masks of its classes.
    Sum,
    /// It holds eight steps, whose class is that of [`step_class`].
    Steps,
}

impl Reading {
    fn has(self, value: u32, class: &Class) -> bool {
        match self {
            Reading::Value => value == class.value,
            Reading::Sum => value & class.value != 0,
            Reading::Steps => step_class(value) == class.value,
        }
    }
}

impl Key {
    fn of(layer: &Layer, style: &PictureStyle) -> Key {
        let (w, h) = layer.cells().shape();
        let cells = || (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).map(|(x, y)| layer.cells().at(x, y));
        let count = (w * h).max(1) as f64;
        match layer.kind {
            Kind::Measure => {
                let finite = || cells().filter(|v| v.is_finite());
                let (mut lo, mut hi) =
                    (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
                if lo > hi {
                    (lo, hi) = (0.0, 0.0);
                }
                let ramp = style.ramp.unwrap_or_else(|| ramp(layer.palette));
                let cyclic = ramp.stops.first().map(|s| s.1) == ramp.stops.last().map(|s| s.1);
                if cyclic && lo >= 0.0 && hi <= 360.0 {
                    (lo, hi) = (0.0, 360.0);
                }
                let log = match style.spread {
                    Spread::Auto => matches!(layer.cells(), Cells::U32(_)) && hi > 100.0 * lo.max(1.0),
                    Spread::Linear => false,
                    Spread::Logarithmic => true,
                };
                Key::Scale { lo, hi, log, table: ramp.table() }
            }
            Kind::Classes(_) | Kind::Flags(_) | Kind::Steps(_) => {
                let (classes, of) = match layer.kind {
                    Kind::Flags(flags) => (flags, Reading::Sum),
                    Kind::Classes(classes) => (classes, Reading::Value),
                    _ => (STEP_CLASSES, Reading::Steps),
                };
                let mut counts = vec![0u64; classes.len()];
                let mut other = 0u64;
                for value in cells().map(|v| v as u32) {
                    let mut known = false;
                    for (n, class) in counts.iter_mut().zip(classes) {
                        let hit = of.has(value, class);
                        *n += hit as u64;
                        known |= hit;
                    }
                    other += !known as u64;
                }
                let shares = counts.into_iter().map(|n| n as f64 / count).collect();
                Key::Classes { classes, shares, other: other as f64 / count, of }
            }
        }
    }

    /// The colour of one value.
    fn colour(&self, value: f64) -> Rgb {
        match self {
            Key::Scale { lo, hi, log, table } => {
                let t = if *log {
                    let ln = |v: f64| math::ln(v.max(1.0));
                    (ln(value) - ln(*lo)) / (ln(*hi) - ln(*lo))
                } else {
                    (value - lo) / (hi - lo)
                };
                // All values are equal: the centre of the ramp.
                let t = if hi > lo { math::clamp01(t) } else { 0.5 };
                table[(t * 255.0).round() as usize]
            }
            Key::Classes { classes, of, .. } => {
                let set: Vec<Rgb> =
                    classes.iter().filter(|c| of.has(value as u32, c)).map(|c| c.colour).collect();
                mean(&set).unwrap_or(NONE)
            }
        }
    }
}

/// Colour of cells without a class or a flag.
const NONE: Rgb = [238, 233, 221];

fn mean(colours: &[Rgb]) -> Option<Rgb> {
    let n = colours.len() as u32;
    (n > 0).then(|| {
        std::array::from_fn(|k| ((colours.iter().map(|c| c[k] as u32).sum::<u32>() + n / 2) / n) as u8)
    })
}

fn block_colour(layer: &Layer, key: &Key, (x, y): (usize, usize), block: usize) -> Rgb {
    let first = layer.cells().at(x * block, y * block);
    if block == 1 || matches!(key, Key::Classes { of: Reading::Value | Reading::Steps, .. }) {
        return key.colour(first);
    }
    let (w, h) = layer.cells().shape();
    let cells = (y * block..((y + 1) * block).min(h))
        .flat_map(|y| (x * block..((x + 1) * block).min(w)).map(move |x| (x, y)));
    let colours: Vec<Rgb> = cells.map(|(x, y)| key.colour(layer.cells().at(x, y))).collect();
    mean(&colours).unwrap_or(NONE)
}

const EDGE: f32 = 40.0;
const ROW: f32 = 30.0;
const COLUMN: f32 = 236.0;

fn sheet(layer: &Layer, key: &Key, cells: &Image) -> Image {
    let u = (cells.width().max(cells.height()) as f32 / 1024.0).clamp(1.0, 3.0);
    let (w, h) = (cells.width() as f32, cells.height() as f32);
    let inner = w.max(480.0 * u);
    let about = Type::new(17.0 * u, FAINT);
    let caption = match layer.kind {
        Kind::Steps(_) => {
            "How many of the eight steps from a tile to its neighbours are passable, difficult or blocked"
        }
        _ => layer.about,
    };
    let lines = text::wrapped(caption, &about, inner);
    let top = (EDGE + 58.0 + 24.0 * lines.len() as f32) * u;
    let columns = ((inner / (COLUMN * u)) as usize).max(1);
    let entries = legend_entries(key);
    let foot = match key {
        Key::Scale { .. } => 74.0,
        Key::Classes { .. } => 18.0 + ROW * entries.len().div_ceil(columns) as f32,
    };
    let size = ((inner + 2.0 * EDGE * u) as usize, (top + h + (foot + EDGE) * u) as usize);
    let mut canvas = Canvas::new(size.0, size.1, PAPER);
    let x = EDGE * u;
    draw(
        &mut canvas,
        &words(layer.name),
        (x, (EDGE + 26.0) * u),
        &Type { weight: 0.008, ..Type::new(34.0 * u, INK) },
    );
    for (k, line) in lines.iter().enumerate() {
        draw(&mut canvas, line, (x, (EDGE + 56.0 + 24.0 * k as f32) * u), &about);
    }
    canvas.place(cells, x as usize, top as usize);
    let at = (x.floor(), top.floor());
    canvas.frame((at.0 - u / 2.0, at.1 - u / 2.0), (w + u, h + u), &Pen::new(INK, u));
    let below = (x, top + h + 22.0 * u);
    if let Key::Scale { lo, hi, log, table } = key {
        draw_bar(&mut canvas, below, inner.min(520.0 * u), u, table);
        let unit = match layer.unit {
            "" | "1" => String::new(),
            "deg" => "\u{b0}".to_string(),
            unit => format!(" {unit}"),
        };
        let ends = [(0.0, Align::Left), (0.5, Align::Centre), (1.0, Align::Right)];
        for (t, align) in ends {
            let value = match (log, t) {
                (true, 0.5) => math::exp((math::ln(lo.max(1.0)) + math::ln(hi.max(1.0))) / 2.0).round(),
                _ => lo + (hi - lo) * t,
            };
            let label = format!("{}{unit}", number(value, digits(lo.abs().max(hi.abs()))));
            let place = (below.0 + inner.min(520.0 * u) * t as f32, below.1 + 40.0 * u);
            draw(&mut canvas, &label, place, &Type::new(16.0 * u, INK).align(align));
        }
        if *log {
            let place = (below.0 + inner.min(520.0 * u) + 16.0 * u, below.1 + 14.0 * u);
            if place.0 + 120.0 * u < size.0 as f32 {
                draw(&mut canvas, "logarithmic", place, &Type::new(15.0 * u, FAINT));
            }
        }
    }
    for (k, (colour, name, share)) in entries.iter().enumerate() {
        let column = COLUMN.max(inner / u / columns as f32) * u;
        let place = (below.0 + (k % columns) as f32 * column, below.1 + (k / columns) as f32 * ROW * u);
        draw_entry(&mut canvas, place, column, u, (*colour, name, *share));
    }
    canvas.into_image()
}

/// Decimals that show about three digits of numbers up to `largest`.
fn digits(largest: f64) -> usize {
    match largest {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        v if v >= 0.1 => 3,
        _ => 5,
    }
}

/// Colour, name and share of the classes that occur.
fn legend_entries(key: &Key) -> Vec<(Rgb, String, f64)> {
    let Key::Classes { classes, shares, other, of } = key else {
        return vec![];
    };
    let mut rows: Vec<_> = classes
        .iter()
        .zip(shares)
        .filter(|(_, share)| **share > 0.0)
        .map(|(c, share)| (c.colour, words(c.name), *share))
        .collect();
    if *other > 0.0 {
        rows.push((NONE, if *of == Reading::Sum { "None" } else { "Other" }.to_string(), *other));
    }
    rows
}

fn draw_bar(canvas: &mut Canvas, (x, y): Point, length: f32, u: f32, table: &[Rgb]) {
    let step = length / table.len() as f32;
    let left = x.floor();
    for px in 0..length as usize {
        let k = ((px as f32 + 0.5) / step) as usize;
        canvas.rectangle((left + px as f32, y), (1.0, 16.0 * u), table[k.min(table.len() - 1)], 1.0);
    }
    canvas.frame((left, y), (length.floor(), 16.0 * u), &Pen { opacity: 0.6, ..Pen::new(INK, u) });
}

fn draw_entry(
    canvas: &mut Canvas,
    (x, y): Point,
    column: f32,
    u: f32,
    (colour, name, share): (Rgb, &str, f64),
) {
    canvas.rectangle((x, y), (26.0 * u, 18.0 * u), colour, 1.0);
    canvas.frame((x, y), (26.0 * u, 18.0 * u), &Pen { opacity: 0.55, ..Pen::new(INK, u) });
    draw(canvas, name, (x + 36.0 * u, y + 14.5 * u), &Type::new(16.0 * u, INK));
    let right = (x + column - 26.0 * u, y + 14.5 * u);
    draw(canvas, &percent(share), right, &Type::new(15.0 * u, FAINT).align(Align::Right));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::LayerSpec;

    const CLASSES: &[Class] = &[
        Class { value: 1, name: "red", colour: [200, 0, 0] },
        Class { value: 2, name: "blue", colour: [0, 0, 200] },
        Class { value: 4, name: "green", colour: [0, 200, 0] },
    ];

    fn layer(cells: Cells, kind: Kind) -> Layer {
        let spec = LayerSpec::measure("height", cells.dtype(), "m", "Height of the land");
        Layer::new(LayerSpec { kind, palette: Palette::Elevation, ..spec }, cells.to_owned())
    }

    fn has(image: &Image, colour: Rgb) -> bool {
        image.bytes().chunks_exact(3).any(|p| p == colour)
    }

    #[test]
    fn a_measure_runs_from_the_first_to_the_last_colour_of_its_ramp() {
        let grid = Grid::from_vec(2, 1, vec![-3.0f32, 12.0]);
        let image = layer_picture(
            &layer(Cells::F32(&grid), Kind::Measure),
            &PictureStyle::default(),
            &Ctx::default(),
        )
        .unwrap();
        assert!(has(&image, palette::HEIGHT.stops[0].1));
        assert!(has(&image, palette::HEIGHT.stops.last().unwrap().1));
    }

    #[test]
    fn counts_over_many_powers_of_ten_are_spread_by_their_logarithm() {
        let grid = Grid::from_vec(3, 1, vec![1u32, 100, 10_000]);
        let spec =
            LayerSpec::measure("flow_accumulation", "uint32", "cells", "Cells that drain through here");
        let layer = Layer::new(LayerSpec { palette: Palette::Accumulation, ..spec }, grid);
        let key = Key::of(&layer, &PictureStyle::default());
        assert!(matches!(key, Key::Scale { log: true, .. }));
        assert_eq!(key.colour(100.0), palette::ACCUMULATION.table()[128]);
        let linear = PictureStyle { spread: Spread::Linear, ..PictureStyle::default() };
        assert_eq!(Key::of(&layer, &linear).colour(100.0), palette::ACCUMULATION.table()[3]);
    }

    #[test]
    fn the_legend_lists_the_classes_that_occur_and_no_others() {
        let grid = Grid::from_vec(2, 2, vec![1u8, 1, 1, 9]);
        let key = Key::of(&layer(Cells::U8(&grid), Kind::Classes(CLASSES)), &PictureStyle::default());
        let rows = legend_entries(&key);
        let short: Vec<(&str, f64)> = rows.iter().map(|r| (r.1.as_str(), r.2)).collect();
        assert_eq!(short, [("Red", 0.75), ("Other", 0.25)]);
    }

    #[test]
    fn several_flags_in_a_cell_show_as_their_mean() {
        let grid = Grid::from_vec(2, 1, vec![3u8, 0]);
        let key = Key::of(&layer(Cells::U8(&grid), Kind::Flags(CLASSES)), &PictureStyle::default());
        assert_eq!(key.colour(3.0), [100, 0, 100]);
        assert_eq!(key.colour(0.0), NONE);
        assert_eq!(legend_entries(&key).len(), 3);
    }

    #[test]
    fn steps_show_as_open_difficult_partly_or_wholly_blocked_and_not_as_a_number() {
        // All passable; one difficult; one blocked to the east; five blocked; all blocked.
        let grid = Grid::from_vec(5, 1, vec![0u16, 0x0100, 0x0002, 0x02aa, 0xaaaa]);
        let codes = Kind::Steps(CLASSES);
        let key = Key::of(&layer(Cells::U16(&grid), codes), &PictureStyle::default());
        for (value, class) in grid.cells().iter().zip(STEP_CLASSES) {
            assert_eq!(key.colour(*value as f64), class.colour, "{value:#x}");
        }
        let names: Vec<String> = legend_entries(&key).into_iter().map(|r| r.1).collect();
        assert_eq!(
            names,
            ["All passable", "Some difficult", "1 to 4 blocked", "5 to 7 blocked", "All blocked"]
        );
    }

    #[test]
    fn cells_that_are_no_number_have_the_middle_colour_in_any_shape() {
        for (w, h) in [(1, 1), (3, 200), (200, 3)] {
            let grid = Grid::filled(w, h, f32::NAN);
            let layer = layer(Cells::F32(&grid), Kind::Measure);
            let image = layer_picture(&layer, &PictureStyle::default(), &Ctx::default()).unwrap();
            let scale = (1024 / w.max(h)).clamp(1, 64);
            let middle = palette::HEIGHT.table()[128];
            let found = image.bytes().chunks_exact(3).filter(|p| *p == middle).count();
            assert!(found >= w * h * scale * scale, "{w}x{h}: {found} pixels");
            assert!(image.width() >= w * scale && image.height() > h * scale, "{w}x{h}");
        }
    }
}
