//! Places of a planet by latitude and longitude: maps around them, pictures centred on them, legs between them.

use std::sync::Arc;
use weald::catalogue::Catalogue;
use weald::core::{Ctx, Seed, math};
use weald::render::{self, Image, Picture};
use weald::style::DrawOptions;
use weald::world::World;
use weald::world::planet::ground::Ground;
use weald::world::planet::local::{Extent, LatLon, Local, MAX_CELLS};
use weald::world::planet::sphere::{FACES, lat_lon, place};
use weald::world::planet::{self, Planet, PlanetParams, PlanetWorld, Thing, classes, features};

const RADIUS_M: f64 = 1600.0;

fn ground(seed: u64) -> Arc<Ground> {
    Arc::new(Ground::new(Seed(seed), 1600.0, 290.0))
}

fn local(seed: u64, centre: LatLon, half_m: f64, things: &[Thing]) -> Local {
    let extent = Extent::around(centre, half_m, RADIUS_M).unwrap();
    Local::new(&ground(seed), extent, things, &Ctx::default()).unwrap()
}

#[test]
fn the_cells_of_a_map_have_the_height_and_the_ground_of_their_places() {
    for (seed, centre) in [(0, (90.0, 0.0)), (5, (-90.0, 33.0)), (9, (35.26, 45.0)), (0, (-12.5, -170.0))] {
        let map = local(seed, centre, 60.0, &[]);
        let g = ground(seed);
        for (c, r) in [(0, 0), (59, 60), (119, 7), (30, 111)] {
            // By latitude and longitude of the same place, found by another formula: the distance and the bearing.
            let (x, y) = (c as f64 + 0.5 - 60.0, 60.0 - r as f64 - 0.5);
            let (far, bearing) = ((x * x + y * y).sqrt() / RADIUS_M, math::atan2(x, y));
            let phi = centre.0.to_radians();
            let sine = math::sin(phi) * math::cos(far) + math::cos(phi) * math::sin(far) * math::cos(bearing);
            let lat = math::atan2(sine, (1.0 - sine * sine).sqrt());
            let east = match centre.0 {
                90.0 => std::f64::consts::PI - bearing,
                -90.0 => bearing,
                _ => math::atan2(
                    math::sin(bearing) * math::sin(far) * math::cos(phi),
                    math::cos(far) - math::sin(phi) * sine,
                ),
            };
            let lon = centre.1.to_radians() + east;
            let there = place(lat.to_degrees(), lon.to_degrees(), RADIUS_M);
            let height = g.height(there);
            assert!((map.height[(c, r)] as f64 - height.max(290.0)).abs() < 1e-3, "{centre:?} {c} {r}");
            assert!((map.depth[(c, r)] as f64 - (290.0 - height).max(0.0)).abs() < 1e-3);
            if (height - 290.0).abs() > 0.01 {
                assert_eq!(map.terrain[(c, r)] == classes::LAKE, height < 290.0);
            }
        }
    }
}

#[test]
fn a_map_around_a_pole_is_as_smooth_as_one_on_the_equator() {
    let most = |centre: LatLon| {
        let map = local(0, centre, 100.0, &[]);
        let at = |c: usize, r: usize| (map.height[(c, r)] - map.depth[(c, r)]) as f64;
        let steps = (1..200).flat_map(|i| (0..200).map(move |j| (i, j)));
        steps.fold(0.0f64, |most, (i, j)| {
            most.max((at(i, j) - at(i - 1, j)).abs()).max((at(j, i) - at(j, i - 1)).abs())
        })
    };
    // Five waves of at most 6 units a step, each with at most 134 parts a metre.
    for centre in [(90.0, 0.0), (-90.0, 0.0), (90.0, 123.0), (0.0, 0.0), (0.0, 45.0), (35.26, 45.0)] {
        assert!(most(centre) < 8.0, "{centre:?}: {}", most(centre));
    }
}

#[test]
fn another_longitude_turns_the_map_around_a_pole() {
    for (pole, quarter) in [(90.0, 90.0), (-90.0, -90.0)] {
        let (a, b) = (local(7, (pole, 10.0), 40.0, &[]), local(7, (pole, 10.0 + quarter), 40.0, &[]));
        for r in 0..80 {
            for c in 0..80 {
                // What lay to the right lies below, or at the south pole as well with the other sense of longitude.
                assert!((a.height[(c, r)] - b.height[(79 - r, c)]).abs() < 1e-3, "{pole}: {c} {r}");
            }
        }
    }
}

