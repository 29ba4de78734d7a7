//! What a planet promises: no seam, no pole, the same bits for any number of threads, folders that pass their check.

use proptest::prelude::*;
use std::path::Path;
use weald::Job;
use weald::catalogue::Cells;
use weald::check;
use weald::core::waves::{Waves, original};
use weald::core::{Ctx, Seed, math};
use weald::export::atomic::Existing;
use weald::job::folder::FolderPlan;
use weald::render;
use weald::style::DrawOptions;
use weald::world::World;
use weald::world::planet::ground::Ground;
use weald::world::planet::sphere::{FACES, Vector, face_of, middles};
use weald::world::planet::{self, Planet, PlanetParams, PlanetWorld, classes};

fn params(radius_m: f64) -> PlanetParams {
    PlanetParams { radius_m, ..PlanetParams::default() }
}

fn make(side: usize, seed: u64, radius_m: f64) -> Planet {
    planet::generate(side, Seed(seed), &params(radius_m), &Ctx::default()).unwrap()
}

/// Height of the ground, under water too.
fn ground(p: &Planet, face: usize, at: (usize, usize)) -> f64 {
    (p.height[face][at] - p.depth[face][at]) as f64
}

/// Largest step between neighbours inside faces.
fn inside(p: &Planet) -> f64 {
    let n = p.side();
    let mut most = 0.0f64;
    for face in 0..6 {
        for i in 0..n {
            for j in 1..n {
                most = most.max((ground(p, face, (j, i)) - ground(p, face, (j - 1, i))).abs());
                most = most.max((ground(p, face, (i, j)) - ground(p, face, (i, j - 1))).abs());
            }
        }
    }
    most
}

#[test]
fn steps_across_the_edges_of_the_cube_are_no_larger_than_inside_a_face() {
    for seed in [0, 1, 99] {
        for radius in [500.0, 1600.0] {
            let (p, n) = (make(64, seed, radius), 64);
            let (most, middles) = (inside(&p), middles(n));
            let mut edges = 0;
            for (face, f) in FACES.iter().enumerate() {
                for (at, middle) in middles.iter().enumerate() {
                    // One cell beyond the edge; its middle lies on the neighbouring face.
                    let beyond = math::tan(std::f64::consts::FRAC_PI_4 * (1.0 + 1.0 / n as f64));
                    for (cell, s, t) in [
                        ((n - 1, at), beyond, middle * beyond),
                        ((0, at), -beyond, middle * beyond),
                        ((at, n - 1), middle * beyond, beyond),
                        ((at, 0), middle * beyond, -beyond),
                    ] {
                        let v = f.direction(s, t);
                        let other = face_of(v);
                        assert_ne!(other, face);
                        let (x, y) = FACES[other].cell(v, n);
                        assert!((x.fract() - 0.5).abs() < 1e-6 && (y.fract() - 0.5).abs() < 1e-6, "{x} {y}");
                        let step = ground(&p, other, (x as usize, y as usize)) - ground(&p, face, cell);
                        assert!(step.abs() <= most, "seed {seed}, {}: {step} > {most}", f.name);
                        edges += 1;
                    }
                }
            }
            assert_eq!(edges, 6 * 4 * n);
        }
    }
}

#[test]
fn steps_around_the_poles_are_no_larger_than_elsewhere() {
    for seed in [0, 1, 99] {
        for radius in [500.0, 1600.0] {
            let g = Ground::new(Seed(seed), 1600.0, 290.0);
            let d = 0.004;
            let at = |u: Vector| g.height(u.map(|c| c * radius));
            let ring = |pole: f64, k: usize| {
                let a = k as f64 / 360.0 * std::f64::consts::TAU;
                [d * math::cos(a), d * math::sin(a), pole * (1.0 - d * d).sqrt()]
            };
            let mut elsewhere = 0.0f64;
            for f in &FACES[..4] {
                for k in 0..10_000 {
                    let (s, t) = ((k % 100) as f64 * 0.02 - 1.0, (k / 100) as f64 * 0.02 - 1.0);
                    let here = at(f.direction(s, t));
                    elsewhere = elsewhere.max((at(f.direction(s + d, t)) - here).abs());
                    elsewhere = elsewhere.max((at(f.direction(s, t + d)) - here).abs());
                }
            }
            for pole in [1.0, -1.0] {
                for k in 0..360 {
                    // From the pole outwards, and on along the ring.
                    assert!((at(ring(pole, k)) - at([0.0, 0.0, pole])).abs() <= elsewhere, "{seed} {radius}");
                    assert!((at(ring(pole, k)) - at(ring(pole, k + 1))).abs() <= elsewhere);
                }
            }
        }
    }
}

