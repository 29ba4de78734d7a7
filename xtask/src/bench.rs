//! Benchmarks, built for release.

use crate::run::{Outcome, cargo, say};

/// Prints the table. With `city` alone its promises are then tried on many seeds and resolutions, which takes minutes.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let table = ["run", "--release", "--quiet", "-p", "weald-benches", "--"];
    cargo(&[&table[..], args].concat())?;
    if args == ["city"] {
        say("seeds, goals and resolutions");
        let sweep = ["test", "--release", "--quiet", "-p", "weald", "--test", "city_sweep"];
        cargo(&[&sweep[..], &["--", "--ignored", "--nocapture"]].concat())?;
    }
    Ok(())
}
