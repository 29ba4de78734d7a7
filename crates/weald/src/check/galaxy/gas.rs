//! The gas of the nebulae.

use super::Rule;
use super::space::Galaxy;
use crate::check::RuleResult;
use crate::error::Result;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[Rule {
    name: "galaxy-gas",
    about: "nebula is the sum of its three parts, none of them below 0",
    needs: &["nebula", "nebula_near", "nebula_middle", "nebula_far"],
    run: sum,
}];

fn sum(g: &Galaxy, rule: &mut RuleResult) -> Result<()> {
    let [near, middle, far] = ["nebula_near", "nebula_middle", "nebula_far"].map(|n| g.floats(n).cells());
    for (i, &sum) in g.floats("nebula").cells().iter().enumerate() {
        let parts = [near[i], middle[i], far[i]];
        let good = parts.iter().all(|&p| p >= 0.0) && parts[0] + parts[1] + parts[2] == sum;
        rule.check(good, g.at(i), || format!("{parts:?} make {sum}"));
    }
    Ok(())
}