/// The discrete Fourier transform of the values that are `step` apart from `first` on, a power of 2 of them.
fn fourier(values: &mut [[f64; 2]], (first, step): (usize, usize), turns: &[[f64; 2]]) {
    let n = turns.len();
    let place = |i: usize| first + step * (i.reverse_bits() >> (usize::BITS - n.trailing_zeros()));
    let mut row: Vec<[f64; 2]> = (0..n).map(|i| values[place(i)]).collect();
    let mut length = 2;
    while length <= n {
        for start in (0..n).step_by(length) {
            for k in 0..length / 2 {
                let ([c, s], [re, im]) = (turns[k * n / length], row[start + k + length / 2]);
                let ([a, b], [p, q]) = (row[start + k], [re * c - im * s, re * s + im * c]);
                (row[start + k], row[start + k + length / 2]) = ([a + p, b + q], [a - p, b - q]);
            }
        }
        length *= 2;
    }
    row.iter().enumerate().for_each(|(i, v)| values[first + step * i] = *v);
}

/// How much the relief of a square prefers some directions: minus its box mean of half a side, under a Hann window, the
/// largest over the smallest mean power of eight sectors of 22.5°, for wavelengths of 6 to 32 cells.
fn anisotropy(n: usize, height: impl Fn(usize, usize) -> f64) -> f64 {
    let tau = std::f64::consts::TAU;
    let mut sums = vec![0.0; (n + 1) * (n + 1)];
    let at = |x: usize, y: usize| y * (n + 1) + x;
    for y in 0..n {
        for x in 0..n {
            sums[at(x + 1, y + 1)] = height(x, y) + sums[at(x + 1, y)] + sums[at(x, y + 1)] - sums[at(x, y)];
        }
    }
    let window = |i: usize| 0.5 - 0.5 * math::cos(tau * i as f64 / (n - 1) as f64);
    let mut values = vec![[0.0; 2]; n * n];
    for y in 0..n {
        for x in 0..n {
            let (left, right) = (x.saturating_sub(n / 4), (x + n / 4 + 1).min(n));
            let (top, foot) = (y.saturating_sub(n / 4), (y + n / 4 + 1).min(n));
            let all =
                sums[at(right, foot)] - sums[at(right, top)] - sums[at(left, foot)] + sums[at(left, top)];
            let mean = all / ((right - left) * (foot - top)) as f64;
            values[y * n + x] = [(height(x, y) - mean) * window(x) * window(y), 0.0];
        }
    }
    let turns: Vec<[f64; 2]> =
        (0..n).map(|k| tau * k as f64 / n as f64).map(|a| [math::cos(a), -math::sin(a)]).collect();
    (0..n).for_each(|y| fourier(&mut values, (y * n, 1), &turns));
    (0..n).for_each(|x| fourier(&mut values, (x, n), &turns));
    let mut power = [(0.0, 0.0); 8];
    for (i, [re, im]) in values.iter().enumerate() {
        let [fx, fy] = [i % n, i / n].map(|k| (k as f64 - if k < n / 2 { 0.0 } else { n as f64 }) / n as f64);
        let wavelength = 1.0 / (fx * fx + fy * fy).sqrt();
        if (6.0..=32.0).contains(&wavelength) {
            let angle = math::atan2(fy, fx).to_degrees().rem_euclid(180.0);
            let sector = &mut power[((angle + 11.25) / 22.5) as usize % 8];
            *sector = (sector.0 + re * re + im * im, sector.1 + 1.0);
        }
    }
    let means = power.map(|(sum, count)| sum / count);
    means.iter().fold(0.0, |a: f64, &b| a.max(b)) / means.iter().fold(f64::INFINITY, |a, &b| a.min(b))
}

#[test]
fn the_measure_of_stripes_tells_one_direction_from_eight() {
    let wave = |x: usize, y: usize, angle: f64| {
        let along = x as f64 * math::cos(angle) + y as f64 * math::sin(angle);
        math::cos(along * std::f64::consts::TAU / 12.0 + 40.0 * angle)
    };
    assert!(anisotropy(128, |x, y| wave(x, y, 0.3)) > 100.0);
    let eight = |x, y| (0..8).map(|k| wave(x, y, k as f64 * std::f64::consts::PI / 8.0)).sum();
    assert!(anisotropy(128, eight) < 2.0);
}

#[test]
fn faces_of_drawn_planets_show_no_stripes() {
    let mut found = vec![];
    for seed in 1..=20 {
        let p = make(256, seed, 1600.0);
        found.extend((0..6).map(|face| anisotropy(256, |x, y| ground(&p, face, (x, y)))));
    }
    found.sort_by(f64::total_cmp);
    let even = found.iter().filter(|&&a| a <= 3.0).count() as f64 / found.len() as f64;
    // With five waves the median was 21, and no face was below 4.
    assert!(found[60] <= 2.0 && even >= 0.95 && found[119] < 5.0, "{even} of the faces are even: {found:?}");
}

