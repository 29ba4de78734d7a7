//! The sea of a map: tints by depth, lines along the coast, no relief.

use super::canvas::Canvas;
use super::ground::{PixelScale, Tone, blend, contour, tone};
use super::lines::Wet;
use super::map::{layer, sheet_scale};
use super::resample::{commonest, measure};
use super::sheet::step_between;
use super::spline::{Spline, blurred};
use crate::Result;
use crate::catalogue::Catalogue;
use crate::style::map::MapStyle;
use weald_core::{Ctx, Grid, par};

/// Colour of the coastline.
pub(super) const COAST: [u8; 3] = [44, 84, 112];
/// Colour of the depth contours and of the lines of water along the coast.
pub(super) const DEPTH: [u8; 3] = [64, 116, 154];
/// Colour of the light fringe of the coast.
const FRINGE: Tone = [238.0, 247.0, 246.0];
/// Distances from the coast, on a sheet of usual size in pixels, and strengths of the lines of water.
const WATER_LINES: [(f32, f32); 3] = [(4.0, 0.34), (8.5, 0.22), (14.0, 0.12)];
/// Blocks from the coast beyond which nothing depends on it.
const FAR: f32 = 64.0;

/// Intervals of height contours and of depth contours; `None` where there are no such lines.
pub(super) struct Steps {
    pub(super) contour: Option<f32>,
    pub(super) depth: Option<f32>,
}

/// A sea prepared for painting.
pub(super) struct SeaField {
    /// Blocks from the coast, below 0 on land.
    off: Grid<f32>,
    /// Depth, smooth.
    depth: Grid<f32>,
    /// The least and the greatest depth.
    range: (f32, f32),
    /// Interval of depth contours.
    step: Option<f32>,
    shallow: Tone,
    deep: Tone,
}

/// The sea of a style, or none.
///
/// The distance from the coast is the Euclidean one between centres of blocks, less the half block that lies beyond the coast.
/// Depth is a mean over the sea around a block, so that facets of the floor do not show.
pub(super) fn sea(
    catalogue: &Catalogue,
    style: &MapStyle,
    wet: &Grid<Wet>,
    view: &PixelScale,
    ctx: &Ctx,
) -> Result<Option<SeaField>> {
    let Some(sea) = &style.sea else { return Ok(None) };
    let wet = commonest(view, ctx, |x, y| wet[(x, y)])?;
    if !wet.cells().contains(&Wet::Sea) {
        return Ok(None);
    }
    let off = coastline(from_coast(&wet, ctx)?, view, ctx)?;
    let mut depth = measure(&layer(catalogue, sea.layer)?.cells(), view, ctx)?;
    let mut share = Grid::filled(wet.width(), wet.height(), 0.0f32);
    let ranges = par::map(wet.height(), ctx, |y| {
        let depths = depth.row(y).iter().zip(wet.row(y)).filter(|(_, w)| **w == Wet::Sea).map(|(v, _)| -v);
        depths.fold((f32::INFINITY, 0.0f32), |(lo, hi), v| (lo.min(v), hi.max(v)))
    })?;
    let range = ranges.iter().fold((f32::INFINITY, 0.0f32), |a, b| (a.0.min(b.0), a.1.max(b.1)));
    par::for_rows((depth.rows_mut(), share.rows_mut()), ctx, |y, (depth, share)| {
        for ((d, s), w) in depth.iter_mut().zip(share).zip(wet.row(y)) {
            (*d, *s) = if *w == Wet::Sea { (-*d, 1.0) } else { (0.0, 0.0) };
        }
    })?;
    let radius = (view.blocks.0.max(view.blocks.1) / 128).clamp(1, 12);
    let (mut depth, share) = (blurred(&depth, radius, ctx)?, blurred(&share, radius, ctx)?);
    par::for_rows(depth.rows_mut(), ctx, |y, row| {
        for (d, s) in row.iter_mut().zip(share.row(y)) {
            *d = if *s > 1e-4 { *d / *s } else { range.0 };
        }
    })?;
    let step = step_between(sea.lines, (range.1 - range.0) as f64, 3.0);
    let step = Some(step as f32).filter(|s| *s > 0.0 && s.is_finite());
    Ok(Some(SeaField { off, depth, range, step, shallow: tone(sea.shallow), deep: tone(sea.deep) }))
}

