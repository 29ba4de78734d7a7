//! Prints how long every stage takes.
#![allow(clippy::disallowed_methods)]
use std::sync::Mutex;
use std::time::Instant;
use weald::core::{Ctx, Seed, ctx::Watch};
use weald::world::forest::{self, Authored, ForestParams};
struct T(Mutex<Vec<(&'static str, Instant, f64)>>);
impl Watch for T {
    fn begin(&self, s: &'static str) {
        self.0.lock().unwrap().push((s, Instant::now(), 0.0));
    }
    fn end(&self, s: &'static str) {
        let mut v = self.0.lock().unwrap();
        let e = v.iter_mut().rev().find(|e| e.0 == s).unwrap();
        e.2 = e.1.elapsed().as_secs_f64();
    }
}
fn main() {
    let threads: usize = std::env::args().nth(1).map_or(2, |s| s.parse().unwrap());
    let n: usize = std::env::args().nth(2).map_or(2048, |s| s.parse().unwrap());
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
        for _ in 0..2 {
            let t = T(Mutex::default());
            let stop = std::sync::atomic::AtomicBool::new(false);
            let t0 = Instant::now();
            let f = forest::generate(
                (n, n),
                Authored::default(),
                Seed(42),
                &ForestParams::default(),
                &Ctx::new(&t, &stop),
            )
            .unwrap();
            let total = t0.elapsed().as_secs_f64();
            for (s, _, d) in t.0.lock().unwrap().iter() {
                println!("{s:28} {:8.1} ms {:8.1} M/s", d * 1e3, (n * n) as f64 / d / 1e6);
            }
            println!(
                "total {total:.3} s  {:.2} M/s  routes {} tiles {}",
                (n * n) as f64 / total / 1e6,
                f.trails.routes.len(),
                f.trails.routes.iter().map(|r| r.tiles.len()).sum::<usize>()
            );
        }
    });
}
