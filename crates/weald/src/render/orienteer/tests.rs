use super::super::ground::PAPER;
use super::*;
use crate::catalogue::{Cells, Class, FeatureSet, Kind, Layer};
use crate::style::orienteer::*;
use weald_core::Grid;

const CLASSES: &[Class] = &[
    Class { value: 0, name: "lake", colour: [0, 0, 200] },
    Class { value: 1, name: "wood", colour: [0, 200, 0] },
    Class { value: 2, name: "marsh", colour: [0, 100, 100] },
    Class { value: 3, name: "path", colour: [9, 9, 9] },
    Class { value: 4, name: "ash", colour: [11, 22, 33] },
];

/// A hill with a lake in its eastern third, a marsh and a path.
struct Land {
    frame: Frame,
    height: Grid<f32>,
    surface: Grid<u8>,
    snow: Grid<u8>,
    lines: Vec<FeatureSet>,
    points: Vec<FeatureSet>,
}

fn feature(points: &[(f64, f64)], kind: &str) -> Feature {
    let properties = (!kind.is_empty()).then(|| ("kind", kind.into()));
    Feature::new(0, points.to_vec(), properties)
}

fn set(name: &'static str, features: Vec<Feature>) -> FeatureSet {
    FeatureSet::new(name, "", features)
}

impl Land {
    fn new(width: usize, height: usize) -> Self {
        Self::at((0.0, 0.0), width, height)
    }

    fn at(origin: (f64, f64), w: usize, h: usize) -> Self {
        let cell = |i: usize| (i % w, i / w);
        let surface = |i: usize| match cell(i) {
            (x, _) if 3 * x >= 2 * w => 0,
            (_, y) if 8 * y >= 7 * h => 2,
            (x, _) if 8 * x == w => 3,
            _ => 1,
        };
        let rise = |i: usize| {
            let (dx, dy) = (cell(i).0 as f32 - w as f32 / 3.0, cell(i).1 as f32 - h as f32 / 2.0);
            100.0 - 1.5 * (dx * dx + dy * dy).sqrt()
        };
        let place = |x: f64, y: f64| (origin.0 + x * w as f64, origin.1 + y * h as f64);
        let far = [place(-9.0, 0.5), place(0.4, 0.5), place(12.0, 0.5)];
        Self {
            frame: Frame { width: w, height: h, cell_m: 1.0, origin },
            height: Grid::from_vec(w, h, (0..w * h).map(rise).collect()),
            surface: Grid::from_vec(w, h, (0..w * h).map(surface).collect()),
            snow: Grid::from_vec(w, h, (0..w * h).map(|i| (cell(i).1 < h / 4) as u8).collect()),
            lines: vec![set("roads", vec![feature(&far, "")])],
            points: vec![
                set("things", vec![feature(&[place(0.3, 0.3)], "boulder")]),
                set("houses", vec![feature(&[place(0.2, 0.7)], ""), feature(&[place(9.0, 9.0)], "")]),
                set("course", vec![feature(&[place(0.1, 0.1)], ""), feature(&[place(0.5, 0.8)], "")]),
            ],
        }
    }

    fn catalogue(&self) -> Catalogue {
        let layer = |name, data, kind| Layer::copied(name, "m", data, kind);
        Catalogue {
            layers: vec![
                layer("height", Cells::F32(&self.height), Kind::Measure),
                layer("surface", Cells::U8(&self.surface), Kind::Classes(CLASSES)),
                layer("snow", Cells::U8(&self.snow), Kind::Measure),
            ],
            lines: self.lines.clone(),
            points: self.points.clone(),
            ..Catalogue::new("land", "m", self.frame)
        }
    }
}

fn kind(kind: &'static str, symbol: Symbol) -> PointKind {
    PointKind { kind, only: None, direction: None, label: "Mine", symbol, colour: ink::BLACK }
}

