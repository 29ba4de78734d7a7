//! What holds for every realm: all rules of its checker, odd sizes and parameters, the shares of biomes, and phases that do not disturb each other.

use crate::sweep::recipe;
use std::path::{Path, PathBuf};
use weald::check;
use weald::core::{Ctx, Dir8, Grid, Seed};
use weald::export::atomic::Existing;
use weald::job::folder::FolderPlan;
use weald::world::realm::{self, Realm, RealmParams, RealmWorld, biomes};
use weald::{Job, npy};

const RECIPES: [&str; 4] = ["realm", "realm-coast", "realm-heartland", "realm-template"];

fn make(size: (usize, usize), seed: u64, p: &RealmParams) -> Realm {
    realm::generate(size, Seed(seed), p, &Ctx::default()).unwrap()
}

/// Writes a realm into a folder.
fn save(job: Job, dir: &Path) {
    let output = job.run(&Ctx::default()).unwrap();
    let files = output.recipe.world.info().files;
    let plan = FolderPlan {
        files: files.iter().filter(|f| f.name.ends_with(".csv")).collect(),
        ..FolderPlan::new(&[])
    };
    output.save(dir, Existing::Keep, &plan, &Ctx::default()).unwrap();
}

/// The rules that a folder breaks, with what is said of the first place.
fn broken(dir: &Path) -> Vec<(&'static str, String)> {
    let report = check::path(dir).unwrap();
    let bad = report.rules.iter().filter(|r| r.violations > 0);
    bad.map(|r| (r.rule, r.first[0].message.clone())).collect()
}

fn job(recipe: &str, seed: u64, size: (usize, usize)) -> Job {
    let mut job = Job::new("realm").unwrap();
    job.merge_recipe(Path::new(recipe)).unwrap();
    job.seed(seed).size(size)
}

#[test]
fn the_checker_finds_nothing_to_blame_in_any_recipe() {
    for recipe in RECIPES {
        for seed in 1..=6 {
            let place = tempfile::tempdir().unwrap();
            let dir = place.path().join("realm");
            save(job(recipe, seed, (96, 96)), &dir);
            assert_eq!(broken(&dir), [], "{recipe} {seed}");
        }
    }
}

#[test]
fn turns_beside_rivers_and_cities_behind_necks_of_land_keep_the_rules() {
    // A road that turned too near a river, and three cities between which no railroad and road found room.
    for (recipe, seed) in [("realm", 432), ("realm-coast", 135), ("realm-coast", 170)] {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("realm");
        save(job(recipe, seed, (128, 128)), &dir);
        assert_eq!(broken(&dir), [], "{recipe} {seed}");
    }
}

#[test]
fn odd_sizes_keep_the_rules_too() {
    for (size, seed) in [((48, 48), 1), ((48, 170), 2), ((200, 48), 3), ((61, 97), 4)] {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("realm");
        save(job("realm", seed, size), &dir);
        assert_eq!(broken(&dir), [], "{size:?}");
    }
}

#[test]
fn odd_parameters_keep_the_rules_too() {
    let cases: [&[(&str, f64)]; 11] = [
        &[("land.share", 0.05), ("coast.islands", 40.0)],
        &[("land.share", 0.95), ("rivers.source_tiles", 40.0), ("rivers.lakes", 60.0)],
        &[("settlements.density", 40.0), ("settlements.spacing_tiles", 8.0)],
        &[("settlements.density", 0.0)],
        &[("borders.displacement_tiles", 3.0), ("borders.coast_displacement_tiles", 5.0)],
        &[("rivers.meander_tiles", 3.0), ("roads.setback_cost", 0.0), ("roads.detour", 1.0)],
        &[("railroads.tiers", 3.0), ("railroads.branch_tiles", 200.0), ("settlements.density", 30.0)],
        &[("railroads.tiers", 0.0)],
        &[("railroads.tiers", 1.0), ("land.share", 0.6)],
        &[("map.cell_m", 10.0), ("rivers.source_tiles", 60.0)],
        &[
            ("climate.north_c", 30.0),
            ("climate.south_c", -30.0),
            ("climate.wind_deg", 237.0),
            ("biomes.wetland_share", 0.3),
        ],
    ];
    for (k, case) in cases.into_iter().enumerate() {
        let mut job = job("realm", k as u64 + 1, (96, 80));
        for (path, value) in case {
            job = if value.fract() == 0.0
                && !path.ends_with("share")
                && !path.ends_with("_tiles")
                && !path.ends_with("cost")
                && !path.ends_with("_m")
            {
                job.set(path, *value as i64).unwrap()
            } else {
                job.set(path, *value).unwrap()
            };
        }
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("realm");
        save(job, &dir);
        assert_eq!(broken(&dir), [], "{case:?}");
    }
}

