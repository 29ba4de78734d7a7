//! The README's commands, run as a reader would.

use crate::run::{Outcome, cargo, root, say};
use std::process::Command;
use std::{env, fs};

/// Runs every line of the README that starts with `$ weald`, in order, in an empty folder.
pub(crate) fn check() -> Outcome {
    say("README: the program");
    cargo(&["build", "--release", "--quiet", "-p", "weald-cli"])?;
    let text = fs::read_to_string(root().join("README.md")).map_err(|e| format!("README.md: {e}"))?;
    let commands: Vec<&str> =
        text.lines().filter_map(|l| l.strip_prefix("$ ")).filter(|l| l.starts_with("weald ")).collect();
    if commands.is_empty() {
        return Err("README.md shows no command that starts with `$ weald`".into());
    }
    let target = env::var("CARGO_TARGET_DIR").map_or_else(|_| root().join("target"), |t| root().join(t));
    let bin = target.join("release").canonicalize().map_err(|e| e.to_string())?;
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