/// Rows whose distances are computed together.
const ROWS: usize = 256;
/// Blocks of a row whose distances are computed together.
const LANES: usize = 64;

/// Blocks from the coast, below 0 on land: the Euclidean distance to the nearest block of land beside the sea, at most [`FAR`],
/// less half a block towards the sea.
///
/// Down and up the columns first, g = steps to the coast; then along the rows, d² = min over k of g(x + k)² + k² with
/// |k| < [`FAR`]. Nothing depends on rows more than [`FAR`] away, so that bands of rows are independent.
fn from_coast(wet: &Grid<Wet>, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
    let (w, h) = (wet.width(), wet.height());
    let bands = par::map(h.div_ceil(ROWS), ctx, |band| {
        par::widest_simd(
            #[inline(always)]
            || {
                let rows = band * ROWS..((band + 1) * ROWS).min(h);
                coast_band(wet, rows)
            },
        )
    })?;
    let mut out = Grid::filled(w, h, 0.0f32);
    par::for_rows(out.rows_mut(), ctx, |y, row| {
        let squared = &bands[y / ROWS][y % ROWS * w..][..w];
        for ((out, wet), squared) in row.iter_mut().zip(wet.row(y)).zip(squared) {
            let far = (*squared as f32).sqrt();
            *out = if *wet == Wet::Sea { far - 0.5 } else { -far - 0.5 };
        }
    })?;
    Ok(out)
}

/// Squares of the distances of [`from_coast`] in a band of rows.
#[inline(always)]
fn coast_band(wet: &Grid<Wet>, rows: std::ops::Range<usize>) -> Vec<u16> {
    const MOST: u8 = FAR as u8;
    let (w, h, far) = (wet.width(), wet.height(), FAR as usize);
    let (top, bottom) = (rows.start.saturating_sub(far), (rows.end + far).min(h));
    let mut steps = vec![MOST; w * (bottom - top)];
    // One block more on both sides.
    let mut sea = vec![false; w + 2];
    for (y, steps) in (top..bottom).zip(steps.chunks_exact_mut(w)) {
        sea[1..=w].iter_mut().zip(wet.row(y)).for_each(|(sea, wet)| *sea = *wet == Wet::Sea);
        let (west, here, east) = (&sea[..w], &sea[1..=w], &sea[2..]);
        let (above, below) = (&wet.row(y.saturating_sub(1))[..w], &wet.row((y + 1).min(h - 1))[..w]);
        for (x, step) in steps[..w].iter_mut().enumerate() {
            let beside = west[x] | east[x] | (above[x] == Wet::Sea) | (below[x] == Wet::Sea);
            *step = if beside & !here[x] { 0 } else { MOST };
        }
    }
    let next = |to: &mut [u8], from: &[u8]| {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = (*to).min((*from + 1).min(MOST)));
    };
    for y in 1..bottom - top {
        let (before, here) = steps.split_at_mut(y * w);
        next(&mut here[..w], &before[(y - 1) * w..]);
    }
    for y in (1..bottom - top).rev() {
        let (here, after) = steps.split_at_mut(y * w);
        next(&mut here[(y - 1) * w..], &after[..w]);
    }
    let mut out = vec![0; w * rows.len()];
    // Squares with room on both sides.
    let mut squares = vec![(FAR * FAR) as u16; w + 2 * far + LANES];
    for (out, steps) in out.chunks_exact_mut(w).zip(steps.chunks_exact(w).skip(rows.start - top)) {
        let inner = &mut squares[far..far + w];
        inner.iter_mut().zip(steps).for_each(|(square, s)| *square = *s as u16 * *s as u16);
        nearest(&squares, out);
    }
    out
}

