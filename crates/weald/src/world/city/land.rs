//! Zones, terrain and ridges: the land before erosion (§1, §2, §4).

use super::BUILDABLE;
use super::params::{self, CityParams, Curve, Stretch};
use crate::error::Result;
use weald_core::line::Point;
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal, fractal_at};
use weald_core::{Ctx, Frame, Grid, Seed, math, par, slope, stats};

/// Cells along the width of the map on which amplitude and lowest point are found. They are the same for every resolution
/// from 512 cells on, so the land is too. Coarser maps are their own reference: their slopes are much gentler.
const REFERENCE: usize = 1024;

/// Rounding of the crests of ridges, in units of |2n − 1|: a few tens of metres, which the coarsest cells can show.
const ROUND: f32 = 0.06;

/// Scale of the ridge noise: n = ½ + noise · 1.25. The noise seldom leaves ±0.4, so n spans 0 to 1.
const FOLD: f32 = 2.5;

/// The land before erosion.
#[derive(Clone, Debug)]
pub struct Land {
    /// P, 0 to 1 (§1.2).
    pub zones: Grid<f32>,
    /// Heights above the sea in metres, with ridges.
    pub height: Grid<f32>,
    /// Share that is buildable without ridges.
    pub buildable_terrain: f64,
}

/// What makes land of any resolution from noise.
#[derive(Clone, Debug)]
pub struct NoiseLand {
    params: CityParams,
    seed: Seed,
    /// A_base in metres.
    pub amplitude_m: f64,
    /// Height of the ground where the noise is 0, in metres above the sea.
    pub middle_m: f64,
    /// The zones of the reference map, which places outside it share.
    curve: Option<Potential>,
}

/// The noise that gives the zones finer edges where mountains rise: its wavelength and strength relative to the zones.
const EDGES: (f64, f64) = (0.35, 1.3);

/// How far inside the zones of mountains their edge lies, in units of the spread of the noise.
const INSIDE: f64 = 0.15;

/// Places on the plane.
impl NoiseLand {
    /// Height before erosion at a place, in metres above the sea. Zones are those of the reference map.
    pub fn height_at(&self, (x, y): Point) -> f64 {
        let (t, r) = (&self.params.terrain, &self.params.ridges);
        let potential = self.curve.as_ref().map_or(0.5, |c| c.at(self.zone_noise_at((x, y))));
        let terrain = fractal_at(x, y, self.seed.of("terrain"), NoiseShape::Fbm, &terrain_rule(t));
        let ridges = fractal_at(x, y, self.seed.of("ridges"), NoiseShape::Billow, &ridge_rule(r));
        let shape = terrain * swing(t, potential) + Fold::of(r).ridge(potential, ridges);
        (self.middle_m as f32 + self.amplitude_m as f32 * shape) as f64
    }

    /// Share of the full uplift at a place: 1/(1 + e^−t) with t = (n₀ − n − e)/(f·s), where n is the noise of the zones, n₀ its
    /// value where the potential is one half, e a finer noise, s the spread of n and f `zones.foothills`.
    pub fn mountain_at(&self, (x, y): Point) -> f64 {
        let Some(curve) = &self.curve else { return 0.5 };
        let z = &self.params.zones;
        let fine = Fractal {
            wavelength_m: EDGES.0 * z.wavelength_m,
            octaves: 5,
            persistence: 0.55,
            lacunarity: 2.0,
        };
        let edge = fractal_at(x, y, self.seed.of("zone edges"), NoiseShape::Fbm, &fine) as f64 * EDGES.1;
        let below = curve.limit() as f64 - self.zone_noise_at((x, y)) as f64 - (edge + INSIDE) * curve.spread;
        1.0 / (1.0 + math::exp(-below / (z.foothills * curve.spread)))
    }

    fn zone_noise_at(&self, (x, y): Point) -> f32 {
        fractal_at(x, y, self.seed.of("zones"), NoiseShape::Fbm, &zone_rule(&self.params.zones))
    }
}

