//! Vegetation, ground and obstacles (chapters 7 to 9).

use super::Rule;
use super::compare::{below, flags, formula, known, reaches, rounding};
use super::names::{
    BiomeName, ESKER_PINE, FeatureName, LAKE, LAKE_BIOME, LandformName, MIXED_FOREST, OPEN_BOG, PEAT,
    PINE_HEATH, RIDGE, ROCKY_TILL, SANDY_TILL, SPRUCE_SWAMP, STREAM, STREAM_BANK, SoilName, SpeciesName,
    SurfaceName, WaterName, name_of,
};
use super::world::World;
use crate::check::RuleResult;
use crate::error::Result;
use weald_core::math;

/// The rules of chapters 7 to 9.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "biome",
        about: "biome follows from water, moisture, slope, elevation and an admissible variance (7.2)",
        needs: &["biome", "water_class", "moisture", "slope", "height"],
        run: biome,
    },
    Rule {
        name: "tree-density",
        about: "treeDensity is that of the biome, moisture and an admissible variance (7.3)",
        needs: &["tree_density", "biome", "moisture"],
        run: tree_density,
    },
    Rule {
        name: "canopy-cover",
        about: "canopyCover follows from treeDensity and biome (7.3)",
        needs: &["canopy_cover", "tree_density", "biome"],
        run: canopy_cover,
    },
    Rule {
        name: "dominant",
        about: "dominant species follow from biome and moisture (7.4)",
        needs: &["dominant", "biome", "moisture"],
        run: dominant,
    },
    Rule {
        name: "soil",
        about: "soil follows from moisture, landform and elevation (8)",
        needs: &["soil", "moisture", "landform", "height"],
        run: soil,
    },
    Rule {
        name: "firmness",
        about: "firmness follows from moisture and slope (8)",
        needs: &["firmness", "moisture", "slope"],
        run: firmness,
    },
    Rule {
        name: "surface-flags",
        about: "surfaceFlags follow from moisture, slope, soil, elevation and an admissible roughness (8)",
        needs: &["surface_flags", "moisture", "slope", "soil", "height"],
        run: surface_flags,
    },
    Rule {
        name: "obstruction",
        about: "obstruction is a mix of moisture and an admissible roughness (9)",
        needs: &["obstruction", "moisture"],
        run: obstruction,
    },
    Rule {
        name: "feature-flags",
        about: "featureFlags follow from obstruction, moisture, elevation and an admissible roughness (9)",
        needs: &["feature_flags", "obstruction", "moisture", "height"],
        run: feature_flags,
    },
];

/// Base density and canopy of each biome, by code.
const VEGETATION: [(f64, f64); 7] =
    [(0.10, 0.15), (0.80, 0.78), (0.55, 0.60), (0.35, 0.40), (0.30, 0.35), (0.0, 0.0), (0.60, 0.55)];

/// The roughness as an interval: exact if it is known, else what obstruction and moisture leave. It may
/// reach beyond 0..1.
fn roughness(w: &World, i: usize) -> (f64, f64) {
    if let Some(&r) = w.t.roughness.get(i) {
        return (r as f64, r as f64);
    }
    let mix = w.p.roughness_features.obstruction_moisture_mix;
    let (Some(&o), Some(&m)) = (w.t.obstruction.get(i), w.t.moisture.get(i)) else {
        return (0.0, 1.0);
    };
    if mix >= 1.0 {
        return (0.0, 1.0);
    }
    unclamp(o, m as f64 * mix, 1.0 - mix)
}

/// The vegetation variance as an interval: exact if it is known, else what tree density, biome and
/// moisture leave. It may reach beyond 0..1.
fn variance(w: &World, i: usize) -> (f64, f64) {
    if let Some(&v) = w.t.vegetation_variance.get(i) {
        return (v as f64, v as f64);
    }
    let base = w.t.biome.get(i).and_then(|&b| VEGETATION.get(b as usize));
    let (Some(&d), Some(&(base, _)), Some(&m)) = (w.t.tree_density.get(i), base, w.t.moisture.get(i)) else {
        return (0.0, 1.0);
    };
    unclamp(d, base - 0.05 + (m as f64 - 0.5) * 0.08, 0.10)
}

