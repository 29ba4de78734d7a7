//! Every number within its range.

use super::Rule;
use super::world::World;
use crate::check::RuleResult;
use crate::error::Result;
use weald_core::Dir8;

/// The rule of ranges.
pub(super) const RULES: &[Rule] = &[Rule {
    name: "numbers-in-range",
    about: "every number is finite and within its range, every code has a name",
    needs: &[],
    run: numbers_in_range,
}];

fn numbers_in_range(w: &World, rule: &mut RuleResult) -> Result<()> {
    let t = &w.t;
    let (v, o) = (&w.p.visibility, &w.p.orientation);
    let unit = (0.0f32, 1.0f32);
    let measures: [(&str, &[f32], (f32, f32)); 14] = [
        ("elevation", &t.height, unit),
        ("roughness", &t.roughness, unit),
        ("vegetation variance", &t.vegetation_variance, unit),
        ("slopeMag", &t.slope, unit),
        ("aspectDeg", &t.aspect_deg, (0.0, 360.0f32.next_down())),
        ("flowAccumN", &t.flow_accumulation_log, unit),
        ("moisture", &t.moisture, unit),
        ("treeDensity", &t.tree_density, unit),
        ("canopyCover", &t.canopy_cover, unit),
        ("firmness", &t.firmness, unit),
        ("obstruction", &t.obstruction, unit),
        ("baseMeters", &t.visibility_m, (v.min_meters as f32, v.max_meters as f32)),
        ("orientationReliability", &t.orientation_reliability, (o.min as f32, o.max as f32)),
        ("moveCost", &t.move_cost, (f32::MIN_POSITIVE, f32::MAX)),
    ];
    for (name, values, (low, high)) in measures {
        for (i, &v) in values.iter().enumerate() {
            rule.check((low..=high).contains(&v), Some(w.place(i)), || {
                format!("{name} is {v}, not in {low}..={high}")
            });
        }
    }
    let codes: [(&str, &[u8], u8); 10] = [
        ("landform", &t.landform, 4),
        ("waterClass", &t.water_class, 3),
        ("biome", &t.biome, 6),
        ("soil", &t.soil, 2),
        ("surfaceFlags", &t.surface_flags, 31),
        ("featureFlags", &t.feature_flags, 15),
        ("followable", &t.followable, 15),
        ("lake_mask", &t.lake_mask, 1),
        ("stream_mask", &t.stream_mask, 1),
        ("game_trail", &t.game_trail, 1),
    ];
    for (name, values, most) in codes {
        for (i, &v) in values.iter().enumerate() {
            rule.check(v <= most, Some(w.place(i)), || format!("{name} is {v}, not in 0..={most}"));
        }
    }
    for (i, &d) in t.flow_direction.iter().enumerate() {
        rule.check(d < 8 || d == Dir8::NONE.0, Some(w.place(i)), || {
            format!("flowDir is {d}, not in 0..=7 or 255")
        });
    }
    for (i, &a) in t.flow_accumulation.iter().enumerate() {
        let good = a >= 1 && a as usize <= w.len();
        rule.check(good, Some(w.place(i)), || format!("flowAccum is {a}, not in 1..={}", w.len()));
    }
    for (i, &p) in t.passability.iter().enumerate() {
        // 3 is no class: both bits of a pair.
        rule.check(p & p >> 1 & 0x5555 == 0, Some(w.place(i)), || {
            format!("passability {p:#06x} has a class 3")
        });
    }
    Ok(())
}
