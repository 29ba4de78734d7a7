//! The sea: every cell at 0 m or lower.

use super::Rule;
use super::land::City;
use crate::check::RuleResult;
use crate::error::Result;
use weald_core::{Ctx, label};

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[Rule {
    name: "sea",
    about: "stats.sea is the share of cells at 0 m or lower; if sea.side names a side it is sea.share to 0.01, and all sea is connected to \
            that side",
    needs: &["height"],
    run: sea,
}];

fn sea(city: &City, rule: &mut RuleResult) -> Result<()> {
    let found = (0..city.cells()).filter(|&i| city.in_sea(i)).count() as f64 / city.cells() as f64;
    city.same(rule, "sea", found, 1e-9);
    let side = city.value("params.sea.side").as_str().unwrap_or("none").to_owned();
    if side == "none" || city.derived() {
        return Ok(());
    }
    let asked = city.param("sea.share")?;
    rule.check((found - asked).abs() <= 0.01, None, || {
        format!("{found} of the map is sea, requested was {asked}")
    });
    let (region, count) = label::regions(city.width, city.height, &Ctx::default(), |i| city.in_sea(i))?;
    let mut open = vec![false; count as usize + 1];
    for (i, &r) in region.cells().iter().enumerate() {
        let (x, y) = (i % city.width, i / city.width);
        let on_side = match side.as_str() {
            "west" => x == 0,
            "north" => y == 0,
            "east" => x + 1 == city.width,
            _ => y + 1 == city.height,
        };
        open[r as usize] |= on_side;
    }
    for (i, &r) in region.cells().iter().enumerate().filter(|(_, r)| **r > 0) {
        rule.check(open[r as usize], city.at(i), || {
            format!("this sea is not connected to the {side} of the map")
        });
    }
    Ok(())
}