/// The x for which clamp01(offset + x · factor) rounds to `value`, as an interval.
fn unclamp(value: f32, offset: f64, factor: f64) -> (f64, f64) {
    let slack = 2e-7;
    let at = |v: f64| (v - offset) / factor;
    let low = if value <= 0.0 { at(0.0).min(0.0) } else { at(value as f64 - slack) };
    let high = if value >= 1.0 { at(1.0).max(1.0) } else { at(value as f64 + slack) };
    (low, high)
}

/// The biome of dry land, by the number of moisture thresholds that are reached.
fn biome_of(wetness: usize, slope: f32, height: f32) -> u8 {
    match wetness {
        3 if below(slope, 0.03) => OPEN_BOG,
        2 | 3 => SPRUCE_SWAMP,
        1 => MIXED_FOREST,
        _ if reaches(height, 0.70) && below(slope, 0.05) => ESKER_PINE,
        _ => PINE_HEATH,
    }
}

fn biome(w: &World, rule: &mut RuleResult) -> Result<()> {
    let t = &w.t;
    let name = name_of::<BiomeName>;
    let wetness = |m: f64| [0.40f32, 0.65, 0.85].iter().filter(|&&limit| m >= limit as f64).count();
    for (i, &found) in t.biome.iter().enumerate() {
        let place = Some(w.place(i));
        let wet = match t.water_class[i] {
            LAKE => Some(LAKE_BIOME),
            STREAM => Some(STREAM_BANK),
            _ => None,
        };
        if let Some(asked) = wet {
            let water = name_of::<WaterName>(t.water_class[i]);
            rule.check(found == asked, place, || {
                format!("it is {} on {water}, not {}", name(found), name(asked))
            });
            continue;
        }
        let (low, high) = variance(w, i);
        let at = |v: f64| t.moisture[i] as f64 + (v.clamp(0.0, 1.0) - 0.5) * w.p.strength();
        let (a, b) = (at(low).min(at(high)), at(low).max(at(high)));
        let (a, b) = (math::clamp01(a - rounding(1.0)), math::clamp01(b + rounding(1.0)));
        let of = |wetness| biome_of(wetness, t.slope[i], t.height[i]);
        rule.check((wetness(a)..=wetness(b)).any(|k| of(k) == found), place, || {
            let (asked, s, h) = (name(of(wetness(a))), t.slope[i], t.height[i]);
            format!("it is {}, not {asked}: perturbed moisture {a}, slope {s}, elevation {h}", name(found))
        });
    }
    Ok(())
}

fn tree_density(w: &World, rule: &mut RuleResult) -> Result<()> {
    let t = &w.t;
    for (i, &found) in t.tree_density.iter().enumerate() {
        let place = Some(w.place(i));
        let Some(&(base, _)) = VEGETATION.get(t.biome[i] as usize) else {
            continue;
        };
        if let Some(&v) = t.vegetation_variance.get(i) {
            let e = math::clamp01(base + (v as f64 - 0.5) * 0.10 + (t.moisture[i] as f64 - 0.5) * 0.08);
            rule.check((found as f64 - e).abs() <= 1e-6, place, || format!("it is {found}, not {e}"));
            continue;
        }
        let (low, high) = variance(w, i);
        rule.check(low <= 1.0 && high >= 0.0, place, || {
            format!("{found} in {} would need a variance of {low}", name_of::<BiomeName>(t.biome[i]))
        });
    }
    Ok(())
}

fn canopy_cover(w: &World, rule: &mut RuleResult) -> Result<()> {
    formula(w, rule, &w.t.canopy_cover, 1e-6, |i| match VEGETATION.get(w.t.biome[i] as usize) {
        Some(&(density, canopy)) => math::clamp01(canopy + (w.t.tree_density[i] as f64 - density) * 0.6),
        None => f64::from(w.t.canopy_cover[i]),
    });
    Ok(())
}

fn dominant(w: &World, rule: &mut RuleResult) -> Result<()> {
    const PINE: u8 = 1;
    const SPRUCE: u8 = 2;
    const BIRCH: u8 = 3;
    for (i, &found) in w.t.dominant.iter().enumerate() {
        let moist = w.t.moisture[i];
        let asked = match w.t.biome[i] {
            PINE_HEATH | ESKER_PINE => PINE,
            SPRUCE_SWAMP => SPRUCE,
            MIXED_FOREST if reaches(moist, 0.52) => SPRUCE | BIRCH << 4,
            MIXED_FOREST => BIRCH | SPRUCE << 4,
            STREAM_BANK => BIRCH,
            OPEN_BOG if !reaches(moist, 0.75) => BIRCH,
            _ => 0,
        };
        rule.check(found == asked, Some(w.place(i)), || {
            let list = |code: u8| {
                let names = [code & 15, code >> 4].into_iter().filter(|&c| c > 0);
                names.map(|c| name_of::<SpeciesName>(c - 1)).collect::<Vec<_>>().join(", ")
            };
            let biome = name_of::<BiomeName>(w.t.biome[i]);
            format!("it is [{}], not [{}]: {biome}, moisture {moist}", list(found), list(asked))
        });
    }
    Ok(())
}

