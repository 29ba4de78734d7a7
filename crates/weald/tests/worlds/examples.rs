//! The examples do what they say.

#[path = "../../examples/endless_chunks.rs"]
mod endless_chunks;
#[path = "../../examples/island_mesh.rs"]
mod island_mesh;
#[path = "../../examples/own_pipeline.rs"]
mod own_pipeline;
#[path = "../../examples/progress_and_cancel.rs"]
mod progress_and_cancel;

use weald::core::{Ctx, Seed};

#[test]
fn the_mesh_of_an_island_has_a_vertex_a_cell_and_two_triangles_between_four() {
    let text = String::from_utf8(island_mesh::mesh(32).unwrap()).unwrap();
    let count = |kind: &str| text.lines().filter(|l| l.starts_with(kind)).count();
    assert_eq!((count("v "), count("f ")), (32 * 32, 2 * 31 * 31));
    let highest = text.lines().filter_map(|l| l.split(' ').nth(2)?.parse::<f32>().ok()).fold(0.0, f32::max);
    assert!(highest > 10.0, "{highest}");
}

#[test]
fn chunks_are_made_once_and_their_edges_fit() {
    let mut chunks = endless_chunks::Chunks::new().unwrap();
    let heights = endless_chunks::walk(&mut chunks).unwrap();
    assert_eq!((heights.len(), chunks.count()), (300, 5));
    assert!(heights.windows(2).all(|w| (w[0] - w[1]).abs() < 8.0), "a step between chunks");
    assert_eq!(endless_chunks::walk(&mut chunks).unwrap(), heights);
    assert_eq!(chunks.count(), 5);
}

#[test]
fn a_run_reports_its_stages_and_stops_when_it_is_told_to() {
    let whole = progress_and_cancel::stages_until("").unwrap();
    let part = progress_and_cancel::stages_until("fill").unwrap();
    assert!(part.len() < whole.len() && whole.starts_with(&part), "{part:?} of {whole:?}");
}

#[test]
fn a_pipeline_of_ones_own_drains_and_its_rivers_fall() {
    let valley = own_pipeline::valley(96, Seed(7), &Ctx::default()).unwrap();
    assert!(!valley.rivers.is_empty() && valley.rivers.iter().all(|r| r.len() >= 2));
    assert!(valley.accumulation.cells().iter().max().unwrap() > &100);
    assert!(valley.height.cells().iter().all(|h| h.is_finite()));
}