#[test]
fn the_features_of_a_map_are_those_of_the_planet_within_it() {
    let things = features::find(&ground(0), &Ctx::default()).unwrap();
    let map = local(0, (90.0, 0.0), 400.0, &things);
    assert!((60..300).contains(&map.features.len()), "{}", map.features.len());
    // The circle inside the square, by the angle to the pole.
    let near = |t: &&Thing| {
        math::atan2((square(t.place[0]) + square(t.place[1])).sqrt(), t.place[2]) * RADIUS_M < 400.0
    };
    let inside: Vec<&Thing> = things.iter().filter(near).collect();
    assert!(inside.iter().all(|t| map.features.contains(t)));
    for thing in &map.features {
        let (column, row) = map.extent.cell(thing.place).unwrap();
        let (x, y) = (column as f64 + 0.5 - 400.0, row as f64 + 0.5 - 400.0);
        let arc =
            math::atan2((square(thing.place[0]) + square(thing.place[1])).sqrt(), thing.place[2]) * RADIUS_M;
        assert!(((x * x + y * y).sqrt() - arc).abs() < 1.0);
        assert_ne!(map.terrain[(column, row)], classes::LAKE, "{thing:?}");
    }
}

/// Squares without `powi`, which is banned for its platform-dependent bits.
fn square(v: f64) -> f64 {
    v * v
}

#[test]
fn a_large_map_has_larger_cells_and_one_beyond_a_quarter_turn_is_refused() {
    let side = |half: f64| Extent::around((0.0, 0.0), half, 8000.0).map(|e| (e.width, e.cell_m));
    assert_eq!(side(400.0).unwrap(), (800, 1.0));
    assert_eq!(side(1024.0).unwrap(), (MAX_CELLS, 1.0));
    assert_eq!(side(3000.0).unwrap(), (2000, 3.0));
    assert!(side(12_566.0).is_ok());
    let error = Extent::around((0.0, 0.0), 400.0, 200.0).unwrap_err();
    assert!(error.to_string().contains("--radius 400: must be at most 314 m"), "{error}");
}

fn planet_catalogue() -> Catalogue {
    let params = PlanetParams { radius_m: 400.0, ..PlanetParams::default() };
    planet::generate(8, Seed(3), &params, &Ctx::default()).map(Planet::into_catalogue).unwrap()
}

fn drawn(catalogue: &Catalogue, view: &str, px: Option<usize>, settings: &[(&str, f64)]) -> Image {
    let view = PlanetWorld.info().view(view).unwrap();
    let settings = settings.iter().map(|(name, v)| ((*name).to_owned(), *v)).collect();
    let settings = DrawOptions { settings, ..DrawOptions::default() }.settings(view).unwrap();
    match render::draw(catalogue, (view.style)(catalogue, &settings), px, &Ctx::default()).unwrap() {
        Picture::Opaque(image) => image,
        other => panic!("{other:?}"),
    }
}

#[test]
fn pictures_are_centred_on_the_place_that_is_given() {
    let catalogue = planet_catalogue();
    let usual = [("latitude", 20.0), ("longitude", 30.0)];
    for view in ["globe", "orthographic"] {
        let plain = drawn(&catalogue, view, Some(200), &[]);
        assert!(plain == drawn(&catalogue, view, Some(200), &usual), "{view}");
        assert!(plain != drawn(&catalogue, view, Some(200), &[("latitude", -20.0)]), "{view}");
        // A turn of 360° changes nothing, but for rounding.
        let (a, b) = (-60.0, 300.0);
        let [a, b] = [a, b].map(|lon| drawn(&catalogue, view, Some(200), &[("longitude", lon)]));
        assert!(alike(&a, &b) > 0.98, "{view}: {}", alike(&a, &b));
    }
    // A quarter of the equirectangular map to the east.
    let (zero, east) = (
        drawn(&catalogue, "equirectangular", Some(256), &[]),
        drawn(&catalogue, "equirectangular", Some(256), &[("longitude", 90.0)]),
    );
    let same = (0..128).flat_map(|y| (0..256).map(move |x| (x, y))).filter(|&(x, y)| {
        let (a, b) = (zero.at((x + 64) % 256, y), east.at(x, y));
        (0..3).all(|k| a[k].abs_diff(b[k]) < 3)
    });
    assert!(same.count() > 256 * 128 * 98 / 100);
}

/// Share of pixels that are nearly the same.
fn alike(a: &Image, b: &Image) -> f64 {
    let (w, h) = (a.width(), a.height());
    let same = (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).filter(|&(x, y)| {
        let (a, b) = (a.at(x, y), b.at(x, y));
        (0..3).all(|k| a[k].abs_diff(b[k]) < 3)
    });
    same.count() as f64 / (w * h) as f64
}

