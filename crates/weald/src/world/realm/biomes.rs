//! Biomes by temperature, moisture and height; their borders, and the bands of transition along them.

use super::land::border_displacement;
use super::params::RealmParams;
use super::template::Drawn;
use crate::catalogue::{Class, classes};
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald_core::region::{self, Repair, Repaired};
use weald_core::{Ctx, Frame, Grid, Result, Seed, blur, par, slope};

classes! {
    /// The base classes.
    BIOMES:
    /// Ocean.
    OCEAN = 0 "ocean" [128, 172, 204];
    /// A lake.
    LAKE = 1 "lake" [150, 192, 216];
    /// Tundra.
    TUNDRA = 2 "tundra" [196, 200, 184];
    /// Boreal forest.
    BOREAL = 3 "boreal" [116, 146, 122];
    /// Temperate forest.
    FOREST = 4 "forest" [138, 168, 102];
    /// Grassland.
    GRASSLAND = 5 "grassland" [202, 208, 140];
    /// Wetland.
    WETLAND = 6 "wetland" [142, 172, 144];
    /// Mountains.
    MOUNTAIN = 7 "mountain" [186, 172, 154];
    /// Desert.
    DESERT = 8 "desert" [232, 212, 160];
    /// Subtropical forest.
    SUBTROPICAL = 9 "subtropical" [156, 184, 92];
}

/// No transition.
pub const NONE: u8 = 0;
/// Between forest and grassland.
pub const FOREST_EDGE: u8 = 1;
/// Between grassland and mountain.
pub const FOOTHILLS: u8 = 2;
/// Between forest and wetland.
pub const MARSH_EDGE: u8 = 3;
/// A sandy coast.
pub const BEACH: u8 = 4;
/// A steep coast.
pub const CLIFF: u8 = 5;
/// A flat, low coast.
pub const TIDAL_FLAT: u8 = 6;
/// A hot, wet coast.
pub const MANGROVE: u8 = 7;
/// Along a lake.
pub const LAKESHORE: u8 = 8;
/// The first of the mixed kinds, which are named after both biomes, in the order of their pairs.
pub const FIRST_MIXED: u8 = 9;

const fn kind(value: u32, name: &'static str, colour: [u8; 3]) -> Class {
    Class { value, name, colour }
}

/// Kinds of transition along borders.
pub const TRANSITIONS: &[Class] = &[
    kind(0, "none", [240, 238, 230]),
    kind(1, "forest_edge", [170, 188, 120]),
    kind(2, "foothills", [196, 190, 146]),
    kind(3, "marsh_edge", [140, 170, 124]),
    kind(4, "beach", [238, 226, 178]),
    kind(5, "cliff", [168, 158, 146]),
    kind(6, "tidal_flat", [204, 202, 176]),
    kind(7, "mangrove", [120, 152, 104]),
    kind(8, "lakeshore", [190, 204, 178]),
    kind(9, "mixed_tundra_boreal", [156, 173, 153]),
    kind(10, "mixed_tundra_forest", [167, 184, 143]),
    kind(11, "mixed_tundra_grassland", [199, 204, 162]),
    kind(12, "mixed_tundra_wetland", [169, 186, 164]),
    kind(13, "mixed_tundra_mountain", [191, 186, 169]),
    kind(14, "mixed_tundra_desert", [214, 206, 172]),
    kind(15, "mixed_tundra_subtropical", [176, 192, 138]),
    kind(16, "mixed_boreal_forest", [127, 157, 112]),
    kind(17, "mixed_boreal_grassland", [159, 177, 131]),
    kind(18, "mixed_boreal_wetland", [129, 159, 133]),
    kind(19, "mixed_boreal_mountain", [151, 159, 138]),
    kind(20, "mixed_boreal_desert", [174, 179, 141]),
    kind(21, "mixed_boreal_subtropical", [136, 165, 107]),
    kind(22, "mixed_forest_mountain", [162, 170, 128]),
    kind(23, "mixed_forest_desert", [185, 190, 131]),
    kind(24, "mixed_forest_subtropical", [147, 176, 97]),
    kind(25, "mixed_grassland_wetland", [172, 190, 142]),
    kind(26, "mixed_grassland_desert", [217, 210, 150]),
    kind(27, "mixed_grassland_subtropical", [179, 196, 116]),
    kind(28, "mixed_wetland_mountain", [164, 172, 149]),
    kind(29, "mixed_wetland_desert", [187, 192, 152]),
    kind(30, "mixed_wetland_subtropical", [149, 178, 118]),
    kind(31, "mixed_mountain_desert", [209, 192, 157]),
    kind(32, "mixed_mountain_subtropical", [171, 178, 123]),
    kind(33, "mixed_desert_subtropical", [194, 198, 126]),
];

