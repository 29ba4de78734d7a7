//! A rule about a world, and the one runner for the rules of all worlds.

use super::{Report, RuleResult};
use crate::error::Result;

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
    /// the rule does not apply, and no note is made of it.
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

    /// Whether the layer, file or fact of this name is known.
    fn has(&self, name: &str) -> bool;
}

/// Runs every rule whose needs are met, and notes the others.
pub(super) fn run<W: Checked>(world: &W, report: &mut Report) -> Result<()> {
    for rule in W::RULES.iter().copied().flatten() {
        let missing: Vec<&str> = rule.needs.iter().copied().filter(|n| !world.has(n)).collect();
        if missing.is_empty() {
            let mut result = RuleResult::new(rule.name, rule.about);
            (rule.run)(world, &mut result)?;
            report.rules.push(result);
        } else if missing[0] != rule.needs[0] && !missing.iter().any(|m| W::SILENT.contains(m)) {
            report.notes.push(format!("{} was not checked: {} is missing", rule.name, missing.join(", ")));
        }
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
        ];
        const SILENT: &'static [&'static str] = &["seed"];

        fn has(&self, name: &str) -> bool {
            self.0.contains(&name)
        }
    }

    #[test]
    fn a_rule_runs_if_its_needs_are_met_and_is_noted_if_only_others_than_the_first_are_missing() {
        for (known, rules, notes) in [
            (&[][..], &["always"][..], &[][..]),
            (&["height"], &["always", "height"], &[]),
            (&["lakes"], &["always"], &["lakes was not checked: height is missing"]),
            (&["height", "lakes", "seed"], &["always", "height", "lakes", "ties"], &[]),
        ] {
            let mut report = Report::default();
            run(&World(known), &mut report).unwrap();
            assert_eq!(report.rules.iter().map(|r| r.rule).collect::<Vec<_>>(), rules, "{known:?}");
            assert_eq!(report.notes, notes, "{known:?}");
        }
        assert_eq!(list::<World>().len(), 4);
    }
}
