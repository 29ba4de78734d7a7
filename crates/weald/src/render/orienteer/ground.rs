//! The coloured ground: areas with smooth borders, textures, a veil.

use super::super::canvas::{Canvas, Pen, Point};
use super::super::ground::{PixelScale, Tone, blend, tone};
use super::super::image::Rgb;
use super::super::map::layer;
use super::super::resample::commonest;
use super::super::spline::{Spline, blurred};
use super::{Drawing, curve, relief};
use crate::Result;
use crate::catalogue::{Catalogue, Kind};
use crate::style::orienteer::{GroundLook, OrienteerStyle, Texture};
use std::collections::VecDeque;
use weald_core::{Ctx, Grid, contour, distance, par};

/// A class that occurs, with the share of it around each block.
struct Field<L> {
    look: L,
    share: Grid<f32>,
}

/// The lines around the areas of a class, in blocks.
struct Edge {
    colour: Rgb,
    lines: Vec<Vec<(f64, f64)>>,
    /// Water that is narrow, beside which the lines are thin.
    narrow: Option<Grid<bool>>,
}

/// Everything that the painter of the ground reads.
pub(super) struct Ground {
    view: PixelScale,
    /// Areas by colour.
    areas: Vec<Field<Tone>>,
    /// Textures upon them.
    textures: Vec<Field<Texture>>,
    veil: Option<Field<(Tone, f32)>>,
    /// Lines around areas.
    edges: Vec<Edge>,
    water: Grid<bool>,
    /// Values of the class layer that occur.
    pub(super) values: Vec<u32>,
}

/// Radius of the blur of areas where single cells are visible.
const BLUR: usize = 2;

/// Share of water around a block from which blurring keeps it: strips of about four blocks have less.
const KEPT: f32 = 0.6;

/// Share of narrow water: more than 1, so that it outweighs its surroundings even in a single block.
const NARROW: f32 = 1.3;

/// Share of a texture around a point from which it is drawn: low enough to keep strips of one cell.
const TEXTURE_LEVEL: f32 = 0.36;

