//! The city: droplets beside a plain loop, the whole pipeline by stage and in memory, noise and filling.

use crate::plain_droplets::Ground;
use crate::{Stages, best_of, on_threads, peak_kib, verdict};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use weald::core::ctx::Watch;
use weald::core::erosion::land::metres;
use weald::core::erosion::{Droplets, Land, droplet};
use weald::core::hydro::{self, Outlets};
use weald::core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald::core::{Ctx, Frame, Grid, Seed};
use weald::world::city::{self, City, CityParams};

/// Cells along the side of the map, and the side of a cell in metres: the map that the game takes.
const N: usize = 4096;
const CELL_M: f64 = 3.5;

/// The noise of the terrain.
const TERRAIN: Fractal = Fractal { wavelength_m: 4000.0, octaves: 6, persistence: 0.5, lacunarity: 2.0 };

pub(crate) fn print() {
    droplets();
    pipeline();
    noise();
    fill();
}

/// Prints seconds and peak memory of one size, then the seconds of every stage.
pub(crate) fn size(n: usize) {
    let (start, stages) = (Instant::now(), Stages::default());
    let city = on_threads(2, || make(n, &stages));
    println!("{} {}", start.elapsed().as_secs_f64(), peak_kib().unwrap_or(0));
    std::hint::black_box(city);
    for (name, _, took) in stages.0.into_inner().expect("no stage panicked") {
        println!("{took} {name}");
    }
}

fn make(n: usize, watch: &dyn Watch) -> City {
    let stop = AtomicBool::new(false);
    city::generate((n, n), None, Seed(1), &CityParams::default(), &Ctx::new(watch, &stop))
        .expect("the defaults work")
}

/// 100,000 droplets on a slope of 6 % that falls to the east, roughened so little that most run until they are dry, after
/// 228 steps. The plain loop runs in between, so that both meet the same noise of the machine; the best of three runs.
fn droplets() {
    let (ctx, seed, cell_m) = (Ctx::default(), Seed(1), CELL_M as f32);
    let p = Droplets::default();
    let height = slope(&ctx);
    let potential = Grid::filled(N, N, 0.6f32);
    let start = Land::new(&height, CELL_M, &ctx).expect("nobody stops it");
    let (mut plain, mut ours) = (f64::INFINITY, [f64::INFINITY; 2]);
    let (mut steps, mut moved) = (0, [0.0; 2]);
    for _ in 0..3 {
        let mut ground = Ground::new(&height, &potential, cell_m);
        plain = plain.min(best_of(1, || steps = ground.run(seed, &p)));
        moved[0] = mean_change(&height, ground.heights().iter().copied());
        for threads in [1, 2] {
            let mut land = Some(start.clone());
            let run = |land| on_threads(threads, || droplet(land, &potential, seed, &p, &ctx));
            let took = best_of(1, || land = land.take().and_then(|land| run(land).ok()));
            ours[threads - 1] = ours[threads - 1].min(took);
            let land = land.expect("nobody stops it");
            moved[1] = mean_change(&height, land.height.cells().iter().map(|&h| metres(h)));
        }
    }
    let rate = |took: f64| steps as f64 / took / 1e6;
    println!(
        "{} droplets on {N} x {N} cells, brush of {} cells, {:.0} steps each\n",
        p.count,
        p.brush_cells,
        steps as f64 / p.count as f64
    );
    println!("| loop | s | M steps/s | mean change, mm |\n| --- | ---: | ---: | ---: |");
    println!("| plain, 1 core | {plain:.3} | {:.1} | {:.2} |", rate(plain), moved[0] * 1e3);
    for (threads, took) in [("1 core", ours[0]), ("2 cores", ours[1])] {
        println!("| batches, {threads} | {took:.3} | {:.1} | {:.2} |", rate(took), moved[1] * 1e3);
    }
    println!("\ndroplets on 2 cores: {:.3} s, asked below 1: {}", ours[1], verdict(ours[1] < 1.0));
    let ratio = plain / ours[1];
    println!("2 cores against the plain loop: {ratio:.2}, asked 1.5: {}\n", verdict(ratio >= 1.5));
}

