//! What holds for every endless world.

use proptest::prelude::*;
use weald::catalogue::FeatureSet;
use weald::core::{Ctx, Seed};
use weald::world::endless::{
    BELOW_SHAFT, Endless, EndlessParams, Feature, Map, MineCell, MineRule, Mines, ROCK, Road, RoadEnd,
    STREAM_REACH_M, Side, StreamEnd, Terrain, Window, generate,
};

fn params() -> impl Strategy<Value = EndlessParams> {
    let flags = (any::<bool>(), any::<bool>(), 0..8u8);
    (flags, 0.0..=700.0f64, prop_oneof![Just(0.0f64), -1e9..=1e9f64, -50.0..50.0f64]).prop_map(
        |((paths, wood_only, bleak), lake_level, time)| EndlessParams {
            paths,
            wood_only,
            bleak: bleak == 0,
            lake_level,
            time,
            placed: "cone 3 -2;none 5 5;rocket -1 0;road -20 -30 40 25 41 60;boulder 0 -10;building -40 30;none 41 40".into(),
            ..Default::default()
        },
    )
}

/// Near the origin, on its axes, and far out.
fn coordinate() -> impl Strategy<Value = i64> {
    prop_oneof![-60i64..60, -40_000i64..40_000, -999_999_000i64..999_999_000, Just(-1_000_000_000i64)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn a_window_equals_its_places(
        p in params(), seed in 0u64..3, west in coordinate(), north in coordinate(),
        width in prop_oneof![4 => 1usize..70, 1 => 1020usize..2100], height in 1usize..20,
    ) {
        let north = north.max(height as i64 - 1_000_000_000);
        let world = Endless::new(Seed(seed), &p).unwrap();
        let window = Window { west, north, width, height };
        let survey = world.survey(&window, &Ctx::default()).unwrap();
        let ground = world.heights(&window, &Ctx::default()).unwrap();
        for r in 0..height {
            for c in 0..width {
                let (x, y) = window.place(c, r);
                let terra = world.terra(x as f64, y as f64);
                let cell = (c, r);
                prop_assert_eq!(survey.height[cell].to_bits(), (terra.height as f32).to_bits());
                prop_assert_eq!(survey.depth[cell].to_bits(), (terra.depth as f32).to_bits());
                prop_assert_eq!(survey.terrain[cell], terra.terrain as u8);
                prop_assert_eq!(survey.feature[cell], terra.feature as u8);
                prop_assert_eq!(ground[cell], world.ground_height(x as f64, y as f64) as f32);
            }
        }
        let found = world.find(&window, |_| true, &Ctx::default()).unwrap();
        let stands = survey.feature.cells().iter().filter(|&&f| f != 0).count();
        prop_assert_eq!(found.len(), stands);
        for (place, feature) in found {
            prop_assert_eq!(survey.feature[window.cell(place).unwrap()], feature as u8);
        }
    }
}

#[test]
fn every_seed_has_the_character_of_the_original() {
    for seed in 0..=50u64 {
        let world = Endless::new(Seed(seed), &EndlessParams::default()).unwrap();
        let points = 20_000;
        let (mut lake, mut wood) = (0, 0);
        for k in 0..points {
            let at = |axis| Seed(seed).of("points").unit_at(k, axis) * 2e6 - 1e6;
            match world.terra(at(0), at(1)).terrain {
                Terrain::Lake => lake += 1,
                Terrain::Wood => wood += 1,
                _ => {}
            }
        }
        let share = |n: i32| n as f64 / points as f64;
        assert!((0.08..=0.16).contains(&share(lake)), "seed {seed}: lakes cover {}", share(lake));
        assert!((0.45..=0.60).contains(&share(wood)), "seed {seed}: wood covers {}", share(wood));
        let window = Window { west: -512, north: 70_000, width: 1024, height: 1024 };
        let found = world.find(&window, |_| true, &Ctx::default()).unwrap().len();
        assert!((100..300).contains(&found), "seed {seed}: {found} features in a square kilometre");
    }
}

/// Every option that draws on places beyond the window is on.
fn rich() -> EndlessParams {
    EndlessParams {
        roads: true,
        paths: true,
        snow_line: 400.0,
        mines: Mines { levels: 3, ..Default::default() },
        placed:
            "cone 10 10;none 20 -5;road -300 -100 300 120 900 100;waterhole 40 40;mine -60 30;building 90 90"
                .into(),
        ..Default::default()
    }
}

/// Without roads, which look far around.
fn still() -> EndlessParams {
    EndlessParams { roads: false, ..Default::default() }
}

fn map(world: &Endless, window: Window) -> Map {
    generate(world, window, &Ctx::default()).unwrap()
}

/// The window that two have in common.
fn common(a: &Window, b: &Window) -> Window {
    let (west, north) = (a.west.max(b.west), a.north.min(b.north));
    let east = (a.west + a.width as i64).min(b.west + b.width as i64);
    let south = (a.north - a.height as i64).max(b.north - b.height as i64);
    Window { west, north, width: (east - west) as usize, height: (north - south) as usize }
}

/// Parts of lines that touch a window, as numbers that can be compared.
fn parts(set: &FeatureSet, window: &Window) -> Vec<[u64; 4]> {
    let (west, north) = (window.west as f64 - 0.5, -window.north as f64 - 0.5);
    let (east, south) = (west + window.width as f64, north + window.height as f64);
    let mut parts: Vec<[u64; 4]> = set
        .features
        .iter()
        .flat_map(|f| f.points.windows(2))
        .filter(|p| {
            let beside = |low: f64, high: f64, a: f64, b: f64| a.max(b) < low || a.min(b) > high;
            !beside(west, east, p[0].0, p[1].0) && !beside(north, south, p[0].1, p[1].1)
        })
        .map(|p| [p[0].0, p[0].1, p[1].0, p[1].1].map(f64::to_bits))
        .collect();
    parts.sort_unstable();
    parts
}

/// Two windows that overlap, in any direction, near the origin or far from it.
fn pair(k: i64, far: bool, most: u64) -> (Window, Window) {
    let dice = |what: i64| Seed(77).of("pairs").at(k, what);
    let reach = if far { 999_990_000 } else { 4000 };
    let centre = |what| (dice(what) % (2 * reach)) as i64 - reach as i64;
    let (x, y) = (centre(0), centre(1));
    let window = |what: i64| Window {
        west: x - (dice(what) % most) as i64 - 1,
        north: y + (dice(what + 1) % most) as i64 + 1,
        width: (most + 2 + dice(what + 2) % most) as usize,
        height: (most + 2 + dice(what + 3) % most) as usize,
    };
    (window(2), window(6))
}

fn overlaps_are_equal(world: &Endless, a: Window, b: Window) {
    let both = common(&a, &b);
    assert!(both.width > 0 && both.height > 0);
    // Asked for in another order, between other questions.
    let second = map(world, b);
    let first = map(world, a);
    let (first, second) = (first.into_catalogue(), second.into_catalogue());
    assert_eq!(first.layers.len(), second.layers.len());
    for (p, q) in first.layers.iter().zip(&second.layers) {
        for r in 0..both.height {
            for c in 0..both.width {
                let place = both.place(c, r);
                let ((ac, ar), (bc, br)) = (a.cell(place).unwrap(), b.cell(place).unwrap());
                let (u, v) = (p.cells().at(ac, ar), q.cells().at(bc, br));
                assert_eq!(u.to_bits(), v.to_bits(), "{} at {place:?} in {a:?} and {b:?}", p.name);
            }
        }
    }
    for (p, q) in first.lines.iter().zip(&second.lines) {
        assert_eq!(parts(p, &both), parts(q, &both), "{} in {a:?} and {b:?}", p.name);
    }
}

#[test]
fn overlapping_windows_are_equal_in_every_layer_stream_and_road() {
    for k in 0..200 {
        let world = Endless::new(Seed((k % 3) as u64), &rich()).unwrap();
        let (a, b) = pair(k, k % 2 == 1, 60);
        overlaps_are_equal(&world, a, b);
    }
}

#[test]
fn overlapping_windows_with_many_roads_are_equal() {
    let mut roads = 0;
    for k in 0..8 {
        let world = Endless::new(Seed((k % 3) as u64), &rich()).unwrap();
        let (a, b) = pair(k, k % 4 == 3, 300);
        overlaps_are_equal(&world, a, b);
        roads += map(&world, common(&a, &b)).roads.len();
    }
    assert!(roads > 10, "only {roads} roads were seen");
}

#[test]
fn streams_go_strictly_down_and_end_in_lakes_hollows_or_at_the_limit() {
    let (mut ends, mut longest) = ([0, 0, 0], 0);
    for seed in 0..4u64 {
        let world = Endless::new(Seed(seed), &still()).unwrap();
        let window = Window { west: -1000, north: 1500, width: 2500, height: 2500 };
        let height = |(x, y): (i64, i64)| world.ground_height(x as f64, y as f64);
        let map = map(&world, window);
        for stream in &map.streams {
            assert!(stream.points.len() > 10);
            assert_eq!(
                world.terra(stream.points[0].0 as f64, stream.points[0].1 as f64).feature,
                Feature::Waterhole
            );
            let last = stream.points[stream.points.len() - 1];
            for ends in stream.points.windows(2) {
                assert!(height(ends[1]) < height(ends[0]), "{ends:?}");
                assert!((ends[0].0 - ends[1].0).abs() <= 5 && (ends[0].1 - ends[1].1).abs() <= 5);
            }
            let around = || (-5..=5).flat_map(|dy| (-5..=5).map(move |dx| (last.0 + dx, last.1 + dy)));
            let reach = stream
                .points
                .iter()
                .map(|p| (p.0 - stream.points[0].0).abs().max((p.1 - stream.points[0].1).abs()));
            longest = longest.max(reach.max().unwrap());
            match stream.end {
                StreamEnd::Lake => assert!(height(last) < 204.0),
                StreamEnd::Hollow => {
                    assert!(around().all(|p| height(p) >= height(last)) && height(last) >= 204.0);
                    if let Some(cell) = window.cell(last) {
                        let marsh = [Terrain::Marsh, Terrain::Stream, Terrain::Town, Terrain::Building];
                        assert!(marsh.iter().any(|&t| t as u8 == map.surface[cell]));
                    }
                }
                StreamEnd::Limit => assert!(around().any(|p| height(p) < height(last))),
            }
            ends[stream.end as usize] += 1;
        }
    }
    assert!(ends[0] > 30 && ends[1] > 30, "{ends:?}");
    assert!(longest <= STREAM_REACH_M, "{longest}");
}

#[test]
fn there_is_an_open_cell_below_every_shaft_and_a_mine_knows_its_shafts() {
    for (seed, rule) in [(0, MineRule::Product), (0, MineRule::SinCos), (9, MineRule::Product)] {
        let mines = Mines { levels: 4, threshold: 0.55, rule, ..Default::default() };
        let world = Endless::new(Seed(seed), &EndlessParams { mines, ..still() }).unwrap();
        let window = Window { west: -600, north: 600, width: 1200, height: 1200 };
        let shafts = world.find(&window, |f| f == Feature::Mine, &Ctx::default()).unwrap();
        assert!(shafts.len() > 5, "{}", shafts.len());
        let map = map(&world, window);
        for &(place, _) in &shafts {
            let cell = world.mine_cell(place, 1);
            assert!(world.mine_open(cell));
            assert_eq!(map.mines[0][window.cell(place).unwrap()], BELOW_SHAFT);
            let part = world.mine_part(cell, 3000, &Ctx::default()).unwrap();
            assert!(part.shafts.iter().any(|s| s.place == place));
            assert!(part.cells.iter().all(|&c| world.mine_open(c)));
            let deepest = world.shaft(place).levels;
            assert!((1..=deepest).all(|level| world.mine_open(MineCell { level, ..cell })));
            if part.complete {
                // The same part from its other end.
                assert_eq!(
                    world.mine_part(part.cells[part.cells.len() - 1], 3000, &Ctx::default()).unwrap(),
                    part
                );
            }
        }
        for (r, c) in [(3usize, 5usize), (700, 900), (1199, 0)] {
            let cell = world.mine_cell(window.place(c, r), 2);
            assert_eq!(map.mines[1][(c, r)] != ROCK, world.mine_open(cell), "{cell:?}");
        }
    }
}

#[test]
fn the_still_world_is_that_of_time_0_and_a_tick_changes_it_a_little() {
    let at = |time: f64| Endless::new(Seed(0), &EndlessParams { time, ..Default::default() }).unwrap();
    let (still, next, later) = (at(0.0), at(1.0), at(4000.0));
    let (mut tick, mut long) = (0.0f64, 0.0f64);
    for k in 0..500 {
        let (x, y) = (k as f64 * 13.0, k as f64 * -7.0);
        tick = tick.max((still.ground_height(x, y) - next.ground_height(x, y)).abs());
        long = long.max((still.ground_height(x, y) - later.ground_height(x, y)).abs());
    }
    assert!(tick > 0.0 && tick < 1.0, "{tick}");
    assert!(long > 50.0, "{long}");
}

#[test]
fn time_between_two_ticks_lies_between_them_and_a_rate_multiplies_it() {
    let at = |time: f64, time_rate: f64| {
        Endless::new(Seed(0), &EndlessParams { time, time_rate, ..Default::default() }).unwrap()
    };
    let (before, middle, after, fast) = (at(7.0, 1.0), at(7.25, 1.0), at(7.5, 1.0), at(29.0, 0.25));
    let mut moved = 0;
    for k in 0..500 {
        let (x, y) = (k as f64 * 13.5, k as f64 * -7.25);
        let [b, m, a] = [&before, &middle, &after].map(|w| w.ground_height(x, y));
        // Half a tick moves a wave by less than a step of its profile, whose slope may change on the way.
        assert!(m > a.min(b) - 0.02 && m < a.max(b) + 0.02, "{b} {m} {a}");
        assert_eq!(m, fast.ground_height(x, y));
        moved += usize::from(m != b);
    }
    assert!(moved > 400, "{moved} of 500 moved by a quarter of a tick");
    let far = EndlessParams { time: 1e9, time_rate: 2.0, ..Default::default() };
    assert!(Endless::new(Seed(0), &far).unwrap_err().to_string().contains("time_rate"));
}

#[test]
fn the_surface_of_places_is_that_of_the_window_cell_for_cell() {
    for seed in 0..4u64 {
        let params =
            if seed == 3 { EndlessParams { bridges: false, lake_level: 300.0, ..rich() } } else { rich() };
        let world = Endless::new(Seed(seed), &params).unwrap();
        // Across corners of tiles, in one batch, in another order, and one by one.
        let window = Window { west: -90 + 700 * seed as i64, north: 120, width: 380, height: 300 };
        let map = map(&world, window);
        let cells = (0..window.height).flat_map(|r| (0..window.width).map(move |c| (c, r)));
        let mut places: Vec<(usize, usize)> = cells.collect();
        places.sort_by_key(|&(c, r)| Seed(1).at(c as i64, r as i64));
        let at = |&(c, r): &(usize, usize)| {
            let (x, y) = window.place(c, r);
            (x as f64, y as f64)
        };
        let asked: Vec<(f64, f64)> = places.iter().map(at).collect();
        let spots = world.spots(&asked, &Ctx::default()).unwrap();
        for (i, (&cell, spot)) in places.iter().zip(&spots).enumerate() {
            let (x, y) = asked[i];
            assert_eq!(spot.surface as u8, map.surface[cell], "seed {seed} at {x},{y}");
            assert_eq!(spot.terra, world.terra(x, y));
            assert_eq!(spot.version.is_some(), spot.terra.feature != Feature::None);
            if i % 97 == 0 {
                assert_eq!(world.spot(x, y), *spot);
            }
        }
    }
}

#[test]
fn places_can_be_asked_for_from_many_threads_at_once() {
    let world = Endless::new(Seed(0), &EndlessParams::default()).unwrap();
    let place = |k: usize| ((k % 20) as f64 * 97.0, (k / 20) as f64 * -131.0);
    let places: Vec<(f64, f64)> = (0..200).map(place).collect();
    let each = weald::core::par::map(200, &Ctx::default(), |k| world.spot(places[k].0, places[k].1)).unwrap();
    let fresh = Endless::new(Seed(0), &EndlessParams::default()).unwrap();
    assert_eq!(each, fresh.spots(&places, &Ctx::default()).unwrap());
}

#[test]
fn the_surface_of_scattered_places_is_that_of_windows_around_them() {
    let world = Endless::new(Seed(0), &EndlessParams::default()).unwrap();
    // More tiles than are made at a time.
    let place = |k: i64| {
        let at = |what| (Seed(9).at(k, what) % 40_000) as f64 - 20_000.0;
        (at(0), at(1))
    };
    let places: Vec<(f64, f64)> = (0..400).map(place).collect();
    let spots = world.spots(&places, &Ctx::default()).unwrap();
    for k in (0..400).step_by(25) {
        let (x, y) = places[k];
        let map = map(&world, Window { west: x as i64 - 2, north: y as i64 + 1, width: 5, height: 3 });
        assert_eq!(spots[k].surface as u8, map.surface[(2, 1)], "{x},{y}");
    }
}

#[test]
fn nothing_stands_where_there_is_no_ground_in_the_sky() {
    for seed in [0, 5] {
        let sky = EndlessParams { lake_level: 340.0, bridges: false, ..Default::default() };
        let world = Endless::new(Seed(seed), &sky).unwrap();
        let map = map(&world, Window { west: 1000, north: 2000, width: 900, height: 700 });
        let (mut trees, mut roads, mut features, mut empty) = (0, 0, 0, 0);
        for i in 0..map.surface.len() {
            let cell = (i % 900, i / 900);
            let things = [
                map.tree[cell] > 0,
                [Terrain::Road as u8, Terrain::Bridge as u8].contains(&map.surface[cell]),
                map.survey.feature[cell] > 0,
            ];
            if map.sky_terrain[cell] == Terrain::Sky as u8 {
                assert_eq!(things, [false; 3], "seed {seed} at {cell:?}");
                empty += 1;
            }
            trees += usize::from(things[0]);
            roads += usize::from(things[1]);
            features += usize::from(things[2]);
        }
        assert!(map.roads.iter().all(|road| road.bridges.is_empty()));
        assert!(
            empty > 100_000 && trees > 5000 && roads > 100 && features > 5,
            "{empty} {trees} {roads} {features}"
        );
    }
}

#[test]
fn the_last_placed_thing_stands_on_a_drawn_road_and_the_road_goes_on_below_it() {
    let placed = "cone 0 0;road -20 0 20 0;boulder 5 1;none -5 0;rocket 10 0;mine 15 0".into();
    let world = Endless::new(Seed(0), &EndlessParams { placed, ..still() }).unwrap();
    let at = |x: f64, y: f64| (world.terra(x, y).feature, world.spot(x, y).surface);
    assert_eq!(at(0.0, 0.0), (Feature::None, Terrain::Road), "the road was drawn over the cone");
    assert_eq!(at(5.0, 1.0), (Feature::Boulder, Terrain::Road));
    assert_eq!(at(10.0, 0.0), (Feature::Rocket, Terrain::Road));
    assert_eq!(at(-5.0, 0.0), (Feature::None, Terrain::Grass));
    assert_eq!(at(15.0, 0.0).0, Feature::Mine);
    assert!(world.mine_open(world.mine_cell((15, 0), 1)), "a mine that was placed has a shaft");
}

#[test]
fn every_feature_can_be_placed_on_land_in_a_lake_and_in_a_town() {
    let plain = Endless::new(Seed(0), &still()).unwrap();
    let find = |wanted: Terrain| {
        let place = |k: i64| ((Seed(2).at(k, 0) % 4000) as i64, (Seed(2).at(k, 1) % 4000) as i64);
        let fits = |&(x, y): &(i64, i64)| plain.terra(x as f64, y as f64).terrain == wanted;
        (0..).map(place).find(fits).unwrap()
    };
    for terrain in [Terrain::Wood, Terrain::Lake, Terrain::Town] {
        let (x, y) = find(terrain);
        for code in 1..11 {
            let feature = Feature::of_code(code).unwrap();
            let placed = format!("{} {x} {y}", feature.name());
            let world = Endless::new(Seed(0), &EndlessParams { placed, ..still() }).unwrap();
            let terra = world.terra(x as f64, y as f64);
            assert_eq!((terra.feature, terra.terrain, terra.code), (feature, terrain, None));
            let window = Window { west: x - 20, north: y + 20, width: 41, height: 41 };
            let map = map(&world, window);
            assert_eq!(map.survey.feature[(20, 20)], code);
            if feature == Feature::Building {
                assert!(map.buildings.iter().any(|b| b.place == (x, y)));
                assert_eq!(map.surface[(20, 20)], Terrain::Building as u8);
            }
        }
    }
}

#[test]
fn a_cave_mouth_faces_downhill_and_its_tunnel_leads_to_an_open_cell() {
    let mut found = (0, 0);
    for seed in [0, 3] {
        let world = Endless::new(Seed(seed), &still()).unwrap();
        let window = Window { west: -2000, north: 2000, width: 4000, height: 4000 };
        for (place, _) in world.find(&window, |f| f == Feature::Mine, &Ctx::default()).unwrap() {
            let shaft = world.shaft(place);
            let Some(tunnel) = world.tunnel(&shaft) else {
                assert!(shaft.mouth.is_none() && shaft.slope < 1.5);
                continue;
            };
            let (x, y) = (place.0 as f64, place.1 as f64);
            let (dx, dy) = tunnel.towards.step();
            let ahead = |m: f64| world.ground_height(x + dx as f64 * m, y + dy as f64 * m);
            assert!(ahead(-10.0) <= ahead(0.0) - 15.0, "the mouth is on the lower side");
            assert!(tunnel.cells.len() <= 4 && (tunnel.joins.is_some() || tunnel.cells.len() == 4));
            let part = world.mine_part(world.mine_cell(place, 1), 5000, &Ctx::default()).unwrap();
            for cell in tunnel.cells.iter().chain(&tunnel.joins) {
                assert!(world.mine_open(*cell), "{cell:?}");
                assert!(!part.complete || part.cells.contains(cell), "{cell:?} is connected with its mouth");
            }
            found.0 += 1;
            found.1 += usize::from(tunnel.joins.is_some());
        }
    }
    assert!(found.0 > 20 && found.1 * 10 > found.0 * 8, "{found:?} mouths, and tunnels that join");
}

#[test]
fn caverns_and_sky_islands_of_a_window_are_those_of_its_places() {
    let world = Endless::new(Seed(3), &still()).unwrap();
    let window = Window { west: -70, north: 5000, width: 700, height: 200 };
    let map = map(&world, window);
    let (mut open, mut islands) = (0, 0);
    for r in 0..window.height {
        for c in 0..window.width {
            let (x, y) = window.place(c, r);
            let (cavern, island) = (world.cavern(x as f64, y as f64), world.sky_island(x as f64, y as f64));
            assert_eq!(map.caverns.0[(c, r)], cavern.floor as f32);
            assert_eq!(map.caverns.1[(c, r)], cavern.roof as f32);
            assert_eq!(map.sky.0[(c, r)], island.map_or(340.0, |i| i.top as f32));
            assert_eq!(map.sky_terrain[(c, r)] == Terrain::Sky as u8, island.is_none());
            open += usize::from(cavern.roof > cavern.floor);
            if let Some(island) = island {
                islands += 1;
                assert!(island.underside < island.top && island.underside < 340.0);
            }
        }
    }
    assert!(open > 1000 && islands > 1000, "{open} open, {islands} of islands");
}

#[test]
fn trees_keep_clear_and_stand_on_odd_places_in_wood() {
    let world = Endless::new(Seed(0), &still()).unwrap();
    let window = Window { west: -400, north: 300, width: 801, height: 601 };
    let map = map(&world, window);
    let keep = |f| matches!(f, Feature::Knoll | Feature::Mine | Feature::Waterhole | Feature::X);
    let kept = world.find(&window.grown(4), keep, &Ctx::default()).unwrap();
    let mut count = 0;
    for tree in map.trees() {
        let (x, y) = tree.place;
        assert!(x % 2 != 0 && y % 2 != 0 && (-1.0..=1.0).contains(&tree.offset));
        let terrain = Terrain::of_code(map.surface[window.cell(tree.place).unwrap()]).unwrap();
        assert!(terrain == Terrain::Wood || terrain == Terrain::Thicket && tree.kind < 4);
        assert!(kept.iter().all(|((kx, ky), _)| (x - kx).pow(2) + (y - ky).pow(2) > 16));
        count += 1;
    }
    assert!(count > 10_000, "{count}");
}

#[test]
fn buildings_stand_in_towns_on_their_grid() {
    let world = Endless::new(Seed(0), &still()).unwrap();
    let window = Window { west: -4000, north: 4000, width: 8000, height: 8000 };
    let buildings = world.buildings(&window);
    assert!(buildings.len() > 100, "{}", buildings.len());
    for b in &buildings {
        assert!(b.place.0 % 16 == 0 && b.place.1 % 16 == 0);
        assert_eq!(world.terra(b.place.0 as f64, b.place.1 as f64).terrain, Terrain::Town);
        assert!((60.0..=187.0).contains(&b.height));
    }
    let sides = [Side::West, Side::North, Side::East, Side::South];
    assert!(sides.iter().all(|s| buildings.iter().any(|b| b.door == *s)));
}

#[test]
fn roads_keep_to_land_and_end_at_roads_that_are_there() {
    let params = EndlessParams { roads: true, ..Default::default() };
    for seed in 0..2 {
        let world = Endless::new(Seed(seed), &params).unwrap();
        let window = Window { west: -1000, north: 1000, width: 2000, height: 2000 };
        let roads = world.roads(&window, &Ctx::default()).unwrap();
        let (mut bridges, mut ends) = (0, 0);
        for road in &roads {
            let absolute = |p: (f64, f64)| (road.start.0 as f64 + p.0, road.start.1 as f64 + p.1);
            assert!((2..=100).contains(&road.points.len()));
            let dry = |p: (f64, f64)| world.ground_height(absolute(p).0, absolute(p).1) >= 204.0;
            for (i, ends) in road.points.windows(2).enumerate() {
                let (dx, dy) = (ends[0].0 - ends[1].0, ends[0].1 - ends[1].1);
                assert!(dx * dx + dy * dy < 100.001);
                let over_water = road.bridges.iter().any(|b| b.contains(&i));
                assert!(over_water || dry(ends[0]) && (dry(ends[1]) || road.end == RoadEnd::Road));
            }
            assert!(road.bridges.iter().all(|b| b.len() <= 6));
            bridges += road.bridges.len();
            let (x, y) = absolute(road.points[road.points.len() - 1]);
            let inside = x.abs() < 990.0 && y.abs() < 990.0;
            if road.end == RoadEnd::Road && inside {
                let near = |other: &Road| {
                    other.points.windows(2).any(|ends| {
                        let (ox, oy) = (x - other.start.0 as f64, y - other.start.1 as f64);
                        let (ux, uy) = (ends[1].0 - ends[0].0, ends[1].1 - ends[0].1);
                        let (px, py) = (ox - ends[0].0, oy - ends[0].1);
                        let along = ((px * ux + py * uy) / (ux * ux + uy * uy)).clamp(0.0, 1.0);
                        let (ex, ey) = (px - along * ux, py - along * uy);
                        ex * ex + ey * ey < 1e-12
                    })
                };
                assert!(roads.iter().any(|other| other.start != road.start && near(other)), "{x} {y}");
                ends += 1;
            }
        }
        assert!(roads.len() > 10 && ends > 10, "{} roads, {ends} end at roads", roads.len());
        assert!(seed > 0 || bridges > 0, "no bridge at all");
    }
}

#[test]
fn the_best_way_is_never_slower_than_the_straight_one() {
    let world = Endless::new(Seed(0), &still()).unwrap();
    let window = Window { west: -100, north: 100, width: 300, height: 300 };
    let map = map(&world, window);
    for k in 0..12 {
        let place = |what| {
            let cell = (Seed(4).at(k, what) % 300, Seed(4).at(k, what + 1) % 300);
            window.place(cell.0 as usize, cell.1 as usize)
        };
        let leg = map.leg(place(0), place(2), &Ctx::default()).unwrap();
        let best = leg.best.unwrap();
        assert_eq!((best.places[0], best.places[best.places.len() - 1]), (place(0), place(2)));
        assert!(best.length_m >= leg.direct.length_m - 1e-9);
        assert!(leg.direct.seconds.is_none_or(|s| best.seconds.unwrap() <= s));
    }
    assert!(map.leg((0, 0), (5000, 0), &Ctx::default()).is_err());
}