/// out(x) = min over k of squares(x + k) + k² with |k| < [`FAR`], where `squares` has [`FAR`] values more on the left, and [`FAR`] and
/// [`LANES`] more on the right.
#[inline(always)]
fn nearest(squares: &[u16], out: &mut [u16]) {
    let far = FAR as usize;
    let run = |values: &[u16]| -> [u16; LANES] { *values.first_chunk().expect("there is room on the right") };
    for (x, out) in (0..).step_by(LANES).zip(out.chunks_mut(LANES)) {
        let window = &squares[x..][..2 * far + LANES];
        let mut best = run(&window[far..]);
        // Far from every coast there is nothing nearer.
        let reach = if window.iter().fold(u16::MAX, |a, s| a.min(*s)) < (far * far) as u16 { far } else { 1 };
        for k in 1..reach {
            let square = (k * k) as u16;
            if k % 8 == 1 && best.iter().fold(0, |a, o| a.max(*o)) <= square {
                break;
            }
            let (left, right) = (run(&window[far - k..]), run(&window[far + k..]));
            for i in 0..LANES {
                best[i] = best[i].min(left[i].min(right[i]) + square);
            }
        }
        out.copy_from_slice(&best[..out.len()]);
    }
}

/// Distances with a smooth coast: where cells are small, halfway to their means, except where that would remove a rock or an
/// inlet. All are reduced by what the spline takes from a rock of one cell.
fn coastline(mut off: Grid<f32>, view: &PixelScale, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
    const ROCK: f32 = 0.2;
    const STAIR: f32 = 0.6;
    let soft = if view.scale > 2 { None } else { Some(blurred(&off, 1, ctx)?) };
    par::for_rows(off.rows_mut(), ctx, |y, row| {
        if let Some(soft) = &soft {
            for (v, s) in row.iter_mut().zip(soft.row(y)).filter(|(v, s)| (*s - **v).abs() < STAIR) {
                *v += (s - *v) * 0.5;
            }
        }
        row.iter_mut().for_each(|v| *v -= ROCK);
    })?;
    Ok(off)
}

/// Cover in which the first two rings of sea around the land have the classes of the land, so that no colour of water bleeds
/// over the coast.
pub(super) fn land_first(cover: &Grid<u8>, wet: &Grid<Wet>, ctx: &Ctx) -> weald_core::Result<Grid<u8>> {
    let (w, h) = (cover.width(), cover.height());
    let around = |v: usize, n: usize| v.saturating_sub(2)..(v + 3).min(n);
    par::fill(w, h, ctx, |y, row: &mut [u8]| {
        row.copy_from_slice(cover.row(y));
        // Columns with land in the rows around, with two more on both sides: far out there is nothing to look for.
        let mut near = vec![false; w + 4];
        for ny in around(y, h) {
            near[2..].iter_mut().zip(wet.row(ny)).for_each(|(near, wet)| *near |= *wet != Wet::Sea);
        }
        let shore: Vec<bool> = (0..w)
            .map(|x| {
                wet.row(y)[x] == Wet::Sea && near[x] | near[x + 1] | near[x + 2] | near[x + 3] | near[x + 4]
            })
            .collect();
        for (x, out) in row.iter_mut().enumerate().filter(|(x, _)| shore[*x]) {
            let land = around(y, h).flat_map(|ny| around(x, w).map(move |nx| (nx, ny)));
            let apart = |&(nx, ny): &(usize, usize)| {
                let (dx, dy) = (nx.abs_diff(x), ny.abs_diff(y));
                (dx * dx + dy * dy, ny, nx)
            };
            if let Some(nearest) = land.filter(|&at| wet[at] != Wet::Sea).min_by_key(apart) {
                *out = cover[nearest];
            }
        }
    })
}

impl SeaField {
    /// Interval of depth contours, if any are drawn.
    pub(super) fn line_step(&self) -> Option<f32> {
        self.step.filter(|s| (self.range.0 / s).floor() + 1.0 < (self.range.1 / s).ceil())
    }

