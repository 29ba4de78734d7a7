//! The kernels of the forest, for comparing two versions of the code with `cargo bench -p weald-benches`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use weald::core::noise::{Fbm, Octave, Perlin};
use weald::core::{Ctx, Seed, distance, hydro, label, slope};
use weald::sink::Sink;
use weald::world::forest::tiles::{self, Cliffs, Layout};
use weald::world::forest::{self, Authored, ForestParams, classes};

const N: usize = 1024;

fn kernels(c: &mut Criterion) {
    let ctx = Ctx::default();
    let params = ForestParams::default();
    let made =
        forest::generate((N, N), Authored::default(), Seed(42), &params, &ctx).expect("the defaults work");
    let mut group = c.benchmark_group("forest");
    group.sample_size(20).throughput(Throughput::Elements((N * N) as u64));
    let octave = |i: u32| Octave {
        noise: Perlin::new(i as u64),
        frequency: 0.035 * (1 << i) as f64,
        amplitude: 1.0 / (1 << i) as f64,
    };
    let fbm = Fbm::new((0..5).map(octave).collect());
    group.bench_function("noise, 5 octaves", |b| b.iter(|| fbm.grid(N, N, black_box(&ctx))));
    group.bench_function("slope and aspect", |b| {
        b.iter(|| slope::slope_and_aspect(&made.land.height, 1.0, slope::Border::Repeated, &ctx))
    });
    let rule = hydro::DropRule { min_drop: 0.0005, tie_eps: 1e-6 };
    group.bench_function("flow direction", |b| {
        b.iter(|| hydro::d8_by_drop(&made.land.height, Seed(42), &rule, &ctx))
    });
    group.bench_function("flow accumulation", |b| {
        b.iter(|| hydro::accumulation(&made.water.directions, &ctx))
    });
    let stream = |i: usize| made.water.class.cells()[i] == classes::STREAM;
    group.bench_function("distance, cap 6", |b| b.iter(|| distance::chebyshev(N, N, 6, &ctx, stream)));
    group.bench_function("regions", |b| b.iter(|| label::regions(N, N, &ctx, |i| !stream(i))));
    group.bench_function("end to end", |b| {
        b.iter(|| forest::generate((N, N), Authored::default(), Seed(42), &params, &ctx));
    });
    let catalogue = made.into_catalogue();
    group.bench_function("tiles.json", |b| {
        b.iter(|| {
            let mut nothing = Sink::new("nothing", std::io::sink());
            tiles::write(&catalogue, Layout::Json, Cliffs::Omit, &mut nothing, &ctx)
        });
    });
    group.finish();
}

criterion_group!(benches, kernels);
criterion_main!(benches);
