//! Pictures of the rules of the realm: for each rule what it forbids, and what the engine makes instead. The same small situation is solved twice,
//! by a search that does not know the rule and by the one of the realm.

use weald::catalogue::{Catalogue, FeatureSet, Layer};
use weald::core::noise::gradient::Fractal;
use weald::core::path::{Meeting, NO_TURN, Network, NetworkRule, Older};
use weald::core::region::{self, Displacement, Repair};
use weald::core::{Ctx, Dir8, Frame, Grid, Seed};
use weald::render::image::Image;
use weald::world::{World, realm};

const GRASS: u8 = realm::biomes::GRASSLAND;
const FOREST: u8 = realm::biomes::FOREST;
const OCEAN: u8 = realm::biomes::OCEAN;

/// Pixels between the parts of a picture, their colour, and how many pixels one of a tile becomes.
const GAP: usize = 12;
const PAPER: [u8; 3] = [250, 246, 236];
const ZOOM: usize = 2;

/// Straight links from west to east, north to south, and so on.
const EW: u8 = 0b0001_0001;
const NS: u8 = 0b0100_0100;
const DIAGONAL: u8 = 0b0010_0010;

/// A few tiles.
#[derive(Clone)]
struct Scene {
    biome: Grid<u8>,
    transition: Grid<u8>,
    river: Grid<u8>,
    rail: Grid<u8>,
    road: Grid<u8>,
}

impl Scene {
    fn of(biome: Grid<u8>) -> Self {
        let (w, h) = biome.shape();
        let none = Grid::filled(w, h, 0);
        Self { biome, transition: none.clone(), river: none.clone(), rail: none.clone(), road: none }
    }

    fn meadow(width: usize, height: usize) -> Self {
        Self::of(Grid::filled(width, height, GRASS))
    }

    /// The tiles as they look with the tileset.
    fn image(&self) -> Result<Image, String> {
        let (w, h) = self.biome.shape();
        let links = realm::validate::Links { river: &self.river, rail: &self.rail, road: &self.road };
        let crossing = realm::validate::crossings(&links);
        let specs = realm::RealmWorld.layers();
        let layer = |name: &str, cells: Grid<u8>| {
            let spec = specs.iter().find(|s| s.name == name).expect("the realm has that layer");
            Layer::new(*spec, cells)
        };
        let mut catalogue = Catalogue::new("realm", "m", Frame::new(w, h, 1000.0));
        let settlement = *specs.iter().find(|s| s.name == "settlement").expect("the realm has that layer");
        catalogue.layers = vec![
            layer("biome", self.biome.clone()),
            layer("transition", self.transition.clone()),
            layer("river_dirs", self.river.clone()),
            layer("rail_dirs", self.rail.clone()),
            layer("road_dirs", self.road.clone()),
            layer("crossing", crossing),
            Layer::new(settlement, Grid::filled(w, h, 0u16)),
        ];
        let empty = |name: &'static str| FeatureSet::new(name, "", Vec::new());
        catalogue.points = ["settlements", "crossings", "places"].map(empty).into();
        part_drawn(&catalogue, (0, 0), (w, h))
    }
}

/// A catalogue of the realm drawn with its tileset: a part of it, given by its first tile and its size.
fn part_drawn(
    catalogue: &Catalogue,
    first: (usize, usize),
    (wide, high): (usize, usize),
) -> Result<Image, String> {
    let map = realm::RealmWorld.info().exports.tiles.expect("the realm has tiles");
    let picture = weald::export::tiled::picture(catalogue, map).map_err(|e| e.to_string())?;
    let side = picture.width() / catalogue.frame.width;
    let (w, h) = (wide * side * ZOOM, high * side * ZOOM);
    let pixel = |i: usize| picture[(first.0 * side + (i % w) / ZOOM, first.1 * side + (i / w) / ZOOM)];
    Ok(Image::from_bytes(w, h, (0..w * h).flat_map(pixel).collect()))
}

/// Pictures side by side.
fn beside(parts: &[Image]) -> Image {
    let height = parts.iter().map(Image::height).max().unwrap_or(0);
    let width = parts.iter().map(|p| p.width() + GAP).sum::<usize>() - GAP;
    let mut bytes = PAPER.repeat(width * height);
    let mut left = 0;
    for part in parts {
        for y in 0..part.height() {
            for x in 0..part.width() {
                let at = 3 * (y * width + left + x);
                bytes[at..at + 3].copy_from_slice(&part.at(x, y));
            }
        }
        left += part.width() + GAP;
    }
    Image::from_bytes(width, height, bytes)
}

