//! What holds for every city map.

use std::sync::atomic::AtomicBool;
use weald::core::ctx::Watch;
use weald::core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald::core::{Ctx, Frame, Grid, Seed};
use weald::params::ParamTree;
use weald::world::city::land::NoiseLand;
use weald::world::city::{City, CityParams, generate};
use weald::{Error, Job};

fn city(size: usize, seed: u64, p: &CityParams) -> City {
    generate((size, size), None, Seed(seed), p, &Ctx::default()).unwrap()
}

fn asking(share: f64) -> CityParams {
    let mut p = CityParams::default();
    p.goal.buildable_share = share;
    p
}

/// Coverage, shares, books and roughness.
fn promises(city: &City, goal: f64) {
    let (f, books, cells) = (&city.figures, &city.eroded.mass_balance, city.frame.cells() as f64);
    let what = format!("seed {} at {}", city.seed.0, city.frame.width);
    assert!(
        (f.coverage - city.params.zones.coverage).abs() <= 1.0 / cells,
        "{what}: coverage {}",
        f.coverage
    );
    assert!((0.40..=0.45).contains(&f.buildable_after_ridges), "{what}: before {}", f.buildable_after_ridges);
    assert!((f.buildable - goal).abs() <= 0.02, "{what}: {} instead of {goal}", f.buildable);
    let lost = books.eroded_m3 - books.deposited_m3 - books.exported_m3;
    assert!(lost.abs() <= 1e-6 * books.eroded_m3, "{what}: {lost} of {books:?}");
    assert_eq!(f.rough, (0, 0), "{what}: spikes and pits");
}

#[test]
fn the_asked_share_is_met_and_the_books_balance_for_many_seeds() {
    for seed in 1..=6 {
        for goal in [0.5, 0.6, 0.7] {
            promises(&city(256, seed, &asking(goal)), goal);
        }
    }
    promises(&city(512, 20, &asking(0.6)), 0.6);
}

#[test]
fn the_same_seed_gives_the_same_land_at_every_resolution() {
    let [coarse, fine] = [512, 1024].map(|n| city(n, 3, &asking(0.6)));
    promises(&coarse, 0.6);
    promises(&fine, 0.6);
    assert!((coarse.figures.buildable - fine.figures.buildable).abs() <= 0.03);
    let worst = |a: &Grid<f32>, b: &Grid<f32>| {
        let mut far = 0;
        for y in 0..512 {
            for x in 0..512 {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| b[(2 * x + i, 2 * y + j)]);
                far += ((four.iter().sum::<f32>() / 4.0 - a[(x, y)]).abs() > 5.0) as usize;
            }
        }
        far as f64 / (512.0 * 512.0)
    };
    assert!(worst(&coarse.land.height, &fine.land.height) == 0.0, "before erosion");
    let after = worst(&coarse.eroded.height, &fine.eroded.height);
    assert!(after < 0.05, "after erosion {after}");
}

#[test]
fn ridges_are_absent_above_0_4_and_whole_below_0_2() {
    let frame = Frame::new(256, 256, 56.0);
    let mut p = CityParams::default();
    p.terrain.buildable_share = 0.0;
    p.terrain.amplitude_m = 300.0;
    let ridged = NoiseLand::new(&frame, Seed(5), &p, &Ctx::default()).unwrap();
    let (with, zones) = ridged.ground(&frame, &Ctx::default()).unwrap();
    p.ridges.strength = 0.0;
    let plain = NoiseLand::new(&frame, Seed(5), &p, &Ctx::default()).unwrap();
    let (without, _) = plain.ground(&frame, &Ctx::default()).unwrap();
    let rule = Fractal { wavelength_m: p.ridges.wavelength_m, octaves: 5, persistence: 0.5, lacunarity: 2.0 };
    let fold = fractal(&frame, Seed(5).of("ridges"), NoiseShape::Billow, &rule, &Ctx::default()).unwrap();
    let shift = (ridged.middle_m - plain.middle_m) as f32;
    let (mut none, mut whole) = (0, 0);
    for (i, &p) in zones.cells().iter().enumerate() {
        let added = with.cells()[i] - without.cells()[i] - shift;
        if p > 0.4 {
            assert!(added.abs() < 1e-3, "P = {p}: {added} m of ridge");
            none += 1;
        } else if p < 0.2 {
            let n = 2.5 * fold.cells()[i];
            let crest = 300.0 * (1.0 - ((n * n + 0.06 * 0.06).sqrt() - 0.06).min(1.0));
            assert!((added - crest).abs() < 1e-2, "P = {p}: {added} m instead of {crest}");
            whole += 1;
        }
    }
    assert!(none > 1000 && whole > 1000, "{none} and {whole} cells");
}

