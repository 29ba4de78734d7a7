//! The ground of a mesh: its samples, and where and how they lie.

use super::layout::VERTEX_BYTES;
use crate::error::{Error, Result};
use crate::sink::Sink;
use weald_core::{Ctx, Grid, par};

/// Ground to make a mesh of.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// Metres above the sea at the centres of square cells, rows from the north.
    pub height: &'a Grid<f32>,
    /// The side of a cell in metres.
    pub cell_m: f64,
}

/// The sides of cells in metres, and the heights in metres, beyond which single precision holds no mesh.
const CELL_M: (f64, f64) = (1e-3, 1e9);
const HIGHEST_M: f32 = 1e9;

impl Ground<'_> {
    /// Fails if no mesh can be made: fewer than two samples along a side, or numbers out of range.
    pub(in crate::export) fn validate(&self, ctx: &Ctx) -> Result<()> {
        let (columns, rows) = self.height.shape();
        if columns < 2 || rows < 2 {
            return Err(Error::Shape(format!(
                "a mesh needs at least 2x2 samples, not {columns}x{rows}; make a larger map"
            )));
        }
        if !(CELL_M.0..=CELL_M.1).contains(&self.cell_m) {
            return Err(Error::Invalid(format!(
                "cells of {} m: a mesh needs cells of {} to {} m",
                self.cell_m, CELL_M.0, CELL_M.1
            )));
        }
        let beyond = |h: f32| h.is_nan() || h.abs() > HIGHEST_M;
        let found = par::map(rows, &ctx.quiet(), |y| {
            self.height.row(y).iter().position(|&h| beyond(h)).map(|x| (x, y))
        })?;
        match found.into_iter().flatten().next() {
            Some((x, y)) => Err(Error::Invalid(format!(
                "the height at column {x}, row {y} is {}: a mesh needs a number of at most {HIGHEST_M} m everywhere; \
                 fill the gaps of the map first",
                self.height[(x, y)]
            ))),
            None => Ok(()),
        }
    }

    /// The unit vector across the ground at a sample: (−∂h/∂x, 1, −∂h/∂z) / its length, by central differences.
    fn normal(&self, column: usize, row: usize) -> [f32; 3] {
        let around = |i: usize, count: usize| (i.saturating_sub(1), (i + 1).min(count - 1));
        let (west, east) = around(column, self.height.width());
        let (north, south) = around(row, self.height.height());
        let rise = |low, high| self.height[high] as f64 - self.height[low] as f64;
        let slope_x = rise((west, row), (east, row)) / ((east - west) as f64 * self.cell_m);
        let slope_z = rise((column, north), (column, south)) / ((south - north) as f64 * self.cell_m);
        let length = (slope_x * slope_x + slope_z * slope_z + 1.0).sqrt();
        // Adding 0 turns −0 into 0.
        [-slope_x / length, 1.0 / length, -slope_z / length].map(|v| v as f32 + 0.0)
    }
}

/// Steps into which the coordinates along a side are divided at most: integers up to it are exact in single precision.
const STEPS: f64 = 16_777_216.0;

/// Coordinates of the samples along one side of the map, centred on the origin.
///
/// Sample i of n lies at (i − (n − 1)/2) · `cell_m`, rounded to a multiple of the power of two that divides the extent into
/// 2²³ to 2²⁴ steps. So single precision holds each coordinate and each difference of two of them exactly, and the
/// translation of a chunk plus a coordinate within it is the same number for every chunk that has the vertex. Cells such
/// as 3.5 m are multiples of a step already and are not rounded.
pub(super) struct Axis {
    samples: usize,
    cell_m: f64,
    step: f64,
}

impl Axis {
    fn new(samples: usize, cell_m: f64) -> Self {
        let extent = (samples - 1) as f64 * cell_m;
        let mut step = 1.0;
        while step * STEPS < extent {
            step *= 2.0;
        }
        while step * STEPS >= 2.0 * extent {
            step /= 2.0;
        }
        Self { samples, cell_m, step }
    }

    /// The coordinate of sample `i` in metres.
    pub(super) fn at(&self, i: usize) -> f64 {
        let halves = 2.0 * i as f64 - (self.samples - 1) as f64;
        (halves * (0.5 * self.cell_m) / self.step).round() * self.step
    }

    /// The coordinate of sample `i` as seen from sample `origin`.
    pub(super) fn between(&self, origin: usize, i: usize) -> f32 {
        (self.at(i) - self.at(origin)) as f32
    }

    /// The place of sample `i` in the texture, from 0 to 1 over all cells.
    fn texture(&self, i: usize) -> f32 {
        ((i as f64 + 0.5) / self.samples as f64) as f32
    }
}

/// The coordinates of columns and of rows.
pub(super) struct Axes {
    pub(super) x: Axis,
    pub(super) z: Axis,
}

impl Axes {
    pub(super) fn new(ground: &Ground) -> Self {
        let (columns, rows) = ground.height.shape();
        Self { x: Axis::new(columns, ground.cell_m), z: Axis::new(rows, ground.cell_m) }
    }
}

/// The lowest and the highest sample of a chunk, given its columns and rows.
pub(super) fn height_range(height: &Grid<f32>, (columns, rows): (&[usize], &[usize])) -> (f32, f32) {
    let heights = rows.iter().flat_map(|&row| columns.iter().map(move |&column| height[(column, row)] + 0.0));
    heights.fold((f32::MAX, f32::MIN), |(low, high), h| (low.min(h), high.max(h)))
}

/// The vertices of a chunk, given its columns and rows: position, normal and texture coordinates of each.
pub(super) fn vertices(ground: &Ground, axes: &Axes, (columns, rows): (&[usize], &[usize])) -> Vec<u8> {
    let mut out = Vec::with_capacity(columns.len() * rows.len() * VERTEX_BYTES as usize);
    for &row in rows {
        for &column in columns {
            let [x, z] = [axes.x.between(columns[0], column), axes.z.between(rows[0], row)];
            let [nx, ny, nz] = ground.normal(column, row);
            let [u, v] = [axes.x.texture(column), axes.z.texture(row)];
            let vertex = [x, ground.height[(column, row)] + 0.0, z, nx, ny, nz, u, v];
            vertex.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        }
    }
    out
}

/// Writes the results of `make(i)` for every `i` below `count`, in order. A few at a time are made, in parallel.
pub(in crate::export) fn write_parts(
    out: &mut Sink,
    count: usize,
    ctx: &Ctx,
    make: impl Fn(usize) -> Vec<u8> + Sync,
) -> Result<()> {
    let wave = par::threads() * 4;
    for first in (0..count).step_by(wave) {
        let last = (first + wave).min(count);
        for part in par::map(last - first, &ctx.quiet(), |i| make(first + i))? {
            out.write(&part)?;
        }
        ctx.tick(last, count);
    }
    Ok(())
}