#[test]
fn the_centre_of_a_globe_shows_the_place() {
    let catalogue = planet_catalogue();
    let sampler = catalogue.sampler.clone().unwrap();
    // A place far from any shore in the sea, and one on land: the middle of the picture is blue only at the first.
    let places = (0..2000).map(|k| ((k % 50) as f64 * 3.4 - 85.0, (k / 50) as f64 * 9.0 - 180.0));
    let depth = |&(lat, lon): &LatLon| 290.0 - sampler.height(place(lat, lon, 400.0));
    let sea = places.clone().max_by(|a, b| depth(a).total_cmp(&depth(b))).unwrap();
    let land = places.min_by(|a, b| depth(a).total_cmp(&depth(b))).unwrap();
    let middle = |(lat, lon): LatLon| {
        let image = drawn(&catalogue, "orthographic", Some(129), &[("latitude", lat), ("longitude", lon)]);
        image.at(64, 64)
    };
    let blue = |c: [u8; 3]| c[2] > c[0].saturating_add(20);
    assert!(blue(middle(sea)) && !blue(middle(land)), "{:?} {:?}", middle(sea), middle(land));
}

#[test]
fn px_sets_the_width_of_every_picture() {
    let catalogue = planet_catalogue();
    assert_eq!(drawn(&catalogue, "orthographic", Some(100), &[]).width(), 100);
    assert_eq!(drawn(&catalogue, "equirectangular", Some(100), &[]).width(), 100);
    let (usual, half) = (drawn(&catalogue, "globe", None, &[]), drawn(&catalogue, "globe", Some(896), &[]));
    assert_eq!(usual.width(), 2 * half.width());
    // One pixel a metre: the sheet around the map is the rest.
    let one = drawn(&catalogue, "local", Some(300), &[("radius", 150.0)]);
    let two = drawn(&catalogue, "local", Some(600), &[("radius", 150.0)]);
    assert!(one.width() >= 300 && two.width() > one.width(), "{} {}", one.width(), two.width());
}

#[test]
fn contours_are_brown_on_land_and_blue_in_the_sea() {
    let catalogue = planet_catalogue();
    let near = |c: [u8; 3], ink: [u8; 3]| (0..3).all(|k| c[k].abs_diff(ink[k]) < 24);
    let count = |lake_level: f64, ink: [u8; 3]| {
        let mut catalogue = catalogue.clone();
        catalogue.params["lake_level"] = lake_level.into();
        catalogue.points.clear();
        let image = drawn(&catalogue, "local", Some(400), &[("latitude", 90.0), ("radius", 100.0)]);
        let all = (0..400).flat_map(|y| (0..400).map(move |x| (x, y)));
        all.filter(|&(x, y)| near(image.at(x + 60, y + 120), ink)).count()
    };
    let (brown, blue) = ([190, 106, 42], [22, 134, 196]);
    assert!(count(0.0, brown) > 2000 && count(0.0, blue) < 50, "{} {}", count(0.0, brown), count(0.0, blue));
    assert!(
        count(700.0, blue) > 2000 && count(700.0, brown) < 50,
        "{} {}",
        count(700.0, blue),
        count(700.0, brown)
    );
}

fn leg(seed: u64, from: LatLon, to: LatLon, margin: u32) -> weald::world::runner::Leg<LatLon> {
    let extent = Extent::of_leg(from, to, margin, RADIUS_M).unwrap();
    let map = Local::new(&ground(seed), extent, &[], &Ctx::default()).unwrap();
    map.leg(from, to, &Ctx::default()).unwrap()
}

#[test]
fn a_leg_over_a_pole_is_as_long_as_its_arc_and_its_best_route_is_no_slower() {
    for (from, to, degrees) in [
        ((86.0, 10.0), (87.0, -170.0), 7.0),
        ((-85.0, 0.0), (-88.0, 180.0), 7.0),
        ((0.0, 178.0), (0.0, -175.0), 7.0),
        ((43.0, 45.0), (47.5, 45.0), 4.5),
    ] {
        let leg = leg(0, from, to, 40);
        let arc = f64::to_radians(degrees) * RADIUS_M;
        assert!((leg.direct.length_m - arc).abs() < 2.0, "{from:?}: {} {arc}", leg.direct.length_m);
        let best = leg.best.unwrap();
        assert!(best.seconds <= leg.direct.seconds && best.length_m > arc - 2.0);
        assert!(leg.direct.climb_m > 0.0 && leg.direct.climb_m < arc);
        for (place_of, given) in [(best.places[0], from), (best.places[best.places.len() - 1], to)] {
            let (a, b) = (place(place_of.0, place_of.1, RADIUS_M), place(given.0, given.1, RADIUS_M));
            let apart = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).fold(0.0, |x, y| x + y).sqrt();
            assert!(apart < 0.8, "{place_of:?} {given:?}");
        }
    }
}

