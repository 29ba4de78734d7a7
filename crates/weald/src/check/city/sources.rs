//! Places where a game can put its water.

use super::Rule;
use super::land::{City, LEVEL_M};
use crate::check::RuleResult;
use crate::error::Result;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[Rule {
    name: "water-sources",
    about: "a source is where a river begins or enters the map beside its border, or in a lake, at the level of that water",
    needs: &["water_sources.geojson", "rivers.geojson", "river_id", "flow_accumulation", "lake_id", "height"],
    run: sources,
}];

fn sources(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (level, lake) = (city.level().cells(), city.wholes("lake_id").cells());
    let mut begins: Vec<usize> =
        city.courses().iter().filter_map(|c| c.cells.as_ref()?.first().copied()).collect();
    begins.sort_unstable();
    for (k, source) in city.shapes("water_sources").iter().enumerate() {
        let at = source.positions().first().and_then(|&p| city.cell(p));
        let (kind, stated) = (source.word("kind"), source.number("level_m"));
        let good = at.is_some_and(|i| match kind {
            "river" => begins.binary_search(&i).is_ok(),
            "inflow" => city.beside_border(i),
            "lake" => lake[i] > 0,
            _ => false,
        });
        let place = at.and_then(|i| city.at(i));
        rule.check(good, place, || {
            format!("source {k} of kind \"{kind}\" at {:?} is no such place", source.positions())
        });
        let Some(i) = at else { continue };
        rule.check((f64::from(level[i]) - stated).abs() <= LEVEL_M, place, || {
            format!("source {k} is at {stated} m, water stands at {} m", level[i])
        });
        let flow = source.number("discharge_m3_s");
        rule.check(flow >= 0.0, place, || format!("discharge_m3_s of source {k} is {flow}"));
    }
    Ok(())
}