impl NoiseLand {
    /// Solves for the amplitude and the height of the ground on a reference map over the same land as `frame`.
    ///
    /// Heights are the amplitude A times a shape, so slopes are A times those of the shape. A is found by bisection so that the
    /// requested share is buildable with the ridges, which is what erosion starts from. Reach: whole map.
    pub fn new(frame: &Frame, seed: Seed, p: &CityParams, ctx: &Ctx) -> Result<Self> {
        let width = if frame.width < REFERENCE / 2 { frame.width } else { REFERENCE };
        let reference = Frame {
            width,
            height: (width * frame.height).div_ceil(frame.width).max(2),
            cell_m: frame.cell_m * frame.width as f64 / width as f64,
            origin: frame.origin,
        };
        let mut noise_land = Self { params: p.clone(), seed, amplitude_m: 1.0, middle_m: 0.0, curve: None };
        let ctx = &ctx.quiet();
        let noise = noise_land.zone_noise(&reference, ctx)?;
        noise_land.curve = Potential::of(&noise, p.zones.curve, p.zones.coverage, ctx)?;
        let zones = noise_land.zones(&reference, ctx)?;
        let terrain = noise_land.terrain(&reference, &zones, ctx)?;
        let shape = noise_land.ridged(terrain, &reference, &zones, ctx)?;
        noise_land.amplitude_m = p.terrain.amplitude_m;
        if p.terrain.buildable_share > 0.0 {
            let slopes = slope::rise_over_run(&shape, reference.cell_m, ctx)?;
            noise_land.amplitude_m = amplitude(&slopes, p.terrain.buildable_share, ctx)?;
        }
        let (low, high) = stats::min_max(&shape, ctx)?.unwrap_or((0.0, 0.0));
        noise_land.middle_m = p.map.lowest_m - noise_land.amplitude_m * low as f64;
        if p.terrain.stretch == Stretch::Full && high > low {
            noise_land.amplitude_m = p.map.height_scale_m / (high - low) as f64;
            noise_land.middle_m = -p.map.sea_level_m - noise_land.amplitude_m * low as f64;
        }
        Ok(noise_land)
    }

    /// The land of `frame`. Reach: point, except for the range of the zones, which is that of the map.
    pub fn land(&self, frame: &Frame, ctx: &Ctx) -> Result<Land> {
        let zones = ctx.stage("zones", |c| self.zones(frame, c))?;
        let terrain = ctx.stage("terrain", |c| self.terrain(frame, &zones, c))?;
        let limit = (BUILDABLE / self.amplitude_m) as f32;
        let buildable_terrain = ctx.stage("terrain slope", |c| {
            stats::share_below(&slope::rise_over_run(&terrain, frame.cell_m, c)?, limit, c)
        })?;
        let height = ctx.stage("ridges", |c| {
            let shape = self.ridged(terrain, frame, &zones, c)?;
            self.scaled(shape, c)
        })?;
        Ok(Land { zones, height, buildable_terrain })
    }

    /// P = ((FBM − min) / (max − min))^γ with γ = ln ½ / ln q, where q is the quantile of 1 − coverage: P > ½ on exactly the
    /// requested share of the cells (§1.2, §1.3). Of cells with equal noise at q, the first in row-major order are above.
    fn zones(&self, frame: &Frame, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let z = &self.params.zones;
        potential(self.zone_noise(frame, ctx)?, z.curve, z.coverage, &ctx.quiet())
    }

    fn zone_noise(&self, frame: &Frame, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        fractal(frame, self.seed.of("zones"), NoiseShape::Fbm, &zone_rule(&self.params.zones), ctx)
    }

    /// T / A_base = (A_min + (A_max − A_min)(1 − P)) · FBM (§2.2).
    fn terrain(&self, frame: &Frame, zones: &Grid<f32>, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let t = &self.params.terrain;
        let mut shape = fractal(frame, self.seed.of("terrain"), NoiseShape::Fbm, &terrain_rule(t), ctx)?;
        par::for_rows(
            shape.rows_mut(),
            &ctx.quiet(),
            #[inline(always)]
            |y, row| {
                for (h, &p) in row.iter_mut().zip(zones.row(y)) {
                    *h *= swing(t, p);
                }
            },
        )?;
        Ok(shape)
    }

    /// T + α · strength · R with R = 1 − |2n − 1|, its crest rounded, and α = smoothstep(from, to, 1 − P) (§4.2). Where P > 1 − from nothing is
    /// added, where P < 1 − to all of it.
    fn ridged(
        &self,
        mut shape: Grid<f32>,
        frame: &Frame,
        zones: &Grid<f32>,
        ctx: &Ctx,
    ) -> weald_core::Result<Grid<f32>> {
        let r = &self.params.ridges;
        let noise = fractal(frame, self.seed.of("ridges"), NoiseShape::Billow, &ridge_rule(r), ctx)?;
        let fold = Fold::of(r);
        par::for_rows(
            shape.rows_mut(),
            &ctx.quiet(),
            #[inline(always)]
            |y, row| {
                let (noise, zones) = (noise.row(y), zones.row(y));
                for (x, h) in row.iter_mut().enumerate() {
                    *h += fold.ridge(zones[x], noise[x]);
                }
            },
        )?;
        Ok(shape)
    }

