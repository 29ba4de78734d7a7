//! The figures of real land, of surfaces whose answer is known, and what must not change them.

use super::*;
use proptest::prelude::*;
use std::path::Path;
use weald_core::{Seed, math};

/// The Appalachian Mountains around Jacksboro, in metres, with cells of 80 m.
fn jacksboro() -> Grid<f32> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/realism/jacksboro.npy");
    crate::import::map(&data).unwrap()
}

fn of(height: &Grid<f32>, terms: &Terms) -> Measures {
    measure(height, terms, &Ctx::default()).unwrap()
}

/// The bits of all figures; NaN stands for one that is missing.
fn bits(m: &Measures) -> Vec<u64> {
    RANGES.iter().map(|f| f.value(m).unwrap_or(f64::NAN).to_bits()).collect()
}

/// Names and values of the figures that `wanted` chooses.
fn figures<'a>(m: &'a Measures, wanted: &'a [&str]) -> Vec<(&'static str, f64)> {
    let chosen = RANGES.iter().filter(|f| wanted.contains(&f.name));
    chosen.map(|f| (f.name, f.value(m).unwrap_or(f64::NAN))).collect()
}

/// The figures that depend on the network alone.
const NETWORK: [&str; 7] = ["chord45", "run8", "sinuosity", "Rb", "Rl", "Hack", "theta"];

#[test]
fn real_mountains_have_the_figures_that_another_program_measured() {
    let found = of(&jacksboro(), &Terms::new(80.0));
    let table = [
        ("chord45", 0.125),
        ("run8", 0.051),
        ("sinuosity", 1.32),
        ("Rb", 4.4),
        ("Rl", 2.7),
        ("Hack", 0.57),
        ("theta", 0.22),
        ("anisotropy", 2.8),
        ("HI", 0.36),
    ];
    for (name, expected) in table {
        let figure = RANGES.iter().find(|f| f.name == name).unwrap();
        let value = figure.value(&found).unwrap();
        let tolerance = match name {
            "chord45" | "run8" | "sinuosity" => 0.03,
            _ => 0.1 * expected,
        };
        assert!((value - expected).abs() <= tolerance, "{name} is {value}, expected {expected}");
        let verdict = if name == "HI" { Verdict::NoRange } else { Verdict::Inside };
        assert_eq!(figure.verdict(&found), verdict, "{name}");
    }
    assert_eq!(found.coast_dimension, Err("there is no sea"));
    // 138,632 cells of land, a thousandth of which is less than 1 km².
    assert_eq!((found.rivers.threshold, found.map.block, found.map.land), (139, 1, 138_632));
}

#[test]
fn a_plane_has_straight_parallel_rivers() {
    // Water runs west. Of the three neighbours that the flood reaches first, the one in the row above comes first, so every
    // cell drains to the north-west, until the northern border.
    let plane = Grid::from_fn(256, 256, |x, _| 1.0 + x as f32);
    let found = of(&plane, &Terms::new(30.0));
    assert_eq!(found.chord45, Ok(1.0));
    // Only the last steps of rivers that begin less than eight steps from the border are not part of a run.
    assert!(found.run8.unwrap() > 0.99);
    assert!((found.sinuosity.unwrap() - 1.0).abs() < 1e-12);
    assert_eq!(found.bifurcation, Err("fewer than two orders have two streams"));
    // A path of n cells drains n cells: length (n − 1)√2, so the exponent is near 1. The slope is the same everywhere.
    assert!((found.hack.unwrap() - 1.0).abs() < 0.02);
    assert!(found.theta.unwrap().abs() < 1e-12);
    assert!((found.hypsometric_integral.unwrap() - 0.5).abs() < 0.01);
    assert_eq!(found.rose.iter().position(|&share| share > 0.0), Some(63), "north-west is 315°");
    assert_eq!(found.rivers.threshold, 66);
    // A diagonal that starts k columns or rows from the north-western corner has 255 − k cells inside and becomes a channel
    // after 66 of them: one diagonal with k = 0 and two for each k from 1 to 189.
    assert_eq!(found.rivers.cells.len(), 379);
}