impl Ground {
    /// Resamples the layers of the style to blocks and smooths the borders of areas.
    pub(super) fn of(
        catalogue: &Catalogue,
        style: &OrienteerStyle,
        view: &PixelScale,
        ctx: &Ctx,
    ) -> Result<Self> {
        let (w, h) = view.blocks;
        let mut ground = Self {
            view: *view,
            areas: vec![],
            textures: vec![],
            veil: None,
            edges: vec![],
            water: Grid::filled(w, h, false),
            values: vec![],
        };
        if let Some(veil) = &style.veil {
            let data = layer(catalogue, veil.layer)?.cells();
            let here = commonest(view, ctx, |x, y| data.at(x, y) != 0.0)?;
            if here.cells().contains(&true) {
                let share = blurred(&share_of(&here, true, ctx)?, 2, ctx)?;
                ground.veil = Some(Field { look: (tone(veil.colour), veil.strength), share });
            }
        }
        let Some(classes) = &style.ground else { return Ok(ground) };
        let class_layer = layer(catalogue, classes.layer)?;
        let mut looks: Vec<(u32, GroundLook)> = classes.classes.iter().map(|c| (c.value, c.look)).collect();
        if let Kind::Classes(table) = class_layer.kind {
            let unlisted = table.iter().filter(|c| !classes.classes.iter().any(|k| k.value == c.value));
            looks.extend(unlisted.map(|c| (c.value, GroundLook::Area { fill: c.colour, edge: None })));
        }
        looks.truncate(254);
        let other = looks.len() as u8;
        let mut index = [other; 256];
        for (k, (value, _)) in looks.iter().enumerate().rev() {
            if let Some(slot) = index.get_mut(*value as usize) {
                *slot = k as u8;
            }
        }
        let data = class_layer.cells();
        let seen = commonest(view, ctx, |x, y| index.get(data.at(x, y) as usize).copied().unwrap_or(other))?;
        let mut occurs = [false; 256];
        seen.cells().iter().for_each(|&c| occurs[c as usize] = true);
        ground.values = looks.iter().enumerate().filter(|(k, _)| occurs[*k]).map(|(_, l)| l.0).collect();
        let area = |k: u8| match looks.get(k as usize) {
            None | Some((_, GroundLook::Area { .. } | GroundLook::Water { .. })) => true,
            Some((_, GroundLook::Over(_) | GroundLook::Through)) => false,
        };
        let base = spread(&seen, area);
        // Blur where single cells are visible; the spline of the painter adds its own.
        let radius = if view.scale > 1 { BLUR } else { 0 };
        // Narrow water, which blurring would lose, stays as it is: no other class has a share there.
        let mut narrow: Vec<(u8, Grid<bool>)> = Vec::new();
        for k in (0..other).filter(|&k| occurs[k as usize]) {
            if let GroundLook::Water { .. } = looks[k as usize].1 {
                narrow.push((k, narrow_parts(&share_of(&base, k, ctx)?, ctx)?));
            }
        }
        let kept = |k: u8, share: Grid<f32>| {
            narrow.iter().fold(share, |mut share, (of, narrow)| {
                let cells = share.cells_mut().iter_mut().zip(narrow.cells());
                cells.filter(|(_, n)| **n).for_each(|(s, _)| *s = if k == *of { NARROW } else { 0.0 });
                share
            })
        };
        for k in 0..=other {
            if !occurs[k as usize] {
                continue;
            }
            let look = looks.get(k as usize).map_or(GroundLook::Area { fill: [255; 3], edge: None }, |l| l.1);
            match look {
                GroundLook::Over(texture) => {
                    ground.textures.push(Field { look: texture, share: share_of(&seen, k, ctx)? });
                }
                GroundLook::Through => {}
                GroundLook::Area { fill, edge } => {
                    let share = blurred(&share_of(&base, k, ctx)?, radius, ctx)?;
                    if let Some(edge) = edge {
                        let lines = contour::lines(&share, 0.5);
                        ground.edges.push(Edge { colour: edge, lines, narrow: None });
                    }
                    ground.areas.push(Field { look: tone(fill), share: kept(k, share) });
                }
                GroundLook::Water { fill, bank } => {
                    let share = kept(k, blurred(&share_of(&base, k, ctx)?, radius, ctx)?);
                    let narrow = narrow.iter().find(|n| n.0 == k).map(|n| n.1.clone());
                    ground.edges.push(Edge { colour: bank, lines: contour::lines(&share, 0.5), narrow });
                    ground.areas.push(Field { look: tone(fill), share });
                    for (water, &c) in ground.water.cells_mut().iter_mut().zip(base.cells()) {
                        *water |= c == k;
                    }
                }
            }
        }
        Ok(ground)
    }

    /// Whether there is anything of the veil.
    pub(super) fn has_veil(&self) -> bool {
        self.veil.is_some()
    }

    /// Whether open water lies at a place in blocks.
    pub(super) fn is_water(&self, x: f64, y: f64) -> bool {
        let at = |v: f64, n: usize| (v.max(0.0) as usize).min(n - 1);
        self.water[(at(x, self.water.width()), at(y, self.water.height()))]
    }

    /// The painted pixels: red, green, blue, row after row.
    pub(super) fn paint(&self, k: f32, ctx: &Ctx) -> weald_core::Result<Vec<u8>> {
        let (w, h) = self.view.pixels();
        let spline = Spline::new(self.view.scale);
        let grid = par::fill(w * 3, h, ctx, |y, out: &mut [u8]| {
            let mut row = vec![[255.0; 3]; w];
            self.paint_row(&spline, y, k, &mut row);
            for (out, tone) in out.chunks_exact_mut(3).zip(&row) {
                for c in 0..3 {
                    out[c] = (tone[c] + 0.5).clamp(0.0, 255.0) as u8;
                }
            }
        })?;
        Ok(grid.into_vec())
    }

