//! What the realm promises, over many seeds and recipes. It takes minutes, so `cargo xtask bench realm` runs it and `cargo xtask test` does not.

use crate::real_land::{judged, measured};
use crate::sweep::{only_for_release, print_list};
use std::path::Path;
use weald::catalogue::{Catalogue, Cells};
use weald::core::{Ctx, par};
use weald::export::atomic::Existing;
use weald::job::folder::FolderPlan;
use weald::measure::Measures;
use weald::{Job, check};

/// Recipe, side of the map and number of seeds.
const KINDS: [(&str, usize, u64); 6] = [
    ("realm", 128, 1000),
    ("realm-coast", 128, 200),
    ("realm-heartland", 128, 200),
    ("realm-template", 128, 100),
    ("realm", 256, 50),
    ("realm", 1024, 3),
];

/// What was found on one map.
struct Found {
    /// Rules that are broken, with the first message.
    broken: Vec<String>,
    repaired: f64,
    /// Settlements that land can reach, those on roads, those of tiers 1 and 2 that land can reach, those on railroads.
    joined: [usize; 4],
    /// Road tiles that run along a river, and those of them that keep 3 tiles away from it.
    setback: [usize; 2],
    /// The greatest share of a biome, and how many there are.
    biomes: (f64, usize),
    measures: Option<Measures>,
}

fn make(recipe: &str, side: usize, seed: u64) -> Result<Found, String> {
    let place = tempfile::tempdir().map_err(|e| e.to_string())?;
    let dir = place.path().join("realm");
    let run = || {
        let mut job = Job::new("realm")?;
        job.merge_recipe(Path::new(recipe))?;
        let output = job.seed(seed).size(side).run(&Ctx::default())?;
        let files = output.recipe.world.info().files;
        let plan = FolderPlan {
            files: files.iter().filter(|f| f.name.ends_with(".csv")).collect(),
            ..FolderPlan::new(&[])
        };
        output.save(&dir, Existing::Keep, &plan, &Ctx::default())?;
        Ok::<_, weald::Error>((output, check::path(&dir)?))
    };
    let (output, report) = run().map_err(|e| e.to_string())?;
    let bad = report.rules.iter().filter(|r| r.violations > 0);
    let figures = &output.catalogue.figures;
    let shares: Vec<f64> = figures["biomes"]
        .as_object()
        .into_iter()
        .flat_map(|b| b.values())
        .filter_map(|v| v.as_f64())
        .collect();
    let settlements = &output.catalogue.point_set("settlements").expect("a realm has them").features;
    let of = |f: &weald::catalogue::Feature, key: &str| f.property(key).cloned().unwrap_or_default();
    let reached = |f: &&weald::catalogue::Feature, tiers: u64| {
        let near = |o: &&weald::catalogue::Feature| {
            o.id != f.id && of(o, "landmass") == of(f, "landmass") && of(o, "tier").as_u64() <= Some(tiers)
        };
        of(f, "tier").as_u64() <= Some(tiers) && settlements.iter().any(|o| near(&o))
    };
    let count = |tiers: u64, key: &str| {
        let all = settlements.iter().filter(|f| reached(f, tiers));
        all.fold((0, 0), |(n, on), f| (n + 1, on + (of(f, key) == true) as usize))
    };
    let ((all, on_roads), (large, on_rails)) = (count(5, "road"), count(2, "rail"));
    let height = output.catalogue.floats("height").map_err(|e| e.to_string())?;
    Ok(Found {
        broken: bad.map(|r| format!("{}: {}", r.rule, r.first[0].message)).collect(),
        repaired: figures["borders"]["repaired_share"].as_f64().unwrap_or(1.0),
        joined: [all, on_roads, large, on_rails],
        setback: setback(&output.catalogue),
        biomes: (shares.iter().copied().fold(0.0, f64::max), shares.iter().filter(|s| **s > 0.0).count()),
        measures: (side >= 1024).then(|| measured(height, output.catalogue.frame.cell_m)),
    })
}