    /// Metres above the sea.
    fn scaled(&self, mut shape: Grid<f32>, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let (amplitude, middle) = (self.amplitude_m as f32, self.middle_m as f32);
        par::for_rows(
            shape.rows_mut(),
            &ctx.quiet(),
            #[inline(always)]
            |_, row| row.iter_mut().for_each(|h| *h = middle + amplitude * *h + 0.0),
        )?;
        Ok(shape)
    }
}

fn zone_rule(z: &params::Zones) -> Fractal {
    Fractal { wavelength_m: z.wavelength_m, octaves: z.octaves, persistence: 0.5, lacunarity: 2.0 }
}

fn terrain_rule(t: &params::Terrain) -> Fractal {
    Fractal {
        wavelength_m: t.wavelength_m,
        octaves: t.octaves,
        persistence: t.persistence,
        lacunarity: t.lacunarity,
    }
}

fn ridge_rule(r: &params::Ridges) -> Fractal {
    Fractal { wavelength_m: r.wavelength_m, octaves: r.octaves, persistence: 0.5, lacunarity: 2.0 }
}

/// A(P) = A_min + (A_max − A_min)(1 − P).
#[inline(always)]
fn swing(t: &params::Terrain, potential: f32) -> f32 {
    let (low, high) = (t.amplitude_min as f32, t.amplitude_max as f32);
    low + (high - low) * (1.0 - potential)
}

/// The ridges that are added to the terrain.
#[derive(Clone, Copy)]
struct Fold {
    from: f32,
    span: f32,
    strength: f32,
    /// What the noise of the fold is added to, and with which sign.
    base: f32,
    sign: f32,
}

impl Fold {
    fn of(r: &params::Ridges) -> Self {
        let (base, sign) = match r.crest {
            params::Fold::Sharp => (1.0, -1.0),
            params::Fold::Hollow => (0.0, 1.0),
        };
        let (from, span) = (r.blend_from as f32, (r.blend_to - r.blend_from) as f32);
        Self { from, span, strength: r.strength as f32, base, sign }
    }

    /// α · strength · R at a potential and a noise.
    #[inline(always)]
    fn ridge(&self, potential: f32, noise: f32) -> f32 {
        let t = ((1.0 - potential - self.from) / self.span).clamp(0.0, 1.0);
        let alpha = t * t * (3.0 - 2.0 * t);
        let fold = noise * FOLD;
        let fold = (fold * fold + ROUND * ROUND).sqrt() - ROUND;
        alpha * self.strength * (self.base + self.sign * fold.min(1.0))
    }
}

/// How noise is turned into a potential.
#[derive(Clone, Debug)]
struct Potential {
    low: f32,
    high: f32,
    /// Standard deviation of the noise.
    spread: f64,
    /// The noise at which the potential is one half, and the power; none for [`Curve::Linear`].
    half: Option<(f32, f32)>,
}

impl Potential {
    /// The curve that fits `noise`; none if it is the same everywhere.
    fn of(noise: &Grid<f32>, curve: Curve, coverage: f64, ctx: &Ctx) -> weald_core::Result<Option<Self>> {
        let Some((low, high)) = stats::min_max(noise, ctx)?.filter(|(low, high)| high > low) else {
            return Ok(None);
        };
        let spread = spread(noise);
        if curve == Curve::Linear {
            return Ok(Some(Self { low, high, spread, half: None }));
        }
        let limit = stats::kth(noise, noise.len() - wanted(noise, coverage) - 1, ctx)?;
        let q = (limit as f64 - low as f64) / (high as f64 - low as f64);
        let gamma = math::ln(0.5) / math::ln(q.clamp(1e-9, 1.0 - 1e-9));
        Ok(Some(Self { low, high, spread, half: Some((limit, gamma.min(5.0) as f32)) }))
    }

    /// The noise at which the potential is one half.
    fn limit(&self) -> f32 {
        self.half.map_or((self.low + self.high) / 2.0, |(limit, _)| limit)
    }

