//! Floating land, seen from the south and from above: ground, walls and undersides.

use super::canvas::Canvas;
use super::image::{Image, Rgb};
use super::map::layer;
use super::shade::{Light, multidirectional};
use super::text::{Type, draw};
use crate::catalogue::{Catalogue, Cells};
use crate::style::FloatingStyle;
use crate::{Error, Result};
use weald_core::{Ctx, Grid, Seed, par};

/// Height of a row in the picture as a share of its depth on the map.
const FORESHORTENED: f32 = 0.55;
/// Supersampling: pixels along each side of a pixel of the finished picture, which is their mean.
const FINER: usize = 2;
/// Pixels along the longer side, at least.
const LEAST: usize = 1600;
/// Room above the land for the title, in finished pixels.
const HEAD: usize = 150;
const SKY_TOP: Rgb = [96, 150, 206];
const SKY_BOTTOM: Rgb = [226, 238, 244];
const INK: Rgb = [30, 50, 74];

/// The land, ready to be drawn.
struct Fields {
    top: Grid<f32>,
    under: Grid<f32>,
    light: Grid<f32>,
    colour: Grid<[f32; 3]>,
    rock: [f32; 3],
    /// Heights of buildings in cells, with the colours of roofs and walls.
    buildings: Option<(Grid<f32>, [f32; 3], [f32; 3])>,
    trees: Option<Trees>,
}

/// Trees by cell.
struct Trees {
    /// Number of the kind plus 1.
    kinds: Grid<u8>,
    /// Colour and height in cells of each kind.
    looks: Vec<([f32; 3], f32)>,
}

/// The projection, in pixels.
struct View {
    /// Pixels per cell.
    scale: f32,
    /// Pixels per unit of height.
    rise: f32,
    /// Where the lowest height of the first row lies.
    ground: f32,
    lowest: f32,
    high: usize,
}

/// Draws floating land: an oblique parallel projection from the south, column by column from the front to the back.
///
/// A cell at row r and height h stands at 0.55·r − rise·(h − least) rows of pixels. What lies between ground and underside is
/// rock, darker downwards. Buildings are boxes, trees are cones that face the viewer. Fails if a layer is not there.
pub fn floating_land(
    catalogue: &Catalogue,
    style: &FloatingStyle,
    px: Option<usize>,
    ctx: &Ctx,
) -> Result<Image> {
    let image = bare_floating_land(catalogue, style, px, ctx)?;
    let mut canvas = Canvas::new(image.width(), image.height(), SKY_BOTTOM);
    canvas.place(&image, 0, 0);
    let u = (image.width().max(image.height()) as f32 / 1400.0).clamp(0.6, 3.0);
    draw(&mut canvas, &style.title, (48.0 * u, 74.0 * u), &Type::new(44.0 * u, INK));
    draw(&mut canvas, &style.subtitle, (50.0 * u, 106.0 * u), &Type::new(18.0 * u, INK));
    Ok(canvas.into_image())
}

/// Draws floating land as [`floating_land`] does, without the title.
pub fn bare_floating_land(
    catalogue: &Catalogue,
    style: &FloatingStyle,
    px: Option<usize>,
    ctx: &Ctx,
) -> Result<Image> {
    let (w, h) = (catalogue.frame.width, catalogue.frame.height);
    if w == 0 || h == 0 {
        return Err(Error::Shape("a picture needs at least one cell".into()));
    }
    let fields = fields(catalogue, style, ctx)?;
    let scale = px.unwrap_or(LEAST).div_ceil(w.max(h)).clamp(1, 16) * FINER;
    let bounds =
        |g: &Grid<f32>| g.cells().iter().fold((f32::MAX, f32::MIN), |(a, b), &v| (a.min(v), b.max(v)));
    let (lowest, highest) = (bounds(&fields.under).0, bounds(&fields.top).1);
    // The land is drawn at most half as high as its map is wide or deep.
    let most = 0.5 * (w.max(h) * scale) as f32 / (highest - lowest).max(1.0);
    let rise = (style.rise as f32 * scale as f32).min(most);
    let foot = 40 * FINER;
    let head = HEAD * FINER;
    let ground = head as f32 + (highest - lowest) * rise;
    let high = (ground + h as f32 * scale as f32 * FORESHORTENED) as usize + foot;
    let wide = w * scale;
    // Columns are worked on as rows, so that each thread has its own.
    let view = View { scale: scale as f32, rise, ground, lowest, high };
    let columns = par::map(wide, ctx, |px| column(&fields, &view, px as f32 / scale as f32))?;
    let mut bytes = vec![0u8; 3 * wide * high];
    for (y, row) in bytes.chunks_exact_mut(3 * wide).enumerate() {
        for (pixel, column) in row.chunks_exact_mut(3).zip(&columns) {
            pixel.copy_from_slice(&column[y]);
        }
    }
    Ok(Image::from_bytes(wide, high, bytes).reduced(FINER))
}

