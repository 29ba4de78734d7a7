//! Zones, terrain and ridges: the land before erosion (§1, §2, §4).

use super::BUILDABLE;
use super::params::{CityParams, Curve, Stretch};
use crate::error::Result;
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal};
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
        let mut noise_land = Self { params: p.clone(), seed, amplitude_m: 1.0, middle_m: 0.0 };
        let ctx = &ctx.quiet();
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

    /// Heights around the map of `inner`: zones keep the range and the power they have there.
    pub fn around(&self, frame: &Frame, inner: &Frame, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let z = &self.params.zones;
        let curve = Potential::of(&self.zone_noise(inner, ctx)?, z.curve, z.coverage, ctx)?;
        let zones = curve.map_or_else(
            || Ok(Grid::filled(frame.width, frame.height, 0.5)),
            |curve| curve.apply(self.zone_noise(frame, ctx)?, ctx),
        )?;
        self.heights(frame, &zones, ctx)
    }

    /// Heights and zones only.
    pub fn ground(&self, frame: &Frame, ctx: &Ctx) -> weald_core::Result<(Grid<f32>, Grid<f32>)> {
        let zones = self.zones(frame, ctx)?;
        Ok((self.heights(frame, &zones, ctx)?, zones))
    }

    /// Terrain and ridges over given zones, in metres above the sea.
    fn heights(&self, frame: &Frame, zones: &Grid<f32>, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let terrain = self.terrain(frame, zones, ctx)?;
        let shape = self.ridged(terrain, frame, zones, ctx)?;
        self.scaled(shape, ctx)
    }

    /// P = ((FBM − min) / (max − min))^γ with γ = ln ½ / ln q, where q is the quantile of 1 − coverage: P > ½ on exactly the
    /// requested share of the cells (§1.2, §1.3). Of cells with equal noise at q, the first in row-major order are above.
    fn zones(&self, frame: &Frame, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let z = &self.params.zones;
        potential(self.zone_noise(frame, ctx)?, z.curve, z.coverage, &ctx.quiet())
    }

    fn zone_noise(&self, frame: &Frame, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let z = &self.params.zones;
        let rule =
            Fractal { wavelength_m: z.wavelength_m, octaves: z.octaves, persistence: 0.5, lacunarity: 2.0 };
        fractal(frame, self.seed.of("zones"), NoiseShape::Fbm, &rule, ctx)
    }

    /// T / A_base = (A_min + (A_max − A_min)(1 − P)) · FBM (§2.2).
    fn terrain(&self, frame: &Frame, zones: &Grid<f32>, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let t = &self.params.terrain;
        let rule = Fractal {
            wavelength_m: t.wavelength_m,
            octaves: t.octaves,
            persistence: t.persistence,
            lacunarity: t.lacunarity,
        };
        let mut shape = fractal(frame, self.seed.of("terrain"), NoiseShape::Fbm, &rule, ctx)?;
        let (low, high) = (t.amplitude_min as f32, t.amplitude_max as f32);
        par::for_rows(
            shape.rows_mut(),
            &ctx.quiet(),
            #[inline(always)]
            |y, row| {
                for (h, &p) in row.iter_mut().zip(zones.row(y)) {
                    *h *= low + (high - low) * (1.0 - p);
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
        let rule =
            Fractal { wavelength_m: r.wavelength_m, octaves: r.octaves, persistence: 0.5, lacunarity: 2.0 };
        let noise = fractal(frame, self.seed.of("ridges"), NoiseShape::Billow, &rule, ctx)?;
        let (from, span) = (r.blend_from as f32, (r.blend_to - r.blend_from) as f32);
        let (sign, base) = match r.crest {
            super::params::Fold::Sharp => (-1.0, 1.0),
            super::params::Fold::Hollow => (1.0, 0.0),
        };
        let strength = r.strength as f32;
        par::for_rows(
            shape.rows_mut(),
            &ctx.quiet(),
            #[inline(always)]
            |y, row| {
                let (noise, zones) = (noise.row(y), zones.row(y));
                for (x, h) in row.iter_mut().enumerate() {
                    let t = ((1.0 - zones[x] - from) / span).clamp(0.0, 1.0);
                    let alpha = t * t * (3.0 - 2.0 * t);
                    let fold = noise[x] * FOLD;
                    let fold = (fold * fold + ROUND * ROUND).sqrt() - ROUND;
                    let ridge = base + sign * fold.min(1.0);
                    *h += alpha * strength * ridge;
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

/// How noise is turned into a potential.
struct Potential {
    low: f32,
    high: f32,
    /// The noise at which the potential is one half, and the power; none for [`Curve::Linear`].
    half: Option<(f32, f32)>,
}

impl Potential {
    /// The curve that fits `noise`; none if it is the same everywhere.
    fn of(noise: &Grid<f32>, curve: Curve, coverage: f64, ctx: &Ctx) -> weald_core::Result<Option<Self>> {
        let Some((low, high)) = stats::min_max(noise, ctx)?.filter(|(low, high)| high > low) else {
            return Ok(None);
        };
        if curve == Curve::Linear {
            return Ok(Some(Self { low, high, half: None }));
        }
        let limit = stats::kth(noise, noise.len() - wanted(noise, coverage) - 1, ctx)?;
        let q = (limit as f64 - low as f64) / (high as f64 - low as f64);
        let gamma = math::ln(0.5) / math::ln(q.clamp(1e-9, 1.0 - 1e-9));
        Ok(Some(Self { low, high, half: Some((limit, gamma.min(5.0) as f32)) }))
    }

    /// P of every cell: above one half exactly where the noise is above its limit.
    fn apply(&self, mut noise: Grid<f32>, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let (low, span) = (self.low, self.high - self.low);
        let (limit, gamma) = self.half.unwrap_or((f32::INFINITY, 1.0));
        let (least, most) = if self.half.is_some() { (ABOVE_HALF, 0.5) } else { (0.0, 1.0) };
        par::for_rows(
            noise.rows_mut(),
            ctx,
            #[inline(always)]
            |_, row| {
                for v in row.iter_mut() {
                    let unit = ((*v - low) / span).clamp(0.0, 1.0);
                    let p = if gamma == 1.0 { unit } else { math::pow_unit(unit, gamma) };
                    *v = if *v > limit { p.max(least) } else { p.min(most) };
                }
            },
        )?;
        Ok(noise)
    }
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
