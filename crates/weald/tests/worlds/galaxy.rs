//! What a galaxy promises: the expected number of stars, the same stars whatever block shows them, the same bits for any
//! number of threads, folders that pass their check.

use std::path::Path;
use weald::Job;
use weald::check;
use weald::core::{Ctx, Seed};
use weald::export::atomic::Existing;
use weald::job::folder::FolderPlan;
use weald::render::Picture;
use weald::world::World;
use weald::world::galaxy::stars::{CHANCE, ORIGINAL_CHANCE, Star, Stars};
use weald::world::galaxy::{self, Galaxy, GalaxyParams, GalaxyWorld};

fn make(size: (usize, usize), seed: u64, p: &GalaxyParams) -> Galaxy {
    galaxy::generate(size, Seed(seed), p, &Ctx::default()).unwrap()
}

#[test]
fn the_density_is_within_a_fifth_of_what_the_test_makes_one_expect() {
    for seed in [0, 1, 2, 3, 77, u64::MAX] {
        let s = make((800, 600), seed, &GalaxyParams::default()).summary();
        assert_eq!(s.volume, 144_000_000);
        let ratio = s.density / s.expected;
        assert!((0.8..1.2).contains(&ratio), "seed {seed}: {} of {}", s.density, s.expected);
    }
    assert!((CHANCE - 6.676e-6).abs() < 1e-9 && (ORIGINAL_CHANCE - 3.815e-6).abs() < 1e-9);
}

const FIRST: [&str; 3] = ["[301, 239, 1] 3 9 1", "[-49, -243, 2] 6 13 5", "[335, 175, 2] 2 10 12"];
const LAST: [&str; 3] = ["[-281, -2, 297] 2 12 8", "[-65, 234, 297] 6 2 1", "[1, 268, 299] 4 9 3"];

#[test]
fn the_documents_block_has_the_519_stars_that_its_function_gives() {
    let galaxy = make((800, 600), 0, &GalaxyParams::default());
    let s = galaxy.summary();
    assert_eq!(s.stars, 519);
    let n = s.nearest.unwrap();
    assert_eq!((n.star.place, n.star.planets), ([34, -17, 31], 10));
    // The first and the last ones that calcStar finds when it is run as JavaScript.
    let text = |s: &Star| format!("{:?} {} {} {}", s.place, s.step, s.planets, s.colour);
    let (first, last) = (&galaxy.stars[..3], &galaxy.stars[516..]);
    assert_eq!(first.iter().map(text).collect::<Vec<_>>(), FIRST);
    assert_eq!(last.iter().map(text).collect::<Vec<_>>(), LAST);
}

#[test]
fn the_nearest_star_is_the_nearest_to_the_viewer() {
    for at in [[0, 0, 0], [700, -300, 50], [-10_000, 2, -400]] {
        let mut p = GalaxyParams { depth_ly: 90, ..GalaxyParams::default() };
        (p.at.x, p.at.y, p.at.z) = (at[0], at[1], at[2]);
        let galaxy = make((300, 200), 4, &p);
        let far = |s: &Star| (0..3).map(|k| (s.place[k] - at[k]) as f64).map(|d| d * d).sum::<f64>().sqrt();
        let visible = galaxy.stars.iter().filter(|s| galaxy.magnitude(s) < p.stars.visible_below);
        let least = visible.map(far).fold(f64::INFINITY, f64::min);
        assert_eq!(galaxy.summary().nearest.unwrap().distance_ly, least);
        assert_eq!(galaxy.corner, [at[0] - 150, at[1] - 100, at[2] + 1]);
    }
}

#[test]
fn colour_and_planets_of_drawn_galaxies_are_independent_in_most_blocks() {
    let independent = |seed: u64| make((800, 600), seed, &GalaxyParams::default()).summary().correlation;
    let fine = (1..=12).filter(|&s| independent(s).unwrap().independent()).count();
    assert!(fine >= 9, "{fine} of 12");
}

#[test]
fn a_scan_finds_the_stars_and_the_gas_of_single_places() {
    for seed in [0, 6] {
        let mut p = GalaxyParams { depth_ly: 7, ..GalaxyParams::default() };
        (p.at.x, p.at.y, p.at.z) = (-5000, 1234, -4);
        let g = make((333, 50), seed, &p);
        let stars = Stars::new(Seed(seed));
        let mut all = Vec::new();
        for z in 0..7 {
            for y in 0..50 {
                for x in 0..333 {
                    all.extend(stars.at([g.corner[0] + x, g.corner[1] + y, g.corner[2] + z]));
                }
            }
        }
        assert_eq!(g.stars, all);
        assert_eq!(g.count.cells().iter().map(|&c| c as usize).sum::<usize>(), all.len());
    }
}

