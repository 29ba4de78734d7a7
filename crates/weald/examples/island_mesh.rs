//! An island as a triangle mesh in the OBJ format, which 3-D programs open.
//!
//! `cargo run --example island_mesh > island.obj`

use std::io::Write;
use weald::core::{Ctx, Grid};
use weald::{Job, Result};

/// Writes two triangles per cell between the centres of cells, y up, one unit a metre.
fn write_obj(out: &mut dyn Write, height: &Grid<f32>, cell_m: f64) -> std::io::Result<()> {
    for (i, h) in height.cells().iter().enumerate() {
        let (x, y) = (i % height.width(), i / height.width());
        writeln!(out, "v {} {h} {}", x as f64 * cell_m, y as f64 * cell_m)?;
    }
    // Vertices are numbered from 1.
    let vertex = |x: usize, y: usize| y * height.width() + x + 1;
    for y in 0..height.height() - 1 {
        for x in 0..height.width() - 1 {
            let (nw, ne) = (vertex(x, y), vertex(x + 1, y));
            let (sw, se) = (vertex(x, y + 1), vertex(x + 1, y + 1));
            writeln!(out, "f {nw} {sw} {ne}\nf {ne} {sw} {se}")?;
        }
    }
    Ok(())
}

/// The mesh of an island as text.
pub(crate) fn mesh(side: usize) -> Result<Vec<u8>> {
    let output = Job::new("island")?.seed(7).size(side).run(&Ctx::default())?;
    let mut obj = Vec::new();
    let height = output.catalogue.floats("height")?;
    write_obj(&mut obj, height, output.catalogue.frame.cell_m).expect("memory takes all bytes");
    Ok(obj)
}

#[allow(dead_code, reason = "the tests call mesh")]
fn main() -> Result<()> {
    std::io::stdout().write_all(&mesh(256)?).map_err(|e| weald::Error::io("standard output", e))
}
