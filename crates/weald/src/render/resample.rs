//! Layers brought to the blocks of cells that a picture shows.

use super::ground::PixelScale;
use crate::catalogue::Cells;
use weald_core::{Ctx, Grid, par};

/// A measure, cell by cell. NaN counts as 0.
pub(super) fn measured(data: &Cells, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
    let (w, h) = data.shape();
    measure(data, &PixelScale { cells: (w, h), block: 1, blocks: (w, h), scale: 1 }, ctx)
}

/// A measure as means of blocks. NaN counts as 0.
pub(super) fn measure(data: &Cells, view: &PixelScale, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
    let number = |x: usize, y: usize| {
        let v = data.at(x, y);
        if v.is_finite() { v } else { 0.0 }
    };
    par::fill(view.blocks.0, view.blocks.1, ctx, |y, row: &mut [f32]| {
        if let (Cells::F32(cells), 1) = (data, view.block) {
            for (out, &v) in row.iter_mut().zip(cells.row(y)) {
                *out = if v.is_finite() { v } else { 0.0 };
            }
            return;
        }
        for (x, out) in row.iter_mut().enumerate() {
            if view.block == 1 {
                *out = number(x, y) as f32;
                continue;
            }
            let (xs, ys) = extent(view, x, y);
            let count = xs.len() * ys.len();
            let sum: f64 = ys.flat_map(|y| xs.clone().map(move |x| (x, y))).map(|(x, y)| number(x, y)).sum();
            *out = (sum / count as f64) as f32;
        }
    })
}

/// The cells of a block.
fn extent(view: &PixelScale, x: usize, y: usize) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    let b = view.block;
    (x * b..((x + 1) * b).min(view.cells.0), y * b..((y + 1) * b).min(view.cells.1))
}

/// The most frequent class of each block, the first of several.
pub(super) fn commonest<T: Copy + PartialEq + Default + Send>(
    view: &PixelScale,
    ctx: &Ctx,
    class: impl Fn(usize, usize) -> T + Sync,
) -> weald_core::Result<Grid<T>> {
    par::fill(view.blocks.0, view.blocks.1, ctx, |y, row: &mut [T]| {
        for (x, out) in row.iter_mut().enumerate() {
            if view.block == 1 {
                *out = class(x, y);
                continue;
            }
            let (xs, ys) = extent(view, x, y);
            let mut counts: Vec<(T, usize)> = Vec::new();
            for cy in ys {
                for cx in xs.clone() {
                    let c = class(cx, cy);
                    match counts.iter_mut().find(|(k, _)| *k == c) {
                        Some((_, n)) => *n += 1,
                        None => counts.push((c, 1)),
                    }
                }
            }
            let most = counts.iter().map(|&(_, n)| n).max().unwrap_or(0);
            *out = counts.iter().find(|&&(_, n)| n == most).map(|&(c, _)| c).unwrap_or_default();
        }
    })
}