#[test]
fn railroads_and_roads_go_from_junction_to_junction() {
    let realm = make((160, 160), 4, &RealmParams::default());
    for ways in [&realm.railroads, &realm.roads] {
        let junction = |t: &u32| ways.links.cells()[*t as usize].count_ones() > 2;
        assert!(ways.links.cells().iter().any(|l| l.count_ones() > 2), "there are junctions");
        for way in &ways.list {
            assert!(
                way.tiles.len() > 1 && !way.tiles[1..way.tiles.len() - 1].iter().any(junction),
                "{way:?}"
            );
        }
        let links: usize = ways.list.iter().map(|w| 2 * (w.tiles.len() - 1)).sum();
        let bits: usize = ways.links.cells().iter().map(|l| l.count_ones() as usize).sum();
        assert_eq!(links, bits, "the lines are the links");
    }
}

#[test]
fn no_water_comes_back_to_a_lake_and_no_outflow_rises_above_an_inflow() {
    // Maps on which streams of the land lead back to the lake that they left, or run past it.
    for seed in [2, 8, 36] {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("realm");
        save(job("realm", seed, (192, 192)), &dir);
        let report = check::path(&dir).unwrap();
        let lakes = report.rules.iter().find(|r| r.rule == "river-lakes").unwrap();
        assert!(lakes.checked > 0 && lakes.violations == 0, "{lakes:?}");
        assert_eq!(broken(&dir), [], "{seed}");
    }
}

/// The share of the steps of ways that belong to eight or more equal steps in a row.
fn straight_share(ways: &realm::ways::Ways, w: usize) -> f64 {
    let (mut long, mut all) = (0, 0);
    for way in &ways.list {
        let steps = way.tiles.windows(2).map(|s| Dir8::between(w, s[0] as usize, s[1] as usize));
        for run in steps.collect::<Vec<_>>().chunk_by(|a, b| a == b) {
            all += run.len();
            long += if run.len() >= 8 { run.len() } else { 0 };
        }
    }
    long as f64 / all as f64
}

#[test]
fn ways_that_wind_run_less_along_the_eight_directions() {
    let share = |winding: f64| {
        let mut p = RealmParams::default();
        (p.railroads.winding, p.roads.winding) = (winding, winding);
        let realms = (1..=3).map(|seed| make((192, 192), seed, &p));
        realms.map(|r| straight_share(&r.roads, 192) + straight_share(&r.railroads, 192)).sum::<f64>()
    };
    let (straight, usual, winding) = (share(0.0), share(0.5), share(1.0));
    assert!(usual < 0.7 * straight && winding < usual, "{straight} {usual} {winding}");
}

/// Settlements that share a land, and how far it is between them over the roads, as a multiple of the straight line.
fn detours(realm: &Realm) -> Vec<f64> {
    let (w, list) = (realm.frame.width, &realm.settlements);
    let at = |k: usize| (list[k].centre as usize % w, list[k].centre as usize / w);
    let apart = |a: usize, b: usize| {
        let ((ax, ay), (bx, by)) = (at(a), at(b));
        ((ax.abs_diff(bx).pow(2) + ay.abs_diff(by).pow(2)) as f64).sqrt()
    };
    let mut all = Vec::new();
    for a in 0..list.len() {
        let mut steps = vec![usize::MAX; realm.classes.len()];
        let mut queue = std::collections::VecDeque::from([list[a].centre as usize]);
        steps[list[a].centre as usize] = 0;
        while let Some(tile) = queue.pop_front() {
            for d in (0..8).filter(|d| realm.roads.links.cells()[tile] >> d & 1 == 1) {
                let next = tile as i64 + Dir8::DY[d] as i64 * w as i64 + Dir8::DX[d] as i64;
                if steps[next as usize] == usize::MAX {
                    steps[next as usize] = steps[tile] + 1;
                    queue.push_back(next as usize);
                }
            }
        }
        let nearest = (0..list.len())
            .filter(|&b| b != a && list[b].land == list[a].land && realm.roads.left_out[b].is_none())
            .min_by(|&b, &c| apart(a, b).total_cmp(&apart(a, c)));
        if let Some(b) = nearest.filter(|_| realm.roads.left_out[a].is_none()) {
            all.push(steps[list[b].centre as usize] as f64 / apart(a, b));
        }
    }
    all
}

