//! Pictures and files of large maps: 16-bit grey beside crate `png`, `map.png` drawn and written, and `terrain.json`.

use crate::{best_of, on_threads, verdict};
use std::io::{self, Write};
use weald::core::{Ctx, Grid};
use weald::export::png::write_grey16;
use weald::sink::Sink;
use weald::{Job, Output};

/// Cells along the side of the maps.
const N: usize = 4096;
/// Runs of each; the best counts. Those that are compared take turns.
const RUNS: usize = 7;

pub(crate) fn print() {
    let [island, city] = ["island", "city"].map(|world| {
        let job = Job::new(world).expect("the world exists").size(N);
        on_threads(2, || job.run(&Ctx::default())).expect("the defaults work")
    });
    for output in [&island, &city] {
        grey(output);
    }
    for output in [&island, &city] {
        map(output);
    }
    terrain(&island);
    println!();
}

/// Counts bytes and keeps none.
#[derive(Default)]
struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Heights as grey values from the lowest to the highest.
fn heights(output: &Output) -> Grid<u16> {
    let height = output.catalogue.floats("height").expect("every one of these worlds has heights");
    let (low, high) = height.cells().iter().fold((f32::MAX, f32::MIN), |(l, h), &v| (l.min(v), h.max(v)));
    Grid::from_fn(N, N, |x, y| ((height[(x, y)] - low) / (high - low) * 65535.0) as u16)
}

/// What crate `png` makes of them with its fast method and its own choice of filters. It gets the bytes of the file, which ours
/// makes of the values.
fn peer(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, N as u32, N as u32);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().expect("memory takes all");
    writer.write_image_data(bytes).expect("memory takes all");
    writer.finish().expect("memory takes all");
    out
}

fn ours(values: &Grid<u16>) -> Vec<u8> {
    let mut out = Vec::new();
    write_grey16(&mut out, values).expect("memory takes all");
    out
}

fn grey(output: &Output) {
    let values = heights(output);
    let bytes: Vec<u8> = values.cells().iter().flat_map(|v| v.to_be_bytes()).collect();
    let mut best = [f64::INFINITY; 3];
    for _ in 0..RUNS {
        best[0] = best[0].min(best_of(1, || peer(&bytes)));
        best[1] = best[1].min(on_threads(1, || best_of(1, || ours(&values))));
        best[2] = best[2].min(on_threads(2, || best_of(1, || ours(&values))));
    }
    let sizes = [peer(&bytes).len(), ours(&values).len()];
    let world = output.recipe.world.info().name;
    println!("16-bit grey PNG of the heights of {world}, {N} x {N}, the best of {RUNS} runs\n");
    println!("| writer | ms | MB | speed |\n| --- | ---: | ---: | ---: |");
    let names = ["crate png, Fast, 1 core", "ours, 1 core", "ours, 2 cores"];
    for (k, name) in names.into_iter().enumerate() {
        let size = sizes[usize::from(k > 0)] as f64 / 1e6;
        println!("| {name} | {:.1} | {size:.2} | {:.2} |", best[k] * 1e3, best[0] / best[k]);
    }
    println!("\nasked: on 1 core at least as fast as png: {}", verdict(best[1] <= best[0]));
    println!("asked: on 2 cores 1.7 times as fast as png: {}", verdict(best[2] * 1.7 <= best[0]));
    println!("asked: at most a tenth larger: {}\n", verdict(sizes[1] * 10 <= sizes[0] * 11));
}

/// The map of the default view, drawn and written.
fn map(output: &Output) {
    let mut best = [f64::INFINITY; 2];
    let mut size = 0;
    for _ in 0..RUNS {
        let mut picture = None;
        let draw = || output.draw(&output.recipe.draw, &Ctx::default());
        best[0] = best[0].min(on_threads(2, || best_of(1, || picture = draw().ok())));
        let picture = picture.expect("the defaults can be drawn");
        let write = || {
            let mut out = Counter::default();
            picture.write_png(&mut out).expect("a counter takes all");
            size = out.0;
        };
        best[1] = best[1].min(on_threads(2, || best_of(1, write)));
    }
    let (whole, world) = (best[0] + best[1], output.recipe.world.info().name);
    println!(
        "map.png of {world}, {N} x {N}, 2 cores: {:.0} ms drawn, {:.0} ms written ({:.1} MB); {whole:.2} s, asked at most 1.2: {}",
        best[0] * 1e3,
        best[1] * 1e3,
        size as f64 / 1e6,
        verdict(whole <= 1.2)
    );
}

fn terrain(output: &Output) {
    let write = |out: &mut (dyn Write + Send)| {
        let mut sink = Sink::new("terrain.json", out);
        output.write_named("terrain.json", &mut sink, &Ctx::default()).expect("it is written");
    };
    let mut out = Counter::default();
    write(&mut out);
    let gb = out.0 as f64 / 1e9;
    for threads in [1, 2] {
        let took = on_threads(threads, || best_of(RUNS, || write(&mut io::sink())));
        let asked = match threads {
            2 => format!(", asked at least 1: {}", verdict(gb / took >= 1.0)),
            _ => String::new(),
        };
        println!(
            "terrain.json of island, {N} x {N}, threads {threads}: {gb:.3} GB in {:.0} ms, {:.2} GB/s{asked}",
            took * 1e3,
            gb / took
        );
    }
}