    /// The map with the sea over it.
    pub(super) fn painted(&self, canvas: Canvas, view: &PixelScale, ctx: &Ctx) -> Result<Canvas> {
        let (spline, u) = (Spline::new(view.scale), sheet_scale(view));
        Ok(canvas.repainted(
            ctx,
            #[inline(always)]
            |y, row| self.paint_row(&spline, view, u, y, row),
        )?)
    }

    #[inline(always)]
    fn paint_row(&self, spline: &Spline, view: &PixelScale, u: f32, y: usize, row: &mut [[u8; 4]]) {
        /// Pixels that are skipped together on land.
        const PART: usize = 64;
        let w = row.len();
        // One pixel more on both sides, which repeats the edge.
        let line = |grid: &Grid<f32>, dy: isize| {
            let mut field = vec![0.0; w + 2];
            spline.row(y as isize + dy, view.blocks, |y| grid.row(y), |v| v, &mut field[1..=w]);
            (field[0], field[w + 1]) = (field[1], field[w]);
            field
        };
        let off = [line(&self.off, -1), line(&self.off, 0), line(&self.off, 1)];
        let depth = [line(&self.depth, 0), line(&self.depth, 1)];
        let scale = view.scale as f32;
        for (x, pixels) in (0..).step_by(PART).zip(row.chunks_mut(PART)) {
            let n = pixels.len();
            if off[1][x + 1..][..n].iter().fold(true, |all, off| all & (off * scale < -3.0 * u)) {
                continue;
            }
            let (above, here, below) = (&off[0][x..][..n + 2], &off[1][x..][..n + 2], &off[2][x..][..n + 2]);
            let (deep, deeper) = (&depth[0][x..][..n + 2], &depth[1][x..][..n + 2]);
            for (k, pixel) in pixels.iter_mut().enumerate() {
                let gx = (here[k + 2] - here[k]) / 2.0 * scale;
                let gy = (below[k + 1] - above[k + 1]) / 2.0 * scale;
                let rise = ((deep[k + 2] - deep[k]) / 2.0, deeper[k + 1] - deep[k + 1]);
                let slopes = ((gx * gx + gy * gy).sqrt(), (rise.0 * rise.0 + rise.1 * rise.1).sqrt());
                let painted = self.pixel(*pixel, (here[k + 1] * scale, deep[k + 1]), slopes, u);
                *pixel = if here[k + 1] * scale < -3.0 * u { *pixel } else { painted };
            }
        }
    }

    /// A pixel with the sea over it, by its distance from the coast in pixels and its depth, and the slopes of both per pixel.
    #[inline(always)]
    fn pixel(&self, under: [u8; 4], (off, depth): (f32, f32), slopes: (f32, f32), u: f32) -> [u8; 4] {
        const INK: Tone = [DEPTH[0] as f32, DEPTH[1] as f32, DEPTH[2] as f32];
        const EDGE: Tone = [COAST[0] as f32, COAST[1] as f32, COAST[2] as f32];
        // Pixels from the coast. Where the distances of two coasts meet they have no slope to divide by.
        let out = off / slopes.0.max(0.5);
        let span = (self.range.1 - self.range.0).max(1e-6);
        let mut colour = [under[0] as f32, under[1] as f32, under[2] as f32];
        let mut water = self.shallow;
        blend(&mut water, self.deep, ((depth - self.range.0) / span).clamp(0.0, 1.0));
        blend(&mut water, INK, self.depth_ink(depth, slopes.1, u));
        let fringe = (1.0 - off / (10.0 * u)).clamp(0.0, 1.0);
        blend(&mut water, FRINGE, 0.55 * fringe * fringe);
        for (at, strength) in WATER_LINES {
            let ink = (0.35 * u + 0.5 - (off - at * u).abs()).clamp(0.0, 1.0);
            blend(&mut water, INK, ink * strength);
        }
        blend(&mut colour, water, (out + 0.5).clamp(0.0, 1.0));
        blend(&mut colour, EDGE, (0.5 * u + 0.5 - out.abs()).clamp(0.0, 1.0) * 0.9);
        let byte = |c: f32| (c + 0.5).clamp(0.0, 255.0) as u8;
        [byte(colour[0]), byte(colour[1]), byte(colour[2]), under[3]]
    }

