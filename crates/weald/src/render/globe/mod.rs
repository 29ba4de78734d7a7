//! Pictures of a planet. Each pixel is four samples of the planet itself, so the faces of the cube do not show.

mod paint;

use super::canvas::{Canvas, Pen, Point};
use super::image::Image;
use super::text::{Align, Type, draw, number, percent, words};
use super::{FAINT, INK, PAPER};
use crate::catalogue::{Catalogue, Sampler};
use crate::error::{Error, Result};
use crate::style::{GlobeStyle, Projection, turned};
use paint::{Colour, DEEP, Paint, SEA, colour, mixed, smooth};
use std::f64::consts::{PI, TAU};
use weald_core::{Ctx, math, par};

/// A direction or a place in space.
type Vector = [f64; 3];

#[inline]
fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector of length 1 in the same direction.
#[inline]
fn unit(v: Vector) -> Vector {
    let length = dot(v, v).sqrt();
    v.map(|c| c / length)
}

/// Draws a planet. Fails if the catalogue has no sampler.
pub fn globe(catalogue: &Catalogue, style: &GlobeStyle, ctx: &Ctx) -> Result<Image> {
    let sampler = catalogue.sampler.as_deref().ok_or_else(|| {
        Error::Invalid("a planet is drawn from its recipe; make the folder again with its recipe.toml".into())
    })?;
    match style.projection {
        Projection::Sheet => sheet(sampler, style, ctx),
        Projection::Equirectangular => equirectangular(sampler, style, ctx),
        Projection::Orthographic => orthographic(sampler, style, ctx),
    }
}

/// Draws a planet as [`globe`] does, without the sheet around it. The bare form of the sheet of two globes is the equirectangular map
/// whose middle is the meridian 0; the other projections have no sheet.
pub fn bare_globe(catalogue: &Catalogue, style: &GlobeStyle, ctx: &Ctx) -> Result<Image> {
    let (projection, centre) = match style.projection {
        Projection::Sheet => (Projection::Equirectangular, (0.0, 0.0)),
        other => (other, style.centre),
    };
    globe(catalogue, &GlobeStyle { projection, centre, ..style.clone() }, ctx)
}

/// A picture whose pixels are the means of four samples; `sample` gets a place in pixels.
fn sampled(
    (width, height): (usize, usize),
    ctx: &Ctx,
    sample: impl Fn(f64, f64) -> Colour + Sync,
) -> Result<Image> {
    let bytes = par::fill(
        3 * width,
        height,
        ctx,
        #[inline(always)]
        |y, row: &mut [u8]| {
            for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
                let mut sum = [0.0; 3];
                for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                    let c = sample(x as f64 + dx, y as f64 + dy);
                    (0..3).for_each(|k| sum[k] += c[k]);
                }
                for k in 0..3 {
                    pixel[k] = (sum[k] * 0.25 * 255.0 + 0.5).clamp(0.0, 255.0) as u8;
                }
            }
        },
    )?;
    Ok(Image::from_bytes(width, height, bytes.into_vec()))
}

/// `c` in the light that falls on `normal` more or less than on the level ground `up`.
fn relieved(c: Colour, normal: Vector, up: Vector, light: Vector) -> Colour {
    let more = dot(normal, light) - dot(up, light);
    if more > 0.0 {
        mixed(c, [1.0, 0.985, 0.94], 0.55 * more)
    } else {
        mixed(c, [0.13, 0.15, 0.24], -0.85 * more)
    }
}

/// All longitudes from left to right, that of the style's centre in the middle, and latitudes from north to south.
///
/// The light comes from the north-west, u + 0.8·((z − (z·u)·u) − z × u), which fades towards the poles, where there is no
/// north-west.
fn equirectangular(planet: &dyn Sampler, style: &GlobeStyle, ctx: &Ctx) -> Result<Image> {
    let width = style.px;
    let height = width / 2;
    let paint = Paint::new(planet, style, style.radius_m * TAU / width as f64);
    let middle = style.centre.1.to_radians();
    sampled((width, height), ctx, |x, y| {
        let (longitude, latitude) = ((x / width as f64 - 0.5) * TAU + middle, (0.5 - y / height as f64) * PI);
        let (flat, up) = (math::cos(latitude), math::sin(latitude));
        let (east, north) = (math::sin(longitude), math::cos(longitude));
        let u = [flat * north, flat * east, up];
        let tangent = [-up * u[0] + u[1], -up * u[1] - u[0], 1.0 - up * u[2]];
        let light = unit(std::array::from_fn(|k| u[k] + 0.8 * tangent[k]));
        let s = paint.surface(u);
        relieved(s.colour, s.normal, u, light)
    })
}

