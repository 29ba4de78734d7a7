//! Land and ocean: a continent, its peninsulas, bays and islands, and the distortion of its coast.

use super::biomes;
use super::params::{Beyond, Borders, RealmParams};
use super::template::Drawn;
use std::f64::consts::PI;
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal};
use weald_core::region::{self, Displacement};
use weald_core::{Ctx, Frame, Grid, Result, Seed, distance, math, stats};

/// Share of the map within which a side with ocean beyond it makes land less likely, and how much noise shifts that.
const REACH: f64 = 0.36;
const WOBBLE: f64 = 1.2;

/// Tiles along a side with ocean beyond it that are always ocean.
const RIM: usize = 3;

/// The map and the land around it, which rivers may come from and leave to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Columns and rows of the map.
    pub map: (usize, usize),
    /// Columns and rows around it.
    pub size: (usize, usize),
    /// Column and row of the map's first tile.
    pub first: (usize, usize),
}

impl Domain {
    /// The map with a margin on every side with land beyond it.
    pub fn new(map: (usize, usize), p: &RealmParams) -> Self {
        let margin =
            |side: Beyond| if side == Beyond::Land { (map.0.min(map.1) / 4).clamp(16, 96) } else { 0 };
        let (west, north) = (margin(p.land.west), margin(p.land.north));
        let size = (west + map.0 + margin(p.land.east), north + map.1 + margin(p.land.south));
        Self { map, size, first: (west, north) }
    }

    /// The part of a grid of the whole domain that is the map.
    pub fn crop<T: Copy>(&self, all: &Grid<T>) -> Grid<T> {
        Grid::from_fn(self.map.0, self.map.1, |x, y| all[(x + self.first.0, y + self.first.1)])
    }

    /// The frame of the whole domain in tiles.
    pub fn tiles(&self) -> Frame {
        Frame::new(self.size.0, self.size.1, 1.0)
    }
}

/// Land (1) and ocean (0) over the whole domain.
///
/// Likelihood v = f − 1.1·(1 − smoothstep(1 − √Σ(1 − d/0.36)² + 1.2·g)) with f and g fractal noise and d the distances from the sides with
/// ocean beyond them as shares of the map, where below 0.36; the likeliest tiles of the map are land. Then come peninsulas, bays and islands, and the distortion of the
/// coast. Ocean that is cut off becomes land, unless a template draws it. Reach: whole map.
pub fn land(
    domain: &Domain,
    drawn: Option<&Drawn>,
    seed: Seed,
    p: &RealmParams,
    ctx: &Ctx,
) -> Result<Grid<u8>> {
    let mut land = continent(domain, seed, p, ctx)?;
    for ((x, y), cell) in drawn.into_iter().flat_map(Grid::iter) {
        if let Some(biome) = cell {
            land[(x + domain.first.0, y + domain.first.1)] = (*biome != biomes::OCEAN) as u8;
        }
    }
    rim(&mut land, domain, p);
    fill_ponds(&mut land, domain, drawn);
    features(&mut land, domain, seed.of("features"), p);
    islands(&mut land, domain, seed.of("islands"), p, ctx)?;
    let mut land = distorted(&land, seed, &p.borders, ctx)?;
    rim(&mut land, domain, p);
    fill_ponds(&mut land, domain, drawn);
    region::remove_specks(&mut land, 8);
    Ok(land)
}

/// The distance of a tile of the domain from each side of the map with ocean beyond it, in tiles, with the length of the map across.
fn from_ocean_sides(domain: &Domain, (x, y): (usize, usize), p: &RealmParams) -> [Option<(f64, f64)>; 4] {
    let (w, h) = (domain.map.0 as f64, domain.map.1 as f64);
    let (x, y) = (x as f64 + 0.5 - domain.first.0 as f64, y as f64 + 0.5 - domain.first.1 as f64);
    let side = |beyond: Beyond, d: f64, across: f64| (beyond == Beyond::Ocean).then_some((d, across));
    [
        side(p.land.north, y, h),
        side(p.land.east, w - x, w),
        side(p.land.south, h - y, h),
        side(p.land.west, x, w),
    ]
}

