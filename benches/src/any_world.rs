//! Any world: the cases that it declares, from end to end, and its stages.

use crate::{Stages, on_threads};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use weald::Job;
use weald::core::Ctx;
use weald::world::{Case, WorldInfo};

/// Runs of each case.
const RUNS: usize = 3;

/// Prints the cases of a world on two cores, without drawing and writing; then the stages of the last case.
pub(crate) fn print(info: &WorldInfo, with_stages: bool) {
    println!("{}: end to end on 2 cores, the best of {RUNS} runs\n", info.name);
    println!("| seed | size | ms | M cells/s |\n| ---: | ---: | ---: | ---: |");
    let mut stages = Vec::new();
    for case in info.benches {
        let (seconds, best) = fastest(info.name, case);
        let (width, height) = case.size;
        let rate = (width * height) as f64 / seconds / 1e6;
        println!("| {} | {width}x{height} | {:.1} | {rate:.2} |", case.seed, seconds * 1e3);
        stages = best;
    }
    if with_stages {
        println!("\n| stage of the last case | ms |\n| --- | ---: |");
        stages.iter().for_each(|(name, took)| println!("| {name} | {:.1} |", took * 1e3));
    }
    println!();
}

/// Seconds of the fastest run and of its stages.
fn fastest(world: &str, case: &Case) -> (f64, Vec<(&'static str, f64)>) {
    let run = |_| {
        let (stages, stop) = (Stages::default(), AtomicBool::new(false));
        let job = Job::new(world).expect("the world exists").seed(case.seed).size(case.size);
        let start = Instant::now();
        let output = on_threads(2, || job.run(&Ctx::new(&stages, &stop)).expect("the defaults work"));
        let seconds = start.elapsed().as_secs_f64();
        std::hint::black_box(output);
        let stages = stages.0.into_inner().expect("no stage panicked");
        (seconds, stages.into_iter().map(|(name, _, took)| (name, took)).collect())
    };
    (0..RUNS).map(run).min_by(|a: &(f64, Vec<_>), b| a.0.total_cmp(&b.0)).expect("there is a run")
}