#[test]
fn a_cone_in_the_sea_has_a_third_of_its_cylinder_and_a_smooth_coast() {
    let cone = Grid::from_fn(400, 400, |x, y| {
        let (dx, dy) = (x as f64 - 199.5, y as f64 - 199.5);
        (150.0 - (dx * dx + dy * dy).sqrt()) as f32
    });
    let found = of(&cone, &Terms::new(30.0));
    // The mean is a third of the height. The share s of the area above a height is (radius/150)², so the percentiles are
    // 150 − 150·√0.999 and 150 − 150·√0.001.
    let (low, high) = (150.0 - 150.0 * 0.999f64.sqrt(), 150.0 - 150.0 * 0.001f64.sqrt());
    let expected = (50.0 - low) / (high - low);
    assert!((found.hypsometric_integral.unwrap() - expected).abs() < 0.003);
    let coast = found.coast_dimension.unwrap();
    // Vertices of the contour are up to a cell apart, so a step is on average 0.2 to 0.35 cells too long. From 3 to 24 cells
    // that makes 1 − ln((24/24.2)/(3/3.2))/ln 8 = 0.97 or a little less.
    assert!((0.94..0.99).contains(&coast), "{coast}");
    let length: f64 = found.map.coast.iter().map(|c| weald_core::line::length(c)).sum();
    assert!((length / (2.0 * std::f64::consts::PI * 150.0) - 1.0).abs() < 0.1, "{length}");
    let shares = found.map.land as f64 / (std::f64::consts::PI * 150.0 * 150.0);
    assert!((shares - 1.0).abs() < 0.005);
}

/// A coast that follows Koch's curve: four copies of itself, each a third as large, so its dimension is ln 4 / ln 3.
#[test]
fn the_coast_of_kochs_island_has_the_dimension_of_his_curve() {
    let mut ring: Vec<Point> = (0..3)
        .map(|k| 2.0 * std::f64::consts::PI * f64::from(k) / 3.0)
        .map(|a| (512.0 + 440.0 * math::sin(a), 512.0 - 440.0 * math::cos(a)))
        .collect();
    for _ in 0..5 {
        let mut next = Vec::new();
        for (i, &a) in ring.iter().enumerate() {
            let b = ring[(i + 1) % ring.len()];
            let (dx, dy) = ((b.0 - a.0) / 3.0, (b.1 - a.1) / 3.0);
            let turned = (dx * 0.5 + dy * 0.75f64.sqrt(), dy * 0.5 - dx * 0.75f64.sqrt());
            let near = (a.0 + dx, a.1 + dy);
            next.extend([a, near, (near.0 + turned.0, near.1 + turned.1), (a.0 + 2.0 * dx, a.1 + 2.0 * dy)]);
        }
        ring = next;
    }
    // Where each row of cell centres crosses the ring: between an odd and an even crossing it is inside.
    let crossings: Vec<Vec<f64>> = (0..1024)
        .map(|y| y as f64 + 0.5)
        .map(|y| {
            let sides = ring.iter().zip(ring.iter().cycle().skip(1)).filter(|(a, b)| (a.1 > y) != (b.1 > y));
            sides.map(|(a, b)| a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0)).collect()
        })
        .collect();
    let island = Grid::from_fn(1024, 1024, |x, y| {
        let east = crossings[y].iter().filter(|&&at| at > x as f64 + 0.5).count();
        if east % 2 == 1 { 1.0f32 } else { -1.0 }
    });
    let coast = of(&island, &Terms::new(30.0)).coast_dimension.unwrap();
    // The smallest bays, of 3 cells, are partly lost between cells, and steps from vertex to vertex are too long.
    let short = math::ln(4.0) / math::ln(3.0) - coast;
    assert!((0.05..0.15).contains(&short), "{coast}");
}

