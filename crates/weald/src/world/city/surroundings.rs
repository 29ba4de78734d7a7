//! The land around a map, for the map of the world.

use super::City;
use crate::error::Result;
use weald_core::mesh::Surface;
use weald_core::{Ctx, Frame, Grid, math, par};

/// Width of the world map relative to that of the map.
const TIMES: usize = 4;

/// Around a map made elsewhere, its border is extended over this share of its width and then fades to a level.
const FADE: f64 = 0.5;

impl City {
    /// The ground of a world four times as wide, with the map at its centre, on as many cells as the map has: before
    /// erosion, by the same noise; and where it lies. Around a map made elsewhere the border is extended and fades to its mean
    /// height.
    pub fn surroundings(&self, ctx: &Ctx) -> Result<(Grid<f32>, Frame)> {
        let f = &self.frame;
        let side = |cells: usize| cells as f64 * f.cell_m * (TIMES - 1) as f64 / 2.0;
        let frame = Frame {
            width: f.width,
            height: f.height,
            cell_m: f.cell_m * TIMES as f64,
            origin: (f.origin.0 - side(f.width), f.origin.1 - side(f.height)),
        };
        if let Some(around) = &self.eroded.around {
            let surface = Surface::new(&around.mesh, &around.height, ctx)?;
            return Ok((surface.raster(&frame, ctx)?, frame));
        }
        let height = &self.eroded.height;
        let mean = height.cells().iter().map(|&v| v as f64).sum::<f64>() / height.len() as f64;
        let reach = FADE * f.width as f64 * f.cell_m;
        let heights = par::fill(f.width, f.height, ctx, |y, row: &mut [f32]| {
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
        Ok((heights, frame))
    }
}