    /// Ink of the depth contours. The least and the greatest depth have none: those are the coast and the level floor.
    #[inline(always)]
    fn depth_ink(&self, depth: f32, rise: f32, u: f32) -> f32 {
        let Some(step) = self.step else { return 0.0 };
        let nearest = (depth / step).round() * step;
        // Level 1 stands for all: none of these lines is stronger than the others.
        let ink = 0.8 * contour(1.0 + (depth - nearest) / step, rise / step, 0.7 * u);
        if nearest <= self.range.0 || nearest >= self.range.1 { 0.0 } else { ink }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Cells, Class, Feature, FeatureSet, Kind, Layer};
    use crate::render::ground::STREAM;
    use crate::render::legend::legend;
    use crate::render::map::{map, wet_cells};
    use crate::render::relief::relief;
    use crate::style::map::{
        Caption, Contours, Cover, CoverClass, Mark, PointStyle, Relief, Rivers, Sea, StreamOrder,
    };
    use weald_core::Frame;

    const COVERS: &[Class] = &[
        Class { value: 0, name: "sea", colour: [150, 190, 214] },
        Class { value: 1, name: "grass", colour: [200, 210, 150] },
    ];
    /// Cells of the map, and the first column of the sea.
    const SIZE: (usize, usize) = (600, 200);
    const SHORE: usize = 300;

    /// Land that falls towards a straight coast in the east, and a river along its middle.
    struct Coast {
        height: Grid<f32>,
        cover: Grid<u8>,
        order: Grid<u8>,
        flow: Grid<u32>,
    }

    impl Coast {
        /// The floor is `rough` metres higher and lower from row to row.
        fn new(rough: f32) -> Self {
            let (w, h) = SIZE;
            let height = |i: usize| match i % w {
                x if x < SHORE => (SHORE - x) as f32 * 0.2 + (i / w % 40) as f32 * 0.1,
                x => -5.0 - 0.3 * ((x - SHORE + 1) as f32).min(50.0) - rough * (i / w % 2) as f32,
            };
            let order = |i: usize| if i / w == h / 2 && i % w < SHORE { 1 + (i % w > 200) as u8 } else { 0 };
            let all = || 0..w * h;
            Self {
                height: Grid::from_vec(w, h, all().map(height).collect()),
                cover: Grid::from_vec(w, h, all().map(|i| (i % w < SHORE) as u8).collect()),
                order: Grid::from_vec(w, h, all().map(order).collect()),
                flow: Grid::from_vec(w, h, all().map(|i| (i % w) as u32 + 1).collect()),
            }
        }

        fn catalogue(&self) -> Catalogue {
            let layer = Layer::copied;
            let middle = SIZE.1 as f64 / 2.0 + 0.5;
            let course = (100..=SHORE).map(|x| (x as f64 + 0.5, middle)).collect();
            let river = Feature::new(0, course, []);
            let peak = Feature::new(0, vec![(40.5, 40.5)], [("height_m", 52.0.into())]);
            let set = |name, features| FeatureSet::new(name, "", features);
            Catalogue {
                layers: vec![
                    layer("height", "m", Cells::F32(&self.height), Kind::Measure),
                    layer("cover", "", Cells::U8(&self.cover), Kind::Classes(COVERS)),
                    layer("order", "", Cells::U8(&self.order), Kind::Measure),
                    layer("flow", "", Cells::U32(&self.flow), Kind::Measure),
                    layer("way", "", Cells::U8(&Grid::filled(SIZE.0, SIZE.1, 0)), Kind::Measure),
                ],
                lines: vec![set("rivers", vec![river])],
                points: vec![set("peaks", vec![peak]), set("harbours", vec![])],
                ..Catalogue::new("land", "m", Frame::new(SIZE.0, SIZE.1, 1.0))
            }
        }
    }

