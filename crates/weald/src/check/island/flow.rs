//! Where water goes, how much of it, and what it makes moist.

use super::Rule;
use super::land::{Island, NOWHERE};
use crate::check::RuleResult;
use crate::error::Result;
use weald_core::Dir8;

/// How far moisture may be off.
const MOISTURE: f64 = 1e-4;
/// How far a river moistens the land, in cells.
const NEAR: usize = 20;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "land-drains",
        about: "every land cell inside the map has a strictly lower neighbour, so that its water reaches the sea",
        needs: &["height", "land"],
        run: drains,
    },
    Rule {
        name: "flow-directions",
        about: "flow_direction is a direction on the map, or 255 in the sea and on land at the border",
        needs: &["flow_direction", "land"],
        run: directions,
    },
    Rule {
        name: "flow-downhill",
        about: "water goes to a strictly lower cell",
        needs: &["flow_direction", "land", "height"],
        run: downhill,
    },
    Rule {
        name: "flow-ends",
        about: "water ends in the sea or leaves over the border, and never goes in a circle",
        needs: &["flow_direction", "land"],
        run: ends,
    },
    Rule {
        name: "flow-accumulation",
        about: "flow_accumulation counts the land cells that drain through the cell, itself included; 0 in the sea",
        needs: &["flow_accumulation", "flow_direction", "land"],
        run: accumulation,
    },
    Rule {
        name: "basins",
        about: "a basin is the cells whose water has the same last land cell, numbered by size and then by that cell; 0 in the sea",
        needs: &["basin", "flow_direction", "land"],
        run: basins,
    },
    Rule {
        name: "moisture",
        about: "moisture is the mean of lowness, nearness to rivers and nearness to the coast; 1 in the sea",
        needs: &["moisture", "land", "height", "flow_accumulation", "river_order", "shore_distance"],
        run: moisture,
    },
];

fn drains(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let height = island.floats("height").cells();
    for i in (0..height.len()).filter(|&i| island.is_land(i)) {
        let mut lower = island.on_border(i);
        island.around(i, |n| lower |= height[n] < height[i]);
        rule.check(lower, island.at(i), || format!("no neighbour is lower than its {} m", height[i]));
    }
    Ok(())
}

fn directions(island: &Island, rule: &mut RuleResult) -> Result<()> {
    for (i, &d) in island.bytes("flow_direction").cells().iter().enumerate() {
        let none = d == Dir8::NONE.0;
        let good = match island.is_land(i) {
            true => island.below(i).is_some() || (none && island.on_border(i)),
            false => none,
        };
        rule.check(good, island.at(i), || {
            format!("flow_direction is {d} {}", if island.is_land(i) { "on land" } else { "in the sea" })
        });
    }
    Ok(())
}

fn downhill(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let height = island.floats("height").cells();
    for i in (0..height.len()).filter(|&i| island.is_land(i)) {
        let Some(n) = island.below(i) else { continue };
        rule.check(height[n] < height[i], island.at(i), || {
            format!("water goes from {} m to {} m at {:?}", height[i], height[n], island.at(n))
        });
    }
    Ok(())
}

fn ends(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let last = &island.drainage().last;
    for i in (0..last.len()).filter(|&i| island.is_land(i)) {
        let end = last[i] as usize;
        let leaves = last[i] != NOWHERE && (island.below(end).is_some() || island.on_border(end));
        rule.check(leaves, island.at(i), || match last[i] {
            NOWHERE => "the water from here goes in a circle".into(),
            _ => format!("the water from here stays at {:?}", island.at(end)),
        });
    }
    Ok(())
}

fn accumulation(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let wanted = &island.drainage().accumulation;
    for (i, &found) in island.wholes("flow_accumulation").cells().iter().enumerate() {
        rule.check(found == wanted[i], island.at(i), || {
            format!("flow_accumulation is {found}, not {}", wanted[i])
        });
    }
    Ok(())
}

fn basins(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let wanted = &island.drainage().basin;
    for (i, &found) in island.wholes("basin").cells().iter().enumerate() {
        rule.check(found == wanted[i], island.at(i), || format!("basin is {found}, not {}", wanted[i]));
    }
    Ok(())
}

fn moisture(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let (height, shore) = (island.floats("height").cells(), island.floats("shore_distance").cells());
    let accumulation = island.wholes("flow_accumulation").cells();
    let orders = island.bytes("river_order").cells();
    let near = within(island.width, |i| orders[i] > 0, orders.len());
    for (i, &found) in island.floats("moisture").cells().iter().enumerate() {
        let wanted = if island.is_land(i) {
            let low = (1.0 - f64::from(height[i]) / 400.0).max(0.0);
            let river = if near[i] { 0.8 } else { (f64::from(accumulation[i]) / 1000.0).min(1.0) };
            let coast = 1.0 - f64::from(shore[i]).min(100.0) / 100.0;
            (low + river + coast) / 3.0
        } else {
            1.0
        };
        rule.check((f64::from(found) - wanted).abs() <= MOISTURE, island.at(i), || {
            format!("moisture is {found}, not {wanted}")
        });
    }
    Ok(())
}

/// Whether a source lies within [`NEAR`] cells in a straight line. First the nearest one in each column is found, then
/// the columns beside are compared.
fn within(w: usize, source: impl Fn(usize) -> bool, cells: usize) -> Vec<bool> {
    let far = NEAR + 1;
    let mut gap: Vec<usize> = vec![far; cells];
    for i in 0..cells {
        gap[i] = if source(i) { 0 } else { gap.get(i.wrapping_sub(w)).map_or(far, |&v| (v + 1).min(far)) };
    }
    for i in (0..cells.saturating_sub(w)).rev() {
        gap[i] = gap[i].min(gap[i + w] + 1);
    }
    // How far a source may be up or down, by columns away.
    let reach: Vec<usize> = (0..=NEAR).map(|dx| (NEAR * NEAR - dx * dx).isqrt()).collect();
    let near = |i: usize| {
        let (x, row) = (i % w, &gap[i / w * w..(i / w + 1) * w]);
        let beside = x.saturating_sub(NEAR)..(x + far).min(w);
        beside.into_iter().any(|c| row[c] <= reach[c.abs_diff(x)])
    };
    (0..cells).map(near).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_lies_within_reach_is_what_is_measured(w in 1usize..50, h in 1usize..50, at: [usize; 3]) {
            let sources: Vec<usize> = at.iter().map(|a| a % (w * h)).collect();
            let near = within(w, |i| sources.contains(&i), w * h);
            for (i, &near) in near.iter().enumerate() {
                let squared = |s: &usize| {
                    let (dx, dy) = ((s % w).abs_diff(i % w), (s / w).abs_diff(i / w));
                    dx * dx + dy * dy
                };
                prop_assert_eq!(near, sources.iter().map(squared).any(|d| d <= NEAR * NEAR));
            }
        }
    }
}
