//! How rough a coast is.

use super::Value;
use weald_core::stats::least_squares;
use weald_core::{Ctx, Grid, Result, contour, line, math, par};

/// Standard deviation of the blur, in cells, and its reach.
const SIGMA: f64 = 0.6;
const REACH: usize = 2;
/// Pieces of coast with at most this many vertices are left out.
const SHORT: usize = 50;
/// The openings of the dividers, in cells.
const STEPS: [f64; 4] = [3.0, 6.0, 12.0, 24.0];

/// The divider dimension of the coast: 1 − the slope of ln length against ln step, with the lengths that dividers of 3, 6, 12 and
/// 24 cells measure, walking from vertex to vertex. The coast is the contour 0.5 of the land mask after a Gaussian blur of
/// σ = 0.6 cells; pieces of at most 50 vertices are left out, and so is what is left at the end of a walk. Cells without data are
/// neither land nor sea: a coast ends there.
///
/// As the walk goes from vertex to vertex, its steps are a little longer than the dividers, which counts most for the shortest ones. A
/// smooth coast therefore has a dimension of about 0.97 and not of 1; the range of real coasts was found in the same way.
pub(super) fn dimension(
    height: &Grid<f32>,
    land: &[bool],
    ctx: &Ctx,
) -> Result<(Value, Vec<Vec<line::Point>>)> {
    let sea = (0..land.len()).any(|cell| !land[cell] && height.cells()[cell].is_finite());
    if !sea {
        return Ok((Err("there is no sea"), Vec::new()));
    }
    let coasts = contour::lines(&blurred_mask(height, land, ctx)?, 0.5);
    let long: Vec<&Vec<line::Point>> = coasts.iter().filter(|c| c.len() > SHORT).collect();
    let points = STEPS.map(|step| {
        let length: f64 = long.iter().map(|c| line::divider_length(c, step)).sum();
        (math::ln(step), math::ln(length))
    });
    let fit = if points.iter().all(|p| p.1.is_finite()) { least_squares(&points) } else { None };
    Ok((fit.map(|f| 1.0 - f.slope).ok_or("no piece of coast has more than 50 vertices and 24 cells"), coasts))
}

/// 1 on land and 0 in the sea, blurred; not a number where there are no data.
fn blurred_mask(height: &Grid<f32>, land: &[bool], ctx: &Ctx) -> Result<Grid<f32>> {
    let (w, h) = height.shape();
    let weight: Vec<f64> = (0..=2 * REACH)
        .map(|i| i as f64 - REACH as f64)
        .map(|d| math::exp(-d * d / (2.0 * SIGMA * SIGMA)))
        .collect();
    par::fill(w, h, ctx, |y, out: &mut [f32]| {
        for (x, out) in out.iter_mut().enumerate() {
            if !height[(x, y)].is_finite() {
                *out = f32::NAN;
                continue;
            }
            let (mut sum, mut whole) = (0.0, 0.0);
            for ny in y.saturating_sub(REACH)..(y + REACH + 1).min(h) {
                for nx in x.saturating_sub(REACH)..(x + REACH + 1).min(w) {
                    if height[(nx, ny)].is_finite() {
                        let k = weight[ny + REACH - y] * weight[nx + REACH - x];
                        (sum, whole) = (sum + if land[ny * w + nx] { k } else { 0.0 }, whole + k);
                    }
                }
            }
            *out = (sum / whole) as f32;
        }
    })
}
