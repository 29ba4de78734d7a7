//! What holds for every city map.

use std::sync::atomic::AtomicBool;
use weald::core::ctx::Watch;
use weald::core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald::core::{Cells, Ctx, Frame, Grid, Seed};
use weald::params::ParamTree;
use weald::world::city::land::NoiseLand;
use weald::world::city::params::{Inflow, Side};
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
    assert!((f.buildable - goal).abs() <= 0.01, "{what}: {} instead of {goal}", f.buildable);
    let lost = books.eroded_m3 - books.deposited_m3 - books.exported_m3;
    assert!(lost.abs() <= 1e-6 * books.eroded_m3, "{what}: {lost} of {books:?}");
    for (i, &height) in city.eroded.height.cells().iter().enumerate() {
        let of = |grid: &Grid<f32>| grid.cells()[i] as f64;
        let e = &city.eroded;
        let sum = of(&city.land.height) + of(&e.uplift) - of(&e.eroded) + of(&e.deposited);
        assert!((sum - height as f64).abs() <= 1e-3 + 1e-6 * of(&e.uplift), "{what}: cell {i}");
    }
    assert_eq!(f.rough, (0, 0), "{what}: spikes and pits");
}

#[test]
fn the_asked_share_is_met_and_the_books_balance_for_many_seeds() {
    for seed in 1..=3 {
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
    assert!((coarse.figures.buildable - fine.figures.buildable).abs() <= 0.02);
    let worst = |a: &Grid<f32>, b: &Grid<f32>, most: f32| {
        let mut far = 0;
        for y in 0..512 {
            for x in 0..512 {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| b[(2 * x + i, 2 * y + j)]);
                far += ((four.iter().sum::<f32>() / 4.0 - a[(x, y)]).abs() > most) as usize;
            }
        }
        far as f64 / (512.0 * 512.0)
    };
    assert!(worst(&coarse.land.height, &fine.land.height, 5.0) == 0.0, "before erosion");
    // Coarser cells hide slopes, so that the goal asks for more relief there: the shape is the same.
    let (more, low) = (fine.eroded.uplift_mm / coarse.eroded.uplift_mm, fine.params.map.lowest_m);
    let mut scaled = coarse.eroded.height.clone();
    scaled.cells_mut().iter_mut().for_each(|h| *h = (low + (*h as f64 - low) * more) as f32);
    let (bottom, top) = Cells::F32(&fine.eroded.height).min_max();
    let after = worst(&scaled, &fine.eroded.height, 0.02 * (top - bottom) as f32);
    assert!(after < 0.05, "after erosion {after}");
    let near = twins(&coarse, &fine);
    assert!(near >= 0.95, "{near} of the length of rivers of order 3 lies near its twin");
}

/// Share of the length of rivers of order 3 and more on a map that has a river of another map of that seed within 60 m.
pub(crate) fn twins(city: &City, twin: &City) -> f64 {
    let orders = orders(city);
    let near = |x: f64, y: f64| {
        let cell = |v: f64| (v / twin.frame.cell_m) as i64;
        let reach = (60.0 / twin.frame.cell_m).ceil() as i64;
        let (cx, cy) = (cell(x), cell(y));
        (cy - reach..=cy + reach).flat_map(|y| (cx - reach..=cx + reach).map(move |x| (x, y))).any(
            |(nx, ny)| {
                twin.water.river_id.contains(nx, ny)
                    && twin.water.river_id[(nx as usize, ny as usize)] > 0
                    && {
                        let (px, py) = twin.frame.cell_centre(nx as usize, ny as usize);
                        (px - x) * (px - x) + (py - y) * (py - y) <= 60.0 * 60.0
                    }
            },
        )
    };
    let (mut all, mut good) = (0usize, 0usize);
    for (cell, _) in orders.iter().enumerate().filter(|(_, order)| **order >= 3) {
        let (x, y) = city.frame.cell_centre(cell % city.frame.width, cell / city.frame.width);
        all += 1;
        good += near(x, y) as usize;
    }
    assert!(all > 500, "only {all} cells of order 3");
    good as f64 / all as f64
}