#[test]
fn later_parameters_leave_earlier_layers_as_they_were() {
    let base = city(256, 9, &CityParams::default());
    let mut water = CityParams::default();
    water.water.river_area_km2 = 2.0;
    let other = city(256, 9, &water);
    assert_eq!(base.eroded.height, other.eroded.height);
    assert_ne!(base.water.rivers.len(), other.water.rivers.len());
    let goal = city(256, 9, &asking(0.7));
    assert_eq!(base.land.height, goal.land.height);
    assert_ne!(base.eroded.height, goal.eroded.height);
}

#[test]
fn a_goal_out_of_reach_is_an_error_that_says_what_was_reached() {
    let far = generate((256, 256), None, Seed(1), &asking(0.95), &Ctx::default());
    let Err(Error::Invalid(message)) = far else { panic!("it must be refused") };
    assert!(message.contains("goal.buildable_share = 0.95") && message.contains("no more than"), "{message}");
    let near = generate((256, 256), None, Seed(1), &asking(0.1), &Ctx::default());
    let Err(Error::Invalid(message)) = near else { panic!("it must be refused") };
    assert!(message.contains("no less than"), "{message}");
}

#[test]
fn an_authored_map_is_eroded_and_drained_and_its_gentle_parts_have_the_higher_potential() {
    let n = 96;
    let cone = |i: usize| {
        let (dx, dy) = ((i % n) as f32 - 30.0, (i / n) as f32 - 30.0);
        (300.0 - 12.0 * (dx * dx + dy * dy).sqrt()).max(20.0) + (i % n) as f32 * 0.2
    };
    let map = Grid::from_vec(n, n, (0..n * n).map(cone).collect());
    let city = generate((n, n), Some(map.clone()), Seed(1), &asking(0.0), &Ctx::default()).unwrap();
    assert_eq!(city.land.height, map);
    assert!(city.land.zones[(80, 80)] > city.land.zones[(40, 30)]);
    assert!(city.eroded.mass_balance.eroded_m3 > 0.0);
    assert!(city.noise_land.is_none());
}

#[test]
fn sizes_that_do_not_fit_are_refused_with_one_that_does() {
    for (size, hint) in
        [((31, 64), "between 32"), ((4097, 4096), "use 4104x4096"), ((1283, 1280), "use 1284x1280")]
    {
        let made = generate(size, None, Seed(1), &CityParams::default(), &Ctx::default());
        let Err(Error::Invalid(message)) = made else { panic!("{size:?} must be refused") };
        assert!(message.contains(hint), "{message}");
    }
}

/// The parameter trees in which one value is at one of its ends.
fn at_the_ends() -> Vec<(String, ParamTree)> {
    let tree = ParamTree::of::<CityParams>();
    let mut out = Vec::new();
    for leaf in tree.leaves() {
        let mut values = Vec::new();
        for key in ["minimum", "maximum"] {
            values.extend(leaf.schema.get(key).cloned());
        }
        values.extend(leaf.schema.get("enum").and_then(|e| e.as_array()).into_iter().flatten().cloned());
        for value in values {
            let mut tree = tree.clone();
            let text = format!("{}={value}", leaf.path);
            tree.set_text(&text);
            // A goal may be out of reach; that is told, not a fault.
            if !leaf.path.starts_with("goal") {
                tree.set_text("goal.buildable_share=0");
            }
            out.push((text, tree));
        }
    }
    out
}

#[test]
fn both_ends_of_every_parameter_run_on_an_odd_size() {
    for (what, params) in at_the_ends() {
        let mut job = Job::new("city").unwrap().seed(3).size((45, 33));
        job.recipe_mut().params = params;
        match job.run(&Ctx::default()) {
            Ok(output) => {
                for layer in &output.catalogue.layers {
                    let (low, high) = layer.cells().min_max();
                    assert!(low.is_finite() && high.is_finite(), "{what}: {} {low} {high}", layer.name);
                }
            }
            Err(Error::Params(problems)) => {
                let told = problems.iter().all(|p| p.message.contains("must be above"));
                assert!(told, "{what}: {problems:?}");
            }
            Err(Error::Invalid(message)) => {
                assert!(message.contains("cannot be met"), "{what}: {message}");
            }
            Err(e) => panic!("{what}: {e}"),
        }
    }
}

#[test]
fn a_map_that_is_stopped_ends_with_interrupted_at_any_stage() {
    struct Stopper<'a>(&'a AtomicBool, &'static str);
    impl Watch for Stopper<'_> {
        fn begin(&self, stage: &'static str) {
            if stage == self.1 {
                self.0.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        }
    }
    for stage in ["terrain", "stream power", "creep", "goal", "fill", "rivers"] {
        let stop = AtomicBool::new(false);
        let made =
            generate((256, 256), None, Seed(1), &asking(0.6), &Ctx::new(&Stopper(&stop, stage), &stop));
        assert!(matches!(made, Err(Error::Cancelled)), "{stage}");
    }
}
