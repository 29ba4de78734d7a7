//! A block of space, seen along z: glowing gas, and stars by magnitude and colour.

mod light;

use super::canvas::{Canvas, Pen, Point};
use super::image::{Image, Rgb};
use super::map::layer;
use super::text::{Align, Type, draw, number, percent};
use crate::catalogue::{Catalogue, Cells, Feature};
use crate::error::{Error, Result};
use crate::style::StarsStyle;
pub use light::gas_colour;
use light::{Light, STAR_COLOURS, Shown, shown};
use serde_json::Value;
use weald_core::{Ctx, Grid};

const SPACE: Rgb = [10, 11, 19];
const INK: Rgb = [229, 230, 238];
const FAINT: Rgb = [146, 150, 170];
const RULE: Rgb = [74, 79, 102];

const EDGE: f32 = 64.0;
const TITLE: f32 = 96.0;
const BAND: f32 = 40.0;
const PANEL: f32 = 300.0;
const GAP: f32 = 56.0;
const ROW: f32 = 31.0;

/// The colour of a star whose property `colour` is 0 to 15, from cool to hot.
pub fn star_colour(class: u8) -> Rgb {
    STAR_COLOURS.table()[(class & 15) as usize * 17]
}

/// Draws a block of space: the picture, its coordinates and its legend. `px` is the length of its longer side.
pub fn stars(catalogue: &Catalogue, style: &StarsStyle, px: Option<usize>, ctx: &Ctx) -> Result<Image> {
    let image = bare_stars(catalogue, style, px, ctx)?;
    let shape = (catalogue.frame.width, catalogue.frame.height);
    let (w, h) = (image.width() as f32, image.height() as f32);
    let corner = (EDGE + BAND, EDGE + TITLE + 14.0);
    let width = corner.0 + w + GAP + PANEL + EDGE;
    let height = corner.1 + h.max(27.0 * ROW) + BAND + EDGE;
    let mut canvas = Canvas::new(width as usize, height as usize, SPACE);
    canvas.place(&image, corner.0 as usize, corner.1 as usize);
    let title = Type { weight: 0.004, ..Type::new(46.0, INK) };
    draw(&mut canvas, &style.title, (corner.0 - 2.0, EDGE + 40.0), &title);
    draw(&mut canvas, &style.subtitle, (corner.0, EDGE + 72.0), &Type::new(18.0, FAINT));
    frame(&mut canvas, style, shape, (corner, (w, h)));
    panel(&mut canvas, style, gas_share(gas(catalogue, style.gas[3])?), (corner.0 + w + GAP, corner.1));
    Ok(canvas.into_image())
}

/// Draws a block of space as [`stars`] does, without the sheet around it.
pub fn bare_stars(catalogue: &Catalogue, style: &StarsStyle, px: Option<usize>, ctx: &Ctx) -> Result<Image> {
    let [near, middle, far, _] = style.gas;
    let gas = [gas(catalogue, near)?, gas(catalogue, middle)?, gas(catalogue, far)?];
    let mut light = Light::new((catalogue.frame.width, catalogue.frame.height), px);
    light.gas(gas, style.depth_ly, ctx)?;
    let set = catalogue.point_set(style.stars);
    let shown: Vec<Shown> = set.iter().flat_map(|s| &s.features).filter_map(|f| star(f, style)).collect();
    light.stars(&shown, ctx)?;
    light.image(ctx)
}

/// A layer of gas.
fn gas<'c>(catalogue: &'c Catalogue, name: &str) -> Result<&'c Grid<f32>> {
    match layer(catalogue, name)?.cells() {
        Cells::F32(grid) => Ok(grid),
        other => Err(Error::Shape(format!("layer {name} is {}, not float32", other.dtype()))),
    }
}

/// Share of the columns with gas.
fn gas_share(sum: &Grid<f32>) -> f64 {
    sum.cells().iter().filter(|&&v| v > 0.0).count() as f64 / sum.len() as f64
}

/// A star of the point set; its brightness is one of seven steps of the range of magnitudes.
fn star(feature: &Feature, style: &StarsStyle) -> Option<Shown> {
    let number = |name: &str| feature.property(name).and_then(Value::as_f64);
    let (least, range) = style.magnitudes;
    let step = ((number("magnitude")? - least) * 7.0 / range).round().clamp(1.0, 7.0);
    let cell = (number("x")? - style.corner[0] as f64, number("y")? - style.corner[1] as f64);
    Some(Shown { cell, colour: number("colour")? as u8 & 15, step: step as u8 })
}

