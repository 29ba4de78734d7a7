//! Biomes, vegetation, ground and obstruction (§7 to §9).

use super::classes::*;
use super::land::Land;
use super::params::ForestParams;
use super::water::Water;
use crate::Result;
use weald_core::math::clamp01;
use weald_core::{Ctx, Grid, par};

/// The phase "cover".
#[derive(Clone, Debug)]
pub struct Cover {
    /// One of [`BIOMES`].
    pub biome: Grid<u8>,
    /// Density of trees, 0 to 1.
    pub tree_density: Grid<f32>,
    /// Share of the sky under leaves, 0 to 1.
    pub canopy: Grid<f32>,
    /// One of [`SOILS`].
    pub soil: Grid<u8>,
    /// Firmness of the ground, 0 to 1.
    pub firmness: Grid<f32>,
    /// Bits of [`SURFACE_FLAGS`].
    pub surface: Grid<u8>,
    /// Obstruction, 0 to 1.
    pub obstruction: Grid<f32>,
    /// Bits of [`FEATURE_FLAGS`].
    pub features: Grid<u8>,
}

/// Derives biomes, vegetation, ground and obstruction.
pub fn cover(land: &Land, water: &Water, p: &ForestParams, ctx: &Ctx) -> Result<Cover> {
    let biome = ctx.stage("biome", |c| biome(land, water, p.veg_variance_noise.strength, c))?;
    let (tree_density, canopy) = ctx.stage("vegetation", |c| vegetation(land, water, &biome, c))?;
    let (soil, firmness, surface) = ctx.stage("ground", |c| ground(land, water, p, c))?;
    let (obstruction, features) = ctx.stage("features", |c| features(land, water, p, c))?;
    Ok(Cover { biome, tree_density, canopy, soil, firmness, surface, obstruction, features })
}

/// Moisture m₂ from which, and slope below which, there is open bog (§7.2.3).
pub(super) const BOG: (f64, f32) = (0.85, 0.03);
/// Moisture m₂ from which there is spruce swamp, and from which there is mixed forest.
pub(super) const SWAMP: f64 = 0.65;
/// See [`SWAMP`].
pub(super) const MIXED: f64 = 0.40;
/// Elevation from which, and slope below which, pines grow as on an esker.
pub(super) const ESKER: (f32, f32) = (0.70, 0.05);

/// The biome of one tile: the decision table of §7.2.3.
#[inline(always)]
pub(super) fn biome_of(water: u8, m2: f64, height: f32, slope: f32) -> u8 {
    match water {
        LAKE => LAKE_BIOME,
        STREAM => STREAM_BANK,
        _ if m2 >= BOG.0 && slope < BOG.1 => OPEN_BOG,
        _ if m2 >= SWAMP => SPRUCE_SWAMP,
        _ if m2 >= MIXED => MIXED_FOREST,
        _ if height >= ESKER.0 && slope < ESKER.1 => ESKER_PINE,
        _ => PINE_HEATH,
    }
}

/// The decision table of §7.2.3 over m₂ = clamp01(Moisture + (V − 0.5)·strength). Reach: point.
fn biome(land: &Land, water: &Water, strength: f64, ctx: &Ctx) -> weald_core::Result<Grid<u8>> {
    par::fill(
        land.height.width(),
        land.height.height(),
        ctx,
        #[inline(always)]
        |y, row: &mut [u8]| {
            let (class, moisture) = (water.class.row(y), water.moisture.row(y));
            let (height, slope, variance) =
                (land.height.row(y), land.slope.row(y), land.vegetation_variance.row(y));
            for x in 0..row.len() {
                let m2 = clamp01(moisture[x] as f64 + (variance[x] as f64 - 0.5) * strength);
                row[x] = biome_of(class[x], m2, height[x], slope[x]);
            }
        },
    )
}

/// Base density and canopy by biome (§7.3.1), in the order of the codes.
pub(super) const STANDS: [(f64, f64); 7] =
    [(0.10, 0.15), (0.80, 0.78), (0.55, 0.60), (0.35, 0.40), (0.30, 0.35), (0.00, 0.00), (0.60, 0.55)];

/// TreeDensity = clamp01(b + (V − 0.5)·0.10 + (Moisture − 0.5)·0.08), CanopyCover = clamp01(c + (TreeDensity − b)·0.6),
/// with b and c by biome (§7.3.2). Reach: point.
fn vegetation(
    land: &Land,
    water: &Water,
    biome: &Grid<u8>,
    ctx: &Ctx,
) -> weald_core::Result<(Grid<f32>, Grid<f32>)> {
    let (w, h) = (biome.width(), biome.height());
    let (mut density, mut canopy) = (Grid::filled(w, h, 0f32), Grid::filled(w, h, 0f32));
    par::for_rows(
        (density.rows_mut(), canopy.rows_mut()),
        ctx,
        #[inline(always)]
        |y, (density, canopy)| {
            let (biome, variance, moisture) =
                (biome.row(y), land.vegetation_variance.row(y), water.moisture.row(y));
            for x in 0..w {
                let (base, base_canopy) = STANDS[biome[x] as usize];
                let (v, m) = (variance[x] as f64, moisture[x] as f64);
                density[x] = clamp01(base + (v - 0.5) * 0.10 + (m - 0.5) * 0.08) as f32;
                canopy[x] = clamp01(base_canopy + (density[x] as f64 - base) * 0.6) as f32;
            }
        },
    )?;
    Ok((density, canopy))
}

