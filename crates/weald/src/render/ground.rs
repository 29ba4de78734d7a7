//! The painted ground of a map: cover, tints, light, contours, lakes, marsh and trees, a row of pixels at a time.

use super::canvas::Canvas;
use super::lines::Wet;
use super::shade::{Light, Lights, horn, lambert};
use super::spline::Spline;
use super::trees::{Stem, draw_row};
use weald_core::{Cancelled, Ctx, Grid, Seed, par};

/// A colour with channels from 0 to 255 that is still being mixed.
pub(super) type Tone = [f32; 3];

/// Paper of all sheets.
pub(crate) const PAPER: [u8; 3] = [250, 247, 239];
pub(super) const LAKE: [u8; 3] = [166, 204, 219];
pub(super) const DEEP: [u8; 3] = [112, 165, 195];
pub(super) const SHORE: [u8; 3] = [58, 110, 146];
pub(super) const STREAM: [u8; 3] = [62, 120, 164];
pub(super) const MARSH: [u8; 3] = [70, 128, 156];
pub(super) const CONTOUR: [u8; 3] = [146, 104, 62];

/// Share of lake around a point from which it is drawn as lake: a single cell is then a pond of about its own area.
const SHORE_LEVEL: f32 = 0.28;
/// Share of marsh around a point from which marsh is drawn.
const MARSH_LEVEL: f32 = 0.24;

/// The scale from cells to pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelScale {
    /// Cells of the map.
    pub(super) cells: (usize, usize),
    /// Cells along each side of a block that becomes one.
    pub(super) block: usize,
    /// Blocks of the map.
    pub(super) blocks: (usize, usize),
    /// Pixels along each side of a block.
    pub(super) scale: usize,
}

impl PixelScale {
    /// About `px` pixels along the longer side, or at least `least` without it: whole pixels per cell, at most 48 of them, or
    /// one pixel for a block of cells where the map has more cells than that (more than 4096 without `px`).
    pub(super) fn new(px: Option<usize>, least: usize, width: usize, height: usize) -> Self {
        let long = width.max(height).max(1);
        let (block, scale) = match px {
            Some(px) => (long.div_ceil(px.max(1)), (px / long).clamp(1, 48)),
            None => (long.div_ceil(4096), least.div_ceil(long).clamp(1, 48)),
        };
        Self { cells: (width, height), block, blocks: (width.div_ceil(block), height.div_ceil(block)), scale }
    }

    /// The default scale of a map.
    #[cfg(test)]
    pub(super) fn of(width: usize, height: usize) -> Self {
        Self::new(None, 1200, width, height)
    }

    /// Pixels of the map.
    pub(super) fn pixels(&self) -> (usize, usize) {
        (self.blocks.0 * self.scale, self.blocks.1 * self.scale)
    }

    /// Pixels per cell.
    pub(super) fn pixels_per_cell(&self) -> f32 {
        self.scale as f32 / self.block as f32
    }
}

/// A height field prepared for shading.
pub(super) struct ReliefField {
    /// Heights with the finest steps softened.
    pub(super) form: Grid<f32>,
    /// How far a cell lies above (1) or below (−1) the land around it.
    pub(super) position: Grid<f32>,
    /// Factor from a difference per pixel to a slope.
    pub(super) factor: f32,
    /// Contour interval.
    pub(super) contour_step: Option<f32>,
    /// Thickness of contour lines relative to a small sheet.
    pub(super) contour_weight: f32,
    /// Heights up to this one are neither shaded nor contoured.
    pub(super) lowest: f32,
}

/// A colour that is blended over the ground.
pub(super) struct TintField {
    pub(super) share: Grid<f32>,
    pub(super) colour: Tone,
}

/// Everything that the painter reads.
pub(super) struct Ground {
    pub(super) view: PixelScale,
    /// Index into `colours` of each block.
    pub(super) cover: Grid<u8>,
    pub(super) colours: Vec<Tone>,
    pub(super) tints: Vec<TintField>,
    pub(super) relief: Option<ReliefField>,
    pub(super) wet: Grid<Wet>,
    /// Lake blurred, for the depth.
    pub(super) depth: Option<Grid<f32>>,
    /// Half the width of the shore line, in pixels.
    pub(super) shore: f32,
    /// Rows of trees from the north, each `pitch` pixels high.
    pub(super) stems: Vec<Vec<Stem>>,
    pub(super) pitch: f32,
    /// Pixels at the border that are faded.
    pub(super) margin: usize,
}

