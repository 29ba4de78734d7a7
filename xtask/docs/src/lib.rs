//! The generated parts of the documentation, and tests over the whole project: every world is complete, no page has
//! drifted from the code, and no module imports against the order of the layers.

pub mod gallery;
pub mod pages;
pub mod rules;
mod tables;

#[cfg(test)]
mod directions;
#[cfg(test)]
mod registry;

use std::path::PathBuf;

/// A file of the project, by its path from the root.
pub fn file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