fn fields(catalogue: &Catalogue, style: &FloatingStyle, ctx: &Ctx) -> Result<Fields> {
    let measure = |name: &str| -> Result<Grid<f32>> {
        match layer(catalogue, name)?.cells() {
            Cells::F32(grid) => Ok(grid.clone()),
            _ => Err(Error::Invalid(format!("layer `{name}` must hold 32-bit floats to be drawn as land"))),
        }
    };
    let (top, under) = (measure(style.top)?, measure(style.underside)?);
    let cover = layer(catalogue, style.cover)?.cells();
    let light = multidirectional(&top, 1.0, style.rise * 1.6, &Light::default(), ctx)?;
    let colour_of = |value: u32| style.classes.iter().find(|c| c.0 == value).map_or([200; 3], |c| c.1);
    let colour = par::fill(top.width(), top.height(), ctx, |y, row: &mut [[f32; 3]]| {
        for (x, out) in row.iter_mut().enumerate() {
            *out = colour_of(cover.at(x, y) as u32).map(f32::from);
        }
    })?;
    let buildings = match &style.buildings {
        Some(look) => {
            let mut heights = measure(look.layer)?;
            heights.cells_mut().iter_mut().for_each(|h| *h *= look.rise as f32);
            Some((heights, look.roof.map(f32::from), look.wall.map(f32::from)))
        }
        None => None,
    };
    let trees = match &style.trees {
        Some(look) => {
            let layer = layer(catalogue, look.layer)?.cells();
            let number =
                |value: u32| look.kinds.iter().position(|kind| kind.0 == value).map_or(0, |i| i as u8 + 1);
            let kinds = par::fill(top.width(), top.height(), ctx, |y, row: &mut [u8]| {
                row.iter_mut().enumerate().for_each(|(x, out)| *out = number(layer.at(x, y) as u32));
            })?;
            Some(Trees {
                kinds,
                looks: look.kinds.iter().map(|k| (k.1.map(f32::from), k.2 as f32)).collect(),
            })
        }
        None => None,
    };
    Ok(Fields { top, under, light, colour, rock: style.rock.map(f32::from), buildings, trees })
}

impl Fields {
    /// Whether there is land in a cell.
    fn land(&self, cell: (usize, usize)) -> bool {
        self.top[cell] > self.under[cell]
    }

    /// Height in cells and colours of the top and the front of the building on a cell.
    fn building(&self, cell: (usize, usize)) -> Option<(f32, [f32; 3], [f32; 3])> {
        let (heights, roof, wall) = self.buildings.as_ref()?;
        (heights[cell] > 0.0 && self.land(cell)).then(|| (heights[cell], *roof, *wall))
    }

