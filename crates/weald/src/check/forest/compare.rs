//! Comparisons: exact where the document compares 32-bit values, with room for rounding elsewhere.

use super::names::{Names, names_of};
use super::world::World;
use crate::check::RuleResult;

/// `value >= threshold`, the threshold rounded to 32 bits.
pub(super) fn reaches(value: f32, threshold: f64) -> bool {
    value >= threshold as f32
}

/// `value < threshold`, the threshold rounded to 32 bits.
pub(super) fn below(value: f32, threshold: f64) -> bool {
    value < threshold as f32
}

/// The rounding of one 32-bit operation whose result is about `a`.
pub(super) fn rounding(a: f64) -> f64 {
    1.2e-7 * a.abs() + 1e-12
}

/// Whether `difference >= threshold` must hold and whether it may hold, given how it may have been rounded.
pub(super) fn reaches_about(difference: f64, threshold: f64) -> (bool, bool) {
    let slack = rounding(difference.abs().max(threshold.abs()));
    (difference >= threshold + slack, difference >= threshold - slack)
}

/// Checks a formula at every cell.
pub(super) fn formula(
    w: &World,
    rule: &mut RuleResult,
    values: &[f32],
    tolerance: f64,
    expected: impl Fn(usize) -> f64,
) {
    for (i, &v) in values.iter().enumerate() {
        let e = expected(i);
        let slack = tolerance + 2.0 * rounding(e);
        rule.check((v as f64 - e).abs() <= slack, Some(w.place(i)), || format!("it is {v}, not {e}"));
    }
}

/// A flag that rounding has no say in.
pub(super) fn known(set: bool) -> (bool, bool) {
    (set, set)
}

/// Checks the flags `found` at `i`. For each bit, whether it must and whether it may be set.
pub(super) fn flags<N: Names>(w: &World, rule: &mut RuleResult, i: usize, found: u8, asked: &[(bool, bool)]) {
    let bits = |of: fn(&(bool, bool)) -> bool| -> u8 {
        asked.iter().enumerate().map(|(bit, flag)| u8::from(of(flag)) << bit).sum()
    };
    let (surely, maybe) = (bits(|f| f.0), bits(|f| f.1));
    rule.check(found & surely == surely && found & !maybe == 0, Some(w.place(i)), || {
        format!("it is {}, not {}", names_of::<N>(found), names_of::<N>(surely))
    });
}
