//! The README's commands, run as a reader would.

use crate::run::{Outcome, cargo, root, say, target};
use std::process::Command;
use std::{env, fs};

/// Builds the program, then runs the commands.
pub(crate) fn check() -> Outcome {
    cargo(&["build", "--quiet", "-p", "weald-cli"])?;
    check_built()
}

/// Runs every line of the README that starts with `$ weald`, in order, in an empty folder, with the program that the tests
/// have built.
pub(crate) fn check_built() -> Outcome {
    let text = fs::read_to_string(root().join("README.md")).map_err(|e| format!("README.md: {e}"))?;
    let commands: Vec<&str> =
        text.lines().filter_map(|l| l.strip_prefix("$ ")).filter(|l| l.starts_with("weald ")).collect();
    if commands.is_empty() {
        return Err("README.md shows no command that starts with `$ weald`".into());
    }
    let bin = target().join("debug");
    if !bin.join("weald").is_file() {
        return Err(format!("{}: the program is not there; run cargo build", bin.join("weald").display()));
    }
    let path = format!("{}:{}", bin.display(), env::var("PATH").unwrap_or_default());
    let folder = env::temp_dir().join(format!("weald-readme-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let outcome = commands.iter().try_for_each(|line| {
        say(&format!("README: {line}"));
        let status = Command::new("sh").args(["-c", line]).env("PATH", &path).current_dir(&folder).status();
        match status {
            Ok(status) if status.success() => Ok(()),
            other => Err(format!("README.md: `{line}` failed: {other:?}")),
        }
    });
    let _ = fs::remove_dir_all(&folder);
    outcome
}
