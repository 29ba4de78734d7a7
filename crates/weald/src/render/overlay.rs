//! Water and contours on a transparent background, one pixel per cell, to be laid over a heightmap.

use super::canvas::Canvas;
use super::ground::{CONTOUR, STREAM, contour};
use super::image::Rgb;
use super::map::{layer, wet_cells};
use super::relief::contour_step;
use super::resample::measured;
use super::rivers;
use super::spline::blurred;
use crate::catalogue::{Catalogue, Feature};
use crate::png::{Colours, Picture, Pixel};
use crate::style::map::MapStyle;
use crate::{Error, Result};
use serde_json::Value;
use std::io::{self, Write};
use weald_core::{Ctx, Grid, par};

/// Width of the narrowest river, in pixels.
const THIN: f32 = 1.5;
/// Opacity of lakes.
const LAKE_OPACITY: f32 = 0.55;

/// A picture with opacity: red, green, blue and opacity of each pixel, row after row.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// Four bytes per pixel: a row has four times as many columns as the picture.
    bytes: Grid<u8>,
}

impl Film {
    /// Columns and rows of pixels.
    pub fn size(&self) -> (usize, usize) {
        (self.bytes.width() / 4, self.bytes.height())
    }

    /// Red, green, blue and opacity at `(x, y)`.
    pub fn at(&self, x: usize, y: usize) -> [u8; 4] {
        let row = self.bytes.row(y);
        [row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]]
    }

    /// Writes a PNG file.
    pub fn write_png(&self, out: &mut dyn Write) -> io::Result<()> {
        let picture = Picture { size: self.size(), pixel: Pixel::Rgba8 };
        picture.write(out, Colours::Srgb, |y, row| row.copy_from_slice(self.bytes.row(y)))
    }
}

/// Draws the contours (those of the relief of `style`), the lakes and the rivers of a catalogue on a transparent background.
/// Rivers have their true width: the property that the style names is the width at the mouth, in metres, and the width
/// grows with the square root of the flow.
pub fn overlay(catalogue: &Catalogue, style: &MapStyle, ctx: &Ctx) -> Result<Film> {
    let (w, h) = (catalogue.frame.width, catalogue.frame.height);
    if w == 0 || h == 0 {
        return Err(Error::Shape("a map needs at least one cell".into()));
    }
    let wet = wet_cells(catalogue, style, ctx)?;
    let mut canvas = Canvas::transparent(w, h);
    if let Some(style) = &style.rivers {
        let width = |feature: &Feature, _: f32| {
            let property = feature.properties.iter().find(|(name, _)| *name == style.width);
            let metres = property.and_then(|(_, value)| Value::as_f64(value)).unwrap_or(0.0);
            (metres / catalogue.frame.cell_m) as f32
        };
        let mut lines = rivers::stretches(catalogue, style, &wet, 1.0, width)?;
        lines.iter_mut().flatten().for_each(|node| node.load = node.load.max(THIN));
        rivers::draw(&mut canvas, &lines, 1.0);
    }
    let form = match &style.relief {
        Some(relief) => {
            let form = blurred(&measured(&layer(catalogue, relief.layer)?.cells(), ctx)?, 1, ctx)?;
            contour_step(&form, relief.contours, ctx)?.map(|step| (form, step))
        }
        None => None,
    };
    let drawn = canvas.premultiplied();
    let bytes = par::fill(w * 4, h, ctx, |y, row: &mut [u8]| {
        for (x, out) in row.chunks_exact_mut(4).enumerate() {
            let ink = match &form {
                Some((form, step)) => {
                    let (west, east) = (form[(x.saturating_sub(1), y)], form[((x + 1).min(w - 1), y)]);
                    let (north, south) = (form[(x, y.saturating_sub(1))], form[(x, (y + 1).min(h - 1))]);
                    let (gx, gy) = ((east - west) / 2.0, (south - north) / 2.0);
                    contour(form[(x, y)] / step, (gx * gx + gy * gy).sqrt() / step, 1.0)
                }
                None => 0.0,
            };
            let (under, opacity) = match wet[(x, y)] {
                super::lines::Wet::Lake => (STREAM, LAKE_OPACITY),
                _ => (CONTOUR, ink),
            };
            let top = &drawn[4 * (y * w + x)..][..4];
            out.copy_from_slice(&over([top[0], top[1], top[2], top[3]], under, opacity));
        }
    })?;
    Ok(Film { bytes })
}

