//! The figures about the whole.

use super::Rule;
use super::land::Island;
use super::rivers::length_m;
use crate::check::RuleResult;
use crate::error::Result;
use serde_json::Value;
use weald_core::{Ctx, label};

/// How far a share may be off.
const SHARE: f64 = 1e-6;
/// How far a height may be off, in metres.
const ROUNDED_M: f64 = 6e-4;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "land-figures",
        about: "land_share, coast_cells and islands of the manifest are those of the land",
        needs: &["land"],
        run: land,
    },
    Rule {
        name: "height-figures",
        about: "highest_m of the manifest is the highest land, and raised a share and a height",
        needs: &["height", "land"],
        run: heights,
    },
    Rule {
        name: "river-stats",
        about: "count, orders, length_km and drainage density of the manifest are those of the rivers",
        needs: &["rivers.geojson", "land", "river_id", "flow_accumulation"],
        run: rivers,
    },
    Rule {
        name: "basin-figures",
        about: "basins and largest_basin_share, of the land, are those of the basins",
        needs: &["basin", "flow_direction", "land"],
        run: basins,
    },
];

fn land(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let (w, h) = (island.width, island.height);
    let (land, cells) = (island.land_cells(), island.cells());
    island.same(rule, "land_share", land as f64 / cells as f64, SHARE);
    let coast = (0..cells).filter(|&i| island.is_coast(i)).count();
    island.same(rule, "coast_cells", coast as f64, 0.0);
    let (_, islands) = label::regions(w, h, &Ctx::default(), |i| island.is_land(i))?;
    island.same(rule, "islands", f64::from(islands), 0.0);
    Ok(())
}

fn heights(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let height = island.floats("height").cells();
    let highest = (0..height.len()).filter(|&i| island.is_land(i)).map(|i| height[i]).reduce(f32::max);
    if let Some(highest) = highest {
        island.same(rule, "highest_m", f64::from(highest), ROUNDED_M);
    }
    let (share, most) = (island.stat("raised.share"), island.stat("raised.most_m"));
    rule.check((0.0..=1.0).contains(&share), None, || format!("raised.share is {share}, not 0 to 1"));
    rule.check((0.0..f64::INFINITY).contains(&most), None, || format!("raised.most_m is {most}"));
    rule.check((share > 0.0) == (most > 0.0), None, || {
        format!("a share of {share} is raised, by {most} m at most")
    });
    Ok(())
}

fn rivers(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let shapes = island.shapes("rivers");
    island.same(rule, "rivers.count", shapes.len() as f64, 0.0);
    let mut orders: Vec<u64> = Vec::new();
    for (_, _, course) in island.rivers().each() {
        let order = course.own().last().map_or(0, |&i| usize::from(island.network().order[i]));
        orders.resize(orders.len().max(order), 0);
        if order > 0 {
            orders[order - 1] += 1;
        }
    }
    let stated = island.value("stats.rivers.orders");
    let list: Option<Vec<u64>> = stated.as_array().and_then(|l| l.iter().map(Value::as_u64).collect());
    rule.check(list.as_ref() == Some(&orders), None, || {
        format!("rivers.orders is {orders:?}, the manifest says {stated}")
    });
    let km = shapes.iter().map(length_m).fold(0.0, |a, b| a + b) / 1000.0;
    // Lengths may have been rounded to millimetres before they were added.
    let slack = 6e-4 + 1e-6 * shapes.len() as f64;
    island.same(rule, "rivers.length_km", km, slack);
    let km2 = island.land_cells() as f64 * island.cell_m2() / 1e6;
    let density = if km2 > 0.0 { km / km2 } else { 0.0 };
    let slack = if km2 > 0.0 { slack / km2 } else { 0.0 };
    island.same(rule, "drainage_density_km_per_km2", density, slack + 6e-4);
    Ok(())
}

fn basins(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let basins = &island.drainage().basins;
    island.same(rule, "basins", basins.len() as f64, 0.0);
    let largest = basins.first().map_or(0.0, |&b| f64::from(b) / island.land_cells() as f64);
    island.same(rule, "largest_basin_share", largest, SHARE);
    Ok(())
}