/// Road tiles that run along a river within 5 tiles, and those of them that keep 3 tiles away; not those within 2 tiles of a settlement or 3
/// of a crossing.
fn setback(catalogue: &Catalogue) -> [usize; 2] {
    let cells = |name: &str| catalogue.layer(name).expect("a realm has this layer").cells();
    let (roads, rivers) = (cells("road_dirs"), cells("river_dirs"));
    let (crossings, settlements) = (cells("crossing"), cells("settlement"));
    let (w, h) = (catalogue.frame.width as i64, catalogue.frame.height as i64);
    let at = |of: &Cells, x: i64, y: i64| match (0..w).contains(&x) && (0..h).contains(&y) {
        true => of.at(x as usize, y as usize) as u32,
        false => 0,
    };
    let ring = |x: i64, y: i64, r: i64| {
        let square = (-r..=r).flat_map(move |dy| (-r..=r).map(move |dx| (dx, dy)));
        square.filter(move |(dx, dy)| dx.abs().max(dy.abs()) == r).map(move |(dx, dy)| (x + dx, y + dy))
    };
    let near =
        |of: &Cells, x: i64, y: i64, r: i64| (0..=r).any(|r| ring(x, y, r).any(|(x, y)| at(of, x, y) != 0));
    // Axes are equal, or differ by 45 degrees, if some link of one is less than a right angle from some link of the other.
    let axes = |links: u32| (links | links >> 4) & 15;
    let parallel = |a: u32, b: u32| {
        (0..4).any(|p| axes(a) >> p & 1 == 1 && (0..4).any(|q| axes(b) >> q & 1 == 1 && (p + 4 - q) % 4 != 2))
    };
    let (mut along, mut kept) = (0, 0);
    for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
        let road = at(&roads, x, y);
        if road == 0 || near(&settlements, x, y, 2) || near(&crossings, x, y, 3) {
            continue;
        }
        let beside = |r: &i64| ring(x, y, *r).any(|(x, y)| parallel(road, at(&rivers, x, y)));
        if let Some(far) = (1..=5).find(beside) {
            along += 1;
            kept += (far >= 3) as usize;
        }
    }
    [along, kept]
}

#[test]
#[ignore = "it takes minutes; cargo xtask bench realm runs it"]
fn every_realm_of_a_thousand_seeds_keeps_every_rule() {
    only_for_release();
    let mut wrong: Vec<(String, String)> = Vec::new();
    println!(
        "\n| recipe | side | seeds | maps with violations | repaired | on roads | on railroads | setback kept | largest biome | fewest biomes |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (recipe, side, seeds) in KINDS {
        let found = par::map(seeds as usize, &Ctx::default(), |k| make(recipe, side, k as u64 + 1))
            .expect("nobody stops it");
        let (mut sums, mut repaired, mut bad, mut biomes) = ([0usize; 4], 0.0, 0, (0.0f64, usize::MAX));
        let (mut measures, mut setback) = (Vec::new(), [0; 2]);
        for (k, found) in found.into_iter().enumerate() {
            let map = format!("{recipe} {side}² seed {}", k + 1);
            match found {
                Err(error) => wrong.push((map, error)),
                Ok(found) => {
                    bad += !found.broken.is_empty() as usize;
                    wrong.extend(found.broken.into_iter().map(|what| (map.clone(), what)));
                    sums.iter_mut().zip(found.joined).for_each(|(sum, n)| *sum += n);
                    setback.iter_mut().zip(found.setback).for_each(|(sum, n)| *sum += n);
                    repaired += found.repaired / seeds as f64;
                    biomes = (biomes.0.max(found.biomes.0), biomes.1.min(found.biomes.1));
                    measures.extend(found.measures);
                }
            }
        }
        let share = |on: usize, all: usize| 100.0 * on as f64 / all.max(1) as f64;
        let (roads, rails) = (share(sums[1], sums[0]), share(sums[3], sums[2]));
        let kept = share(setback[1], setback[0]);
        println!(
            "| {recipe} | {side} | {seeds} | {bad} | {:.2} % | {roads:.2} % of {} | {rails:.2} % of {} | {kept:.1} % of {} | {:.1} % | {} |",
            100.0 * repaired,
            sums[0],
            sums[2],
            setback[0],
            100.0 * biomes.0,
            biomes.1
        );
        let kind = format!("{recipe} {side}²");
        let mut must = |good: bool, what: &str| {
            if !good {
                wrong.push((kind.clone(), what.into()))
            }
        };
        must(repaired <= 0.04, "more than 4 % of the border tiles are repaired on average");
        must(roads >= 98.0, "fewer than 98 % of the settlements that land can reach are on roads");
        must(rails >= 95.0, "fewer than 95 % of the cities that land can reach are on railroads");
        must(kept >= 95.0, "fewer than 95 % of the road tiles along rivers keep 3 tiles away from them");
        must(
            recipe == "realm-template" || (biomes.0 <= 0.6 && biomes.1 >= 5),
            "a biome covers more than 60 % of the land, or fewer than five occur",
        );
        if !measures.is_empty() {
            wrong.extend(judged(&kind, &measures));
        }
    }
    print_list("Broken", &wrong);
    assert!(wrong.is_empty());
}