fn style() -> OrienteerStyle {
    let class = |value, label, look| GroundClass { value, label, look };
    OrienteerStyle {
        title: "Land".into(),
        relief: Some(ContourStyle {
            layer: "height",
            step: 5.0,
            step_m: 5.0,
            index_every: 5,
            numbers: Numbers::InGaps,
            colour: ink::BROWN,
        }),
        ground: Some(GroundStyle {
            layer: "surface",
            heading: "Ground",
            classes: vec![
                class(0, "Lake", GroundLook::Water { fill: ink::WATER, bank: ink::BANK }),
                class(1, "Wood", GroundLook::Area { fill: ink::WHITE, edge: None }),
                class(2, "Marsh", GroundLook::Over(Texture::Lines(ink::BLUE))),
                class(3, "", GroundLook::Through),
                class(9, "Never", GroundLook::Over(Texture::Dashes(ink::BLUE))),
            ],
        }),
        veil: Some(Veil { layer: "snow", label: "Snow", colour: ink::SNOW, strength: 0.7 }),
        lines: vec![WayStyle {
            set: "roads",
            label: "Road",
            look: WayLook::Road { fill: ink::PAVED, casing: ink::BLACK, width: 6.0, true_width: 3.0 },
        }],
        squares: vec![SquareStyle {
            set: "houses",
            label: "House",
            side: 4.0,
            fill: ink::BUILT,
            edge: ink::BLACK,
        }],
        points: vec![PointStyle {
            set: "things",
            kinds: vec![
                PointKind { label: "Boulder", ..kind("boulder", Symbol::Dot) },
                PointKind { only: Some(("cave_mouth", false)), ..kind("mine", Symbol::Vee) },
                PointKind {
                    label: "Cave mouth",
                    only: Some(("cave_mouth", true)),
                    direction: Some("direction"),
                    ..kind("mine", Symbol::Vee)
                },
            ],
        }],
        north_lines: Some(30.0),
        course: Some(Course { lines: None, points: Some("course"), label: "Course", colour: ink::PURPLE }),
        ..OrienteerStyle::default()
    }
}

fn drawn(land: &Land, style: &OrienteerStyle) -> Image {
    orienteering_map(&land.catalogue(), style, &Ctx::default()).unwrap()
}

#[test]
fn every_pixel_of_the_bare_map_is_that_of_the_map_within_the_sheet() {
    for ((w, h), px) in [((90, 60), None), ((90, 60), Some(200)), ((300, 90), Some(100)), ((7, 7), None)] {
        let (land, style) = (Land::new(w, h), OrienteerStyle { px, ..style() });
        let bare = bare_orienteering_map(&land.catalogue(), &style, &Ctx::default()).unwrap();
        let view = PixelScale::new(px, 1600, w, h);
        assert_eq!((bare.width(), bare.height()), view.pixels(), "{w}x{h}");
        let corner = Sheet::new(&view, imprint(&land.catalogue(), &style).unwrap(), vec![]).corner();
        assert!(drawn(&land, &style).part(corner, view.pixels()) == bare, "{w}x{h}, {px:?}");
    }
}

/// The pixels of the map without the sheet; the outermost two repeat the third.
fn inner(image: &Image, land: &Land, style: &OrienteerStyle) -> Vec<Rgb> {
    let view = PixelScale::new(style.px, 1600, land.frame.width, land.frame.height);
    let (x0, y0) = Sheet::new(&view, imprint(&land.catalogue(), style).unwrap(), vec![]).corner();
    let (w, h) = view.pixels();
    let at = |i: usize| (x0 + (i % w).clamp(2, w - 3), y0 + (i / w).clamp(2, h - 3));
    (0..w * h).map(at).map(|(x, y)| image.at(x, y)).collect()
}

fn close(a: Rgb, b: Rgb) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) < 12)
}

#[test]
fn a_map_is_drawn_for_every_shape_and_for_any_number_of_threads() {
    for (w, h) in [(1, 1), (1, 9), (3, 150), (150, 3), (90, 60)] {
        let land = Land::new(w, h);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| drawn(&land, &style()))
        };
        let one = with(1);
        assert!(one.width() > 200 && one.height() > 200, "{w}x{h}");
        assert_eq!(one, with(2));
    }
}

