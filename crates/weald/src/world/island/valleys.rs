//! Steps 7 and 8: valleys, noise, and river beds that always fall.

use super::FALL_M;
use super::params::{IslandParams, Noise};
use super::rivers::Courses;
use weald_core::distance::{self, Nearby};
use weald_core::hydro::{self, Valley};
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald_core::{Cancelled, Ctx, Frame, Grid, Seed, math, par};

/// The nearest cell of a river for each cell. Reach: whole map.
pub fn near_rivers(courses: &Courses, ctx: &Ctx) -> Result<Nearby, Cancelled> {
    let order = &courses.order;
    distance::euclidean(order.width(), order.height(), ctx, |i| order.cells()[i] != 0)
}

/// Carves the valleys, W = w₀ + w₁·s cells wide and D = d₀ + d₁·s metres deep with s the order of the nearest river
/// ([`hydro::carve`]). Reach: half the width of the widest valley.
pub fn carve(
    height: Grid<f32>,
    courses: &Courses,
    near: &Nearby,
    p: &IslandParams,
    ctx: &Ctx,
) -> Result<Grid<f32>, Cancelled> {
    let v = &p.valleys;
    hydro::carve(height, near, ctx, |river| {
        let order = courses.order.cells()[river] as f64;
        Valley {
            width_cells: (v.width_cells + v.width_per_order_cells * order) as f32,
            depth_m: (v.depth_m + v.depth_per_order_m * order) as f32,
        }
    })
}

/// Adds noise to the land: h ← h + max(1, h)·a·k·f with a the amplitude, f fractal noise and k the share left near a river;
/// then land is at least [`FALL_M`] high. Reach: point.
pub fn roughen(
    mut height: Grid<f32>,
    (land, near): (&Grid<u8>, &Nearby),
    seed: Seed,
    p: &Noise,
    ctx: &Ctx,
) -> Result<Grid<f32>, Cancelled> {
    let (w, h) = (height.width(), height.height());
    let waves = Fractal {
        wavelength_m: 1.0 / p.noise_scale,
        octaves: p.noise_octaves,
        persistence: 0.5,
        lacunarity: 2.0,
    };
    let noise = fractal(&Frame::new(w, h, 1.0), seed, NoiseShape::Fbm, &waves, ctx)?;
    let left = Left::new(p);
    let amplitude = p.noise_amplitude as f32;
    par::for_rows(
        height.rows_mut(),
        ctx,
        #[inline(always)]
        |y, row| {
            let cells = noise.row(y).iter().zip(land.row(y)).zip(near.squared.row(y));
            for (h, ((&f, &land), &squared)) in row.iter_mut().zip(cells) {
                if land != 0 {
                    *h = (*h + h.max(1.0) * amplitude * left.at(squared) * f).max(FALL_M);
                }
            }
        },
    )?;
    Ok(height)
}

/// Makes the river beds fall by at least [`FALL_M`] from cell to cell, above the sea ([`hydro::grade_beds`]).
pub fn beds(mut height: Grid<f32>, courses: &Courses, land: &Grid<u8>) -> Grid<f32> {
    hydro::grade_beds(&mut height, &courses.list, FALL_M, |i| land.cells()[i] != 0);
    height
}

/// Share of the noise by distance from a river: `near_river` up to `near_cells`, 1 from `blend_cells` further on, with a
/// smooth step between.
struct Left {
    /// By squared distance in cells.
    table: Vec<f32>,
}

impl Left {
    fn new(p: &Noise) -> Self {
        let far = p.near_cells + p.blend_cells;
        let at = |squared: usize| {
            let r = (squared as f64).sqrt();
            let t = if r <= p.near_cells { 0.0 } else { math::clamp01((r - p.near_cells) / p.blend_cells) };
            math::lerp(p.near_river, 1.0, math::smoothstep(t)) as f32
        };
        Self { table: (0..=(far * far).ceil() as usize).map(at).collect() }
    }

    #[inline(always)]
    fn at(&self, squared: u32) -> f32 {
        self.table.get(squared as usize).copied().unwrap_or(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_weak_near_a_river_and_whole_far_from_it() {
        let document = Noise { near_river: 0.3, near_cells: 10.0, blend_cells: 20.0, ..Noise::default() };
        let left = Left::new(&document);
        assert_eq!((left.at(0), left.at(100), left.at(900), left.at(u32::MAX)), (0.3, 0.3, 1.0, 1.0));
        assert!((left.at(400) - 0.65).abs() < 1e-6, "half way between");
        let step = Left::new(&Noise { blend_cells: 0.0, ..document });
        assert_eq!((step.at(100), step.at(101)), (0.3, 1.0));
    }
}