/// A premultiplied colour over a colour of some opacity, not premultiplied.
fn over(top: [u8; 4], under: Rgb, opacity: f32) -> [u8; 4] {
    let shown = opacity * (1.0 - top[3] as f32 / 255.0);
    let alpha = top[3] as f32 / 255.0 + shown;
    if alpha <= 0.0 {
        return [0; 4];
    }
    let mix = |k: usize| ((top[k] as f32 + under[k] as f32 * shown) / alpha + 0.5).min(255.0) as u8;
    [mix(0), mix(1), mix(2), (alpha * 255.0 + 0.5) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Cells, FeatureSet, Kind, Layer};
    use crate::style::map::{Contours, Lakes, Relief, Rivers};
    use weald_core::Frame;

    #[test]
    fn water_and_contours_are_drawn_where_they_are_and_the_rest_is_clear() {
        let (w, h) = (80, 40);
        let grid = |f: fn(usize, usize) -> u32| {
            Grid::from_vec(w, h, (0..w * h).map(|i| f(i % w, i / w)).collect::<Vec<u32>>())
        };
        // A plane that rises by 0.1 m a cell to the south; a lake in the east; a river along row 10.
        let height = Grid::from_vec(w, h, (0..w * h).map(|i| (i / w) as f32 * 0.1).collect());
        let (lake, flow) = (grid(|x, _| (x >= 60) as u32), grid(|_, _| 5));
        let layer = |name, data| Layer::copied(name, "", data, Kind::Measure);
        let river = Feature::new(
            0,
            (0..50).map(|x| (2.0 * (x as f64 + 0.5), 2.0 * 10.5)).collect(),
            [("width_m", 8.0.into())],
        );
        let catalogue = Catalogue {
            layers: vec![
                layer("height", Cells::F32(&height)),
                layer("lake", Cells::U32(&lake)),
                layer("flow_accumulation", Cells::U32(&flow)),
            ],
            lines: vec![FeatureSet::new("rivers", "", vec![river])],
            points: vec![],
            ..Catalogue::new("land", "m", Frame::new(w, h, 2.0))
        };
        let style = MapStyle {
            relief: Some(Relief { layer: "height", z_factor: None, contours: Contours::Every(2.0) }),
            lakes: Some(Lakes { layer: "lake", label: "" }),
            rivers: Some(Rivers {
                set: "rivers",
                label: "",
                load: "flow_accumulation",
                width: "width_m",
                widths: None,
                order: None,
            }),
            ..MapStyle::default()
        };
        let film = overlay(&catalogue, &style, &Ctx::default()).unwrap();
        let river: Vec<usize> = (0..h).filter(|&y| film.at(30, y)[3] == 255).collect();
        assert!(river == [9, 10, 11] || river == [8, 9, 10, 11, 12], "8 m are four cells: {river:?}");
        assert_eq!(film.at(30, 10)[..3], STREAM);
        assert_eq!(film.at(70, 30)[..3], STREAM);
        assert_eq!(film.at(70, 30)[3], (LAKE_OPACITY * 255.0).round() as u8);
        assert_eq!(film.at(30, 20)[..3], CONTOUR);
        assert!(film.at(30, 20)[3] > 80 && film.at(30, 26) == [0; 4] && film.at(30, 33) == [0; 4]);
        let mut file = Vec::new();
        film.write_png(&mut file).unwrap();
        let reader = png::Decoder::new(io::Cursor::new(&file)).read_info().unwrap();
        let info = reader.info();
        assert_eq!((info.width, info.height, info.color_type), (80, 40, png::ColorType::Rgba));
    }
}
