//! Borders displaced by noise.

use super::runs::completes;
use crate::ctx::Ctx;
use crate::distance;
use crate::frame::Frame;
use crate::grid::Grid;
use crate::noise::gradient::{Fractal, NoiseShape, fractal};
use crate::{Result, Seed, par};

/// A field of displacements: two independent fractal noises, one for each coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Displacement {
    /// The greatest displacement along each coordinate, in tiles.
    pub most: f64,
    /// The noise, in tiles.
    pub waves: Fractal,
}

/// Noise times this reaches from −1 to 1 and is cut off there.
const GAIN: f32 = 2.5;

impl Displacement {
    /// The displacements along x and y, in tiles: most · clamp(2.5 · noise). Reach: point.
    pub fn fields(&self, (width, height): (usize, usize), seed: Seed, ctx: &Ctx) -> Result<[Grid<f32>; 2]> {
        let field = |name: &str| {
            let frame = Frame::new(width, height, 1.0);
            let mut noise = fractal(&frame, seed.of(name), NoiseShape::Fbm, &self.waves, ctx)?;
            let most = self.most as f32;
            par::for_rows(noise.rows_mut(), ctx, |_, row| {
                row.iter_mut().for_each(|v| *v = most * (GAIN * *v).clamp(-1.0, 1.0));
            })?;
            Ok(noise)
        };
        Ok([field("x")?, field("y")?])
    }
}

/// The tiles that have a tile of another class among their eight neighbours. Reach: 1 tile.
pub fn border_tiles(map: &Grid<u8>, ctx: &Ctx) -> Result<Grid<u8>> {
    let (w, h) = map.shape();
    par::fill(w, h, ctx, |y, row: &mut [u8]| {
        for (x, out) in row.iter_mut().enumerate() {
            let here = map[(x, y)];
            for ny in y.saturating_sub(1)..(y + 2).min(h) {
                let near = &map.row(ny)[x.saturating_sub(1)..(x + 2).min(w)];
                *out |= near.iter().any(|&c| c != here) as u8;
            }
        }
    })
}

/// The tiles within `reach` tiles of a border, by Chebyshev distance. Reach: `reach`.
pub fn near_border(map: &Grid<u8>, reach: u16, ctx: &Ctx) -> Result<Grid<u8>> {
    let border = border_tiles(map, ctx)?;
    let (w, h) = map.shape();
    let far = distance::chebyshev(w, h, reach + 1, ctx, |i| border.cells()[i] != 0)?;
    par::fill(w, h, ctx, |y, row: &mut [u8]| {
        row.iter_mut().zip(far.row(y)).for_each(|(out, &d)| *out = (d <= reach) as u8);
    })
}

/// Gives every tile that `moves` the class at its displaced place, map(x + dx, y + dy). What the others are is in `start`: the map itself, or
/// the map with what lies over it, such as water.
///
/// The displaced place lies between four tiles, kept on the map. The class of the nearest one is taken, unless it would complete a
/// straight line or stairs with the tiles before it, row by row; then that of the next nearest is tried. Reach: the displacement, and
/// the row above.
pub fn warp(
    map: &Grid<u8>,
    start: Grid<u8>,
    [dx, dy]: &[Grid<f32>; 2],
    ctx: &Ctx,
    moves: impl Fn(usize) -> bool,
) -> Result<Grid<u8>> {
    let (w, h) = map.shape();
    let mut out = start;
    for y in 0..h {
        ctx.checkpoint()?;
        for x in (0..w).filter(|&x| moves(y * w + x)) {
            let place = (x as f32 + dx[(x, y)], y as f32 + dy[(x, y)]);
            for class in choices(map, place) {
                out[(x, y)] = class;
                if !completes(&out, x, y) {
                    break;
                }
            }
        }
    }
    Ok(out)
}

/// The classes of the four tiles around a place, from the nearest to the farthest, and then the nearest again: what a search settles for that
/// finds nothing better.
fn choices(map: &Grid<u8>, (x, y): (f32, f32)) -> Vec<u8> {
    let (w, h) = map.shape();
    let index = |v: f32, n: usize| v.clamp(0.0, n as f32 - 1.0) as usize;
    let (fx, fy) = (x - x.floor(), y - y.floor());
    let mut around: Vec<(f32, u8)> = Vec::with_capacity(4);
    for (cx, cy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let far = (fx - cx) * (fx - cx) + (fy - cy) * (fy - cy);
        around.push((far, map[(index(x.floor() + cx, w), index(y.floor() + cy, h))]));
    }
    around.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut classes: Vec<u8> = around.iter().map(|a| a.1).collect();
    classes.dedup();
    classes.push(classes[0]);
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_far_from_borders_and_maps_without_displacement_stay() {
        let map = Grid::from_fn(40, 30, |x, _| (x >= 20) as u8);
        let near = near_border(&map, 3, &Ctx::default()).unwrap();
        assert_eq!(near.row(7).iter().filter(|n| **n != 0).count(), 8);
        let waves = Fractal { wavelength_m: 6.0, octaves: 3, persistence: 0.7, lacunarity: 2.0 };
        for most in [0.0, 3.0] {
            let fields = Displacement { most, waves }.fields((40, 30), Seed(4), &Ctx::default()).unwrap();
            let out = warp(&map, map.clone(), &fields, &Ctx::default(), |i| near.cells()[i] != 0).unwrap();
            let changed = out.cells().iter().zip(map.cells()).filter(|(a, b)| a != b).count();
            assert_eq!(changed > 0, most > 0.0);
            assert!((0..30).all(|y| out.row(y)[..16] == map.row(y)[..16]));
        }
    }
}
