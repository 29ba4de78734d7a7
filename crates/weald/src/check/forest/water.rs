//! Lakes, streams, marshes and moisture (6.4 to 6.7).

use super::Rule;
use super::compare::{below, formula, reaches};
use super::names::{BASIN, LAKE, LandformName, MARSH, NO_WATER, STREAM, WaterName, name_of};
use super::world::World;
use crate::check::RuleResult;
use crate::error::Result;
use std::collections::BTreeMap;
use weald_core::math;

/// The rules of 6.4 to 6.7.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "water-class",
        about: "lake before stream before marsh, each by its thresholds (6.4, 6.5, 6.7)",
        needs: &["water_class", "landform", "slope", "flow_accumulation_log", "moisture"],
        run: water_class,
    },
    Rule {
        name: "lake-mask",
        about: "lake_mask marks the lakes",
        needs: &["lake_mask", "water_class"],
        run: lake_mask,
    },
    Rule {
        name: "stream-mask",
        about: "stream_mask marks the streams",
        needs: &["stream_mask", "water_class"],
        run: stream_mask,
    },
    Rule {
        name: "lake-ids",
        about: "each connected lake has one number of its own, everything else 0 (6.4)",
        needs: &["lake_id", "water_class"],
        run: lake_ids,
    },
    Rule {
        name: "water-distance",
        about: "water_distance is the number of steps to the next lake or stream, capped (6.6.2)",
        needs: &["water_distance", "water_class"],
        run: water_distance,
    },
    Rule {
        name: "moisture",
        about: "moisture is the weighted sum of accumulation, flatness and nearness to water (6.6)",
        needs: &["moisture", "flow_accumulation_log", "slope", "water_class"],
        run: moisture,
    },
];

fn water_class(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.hydrology);
    for (i, &found) in t.water_class.iter().enumerate() {
        let (slope, accum, moist) = (t.slope[i], t.flow_accumulation_log[i], t.moisture[i]);
        let lake = t.landform[i] == BASIN
            && below(slope, p.lake_flat_slope_threshold)
            && reaches(accum, p.lake_accum_threshold);
        let stream = reaches(accum, p.stream_accum_threshold) && reaches(slope, p.stream_min_slope_threshold);
        let marsh = reaches(moist, p.marsh_moisture_threshold) && below(slope, p.marsh_slope_threshold);
        let asked = match (lake, stream, marsh) {
            (true, ..) => LAKE,
            (_, true, _) => STREAM,
            (_, _, true) => MARSH,
            _ => NO_WATER,
        };
        rule.check(found == asked, Some(w.place(i)), || {
            let name = name_of::<WaterName>;
            let form = name_of::<LandformName>(t.landform[i]);
            let values = format!("{form}, slope {slope}, flowAccumN {accum}, moisture {moist}");
            format!("it is {}, not {}: {values}", name(found), name(asked))
        });
    }
    Ok(())
}

/// Checks that a 0/1 layer marks the cells of a water class.
fn mask(w: &World, rule: &mut RuleResult, mask: &[u8], class: u8) {
    for (i, &m) in mask.iter().enumerate() {
        let found = name_of::<WaterName>(w.t.water_class[i]);
        rule.check((m != 0) == (w.t.water_class[i] == class), Some(w.place(i)), || {
            format!("it is {m} on {found}")
        });
    }
}

fn lake_mask(w: &World, rule: &mut RuleResult) -> Result<()> {
    mask(w, rule, &w.t.lake_mask, LAKE);
    Ok(())
}

fn stream_mask(w: &World, rule: &mut RuleResult) -> Result<()> {
    mask(w, rule, &w.t.stream_mask, STREAM);
    Ok(())
}

fn lake_ids(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (lakes, count) = w.pieces(|i| w.t.water_class[i] == LAKE)?;
    let mut id_of_lake = vec![0u32; count + 1];
    let mut lake_of_id = BTreeMap::new();
    for (i, (&id, &lake)) in w.t.lake_id.iter().zip(&lakes).enumerate() {
        let place = Some(w.place(i));
        if lake == 0 || id == 0 {
            rule.check(lake == 0 && id == 0, place, || {
                format!("lake number {id} on {}", name_of::<WaterName>(w.t.water_class[i]))
            });
            continue;
        }
        let known = &mut id_of_lake[lake as usize];
        *known = if *known == 0 { id } else { *known };
        let owner = *lake_of_id.entry(id).or_insert(lake);
        rule.check(*known == id && owner == lake, place, || {
            format!("lake number {id}: this lake is number {known} elsewhere, or another lake has the number")
        });
    }
    Ok(())
}

fn water_distance(w: &World, rule: &mut RuleResult) -> Result<()> {
    let asked = w.steps_to_water(w.p.hydrology.water_prox_max_dist);
    for (i, (&found, &asked)) in w.t.water_distance.iter().zip(&asked).enumerate() {
        rule.check(f64::from(found) == asked, Some(w.place(i)), || format!("it is {found}, not {asked}"));
    }
    Ok(())
}

fn moisture(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.hydrology);
    let steps = w.steps_to_water(p.water_prox_max_dist);
    formula(w, rule, &t.moisture, 1e-6, |i| {
        let accum =
            (t.flow_accumulation_log[i] as f64 - p.moisture_accum_start) / (1.0 - p.moisture_accum_start);
        let flat = (p.flatness_threshold - t.slope[i] as f64) / p.flatness_threshold;
        let prox = 1.0 - steps[i] / p.water_prox_max_dist;
        let [accum, flat, prox] = [accum, flat, prox].map(math::clamp01);
        math::clamp01(p.weights.accum * accum + p.weights.flat * flat + p.weights.prox * prox)
    });
    Ok(())
}