    /// P where the noise is `v`: above one half exactly where the noise is above its limit.
    #[inline(always)]
    fn at(&self, v: f32) -> f32 {
        let (limit, gamma) = self.half.unwrap_or((f32::INFINITY, 1.0));
        let (least, most) = if self.half.is_some() { (ABOVE_HALF, 0.5) } else { (0.0, 1.0) };
        let unit = ((v - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let p = if gamma == 1.0 { unit } else { math::pow_unit(unit, gamma) };
        if v > limit { p.max(least) } else { p.min(most) }
    }

    /// P of every cell.
    fn apply(&self, mut noise: Grid<f32>, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        par::for_rows(
            noise.rows_mut(),
            ctx,
            #[inline(always)]
            |_, row| row.iter_mut().for_each(|v| *v = self.at(*v)),
        )?;
        Ok(noise)
    }
}

/// Standard deviation, summed in the order of the cells.
fn spread(noise: &Grid<f32>) -> f64 {
    let n = noise.len() as f64;
    let mean = noise.cells().iter().fold(0.0, |sum, &v| sum + v as f64) / n;
    let square = noise.cells().iter().fold(0.0, |sum, &v| sum + (v as f64 - mean) * (v as f64 - mean));
    (square / n).sqrt()
}

/// The smallest potential above one half.
const ABOVE_HALF: f32 = f32::from_bits(0x3F00_0001);

/// Cells that are to be above one half.
fn wanted(noise: &Grid<f32>, coverage: f64) -> usize {
    ((coverage * noise.len() as f64).round() as usize).clamp(1, noise.len() - 1)
}

/// Noise as a potential, by [`Curve`]. Of equal cells at the limit, the first in row-major order go above one half.
pub(super) fn potential(
    noise: Grid<f32>,
    curve: Curve,
    coverage: f64,
    ctx: &Ctx,
) -> weald_core::Result<Grid<f32>> {
    let Some(rule) = Potential::of(&noise, curve, coverage, ctx)? else {
        return Ok(Grid::filled(noise.width(), noise.height(), 0.5));
    };
    let mut lifted = Vec::new();
    if let Some((limit, _)) = rule.half {
        let above = noise.cells().iter().filter(|v| **v > limit).count();
        let equal = noise.cells().iter().enumerate().filter(|(_, v)| **v == limit).map(|(i, _)| i);
        lifted = equal.take(wanted(&noise, coverage) - above).collect();
    }
    let mut zones = rule.apply(noise, ctx)?;
    lifted.into_iter().for_each(|i| zones.cells_mut()[i] = ABOVE_HALF);
    Ok(zones)
}

/// The factor by which a shape with these slopes is scaled so that `share` of it is buildable.
fn amplitude(slopes: &Grid<f32>, share: f64, ctx: &Ctx) -> weald_core::Result<f64> {
    let (mut low, mut high) = (0.01f64, 10_000.0);
    for _ in 0..50 {
        let middle = (low * high).sqrt();
        let found = stats::share_below(slopes, (BUILDABLE / middle) as f32, ctx)?;
        if found > share { low = middle } else { high = middle }
    }
    Ok(low)
}

/// Cells over which the slope of an authored map is measured, for its zones.
const BREADTH_M: f64 = 450.0;

/// A map made elsewhere as land. Its zones follow it: the gentler the ground over a few hundred metres, the higher the
/// potential. Reach: about 1 km.
pub fn of_map(height: Grid<f32>, frame: &Frame, p: &CityParams, ctx: &Ctx) -> Result<Land> {
    let ctx = &ctx.quiet();
    let side = frame.width.min(frame.height);
    let step = ((BREADTH_M / frame.cell_m).round() as usize).clamp(1, side / 4);
    let broad = stats::block_means(&height, step, ctx)?;
    let steep = slope::rise_over_run(&broad, frame.cell_m * step as f64, ctx)?;
    let gentle = par::fill(frame.width, frame.height, ctx, |y, row: &mut [f32]| {
        let at = |i: usize| (i as f64 + 0.5) / step as f64 - 0.5;
        for (x, out) in row.iter_mut().enumerate() {
            *out = -steep.bilinear(at(x), at(y)) as f32;
        }
    })?;
    let zones = potential(gentle, p.zones.curve, p.zones.coverage, ctx)?;
    let buildable_terrain =
        stats::share_below(&slope::rise_over_run(&height, frame.cell_m, ctx)?, BUILDABLE as f32, ctx)?;
    Ok(Land { zones, height, buildable_terrain })
}