    fn paint_row(&self, spline: &Spline, y: usize, k: f32, row: &mut [Tone]) {
        let rows = y / self.view.scale;
        let near = rows.saturating_sub(2)..(rows + 3).min(self.view.blocks.1);
        let any = |grid: &Grid<f32>| near.clone().any(|y| grid.row(y).iter().any(|v| *v > 0.0));
        let field = |grid: &Grid<f32>, out: &mut [f32]| {
            spline.row(y as isize, self.view.blocks, |y| grid.row(y), |v| v, out);
        };
        let here: Vec<&Field<Tone>> = self.areas.iter().filter(|f| any(&f.share)).collect();
        if let [only] = here[..] {
            row.fill(only.look);
        } else if !here.is_empty() {
            let mut shares = vec![vec![0.0; row.len()]; here.len()];
            here.iter().zip(&mut shares).for_each(|(f, out)| field(&f.share, out));
            // A power makes the borders crisp again, about a pixel wide at any scale.
            let squarings = 2 + self.view.scale.ilog2() + (self.view.scale > 1) as u32;
            for (x, out) in row.iter_mut().enumerate() {
                let most = shares.iter().fold(0.0f32, |m, s| m.max(s[x]));
                let (mut sum, mut all) = ([0.0; 3], 0.0);
                for (f, share) in here.iter().zip(&shares) {
                    let mut weight = share[x] / most;
                    if weight > 0.3 {
                        (0..squarings).for_each(|_| weight *= weight);
                        (0..3).for_each(|c| sum[c] += f.look[c] * weight);
                        all += weight;
                    }
                }
                *out = sum.map(|s| s / all);
            }
        }
        let mut share = vec![0.0; row.len()];
        if let Some(veil) = self.veil.as_ref().filter(|v| any(&v.share)) {
            field(&veil.share, &mut share);
            for (out, share) in row.iter_mut().zip(&share) {
                let crisp = ((share - 0.5) * 3.0 * self.view.scale as f32 + 0.5).clamp(0.0, 1.0);
                blend(out, veil.look.0, veil.look.1 * crisp);
            }
        }
        for texture in self.textures.iter().filter(|t| any(&t.share)) {
            field(&texture.share, &mut share);
            for (x, (out, share)) in row.iter_mut().zip(&share).enumerate() {
                let inside = ((share - TEXTURE_LEVEL) * 1.3 * self.view.scale as f32 + 0.5).clamp(0.0, 1.0);
                if inside > 0.0 {
                    lay(texture.look, (x, y), k, inside, out);
                }
            }
        }
    }

    /// The lines around areas.
    pub(super) fn draw_edges(&self, canvas: &mut Canvas, pen: &Drawing) {
        let (w, h) = self.view.blocks;
        for Edge { colour, lines, narrow } in &self.edges {
            let beside = |p: &(f64, f64)| narrow.as_ref().is_some_and(|n| touches(n, *p));
            for line in lines {
                let mut line = relief::to_the_border(line, w, h);
                relief::soften(&mut line, 2);
                // Pieces of one width, which share their ends.
                let mut rest = &line[..];
                while rest.len() > 1 {
                    let thin = beside(&rest[1]);
                    let end = rest[1..].iter().position(|p| beside(p) != thin).map_or(rest.len(), |i| i + 1);
                    let points: Vec<Point> = relief::thinned(&rest[..end], self.view.scale as f32, 2.0);
                    if let Some(path) = curve(&points, 1e9) {
                        let width = if thin { 0.6 } else { 1.5 };
                        canvas.stroke(&path, &Pen::new(*colour, width * pen.k));
                    }
                    rest = &rest[end - 1..];
                }
            }
        }
    }
}

/// 1 where `grid` has `value`, else 0.
fn share_of<T: Copy + PartialEq + Sync>(
    grid: &Grid<T>,
    value: T,
    ctx: &Ctx,
) -> weald_core::Result<Grid<f32>> {
    par::fill(grid.width(), grid.height(), ctx, |y, row: &mut [f32]| {
        for (out, v) in row.iter_mut().zip(grid.row(y)) {
            *out = if *v == value { 1.0 } else { 0.0 };
        }
    })
}

