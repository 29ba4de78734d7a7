//! Prints how fast the worlds are made: by stage, end to end, and the memory it takes. What the project asks of itself
//! stands beside each figure. `cargo xtask bench [WORLD | files | landscape | library | measure | route]`.

#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the clock")]

mod any_world;
mod city;
mod endless;
mod files;
mod forest;
mod island;
mod landscape;
mod library;
mod measure;
mod plain;
mod plain_droplets;
mod plain_island;
mod plain_route;
mod route;

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;
use weald::core::ctx::Watch;
use weald::world::{WORLDS, WorldInfo};

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

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let known = |name: &str| WORLDS.iter().find(|w| w.info().name == name).map(|w| w.info());
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => {
            WORLDS.iter().for_each(|w| print(w.info()));
            TOPICS.iter().for_each(|(_, print)| print());
        }
        [name] if known(name).is_some() => known(name).into_iter().for_each(print),
        [name] if topic(name).is_some() => topic(name).into_iter().for_each(|print| print()),
        // In a process of its own: seconds and peak memory in KiB, then the seconds of every stage.
        [name, n] => match (special(name).and_then(|s| s.size), n.parse()) {
            (Some(size), Ok(n)) => size(n),
            _ => return refuse(),
        },
        _ => return refuse(),
    }
    ExitCode::SUCCESS
}

fn refuse() -> ExitCode {
    let worlds = WORLDS.iter().map(|w| w.info().name);
    let names: Vec<&str> = worlds.chain(TOPICS.iter().map(|t| t.0)).collect();
    eprintln!("nothing of that name; give none for all, or one of {}", names.join(", "));
    ExitCode::from(2)
}

/// What is measured apart from the worlds.
const TOPICS: &[(&str, fn())] = &[
    ("files", files::print),
    ("landscape", landscape::print),
    ("library", library::print),
    ("measure", measure::print),
    ("route", route::print),
];

fn topic(name: &str) -> Option<fn()> {
    TOPICS.iter().find(|t| t.0 == name).map(|t| t.1)
}

/// What is measured of one world only.
struct Special {
    world: &'static str,
    /// Prints its tables.
    print: fn(),
    /// Prints the figures of a square map of that many cells a side.
    size: Option<fn(usize)>,
}

/// A world that is not listed gets what all worlds get.
const SPECIAL: &[Special] = &[
    Special { world: "forest", print: forest::print, size: Some(forest::size) },
    Special { world: "endless", print: endless::print, size: None },
    Special { world: "city", print: city::print, size: Some(city::size) },
    Special { world: "island", print: island::print, size: Some(island::size) },
];

fn special(world: &str) -> Option<&'static Special> {
    SPECIAL.iter().find(|s| s.world == world)
}

fn print(info: &WorldInfo) {
    any_world::print(info, special(info.name).is_none());
    if let Some(special) = special(info.name) {
        (special.print)();
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
