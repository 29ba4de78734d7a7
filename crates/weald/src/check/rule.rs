//! A rule about a world, and the one runner for the rules of all worlds.

use super::{Report, RuleResult};
use crate::error::Result;
use std::collections::BTreeSet;

/// Name and meaning of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleInfo {
    /// Its name, in kebab-case.
    pub name: &'static str,
    /// What it requires, in one line.
    pub about: &'static str,
}

impl RuleInfo {
    /// The result of this rule before it has checked anything.
    pub(super) fn result(&self) -> RuleResult {
        RuleResult::new(self.name, self.about)
    }
}

/// One rule about a world of type `W`.
pub(super) struct Rule<W: 'static> {
    /// Its name, in kebab-case.
    pub(super) name: &'static str,
    /// What it requires, in one line.
    pub(super) about: &'static str,
    /// The layers, files and other facts it needs, by name. The first is what the rule is about: where that is missing,
    /// the rule does not apply, and no note is made of it, unless every folder has it ([`Checked::ALWAYS`]).
    pub(super) needs: &'static [&'static str],
    /// Checks the world.
    pub(super) run: fn(&W, &mut RuleResult) -> Result<()>,
}

/// A world as it was read from files, with its rules.
pub(super) trait Checked: Sized + 'static {
    /// The rules, in order.
    const RULES: &'static [&'static [Rule<Self>]];
    /// Needs whose absence is normal or has a note of its own: a rule that lacks one of them is passed over silently.
    const SILENT: &'static [&'static str] = &[];

    /// Layers that a folder has unless they were left out: one note tells of all rules that lack them.
    const ALWAYS: &'static [&'static str] = &[];

    /// Whether the layer, file or fact of this name is known.
    fn has(&self, name: &str) -> bool;
}

/// Runs every rule whose needs are met, and notes the others.
pub(super) fn run<W: Checked>(world: &W, report: &mut Report) -> Result<()> {
    let (mut left_out, mut lacking) = (0, BTreeSet::new());
    for rule in W::RULES.iter().copied().flatten() {
        let missing: Vec<&str> = rule.needs.iter().copied().filter(|n| !world.has(n)).collect();
        if missing.is_empty() {
            let mut result = RuleResult::new(rule.name, rule.about);
            (rule.run)(world, &mut result)?;
            report.rules.push(result);
        } else if missing[0] != rule.needs[0] && !missing.iter().any(|m| W::SILENT.contains(m)) {
            report.notes.push(format!("{} was not checked: {} is missing", rule.name, missing.join(", ")));
        } else if W::ALWAYS.contains(&missing[0]) {
            left_out += 1;
            lacking.extend(missing);
        }
    }
    if left_out > 0 {
        let names = lacking.into_iter().collect::<Vec<_>>().join(", ");
        report.notes.push(format!(
            "rules that were not checked, because layers are missing ({names}): {left_out}; make the folder with --layers all to check them"
        ));
    }
    Ok(())
}

/// Names and meanings of the rules of a world.
pub(super) fn list<W: Checked>() -> Vec<RuleInfo> {
    let rules = W::RULES.iter().copied().flatten();
    rules.map(|r| RuleInfo { name: r.name, about: r.about }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct World(&'static [&'static str]);

    fn looked(_: &World, rule: &mut RuleResult) -> Result<()> {
        rule.check(true, None, String::new);
        Ok(())
    }

    const fn rule(name: &'static str, needs: &'static [&'static str]) -> Rule<World> {
        Rule { name, about: "", needs, run: looked }
    }

    impl Checked for World {
        const RULES: &'static [&'static [Rule<Self>]] = &[
            &[rule("always", &[]), rule("height", &["height"])],
            &[rule("lakes", &["lakes", "height"]), rule("ties", &["height", "seed"])],
            &[rule("woods", &["wood", "height"])],
        ];
        const SILENT: &'static [&'static str] = &["seed"];
        const ALWAYS: &'static [&'static str] = &["wood"];

        fn has(&self, name: &str) -> bool {
            self.0.contains(&name)
        }
    }

    #[test]
    fn a_rule_runs_if_its_needs_are_met_and_is_noted_if_only_others_than_the_first_are_missing() {
        for (known, rules, notes) in [
            (&["wood"][..], &["always"][..], &["woods was not checked: height is missing"][..]),
            (&["wood", "height"], &["always", "height", "woods"], &[]),
            (
                &["wood", "lakes"],
                &["always"],
                &["lakes was not checked: height is missing", "woods was not checked: height is missing"],
            ),
            (&["wood", "height", "lakes", "seed"], &["always", "height", "lakes", "ties", "woods"], &[]),
            (
                &["height"],
                &["always", "height"],
                &[
                    "rules that were not checked, because layers are missing (wood): 1; make the folder with --layers all to check them",
                ],
            ),
        ] {
            let mut report = Report::default();
            run(&World(known), &mut report).unwrap();
            assert_eq!(report.rules.iter().map(|r| r.rule).collect::<Vec<_>>(), rules, "{known:?}");
            assert_eq!(report.notes, notes, "{known:?}");
        }
        assert_eq!(list::<World>().len(), 5);
    }
}
