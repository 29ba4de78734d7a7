//! Benchmarks, built for release.

use crate::run::{Outcome, program};

/// Prints the table.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let table = ["run", "--release", "--quiet", "-p", "weald-benches", "--"];
    program("cargo", &[&table[..], args].concat())
}