#[test]
fn gaussian_ridges_along_one_axis_are_anisotropic_and_a_gaussian_hill_is_not() {
    let bell = |d: f64, width: f64| math::exp(-d * d / (2.0 * width * width));
    let ridges = Grid::from_fn(256, 200, |x, y| {
        (100.0 + 50.0 * bell((x % 16) as f64 - 8.0, 3.0) + bell(y as f64 - 90.0, 2.0)) as f32
    });
    let found = of(&ridges, &Terms::new(30.0));
    assert!(found.anisotropy.unwrap() > 100.0, "{:?}", found.anisotropy);
    let strongest = found.spectrum.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert!((strongest.0 - 16.0).abs() < 1.0, "{strongest:?}");
    // Its spectrum is a bell too, the same in all directions.
    let hill = Grid::from_fn(256, 256, |x, y| {
        (1.0 + bell(x as f64 - 127.5, 3.0) * bell(y as f64 - 127.5, 3.0)) as f32
    });
    let even = of(&hill, &Terms::new(30.0)).anisotropy.unwrap();
    assert!((1.0..1.1).contains(&even), "{even}");
}

#[test]
fn a_constant_added_to_heights_and_sea_level_changes_nothing() {
    let (land, sea) = (jacksboro(), Terms { sea_level: 350.0, ..Terms::new(80.0) });
    let here = of(&land, &sea);
    let above = of(&land.map(|h| h + 512.0), &Terms { sea_level: 862.0, ..sea });
    for f in &RANGES {
        let (a, b) = (f.value(&here).unwrap(), f.value(&above).unwrap());
        assert!((a - b).abs() < 1e-6 * a, "{}: {a} and {b}", f.name);
    }
    assert_eq!(figures(&here, &NETWORK), figures(&above, &NETWORK));
    // Nor does another unit of height.
    let doubled = of(&land.map(|h| h * 2.0), &Terms { sea_level: 700.0, ..sea });
    assert_eq!(figures(&here, &NETWORK)[..6], figures(&doubled, &NETWORK)[..6]);
    assert!((doubled.theta.unwrap() - here.theta.unwrap()).abs() < 1e-9);
}

#[test]
fn turning_or_mirroring_a_map_without_ties_keeps_its_figures() {
    let whole = jacksboro();
    // Ranks in the order of the flood in place of heights: no two cells are equal and no cell lies in a depression, so rows and
    // columns decide nothing but the order of the rivers.
    let square = Grid::from_fn(344, 344, |x, y| whole[(x, y)]);
    let flood = weald_core::hydro::d8_by_flood(&square, &Ctx::default(), |_| true).unwrap();
    let mut land = Grid::filled(344, 344, 0.0f32);
    for (rank, &cell) in flood.order.iter().rev().enumerate() {
        land.cells_mut()[cell as usize] = 1.0 + rank as f32;
    }
    let here = of(&land, &Terms::new(80.0));
    for turned in [
        Grid::from_fn(344, 344, |x, y| land[(y, x)]),
        Grid::from_fn(344, 344, |x, y| land[(y, 343 - x)]),
        Grid::from_fn(344, 344, |x, y| land[(343 - x, 343 - y)]),
    ] {
        let there = of(&turned, &Terms::new(80.0));
        for f in &RANGES[..9] {
            let (a, b) = (f.value(&here).unwrap(), f.value(&there).unwrap());
            let tolerance = match f.name {
                // Other heads come first, so the pieces of rivers begin elsewhere.
                "chord45" | "run8" => 0.02,
                "sinuosity" => 0.1,
                // Cells of one accumulation may change their bins.
                "theta" => 0.01,
                _ => 1e-5 * a,
            };
            assert!((a - b).abs() <= tolerance, "{}: {a} and {b}", f.name);
        }
    }
}

#[test]
fn cells_without_data_around_a_map_leave_its_network_alone() {
    let land = jacksboro();
    let framed = Grid::from_fn(420, 360, |x, y| {
        let inside = (5..408).contains(&x) && (9..353).contains(&y);
        if inside { land[(x - 5, y - 9)] } else { -32768.0 }
    });
    let (here, there) =
        (of(&land, &Terms::new(80.0)), of(&framed, &Terms { nodata: Some(-32768.0), ..Terms::new(80.0) }));
    assert_eq!(figures(&here, &NETWORK), figures(&there, &NETWORK));
    assert_eq!(here.hypsometric_integral, there.hypsometric_integral);
    assert_eq!(there.coast_dimension, Err("there is no sea"));
    assert_eq!(there.map.nodata, 420 * 360 - 403 * 344);
}