#[test]
fn every_symbol_leaves_ink_of_its_own_shape() {
    let land = Land::new(40, 40);
    let at = Drawing::of(&land.frame, None);
    let mut seen: Vec<Vec<bool>> = Vec::new();
    for symbol in [Symbol::Dot, Symbol::Vee, Symbol::Cross, Symbol::Ring, Symbol::Box] {
        let kind = PointKind { colour: ink::PURPLE, ..kind("boulder", symbol) };
        let plain = OrienteerStyle {
            points: vec![PointStyle { set: "things", kinds: vec![kind] }],
            ..OrienteerStyle::default()
        };
        let (w, _) = at.view.pixels();
        let pixels = inner(&drawn(&land, &plain), &land, &plain);
        let ink: Vec<bool> = pixels.iter().map(|p| close(*p, ink::PURPLE)).collect();
        let places: Vec<usize> = (0..ink.len()).filter(|i| ink[*i]).collect();
        let (x, y) = at.at((12.0, 12.0));
        assert!(places.len() > 60, "{symbol:?}: {} pixels", places.len());
        let near = |i: &usize| ((i % w) as f32 - x).abs() < 30.0 && ((i / w) as f32 - y).abs() < 30.0;
        assert!(places.iter().all(near), "{symbol:?} lies at its point");
        assert!(!seen.contains(&ink), "{symbol:?} looks like another");
        seen.push(ink);
    }
}

#[test]
fn a_layer_that_is_not_there_is_named() {
    let land = Land::new(9, 9);
    let error = |change: fn(&mut OrienteerStyle)| {
        let mut wrong = style();
        change(&mut wrong);
        let error = orienteering_map(&land.catalogue(), &wrong, &Ctx::default()).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        error.to_string()
    };
    assert!(error(|s| s.relief.as_mut().unwrap().layer = "heigth").contains("`heigth`"));
    assert!(error(|s| s.ground.as_mut().unwrap().layer = "surfaec").contains("`surfaec`"));
    assert!(error(|s| s.veil.as_mut().unwrap().layer = "snwo").contains("`snwo`"));
    assert!(error(|s| s.relief.as_mut().unwrap().step = 1e-9).contains("must be positive"));
    // Sets that are not there are no error: a world may have no road.
    let mut none = style();
    none.lines[0].set = "rails";
    none.points[0].set = "nothing";
    assert!(orienteering_map(&land.catalogue(), &none, &Ctx::default()).is_ok());
}

#[test]
fn nothing_is_drawn_without_a_style_but_paper() {
    let land = Land::new(30, 20);
    let plain = OrienteerStyle::default();
    assert!(inner(&drawn(&land, &plain), &land, &plain).iter().all(|p| *p == [255; 3]));
    assert_eq!(drawn(&land, &plain).at(0, 0), PAPER);
}

#[test]
fn water_has_its_colour_and_a_bank_but_no_contours() {
    let land = Land::new(60, 40);
    let only = OrienteerStyle {
        lines: vec![],
        points: vec![],
        squares: vec![],
        veil: None,
        north_lines: None,
        course: None,
        ..style()
    };
    let (w, h) = PixelScale::new(None, 1600, 60, 40).pixels();
    let pixels = inner(&drawn(&land, &only), &land, &only);
    // The shore lies at two thirds.
    let east: Vec<Rgb> = (0..h).flat_map(|y| pixels[y * w + w * 11 / 16..(y + 1) * w].to_vec()).collect();
    assert!(east.iter().all(|p| close(*p, ink::WATER)));
    let row = &pixels[h / 3 * w..(h / 3 + 1) * w];
    assert!(row.iter().any(|p| close(*p, ink::BANK)));
    assert!(row[..w / 2].iter().any(|p| close(*p, ink::BROWN)));
}

/// Whether a pixel is a blue: more blue than red, and not the near-black of ink.
fn blue([r, g, b]: Rgb) -> bool {
    b > 100 && b > r.saturating_add(40) && b >= g
}

