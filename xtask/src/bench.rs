//! Benchmarks, built for release.

use crate::run::{Outcome, cargo, root, say};
use std::fs;

/// Prints the table, of all worlds or of one; the program that measures knows their names. A world that is asked for alone and
/// has a sweep is then tried on many seeds and sizes.
pub(crate) fn run(world: Option<&str>) -> Outcome {
    let table = ["run", "--release", "--quiet", "-p", "weald-benches", "--"];
    cargo(&[&table[..], world.as_slice()].concat())?;
    match world.and_then(sweep) {
        None => Ok(()),
        Some((test, filter)) => {
            say("sweep: many seeds, recipes and sizes");
            let run = ["test", "--release", "--quiet", "-p", "weald", "--test", &test, "--", &filter];
            cargo(&[&run[..], &["--ignored", "--nocapture"]].concat())
        }
    }
}

/// The test that holds the sweep of a world, and the name to choose it by: `tests/NAME_sweep.rs`, or a module of that name
/// in the folder of another test.
fn sweep(world: &str) -> Option<(String, String)> {
    let (tests, name) = (root().join("crates/weald/tests"), format!("{world}_sweep"));
    let file = format!("{name}.rs");
    if tests.join(&file).is_file() {
        return Some((name, String::new()));
    }
    let mut folders: Vec<_> = fs::read_dir(tests).ok()?.flatten().map(|f| f.path()).collect();
    folders.sort();
    let holds = folders.iter().find(|f| f.join(&file).is_file() || f.join(&name).is_dir())?;
    Some((holds.file_name()?.to_string_lossy().into_owned(), name))
}
