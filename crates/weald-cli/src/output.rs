//! Whether an output can be made.

use crate::make::existing;
use std::path::{Path, PathBuf};
use weald::export::atomic::{AtomicOutput, Existing, Form};
use weald::job::build::Build;
use weald::{Error, Result};

/// Fails unless an output can be made: it would not take the place of one of the files and folders that the command reads, which no option allows,
/// and nothing is there that must stay. `option` is the one that names the output.
pub(crate) fn validate(
    (option, path): (&str, &Path),
    form: Form,
    force: bool,
    inputs: &[PathBuf],
) -> Result<()> {
    keeps_inputs((option, path), inputs)?;
    AtomicOutput::validate(path, form, existing(force))
}

/// The same for the store of a build. One that is there is continued, or with `force` removed.
pub(crate) fn validate_store(path: &Path, force: bool, inputs: &[PathBuf]) -> Result<()> {
    match Build::is_at(path) {
        true if force => keeps_inputs(("-o", path), inputs),
        true => Ok(()),
        false => {
            keeps_inputs(("-o", path), inputs)?;
            AtomicOutput::validate(path, Form::Folder, Existing::Keep)
        }
    }
}

/// Fails if the output would take the place of an input.
fn keeps_inputs((option, path): (&str, &Path), inputs: &[PathBuf]) -> Result<()> {
    if let Ok(written) = path.canonicalize() {
        let replaced = |input: &&PathBuf| input.canonicalize().is_ok_and(|read| read.starts_with(&written));
        if let Some(input) = inputs.iter().find(replaced) {
            return Err(Error::Invalid(format!(
                "{option} {}: the output is also an input: {} would be replaced; choose another name for the output",
                path.display(),
                input.display()
            )));
        }
    }
    Ok(())
}