#[test]
fn channels_of_two_and_three_metres_are_blue_along_their_whole_length() {
    // Straight east, straight south, and diagonal: distance of a cell from the middle of the channel, in half cells.
    let courses: [fn(i32, i32) -> i32; 4] =
        [|_, y| 2 * y - 40, |x, _| 2 * x - 40, |x, y| 2 * (x - y), |x, y| 2 * (x + y - 40)];
    for (shape, course) in courses.iter().enumerate() {
        for (wide, halves) in [(2, -2..2), (3, -2..3)] {
            let mut land = Land::new(41, 41);
            for y in 0..41 {
                for x in 0..41 {
                    let wet = halves.contains(&course(x as i32, y as i32));
                    land.surface[(x, y)] = if wet { 0 } else { 1 };
                }
            }
            for px in [41, 82, 164, 41 * 12] {
                let only =
                    OrienteerStyle { ground: style().ground, px: Some(px), ..OrienteerStyle::default() };
                let (scale, pixels) = (px / 41, inner(&drawn(&land, &only), &land, &only));
                // Away from the ends, each row or column across the channel has blue within it.
                for along in 3 * scale..38 * scale {
                    let across =
                        |i: usize| if shape == 0 { pixels[i * px + along] } else { pixels[along * px + i] };
                    let wet = (0..px).filter(|&i| blue(across(i))).count();
                    let (least, most) = (wide * scale / 2, (wide + 3) * scale);
                    assert!(
                        (least.max(1)..=most).contains(&wet),
                        "shape {shape}, {wide} m, {scale} pixels a metre, at {along}: {wet} blue pixels"
                    );
                }
            }
        }
    }
}

#[test]
fn one_pixel_a_metre_shows_each_metre_at_its_own_pixel() {
    let land = Land::new(800, 600);
    let only = OrienteerStyle { ground: style().ground, px: Some(800), ..OrienteerStyle::default() };
    let pixels = inner(&drawn(&land, &only), &land, &only);
    assert_eq!(pixels.len(), 800 * 600);
    // The lake begins at two thirds of the width.
    let row = &pixels[300 * 800..301 * 800];
    assert!(row[120..532].iter().all(|p| *p == ink::WHITE) && row[536..].iter().all(|p| *p == ink::WATER));
}

#[test]
fn ponds_of_two_and_three_metres_are_blue_and_dry_ground_is_not() {
    for side in [2, 3] {
        let mut land = Land::new(40, 40);
        land.surface = Grid::filled(40, 40, 1);
        for (x, y) in (20..20 + side).flat_map(|y| (20..20 + side).map(move |x| (x, y))) {
            land.surface[(x, y)] = 0;
        }
        for px in [40, 80, 320] {
            let only = OrienteerStyle { ground: style().ground, px: Some(px), ..OrienteerStyle::default() };
            let (scale, pixels) = (px / 40, inner(&drawn(&land, &only), &land, &only));
            let middle = 20 * scale + side * scale / 2;
            assert!(blue(pixels[middle * px + middle]), "{side} m, {scale} pixels a metre");
            let wet = pixels.iter().filter(|p| blue(**p)).count();
            assert!(wet <= (side + 1) * (side + 1) * scale * scale, "{side} m, {scale}: {wet} pixels");
        }
    }
}