#[test]
fn a_map_of_more_than_1024_cells_a_side_is_averaged_by_whole_blocks() {
    let land = jacksboro();
    let coarse = Grid::from_fn(600, 344, |x, y| land[(x % 403, y)] + (x / 403) as f32);
    let fine =
        Grid::from_fn(1201, 689, |x, y| if x < 1200 && y < 688 { coarse[(x / 2, y / 2)] } else { f32::NAN });
    let (here, there) = (of(&coarse, &Terms::new(80.0)), of(&fine, &Terms::new(40.0)));
    assert_eq!((there.map.block, there.map.cell_m), (2, 80.0));
    assert_eq!(there.map.height, here.map.height);
    assert_eq!(bits(&here), bits(&there));
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (land, sea) = (jacksboro(), Terms { sea_level: 350.0, ..Terms::new(80.0) });
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| of(&land, &sea))
    };
    let one = with(1);
    for threads in [2, 7] {
        let many = with(threads);
        assert_eq!(bits(&one), bits(&many));
        assert_eq!((&one.spectrum, &one.rivers.cells), (&many.spectrum, &many.rivers.cells));
    }
}

#[test]
fn maps_that_cannot_be_measured_are_refused_with_what_to_do() {
    let refused = |height: &Grid<f32>, terms: Terms| measure(height, &terms, &Ctx::default()).unwrap_err();
    let small = refused(&Grid::filled(63, 200, 1.0), Terms::new(30.0));
    assert!(small.to_string().contains("63x200 cells is too small") && small.exit_code() == 3, "{small}");
    let long = refused(&Grid::filled(70, 2048, 1.0), Terms::new(30.0));
    assert!(long.to_string().contains("35x1024 cells after averaging by 2"), "{long}");
    let drowned = refused(&Grid::filled(64, 64, 1.0), Terms { sea_level: 1.0, ..Terms::new(30.0) });
    assert!(drowned.to_string().contains("give a lower sea level"), "{drowned}");
    let thin = refused(&Grid::filled(64, 64, 1.0), Terms::new(0.0));
    assert!(thin.to_string().contains("a cell of 0 m has no area"), "{thin}");
}

#[test]
fn level_land_has_no_figures_of_relief_and_says_why() {
    let found = of(&Grid::filled(80, 80, 0.1), &Terms::new(30.0));
    assert_eq!(found.hypsometric_integral, Err("the land is level"));
    assert_eq!(found.anisotropy, Err("there are no waves to compare"));
    assert_eq!(found.theta, Err("fewer than 60 channel cells fall towards their receiver"));
    assert_eq!(RANGES[9].verdict(&found), Verdict::Missing);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn every_figure_of_any_map_is_finite_and_shares_are_shares(
        w in 64usize..110, h in 64usize..110, seed: u64, sea in 0f32..9.0, hole in 0u64..4
    ) {
        let height = Grid::from_fn(w, h, |x, y| {
            let (x, y) = (x as i64, y as i64);
            let rough = (Seed(seed).at(x, y) % 100) as f32 / 40.0;
            let wide = (Seed(seed).at(x / 16, y / 16) % 10) as f32;
            if Seed(seed).at(x / 7, -y / 7) % 40 < hole { f32::NAN } else { wide + rough }
        });
        let found = of(&height, &Terms { sea_level: sea, ..Terms::new(30.0) });
        for f in &RANGES {
            if let Ok(value) = f.value(&found) {
                prop_assert!(value.is_finite(), "{} is {value}", f.name);
                let share = matches!(f.name, "chord45" | "run8" | "HI");
                prop_assert!(!share || (0.0..=1.0).contains(&value), "{} is {value}", f.name);
                prop_assert!(f.name != "sinuosity" || value >= 1.0);
            }
        }
        let rose: f64 = found.rose.iter().sum();
        prop_assert!(rose == 0.0 || (rose - 1.0).abs() < 1e-9);
    }
}