/// Strahler's order of every cell of a river, 0 elsewhere.
fn orders(city: &City) -> Vec<u8> {
    let mut order = vec![0u8; city.frame.cells()];
    // Tributaries come after their parents: the last river first.
    let mut came: std::collections::BTreeMap<u32, Vec<u8>> = Default::default();
    for river in city.water.rivers.iter().rev() {
        let mut now = 1;
        for &cell in river.own_cells() {
            let mut all = came.remove(&cell).unwrap_or_default();
            all.push(now);
            let highest = all.iter().copied().max().unwrap_or(1);
            now = highest + (all.iter().filter(|o| **o == highest).count() > 1) as u8;
            order[cell as usize] = now;
        }
        if river.parent.is_some() {
            came.entry(*river.cells.last().unwrap()).or_default().push(now);
        }
    }
    order
}

#[test]
fn a_map_with_and_without_a_world_map_has_the_same_bits() {
    let job = || Job::new("city").unwrap().seed(4).size((256, 256));
    let alone = job().run(&Ctx::default()).unwrap();
    let joined = job().with("worldmap").run(&Ctx::default()).unwrap();
    for (a, b) in alone.catalogue.layers.iter().zip(&joined.catalogue.layers) {
        assert!(format!("{:?}", a.cells()) == format!("{:?}", b.cells()), "{}", a.name);
    }
    assert_eq!((alone.catalogue.rasters.len(), joined.catalogue.rasters.len()), (0, 1));
}

#[test]
fn the_sea_has_its_share_and_lies_on_its_side() {
    for (side, name) in [(Side::West, "west"), (Side::South, "south")] {
        let mut p = asking(0.5);
        (p.sea.side, p.sea.share) = (side, 0.2);
        let city = city(256, 11, &p);
        assert!((city.figures.sea - 0.2).abs() <= 0.01, "{name}: {}", city.figures.sea);
        assert!((city.figures.buildable - 0.5).abs() <= 0.01, "{name}: {}", city.figures.buildable);
        let (w, h) = (city.frame.width, city.frame.height);
        let wet = |x: usize, y: usize| city.eroded.height[(x, y)] < 0.0;
        let share = |wet: usize, all: usize| wet as f64 / all as f64;
        let on_side = match side {
            Side::West => share((0..h).filter(|&y| wet(0, y)).count(), h),
            _ => share((0..w).filter(|&x| wet(x, h - 1)).count(), w),
        };
        let opposite = match side {
            Side::West => (0..h).filter(|&y| wet(w - 1, y)).count(),
            _ => (0..w).filter(|&x| wet(x, 0)).count(),
        };
        assert!(on_side > 0.5 && opposite == 0, "{name}: {on_side}, {opposite}");
    }
}

#[test]
fn spikes_on_the_coast_do_not_cut_off_a_bay() {
    // Without care, what this seed's spikes lose fills a channel of one cell.
    let mut p = asking(0.55);
    p.sea.side = Side::West;
    let city = city(256, 38, &p);
    let wet = |cell: usize| city.eroded.height.cells()[cell] < 0.0;
    let (region, count) = weald::core::label::regions(256, 256, &Ctx::default(), wet).unwrap();
    let mut open = vec![false; count as usize + 1];
    (0..256).for_each(|y| open[region[(0, y)] as usize] = true);
    assert!(region.cells().iter().all(|&r| open[r as usize] || r == 0));
    assert_eq!(city.figures.rough, (0, 0));
}

