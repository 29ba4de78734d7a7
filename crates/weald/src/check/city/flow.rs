//! Flow accumulation.

use super::Rule;
use super::land::{City, LEVEL_M};
use crate::check::RuleResult;
use crate::error::Result;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "flow-accumulation",
        about: "flow_accumulation counts at least the cell itself and at most all cells of the map",
        needs: &["flow_accumulation"],
        run: range,
    },
    Rule {
        name: "flow-goes-on",
        about: "every land cell inside the map has a neighbour with no higher water level and more flow accumulation",
        needs: &["flow_accumulation", "height"],
        run: goes_on,
    },
    Rule {
        name: "flow-gathers",
        about: "no cell has more flow accumulation than itself and its neighbours that are no lower and have less",
        needs: &["flow_accumulation", "height"],
        run: gathers,
    },
    Rule {
        name: "flow-outlets",
        about: "all cells drain over the border or into the sea: the accumulations there sum to the map at least, those of river \
                mouths and of cells that cannot pass on what they get to the map at most",
        needs: &["flow_accumulation", "river_id", "height"],
        run: outlets,
    },
];

fn range(city: &City, rule: &mut RuleResult) -> Result<()> {
    for (i, &accumulation) in city.wholes("flow_accumulation").cells().iter().enumerate() {
        let good = accumulation >= 1 && accumulation as usize <= city.cells();
        rule.check(good, city.at(i), || format!("{accumulation} cells drain through it"));
    }
    Ok(())
}

fn goes_on(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (accumulation, level) = (city.wholes("flow_accumulation").cells(), city.level().cells());
    for i in (0..city.cells()).filter(|&i| !city.may_end(i)) {
        rule.check(can_pass_on(city, i), city.at(i), || {
            format!(
                "{} cells drain through it at {} m and no neighbour takes their water",
                accumulation[i], level[i]
            )
        });
    }
    Ok(())
}

/// Whether a neighbour is no higher and drains more.
fn can_pass_on(city: &City, i: usize) -> bool {
    let (accumulation, level) = (city.wholes("flow_accumulation").cells(), city.level().cells());
    let mut on = false;
    let limit = f64::from(level[i]) + LEVEL_M;
    city.around(i, |n| on |= accumulation[n] > accumulation[i] && f64::from(level[n]) <= limit);
    on
}

fn gathers(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (accumulation, level) = (city.wholes("flow_accumulation").cells(), city.level().cells());
    for i in 0..city.cells() {
        let mut most = 1u64;
        let limit = f64::from(level[i]) - LEVEL_M;
        city.around(i, |n| {
            if accumulation[n] < accumulation[i] && f64::from(level[n]) >= limit {
                most += u64::from(accumulation[n]);
            }
        });
        rule.check(u64::from(accumulation[i]) <= most, city.at(i), || {
            format!(
                "{} cells drain through it, its neighbours can give it {most} with itself",
                accumulation[i]
            )
        });
    }
    Ok(())
}

fn outlets(city: &City, rule: &mut RuleResult) -> Result<()> {
    let accumulation = city.wholes("flow_accumulation").cells();
    let of = |i: usize| u64::from(accumulation[i]);
    let ends: Vec<usize> = (0..accumulation.len()).filter(|&i| city.may_end(i)).collect();
    let (cells, most): (u64, u64) = (city.cells() as u64, ends.iter().map(|&i| of(i)).sum());
    rule.check(cells <= most, None, || {
        format!("{most} of {cells} cells drain over the border or into the sea")
    });
    let least: u64 = ends.iter().filter(|&&i| !can_pass_on(city, i)).map(|&i| of(i)).sum();
    rule.check(least <= cells, None, || {
        format!("{least} cells drain to where no water can go on, there are {cells}")
    });
    let free = city.courses().iter().filter(|c| c.parent.is_none());
    let mouths: u64 = free.filter_map(|c| c.cells.as_ref()?.last()).map(|&i| of(i)).sum();
    rule.check(mouths <= cells, None, || {
        format!("{mouths} cells drain through the mouths, there are {cells}")
    });
    Ok(())
}