/// A way from one place to another over the scene: heedless of what is there, or by the rules.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Heedless,
    ByTheRules,
}

fn road(scene: &Scene, from: (usize, usize), to: (usize, usize), ground: &Grid<u16>, way: Way) -> Grid<u8> {
    let (w, h) = scene.biome.shape();
    let exempt = Grid::filled(w, h, 0u8);
    let older = |links, crossing, setback_tiles, keeps_tiles| Older {
        links,
        crossing,
        setback_tiles,
        setback: 32,
        keeps_tiles,
    };
    let all = [older(&scene.river, 96, 5, 3), older(&scene.rail, 48, 4, 2)];
    let rule = NetworkRule {
        ground,
        exempt: &exempt,
        older: if way == Way::Heedless { &[] } else { &all },
        turns: [0, 2, 10, NO_TURN],
        reuse: 112,
        beside: 12,
        meeting: Meeting::Crossroads,
    };
    let ctx = Ctx::default();
    let mut network = Network::new(rule, &ctx).expect("nobody stops it");
    let way = network.way_to(from.1 * w + from.0, to.1 * w + to.0, &ctx).expect("nobody stops it");
    network.build(&way.expect("there is a way"));
    network.links().clone()
}

/// Links along a chain of tiles.
fn chain(links: &mut Grid<u8>, tiles: &[(usize, usize)]) {
    let w = links.width();
    for pair in tiles.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let d = Dir8::between(w, a.1 * w + a.0, b.1 * w + b.0).expect("tiles of a chain are neighbours");
        links[a] |= 1 << d.0;
        links[b] |= 1 << d.opposite().0;
    }
}

/// What a search makes of a scene without and with the rules.
fn before_and_after(
    scene: &Scene,
    from: (usize, usize),
    to: (usize, usize),
    ground: &Grid<u16>,
) -> Result<Image, String> {
    let part = |way: Way| Scene { road: road(scene, from, to, ground, way), ..scene.clone() }.image();
    Ok(beside(&[part(Way::Heedless)?, part(Way::ByTheRules)?]))
}

/// A straight border, the same border displaced, and the same without anything straight.
fn borders(left: u8) -> Result<Image, String> {
    let ctx = Ctx::default();
    let raw = Grid::from_fn(18, 14, |x, _| if x < 9 { left } else { GRASS });
    let waves = Fractal { wavelength_m: 64.0 / 6.0, octaves: 3, persistence: 0.5, lacunarity: 2.0 };
    let stop = |e: weald::core::Cancelled| e.to_string();
    let fields = Displacement { most: 2.5, waves }.fields((18, 14), Seed(8), &ctx).map_err(stop)?;
    let nearest = |x: usize, y: usize| {
        let moved = |v: usize, by: f32, n: f32| (v as f32 + by).round().clamp(0.0, n - 1.0) as usize;
        raw[(moved(x, fields[0][(x, y)], 18.0), moved(y, fields[1][(x, y)], 14.0))]
    };
    let displaced = Grid::from_fn(18, 14, nearest);
    let mut mended = displaced.clone();
    region::remove_specks(&mut mended, 4);
    region::repair(&mut mended, Seed(1), &Repair::default(), &ctx).map_err(stop)?;
    let parts = [raw, displaced, mended].map(|biome| Scene::of(biome).image());
    Ok(beside(&parts.into_iter().collect::<Result<Vec<_>, _>>()?))
}

/// A part of a realm without and with its transitions.
fn transitions(whole: &Catalogue, first: (usize, usize), size: (usize, usize)) -> Result<Image, String> {
    let bytes = |name: &str| {
        let grid = whole.bytes(name).expect("the realm has that layer");
        Grid::from_fn(size.0, size.1, |x, y| grid[(x + first.0, y + first.1)])
    };
    let mut scene = Scene::of(bytes("biome"));
    (scene.river, scene.rail, scene.road) = (bytes("river_dirs"), bytes("rail_dirs"), bytes("road_dirs"));
    let plain = scene.image()?;
    scene.transition = bytes("transition");
    Ok(beside(&[plain, scene.image()?]))
}