#[test]
fn rivers_do_not_run_along_the_border() {
    for (size, seed) in [(512, 1), (512, 2), (512, 3), (1024, 3)] {
        let city = city(size, seed, &CityParams::default());
        let on_border = |cell: u32| {
            let (x, y) = (cell as usize % size, cell as usize / size);
            x == 0 || y == 0 || x + 1 == size || y + 1 == size
        };
        for (k, river) in city.water.rivers.iter().enumerate() {
            let along = river.cells.windows(2).filter(|pair| on_border(pair[0]) && on_border(pair[1]));
            assert_eq!(along.count(), 0, "river {k} of seed {seed} at {size}²");
        }
    }
}

#[test]
fn a_large_river_is_80_m_wide_and_leaves_the_map() {
    for seed in 1..=3 {
        let mut p = asking(0.0);
        p.rivers.inflow = Inflow::Large;
        let city = city(512, seed, &p);
        let river = &city.water.rivers[0];
        assert!(river.width_m >= 80.0 && river.parent.is_none(), "seed {seed}: {} m", river.width_m);
        let end = *river.cells.last().unwrap() as usize;
        let (x, y) = (end % 512, end / 512);
        assert!(x == 0 || y == 0 || x == 511 || y == 511, "seed {seed} ends at {x}, {y}");
        // The bed itself is as wide: cells under water around the middle of the river.
        let middle = river.cells[river.cells.len() / 2] as usize;
        let reach = 3i64;
        let around = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)));
        let wet = around.filter(|&(dx, dy)| {
            let (x, y) = ((middle % 512) as i64 + dx, (middle / 512) as i64 + dy);
            city.water.wet.contains(x, y) && city.water.wet[(x as usize, y as usize)] > 0
        });
        assert!(wet.count() >= 15, "seed {seed}");
        let mut none = p.clone();
        none.rivers.inflow = Inflow::None;
        let without = generate((256, 256), None, Seed(seed), &none, &Ctx::default()).unwrap();
        assert!(without.water.inflow_m2.iter().all(|a| *a == 0.0));
    }
}

#[test]
fn ridges_are_absent_above_0_4_and_whole_below_0_2() {
    let frame = Frame::new(256, 256, 56.0);
    let mut p = CityParams::default();
    p.terrain.buildable_share = 0.0;
    p.terrain.amplitude_m = 300.0;
    let ridged = NoiseLand::new(&frame, Seed(5), &p, &Ctx::default()).unwrap();
    let with = ridged.land(&frame, &Ctx::default()).unwrap();
    let (with, zones) = (with.height, with.zones);
    p.ridges.strength = 0.0;
    let plain = NoiseLand::new(&frame, Seed(5), &p, &Ctx::default()).unwrap();
    let without = plain.land(&frame, &Ctx::default()).unwrap().height;
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
fn places_have_the_heights_of_the_land_before_erosion() {
    let frame = Frame::new(128, 128, 112.0);
    let land = NoiseLand::new(&frame, Seed(5), &CityParams::default(), &Ctx::default()).unwrap();
    let grid = land.land(&frame, &Ctx::default()).unwrap();
    for ((x, y), &height) in grid.height.iter() {
        // The cells at the very limit of the zones may lie on either side of it.
        let there = land.height_at(frame.cell_centre(x, y));
        assert!((there - height as f64).abs() < 0.1, "{x}, {y}: {there} and {height}");
    }
}

#[test]
fn later_parameters_leave_earlier_layers_as_they_were() {
    let base = city(256, 9, &asking(0.6));
    let goal = city(256, 9, &asking(0.7));
    assert_eq!(base.land.height, goal.land.height);
    assert_ne!(base.eroded.height, goal.eroded.height);
}

#[test]
fn young_land_lies_between_the_land_before_and_shaped_land() {
    let aged = |age: f64| {
        let mut p = asking(0.0);
        (p.erosion.age, p.erosion.droplets) = (age, 0);
        city(128, 6, &p)
    };
    let (start, young, old) = (aged(0.0), aged(0.15), aged(1.0));
    // Without uplift the layer holds what fitting the border raised, and nothing farther inside.
    let inside = |v: usize| (8..120).contains(&v);
    let raised = start.eroded.uplift.cells().iter().enumerate().filter(|(_, u)| **u > 0.0);
    assert!(raised.map(|(i, _)| (i % 128, i / 128)).all(|(x, y)| !inside(x) || !inside(y)));
    let like = |city: &City| {
        let (a, b) = (city.eroded.height.cells(), start.land.height.cells());
        let n = a.len() as f64;
        let mean = |v: &[f32]| v.iter().map(|&v| v as f64).sum::<f64>() / n;
        let (ma, mb) = (mean(a), mean(b));
        let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
            a.iter().zip(b).map(|(&x, &y)| f(x as f64 - ma, y as f64 - mb)).sum()
        };
        sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
    };
    let (a, b, c) = (like(&start), like(&young), like(&old));
    assert!(a > 0.99 && a > b && b > c, "{a}, {b}, {c}");
}

