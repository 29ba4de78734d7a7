//! The height field of a map, made ready to be lit, and its contour step.

use super::ground::{PixelScale, ReliefField};
use super::map::{layer, sheet_scale};
use super::resample::measure;
use super::sheet;
use super::spline::blurred;
use crate::Result;
use crate::catalogue::Catalogue;
use crate::style::map::{Contours, MapStyle};
use weald_core::{Ctx, Grid, par};

/// How heights are smoothed before shading.
struct Softening {
    /// Radius of the blur in blocks.
    radius: usize,
    /// Share of the blurred heights; the rest are the heights themselves.
    share: f32,
    /// Tangent at which the steep tenth of the slopes is lit when the style leaves the z-factor open.
    steep: f64,
}

impl Softening {
    /// Small scales are softened more; otherwise the finest steps of the land become noise.
    fn of(view: &PixelScale) -> Self {
        match view.scale {
            1 => Self { radius: 3, share: 0.75, steep: 0.5 },
            2..=3 => Self { radius: 2, share: 0.5, steep: 0.6 },
            _ => Self { radius: 2, share: 0.25, steep: 0.65 },
        }
    }
}

pub(super) fn relief(
    catalogue: &Catalogue,
    style: &MapStyle,
    view: &PixelScale,
    ctx: &Ctx,
) -> Result<Option<ReliefField>> {
    let Some(r) = &style.relief else { return Ok(None) };
    let mut height = measure(&layer(catalogue, r.layer)?.cells(), view, ctx)?;
    // The sea floor is not shaded and does not influence the shading of the land.
    let lowest = if style.sea.is_some() { 0.0 } else { f32::NEG_INFINITY };
    if style.sea.is_some() {
        par::for_rows(height.rows_mut(), ctx, |_, row| row.iter_mut().for_each(|v| *v = v.max(0.0)))?;
    }
    let land = par::map(height.height(), ctx, |y| height.row(y).iter().filter(|v| **v > lowest).count())?;
    let land = land.into_iter().sum::<usize>();
    let softening = Softening::of(view);
    let soft = blurred(&height, softening.radius, ctx)?;
    let wide = blurred(&height, (view.blocks.0.max(view.blocks.1) / 24).clamp(3, 14), ctx)?;
    let (mut form, mut position) = (height, wide);
    par::for_rows((form.rows_mut(), position.rows_mut()), ctx, |y, (form, position)| {
        for ((v, p), soft) in form.iter_mut().zip(position).zip(soft.row(y)) {
            *v += (soft - *v) * softening.share;
            *p = *v - *p;
        }
    })?;
    let squares =
        par::map(position.height(), ctx, |y| position.row(y).iter().map(|p| (p * p) as f64).sum::<f64>())?;
    let spread = squares.iter().sum::<f64>() / land.max(1) as f64;
    let spread = (2.0 * spread.sqrt()).max(1e-9) as f32;
    par::for_rows(position.rows_mut(), ctx, |_, row| {
        row.iter_mut().for_each(|p| *p = (*p / spread).clamp(-1.0, 1.0));
    })?;
    // Differences are taken per pixel: slope = difference · z / (cell_m · block / scale).
    let pixel_m = catalogue.frame.cell_m * view.block as f64 / view.scale as f64;
    let (lo, hi) = weald_core::stats::min_max(&form, ctx)?.unwrap_or((0.0, 0.0));
    let z = match r.z_factor {
        _ if is_level(lo, hi) => 0.0,
        Some(z) => z,
        None => softening.steep / steep_tenth(&form, lowest).max(1e-12) * pixel_m * view.scale as f64,
    };
    let shown = match r.contours {
        Contours::Auto | Contours::Every(_) if view.scale < 3 => Contours::Off,
        other => other,
    };
    let contour_step = contour_step(&form, shown, ctx)?;
    let contour_weight = if view.scale < 3 { 0.6 * sheet_scale(view) } else { 1.0 };
    Ok(Some(ReliefField {
        form,
        position,
        factor: (z / pixel_m) as f32,
        contour_step,
        contour_weight,
        lowest,
    }))
}

/// The contour interval; `None` on level ground.
pub(super) fn contour_step(form: &Grid<f32>, contours: Contours, ctx: &Ctx) -> Result<Option<f32>> {
    let (lo, hi) = weald_core::stats::min_max(form, ctx)?.unwrap_or((0.0, 0.0));
    let step = sheet::step_between(contours, (hi - lo) as f64, 16.0);
    Ok(Some(step as f32).filter(|s| *s > 0.0 && s.is_finite() && !is_level(lo, hi)))
}

/// Differences below this are rounding and not relief.
fn is_level(lo: f32, hi: f32) -> bool {
    (hi - lo) <= 1e-5 * lo.abs().max(hi.abs())
}

/// The rise per block that nine tenths of a sample of the blocks above `lowest` do not exceed; 0 without any.
fn steep_tenth(form: &Grid<f32>, lowest: f32) -> f64 {
    let (w, h) = (form.width(), form.height());
    let step = (form.len() / 40_000).max(1);
    let mut rises: Vec<f64> = (0..form.len())
        .step_by(step)
        .filter(|&i| form.cells()[i] > lowest)
        .map(|i| {
            let (x, y) = (i % w, i / w);
            let across = form[((x + 1).min(w - 1), y)] - form[(x.saturating_sub(1), y)];
            let down = form[(x, (y + 1).min(h - 1))] - form[(x, y.saturating_sub(1))];
            ((across * across + down * down) as f64).sqrt() / 2.0
        })
        .collect();
    rises.sort_by(f64::total_cmp);
    rises.get(rises.len() * 9 / 10).copied().unwrap_or(0.0)
}