/// Least number of tiles of a region before its border is distorted.
const LEAST_RAW: u32 = 12;

/// Least number of tiles of a region.
pub const LEAST: u32 = 4;

/// Temperatures in °C below which land is tundra and boreal, and from which on it is subtropical.
pub(super) const COLD: (f32, f32, f32) = (0.0, 6.0, 16.5);

/// How much warmer or colder than its latitude a place can be, in °C, about half of it in practice.
const WEATHER_C: f32 = 12.0;

/// What decides the biome of a tile.
pub struct Fields<'a> {
    /// Metres.
    pub height: &'a Grid<f32>,
    /// °C.
    pub temperature: &'a Grid<f32>,
    /// 0 to 1.
    pub moisture: &'a Grid<f32>,
}

/// The rank of every value among those of the land, from 0 for the lowest to 1, in steps of a hundredth.
fn ranks(values: &Grid<f32>, land: &Grid<u8>) -> Grid<f32> {
    let mut on_land: Vec<f32> =
        values.cells().iter().zip(land.cells()).filter(|(_, l)| **l != 0).map(|(v, _)| *v).collect();
    if on_land.is_empty() {
        return values.map(|_| 0.5);
    }
    on_land.sort_unstable_by(f32::total_cmp);
    let lines: Vec<f32> = (1..100).map(|k| on_land[k * (on_land.len() - 1) / 100]).collect();
    values.map(|v| lines.partition_point(|l| l <= v) as f32 / 100.0)
}

/// The biome of every tile as if all were land, before borders are distorted.
///
/// Mountains are the highest and steepest land, wetlands the flattest, lowest and wettest of what is not cold; the rest goes by temperature
/// and by the rank of its moisture among the land. Reach: 6 tiles, and the ranks.
pub fn raw(
    fields: &Fields,
    (land, drawn): (&Grid<u8>, Option<&Drawn>),
    seed: Seed,
    p: &RealmParams,
    ctx: &Ctx,
) -> Result<Grid<u8>> {
    let (w, h) = land.shape();
    let ground = fields.height.map(|h| h.max(0.0));
    let steep = blur::gaussian(&slope::rise_over_run(&ground, p.map.cell_m, ctx)?, 1.5, ctx)?;
    let broad = blur::gaussian(&ground, 1.5, ctx)?;
    let (high, steep, wet) = (ranks(&broad, land), ranks(&steep, land), ranks(fields.moisture, land));
    let patches = fractal(&Frame::new(w, h, 1.0), seed.of("patches"), NoiseShape::Fbm, &PATCHES, ctx)?;
    let weather = fractal(&Frame::new(w, h, 1.0), seed.of("weather"), NoiseShape::Fbm, &WEATHER, ctx)?;
    let rocky = Grid::from_fn(w, h, |x, y| 0.7 * high[(x, y)] + 0.3 * steep[(x, y)]);
    let rocky = ranks(&rocky, land);
    let boggy = Grid::from_fn(w, h, |x, y| {
        let at = (x, y);
        let cold = if fields.temperature[at] < COLD.0 { 1.0 } else { 0.0 };
        0.5 * wet[at] - 0.3 * high[at] - 0.5 * steep[at] + 0.9 * patches[at] - cold
    });
    let boggy = ranks(&boggy, land);
    let (mountain, wetland) = (1.0 - p.biomes.mountain_share as f32, 1.0 - p.biomes.wetland_share as f32);
    let mut raw = par::fill(w, h, ctx, |y, row: &mut [u8]| {
        for (x, out) in row.iter_mut().enumerate() {
            let at = (x, y);
            let (t, m) = felt(fields.temperature[at], wet[at], weather[at], patches[at]);
            *out = match drawn.and_then(|t| t[at]).filter(|&b| b != OCEAN) {
                Some(biome) => biome,
                None if rocky[at] >= mountain => MOUNTAIN,
                None if boggy[at] >= wetland => WETLAND,
                None => zone(t, m),
            };
        }
    })?;
    region::remove_specks(&mut raw, LEAST_RAW);
    Ok(raw)
}