/// A view of the globe.
#[derive(Clone, Copy)]
struct Viewpoint {
    right: Vector,
    up: Vector,
    towards: Vector,
}

impl Viewpoint {
    /// From above a latitude and a longitude in degrees, north up. At the poles the meridian of the longitude is vertical.
    fn from((latitude_deg, longitude_deg): (f64, f64)) -> Self {
        let (lon, lat) = (longitude_deg.to_radians(), latitude_deg.to_radians());
        let (c, s) = (math::cos(lon), math::sin(lon));
        let (flat, high) = (math::cos(lat), math::sin(lat));
        Self { right: [-s, c, 0.0], up: [-high * c, -high * s, flat], towards: [flat * c, flat * s, high] }
    }

    fn vector(&self, x: f64, y: f64, z: f64) -> Vector {
        std::array::from_fn(|k| x * self.right[k] + y * self.up[k] + z * self.towards[k])
    }
}

/// A globe of `diameter` pixels as in an atlas, on `ground`: relief lit from the upper left, darker towards the rim.
fn disc(
    planet: &dyn Sampler,
    style: &GlobeStyle,
    (view, diameter): (Viewpoint, usize),
    ground: Colour,
    ctx: &Ctx,
) -> Result<Image> {
    let paint = Paint::new(planet, style, style.radius_m * 2.0 / diameter as f64);
    let light = unit(view.vector(-0.55, 0.55, 0.63));
    let radius = diameter as f64 / 2.0;
    sampled((diameter, diameter), ctx, |px, py| {
        let (x, y) = ((px - radius) / (radius - 1.0), (radius - py) / (radius - 1.0));
        let square = x * x + y * y;
        if square > 1.0 {
            return ground;
        }
        let u = view.vector(x, y, (1.0 - square).sqrt());
        let s = paint.surface(u);
        let c = relieved(s.colour, s.normal, u, light);
        let day = dot(u, light);
        let c = mixed(c, [0.06, 0.1, 0.2], 0.42 * smooth(0.75, -0.5, day) + 0.25 * smooth(0.8, 1.0, square));
        let gleam = if s.water { smooth(0.94, 1.0, day) * 0.16 } else { 0.0 };
        mixed(c, [1.0; 3], gleam)
    })
}

/// The globe in the light of its sun, with a thin air around it.
fn orthographic(planet: &dyn Sampler, style: &GlobeStyle, ctx: &Ctx) -> Result<Image> {
    let side = style.px;
    let view = Viewpoint::from(style.centre);
    let radius = side as f64 * 0.45;
    let paint = Paint::new(planet, style, style.radius_m / radius);
    let sun = unit(view.vector(-0.52, 0.36, 0.78));
    let (space, air) = (colour([9, 11, 20]), colour([120, 176, 232]));
    sampled((side, side), ctx, |px, py| {
        let (x, y) = ((px - side as f64 / 2.0) / radius, (side as f64 / 2.0 - py) / radius);
        let square = x * x + y * y;
        if square > 1.0 {
            // The air, thinner with the height above the rim, on the side of the sun.
            let rim = unit(view.vector(x, y, 0.0));
            let high = square.sqrt() - 1.0;
            let glow = math::exp(-high * 38.0) * smooth(-0.45, 0.8, dot(rim, sun));
            return mixed(space, air, 0.8 * glow);
        }
        let u = view.vector(x, y, (1.0 - square).sqrt());
        let s = paint.surface(u);
        let c = relieved(s.colour, s.normal, u, sun);
        let day = smooth(-0.12, 0.75, dot(u, sun));
        let half = unit(std::array::from_fn(|k| sun[k] + view.towards[k]));
        let gleam = if s.water { math::pow(dot(u, half).max(0.0), 60.0) * 0.35 } else { 0.0 };
        let c = mixed(c, [1.0, 0.98, 0.92], gleam).map(|v| v * (0.06 + 1.0 * day));
        let haze = 0.55 * smooth(0.55, 1.0, square) * day;
        mixed(c, air, haze * 0.8)
    })
}