/// A smooth random field in [0, 1]: hashed values at whole coordinates, between them s = t²(3 − 2t) along both axes.
pub(super) fn grain(seed: Seed, x: f32, y: f32) -> f32 {
    let (fx, fy) = (x.floor(), y.floor());
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (sx, sy) = (ease(x - fx), ease(y - fy));
    let (ix, iy) = (fx as i64, fy as i64);
    let at = |dx: i64, dy: i64| (seed.at(ix + dx, iy + dy) >> 40) as f32 / (1u64 << 24) as f32;
    let top = at(0, 0) + (at(1, 0) - at(0, 0)) * sx;
    let bottom = at(0, 1) + (at(1, 1) - at(0, 1)) * sx;
    top + (bottom - top) * sy
}

/// The channels of a row of tones, each by itself, so that loops over them vectorise.
type Planes = [Vec<f32>; 3];

/// [`blend`] of every tone of a row with its own share.
#[inline(always)]
fn blend_planes(planes: &mut Planes, over: Tone, shares: &[f32]) {
    for (plane, over) in planes.iter_mut().zip(over) {
        plane.iter_mut().zip(shares).for_each(|(under, share)| *under += (over - *under) * share);
    }
}

#[inline(always)]
pub(super) fn blend(under: &mut Tone, over: Tone, share: f32) {
    for k in 0..3 {
        under[k] += (over[k] - under[k]) * share;
    }
}

pub(super) fn tone(colour: [u8; 3]) -> Tone {
    colour.map(|c| c as f32)
}

impl Ground {
    /// The painted ground.
    pub(super) fn paint(&self, ctx: &Ctx) -> Result<Canvas, Cancelled> {
        let (w, h) = self.view.pixels();
        let spline = Spline::new(self.view.scale);
        let seen = par::map(self.cover.height(), ctx, |y| {
            let mut seen = [false; 256];
            self.cover.row(y).iter().for_each(|&c| seen[c as usize] = true);
            seen
        })?;
        Canvas::painted(
            (w, h),
            ctx,
            #[inline(always)]
            |y, out| {
                let mut row = vec![[0.0; 3]; w];
                self.paint_row(&spline, &seen, y, &mut row);
                for (out, tone) in out.iter_mut().zip(&row) {
                    let byte = |c: f32| (c + 0.5).clamp(0.0, 255.0) as u8;
                    *out = [byte(tone[0]), byte(tone[1]), byte(tone[2]), 255];
                }
            },
        )
    }

    #[inline(always)]
    fn paint_row(&self, spline: &Spline, seen: &[[bool; 256]], y: usize, row: &mut [Tone]) {
        let mut planes = [0; 3].map(|_| vec![0.0; row.len()]);
        self.cover_row(spline, seen, y, &mut planes);
        let mut field = vec![0.0; row.len()];
        for tint in &self.tints {
            spline.row(y as isize, self.view.blocks, |y| tint.share.row(y), |v| v, &mut field);
            blend_planes(&mut planes, tint.colour, &field);
        }
        self.marsh_row(spline, y, &mut planes);
        let light = self.light_row(spline, y, &mut planes);
        let [r, g, b] = &planes;
        for ((out, &light), ((&r, &g), &b)) in row.iter_mut().zip(&light).zip(r.iter().zip(g).zip(b)) {
            *out = lit([r, g, b], light);
        }
        self.lake_row(spline, y, row);
        draw_row(&self.stems, self.pitch, y, &light, row);
        self.fade_row(y, row);
    }

    /// Rows of blocks that reach into pixel row `y`.
    fn near(&self, y: usize) -> std::ops::RangeInclusive<usize> {
        let here = y / self.view.scale;
        here.saturating_sub(2)..=(here + 2).min(self.view.blocks.1 - 1)
    }