#[test]
fn a_place_has_the_same_star_and_gas_in_every_block_that_shows_it() {
    let mut p = GalaxyParams { depth_ly: 60, ..GalaxyParams::default() };
    let whole = make((300, 200), 5, &p);
    (p.at.x, p.at.y) = (-40, 30);
    let part = make((120, 80), 5, &p);
    let inside: Vec<_> = whole
        .stars
        .iter()
        .filter(|s| (-100..20).contains(&s.place[0]) && (-10..70).contains(&s.place[1]))
        .copied()
        .collect();
    assert!(!inside.is_empty());
    assert_eq!(part.stars, inside);
    for (r, c) in [(0, 0), (13, 57), (79, 119)] {
        assert_eq!(part.nebula[(c, r)], whole.nebula[(c + 50, r + 90)]);
    }
}

#[test]
fn gas_is_the_excess_over_the_threshold_and_none_is_left_at_the_top() {
    let at = |threshold: u32| {
        let mut p = GalaxyParams { depth_ly: 30, ..GalaxyParams::default() };
        p.nebula.threshold = threshold;
        make((400, 300), 2, &p).nebula.cells().iter().map(|&v| v as f64).sum::<f64>()
    };
    let sums = [0, 200, 370, 450, 700].map(at);
    assert!(sums.windows(2).all(|w| w[0] > w[1]), "{sums:?}");
    assert_eq!(sums[4], 0.0);
}

#[test]
fn threads_do_not_change_a_bit() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| make((200, 100), 3, &GalaxyParams::default()))
    };
    let (one, many) = (on(1), on(5));
    assert_eq!((one.nebula, one.count, one.stars), (many.nebula, many.count, many.stars));
}

#[test]
fn blocks_of_one_column_and_of_one_layer_are_drawn() {
    for (size, depth_ly) in [((1, 1), 1), ((1, 90), 2), ((200, 1), 3)] {
        let job = Job::new("galaxy").unwrap().size(size).set("depth_ly", depth_ly).unwrap();
        let output = job.run(&Ctx::default()).unwrap();
        let picture = output.draw(&Default::default(), &Ctx::default()).unwrap();
        assert!(matches!(picture, Picture::Opaque(image) if image.width() > 300));
        assert_eq!(output.catalogue.layers.len(), GalaxyWorld.layers().len());
    }
}

#[test]
fn a_block_that_is_too_large_is_refused() {
    let p = GalaxyParams { depth_ly: 10_000, ..GalaxyParams::default() };
    let error = galaxy::generate((1 << 20, 1 << 20), Seed(1), &p, &Ctx::default()).err().unwrap();
    assert!(error.to_string().contains("depth_ly = 10000"), "{error}");
}

/// Rules that a folder breaks after a change.
fn broken(seed: u64, change: impl Fn(&Path)) -> Vec<&'static str> {
    let output = Job::new("galaxy").unwrap().seed(seed).size((160, 120)).run(&Ctx::default()).unwrap();
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("galaxy");
    let plan = FolderPlan::new(GalaxyWorld.info().files);
    output.save(&dir, Existing::Replace, &plan, &Ctx::default()).unwrap();
    assert!(check::path(&dir).unwrap().ok());
    change(&dir);
    let report = check::path(&dir).unwrap();
    report.rules.iter().filter(|r| r.violations > 0).map(|r| r.rule).collect()
}

fn edit(dir: &Path, file: &str, change: impl Fn(&str) -> String) {
    let text = std::fs::read_to_string(dir.join(file)).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed, "{file} did not change");
    std::fs::write(dir.join(file), changed).unwrap();
}

#[test]
fn a_folder_passes_its_check_and_changes_are_found() {
    for seed in [0, 9] {
        assert!(broken(seed, |_| {}).is_empty());
        let without_first = broken(seed, |d| {
            edit(d, "stars.csv", |t| {
                let mut lines: Vec<&str> = t.lines().collect();
                lines.remove(1);
                lines.join("\n") + "\n"
            });
        });
        for rule in ["galaxy-star-layer", "galaxy-points", "galaxy-stats"] {
            assert!(without_first.contains(&rule), "{without_first:?}");
        }
        let moved = broken(seed, |d| {
            edit(d, "stars.csv", |t| {
                let lines: Vec<&str> = t.lines().collect();
                let (x, rest) = lines[1].split_once(',').unwrap();
                let moved = format!("{},{rest}", x.parse::<i64>().unwrap() + 1);
                t.replacen(lines[1], &moved, 1)
            });
        });
        assert!(moved.contains(&"galaxy-stars"), "{moved:?}");
        assert_eq!(
            broken(seed, |d| edit(d, "stars.geojson", |t| t.replacen("\"planets\":", "\"planets\":9", 1))),
            ["galaxy-points"]
        );
        assert_eq!(
            broken(seed, |d| edit(d, "manifest.json", |t| t.replacen(
                "\"distance_ly\": ",
                "\"distance_ly\": 1",
                1
            ))),
            ["galaxy-stats"]
        );
    }
}