/// A fall of 6 % to the east with gentle hills on it, in metres.
fn slope(ctx: &Ctx) -> Grid<f32> {
    const FALL: f64 = 0.06;
    const HILLS_M: f32 = 40.0;
    let frame = Frame::new(N, N, CELL_M);
    let mut height = fractal(&frame, Seed(7), NoiseShape::Fbm, &TERRAIN, ctx).expect("nobody stops it");
    for (i, h) in height.cells_mut().iter_mut().enumerate() {
        *h = *h * HILLS_M + ((N - i % N) as f64 * FALL * CELL_M) as f32;
    }
    height
}

/// Mean of the absolute change, in metres: shows that both loops did the same work.
fn mean_change(before: &Grid<f32>, after: impl Iterator<Item = f32>) -> f64 {
    let sum: f64 = before.cells().iter().zip(after).map(|(a, b)| (a - b).abs() as f64).sum();
    sum / before.len() as f64
}

/// Every stage of a whole map on two cores, and its memory. Runs are processes of their own; stages are those of the median
/// of three.
fn pipeline() {
    let program = std::env::current_exe().expect("this program has a path");
    let run = |_| -> (f64, u64, String) {
        let out = Command::new(&program).args(["city", &N.to_string()]).output().expect("it runs");
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let (first, stages) = text.split_once('\n').expect("a line for the whole");
        let (seconds, kib) = first.split_once(' ').expect("seconds and memory");
        (seconds.parse().expect("seconds"), kib.parse().unwrap_or(0), stages.to_owned())
    };
    let mut runs: Vec<(f64, u64, String)> = (0..3).map(run).collect();
    runs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (seconds, _, stages) = &runs[1];
    let kib = runs.iter().map(|r| r.1).max().unwrap_or(0);
    println!(
        "Stages of a city of {N} x {N} cells on 2 cores\n\n| stage | ms | share |\n| --- | ---: | ---: |"
    );
    for (took, name) in stages.lines().filter_map(|line| line.split_once(' ')) {
        let took: f64 = took.parse().expect("seconds");
        println!("| {name} | {:.0} | {:.1} % |", took * 1e3, took / seconds * 100.0);
    }
    println!("\nwhole map on 2 cores: {seconds:.2} s, asked below 8: {}", verdict(*seconds < 8.0));
    println!("peak memory: {} MiB, asked below 1536: {}\n", kib >> 10, verdict(kib >> 10 < 1536));
}

/// Samples of six octaves on one core: those of the terrain, and with five samples in a lattice cell of the last octave.
fn noise() {
    let frame = Frame::new(N, N, CELL_M);
    let dense = Fractal { wavelength_m: 5.0 * CELL_M * 32.0, ..TERRAIN };
    for rule in [TERRAIN, dense] {
        let took = on_threads(1, || {
            best_of(5, || fractal(&frame, Seed(7), NoiseShape::Fbm, &rule, &Ctx::default()))
        });
        let rate = frame.cells() as f64 / took / 1e6;
        println!(
            "noise of {} octaves from {:.0} m on 1 core: {rate:.0} M samples/s, asked 60: {}",
            rule.octaves,
            rule.wavelength_m,
            verdict(rate >= 60.0)
        );
    }
    println!();
}

/// Hollows filled on one core, on the ground before and after erosion.
fn fill() {
    let city = on_threads(2, || make(N, &Stages::default()));
    let (before, after) = (city.land.height, city.eroded.height);
    for (name, height) in [("before erosion", &before), ("in the end", &after)] {
        let took = on_threads(1, || best_of(5, || hydro::fill(height, Outlets::Border, &Ctx::default())));
        let rate = height.len() as f64 / took / 1e6;
        println!("fill on 1 core, heights {name}: {rate:.0} M cells/s, asked 20: {}", verdict(rate >= 20.0));
    }
    println!();
}
