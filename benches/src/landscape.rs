//! Meshes and landscape evolution on one core, beside the crates that do the same.

use crate::{best_of, on_threads, verdict};
use delaunator::Point;
use fastlem::core::parameters::TopographicalParameters;
use fastlem::core::traits::Model;
use fastlem::lem::generator::TerrainGenerator;
use fastlem::models::surface::builder::TerrainModel2DBulider;
use fastlem::models::surface::model::TerrainModel2D;
use fastlem::models::surface::sites::Site2D;
use spade::{DelaunayTriangulation, Point2, Triangulation};
use weald::core::landscape::{Evolution, Ground, evolve};
use weald::core::mesh::{Lattice, Mesh};
use weald::core::{Ctx, Seed};

/// Nodes along the side.
const N: usize = 512;

/// Distance of the nodes, in metres.
const SPACING_M: f64 = 28.0;

/// Steps after which the clock starts and after which it stops: land that begins flat is first drained of its depressions.
const STEPS: (usize, usize) = (4, 24);

/// Uplift in metres a year, and erodibility a year.
const UPLIFT: f64 = 2e-3;
const ERODIBILITY: f64 = 4e-5;

/// Runs of each program, in turns.
const RUNS: usize = 5;

pub(crate) fn print() {
    let mesh = Mesh::new(Lattice::new(N, N, SPACING_M), Seed(1).of("nodes"));
    meshes(&mesh);
    evolutions(&mesh);
}

/// Nodes a second. Ours includes the places of the nodes, their neighbours and the distances to them.
fn meshes(mesh: &Mesh) {
    let places = || (0..mesh.len()).map(|n| mesh.at(n));
    let points: Vec<Point> = places().map(|(x, y)| Point { x, y }).collect();
    let mut best = [f64::INFINITY; 3];
    let mut triangles = [mesh.triangles().len(), 0, 0];
    for _ in 0..RUNS {
        let ours = best_of(1, || Mesh::new(*mesh.lattice(), Seed(1).of("nodes")));
        let delaunator = best_of(1, || triangles[1] = delaunator::triangulate(&points).triangles.len() / 3);
        let mut given = Some(places().map(|(x, y)| Point2::new(x, y)).collect::<Vec<_>>());
        let spade = best_of(1, || {
            let mesh = DelaunayTriangulation::<Point2<f64>>::bulk_load(given.take().expect("one run"));
            triangles[2] = mesh.expect("places are finite").num_inner_faces();
        });
        for (best, took) in best.iter_mut().zip([ours, delaunator, spade]) {
            *best = best.min(took);
        }
    }
    let rate = best.map(|took| mesh.len() as f64 / took / 1e6);
    println!("Mesh of {N} x {N} nodes on 1 core, the best of {RUNS} runs\n");
    println!("| program | ms | M nodes/s | triangles |\n| --- | ---: | ---: | ---: |");
    for ((name, took), (rate, triangles)) in
        ["weald", "delaunator", "spade"].iter().zip(best).zip(rate.iter().zip(triangles))
    {
        println!("| {name} | {:.0} | {rate:.2} | {triangles} |", took * 1e3);
    }
    let ratio = rate[0] / rate[1].max(rate[2]);
    println!("\nmesh against the faster of both: {ratio:.2}, asked 1: {}\n", verdict(ratio >= 1.0));
}

/// Node-steps a second of uplift and stream power with an exponent of ½, for the same nodes and the border as outlet. Ours also
/// has creep, a limit of slope and alluvial slopes; the triangulation is outside of both times.
fn evolutions(mesh: &Mesh) {
    let sites = (0..mesh.len()).map(|n| mesh.at(n)).map(|(x, y)| Site2D { x, y }).collect();
    let model = TerrainModel2DBulider::default().set_sites(sites).build().expect("the sites make a model");
    let ground = Ground::uniform(mesh, UPLIFT as f32, ERODIBILITY as f32);
    let ours = |steps| {
        let rule = Evolution { steps, ..Evolution::default() };
        on_threads(1, || best_of(1, || evolve(mesh, vec![0.0; mesh.len()], &ground, &rule, &Ctx::default())))
    };
    // Few and many steps of both programs.
    let mut took = [[f64::INFINITY; 2]; 2];
    for _ in 0..RUNS {
        for (k, steps) in [STEPS.0, STEPS.1].into_iter().enumerate() {
            took[0][k] = took[0][k].min(ours(steps));
            took[1][k] = took[1][k].min(generate(mesh, &model, steps));
        }
    }
    let best = took.map(|[few, many]| many - few);
    let steps = STEPS.1 - STEPS.0;
    let rate = best.map(|took| (mesh.len() * steps) as f64 / took / 1e6);
    println!("Landscape evolution of {N} x {N} nodes on 1 core, {steps} steps, the best of {RUNS} runs\n");
    println!("| program | ms a step | M node-steps/s |\n| --- | ---: | ---: |");
    for (name, (took, rate)) in ["weald", "fastlem 0.1.4"].iter().zip(best.iter().zip(rate)) {
        println!("| {name} | {:.1} | {rate:.1} |", took / steps as f64 * 1e3);
    }
    let ratio = rate[0] / rate[1];
    println!("\nevolution against fastlem: {ratio:.2}, asked 3: {}\n", verdict(ratio >= 3.0));
}

/// Seconds in which fastlem makes so many steps, without its limit of slope.
fn generate(mesh: &Mesh, model: &TerrainModel2D, steps: usize) -> f64 {
    let site = |n: usize| {
        TopographicalParameters::default()
            .set_uplift_rate(UPLIFT)
            .set_erodibility(ERODIBILITY)
            .set_is_outlet(mesh.is_border(n))
    };
    assert_eq!(model.num(), mesh.len(), "the same nodes");
    let generator = TerrainGenerator::default()
        .set_model(model.clone())
        .set_parameters((0..mesh.len()).map(site).collect())
        .set_max_iteration(steps as u32);
    let mut generator = Some(generator);
    best_of(1, || generator.take().expect("one run").generate().expect("model and parameters are set"))
}