fn continent(domain: &Domain, seed: Seed, p: &RealmParams, ctx: &Ctx) -> Result<Grid<u8>> {
    let waves = Fractal {
        wavelength_m: p.land.wavelength * domain.map.0.min(domain.map.1) as f64,
        octaves: 6,
        persistence: 0.55,
        lacunarity: 2.0,
    };
    let mut value = fractal(&domain.tiles(), seed.of("continent"), NoiseShape::Fbm, &waves, ctx)?;
    let broad = Fractal { wavelength_m: 0.8 * waves.wavelength_m, octaves: 3, ..waves };
    let wobble = fractal(&domain.tiles(), seed.of("outline"), NoiseShape::Fbm, &broad, ctx)?;
    for y in 0..domain.size.1 {
        for x in 0..domain.size.0 {
            let near =
                from_ocean_sides(domain, (x, y), p).into_iter().flatten().map(|(d, across)| d / across);
            // Corners are farther from land than the middles of the sides.
            let t = 1.0 - near.map(|d| (1.0 - d / REACH).max(0.0)).fold(0.0, |sum, d| sum + d * d).sqrt();
            let t = t + WOBBLE * wobble[(x, y)] as f64;
            value[(x, y)] -= (1.1 * (1.0 - math::smoothstep(math::clamp01(t)))) as f32;
        }
    }
    let map = domain.crop(&value);
    let ocean = ((1.0 - p.land.share) * map.len() as f64) as usize;
    let line = stats::kth(&map, ocean.min(map.len() - 1), ctx)?;
    Ok(value.map(|&v| (v >= line) as u8))
}

/// Makes the outermost tiles ocean along sides with ocean beyond them.
fn rim(land: &mut Grid<u8>, domain: &Domain, p: &RealmParams) {
    for y in 0..domain.size.1 {
        for x in 0..domain.size.0 {
            let outside = |side: &(f64, f64)| side.0 < RIM as f64;
            if from_ocean_sides(domain, (x, y), p).iter().flatten().any(outside) {
                land[(x, y)] = 0;
            }
        }
    }
}

/// Ocean that does not reach the edge of the domain becomes land, unless a template draws it.
fn fill_ponds(land: &mut Grid<u8>, domain: &Domain, drawn: Option<&Drawn>) {
    let (regions, sizes) = region::areas(land);
    let mut open = region::reach_border(&regions, sizes.len());
    for ((x, y), cell) in drawn.into_iter().flat_map(Grid::iter) {
        open[regions[(x + domain.first.0, y + domain.first.1)] as usize] |= *cell == Some(biomes::OCEAN);
    }
    for (tile, &r) in land.cells_mut().iter_mut().zip(regions.cells()) {
        *tile |= !open[r as usize] as u8;
    }
}

/// Peninsulas and bays: `coast.features` and up to one more or less for each 256 tiles of a side with ocean beyond it.
///
/// A place on the coast is found by going inwards from the side. A peninsula is a finger of 10 to 30 tiles, 5 to 10 wide at its base and 1 to 3 at its
/// tip; a bay goes 10 to 20 tiles inland and is 5 to 15 wide. On shorter sides they are
/// smaller. Their axes wander by noise.
fn features(land: &mut Grid<u8>, domain: &Domain, seed: Seed, p: &RealmParams) {
    let sides = [
        (p.land.north, domain.map.0, (0.0, 1.0)),
        (p.land.east, domain.map.1, (-1.0, 0.0)),
        (p.land.south, domain.map.0, (0.0, -1.0)),
        (p.land.west, domain.map.1, (1.0, 0.0)),
    ];
    let before = land.clone();
    for (s, (beyond, length, inwards)) in sides.into_iter().enumerate() {
        if beyond == Beyond::Land || p.coast.features == 0 {
            continue;
        }
        let draw = |k: usize, what: i64| seed.unit_at((s * 1000 + k) as i64, what);
        let give = (draw(999, 0) * 3.0) as usize;
        let count = ((p.coast.features as usize + give).saturating_sub(1) * length).div_ceil(256);
        let small = (length as f64 / 256.0).clamp(0.4, 1.0);
        for k in 0..count {
            // Spread over the side, each within its part.
            let at = (k as f64 + 0.15 + 0.7 * draw(k, 1)) / count as f64 * length as f64;
            let Some(coast) = coast_at(&before, domain, s, at) else { continue };
            let turn = (draw(k, 2) - 0.5) * 1.6;
            let peninsula = draw(k, 3) < p.coast.peninsulas;
            let (dx, dy) = if peninsula { (-inwards.0, -inwards.1) } else { inwards };
            let finger = match peninsula {
                true => Finger {
                    length: small * math::lerp(10.0, 30.0, draw(k, 4)),
                    base: math::lerp(5.0, 10.0, draw(k, 5)),
                    tip: math::lerp(1.0, 3.0, draw(k, 6)),
                    fill: 1,
                },
                false => Finger {
                    length: small * math::lerp(10.0, 20.0, draw(k, 4)),
                    base: math::lerp(8.0, 15.0, draw(k, 5)) * small,
                    tip: math::lerp(5.0, 8.0, draw(k, 6)) * small,
                    fill: 0,
                },
            };
            finger.draw(land, coast, math::atan2(dy, dx) + turn, Seed(seed.at(s as i64, k as i64)));
        }
    }
}