/// A thin line around the picture with light years along it.
fn frame(
    canvas: &mut Canvas,
    style: &StarsStyle,
    (columns, rows): (usize, usize),
    ((x, y), (w, h)): (Point, Point),
) {
    canvas.frame((x - 0.5, y - 0.5), (w + 1.0, h + 1.0), &Pen::new(RULE, 1.0));
    let (columns, rows) = (columns as i64, rows as i64);
    let longest = columns.max(rows);
    let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
        .into_iter()
        .find(|s| longest / s <= 8)
        .unwrap_or(10_000);
    let pen = Pen::new(RULE, 1.0);
    let look = Type::new(13.0, FAINT).align(Align::Centre);
    let [left, top, _] = style.corner;
    // The first multiple of the step that is not before the corner.
    let first =
        |corner: i64| corner.div_euclid(step) * step + if corner.rem_euclid(step) > 0 { step } else { 0 };
    for value in (first(left)..left + columns).step_by(step as usize) {
        let px = x + w * ((value - left) as f32 + 0.5) / columns as f32;
        canvas.line(&[(px, y + h), (px, y + h + 6.0)], &pen);
        draw(canvas, &number(value as f64, 0), (px, y + h + 22.0), &look);
    }
    for value in (first(top)..top + rows).step_by(step as usize) {
        let py = y + h * ((value - top) as f32 + 0.5) / rows as f32;
        canvas.line(&[(x - 6.0, py), (x, py)], &pen);
        draw(canvas, &number(value as f64, 0), (x - 11.0, py + 4.5), &look.align(Align::Right));
    }
}

/// Colours, magnitudes, gas by depth, figures.
fn panel(canvas: &mut Canvas, style: &StarsStyle, gas_share: f64, (x, y): Point) {
    let mut at = y + 12.0;
    let heading = |canvas: &mut Canvas, at: &mut f32, text: &str| {
        draw(canvas, &text.to_uppercase(), (x, *at), &Type::new(14.0, FAINT).bold().spaced(0.09));
        canvas.line(&[(x, *at + 10.0), (x + PANEL, *at + 10.0)], &Pen::new(RULE, 1.0));
        *at += 40.0;
    };
    let row = |canvas: &mut Canvas, at: &mut f32, indent: f32, label: &str, value: &str| {
        draw(canvas, label, (x + indent, *at), &Type::new(16.5, INK));
        draw(canvas, value, (x + PANEL, *at), &Type::new(15.5, FAINT).align(Align::Right));
        *at += ROW;
    };
    heading(canvas, &mut at, "Colour");
    for (i, c) in STAR_COLOURS.table().iter().step_by(17).enumerate() {
        canvas.disc((x + 9.0 + i as f32 * (PANEL - 18.0) / 15.0, at - 4.0), 6.0, *c, 1.0);
    }
    at += ROW - 6.0;
    row(canvas, &mut at, 0.0, "0, cool", "15, hot");
    at += 12.0;
    heading(canvas, &mut at, "Magnitude");
    for step in 1..8u8 {
        let px = x + 14.0 + (step - 1) as f32 * (PANEL - 28.0) / 6.0;
        let size = 6.5 * shown(step) as f32 + 0.9;
        canvas.disc((px, at - 4.0), size * 1.9, [255, 250, 240], 0.14);
        canvas.disc((px, at - 4.0), size, [255, 250, 240], 1.0);
    }
    at += ROW - 4.0;
    let (least, range) = style.magnitudes;
    let magnitude = |step: f64| number(least + range * step / 7.0, 2);
    row(canvas, &mut at, 0.0, &magnitude(1.0), &magnitude(7.0));
    at += 12.0;
    heading(canvas, &mut at, "Gas");
    let (front, depth) = (style.corner[2], style.depth_ly as i64);
    // Layer l is in part ⌊3·l / depth⌋, so part k begins at ⌈k·depth / 3⌉.
    let begin = |k: i64| front + (k * depth + 2) / 3;
    for (k, name) in ["Near", "Middle", "Far"].into_iter().enumerate() {
        canvas.rectangle((x, at - 17.0), (44.0, 22.0), gas_colour(k), 1.0);
        let (first, last) = (begin(k as i64), begin(k as i64 + 1) - 1);
        let span = if first > last { "none".into() } else { format!("{first} to {last} ly") };
        row(canvas, &mut at, 58.0, name, &span);
    }
    at += 12.0;
    heading(canvas, &mut at, "Figures");
    let f = &style.figures;
    let per_million = |v: f64| format!("{:.2}", v * 1e6);
    row(canvas, &mut at, 0.0, "Stars", &f.stars.to_string());
    row(canvas, &mut at, 0.0, "In a million cubic light years", &per_million(f.density));
    row(canvas, &mut at, 0.0, "Expected", &per_million(f.expected));
    if let Some((distance_ly, planets)) = f.nearest {
        row(canvas, &mut at, 0.0, "Nearest visible star", &format!("{} ly", number(distance_ly, 1)));
        row(canvas, &mut at, 0.0, "Its planets", &planets.to_string());
    }
    row(canvas, &mut at, 0.0, "Sky with gas", &percent(gas_share));
}
