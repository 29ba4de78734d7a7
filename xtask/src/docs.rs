//! The generated parts of the documentation: work for the package `weald-docs`, which knows the worlds.

use crate::run::{Outcome, cargo, program, target};
use crate::web;

/// Writes the generated tables, or compares them.
pub(crate) fn tables(args: &[&str]) -> Outcome {
    let run = ["run", "--quiet", "-p", "weald-docs", "--bin", "weald-docs", "--", "docs"];
    cargo(&[&run[..], args].concat())
}

/// Makes the pictures with the program as users have it, those of the page in Chromium.
pub(crate) fn gallery() -> Outcome {
    web::build()?;
    web::browsers()?;
    cargo(&["build", "--release", "--quiet", "-p", "weald-cli", "-p", "weald-docs"])?;
    let folder = target().join("release");
    let [docs, weald] = ["weald-docs", "weald"].map(|name| folder.join(name).display().to_string());
    program(&docs, &["gallery", &weald])?;
    program("node", &["web/test/pictures.mjs", "--weald", &weald])
}
