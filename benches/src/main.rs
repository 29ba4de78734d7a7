//! Prints how fast the worlds are made: by stage, end to end, and the memory it takes. What the project asks of itself
//! stands beside each figure. `cargo xtask bench [forest|endless|city|island]`.

#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the clock")]

mod city;
mod endless;
mod forest;
mod island;
mod plain;
mod plain_droplets;
mod plain_island;

use std::sync::Mutex;
use std::time::Instant;
use weald::core::ctx::Watch;

/// Remembers when each stage began and how long it took.
#[derive(Default)]
struct Stages(Mutex<Vec<(&'static str, Instant, f64)>>);

impl Watch for Stages {
    fn begin(&self, stage: &'static str) {
        self.0.lock().expect("no stage panicked").push((stage, Instant::now(), 0.0));
    }

    fn end(&self, stage: &'static str) {
        let mut all = self.0.lock().expect("no stage panicked");
        if let Some(entry) = all.iter_mut().rev().find(|e| e.0 == stage) {
            entry.2 = entry.1.elapsed().as_secs_f64();
        }
    }
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads can be had").install(work)
}

/// The shortest of several runs, in seconds.
fn best_of<T>(runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        // In a process of its own: seconds and peak memory in KiB.
        ["size", n] => forest::size(n.parse().expect("a size")),
        ["city", n] => city::size(n.parse().expect("a size")),
        ["island", n] => island::size(n.parse().expect("a size")),
        ["forest"] => forest::print(),
        ["endless"] => endless::print(),
        ["city"] => city::print(),
        ["island"] => island::print(),
        _ => {
            forest::print();
            endless::print();
            city::print();
            island::print();
        }
    }
}

fn verdict(holds: bool) -> &'static str {
    if holds { "ok" } else { "MISSED" }
}

/// Most memory this process ever held, where the system tells.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
}