#[test]
fn neighbours_are_joined_without_long_detours() {
    let long = |detour: f64| {
        let mut p = RealmParams::default();
        p.roads.detour = detour;
        let all: Vec<f64> = (1..=4).flat_map(|seed| detours(&make((160, 160), seed, &p))).collect();
        all.iter().filter(|d| **d > 2.5).count() as f64 / all.len() as f64
    };
    let (short, none) = (long(1.9), long(10.0));
    assert!(short <= 0.12 && none > 1.5 * short, "{short} of the neighbours, {none} without short cuts");
}

#[test]
fn lakes_lie_level_in_beds_of_their_own() {
    let mut p = RealmParams::default();
    p.rivers.lakes = 40;
    let realm = make((160, 160), 6, &p);
    let mut lakes = 0;
    for (i, _) in realm.classes.cells().iter().enumerate().filter(|(_, c)| **c == biomes::LAKE) {
        let (height, level) = (realm.height.cells()[i], realm.surface.cells()[i]);
        assert!(0.0 < height && height < level, "{height} {level}");
        weald::core::dir8::neighbours(160, 160, i % 160, i / 160, |_, x, y| match realm.classes[(x, y)] {
            biomes::LAKE => assert_eq!(realm.surface[(x, y)], level),
            biomes::OCEAN => {}
            _ => assert!(realm.height[(x, y)] >= level),
        });
        lakes += 1;
    }
    assert!(lakes > 100, "{lakes} tiles of lakes");
    for river in &realm.rivers.list {
        let (from, to) = (river.tiles[0] as usize, river.tiles[1] as usize);
        if realm.classes.cells()[from] == biomes::LAKE {
            assert!(realm.height.cells()[to] <= realm.surface.cells()[from]);
        }
    }
}

#[test]
fn no_river_ends_where_another_one_begins() {
    for seed in 1..=6 {
        let list = make((128, 128), seed, &recipe(&RealmWorld, "realm-heartland")).rivers.list;
        for river in &list {
            if let realm::rivers::Mouth::River(parent) = river.mouth {
                assert!(list[parent].tiles[1..].contains(river.tiles.last().unwrap()), "seed {seed}");
            }
        }
    }
}

#[test]
fn few_tiles_are_repaired_and_no_biome_covers_most_of_the_land() {
    let p = RealmParams::default();
    let (mut repaired, mut border) = (0, 0);
    for seed in 1..=10 {
        let realm = make((128, 128), seed, &p);
        assert_eq!(realm.violations, []);
        assert_eq!(realm.mended.repaired.left, 0);
        repaired += realm.mended.repaired.flipped;
        border += realm.mended.border_tiles;
        let mut counts = [0usize; 10];
        realm.classes.cells().iter().for_each(|&c| counts[c as usize] += 1);
        let land: usize = counts[2..].iter().sum();
        let most = *counts[2..].iter().max().unwrap();
        assert!(most * 10 <= land * 6, "seed {seed}: {counts:?}");
        assert!(counts[2..].iter().filter(|c| **c > 0).count() >= 5, "seed {seed}: {counts:?}");
    }
    assert!(repaired * 100 <= border * 4, "{repaired} of {border}");
}

#[test]
fn later_parameters_leave_earlier_layers_as_they_are() {
    let base = make((96, 96), 5, &RealmParams::default());
    let changed = |change: fn(&mut RealmParams)| {
        let mut p = RealmParams::default();
        change(&mut p);
        make((96, 96), 5, &p)
    };
    let people = changed(|p| p.settlements.density = 30.0);
    assert!(
        people.classes == base.classes
            && people.rivers.links == base.rivers.links
            && people.height == base.height
    );
    assert!(people.settlements != base.settlements);
    let roads = changed(|p| p.roads.bridge_cost = 60.0);
    assert!(roads.railroads.links == base.railroads.links && roads.settlement == base.settlement);
    let rivers = changed(|p| p.rivers.source_tiles = 80);
    assert!(rivers.temperature == base.temperature && rivers.moisture == base.moisture);
    assert!(rivers.rivers.list.len() > base.rivers.list.len());
}

