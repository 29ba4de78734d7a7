//! The parameters that a checker knows, with their types and ranges.
//!
//! Each world states its own table, apart from the schema of the generator: a folder whose manifest holds a parameter
//! that is unknown, of the wrong type or out of range is refused.

use crate::error::{Error, Result};
use serde_json::{Map, Value};
use std::path::Path;

/// A parameter: its path of keys with dots between, and what its value may be.
#[derive(Clone, Copy)]
pub(super) struct Param {
    path: &'static str,
    kind: Kind,
}

impl Param {
    /// Its path.
    pub(super) fn path(&self) -> &'static str {
        self.path
    }
}

/// What a value may be.
#[derive(Clone, Copy)]
enum Kind {
    /// A number between two bounds.
    Number(f64, f64),
    /// A number above the first bound and at most the second.
    Above(f64, f64),
    /// A number of at least the first bound and below the second.
    Below(f64, f64),
    /// A whole number between two bounds.
    Whole(f64, f64),
    /// True or false.
    Flag,
    /// One of several words.
    Word(&'static [&'static str]),
    /// Any text.
    Text,
}

/// A number of at least `low` and at most `high`.
pub(super) const fn number(path: &'static str, low: f64, high: f64) -> Param {
    Param { path, kind: Kind::Number(low, high) }
}

/// A number above `low` and at most `high`.
pub(super) const fn above(path: &'static str, low: f64, high: f64) -> Param {
    Param { path, kind: Kind::Above(low, high) }
}

/// A number of at least `low` and below `high`.
pub(super) const fn below(path: &'static str, low: f64, high: f64) -> Param {
    Param { path, kind: Kind::Below(low, high) }
}

/// A whole number of at least `low` and at most `high`.
pub(super) const fn whole(path: &'static str, low: i64, high: i64) -> Param {
    Param { path, kind: Kind::Whole(low as f64, high as f64) }
}

/// True or false.
pub(super) const fn flag(path: &'static str) -> Param {
    Param { path, kind: Kind::Flag }
}

/// One of several words.
pub(super) const fn word(path: &'static str, words: &'static [&'static str]) -> Param {
    Param { path, kind: Kind::Word(words) }
}

/// Any text.
pub(super) const fn text(path: &'static str) -> Param {
    Param { path, kind: Kind::Text }
}

impl Kind {
    /// Whether a value is of this kind.
    fn fits(self, value: &Value) -> bool {
        let is = |good: &dyn Fn(f64) -> bool| value.as_f64().is_some_and(|v| v.is_finite() && good(v));
        match self {
            Kind::Number(low, high) => is(&|v| (low..=high).contains(&v)),
            Kind::Above(low, high) => is(&|v| v > low && v <= high),
            Kind::Below(low, high) => is(&|v| (low..high).contains(&v)),
            Kind::Whole(low, high) => is(&|v| v.fract() == 0.0 && (low..=high).contains(&v)),
            Kind::Flag => value.is_boolean(),
            Kind::Word(words) => value.as_str().is_some_and(|v| words.contains(&v)),
            Kind::Text => value.is_string(),
        }
    }

    /// What a value of this kind is, for a message.
    fn text(self) -> String {
        match self {
            Kind::Number(low, high) => format!("a number between {low} and {high}"),
            Kind::Above(low, high) => format!("a number above {low} and at most {high}"),
            Kind::Below(low, high) => format!("a number of at least {low} and below {high}"),
            Kind::Whole(low, high) => format!("a whole number between {low} and {high}"),
            Kind::Flag => "true or false".into(),
            Kind::Word(words) => format!("one of {}", words.join(", ")),
            Kind::Text => "text".into(),
        }
    }
}

/// Refuses parameters that are not in the table or not what it says. Those that are missing are for the rules to miss.
pub(super) fn check(params: &Map<String, Value>, known: &[Param], file: &Path) -> Result<()> {
    let mut problems = Vec::new();
    below_path("", params, known, &mut problems);
    if problems.is_empty() {
        return Ok(());
    }
    Err(Error::Invalid(format!("{}: {}", file.display(), problems.join("\n"))))
}

fn below_path(path: &str, params: &Map<String, Value>, known: &[Param], problems: &mut Vec<String>) {
    for (key, value) in params {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let group = known.iter().any(|p| p.path.strip_prefix(&path).is_some_and(|r| r.starts_with('.')));
        match (value, known.iter().find(|p| p.path == path)) {
            (Value::Object(inner), _) if group => below_path(&path, inner, known, problems),
            (_, Some(param)) if param.kind.fits(value) => {}
            (_, Some(param)) => {
                problems.push(format!("params.{path} = {value}: must be {}", param.kind.text()));
            }
            _ if group => {
                problems.push(format!("params.{path} = {value}: this is a group of parameters, not a value"));
            }
            _ => problems.push(format!("params.{path}: no such parameter in this world")),
        }
    }
}

/// The same value with every key in camelCase.
pub(super) fn camel_case(value: &Value) -> Value {
    let Value::Object(map) = value else {
        return value.clone();
    };
    let renamed = map.iter().map(|(key, v)| {
        let mut name = String::new();
        for (i, part) in key.split('_').enumerate() {
            let mut letters = part.chars();
            match letters.next() {
                Some(first) if i > 0 => name.extend(first.to_uppercase()),
                Some(first) => name.push(first),
                None => {}
            }
            name.push_str(letters.as_str());
        }
        (name, camel_case(v))
    });
    Value::Object(renamed.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const KNOWN: &[Param] = &[
        number("map.cell_m", 0.1, 10.0),
        above("map.fall", 0.0, 1.0),
        below("map.rise", 0.0, 1.0),
        whole("octaves", 1, 8),
        flag("paths"),
        word("form", &["ring", "centre"]),
        text("placed"),
    ];

    /// What is said of parameters; empty if they are accepted.
    fn said(params: Value) -> String {
        let Value::Object(map) = params else { panic!("no object") };
        check(&map, KNOWN, Path::new("m.json")).err().map_or(String::new(), |e| e.to_string())
    }

    #[test]
    fn values_within_their_ranges_are_accepted_and_others_are_named() {
        for good in [
            json!({}),
            json!({"map": {"cell_m": 0.1, "fall": 1, "rise": 0}, "octaves": 8.0, "form": "ring"}),
            json!({"paths": true, "placed": "cone 1 2"}),
        ] {
            assert_eq!(said(good.clone()), "", "{good}");
        }
        for (bad, message) in [
            (
                json!({"map": {"cell_m": 11}}),
                "m.json: params.map.cell_m = 11: must be a number between 0.1 and 10",
            ),
            (json!({"map": {"fall": 0}}), "above 0 and at most 1"),
            (json!({"map": {"rise": 1}}), "at least 0 and below 1"),
            (json!({"octaves": 1.5}), "a whole number between 1 and 8"),
            (json!({"octaves": "2"}), "a whole number"),
            (json!({"paths": 1}), "true or false"),
            (json!({"form": "square"}), "one of ring, centre"),
            (json!({"placed": null}), "must be text"),
            (json!({"map": 3}), "this is a group of parameters"),
            (json!({"map": {"cells": 3}}), "params.map.cells: no such parameter"),
            (json!({"ma": {"cell_m": 3}}), "params.ma: no such parameter"),
        ] {
            assert!(said(bad.clone()).contains(message), "{bad}: {}", said(bad.clone()));
        }
    }

    #[test]
    fn every_problem_is_named() {
        assert_eq!(said(json!({"octaves": 0, "paths": 0})).lines().count(), 2);
    }
}