/// The first tile of land from a side inwards, at a place along that side.
fn coast_at(land: &Grid<u8>, domain: &Domain, side: usize, at: f64) -> Option<(f64, f64)> {
    let (w, h) = domain.map;
    let (fx, fy) = domain.first;
    let depth = if side.is_multiple_of(2) { h } else { w };
    (0..depth).find_map(|k| {
        let (x, y) = match side {
            0 => (fx + at as usize, fy + k),
            1 => (fx + w - 1 - k, fy + at as usize),
            2 => (fx + at as usize, fy + h - 1 - k),
            _ => (fx + k, fy + at as usize),
        };
        (*land.get(x, y)? == 1).then_some((x as f64 + 0.5, y as f64 + 0.5))
    })
}

/// A finger of land or of ocean.
struct Finger {
    length: f64,
    base: f64,
    tip: f64,
    fill: u8,
}

impl Finger {
    /// Draws it from a place on the coast outwards, with a root on the other side so that it is attached.
    fn draw(&self, land: &mut Grid<u8>, from: (f64, f64), angle: f64, seed: Seed) {
        let (mut x, mut y) = from;
        let steps = (2.0 * self.length) as usize;
        let (dx, dy) = (math::cos(angle), math::sin(angle));
        (x, y) = (x - 3.0 * dx, y - 3.0 * dy);
        let mut heading = angle;
        for k in 0..steps + 6 {
            let t = math::clamp01(k as f64 / (steps + 6) as f64);
            let width = math::lerp(self.base, self.tip, t) * (0.85 + 0.3 * seed.unit_at(k as i64 / 3, 0));
            disc(land, (x, y), width / 2.0, self.fill);
            // The heading wanders about the first one.
            heading += 0.5 * (seed.unit_at(k as i64, 1) - 0.5) + 0.1 * (angle - heading);
            (x, y) = (x + 0.5 * math::cos(heading), y + 0.5 * math::sin(heading));
        }
    }
}

/// Fills the tiles whose centres lie within a disc.
fn disc(land: &mut Grid<u8>, (x, y): (f64, f64), radius: f64, fill: u8) {
    let from = |v: f64| (v - radius).floor().max(0.0) as usize;
    for ty in from(y)..((y + radius).ceil().max(0.0) as usize).min(land.height()) {
        for tx in from(x)..((x + radius).ceil().max(0.0) as usize).min(land.width()) {
            let (dx, dy) = (tx as f64 + 0.5 - x, ty as f64 + 0.5 - y);
            if dx * dx + dy * dy <= radius * radius {
                land[(tx, ty)] = fill;
            }
        }
    }
}