    /// Colours of the cover. Each class has a smooth weight; grain and a third power make the borders crisp again, but
    /// as crooked as those of nature.
    #[inline(always)]
    fn cover_row(&self, spline: &Spline, seen: &[[bool; 256]], y: usize, planes: &mut Planes) {
        let here = |c: &u8| self.near(y).any(|by| seen[by][*c as usize]);
        let classes: Vec<u8> = (0..=255).filter(here).collect();
        if let [only] = classes[..] {
            planes.iter_mut().zip(self.colours[only as usize]).for_each(|(plane, c)| plane.fill(c));
            return;
        }
        let w = planes[0].len();
        let size = 1.0 / (self.view.scale as f32 * 0.9);
        let rough = self.view.scale >= 3;
        let (mut weights, mut all) = (vec![0.0f32; w], vec![0.0f32; w]);
        for &c in &classes {
            let value = |v: u8| if v == c { 1.0 } else { 0.0 };
            spline.row(y as isize, self.view.blocks, |y| self.cover.row(y), value, &mut weights);
            weights.iter_mut().for_each(|w| *w = if *w <= 1e-4 { 0.0 } else { *w });
            if rough {
                let seed = Seed(c as u64).of("cover");
                for (x, w) in weights.iter_mut().enumerate().filter(|(_, w)| **w > 0.0 && **w < 0.999) {
                    let n = grain(seed, x as f32 * size, y as f32 * size);
                    *w = (*w + 0.5 * (n - 0.5)).max(0.02);
                    *w = *w * *w * *w;
                    *w *= *w;
                }
            }
            for (plane, colour) in planes.iter_mut().zip(self.colours[c as usize]) {
                plane.iter_mut().zip(&weights).for_each(|(sum, w)| *sum += colour * w);
            }
            all.iter_mut().zip(&weights).for_each(|(all, w)| *all += w);
        }
        for plane in planes {
            plane.iter_mut().zip(&all).for_each(|(sum, all)| *sum /= all);
        }
    }

    /// Wet ground: a faint blue tint, and from 3 pixels per cell rows of short strokes.
    fn marsh_row(&self, spline: &Spline, y: usize, planes: &mut Planes) {
        if !self.near(y).any(|by| self.wet.row(by).contains(&Wet::Marsh)) {
            return;
        }
        let mut field = vec![0.0; planes[0].len()];
        let value = |v: Wet| if v == Wet::Marsh { 1.0 } else { 0.0 };
        spline.row(y as isize, self.view.blocks, |y| self.wet.row(y), value, &mut field);
        // Strokes of two thirds of a period, each line shifted by its own hash.
        let high = (3 + self.view.scale / 5).clamp(4, 8);
        let (line, stripe, period) = (y / high, y % high, 3 * high);
        let shift = (Seed(line as u64).of("marsh").at(0, 0) % period as u64) as usize;
        for (x, field) in field.into_iter().enumerate() {
            let share = ((field - MARSH_LEVEL) * 6.0 + 0.5).clamp(0.0, 1.0);
            if share <= 0.0 {
                continue;
            }
            let mut tone = [0, 1, 2].map(|k: usize| planes[k][x]);
            blend(&mut tone, [168.0, 204.0, 204.0], 0.25 * share);
            let dash = (x + shift) % period;
            if self.view.scale >= 3 && stripe == 1 && dash < 2 * high {
                let end = if dash == 0 || dash + 1 == 2 * high { 0.45 } else { 1.0 };
                blend(&mut tone, MARSH.map(|c| c as f32), 0.8 * share * end);
            }
            planes.iter_mut().zip(tone).for_each(|(plane, c)| plane[x] = c);
        }
    }

