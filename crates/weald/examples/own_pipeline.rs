//! A pipeline of one's own from the stages of the core: noise, thermal erosion, depression filling, flow accumulation,
//! and the main rivers as simplified lines.
//!
//! `cargo run --example own_pipeline`

use weald::core::erosion::{Talus, Thermal, thermal};
use weald::core::hydro::{self, Outlets, RiverRule};
use weald::core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald::core::{Cancelled, Ctx, Frame, Grid, Seed, line};

/// What the pipeline makes.
pub(crate) struct Valley {
    /// Heights in metres.
    pub(crate) height: Grid<f32>,
    /// Cells that drain through each cell.
    pub(crate) accumulation: Grid<u32>,
    /// Rivers in metres, simplified to within 20 m.
    pub(crate) rivers: Vec<Vec<(f64, f64)>>,
}

/// Makes a valley of `side` cells of 30 m.
pub(crate) fn valley(side: usize, seed: Seed, ctx: &Ctx) -> Result<Valley, Cancelled> {
    let frame = Frame::new(side, side, 30.0);
    let waves = Fractal { wavelength_m: 2000.0, octaves: 6, ..Fractal::default() };
    let mut rough = fractal(&frame, seed.of("hills"), NoiseShape::Ridged, &waves, ctx)?;
    rough.cells_mut().iter_mut().for_each(|h| *h *= 600.0);
    let rule = Thermal { talus: Talus::Everywhere(0.7), passes: 40, ..Thermal::default() };
    let height = thermal(rough, frame.cell_m, &rule, ctx)?;
    let filled = hydro::fill(&height, Outlets::Border, ctx)?;
    let directions = hydro::d8_over_filled(&filled, Outlets::Border, ctx)?;
    let accumulation = hydro::accumulation(&directions, ctx)?;
    let rule = RiverRule { cell_m: frame.cell_m, from_area_m2: 5e5, ..RiverRule::default() };
    let rivers = hydro::rivers(&directions, &accumulation, &rule, ctx)?;
    let centre = |&cell: &u32| frame.cell_centre(cell as usize % side, cell as usize / side);
    let simplified = |river: &hydro::River| {
        let points: Vec<(f64, f64)> = river.cells.iter().map(centre).collect();
        line::simplify(&points, 20.0).into_iter().map(|k| points[k]).collect()
    };
    Ok(Valley { height, accumulation, rivers: rivers.iter().map(simplified).collect() })
}

#[allow(dead_code, reason = "the tests call valley")]
fn main() -> Result<(), Cancelled> {
    let valley = valley(256, Seed(7), &Ctx::default())?;
    let largest = valley.accumulation.cells().iter().max().unwrap_or(&0);
    println!("{} rivers; the largest drains {largest} cells", valley.rivers.len());
    Ok(())
}