/// Distorts the borders between biomes by noise; `water` is ocean, lake or, for land, anything else, and stays.
pub fn distorted(
    raw: &Grid<u8>,
    water: &Grid<u8>,
    seed: Seed,
    p: &RealmParams,
    ctx: &Ctx,
) -> Result<Grid<u8>> {
    let fields = border_displacement(&p.borders).fields(raw.shape(), seed.of("biome borders"), ctx)?;
    let near = region::near_border(raw, p.borders.displacement_tiles.ceil() as u16, ctx)?;
    let (w, h) = raw.shape();
    let over = |i: usize| if water.cells()[i] <= LAKE { water.cells()[i] } else { raw.cells()[i] };
    let start = Grid::from_vec(w, h, (0..w * h).map(over).collect());
    region::warp(raw, start, &fields, ctx, |i| near.cells()[i] != 0 && water.cells()[i] > LAKE)
}

/// What was done to the borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mended {
    /// Tiles of the borders.
    pub border_tiles: usize,
    /// Tiles that were flipped.
    pub repaired: Repaired,
}

/// Removes specks and whatever is straight. No repair turns ocean into lake or lake into ocean.
pub fn mend(map: &mut Grid<u8>, seed: Seed, ctx: &Ctx) -> Result<Mended> {
    region::remove_specks(map, LEAST);
    let border = region::border_tiles(map, ctx)?;
    let before = map.clone();
    let allowed =
        |tile: usize, class: u8| !matches!((before.cells()[tile], class), (OCEAN, LAKE) | (LAKE, OCEAN));
    let rule = Repair { least: LEAST as usize, allowed: &allowed };
    let repaired = region::repair(map, seed, &rule, ctx)?;
    Ok(Mended { border_tiles: border.cells().iter().filter(|b| **b != 0).count(), repaired })
}

/// The kind of transition between two land biomes.
pub fn between(a: u8, b: u8) -> u8 {
    match (a.min(b), a.max(b)) {
        (FOREST, GRASSLAND) => FOREST_EDGE,
        (GRASSLAND, MOUNTAIN) => FOOTHILLS,
        (FOREST, WETLAND) => MARSH_EDGE,
        (low, high) => {
            let mixed = |&(a, b): &(u8, u8)| {
                !matches!((a, b), (FOREST, GRASSLAND) | (GRASSLAND, MOUNTAIN) | (FOREST, WETLAND))
            };
            let pairs = (TUNDRA..=SUBTROPICAL).flat_map(|a| (a + 1..=SUBTROPICAL).map(move |b| (a, b)));
            let place = pairs.filter(mixed).position(|pair| pair == (low, high));
            FIRST_MIXED + place.expect("two land biomes differ") as u8
        }
    }
}

/// Rise of the first tile from which on a coast is a cliff, and up to which it is a tidal flat, in metres for each metre.
const COASTS: (f32, f32) = (0.045, 0.004);

/// The bands of transition: 2 to 4 tiles to each side of a border, with a width that follows noise; the nearest border wins. Reach: 4 tiles.
pub fn transitions(
    map: &Grid<u8>,
    fields: &Fields,
    seed: Seed,
    p: &RealmParams,
    ctx: &Ctx,
) -> Result<Grid<u8>> {
    let (w, h) = map.shape();
    let near = region::near_border(map, 4, ctx)?;
    let waves = border_displacement(&p.borders).waves;
    let noise = fractal(&Frame::new(w, h, 1.0), seed.of("transitions"), NoiseShape::Fbm, &waves, ctx)?;
    let around = around();
    par::fill(w, h, ctx, |y, row: &mut [u8]| {
        for (x, out) in row.iter_mut().enumerate().filter(|(x, _)| near[(*x, y)] != 0) {
            if let Some(border) = nearest_border(map, (x, y), &around) {
                *out = transition_of((map[(x, y)], &border), (x, y), fields, noise[(x, y)], p);
            }
        }
    })
}

/// The nearest tile of another class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Border {
    /// The class of that tile.
    pub(super) class: u8,
    /// Columns east and rows south of the tile.
    pub(super) offset: (i64, i64),
}