#[test]
fn a_template_is_what_the_map_shows() {
    let mut p: RealmParams = recipe(&RealmWorld, "realm-template");
    p.biomes.template = "~~~~~~\n~TTTT~\n~GGMM~\n~GGMM~\n~DDSS~\n~~~~~~".into();
    let realm = make((180, 180), 3, &p);
    let wanted = [
        (1.5, 1.5, biomes::TUNDRA),
        (1.5, 2.7, biomes::GRASSLAND),
        (3.9, 2.9, biomes::MOUNTAIN),
        (1.6, 4.5, biomes::DESERT),
        (4.4, 4.5, biomes::SUBTROPICAL),
    ];
    for (x, y, biome) in wanted {
        let (cx, cy) = ((x * 30.0) as usize, (y * 30.0) as usize);
        let around = (cy - 4..=cy + 4).flat_map(|y| (cx - 4..=cx + 4).map(move |x| (x, y)));
        let hits = around.filter(|&at| realm.classes[at] == biome).count();
        assert!(hits > 40, "{biome} at {cx}, {cy}: {hits} of 81");
    }
    // The corners are ocean, and the mountains are high.
    assert!([(2, 2), (177, 2), (2, 177), (177, 177)].iter().all(|&at| realm.classes[at] == biomes::OCEAN));
    let mean = |biome: u8| {
        let on: Vec<f32> = (0..realm.classes.len())
            .filter(|&i| realm.classes.cells()[i] == biome)
            .map(|i| realm.height.cells()[i])
            .collect();
        on.iter().sum::<f32>() / on.len() as f32
    };
    assert!(mean(biomes::MOUNTAIN) > 2.0 * mean(biomes::GRASSLAND));
}

#[test]
fn an_inland_sea_of_a_template_is_a_lake() {
    let mut p = RealmParams::default();
    p.biomes.template = "GGGGG\nGGGGG\nGG~GG\nGGGGG\nGGGGG".into();
    let realm = make((96, 96), 3, &p);
    assert_eq!((realm.classes[(48, 48)], realm.violations.len()), (biomes::LAKE, 0));
    let level = realm.surface[(48, 48)];
    assert!(level > realm.height[(48, 48)] && realm.height[(48, 48)] > 0.0, "{level}");
}

#[test]
fn any_number_of_threads_gives_the_same_realm() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let catalogue = pool.install(|| make((96, 96), 9, &RealmParams::default())).into_catalogue();
        catalogue.layers.iter().map(|l| npy::sha256(&l.cells())).collect::<Vec<_>>()
    };
    assert_eq!(on(1), on(7));
}

/// A folder that can be damaged.
struct Folder {
    place: tempfile::TempDir,
    dir: PathBuf,
}

impl Folder {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("realm");
        save(job("realm-heartland", 7, (128, 128)), &dir);
        Self { place, dir }
    }

    fn layer(&self, name: &str) -> Grid<u8> {
        let file = std::fs::File::open(self.dir.join(format!("layers/{name}.npy"))).unwrap();
        match npy::read(&mut std::io::BufReader::new(file)).unwrap() {
            weald::core::AnyGrid::U8(grid) => grid,
            _ => panic!("{name} holds no bytes"),
        }
    }

    /// Changes a layer, asks the checker, and puts the layer back.
    fn damaged(&self, name: &str, change: impl FnOnce(&mut Grid<u8>)) -> Vec<&'static str> {
        assert!(self.place.path().is_dir());
        let path = self.dir.join(format!("layers/{name}.npy"));
        let whole = std::fs::read(&path).unwrap();
        let mut grid = self.layer(name);
        change(&mut grid);
        let mut bytes = Vec::new();
        npy::write(&mut bytes, &weald::core::Cells::U8(&grid)).unwrap();
        std::fs::write(&path, bytes).unwrap();
        let found = broken(&self.dir).into_iter().map(|b| b.0).collect();
        std::fs::write(&path, whole).unwrap();
        found
    }
}