    fn style() -> MapStyle {
        let class = |c: &Class| CoverClass { value: c.value, label: None, ground: c.colour, trees: vec![] };
        let point = |set, label, mark, caption| PointStyle {
            set,
            only: None,
            label,
            mark,
            colour: [60, 40, 30],
            caption,
        };
        MapStyle {
            relief: Some(Relief { layer: "height", z_factor: None, contours: Contours::Most(8) }),
            cover: Some(Cover {
                layer: "cover",
                heading: "Ground",
                classes: COVERS.iter().map(class).collect(),
            }),
            sea: Some(Sea {
                layer: "height",
                label: "Sea",
                shallow: [190, 222, 232],
                deep: [122, 172, 206],
                lines: Contours::Most(3),
            }),
            rivers: Some(Rivers {
                set: "rivers",
                label: "River",
                load: "flow",
                width: "",
                widths: None,
                order: Some(StreamOrder { layer: "order", flow: "way" }),
            }),
            points: vec![
                point("peaks", "Peak", Mark::Peak, Some(Caption { property: "height_m", most: 3 })),
                point("harbours", "Harbour", Mark::Anchor, None),
            ],
            ..MapStyle::default()
        }
    }

    /// The row of the finished map that is `down` of its height, without the sheet around it.
    fn row(coast: &Coast, down: f32) -> Vec<[u8; 3]> {
        let image = map(&coast.catalogue(), &style(), &Ctx::default()).unwrap();
        let view = PixelScale::of(SIZE.0, SIZE.1);
        let (w, h) = view.pixels();
        let u = sheet_scale(&view);
        // The corner of the map, as the sheet has it.
        let corner = ((92.0 * u).round() as usize, (184.0 * u).round() as usize);
        (0..w).map(|x| image.at(corner.0 + x, corner.1 + (down * h as f32) as usize)).collect()
    }

    fn apart(a: [u8; 3], b: [u8; 3]) -> i32 {
        (0..3).map(|k| (a[k] as i32 - b[k] as i32).abs()).sum()
    }

    #[test]
    fn the_sea_grows_darker_outwards_and_a_dark_line_is_its_coast() {
        let row = row(&Coast::new(0.0), 0.15);
        let light = |x: usize| row[x].iter().map(|c| *c as i32).sum::<i32>();
        assert!(light(650) > light(680) + 5 && light(680) > light(760) + 5);
        let darkest = (500..700).min_by_key(|&x| light(x)).unwrap();
        assert!((598..=601).contains(&darkest), "{darkest}");
        assert!(apart(row[1000], [122, 172, 206]) < 4, "{:?}", row[1000]);
        assert!(row[580][1] > row[580][2] + 20, "no water creeps over the land: {:?}", row[580]);
    }

    #[test]
    fn the_floor_of_the_sea_does_not_change_the_light_of_the_land_and_shows_no_facets() {
        let (smooth, rough) = (Coast::new(0.0), Coast::new(30.0));
        let view = PixelScale::of(SIZE.0, SIZE.1);
        let field = |c: &Coast| relief(&c.catalogue(), &style(), &view, &Ctx::default()).unwrap().unwrap();
        let (a, b) = (field(&smooth), field(&rough));
        assert_eq!((a.factor, a.contour_step, &a.form), (b.factor, b.contour_step, &b.form));
        let (upper, lower) = (row(&rough, 0.3), row(&rough, 0.3 + 1.0 / SIZE.1 as f32));
        assert!((700..1200).all(|x| apart(upper[x], lower[x]) < 12));
    }