#[test]
fn a_cave_mouth_points_into_the_hill_and_a_shaft_is_upright() {
    // The mean of the ink of a V lies opposite to its tip.
    let lean = |properties: &[(&'static str, serde_json::Value)]| {
        let mut land = Land::new(40, 40);
        let all = [("kind", "mine".into())].into_iter().chain(properties.iter().cloned());
        land.points = vec![set("things", vec![Feature::new(0, vec![(20.0, 20.0)], all)])];
        let only = OrienteerStyle { points: style().points, ..OrienteerStyle::default() };
        let pen = Drawing::of(&land.frame, None);
        let ((w, _), (x, y)) = (pen.view.pixels(), pen.at((20.0, 20.0)));
        let pixels = inner(&drawn(&land, &only), &land, &only);
        let ink: Vec<usize> = (0..pixels.len()).filter(|&i| close(pixels[i], ink::BLACK)).collect();
        assert!(ink.len() > 60);
        let mean =
            |of: &dyn Fn(usize) -> usize| ink.iter().map(|&i| of(i) as f32).sum::<f32>() / ink.len() as f32;
        (mean(&|i| i % w) + 0.5 - x, mean(&|i| i / w) + 0.5 - y)
    };
    let mouth = |direction: f64| lean(&[("cave_mouth", true.into()), ("direction", direction.into())]);
    let upright = lean(&[("cave_mouth", false.into())]);
    assert!(upright.0.abs() < 0.2, "{upright:?}");
    assert_eq!(lean(&[("cave_mouth", true.into())]), upright);
    assert_eq!(lean(&[("cave_mouth", false.into()), ("direction", 90.0.into())]), upright);
    assert_eq!(mouth(180.0), upright);
    let (north, east) = (mouth(0.0), mouth(90.0));
    assert!((north.1 + upright.1).abs() < 0.3 && north.0.abs() < 0.2, "{north:?} against {upright:?}");
    // The strokes are not quite symmetric about the point, so the mean of an upright V tells the offset.
    assert!((east.0 - upright.1).abs() < 0.3 && east.1.abs() < 0.2, "{east:?} against {upright:?}");
}

#[test]
fn a_map_far_from_the_origin_shows_the_same_land() {
    let (near, far) = (Land::new(60, 40), Land::at((900_000_000.0, -1_200_000.0), 60, 40));
    let (a, b) = (drawn(&near, &style()), drawn(&far, &style()));
    assert!(inner(&a, &near, &style()) == inner(&b, &far, &style()));
}

#[test]
fn north_lines_stand_at_the_multiples_of_their_distance() {
    let land = Land::at((1234.0, 77.0), 100, 20);
    let plain = OrienteerStyle { north_lines: Some(30.0), ..OrienteerStyle::default() };
    let pixels = inner(&drawn(&land, &plain), &land, &plain);
    let (w, h) = PixelScale::new(None, 1600, 100, 20).pixels();
    let row = &pixels[(h - 2) * w..(h - 1) * w];
    let dark: Vec<usize> = (0..w).filter(|x| row[*x][0] < 140).collect();
    // 1260, 1290 and 1320 at 16 pixels a metre.
    for x in [26 * 16, 56 * 16, 86 * 16] {
        assert!(dark.iter().any(|d| d.abs_diff(x) < 2), "{x} in {dark:?}");
    }
    assert!(dark.iter().all(|d| [416usize, 896, 1376].iter().any(|x| d.abs_diff(*x) < 3)));
}

#[test]
fn numbers_keep_away_from_lines_and_symbols() {
    let land = Land::new(60, 40);
    let pen = Drawing::of(&land.frame, None);
    let taken = taken::Taken::of(&land.catalogue(), &style(), &pen);
    for place in [(18.0, 12.0), (12.0, 28.0), (12.0, 29.0), (5.0, 20.0), (50.0, 20.0)] {
        assert!(!taken.free(pen.at(place)), "{place:?}");
    }
    assert!(taken.free(pen.at((40.0, 35.0))) && !taken.free((-5.0, 9.0)));
}

#[test]
fn the_legend_names_what_occurs_on_the_map() {
    let land = Land::new(60, 40);
    let names = |land: &Land| -> Vec<String> {
        let (catalogue, style) = (land.catalogue(), style());
        let pen = Drawing::of(&land.frame, None);
        let ground = ground::Ground::of(&catalogue, &style, &pen.view, &Ctx::default()).unwrap();
        let sections = key::legend(&catalogue, &style, &ground, &pen).unwrap();
        sections.iter().flat_map(|s| s.labels()).collect()
    };
    let all = [
        "Lake",
        "Wood",
        "Marsh",
        "Snow",
        "Contour, every 5 m",
        "Index contour, every 25 m",
        "Road",
        "House",
        "Boulder",
        "Course",
    ];
    assert_eq!(names(&land), all);
    let mut empty = Land::new(60, 40);
    let mine = |cave: bool| {
        let properties = [("kind", "mine".into()), ("cave_mouth", cave.into())];
        Feature::new(0, vec![(9.0, 9.0)], properties)
    };
    let mut mines = Land::new(60, 40);
    mines.points = vec![set("things", vec![mine(false), mine(true)])];
    assert!(names(&mines).ends_with(&["Mine".to_owned(), "Cave mouth".to_owned()]));
    empty.surface = Grid::filled(60, 40, 1);
    empty.snow = Grid::filled(60, 40, 0);
    (empty.lines, empty.points) = (vec![], vec![]);
    assert_eq!(names(&empty), ["Wood", "Contour, every 5 m", "Index contour, every 25 m"]);
}

#[test]
fn a_class_that_the_style_leaves_out_has_its_own_colour() {
    let mut land = Land::new(30, 20);
    land.surface = Grid::filled(30, 20, 4);
    let plain = OrienteerStyle { ground: style().ground, ..OrienteerStyle::default() };
    assert!(inner(&drawn(&land, &plain), &land, &plain).iter().all(|p| *p == [11, 22, 33]));
}