    /// Light on each pixel: 1 on level ground. Draws the contours as well, because both need the gradient.
    #[inline(always)]
    fn light_row(&self, spline: &Spline, y: usize, planes: &mut Planes) -> Vec<f32> {
        let w = planes[0].len();
        let mut light = vec![1.0; w];
        let Some(relief) = &self.relief else { return light };
        // One pixel more on both sides, which repeats the edge.
        let lines: [Vec<f32>; 3] = [-1, 0, 1].map(|dy| {
            let mut field = vec![0.0; w + 2];
            spline.row(y as isize + dy, self.view.blocks, |y| relief.form.row(y), |v| v, &mut field[1..=w]);
            (field[0], field[w + 1]) = (field[1], field[w]);
            field
        });
        spline.row(y as isize, self.view.blocks, |y| relief.position.row(y), |v| v, &mut light);
        let main = Light::default();
        let (sun, lights) = (main.vector(), Lights::around(&main));
        let mut slopes = vec![0.0; w];
        let [above, here, below] = lines.each_ref().map(|line| &line[..w + 2]);
        for (x, (light, slope)) in light.iter_mut().zip(&mut slopes).enumerate() {
            let (p, q) = horn(
                [above[x], above[x + 1], above[x + 2]],
                [here[x], here[x + 1], here[x + 2]],
                [below[x], below[x + 1], below[x + 2]],
            );
            let (gx, gy) = gentled(p * relief.factor, q * relief.factor);
            let shade = 0.6 * lambert(gx, gy, sun) + 0.4 * lights.shade(gx, gy);
            *light = shade / sun[2] * (1.0 + 0.10 * *light);
            *slope = p * p + q * q;
        }
        if let Some(step) = relief.contour_step {
            for (ink, here) in slopes.iter_mut().zip(&here[1..]) {
                // The line at the lowest height is the coast.
                let drawn = here - 0.5 * step > relief.lowest;
                let line = contour(here / step, ink.sqrt() / step, relief.contour_weight);
                *ink = if drawn { line } else { 0.0 };
            }
            blend_planes(planes, tone(CONTOUR), &slopes);
        }
        light
    }

    /// Lakes with a smooth shoreline, pale at the shore and deeper further out.
    fn lake_row(&self, spline: &Spline, y: usize, row: &mut [Tone]) {
        let Some(depth) = &self.depth else { return };
        if !self.near(y).any(|by| self.wet.row(by).contains(&Wet::Lake)) {
            return;
        }
        let value = |v: Wet| if v == Wet::Lake { 1.0 } else { 0.0 };
        let w = row.len();
        let lines: [Vec<f32>; 3] = [-1, 0, 1].map(|dy| {
            let mut field = vec![0.0; w];
            spline.row(y as isize + dy, self.view.blocks, |y| self.wet.row(y), value, &mut field);
            field
        });
        let mut deep = vec![0.0; w];
        spline.row(y as isize, self.view.blocks, |y| depth.row(y), |v| v, &mut deep);
        let s = self.view.scale as f32;
        let (seed, size) = (Seed(0).of("shore"), 1.0 / (0.8 * s));
        for x in 0..w {
            let mut here = lines[1][x];
            if here <= 0.02 {
                continue;
            }
            if self.view.scale >= 4 {
                here += 0.16 * (grain(seed, x as f32 * size, y as f32 * size) - 0.5);
            }
            let gx = (lines[1][(x + 1).min(w - 1)] - lines[1][x.saturating_sub(1)]) / 2.0;
            let gy = (lines[2][x] - lines[0][x]) / 2.0;
            // Pixels from the shore, positive inside.
            let inside = (here - SHORE_LEVEL) / (gx * gx + gy * gy).sqrt().max(0.004);
            let cover = (inside + 0.5).clamp(0.0, 1.0);
            if cover > 0.0 {
                let mut water = tone(LAKE);
                blend(&mut water, tone(DEEP), ((deep[x] - 0.35) * 1.6).clamp(0.0, 1.0));
                // A pale band just inside the shore line.
                blend(&mut water, [206.0, 227.0, 232.0], (1.0 - inside / (2.0 + 0.22 * s)).clamp(0.0, 0.6));
                blend(&mut row[x], water, cover);
            }
            let line = (self.shore + 0.5 - inside.abs()).clamp(0.0, 1.0);
            blend(&mut row[x], tone(SHORE), line * 0.85);
        }
    }

    /// The border that is not part of the playable land, towards the paper.
    fn fade_row(&self, y: usize, row: &mut [Tone]) {
        let (w, h) = self.view.pixels();
        if self.margin == 0 {
            return;
        }
        let from_edge = |v: usize, n: usize| v.min(n - 1 - v);
        for (x, tone) in row.iter_mut().enumerate() {
            if from_edge(x, w).min(from_edge(y, h)) < self.margin {
                blend(tone, PAPER.map(|c| c as f32), 0.55);
            }
        }
    }
}

