//! What a check found: a line per rule.

use serde_json::{Value, json};
use std::fmt;

/// How many violations a rule keeps for the report; the others are only counted.
const KEPT: usize = 5;

/// One place where a rule is broken.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// Name of the rule.
    pub rule: &'static str,
    /// Column and row, if it is about one cell.
    pub place: Option<(usize, usize)>,
    /// What was found and what the rule requires.
    pub message: String,
}

/// What became of one rule.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleResult {
    /// Name, in kebab-case.
    pub rule: &'static str,
    /// What it requires, in one line.
    pub about: &'static str,
    /// How many things were checked.
    pub checked: u64,
    /// How many of them break the rule.
    pub violations: u64,
    /// The first violations, at most five.
    pub first: Vec<Violation>,
}

impl RuleResult {
    /// A rule that has not checked anything yet.
    pub(super) fn new(rule: &'static str, about: &'static str) -> Self {
        Self { rule, about, checked: 0, violations: 0, first: Vec::new() }
    }

    /// Counts one more thing that was checked, and a violation unless it is `good`.
    pub(super) fn check(
        &mut self,
        good: bool,
        place: Option<(usize, usize)>,
        message: impl FnOnce() -> String,
    ) {
        self.checked += 1;
        if !good {
            self.violations += 1;
            if self.first.len() < KEPT {
                self.first.push(Violation { rule: self.rule, place, message: message() });
            }
        }
    }
}

/// All rules that were run, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// One entry per rule.
    pub rules: Vec<RuleResult>,
    /// What was assumed, and what could not be checked.
    pub notes: Vec<String>,
    /// What was counted and measured, for machines; null where the rules say it all.
    pub figures: Value,
}

impl Report {
    /// Adds what another file of the same map showed: the same rules, counted together.
    pub(super) fn absorb(&mut self, other: Report) {
        for rule in other.rules {
            match self.rules.iter_mut().find(|r| r.rule == rule.rule) {
                Some(mine) => {
                    mine.checked += rule.checked;
                    mine.violations += rule.violations;
                    mine.first.extend(rule.first);
                    mine.first.truncate(KEPT);
                }
                None => self.rules.push(rule),
            }
        }
        self.notes.extend(other.notes);
    }

    /// Whether no rule is broken.
    pub fn ok(&self) -> bool {
        self.rules.iter().all(|r| r.violations == 0)
    }

    /// The report for machines.
    pub fn to_json(&self) -> Value {
        let violation = |v: &Violation| json!({"place": v.place.map(|(x, y)| [x, y]), "message": v.message});
        let rule = |r: &RuleResult| {
            json!({
                "rule": r.rule,
                "about": r.about,
                "checked": r.checked,
                "violations": r.violations,
                "first": r.first.iter().map(violation).collect::<Vec<_>>(),
            })
        };
        let mut out = json!({
            "ok": self.ok(),
            "rules": self.rules.iter().map(rule).collect::<Vec<_>>(),
            "notes": self.notes,
        });
        if !self.figures.is_null() {
            out["figures"] = self.figures.clone();
        }
        out
    }
}

impl fmt::Display for RuleResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.violations == 0 {
            return write!(f, "ok   {:<22} {} checked", self.rule, self.checked);
        }
        write!(f, "FAIL {:<22} {} of {}", self.rule, self.violations, self.checked)?;
        match self.first.first() {
            Some(Violation { place: Some((x, y)), message, .. }) => write!(f, ": ({x},{y}): {message}"),
            Some(Violation { place: None, message, .. }) => write!(f, ": {message}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.rules.iter().try_for_each(|r| writeln!(f, "{r}"))?;
        self.notes.iter().try_for_each(|n| writeln!(f, "note: {n}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_a_line_per_rule_and_keeps_five_violations() {
        let mut rule = RuleResult::new("flow-downhill", "water goes down");
        (0..9).for_each(|i| rule.check(i < 2, Some((i, 5)), || format!("up {i}")));
        let good = RuleResult { checked: 4, ..RuleResult::new("slope", "steep") };
        let report = Report { rules: vec![good, rule], notes: vec!["no seed".into()], ..Report::default() };
        assert!(!report.ok());
        let lines = "ok   slope                  4 checked\n\
                     FAIL flow-downhill          7 of 9: (2,5): up 2\n\
                     note: no seed\n";
        assert_eq!(report.to_string(), lines);
        let json = report.to_json();
        assert_eq!(json["ok"], false);
        assert_eq!(json["rules"][1]["violations"], 7);
        assert_eq!(json["rules"][1]["first"].as_array().unwrap().len(), 5);
        assert_eq!(json["rules"][1]["first"][0], json!({"place": [2, 5], "message": "up 2"}));
        assert!(json.get("figures").is_none());
        assert_eq!(Report { figures: json!({"land": 3}), ..report }.to_json()["figures"]["land"], 3);
    }
}