#[test]
fn a_goal_out_of_reach_is_an_error_that_says_what_was_reached() {
    let refused = |p: &CityParams| {
        let Err(Error::Invalid(message)) = generate((128, 128), None, Seed(1), p, &Ctx::default()) else {
            panic!("it must be refused")
        };
        message
    };
    let mut sea = asking(0.9);
    (sea.sea.side, sea.sea.share) = (Side::East, 0.5);
    let message = refused(&sea);
    assert!(
        message.contains("goal.buildable_share = 0.9")
            && message.contains("the nearest share that was found is 0."),
        "{message}"
    );
    let mut still = asking(0.6);
    still.erosion.age = 0.0;
    let message = refused(&still);
    assert!(message.contains("erosion.age=0") && message.contains("of this map is buildable"), "{message}");
}

#[test]
fn a_given_map_keeps_every_bit_and_is_shaped_if_that_is_asked_for() {
    let n = 96;
    let cone = |i: usize| {
        let (dx, dy) = ((i % n) as f32 - 30.0, (i / n) as f32 - 30.0);
        (300.0 - 12.0 * (dx * dx + dy * dy).sqrt()).max(20.0) + (i % n) as f32 * 0.2
    };
    let map = Grid::from_vec(n, n, (0..n * n).map(cone).collect());
    let job = |sets: &[(&str, f64)]| {
        let job = Job::new("city").unwrap().map("height", map.clone()).unwrap();
        sets.iter()
            .fold(job, |job, &(path, value)| job.set(path, value).unwrap())
            .run(&Ctx::default())
            .unwrap()
    };
    let kept = job(&[]);
    assert_eq!(kept.catalogue.floats("height").unwrap().cells(), map.cells());
    let zones = kept.catalogue.floats("zones").unwrap();
    assert!(zones[(80, 80)] > zones[(40, 30)]);
    let shaped = job(&[("erosion.age", 0.2)]);
    assert_ne!(shaped.catalogue.floats("height").unwrap().cells(), map.cells());
    let worn = job(&[("erosion.droplets", 100_000.0)]);
    assert_ne!(worn.catalogue.floats("height").unwrap().cells(), map.cells());
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    for size in [(31, 64), (64, 16_385)] {
        let made = generate(size, None, Seed(1), &CityParams::default(), &Ctx::default());
        let Err(Error::Invalid(message)) = made else { panic!("{size:?} must be refused") };
        assert!(message.contains("between 32 and 16384"), "{message}");
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
    let stages = [
        "terrain",
        "uplift and streams",
        "droplets",
        "relief and river beds",
        "mass balance",
        "fill",
        "rivers",
    ];
    for stage in stages {
        let stop = AtomicBool::new(false);
        let made =
            generate((128, 128), None, Seed(1), &asking(0.6), &Ctx::new(&Stopper(&stop, stage), &stop));
        assert!(matches!(made, Err(Error::Cancelled)), "{stage}");
    }
}