/// Twelve ways to break a correct realm. Each must be found by the rule that it breaks, besides the hash of the file.
#[test]
fn every_way_to_break_a_rule_is_found() {
    let folder = Folder::new();
    assert_eq!(broken(&folder.dir), []);
    let (rivers, roads, rails) =
        (folder.layer("river_dirs"), folder.layer("road_dirs"), folder.layer("rail_dirs"));
    let (crossing, biome, transition) =
        (folder.layer("crossing"), folder.layer("biome"), folder.layer("transition"));
    let settlement = {
        let file = std::fs::File::open(folder.dir.join("layers/settlement.npy")).unwrap();
        let weald::core::AnyGrid::U16(grid) = npy::read(&mut std::io::BufReader::new(file)).unwrap() else {
            panic!()
        };
        grid
    };
    let far = |i: usize| {
        let (x, y) = ((i % 128) as i64, (i / 128) as i64);
        (-4..=4).all(|dy| {
            (-4..=4).all(|dx| {
                !settlement.contains(x + dx, y + dy)
                    || settlement[((x + dx) as usize, (y + dy) as usize)] == 0
            })
        })
    };
    let inner = |i: &usize| (4..124).contains(&(i % 128)) && (4..124).contains(&(i / 128));
    let find = |wanted: &dyn Fn(usize) -> bool| {
        (0..128 * 128).filter(inner).find(|&i| wanted(i)).expect("the map has such a tile")
    };
    let straight = |links: u8| links.count_ones() == 2 && links.rotate_left(4) == links;
    let offset = |d: u32| Dir8::DY[d as usize] as i64 * 128 + Dir8::DX[d as usize] as i64;
    let bridge = find(&|i| crossing.cells()[i] == 1 && rails.cells()[i] == 0 && far(i));
    let river = find(&|i| {
        straight(rivers.cells()[i])
            && roads.cells()[i] == 0
            && rails.cells()[i] == 0
            && far(i)
            && biome.cells()[i] > 1
    });
    let bend = find(&|i| {
        rivers.cells()[i].count_ones() == 2
            && !straight(rivers.cells()[i])
            && crossing.cells()[i] == 0
            && far(i)
            && biome.cells()[i] > 1
    });
    let beside = |river: usize| {
        let d = rivers.cells()[river].trailing_zeros();
        (river as i64 + offset((d + 2) % 8)) as usize
    };
    let set = |i: usize, value: u8| move |g: &mut Grid<u8>| g.cells_mut()[i] = value;
    let ocean = find(&|i| biome.cells()[i] == 0);
    let border = find(&|i| {
        biome.cells()[i] > 1 && biome.cells()[i + 1] > 1 && biome.cells()[i] != biome.cells()[i + 1]
    });
    let road = find(&|i| roads.cells()[i].count_ones() == 2 && crossing.cells()[i] == 0 && far(i));
    let found = |rule: &str, by: Vec<&'static str>| assert!(by.contains(&rule), "{rule} is not among {by:?}");
    found("one-feature", folder.damaged("rail_dirs", set(bridge, 0b0100_0100)));
    found("parallel", folder.damaged("road_dirs", set(beside(river), rivers.cells()[river])));
    found("crossing-angle", folder.damaged("road_dirs", set(bend, 0b0001_0001)));
    found("crossing-angle", folder.damaged("road_dirs", set(bridge, rivers.cells()[bridge])));
    found("crossing-type", folder.damaged("crossing", set(bridge, 3)));
    found("links", folder.damaged("road_dirs", set(road, 0)));
    found("links-on-water", folder.damaged("road_dirs", set(ocean, 1)));
    found(
        "border-straight",
        folder.damaged("biome", |g| {
            let (x, y) = (border % 128, border / 128);
            let (left, right) = (g[(x, y)], g[(x + 1, y)]);
            (y - 2..=y + 2).for_each(|y| (g[(x, y)], g[(x + 1, y)]) = (left, right));
        }),
    );
    found(
        "border-staircase",
        folder.damaged("biome", |g| {
            let (x, y) = (border % 128, border / 128);
            let (left, right) = (g[(x, y)], g[(x + 1, y)]);
            for k in -3i64..=3 {
                for d in -4i64..=4 {
                    let class = if d <= 0 { left } else { right };
                    g[((x as i64 + k + d) as usize, (y as i64 + k) as usize)] = class;
                }
            }
        }),
    );
    found(
        "specks",
        folder.damaged("biome", |g| {
            let i = find(&|i| {
                (0..8).all(|d| biome.cells()[(i as i64 + offset(d)) as usize] == biome.cells()[i])
                    && biome.cells()[i] > 2
            });
            g.cells_mut()[i] = 2;
        }),
    );
    found(
        "transitions",
        folder.damaged("transition", |g| {
            let i = find(&|i| transition.cells()[i] != 0 && biome.cells()[i] != biome.cells()[i + 1]);
            g.cells_mut()[i] = 0;
        }),
    );
    found(
        "diagonal-leak",
        folder.damaged("road_dirs", |g| {
            let i = find(&|i| {
                rivers.cells()[i] >> 1 & 1 == 1
                    && far(i)
                    && roads.cells()[i + 1] == 0
                    && roads.cells()[i + 128] == 0
            });
            g.cells_mut()[i + 1] = 1 << 3;
            g.cells_mut()[i + 128] = 1 << 7;
        }),
    );
    found("roads-joined", folder.damaged("road_dirs", |g| g.cells_mut().fill(0)));
    found("river-links", folder.damaged("river_dirs", set(river, 0)));
}