    /// Height in cells and colour of the trees of a row where a column of pixels cuts them: a cone is as wide as two cells,
    /// and its height and brightness vary by a hash of its place, so that rows of trees do not show.
    fn tree(&self, x: f32, row: usize) -> Option<(f32, [f32; 3])> {
        let Trees { kinds, looks } = self.trees.as_ref()?;
        let here = x as usize;
        let near = here.saturating_sub(1)..(here + 2).min(kinds.width());
        let cut = near.filter(|&c| kinds[(c, row)] > 0 && self.land((c, row))).map(|c| {
            let (colour, height) = looks[kinds[(c, row)] as usize - 1];
            let vary = |what: &str| Seed(0).of(what).unit_at(c as i64, row as i64) as f32 - 0.5;
            let height = height * (1.0 + 0.7 * vary("height"));
            let bright = 1.0 + 0.3 * vary("bright");
            (height * (1.0 - (x - c as f32 - 0.5).abs()), colour.map(|v| v * bright))
        });
        cut.filter(|(height, _)| *height > 0.0).max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

fn mixed(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    std::array::from_fn(|k| a[k] + (b[k] - a[k]) * t)
}

/// A column of pixels that is painted from the front to the back, every pixel once.
struct Column {
    pixels: Vec<[f32; 3]>,
    /// Leads from a pixel to the next one that is not painted.
    free: Vec<usize>,
    sky: Vec<[f32; 3]>,
    haze: f32,
}

impl Column {
    fn new(high: usize) -> Self {
        let (top, bottom) = (SKY_TOP.map(f32::from), SKY_BOTTOM.map(f32::from));
        let sky: Vec<[f32; 3]> =
            (0..high).map(|y| mixed(top, bottom, (y as f32 / high as f32).sqrt())).collect();
        Self { pixels: sky.clone(), free: (0..=high).collect(), sky, haze: 0.0 }
    }

    /// Paints what is free from y0 to y1 with a colour for each height on the picture.
    fn paint(&mut self, y0: f32, y1: f32, colour: impl Fn(f32) -> [f32; 3]) {
        let high = self.pixels.len();
        let last = (y1.max(y0 + 1.0) as usize).min(high);
        let mut y = next_free(&mut self.free, (y0.max(0.0) as usize).min(high));
        while y < last {
            self.pixels[y] = mixed(colour(y as f32), self.sky[y], self.haze);
            self.free[y] = y + 1;
            y = next_free(&mut self.free, y + 1);
        }
    }
}

/// One column of pixels.
fn column(f: &Fields, view: &View, x: f32) -> Vec<Rgb> {
    let mut out = Column::new(view.high);
    let rows = f.top.height();
    let per_row = view.scale * FORESHORTENED;
    let steps = (rows as f32 * per_row) as usize;
    let at = |g: &Grid<f32>, step: usize| g.bilinear(x as f64, (step as f32 / per_row) as f64) as f32;
    let row_of = |step: usize| ((step as f32 / per_row) as usize).min(rows - 1);
    let screen = |step: usize, height: f32| view.ground + step as f32 - (height - view.lowest) * view.rise;
    for step in (0..steps).rev() {
        let (top, under) = (at(&f.top, step), at(&f.under, step));
        if top <= under {
            continue;
        }
        out.haze = 0.35 * (1.0 - step as f32 / steps as f32);
        let row = row_of(step);
        let cell = ((x as usize).min(f.top.width() - 1), row);
        let (y0, y1) = (screen(step, top), screen(step, under));
        let bright = 0.45 + 0.75 * f.light[cell];
        // Trees stand at the front of their row, which every row has.
        let front = step + 1 == steps || row_of(step + 1) != row;
        if let Some((height, colour)) = if front { f.tree(x, row) } else { None } {
            let tip = y0 - height * view.scale;
            out.paint(tip, y0, |y| {
                let shade = 1.12 - 0.5 * (y - tip) / (y0 - tip).max(1.0);
                colour.map(|c| (c * shade * bright).min(255.0))
            });
        }
        if let Some((height, roof, wall)) = f.building(cell) {
            let edge = y0 - height * view.scale;
            out.paint(edge, y0, |y| if y < edge + 1.5 { roof } else { wall });
        }
        // Ground shows as far as the next step lies lower on the picture.
        let next = if step + 1 < steps { screen(step + 1, at(&f.top, step + 1)) } else { y0 + 1.0 };
        let surface = f.colour[cell].map(|c| (c * bright).min(255.0));
        out.paint(y0, y1, |y| {
            let down = (y - y0) / (y1 - y0).max(1.0);
            let height = top + (under - top) * down;
            // Beds of rock, and darkness below.
            let bed = if (height / 9.0).floor() as i32 % 2 == 0 { 1.0 } else { 0.9 };
            let wall = f.rock.map(|c| c * bed * (1.0 - 0.55 * down));
            if y < next.max(y0 + 1.0) { surface } else { wall }
        });
    }
    out.pixels.into_iter().map(|c| c.map(|v| (v + 0.5) as u8)).collect()
}

/// The first pixel from `y` on that is not painted, or the end.
fn next_free(free: &mut [usize], mut y: usize) -> usize {
    while free[y] != y {
        // Path halving: later look-ups take half the steps.
        free[y] = free[free[y]];
        y = free[y];
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Kind, Layer};
    use crate::style::{FloatingBuildings, FloatingTrees};
    use weald_core::Frame;

    /// Green land on brown rock.
    fn plain() -> FloatingStyle {
        FloatingStyle {
            top: "top",
            underside: "under",
            cover: "cover",
            classes: vec![(3, [10, 200, 10])],
            rock: [120, 60, 40],
            rise: 0.5,
            ..Default::default()
        }
    }

    #[test]
    fn trees_and_buildings_of_every_row_stand_on_the_land_and_nowhere_else() {
        // One row of trees or one building at a time, at the scale of the largest maps.
        let side = 900;
        let land = |i: usize| i % side < side / 2;
        let of = |high: f32| {
            Grid::from_vec(side, side, (0..side * side).map(|i| if land(i) { high } else { 50.0 }).collect())
        };
        let (top, under) = (of(60.0), of(20.0));
        let cover = Grid::filled(side, side, 3u8);
        let draw = |things: &dyn Fn(usize) -> bool| {
            let tree = Grid::from_vec(side, side, (0..side * side).map(|i| u8::from(things(i))).collect());
            let high: Vec<f32> = tree.cells().iter().map(|&t| 20.0 * f32::from(t)).collect();
            let high = Grid::from_vec(side, side, high);
            let f = |name, grid| Layer::copied(name, "", Cells::F32(grid), Kind::Measure);
            let c = |name, grid| Layer::copied(name, "", Cells::U8(grid), Kind::Measure);
            let layers = vec![
                f("top", &top),
                f("under", &under),
                c("cover", &cover),
                c("tree", &tree),
                f("high", &high),
            ];
            let catalogue = Catalogue { layers, ..Catalogue::new("land", "m", Frame::new(side, side, 1.0)) };
            let plain = plain();
            let trees = FloatingTrees { layer: "tree", kinds: vec![(1, [250, 20, 20], 9.0)] };
            let buildings =
                FloatingBuildings { layer: "high", rise: 1.0, roof: [250, 20, 20], wall: [250, 20, 250] };
            [
                FloatingStyle { trees: Some(trees), ..plain.clone() },
                FloatingStyle { buildings: Some(buildings), ..plain },
            ]
            .map(|style| floating_land(&catalogue, &style, Some(64), &Ctx::default()).unwrap())
        };
        let red = |image: &Image, columns: std::ops::Range<usize>| {
            let pixels = columns.flat_map(|x| (0..image.height()).map(move |y| (x, y)));
            pixels.filter(|&(x, y)| image.at(x, y)[0] > 120 && image.at(x, y)[1] < 100).count()
        };
        for row in [101, 102, 103, 104, 405, 406, 407, 408, 409, 410, 899] {
            for image in draw(&|i| i / side == row && i % 8 == 4) {
                let half = image.width() / 2;
                assert!(red(&image, 0..half) > half / 8, "row {row}: nothing stands on the land");
                assert_eq!(red(&image, half + 8..image.width()), 0, "row {row}: something stands in the sky");
            }
        }
    }

    #[test]
    fn an_island_hangs_in_the_sky_and_an_absent_layer_is_named() {
        let inside = |i: usize| (20..40).contains(&(i % 60)) && (20..40).contains(&(i / 60));
        let of = |island: f32| {
            Grid::from_vec(60, 60, (0..3600).map(|i| if inside(i) { island } else { 50.0 }).collect())
        };
        let (top, under) = (of(60.0), of(20.0));
        let cover = Grid::filled(60, 60, 3u8);
        let f = |name, grid| Layer::copied(name, "", Cells::F32(grid), Kind::Measure);
        let cover = Layer::copied("cover", "", Cells::U8(&cover), Kind::Measure);
        let catalogue = Catalogue {
            layers: vec![f("top", &top), f("under", &under), cover],
            lines: Vec::new(),
            points: Vec::new(),
            ..Catalogue::new("land", "m", Frame::new(60, 60, 1.0))
        };
        let style = plain();
        let image = floating_land(&catalogue, &style, None, &Ctx::default()).unwrap();
        let (x, h) = (image.width() / 2, image.height());
        let count =
            |is: &dyn Fn([i32; 3]) -> bool| (0..h).filter(|&y| is(image.at(x, y).map(i32::from))).count();
        let (green, brown) =
            (count(&|c| c[1] > c[0] + 40 && c[1] > c[2] + 40), count(&|c| c[0] > c[2] + 10 && c[0] > c[1]));
        assert!(green > h / 20 && brown > h / 20, "{green} green, {brown} brown of {h}");
        assert_eq!(image.at(5, h - 2), image.at(image.width() - 5, h - 2), "the corners are sky");
        let wrong = FloatingStyle { top: "peak", ..style };
        let message = floating_land(&catalogue, &wrong, None, &Ctx::default()).unwrap_err().to_string();
        assert!(message.contains("peak"), "{message}");
    }
}