/// A gradient as it is lit: slopes above 24° count as less steep, and none as 41° or more, so that the far side of a range keeps its forms
/// and is not lost in shadow. g ← 0.45 + d/(1 + d/0.4) with g its length and d = g − 0.45.
#[inline(always)]
fn gentled(gx: f32, gy: f32) -> (f32, f32) {
    const STEEP: f32 = 0.45;
    const ROOM: f32 = 0.4;
    let g = (gx * gx + gy * gy).sqrt();
    let d = g - STEEP;
    let steep = (STEEP + d / (1.0 + d / ROOM)) / g;
    let share = if d <= 0.0 { 1.0 } else { steep };
    (gx * share, gy * share)
}

/// A colour in that light: shadows are cool, lit slopes warm.
#[inline(always)]
pub(super) fn lit(tone: Tone, light: f32) -> Tone {
    const SHADOW: Tone = [0.60, 0.50, 0.34];
    const SUN: Tone = [0.72, 0.66, 0.42];
    // Deep shadows are held back, so that colours stay alive in them.
    let dark = (1.0 - light) * 1.3 / (1.0 + 0.9 * (1.0 - light));
    let bright = ((light - 1.0) / 0.42).min(1.0);
    let channel = |k: usize| {
        let shadow = tone[k] * (1.0 - SHADOW[k] * dark);
        let sunny = tone[k] + (255.0 - tone[k]) * SUN[k] * bright;
        if light < 1.0 { shadow } else { sunny }
    };
    [channel(0), channel(1), channel(2)]
}

/// Ink of contour lines at a height of `level` steps where the height rises by `rise` steps a pixel; every fifth line is
/// stronger, and lines fade where the ground is so level that they would smear. Lines are `weight` times as thick as usual.
#[inline(always)]
pub(super) fn contour(level: f32, rise: f32, weight: f32) -> f32 {
    let nearest = level.round();
    let pixels = (level - nearest).abs() / rise.max(1e-6);
    let fifth = nearest as i32 % 5 == 0;
    let (half, ink) = if fifth { (0.7, 0.7) } else { (0.45, 0.52) };
    let (half, flat) = (half * weight, (rise * weight / 0.006).min(1.0));
    let crowded = (1.5 - rise * 5.0).clamp(0.0, 1.0);
    (half + 0.5 - pixels).clamp(0.0, 1.0) * ink * flat * crowded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_of_a_map_is_a_whole_number_of_pixels_or_of_cells() {
        let of = |n: usize| {
            let v = PixelScale::of(n, n / 2 + 1);
            (v.scale, v.block)
        };
        assert_eq!(of(1), (48, 1));
        assert_eq!(of(64), (19, 1));
        assert_eq!(of(256), (5, 1));
        assert_eq!(of(1024), (2, 1));
        assert_eq!(of(1200), (1, 1));
        assert_eq!(of(4096), (1, 1));
        assert_eq!(of(4097), (1, 2));
        assert_eq!(PixelScale::of(8192, 100).pixels(), (4096, 50));
    }

    #[test]
    fn steep_slopes_are_lit_as_less_steep_and_keep_their_order_and_direction() {
        assert_eq!(gentled(0.3, -0.2), (0.3, -0.2));
        let lengths = [0.5, 1.0, 4.0, 400.0f32].map(|g| {
            let (x, y) = gentled(0.6 * g, 0.8 * g);
            assert!((y / x - 0.8 / 0.6).abs() < 1e-5, "{x} {y}");
            (x * x + y * y).sqrt()
        });
        assert!(
            lengths.windows(2).all(|l| l[0] < l[1]) && lengths[0] < 0.5 && lengths[3] < 0.85,
            "{lengths:?}"
        );
    }

    #[test]
    fn shadows_darken_and_light_brightens_and_level_ground_stays() {
        let base = [120.0, 130.0, 90.0];
        let with = |l: f32| lit(base, l);
        assert_eq!(with(1.0), base);
        assert!((0..3).all(|k| with(0.5)[k] < base[k] && with(1.3)[k] > base[k]));
    }

    #[test]
    fn a_contour_has_ink_at_whole_levels_only() {
        assert!(contour(3.0, 0.1, 1.0) > 0.4);
        assert_eq!(contour(3.5, 0.1, 1.0), 0.0);
        assert!(contour(5.0, 0.1, 1.0) > contour(3.0, 0.1, 1.0));
        assert!(contour(3.1, 0.1, 2.0) > contour(3.1, 0.1, 1.0), "a thicker line reaches further");
    }
}