const EDGE: f32 = 64.0;
const TOP: f32 = 190.0;
const GLOBE: f32 = 860.0;
const GAP: f32 = 72.0;
const ROW: f32 = 32.0;
const FOOT: f32 = 330.0;

/// The sheet: the globe from two opposite sides, and what its colours mean. Type and lines grow with the globes.
fn sheet(planet: &dyn Sampler, style: &GlobeStyle, ctx: &Ctx) -> Result<Image> {
    let k = style.px as f32 / (2.0 * GLOBE + GAP);
    let [edge, top, globe_px, gap] = [EDGE, TOP, GLOBE, GAP].map(|length| (length * k).round());
    let width = 2.0 * edge + 2.0 * globe_px + gap;
    let height = top + globe_px + (60.0 + FOOT) * k;
    let mut canvas = Canvas::new(width as usize, height as usize, PAPER);
    let title = Type { weight: 0.006, ..Type::new(46.0 * k, INK) };
    draw(&mut canvas, &style.title, (edge - 2.0 * k, edge + 40.0 * k), &title);
    draw(&mut canvas, &style.subtitle, (edge, edge + 72.0 * k), &Type::new(18.0 * k, FAINT));
    let (lat, lon) = style.centre;
    for (side, (lat, lon)) in [(lat, lon), (-lat, lon - 180.0)].into_iter().enumerate() {
        let x = edge + side as f32 * (globe_px + gap);
        let view = Viewpoint::from((lat, lon));
        let image = disc(planet, style, (view, globe_px as usize), colour(PAPER), ctx)?;
        canvas.place(&image, x as usize, top as usize);
        let (middle, rim) = ((x + globe_px / 2.0, top + globe_px / 2.0), globe_px / 2.0 - 1.0);
        graticule(&mut canvas, view, middle, rim);
        let rim: Vec<Point> = (0..=360).map(|i| on_circle(middle, rim, i as f64)).collect();
        canvas.line(&rim, &Pen { opacity: 0.75, ..Pen::new(INK, 1.4 * k) });
        let label =
            format!("Seen from above {}, {}", degrees(lat, ["N", "S"]), degrees(turned(lon), ["E", "W"]));
        let look = Type::new(16.0 * k, FAINT).align(Align::Centre);
        draw(&mut canvas, &label, (middle.0, top + globe_px + 36.0 * k), &look);
    }
    legend(&mut canvas, style, (edge, top + globe_px + 88.0 * k), width - 2.0 * edge, k);
    Ok(canvas.into_image())
}

/// Degrees with the letter of their side, with decimals only where there are any.
fn degrees(v: f64, [plus, minus]: [&str; 2]) -> String {
    let whole = |scale: f64| ((v * scale).round() - v * scale).abs() < 1e-6;
    let decimals = [1.0, 10.0, 100.0].iter().position(|scale| whole(*scale)).unwrap_or(3);
    format!("{}\u{b0} {}", number(v.abs(), decimals), if v < 0.0 { minus } else { plus })
}

fn on_circle((x, y): Point, radius: f32, degrees: f64) -> Point {
    let a = degrees.to_radians();
    (x + radius * math::cos(a) as f32, y - radius * math::sin(a) as f32)
}

/// Meridians and parallels every 30°, where they face the viewer.
fn graticule(canvas: &mut Canvas, view: Viewpoint, (x, y): Point, radius: f32) {
    let place = |lon: f64, lat: f64| -> Option<Point> {
        let (lon, lat) = (lon.to_radians(), lat.to_radians());
        let u = [math::cos(lat) * math::cos(lon), math::cos(lat) * math::sin(lon), math::sin(lat)];
        let at = (x + radius * dot(u, view.right) as f32, y - radius * dot(u, view.up) as f32);
        (dot(u, view.towards) > 0.0).then_some(at)
    };
    let meridians =
        (0..12).map(|m| (-90..=90).step_by(2).map(|p| place(m as f64 * 30.0, p as f64)).collect());
    let parallels =
        (-2..=2).map(|p| (0..=360).step_by(2).map(|m| place(m as f64, p as f64 * 30.0)).collect());
    let lines: Vec<Vec<Option<Point>>> = meridians.chain(parallels).collect();
    for line in lines {
        for part in line.split(|p| p.is_none()) {
            let part: Vec<Point> = part.iter().flatten().copied().collect();
            canvas.line(&part, &Pen { opacity: 0.2, ..Pen::new([255, 255, 255], 1.0) });
        }
    }
}

