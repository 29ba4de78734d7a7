//! The forest: by stage, end to end, and as a stream of tiles. Sizes run in processes of their own, as from the command
//! line.

use crate::{Stages, best_of, on_threads, peak_kib, verdict};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use weald::core::ctx::Watch;
use weald::core::{Ctx, Seed, hydro};
use weald::sink::Sink;
use weald::world::forest::tiles::{self, Cliffs, Layout};
use weald::world::forest::{self, Authored, Forest, ForestParams};

pub(crate) fn print() {
    stages();
    kernels();
    sizes();
    writer();
}

/// Prints seconds and peak memory of one size.
pub(crate) fn size(n: usize) {
    let start = Instant::now();
    on_threads(2, || make(n, &Stages::default()));
    println!("{} {}", start.elapsed().as_secs_f64(), peak_kib().unwrap_or(0));
}

fn make(n: usize, watch: &dyn Watch) -> Forest {
    let stop = AtomicBool::new(false);
    let ctx = Ctx::new(watch, &stop);
    forest::generate((n, n), Authored::default(), Seed(42), &ForestParams::default(), &ctx)
        .expect("the defaults work")
}

/// Every stage at 2048², on one core and on two, the best of three runs.
fn stages() {
    const N: usize = 2048;
    let run = |threads: usize| -> Vec<(&'static str, f64)> {
        let mut best: Vec<(&'static str, f64)> = Vec::new();
        for _ in 0..3 {
            let stages = Stages::default();
            on_threads(threads, || make(N, &stages));
            let stages = stages.0.into_inner().expect("no stage panicked");
            for (i, (name, _, took)) in stages.into_iter().enumerate() {
                match best.get_mut(i) {
                    Some(entry) => entry.1 = entry.1.min(took),
                    None => best.push((name, took)),
                }
            }
        }
        best
    };
    let (one, two) = (run(1), run(2));
    let rate = |took: f64| (N * N) as f64 / took / 1e6;
    println!("Stages of a forest of {N} x {N} tiles, million tiles per second\n");
    println!(
        "| stage | 1 core, ms | 1 core, M/s | 2 cores, ms | 2 cores, M/s |\n| --- | ---: | ---: | ---: | ---: |"
    );
    for ((name, a), (_, b)) in one.iter().zip(&two) {
        println!("| {name} | {:.1} | {:.0} | {:.1} | {:.0} |", a * 1e3, rate(*a), b * 1e3, rate(*b));
    }
    let (a, b): (f64, f64) = (one.iter().map(|s| s.1).sum(), two.iter().map(|s| s.1).sum());
    println!("| all | {:.0} | {:.2} | {:.0} | {:.2} |\n", a * 1e3, rate(a), b * 1e3, rate(b));
    println!("end to end on 2 cores: {:.2} M tiles/s, asked 3.00: {}\n", rate(b), verdict(rate(b) >= 3.0));
}

/// D8 and accumulation on one core.
fn kernels() {
    const N: usize = 2048;
    on_threads(1, || {
        let forest = make(N, &Stages::default());
        let (height, ctx) = (&forest.land.height, Ctx::default());
        let rule = hydro::DropRule { min_drop: 0.0005, tie_eps: 1e-6 };
        let rate = |took: f64| (N * N) as f64 / took / 1e6;
        let flow = rate(best_of(5, || hydro::d8_by_drop(height, Seed(42), &rule, &ctx)));
        let area = rate(best_of(5, || hydro::accumulation(&forest.water.directions, &ctx)));
        println!("D8 direction on 1 core: {flow:.0} M cells/s, asked 200: {}", verdict(flow >= 200.0));
        println!("accumulation on 1 core: {area:.0} M cells/s, asked 80: {}\n", verdict(area >= 80.0));
    });
}

/// Time and memory by size, each run in a process of its own; the median of five runs.
fn sizes() {
    let program = std::env::current_exe().expect("this program has a path");
    let measure = |n: usize| -> (f64, u64) {
        let run = |_| {
            let out = Command::new(&program).args(["forest", &n.to_string()]).output().expect("it runs");
            let text = String::from_utf8_lossy(&out.stdout).into_owned();
            let mut words = text.split_whitespace();
            let seconds: f64 = words.next().and_then(|w| w.parse().ok()).expect("seconds");
            (seconds, words.next().and_then(|w| w.parse().ok()).unwrap_or(0))
        };
        let mut runs: Vec<(f64, u64)> = (0..5).map(run).collect();
        runs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        (runs[2].0, runs.iter().map(|r| r.1).max().unwrap_or(0))
    };
    println!(
        "| tiles | seconds | M tiles/s | peak memory, MiB | bytes per tile |\n| --- | ---: | ---: | ---: | ---: |"
    );
    let all: Vec<(usize, (f64, u64))> = [1024, 2048, 4096].into_iter().map(|n| (n, measure(n))).collect();
    for &(n, (seconds, kib)) in &all {
        let tiles = (n * n) as f64;
        let per_tile = kib as f64 * 1024.0 / tiles;
        println!("| {n}² | {seconds:.3} | {:.2} | {} | {per_tile:.0} |", tiles / seconds / 1e6, kib >> 10);
    }
    let ratio = all[2].1.0 / all[0].1.0;
    println!(
        "\n4096² against 1024²: {ratio:.1} times the time, asked at most 17.6: {}",
        verdict(ratio <= 17.6)
    );
    println!(
        "peak memory at 4096²: {} MiB, asked below 4096: {}\n",
        all[2].1.1 >> 10,
        verdict(all[2].1.1 >> 10 < 4096)
    );
}

/// Tiles as JSON into nothing.
fn writer() {
    on_threads(2, || {
        let catalogue = make(2048, &Stages::default()).into_catalogue();
        let mut bytes = 0u64;
        let seconds = best_of(3, || {
            let file = std::fs::File::options().write(true).open("/dev/null").expect("/dev/null is there");
            let mut counted = Counted { file, bytes: 0 };
            tiles::write(
                &catalogue,
                Layout::Json,
                Cliffs::Omit,
                &mut Sink::new("/dev/null", &mut counted),
                &Ctx::default(),
            )
            .expect("nothing takes everything");
            bytes = counted.bytes;
        });
        let rate = bytes as f64 / seconds / 1e9;
        println!(
            "tiles.json of 2048² to /dev/null on 2 cores: {rate:.2} GB/s, asked 1.00: {}",
            verdict(rate >= 1.0)
        );
    });
}

struct Counted {
    file: std::fs::File,
    bytes: u64,
}

impl std::io::Write for Counted {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        self.bytes += buffer.len() as u64;
        self.file.write(buffer)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}
