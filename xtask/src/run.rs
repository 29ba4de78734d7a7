//! Running other programs from the root of the project.

use std::path::PathBuf;
use std::process::Command;

/// Done, or what went wrong.
pub(crate) type Outcome = Result<(), String>;

/// Tells which step runs.
pub(crate) fn say(step: &str) {
    println!("== {step}");
}

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folder of what cargo builds.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".into()))
}

/// A program, to be run from the root.
pub(crate) fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    // Nobody builds twice on a CI machine or steps through a program there; panics name their line without it.
    if std::env::var_os("CI").is_some() {
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "false");
    }
    command
}

/// Runs a program whose output goes to the screen.
pub(crate) fn program(program: &str, args: &[&str]) -> Outcome {
    finish(command(program, args), &format!("{program} {}", args.join(" ")))
}

/// Runs a command whose output goes to the screen; `what` names it if it fails.
pub(crate) fn finish(mut command: Command, what: &str) -> Outcome {
    let status = command.status().map_err(|e| format!("{what}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what}: failed ({status})")) }
}

/// Runs cargo.
pub(crate) fn cargo(args: &[&str]) -> Outcome {
    program("cargo", args)
}

/// Runs cargo with one variable set.
pub(crate) fn with_env(key: &str, value: &str, args: &[&str]) -> Outcome {
    let mut command = command("cargo", args);
    command.env(key, value);
    finish(command, &format!("{key}={value:?} cargo {}", args.join(" ")))
}

/// What a program prints.
pub(crate) fn output(program: &str, args: &[&str]) -> Result<String, String> {
    let what = format!("{program} {}", args.join(" "));
    let out = command(program, args).output().map_err(|e| format!("{what}: {e}"))?;
    if !out.status.success() {
        return Err(format!("{what}: failed ({})\n{}", out.status, String::from_utf8_lossy(&out.stderr)));
    }
    String::from_utf8(out.stdout).map_err(|_| format!("{what}: printed no UTF-8"))
}

/// What Node prints.
pub(crate) fn node(args: &[&str]) -> Result<String, String> {
    output("node", args).map_err(|e| format!("{e}\nNode.js 18 or newer is needed to run the WASM build"))
}
