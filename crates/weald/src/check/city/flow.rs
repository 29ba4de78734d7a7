//! Areas of drainage.

use super::Rule;
use super::land::{City, LEVEL_M};
use crate::check::RuleResult;
use crate::error::Result;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "flow-area",
        about: "every cell drains itself at least and the whole map at most",
        needs: &["flow_area"],
        run: range,
    },
    Rule {
        name: "flow-goes-on",
        about: "every cell inside the map has a neighbour that is no higher, full of water, and drains more",
        needs: &["flow_area", "height"],
        run: goes_on,
    },
    Rule {
        name: "flow-gathers",
        about: "no cell drains more than itself and its neighbours that are no lower and drain less",
        needs: &["flow_area", "height"],
        run: gathers,
    },
    Rule {
        name: "flow-outlets",
        about: "all cells drain over the border: its areas sum to the map at least, river mouths to the map at most",
        needs: &["flow_area"],
        run: outlets,
    },
];

fn range(city: &City, rule: &mut RuleResult) -> Result<()> {
    for (i, &area) in city.wholes("flow_area").cells().iter().enumerate() {
        let good = area >= 1 && area as usize <= city.cells();
        rule.check(good, city.at(i), || format!("{area} cells drain through it"));
    }
    Ok(())
}

fn goes_on(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (area, level) = (city.wholes("flow_area").cells(), city.level().cells());
    for i in (0..city.cells()).filter(|&i| !city.on_border(i)) {
        let mut on = false;
        let limit = f64::from(level[i]) + LEVEL_M;
        city.around(i, |n| on |= area[n] > area[i] && f64::from(level[n]) <= limit);
        rule.check(on, city.at(i), || {
            format!("{} cells drain through it at {} m and no neighbour takes them on", area[i], level[i])
        });
    }
    Ok(())
}

fn gathers(city: &City, rule: &mut RuleResult) -> Result<()> {
    let (area, level) = (city.wholes("flow_area").cells(), city.level().cells());
    for i in 0..city.cells() {
        let mut most = 1u64;
        let limit = f64::from(level[i]) - LEVEL_M;
        city.around(i, |n| {
            if area[n] < area[i] && f64::from(level[n]) >= limit {
                most += u64::from(area[n]);
            }
        });
        rule.check(u64::from(area[i]) <= most, city.at(i), || {
            format!("{} cells drain through it, its neighbours can give it {most} with itself", area[i])
        });
    }
    Ok(())
}

fn outlets(city: &City, rule: &mut RuleResult) -> Result<()> {
    let area = city.wholes("flow_area").cells();
    let of = |i: usize| u64::from(area[i]);
    let (cells, border) = (city.cells() as u64, (0..area.len()).filter(|&i| city.on_border(i)).map(of).sum());
    rule.check(cells <= border, None, || format!("{border} of {cells} cells drain over the border"));
    let free = city.courses().iter().filter(|c| c.parent.is_none());
    let mouths: u64 = free.filter_map(|c| c.cells.as_ref()?.last()).map(|&i| of(i)).sum();
    rule.check(mouths <= cells, None, || {
        format!("{mouths} cells drain through the mouths, there are {cells}")
    });
    Ok(())
}
