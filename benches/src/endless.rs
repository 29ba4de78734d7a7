//! The endless world: bulk calls beside plain ones, and whole maps.

use crate::{Stages, best_of, on_threads, plain, verdict};
use std::sync::atomic::AtomicBool;
use weald::core::{Ctx, Grid, Seed};
use weald::world::endless::{Endless, EndlessParams, Survey, Window, generate};

const WINDOW: Window = Window { west: -3000, north: 800, width: 1600, height: 1200 };

pub(crate) fn print() {
    places();
    spots();
    maps();
}

fn world(seed: u64, roads: bool) -> Endless {
    Endless::new(Seed(seed), &EndlessParams { roads, ..Default::default() }).expect("the defaults work")
}

/// Million places a second on one core, plain and in bulk.
fn places() {
    let (w, h) = (WINDOW.width, WINDOW.height);
    let rate = |took: f64| (w * h) as f64 / took / 1e6;
    let each = |visit: &dyn Fn(f64, f64) -> f64| {
        rate(best_of(7, || {
            let places = (0..h).flat_map(|r| (0..w).map(move |c| WINDOW.place(c, r)));
            places.map(|(x, y)| visit(x as f64, y as f64)).sum::<f64>()
        }))
    };
    println!("The endless world, million places a second on 1 core, {w} x {h}\n");
    println!(
        "| what | seed | plain | one by one | bulk | bulk / plain |\n| --- | ---: | ---: | ---: | ---: | ---: |"
    );
    on_threads(1, || {
        let plain_height = rate(best_of(7, || plain_sum(plain::height)));
        let plain_terra = rate(best_of(7, || {
            plain_sum(|x, y| {
                let (height, depth, terrain, feature) = plain::terra(x, y);
                height + depth + terrain as f64 + feature as f64
            })
        }));
        for seed in [0, 5] {
            let world = world(seed, false);
            let ctx = Ctx::default();
            let mut heights = Grid::filled(w, h, 0.0f32);
            let one = each(&|x, y| world.ground_height(x, y));
            let bulk = rate(best_of(15, || world.heights_into(&WINDOW, &mut heights, &ctx)));
            row("heights", seed, [plain_height, one, bulk], 4.0);
            let mut survey = Survey {
                height: heights,
                depth: Grid::filled(w, h, 0.0),
                terrain: Grid::filled(w, h, 0),
                feature: Grid::filled(w, h, 0),
            };
            let one = each(&|x, y| world.terra(x, y).height);
            let bulk = rate(best_of(15, || world.survey_into(&WINDOW, &mut survey, &ctx)));
            row("terra", seed, [plain_terra, one, bulk], 3.0);
        }
    });
    println!();
}

/// The sum over the window, so that nothing is left out.
fn plain_sum(visit: impl Fn(f64, f64) -> f64) -> f64 {
    let mut sum = 0.0;
    for r in 0..WINDOW.height {
        for c in 0..WINDOW.width {
            let (x, y) = WINDOW.place(c, r);
            sum += visit(x as f64, y as f64);
        }
    }
    sum
}

fn row(what: &str, seed: u64, [plain, one, bulk]: [f64; 3], asked: f64) {
    let ratio = bulk / plain;
    println!(
        "| {what} | {seed} | {plain:.0} | {one:.0} | {bulk:.0} | {ratio:.1}, asked {asked}: {} |",
        verdict(ratio >= asked)
    );
}

/// The whole answer, with the surface, for a million places of a window and for places far apart, on two cores.
fn spots() {
    println!("| whole answer, 2 cores | seed | million places a second |\n| --- | ---: | ---: |");
    on_threads(2, || {
        for seed in [0, 5] {
            let near: Vec<(f64, f64)> =
                (0..1_000_000).map(|i| ((i % 1000) as f64 - 500.0, (i / 1000) as f64 - 500.0)).collect();
            // A new world each time: nothing is known yet.
            let took = best_of(3, || world(seed, true).spots(&near, &Ctx::default()));
            let rate = near.len() as f64 / took / 1e6;
            println!("| a window of 1000 x 1000 | {seed} | {rate:.2}, asked 1: {} |", verdict(rate >= 1.0));
            let at = |k: i64, what| Seed(9).unit_at(k, what) * 1e6 - 5e5;
            let far: Vec<(f64, f64)> = (0..200).map(|k| (at(k, 0), at(k, 1))).collect();
            let took = best_of(1, || world(seed, true).spots(&far, &Ctx::default()));
            println!("| {} places over 1000 km | {seed} | {:.5} |", far.len(), far.len() as f64 / took / 1e6);
        }
    });
    println!();
}

/// Whole maps of 800×600 on two cores, every layer, without the picture.
fn maps() {
    let window = Window { west: -400, north: 300, width: 800, height: 600 };
    println!("| map of 800 x 600, 2 cores | seed | ms |\n| --- | ---: | ---: |");
    on_threads(2, || {
        for (name, seed, roads) in
            [("with streams", 0, false), ("with streams", 5, false), ("with streams and roads", 0, true)]
        {
            // A new world each time: tables are part of the cost.
            let took = best_of(9, || {
                let (stages, stop) = (Stages::default(), AtomicBool::new(false));
                generate(&world(seed, roads), window, &Ctx::new(&stages, &stop))
            });
            let asked = if roads { String::new() } else { format!(", asked 60: {}", verdict(took < 0.060)) };
            println!("| {name} | {seed} | {:.1}{asked} |", took * 1e3);
        }
    });
    println!();
}