impl Border {
    /// The squared distance in tiles.
    pub(super) fn squared(&self) -> i64 {
        self.offset.0 * self.offset.0 + self.offset.1 * self.offset.1
    }
}

/// The places within √20 tiles, the nearest first.
pub(super) fn around() -> Vec<(i64, i64)> {
    let mut around: Vec<(i64, i64)> = (-4..=4).flat_map(|dy| (-4..=4).map(move |dx| (dx, dy))).collect();
    around.retain(|&(dx, dy)| (dx, dy) != (0, 0) && dx * dx + dy * dy <= 20);
    around.sort_by_key(|&(dx, dy)| (dx * dx + dy * dy, dy, dx));
    around
}

/// The nearest tile of another class among the places around a tile; none for a tile of water.
pub(super) fn nearest_border(
    map: &Grid<u8>,
    (x, y): (usize, usize),
    around: &[(i64, i64)],
) -> Option<Border> {
    let own = map[(x, y)];
    if own <= LAKE {
        return None;
    }
    around.iter().find_map(|&(dx, dy)| {
        let (nx, ny) = (x as i64 + dx, y as i64 + dy);
        let class = map.contains(nx, ny).then(|| map[(nx as usize, ny as usize)])?;
        (class != own).then_some(Border { class, offset: (dx, dy) })
    })
}

/// How wide the band of transition is at a tile, in tiles, with the noise there.
pub(super) fn band(noise: f32) -> f32 {
    3.2 + 3.0 * noise.clamp(-0.39, 0.39)
}

/// The kind of transition of a tile of land with this nearest border.
pub(super) fn transition_of(
    (own, border): (u8, &Border),
    at: (usize, usize),
    fields: &Fields,
    noise: f32,
    p: &RealmParams,
) -> u8 {
    let width = band(noise);
    match border.class {
        _ if border.squared() as f32 > width * width => NONE,
        OCEAN => coast(at, fields, p),
        LAKE => LAKESHORE,
        other => between(own, other),
    }
}

/// The waves of patches in the climate, and those of the weather, in tiles.
pub(super) const PATCHES: Fractal =
    Fractal { wavelength_m: 24.0, octaves: 3, persistence: 0.5, lacunarity: 2.0 };
/// See [`PATCHES`].
pub(super) const WEATHER: Fractal = Fractal { wavelength_m: 80.0, ..PATCHES };

/// Temperature and moisture as biomes see them: with the weather and patches at a place, from the mean temperature and the rank of the
/// moisture among the land.
#[inline(always)]
pub(super) fn felt(temperature: f32, wet: f32, weather: f32, patches: f32) -> (f32, f32) {
    (temperature + WEATHER_C * weather + 3.0 * patches, wet + 0.25 * patches)
}

/// The biome of land that is neither mountain nor wetland, by temperature and moisture.
#[inline(always)]
pub(super) fn zone(t: f32, m: f32) -> u8 {
    match t {
        _ if t < COLD.0 => TUNDRA,
        _ if t < COLD.1 => BOREAL,
        _ if t < COLD.2 => [GRASSLAND, FOREST][(m > 0.45) as usize],
        _ if m < 0.33 => DESERT,
        _ if m < 0.55 => GRASSLAND,
        _ => SUBTROPICAL,
    }
}

/// The kind of a coast: by how steep it is, and by climate.
fn coast((x, y): (usize, usize), fields: &Fields, p: &RealmParams) -> u8 {
    let (w, h) = fields.height.shape();
    let around = |v: usize, n: usize| v.saturating_sub(1)..(v + 2).min(n);
    let ground = around(y, h).flat_map(|ny| around(x, w).map(move |nx| (nx, ny)));
    let highest = ground.map(|at| fields.height[at]).fold(0.0, f32::max);
    // On a small map the same peaks stand on less land.
    let small = (256.0 / w.min(h) as f32).max(1.0);
    let rise = highest / p.map.cell_m as f32 / small;
    let hot_and_wet = fields.temperature[(x, y)] > 18.0 && fields.moisture[(x, y)] > 0.5;
    match rise {
        r if r > COASTS.0 => CLIFF,
        _ if hot_and_wet => MANGROVE,
        r if r < COASTS.1 => TIDAL_FLAT,
        _ => BEACH,
    }
}
