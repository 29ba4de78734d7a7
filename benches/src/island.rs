//! The island: every stage and the whole at four sizes, how the time for a cell grows with the map, and its searches beside
//! plain ones.

use crate::{Stages, best_of, on_threads, peak_kib, plain_island, verdict};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use weald::core::ctx::Watch;
use weald::core::hydro::{self, Outlets};
use weald::core::{Ctx, Grid, Seed, path};
use weald::world::island::{self, Island, IslandParams, coast};

/// Cells along the sides of the maps.
const SIDES: [usize; 4] = [512, 1024, 2048, 4096];

/// Cells along the side of the map that plain searches run on.
const PLAIN: usize = 2048;

pub(crate) fn print() {
    pipeline();
    searches();
}

/// Prints seconds and peak memory of one size, then the seconds of every stage.
pub(crate) fn size(n: usize) {
    let (start, stages) = (Instant::now(), Stages::default());
    let island = on_threads(2, || make(n, &stages));
    println!("{} {}", start.elapsed().as_secs_f64(), peak_kib().unwrap_or(0));
    std::hint::black_box(island);
    for (name, _, took) in stages.0.into_inner().expect("no stage panicked") {
        println!("{took} {name}");
    }
}

fn make(n: usize, watch: &dyn Watch) -> Island {
    let stop = AtomicBool::new(false);
    island::generate((n, n), None, Seed(7), &IslandParams::default(), &Ctx::new(watch, &stop))
        .expect("the defaults work")
}

/// One map in a process of its own.
struct Run {
    seconds: f64,
    kib: u64,
    /// Seconds and name of every stage.
    stages: Vec<(f64, String)>,
}

fn run(n: usize) -> Run {
    let program = std::env::current_exe().expect("this program has a path");
    let out = Command::new(program).args(["island", &n.to_string()]).output().expect("it runs");
    let text = String::from_utf8_lossy(&out.stdout);
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    let (seconds, kib) = lines.next().expect("a line for the whole");
    Run {
        seconds: seconds.parse().expect("seconds"),
        kib: kib.parse().unwrap_or(0),
        stages: lines.map(|(took, name)| (took.parse().expect("seconds"), name.to_owned())).collect(),
    }
}

/// Stages and whole maps on two cores. Runs are processes of their own; figures are those of the fastest of three, and sizes
/// take turns, so that all meet the same noise of the machine.
fn pipeline() {
    let mut best = SIDES.map(run);
    for _ in 0..2 {
        for (best, n) in best.iter_mut().zip(SIDES) {
            let again = run(n);
            if again.seconds < best.seconds {
                *best = again;
            }
        }
    }
    println!("Stages of an island on 2 cores, ns a cell\n");
    println!("| stage | {} | share of the last |", SIDES.map(|n| format!("{n}²")).join(" | "));
    println!("| --- |{} ---: |", " ---: |".repeat(SIDES.len()));
    let per_cell = |took: f64, n: usize| format!("{:.1}", took / (n * n) as f64 * 1e9);
    let last = &best[SIDES.len() - 1];
    for (k, (took, name)) in last.stages.iter().enumerate() {
        let row: Vec<String> = best.iter().zip(SIDES).map(|(r, n)| per_cell(r.stages[k].0, n)).collect();
        println!("| {name} | {} | {:.1} % |", row.join(" | "), took / last.seconds * 100.0);
    }
    let whole: Vec<String> = best.iter().zip(SIDES).map(|(r, n)| per_cell(r.seconds, n)).collect();
    println!("| whole map | {} | 100 % |", whole.join(" | "));
    let seconds: Vec<String> = best.iter().map(|r| format!("{:.3}", r.seconds)).collect();
    println!("| whole map, s | {} | |", seconds.join(" | "));
    let memory: Vec<String> = best.iter().map(|r| (r.kib >> 10).to_string()).collect();
    println!("| peak memory, MiB | {} | |", memory.join(" | "));
    println!(
        "\nwhole map of 4096² on 2 cores: {:.2} s, asked below 6: {}",
        last.seconds,
        verdict(last.seconds < 6.0)
    );
    let growth = last.seconds / 16.0 / best[1].seconds;
    println!("a cell of 4096² takes {growth:.2} times as long as one of 1024²\n");
}

/// Distances, ways over uneven ground and filling on one core, each beside one queue for all cells; the best of three, in
/// turns. Both must find the same.
fn searches() {
    let (ctx, p) = (Ctx::default(), IslandParams::default());
    let island = on_threads(2, || make(PLAIN, &Stages::default()));
    let (land, shoreline) = (&island.land, &island.shoreline);
    // Uneven ground, and no way over the sea.
    let ground = Grid::from_fn(PLAIN, PLAIN, |x, y| match land[(x, y)] {
        1 => 50 + (Seed(7).at(x as i64, y as i64) % 1200) as u16,
        _ => 0,
    });
    let hollows = coast::likelihood((PLAIN, PLAIN), Seed(7), &p.shape, &ctx).expect("nobody stops it");
    let source = |i: usize| shoreline.cells()[i] == 1;

    let plain = plain_island::octile(shoreline);
    let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-3 * b;
    assert!(island.shore.cells().iter().zip(&plain).all(near), "distances differ");
    let ours = path::cost_distance(&ground, &ctx, source).expect("nobody stops it");
    assert!(ours.cells() == plain_island::travel(&ground, source), "ways differ");
    let ours = hydro::fill(&hollows, Outlets::Border, &ctx).expect("nobody stops it");
    assert!(ours.cells() == plain_island::fill(&hollows), "levels differ");

    println!(
        "Searches on an island of {PLAIN} x {PLAIN} cells on 1 core, against one binary heap for all cells\n"
    );
    println!("| search | ours, ms | plain, ms | ratio |\n| --- | ---: | ---: | ---: |");
    let row = |name: &str, ours: &(dyn Fn() + Sync), plain: &(dyn Fn() + Sync)| {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..3 {
            best[0] = best[0].min(on_threads(1, || best_of(1, ours)));
            best[1] = best[1].min(best_of(1, plain));
        }
        println!("| {name} | {:.1} | {:.1} | {:.1} |", best[0] * 1e3, best[1] * 1e3, best[1] / best[0]);
    };
    row(
        "distance from the coast",
        &|| drop(std::hint::black_box(coast::shore_distance(shoreline, &ctx))),
        &|| drop(std::hint::black_box(plain_island::octile(shoreline))),
    );
    row(
        "way over uneven ground",
        &|| drop(std::hint::black_box(path::cost_distance(&ground, &ctx, source))),
        &|| drop(std::hint::black_box(plain_island::travel(&ground, source))),
    );
    row(
        "filling hollows",
        &|| drop(std::hint::black_box(hydro::fill(&hollows, Outlets::Border, &ctx))),
        &|| drop(std::hint::black_box(plain_island::fill(&hollows))),
    );
    println!();
}