/// Four columns: ground, water and height, features, figures.
fn legend(canvas: &mut Canvas, style: &GlobeStyle, (x, y): Point, width: f32, k: f32) {
    let column = ((width - 3.0 * 48.0 * k) / 4.0).floor();
    let left = |i: usize| x + i as f32 * (column + 48.0 * k);
    for (i, heading) in ["Ground", "Sea and height", "Features", "Figures"].into_iter().enumerate() {
        let look = Type::new(14.0 * k, FAINT).bold().spaced(0.09);
        draw(canvas, &heading.to_uppercase(), (left(i), y + 12.0 * k), &look);
        let rule = [(left(i), y + 22.0 * k), (left(i) + column, y + 22.0 * k)];
        canvas.line(&rule, &Pen { opacity: 0.4, ..Pen::new(FAINT, k) });
    }
    let row = |canvas: &mut Canvas, i: usize, at: f32, indent: f32, label: &str, value: &str| {
        let base = y + (52.0 + at * ROW) * k;
        draw(canvas, label, (left(i) + indent * k, base), &Type::new(17.0 * k, INK));
        let look = Type::new(16.0 * k, FAINT).align(Align::Right);
        draw(canvas, value, (left(i) + column, base), &look);
    };
    let edge = Pen { opacity: 0.55, ..Pen::new(FAINT, k) };
    let shown = style.ground.iter().filter(|class| class.share > 0.0);
    for (i, class) in shown.enumerate() {
        let top = (left(0), y + (34.0 + i as f32 * ROW) * k);
        canvas.rectangle(top, (44.0 * k, 24.0 * k), class.colour, 1.0);
        canvas.frame(top, (44.0 * k, 24.0 * k), &edge);
        row(canvas, 0, i as f32, 58.0, &words(&class.label), &percent(class.share));
    }
    let table = SEA.table();
    for i in 0..column as usize {
        let c = table[i * 255 / column as usize];
        canvas.rectangle((left(1) + i as f32, y + 34.0 * k), (1.0, 24.0 * k), c, 1.0);
    }
    canvas.frame((left(1), y + 34.0 * k), (column, 24.0 * k), &edge);
    row(canvas, 1, 1.0, 0.0, "Depth", &format!("0 to {} and more", number(DEEP, 0)));
    row(canvas, 1, 2.0, 0.0, "Sea level", &number(style.sea_level, 1));
    row(canvas, 1, 3.0, 0.0, "Snow above", &number(style.snow_line, 1));
    row(canvas, 1, 4.0, 0.0, "Highest cell", &number(style.extremes.0, 0));
    row(canvas, 1, 5.0, 0.0, "Deepest cell", &number(style.extremes.1, 0));
    for (i, (name, colour, count)) in style.features.iter().enumerate() {
        canvas.disc((left(2) + 10.0 * k, y + (46.0 + i as f32 * ROW) * k), 6.0 * k, *colour, 1.0);
        row(canvas, 2, i as f32, 30.0, &words(name), &count.to_string());
    }
    let radius = style.radius_m;
    let area = 4.0 * PI * radius * radius / 1e6;
    let cell = radius * PI / 2.0 / style.side as f64;
    let figures = [
        ("Area", format!("{} km\u{b2}", number(area, 1))),
        ("Around the equator", format!("{} km", number(TAU * radius / 1000.0, 2))),
        ("Side of a cell", format!("{} m", number(cell, 2))),
        ("Features", style.features.iter().map(|f| f.2).sum::<u64>().to_string()),
    ];
    for (i, (label, value)) in figures.iter().enumerate() {
        row(canvas, 3, i as f32, 0.0, label, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_have_their_side_and_only_the_decimals_they_need() {
        let east = |lon: f64| degrees(turned(lon), ["E", "W"]);
        assert_eq!(
            [30.0, -150.0, 270.0, -360.0].map(east),
            ["30\u{b0} E", "150\u{b0} W", "90\u{b0} W", "0\u{b0} E"]
        );
        assert_eq!(
            [-0.1 - 180.0, -0.1, 180.0, 12.3456].map(east),
            ["179.9\u{b0} E", "0.1\u{b0} W", "180\u{b0} E", "12.346\u{b0} E"]
        );
        assert_eq!(degrees(-51.5, ["N", "S"]), "51.5\u{b0} S");
    }
}