#[test]
fn a_place_reached_from_two_faces_has_the_same_height() {
    for seed in [0, 5] {
        let g = Ground::new(Seed(seed), 1600.0, 290.0);
        for k in 0..200 {
            let t = (k as f64 - 100.0) / 100.0;
            // The edge between px and py, from either side.
            let (a, b) = (FACES[0].direction(1.0, t), FACES[2].direction(-1.0, t));
            let height = |u: Vector| g.height(u.map(|c| c * 1600.0));
            assert!((0..3).all(|i| (a[i] - b[i]).abs() < 1e-15));
            assert!((height(a) - height(b)).abs() < 1e-9, "seed {seed} at {t}");
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| make(40, 3, 700.0))
    };
    let (one, many) = (on(1), on(5));
    assert_eq!(one.height, many.height);
    assert_eq!(one.terrain, many.terrain);
    assert_eq!(one.feature, many.feature);
    assert_eq!(one.features, many.features);
}

#[test]
fn shares_are_those_of_a_planet_for_every_seed() {
    for seed in 0..20 {
        let p = planet::generate(
            48,
            Seed(seed),
            &PlanetParams { radius_m: 1600.0, ..params(1.0) },
            &Ctx::default(),
        );
        let shares = p.unwrap().shares();
        let share = |kind: u8| shares.iter().find(|s| s.0.value == kind as u32).unwrap().1;
        assert!((shares.iter().map(|s| s.1).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((0.36..0.6).contains(&share(classes::LAKE)), "seed {seed}: sea {}", share(classes::LAKE));
        assert!((0.2..0.42).contains(&share(classes::WOOD)), "seed {seed}: wood {}", share(classes::WOOD));
        assert!(share(classes::TOWN) < 0.03, "seed {seed}: town {}", share(classes::TOWN));
        assert_eq!(share(classes::MUD), 0.0);
    }
}

#[test]
fn the_documents_level_leaves_lakes_and_a_lower_one_mud() {
    let at = |lake_level: f64| {
        let p = PlanetParams { lake_level, ..params(900.0) };
        let planet = planet::generate(48, Seed(0), &p, &Ctx::default()).unwrap();
        planet.shares().iter().map(|s| s.1).collect::<Vec<_>>()
    };
    let (document, low) = (at(204.0), at(150.0));
    assert!((0.05..0.2).contains(&document[0]), "{document:?}");
    assert_eq!(document[6], 0.0);
    assert!(low[6] > 0.01 && (low[0] + low[6] - document[0]).abs() < 1e-9, "{low:?}");
}

#[test]
fn the_sign_of_the_third_coordinate_makes_other_features() {
    for seed in [0, 4] {
        let p = planet::generate(
            8,
            Seed(seed),
            &PlanetParams { lake_level: 0.0, ..params(900.0) },
            &Ctx::default(),
        );
        let all = p.unwrap().features;
        for axis in 0..3 {
            let pairs = |face: usize| -> Vec<(i64, i64, u8)> {
                let of = all.iter().filter(|t| t.face == face);
                let other: Vec<usize> = (0..3).filter(|k| *k != axis).collect();
                of.map(|t| (t.place[other[0]] as i64, t.place[other[1]] as i64, t.kind)).collect()
            };
            let (plus, minus) = (pairs(2 * axis), pairs(2 * axis + 1));
            assert!(plus.len() > 50 && minus.len() > 50, "seed {seed}: {} {}", plus.len(), minus.len());
            let both = plus.iter().filter(|p| minus.contains(p)).count();
            assert!(both * 20 < plus.len(), "seed {seed}, axis {axis}: {both} of {}", plus.len());
        }
    }
}

#[test]
fn features_stand_on_dry_ground_outside_of_towns() {
    for seed in [0, 8] {
        let p = make(16, seed, 900.0);
        assert!(p.features.len() > 200);
        for t in &p.features {
            let kind = p.ground.kind(t.place, p.ground.height(t.place));
            assert!(![classes::LAKE, classes::MUD, classes::TOWN].contains(&kind));
        }
    }
}

#[test]
fn seed_0_is_the_document_on_its_plane() {
    // Where z is 0 the heights are those of the document's AH and BH.
    let plane = Waves::new(
        &std::sync::Arc::new(weald::core::waves::Profile::original()),
        original::HEIGHT[0],
        original::HEIGHT[1],
        [0; 5],
    );
    let g = Ground::new(Seed(0), 1600.0, 204.0);
    for k in 0..100 {
        let at = [k as f64 * 7.3 - 300.0, k as f64 * -3.1, 0.0];
        assert_eq!(g.height(at), plane.height(at));
    }
}

fn job(seed: u64) -> Job {
    let mut job = Job::new("planet").unwrap().seed(seed).size(24).set("radius_m", 500).unwrap();
    job.recipe_mut().draw.px = Some(64);
    job
}

fn write(dir: &Path, job: &Job) {
    let output = job.run(&Ctx::default()).unwrap();
    let plan = FolderPlan::new(PlanetWorld.info().files);
    output.save(dir, Existing::Replace, &plan, &Ctx::default()).unwrap();
    assert!(check::path(dir).unwrap().ok());
}

/// Rules that a folder breaks after a change of one of its files.
fn broken(change: impl Fn(&Path)) -> Vec<&'static str> {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("planet");
    write(&dir, &job(0));
    change(&dir);
    let report = check::path(&dir).unwrap();
    report.rules.iter().filter(|r| r.violations > 0).map(|r| r.rule).collect()
}

fn edit(dir: &Path, file: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(dir.join(file)).unwrap();
    assert!(text.contains(from), "{file} has no {from}");
    std::fs::write(dir.join(file), text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_folder_passes_its_check_and_changes_are_found() {
    assert!(broken(|_| {}).is_empty());
    assert_eq!(broken(|d| edit(d, "manifest.json", "\"features\": ", "\"features\": 1")), ["planet-counts"]);
    assert_eq!(broken(|d| edit(d, "manifest.json", "\"lake\": 0.", "\"lake\": 0.9")), ["planet-shares"]);
    assert_eq!(
        broken(|d| edit(d, "features.geojson", "\"kind\":\"boulder\"", "\"kind\":\"mine\"")),
        ["planet-feature-cells", "planet-features-dry"]
    );
    let moved = broken(|d| edit(d, "features.geojson", "\"px\",\"x\":", "\"px\",\"x\":1"));
    assert!(moved.contains(&"planet-features"), "{moved:?}");
    let flooded = broken(|d| {
        let path = d.join("layers/terrain_px.npy");
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.last_mut().unwrap();
        *last = if *last == 0 { 2 } else { 0 };
        std::fs::write(&path, bytes).unwrap();
    });
    assert!(flooded.contains(&"planet-water") && flooded.contains(&"layer-hash"), "{flooded:?}");
    let turned = broken(|d| {
        // A face in the place of another: every cell is sound, the edges are not.
        for layer in ["height", "depth", "terrain", "feature"] {
            let (a, b) = (d.join(format!("layers/{layer}_px.npy")), d.join(format!("layers/{layer}_nx.npy")));
            std::fs::copy(b, a).unwrap();
        }
    });
    assert!(turned.contains(&"planet-edges") && !turned.contains(&"planet-water"), "{turned:?}");
}

#[test]
fn a_face_that_is_not_square_is_refused() {
    let error = job(0).size((24, 20)).run(&Ctx::default()).err().unwrap();
    assert!(error.to_string().contains("size = 24x20") && error.to_string().contains("24x24"), "{error}");
}

#[test]
fn the_layers_have_the_names_the_world_lists_and_no_minus_zero() {
    let p = make(9, 2, 300.0);
    let catalogue = p.clone().into_catalogue();
    let declared: Vec<&str> = PlanetWorld.layers().iter().map(|l| l.name).collect();
    assert_eq!(catalogue.layers.iter().map(|l| l.name).collect::<Vec<_>>(), declared);
    for layer in &catalogue.layers {
        if let Cells::F32(g) = layer.cells() {
            assert!(g.cells().iter().all(|v| v.is_finite() && v.to_bits() != (-0.0f32).to_bits()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_parameters_in_range_give_a_planet(
        radius_m in 100.0f64..900.0, lake_level in 0.0f64..700.0, seed: u64, side in 2usize..12,
    ) {
        let p = PlanetParams { radius_m, lake_level, placed: String::new() };
        let planet = planet::generate(side, Seed(seed), &p, &Ctx::default()).unwrap();
        let sum: f64 = planet.shares().iter().map(|s| s.1).sum();
        prop_assert!((sum - 1.0).abs() < 1e-9);
        let catalogue = planet.into_catalogue();
        let view = PlanetWorld.info().view("equirectangular").unwrap();
        let settings = DrawOptions::default().settings(view).unwrap();
        let style = (view.style)(&catalogue, &settings);
        let picture = render::draw(&catalogue, style, Some(64), &Ctx::default()).unwrap();
        prop_assert!(matches!(picture, render::Picture::Opaque(image) if image.width() == 64));
    }
}
