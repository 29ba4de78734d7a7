//! explain: why a cell of a folder is what it is.

use crate::args::Explain;
use crate::make::print;
use weald::{Error, Result};

/// Prints the sentences, then the values of all layers.
pub(crate) fn run(args: &Explain) -> Result<()> {
    let output = weald::job::open(&args.folder)?;
    let place = output.recipe.world.info().explain.place;
    let told = output.explain_at(&args.at).map_err(|e| match e {
        Error::Invalid(message) => Error::Invalid(format!("--at {message}; give {place}")),
        other => other,
    })?;
    match args.json {
        true => print(&format!("{:#}\n", told.to_json())),
        false => print(&format!("{told}\n{}", told.table())),
    }
}