#[test]
fn a_leg_turned_with_the_planet_under_it_costs_the_same_far_from_the_centre_of_the_map() {
    // The straight route crosses the map at its edge as at its centre: metres are those of the ground.
    let (from, to) = ((30.0, 0.0), (30.0, 20.0));
    let far = leg(0, from, to, 10).direct;
    let [a, b] = [from, to].map(|(lat, lon)| place(lat, lon, 1.0));
    let cosine = (0..3).map(|k| a[k] * b[k]).fold(0.0, |x, y| x + y);
    let arc = math::atan2((1.0 - cosine * cosine).sqrt(), cosine) * RADIUS_M;
    assert!((far.length_m - arc).abs() < 2.0, "{} {arc}", far.length_m);
}

#[test]
fn a_leg_between_opposite_places_is_refused_with_what_to_do() {
    for (from, to) in [((0.0, 0.0), (0.0, 180.0)), ((10.0, 0.0), (-10.0, 170.0))] {
        let error = Extent::of_leg(from, to, 200, RADIUS_M).unwrap_err().to_string();
        assert!(error.contains("shorter legs"), "{error}");
    }
}

#[test]
fn features_know_their_latitude_and_longitude() {
    let catalogue = planet_catalogue();
    for feature in &catalogue.points[0].features {
        let number = |name: &str| feature.property(name).unwrap().as_f64().unwrap();
        let (lat, lon) = lat_lon(["x", "y", "z"].map(number));
        assert_eq!((number("lat"), number("lon")), (lat, lon));
        let face = feature.property("face").unwrap().as_str().unwrap();
        let pole = FACES[4..].iter().any(|f| f.name == face);
        assert!(pole == (lat.abs() > 45.0) || (35.2..=45.0).contains(&lat.abs()), "{face} {lat}");
    }
}

#[test]
fn every_feature_can_be_placed_on_land_and_in_the_sea_and_removed_again() {
    let natural = features::find(&ground(0), &Ctx::default()).unwrap();
    let (lat, lon) = lat_lon(natural[7].place);
    let level = ground(0);
    // The same two rings meet twice, on opposite faces: only the sign of the third coordinate differs.
    let (across, axis) = (natural[7].place, FACES[natural[7].face].axis);
    let mut mirrored = across;
    mirrored[axis] = -mirrored[axis];
    let mirrored = lat_lon(mirrored);
    let sea = (0..).map(|k| (k as f64 * 0.37 - 40.0, k as f64 * 1.3)).find(|&(lat, lon)| {
        let p = place(lat, lon, RADIUS_M);
        level.height(p) < 280.0 && level.crossing(p).is_some()
    });
    let (sea_lat, sea_lon) = sea.unwrap();
    for class in &classes::FEATURES[1..] {
        let name = class.name;
        let placed = format!("cone {sea_lat} {sea_lon};none {lat} {lon};{name} {sea_lat} {sea_lon}");
        let p = PlanetParams { placed, ..PlanetParams::default() };
        let g = Ground::of(Seed(0), &p).unwrap();
        let found = features::find(&g, &Ctx::default()).unwrap();
        assert_eq!(found.len(), natural.len(), "{name}: one is gone and one has come");
        assert!(!found.iter().any(|t| t.place == natural[7].place), "{name}");
        let at = g.crossing(place(sea_lat, sea_lon, RADIUS_M)).unwrap();
        assert!(found.iter().any(|t| t.place == at.place && t.kind == class.value as u8), "{name}");
        assert_eq!(g.stands(&at), class.value as u8);
        let order = |t: &Thing| {
            let [u, v] = FACES[t.face].others().map(|axis| t.place[axis] as i64);
            (t.face, v, u)
        };
        assert!(found.is_sorted_by_key(order), "{name}");
    }
    let placed = format!("rocket {} {}", mirrored.0, mirrored.1);
    let g = Ground::of(Seed(0), &PlanetParams { placed, ..PlanetParams::default() }).unwrap();
    let there = g.crossing(place(mirrored.0, mirrored.1, RADIUS_M)).unwrap();
    assert_eq!((g.stands(&there), there.rings), (classes::ROCKET, g.crossing(across).unwrap().rings));
    assert_eq!(g.stands(&g.crossing(across).unwrap()), natural[7].kind, "the opposite face is another place");
}