fn soil(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.ground);
    for (i, &found) in t.soil.iter().enumerate() {
        let (moist, height) = (t.moisture[i], t.height[i]);
        let high = t.landform[i] == RIDGE || reaches(height, p.bedrock_height_min);
        let asked = if reaches(moist, p.peat_moisture_threshold) {
            PEAT
        } else if moist <= p.exposed_sand_moisture_max as f32 && high {
            SANDY_TILL
        } else {
            ROCKY_TILL
        };
        rule.check(found == asked, Some(w.place(i)), || {
            let (name, form) = (name_of::<SoilName>, name_of::<LandformName>(t.landform[i]));
            format!(
                "it is {}, not {}: moisture {moist}, {form}, elevation {height}",
                name(found),
                name(asked)
            )
        });
    }
    Ok(())
}

fn firmness(w: &World, rule: &mut RuleResult) -> Result<()> {
    formula(w, rule, &w.t.firmness, 1e-6, |i| {
        let (moist, slope) = (w.t.moisture[i] as f64, w.t.slope[i] as f64);
        math::clamp01(1.0 - 0.85 * moist + 0.15 * math::clamp01(slope / 0.2))
    });
    Ok(())
}

/// Whether `i` must and may be a high place of at least this roughness.
fn high_and_rough(w: &World, i: usize, height_min: f64, roughness_min: f64) -> (bool, bool) {
    let ((low, high), limit) = (roughness(w, i), roughness_min as f32 as f64);
    let is_high = reaches(w.t.height[i], height_min);
    (is_high && low >= limit, is_high && high >= limit)
}

fn surface_flags(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.ground);
    for (i, &found) in t.surface_flags.iter().enumerate() {
        let moist = t.moisture[i];
        let standing = reaches(moist, p.standing_water_moisture_threshold)
            && below(t.slope[i], p.standing_water_slope_max);
        let lichen = moist <= p.lichen_moisture_max as f32;
        let sand = t.soil[i] == SANDY_TILL && moist <= p.exposed_sand_moisture_max as f32;
        let bedrock = high_and_rough(w, i, p.bedrock_height_min, p.bedrock_roughness_min);
        let asked = [known(standing), known(t.soil[i] == PEAT), known(lichen), known(sand), bedrock];
        flags::<SurfaceName>(w, rule, i, found, &asked);
    }
    Ok(())
}

fn obstruction(w: &World, rule: &mut RuleResult) -> Result<()> {
    let t = &w.t;
    let mix = w.p.roughness_features.obstruction_moisture_mix;
    for (i, &found) in t.obstruction.iter().enumerate() {
        let place = Some(w.place(i));
        let of = |r: f64| math::clamp01(r * (1.0 - mix) + t.moisture[i] as f64 * mix);
        let (low, high) = match t.roughness.get(i) {
            Some(&r) => (of(r as f64), of(r as f64)),
            None => (of(0.0), of(1.0)),
        };
        let good = (low - 1e-6..=high + 1e-6).contains(&(found as f64));
        rule.check(good, place, || format!("it is {found}, not in {low}..={high}"));
    }
    Ok(())
}

fn feature_flags(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.roughness_features);
    for (i, &found) in t.feature_flags.iter().enumerate() {
        let log = reaches(t.obstruction[i], p.fallen_log_threshold);
        let tangle = reaches(t.moisture[i], p.root_tangle_moisture_threshold);
        let boulder = high_and_rough(w, i, p.boulder_height_min, p.boulder_roughness_min);
        let windthrow = reaches(t.obstruction[i], p.windthrow_threshold);
        let asked = [known(log), known(tangle), boulder, known(windthrow)];
        flags::<FeatureName>(w, rule, i, found, &asked);
    }
    Ok(())
}