/// One state of a tile: the links of river, railroad and road in the middle of five by three tiles.
fn state(river: u8, rail: u8, road: u8) -> Result<Image, String> {
    let mut scene = Scene::meadow(5, 3);
    for (grid, links) in [(&mut scene.river, river), (&mut scene.rail, rail), (&mut scene.road, road)] {
        match links {
            EW => (0..5).for_each(|x| grid[(x, 1)] = EW),
            NS => (0..3).for_each(|y| grid[(2, y)] = NS),
            DIAGONAL => chain(grid, &[(1, 0), (2, 1), (3, 2)]),
            _ => {}
        }
    }
    scene.image()
}

/// All pictures, with their names.
pub fn pictures() -> Result<Vec<(String, Image)>, String> {
    let plain = |w: usize, h: usize| Grid::filled(w, h, 16u16);
    let job = weald::Job::new("realm").map_err(|e| e.to_string())?.seed(7);
    let made = job.run(&Ctx::default()).map_err(|e| e.to_string())?;
    let whole = &made.catalogue;
    let mut winding = Scene::meadow(21, 11);
    let course = [5, 5, 4, 4, 5, 6, 6, 5, 5, 5, 4, 5, 5, 6, 6, 5, 5, 4, 4, 5, 5];
    chain(&mut winding.river, &course.iter().enumerate().map(|(x, &y)| (x, y)).collect::<Vec<_>>());
    // The floor of the valley is cheap.
    let valley = Grid::from_fn(21, 11, |_, y| [60, 46, 34, 22, 17, 16, 17, 22, 34, 46, 60][y]);
    let mut straight = Scene::meadow(15, 11);
    chain(&mut straight.river, &(0..15).map(|x| (x, 5)).collect::<Vec<_>>());
    let mut bent = Scene::meadow(15, 11);
    let bends = [
        (0, 3),
        (1, 3),
        (2, 4),
        (3, 4),
        (4, 4),
        (5, 5),
        (6, 6),
        (7, 5),
        (8, 6),
        (9, 6),
        (10, 6),
        (11, 6),
        (12, 7),
        (13, 7),
        (14, 7),
    ];
    chain(&mut bent.river, &bends);
    let mut both = Scene::meadow(15, 11);
    chain(&mut both.river, &(0..15).map(|x| (x, 5)).collect::<Vec<_>>());
    chain(&mut both.rail, &(0..11).map(|y| (7, y)).collect::<Vec<_>>());
    let mut slanting = Scene::meadow(13, 11);
    chain(&mut slanting.river, &(0..11).map(|k| (k + 1, k)).collect::<Vec<_>>());
    let mut out = vec![
        ("realm-rule-border.png".to_owned(), borders(FOREST)?),
        ("realm-rule-coast.png".to_owned(), borders(OCEAN)?),
        ("realm-rule-transitions.png".to_owned(), transitions(whole, (96, 88), (26, 18))?),
        ("realm-rule-setback.png".to_owned(), before_and_after(&winding, (0, 8), (20, 8), &valley)?),
        ("realm-rule-angle.png".to_owned(), before_and_after(&straight, (1, 0), (11, 10), &plain(15, 11))?),
        ("realm-rule-bend.png".to_owned(), before_and_after(&bent, (6, 0), (6, 10), &plain(15, 11))?),
        ("realm-rule-third.png".to_owned(), before_and_after(&both, (2, 0), (12, 10), &plain(15, 11))?),
        ("realm-rule-leak.png".to_owned(), before_and_after(&slanting, (10, 1), (1, 9), &plain(13, 11))?),
        ("realm-tiles.png".to_owned(), part_drawn(whole, (70, 144), (60, 44))?),
    ];
    let states = [
        ("empty", 0, 0, 0),
        ("river", EW, 0, 0),
        ("rail", 0, EW, 0),
        ("road", 0, 0, EW),
        ("river-road-parallel", EW, 0, EW),
        ("river-road-crossing", EW, 0, NS),
        ("river-rail-parallel", EW, EW, 0),
        ("river-rail-crossing", EW, NS, 0),
        ("rail-road-parallel", 0, EW, EW),
        ("rail-road-crossing", 0, EW, NS),
        ("all-three", EW, DIAGONAL, NS),
    ];
    for (name, river, rail, road) in states {
        out.push((format!("realm-state-{name}.png"), state(river, rail, road)?));
    }
    Ok(out)
}
