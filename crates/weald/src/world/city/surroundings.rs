//! The land around a map, for the map of the world.

use super::coast::Coast;
use super::erosion::Around;
use super::shape::{Shaping, Source, TIMES, on_side};
use super::worldmap::{self, Rim, Seam};
use super::{City, land};
use crate::error::{Error, Result};
use weald_core::landscape::evolve;
use weald_core::mesh::{Mesh, Surface};
use weald_core::{Ctx, Frame, Grid, math, par};

/// Around a map made elsewhere, its border is extended over this share of its width and then fades to a level.
const FADE: f64 = 0.5;

/// How far the region is bent to meet the map before it is shaped, in metres.
const BEND_M: f64 = 2000.0;

/// Steps in which the land around is shaped on finer nodes.
const STEPS: usize = 10;

/// Nodes of the land around along a pixel of the world map, at most: finer ones could not be seen.
const PIXELS: f64 = 2.0;

impl City {
    /// The world map: the map at the centre of land that is four times as wide, on as many cells or a few more; and where it lies. The land
    /// around is shaped like the map, with its heights at the border and its rivers that leave it. Around a map made elsewhere
    /// the border is extended and fades to its mean height.
    pub(super) fn world_map(&self, ctx: &Ctx) -> Result<(Grid<f32>, Frame)> {
        let f = &self.frame;
        let side = |cells: usize| cells as f64 * f.cell_m * (TIMES - 1.0) / 2.0;
        let (width, height) = worldmap::size_for((f.width, f.height))?;
        let finer = if width == f.width { 1.0 } else { f.width as f64 / width as f64 };
        let frame = Frame {
            width,
            height,
            cell_m: f.cell_m * TIMES * finer,
            origin: (f.origin.0 - side(f.width), f.origin.1 - side(f.height)),
        };
        let rim = self.eroded.rim.as_ref().ok_or_else(|| Error::Shape("this map has no world map".into()))?;
        let around = match (&self.eroded.around, &self.noise_land) {
            (Some(around), Some(noise)) => self.shaped_around(&frame, (around, noise), rim, ctx)?,
            _ => self.faded(&frame, ctx)?,
        };
        let world = worldmap::world_map(&self.eroded.height, rim, &around, &Seam::of(f.cell_m), ctx)?;
        Ok((world, frame))
    }

    /// The region on nodes as fine as the world map can show, with the map fixed in its middle. It is shaped at the relief at which
    /// the map was, and then changed like it: streams on plains have the slope that carries their sediment, whatever the uplift.
    fn shaped_around(
        &self,
        frame: &Frame,
        (around, noise): (&Around, &land::NoiseLand),
        rim: &Rim,
        ctx: &Ctx,
    ) -> Result<Grid<f32>> {
        let (f, p) = (&self.frame, &self.params);
        let coast = Coast::new(f, self.seed, p, ctx)?;
        let source = Source::Noise(noise, coast.as_ref());
        let shaping = Shaping {
            frame: f,
            source,
            seed: self.seed,
            params: p,
            uplift: self.eroded.uplift_mm / 1000.0 / around.relief,
            halvings: 0,
        };
        let bend = Seam { fade_m: BEND_M, ..Seam::of(f.cell_m) };
        let coarse = Surface::new(&around.mesh, &around.height, ctx)?.raster(frame, ctx)?;
        let bent = worldmap::world_map(&self.eroded.height, rim, &coarse, &bend, ctx)?;
        let spacing = shaping.spacing_m().max(PIXELS * frame.cell_m);
        let mesh = Mesh::new(shaping.lattice(spacing, TIMES, 0), self.seed.of("nodes"));
        let mut ground = shaping.ground(&mesh, ctx)?;
        let sea = ground.outlet.clone();
        let cell = |v: f64, origin: f64| (v - origin) / frame.cell_m - 0.5;
        let size = (f.width as f64 * f.cell_m, f.height as f64 * f.cell_m);
        let low = shaping.low_side();
        let mut height = Vec::with_capacity(mesh.len());
        for (node, sea) in sea.iter().enumerate() {
            let at = mesh.at(node);
            let inside = at.0 >= 0.0 && at.1 >= 0.0 && at.0 <= size.0 && at.1 <= size.1;
            ground.outlet[node] |= inside || on_side(low, &mesh, node);
            let level = bent.bilinear(cell(at.0, frame.origin.0), cell(at.1, frame.origin.1));
            height.push(if *sea && !inside { 0.0 } else { level / around.relief });
        }
        ground.inflow = self.outflows(&mesh, spacing);
        let mut land = evolve(&mesh, height, &ground, &shaping.rule(STEPS), ctx)?;
        land.height.iter_mut().for_each(|h| *h *= around.relief);
        let raster = Surface::new(&mesh, &land.height, ctx)?.raster(frame, ctx)?;
        Ok(match &coast {
            Some(coast) => coast.sea(frame, ctx)?.flood(raster, ctx)?,
            None => raster,
        })
    }

    /// Where rivers leave the map: the node outside the border that is nearest to their mouths, and their areas.
    fn outflows(&self, mesh: &Mesh, spacing: f64) -> Vec<(u32, f64)> {
        let (f, l) = (&self.frame, mesh.lattice());
        let origin = l.origin();
        let free = self.water.rivers.iter().filter(|river| river.parent.is_none());
        free.filter_map(|river| {
            let mouth = *river.cells.last()? as usize;
            let (x, y) = f.cell_centre(mouth % f.width, mouth / f.width);
            let (w, h) = (f.width as f64 * f.cell_m, f.height as f64 * f.cell_m);
            let out = |v: f64, most: f64| {
                if v < f.cell_m {
                    v - spacing
                } else if v > most - f.cell_m {
                    v + spacing
                } else {
                    v
                }
            };
            let (x, y) = (out(x, w), out(y, h));
            let outside = x < 0.0 || y < 0.0 || x > w || y > h;
            let index = |v: f64, from: f64, n: usize| {
                ((v - from) / spacing).round().clamp(0.0, (n - 1) as f64) as usize
            };
            let node = index(y, origin.1, l.rows) * l.columns + index(x, origin.0, l.columns);
            outside.then_some((node as u32, river.area_m2))
        })
        .collect()
    }

    /// The border of the map, extended outwards and fading to the mean height.
    fn faded(&self, frame: &Frame, ctx: &Ctx) -> Result<Grid<f32>> {
        let f = &self.frame;
        let height = &self.eroded.height;
        let mean = height.cells().iter().map(|&v| v as f64).sum::<f64>() / height.len() as f64;
        let reach = FADE * f.width as f64 * f.cell_m;
        let heights = par::fill(frame.width, frame.height, ctx, |y, row: &mut [f32]| {
            for (x, out) in row.iter_mut().enumerate() {
                let at = frame.cell_centre(x, y);
                let cell = |v: f64| v / f.cell_m - 0.5;
                let over = |v: f64, most: usize| (-v).max(v - most as f64 * f.cell_m).max(0.0);
                let (dx, dy) = (over(at.0, f.width), over(at.1, f.height));
                let fade = math::smoothstep((dx * dx + dy * dy).sqrt() / reach);
                let edge = height.bilinear(cell(at.0), cell(at.1));
                *out = (edge + (mean - edge) * fade) as f32;
            }
        })?;
        Ok(heights)
    }
}
