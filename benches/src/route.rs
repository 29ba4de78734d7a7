//! The route search of the forest beside a plain binary heap, in the same run, on one core.

use crate::plain_route::Plain;
use crate::{on_threads, verdict};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use weald::core::ctx::Watch;
use weald::core::path::{CLOSED, CostGrid, PathRule, Search};
use weald::core::{Cells, Ctx, Grid, Seed};
use weald::world::forest::{self, Authored, ForestParams};

/// Tiles along the side.
const N: usize = 1024;

/// Runs of each search, one after the other.
const RUNS: usize = 9;

/// Keeps the cost of every tile for trails.
#[derive(Default)]
struct Costs(Mutex<Vec<f32>>);

impl Watch for Costs {
    fn wants_intermediates(&self) -> bool {
        true
    }

    fn intermediate(&self, name: &'static str, _about: &'static str, data: Cells<'_>) {
        if let ("trail_cost", Cells::F32(cost)) = (name, data) {
            *self.0.lock().expect("no stage panicked") = cost.cells().to_vec();
        }
    }
}

pub(crate) fn print() {
    let params = ForestParams::default();
    let (costs, stop) = (Costs::default(), AtomicBool::new(false));
    forest::generate((N, N), Authored::default(), Seed(42), &params, &Ctx::new(&costs, &stop))
        .expect("the defaults work");
    let cost = Grid::from_vec(N, N, costs.0.into_inner().expect("no stage panicked"));
    let rule = PathRule { diagonal: params.game_trails.diag_weight, tie_eps: params.hydrology.tie_eps };
    // Few different costs, so that many paths are equally cheap.
    let coarse = cost.map(|&c| if c < 0.0 { c } else { c.ceil() });
    let level = cost.map(|&c| if c < 0.0 { CLOSED } else { 1.0 });
    println!(
        "Route search over {N} x {N} tiles on 1 core beside a binary heap, median of {RUNS} runs of each"
    );
    println!("in turn. M/s is million tiles per second, for both of the tiles that the heap settles.\n");
    println!("| cost of a tile | route | settled, M | heap, M/s | search, M/s | times | least and most |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let (far, half) = (((8, 8), (N - 9, N - 9)), ((N / 2, N / 2), (N - 9, N / 3)));
    let times = on_threads(1, || {
        let times = [far, half, (far.1, far.0)].map(|ends| row("of a trail", &cost, ends, rule));
        row("of a trail, rounded up", &coarse, far, rule);
        row("1", &level, far, rule);
        times
    });
    let least = times.into_iter().fold(f64::INFINITY, f64::min);
    println!("\nroute search: {least:.2} times the heap, asked 2.00: {}\n", verdict(least >= 2.0));
}

/// Prints the rates of both searches for one route, after comparing what they find. Returns the median ratio.
fn row(name: &str, cost: &Grid<f32>, ends: ((usize, usize), (usize, usize)), rule: PathRule) -> f64 {
    let ctx = Ctx::default();
    let ground = CostGrid::new(cost, rule, &ctx).expect("nobody stops it");
    let (start, goal) = (nearest_open(cost, ends.0), nearest_open(cost, ends.1));
    let index = |(x, y): (usize, usize)| y * cost.width() + x;
    let (mut plain, mut search) = (Plain::new(cost), Search::new(cost.width(), cost.height()));
    let found = plain.route(start, goal, rule);
    let ours = search.path(&ground, index(start), index(goal), &ctx).expect("nobody stops it");
    assert!(ours == found.route, "the routes differ");
    let mut seconds = [const { Vec::new() }; 2];
    for _ in 0..RUNS {
        let begin = Instant::now();
        std::hint::black_box(plain.route(start, goal, rule));
        seconds[0].push(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        std::hint::black_box(search.path(&ground, index(start), index(goal), &ctx)).expect("nobody stops it");
        seconds[1].push(begin.elapsed().as_secs_f64());
    }
    let mut times: Vec<f64> = seconds[0].iter().zip(&seconds[1]).map(|(heap, ours)| heap / ours).collect();
    times.sort_unstable_by(f64::total_cmp);
    let [heap, ours] = seconds.map(|mut all| {
        all.sort_unstable_by(f64::total_cmp);
        found.settled as f64 / all[RUNS / 2] / 1e6
    });
    println!(
        "| {name} | {start:?} to {goal:?} | {:.2} | {heap:.1} | {ours:.1} | {:.2} | {:.2}–{:.2} |",
        found.settled as f64 / 1e6,
        times[RUNS / 2],
        times[0],
        times[RUNS - 1]
    );
    times[RUNS / 2]
}

/// The open tile nearest to a place along rows and columns.
fn nearest_open(cost: &Grid<f32>, (x, y): (usize, usize)) -> (usize, usize) {
    let far = |i: &usize| (i % cost.width()).abs_diff(x) + (i / cost.width()).abs_diff(y);
    let open = (0..cost.len()).filter(|&i| cost.cells()[i] >= 0.0);
    let at = open.min_by_key(far).expect("some tile is open");
    (at % cost.width(), at / cost.width())
}