/// Islands of 10 to 30 tiles across, 5 to 20 tiles off the nearest coast, smaller on maps with fewer than 256 tiles along a side:
/// ρ < r·(0.85 + 0.6·n(θ)), where n from −½ to ½ is noise around the island.
fn islands(land: &mut Grid<u8>, domain: &Domain, seed: Seed, p: &RealmParams, ctx: &Ctx) -> Result<()> {
    let (w, h) = domain.map;
    let sides = ((w * h) as f64 / 65536.0).sqrt();
    let count = (p.coast.islands as f64 * sides).round().max((p.coast.islands.min(3)) as f64) as usize;
    let small = (w.min(h) as f64 / 256.0).clamp(0.4, 1.0);
    let far = distance::euclidean(domain.size.0, domain.size.1, ctx, |i| land.cells()[i] == 1)?.squared;
    let mut placed: Vec<(f64, f64, f64)> = Vec::new();
    for k in 0..count {
        let radius = small * math::lerp(5.0, 15.0, seed.unit_at(k as i64, -1));
        let off = |lo: f64| (lo + radius) * (lo + radius);
        let (near, most) = (off(5.0 * small), off(20.0));
        // The first of many places that fits.
        let place = (0..600).find_map(|attempt| {
            let x = (seed.unit_at(k as i64, 2 * attempt) * w as f64) as usize + domain.first.0;
            let y = (seed.unit_at(k as i64, 2 * attempt + 1) * h as f64) as usize + domain.first.1;
            let d = far[(x, y)] as f64;
            let inside =
                from_ocean_sides(domain, (x, y), p).iter().flatten().all(|s| s.0 > radius + RIM as f64);
            let (x, y) = (x as f64 + 0.5, y as f64 + 0.5);
            let apart = |&(px, py, pr): &(f64, f64, f64)| {
                (px - x) * (px - x) + (py - y) * (py - y) > (pr + radius + 5.0) * (pr + radius + 5.0)
            };
            (d >= near && d <= most && inside && placed.iter().all(apart)).then_some((x, y))
        });
        let Some((cx, cy)) = place else { continue };
        placed.push((cx, cy, radius));
        let noise = Seed(seed.at(k as i64, -2));
        let reach = (1.5 * radius).ceil() as i64;
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                let (x, y) = (cx as i64 + dx, cy as i64 + dy);
                if !land.contains(x, y) {
                    continue;
                }
                let far = ((dx * dx + dy * dy) as f64).sqrt();
                let angle = (math::atan2(dy as f64, dx as f64) + PI) / (2.0 * PI) * 9.0;
                let bump = |i: i64| noise.unit_at(i.rem_euclid(9), 0) - 0.5;
                let n =
                    math::lerp(bump(angle as i64), bump(angle as i64 + 1), math::smoothstep(angle.fract()));
                if far < radius * (0.85 + 0.6 * n) {
                    land[(x as usize, y as usize)] = 1;
                }
            }
        }
    }
    Ok(())
}

/// The displacement of coasts: that of all borders and the broader one of coasts.
fn distorted(land: &Grid<u8>, seed: Seed, p: &Borders, ctx: &Ctx) -> Result<Grid<u8>> {
    let size = land.shape();
    let broad = Displacement {
        most: p.coast_displacement_tiles,
        waves: Fractal {
            wavelength_m: p.base_tiles / p.coast_frequency,
            octaves: p.coast_octaves,
            persistence: 0.5,
            lacunarity: 2.0,
        },
    };
    let mut fields = broad.fields(size, seed.of("coast distortion"), ctx)?;
    let fine = border_displacement(p).fields(size, seed.of("border distortion"), ctx)?;
    for (sum, add) in fields.iter_mut().zip(&fine) {
        sum.cells_mut().iter_mut().zip(add.cells()).for_each(|(a, b)| *a += b);
    }
    let reach = (p.coast_displacement_tiles + p.displacement_tiles).ceil() as u16;
    let near = region::near_border(land, reach, ctx)?;
    region::warp(land, land.clone(), &fields, ctx, |i| near.cells()[i] != 0)
}

/// The displacement of all borders.
pub fn border_displacement(p: &Borders) -> Displacement {
    Displacement {
        most: p.displacement_tiles,
        waves: Fractal {
            wavelength_m: p.base_tiles / p.frequency,
            octaves: p.octaves,
            persistence: 0.5,
            lacunarity: 2.0,
        },
    }
}
