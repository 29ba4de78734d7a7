//! Benchmarks, built for release.

use crate::run::{Outcome, cargo, say};

/// Prints the table. With `city` or `island` alone its promises are then tried on many seeds and sizes, which takes minutes.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let table = ["run", "--release", "--quiet", "-p", "weald-benches", "--"];
    cargo(&[&table[..], args].concat())?;
    let sweep = match args {
        ["city"] => Some(("seeds, goals and resolutions", "city_sweep")),
        ["island"] => Some(("seeds, shares, recipes and sizes", "island_sweep")),
        _ => None,
    };
    if let Some((what, test)) = sweep {
        say(what);
        let sweep = ["test", "--release", "--quiet", "-p", "weald", "--test", test];
        cargo(&[&sweep[..], &["--", "--ignored", "--nocapture"]].concat())?;
    }
    Ok(())
}
