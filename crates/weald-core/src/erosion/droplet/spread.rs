//! Spreads what was eroded around each cell over the cells of the brush.

use super::tiles::Tiles;
use crate::Result;
use crate::ctx::Ctx;
use crate::erosion::brush::Brush;
use crate::grid::Grid;
use crate::par;

/// Number of rows that a task spreads at once.
const ROWS: usize = 32;

/// Number of columns that are summed at once.
const COLUMNS: usize = 64;

/// Adds `taken` to `eroded`, spread by the brush: quanta by the cell around which they were eroded.
pub(super) fn spread(
    mut eroded: Grid<i32>,
    taken: &Tiles<i32>,
    brush: &Brush,
    ctx: &Ctx,
) -> Result<Grid<i32>> {
    let (w, h, r) = (taken.width, taken.height, brush.radius);
    let inside = |y: usize| y >= r && y + r < h;
    let mut none = Grid::filled(1, h, ());
    par::for_bands((eroded.rows_mut(), none.rows_mut()), h.div_ceil(ROWS), ctx, |first, eroded, _| {
        // The rows that reach this band, without the cells whose brush hangs over the edge, which are added below.
        let rows = first.saturating_sub(r)..(first + eroded.len() / w + r).min(h);
        let across = (w.div_ceil(COLUMNS) + 1) * COLUMNS;
        let mut sources = vec![0; rows.len() * across];
        for (y, source) in rows.clone().zip(sources.chunks_exact_mut(across)).filter(|(y, _)| inside(*y)) {
            taken.copy_row(y, &mut source[..w]);
            source[..r.min(w)].fill(0);
            source[w.saturating_sub(r)..].fill(0);
            source.rotate_right(r);
        }
        par::widest_simd(
            #[inline(always)]
            || {
                for (y, out) in (first..).zip(eroded.chunks_exact_mut(w)) {
                    let near = y.saturating_sub(r)..(y + r + 1).min(h);
                    let sources =
                        &sources[(near.start - rows.start) * across..(near.end - rows.start) * across];
                    let weights = &brush.rows[near.start + r - y..near.end + r - y];
                    for (i, out) in out.chunks_mut(COLUMNS).enumerate() {
                        let sum = sum(&sources[i * COLUMNS..], across, weights, 2 * r + 1);
                        out.iter_mut().zip(sum).for_each(|(out, sum)| *out += sum);
                    }
                }
            },
        );
    })?;
    let cells = taken.lookup();
    for y in 0..h {
        let edge = if inside(y) && w > 2 * r { 0..r } else { 0..w };
        let other = if inside(y) && w > 2 * r { w - r..w } else { 0..0 };
        for x in edge.chain(other) {
            let quanta = cells.at(cells.place(x as u32, y as u32));
            if quanta != 0 {
                for (x, y, weight) in brush.clipped(x, y, w, h) {
                    eroded[(x, y)] += quanta * weight;
                }
            }
        }
    }
    Ok(eroded)
}

/// Σ source · weight over the rows of a brush, for [`COLUMNS`] columns at once.
#[inline(always)]
fn sum(sources: &[i32], across: usize, weights: &[[i32; 16]], taps: usize) -> [i32; COLUMNS] {
    let mut sum = [0; COLUMNS];
    for (j, weights) in weights.iter().enumerate() {
        for (i, &weight) in weights[..taps].iter().enumerate() {
            let source: &[i32; COLUMNS] = sources[j * across + i..].first_chunk().expect("rows are padded");
            for k in 0..COLUMNS {
                sum[k] += source[k] * weight;
            }
        }
    }
    sum
}
