//! The Python package: installed as a user installs it, into a virtual environment of its own, and tested there.

use crate::run::{Outcome, cargo, command, finish, output, program, root, target};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The folder of the package.
const PACKAGE: &str = "crates/weald-py";

/// Python packages of the tests, each in one version.
const REQUIREMENTS: &str = "crates/weald-py/tests/requirements.txt";

/// Builds the command line, which the tests compare the package with, and tests.
pub(crate) fn full() -> Outcome {
    cargo(&["build", "--quiet", "-p", "weald-cli"])?;
    environment()?;
    check_built()
}

/// Tests the package beside the program that the tests have built, in the environment that is there.
///
/// The package is built in the profile of the tests, in which cargo has most of it already; users get an optimised one.
pub(crate) fn check_built() -> Outcome {
    install("dev")?;
    pytest(&[], "debug")
}

/// Tests what takes minutes, and compares the time of an optimised package with that of the Rust library.
pub(crate) fn bench() -> Outcome {
    cargo(&["build", "--release", "--quiet", "-p", "weald-cli", "-p", "weald-benches"])?;
    environment()?;
    install("release")?;
    pytest(&["-m", "slow"], "release")?;
    let benches = target().join("release/weald-benches").display().to_string();
    finish(python(&["crates/weald-py/benches/overhead.py", &benches]), "the benchmark of the package")
}

/// The folder of the virtual environment.
fn folder() -> PathBuf {
    target().join("python")
}

/// Makes the virtual environment and installs what the tests need, unless that is there.
pub(crate) fn environment() -> Outcome {
    let asked = fs::read_to_string(root().join(REQUIREMENTS)).map_err(|e| format!("{REQUIREMENTS}: {e}"))?;
    let note = folder().join("requirements.txt");
    if fs::read_to_string(&note).is_ok_and(|there| there == asked) {
        return Ok(());
    }
    output("python3", &["--version"])
        .map_err(|e| format!("{e}\nPython 3.10 or newer is needed to test its package"))?;
    let path = folder().display().to_string();
    program("python3", &["-m", "venv", "--clear", &path])
        .map_err(|e| format!("{e}\nOn Debian: apt-get install python3-venv"))?;
    finish(python(&["-m", "pip", "install", "--quiet", "-r", REQUIREMENTS]), "pip install")?;
    fs::write(&note, asked).map_err(|e| format!("{}: {e}", note.display()))
}

/// Installs the package as a user does, but built in that profile of cargo.
fn install(profile: &str) -> Outcome {
    let package = format!("./{PACKAGE}");
    let mut pip = python(&["-m", "pip", "install", "--quiet", &package]);
    pip.env("MATURIN_PEP517_ARGS", format!("--profile {profile}")).env("CARGO_TARGET_DIR", target());
    finish(pip, &format!("pip install {package}"))
}

/// Runs the tests, beside the program that was built into that folder.
fn pytest(options: &[&str], built: &str) -> Outcome {
    let mut pytest = python(&[&["-m", "pytest", "-q"], options].concat());
    pytest.current_dir(root().join(PACKAGE)).env("WEALD_PROGRAM", target().join(built).join("weald"));
    finish(pytest, "pytest")
}

/// Python in the virtual environment.
fn python(args: &[&str]) -> Command {
    command(&folder().join("bin/python").display().to_string(), args)
}