/// The parts of water that blurring would lose or draw much too thin: channels and ponds of up to about four blocks. Of wide
/// water only the blocks within four of such a part are among them, so that nothing is cut off. Reach: 13 blocks.
fn narrow_parts(water: &Grid<f32>, ctx: &Ctx) -> weald_core::Result<Grid<bool>> {
    let (w, h) = (water.width(), water.height());
    let soft = blurred(water, BLUR, ctx)?;
    let (water, soft) = (water.cells(), soft.cells());
    let thin = |i: usize| water[i] > 0.0 && soft[i] < KEPT;
    // What lies further from water that is kept than its rounded corners do is lost.
    let to_kept = distance::chebyshev(w, h, 4, ctx, |i| water[i] > 0.0 && soft[i] >= KEPT)?;
    let to_lost = distance::chebyshev(w, h, 5, ctx, |i| thin(i) && to_kept.cells()[i] > 3)?;
    Ok(Grid::from_vec(w, h, (0..w * h).map(|i| thin(i) && to_lost.cells()[i] <= 4).collect()))
}

/// Whether a block that is set lies at a place in blocks, or touches it.
fn touches(set: &Grid<bool>, (x, y): (f64, f64)) -> bool {
    let (x, y) = (x.floor() as i64, y.floor() as i64);
    let mut around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
    around.any(|(x, y)| set.contains(x, y) && set[(x as usize, y as usize)])
}

/// Cells that belong to no area take the area next to them, in rings from its border. Without any area nothing changes.
fn spread(seen: &Grid<u8>, area: impl Fn(u8) -> bool) -> Grid<u8> {
    let (w, h) = (seen.width(), seen.height());
    let mut base = seen.clone();
    let mut done: Vec<bool> = seen.cells().iter().map(|&c| area(c)).collect();
    if done.iter().all(|d| *d) {
        return base;
    }
    let around = |i: usize| {
        let (x, y) = (i % w, i / w);
        [
            (y > 0).then(|| i - w),
            (x > 0).then(|| i - 1),
            (x + 1 < w).then(|| i + 1),
            (y + 1 < h).then(|| i + w),
        ]
        .into_iter()
        .flatten()
    };
    let mut queue: VecDeque<usize> = (0..w * h).filter(|&i| done[i] && around(i).any(|n| !done[n])).collect();
    while let Some(i) = queue.pop_front() {
        for n in around(i) {
            if !done[n] {
                done[n] = true;
                base.cells_mut()[n] = base.cells()[i];
                queue.push_back(n);
            }
        }
    }
    base
}

/// Lays a texture on one pixel, with the share `inside` of the area that it covers.
pub(super) fn lay(texture: Texture, (x, y): (usize, usize), k: f32, inside: f32, out: &mut Tone) {
    match texture {
        Texture::Plain(colour) => blend(out, tone(colour), inside),
        Texture::Lines(colour) => blend(out, tone(colour), inside * stripe(y, 5.0 * k, 1.5 * k)),
        Texture::Dashes(colour) => {
            let (pitch, dash) = (5.0 * k, 16.0 * k);
            let line = (y as f32 / pitch) as usize;
            let along = (x as f32 + if line.is_multiple_of(2) { 0.0 } else { dash / 2.0 }) % dash;
            let share = (along.min(11.0 * k - along) + 0.5).clamp(0.0, 1.0);
            blend(out, tone(colour), inside * share * stripe(y, pitch, 1.5 * k));
        }
    }
}

/// How much of pixel row `y` lies in a stripe of the given width, of which there is one every `pitch` rows.
fn stripe(y: usize, pitch: f32, width: f32) -> f32 {
    let (top, bottom) = (y as f32 % pitch, y as f32 % pitch + 1.0);
    let covered = |a: f32, b: f32| (bottom.min(b) - top.max(a)).clamp(0.0, 1.0);
    covered(1.0, 1.0 + width) + covered(pitch + 1.0, pitch + 1.0 + width)
}
