//! `weald measure`: the figures of a heightmap.

use crate::{best_of, on_threads};
use weald::core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald::core::{Ctx, Frame, Seed};
use weald::measure::{Terms, measure};

/// Cells along the side, the most that are measured without averaging.
const N: usize = weald::measure::MOST_CELLS;

/// Side of a cell, in metres.
const CELL_M: f64 = 30.0;

pub(crate) fn print() {
    let hills = Fractal { wavelength_m: 8000.0, octaves: 7, persistence: 0.5, lacunarity: 2.0 };
    let height = fractal(&Frame::new(N, N, CELL_M), Seed(7), NoiseShape::Fbm, &hills, &Ctx::default());
    let height = height.expect("nobody stops it");
    for threads in [1, 2] {
        let took =
            on_threads(threads, || best_of(3, || measure(&height, &Terms::new(CELL_M), &Ctx::default())));
        println!("figures of {N} x {N} cells, threads {threads}: {:.0} ms", took * 1e3);
    }
    println!();
}