/// Soil, firmness and surface flags.
type Soils = (Grid<u8>, Grid<f32>, Grid<u8>);

/// Soil, firmness = clamp01(1 − 0.85·Moisture + 0.15·clamp01(Slope/0.2)) and surface flags (§8). Reach: point.
fn ground(land: &Land, water: &Water, p: &ForestParams, ctx: &Ctx) -> weald_core::Result<Soils> {
    let (w, h, g) = (land.height.width(), land.height.height(), &p.ground);
    let (peat, dry) = (g.peat_moisture_threshold as f32, g.exposed_sand_moisture_max as f32);
    let (standing, standing_slope) =
        (g.standing_water_moisture_threshold as f32, g.standing_water_slope_max as f32);
    let (lichen, rock_height) = (g.lichen_moisture_max as f32, g.bedrock_height_min as f32);
    let rock_roughness = g.bedrock_roughness_min as f32;
    let (mut soil, mut firmness) = (Grid::filled(w, h, 0u8), Grid::filled(w, h, 0f32));
    let mut surface = Grid::filled(w, h, 0u8);
    let rows = (soil.rows_mut(), firmness.rows_mut(), surface.rows_mut());
    par::for_rows(
        rows,
        ctx,
        #[inline(always)]
        |y, (soil, firmness, surface)| {
            let (height, slope, form) = (land.height.row(y), land.slope.row(y), land.landform.row(y));
            let (roughness, moisture) = (land.roughness.row(y), water.moisture.row(y));
            for x in 0..w {
                let (m, s) = (moisture[x], slope[x]);
                let high = height[x] >= rock_height;
                soil[x] = if m >= peat {
                    PEAT
                } else if m <= dry && (form[x] == RIDGE || high) {
                    SANDY_TILL
                } else {
                    ROCKY_TILL
                };
                firmness[x] = clamp01(1.0 - 0.85 * m as f64 + 0.15 * clamp01(s as f64 / 0.2)) as f32;
                let flag = |holds: bool, bit: u8| if holds { bit } else { 0 };
                surface[x] = flag(m >= standing && s < standing_slope, STANDING_WATER)
                    | flag(soil[x] == PEAT, SPHAGNUM)
                    | flag(m <= lichen, LICHEN)
                    | flag(soil[x] == SANDY_TILL && m <= dry, EXPOSED_SAND)
                    | flag(high && roughness[x] >= rock_roughness, BEDROCK);
            }
        },
    )?;
    Ok((soil, firmness, surface))
}

/// Obstruction = clamp01(R·(1 − mix) + Moisture·mix) and feature flags (§9). Reach: point.
fn features(
    land: &Land,
    water: &Water,
    p: &ForestParams,
    ctx: &Ctx,
) -> weald_core::Result<(Grid<f32>, Grid<u8>)> {
    let (w, h, f) = (land.height.width(), land.height.height(), &p.roughness_features);
    let mix = f.obstruction_moisture_mix;
    let (log, throw) = (f.fallen_log_threshold as f32, f.windthrow_threshold as f32);
    let (roots, stone_height) = (f.root_tangle_moisture_threshold as f32, f.boulder_height_min as f32);
    let stone_roughness = f.boulder_roughness_min as f32;
    let (mut obstruction, mut features) = (Grid::filled(w, h, 0f32), Grid::filled(w, h, 0u8));
    par::for_rows(
        (obstruction.rows_mut(), features.rows_mut()),
        ctx,
        #[inline(always)]
        |y, (obstruction, features)| {
            let (height, roughness, moisture) =
                (land.height.row(y), land.roughness.row(y), water.moisture.row(y));
            for x in 0..w {
                let (r, m) = (roughness[x], moisture[x]);
                let o = clamp01(r as f64 * (1.0 - mix) + m as f64 * mix) as f32;
                obstruction[x] = o;
                let flag = |holds: bool, bit: u8| if holds { bit } else { 0 };
                features[x] = flag(o >= log, FALLEN_LOG)
                    | flag(m >= roots, ROOT_TANGLE)
                    | flag(height[x] >= stone_height && r >= stone_roughness, BOULDER)
                    | flag(o >= throw, WINDTHROW);
            }
        },
    )?;
    Ok((obstruction, features))
}