    #[test]
    fn rivers_reach_the_coast_and_end_there() {
        let row = row(&Coast::new(0.0), 0.5 + 0.5 / SIZE.1 as f32);
        let blue = |x: usize| apart(row[x], STREAM) < 60;
        assert!((420..598).all(blue), "{:?}", &row[585..598]);
        assert!(!(604..640).any(blue), "{:?}", &row[604..640]);
    }

    #[test]
    fn distances_are_counted_from_between_land_and_sea() {
        let wet = Grid::from_vec(6, 1, [[Wet::Land; 3], [Wet::Sea; 3]].concat());
        let off = from_coast(&wet, &Ctx::default()).unwrap();
        assert_eq!(off.row(0), [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]);
        let sea = from_coast(&Grid::filled(3, 2, Wet::Sea), &Ctx::default()).unwrap();
        assert!(sea.cells().iter().all(|v| *v == FAR - 0.5), "without land all is far out");
    }

    #[test]
    fn a_rock_of_one_cell_is_not_washed_away_and_a_straight_coast_stays() {
        let mut wet = Grid::filled(40, 20, Wet::Sea);
        (0..20).for_each(|y| (0..10).for_each(|x| wet[(x, y)] = Wet::Land));
        wet[(25, 10)] = Wet::Land;
        let view = PixelScale { cells: (40, 20), block: 1, blocks: (40, 20), scale: 2 };
        let ctx = Ctx::default();
        let off = coastline(from_coast(&wet, &ctx).unwrap(), &view, &ctx).unwrap();
        let mut row = vec![0.0; 80];
        Spline::new(2).row(21, (40, 20), |y| off.row(y), |v| v, &mut row);
        assert!(row[50] < 0.0 && row[56] > 1.0, "{:?}", &row[48..58]);
        assert!(row[18] < 0.0 && row[21] > 0.0, "{:?}", &row[16..24]);
    }

    #[test]
    fn sea_beside_land_has_its_cover() {
        let wet = Grid::from_vec(6, 1, [vec![Wet::Land; 2], vec![Wet::Sea; 4]].concat());
        let cover = Grid::from_vec(6, 1, vec![7, 3, 0, 0, 0, 0]);
        assert_eq!(land_first(&cover, &wet, &Ctx::default()).unwrap().row(0), [7, 3, 3, 3, 0, 0]);
    }

    #[test]
    fn the_legend_has_the_sea_by_depth_rivers_by_order_and_the_points_that_are_there() {
        let coast = Coast::new(0.0);
        let (catalogue, ctx) = (coast.catalogue(), Ctx::default());
        let wet = wet_cells(&catalogue, &style(), &ctx).unwrap();
        let view = PixelScale::of(SIZE.0, SIZE.1);
        let depth = sea(&catalogue, &style(), &wet, &view, &ctx).unwrap().unwrap().line_step();
        assert_eq!(depth, Some(5.0));
        let sections = legend(&catalogue, &style(), &wet, &Steps { contour: Some(10.0), depth }).unwrap();
        let labels: Vec<String> = sections.iter().flat_map(|s| s.labels()).collect();
        assert_eq!(
            labels,
            [
                "Grass",
                "Sea, 5 to 20 m",
                "River, order 1",
                "River, order 2",
                "Peak",
                "Contour, every 10 m",
                "Depth, every 5 m"
            ]
        );
    }

    #[test]
    fn a_map_that_is_all_sea_is_blue_and_one_that_is_all_land_is_not() {
        let blue = |height: f32| {
            let coast = Coast { height: Grid::filled(SIZE.0, SIZE.1, height), ..Coast::new(0.0) };
            let image = map(&coast.catalogue(), &style(), &Ctx::default()).unwrap();
            let is_blue = |p: &[u8]| p[2] as i32 > p[0] as i32 + 20;
            let count = image.bytes().chunks_exact(3).filter(|p| is_blue(p)).count();
            count as f64 / (image.width() * image.height()) as f64
        };
        let (sea, land) = (blue(-5.0), blue(5.0));
        assert!(sea > land + 0.15, "share of blue: {sea} for the sea, {land} for land");
    }
}
